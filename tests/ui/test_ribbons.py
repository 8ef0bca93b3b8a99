"""The ribbons between the panes: where they end, arrows to what is out of view, and a look that follows choice."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from quoteview.ui.main_window import MainWindow


def painted(window: MainWindow) -> QImage:
    return window.ribbons.grab().toImage()


def colored_rows(image: QImage, column: int, ground: str) -> list[int]:
    return [y for y in range(image.height()) if image.pixelColor(column, y).name() != ground]


def test_a_ribbon_joins_the_lines_of_both_panes(window: MainWindow) -> None:
    window.ribbons.set_shows_all(False)
    window.selection.select_claim(3)
    window.bring_into_view()
    image = painted(window)
    ground = image.pixelColor(image.width() // 2, image.height() - 2).name()
    cues, words = window.transcript.claim_rect(3), window.draft.claim_rect(3)
    assert cues is not None
    assert words is not None
    left, right = colored_rows(image, 0, ground), colored_rows(image, image.width() - 1, ground)
    assert abs(left[0] - cues.top()) <= 2
    assert abs(left[-1] - cues.bottom()) <= 2
    assert abs(right[0] - words.top()) <= 2
    assert abs(right[-1] - words.bottom()) <= 2


def test_a_target_out_of_view_is_an_arrow_that_brings_it_in(window: MainWindow) -> None:
    window.selection.select_claim(1)
    bar = window.transcript.cues.verticalScrollBar()
    bar.setValue(bar.maximum())
    painted(window)
    arrows = window.ribbons.arrows
    assert [claim for _, claim in arrows] == [1]
    QTest.mouseClick(window.ribbons, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, arrows[0][0].center().toPoint())
    painted(window)
    assert window.ribbons.arrows == ()


def test_the_key_for_out_of_view_brings_it_in_too(window: MainWindow) -> None:
    window.selection.select_claim(1)
    bar = window.transcript.cues.verticalScrollBar()
    bar.setValue(bar.maximum())
    QTest.keyClick(window.claim_list.rows, Qt.Key.Key_Period)
    painted(window)
    assert window.ribbons.arrows == ()


def test_the_others_are_faint_or_left_out_by_choice(window: MainWindow) -> None:
    window.selection.select_claim(3)
    window.bring_into_view()
    window.ribbons.set_shows_all(True)
    every = painted(window)
    window.ribbons.set_shows_all(False)
    alone = painted(window)
    ground = alone.pixelColor(alone.width() // 2, alone.height() - 2).name()
    assert len(colored_rows(every, 1, ground)) > len(colored_rows(alone, 1, ground))


def test_a_hovered_claim_is_lit_at_both_ends(window: MainWindow) -> None:
    window.selection.select_claim(3)
    window.ribbons.set_shows_all(False)
    before = painted(window)
    window.selection.hover(1)
    assert painted(window) != before
    window.selection.hover(None)
    assert painted(window) == before


def test_the_link_is_told_in_words(window: MainWindow) -> None:
    window.selection.select_claim(1)
    assert window.ribbons.accessibleDescription() == "Quotation 1 stands at 0:13 in the captions."
