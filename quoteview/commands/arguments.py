"""Which commands there are and what each takes: the parser, its help, and the values that are checked while parsing."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import NoReturn

from quoteview import __version__
from quoteview.core.errors import UsageError

_EXIT_CODES = """\
exit codes:
  0  all gates are open, or the thing was done
  1  blocked: at least one gate is closed, or a re-check failed
  2  the request could not be carried out (bad usage, unreadable input, no network, disk full);
     one line on standard error names the file, the place in it and what to do
"""


EXPORT_FORMATS = ("vtt", "srt", "ass", "txt", "md", "html", "jsonld")
"""Polished copies of the transcript, then reports on a draft."""


def parsed(given: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command line; `command` names the command. Raises `UsageError` with one line for bad usage.

    `--help` and `--version` print and raise SystemExit.
    """
    return _parser().parse_args(_with_command(list(given)))


def command_names() -> tuple[str, ...]:
    """Return the commands, in the order of the help."""
    return tuple(_COMMANDS)


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
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser, title="commands")
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


def _describe_open(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a job, a draft, or caption files (a new job is proposed)")
    _add_picture_options(parser)


def _describe_demo(parser: argparse.ArgumentParser) -> None:
    _add_picture_options(parser)


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
    _add_end_mark(parser, default="")


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
    parser.add_argument("--job", metavar="JOB", required=True, help="the folder to make; with --media also a job of that URL")
    parser.add_argument(
        "--media",
        choices=("audio", "video"),
        help="fetch the recording too, as one small file; after a break the same command goes on where it stopped",
    )
    parser.add_argument(
        "--media-limit", metavar="MB", type=_megabytes, default=2000, help="the largest recording to fetch (2000)"
    )
    parser.add_argument("--translated", metavar="LANG", nargs="+", default=[], help="machine translations to fetch as well")
    asking = parser.add_argument_group("how the source is asked (else as the window's settings say; none stands in the job)")
    asking.add_argument("--cookies", metavar="FILE", help="a cookies file in Netscape's form; it is read and never written")
    asking.add_argument(
        "--cookies-from-browser", metavar="BROWSER", help="the browser whose cookies are sent, for instance firefox"
    )
    asking.add_argument("--proxy", metavar="URL", help="for instance socks5://127.0.0.1:1080; empty for none")
    asking.add_argument(
        "--limit-rate", metavar="RATE", type=_rate, help="bytes a second, for instance 500K or 2M; 0 for no limit"
    )


def _describe_add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="the job's folder")
    parser.add_argument("files", metavar="FILE", nargs="*", help="drafts, or caption files (told apart by their content)")
    _add_captions(parser, required=False)
    _add_end_mark(parser, default=None)


def _add_end_mark(parser: argparse.ArgumentParser, *, default: str | None) -> None:
    words = "what every draft must end in, for instance “###”: one without it looks cut off; “” asks for none"
    parser.add_argument("--end-mark", metavar="TEXT", default=default, help=words)


def _describe_cues(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="FILE|JOB", help="a caption file, or a job's folder")
    parser.add_argument("--track", metavar="ID", help="which track of the job (else its reference)")


def _describe_tracks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="the job's folder")


def _describe_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("jobs", metavar="JOB", nargs="*", help="jobs' folders; with --json one document a line")
    _add_captions(parser, required=False)
    parser.add_argument("--draft", metavar="FILE", action="append", default=[], help="the draft (of a job: only this one)")
    parser.add_argument("--tolerance", metavar="SECONDS", type=_tolerance, help="how far a claimed time may be off; at most 2")
    parser.add_argument("--source", metavar="URL", help="the recording that links in the draft are held against")
    parser.add_argument("--reference", metavar="TRACK", help="check against this track instead of the one the rule chooses")
    parser.add_argument("--junit", metavar="FILE", help="also write the result as JUnit XML")
    parser.add_argument("--sarif", metavar="FILE", help="also write the result as SARIF 2.1.0")


def _describe_label(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="the job's folder")
    parser.add_argument("--draft", metavar="FILE", help="which draft, where the job has several")
    parser.add_argument("--by", metavar="NAME", required=True, help="who issues the label")
    parser.add_argument("--sign-with", metavar="KEY", help="a private ssh key; without it the label is unsigned")


def _describe_recheck(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bundle", metavar="BUNDLE", help="the bundle's folder")


def _describe_selftest(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="the job's folder")
    parser.add_argument("--seed", metavar="N", type=int, help="draw the places with this seed")


def _describe_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="the job's folder")
    parser.add_argument("--format", choices=EXPORT_FORMATS, required=True, help="what to make")
    parser.add_argument("--track", metavar="ID", help="which track (else the reference)")
    parser.add_argument("--draft", metavar="FILE", help="which draft, for html and jsonld (every gate must be open)")
    parser.add_argument("--by", metavar="NAME", help="who makes the report (else the user's name)")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it (else standard output)")


def _tolerance(text: str) -> int:
    """Return seconds as whole milliseconds, from 0 to 2,000; in decimal, since 8.3 − 6.3 > 2 in floats."""
    try:
        ms = Decimal(text.replace(",", ".")) * 1000
    except InvalidOperation:
        raise argparse.ArgumentTypeError(f"“{text}” is no number of seconds, for instance 1.5") from None
    if not ms.is_finite() or not 0 <= ms <= 2000 or ms != int(ms):
        raise argparse.ArgumentTypeError(f"“{text}” must be between 0 and 2 seconds, in whole milliseconds")
    return int(ms)


def _megabytes(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 0 < int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"“{text}” is no number of megabytes, for instance 2000")
    return int(text)


def _rate(text: str) -> int:
    """Return bytes a second: K and M count 1024, as the fetching library has it."""
    units = {"": 1, "k": 1024, "m": 1024**2}
    number, unit = (text[:-1], text[-1:].lower()) if text[-1:].lower() in ("k", "m") else (text, "")
    if not number.isascii() or not number.isdecimal() or len(number) > 12:
        raise argparse.ArgumentTypeError(f"“{text}” is no rate, for instance 500K or 2M")
    return int(number) * units[unit]


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
