"""The seven gates, each a pure function of what was read and judged. The label is allowed only while all are open.

- `lock`: every locked track's digest, recomputed from disk, is the recorded one, in `job.json` and in the manifest
  beside it; the journal's chain is whole and as long as recorded.
- `inventory`: tracks and origins are recorded. From a source: both human and automatic were asked for, and none is
  missing for a passing reason unless a person waived it by name. From files: each origin is stated. The choice of
  the reference is explained, and it is no machine translation.
- `lossless`: no unread byte, the audit agrees, the second witness differs nowhere unexplained. A person can
  acknowledge unread bytes and unexplained differences, but never a disagreement between audit and reader.
- `order`: cue starts never go back, or a person acknowledged the list.
- `complete`: neither draft nor transcript looks cut off, or a person acknowledged it.
- `quotes`: every claim is exact or resolved, every mark has its role, at least one claim of each draft is exact.
- `checker`: the planted changes were all caught, on this very job, with this version.

Nothing to check is not a pass. Every defect is collected, none hides behind another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from quoteview.core.acts import canonical
from quoteview.core.captions.track import Origin, Track
from quoteview.core.completeness import draft_seen, transcript_defects, transcript_seen
from quoteview.core.job import Job, Standing, TrackRecord
from quoteview.core.journal import Journal
from quoteview.core.judged import JudgedDraft, JudgedTrack, State
from quoteview.core.ledger import EntryKind
from quoteview.core.locking import LockedSource
from quoteview.core.material import Material
from quoteview.core.reference_choice import ReferenceChoice, is_translation
from quoteview.core.resolving import Acknowledged, acknowledgements, waivers

if TYPE_CHECKING:
    from quoteview.core.planting import PlantingReport

__all__ = ["GATES", "Acknowledged", "Gate", "GateName"]

_MOST_SPANS = 6


class GateName(StrEnum):
    """The gates in the rules' order."""

    LOCK = "lock"
    INVENTORY = "inventory"
    LOSSLESS = "lossless"
    ORDER = "order"
    COMPLETE = "complete"
    QUOTES = "quotes"
    CHECKER = "checker"


GATES = tuple(name.value for name in GateName)


@dataclass(frozen=True, slots=True)
class Gate:
    """A gate as judged. `evidence` is one sentence; `defects` are all that were found, acknowledged ones too.

    `acknowledged` says who let them pass, where that opened the gate. `to_acknowledge` are the digests that an
    acknowledgement of what still closes it must name; empty where nobody can let it pass.
    """

    name: str
    is_open: bool
    evidence: str
    defects: tuple[str, ...] = ()
    acknowledged: Acknowledged | None = None
    to_acknowledge: tuple[str, ...] = ()


class _Finding(NamedTuple):
    """A defect; `seen` is what an acknowledgement of it names, "" where it cannot be acknowledged."""

    text: str
    seen: str = ""


def lock_gate(material: Material) -> Gate:
    """Judge whether all locked bytes and the journal are what was recorded."""
    locked = material.job.locked
    defects: list[str] = []
    for record in locked:
        source = material.sources.get(record.id)
        if isinstance(source, LockedSource):
            if source.lock != record.lock:
                defects.append(f"{source.lock.file} was locked with another digest or size than the job records for {record.id}.")
        else:
            defects.append(str(source) if source is not None else f"The bytes of {record.id} were not read from the disk.")
    if not locked:
        defects.append("No track is locked: there is nothing to verify against.")
    journal = material.job.journal
    if material.is_job:
        defects += material.manifest_defects
        defects += material.journal_defects
        defects += journal.verify(material.record)
    if defects:
        return Gate(GateName.LOCK, False, "What was locked is not as it was recorded. Nothing can be verified.", tuple(defects))
    if not material.is_job:
        files = _count(len(locked), "file")
        return Gate(GateName.LOCK, True, f"{files} locked for this check; without a job there is no earlier lock and no journal.")
    files = _count(len(locked), "locked file")
    lines = _count(journal.length, "entry", "entries")
    return Gate(GateName.LOCK, True, f"{files}, hashed again: as recorded. The journal's chain is whole, with {lines}.")


def inventory_gate(material: Material, choice: ReferenceChoice) -> Gate:
    """Judge whether it is known what captions there are, of which origin, and why the reference is the reference."""
    job = material.job
    waived = waivers(job.journal)
    defects: list[str] = []
    if not job.tracks:
        defects.append("No track is recorded.")
    is_from_source = any(not record.is_imported for record in job.tracks)
    if is_from_source:
        defects += _not_asked(job)
    passed: list[Acknowledged] = []
    for record in job.tracks:
        defect = _missing(record) if not record.is_imported else _unstated(record)
        if defect and record.id in waived:
            passed.append(waived[record.id])
        elif defect:
            defects.append(defect)
    defects += _reference_defects(job, choice)
    kinds = _origins(job)
    outside = "" if is_from_source else " What else the source offers is not known."
    evidence = f"{_count(len(job.tracks), 'track')} recorded ({kinds}).{outside} Reference: {choice.why}"
    return Gate(GateName.INVENTORY, not defects, evidence, tuple(defects), None if defects else _merged(passed))


def lossless_gate(tracks: Sequence[JudgedTrack], reference_id: str, journal: Journal) -> Gate:
    """Judge whether every byte of every locked track was read, and audit and second witness agree with the reading."""
    findings = [finding for track in tracks for finding in _losses(track, track.record.id == reference_id)]
    if not tracks:
        findings.append(_Finding("No track was read."))
    size = sum(track.record.lock.size for track in tracks if track.record.lock)
    unread = sum(track.unread_bytes for track in tracks)
    notes = " ".join(dict.fromkeys(track.witness.note for track in tracks if track.witness and track.witness.note))
    read = f"{size - unread:,} of {size:,} bytes of {_count(len(tracks), 'track')} are accounted for"
    evidence = f"{read}; {'the audit agrees' if all(_agrees(track) for track in tracks) else 'the audit does not agree'}."
    return _judged(GateName.LOSSLESS, f"{evidence} {notes}".rstrip(), findings, acknowledgements(journal, GateName.LOSSLESS))


def order_gate(tracks: Sequence[JudgedTrack], journal: Journal) -> Gate:
    """Judge whether the times of every locked track keep their order."""
    findings: list[_Finding] = []
    for judged in tracks:
        if judged.track is None:
            findings.append(_Finding(f"{judged.file} could not be read, so its order is not known.", _unreadable_seen(judged)))
        elif judged.track.order:
            seen = _digest(["order", judged.sha256, [[defect.cue, defect.fault.value] for defect in judged.track.order]])
            findings += [_Finding(_out_of_order(judged, defect.cue, defect.fault.value), seen) for defect in judged.track.order]
    if not tracks:
        findings.append(_Finding("No track was read."))
    cues = sum(len(judged.track.cues) for judged in tracks if judged.track)
    evidence = f"{cues:,} cues, {_count(len(findings), 'place')} out of order." if findings else f"{cues:,} cues, all in order."
    acknowledged = acknowledgements(journal, GateName.ORDER) | _unreadable_acknowledged(tracks, journal)
    return _judged(GateName.ORDER, evidence, findings, acknowledged)


def complete_gate(drafts: Sequence[JudgedDraft], reference: Track | None, duration_ms: int | None, journal: Journal) -> Gate:
    """Judge whether drafts and transcript are whole; `duration_ms` is the recording's length, None where unknown."""
    findings: list[_Finding] = []
    if reference is None:
        findings.append(_Finding("There is no transcript to look at."))
    else:
        cut = transcript_defects(reference, duration_ms)
        findings += [_Finding(text, transcript_seen(reference, cut)) for text in cut]
    for judged in drafts:
        if judged.draft is None:
            findings.append(_Finding(f"{judged.path}: {judged.fault}"))
        elif judged.draft.defects:
            seen = draft_seen(judged.draft, judged.path)
            findings += [_Finding(f"{judged.path}, line {line}: {reason}", seen) for reason, line in judged.draft.defects]
    if not drafts:
        findings.append(_Finding("There is no draft."))
    unknown = " The recording's length is not known." if duration_ms is None else ""
    state = "something looks cut off" if findings else "all end as whole ones do"
    evidence = f"{_count(len(drafts), 'draft')} and the transcript: {state}.{unknown}"
    return _judged(GateName.COMPLETE, evidence, findings, acknowledgements(journal, GateName.COMPLETE))


def quotes_gate(drafts: Sequence[JudgedDraft]) -> Gate:
    """Judge whether every claim is exact or resolved by a person, and every quote mark has its role."""
    defects: list[str] = [] if drafts else ["There is no draft."]
    total = exact = resolved = 0
    for judged in drafts:
        states = tuple(judged.states())
        total += len(states)
        exact += states.count(State.GREEN)
        resolved += states.count(State.RESOLVED)
        defects += _quote_defects(judged, states)
    evidence = (
        f"{exact} of {_count(total, 'quotation')} exact, {resolved} resolved by a person, {total - exact - resolved} to do."
    )
    return Gate(GateName.QUOTES, not defects, evidence, tuple(defects))


def checker_gate(reports: Sequence[PlantingReport | None]) -> Gate:
    """Judge the self-test: one report for each draft, None where it was not run on these bytes with this version."""
    if not reports or any(report is None for report in reports):
        return Gate(GateName.CHECKER, False, "Not tried yet.", ("The check was not put to the test on this job.",))
    known = [report for report in reports if report is not None]
    defects = [f"A planted change passed unseen: {missed}" for report in known for missed in report.missed]
    planted, caught = sum(report.planted for report in known), sum(report.caught for report in known)
    if any(report.planted == 0 for report in known):
        defects.append("Nothing could be planted, so the check was not put to the test.")
    untried = list(dict.fromkeys(reason for report in known for reason in report.not_tried))
    seeds = ", ".join(str(report.seed) for report in known)
    redrawn = sum(report.redrawn for report in known)
    evidence = f"{caught} of {_count(planted, 'planted change')} caught (seed {seeds}, {redrawn} drawn again)."
    if untried:
        evidence += f" Not tried: {'; '.join(reason.rstrip('.') for reason in untried)}."
    return Gate(GateName.CHECKER, not defects, evidence, tuple(defects))


def _judged(name: GateName, evidence: str, findings: Sequence[_Finding], known: Mapping[str, Acknowledged]) -> Gate:
    """Return a gate that is open where each finding was acknowledged."""
    left = [finding for finding in findings if finding.seen not in known]
    passed = [known[finding.seen] for finding in findings if finding.seen in known]
    return Gate(
        name,
        not left,
        evidence,
        tuple(finding.text for finding in findings),
        None if left else _merged(passed),
        tuple(dict.fromkeys(finding.seen for finding in left if finding.seen)),
    )


def _merged(passed: Sequence[Acknowledged]) -> Acknowledged | None:
    """Return several acknowledgements as one: the latest's name and time, every reason once."""
    if not passed:
        return None
    latest = max(passed, key=lambda each: each.at)
    reasons = dict.fromkeys(each.reason for each in sorted(passed, key=lambda each: each.at))
    return Acknowledged(latest.by, latest.at, "; ".join(reasons))


def _not_asked(job: Job) -> list[str]:
    asked = ((job.source.asked_human, "human"), (job.source.asked_automatic, "automatic"))
    return [f"The source was not asked for its {kind} tracks." for is_asked, kind in asked if not is_asked]


def _missing(record: TrackRecord) -> str:
    """Return what keeps a track of the source from being accounted for, "" where nothing does."""
    if record.standing is Standing.LOCKED or record.origin is Origin.TRANSLATED:
        return ""
    if record.standing is Standing.LISTED:
        is_explained = bool(record.copy_of or (record.reason and not record.is_passing))
        return "" if is_explained else f"{record.id} is offered by the source and was not fetched."
    if record.is_passing:
        return f"{record.id} could not be had for a passing reason: {record.reason or 'none given'}. Fetch it again, or waive it."
    return "" if record.reason else f"{record.id} was not obtained, and no reason is recorded."


def _unstated(record: TrackRecord) -> str:
    if record.is_origin_stated or record.origin is not Origin.UNKNOWN:
        return ""
    return f"Nobody stated the origin of {record.id}: say human, automatic, translated or unknown."


def _reference_defects(job: Job, choice: ReferenceChoice) -> list[str]:
    reference = job.track(choice.track_id) if choice.track_id else None
    if reference is None:
        return [choice.why]
    if reference.origin is Origin.TRANSLATED:
        return [f"The reference {reference.id} is a machine translation."]
    return []


def _origins(job: Job) -> str:
    words: list[str] = []
    for origin in Origin:
        records = [record for record in job.tracks if record.origin is origin]
        if records:
            locked = sum(1 for record in records if record.standing is Standing.LOCKED)
            words.append(f"{origin.value}: {locked} locked of {len(records)}")
    translations = [record.id for record in job.locked if record.origin is Origin.HUMAN and is_translation(job, record)]
    if translations:
        words.append(f"translations by people: {', '.join(translations)}")
    return "; ".join(words) or "none"


def _losses(judged: JudgedTrack, is_reference: bool) -> list[_Finding]:
    """Return all that keeps one track from being read without loss."""
    track = judged.track
    if track is None:
        seen = "" if is_reference or judged.is_broken else _unreadable_seen(judged)
        return [_Finding(judged.fault or f"{judged.file} could not be read.", seen)]
    found: list[_Finding] = []
    unread = track.ledger.spans(EntryKind.UNREAD)
    if unread:
        places = ", ".join(f"{span.start}–{span.end}" for span in unread[:_MOST_SPANS])
        more = f" and {len(unread) - _MOST_SPANS} more places" if len(unread) > _MOST_SPANS else ""
        text = f"{judged.file}: {_count(judged.unread_bytes, 'byte')} not read, at bytes {places}{more}."
        found.append(_Finding(text, _digest(["unread", judged.sha256, [list(span) for span in unread]])))
    if judged.audit is None:
        found.append(_Finding(f"{judged.file} was not audited."))
    else:
        found += [_Finding(f"{judged.file}: the audit does not agree: {defect}") for defect in judged.audit.defects]
    if judged.witness is None:
        found.append(_Finding(f"{judged.file} was not read by the second witness."))
    else:
        texts = [
            f"{judged.file}, cue {each.cue}: the second witness differs: {each.detail}" for each in judged.witness.unexplained
        ]
        seen = _digest(["witness", judged.sha256, texts])
        found += [_Finding(text, seen) for text in texts]
    return found


def _quote_defects(judged: JudgedDraft, states: tuple[State, ...]) -> list[str]:
    if judged.draft is None:
        return [f"{judged.path}: {judged.fault}"]
    defects: list[str] = []
    if not judged.is_lock_whole:
        defects.append(f"{judged.path}: nothing can be verified while a lock is broken.")
    elif len(judged.verdicts) != len(states):
        defects.append(f"{judged.path}: there is no reference track to check against.")
    else:
        for claim, verdict, state in zip(judged.claims, judged.verdicts, states, strict=True):
            if state is State.RED:
                word = verdict.kind.value.replace("_", " ")
                defects.append(f"{judged.path}:{claim.line}:{claim.column}: “{_short(claim.text)}” is {word}.")
    for mark in judged.draft.marks:
        if mark.role is None:
            defects.append(f"{judged.path}: the quote mark at byte {mark.bytes.start} has no role.")
    if not states:
        defects.append(f"{judged.path}: no quotations were found, so nothing is proven.")
    elif State.GREEN not in states:
        defects.append(f"{judged.path}: not one quotation is exact.")
    return defects


def _agrees(judged: JudgedTrack) -> bool:
    return judged.audit is not None and judged.audit.agrees


def _unreadable_seen(judged: JudgedTrack) -> str:
    return "" if judged.is_broken else _digest(["unreadable", judged.sha256, judged.fault])


def _unreadable_acknowledged(tracks: Sequence[JudgedTrack], journal: Journal) -> dict[str, Acknowledged]:
    """A track that is no reference and that nobody can read was let pass under `lossless`; its order is part of that."""
    known = acknowledgements(journal, GateName.LOSSLESS)
    seen = (_unreadable_seen(judged) for judged in tracks if judged.track is None)
    return {digest: known[digest] for digest in seen if digest in known}


def _out_of_order(judged: JudgedTrack, cue: int, fault: str) -> str:
    return f"{judged.file}: cue {cue} {fault}."


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"


def _digest(value: list[object]) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()
