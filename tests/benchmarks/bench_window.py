"""How fast the window is on ten hours with 1,000 claims: run it as a script; it prints and asserts nothing.

    python tests/benchmarks/bench_window.py [CUES [CUES_TO_SCROLL]]

Times are from the key to the end of painting, offscreen, a key every tenth of a second as a fast hand types, in an
event loop that sleeps between events as the program's does. The background check is running in some of them.
"""

from __future__ import annotations

import os
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_LOGGING_RULES", "*.warning=false")
os.environ["QUOTEVIEW_HOME"] = tempfile.mkdtemp(prefix="quoteview-benchmark-")

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from quoteview.app.settings import Settings
from quoteview.app.states import Phase
from quoteview.core.captions.track import Origin
from quoteview.core.importing import CaptionFile
from quoteview.core.new_job import new_job
from quoteview.core.store import create_job
from quoteview.ui import application
from quoteview.ui.main_window import MainWindow

_CLAIMS = 1_000
_CUE_MS = 3_600


def make_job(folder: Path, cues: int) -> None:
    """Make a job of `cues` cues and a draft of 1,000 quotations, a quarter of them with a comma too many."""
    draw = random.Random(20270303)
    words = ["".join(draw.choice("aeioubcdfglmnprst") for _ in range(draw.randint(2, 9))) for _ in range(4000)]
    lines = [" ".join(draw.choice(words) for _ in range(10)) for _ in range(cues)]
    vtt = "WEBVTT\n\n" + "\n".join(
        f"{_stamp(at * _CUE_MS)} --> {_stamp(at * _CUE_MS + _CUE_MS - 100)}\n{line}\n" for at, line in enumerate(lines)
    )
    paragraphs = []
    for number in range(_CLAIMS):
        at = draw.randrange(cues)
        quote = " ".join(lines[at].split()[1:8])
        quote = quote.replace(" ", ", ", 1) if number % 4 == 0 else quote
        paragraphs.append(f"Then she said “{quote}” [{_stamp(at * _CUE_MS)[:8]}] and went on about it for a while.")
    captions = [CaptionFile("talk.vtt", vtt.encode(), Origin.HUMAN, "en")]
    made = new_job(captions, [("draft.md", "\n\n".join(paragraphs).encode())], title="Ten hours")
    create_job(folder, made.job, made.tracks, drafts=made.drafts)


def main() -> None:
    """Make the jobs, open them, and print how long each thing takes."""
    cues = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    app = application._application(is_picture=True, scale=None)
    settings = Settings()
    settings.reviewer = "Benchmark"
    settings.flush()
    print(f"load of the machine            {os.getloadavg()[0]:8.2f} at the start, {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory(prefix="quoteview-benchmark-") as place:
        folder = Path(place) / "ten-hours.quoteview"
        make_job(folder, cues)
        _work_on(app, folder)
        longer = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
        if longer:
            folder = Path(place) / "hundred-hours.quoteview"
            make_job(folder, longer)
            _scroll_through(app, folder, longer)
    print(f"load of the machine            {os.getloadavg()[0]:8.2f} at the end")


def _work_on(app: QApplication, folder: Path) -> None:
    """Open a job and work on it: what a person does most."""
    window = application._window("light", (1440, 900))
    session = window.session
    opened = _open(app, window, folder, "open to first paint")
    gaps = _gaps_until(app, lambda: session.phase is Phase.READY and session.is_settled)
    print(f"gap in the loop while checking {max(gaps):8.1f} ms at most, {sum(gap > 50 for gap in gaps)} over 50 ms")
    print(f"all checked and judged after   {time.perf_counter() - opened:8.2f} s")
    window.claim_list.setFocus()
    _print("next claim (J)", app, lambda: _key(window, Qt.Key.Key_J))
    _print("a resolution (W)", app, lambda: _key(window, Qt.Key.Key_W))
    gaps = _gaps_until(app, lambda: session.is_settled)
    print(f"gap while it is judged again   {max(gaps):8.1f} ms at most, {sum(gap > 50 for gap in gaps)} over 50 ms")
    window.resolve_panel.start_edit()
    _print("a key in the panel's line", app, lambda: _key(window, Qt.Key.Key_A))
    window.resolve_panel.setFocus()
    window.draft.setFocus()
    _print("a key typed in the draft", app, lambda: _key(window, Qt.Key.Key_A))
    session.undo()
    claim = session.to_do()[0]
    words = session.claims[claim - 1].text
    _print("words of a quotation judged", app, lambda: session.preview(claim, words + "x"))
    print(f"memory                         {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024:8} MB")
    window.close()


def _scroll_through(app: QApplication, folder: Path, cues: int) -> None:
    """Open a very long job, jump to its end, and scroll through its transcript a frame at a time."""
    window = application._window("light", (1440, 900))
    _open(app, window, folder, f"open {cues:,} cues to paint")
    rows = window.transcript.cues
    begun = time.perf_counter()
    last = rows.model().index(cues - 1, 0)
    rows.show_row(cues - 1)
    _until(app, lambda: rows.viewport().rect().intersects(rows.visualRect(last)))
    rows.viewport().repaint()
    print(f"jump to the last cue           {(time.perf_counter() - begun) * 1000:8.1f} ms")
    _until(app, lambda: window.session.phase is Phase.READY and window.session.is_settled)
    bar = rows.verticalScrollBar()
    bar.setValue(bar.maximum() // 3)
    app.processEvents()
    _print("a frame of scrolling", app, lambda: bar.setValue(bar.value() + 61), times=240, pause_ms=0)
    print(f"memory                         {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024:8} MB")
    window.close()


def _open(app: QApplication, window: MainWindow, folder: Path, what: str) -> float:
    """Open a job, print when draft and transcript are painted, whatever is known by then, and return when it was begun."""
    session = window.session
    begun = time.perf_counter()
    session.open(folder)
    _until(app, lambda: session.text is not None and bool(session.cues))
    window.grab()
    print(f"{what:30} {time.perf_counter() - begun:8.2f} s")
    return begun


def _stamp(ms: int) -> str:
    return f"{ms // 3600000:02}:{ms // 60000 % 60:02}:{ms // 1000 % 60:02}.{ms % 1000:03}"


def _key(window: MainWindow, key: Qt.Key) -> None:
    QTest.keyClick(QApplication.focusWidget() or window, key)


def _until(app: QApplication, is_so: Callable[[], bool]) -> None:
    while not is_so():
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def _gaps_until(app: QApplication, is_so: Callable[[], bool]) -> list[float]:
    """Return the times between ticks that should come every five milliseconds, until something is so."""
    ticks = [time.perf_counter()]
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: ticks.append(time.perf_counter()))
    timer.start(5)
    _until(app, is_so)
    timer.stop()
    return [(after - before) * 1000 for before, after in pairwise(ticks)] or [0.0]


def _rest(app: QApplication, for_ms: int) -> None:
    """Let the event loop run as it does between two keys."""
    end = time.perf_counter() + for_ms / 1000
    timer = QTimer()
    timer.start(5)
    _until(app, lambda: time.perf_counter() >= end)


def _print(what: str, app: QApplication, act: Callable[[], object], times: int = 60, pause_ms: int = 70) -> None:
    taken, worked = [], []
    for _ in range(times):
        if pause_ms:
            _rest(app, pause_ms)
        begun, begun_cpu = time.perf_counter(), time.thread_time()
        act()
        app.processEvents()
        taken.append((time.perf_counter() - begun) * 1000)
        worked.append((time.thread_time() - begun_cpu) * 1000)
    slowest = sorted(taken)[int(len(taken) * 0.99)]
    median, own = statistics.median(taken), statistics.median(worked)
    print(f"{what:30} {median:8.1f} ms median, {slowest:.1f} ms at the 99th percentile; {own:.1f} ms of them in this thread")


if __name__ == "__main__":
    main()
