"""The draft pane: its head, and under it the editor on a page that is pleasant to read."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from quoteview.app.selection import Selection
from quoteview.app.session import Session
from quoteview.app.states import Changes, Saving
from quoteview.ui.draft_editor import DraftEditor
from quoteview.ui.elided import ElidedLabel
from quoteview.ui.theme import Theme, set_role


class DraftView(QFrame):
    """The pane with its head and the editor."""

    action_requested = Signal(str)
    view_moved = Signal()

    def __init__(self, session: Session, selection: Selection, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self.setAccessibleName(self.tr("Draft"))
        set_role(self, "pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.head = _DraftHead(session, self)
        self.head.action_requested.connect(self.action_requested)
        self.editor = DraftEditor(session, selection, theme, self)
        self.editor.moved.connect(self.view_moved)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 3)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(self.editor, 1)
        self.setFocusProxy(self.editor)

    def head_words(self) -> tuple[str, str]:
        """Return the draft's name and how it is saved, as the head says them."""
        return self.head.words()

    def claim_rect(self, claim_id: int) -> QRectF | None:
        """Return where a claim stands in this widget, also outside the visible part."""
        rect = self.editor.claim_rect(claim_id)
        if rect is None:
            return None
        return rect.translated(QPointF(self.editor.viewport().mapTo(self, self.editor.viewport().rect().topLeft())))

    def visible_span(self) -> tuple[float, float]:
        """Return the top and bottom of the part of this widget in which text shows."""
        top = self.editor.viewport().mapTo(self, self.editor.viewport().rect().topLeft()).y()
        return float(top), float(top + self.editor.viewport().height())

    def bring_into_view(self, claim_id: int) -> None:
        """Scroll so that a claim shows."""
        self.editor.bring_into_view(claim_id)


class _DraftHead(QFrame):
    """The draft's name, whether it is saved, and the way through what is to do."""

    action_requested = Signal(str)

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        set_role(self, "header")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._name = ElidedLabel("", "strong", self, mode=Qt.TextElideMode.ElideMiddle)
        self._state = QLabel(self)
        self._state.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self._state, "muted")
        self._row = layout = QHBoxLayout(self)
        self.set_low(False)
        layout.setSpacing(10)
        layout.addWidget(self._name)
        layout.addWidget(self._state)
        layout.addStretch(1)
        for text, action in ((self.tr("next to do  J"), "next_to_do"), (self.tr("back  K"), "previous_to_do")):
            button = QToolButton(self)
            button.setText(text)
            button.setAutoRaise(True)
            set_role(button, "link")
            button.clicked.connect(lambda _checked=False, name=action: self.action_requested.emit(name))
            layout.addWidget(button)
        session.changed.connect(self._on_session_changed)
        self._refresh()

    def set_low(self, is_low: bool) -> None:
        """Take less room above and below, in a window that has little."""
        edge = 2 if is_low else 8
        self._row.setContentsMargins(16, edge, 12, edge)

    def words(self) -> tuple[str, str]:
        """Return what stands in the head."""
        return self._name.text(), self._state.text()

    def _on_session_changed(self, changes: Changes) -> None:
        if changes & (Changes.JOB | Changes.SWITCHED | Changes.SAVING | Changes.DRAFT | Changes.DRAFT_OUTSIDE):
            self._refresh()

    def _refresh(self) -> None:
        session = self._session
        drafts = session.drafts
        if not 0 <= session.draft_index < len(drafts):
            self._name.setText("")
            self._state.setText("")
            return
        summary = drafts[session.draft_index]
        words = {
            Saving.SAVED: self.tr("saved"),
            Saving.UNSAVED: self.tr("not saved"),
            Saving.WRITING: self.tr("saving"),
            Saving.FAILED: self.tr("could not be saved"),
        }
        state = self.tr("read-only") if session.is_read_only else words[session.saving]
        if session.saving is Saving.SAVED and summary.is_unsaved:
            state = words[Saving.UNSAVED]
        if summary.is_changed_outside:
            state += " · " + self.tr("changed by another program")
        self._name.setText(summary.name)
        self._state.setText(state)
