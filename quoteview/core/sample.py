"""The sample job: an interview of our own with two tracks and two drafts, made anew from `resources/sample` each time."""

from __future__ import annotations

from pathlib import Path

from quoteview.core.captions.track import Origin
from quoteview.core.importing import CaptionFile
from quoteview.core.new_job import new_job, now
from quoteview.core.resources import resource
from quoteview.core.store import OpenedJob, create_job

TITLE = "The tide book"

_TRACKS = (("tide-book.human.vtt", Origin.HUMAN), ("tide-book.auto.json3", Origin.AUTOMATIC))
_DRAFTS = ("draft-one.md", "draft-two.md")


def create_sample_job(folder: Path) -> OpenedJob:
    """Make a copy of the sample job in a folder that must not hold anything yet, and return it opened."""
    sample = resource("sample")
    made = new_job(
        [CaptionFile(name, (sample / name).read_bytes(), origin, "en") for name, origin in _TRACKS],
        [(name, (sample / name).read_bytes()) for name in _DRAFTS],
        title=TITLE,
        at=now(),
    )
    return create_job(folder, made.job, made.tracks, drafts=made.drafts)
