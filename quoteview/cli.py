"""The command line: which commands and options there are, and the one place where every error becomes one line.

A command's own module is imported only when it is asked for, so that a check starts as fast as Python
does. Nothing here or below imports Qt, but for the function that opens the window.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from quoteview import __version__
from quoteview.commands.console import Console, complain
from quoteview.core.errors import QuoteviewError, UsageError

if TYPE_CHECKING:
    from quoteview.commands.window import View

DONE, BLOCKED, FAILED = 0, 1, 2
"""Exit codes: done or all gates open; at least one gate closed; the request could not be carried out."""

STOPPED, NO_READER = 130, 141
"""What a shell expects of a program that Ctrl-C or a closed pipe ended (128 plus the signal's number)."""

_EXIT_CODES = """\
exit codes:
  0  all gates are open, or the thing was done
  1  blocked: at least one gate is closed, or a re-check failed
  2  the request could not be carried out (bad usage, unreadable input, no network, disk full);
     one line on standard error names the file, the place in it and what to do
"""


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


def command_names() -> tuple[str, ...]:
    """Return the commands, in the order of the help."""
    return tuple(_COMMANDS)


def _run(given: list[str]) -> int:
    options = _parser().parse_args(_with_command(given))
    console = Console(is_json=options.json, is_quiet=options.quiet, is_verbose=options.verbose)
    run: Callable[[Console, argparse.Namespace], int] = options.run
    return run(console, options)


def _with_command(given: list[str]) -> list[str]:
    """Put `open` before the first word where that is no command: a bare `quoteview` and `quoteview PATH` open the window."""
    if any(word in ("-h", "--help", "--version") for word in given[:1]):
        return given
    first = next((word for word in given if not word.startswith("-")), None)
    return given if first in _COMMANDS else ["open", *given]


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line and where to read more."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}. See {self.prog} --help.")


def _parser() -> argparse.ArgumentParser:
    top = _Parser(
        prog="quoteview",
        description="Proves every quotation of a draft against the locked captions of its recording.",
        epilog="Without a command, quoteview opens the window: quoteview [PATH …] takes a job, a draft or caption files.\n\n"
        + _EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_common(top, is_top=True)
    commands = top.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser, title="commands")
    for name, (summary, describe) in _COMMANDS.items():
        parser = commands.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            epilog=_EXIT_CODES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        _add_common(parser, is_top=False)
        describe(parser)
    return top


def _add_common(parser: argparse.ArgumentParser, *, is_top: bool) -> None:
    """The options common to all may stand before the command or after it."""
    unset: object = False if is_top else argparse.SUPPRESS
    common = parser.add_argument_group("common options") if not is_top else parser
    common.add_argument("--json", action="store_true", default=unset, help="one JSON document on standard output, nothing else")
    common.add_argument("-q", "--quiet", action="store_true", default=unset, help="no progress and no remarks")
    common.add_argument("-v", "--verbose", action="store_true", default=unset, help="every detail")
    common.add_argument("--version", action="version", version=f"quoteview {__version__}")


# -- what each command takes, and the function that carries it out --------------------------


def _describe_open(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a job, a draft, or caption files (a new job is proposed)")
    _add_picture_options(parser)
    parser.set_defaults(run=_open)


def _describe_demo(parser: argparse.ArgumentParser) -> None:
    _add_picture_options(parser)
    parser.set_defaults(run=_demo)


def _add_picture_options(parser: argparse.ArgumentParser) -> None:
    picture = parser.add_argument_group("picture instead of a window (works without a display)")
    picture.add_argument("--screenshot", metavar="FILE", type=Path, help="write a picture when everything is painted, then end")
    picture.add_argument("--size", metavar="WxH", type=_size, help="logical pixels, for instance 1440x900")
    picture.add_argument("--scale", metavar="N", type=_scale, help="device pixels for each logical one, for instance 2")
    picture.add_argument("--theme", choices=("light", "dark"), help="the palette; else the system's")
    picture.add_argument("--claim", metavar="N", type=int, help="select this claim")


def _describe_new(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="the folder to make, for instance interview.quoteview")
    _add_captions(parser, required=True)
    parser.add_argument("--draft", metavar="FILE", action="append", default=[], help="a draft; may be given several times")
    parser.add_argument("--media", metavar="FILE", help="the recording's audio or video")
    parser.add_argument("--source", metavar="URL", default="", help="the recording's address")
    parser.add_argument("--title", metavar="T", default="", help="what the job is called")
    parser.set_defaults(run=_new)


def _add_captions(parser: argparse.ArgumentParser, *, required: bool) -> None:
    parser.add_argument(
        "--captions",
        metavar="FILE[,origin=…][,language=…][,encoding=…]",
        action="append",
        default=[],
        required=required,
        help="a caption file; origin is human, automatic, translated or unknown; may be given several times",
    )


def _describe_fetch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("url", metavar="URL", help="the recording's address")
    parser.add_argument("--job", metavar="JOB", required=True, help="the folder to make")
    parser.add_argument("--media", choices=("audio", "video"), help="fetch the recording too")
    parser.add_argument("--translated", metavar="LANG", nargs="+", default=[], help="machine translations to fetch as well")
    parser.set_defaults(run=_fetch)


def _describe_add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="the job's folder")
    parser.add_argument("files", metavar="FILE", nargs="*", help="drafts, or caption files (told apart by their content)")
    _add_captions(parser, required=False)
    parser.set_defaults(run=_add)


def _describe_cues(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="FILE|JOB", help="a caption file, or a job's folder")
    parser.add_argument("--track", metavar="ID", help="which track of the job (else its reference)")
    parser.set_defaults(run=_cues)


def _describe_tracks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="the job's folder")
    parser.set_defaults(run=_tracks)


def _describe_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("jobs", metavar="JOB", nargs="*", help="jobs' folders; with --json one document a line")
    _add_captions(parser, required=False)
    parser.add_argument("--draft", metavar="FILE", action="append", default=[], help="the draft (of a job: only this one)")
    parser.add_argument("--tolerance", metavar="SECONDS", type=_tolerance, help="how far a claimed time may be off; at most 2")
    parser.add_argument("--source", metavar="URL", help="the recording that links in the draft are held against")
    parser.add_argument("--reference", metavar="TRACK", help="check against this track instead of the one the rule chooses")
    parser.add_argument("--junit", metavar="FILE", help="also write the result as JUnit XML")
    parser.add_argument("--sarif", metavar="FILE", help="also write the result as SARIF 2.1.0")
    parser.set_defaults(run=_check)


def _describe_label(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="the job's folder")
    parser.add_argument("--draft", metavar="FILE", help="which draft, where the job has several")
    parser.add_argument("--by", metavar="NAME", required=True, help="who issues the label")
    parser.set_defaults(run=_label)


def _describe_recheck(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bundle", metavar="BUNDLE", help="the bundle's folder, or a zip of it")
    parser.set_defaults(run=_recheck)


def _describe_selftest(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="the job's folder")
    parser.add_argument("--seed", metavar="N", type=int, help="draw the places with this seed")
    parser.set_defaults(run=_selftest)


def _describe_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="the job's folder")
    parser.add_argument("--format", choices=EXPORT_FORMATS, required=True, help="what to make")
    parser.add_argument("--track", metavar="ID", help="which track (else the reference)")
    parser.add_argument("--draft", metavar="FILE", help="which draft, for html and jsonld")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it (else standard output)")
    parser.set_defaults(run=_export)


EXPORT_FORMATS = ("vtt", "srt", "ass", "txt", "md", "html", "jsonld")
"""Polished copies of the transcript, then reports on a draft."""

_COMMANDS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "new": ("make a job from local files and lock them", _describe_new),
    "fetch": ("inventory and fetch a recording's tracks, and lock them", _describe_fetch),
    "add": ("add drafts or further tracks to a job", _describe_add),
    "tracks": ("show a job's inventory and why the reference is the reference", _describe_tracks),
    "cues": ("show the cues of a caption file as read, then the ledger of its bytes", _describe_cues),
    "check": ("check every quotation and every gate, of jobs or of files", _describe_check),
    "label": ("write the statement and the bundle if every gate is open", _describe_label),
    "recheck": ("check a bundle again from its bytes", _describe_recheck),
    "selftest": ("plant changes in copies of a job and show what caught each", _describe_selftest),
    "export": ("write a polished copy of the transcript, or a report", _describe_export),
    "demo": ("open the window on a copy of the sample job", _describe_demo),
    "open": ("open the window", _describe_open),
}


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
    )


def _fetch(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import fetch

    return fetch.fetch(console, options.url, options.job, media=options.media, translated=options.translated)


def _add(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import jobs

    return jobs.add(console, options.job, options.files, options.captions)


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

    return label.label(console, options.job, options.draft, options.by)


def _recheck(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import label

    return label.recheck(console, options.bundle)


def _selftest(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import selftest

    return selftest.selftest(console, options.job, options.seed)


def _export(console: Console, options: argparse.Namespace) -> int:
    from quoteview.commands import export

    return export.export(console, options.job, options.format, options.track, options.draft, options.output)


# -- values ----------------------------------------------------------------------------------


def _tolerance(text: str) -> int:
    """Return seconds as whole milliseconds, from 0 to 2,000; in decimal, since 8.3 − 6.3 > 2 in floats."""
    try:
        ms = Decimal(text.replace(",", ".")) * 1000
    except InvalidOperation:
        raise argparse.ArgumentTypeError(f"“{text}” is no number of seconds, for instance 1.5") from None
    if not ms.is_finite() or not 0 <= ms <= 2000 or ms != int(ms):
        raise argparse.ArgumentTypeError(f"“{text}” must be between 0 and 2 seconds, in whole milliseconds")
    return int(ms)


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal() and 0 < int(width) <= 10_000 and 0 < int(height) <= 10_000):
        raise argparse.ArgumentTypeError(f"“{text}” is no size, for instance 1440x900")
    return int(width), int(height)


def _scale(text: str) -> float:
    try:
        scale = float(text)
    except ValueError:
        scale = 0.0
    if not 0.5 <= scale <= 4:
        raise argparse.ArgumentTypeError(f"“{text}” is no scale between 0.5 and 4")
    return scale


# -- streams and what nobody expected --------------------------------------------------------


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
