"""What holds for every test: no Qt where that is asked for, a home of its own, no unexpected warning, log record or Qt message.

With `QUOTEVIEW_TEST_WITHOUT_QT=1` importing PySide6 fails as on a machine without it, and the window's tests are left out.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import logging
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
WITHOUT_QT = os.environ.get("QUOTEVIEW_TEST_WITHOUT_QT") == "1"
WINDOW_FOLDERS = ("app", "ui", "journeys")


class _NoQt(importlib.abc.MetaPathFinder):
    """Refuses PySide6 the way its absence would."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] in ("PySide6", "shiboken6", "pytestqt"):
            raise ModuleNotFoundError(f"No module named {fullname!r} (hidden for these tests)", name=fullname)
        return None


def _prepare_environment() -> None:
    """Before Qt is imported: no display, a locale it accepts, and a run-time folder of its own: nothing to warn of."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["LC_ALL"] = os.environ["LANG"] = "C.UTF-8"
    if not Path(os.environ.get("XDG_RUNTIME_DIR", "/nowhere")).is_dir():
        os.environ["XDG_RUNTIME_DIR"] = tempfile.mkdtemp(prefix="quoteview-runtime-")
    os.environ.setdefault("QT_LOGGING_RULES", "qt.qpa.*=false;qt.text.font.db=false;qt.multimedia.*.debug=false;*.info=false")
    os.environ["QUOTEVIEW_HOME"] = tempfile.mkdtemp(prefix="quoteview-home-")
    os.environ.pop("NO_COLOR", None)


_prepare_environment()
if WITHOUT_QT:
    sys.meta_path.insert(0, _NoQt())
    # A command started by a test must not find PySide6 either: Python imports sitecustomize from here before anything else.
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(ROOT / "tests" / "without_qt"), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    collect_ignore = list(WINDOW_FOLDERS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for test in items:
        below = test.path.relative_to(ROOT / "tests").parts[0]
        if below in WINDOW_FOLDERS:
            test.add_marker(pytest.mark.qt)
            test.add_marker(pytest.mark.qt_log_level_fail("WARNING"))


class _Records(logging.Handler):
    """Keeps what was logged at WARNING or above."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


class ExpectedLogs:
    """The names of loggers whose warnings a test provokes on purpose."""

    def __init__(self) -> None:
        self.loggers: set[str] = set()

    def allow(self, logger: str) -> None:
        """Let records of this logger pass for the rest of the test."""
        self.loggers.add(logger)


@pytest.fixture
def expected_logs() -> ExpectedLogs:
    """A test that provokes a warning says so with `expected_logs.allow("quoteview.fetching")`."""
    return ExpectedLogs()


@pytest.fixture(autouse=True)
def no_unexpected_log(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that logs a warning or an error which it did not announce."""
    handler = _Records()
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
    allowed: set[str] = set()
    if "expected_logs" in request.fixturenames:
        allowed = request.getfixturevalue("expected_logs").loggers
    unexpected = [record for record in handler.records if record.name not in allowed]
    if unexpected:
        pytest.fail("\n".join(f"unexpected log: {record.name}: {record.getMessage()}" for record in unexpected))


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A QUOTEVIEW_HOME of the test's own, so that no test sees another's settings, log or recent jobs."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("QUOTEVIEW_HOME", str(folder))
    return folder
