"""Lining pysubs2's cues up with ours by the lines of the file, for WebVTT, SubRip and SubStation.

pysubs2 opens a cue at every line in which it finds exactly two times (WebVTT, SubRip), or that begins with
`Dialogue:` or `Comment:` (SubStation). So its n-th cue belongs to the n-th such line, whatever its times
and text are, and what we read on that line and below it, up to its next one, is what it must have read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quoteview.core.auditing import sheet
from quoteview.core.auditing.sheet import Sheet
from quoteview.core.captions.track import CaptionFormat, Cue
from quoteview.core.ledger import How
from quoteview.core.witnessing.undoing import Comparison, Piece

_LINE = re.compile(rb"[^\r\n]*+(?:\r\n|\n|\r|\Z)")
_STAMPS = {
    CaptionFormat.WEBVTT: re.compile(rb"(?:\d{0,4}:)?\d{2}:\d{2}\.\d{2,3}"),
    CaptionFormat.SUBRIP: re.compile(rb"\d{1,2}:\d{1,2}:\d{1,2}[.,]\d{1,3}"),
}
_EVENT = re.compile(rb"\s*(?:Dialogue|Comment):")
_HOURS_KEPT = {CaptionFormat.WEBVTT: 10_000, CaptionFormat.SUBRIP: 100}
_HOUR_MS = 3_600_000


class Event(NamedTuple):
    """One of pysubs2's cues: its text without overrides, and as pysubs2 keeps it."""

    start_ms: int
    end_ms: int
    text: str
    is_comment: bool = False
    raw: str = ""


class Difference(NamedTuple):
    """Where the two readings differ; `kind` is a simplification's name, or what could not be explained."""

    cue: int
    kind: str
    detail: str
    is_explained: bool


class Lining:
    """The lines of a file, which of them pysubs2 takes for a cue's first, and what we read on each."""

    def __init__(self, page: Sheet, cues: tuple[Cue, ...]) -> None:
        self._sheet = page
        self._cues = cues
        self._starts = [match.start() for match in _LINE.finditer(page.data) if match.end() > match.start()]
        self._opening = [line for line in range(len(self._starts)) if self._opens(line)]
        self._cue_of_line: dict[int, int] = {}
        for index, (kind, cue) in enumerate(zip(page.kinds, page.cues, strict=True)):
            if kind == sheet.TIMING and 0 <= cue < len(cues):
                self._cue_of_line.setdefault(self._line_at(page.start(index)), cue)
        # Runs by the place of their entry: what is compared is what is used, not what the ledger would say.
        self._runs = {run.start: run for cue in cues for run in cue.runs if run.how is not How.UNREAD}

    def compare(self, events: Sequence[Event]) -> Iterator[Difference]:
        """Yield every difference, in the order of the file."""
        if len(events) != len(self._opening):
            count = len(self._opening)
            yield Difference(-1, "count", f"pysubs2 reads {len(events)} cues, but {count} lines open one by its rule", False)
            return
        comparison = Comparison(self._sheet.format, by_lines=True)
        seen: set[int] = set()
        latest = -1
        for number, (event, line) in enumerate(zip(events, self._opening, strict=True)):
            cue = self._cue_of_line.get(line)
            if cue is None:
                owner = self._owner(line)
                if event.is_comment and owner < 0:
                    continue
                yield self._stray(line, event, owner if owner >= 0 else latest)
            else:
                seen.add(cue)
                latest = cue
                yield from self._times(event, self._cues[cue])
            owner = latest if cue is None else cue
            following = self._opening[number + 1] if number + 1 < len(self._opening) else len(self._starts)
            yield from self._text(comparison, event, owner, line, following)
        yield from self._missing(seen)

    def _opens(self, line: int) -> bool:
        data, start, end = self._sheet.data, self._starts[line], self._end(line)
        stamps = _STAMPS.get(self._sheet.format)
        if stamps is None:
            return _EVENT.match(data, start, end) is not None
        if data.find(b":", start, end) < 0:
            return False
        return len(stamps.findall(data, start, end)) == 2

    def _end(self, line: int) -> int:
        return self._starts[line + 1] if line + 1 < len(self._starts) else len(self._sheet.data)

    def _line_at(self, position: int) -> int:
        return bisect_right(self._starts, position) - 1

    def _entries(self, start: int, end: int) -> Iterator[int]:
        index = self._sheet.at(start)
        while index < len(self._sheet.kinds) and self._sheet.start(index) < end:
            yield index
            index += 1

    def _owner(self, line: int) -> int:
        """Return the cue whose text or markup stands on a line, -1 where none does."""
        kinds = (sheet.TEXT, sheet.REPEAT, sheet.MARKUP, sheet.UNREAD)
        indices = self._entries(self._starts[line], self._end(line))
        owned = (self._sheet.cues[index] for index in indices if self._sheet.kinds[index] in kinds)
        return next((cue for cue in owned if cue >= 0), -1)

    def _stray(self, line: int, event: Event, cue: int) -> Difference:
        """A line that opens a cue for pysubs2 alone: times in a cue's text or in a block, or a broken line, unread here."""
        start, end = self._starts[line], self._end(line)
        kinds = {self._sheet.kinds[index] for index in self._entries(start, end)}
        place = f"byte {self._sheet.file_start(self._sheet.at(start))}"
        has_arrow = b"-->" in self._sheet.data[start:end]
        if sheet.TIMING in kinds or (has_arrow and sheet.UNREAD not in kinds and self._owner(line) < 0):
            return Difference(
                cue, "extra cue", f"at {place} pysubs2 reads a cue that is not read here: “{event.text[:60]}”", False
            )
        if sheet.UNREAD in kinds:
            return Difference(cue, "unread", f"pysubs2 takes a line at {place} for a timing line, which is unread here", True)
        if self._sheet.format is CaptionFormat.SUBSTATION:
            return Difference(cue, "extra cue", f"at {place} pysubs2 reads an event that is not read here", False)
        return Difference(cue, "inline times", f"pysubs2 takes a line with two times at {place} for a timing line", True)

    def _times(self, event: Event, cue: Cue) -> Iterator[Difference]:
        ours, theirs = tuple(cue.time), (event.start_ms, event.end_ms)
        if ours == theirs:
            return
        kept = _HOURS_KEPT.get(self._sheet.format)
        undone = []
        if kept is not None and max(ours) >= kept * _HOUR_MS:
            undone.append(("hours", f"pysubs2 cuts hours to {len(str(kept)) - 1} digits"))
            ours = (ours[0] % (kept * _HOUR_MS), ours[1] % (kept * _HOUR_MS))
        if self._sheet.format is CaptionFormat.SUBRIP and min(ours) < 0:
            undone.append(("sign", "pysubs2 does not see a minus sign"))
            ours = (abs(ours[0]), abs(ours[1]))
        if theirs[1] < theirs[0] and ours[0] == ours[1]:
            undone.append(("end before start", "pysubs2 keeps an end that lies before the start"))
            theirs = (theirs[0], theirs[0])
        if ours == theirs:
            for kind, detail in undone:
                yield Difference(cue.index, kind, detail, True)
        else:
            detail = f"here {cue.time.start_ms} to {cue.time.end_ms} ms, pysubs2 reads {event.start_ms} to {event.end_ms} ms"
            yield Difference(cue.index, "times", detail, False)

    def _text(self, comparison: Comparison, event: Event, cue: int, line: int, following: int) -> Iterator[Difference]:
        begins_blank = False
        if self._sheet.format is CaptionFormat.SUBSTATION:
            pieces = list(self._event_pieces(line))
        else:
            pieces = list(self._pieces(line + 1, following))
            if line + 1 < following:
                begins_blank = not self._sheet.data[self._starts[line + 1] : self._end(line + 1)].strip()
        explained = comparison.explain(pieces, event.text, begins_blank=begins_blank)
        if explained is None:
            detail = f"here “{comparison.ours(pieces)[:120]}”, pysubs2 reads “{comparison.theirs(event.text)[:120]}”"
            yield Difference(cue, "text", detail, False)
        else:
            for one in sorted(explained, key=lambda simplification: simplification.value):
                yield Difference(cue, one.value, f"pysubs2 {one.words}", True)

    def _pieces(self, first: int, following: int) -> Iterator[Piece]:
        """Yield what stands on some lines: our runs as text, and what pysubs2 may take for text besides."""
        data = self._sheet.data
        if first >= following:
            return
        start, end = self._starts[first], self._end(following - 1)
        for index in self._entries(start, end):
            entry_start = self._sheet.start(index)
            line = self._line_at(max(start, entry_start))
            run = self._runs.get(self._sheet.file_start(index)) if entry_start >= start else None
            if run is not None:
                yield Piece("text", run.text, line)
                continue
            raw = data[max(start, entry_start) : min(end, self._sheet.ends[index])]
            kind = self._kind(index, raw, line)
            if kind:
                text = raw.decode("utf-8", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n")
                for number, part in enumerate(text.split("\n")):
                    yield Piece(kind, part, line + number)

    def _kind(self, index: int, raw: bytes, line: int) -> str:
        """Return what pysubs2 may take bytes for that are no text here, "" where it leaves them out too."""
        match self._sheet.kinds[index]:
            case sheet.REPEAT:
                return "repeat"
            case sheet.UNREAD:
                return "unread" if self._sheet.cues[index] >= 0 else "block"
            case sheet.METADATA | sheet.TIMING:
                return "block"
            case sheet.MARKUP:
                if line in self._cue_of_line:
                    return "block"
                return "" if raw[:1] in (b"<", b"{") else "reading"
        return ""

    def _event_pieces(self, line: int) -> Iterator[Piece]:
        """Yield what stands in the last column of a SubStation event: it begins behind the markup that follows both times."""
        data, number, timings, is_in_text = self._sheet.data, 0, 0, False
        for index in self._entries(self._starts[line], self._end(line)):
            kind, start = self._sheet.kinds[index], self._sheet.start(index)
            raw = data[start : self._sheet.ends[index]]
            run = self._runs.get(self._sheet.file_start(index))
            if run is not None:
                yield Piece("text", run.text, number, run.how is How.ESCAPE)
            elif kind == sheet.TIMING:
                timings += 1
            elif kind == sheet.MARKUP and not is_in_text:
                is_in_text = timings == 2
            elif raw in (b"\\N", b"\\n"):
                number += 1
            elif kind == sheet.REPEAT or (kind == sheet.MARKUP and not raw.startswith(b"{")):
                yield Piece("repeat" if kind == sheet.REPEAT else "drawing", raw.decode("utf-8"), number)
            elif kind == sheet.UNREAD:
                yield Piece("unread", raw.decode("utf-8", "surrogateescape"), number)

    def _missing(self, seen: set[int]) -> Iterator[Difference]:
        """Our cues whose timing line pysubs2 does not take for one; by its own rule, or for no reason that is known."""
        opening = set(self._opening)
        found = dict.fromkeys(range(len(self._cues)), -1)
        found.update({cue: line for line, cue in self._cue_of_line.items()})
        for cue, line in found.items():
            if cue in seen:
                continue
            if line >= 0 and line not in opening:
                yield Difference(cue, "timing line", "pysubs2 does not know its timing line for one", True)
            else:
                yield Difference(cue, "missing cue", "pysubs2 does not read this cue", False)
