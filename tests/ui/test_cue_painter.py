"""How a cue is drawn: no line into another, whatever its script, and a target at a clean edge of the view."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from quoteview.core.captions.track import Origin
from quoteview.core.importing import CaptionFile
from quoteview.core.new_job import new_job
from quoteview.core.store import create_job
from quoteview.ui.cue_list import CueList
from quoteview.ui.cue_painter import CuePainter
from tests.ui.conftest import OpenWindow

LATIN = "we measured the same ridge twice"
ARABIC = "عد إلى الماء وقس ما قلت إنك قسته"
ROWS = 60


def cue_list(open_window: OpenWindow, folder: Path, words: str, language: str) -> CueList:
    stamps = [f"00:{at // 60:02}:{at % 60:02}.000" for at in range(ROWS + 1)]
    text = "WEBVTT\n\n" + "\n".join(f"{stamps[at]} --> {stamps[at + 1]}\n{words}\n" for at in range(ROWS))
    captions = CaptionFile("talk.vtt", text.encode(), Origin.HUMAN, language)
    made = new_job([captions], [("draft.md", f"“{words}” [0:30]\n".encode())], title="Script")
    create_job(folder, made.job, made.tracks, drafts=made.drafts)
    return open_window(folder).transcript.cues


@pytest.mark.parametrize(("words", "language"), [(LATIN, "en"), (ARABIC, "ar")])
def test_a_line_under_words_stands_below_all_of_their_letters(
    open_window: OpenWindow, tmp_path: Path, words: str, language: str
) -> None:
    cues = cue_list(open_window, tmp_path / "script", words, language)
    painter = cues.itemDelegate()
    assert isinstance(painter, CuePainter)
    index = cues.model().index(0, 0)
    for width in (cues.viewport().width(), 220):  # on one line, and wrapped
        layout = painter._layout(words, width)
        lines = [layout.lineAt(number) for number in range(layout.lineCount())]
        for above, below in pairwise(lines):
            assert below.y() >= above.y() + above.height()
    height = painter.sizeHint(None, index).height()  # type: ignore[arg-type]
    only = painter._layout(words, 10_000).lineAt(0)
    assert height >= only.height()


def test_a_place_that_is_shown_stands_a_third_down_under_a_whole_row(open_window: OpenWindow, tmp_path: Path) -> None:
    cues = cue_list(open_window, tmp_path / "script", LATIN, "en")
    cues.show_row(0)
    cues.show_row(40)
    page = cues.viewport().height()
    top = cues.visualRect(cues.model().index(40, 0)).top()
    assert cues.visualRect(cues.model().index(cues.row_at_top(), 0)).top() == 0
    assert page * 0.15 < top < page * 0.55


def test_in_a_view_of_one_row_the_place_is_that_row(open_window: OpenWindow, tmp_path: Path) -> None:
    cues = cue_list(open_window, tmp_path / "script", LATIN, "en")
    row = cues.visualRect(cues.model().index(0, 0)).height()
    cues.setFixedHeight(row + 4)
    cues.show_row(0)
    cues.show_row(40)
    rect = cues.visualRect(cues.model().index(40, 0))
    assert rect.top() >= 0
    assert rect.bottom() < cues.viewport().height()
