"""Checking a bundle again with the core: nothing of the statement is believed, and every difference is named by its place."""

from __future__ import annotations

import contextlib
import copy
import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from quoteview.core.acts import ExceptionClass
from quoteview.core.errors import StoreError
from quoteview.core.rechecking import Recheck, recheck
from tests.bundles import label, make_job, program, rebag, resolve, sealed, write_bag
from tests.corpus import DRAFT, webvtt

STATEMENT = "data/statement.json"
RED = DRAFT.replace("ships this size", "boats this size")
ALTERED = "The harbour was never meant to hold boats this size"

Json = dict[str, object]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    """The files of a bundle with three exact claims and an exception."""
    captions = {"human.en.vtt": webvtt(), "automatic.en.vtt": webvtt().replace(b"pilots", b"pirates")}
    folder = make_job(tmp_path_factory.mktemp("rechecking") / "job", captions, {"draft.md": RED.encode()})
    resolve(folder, [ALTERED], exception=ExceptionClass.CUT, reason="heard so")
    return label(folder)[0].files


def table(value: object) -> Json:
    assert isinstance(value, dict)
    return value


def forged(files: Mapping[str, bytes], folder: Path, change: Callable[[Json], None]) -> Recheck:
    """Return what the core says of the bundle with its predicate changed, and seal and manifests made anew."""
    document = copy.deepcopy(json.loads(files[STATEMENT]))
    change(table(document["predicate"]))
    return recheck(write_bag(folder / "forged", rebag({**files, STATEMENT: sealed(document)})))


def test_a_true_bundle_holds_with_a_line_for_each_claim(files: Mapping[str, bytes], tmp_path: Path) -> None:
    found = recheck(write_bag(tmp_path / "bag", files))
    assert found.holds
    assert found.label == "verified with 1 exception"
    assert found.sentence.startswith("Quotations compared with the captions: 3 of 4 match, 1 exception (1 cut).")
    assert [line.split("  ")[0] for line in found.lines] == [
        "claim 1: resolved, altered",
        "claim 2: green, exact",
        "claim 3: green, exact",
        "claim 4: green, exact",
    ]


@pytest.mark.parametrize("name", ["data/draft/draft.md", "data/tracks/en.human.vtt", "data/report.html", "bag-info.txt"])
def test_one_bit_of_any_file_is_seen_before_anything_is_judged(files: Mapping[str, bytes], tmp_path: Path, name: str) -> None:
    data = bytearray(files[name])
    data[len(data) // 2] ^= 1
    found = recheck(write_bag(tmp_path / "bag", {**files, name: bytes(data)}))
    assert not found.holds
    assert any("manifest" in problem for problem in found.problems)


def _claim(predicate: Json, number: int) -> Json:
    claims = predicate["claims"]
    assert isinstance(claims, list)
    return table(claims[number])


CHANGES: Mapping[str, tuple[str, Callable[[Json], None]]] = {
    "a count": ("counts.exact", lambda it: table(it["counts"]).update(exact=4)),
    "the tolerance": ("sentence", lambda it: it.update(tolerance_ms=1_000)),
    "a cue's time": ("claims[1].match.cue_ms[0]", lambda it: table(_claim(it, 1)["match"]).update(cue_ms=[1, 9_000])),
    "an offset": ("claims[1].match.offset_ms", lambda it: table(_claim(it, 1)["match"]).update(offset_ms=1)),
    "a claim's text": ("claims[1].text", lambda it: _claim(it, 1).update(text="nobody told the pirates")),
    "a reason": ("claims[0].resolution.reason", lambda it: table(_claim(it, 0)["resolution"]).update(reason="another")),
    "the captions' words": ("claims[0].source_words", lambda it: _claim(it, 0).update(source_words="never meant")),
    "the label": ("label", lambda it: it.update(label="verified")),
    "the name": ("sentence", lambda it: it.update(by="Somebody Else")),
    "the reference's origin": ("tracks[0].origin", lambda it: table(_first(it, "tracks")).update(origin="translated")),
    "the spoken language": ("source.language", lambda it: table(it["source"]).update(language="de")),
    "a further key": ("score", lambda it: it.update(score=97)),
}


def _first(predicate: Json, key: str) -> object:
    rows = predicate[key]
    assert isinstance(rows, list)
    return rows[0]


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_the_statement_says_otherwise_than_the_bytes_is_refused(
    files: Mapping[str, bytes], tmp_path: Path, what: str
) -> None:
    place, change = CHANGES[what]
    found = forged(files, tmp_path, change)
    assert not found.holds
    if what != "the reference's origin":  # then there is another reference, and everything differs
        assert any(problem.startswith(f"predicate.{place}:") for problem in found.problems), found.problems
    if what == "the captions' words":
        return  # which passage is nearest takes the whole core to tell; the program holds them to be words of the captions
    checker = program()
    with contextlib.suppress(checker.Refused):
        assert checker.recheck(tmp_path / "forged", lambda line: None)


def test_a_statement_changed_without_its_seal_is_called_cut_short_or_changed(files: Mapping[str, bytes], tmp_path: Path) -> None:
    changed = files[STATEMENT].replace(b'"exact": 3', b'"exact": 4')
    found = recheck(write_bag(tmp_path / "bag", rebag({**files, STATEMENT: changed})))
    assert found.problems == ("The statement is cut short or was changed: its seal does not fit.",)


def test_another_report_or_other_annotations_are_seen_though_every_digest_fits(
    files: Mapping[str, bytes], tmp_path: Path
) -> None:
    for role, name, old, new in (
        ("report", "data/report.html", b"The draft", b"The piece"),
        ("annotations", "data/annotations.jsonld", b'"linking"', b'"tagging"'),
    ):
        changed = {**files, name: files[name].replace(old, new, 1)}
        document = json.loads(files[STATEMENT])
        record = document["predicate"]["files"][role]
        record["sha256"] = hashlib.sha256(changed[name]).hexdigest()
        record["size"] = len(changed[name])
        found = recheck(write_bag(tmp_path / role, rebag({**changed, STATEMENT: sealed(document)})))
        assert [problem.split(":")[0] for problem in found.problems] == [name]


def test_what_is_no_bundle_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="this is no bundle"):
        recheck(tmp_path)


def test_a_bag_without_a_statement_or_with_one_that_is_none_is_refused(files: Mapping[str, bytes], tmp_path: Path) -> None:
    without = {name: data for name, data in files.items() if name != STATEMENT}
    assert recheck(write_bag(tmp_path / "without", rebag(without))).problems == (f"{STATEMENT} is missing.",)
    for number, data in enumerate((b"", b"{}", b"[]", b'{"predicate": 1}', b"\xff")):
        assert not recheck(write_bag(tmp_path / str(number), rebag({**files, STATEMENT: data}))).holds
