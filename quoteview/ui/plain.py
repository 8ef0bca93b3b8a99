"""Text from files and from the web in places that Qt would otherwise read as markup or as keys."""

from __future__ import annotations

import html


def plain_tip(text: str) -> str:
    """Return a tool tip that shows text as it is: Qt takes what looks like HTML for HTML, and would follow an image's path."""
    if "<" not in text:
        return text
    return f'<p style="white-space: pre-wrap">{html.escape(text)}</p>'


def without_keys(text: str) -> str:
    """Return the text of a button or menu entry in which an ampersand is one, not the mark of a key."""
    return text.replace("&", "&&")
