"""A job that is only looked at: it can be read, searched and copied, and not a byte beside or in it is written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QLabel, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from quoteview.app.session import Session
from quoteview.app.settings import Settings
from quoteview.app.states import ClaimState, Phase
from quoteview.core.joblock import JobLock
from quoteview.core.store import open_job
from quoteview.ui.actions import ActionId
from quoteview.ui.evidence_dialog import EvidenceDialog
from quoteview.ui.main_window import MainWindow
from tests.journeys.conftest import Hands
from tests.journeys.hurried import shown_text, write_over
from tests.ui.conftest import OpenWindow

CONTROL = Qt.KeyboardModifier.ControlModifier
WORKING = (
    ActionId.SAVE,
    ActionId.ADD_DRAFTS,
    ActionId.LOOK_FOR_CHANGES,
    ActionId.FIRST_REPAIR,
    ActionId.SAFE_REPAIRS,
    ActionId.SOURCE_WORDS,
    ActionId.EDIT_CLAIM,
    ActionId.SET_ASIDE,
    ActionId.RETRACT,
    ActionId.CUT_OUT,
    ActionId.ACCEPT,
    ActionId.ALIKE,
    ActionId.UNDO,
    ActionId.REDO,
)


class Traces(NamedTuple):
    """What a folder holds: each file's place, bytes and time of change, and each folder's."""

    files: frozenset[tuple[str, str, int, int]]
    folders: frozenset[tuple[str, int]]


def traces(folder: Path) -> Traces:
    below = [folder, *folder.rglob("*")]
    files = frozenset(
        (str(path), hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns, path.stat().st_ino)
        for path in below
        if path.is_file()
    )
    return Traces(files, frozenset((str(path), path.stat().st_mtime_ns) for path in below if path.is_dir()))


def button(parent: QWidget, text: str) -> QPushButton:
    return next(found for found in parent.findChildren(QPushButton) if found.text() == text and found.isVisible())


def said(window: MainWindow) -> str:
    return " ".join(label.text() for label in window.banners.findChildren(QLabel) if label.isVisible())


@pytest.fixture
def other(working_day: Path, qtbot: QtBot) -> Iterator[Session]:
    """Another window that has the job."""
    settings = Settings()
    settings.reviewer = "Ben"
    session = Session(settings)
    settings.setParent(session)
    session.open(working_day)
    qtbot.waitUntil(lambda: session.phase is Phase.READY and session.is_settled, timeout=20_000)
    yield session
    session.shut_down()


@pytest.fixture
def looked_at(other: Session, open_window: OpenWindow, working_day: Path, qtbot: QtBot) -> MainWindow:
    """A window on a job that another has: it was told who, and chose to look."""
    window = open_window()
    window.activateWindow()
    window.open_paths([working_day])
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is not None, timeout=10_000)
    box = window.findChild(QMessageBox)
    assert box is not None
    assert "open elsewhere" in box.text()
    assert "process" in box.text()
    assert window.session.phase is Phase.EMPTY
    QTest.mouseClick(button(box, "Open read-only"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.phase is Phase.READY and window.session.is_settled, timeout=20_000)
    window.activateWindow()
    return window


def test_clicking_and_typing_around_writes_nothing(looked_at: MainWindow, working_day: Path, home: Path, qtbot: QtBot) -> None:
    window, hands = looked_at, Hands(looked_at, qtbot)
    before, shown = traces(working_day), shown_text(window)
    assert "Read-only" in said(window)
    assert window.header.read_only.isVisible()
    assert window.draft.head_words()[1] == "read-only"
    assert window.session.counts.exact == 18
    editor = window.draft.editor
    editor.setFocus()
    QTest.keyClicks(editor, "words of mine")
    commit = QInputMethodEvent()
    commit.setCommitString("é")
    QApplication.sendEvent(editor, commit)
    QTest.keyClick(editor, Qt.Key.Key_A, CONTROL)
    QTest.keyClick(editor, Qt.Key.Key_X, CONTROL)
    QTest.keyClick(editor, Qt.Key.Key_S, CONTROL)
    window.claim_list.setFocus()
    for key in (
        Qt.Key.Key_Return,
        Qt.Key.Key_W,
        Qt.Key.Key_T,
        Qt.Key.Key_S,
        Qt.Key.Key_E,
        Qt.Key.Key_N,
        Qt.Key.Key_R,
        Qt.Key.Key_L,
    ):
        hands.press(key)
    for action in WORKING:
        assert not window.actions_table.action(action).isEnabled(), action
        if action not in (ActionId.ADD_DRAFTS, ActionId.LOOK_FOR_CHANGES):
            window.commands.carry_out(str(action))  # as if it were enabled all the same
        hands.settle()
    window.session.edit(0, 0, "x")
    window.session.set_aside(1, "why")
    window.session.keep_mine(0)
    window.gates_bar.open_gate("quotes")
    hands.settle()
    assert shown_text(window) == shown
    assert window.session.label_refusal == "The job is open read-only."
    window.close()
    assert traces(working_day) == before
    assert not list(home.rglob("*.draft"))
    assert window.findChild(QInputDialog) is None


def test_what_is_only_looked_at_can_be_read_searched_copied_and_proven(looked_at: MainWindow, qtbot: QtBot) -> None:
    window = looked_at
    editor = window.draft.editor
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_A, CONTROL)
    QTest.keyClick(editor, Qt.Key.Key_C, CONTROL)
    assert QApplication.clipboard().text().startswith("# What the tide book teaches")
    window.selection.select_claim(1)
    assert window.session.state(1) is ClaimState.EXACT
    window.actions_table.request(ActionId.FIND)
    QTest.keyClicks(QApplication.focusWidget() or window, "ledger")
    window.claim_list.setFocus()
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_X)
    qtbot.waitUntil(lambda: any(found.isVisible() for found in window.findChildren(EvidenceDialog)), timeout=10_000)
    window.findChildren(EvidenceDialog)[0].reject()


def test_what_the_other_window_saves_and_records_is_followed(
    looked_at: MainWindow, other: Session, working_day: Path, qtbot: QtBot
) -> None:
    window, session = looked_at, looked_at.session
    other.edit(0, 0, "Now: ")
    other.save()
    qtbot.waitUntil(lambda: other.is_settled, timeout=10_000)
    qtbot.waitUntil(lambda: shown_text(window).startswith("Now: # What"), timeout=10_000)
    assert not session.outside
    assert not session.undo_name
    claim = session.to_do()[-1]
    other.set_aside(claim, "another recording")
    qtbot.waitUntil(lambda: other.is_settled and other.state(claim) is ClaimState.EXCEPTION, timeout=10_000)
    window.actions_table.request(ActionId.RECHECK)
    qtbot.waitUntil(lambda: session.state(claim) is ClaimState.EXCEPTION, timeout=10_000)


def test_editing_is_tried_again_and_succeeds_once_the_other_window_is_gone(
    looked_at: MainWindow, other: Session, working_day: Path, qtbot: QtBot
) -> None:
    window, session = looked_at, looked_at.session
    QTest.mouseClick(button(window.banners, "Open for editing"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: any(box.isVisible() for box in window.findChildren(QMessageBox)), timeout=10_000)
    box = next(box for box in window.findChildren(QMessageBox) if box.isVisible())
    assert "open elsewhere" in box.text()
    assert "Open read-only" not in [found.text() for found in box.findChildren(QPushButton)]
    box.reject()
    assert session.phase is Phase.READY and session.is_read_only
    other.shut_down()
    QTest.mouseClick(button(window.banners, "Open for editing"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not session.is_read_only and session.phase is Phase.READY and session.is_settled, timeout=20_000)
    assert not window.header.read_only.isVisible()
    assert "Read-only" not in said(window)
    claim = session.to_do()[-1]
    session.set_aside(claim, "another recording")
    qtbot.waitUntil(lambda: session.is_settled, timeout=10_000)
    assert open_job(working_day).job.journal.length == 1


def test_a_job_with_a_broken_lock_can_be_let_go_and_looked_at(open_window: OpenWindow, working_day: Path, qtbot: QtBot) -> None:
    window = open_window(working_day)
    session = window.session
    track = working_day / "tracks" / "en.human.vtt"
    whole = track.read_bytes()
    write_over(track, whole.replace(b"dullest", b"dullesT", 1))
    qtbot.waitUntil(lambda: session.phase is Phase.LOCK_BROKEN and session.is_settled, timeout=10_000)
    QTest.mouseClick(button(window.banners, "Open read-only"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.is_read_only and session.is_settled, timeout=20_000)
    assert session.phase is Phase.LOCK_BROKEN
    assert "is not the file that was locked" in said(window)
    assert "Open read-only" not in [found.text() for found in window.banners.findChildren(QPushButton) if found.isVisible()]
    JobLock.take(working_day).release()
    write_over(track, whole)
    qtbot.waitUntil(lambda: session.phase is Phase.READY and session.counts.exact == 18, timeout=20_000)
    assert session.is_read_only
    assert not window.actions_table.action(ActionId.OPEN_READ_ONLY).isEnabled()


def test_a_job_that_nobody_has_is_open_for_editing_and_says_nothing_of_looking(
    open_window: OpenWindow, working_day: Path
) -> None:
    window = open_window(working_day)
    assert not window.session.is_read_only
    assert not window.header.read_only.isVisible()
    assert not window.actions_table.action(ActionId.OPEN_FOR_EDITING).isEnabled()
    assert not window.actions_table.action(ActionId.OPEN_READ_ONLY).isEnabled()
    assert window.actions_table.action(ActionId.SAVE).isEnabled()
