"""The window as a whole: areas, states, sizes, drops and closing."""

from __future__ import annotations

import stat
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QLabel, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from quoteview.app.states import Changes, Phase
from quoteview.core.sample import create_sample_job
from quoteview.ui.actions import ActionId
from quoteview.ui.label_dialog import LabelDialog
from quoteview.ui.main_window import MainWindow
from quoteview.ui.new_job_dialog import NewJobDialog
from tests.ui.conftest import OpenWindow

VTT = b"WEBVTT\n\n00:05.000 --> 00:08.000\nthe mill is shut\n"


def drop(window: MainWindow, *files: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    buttons, keys, action = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(50, 50), action, mime, buttons, keys))
    QApplication.sendEvent(window, QDropEvent(QPointF(50, 50), action, mime, buttons, keys))


def test_without_a_job_the_start_page_shows(open_window: OpenWindow) -> None:
    window = open_window()
    assert window.stack.currentWidget() is window.start_page
    assert not window.header.isVisible()


def test_a_job_shows_its_areas_and_the_first_to_do(window: MainWindow) -> None:
    assert window.stack.currentWidget() is window.work
    assert window.selection.claim_id == window.session.to_do()[0]
    for area in (window.transcript, window.draft, window.ribbons, window.strip, window.claim_list, window.resolve_panel):
        assert area.isVisible()
    assert window.header.title.text() == "The tide book"
    assert "draft-one.md" in window.windowTitle()


def test_every_area_has_a_name_for_screen_readers(window: MainWindow) -> None:
    areas: list[QWidget] = [
        window.transcript,
        window.draft,
        window.strip,
        window.claim_list,
        window.resolve_panel,
        window.gates_bar,
        window.header,
    ]
    names = [area.accessibleName() for area in areas]
    assert all(names)
    assert len(set(names)) == len(names)


def test_no_label_takes_text_for_markup(window: MainWindow) -> None:
    guessing = [label for label in window.findChildren(QLabel) if label.textFormat() == Qt.TextFormat.AutoText and label.text()]
    assert [label.text() for label in guessing if "<" in label.text()] == []


def test_below_a_thousand_pixels_one_pane_shows_and_f6_switches(window: MainWindow) -> None:
    window.resize(900, 700)
    assert window.width() == 900
    assert [window.transcript.isVisible(), window.draft.isVisible(), window.ribbons.isVisible()] == [True, False, False]
    window.draft.setFocus()
    window.show_pane("draft")
    assert [window.transcript.isVisible(), window.draft.isVisible()] == [False, True]
    window.resize(1440, 900)
    assert window.transcript.isVisible()
    assert window.ribbons.isVisible()


def test_f6_walks_list_panel_draft_transcript(window: MainWindow) -> None:
    stops = [window.claim_list, window.resolve_panel, window.draft, window.transcript]
    window.claim_list.setFocus()
    for stop in (*stops[1:], stops[0]):
        QTest.keyClick(window, Qt.Key.Key_F6)
        focus = QApplication.focusWidget()
        assert focus is not None
        assert stop is focus or stop.isAncestorOf(focus)


def test_a_broken_lock_is_said_over_the_whole_width(window: MainWindow, qtbot: QtBot) -> None:
    folder, job = window.session.folder, window.session.job
    assert folder is not None
    assert job is not None
    lock = next(record.lock for record in job.tracks if record.id == window.session.reference_id)
    assert lock is not None
    file = folder / lock.file
    file.chmod(stat.S_IRUSR | stat.S_IWUSR)
    file.write_bytes(file.read_bytes() + b"\n")
    qtbot.waitUntil(lambda: window.session.phase is Phase.LOCK_BROKEN, timeout=5000)
    qtbot.waitUntil(lambda: any(label.isVisible() for label in window.banners.findChildren(QLabel)))
    said = " ".join(label.text() for label in window.banners.findChildren(QLabel) if label.isVisible())
    assert lock.file in said
    assert lock.sha256[:12] in said
    assert window.banners.width() == window.width()
    assert not window.actions_table.action(ActionId.FIRST_REPAIR).isEnabled()
    buttons = {button.text() for button in window.banners.findChildren(QPushButton)}
    assert buttons == {"Show the file", "Look again", "Open read-only"}


def test_a_draft_changed_outside_is_offered_and_not_lost(window: MainWindow, qtbot: QtBot) -> None:
    window.session.edit(0, 0, "mine ")
    folder = window.session.folder
    assert folder is not None
    (folder / window.session.drafts[0].path).write_bytes(b"theirs")
    qtbot.waitUntil(lambda: bool(window.session.outside), timeout=3000)
    button = next(found for found in window.banners.findChildren(QPushButton) if found.text() == "Take the file's text")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.session.text is not None
    assert window.session.text.draft_bytes == b"theirs"
    assert not window.session.outside


def test_the_name_is_asked_once_and_the_act_goes_on(open_window: OpenWindow, window: MainWindow, qtbot: QtBot) -> None:
    window.settings.reviewer = ""
    claim_id = window.selection.claim_id
    assert claim_id is not None
    window.actions_table.request(ActionId.FIRST_REPAIR)
    dialog = window.findChild(QInputDialog)
    assert dialog is not None
    dialog.setTextValue("Ada")
    dialog.accept()
    assert window.session.reviewer == "Ada"
    assert claim_id not in window.session.to_do()


def test_a_job_that_cannot_be_opened_says_so(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window()
    (tmp_path / "job.json").write_bytes(b"{}")
    window.open_paths([tmp_path])
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is not None)
    assert window.stack.currentWidget() is window.start_page


def test_dropped_captions_and_a_draft_become_a_job(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    captions, draft = tmp_path / "mill.en.human.vtt", tmp_path / "mill.md"
    captions.write_bytes(VTT)
    draft.write_bytes("He said “the mill is shut” (0:05).\n".encode())
    window = open_window()
    drop(window, captions, draft)
    dialog = window.findChild(NewJobDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: len(dialog.proposals) == 2)
    dialog.place.setText(str(tmp_path / "mill.quoteview"))
    assert dialog.make.isEnabled()
    QTest.mouseClick(dialog.make, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.phase is Phase.READY, timeout=10_000)
    assert window.session.counts.exact == 1
    assert (tmp_path / "mill.quoteview" / "manifest-sha256.txt").is_file()


def test_a_draft_dropped_on_an_open_job_joins_it(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    draft = tmp_path / "third.md"
    draft.write_bytes(b"Nothing is quoted here.\n")
    drop(window, draft)
    qtbot.waitUntil(lambda: len(window.session.drafts) == 3 and window.session.draft_index == 2, timeout=10_000)
    assert window.session.drafts[2].name == "third.md"


def test_geometry_is_kept(open_window: OpenWindow) -> None:
    first = open_window()
    first.resize(707, 606)
    first.close()
    assert open_window().size() == first.size()


def test_larger_text_is_kept(window: MainWindow) -> None:
    window.actions_table.request(ActionId.TEXT_LARGER)
    assert window.settings.text_percent == 110
    window.actions_table.request(ActionId.TEXT_USUAL)
    assert window.theme.text_percent == 100


def test_closing_finishes_what_was_being_written(window: MainWindow, tmp_path: Path) -> None:
    window.session.set_aside(next(c for c in window.session.to_do() if not window.session.needs_reason(c)))
    folder = window.session.folder
    assert folder is not None
    window.close()
    assert (folder / "journal.jsonl").read_bytes().count(b"\n") == 1
    assert not (folder / ".quoteview-lock").exists()


def test_the_label_saves_the_text_it_is_about_first(window: MainWindow, qtbot: QtBot) -> None:
    window.session.switch_draft(1)
    window.session.edit(0, 0, "Once more. ")
    qtbot.waitUntil(lambda: window.session.label_refusal == "", timeout=20_000)
    window.actions_table.request(ActionId.LABEL)
    qtbot.waitUntil(lambda: window.findChild(LabelDialog) is not None, timeout=5000)
    folder = window.session.folder
    assert folder is not None
    assert (folder / window.session.drafts[1].path).read_bytes().startswith(b"Once more. ")
    qtbot.waitUntil(lambda: window.session.is_settled, timeout=20_000)


def test_a_label_that_is_refused_says_why(window: MainWindow) -> None:
    window.actions_table.request(ActionId.LABEL)
    assert window.findChild(LabelDialog) is None
    assert "to do" in window._said.text()


def test_the_list_of_what_is_to_do_has_the_focus_once_it_is_known(open_window: OpenWindow, tmp_path: Path, qtbot: QtBot) -> None:
    window = open_window()
    seen: list[QWidget | None] = []

    def look(changes: Changes) -> None:
        if window.session.phase is Phase.CHECKING and Changes.JOB in changes:
            seen.append(QApplication.focusWidget())

    window.session.changed.connect(look)
    window.session.open(create_sample_job(tmp_path / "sample").folder)
    qtbot.waitUntil(lambda: window.session.phase is Phase.READY, timeout=10_000)
    assert seen == [window.resolve_panel]  # nothing is listed yet, and plain keys act
    assert window.claim_list.rows.hasFocus()
    window.resolve_panel.setFocus()
    window.session.recheck()
    qtbot.waitUntil(lambda: window.session.is_settled, timeout=20_000)
    assert window.resolve_panel.hasFocus()  # a person's own place stays
