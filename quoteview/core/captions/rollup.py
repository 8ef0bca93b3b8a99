"""Roll-up: automatic captions show each line twice or more as it scrolls; it was spoken once.

The first non-blank line of a cue is a repeat when it equals the last non-blank line of the cue before,
carries no word times of its own, and follows within 50 ms; so is the only line of a cue of at most
50 ms. A track is roll-up where at least half of its cues after the first hold such a line, and it has
word times or at least a quarter of its cues show a repeated line above a new one. Elsewhere nothing
is folded, so a chant stays a chant.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from quoteview.core.captions.track import Cue, Run
from quoteview.core.ledger import How
from quoteview.core.spans import ByteSpan

NEAR_MS = 50
"""How closely a repeat follows, and how long a cue that only holds a line may last (measured on real files: 10 ms)."""


class Repeat(NamedTuple):
    """A run of a cue that shows again what stands at the spans `of`."""

    cue: int
    run: Run
    of: tuple[ByteSpan, ...]


def fold(cues: Sequence[Cue]) -> tuple[list[Cue], list[Repeat], bool]:
    """Return the cues without repeated lines, the repeats, and whether the track is roll-up at all."""
    # Only lines that agree in a run at their ends can be equal; nearly every pair of cues is told apart by that.
    candidates = [
        cue.index
        for before, cue in pairwise(cues)
        if (runs := cue.runs)
        and (held := before.runs)
        and (
            runs[0].text == held[-1].text
            or (len(runs) > 1 and runs[0].line == runs[1].line)
            or (len(held) > 1 and held[-1].line == held[-2].line)
        )
        and _first_line_repeats(before, cue)
    ]
    if not candidates or len(candidates) * 2 < len(cues) - 1:
        return list(cues), [], False
    above_new = sum(1 for index in candidates if _last_line(cues[index]) != _first_line(cues[index]))
    if not any(cue.word_times for cue in cues) and above_new * 4 < len(cues):
        return list(cues), [], False
    folded = list(cues)
    repeats: list[Repeat] = []
    for index in candidates:
        cue = cues[index]
        line = _first_line(cue)
        of = tuple(ByteSpan(run.start, run.end) for run in _line_runs(cues[index - 1], _last_line(cues[index - 1])))
        repeats.extend(Repeat(index, run, of) for run in cue.runs if run.line == line)
        folded[index] = Cue(cue.index, cue.identifier, cue.time, tuple(r for r in cue.runs if r.line != line), cue.word_times)
    return folded, repeats, True


def _first_line_repeats(before: Cue, cue: Cue) -> bool:
    runs = _line_runs(cue, _first_line(cue))
    before_runs = _line_runs(before, _last_line(before))
    if "".join(run.text for run in runs) != "".join(run.text for run in before_runs):
        return False
    if any(run.how is How.UNREAD for run in runs + before_runs):
        return False
    if cue.time.end_ms - cue.time.start_ms <= NEAR_MS and _first_line(cue) == _last_line(cue):
        return True
    if any(runs[0].start <= word.start <= runs[-1].end for word in cue.word_times):
        return False
    return abs(cue.time.start_ms - before.time.end_ms) <= NEAR_MS


def _first_line(cue: Cue) -> int:
    return cue.runs[0].line


def _last_line(cue: Cue) -> int:
    return cue.runs[-1].line


def _line_runs(cue: Cue, line: int) -> tuple[Run, ...]:
    return tuple(run for run in cue.runs if run.line == line)
