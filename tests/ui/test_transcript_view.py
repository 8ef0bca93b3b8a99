"""The transcript pane: rows, underlines, find, other scripts, and places that are brought into view."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from quoteview.core.captions.track import Origin
from quoteview.core.importing import CaptionFile
from quoteview.core.new_job import new_job
from quoteview.core.store import create_job
from quoteview.ui.main_window import MainWindow
from quoteview.ui.transcript_head import FindBar, language_name
from tests.ui.conftest import OpenWindow

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier

OpenCaptions = Callable[..., MainWindow]


@pytest.fixture
def open_captions(open_window: OpenWindow, tmp_path: Path) -> OpenCaptions:
    """A window on a job with these captions and this draft."""

    def opened(captions: bytes, draft: str, *, language: str = "en") -> MainWindow:
        made = new_job(
            [CaptionFile("talk.vtt", captions, Origin.HUMAN, language)], [("draft.md", draft.encode())], title="The mill"
        )
        create_job(tmp_path / "job", made.job, made.tracks, drafts=made.drafts)
        window = open_window(tmp_path / "job")
        window.activateWindow()
        return window

    return opened


def many(count: int) -> bytes:
    def moment(second: int) -> str:
        return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"

    rows = [f"{moment(at)}.000 --> {moment(at)}.900\nword {at}\n" for at in range(count)]
    return ("WEBVTT\n\n" + "\n".join(rows)).encode()


def find_bar(window: MainWindow) -> tuple[FindBar, QLineEdit, QLabel]:
    bar = window.transcript.findChildren(FindBar)[0]
    return bar, bar.findChildren(QLineEdit)[0], bar.findChildren(QLabel)[0]


def is_shown(window: MainWindow, row: int) -> bool:
    cues = window.transcript.cues
    rect = cues.visualRect(cues.model().index(row, 0))
    return rect.isValid() and rect.top() >= 0 and rect.bottom() <= cues.viewport().height()


def test_find_counts_every_hit_as_one_types_and_enter_walks_them(window: MainWindow) -> None:
    QTest.keyClick(window.claim_list.rows, Qt.Key.Key_F, CONTROL)
    bar, needle, count = find_bar(window)
    assert bar.isVisible()
    assert QApplication.focusWidget() is needle
    QTest.keyClicks(needle, "book")
    texts = [cue.text.casefold() for cue in window.session.cues]
    total = sum(text.count("book") for text in texts)
    assert total > 2
    assert count.text() == f"1 of {total}"
    first = window.selection.cue_index
    assert first is not None
    assert "book" in texts[first]
    QTest.keyClick(needle, Qt.Key.Key_Return)
    assert count.text() == f"2 of {total}"
    row = window.selection.cue_index
    assert row is not None
    assert is_shown(window, row)
    QTest.keyClick(needle, Qt.Key.Key_Return, SHIFT)
    QTest.keyClick(needle, Qt.Key.Key_Return, SHIFT)
    assert count.text() == f"{total} of {total}"
    QTest.keyClicks(needle, "zzz")
    assert count.text() == "nothing found"
    QTest.keyClick(needle, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert QApplication.focusWidget() is window.transcript.cues


TWO_CUES = "WEBVTT\n\n00:01.000 --> 00:02.000\nthe mill stood\n\n00:03.000 --> 00:04.000\nempty for years\n"


def test_a_hit_over_the_border_of_two_cues_is_found_counted_and_walked(open_captions: OpenCaptions) -> None:
    window = open_captions(TWO_CUES.encode(), "“the mill” [0:01]\n")
    window.transcript.show_find()
    _, needle, count = find_bar(window)
    QTest.keyClicks(needle, "stood empty")
    assert count.text() == "1 of 1"
    assert window.selection.cue_index == 0
    QTest.keyClicks(needle, "x")
    assert count.text() == "nothing found"


def test_another_track_is_looked_through_again_while_the_bar_is_open(window: MainWindow) -> None:
    window.transcript.show_find()
    _, needle, count = find_bar(window)
    QTest.keyClicks(needle, "book")
    other = next(track.id for track in window.session.tracks if track.id != window.session.reference_id)
    window.session.show_track(other)
    total = sum(cue.text.casefold().count("book") for cue in window.session.cues)
    assert count.text().endswith(f" of {total}")
    QTest.keyClick(needle, Qt.Key.Key_Return)
    row = window.selection.cue_index
    assert row is not None
    assert "book" in window.session.cues[row].text.casefold()


def test_the_head_says_language_origin_and_lock_and_lists_every_track(window: MainWindow) -> None:
    words = " ".join(label.text() for label in window.transcript.findChildren(QLabel) if label.isVisible())
    assert "locked" in words
    menu = window.transcript.findChildren(QMenu)[0]
    texts = [action.text() for action in menu.actions()]
    assert len(texts) == len(window.session.tracks)
    assert any("human" in text and "reference" in text for text in texts)
    assert any("automatic" in text for text in texts)


def test_another_track_can_be_looked_at_and_has_no_underlines(window: MainWindow) -> None:
    other = next(track.id for track in window.session.tracks if track.id != window.session.reference_id)
    claim = window.session.claims[0].id
    assert window.transcript.claim_rect(claim) is not None
    menu = window.transcript.findChildren(QMenu)[0]
    next(action for action in menu.actions() if action.data() == other).trigger()
    assert window.session.shown_track_id == other
    assert window.transcript.claim_rect(claim) is None
    words = [label.text() for label in window.transcript.findChildren(QLabel) if label.isVisible()]
    assert any("not the reference" in word for word in words)


def test_a_click_on_a_cue_selects_the_claim_that_stands_there(window: MainWindow) -> None:
    claim = next(claim.id for claim in window.session.claims if window.session.cue_spans(claim.id))
    row = window.session.cue_spans(claim)[0][0]
    cues = window.transcript.cues
    cues.show_row(row)
    place = cues.visualRect(cues.model().index(row, 0)).center()
    QTest.mouseClick(cues.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert window.selection.cue_index == row
    assert window.selection.claim_id in window.session.claims_at_cue(row)


def test_the_next_to_do_is_in_view_with_lines_around_it(window: MainWindow) -> None:
    for _ in window.session.to_do():
        QTest.keyClick(window.claim_list.rows, Qt.Key.Key_J)
        claim = window.selection.claim_id
        assert claim is not None
        spans = window.session.cue_spans(claim)
        if spans:
            assert is_shown(window, spans[0][0])


def test_a_far_place_is_shown_once_it_is_laid_out(open_captions: OpenCaptions, qtbot: QtBot) -> None:
    window = open_captions(many(6000), "“word 5900” [1:38:20]\n")
    assert window.selection.claim_id == 1 or window.session.counts.exact == 1
    window.selection.select_claim(1)
    qtbot.waitUntil(lambda: is_shown(window, 5900), timeout=15_000)
    cues = window.transcript.cues
    cues.show_row(10)
    qtbot.waitUntil(lambda: is_shown(window, 10), timeout=15_000)
    bar = cues.verticalScrollBar()
    before = bar.value()
    turned = QWheelEvent(
        QPointF(30, 30),
        cues.viewport().mapToGlobal(QPointF(30, 30)),
        QPoint(0, -60),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(cues.viewport(), turned)
    assert bar.value() > before


def test_a_match_of_right_to_left_words_is_underlined_at_the_right(open_captions: OpenCaptions) -> None:
    captions = "WEBVTT\n\n00:05.000 --> 00:09.000\n<v דוד>אף אחד לא בדק את המפה\n".encode()
    window = open_captions(captions, "„אף אחד” [0:05]\n", language="he")
    window.selection.select_claim(1)
    cues = window.transcript.cues
    image = cues.viewport().grab().toImage()
    exact = window.theme.palette.color("exact")
    line = [
        x
        for x in range(image.width())
        if any(image.pixelColor(x, y) == exact for y in range(cues.visualRect(cues.model().index(0, 0)).bottom()))
    ]
    assert line
    assert min(line) > image.width() / 2


def test_languages_have_names() -> None:
    assert [language_name(tag) for tag in ("ja", "pt-BR", "", "xx-unknown")] == [
        "Japanese",
        "Portuguese (BR)",
        "",
        "xx-unknown",
    ]


def test_letters_in_the_transcript_are_actions_and_no_search(window: MainWindow) -> None:
    window.transcript.setFocus()
    row = window.selection.cue_index
    QTest.keyClick(window.transcript.cues, Qt.Key.Key_Q)
    assert window.selection.cue_index == row
    QTest.keyClick(window.transcript.cues, Qt.Key.Key_End)
    last = len(window.session.cues) - 1
    assert window.selection.cue_index == last
    assert is_shown(window, last)
