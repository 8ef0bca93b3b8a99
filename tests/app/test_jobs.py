from __future__ import annotations

import threading
from functools import partial

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


def test_a_result_that_nobody_wants_any_more_is_let_go_of_and_the_next_work_of_its_name_waits_for_that(qtbot: QtBot) -> None:
    jobs = Jobs(2)
    gate = threading.Event()
    said: list[str] = []
    delivered: list[str] = []

    def takes(what: str, report: Report) -> str:
        said.append(f"took {what}")
        if what == "first":
            gate.wait(5)
        return what

    def let_go(what: str) -> None:
        said.append(f"let go of {what}")

    for what in ("first", "second", "third"):
        work = partial(takes, what)
        jobs.run(work, delivered.append, _unexpected, sentence="", name="open", let_go=let_go)
        if what == "first":
            qtbot.waitUntil(lambda: said == ["took first"])
    gate.set()
    qtbot.waitUntil(lambda: jobs.is_idle)
    jobs.wait()
    assert said == ["took first", "let go of first", "took third"]
    assert delivered == ["third"]


def test_work_that_fails_makes_way_for_the_next_of_its_name(qtbot: QtBot) -> None:
    jobs = Jobs(2)
    gate = threading.Event()
    delivered: list[str] = []

    def fails(_report: Report) -> str:
        gate.wait(5)
        raise ValueError("no")

    jobs.run(fails, delivered.append, _unexpected, sentence="", name="open", let_go=delivered.append)
    jobs.run(lambda _report: "next", delivered.append, _unexpected, sentence="", name="open", let_go=delivered.append)
    gate.set()
    qtbot.waitUntil(lambda: jobs.is_idle)
    assert delivered == ["next"]


def test_stopping_lets_go_of_what_was_not_delivered_yet(qtbot: QtBot) -> None:
    jobs = Jobs(1)
    done = threading.Event()
    let_go: list[str] = []

    def takes(_report: Report) -> str:
        done.set()
        return "lock"

    jobs.run(takes, _unexpected_result, _unexpected, sentence="", name="open", let_go=let_go.append)
    assert done.wait(5)
    jobs.stop()
    assert let_go == ["lock"]
    qtbot.wait(20)
    assert let_go == ["lock"]


def test_work_after_painting_begins_when_the_event_loop_comes_round_in_order_and_at_the_latest_when_waited_for(
    qtbot: QtBot,
) -> None:
    jobs = Jobs(1, after_painting=True)
    begun: list[int] = []
    for number in range(3):
        jobs.run(lambda _report, n=number: begun.append(n), lambda _none: None, _unexpected, sentence="")  # type: ignore[misc]
    assert begun == []
    assert not jobs.is_idle
    qtbot.waitUntil(lambda: jobs.is_idle)
    assert begun == [0, 1, 2]
    jobs.run(lambda _report: begun.append(3), lambda _none: None, _unexpected, sentence="")
    jobs.wait()
    assert begun == [0, 1, 2, 3]


def _unexpected_result(_result: object) -> None:
    raise AssertionError


def _unexpected(error: Exception) -> None:
    raise error
