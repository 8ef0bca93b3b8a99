"""The review: everything that is derived from a job and its bytes, in one value, judged afresh each time.

bytes → tracks, audit, witness → reference text → drafts and claims → verdicts → standing of resolutions → gates.
Nothing of it is stored. Within a process, an earlier review can be handed in: what depends on a file's bytes alone
is taken from it where the digest, proven again by the lock, is the same. Verdicts never are; only `rejudge_draft`,
which serves a person who types, keeps the verdicts of claims that did not change, and judges no gate that hashes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from quoteview import __version__
from quoteview.core.audit import audit
from quoteview.core.captions.reading import read_track
from quoteview.core.captions.track import Track
from quoteview.core.checking import Checker, check
from quoteview.core.completeness import transcript_defects
from quoteview.core.drafts.draft import Claim, Draft
from quoteview.core.drafts.reading import read_draft
from quoteview.core.errors import CaptionError, DraftError, LockBroken, StoreError
from quoteview.core.gates import (
    Gate,
    checker_gate,
    complete_gate,
    inventory_gate,
    lock_gate,
    lossless_gate,
    order_gate,
    quotes_gate,
)
from quoteview.core.importing import CaptionFile, ImportedTrack, import_track
from quoteview.core.job import DraftRecord, Job, Policy, SourceRecord, TrackRecord
from quoteview.core.journal import Journal
from quoteview.core.judged import JudgedDraft, JudgedTrack
from quoteview.core.locking import LockedSource
from quoteview.core.material import Material
from quoteview.core.reference import Reference
from quoteview.core.reference_choice import ReferenceChoice, choose_reference
from quoteview.core.resolving import standing
from quoteview.core.verdicts import LARGEST_TOLERANCE_MS, Verdict
from quoteview.core.witness import second_reading

if TYPE_CHECKING:
    from quoteview.core.planting import PlantingReport

Report = Callable[[int, int], None]
"""Takes how many steps are done and how many there are; may raise `Cancelled`."""


@dataclass(frozen=True, slots=True)
class Review:
    """A job with all that was judged of it.

    `references` are the reference texts of the readable locked tracks by id. `track_gates` are lock, inventory,
    lossless and order, which no draft bears on. `planted` are self-tests by what they were run on (`planting_key`),
    and the part of them that no journal bears on by the same without the journal.
    """

    material: Material
    choice: ReferenceChoice
    tracks: tuple[JudgedTrack, ...]
    references: Mapping[str, Reference]
    drafts: tuple[JudgedDraft, ...]
    track_gates: tuple[Gate, ...]
    planted: Mapping[str, PlantingReport] = field(default_factory=dict)

    @property
    def job(self) -> Job:
        """The job under review."""
        return self.material.job

    @property
    def reference(self) -> Reference | None:
        """The reference text, None where it cannot be read or its lock is broken."""
        return self.references.get(self.choice.track_id)

    @property
    def is_lock_whole(self) -> bool:
        """Whether every locked file is there and as it was locked."""
        return self.material.is_whole

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The seven gates over all the job's drafts."""
        return self._gates(range(len(self.drafts)))

    def gates_for(self, draft_index: int) -> tuple[Gate, ...]:
        """Return the seven gates as they stand for one draft."""
        return self._gates((draft_index,))

    def label_refusal(self, draft_index: int | None = None) -> str:
        """Return why no label may be issued, naming every closed gate; "" where one may."""
        gates = self.gates if draft_index is None else self.gates_for(draft_index)
        closed = [gate.name for gate in gates if not gate.is_open]
        return f"closed: {', '.join(closed)}" if closed else ""

    def planting(self, draft_index: int) -> PlantingReport | None:
        """Return the self-test that was run on exactly these bytes, None where none was."""
        return self.planted.get(planting_key(self.material, draft_index))

    def is_plantable(self, draft_index: int) -> bool:
        """Return whether there is something to run the self-test on: a reference, its locked bytes and a draft that was read."""
        source = self.material.sources.get(self.choice.track_id)
        has_draft = self.drafts[draft_index].draft is not None
        return has_draft and self.reference is not None and isinstance(source, LockedSource)

    def _gates(self, indices: Sequence[int]) -> tuple[Gate, ...]:
        drafts = [self.drafts[index] for index in indices]
        track = self.reference.track if self.reference else None
        return (
            *self.track_gates,
            complete_gate(drafts, track, self.job.source.duration_ms, self.job.journal),
            quotes_gate(drafts),
            checker_gate([self.planting(index) for index in indices]),
        )


@dataclass(frozen=True, slots=True)
class FilesOptions:
    """What a check without a job is asked for; `reference` is a track's id, "" for the rule."""

    tolerance_ms: int = LARGEST_TOLERANCE_MS
    source_address: str = ""
    reference: str = ""
    end_mark: str = ""
    duration_ms: int | None = None


def review(material: Material, *, reference: str = "", report: Report | None = None, reuse: Review | None = None) -> Review:
    """Return everything that can be judged of a job's bytes. `reference` is a choice for this check only.

    `reuse` saves reading, auditing and planting again where digests are unchanged. What cannot be read is part of the
    result, a closed gate with its reason, and raises nothing.
    """
    steps = len(material.job.locked) + len(material.drafts)
    choice = choose_reference(material.job, wanted=reference)
    tracks: list[JudgedTrack] = []
    for record in material.job.locked:
        if report is not None:
            report(len(tracks), steps)
        tracks.append(_judged_track(record, material.sources.get(record.id), reuse))
    references = {
        judged.record.id: _reference(judged, reuse) for judged in tracks if judged.track is not None and not judged.is_broken
    }
    drafts: list[JudgedDraft] = []
    for index in range(len(material.drafts)):
        if report is not None:
            report(len(tracks) + len(drafts), steps)
        drafts.append(_judged_draft(material, index, choice, references, reuse=reuse))
    gates = (
        lock_gate(material),
        inventory_gate(material, choice),
        lossless_gate(tracks, choice.track_id, material.job.journal),
        order_gate(tracks, material.job.journal),
    )
    planted = reuse.planted if reuse else {}
    if report is not None:
        report(steps, steps)
    return Review(material, choice, tuple(tracks), references, tuple(drafts), gates, planted)


def as_read(material: Material, *, report: Report | None = None) -> Review:
    """Return a job's tracks and drafts read and nothing else: no claim has a verdict, no track an audit, and no gate is judged.

    It is for showing a job while it is judged; `review` takes what was read from it as its `reuse`.
    """
    steps = len(material.job.locked) + len(material.drafts)
    references: dict[str, Reference] = {}
    for done, record in enumerate(material.job.locked):
        if report is not None:
            report(done, steps)
        source = material.sources.get(record.id)
        if isinstance(source, LockedSource) and source.lock == record.lock:
            try:
                references[record.id] = Reference(read_track(source, encoding=record.encoding), record.id)
            except CaptionError:
                continue  # said by the review, with its reason
    drafts: list[JudgedDraft] = []
    for index in range(len(material.drafts)):
        if report is not None:
            report(len(material.job.locked) + index, steps)
        drafts.append(_read_draft(material, index, None))
    return Review(material, choose_reference(material.job), (), references, tuple(drafts), ())


def rejudge_draft(known: Review, draft_index: int, data: bytes) -> Review:
    """Return the review with other bytes of one draft: only claims that changed are checked, and nothing is hashed but them.

    Equals what `review` gives for the same bytes.
    """
    drafts = list(known.material.drafts)
    drafts[draft_index] = data
    material = replace(known.material, drafts=tuple(drafts))
    kept = known.drafts[draft_index]
    earlier = {_asked(claim): verdict for claim, verdict in zip(kept.claims, kept.verdicts, strict=False)}
    judged = _judged_draft(material, draft_index, known.choice, known.references, earlier)
    changed = tuple(judged if index == draft_index else each for index, each in enumerate(known.drafts))
    return replace(known, material=material, drafts=changed)


def rejudge_journal(known: Review, job: Job) -> Review:
    """Return the review after lines were added to the journal (and recorded): no claim is checked, no file hashed.

    Where the reference changed by it, everything is judged again.
    """
    material = replace(known.material, job=job, record=job.journal.record)
    if choose_reference(job) != known.choice:
        return review(material, reuse=known)
    sha256 = _reference_sha256(material, known.choice)
    drafts = tuple(replace(judged, standing=standing(job.journal, judged.path, judged.claims, sha256)) for judged in known.drafts)
    gates = (
        lock_gate(material),
        inventory_gate(material, known.choice),
        lossless_gate(known.tracks, known.choice.track_id, job.journal),
        order_gate(known.tracks, job.journal),
    )
    return replace(known, material=material, drafts=drafts, track_gates=gates)


def plant(
    known: Review, draft_index: int, *, seed: int | None = None, explains: bool = False, report: Report | None = None
) -> Review:
    """Return the review with the self-test run on one draft; one already run on these bytes is kept unless a seed is given.

    With `explains` each plant that was caught says by which class of difference, which takes longer.
    Where there is no reference or the draft could not be read, nothing is planted and the gate stays closed.
    """
    key = planting_key(known.material, draft_index)
    judged = known.drafts[draft_index]
    source = known.material.sources.get(known.choice.track_id)
    reference = known.reference
    is_known = key in known.planted and seed is None
    if is_known or judged.draft is None or reference is None or not isinstance(source, LockedSource):
        return known
    from quoteview.core.planting import JOURNAL_KINDS, KINDS, Instruments, Subject, joined, run

    record = known.job.track(known.choice.track_id)
    subject = Subject(
        source=source,
        track=reference.track,
        track_id=known.choice.track_id,
        encoding=record.encoding if record else None,
        draft=judged.draft,
        verdicts=judged.verdicts,
        tolerance_ms=known.job.policy.tolerance_ms,
        source_address=known.job.source.address,
        end_mark=known.job.policy.end_mark,
        duration_ms=known.job.source.duration_ms,
        journal=known.job.journal,
        record=known.material.record,
    )
    tools = Instruments(checker=Checker(explains=explains), transcript_defects=transcript_defects)
    if seed is not None or explains:
        return replace(known, planted={**known.planted, key: run(subject, seed=seed, instruments=tools, report=report)})
    lasting = _lasting_key(known, draft_index)
    kept = known.planted.get(lasting)
    if kept is None:
        kinds = "".join(kind for kind in KINDS if kind not in JOURNAL_KINDS)
        kept = run(subject, instruments=tools, report=report, kinds=kinds)
    found = joined(kept, run(subject, instruments=tools, report=report, kinds=JOURNAL_KINDS))
    return replace(known, planted={**known.planted, lasting: kept, key: found})


def planting_key(material: Material, draft_index: int) -> str:
    """Return what a self-test holds for: the bytes of the tracks and one draft, the journal, the policy and this version."""
    return _key_of(material, draft_index, material.job.journal.head)


def _lasting_key(known: Review, draft_index: int) -> str:
    """Return what those plants hold for that no journal bears on; what a journal may decide, the reference, is named itself."""
    record = known.job.track(known.choice.track_id)
    return _key_of(known.material, draft_index, "any journal", known.choice.track_id, record.encoding if record else None)


def _key_of(material: Material, draft_index: int, *more: str | None) -> str:
    data = material.drafts[draft_index]
    draft = hashlib.sha256(data).hexdigest() if isinstance(data, bytes) else ""
    locks = [record.lock.sha256 for record in material.job.locked if record.lock]
    policy, source = material.job.policy, material.job.source
    judged_by = (str(policy.tolerance_ms), policy.end_mark, source.address, str(source.duration_ms))
    words = [__version__, draft, *judged_by, *map(str, more), *locks]
    return hashlib.sha256("\n".join(words).encode("utf-8", "backslashreplace")).hexdigest()


def material_of_files(captions: Sequence[CaptionFile], drafts: Sequence[tuple[str, bytes]], options: FilesOptions) -> Material:
    """Return files as a job in memory, locked as they are; raises `CaptionError` for one that is no track."""
    imported: list[ImportedTrack] = []
    for brought in captions:
        imported.append(import_track(brought, [each.record.id for each in imported], file=brought.name))
    job = Job(
        title="",
        source=SourceRecord(options.source_address, duration_ms=options.duration_ms),
        language="",
        tracks=tuple(each.record for each in imported),
        drafts=tuple(DraftRecord(name) for name, _ in drafts),
        policy=Policy(options.tolerance_ms, options.end_mark),
        journal=Journal(),
    )
    sources = {each.record.id: each.source for each in imported}
    return Material(job, sources, tuple(data for _, data in drafts), is_job=False)


def review_files(
    captions: Sequence[CaptionFile],
    drafts: Sequence[tuple[str, bytes]],
    options: FilesOptions | None = None,
    *,
    report: Report | None = None,
) -> Review:
    """Return the review of files without a job; nothing is written. `drafts` are (name, bytes).

    Raises `CaptionError` or `DraftError` for a file that cannot be read: without a job there is nothing else to show.
    """
    asked = options or FilesOptions()
    found = review(material_of_files(captions, drafts, asked), reference=asked.reference, report=report)
    for (name, data), judged in zip(drafts, found.drafts, strict=True):
        if judged.draft is None:
            read_draft(data, name, source_address=asked.source_address, end_mark=asked.end_mark)
    return found


def _judged_track(record: TrackRecord, source: LockedSource | LockBroken | None, reuse: Review | None) -> JudgedTrack:
    if not isinstance(source, LockedSource):
        fault = str(source) if source is not None else f"The bytes of {record.id} were not read from the disk."
        return JudgedTrack(record, None, fault=fault, is_broken=True)
    if source.lock != record.lock:
        return JudgedTrack(record, None, fault=f"{source.lock.file} is not what the job records of {record.id}.", is_broken=True)
    for known in reuse.tracks if reuse else ():
        if known.record.lock == record.lock and known.record.encoding == record.encoding and not known.is_broken:
            return replace(known, record=record)
    try:
        track = _track_read(record, source, reuse) or read_track(source, encoding=record.encoding)
    except CaptionError as error:
        return JudgedTrack(record, None, fault=str(error))
    return JudgedTrack(record, track, audit(track), second_reading(track))


def _track_read(record: TrackRecord, source: LockedSource, reuse: Review | None) -> Track | None:
    """Return the track as it was read before from these very bytes in memory, None where it was not."""
    known, before = (reuse.references.get(record.id), reuse.job.track(record.id)) if reuse else (None, None)
    if known is None or before is None or before.encoding != record.encoding or known.track.source is not source:
        return None
    return known.track


def _reference(judged: JudgedTrack, reuse: Review | None) -> Reference:
    assert judged.track is not None
    known = reuse.references.get(judged.record.id) if reuse else None
    return known if known is not None and known.track is judged.track else Reference(judged.track, judged.record.id)


def _judged_draft(
    material: Material,
    index: int,
    choice: ReferenceChoice,
    references: Mapping[str, Reference],
    earlier: Mapping[_Asked, Verdict] | None = None,
    reuse: Review | None = None,
) -> JudgedDraft:
    read, job = _read_draft(material, index, reuse), material.job
    if read.draft is None:
        return read
    verdicts = _verdicts(read.draft, choice, references, job.policy.tolerance_ms, earlier or {})
    recorded = standing(job.journal, read.path, read.draft.claims, _reference_sha256(material, choice))
    return replace(read, verdicts=verdicts, standing=recorded)


def _read_draft(material: Material, index: int, reuse: Review | None) -> JudgedDraft:
    """Return a draft read and not judged, taken from `reuse` where the same bytes were read whole by the same policy.

    A draft that was read in part only, while a person typed, carries no digest.
    """
    job, path, data = material.job, material.job.drafts[index].path, material.drafts[index]
    is_whole = material.is_whole
    if isinstance(data, StoreError):
        return JudgedDraft(path, None, is_lock_whole=is_whole, fault=str(data))
    known = reuse.drafts[index].draft if reuse is not None and index < len(reuse.drafts) else None
    is_same_way = reuse is not None and (reuse.job.source.address, reuse.job.policy) == (job.source.address, job.policy)
    if known is not None and is_same_way and known.file == path and known.sha256 == hashlib.sha256(data).hexdigest():
        return JudgedDraft(path, known, is_lock_whole=is_whole)
    try:
        draft = read_draft(data, path, source_address=job.source.address, end_mark=job.policy.end_mark)
    except DraftError as error:
        return JudgedDraft(path, None, is_lock_whole=is_whole, fault=str(error))
    return JudgedDraft(path, draft, is_lock_whole=is_whole)


def _verdicts(
    draft: Draft,
    choice: ReferenceChoice,
    references: Mapping[str, Reference],
    tolerance_ms: int,
    earlier: Mapping[_Asked, Verdict],
) -> tuple[Verdict, ...]:
    reference = references.get(choice.track_id)
    if reference is None:
        return ()
    others = [other for track_id, other in references.items() if track_id != choice.track_id]
    changed = [claim for claim in draft.claims if _asked(claim) not in earlier]
    fresh = iter(check(reference, changed, tolerance_ms=tolerance_ms, others=others) if changed else ())
    return tuple(earlier[asked] if (asked := _asked(claim)) in earlier else next(fresh) for claim in draft.claims)


_Asked = tuple[str, bool, int | None, int | None]


def _asked(claim: Claim) -> _Asked:
    """Return all of a claim that its verdict depends on."""
    claimed = claim.claimed
    return claim.text, claim.is_closed, claimed.start_ms if claimed else None, claimed.end_ms if claimed else None


def _reference_sha256(material: Material, choice: ReferenceChoice) -> str:
    record = material.job.track(choice.track_id)
    return record.lock.sha256 if record and record.lock else ""
