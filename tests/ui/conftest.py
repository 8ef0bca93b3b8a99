"""For the tests of widgets: the offscreen platform, its one remark that says nothing, and a window on the sample job."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from quoteview.app.session import Session
from quoteview.app.settings import Settings
from quoteview.app.states import Phase
from quoteview.core.sample import create_sample_job
from quoteview.ui.main_window import MainWindow
from quoteview.ui.theme import Theme, ThemeKind

_HERE = Path(__file__).resolve().parent

OpenWindow = Callable[..., MainWindow]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for test in items:
        if _HERE in test.path.parents:
            # The offscreen platform says this of every dialog with a minimum size, and of every menu.
            test.add_marker(pytest.mark.qt_log_ignore("does not support (propagateSizeHints|raise|grabbing the keyboard)"))


@pytest.fixture
def open_window(qtbot: QtBot) -> Iterator[OpenWindow]:
    """Show a window, on the job in a folder if one is given, and wait until the job is checked."""
    windows: list[MainWindow] = []

    def opened(folder: Path | None = None, *, reviewer: str = "Ada") -> MainWindow:
        settings = Settings()
        settings.reviewer = reviewer
        theme = Theme(ThemeKind.LIGHT, 100, settings)
        theme.apply()
        window = MainWindow(Session(settings, settings), settings, theme)
        settings.setParent(window)
        windows.append(window)
        qtbot.addWidget(window)
        window.show()
        qtbot.waitExposed(window)
        if folder is not None:
            window.session.open(folder)
            qtbot.waitUntil(lambda: window.session.phase in (Phase.READY, Phase.LOCK_BROKEN), timeout=10_000)
        return window

    yield opened
    for window in windows:
        window.session.shut_down()


@pytest.fixture
def window(open_window: OpenWindow, tmp_path: Path) -> MainWindow:
    """A window on a fresh copy of the sample job, with the claim list in focus."""
    shown = open_window(create_sample_job(tmp_path / "sample.quoteview").folder)
    shown.activateWindow()
    shown.claim_list.setFocus()
    return shown
