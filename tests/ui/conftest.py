"""For the tests of widgets: the offscreen platform, and its one remark that says nothing about us."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

_HERE = Path(__file__).resolve().parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for test in items:
        if _HERE in test.path.parents:
            # The offscreen platform says this of every dialog with a minimum size.
            test.add_marker(pytest.mark.qt_log_ignore("does not support propagateSizeHints"))
