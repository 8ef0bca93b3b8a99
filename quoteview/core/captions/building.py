"""The builder that every reader feeds: it trims lines, folds roll-up, maps offsets and closes the ledger.

A reader walks the view and says what each stretch of bytes is; it never counts file offsets or trims
white space itself. Calls between `begin_cue` and `end_cue` belong to that cue. Bytes that a reader
does not mention become entries of the kind it names as `gap`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from quoteview.core.captions.decoding import decode, pieces, reference_how
from quoteview.core.captions.rollup import fold
from quoteview.core.captions.scan import MS_OF_HOUR, MS_OF_MINUTE, MS_OF_SECOND, MS_OF_THOUSANDTH, View
from quoteview.core.captions.track import CaptionFormat, Cue, OrderDefect, OrderFault, Run, Track, WordTime
from quoteview.core.joins import LAYOUT_CHARACTERS
from quoteview.core.ledger import NO_CUE, ROW, EntryKind, How, code_of, ledger_of_rows
from quoteview.core.spans import ByteSpan, TimeSpan

# Twice as fast as the class's own call, which matters for a hundred thousand cues.
_run: Callable[[tuple[str, How, int, int, int, str | None]], Run] = partial(tuple.__new__, Run)
_word: Callable[[tuple[int, int]], WordTime] = partial(tuple.__new__, WordTime)
_time: Callable[[tuple[int, int]], TimeSpan] = partial(tuple.__new__, TimeSpan)
_BLOCK = re.compile(rb"[^\r\n]++(?:(?>\r\n|\n|\r)[^\r\n]++)*+")
# Members by name once: an enum's look-up through the class is felt in a loop over a long file.
_LITERAL, _TEXT = How.LITERAL, EntryKind.TEXT
_CODE_OF = tuple(code_of(EntryKind.UNREAD if how is How.UNREAD else _TEXT, how) for how in How)
_TEXT_CODE = _CODE_OF[_LITERAL]
_TIMING_CODE, _METADATA_CODE = code_of(EntryKind.TIMING, _LITERAL), code_of(EntryKind.METADATA, _LITERAL)
_MARK_CODE = tuple(code_of(kind, How.UNREAD if kind is EntryKind.UNREAD else _LITERAL) for kind in EntryKind)
_SETTING = rb"(?:vertical|line|position|size|align|region|[XxYy][12]):[^ \t\f\v\r\n]*+"
_SETTINGS = re.compile(_SETTING + rb"(?:[ \t\f]++" + _SETTING + rb")*+")
_WORD = re.compile(rb"[^ \t\f]++")

PLAIN_LINES = rb"((?:(?:[^\r\n\-<&{]++|-(?!-?>))++(?>\r\n|\n|\r))*+)[\r\n]++"
"""Lines without a sign that may begin markup, a reference or an arrow, and the empty lines behind them; none is walked twice."""

Mark = tuple[int, int, EntryKind]
"""Bytes of a cue that are not its text: start, end, kind."""
_HELD_ONCE = frozenset(format for format in CaptionFormat if format.endswith("-json")) | {CaptionFormat.JSON3}
"""Formats that hold each word once, so that a line that comes again was said again (or heard twice): nothing is folded."""

_Piece = tuple[str, How, int, int, str | None]


class TrackBuilder:
    """Collects cues and ledger entries in view offsets, and returns the finished `Track`."""

    def __init__(self, view: View, format: CaptionFormat) -> None:
        self._view = view
        self._format = format
        self._rows: list[int] = []
        self._cues: list[Cue] = []
        self._order: list[OrderDefect] = []
        self._repeats: dict[int, tuple[ByteSpan, ...]] = {}
        self._remarks: list[str] = []
        self._latest_start = 0
        self._open = NO_CUE
        self._time = TimeSpan(0, 0)
        self._identifier = ""
        self._line: list[_Piece] = []
        self._line_number = 0
        self._runs: list[Run] = []
        self._words: list[WordTime] = []
        self._speaker: str | None = None

    def entry(self, kind: EntryKind, start: int, end: int, how: How = How.LITERAL) -> None:
        """Record bytes that are not cue text; they belong to the open cue, if one is open."""
        if start < end:
            self._rows += (start, end, _MARK_CODE[kind] | how, self._open)

    def begin_cue(self, start_ms: int, end_ms: int | None, identifier: str = "") -> int:
        """Open a cue and return its index. An end that is None or before the start counts as the start, and is reported."""
        self._open = len(self._cues)
        self._time = self._judged(start_ms, end_ms)
        self._identifier = identifier
        self._runs, self._words, self._line = [], [], []
        self._line_number, self._speaker = 0, None
        return self._open

    def plain_cues(self, plain: re.Pattern[bytes], position: int) -> int:
        """Add cues from a view offset on while they are plain; return where the first begins that is not.

        `plain` matches a cue and the empty lines behind it. Its groups: identifier, both times as one, hours, minutes,
        seconds and thousandths of each, the rest of their line, the lines of text with their ends (`PLAIN_LINES`). A plain
        cue is not the last, keeps the order, and holds nothing but text. The careful way makes the same of it, in twice the time.
        """
        data, size, rows, cues = self._view.data, len(self._view.data), self._rows, self._cues
        if self._view.invalid:
            return position
        match, add = plain.match, cues.append
        while cue := match(data, position):
            name, _, hours, minutes, seconds, thousandths, hours2, minutes2, seconds2, thousandths2, rest, payload = cue.groups()
            start_ms = MS_OF_HOUR[hours] + MS_OF_MINUTE[minutes] + MS_OF_SECOND[seconds] + MS_OF_THOUSANDTH[thousandths]
            end_ms = MS_OF_HOUR[hours2] + MS_OF_MINUTE[minutes2] + MS_OF_SECOND[seconds2] + MS_OF_THOUSANDTH[thousandths2]
            end = cue.end()
            if end == size or not self._latest_start <= start_ms <= end_ms:
                break
            index, before = len(cues), len(rows)
            # The rows of a file that has nothing else are in its order then, and need no sorting.
            identifier = ""
            if name:
                identifier = name.decode()
                rows += (*cue.span(1), _METADATA_CODE, index)
            timing_start, timing_end = cue.span(2)
            rows += (timing_start, timing_end, _TIMING_CODE, index)
            if rest:
                for mark_start, mark_end, kind in setting_marks(rest, timing_end):
                    rows += (mark_start, mark_end, _MARK_CODE[kind], index)
            runs = _plain_runs(rows, index, cue.start(12), payload)
            if runs is None:
                del rows[before:]
                break
            self._latest_start = start_ms
            add(Cue(index, identifier, _time((start_ms, end_ms)), runs))
            position = end
        return position

    def spoken_cue(
        self,
        start_ms: int,
        end_ms: int,
        timing: Sequence[ByteSpan],
        segments: Sequence[tuple[int, int, int | None]],
        *,
        timed: bool,
    ) -> bool:
        """Add a cue of one line whose segments (start, end, offset of their word) are text as it stands; False where one is not.

        `timed` says that the first segment has a word time, and each that has an offset. The careful way makes the same of
        it, in twice the time.
        """
        data, rows, index = self._view.data, self._rows, len(self._cues)
        if self._view.invalid or not self._latest_start <= start_ms <= end_ms:
            return False
        texts = [data[start:end].decode() for start, end, _ in segments]
        is_plain = texts and "" not in texts and texts[0][0] not in LAYOUT_CHARACTERS and texts[-1][-1] not in LAYOUT_CHARACTERS
        if not is_plain:
            return False
        for start, end in timing:
            rows += (start, end, _TIMING_CODE, index)
        rows += [number for start, end, _ in segments for number in (start, end, _TEXT_CODE, index)]
        runs = tuple(_run((text, _LITERAL, seg[0], seg[1], 0, None)) for text, seg in zip(texts, segments, strict=True))
        words: tuple[WordTime, ...] = ()
        if timed:
            words = tuple(
                _word((start + (text[0] == " "), start_ms + (offset_ms or 0)))
                for text, (start, _, offset_ms) in zip(texts, segments, strict=True)
                if offset_ms is not None or start == segments[0][0]
            )
        self._latest_start = start_ms
        self._cues.append(Cue(index, "", _time((start_ms, end_ms)), runs, words))
        return True

    def _judged(self, start_ms: int, end_ms: int | None) -> TimeSpan:
        """Return the time of the open cue, and note how it breaks the order."""
        if start_ms < self._latest_start and self._cues:
            self._order.append(OrderDefect(self._open, OrderFault.GOES_BACK))
        if start_ms < 0:
            self._order.append(OrderDefect(self._open, OrderFault.NEGATIVE))
        self._latest_start = start_ms if not self._cues else max(start_ms, self._latest_start)
        if end_ms is None or end_ms < start_ms:
            self._order.append(OrderDefect(self._open, OrderFault.NO_END if end_ms is None else OrderFault.ENDS_EARLY))
            end_ms = start_ms
        return TimeSpan(start_ms, end_ms)

    def text(self, start: int, end: int, how: How = How.LITERAL) -> None:
        """Add bytes that are text of the current line; invalid bytes and lone surrogates in them become unread."""
        data = self._view.data
        if not self._view.invalid:
            self._valid_text(data[start:end].decode("utf-8"), start, end, how)
            return
        for is_valid, a, b in self._view.pieces(start, end):
            if is_valid:
                self._valid_text(data[a:b].decode("utf-8"), a, b, how)
            else:
                self.unread(a, b, "\ufffd" * self._file_bytes(a, b))

    def lines(self, start: int, raw: bytes) -> None:
        """Add whole lines of text that begin at `start`, each with its line end; references are found and decoded."""
        for line in raw.splitlines(True):
            body = line.rstrip(b"\r\n")
            self.text(start, start + len(body), reference_how(self._format, body))
            self.end_line(start + len(body), start + len(line))
            start += len(line)

    def unread_blocks(self, start: int, end: int) -> None:
        """Record what stands between two offsets as unread, block by block; the empty lines around blocks are layout."""
        for block in _BLOCK.finditer(self._view.data, start, end):
            if self._view.shown(*block.span()).strip(LAYOUT_CHARACTERS):
                self.entry(EntryKind.UNREAD, *block.span(), How.UNREAD)

    def unread(self, start: int, end: int, shown: str = "") -> None:
        """Record bytes inside the current line that nobody can read; `shown` stands for them in the text."""
        self._line.append((shown, How.UNREAD, start, end, self._speaker))

    def word_time(self, start: int, start_ms: int) -> None:
        """From view offset `start` on, the words are spoken at `start_ms`."""
        self._words.append(WordTime(start, start_ms))

    def speak(self, speaker: str | None) -> None:
        """Name the voice of the text that follows in this cue; None ends a named voice."""
        self._speaker = speaker or None

    def end_line(self, start: int = 0, end: int = 0) -> None:
        """End a line of the cue; the bytes of the line end, if any, are layout."""
        self._flush_line()
        self._line_number += 1
        self.entry(EntryKind.LAYOUT, start, end)

    def end_cue(self) -> None:
        """Close the open cue. Later entries belong to no cue."""
        self._flush_line()
        for _, how, start, end, _, _ in self._runs:
            self._rows += (start, end, _CODE_OF[how], self._open)
        self._cues.append(Cue(self._open, self._identifier, self._time, tuple(self._runs), tuple(self._words)))
        self._open = NO_CUE

    def repeat(self, start: int, end: int, of: tuple[ByteSpan, ...], how: How = How.LITERAL) -> None:
        """Record bytes that hold text again which stands at the view spans `of`."""
        self.entry(EntryKind.REPEAT, start, end, how)
        self._repeats[start] = of

    def remark(self, sentence: str) -> None:
        """Record something noticed for the evidence."""
        self._remarks.append(sentence)

    @property
    def cue_count(self) -> int:
        """How many cues have been closed so far."""
        return len(self._cues)

    @property
    def last_identifier(self) -> str:
        """The identifier of the last closed cue, "" if it or the cue is missing."""
        return self._cues[-1].identifier if self._cues else ""

    def finish(self, *, gap: EntryKind, language: str = "") -> Track:
        """Return the track. Raises `CaptionError` where there are no cues, or only empty ones."""
        view = self._view
        if not self._cues:
            bad = self._first(EntryKind.UNREAD)
            raise view.refuse("it holds no cues", bad, remedy="Choose the caption file itself.", format=self._format)
        if not any(run.text for cue in self._cues for run in cue.runs if run.how is not How.UNREAD):
            bad = self._first(EntryKind.TIMING)
            raise view.refuse("all its cues are empty", bad, remedy="Fetch or export the track again.", format=self._format)
        folded, repeats, is_roll_up = (self._cues, [], False) if self._format in _HELD_ONCE else fold(self._cues)
        if repeats:
            repeated = {repeat.run.start: repeat for repeat in repeats}
            rows = self._rows
            for row in range(0, len(rows), ROW):
                if rows[row] in repeated and rows[row + 2] >> 2 == _TEXT:
                    rows[row + 2] = code_of(EntryKind.REPEAT, rows[row + 2] & 3)
            self._repeats.update((start, repeat.of) for start, repeat in repeated.items())
        return self._mapped(folded, is_roll_up, gap, language)

    def _first(self, kind: EntryKind) -> int:
        """Return where the first entry of a kind begins, else the first byte."""
        rows = self._rows
        return min((rows[row] for row in range(0, len(rows), ROW) if rows[row + 2] >> 2 == kind), default=self._view.start)

    def _mapped(self, cues: list[Cue], is_roll_up: bool, gap: EntryKind, language: str) -> Track:
        """Lead every offset back to the file and close the ledger."""
        view, rows, repeats = self._view, self._rows, self._repeats
        if view.start:
            rows[0:0] = (0, view.start, code_of(EntryKind.METADATA, _LITERAL), NO_CUE)
        if view.invalid:
            rows = _with_invalid_unread(rows, view)
        if view.back is not None:
            at = view.offset
            rows[0::ROW], rows[1::ROW] = map(at, rows[0::ROW]), map(at, rows[1::ROW])
            repeats = {at(start): tuple(view.span(*span) for span in of) for start, of in repeats.items()}
            cues = [
                Cue(
                    cue.index,
                    cue.identifier,
                    cue.time,
                    tuple(run._replace(start=at(run.start), end=at(run.end)) for run in cue.runs),
                    tuple(WordTime(at(word.start), word.start_ms) for word in cue.word_times),
                )
                for cue in cues
            ]
        ledger = ledger_of_rows(rows, view.source.lock.size, gap=gap, repeats=repeats)
        return Track(
            view.source,
            self._format,
            view.encoding,
            language,
            tuple(cues),
            ledger,
            tuple(sorted(self._order)),
            is_roll_up,
            tuple(self._remarks),
        )

    def _file_bytes(self, start: int, end: int) -> int:
        return self._view.offset(end) - self._view.offset(start)

    def _valid_text(self, raw: str, start: int, end: int, how: How) -> None:
        text = raw if how is How.LITERAL else decode(self._format, how, raw)
        if how is not How.LITERAL and not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
            self._split_surrogates(raw, start, how)
        elif start < end:
            self._line.append((text, how, start, end, self._speaker))

    def _split_surrogates(self, raw: str, start: int, how: How) -> None:
        """A lone surrogate in an escape is unread; what stands around it is text."""
        held: list[tuple[str, int, int]] = []
        at = 0
        for text, length in pieces(self._format, how, raw):
            end = start + len(raw[at : at + length].encode("utf-8"))
            at += length
            if "\ud800" <= text[:1] <= "\udfff":
                self._line.extend((t, how, a, b, self._speaker) for t, a, b in _merged(held))
                held = []
                self.unread(start, end, "\ufffd")
            else:
                held.append((text, start, end))
            start = end
        self._line.extend((t, how, a, b, self._speaker) for t, a, b in _merged(held))

    def _flush_line(self) -> None:
        """Trim layout from both ends of the line and keep the rest as runs."""
        line = self._line
        if not line:
            return
        self._line = []
        line = self._trimmed(line)
        self._runs.extend(Run(text, how, start, end, self._line_number, speaker) for text, how, start, end, speaker in line)

    def _trimmed(self, line: list[_Piece]) -> list[_Piece]:
        first, last = 0, len(line)
        while first < last:
            text, how, start, end, speaker = line[first]
            kept = text if how is How.UNREAD else text.lstrip(LAYOUT_CHARACTERS)
            if kept or how is How.UNREAD:
                if len(kept) < len(text):
                    at = self._cut(line[first], len(text) - len(kept))
                    self._layout(start, at, how)
                    line[first] = (kept, how, at, end, speaker)
                break
            self._layout(start, end, how)
            first += 1
        while last > first:
            text, how, start, end, speaker = line[last - 1]
            kept = text if how is How.UNREAD else text.rstrip(LAYOUT_CHARACTERS)
            if kept or how is How.UNREAD:
                if len(kept) < len(text):
                    at = self._cut(line[last - 1], len(kept))
                    self._layout(at, end, how)
                    line[last - 1] = (kept, how, start, at, speaker)
                break
            self._layout(start, end, how)
            last -= 1
        return line[first:last]

    def _layout(self, start: int, end: int, how: How) -> None:
        self.entry(EntryKind.LAYOUT, start, end, how)

    def _cut(self, piece: _Piece, at: int) -> int:
        text, how, start, end, _ = piece
        if how is How.LITERAL:
            return start + len(text[:at].encode("utf-8"))
        raw = self._view.data[start:end].decode("utf-8")
        text_at = raw_at = 0
        for part, length in pieces(self._format, how, raw):
            if text_at + len(part) > at:
                inside = at - text_at if len(part) == length else 0
                return start + len(raw[: raw_at + inside].encode("utf-8"))
            text_at += len(part)
            raw_at += length
        return end


def _plain_runs(rows: list[int], index: int, at: int, payload: bytes) -> tuple[Run, ...] | None:
    """Return the runs of lines that begin at view offset `at` and add their rows; None where they hold more than text."""
    step = 1
    if b"\r" in payload:
        if not payload.count(b"\r\n") == payload.count(b"\r") == payload.count(b"\n"):
            return None
        step, payload = 2, payload.replace(b"\r\n", b"\n")
    text = payload.decode()
    bodies = text.split("\n")
    is_ascii = text.isascii()
    sizes = map(len, bodies if is_ascii else payload.split(b"\n"))
    runs = []
    for number, (body, size) in enumerate(zip(bodies, sizes, strict=True)):
        if body:
            # str.strip alone knows a little more than white space, which does no harm here.
            if body != (body.strip() if is_ascii else body.strip(LAYOUT_CHARACTERS)):
                return None
            end = at + size
            runs.append((body, _LITERAL, at, end, number, None))
            rows += (at, end, _TEXT_CODE, index)
        at += size + step
    return tuple(map(_run, runs))


def setting_marks(raw: bytes, start: int) -> tuple[Mark, ...]:
    """Return what stands behind the times of a timing line: settings and coordinates are markup, anything else is unread."""
    inner = raw.strip(b" \t\f")
    if not inner:
        return ()
    start += raw.find(inner)
    if _SETTINGS.fullmatch(inner):
        return ((start, start + len(inner), EntryKind.MARKUP),)
    return tuple(
        (start + word.start(), start + word.end(), EntryKind.MARKUP if _SETTINGS.fullmatch(word[0]) else EntryKind.UNREAD)
        for word in _WORD.finditer(inner)
    )


def _with_invalid_unread(rows: list[int], view: View) -> list[int]:
    """Return rows so that bytes that cannot be decoded are unread wherever they stand: in names, settings, gaps."""
    size = len(view.data)
    unread = code_of(EntryKind.UNREAD, How.UNREAD)
    out: list[int] = []
    at = 0
    for start, end, code, cue in [
        *sorted(zip(*(rows[column::ROW] for column in range(ROW)), strict=True)),
        (size, size, unread, NO_CUE),
    ]:
        for valid, a, b in view.pieces(at, start) if at < start else ():
            if not valid:
                out += (a, b, unread, NO_CUE)
        if code >> 2 == EntryKind.UNREAD:
            out += (start, end, code, cue)
        else:
            for valid, a, b in view.pieces(start, end):
                out += (a, b, code if valid else unread, cue)
        at = max(at, end)
    return out


def _merged(held: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """Join neighbouring pieces into one."""
    return [("".join(t for t, _, _ in held), held[0][1], held[-1][2])] if held else []
