"""`quoteview tracks`: the inventory of a job, what is locked of it and what is not, and why the reference is the reference."""

from __future__ import annotations

from pathlib import Path

from quoteview.commands.console import Console, Style, in_one_line
from quoteview.core.captions.reading import read_track
from quoteview.core.errors import CaptionError
from quoteview.core.job import TrackRecord
from quoteview.core.locking import LockedSource
from quoteview.core.reference_choice import choose_reference
from quoteview.core.store import OpenedJob, open_job


def tracks(console: Console, folder: str) -> int:
    """Print every track of a job, obtained or not; return 1 where a locked file is not what was locked, else 0."""
    with console.progress("Hashing the locked files") as report:
        opened = open_job(Path(folder), report=report)
    choice = choose_reference(opened.job)
    if console.is_json:
        console.document(
            {
                "schema": 1,
                "reference": {"id": choice.track_id, "why": choice.why},
                "tracks": [_document(opened, record) for record in opened.job.tracks],
            }
        )
    else:
        _print(console, opened, choice.track_id)
        console.line(f"\nReference: {in_one_line(choice.why)}")
    return 1 if opened.material.broken else 0


def _document(opened: OpenedJob, record: TrackRecord) -> dict[str, object]:
    return {
        "id": record.id,
        "origin": record.origin.value,
        "language": record.language,
        "name": record.name,
        "format": record.format,
        "standing": record.standing.value,
        "file": record.lock.file if record.lock else "",
        "bytes": record.lock.size if record.lock else 0,
        "sha256": record.lock.sha256 if record.lock else "",
        "lock": _lock(opened, record),
        "cues": _cues(opened, record),
        "reason": record.reason,
        "copy_of": record.copy_of,
        "fetched_at": record.fetched_at,
    }


def _print(console: Console, opened: OpenedJob, reference: str) -> None:
    for record in opened.job.tracks:
        sign = "→" if record.id == reference else " "
        language = record.language or "language unknown"
        head = console.styled(f"{sign} {record.id}", Style.BOLD)
        if record.lock is None:
            reason = f": {in_one_line(record.reason)}" if record.reason else ""
            console.line(f"{head}  {record.origin.value}, {language}, {record.standing.value}{reason}")
            continue
        cues = _cues(opened, record)
        count = "unreadable" if cues is None else f"{cues:,} cues"
        name = f", “{in_one_line(record.name)}”" if record.name else ""
        console.line(f"{head}  {record.origin.value}, {language}, {record.format}, {count}, {record.lock.size:,} bytes{name}")
        console.line(f"    SHA-256 {record.lock.sha256}")
        if _lock(opened, record) == "broken":
            console.line(console.styled(f"    ✗ broken: {in_one_line(str(opened.material.sources[record.id]))}", Style.RED))


def _lock(opened: OpenedJob, record: TrackRecord) -> str | None:
    if record.lock is None:
        return None
    return "ok" if isinstance(opened.material.sources.get(record.id), LockedSource) else "broken"


def _cues(opened: OpenedJob, record: TrackRecord) -> int | None:
    """Return how many cues a locked track has, None where it can't be read."""
    source = opened.material.sources.get(record.id)
    if not isinstance(source, LockedSource):
        return None
    try:
        return len(read_track(source, encoding=record.encoding).cues)
    except CaptionError:
        return None
