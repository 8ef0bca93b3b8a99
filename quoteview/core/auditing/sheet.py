"""What the audit works on: the ledger beside the bytes, both as UTF-8, and the list of what does not fit.

A file in another encoding is decoded entry by entry and laid out again as UTF-8, so that one grammar for
each format serves all encodings. Places in sentences are bytes of the file all the same.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from quoteview.core.captions.track import CaptionFormat, Track
from quoteview.core.ledger import EntryKind, How, Ledger

MOST_DEFECTS = 200
"""So many defects are put into words; a file that has more is no better for a longer list."""

TEXT, TIMING, MARKUP, REPEAT, LAYOUT, METADATA, UNREAD = (int(kind) for kind in EntryKind)
WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
LAYOUT_CHARACTERS = WHITE_SPACE + "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""What may stand at the ends of a line without being text; the audit's own list."""

_SHOWN = 60
_ARROWS = frozenset((CaptionFormat.WEBVTT, CaptionFormat.SUBRIP))


@dataclass(slots=True)
class Defects:
    """Sentences about what does not fit, in the order they were found."""

    sentences: list[str] = field(default_factory=list)
    more: int = 0

    def add(self, sentence: str) -> None:
        """Keep a sentence, or count it where there are too many."""
        if len(self.sentences) < MOST_DEFECTS:
            self.sentences.append(sentence)
        else:
            self.more += 1

    def all(self) -> tuple[str, ...]:
        """Return the sentences, the last of which counts those that were not put into words."""
        tail = [f"There are {self.more} more defects of these kinds."] if self.more else []
        return (*self.sentences, *tail)


@dataclass(slots=True)
class Sheet:
    """Bytes and ledger as UTF-8. Entry i runs from ends[i-1] (or 0) to ends[i]; `file_ends` are the same places in the file."""

    format: CaptionFormat
    encoding: str
    data: bytes
    ends: Sequence[int]
    kinds: bytes
    hows: bytes
    cues: Sequence[int]
    file: bytes
    file_ends: Sequence[int]
    defects: Defects

    def start(self, index: int) -> int:
        """Return where entry `index` begins in `data`."""
        return self.ends[index - 1] if index else 0

    def file_start(self, index: int) -> int:
        """Return where entry `index` begins in the file."""
        return self.file_ends[index - 1] if index else 0

    def at(self, position: int) -> int:
        """Return the index of the entry that holds the byte at a place in `data`."""
        return bisect_right(self.ends, position)

    def defect(self, index: int, what: str) -> None:
        """Record that entry `index` does not fit, with its place and its bytes."""
        raw = self.data[self.start(index) : self.ends[index]]
        kind = EntryKind(self.kinds[index]).word
        self.defects.add(f"At byte {self.file_start(index)}, {kind} “{shown(raw)}”: {what}.")

    def readable(self) -> bytes:
        """Return `data` with `_` for each byte that is entered as unread and is not UTF-8, for parsers that insist on it."""
        scratch: bytearray | None = None
        for index, kind in enumerate(self.kinds):
            if kind == UNREAD:
                start, end = self.start(index), self.ends[index]
                try:
                    self.data[start:end].decode("utf-8")
                except UnicodeDecodeError:
                    scratch = scratch or bytearray(self.data)
                    scratch[start:end] = b"_" * (end - start)
        return self.data if scratch is None else bytes(scratch)


def rejoined(sheet: Sheet) -> Sheet:
    """Return the sheet with metadata and tags whole again that are torn by bytes which are not UTF-8.

    Such bytes are unread wherever they stand, but what they stand in is judged as a whole, with `_` for each.
    """
    if UNREAD not in sheet.kinds:
        return sheet
    data = sheet.readable()
    if data is sheet.data:
        return sheet
    kept: list[int] = []  # indices of entries that end a stretch, with its kind and cue
    kinds, cues = bytearray(), list[int]()
    for index, (kind, cue) in enumerate(zip(sheet.kinds, sheet.cues, strict=True)):
        start, end = sheet.start(index), sheet.ends[index]
        is_mark = kept == [0] and sheet.data[: sheet.ends[0]] == b"\xef\xbb\xbf"  # a byte order mark is whole by itself
        if kept and not is_mark and kinds[-1] in (METADATA, MARKUP) and kind in (UNREAD, kinds[-1]):
            is_torn = kind == UNREAD and sheet.data[start:end] != data[start:end]
            is_open = kinds[-1] == METADATA or _is_open(data[max(0, start - 10_000) : start], has_arrows=sheet.format in _ARROWS)
            if (is_torn and is_open) or (kind != UNREAD and sheet.kinds[index - 1] == UNREAD and kept[-1] == index - 1):
                kept[-1] = index
                continue
        if (
            kind == METADATA
            and kept
            and kept[-1] == index - 1
            and kinds[-1] == UNREAD
            and sheet.data[start - 1] != data[start - 1]
        ):
            while len(kept) > 1 and kinds[-2] == UNREAD and kept[-2] == kept[-1] - 1 and _is_torn(sheet, data, kept[-2]):
                del kept[-1], kinds[-1], cues[-1]  # several such bytes in a row are an entry each
            kept[-1], kinds[-1], cues[-1] = index, kind, cue
            continue
        kept.append(index)
        kinds.append(kind)
        cues.append(cue)
    return replace(
        sheet,
        data=data,
        ends=[sheet.ends[index] for index in kept],
        file_ends=[sheet.file_ends[index] for index in kept],
        kinds=bytes(kinds),
        hows=bytes(sheet.hows[index] for index in kept),
        cues=cues,
    )


def _is_torn(sheet: Sheet, data: bytes, index: int) -> bool:
    return sheet.data[sheet.start(index) : sheet.ends[index]] != data[sheet.start(index) : sheet.ends[index]]


def _is_open(before: bytes, *, has_arrows: bool) -> bool:
    """Whether a tag, an override or a setting on a timing line goes on at the end of these bytes."""
    line = before[max(before.rfind(b"\n"), before.rfind(b"\r")) + 1 :]
    if has_arrows and b"-->" in line:
        return line[-1:] not in (b" ", b"\t")
    return before.rfind(b"<") > before.rfind(b">") or before.rfind(b"{") > before.rfind(b"}")


def sheet_of(track: Track, data: bytes, defects: Defects) -> Sheet | None:
    """Return ledger and bytes side by side; None, with the reason among the defects, where the ledger does not fit the file."""
    ledger = track.ledger
    if not _tiles(ledger, len(data), defects):
        return None
    if track.encoding == "utf-8":
        return Sheet(track.format, "utf-8", data, ledger.ends, ledger.kinds, ledger.hows, ledger.cues, data, ledger.ends, defects)
    parts: list[bytes] = []
    ends: list[int] = []
    start = at = 0
    for end, kind in zip(ledger.ends, ledger.kinds, strict=True):
        try:
            part = data[start:end].decode(track.encoding).encode("utf-8")
        except ValueError:
            if kind != UNREAD:
                defects.add(f"At byte {start}: the bytes up to {end} are not {track.encoding}, yet they are entered as read.")
            part = b"?" * (end - start)
        parts.append(part)
        at += len(part)
        ends.append(at)
        start = end
    return Sheet(
        track.format,
        track.encoding,
        b"".join(parts),
        ends,
        ledger.kinds,
        ledger.hows,
        ledger.cues,
        data,
        ledger.ends,
        defects,
    )


def _tiles(ledger: Ledger, size: int, defects: Defects) -> bool:
    """Hold the entries to lie end to end, with no hole and no overlap, from the first byte to the last."""
    ends = ledger.ends
    if not len(ends) == len(ledger.kinds) == len(ledger.hows) == len(ledger.cues):
        defects.add("The ledger's columns are not of one length.")
        return False
    if size and (not ends or ends[0] <= 0):
        defects.add("The ledger does not begin at byte 0.")
        return False
    for before, after in pairwise(ends):
        if after <= before:
            defects.add(f"At byte {before}: the ledger's entries overlap or are empty (the next one ends at {after}).")
            return False
    if ledger.size != size:
        defects.add(f"The ledger's entries add up to {ledger.size} bytes, but the file has {size}.")
        return False
    if any(kind > UNREAD for kind in set(ledger.kinds)) or any(how > How.UNREAD for how in set(ledger.hows)):
        defects.add("The ledger holds an entry of no known kind.")
        return False
    return True


def shown(raw: bytes | str) -> str:
    """Return bytes or text for a sentence: cut short, with what cannot be seen as escapes."""
    text = raw if isinstance(raw, str) else raw.decode("utf-8", "backslashreplace")
    cut = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    return "".join(_visible(character) for character in cut)


def _visible(character: str) -> str:
    if character == " " or (character.isprintable() and not unicodedata.combining(character)):
        return character
    return f"\\x{ord(character):02x}" if ord(character) < 256 else f"\\u{ord(character):04x}"
