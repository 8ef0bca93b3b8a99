"""What a reader makes of locked bytes: runs of text, cues, and the track with its ledger.

All offsets are bytes of the locked file. Times are whole milliseconds. A reader changes no
character: a run's text is what its bytes decode to, the way `how` says, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from quoteview.core.joins import join
from quoteview.core.ledger import How, Ledger
from quoteview.core.locking import LockedSource
from quoteview.core.spans import ByteSpan, TimeSpan


class Origin(StrEnum):
    """Where a track's words come from; `UNKNOWN` is allowed for an imported file, and shown."""

    HUMAN = "human"
    AUTOMATIC = "automatic"
    TRANSLATED = "translated"
    UNKNOWN = "unknown"


class CaptionFormat(StrEnum):
    """The formats that are read; the value is the word in JSON and in the window."""

    WEBVTT = "webvtt"
    SUBRIP = "srt"
    JSON3 = "json3"
    SRV1 = "srv1"
    SRV2 = "srv2"
    SRV3 = "srv3"
    TTML = "ttml"
    SBV = "sbv"
    SUBSTATION = "ass"
    SAMI = "sami"
    WHISPER = "whisper-json"
    AWS = "aws-json"
    DEEPGRAM = "deepgram-json"
    ASSEMBLYAI = "assemblyai-json"
    GOOGLE = "google-json"
    IBM = "ibm-json"
    SPEECHMATICS = "speechmatics-json"
    KALDI = "kaldi-json"
    PODCAST = "podcast-json"
    SECOND_KEYED = "second-keyed-json"
    PLAIN_TIMED = "timed-text"


class Run(NamedTuple):
    """Characters of one line of a cue and the bytes that they were decoded from.

    `line` counts the lines of the cue from 0; two runs of different lines have a border between them.
    `speaker` is the voice the format names, else None. A run with `how` UNREAD shows its text (which
    may be empty) in place of bytes that could not be read: nothing may contain or cross it.
    """

    text: str
    how: How
    start: int
    end: int
    line: int
    speaker: str | None


class WordTime(NamedTuple):
    """From byte `start` of the locked file on, the words are spoken at `start_ms`."""

    start: int
    start_ms: int


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue in file order. `runs` hold what it gives to the reference text: repeats are left out."""

    index: int
    identifier: str
    time: TimeSpan
    runs: tuple[Run, ...]
    word_times: tuple[WordTime, ...] = ()

    @property
    def text(self) -> str:
        """The runs' text, lines joined by the join rule; an unread byte shows as U+FFFD."""
        if len(self.runs) == 1:
            return self.runs[0].text
        parts: list[str] = []
        before = ""
        line = -1
        for run in self.runs:
            if run.line != line and before and run.text:
                parts.append(join(before, run.text))
            line = run.line if run.text else line
            parts.append(run.text)
            before = run.text or before
        return "".join(parts)

    @property
    def speakers(self) -> tuple[str, ...]:
        """The named voices of the cue, in order, each once."""
        return tuple(dict.fromkeys(run.speaker for run in self.runs if run.speaker))

    @property
    def text_bytes(self) -> tuple[ByteSpan, ...]:
        """The ranges of the text runs alone, without borders and unread bytes, in order."""
        return tuple(ByteSpan(run.start, run.end) for run in self.runs if run.how is not How.UNREAD and run.end > run.start)


class OrderFault(StrEnum):
    """How a cue's times break the order."""

    GOES_BACK = "starts before the cue before it"
    NEGATIVE = "starts before zero"
    NO_END = "has no end"
    ENDS_EARLY = "ends before it starts"


class OrderDefect(NamedTuple):
    """Cue `cue` of the file breaks the order in one way."""

    cue: int
    fault: OrderFault


@dataclass(frozen=True, slots=True)
class Track:
    """A track as read: cues in file order, the ledger of every byte, and what was noticed on the way.

    `encoding` is a Python codec name. `language` is what the file itself declares, "" if nothing.
    `order` lists every cue whose times break the order. `remarks` are sentences for the evidence
    (copies of the text that differ, times that were missing). `is_roll_up` says that repeats were folded.
    """

    source: LockedSource
    format: CaptionFormat
    encoding: str
    language: str
    cues: tuple[Cue, ...]
    ledger: Ledger
    order: tuple[OrderDefect, ...]
    is_roll_up: bool = False
    remarks: tuple[str, ...] = ()


def text_of(cues: Sequence[Cue]) -> str:
    """Return the texts of cues in the given order, joined by the join rule; cues without text add nothing."""
    parts: list[str] = []
    before = ""
    for cue in cues:
        text = cue.text
        if text:
            parts.append(join(before, text))
            parts.append(text)
            before = text
    return "".join(parts)
