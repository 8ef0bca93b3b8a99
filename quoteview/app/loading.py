"""What opens, makes and looks at jobs: functions for workers, which read the disk and hash.

Each takes `report(done, total)`, through which it can be stopped, and leaves no lock behind when it fails.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from quoteview.app import recovery
from quoteview.app.jobfile import JobFile
from quoteview.app.proposals import NewJob, Proposal, Use
from quoteview.app.recovery import Recovered
from quoteview.core import store
from quoteview.core.captions.track import Origin
from quoteview.core.errors import LockBroken
from quoteview.core.importing import CaptionFile
from quoteview.core.job import with_media
from quoteview.core.joblock import JobLock
from quoteview.core.labelling import Label, issue
from quoteview.core.material import Material
from quoteview.core.new_job import new_job, now
from quoteview.core.review import Review, as_read, plant, rejudge_journal, review
from quoteview.core.sample import create_sample_job

Report = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Unsaved:
    """Text of a draft that a crash left unsaved; `has_conflict` where the draft's file is not what it was typed over."""

    text: bytes
    has_conflict: bool


@dataclass(frozen=True, slots=True)
class Loaded:
    """An open job as read: nothing of it is judged yet (`judge`), so that it is shown while that is done.

    `read` has the unsaved text of a draft in the place of its file's. `on_disk` has each draft's file (None where it
    cannot be read), and `unsaved` what was kept of it, None where nothing else was.
    """

    file: JobFile
    read: Review
    on_disk: tuple[bytes | None, ...]
    unsaved: tuple[Unsaved | None, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """The disk as it is now: each draft's bytes (None where gone), and the locked files that are not what was locked."""

    drafts: tuple[bytes | None, ...]
    broken: tuple[LockBroken, ...]


def load(folder: Path, report: Report) -> Loaded:
    """Open a job for writing: lock, hash and read it. Raises `NotHeld` where another window has it."""
    folder = folder.absolute()
    lock = JobLock.take(folder)
    try:
        opened = store.open_job(folder, report=report)
        file = JobFile(folder, opened.job, lock)
        on_disk = tuple(found if isinstance(found, bytes) else None for found in opened.material.drafts)
        unsaved = tuple(_unsaved(recovery.find(file.draft_path(index)), found) for index, found in enumerate(on_disk))
        texts = tuple(
            kept.text if kept is not None else found for kept, found in zip(unsaved, opened.material.drafts, strict=True)
        )
        read = as_read(replace(opened.material, drafts=texts), report=report)
        return Loaded(file, read, on_disk, unsaved, opened.notes)
    except BaseException:
        lock.release()
        raise


def look_at(folder: Path, report: Report) -> Loaded:
    """Open a job read-only, whoever else has it: no lock is taken or touched, and unsaved text is left where it is kept."""
    folder = folder.absolute()
    opened = store.open_job(folder, report=report)
    on_disk = tuple(found if isinstance(found, bytes) else None for found in opened.material.drafts)
    read = as_read(opened.material, report=report)
    return Loaded(JobFile(folder, opened.job, None), read, on_disk, (None,) * len(on_disk), opened.notes)


def judge(read: Review, report: Report) -> Review:
    """Return all that can be judged of a job that was read."""
    return review(read.material, report=report, reuse=read)


def _unsaved(kept: Recovered | None, found: bytes | None) -> Unsaved | None:
    if kept is None or found is None or kept.text == found:
        return None
    return Unsaved(kept.text, hashlib.sha256(found).hexdigest() != kept.base)


def load_sample(report: Report) -> Loaded:
    """Make a fresh copy of the sample job in a folder for things that may go, and open it."""
    folder = Path(tempfile.mkdtemp(prefix="quoteview-")) / "tide-book.quoteview"
    create_sample_job(folder)
    return load(folder, report)


def create(proposal: NewJob, report: Report) -> Loaded:
    """Make the job that a person confirmed, lock its captions, and open it."""
    captions = [_captions(one) for one in proposal.of_use(Use.CAPTIONS)]
    drafts = [(one.path.name, one.path.read_bytes()) for one in proposal.of_use(Use.DRAFT)]
    made = new_job(captions, drafts, title=proposal.title, source=proposal.source, at=now())
    job = replace(made.job, language=proposal.language)
    if media := proposal.of_use(Use.MEDIA):
        job = with_media(job, str(media[0].path.absolute()))
    store.create_job(proposal.folder, job, made.tracks, drafts=made.drafts)
    return load(proposal.folder, report)


def reload(folder: Path, known: Review, report: Report) -> Review:
    """Return the job hashed and judged again, with the drafts' text as it is in memory."""
    opened = store.open_job(folder, report=report)
    return review(with_texts(opened.material, known), report=report, reuse=known)


def with_texts(material: Material, known: Review) -> Material:
    """Return material with the drafts' text of a review, for as many drafts as that has."""
    count = min(len(material.drafts), len(known.material.drafts))
    kept = tuple(
        text if isinstance(text, bytes) else found
        for text, found in zip(known.material.drafts[:count], material.drafts[:count], strict=True)
    )
    return replace(material, drafts=(*kept, *material.drafts[count:]))


def caught_up(fresh: Review, now: Review) -> Review:
    """Return a review that was begun earlier with what was typed and recorded since."""
    job = replace(fresh.job, journal=now.job.journal)
    material = replace(with_texts(fresh.material, now), job=job, record=now.material.record)
    is_same_policy = fresh.job.policy == now.job.policy  # an end mark is looked for while a draft is read
    if (
        is_same_policy
        and fresh.choice == now.choice
        and len(fresh.drafts) == len(now.drafts)
        and fresh.is_lock_whole == now.is_lock_whole
    ):
        merged = replace(fresh, material=material, drafts=now.drafts)
        return rejudge_journal(merged, job) if fresh.job.journal != job.journal else merged
    return review(material, reuse=fresh)


def look(folder: Path, report: Report) -> Seen:
    """Return what lies on the disk now; every locked file is hashed."""
    material = store.open_job(folder, report=report).material
    return Seen(tuple(found if isinstance(found, bytes) else None for found in material.drafts), material.broken)


def planted(known: Review, index: int, report: Report) -> Review:
    """Return the review with the self-test run on one draft."""
    return plant(known, index, report=report)


def _captions(one: Proposal) -> CaptionFile:
    origin = None if one.origin is Origin.UNKNOWN else one.origin
    return CaptionFile(one.path.name, one.path.read_bytes(), origin, one.language, one.encoding)


def label(folder: Path, index: int, by: str, key: Path | None, report: Report) -> Label:
    """Return the label of a draft, everything read from the disk again; raises `LabelRefused` with the closed gates."""
    return issue(folder, index, by, key=key, report=report)
