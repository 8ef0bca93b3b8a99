"""The head of the window: title, drafts, player, counts and the button for the label."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from quoteview.app.player import Player
from quoteview.app.session import Session
from quoteview.app.states import Changes, DraftSummary, Phase
from quoteview.app.times import clock
from quoteview.ui.actions import ActionId
from quoteview.ui.elided import ElidedLabel
from quoteview.ui.plain import plain_tip
from quoteview.ui.signs import Glyph, glyph_icon
from quoteview.ui.start_page import CountsBar
from quoteview.ui.theme import Theme, set_role

_WITHOUT_PLAYER = 1060
_WITHOUT_COUNTS = 700


class Header(QFrame):
    """Shows the job's title and how far the draft is. `action_requested` carries an action's id."""

    action_requested = Signal(str)

    def __init__(self, session: Session, player: Player, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._player, self._theme = session, player, theme
        self._listed: tuple[tuple[DraftSummary, ...], int] = ((), -1)
        set_role(self, "header")
        self.setAccessibleName(self.tr("Job"))
        self.title = ElidedLabel("", "title", self)
        self.title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.read_only = _label("danger", self)
        self.read_only.setText(self.tr("read-only"))
        self.switcher = QToolButton(self)
        self.switcher.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.switcher.setAccessibleName(self.tr("Drafts of this job"))
        self.switcher.setMenu(QMenu(self.switcher))
        self.play = QToolButton(self)
        self.play.setIconSize(QSize(18, 18))
        self.play.setAccessibleName(self.tr("Play"))
        self.time = _label("mono", self)
        self.speed = _label("small", self)
        self.loop = QToolButton(self)
        self.loop.setText(self.tr("loop quote"))
        self.loop.setCheckable(True)
        self.loop.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.counts = CountsBar(session.counts, theme, self, has_words=True)
        self.to_do = _label("danger", self)
        self.label = QPushButton(self.tr("Label verified…"), self)
        self.label.setAccessibleName(self.tr("Label verified"))
        self._lay_out()
        self.play.clicked.connect(player.toggle)
        self.loop.clicked.connect(lambda: self.action_requested.emit(str(ActionId.LOOP)))
        self.label.clicked.connect(lambda: self.action_requested.emit(str(ActionId.LABEL)))
        player.changed.connect(self._show_player)
        player.moved.connect(self._show_time)
        session.changed.connect(self._on_session_changed)
        theme.changed.connect(self._show_all)
        self._show_all()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the player out of a narrow head, and the counts of a very narrow one."""
        super().resizeEvent(event)
        width = self.width() * 100 // self._theme.text_percent
        for widget in (self.play, self.time, self.speed, self.loop):
            widget.setVisible(width >= _WITHOUT_PLAYER)
        self.counts.setVisible(width >= _WITHOUT_COUNTS)

    def set_low(self, is_low: bool) -> None:
        """Take less room above and below, in a window that has little."""
        edge = 2 if is_low else 9
        self._row.setContentsMargins(20, edge, 20, edge)

    def _lay_out(self) -> None:
        self._row = layout = QHBoxLayout(self)
        layout.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)  # it folds; the window may be narrower
        self.set_low(False)
        layout.setSpacing(12)
        layout.addWidget(self.title)
        layout.addWidget(self.read_only)
        layout.addWidget(self.switcher)
        layout.addStretch(1)
        for widget in (self.play, self.time, self.speed, self.loop):
            layout.addWidget(widget)
        layout.addStretch(1)
        layout.addWidget(self.counts)
        layout.addWidget(self.to_do)
        layout.addWidget(self.label)

    def _on_session_changed(self, changes: Changes) -> None:
        if changes & ~(Changes.PROGRESS | Changes.HISTORY | Changes.SAVING):
            self._show_drafts()
            self._show_counts()
        if changes & (Changes.JOB | Changes.TRACKS):
            self._show_time()

    def _show_all(self) -> None:
        self.play.setIcon(glyph_icon(Glyph.PLAY, self._theme))
        self.loop.setIcon(glyph_icon(Glyph.LOOP, self._theme, "muted"))
        self._show_drafts()
        self._show_counts()
        self._show_player()

    def _show_drafts(self) -> None:
        session = self._session
        self.title.setText(session.job.title if session.job else "")
        self.title.setToolTip(plain_tip(self.title.text()))
        self.read_only.setVisible(session.is_read_only)
        drafts, here = session.drafts, session.draft_index
        self.switcher.setVisible(bool(drafts))
        if not 0 <= here < len(drafts):
            self.switcher.setText(self.tr("no draft"))
            self._listed = ((), -1)
            return
        if self._listed == (drafts, here):
            return
        self._listed = (drafts, here)
        several = self.tr("piece {number} of {total} · ").format(number=here + 1, total=len(drafts)) if len(drafts) > 1 else ""
        self.switcher.setText(f"{several}{drafts[here].name}" + (" ▾" if len(drafts) > 1 else ""))
        menu = self.switcher.menu()
        menu.clear()
        for index, draft in enumerate(drafts):
            said = self.tr("{name} · {to_do} to do of {total}").format(
                name=draft.name, to_do=draft.counts.to_do, total=draft.counts.total
            )
            action = menu.addAction(said.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(index == here)
            action.triggered.connect(lambda _checked=False, chosen=index: self._session.switch_draft(chosen))

    def _show_counts(self) -> None:
        session = self._session
        counts = session.counts
        self.counts.show_counts(counts)
        if session.phase is Phase.LOCK_BROKEN:
            text = self.tr("lock broken")
        elif counts.to_verify:
            text = self.tr("checking {done} of {total}").format(done=counts.total - counts.to_verify, total=counts.total)
        else:
            text = self.tr("%n quote(s) to do", "", counts.to_do) if counts.to_do else ""
            text = text.replace("quote(s)", "quote" if counts.to_do == 1 else "quotes")
        self.to_do.setText(text)
        set_role(self.to_do, "muted" if counts.to_verify and session.phase is not Phase.LOCK_BROKEN else "danger")
        refusal = session.label_refusal
        self.label.setEnabled(not refusal)
        self.label.setToolTip(plain_tip(refusal))
        self.label.setAccessibleDescription(refusal)
        set_role(self.label, "primary")

    def _show_player(self) -> None:
        absence = self._player.absence
        self.play.setEnabled(not absence)
        self.play.setToolTip(absence or self.tr("Play or pause"))
        self.play.setIcon(glyph_icon(Glyph.PAUSE if self._player.is_playing else Glyph.PLAY, self._theme))
        self.speed.setText(f"{self._player.rate:.2g}×" if self._player.rate != 1 else "1.0×")
        self.loop.setChecked(self._player.is_looping)
        self._show_time()

    def _show_time(self) -> None:
        whole = clock(self._session.duration_ms)
        self.time.setText(f"{clock(self._player.position_ms, tenths=True)} / {whole}")


def _label(role: str, parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    set_role(label, role)
    return label
