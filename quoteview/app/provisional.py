"""A long draft judged at once after a change: the paragraph that changed is read by itself, the rest keeps its verdicts.

The picture is provisional: the whole draft is read again in a worker, and only what that says is ever put
to the gates. A short draft is read whole at once and needs none of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from quoteview.app.excerpts import paragraph, shifted_claim
from quoteview.core.checking import check
from quoteview.core.drafts.draft import Claim, Draft, Patch
from quoteview.core.drafts.reading import read_draft
from quoteview.core.errors import DraftError
from quoteview.core.judged import JudgedDraft
from quoteview.core.resolving import standing
from quoteview.core.review import Review
from quoteview.core.verdicts import Verdict


def judged_near(known: Review, index: int, content: bytes, patches: Sequence[Patch]) -> Review | None:
    """Return the review after patches of a draft, None where the changed paragraphs cannot be read by themselves."""
    judged = known.drafts[index]
    draft = judged.draft
    if draft is None or not patches or draft.encoding.startswith("utf-16"):
        return None
    found = _claims_near(draft, content, patches, known.job.source.address)
    if found is None:
        return None
    claims = (*found.before, *found.inner, *found.after)
    near = Draft(draft.file, draft.format, content, "", draft.encoding, claims, draft.marks, draft.defects)
    record = known.job.track(known.choice.track_id)
    sha256 = record.lock.sha256 if record and record.lock else ""
    changed = JudgedDraft(
        judged.path,
        near,
        _verdicts(known, judged, found),
        standing(known.job.journal, judged.path, claims, sha256),
        judged.is_lock_whole,
    )
    contents = (*known.material.drafts[:index], content, *known.material.drafts[index + 1 :])
    drafts = (*known.drafts[:index], changed, *known.drafts[index + 1 :])
    return replace(known, material=replace(known.material, drafts=contents), drafts=drafts)


class _Claims(NamedTuple):
    """A draft's claims after a change: those before it as they were, those in it read anew, those after it moved."""

    before: tuple[Claim, ...]
    inner: tuple[Claim, ...]
    after: tuple[Claim, ...]


def _claims_near(draft: Draft, content: bytes, patches: Sequence[Patch], source_address: str) -> _Claims | None:
    first, last = min(patch.start for patch in patches), max(patch.end for patch in patches)
    start, _ = paragraph(draft.data, first, first)
    _, end = paragraph(draft.data, last, last)
    by = len(content) - len(draft.data)
    part = content[start : end + by]
    try:
        read = read_draft(part, draft.file, source_address=source_address)
    except DraftError:
        return None
    before = [claim for claim in draft.claims if claim.outer.end <= start]
    after = [claim for claim in draft.claims if claim.outer.start >= end]
    across = [
        c
        for c in draft.claims
        if c.outer.end > start and c.outer.start < end and not start <= c.outer.start <= c.outer.end <= end
    ]
    if across:
        return None
    lines = content.count(b"\n", 0, start)
    grown = part.count(b"\n") - draft.data.count(b"\n", start, end)
    inner = tuple([shifted_claim(claim, start, len(before) + claim.id, claim.line + lines) for claim in read.claims])
    number = len(before) + len(inner) + 1
    if by == 0 and grown == 0 and after and after[0].id == number:
        moved = after
    else:
        moved = [shifted_claim(claim, by, number + place, claim.line + grown) for place, claim in enumerate(after)]
    return _Claims(tuple(before), inner, tuple(moved))


def _verdicts(known: Review, judged: JudgedDraft, claims: _Claims) -> tuple[Verdict, ...]:
    """Return the verdicts: of claims that stand before and after the change the same ones, for nothing that they depend on did.

    A claim in it is checked, unless one there that said the very same was.
    """
    reference = known.reference
    if reference is None or len(judged.verdicts) != len(judged.claims):
        return ()
    first, last = len(claims.before), len(judged.claims) - len(claims.after)
    earlier = {_asked(judged.claims[at]): judged.verdicts[at] for at in range(first, last)}
    fresh = [claim for claim in claims.inner if _asked(claim) not in earlier]
    others = [other for track_id, other in known.references.items() if track_id != known.choice.track_id]
    found = check(reference, fresh, tolerance_ms=known.job.policy.tolerance_ms, others=others) if fresh else ()
    earlier |= {_asked(claim): verdict for claim, verdict in zip(fresh, found, strict=True)}
    inner = [earlier[_asked(claim)] for claim in claims.inner]
    return (*judged.verdicts[:first], *inner, *judged.verdicts[last:])


def _asked(claim: Claim) -> tuple[object, ...]:
    """Return all of a claim that its verdict depends on."""
    claimed = claim.claimed
    return (claim.text, claim.is_closed, claimed.start_ms if claimed else None, claimed.end_ms if claimed else None)
