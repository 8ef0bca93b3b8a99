"""The fetching library's own age, and the way to a newer one.

Sites change every few weeks, and a yt-dlp that is half a year old fails on many of them. Where quoteview was installed
with pip, yt-dlp is a package like any other. A packaged program carries its own; a newer one is put beside the
settings as the wheel that its makers publish (`yt_dlp-….whl`), and is then used in its place.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from quoteview.core.places import settings_folder

OLD_AFTER_DAYS = 183
"""About half a year."""

_WHEEL = re.compile(r"yt_dlp-(\d{4})\.(\d{1,2})\.(\d{1,2})[^-]*-py3-none-any\.whl")


@dataclass(frozen=True, slots=True)
class Library:
    """The library in use: its version, its age in days (None where the version is no date), and how to replace it."""

    version: str
    age_days: int | None
    remedy: str

    @property
    def is_old(self) -> bool:
        """Whether it is so old that sites will have changed under it."""
        return self.age_days is not None and self.age_days > OLD_AFTER_DAYS


def library(today: date | None = None, *, version: str = "", is_packaged: bool | None = None) -> Library:
    """Return what is known of the fetching library; the arguments stand for this day and this program unless given."""
    told = version or library_version()
    made = re.match(r"(\d{4})\.(\d{1,2})\.(\d{1,2})", told)
    try:
        age = ((today or date.today()) - date(*map(int, made.groups()))).days if made else None
    except ValueError:
        age = None
    packaged = bool(getattr(sys, "frozen", False)) if is_packaged is None else is_packaged
    return Library(told, age, replacing(is_packaged=packaged))


def library_version() -> str:
    """Return the version of yt-dlp in use."""
    use_newest()
    from yt_dlp.version import __version__

    return __version__


def replacing(*, is_packaged: bool) -> str:
    """Return in words how to put a newer yt-dlp in the place of this one."""
    if is_packaged:
        return (
            "open https://pypi.org/project/yt-dlp/#files in a browser, download the file whose name ends in .whl, "
            f"put it as it is into the folder {wheel_folder()} (make that folder if it is not there), and start quoteview again."
        )
    return f"run “{Path(sys.executable).name} -m pip install --upgrade yt-dlp” in a terminal, and start quoteview again."


def wheel_folder() -> Path:
    """Return where a person puts the wheel of a newer yt-dlp; it need not exist."""
    return settings_folder() / "yt-dlp"


def use_newest() -> None:
    """Let the newest wheel in `wheel_folder` be the yt-dlp that is imported, unless one was imported already.

    A wheel is an archive that Python imports from as it is. One that is older than what is installed stays unused.
    """
    if "yt_dlp" in sys.modules:
        return
    found = newest_wheel(wheel_folder())
    if found is not None and str(found) not in sys.path and _date_of(found) > _installed_date():
        sys.path.insert(0, str(found))


def newest_wheel(folder: Path) -> Path | None:
    """Return the newest of yt-dlp's wheels in a folder, None where there is none."""
    wheels = [path for path in folder.glob("yt_dlp-*.whl") if _WHEEL.fullmatch(path.name)] if folder.is_dir() else []
    return max(wheels, key=_date_of, default=None)


def _date_of(wheel: Path) -> tuple[int, int, int]:
    year, month, day = _WHEEL.fullmatch(wheel.name).groups()  # type: ignore[union-attr]  # only wheels of this name come here
    return int(year), int(month), int(day)


def _installed_date() -> tuple[int, ...]:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return tuple(int(part) for part in version("yt-dlp").split(".")[:3] if part.isdecimal())
    except PackageNotFoundError:
        return ()
