from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoteview.core.acts import Waive
from quoteview.core.captions.track import Origin
from quoteview.core.errors import JobError
from quoteview.core.job import (
    DraftRecord,
    Job,
    Policy,
    SourceRecord,
    Standing,
    TrackRecord,
    free_track_id,
    is_safe_id,
    job_from_json,
    job_to_json,
    track_file,
    with_act,
    with_draft,
    with_policy,
    with_track,
)
from quoteview.core.journal import Journal
from quoteview.core.locking import Lock, lock

LOCK = Lock("tracks/en.human.vtt", "a" * 64, 12)
HUMAN = TrackRecord("en.human", Origin.HUMAN, "en", Standing.LOCKED, LOCK, is_imported=True, received=(("status", "200"),))
LISTED = TrackRecord("de.translated", Origin.TRANSLATED, "de", Standing.LISTED, reason="a machine translation")
JOB = Job(
    "The tide book",
    SourceRecord("https://example.org/v", "A talk", 300_000, "en", True, True),
    "en",
    (HUMAN, LISTED),
    (DraftRecord("drafts/one.md"), DraftRecord("/elsewhere/two.md")),
    Policy(1_500, "-30-"),
    Journal(),
    "media/talk.m4a",
    Lock("media/talk.m4a", "b" * 64, 99),
)

Document = dict[str, object]


def read(document: Document) -> Job:
    """Return the job that a document is, through the door."""
    return job_from_json(json.dumps(document).encode(), Journal())[0]


def changed(change: Callable[[Document], None]) -> Document:
    """Return `JOB`'s document with one change."""
    document = cast(Document, json.loads(job_to_json(JOB, JOB.journal.record)))
    change(document)
    return document


def part(document: Document, *keys: str | int) -> Document:
    """Return an object inside a document."""
    value: object = document
    for key in keys:
        value = cast(dict[str, object], value)[key] if isinstance(key, str) else cast(list[object], value)[key]
    return cast(Document, value)


def test_a_job_comes_back_as_it_was_written() -> None:
    assert job_from_json(job_to_json(JOB, JOB.journal.record), JOB.journal) == (JOB, JOB.journal.record)


def test_a_path_that_is_no_text_comes_back_as_it_was() -> None:
    job = replace(JOB, drafts=(DraftRecord("/elsewhere/\udcff.md"),))
    assert job_from_json(job_to_json(job, job.journal.record), job.journal)[0] == job


def test_a_newer_job_is_refused_by_its_number() -> None:
    with pytest.raises(JobError, match=r"newer quoteview \(schema 2, this one reads 1\)"):
        read(changed(lambda document: document.update(schema=2)))


@pytest.mark.parametrize(
    "track_id", ["../x", "a/b", "a\\b", "", ".", "..", "a..b", "CON", "nul.human", "a b", "é", "a\n", "x" * 101, "a."]
)
def test_an_id_that_is_no_safe_name_is_refused(track_id: str) -> None:
    assert not is_safe_id(track_id)
    with pytest.raises(JobError, match=r"tracks\[0\]\.id"):
        read(changed(lambda document: part(document, "tracks", 0).update(id=track_id)))


@pytest.mark.parametrize(
    "file",
    [
        "../x",
        "/etc/passwd",
        "tracks/../../x",
        "tracks/",
        "tracks//a",
        "tracks/./a",
        "C:/x",
        "tracks/a:b",
        "tracks\\a",
        "drafts/a",
        "tracks/con.vtt",
        "tracks/a\n",
    ],
)
def test_a_track_outside_its_folder_is_refused(file: str) -> None:
    with pytest.raises(JobError, match=r"tracks\[0\]\.lock\.file"):
        read(changed(lambda document: part(document, "tracks", 0, "lock").update(file=file)))


@pytest.mark.parametrize("path", ["../a.md", "a.md", "drafts/../../a.md", "tracks/a.md", "", "/a\n.md"])
def test_a_draft_outside_is_refused_unless_its_path_is_absolute(path: str) -> None:
    with pytest.raises(JobError, match=r"drafts\[0\]\.path"):
        read(changed(lambda document: part(document, "drafts", 0).update(path=path)))


@pytest.mark.parametrize("path", ["drafts/a.md", "drafts/sub/é b.md", "/home/ada/a.md", "C:\\Users\\ada\\a.md"])
def test_a_draft_inside_or_linked_by_its_absolute_path_is_taken(path: str) -> None:
    assert read(changed(lambda document: part(document, "drafts", 0).update(path=path))).drafts[0].path == path


def test_ids_files_and_drafts_that_stand_twice_are_refused() -> None:
    def same_id(document: Document) -> None:
        part(document, "tracks", 1)["id"] = "EN.human"

    def same_file(document: Document) -> None:
        part(document, "tracks", 1).update(standing="locked", lock={"file": "tracks/EN.HUMAN.vtt", "sha256": "a" * 64, "size": 1})

    def same_draft(document: Document) -> None:
        part(document, "drafts", 1)["path"] = "drafts/one.md"

    for change in (same_id, same_file, same_draft):
        with pytest.raises(JobError, match="a second time"):
            read(changed(change))


def test_a_locked_track_has_a_lock_and_no_other_does() -> None:
    with pytest.raises(JobError, match=r"tracks\[0\]\.lock"):
        read(changed(lambda document: part(document, "tracks", 0).update(lock=None)))
    with pytest.raises(JobError, match=r"tracks\[0\]\.lock"):
        read(changed(lambda document: part(document, "tracks", 0).update(standing="listed")))


@pytest.mark.parametrize("digest", ["A" * 64, "a" * 63, "a" * 65, "g" * 64, "", 5, None])
def test_a_digest_is_64_lower_case_digits(digest: object) -> None:
    with pytest.raises(JobError, match="sha256"):
        read(changed(lambda document: part(document, "tracks", 0, "lock").update(sha256=digest)))


@pytest.mark.parametrize("tolerance_ms", [2_001, -1, 1.5, True, "2000"])
def test_a_tolerance_above_two_seconds_is_refused(tolerance_ms: object) -> None:
    with pytest.raises(JobError, match=r"policy\.tolerance_ms"):
        read(changed(lambda document: part(document, "policy").update(tolerance_ms=tolerance_ms)))


@pytest.mark.parametrize(
    "data", [b"", b"\xff", b"[]", b"{", b"null", b'{"schema":1,"schema":1}', b"{}", b"[" * 200_000, b'{"schema":1}']
)
def test_what_is_no_job_at_all_is_refused_in_words(data: bytes) -> None:
    with pytest.raises(JobError) as caught:
        job_from_json(data, Journal(), "x.quoteview/job.json")
    assert "x.quoteview/job.json" in str(caught.value)


def test_a_locks_bytes_are_never_renewed() -> None:
    other = replace(HUMAN, lock=lock(b"other", "tracks/en.human.vtt").lock)
    with pytest.raises(ValueError, match="locked"):
        with_track(JOB, other)
    assert with_track(JOB, replace(HUMAN, encoding="cp1252")).tracks[0].encoding == "cp1252"


def test_a_listed_track_becomes_a_locked_one_in_its_place() -> None:
    fetched = replace(LISTED, standing=Standing.LOCKED, lock=Lock("tracks/de.translated.vtt", "c" * 64, 3))
    assert with_track(JOB, fetched).tracks == (HUMAN, fetched)


def test_transitions_leave_the_job_they_came_from_as_it_was() -> None:
    before = replace(JOB)
    with_draft(JOB, "drafts/new.md")
    with_act(JOB, Waive("en.human", "x"), by="Ada", at="2027-03-03T10:00:00Z")
    assert before == JOB
    assert with_draft(JOB, "drafts/one.md") is JOB


def test_a_policy_above_two_seconds_is_a_programming_error() -> None:
    with pytest.raises(ValueError, match="tolerance"):
        with_policy(JOB, Policy(2_001))


def test_ids_are_free_whatever_the_case_and_safe_whatever_the_language() -> None:
    assert free_track_id("en", Origin.HUMAN, []) == "en.human"
    assert free_track_id("en", Origin.HUMAN, ["EN.human", "en.human-2"]) == "en.human-3"
    assert free_track_id("", Origin.UNKNOWN, []) == "und.unknown"
    assert track_file("en.human", "webvtt") == "tracks/en.human.vtt"
    assert track_file("en.human", "whisper-json") == "tracks/en.human.json"


@given(st.text(max_size=60), st.sampled_from(list(Origin)), st.text(max_size=12))
def test_every_language_gives_a_safe_id_and_file(language: str, origin: Origin, format: str) -> None:
    track_id = free_track_id(language, origin, [])
    assert is_safe_id(track_id)
    record = TrackRecord(track_id, origin, "", Standing.LOCKED, Lock(track_file(track_id, format), "a" * 64, 1))
    job = replace(JOB, tracks=(record,))
    assert job_from_json(job_to_json(job, job.journal.record), job.journal)[0] == job
