"""A draft's bytes as characters, with the way from each character to its bytes and back.

Drafts are UTF-8 (with or without a mark) or carry a UTF-16 mark. Anything else is refused: a draft
read in the wrong encoding would change its quotations without anybody seeing it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from quoteview.core.errors import DraftError

_WIDE = re.compile(r"[^\x00-\x7f]{1,64}")
_ANY = re.compile(r"[\s\S]{1,64}")
"""Runs of at most 64 characters: what a look-up encodes at most."""

_SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"PK\x03\x04", "a packed file (Word and OpenDocument files are)", "Export it as HTML, Markdown or plain text"),
    (b"%PDF", "a PDF", "Export the text it was made from as HTML, Markdown or plain text"),
    (b"{\\rtf", "a rich-text file", "Export it as HTML, Markdown or plain text"),
    (b"\xd0\xcf\x11\xe0", "an old Word file", "Export it as HTML, Markdown or plain text"),
    (b"\xff\xfe\x00\x00", "in UTF-32", "Save it as UTF-8"),
    (b"\x00\x00\xfe\xff", "in UTF-32", "Save it as UTF-8"),
)
_MARKS: tuple[tuple[bytes, str, str], ...] = (
    (b"\xef\xbb\xbf", "utf-8-sig", "utf-8"),
    (b"\xff\xfe", "utf-16-le", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be", "utf-16-be"),
)
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class SourceText:
    """The characters of a draft. Positions count code points of `text`, which leaves the byte-order mark out.

    `encoding` is `utf-8`, `utf-8-sig`, `utf-16-le` or `utf-16-be`; `base` is the size of the byte-order mark.
    """

    data: bytes
    text: str
    encoding: str
    base: int
    _codec: str = field(default="utf-8", repr=False)

    @cached_property
    def _is_single_byte(self) -> bool:
        return len(self.data) - self.base == len(self.text)

    @cached_property
    def _wide(self) -> tuple[list[int], list[int], list[int]]:
        """Where runs of characters of more than one byte begin and end, and the bytes of the text before each (and all)."""
        starts, ends, offsets, at, offset = [], [], [], 0, self.base
        pattern = _WIDE if self._codec == "utf-8" else _ANY
        for match in pattern.finditer(self.text):
            low, high = match.span()
            offset += low - at
            starts.append(low)
            ends.append(high)
            offsets.append(offset)
            offset += len(match[0].encode(self._codec))
            at = high
        return starts, ends, [*offsets, offset + len(self.text) - at]

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def byte_of(self, position: int) -> int:
        """Return the byte offset of the character at `position` (of the file's end for the text's length)."""
        if self._is_single_byte:
            return self.base + position
        starts, ends, offsets = self._wide
        at = bisect_right(starts, position) - 1
        if at < 0:
            return self.base + position
        inside = offsets[at] + len(self.text[starts[at] : min(position, ends[at])].encode(self._codec))
        return inside + max(0, position - ends[at])

    def position_of(self, offset: int) -> int:
        """Return the position of the character that begins at byte `offset`, or of the one that contains it."""
        if self._is_single_byte:
            return max(0, offset - self.base)
        starts, ends, offsets = self._wide
        at = bisect_right(offsets, offset, hi=len(starts)) - 1
        if at < 0:
            return max(0, offset - self.base)
        run = self.text[starts[at] : ends[at]].encode(self._codec)
        into = offset - offsets[at]
        if into < len(run):
            return starts[at] + len(run[:into].decode(self._codec, "ignore"))
        return ends[at] + into - len(run)

    def encoded(self, text: str) -> bytes:
        """Return text as this draft writes it, without a byte-order mark."""
        return text.encode(self._codec)

    def line_of(self, position: int) -> int:
        """Return the 1-based line of a character."""
        return bisect_right(self._line_starts, position)

    def column_of(self, position: int) -> int:
        """Return the 1-based column of a character, in code points."""
        return position - self._line_starts[self.line_of(position) - 1] + 1


def decode_draft(data: bytes, file: str) -> SourceText:
    """Return the draft's characters. Raises `DraftError` for packed and binary files and for other encodings."""
    for signature, what, remedy in _SIGNATURES:
        if data.startswith(signature):
            raise DraftError(file, f"the file is {what}, which is not read as a draft yet", remedy=f"{remedy}.")
    mark, encoding, codec = next((each for each in _MARKS if data.startswith(each[0])), (b"", "utf-8", "utf-8"))
    try:
        text = data[len(mark) :].decode(codec)
    except UnicodeDecodeError as error:
        raise _undecodable(data, file, codec, len(mark) + error.start) from None
    nul = text.find("\0")
    source = SourceText(data, text, encoding, len(mark), codec)
    if nul >= 0:
        raise DraftError(
            file,
            f"line {source.line_of(nul)} holds a NUL character, so it is a binary file or text in an undeclared encoding",
            remedy="Save the draft as UTF-8 text.",
            offset=source.byte_of(nul),
        )
    return source


def _undecodable(data: bytes, file: str, codec: str, offset: int) -> DraftError:
    line = 1 + len(_LINE_END.findall(data[:offset].decode(codec, "ignore")))
    shown = data[offset : offset + 2].hex(" ")
    return DraftError(
        file,
        f"line {line} is not {codec.upper()} (bytes {shown})",
        remedy="Save the draft as UTF-8, for instance with your editor's “Save with encoding”.",
        offset=offset,
    )
