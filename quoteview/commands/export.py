"""`quoteview export`: polished copies of a transcript, and the report of a draft whose gates are all open."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path

from quoteview import __version__
from quoteview.commands.console import Console
from quoteview.commands.jobs import track_of
from quoteview.core.atomic import write_atomic
from quoteview.core.polish import TranscriptFormat, polished_transcript
from quoteview.core.store import open_job

_REPORTS = {"html": "data/report.html", "jsonld": "data/annotations.jsonld"}


def export(
    console: Console, folder: str, format: str, track_id: str | None, draft: str | None, by: str | None, output: str | None
) -> int:
    """Write a copy or a report; return 0, or 1 where a report was asked for and a gate is closed."""
    if format not in _REPORTS:
        job = open_job(Path(folder)).job
        name, track = track_of(Path(folder), track_id)
        language = next((record.language for record in job.locked if record.lock and record.lock.file == name), "")
        with console.progress("Writing the copy"):
            copy = polished_transcript(track, TranscriptFormat(format), title=job.title, language=language, version=__version__)
        return _write(console, copy.encode("utf-8"), output)
    from quoteview.commands.label import issued_label, say_refused, which_draft
    from quoteview.core.labelling import LabelRefused

    index = which_draft(Path(folder), open_job(Path(folder)).job, draft)
    try:
        issued = issued_label(console, Path(folder), index, by or getpass.getuser())
    except LabelRefused as refused:
        say_refused(console, refused)
        return 1
    return _write(console, issued.files[_REPORTS[format]], output)


def _write(console: Console, content: bytes, output: str | None) -> int:
    if output is not None:
        write_atomic(Path(output), content)
        if console.is_json:
            console.document({"schema": 1, "file": output, "bytes": len(content)})
        return 0
    if console.is_json:
        console.document({"schema": 1, "content": content.decode("utf-8")})
        return 0
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()
    return 0
