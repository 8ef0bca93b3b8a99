"""Background work: core functions run in worker threads, and what they say comes back in the GUI thread.

Work is a function that takes `report(done, total)` and returns a value; `report` raises `Cancelled`
when the work is no longer wanted. Of two works of one name only the newer one's result is delivered:
the older one is stopped, and what it may still return is dropped. Work without a name always delivers,
and with one thread in the order in which it was given. Work that takes something which others want too (a
lock) says how to let go of it: that is done with a result that nobody wants any more, and a newer work of
the name begins only after that. `Exception` is caught here and passed on.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from PySide6.QtCore import QObject, QRunnable, QThreadPool, QTimer, Signal

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
    let_go: Callable[[object], None] | None
    stop: threading.Event = field(default_factory=threading.Event)
    reported_at: float = 0.0
    outcomes: list[object] = field(default_factory=list)
    """What the work returned, until somebody takes it: at most one."""

    def let_go_of_outcome(self) -> None:
        """Let go of what nobody took."""
        if self.outcomes and self.let_go is not None:
            self.let_go(self.outcomes.pop())


class _Runnable(QRunnable):
    """Carries one work to a thread; it holds no QObject, so that it may be destroyed there."""

    def __init__(self, work: _Work, jobs: Jobs) -> None:
        super().__init__()
        self._work, self._jobs = work, jobs

    def run(self) -> None:
        """Do the work and post what came of it to the GUI thread."""
        work = self._work
        try:
            self._report(0, 0)
            work.outcomes.append(work.run(self._report))
        except Exception as error:
            self._jobs.failed_in_thread.emit(work.number, error)
        else:
            self._jobs.finished_in_thread.emit(work.number)

    def _report(self, done: int, total: int) -> None:
        if self._work.stop.is_set():
            raise Cancelled
        now = time.monotonic()
        if now - self._work.reported_at >= _REPORT_EVERY_S:
            self._work.reported_at = now
            self._jobs.reported_in_thread.emit(self._work.number, done, total)


class _LettingGo(QRunnable):
    """Lets go of a result that nobody wants, in a thread: what it holds may be on the disk."""

    def __init__(self, work: _Work, jobs: Jobs) -> None:
        super().__init__()
        self._work, self._jobs = work, jobs

    def run(self) -> None:
        """Let go of it, and say that the work is over."""
        try:
            self._work.let_go_of_outcome()
        finally:
            self._jobs.let_go_in_thread.emit(self._work.number)


class Jobs(QObject):
    """Runs work in at most `threads` threads. `progressed` says that `progress` is another one.

    With `after_painting` work begins only once what the window has to draw is drawn, so that a key is not slowed by the
    work that it asked for. The `…_in_thread` signals are emitted by workers and reach this object queued; nobody else
    connects to them.
    """

    progressed = Signal()
    finished_in_thread = Signal(int)
    let_go_in_thread = Signal(int)
    failed_in_thread = Signal(int, object)
    reported_in_thread = Signal(int, int, int)

    def __init__(self, threads: int, parent: QObject | None = None, *, after_painting: bool = False) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(threads)
        self._running: dict[int, _Work] = {}
        self._steps: dict[int, tuple[int, int]] = {}
        self._holding: dict[int, _Work] = {}
        """Work whose result may hold something, from its start until its result is delivered or let go of."""
        self._to_start: list[_Work] = []
        self._painted = QTimer(self)
        self._painted.setSingleShot(True)
        self._painted.timeout.connect(self._start)
        self._is_after_painting = after_painting
        self._number = 0
        self._is_stopped = False
        self.finished_in_thread.connect(self._on_finished)
        self.let_go_in_thread.connect(self._on_over)
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
        let_go: Callable[[Result], None] | None = None,
    ) -> None:
        """Do work in a thread; `deliver` or `fail` is called in the GUI thread. `fail` also hears of `Cancelled`.

        `sentence` says what runs. A named work stops and silences the earlier one of its name. `let_go` is given a result
        that is not delivered because nobody wants it any more, in a thread, or at the end in the one that calls `stop`.
        """
        if self._is_stopped:
            return
        if name:
            self.drop(name)
        self._number += 1

        def hand_over(outcome: object) -> None:
            deliver(outcome)  # type: ignore[arg-type]  # the same work that `run` typed returned it

        def drop(outcome: object) -> None:
            if let_go is not None:
                let_go(outcome)  # type: ignore[arg-type]  # as above

        started = _Work(self._number, name, sentence, work, hand_over, fail, drop if let_go is not None else None)
        self._running[started.number] = started
        self._to_start.append(started)
        if self._is_after_painting:
            self._painted.start(0)  # the event loop draws first
        else:
            self._start()
        self.progressed.emit()

    def drop(self, name: str) -> None:
        """Stop the work of a name and forget it: neither its result nor its error is delivered."""
        for work in [work for work in self._running.values() if work.name == name]:
            work.stop.set()
            self._forget(work.number)

    def cancel(self) -> None:
        """Stop all named work; each `fail` hears of `Cancelled`, unless it was done already."""
        for work in self._running.values():
            if work.name:
                work.stop.set()

    @property
    def is_idle(self) -> bool:
        """Whether nothing runs, waits, or is still to be let go of."""
        return not self._running and not self._holding

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
        self._start()
        self._pool.waitForDone()

    def stop(self) -> None:
        """Stop and silence everything, wait for the threads, and take on no work any more."""
        self._is_stopped = True
        self._painted.stop()
        for work in self._running.values():
            work.stop.set()
        self._running.clear()
        self._to_start.clear()
        self._pool.waitForDone()
        for work in self._holding.values():
            work.let_go_of_outcome()
        self._holding.clear()

    def _start(self) -> None:
        """Give to the threads what waits to begin, in order; what waits for another to let go stays behind."""
        held = []
        for work in self._to_start:
            if work.let_go is not None and any(one.name == work.name for one in self._holding.values() if work.name):
                held.append(work)
                continue
            if work.let_go is not None:
                self._holding[work.number] = work
            self._pool.start(_Runnable(work, self))
        self._to_start = held

    def _start_held(self) -> None:
        if not self._painted.isActive():
            self._start()

    def _forget(self, number: int) -> None:
        self._running.pop(number, None)
        self._steps.pop(number, None)
        self._to_start = [work for work in self._to_start if work.number != number]

    def _on_finished(self, number: int) -> None:
        work = self._running.get(number)
        if work is not None:
            self._forget(number)
            self._holding.pop(number, None)
            work.deliver(work.outcomes.pop())
            self.progressed.emit()
            self._start_held()
        elif number in self._holding:
            self._pool.start(_LettingGo(self._holding[number], self))

    def _on_over(self, number: int) -> None:
        """Begin what waited for this work to let go."""
        if self._holding.pop(number, None) is not None:
            self.progressed.emit()
            self._start_held()

    def _on_failed(self, number: int, error: Exception) -> None:
        work = self._running.get(number)
        if work is not None:
            self._forget(number)
            self._holding.pop(number, None)
            work.fail(error)
            self.progressed.emit()
            self._start_held()
        else:
            self._on_over(number)

    def _on_reported(self, number: int, done: int, total: int) -> None:
        if number in self._running:
            self._steps[number] = (done, total)
            self.progressed.emit()
