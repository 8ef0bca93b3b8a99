from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoteview.core import review as module
from quoteview.core.acts import ChooseReference, ResolutionKind
from quoteview.core.captions.track import Origin
from quoteview.core.checking import check
from quoteview.core.errors import CaptionError, DraftError, LockBroken, StoreError
from quoteview.core.importing import CaptionFile, import_track
from quoteview.core.job import DraftRecord, Job, Policy, SourceRecord, with_act
from quoteview.core.journal import Journal
from quoteview.core.material import Material
from quoteview.core.reporting import to_json
from quoteview.core.resolving import Resolved, resolution_of
from quoteview.core.review import (
    FilesOptions,
    Review,
    as_read,
    plant,
    planting_key,
    rejudge_draft,
    rejudge_journal,
    review,
    review_files,
)
from quoteview.core.store import create_job, open_job

VTT = b"WEBVTT\n\n00:00:01.000 --> 00:00:03.000\nthe harbour was frozen\n\n00:00:03.000 --> 00:00:05.000\nuntil the spring came\n"
AUTO = b"WEBVTT\n\n00:00:01.000 --> 00:00:03.000\nthe harbor was frozen\n\n00:00:03.000 --> 00:00:05.000\nuntil the spring came\n"
DRAFT = (
    "She said “the harbour was frozen” (0:01), and “the harbor was frozen” (0:01) too. It was “until the spring came” (0:03).\n"
)


def material(draft: str = DRAFT) -> Material:
    """Return a job of a human and an automatic track, and one draft."""
    human = import_track(CaptionFile("a.vtt", VTT, Origin.HUMAN, "en"), [])
    auto = import_track(CaptionFile("b.vtt", AUTO, Origin.AUTOMATIC, "en"), [])
    job = Job("Talk", SourceRecord(), "en", (human.record, auto.record), (DraftRecord("drafts/a.md"),), Policy(), Journal())
    return Material(job, {"en.human": human.source, "en.automatic": auto.source}, (draft.encode(),))


def verdicts(found: Review) -> list[str]:
    """Return the verdicts of the first draft."""
    return [verdict.kind.value for verdict in found.drafts[0].verdicts]


def test_verdicts_are_against_the_reference_and_name_the_other_tracks() -> None:
    found = review(material())
    assert found.choice.track_id == "en.human"
    assert verdicts(found) == ["exact", "altered", "exact"]
    assert [verdict.also_in for verdict in found.drafts[0].verdicts] == [(), ("en.automatic",), ("en.automatic",)]


def test_a_reference_named_for_one_check_changes_what_is_exact() -> None:
    assert verdicts(review(material(), reference="en.automatic")) == ["altered", "exact", "exact"]


def test_a_draft_that_is_gone_or_no_text_is_a_closed_gate_and_no_error() -> None:
    gone = StoreError("drafts/a.md", "the draft is not there", remedy="Check the name.")
    for data in (gone, b"PK\x03\x04\x00\x00packed"):
        found = review(replace(material(), drafts=(data,)))
        assert found.drafts[0].draft is None and found.drafts[0].fault
        assert {"complete", "quotes"} <= {each.name for each in found.gates if not each.is_open}
        json.dumps(to_json(found))


def test_without_a_reference_every_claim_is_red_and_named_so() -> None:
    whole = material()
    human = whole.job.tracks[0]
    assert human.lock is not None
    broken = LockBroken(human.lock.file, human.lock.sha256, "0" * 64)
    found = review(replace(whole, sources={**whole.sources, "en.human": broken}))
    claims = to_json(found)["drafts"][0]["claims"]  # type: ignore[index]
    assert [(each["verdict"], each["state"], each["match"]) for each in claims] == [(None, "red", None)] * 3


def test_what_did_not_change_is_taken_from_an_earlier_review_and_gives_the_same() -> None:
    first = review(material())
    again = review(material(DRAFT + "\nMore.\n"), reuse=first)
    assert again.tracks[0].track is first.tracks[0].track and again.references["en.human"] is first.references["en.human"]
    assert to_json(again) == to_json(review(material(DRAFT + "\nMore.\n")))


def test_other_bytes_are_never_taken_from_an_earlier_review() -> None:
    first = review(material())
    other = import_track(CaptionFile("a.vtt", VTT.replace(b"frozen", b"thawed"), Origin.HUMAN, "en"), [])
    whole = material()
    changed = replace(
        whole,
        job=replace(whole.job, tracks=(other.record, whole.job.tracks[1])),
        sources={**whole.sources, "en.human": other.source},
    )
    assert verdicts(review(changed, reuse=first))[0] != "exact"
    relocked = replace(whole, sources={**whole.sources, "en.human": other.source})
    assert {state.value for state in review(relocked, reuse=first).drafts[0].states()} == {"red"}


PARTS = [
    "“the harbour was frozen” (0:01)",
    "“the harbor was frozen”",
    "“until the spring came” (0:03)",
    "“until the spring",
    " (0:09)",
    "\n\n",
    " x",
    "“frozen”",
]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=8), st.lists(st.sampled_from(PARTS), max_size=8))
def test_a_draft_rejudged_as_one_types_equals_one_judged_afresh(before: list[str], after: list[str]) -> None:
    known = review(material(" ".join(before)))
    typed = rejudge_draft(known, 0, " ".join(after).encode())
    fresh = review(material(" ".join(after)))
    assert typed.drafts == fresh.drafts
    assert to_json(typed) == to_json(fresh)


def test_while_one_types_only_changed_claims_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    known = review(material())
    asked: list[int] = []

    def counting(*given: object, **named: object) -> object:
        asked.append(len(given[1]))  # type: ignore[arg-type]
        return check(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "check", counting)
    rejudge_draft(known, 0, DRAFT.replace("She said", "He said").encode())
    assert asked == []
    rejudge_draft(known, 0, DRAFT.replace("spring came", "spring cam").encode())
    assert asked == [1]


def test_an_entry_is_taken_up_without_checking_again() -> None:
    known = review(material())
    act = resolution_of(known.drafts[0].claims, [2], ResolutionKind.NOT_A_QUOTATION, reason="from elsewhere")
    sha256 = known.tracks[0].sha256
    job = with_act(known.job, act, by="Ada", at="2027-03-03T10:00:00Z", track=sha256, draft="drafts/a.md")
    found = rejudge_journal(known, job)
    assert [state.value for state in found.drafts[0].states()] == ["green", "resolved", "green"]
    assert isinstance(found.drafts[0].standing[1], Resolved)
    assert to_json(found) == to_json(review(replace(known.material, job=job, record=job.journal.record)))


def test_a_choice_of_the_reference_judges_all_again() -> None:
    known = review(material())
    job = with_act(known.job, ChooseReference("en.automatic", "better"), by="Ada", at="2027-03-03T10:00:00Z")
    found = rejudge_journal(known, job)
    assert verdicts(found) == ["altered", "exact", "exact"]
    assert to_json(found) == to_json(review(replace(known.material, job=job, record=job.journal.record)))


def test_the_self_test_holds_for_the_very_bytes_it_ran_on() -> None:
    known = plant(review(material()), 0, seed=1)
    report = known.planting(0)
    assert report is not None and report.planted > 0 and report.seed == 1
    assert known.gates[-1].is_open == (not report.missed)
    typed = rejudge_draft(known, 0, DRAFT.replace("too", "two").encode())
    assert typed.planting(0) is None and not typed.gates[-1].is_open
    back = rejudge_draft(typed, 0, DRAFT.encode())
    assert back.planting(0) is report
    assert planting_key(typed.material, 0) != planting_key(back.material, 0)
    assert plant(known, 0) is known


def test_without_a_reference_nothing_is_planted() -> None:
    known = review(replace(material(), sources={}))
    assert plant(known, 0) is known and not known.gates[-1].is_open


def test_progress_is_told_and_can_stop_it() -> None:
    told: list[tuple[int, int]] = []
    review(material(), report=lambda done, total: told.append((done, total)))
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]

    class Stop(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        review(material(), report=stop)


def test_files_without_a_job_are_reviewed_and_raise_where_they_cannot_be_read() -> None:
    captions = [CaptionFile("my talk.vtt", VTT, Origin.HUMAN, "en")]
    found = review_files(captions, [("my draft.md", DRAFT.encode())], FilesOptions(tolerance_ms=500))
    assert verdicts(found) == ["exact", "altered", "exact"]
    document = to_json(found)
    assert document["tolerance_ms"] == 500
    assert document["tracks"][0]["file"] == "my talk.vtt"  # type: ignore[index]
    with pytest.raises(CaptionError):
        review_files([CaptionFile("x.vtt", b"")], [("a.md", b"x")])
    with pytest.raises(DraftError):
        review_files(captions, [("a.md", b"PK\x03\x04\x00\x00")])


def test_the_document_has_every_key_and_its_sums_add_up() -> None:
    known = review(material())
    act = resolution_of(known.drafts[0].claims, [2], ResolutionKind.NOT_A_QUOTATION, reason="from elsewhere")
    job = with_act(known.job, act, by="Ada", at="2027-03-03T10:00:00Z", track=known.tracks[0].sha256, draft="drafts/a.md")
    document = json.loads(json.dumps(to_json(rejudge_journal(known, job))))
    assert list(document) == ["schema", "quoteview", "label", "tolerance_ms", "reference", "tracks", "drafts", "gates"]
    assert (document["schema"], document["label"]) == (1, "blocked")
    for track in document["tracks"]:
        assert sum(track["ledger"].values()) == track["bytes"]
        assert track["lock"] == "ok" and track["unread"] == [] and track["order"] == []
    (draft,) = document["drafts"]
    assert draft["counts"] == {
        "exact": 2,
        "mistimed": 0,
        "untimed": 0,
        "altered": 1,
        "not_found": 0,
        "unclosed": 0,
        "resolved": 1,
    }
    exact, altered, _ = draft["claims"]
    assert "classes" not in exact and altered["classes"]
    start, end = exact["bytes"][0]
    assert DRAFT.encode()[start:end].decode() == exact["text"] == "the harbour was frozen"
    start, end = exact["match"]["bytes"][0]
    assert VTT[start:end] == b"the harbour was frozen"
    assert exact["match"]["offset_ms"] == 0 and exact["match"]["cues"] == [0, 0]
    assert altered["nearest"]["text"] == "the harbour was frozen"
    assert altered["resolution"] == {
        "kind": "not_a_quotation",
        "reason": "from elsewhere",
        "by": "Ada",
        "at": "2027-03-03T10:00:00Z",
    }
    assert {mark["role"] for mark in draft["marks"]} == {"opens", "closes"}
    assert list(document["gates"]) == ["lock", "inventory", "lossless", "order", "complete", "quotes", "checker"]


def test_the_label_is_allowed_only_with_every_gate_open() -> None:
    whole = material("She said “the harbour was frozen” (0:01) and “until the spring came” (0:03).\n")
    known = review(whole)
    assert to_json(known)["label"] == "blocked" and known.label_refusal() == "closed: checker"
    planted = plant(known, 0)
    assert planted.label_refusal() == "" and to_json(planted)["label"] == "allowed"
    assert to_json(rejudge_draft(planted, 0, b"She said nothing.\n"))["label"] == "blocked"


def test_a_job_on_disk_is_reviewed_from_its_bytes_each_time(tmp_path: Path) -> None:
    whole = material()
    folder = tmp_path / "talk.quoteview"
    opened = create_job(folder, whole.job, {"en.human": VTT, "en.automatic": AUTO}, drafts={"drafts/a.md": DRAFT.encode()})
    before = sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*"))
    assert verdicts(review(opened.material)) == ["exact", "altered", "exact"]
    track = folder / "tracks/en.automatic.vtt"
    assert sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*")) == before
    track.chmod(0o644)
    track.write_bytes(AUTO.replace(b"harbor", b"h4rbor"))
    found = review(open_job(folder).material, reuse=review(opened.material))
    assert not found.is_lock_whole and not found.gates[0].is_open
    assert {state.value for state in found.drafts[0].states()} == {"red"}


def test_a_job_that_is_only_read_has_no_verdict_no_audit_and_no_open_gate() -> None:
    read = as_read(material())
    assert [len(judged.claims) for judged in read.drafts] == [len(judged.claims) for judged in review(material()).drafts]
    assert all(judged.verdicts == () and judged.standing == () for judged in read.drafts)
    assert (read.tracks, read.track_gates, dict(read.planted)) == ((), (), {})
    assert read.reference is not None


def test_a_review_of_what_was_read_before_equals_one_from_the_bytes_and_keeps_what_was_read() -> None:
    asked = material()
    read = as_read(asked)
    found = review(asked, reuse=read)
    assert to_json(found) == to_json(review(asked))
    assert found.reference is read.reference
    assert found.drafts[0].draft is read.drafts[0].draft


def test_what_was_read_from_other_bytes_is_never_taken() -> None:
    read = as_read(material())
    again = material()  # the same bytes, opened anew: the lock proved these, not those that were read
    found = review(again, reuse=read)
    assert found.reference is not read.reference
    assert found.reference is not None
    assert found.reference.track.source is again.sources[found.choice.track_id]


def test_a_draft_that_was_read_in_part_only_is_read_whole_again() -> None:
    asked = material()
    read = as_read(asked)
    known = read.drafts[0]
    assert known.draft is not None
    part = replace(known, draft=replace(known.draft, sha256="", claims=known.draft.claims[:1]))
    found = review(asked, reuse=replace(read, drafts=(part, *read.drafts[1:])))
    assert to_json(found) == to_json(review(asked))
