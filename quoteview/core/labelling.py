"""The label: the return value of one call, never the end of a chain.

`issue` reads every byte from the disk again, judges all seven gates itself (the self-test included) and
returns the statement with the bundle that proves it, or raises with every closed gate. Nothing that was judged
before, in the window or elsewhere, is believed. `keep` writes the bundle in one step and records the label
in the journal. A label is about exact bytes: `still_applies` says whether they are still those.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from quoteview import __version__
from quoteview.core.acts import IssueLabel
from quoteview.core.bundle.annotations import annotations_bytes
from quoteview.core.bundle.bag import bag_files
from quoteview.core.bundle.report import report_bytes
from quoteview.core.errors import QuoteviewError, UsageError
from quoteview.core.gates import Gate
from quoteview.core.job import with_act
from quoteview.core.journal import utc_now
from quoteview.core.locking import LockedSource, sha256_hex
from quoteview.core.review import Review, plant, review
from quoteview.core.statement import StatedFile, Statement, statement_bytes
from quoteview.core.stating import Judged, bundle_name, state, with_files
from quoteview.core.store import append_journal, open_job, save_bundle

SIGNATURE_NAMESPACE = "quoteview"
"""What `ssh-keygen -Y` binds a signature to, so that one made for something else never passes for a label."""

Report = Callable[[int, int], None]


class LabelRefused(QuoteviewError):
    """No label: `gates` are the closed ones, each with all its defects."""

    def __init__(self, draft: str, gates: tuple[Gate, ...]) -> None:
        self.draft = draft
        self.gates = gates
        names = ", ".join(gate.name for gate in gates)
        super().__init__(f"{draft}: no label can be given while a gate is closed ({names}). Open the job in the window.")


@dataclass(frozen=True, slots=True)
class Label:
    """A label that was issued: its statement, and every file of the bundle by its name inside it."""

    statement: Statement
    files: Mapping[str, bytes]
    name: str

    @property
    def sha256(self) -> str:
        """The bundle's digest: that of its tag manifest, which covers every other file."""
        return sha256_hex(self.files["tagmanifest-sha256.txt"])


def issue(
    folder: Path, draft_index: int, by: str, *, at: str = "", key: Path | None = None, report: Report | None = None
) -> Label:
    """Return the label of one draft of the job in a folder, or raise `LabelRefused` with every closed gate.

    `key` is a private key of ssh to sign with, None to leave the label unsigned. Nothing is written.
    """
    if not by.strip():
        raise UsageError("A label needs a name: say who gives it (--by NAME).")
    # (1) Read everything from the disk again; what was read before is not believed.
    opened = open_job(folder)
    if not 0 <= draft_index < len(opened.material.drafts):
        raise UsageError(f"{folder}: the job has no draft number {draft_index + 1}. Add one with quoteview add.")
    # (2) Judge every gate, the self-test included.
    judged = plant(review(opened.material, report=report), draft_index, report=report)
    closed = tuple(gate for gate in judged.gates_for(draft_index) if not gate.is_open)
    if closed:
        raise LabelRefused(judged.drafts[draft_index].path, closed)
    # (3) State it, no more than was checked, and gather what proves it.
    return _label(judged, draft_index, by.strip(), at or utc_now(), key)


def keep(folder: Path, label: Label) -> Path:
    """Write a label's bundle into the job in one step, record it in the journal, and return where it stands."""
    opened = open_job(folder)
    place = save_bundle(folder, label.name, label.files)
    statement, act = label.statement, act_of(label, place)
    track = statement.reference.file.sha256
    after = with_act(opened.job, act, by=statement.by, at=statement.at, track=track, draft=statement.draft_path)
    append_journal(folder, opened.job, after)
    return place


def act_of(label: Label, place: Path) -> IssueLabel:
    """Return what the journal records of a label whose bundle stands at a place."""
    statement = label.statement
    stated = sha256_hex(label.files["data/statement.json"])
    return IssueLabel(statement.label_words, stated, statement.draft.sha256, f"bundles/{place.name}")


def still_applies(statement: Statement, draft: bytes) -> bool:
    """Return whether a label is about these bytes of the draft."""
    return sha256_hex(draft) == statement.draft.sha256


def judged_of(known: Review, draft_index: int, draft_file: str) -> Judged:
    """Return one draft of a review as the statement's maker takes it; its reference must be readable."""
    found = known.drafts[draft_index]
    reference = known.reference
    assert found.draft is not None
    assert reference is not None
    encodings = tuple((each.record.id, each.track.encoding) for each in known.tracks if each.track is not None)
    formats = tuple((each.record.id, each.track.format.value) for each in known.tracks if each.track is not None)
    return Judged(
        job=known.job,
        draft=found.draft,
        draft_file=draft_file,
        draft_path=found.path,
        verdicts=found.verdicts,
        standing=found.standing,
        gates=known.gates_for(draft_index),
        choice=known.choice,
        reference=reference.track,
        encodings=encodings,
        formats=formats,
        journal=known.job.journal,
    )


def _label(known: Review, draft_index: int, by: str, at: str, key: Path | None) -> Label:
    found = known.drafts[draft_index]
    assert found.draft is not None
    draft_file = bundle_name(found.path, "draft", set())
    statement = state(judged_of(known, draft_index, draft_file), by=by, at=at, version=__version__, is_signed=key is not None)
    report = report_bytes(statement, found.draft.data)
    annotations = annotations_bytes(statement)
    recheck = (Path(__file__).parent / "bundle" / "recheck.py").read_bytes()
    made = (
        ("report", "data/report.html", report),
        ("annotations", "data/annotations.jsonld", annotations),
        ("recheck", "data/recheck.py", recheck),
    )
    statement = with_files(statement, [(role, StatedFile(name, sha256_hex(data), len(data))) for role, name, data in made])
    stated = statement_bytes(statement)
    payload = {name: data for _, name, data in made}
    payload["data/statement.json"] = stated
    payload["data/journal.jsonl"] = known.job.journal.data
    payload[draft_file] = found.draft.data
    for record in known.job.locked:
        source = known.material.sources[record.id]
        assert isinstance(source, LockedSource)
        payload[f"data/{source.lock.file}"] = source.data
    if key is not None:
        payload["data/statement.json.sig"] = sign(stated, key)
    files = bag_files(payload, agent=f"quoteview {__version__}", date=at[:10])
    return Label(statement, files, _name(found.path, at))


def sign(stated: bytes, key: Path) -> bytes:
    """Return ssh's signature over a statement; raises `UsageError` where ssh-keygen is missing or refuses."""
    tool = shutil.which("ssh-keygen")
    if tool is None:
        raise UsageError("Signing needs ssh-keygen, which is not on this machine. Label without signing, or install OpenSSH.")
    with tempfile.TemporaryDirectory(prefix="quoteview-sign-") as folder:
        target = Path(folder) / "statement.json"
        target.write_bytes(stated)
        command = [tool, "-Y", "sign", "-n", SIGNATURE_NAMESPACE, "-f", str(key), str(target)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
        signature = target.with_name("statement.json.sig")
        if done.returncode != 0 or not signature.is_file():
            said = done.stderr.decode("utf-8", "backslashreplace").strip().splitlines()
            raise UsageError(f"{key}: ssh-keygen could not sign with this key ({said[-1] if said else 'no reason given'}).")
        return signature.read_bytes()


def _name(draft: str, at: str) -> str:
    """Return the bundle's folder name: the draft's, and the moment."""
    stem = Path(draft).name.rsplit(".", 1)[0]
    safe = "".join(character if character.isalnum() or character in "-_" else "-" for character in stem).strip("-") or "draft"
    return f"{safe[:60]}-{at.replace(':', '').replace('-', '')}"
