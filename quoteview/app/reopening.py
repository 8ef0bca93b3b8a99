"""What else an edit would open again, said before it is made.

A recorded resolution is bound to its claim's words, time and place, so that an edit nearby may reopen it; a person's
acknowledgement of how a draft ends is bound to the draft's last characters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from quoteview.app.excerpts import paragraph
from quoteview.app.text_positions import shifted
from quoteview.core.completeness import TAIL, draft_seen
from quoteview.core.drafts.draft import Claim, Draft, Patch, patched
from quoteview.core.drafts.reading import read_draft
from quoteview.core.errors import DraftError
from quoteview.core.journal import Journal
from quoteview.core.judged import JudgedDraft
from quoteview.core.resolving import acknowledgements

_AROUND = 600
"""Bytes each side of an edit that are read with it: place is 32 characters each side, markup left out."""


class Nearby(NamedTuple):
    """A stretch of a draft around an edit, and the resolved claims in it by the byte of the stretch they begin at."""

    start: int
    end: int
    resolved: dict[int, int]


def reopened_by(draft: Draft, patches: Sequence[Patch], is_resolved: Callable[[int], bool]) -> tuple[int, ...]:
    """Return the ids of resolved claims that patches would reopen, those that they cut into left out.

    Only the paragraphs around the edit are read, before and after it, both alike.
    """
    near = _nearby(draft, patches, is_resolved) if patches else None
    if near is None or not near.resolved:
        return ()
    data = draft.data[near.start : near.end]
    local = [Patch(patch.start - near.start, patch.end - near.start, patch.replacement) for patch in patches]
    try:
        before, after = read_draft(data, draft.file), read_draft(patched(data, local), draft.file)
    except DraftError:
        return ()
    then = {claim.outer.start: claim for claim in after.claims}
    lost = []
    for claim in before.claims:
        claim_id = near.resolved.get(claim.outer.start)
        is_cut = any(patch.start < claim.outer.end and patch.end > claim.outer.start for patch in local)
        if claim_id is None or is_cut:
            continue
        now = then.get(shifted(claim.outer.start, sorted(local)))
        if now is None or _basis(now) != _basis(claim):
            lost.append(claim_id)
    return tuple(lost)


def loses_acknowledgement(judged: JudgedDraft, patches: Sequence[Patch], journal: Journal) -> bool:
    """Return whether patches would take the ground from a person's acknowledgement of how the draft ends."""
    draft = judged.draft
    if draft is None or not draft.defects or not patches:
        return False
    reach = 4 * TAIL  # no character of an encoding that is read takes more bytes
    if max(patch.end for patch in patches) < len(draft.data) - reach:
        return False
    if draft_seen(draft, judged.path) not in acknowledgements(journal, "complete"):
        return False
    after = patched(draft.data, patches)
    return draft.data.decode(draft.encoding)[-TAIL:] != after.decode(draft.encoding, "replace")[-TAIL:]


def _nearby(draft: Draft, patches: Sequence[Patch], is_resolved: Callable[[int], bool]) -> Nearby:
    first, last = min(patch.start for patch in patches), max(patch.end for patch in patches)
    if draft.encoding.startswith("utf-16"):
        start, end = 0, len(draft.data)
    else:
        low, high = max(0, first - _AROUND), min(len(draft.data), last + _AROUND)
        start, end = paragraph(draft.data, low, low)[0], paragraph(draft.data, high, high)[1]
    inside = [claim for claim in draft.claims if start <= claim.outer.start and claim.outer.end <= end]
    return Nearby(start, end, {claim.outer.start - start: claim.id for claim in inside if is_resolved(claim.id)})


def _basis(claim: Claim) -> tuple[object, ...]:
    claimed = claim.claimed
    times = (claimed.start_ms, claimed.end_ms) if claimed is not None else None
    return claim.text, times, claim.before, claim.after
