"""`quoteview label` and `recheck`: the label as the return value of one call, and a bundle held against its own bytes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from quoteview.commands.check import index_of_draft
from quoteview.commands.console import Console, Style, in_one_line
from quoteview.core.errors import StoreError, UsageError
from quoteview.core.gates import Gate
from quoteview.core.job import Job
from quoteview.core.labelling import Label, LabelRefused, issue, keep
from quoteview.core.store import JobLock, open_job


def label(console: Console, folder: str, draft: str | None, by: str, key: str | None) -> int:
    """Write the statement and the bundle and return 0, or say which gates are closed and return 1."""
    path = Path(folder)
    index = which_draft(path, open_job(path).job, draft)
    with JobLock.take(path):
        try:
            issued = issued_label(console, path, index, by, key)
        except LabelRefused as refused:
            say_refused(console, refused)
            return 1
        place = keep(path, issued)
    statement = issued.statement
    if console.is_json:
        console.document(
            {
                "schema": 1,
                "label": statement.label.value,
                "sentence": statement.sentence,
                "bundle": str(place),
                "bundle_sha256": issued.sha256,
                "draft_sha256": statement.draft.sha256,
                "by": statement.by,
                "at": statement.at,
            }
        )
        return 0
    console.line(console.styled(in_one_line(statement.sentence), Style.GREEN))
    console.line(f"Bundle {in_one_line(str(place))}\nSHA-256 {issued.sha256}")
    console.remark(f"Anyone can check it again: quoteview recheck, or python3 {in_one_line(str(place / 'data' / 'recheck.py'))}")
    return 0


def issued_label(console: Console, folder: Path, index: int, by: str, key: str | None = None) -> Label:
    """Return the label of one draft, all gates judged from the disk; raises `LabelRefused`."""
    with console.progress("Judging every gate from the disk") as report:
        return issue(folder, index, by, key=Path(key) if key else None, report=report)


def which_draft(folder: Path, job: Job, draft: str | None) -> int:
    """Return the place of the draft that is meant: the named one, or the only one; raises `UsageError`."""
    if draft is not None:
        return index_of_draft(folder, job, draft)
    if len(job.drafts) != 1:
        names = ", ".join(each.path for each in job.drafts) or "none"
        raise UsageError(f"{folder}: say which draft with --draft. The job's drafts are: {names}.")
    return 0


def say_refused(console: Console, refused: LabelRefused) -> None:
    """Print every closed gate with its defects."""
    if console.is_json:
        gates = {str(gate.name): _gate(gate) for gate in refused.gates}
        console.document({"schema": 1, "label": "blocked", "draft": refused.draft, "gates": gates})
        return
    for gate in refused.gates:
        console.line(f"{console.styled(f'✗ {gate.name}', Style.RED)} closed: {in_one_line(gate.evidence)}")
        for defect in gate.defects:
            console.line(f"    - {in_one_line(defect)}")
    console.line(console.styled(in_one_line(str(refused)), Style.RED))


def recheck(console: Console, bundle: str) -> int:
    """Check a bundle again, with the core and with the program that shares no code with it; return 0 where both pass it."""
    from quoteview.core.rechecking import recheck as judge

    folder = Path(bundle)
    if not folder.is_dir():
        raise StoreError(bundle, "there is no such folder", remedy="Choose a folder in the job's bundles.")
    with console.progress("Checking the bundle again"):
        found = judge(folder)
        is_passed, lines = _by_the_program(folder)
    holds = found.holds and is_passed
    if console.is_json:
        console.document(
            {
                "schema": 1,
                "holds": holds,
                "label": found.label,
                "sentence": found.sentence,
                "problems": list(found.problems),
                "program": {"holds": is_passed, "lines": lines},
            }
        )
        return 0 if holds else 1
    for line in found.lines if not console.is_quiet else ():
        console.line(in_one_line(line))
    for problem in found.problems:
        console.line(console.styled(f"✗ {in_one_line(problem)}", Style.RED))
    if not is_passed or console.is_verbose:
        for line in lines:
            console.line(f"  recheck.py: {in_one_line(line)}")
    if holds:
        console.line(in_one_line(found.sentence))
    verdict = "The bundle holds: checked again twice, by quoteview and by recheck.py." if holds else "The bundle does not hold."
    console.line(console.styled(verdict, Style.GREEN if holds else Style.RED))
    return 0 if holds else 1


def _by_the_program(folder: Path) -> tuple[bool, list[str]]:
    """Run our own copy of the re-check program on a bundle, never the bundle's: that is a stranger's code."""
    program = Path(__file__).parent.parent / "core" / "bundle" / "recheck.py"
    done = subprocess.run(
        [sys.executable, "-I", str(program), str(folder)], capture_output=True, stdin=subprocess.DEVNULL, check=False
    )
    text = (done.stdout + done.stderr).decode("utf-8", "backslashreplace")
    return done.returncode == 0, text.splitlines()


def _gate(gate: Gate) -> dict[str, object]:
    return {"open": gate.is_open, "evidence": gate.evidence, "defects": list(gate.defects)}
