from __future__ import annotations

import threading

from pytestqt.qtbot import QtBot

from quoteview.app.jobs import Jobs, Report
from quoteview.core.errors import Cancelled


def test_a_result_comes_back_in_the_gui_thread(qtbot: QtBot) -> None:
    jobs = Jobs(1)
    seen: list[tuple[int, bool]] = []

    def deliver(result: int) -> None:
        seen.append((result, threading.current_thread() is threading.main_thread()))

    jobs.run(lambda _report: 42, deliver, _unexpected, sentence="counting")
    qtbot.waitUntil(lambda: jobs.is_idle)
    assert seen == [(42, True)]


def test_of_two_works_of_one_name_only_the_newer_is_heard(qtbot: QtBot) -> None:
    jobs = Jobs(1)
    gate = threading.Event()
    seen: list[str] = []

    def old(_report: Report) -> str:
        gate.wait(5)
        return "old"

    jobs.run(old, seen.append, _unexpected, sentence="", name="check")
    jobs.run(lambda _report: "new", seen.append, _unexpected, sentence="", name="check")
    gate.set()
    qtbot.waitUntil(lambda: jobs.is_idle)
    jobs.wait()
    assert seen == ["new"]


def test_cancelled_work_says_so(qtbot: QtBot) -> None:
    jobs = Jobs(1)
    started = threading.Event()
    errors: list[Exception] = []

    def endless(report: Report) -> None:
        started.set()
        while True:
            report(0, 0)

    jobs.run(endless, lambda _result: None, errors.append, sentence="checking", name="check")
    assert started.wait(5)
    jobs.cancel()
    qtbot.waitUntil(lambda: bool(errors))
    assert isinstance(errors[0], Cancelled)


def test_an_error_reaches_the_one_who_asked(qtbot: QtBot) -> None:
    jobs = Jobs(1)
    errors: list[Exception] = []

    def faulty(_report: Report) -> None:
        raise ValueError("no")

    jobs.run(faulty, lambda _result: None, errors.append, sentence="")
    qtbot.waitUntil(lambda: bool(errors))
    assert str(errors[0]) == "no"
    assert jobs.is_idle


def test_one_thread_keeps_the_order(qtbot: QtBot) -> None:
    jobs = Jobs(1)
    seen: list[int] = []
    for number in range(50):
        jobs.run(lambda _report, n=number: n, seen.append, _unexpected, sentence="")  # type: ignore[misc]
    qtbot.waitUntil(lambda: jobs.is_idle)
    assert seen == list(range(50))


def test_progress_names_the_work_and_its_steps(qtbot: QtBot) -> None:
    jobs = Jobs(1)
    gate = threading.Event()

    def work(report: Report) -> None:
        gate.wait(5)

    jobs.run(work, lambda _result: None, _unexpected, sentence="checking", name="check")
    assert jobs.progress is not None
    assert jobs.progress.sentence == "checking"
    gate.set()
    qtbot.waitUntil(lambda: jobs.progress is None)


def _unexpected(error: Exception) -> None:
    raise error
