from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray

from quoteview.app.library import recent_jobs
from quoteview.app.settings import MOST_RECENT, Settings
from quoteview.app.states import Counts


def test_what_is_kept_comes_back_in_its_own_type(tmp_path: Path) -> None:
    file = tmp_path / "settings.ini"
    settings = Settings(file)
    settings.reviewer = "Ada, Zoë; 100 %"
    settings.text_percent = 130
    settings.shows_all_ribbons = False
    settings.set_geometry("window", QByteArray(b"\x00\x01\xff"))
    settings.set_keys("play", "Ctrl+P")
    settings.set_keys("label", "")
    settings.flush()
    again = Settings(file)
    assert (again.reviewer, again.text_percent, again.shows_all_ribbons) == ("Ada, Zoë; 100 %", 130, False)
    assert again.geometry("window").data() == b"\x00\x01\xff"
    assert (again.keys("play"), again.keys("label"), again.keys("undo")) == ("Ctrl+P", "", None)


def test_a_nonsensical_value_counts_as_not_set(tmp_path: Path) -> None:
    file = tmp_path / "settings.ini"
    file.write_text("[window]\ntext_percent=huge\n", encoding="utf-8")
    assert Settings(file).text_percent == 100


def test_the_latest_job_stands_first_and_once(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.ini")
    for number in range(MOST_RECENT + 3):
        settings.remember_job(tmp_path / f"job {number}, ü.quoteview")
    settings.remember_job(tmp_path / "job 5, ü.quoteview")
    recent = settings.recent_jobs
    assert recent[0] == tmp_path / "job 5, ü.quoteview"
    assert len(recent) == len(set(recent)) == MOST_RECENT


def test_the_start_page_shows_what_was_seen_last(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.ini")
    folder = tmp_path / "a.quoteview"
    settings.remember_job(folder)
    assert recent_jobs(settings)[0].title == "a"
    settings.remember_seen(folder, "Ocean | survey", Counts(18, 4, 2, 0, 0))
    assert recent_jobs(settings)[0] == (folder, "Ocean | survey", Counts(18, 4, 2, 0, 0))
