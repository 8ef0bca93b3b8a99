"""What must hold of every reading: the ledger covers the file, and each run's bytes decode to its text."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from quoteview.core.captions.decoding import decode
from quoteview.core.captions.track import Track
from quoteview.core.joins import LAYOUT
from quoteview.core.ledger import EntryKind, How
from quoteview.core.spans import ByteSpan

REAL_FILES = Path(os.environ.get("QUOTEVIEW_CAPTION_FILES") or "/nowhere")
"""A folder of real caption files, such as may not be passed on with these tests; without one their tests are left out."""


def proven(track: Track) -> Track:
    """Return the track after holding it against its bytes: sizes, runs, layout, and the bytes of each kind of entry."""
    data = track.source.data
    assert track.ledger.size == len(data) == sum(track.ledger.totals().values())
    text_entries = [entry for entry in track.ledger if entry.kind is EntryKind.TEXT]
    runs = sorted((run for cue in track.cues for run in cue.runs if run.how is not How.UNREAD), key=lambda run: run.start)
    assert [(entry.start, entry.end) for entry in text_entries] == [(run.start, run.end) for run in runs]
    for run in runs:
        assert decode(track.format, run.how, data[run.start : run.end].decode(track.encoding)) == run.text
    said_again: dict[tuple[int, tuple[ByteSpan, ...]], str] = {}
    for entry in track.ledger:
        if entry.kind is EntryKind.LAYOUT:
            characters = decode(track.format, entry.how, data[entry.start : entry.end].decode(track.encoding))
            assert set(characters) <= LAYOUT, data[entry.start : entry.end]
        if entry.kind is EntryKind.REPEAT:
            # A line may be divided by tags otherwise than the line that it repeats; a recogniser's copies stand alone.
            key = (entry.cue if entry.cue >= 0 else -2 - entry.start, track.ledger.repeats[entry.start])
            repeated = decode(track.format, entry.how, data[entry.start : entry.end].decode(track.encoding))
            said_again[key] = said_again.get(key, "") + repeated
    for (_, of), repeated in said_again.items():
        assert letters(repeated) == letters("".join(_text_at(track, *span) for span in of))
    return track


def bytes_of(track: Track, kind: EntryKind) -> list[bytes]:
    """Return the bytes of every entry of a kind, in file order."""
    return [track.source.data[entry.start : entry.end] for entry in track.ledger if entry.kind is kind]


def letters(text: str) -> str:
    """Return a text without white space."""
    return "".join(text.split())


def real_files(*patterns: str) -> list[Path]:
    """Return the real caption files that match; none where the folder is absent."""
    return sorted(path for pattern in patterns for path in REAL_FILES.glob(pattern))


def parametrised(*patterns: str) -> list[object]:
    """Return real files as parameters with short names, or one that is skipped where there are none."""
    found: list[object] = [pytest.param(path, id=path.name) for path in real_files(*patterns)]
    reason = "QUOTEVIEW_CAPTION_FILES names no folder of real caption files"
    return found or [pytest.param(None, marks=pytest.mark.skip(reason=reason))]


def _text_at(track: Track, start: int, end: int) -> str:
    raw = track.source.data[start:end].decode(track.encoding)
    how = How.ESCAPE if "\\" in raw else How.ENTITY if "&" in raw else How.LITERAL
    return decode(track.format, how, raw)
