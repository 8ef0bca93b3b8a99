"""From a link to a job: ask, plan, fetch, lock, in one step that leaves everything or nothing; and looking for changes later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from quoteview.core.errors import FetchError, LockBroken
from quoteview.core.job import Job, Policy, Standing, TrackRecord
from quoteview.core.journal import Journal
from quoteview.core.locking import sha256_hex
from quoteview.core.material import Material
from quoteview.core.store import OpenedJob, add_track, create_job, open_job
from quoteview.fetching.client import Client
from quoteview.fetching.inventory import Inventory, take_inventory
from quoteview.fetching.tracks import Fetched, Progress, fetch_tracks


def ask(address: str, client: Client, *, translated: Sequence[str] = ()) -> Inventory:
    """Return the inventory of a link; raises `FetchError`. A link to many videos has them in `videos` and no offers."""
    return take_inventory(client.ask(address), address=address, translated=translated)


def job_of(inventory: Inventory, fetched: Sequence[Fetched], *, title: str = "") -> Job:
    """Return the job of what was fetched; it may hold no locked track at all, which its gates then say."""
    return Job(
        title=title or inventory.source.title or inventory.source.address,
        source=inventory.source,
        language="",
        tracks=tuple(one.record for one in fetched),
        drafts=(),
        policy=Policy(),
        journal=Journal(),
    )


def fetch_job(
    address: str,
    folder: Path,
    client: Client,
    *,
    translated: Sequence[str] = (),
    title: str = "",
    progress: Progress | None = None,
) -> OpenedJob:
    """Inventory a link, fetch and lock its tracks, and return the job made in `folder`.

    Partial success is kept: what was not obtained is recorded with its reason and closes the `inventory` gate. Raises
    `FetchError` where there is nothing to lock at all; then, and when cancelled, no folder is left.
    """
    inventory = ask(address, client, translated=translated)
    if inventory.videos:
        raise FetchError(address, f"this link leads to {len(inventory.videos)} videos", remedy="Give the link of one of them.")
    if not inventory.offers:
        raise FetchError(address, "the source offers no caption tracks", remedy="Bring a caption file with quoteview new.")
    fetched = fetch_tracks(inventory, client, progress=progress)
    refuse_nothing(address, fetched)
    job = job_of(inventory, fetched, title=title)
    return create_job(folder, job, {one.record.id: one.body for one in fetched if one.body is not None})


def refuse_nothing(address: str, fetched: Sequence[Fetched]) -> None:
    """Raise `FetchError` where not one track was obtained, with the first reason."""
    if any(one.body is not None for one in fetched):
        return
    failed = [one.record for one in fetched if one.record.standing is Standing.NOT_OBTAINED]
    if failed:
        reasons = "; ".join(f"{record.id}: {record.reason}" for record in failed)
        raise FetchError(address, f"no track could be obtained ({reasons})", remedy="Try again later.", is_passing=True)
    raise FetchError(address, "only machine translations are offered", remedy="Ask for one with --translated LANGUAGE.")


class ChangeKind(StrEnum):
    """What became of a track at the source since it was locked."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    GONE = "gone"
    NEW = "new"
    NOT_OBTAINED = "not obtained"


@dataclass(frozen=True, slots=True)
class Change:
    """One track at the source against the lock. `locked` and `found` are digests, "" where there is none.

    `fetched` is what was found, to be taken as a further track by a person; the lock stays as it is.
    """

    kind: ChangeKind
    track_id: str
    locked: str
    found: str
    fetched: Fetched | None = None
    reason: str = ""


def look_for_changes(material: Material, client: Client, *, progress: Progress | None = None) -> tuple[Change, ...]:
    """Fetch a job's tracks again, into memory alone, and compare digests. Nothing of the job is changed."""
    job = material.job
    inventory = ask(job.source.address, client)
    found = fetch_tracks(inventory, client, progress=progress)
    left = {_identity(one.record): one for one in found}
    changes: list[Change] = []
    for record in job.locked:
        if record.is_imported or record.lock is None or isinstance(material.sources.get(record.id), LockBroken):
            continue
        again = left.pop(_identity(record), None)
        changes.append(_change(record, record.lock.sha256, again))
    obtained = [one for one in left.values() if one.body is not None]
    known = {_identity(record) for record in job.tracks}
    changes += [
        Change(ChangeKind.NEW, one.record.id, "", sha256_hex(one.body or b""), one)
        for one in obtained
        if _identity(one.record) not in known
    ]
    return tuple(changes)


def take_change(opened: OpenedJob, change: Change) -> OpenedJob:
    """Add what was found as a further track; the locked one stays. Returns the job opened again."""
    assert change.fetched is not None
    taken = {record.id for record in opened.job.tracks}
    record = change.fetched.record
    number = 2
    while record.id in taken:
        record = replace(record, id=f"{change.fetched.record.id}-{number}")
        number += 1
    if record.lock is not None:
        name = record.lock.file.replace(change.fetched.record.id, record.id, 1)
        record = replace(record, lock=replace(record.lock, file=name))
    add_track(opened.folder, opened.job, record, change.fetched.body)
    return open_job(opened.folder)


def _change(record: TrackRecord, locked: str, again: Fetched | None) -> Change:
    if again is None:
        return Change(ChangeKind.GONE, record.id, locked, "")
    if again.body is None:
        return Change(ChangeKind.NOT_OBTAINED, record.id, locked, "", None, again.record.reason)
    digest = sha256_hex(again.body)
    kind = ChangeKind.UNCHANGED if digest == locked else ChangeKind.CHANGED
    return Change(kind, record.id, locked, digest, again if kind is ChangeKind.CHANGED else None)


def _identity(record: TrackRecord) -> tuple[str, str, str, bool, str]:
    """Return what a track is known by at its source: origin, language, format, whether it is a copy, and its name."""
    return record.origin.value, record.language, record.format, bool(record.copy_of), record.name
