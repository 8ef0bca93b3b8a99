"""The dialog for a new job: what it says of each file, and what a person can change before anything is locked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from quoteview.app.proposals import Use
from quoteview.app.states import Phase
from quoteview.core.captions.track import Origin
from quoteview.ui.main_window import MainWindow
from quoteview.ui.new_job_dialog import NewJobDialog, is_draft, job_folder, suggested_folder
from tests.ui.conftest import OpenWindow

VTT = b"WEBVTT\n\n00:05.000 --> 00:08.000\nthe mill is shut\n"
OpenDialog = Callable[..., NewJobDialog]


@pytest.fixture
def open_dialog(open_window: OpenWindow, qtbot: QtBot) -> OpenDialog:
    window = open_window()

    def opened(*files: Path, link: str = "") -> NewJobDialog:
        dialog = NewJobDialog(window.session, window.theme, window, files=files, link=link)
        dialog.open()
        qtbot.waitUntil(lambda: len(dialog.proposals) == len(files))
        return dialog

    return opened


def named(dialog: NewJobDialog, kind: type[QComboBox] | type[QLineEdit], name: str) -> QComboBox | QLineEdit:
    return next(widget for widget in dialog.findChildren(kind) if widget.accessibleName() == name and not widget.isHidden())


def said(dialog: NewJobDialog) -> str:
    return " ".join(label.text() for label in dialog.findChildren(QLabel) if not label.isHidden())


def test_it_shows_format_cues_and_digest_before_anything_is_locked(open_dialog: OpenDialog, tmp_path: Path) -> None:
    file = tmp_path / "talk.vtt"
    file.write_bytes(VTT)
    dialog = open_dialog(file)
    shown = said(dialog)
    assert "webvtt · 1 cue ·" in shown
    assert dialog.proposals[0].sha256[:16] in shown
    assert not Path(dialog.place.text()).exists()


def test_an_unknown_origin_is_pointed_out_until_it_is_said(open_dialog: OpenDialog, tmp_path: Path) -> None:
    file = tmp_path / "talk.vtt"
    file.write_bytes(VTT)
    dialog = open_dialog(file)
    assert "talk.vtt" in dialog.remark.text()
    origin = named(dialog, QComboBox, "Origin of talk.vtt")
    assert isinstance(origin, QComboBox)
    origin.setCurrentIndex(origin.findData(str(Origin.HUMAN)))
    origin.activated.emit(origin.currentIndex())
    assert dialog.proposals[0].origin is Origin.HUMAN
    assert "byte for byte" in dialog.remark.text()


def test_a_file_can_be_used_otherwise_or_left_out(open_dialog: OpenDialog, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "talk.txt"
    file.write_bytes(b"[00:00:05] the mill is shut\n[00:00:10] and stays so\n")
    dialog = open_dialog(file)
    first = dialog.proposals[0].use
    use = named(dialog, QComboBox, "Use of talk.txt")
    assert isinstance(use, QComboBox)
    other = Use.DRAFT if first is Use.CAPTIONS else Use.CAPTIONS
    use.setCurrentIndex(use.findData(str(other)))
    use.activated.emit(use.currentIndex())
    qtbot.waitUntil(lambda: dialog.proposals[0].use is other)
    next(button for button in dialog.findChildren(QPushButton) if button.text() == "Leave out" and not button.isHidden()).click()
    assert dialog.proposals == ()
    assert not dialog.make.isEnabled()


def test_a_file_in_another_encoding_can_be_read_as_the_likely_one(open_dialog: OpenDialog, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "talk.srt"
    file.write_bytes("1\n00:00:05,000 --> 00:00:08,000\nle café était fermé là-bas\n".encode("cp1252"))
    dialog = open_dialog(file)
    assert dialog.proposals[0].use is Use.UNUSABLE
    encoding = named(dialog, QComboBox, "Encoding of talk.srt")
    assert isinstance(encoding, QComboBox)
    chosen = next(text for text in dialog.proposals[0].likely_encodings if "125" in text or "8859" in text)
    encoding.setCurrentText(chosen)
    next(button for button in dialog.findChildren(QPushButton) if button.text() == "Read as this encoding").click()
    qtbot.waitUntil(lambda: dialog.proposals[0].use is Use.CAPTIONS)
    assert dialog.proposals[0].encoding == chosen


def test_the_place_is_free_and_follows_the_title_until_it_is_changed(open_dialog: OpenDialog, tmp_path: Path) -> None:
    file = tmp_path / "ocean_survey.md"
    file.write_bytes(b"x")
    dialog = open_dialog(file)
    assert dialog.title.text() == "Ocean survey"
    assert Path(dialog.place.text()).name == "Ocean survey.quoteview"
    dialog.title.setText('A/B: "c"?')
    dialog.title.textEdited.emit(dialog.title.text())
    assert Path(dialog.place.text()).name == "A B c.quoteview"


def test_a_job_is_made_with_what_was_confirmed(open_dialog: OpenDialog, qtbot: QtBot, tmp_path: Path) -> None:
    file, draft = tmp_path / "talk.en.human.vtt", tmp_path / "talk.md"
    file.write_bytes(VTT)
    draft.write_bytes("“the mill is shut” (0:05).".encode())
    dialog = open_dialog(file, draft)
    window = dialog.parent()
    assert isinstance(window, MainWindow)
    dialog.place.setText(str(tmp_path / "j.quoteview"))
    dialog.make.click()
    qtbot.waitUntil(lambda: window.session.phase is Phase.READY, timeout=10_000)
    job = window.session.job
    assert job is not None
    assert (job.title, job.language, job.tracks[0].origin) == ("Talk", "en", Origin.HUMAN)
    assert file.read_bytes() == VTT


def test_a_place_that_is_taken_is_said_and_the_dialog_stays(open_dialog: OpenDialog, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "talk.en.human.vtt"
    file.write_bytes(VTT)
    dialog = open_dialog(file)
    dialog.place.setText(str(tmp_path))
    dialog.make.click()
    qtbot.waitUntil(lambda: "something is there already" in dialog.remark.text(), timeout=10_000)
    assert dialog.isVisible()
    assert dialog.make.isEnabled()


def test_many_files_of_unknown_origin_are_counted_and_not_all_named(
    open_dialog: OpenDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    files = [tmp_path / f"part {number}.vtt" for number in range(12)]
    for number, file in enumerate(files):
        file.write_bytes(VTT.replace(b"mill", b"mill %d" % number))
    dialog = open_dialog(*files)
    assert dialog.remark.text().startswith("Say of 12 files")


def test_tab_goes_through_the_dialog_as_it_is_read(open_dialog: OpenDialog, qtbot: QtBot, tmp_path: Path) -> None:
    for name in ("a.vtt", "b.vtt"):
        (tmp_path / name).write_bytes(VTT.replace(b"mill", name.encode()))
    dialog = open_dialog(tmp_path / "a.vtt", tmp_path / "b.vtt")
    qtbot.waitUntil(lambda: named(dialog, QLineEdit, "Language of b.vtt").isVisible())
    dialog.activateWindow()
    dialog.title.setFocus()
    reached: list[str] = []
    for _ in range(15):
        QTest.keyClick(dialog, Qt.Key.Key_Tab)
        focus = dialog.focusWidget()
        reached.append(focus.accessibleName() or (focus.text() if isinstance(focus, QPushButton) else ""))
    assert reached[:5] == ["Link", "Language spoken", "Folder of the job", "Choose…", "Use of a.vtt"]
    assert reached[5:9] == ["Leave out a.vtt", "Origin of a.vtt", "Language of a.vtt", "Use of b.vtt"]
    assert reached[12:] == ["Add files…", "Cancel", "Lock the captions and open"]


def test_the_focus_stays_on_the_choice_that_was_made_with_the_keyboard(
    open_dialog: OpenDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    file = tmp_path / "talk.txt"
    file.write_bytes(b"[00:00:05] the mill is shut\n[00:00:10] and stays so\n")
    dialog = open_dialog(file)
    dialog.activateWindow()
    use = named(dialog, QComboBox, "Use of talk.txt")
    assert isinstance(use, QComboBox)
    qtbot.waitUntil(use.isVisible)
    use.setFocus()
    QTest.keyClick(use, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: dialog.proposals[0].use is Use.UNUSABLE)
    qtbot.waitUntil(lambda: dialog.focusWidget() is named(dialog, QComboBox, "Use of talk.txt"))


def test_paths_are_told_apart_by_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "job.json").write_bytes(b"{}")
    assert job_folder(tmp_path) == tmp_path
    assert job_folder(tmp_path / "job.json") == tmp_path
    assert job_folder(tmp_path / "a.md") is None
    assert is_draft(tmp_path / "A.MD")
    assert not is_draft(tmp_path / "a.vtt")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("../../x", "x"),
        ("\u202eevil\x1b\x85", "evil"),
        ("..", "talk"),
        ("橋" * 100, "橋" * 66),  # 300 bytes, where a disk takes 255 with the ending
        ("é" * 90, "é" * 90),
    ],
)
def test_any_title_suggests_a_folder_that_can_be_made(title: str, name: str) -> None:
    assert suggested_folder(title, "talk").name == f"{name}.quoteview"
