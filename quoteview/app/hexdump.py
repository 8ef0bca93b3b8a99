"""Bytes as hex and text, around byte ranges, with the places in the dump that show the ranges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from quoteview.core.spans import ByteSpan

ROW = 16
_AROUND = 48
_MOST_ROWS = 400
"""A quotation of 50,000 characters shows its beginning; the byte ranges are told in full."""


class HexDump(NamedTuple):
    """The dump as text, and the parts of it (start, end in UTF-16 units; all of it is ASCII) that show bytes of the ranges."""

    text: str
    lit: tuple[tuple[int, int], ...]


def hex_dump(raw: bytes, ranges: Sequence[ByteSpan]) -> HexDump:
    """Return rows of 16 bytes: offset, hex, and ASCII with a dot for what is none; `…` where rows are left out."""
    lines: list[str] = []
    lit: list[tuple[int, int]] = []
    at = 0
    before = -ROW
    for row in _rows(raw, ranges)[:_MOST_ROWS]:
        if before >= 0 and row != before + ROW:
            lines.append("…")
            at += 2
        before = row
        part = raw[row : row + ROW]
        head = f"{row:08x}  "
        cells = " ".join(f"{byte:02x}" for byte in part).ljust(ROW * 3 - 1)
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        for column in range(len(part)):
            if any(span.start <= row + column < span.end for span in ranges):
                cell = at + len(head) + column * 3
                letter = at + len(head) + len(cells) + 2 + column
                lit += [(cell, cell + 2), (letter, letter + 1)]
        line = f"{head}{cells}  {shown}"
        lines.append(line)
        at += len(line) + 1
    return HexDump("\n".join(lines), tuple(lit))


def _rows(raw: bytes, ranges: Sequence[ByteSpan]) -> list[int]:
    """Return the offsets of the rows to show, in order."""
    rows: set[int] = set()
    for span in ranges:
        first = max(0, span.start - _AROUND) // ROW * ROW
        rows.update(range(first, min(len(raw), span.end + _AROUND), ROW))
    return sorted(rows)
