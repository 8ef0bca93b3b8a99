"""The library: the jobs that were opened lately, with what was seen of them last."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from quoteview.app.settings import Settings
from quoteview.app.states import Counts
from quoteview.core.store import is_job


class RecentJob(NamedTuple):
    """A job of the start page. `counts` are those seen when it was last open, not a judgement of now."""

    folder: Path
    title: str
    counts: Counts


def missing_jobs(folders: Collection[Path]) -> frozenset[Path]:
    """Return those folders that hold no job now. It may wait long for a disk that is away: not for the GUI thread."""
    return frozenset(folder for folder in folders if not is_job(folder))


def recent_jobs(settings: Settings) -> tuple[RecentJob, ...]:
    """Return the recent jobs, the latest first; one without a title kept is called by its folder's name."""
    jobs = []
    for folder in settings.recent_jobs:
        title, counts = settings.seen(folder)
        jobs.append(RecentJob(folder, title or folder.name.removesuffix(".quoteview"), counts))
    return tuple(jobs)
