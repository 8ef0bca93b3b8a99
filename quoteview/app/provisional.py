"""A long draft judged at once after a change: the paragraph that changed is read by itself, the rest keeps its verdicts.

The picture is provisional: the whole draft is read again in a worker, and only what that says is ever put
to the gates. A short draft is read whole at once and needs none of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from quoteview.app.excerpts import paragraph
from quoteview.core.checking import check
from quoteview.core.drafts.claims import CONTEXT
from quoteview.core.drafts.draft import Claim, Draft, Patch, moved_claim
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


_REACHES = (64, 1_024, 16_384)
"""Bytes on either side of the changed paragraphs that are read with them, more where those show too few characters."""


class _Claims(NamedTuple):
    """A draft's claims after a change: those before it as they were, those in it read anew, those after it moved."""

    before: tuple[Claim, ...]
    inner: tuple[Claim, ...]
    after: tuple[Claim, ...]


class _Window(NamedTuple):
    """Bytes of the draft before the change: what changed (whole paragraphs), and around it the paragraphs read with it."""

    low: int
    start: int
    end: int
    high: int


def _claims_near(draft: Draft, content: bytes, patches: Sequence[Patch], source_address: str) -> _Claims | None:
    first, last = min(patch.start for patch in patches), max(patch.end for patch in patches)
    start, _ = paragraph(draft.data, first, first)
    _, end = paragraph(draft.data, last, last)
    if any(_is_across(claim, start) or _is_across(claim, end) for claim in draft.claims):
        return None
    for reach in _REACHES:
        low, _ = paragraph(draft.data, max(0, start - reach), max(0, start - reach))
        _, high = paragraph(draft.data, min(len(draft.data), end + reach), min(len(draft.data), end + reach))
        window = _Window(min(low, start), start, end, max(high, end))
        read = _read_window(draft, content, window, source_address)
        if read is None:
            return None
        if _has_surroundings(read, draft, window):
            return _joined(draft, content, window, read)
    return None


def _read_window(draft: Draft, content: bytes, window: _Window, source_address: str) -> _Claims | None:
    """Return the claims before, in and after the change as a reading of the window alone gives them, at the content's bytes."""
    by = len(content) - len(draft.data)
    part = content[window.low : window.high + by]
    try:
        claims = read_draft(part, draft.file, source_address=source_address).claims
    except DraftError:
        return None
    start, end = window.start - window.low, window.end + by - window.low
    if any(_is_across(claim, start) or _is_across(claim, end) for claim in claims):
        return None
    before = tuple(claim for claim in claims if claim.outer.end <= start)
    after = tuple(claim for claim in claims if claim.outer.start >= end)
    inner = claims[len(before) : len(claims) - len(after)]
    return _Claims(before, inner, after)


def _has_surroundings(read: _Claims, draft: Draft, window: _Window) -> bool:
    """Return whether the window shows all words around the changed claims, and every claim whose words around it changed.

    Words around a claim reach over other claims. Where they are the same for the last claim read, they are for all beyond it.
    """
    if window.low > 0:
        count = sum(claim.outer.end <= window.start for claim in draft.claims)
        first = draft.claims[count - len(read.before)] if 0 < len(read.before) <= count else None
        is_same = first.after == read.before[0].after if first is not None else count == 0
        if not is_same or any(len(claim.before) < CONTEXT for claim in (*read.inner, *read.after)):
            return False
    if window.high < len(draft.data):
        beyond = [claim for claim in draft.claims if claim.outer.start >= window.end]
        last = beyond[len(read.after) - 1] if 0 < len(read.after) <= len(beyond) else None
        is_same = last.before == read.after[-1].before if last is not None else not beyond
        if not is_same or any(len(claim.after) < CONTEXT for claim in (*read.before, *read.inner)):
            return False
    return True


def _joined(draft: Draft, content: bytes, window: _Window, read: _Claims) -> _Claims | None:
    """Return all claims: those of the change as read, the others as they were but for their place and changed words around them.

    None where the reading of the window has other claims around the change than the draft: it cannot be read by itself.
    """
    by = len(content) - len(draft.data)
    lines = content.count(b"\n", 0, window.low)
    grown = content.count(b"\n", window.start, window.end + by) - draft.data.count(b"\n", window.start, window.end)
    before = [claim for claim in draft.claims if claim.outer.end <= window.start]
    after = [claim for claim in draft.claims if claim.outer.start >= window.end]
    beside = sum(claim.outer.end <= window.low for claim in before)
    if beside + len(read.before) != len(before) or len(read.after) != sum(claim.outer.start < window.high for claim in after):
        return None
    inner = [moved_claim(one, window.low, beside + one.id, one.line + lines) for one in read.inner]
    number = len(before) + len(inner) + 1
    if by or grown or (after and after[0].id != number):
        after = [moved_claim(claim, by, number + place, claim.line + grown) for place, claim in enumerate(after)]
    for place, one in enumerate(read.before, beside):
        claim = before[place]
        if not _is_same(one, claim, window.low):
            return None
        before[place] = claim if claim.after == one.after else replace(claim, after=one.after)
    for place, one in enumerate(read.after):
        claim = after[place]
        if not _is_same(one, claim, window.low):
            return None
        after[place] = claim if claim.before == one.before else replace(claim, before=one.before)
    return _Claims(tuple(before), tuple(inner), tuple(after))


def _is_across(claim: Claim, place: int) -> bool:
    return claim.outer.start < place < claim.outer.end


def _is_same(read: Claim, claim: Claim, shift: int) -> bool:
    return read.text == claim.text and read.outer.start + shift == claim.outer.start and read.kind is claim.kind


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
