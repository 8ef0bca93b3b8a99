"""The gates as a list with their evidence: what the resolve panel shows where nothing is left to resolve."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from quoteview.app.states import ClaimState
from quoteview.core.gates import Gate
from quoteview.ui.signs import paint_sign
from quoteview.ui.theme import FontRole, Theme

_ROW = 18
"""All seven gates are to be seen at once in a panel of the usual height."""
_SIGN = 14
_NAME = 92


class GateLines(QWidget):
    """One line a gate: sign, name, and the sentence of its evidence, cut at the end where it is too long."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._gates: tuple[Gate, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Gates and their evidence"))
        theme.changed.connect(self.updateGeometry)

    def show_gates(self, gates: tuple[Gate, ...]) -> None:
        """Show these gates; none hides the list."""
        self._gates = gates
        words = {True: self.tr("open"), False: self.tr("closed")}
        self.setAccessibleDescription(" ".join(f"{gate.name}: {words[gate.is_open]}. {gate.evidence}" for gate in gates))
        self.setVisible(bool(gates))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the room for all lines."""
        return QSize(300, self._theme.pixels(_ROW) * len(self._gates))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines."""
        painter = QPainter(self)
        colors, row, sign = self._theme.palette, self._theme.pixels(_ROW), self._theme.pixels(_SIGN)
        name_left = sign + 10
        left = name_left + self._theme.pixels(_NAME)
        small = QFontMetricsF(self._theme.font(FontRole.SMALL))
        for number, gate in enumerate(self._gates):
            top = number * row
            state = ClaimState.EXACT if gate.is_open else ClaimState.TO_DO
            paint_sign(painter, QRectF(1, top + (row - sign) / 2, sign, sign), state, self._theme)
            painter.setFont(self._theme.font(FontRole.STRONG))
            painter.setPen(colors.color("text"))
            painter.drawText(QRectF(name_left, top, left - name_left, row), Qt.AlignmentFlag.AlignVCenter, gate.name)
            painter.setFont(self._theme.font(FontRole.SMALL))
            painter.setPen(colors.color("muted"))
            room = max(20.0, self.width() - left)
            words = small.elidedText(gate.evidence, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(left, top, room, row), Qt.AlignmentFlag.AlignVCenter, words)
        painter.end()
