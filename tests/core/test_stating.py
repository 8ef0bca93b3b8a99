"""The statement is a pure function of what was judged: it says no more and leaves nothing out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from quoteview.core.acts import ExceptionClass
from quoteview.core.captions.track import Origin
from quoteview.core.job import Standing, TrackRecord, with_source, with_track
from quoteview.core.labelling import judged_of
from quoteview.core.rechecking import recheck
from quoteview.core.review import plant, review
from quoteview.core.statement import LabelKind, StatedOffer, Statement
from quoteview.core.stating import bundle_name, state
from quoteview.core.store import open_job, save_job
from tests.bundles import AT, label, make_job, program, resolve
from tests.corpus import DRAFT, webvtt

CAPTIONS = {"human.en.vtt": webvtt()}
GOOD = {"draft.md": DRAFT.encode()}
RED = {"draft.md": DRAFT.replace("ships this size", "boats this size").encode()}
ALTERED = "The harbour was never meant to hold boats this size"


def stated(folder: Path, *, is_signed: bool = False) -> Statement:
    known = plant(review(open_job(folder).material), 0)
    return state(judged_of(known, 0, "data/draft/draft.md"), by="Ada", at=AT, version="1.0", is_signed=is_signed)


def add(folder: Path, *records: TrackRecord) -> None:
    """Make a job one whose source was asked for everything, and that knows of further tracks."""
    job = open_job(folder).job
    job = with_source(job, replace(job.source, asked_human=True, asked_automatic=True))
    for record in records:
        job = with_track(job, record)
    save_job(folder, job)


def both_hold(folder: Path) -> bool:
    _, place = label(folder)
    return recheck(place).problems == () and program().recheck(place, lambda line: None) == []


def test_every_claim_stands_there_with_its_ranges_and_every_mark_with_its_role(tmp_path: Path) -> None:
    found = stated(make_job(tmp_path / "job", CAPTIONS, GOOD))
    assert found.label is LabelKind.VERIFIED
    assert [claim.state for claim in found.claims] == ["green"] * 4
    data = webvtt()
    for claim in found.claims:
        assert claim.match is not None and claim.resolution is None and claim.source_words == ""
        cut = b"".join(data[span.start : span.end] for span in claim.match.bytes).decode()
        assert cut.replace(" ", "") == claim.text.replace(" ", ""), "a border adds a space and has no bytes"
        assert "".join(text for text, _, _ in claim.pieces) == claim.text
    assert found.counts.marks == len(found.marks)
    assert all(mark.role for mark in found.marks)


def test_the_counts_add_up_and_nothing_set_aside_is_nought(tmp_path: Path) -> None:
    counts = stated(make_job(tmp_path / "job", CAPTIONS, GOOD)).counts
    assert (counts.claims, counts.exact, counts.resolved, counts.set_aside, counts.exceptions) == (4, 4, 0, 0, 0)
    assert counts.by_class == ()


def test_an_accepted_claim_is_an_exception_with_both_wordings_and_the_entry_of_the_journal(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, RED)
    entry = resolve(folder, [ALTERED], exception=ExceptionClass.WORDING, reason="heard so")
    found = stated(folder)
    assert found.label is LabelKind.WITH_EXCEPTIONS
    [claim] = [claim for claim in found.claims if claim.resolution is not None]
    assert claim.resolution is not None
    assert (claim.state, claim.verdict, claim.match) == ("resolved", "altered", None)
    assert claim.source_words == "The harbour was never meant to hold ships this size"
    assert (claim.resolution.entry, claim.resolution.is_exception, claim.resolution.reason) == (entry, True, "heard so")
    assert found.counts.by_class == (("wording", 1),)
    assert (found.journal_length, found.journal_head) == (1, entry)


def test_a_term_set_aside_is_counted_and_is_no_exception(tmp_path: Path) -> None:
    draft = DRAFT.encode() + "\nThey call it a “paper map” here.\n".encode()
    folder = make_job(tmp_path / "job", CAPTIONS, {"draft.md": draft})
    resolve(folder, ["paper map"])
    found = stated(folder)
    assert found.label is LabelKind.VERIFIED
    assert (found.counts.claims, found.counts.exact, found.counts.set_aside, found.counts.exceptions) == (5, 4, 1, 0)
    assert "1 other marked phrase was set aside as not from this recording." in found.sentence


def test_signed_and_unsigned_are_said(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, GOOD)
    assert stated(folder).sentence.endswith("By Ada, 3 March 2027, unsigned.")
    assert stated(folder, is_signed=True).sentence.endswith("By Ada, 3 March 2027, signed.")


def test_what_the_source_offers_besides_is_stated_machine_translations_left_out(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, GOOD)
    add(
        folder,
        TrackRecord("es.human", Origin.HUMAN, "es", Standing.NOT_OBTAINED, reason="the body was empty"),
        TrackRecord("fr.translated", Origin.TRANSLATED, "fr", Standing.LISTED),
    )
    found = stated(folder)
    assert found.offered == (StatedOffer("es.human", "human", "es", "not obtained", "", "the body was empty"),)
    assert both_hold(folder)


def test_an_automatic_track_that_was_not_obtained_still_says_what_is_spoken_and_a_stranger_can_follow_it(tmp_path: Path) -> None:
    captions = {**CAPTIONS, "human.de.vtt": webvtt()[:-2] + b"..\n\n"}
    folder = make_job(tmp_path / "job", captions, GOOD)
    assert stated(folder).reference.id == "de.human"
    add(folder, TrackRecord("en.automatic", Origin.AUTOMATIC, "en-US", Standing.NOT_OBTAINED, reason="the body was empty"))
    found = stated(folder)
    assert (found.reference.id, found.spoken_language) == ("en.human", "en-US")
    assert both_hold(folder)


def test_a_copy_of_an_automatic_track_says_nothing_of_what_is_spoken(tmp_path: Path) -> None:
    captions = {**CAPTIONS, "automatic.de.vtt": webvtt().replace(b"pilots", b"pirates")}
    folder = make_job(tmp_path / "job", captions, GOOD)
    assert stated(folder).spoken_language == "de"
    copy = replace(open_job(folder).job.locked[1], copy_of="en.human")
    add(folder, copy)
    found = stated(folder)
    assert found.spoken_language == ""
    assert [track.copy_of for track in found.tracks] == ["", "en.human"]
    assert both_hold(folder)


def test_two_automatic_tracks_of_one_language_are_told_the_same_way_in_any_order(tmp_path: Path) -> None:
    captions = {
        "human.en.vtt": webvtt(),
        "automatic.en-US.vtt": webvtt().replace(b"pilots", b"pirates"),
        "automatic.en-GB.vtt": webvtt().replace(b"pilots", b"parrots"),
    }
    for number, names in enumerate((list(captions), list(reversed(captions)))):
        folder = make_job(tmp_path / str(number), {name: captions[name] for name in names}, GOOD)
        assert stated(folder).spoken_language == "en-US"
        assert both_hold(folder)


def test_a_file_in_the_bundle_has_a_safe_name_of_its_own() -> None:
    taken: set[str] = set()
    assert bundle_name("drafts/a.md", "draft", taken) == "data/draft/a.md"
    assert bundle_name("/elsewhere/A.md", "draft", taken) == "data/draft/2-A.md"
    assert bundle_name("C:\\x\\b<c>.md", "draft", taken) == "data/draft/b_c_.md"
    assert bundle_name("/elsewhere/..", "draft", taken) == bundle_name("", "draft", set()) == "data/draft/file"
