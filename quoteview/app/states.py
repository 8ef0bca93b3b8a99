"""The values in which the session tells the window how things stand: what changed, each claim's state, the counts.

There are five states of a claim and five words for them, used everywhere: exact, to do, set aside,
exception, to verify. `TO_VERIFY` is whatever is not decided: still being checked, or not decidable
because a lock is broken. It is never drawn green or red.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, Flag, StrEnum, auto
from functools import cached_property
from typing import NamedTuple

from quoteview.core.drafts.draft import Patch


class Changes(Flag):
    """What a `Session.changed` signal is about; several at once are usual.

    JOB: another job, or its record. TRACKS: tracks, the track shown, or its cues. SWITCHED: another draft
    of the job is current. DRAFT: the current draft's text. DRAFT_OUTSIDE: a draft's file was changed by
    another program (`Session.outside`). VERDICTS: verdicts or states of claims. RESOLUTIONS: the journal,
    or what holds by it. GATES: the gates, or whether a label is possible. LABEL: a label was issued or no
    longer applies. LOCK: a lock broke, or is whole again. SAVING: `Session.saving` or unsaved text.
    PROGRESS: `Session.progress`. SELECT: `Session.suggested` names the claim to go to. REVIEWER: the
    reviewer's name. FAULT: `Session.fault` has an error to show. HISTORY: what undo and redo would do.
    """

    JOB = auto()
    TRACKS = auto()
    SWITCHED = auto()
    DRAFT = auto()
    DRAFT_OUTSIDE = auto()
    VERDICTS = auto()
    RESOLUTIONS = auto()
    GATES = auto()
    LABEL = auto()
    LOCK = auto()
    SAVING = auto()
    PROGRESS = auto()
    SELECT = auto()
    REVIEWER = auto()
    FAULT = auto()
    HISTORY = auto()


NOTHING = Changes(0)


class ClaimState(StrEnum):
    """What is to be done about a claim; the value is the key of its sign, colour and word in the theme."""

    EXACT = "exact"
    TO_DO = "to_do"
    SET_ASIDE = "set_aside"
    EXCEPTION = "exception"
    TO_VERIFY = "to_verify"


class Counts(NamedTuple):
    """How many claims of a draft are in each state; `total` is their sum."""

    exact: int = 0
    to_do: int = 0
    set_aside: int = 0
    exceptions: int = 0
    to_verify: int = 0

    @property
    def total(self) -> int:
        """All claims of the draft."""
        return sum(self)

    def of(self, state: ClaimState) -> int:
        """Return the count of one state."""
        return self[list(ClaimState).index(state)]


class Phase(Enum):
    """Whether the session holds a job, and whether it can be worked with.

    CHECKING: the job is read and shown, and nothing is known of any claim yet; it can be looked at, not changed.
    """

    EMPTY = auto()
    LOADING = auto()
    CHECKING = auto()
    READY = auto()
    LOCK_BROKEN = auto()


class Saving(Enum):
    """How far the disk is behind the window. UNSAVED: text typed but not written (it is in the recovery file).
    WRITING: a resolution or text is being written. FAILED: the last write did not succeed; `Session.fault` says why."""

    SAVED = auto()
    UNSAVED = auto()
    WRITING = auto()
    FAILED = auto()


class Progress(NamedTuple):
    """Long work that runs: a sentence, and how many of how many steps are done; `total` 0 where unknown."""

    sentence: str
    done: int
    total: int


class DraftSummary(NamedTuple):
    """A draft of the job for the switcher: its file's name, its counts, whether it has unsaved text or changed outside."""

    name: str
    path: str
    counts: Counts
    is_unsaved: bool
    is_changed_outside: bool


class Edited(NamedTuple):
    """The bytes of the draft that an edit changes, with its words before and after; all empty where it is not possible."""

    patches: tuple[Patch, ...] = ()
    before: str = ""
    after: str = ""


class RepairKind(StrEnum):
    """The ways to resolve a claim; the value is the id of the action in the window's table of actions."""

    LISTEN = "play"
    SOURCE_WORDS = "source_words"
    MARK_OUT = "mark_out"
    TIME = "correct_time"
    SPLIT = "split"
    NARROW = "narrow"
    CLOSE = "close_mark"
    EDIT = "edit_claim"
    SET_ASIDE = "set_aside"
    RETRACT = "retract"
    CUT_OUT = "cut_out"
    ACCEPT = "accept"


@dataclass(frozen=True)
class Repair:
    """One way to resolve a claim that is offered.

    `label` names what it does to this very claim (“Use 12:47”). `edit` finds the bytes of the draft that it would
    change; it is None where a person's words are needed first (EDIT, ACCEPT, SET_ASIDE) or nothing changes
    (LISTEN). `moment_ms` is the time that a TIME repair writes or that LISTEN plays. `is_safe` says that it may be
    applied together with others without being read one by one. `reopens` are ids of other claims whose
    resolution it would reopen, `loses_acknowledgement` says the same of how the draft ends.
    An edit is only worked out when `patches`, `before` or `after` are asked for.
    """

    kind: RepairKind
    label: str
    edit: Callable[[], Edited] | None = field(default=None, repr=False, compare=False)
    moment_ms: int | None = None
    is_safe: bool = False
    reopens: tuple[int, ...] = ()
    loses_acknowledgement: bool = False

    @property
    def is_edit(self) -> bool:
        """Whether it changes the draft by itself."""
        return self.edit is not None

    @property
    def patches(self) -> tuple[Patch, ...]:
        """The draft's bytes that it changes; none where it changes nothing or the draft does not allow it."""
        return self._edited.patches

    @property
    def before(self) -> str:
        """The draft's words that it changes, as they are; "" where it changes none."""
        return self._edited.before

    @property
    def after(self) -> str:
        """The same words as they would be."""
        return self._edited.after

    @cached_property
    def _edited(self) -> Edited:
        return self.edit() if self.edit is not None else Edited()


class ListedRepair(NamedTuple):
    """A claim and the repair that an act on many would apply to it."""

    claim: int
    repair: Repair


class AlikeKind(StrEnum):
    """What the claims of a group have in common, so that one act can resolve them."""

    SHORT_TERMS = "short_terms"
    TERMINAL_PUNCTUATION = "terminal_punctuation"
    TYPOGRAPHY = "typography"
    CASE = "case"
    OTHER_HARMLESS = "other_harmless"
    REOPENED_BY_SURROUNDINGS = "reopened_by_surroundings"
    UNTIMED = "untimed"


@dataclass(frozen=True)
class Alike:
    """Claims that can be resolved in one act, listed for a person to see first. `sentence` says what they share.

    `repairs` name, for each claim in order, the edit that one act would make; None where it would be recorded
    (set aside, accepted) instead. They are found by `find` only when the list is looked at.
    """

    kind: AlikeKind
    sentence: str
    claims: tuple[int, ...]
    find: Callable[[int], Repair | None] = field(repr=False, compare=False)

    @cached_property
    def repairs(self) -> tuple[Repair | None, ...]:
        """The edit for each claim, in order."""
        return tuple(self.find(claim_id) for claim_id in self.claims)


class Outside(NamedTuple):
    """A draft whose file another program changed. `is_gone` says that the file is no longer there.
    `has_conflict` that there is unsaved text here too, so that a person has to choose. `is_taken` that nothing was
    unsaved here, and the file's text is shown already."""

    draft: int
    path: str
    is_gone: bool
    has_conflict: bool
    is_taken: bool = False
