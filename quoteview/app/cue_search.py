"""Finding words in the cues of a track, as they are read on: a hit may begin in one cue and end in a later one.

The cues are looked through as one text, joined as everywhere: by a space, in scripts without spaces by nothing. Letters' case
and the kind of white space do not count. Where a hit stands in a row is told only when the row is drawn, so that a letter
found 300,000 times costs little.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from quoteview.core.captions.track import Cue
from quoteview.core.joins import join

_WHITE = re.compile(r"\s")


class HitPiece(NamedTuple):
    """The part of one hit that stands in one row, in code points of the cue's own text."""

    number: int
    start: int
    end: int


class CueSearch:
    """The hits of one needle in the cues of one track, in order and without overlaps."""

    def __init__(self, cues: Sequence[Cue] = ()) -> None:
        self.cues = cues
        self._rows = [row for row, cue in enumerate(cues) if cue.text and not cue.text.isspace()]
        self._starts: list[int] = []
        parts: list[str] = []
        at, before = 0, ""
        for row in self._rows:
            text = cues[row].text
            border, folded = join(before, text), text.casefold()
            self._starts.append(at + len(border))
            parts += (border, folded)
            at, before = self._starts[-1] + len(folded), text
        self._text = _WHITE.sub(" ", "".join(parts))
        self._hits: list[int] = []
        self._length = self._lead = 0

    def look_for(self, needle: str) -> int:
        """Find every place of needle and return how many there are; white space alone is found nowhere."""
        wanted = _WHITE.sub(" ", needle.casefold())
        self._hits, self._length = [], len(wanted)
        self._lead = len(wanted) - len(wanted.lstrip())
        if not wanted.strip():
            return 0
        at = self._text.find(wanted)
        while at >= 0:
            self._hits.append(at)
            at = self._text.find(wanted, at + len(wanted))
        return len(self._hits)

    def row_of(self, number: int) -> int:
        """Return the row in which a hit begins."""
        return self._rows[bisect_right(self._starts, self._hits[number] + self._lead) - 1]

    def first_from(self, row: int) -> int:
        """Return the first hit that begins in a row or after it, the first of all where there is none."""
        place = bisect_left(self._rows, row)
        if place == len(self._rows):
            return 0
        number = bisect_left(self._hits, self._starts[place] - self._lead)
        return number if number < len(self._hits) else 0

    def in_row(self, row: int) -> list[HitPiece]:
        """Return what stands of hits in a row."""
        place = bisect_left(self._rows, row)
        if not self._hits or place == len(self._rows) or self._rows[place] != row:
            return []
        text, start = self.cues[row].text, self._starts[place]
        points = _points(text)
        length = len(points) - 1
        found: list[HitPiece] = []
        for number in range(bisect_right(self._hits, start - self._length), bisect_left(self._hits, start + length)):
            low, high = max(0, self._hits[number] - start), min(length, self._hits[number] + self._length - start)
            found.append(HitPiece(number, points[low], max(points[low] + 1, points[high])))
        return found


def _points(text: str) -> Sequence[int]:
    """Return for each place of the folded text that of the text: “ß” folds into two letters."""
    if text.isascii() or len(text.casefold()) == len(text):
        return range(len(text) + 1)
    return [at for at, character in enumerate(text) for _ in character.casefold()] + [len(text)]
