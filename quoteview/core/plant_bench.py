"""What the self-test works on: a job's track, draft and journal, the functions of the real check, and one planted change."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from quoteview.core.audit import AuditReport, audit
from quoteview.core.captions.reading import read_track
from quoteview.core.captions.track import Track
from quoteview.core.checking import Checker
from quoteview.core.drafts.draft import Claim, Draft
from quoteview.core.drafts.reading import read_draft
from quoteview.core.journal import Journal, JournalRecord
from quoteview.core.locking import LockedSource, reopen
from quoteview.core.reference import Reference
from quoteview.core.verdicts import Verdict, VerdictKind


@dataclass(frozen=True, slots=True)
class Plant:
    """One planted change: its kind, what was changed and where, and what caught it, "" where nothing did."""

    kind: str
    what: str
    caught_by: str


@dataclass(frozen=True, slots=True)
class Instruments:
    """The functions of the real check. Others are given only to prove that the self-test can fail."""

    checker: Checker = field(default_factory=Checker)
    read_track: Callable[..., Track] = read_track
    audit: Callable[[Track], AuditReport] = audit
    read_draft: Callable[..., Draft] = read_draft
    reopen: Callable[..., LockedSource] = reopen
    verify_journal: Callable[[Journal, JournalRecord], Sequence[str]] = Journal.verify
    transcript_defects: Callable[[Track, int | None], Sequence[str]] | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """What is planted in: the reference track with its lock, and one draft with its verdicts. `encoding` is a person's choice."""

    source: LockedSource
    track: Track
    track_id: str
    encoding: str | None
    draft: Draft
    verdicts: tuple[Verdict, ...]
    tolerance_ms: int
    source_address: str = ""
    end_mark: str = ""
    duration_ms: int | None = None
    journal: Journal = field(default_factory=Journal)
    record: JournalRecord = field(default_factory=JournalRecord)

    @property
    def exact(self) -> tuple[tuple[Claim, Verdict], ...]:
        """The exact claims with their verdicts: the places that most kinds need."""
        return tuple(
            (claim, verdict)
            for claim, verdict in zip(self.draft.claims, self.verdicts, strict=True)
            if verdict.kind is VerdictKind.EXACT and verdict.match is not None
        )


@dataclass(frozen=True)
class Bench:
    """Where planters work: the subject and the instruments."""

    subject: Subject
    tools: Instruments

    @cached_property
    def reference(self) -> Reference:
        """The reference text as the checker reads it; plants in the journal do without."""
        return self.tools.checker.reference(self.subject.track, self.subject.track_id)


class Useless(Exception):
    """A draw that changes nothing, or leaves a true quotation: draw again."""


class NoPlace(Exception):
    """The job has no place for this kind; the sentence says which."""


Planter = Callable[[Bench, random.Random, int], Plant]
"""Plants one change and returns what caught it. The last argument counts the plants of the kind, for taking variants in turn."""
