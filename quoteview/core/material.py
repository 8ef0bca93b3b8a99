"""What a review is made from: the job and its bytes, as they were read from the disk or made in memory.

Self-test, command line and window all hand a `Material` to `quoteview.core.review`; a planted change is a
`Material` in which one byte, line or time differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from quoteview.core.errors import LockBroken, StoreError
from quoteview.core.job import Job
from quoteview.core.journal import JournalRecord
from quoteview.core.locking import LockedSource


@dataclass(frozen=True, slots=True)
class Material:
    """A job with its bytes. `sources` has each locked track by id; `drafts` one place for each of the job's drafts.

    `record` is what `job.json` says of the journal; `journal_defects` what was wrong with its file beyond the chain;
    `manifest_defects` where the list of digests beside the locked files differs from `job.json`.
    `is_job` is False where files are checked without a job: then there is no journal to hold against anything.
    """

    job: Job
    sources: Mapping[str, LockedSource | LockBroken]
    drafts: tuple[bytes | StoreError, ...]
    record: JournalRecord = field(default_factory=JournalRecord)
    journal_defects: tuple[str, ...] = ()
    manifest_defects: tuple[str, ...] = ()
    is_job: bool = True

    @property
    def broken(self) -> tuple[LockBroken, ...]:
        """The locked files that are not what was locked, in the job's order."""
        found = (self.sources.get(record.id) for record in self.job.locked)
        return tuple(source for source in found if isinstance(source, LockBroken))

    @property
    def is_whole(self) -> bool:
        """Whether the bytes of every locked track are there, under the very lock that the job records."""
        found = ((record.lock, self.sources.get(record.id)) for record in self.job.locked)
        return all(isinstance(source, LockedSource) and source.lock == lock for lock, source in found)
