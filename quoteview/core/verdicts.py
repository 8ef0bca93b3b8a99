"""Verdicts and what they carry: values that say what is proven of a claim, and if not, why not.

A mismatch is a value, never an exception. There is no similarity score anywhere: a sentence that
lost its “not” is 97 % similar.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from quoteview.core.boundaries import Flaw
from quoteview.core.spans import ByteSpan, TextSpan, TimeSpan

LONG_CUE_MS = 15_000
"""A green claim in a cue longer than this says how little its time is known (rules, section 5)."""

LARGEST_TOLERANCE_MS = 2_000
"""The tolerance of a claimed time; a job may set a smaller one, never a larger one."""


MOST_MOMENTS = 24
"""How many places of a text that occurs often are named with their times."""


class VerdictKind(StrEnum):
    """What is decided of a claim; only `EXACT` is green."""

    EXACT = "exact"
    MISTIMED = "mistimed"
    UNTIMED = "untimed"
    ALTERED = "altered"
    NOT_FOUND = "not_found"
    UNCLOSED = "unclosed"


class DifferenceClass(StrEnum):
    """Why a claim is altered, by what has to be undone to make the two equal; most harmful first."""

    NUMBER = "number"
    NEGATION = "negation"
    WORDS = "words"
    NUMBER_FORM = "number_form"
    FILLER = "filler"
    TWO_SPEAKERS = "two_speakers"
    PARTIAL_WORD = "partial_word"
    ANNOTATION = "annotation"
    INSERTION = "insertion"
    ELISION = "elision"
    PUNCTUATION = "punctuation"
    WHITESPACE = "whitespace"
    INVISIBLE = "invisible"
    UNICODE_FORM = "unicode_form"
    TYPOGRAPHY = "typography"
    TERMINAL_PUNCTUATION = "terminal_punctuation"
    CASE = "case"


class Occurrence(NamedTuple):
    """Where text stands in the reference text: code points, whether it may count, and what is wrong where it may not."""

    span: TextSpan
    is_whole: bool
    flaw: Flaw | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a span of the reference text comes from.

    `cues` are the indices (file order numbering) of the first and last cue; `first_cue` and `last_cue`
    their intervals. `time` runs from the first cue's start to the last one's end. `bytes` are the ranges
    in the locked file, in the order of the text. `speakers` are the named voices, in order. `is_word_time_known`
    is False where the words at its start carry no time of their own though the track has word times.
    """

    cues: tuple[int, int]
    time: TimeSpan
    first_cue: TimeSpan
    last_cue: TimeSpan
    bytes: tuple[ByteSpan, ...]
    speakers: tuple[str, ...]
    word_start_ms: int | None
    is_word_time_known: bool


@dataclass(frozen=True, slots=True)
class Match:
    """An occurrence with its evidence. `offset_ms` is the claimed time minus the nearest end of the first cue's interval.

    `before` and `after` are up to 60 characters of the reference text. `span` counts code points of it.
    """

    track: str
    span: TextSpan
    evidence: Evidence
    offset_ms: int | None
    before: str
    after: str


class DifferenceStep(NamedTuple):
    """One step from the draft's words to the source's: `equal`, `insert`, `delete` or `replace`."""

    kind: str
    draft: str
    source: str


@dataclass(frozen=True, slots=True)
class ElisionPart:
    """One part of an elided quotation: its span in the claim's text and where it stands exactly."""

    claim_span: TextSpan
    match: Match


@dataclass(frozen=True, slots=True)
class Nearest:
    """The passage of the reference text closest to an altered claim, and the difference in words.

    `parts` are the parts of an elided quotation, in order, each exact; else empty. `gap` is the text left out between them.
    """

    match: Match
    text: str
    difference: tuple[DifferenceStep, ...]
    parts: tuple[ElisionPart, ...] = ()
    gap: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is proven of one claim. `classes` only for altered, most harmful first. `also_in` are ids of other locked
    tracks that have the text exactly and in time. `notes` are sentences for a person. `moments` are the starts of the
    cues in which the first occurrences begin, at most `MOST_MOMENTS` of them, in the order of the text."""

    kind: VerdictKind
    classes: tuple[DifferenceClass, ...] = ()
    occurrences: int = 0
    match: Match | None = None
    nearest: Nearest | None = None
    also_in: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    moments: tuple[int, ...] = ()

    @property
    def is_green(self) -> bool:
        """Whether the claim is proven."""
        return self.kind is VerdictKind.EXACT
