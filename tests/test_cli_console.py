"""Colour and progress: only where they are wanted, and never on standard output."""

from __future__ import annotations

import io
import json
import sys
import threading

import pytest

from quoteview.commands.console import Console, Style, clock


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def wait_for_timers() -> None:
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join(10)


@pytest.mark.parametrize(
    ("environment", "is_coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colour_on_a_terminal_that_wants_it(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], is_coloured: bool
) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Console().styled("word", Style.RED) == ("\x1b[31mword\x1b[0m" if is_coloured else "word")


def test_no_colour_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert Console().styled("word", Style.RED) == "word"


def test_long_work_shows_a_bar_on_a_terminal_and_removes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with Console().progress("Reading", after_s=0) as report:
        wait_for_timers()
        report(1, 2)
    assert stream.getvalue().startswith("\r\x1b[KReading …") and stream.getvalue().endswith("\r\x1b[K")


def test_long_work_shows_lines_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with Console().progress("Reading", after_s=0) as report:
        wait_for_timers()
        report(1, 2)
    assert stream.getvalue() == "Reading …\n", "the next line comes two seconds later"


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (Terminal(), io.StringIO()):
        monkeypatch.setattr(sys, "stderr", stream)
        with Console().progress("Reading", after_s=60) as report:
            report(1, 2)
        assert stream.getvalue() == ""


def test_quiet_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with Console(is_quiet=True).progress("Reading", after_s=0) as report:
        wait_for_timers()
        report(1, 2)
    assert isinstance(sys.stderr, Terminal) and sys.stderr.getvalue() == ""


def test_with_json_nothing_but_the_document_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console(is_json=True)
    console.line("for people")
    console.remark("for people")
    console.document({"text": "ä\n"})
    assert json.loads(capsys.readouterr().out) == {"text": "ä\n"}


@pytest.mark.parametrize(
    ("ms", "shown"), [(0, "0:00:00.000"), (3_723_004, "1:02:03.004"), (-1, "-0:00:00.001"), (360_000_000, "100:00:00.000")]
)
def test_clock(ms: int, shown: str) -> None:
    assert clock(ms) == shown
