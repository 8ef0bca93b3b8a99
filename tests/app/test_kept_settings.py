"""What the window keeps for asking sources is what the command line reads without Qt, whatever characters stand in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as some

from quoteview.app.settings import Settings
from quoteview.fetching.client import FetchSettings
from quoteview.fetching.settings import kept_settings


def round_trip(chosen: FetchSettings, file: Path) -> FetchSettings:
    file.unlink(missing_ok=True)
    settings = Settings(file)
    settings.fetching = chosen
    settings.theme = "dark"
    settings.flush()
    return kept_settings(file)


@pytest.mark.parametrize(
    "chosen",
    [
        FetchSettings(),
        FetchSettings(cookies_from_browser="firefox", rate=500_000),
        FetchSettings(cookie_file=r"C:\Users\Jane\cookies, new; old=1.txt"),
        FetchSettings(cookie_file="/home/zoë/クッキー “x”.txt", proxy='socks5://a:b"c@127.0.0.1:1080'),
        FetchSettings(cookie_file="@home/x", proxy=" http://a "),
        FetchSettings(cookie_file="/tmp/\x01a\x7fb\t\n.txt"),
    ],
)
def test_the_command_line_reads_what_the_window_keeps(tmp_path: Path, chosen: FetchSettings) -> None:
    assert round_trip(chosen, tmp_path / "settings.ini") == chosen


@hypothesis_settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(some.text(some.characters(min_codepoint=1, exclude_categories=["Cs"]), max_size=12))
def test_any_name_of_a_file_is_read_as_it_was_kept(tmp_path: Path, name: str) -> None:
    assert round_trip(FetchSettings(cookie_file=name), tmp_path / "settings.ini").cookie_file == name


def test_without_settings_or_with_broken_ones_the_usual_ones_hold(tmp_path: Path) -> None:
    file = tmp_path / "settings.ini"
    assert kept_settings(file) == FetchSettings()
    file.write_bytes(b"\xff\xfe[fetching]\nproxy=x\n")
    assert kept_settings(file) == FetchSettings()
    file.write_text("[fetching]\nrate=fast\nproxy\n[other]\nproxy=y\n")
    assert kept_settings(file) == FetchSettings()
