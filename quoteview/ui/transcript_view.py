"""The transcript pane: the locked cues as a list, with times, speakers, matches underlined where they stand, and find.

The reference is read-only. Rows wrap, so their heights differ; they are laid out in batches and a place
to show that is not laid out yet is kept until it is. Matches of the current draft's claims are underlined
in their state's line style (solid exact, dashed the nearest passage), but only in the reference track: another
track of the job can be looked at and is never what a verdict speaks of.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QTextLayout,
    QTextLine,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QListView, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from quoteview.app.cue_model import AnyIndex, CueModel, CueRole
from quoteview.app.selection import Selection
from quoteview.app.session import Session
from quoteview.app.states import Changes, ClaimState
from quoteview.app.text_positions import utf16_of_point
from quoteview.app.times import clock
from quoteview.core.captions.track import Cue
from quoteview.core.spans import TextSpan
from quoteview.ui.signs import paint_underline
from quoteview.ui.text_lines import cursor_x
from quoteview.ui.theme import FontRole, Theme, set_role
from quoteview.ui.transcript_head import FindBar, TranscriptHead

_MARGIN = 16
_ROW_PADDING = 6
_BATCH = 64
_FAINT = 0.5
_SEEN_HERE = (
    Changes.JOB | Changes.TRACKS | Changes.SWITCHED | Changes.DRAFT | Changes.VERDICTS | Changes.RESOLUTIONS | Changes.LOCK
)
"""What rows show or stand by; that something is saved, judged or in progress is seen elsewhere."""
_RED_FIRST = (ClaimState.EXACT, ClaimState.SET_ASIDE, ClaimState.EXCEPTION, ClaimState.TO_VERIFY, ClaimState.TO_DO)


class TranscriptView(QFrame):
    """The pane with its head, the find bar and the list of cues."""

    action_requested = Signal(str)
    view_moved = Signal()

    def __init__(self, session: Session, selection: Selection, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self.setAccessibleName(self.tr("Transcript"))
        set_role(self, "pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._head = TranscriptHead(session, theme, self)
        self._find = FindBar(theme, self)
        self.cues = CueList(session, selection, theme, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        for widget in (self._head, self._find, self.cues):
            layout.addWidget(widget)
        layout.setStretch(2, 1)
        self.setFocusProxy(self.cues)
        self._find.hide()
        self._head.find_requested.connect(self.show_find)
        self._head.track_chosen.connect(session.show_track)
        self._find.needle_changed.connect(self._on_find_needle_changed)
        self._find.step_requested.connect(self._on_find_step_requested)
        self._find.closed.connect(self._on_find_closed)
        self.cues.moved.connect(self.view_moved)
        selection.claim_changed.connect(self._on_selection_claim_changed)
        self._hits: list[int] = []
        self._hit = -1

    def show_find(self) -> None:
        """Open the find bar with what was looked for last, ready to type."""
        self._find.open()

    def claim_rect(self, claim_id: int) -> QRectF | None:
        """Return where a claim's match stands in this widget, also outside the visible part; None where it has none here."""
        rect = self.cues.claim_rect(claim_id)
        return (
            None
            if rect is None
            else rect.translated(QPointF(self.cues.viewport().mapTo(self, self.cues.viewport().rect().topLeft())))
        )

    def visible_span(self) -> tuple[float, float]:
        """Return the top and bottom of the part of this widget in which cues show."""
        top = self.cues.viewport().mapTo(self, self.cues.viewport().rect().topLeft()).y()
        return float(top), float(top + self.cues.viewport().height())

    def bring_into_view(self, claim_id: int) -> None:
        """Scroll so that a claim's match shows, where it has one in the track shown."""
        spans = self.cues.spans(claim_id)
        if spans:
            self.cues.show_row(spans[0][0])

    def text_at_top(self) -> str:
        """Return the time of the first cue in view, for the strip's text equivalent."""
        return self.cues.time_at_top()

    def _on_selection_claim_changed(self) -> None:
        if self._selection.claim_id is not None:
            self.bring_into_view(self._selection.claim_id)

    def _on_find_needle_changed(self, needle: str) -> None:
        self._hits = self.cues.light(needle)
        self._hit = -1
        if self._hits:
            self._on_find_step_requested(1)
        else:
            self.cues.light_one(-1, 0)
            self._find.show_count(0, 0, bool(needle))

    def _on_find_step_requested(self, step: int) -> None:
        if not self._hits:
            return
        if self._hit < 0:
            top = self.cues.row_at_top()
            self._hit = next((n for n, row in enumerate(self._hits) if row >= top), 0)
        else:
            self._hit = (self._hit + step) % len(self._hits)
        row = self._hits[self._hit]
        self.cues.light_one(row, self._hit - self._hits.index(row))
        self._selection.select_cue(row)
        self.cues.show_row(row)
        self._find.show_count(self._hit + 1, len(self._hits), True)

    def _on_find_closed(self) -> None:
        self.cues.light("")
        self._find.hide()
        self.cues.setFocus()


class CueList(QListView):
    """The cues. `moved` says that rows stand elsewhere than before (scrolled, resized, laid out)."""

    moved = Signal()

    def __init__(self, session: Session, selection: Selection, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self._wanted_row = -1
        self.setAccessibleName(self.tr("Cues of the transcript"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_BATCH)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setAutoScroll(False)  # it would put the place to show at the very edge
        self.setMouseTracking(True)
        self._delegate = _CuePainter(session, selection, theme, self)
        self.setItemDelegate(self._delegate)
        self._cue_model = CueModel(session, self)
        self.setModel(self._cue_model)
        self._settle = QTimer(self)
        self._settle.setInterval(15)
        self._settle.timeout.connect(self._on_settle_timeout)
        self.verticalScrollBar().valueChanged.connect(self.moved)
        self.verticalScrollBar().rangeChanged.connect(self.moved)
        selection.cue_changed.connect(self._on_selection_cue_changed)
        selection.claim_changed.connect(self.viewport().update)
        selection.hover_changed.connect(self.viewport().update)
        session.changed.connect(self._on_session_changed)
        theme.changed.connect(self._on_theme_changed)

    def light(self, needle: str) -> list[int]:
        """Light every hit and return the row of each, in order: a row with two hits stands there twice."""
        self._delegate.needle = needle
        self._delegate.lit_hit = (-1, 0)
        self.viewport().update()
        cues = self._session.cues
        return [row for row in self._cue_model.find(needle) for _ in hits_in(cues[row].text, needle)]

    def light_one(self, row: int, number: int) -> None:
        """Frame one hit of a row, counted from 0: the one where the walk stands."""
        self._delegate.lit_hit = (row, number)
        self.viewport().update()

    def spans(self, claim_id: int) -> Sequence[tuple[int, TextSpan]]:
        """Return (cue, code points of its text) for a claim's match, empty where another track is shown."""
        if self._session.shown_track_id != self._session.reference_id:
            return ()
        return self._session.cue_spans(claim_id)

    def claim_rect(self, claim_id: int) -> QRectF | None:
        """Return where a claim's cues stand in the viewport; None without a match."""
        spans = self.spans(claim_id)
        if not spans:
            return None
        rows = [row for row, _ in spans]
        first, last = self.visualRect(self._cue_model.index(min(rows))), self.visualRect(self._cue_model.index(max(rows)))
        if not first.isValid() or not last.isValid():
            return None
        return QRectF(0, first.top(), self.viewport().width(), last.bottom() + 1 - first.top())

    def show_row(self, row: int) -> None:
        """Scroll a row into the middle unless it is in view; a row not laid out yet is shown as soon as it is."""
        rect = self.visualRect(self._cue_model.index(row))
        if self._is_laying_out():
            self._wanted_row = row
            self._settle.start()
        if not rect.isValid():
            return
        margin = min(rect.height(), self.viewport().height() // 4)
        if rect.top() < margin or rect.bottom() > self.viewport().height() - margin:
            self.scrollTo(self._cue_model.index(row), QListView.ScrollHint.PositionAtCenter)

    def row_at_top(self) -> int:
        """Return the first row in view, 0 without any."""
        index = self.indexAt(self.viewport().rect().topLeft())
        return max(0, index.row())

    def time_at_top(self) -> str:
        """Return the first visible cue's time."""
        cues = self._session.cues
        row = self.row_at_top()
        return clock(cues[row].time.start_ms) if row < len(cues) else ""

    def dataChanged(self, top_left: AnyIndex, bottom_right: AnyIndex, roles: Sequence[int] = ()) -> None:
        """Repaint only: heights depend on the text alone, so 100,000 rows are not laid out anew for a verdict."""
        self.viewport().update()

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        """Follow the keyboard: the row that has the cursor is the selected cue."""
        super().currentChanged(current, previous)
        if current.isValid() and current.row() != self._selection.cue_index:
            self._selection.select_cue(current.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A row that the keyboard goes to comes into view."""
        super().keyPressEvent(event)
        if self.currentIndex().isValid() and event.isAccepted():
            self.scrollTo(self.currentIndex())

    def keyboardSearch(self, search: str) -> None:
        """Letters are actions here, and Ctrl+F finds."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolling by hand takes precedence over a place that waits for the layout."""
        self._wanted_row = -1
        super().wheelEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell which claim is under the pointer."""
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        claims = index.data(CueRole.CLAIMS) if index.isValid() else ()
        self._selection.hover(claims[0] if claims else None)

    def leaveEvent(self, event: QEvent) -> None:
        """No claim is under the pointer any more."""
        super().leaveEvent(event)
        self._selection.hover(None)

    def _is_laying_out(self) -> bool:
        last = self._cue_model.index(self._cue_model.rowCount() - 1)
        return last.isValid() and not self.visualRect(last).isValid()

    def _on_settle_timeout(self) -> None:
        if self._is_laying_out():
            return
        self._settle.stop()
        if 0 <= self._wanted_row < self._cue_model.rowCount():
            wanted, self._wanted_row = self._wanted_row, -1
            self.show_row(wanted)
        self.moved.emit()

    def _on_selection_cue_changed(self) -> None:
        row = self._selection.cue_index
        if row is not None and row != self.currentIndex().row():
            self.setCurrentIndex(self._cue_model.index(row))
        self.viewport().update()

    def _on_session_changed(self, changes: Changes) -> None:
        if changes & Changes.TRACKS:
            self._delegate.forget()
        if changes & _SEEN_HERE:
            self.viewport().update()
            self.moved.emit()

    def _on_theme_changed(self) -> None:
        self._delegate.forget()
        self.scheduleDelayedItemsLayout()


class _CuePainter(QStyledItemDelegate):
    """Paints one row: its time, speaker, text with underlines and hits. Keeps the heights it measured."""

    def __init__(self, session: Session, selection: Selection, theme: Theme, parent: CueList) -> None:
        super().__init__(parent)
        self._list = parent
        self._session = session
        self._selection = selection
        self._theme = theme
        self.needle = ""
        self.lit_hit = (-1, 0)
        self._heights: dict[tuple[int, int], int] = {}
        self._measure()

    def forget(self) -> None:
        """Forget the heights, since text or fonts are others now."""
        self._heights.clear()
        self._measure()

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the height that the row's text needs at the list's width."""
        width = self._list.viewport().width()
        key = (index.row(), width)
        height = self._heights.get(key)
        if height is None:
            cue: Cue = index.data(CueRole.CUE)
            height = self._heights[key] = self._height(cue, width - self._text_left - _MARGIN)
        return QSize(width, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draw the row."""
        cue: Cue = index.data(CueRole.CUE)
        rect: QRect = option.rect
        painter.save()
        self._paint_ground(painter, rect, cue)
        colors = self._theme.palette
        top = float(rect.top() + _ROW_PADDING)
        painter.setPen(colors.color("muted"))
        if self._is_new_voice(cue):
            painter.setFont(self._theme.font(FontRole.SMALL))
            voices = self._small_metrics.elidedText(
                ", ".join(cue.speakers), Qt.TextElideMode.ElideRight, rect.width() - self._text_left - _MARGIN
            )
            room = QRectF(self._text_left, top, rect.width() - self._text_left - _MARGIN, self._small_metrics.height())
            side = Qt.AlignmentFlag.AlignRight if _is_right_to_left(cue.text) else Qt.AlignmentFlag.AlignLeft
            painter.drawText(room, side | Qt.AlignmentFlag.AlignAbsolute, voices)
            top += self._small_metrics.height()
        painter.setFont(self._theme.font(FontRole.MONO))
        painter.drawText(QPointF(_MARGIN, top + self._text_metrics.ascent()), clock(cue.time.start_ms, thousandths=True))
        painter.setPen(colors.color("text"))
        self._paint_text(painter, cue, QPointF(self._text_left, top), rect.width() - self._text_left - _MARGIN)
        painter.restore()

    def helpEvent(self, event: QHelpEvent, view: object, option: QStyleOptionViewItem, index: object) -> bool:
        """No tooltips: everything stands in the row."""
        return False

    def _measure(self) -> None:
        self._text_metrics = QFontMetricsF(self._theme.font(FontRole.TRANSCRIPT))
        self._small_metrics = QFontMetricsF(self._theme.font(FontRole.SMALL))
        mono = QFontMetricsF(self._theme.font(FontRole.MONO))
        self._text_left = round(_MARGIN + mono.horizontalAdvance("00:00:00.000") + _MARGIN)

    def _height(self, cue: Cue, width: int) -> int:
        lines = 1
        if self._text_metrics.horizontalAdvance(cue.text) > width:
            layout = self._layout(cue.text, width)
            lines = max(1, layout.lineCount())
        height = lines * self._text_metrics.height() + 2 * _ROW_PADDING
        return round(height + (self._small_metrics.height() if self._is_new_voice(cue) else 0))

    def _is_new_voice(self, cue: Cue) -> bool:
        """Return whether the row names its speakers: those whose voice is another than that of the cue before."""
        if not cue.speakers:
            return False
        cues = self._session.cues
        return cue.index == 0 or cue.index >= len(cues) or cues[cue.index - 1].speakers != cue.speakers

    def _layout(self, text: str, width: int) -> QTextLayout:
        layout = QTextLayout(text, self._theme.font(FontRole.TRANSCRIPT))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        if not text.isascii() and _is_right_to_left(text):
            option.setTextDirection(Qt.LayoutDirection.RightToLeft)
            option.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        layout.setTextOption(option)
        layout.beginLayout()
        y = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(20, width))
            line.setPosition(QPointF(0, y))
            y += self._text_metrics.height()
        layout.endLayout()
        return layout

    def _paint_ground(self, painter: QPainter, rect: QRect, cue: Cue) -> None:
        claims = self._claims(cue)
        colors = self._theme.palette
        selected = self._selection.claim_id
        if claims:
            chosen = selected if selected in claims else self._worst(claims)
            soft = QColor(self._theme.look(self._session.state(chosen)).soft)
            if not {selected, self._selection.hovered_id} & set(claims):
                soft.setAlphaF(_FAINT)
            painter.fillRect(rect, soft)
        if cue.index == self._selection.cue_index:
            if not claims:
                painter.fillRect(rect, colors.color("raised"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), colors.color("accent"))
            if self._list.hasFocus():
                painter.setPen(QPen(colors.color("focus"), 1))
                painter.drawRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_text(self, painter: QPainter, cue: Cue, origin: QPointF, width: int) -> None:
        text = cue.text
        layout = self._layout(text, width)
        for number, (start, end) in enumerate(hits_in(text, self.needle)):
            is_here = self.lit_hit == (cue.index, number)
            painter.setPen(QPen(self._theme.palette.color("exception"), 1.5) if is_here else Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.palette.color("exception_soft"))
            for rect in _line_rects(layout, utf16_of_point(text, start), utf16_of_point(text, end), self._text_metrics.height()):
                painter.drawRoundedRect(rect.translated(origin).adjusted(-1, 0, 1, 0), 3, 3)
        painter.setPen(self._theme.palette.color("text"))
        layout.draw(painter, origin)
        claims = sorted(self._claims(cue), key=lambda claim: _RED_FIRST.index(self._session.state(claim)))
        for depth, claim in enumerate(claims[-3:]):
            for row, span in self._session.cue_spans(claim):
                if row != cue.index:
                    continue
                start, end = utf16_of_point(text, span.start), utf16_of_point(text, span.end)
                for rect in _line_rects(layout, start, end, self._text_metrics.height()):
                    y = origin.y() + rect.bottom() - 1 + 2.5 * depth
                    paint_underline(
                        painter, origin.x() + rect.left(), origin.x() + rect.right(), y, self._session.state(claim), self._theme
                    )

    def _claims(self, cue: Cue) -> tuple[int, ...]:
        if self._session.shown_track_id != self._session.reference_id:
            return ()
        return self._session.claims_at_cue(cue.index)

    def _worst(self, claims: Sequence[int]) -> int:
        return max(claims, key=lambda claim: _RED_FIRST.index(self._session.state(claim)))


def hits_in(text: str, needle: str) -> list[tuple[int, int]]:
    """Return the code points of each place where needle stands in text, letters' case apart, without overlaps."""
    wanted = needle.casefold()
    if not wanted:
        return []
    folded = text.casefold()
    points: Sequence[int] = range(len(text) + 1)
    if len(folded) != len(text):  # "ß" folds into two letters
        points = [at for at, character in enumerate(text) for _ in character.casefold()] + [len(text)]
    hits: list[tuple[int, int]] = []
    at = folded.find(wanted)
    while at >= 0:
        hits.append((points[at], max(points[at] + 1, points[at + len(wanted)])))
        at = folded.find(wanted, at + len(wanted))
    return hits


def _is_right_to_left(text: str) -> bool:
    """Return whether the first strong character of a text runs from right to left (Unicode bidi class R or AL)."""
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction in ("R", "AL"):
            return True
        if direction == "L":
            return False
    return False


def _line_rects(layout: QTextLayout, start: int, end: int, height: float) -> list[QRectF]:
    """Return the boxes that UTF-16 positions start to end of a laid-out text fill, one a line."""
    rects: list[QRectF] = []
    for number in range(layout.lineCount()):
        line: QTextLine = layout.lineAt(number)
        low, high = max(start, line.textStart()), min(end, line.textStart() + line.textLength())
        if low >= high:
            continue
        one, other = cursor_x(line.cursorToX(low)), cursor_x(line.cursorToX(high))
        rects.append(QRectF(min(one, other), line.position().y(), abs(other - one), height))
    return rects
