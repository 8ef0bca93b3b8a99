"""The command palette: every action that is allowed now, found by typing parts of its words."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from quoteview.app.cue_model import AnyIndex
from quoteview.ui.actions import ActionId, Actions
from quoteview.ui.theme import FontRole, Theme, set_role

_ID = int(Qt.ItemDataRole.UserRole)
_KEY = _ID + 1


class CommandPalette(QDialog):
    """A line to type in and the actions that fit, best first. Enter does the chosen one after the palette has closed."""

    def __init__(self, actions: Actions, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self.setWindowTitle(self.tr("Find a command"))
        self.setAccessibleName(self.tr("Find a command"))
        self.setMinimumWidth(theme.pixels(520))
        self.line = QLineEdit(self)
        self.line.setPlaceholderText(self.tr("Type what you want to do"))
        self.line.setAccessibleName(self.tr("What you want to do"))
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Commands"))
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(_Row(theme, self.list))
        self.list.setMinimumHeight(theme.pixels(320))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.nothing = QLabel(self.tr("No command has these words, or none that can be done now."), self)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.nothing.setMinimumHeight(theme.pixels(320))
        set_role(self.nothing, "muted")
        layout = QVBoxLayout(self)
        layout.addWidget(self.line)
        layout.addWidget(self.list)
        layout.addWidget(self.nothing)
        self.line.textChanged.connect(self._show)
        self.line.installEventFilter(self)
        self.line.returnPressed.connect(self._on_chosen)
        self.list.itemClicked.connect(self._on_chosen)
        self.list.currentRowChanged.connect(lambda _row: self._say_chosen())
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._show("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Up and Down walk the list while the line keeps the focus."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}.get(
                Qt.Key(event.key()), 0
            )
            if step and self.list.count():
                self.list.setCurrentRow(max(0, min(self.list.count() - 1, self.list.currentRow() + step)))
                return True
        return False

    def _show(self, typed: str) -> None:
        self.list.clear()
        found = []
        for order, (spec, action) in enumerate(self._actions.specs()):
            text = action.text().replace("&&", "&")
            if spec.id is not ActionId.PALETTE and action.isEnabled():
                rank = match_rank(typed, text)
                if rank is not None:
                    found.append((rank, order, text, spec.id))
        for _rank, _order, text, action_id in sorted(found):
            row = QListWidgetItem(text, self.list)
            row.setData(_ID, str(action_id))
            row.setData(_KEY, self._actions.key_text(action_id))
        self.list.setCurrentRow(0)
        self.list.setVisible(bool(found))
        self.nothing.setVisible(not found)
        self._say_chosen()

    def _say_chosen(self) -> None:
        """Tell a screen reader, which stays on the line, what Enter would do."""
        row = self.list.currentItem()
        words = f"{row.text()}  {row.data(_KEY)}".strip() if self.list.currentRow() >= 0 else self.nothing.text()
        self.line.setAccessibleDescription(words)

    def _on_chosen(self) -> None:
        row = self.list.currentItem()
        if row is not None:
            action_id = str(row.data(_ID))
            self.accept()
            self._actions.request(action_id)


def match_rank(typed: str, text: str) -> int | None:
    """Return how well typed words fit an action's text, smaller is better, None where they don't.

    Each typed word has to begin a word of the text; failing that, to stand somewhere in it.
    """
    folded = text.casefold()
    words = folded.replace("…", " ").replace(":", " ").split()
    rank = 0
    for part in typed.casefold().split():
        if any(word.startswith(part) for word in words):
            continue
        if part not in folded:
            return None
        rank += 1
    return rank


class _Row(QStyledItemDelegate):
    """Draws an action with its key at the right."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return one row's size."""
        return QSize(0, self._theme.pixels(28))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draw one row."""
        colors = self._theme.palette
        rect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colors.color("accent_soft"))
        inner = rect.adjusted(10, 0, -10, 0)
        painter.setFont(self._theme.font(FontRole.UI))
        painter.setPen(colors.color("text"))
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), str(index.data()))
        painter.setFont(self._theme.font(FontRole.SMALL))
        painter.setPen(colors.color("muted"))
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), str(index.data(_KEY)))
