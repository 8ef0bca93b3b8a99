"""The lock: bytes as they arrived, and the one door through which they become trusted.

Trust takes bytes in, never a path or a parsed object. Fresh bytes pass through `lock`, stored ones
through `reopen`, which recomputes the digest and raises `LockBroken` where one bit differs. A
`LockedSource` cannot be made in any other way, so whoever holds one holds proven bytes.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from quoteview.core.errors import LockBroken

_DOOR = object()


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of data as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True)
class Lock:
    """What was recorded of a file when it was locked: name within its job, digest in lower-case hex, size in bytes."""

    file: str
    sha256: str
    size: int


class LockedSource:
    """Bytes that are proven to be those of their lock. Made by `lock` and `reopen` only."""

    __slots__ = ("_data", "_lock")

    def __init__(self, door: object, lock: Lock, data: bytes) -> None:
        if door is not _DOOR:
            raise TypeError("a LockedSource comes from lock() or reopen(), nowhere else")
        self._lock = lock
        self._data = data

    @property
    def lock(self) -> Lock:
        """The record that these bytes were held against."""
        return self._lock

    @property
    def data(self) -> bytes:
        """The locked bytes, exactly as received."""
        return self._data


def lock(data: bytes, file: str) -> LockedSource:
    """Lock fresh bytes under the name `file` and return them with their new lock."""
    data = bytes(data)
    return LockedSource(_DOOR, Lock(file, sha256_hex(data), len(data)), data)


def reopen(recorded: Lock, data: bytes) -> LockedSource:
    """Return stored bytes as locked ones, or raise `LockBroken` with the digest expected and the one found."""
    data = bytes(data)
    observed = sha256_hex(data)
    if observed != recorded.sha256 or len(data) != recorded.size:
        raise LockBroken(recorded.file, recorded.sha256, observed)
    return LockedSource(_DOOR, recorded, data)
