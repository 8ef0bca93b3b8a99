"""The signs: the shape of each state of a claim, and the few pictures that the window uses, drawn as vectors.

Exact is a filled circle with a tick, to do a square with a cross, set aside a diamond, an exception a
triangle with an exclamation mark, to verify a hollow ring with a dot. They differ in outline, so that
they can be told apart at 12 pixels, in grey and in black and white.
"""

from __future__ import annotations

from enum import Enum, auto
from math import ceil

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from quoteview.app.states import ClaimState
from quoteview.ui.theme import Theme


class Glyph(Enum):
    """The pictures on buttons and in heads that are not a state of a claim."""

    LOCK = auto()
    LOCK_BROKEN = auto()
    PLAY = auto()
    PAUSE = auto()
    FIND = auto()
    MORE = auto()
    LOOP = auto()
    ARROW_UP = auto()
    ARROW_DOWN = auto()
    CLOSE = auto()
    FOLDER = auto()


def paint_sign(painter: QPainter, rect: QRectF, state: ClaimState, theme: Theme) -> None:
    """Draw the sign of a state so that it fills the rectangle; squares, diamonds and circles look equally heavy.

    A sign is drawn once for each size and kept with the theme: a strip of a thousand would cost more than the page.
    """
    if painter.transform().isScaling() or painter.transform().isRotating():
        _draw_sign(painter, rect, state, theme)
        return
    if rect.isEmpty():
        return
    side, ratio = min(rect.width(), rect.height()), painter.device().devicePixelRatio()
    key = (str(state), round(side * 8), round(ratio * 8))
    if key not in theme.pictures:
        pixmap = QPixmap(ceil(side * ratio), ceil(side * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        own = QPainter(pixmap)
        _draw_sign(own, QRectF(0, 0, side, side), state, theme)
        own.end()
        theme.pictures[key] = pixmap
    center = rect.center()
    painter.drawPixmap(QPointF(round(center.x() - side / 2), round(center.y() - side / 2)), theme.pictures[key])


def _draw_sign(painter: QPainter, rect: QRectF, state: ClaimState, theme: Theme) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    side = min(rect.width(), rect.height())
    painter.translate(rect.center().x() - side / 2, rect.center().y() - side / 2)
    painter.scale(side / 16, side / 16)
    color, ink = theme.look(state).color, theme.palette.color("on_sign")
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    _SIGNS[state](painter, color, ink)
    painter.restore()


def paint_underline(painter: QPainter, x_start: float, x_end: float, y: float, state: ClaimState, theme: Theme) -> None:
    """Draw the line of a state under a run of text: 2 px, solid, dashed, dotted, dash-dotted or dash-dot-dotted."""
    look = theme.look(state)
    pen = QPen(look.color, 2)
    match look.pen:
        case Qt.PenStyle.DashLine:
            pen.setDashPattern([5, 2])
        case Qt.PenStyle.DotLine:
            pen.setDashPattern([1.5, 1.5])
        case Qt.PenStyle.DashDotLine:
            pen.setDashPattern([5, 2, 1.5, 2])
        case Qt.PenStyle.DashDotDotLine:
            pen.setDashPattern([1, 3])
        case _:
            pen.setStyle(look.pen)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.drawLine(QPointF(x_start, y), QPointF(x_end, y))


def paint_glyph(painter: QPainter, rect: QRectF, glyph: Glyph, color: QColor) -> None:
    """Draw a picture in one colour so that it fills the rectangle."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    side = min(rect.width(), rect.height())
    painter.translate(rect.center().x() - side / 2, rect.center().y() - side / 2)
    painter.scale(side / 16, side / 16)
    painter.setPen(QPen(color, 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    _GLYPHS[glyph](painter, color)
    painter.restore()


def sign_icon(state: ClaimState, theme: Theme) -> QIcon:
    """Return the sign of a state as an icon that stays sharp in every size and on every screen."""
    return QIcon(_SignEngine(state, theme))


def glyph_icon(glyph: Glyph, theme: Theme, color: str = "text") -> QIcon:
    """Return a picture as an icon in a colour of the palette; it follows the theme."""
    return QIcon(_GlyphEngine(glyph, theme, color))


class _SignEngine(QIconEngine):
    def __init__(self, state: ClaimState, theme: Theme) -> None:
        super().__init__()
        self._state, self._theme = state, theme

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw the sign in the size asked for."""
        if not rect.isEmpty():
            _draw_sign(painter, QRectF(rect), self._state, self._theme)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Return the sign on a transparent ground."""
        return _pixmap(self, size, mode, state)

    def clone(self) -> QIconEngine:
        """Return an engine of the same sign."""
        return _SignEngine(self._state, self._theme)


class _GlyphEngine(QIconEngine):
    def __init__(self, glyph: Glyph, theme: Theme, color: str) -> None:
        super().__init__()
        self._glyph, self._theme, self._color = glyph, theme, color

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw the picture in the size asked for; muted where disabled."""
        name = "muted" if mode == QIcon.Mode.Disabled else self._color
        if not rect.isEmpty():
            paint_glyph(painter, QRectF(rect), self._glyph, self._theme.palette.color(name))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Return the picture on a transparent ground."""
        return _pixmap(self, size, mode, state)

    def clone(self) -> QIconEngine:
        """Return an engine of the same picture."""
        return _GlyphEngine(self._glyph, self._theme, self._color)


def _pixmap(engine: QIconEngine, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
    if size.isEmpty():
        return QPixmap()  # a row squeezed to nothing asks for it, and nothing can be painted there
    pixmap = QPixmap(size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    engine.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
    painter.end()
    return pixmap


def _stroke(painter: QPainter, color: QColor, width: float, points: list[tuple[float, float]]) -> None:
    painter.setPen(QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in points]))


def _exact(painter: QPainter, color: QColor, ink: QColor) -> None:
    painter.drawEllipse(QRectF(0.5, 0.5, 15, 15))
    _stroke(painter, ink, 2, [(4.4, 8.4), (7, 10.9), (11.7, 5.4)])


def _to_do(painter: QPainter, color: QColor, ink: QColor) -> None:
    painter.drawRoundedRect(QRectF(1, 1, 14, 14), 2, 2)
    _stroke(painter, ink, 2, [(5, 5), (11, 11)])
    _stroke(painter, ink, 2, [(11, 5), (5, 11)])


def _set_aside(painter: QPainter, color: QColor, ink: QColor) -> None:
    painter.drawPolygon(QPolygonF([QPointF(8, 0), QPointF(16, 8), QPointF(8, 16), QPointF(0, 8)]))
    painter.setBrush(ink)
    painter.drawPolygon(QPolygonF([QPointF(8, 5.4), QPointF(10.6, 8), QPointF(8, 10.6), QPointF(5.4, 8)]))


def _exception(painter: QPainter, color: QColor, ink: QColor) -> None:
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(8, 1.4), QPointF(15.2, 14.4), QPointF(0.8, 14.4)]))
    path.closeSubpath()
    painter.setPen(QPen(color, 1.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.drawPath(path)
    _stroke(painter, ink, 1.9, [(8, 6), (8, 9.6)])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    painter.drawEllipse(QPointF(8, 12.4), 1.1, 1.1)


def _to_verify(painter: QPainter, color: QColor, ink: QColor) -> None:
    painter.drawEllipse(QPointF(8, 8), 1.6, 1.6)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(color, 1.6, Qt.PenStyle.SolidLine))
    painter.drawEllipse(QRectF(1.5, 1.5, 13, 13))


_SIGNS = {
    ClaimState.EXACT: _exact,
    ClaimState.TO_DO: _to_do,
    ClaimState.SET_ASIDE: _set_aside,
    ClaimState.EXCEPTION: _exception,
    ClaimState.TO_VERIFY: _to_verify,
}


def _lock(painter: QPainter, color: QColor) -> None:
    painter.drawArc(QRectF(4.6, 1.4, 6.8, 9), 0, 180 * 16)
    painter.fillRect(QRectF(2.8, 7, 10.4, 7.6), color)


def _lock_broken(painter: QPainter, color: QColor) -> None:
    painter.drawArc(QRectF(6.6, 0.8, 6.8, 9), 20 * 16, 160 * 16)
    painter.fillRect(QRectF(2.8, 7, 10.4, 7.6), color)


def _play(painter: QPainter, color: QColor) -> None:
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF([QPointF(3.6, 2), QPointF(13.4, 8), QPointF(3.6, 14)]))


def _pause(painter: QPainter, color: QColor) -> None:
    painter.fillRect(QRectF(3.4, 2, 3.2, 12), color)
    painter.fillRect(QRectF(9.4, 2, 3.2, 12), color)


def _find(painter: QPainter, color: QColor) -> None:
    painter.drawEllipse(QPointF(6.6, 6.6), 4.4, 4.4)
    painter.drawLine(QPointF(10, 10), QPointF(14, 14))


def _more(painter: QPainter, color: QColor) -> None:
    painter.setBrush(color)
    for x in (3.0, 8.0, 13.0):
        painter.drawEllipse(QPointF(x, 8), 0.9, 0.9)


def _loop(painter: QPainter, color: QColor) -> None:
    painter.drawArc(QRectF(2.4, 2.4, 11.2, 11.2), 60 * 16, 290 * 16)
    _stroke(painter, color, 1.6, [(7.4, 1.2), (10.6, 3), (8.6, 6)])


def _arrow_up(painter: QPainter, color: QColor) -> None:
    _stroke(painter, color, 1.8, [(3.5, 10.5), (8, 5.5), (12.5, 10.5)])


def _arrow_down(painter: QPainter, color: QColor) -> None:
    _stroke(painter, color, 1.8, [(3.5, 5.5), (8, 10.5), (12.5, 5.5)])


def _close(painter: QPainter, color: QColor) -> None:
    _stroke(painter, color, 1.8, [(4, 4), (12, 12)])
    _stroke(painter, color, 1.8, [(12, 4), (4, 12)])


def _folder(painter: QPainter, color: QColor) -> None:
    _stroke(painter, color, 1.6, [(1.6, 13), (1.6, 3.4), (6, 3.4), (7.6, 5.4), (14.4, 5.4), (14.4, 13), (1.6, 13)])


_GLYPHS = {
    Glyph.LOCK: _lock,
    Glyph.LOCK_BROKEN: _lock_broken,
    Glyph.PLAY: _play,
    Glyph.PAUSE: _pause,
    Glyph.FIND: _find,
    Glyph.MORE: _more,
    Glyph.LOOP: _loop,
    Glyph.ARROW_UP: _arrow_up,
    Glyph.ARROW_DOWN: _arrow_down,
    Glyph.CLOSE: _close,
    Glyph.FOLDER: _folder,
}
