"""The strip over the whole recording: a mark for each claim at its time, where there are words, and where you are.

Marks that would overlap merge into one whose sign is the worst of them; red is drawn above green. Where they would be a
wall of signs they are bars, as high as there are claims, red and hatched on top. Claims without any time stand in a lane
of their own at the right. The arrow keys walk from mark to mark, and the text equivalent says what the selected one is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QRegion, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from quoteview.app.selection import Selection
from quoteview.app.session import Session
from quoteview.app.states import Changes, ClaimState
from quoteview.app.times import clock
from quoteview.core.captions.track import Cue
from quoteview.ui.signs import paint_sign
from quoteview.ui.theme import FontRole, Theme

_WORST_LAST = (ClaimState.EXACT, ClaimState.SET_ASIDE, ClaimState.EXCEPTION, ClaimState.TO_VERIFY, ClaimState.TO_DO)
_MARGIN = 14.0
_LANE = 30.0
_SIGN = 14
_RING = 3
_BAR = 8
_CROWDED = 22
"""Pixels for each mark under which a row of signs would be a wall."""
_FEW_MARKS = 16
"""An act changes one mark or two; where this many changed, drawing all of them costs as little."""


class Mark(NamedTuple):
    """A mark of the strip: where it stands, the claims that it stands for, the worst state of them, and all, worst last."""

    x: float
    claims: tuple[int, ...]
    state: ClaimState
    states: tuple[ClaimState, ...]


class OverviewStrip(QWidget):
    """The strip. A click goes to the claim nearest to it, else to the moment."""

    action_requested = Signal(str)

    def __init__(self, session: Session, selection: Selection, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self._theme = theme
        self._marks: list[Mark] = []
        self._placed: tuple[object, ...] = ()
        self._bars = (False, 0)
        self._is_stale = True
        self._ground: QPixmap | None = None
        self._picture: QPixmap | None = None
        self._words: list[float] = []
        self._drawn_words: tuple[tuple[Cue, ...], int, int] = ((), 0, 0)
        self._playhead_ms: int | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Overview of the recording"))
        session.changed.connect(self._on_session_changed)
        selection.claim_changed.connect(self._on_selection_changed)
        selection.cue_changed.connect(self.update)
        selection.hover_changed.connect(self.update)
        theme.changed.connect(self._rebuild)
        self._rebuild()

    def sizeHint(self) -> QSize:
        """Return the usual height."""
        return QSize(400, self._theme.pixels(72))

    def minimumSizeHint(self) -> QSize:
        """Return the height in a small window."""
        return QSize(200, self._theme.pixels(24))

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks as they are drawn, from left to right, red above green where they meet."""
        self._bring_up()
        return tuple(self._marks)

    def set_playhead(self, moment_ms: int | None) -> None:
        """Show where the player is; None where nothing is played."""
        self._playhead_ms = moment_ms
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the marks anew."""
        super().resizeEvent(event)
        self._rebuild()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the mark that was clicked, else to the cue at that moment."""
        near = [mark for mark in self.marks if abs(mark.x - event.position().x()) <= _SIGN]
        if near:
            mark = min(near, key=lambda found: abs(found.x - event.position().x()))
            self._selection.select_claim(self._next_of(mark))
            return
        self._go_to(self._moment(event.position().x()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right walk the marks; Home and End go to the first and last."""
        keys = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        ordered = sorted(self.marks)
        if not ordered:
            super().keyPressEvent(event)
            return
        here = next((n for n, mark in enumerate(ordered) if self._selection.claim_id in mark.claims), -1)
        key = Qt.Key(event.key())
        if key in keys:
            self._selection.select_claim(ordered[max(0, min(len(ordered) - 1, here + keys[key]))].claims[0])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._selection.select_claim(ordered[0 if key == Qt.Key.Key_Home else -1].claims[0])
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame, where there are words, and the marks, from a kept picture; then what is lit and the place you are."""
        self._bring_up()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._whole())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self._session.cues:
            painter.end()
            return
        lit = (self._selection.claim_id, self._selection.hovered_id)
        for mark in self._marks:
            if lit[0] in mark.claims or lit[1] in mark.claims:
                self._paint_mark(painter, mark, is_lit=True)
        self._paint_place(painter)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.palette.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 7, 7)
        painter.end()

    def _whole(self) -> QPixmap:
        """Return the picture of all but what moves with the selection; drawn anew only when a mark or the size changed."""
        ratio = self.devicePixelRatioF()
        size = self.size() * ratio
        if self._ground is None or self._ground.size() != size:
            self._picture, self._ground = None, QPixmap(size)
            self._ground.setDevicePixelRatio(ratio)
            self._ground.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._ground)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.palette.color("border"), 1))
            painter.setBrush(self._theme.palette.color("surface"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7)
            if self._session.cues:
                self._paint_words(painter)
            painter.end()
        if self._picture is None:
            self._picture = QPixmap(self._ground)
            painter = QPainter(self._picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for mark in self._marks if self._session.cues else ():
                self._paint_mark(painter, mark, is_lit=False)
            painter.end()
        return self._picture

    def _paint_words(self, painter: QPainter) -> None:
        """Draw how densely each stretch of the recording is spoken, as bars around the middle line."""
        top, height = self._theme.pixels(_SIGN) + 8.0, self.height() - self._theme.pixels(_SIGN) - 14.0
        if height < 4:
            return  # a thin strip has room for the marks alone
        middle = top + height / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.palette.color("waveform"))
        for column, share in enumerate(self._words):
            if share > 0:
                bar = max(2.0, share * height * 0.8)
                painter.drawRoundedRect(QRectF(_MARGIN + column * 4, middle - bar / 2, 2.4, bar), 1, 1)

    def _paint_mark(self, painter: QPainter, mark: Mark, *, is_lit: bool) -> None:
        if self._bars[0] and not is_lit:
            self._paint_bar(painter, mark)
            return
        look = self._theme.look(mark.state)
        size = float(self._theme.pixels(_SIGN))
        painter.setPen(QPen(look.color, 2.2 if is_lit else 1.4, look.pen))
        if self.height() > size + 14:
            painter.drawLine(QPointF(mark.x, size + 4), QPointF(mark.x, self.height() - 6))
        if is_lit:
            painter.setPen(QPen(self._theme.palette.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(mark.x, 5 + size / 2), size / 2 + _RING, size / 2 + _RING)
        paint_sign(painter, QRectF(mark.x - size / 2, 5, size, size), mark.state, self._theme)
        if len(mark.claims) > 1:
            painter.setFont(self._theme.font(FontRole.SMALL))
            painter.setPen(self._theme.palette.color("text"))
            beside_ring = mark.x + size / 2 + _RING + 2
            painter.drawText(QPointF(beside_ring, 5 + size * 0.8), str(len(mark.claims)))

    def _paint_bar(self, painter: QPainter, mark: Mark) -> None:
        """Draw a mark of a crowded strip: a stack of its claims' states, the worst on top and hatched where it is to do."""
        room, width = self.height() - 10.0, self._theme.pixels(_BAR)
        by_claim = room / max(1, self._bars[1])
        bottom = self.height() - 5.0
        painter.setPen(Qt.PenStyle.NoPen)
        for state, alike in groupby(mark.states):
            height = max(3.0, by_claim * len(tuple(alike)))
            part = QRectF(mark.x - width / 2, max(3.0, bottom - height), width, min(height, bottom - 3.0))
            painter.fillRect(part, self._theme.look(state).color)
            if state is ClaimState.TO_DO:
                painter.fillRect(part, QBrush(self._theme.palette.color("surface"), Qt.BrushStyle.BDiagPattern))
            bottom = part.top() - 1.0

    def _paint_place(self, painter: QPainter) -> None:
        moment = self._playhead_ms
        cues = self._session.cues
        if moment is None and self._selection.cue_index is not None and self._selection.cue_index < len(cues):
            moment = cues[self._selection.cue_index].time.start_ms
        if moment is None:
            return
        x = self._x(moment)
        painter.setPen(QPen(self._theme.palette.color("playhead"), 2))
        painter.drawLine(QPointF(x, 3), QPointF(x, self.height() - 3))

    def _on_session_changed(self, changes: Changes) -> None:
        if changes & (Changes.JOB | Changes.TRACKS | Changes.SWITCHED | Changes.VERDICTS | Changes.RESOLUTIONS | Changes.LOCK):
            self._is_stale = True  # worked out when it is drawn: several changes may come before that
            self.update()

    def _on_selection_changed(self) -> None:
        claim = self._selection.claim_id
        if claim is None or self._session.claim(claim) is None:
            self.setAccessibleDescription(self.tr("{count} marks").format(count=len(self.marks)))
        else:
            word = self._theme.look(self._session.state(claim)).word
            moment = clock(self._moment_of(claim) or 0)
            self.setAccessibleDescription(
                self.tr("quotation {number}, {word}, at {time}").format(number=claim, word=word, time=moment)
            )
        self.update()

    def _rebuild(self) -> None:
        """Draw all of it anew: the size or the colours changed."""
        self._is_stale, self._placed, self._ground = True, (), None
        self.update()

    def _bring_up(self) -> None:
        """Work out the marks again where the session changed since."""
        if not self._is_stale:
            return
        self._is_stale = False
        drawn = (self._session.cues, self._session.duration_ms, int(self._lane_left()))
        if drawn != self._drawn_words:  # the same tuple of cues is equal without being looked through
            self._drawn_words = drawn
            self._words = self._density()
            self._ground = None
        states, moments = self._session.states, self._session.moments
        placed = (states, moments, drawn[1:], self.width(), self._theme.text_percent)
        if placed != self._placed:
            before, self._placed = self._marks, placed
            self._marks = self._merged(states, moments)
            most = max((len(mark.claims) for mark in self._marks), default=0)
            is_crowded = len(self._marks) * _CROWDED > self._lane_left()
            if (is_crowded, most) != self._bars:
                self._bars, self._picture = (is_crowded, most), None
            self._draw_again(before)

    def _draw_again(self, before: Sequence[Mark]) -> None:
        """Draw in the kept picture the marks that changed, and those that they touch; where many did, all of it anew."""
        bands = [self._band(mark) for mark in set(before).symmetric_difference(self._marks)]
        if self._picture is None or self._ground is None or len(bands) > _FEW_MARKS:
            self._picture = None
            return
        region = QRegion()
        for band in bands:
            region += band
        painter = QPainter(self._picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRegion(region)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        painter.drawPixmap(0, 0, self._ground)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        for mark in self._marks:
            if region.intersects(self._band(mark)):
                self._paint_mark(painter, mark, is_lit=False)
        painter.end()

    def _band(self, mark: Mark) -> QRect:
        """Return all of the strip that a mark may be drawn in, with its count."""
        half = self._theme.pixels(_SIGN) + _RING
        count = self._theme.pixels(_SIGN) * len(str(len(mark.claims)))
        return QRect(int(mark.x) - half, 0, 2 * half + count, self.height())

    def _density(self) -> list[float]:
        """Return for each column of 4 pixels how many characters are spoken in it, relative to the most."""
        columns = max(1, int((self._lane_left() - _MARGIN) / 4))
        sums = [0.0] * columns
        duration = self._session.duration_ms
        if duration <= 0:
            return []
        by_ms, last = columns / duration, columns - 1
        for cue in self._session.cues:  # a hundred thousand of them: nothing is worked out that one column needs not
            (start_ms, end_ms), runs = cue.time, cue.runs
            length = len(runs[0].text) if len(runs) == 1 else len(cue.text)
            start = min(last, max(0, int(start_ms * by_ms)))
            end = min(columns, round(end_ms * by_ms))
            if end <= start + 1:
                sums[start] += length
                continue
            for column in range(start, end):
                sums[column] += length / (end - start)
        most = max(sums)
        return [value / most for value in sums] if most else []

    def _merged(self, states: Sequence[ClaimState], moments: Sequence[int | None]) -> list[Mark]:
        lane = self.width() - _MARGIN - _LANE / 2
        room, duration = self._lane_left() - _MARGIN, max(1, self._session.duration_ms)
        placed = [
            (lane if ms is None else _MARGIN + min(1.0, max(0.0, ms / duration)) * room, claim_id)
            for claim_id, ms in enumerate(moments, 1)
        ]
        nearest = self._theme.pixels(_SIGN) * 0.85
        runs: list[tuple[float, list[int]]] = []
        for x, claim_id in sorted(placed):
            if runs and x - runs[-1][0] < nearest:
                runs[-1][1].append(claim_id)
            else:
                runs.append((x, [claim_id]))
        rank = {state: number for number, state in enumerate(_WORST_LAST)}
        marks = []
        for x, ids in runs:
            worst_last = tuple(sorted((states[one - 1] for one in ids), key=rank.__getitem__))
            marks.append(Mark(x, tuple(ids), worst_last[-1], worst_last))
        return sorted(marks, key=lambda mark: (_WORST_LAST.index(mark.state), mark.x))

    def _moment_of(self, claim_id: int) -> int | None:
        moments = self._session.moments
        return moments[claim_id - 1] if 0 < claim_id <= len(moments) else None

    def _next_of(self, mark: Mark) -> int:
        """Return the claim of a merged mark that a click goes to: one after the other."""
        if self._selection.claim_id in mark.claims:
            at = mark.claims.index(self._selection.claim_id)
            return mark.claims[(at + 1) % len(mark.claims)]
        return mark.claims[0]

    def _go_to(self, moment_ms: int) -> None:
        cues = self._session.cues
        if cues:
            self._selection.select_cue(min(cues, key=lambda cue: abs(cue.time.start_ms - moment_ms)).index)

    def _lane_left(self) -> float:
        return self.width() - 2 * _MARGIN - _LANE

    def _x(self, moment_ms: int) -> float:
        duration = max(1, self._session.duration_ms)
        share = min(1.0, max(0.0, moment_ms / duration))
        return _MARGIN + share * (self._lane_left() - _MARGIN)

    def _moment(self, x: float) -> int:
        share = min(1.0, max(0.0, (x - _MARGIN) / max(1.0, self._lane_left() - _MARGIN)))
        return round(share * self._session.duration_ms)
