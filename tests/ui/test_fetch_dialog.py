"""A job from a link, driven by key and mouse against a server of ours: the plan, the fetch, stopping, and what goes wrong."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from PySide6.QtCore import QElapsedTimer, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from quoteview.app.states import Phase
from quoteview.core.captions.track import Origin
from quoteview.core.errors import FetchError
from quoteview.core.sample import create_sample_job
from quoteview.fetching.client import FetchSettings
from quoteview.ui.actions import ActionId
from quoteview.ui.fetch_dialog import FetchDialog, Wanted
from quoteview.ui.main_window import MainWindow
from quoteview.ui.new_job_dialog import NewJobDialog
from quoteview.ui.settings_dialog import SettingsDialog
from tests.fetching.recorded import mp4
from tests.fetching.serving import HUMAN, Page, Served, answer, file, serving
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
        sound = changed.pop("sound", None)
        server = serving({**pages(**changed), **({"/sound.m4a": sound} if sound is not None else {})})
        served = server.__enter__()
        servers.append(server)
        window = open_window()
        window.fetcher.make_client = maker_of(lambda: facts_of(served, **(facts or {})))
        return window, served

    yield started
    for server in servers:
        server.__exit__(None, None, None)


def double_click(button: QPushButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    QTest.mouseDClick(button, Qt.MouseButton.LeftButton)
    QTest.mouseRelease(button, Qt.MouseButton.LeftButton)


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
    assert dialog.hint.text().startswith("Asking 127.0.0.1")
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
    assert not dialog.tree.isVisible()
    assert dialog.go.text() == "Choose files instead…"


def test_a_source_without_captions_leads_to_files_with_the_link_and_the_drafts(
    start: Started, qtbot: QtBot, tmp_path: Path
) -> None:
    draft = tmp_path / "piece.md"
    draft.write_text("“Dr. Okafor wrote the memo.” (0:05)\n", "utf-8")
    window, served = start({"subtitles": {}, "automatic_captions": {}})
    link = f"{served.address}/watch"
    window.start_fetch(Wanted(link, drafts=(draft,)))
    dialog = dialog_of(window)
    qtbot.waitUntil(lambda: dialog.go.isVisible() and dialog.go.isEnabled(), timeout=10_000)
    QTest.keyClick(dialog.go, Qt.Key.Key_Return)
    files = next(found for found in window.findChildren(NewJobDialog) if found.isVisible())
    qtbot.waitUntil(lambda: [one.path for one in files.proposals] == [draft], timeout=10_000)
    assert files.link.text() == link
    assert not any(found.isVisible() for found in window.findChildren(FetchDialog))


def test_what_is_no_link_is_said_and_not_asked(start: Started) -> None:
    window, _served = start()
    window.start_fetch(Wanted())
    dialog = dialog_of(window)
    QTest.keyClicks(dialog.link, "the interview")
    QTest.keyClick(dialog.link, Qt.Key.Key_Return)
    assert "begins with https" in dialog.hint.text()
    assert not window.fetcher.is_running or not dialog.bar.isVisible()


def test_the_action_takes_the_link_from_the_clipboard(start: Started, qtbot: QtBot) -> None:
    window, served = start()
    QGuiApplication.clipboard().setText(f"{served.address}/watch")
    window.actions_table.request(ActionId.NEW_FROM_LINK)
    assert dialog_of(window).link.text() == f"{served.address}/watch"
    qtbot.waitUntil(lambda: dialog_of(window).go.isVisible(), timeout=10_000)


def test_enter_on_what_is_no_link_fetches_nothing_of_the_plan_before(start: Started, qtbot: QtBot, home: Path) -> None:
    window, served = start()
    dialog = planned(window, served, qtbot)
    dialog.link.setFocus()
    dialog.link.selectAll()
    QTest.keyClicks(dialog.link, "the interview")
    assert not dialog.go.isVisible()
    QTest.keyClick(dialog.link, Qt.Key.Key_Return)
    assert "begins with https" in dialog.hint.text()
    assert served.asked == {}
    assert jobs_in(home) == []


def test_a_link_that_was_changed_has_to_be_asked_before_anything_is_fetched(start: Started, qtbot: QtBot) -> None:
    window, served = start()
    dialog = planned(window, served, qtbot)
    QTest.keyClicks(dialog.link, "?v=2")
    assert not dialog.go.isVisible()
    assert dialog.look.isDefault()
    QTest.keyClick(dialog.link, Qt.Key.Key_Backspace)
    QTest.keyClick(dialog.link, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.go.isVisible() and dialog.go.isEnabled(), timeout=10_000)
    assert dialog.link.text().endswith("/watch?v=")


def test_the_beginning_of_a_link_may_be_left_out(start: Started) -> None:
    window, _served = start()
    window.start_fetch(Wanted())
    dialog = dialog_of(window)
    QTest.keyClicks(dialog.link, "video.example/watch")
    QTest.keyClick(dialog.link, Qt.Key.Key_Return)
    assert dialog.link.text() == "https://video.example/watch"
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_a_link_dropped_on_the_dialog_takes_the_place_of_the_one_there(start: Started, qtbot: QtBot) -> None:
    window, served = start()
    window.start_fetch(Wanted())
    dialog = dialog_of(window)
    QTest.keyClicks(dialog.link, "http://example.org/")
    mime = QMimeData()
    mime.setUrls([QUrl(f"{served.address}/watch")])
    buttons, keys, action = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    QApplication.sendEvent(dialog, QDragEnterEvent(QPoint(50, 50), action, mime, buttons, keys))
    QApplication.sendEvent(dialog, QDropEvent(QPointF(50, 50), action, mime, buttons, keys))
    qtbot.waitUntil(lambda: dialog.go.isVisible() and dialog.go.isEnabled(), timeout=10_000)
    assert dialog.link.text() == f"{served.address}/watch"


def test_closing_the_dialog_in_mid_fetch_closes_it_and_nothing_is_left(start: Started, qtbot: QtBot, home: Path) -> None:
    gate = threading.Event()
    window, served = start(automatic=held(answer(200, b""), gate))
    dialog = planned(window, served, qtbot)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: served.count("/api/timedtext") == 1, timeout=10_000)
    dialog.close()
    assert not any(found.isVisible() for found in window.findChildren(FetchDialog))
    qtbot.waitUntil(lambda: not window.fetcher.is_running, timeout=5_000)
    gate.set()
    assert jobs_in(home) == []
    assert window.session.phase is Phase.EMPTY


def test_closing_the_window_in_mid_fetch_leaves_nothing(start: Started, qtbot: QtBot, home: Path) -> None:
    gate = threading.Event()
    window, served = start(automatic=held(answer(200, b""), gate))
    dialog = planned(window, served, qtbot)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: served.count("/api/timedtext") == 1, timeout=10_000)
    window.close()
    assert not window.isVisible()
    gate.set()
    assert jobs_in(home) == []


def test_a_double_click_on_stop_stops_and_does_not_close(start: Started, qtbot: QtBot) -> None:
    gate = threading.Event()
    window, served = start(automatic=held(answer(200, b""), gate))
    dialog = planned(window, served, qtbot)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: served.count("/api/timedtext") == 1, timeout=10_000)
    rested = QElapsedTimer()
    rested.start()  # until then a click counts as the second one on what stood there before
    qtbot.waitUntil(lambda: rested.elapsed() > QApplication.doubleClickInterval())
    double_click(dialog.leave)
    assert dialog.isVisible()
    qtbot.waitUntil(lambda: dialog.state.text() == "Stopped. Nothing was kept.", timeout=10_000)
    assert dialog.isVisible()
    gate.set()


def test_stopped_and_fetched_again_it_makes_the_job(start: Started, qtbot: QtBot) -> None:
    gate = threading.Event()
    window, served = start(human=held(answer(200, HUMAN), gate))
    dialog = planned(window, served, qtbot)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: served.count("/human.vtt") == 1, timeout=10_000)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    gate.set()
    double_click(dialog.go)
    qtbot.waitUntil(lambda: window.session.phase is Phase.READY, timeout=10_000)
    job = window.session.job
    assert job is not None
    assert len(job.locked) == 3


def test_a_place_that_is_taken_is_said_before_any_request_and_the_plan_stays(
    start: Started, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "notes.txt").write_text("mine")
    window, served = start()
    dialog = planned(window, served, qtbot)
    dialog.place.selectAll()
    QTest.keyClicks(dialog.place, str(tmp_path / "taken"))
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "something is there already" in dialog.state.text(), timeout=10_000)
    assert served.asked == {}
    assert dialog.tree.isVisible()
    QTest.keyClicks(dialog.place, "-2")
    assert dialog.state.text() == ""
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.folder == tmp_path / "taken-2", timeout=10_000)


def test_without_a_network_it_says_so_and_can_be_tried_again(start: Started, qtbot: QtBot, home: Path) -> None:
    window, served = start()
    facts = facts_of(served)
    facts["subtitles"] = {"en": [{"ext": "vtt", "url": "http://127.0.0.1:9/human.vtt"}]}
    facts["automatic_captions"] = {}
    window.fetcher.make_client = maker_of(lambda: facts)
    dialog = planned(window, served, qtbot)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.trouble.isVisible(), timeout=30_000)
    assert "the connection failed" in dialog.trouble.sentence.text()
    assert jobs_in(home) == []
    window.fetcher.make_client = maker_of(lambda: facts_of(served))
    assert dialog.go.text() == "Try again"
    QTest.keyClick(dialog.go, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.go.text() == "Fetch and lock 3 tracks" and dialog.go.isEnabled(), timeout=10_000)


def test_two_videos_of_a_list_are_looked_at_one_after_the_other(start: Started, qtbot: QtBot) -> None:
    window, served = start()
    entries = [{"_type": "url", "url": f"{served.address}/watch?v={n}", "title": f"Part {n}"} for n in (1, 2)]
    window.fetcher.make_client = maker_of(lambda: {"_type": "playlist", "id": "p", "title": "Series", "entries": entries})
    dialog = planned(window, served, qtbot)
    window.fetcher.make_client = maker_of(lambda: facts_of(served))
    double_click(dialog.go)
    qtbot.waitUntil(lambda: dialog.heading.isVisible(), timeout=10_000)
    assert dialog.link.text().endswith("v=1")
    QTest.mouseClick(dialog.back, Qt.MouseButton.LeftButton)
    assert dialog.videos.isVisible()
    assert not dialog.back.isVisible()
    QTest.keyClick(dialog.videos, Qt.Key.Key_Down)
    QTest.keyClick(dialog.videos, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.heading.isVisible() and dialog.link.text().endswith("v=2"), timeout=10_000)


def test_a_fetch_while_a_job_is_open_opens_the_new_one_and_leaves_the_old_as_it_is(
    start: Started, qtbot: QtBot, tmp_path: Path
) -> None:
    window, served = start()
    folder = create_sample_job(tmp_path / "sample.quoteview").folder
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    window.session.open(folder)
    qtbot.waitUntil(lambda: window.session.phase is Phase.READY, timeout=10_000)
    dialog = planned(window, served, qtbot)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.folder not in (folder, None) and window.session.phase is Phase.READY, timeout=10_000)
    assert {path: path.read_bytes() for path in before} == before
    qtbot.waitUntil(lambda: window.session.is_settled, timeout=20_000)


def recorded(served_address: str, size: int = len(mp4(9000))) -> list[dict[str, object]]:
    sound = {"format_id": "140", "ext": "m4a", "acodec": "mp4a", "vcodec": "none", "abr": 96, "protocol": "http"}
    return [{**sound, "url": f"{served_address}/sound.m4a", "filesize": size}]


def test_the_recording_comes_along_where_it_is_ticked(start: Started, qtbot: QtBot) -> None:
    window, served = start(sound=file(mp4(9000)))
    window.fetcher.make_client = maker_of(lambda: facts_of(served, formats=recorded(served.address)))
    dialog = planned(window, served, qtbot)
    assert dialog.plan.kind.currentText() == "sound · m4a, 5,148 B"
    assert dialog.plan.recording is None
    QTest.mouseClick(dialog.plan.record, Qt.MouseButton.LeftButton, pos=QPoint(8, dialog.plan.record.height() // 2))
    assert dialog.plan.recording is not None
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    assert "fetch" in dialog.tree.text_of("media")
    qtbot.waitUntil(lambda: window.session.phase is Phase.READY, timeout=10_000)
    folder = window.session.folder
    assert folder is not None
    assert (folder / "media" / "audio.m4a").read_bytes() == mp4(9000)


def test_stopped_in_mid_recording_no_job_is_there_and_the_next_time_goes_on_with_the_part(
    start: Started, qtbot: QtBot, home: Path
) -> None:
    gate, sound = threading.Event(), mp4(9000, filling=400_000)

    def halting(handler: BaseHTTPRequestHandler, number: int) -> None:
        if number > 1:
            file(sound)(handler, number)
            return
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(sound)))
        handler.end_headers()
        handler.wfile.write(sound[:300_000])
        handler.wfile.flush()
        gate.wait(10)
        handler.close_connection = True

    window, served = start(sound=halting)
    window.fetcher.make_client = maker_of(lambda: facts_of(served, formats=recorded(served.address, len(sound))))
    dialog = planned(window, served, qtbot)
    dialog.plan.record.setChecked(True)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "kB" in dialog.tree.text_of("media"), timeout=10_000)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert "No job was made" in dialog.state.text()
    assert jobs_in(home) == []
    assert dialog.plan.record.isChecked()
    gate.set()
    qtbot.waitUntil(lambda: not window.fetcher.is_running, timeout=5_000)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.phase is Phase.READY, timeout=10_000)
    folder = window.session.folder
    assert folder is not None
    assert (folder / "media" / "audio.m4a").read_bytes() == sound


def test_a_recording_that_does_not_come_is_told_and_the_tracks_are_kept(start: Started, qtbot: QtBot) -> None:
    window, served = start(sound=answer(403, b""))
    window.fetcher.make_client = maker_of(lambda: facts_of(served, formats=recorded(served.address)))
    dialog = planned(window, served, qtbot)
    dialog.plan.record.setChecked(True)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.go.text() == "Close", timeout=10_000)
    assert "403" in dialog.facts.text()
    assert "Not obtained" not in dialog.facts.text()
    qtbot.waitUntil(lambda: window.session.phase is Phase.READY, timeout=10_000)
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()


def test_a_recording_that_cannot_be_had_is_said_with_the_reason(start: Started, qtbot: QtBot) -> None:
    window, served = start()
    dialog = planned(window, served, qtbot)
    assert not dialog.plan.record.isVisible()
    assert "the source offers no recording" in dialog.plan.no_recording.text()


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
