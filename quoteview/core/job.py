"""The job: one source, its locked tracks, its drafts and its journal, as an immutable value.

A job is changed only by pure functions that return a new one; `quoteview.core.store` alone writes to
the disk. What can be derived (text, verdicts, gates) is not kept: it is judged afresh from the bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from quoteview.core.captions.track import Origin
from quoteview.core.journal import Journal
from quoteview.core.locking import Lock
from quoteview.core.verdicts import LARGEST_TOLERANCE_MS


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
    (HTTP status, announced length, library version), in the order they were recorded.
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
