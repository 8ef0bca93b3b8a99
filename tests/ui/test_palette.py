from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from quoteview.ui.actions import ActionId
from quoteview.ui.keys_page import KeysPage
from quoteview.ui.main_window import MainWindow
from quoteview.ui.palette import CommandPalette, match_rank


def test_words_are_found_by_their_beginnings_in_any_order() -> None:
    assert match_rank("dr sw", "Switch to draft 1") == 0
    assert match_rank("", "Undo") == 0


def test_the_middle_of_a_word_fits_less_well() -> None:
    assert match_rank("raft", "Switch to draft 1") == 1


def test_what_stands_nowhere_is_not_found() -> None:
    assert match_rank("dr xyz", "Switch to draft 1") is None


def test_case_and_ellipsis_do_not_matter() -> None:
    assert match_rank("ACCEPT REAS", "Accept with a reason…") == 0


def test_a_screen_reader_hears_what_enter_would_do_and_that_nothing_fits(window: MainWindow) -> None:
    window.actions_table.request(ActionId.PALETTE)
    palette = window.findChild(CommandPalette)
    assert palette is not None
    QTest.keyClicks(palette.line, "next to")
    assert palette.line.accessibleDescription().startswith("Next to do")
    QTest.keyClicks(palette.line, "zzz")
    assert palette.nothing.isVisible()
    assert not palette.list.isVisible()
    assert "No command" in palette.line.accessibleDescription()
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert palette.isVisible()
    QTest.keyClick(palette.line, Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_the_page_of_keys_gives_another_key_says_who_has_it_and_closes_with_enter(window: MainWindow) -> None:
    window.actions_table.request(ActionId.KEYS)
    page = window.findChild(KeysPage)
    assert page is not None
    rows = page.tree.findItems("Open the sample job", Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive)
    page.tree.setCurrentItem(rows[0])
    page.edit.setFocus()
    QTest.keyClick(page.edit, Qt.Key.Key_J)
    QTest.mouseClick(page.set_button, Qt.MouseButton.LeftButton)
    assert "Next to do" in page.remark.text()
    page.tree.setFocus()
    QTest.keyClick(page.tree, Qt.Key.Key_Return)
    assert not page.isVisible()
