"""A draft of 24 claims, 6 of them red, from opening it to the label, by keyboard alone, in seven keys."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from quoteview.app.states import ClaimState, Phase
from quoteview.core.store import open_job
from quoteview.ui.label_dialog import LabelDialog
from quoteview.ui.main_window import MainWindow
from tests.journeys.conftest import Hands
from tests.ui.conftest import OpenWindow

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def opened(open_window: OpenWindow, folder: Path, qtbot: QtBot) -> tuple[MainWindow, Hands]:
    window = open_window(folder)
    window.activateWindow()
    window.claim_list.setFocus()
    hands = Hands(window, qtbot)
    hands.settle()
    return window, hands


def label_dialog(window: MainWindow) -> LabelDialog | None:
    return next((dialog for dialog in window.findChildren(LabelDialog) if dialog.isVisible()), None)


def test_seven_keys_from_opening_to_the_label(open_window: OpenWindow, working_day: Path, qtbot: QtBot) -> None:
    window, hands = opened(open_window, working_day, qtbot)
    session = window.session
    assert (session.counts.total, session.counts.to_do) == (24, 6)
    assert window.selection.claim_id == session.to_do()[0]
    hands.press(Qt.Key.Key_Return, SHIFT)
    hands.press(Qt.Key.Key_Return)
    assert session.counts.to_do == 2
    assert "…" in session.claims[(window.selection.claim_id or 0) - 1].text
    hands.press(Qt.Key.Key_S)
    assert session.counts.to_do == 1
    assert window.selection.claim_id == session.to_do()[0]
    hands.press(Qt.Key.Key_Space)
    hands.press(Qt.Key.Key_R)
    hands.press(Qt.Key.Key_Return)
    assert session.counts.to_do == 0
    hands.press(Qt.Key.Key_L)
    assert hands.pressed == 7
    qtbot.waitUntil(lambda: label_dialog(window) is not None, timeout=10_000)
    dialog = label_dialog(window)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.label is not None, timeout=20_000)
    assert dialog.label is not None
    assert dialog.label.statement.label_words == "verified"
    dialog.reject()


def test_all_of_it_can_be_undone_and_done_again(open_window: OpenWindow, working_day: Path, qtbot: QtBot) -> None:
    window, hands = opened(open_window, working_day, qtbot)
    session = window.session
    file = working_day / session.drafts[0].path
    before = file.read_bytes()

    def saved() -> bytes:
        hands.press(Qt.Key.Key_S, CONTROL)
        text = session.text
        assert text is not None
        assert text.draft_bytes == file.read_bytes()
        return text.draft_bytes

    hands.press(Qt.Key.Key_Return, SHIFT)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_S, Qt.Key.Key_Space, Qt.Key.Key_R, Qt.Key.Key_Return):
        hands.press(key)
    assert session.counts.to_do == 0
    after, steps = saved(), 0
    assert after != before
    while session.undo_name and steps < 20:
        hands.press(Qt.Key.Key_Z, CONTROL)
        steps += 1
    assert steps == 3
    assert saved() == before
    assert session.counts.to_do == 6
    for _ in range(steps):
        hands.press(Qt.Key.Key_Z, CONTROL | SHIFT)
    assert saved() == after
    assert session.counts.to_do == 0


def test_a_resolution_is_in_the_journal_before_it_shows_as_done(open_window: OpenWindow, working_day: Path, qtbot: QtBot) -> None:
    window, _ = opened(open_window, working_day, qtbot)
    session = window.session
    claim = session.to_do()[-1]
    window.selection.select_claim(claim)
    lengths: list[int] = []

    def look(_changes: object) -> None:
        if session.state(claim) in (ClaimState.SET_ASIDE, ClaimState.EXCEPTION) and not lengths:
            lengths.append(open_job(working_day).job.journal.length)

    session.changed.connect(look)
    session.set_aside(claim, "words from another recording")
    qtbot.waitUntil(lambda: bool(lengths), timeout=10_000)
    assert lengths == [1]


def test_a_lock_broken_under_the_open_window_leaves_nothing_green(
    open_window: OpenWindow, working_day: Path, qtbot: QtBot
) -> None:
    window, hands = opened(open_window, working_day, qtbot)
    track = working_day / "tracks" / "en.human.vtt"
    track.chmod(0o644)
    track.write_bytes(track.read_bytes().replace(b"dullest", b"dullesT", 1))
    window.session.recheck()
    qtbot.waitUntil(lambda: window.session.phase is Phase.LOCK_BROKEN, timeout=10_000)
    hands.settle()
    states = {window.session.state(claim.id) for claim in window.session.claims}
    assert ClaimState.EXACT not in states
    gates = [button.accessibleName() for button in window.gates_bar.findChildren(QToolButton)]
    assert [words for words in gates if words.endswith(", open")] == []
    assert "gate lock, closed" in gates
    assert "gate inventory, counts for nothing: the lock is broken" in gates
    assert window.session.label_refusal
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_L)
    assert label_dialog(window) is None
