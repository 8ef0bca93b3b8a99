"""The command line: from the options to the command, and the one place where every error becomes one line.

A command's own module is imported only when it is asked for, so that a check starts as fast as Python
does. Nothing here or below imports Qt, but for the function that opens the window.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from quoteview import __version__
from quoteview.commands.arguments import command_names, parsed
from quoteview.commands.console import Console, complain
from quoteview.core.errors import QuoteviewError

if TYPE_CHECKING:
    from quoteview.commands.window import View

DONE, BLOCKED, FAILED = 0, 1, 2
"""Exit codes: done or all gates open; at least one gate closed; the request could not be carried out."""

STOPPED, NO_READER = 130, 141
"""What a shell expects of a program that Ctrl-C or a closed pipe ended (128 plus the signal's number)."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Errors end as one line on standard error, never as a traceback."""
    _prepare_streams()
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _run(given)
        sys.stdout.flush()
        return code
    except QuoteviewError as error:
        complain(str(error))
        return FAILED
    except BrokenPipeError:
        _leave_standard_output()
        return NO_READER
    except KeyboardInterrupt:
        complain("stopped. Nothing that was not finished has been kept.")
        return STOPPED
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else FAILED
    except OSError as error:
        _leave_standard_output()
        where = f"{error.filename}: " if error.filename else ""
        complain(f"{where}{error.strerror or error}. Check the disk and the permissions, then try again.")
        return FAILED
    except Exception as error:
        return _unexpected(error)


def _run(given: list[str]) -> int:
    options = parsed(given)
    console = Console(is_json=options.json, is_quiet=options.quiet, is_verbose=options.verbose)
    commands = {
        "open": _open,
        "demo": _demo,
        "new": _new,
        "fetch": _fetch,
        "add": _add,
        "cues": _cues,
        "tracks": _tracks,
        "check": _check,
        "label": _label,
        "recheck": _recheck,
        "selftest": _selftest,
        "export": _export,
    }
    return commands[options.command](console, options)


def _open(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import window

    return window.open_paths(options.paths, _view(options), command_names())


def _demo(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import window

    return window.demo(_view(options))


def _view(options: argparse.Namespace) -> View:
    from quoteview.commands.window import View

    return View(options.screenshot, options.size, options.theme, options.claim, options.scale)


def _new(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import jobs

    return jobs.new(
        console,
        options.job,
        captions=options.captions,
        drafts=options.draft,
        media=options.media,
        source=options.source,
        title=options.title,
        end_mark=options.end_mark,
    )


def _fetch(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import fetch

    settings = fetch.settings_of(
        cookies=options.cookies,
        cookies_from_browser=options.cookies_from_browser,
        proxy=options.proxy,
        rate=options.limit_rate,
    )
    return fetch.fetch(
        console,
        options.url,
        options.job,
        settings,
        media=options.media,
        media_limit=options.media_limit * 1_000_000,
        translated=options.translated,
    )


def _add(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import jobs

    return jobs.add(console, options.job, options.files, options.captions, end_mark=options.end_mark)


def _cues(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import cues

    return cues.cues(console, options.target, options.track)


def _tracks(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import tracks

    return tracks.tracks(console, options.job)


def _check(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import check

    return check.check(
        console,
        check.Request(
            jobs=tuple(options.jobs),
            captions=tuple(options.captions),
            drafts=tuple(options.draft),
            tolerance_ms=options.tolerance,
            source=options.source,
            reference=options.reference,
            junit=options.junit,
            sarif=options.sarif,
        ),
    )


def _label(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import label

    return label.label(console, options.job, options.draft, options.by, options.sign_with)


def _recheck(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import label

    return label.recheck(console, options.bundle)


def _selftest(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import selftest

    return selftest.selftest(console, options.job, options.seed)


def _export(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import export

    return export.export(console, options.job, options.format, options.track, options.draft, options.by, options.output)


# -- streams and what nobody expected ---------------------------------------------------------


def _prepare_streams() -> None:
    """Let every character be printed: UTF-8 into files and pipes, and escapes where a terminal can't show one."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def _leave_standard_output() -> None:
    """Point standard output nowhere, so that Python's own flush at the end does not complain a second time."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _unexpected(error: Exception) -> int:
    """Write the traceback to the log, name the log in one line, and return the exit code."""
    import traceback

    from quoteview.core.places import log_file

    path = log_file()
    details = "".join(traceback.format_exception(error))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", errors="backslashreplace") as log:
            log.write(f"quoteview {__version__}\n{details}\n")
        place = f"The details are in {path}; please report them"
    except OSError:
        place = f"The details could not be written to {path}"
    complain(f"an error that quoteview did not expect: {type(error).__name__}: {error}. {place}.")
    return FAILED
