from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from quoteview.app.states import ClaimState
from quoteview.ui.signs import Glyph, glyph_icon, paint_sign, sign_icon
from quoteview.ui.theme import Theme, ThemeKind


def _outline(state: ClaimState, theme: Theme, side: int) -> frozenset[tuple[int, int]]:
    """The pixels that a sign darkens when printed in black and white."""
    image = QImage(side, side, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    paint_sign(painter, QRectF(0, 0, side, side), state, theme)
    painter.end()
    return frozenset((x, y) for x in range(side) for y in range(side) if image.pixelColor(x, y).lightness() < 170)


@pytest.mark.parametrize("side", [12, 16, 32])
def test_signs_differ_in_black_and_white(qtbot: QtBot, side: int) -> None:
    theme = Theme(ThemeKind.LIGHT)
    shapes = [_outline(state, theme, side) for state in ClaimState]
    for number, one in enumerate(shapes):
        for other in shapes[number + 1 :]:
            assert len(one ^ other) > side * side * 0.1


def test_icons_come_in_the_size_asked_for(qtbot: QtBot) -> None:
    theme = Theme(ThemeKind.DARK)
    for icon in [*(sign_icon(state, theme) for state in ClaimState), *(glyph_icon(glyph, theme) for glyph in Glyph)]:
        assert icon.pixmap(24, 24).width() == 24


@pytest.mark.parametrize("size", [QSize(0, 0), QSize(16, 0), QSize(0, 16), QSize(-1, 16), QSize(1, 1)])
def test_a_sign_squeezed_to_nothing_is_not_painted(qtbot: QtBot, size: QSize) -> None:
    theme = Theme(ThemeKind.LIGHT)
    image = QImage(20, 20, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.white)
    blank = image.copy()
    painter = QPainter(image)
    for icon in [*(sign_icon(state, theme) for state in ClaimState), *(glyph_icon(glyph, theme) for glyph in Glyph)]:
        icon.paint(painter, QRect(QPoint(2, 2), size))
        assert icon.pixmap(size).isNull() is size.isEmpty()
    for state in ClaimState:
        paint_sign(painter, QRectF(2, 2, size.width(), size.height()), state, theme)
    painter.end()
    assert (image == blank) is size.isEmpty()
