"""Which recorded resolutions, acknowledgements and choices hold now, and why one that held does not any more.

- A recorded resolution holds for a claim of the same text, claimed time and place (32 characters each side,
  other claims' text left out) under the same reference. If one of these changes, the claim is open again. One
  reopened only because the words around it changed is its own case, for these are reconfirmed together.
- To accept a claim as it is requires a reason. So does setting aside a claim that has a timestamp of its own or more
  than three words, whatever its verdict, and then it counts as an exception. Where a reason came to be required
  after the fact, a resolution without one does not hold.
- What changed the draft (the source's words, the time, split, narrow, retract) is history: the claim is checked again.
- The latest entry about a claim decides; one that was withdrawn counts as never written.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from quoteview.core.acts import (
    Acknowledge,
    ChooseReference,
    ClaimBasis,
    ExceptionClass,
    ResolutionKind,
    Resolve,
    Waive,
    Withdraw,
    bases_of,
)
from quoteview.core.drafts.draft import Claim
from quoteview.core.errors import UsageError
from quoteview.core.joins import is_unspaced
from quoteview.core.journal import Entry, Journal

__all__ = [
    "Acknowledged",
    "ClaimBasis",
    "ClaimStanding",
    "ExceptionClass",
    "Open",
    "Reopened",
    "Reopening",
    "Resolution",
    "ResolutionKind",
    "Resolved",
    "acknowledgements",
    "chosen_reference",
    "is_exception",
    "needs_reason",
    "resolution_of",
    "standing",
    "waivers",
    "word_count",
]

MOST_WORDS = 3
"""A term or title of up to this many words, without a time of its own, is set aside without a reason."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """A recorded resolution of one claim. `entry` is the digest of the journal's line, `track` that of the reference then."""

    kind: ResolutionKind
    exception_class: ExceptionClass | None
    reason: str
    note: str
    by: str
    at: str
    entry: str
    track: str
    basis: ClaimBasis
    passage: str = ""
    is_exception: bool = False


class Reopening(StrEnum):
    """What changed since a resolution was recorded."""

    SURROUNDINGS = "surroundings"
    TIME = "time"
    TEXT = "text"
    REFERENCE = "reference"
    REASON = "reason"


_WHY = {
    Reopening.SURROUNDINGS: "only the words around it have changed since",
    Reopening.TIME: "its time has changed since",
    Reopening.TEXT: "its words have changed since",
    Reopening.REFERENCE: "the reference track is another one since",
    Reopening.REASON: "it has a time of its own or more than three words now, and no reason was given",
}


@dataclass(frozen=True, slots=True)
class Resolved:
    """A recorded resolution holds for the claim."""

    resolution: Resolution


@dataclass(frozen=True, slots=True)
class Reopened:
    """A resolution was recorded and does not hold any more; `why` is a sentence."""

    resolution: Resolution
    cause: Reopening
    why: str


@dataclass(frozen=True, slots=True)
class Open:
    """Nothing recorded is about the claim."""


ClaimStanding = Resolved | Reopened | Open
OPEN = Open()


class Acknowledged(NamedTuple):
    """Who let something pass, when and why."""

    by: str
    at: str
    reason: str


def word_count(text: str) -> int:
    """Return how many words a text has: those between white space, and each character of a script written without spaces."""
    unspaced = sum(1 for character in text if is_unspaced(character) and character.isalnum())
    spaced = "".join(" " if is_unspaced(character) else character for character in text) if unspaced else text
    return len(spaced.split()) + unspaced


def needs_reason(kind: ResolutionKind, claim: Claim) -> bool:
    """Return whether a reason is required to resolve a claim so; what edits the draft needs none."""
    if kind is ResolutionKind.NOT_A_QUOTATION:
        has_own_time = claim.has_own_time
        return has_own_time or word_count(claim.text) > MOST_WORDS
    return kind is ResolutionKind.ACCEPT


def is_exception(kind: ResolutionKind, claim: Claim) -> bool:
    """Return whether a claim so resolved counts as an exception on the label."""
    return needs_reason(kind, claim)


def resolution_of(
    claims: Sequence[Claim],
    ids: Collection[int],
    kind: ResolutionKind,
    *,
    exception: ExceptionClass | None = None,
    reason: str = "",
    note: str = "",
    passage: str = "",
) -> Resolve:
    """Return the act that resolves the claims with these ids, of all the draft's `claims`, in one entry.

    Raises `UsageError` where a reason or the class of the exception is missing, and ValueError for an unknown id or none.
    """
    chosen = [place for place, claim in enumerate(claims) if claim.id in ids]
    if not chosen or len(chosen) != len(set(ids)):
        raise ValueError("the act must name claims of the draft")
    if not reason.strip() and any(needs_reason(kind, claims[place]) for place in chosen):
        raise UsageError("A reason is required here: write in a few words why this claim may stay as it is.")
    if (exception is None) == (kind is ResolutionKind.ACCEPT):
        raise UsageError("An accepted claim is an exception of one class: cut, translation, house style, wording or other.")
    bases = bases_of(claims)
    return Resolve(kind, tuple(bases[place] for place in chosen), exception, reason, note, passage)


def standing(journal: Journal, draft: str, claims: Sequence[Claim], reference_sha256: str) -> tuple[ClaimStanding, ...]:
    """Return for each of a draft's claims, in order, whether a recorded resolution holds, held once, or never was.

    `draft` is the draft's path in the job, `reference_sha256` the digest of the reference track.
    """
    recorded = _recorded(journal, draft)
    if not recorded:
        return (OPEN,) * len(claims)
    bases = bases_of(claims)
    found: list[ClaimStanding] = [OPEN] * len(claims)
    held: set[tuple[ClaimBasis, str]] = set()
    for place, (claim, basis) in enumerate(zip(claims, bases, strict=True)):
        resolution = recorded.get((basis, reference_sha256))
        if resolution is not None:
            held.add((basis, reference_sha256))
            found[place] = _held(resolution, claim)
    lost = [resolution for key, resolution in recorded.items() if key not in held]
    if lost:
        _explain(found, bases, lost, reference_sha256)
    return tuple(found)


def acknowledgements(journal: Journal, gate: str) -> dict[str, Acknowledged]:
    """Return what was acknowledged for a gate, by the digest of what the person saw."""
    found: dict[str, Acknowledged] = {}
    for entry in _effective(journal):
        if isinstance(entry.act, Acknowledge) and entry.act.gate == gate and entry.act.reason.strip():
            for seen in entry.act.seen:
                found[seen] = Acknowledged(entry.by, entry.at, entry.act.reason)
    return found


def waivers(journal: Journal) -> dict[str, Acknowledged]:
    """Return the tracks that a person does without, by id."""
    return {
        entry.act.track_id: Acknowledged(entry.by, entry.at, entry.act.reason)
        for entry in _effective(journal)
        if isinstance(entry.act, Waive) and entry.act.reason.strip()
    }


def chosen_reference(journal: Journal) -> tuple[str, Acknowledged] | None:
    """Return the id of the reference that a person chose last, with who and why; None where the rule decides."""
    chosen: tuple[str, Acknowledged] | None = None
    for entry in _effective(journal):
        if isinstance(entry.act, ChooseReference):
            who = Acknowledged(entry.by, entry.at, entry.act.reason)
            chosen = (entry.act.track_id, who) if entry.act.track_id and who.reason.strip() else None
    return chosen


def _held(resolution: Resolution, claim: Claim) -> ClaimStanding:
    if needs_reason(resolution.kind, claim) and not resolution.reason.strip():
        return _reopened(resolution, Reopening.REASON)
    if not is_exception(resolution.kind, claim):
        return Resolved(resolution)
    return Resolved(replace(resolution, is_exception=True))


def _reopened(resolution: Resolution, cause: Reopening) -> Reopened:
    return Reopened(resolution, cause, f"Resolved by {resolution.by} on {resolution.at[:10]}; {_WHY[cause]}.")


@lru_cache(maxsize=16)
def _effective(journal: Journal) -> tuple[Entry, ...]:
    """Return the entries that were not withdrawn as a whole, oldest first. A withdrawal can itself be withdrawn."""
    withdrawn = _withdrawals(journal)
    return tuple(entry for entry in journal.entries if withdrawn.get(entry.digest) != frozenset())


@lru_cache(maxsize=16)
def _withdrawals(journal: Journal) -> dict[str, frozenset[str]]:
    """Return, by entry, the digests of the claims for which it was withdrawn; an empty set means all of it."""
    withdrawn: dict[str, frozenset[str]] = {}
    for entry in reversed(journal.entries):
        act = entry.act
        if not isinstance(act, Withdraw) or withdrawn.get(entry.digest) == frozenset():
            continue
        known = withdrawn.get(act.entry)
        is_whole = not act.claims or known == frozenset()
        withdrawn[act.entry] = frozenset() if is_whole else (known or frozenset()) | frozenset(act.claims)
    return withdrawn


@lru_cache(maxsize=16)
def _recorded(journal: Journal, draft: str) -> dict[tuple[ClaimBasis, str], Resolution]:
    """Return the latest resolution by claim and reference, in the order of the journal."""
    withdrawn = _withdrawals(journal)
    found: dict[tuple[ClaimBasis, str], Resolution] = {}
    for entry in _effective(journal):
        act = entry.act
        if not isinstance(act, Resolve) or not act.kind.is_standing or entry.draft != draft:
            continue
        if act.kind is ResolutionKind.ACCEPT and (act.exception is None or not act.reason.strip()):
            continue
        partly = withdrawn.get(entry.digest, frozenset())
        for basis in act.claims:
            if not partly or basis.digest not in partly:
                key = (basis, entry.track)
                found.pop(key, None)
                found[key] = Resolution(
                    act.kind,
                    act.exception,
                    act.reason,
                    act.note,
                    entry.by,
                    entry.at,
                    entry.digest,
                    entry.track,
                    basis,
                    act.passage,
                )
    return found


def _explain(found: list[ClaimStanding], bases: Sequence[ClaimBasis], lost: list[Resolution], reference: str) -> None:
    """Give each lost resolution to the open claim that it most likely was about; the least changed pairs come first.

    Only claims that share the text or a side of the place with a lost resolution are looked at.
    """
    places = {basis: place for place, basis in enumerate(bases) if isinstance(found[place], Open)}
    left: list[Resolution] = []
    for resolution in lost:
        same = places.get(resolution.basis)
        if same is not None and isinstance(found[same], Open):
            found[same] = _reopened(resolution, Reopening.REFERENCE)
        else:
            left.append(resolution)
    _pair(found, bases, left, reference)


def _pair(found: list[ClaimStanding], bases: Sequence[ClaimBasis], lost: list[Resolution], reference: str) -> None:
    by_text: dict[str, list[int]] = {}
    by_place: dict[tuple[int, str], list[int]] = {}
    for place, basis in enumerate(bases):
        if isinstance(found[place], Open):
            by_text.setdefault(basis.text, []).append(place)
            by_place.setdefault((0, basis.before), []).append(place)
            by_place.setdefault((1, basis.after), []).append(place)
    pairs: list[tuple[int, int, int, Reopening]] = []
    for number, resolution in enumerate(lost):
        was = resolution.basis
        near = {*by_text.get(was.text, ()), *by_place.get((0, was.before), ()), *by_place.get((1, was.after), ())}
        for place in near:
            cause = _cause(was, bases[place], resolution.track != reference)
            if cause is not None:
                pairs.append((-_likeness(was, bases[place]), number, place, cause))
    used: set[int] = set()
    for _, number, place, cause in sorted(pairs):
        if number not in used and isinstance(found[place], Open):
            used.add(number)
            found[place] = _reopened(lost[number], cause)


def _cause(was: ClaimBasis, now: ClaimBasis, is_other_reference: bool) -> Reopening | None:
    is_same_time = (was.claimed_ms, was.claimed_end_ms) == (now.claimed_ms, now.claimed_end_ms)
    if was.text == now.text:
        if is_other_reference:
            return Reopening.REFERENCE
        return Reopening.SURROUNDINGS if is_same_time else Reopening.TIME
    sides = (was.before == now.before) + (was.after == now.after)
    has_words = bool(was.before.strip() or was.after.strip())
    return Reopening.TEXT if has_words and (sides == 2 or (sides == 1 and is_same_time)) else None


def _likeness(was: ClaimBasis, now: ClaimBasis) -> int:
    """Return how much two claims have in common: characters around them, counted outward, and the same text as 24 of those."""
    around = _common(was.before[::-1], now.before[::-1]) + _common(was.after, now.after)
    return around + (24 if was.text == now.text else 0)


def _common(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
