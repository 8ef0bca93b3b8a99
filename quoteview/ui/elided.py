"""Texts of any length in a place of any width: what does not fit is cut with an ellipsis and stands in the tool tip."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QLabel,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStyleOptionFrame,
    QStylePainter,
    QWidget,
)

from quoteview.ui.plain import plain_tip
from quoteview.ui.theme import set_role

_LEAST_LETTERS = 8


class ElidedLabel(QLabel):
    """A label of one line in one of the style sheet's roles. `text()` stays whole, for a screen reader too."""

    def __init__(self, text: str, role: str, parent: QWidget, *, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__(text, parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        set_role(self, role)

    def minimumSizeHint(self) -> QSize:
        """Return the size of a few letters."""
        usual = super().minimumSizeHint()
        return QSize(min(usual.width(), self.fontMetrics().averageCharWidth() * _LEAST_LETTERS), usual.height())

    def event(self, event: QEvent) -> bool:
        """Give the whole text as tool tip where some of it is cut and nothing else is said."""
        if event.type() == QEvent.Type.ToolTip and not self.toolTip() and self._shown() != self.text():
            self.setToolTip(plain_tip(self.text()))
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what fits, from the left whatever its script is, as the rows around it stand."""
        painter = QPainter(self)
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter),
            option.palette,
            self.isEnabled(),
            self._shown(),
            self.foregroundRole(),
        )

    def _shown(self) -> str:
        return self.fontMetrics().elidedText(self.text(), self._mode, self.contentsRect().width())


class ElidedButton(QPushButton):
    """A button whose text is somebody else's, a title: no letter of it is a mnemonic. `title` is the whole of it."""

    def __init__(self, title: str, role: str, parent: QWidget) -> None:
        super().__init__(title.replace("&", "&&"), parent)
        self.title = title
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        set_role(self, role)

    def minimumSizeHint(self) -> QSize:
        """Return the size of a few letters."""
        usual = super().sizeHint()
        return QSize(min(usual.width(), self.fontMetrics().averageCharWidth() * _LEAST_LETTERS), usual.height())

    def event(self, event: QEvent) -> bool:
        """Give the whole title as tool tip where some of it is cut and nothing else is said."""
        if event.type() == QEvent.Type.ToolTip and not self.toolTip() and self.width() < self.sizeHint().width():
            self.setToolTip(plain_tip(self.title))
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the button with what fits of its title."""
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        room = self.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, self).width()
        shown = self.fontMetrics().elidedText(self.title, Qt.TextElideMode.ElideRight, room)
        option.text = shown.replace("&", "&&")
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
