"""Locked bytes as one UTF-8 view with a way back to the file's own offsets.

Every reader works on UTF-8 bytes, whatever the file is encoded in. A UTF-8 file is its own view; any
other file is transcoded, and each view offset maps back to the byte of the file it came from. The
encoding is the one a person chose, else the byte-order mark's, else the one declared (XML), else
strict UTF-8. Bytes that the encoding cannot decode are listed as invalid and never replaced in
silence. A file with at least as many invalid sequences as valid multi-byte ones is in another
encoding: it is refused with the likely ones named.
"""

from __future__ import annotations

import codecs
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from quoteview.core.errors import CaptionError, EncodingUnclear
from quoteview.core.locking import LockedSource
from quoteview.core.spans import ByteSpan

# UTF-32 LE's mark begins like UTF-16 LE's, so the longer ones come first.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_XML_ENCODING = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
_VALID = (
    rb"[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
# The second alternative is a maximal subpart of an ill-formed sequence (Unicode 3.9, table 3-8).
_HIGH = re.compile(
    rb"(" + _VALID + rb")|\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]?|[\xf1-\xf3][\x80-\xbf]{1,2}|\xf4[\x80-\x8f][\x80-\xbf]?|[\x80-\xff]"
)
_LINE_END = re.compile(rb"\r\n|\n|\r")

# What the fields of a time are worth: a look-up costs a quarter of int(), of which a long file needs a million.
MS_OF_HOUR: dict[bytes | None, int] = {None: 0} | {b"%02d" % hours: 3_600_000 * hours for hours in range(100)}
MS_OF_MINUTE = {b"%02d" % minutes: 60_000 * minutes for minutes in range(60)}
MS_OF_SECOND = {b"%02d" % seconds: 1_000 * seconds for seconds in range(60)}
MS_OF_THOUSANDTH = {b"%03d" % thousandths: thousandths for thousandths in range(1000)}


@dataclass(frozen=True, slots=True)
class View:
    """A locked file as UTF-8. Offsets into `data` are view offsets; `offset` leads back to the file.

    `start` is the first view offset after a byte-order mark. `invalid` are view spans, in order, that
    the encoding cannot decode (in a transcoded view each holds U+FFFD for one byte of the file).
    """

    source: LockedSource
    data: bytes
    encoding: str
    start: int
    invalid: tuple[ByteSpan, ...]
    back: array[int] | None

    @property
    def file(self) -> str:
        """The file's name for messages."""
        return self.source.lock.file

    def offset(self, position: int) -> int:
        """Return the byte of the file at a view offset."""
        return position if self.back is None else self.back[position]

    def span(self, start: int, end: int) -> ByteSpan:
        """Return the bytes of the file for a view span."""
        return ByteSpan(self.offset(start), self.offset(end))

    def line(self, position: int) -> int:
        """Return the 1-based number of the line that a view offset lies in."""
        return 1 + sum(1 for _ in _LINE_END.finditer(self.data, 0, position))

    def pieces(self, start: int, end: int) -> Iterator[tuple[bool, int, int]]:
        """Yield (is_valid, start, end) for the parts of a view span, split where bytes are invalid."""
        if self.invalid:
            at = bisect_right(self.invalid, ByteSpan(start, start))
            if at and self.invalid[at - 1].end > start:
                at -= 1
            while at < len(self.invalid) and self.invalid[at].start < end:
                bad = self.invalid[at]
                if bad.start > start:
                    yield True, start, bad.start
                yield False, max(bad.start, start), min(bad.end, end)
                start = min(bad.end, end)
                at += 1
        if start < end:
            yield True, start, end

    def shown(self, start: int, end: int) -> str:
        """Return the characters of a view span, U+FFFD for each byte of the file that is invalid; for names, not for evidence."""
        if not self.invalid:
            return self.data[start:end].decode("utf-8")
        return "".join(
            self.data[a:b].decode("utf-8") if valid else "\ufffd" * (self.offset(b) - self.offset(a))
            for valid, a, b in self.pieces(start, end)
        )

    def readable(self) -> bytes:
        """Return `data` with `_` for every invalid byte: the same length, for parsers that insist on valid UTF-8.

        A letter would begin a tag behind `<`, and `?` an instruction.
        """
        if not self.invalid:
            return self.data
        scratch = bytearray(self.data)
        for start, end in self.invalid:
            scratch[start:end] = b"_" * (end - start)
        return bytes(scratch)

    def refuse(self, reason: str, position: int, *, remedy: str, format: str = "") -> CaptionError:
        """Return the error that refuses this file because of what stands at a view offset."""
        return CaptionError(
            self.file, reason, remedy=remedy, offset=self.offset(position), line=self.line(position), format=format
        )


def view_of(source: LockedSource, *, encoding: str | None = None) -> View:
    """Return locked bytes as a view. `encoding` is a person's choice and overrides what the file says.

    Raises `EncodingUnclear` where the bytes are in no encoding that they name, and `CaptionError` for
    an encoding that Python does not know.
    """
    data = source.data
    if encoding is None:
        for mark, name in _MARKS:
            if data.startswith(mark):
                return _utf8(source) if name == "utf-8" else _transcoded(source, name)
        declared = _XML_ENCODING.match(data[:300])
        # A declaration that can be read byte by byte is not in UTF-16 or UTF-32, whatever it says.
        if declared and not declared[1].lower().startswith((b"utf-16", b"utf-32", b"ucs", b"iso-10646")):
            encoding = declared[1].decode("ascii")
    if encoding is not None:
        name = _codec(source, encoding)
        return _utf8(source) if name == "utf-8" else _transcoded(source, name)
    return _utf8(source)


_ESCAPES = frozenset(("unicode-escape", "raw-unicode-escape", "utf-7", "idna", "punycode", "undefined"))
"""What Python calls encodings and no caption file is in: they turn characters of the file into others (`\\u0062oats`)."""


def _codec(source: LockedSource, encoding: str) -> str:
    try:
        name = codecs.lookup(encoding).name
        codecs.getincrementaldecoder(name)
        "".encode(name)
        if name.replace("_", "-") in _ESCAPES:
            raise LookupError(name)
    except (LookupError, UnicodeError, TypeError) as error:
        raise CaptionError(
            source.lock.file, f"the encoding “{encoding}” is not known", remedy="Name another one, for example encoding=utf-8."
        ) from error
    if name in ("utf-8", "utf-8-sig", "utf_8_sig"):
        return "utf-8"
    return {"utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(name, name)


def _utf8(source: LockedSource) -> View:
    data = source.data
    start = 3 if data.startswith(codecs.BOM_UTF8) else 0
    _refuse_wide_without_mark(source)
    invalid: tuple[ByteSpan, ...] = ()
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        found = [(m[1] is not None, m.start(), m.end()) for m in _HIGH.finditer(data)]
        invalid = tuple(ByteSpan(a, b) for valid, a, b in found if not valid)
        if len(invalid) >= len(found) - len(invalid):
            line = 1 + sum(1 for _ in _LINE_END.finditer(data, 0, error.start))
            raise EncodingUnclear(
                source.lock.file, "the text is not in UTF-8", likely_encodings(data), offset=error.start, line=line
            ) from error
    return View(source, data, "utf-8", start, invalid, None)


def _refuse_wide_without_mark(source: LockedSource) -> None:
    """Text in UTF-16 without a mark is valid UTF-8 full of NULs; it is refused rather than read as such."""
    head = source.data[:4000]
    if len(head) < 8 or head.count(0) * 3 < len(head):
        if b"-\0-\0>\0" in head and head.count(0) * 8 > len(head):  # a script whose letters hold no NUL
            before = head.partition(b"-\0-\0>\0")[0]
            likely = "utf-16-le" if len(before) % 2 == 0 else "utf-16-be"
            raise EncodingUnclear(source.lock.file, "the text looks like UTF-16 without a byte-order mark", (likely,))
        return
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if even * 8 < odd or odd * 8 < even:
        likely = "utf-16-le" if odd > even else "utf-16-be"
        raise EncodingUnclear(source.lock.file, "the text looks like UTF-16 without a byte-order mark", (likely,))


def likely_encodings(data: bytes) -> tuple[str, ...]:
    """Return names of encodings that the bytes may be in, best first, at most four; for a person to choose from."""
    from charset_normalizer import from_bytes  # only where a file is refused: the import is slow

    names = [match.encoding.replace("_", "-") for match in from_bytes(data[:200_000])]
    common = [name for name in ("cp1252", "cp1250", "cp1251") if name not in names]
    return tuple(dict.fromkeys([name for name in names if name not in ("utf-8", "ascii")] + common))[:4]


def _transcoded(source: LockedSource, name: str) -> View:
    """Return the UTF-8 view of a file in another encoding, with the byte of the file for each byte of the view."""
    data = source.data
    out: list[bytes] = []
    back = array("q")
    invalid: list[ByteSpan] = []
    at = begin = 0
    for text, length, is_valid in _characters(data, name):
        encoded = text.encode("utf-8")
        out.append(encoded)
        back.extend([begin] * len(encoded))
        if not is_valid:
            invalid.append(ByteSpan(at, at + len(encoded)))
        at += len(encoded)
        begin += length
    back.append(len(data))
    view = b"".join(out)
    return View(source, view, name, 3 if view.startswith(codecs.BOM_UTF8) else 0, tuple(invalid), back)


def _characters(data: bytes, name: str) -> Iterator[tuple[str, int, bool]]:
    """Yield (text, bytes of data, whether they decode) for each character in file order; U+FFFD for a byte that does not."""
    try:
        text = data.decode(name)
    except UnicodeDecodeError:
        yield from _single_steps(data, name)
        return
    sizes: dict[str, int] = {}
    for character in set(text):
        try:
            sizes[character] = len(character.encode(name))
        except UnicodeEncodeError:
            break
    if len(sizes) == len(set(text)) and sum(map(sizes.__getitem__, text)) == len(data):
        for character in text:
            yield character, sizes[character], True
    else:  # an encoding with shifts, or one in which bytes of several lengths mean the same
        yield from _single_steps(data, name)


def _single_steps(data: bytes, name: str) -> Iterator[tuple[str, int, bool]]:
    decoder = codecs.getincrementaldecoder(name)()
    begin = 0
    for position in range(len(data)):
        try:
            text = decoder.decode(data[position : position + 1])
        except UnicodeDecodeError:
            for _ in range(begin, position + 1):
                yield "\ufffd", 1, False
            decoder.reset()
            begin = position + 1
            continue
        if text:
            yield text, position + 1 - begin, True
            begin = position + 1
    try:
        rest = decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        for _ in range(begin, len(data)):
            yield "\ufffd", 1, False
        return
    if rest:
        yield rest, len(data) - begin, True
