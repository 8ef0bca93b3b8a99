"""The draft as a real editor, with each claim marked by colour, line and sign.

The core owns the draft's text. What is typed reaches it as patches (`Session.edit`), taken from the
document change by change, each once it is laid out; what the core changes (a repair, undo) comes back as the
one replacement that turns the shown text into the new one, so cursor and scroll position stay. Nothing else is
read back from the widget. Highlights are extra selections of the visible claims only, never edits of the document.
"""

from __future__ import annotations

from bisect import bisect_left

from PySide6.QtCore import QEvent, QMimeData, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from quoteview.app.selection import Selection
from quoteview.app.session import Session
from quoteview.app.states import Changes
from quoteview.app.text_positions import DocumentSpan, difference
from quoteview.core.drafts.draft import ClaimKind
from quoteview.ui.draft_gutter import GUTTER, DraftGutter
from quoteview.ui.draft_layout import DraftLayout, event_on_line
from quoteview.ui.draft_structure import QUOTATION, DraftStructure
from quoteview.ui.signs import paint_sign, paint_underline
from quoteview.ui.text_lines import cursor_x
from quoteview.ui.theme import FontRole, Theme

_SIGN = 16
_READABLE = 74
"""Characters to a line that are still easy to read; a wider pane gets wider margins instead."""

_MOST_MARKINGS = 4
"""Laying out for marks moves the view once or twice at most."""


class DraftEditor(QPlainTextEdit):
    """The editor. `moved` says that text stands elsewhere than before."""

    moved = Signal()

    def __init__(self, session: Session, selection: Selection, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self._theme = theme
        self._is_syncing = False
        self._is_typing = False
        self._is_marking = False
        self._marks_wanted = False
        self._typed: list[tuple[int, int, int]] = []
        self._shown = ""
        self._lines = DraftLayout(self.document(), theme.font(FontRole.DRAFT).pixelSize())
        self._structure = DraftStructure(self.document(), theme)
        self.gutter = DraftGutter(self, self)
        self.setAccessibleName(self.tr("Text of the draft"))
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setCenterOnScroll(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.document().contentsChange.connect(self._on_document_contents_change)
        self.document().contentsChanged.connect(self._on_document_contents_changed)
        self.cursorPositionChanged.connect(self._on_cursor_position_changed)
        self.updateRequest.connect(self._on_update_request)
        self.verticalScrollBar().valueChanged.connect(self._on_view_moved)
        session.changed.connect(self._on_session_changed)
        selection.claim_changed.connect(self._on_selection_claim_changed)
        selection.hover_changed.connect(self._mark_claims)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self._on_session_changed(Changes.JOB)

    # -- where claims stand ---------------------------------------------------------------

    def document_span(self, claim_id: int) -> DocumentSpan | None:
        """Return the UTF-16 positions of a claim with its marks."""
        claim, text = self._session.claim(claim_id), self._session.text
        return text.document_span(claim.outer) if claim is not None and text is not None else None

    def marked_spans(self, claim_id: int) -> list[DocumentSpan]:
        """Return what is marked of a claim: it with its marks; of a block quotation the words alone, not its `>` signs."""
        claim, text = self._session.claim(claim_id), self._session.text
        if claim is None or text is None:
            return []
        spans = claim.bytes if claim.kind is ClaimKind.BLOCK else (claim.outer,)
        return [text.document_span(span) for span in spans]

    def claim_rect(self, claim_id: int) -> QRectF | None:
        """Return the box of the claim's lines in the viewport, also when scrolled out of sight."""
        span = self.document_span(claim_id)
        if span is None:
            return None
        first, last = self._place(span.start), self._place(max(span.start, span.end - 1))
        return QRectF(0, first.top(), self.viewport().width(), max(1.0, last.bottom() - first.top()))

    def bring_into_view(self, claim_id: int) -> None:
        """Scroll so that a claim shows, in the middle unless it already does."""
        span = self.document_span(claim_id)
        if span is None:
            return
        rect = self.claim_rect(claim_id)
        if rect is not None and rect.top() >= 0 and rect.bottom() <= self.viewport().height():
            return
        block = self.document().findBlock(span.start)
        line = block.layout().lineForTextPosition(span.start - block.position())
        number = block.firstLineNumber() + (line.lineNumber() if line.isValid() else 0)
        self.verticalScrollBar().setValue(max(0, round(number - self.viewport().height() / self._lines.step / 3)))

    def claims_in_view(self) -> list[int]:
        """Return the claims that the viewport shows at least a part of."""
        text, claims = self._session.text, self._session.claims
        if text is None or not claims:
            return []
        first = self.firstVisibleBlock()
        last = self.cursorForPosition(self.viewport().rect().bottomRight()).block()
        low = text.byte_of_position(first.position())
        high = text.byte_of_position(last.position() + last.length())
        at = bisect_left(claims, low, key=lambda claim: claim.outer.end)
        found: list[int] = []
        while at < len(claims) and claims[at].outer.start < high:
            found.append(claims[at].id)
            at += 1
        return found

    # -- typing ------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Undo and redo are the session's; everything else is typing."""
        if event.matches(QKeySequence.StandardKey.Undo):
            self._session.undo()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self._session.redo()
        elif event.matches(QKeySequence.StandardKey.InsertLineSeparator):
            self.insertPlainText("\n")  # the widget's own would be U+2028, which is no line end of a file
        else:
            super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Take nothing from an input method while the text is to be looked at only: the widget itself would."""
        if self.isReadOnly():
            event.ignore()
        else:
            super().inputMethodEvent(event)

    def createMimeDataFromSelection(self) -> QMimeData:
        """Return the draft's own characters, since the widget's turn no-break spaces into spaces; line ends are LF."""
        mime = QMimeData()
        text, cursor = self._session.text, self.textCursor()
        if text is not None:
            words = text.slice(DocumentSpan(cursor.selectionStart(), cursor.selectionEnd()))
            mime.setText(words.replace("\r\n", "\n").replace("\r", "\n"))
        return mime

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Files that are dropped are the window's to open; only words go into the text."""
        return source.hasText() and not source.hasUrls()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste plain text only."""
        if self.canInsertFromMimeData(source) and not self.isReadOnly():
            self.insertPlainText(source.text())
            self.ensureCursorVisible()

    def _on_document_contents_change(self, position: int, removed: int, added: int) -> None:
        """Remember what changed: the document says it before its lines are laid out anew, when nobody may look at them."""
        if not self._is_syncing and self._session.text is not None:
            self._typed.append((position, removed, added))

    def _on_document_contents_changed(self) -> None:
        """Tell the session what was typed."""
        typed, self._typed = self._typed, []
        text = self._session.text
        if self._is_syncing or not typed or text is None:
            return
        position, removed, inserted = self._change(typed, text.document_length)
        if len(inserted.encode("utf-16-le", "surrogatepass")) == 2 * removed and inserted == self._shown_slice(position, removed):
            return  # only formats changed
        self._is_typing = True
        try:
            self._session.edit(position, removed, inserted)
        finally:
            self._is_typing = False
        self._on_cursor_position_changed()

    def _change(self, typed: list[tuple[int, int, int]], length: int) -> tuple[int, int, str]:
        """Return where units of the text that the session has, `length` units long, were replaced, how many, and by what."""
        if len(typed) > 1:
            span, inserted = difference(self._shown, self._document_text())
            return span.start, span.end - span.start, inserted.replace("\n", "\u2029")
        position, removed, added = typed[0]
        # The last paragraph separator is Qt's own: a change that reports it speaks of one unit more than there is.
        added = min(added, self.document().characterCount() - 1 - position)
        return position, min(removed, length - position), "".join(self._characters(position, added))

    def _characters(self, position: int, count: int) -> list[str]:
        """Return UTF-16 units of the document one by one: `toPlainText` would change no-break spaces."""
        document = self.document()
        return [document.characterAt(position + offset) for offset in range(count)]

    def _shown_slice(self, position: int, count: int) -> str:
        units = self._shown.encode("utf-16-le", "surrogatepass")[2 * position : 2 * (position + count)]
        pairs = [units[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(units), 2)]
        return "".join("\u2029" if unit == "\n" else unit for unit in pairs)

    # -- following the session ------------------------------------------------------------

    def _on_session_changed(self, changes: Changes) -> None:
        if changes & (Changes.JOB | Changes.SWITCHED):
            self._take_text(is_other_draft=True)
        elif Changes.DRAFT in changes:
            self._take_text(is_other_draft=False)
        if changes & (Changes.JOB | Changes.LOCK | Changes.SWITCHED | Changes.DRAFT):
            # A draft that cannot be read has no text: what was typed into the empty page would be lost.
            self.setReadOnly(not self._session.may_change or self._session.text is None)
        if changes & (Changes.VERDICTS | Changes.RESOLUTIONS | Changes.LOCK | Changes.DRAFT | Changes.SWITCHED | Changes.JOB):
            self._mark_claims()
            self.moved.emit()

    def _take_text(self, *, is_other_draft: bool) -> None:
        """Show the session's text: all of it for another draft, else only what differs from what is shown."""
        text = self._session.text
        wanted = text.document_text if text is not None else ""
        if wanted == self._shown:
            return
        self._is_syncing = True
        try:
            if is_other_draft:
                self._structure.use(self._session.draft)
                self.setPlainText(wanted)
                self.moveCursor(QTextCursor.MoveOperation.Start)
            elif self.document().characterCount() - 1 != (text.document_length if text else 0) or not self._is_typed(wanted):
                self._patch(wanted)
        finally:
            self._is_syncing = False
        self._shown = wanted

    def _is_typed(self, wanted: str) -> bool:
        """Return whether the document already holds the wanted text, because a person typed it there."""
        span, inserted = difference(self._shown, wanted)
        there = "".join(self._characters(span.start, len(inserted.encode("utf-16-le", "surrogatepass")) // 2))
        return _paired(there) == inserted.replace("\n", "\u2029")

    def _patch(self, wanted: str) -> None:
        """Turn the document into the wanted text by one replacement, so that caret and scroll position stay."""
        span, inserted = difference(self._document_text() if self._is_typing else self._shown, wanted)
        cursor = QTextCursor(self.document())
        cursor.setPosition(span.start)
        cursor.setPosition(span.end, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(inserted)

    def _document_text(self) -> str:
        """Return what the document holds, where that may be other than what was shown: typed characters no file can hold."""
        lines: list[str] = []
        block = self.document().begin()
        while block.isValid():
            lines.append(_paired(block.text()))
            block = block.next()
        return "\n".join(lines)

    # -- marks ---------------------------------------------------------------------------------

    def _mark_claims(self) -> None:
        """Mark the claims in view, from the beginning again where that itself moved the view.

        The widget lays lines out for its marks, which may move its scroll bar, on which marks are made: it must not be
        given marks in the midst of taking others (Qt 6.11 goes through the old ones by number meanwhile, and crashes).
        """
        self._marks_wanted = True
        if self._is_marking:
            return
        self._is_marking = True
        try:
            for _ in range(_MOST_MARKINGS):
                if self._marks_wanted:
                    self._marks_wanted = False
                    self.setExtraSelections(self._marks())
        finally:
            self._is_marking = False
        self.gutter.update()

    def _marks(self) -> list[QTextEdit.ExtraSelection]:
        marks: list[QTextEdit.ExtraSelection] = []
        last = self.document().characterCount() - 1
        for claim_id in self.claims_in_view():
            for span in self.marked_spans(claim_id):
                mark = QTextEdit.ExtraSelection()
                cursor = QTextCursor(self.document())
                cursor.setPosition(min(span.start, last))
                cursor.setPosition(min(span.end, last), QTextCursor.MoveMode.KeepAnchor)
                mark.cursor = cursor
                mark.format = self._claim_format(claim_id)
                marks.append(mark)
        return marks

    def _claim_format(self, claim_id: int) -> QTextCharFormat:
        look = self._theme.look(self._session.state(claim_id))
        mark = QTextCharFormat()
        soft = QColor(look.soft)
        if claim_id not in (self._selection.claim_id, self._selection.hovered_id):
            soft.setAlphaF(0.55)
        mark.setBackground(soft)
        return mark

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, then each claim's underline in its state's line style and the bars of block quotations."""
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_bars(painter)
        for claim_id in self.claims_in_view():
            state = self._session.state(claim_id)
            for rect in (box for span in self.marked_spans(claim_id) for box in self._span_rects(span)):
                if rect.bottom() > 4:  # the line above the view is not seen, and its underline would hang in the air
                    paint_underline(painter, rect.left(), rect.right(), rect.bottom() - 1, state, self._theme)
        painter.end()

    def _paint_bars(self, painter: QPainter) -> None:
        block = self.firstVisibleBlock()
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if box.top() > self.viewport().height():
                return
            if block.userState() == QUOTATION:
                painter.fillRect(QRectF(0, box.top(), 3, box.height()), self._theme.palette.color("border"))
            block = block.next()

    def _span_rects(self, span: DocumentSpan) -> list[QRectF]:
        """Return the boxes of the visible lines that a part of the document fills."""
        rects: list[QRectF] = []
        block = self.document().findBlock(span.start)
        while block.isValid() and block.position() < span.end:
            box = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if box.top() > self.viewport().height():
                break
            if box.bottom() >= 0:
                rects += self._block_rects(block, box, span)
            block = block.next()
        return rects

    def _block_rects(self, block: QTextBlock, box: QRectF, span: DocumentSpan) -> list[QRectF]:
        rects: list[QRectF] = []
        layout = block.layout()
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            low = max(span.start - block.position(), line.textStart())
            high = min(span.end - block.position(), line.textStart() + line.textLength())
            if low >= high:
                continue
            one, other = cursor_x(line.cursorToX(low)), cursor_x(line.cursorToX(high))
            top = box.top() + line.y()
            rects.append(QRectF(box.left() + min(one, other), top, abs(other - one), line.height()))
        return rects

    def _place(self, position: int) -> QRectF:
        """Return the box of the line that a document position stands in, in the viewport."""
        block = self.document().findBlock(position)
        box = self.blockBoundingGeometry(block).translated(self.contentOffset())
        line = block.layout().lineForTextPosition(position - block.position())
        if not line.isValid():
            return box
        return QRectF(box.left(), box.top() + line.y(), box.width(), line.height())

    # -- pointer, scrolling, size --------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell which claim is under the pointer."""
        on_line = event_on_line(self, event)
        super().mouseMoveEvent(on_line)
        self._selection.hover(self._claim_at(self.cursorForPosition(on_line.position().toPoint()).position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Put the caret into the line under the pointer, between two lines into the lower one."""
        super().mousePressEvent(event_on_line(self, event))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select the word under the pointer."""
        super().mouseDoubleClickEvent(event_on_line(self, event))

    def leaveEvent(self, event: QEvent) -> None:
        """No claim is under the pointer any more."""
        super().leaveEvent(event)
        self._selection.hover(None)

    def _on_cursor_position_changed(self) -> None:
        if self._is_syncing or self._typed or not self.hasFocus():
            return
        claim_id = self._claim_at(self.textCursor().position())
        if claim_id is not None and claim_id != self._selection.claim_id:
            self._selection.select_claim(claim_id)

    def _claim_at(self, position: int) -> int | None:
        text = self._session.text
        if text is None:
            return None
        byte = text.byte_of_position(position)
        claims = self._session.claims
        at = bisect_left(claims, byte, key=lambda claim: claim.outer.end)
        return claims[at].id if at < len(claims) and claims[at].outer.start <= byte else None

    def _on_selection_claim_changed(self) -> None:
        before = self.verticalScrollBar().value()
        if self._selection.claim_id is not None:
            self.bring_into_view(self._selection.claim_id)
        if self.verticalScrollBar().value() == before:  # else they were marked where the text came to stand
            self._mark_claims()

    def _on_update_request(self, _rect: QRect, dy: int) -> None:
        if dy:
            self.gutter.scroll(0, dy)
        else:
            self.gutter.update()

    def _on_view_moved(self) -> None:
        self._mark_claims()
        self.moved.emit()

    def _on_theme_changed(self) -> None:
        self._lines.set_font_pixels(self._theme.font(FontRole.DRAFT).pixelSize())
        self.setFont(self._theme.font(FontRole.DRAFT))
        self._structure.restyle()
        self._fit_margins()
        self._mark_claims()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the lines readable: a wide pane gets margins."""
        super().resizeEvent(event)
        self._fit_margins()
        self._mark_claims()
        self.moved.emit()

    def _fit_margins(self) -> None:
        readable = QFontMetricsF(self.font()).averageCharWidth() * _READABLE
        room = self.width() - GUTTER - self.verticalScrollBar().sizeHint().width()
        spare = max(0, round((room - readable) / 2))
        self.setViewportMargins(GUTTER + min(spare, 60), 14, max(18, min(spare, 60)), 8)
        self.gutter.setGeometry(QRect(0, 14, GUTTER + min(spare, 60) - 4, max(0, self.height() - 22)))

    def signs(self) -> list[tuple[QRectF, int]]:
        """Return where the sign of each visible claim stands in the margin: beside its first line, side by side on one line."""
        lines: dict[int, list[int]] = {}
        middles: dict[int, float] = {}
        for claim_id in self.claims_in_view():
            span = self.document_span(claim_id)
            if span is not None:
                line = self._place(span.start)
                lines.setdefault(round(line.top()), []).append(claim_id)
                middles[round(line.top())] = line.center().y()
        size = self._theme.pixels(_SIGN)
        right = self.gutter.width() - 10 - size
        found: list[tuple[QRectF, int]] = []
        for row, claims in lines.items():
            step = min(size + 4.0, (right - 4) / max(1, len(claims) - 1))  # many on one line overlap, and none is left out
            for place, claim_id in enumerate(claims):
                left = right - (len(claims) - 1 - place) * step
                found.append((QRectF(left, middles[row] - size / 2, size, size), claim_id))
        return found

    def paint_gutter(self, painter: QPainter) -> None:
        """Draw the signs, the selected claim's with a ring."""
        for box, claim_id in self.signs():
            if claim_id == self._selection.claim_id:
                painter.setPen(QPen(self._theme.palette.color("focus"), 1.6))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 6, 6)
            paint_sign(painter, box, self._session.state(claim_id), self._theme)

    def sign_at(self, place: QPointF) -> int | None:
        """Return the claim whose sign is at a place of the margin, else the first one of that line, or None."""
        near = [(box, claim_id) for box, claim_id in self.signs() if box.top() - 4 <= place.y() <= box.bottom() + 4]
        inside = next((claim_id for box, claim_id in near if box.left() - 2 <= place.x() <= box.right() + 2), None)
        return inside if inside is not None or not near else near[0][1]

    def choose(self, claim_id: int | None) -> None:
        """Select a claim that was clicked in the margin."""
        if claim_id is not None:
            self._selection.select_claim(claim_id)

    def point_at(self, claim_id: int | None) -> None:
        """Say which claim is under the pointer."""
        self._selection.hover(claim_id)


def _paired(units: str) -> str:
    """Return UTF-16 units that were taken one by one as code points."""
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
