"""What a media file says of itself: its length, and whether it is cut off. Nothing is decoded; headers alone are read.

- MP4, M4A: `mvhd`, else `mehd` or the `sidx` boxes of a fragmented file (ISO/IEC 14496-12). A box that is longer than the rest
  of the file means that it is cut off.
- WebM, Matroska: `Segment/Info`'s `Duration` times `TimestampScale` (RFC 9559).
- MP3: every frame's header is read, since a constant rate is only a guess (ISO/IEC 11172-3).
- Ogg: the last page's position; Opus counts at 48 kHz, less what is skipped at the start (RFC 7845).
- WAV and FLAC: the header's counts.

Anything else has no known length, which is not a fault.
"""

from __future__ import annotations

import codecs
import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_HEAD = 64 * 1024


@dataclass(frozen=True, slots=True)
class Container:
    """What was read. `kind` is "" for what is no container known here; `duration_ms` None where it does not say."""

    kind: str
    duration_ms: int | None
    is_cut: bool = False


def read_container(path: Path) -> Container:
    """Return what a media file says of itself. A file that breaks its own format has no known length."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
        stream.seek(0)
        try:
            return _read(stream, head, size)
        except (struct.error, IndexError, ZeroDivisionError, OverflowError, ValueError):
            return Container(_kind(head), None)


def is_text(head: bytes) -> bool:
    """Return whether the first bytes of a file are text, such as a web page or a list of pieces, instead of media."""
    start = head[:1024]
    if not start or b"\0" in start or _kind(head):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return True


def _kind(head: bytes) -> str:
    if head[4:8] in (b"ftyp", b"styp", b"moov", b"mdat"):
        return "mp4"
    if head.startswith(b"\x1a\x45\xdf\xa3"):
        return "matroska"
    if head.startswith(b"OggS"):
        return "ogg"
    if head.startswith(b"RIFF") and head[8:12] == b"WAVE":
        return "wav"
    if head.startswith(b"fLaC"):
        return "flac"
    is_frame = len(head) > 3 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0 and _frame(head[:4]) is not None
    return "mp3" if head.startswith(b"ID3") or is_frame else ""


def _read(stream: BinaryIO, head: bytes, size: int) -> Container:
    match _kind(head):
        case "mp4":
            return _mp4(stream, size)
        case "matroska":
            return _matroska(head, size)
        case "ogg":
            return Container("ogg", _ogg(stream, head, size))
        case "wav":
            return _wav(stream, size)
        case "flac":
            rate, frames = int.from_bytes(head[18:21], "big") >> 4, int.from_bytes(head[21:26], "big") & 0xFFFFFFFFF
            return Container("flac", _ms(frames, rate) if frames else None)
        case "mp3":
            return Container("mp3", _mp3(stream, size))
        case kind:
            return Container(kind, None)


def _ms(units: int, per_second: int) -> int:
    return (units * 1000 + per_second // 2) // per_second


# -- MP4 ----------------------------------------------------------------------


def _boxes(stream: BinaryIO, start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """Yield each box as (type, start of its content, its end); the end may lie beyond the file's."""
    while start + 8 <= end:
        stream.seek(start)
        length, name = struct.unpack(">I4s", stream.read(8))
        content = start + 8
        if length == 1:
            (length,) = struct.unpack(">Q", stream.read(8))
            content += 8
        stop = end if length == 0 else start + length
        if stop < content:
            return
        yield name, content, stop
        start = stop


def _mp4(stream: BinaryIO, size: int) -> Container:
    whole: int | None = None
    pieces_ms: dict[int, int] = {}
    is_cut, has_samples = False, False
    for name, start, end in _boxes(stream, 0, size):
        is_cut = is_cut or end > size
        has_samples = has_samples or name == b"mdat"
        if end > size:
            break
        if name == b"moov":
            whole = _movie_ms(stream, start, end)
        elif name == b"sidx":
            track, length_ms = _index(stream, start, end)
            pieces_ms[track] = pieces_ms.get(track, 0) + length_ms
    return Container("mp4", whole or max(pieces_ms.values(), default=0) or None, is_cut or not has_samples)


def _movie_ms(stream: BinaryIO, start: int, end: int) -> int | None:
    scale, found = 0, 0
    for name, inside, stop in _boxes(stream, start, end):
        if name == b"mvhd":
            scale, found = _header(stream, inside, scale_at=12, long_scale_at=20)
        elif name == b"mvex" and not found:
            for inner, content, _stop in _boxes(stream, inside, stop):
                if inner == b"mehd":
                    stream.seek(content)
                    is_long = stream.read(4)[0] == 1
                    found = int.from_bytes(stream.read(8 if is_long else 4), "big")
    return _ms(found, scale) if scale and found else None


def _header(stream: BinaryIO, start: int, *, scale_at: int, long_scale_at: int) -> tuple[int, int]:
    """Return (units a second, length in them) of a `mvhd`; a length of all ones is unknown."""
    stream.seek(start)
    body = stream.read(long_scale_at + 12)
    if body[0] == 1:
        scale, length = struct.unpack_from(">IQ", body, long_scale_at)
        return scale, 0 if length == 0xFFFFFFFFFFFFFFFF else length
    scale, length = struct.unpack_from(">II", body, scale_at)
    return scale, 0 if length == 0xFFFFFFFF else length


def _index(stream: BinaryIO, start: int, end: int) -> tuple[int, int]:
    """Return (track, length in ms) of the pieces that a `sidx` lists; those that are lists themselves count on their own."""
    stream.seek(start)
    body = stream.read(end - start)
    track, scale = struct.unpack_from(">II", body, 4)
    place = 12 + (8 if body[0] == 0 else 16) + 2
    (count,) = struct.unpack_from(">H", body, place)
    pieces = [struct.unpack_from(">II", body, place + 2 + 12 * number) for number in range(count)]
    return track, _ms(sum(length for kind, length in pieces if not kind >> 31), scale)


# -- Matroska -----------------------------------------------------------------


def _matroska(head: bytes, size: int) -> Container:
    """Read the segment's head; files that were written as a stream have neither its size nor a length."""
    place = 0
    scale_ns, units, is_cut = 1_000_000, 0.0, False
    while place < len(head):
        number, place = _element(head, place)
        length, content, is_open = _length(head, place)
        if number == 0x18538067:  # Segment: its content is read, and its end must be inside the file
            is_cut = not is_open and content + length > size
            place = content
        elif number == 0x1549A966:  # Info: its content is read
            place = content
        elif number == 0x1F43B675:  # Cluster: the samples begin
            break
        else:
            if number == 0x2AD7B1:
                scale_ns = int.from_bytes(head[content : content + length], "big")
            elif number == 0x4489:
                (units,) = struct.unpack(">f" if length == 4 else ">d", head[content : content + length])
            place = content + length
    return Container("matroska", round(units * scale_ns / 1_000_000) or None, is_cut)


def _element(data: bytes, place: int) -> tuple[int, int]:
    width = 9 - data[place].bit_length()
    if width > 4:
        raise ValueError("no element begins here")
    return int.from_bytes(data[place : place + width], "big"), place + width


def _length(data: bytes, place: int) -> tuple[int, int, bool]:
    """Return an element's length, where its content begins, and whether its length is left open."""
    width = 9 - data[place].bit_length()
    value = int.from_bytes(data[place : place + width], "big") & ((1 << (7 * width)) - 1)
    return value, place + width, value == (1 << (7 * width)) - 1


# -- MP3, Ogg, WAV ------------------------------------------------------------

_KBIT = {
    1: (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    2: (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
"""Rates of layer III, of MPEG-1 and of MPEG-2 and 2.5."""

_HERTZ = {3: (44100, 48000, 32000), 2: (22050, 24000, 16000), 0: (11025, 12000, 8000)}


def _frame(head: bytes) -> tuple[int, int, int] | None:
    """Return (bytes, samples, samples a second) of the layer III frame that a header begins, None where it is none."""
    version, layer, rate, hertz = head[1] >> 3 & 3, head[1] >> 1 & 3, head[2] >> 4, head[2] >> 2 & 3
    if head[0] != 0xFF or head[1] & 0xE0 != 0xE0 or version == 1 or layer != 1 or rate in (0, 15) or hertz == 3:
        return None
    kbit, per_second = _KBIT[1 if version == 3 else 2][rate], _HERTZ[version][hertz]
    samples = 1152 if version == 3 else 576
    return samples // 8 * kbit * 1000 // per_second + (head[2] >> 1 & 1), samples, per_second


def _mp3(stream: BinaryIO, size: int) -> int | None:
    head = stream.read(10)
    place = 0
    if head.startswith(b"ID3"):
        place = 10 + (head[6] << 21 | head[7] << 14 | head[8] << 7 | head[9])
    samples, per_second, at = 0, 0, place
    with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        while at + 4 <= size and (found := _frame(data[at : at + 4])) is not None:
            length, count, per_second = found
            is_index = at == place and any(word in data[at : at + 64] for word in (b"Xing", b"Info", b"VBRI"))
            samples += 0 if is_index else count
            at += length
    return _ms(samples, per_second) if samples else None


def _ogg(stream: BinaryIO, head: bytes, size: int) -> int | None:
    first = 27 + head[26]
    if head[first : first + 8] == b"OpusHead":
        per_second, skipped = 48_000, int.from_bytes(head[first + 10 : first + 12], "little")
    elif head[first : first + 7] == b"\x01vorbis":
        per_second, skipped = int.from_bytes(head[first + 12 : first + 16], "little"), 0
    else:
        return None
    stream.seek(max(0, size - 2 * _HEAD))
    tail = stream.read()
    last = tail.rfind(b"OggS")
    (position,) = struct.unpack_from("<q", tail, last + 6)
    return _ms(position - skipped, per_second) if position > skipped else None


def _wav(stream: BinaryIO, size: int) -> Container:
    stream.seek(12)
    place, rate = 12, 0
    while place + 8 <= size:
        stream.seek(place)
        name, length = struct.unpack("<4sI", stream.read(8))
        if name == b"fmt ":
            rate = struct.unpack_from("<I", stream.read(16), 8)[0]
        elif name == b"data":
            is_cut = place + 8 + length > size and length != 0xFFFFFFFF
            return Container("wav", _ms(min(length, size - place - 8), rate) if rate else None, is_cut)
        place += 8 + length + length % 2
    return Container("wav", None, is_cut=True)
