"""The list of cues: rows that wrap, each of its own height, of which only those near the view are ever measured.

A row far away counts with the usual height until the view comes near it, so that a transcript of a hundred hours is
there at once and any place in it can be shown at once. What stands at the top stays there while rows around it
are measured, and while the list is made wider or narrower.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QRegion, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyleOptionViewItem, QWidget

from quoteview.app.cue_model import AnyIndex, CueModel, CueRole
from quoteview.app.cue_search import CueSearch
from quoteview.app.selection import Selection
from quoteview.app.session import Session
from quoteview.app.states import Changes
from quoteview.app.times import clock
from quoteview.core.spans import TextSpan
from quoteview.ui.cue_painter import CuePainter
from quoteview.ui.row_heights import RowHeights
from quoteview.ui.theme import Theme

_SAMPLE = 24
"""So many rows, spread over all, say how high a row usually is."""

_SEEN_HERE = (
    Changes.JOB | Changes.TRACKS | Changes.SWITCHED | Changes.DRAFT | Changes.VERDICTS | Changes.RESOLUTIONS | Changes.LOCK
)
"""What rows show or stand by; that something is saved, judged or in progress is seen elsewhere."""


class CueList(QListView):
    """The cues. `moved` says that rows stand elsewhere than before (scrolled, resized, measured)."""

    moved = Signal()

    def __init__(self, session: Session, selection: Selection, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self._wanted_row = -1
        self._heights = RowHeights()
        self._width = -1
        self._is_placing = False
        self._seen: tuple[object, ...] = ()
        self.setAccessibleName(self.tr("Cues of the transcript"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setAutoScroll(False)  # it would put the place to show at the very edge
        self.setMouseTracking(True)
        self._delegate = CuePainter(session, selection, theme, self)
        self.setItemDelegate(self._delegate)
        self._cue_model = CueModel(session, self)
        self.setModel(self._cue_model)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self.moved)
        bar.rangeChanged.connect(self.moved)
        bar.actionTriggered.connect(self._on_scrolled_by_hand)
        selection.cue_changed.connect(self._on_selection_cue_changed)
        selection.claim_changed.connect(self.viewport().update)
        selection.hover_changed.connect(self.viewport().update)
        session.changed.connect(self._on_session_changed)
        theme.changed.connect(self._on_theme_changed)

    def light(self, search: CueSearch, number: int = -1) -> None:
        """Light every hit of a search, and frame the one where the walk stands."""
        self._delegate.search = search
        self._delegate.lit_hit = number
        self.viewport().update()

    def spans(self, claim_id: int) -> Sequence[tuple[int, TextSpan]]:
        """Return (cue, code points of its text) for a claim's match, empty where another track is shown."""
        if self._session.shown_track_id != self._session.reference_id:
            return ()
        return self._session.cue_spans(claim_id)

    def claim_rect(self, claim_id: int) -> QRectF | None:
        """Return where a claim's cues stand in the viewport; None without a match."""
        rows = [row for row, _ in self.spans(claim_id) if row < self._heights.count]
        if not rows:
            return None
        top = self._heights.top(min(rows))
        bottom = self._heights.top(max(rows)) + self._heights.height(max(rows))
        return QRectF(0, top - self.verticalOffset(), self.viewport().width(), bottom - top)

    def show_row(self, row: int) -> None:
        """Scroll a row a third down the view unless it is in view with its neighbours; it stays in view when resized."""
        if not 0 <= row < self._heights.count:
            return
        self._wanted_row = row
        index = self._cue_model.index(row)
        rect = self.visualRect(index)
        margin = min(rect.height(), self.viewport().height() // 4)
        if rect.top() < margin or rect.bottom() > self.viewport().height() - margin:
            self.scrollTo(index, QListView.ScrollHint.PositionAtCenter)

    def row_at_top(self) -> int:
        """Return the first row in view, 0 without any."""
        return self._heights.row_at(self.verticalOffset())

    def time_at_top(self) -> str:
        """Return the first visible cue's time."""
        cues = self._session.cues
        row = self.row_at_top()
        return clock(cues[row].time.start_ms) if row < len(cues) else ""

    # -- where rows stand -----------------------------------------------------------------------

    def visualRect(self, index: AnyIndex) -> QRect:
        """Return where a row stands in the viewport, also outside of it."""
        row = index.row()
        if not index.isValid() or row >= self._heights.count:
            return QRect()
        return QRect(0, self._heights.top(row) - self.verticalOffset(), self.viewport().width(), self._heights.height(row))

    def indexAt(self, point: QPoint) -> QModelIndex:
        """Return the row at a place of the viewport, none below the last one."""
        place = point.y() + self.verticalOffset()
        if not 0 <= place < self._heights.total:
            return QModelIndex()
        return self._cue_model.index(self._heights.row_at(place))

    def verticalOffset(self) -> int:
        """Return how many pixels of the rows are above the view."""
        return self.verticalScrollBar().value()

    def horizontalOffset(self) -> int:
        """Rows are as wide as the view."""
        return 0

    def isIndexHidden(self, index: AnyIndex) -> bool:
        """No row is hidden."""
        return False

    def visualRegionForSelection(self, selection: object) -> QRegion:
        """Return the whole view: what is selected is drawn by the selection of the window."""
        return QRegion(self.viewport().rect())

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        """Select the one row at a place."""
        index = self.indexAt(rect.center())
        if index.isValid():
            self.selectionModel().select(index, command)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Return the row that a key goes to: up, down, a page, the first or the last."""
        moves = QAbstractItemView.CursorAction
        here = max(0, self.currentIndex().row())
        last = self._heights.count - 1
        page = self.viewport().height()
        match action:
            case moves.MoveUp | moves.MovePrevious | moves.MoveLeft:
                row = here - 1
            case moves.MoveDown | moves.MoveNext | moves.MoveRight:
                row = here + 1
            case moves.MovePageUp:
                row = self._heights.row_at(self._heights.top(here) - page)
            case moves.MovePageDown:
                row = self._heights.row_at(self._heights.top(here) + page)
            case moves.MoveHome:
                row = 0
            case _:
                row = last
        return self._cue_model.index(max(0, min(last, row))) if last >= 0 else QModelIndex()

    def scrollTo(self, index: AnyIndex, hint: QListView.ScrollHint = QListView.ScrollHint.EnsureVisible) -> None:
        """Bring a row into view, a third down (for `PositionAtCenter`) or by the shortest way."""
        row = index.row()
        if not index.isValid() or row >= self._heights.count:
            return
        page, is_centered = self.viewport().height(), hint == QListView.ScrollHint.PositionAtCenter
        self._measure([row])
        self._measure(self._around(row, page // 2, page // 2 + self._heights.height(row)) if is_centered else self._around(row))
        top, height = self._heights.top(row), self._heights.height(row)
        offset = self.verticalOffset()
        if is_centered:
            self._place(self._third_above(row))
            self._settle(0, page)  # at either end of all rows more of them are in view on one side
            self._place(self._third_above(row))
        elif top < offset or height > page:
            self._place(top)
        elif top + height > offset + page:
            self._place(top + height - page)

    def _third_above(self, row: int) -> int:
        """Return the offset with a row about a third down the view and a whole row at the top of it."""
        heights, page = self._heights, self.viewport().height()
        first = heights.row_at(heights.top(row) - page // 3)
        bottom = heights.top(row) + heights.height(row)
        while first < row and bottom - heights.top(first) > page:
            first += 1
        return heights.top(first)

    # -- measuring --------------------------------------------------------------------------------

    def doItemsLayout(self) -> None:
        """Nothing is laid out ahead: rows are measured as the view comes near them."""
        QAbstractItemView.doItemsLayout(self)

    def reset(self) -> None:
        """Forget every height: the cues are others."""
        self._wanted_row, self._width = -1, -1
        self._heights = RowHeights()
        self.verticalScrollBar().setValue(0)
        super().reset()
        self.updateGeometries()

    def updateGeometries(self) -> None:
        """Fit the scroll bar to the rows; where the width is another one, measure again and keep what stood at the top."""
        if not hasattr(self, "_cue_model"):
            return  # asked for by Qt while the list is being made
        width, rows = self.viewport().width(), self._cue_model.rowCount()
        if width != self._width or rows != self._heights.count:
            top = self.row_at_top()
            self._width = width
            self._heights = RowHeights(rows, self._usual_height(rows, width))
            self._fit_bar()
            self._place(self._heights.top(min(top, rows)))
        self._fit_bar()
        self._settle()
        QAbstractItemView.updateGeometries(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the row that was asked for in view, else the one at the top."""
        QAbstractItemView.resizeEvent(self, event)
        self.updateGeometries()
        if self._wanted_row >= 0:
            self.show_row(self._wanted_row)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Measure the rows that come near, then draw."""
        if not self._is_placing:
            self._settle()
        self.viewport().update()

    def _usual_height(self, rows: int, width: int) -> int:
        cues = self._session.cues
        sample = range(0, rows, max(1, rows // _SAMPLE))
        return round(sum(self._delegate.height(cues[row], width) for row in sample) / max(1, len(sample)))

    def _settle(self, above: int | None = None, below: int | None = None) -> None:
        """Measure the rows in view and a page above and below, or as many pixels of them as are said."""
        if self._heights.count:
            self._measure(self._around(self.row_at_top(), above, below))

    def _around(self, row: int, above: int | None = None, below: int | None = None) -> Iterable[int]:
        """Yield the rows from a row on and then those before it; each one may be measured before the next is asked for.

        `above` and `below` are how many pixels of rows; usually a page before the row and two from it on.
        """
        page, count = self.viewport().height(), self._heights.count
        room, at = 2 * page if below is None else below, row
        while at < count and room > 0:
            yield at
            room -= self._heights.height(at)
            at += 1
        room, at = page if above is None else above, row - 1
        while at >= 0 and room > 0:
            yield at
            room -= self._heights.height(at)
            at -= 1

    def _measure(self, rows: Iterable[int]) -> None:
        """Measure rows; what stands at the top of the view stays there."""
        heights, cues = self._heights, self._session.cues
        top = self.row_at_top()
        inside = self.verticalOffset() - heights.top(top)
        total = heights.total
        has_measured = False
        for row in rows:
            if not heights.is_measured(row):
                heights.measure(row, self._delegate.height(cues[row], self._width))
                has_measured = True
        if has_measured:
            if heights.total != total:
                self._fit_bar()
            self._place(heights.top(top) + min(inside, heights.height(top) - 1))
            self.moved.emit()

    def _fit_bar(self) -> None:
        bar, page = self.verticalScrollBar(), self.viewport().height()
        self._is_placing = True
        bar.setPageStep(page)
        bar.setSingleStep(max(8, page // 12))
        bar.setRange(0, max(0, self._heights.total - page))
        self._is_placing = False

    def _place(self, offset: int) -> None:
        """Scroll there; the rows that come into view are measured."""
        was_placing, self._is_placing = self._is_placing, True
        self.verticalScrollBar().setValue(offset)
        self._is_placing = was_placing
        self.viewport().update()

    # -- drawing and input --------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows that the region to be drawn touches."""
        heights, option = self._heights, QStyleOptionViewItem()
        self.initViewItemOption(option)
        painter = QPainter(self.viewport())
        row, offset = self.row_at_top(), self.verticalOffset()
        top = heights.top(row) - offset
        while row < heights.count and top < self.viewport().height():
            rect = QRect(0, top, self.viewport().width(), heights.height(row))
            if event.region().intersects(rect):
                option.rect = rect
                self._delegate.paint(painter, option, self._cue_model.index(row))
            top += heights.height(row)
            row += 1
        painter.end()

    def dataChanged(self, top_left: AnyIndex, bottom_right: AnyIndex, roles: Sequence[int] = ()) -> None:
        """Do nothing: heights depend on the text alone, and what is drawn of claims follows the session itself."""

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
            self._wanted_row = self.currentIndex().row()

    def keyboardSearch(self, search: str) -> None:
        """Letters are actions here, and Ctrl+F finds."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolling by hand takes precedence over the row that was asked for."""
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

    def _on_scrolled_by_hand(self, _action: int) -> None:
        self._wanted_row = -1

    def _on_selection_cue_changed(self) -> None:
        row = self._selection.cue_index
        if row is not None and row != self.currentIndex().row():
            self.setCurrentIndex(self._cue_model.index(row))
        self.viewport().update()

    def _on_session_changed(self, changes: Changes) -> None:
        """Draw again where a verdict or a state is another: most keys typed in a draft change none."""
        session = self._session
        if not changes & _SEEN_HERE:
            return
        seen = (session.verdicts, session.states, session.cues, session.shown_track_id, session.reference_id)
        if seen != self._seen:  # the same verdicts are equal without being looked through
            self._seen = seen
            self.viewport().update()
            self.moved.emit()

    def _on_theme_changed(self) -> None:
        self._delegate.take_fonts()
        self._width = -1  # every row is measured again
        self.updateGeometries()
