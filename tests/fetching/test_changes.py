"""Looking for changes later: every way a track can differ from its lock is told, and nothing of the job is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from quoteview.core.captions.track import Origin
from quoteview.core.errors import FetchError, UsageError
from quoteview.core.importing import CaptionFile
from quoteview.core.job import Standing
from quoteview.core.locking import sha256_hex
from quoteview.core.new_job import new_job
from quoteview.core.store import create_job
from quoteview.fetching.changes import ChangeKind, changed_cues, look_for_changes, take_change
from quoteview.fetching.inventory import take_inventory
from quoteview.fetching.jobs import fetch_job
from quoteview.fetching.tracks import fetch_tracks, steps_of
from tests.fetching.serving import HUMAN, answer, in_turn, serving
from tests.fetching.site import client_of, facts_of, pages

LATER = HUMAN.replace(b"memo", b"letter")


def test_an_unchanged_source_is_said_to_be_unchanged(tmp_path: Path) -> None:
    with serving(pages()) as served:
        client = client_of(lambda: facts_of(served))
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client)
        changes = look_for_changes(opened.material, client)
    assert {change.kind for change in changes} == {ChangeKind.UNCHANGED}
    assert [change.track_id for change in changes] == [record.id for record in opened.job.locked]


def test_a_track_refused_now_is_not_said_to_be_gone(tmp_path: Path) -> None:
    with serving(pages(human=in_turn(answer(200, HUMAN), answer(403, b"")))) as served:
        client = client_of(lambda: facts_of(served))
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client)
        (human,) = [change for change in look_for_changes(opened.material, client) if change.track_id == "en.human"]
    assert human.kind is ChangeKind.NOT_OBTAINED
    assert "403" in human.reason


def test_a_track_that_could_not_be_obtained_takes_its_own_place_later(tmp_path: Path) -> None:
    with serving(pages(human=in_turn(answer(403, b""), answer(200, HUMAN)))) as served:
        client = client_of(lambda: facts_of(served))
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client)
        (human,) = [change for change in look_for_changes(opened.material, client) if change.kind is ChangeKind.NEW]
    assert human.track_id == "en.human"
    taken = take_change(opened, human)
    record = taken.job.track("en.human")
    assert record is not None
    assert record.standing is Standing.LOCKED
    assert (tmp_path / "job" / "tracks" / "en.human.vtt").read_bytes() == HUMAN


def test_a_track_that_is_newly_there_is_told_and_can_be_taken(tmp_path: Path) -> None:
    with serving(pages()) as served:
        before = client_of(lambda: facts_of(served, subtitles={}))
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", before)
        changes = look_for_changes(opened.material, client_of(lambda: facts_of(served)))
    (fresh,) = [change for change in changes if change.kind is ChangeKind.NEW]
    assert (fresh.track_id, fresh.locked, fresh.found) == ("en.human", "", sha256_hex(HUMAN))
    assert take_change(opened, fresh).job.track("en.human") is not None


def test_a_translation_that_was_asked_for_is_looked_at_again_and_others_are_not(tmp_path: Path) -> None:
    with serving(pages()) as served:
        client = client_of(lambda: facts_of(served))
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client, translated=["x7"])
        changes = look_for_changes(opened.material, client)
    kinds = [change.kind for change in changes if change.record.origin is Origin.TRANSLATED]
    assert kinds == [ChangeKind.UNCHANGED]


def test_looking_changes_no_byte_of_the_job(tmp_path: Path) -> None:
    with serving(pages(human=in_turn(answer(200, HUMAN), answer(200, LATER)))) as served:
        client = client_of(lambda: facts_of(served))
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client)
        before = {path: path.read_bytes() for path in (tmp_path / "job").rglob("*") if path.is_file()}
        look_for_changes(opened.material, client)
    assert {path: path.read_bytes() for path in (tmp_path / "job").rglob("*") if path.is_file()} == before


def test_the_very_bytes_are_not_taken_twice(tmp_path: Path) -> None:
    with serving(pages(human=in_turn(answer(200, HUMAN), answer(200, LATER)))) as served:
        client = client_of(lambda: facts_of(served))
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client)
        (change,) = [found for found in look_for_changes(opened.material, client) if found.kind is ChangeKind.CHANGED]
    taken = take_change(opened, change)
    with pytest.raises(UsageError, match="there already"):
        take_change(taken, change)


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ({"subtitles": {}, "automatic_captions": {}}, "the source offers no caption track at all now"),
        ({"subtitles": None, "automatic_captions": None}, "the source offers no caption track at all now"),
        ({"_type": "playlist", "entries": []}, "the link leads to an empty list now"),
    ],
)
def test_a_source_that_offers_nothing_at_all_is_not_said_to_have_lost_its_tracks(
    tmp_path: Path, now: dict[str, object], words: str
) -> None:
    with serving(pages()) as served:
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client_of(lambda: facts_of(served)))
        with pytest.raises(FetchError, match=f"{words}, so nothing could be compared"):
            look_for_changes(opened.material, client_of(lambda: facts_of(served, **now)))


def test_a_source_that_still_offers_one_track_has_lost_the_others(tmp_path: Path) -> None:
    """The near miss: with one track there is something to compare, and each of the others is gone."""
    with serving(pages()) as served:
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client_of(lambda: facts_of(served)))
        left = client_of(lambda: facts_of(served, automatic_captions={}))
        kinds = {change.track_id: change.kind for change in look_for_changes(opened.material, left)}
    assert kinds == {
        "en.human": ChangeKind.UNCHANGED,
        "en.automatic": ChangeKind.GONE,
        "en.automatic-2": ChangeKind.GONE,
    }


def test_a_source_that_offers_translations_alone_has_lost_its_tracks(tmp_path: Path) -> None:
    with serving(pages()) as served:
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client_of(lambda: facts_of(served)))
        translated = {"fr": [{"ext": "vtt", "url": f"{served.address}/api/timedtext?lang=en&kind=asr&tlang=fr&fmt=vtt"}]}
        now = client_of(lambda: facts_of(served, subtitles={}, automatic_captions=translated))
        kinds = {change.kind for change in look_for_changes(opened.material, now)}
    assert kinds == {ChangeKind.GONE}


def test_a_link_to_several_videos_now_is_said(tmp_path: Path) -> None:
    with serving(pages()) as served:
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client_of(lambda: facts_of(served)))
        entries = [{"_type": "url", "url": f"{served.address}/other", "title": "Other"}]
        with pytest.raises(UsageError, match="several videos now"):
            look_for_changes(opened.material, client_of(lambda: facts_of(served, _type="playlist", entries=entries)))


def test_a_track_that_comes_in_its_better_format_now_is_changed_and_neither_gone_nor_new(tmp_path: Path) -> None:
    srt = b"1\n00:00:05,000 --> 00:00:08,000\nDr. Okafor wrote the memo.\n"
    with serving({**pages(human=in_turn(answer(404, b""), answer(200, HUMAN))), "/human.srt": answer(200, srt)}) as served:
        both = [{"ext": ext, "url": f"{served.address}/human.{ext}"} for ext in ("vtt", "srt")]
        client = client_of(lambda: facts_of(served, subtitles={"en": both}, automatic_captions={}))
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client)
        (change,) = look_for_changes(opened.material, client)
    assert (change.kind, change.track_id, change.found) == (ChangeKind.CHANGED, "en.human", sha256_hex(HUMAN))
    assert change.cues == ()


def test_a_job_without_a_source_is_refused(tmp_path: Path) -> None:
    made = new_job([CaptionFile("a.vtt", HUMAN, Origin.HUMAN, "en")], [], title="Brought")
    opened = create_job(tmp_path / "job", made.job, made.tracks)
    with pytest.raises(UsageError, match="names no source"):
        look_for_changes(opened.material, client_of(dict))


def test_the_cues_that_differ_are_shown_and_no_others() -> None:
    (row,) = changed_cues(HUMAN, LATER)
    assert row.locked == (5000, "Dr. Okafor wrote the memo.")
    assert row.found == (5000, "Dr. Okafor wrote the letter.")
    assert changed_cues(HUMAN, HUMAN.replace(b"\n", b"\r\n")) == ()


def test_a_cue_on_one_side_only_has_nothing_beside_it() -> None:
    further = HUMAN + b"\n00:00:09.000 --> 00:00:10.000\nThat was it.\n"
    assert [(row.locked, row.found) for row in changed_cues(HUMAN, further)] == [(None, (9000, "That was it."))]
    assert [(row.locked, row.found) for row in changed_cues(further, HUMAN)] == [((9000, "That was it."), None)]


def test_the_ids_are_known_before_anything_is_fetched() -> None:
    with serving(pages()) as served:
        facts = facts_of(served)
        inventory = take_inventory(facts, translated=["x3"])
        expected = [step.track_id for step in steps_of(inventory)]
        assert [one.record.id for one in fetch_tracks(inventory, client_of(lambda: facts))] == expected


def test_a_ticked_translation_is_planned_and_an_unticked_one_is_not() -> None:
    with serving(pages()) as served:
        inventory = take_inventory(facts_of(served))
    asked = inventory.with_translated(["x3"])
    assert [offer.key for offer in asked.planned if offer.origin is Origin.TRANSLATED] == ["x3"]
    assert asked.with_translated([]) == inventory
