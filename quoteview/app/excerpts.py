"""A paragraph of a draft read by itself, so that an edit in a long draft costs as much as in a short one.

An excerpt is used only where the claim in it is the very same: text, marks and time at the same bytes.
Where the rest of the draft matters (a time from a heading, an open fence) it is not, and the whole draft
is worked on instead.
"""

from __future__ import annotations

from typing import NamedTuple

from quoteview.core.drafts.draft import Claim, Draft, moved_span
from quoteview.core.drafts.reading import read_draft
from quoteview.core.errors import DraftError

SHORT_BYTES = 6_000
"""A draft up to this size is read whole in a few milliseconds."""


class Excerpt(NamedTuple):
    """A part of a draft as a draft, the claim in it, and the byte of the whole draft that it begins at."""

    draft: Draft
    claim: Claim
    start: int


def excerpt_of(draft: Draft, claim: Claim) -> Excerpt:
    """Return the paragraph of a claim, or the whole draft where it is short or the paragraph alone would read differently."""
    if len(draft.data) <= SHORT_BYTES or draft.encoding.startswith("utf-16"):
        return Excerpt(draft, claim, 0)
    start, end = paragraph(draft.data, claim.outer.start, claim.outer.end)
    try:
        part = read_draft(draft.data[start:end], draft.file)
    except DraftError:
        return Excerpt(draft, claim, 0)
    same = next((one for one in part.claims if _is_same(one, claim, start)), None)
    return Excerpt(part, same, start) if same is not None else Excerpt(draft, claim, 0)


def paragraph(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Return the bytes from the blank line before a span to the one after it."""
    ends = (b"\n\n", b"\r\n\r\n", b"\r\r")
    before = max((at + len(mark) for mark in ends if (at := data.rfind(mark, 0, start)) >= 0), default=0)
    after = min((at + len(mark) for mark in ends if (at := data.find(mark, end)) >= 0), default=len(data))
    return before, after


def _is_same(one: Claim, claim: Claim, start: int) -> bool:
    if one.text != claim.text or one.outer != moved_span(claim.outer, -start) or one.kind is not claim.kind:
        return False
    if claim.claimed is None or one.claimed is None:
        return claim.claimed is one.claimed
    return one.claimed.bytes == moved_span(claim.claimed.bytes, -start) and one.claimed.start_ms == claim.claimed.start_ms
