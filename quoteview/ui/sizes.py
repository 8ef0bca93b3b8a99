"""How large a dialog opens: as large as it likes to be, never larger than the screen that it opens on."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog

from quoteview.ui.theme import Theme

_ROOM_BESIDE, _ROOM_ABOVE = 32, 72
"""What a window's frame and a task bar may take of a screen whose room is not told exactly."""


def resize_within_screen(dialog: QDialog, theme: Theme, width: int, height: int) -> None:
    """Give a dialog a size that grows with the text, as far as its screen has room (200 % on a laptop has little)."""
    room = dialog.screen().availableSize() - QSize(_ROOM_BESIDE, _ROOM_ABOVE)
    dialog.resize(QSize(theme.pixels(width), theme.pixels(height)).boundedTo(room))
