"""The heights of very many rows, most of them never measured: where each one stands, and which one stands at a place.

A row that nobody has looked at has the usual height; measured, it has its own. Heights are summed up in
blocks, so that 100,000 rows cost a search of a few hundred sums, and a measured row one addition. Places are
pixels from the top of the first row.
"""

from __future__ import annotations

from array import array

_BLOCK = 256


class RowHeights:
    """Heights of `count` rows, `usual` pixels each until measured."""

    def __init__(self, count: int = 0, usual: int = 1) -> None:
        self.count = count
        self._heights = array("l", [max(1, usual)]) * count
        self._measured = bytearray(count)
        self._sums = [sum(self._heights[start : start + _BLOCK]) for start in range(0, count, _BLOCK)]
        self.total = sum(self._sums)

    def height(self, row: int) -> int:
        """Return a row's height, measured or usual."""
        return self._heights[row]

    def is_measured(self, row: int) -> bool:
        """Return whether a row's height is its own."""
        return bool(self._measured[row])

    def measure(self, row: int, height: int) -> None:
        """Give a row its own height, at least one pixel."""
        by = max(1, height) - self._heights[row]
        self._heights[row] += by
        self._sums[row // _BLOCK] += by
        self.total += by
        self._measured[row] = 1

    def top(self, row: int) -> int:
        """Return where a row begins; for the number of rows itself, where the last one ends."""
        block = row // _BLOCK
        return sum(self._sums[:block]) + sum(self._heights[block * _BLOCK : row])

    def row_at(self, place: int) -> int:
        """Return the row at a place; the first one above all of them, the last one below. Without rows: 0."""
        if place < 0 or not self.count:
            return 0
        block, top = 0, 0
        while block < len(self._sums) and top + self._sums[block] <= place:
            top += self._sums[block]
            block += 1
        row = block * _BLOCK
        while row < self.count and top + self._heights[row] <= place:
            top += self._heights[row]
            row += 1
        return min(row, self.count - 1)
