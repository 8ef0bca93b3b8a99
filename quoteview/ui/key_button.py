"""A button with its words and, behind them, the key that does the same, drawn as a small key cap."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QStyle, QStyleOptionButton, QStylePainter, QWidget

from quoteview.ui.theme import FontRole, Theme, set_role

_GAP = 8
_CAP_PADDING = 6
_SIDE = 11


class KeyButton(QPushButton):
    """A button that shows its key. A link shows the key as plain text, any other in a rounded box."""

    def __init__(self, words: str, key: str, theme: Theme, parent: QWidget, *, role: str = "") -> None:
        super().__init__(words, parent)
        self._key = key
        self._theme = theme
        if role:
            set_role(self, role)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleDescription(self.tr("key {key}").format(key=key) if key else "")

    @property
    def key(self) -> str:
        """The key shown, "" for none."""
        return self._key

    def sizeHint(self) -> QSize:
        """Return the room for words and key cap."""
        words = QFontMetricsF(self.font()).horizontalAdvance(self.text())
        cap = self._cap_width() + _GAP if self._key else 0.0
        side = 6 if self.property("role") == "link" else _SIDE
        return QSize(round(words + cap + 2 * side + 2), max(self._theme.pixels(34), super().sizeHint().height()))

    def minimumSizeHint(self) -> QSize:
        """Words and key are never cut."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the button's ground as the style has it, then the words and the key."""
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.setRenderHint(QStylePainter.RenderHint.Antialiasing)
        cap = self._cap_width() + _GAP if self._key else 0.0
        words = QFontMetricsF(self.font()).horizontalAdvance(self.text())
        left = (self.width() - words - cap) / 2
        is_mirrored = self.isRightToLeft()
        painter.setFont(self.font())
        painter.setPen(self._ink())
        start = self.width() - left - words if is_mirrored else left
        painter.drawText(QRectF(start, 0, words + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, self.text())
        if self._key:
            self._paint_key(painter, left if is_mirrored else left + words + _GAP)
        painter.end()

    def _paint_key(self, painter: QStylePainter, left: float) -> None:
        font = self._theme.font(FontRole.SMALL)
        height = QFontMetricsF(font).height() + 4
        box = QRectF(left, (self.height() - height) / 2, self._cap_width(), height)
        colors = self._theme.palette
        painter.setFont(font)
        match self.property("role"):
            case "link":
                painter.setPen(self._ink())
            case "primary" if self.isEnabled():
                edge = QColor(colors.color("on_accent"))
                edge.setAlphaF(0.45)
                painter.setPen(QPen(edge, 1))
                painter.setBrush(colors.color("accent_pressed"))
                painter.drawRoundedRect(box, 4, 4)
                painter.setPen(colors.color("on_accent"))
            case _:
                painter.setPen(QPen(colors.color("border"), 1))
                painter.setBrush(colors.color("surface"))
                painter.drawRoundedRect(box, 4, 4)
                painter.setPen(colors.color("muted"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._key)

    def _cap_width(self) -> float:
        font = self._theme.font(FontRole.SMALL)
        width = QFontMetricsF(font).horizontalAdvance(self._key)
        if self.property("role") == "link":
            return width
        return max(width + 2 * _CAP_PADDING, QFontMetricsF(font).height() + 4)

    def _ink(self) -> QColor:
        colors = self._theme.palette
        if not self.isEnabled():
            return colors.color("muted")
        match self.property("role"):
            case "primary":
                return colors.color("on_accent")
            case "link":
                return colors.color("accent")
            case _:
                return colors.color("text")
