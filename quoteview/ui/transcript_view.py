"""The transcript pane: the locked cues as a list, with times, speakers, matches underlined where they stand, and find.

The reference is read-only, and another track of the job can be looked at. `cue_list` has the rows, `cue_painter` how one
of them is drawn.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from quoteview.app.cue_search import CueSearch
from quoteview.app.selection import Selection
from quoteview.app.session import Session
from quoteview.app.states import Changes
from quoteview.ui.cue_list import CueList
from quoteview.ui.theme import Theme, set_role
from quoteview.ui.transcript_head import FindBar, TranscriptHead


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
        self.head = TranscriptHead(session, theme, self)
        self._find = FindBar(theme, self)
        self.cues = CueList(session, selection, theme, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 3)
        layout.setSpacing(0)
        for widget in (self.head, self._find, self.cues):
            layout.addWidget(widget)
        layout.setStretch(2, 1)
        self.setFocusProxy(self.cues)
        self._find.hide()
        self.head.find_requested.connect(self.show_find)
        self.head.track_chosen.connect(session.show_track)
        self._find.needle_changed.connect(self._on_find_needle_changed)
        self._find.step_requested.connect(self._on_find_step_requested)
        self._find.closed.connect(self._on_find_closed)
        self.cues.moved.connect(self.view_moved)
        selection.claim_changed.connect(self._on_selection_claim_changed)
        session.changed.connect(self._on_session_changed)
        self._search = CueSearch()
        self._count = 0
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
        self._look_for(needle)
        if self._count:
            self._on_find_step_requested(1)

    def _look_for(self, needle: str) -> None:
        if self._search.cues is not self._session.cues:
            self._search = CueSearch(self._session.cues)
        self._count = self._search.look_for(needle)
        self._hit = -1
        self.cues.light(self._search)
        self._find.show_count(0, self._count, bool(needle))

    def _on_find_step_requested(self, step: int) -> None:
        if not self._count:
            return
        if self._hit < 0:
            self._hit = self._search.first_from(self.cues.row_at_top())
        else:
            self._hit = (self._hit + step) % self._count
        row = self._search.row_of(self._hit)
        self.cues.light(self._search, self._hit)
        self._selection.select_cue(row)
        self.cues.show_row(row)
        self._find.show_count(self._hit + 1, self._count, True)

    def _on_find_closed(self) -> None:
        self._search.look_for("")
        self._count = 0
        self.cues.light(self._search)
        self._find.hide()
        self.cues.setFocus()

    def _on_session_changed(self, _changes: Changes) -> None:
        """Look again where another track is shown: its hits are others, and where the walk stood is in none of its rows."""
        if self._search.cues is not self._session.cues and not self._find.isHidden():
            self._look_for(self._find.needle)
