"""A job from a link, driven by key and mouse against a server of ours: the plan, the fetch, stopping, and what goes wrong."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from quoteview.app.states import Phase
from quoteview.core.captions.track import Origin
from quoteview.core.errors import FetchError
from quoteview.fetching.client import FetchSettings
from quoteview.ui.actions import ActionId
from quoteview.ui.fetch_dialog import FetchDialog, Wanted
from quoteview.ui.main_window import MainWindow
from quoteview.ui.new_job_dialog import NewJobDialog
from quoteview.ui.settings_dialog import SettingsDialog
from tests.fetching.serving import HUMAN, Page, Served, answer, serving
from tests.fetching.site import facts_of, maker_of, pages
from tests.ui.conftest import OpenWindow

Started = Callable[..., tuple[MainWindow, Served]]


def held(page: Page, gate: threading.Event) -> Page:
    """Return a page that answers once the gate is open."""

    def waiting(handler: BaseHTTPRequestHandler, number: int) -> None:
        gate.wait(10)
        page(handler, number)

    return waiting


@pytest.fixture
def start(open_window: OpenWindow) -> Iterator[Started]:
    """Show a window whose fetching knows our site alone, with some pages and facts changed."""
    servers = []

    def started(facts: dict[str, object] | None = None, **changed: Page) -> tuple[MainWindow, Served]:
        server = serving(pages(**changed))
        served = server.__enter__()
        servers.append(server)
        window = open_window()
        window.fetcher.make_client = maker_of(lambda: facts_of(served, **(facts or {})))
        return window, served

    yield started
    for server in servers:
        server.__exit__(None, None, None)


def dialog_of(window: MainWindow) -> FetchDialog:
    return next(found for found in window.findChildren(FetchDialog) if found.isVisible())


def planned(window: MainWindow, served: Served, qtbot: QtBot, wanted: Wanted | None = None) -> FetchDialog:
    window.start_fetch(wanted or Wanted(f"{served.address}/watch"))
    dialog = dialog_of(window)
    qtbot.waitUntil(lambda: dialog.go.isVisible() and dialog.go.isEnabled(), timeout=10_000)
    return dialog


def jobs_in(home: Path) -> list[Path]:
    return sorted((home / "jobs").rglob("*")) if (home / "jobs").exists() else []


def test_a_pasted_link_shows_the_plan_and_enter_makes_the_job(start: Started, qtbot: QtBot) -> None:
    window, served = start()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QGuiApplication.clipboard().setText(f"{served.address}/watch")
    QTest.keyClick(window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    dialog = dialog_of(window)
    qtbot.waitUntil(lambda: dialog.go.isVisible() and dialog.go.isEnabled(), timeout=10_000)
    assert dialog.tree.text_of("en.human") == "en.human · en · human · vtt · fetch and lock · made by people"
    assert "automatic · json3 · fetch and lock" in dialog.tree.text_of("en.automatic")
    assert dialog.tree.text_of("x3.translated").startswith("x3.translated · x3 · translated · json3 · only listed")
    assert dialog.go.text() == "Fetch and lock 3 tracks"
    assert served.asked == {}
    QTest.keyClick(dialog.tree, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.phase is Phase.READY, timeout=10_000)
    job = window.session.job
    assert job is not None
    assert {record.origin for record in job.locked} == {Origin.HUMAN, Origin.AUTOMATIC}
    assert not any(found.isVisible() for found in window.findChildren(FetchDialog))


def test_a_link_dropped_anywhere_is_asked(start: Started, qtbot: QtBot) -> None:
    window, served = start()
    mime = QMimeData()
    mime.setUrls([QUrl(f"{served.address}/watch")])
    buttons, keys, action = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(50, 50), action, mime, buttons, keys))
    QApplication.sendEvent(window, QDropEvent(QPointF(50, 50), action, mime, buttons, keys))
    dialog = dialog_of(window)
    qtbot.waitUntil(lambda: dialog.heading.text() == "A briefing", timeout=10_000)


def test_pasting_what_is_no_link_does_nothing(start: Started, qtbot: QtBot) -> None:
    window, _served = start()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QGuiApplication.clipboard().setText("not a link")
    QTest.keyClick(window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert window.findChildren(FetchDialog) == []


def test_a_link_typed_in_the_new_job_dialog_brings_its_drafts_along(start: Started, qtbot: QtBot, tmp_path: Path) -> None:
    draft = tmp_path / "piece.md"
    draft.write_text("“Dr. Okafor wrote the memo.” (0:05)\n", "utf-8")
    window, served = start()
    window.start_new_job([draft])
    first = window.findChild(NewJobDialog)
    assert first is not None
    qtbot.waitUntil(lambda: len(first.proposals) == 1)
    QTest.keyClicks(first.link, f"{served.address}/watch")
    assert first.make.text() == "See what the link offers"
    QTest.mouseClick(first.make, Qt.MouseButton.LeftButton)
    dialog = dialog_of(window)
    qtbot.waitUntil(lambda: dialog.go.isVisible() and dialog.go.isEnabled(), timeout=10_000)
    assert dialog.title.text() == "Piece"
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.phase is Phase.READY, timeout=10_000)
    assert window.session.counts.exact == 1


def test_a_translation_is_fetched_when_it_is_ticked_with_space(start: Started, qtbot: QtBot) -> None:
    window, served = start()
    dialog = planned(window, served, qtbot)
    tree = dialog.tree
    head = tree.topLevelItem(tree.topLevelItemCount() - 1)
    assert head is not None
    assert head.text(0).startswith("40 machine translations")
    tree.setCurrentItem(head)
    QTest.keyClick(tree, Qt.Key.Key_Right)
    QTest.keyClick(tree, Qt.Key.Key_Down)
    QTest.keyClick(tree, Qt.Key.Key_Space)
    assert dialog.go.text() == "Fetch and lock 4 tracks"
    QTest.keyClick(tree, Qt.Key.Key_Space)
    assert dialog.go.text() == "Fetch and lock 3 tracks"
    QTest.keyClick(tree, Qt.Key.Key_Space)
    QTest.keyClick(tree, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.phase is Phase.READY, timeout=10_000)
    job = window.session.job
    assert job is not None
    assert [record.id for record in job.locked if record.origin is Origin.TRANSLATED] == ["x0.translated"]


def test_escape_stops_the_fetch_at_once_and_nothing_is_left(start: Started, qtbot: QtBot, home: Path) -> None:
    gate = threading.Event()
    window, served = start(automatic=held(answer(200, b""), gate))
    dialog = planned(window, served, qtbot)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "locked" in dialog.tree.text_of("en.human"), timeout=10_000)
    qtbot.waitUntil(lambda: served.count("/api/timedtext") == 1, timeout=10_000)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert dialog.state.text() == "Stopped. Nothing was kept."
    assert dialog.go.isEnabled()
    qtbot.waitUntil(lambda: not window.fetcher.is_running, timeout=2_000)
    assert jobs_in(home) == []
    assert window.session.phase is Phase.EMPTY
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    gate.set()


def test_escape_stops_asking_a_server_that_keeps_silent(start: Started, qtbot: QtBot, home: Path) -> None:
    window, served = start()
    gate = threading.Event()

    def silent() -> dict[str, object]:
        gate.wait(10)
        return facts_of(served)

    window.fetcher.make_client = maker_of(silent)
    window.start_fetch(Wanted(f"{served.address}/watch"))
    dialog = dialog_of(window)
    assert dialog.state.text().startswith("Asking 127.0.0.1")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.fetcher.is_running, timeout=5_000)
    assert dialog.link.isEnabled()
    assert jobs_in(home) == []
    gate.set()


def test_what_could_not_be_obtained_is_shown_and_the_job_opens_all_the_same(start: Started, qtbot: QtBot) -> None:
    window, served = start(human=answer(403, b""))
    dialog = planned(window, served, qtbot)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.phase is Phase.READY and dialog.go.text() == "Close", timeout=10_000)
    assert "not obtained · the server refuses to give it (403)" in dialog.tree.text_of("en.human")
    assert "en.human" in dialog.facts.text()
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()


def test_nothing_obtained_says_why_and_leaves_nothing(start: Started, qtbot: QtBot, home: Path) -> None:
    window, served = start({"automatic_captions": {}}, human=answer(200, b""))
    dialog = planned(window, served, qtbot)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.trouble.isVisible(), timeout=10_000)
    assert "empty body" in dialog.trouble.sentence.text()
    assert jobs_in(home) == []


def test_a_link_to_many_videos_offers_them_singly(start: Started, qtbot: QtBot) -> None:
    window, served = start()
    single = maker_of(lambda: facts_of(served))
    entries = [{"_type": "url", "url": f"{served.address}/watch?v={n}", "title": f"Part {n}"} for n in (1, 2)]
    window.fetcher.make_client = maker_of(lambda: {"_type": "playlist", "id": "p", "title": "Series", "entries": entries})
    dialog = planned(window, served, qtbot)
    assert [dialog.videos.topLevelItem(n).text(0) for n in range(2)] == ["Part 1", "Part 2"]  # type: ignore[union-attr]
    window.fetcher.make_client = single
    QTest.keyClick(dialog.videos, Qt.Key.Key_Down)
    QTest.keyClick(dialog.videos, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.heading.isVisible(), timeout=10_000)
    assert dialog.link.text().endswith("/watch?v=2")
    assert dialog.go.text() == "Fetch and lock 3 tracks"


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("Sign in to confirm your age", "it wants a sign-in"),
        ("The uploader has not made this video available; not available in your country", "it is not shown in this region"),
        ("This video has been removed by the uploader", "it is not there any more"),
    ],
)
def test_what_the_library_says_comes_as_a_sentence_with_its_own_words_below(
    start: Started, qtbot: QtBot, said: str, sentence: str
) -> None:
    from yt_dlp.utils import ExtractorError

    window, served = start()

    def refused() -> dict[str, object]:
        raise ExtractorError(said, expected=True)

    window.fetcher.make_client = maker_of(refused)
    window.start_fetch(Wanted(f"{served.address}/watch"))
    dialog = dialog_of(window)
    qtbot.waitUntil(lambda: dialog.trouble.isVisible(), timeout=10_000)
    assert dialog.trouble.sentence.text() == f"127.0.0.1: {sentence}."
    assert said in dialog.trouble.detail.text()
    assert dialog.trouble.remedy.text()


def test_the_settings_open_from_what_went_wrong(start: Started, qtbot: QtBot) -> None:
    window, served = start()
    window.start_fetch(Wanted())
    dialog = dialog_of(window)
    dialog.trouble.show_error(FetchError(served.address, "it wants a sign-in", remedy="Give cookies."))
    dialog.pages.setCurrentWidget(dialog.trouble)
    button = dialog.trouble.findChild(QPushButton)
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settings = dialog.findChild(SettingsDialog)
    assert settings is not None
    assert settings.isVisible()


def test_a_source_without_captions_says_so_and_offers_no_fetch(start: Started, qtbot: QtBot) -> None:
    window, served = start({"subtitles": {}, "automatic_captions": {}})
    window.start_fetch(Wanted(f"{served.address}/watch"))
    dialog = dialog_of(window)
    qtbot.waitUntil(lambda: "offers no captions" in dialog.facts.text(), timeout=10_000)
    assert not dialog.go.isEnabled()


def test_what_is_no_link_is_said_and_not_asked(start: Started) -> None:
    window, _served = start()
    window.start_fetch(Wanted())
    dialog = dialog_of(window)
    QTest.keyClicks(dialog.link, "the interview")
    QTest.keyClick(dialog.link, Qt.Key.Key_Return)
    assert "begins with http" in dialog.hint.text()
    assert not window.fetcher.is_running or not dialog.bar.isVisible()


def test_the_action_takes_the_link_from_the_clipboard(start: Started, qtbot: QtBot) -> None:
    window, served = start()
    QGuiApplication.clipboard().setText(f"{served.address}/watch")
    window.actions_table.request(ActionId.NEW_FROM_LINK)
    assert dialog_of(window).link.text() == f"{served.address}/watch"
    qtbot.waitUntil(lambda: dialog_of(window).go.isVisible(), timeout=10_000)


def test_cookies_proxy_and_rate_are_used_and_stand_in_no_job(start: Started, qtbot: QtBot, home: Path, tmp_path: Path) -> None:
    window, served = start()
    cookies = tmp_path / "secret-cookies.txt"
    cookies.write_text("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tsecret-value\n")
    window.settings.fetching = FetchSettings(cookie_file=str(cookies), rate=7_654_321)
    dialog = planned(window, served, qtbot)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.phase is Phase.READY, timeout=10_000)
    qtbot.waitUntil(lambda: window.session.is_settled, timeout=20_000)
    folder = window.session.folder
    assert folder is not None
    written = b"\n".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert HUMAN in written
    for secret in (b"secret-cookies", b"secret-value", b"7654321"):
        assert secret not in written
    window.settings.flush()
    assert b"secret-cookies" in (home / "settings" / "settings.ini").read_bytes()
