"""The gap between the panes: ribbons that join a claim in the draft to its cues in the transcript.

The selected and the hovered claim have a full ribbon; the others of the draft a faint one, or none by
choice. A target that is out of view is told by a small arrow with its time at the edge; a click on it
brings it in. A ribbon carries its state's line style besides its colour.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from quoteview.app.selection import Selection
from quoteview.app.session import Session
from quoteview.app.states import Changes
from quoteview.app.times import clock
from quoteview.ui.draft_view import DraftView
from quoteview.ui.signs import Glyph, paint_glyph
from quoteview.ui.theme import FontRole, Theme
from quoteview.ui.transcript_view import TranscriptView

WIDTH = 96


class _Ends(NamedTuple):
    """The two ends of a ribbon as (top, bottom) in this widget, clamped to the panes' visible parts.

    `beyond` is -1 where the cues lie above the view, 1 below, 0 in view.
    """

    left: tuple[float, float]
    right: tuple[float, float]
    beyond: int


class Ribbons(QWidget):
    """Paints the ribbons of the current draft between the two panes it was joined to."""

    action_requested = Signal(str)

    def __init__(self, session: Session, selection: Selection, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self._theme = theme
        self._transcript: TranscriptView | None = None
        self._draft: DraftView | None = None
        self._shows_others = True
        self._arrows: list[tuple[QRectF, int]] = []
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Links between draft and transcript"))
        selection.claim_changed.connect(self._on_selection_changed)
        selection.hover_changed.connect(self.update)
        session.changed.connect(self._on_session_changed)
        theme.changed.connect(self.update)

    def join(self, transcript: TranscriptView, draft: DraftView) -> None:
        """Draw between these two panes from now on, and follow their scrolling."""
        self._transcript, self._draft = transcript, draft
        transcript.view_moved.connect(self.update)
        draft.view_moved.connect(self.update)
        self.update()

    @property
    def arrows(self) -> tuple[tuple[QRectF, int], ...]:
        """The arrows that are drawn now, each with the claim it leads to."""
        return tuple(self._arrows)

    def set_shows_all(self, is_shown: bool) -> None:
        """Draw the ribbons of the claims that are neither selected nor hovered, or leave them out."""
        self._shows_others = is_shown
        self.update()

    def sizeHint(self) -> QSize:
        """Return the usual width of the gap."""
        return QSize(WIDTH, 100)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw faint ribbons first, the hovered and the selected one above them."""
        self._arrows = []
        if self._transcript is None or self._draft is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lit = [claim for claim in (self._selection.hovered_id, self._selection.claim_id) if claim is not None]
        others = self._draft.editor.claims_in_view() if self._shows_others else []
        for claim_id in [claim for claim in others if claim not in lit]:
            self._paint(painter, claim_id, is_lit=False)
        for claim_id in dict.fromkeys(lit):
            self._paint(painter, claim_id, is_lit=True)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Bring the target of an arrow into view."""
        for rect, claim_id in self._arrows:
            if rect.contains(event.position()) and self._transcript is not None:
                self._selection.select_claim(claim_id)
                self._transcript.bring_into_view(claim_id)
                return
        super().mousePressEvent(event)

    def _on_session_changed(self, changes: Changes) -> None:
        if changes & ~(Changes.SAVING | Changes.PROGRESS | Changes.GATES | Changes.HISTORY):
            self.update()

    def _on_selection_changed(self) -> None:
        claim = self._selection.claim_id
        match = self._session.match(claim) if claim is not None else None
        text = ""
        if match is not None:
            time = clock(match.evidence.time.start_ms)
            text = self.tr("Quotation {number} stands at {time} in the captions.").format(number=claim, time=time)
        self.setAccessibleDescription(text)
        self.update()

    def _paint(self, painter: QPainter, claim_id: int, *, is_lit: bool) -> None:
        ends = self._ends(claim_id)
        if ends is None:
            return
        if ends.beyond and not is_lit:
            return
        look = self._theme.look(self._session.state(claim_id))
        fill, line = QColor(look.color), QColor(look.color)
        fill.setAlphaF(0.20 if is_lit else 0.05)
        line.setAlphaF(0.8 if is_lit else 0.22)
        width = float(self.width())
        (left_top, left_bottom), (right_top, right_bottom) = ends.left, ends.right
        body = QPainterPath(QPointF(0, left_top))
        body.cubicTo(QPointF(width / 2, left_top), QPointF(width / 2, right_top), QPointF(width, right_top))
        body.lineTo(QPointF(width, right_bottom))
        body.cubicTo(QPointF(width / 2, right_bottom), QPointF(width / 2, left_bottom), QPointF(0, left_bottom))
        body.closeSubpath()
        painter.fillPath(body, fill)
        painter.setPen(QPen(line, 1.2, look.pen))
        for start, end in ((left_top, right_top), (left_bottom, right_bottom)):
            edge = QPainterPath(QPointF(0, start))
            edge.cubicTo(QPointF(width / 2, start), QPointF(width / 2, end), QPointF(width, end))
            painter.strokePath(edge, painter.pen())
        if ends.beyond:
            self._paint_arrow(painter, claim_id, ends)

    def _paint_arrow(self, painter: QPainter, claim_id: int, ends: _Ends) -> None:
        match = self._session.match(claim_id)
        if match is None:
            return
        time = clock(match.evidence.time.start_ms)
        painter.setFont(self._theme.font(FontRole.SMALL))
        height = painter.fontMetrics().height() + 6
        box = QRectF(4, ends.left[0] + 4 if ends.beyond < 0 else ends.left[1] - height - 4, 0, height)
        box.setWidth(painter.fontMetrics().horizontalAdvance(time) + 26)
        colors = self._theme.palette
        painter.setPen(QPen(colors.color("border"), 1))
        painter.setBrush(colors.color("surface"))
        painter.drawRoundedRect(box, 5, 5)
        glyph = Glyph.ARROW_UP if ends.beyond < 0 else Glyph.ARROW_DOWN
        paint_glyph(painter, QRectF(box.left() + 5, box.center().y() - 6, 12, 12), glyph, colors.color("text"))
        painter.setPen(colors.color("text"))
        painter.drawText(box.adjusted(20, 0, -4, 0), Qt.AlignmentFlag.AlignVCenter, time)
        self._arrows.append((box, claim_id))

    def _ends(self, claim_id: int) -> _Ends | None:
        if self._transcript is None or self._draft is None:
            return None
        cues, words = self._transcript.claim_rect(claim_id), self._draft.claim_rect(claim_id)
        if cues is None or words is None:
            return None
        left, beyond = self._clamped(cues, self._transcript.visible_span(), self._transcript)
        right, _ = self._clamped(words, self._draft.visible_span(), self._draft)
        return _Ends(left, right, beyond)

    def _clamped(self, rect: QRectF, visible: tuple[float, float], pane: QWidget) -> tuple[tuple[float, float], int]:
        """Return a box's top and bottom in this widget, kept inside what the pane shows, and where it lies if outside."""
        shift = float(pane.mapTo(self.window(), pane.rect().topLeft()).y() - self.mapTo(self.window(), self.rect().topLeft()).y())
        top, bottom = visible
        beyond = -1 if rect.bottom() <= top else 1 if rect.top() >= bottom else 0
        if beyond:
            edge = top if beyond < 0 else bottom
            return (edge + shift, edge + shift), beyond
        return (max(rect.top(), top) + shift, min(rect.bottom(), bottom) + shift), 0
