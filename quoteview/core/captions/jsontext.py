"""A JSON parser that keeps the place of every value: no value is copied, every one is a span of the view.

The standard library's parser forgets where a value stood, and a verdict needs to know. This one
returns spans, keeps repeated keys, refuses what RFC 8259 does not allow, has no recursion (a file of
100,000 opening brackets is refused, not a crash), and turns no number into a value until asked: a
number of a million digits costs nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import NamedTuple

from quoteview.core.captions.building import TrackBuilder
from quoteview.core.captions.scan import View
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind, How

DEEPEST = 100
"""How deep values may nest; the formats that are read need fewer than 15."""

_STRING = rb'[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+'
_STEP = re.compile(
    rb'[ \t\r\n]*+(?:"(' + _STRING + rb')"[ \t\r\n]*+:[ \t\r\n]*+)?'
    rb'(?:"('
    + _STRING
    + rb')"|(-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null)(?![0-9A-Za-z.+-])|([\[{])|([\]}]))'
    rb"[ \t\r\n]*+(,)?"
)
_CUT = re.compile(
    rb'[ \t\r\n]*+(?:"'
    + _STRING
    + rb'"[ \t\r\n]*+:?[ \t\r\n]*+)?(?:"'
    + _STRING
    + rb"(?:\\(?:u[0-9a-fA-F]{0,3})?)?|[-+.0-9A-Za-z]*+)\Z"
)
_BLANK = re.compile(rb"[ \t\r\n]*+")
_LINE_END = re.compile(rb"\\r\\n|\\(?:[nr]|u000[aAdD])|\\u.{4}|\\.", re.DOTALL)
_LINE_ENDS = frozenset((b"\\r\\n", b"\\n", b"\\r", b"\\u000a", b"\\u000A", b"\\u000d", b"\\u000D"))
_DECIMAL = re.compile(rb"-?[0-9]+(?:\.([0-9]*))?([eE][+-]?[0-9]{1,6})?")
_LONGEST_TIME = 40
_LARGEST_EXPONENT = 12  # 10**12 seconds are 30,000 years; a larger number is no time, and its digits are not to be written out
_EXACT = Context(prec=80)


class Text(NamedTuple):
    """A string: the bytes between its quote marks."""

    start: int
    end: int


class Scalar(NamedTuple):
    """A number, `true`, `false` or `null`."""

    start: int
    end: int


class Array(NamedTuple):
    """The values of a list, in order."""

    start: int
    values: list[Value]


class Object(NamedTuple):
    """Keys and values in the order of the file, repeated keys included; `named` holds the last value of each key."""

    start: int
    members: list[tuple[Text, Value]]
    named: dict[bytes, Value]


Value = Text | Scalar | Array | Object


class Document:
    """A parsed file: its root and the questions that readers ask of values. Offsets are view offsets."""

    def __init__(self, view: View) -> None:
        """Parse the view. Raises `CaptionError` where it is not one whole JSON value."""
        self.data = view.readable()
        self.root = _parse(view, self.data)

    def string(self, value: Value | None) -> str | None:
        """Return a string's decoded characters, None for any other value."""
        if not isinstance(value, Text):
            return None
        raw = self.data[value.start : value.end]
        return str(json.loads(b'"%b"' % raw)) if b"\\" in raw else raw.decode("utf-8")

    def word(self, value: Value | None) -> str:
        """Return a string's characters or a number's digits, "" for anything else: names of speakers come as both."""
        match value:
            case Text():
                return self.string(value) or ""
            case Scalar():
                raw = self.data[value.start : min(value.end, value.start + _LONGEST_TIME)]
                return "" if raw in (b"null", b"true", b"false") else raw.decode("ascii")
        return ""

    def get(self, value: Value | None, *keys: str) -> Value | None:
        """Return the member of an object under the first of the keys that it has; of a repeated key the last counts."""
        if isinstance(value, Object):
            named = value.named
            for key in keys:
                member = named.get(key.encode("utf-8"))
                if member is not None:
                    return member
        return None

    def values(self, value: Value | None, *keys: str) -> list[Value]:
        """Return the values of the list that an object has under one of the keys; without keys, of the list itself."""
        found = self.get(value, *keys) if keys else value
        return found.values if isinstance(found, Array) else []

    def milliseconds(self, value: Value | None, *, per_unit: int = 1000) -> int | None:
        """Return a number, or a string that holds one (`"13.03"`, `"13.03s"`), in milliseconds; None if it is none."""
        if not isinstance(value, (Text, Scalar)) or value.end - value.start > _LONGEST_TIME:
            return None
        raw = self.data[value.start : value.end]
        return milliseconds(raw[:-1] if isinstance(value, Text) and raw.endswith(b"s") else raw, per_unit)

    def scalars(self) -> Iterator[Text | Scalar]:
        """Yield every string and every other scalar of the file, keys left out, in no order."""
        waiting = [self.root]
        while waiting:
            match waiting.pop():
                case Array(_, values):
                    waiting.extend(values)
                case Object(_, members, _):
                    waiting.extend(member for _, member in members)
                case scalar:
                    yield scalar


def milliseconds(raw: bytes, per_unit: int) -> int | None:
    """Return a decimal number of units as whole milliseconds, exactly, halves away from zero; None if it is none."""
    match = _DECIMAL.fullmatch(raw)
    if match is None:
        return None
    if per_unit == 1000 and match[2] is None and len(raw) < 12:
        thousandths = (match[1] or b"").ljust(3, b"0")
        if len(thousandths) == 3:  # the common case: nothing to round
            whole = int(raw[: match.start(1) - 1] if match[1] is not None else raw)
            return whole * 1000 + (-int(thousandths) if raw.startswith(b"-") else int(thousandths))
    number = Decimal(raw.decode("ascii"))
    if number and number.adjusted() > _LARGEST_EXPONENT:
        return None
    return int(_EXACT.multiply(number, Decimal(per_unit)).to_integral_value(ROUND_HALF_UP))


def looks_like_json(view: View) -> bool:
    """Return whether the view begins as a JSON object or list does; `[00:01] Ann:` and `{1}{2}text` do not."""
    return re.compile(rb'[ \t\r\n]*+(?:\{[ \t\r\n]*+["}]|\[[ \t\r\n]*+[\[{"\]])').match(view.data, view.start) is not None


def how_of(data: bytes, start: int, end: int) -> How:
    """Return how the bytes of a string's content decode."""
    return How.ESCAPE if data.find(b"\\", start, end) >= 0 else How.LITERAL


def add_text(builder: TrackBuilder, data: bytes, start: int, end: int) -> None:
    """Give a string's content to the open cue; escaped line ends in it end lines."""
    if data.find(b"\\", start, end) < 0:
        builder.text(start, end)
        return
    at = start
    for match in _LINE_END.finditer(data, start, end):
        if match[0] in _LINE_ENDS:
            builder.text(at, match.start(), how_of(data, at, match.start()))
            builder.end_line()
            builder.entry(EntryKind.LAYOUT, match.start(), match.end(), How.ESCAPE)
            at = match.end()
    builder.text(at, end, how_of(data, at, end))


def _parse(view: View, data: bytes) -> Value:
    step = _STEP.match
    at = view.start
    path: list[Array | Object] = []
    root: Value | None = None
    ready, after_comma = True, False  # a value may come next; a closing bracket may not
    while root is None or path:
        match = step(data, at)
        if match is None or (not ready and match[5] is None):
            raise _broken(view, data, at)
        parent = path[-1] if path else None
        key = match.span(1)
        if (key[0] >= 0) is not (isinstance(parent, Object) and match[5] is None):
            raise _broken(view, data, at)
        at = match.end()
        if match[5] is not None:
            if after_comma or parent is None or (match[5] == b"}") is not isinstance(parent, Object):
                raise _broken(view, data, match.start(5))
            path.pop()
        else:
            value = _value(match)
            if parent is None:
                root = value
            elif isinstance(parent, Object):
                parent.members.append((Text(*key), value))
                parent.named[_name(match[1])] = value
            else:
                parent.values.append(value)
            if match[4] is not None:
                if match[6] is not None or len(path) >= DEEPEST:
                    raise _broken(view, data, match.start(4), "it nests too deeply" if match[6] is None else "")
                path.append(value)  # type: ignore[arg-type]
                ready, after_comma = True, False
                continue
        after_comma = ready = match[6] is not None
        if after_comma and not path:
            raise _broken(view, data, match.start(6))
    rest = _BLANK.match(data, at)
    if rest is not None and rest.end() < len(data):
        raise _broken(view, data, rest.end(), "something follows the end of its JSON")
    return root


def _value(match: re.Match[bytes]) -> Value:
    if match[2] is not None:
        return Text(*match.span(2))
    if match[3] is not None:
        return Scalar(*match.span(3))
    return Array(match.start(4), []) if match[4] == b"[" else Object(match.start(4), [], {})


def _name(raw: bytes) -> bytes:
    """Return a key's own characters in UTF-8, however they are escaped; a lone surrogate stays escaped."""
    if b"\\" not in raw:
        return raw
    return str(json.loads(b'"%b"' % raw)).encode("utf-8", "backslashreplace")


def _broken(view: View, data: bytes, at: int, reason: str = "") -> CaptionError:
    if not reason and _CUT.match(data, at):
        return view.refuse("the file ends in the middle of a cue", len(data), remedy="Fetch or export the track again.")
    blank = _BLANK.match(data, at)
    return view.refuse(
        reason or "this is not valid JSON", blank.end() if blank else at, remedy="Fetch or export the transcript again, whole."
    )
