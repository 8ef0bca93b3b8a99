"""From what was judged to the statement: a pure function of bytes, verdicts, resolutions and gates.

It decides nothing. Labelling calls it after every gate was judged; a re-check calls it with what it read from a
bundle, and holds the statement that it gives against the one that was exported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from quoteview.core.captions.track import Origin, Track
from quoteview.core.drafts.draft import Claim, Draft
from quoteview.core.gates import Gate
from quoteview.core.job import Job, TrackRecord
from quoteview.core.journal import Journal
from quoteview.core.label_words import by_class, label_sentence
from quoteview.core.ledger import EntryKind
from quoteview.core.reference_choice import ReferenceChoice, spoken_language
from quoteview.core.resolving import ClaimStanding, Resolution, Resolved
from quoteview.core.spans import ByteSpan
from quoteview.core.statement import (
    LabelKind,
    StatedClaim,
    StatedCounts,
    StatedFile,
    StatedGate,
    StatedMatch,
    StatedOffer,
    StatedResolution,
    StatedTrack,
    Statement,
)
from quoteview.core.verdicts import LONG_CUE_MS, Verdict, VerdictKind


@dataclass(frozen=True, slots=True)
class Judged:
    """One draft of a job with everything that was judged of it; `tracks` are the locked tracks as read, by id."""

    job: Job
    draft: Draft
    draft_file: str
    draft_path: str
    verdicts: tuple[Verdict, ...]
    standing: tuple[ClaimStanding, ...]
    gates: tuple[Gate, ...]
    choice: ReferenceChoice
    reference: Track
    encodings: tuple[tuple[str, str], ...]
    formats: tuple[tuple[str, str], ...]
    journal: Journal


def state(judged: Judged, *, by: str, at: str, version: str, is_signed: bool = False) -> Statement:
    """Return the statement, without the digests of report and annotations, which are made from it."""
    claims = tuple(
        _claim(judged, claim, verdict, standing)
        for claim, verdict, standing in zip(judged.draft.claims, judged.verdicts, judged.standing, strict=True)
    )
    tracks = tuple(_track(judged, record) for record in judged.job.locked)
    counts = _counts(judged, claims)
    reference = next(track for track in tracks if track.is_reference)
    choice = f"{judged.choice.by}: {judged.choice.reason}" if judged.choice.is_persons_choice else ""
    unread = judged.reference.ledger.totals()[EntryKind.UNREAD.word]
    return Statement(
        version=version,
        label=LabelKind.WITH_EXCEPTIONS if counts.exceptions else LabelKind.VERIFIED,
        sentence=label_sentence(
            counts,
            reference,
            tolerance_ms=judged.job.policy.tolerance_ms,
            by=by,
            at=at,
            is_signed=is_signed,
            unread_bytes=unread,
            reference_choice=choice,
        ),
        by=by,
        at=at,
        is_signed=is_signed,
        tolerance_ms=judged.job.policy.tolerance_ms,
        source=judged.job.source.address,
        spoken_language=spoken_language(judged.job)[0],
        title=judged.job.title,
        duration_ms=judged.job.source.duration_ms,
        draft=StatedFile(judged.draft_file, judged.draft.sha256, len(judged.draft.data)),
        draft_path=judged.draft_path,
        draft_format=judged.draft.format.value,
        draft_encoding=judged.draft.encoding,
        end_mark=judged.job.policy.end_mark,
        tracks=tracks,
        offered=_offers(judged.job),
        reference_why=judged.choice.why,
        reference_choice=choice,
        claims=claims,
        marks=judged.draft.marks,
        counts=counts,
        gates=tuple(_gate(gate) for gate in judged.gates),
        journal_length=judged.journal.length,
        journal_head=judged.journal.head,
    )


def with_files(statement: Statement, files: Sequence[tuple[str, StatedFile]]) -> Statement:
    """Return the statement with the files that were made from it."""
    return replace(statement, files=tuple(files))


def bundle_name(path: str, folder: str, taken: set[str]) -> str:
    """Return the name of a file inside a bundle: `data/folder/name`, told apart by a number where it is taken."""
    last = PurePosixPath(path.replace("\\", "/")).name
    name = last if last.strip(".") else "file"
    safe = "".join("_" if character in '<>:"|?*%\x7f' or character < " " else character for character in name)
    candidate, number = f"data/{folder}/{safe}", 2
    while candidate.casefold() in taken:
        candidate, number = f"data/{folder}/{number}-{safe}", number + 1
    taken.add(candidate.casefold())
    return candidate


def _track(judged: Judged, record: TrackRecord) -> StatedTrack:
    assert record.lock is not None
    encodings, formats = dict(judged.encodings), dict(judged.formats)
    return StatedTrack(
        record.id,
        StatedFile(f"data/{record.lock.file}", record.lock.sha256, record.lock.size),
        record.origin.value,
        record.language,
        formats.get(record.id, record.format),
        encodings.get(record.id, ""),
        record.is_imported,
        record.id == judged.choice.track_id,
        record.copy_of,
    )


def _offers(job: Job) -> tuple[StatedOffer, ...]:
    others = (record for record in job.tracks if record.lock is None and record.origin is not Origin.TRANSLATED)
    return tuple(
        StatedOffer(each.id, each.origin.value, each.language, each.standing.value, each.copy_of, each.reason) for each in others
    )


def _claim(judged: Judged, claim: Claim, verdict: Verdict, standing: ClaimStanding) -> StatedClaim:
    is_green = verdict.kind is VerdictKind.EXACT
    resolution = standing.resolution if isinstance(standing, Resolved) else None
    is_resolved = resolution is not None
    claimed = claim.claimed
    return StatedClaim(
        id=claim.id,
        kind=claim.kind.value,
        text=claim.text,
        outer=ByteSpan(*claim.outer),
        pieces=tuple((piece.text, piece.start, piece.end) for piece in claim.pieces),
        line=claim.line,
        column=claim.column,
        claimed_ms=claimed.start_ms if claimed else None,
        claimed_end_ms=claimed.end_ms if claimed else None,
        time_bytes=claimed.bytes if claimed else None,
        has_own_time=bool(claimed and claimed.is_own),
        verdict=verdict.kind.value,
        state="resolved" if is_resolved else "green",
        classes=tuple(kind.value for kind in verdict.classes),
        match=_match(verdict) if is_green and not is_resolved else None,
        source_words=verdict.nearest.text if verdict.nearest is not None else "",
        resolution=_resolution(resolution) if resolution is not None else None,
        prefix=claim.before,
        suffix=claim.after,
    )


def _match(verdict: Verdict) -> StatedMatch:
    assert verdict.match is not None
    match, evidence = verdict.match, verdict.match.evidence
    return StatedMatch(
        match.track,
        (evidence.first_cue.start_ms, evidence.first_cue.end_ms),
        (evidence.last_cue.start_ms, evidence.last_cue.end_ms),
        match.offset_ms or 0,
        evidence.bytes,
        evidence.speakers,
        match.before,
        match.after,
    )


def _resolution(resolution: Resolution) -> StatedResolution:
    return StatedResolution(
        resolution.kind.value,
        resolution.exception_class.value if resolution.exception_class else "",
        resolution.reason,
        resolution.by,
        resolution.at,
        resolution.entry,
        resolution.is_exception,
    )


def _gate(gate: Gate) -> StatedGate:
    known = gate.acknowledged
    words = f"{known.by}, {known.at}: {known.reason}" if known is not None else ""
    return StatedGate(gate.name, gate.is_open, gate.evidence, gate.defects, words)


def _counts(judged: Judged, claims: Sequence[StatedClaim]) -> StatedCounts:
    resolved = [claim.resolution for claim in claims if claim.resolution is not None]
    exceptions = [resolution for resolution in resolved if resolution.is_exception]
    exact = [claim for claim in claims if claim.state == "green"]
    return StatedCounts(
        claims=len(claims),
        exact=len(exact),
        resolved=len(resolved),
        set_aside=len(resolved) - len(exceptions),
        exceptions=len(exceptions),
        by_class=by_class([resolution.exception for resolution in exceptions]),
        marks=len(judged.draft.marks),
        long_cues=sum(1 for claim in exact if claim.match and claim.match.cue_ms[1] - claim.match.cue_ms[0] > LONG_CUE_MS),
    )
