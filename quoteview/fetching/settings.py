"""The settings for asking sources that the window keeps, read without Qt, so that the command line asks in the same way.

They stand in the section `[fetching]` of the window's `settings.ini`, in the form that Qt gives to such a file: UTF-8,
values in quotes where they hold `;`, `,` or `=`, and backslash escapes. Nothing is written here, and what cannot be
understood counts as not set.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from quoteview.core.places import settings_folder
from quoteview.fetching.client import FetchSettings

_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{1,4}|.)", re.DOTALL)
_CONTROLS: Mapping[str, str] = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}


def kept_settings(file: Path | None = None) -> FetchSettings:
    """Return the fetch settings that the window keeps, the usual ones where it keeps none."""
    path = file or settings_folder() / "settings.ini"
    try:
        kept = _section(path.read_text("utf-8"), "fetching")
    except (OSError, UnicodeDecodeError):
        kept = {}
    rate = kept.get("rate", "")
    return FetchSettings(
        cookies_from_browser=kept.get("browser", ""),
        cookie_file=kept.get("cookie_file", ""),
        proxy=kept.get("proxy", ""),
        rate=int(rate) if rate.isdecimal() else 0,
    )


def _section(text: str, name: str) -> dict[str, str]:
    values: dict[str, str] = {}
    section = ""
    for line in re.split(r"\r?\n", text):
        if line.startswith("[") and line.rstrip().endswith("]"):
            section = line.strip()[1:-1]
        elif section == name and "=" in line:
            key, _, value = line.partition("=")
            values[key.strip()] = _value(value.strip(" \t"))
    return values


def _value(written: str) -> str:
    """Return what a value stands for; a text that begins with `@` is written with two, since one begins Qt's own types."""
    quoted = len(written) > 1 and written.startswith('"') and written.endswith('"')
    value = _ESCAPE.sub(_unescaped, written[1:-1] if quoted else written)
    if value.startswith("@@"):
        return value[1:]
    return "" if value.startswith("@") else value


def _unescaped(match: re.Match[str]) -> str:
    told = match[1]
    return chr(int(told[1:], 16)) if len(told) > 1 else _CONTROLS.get(told, told)
