"""The journal: an append-only chain of what a person decided, each line holding the digest of the one before."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Journal:
    """The journal's lines as they stand on disk, oldest first."""

    lines: tuple[bytes, ...] = ()
