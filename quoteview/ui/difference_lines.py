"""The draft's words above the captions' words, with what differs framed and named.

Removed characters are struck through in a frame, added ones framed, so that colour is never the only
sign. A character that shows nothing, or looks like another, is named where it differs
(`U+00A0 no-break space`). Words before and after the passage in the captions stand in grey.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from quoteview.app.text_positions import utf16_length
from quoteview.core.verdicts import DifferenceStep, Verdict
from quoteview.ui.text_lines import cursor_x
from quoteview.ui.theme import FontRole, Theme

_MOST = 900
"""Characters shown of one side; a longer quotation is shown around its first difference."""
_AROUND = 220
_CONTEXT = 42
_LABEL = 78
_NAMES = {
    "\u2019": "curly apostrophe",
    "\u2018": "opening single quote mark",
    "'": "straight apostrophe",
    '"': "straight quote mark",
    "\u201c": "opening quote mark",
    "\u201d": "closing quote mark",
    "\u00a0": "no-break space",
    "\u202f": "narrow no-break space",
    "\u00ad": "soft hyphen",
    "\u200b": "zero-width space",
    "\u2010": "hyphen",
    "\u2011": "no-break hyphen",
    "\u2026": "ellipsis sign",
}


class Style(Enum):
    """How a stretch of words is shown."""

    PLAIN = auto()
    CONTEXT = auto()
    REMOVED = auto()
    ADDED = auto()


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words of one line in one style."""

    text: str
    style: Style


class DifferenceLines(QWidget):
    """Two lines, or one where the claim is exact, wrapped to the width."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines: list[tuple[str, tuple[Stretch, ...]]] = []
        self._laid: dict[int, list[QTextLayout]] = {}
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self._on_theme_changed)

    def show_lines(self, lines: list[tuple[str, tuple[Stretch, ...]]]) -> None:
        """Show lines, each with a label before it."""
        if lines == self._lines:
            return
        before = self.heightForWidth(self.width())
        self._lines, self._laid = lines, {}
        self.setAccessibleName("\n".join(f"{label}: {spoken(stretches)}" for label, stretches in lines))
        height = self.heightForWidth(self.width())
        if height != before:  # else nothing around has to be laid out again
            self.setMinimumHeight(height)
            self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        """Lines wrap, so the height depends on the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height that the lines need."""
        return round(sum(layout.boundingRect().height() + 6 for layout in self._layouts(width)))

    def sizeHint(self) -> QSize:
        """Return the size at a usual width."""
        width = max(300, self.width())
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Return one line's height: more scrolls."""
        return QSize(200, round(QFontMetricsF(self._theme.font(FontRole.QUOTE)).height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap anew."""
        super().resizeEvent(event)
        self.setMinimumHeight(self.heightForWidth(self.width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw labels, words, and frames around what differs."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        y = 0.0
        metrics = QFontMetricsF(self._theme.font(FontRole.QUOTE))
        for (label, stretches), layout in zip(self._lines, self._layouts(self.width()), strict=True):
            painter.setFont(self._theme.font(FontRole.SMALL))
            painter.setPen(self._theme.palette.color("muted"))
            painter.drawText(QPointF(0, y + metrics.ascent()), label)
            origin = QPointF(self._theme.pixels(_LABEL), y)
            self._paint_frames(painter, layout, stretches, origin, metrics.height())
            painter.setPen(self._theme.palette.color("text"))
            layout.draw(painter, origin)
            y += layout.boundingRect().height() + 6
        painter.end()

    def _layouts(self, width: int) -> list[QTextLayout]:
        """Return the lines laid out at a width; kept until others are shown, for a layout is asked for the height often."""
        if width not in self._laid:
            self._laid[width] = [self._layout(stretches, width) for _, stretches in self._lines]
        return self._laid[width]

    def _on_theme_changed(self) -> None:
        self._laid = {}
        self.updateGeometry()

    def _layout(self, stretches: tuple[Stretch, ...], width: int) -> QTextLayout:
        layout = QTextLayout("".join(stretch.text for stretch in stretches), self._theme.font(FontRole.QUOTE))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setFormats(self._formats(stretches))
        layout.beginLayout()
        y = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(60, width - self._theme.pixels(_LABEL)))
            line.setPosition(QPointF(0, y))
            y += line.height()
        layout.endLayout()
        return layout

    def _formats(self, stretches: tuple[Stretch, ...]) -> list[QTextLayout.FormatRange]:
        formats: list[QTextLayout.FormatRange] = []
        at = 0
        for stretch in stretches:
            look = QTextCharFormat()
            if stretch.style is Style.CONTEXT:
                look.setForeground(self._theme.palette.color("muted"))
            elif stretch.style is Style.REMOVED:
                look.setFontStrikeOut(True)
            piece = QTextLayout.FormatRange()
            piece.start, piece.length, piece.format = at, utf16_length(stretch.text), look
            formats.append(piece)
            at += utf16_length(stretch.text)
        return formats

    def _paint_frames(
        self, painter: QPainter, layout: QTextLayout, stretches: tuple[Stretch, ...], origin: QPointF, height: float
    ) -> None:
        at = 0
        colors = self._theme.palette
        for stretch in stretches:
            end = at + utf16_length(stretch.text)
            if stretch.style in (Style.REMOVED, Style.ADDED):
                is_removed = stretch.style is Style.REMOVED
                ground = QColor(colors.color("to_do_soft" if is_removed else "exact_soft"))
                painter.setPen(QPen(colors.color("removed_frame" if is_removed else "added_frame"), 1.2))
                painter.setBrush(ground)
                for box in _boxes(layout, at, end, height):
                    painter.drawRoundedRect(box.translated(origin), 2, 2)
            at = end


def _boxes(layout: QTextLayout, start: int, end: int, height: float) -> list[QRectF]:
    boxes: list[QRectF] = []
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        low, high = max(start, line.textStart()), min(end, line.textStart() + line.textLength())
        if low < high:
            one, other = cursor_x(line.cursorToX(low)), cursor_x(line.cursorToX(high))
            boxes.append(QRectF(min(one, other) - 1, line.y() + 1, abs(other - one) + 2, height - 2))
    return boxes


def draft_line(claim_text: str, verdict: Verdict | None) -> tuple[Stretch, ...]:
    """Return the claim's words with what the captions do not have marked as removed."""
    if verdict is None or verdict.nearest is None or not verdict.nearest.difference:
        return shortened((Stretch(claim_text, Style.PLAIN),))
    steps = verdict.nearest.difference
    return shortened(
        tuple(_stretch(step, step.draft, step.source, Style.REMOVED) for step in steps if step.draft or step.kind != "equal")
    )


def source_line(verdict: Verdict) -> tuple[Stretch, ...]:
    """Return the captions' words with those around them, and what the draft does not have marked as added."""
    found = verdict.nearest.match if verdict.nearest is not None else verdict.match
    if found is None:
        return ()
    if verdict.nearest is not None and verdict.nearest.difference:
        words = tuple(_stretch(step, step.source, step.draft, Style.ADDED) for step in verdict.nearest.difference)
    else:
        words = (Stretch(verdict.nearest.text if verdict.nearest is not None else "", Style.PLAIN),)
    return _with_context(found.before, shortened(words), found.after)


def exact_line(claim_text: str, before: str, after: str) -> tuple[Stretch, ...]:
    """Return an exact claim's words in the captions with those around them."""
    return _with_context(before, shortened((Stretch(claim_text, Style.PLAIN),)), after)


def _with_context(before: str, words: tuple[Stretch, ...], after: str) -> tuple[Stretch, ...]:
    """Put the captions' own words around a passage, as many whole ones as are read at a glance."""
    start, end = _last_words(before), _first_words(after)
    return (
        *((Stretch(f"… {start}", Style.CONTEXT),) if start.strip() else ()),
        *words,
        *((Stretch(f"{end} …", Style.CONTEXT),) if end.strip() else ()),
    )


def _last_words(text: str) -> str:
    if len(text) <= _CONTEXT:
        return text
    kept = text[-_CONTEXT:]
    return kept[kept.find(" ") + 1 :] if " " in kept.strip() else kept


def _first_words(text: str) -> str:
    if len(text) <= _CONTEXT:
        return text.rstrip()
    kept = text[:_CONTEXT]
    return (kept[: kept.rfind(" ")] if " " in kept.strip() else kept).rstrip()


def _stretch(step: DifferenceStep, text: str, other: str, style: Style) -> Stretch:
    if step.kind == "equal":
        return Stretch(text, Style.PLAIN)
    return Stretch(_named(text, other), style)


def _named(text: str, other: str) -> str:
    """Return differing characters with the name of each one that shows nothing or looks like its counterpart."""
    if len(text) > 3:
        return "".join(name_of(c) if not _shows(c) else c for c in text)
    return "".join(name_of(c) if not _shows(c) else c for c in text) or ("" if other else text)


def _shows(character: str) -> bool:
    return character == " " or (character.isprintable() and unicodedata.category(character) not in ("Cf", "Zs", "Mn"))


def name_of(character: str) -> str:
    """Return a character by number and name: `⟨U+00A0 no-break space⟩`."""
    name = _NAMES.get(character) or unicodedata.name(character, "").lower() or "control character"
    return f"⟨U+{ord(character):04X} {name}⟩"


def shortened(stretches: tuple[Stretch, ...]) -> tuple[Stretch, ...]:
    """Return stretches cut to what fits: around the first difference, with an ellipsis where something is left out."""
    if sum(len(stretch.text) for stretch in stretches) <= _MOST:
        return tuple(stretch for stretch in stretches if stretch.text)
    first = next((n for n, stretch in enumerate(stretches) if stretch.style in (Style.REMOVED, Style.ADDED)), 0)
    before = "".join(stretch.text for stretch in stretches[:first])
    kept = [Stretch(("… " if len(before) > _AROUND else "") + before[-_AROUND:], Style.PLAIN)] if before else []
    room = _MOST - _AROUND
    for stretch in stretches[first:]:
        if room <= 0:
            break
        kept.append(Stretch(stretch.text[:room], stretch.style))
        room -= len(stretch.text)
    return (*kept, Stretch(" …", Style.CONTEXT)) if room < 0 else tuple(kept)


def spoken(stretches: tuple[Stretch, ...]) -> str:
    """Return a line as a screen reader says it."""
    words = {Style.REMOVED: "removed {}", Style.ADDED: "added {}"}
    return "".join(words.get(stretch.style, "{}").format(stretch.text) for stretch in stretches)
