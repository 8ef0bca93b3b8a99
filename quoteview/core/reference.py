"""The reference text of a track: one searchable string, and the way back to cues, times and bytes.

- The text is the track's cues in time order (ties in the order of the file), joined by the join rule: a border
  (a line end inside a cue, or the seam between two cues) is one space, and nothing between scripts written
  without spaces.
- Its characters are decoded here from the locked bytes of each run. A track's own copy of them, which the
  window shows and exports write, is never searched: were it changed, no verdict would change with it.
- An occurrence is whole where it neither begins nor ends inside a word, number or grapheme cluster, contains
  and crosses nothing unread, and does not run from one named speaker to another.

Everything is kept in arrays and found by bisection, for a text of a hundred hours has millions of characters.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from quoteview.core.boundaries import Flaw, border_flaw
from quoteview.core.captions import decoding
from quoteview.core.captions.track import CaptionFormat, Cue, Run, Track
from quoteview.core.joins import join
from quoteview.core.ledger import NO_CUE, EntryKind, How
from quoteview.core.spans import ByteSpan, TextSpan, TimeSpan
from quoteview.core.verdicts import Evidence, Match, Occurrence

if TYPE_CHECKING:
    from quoteview.core.nearest import Passages

CONTEXT_CHARACTERS = 60
"""How much of the reference text a match carries before and after it."""

_MAY_BEGIN_SEAM = "\u0e00"  # below it no character is of a script written without spaces

RunReader = Callable[[Track, Run], str]
BorderRule = Callable[[str, int], Flaw | None]


def text_from_bytes(track: Track, run: Run) -> str:
    """Return a run's characters decoded again from the locked bytes; raises ValueError where they do not decode."""
    return decoding.decode(track.format, run.how, track.source.data[run.start : run.end].decode(track.encoding))


class Reference:
    """A track's reference text. Spans count code points of `text`; cue indices are those of the file.

    `read` gives a run's characters and `border_rule` says what a place divides; they are parameters so that the
    self-test can prove that it would notice a wrong one.
    """

    def __init__(
        self,
        track: Track,
        track_id: str,
        *,
        read: RunReader = text_from_bytes,
        border_rule: BorderRule = border_flaw,
    ) -> None:
        self.track = track
        self.track_id = track_id
        self._border_rule = border_rule
        cues = track.cues
        self.time_order: tuple[int, ...] = tuple(sorted(range(len(cues)), key=lambda index: cues[index].time.start_ms))
        self._runs: list[Run] = []
        self._starts, self._ends = array("q"), array("q")
        self._run_cues = array("l")
        self._cue_starts, self._cue_ends = array("q"), array("q")
        self._cue_indices = array("l")
        self._unread: list[TextSpan] = []
        self._voice_changes: list[tuple[int, int]] = []
        self.text: str = self._join_cues(read)
        self._cue_places = array("l", [-1]) * len(cues)
        for place, index in enumerate(self._cue_indices):
            self._cue_places[index] = place
        self._add_unread_between_cues()
        self._unread.sort()
        self._has_word_times = any(cue.word_times for cue in cues)
        self._passages: Passages | None = None

    @property
    def passages(self) -> Passages:
        """The index for finding the nearest passage; made when it is first asked for."""
        if self._passages is None:
            from quoteview.core.nearest import Passages

            self._passages = Passages(self)
        return self._passages

    def find(self, quote: str) -> tuple[Occurrence, ...]:
        """Return every place where the characters of quote stand, overlapping ones too, in order. An empty quote has none."""
        if not quote:
            return ()
        text, length = self.text, len(quote)
        starts: list[int] = []
        at = text.find(quote)
        while at >= 0:
            starts.append(at)
            at = text.find(quote, at + 1)
        return tuple(self._occurrence(start, start + length) for start in starts)

    def find_all(self, quotes: Sequence[str]) -> tuple[tuple[Occurrence, ...], ...]:
        """Return `find` of each quote, in one pass over the text."""
        distinct = list(dict.fromkeys(quote for quote in quotes if quote))
        if len(distinct) < 4:
            found = {quote: self.find(quote) for quote in distinct}
            return tuple(found.get(quote, ()) for quote in quotes)
        from ahocorasick_rs import AhoCorasick

        places: list[list[Occurrence]] = [[] for _ in distinct]
        for number, start, end in AhoCorasick(distinct).find_matches_as_indexes(self.text, overlapping=True):
            places[number].append(self._occurrence(start, end))
        found = {quote: tuple(sorted(occurrences)) for quote, occurrences in zip(distinct, places, strict=True)}
        return tuple(found.get(quote, ()) for quote in quotes)

    def flaw(self, span: TextSpan) -> Flaw | None:
        """Return why a span is not whole, None where it is."""
        start, end = span
        flaw = self._border_rule(self.text, start) or self._border_rule(self.text, end)
        if flaw is not None:
            return flaw
        if self._unread and self._crosses_unread(start, end):
            return Flaw.UNREAD
        if self._voice_changes and self._changes_voice(start, end):
            return Flaw.SPEAKERS
        return None

    def evidence(self, span: TextSpan) -> Evidence:
        """Return where a span comes from: cues, times, voices, and the ranges of the locked file in the order of the text.

        Each range lies in one run. Borders have no bytes. A span of a border alone has the cue before it and no ranges.
        """
        pieces = self._pieces(span)
        cues = self.track.cues
        first = self._run_cues[pieces[0][0]] if pieces else self.cue_at(span.start)
        last = self._run_cues[pieces[-1][0]] if pieces else first
        first_cue, last_cue = cues[first].time, cues[last].time
        ranges = tuple(ByteSpan(start, end) for _, start, end in pieces)
        voices = tuple(dict.fromkeys(voice for place, _, _ in pieces if (voice := self._runs[place].speaker)))
        word_start_ms, is_known = self._word_time(cues[first], ranges[0].start) if ranges else (None, not self._has_word_times)
        return Evidence(
            cues=(first, last),
            time=TimeSpan(first_cue.start_ms, max(first_cue.start_ms, last_cue.end_ms)),
            first_cue=first_cue,
            last_cue=last_cue,
            bytes=ranges,
            speakers=voices,
            word_start_ms=word_start_ms,
            is_word_time_known=is_known,
        )

    def match(self, span: TextSpan, claimed_ms: int | None) -> Match:
        """Return a span with its evidence, its distance from the claimed time, and the words around it."""
        evidence = self.evidence(span)
        return Match(
            track=self.track_id,
            span=span,
            evidence=evidence,
            offset_ms=None if claimed_ms is None else evidence.first_cue.distance_ms(claimed_ms),
            before=self.text[max(0, span.start - CONTEXT_CHARACTERS) : span.start],
            after=self.text[span.end : span.end + CONTEXT_CHARACTERS],
        )

    def cue_at(self, position: int) -> int:
        """Return the index of the cue that a code point lies in; a border belongs to the cue before it."""
        place = bisect_right(self._cue_starts, position) - 1
        return self._cue_indices[max(place, 0)] if self._cue_indices else self.time_order[0]

    def time_at(self, position: int) -> TimeSpan:
        """Return the interval of the cue that the first code point at or after `position` lies in, borders left aside."""
        place = bisect_right(self._ends, position)
        index = self._run_cues[place] if place < len(self._run_cues) else self.cue_at(position)
        return self.track.cues[index].time

    def cue_span(self, cue_index: int) -> TextSpan | None:
        """Return the span of a cue's text, None for a cue that gives none."""
        place = self._cue_places[cue_index]
        return None if place < 0 else TextSpan(self._cue_starts[place], self._cue_ends[place])

    def display_spans(self, span: TextSpan) -> tuple[tuple[int, TextSpan], ...]:
        """Return (cue index, span within that cue's text) for each cue that a span touches, in the order of the text."""
        shown: list[tuple[int, TextSpan]] = []
        place = max(bisect_right(self._cue_starts, span.start) - 1, 0)
        while place < len(self._cue_starts) and self._cue_starts[place] < span.end:
            start, end = self._cue_starts[place], self._cue_ends[place]
            within = TextSpan(max(span.start, start) - start, min(span.end, end) - start)
            if within.start < within.end:
                shown.append((self._cue_indices[place], within))
            place += 1
        return tuple(shown)

    def _join_cues(self, read: RunReader) -> str:
        """Return the text, and note on the way where runs, cues, unread places and changes of voice are."""
        track = self.track
        cues, data, encoding = track.cues, track.source.data, track.encoding
        is_direct = read is text_from_bytes
        parts: list[str] = []
        position, tail, voice, voice_end = 0, "", "", 0
        for index in self.time_order:
            line, begun = -1, False
            for run in cues[index].runs:
                _, how, start, end, run_line, speaker = run
                try:
                    if how is How.UNREAD:
                        text = run.text
                    elif is_direct and how is How.LITERAL:
                        text = data[start:end].decode(encoding)
                    else:
                        text = read(track, run)
                except ValueError:
                    text, how = "\ufffd", How.UNREAD
                if not text:
                    if how is How.UNREAD:
                        self._unread.append(TextSpan(position, position))
                    continue
                if tail and (not begun or run_line != line):
                    border = " " if tail < _MAY_BEGIN_SEAM or text[0] < _MAY_BEGIN_SEAM else join(tail, text)
                    parts.append(border)
                    position += len(border)
                if not begun:
                    begun = True
                    self._cue_starts.append(position)
                    self._cue_indices.append(index)
                line = run_line
                if how is How.UNREAD:
                    self._unread.append(TextSpan(position, position + len(text)))
                if speaker:
                    if voice and speaker != voice:
                        self._voice_changes.append((voice_end, position))
                    voice, voice_end = speaker, position + len(text)
                # The way back counts the characters just decoded, so that a working copy that differs moves nothing.
                self._runs.append(run if run.text == text else run._replace(text=text))
                self._run_cues.append(index)
                self._starts.append(position)
                position += len(text)
                self._ends.append(position)
                parts.append(text)
                tail = text[-1]
            if begun:
                self._cue_ends.append(position)
        return "".join(parts)

    def _add_unread_between_cues(self) -> None:
        """A malformed block between two cues may have held words: nothing crosses the place where it stands in the file."""
        ledger = self.track.ledger
        if EntryKind.UNREAD not in ledger.kinds:
            return
        places = sorted((run.start, place) for place, run in enumerate(self._runs))
        starts = [start for start, _ in places]
        begin = 0
        for end, kind, cue in zip(ledger.ends, ledger.kinds, ledger.cues, strict=True):
            if kind == EntryKind.UNREAD and cue == NO_CUE:
                after = bisect_left(starts, begin)
                if after > 0:
                    at = self._ends[places[after - 1][1]]
                    self._unread.append(TextSpan(at, at))
                if after < len(places):
                    at = self._starts[places[after][1]]
                    self._unread.append(TextSpan(at, at))
            begin = end

    def _occurrence(self, start: int, end: int) -> Occurrence:
        span = TextSpan(start, end)
        flaw = self.flaw(span)
        return Occurrence(span, flaw is None, flaw)

    def _crosses_unread(self, start: int, end: int) -> bool:
        """Whether an unread character is in the span, or an unread place without characters strictly inside it."""
        at = bisect_left(self._unread, TextSpan(start, start))
        if at and self._unread[at - 1].end > start:
            return True
        while at < len(self._unread) and self._unread[at].start < end:
            unread = self._unread[at]
            if unread.end > unread.start or unread.start > start:
                return True
            at += 1
        return False

    def _changes_voice(self, start: int, end: int) -> bool:
        """Whether the span holds words of a named speaker and then words of another."""
        at = bisect_right(self._voice_changes, start, key=lambda change: change[0])
        return at < len(self._voice_changes) and self._voice_changes[at][1] < end

    def _pieces(self, span: TextSpan) -> list[tuple[int, int, int]]:
        """Return (number of the run, first byte, last byte + 1) for each run that the span touches."""
        track = self.track
        data, encoding, format = track.source.data, track.encoding, track.format
        pieces: list[tuple[int, int, int]] = []
        place = bisect_right(self._ends, span.start)
        while place < len(self._starts) and self._starts[place] < span.end > span.start:
            run, start, end = self._runs[place], self._starts[place], self._ends[place]
            first, last = run.start, run.end
            if run.how is not How.UNREAD and (span.start > start or span.end < end):
                if span.start > start:
                    first = _cut(run, span.start - start, data, encoding, format, step=-1)
                if span.end < end:
                    last = _cut(run, span.end - start, data, encoding, format, step=1)
            if run.how is not How.UNREAD:
                pieces.append((place, first, last))
            place += 1
        return pieces

    def _word_time(self, cue: Cue, byte: int) -> tuple[int | None, bool]:
        """Return when the word at a byte is spoken, and whether that time is the word's own and not its neighbour's."""
        words = cue.word_times
        if not words:
            return None, not self._has_word_times
        at = bisect_right(words, byte, key=lambda word: word.start) - 1
        if at < 0:
            # Inline times of WebVTT stand between words: the first words are spoken from the cue's start on.
            is_own = self.track.format is CaptionFormat.WEBVTT
            return (cue.time.start_ms, True) if is_own else (words[0].start_ms, False)
        return words[at].start_ms, not self._has_word_between(cue, words[at].start, byte)

    def _has_word_between(self, cue: Cue, start: int, end: int) -> bool:
        data, encoding = self.track.source.data, self.track.encoding
        for run in cue.runs:
            if run.end > start and run.start < end and run.how is not How.UNREAD:
                between = data[max(run.start, start) : min(run.end, end)]
                try:
                    shown = between.decode(encoding)
                except ValueError:
                    return True
                head = shown.rstrip()
                # A word goes on up to the place: only what stands before its own white space is another word.
                if any(character.isalnum() for character in head) and (head != shown or any(c.isspace() for c in head.strip())):
                    return True
        return False


def _cut(run: Run, at: int, data: bytes, encoding: str, format: CaptionFormat, *, step: int) -> int:
    """Return the byte at a code point of a run, outward of it where one reference gives several characters."""
    while True:
        byte = decoding.cut(run, at, data, encoding, format)
        if byte is not None:
            return byte
        at += step
