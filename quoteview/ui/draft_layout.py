"""How the draft's lines stand: further apart than the font alone would have them, closer at blank lines between paragraphs.

Qt lays a plain document out line under line, a font's own height apart, which is too close to read for long. The lines of a
block are moved apart when Qt has laid it out; caret, selections, marks and scrolling then follow, since all of them ask
the lines where they stand. The room that is added stands above each line.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QMouseEvent, QTextBlock, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit

_STEP = 1.7
"""From one line to the next, in sizes of the font (WCAG 2.2, 1.4.12 asks for 1.5 at least)."""

_BLANK = 1.0
"""A blank line, in sizes of the font: the end of a paragraph, not a line of text."""

_TALL = 1.12
"""What a line taller than usual (a heading, another script) has, in its own heights."""

_MOVED = 1 / 64
"""What is left of a moved block's height beyond whole pixels: Qt's smallest length. A block laid out anew lacks it."""

_laid_out = QPlainTextDocumentLayout.blockBoundingRect


class DraftLayout(QPlainTextDocumentLayout):
    """Lays out the document, from now on, whose usual text is `font_pixels` high."""

    def __init__(self, document: QTextDocument, font_pixels: int) -> None:
        super().__init__(document)
        self.set_font_pixels(font_pixels)
        document.setDocumentLayout(self)

    @property
    def step(self) -> int:
        """How many pixels lie from one line of the usual text to the next."""
        return self._step

    def set_font_pixels(self, font_pixels: int) -> None:
        """Use the steps of another text size for what is laid out from now on."""
        self._step, self._blank = round(font_pixels * _STEP), round(font_pixels * _BLANK)

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        """Return the room of a block at (0, 0), its lines moved apart. Asked often: what was moved is not looked at again."""
        rect = _laid_out(self, block)
        if rect.height() % 1 == _MOVED or rect.isEmpty():
            return rect
        self._move_apart(block)
        return _laid_out(self, block)

    def _move_apart(self, block: QTextBlock) -> None:
        layout, bottom = block.layout(), _MOVED
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            bottom += self._blank if block.length() <= 1 else max(self._step, round(line.height() * _TALL))
            line.setPosition(QPointF(line.x(), bottom - line.height()))


def event_on_line(editor: QPlainTextEdit, event: QMouseEvent) -> QMouseEvent:
    """Return an event of the pointer on a line: in the room above a line it would be taken for the end of the one before."""
    place = event.position()
    if not editor.viewport().rect().contains(place.toPoint()):
        return event
    block = editor.cursorForPosition(place.toPoint()).block()
    top = editor.blockBoundingGeometry(block).translated(editor.contentOffset()).top()
    layout = block.layout()
    for line in (layout.lineAt(number) for number in range(layout.lineCount())):
        if place.y() < top + line.y() + line.height():
            place.setY(max(place.y(), top + line.y() + 1))
            break
    kind, button, held, keys = event.type(), event.button(), event.buttons(), event.modifiers()
    return QMouseEvent(kind, place, event.globalPosition(), button, held, keys, event.pointingDevice())
