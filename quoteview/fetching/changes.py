"""Looking for changes at the source later: a job's tracks are fetched again, into memory alone, and digests compared.

Nothing of the job is changed by looking. The lock stays as it is; a person may take what was found as a further track.
A track that was offered but not obtained when the job was made, and is obtained now, takes its own record's place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum
from typing import NamedTuple

from quoteview.core.captions.reading import read_track
from quoteview.core.captions.track import Origin
from quoteview.core.errors import CaptionError, FetchError, LockBroken, UsageError
from quoteview.core.job import Job, Standing, TrackRecord, free_track_id, track_file
from quoteview.core.locking import LockedSource, lock, sha256_hex
from quoteview.core.material import Material
from quoteview.core.store import OpenedJob, add_track, open_job
from quoteview.fetching.client import Client
from quoteview.fetching.jobs import ask
from quoteview.fetching.tracks import Fetched, Progress, fetch_tracks

MOST_ROWS = 400
"""A difference longer than this is another text; its first rows show that."""


class ChangeKind(StrEnum):
    """What became of a track at the source since it was locked."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    GONE = "gone"
    NEW = "new"
    NOT_OBTAINED = "not obtained"


class ChangedCue(NamedTuple):
    """One cue that differs, as (time in ms, text); None where it stands on one side only."""

    locked: tuple[int, str] | None
    found: tuple[int, str] | None


@dataclass(frozen=True, slots=True)
class Change:
    """One track at the source against the lock. `locked` and `found` are digests, "" where there is none.

    `record` is what the job knows of it, else what was found. `fetched` is what was found, to be taken as a further
    track by a person; None where there is nothing to take. `cues` are those that differ, at most `MOST_ROWS`: none where
    only bytes outside the cues' times and words do.
    """

    kind: ChangeKind
    record: TrackRecord
    locked: str
    found: str
    fetched: Fetched | None = None
    reason: str = ""
    cues: tuple[ChangedCue, ...] = ()

    @property
    def track_id(self) -> str:
        """The track's id, in the job where it has one."""
        return self.record.id


def look_for_changes(material: Material, client: Client, *, progress: Progress | None = None) -> tuple[Change, ...]:
    """Fetch a job's tracks again, into memory alone, and compare digests. Nothing of the job is changed.

    Raises `UsageError` where the job names no source, `FetchError` where that cannot be asked, or offers nothing at all: then
    nothing was compared, which is another thing than every track being gone.
    """
    job = material.job
    if not job.source.address:
        raise UsageError("This job names no source, so there is nothing to look at. Its captions were brought as files.")
    asked = [record.language for record in job.locked if record.origin is Origin.TRANSLATED and not record.is_imported]
    inventory = ask(job.source.address, client, translated=asked)
    if inventory.videos:
        raise UsageError(f"{job.source.address} leads to several videos now. Make a job from the link of one of them.")
    if not inventory.offers:
        what = "the link leads to an empty list now" if inventory.is_list else "the source offers no caption track at all now"
        raise FetchError(
            job.source.address,
            f"{what}, so nothing could be compared",
            remedy="The job stays as it is. Look at the link in a browser: it may want a sign-in, or have moved.",
            is_passing=True,
        )
    left = _by_identity(one for one in fetch_tracks(inventory, client, progress=progress))
    changes: list[Change] = []
    known = _identified(job.tracks)
    own = {identity for identity, _record in known}
    for identity, record in known:
        again = left.pop(identity, None) or _in_another_format(left, identity, own)
        source = material.sources.get(record.id)
        if record.is_imported or isinstance(source, LockBroken):
            continue
        if record.lock is not None:
            changes.append(_change(record, source, again))
        elif record.standing is Standing.NOT_OBTAINED and again is not None and again.body is not None:
            changes.append(Change(ChangeKind.NEW, record, "", sha256_hex(again.body), again))
    for one in left.values():
        if one.body is not None:
            changes.append(Change(ChangeKind.NEW, one.record, "", sha256_hex(one.body), one))
    return tuple(changes)


def further_track(job: Job, change: Change) -> tuple[TrackRecord, bytes]:
    """Return the record and bytes by which a job takes what was found; the locked track stays as it is.

    Raises `UsageError` where the very bytes are a track of the job already.
    """
    assert change.fetched is not None
    assert change.fetched.body is not None
    record, body = change.fetched.record, change.fetched.body
    assert record.lock is not None
    for known in job.locked:
        if known.lock is not None and known.lock.sha256 == record.lock.sha256 and not record.copy_of:
            raise UsageError(f"These bytes are there already, as the track {known.id}.")
    own = job.track(change.record.id)
    if own is not None and own.standing is Standing.NOT_OBTAINED:
        track_id = own.id
    else:
        track_id = free_track_id(record.language or record.id, record.origin, [known.id for known in job.tracks])
    copy_of = record.copy_of if job.track(record.copy_of) is not None else ""
    file = track_file(track_id, record.format)
    return replace(record, id=track_id, copy_of=copy_of, lock=replace(record.lock, file=file)), body


def take_change(opened: OpenedJob, change: Change) -> OpenedJob:
    """Add what was found as a further track; the locked one stays. Returns the job opened again."""
    record, body = further_track(opened.job, change)
    add_track(opened.folder, opened.job, record, body)
    return open_job(opened.folder)


def changed_cues(locked: bytes, found: bytes) -> tuple[ChangedCue, ...]:
    """Return the cues by which two versions of a track differ in time or words, in order, at most `MOST_ROWS`."""
    before, after = _cues(locked), _cues(found)
    rows: list[ChangedCue] = []
    for tag, start, end, other_start, other_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        gone, came = before[start:end], after[other_start:other_end]
        for number in range(max(len(gone), len(came))):
            if len(rows) == MOST_ROWS:
                return tuple(rows)
            rows.append(ChangedCue(_at(gone, number), _at(came, number)))
    return tuple(rows)


def _in_another_format(left: dict[Identity, Fetched], identity: Identity, own: Collection[Identity]) -> Fetched | None:
    """Return the track of this origin, language and name that came in another format now, and take it out of what is left.

    `own` are the identities that the job's tracks have: what is one of these is that track.
    """
    for other, one in left.items():
        if other[:3] == identity[:3] and other not in own and one.body is not None and not one.record.copy_of:
            return left.pop(other)
    return None


def _change(record: TrackRecord, source: LockedSource | LockBroken | None, again: Fetched | None) -> Change:
    locked = record.lock.sha256 if record.lock is not None else ""
    if again is None:
        return Change(ChangeKind.GONE, record, locked, "")
    if again.body is None:
        return Change(ChangeKind.NOT_OBTAINED, record, locked, "", None, again.record.reason)
    digest = sha256_hex(again.body)
    if digest == locked:
        return Change(ChangeKind.UNCHANGED, record, locked, digest)
    cues = changed_cues(source.data, again.body) if isinstance(source, LockedSource) else ()
    return Change(ChangeKind.CHANGED, record, locked, digest, again, cues=cues)


def _cues(body: bytes) -> list[tuple[int, str]]:
    try:
        return [(cue.time.start_ms, cue.text) for cue in read_track(lock(body, "track")).cues]
    except CaptionError:
        return []


def _at(cues: Sequence[tuple[int, str]], number: int) -> tuple[int, str] | None:
    return cues[number] if number < len(cues) else None


Identity = tuple[str, str, str, str, int]


def _by_identity(found: Iterator[Fetched]) -> dict[Identity, Fetched]:
    listed = list(found)
    identified = _identified([one.record for one in listed])
    return {identity: one for (identity, _record), one in zip(identified, listed, strict=True)}


def _identified(records: Sequence[TrackRecord]) -> list[tuple[Identity, TrackRecord]]:
    """Return each record with what it is known by at its source: origin, language, name, kind of file, and which of these.

    A track that was not obtained has the source's word for its format, an obtained one ours: the ending is the same.
    """
    seen: dict[tuple[str, str, str, str], int] = {}
    identified: list[tuple[Identity, TrackRecord]] = []
    for record in records:
        if record.is_imported:
            known = ("", "", record.id, "")
        else:
            ending = track_file("x", record.format).rpartition(".")[2]
            known = (record.origin.value, record.language, record.name, _SAME_ENDINGS.get(ending, ending))
        seen[known] = seen.get(known, 0) + 1
        identified.append(((*known, seen[known]), record))
    return identified


_SAME_ENDINGS: Mapping[str, str] = {"dfxp": "ttml", "xml": "ttml", "ssa": "ass", "webvtt": "vtt"}
"""Endings by which sources call one format."""
