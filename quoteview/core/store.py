"""A job on disk: made, opened and changed here and in `atomic` and `joblock` beneath it; nothing else in the core writes.

- A new job is built in a folder beside its place and moved there whole, so that none stands half-written.
- Locked files are read-only, and listed in `manifest-sha256.txt`, which `sha256sum -c` takes. It is written before
  `job.json` names a file, so a crash can leave a line too many in it, but none too few: a locked file that it does not
  list with the recorded digest was changed outside quoteview, and then nothing is written over it.
- Opening hashes every locked file again. One that differs is kept as the `LockBroken` that says so.
- The journal's lines are announced in `job.json`, added, synced, and recorded there (see `journal`).
  Nothing is added to a journal that is not whole: damage is never covered by a new line.
- Drafts are copied into `drafts/`, or stay where they are and are linked by their absolute path.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import secrets
import shutil
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from quoteview.core.atomic import TEMPORARY, FileSystem, append_durably, store_error, sync_folder, write_atomic
from quoteview.core.bundle.bag import check_bag
from quoteview.core.errors import LockBroken, StoreError
from quoteview.core.job import FILE as JOB_FILE
from quoteview.core.job import Job, TrackRecord, is_reserved, job_from_json, job_to_json, with_draft, with_track
from quoteview.core.joblock import JobLock
from quoteview.core.journal import FILE as JOURNAL_FILE
from quoteview.core.journal import JournalRecord, digest_of, split_lines
from quoteview.core.locking import Lock, LockedSource, reopen
from quoteview.core.material import Material

__all__ = [
    "FileSystem",
    "JobLock",
    "OpenedJob",
    "add_draft",
    "add_track",
    "append_journal",
    "create_job",
    "draft_path",
    "draft_sha256",
    "is_job",
    "lock_of_file",
    "open_job",
    "save_draft",
    "save_job",
    "write_atomic",
]

MANIFEST = "manifest-sha256.txt"
_MANIFEST_LINE = re.compile("[0-9a-f]{64}  ((?:tracks|media)/[^/]+)")
READ_ONLY = 0o444
LARGEST_JOB_FILE = 64 * 1024 * 1024
"""A job of a thousand claims has a journal of about 1 MB; anything above this is something else."""

LARGEST_DRAFT = 64 * 1024 * 1024

Report = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class OpenedJob:
    """A job as read from its folder. `notes` are sentences for a person about what a crash left and how it was read."""

    folder: Path
    material: Material
    notes: tuple[str, ...] = ()

    @property
    def job(self) -> Job:
        """The job itself."""
        return self.material.job


def is_job(path: Path) -> bool:
    """Return whether a path is a job's folder, or the `job.json` in one."""
    return path.name == JOB_FILE and path.is_file() if not path.is_dir() else (path / JOB_FILE).is_file()


def create_job(
    folder: Path,
    job: Job,
    tracks: Mapping[str, bytes],
    *,
    drafts: Mapping[str, bytes] | None = None,
    files: FileSystem | None = None,
) -> OpenedJob:
    """Make a job's folder with its locked tracks and return it opened.

    `tracks` has the bytes of each locked track by id, `drafts` those of each draft that the job names in `drafts/`.
    Raises `LockBroken` where bytes are not those that were locked, `StoreError` where something stands in the place or
    cannot be written; then nothing of the new job is left.
    """
    files = files or FileSystem()
    proven = {record.id: reopen(lock, tracks[record.id]) for record in job.locked if (lock := record.lock)}
    refuse_taken(folder)
    made_parents = [parent for parent in folder.absolute().parents if not parent.exists()]
    building = folder.absolute().parent / f"{TEMPORARY}{secrets.token_hex(8)}"
    try:
        building.parent.mkdir(parents=True, exist_ok=True)
        building.mkdir()
        _fill(building, job, proven, drafts or {}, files)
        if folder.is_dir():
            folder.rmdir()
        files.replace(building, folder.absolute())
        sync_folder(building.parent, files)
    except (OSError, StoreError) as error:
        _discard(building, made_parents)
        raise (error if isinstance(error, StoreError) else store_error(folder, error)) from error
    except BaseException:
        _discard(building, made_parents)
        raise
    return open_job(folder)


def open_job(folder: Path, *, report: Report | None = None) -> OpenedJob:
    """Return the job in a folder, every locked file hashed again.

    A broken lock, a draft that is gone and a damaged journal are part of the result. Raises `StoreError` where there is
    no job or its files cannot be read, `JobError` where `job.json` is not one. Nothing is written.
    """
    folder = folder.parent if folder.name == JOB_FILE and folder.is_file() else folder
    described = _read(folder / JOB_FILE, LARGEST_JOB_FILE, missing=f"this is not a job: it has no {JOB_FILE}")
    journal, rest = split_lines(_read_journal(folder))
    job, record = job_from_json(described, journal, str(folder / JOB_FILE))
    defects: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    if rest and record.announced:
        notes = ("An entry was being written when the program stopped; it was never shown as done and is left out.",)
    elif rest:
        defects = (f"{JOURNAL_FILE} ends in the middle of a line.",)
    elif journal.length > record.length and not journal.verify(record):
        notes = ("The journal holds an entry whose recording was interrupted; it is whole and is kept.",)
    sources: dict[str, LockedSource | LockBroken] = {}
    for number, track in enumerate(job.locked):
        if report is not None:
            report(number, len(job.locked))
        assert track.lock
        sources[track.id] = _reopened(folder, track.lock)
    drafts = tuple(_draft_bytes(folder, draft.path) for draft in job.drafts)
    material = Material(job, sources, drafts, record, defects, manifest_defects=_manifest_defects(folder, job))
    return OpenedJob(folder, material, notes)


def save_job(folder: Path, job: Job, *, files: FileSystem | None = None) -> None:
    """Write `job.json` and the manifest. The journal must be the one on disk: entries go through `append_journal`."""
    record = _record_on_disk(folder, job)
    manifest = _manifest(job)
    if (folder / MANIFEST).read_bytes() != manifest:
        write_atomic(folder / MANIFEST, manifest, files=files)
    write_atomic(folder / JOB_FILE, job_to_json(job, record), files=files)


def append_journal(folder: Path, before: Job, after: Job, *, files: FileSystem | None = None) -> JournalRecord:
    """Write the lines by which `after`'s journal is longer than `before`'s, durable on return, and return the new record.

    Everything else in `job.json` becomes as `after` has it. Raises `StoreError` where the journal on disk is damaged
    or is not `before`'s (another program wrote it); then no line is added.
    """
    known = before.journal.lines
    if after.journal.lines[: len(known)] != known:
        raise ValueError("entries are only ever added to a journal")
    added = after.journal.lines[len(known) :]
    _record_on_disk(folder, before)
    announced = JournalRecord(len(known), before.journal.head, tuple(map(digest_of, added)))
    if added:
        write_atomic(folder / JOB_FILE, job_to_json(after, announced), files=files)
        new = b"".join(line + b"\n" for line in added)
        append_durably(folder / JOURNAL_FILE, new, size=len(before.journal.data), files=files)
    write_atomic(folder / JOB_FILE, job_to_json(after, after.journal.record), files=files)
    return after.journal.record


def add_track(folder: Path, job: Job, record: TrackRecord, data: bytes | None, *, files: FileSystem | None = None) -> Job:
    """Write a further track and return the job with it. `data` is None for a track that is only listed or not obtained.

    Raises `LockBroken` where data is not what was locked, `StoreError` where another track has that file.
    """
    if record.lock is not None:
        source = reopen(record.lock, data or b"")
        target = folder / record.lock.file
        if any(other.id != record.id and other.lock and other.lock.file == record.lock.file for other in job.tracks):
            raise StoreError(str(target), "another track's file has this name", remedy="Give the track another id.")
        _make_folder(target.parent)
        # A file of that name which no track names was left by a crash between this write and the next.
        if _reopened_or_none(folder, record.lock) is None:
            write_atomic(target, source.data, mode=READ_ONLY, files=files)
    changed = with_track(job, record)
    save_job(folder, changed, files=files)
    return changed


def add_draft(folder: Path, job: Job, file: Path, *, is_copied: bool = True, files: FileSystem | None = None) -> Job:
    """Copy a draft into `drafts/` under a name that is free, or link it where it is, and return the job with it."""
    data = _read(file, LARGEST_DRAFT, missing="there is no such file")
    if is_copied:
        taken = {Path(draft.path).name.casefold() for draft in job.drafts}
        if (folder / "drafts").is_dir():
            taken |= {path.name.casefold() for path in (folder / "drafts").iterdir()}
        name = draft_path(file.name, taken)
        _make_folder(folder / "drafts")
        write_atomic(folder / name, data, files=files)
    else:
        name = str(file.absolute())
    changed = with_draft(job, name)
    save_job(folder, changed, files=files)
    return changed


def draft_path(name: str, taken: set[str]) -> str:
    """Return a free path in `drafts/` for a file's name; `taken` holds names in lower case."""
    clean = "".join(
        "_" if character in '<>:"/\\|?*' or ord(character) < 32 or ord(character) == 127 else character for character in name
    )
    clean = clean.strip(" .") or "draft"
    clean = f"_{clean}" if is_reserved(clean) or clean.startswith(TEMPORARY) else clean
    short = PurePath(clean.encode("utf-8", "replace")[-200:].decode("utf-8", "ignore"))
    stem, ending = short.stem, short.suffix
    number = 1
    while (wanted := f"{stem}{'' if number == 1 else f'-{number}'}{ending}").casefold() in taken:
        number += 1
    return f"drafts/{wanted}"


def save_draft(
    folder: Path, job: Job, index: int, data: bytes, *, expected_sha256: str = "", files: FileSystem | None = None
) -> None:
    """Write a draft's bytes to its file. With `expected_sha256` what stands there must have that digest, or nothing is
    written: another program's text is not overwritten unasked. Raises `StoreError`."""
    path = _place(folder, job.drafts[index].path)
    if expected_sha256 and draft_sha256(folder, job, index) != expected_sha256:
        raise StoreError(
            str(path), "another program changed the draft, or it is gone", remedy="Take its text, or keep yours and save again."
        )
    if path.exists() and not stat.S_IMODE(path.stat().st_mode) & 0o222:
        raise StoreError(str(path), "the file is read-only", remedy="Change its permissions, or save a copy elsewhere.")
    write_atomic(path, data, files=files)


def draft_sha256(folder: Path, job: Job, index: int) -> str:
    """Return the SHA-256 of a draft's file as it is on disk now, "" where it cannot be read."""
    found = _draft_bytes(folder, job.drafts[index].path)
    return "" if isinstance(found, StoreError) else hashlib.sha256(found).hexdigest()


def save_bundle(folder: Path, name: str, contents: Mapping[str, bytes], *, files: FileSystem | None = None) -> Path:
    """Write an exported bundle into `bundles/` of the job, all of it or nothing, and return its folder.

    It is built beside its place, held against its own manifests as any archive's tools would, and then renamed. A name
    that is taken gets a number.
    """
    files = files or FileSystem()
    place = folder.absolute() / "bundles"
    building = place / f"{TEMPORARY}{secrets.token_hex(8)}"
    try:
        place.mkdir(exist_ok=True)
        building.mkdir()
        for inside, data in contents.items():
            target = building / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(target, data, files=files)
        check_bag(building)
        target, number = place / name, 2
        while target.exists():
            target, number = place / f"{name}-{number}", number + 1
        files.replace(building, target)
        sync_folder(place, files)
    except OSError as error:
        _discard(building, [])
        raise store_error(place / name, error) from error
    except StoreError as error:
        _discard(building, [])  # the place it was built in is gone: the one that was asked for is named
        raise StoreError(str(place / name), error.reason, remedy=error.remedy) from error
    except BaseException:
        _discard(building, [])
        raise
    return target


def lock_of_file(path: Path, file: str) -> Lock:
    """Return the lock of a large file (media), which is read in pieces; `file` is its name in the job."""
    digest, size = hashlib.sha256(), 0
    try:
        with path.open("rb") as stream:
            while piece := stream.read(1 << 20):
                digest.update(piece)
                size += len(piece)
    except OSError as error:
        raise _unreadable(path, error) from error
    return Lock(file, digest.hexdigest(), size)


def _fill(building: Path, job: Job, tracks: Mapping[str, LockedSource], drafts: Mapping[str, bytes], files: FileSystem) -> None:
    for name in ("tracks", "drafts"):
        (building / name).mkdir()
    for source in tracks.values():
        write_atomic(building / source.lock.file, source.data, mode=READ_ONLY, files=files)
    for path, data in drafts.items():
        write_atomic(building / path, data, files=files)
    write_atomic(building / JOURNAL_FILE, job.journal.data, files=files)
    write_atomic(building / MANIFEST, _manifest(job), files=files)
    described = job_to_json(job, job.journal.record)
    job_from_json(described, job.journal, str(building / JOB_FILE))  # what is written can be opened again
    write_atomic(building / JOB_FILE, described, files=files)


def _manifest(job: Job) -> bytes:
    return "".join(f"{lock.sha256}  {lock.file}\n" for lock in _listed(job)).encode("utf-8")


def _listed(job: Job) -> tuple[Lock, ...]:
    locks = tuple(record.lock for record in job.locked if record.lock)
    media = job.media_lock
    return (*locks, media) if media is not None and not Path(media.file).is_absolute() else locks


def _manifest_defects(folder: Path, job: Job) -> tuple[str, ...]:
    """Return where the manifest differs from `job.json`; a well-formed line for a file that no track names is no defect."""
    try:
        data = _read(folder / MANIFEST, LARGEST_JOB_FILE)
    except StoreError as error:
        return (str(error),)
    *lines, rest = data.decode("utf-8", "backslashreplace").split("\n")
    expected = {lock.file: f"{lock.sha256}  {lock.file}" for lock in _listed(job)}
    defects = [f"{MANIFEST} ends in the middle of a line."] if rest else []
    for file, line in expected.items():
        if line not in lines:
            defects.append(f"{MANIFEST} does not list {file} with the digest that {JOB_FILE} records for it.")
    for number, line in enumerate(lines, 1):
        if line in expected.values():
            continue
        match = _MANIFEST_LINE.fullmatch(line)
        if match is None or match[1] in expected:
            defects.append(f"{MANIFEST}, line {number}: {JOB_FILE} records no such digest of such a file.")
    return tuple(defects)


def _record_on_disk(folder: Path, job: Job) -> JournalRecord:
    """Return the record that a write of this job may carry: the journal on disk must be whole, and be the job's."""
    path = folder / JOURNAL_FILE
    described = _read(folder / JOB_FILE, LARGEST_JOB_FILE, missing=f"this is not a job: it has no {JOB_FILE}")
    journal, rest = split_lines(_read_journal(folder))
    known, record = job_from_json(described, journal, str(folder / JOB_FILE))
    if wrong := _manifest_defects(folder, known):
        raise StoreError(
            str(folder / MANIFEST), wrong[0].rstrip("."), remedy="Take it from a backup; nothing is written over it."
        )
    if (rest and not record.announced) or journal.verify(record):
        raise StoreError(str(path), "the journal is damaged, so nothing is added to it", remedy="Take the job from a backup.")
    if journal.lines != job.journal.lines:
        raise StoreError(str(path), "another program wrote to the journal", remedy="Open the job again.")
    # While half a line stands at the end, the announcement stays, which says that it was being written.
    return record if rest else journal.record


def _reopened(folder: Path, lock: Lock) -> LockedSource | LockBroken:
    path = folder / lock.file
    try:
        if path.stat().st_size > lock.size:
            return LockBroken(lock.file, lock.sha256, lock_of_file(path, lock.file).sha256)
        return reopen(lock, path.read_bytes())
    except LockBroken as error:
        return error
    except (OSError, StoreError):
        return LockBroken(lock.file, lock.sha256, "")


def _reopened_or_none(folder: Path, lock: Lock) -> LockedSource | None:
    found = _reopened(folder, lock)
    return found if isinstance(found, LockedSource) else None


def _draft_bytes(folder: Path, name: str) -> bytes | StoreError:
    try:
        return _read(_place(folder, name), LARGEST_DRAFT, missing="the draft is not there")
    except StoreError as error:
        return error


def _place(folder: Path, name: str) -> Path:
    """Return where a file of the job lies: a relative name is inside the job, an absolute one stands as it is."""
    return folder / name


def _read_journal(folder: Path) -> bytes:
    path = folder / JOURNAL_FILE
    return _read(path, LARGEST_JOB_FILE) if path.exists() else b""


def _read(path: Path, limit: int, *, missing: str = "the file is missing") -> bytes:
    try:
        if path.is_dir():
            raise StoreError(str(path), "this is a folder, not a file", remedy="Name the file in it.")
        if not stat.S_ISREG(path.stat().st_mode):
            raise StoreError(str(path), "this is no ordinary file", remedy="Choose the file itself.")
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
    except FileNotFoundError:
        place = path.parent if path.name == JOB_FILE else path
        raise StoreError(str(place), missing, remedy="Check the name, or take it from a backup.") from None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    if len(data) > limit:
        raise StoreError(str(path), f"the file has more than {limit:,} bytes", remedy="Choose the file itself.")
    return data


def _unreadable(path: Path, error: Exception) -> StoreError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return StoreError(str(path), f"the file cannot be read ({reason})", remedy="Change its permissions, or choose a copy.")


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise store_error(path, error) from error


def refuse_taken(folder: Path) -> None:
    """Raise `StoreError` where something stands in the place of a new job; an empty folder is none."""
    try:
        is_taken = folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir())))
    except (OSError, ValueError) as error:
        raise _unreadable(folder, error) from error
    if is_taken:
        what = "a job is there already" if folder.is_dir() and is_job(folder) else "something is there already"
        raise StoreError(str(folder), what, remedy="Choose another name, or add to it with “quoteview add”.")


def _discard(building: Path, made_parents: list[Path]) -> None:
    """Remove what a failed creation left; parents that were made for it go too."""
    if building.exists():
        for path in building.rglob("*"):
            with contextlib.suppress(OSError):
                path.chmod(0o700 if path.is_dir() else 0o600)  # Windows removes no read-only file
        shutil.rmtree(building, ignore_errors=True)
    for parent in made_parents:
        with contextlib.suppress(OSError):
            parent.rmdir()
