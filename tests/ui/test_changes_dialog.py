"""Changes at the source as a person sees them: told, compared, taken as a further track; the lock stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from quoteview.core.locking import sha256_hex
from quoteview.core.sample import create_sample_job
from quoteview.core.store import open_job
from quoteview.fetching.jobs import fetch_job
from quoteview.ui.actions import ActionId
from quoteview.ui.changes_dialog import ChangesDialog
from quoteview.ui.main_window import MainWindow
from tests.fetching.serving import HUMAN, Page, answer, in_turn, serving
from tests.fetching.site import client_of, facts_of, maker_of, pages
from tests.ui.conftest import OpenWindow

LATER = HUMAN.replace(b"memo", b"letter")
Looked = Callable[..., tuple[MainWindow, ChangesDialog]]


@pytest.fixture
def look(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> Iterator[Looked]:
    """Make a job from our site, open it, and look for changes once the site has these facts and pages."""
    servers = []

    def looked(later: dict[str, object] | None = None, **changed: Page) -> tuple[MainWindow, ChangesDialog]:
        server = serving(pages(**changed))
        served = server.__enter__()
        servers.append(server)
        folder = fetch_job(f"{served.address}/watch", tmp_path / "job", client_of(lambda: facts_of(served))).folder
        window = open_window(folder)
        window.fetcher.make_client = maker_of(lambda: facts_of(served, **(later or {})))
        window.actions_table.request(ActionId.LOOK_FOR_CHANGES)
        dialog = window.findChild(ChangesDialog)
        assert dialog is not None
        qtbot.waitUntil(lambda: not dialog.bar.isVisible(), timeout=10_000)
        return window, dialog

    yield looked
    for server in servers:
        server.__exit__(None, None, None)


def rows(dialog: ChangesDialog) -> list[tuple[str, str]]:
    found = [dialog.tracks.topLevelItem(number) for number in range(dialog.tracks.topLevelItemCount())]
    return [(row.text(0), row.text(1)) for row in found if row is not None]


def test_a_changed_track_shows_both_digests_and_the_difference(look: Looked) -> None:
    _window, dialog = look(human=in_turn(answer(200, HUMAN), answer(200, LATER)))
    assert rows(dialog)[0] == ("en.human", "changed")
    assert ("en.automatic", "unchanged") in rows(dialog)
    assert sha256_hex(HUMAN) in dialog.locked_digest.text()
    assert sha256_hex(LATER) in dialog.found_digest.text()
    difference = dialog.difference.topLevelItem(0)
    assert difference is not None
    shown = [difference.text(column) for column in range(3)]
    assert shown == ["0:05.000", "Dr. Okafor wrote the memo.", "Dr. Okafor wrote the letter."]
    assert dialog.whole.text() == "Locked: Dr. Okafor wrote the memo.\nAt the source now: Dr. Okafor wrote the letter."


def test_it_is_taken_as_a_further_track_and_the_lock_stays(look: Looked, qtbot: QtBot) -> None:
    window, dialog = look(human=in_turn(answer(200, HUMAN), answer(200, LATER)))
    folder, reference = window.session.folder, window.session.reference_id
    assert folder is not None
    before = (folder / "journal.jsonl").read_bytes()
    QTest.mouseClick(dialog.take, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Locked as" in dialog.state.text(), timeout=10_000)
    assert not dialog.take.isEnabled()
    assert (folder / "tracks" / "en.human.vtt").read_bytes() == HUMAN
    assert (folder / "tracks" / "en.human-2.vtt").read_bytes() == LATER
    assert window.session.reference_id == reference
    assert (folder / "journal.jsonl").read_bytes() == before
    job = window.session.job
    assert job is not None
    assert job.track("en.human-2") is not None
    assert open_job(folder).job.tracks == job.tracks
    assert open_job(folder).material.is_whole
    qtbot.waitUntil(lambda: window.session.is_settled, timeout=20_000)


def test_what_was_taken_can_be_resolved_against_and_saved(look: Looked, qtbot: QtBot) -> None:
    window, dialog = look(human=in_turn(answer(200, HUMAN), answer(200, LATER)))
    QTest.mouseClick(dialog.take, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Locked as" in dialog.state.text(), timeout=10_000)
    dialog.reject()
    window.session.choose_reference("en.human-2", "the source corrected it")
    qtbot.waitUntil(lambda: window.session.reference_id == "en.human-2", timeout=10_000)
    qtbot.waitUntil(lambda: window.session.is_settled, timeout=20_000)
    folder = window.session.folder
    assert folder is not None
    assert len(open_job(folder).job.journal.lines) == 1


def test_an_unchanged_source_says_so_and_gives_nothing_to_take(look: Looked) -> None:
    _window, dialog = look()
    assert {state for _track, state in rows(dialog)} == {"unchanged"}
    assert "byte for byte" in dialog.summary.text()
    assert not dialog.take.isEnabled()


def test_a_track_that_is_gone_is_told(look: Looked) -> None:
    _window, dialog = look({"subtitles": {}})
    assert ("en.human", "gone") in rows(dialog)
    assert not dialog.take.isEnabled()


def test_a_source_that_cannot_be_asked_can_be_looked_at_again(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    from yt_dlp.utils import ExtractorError

    def refused() -> dict[str, object]:
        raise ExtractorError("Sign in to confirm your age", expected=True)

    with serving(pages()) as served:
        folder = fetch_job(f"{served.address}/watch", tmp_path / "job", client_of(lambda: facts_of(served))).folder
        window = open_window(folder)
        window.fetcher.make_client = maker_of(refused)
        window.actions_table.request(ActionId.LOOK_FOR_CHANGES)
        dialog = window.findChild(ChangesDialog)
        assert dialog is not None
        qtbot.waitUntil(lambda: dialog.trouble.isVisible(), timeout=10_000)
        assert "sign-in" in dialog.trouble.sentence.text()
        assert dialog.trouble.settings.isVisible()
        window.fetcher.make_client = maker_of(lambda: facts_of(served))
        QTest.mouseClick(dialog.again, Qt.MouseButton.LeftButton)
        assert dialog.bar.isVisible()
        qtbot.waitUntil(lambda: "byte for byte" in dialog.summary.text(), timeout=10_000)
        assert not dialog.again.isVisible()


def test_a_link_that_leads_to_several_videos_now_is_said(look: Looked) -> None:
    _window, dialog = look({"_type": "playlist", "entries": [{"_type": "url", "url": "http://127.0.0.1/1"}]})
    assert dialog.trouble.isVisible()
    assert "several videos" in dialog.trouble.sentence.text()


def test_a_job_without_a_source_is_refused_in_words(open_window: OpenWindow, qtbot: QtBot, tmp_path: Path) -> None:
    folder = create_sample_job(tmp_path / "sample.quoteview").folder
    window = open_window(folder)
    job = window.session.job
    assert job is not None
    window.actions_table.request(ActionId.LOOK_FOR_CHANGES)
    dialog = window.findChild(ChangesDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: not dialog.bar.isVisible(), timeout=10_000)
    assert dialog.trouble.isVisible()
    assert "names no source" in dialog.trouble.sentence.text()
    assert not dialog.trouble.detail.isVisible()
    assert not dialog.trouble.settings.isVisible()
    assert not dialog.again.isVisible()
    assert dialog.leave.hasFocus()
