"""A new job of files that a person brought: everything is read first, so that nothing unreadable becomes part of it.

Nothing here touches the disk: `quoteview.core.store` writes what comes out of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePath

from quoteview.core.drafts.reading import read_draft
from quoteview.core.errors import UsageError
from quoteview.core.importing import CaptionFile, import_track
from quoteview.core.job import DraftRecord, Job, Policy, SourceRecord, TrackRecord
from quoteview.core.journal import Journal
from quoteview.core.locking import sha256_hex
from quoteview.core.store import draft_path


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job that is not on disk yet, with the bytes that belong in it: tracks by id, drafts by their path in the job."""

    job: Job
    tracks: Mapping[str, bytes]
    drafts: Mapping[str, bytes]


def new_job(
    captions: Sequence[CaptionFile], drafts: Sequence[tuple[str, bytes]], *, title: str = "", source: str = "", at: str = ""
) -> NewJob:
    """Return a job of local files. `drafts` are (file name, bytes); `at` is the time of import in UTC.

    Raises `CaptionError`, `DraftError` or `UsageError` for the first file that can't be part of a job.
    """
    if not captions:
        raise UsageError("A job needs at least one caption file. Name it with --captions FILE.")
    records: list[TrackRecord] = []
    tracks: dict[str, bytes] = {}
    for file in captions:
        record = new_track(file, records, at=at)
        records.append(record)
        tracks[record.id] = file.data
    placed: dict[str, bytes] = {}
    for name, content in drafts:
        read_draft(content, name)
        placed[draft_path(name, {path.removeprefix("drafts/").casefold() for path in placed})] = content
    job = Job(
        title=title,
        source=SourceRecord(address=source, title=title),
        language="",
        tracks=tuple(records),
        drafts=tuple(map(DraftRecord, placed)),
        policy=Policy(),
        journal=Journal(),
    )
    return NewJob(job, tracks, placed)


def new_track(file: CaptionFile, known: Sequence[TrackRecord], *, at: str = "") -> TrackRecord:
    """Return the record of a brought caption file; raises `UsageError` where its very bytes are a track of the job already."""
    digest = sha256_hex(file.data)
    for record in known:
        if record.lock is not None and record.lock.sha256 == digest:
            raise UsageError(f"{file.name} is already there as the track {record.id}. Leave it out.")
    imported = import_track(file, [record.id for record in known])
    return replace(imported.record, name=PurePath(file.name).name, fetched_at=at)


def now() -> str:
    """Return the time in UTC as jobs record it: `2027-03-03T12:30:00Z`."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
