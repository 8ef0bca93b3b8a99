"""`quoteview fetch`: a recording's tracks, inventoried, fetched and locked in one step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from quoteview.commands.console import Console, Report, in_one_line
from quoteview.core.errors import UsageError
from quoteview.core.job import Standing
from quoteview.core.reference_choice import choose_reference
from quoteview.core.store import OpenedJob
from quoteview.fetching.client import Client
from quoteview.fetching.jobs import fetch_job


def fetch(console: Console, address: str, folder: str, *, media: str | None, translated: Sequence[str]) -> int:
    """Make a job of a recording's tracks and return 0; raises `FetchError` where there is nothing to lock."""
    if media is not None:
        raise UsageError(
            f"--media {media}: this version fetches captions only. Bring the recording with quoteview new --media FILE."
        )
    client = Client(say=lambda sentence: console.remark(sentence))
    with console.progress("Fetching") as report:
        opened = fetch_job(address, Path(folder), client, translated=translated, progress=_by_track(report))
    _say(console, opened)
    return 0


def _by_track(report: Report) -> Callable[[str, int, int], None]:
    return lambda _track_id, done, total: report(done, total)


def _say(console: Console, opened: OpenedJob) -> None:
    choice = choose_reference(opened.job)
    if console.is_json:
        tracks = [
            {
                "id": record.id,
                "origin": record.origin.value,
                "language": record.language,
                "standing": record.standing.value,
                "sha256": record.lock.sha256 if record.lock else "",
                "reason": record.reason,
            }
            for record in opened.job.tracks
        ]
        reference = {"id": choice.track_id, "why": choice.why}
        console.document({"schema": 1, "job": str(opened.folder), "tracks": tracks, "reference": reference})
        return
    listed = sum(record.standing is Standing.LISTED for record in opened.job.tracks)
    for record in opened.job.tracks:
        if record.lock is not None:
            console.remark(f"locked {record.id}  {record.lock.sha256}")
        elif record.standing is Standing.NOT_OBTAINED:
            console.line(f"not obtained {record.id}: {in_one_line(record.reason)}")
    if listed:
        console.remark(f"{listed} more are listed and were not fetched (quoteview tracks shows them).")
    console.remark(f"Reference: {in_one_line(choice.why)}")
    console.remark(f"Next: quoteview add {in_one_line(str(opened.folder))} DRAFT")
