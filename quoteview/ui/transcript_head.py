"""The head of the transcript pane: the track with its language, origin and lock, the menu of tracks, and the find bar."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QLocale, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QMenu, QSizePolicy, QToolButton, QWidget

from quoteview.app.session import Session
from quoteview.app.states import Changes, Phase
from quoteview.core.job import Standing, TrackRecord
from quoteview.ui.plain import plain_tip, without_keys
from quoteview.ui.signs import Glyph, glyph_icon
from quoteview.ui.theme import Theme, set_role


class TranscriptHead(QFrame):
    """Says which track is shown, of which language and origin, and whether it is locked."""

    find_requested = Signal()
    track_chosen = Signal(str)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        set_role(self, "header")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title = _plain(self.tr("Transcript"), "strong", self)
        self._track = QToolButton(self)
        self._track.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._track.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self._track.setAccessibleName(self.tr("Track shown"))
        set_role(self._track, "chip")
        self._menu = QMenu(self)
        self._track.setMenu(self._menu)
        self._lock_sign = QLabel(self)
        self._lock = _plain("", "muted", self)
        self._lock.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._lock.setMinimumWidth(self._lock.fontMetrics().horizontalAdvance(self.tr("lock broken")) + 4)
        self._find = QToolButton(self)
        self._find.setText(self.tr("Find  Ctrl+F"))
        self._find.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._find.setAutoRaise(True)
        set_role(self._find, "link")
        self._find.clicked.connect(self.find_requested)
        self._row = layout = QHBoxLayout(self)
        self.set_low(False)
        layout.setSpacing(10)
        for widget in (self._title, self._track, self._lock_sign):
            layout.addWidget(widget)
        layout.addWidget(self._lock, 1)
        layout.addWidget(self._find)
        session.changed.connect(self._on_session_changed)
        theme.changed.connect(self._refresh)
        self._refresh()

    def set_low(self, is_low: bool) -> None:
        """Take less room above and below, in a window that has little."""
        edge = 2 if is_low else 8
        self._row.setContentsMargins(16, edge, 12, edge)

    def _on_session_changed(self, changes: Changes) -> None:
        if changes & (Changes.JOB | Changes.TRACKS | Changes.LOCK | Changes.RESOLUTIONS):
            self._refresh()

    def _refresh(self) -> None:
        session = self._session
        shown = next((track for track in session.tracks if track.id == session.shown_track_id), None)
        self._track.setText(without_keys(self._chip_words(shown)) + "  ▾" if shown else self.tr("no track"))
        self._track.setToolTip(plain_tip(track_words(self, shown)) if shown else "")
        self._track.setEnabled(bool(session.tracks))
        is_broken = session.phase is Phase.LOCK_BROKEN
        set_role(self._track, "chip_unknown" if is_broken else "chip")
        glyph = Glyph.LOCK_BROKEN if is_broken else Glyph.LOCK
        self._lock_sign.setPixmap(glyph_icon(glyph, self._theme, "to_do" if is_broken else "muted").pixmap(14, 14))
        self._lock_sign.setVisible(shown is not None)
        self._lock.setText(self._lock_words(shown, is_broken))
        self._find.setIcon(glyph_icon(Glyph.FIND, self._theme, "muted"))
        self._fill_menu()

    def _chip_words(self, shown: TrackRecord) -> str:
        """Return language and origin; the name only where they do not tell the track from the job's others."""
        words = language_and_origin(self, shown)
        others = [language_and_origin(self, track) for track in self._session.tracks if track.id != shown.id]
        return track_words(self, shown) if words in others else words

    def _lock_words(self, shown: TrackRecord | None, is_broken: bool) -> str:
        if shown is None:
            return ""
        if is_broken:
            return self.tr("lock broken")
        if shown.id != self._session.reference_id:
            return self.tr("locked · not the reference")
        return self.tr("locked")

    def _fill_menu(self) -> None:
        self._menu.clear()
        for track in self._session.tracks:
            words = track_words(self, track)
            if track.id == self._session.reference_id:
                words += " · " + self.tr("reference")
            if track.standing is not Standing.LOCKED:
                standing = self.tr("listed, not fetched") if track.standing is Standing.LISTED else self.tr("not obtained")
                words += " · " + standing
            action = QAction(without_keys(words), self._menu)
            action.setCheckable(True)
            action.setChecked(track.id == self._session.shown_track_id)
            action.setEnabled(track.standing is Standing.LOCKED)
            action.setData(track.id)
            action.triggered.connect(self._on_action_triggered)
            self._menu.addAction(action)

    def _on_action_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.track_chosen.emit(str(action.data()))


class FindBar(QWidget):
    """Looks for words as they are typed; Enter and Shift+Enter walk the hits, Esc closes."""

    needle_changed = Signal(str)
    step_requested = Signal(int)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._needle = QLineEdit(self)
        self._needle.setPlaceholderText(self.tr("Find in the captions"))
        self._needle.setAccessibleName(self.tr("Find in the captions"))
        self._needle.setClearButtonEnabled(True)
        self._needle.textChanged.connect(self.needle_changed)
        self._count = _plain("", "muted", self)
        self._count.setAccessibleName(self.tr("Hits"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 6, 12, 6)
        layout.addWidget(self._needle, 1)
        layout.addWidget(self._count)
        for glyph, name, step in ((Glyph.ARROW_UP, self.tr("Hit before"), -1), (Glyph.ARROW_DOWN, self.tr("Next hit"), 1)):
            button = QToolButton(self)
            button.setIcon(glyph_icon(glyph, theme))
            button.setAccessibleName(name)
            button.setAutoRaise(True)
            button.clicked.connect(lambda _checked=False, by=step: self.step_requested.emit(by))
            layout.addWidget(button)

    def open(self) -> None:
        """Show the bar with the cursor in it."""
        self.show()
        self._needle.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._needle.selectAll()
        if self._needle.text():
            self.needle_changed.emit(self._needle.text())

    @property
    def needle(self) -> str:
        """What is looked for."""
        return self._needle.text()

    def show_count(self, number: int, total: int, is_asked: bool) -> None:
        """Show which of how many hits is selected."""
        if not is_asked:
            self._count.setText("")
        elif not total:
            self._count.setText(self.tr("nothing found"))
        else:
            self._count.setText(self.tr("{number} of {total}").format(number=number, total=total))

    def event(self, event: QEvent) -> bool:
        """While the bar has the focus Esc is its own, also where it would stop long work."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter walks on, Shift+Enter back, Esc closes."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step_requested.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


def track_words(widget: QWidget, track: TrackRecord) -> str:
    """Return a track as words: its language, its origin, its name where it has one."""
    words = language_and_origin(widget, track)
    return f"{words} · {track.name}" if track.name and track.name not in words else words


def language_and_origin(widget: QWidget, track: TrackRecord) -> str:
    """Return `English · human`."""
    origins = {
        "human": widget.tr("human"),
        "automatic": widget.tr("automatic"),
        "translated": widget.tr("machine translation"),
        "unknown": widget.tr("origin unknown"),
    }
    return f"{language_name(track.language) or widget.tr('language unknown')} · {origins[track.origin]}"


def language_name(tag: str) -> str:
    """Return a language tag's name in English as Qt knows it, the tag itself where it does not, "" for ""."""
    if not tag:
        return ""
    language = QLocale.codeToLanguage(tag.split("-")[0])
    known = language not in (QLocale.Language.AnyLanguage, QLocale.Language.C)
    name = QLocale.languageToString(language) if known else tag
    rest = tag.partition("-")[2]
    return f"{name} ({rest})" if known and rest else name


def _plain(text: str, role: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    set_role(label, role)
    return label
