"""The settings: kept when accepted, refused in words where they cannot be meant, and never in a job."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from quoteview.app.settings import Settings
from quoteview.fetching.client import FetchSettings
from quoteview.fetching.library import library
from quoteview.ui.actions import ActionId
from quoteview.ui.main_window import MainWindow
from quoteview.ui.settings_dialog import SettingsDialog
from quoteview.ui.theme import ThemeKind
from tests.ui.conftest import OpenWindow


@pytest.fixture
def dialog(open_window: OpenWindow) -> SettingsDialog:
    window = open_window()
    window.actions_table.request(ActionId.SETTINGS)
    found = window.findChild(SettingsDialog)
    assert found is not None
    return found


def window_of(dialog: SettingsDialog) -> MainWindow:
    window = dialog.parent()
    assert isinstance(window, MainWindow)
    return window


def test_what_is_kept_is_there_in_a_new_process(dialog: SettingsDialog, home: Path, tmp_path: Path) -> None:
    cookies = tmp_path / "cookies.txt"
    cookies.write_text("# Netscape HTTP Cookie File\n")
    dialog.reviewer.selectAll()
    QTest.keyClicks(dialog.reviewer, "Grace")
    dialog.kind.setCurrentIndex(dialog.kind.findData(str(ThemeKind.DARK)))
    dialog.percent.setValue(130)
    dialog.browser.setCurrentIndex(dialog.browser.findData("firefox"))
    dialog.cookie_file.setText(str(cookies))
    QTest.keyClicks(dialog.proxy, "socks5://127.0.0.1:1080")
    dialog.rate.setValue(500)
    window = window_of(dialog)
    QTest.keyClick(dialog.proxy, Qt.Key.Key_Return)
    assert not dialog.isVisible()
    window.settings.flush()
    again = Settings(home / "settings" / "settings.ini")
    assert again.fetching == FetchSettings("firefox", str(cookies), "socks5://127.0.0.1:1080", 500_000)
    assert (again.reviewer, again.theme, again.text_percent) == ("Grace", "dark", 130)
    assert window.theme.kind is ThemeKind.DARK
    assert window.session.reviewer == "Grace"


def test_escape_keeps_nothing(dialog: SettingsDialog) -> None:
    window = window_of(dialog)
    QTest.keyClicks(dialog.proxy, "http://127.0.0.1:8080")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert window.settings.fetching == FetchSettings()
    assert window.theme.kind is ThemeKind.LIGHT


@pytest.mark.parametrize("proxy", ["127.0.0.1:1080", "ftp://127.0.0.1", "http://", "http://host:0x50", "socks5://host:99999"])
def test_a_proxy_that_is_none_is_refused_in_words(dialog: SettingsDialog, proxy: str) -> None:
    dialog.proxy.setText(proxy)
    QTest.mouseClick(dialog.keep, Qt.MouseButton.LeftButton)
    assert dialog.isVisible()
    assert "http://host:port" in dialog.remark.text()
    dialog.proxy.setText("http://127.0.0.1:3128")
    assert dialog.remark.text() == ""


def test_a_cookies_file_that_is_not_there_is_refused_in_words(dialog: SettingsDialog, tmp_path: Path) -> None:
    dialog.cookie_file.setText(str(tmp_path / "nowhere.txt"))
    QTest.mouseClick(dialog.keep, Qt.MouseButton.LeftButton)
    assert dialog.isVisible()
    assert "nowhere.txt" in dialog.remark.text()


def test_an_old_library_is_pointed_out_with_the_way_to_a_newer_one(dialog: SettingsDialog, qtbot: QtBot) -> None:
    fetcher = window_of(dialog).fetcher
    qtbot.waitUntil(lambda: "yt-dlp" in dialog.version.text(), timeout=10_000)
    fetcher.library_known.emit(library(date(2026, 8, 1), version="2025.11.01", is_packaged=True))
    assert dialog.old.isVisible()
    assert "9 months old" in dialog.old.words.text()
    assert ".whl" in dialog.old.words.text()
    fetcher.library_known.emit(library(date(2025, 12, 1), version="2025.11.01"))
    assert not dialog.old.isVisible()
