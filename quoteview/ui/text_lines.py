"""Small geometry of laid-out text lines that both panes need."""

from __future__ import annotations


def cursor_x(found: object) -> float:
    """Return the x that `QTextLine.cursorToX` found; PySide6 gives a pair (x, position) or the number alone."""
    value = found[0] if isinstance(found, tuple) else found
    assert isinstance(value, int | float)
    return float(value)
