"""The recording itself, on request: one file as the source sends it, resumed after a break, never joined or re-encoded.

- While it arrives it lies among the things that can be made again, in a folder of its own for each source and format;
  a break, an error or `Cancelled` leaves the part there, and the next request goes on where it stopped.
- A part is only gone on with where the server's file is still the same: by its ETag or the time it was changed, and by
  its length. Else, and where a server cannot give a part of a file, it is fetched from the start.
- Refused, with the reason: a web page or other text, a length other than announced, a file that says itself that it is
  cut off, one larger than allowed or than there is room for.
- In the job it is `media/audio.m4a` (or so), read-only, its digest and size in `job.json` and the manifest. Beside it
  `media/audio.m4a.json` says where it is from.
- Its length decides in the `complete` gate: the file's own, where it says one, else what the source says. Which of the
  two it is stands in that file too.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from quoteview.core.atomic import TEMPORARY, FileSystem, store_error, sync_folder, write_atomic
from quoteview.core.door import fields_of
from quoteview.core.errors import FetchError, JobError, QuoteviewError, StoreError, UsageError
from quoteview.core.job import with_media, with_source
from quoteview.core.joblock import JobLock
from quoteview.core.locking import Lock
from quoteview.core.places import cache_folder
from quoteview.core.store import OpenedJob, lock_of_file, open_job, save_job
from quoteview.fetching.client import Answer, Client
from quoteview.fetching.containers import is_text, read_container
from quoteview.fetching.inventory import Inventory, public_address
from quoteview.fetching.library import library_version
from quoteview.fetching.recordings import MediaKind, Recording

LARGEST_MEDIA = 2_000_000_000
"""Ten hours of speech as sound are some 600 MB; what is larger is asked for by saying so."""

_KEPT_FOR_S = 14 * 24 * 3600
"""A part that nobody went on with for two weeks is not gone on with any more."""

_ROOM_LEFT = 100_000_000
_FACTS = "expected.json"

MediaProgress = Callable[[int, int], None]
"""Takes bytes done and in all (0 where unknown); raises `Cancelled` to stop."""


class LengthFrom(StrEnum):
    """Where a recording's length is known from."""

    FILE = "the file"
    SOURCE = "the source"
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True)
class FetchedMedia:
    """A recording that arrived whole at `path`, to be taken into a job by `add_media`.

    `duration_ms` is its own length where it says one, else the source's; None where neither does. `source_ms` is the source's.
    """

    path: Path
    recording: Recording
    lock: Lock
    duration_ms: int | None
    length_from: LengthFrom
    source_ms: int | None
    fetched_at: str
    library: str

    @property
    def disagreement(self) -> str:
        """Return in a sentence by how much the file's own length differs from the source's, "" within a minute or 2 %."""
        if self.length_from is not LengthFrom.FILE or self.duration_ms is None or self.source_ms is None:
            return ""
        if abs(self.duration_ms - self.source_ms) <= max(60_000, self.source_ms // 50):
            return ""
        own, told = round(self.duration_ms / 1000), round(self.source_ms / 1000)
        return f"The file is {own:,} s long, the source says {told:,} s: it may be another edition, or a part."


def fetch_media(
    inventory: Inventory,
    kind: MediaKind,
    client: Client,
    *,
    progress: MediaProgress | None = None,
    largest: int = LARGEST_MEDIA,
    folder: Path | None = None,
) -> FetchedMedia:
    """Fetch a source's recording and return it; an earlier part is gone on with. `folder` is where parts lie unless given.

    Raises `FetchError`; `StoreError` where there is no room, or another program fetches the same; `Cancelled` when
    `progress` or the client does.
    """
    address = inventory.source.address
    recording = inventory.recordings.of(kind)
    if recording is None:
        raise FetchError(address, inventory.recordings.absence(kind), remedy="Bring a file of it, if you have one.")
    if recording.size is not None and recording.size > largest:
        raise _too_large(address, recording, largest)
    parts = folder or cache_folder() / "media"
    _forget_old(parts)
    place = parts / hashlib.sha256(f"{address}\n{recording.name}\n{recording.ext}".encode()).hexdigest()[:24]
    with _held(place):
        target = place / f"recording.{recording.ext}"
        if not target.is_file() or _known(place).length != target.stat().st_size:
            target.unlink(missing_ok=True)
            _require_room(place, recording)
            _arrive(client, recording, target, progress or _ignore, largest)
        _refuse_what_is_none(address, target)
        own = read_container(target).duration_ms
        told = inventory.source.duration_ms
        return FetchedMedia(
            target,
            recording,
            lock_of_file(target, f"media/{recording.kind.value}.{recording.ext}"),
            told if own is None else own,
            LengthFrom.FILE if own is not None else LengthFrom.SOURCE if told is not None else LengthFrom.NOWHERE,
            told,
            datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            f"yt-dlp {library_version()}",
        )


def fetch_media_or_say(
    inventory: Inventory,
    kind: MediaKind | None,
    client: Client,
    *,
    progress: MediaProgress | None = None,
    largest: int = LARGEST_MEDIA,
) -> FetchedMedia | QuoteviewError | None:
    """Return the recording, or what kept it from coming: tracks that are there already are not lost for its sake.

    None where no kind is asked for. `Cancelled` is still raised.
    """
    if kind is None:
        return None
    try:
        return fetch_media(inventory, kind, client, progress=progress, largest=largest)
    except (FetchError, StoreError) as error:
        return error


def add_media(folder: Path, fetched: FetchedMedia) -> OpenedJob:
    """Move a recording that was fetched into a job's folder, write down its digest and length, and return the job opened.

    Raises `UsageError` where the job has a recording already, `StoreError` where it cannot be written; then the file stays
    where it was fetched to.
    """
    job = open_job(folder).job
    if job.media:
        raise UsageError(f"This job has a recording already: {job.media}.")
    target = folder / fetched.lock.file
    try:
        target.parent.mkdir(exist_ok=True)
        temporary = target.parent / f"{TEMPORARY}{target.name}"
        shutil.copyfile(fetched.path, temporary)
        arrived = lock_of_file(temporary, fetched.lock.file)
        if arrived != fetched.lock:
            raise StoreError(str(target), "the copy differs from what was fetched", remedy="Check the disk, then try again.")
        temporary.chmod(0o444)
        temporary.replace(target)
        sync_folder(target.parent, FileSystem())
    except OSError as error:
        raise store_error(target, error) from error
    finally:
        with contextlib.suppress(OSError):
            (target.parent / f"{TEMPORARY}{target.name}").unlink(missing_ok=True)
    write_atomic(target.with_name(f"{target.name}.json"), _origin(fetched))
    changed = with_media(job, fetched.lock.file, fetched.lock)
    if fetched.duration_ms is not None:
        changed = with_source(changed, replace(job.source, duration_ms=fetched.duration_ms))
    save_job(folder, changed)
    shutil.rmtree(fetched.path.parent, ignore_errors=True)
    with contextlib.suppress(OSError):
        fetched.path.parent.parent.rmdir()
    return open_job(folder)


@dataclass(frozen=True, slots=True)
class _Known:
    """What was said of a file when its first bytes came."""

    length: int | None
    version: str


_NOTHING = _Known(None, "")


class _Other(QuoteviewError):
    """The server's file is another one now than that of the part."""


def _arrive(client: Client, recording: Recording, target: Path, progress: MediaProgress, largest: int) -> None:
    """Fetch the file; where the part is of an older version, once more from the start."""
    part = target.with_name(target.name + ".part")
    for _ in range(2):
        known: _Known | None = _known(target.parent)
        if not part.is_file() or known == _NOTHING:
            part.unlink(missing_ok=True)
            (target.parent / _FACTS).unlink(missing_ok=True)
            known = None
        try:
            _fetch(client, recording, target, progress, largest, known)
            return
        except _Other:
            part.unlink(missing_ok=True)
        except FetchError as error:
            if _size(part) > largest:
                part.unlink()
            raise FetchError(
                error.address, error.reason, remedy=_going_on(error, part), detail=error.detail, is_passing=error.is_passing
            ) from error
    raise FetchError(
        public_address(recording.address), "the file changes while it is fetched", remedy="Try again later.", is_passing=True
    )


def _fetch(
    client: Client, recording: Recording, target: Path, progress: MediaProgress, largest: int, known: _Known | None
) -> None:
    heard_last = known

    def heard(answer: Answer) -> None:
        nonlocal heard_last
        if answer.kind.partition(";")[0].strip().lower() in ("text/html", "application/xhtml+xml"):
            raise FetchError(
                public_address(answer.address), "the server sent a web page instead of the recording", remedy="Try again later."
            )
        length = None if answer.is_compressed else answer.whole
        now = _Known(length, answer.version)
        if length is not None and length > largest:
            raise _too_large(public_address(answer.address), replace(recording, size=length, is_size_about=False), largest)
        if answer.status == 206 and heard_last is not None and heard_last != now:
            raise _Other
        heard_last = now
        write_atomic(target.parent / _FACTS, json.dumps({"length": length, "version": answer.version}).encode("utf-8"))

    client.fetch_file(recording.values, target, progress, largest=largest, heard=heard)
    announced, size = (heard_last.length if heard_last is not None else None), target.stat().st_size
    if announced is not None and announced != size:
        target.unlink()
        raise FetchError(
            public_address(recording.address),
            f"the server announced {announced:,} bytes and sent {size:,}",
            remedy="Try again.",
            is_passing=True,
        )
    if announced is None:
        write_atomic(target.parent / _FACTS, json.dumps({"length": size, "version": ""}).encode("utf-8"))


def _refuse_what_is_none(address: str, target: Path) -> None:
    """Raise `FetchError` for text, for an empty file and for one that is cut off; then nothing of it is kept."""
    with target.open("rb") as stream:
        head = stream.read(4096)
    reason = ""
    if not head:
        reason = "the server sent an empty file"
    elif is_text(head):
        is_page = b"<html" in head.lower() or b"<!doctype html" in head.lower()
        reason = f"the server sent {'a web page' if is_page else 'text'} instead of the recording"
    elif read_container(target).is_cut:
        reason = "the recording that the server sent is cut off"
    if reason:
        shutil.rmtree(target.parent, ignore_errors=True)
        raise FetchError(address, reason, remedy="Try again later.", is_passing=True)


def _known(place: Path) -> _Known:
    path = place / _FACTS
    try:
        fields = fields_of(path.read_bytes(), str(path))
        return _Known(fields.optional_integer("length"), fields.text("version", ""))
    except (OSError, JobError):
        return _NOTHING


def _going_on(error: FetchError, part: Path) -> str:
    kept = f" {_size(part):,} bytes of it are kept; asked for again, it goes on from there." if _size(part) else ""
    return f"{error.remedy}{kept}"


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _too_large(address: str, recording: Recording, largest: int) -> FetchError:
    size = (recording.size or 0) // 1_000_000
    about = "about " if recording.is_size_about else ""
    return FetchError(
        address,
        f"the recording is {about}{size:,} MB, more than the {largest // 1_000_000:,} MB allowed",
        remedy="Allow more, or bring a smaller file of it.",
    )


def _require_room(place: Path, recording: Recording) -> None:
    free = shutil.disk_usage(place).free
    if (recording.size or 0) + _ROOM_LEFT > free:
        raise StoreError(
            str(place),
            f"there is room for {free // 1_000_000:,} MB, and the recording needs {(recording.size or 0) // 1_000_000:,} MB",
            remedy="Make room on this disk, or set QUOTEVIEW_HOME to a folder on another one.",
        )


def _origin(fetched: FetchedMedia) -> bytes:
    told = {
        "file": fetched.lock.file,
        "sha256": fetched.lock.sha256,
        "size": fetched.lock.size,
        "address": public_address(fetched.recording.address),
        "format": fetched.recording.name,
        "fetched_at": fetched.fetched_at,
        "library": fetched.library,
        "duration_ms": fetched.duration_ms,
        "duration_from": fetched.length_from.value,
        "duration_ms_by_source": fetched.source_ms,
    }
    return (json.dumps(told, ensure_ascii=False, indent=2) + "\n").encode("utf-8")


@contextmanager
def _held(place: Path) -> Iterator[None]:
    """Hold the folder of a part, so that two programs do not write to one file; an empty one does not stay."""
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise store_error(place, error) from error
    try:
        lock = JobLock.take(place)
    except StoreError as error:
        raise StoreError(
            str(place), "this recording is being fetched by another program", remedy="Wait until that one has ended."
        ) from error
    try:
        yield
    finally:
        lock.release()
        with contextlib.suppress(OSError):
            if {path.name for path in place.iterdir()} <= {_FACTS}:
                shutil.rmtree(place)
            place.parent.rmdir()


def _forget_old(parts: Path) -> None:
    with contextlib.suppress(OSError):
        for place in parts.iterdir():
            newest = max((path.stat().st_mtime for path in place.iterdir()), default=place.stat().st_mtime)
            if time.time() - newest > _KEPT_FOR_S:
                shutil.rmtree(place, ignore_errors=True)


def _ignore(_done: int, _total: int) -> None:
    """Take progress and show nothing."""
