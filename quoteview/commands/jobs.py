"""`quoteview new` and `add`: jobs from local files. Every file is read before anything is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from quoteview.commands.console import Console, in_one_line
from quoteview.commands.files import caption_files, read_captions, read_draft
from quoteview.core.captions.track import CaptionFormat, Track
from quoteview.core.drafts import reading
from quoteview.core.errors import CaptionError, LockBroken, UsageError
from quoteview.core.importing import CaptionFile, import_track
from quoteview.core.job import Job, TrackRecord, with_end_mark
from quoteview.core.new_job import new_job, new_track, now
from quoteview.core.reference_choice import choose_reference
from quoteview.core.store import JobLock, OpenedJob, add_draft, add_track, create_job, lock_of_file, open_job, save_job

DRAFT_ENDINGS = (".md", ".markdown", ".txt", ".text", ".html", ".htm", ".xhtml", ".docx", ".odt")
"""A file with such a name is a draft: one with times at the heads of its paragraphs would read as a transcript too."""


def new(
    console: Console,
    folder: str,
    *,
    captions: Sequence[str],
    drafts: Sequence[str],
    media: str | None,
    source: str,
    title: str,
    end_mark: str = "",
) -> int:
    """Make a job's folder from local files and return 0. `end_mark` is what every draft must end in, "" for nothing."""
    made = new_job(
        caption_files(captions),
        [(Path(file).name, read_draft(Path(file))) for file in drafts],
        title=title or Path(folder).name.removesuffix(".quoteview"),
        source=source,
        at=now(),
    )
    job = with_end_mark(made.job, end_mark)
    if media is not None:
        place = Path(media).absolute()
        with console.progress(f"Locking {place.name}"):
            job = replace(job, media=str(place), media_lock=lock_of_file(place, str(place)))
    opened = create_job(Path(folder), job, made.tracks, drafts=made.drafts)
    _say(console, opened)
    return 0


def add(console: Console, folder: str, files: Sequence[str], captions: Sequence[str], *, end_mark: str | None = None) -> int:
    """Add drafts and tracks to a job and return 0; where one file can't be added, none is.

    `end_mark` is what every draft must end in, "" for nothing from now on, None to leave it as it is.
    """
    if not files and not captions and end_mark is None:
        raise UsageError("nothing to add was named. Name drafts, or caption files with --captions FILE.")
    path = Path(folder)
    brought, drafts = caption_files(captions), []
    for file in files:
        found = _told_apart(Path(file))
        if isinstance(found, CaptionFile):
            brought.append(found)
        else:
            drafts.append(found)
    open_job(path)  # says that there is no job before a lock file is written into the folder
    with JobLock.take(path):
        job = open_job(path).job
        if end_mark is not None:
            job = with_end_mark(job, end_mark)
        records: list[tuple[TrackRecord, bytes]] = []
        for each in brought:
            known = [*job.tracks, *(record for record, _ in records)]
            records.append((new_track(each, known, at=now()), each.data))
        for record, content in records:
            job = add_track(path, job, record, content)
        for draft in drafts:
            job = add_draft(path, job, draft)
        if not records and not drafts:
            save_job(path, job)
    _say(console, open_job(path))
    return 0


def track_of(folder: Path, track_id: str | None) -> tuple[str, Track]:
    """Return (file name, track) of a job's locked track; without an id the reference. Raises `LockBroken` and `UsageError`."""
    opened = open_job(folder)
    wanted = track_id or choose_reference(opened.job).track_id
    record = opened.job.track(wanted)
    source = opened.material.sources.get(wanted)
    if record is None or source is None:
        raise UsageError(f"{folder}: there is no locked track “{wanted}”. Locked are: {locked_ids(opened.job)}.")
    if isinstance(source, LockBroken):
        raise source
    from quoteview.core.captions.reading import read_track

    return source.lock.file, read_track(source, encoding=record.encoding)


def locked_ids(job: Job) -> str:
    """Return the ids of a job's locked tracks in one line, or “none”."""
    return ", ".join(record.id for record in job.locked) or "none"


def _told_apart(file: Path) -> CaptionFile | Path:
    """Return a file as captions or as a draft: by its name where that is a draft's, else by its content."""
    if file.suffix.lower() in DRAFT_ENDINGS:
        reading.read_draft(read_draft(file), str(file))
        return file
    brought = CaptionFile(str(file), read_captions(file))
    try:
        record = import_track(brought, ()).record
    except CaptionError:
        if file.suffix:
            raise
    else:
        if file.suffix or record.format != CaptionFormat.PLAIN_TIMED.value:
            return brought
    reading.read_draft(brought.data, str(file))
    return file


def _say(console: Console, opened: OpenedJob) -> None:
    job, folder = opened.job, opened.folder
    if console.is_json:
        tracks = [{"id": record.id, "sha256": record.lock.sha256} for record in job.locked if record.lock]
        console.document({"schema": 1, "job": str(folder), "tracks": tracks, "drafts": [draft.path for draft in job.drafts]})
        return
    for record in job.locked:
        if record.lock is not None:
            console.remark(f"locked {record.id}  {record.lock.sha256}  {in_one_line(record.name)}")
    for draft in job.drafts:
        console.remark(f"draft  {in_one_line(draft.path)}")
    unstated = [record.id for record in job.tracks if not record.is_origin_stated]
    if unstated:
        console.remark(f"Nobody said who made {', '.join(unstated)} (origin=human, automatic, translated or unknown).")
    console.remark(f"Next: quoteview check {in_one_line(str(folder))}")
