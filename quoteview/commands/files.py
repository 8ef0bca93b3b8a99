"""Files that a person names: the `--captions` argument, and reading bytes with a sentence for everything that can go wrong."""

from __future__ import annotations

import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from quoteview.core.captions.reading import LARGEST_FILE
from quoteview.core.captions.track import Origin
from quoteview.core.errors import StoreError, UsageError
from quoteview.core.importing import CaptionFile

LARGEST_DRAFT = 64 * 1024 * 1024
"""A novel has about 1 MB; anything above this is not a draft."""

_OPTION = re.compile(r",([A-Za-z_]+)=([^,]*)\Z")
_KEYS = ("origin", "language", "encoding")


@dataclass(frozen=True, slots=True)
class CaptionsArgument:
    """A caption file as named on the command line; `origin` and `encoding` None and `language` "" where not said."""

    path: Path
    origin: Origin | None
    language: str
    encoding: str | None


def captions_argument(text: str) -> CaptionsArgument:
    """Return `FILE[,origin=…][,language=…][,encoding=…]` taken apart. A comma in the file's name is part of it.

    Options are taken from the right while they are ones that exist; a file that exists under the whole text is that file.
    """
    options: dict[str, str] = {}
    rest = text
    while (found := _OPTION.search(rest)) and not Path(rest).is_file():
        key = found[1].lower()
        if key not in _KEYS:
            raise UsageError(
                f"--captions {text}: there is no option “{found[1]}”. After the file come origin=…, language=… or encoding=…."
            )
        if key in options:
            raise UsageError(f"--captions {text}: “{key}” is given twice. Leave one of them out.")
        options[key] = found[2]
        rest = rest[: found.start()]
    if not rest:
        raise UsageError(f"--captions {text}: no file is named. Put the file first: FILE,origin=human,language=en.")
    return CaptionsArgument(
        Path(rest),
        _origin(options["origin"], text) if "origin" in options else None,
        options.get("language", ""),
        options.get("encoding") or None,
    )


def caption_files(arguments: Sequence[str]) -> list[CaptionFile]:
    """Return the files that `--captions` arguments name, with their bytes; their names are the paths as given."""
    wanted = [captions_argument(text) for text in arguments]
    return [CaptionFile(str(each.path), read_captions(each.path), each.origin, each.language, each.encoding) for each in wanted]


def read_captions(path: Path) -> bytes:
    """Return the bytes of a caption file, or raise `StoreError` that says why not. A file far too large is not read."""
    return _read(path, LARGEST_FILE, "more than any caption track", "Choose the caption file itself; media goes in with --media.")


def read_draft(path: Path) -> bytes:
    """Return the bytes of a draft, or raise `StoreError` that says why not."""
    return _read(path, LARGEST_DRAFT, "more than any draft", "Choose the draft's own file.")


def _read(path: Path, limit: int, complaint: str, remedy: str) -> bytes:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise StoreError(str(path), "this is a folder, not a file", remedy="Name the file in it.")
        if status.st_size > limit:
            raise StoreError(str(path), f"the file has {status.st_size:,} bytes, {complaint} ({limit:,})", remedy=remedy)
        with path.open("rb") as file:
            content = file.read(limit + 1)
    except FileNotFoundError:
        raise StoreError(str(path), "there is no such file", remedy="Check the name and the folder.") from None
    except PermissionError:
        raise StoreError(str(path), "the file may not be read", remedy="Change its permissions or choose a copy.") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError(str(path), f"the file can't be read ({reason})", remedy="Choose a copy on another disk.") from error
    except ValueError as error:
        raise StoreError(repr(str(path)), f"this is no file name ({error})", remedy="Check the name.") from error
    if len(content) > limit:
        raise StoreError(str(path), f"the file has more than {limit:,} bytes, {complaint}", remedy=remedy)
    return content


def _origin(word: str, text: str) -> Origin:
    try:
        return Origin(word.lower())
    except ValueError:
        raise UsageError(
            f"--captions {text}: “{word}” is no origin. Use one of {', '.join(origin.value for origin in Origin)}."
        ) from None
