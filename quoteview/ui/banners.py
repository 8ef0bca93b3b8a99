"""Bars over the whole width that say one thing and offer what can be done about it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from quoteview.app.session import Session
from quoteview.app.states import Changes, Outside, Phase
from quoteview.core.errors import LockBroken
from quoteview.ui.actions import ActionId
from quoteview.ui.theme import Theme, set_role


class Banners(QWidget):
    """The bars that hold now: a job open read-only, a broken lock, drafts that changed outside, long work.

    `show_file_requested` carries the path of a locked file, relative to the job; `action_requested` an action's id.
    """

    show_file_requested = Signal(str)
    action_requested = Signal(str)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.work = _Work(session, self)
        self._bars = QVBoxLayout()
        self._bars.setSpacing(0)
        layout.addLayout(self._bars)
        layout.addWidget(self.work)
        session.changed.connect(self._on_session_changed)
        self._show()

    def _on_session_changed(self, changes: Changes) -> None:
        if changes & (Changes.LOCK | Changes.JOB | Changes.DRAFT_OUTSIDE | Changes.TRACKS):
            self._show()

    def _show(self) -> None:
        while (entry := self._bars.takeAt(0)) is not None:
            if (widget := entry.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        if self._session.is_read_only:
            self._bars.addWidget(self._read_only_bar())
        if self._session.phase is Phase.LOCK_BROKEN:
            for broken in self._session.broken_locks:
                self._bars.addWidget(self._lock_bar(broken))
        for outside in self._session.outside:
            self._bars.addWidget(self._outside_bar(outside))

    def _lock_bar(self, broken: LockBroken) -> QFrame:
        found = broken.observed or self.tr("no file")
        text = self.tr(
            "{file} is not the file that was locked. Expected {expected}…, found {found}. "
            "Nothing can be verified until the locked file is back."
        ).format(file=broken.file, expected=broken.expected[:12], found=found[:12] + ("…" if broken.observed else ""))
        buttons = {
            self.tr("Show the file"): lambda: self.show_file_requested.emit(broken.file),
            self.tr("Look again"): self._session.recheck,
        }
        if not self._session.is_read_only:
            buttons[self.tr("Open read-only")] = lambda: self.action_requested.emit(str(ActionId.OPEN_READ_ONLY))
        bar = _bar(text, buttons, "banner", self)
        bar.setToolTip(f"{broken.expected}\n{broken.observed}")
        return bar

    def _read_only_bar(self) -> QFrame:
        text = self.tr("Read-only: everything can be read, searched and copied here, and nothing is written.")
        buttons = {self.tr("Open for editing"): lambda: self.action_requested.emit(str(ActionId.OPEN_FOR_EDITING))}
        return _bar(text, buttons, "notice", self)

    def _outside_bar(self, outside: Outside) -> QFrame:
        if outside.is_gone:
            text = self.tr("{path} is no longer there. The text here is kept; saving writes it again.")
            buttons: dict[str, Callable[[], None]] = {
                self.tr("Keep the text here"): lambda: self._session.keep_mine(outside.draft)
            }
        elif outside.is_taken:
            text = self.tr("{path} was changed by another program; its text is shown now. Undo leads back.")
            buttons = {self.tr("Good"): lambda: self._session.keep_mine(outside.draft)}
        elif outside.has_conflict:
            text = self.tr("{path} was changed by another program, and there is unsaved text here. Which one holds?")
            buttons = {
                self.tr("Keep the text here"): lambda: self._session.keep_mine(outside.draft),
                self.tr("Take the file's text"): lambda: self._session.take_outside(outside.draft),
            }
        else:
            text = self.tr("{path} was changed by another program.")
            buttons = {
                self.tr("Take the file's text"): lambda: self._session.take_outside(outside.draft),
                self.tr("Keep the text here"): lambda: self._session.keep_mine(outside.draft),
            }
        return _bar(text.format(path=outside.path), buttons, "notice", self)


class _Work(QFrame):
    """A thin bar and a sentence for long work, with a way to stop it."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._line = QProgressBar(self)
        self._line.setTextVisible(False)
        self._line.setAccessibleName(self.tr("Progress"))
        layout.addWidget(self._line)
        session.changed.connect(self._on_session_changed)
        self._show()

    def _on_session_changed(self, changes: Changes) -> None:
        if Changes.PROGRESS in changes:
            self._show()

    def _show(self) -> None:
        progress = self._session.progress
        self.setFixedHeight(3)
        self._line.setVisible(progress is not None)
        if progress is not None:
            self._line.setRange(0, progress.total)
            self._line.setValue(progress.done)
            self._line.setAccessibleDescription(progress.sentence)


def _bar(text: str, buttons: dict[str, Callable[[], None]], role: str, parent: QWidget) -> QFrame:
    bar = QFrame(parent)
    set_role(bar, role)
    bar.setAccessibleName(text)
    layout = QHBoxLayout(bar)
    layout.setContentsMargins(20, 8, 20, 8)
    label = QLabel(text, bar)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    set_role(label, "strong")
    layout.addWidget(label, 1)
    for name, act in buttons.items():
        button = QPushButton(name, bar)
        button.clicked.connect(lambda _checked=False, do=act: do())
        layout.addWidget(button)
    return bar
