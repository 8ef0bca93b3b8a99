"""A review as the JSON document of `quoteview check --json`, schema 1. What the keys mean stands in the program's help."""

from __future__ import annotations

from quoteview import __version__
from quoteview.core.drafts.draft import Claim, Mark
from quoteview.core.gates import Gate
from quoteview.core.judged import JudgedDraft, JudgedTrack, State
from quoteview.core.ledger import EntryKind
from quoteview.core.resolving import ClaimStanding, Resolved
from quoteview.core.review import Review
from quoteview.core.spans import ByteSpan
from quoteview.core.verdicts import Match, Nearest, Verdict, VerdictKind

SCHEMA = 1


def to_json(review: Review, *, draft_index: int | None = None) -> dict[str, object]:
    """Return the document; with `draft_index` for that draft alone, its gates too.

    While a lock is broken nothing is green; where the reference itself could not be read, `verdict` is null.
    """
    gates = review.gates if draft_index is None else review.gates_for(draft_index)
    drafts = review.drafts if draft_index is None else (review.drafts[draft_index],)
    return {
        "schema": SCHEMA,
        "quoteview": __version__,
        "label": "allowed" if gates and all(gate.is_open for gate in gates) else "blocked",
        "tolerance_ms": review.job.policy.tolerance_ms,
        "reference": {"id": review.choice.track_id, "why": review.choice.why},
        "tracks": [_track(judged) for judged in review.tracks],
        "drafts": [_draft(judged) for judged in drafts],
        "gates": {gate.name: _gate(gate) for gate in gates},
    }


def counts_of(judged: JudgedDraft) -> dict[str, int]:
    """Return how many claims have each verdict, and how many a person resolved."""
    counts = {kind.value: 0 for kind in VerdictKind}
    for verdict in judged.verdicts:
        counts[verdict.kind.value] += 1
    counts["resolved"] = sum(1 for state in judged.states() if state is State.RESOLVED)
    return counts


def _track(judged: JudgedTrack) -> dict[str, object]:
    record, track = judged.record, judged.track
    size = record.lock.size if record.lock else 0
    if track is not None:
        ledger, unread = track.ledger.totals(), track.ledger.spans(EntryKind.UNREAD)
    else:
        ledger = {kind.word: 0 for kind in EntryKind} | {EntryKind.UNREAD.word: size}
        unread = (ByteSpan(0, size),) if size else ()
    return {
        "id": record.id,
        "file": judged.file,
        "origin": record.origin.value,
        "language": record.language,
        "format": track.format.value if track else record.format,
        "bytes": size,
        "sha256": judged.sha256,
        "cues": len(track.cues) if track else 0,
        "lock": "broken" if judged.is_broken else "ok",
        "ledger": ledger,
        "unread": [list(span) for span in unread],
        "order": list(dict.fromkeys(defect.cue for defect in track.order)) if track else [],
        "witness": [
            {"cue": each.cue, "class": each.kind, "detail": each.detail}
            for each in (judged.witness.differences if judged.witness else ())
        ],
    }


def _draft(judged: JudgedDraft) -> dict[str, object]:
    draft = judged.draft
    return {
        "file": judged.path,
        "sha256": draft.sha256 if draft else "",
        "counts": counts_of(judged),
        "claims": [_claim(judged, place, claim) for place, claim in enumerate(judged.claims)],
        "marks": [_mark(mark) for mark in draft.marks] if draft else [],
    }


def _claim(judged: JudgedDraft, place: int, claim: Claim) -> dict[str, object]:
    verdict = judged.verdicts[place] if judged.verdicts else None
    claimed = claim.claimed
    values: dict[str, object] = {
        "id": claim.id,
        "text": claim.text,
        "kind": claim.kind.value,
        "bytes": _claim_bytes(claim),
        "line": claim.line,
        "column": claim.column,
        "claimed_ms": claimed.start_ms if claimed else None,
        "claimed_end_ms": claimed.end_ms if claimed else None,
        "verdict": verdict.kind.value if verdict else None,
        "state": judged.state(place).value,
    }
    if verdict is not None and verdict.kind is VerdictKind.ALTERED:
        values["classes"] = [each.value for each in verdict.classes]
    return values | _found(verdict) | {"resolution": _resolution(judged.standing[place])}


def _found(verdict: Verdict | None) -> dict[str, object]:
    return {
        "occurrences": verdict.occurrences if verdict else 0,
        "match": _match(verdict.match) if verdict and verdict.match else None,
        "nearest": _nearest(verdict.nearest) if verdict and verdict.nearest else None,
        "also_in": list(verdict.also_in) if verdict else [],
        "notes": list(verdict.notes) if verdict else [],
    }


def _claim_bytes(claim: Claim) -> list[object]:
    if not claim.part:
        return [list(span) for span in claim.bytes]
    return [
        {"part": piece.part or claim.part, "bytes": [piece.start, piece.end]} for piece in claim.pieces if piece.end > piece.start
    ]


def _match(match: Match) -> dict[str, object]:
    evidence = match.evidence
    return {
        "track": match.track,
        "cues": list(evidence.cues),
        "start_ms": evidence.time.start_ms,
        "end_ms": evidence.time.end_ms,
        "offset_ms": match.offset_ms,
        "bytes": [list(span) for span in evidence.bytes],
        "speakers": list(evidence.speakers),
        "before": match.before,
        "after": match.after,
    }


def _nearest(nearest: Nearest) -> dict[str, object]:
    return _match(nearest.match) | {
        "text": nearest.text,
        "difference": [[step.kind, step.draft, step.source] for step in nearest.difference],
    }


def _resolution(standing: ClaimStanding) -> dict[str, object] | None:
    if not isinstance(standing, Resolved):
        return None
    resolution = standing.resolution
    return {"kind": resolution.kind.value, "reason": resolution.reason, "by": resolution.by, "at": resolution.at}


def _mark(mark: Mark) -> dict[str, object]:
    span: object = {"part": mark.part, "bytes": list(mark.bytes)} if mark.part else list(mark.bytes)
    return {"bytes": span, "role": mark.role.value if mark.role else None, "claim": mark.claim}


def _gate(gate: Gate) -> dict[str, object]:
    known = gate.acknowledged
    return {
        "open": gate.is_open,
        "evidence": gate.evidence,
        "defects": list(gate.defects),
        "acknowledged": {"by": known.by, "at": known.at, "reason": known.reason} if known else None,
    }
