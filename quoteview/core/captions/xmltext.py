"""XML as a stream of tags and texts with byte places, checked by expat and safe against entity bombs.

expat decides whether the file is well-formed XML, at its own speed and without recursion, and refuses
at the first document type declaration: no caption format has one, and without it there are no
entities to blow up and nothing outside to fetch. What expat accepted is then cut into tokens by one
pattern, since expat does not tell where an attribute's value stands.

expat is told that the bytes are UTF-8, whatever the declaration says, because the view is UTF-8 by now.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple
from xml.parsers import expat

from quoteview.core.captions.building import TrackBuilder
from quoteview.core.captions.decoding import decode
from quoteview.core.captions.scan import View
from quoteview.core.captions.track import CaptionFormat
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind, How
from quoteview.core.spans import ByteSpan

DEEPEST = 200
"""How deep elements may nest; captions need fewer than 20."""

_QUOTED = rb"""(?:"[^"]*+"|'[^']*+')"""
_TAG = re.compile(
    rb"<(?:!--.*?--|\?.*?\?|!\[CDATA\[(.*?)\]\]|/([^\s>]++)\s*+|([^\s/>!?]++)([^\"'>]*+(?:" + _QUOTED + rb"[^\"'>]*+)*+))>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(rb"""([^\s=/"']++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
_PROLOGUE = re.compile(
    rb"""(?:\s++|<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?:[^\[>"']|"[^"]*"|'[^']*')*+(?:\[.*?\]\s*+)?>)*+<([^\s/>!?]++)""", re.DOTALL
)
_LINE_END = re.compile(rb"\r\n|\r|\n|&#(?:0*1[03]|x0*[aAdD]);")
_BLANK = re.compile(rb"[ \t\r\n]*+")
_CUT_SHORT = frozenset(
    expat.errors.codes[name]
    for name in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
)


class Kind(Enum):
    """What a token is; an empty element's one tag is a START with `is_empty`, and no END follows."""

    START = "start"
    END = "end"
    TEXT = "text"
    CDATA = "cdata"
    ASIDE = "aside"


class Token(NamedTuple):
    """One tag, text, comment or instruction at view bytes `start` to `end`; `name` is a tag's, as written.

    A CDATA section's place is that of its content alone: characters in it are literal.
    """

    kind: Kind
    start: int
    end: int
    name: str = ""
    is_empty: bool = False

    @property
    def local(self) -> str:
        """The tag's name without a prefix."""
        return self.name.rpartition(":")[2]


def root_name(view: View) -> str:
    """Return the local name of the root element by a look at the head, "" where the view is not XML."""
    match = _PROLOGUE.match(view.data, view.start)
    return "" if match is None else match[1].rpartition(b":")[2].decode("ascii", "ignore")


class Xml:
    """A checked file: its tokens in order, and the attributes of a tag. Offsets are view offsets."""

    def __init__(self, view: View) -> None:
        """Check the view. Raises `CaptionError` where it is not well-formed, cut short, or declares a document type."""
        self.data = view.readable()
        blank = _BLANK.match(self.data, view.start)
        self.start = blank.end() if blank else view.start
        _check(view, self.data, self.start)

    def tokens(self) -> Iterator[Token]:
        """Yield every token from the first on; together with the marks of CDATA sections they cover the file."""
        at = self.start
        for match in _TAG.finditer(self.data, at):
            start, end = match.span()
            if start > at:
                yield Token(Kind.TEXT, at, start)
            at = end
            if match.start(3) >= 0:
                yield Token(Kind.START, start, end, match[3].decode("utf-8"), self.data[end - 2] == 0x2F)
            elif match.start(2) >= 0:
                yield Token(Kind.END, start, end, match[2].decode("utf-8"))
            elif match.start(1) >= 0:
                yield Token(Kind.CDATA, *match.span(1))
            else:
                yield Token(Kind.ASIDE, start, end)
        if at < len(self.data):
            yield Token(Kind.TEXT, at, len(self.data))

    def attributes(self, tag: Token) -> dict[str, ByteSpan]:
        """Return where the values of a start tag's attributes stand, by name as written."""
        return {
            match[1].decode("utf-8"): ByteSpan(*match.span(2 if match.start(2) >= 0 else 3))
            for match in _ATTRIBUTE.finditer(self.data, tag.start + 1 + len(tag.name.encode("utf-8")), tag.end)
        }

    def value(self, span: ByteSpan | None) -> str:
        """Return what an attribute's value or a name says, references decoded; "" for None."""
        if span is None:
            return ""
        raw = self.data[span.start : span.end].decode("utf-8")
        return decode(CaptionFormat.TTML, How.ENTITY, raw) if "&" in raw else raw

    def is_blank(self, token: Token) -> bool:
        """Return whether a text holds nothing but XML's white space."""
        match = _BLANK.match(self.data, token.start, token.end)
        return match is not None and match.end() == token.end


def how_of(data: bytes, start: int, end: int) -> How:
    """Return how the bytes of a text decode."""
    return How.ENTITY if data.find(b"&", start, end) >= 0 else How.LITERAL


def add_lines(builder: TrackBuilder, data: bytes, start: int, end: int, *, is_literal: bool = False) -> None:
    """Give a text to the open cue as it stands; line ends in it, as bytes or as references, end lines."""
    at = start
    for match in _LINE_END.finditer(data, start, end):
        is_reference = data[match.start()] == 0x26
        if is_literal and is_reference:
            continue
        _add(builder, data, at, match.start(), is_literal)
        builder.end_line()
        builder.entry(EntryKind.LAYOUT, match.start(), match.end(), How.ENTITY if is_reference else How.LITERAL)
        at = match.end()
    _add(builder, data, at, end, is_literal)


def add_aside(builder: TrackBuilder, xml: Xml, token: Token) -> None:
    """Record what stands outside all cues: comments are metadata, white space is layout, other text is unread."""
    if token.kind is Kind.ASIDE:
        builder.entry(EntryKind.METADATA, token.start, token.end)
    elif token.kind in (Kind.TEXT, Kind.CDATA):
        if xml.is_blank(token):
            builder.entry(EntryKind.LAYOUT, token.start, token.end)
        else:
            builder.entry(EntryKind.UNREAD, token.start, token.end, How.UNREAD)


def _add(builder: TrackBuilder, data: bytes, start: int, end: int, is_literal: bool) -> None:
    if start < end:
        builder.text(start, end, How.LITERAL if is_literal else how_of(data, start, end))


class _DocumentType(Exception):
    """A document type declaration, at this byte of what was parsed."""


def _check(view: View, data: bytes, start: int) -> None:
    parser = expat.ParserCreate("utf-8")

    def refuse_document_type(*_: object) -> None:
        raise _DocumentType

    parser.StartDoctypeDeclHandler = refuse_document_type
    try:
        parser.Parse(data[start:], True)
    except _DocumentType:
        raise view.refuse(
            "it declares a document type, which could define entities without end, and no caption format has one",
            start + parser.CurrentByteIndex,
            remedy="Remove the <!DOCTYPE …> declaration, or export the captions again.",
        ) from None
    except expat.ExpatError as error:
        raise _broken(view, error, start + max(parser.ErrorByteIndex, 0)) from error


def _broken(view: View, error: expat.ExpatError, at: int) -> CaptionError:
    if error.code in _CUT_SHORT:
        return view.refuse("the file ends in the middle of a cue", len(view.data), remedy="Fetch or export the track again.")
    return view.refuse(
        f"this is not well-formed XML ({expat.ErrorString(error.code)})",
        min(at, len(view.data)),
        remedy="Fetch or export the captions again.",
    )
