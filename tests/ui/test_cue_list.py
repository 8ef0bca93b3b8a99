"""The list of cues: only rows near the view are measured, and what one looks at stays where it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from quoteview.core.captions.track import Origin
from quoteview.core.importing import CaptionFile
from quoteview.core.new_job import new_job
from quoteview.core.store import create_job
from quoteview.ui.cue_list import CueList
from tests.ui.conftest import OpenWindow

ROWS = 3_000


def stamp(second: int) -> str:
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.000"


@pytest.fixture
def cues(open_window: OpenWindow, tmp_path: Path) -> CueList:
    """A list of 3,000 cues of very different lengths; the only quotation stands in the last one."""
    lines = [f"cue {at} " + "words and more of them " * (at * 7 % 11) for at in range(ROWS)]
    text = "WEBVTT\n\n" + "\n".join(f"{stamp(at)} --> {stamp(at + 1)}\n{line}\n" for at, line in enumerate(lines))
    captions = CaptionFile("talk.vtt", text.encode(), Origin.HUMAN, "en")
    draft = f"“cue {ROWS - 1} ” [{stamp(ROWS - 1)[:8]}]\n".encode()
    made = new_job([captions], [("draft.md", draft)], title="Long")
    create_job(tmp_path / "long", made.job, made.tracks, drafts=made.drafts)
    return open_window(tmp_path / "long").transcript.cues


def measured(cues: CueList) -> int:
    return sum(cues._heights.is_measured(row) for row in range(ROWS))


def shown(cues: CueList) -> dict[int, int]:
    """Return where each row in view begins."""
    rows = range(cues.row_at_top(), ROWS)
    tops = {row: cues.visualRect(cues.model().index(row, 0)).top() for row in rows}
    return {row: top for row, top in tops.items() if top < cues.viewport().height()}


def check_rows_in_view(cues: CueList) -> None:
    """Each row in view is as high as its text needs, and begins where the one before it ends."""
    below = None
    for row in shown(cues):
        index = cues.model().index(row, 0)
        rect = cues.visualRect(index)
        assert rect.height() == cues.itemDelegate().sizeHint(None, index).height()  # type: ignore[arg-type]
        assert below is None or rect.top() == below
        assert cues.indexAt(rect.center()).row() == row
        below = rect.top() + rect.height()


def test_only_rows_near_the_view_are_measured(cues: CueList) -> None:
    assert 0 < measured(cues) < 300
    check_rows_in_view(cues)


def test_any_row_is_in_view_at_once_and_where_it_belongs(cues: CueList) -> None:
    for row in (ROWS - 1, 0, 1_500, 1_490, 2_999, 7):
        cues.show_row(row)
        rect = cues.visualRect(cues.model().index(row, 0))
        assert 0 <= rect.top() <= rect.bottom() < cues.viewport().height()
        check_rows_in_view(cues)
    assert measured(cues) < 900


def test_what_one_looks_at_moves_by_what_is_scrolled_also_where_rows_are_new(cues: CueList) -> None:
    cues.show_row(1_500)
    bar = cues.verticalScrollBar()
    for by in (-37, -37, -200, 90, -350, -350, -350, 400):
        before = shown(cues)
        bar.setValue(bar.value() + by)
        after = shown(cues)
        both = before.keys() & after.keys()
        assert both
        assert {before[row] - after[row] for row in both} == {by}
        check_rows_in_view(cues)


def test_the_ends_can_be_reached_by_the_bar(cues: CueList) -> None:
    bar = cues.verticalScrollBar()
    bar.setValue(bar.maximum())
    bar.setValue(bar.maximum())  # the last rows were measured by the first
    last = cues.visualRect(cues.model().index(ROWS - 1, 0))
    assert last.bottom() == cues.viewport().height() - 1
    bar.setValue(0)
    assert cues.visualRect(cues.model().index(0, 0)).top() == 0
    check_rows_in_view(cues)


def test_the_row_that_was_shown_stays_in_view_when_the_list_is_resized(cues: CueList) -> None:
    cues.show_row(2_000)
    window = cues.window()
    for size in ((1100, 700), (1440, 900)):
        window.resize(*size)
        QApplication.processEvents()
        rect = cues.visualRect(cues.model().index(2_000, 0))
        assert 0 <= rect.top() <= rect.bottom() < cues.viewport().height()
        check_rows_in_view(cues)


def test_a_larger_text_measures_again_and_keeps_the_place(cues: CueList) -> None:
    cues.show_row(2_000)
    top = cues.row_at_top()
    window = cues.window()
    window.theme.set_text_percent(130)  # type: ignore[attr-defined]
    QApplication.processEvents()
    assert abs(cues.row_at_top() - top) <= 12
    check_rows_in_view(cues)


def test_keys_walk_rows_pages_and_the_ends(cues: CueList) -> None:
    cues.setFocus()
    cues.setCurrentIndex(cues.model().index(100, 0))
    walk: list[tuple[Qt.Key, Callable[[int], bool]]] = [
        (Qt.Key.Key_PageDown, lambda row: row > 101),
        (Qt.Key.Key_PageUp, lambda row: abs(row - 100) <= 1),
        (Qt.Key.Key_End, lambda row: row == ROWS - 1),
        (Qt.Key.Key_Home, lambda row: row == 0),
    ]
    for key, is_right in walk:
        QTest.keyClick(cues, key)
        row = cues.currentIndex().row()
        assert is_right(row)
        rect = cues.visualRect(cues.currentIndex())
        assert rect.top() >= 0
        assert rect.bottom() < cues.viewport().height()


def test_below_the_last_row_there_is_none(cues: CueList) -> None:
    bar = cues.verticalScrollBar()
    bar.setValue(bar.maximum())
    bar.setValue(bar.maximum())
    assert not cues.indexAt(QPoint(5, cues.viewport().height() + 1)).isValid()
    assert not cues.indexAt(QPoint(5, -bar.value() - 1)).isValid()
