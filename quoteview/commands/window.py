"""`quoteview [PATH …]`, `open` and `demo`: the only place of the command line that imports Qt, and only when asked."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from quoteview.core.errors import UsageError

_LIBRARIES = "libgl1 libegl1 libxkbcommon0 libglib2.0-0 libfontconfig1 libdbus-1-3 libpulse0 libxcb-cursor0 libxkbcommon-x11-0"


@dataclass(frozen=True, slots=True)
class View:
    """How the window comes up. `screenshot` None shows it; `size` is in logical pixels; `claim` counts from 1."""

    screenshot: Path | None
    size: tuple[int, int] | None
    theme: str | None
    claim: int | None
    scale: float | None


def open_paths(paths: Sequence[str], view: View, commands: Sequence[str]) -> int:
    """Open the window on paths and return its exit code. A word that is neither a path nor a command is refused."""
    for path in paths:
        if not Path(path).exists():
            raise UsageError(
                f"{path}: there is no such file, and no command of that name. "
                f"Commands are {', '.join(commands)}; see quoteview --help."
            )
    with _explained(view):
        from quoteview.ui.application import run
    return run(
        [Path(path) for path in paths],
        screenshot=view.screenshot,
        size=view.size,
        theme=view.theme,
        claim=view.claim,
        scale=view.scale,
    )


def demo(view: View) -> int:
    """Open the window on a copy of the sample job and return its exit code."""
    with _explained(view):
        from quoteview.ui.application import demo as show
    return show(screenshot=view.screenshot, size=view.size, theme=view.theme, claim=view.claim, scale=view.scale)


@contextmanager
def _explained(view: View) -> Iterator[None]:
    """Say what the window lacks where it can't be imported: a display, PySide6, or one of the system's libraries."""
    if view.screenshot is None and not _has_display():
        raise UsageError(
            "there is no display to open a window on. Use quoteview check for verdicts, or --screenshot FILE for a picture."
        )
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("PySide6", "shiboken6"):
            raise
        raise UsageError("the window needs PySide6, which is not installed. Install it: pip install quoteview.") from error
    except ImportError as error:
        if "quoteview" in (error.name or ""):
            raise
        raise UsageError(
            f"the window can't start: {error}. Install what Qt needs, on Debian: sudo apt-get install {_LIBRARIES}."
        ) from error


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
