"""Whether a draft looks cut off: the draft's half of the `complete` gate."""

from __future__ import annotations

from quoteview.core.drafts.draft import Claim, Completeness
from quoteview.core.drafts.rendering import Rendering


def defects(rendering: Rendering, claims: tuple[Claim, ...], end_mark: str = "") -> tuple[Completeness, ...]:
    """Return every way in which the draft looks cut off, in the order of the draft."""
    return rendering.defects
