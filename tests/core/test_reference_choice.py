from __future__ import annotations

from quoteview.core.acts import ChooseReference
from quoteview.core.captions.track import Origin
from quoteview.core.job import Job, Policy, SourceRecord, Standing, TrackRecord, with_act
from quoteview.core.journal import Journal
from quoteview.core.locking import Lock
from quoteview.core.reference_choice import choose_reference, is_translation, spoken_language


def record(track_id: str, *, is_locked: bool = True, copy_of: str = "") -> TrackRecord:
    """Return a track named by language and origin: `en.human`."""
    language, _, origin = track_id.removesuffix("-2").partition(".")
    lock = Lock(f"tracks/{track_id}.vtt", "a" * 64, 1) if is_locked else None
    standing = Standing.LOCKED if is_locked else Standing.LISTED
    return TrackRecord(track_id, Origin(origin), "" if language == "und" else language, standing, lock, copy_of=copy_of)


def job(*tracks: TrackRecord, source: str = "", language: str = "") -> Job:
    """Return a job of these tracks."""
    return Job("", SourceRecord(language=source), language, tracks, (), Policy(), Journal())


def chosen(*ids: str, source: str = "", language: str = "") -> str:
    """Return the reference among tracks of these ids."""
    return choose_reference(job(*map(record, ids), source=source, language=language)).track_id


def test_human_comes_before_automatic_before_unknown() -> None:
    assert chosen("en.automatic", "en.human", "en.unknown") == "en.human"
    assert chosen("en.unknown", "en.automatic") == "en.automatic"


def test_a_machine_translation_is_never_it_even_alone() -> None:
    assert chosen("en.translated", "en.unknown") == "en.unknown"
    only = choose_reference(job(record("en.translated")))
    assert only.track_id == "" and "machine translation" in only.why


def test_the_spoken_language_goes_before_human() -> None:
    assert chosen("de.human", "en.automatic") == "en.automatic"
    assert chosen("de.human", "en.automatic", "en.human") == "en.human"


def test_the_automatic_tracks_language_goes_before_the_sources_word_and_that_before_the_jobs() -> None:
    assert chosen("de.human", "en.human", "en.automatic", source="de", language="de") == "en.human"
    assert chosen("de.human", "en.human", source="de", language="en") == "de.human"
    assert chosen("de.human", "en.human", language="en") == "en.human"


def test_two_automatic_tracks_of_different_languages_say_nothing() -> None:
    tracks = (record("de.automatic"), record("en.automatic"))
    assert spoken_language(job(*tracks, source="en"))[0] == "en"
    assert spoken_language(job(*tracks)) == ("", "")


def test_an_automatic_track_that_was_only_listed_tells_the_language_too() -> None:
    assert (
        choose_reference(job(record("de.human"), record("en.human"), record("en.automatic", is_locked=False))).track_id
        == "en.human"
    )


def test_a_region_is_no_other_language() -> None:
    assert chosen("en-GB.human", "de.human", "en.automatic") == "en-GB.human"


def test_a_track_of_no_stated_language_comes_between() -> None:
    assert chosen("und.human", "en.automatic") == "en.automatic"
    assert chosen("und.unknown", "de.human", source="en") == "und.unknown"


def test_then_the_id_decides() -> None:
    assert chosen("en.human-2", "en.human") == "en.human"


def test_what_is_not_locked_cannot_be_it() -> None:
    assert choose_reference(job(record("en.human", is_locked=False), record("en.automatic"))).track_id == "en.automatic"
    assert choose_reference(job()).track_id == ""


def test_a_human_track_in_another_language_is_called_a_translation() -> None:
    both = job(record("de.human"), record("en.automatic"))
    assert is_translation(both, both.tracks[0]) and not is_translation(both, both.tracks[1])
    alone = job(record("de.human"), source="en")
    assert "(a translation)" in choose_reference(alone).why
    assert not is_translation(job(record("de.human")), record("de.human"))


def test_a_persons_choice_goes_before_the_rule_with_its_reason() -> None:
    both = job(record("en.human"), record("en.automatic"))
    act = ChooseReference("en.automatic", "the human one is a summary")
    found = choose_reference(with_act(both, act, by="Ada", at="2027-03-03T10:00:00Z"))
    assert (found.track_id, found.is_persons_choice, found.by) == ("en.automatic", True, "Ada")
    assert "the human one is a summary" in found.why


def test_a_choice_of_a_track_that_is_not_locked_falls_back_and_says_so() -> None:
    both = job(record("en.human"), record("en.automatic", is_locked=False))
    found = choose_reference(with_act(both, ChooseReference("en.automatic", "why"), by="Ada", at="2027-03-03T10:00:00Z"))
    assert found.track_id == "en.human" and not found.is_persons_choice and "en.automatic" in found.why


def test_a_choice_for_one_check_goes_before_the_journals() -> None:
    both = job(record("en.human"), record("en.automatic"))
    act = ChooseReference("en.human", "why")
    assert choose_reference(with_act(both, act, by="Ada", at="x"), wanted="en.automatic").track_id == "en.automatic"
