"""Labelled bundles for tests: jobs made from visible bytes, labelled, and changed as damage or an attacker would."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, cast

from quoteview.core.acts import Act, ExceptionClass, ResolutionKind
from quoteview.core.captions.track import Origin
from quoteview.core.importing import CaptionFile
from quoteview.core.job import with_act
from quoteview.core.labelling import Label, issue, keep
from quoteview.core.new_job import new_job
from quoteview.core.resolving import resolution_of
from quoteview.core.review import review
from quoteview.core.store import append_journal, create_job, open_job

AT = "2027-03-03T10:00:00Z"
PROGRAM = Path(__file__).parent.parent / "quoteview" / "core" / "bundle" / "recheck.py"


class Program(Protocol):
    """The bundle's own checking program, imported as a module."""

    Refused: type[Exception]

    def recheck(self, folder: Path, say: Callable[[str], None]) -> list[str]: ...

    def main(self, arguments: list[str]) -> int: ...


def program() -> Program:
    """Return `recheck.py` as a module of its own."""
    spec = importlib.util.spec_from_file_location("recheck_program", PROGRAM)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast(Program, module)


def make_job(
    folder: Path, captions: Mapping[str, bytes], drafts: Mapping[str, bytes], *, source: str = "", title: str = "The tide book"
) -> Path:
    """Make a job of caption files (`human.en.vtt`: origin, language, format) and drafts, and return its folder."""
    files = [CaptionFile(name, data, Origin(name.split(".")[0]), name.split(".")[1]) for name, data in captions.items()]
    made = new_job(files, list(drafts.items()), title=title, source=source, at=AT)
    create_job(folder, made.job, made.tracks, drafts=made.drafts)
    return folder


def resolve(
    folder: Path,
    texts: Sequence[str],
    *,
    exception: ExceptionClass | None = None,
    reason: str = "",
    by: str = "Ada Kern",
    draft: int = 0,
) -> str:
    """Record one resolution of all claims with one of these texts: accepted, or without a class set aside; return its digest."""
    known = review(open_job(folder).material)
    found = known.drafts[draft]
    assert found.draft is not None
    ids = [claim.id for claim in found.draft.claims if claim.text in texts]
    assert len(ids) >= len(texts), [claim.text for claim in found.draft.claims]
    kind = ResolutionKind.ACCEPT if exception else ResolutionKind.NOT_A_QUOTATION
    return record(folder, resolution_of(found.draft.claims, ids, kind, exception=exception, reason=reason), by=by, draft=draft)


def record(folder: Path, act: Act, *, by: str = "Ada Kern", draft: int = 0) -> str:
    """Record an act in a job's journal, bound to the draft and the reference as they are; return the line's digest."""
    opened = open_job(folder)
    known = review(opened.material)
    track = next(each.lock.sha256 for each in opened.job.locked if each.lock and each.id == known.choice.track_id)
    after = with_act(opened.job, act, by=by, at=AT, track=track, draft=opened.job.drafts[draft].path)
    append_journal(folder, opened.job, after)
    return after.journal.head


def label(folder: Path, draft: int = 0, *, by: str = "Ada Kern", key: Path | None = None) -> tuple[Label, Path]:
    """Label a draft of a job and return the label and its bundle's folder."""
    issued = issue(folder, draft, by, at=AT, key=key)
    return issued, keep(folder, issued)


def write_bag(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write files into an empty folder as they are."""
    for name, data in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return folder


def rebag(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the bag with manifests and counts made anew, as an attacker would."""
    payload = {name: data for name, data in files.items() if name.startswith("data/")}
    listed = "".join(f"{_sha256(data)}  {name.replace('%', '%25')}\n" for name, data in sorted(payload.items())).encode()
    info = b"Bag-Software-Agent: quoteview\nBagging-Date: 2027-03-03\nPayload-Oxum: %d.%d\n"
    tags = {
        "bagit.txt": b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n",
        "bag-info.txt": info % (sum(map(len, payload.values())), len(payload)),
        "manifest-sha256.txt": listed,
    }
    covered = "".join(f"{_sha256(data)}  {name}\n" for name, data in sorted(tags.items())).encode()
    return {**payload, **tags, "tagmanifest-sha256.txt": covered}


def sealed(document: dict[str, object]) -> bytes:
    """Return a statement as bytes with its seal made anew, as an attacker would who read how it is made."""
    predicate = document["predicate"]
    assert isinstance(predicate, dict)
    rest = {**document, "predicate": {key: value for key, value in predicate.items() if key != "end"}}
    plain = json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()
    predicate["end"] = f"statement whole, sha256 {_sha256(plain)}"
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
