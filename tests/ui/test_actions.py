"""The table of actions, and keys as a person presses them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from quoteview.app.states import ClaimState, RepairKind
from quoteview.ui.actions import TABLE, ActionId, MenuId, When, is_plain, key_name
from quoteview.ui.keys_page import KeysPage
from quoteview.ui.main_window import MainWindow
from quoteview.ui.palette import CommandPalette
from tests.ui.conftest import OpenWindow

KEYS_OF_THE_DAY = {
    ActionId.NEXT_TO_DO: ("J", "F8"),
    ActionId.PREVIOUS_TO_DO: ("K", "Shift+F8"),
    ActionId.NEXT_CLAIM: ("Down",),
    ActionId.PREVIOUS_CLAIM: ("Up",),
    ActionId.FIRST_REPAIR: ("Return",),
    ActionId.SAFE_REPAIRS: ("Shift+Return",),
    ActionId.SOURCE_WORDS: ("W",),
    ActionId.TIME: ("T",),
    ActionId.SPLIT: ("S",),
    ActionId.NARROW: ("I",),
    ActionId.EDIT_CLAIM: ("E",),
    ActionId.SET_ASIDE: ("N",),
    ActionId.RETRACT: ("R",),
    ActionId.ACCEPT: ("A",),
    ActionId.ALIKE: ("G",),
    ActionId.PLAY: ("Space",),
    ActionId.PLAY_ON: ("Shift+Space",),
    ActionId.BACK: (",",),
    ActionId.BRING_INTO_VIEW: (".",),
    ActionId.EVIDENCE: ("X",),
    ActionId.LABEL: ("L",),
    ActionId.FIND: ("Ctrl+F",),
    ActionId.UNDO: ("Ctrl+Z",),
    ActionId.REDO: ("Ctrl+Shift+Z",),
    ActionId.SAVE: ("Ctrl+S",),
    ActionId.PALETTE: ("Ctrl+K",),
    ActionId.KEYS: ("F1",),
}


def focus(widget: QWidget) -> QWidget:
    widget.setFocus()
    found = QApplication.focusWidget()
    assert found is not None
    return found


def test_every_action_stands_in_the_table_once_and_no_key_twice() -> None:
    assert sorted(spec.id for spec in TABLE) == sorted(ActionId)
    keys = [key for spec in TABLE for key in spec.keys]
    assert len(keys) == len(set(keys))


def test_the_usual_keys_are_those_of_the_working_day() -> None:
    table = {spec.id: spec.keys for spec in TABLE}
    for action, keys in KEYS_OF_THE_DAY.items():
        assert table[action] == keys


def test_every_repair_is_an_action() -> None:
    assert {kind.value for kind in RepairKind} <= {action.value for action in ActionId}


def test_single_keys_are_told_from_chords() -> None:
    assert all(map(is_plain, ("J", "Space", "Shift+Space", "Return", ",", ".", "Down")))
    assert not any(map(is_plain, ("F8", "Shift+F8", "Ctrl+K", "Alt+J", "Esc", "Ctrl++")))


def test_return_is_called_enter() -> None:
    assert key_name("Shift+Return") == "Shift+Enter"


def test_every_listed_action_is_in_a_menu(window: MainWindow) -> None:
    menus = [menu for top in window.menuBar().actions() if isinstance(menu := top.menu(), QMenu)]
    listed = {action.text() for menu in menus for action in menu.actions() if not action.isSeparator()}
    for spec, action in window.actions_table.specs():
        assert (action.text() in listed) == spec.is_listed
    assert len(window.menuBar().actions()) == len(MenuId)


def test_a_letter_walks_while_the_list_has_the_focus(window: MainWindow) -> None:
    first = window.selection.claim_id
    QTest.keyClick(focus(window.claim_list), Qt.Key.Key_J)
    assert window.selection.claim_id != first
    QTest.keyClick(focus(window.claim_list), Qt.Key.Key_K)
    assert window.selection.claim_id == first


def test_a_letter_is_typed_while_the_draft_has_the_focus(window: MainWindow) -> None:
    here = window.selection.claim_id
    before = window.session.text
    assert before is not None
    QTest.keyClick(focus(window.draft), Qt.Key.Key_J)
    after = window.session.text
    assert after is not None
    assert len(after.draft_bytes) == len(before.draft_bytes) + 1
    assert window.session.counts.total == window.session.counts.exact + window.session.counts.to_do
    assert here is not None


def test_a_function_key_walks_even_from_the_draft(window: MainWindow) -> None:
    first = window.selection.claim_id
    QTest.keyClick(focus(window.draft), Qt.Key.Key_F8)
    assert window.selection.claim_id != first


def test_a_held_key_repairs_nothing_twice(window: MainWindow) -> None:
    to_do = window.session.counts.to_do
    widget = focus(window.claim_list)
    held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_W, Qt.KeyboardModifier.NoModifier, "w", True)
    QApplication.sendEvent(widget, held)
    assert window.session.counts.to_do == to_do


def test_space_presses_a_focused_button_and_does_not_play(window: MainWindow, qtbot: QtBot) -> None:
    button = next(found for found in window.resolve_panel.findChildren(QPushButton) if found.isVisible() and found.isEnabled())
    button.setFocus()
    with qtbot.waitSignal(button.pressed):
        QTest.keyPress(button, Qt.Key.Key_Space)
    QTest.keyRelease(button, Qt.Key.Key_Space)


def test_enter_does_the_first_repair_and_goes_on(window: MainWindow) -> None:
    claim_id = window.selection.claim_id
    assert claim_id is not None
    QTest.keyClick(focus(window.claim_list), Qt.Key.Key_Return)
    assert window.session.state(claim_id) is ClaimState.EXACT
    assert window.selection.claim_id == window.session.to_do()[0]


def test_enter_never_rewrites_what_has_to_be_heard(window: MainWindow) -> None:
    number = next(c for c in window.session.to_do() if "number" in (window.session.verdict(c) or ("",)).classes)  # type: ignore[union-attr]
    window.selection.select_claim(number)
    before = window.session.text
    QTest.keyClick(focus(window.claim_list), Qt.Key.Key_Return)
    assert window.session.text is before
    QTest.keyClick(focus(window.claim_list), Qt.Key.Key_W)
    assert window.session.text is not before


def test_what_is_not_allowed_is_disabled_and_not_done(open_window: OpenWindow) -> None:
    window = open_window()
    for spec, action in window.actions_table.specs():
        assert action.isEnabled() == (spec.when is When.ALWAYS)
    window.actions_table.request(ActionId.FIRST_REPAIR)
    window.actions_table.request(ActionId.UNDO)


def test_undo_names_what_it_would_take_back(window: MainWindow) -> None:
    QTest.keyClick(focus(window.claim_list), Qt.Key.Key_Return)
    assert window.actions_table.action(ActionId.UNDO).text() == f"Undo: {window.session.undo_name}"
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.actions_table.action(ActionId.UNDO).text() == "Undo"
    assert window.actions_table.action(ActionId.REDO).isEnabled()


def test_a_persons_own_key_replaces_the_usual_one_and_is_kept(window: MainWindow) -> None:
    assert window.actions_table.set_key(ActionId.NEXT_TO_DO, "Y") is None
    first = window.selection.claim_id
    QTest.keyClick(focus(window.claim_list), Qt.Key.Key_Y)
    assert window.selection.claim_id != first
    assert window.settings.keys(ActionId.NEXT_TO_DO) == "Y"
    assert window.actions_table.set_key(ActionId.NEXT_TO_DO, None) is None
    assert window.actions_table.keys(ActionId.NEXT_TO_DO) == ("J", "F8")


def test_a_key_that_another_action_has_is_refused(window: MainWindow) -> None:
    assert window.actions_table.set_key(ActionId.NEXT_TO_DO, "W") is ActionId.SOURCE_WORDS
    assert window.actions_table.keys(ActionId.NEXT_TO_DO) == ("J", "F8")


def test_the_palette_does_what_was_typed(window: MainWindow, qtbot: QtBot) -> None:
    QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    palette = window.findChild(CommandPalette)
    assert palette is not None
    QTest.keyClicks(palette.line, "next to do")
    first = window.selection.claim_id
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert window.selection.claim_id != first


def test_the_page_of_keys_lists_every_action_and_changes_one(window: MainWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_F1)
    page = window.findChild(KeysPage)
    assert page is not None
    rows = [
        row
        for at in range(page.tree.topLevelItemCount())
        for head in [page.tree.topLevelItem(at)]
        if head is not None
        for below in range(head.childCount())
        if (row := head.child(below)) is not None
    ]
    assert len(rows) == len(TABLE)
    page.tree.setCurrentItem(next(row for row in rows if row.text(0) == "Evidence…"))
    page.edit.setKeySequence("Ctrl+E")
    page.set_button.click()
    assert window.actions_table.keys(ActionId.EVIDENCE) == ("Ctrl+E",)
    page.edit.setKeySequence("Ctrl+K")
    page.set_button.click()
    assert "Find a command" in page.remark.text()
    page.usual_button.click()
    assert window.actions_table.keys(ActionId.EVIDENCE) == ("X",)


def test_keys_survive_a_restart(open_window: OpenWindow, tmp_path: Path) -> None:
    first = open_window()
    first.actions_table.set_key(ActionId.LABEL, "Ctrl+Shift+L")
    first.settings.flush()
    assert open_window().actions_table.keys(ActionId.LABEL) == ("Ctrl+Shift+L",)
