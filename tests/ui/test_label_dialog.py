"""The label dialog: the label's very words before anything is written, then the bundle, and what can be done with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from quoteview.app.states import ClaimState
from quoteview.core.acts import ExceptionClass
from quoteview.core.rechecking import recheck
from quoteview.ui.label_dialog import LabelDialog
from quoteview.ui.main_window import MainWindow
from quoteview.ui.signs import sign_icon
from tests.bundles import make_job, resolve
from tests.corpus import DRAFT, webvtt
from tests.ui.conftest import OpenWindow

CAPTIONS = {"human.en.vtt": webvtt()}
CLEAN = {"draft.md": DRAFT.encode()}
RED = {"draft.md": DRAFT.replace("ships this size", "boats this size").encode()}
ALTERED = "The harbour was never meant to hold boats this size"
NOT_CHECKED = "Not checked: whether the captions are right, who spoke, the context, other facts."

Shown = Callable[[Path], LabelDialog]


@pytest.fixture
def shown(open_window: OpenWindow, qtbot: QtBot) -> Shown:
    """Open a window on a job and the label dialog in it, and wait until there is a label or a refusal."""

    def opened(folder: Path, reviewer: str = "Ada Kern") -> LabelDialog:
        window = open_window(folder, reviewer=reviewer)
        dialog = LabelDialog(window.session, window.selection, window.theme, window)
        dialog.open()
        qtbot.waitUntil(lambda: bool(texts(dialog)[0]), timeout=10_000)
        return dialog

    return opened


def texts(dialog: LabelDialog) -> list[str]:
    """Return what the dialog's labels say, in the order in which they were made, the title first."""
    return [label.text() for label in dialog.findChildren(QLabel) if not label.isHidden() and label.pixmap().isNull()]


def sentence(dialog: LabelDialog) -> str:
    """Return the label's own words."""
    return next(text for text in texts(dialog) if text.startswith("Quotations"))


def said(dialog: LabelDialog) -> str:
    return "\n".join(texts(dialog))


def button(dialog: LabelDialog, words: str) -> QPushButton:
    return next(each for each in dialog.findChildren(QPushButton) if each.text() == words)


def field(dialog: LabelDialog, name: str) -> QLineEdit:
    return next(each for each in dialog.findChildren(QLineEdit) if each.accessibleName() == name)


def write(field: QLineEdit, words: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    QTest.keyClicks(field, words)


def bundles(folder: Path) -> list[Path]:
    return sorted((folder / "bundles").iterdir()) if (folder / "bundles").is_dir() else []


def given(dialog: LabelDialog, folder: Path, qtbot: QtBot) -> Path:
    """Click the label into being and return its bundle."""
    QTest.mouseClick(button(dialog, "Give the label"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(
        lambda: not button(dialog, "Copy this line").isHidden() and "The bundle stands in" in said(dialog), timeout=10_000
    )
    [place] = bundles(folder)
    return place


def test_what_is_shown_before_are_the_very_words_that_will_stand_in_the_statement(
    shown: Shown, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, CLEAN)
    dialog = shown(folder)
    qtbot.waitUntil(lambda: dialog.label is not None, timeout=10_000)
    assert texts(dialog)[0] == "verified"
    words = sentence(dialog)
    assert words.startswith(
        "Quotations match the captions. 4 of 4 quotations match the locked English captions (human, as stated) word for word, "
        "within 2 seconds of the stated times."
    )
    assert NOT_CHECKED in words
    assert "By Ada Kern, " in words and words.endswith(", unsigned.")
    assert dialog.accessibleDescription() == words
    assert bundles(folder) == []
    place = given(dialog, folder, qtbot)
    assert json.loads((place / "data" / "statement.json").read_bytes())["predicate"]["sentence"] == words


def test_exceptions_are_counted_by_class_and_each_shows_both_wordings_and_its_reason(
    shown: Shown, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, RED)
    resolve(folder, [ALTERED], exception=ExceptionClass.WORDING, reason="heard so on the tape")
    dialog = shown(folder)
    qtbot.waitUntil(lambda: dialog.label is not None, timeout=10_000)
    assert texts(dialog)[0] == "verified with 1 exception"
    assert sentence(dialog).startswith("Quotations compared with the captions: 3 of 4 match, 1 exception (1 wording).")
    qtbot.waitUntil(lambda: "wording: " in said(dialog), timeout=10_000)  # what is laid out anew is shown a moment later
    [exception] = [text for text in texts(dialog) if text.startswith("wording: ")]
    assert exception.splitlines() == [
        f"wording: “{ALTERED}”",
        "The captions: “The harbour was never meant to hold ships this size”",
        "heard so on the tape · Ada Kern",
    ]


def test_without_a_name_there_is_no_label_and_another_name_makes_another_label(
    shown: Shown, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, CLEAN)
    dialog = shown(folder)
    qtbot.waitUntil(lambda: dialog.label is not None, timeout=10_000)
    name = field(dialog, "Who gives the label")
    write(name, "Grace")
    assert dialog.label is None
    assert not button(dialog, "Give the label").isEnabled()
    QTest.keyClick(name, Qt.Key.Key_Return)  # the words on the screen are another name's: nothing is given
    qtbot.waitUntil(lambda: dialog.label is not None, timeout=10_000)
    assert bundles(folder) == []
    assert "By Grace, " in said(dialog)
    write(name, "")
    qtbot.waitUntil(lambda: "Say who gives the label." in said(dialog), timeout=10_000)
    assert not button(dialog, "Give the label").isEnabled()


def test_a_closed_gate_is_named_with_its_evidence_and_no_label_can_be_given(shown: Shown, tmp_path: Path, qtbot: QtBot) -> None:
    dialog = shown(make_job(tmp_path / "job", CAPTIONS, RED))
    qtbot.waitUntil(lambda: texts(dialog)[0] == "No label", timeout=10_000)
    assert "quotes: 3 of 4 quotations exact, 0 resolved by a person, 1 to do." in said(dialog)
    assert not button(dialog, "Give the label").isEnabled()


def test_the_line_to_print_covers_the_draft_and_names_the_bundles_digest(shown: Shown, tmp_path: Path, qtbot: QtBot) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, CLEAN)
    dialog = shown(folder)
    qtbot.waitUntil(lambda: dialog.label is not None, timeout=10_000)
    given(dialog, folder, qtbot)
    label = dialog.label
    assert label is not None
    QTest.mouseClick(button(dialog, "Copy this line"), Qt.MouseButton.LeftButton)
    line = QGuiApplication.clipboard().text()
    assert line.startswith("All 4 quotations from The tide book in the checked draft of this article match its captions at the ")
    assert "Not checked: the captions' accuracy, who spoke, context. Ada Kern, " in line
    assert f"Covers draft {label.statement.draft.sha256[:8]}…, not later changes. Evidence {label.sha256[:8]}…." in line
    assert line in said(dialog)


class _Opened(QObject):
    """Stands for the desktop's own programs: keeps the address that is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[QUrl] = []

    @Slot(QUrl)
    def take(self, address: QUrl) -> None:
        self.addresses.append(address)


def test_the_report_and_the_bundle_are_opened_by_the_desktop(shown: Shown, tmp_path: Path, qtbot: QtBot) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, CLEAN)
    dialog = shown(folder)
    qtbot.waitUntil(lambda: dialog.label is not None, timeout=10_000)
    place = given(dialog, folder, qtbot)
    opened = _Opened()
    QDesktopServices.setUrlHandler("file", opened, "take")  # type: ignore[arg-type]  # bytes in the stub of PySide 6.11
    try:
        QTest.mouseClick(button(dialog, "Open the report"), Qt.MouseButton.LeftButton)
        QTest.mouseClick(button(dialog, "Show the bundle"), Qt.MouseButton.LeftButton)
    finally:
        QDesktopServices.unsetUrlHandler("file")
    assert [Path(address.toLocalFile()) for address in opened.addresses] == [place / "data" / "report.html", place]


def test_checking_again_now_reads_the_bundle_as_it_is_then(shown: Shown, tmp_path: Path, qtbot: QtBot) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, CLEAN)
    dialog = shown(folder)
    qtbot.waitUntil(lambda: dialog.label is not None, timeout=10_000)
    place = given(dialog, folder, qtbot)
    assert recheck(place).holds
    QTest.mouseClick(button(dialog, "Check it again now"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Checked again: everything in the bundle holds." in said(dialog), timeout=10_000)
    track = place / "data" / "tracks" / "en.human.vtt"
    track.write_bytes(track.read_bytes().replace(b"ships", b"boats"))
    QTest.mouseClick(button(dialog, "Check it again now"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "The bundle does not hold: " in said(dialog), timeout=10_000)


def test_an_end_mark_that_is_asked_for_closes_the_way_until_the_draft_has_it(shown: Shown, tmp_path: Path, qtbot: QtBot) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, CLEAN)
    dialog = shown(folder)
    qtbot.waitUntil(lambda: dialog.label is not None, timeout=10_000)
    mark = field(dialog, "What every draft must end in")
    assert mark.text() == ""
    write(mark, "###")
    QTest.keyClick(mark, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: texts(dialog)[0] == "No label" and "complete: " in said(dialog), timeout=10_000)
    assert json.loads((folder / "job.json").read_bytes())["policy"]["end_mark"] == "###"
    assert bundles(folder) == []
    write(mark, "")
    QTest.keyClick(mark, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.label is not None, timeout=10_000)
    assert json.loads((folder / "job.json").read_bytes())["policy"]["end_mark"] == ""


def test_an_end_mark_that_cannot_be_written_is_said_and_no_label_is_left_to_give(
    shown: Shown, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, CLEAN)
    dialog = shown(folder)
    qtbot.waitUntil(lambda: dialog.label is not None, timeout=10_000)
    (folder / "manifest-sha256.txt").write_bytes(b"")
    mark = field(dialog, "What every draft must end in")
    write(mark, "###")
    QTest.keyClick(mark, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: texts(dialog)[0] == "No label" and "manifest-sha256.txt" in said(dialog), timeout=10_000)
    assert dialog.label is None
    assert json.loads((folder / "job.json").read_bytes())["policy"]["end_mark"] == ""


def test_the_two_labels_are_told_apart_at_16_pixels_in_black_and_white(window: MainWindow) -> None:
    def picture(state: ClaimState, form: QImage.Format) -> QImage:
        return sign_icon(state, window.theme).pixmap(16, 16).toImage().convertToFormat(form)

    def pixels(state: ClaimState) -> list[bool]:
        grey = picture(state, QImage.Format.Format_ARGB32)
        return [grey.pixelColor(x, y).alpha() > 127 for y in range(grey.height()) for x in range(grey.width())]

    clean, mixed = pixels(ClaimState.EXACT), pixels(ClaimState.EXCEPTION)
    differing = sum(one is not other for one, other in zip(clean, mixed, strict=True))
    assert differing * 6 > max(sum(clean), sum(mixed)), "their outlines are alike"
    colours = [
        picture(state, QImage.Format.Format_ARGB32).pixelColor(8, 12).name() for state in (ClaimState.EXACT, ClaimState.EXCEPTION)
    ]
    assert colours[0] != colours[1]
