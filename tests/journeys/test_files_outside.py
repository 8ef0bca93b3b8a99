"""What comes from outside the window: files dropped on it, drafts that other programs replace, locked files that change."""

from __future__ import annotations

import errno
import os
import stat
import sys
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from quoteview.app.states import ClaimState, Phase, Saving
from quoteview.core.captions.track import Origin
from quoteview.core.importing import CaptionFile
from quoteview.core.new_job import new_job
from quoteview.core.store import create_job
from quoteview.ui.actions import ActionId
from quoteview.ui.main_window import MainWindow
from quoteview.ui.new_job_dialog import NewJobDialog
from tests.journeys.conftest import Hands
from tests.journeys.hurried import shown_text, write_over
from tests.ui.conftest import OpenWindow

VTT = b"WEBVTT\n\n00:05.000 --> 00:08.000\nthe mill is shut\n"
SHUT = "“the mill is shut” (0:05)\n".encode()
OPEN = "“the mill is open” (0:05)\n".encode()
CONTROL = Qt.KeyboardModifier.ControlModifier


def drop(window: MainWindow, *files: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(300, 300), Qt.DropAction.CopyAction, data, buttons, keys))


def click(parent: QWidget, text: str) -> None:
    found = [button for button in parent.findChildren(QPushButton) if button.text() == text and not button.isHidden()][-1]
    QTest.mouseClick(found, Qt.MouseButton.LeftButton)


def said(window: MainWindow) -> str:
    return " ".join(label.text() for label in window.banners.findChildren(QLabel) if label.isVisible())


def shows(window: MainWindow, content: bytes) -> bool:
    return shown_text(window) == content.decode()


def opened(open_window: OpenWindow, folder: Path, draft: bytes, qtbot: QtBot) -> tuple[MainWindow, Hands, Path]:
    made = new_job([CaptionFile("human.en.vtt", VTT, Origin.HUMAN, "en")], [("draft.txt", draft)], title="The mill")
    create_job(folder, made.job, made.tracks, drafts=made.drafts)
    window = open_window(folder)
    window.activateWindow()
    window.draft.editor.setFocus()
    hands = Hands(window, qtbot)
    hands.settle()
    return window, hands, folder / made.job.drafts[0].path


def test_captions_and_drafts_dropped_become_a_job_and_a_further_draft_joins_it(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    files = {"mill.en.human.vtt": VTT, "one.txt": SHUT, "two.md": OPEN, "three.md": b"Nothing is quoted.\n"}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    window = open_window()
    window.activateWindow()
    drop(window, *(tmp_path / name for name in list(files)[:3]))
    dialog = window.findChild(NewJobDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: len(dialog.proposals) == 3, timeout=10_000)
    dialog.place.setText(str(tmp_path / "mill.quoteview"))
    assert not (tmp_path / "mill.quoteview").exists()
    QTest.mouseClick(dialog.make, Qt.MouseButton.LeftButton)
    session = window.session
    qtbot.waitUntil(lambda: session.phase is Phase.READY and session.is_settled, timeout=20_000)
    assert [draft.counts.exact for draft in session.drafts] == [1, 0]
    drop(window, tmp_path / "three.md")
    qtbot.waitUntil(lambda: len(session.drafts) == 3 and session.draft_index == 2 and session.is_settled, timeout=20_000)
    assert shown_text(window) == "Nothing is quoted.\n"
    assert (tmp_path / "mill.quoteview" / "tracks" / "en.human.vtt").read_bytes() == VTT


def test_what_is_neither_captions_nor_draft_is_said_to_be_of_no_use_and_nothing_is_made(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xfe\x00\x01")
    window = open_window()
    drop(window, picture)
    dialog = window.findChild(NewJobDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: len(dialog.proposals) == 1, timeout=10_000)
    assert dialog.proposals[0].remark
    assert "A job needs captions" in dialog.remark.text()
    assert not dialog.make.isEnabled()
    dialog.reject()
    assert window.session.phase is Phase.EMPTY
    assert sorted(path.name for path in tmp_path.iterdir()) == ["picture.png"]


def test_every_change_by_another_program_is_noticed_also_after_atomic_saves_and_removal(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window, hands, file = opened(open_window, tmp_path / "job", SHUT, qtbot)
    session = window.session
    for content, state in ((OPEN, ClaimState.TO_DO), (SHUT, ClaimState.EXACT), (OPEN, ClaimState.TO_DO)):
        write_over(file, content)
        qtbot.waitUntil(partial(shows, window, content), timeout=10_000)
        hands.settle()
        assert session.state(1) is state
    file.unlink()
    qtbot.waitUntil(lambda: "no longer there" in said(window), timeout=10_000)
    assert shown_text(window) == OPEN.decode()
    write_over(file, SHUT)
    qtbot.waitUntil(lambda: "Which one holds?" in said(window), timeout=10_000)
    click(window.banners, "Take the file's text")
    hands.settle()
    assert shown_text(window) == SHUT.decode()
    assert session.state(1) is ClaimState.EXACT


@pytest.mark.parametrize("is_kept", [True, False])
def test_unsaved_text_and_another_programs_text_are_both_there_until_a_person_chooses(
    is_kept: bool, open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window, hands, file = opened(open_window, tmp_path / "job", SHUT, qtbot)
    QTest.keyClicks(window.draft.editor, "mine ")
    write_over(file, OPEN)
    qtbot.waitUntil(lambda: "Which one holds?" in said(window), timeout=10_000)
    hands.press(Qt.Key.Key_S, CONTROL)
    assert file.read_bytes() == OPEN
    assert shown_text(window) == "mine " + SHUT.decode()
    click(window.banners, "Keep the text here" if is_kept else "Take the file's text")
    hands.settle()
    if is_kept:
        assert file.read_bytes() == OPEN
        hands.press(Qt.Key.Key_S, CONTROL)
        assert file.read_bytes() == b"mine " + SHUT
    else:
        assert shown_text(window) == OPEN.decode()
        hands.press(Qt.Key.Key_Z, CONTROL)
        assert shown_text(window) == "mine " + SHUT.decode()
        assert file.read_bytes() == OPEN


def test_one_flipped_byte_of_a_locked_file_takes_all_colour_away_and_putting_it_back_gives_it_again(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window, hands, _ = opened(open_window, tmp_path / "job", SHUT, qtbot)
    session, track = window.session, tmp_path / "job" / "tracks" / "en.human.vtt"
    assert session.state(1) is ClaimState.EXACT
    write_over(track, VTT[:-2] + bytes([VTT[-2] ^ 1]) + VTT[-1:])
    qtbot.waitUntil(lambda: session.phase is Phase.LOCK_BROKEN, timeout=10_000)
    hands.settle()
    assert "tracks/en.human.vtt is not the file that was locked" in said(window)
    assert set(session.states) == {ClaimState.TO_VERIFY}
    assert not window.header.label.isEnabled()
    assert window.draft.editor.isReadOnly()
    write_over(track, VTT)
    qtbot.waitUntil(lambda: session.phase is Phase.READY, timeout=10_000)
    hands.settle()
    assert said(window) == ""
    assert session.state(1) is ClaimState.EXACT


def typed(window: MainWindow, hands: Hands) -> None:
    QTest.keyClicks(window.draft.editor, "mine ")
    hands.press(Qt.Key.Key_S, CONTROL)


def test_a_scanner_that_holds_the_file_twice_is_waited_for(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, hands, file = opened(open_window, tmp_path / "job", SHUT, qtbot)
    real, refusals = os.replace, [PermissionError(errno.EACCES, "held"), PermissionError(errno.EACCES, "held")]

    def held(source: str, target: str) -> None:
        if Path(target).name == "draft.txt" and refusals:
            raise refusals.pop()
        real(source, target)

    monkeypatch.setattr(os, "replace", held)
    typed(window, hands)
    assert file.read_bytes() == b"mine " + SHUT
    assert window.session.saving is Saving.SAVED


def refused(window: MainWindow, file: Path) -> None:
    """The old file stands, nothing lies beside it, it is said, and the text is still in the editor."""
    assert file.read_bytes() == SHUT
    assert [path.name for path in file.parent.iterdir()] == ["draft.txt"]
    boxes = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    assert any("draft.txt" in box.text() for box in boxes)
    for box in boxes:
        box.reject()
    assert shown_text(window).startswith("mine ")
    assert window.session.saving is not Saving.SAVED


def test_a_file_that_cannot_be_replaced_stands_as_it_was_and_the_text_is_kept(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, hands, file = opened(open_window, tmp_path / "job", SHUT, qtbot)
    real = os.replace

    def held(source: str, target: str) -> None:
        if Path(target).name == "draft.txt":
            raise PermissionError(errno.EACCES, "held")
        real(source, target)

    with monkeypatch.context() as while_held:
        while_held.setattr(os, "replace", held)
        typed(window, hands)
        refused(window, file)
    window.actions_table.action(ActionId.SAVE).trigger()
    hands.settle()
    assert file.read_bytes() == b"mine " + SHUT


@pytest.mark.skipif(sys.platform == "win32", reason="a process's files cannot be kept small there")
def test_a_full_disk_leaves_the_old_file_and_the_text_in_the_editor(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window, hands, file = opened(open_window, tmp_path / "job", SHUT, qtbot)
    import resource

    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8, usual[1]))
    try:
        QTest.keyClicks(window.draft.editor, "mine ")
        window.session.save()
        hands.settle()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    refused(window, file)


def test_a_link_stays_a_link_and_a_private_file_private(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window, hands, file = opened(open_window, tmp_path / "job", SHUT, qtbot)
    elsewhere = tmp_path / "elsewhere.txt"
    elsewhere.write_bytes(SHUT)
    elsewhere.chmod(0o600)
    file.unlink()
    file.symlink_to(elsewhere)
    window.session.look_outside()
    hands.settle()
    typed(window, hands)
    assert file.is_symlink()
    assert elsewhere.read_bytes() == b"mine " + SHUT
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o600
