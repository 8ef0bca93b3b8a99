"""The open job's own place on the disk: its lock, and every write to it, in the order in which it was asked for.

Its methods are called by one worker thread alone, one after the other; so each entry of the journal is
added to the job as the entry before left it, however fast they were asked for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from quoteview.app import recovery
from quoteview.core import store
from quoteview.core.acts import Act, Withdraw
from quoteview.core.errors import StoreError, UsageError
from quoteview.core.job import Job, with_act, with_end_mark
from quoteview.core.joblock import JobLock
from quoteview.core.journal import utc_now
from quoteview.core.labelling import Label, act_of
from quoteview.fetching.changes import Change, further_track


class ChangedOutside(StoreError):
    """Another program changed a draft's file, or it is gone; nothing was written."""


class JobFile:
    """Writes to one job while it is open. `job` is the job as it stands on the disk.

    Without a lock the job is open read-only: every method that writes raises `UsageError` and has written nothing.
    """

    def __init__(self, folder: Path, job: Job, lock: JobLock | None) -> None:
        self.folder = folder
        self.job = job
        self._lock = lock
        self._entries: dict[int, str] = {}

    @property
    def is_read_only(self) -> bool:
        """Whether nothing may be written."""
        return self._lock is None

    def record(self, act: Act, serial: int, *, by: str, track: str, draft: str) -> Job:
        """Add an entry to the journal, durable on return, and return the job with it. `serial` names it for `withdraw`."""
        self._require_lock()
        after = with_act(self.job, act, by=by, at=utc_now(), track=track, draft=draft)
        store.append_journal(self.folder, self.job, after)
        self.job = after
        self._entries[serial] = after.journal.head
        return after

    def withdraw(self, serial: int, *, by: str, track: str, draft: str) -> Job:
        """Add the entry that takes an earlier one of this session back, and return the job with it."""
        return self.record(Withdraw(self._entries[serial]), -serial, by=by, track=track, draft=draft)

    def save(self, index: int, content: bytes, expected: bytes | None) -> None:
        """Write a draft's bytes. `expected` is what stands in its file as far as we know, None where it should be gone.

        Raises `ChangedOutside` where something else stands there.
        """
        self._require_lock()
        known = hashlib.sha256(expected).hexdigest() if expected is not None else ""
        found = store.draft_sha256(self.folder, self.job, index)
        if found != known:
            path = str(self.draft_path(index))
            raise ChangedOutside(path, "another program changed the draft", remedy="Take its text, or keep yours and save again.")
        store.save_draft(self.folder, self.job, index, content)
        recovery.drop(self.draft_path(index))

    def keep(self, index: int, content: bytes, base: bytes | None) -> None:
        """Keep unsaved text for recovery; nothing is kept of text that is as in the file."""
        self._require_lock()
        if content == base:
            recovery.drop(self.draft_path(index))
        else:
            digest = hashlib.sha256(base).hexdigest() if base is not None else ""
            recovery.keep(self.draft_path(index), digest, content)

    def add_drafts(self, files: Sequence[Path]) -> Job:
        """Copy drafts into the job and return it with them."""
        self._require_lock()
        for file in files:
            self.job = store.add_draft(self.folder, self.job, file)
        return self.job

    def ask_end_mark(self, mark: str) -> Job:
        """Write what every draft must end in, "" for nothing, and return the job with it."""
        self._require_lock()
        changed = with_end_mark(self.job, mark)
        store.save_job(self.folder, changed)
        self.job = changed
        return changed

    def take(self, change: Change) -> Job:
        """Write what was found at the source as a further track, and return the job with it; what is locked stays."""
        self._require_lock()
        record, body = further_track(self.job, change)
        self.job = store.add_track(self.folder, self.job, record, body)
        return self.job

    def keep_label(self, label: Label, serial: int) -> Path:
        """Write a label's bundle into the job, record it in the journal, and return where it stands."""
        self._require_lock()
        place = store.save_bundle(self.folder, label.name, label.files)
        statement = label.statement
        self.record(
            act_of(label, place), serial, by=statement.by, track=statement.reference.file.sha256, draft=statement.draft_path
        )
        return place

    def draft_path(self, index: int) -> Path:
        """Return where a draft lies."""
        return self.folder / self.job.drafts[index].path

    def release(self) -> None:
        """Let other windows have the job."""
        if self._lock is not None:
            self._lock.release()

    def _require_lock(self) -> None:
        if self._lock is None:
            raise UsageError("The job is open read-only: nothing of it is written. Open it for editing first.")
