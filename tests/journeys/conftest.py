"""Whole tasks through the widgets: a window on the working-day draft of the sample recording, driven by key and mouse alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from quoteview.core.captions.track import Origin
from quoteview.core.importing import CaptionFile
from quoteview.core.new_job import new_job
from quoteview.core.store import create_job
from quoteview.ui.main_window import MainWindow
from tests.ui.conftest import open_window, window

__all__ = ["open_window", "window"]

ROOT = Path(__file__).resolve().parents[2]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for test in items:
        if Path(__file__).resolve().parent in test.path.parents:
            # The offscreen platform says this of every dialog with a minimum size, and of every popup.
            test.add_marker(pytest.mark.qt_log_ignore("plugin does not support (propagateSizeHints|raise|grabbing the keyboard)"))


@pytest.fixture(autouse=True)
def empty_clipboard() -> Iterator[None]:
    """Leave nothing copied: the offscreen platform would delete it after Python's end, and crash (Qt 6.11)."""
    yield
    if QApplication.instance() is not None:
        QApplication.clipboard().clear()


@pytest.fixture
def working_day(tmp_path: Path) -> Path:
    """The job of a working day: 24 claims, 6 of them to do."""
    sample = ROOT / "resources" / "sample"
    tracks = [
        CaptionFile("tide-book.human.vtt", (sample / "tide-book.human.vtt").read_bytes(), Origin.HUMAN, "en"),
        CaptionFile("tide-book.auto.json3", (sample / "tide-book.auto.json3").read_bytes(), Origin.AUTOMATIC, "en"),
    ]
    draft = (ROOT / "tests" / "data" / "working-day.md").read_bytes()
    made = new_job(tracks, [("working-day.md", draft)], title="The tide book")
    return create_job(tmp_path / "day.quoteview", made.job, made.tracks, drafts=made.drafts).folder


class Hands:
    """A person at the keyboard: counts the keys that were pressed, and waits after each until nothing is left to do."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window = window
        self.pressed = 0
        self._qtbot = qtbot

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press one key where the focus is."""
        self.pressed += 1
        focus = QApplication.focusWidget() or self.window
        QTest.keyClick(focus, key, modifier)
        self.settle()

    def settle(self) -> None:
        """Wait until the session has nothing left to do."""
        self._qtbot.waitUntil(lambda: self.window.session.is_settled, timeout=20_000)
