from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from quoteview.app.settings import Settings
from quoteview.app.states import Counts
from quoteview.core.sample import create_sample_job
from quoteview.ui.elided import ElidedButton
from quoteview.ui.start_page import CountsBar, StartPage
from quoteview.ui.theme import Theme, ThemeKind


def button(page: StartPage, text: str) -> QPushButton:
    named = [found for found in page.findChildren(QPushButton) if found.text() == text]
    return next((found for found in named if found.isVisible()), named[0])


def test_a_recent_job_opens_by_its_title_and_shows_what_was_seen(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.ini")
    folder = tmp_path / "ocean.quoteview"
    settings.remember_job(folder)
    settings.remember_seen(folder, "Ocean & survey", Counts(18, 4, 2, 0, 0))
    page = StartPage(settings, Theme(ThemeKind.LIGHT))
    qtbot.addWidget(page)
    bar = page.findChild(CountsBar)
    assert bar is not None
    assert bar.accessibleName() == "18 exact, 2 set aside, 4 to do"
    with qtbot.waitSignal(page.job_chosen) as chosen:
        QTest.mouseClick(button(page, "Ocean && survey"), Qt.MouseButton.LeftButton)
    assert chosen.args == [folder]


def test_a_job_never_opened_shows_no_counts(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.ini")
    settings.remember_job(tmp_path / "ocean.quoteview")
    page = StartPage(settings, Theme(ThemeKind.LIGHT))
    qtbot.addWidget(page)
    assert page.findChild(CountsBar) is None


def test_the_three_lines_lead_to_their_actions(qtbot: QtBot, tmp_path: Path) -> None:
    page = StartPage(Settings(tmp_path / "settings.ini"), Theme(ThemeKind.LIGHT))
    qtbot.addWidget(page)
    for text, action in (("New job…", "new_job"), ("Open a job…", "open_job"), ("Open the sample job", "open_sample")):
        with qtbot.waitSignal(page.action_requested) as asked:
            QTest.mouseClick(button(page, text), Qt.MouseButton.LeftButton)
        assert asked.args == [action]


def test_a_title_is_never_taken_for_markup(qtbot: QtBot, tmp_path: Path) -> None:
    page = StartPage(Settings(tmp_path / "settings.ini"), Theme(ThemeKind.LIGHT))
    qtbot.addWidget(page)
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in page.findChildren(QLabel))


def test_states_that_no_claim_is_in_are_left_out_of_the_counts(qtbot: QtBot) -> None:
    bar = CountsBar(Counts(3, 0, 0, 1, 0), Theme(ThemeKind.LIGHT), has_words=True)
    qtbot.addWidget(bar)
    assert bar.accessibleName() == "3 exact, 1 exception"
    wide = bar.minimumWidth()
    bar.show_counts(Counts(3, 1, 1, 1, 0))
    assert bar.minimumWidth() > wide


def test_a_job_that_is_not_in_its_place_any_more_is_said_and_can_be_taken_off(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.ini")
    there = create_sample_job(tmp_path / "there.quoteview").folder
    for folder in (there, tmp_path / "gone.quoteview"):
        settings.remember_job(folder)
    page = StartPage(settings, Theme(ThemeKind.LIGHT))
    qtbot.addWidget(page)
    page.show()

    def offered() -> list[str]:
        return [found.accessibleName() for found in page.findChildren(QPushButton) if "off" in found.text() and found.isVisible()]

    qtbot.waitUntil(lambda: offered() == ["Take gone off this list"], timeout=10_000)
    QTest.mouseClick(button(page, "Take off this list"), Qt.MouseButton.LeftButton)
    assert settings.recent_jobs == (there,)


def test_a_long_title_is_cut_and_not_the_page_made_wider(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.ini")
    settings.remember_job(tmp_path / "long.quoteview")
    settings.remember_seen(tmp_path / "long.quoteview", "A title without an end " * 20, Counts(1, 0, 0, 0, 0))
    page = StartPage(settings, Theme(ThemeKind.LIGHT))
    qtbot.addWidget(page)
    page.resize(900, 600)
    page.show()
    qtbot.waitExposed(page)
    title = next(found for found in page.findChildren(ElidedButton))
    assert title.accessibleName().startswith("A title without an end")
    assert title.width() < title.sizeHint().width()
    assert title.mapTo(page, title.rect().topRight()).x() < 900
