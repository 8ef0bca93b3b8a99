"""The second witness: pysubs2 reads the same bytes with its own parser, and what it reads otherwise is classed.

pysubs2 is a good witness because it shares nothing with our readers, and it simplifies much. Each
difference is held against what it is known to do: it is explained only where undoing that very thing makes
the two readings equal. Any other difference is unexplained, and an unexplained one closes the gate. A
format that pysubs2 does not read, or a file that it fails on, is said, and closes nothing.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from quoteview.core.auditing.sheet import Defects, sheet_of
from quoteview.core.captions.track import CaptionFormat, Track
from quoteview.core.witnessing.lining import Event

_NAMES = {
    CaptionFormat.WEBVTT: "vtt",
    CaptionFormat.SUBRIP: "srt",
    CaptionFormat.TTML: "ttml",
    CaptionFormat.SAMI: "sami",
    CaptionFormat.SUBSTATION: "ass",
}
"""What pysubs2 1.8 calls the formats that both read."""
_BLANKS = re.compile(r"\n{500,}| {500,}")
_MOST_STEPS = 10**9
"""Some seconds' worth; real files with lines of 200,000 characters stay far below."""


class WitnessDifference(NamedTuple):
    """In cue `cue` (-1 for none) pysubs2 reads otherwise. `kind` is a class in one or two words, `detail` a sentence's worth."""

    cue: int
    kind: str
    detail: str
    is_explained: bool


@dataclass(frozen=True, slots=True)
class WitnessReport:
    """Every difference in the order of the file. `note` says why there was no second reading, "" where there was one."""

    differences: tuple[WitnessDifference, ...]
    note: str = ""

    @property
    def unexplained(self) -> tuple[WitnessDifference, ...]:
        """The differences that none of pysubs2's known simplifications explains."""
        return tuple(difference for difference in self.differences if not difference.is_explained)


def second_reading(track: Track) -> WitnessReport:
    """Return where pysubs2 reads the locked bytes of a track otherwise than the track does."""
    name = _NAMES.get(track.format)
    if name is None:
        return WitnessReport((), f"pysubs2 does not read {track.format.value}; there is no second reading.")
    page = sheet_of(track, track.source.data, Defects())
    if page is None:
        return WitnessReport((), "The ledger does not fit the file; there is no second reading.")
    # Line ends as Python's text files give them, which is how pysubs2 opens a file.
    text = page.data.decode("utf-8", "surrogateescape").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if name == "ass" and "V4+ Styles" not in text:
        name = "ssa"
    if _steps(text) > _MOST_STEPS:
        return WitnessReport((), "pysubs2 would take too long on this file; there is no second reading.")
    events = _events(text, name)
    if isinstance(events, str):
        return WitnessReport((), f"pysubs2 fails on this file ({events}); there is no second reading.")
    if not events:
        return WitnessReport((), "pysubs2 finds no cues in this file; there is no second reading.")
    from quoteview.core.witnessing import lining, marking

    match track.format:
        case CaptionFormat.TTML:
            found: Iterable[lining.Difference] = marking.compare_ttml(page, track.cues, events)
        case CaptionFormat.SAMI:
            found = marking.compare_sami(page, track.cues, events)
        case _:
            found = lining.Lining(page, track.cues).compare(events)
    return WitnessReport(tuple(WitnessDifference(*difference) for difference in found))


def _steps(text: str) -> int:
    """Return about how many characters pysubs2's patterns look at where they look again and again: its tags, and runs of blanks.

    For each `<` it looks as far as the next `>`, and for each of many blanks in a row at all that follow.
    """
    tags = sum(part.count("<") * len(part) for part in text.split(">") if "<" in part)
    return tags + sum(len(run) ** 2 for run in _BLANKS.findall(text))


def _events(text: str, name: str) -> list[Event] | str:
    """Return pysubs2's cues, or its complaint."""
    import pysubs2  # imported here: it takes longer to load than most files take to read

    # What its parsers raise on files that they cannot read; ParseError, of XML, is a SyntaxError.
    failures = (pysubs2.Pysubs2Error, SyntaxError, AttributeError, LookupError, TypeError, ValueError, RuntimeError)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            subtitles = pysubs2.SSAFile.from_string(text, format_=name)
    except failures as error:
        return " ".join(f"{type(error).__name__}: {error}".split())[:200]
    return [Event(int(event.start), int(event.end), event.plaintext, event.is_comment, event.text) for event in subtitles.events]
