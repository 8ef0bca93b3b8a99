"""What the session holds and how it is read: everything a view needs to draw itself.

The state is a handful of immutable values: the `Review` of the open job, the `Board` of the current draft,
the bytes of the drafts as the disk has them, and the `History`. `Session` replaces them as a whole; nothing
here changes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from quoteview.app import repairs as offers
from quoteview.app.board import EMPTY_BOARD, Board
from quoteview.app.groups import Members, ToDo, groups_of, members_of
from quoteview.app.history import History
from quoteview.app.jobfile import JobFile
from quoteview.app.reopening import loses_acknowledgement, reopened_by
from quoteview.app.settings import Settings
from quoteview.app.states import (
    Alike,
    ClaimState,
    Counts,
    DraftSummary,
    ListedRepair,
    Outside,
    Phase,
    Progress,
    Repair,
    Saving,
)
from quoteview.app.text_positions import DraftText, shifted
from quoteview.core.captions.track import Cue, Track
from quoteview.core.drafts.draft import Claim, Draft, Patch
from quoteview.core.errors import LockBroken
from quoteview.core.gates import Gate
from quoteview.core.job import Job, TrackRecord
from quoteview.core.resolving import Resolution, ResolutionKind, needs_reason
from quoteview.core.review import Review
from quoteview.core.spans import TextSpan
from quoteview.core.verdicts import Match, Verdict
from quoteview.core.wording import sentence

_NEIGHBOURS = 8
"""Only among so many claims each side is looked for resolutions that a repair would reopen: place is 32 characters."""


class SessionState(QObject):
    """The session as it is read. `changed` carries a `states.Changes`; it is the one signal that views connect to.

    `told` follows once every view has heard: only then does the selection bring anything into view.
    """

    changed = Signal(object)
    told = Signal()

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._phase = Phase.EMPTY
        self._file: JobFile | None = None
        self._review: Review | None = None
        self._board: Board = EMPTY_BOARD
        self._index = -1
        self._on_disk: dict[int, bytes | None] = {}
        self._shown_track = ""
        self._text: DraftText | None = None
        self._revision = 0
        self._stamp = 0
        self._history = History()
        self._last_patches: tuple[Patch, ...] = ()
        self._gates: tuple[Gate, ...] = ()
        self._outside: dict[int, Outside] = {}
        self._digests: dict[str, str] = {}
        self._fault: Exception | None = None
        self._suggested: int | None = None
        self._waiting: Callable[[], None] | None = None
        self._then: Callable[[], None] | None = None
        self._is_leaving = False
        self._has_failed = False
        self._offered: dict[int, tuple[Repair, ...]] = {}
        self._members: tuple[tuple[object, ...], Members] | None = None

    # -- the job ---------------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """EMPTY, LOADING, CHECKING, READY, or LOCK_BROKEN; only in READY is anything green or any repair offered."""
        return self._phase

    @property
    def may_change(self) -> bool:
        """Whether drafts and journal can be changed now."""
        return self._phase is Phase.READY and not self.is_read_only

    @property
    def review(self) -> Review | None:
        """All that was judged of the open job, for dialogs that show evidence or a label."""
        return self._review

    @property
    def job(self) -> Job | None:
        """The job under review."""
        return self._review.job if self._review else None

    @property
    def folder(self) -> Path | None:
        """Where the job lies on disk."""
        return self._file.folder if self._file else None

    @property
    def is_read_only(self) -> bool:
        """Whether the job is open only to be looked at: nothing is written, and nothing can be changed."""
        return self._file is not None and self._file.is_read_only

    @property
    def tracks(self) -> tuple[TrackRecord, ...]:
        """Every track of the job, obtained or not."""
        return self._review.job.tracks if self._review else ()

    @property
    def reference_id(self) -> str:
        """The id of the reference track, "" where there is none."""
        return self._review.choice.track_id if self._review else ""

    @property
    def shown_track_id(self) -> str:
        """The id of the track that the transcript shows; at first the reference."""
        return self._shown_track

    def track(self, track_id: str) -> Track | None:
        """Return a locked track as read, or None."""
        reference = self._review.references.get(track_id) if self._review else None
        return reference.track if reference else None

    @property
    def cues(self) -> tuple[Cue, ...]:
        """The cues of the track shown, in the order of its file."""
        shown = self.track(self._shown_track)
        return shown.cues if shown else ()

    @property
    def duration_ms(self) -> int:
        """The recording's length, or the end of the reference's last cue where it is not known."""
        if self._review is None:
            return 0
        known = self._review.job.source.duration_ms
        reference = self._review.reference
        if known is not None or reference is None or not reference.time_order:
            return known or 0
        return reference.track.cues[reference.time_order[-1]].time.end_ms

    @property
    def drafts(self) -> tuple[DraftSummary, ...]:
        """The job's drafts, for the switcher."""
        if self._review is None:
            return ()
        return tuple(
            DraftSummary(
                name=Path(record.path).name,
                path=record.path,
                counts=self._counts_of(index),
                is_unsaved=self._is_unsaved(index),
                is_changed_outside=index in self._outside,
            )
            for index, record in enumerate(self._review.job.drafts)
        )

    @property
    def draft_index(self) -> int:
        """Which draft is current; -1 without one."""
        return self._index

    @property
    def draft(self) -> Draft | None:
        """The current draft as read from its bytes in memory."""
        return self._board.draft

    @property
    def text(self) -> DraftText | None:
        """The current draft's text with the ways between bytes and document positions."""
        return self._text

    @property
    def revision(self) -> int:
        """A number that grows with each change of the current draft's text."""
        return self._revision

    def moved(self, byte: int) -> int:
        """Return where a byte offset of the current draft before its last change stands after it."""
        return shifted(byte, self._last_patches)

    # -- claims ------------------------------------------------------------------------------------

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The current draft's claims in its order."""
        return self._board.claims

    def claim(self, claim_id: int) -> Claim | None:
        """Return a claim of the current draft, or None where there is none of that id."""
        return self._board.claims[claim_id - 1] if 0 < claim_id <= len(self._board.claims) else None

    def verdict(self, claim_id: int) -> Verdict | None:
        """Return what is proven of a claim; None while it is being checked, and while a lock is broken."""
        return self._board.verdict(claim_id) if self._phase is Phase.READY else None

    def state(self, claim_id: int) -> ClaimState:
        """Return which of the five states a claim is in; TO_VERIFY while nothing is known."""
        return self._board.state(claim_id) if self._phase is Phase.READY else ClaimState.TO_VERIFY

    @property
    def states(self) -> tuple[ClaimState, ...]:
        """The state of each claim of the current draft, in order."""
        return self._board.states if self._phase is Phase.READY else (ClaimState.TO_VERIFY,) * len(self.claims)

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdict of each claim of the current draft, in order; empty while nothing is known."""
        return self._board.judged.verdicts if self._phase is Phase.READY else ()

    @property
    def moments(self) -> tuple[int | None, ...]:
        """The time of each claim of the current draft, as claimed, else as found, None where neither is known."""
        if self._phase is Phase.READY:
            return self._board.moments
        return tuple(claim.claimed_ms for claim in self.claims)

    @property
    def stamp(self) -> int:
        """A number that grows with each change of what is known of claims, the draft or the gates."""
        return self._stamp

    def match(self, claim_id: int) -> Match | None:
        """Return where a claim stands in the reference track: its occurrence, else the nearest passage, else None."""
        return self._board.match(claim_id) if self._phase is Phase.READY else None

    def claims_at_cue(self, cue_index: int) -> tuple[int, ...]:
        """Return the claims whose match touches a cue of the reference track, in the draft's order."""
        return self._board.by_cue.get(cue_index, ()) if self._phase is Phase.READY else ()

    def cue_spans(self, claim_id: int) -> tuple[tuple[int, TextSpan], ...]:
        """Return (cue index, code points of `Cue.text`) for each cue of the reference that a claim's match touches."""
        found = self.match(claim_id)
        reference = self._review.reference if self._review else None
        return reference.display_spans(found.span) if reference is not None and found is not None else ()

    def resolution(self, claim_id: int) -> Resolution | None:
        """Return the recorded resolution that holds for a claim, or None."""
        return self._board.resolution(claim_id)

    def reopened(self, claim_id: int) -> str:
        """Return the sentence that says why a claim's recorded resolution no longer holds, "" where none was lost."""
        found = self._board.reopened(claim_id)
        return found.why if found is not None else ""

    def sentence(self, claim_id: int) -> str:
        """Return the one plain sentence that says how a claim stands."""
        claim, verdict = self.claim(claim_id), self.verdict(claim_id)
        if claim is None:
            return ""
        if verdict is None:
            return self.tr("Nothing is known of it now.") if self._phase is Phase.LOCK_BROKEN else self.tr("Being checked.")
        return sentence(claim, verdict, self._board.judged.standing[claim_id - 1])

    @property
    def counts(self) -> Counts:
        """The current draft's claims by state."""
        return self._counts_of(self._index)

    def to_do(self) -> tuple[int, ...]:
        """Return the claims to do, in the draft's order."""
        return self._board.to_do if self._phase is Phase.READY else ()

    # -- repairs -----------------------------------------------------------------------------------

    def repairs(self, claim_id: int) -> tuple[Repair, ...]:
        """Return the ways to resolve a claim that are offered, in order; the first is what Enter does.

        For words, numbers, negations and not found the first is to listen; accepting is never the first.
        Empty for a claim that is not to do, while a lock is broken, and where the job is open read-only.
        """
        if claim_id not in self._offered:
            self._offered[claim_id] = self._offers(claim_id)
        return self._offered[claim_id]

    def consequences(self, claim_id: int) -> str:
        """Return the sentence that says what else a claim's repairs would open again, "" where nothing."""
        said = []
        for repair in self.repairs(claim_id):
            if repair.reopens:
                numbers = ", ".join(map(str, repair.reopens))
                said.append(self.tr("“{repair}” would reopen quote {numbers}.").format(repair=repair.label, numbers=numbers))
            if repair.loses_acknowledgement:
                said.append(
                    self.tr("“{repair}” would undo what was acknowledged of the draft’s end.").format(repair=repair.label)
                )
        return next(iter(said), "")

    def first_repair(self, claim_id: int) -> Repair | None:
        """Return what Enter does for a claim, or None."""
        return next(iter(self.repairs(claim_id)), None)

    @property
    def has_safe_repairs(self) -> bool:
        """Whether `safe_repairs` would list any; cheap, so that an action can ask at each change."""
        return self.may_change and self._board.has_safe_repairs

    def safe_repairs(self) -> tuple[ListedRepair, ...]:
        """Return the repairs of the current draft that may be applied in one act after the list was seen."""
        listed = []
        for claim_id in self.to_do():
            repair = self.first_repair(claim_id) if self._is_safe(claim_id) else None
            if repair is not None and repair.is_safe and repair.patches:
                listed.append(ListedRepair(claim_id, repair))
        return tuple(listed)

    def alike(self, claim_id: int) -> tuple[Alike, ...]:
        """Return the groups that a claim shares something with, the largest first; groups of one are left out."""
        return groups_of(claim_id, self._groups(), self.repairs)

    def needs_reason(self, claim_id: int) -> bool:
        """Return whether setting a claim aside requires a reason and counts as an exception."""
        claim = self.claim(claim_id)
        return claim is not None and needs_reason(ResolutionKind.NOT_A_QUOTATION, claim)

    # -- gates, saving, work ---------------------------------------------------------------------------

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The gates for the current draft that are judged, in the rules' order; those being judged again are left out."""
        return self._gates

    @property
    def label_refusal(self) -> str:
        """Why no label can be given now, in a few words; "" where every gate is open."""
        if self._phase is Phase.LOCK_BROKEN:
            return self.tr("A locked file is not what was locked.")
        if self._phase is Phase.CHECKING:
            return self.tr("The quotations are being checked.")
        if self.is_read_only:
            return self.tr("The job is open read-only.")
        if self._phase is not Phase.READY or self.draft is None:
            return self.tr("There is no draft to label.")
        counts = self.counts
        if counts.to_do:
            return self.tr("{count} to do.").format(count=counts.to_do)
        closed = [gate.name for gate in self._gates if not gate.is_open]
        if closed:
            return self.tr("Closed: {gates}.").format(gates=", ".join(closed))
        return self.tr("The gates are being judged.") if len(self._gates) < 7 else ""

    @property
    def broken_locks(self) -> tuple[LockBroken, ...]:
        """The locked files that are not what was locked, while `phase` is LOCK_BROKEN."""
        return self._review.material.broken if self._review and self._phase is Phase.LOCK_BROKEN else ()

    def recomputed_digest(self, file: str) -> str:
        """Return the SHA-256 found when a locked file was last hashed, "" while it is being hashed again."""
        return self._digests.get(file, "")

    @property
    def saving(self) -> Saving:
        """How far the disk is behind the window."""
        if self._is_writing():
            return Saving.WRITING
        if self._has_failed:
            return Saving.FAILED
        return Saving.UNSAVED if any(map(self._is_unsaved, self._on_disk)) else Saving.SAVED

    @property
    def progress(self) -> Progress | None:
        """The long work that runs now, or None."""
        return self._running()

    @property
    def is_settled(self) -> bool:
        """Whether nothing is being read, checked or written: what is shown is final until somebody does something."""
        return self._is_idle() and not self._is_writing() and self._phase is not Phase.LOADING

    @property
    def fault(self) -> Exception | None:
        """The error that the last `Changes.FAULT` was about."""
        return self._fault

    @property
    def outside(self) -> tuple[Outside, ...]:
        """The drafts whose files another program changed and for which nobody has chosen yet."""
        return tuple(self._outside[index] for index in sorted(self._outside))

    @property
    def suggested(self) -> int | None:
        """The claim to go to after the last `Changes.SELECT`; None when nothing is to do."""
        return self._suggested

    @property
    def reviewer(self) -> str:
        """Who is reviewing, "" until told."""
        return self._settings.reviewer

    @property
    def waits_for_reviewer(self) -> bool:
        """Whether an act waits for `set_reviewer`: nothing is recorded without a name."""
        return self._waiting is not None

    @property
    def undo_name(self) -> str:
        """The name of the act that undo would take back, "" where there is none."""
        return self._history.undo_name

    @property
    def redo_name(self) -> str:
        """The name of the act that redo would do again, "" where there is none."""
        return self._history.redo_name

    def _counts_of(self, index: int) -> Counts:
        if self._review is None or not 0 <= index < len(self._review.drafts):
            return Counts()
        board = self._board if index == self._index else Board(self._review.drafts[index])
        return board.counts if self._phase is Phase.READY else Counts(to_verify=len(board.claims))

    def _bytes(self, index: int) -> bytes | None:
        """Return a draft's text in memory, None where it could not be read from the disk."""
        found = self._review.material.drafts[index] if self._review and index < len(self._review.material.drafts) else None
        return found if isinstance(found, bytes) else None

    def _is_unsaved(self, index: int) -> bool:
        text = self._bytes(index)
        return text is not None and text != self._on_disk.get(index)

    def _offers(self, claim_id: int) -> tuple[Repair, ...]:
        draft, claim, verdict = self.draft, self.claim(claim_id), self.verdict(claim_id)
        reference = self._review.reference if self._review else None
        if draft is None or claim is None or verdict is None or reference is None or self.is_read_only:
            return ()
        if self.state(claim_id) is not ClaimState.TO_DO:
            return ()
        offered = offers.offered(draft, claim, verdict, reference)
        if not draft.defects and not self._has_resolved_near(claim):
            return offered  # no edit is worked out before it is asked for
        return tuple(self._with_consequences(draft, repair) for repair in offered)

    def _has_resolved_near(self, claim: Claim) -> bool:
        board = self._board
        around = range(max(1, claim.id - _NEIGHBOURS), claim.id + _NEIGHBOURS + 1)
        return board.has_resolutions and any(board.resolution(one) is not None for one in around)

    def _with_consequences(self, draft: Draft, repair: Repair) -> Repair:
        """Return a repair with what else it would open again."""
        board, job = self._board, self.job
        if job is None or not repair.is_edit:
            return repair
        patches = repair.patches
        lost = reopened_by(draft, patches, lambda claim_id: board.resolution(claim_id) is not None)
        loses = loses_acknowledgement(board.judged, patches, job.journal)
        return replace(repair, reopens=lost, loses_acknowledgement=loses) if lost or loses else repair

    def _groups(self) -> Members:
        """Return the members of each kind of group, kept while what they are told by is the same."""
        judged = self._board.judged
        own = tuple([claim.has_own_time for claim in judged.claims])
        basis = (judged.verdicts, judged.standing, own)
        if self._members is None or self._members[0] != basis:
            self._members = (basis, members_of(self._to_do_values()))
        return self._members[1]

    def _to_do_values(self) -> Iterator[ToDo]:
        for claim_id in self.to_do():
            claim, verdict = self.claim(claim_id), self.verdict(claim_id)
            if claim is not None and verdict is not None:
                yield ToDo(claim, verdict, self._board.is_reopened_by_surroundings(claim_id))

    def _is_safe(self, claim_id: int) -> bool:
        verdict = self.verdict(claim_id)
        return verdict is not None and offers.is_safe(verdict)

    def _is_writing(self) -> bool:
        raise NotImplementedError

    def _is_idle(self) -> bool:
        raise NotImplementedError

    def _running(self) -> Progress | None:
        raise NotImplementedError
