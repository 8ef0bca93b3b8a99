"""The one converter between a draft's bytes, its code points, and the UTF-16 positions of a QTextDocument.

A document shows each line end of the draft (LF, CR, CRLF) as one paragraph separator, so CRLF is two
bytes, two code points and one document position; an emoji is four bytes, one code point and two
positions. U+2028 stays a character of its line; U+2029 ends a paragraph in a document, one position
like its one code point. The two noncharacters that a QTextDocument keeps for itself are shown as
U+FFFD; NUL likewise. A byte order mark is in front of everything and shown nowhere. All positions
that are handed out are legal: inside a surrogate pair or a CRLF they are moved to its start.

Lines are indexed once; within a line the conversion is direct, so a key typed in a long draft costs a
search and one line.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from quoteview.core.drafts.draft import Patch
from quoteview.core.spans import ByteSpan, TextSpan

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SHOWN_INSTEAD = str.maketrans({"\x00": "\ufffd", "\ufdd0": "\ufffd", "\ufdd1": "\ufffd"})
_PARAGRAPH_SEPARATOR = "\u2029"
_LINE_END = re.compile("\r\n|\r|\n")
_LINE_END_BYTES = re.compile(b"\r\n|\r|\n")
_CRLF = re.compile("\r\n")
_FOUR_BYTE_LEADS = b"\xf0\xf1\xf2\xf3\xf4"
"""The first bytes in UTF-8 of every character beyond U+FFFF; looking for them is much faster than for the characters."""

_BEYOND = re.compile("[\U00010000-\U0010ffff]")


class DocumentSpan(NamedTuple):
    """UTF-16 units `start` up to, not including, `end` of a QTextDocument."""

    start: int
    end: int


class _Line(NamedTuple):
    """Where a line begins, in code points, bytes and document positions, and its text without the line end."""

    point: int
    byte: int
    position: int
    text: str
    is_ascii: bool


def utf16_length(text: str) -> int:
    """Return how many UTF-16 units a text has."""
    return len(text) if text.isascii() else len(text) + sum(1 for character in text if character > "\uffff")


def utf16_of_point(text: str, point: int) -> int:
    """Return the UTF-16 position of code point `point` of text."""
    return utf16_length(text[:point])


def point_of_utf16(text: str, position: int) -> int:
    """Return the code point at a UTF-16 position of text; a position inside a pair counts as its start."""
    if text.isascii():
        return max(0, min(position, len(text)))
    at = 0
    for point, character in enumerate(text):
        at += 2 if character > "\uffff" else 1
        if at > position:
            return point
    return len(text)


class DraftText:
    """A draft's bytes as text, and every way between its three kinds of positions. Immutable.

    Bytes that are not valid in the draft's encoding raise UnicodeDecodeError: such a draft is not read at all.
    """

    def __init__(self, draft_bytes: bytes) -> None:
        mark, self._codec = next(((m, c) for m, c in _MARKS if draft_bytes.startswith(m)), (b"", "utf-8"))
        self._mark_length = len(mark)
        self._bytes = draft_bytes
        self.text = draft_bytes[len(mark) :].decode(self._codec)
        self._points = _line_starts(self.text)
        self._byte_starts = _byte_starts(draft_bytes, self.text, self._points, len(mark), self._codec)
        has_pairs = self._codec != "utf-8" or any(lead in draft_bytes for lead in _FOUR_BYTE_LEADS)
        self._positions = _positions(self.text, self._points) if has_pairs or "\r\n" in self.text else self._points

    @property
    def draft_bytes(self) -> bytes:
        """The draft's bytes as they were given."""
        return self._bytes

    @property
    def document_text(self) -> str:
        """The text for `QPlainTextEdit.setPlainText`: one "\\n" for each line end, nothing else changed in length."""
        text = self.text
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return text.translate(_SHOWN_INSTEAD) if any(shown in text for shown in "\x00\ufdd0\ufdd1") else text

    @property
    def document_length(self) -> int:
        """UTF-16 units of the document, without the separator that Qt counts at its very end."""
        last = self._line(len(self._points) - 1)
        return last.position + utf16_length(last.text)

    @property
    def line_end(self) -> str:
        """The line end that the draft itself uses first; "\\n" where it has none."""
        found = _LINE_END.search(self.text)
        return found.group() if found else "\n"

    def position_of_byte(self, byte: int) -> int:
        """Return the document position of a byte offset; inside a character or CRLF: its start."""
        line = self._line(max(0, bisect_right(self._byte_starts, byte) - 1))
        return line.position + utf16_of_point(line.text, self._point_in_line(line, byte))

    def byte_of_position(self, position: int) -> int:
        """Return the byte offset of a document position; past the end counts as the end."""
        line = self._line(max(0, bisect_right(self._positions, position) - 1))
        point = point_of_utf16(line.text, position - line.position)
        return line.byte + self._size(line.text[:point], line.is_ascii)

    def point_of_byte(self, byte: int) -> int:
        """Return the code point of `text` that a byte offset stands in."""
        line = self._line(max(0, bisect_right(self._byte_starts, byte) - 1))
        return line.point + self._point_in_line(line, byte)

    def byte_of_point(self, point: int) -> int:
        """Return the byte offset of a code point of `text`."""
        line = self._line(max(0, bisect_right(self._points, point) - 1))
        inside = point - line.point
        if inside <= len(line.text):
            return line.byte + self._size(line.text[:inside], line.is_ascii)
        return line.byte + self._size(self.text[line.point : point], False)

    def document_span(self, span: ByteSpan) -> DocumentSpan:
        """Return where bytes of the draft stand in the document."""
        return DocumentSpan(self.position_of_byte(span.start), self.position_of_byte(span.end))

    def byte_span(self, span: DocumentSpan) -> ByteSpan:
        """Return which bytes of the draft a part of the document shows."""
        return ByteSpan(self.byte_of_position(span.start), self.byte_of_position(span.end))

    def text_span(self, span: ByteSpan) -> TextSpan:
        """Return the code points of `text` that bytes of the draft are."""
        return TextSpan(self.point_of_byte(span.start), self.point_of_byte(span.end))

    def slice(self, span: DocumentSpan) -> str:
        """Return the draft's own characters behind a part of the document, for the clipboard: line ends as they are."""
        start, end = self.byte_span(span)
        return self._bytes[start:end].decode(self._codec)

    def encode(self, typed: str) -> bytes:
        """Return typed or pasted characters as bytes of this draft: line and paragraph ends become its own line end.

        Lone surrogates, which an interrupted input can leave, become U+FFFD.
        """
        one_kind = typed.replace("\r\n", "\n").replace("\r", "\n").replace(_PARAGRAPH_SEPARATOR, "\n")
        paired = one_kind.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return paired.replace("\n", self.line_end).encode(self._codec)

    def patch(self, position: int, removed: int, inserted: str) -> Patch:
        """Return the change of bytes that replaces `removed` units from a document position by characters."""
        start = self.byte_of_position(position)
        end = self.byte_of_position(position + removed)
        return Patch(start, end, self.encode(inserted))

    def _line(self, number: int) -> _Line:
        start = self._points[number]
        end = self._points[number + 1] if number + 1 < len(self._points) else len(self.text)
        line = self.text[start:end]
        if number + 1 < len(self._points):
            line = line[: -2 if line.endswith("\r\n") else -1]
        return _Line(start, self._byte_starts[number], self._positions[number], line, line.isascii())

    def _point_in_line(self, line: _Line, byte: int) -> int:
        offset = max(0, byte - line.byte)
        if line.is_ascii and self._codec == "utf-8":
            return min(offset, len(line.text))
        encoded = line.text.encode(self._codec)
        if offset >= len(encoded):
            return len(line.text)
        return len(encoded[: _character_start(encoded, offset, self._codec)].decode(self._codec))

    def _size(self, text: str, is_ascii: bool) -> int:
        return len(text) if is_ascii and self._codec == "utf-8" else len(text.encode(self._codec))


def difference(old: str, new: str) -> tuple[DocumentSpan, str]:
    """Return the one replacement that turns a document's old text into the new one, in UTF-16 positions of the old.

    A view that already shows the old text applies it instead of setting everything anew, so that cursor
    and scroll position stay.
    """
    limit = min(len(old), len(new))
    start = _common(old, new, limit)
    tail = _common(old[::-1], new[::-1], limit - start)
    start_position = utf16_length(old[:start])
    end_position = start_position + utf16_length(old[start : len(old) - tail])
    return DocumentSpan(start_position, end_position), new[start : len(new) - tail]


def shifted(byte: int, patches: Sequence[Patch]) -> int:
    """Return where a byte offset stands after patches; inside a replaced part it moves to that part's start."""
    moved = byte
    for patch in patches:
        if patch.end <= byte:
            moved += len(patch.replacement) - (patch.end - patch.start)
        elif patch.start < byte:
            moved -= byte - patch.start
    return moved


def _common(one: str, other: str, limit: int) -> int:
    """Return the length of the common beginning, up to limit, by halving: slices compare at the speed of memory."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _line_starts(text: str) -> list[int]:
    """Return the code point each line begins at; where no carriage return stands, by dividing, which is faster."""
    if "\r" in text:
        return [0, *(match.end() for match in _LINE_END.finditer(text))]
    return list(accumulate([len(line) + 1 for line in text.split("\n")[:-1]], initial=0))


def _byte_starts(draft_bytes: bytes, text: str, points: list[int], first_byte: int, codec: str) -> list[int]:
    """Return the byte each line begins at; in UTF-8 line ends are found in the bytes themselves."""
    if codec == "utf-8" and b"\r" not in draft_bytes:
        return list(accumulate([len(line) + 1 for line in draft_bytes[first_byte:].split(b"\n")[:-1]], initial=first_byte))
    if codec == "utf-8":
        return [first_byte, *(match.end() for match in _LINE_END_BYTES.finditer(draft_bytes, first_byte))]
    starts = [first_byte]
    for start, end in pairwise(points):
        starts.append(starts[-1] + len(text[start:end].encode(codec)))
    return starts


def _positions(text: str, points: list[int]) -> list[int]:
    """Return the document position each line begins at: less by one for each CRLF before, more by one for each pair."""
    shifts = sorted(
        [(match.end(), -1) for match in _CRLF.finditer(text)] + [(match.end(), 1) for match in _BEYOND.finditer(text)]
    )
    if not shifts:
        return points
    positions, at, shift = [], 0, 0
    for point in points:
        while at < len(shifts) and shifts[at][0] <= point:
            shift += shifts[at][1]
            at += 1
        positions.append(point + shift)
    return positions


def _character_start(encoded: bytes, offset: int, codec: str) -> int:
    if codec == "utf-8":
        while offset and encoded[offset] & 0xC0 == 0x80:
            offset -= 1
        return offset
    offset -= offset % 2
    high_byte = offset + (1 if codec == "utf-16-le" else 0)
    return offset - 2 if 0xDC <= encoded[high_byte] <= 0xDF and offset >= 2 else offset
