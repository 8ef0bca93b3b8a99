"""How one cue is drawn: its time, its speaker where the voice is another, its words with what was claimed underlined.

Matches of the current draft's claims are underlined in their state's line style (solid exact, dashed the nearest
passage), but only in the reference track: another track is never what a verdict speaks of.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QPainter, QPen, QTextLayout, QTextLine, QTextOption
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem

from quoteview.app.cue_model import AnyIndex, CueRole
from quoteview.app.cue_search import CueSearch
from quoteview.app.selection import Selection
from quoteview.app.session import Session
from quoteview.app.states import ClaimState
from quoteview.app.text_positions import utf16_of_point
from quoteview.app.times import clock
from quoteview.core.captions.track import Cue
from quoteview.ui.signs import paint_underline
from quoteview.ui.text_lines import cursor_x
from quoteview.ui.theme import FontRole, Theme

_MARGIN = 16
_ROW_PADDING = 6
_FAINT = 0.5
_LAYOUTS_KEPT = 160
_RED_FIRST = (ClaimState.EXACT, ClaimState.SET_ASIDE, ClaimState.EXCEPTION, ClaimState.TO_VERIFY, ClaimState.TO_DO)


class CuePainter(QStyledItemDelegate):
    """Paints one row: its time, speaker, text with underlines and hits; and measures it."""

    def __init__(self, session: Session, selection: Selection, theme: Theme, parent: QListView) -> None:
        super().__init__(parent)
        self._list = parent
        self._session = session
        self._selection = selection
        self._theme = theme
        self.search = CueSearch()
        self.lit_hit = -1
        self.take_fonts()

    def take_fonts(self) -> None:
        """Take the theme's fonts again."""
        self._small_metrics = QFontMetricsF(self._theme.font(FontRole.SMALL))
        self._mono = self._theme.font(FontRole.MONO)
        self._text_font = self._theme.font(FontRole.TRANSCRIPT)
        self._text_metrics = QFontMetricsF(self._text_font)
        self._layouts: dict[tuple[str, int], QTextLayout] = {}
        self._text_left = round(_MARGIN + QFontMetricsF(self._mono).horizontalAdvance("00:00:00.000") + _MARGIN)

    def height(self, cue: Cue, width: int) -> int:
        """Return the height that a cue needs in a row of this width."""
        room = width - self._text_left - _MARGIN
        height = self._text_metrics.height()
        if not cue.text.isascii() or self._text_metrics.horizontalAdvance(cue.text) > room:  # another script may stand higher
            layout = self._layout(cue.text, room)
            if layout.lineCount():
                last = layout.lineAt(layout.lineCount() - 1)
                height = last.y() + self._line_height(last)
        return round(height + 2 * _ROW_PADDING + (self._small_metrics.height() if self._is_new_voice(cue) else 0))

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the size that the row's text needs at the list's width."""
        width = self._list.viewport().width()
        return QSize(width, self.height(index.data(CueRole.CUE), width))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draw the row."""
        cue: Cue = index.data(CueRole.CUE)
        rect: QRect = option.rect
        painter.save()
        self._paint_ground(painter, rect, cue)
        colors = self._theme.palette
        top = float(rect.top() + _ROW_PADDING)
        painter.setPen(colors.color("muted"))
        if self._is_new_voice(cue):
            painter.setFont(self._theme.font(FontRole.SMALL))
            voices = self._small_metrics.elidedText(
                ", ".join(cue.speakers), Qt.TextElideMode.ElideRight, rect.width() - self._text_left - _MARGIN
            )
            room = QRectF(self._text_left, top, rect.width() - self._text_left - _MARGIN, self._small_metrics.height())
            side = Qt.AlignmentFlag.AlignRight if _is_right_to_left(cue.text) else Qt.AlignmentFlag.AlignLeft
            painter.drawText(room, side | Qt.AlignmentFlag.AlignAbsolute, voices)
            top += self._small_metrics.height()
        layout = self._layout(cue.text, rect.width() - self._text_left - _MARGIN)
        ascent = (
            max(self._text_metrics.ascent(), layout.lineAt(0).ascent()) if layout.lineCount() else self._text_metrics.ascent()
        )
        painter.setFont(self._mono)
        painter.drawText(QPointF(_MARGIN, top + ascent), clock(cue.time.start_ms, thousandths=True))
        painter.setPen(colors.color("text"))
        self._paint_text(painter, cue, layout, QPointF(self._text_left, top))
        painter.restore()

    def helpEvent(self, event: QHelpEvent, view: object, option: QStyleOptionViewItem, index: object) -> bool:
        """No tooltips: everything stands in the row."""
        return False

    def _is_new_voice(self, cue: Cue) -> bool:
        """Return whether the row names its speakers: those whose voice is another than that of the cue before."""
        if not cue.speakers:
            return False
        cues = self._session.cues
        return cue.index == 0 or cue.index >= len(cues) or cues[cue.index - 1].speakers != cue.speakers

    def _layout(self, text: str, width: int) -> QTextLayout:
        """Return a text laid out at a width; those of the last few pages are kept, for a row is measured, then often drawn."""
        found = self._layouts.get((text, width))
        if found is None:
            if len(self._layouts) >= _LAYOUTS_KEPT:
                self._layouts.clear()
            found = self._layouts[text, width] = self._laid_out(text, width)
        return found

    def _laid_out(self, text: str, width: int) -> QTextLayout:
        layout = QTextLayout(text, self._text_font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        if not text.isascii() and _is_right_to_left(text):
            option.setTextDirection(Qt.LayoutDirection.RightToLeft)
            option.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        layout.setTextOption(option)
        layout.beginLayout()
        y = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(20, width))
            line.setPosition(QPointF(0, y))
            y += self._line_height(line)
        layout.endLayout()
        return layout

    def _line_height(self, line: QTextLine) -> float:
        """Return a line's room: the font's own height, more where the script of its words stands higher than that."""
        return max(self._text_metrics.height(), line.height())

    def _paint_ground(self, painter: QPainter, rect: QRect, cue: Cue) -> None:
        claims = self._claims(cue)
        colors = self._theme.palette
        selected = self._selection.claim_id
        if claims:
            chosen = selected if selected in claims else self._worst(claims)
            soft = QColor(self._theme.look(self._session.state(chosen)).soft)
            if not {selected, self._selection.hovered_id} & set(claims):
                soft.setAlphaF(_FAINT)
            painter.fillRect(rect, soft)
        if cue.index == self._selection.cue_index:
            if not claims:
                painter.fillRect(rect, colors.color("raised"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), colors.color("accent"))
            if self._list.hasFocus():
                painter.setPen(QPen(colors.color("focus"), 1))
                painter.drawRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_text(self, painter: QPainter, cue: Cue, layout: QTextLayout, origin: QPointF) -> None:
        text = cue.text
        for number, start, end in self.search.in_row(cue.index):
            is_here = self.lit_hit == number
            painter.setPen(QPen(self._theme.palette.color("exception"), 1.5) if is_here else Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.palette.color("exception_soft"))
            for rect in _line_rects(layout, utf16_of_point(text, start), utf16_of_point(text, end), self._text_metrics.height()):
                painter.drawRoundedRect(rect.translated(origin).adjusted(-1, 0, 1, 0), 3, 3)
        painter.setPen(self._theme.palette.color("text"))
        layout.draw(painter, origin)
        claims = sorted(self._claims(cue), key=lambda claim: _RED_FIRST.index(self._session.state(claim)))
        for depth, claim in enumerate(claims[-3:]):
            for row, span in self._session.cue_spans(claim):
                if row != cue.index:
                    continue
                start, end = utf16_of_point(text, span.start), utf16_of_point(text, span.end)
                for rect in _line_rects(layout, start, end, self._text_metrics.height()):
                    y = origin.y() + rect.bottom() - 1 + 2.5 * depth
                    paint_underline(
                        painter, origin.x() + rect.left(), origin.x() + rect.right(), y, self._session.state(claim), self._theme
                    )

    def _claims(self, cue: Cue) -> tuple[int, ...]:
        if self._session.shown_track_id != self._session.reference_id:
            return ()
        return self._session.claims_at_cue(cue.index)

    def _worst(self, claims: Sequence[int]) -> int:
        return max(claims, key=lambda claim: _RED_FIRST.index(self._session.state(claim)))


def _is_right_to_left(text: str) -> bool:
    """Return whether the first strong character of a text runs from right to left (Unicode bidi class R or AL)."""
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction in ("R", "AL"):
            return True
        if direction == "L":
            return False
    return False


def _line_rects(layout: QTextLayout, start: int, end: int, height: float) -> list[QRectF]:
    """Return the boxes that UTF-16 positions start to end of a laid-out text fill, one a line and at least `height` high."""
    rects: list[QRectF] = []
    for number in range(layout.lineCount()):
        line: QTextLine = layout.lineAt(number)
        low, high = max(start, line.textStart()), min(end, line.textStart() + line.textLength())
        if low >= high:
            continue
        one, other = cursor_x(line.cursorToX(low)), cursor_x(line.cursorToX(high))
        rects.append(QRectF(min(one, other), line.position().y(), abs(other - one), max(height, line.height())))
    return rects
