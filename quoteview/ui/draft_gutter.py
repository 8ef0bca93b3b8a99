"""The margin of the draft with the signs of its quotations; a click selects the one beside it."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QEvent, QPointF, QSize
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

GUTTER = 54
"""Pixels that the margin has at least."""


class Signs(Protocol):
    """What stands in the margin, and what is done with it."""

    def sign_at(self, place: QPointF) -> int | None:
        """Return the claim whose sign is at a place of the margin, or None."""

    def choose(self, claim_id: int | None) -> None:
        """Select a claim that was clicked in the margin."""

    def point_at(self, claim_id: int | None) -> None:
        """Say which claim is under the pointer."""

    def paint_gutter(self, painter: QPainter) -> None:
        """Draw the signs."""


class DraftGutter(QWidget):
    """The margin beside the text, drawn by `signs`."""

    def __init__(self, signs: Signs, parent: QWidget) -> None:
        super().__init__(parent)
        self._signs = signs
        self.setAccessibleName(self.tr("Signs of the quotations"))
        self.setMouseTracking(True)

    def sizeHint(self) -> QSize:
        """Return the margin's usual width."""
        return QSize(GUTTER, 0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the claim whose sign was clicked."""
        self._signs.choose(self._signs.sign_at(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell which claim is under the pointer."""
        self._signs.point_at(self._signs.sign_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """No claim is under the pointer any more."""
        self._signs.point_at(None)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the signs."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._signs.paint_gutter(painter)
        painter.end()
