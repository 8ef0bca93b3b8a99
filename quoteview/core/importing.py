"""Caption files that a person brought become tracks of a job: read, given an id, and locked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from quoteview.core.captions.reading import read_track
from quoteview.core.captions.track import Origin, Track
from quoteview.core.job import Standing, TrackRecord, free_track_id, track_file
from quoteview.core.locking import LockedSource, lock


@dataclass(frozen=True, slots=True)
class CaptionFile:
    """A caption file as brought. `origin` None where nobody said it; `encoding` is a person's choice, else None."""

    name: str
    data: bytes
    origin: Origin | None = None
    language: str = ""
    encoding: str | None = None


@dataclass(frozen=True, slots=True)
class ImportedTrack:
    """A brought file with its record in the job, its locked bytes, and the track as read."""

    record: TrackRecord
    source: LockedSource
    track: Track


def import_track(brought: CaptionFile, taken: Collection[str], *, file: str = "") -> ImportedTrack:
    """Return a brought file as a track, or raise `CaptionError` that names the file; `taken` are ids that the job has.

    Its name in the job is made from its id, unless `file` gives one (a check without a job keeps the person's name).
    """
    track = read_track(lock(brought.data, brought.name), encoding=brought.encoding)
    language = brought.language or track.language
    origin = brought.origin or Origin.UNKNOWN
    track_id = free_track_id(language, origin, taken)
    source = lock(brought.data, file or track_file(track_id, track.format))
    record = TrackRecord(
        id=track_id,
        origin=origin,
        language=language,
        standing=Standing.LOCKED,
        lock=source.lock,
        name=brought.name,
        format=track.format.value,
        is_imported=True,
        encoding=brought.encoding,
        is_origin_stated=brought.origin is not None,
    )
    return ImportedTrack(record, source, track)
