"""Small media files, built byte by byte: a length, and filling in the place of sound."""

from __future__ import annotations

import struct


def box(name: bytes, content: bytes) -> bytes:
    """Return an MP4 box."""
    return struct.pack(">I4s", 8 + len(content), name) + content


def mvhd(length: int, scale: int = 1000, *, version: int = 0) -> bytes:
    """Return a `mvhd` box of so many units."""
    if version:
        return box(b"mvhd", struct.pack(">B3xQQIQ", 1, 0, 0, scale, length) + bytes(80))
    return box(b"mvhd", struct.pack(">B3xIIII", 0, 0, 0, scale, length) + bytes(80))


def mp4(length_ms: int, filling: int = 5000) -> bytes:
    """Return an MP4 file that says how long it is; the filling is of bytes that differ, so that a mixed-up part shows."""
    samples = bytes(number * 7 % 251 for number in range(filling))
    return box(b"ftyp", b"M4A \0\0\2\0isomiso2") + box(b"moov", mvhd(length_ms)) + box(b"mdat", samples)
