"""SubRip, which has no specification: read as players read it, and forgiving where files differ.

A cue is a timing line and the lines that follow up to an empty one or the next timing line. Times have
`.` or `,` before their fraction (a decimal fraction, so `,5` is 500 ms) or none, fields of one digit,
hours of any length or none, and a sign. Coordinates may stand behind them.

A line that is only a number, directly before a timing line, is the cue's number where an empty line (or
the file's beginning) stands before it. Without one it is the number where it counts on from the number
before, or where the file sets no empty lines at all; otherwise it is text.

Markup is `<i> <b> <u> <s> <font …>`, their ends, and `{\\…}`; any other `<` is text. References with a
semicolon are decoded once, as players show them. A block without times, and a line that looks like a
timing line and is none, are unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quoteview.core.captions.building import TrackBuilder
from quoteview.core.captions.decoding import reference_how
from quoteview.core.captions.scan import View
from quoteview.core.captions.track import CaptionFormat, Track
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind

_END = rb"(?:\r\n|\n|\r|\Z)"
_TIME = rb"(-?)(?:([0-9]{1,9}):)?([0-5]?[0-9]):([0-5]?[0-9])(?:[.,]([0-9]{1,9}))?"
_TIMING = re.compile(rb"[ \t]*+(" + _TIME + rb"[ \t]*+-->[ \t]*+" + _TIME + rb")(?![0-9:.,])([^\r\n]*+)" + _END)
_LINE_END = re.compile(rb"\r\n|\n|\r|\Z")
# What stands between two timing lines: payload, empty lines, and the next cue's number.
_BETWEEN = re.compile(rb"((?:[^\r\n]++" + _END + rb")*+)([\r\n]*+)(?:[ \t]*+([0-9]{1,9})[ \t]*+(?:\r\n|\n|\r))?+\Z")
_PAYLOAD = re.compile(rb"(?:[^\r\n]++" + _END + rb")*+")
_LAST_NUMBER = re.compile(rb"(?:\A|(?<=[\r\n]))[ \t]*+([0-9]{1,9})[ \t]*+(?:\r\n|\n|\r)\Z")
_TOKEN = re.compile(
    rb"([^<{\r\n]++)|(\r\n|\n|\r)|(</?(?:i|b|u|s|font)(?:[ \t][^<>\r\n]*+)?>|\{\\[^{}\r\n]*+\})|([<{])", re.IGNORECASE
)
_LIKE_TIMING = re.compile(rb"[ \t]*+-?[0-9]++[:;.,][0-9:;., \t]*+-{1,3}+>")
_CUT_TAIL = re.compile(
    rb"(?:[ \t]*+([0-9]{1,9})[ \t]*+(?:(?:\r\n|\n|\r)|\Z))?+(?:-?[0-9]++:[0-9:.,]*+[ \t]*+(?:-{0,2}+|-->[ \t]*+[0-9:.,]*+))?\Z"
)
_MARKED = re.compile(rb"[<{]|->")
_NO_NUMBER = -1


def recognises(view: View) -> bool:
    """Return whether a line of SubRip's times stands in the file."""
    return next(_timings(view), None) is not None


def read(view: View) -> Track:
    """Return the track; raises `CaptionError` where there are no cues, or the last one is cut off."""
    return _Reading(view).track()


def _timings(view: View) -> Iterator[re.Match[bytes]]:
    """Yield the timing lines in order; each byte is looked at a fixed number of times."""
    data, position = view.data, view.start
    find, rfind = data.find, data.rfind
    has_returns = b"\r" in data
    while (arrow := find(b"-->", position)) >= 0:
        line = rfind(b"\n", position, arrow) + 1
        if has_returns:
            line = max(line, rfind(b"\r", position, arrow) + 1)
        timing = _TIMING.match(data, line or position)
        if timing:
            yield timing
            position = timing.end()
        else:
            end = _LINE_END.search(data, arrow)
            position = end.end() if end else len(data)


def _ms(sign: bytes, hours: bytes | None, minutes: bytes, seconds: bytes, fraction: bytes | None) -> int:
    whole = ((int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)) * 1000
    moment = whole + (int(fraction[:3].ljust(3, b"0")) if fraction else 0)
    return -moment if sign else moment


class _Reading:
    """One pass over a file: the number that a cue carries is found while the cue before it is read."""

    __slots__ = ("_builder", "_number", "_number_span", "_seen_empty_line", "_view")

    def __init__(self, view: View) -> None:
        self._view = view
        self._builder = TrackBuilder(view, CaptionFormat.SUBRIP)
        self._number = _NO_NUMBER
        self._number_span: tuple[int, int] | None = None
        self._seen_empty_line = False

    def track(self) -> Track:
        """Read the whole file."""
        timings = _timings(self._view)
        timing = next(timings, None)
        if timing is None:
            return self._builder.finish(gap=EntryKind.LAYOUT)
        self._before_first(self._view.start, timing.start())
        while timing is not None:
            following = next(timings, None)
            self._cue(timing, following.start() if following else len(self._view.data), is_last=following is None)
            timing = following
        return self._builder.finish(gap=EntryKind.LAYOUT)

    def _before_first(self, start: int, end: int) -> None:
        data = self._view.data
        number = _LAST_NUMBER.search(data[start:end])
        if number:
            self._take_number(start + number.start(1), start + number.end(1))
            end = start + number.start()
        self._builder.unread_blocks(start, end)

    def _take_number(self, start: int, end: int) -> None:
        self._number = int(self._view.data[start:end])
        self._number_span = (start, end)

    def _cue(self, timing: re.Match[bytes], end: int, *, is_last: bool) -> None:
        """Read the cue of a timing line, and the number of the cue that follows it."""
        builder, data = self._builder, self._view.data
        own = self._number_span
        self._number_span = None
        fields = timing.groups()
        identifier = data[own[0] : own[1]].decode("ascii") if own else ""
        builder.begin_cue(_ms(*fields[1:6]), _ms(*fields[6:11]), identifier)
        if own:
            builder.entry(EntryKind.METADATA, *own)
        builder.entry(EntryKind.TIMING, *timing.span(1))
        if fields[11]:
            inner = fields[11].strip(b" \t")
            at = timing.start(12) + fields[11].find(inner)
            builder.entry(EntryKind.MARKUP, at, at + len(inner))
        start = timing.end()
        if is_last:
            self._last(start, end)
            return
        between = _BETWEEN.match(data, start, end)
        if between is None:
            self._irregular(start, end)
        elif between[2]:
            self._seen_empty_line = True
            self._payload(start, between[1])
            builder.end_cue()
            if between[3] is None:
                self._number = _NO_NUMBER
            else:
                self._take_number(*between.span(3))
        else:
            self._tight(start, data[start:end], has_own=own is not None)

    def _tight(self, start: int, raw: bytes, *, has_own: bool) -> None:
        """No empty line before the next timing line: a number at the end may be text or the next cue's number."""
        number = _LAST_NUMBER.search(raw)
        own = self._number if has_own else _NO_NUMBER
        self._number = _NO_NUMBER
        if number:
            before = raw[: number.start()]
            counts_on = own != _NO_NUMBER and int(number[1]) == own + 1
            after_spaces = before != b"" and before.splitlines()[-1].strip(b" \t") == b""
            if counts_on or after_spaces or (own != _NO_NUMBER and not self._seen_empty_line and before != b""):
                self._take_number(start + number.start(1), start + number.end(1))
                raw = before
        self._payload(start, raw)
        self._builder.end_cue()

    def _irregular(self, start: int, end: int) -> None:
        """Empty lines with something between them: blocks without times are unread."""
        data = self._view.data
        payload = _PAYLOAD.match(data, start, end)
        assert payload
        self._seen_empty_line = True
        self._payload(start, payload[0])
        self._builder.end_cue()
        number = _LAST_NUMBER.search(data[payload.end() : end])
        self._number = _NO_NUMBER
        if number and _ends_in_empty_line(data[payload.end() : payload.end() + number.start()]):
            self._take_number(payload.end() + number.start(1), payload.end() + number.end(1))
            end = payload.end() + number.start()
        self._builder.unread_blocks(payload.end(), end)

    def _last(self, start: int, end: int) -> None:
        """The last cue, and what stands behind it."""
        data, own = self._view.data, self._number
        if start == end:
            raise self._cut_off(start)
        payload = _PAYLOAD.match(data, start, end)
        assert payload
        self._payload(start, payload[0])
        self._builder.end_cue()
        tail_start = payload.end()
        tail = data[tail_start:end].strip(b"\r\n")
        at = data.find(tail, tail_start)
        cut = _CUT_TAIL.match(tail) if tail else None
        if (cut and data.endswith(tail) and b":" in tail) or (cut and cut[1] and int(cut[1]) == own + 1):
            raise self._cut_off(at)
        self._builder.unread_blocks(tail_start, end)

    def _cut_off(self, position: int) -> CaptionError:
        return self._view.refuse(
            "it ends in the middle of a cue",
            position,
            remedy="Fetch or export the track again.",
            format=CaptionFormat.SUBRIP,
        )

    def _payload(self, start: int, raw: bytes) -> None:
        """Add a payload's lines: at once where they hold no markup, else token by token."""
        if not _MARKED.search(raw):
            self._builder.lines(start, raw)
            return
        builder = self._builder
        for line in raw.splitlines(True):
            end = start + len(line.rstrip(b"\r\n"))
            if _LIKE_TIMING.match(line):
                builder.unread(start, end)
            else:
                self._line(start, end)
            builder.end_line(end, start + len(line))
            start += len(line)

    def _line(self, start: int, end: int) -> None:
        builder, data = self._builder, self._view.data
        held = start
        for token in _TOKEN.finditer(data, start, end):
            if token[3] is not None:
                builder.text(held, token.start(), reference_how(CaptionFormat.SUBRIP, data[held : token.start()]))
                builder.entry(EntryKind.MARKUP, *token.span())
                held = token.end()
        builder.text(held, end, reference_how(CaptionFormat.SUBRIP, data[held:end]))


def _ends_in_empty_line(raw: bytes) -> bool:
    lines = raw.splitlines()
    return not lines or not lines[-1].strip(b" \t")
