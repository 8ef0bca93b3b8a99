"""The statement: what a label says, about which bytes, and everything a stranger needs to check it again.

It is written as an in-toto Statement v1 whose subjects are the draft and the tracks and whose predicate
is this module's `Statement`. It says no more than was checked. Its last key is `end`: a seal over all the rest,
so that a statement cut short or damaged anywhere is seen, in its free words too (a seal shows damage; only a
signature shows forgery). `resources/statement.schema.json` describes the document; a test holds the two together.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from quoteview.core.drafts.draft import Mark
from quoteview.core.spans import ByteSpan

RULES_VERSION = 1
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:quoteview:label:1"
END = "statement whole"


class LabelKind(StrEnum):
    """The two labels; they never look alike."""

    VERIFIED = "verified"
    WITH_EXCEPTIONS = "verified with exceptions"


@dataclass(frozen=True, slots=True)
class StatedFile:
    """A file that the statement speaks of: its name inside the bundle, digest in lower-case hex, size in bytes."""

    file: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class StatedTrack:
    """A locked track. `format` is the caption format's word, `encoding` a Python codec name.

    `copy_of` is the id of the track that this one is a second copy of, else "": a copy says nothing of the spoken language.
    """

    id: str
    file: StatedFile
    origin: str
    language: str
    format: str
    encoding: str
    is_imported: bool
    is_reference: bool
    copy_of: str = ""


@dataclass(frozen=True, slots=True)
class StatedOffer:
    """A track that the source offers and that is not in the bundle: only listed, or not obtained for a reason."""

    id: str
    origin: str
    language: str
    standing: str
    copy_of: str
    reason: str


@dataclass(frozen=True, slots=True)
class StatedMatch:
    """Where an exact claim stands: cue times in ms of the first and last cue, and the byte ranges in the track's file."""

    track: str
    cue_ms: tuple[int, int]
    last_cue_ms: tuple[int, int]
    offset_ms: int
    bytes: tuple[ByteSpan, ...]
    speakers: tuple[str, ...]
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class StatedResolution:
    """What a person recorded about a claim; `entry` is the digest of the journal's line."""

    kind: str
    exception: str
    reason: str
    by: str
    at: str
    entry: str
    is_exception: bool


@dataclass(frozen=True, slots=True)
class StatedClaim:
    """A claim with its verdict. `pieces` are (text, start, end) in the draft's bytes and make up `text`.

    `prefix` and `suffix` are the draft's words around it.
    `source_words` is the nearest passage of a claim that is not exact, for people; nothing is checked against it.
    """

    id: int
    kind: str
    text: str
    outer: ByteSpan
    pieces: tuple[tuple[str, int, int], ...]
    line: int
    column: int
    claimed_ms: int | None
    claimed_end_ms: int | None
    time_bytes: ByteSpan | None
    has_own_time: bool
    verdict: str
    state: str
    classes: tuple[str, ...]
    match: StatedMatch | None
    source_words: str
    resolution: StatedResolution | None
    prefix: str = ""
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class StatedGate:
    """A gate as it was judged at the moment of labelling; `acknowledged` is "" or who, when and why."""

    name: str
    is_open: bool
    evidence: str
    defects: tuple[str, ...]
    acknowledged: str


@dataclass(frozen=True, slots=True)
class StatedCounts:
    """`resolved` is set aside plus exceptions; `by_class` counts exceptions, `long_cues` exact claims in long cues."""

    claims: int
    exact: int
    resolved: int
    set_aside: int
    exceptions: int
    by_class: tuple[tuple[str, int], ...]
    marks: int
    long_cues: int


@dataclass(frozen=True, slots=True)
class Statement:
    """What is stated. `draft_path` is the draft's path in the job, as the journal names it.

    `offered` are the tracks that the source offers besides the locked ones, machine translations left out. `files` are
    the report, the annotations and the checking program by their role.
    """

    version: str
    label: LabelKind
    sentence: str
    by: str
    at: str
    is_signed: bool
    tolerance_ms: int
    source: str
    spoken_language: str
    title: str
    duration_ms: int | None
    draft: StatedFile
    draft_path: str
    draft_format: str
    draft_encoding: str
    end_mark: str
    tracks: tuple[StatedTrack, ...]
    offered: tuple[StatedOffer, ...]
    reference_why: str
    reference_choice: str
    claims: tuple[StatedClaim, ...]
    marks: tuple[Mark, ...]
    counts: StatedCounts
    gates: tuple[StatedGate, ...]
    journal_length: int
    journal_head: str
    files: tuple[tuple[str, StatedFile], ...] = ()

    @property
    def reference(self) -> StatedTrack:
        """The track that every verdict is about."""
        return next(track for track in self.tracks if track.is_reference)

    @property
    def label_words(self) -> str:
        """The label as it stands in the statement: `verified`, or `verified with N exceptions`."""
        return label_words(self.counts.exceptions)


class Subject(NamedTuple):
    """A subject of the statement: a file's name in the bundle and its digest."""

    name: str
    sha256: str


def label_words(exceptions: int) -> str:
    """Return the label's words for a number of exceptions."""
    if not exceptions:
        return "verified"
    return f"verified with {exceptions} exception{'' if exceptions == 1 else 's'}"


def statement_bytes(statement: Statement) -> bytes:
    """Return the statement as the bytes of `statement.json`: UTF-8, one document, `end` the predicate's last key."""
    subjects = [_subject(statement.draft), *(_subject(track.file) for track in statement.tracks)]
    predicate = _predicate(statement)
    document = {"_type": STATEMENT_TYPE, "subject": subjects, "predicateType": PREDICATE_TYPE, "predicate": predicate}
    predicate["end"] = seal(document)
    return laid_out(document, 3)


def laid_out(document: Mapping[str, object], levels: int) -> bytes:
    """Return JSON as UTF-8, with a line for each key and row of its outer `levels`: a claim is one line for a person to read."""
    try:
        return (_laid_out(document, levels, "", is_ascii=False) + "\n").encode("utf-8")
    except UnicodeEncodeError:
        # Half of a surrogate pair was typed into a name or a reason: only as an escape can it be kept as typed.
        return (_laid_out(document, levels, "", is_ascii=True) + "\n").encode("ascii")


def _laid_out(value: object, levels: int, indent: str, *, is_ascii: bool) -> str:
    if not levels or not value or not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=is_ascii)
    rows: list[str] = []
    for key, each in value.items() if isinstance(value, dict) else ((None, row) for row in value):
        name = f"{json.dumps(key, ensure_ascii=is_ascii)}: " if key is not None else ""
        rows.append(f"{indent} {name}{_laid_out(each, levels - 1, indent + ' ', is_ascii=is_ascii)}")
    opens, closes = "{}" if isinstance(value, dict) else "[]"
    return opens + "\n" + ",\n".join(rows) + "\n" + indent + closes


def seal(document: Mapping[str, object]) -> str:
    """Return what the key `end` of a statement's predicate must say, by all its other keys."""
    predicate = document["predicate"]
    assert isinstance(predicate, Mapping)
    rest = {**document, "predicate": {key: value for key, value in predicate.items() if key != "end"}}
    plain = json.dumps(rest, sort_keys=True, separators=(",", ":")).encode("ascii")
    return f"{END}, sha256 {hashlib.sha256(plain).hexdigest()}"


def _subject(file: StatedFile) -> dict[str, object]:
    return {"name": file.file, "digest": {"sha256": file.sha256}}


def _predicate(statement: Statement) -> dict[str, object]:
    return {
        "schema": 1,
        "rules": RULES_VERSION,
        "quoteview": statement.version,
        "label": statement.label_words,
        "sentence": statement.sentence,
        "by": statement.by,
        "at": statement.at,
        "signature": "ssh" if statement.is_signed else "unsigned",
        "tolerance_ms": statement.tolerance_ms,
        "source": {
            "address": statement.source,
            "title": statement.title,
            "duration_ms": statement.duration_ms,
            "language": statement.spoken_language,
        },
        "draft": {
            **_file(statement.draft),
            "path": statement.draft_path,
            "format": statement.draft_format,
            "encoding": statement.draft_encoding,
            "end_mark": statement.end_mark,
        },
        "tracks": [_track(track) for track in statement.tracks],
        "offered": [_offer(offer) for offer in statement.offered],
        "reference": {"id": statement.reference.id, "why": statement.reference_why, "choice": statement.reference_choice},
        "claims": [_claim(claim) for claim in statement.claims],
        "marks": [{"bytes": list(mark.bytes), "role": mark.role, "claim": mark.claim} for mark in statement.marks],
        "counts": _counts(statement.counts),
        "gates": {gate.name: _gate(gate) for gate in statement.gates},
        "journal": {"file": "data/journal.jsonl", "length": statement.journal_length, "head": statement.journal_head},
        "files": {role: _file(file) for role, file in statement.files},
    }


def _file(file: StatedFile) -> dict[str, object]:
    return {"file": file.file, "sha256": file.sha256, "size": file.size}


def _track(track: StatedTrack) -> dict[str, object]:
    return {
        "id": track.id,
        **_file(track.file),
        "origin": track.origin,
        "language": track.language,
        "format": track.format,
        "encoding": track.encoding,
        "is_imported": track.is_imported,
        "is_reference": track.is_reference,
        "copy_of": track.copy_of,
    }


def _offer(offer: StatedOffer) -> dict[str, object]:
    return {
        "id": offer.id,
        "origin": offer.origin,
        "language": offer.language,
        "standing": offer.standing,
        "copy_of": offer.copy_of,
        "reason": offer.reason,
    }


def _claim(claim: StatedClaim) -> dict[str, object]:
    return {
        "id": claim.id,
        "kind": claim.kind,
        "text": claim.text,
        "outer": list(claim.outer),
        "pieces": [list(piece) for piece in claim.pieces],
        "line": claim.line,
        "column": claim.column,
        "claimed_ms": claim.claimed_ms,
        "claimed_end_ms": claim.claimed_end_ms,
        "time_bytes": list(claim.time_bytes) if claim.time_bytes else None,
        "has_own_time": claim.has_own_time,
        "verdict": claim.verdict,
        "state": claim.state,
        "classes": list(claim.classes),
        "match": _match(claim.match) if claim.match else None,
        "source_words": claim.source_words,
        "resolution": _resolution(claim.resolution) if claim.resolution else None,
    }


def _match(match: StatedMatch) -> dict[str, object]:
    return {
        "track": match.track,
        "cue_ms": list(match.cue_ms),
        "last_cue_ms": list(match.last_cue_ms),
        "offset_ms": match.offset_ms,
        "bytes": [list(span) for span in match.bytes],
        "speakers": list(match.speakers),
        "before": match.before,
        "after": match.after,
    }


def _resolution(resolution: StatedResolution) -> dict[str, object]:
    return {
        "kind": resolution.kind,
        "class": resolution.exception,
        "reason": resolution.reason,
        "by": resolution.by,
        "at": resolution.at,
        "entry": resolution.entry,
        "is_exception": resolution.is_exception,
    }


def _gate(gate: StatedGate) -> dict[str, object]:
    return {
        "open": gate.is_open,
        "evidence": gate.evidence,
        "defects": list(gate.defects),
        "acknowledged": gate.acknowledged,
    }


def _counts(counts: StatedCounts) -> dict[str, object]:
    return {
        "claims": counts.claims,
        "exact": counts.exact,
        "resolved": counts.resolved,
        "set_aside": counts.set_aside,
        "exceptions": counts.exceptions,
        "by_class": dict(counts.by_class),
        "marks": counts.marks,
        "long_cues": counts.long_cues,
    }
