"""The evidence for one claim: the locked bytes of its match as hex and text, the digest recomputed now, and the ledger.

What stands here can be copied: digests, byte ranges, counts. The working view shows none of it.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from quoteview.app.hexdump import HexDump, hex_dump
from quoteview.app.selection import Selection
from quoteview.app.session import Session
from quoteview.app.states import Changes
from quoteview.app.times import clock
from quoteview.core.gates import GateName
from quoteview.core.ledger import EntryKind
from quoteview.core.verdicts import Match
from quoteview.ui.sizes import resize_within_screen
from quoteview.ui.theme import FontRole, Theme, set_role

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
_SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
_MOST_SHOWN = 500
"""Characters of one value; the copy has all of it."""


class EvidenceDialog(QDialog):
    """Shows the bytes behind the selected claim, and the track's ledger."""

    def __init__(self, session: Session, selection: Selection, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._claim_id = selection.claim_id
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Evidence for quote {number}").format(number=self._claim_id))
        self.setAccessibleName(self.windowTitle())
        resize_within_screen(self, theme, 900, 740)
        self._facts = QGridLayout()
        self._facts.setHorizontalSpacing(18)
        self._bytes = _HexView(theme, self)
        self._bar = LedgerBar(theme, self)
        self._heading = _words("muted", self)
        self._counts = _words("muted", self)
        self._lay_out()
        session.changed.connect(self._on_session_changed)
        self._fill()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(10)
        layout.addLayout(self._facts)
        layout.addWidget(self._heading)
        frame = QFrame(self)
        set_role(frame, "pane")
        inner = QVBoxLayout(frame)
        inner.setContentsMargins(10, 8, 2, 8)
        inner.addWidget(self._bytes)
        self._frame = frame
        layout.addWidget(frame, 1)
        layout.addStretch(0)
        layout.addWidget(self._bar)
        layout.addWidget(self._counts)
        row = QHBoxLayout()
        copy = QPushButton(self.tr("Copy all of this"), self)
        copy.setAutoDefault(False)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.as_text()))
        again = QPushButton(self.tr("Compute the digest again"), self)
        again.setAutoDefault(False)
        again.clicked.connect(self._on_again_clicked)
        close = QPushButton(self.tr("Close"), self)
        close.setDefault(True)
        close.clicked.connect(self.accept)
        close.setFocus(Qt.FocusReason.OtherFocusReason)
        row.addWidget(copy)
        row.addWidget(again)
        row.addStretch(1)
        row.addWidget(close)
        layout.addLayout(row)

    def as_text(self) -> str:
        """Return everything the dialog shows as plain text, for a note or a mail."""
        rows = [f"{name}: {value}" for name, value in self._rows()]
        return "\n".join([*rows, "", self._bytes.toPlainText(), "", self._counts.text()])

    def _match(self) -> Match | None:
        return self._session.match(self._claim_id) if self._claim_id is not None else None

    def _rows(self) -> list[tuple[str, str]]:
        found = self._match()
        rows = self._claim_rows()
        track = self._session.track(found.track if found is not None else self._session.reference_id)
        if track is None:
            return rows
        lock = track.source.lock
        rows += [
            (self.tr("Locked file"), lock.file),
            (self.tr("SHA-256 recorded"), lock.sha256),
            (self.tr("SHA-256 recomputed"), self._session.recomputed_digest(lock.file) or self.tr("being computed")),
            (self.tr("Size"), self.tr("{size} bytes, {encoding}").format(size=f"{lock.size:,}", encoding=track.encoding)),
        ]
        if found is not None:
            time = found.evidence.time
            rows.append((self.tr("Byte ranges"), ", ".join(f"{span.start}–{span.end}" for span in found.evidence.bytes)))
            rows.append((self.tr("Cues"), f"{found.evidence.cues[0] + 1}–{found.evidence.cues[1] + 1}"))
            rows.append((self.tr("Times"), f"{clock(time.start_ms, thousandths=True)} – {clock(time.end_ms, thousandths=True)}"))
        rows += [(self.tr("Self-test"), gate.evidence) for gate in self._session.gates if gate.name == GateName.CHECKER]
        return rows

    def _exact_names(self) -> tuple[str, ...]:
        """Return the names of the values that are read letter by letter."""
        return (self.tr("Locked file"), self.tr("SHA-256 recorded"), self.tr("SHA-256 recomputed"), self.tr("Byte ranges"))

    def _claim_rows(self) -> list[tuple[str, str]]:
        """Return the quotation, what is said of it, and where it is not exact the captions' words."""
        claim = self._session.claim(self._claim_id) if self._claim_id is not None else None
        if claim is None:
            return []
        rows = [(self.tr("Quotation"), claim.text), (self.tr("Verdict"), self._session.sentence(claim.id))]
        verdict = self._session.verdict(claim.id)
        if verdict is not None and verdict.nearest is not None and self._match() is not None:
            rows.append((self.tr("In the captions"), verdict.nearest.text))
        return rows

    def _fill(self) -> None:
        while self._facts.count():
            item = self._facts.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.deleteLater()
        for number, (name, value) in enumerate(self._rows()):
            label = _words("muted", self)
            label.setWordWrap(False)
            label.setText(name)
            shown = _value(self) if name in self._exact_names() else _words("", self)
            shown.setText(value if len(value) <= _MOST_SHOWN else f"{value[:_MOST_SHOWN]}…")
            shown.setWordWrap(True)
            shown.setAlignment(_LEFT)
            self._facts.addWidget(label, number, 0, Qt.AlignmentFlag.AlignTop)
            self._facts.addWidget(shown, number, 1)
        self._facts.setColumnStretch(1, 1)
        found = self._match()
        track = self._session.track(found.track if found is not None else self._session.reference_id)
        if track is None:
            return
        self._frame.setVisible(found is not None)
        if found is not None:
            self._heading.setText(self.tr("The locked bytes, as they lie in the file; the ranges of the match are lit"))
            self._bytes.show_dump(hex_dump(track.source.data, found.evidence.bytes))
        else:
            self._heading.setText(self.tr("No bytes of these captions are shown: nothing in them is close to this quotation."))
        totals = track.ledger.totals()
        self._bar.show_totals(totals)
        words = [f"{name} {count:,}" for name, count in totals.items()]
        size = f"{track.source.lock.size:,}"
        self._counts.setText(
            self.tr("Every byte is accounted for: {parts}; {size} in all.").format(parts=" · ".join(words), size=size)
        )

    def _on_again_clicked(self) -> None:
        self._session.recheck()

    def _on_session_changed(self, changes: Changes) -> None:
        if changes & (Changes.GATES | Changes.LOCK | Changes.VERDICTS):
            self._fill()


class LedgerBar(QWidget):
    """The ledger as one bar: each kind's share of the file, in its own tint, named below it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._totals: dict[str, int] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Ledger of the track"))

    def show_totals(self, totals: dict[str, int]) -> None:
        """Show bytes by kind."""
        self._totals = totals
        self.setAccessibleDescription(", ".join(f"{name} {count}" for name, count in totals.items()))
        self.update()

    def sizeHint(self) -> QSize:
        """Return the bar's height with its names."""
        return QSize(300, self._theme.pixels(44))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the shares from left to right; a name is written where it fits."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colors = self._theme.palette
        tints = {
            EntryKind.TEXT.word: "exact",
            EntryKind.TIMING.word: "accent",
            EntryKind.MARKUP.word: "muted",
            EntryKind.REPEAT.word: "exception",
            EntryKind.LAYOUT.word: "border",
            EntryKind.METADATA.word: "waveform",
            EntryKind.UNREAD.word: "to_do",
        }
        total = sum(self._totals.values())
        x, height = 0.0, float(self._theme.pixels(18))
        painter.setFont(self._theme.font(FontRole.SMALL))
        for name, count in self._totals.items():
            width = self.width() * count / total if total else 0.0
            if not count:
                continue
            color = QColor(colors.color(tints[name]))
            painter.fillRect(QRectF(x, 0, max(width, 1.0), height), color)
            if painter.fontMetrics().horizontalAdvance(name) + 8 < width:
                painter.setPen(colors.color("text"))
                painter.drawText(QRectF(x + 2, height + 2, width, height), Qt.AlignmentFlag.AlignLeft, name)
            x += width
        painter.end()


class _HexView(QPlainTextEdit):
    """A hex dump that can be selected and copied, with the ranges lit in both columns."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setReadOnly(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(theme.font(FontRole.MONO))
        self.setAccessibleName(self.tr("Locked bytes"))

    def show_dump(self, dump: HexDump) -> None:
        """Show a dump."""
        self.setPlainText(dump.text)
        look = self._theme.palette.color("exact_soft")
        lit: list[QTextEdit.ExtraSelection] = []
        for start, end in dump.lit:
            mark = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.document())
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            style = QTextCharFormat()
            style.setBackground(look)
            style.setFontWeight(700)
            mark.cursor, mark.format = cursor, style
            lit.append(mark)
        self.setExtraSelections(lit)


def _words(role: str, parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(_SELECTABLE)
    if role:
        set_role(label, role)
    return label


def _value(parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(_SELECTABLE)
    set_role(label, "mono")
    return label
