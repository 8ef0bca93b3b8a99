"""Unsaved text that survives a crash: a file of our own for each draft, beside neither the draft nor the job.

A recovery file says which draft it is of and which bytes of the draft it was typed over, by digest. It is
written and read by workers, and removed once the draft itself is saved.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from quoteview.app.settings import recovery_folder
from quoteview.core.acts import canonical
from quoteview.core.atomic import store_error, write_atomic
from quoteview.core.door import fields_of
from quoteview.core.errors import JobError
from quoteview.core.journal import utc_now


@dataclass(frozen=True, slots=True)
class Recovered:
    """Text that was not saved: over which bytes it was typed (their SHA-256), when, and its own bytes."""

    base: str
    at: str
    text: bytes


def keep(draft: Path, base: str, text: bytes) -> None:
    """Keep unsaved text of a draft; raises `StoreError` where that is not possible."""
    file = _file(draft)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise store_error(file.parent, error) from error
    head = canonical({"draft": str(draft), "base": base, "at": utc_now()})
    write_atomic(file, head + b"\n" + text, mode=0o600)


def find(draft: Path) -> Recovered | None:
    """Return what is kept of a draft, None where nothing is or it cannot be understood."""
    try:
        content = _file(draft).read_bytes()
    except OSError:
        return None
    head, _, text = content.partition(b"\n")
    try:
        fields = fields_of(head, str(draft))
        if fields.text("draft") != str(draft):
            return None
        return Recovered(fields.digest("base", may_be_empty=True), fields.text("at"), text)
    except JobError:
        return None


def drop(draft: Path) -> None:
    """Forget what is kept of a draft; nothing happens where nothing is."""
    try:
        _file(draft).unlink(missing_ok=True)
    except OSError as error:
        raise store_error(_file(draft), error) from error


def _file(draft: Path) -> Path:
    return recovery_folder() / f"{hashlib.sha256(str(draft).encode('utf-8', 'surrogateescape')).hexdigest()[:32]}.draft"
