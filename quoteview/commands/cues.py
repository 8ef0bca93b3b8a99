"""`quoteview cues`: the cues of a file as read, then where every one of its bytes went."""

from __future__ import annotations

from pathlib import Path

from quoteview.commands.console import Console, Style, clock, in_one_line
from quoteview.commands.files import captions_argument, read_captions
from quoteview.core.captions.reading import read_track
from quoteview.core.captions.track import Cue, Track
from quoteview.core.locking import lock


def cues(console: Console, target: str, track_id: str | None) -> int:
    """Print the cues of a caption file, or of a job's track, and return 0."""
    if track_id is not None or Path(target).is_dir():
        from quoteview.commands.jobs import track_of

        name, track = track_of(Path(target), track_id)
    else:
        wanted = captions_argument(target)
        name = str(wanted.path)
        track = read_track(lock(read_captions(wanted.path), name), encoding=wanted.encoding)
    if console.is_json:
        console.document(_document(name, track))
    else:
        _print(console, track)
    return 0


def _document(name: str, track: Track) -> dict[str, object]:
    return {
        "schema": 1,
        "file": name,
        "sha256": track.source.lock.sha256,
        "format": track.format.value,
        "language": track.language,
        "encoding": track.encoding,
        "cues": [_cue(cue) for cue in track.cues],
        "ledger": track.ledger.totals(),
    }


def _cue(cue: Cue) -> dict[str, object]:
    return {
        "index": cue.index,
        "identifier": cue.identifier,
        "speakers": cue.speakers,
        "start_ms": cue.time.start_ms,
        "end_ms": cue.time.end_ms,
        "text": cue.text,
        "bytes": cue.text_bytes,
    }


def _print(console: Console, track: Track) -> None:
    for cue in track.cues:
        speaker = f"{in_one_line(', '.join(cue.speakers))}: " if cue.speakers else ""
        times = f"{clock(cue.time.start_ms)} – {clock(cue.time.end_ms)}"
        console.line(f"{cue.index:>5}  {times}  {speaker}{in_one_line(cue.text)}")
    console.line()
    lock = track.source.lock
    rolled = ", roll-up" if track.is_roll_up else ""
    console.line(console.styled(f"{track.format.value}, {track.encoding}{rolled}, {len(track.cues):,} cues", Style.BOLD))
    console.line(f"SHA-256 {lock.sha256}")
    totals = ", ".join(f"{word} {count:,}" for word, count in track.ledger.totals().items())
    console.line(f"{lock.size:,} bytes: {totals}")
    for defect in track.order:
        console.line(f"Order: cue {defect.cue} {defect.fault.value}.")
    for remark in track.remarks:
        console.remark(f"Remark: {in_one_line(remark)}")
