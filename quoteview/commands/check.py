"""`quoteview check`: every verdict and every gate, of jobs or of files, for people, for programs and for build servers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from quoteview.commands.console import Console, Style, complain
from quoteview.commands.files import caption_files, read_draft
from quoteview.commands.outcome import CheckedDraft, Finding, GateOutcome, Outcome
from quoteview.core.errors import QuoteviewError, UsageError
from quoteview.core.gates import Gate
from quoteview.core.job import Job, with_policy, with_source
from quoteview.core.judged import JudgedDraft
from quoteview.core.review import FilesOptions, Review, plant, review, review_files
from quoteview.core.verdicts import LARGEST_TOLERANCE_MS

_NOT_CHECKED = "Not checked: the reference can't be read, or is not what was locked."


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be checked: either `jobs`, or `captions` (as on the command line) with `drafts`.

    `tolerance_ms`, `source` and `reference` are None where the job's own, or the rule's, hold.
    """

    jobs: tuple[str, ...]
    captions: tuple[str, ...]
    drafts: tuple[str, ...]
    tolerance_ms: int | None
    source: str | None
    reference: str | None
    junit: str | None
    sarif: str | None


@dataclass(frozen=True, slots=True)
class _Checked:
    """One review with the draft that was asked for alone (None: all of them), under the name it was asked by."""

    name: str
    review: Review
    draft_index: int | None

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The seven gates as they stand for what was asked for."""
        return self.review.gates if self.draft_index is None else self.review.gates_for(self.draft_index)


def check(console: Console, request: Request) -> int:
    """Check and return 0 where all gates of all jobs are open, 1 where one is closed, 2 where one can't be checked."""
    _refuse_contradictions(request)
    if request.captions:
        return _finish(console, request, [_files(console, request)], is_failed=False)
    done: list[_Checked] = []
    is_failed = False
    for job in request.jobs:
        try:
            done.append(_job(console, request, job))
        except QuoteviewError as error:
            if len(request.jobs) == 1:
                raise
            complain(str(error))
            is_failed = True
    return _finish(console, request, done, is_failed=is_failed)


def _refuse_contradictions(request: Request) -> None:
    if request.jobs and request.captions:
        raise UsageError("a job and --captions can't be checked together. Leave one out, or add the file to the job.")
    if not request.jobs and not request.captions:
        raise UsageError("nothing to check was named. Name a job, or --captions FILE --draft FILE.")
    if request.captions and not request.drafts:
        raise UsageError("--captions needs --draft FILE: the text whose quotations are to be checked.")
    if len(request.jobs) > 1 and request.drafts:
        raise UsageError("--draft goes with one job. Check the jobs one by one.")


def _files(console: Console, request: Request) -> _Checked:
    captions = caption_files(request.captions)
    drafts = [(file, read_draft(Path(file))) for file in request.drafts]
    tolerance = LARGEST_TOLERANCE_MS if request.tolerance_ms is None else request.tolerance_ms
    options = FilesOptions(tolerance, request.source or "", request.reference or "")
    with console.progress("Checking") as report:
        found = review_files(captions, drafts, options, report=report)
    _refuse_unknown_reference(found.job, request.reference)
    return _Checked(", ".join(request.drafts), _planted(console, found, range(len(drafts))), None)


def _job(console: Console, request: Request, name: str) -> _Checked:
    from quoteview.core.store import open_job

    with console.progress(f"Opening {name}") as report:
        opened = open_job(Path(name), report=report)
    for note in opened.notes:
        console.remark(note)
    job = opened.job
    _refuse_unknown_reference(job, request.reference)
    index = _draft_index(opened.folder, job, request.drafts)
    if request.tolerance_ms is not None:
        job = with_policy(job, replace(job.policy, tolerance_ms=request.tolerance_ms))
    if request.source is not None:
        job = with_source(job, replace(job.source, address=request.source))
    material = replace(opened.material, job=job)
    with console.progress("Checking") as report:
        found = review(material, reference=request.reference or "", report=report)
    wanted = range(len(found.drafts)) if index is None else range(index, index + 1)
    return _Checked(name, _planted(console, found, wanted), index)


def _planted(console: Console, found: Review, indices: Sequence[int]) -> Review:
    for index in indices:
        with console.progress("Putting the check to the test") as report:
            found = plant(found, index, report=report)
    return found


def _refuse_unknown_reference(job: Job, wanted: str | None) -> None:
    if wanted and all(record.id != wanted for record in job.locked):
        ids = ", ".join(record.id for record in job.locked) or "none"
        raise UsageError(f"--reference {wanted}: there is no locked track of that id. Locked are: {ids}.")


def _draft_index(folder: Path, job: Job, drafts: tuple[str, ...]) -> int | None:
    """Return which of the job's drafts is meant, None for all; `a.md`, `drafts/a.md` and a path to the file all name it."""
    if not drafts:
        return None
    if len(drafts) > 1:
        raise UsageError("--draft names one draft of a job. Leave it out to check all of them.")
    return index_of_draft(folder, job, drafts[0])


def index_of_draft(folder: Path, job: Job, name: str) -> int:
    """Return the place of the job's draft that a person names, or raise `UsageError` with the names there are."""
    exact = [index for index, draft in enumerate(job.drafts) if draft.path == name]
    wanted = Path(name).absolute()
    same_file = [index for index, draft in enumerate(job.drafts) if (folder / draft.path).absolute() == wanted]
    same_name = [index for index, draft in enumerate(job.drafts) if Path(draft.path).name == name]
    for found in (exact, same_file, same_name):
        if len(found) == 1:
            return found[0]
    names = ", ".join(draft.path for draft in job.drafts) or "none"
    raise UsageError(f"{folder}: “{name}” is no draft of this job. Its drafts are: {names}; quoteview add takes another one in.")


def _finish(console: Console, request: Request, done: Sequence[_Checked], *, is_failed: bool) -> int:
    if console.is_json:
        from quoteview.core.reporting import to_json

        for checked in done:
            console.document(to_json(checked.review, draft_index=checked.draft_index))
    if not console.is_json or request.junit is not None or request.sarif is not None:
        outcomes = [_outcome(checked) for checked in done]
        _print(console, outcomes)
        _write_reports(request, outcomes)
    if is_failed:
        return 2
    return 0 if done and all(gate.is_open for checked in done for gate in checked.gates) else 1


def _print(console: Console, outcomes: Sequence[Outcome]) -> None:
    if console.is_json:
        return
    from quoteview.commands.printing import print_outcome

    for number, outcome in enumerate(outcomes):
        if number:
            console.line(console.styled("─" * 60, Style.FAINT))
        print_outcome(console, outcome)


def _write_reports(request: Request, outcomes: Sequence[Outcome]) -> None:
    if request.junit is not None:
        from quoteview.commands.junit import junit
        from quoteview.core.atomic import write_atomic

        write_atomic(Path(request.junit), junit(outcomes).encode("utf-8"))
    if request.sarif is not None:
        from quoteview.commands.sarif import sarif
        from quoteview.core.atomic import write_atomic

        write_atomic(Path(request.sarif), sarif(outcomes).encode("utf-8"))


def _outcome(checked: _Checked) -> Outcome:
    found, index = checked.review, checked.draft_index
    record = found.job.track(found.choice.track_id)
    origin = record.origin.value if record is not None else ""
    drafts = found.drafts if index is None else (found.drafts[index],)
    return Outcome(
        checked.name,
        found.choice.track_id or "no track",
        found.choice.why,
        tuple(_checked_draft(judged, origin) for judged in drafts),
        tuple(map(_gate, checked.gates)),
    )


def _checked_draft(judged: JudgedDraft, origin: str) -> CheckedDraft:
    from quoteview.core.wording import sentence

    findings = []
    for place, claim in enumerate(judged.claims):
        verdict = judged.verdicts[place] if place < len(judged.verdicts) else None
        words = sentence(claim, verdict, judged.standing[place], origin=origin, has_keys=False) if verdict else _NOT_CHECKED
        findings.append(Finding(claim, verdict, judged.state(place).value, " ".join((words, *claim.notes))))
    return CheckedDraft(judged.path, tuple(findings), judged.fault)


def _gate(gate: Gate) -> GateOutcome:
    known = gate.acknowledged
    words = f"acknowledged by {known.by} on {known.at[:10]}: {known.reason}" if known else ""
    return GateOutcome(str(gate.name), gate.is_open, gate.evidence, gate.defects, words)
