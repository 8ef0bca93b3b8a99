"""The fetching library's age is told from its version, and a newer one is used where a person put it."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from datetime import date
from pathlib import Path

import pytest

from quoteview.fetching.client import BROWSERS
from quoteview.fetching.library import library, newest_wheel, wheel_folder


@pytest.mark.parametrize(("today", "is_old"), [(date(2026, 4, 26), False), (date(2026, 5, 3), False), (date(2026, 5, 4), True)])
def test_it_is_too_old_after_half_a_year(today: date, is_old: bool) -> None:
    assert library(today, version="2025.11.01").is_old is is_old


def test_a_version_that_is_no_date_is_not_called_old() -> None:
    assert not library(date(2030, 1, 1), version="git-abc").is_old
    assert not library(date(2030, 1, 1), version="2025.13.45").is_old


def test_how_to_replace_it_is_said_for_both_ways_of_installing() -> None:
    assert "pip install --upgrade yt-dlp" in library(is_packaged=False).remedy
    packaged = library(is_packaged=True).remedy
    assert str(wheel_folder()) in packaged
    assert ".whl" in packaged


def test_the_newest_wheel_is_chosen_and_other_files_are_not(tmp_path: Path) -> None:
    for name in ("yt_dlp-2026.9.2-py3-none-any.whl", "yt_dlp-2026.10.1-py3-none-any.whl", "yt_dlp-x.whl", "other.zip"):
        (tmp_path / name).write_bytes(b"")
    assert newest_wheel(tmp_path) == tmp_path / "yt_dlp-2026.10.1-py3-none-any.whl"
    assert newest_wheel(tmp_path / "nowhere") is None


@pytest.mark.parametrize(("version", "is_used"), [("2099.1.2", True), ("2001.1.2", False)])
def test_a_newer_wheel_is_imported_in_place_of_the_installed_library(home: Path, version: str, is_used: bool) -> None:
    folder = wheel_folder()
    folder.mkdir(parents=True)
    with zipfile.ZipFile(folder / f"yt_dlp-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr("yt_dlp/__init__.py", "")
        wheel.writestr("yt_dlp/version.py", f"__version__ = '{version}'\n")
    program = "from quoteview.fetching.library import library_version; print(library_version())"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "QUOTEVIEW_HOME": str(home)},
    )
    assert (done.stdout.strip() == version) is is_used


def test_the_browsers_offered_are_those_the_library_reads() -> None:
    from yt_dlp.cookies import SUPPORTED_BROWSERS

    assert set(BROWSERS) == set(SUPPORTED_BROWSERS)
