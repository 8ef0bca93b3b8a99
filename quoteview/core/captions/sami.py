"""SAMI: HTML-like text in which `<SYNC Start=…>` gives a time and `<P Class=…>` a language.

A paragraph is shown until the next SYNC that holds one of its class; a paragraph that holds only white
space (`&nbsp;` mostly) makes no cue, it ends the one before. A cue that nothing follows has no end.
Where a file has several classes, the one with the most paragraphs of text is read, the first of equals;
the others are metadata, and that is remarked. Tags are markup; `<br>` and line ends of the file end
lines. References are HTML's. Head, style and comments are metadata. A SYNC without a number, text before the
first SYNC and after the last one's paragraphs end, and a tag that is never closed are unread.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from quoteview.core.captions.building import TrackBuilder
from quoteview.core.captions.decoding import decode, reference_how
from quoteview.core.captions.scan import View
from quoteview.core.captions.track import CaptionFormat, Track
from quoteview.core.joins import LAYOUT_CHARACTERS
from quoteview.core.ledger import EntryKind, How

_ROOT = re.compile(rb"(?:\s++|<\?[^>]*+>|<!(?!--)[^>]*+>|<!--.*?-->)*+<sami(?=[\s>/])", re.IGNORECASE | re.DOTALL)
# A tag begins with a letter, as in HTML: `2 < 3` is text. A quoted value may hold `>`, but neither `<` nor a line end.
_TOKEN = re.compile(
    rb"""(<!--.*?-->|<[!?](?!--)[^<>]*+>)|<(/?)([A-Za-z][A-Za-z0-9:_-]*+)((?:"[^"<\r\n]*+"|'[^'<\r\n]*+'|[^<>"'])*+|[^<>]*+)>"""
    rb"""|(\r\n|\n|\r)|(<!--.*+|<(?=[A-Za-z/!?])[^<>\r\n]*+)|([^<\r\n]++|<)""",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(rb"""([A-Za-z_][A-Za-z0-9:_-]*+)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""")
_NUMBER = re.compile(rb"[ \t]*+(-?[0-9]{1,12})(?:[ \t]*+ms)?[ \t]*+\Z", re.IGNORECASE)
_LANGUAGE = re.compile(rb"\.([A-Za-z0-9_-]++)\s*+\{[^}]*?\blang\s*+:\s*+([A-Za-z0-9-]++)", re.IGNORECASE)
_METADATA_ELEMENTS = frozenset((b"head", b"style", b"title", b"script", b"samiparam"))


class _Token(NamedTuple):
    """One piece of a paragraph at view bytes `start` to `end`; `kind` is `text`, `line`, `br`, `tag`, `comment` or `broken`."""

    kind: str
    start: int
    end: int


@dataclass(slots=True)
class _Paragraph:
    """What one SYNC holds of one class. `number` is where the SYNC's time stands; its paragraphs share it."""

    name: bytes
    start_ms: int
    number: tuple[int, int]
    tokens: list[_Token] = field(default_factory=list)
    end_ms: int | None = None


def recognises(view: View) -> bool:
    """Return whether the root element is SAMI."""
    return _ROOT.match(view.data, view.start) is not None


def read(view: View) -> Track:
    """Return the track of the class that has most to say. Raises `CaptionError` where there are no cues or only empty ones."""
    return _Reader(view).track()


class _Reader:
    """First collects paragraphs, since the end of each is the time of a later one; then builds."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._data = view.readable()
        self._builder = TrackBuilder(view, CaptionFormat.SAMI)
        self._paragraphs: list[_Paragraph] = []
        self._languages: dict[bytes, bytes] = {}
        self._timed: set[tuple[int, int]] = set()

    def track(self) -> Track:
        """Read the whole file."""
        self._collect()
        builder = self._builder
        spoken = [paragraph for paragraph in self._paragraphs if not self._is_blank(paragraph)]
        counts = Counter(paragraph.name for paragraph in spoken)
        chosen = max(counts, key=lambda name: counts[name], default=b"")
        if len(counts) > 1:
            others = ", ".join(f"“{name.decode('utf-8')}” ({count})" for name, count in counts.items() if name != chosen)
            builder.remark(f"of several languages the class “{chosen.decode('utf-8')}” is read; left out: {others}")
        self._set_ends(chosen)
        for paragraph in spoken:
            if paragraph.name == chosen:
                self._build(paragraph)
        for paragraph in self._paragraphs:
            if paragraph.name != chosen or self._is_blank(paragraph):
                self._set_aside(paragraph)
        return builder.finish(gap=EntryKind.MARKUP, language=self._languages.get(chosen.lower(), b"").decode("ascii"))

    def _collect(self) -> None:
        data, builder = self._data, self._builder
        open_paragraph: _Paragraph | None = None
        start_ms, number = None, (0, 0)
        within, within_start = b"", 0
        for match in _TOKEN.finditer(data, self._view.start):
            name = (match[3] or b"").lower()
            if within and not (name in (b"body", b"sync") and not match[2]):
                builder.entry(EntryKind.METADATA, *match.span())
                if match[2] and name == within:
                    self._note_languages(data[within_start : match.end()])
                    within = b""
                continue
            within = b""
            if name == b"sync" and not match[2]:
                open_paragraph = None
                start_ms, number = self._time(match)
                if start_ms is None:
                    builder.entry(EntryKind.UNREAD, *match.span(), How.UNREAD)
                else:
                    open_paragraph = self._open(b"", start_ms, number)
            elif name == b"p" and not match[2] and start_ms is not None:
                open_paragraph = self._named(open_paragraph, match, start_ms, number)
            elif name in (b"sync", b"body", b"sami"):
                open_paragraph, start_ms = (None, None) if match[2] else (open_paragraph, start_ms)
            elif name in _METADATA_ELEMENTS and not match[2]:
                builder.entry(EntryKind.METADATA, *match.span())
                within, within_start = name, match.start()
            elif match[1]:
                builder.entry(EntryKind.METADATA, *match.span())
            elif match[6] and match.end() == len(data) and not match[6].startswith(b"<!--"):
                raise self._view.refuse(
                    "it ends in the middle of a cue, the last tag is cut off",
                    match.start(),
                    remedy="Fetch or export the track again.",
                    format=CaptionFormat.SAMI,
                )
            elif open_paragraph is not None:
                open_paragraph.tokens.append(_token(match, name))
            else:
                self._aside(match)

    def _note_languages(self, style: bytes) -> None:
        for name, language in _LANGUAGE.findall(style):
            self._languages.setdefault(name.lower(), language)

    def _open(self, name: bytes, start_ms: int, number: tuple[int, int]) -> _Paragraph:
        paragraph = _Paragraph(name, start_ms, number)
        self._paragraphs.append(paragraph)
        return paragraph

    def _named(self, before: _Paragraph | None, tag: re.Match[bytes], start_ms: int, number: tuple[int, int]) -> _Paragraph:
        """Return the paragraph that a P tag opens; one of the same class goes on in the one before."""
        found = _attribute(tag, b"class")
        name = self._data[slice(*found)].strip() if found else b""
        if before is not None and not before.name and self._is_blank(before):
            before.name = name
            return before
        if before is not None and before.name == name:
            before.tokens.append(_Token("br", *tag.span()))
            return before
        return self._open(name, start_ms, number)

    def _time(self, sync: re.Match[bytes]) -> tuple[int | None, tuple[int, int]]:
        found = _attribute(sync, b"start")
        if found is None:
            return None, (0, 0)
        number = _NUMBER.match(self._data[slice(*found)])
        if number is None:
            return None, (0, 0)
        return int(number[1]), (found[0] + number.start(1), found[0] + number.end(1))

    def _aside(self, match: re.Match[bytes]) -> None:
        """Record what stands in no paragraph: tags are markup by the gap, white space is layout, text is unread."""
        if match[5] or (match[7] and not match[7].strip()):
            self._builder.entry(EntryKind.LAYOUT, *match.span())
        elif match[6] or match[7]:
            self._builder.entry(EntryKind.UNREAD, *match.span(), How.UNREAD)

    def _is_blank(self, paragraph: _Paragraph) -> bool:
        return all(not self._decoded(t).strip(LAYOUT_CHARACTERS) for t in paragraph.tokens if t.kind == "text") and not any(
            t.kind == "broken" for t in paragraph.tokens
        )

    def _decoded(self, token: _Token) -> str:
        raw = self._data[token.start : token.end]
        return decode(CaptionFormat.SAMI, reference_how(CaptionFormat.SAMI, raw), raw.decode("utf-8"))

    def _set_ends(self, chosen: bytes) -> None:
        before: list[_Paragraph] = []  # of one SYNC
        for paragraph in self._paragraphs:
            if paragraph.name == chosen or (not paragraph.name and self._is_blank(paragraph)):
                if before and before[0].number != paragraph.number:
                    for ended in before:
                        ended.end_ms = paragraph.start_ms
                    before = []
                before.append(paragraph)

    def _build(self, paragraph: _Paragraph) -> None:
        builder = self._builder
        builder.begin_cue(paragraph.start_ms, paragraph.end_ms)
        if paragraph.number not in self._timed:
            builder.entry(EntryKind.TIMING, *paragraph.number)
            self._timed.add(paragraph.number)
        for kind, start, end in paragraph.tokens:
            match kind:
                case "text":
                    builder.text(start, end, reference_how(CaptionFormat.SAMI, self._data[start:end]))
                case "line":
                    builder.end_line(start, end)
                case "br":
                    builder.end_line()
                    builder.entry(EntryKind.MARKUP, start, end)
                case "broken":
                    builder.unread(start, end)
                case _:
                    builder.entry(EntryKind.MARKUP, start, end)
        builder.end_cue()

    def _set_aside(self, paragraph: _Paragraph) -> None:
        """Record a paragraph that makes no cue: it is blank, or of a class that is not read."""
        if paragraph.number not in self._timed:
            self._builder.entry(EntryKind.TIMING, *paragraph.number)
            self._timed.add(paragraph.number)
        for token in paragraph.tokens:
            kind, start, end = token
            if kind == "line" or (kind == "text" and not self._decoded(token).strip(LAYOUT_CHARACTERS)):
                self._builder.entry(EntryKind.LAYOUT, start, end, reference_how(CaptionFormat.SAMI, self._data[start:end]))
            elif kind == "text":
                self._builder.entry(EntryKind.METADATA, start, end)
            elif kind == "broken":
                self._builder.entry(EntryKind.UNREAD, start, end, How.UNREAD)


def _token(match: re.Match[bytes], name: bytes) -> _Token:
    if match[5]:
        kind = "line"
    elif match[6]:
        kind = "broken"
    elif match[7]:
        kind = "text"
    else:
        kind = "br" if name == b"br" else "tag"
    return _Token(kind, *match.span())


def _attribute(tag: re.Match[bytes], name: bytes) -> tuple[int, int] | None:
    """Return where the value of a tag's attribute stands, None where it has none of that name."""
    for attribute in _ATTRIBUTE.finditer(tag[4]):
        if attribute[1].lower() == name:
            group = next(number for number in (2, 3, 4) if attribute[number] is not None)
            return tag.start(4) + attribute.start(group), tag.start(4) + attribute.end(group)
    return None
