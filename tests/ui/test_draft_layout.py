"""The draft's lines stand apart, and caret, selection, pointer and scrolling follow them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QMouseEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from quoteview.ui.draft_layout import DraftLayout, event_on_line

PIXELS = 17
LONG = "some words that go on and on until the line is full " * 4


class Editor(QPlainTextEdit):
    """An editor whose document stands as the draft does."""

    def __init__(self) -> None:
        super().__init__()
        font = self.font()
        font.setPixelSize(PIXELS)
        self.lines = DraftLayout(self.document(), PIXELS)
        self.setFont(font)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event_on_line(self, event))

    def bottoms(self, block_number: int) -> list[float]:
        """Return where each line of a block ends, in the viewport."""
        block = self.document().findBlockByNumber(block_number)
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        lines = [block.layout().lineAt(number) for number in range(block.layout().lineCount())]
        return [top + line.y() + line.height() for line in lines]


@pytest.fixture
def editor(qtbot: QtBot) -> Editor:
    shown = Editor()
    qtbot.addWidget(shown)
    shown.resize(400, 300)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def steps(places: list[float]) -> set[int]:
    return {round(below - above) for above, below in pairwise(places)}


def test_lines_stand_one_step_apart_also_after_typing_and_in_another_width(editor: Editor) -> None:
    editor.setPlainText(LONG)
    assert len(editor.bottoms(0)) > 3
    assert steps(editor.bottoms(0)) == {editor.lines.step}
    QTest.keyClicks(editor, "typed ")
    assert steps(editor.bottoms(0)) == {editor.lines.step}
    few = len(editor.bottoms(0))
    editor.resize(300, 300)
    assert len(editor.bottoms(0)) > few
    assert steps(editor.bottoms(0)) == {editor.lines.step}


def test_a_blank_line_is_lower_than_a_line_of_words_until_a_word_stands_in_it(editor: Editor) -> None:
    editor.setPlainText("one\n\ntwo")
    blank = editor.document().findBlockByNumber(1)
    assert round(editor.blockBoundingGeometry(blank).height()) == PIXELS
    editor.moveCursor(QTextCursor.MoveOperation.Down)
    QTest.keyClicks(editor, "x")
    assert round(editor.blockBoundingGeometry(blank).height()) == editor.lines.step


def test_a_click_above_a_line_s_letters_goes_into_that_line_and_one_on_the_line_before_does_not(editor: Editor) -> None:
    editor.setPlainText(LONG)
    block = editor.document().firstBlock()
    second = block.layout().lineAt(1)
    end_of_first = editor.bottoms(0)[0]
    for below, line_number in ((2, 1), (-2, 0)):
        QTest.mouseClick(
            editor.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(60, round(end_of_first + below))
        )
        position = editor.textCursor().position()
        assert block.layout().lineForTextPosition(position).lineNumber() == line_number
        assert position not in (second.textStart(), second.textStart() - 1)


def test_the_last_line_is_wholly_in_view_at_the_end_of_a_long_text(editor: Editor) -> None:
    editor.setPlainText("\n\n".join([LONG] * 200))
    editor.moveCursor(QTextCursor.MoveOperation.End)
    rect = editor.cursorRect()
    assert rect.top() >= 0
    assert rect.bottom() <= editor.viewport().height()
    for _ in range(40):
        QTest.keyClick(editor, Qt.Key.Key_Up)
        assert editor.viewport().rect().contains(editor.cursorRect().center())
    for _ in range(30):
        QTest.keyClick(editor, Qt.Key.Key_PageUp)
        assert editor.viewport().rect().contains(editor.cursorRect().center())
