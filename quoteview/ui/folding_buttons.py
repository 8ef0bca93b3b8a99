"""Buttons side by side in as many rows as there is room for; the last ones fold into a menu named *More…*."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QWidget

from quoteview.ui.flow_layout import FlowLayout
from quoteview.ui.key_button import KeyButton
from quoteview.ui.theme import Theme


class FoldingButtons(QWidget):
    """The buttons in the order they were added. Those that fit no more are in the menu, with their keys."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._flow = FlowLayout(self)
        self._buttons: list[KeyButton] = []
        self._rows = 3
        self.more = KeyButton(self.tr("More…"), "", theme, self, role="link")
        self.more.hide()
        self._flow.addWidget(self.more)
        self._menu = QMenu(self)
        self.more.clicked.connect(self._show_menu)

    def set_rows(self, rows: int) -> None:
        """Take at most this many rows, one or more."""
        if rows != self._rows:
            self._rows = rows
            self.fold()

    def add(self, button: KeyButton) -> None:
        """Add a button behind the others; call `fold` once all are there."""
        self._buttons.append(button)
        self._flow.removeWidget(self.more)
        self._flow.addWidget(button)
        self._flow.addWidget(self.more)

    def drop(self, button: KeyButton) -> None:
        """Take a button out; call `fold` once all have gone."""
        self._buttons.remove(button)
        self._flow.removeWidget(button)
        button.hide()  # not taken from its parent: a layout's late show would make it a window of its own
        button.deleteLater()

    def fold(self) -> None:
        """Show as many buttons as fit, and *More…* where some do not."""
        fitting = self._fitting()
        for number, button in enumerate(self._buttons):
            if button.isHidden() is (number < fitting):
                button.setVisible(number < fitting)
        self.more.setVisible(fitting < len(self._buttons))

    @property
    def folded(self) -> tuple[KeyButton, ...]:
        """The buttons that are in the menu."""
        return tuple(self._buttons[self._fitting() :])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold for the new width."""
        super().resizeEvent(event)
        self.fold()

    def _fitting(self) -> int:
        """Return how many buttons have room, with *More…* behind them where not all have; at least one."""
        widths = [button.sizeHint().width() for button in self._buttons]
        if self._rows_of(widths) <= self._rows:
            return len(widths)
        more = self.more.sizeHint().width()
        fitting = len(widths) - 1
        while fitting > 1 and self._rows_of([*widths[:fitting], more]) > self._rows:
            fitting -= 1
        return fitting

    def _rows_of(self, widths: list[int]) -> int:
        rows, x = 1, 0
        for width in widths:
            if x and x + width > self.width():
                rows, x = rows + 1, 0
            x += width + self._flow.spacing()
        return rows

    def _fill_menu(self) -> None:
        self._menu.clear()
        for button in self.folded:
            words = button.text().replace("&", "&&")
            action = self._menu.addAction(f"{words}\t{button.key}" if button.key else words)
            action.setEnabled(button.isEnabled())
            action.triggered.connect(lambda _checked=False, chosen=button: chosen.click())

    def _show_menu(self) -> None:
        self._fill_menu()
        self._menu.popup(self.more.mapToGlobal(QPoint(0, -self._menu.sizeHint().height())))
