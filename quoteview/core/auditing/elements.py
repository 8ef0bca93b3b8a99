"""The audit's grammar of XML captions: TTML and YouTube's srv1, srv2 and srv3, by expat's own places.

expat tells where every tag and every text begins, which makes a second reading that owes nothing to the
reader's tokens. Text must lie in character data of a paragraph with a time; all character data of such a
paragraph must be text, repeat, layout or unread, but for ruby readings and (in srv1) tags escaped once.
Metadata is a comment, an instruction, or what stands in a head or an element of another kind. Times are
computed once more from the open elements, and so are voices (`ttm:agent`) and the times of words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple
from xml.parsers import expat

from quoteview.core.auditing.clocks import Clock
from quoteview.core.auditing.lines import check_times
from quoteview.core.auditing.sheet import MARKUP, METADATA, REPEAT, TEXT, TIMING, WHITE_SPACE, Sheet
from quoteview.core.auditing.voices import Told, hold
from quoteview.core.captions.track import CaptionFormat, Cue
from quoteview.core.ledger import How

_BOM = b"\xef\xbb\xbf"
_CONTENT = frozenset(("tt", "body", "div", "p", "span", "br", "set", "animate"))
_YOUTUBE = frozenset(("transcript", "timedtext", "body", "text", "p", "s", "br", "w"))
_RUBY = frozenset(("text", "textContainer", "delimiter"))
_ZERO = Fraction(0)
_READING_PENS = frozenset("24567")
_ESCAPED_TAG = re.compile(rb"&lt;/?[A-Za-z][^<>&]*(?:&(?!lt;|gt;)[^<>&]*)*(?:>|&gt;)")


class _Region(NamedTuple):
    """Character data. `owner` is the element whose times it has, None outside cues; what may stand there besides text."""

    start: int
    end: int
    owner: _Element | None
    is_literal: bool
    is_reading: bool
    is_aside: bool
    voice: str
    word_at: Fraction | None


@dataclass(slots=True, eq=False)
class _Element:
    name: str
    attributes: dict[str, str]
    start: int
    begin: Fraction = Fraction(0)
    end: Fraction | None = None
    is_timed: bool = False
    in_sequence: bool = False
    cursor: Fraction = Fraction(0)
    is_reading: bool = False
    is_aside: bool = False
    is_unread: bool = False
    voice: str = ""
    word_at: Fraction | None = None


def check(sheet: Sheet, cues: tuple[Cue, ...]) -> None:
    """Hold the ledger of an XML file to the format's grammar."""
    reading = _Reading(sheet)
    try:
        reading.parse()
    except (expat.ExpatError, ValueError) as error:
        sheet.defects.add(f"The bytes are no XML that the audit can read ({error}).")
        return
    regions = reading.regions
    starts = [region.start for region in regions]
    owners: dict[int, _Element] = {}
    told = Told(time_at=reading.word_ms)
    for index, (end, kind, cue) in enumerate(zip(sheet.ends, sheet.kinds, sheet.cues, strict=True)):
        start = sheet.start(index)
        at = bisect_right(starts, start) - 1
        region = regions[at] if at >= 0 and start < regions[at].end else None
        if kind == TEXT and region is not None and region.voice:
            told.voices[sheet.file_start(index)] = region.voice
        if kind in (TEXT, REPEAT):
            if region is None or region.owner is None or end > region.end:
                sheet.defect(index, "it is no character data of a paragraph with a time")
            elif region.is_reading:
                sheet.defect(index, "it is a reading, entered as text")
            elif owners.setdefault(cue, region.owner) is not region.owner:
                sheet.defect(index, f"it is given to cue {cue}, but stands in another paragraph")
            elif not region.is_literal and sheet.hows[index] == How.LITERAL and sheet.data.find(b"&", start, end) >= 0:
                sheet.defect(index, "it is entered as literal, but holds a reference")
        elif kind == TIMING:
            element = reading.tag_at(start)
            if element is None or region is not None:
                sheet.defect(index, "it stands in no tag")
            elif cue >= 0:
                owners.setdefault(cue, element)
        elif kind in (MARKUP, METADATA):
            _check_aside(sheet, index, regions, max(at, 0))
    for cue_at in cues:
        owner = owners.get(cue_at.index)
        if owner is None:
            sheet.defects.add(f"Cue {cue_at.index} stands in no paragraph.")
        else:
            check_times(sheet, sheet.at(owner.start), cue_at, *reading.times(owner))
    hold(sheet, cues, told)


def _check_aside(sheet: Sheet, index: int, regions: list[_Region], at: int) -> None:
    """Hold markup and metadata to cover no character data that would be text."""
    start, end = sheet.start(index), sheet.ends[index]
    kind = sheet.kinds[index]
    while at < len(regions) and regions[at].start < end:
        region = regions[at]
        first, last = max(start, region.start), min(end, region.end)
        at += 1
        if first >= last:
            continue
        if region.owner is None and not sheet.data[first:last].decode("utf-8", "ignore").strip(WHITE_SPACE):
            continue
        if kind == METADATA and region.is_aside:
            continue
        if kind == MARKUP and (
            region.is_reading or (sheet.format is CaptionFormat.SRV1 and _ESCAPED_TAG.fullmatch(sheet.data, first, last))
        ):
            continue
        sheet.defect(index, "it covers character data that is no reading and stands in no head")
        return


class _Reading:
    """One pass of expat over the sheet: regions of character data, and the tags with the times of their elements."""

    def __init__(self, sheet: Sheet) -> None:
        self.regions: list[_Region] = []
        self._sheet = sheet
        self._is_ttml = sheet.format is CaptionFormat.TTML
        self._data = sheet.readable()
        self._shift = len(self._data) - len(self._data.removeprefix(_BOM).lstrip(b" \t\r\n"))
        self._parser = expat.ParserCreate("utf-8")
        self._stack: list[_Element] = []
        self._tags: list[_Element] = []
        self._text_from = -1
        self._in_cdata = False
        self._clock = Clock({})
        self._pens: set[str] = set()
        self._ruby_styles: set[str] = set()
        self._agents: dict[str, str] = {}
        self._agent = ""
        self._name: list[str] | None = None

    def parse(self) -> None:
        """Read the whole sheet. Raises ExpatError where it is not well-formed, ValueError where it declares a document type."""
        parser = self._parser

        def refuse(*_: object) -> None:
            raise ValueError("it declares a document type")

        parser.StartDoctypeDeclHandler = refuse
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.CommentHandler = self._close_text
        parser.ProcessingInstructionHandler = self._close_text
        parser.StartCdataSectionHandler = self._open_cdata
        parser.EndCdataSectionHandler = self._close_cdata
        parser.Parse(self._data[self._shift :], True)
        self._close_text()

    def tag_at(self, position: int) -> _Element | None:
        """Return the element whose start tag is the last to begin before a place."""
        at = bisect_right(self._tags, position, key=lambda tag: tag.start) - 1
        return self._tags[at] if at >= 0 else None

    def word_ms(self, position: int) -> int | None:
        """Return when the word is spoken that begins a region's text there, behind one space at most."""
        at = bisect_right(self.regions, position, key=lambda region: region.start) - 1
        region = self.regions[at] if at >= 0 else None
        if region is None or region.word_at is None or self._data[region.start : position] not in (b"", b" "):
            return None
        return _ms(region.word_at)

    def times(self, element: _Element) -> tuple[int, int | None]:
        """Return the times of an element in milliseconds."""
        return _ms(element.begin), None if element.end is None else _ms(element.end)

    def _here(self) -> int:
        return self._parser.CurrentByteIndex + self._shift

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._close_text()
        element = _Element(name.rpartition(":")[2], attributes, self._here())
        parent = self._stack[-1] if self._stack else None
        known = _CONTENT if self._is_ttml else _YOUTUBE
        element.is_aside = (parent is not None and parent.is_aside) or element.name not in known
        element.is_reading = parent is not None and parent.is_reading
        (self._start_ttml if self._is_ttml else self._start_youtube)(element, parent)
        if element.is_aside and self._is_ttml:
            self._note_agent(element)
        self._stack.append(element)
        self._tags.append(element)

    def _note_agent(self, element: _Element) -> None:
        if element.name == "agent":
            self._agent = element.attributes.get("xml:id", "")
        elif element.name == "name":
            self._name = []

    def _start_youtube(self, element: _Element, parent: _Element | None) -> None:
        attributes = element.attributes
        if element.name == "pen" and attributes.get("rb", "") in _READING_PENS:
            self._pens.add(attributes.get("id", ""))
        element.is_reading = element.is_reading or (
            parent is not None and parent.name in ("p", "s") and attributes.get("p", "") in self._pens and element.name != "p"
        )
        is_first = self._sheet.format is CaptionFormat.SRV1
        if element.name == ("p" if self._sheet.format is CaptionFormat.SRV3 else "text") and not element.is_aside:
            begin, length = (_number(attributes.get(key, "")) for key in (("start", "dur") if is_first else ("t", "d")))
            unit = Fraction(1) if is_first else Fraction(1, 1000)
            element.is_timed = begin is not None
            # Both are rounded to milliseconds before they are added, since each is a number of its own.
            element.begin = Fraction(_ms((begin or 0) * unit), 1000)
            element.end = None if length is None else element.begin + Fraction(_ms(length * unit), 1000)
            element.word_at = element.begin
        elif parent is not None and parent.word_at is not None:
            offset = _number(attributes.get("t", ""))
            element.word_at = self._paragraph_begin() + (offset or _ZERO) / 1000

    def _paragraph_begin(self) -> Fraction:
        return next((element.begin for element in self._stack if element.is_timed), _ZERO)

    def _start_ttml(self, element: _Element, parent: _Element | None) -> None:
        local = {name.rpartition(":")[2]: value for name, value in element.attributes.items()}
        if element.name == "tt":
            self._clock = Clock(local)
        ruby = local.get("ruby", "")
        if element.name == "style" and ruby in _RUBY:
            self._ruby_styles.add(element.attributes.get("xml:id", element.attributes.get("id", "")))
        styled = not ruby and any(style in self._ruby_styles for style in local.get("style", "").split())
        element.is_reading = element.is_reading or ruby in _RUBY or styled
        parsed = {key: self._clock.seconds(local[key]) for key in ("begin", "end", "dur") if key in local}
        times = {key: seconds for key, seconds in parsed.items() if seconds is not None}
        element.is_timed = bool(times)
        element.is_unread = (parent is not None and parent.is_unread) or ("begin" in element.attributes and "begin" not in times)
        agents = local.get("agent", "").split()
        element.voice = self._agents.get(agents[0], agents[0]) if agents else parent.voice if parent is not None else ""
        element.in_sequence = local.get("timeContainer") == "seq"
        origin = _ZERO if parent is None else parent.cursor if parent.in_sequence else parent.begin
        element.begin = element.cursor = origin + times["begin"] if "begin" in times else origin
        ends = [origin + times["end"]] if "end" in times else []
        ends += [element.begin + times["dur"]] if "dur" in times else []
        if parent is not None and parent.end is not None and (ends or not parent.in_sequence):
            ends.append(parent.end)
        element.end = min(ends, default=None)
        if element.name == "span" and not element.is_unread:
            element.word_at = element.begin if times else parent.word_at if parent is not None else None

    def _end(self, _name: str) -> None:
        self._close_text()
        element = self._stack.pop()
        if element.name == "name" and self._name is not None:
            if self._agent:
                self._agents.setdefault(self._agent, "".join(self._name).strip())
            self._name = None
        if self._stack and self._is_ttml and element.name in _CONTENT:
            self._stack[-1].cursor = max(self._stack[-1].cursor, element.end or element.cursor)

    def _characters(self, text: str) -> None:
        if self._name is not None:
            self._name.append(text)
        if self._text_from < 0:
            self._text_from = self._here()

    def _close_text(self, *_: object) -> None:
        """End the character data that runs up to here."""
        if self._text_from < 0:
            return
        start, end = self._text_from, self._here()
        self._text_from = -1
        element = self._stack[-1] if self._stack else None
        owner = self._owner()
        self.regions.append(
            _Region(
                start,
                end,
                owner,
                self._in_cdata,
                element is not None and element.is_reading,
                element is not None and element.is_aside,
                element.voice if element is not None else "",
                element.word_at if element is not None else None,
            )
        )

    def _owner(self) -> _Element | None:
        """Return the element that gives the cue its times: the paragraph, or in an untimed one the outermost span with times."""
        stack = self._stack
        if not stack or stack[-1].is_aside or stack[-1].is_unread:
            return None
        if not self._is_ttml:
            name = "p" if self._sheet.format is CaptionFormat.SRV3 else "text"
            return next((element for element in stack if element.name == name and element.is_timed), None)
        at = next((place for place, element in enumerate(stack) if element.name == "p"), None)
        if at is None:
            return None
        return next((element for element in stack[at:] if element.is_timed), stack[at])

    def _open_cdata(self) -> None:
        self._close_text()
        self._in_cdata = True

    def _close_cdata(self) -> None:
        self._close_text()
        self._in_cdata = False


def _number(raw: str) -> Fraction | None:
    match = re.fullmatch(r"-?[0-9]+(?:\.[0-9]*)?", raw) if len(raw) <= 20 else None
    return Fraction(raw) if match else None


def _ms(seconds: Fraction) -> int:
    """Whole milliseconds, halves away from zero."""
    scaled = abs(seconds) * 1000 + Fraction(1, 2)
    return scaled.numerator // scaled.denominator * (-1 if seconds < 0 else 1)
