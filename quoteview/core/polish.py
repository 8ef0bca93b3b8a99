"""Polished copies of a transcript, in other formats, through pysubs2. The reference is never touched.

A copy is marked as one, with the digest of what it was made from: in a NOTE (WebVTT), a header line (ASS, text,
Markdown), or, where the format has no comments (SubRip), a first cue of one millisecond. Polishing means: cues
in time order and re-wrapped, runs of spaces made one, and in English typographic quote marks. A copy proves
nothing and is never read as a track of the job.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from quoteview.core.captions.track import Cue, Track
from quoteview.core.errors import UsageError
from quoteview.core.joins import join

LINE_CHARACTERS = 42
"""The length of a caption line that broadcasters' style guides agree on for Latin script."""


class TranscriptFormat(StrEnum):
    """The formats that a transcript is exported in; the value is the word on the command line and the file's ending."""

    WEBVTT = "vtt"
    SUBRIP = "srt"
    SUBSTATION = "ass"
    TEXT = "txt"
    MARKDOWN = "md"


# Times beyond these can't be written (SubRip has two digits of hours, SubStation one).
_LARGEST_MS = {TranscriptFormat.SUBRIP: 360_000_000 - 1, TranscriptFormat.SUBSTATION: 36_000_000 - 10}

# pysubs2 reads braces and backslashes of a text as SubStation's own markup; these noncharacters stand for them meanwhile.
_SHIELD = str.maketrans({"{": "\ufdd0", "}": "\ufdd1", "\\": "\ufdd2"})
_UNSHIELD = {"\ufdd0": "{", "\ufdd1": "}", "\ufdd2": "\\"}
# SubStation has escapes for braces and none for a backslash: a word joiner keeps `\N` from being a line end.
_UNSHIELD_SUBSTATION = {"\ufdd0": "\\{", "\ufdd1": "\\}", "\ufdd2": "\\\u2060"}


@dataclass(frozen=True, slots=True)
class _Passage:
    """What one voice says in one cue."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class _Shown:
    """A cue of the copy: whole milliseconds, passages in order."""

    start_ms: int
    end_ms: int
    passages: tuple[_Passage, ...]


def polished_transcript(track: Track, format: TranscriptFormat, *, title: str = "", language: str = "", version: str = "") -> str:
    """Return a polished copy of a track. `language` decides about quote marks (the track's own where "").

    Raises `UsageError` where the format can't hold the recording's length.
    """
    shown = _shown(track, is_english=(language or track.language).lower().split("-")[0] == "en")
    largest = _LARGEST_MS.get(format)
    if largest is not None and any(cue.end_ms > largest for cue in shown):
        raise UsageError(f"{format.value} can't hold times after {largest // 3_600_000 + 1} hours. Export as vtt instead.")
    mark = polish_mark(track, version)
    match format:
        case TranscriptFormat.TEXT:
            return _text(shown, title, mark)
        case TranscriptFormat.MARKDOWN:
            return _markdown(shown, title, mark)
        case _:
            return _captions(shown, format, title, mark)


def polish_mark(track: Track, version: str) -> str:
    """Return the sentence that marks a copy, on one line."""
    file = re.sub(r"[\x00-\x1f\x7f-\x9f]", "\ufffd", track.source.lock.file).replace("-->", "→")
    by = f"quoteview {version}".strip()
    return f"Polished copy, not the reference: made by {by} from {file}, SHA-256 {track.source.lock.sha256}."


def typographic(text: str) -> str:
    """Return English text with typographic quote marks; primes after digits and marks that are curly already stay."""
    text = re.sub(r"(?<=[^\W\d_])'(?=\w)|(?<=\d)'(?=s\b)", "’", text)
    text = re.sub(r"(?:^|(?<=[\s(\[—–“\"-]))'(?=\d\ds?\b|(?:tis|twas|em|cause)\b)", "’", text)
    text = re.sub(r"(?:^|(?<=[\s(\[—–“\"-]))'(?=\w)", "‘", text)
    text = re.sub(r"(?<![\d\s])'", "’", text)
    made, is_open = "", False
    for character in text:
        if character == '"':
            opens = not made or made[-1].isspace() or made[-1] in "([—–-‘"
            is_prime = made[-1:].isdecimal() and not is_open
            character = "“" if opens else ('"' if is_prime else "”")
            is_open = opens or (is_open and is_prime)
        made += character
    return made


def _shown(track: Track, *, is_english: bool) -> list[_Shown]:
    shown = []
    for cue in sorted(track.cues, key=lambda cue: (cue.time.start_ms, cue.index)):
        passages = tuple(
            _Passage(speaker, typographic(text) if is_english else text) for speaker, text in _voices(cue) if text.strip()
        )
        if passages:
            start = max(0, cue.time.start_ms)
            shown.append(_Shown(start, max(start, cue.time.end_ms), passages))
    return shown


def _voices(cue: Cue) -> list[tuple[str, str]]:
    """Return (speaker or "", text) for each stretch of one voice, lines joined and runs of spaces made one."""
    voices = []
    for speaker, runs in groupby(cue.runs, key=lambda run: run.speaker or ""):
        text, line = "", -1
        for run in runs:
            if run.line != line and text:
                text += join(text, run.text)
            line = run.line
            text += run.text
        voices.append((speaker, re.sub(r"[ \t]+", " ", text).strip()))
    return voices


# -- formats for players ----------------------------------------------------------------------


def _captions(shown: list[_Shown], format: TranscriptFormat, title: str, mark: str) -> str:
    import pysubs2

    copy = pysubs2.SSAFile()
    if format is TranscriptFormat.SUBRIP:
        copy.append(pysubs2.SSAEvent(start=0, end=1, text=_line_for(format, mark)))
    before = ""
    for cue in shown:
        lines = []
        for passage in cue.passages:
            lines.append(_passage(passage, format, is_new=passage.speaker != before))
            before = passage.speaker
        name = cue.passages[0].speaker.replace(",", ";") if format is TranscriptFormat.SUBSTATION else ""
        text = "\n".join(lines).replace("\n", "\\N")
        copy.append(pysubs2.SSAEvent(start=cue.start_ms, end=cue.end_ms, text=text, name=name))
    if format is TranscriptFormat.SUBSTATION:
        copy.info["Title"] = " ".join((title or "Transcript").split())
        made = copy.to_string(format.value, header_notice=mark)
    else:
        made = copy.to_string(format.value)
    for shield, text in (_UNSHIELD_SUBSTATION if format is TranscriptFormat.SUBSTATION else _UNSHIELD).items():
        made = made.replace(shield, text)
    if format is TranscriptFormat.WEBVTT:
        made = made.replace("WEBVTT\n", f"WEBVTT\n\nNOTE {mark}\n", 1)
    return made


def _passage(passage: _Passage, format: TranscriptFormat, *, is_new: bool) -> str:
    lines = textwrap.wrap(passage.text, LINE_CHARACTERS, break_long_words=False, break_on_hyphens=False)
    text = "\n".join(_line_for(format, line) for line in lines)
    if not passage.speaker:
        return text
    if format is TranscriptFormat.WEBVTT:
        return f"<v {_line_for(format, passage.speaker)}>{text}"
    if format is TranscriptFormat.SUBRIP and is_new:
        return f"{_line_for(format, passage.speaker)}: {text}"
    return text


def _line_for(format: TranscriptFormat, line: str) -> str:
    """Return a line with what the format would take for markup escaped, and braces and backslashes shielded."""
    if format is TranscriptFormat.WEBVTT:
        line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    elif format is TranscriptFormat.SUBRIP:
        line = re.sub(r"&(?=#?\w+;)", "&amp;", line)
        line = re.sub(r"<(?=[/A-Za-z])", "&lt;", line).replace("-->", "--&gt;")
    return line.translate(_SHIELD)


# -- formats for reading ----------------------------------------------------------------------


def _turns(shown: list[_Shown]) -> list[tuple[int, str, str]]:
    """Return (start_ms, speaker, text) for each turn: consecutive cues of one voice, or each cue where no voice is named."""
    turns: list[tuple[int, str, str]] = []
    for cue in shown:
        for passage in cue.passages:
            if passage.speaker and turns and turns[-1][1] == passage.speaker:
                start, speaker, text = turns[-1]
                turns[-1] = (start, speaker, text + join(text, passage.text) + passage.text)
            else:
                turns.append((cue.start_ms, passage.speaker, passage.text))
    return turns


def _text(shown: list[_Shown], title: str, mark: str) -> str:
    head = [title, ""] if title else []
    rows = [f"[{_clock(start)}] {speaker + ': ' if speaker else ''}{text}" for start, speaker, text in _turns(shown)]
    return "\n".join([*head, mark, "", *rows]) + "\n"


def _markdown(shown: list[_Shown], title: str, mark: str) -> str:
    head = [f"# {_escaped(title)}", ""] if title else []
    rows = [
        f"[{_clock(start)}] {f'**{_escaped(speaker)}:** ' if speaker else ''}{_escaped(text)}\n"
        for start, speaker, text in _turns(shown)
    ]
    return "\n".join([*head, f"*{_escaped(mark)}*", "", *rows])


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>#])", r"\\\1", text)


def _clock(ms: int) -> str:
    seconds = ms // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
