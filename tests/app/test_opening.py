"""Opening a job: it is shown as soon as it is read, with nothing known of any claim, and judged behind that."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from quoteview.app import loading, recovery
from quoteview.app.session import Session
from quoteview.app.settings import Settings
from quoteview.app.states import Changes, ClaimState, Phase
from quoteview.core.captions.track import Origin
from quoteview.core.importing import CaptionFile
from quoteview.core.joblock import JobLock
from quoteview.core.new_job import new_job
from quoteview.core.review import Review
from quoteview.core.store import create_job
from quoteview.core.store import open_job as open_on_disk

CAPTIONS = b"WEBVTT\n\n00:05.000 --> 00:08.000\nthe mill is shut\n\n00:10.000 --> 00:13.000\nit opens at noon\n"
DRAFT = "He said “the mill is shut” (0:05) and “it opens at two” (0:10).\n".encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = new_job([CaptionFile("talk.vtt", CAPTIONS, Origin.HUMAN, "en")], [("draft.txt", DRAFT)], title="The mill")
    create_job(tmp_path / "job", made.job, made.tracks, drafts=made.drafts)
    return tmp_path / "job"


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    settings = Settings()
    settings.reviewer = "Ada"
    made = Session(settings)
    settings.setParent(made)
    yield made
    made.shut_down()


def test_text_and_captions_are_shown_before_anything_is_judged(session: Session, folder: Path, qtbot: QtBot) -> None:
    seen: list[tuple[object, ...]] = []

    def look(changes: Changes) -> None:
        if session.phase is Phase.CHECKING and Changes.JOB in changes:
            assert session.text is not None
            shown = (session.text.draft_bytes, [cue.text for cue in session.cues], session.shown_track_id)
            known = (session.states, session.verdicts, session.verdict(1), session.to_do(), session.gates, session.match(1))
            seen.append((*shown, *known, session.counts.to_verify, session.sentence(1), session.label_refusal))

    session.changed.connect(look)
    session.open(folder)
    qtbot.waitUntil(lambda: session.phase is Phase.READY)
    grey = (ClaimState.TO_VERIFY, ClaimState.TO_VERIFY)
    words = (2, "Being checked.", "The quotations are being checked.")
    assert seen == [(DRAFT, ["the mill is shut", "it opens at noon"], "en.human", grey, (), None, (), (), None, *words)]
    assert session.states == (ClaimState.EXACT, ClaimState.TO_DO)
    assert session.suggested == 2


def test_the_captions_shown_stay_the_very_same_when_they_are_judged(session: Session, folder: Path, qtbot: QtBot) -> None:
    shown: list[object] = []
    session.changed.connect(lambda _changes: shown.append(session.cues) if session.cues else None)
    session.open(folder)
    qtbot.waitUntil(lambda: session.phase is Phase.READY)
    assert all(cues is session.cues for cues in shown)  # a view that compares them is not laid out again


def test_nothing_can_be_done_to_a_claim_that_is_not_judged(session: Session, folder: Path, qtbot: QtBot) -> None:
    tried: list[Phase] = []

    def act(changes: Changes) -> None:
        if session.phase is Phase.CHECKING and Changes.JOB in changes:
            tried.append(session.phase)
            session.set_aside(1)
            session.edit(0, 0, "x")
            session.edit_claim(1, "another")
            session.retract(1, keep_words=True)
            session.waive("en.human", "never mind")
            session.recheck()
            assert not session.repairs(1)

    session.changed.connect(act)
    session.open(folder)
    qtbot.waitUntil(lambda: session.phase is Phase.READY and session.is_settled)
    assert tried == [Phase.CHECKING]
    assert session.text is not None
    assert session.text.draft_bytes == DRAFT
    assert session.undo_name == ""
    assert open_on_disk(folder).job.journal.entries == ()


def test_a_check_that_is_stopped_leaves_nothing_half_known_open(
    session: Session, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(_read: Review, report: loading.Report) -> Review:
        while True:
            report(0, 0)

    def stop(changes: Changes) -> None:
        if session.phase is Phase.CHECKING and Changes.JOB in changes:
            session.cancel()

    monkeypatch.setattr(loading, "judge", endless)
    session.changed.connect(stop)
    session.open(folder)
    qtbot.waitUntil(lambda: session.phase is Phase.EMPTY and session.is_settled)
    assert (session.review, session.text, session.folder) == (None, None, None)
    session.changed.disconnect(stop)
    monkeypatch.undo()
    session.open(folder)  # its lock was given back
    qtbot.waitUntil(lambda: session.phase is Phase.READY)


def test_closing_while_it_is_checked_drops_what_the_check_says(session: Session, folder: Path, qtbot: QtBot) -> None:
    phases: list[Phase] = []

    def close(changes: Changes) -> None:
        phases.append(session.phase)
        if session.phase is Phase.CHECKING and Changes.JOB in changes:
            session.close_job()

    session.changed.connect(close)
    session.open(folder)
    qtbot.waitUntil(lambda: Phase.CHECKING in phases and session.is_settled)
    assert session.phase is Phase.EMPTY
    assert Phase.READY not in phases


def test_a_broken_lock_is_said_at_once_and_never_becomes_green(session: Session, folder: Path, qtbot: QtBot) -> None:
    locked = next((folder / "tracks").glob("*.vtt"))
    locked.chmod(0o644)
    locked.write_bytes(CAPTIONS.replace(b"shut", b"open"))
    phases: list[Phase] = []
    session.changed.connect(lambda _changes: phases.append(session.phase))
    session.open(folder)
    qtbot.waitUntil(lambda: session.phase is Phase.LOCK_BROKEN and session.is_settled)
    assert Phase.CHECKING not in phases
    assert Phase.READY not in phases
    assert session.broken_locks


def test_text_that_was_kept_is_neither_saved_nor_kept_anew_before_it_is_said_that_the_file_changed(
    session: Session, folder: Path, qtbot: QtBot
) -> None:
    draft = folder / "drafts" / "draft.txt"
    mine = DRAFT.replace(b"He said", b"He says")
    recovery.keep(draft, "0" * 64, mine)  # typed over other bytes than the file has now
    kept = recovery.find(draft)
    assert kept is not None
    tried: list[bytes] = []

    def save(changes: Changes) -> None:
        if session.phase is Phase.CHECKING and Changes.JOB in changes and not tried:
            assert session.text is not None
            tried.append(session.text.draft_bytes)
            session.save()
            session.close_job()

    session.changed.connect(save)
    session.open(folder)
    qtbot.waitUntil(lambda: bool(tried) and session.phase is Phase.EMPTY and session.is_settled)
    assert tried == [mine]
    assert draft.read_bytes() == DRAFT
    assert recovery.find(draft) == kept
    session.open(folder)
    qtbot.waitUntil(lambda: session.phase is Phase.READY)
    assert [(outside.has_conflict, outside.is_gone) for outside in session.outside] == [(True, False)]
    session.save()
    assert draft.read_bytes() == DRAFT


@pytest.mark.parametrize(
    "draft", [b"He said \x93the mill is shut\x94 (0:05).", b"\xff\xfeH\x00I"], ids=["not UTF-8", "half a UTF-16 unit"]
)
def test_a_draft_that_cannot_be_read_closes_the_checker_gate_and_is_not_tested_for_ever(
    folder: Path, session: Session, qtbot: QtBot, draft: bytes
) -> None:
    (folder / "drafts" / "draft.txt").write_bytes(draft)
    session.open(folder)
    qtbot.waitUntil(lambda: session.phase is Phase.READY and session.is_settled, timeout=10_000)
    is_open = {gate.name: gate.is_open for gate in session.gates}
    assert len(is_open) == 7
    assert not is_open["checker"]


def test_an_open_that_another_overtakes_lets_go_of_its_job_and_the_last_one_asked_for_stays(
    session: Session, folder: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    for way in ((folder, other), (other, folder, other), (folder, folder), (folder, other, folder)):
        for one in way:
            session.open(one)
        qtbot.waitUntil(lambda: session.phase is Phase.READY and session.is_settled, timeout=10_000)
        assert session.folder == way[-1]
        assert session.fault is None
        if way[-1] == folder:
            JobLock.take(other).release()
        else:
            JobLock.take(folder).release()


def test_an_open_overtaken_once_its_lock_is_taken_lets_go_of_it(
    session: Session, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, load, taken = threading.Event(), loading.load, []

    def slow(job: Path, report: loading.Report) -> loading.Loaded:
        loaded = load(job, report)
        taken.append(job)
        gate.wait(5)
        return loaded

    monkeypatch.setattr(loading, "load", slow)
    session.open(folder)
    qtbot.waitUntil(lambda: taken == [folder])
    session.open(folder)
    gate.set()
    qtbot.waitUntil(lambda: session.phase is Phase.READY and session.is_settled, timeout=10_000)
    assert taken == [folder, folder]
    assert session.fault is None
    session.close_job()
    qtbot.waitUntil(lambda: session.is_settled)
    JobLock.take(folder).release()


def test_closing_the_program_while_a_job_opens_lets_go_of_it(
    session: Session, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    load, is_taken = loading.load, threading.Event()

    def noted(job: Path, report: loading.Report) -> loading.Loaded:
        loaded = load(job, report)
        is_taken.set()
        return loaded

    monkeypatch.setattr(loading, "load", noted)
    session.open(folder)
    assert is_taken.wait(5)
    session.shut_down()
    JobLock.take(folder).release()
