from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from quoteview.core.errors import StoreError
from quoteview.ui import messages


def test_an_error_is_said_in_its_own_sentence_and_as_plain_text(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    box = messages.show_error(StoreError("<b>a.md</b>", "the disk is full", remedy="Make room."), window)
    assert box.text() == "<b>a.md</b>: the disk is full. Make room."
    assert box.textFormat() == Qt.TextFormat.PlainText
    assert box.icon() == QMessageBox.Icon.Warning


def test_a_programming_error_is_called_one(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    box = messages.show_error(KeyError("x"), window)
    assert box.icon() == QMessageBox.Icon.Critical
    assert "KeyError" in box.informativeText()


def test_a_choice_does_its_own_act_and_closing_does_none(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    done: list[str] = []
    box = messages.ask("q", "Which?", {"Mine": lambda: done.append("mine"), "Theirs": lambda: done.append("theirs")}, window)
    box.reject()
    assert done == []
    box = messages.ask("q", "Which?", {"Mine": lambda: done.append("mine"), "Theirs": lambda: done.append("theirs")}, window)
    next(button for button in box.buttons() if button.text() == "Theirs").click()
    assert done == ["theirs"]


def test_a_name_of_spaces_is_not_taken(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    names: list[str] = []
    messages.ask_name("", names.append, window).textValueSelected.emit("   ")
    dialog = messages.ask_name("", names.append, window)
    dialog.setTextValue(" Ada ")
    dialog.accept()
    assert names == ["Ada"]


def test_what_a_dialog_already_says_is_not_said_by_a_second_one(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    full = StoreError("a.md", "the disk is full", remedy="Make room.")
    first = messages.show_error(full, window)
    assert messages.show_error(full, window) is first
    other = messages.show_error(StoreError("b.md", "the disk is full", remedy="Make room."), window)
    assert other is not first
    first.close()
    assert messages.show_error(full, window) is not first
