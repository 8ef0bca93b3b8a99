"""The ledger: every byte of a locked file in exactly one entry, with no hole and no overlap.

An entry says what its bytes are: cue text, cue timing, cue markup or settings, a repeat of text that
stands elsewhere, layout, declared metadata, or unread. Entries are kept as parallel arrays in file
order, since a long file has hundreds of thousands of them. The ledger only records; that it is true
is for `quoteview.core.audit` to find out, which does not believe it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain, compress
from operator import le, lt
from typing import NamedTuple

from quoteview.core.spans import ByteSpan


class EntryKind(IntEnum):
    """What bytes of a caption file are."""

    TEXT = 0
    TIMING = 1
    MARKUP = 2
    REPEAT = 3
    LAYOUT = 4
    METADATA = 5
    UNREAD = 6

    @property
    def word(self) -> str:
        """The kind's name in JSON and in the window."""
        return self.name.lower()


class How(IntEnum):
    """How bytes turn into characters.

    LITERAL: by the file's character encoding alone. ENTITY: the same, then character references as the
    format has them. ESCAPE: the same, then the format's escapes (JSON strings, `\\h` of SubStation).
    UNREAD: not at all; the characters shown stand for bytes that nobody could read.
    """

    LITERAL = 0
    ENTITY = 1
    ESCAPE = 2
    UNREAD = 3


NO_CUE = -1


class Entry(NamedTuple):
    """Bytes `start` to `end` of the locked file; `cue` is the index of the cue they belong to, or `NO_CUE`."""

    start: int
    end: int
    kind: EntryKind
    how: How
    cue: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """All entries of one file, in file order: entry i runs from ends[i-1] (or 0) to ends[i].

    `repeats` names, for a repeat that begins at a byte, the ranges of the text that it repeats.
    """

    ends: array[int]
    kinds: bytes
    hows: bytes
    cues: array[int]
    repeats: Mapping[int, tuple[ByteSpan, ...]]

    def __len__(self) -> int:
        return len(self.ends)

    def __iter__(self) -> Iterator[Entry]:
        start = 0
        for end, kind, how, cue in zip(self.ends, self.kinds, self.hows, self.cues, strict=True):
            yield Entry(start, end, EntryKind(kind), How(how), cue)
            start = end

    @property
    def size(self) -> int:
        """How many bytes the entries cover, from byte 0 on."""
        return self.ends[-1] if self.ends else 0

    def totals(self) -> dict[str, int]:
        """Return bytes by kind, every kind named, in the order of `EntryKind`."""
        sums = [0] * len(EntryKind)
        start = 0
        for end, kind in zip(self.ends, self.kinds, strict=True):
            sums[kind] += end - start
            start = end
        return {kind.word: sums[kind] for kind in EntryKind}

    def spans(self, kind: EntryKind) -> tuple[ByteSpan, ...]:
        """Return the spans of one kind in file order, neighbours merged."""
        merged: list[ByteSpan] = []
        start = 0
        for end, entry_kind in zip(self.ends, self.kinds, strict=True):
            if entry_kind == kind:
                if merged and merged[-1].end == start:
                    merged[-1] = ByteSpan(merged[-1].start, end)
                else:
                    merged.append(ByteSpan(start, end))
            start = end
        return tuple(merged)


def build_ledger(
    entries: Iterable[tuple[int, int, int, int, int]],
    size: int,
    *,
    gap: EntryKind,
    repeats: Mapping[int, tuple[ByteSpan, ...]],
) -> Ledger:
    """Return the ledger of a file of `size` bytes from (start, end, kind, how, cue) in any order.

    Bytes that no entry claims become entries of the kind `gap`. Empty entries are left out. Two entries
    that overlap, or one outside the file, are a reader's fault and raise ValueError.
    """
    rows = [value for start, end, kind, how, cue in entries for value in (start, end, code_of(kind, how), cue)]
    return ledger_of_rows(rows, size, gap=gap, repeats=repeats)


ROW = 4
"""How many numbers make a row: start, end, code, cue."""
_KINDS = bytes(code >> 2 for code in range(256))
_HOWS = bytes(code & 3 for code in range(256))


def code_of(kind: int, how: int) -> int:
    """Return the one number that stands for a kind and a way of decoding in a row."""
    return kind << 2 | how


def ledger_of_rows(rows: list[int], size: int, *, gap: EntryKind, repeats: Mapping[int, tuple[ByteSpan, ...]]) -> Ledger:
    """Return the ledger from rows of `ROW` numbers one after the other, as `build_ledger` does from entries.

    A long file has hundreds of thousands of rows, and all of the work on them runs in C: the columns are
    cut out, a gap is put before each entry and behind the last, and what is empty falls out.
    """
    starts, ends, codes, cues = (rows[column::ROW] for column in range(ROW))
    in_order = list(map(le, ends, starts[1:]))
    if False in in_order:
        # Only the tail is sorted, from the first row on that one behind it may come before: often that is the last cue's.
        # By start, an empty entry before the one that begins there; one whole number sorts quicker than a pair.
        fault = in_order.index(False)
        first = bisect_left(ends, min(starts[fault:]), 0, fault)
        keys = [2 * start + (end > start) for start, end in zip(starts[first:], ends[first:], strict=True)]
        order = sorted(range(len(keys)), key=keys.__getitem__)
        for column in (starts, ends, codes, cues):
            tail = column[first:]
            column[first:] = [tail[row] for row in order]
    count = 2 * len(starts) + 1
    all_ends, all_cues = [size] * count, [NO_CUE] * count
    all_codes = bytearray((code_of(gap, How.LITERAL),)) * count
    all_ends[0 : count - 1 : 2], all_ends[1::2] = starts, ends
    all_codes[1::2], all_cues[1::2] = bytes(codes), cues
    if not all(map(le, chain((0,), all_ends), all_ends)):
        at = 0
        for start, end in zip(starts, ends, strict=True):
            if start < at or end > size or end < start:
                raise ValueError(f"ledger entry {start}..{end} overlaps or leaves the file (at {at} of {size})")
            at = end
    kept = list(map(lt, chain((0,), all_ends), all_ends))
    kept_codes = bytes(compress(all_codes, kept))
    return Ledger(
        array("q", list(compress(all_ends, kept))),
        kept_codes.translate(_KINDS),
        kept_codes.translate(_HOWS),
        array("i", list(compress(all_cues, kept))),
        repeats,
    )
