"""Background work: core functions run in worker threads, and what they say comes back in the GUI thread.

Work is a function that takes `report(done, total)` and returns a value; `report` raises `Cancelled`
when the work is no longer wanted. Of two works of one name only the newer one's result is delivered:
the older one is stopped, and what it may still return is dropped. Work without a name always delivers,
and with one thread in the order in which it was given. `Exception` is caught here and passed on.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

from quoteview.app.states import Progress
from quoteview.core.errors import Cancelled

Report = Callable[[int, int], None]
Result = TypeVar("Result")

_REPORT_EVERY_S = 0.05
"""Progress is drawn at most this often; a worker that reports each cue would flood the event loop."""

_LOOK_EVERY_S = 0.03


def abandonable(work: Callable[[], Result], report: Report) -> Result:
    """Do work that may hang (a server that does not answer) in a thread of its own, for a worker that can be stopped.

    When `report` raises `Cancelled`, the work is not waited for: whatever it still returns or raises is dropped. It must
    therefore leave nothing behind by itself.
    """
    outcomes: queue.SimpleQueue[tuple[Result | None, Exception | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            outcomes.put((work(), None))
        except Exception as error:
            outcomes.put((None, error))

    threading.Thread(target=run, name="quoteview-network", daemon=True).start()
    while True:
        report(0, 0)
        try:
            result, error = outcomes.get(timeout=_LOOK_EVERY_S)
        except queue.Empty:
            continue
        if error is not None:
            raise error
        return result  # type: ignore[return-value]  # without an error it is what the work returned


@dataclass(slots=True)
class _Work:
    number: int
    name: str
    sentence: str
    run: Callable[[Report], object]
    deliver: Callable[[object], None]
    fail: Callable[[Exception], None]
    stop: threading.Event = field(default_factory=threading.Event)
    reported_at: float = 0.0


class _Runnable(QRunnable):
    """Carries one work to a thread; it holds no QObject, so that it may be destroyed there."""

    def __init__(self, work: _Work, jobs: Jobs) -> None:
        super().__init__()
        self._work, self._jobs = work, jobs

    def run(self) -> None:
        """Do the work and post what came of it to the GUI thread."""
        work = self._work
        outcome: object
        try:
            self._report(0, 0)
            outcome = work.run(self._report)
        except Exception as error:
            self._jobs.failed_in_thread.emit(work.number, error)
        else:
            self._jobs.finished_in_thread.emit(work.number, outcome)

    def _report(self, done: int, total: int) -> None:
        if self._work.stop.is_set():
            raise Cancelled
        now = time.monotonic()
        if now - self._work.reported_at >= _REPORT_EVERY_S:
            self._work.reported_at = now
            self._jobs.reported_in_thread.emit(self._work.number, done, total)


class Jobs(QObject):
    """Runs work in at most `threads` threads. `progressed` says that `progress` is another one.

    The three `…_in_thread` signals are emitted by workers and reach this object queued; nobody else connects to them.
    """

    progressed = Signal()
    finished_in_thread = Signal(int, object)
    failed_in_thread = Signal(int, object)
    reported_in_thread = Signal(int, int, int)

    def __init__(self, threads: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(threads)
        self._running: dict[int, _Work] = {}
        self._steps: dict[int, tuple[int, int]] = {}
        self._number = 0
        self._is_stopped = False
        self.finished_in_thread.connect(self._on_finished)
        self.failed_in_thread.connect(self._on_failed)
        self.reported_in_thread.connect(self._on_reported)

    def run(
        self,
        work: Callable[[Report], Result],
        deliver: Callable[[Result], None],
        fail: Callable[[Exception], None],
        *,
        sentence: str,
        name: str = "",
    ) -> None:
        """Do work in a thread; `deliver` or `fail` is called in the GUI thread. `fail` also hears of `Cancelled`.

        `sentence` says what runs. A named work stops and silences the earlier one of its name.
        """
        if self._is_stopped:
            return
        if name:
            self.drop(name)
        self._number += 1

        def hand_over(outcome: object) -> None:
            deliver(outcome)  # type: ignore[arg-type]  # the same work that `run` typed returned it

        started = _Work(self._number, name, sentence, work, hand_over, fail)
        self._running[started.number] = started
        self._pool.start(_Runnable(started, self))
        self.progressed.emit()

    def drop(self, name: str) -> None:
        """Stop the work of a name and forget it: neither its result nor its error is delivered."""
        for work in [work for work in self._running.values() if work.name == name]:
            work.stop.set()
            self._forget(work.number)

    def cancel(self) -> None:
        """Stop all named work; each `fail` hears of `Cancelled`."""
        for work in self._running.values():
            if work.name:
                work.stop.set()

    @property
    def is_idle(self) -> bool:
        """Whether nothing runs or waits."""
        return not self._running

    @property
    def progress(self) -> Progress | None:
        """The work that runs longest, as a sentence with its steps; None where nothing runs."""
        for number, work in self._running.items():
            if work.sentence:
                done, total = self._steps.get(number, (0, 0))
                return Progress(work.sentence, done, total)
        return None

    def wait(self) -> None:
        """Wait until every thread is done, for the program's end. Results that were not delivered are dropped."""
        self._pool.waitForDone()

    def stop(self) -> None:
        """Stop and silence everything, wait for the threads, and take on no work any more."""
        self._is_stopped = True
        for work in self._running.values():
            work.stop.set()
        self._running.clear()
        self._pool.waitForDone()

    def _forget(self, number: int) -> None:
        self._running.pop(number, None)
        self._steps.pop(number, None)

    def _on_finished(self, number: int, outcome: object) -> None:
        work = self._running.get(number)
        if work is not None:
            self._forget(number)
            work.deliver(outcome)
            self.progressed.emit()

    def _on_failed(self, number: int, error: Exception) -> None:
        work = self._running.get(number)
        if work is not None:
            self._forget(number)
            work.fail(error)
            self.progressed.emit()

    def _on_reported(self, number: int, done: int, total: int) -> None:
        if number in self._running:
            self._steps[number] = (done, total)
            self.progressed.emit()
