"""The gates as one line: each open or closed with its sign and word; a click shows its evidence and what may be done."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from quoteview.app.selection import Selection
from quoteview.app.session import Session
from quoteview.app.states import Changes, ClaimState
from quoteview.core.gates import Gate
from quoteview.core.job import Standing
from quoteview.ui.plain import plain_tip
from quoteview.ui.signs import sign_icon
from quoteview.ui.theme import Theme, set_role

GATES = ("lock", "inventory", "lossless", "order", "complete", "quotes", "checker")
_LOCK = GATES[0]
_MOST_DEFECTS = 12
_ONE_CHIP_BELOW = 640
_ACKNOWLEDGED = frozenset({"lossless", "order", "complete"})
"""The gates that a person may open by an act of their own; `inventory` is opened by waiving tracks by name."""


class GatesBar(QWidget):
    """The seven gates of the current draft."""

    action_requested = Signal(str)

    def __init__(self, session: Session, selection: Selection, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self.setAccessibleName(self.tr("Gates"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(20, 2, 8, 4)
        layout.setSpacing(6)
        title = QLabel(self.tr("Gates"), self)
        set_role(title, "muted")
        layout.addWidget(title)
        self._buttons = {name: self._made(name) for name in GATES}
        for button in self._buttons.values():
            layout.addWidget(button)
        self._chip = self._made("")
        layout.addWidget(self._chip)
        layout.addStretch(1)
        session.changed.connect(self._on_session_changed)
        theme.changed.connect(self._refresh)
        self._refresh()

    def open_gate(self, name: str) -> None:
        """Show a gate's evidence above the bar."""
        gate = next((found for found in self._session.gates if found.name == name), None)
        button = self._buttons[name]
        if gate is not None:
            popup = GatePopup(gate, self._session, self._theme, self)
            popup.show_above(button if button.isVisible() else self._chip)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow window the gates become one chip."""
        super().resizeEvent(event)
        self._refresh()

    def _made(self, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setAutoRaise(True)
        button.setIconSize(QSize(14, 14))
        button.clicked.connect(lambda _checked=False, wanted=name: self.open_gate(wanted or self._first_closed()))
        return button

    def _first_closed(self) -> str:
        return next((gate.name for gate in self._session.gates if not gate.is_open), GATES[0])

    def _on_session_changed(self, changes: Changes) -> None:
        if changes & (Changes.JOB | Changes.GATES | Changes.VERDICTS | Changes.RESOLUTIONS | Changes.LOCK | Changes.SWITCHED):
            self._refresh()

    def _refresh(self) -> None:
        gates = {gate.name: gate for gate in self._session.gates}
        counts = self._session.counts
        is_one_chip = self.width() < self._theme.pixels(_ONE_CHIP_BELOW)
        for name, button in self._buttons.items():
            gate = gates.get(name)
            state = _state_of(gate, gates.get(_LOCK))
            word = self._word_for(gate, state)
            text = (
                name
                if name != "quotes" or not counts.total
                else f"quotes {counts.total - counts.to_do - counts.to_verify}/{counts.total}"
            )
            button.setText(f" {text}")
            button.setIcon(sign_icon(state, self._theme))
            button.setAccessibleName(self.tr("gate {name}, {word}").format(name=name, word=word))
            button.setToolTip("" if gate is None else plain_tip(gate.evidence))
            button.setVisible(not is_one_chip)
        closed = sum(1 for gate in gates.values() if not gate.is_open)
        self._chip.setVisible(is_one_chip)
        self._chip.setIcon(sign_icon(ClaimState.TO_DO if closed or not gates else ClaimState.EXACT, self._theme))
        words = self.tr("{count} closed").format(count=closed) if closed else self.tr("all open")
        self._chip.setText(f" {words}")
        self._chip.setAccessibleName(self.tr("gates, {words}").format(words=words))

    def _word_for(self, gate: Gate | None, state: ClaimState) -> str:
        if gate is None:
            return self.tr("not judged yet")
        words = {ClaimState.EXACT: self.tr("open"), ClaimState.TO_DO: self.tr("closed")}
        return words.get(state, self.tr("counts for nothing: the lock is broken"))


def _state_of(gate: Gate | None, lock: Gate | None) -> ClaimState:
    """Return the state to draw a gate in: where the lock is broken, none is green."""
    if gate is None or (gate.is_open and lock is not None and not lock.is_open):
        return ClaimState.TO_VERIFY
    return ClaimState.EXACT if gate.is_open else ClaimState.TO_DO


class GatePopup(QFrame):
    """One gate: its evidence, its defects, and the act that the rules allow a person, with a reason."""

    def __init__(self, gate: Gate, session: Session, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._gate, self._session = gate, session
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_role(self, "pane")
        self.setAccessibleName(self.tr("Gate {name}").format(name=gate.name))
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(16, 12, 16, 14)
        self._layout.setSpacing(8)
        lock = next((each for each in session.gates if each.name == _LOCK), None)
        if _state_of(gate, lock) is ClaimState.TO_VERIFY:
            state = self.tr("counts for nothing: the lock is broken")
        else:
            state = self.tr("open") if gate.is_open else self.tr("closed")
        self._say(f"{gate.name} · {state}", "strong")
        self._say(gate.evidence, "")
        for defect in gate.defects[:_MOST_DEFECTS]:
            self._say("• " + defect, "muted")
        if len(gate.defects) > _MOST_DEFECTS:
            self._say(self.tr("and {count} more").format(count=len(gate.defects) - _MOST_DEFECTS), "muted")
        if gate.acknowledged is not None:
            known = gate.acknowledged
            self._say(
                self.tr("Acknowledged by {by}, {at}: {reason}").format(by=known.by, at=known.at, reason=known.reason), "muted"
            )
        self._offer_act()
        self.setFixedWidth(theme.pixels(520))

    def show_above(self, button: QWidget) -> None:
        """Show the popup above a button, inside the window."""
        self.adjustSize()
        corner = button.mapToGlobal(QPoint(0, 0))
        window = button.window().frameGeometry()
        x = max(window.left() + 8, min(corner.x(), window.right() - self.width() - 8))
        self.move(x, corner.y() - self.height() - 6)
        self.show()
        self.setFocus()

    def _offer_act(self) -> None:
        gate = self._gate
        if gate.is_open or self._session.is_read_only:
            return
        if gate.name in _ACKNOWLEDGED and gate.defects:
            self._ask(self.tr("Why it may pass"), self.tr("Acknowledge the list"), self._acknowledge)
        if gate.name == "inventory":
            for track in self._session.tracks:
                if track.standing is Standing.NOT_OBTAINED:
                    prompt = self.tr("Why {track} is not needed").format(track=track.id)
                    words = self.tr("Do without {track}").format(track=track.id)
                    self._ask(prompt, words, lambda why, name=track.id: self._waive(name, why))

    def _ask(self, prompt: str, words: str, act: object) -> None:
        assert callable(act)
        row = QHBoxLayout()
        reason = QLineEdit(self)
        reason.setPlaceholderText(prompt)
        reason.setAccessibleName(prompt)
        button = QPushButton(words, self)
        button.setEnabled(False)
        reason.textChanged.connect(lambda text: button.setEnabled(bool(text.strip())))
        button.clicked.connect(lambda _checked=False: act(reason.text().strip()))
        reason.returnPressed.connect(button.click)
        row.addWidget(reason, 1)
        row.addWidget(button)
        self._layout.addLayout(row)

    def _acknowledge(self, reason: str) -> None:
        self._session.acknowledge(self._gate.name, reason)
        self.close()

    def _waive(self, track_id: str, reason: str) -> None:
        self._session.waive(track_id, reason)
        self.close()

    def _say(self, text: str, role: str) -> None:
        label = QLabel(text, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        set_role(label, role)
        self._layout.addWidget(label)
