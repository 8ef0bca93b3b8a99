"""The self-test catches every plant of an honest check, and names what gets through each dishonest one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from quoteview.core.acts import Acknowledge
from quoteview.core.audit import AuditReport
from quoteview.core.captions.reading import read_track
from quoteview.core.captions.track import Run, Track
from quoteview.core.checking import Checker
from quoteview.core.cutting import Cut
from quoteview.core.drafts.reading import read_draft
from quoteview.core.errors import Cancelled
from quoteview.core.journal import Journal, JournalRecord
from quoteview.core.locking import lock
from quoteview.core.planting import JOURNAL_KINDS, KINDS, Instruments, PlantingReport, Subject, joined, run
from quoteview.core.reference import Reference
from quoteview.core.spans import ByteSpan, TextSpan

CAPTIONS = """WEBVTT

00:00:01.000 --> 00:00:04.000
The harbour was never meant to hold ships this size,

00:00:04.000 --> 00:00:08.000
and nobody told the pilots. “Trust the old chart,” they said.

00:00:08.000 --> 00:00:12.000
So we measured the café's quay again, and it had moved by 15 metres.

00:00:20.000 --> 00:00:24.000
You cannot steer by a map of a place that is not there.
""".encode()

DRAFT = """The engineer was blunt: “The harbour was never meant to hold ships this size” (0:02).
She went on: “nobody told the pilots” (0:05), and then “we measured the café's quay again” (0:09).
Her rule is short. “You cannot steer by a map of a place that is not there” (0:21).
""".encode()


def subject(captions: bytes = CAPTIONS, draft: bytes = DRAFT, *, journal_lines: int = 3) -> Subject:
    """Return a job of ordinary size in memory, with every claim checked."""
    source = lock(captions, "tracks/en.human.vtt")
    track = read_track(source)
    read = read_draft(draft, "draft.md")
    journal = Journal()
    for number in range(journal_lines):
        act = Acknowledge("order", ("0" * 64,), f"seen {number}")
        journal = journal.appended(act, by="Ada", at="2027-03-03T10:00:00Z")
    checker = Checker()
    verdicts = checker.check(checker.reference(track, "en.human"), read.claims)
    return Subject(source, track, "en.human", None, read, verdicts, 2000, journal=journal, record=journal.record)


def kinds(report: PlantingReport) -> set[str]:
    return {missed[1] for missed in report.missed}


def test_every_plant_of_an_honest_check_is_caught() -> None:
    report = run(subject())
    assert report.missed == ()
    assert report.all_caught
    assert report.planted >= 60
    assert not report.not_tried
    assert {plant.kind for plant in report.plants} == set("abcdefgh")


def test_the_same_seed_plants_the_same_changes() -> None:
    first, second = run(subject(), seed=7), run(subject(), seed=7)
    assert first == second
    assert run(subject(), seed=8) != first


def test_a_checker_that_compares_with_the_working_copy_is_named() -> None:
    def from_the_copy(track: Track, run: Run) -> str:
        return run.text

    report = run(subject(), instruments=Instruments(checker=Checker(read=from_the_copy)))
    assert kinds(report) == {"c"}


def test_a_checker_without_the_word_rule_is_named() -> None:
    report = run(subject(), instruments=Instruments(checker=Checker(border_rule=lambda text, at: None)))
    assert "d" in kinds(report)
    assert any("part of a word" in missed for missed in report.missed)


def test_a_checker_that_skips_the_second_cutting_is_named() -> None:
    def believes(reference: Reference, span: TextSpan, ranges: Sequence[ByteSpan]) -> Cut:
        return Cut(reference.text[span.start : span.end], "")

    report = run(subject(), instruments=Instruments(checker=Checker(second_cut=believes)))
    assert kinds(report) == {"c"}
    assert any("skipped" in missed for missed in report.missed)


def test_an_audit_that_believes_the_reader_is_named() -> None:
    report = run(subject(), instruments=Instruments(audit=lambda track: AuditReport(())))
    assert kinds(report) == {"c"}


def test_a_journal_without_its_length_is_named() -> None:
    def without_length(journal: Journal, record: JournalRecord) -> Sequence[str]:
        return journal.verify(journal.record)

    report = run(subject(), instruments=Instruments(verify_journal=without_length))
    assert kinds(report) == {"f"}
    assert any("cut off" in missed for missed in report.missed)


def test_a_lock_that_opens_for_anything_is_named() -> None:
    report = run(subject(), instruments=Instruments(reopen=lambda recorded, data: lock(data, recorded.file)))
    assert kinds(report) == {"a"}


def test_kinds_without_a_place_are_reported_and_nothing_planted_is_no_pass() -> None:
    report = run(subject(draft=b"No quotations here, nothing at all.\n", journal_lines=0))
    assert {reason[1] for reason in report.not_tried} == {"b", "c", "d", "e", "f", "g", "h"}
    assert {plant.kind for plant in report.plants} == {"a"}


def test_a_chorus_that_is_sung_twice_is_drawn_again_and_never_missed() -> None:
    captions = b"WEBVTT\n\n00:01.000 --> 00:02.000\nrow your boat\n\n00:02.000 --> 00:03.000\nrow your boat\n"
    report = run(subject(captions, "“row your boat” (0:01)\n".encode()))
    assert report.missed == ()
    assert report.redrawn > 0


def test_a_script_without_spaces_loses_no_letters_to_the_word_rule() -> None:
    captions = "WEBVTT\n\n00:05.000 --> 00:08.000\n橋は安全です\n\n00:08.000 --> 00:12.000\nと市長は言いました\n".encode()
    report = run(subject(captions, "「橋は安全です」（0:05）「市長は言いました」（0:09）\n".encode()))
    assert report.missed == ()


def test_long_tracks_are_planted_in_on_an_excerpt() -> None:
    filler = b"".join(
        b"%02d:%02d:%02d.000 --> %02d:%02d:%02d.500\nsome filler words number %d that nobody quotes at all here\n\n"
        % (*_hms(100 + 4 * n), *_hms(102 + 4 * n), n)
        for n in range(7000)
    )
    report = run(subject(CAPTIONS + b"\n" + filler))
    assert report.missed == ()
    assert sum(1 for plant in report.plants if plant.kind == "b") >= 10


def test_a_report_that_raises_cancelled_stops_the_self_test() -> None:
    def stop(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        run(subject(), report=stop)


@pytest.mark.parametrize("journal_lines", [0, 3])
def test_kinds_planted_apart_give_the_report_of_all_at_once(journal_lines: int) -> None:
    subject_ = subject(journal_lines=journal_lines)
    lasting = run(subject_, kinds="".join(kind for kind in KINDS if kind not in JOURNAL_KINDS))
    assert joined(lasting, run(subject_, kinds=JOURNAL_KINDS)) == run(subject_)


def test_what_no_journal_bears_on_is_the_same_under_another_journal() -> None:
    lasting = "".join(kind for kind in KINDS if kind not in JOURNAL_KINDS)
    assert run(subject(journal_lines=0), kinds=lasting) == run(subject(journal_lines=3), kinds=lasting)


def test_the_tolerance_of_the_job_is_the_one_that_is_tested() -> None:
    report = run(replace(subject(), tolerance_ms=0))
    assert report.missed == ()


def _hms(seconds: int) -> tuple[int, int, int]:
    return seconds // 3600, seconds // 60 % 60, seconds % 60
