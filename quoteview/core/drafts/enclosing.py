"""Markup that a draft would keep around nothing once the words inside it are cut: a link, an emphasis, an element."""

from __future__ import annotations

import re

from quoteview.core.drafts.draft import DraftFormat

_LONGEST = 4000
"""Characters looked at on either side; longer markup stays and is cut by hand."""
_EMPHASIS_BEFORE = re.compile(r"(?<![\\*_~])(\*{1,3}|_{1,3}|~~)\Z")
_LINK_BEHIND = re.compile(
    r"""\](?:\((?:[^()\s\\<>]|\\.|\([^()\s]*\))*(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?[ \t]*\)|\[[^\[\]\n]*\])"""
)
_ANGLED_LINK_BEHIND = re.compile(r"""\]\(<[^<>\n]*>(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?[ \t]*\)""")
_TAG_BEFORE = re.compile(
    r"""<(a|b|i|u|s|em|strong|cite|mark|small|span|font|del|ins|sup|sub)(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*)?>\Z""", re.I
)


def emptied(text: str, start: int, end: int, format: DraftFormat) -> tuple[int, int]:
    """Return the stretch `start` to `end` (code points) together with all markup that encloses nothing else."""
    while True:
        wider = _around(text, start, end, format)
        if wider is None:
            return start, end
        start, end = wider


def _around(text: str, start: int, end: int, format: DraftFormat) -> tuple[int, int] | None:
    """Return the stretch with the one piece of markup right around it; None where there is none."""
    if format is DraftFormat.PLAIN:
        return None
    before = text[max(0, start - _LONGEST) : start]
    tag = _TAG_BEFORE.search(before)
    if tag is not None:
        closing = re.compile(rf"</{tag[1]}\s*>", re.I).match(text, end)
        return None if closing is None else (start - len(tag[0]), closing.end())
    if format is DraftFormat.HTML:
        return None
    if before.endswith("[") and not before.endswith("\\["):
        stop = min(len(text), end + _LONGEST)
        link = _LINK_BEHIND.match(text, end, stop) or _ANGLED_LINK_BEHIND.match(text, end, stop)
        return None if link is None else (start - 1, link.end())
    emphasis = _EMPHASIS_BEFORE.search(before)
    if emphasis is None or not text.startswith(emphasis[1], end):
        return None
    stop = end + len(emphasis[1])
    return None if text[stop : stop + 1] == emphasis[1][0] else (start - len(emphasis[1]), stop)
