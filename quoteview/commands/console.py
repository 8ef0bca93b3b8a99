"""The terminal: what goes to standard output, what to standard error, colour, and progress of long work.

With `--json` standard output holds one document and nothing else. Text from captions and drafts is
shown with its control and direction characters spelled out, so that it can't steer the terminal.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum

Report = Callable[[int, int], None]
"""What long work calls with (done, total)."""

QUIET_FOR_S = 0.5
"""Work shorter than this shows no progress."""

_UNSAFE = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), *range(127, 160))} | {
    code: f"\\u{code:04x}" for code in (0x061C, 0x200E, 0x200F, 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
}
_LINE_UNSAFE = {**_UNSAFE, 9: " ", 10: " "}


class Style(Enum):
    """A colour of the terminal; a word or sign always says the same."""

    GREEN = "32"
    RED = "31"
    YELLOW = "33"
    BOLD = "1"
    FAINT = "2"


def in_one_line(text: str) -> str:
    """Return text without line ends and with control and direction characters spelled out."""
    return text.translate(_LINE_UNSAFE)


def clock(ms: int) -> str:
    """Return milliseconds as `0:12:34.500`, negative ones with a sign."""
    sign, ms = ("-", -ms) if ms < 0 else ("", ms)
    seconds, rest = divmod(ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours}:{minutes:02}:{seconds:02}.{rest:03}"


@dataclass(frozen=True, slots=True)
class Console:
    """How this run talks: `is_json` for programs, `is_quiet` for no progress or remarks, `is_verbose` for every detail."""

    is_json: bool = False
    is_quiet: bool = False
    is_verbose: bool = False

    def line(self, text: str = "") -> None:
        """Print one line for a person; nothing with --json."""
        if not self.is_json:
            print(text)

    def remark(self, text: str) -> None:
        """Print one line for a person unless --quiet or --json."""
        if not self.is_quiet:
            self.line(text)

    def document(self, value: object) -> None:
        """Print one JSON document on one line, in UTF-8, whatever the terminal's encoding."""
        encoded = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
        sys.stdout.flush()
        sys.stdout.buffer.write(encoded + b"\n")
        sys.stdout.buffer.flush()

    def styled(self, text: str, style: Style) -> str:
        """Return text in a colour where standard output is a terminal that wants one."""
        return f"\x1b[{style.value}m{text}\x1b[0m" if wants_colour() else text

    @contextmanager
    def progress(self, what: str, *, after_s: float = QUIET_FOR_S) -> Iterator[Report]:
        """Show on standard error that work goes on, once it has taken half a second: a bar on a terminal, else lines."""
        if self.is_quiet:
            yield _ignore
            return
        shown = _Progress(what, sys.stderr.isatty(), after_s)
        try:
            yield shown.report
        finally:
            shown.close()


def wants_colour() -> bool:
    """Return whether standard output is a terminal that shows colour (NO_COLOR and TERM=dumb say no)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def complain(text: str) -> None:
    """Print one line on standard error."""
    print(f"quoteview: {in_one_line(text)}", file=sys.stderr)


def _ignore(done: int, total: int) -> None:
    """Take a progress report and show nothing."""


class _Progress:
    """One piece of long work on standard error. The timer shows that work goes on even where it reports nothing."""

    def __init__(self, what: str, is_terminal: bool, after_s: float) -> None:
        self._what = what
        self._is_terminal = is_terminal
        self._lock = threading.Lock()
        self._is_shown = False
        self._is_over = False
        self._next_s = 0.0
        self._counts = (0, 0)
        self._timer = threading.Timer(after_s, self._begin)
        self._timer.daemon = True
        self._timer.start()

    def report(self, done: int, total: int) -> None:
        self._counts = (done, total)
        if self._is_shown and time.monotonic() >= self._next_s:
            with self._lock:
                self._show()

    def close(self) -> None:
        self._timer.cancel()
        with self._lock:
            self._is_over = True
            if self._is_shown and self._is_terminal:
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _begin(self) -> None:
        with self._lock:
            if not self._is_over:
                self._is_shown = True
                self._show()

    def _show(self) -> None:
        done, total = self._counts
        if self._is_terminal:
            filled = 24 * done // total if total else 0
            bar = f" [{'#' * filled}{'.' * (24 - filled)}] {done:,} of {total:,}" if total else " …"
            print(f"\r\x1b[K{self._what}{bar}", end="", file=sys.stderr, flush=True)
            self._next_s = time.monotonic() + 0.1
        else:
            print(f"{self._what}: {done:,} of {total:,}" if total else f"{self._what} …", file=sys.stderr, flush=True)
            self._next_s = time.monotonic() + 2.0
