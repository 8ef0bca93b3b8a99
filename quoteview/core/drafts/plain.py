"""Plain text: paragraphs between blank lines, and no markup at all.

A line end inside a paragraph is soft. A line that begins with `>` is text like any other: plain text has no
block quotations. A line longer than any that was wrapped by hand is a paragraph of its own.
"""

from __future__ import annotations

import re

from quoteview.core.drafts.rendering import Rendering, RenderingBuilder
from quoteview.core.drafts.source import SourceText
from quoteview.core.joins import LAYOUT_CHARACTERS

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")

_LONGEST_WRAPPED = 240
"""Characters; mail and text editors wrap at 72 to 100, wide ones at 120. A transcript with one line a paragraph has more."""


def render_plain(source: SourceText) -> Rendering:
    """Return what a reader of a plain text sees."""
    builder = RenderingBuilder(source)
    was_long = False
    for match in _LINE.finditer(source.text):
        line = match[1]
        shown = line.strip(LAYOUT_CHARACTERS)
        is_long = len(shown) > _LONGEST_WRAPPED
        if not shown or is_long or was_long:
            builder.end_leaf()
        was_long = is_long
        if not shown:
            continue
        start = match.start() + len(line) - len(line.lstrip(LAYOUT_CHARACTERS))
        if not builder.is_in_leaf:
            builder.begin_leaf(start)
        builder.text(start, start + len(shown))
        builder.line_end(start + len(shown), match.end())
    return builder.finished()
