"""The statement keeps its schema, is one in-toto Statement, and shows every damage by its seal."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from quoteview.core.resources import resource
from quoteview.core.statement import label_words, seal
from tests.bundles import label, make_job, resolve
from tests.corpus import materials

MATERIALS = materials()


def stated(folder: Path, name: str) -> dict[str, object]:
    material = MATERIALS[name]
    job = make_job(folder, material.captions, material.drafts)
    for resolved in material.resolved:
        resolve(job, resolved.texts, exception=resolved.exception, reason=resolved.reason)
    document = json.loads(label(job)[0].files["data/statement.json"])
    assert isinstance(document, dict)
    return document


def validator() -> Draft202012Validator:
    schema = json.loads(resource("statement.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize("name", ["webvtt", "markdown", "html", "accepted", "utf-16"])
def test_a_statement_keeps_the_schema(tmp_path: Path, name: str) -> None:
    assert [error.message for error in validator().iter_errors(stated(tmp_path / "job", name))] == []


def test_the_schema_refuses_a_key_of_its_own_a_missing_one_and_a_digest_in_capitals(tmp_path: Path) -> None:
    document = stated(tmp_path / "job", "webvtt")
    for change in ("more", "less", "capitals"):
        changed = copy.deepcopy(document)
        predicate = changed["predicate"]
        assert isinstance(predicate, dict)
        if change == "more":
            predicate["score"] = 0.97
        elif change == "less":
            del predicate["counts"]
        else:
            predicate["draft"]["sha256"] = "ABCDEF" + predicate["draft"]["sha256"][6:].upper()
        assert not validator().is_valid(changed), change


def test_the_subjects_are_the_draft_and_every_track(tmp_path: Path) -> None:
    document = stated(tmp_path / "job", "accepted")
    assert document["_type"] == "https://in-toto.io/Statement/v1"
    subjects = document["subject"]
    assert isinstance(subjects, list)
    assert [subject["name"] for subject in subjects] == [
        "data/draft/draft.md",
        "data/tracks/en.human.vtt",
        "data/tracks/en.automatic.json3",
    ]


def test_the_seal_is_the_last_key_and_covers_every_word(tmp_path: Path) -> None:
    document = stated(tmp_path / "job", "webvtt")
    predicate = document["predicate"]
    assert isinstance(predicate, dict)
    assert list(predicate)[-1] == "end"
    assert predicate["end"] == seal(document)
    predicate["source"]["title"] += "."
    assert predicate["end"] != seal(document)


def test_two_labels_never_look_alike() -> None:
    assert [label_words(number) for number in range(3)] == ["verified", "verified with 1 exception", "verified with 2 exceptions"]
