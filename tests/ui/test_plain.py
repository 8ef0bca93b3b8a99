"""Hostile text in tool tips, chips and menus: shown as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from quoteview.core.captions.track import Origin
from quoteview.core.importing import CaptionFile
from quoteview.core.new_job import new_job
from quoteview.core.store import create_job
from quoteview.ui.plain import plain_tip, without_keys
from quoteview.ui.transcript_head import TranscriptHead
from tests.ui.conftest import OpenWindow


@pytest.mark.parametrize(
    "text",
    ["<b>bold</b>", "<img src='file:///etc/passwd'>", "a & b <script>x</script>", "<a href='javascript:1'>x</a>", "1 < 2"],
)
def test_a_tip_shows_what_looks_like_markup_as_text(text: str) -> None:
    document = QTextDocument()
    document.setHtml(plain_tip(text))
    assert document.toPlainText() == text


@pytest.mark.parametrize("text", ["", "2 > 1", "R&D", "two\nlines"])
def test_a_tip_without_markup_stays_as_it_is(text: str) -> None:
    assert plain_tip(text) == text


def test_an_ampersand_marks_no_key() -> None:
    assert without_keys("R&D") == "R&&D"


def test_no_tool_tip_of_the_window_is_markup_from_a_title(open_window: OpenWindow, tmp_path: Path) -> None:
    hostile = "<b>The</b> <img src='x'> mill & co"
    captions = b"WEBVTT\n\n00:01.000 --> 00:02.000\n<v <b>Ada>the mill\n"
    tracks = [CaptionFile("talk.vtt", captions, Origin.HUMAN, "en")]
    made = new_job(tracks, [("draft.md", "“the mill” [0:01]\n".encode())], title=hostile)
    window = open_window(create_job(tmp_path / "job", made.job, made.tracks, drafts=made.drafts).folder)
    tips = [widget.toolTip() for widget in window.findChildren(QWidget) if widget.toolTip()]
    assert plain_tip(hostile) in tips
    assert not any("<b>" in tip or "<img" in tip for tip in tips)
    head = window.transcript.findChildren(TranscriptHead)[0]
    assert head.findChildren(QToolButton)[0].text().count("&") % 2 == 0
    assert all(action.text().count("&") % 2 == 0 for action in head.findChildren(QMenu)[0].actions())
