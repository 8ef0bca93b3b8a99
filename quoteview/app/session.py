"""The session: the job under review, held as immutable values by one object that emits one signal.

Views connect to `changed` once, redraw from the properties, keep no copy of the truth, and call the
verbs. Verbs return at once: nothing is hashed, read or synced in the GUI thread. A resolution is
written to the journal by a worker before any property shows it as done; until then `saving` is
WRITING and the claim keeps its state. Claims are named by their ids, which count from 1 in the order
of the current draft and change as the draft is edited; `Selection` follows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from quoteview.app.states import Alike, ClaimState, Counts, DraftSummary, ListedRepair, Outside, Phase, Progress, Repair, Saving
from quoteview.app.text_positions import DraftText
from quoteview.core.captions.track import Cue, Track
from quoteview.core.drafts.draft import Claim, Draft
from quoteview.core.errors import LockBroken, QuoteviewError
from quoteview.core.job import Job, TrackRecord
from quoteview.core.spans import TextSpan
from quoteview.core.verdicts import Match, Verdict

if TYPE_CHECKING:
    from quoteview.app.proposals import NewJob
    from quoteview.app.settings import Settings
    from quoteview.core.gates import Gate
    from quoteview.core.resolving import ExceptionClass, Resolution


class Session(QObject):
    """The one object that views observe. `changed` carries a `states.Changes`."""

    changed = Signal(object)

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings

    # -- how things stand ---------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """EMPTY, LOADING, READY, or LOCK_BROKEN (then nothing is green and every repair is refused)."""
        raise NotImplementedError

    @property
    def job(self) -> Job | None:
        """The job under review."""
        raise NotImplementedError

    @property
    def folder(self) -> Path | None:
        """Where the job lies on disk."""
        raise NotImplementedError

    @property
    def tracks(self) -> tuple[TrackRecord, ...]:
        """Every track of the job, obtained or not."""
        raise NotImplementedError

    @property
    def reference_id(self) -> str:
        """The id of the reference track, "" where there is none."""
        raise NotImplementedError

    @property
    def shown_track_id(self) -> str:
        """The id of the track that the transcript shows; at first the reference."""
        raise NotImplementedError

    def track(self, track_id: str) -> Track | None:
        """Return a locked track as read, or None."""
        raise NotImplementedError

    @property
    def cues(self) -> tuple[Cue, ...]:
        """The cues of the track shown, in the order of its file."""
        raise NotImplementedError

    @property
    def duration_ms(self) -> int:
        """The recording's length, or the end of the reference's last cue where it is not known."""
        raise NotImplementedError

    @property
    def drafts(self) -> tuple[DraftSummary, ...]:
        """The job's drafts, for the switcher."""
        raise NotImplementedError

    @property
    def draft_index(self) -> int:
        """Which draft is current; -1 without one."""
        raise NotImplementedError

    @property
    def draft(self) -> Draft | None:
        """The current draft as read from its bytes in memory."""
        raise NotImplementedError

    @property
    def text(self) -> DraftText | None:
        """The current draft's text with the ways between bytes and document positions."""
        raise NotImplementedError

    @property
    def revision(self) -> int:
        """A number that grows with each change of the current draft's text."""
        raise NotImplementedError

    def moved(self, byte: int) -> int:
        """Return where a byte offset of the current draft before its last change stands after it."""
        raise NotImplementedError

    # -- claims ---------------------------------------------------------------------------

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The current draft's claims in its order."""
        raise NotImplementedError

    def claim(self, claim_id: int) -> Claim | None:
        """Return a claim of the current draft, or None where there is none of that id."""
        raise NotImplementedError

    def verdict(self, claim_id: int) -> Verdict | None:
        """Return what is proven of a claim; None while it is being checked, and while a lock is broken."""
        raise NotImplementedError

    def state(self, claim_id: int) -> ClaimState:
        """Return which of the five states a claim is in; TO_VERIFY while nothing is known."""
        raise NotImplementedError

    def match(self, claim_id: int) -> Match | None:
        """Return where a claim stands in the reference track: its occurrence, else the nearest passage, else None."""
        raise NotImplementedError

    def claims_at_cue(self, cue_index: int) -> tuple[int, ...]:
        """Return the claims whose match touches a cue of the reference track, in the draft's order."""
        raise NotImplementedError

    def cue_spans(self, claim_id: int) -> tuple[tuple[int, TextSpan], ...]:
        """Return (cue index, code points of `Cue.text`) for each cue of the reference that a claim's match touches."""
        raise NotImplementedError

    def resolution(self, claim_id: int) -> Resolution | None:
        """Return the recorded resolution that holds for a claim, or None."""
        raise NotImplementedError

    def reopened(self, claim_id: int) -> str:
        """Return the sentence that says why a claim's recorded resolution no longer holds, "" where none was lost."""
        raise NotImplementedError

    def sentence(self, claim_id: int) -> str:
        """Return the one plain sentence that says how a claim stands."""
        raise NotImplementedError

    @property
    def counts(self) -> Counts:
        """The current draft's claims by state."""
        raise NotImplementedError

    def to_do(self) -> tuple[int, ...]:
        """Return the claims to do, in the draft's order."""
        raise NotImplementedError

    def repairs(self, claim_id: int) -> tuple[Repair, ...]:
        """Return the ways to resolve a claim that are offered, in order; the first is what Enter does.

        For words, numbers, negations and not found the first is to listen; accepting is never the first.
        Empty for a claim that is exact, and while a lock is broken.
        """
        raise NotImplementedError

    def first_repair(self, claim_id: int) -> Repair | None:
        """Return what Enter does for a claim, or None."""
        raise NotImplementedError

    def safe_repairs(self) -> tuple[ListedRepair, ...]:
        """Return the repairs of the current draft that may be applied in one act after the list was seen."""
        raise NotImplementedError

    def alike(self, claim_id: int) -> tuple[Alike, ...]:
        """Return the groups that a claim shares something with, the largest first; groups of one are left out."""
        raise NotImplementedError

    def preview(self, claim_id: int, text: str) -> Verdict | None:
        """Return the verdict a claim would have if its text were this one; None where it would be no claim any more."""
        raise NotImplementedError

    # -- gates, saving, work --------------------------------------------------------------

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The seven gates for the current draft, in the rules' order; empty until they were first judged."""
        raise NotImplementedError

    @property
    def label_refusal(self) -> str:
        """Why no label can be given now, in a few words; "" where every gate is open and everything is saved."""
        raise NotImplementedError

    @property
    def broken_locks(self) -> tuple[LockBroken, ...]:
        """The locked files that are not what was locked, while `phase` is LOCK_BROKEN."""
        raise NotImplementedError

    @property
    def saving(self) -> Saving:
        """How far the disk is behind the window."""
        raise NotImplementedError

    @property
    def progress(self) -> Progress | None:
        """The long work that runs now, or None."""
        raise NotImplementedError

    @property
    def is_settled(self) -> bool:
        """Whether nothing is being read, checked or written: what is shown is final until somebody does something."""
        raise NotImplementedError

    @property
    def fault(self) -> QuoteviewError | None:
        """The error that the last `Changes.FAULT` was about."""
        raise NotImplementedError

    @property
    def outside(self) -> tuple[Outside, ...]:
        """The drafts whose files another program changed and for which nobody has chosen yet."""
        raise NotImplementedError

    @property
    def suggested(self) -> int | None:
        """The claim to go to after the last `Changes.SELECT`; None when nothing is to do."""
        raise NotImplementedError

    @property
    def reviewer(self) -> str:
        """Who is reviewing, "" until told."""
        raise NotImplementedError

    @property
    def waits_for_reviewer(self) -> bool:
        """Whether an act waits for `set_reviewer`: nothing is recorded without a name."""
        raise NotImplementedError

    @property
    def undo_name(self) -> str:
        """The name of the act that undo would take back, "" where there is none."""
        raise NotImplementedError

    @property
    def redo_name(self) -> str:
        """The name of the act that redo would do again, "" where there is none."""
        raise NotImplementedError

    # -- verbs: jobs and drafts -------------------------------------------------------------

    def open(self, folder: Path) -> None:
        """Open a job in the background; what was open is closed first, its unsaved text kept for recovery."""
        raise NotImplementedError

    def open_sample(self) -> None:
        """Open a fresh copy of the sample job."""
        raise NotImplementedError

    def new_job(self, proposal: NewJob) -> None:
        """Make a job in the background, lock its files, and open it."""
        raise NotImplementedError

    def add_drafts(self, files: Sequence[Path]) -> None:
        """Add drafts to the job and switch to the first of them."""
        raise NotImplementedError

    def close_job(self) -> None:
        """Close the job; unsaved text stays in its recovery file."""
        raise NotImplementedError

    def switch_draft(self, index: int) -> None:
        """Make another draft of the job current."""
        raise NotImplementedError

    def show_track(self, track_id: str) -> None:
        """Show another locked track in the transcript; the reference stays as it is."""
        raise NotImplementedError

    def set_reviewer(self, name: str) -> None:
        """Set and keep the name under which resolutions are recorded."""
        raise NotImplementedError

    def recheck(self) -> None:
        """Hash every locked file again and judge all gates afresh, in the background."""
        raise NotImplementedError

    def cancel(self) -> None:
        """Stop the long work that runs."""
        raise NotImplementedError

    # -- verbs: the draft's text -------------------------------------------------------------

    def edit(self, position: int, removed: int, inserted: str) -> None:
        """Replace document positions (UTF-16 units) of the current draft: what a `contentsChange` reports.

        Typing in one place without a pause is one step of undo.
        """
        raise NotImplementedError

    def edit_claim(self, claim_id: int, text: str) -> None:
        """Replace a claim's text."""
        raise NotImplementedError

    def apply(self, claim_id: int, repair: Repair) -> None:
        """Make a repair's edit, check again, and suggest the next claim to do."""
        raise NotImplementedError

    def apply_safe_repairs(self, listed: Sequence[ListedRepair]) -> None:
        """Make several repairs in one step of undo."""
        raise NotImplementedError

    def use_source_words(self, claim_id: int) -> None:
        """Put the captions' words in the place of a claim's text."""
        raise NotImplementedError

    def correct_time(self, claim_id: int, moment_ms: int | None = None) -> None:
        """Write the time of an occurrence (None: the nearest) in the draft's own notation, or insert it."""
        raise NotImplementedError

    def split(self, claim_id: int) -> None:
        """Split an elided quotation at the cut into two and write the second one's time."""
        raise NotImplementedError

    def narrow(self, claim_id: int) -> None:
        """Move the marks around the longest exact run."""
        raise NotImplementedError

    def retract(self, claim_id: int, *, keep_words: bool) -> None:
        """Take the quote marks away and keep the words as paraphrase, or cut the whole span."""
        raise NotImplementedError

    def save(self) -> None:
        """Write the current draft's text to its file, off the GUI thread."""
        raise NotImplementedError

    def take_outside(self, draft_index: int) -> None:
        """Take the text that another program wrote; what stood here stays one undo away."""
        raise NotImplementedError

    def keep_mine(self, draft_index: int) -> None:
        """Keep the text here; the next save overwrites the other program's."""
        raise NotImplementedError

    def look_outside(self) -> None:
        """Look in the background whether another program changed a draft or a locked file."""
        raise NotImplementedError

    def shut_down(self) -> None:
        """Finish writing and stop everything else, for the program's end; unsaved text goes to its recovery file."""
        raise NotImplementedError

    # -- verbs: what is recorded -------------------------------------------------------------

    def set_aside(self, claim_id: int, reason: str = "") -> None:
        """Record that a claim is not a quotation of this recording."""
        raise NotImplementedError

    def needs_reason(self, claim_id: int) -> bool:
        """Return whether setting a claim aside requires a reason and counts as an exception."""
        raise NotImplementedError

    def accept(self, claim_id: int, exception: ExceptionClass, reason: str) -> None:
        """Record an exception; the reason must not be empty."""
        raise NotImplementedError

    def resolve_alike(self, alike: Alike, claims: Sequence[int], reason: str = "") -> None:
        """Do for the claims that stayed ticked what the group stands for, in one step of undo and one journal entry."""
        raise NotImplementedError

    def acknowledge(self, gate: str, reason: str) -> None:
        """Record that a person saw what keeps a gate closed and lets it pass."""
        raise NotImplementedError

    def waive(self, track_id: str, reason: str) -> None:
        """Record that a track that could not be obtained is done without, by name."""
        raise NotImplementedError

    def choose_reference(self, track_id: str, reason: str) -> None:
        """Record a person's choice of the reference track."""
        raise NotImplementedError

    def undo(self) -> None:
        """Take the last act back; a recorded one by another journal entry."""
        raise NotImplementedError

    def redo(self) -> None:
        """Do again what was undone last."""
        raise NotImplementedError
