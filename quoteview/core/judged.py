"""What was read and judged of a job, as values: each locked track with what the audit and the witness say, each draft
with its verdicts and what was recorded about its claims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from quoteview.core.audit import AuditReport
from quoteview.core.captions.track import Track
from quoteview.core.drafts.draft import Claim, Draft
from quoteview.core.job import TrackRecord
from quoteview.core.ledger import EntryKind
from quoteview.core.resolving import ClaimStanding, Resolved
from quoteview.core.verdicts import Verdict
from quoteview.core.witness import WitnessReport


class State(StrEnum):
    """How a claim stands: proven, resolved by a person, or neither."""

    GREEN = "green"
    RED = "red"
    RESOLVED = "resolved"


@dataclass(frozen=True, slots=True)
class JudgedTrack:
    """A locked track. `track` is None where it could not be read: `fault` says why, and `is_broken` that its lock is."""

    record: TrackRecord
    track: Track | None
    audit: AuditReport | None = None
    witness: WitnessReport | None = None
    fault: str = ""
    is_broken: bool = False

    @property
    def sha256(self) -> str:
        """The digest recorded for it."""
        return self.record.lock.sha256 if self.record.lock else ""

    @property
    def file(self) -> str:
        """Its file's name in the job."""
        return self.record.lock.file if self.record.lock else self.record.id

    @property
    def unread_bytes(self) -> int:
        """How many bytes of it were not read; all of them where it is no track."""
        if self.track is None:
            return self.record.lock.size if self.record.lock else 0
        return self.track.ledger.totals()[EntryKind.UNREAD.word]


@dataclass(frozen=True, slots=True)
class JudgedDraft:
    """A draft. `draft` is None where it could not be read: `fault` says why.

    `verdicts` and `standing` have one place for each claim; `verdicts` is empty where there is nothing to check against.
    `is_lock_whole` is False while any lock of the job is broken: then nothing is green, and no resolution counts.
    """

    path: str
    draft: Draft | None
    verdicts: tuple[Verdict, ...] = ()
    standing: tuple[ClaimStanding, ...] = ()
    is_lock_whole: bool = True
    fault: str = ""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The draft's claims, none where it could not be read."""
        return self.draft.claims if self.draft else ()

    def state(self, place: int) -> State:
        """Return how the claim at a place in `claims` stands."""
        if not self.is_lock_whole or place >= len(self.verdicts):
            return State.RED
        if isinstance(self.standing[place], Resolved):
            return State.RESOLVED
        return State.GREEN if self.verdicts[place].is_green else State.RED

    def states(self) -> Iterator[State]:
        """Yield how each claim stands, in order."""
        return map(self.state, range(len(self.claims)))
