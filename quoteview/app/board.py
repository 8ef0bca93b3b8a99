"""The board: one draft as judged, in the terms of the window: each claim's state, what is to do, what stands at a cue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from quoteview.app.repairs import is_safe
from quoteview.app.states import ClaimState, Counts
from quoteview.core.drafts.draft import Claim, Draft
from quoteview.core.judged import JudgedDraft
from quoteview.core.resolving import OPEN, Reopened, Reopening, Resolution, Resolved
from quoteview.core.verdicts import Match, Verdict, VerdictKind


@dataclass(frozen=True)
class Board:
    """A draft as judged. Claims are asked for by id; an id that is none has no verdict and is to verify."""

    judged: JudgedDraft

    @property
    def draft(self) -> Draft | None:
        """The draft as read, None where it cannot be."""
        return self.judged.draft

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The draft's claims in its order."""
        return self.judged.claims

    def verdict(self, claim_id: int) -> Verdict | None:
        """Return what is proven of a claim, None where that is not known."""
        if not 0 < claim_id <= len(self.judged.verdicts):
            return None
        return self.judged.verdicts[claim_id - 1]

    def state(self, claim_id: int) -> ClaimState:
        """Return which of the five states a claim is in."""
        return self.states[claim_id - 1] if 0 < claim_id <= len(self.states) else ClaimState.TO_VERIFY

    def match(self, claim_id: int) -> Match | None:
        """Return where a claim stands in the reference, or comes closest to standing."""
        verdict = self.verdict(claim_id)
        if verdict is None:
            return None
        return verdict.match or (verdict.nearest.match if verdict.nearest is not None else None)

    def resolution(self, claim_id: int) -> Resolution | None:
        """Return the recorded resolution that holds for a claim."""
        standing = self._standing(claim_id)
        return standing.resolution if isinstance(standing, Resolved) else None

    def reopened(self, claim_id: int) -> Reopened | None:
        """Return why a claim's recorded resolution holds no longer."""
        standing = self._standing(claim_id)
        return standing if isinstance(standing, Reopened) else None

    def is_reopened_by_surroundings(self, claim_id: int) -> bool:
        """Return whether only the words around a claim reopened it."""
        found = self.reopened(claim_id)
        return found is not None and found.cause is Reopening.SURROUNDINGS

    @cached_property
    def states(self) -> tuple[ClaimState, ...]:
        """The state of each claim, in order."""
        judged = self.judged
        if not judged.is_lock_whole or not judged.verdicts:
            return (ClaimState.TO_VERIFY,) * len(self.claims)
        exact, to_do = ClaimState.EXACT, ClaimState.TO_DO
        found = [exact if verdict.kind is VerdictKind.EXACT else to_do for verdict in judged.verdicts]
        for place, standing in enumerate(judged.standing):
            if standing is not OPEN and isinstance(standing, Resolved):
                found[place] = ClaimState.EXCEPTION if standing.resolution.is_exception else ClaimState.SET_ASIDE
        return tuple(found)

    @cached_property
    def moments(self) -> tuple[int | None, ...]:
        """The time of each claim, in order: as claimed, else as found, None where neither is known."""
        found: list[int | None] = []
        for place, claim in enumerate(self.claims, 1):
            claimed_ms = claim.claimed_ms
            if claimed_ms is None:
                match = self.match(place)
                claimed_ms = match.evidence.time.start_ms if match is not None else None
            found.append(claimed_ms)
        return tuple(found)

    @cached_property
    def has_safe_repairs(self) -> bool:
        """Whether a claim to do has a safe first repair; asked at each change."""
        verdicts = self.judged.verdicts
        return any(is_safe(verdicts[place - 1]) for place in self.to_do)

    def after(self, before: Board) -> Board:
        """Return this board with what an earlier one worked out from the same verdicts."""
        known = before.__dict__.get("by_cue")
        if known is not None and before.judged.verdicts == self.judged.verdicts:
            self.__dict__["by_cue"] = known
        return self

    @cached_property
    def counts(self) -> Counts:
        """How many claims are in each state."""
        return Counts(*(self.states.count(state) for state in ClaimState))

    @cached_property
    def to_do(self) -> tuple[int, ...]:
        """The ids of the claims to do, in order."""
        return tuple(place for place, state in enumerate(self.states, 1) if state is ClaimState.TO_DO)

    @cached_property
    def by_cue(self) -> Mapping[int, tuple[int, ...]]:
        """The ids of the claims whose match touches a cue, by cue (file order)."""
        found: dict[int, list[int]] = {}
        for place, verdict in enumerate(self.judged.verdicts, 1):
            match = verdict.match or (verdict.nearest.match if verdict.nearest is not None else None)
            if match is not None:
                first, last = match.evidence.cues
                for cue in range(min(first, last), max(first, last) + 1):
                    found.setdefault(cue, []).append(place)
        return {cue: tuple(claims) for cue, claims in found.items()}

    @cached_property
    def has_resolutions(self) -> bool:
        """Whether a recorded resolution holds for any claim."""
        return any(isinstance(standing, Resolved) for standing in self.judged.standing)

    def _standing(self, claim_id: int) -> object:
        return self.judged.standing[claim_id - 1] if 0 < claim_id <= len(self.judged.standing) else None


EMPTY_BOARD = Board(JudgedDraft("", None))
