"""The journal: an append-only chain of what people decided, each line holding the digest of the one before.

- A line is one JSON object in canonical form, with the keys of its kind and no others. `previous` is the SHA-256 of
  the line before it, without its line end; that of the first line is 64 zeros.
- Each line carries what was decided, who, when (UTC), the digest of the reference track, and the draft.
- `job.json` records the journal's length and the digest of its last line, so that a tail cut off is seen.
- Before lines are added, `job.json` announces their digests; afterwards it records the new length. A
  program killed in between leaves a journal with none, some or all of the announced lines. Each of these
  is whole, no entry that was shown as done is lost, and a line that nobody announced is never taken up.

The chain shows damage. It does not show forgery: whoever can write every file can write a new chain.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from quoteview.core.acts import Act, act_from_json, act_to_json, canonical
from quoteview.core.door import fields_of
from quoteview.core.errors import JobError

BEGINNING = "0" * 64
"""What the first line holds in place of a digest."""

FILE = "journal.jsonl"
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line as read. `digest` is the line's own; `track` the reference's SHA-256 or ""; `draft` its path in the job or ""."""

    digest: str
    previous: str
    at: str
    by: str
    track: str
    draft: str
    act: Act


@dataclass(frozen=True, slots=True)
class JournalRecord:
    """What `job.json` says of the journal: length, digest of the last line, and digests of lines about to be added."""

    length: int = 0
    head: str = BEGINNING
    announced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Journal:
    """The journal's lines as they stand on disk, without line ends, oldest first."""

    lines: tuple[bytes, ...] = ()

    @property
    def length(self) -> int:
        """How many lines there are."""
        return len(self.lines)

    @property
    def head(self) -> str:
        """The digest of the last line; 64 zeros of an empty journal."""
        return digest_of(self.lines[-1]) if self.lines else BEGINNING

    @property
    def data(self) -> bytes:
        """The file's bytes."""
        return b"".join(line + b"\n" for line in self.lines)

    @property
    def record(self) -> JournalRecord:
        """What `job.json` must say of this journal."""
        return JournalRecord(self.length, self.head)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The lines as read, oldest first; one that cannot be read is left out here and named by `verify`."""
        return tuple(entry for line in self.lines if isinstance(entry := _read(line), Entry))

    def appended(self, act: Act, *, by: str, at: str, track: str = "", draft: str = "") -> Journal:
        """Return the journal with one more line."""
        return Journal((*self.lines, _written(act, previous=self.head, at=at, by=by, track=track, draft=draft)))

    def verify(self, record: JournalRecord) -> tuple[str, ...]:
        """Return everything that is wrong with the chain, its length or a line; empty where all is whole."""
        defects: list[str] = []
        previous = BEGINNING
        for number, line in enumerate(self.lines, 1):
            entry = _read(line)
            if not isinstance(entry, Entry):
                defects.append(f"{FILE}, line {number}: {entry}")
            elif entry.previous != previous:
                defects.append(f"{FILE}: the chain is broken at line {number}: it follows another line than the one before it.")
            previous = digest_of(line)
        return (*defects, *self._length_defects(record))

    def _length_defects(self, record: JournalRecord) -> tuple[str, ...]:
        if self.length < record.length:
            return (f"{FILE} has {self.length} lines, {record.length} are recorded: its end was cut off.",)
        added = tuple(digest_of(line) for line in self.lines[record.length :])
        if added != record.announced[: len(added)]:
            return (f"{FILE} has {self.length} lines, {record.length} are recorded: a line was added outside quoteview.",)
        head = digest_of(self.lines[record.length - 1]) if record.length else BEGINNING
        if head != record.head:
            return (f"{FILE}: line {record.length} is not the last line recorded: expected {record.head}, found {head}.",)
        return ()


def digest_of(line: bytes) -> str:
    """Return the SHA-256 of a line without its line end."""
    return hashlib.sha256(line).hexdigest()


def split_lines(data: bytes) -> tuple[Journal, bytes]:
    """Return the whole lines of a journal's file, and the bytes after the last line end (of a write that was cut short)."""
    *lines, rest = data.split(b"\n")
    return Journal(tuple(lines)), rest


def utc_now() -> str:
    """Return this moment as entries write it: UTC, whole seconds, `2026-03-01T12:00:00Z`."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _written(act: Act, *, previous: str, at: str, by: str, track: str, draft: str) -> bytes:
    """Return the one form in which a line is written."""
    return canonical({**act_to_json(act), "previous": previous, "at": at, "by": by, "track": track, "draft": draft})


@lru_cache(maxsize=16_384)
def _read(line: bytes) -> Entry | str:
    """Return a line as an entry, or the sentence that says why it is none. Lines never change, so each is read once."""
    try:
        fields = fields_of(line, FILE)
        entry = Entry(
            digest=digest_of(line),
            previous=fields.digest("previous"),
            at=fields.text("at"),
            by=fields.text("by"),
            track=fields.digest("track", may_be_empty=True),
            draft=fields.text("draft", ""),
            act=act_from_json(fields),
        )
        kept = _written(entry.act, previous=entry.previous, at=entry.at, by=entry.by, track=entry.track, draft=entry.draft)
        if kept != line:
            return "It is not as such a line is written: it has other keys, or another form."
        return entry if entry.by.strip() and _MOMENT.fullmatch(entry.at) else "It does not say who decided, and when."
    except JobError as error:
        return f"{error.place}: {error.reason}." if error.place else f"{error.reason}."
