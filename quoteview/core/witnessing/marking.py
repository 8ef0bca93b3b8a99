"""Lining pysubs2's cues up with ours for TTML and SAMI, which have no lines to go by.

In SAMI its n-th cue belongs to the n-th SYNC, and its ends are guesses by the length of the text. In TTML
cues are lined up by their times, and those of equal times by their order.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence

from quoteview.core.auditing import sheet
from quoteview.core.auditing.sheet import Sheet
from quoteview.core.captions.track import CaptionFormat, Cue
from quoteview.core.ledger import How
from quoteview.core.spans import TimeSpan
from quoteview.core.witnessing.lining import Difference, Event
from quoteview.core.witnessing.undoing import Comparison, Piece

_SYNC = re.compile(rb"<!--.*?-->|(<sync\b)", re.DOTALL | re.IGNORECASE)
_CLOSES = re.compile(rb"</(?:sync|body|sami)\b", re.IGNORECASE)
# pysubs2 1.8 guesses the end of a SAMI cue: half a second and 67 ms a character, but not past the next cue.
_GUESS_MS, _GUESS_PER_CHARACTER_MS = 500, 67


def compare_ttml(page: Sheet, cues: tuple[Cue, ...], events: Sequence[Event]) -> Iterator[Difference]:
    """Yield every difference between our cues and pysubs2's of a TTML file."""
    comparison = Comparison(page.format, by_lines=False)
    waiting: dict[TimeSpan, deque[Event]] = defaultdict(deque)
    for event in events:
        waiting[TimeSpan(event.start_ms, max(event.start_ms, event.end_ms))].append(event)
    pieces = _pieces(page, cues)
    left = []
    for cue, own in zip(cues, pieces, strict=True):
        if waiting[cue.time]:
            yield from _text(comparison, cue.index, own, waiting[cue.time].popleft().text)
        else:
            left.append(cue)
    over = sorted(event for queue in waiting.values() for event in queue)
    for number, cue in enumerate(left):
        if number < len(over):
            event = over[number]
            detail = f"here {cue.time.start_ms} to {cue.time.end_ms} ms, pysubs2 reads {event.start_ms} to {event.end_ms} ms"
            yield Difference(cue.index, "times", detail, False)
            yield from _text(comparison, cue.index, pieces[cue.index], event.text)
        elif cue.runs:
            yield Difference(cue.index, "missing cue", "pysubs2 does not read this cue", False)
    for event in over[len(left) :]:
        if event.text.strip():
            yield Difference(-1, "extra cue", f"pysubs2 reads a cue at {event.start_ms} ms: “{event.text[:60]}”", False)


def compare_sami(page: Sheet, cues: tuple[Cue, ...], events: Sequence[Event]) -> Iterator[Difference]:
    """Yield every difference between our cues and pysubs2's of a SAMI file."""
    syncs = [match.start(1) for match in _SYNC.finditer(page.data) if match[1]]
    is_open = len(syncs) == len(events) + 1 and not _CLOSES.search(page.data, syncs[-1])
    if len(syncs) != len(events) and not is_open:
        yield Difference(-1, "count", f"pysubs2 reads {len(events)} cues, but the file has {len(syncs)} SYNC tags", False)
        return
    comparison = Comparison(page.format, by_lines=False)
    pieces = _pieces(page, cues)
    others: dict[int, list[Piece]] = defaultdict(list)
    own: dict[int, int] = {}
    for index, (kind, cue) in enumerate(zip(page.kinds, page.cues, strict=True)):
        number = bisect_right(syncs, page.start(index)) - 1
        if kind == sheet.TIMING and 0 <= cue < len(cues):
            own[number] = cue
        elif kind == sheet.METADATA and number >= 0 and not page.data.startswith(b"<!--", page.start(index)):
            others[number].append(Piece("language", page.data[page.start(index) : page.ends[index]].decode("utf-8"), -1))
    for number, event in enumerate(events):
        cue_number = own.get(number)
        mine = [*(pieces[cue_number] if cue_number is not None else ()), *others.get(number, ())]
        mine.sort(key=lambda piece: piece.line if piece.kind == "text" else 1 << 30)
        yield from _text(comparison, -1 if cue_number is None else cue_number, mine, event.text)
        if cue_number is not None:
            following = events[number + 1].start_ms if number + 1 < len(events) else None
            yield from _sami_times(cues[cue_number], event, following, has_languages=bool(others))
    if is_open and len(events) in own:
        yield Difference(own[len(events)], "open SYNC", "pysubs2 drops a last SYNC that no end tag closes", True)
    for missing in sorted(set(range(len(cues))) - set(own.values())):
        yield Difference(missing, "missing cue", "no SYNC tag that pysubs2 reads is this cue's", False)


def _sami_times(cue: Cue, event: Event, following_ms: int | None, *, has_languages: bool) -> Iterator[Difference]:
    guess_ms = event.start_ms + _GUESS_MS + _GUESS_PER_CHARACTER_MS * len(event.raw.replace("\\N", "\n"))
    guess_ms = guess_ms if following_ms is None else min(guess_ms, following_ms)
    if cue.time.start_ms != event.start_ms:
        detail = f"here it starts at {cue.time.start_ms} ms, pysubs2 reads {event.start_ms} ms"
        yield Difference(cue.index, "times", detail, False)
    elif cue.time.end_ms != event.end_ms:
        is_guess = event.end_ms == guess_ms and (event.end_ms != following_ms or has_languages)
        yield Difference(cue.index, "guessed end", f"pysubs2 guesses its end: {event.end_ms} ms", is_guess)


def _text(comparison: Comparison, cue: int, pieces: Sequence[Piece], theirs: str) -> Iterator[Difference]:
    explained = comparison.explain(pieces, theirs)
    if explained is None:
        detail = f"here “{comparison.ours(pieces)[:120]}”, pysubs2 reads “{comparison.theirs(theirs)[:120]}”"
        yield Difference(cue, "text", detail, False)
        return
    for one in sorted(explained, key=lambda simplification: simplification.value):
        yield Difference(cue, one.value, f"pysubs2 {one.words}", True)


def _pieces(page: Sheet, cues: tuple[Cue, ...]) -> list[list[Piece]]:
    """Return for each cue its runs as text, and readings, repeats and unread bytes in their places."""
    runs = {run.start: run for cue in cues for run in cue.runs if run.how is not How.UNREAD}
    pieces: list[list[Piece]] = [[] for _ in cues]
    is_ttml = page.format is CaptionFormat.TTML
    current = -1
    for index, (kind, cue) in enumerate(zip(page.kinds, page.cues, strict=True)):
        run = runs.get(page.file_start(index))
        if run is not None and 0 <= cue < len(cues):
            pieces[cue].append(Piece("text", run.text, run.line))
            current = cue
            continue
        current = cue if kind == sheet.TIMING else current
        if not 0 <= current < len(cues):
            continue
        line = pieces[current][-1].line if pieces[current] else 0
        raw = page.data[page.start(index) : page.ends[index]].decode("utf-8", "surrogateescape")
        if kind == sheet.REPEAT:
            pieces[current].append(Piece("repeat", raw, line))
        elif kind == sheet.UNREAD:
            pieces[current].append(Piece("unread", raw, line))
        elif kind == sheet.MARKUP and is_ttml and (reading := _outside_tags(page.data, page.start(index), raw)):
            pieces[current].append(Piece("reading", reading, line))
    return pieces


def _outside_tags(data: bytes, start: int, raw: str) -> str:
    """Return what of a markup entry stands outside tags; an entry between two times of a tag begins inside one."""
    if data.rfind(b"<", 0, start) > data.rfind(b">", 0, start):
        raw = raw.partition(">")[2]
    return re.sub(r"<[^>]*>?", "", raw).strip()
