"""A session on a fresh copy of a small job, opened as a person would open it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from quoteview.app.session import Session
from quoteview.app.settings import Settings
from quoteview.app.states import Phase
from quoteview.core.captions.track import Origin
from quoteview.core.importing import CaptionFile
from quoteview.core.new_job import new_job
from quoteview.core.sample import create_sample_job
from quoteview.core.store import create_job

CAPTIONS = b"""WEBVTT

00:05.000 --> 00:08.000
the mill is shut

00:10.000 --> 00:13.000
it didn't open in the morning

00:20.000 --> 00:23.000
we measured 42 m of water

00:30.000 --> 00:34.000
and the mill is shut
"""

OpenJob = Callable[..., Session]


def make_job(folder: Path, draft: bytes, *, name: str = "draft.txt", captions: bytes = CAPTIONS) -> Path:
    made = new_job([CaptionFile("talk.vtt", captions, Origin.HUMAN, "en")], [(name, draft)], title="The mill")
    create_job(folder, made.job, made.tracks, drafts=made.drafts)
    return folder


@pytest.fixture
def open_job(qtbot: QtBot, tmp_path: Path) -> Iterator[OpenJob]:
    """Open a job with this draft (or the job in a folder) and wait until it is checked."""
    sessions: list[Session] = []

    def opened(draft: bytes | Path, *, reviewer: str = "Ada", name: str = "draft.txt") -> Session:
        folder = draft if isinstance(draft, Path) else make_job(tmp_path / f"job{len(sessions)}", draft, name=name)
        settings = Settings()
        settings.reviewer = reviewer
        session = Session(settings)
        settings.setParent(session)
        sessions.append(session)
        session.open(folder)
        qtbot.waitUntil(lambda: session.phase in (Phase.READY, Phase.LOCK_BROKEN), timeout=10_000)
        return session

    yield opened
    for session in sessions:
        session.shut_down()


@pytest.fixture
def sample(open_job: OpenJob, tmp_path: Path) -> Session:
    """The sample job's session."""
    return open_job(create_sample_job(tmp_path / "sample").folder)


@pytest.fixture
def settle(qtbot: QtBot) -> Callable[[Session], None]:
    """Wait until a session has nothing left to do by itself."""
    return lambda session: qtbot.waitUntil(lambda: session.is_settled, timeout=20_000)
