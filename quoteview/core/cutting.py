"""The second cut: a claim's text taken out of the locked bytes once more, by the ledger and another decoder.

- Each byte range must lie in one `text` entry of the ledger, and is decoded as that entry says, by the audit's
  decoder, which shares nothing with the readers'.
- The ranges must be contiguous. Between two of them in one cue there may be markup (which adds nothing), the end
  of a line (which adds what the join rule says), layout, timing, metadata and repeats; no `text` and nothing unread.
  Between two cues the same holds from the one's last text to the other's first, and the other must be the next
  cue with text in time order. Skipped words are skipped proof.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from quoteview.core.captions.track import Run, Track
from quoteview.core.joins import join
from quoteview.core.ledger import NO_CUE, EntryKind, How
from quoteview.core.reference import Reference
from quoteview.core.spans import ByteSpan, TextSpan


class Cut(NamedTuple):
    """The text that the bytes give, and in words what is wrong with the ranges, "" where nothing is."""

    text: str
    defect: str


_HOWS = tuple(How)

SecondCut = Callable[[Reference, TextSpan, Sequence[ByteSpan]], Cut]
"""Takes a span of the reference text and its ranges; an honest one looks at the ranges alone."""


def cut_again(reference: Reference, span: TextSpan, ranges: Sequence[ByteSpan]) -> Cut:
    """Return the text of the ranges as the locked bytes give it. The span and the reference's text are not looked at."""
    del span
    from quoteview.core.audit import decode_range

    track = reference.track
    ledger = track.ledger
    if not ranges:
        return Cut("", "the words have no bytes")
    text = ""
    before: tuple[ByteSpan, int, str] | None = None
    for piece in ranges:
        place = _entry_place(track, piece)
        if place is None:
            return Cut(text, f"bytes {piece.start} to {piece.end} are not caption text")
        try:
            decoded = decode_range(track.source.data, piece, _HOWS[ledger.hows[place]], track.encoding, track.format)
        except ValueError:
            return Cut(text, f"bytes {piece.start} to {piece.end} do not decode")
        if before is not None:
            earlier, earlier_place, earlier_text = before
            defect, is_border = _seam(reference, earlier, earlier_place, piece, place)
            if defect:
                return Cut(text, defect)
            text += join(earlier_text, decoded) if is_border else ""
        text += decoded
        before = (piece, place, decoded)
    return Cut(text, "")


def _entry_place(track: Track, piece: ByteSpan) -> int | None:
    """Return the number of the one text entry that holds the whole range, None where there is none."""
    ledger = track.ledger
    if piece.start < 0 or piece.start >= piece.end or piece.end > ledger.size:
        return None
    place = bisect_right(ledger.ends, piece.start)
    if ledger.kinds[place] != EntryKind.TEXT or piece.end > ledger.ends[place]:
        return None
    return place


def _seam(reference: Reference, earlier: ByteSpan, earlier_place: int, later: ByteSpan, later_place: int) -> tuple[str, bool]:
    """Return what was skipped between two ranges ("" if nothing), and whether a border lies between them."""
    track = reference.track
    if earlier_place == later_place:
        return ("" if earlier.end == later.start else "words were skipped"), False
    ledger = track.ledger
    first_cue, second_cue = ledger.cues[earlier_place], ledger.cues[later_place]
    if earlier.end != ledger.ends[earlier_place] or later.start != (ledger.ends[later_place - 1] if later_place else 0):
        return "words were skipped", False
    if first_cue == second_cue:
        if later_place < earlier_place:
            return "the ranges go back in the file", False
        for place in range(earlier_place + 1, later_place):
            if ledger.kinds[place] in (EntryKind.TEXT, EntryKind.UNREAD):
                return "words were skipped", False
        return "", _line_at(track, first_cue, earlier.start) != _line_at(track, second_cue, later.start)
    if not _is_next_cue(reference, first_cue, second_cue):
        return "the cues do not follow each other", True
    if _skips(track, earlier_place, later_place, first_cue, 1) or _skips(track, later_place, earlier_place, second_cue, -1):
        return "words were skipped", True
    return "", True


def _skips(track: Track, place: int, stop: int, cue: int, step: int) -> bool:
    """Whether, going from an entry towards another, text of its own cue or something unread comes before other text."""
    kinds, cues = track.ledger.kinds, track.ledger.cues
    for at in range(place + step, len(kinds) if step > 0 else -1, step):
        if at == stop:
            return False
        if kinds[at] == EntryKind.UNREAD and cues[at] in (cue, NO_CUE):
            return True
        if kinds[at] == EntryKind.TEXT:
            return cues[at] == cue
    return False


def _is_next_cue(reference: Reference, cue: int, following: int) -> bool:
    """Whether in time order no cue with text, or with something unread, stands between two."""
    cues, order = reference.track.cues, reference.time_order
    key = (cues[cue].time.start_ms, cue)
    rank = bisect_left(order, key, key=lambda index: (cues[index].time.start_ms, index))
    for place in range(rank + 1, len(order)):
        index = order[place]
        if (cues[index].time.start_ms, index) < key:
            return False
        key = (cues[index].time.start_ms, index)
        if index == following:
            return True
        if any(run.text or run.how is How.UNREAD for run in cues[index].runs):
            return False
    return False


def _line_at(track: Track, cue: int, start: int) -> int:
    """Return the line of the cue that the run beginning at a byte belongs to."""
    runs: tuple[Run, ...] = track.cues[cue].runs
    at = bisect_right(runs, start, key=lambda run: run.start) - 1
    return runs[max(at, 0)].line
