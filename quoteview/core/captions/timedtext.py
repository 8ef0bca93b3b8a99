"""YouTube's three XML formats: srv1 (`transcript`), srv2 and srv3 (`timedtext`).

srv1: `<text start="1.54" dur="4.16">`, seconds; its text is HTML inside XML, so references are decoded
twice and a tag escaped once (`&lt;i>`) is markup. srv2: `<text t="1540" d="4160">`, milliseconds.
srv3: `<p t d>` with words in `<s t>`, joined as they are; `t` of an `s` is counted from its `p`.
A paragraph that is appended (`a="1"`, `append="1"`) and holds only white space is a break between two
cues. Line ends in the text end lines. Ruby readings and the parentheses round them, marked by pens
(`rb` 2 and 4 to 7), are left out. A paragraph without a time is unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from quoteview.core.captions.building import TrackBuilder
from quoteview.core.captions.jsontext import milliseconds
from quoteview.core.captions.scan import View
from quoteview.core.captions.track import CaptionFormat, Track
from quoteview.core.captions.xmltext import DEEPEST, Kind, Token, Xml, add_aside, add_lines, root_name
from quoteview.core.ledger import EntryKind
from quoteview.core.spans import ByteSpan

_READINGS = frozenset(("2", "4", "5", "6", "7"))
_ESCAPED_TAG = re.compile(
    rb"&lt;(?:/?(?:i|b|u|s|em|strong|font|span|c|v)(?:[ \t.](?:[^<>&]|&(?!lt;|gt;)){0,300}+)?|br ?/?)(?:>|&gt;)", re.IGNORECASE
)
_LONGEST_NUMBER = 20


class _Piece(NamedTuple):
    """Text of a paragraph; `offset_ms` where a word with a time of its own begins, `is_word` where any `s` does."""

    token: Token
    is_word: bool
    offset_ms: int | None
    is_line_end: bool = False


def recognises(view: View) -> bool:
    """Return whether the root element is that of srv1, srv2 or srv3."""
    return root_name(view) in ("transcript", "timedtext")


def read(view: View) -> Track:
    """Return the track. Raises `CaptionError` for broken XML, no cues, and only empty ones."""
    return _Reader(view, Xml(view)).track()


class _Reader:
    """Walks the tokens once; a paragraph is collected whole before it is judged a cue or a break."""

    def __init__(self, view: View, xml: Xml) -> None:
        if root_name(view) == "transcript":
            self._format = CaptionFormat.SRV1
        else:
            is_third = any(t.local == "body" or (t.local == "p" and t.kind is Kind.START) for t in xml.tokens())
            self._format = CaptionFormat.SRV3 if is_third else CaptionFormat.SRV2
        self._view = view
        self._xml = xml
        self._builder = TrackBuilder(view, self._format)
        self._builder.entry(EntryKind.LAYOUT, view.start, xml.start)
        self._reading_pens: set[str] = set()
        self._names = ("t", "d") if self._format is not CaptionFormat.SRV1 else ("start", "dur")

    def track(self) -> Track:
        """Read the whole file."""
        tokens = self._xml.tokens()
        cue_name = "p" if self._format is CaptionFormat.SRV3 else "text"
        for token in tokens:
            if token.kind is Kind.START and token.local == cue_name:
                self._paragraph(token, [] if token.is_empty else self._content(token, tokens))
            elif token.kind is Kind.START and token.local == "head" and not token.is_empty:
                self._head(token, tokens)
            else:
                add_aside(self._builder, self._xml, token)
        return self._builder.finish(gap=EntryKind.MARKUP)

    def _head(self, head: Token, tokens: Iterator[Token]) -> None:
        """Note the pens that mark readings; the head as a whole is metadata."""
        end = head.end
        for token in tokens:
            end = token.end
            if token.kind is Kind.END and token.local == "head":
                break
            if token.kind is Kind.START and token.local == "pen":
                found = self._xml.attributes(token)
                if self._xml.value(found.get("rb")) in _READINGS:
                    self._reading_pens.add(self._xml.value(found.get("id")))
        self._builder.entry(EntryKind.METADATA, head.start, end)

    def _content(self, paragraph: Token, tokens: Iterator[Token]) -> list[_Piece]:
        """Return the paragraph's text up to its end tag; comments in it are metadata, readings stay markup."""
        pieces: list[_Piece] = []
        hidden: list[bool] = []
        is_word, offset_ms = False, None
        for token in tokens:
            if token.kind is Kind.END and token.name == paragraph.name:
                break
            if token.kind is Kind.START and token.local == "br":
                pieces.append(_Piece(token, False, None, True))
            elif token.kind is Kind.START and not token.is_empty:
                found = self._xml.attributes(token)
                hidden.append(any(hidden) or self._xml.value(found.get("p")) in self._reading_pens)
                is_word, offset_ms = token.local == "s", self._ms(found.get("t"))
                if len(hidden) > DEEPEST:
                    raise self._view.refuse("it nests too deeply", token.start, remedy="Fetch or export the captions again.")
            elif token.kind is Kind.END and hidden and token.local != "br":
                hidden.pop()
                is_word, offset_ms = False, None
            elif token.kind is Kind.ASIDE:
                add_aside(self._builder, self._xml, token)
            elif token.kind in (Kind.TEXT, Kind.CDATA) and not any(hidden):
                pieces.append(_Piece(token, is_word, offset_ms))
                is_word, offset_ms = False, None
        return pieces

    def _paragraph(self, tag: Token, pieces: list[_Piece]) -> None:
        builder, data = self._builder, self._xml.data
        found = self._xml.attributes(tag)
        start_ms, duration_ms = (self._ms(found.get(name)) for name in self._names)
        is_append = self._xml.value(found.get("a", found.get("append"))) not in ("", "0")
        texts = [piece.token for piece in pieces if not piece.is_line_end]
        if start_ms is None or (is_append and all(self._xml.is_blank(token) for token in texts)):
            for token in texts:
                add_aside(builder, self._xml, token)
            return
        builder.begin_cue(start_ms, None if duration_ms is None else start_ms + duration_ms)
        for name, ms in zip(self._names, (start_ms, duration_ms), strict=True):
            if ms is not None:
                builder.entry(EntryKind.TIMING, *found[name])
        has_words = any(piece.offset_ms is not None for piece in pieces)
        is_first = True
        for token, is_word, offset_ms, is_line_end in pieces:
            if is_line_end:
                builder.end_line()
                continue
            if has_words and (offset_ms is not None or (is_first and is_word)):
                leading = 1 if data[token.start : token.start + 1] == b" " else 0
                builder.word_time(token.start + leading, start_ms + (offset_ms or 0))
            is_first = False
            self._text(token)
        builder.end_cue()

    def _text(self, token: Token) -> None:
        if self._format is not CaptionFormat.SRV1 or token.kind is Kind.CDATA:
            add_lines(self._builder, self._xml.data, token.start, token.end, is_literal=token.kind is Kind.CDATA)
            return
        at = token.start
        for match in _ESCAPED_TAG.finditer(self._xml.data, token.start, token.end):
            add_lines(self._builder, self._xml.data, at, match.start())
            if match[0][4:6].lower() == b"br":
                self._builder.end_line()
            self._builder.entry(EntryKind.MARKUP, *match.span())
            at = match.end()
        add_lines(self._builder, self._xml.data, at, token.end)

    def _ms(self, span: ByteSpan | None) -> int | None:
        if span is None or span.end - span.start > _LONGEST_NUMBER:
            return None
        per_unit = 1000 if self._format is CaptionFormat.SRV1 else 1
        return milliseconds(self._xml.data[span.start : span.end], per_unit)
