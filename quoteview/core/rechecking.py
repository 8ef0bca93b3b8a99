"""Checking a bundle again with the core: read its bytes, judge everything afresh, and hold the statement against the result.

Nothing of the statement is believed but what cannot be derived: who gives the label and when, the source's address, and
which track is the reference. The locks are made from the bundle's own tracks and must be those stated; claims,
verdicts, byte ranges, times, marks, resolutions, counts, gates and the label's words are made anew by the same
functions that label, and every difference is named. The bundle's own `recheck.py` does this without any of these functions.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from quoteview import __version__
from quoteview.core.bundle.annotations import annotations_bytes
from quoteview.core.bundle.bag import manifest
from quoteview.core.bundle.report import report_bytes
from quoteview.core.captions.track import Origin
from quoteview.core.door import Fields, fields_of
from quoteview.core.errors import QuoteviewError, StoreError
from quoteview.core.gates import Gate, GateName
from quoteview.core.job import DraftRecord, Job, Policy, SourceRecord, Standing, TrackRecord
from quoteview.core.journal import JournalRecord, split_lines
from quoteview.core.labelling import SIGNATURE_NAMESPACE, judged_of
from quoteview.core.locking import LockedSource, lock, sha256_hex
from quoteview.core.material import Material
from quoteview.core.review import Review, review
from quoteview.core.statement import (
    PREDICATE_TYPE,
    STATEMENT_TYPE,
    StatedFile,
    StatedGate,
    Statement,
    seal,
    statement_bytes,
)
from quoteview.core.stating import state, with_files

_TAGS = ("bagit.txt", "bag-info.txt", "manifest-sha256.txt")
_LARGEST = 512 * 1024 * 1024
_NOT_DERIVED = frozenset({"quoteview", "why", "choice", "evidence", "defects", "acknowledged", "open", "end"})
"""Keys that cannot be made anew from a bundle: they tell what the whole job knew. Gates are looked at apart."""


@dataclass(frozen=True, slots=True)
class Recheck:
    """What came of it: a line for each claim, and every problem as a sentence; none means that all holds."""

    label: str
    sentence: str
    lines: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return not self.problems


def recheck(folder: Path) -> Recheck:
    """Check a bundle again from its bytes. Raises `StoreError` where the folder is no bundle or cannot be read."""
    if not (folder / "bagit.txt").is_file():
        raise StoreError(str(folder), "this is no bundle: it has no bagit.txt", remedy="Choose a folder in the job's bundles.")
    files, problems = _read(folder)
    if problems:
        return Recheck("", "", (), tuple(problems))
    try:
        return _judge(folder, files)
    except (QuoteviewError, KeyError, ValueError, AssertionError) as error:
        words = str(error) if isinstance(error, QuoteviewError) else f"the statement cannot be used: {error}"
        return Recheck("", "", (), (words,))


def _judge(folder: Path, files: Mapping[str, bytes]) -> Recheck:
    stated = files.get("data/statement.json")
    if stated is None:
        return Recheck("", "", (), ("data/statement.json is missing.",))
    document = fields_of(stated, "data/statement.json")
    document.word("_type", (STATEMENT_TYPE,))
    document.word("predicateType", (PREDICATE_TYPE,))
    predicate = document.child("predicate")
    whole = json.loads(stated)
    if predicate.text("end") != seal(whole):
        return Recheck("", "", (), ("The statement is cut short or was changed: its seal does not fit.",))
    known = review(_material(predicate, files))
    problems = _file_problems(predicate, files)
    made = _stated_again(predicate, known, files)
    problems += _differences(whole, json.loads(statement_bytes(made)), "")
    problems += [f"The gate {gate.name} is closed: {gate.evidence}" for gate in known.gates_for(0) if _is_shut(gate)]
    problems += [f"The statement says that the gate {gate.name} is closed." for gate in _gates(predicate) if not gate.is_open]
    problems += _signature_problems(predicate, files)
    if not problems:
        problems += _page_problems(predicate, made, known, files)
    lines = tuple(_line(claim) for claim in predicate.children("claims"))
    return Recheck(predicate.text("label"), predicate.text("sentence"), lines, tuple(problems))


def _material(predicate: Fields, files: Mapping[str, bytes]) -> Material:
    """Return the bundle as a job in memory; its locks are made from the bundle's bytes."""
    sources: dict[str, LockedSource] = {}
    records: list[TrackRecord] = []
    for track in predicate.children("tracks"):
        record, sources[record.id] = _track(track, files)
        records.append(record)
    records += [_offer(each) for each in predicate.children("offered")]
    journal, rest = split_lines(files.get("data/journal.jsonl", b""))
    if rest:
        raise StoreError("data/journal.jsonl", "it ends in the middle of a line", remedy="The bundle is cut short.")
    source, draft, chain = predicate.child("source"), predicate.child("draft"), predicate.child("journal")
    job = Job(
        title=source.text("title"),
        source=SourceRecord(source.text("address"), "", source.optional_integer("duration_ms"), source.text("language")),
        language="",
        tracks=tuple(records),
        drafts=(DraftRecord(draft.text("path")),),
        policy=Policy(predicate.integer("tolerance_ms"), draft.text("end_mark")),
        journal=journal,
    )
    recorded = JournalRecord(chain.integer("length"), chain.digest("head"))
    return Material(job, sources, (_file(files, draft.text("file")),), recorded)


def _track(track: Fields, files: Mapping[str, bytes]) -> tuple[TrackRecord, LockedSource]:
    file, encoding = track.text("file"), track.text("encoding")
    if not file.startswith("data/tracks/"):
        raise track.refuse("file", "is no track of the bundle")
    source = lock(_file(files, file), file.removeprefix("data/"))
    record = TrackRecord(
        id=track.text("id"),
        origin=Origin(track.word("origin", list(Origin))),
        language=track.text("language"),
        standing=Standing.LOCKED,
        lock=source.lock,
        format=track.text("format"),
        is_imported=track.flag("is_imported"),
        encoding=encoding if encoding not in ("", "utf-8") else None,
        copy_of=track.text("copy_of"),
    )
    return record, source


def _offer(offer: Fields) -> TrackRecord:
    standings = [standing for standing in Standing if standing is not Standing.LOCKED]
    return TrackRecord(
        id=offer.text("id"),
        origin=Origin(offer.word("origin", [origin for origin in Origin if origin is not Origin.TRANSLATED])),
        language=offer.text("language"),
        standing=Standing(offer.word("standing", standings)),
        reason=offer.text("reason"),
        copy_of=offer.text("copy_of"),
    )


def _file(files: Mapping[str, bytes], name: str) -> bytes:
    if name not in files or not name.startswith("data/"):
        raise StoreError(name, "the statement names a file that is not in the bundle", remedy="The bundle is cut short.")
    return files[name]


def _stated_again(predicate: Fields, known: Review, files: Mapping[str, bytes]) -> Statement:
    """Return the statement as it must be, by what was judged now."""
    found = known.drafts[0]
    if found.draft is None or known.reference is None:
        raise StoreError("data", found.fault or "the reference cannot be read", remedy="The bundle does not hold.")
    made = state(
        judged_of(known, 0, predicate.child("draft").text("file")),
        by=predicate.text("by"),
        at=predicate.text("at"),
        version=predicate.text("quoteview"),
        is_signed=predicate.text("signature") == "ssh",
    )
    roles = predicate.child("files")
    named = [(role, roles.child(role).text("file")) for role in ("report", "annotations", "recheck")]
    bodies = [(role, name, _file(files, name)) for role, name in named]
    return with_files(made, [(role, StatedFile(name, sha256_hex(body), len(body))) for role, name, body in bodies])


def _page_problems(predicate: Fields, made: Statement, known: Review, files: Mapping[str, bytes]) -> list[str]:
    """Make report and annotations anew of what was judged now, and of the words that only the statement knows."""
    problems: list[str] = []
    if files[dict(made.files)["annotations"].file] != annotations_bytes(made):
        problems.append("data/annotations.jsonld: other annotations than the bytes give.")
    if made.version != __version__:
        return problems  # another version may lay the page out otherwise; `recheck.py` looks for its words
    reference = predicate.child("reference")
    told = replace(
        made,
        gates=_gates(predicate),
        reference_why=reference.text("why"),
        reference_choice=reference.text("choice"),
    )
    draft = known.drafts[0].draft
    if draft is None or files[dict(made.files)["report"].file] != report_bytes(told, draft.data):
        problems.append("data/report.html: another report than the bytes give.")
    return problems


def _gates(predicate: Fields) -> tuple[StatedGate, ...]:
    """Return the gates as stated, in the order of the rules."""
    found: list[StatedGate] = []
    for name in GateName:
        gate = predicate.child("gates").child(name)
        found.append(StatedGate(name, gate.flag("open"), gate.text("evidence"), gate.texts("defects"), gate.text("acknowledged")))
    return tuple(found)


def _differences(stated: object, again: object, place: str) -> list[str]:
    """Return every place where two JSON documents differ, keys that cannot be derived left out."""
    if isinstance(stated, dict) and isinstance(again, dict):
        keys = [key for key in dict.fromkeys([*stated, *again]) if key not in _NOT_DERIVED]
        missing = object()
        return [
            found
            for key in keys
            for found in _differences(stated.get(key, missing), again.get(key, missing), f"{place}.{key}" if place else str(key))
        ]
    if isinstance(stated, list) and isinstance(again, list) and len(stated) == len(again):
        pairs = enumerate(zip(stated, again, strict=True))
        return [found for number, (one, other) in pairs for found in _differences(one, other, f"{place}[{number}]")]
    if type(stated) is type(again) and stated == again:
        return []
    return [f"{place}: the statement says {_shown(stated)}, the bytes give {_shown(again)}."]


def _shown(value: object) -> str:
    words = (
        json.dumps(value, ensure_ascii=True) if isinstance(value, str | int | list | dict | bool) or value is None else "nothing"
    )
    return words if len(words) <= 100 else words[:97] + "…"


def _is_shut(gate: Gate) -> bool:
    return not gate.is_open and gate.name not in (GateName.INVENTORY, GateName.CHECKER)


def _file_problems(predicate: Fields, files: Mapping[str, bytes]) -> list[str]:
    """Hold report and annotations against what the statement makes of them, and find files that nobody names."""
    named = {"data/statement.json", "data/journal.jsonl", "data/statement.json.sig", predicate.child("draft").text("file")}
    named.update(track.text("file") for track in predicate.children("tracks"))
    roles = predicate.child("files")
    named.update(roles.child(role).text("file") for role in ("report", "annotations", "recheck"))
    problems = [f"{name} is in the bundle and the statement does not name it." for name in sorted(set(files) - named)]
    count = sum(1 for _ in predicate.children("claims"))
    if not files[roles.child("report").text("file")].rstrip().endswith(f"<!-- report whole: {count} claims -->".encode()):
        problems.append("data/report.html is cut short.")
    return problems


def _signature_problems(predicate: Fields, files: Mapping[str, bytes]) -> list[str]:
    """Hold the signature against the statement with ssh-keygen; who the key belongs to is for the reader to know."""
    signature = files.get("data/statement.json.sig")
    if signature is None:
        return ["It says that it is signed, and there is no signature."] if predicate.text("signature") == "ssh" else []
    tool = shutil.which("ssh-keygen")
    if tool is None:
        return ["There is a signature, and ssh-keygen is not on this machine to check it."]
    with tempfile.TemporaryDirectory(prefix="quoteview-recheck-") as folder:
        place = Path(folder) / "statement.json.sig"
        place.write_bytes(signature)
        command = [tool, "-Y", "check-novalidate", "-n", SIGNATURE_NAMESPACE, "-s", str(place)]
        done = subprocess.run(command, input=files["data/statement.json"], capture_output=True, timeout=60, check=False)
    return [] if done.returncode == 0 else ["The signature does not fit the statement."]


def _line(claim: Fields) -> str:
    """Return a claim as a line: its number, how it stands, and the beginning of its words."""
    words = claim.text("text")
    shown = words if len(words) <= 60 else words[:57] + "…"
    return f"claim {claim.integer('id')}: {claim.text('state')}, {claim.text('verdict')}  “{shown}”"


def _read(folder: Path) -> tuple[dict[str, bytes], list[str]]:
    """Return the payload by name, and what is wrong with the bag: every file is hashed, none may be missing, extra or a link."""
    try:
        everything = {name: path.read_bytes() for name, path in _files(folder)}
    except OSError as error:
        raise StoreError(str(folder), f"the bundle cannot be read ({error.strerror})", remedy="Copy it again.") from error
    payload = {name: data for name, data in everything.items() if name.startswith("data/")}
    problems: list[str] = []
    tags = {tag: everything.get(tag, b"") for tag in _TAGS}
    for listed, files in (("manifest-sha256.txt", payload), ("tagmanifest-sha256.txt", tags)):
        if everything.get(listed) != manifest(files):
            problems.append(f"{listed} does not list exactly the files that are there, with their digests.")
    extra = set(everything) - set(payload) - {*_TAGS, "tagmanifest-sha256.txt"}
    problems += [f"{name} does not belong into the bundle." for name in sorted(extra)]
    total = f"Payload-Oxum: {sum(map(len, payload.values()))}.{len(payload)}\n".encode()
    if total not in everything.get("bag-info.txt", b""):
        problems.append("bag-info.txt counts other bytes or files than there are.")
    return payload, problems


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield (name, path) of every file; a link or a file beyond all reason raises `StoreError`."""
    for base, folders, names in os.walk(folder):
        for name in [*folders, *names]:
            path = Path(base) / name
            if path.is_symlink():
                raise StoreError(str(path), "this is a link, not a file", remedy="Copy the bundle again.")
        for name in names:
            path = Path(base) / name
            if path.stat().st_size > _LARGEST:
                raise StoreError(str(path), "the file is larger than a bundle ever holds", remedy="Copy the bundle again.")
            yield path.relative_to(folder).as_posix(), path
