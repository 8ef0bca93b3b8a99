"""The job: one source, its locked tracks, its drafts and its journal, as an immutable value.

A job is changed only by pure functions that return a new one; `quoteview.core.store` alone writes to
the disk. What can be derived (text, verdicts, gates) is not kept: it is judged afresh from the bytes.

`job.json` is checked on the way in, here and nowhere else: a newer schema, a key that is not known, a name that leaves
the job's folder, an id that is no safe file name or stands twice, and a locked track without its lock are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from enum import StrEnum
from pathlib import PurePosixPath, PureWindowsPath

from quoteview.core.acts import Act
from quoteview.core.captions.track import CaptionFormat, Origin
from quoteview.core.door import Fields, fields_of
from quoteview.core.errors import JobError, UsageError
from quoteview.core.journal import Journal, JournalRecord
from quoteview.core.locking import Lock
from quoteview.core.verdicts import LARGEST_TOLERANCE_MS

SCHEMA = 1
"""The version of `job.json` that is written; a newer one is refused."""

FILE = "job.json"

LONGEST_END_MARK = 40
"""An end mark is a sign or a word (`###`, `-30-`, `Ends`), not a sentence."""


class Standing(StrEnum):
    """What became of a track that the source offers."""

    LOCKED = "locked"
    LISTED = "listed"
    NOT_OBTAINED = "not obtained"


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """What the job knows of one caption track, obtained or not.

    `id` is unique in the job and safe as a file name (`en.human`). `lock` is None unless `standing` is
    LOCKED. `is_imported` says that a person brought the file and stated its origin. `language` is a
    BCP 47 tag, "" where unknown. `format` is the caption format's word, or what the source calls it.
    `encoding` is a person's choice, None where the file speaks for itself. `reason` says why a track was
    not obtained or only listed; `is_passing` that trying again later may help. `copy_of` is the id of the
    track that this one is a copy or second format of, else "". `received` holds facts of the transfer
    (HTTP status, announced length, library version), in the order they were recorded. `is_origin_stated` is
    False where nobody said what a brought file is: an origin that a person states as unknown is stated.
    """

    id: str
    origin: Origin
    language: str
    standing: Standing
    lock: Lock | None = None
    name: str = ""
    format: str = ""
    is_imported: bool = False
    address: str = ""
    fetched_at: str = ""
    library: str = ""
    encoding: str | None = None
    reason: str = ""
    is_passing: bool = False
    copy_of: str = ""
    received: tuple[tuple[str, str], ...] = ()
    is_origin_stated: bool = True


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """The recording. `address` "" for a local one. `duration_ms` None where unknown. `language` is the spoken
    one's tag, "" where unknown. `asked_human` and `asked_automatic` say that the source was asked for both."""

    address: str = ""
    title: str = ""
    duration_ms: int | None = None
    language: str = ""
    asked_human: bool = False
    asked_automatic: bool = False


@dataclass(frozen=True, slots=True)
class DraftRecord:
    """A draft of the job: `path` is relative to the job's folder (`drafts/a.md`), or absolute for a file elsewhere."""

    path: str


@dataclass(frozen=True, slots=True)
class Policy:
    """What the job asks beyond the rules: a tolerance of at most 2,000 ms, and an end mark that a draft must end in."""

    tolerance_ms: int = LARGEST_TOLERANCE_MS
    end_mark: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """One source with its tracks, drafts, policy and journal. `language` is the job's stated one, "" if none.

    `media` is the path of the audio or video, relative to the job or absolute, "" where there is none.
    """

    title: str
    source: SourceRecord
    language: str
    tracks: tuple[TrackRecord, ...]
    drafts: tuple[DraftRecord, ...]
    policy: Policy
    journal: Journal
    media: str = ""
    media_lock: Lock | None = None

    @property
    def locked(self) -> tuple[TrackRecord, ...]:
        """The records of the tracks whose bytes are locked, in the job's order."""
        return tuple(record for record in self.tracks if record.lock is not None)

    def track(self, track_id: str) -> TrackRecord | None:
        """Return a track's record, or None where the job has none of that id."""
        return next((record for record in self.tracks if record.id == track_id), None)


def with_track(job: Job, record: TrackRecord) -> Job:
    """Return the job with a track added; one that has the same id is replaced, unless it is locked with other bytes.

    A lock is never renewed: replacing the lock of a locked track is a programming error and raises ValueError.
    """
    _require_safe_id(record.id)
    known = job.track(record.id)
    if known is None:
        return replace(job, tracks=(*job.tracks, record))
    if known.lock is not None and known.lock != record.lock:
        raise ValueError(f"track {record.id} is locked; other bytes are another track")
    return replace(job, tracks=tuple(record if each.id == record.id else each for each in job.tracks))


def with_draft(job: Job, path: str) -> Job:
    """Return the job with a draft added; one that is there already is not added twice."""
    if any(draft.path == path for draft in job.drafts):
        return job
    return replace(job, drafts=(*job.drafts, DraftRecord(path)))


def with_policy(job: Job, policy: Policy) -> Job:
    """Return the job with another policy; a tolerance outside 0 to 2,000 ms is a programming error and raises ValueError."""
    if not 0 <= policy.tolerance_ms <= LARGEST_TOLERANCE_MS:
        raise ValueError(f"the tolerance is at most {LARGEST_TOLERANCE_MS} ms")
    return replace(job, policy=policy)


def with_end_mark(job: Job, mark: str) -> Job:
    """Return the job asking that every draft ends in a mark; "" asks for none. Raises `UsageError` for more than a short line."""
    wanted = mark.strip()
    if len(wanted) > LONGEST_END_MARK or _CONTROLS.search(wanted):
        raise UsageError(f"An end mark is one line of at most {LONGEST_END_MARK} characters, for instance ### or “Ends”.")
    return with_policy(job, replace(job.policy, end_mark=wanted))


def with_source(job: Job, source: SourceRecord) -> Job:
    """Return the job with other facts about its source."""
    return replace(job, source=source)


def with_media(job: Job, path: str, media_lock: Lock | None = None) -> Job:
    """Return the job with its audio or video at a path, relative to the job or absolute."""
    return replace(job, media=path, media_lock=media_lock)


def with_journal(job: Job, journal: Journal) -> Job:
    """Return the job with another journal."""
    return replace(job, journal=journal)


def with_act(job: Job, act: Act, *, by: str, at: str, track: str = "", draft: str = "") -> Job:
    """Return the job with one more line in its journal; see `Journal.appended`."""
    return replace(job, journal=job.journal.appended(act, by=by, at=at, track=track, draft=draft))


def free_track_id(language: str, origin: Origin, taken: Collection[str]) -> str:
    """Return an id that is safe as a file name and not taken: `en.human`, then `en.human-2`."""
    words = re.sub(r"[^A-Za-z0-9-]+", "-", language).strip("-")[:40] or "und"
    if is_reserved(words):
        words = f"x-{words}"
    known = {name.casefold() for name in taken}
    wanted = f"{words}.{origin.value}"
    number = 1
    while (name := wanted if number == 1 else f"{wanted}-{number}").casefold() in known:
        number += 1
    return name


_ENDINGS: Mapping[str, str] = {
    CaptionFormat.WEBVTT: "vtt",
    CaptionFormat.SUBRIP: "srt",
    CaptionFormat.SAMI: "smi",
    CaptionFormat.PLAIN_TIMED: "txt",
}


def track_file(track_id: str, format: str) -> str:
    """Return where a track's bytes lie in the job: `tracks/en.human.vtt`."""
    ending = _ENDINGS.get(format) or ("json" if format.endswith("-json") else format)
    return f"tracks/{track_id}.{re.sub('[^A-Za-z0-9]+', '', ending) or 'bin'}"


def is_safe_id(track_id: str) -> bool:
    """Return whether an id can be a file's name on every system and names nothing outside its folder."""
    return _SAFE_ID.fullmatch(track_id) is not None and ".." not in track_id and not is_reserved(track_id)


def is_reserved(name: str) -> bool:
    """Return whether Windows takes a name for a device (`CON`, `nul.txt`)."""
    return re.fullmatch(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", name, re.IGNORECASE) is not None


def job_to_json(job: Job, record: JournalRecord) -> bytes:
    """Return the bytes of `job.json`: UTF-8, indented, ending in a line end."""
    journal: dict[str, object] = {"length": record.length, "head": record.head}
    if record.announced:
        journal["announced"] = list(record.announced)
    document = {
        "schema": SCHEMA,
        "title": job.title,
        "language": job.language,
        "source": {
            "address": job.source.address,
            "title": job.source.title,
            "duration_ms": job.source.duration_ms,
            "language": job.source.language,
            "asked_human": job.source.asked_human,
            "asked_automatic": job.source.asked_automatic,
        },
        "tracks": [_track_json(track) for track in job.tracks],
        "drafts": [{"path": draft.path} for draft in job.drafts],
        "policy": {"tolerance_ms": job.policy.tolerance_ms, "end_mark": job.policy.end_mark},
        "media": {"path": job.media, "lock": _lock_json(job.media_lock)},
        "journal": journal,
    }
    try:
        return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode("utf-8")
    except UnicodeEncodeError:
        # A path that is no UTF-8 on disk holds surrogates; only as escapes do they come back as they were.
        return (json.dumps(document, ensure_ascii=True, indent=2) + "\n").encode("ascii")


def job_from_json(data: bytes, journal: Journal, path: str = FILE) -> tuple[Job, JournalRecord]:
    """Return the job that `job.json` holds, and what it says of the journal; raises `JobError` where it is no job of ours."""
    fields = fields_of(data, path)
    schema = fields.integer("schema")
    if schema > SCHEMA:
        raise JobError(
            path,
            "schema",
            f"the job was written by a newer quoteview (schema {schema}, this one reads {SCHEMA})",
            remedy="Update quoteview.",
        )
    if schema < 1:
        raise fields.refuse("schema", "must be 1")
    fields.only("schema", "title", "language", "source", "tracks", "drafts", "policy", "media", "journal")
    tracks = tuple(_track_from(each) for each in fields.children("tracks"))
    drafts = tuple(DraftRecord(_draft_path(each)) for each in fields.children("drafts"))
    _refuse_twice(fields, "tracks", [track.id.casefold() for track in tracks])
    _refuse_twice(fields, "tracks", [track.lock.file.casefold() for track in tracks if track.lock])
    for number, track in enumerate(tracks):
        if track.copy_of and track.copy_of not in {other.id for other in tracks if other is not track}:
            raise fields.refuse(f"tracks[{number}].copy_of", "is not the id of another track")
    _refuse_twice(fields, "drafts", [draft.path for draft in drafts])
    media = fields.child("media").only("path", "lock") if fields.has("media") else None
    job = Job(
        title=fields.text("title", ""),
        source=_source_from(fields.child("source")),
        language=fields.text("language", ""),
        tracks=tracks,
        drafts=drafts,
        policy=_policy_from(fields.child("policy")) if fields.has("policy") else Policy(),
        journal=journal,
        media=_media_path(media) if media else "",
        media_lock=_lock_from(media.child("lock"), ("media",)) if media and media.has("lock") else None,
    )
    return job, _record_from(fields.child("journal"))


_SAFE_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")


def _require_safe_id(track_id: str) -> None:
    if not is_safe_id(track_id):
        raise ValueError(f"{track_id!r} is no id of a track")


def _track_json(track: TrackRecord) -> dict[str, object]:
    return {
        "id": track.id,
        "origin": track.origin.value,
        "language": track.language,
        "standing": track.standing.value,
        "lock": _lock_json(track.lock),
        "name": track.name,
        "format": track.format,
        "is_imported": track.is_imported,
        "address": track.address,
        "fetched_at": track.fetched_at,
        "library": track.library,
        "encoding": track.encoding,
        "reason": track.reason,
        "is_passing": track.is_passing,
        "copy_of": track.copy_of,
        "received": dict(track.received),
        "is_origin_stated": track.is_origin_stated,
    }


def _lock_json(lock: Lock | None) -> dict[str, object] | None:
    return {"file": lock.file, "sha256": lock.sha256, "size": lock.size} if lock else None


_TRACK_KEYS = tuple(each.name for each in dataclass_fields(TrackRecord))


def _track_from(fields: Fields) -> TrackRecord:
    fields.only(*_TRACK_KEYS)
    track_id = fields.text("id")
    if not is_safe_id(track_id):
        raise fields.refuse("id", f"is “{track_id[:60]}”, which is not a safe name")
    standing = Standing(fields.word("standing", list(Standing)))
    if (standing is Standing.LOCKED) != fields.has("lock"):
        raise fields.refuse("lock", "must be there for a locked track, and for no other")
    return TrackRecord(
        id=track_id,
        origin=Origin(fields.word("origin", list(Origin))),
        language=fields.text("language", ""),
        standing=standing,
        lock=_lock_from(fields.child("lock"), ("tracks",)) if fields.has("lock") else None,
        name=fields.text("name", ""),
        format=fields.text("format", ""),
        is_imported=fields.flag("is_imported", False),
        address=fields.text("address", ""),
        fetched_at=fields.text("fetched_at", ""),
        library=fields.text("library", ""),
        encoding=fields.text("encoding") if fields.has("encoding") else None,
        reason=fields.text("reason", ""),
        is_passing=fields.flag("is_passing", False),
        copy_of=fields.text("copy_of", ""),
        received=fields.pairs("received"),
        is_origin_stated=fields.flag("is_origin_stated", True),
    )


def _lock_from(fields: Fields, folders: tuple[str, ...]) -> Lock:
    file = fields.only("file", "sha256", "size").text("file")
    is_linked = folders == ("media",) and _is_absolute(file)
    if not is_linked and not _is_inside(file, folders):
        raise fields.refuse("file", f"is “{file[:80]}”, which is not a file in {folders[0]}/")
    size = fields.integer("size")
    if size < 0:
        raise fields.refuse("size", "must not be negative")
    return Lock(file, fields.digest("sha256"), size)


def _source_from(fields: Fields) -> SourceRecord:
    fields.only(*(each.name for each in dataclass_fields(SourceRecord)))
    duration_ms = fields.optional_integer("duration_ms")
    if duration_ms is not None and duration_ms < 0:
        raise fields.refuse("duration_ms", "must not be negative")
    return SourceRecord(
        address=fields.text("address", ""),
        title=fields.text("title", ""),
        duration_ms=duration_ms,
        language=fields.text("language", ""),
        asked_human=fields.flag("asked_human", False),
        asked_automatic=fields.flag("asked_automatic", False),
    )


def _policy_from(fields: Fields) -> Policy:
    tolerance_ms = fields.only("tolerance_ms", "end_mark").integer("tolerance_ms", LARGEST_TOLERANCE_MS)
    if not 0 <= tolerance_ms <= LARGEST_TOLERANCE_MS:
        raise fields.refuse("tolerance_ms", f"must be 0 to {LARGEST_TOLERANCE_MS}")
    return Policy(tolerance_ms, fields.text("end_mark", ""))


def _record_from(fields: Fields) -> JournalRecord:
    length = fields.only("length", "head", "announced").integer("length")
    if length < 0:
        raise fields.refuse("length", "must not be negative")
    announced = fields.texts("announced")
    return JournalRecord(length, fields.digest("head"), announced)


def _draft_path(fields: Fields) -> str:
    path = fields.only("path").text("path")
    if not _CONTROLS.search(path) and (_is_absolute(path) or _is_inside(path, ("drafts",))):
        return path
    raise fields.refuse("path", f"is “{path[:80]}”, which is neither a file in drafts/ nor an absolute path")


def _media_path(fields: Fields) -> str:
    path = fields.text("path", "")
    if not path or (not _CONTROLS.search(path) and (_is_absolute(path) or _is_inside(path, ("media",)))):
        return path
    raise fields.refuse("path", f"is “{path[:80]}”, which is neither a file in media/ nor an absolute path")


def _is_absolute(path: str) -> bool:
    return PurePosixPath(path).is_absolute() or PureWindowsPath(path).is_absolute()


def _is_inside(path: str, folders: tuple[str, ...]) -> bool:
    """Whether a path is `folder/…` with ordinary names, on every system."""
    parts = path.split("/")
    if parts[0] not in folders or len(parts) < 2 or _CONTROLS.search(path) or "\\" in path or ":" in path:
        return False
    return all(part not in ("", ".", "..") and not is_reserved(part) for part in parts)


def _refuse_twice(fields: Fields, key: str, names: list[str]) -> None:
    seen: set[str] = set()
    for number, name in enumerate(names):
        if name in seen:
            raise fields.refuse(f"{key}[{number}]", f"names “{name[:60]}” a second time")
        seen.add(name)
