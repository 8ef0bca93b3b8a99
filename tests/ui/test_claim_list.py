"""The list of claims: tabs with counts, filters, sorting, and one selection in every view."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from quoteview.app.claim_model import ClaimRole
from quoteview.app.states import ClaimState
from quoteview.core.acts import ExceptionClass
from quoteview.ui.main_window import MainWindow


def tabs(window: MainWindow) -> dict[str, QPushButton]:
    found = [button for button in window.claim_list.findChildren(QPushButton) if not button.isHidden()]
    return {button.accessibleName().rsplit(" ", 1)[0]: button for button in found}


def listed(window: MainWindow) -> list[int]:
    model = window.claim_list.rows.model()
    return [int(model.index(row, 0).data(ClaimRole.CLAIM_ID)) for row in range(model.rowCount(QModelIndex()))]


def choose(window: MainWindow, words: str) -> None:
    menu = next(menu for menu in window.claim_list.findChildren(QMenu))
    menu.aboutToShow.emit()
    next(action for action in menu.actions() if action.text() == words).trigger()


def test_each_tab_shows_its_claims_and_their_count(window: MainWindow) -> None:
    session = window.session
    assert listed(window) == list(session.to_do())
    assert tabs(window)["To do"].text() == f"To do {session.counts.to_do}"
    QTest.mouseClick(tabs(window)["All"], Qt.MouseButton.LeftButton)
    assert listed(window) == [claim.id for claim in session.claims]
    QTest.mouseClick(tabs(window)["Exact"], Qt.MouseButton.LeftButton)
    assert listed(window) == [claim.id for claim in session.claims if session.state(claim.id) is ClaimState.EXACT]
    assert "Exceptions" not in tabs(window)


def test_a_tab_of_exceptions_appears_with_the_first_one(window: MainWindow, qtbot: QtBot) -> None:
    claim = window.session.to_do()[-1]
    window.session.set_aside(claim, "from a book")
    qtbot.waitUntil(lambda: window.session.state(claim) is not ClaimState.TO_DO, timeout=10_000)
    assert {"Exceptions", "Set aside"} & set(tabs(window))
    assert claim not in listed(window)
    assert tabs(window)["To do"].text() == f"To do {window.session.counts.to_do}"


def test_tabs_that_do_not_fit_show_their_sign_and_count_and_none_is_cut(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1440, 900)
    first, second = window.session.to_do()[-2:]
    window.session.set_aside(first, "from a book")
    qtbot.waitUntil(lambda: window.session.state(first) is not ClaimState.TO_DO, timeout=10_000)
    window.session.accept(second, ExceptionClass.WORDING, "said so on the phone")
    qtbot.waitUntil(lambda: window.session.state(second) is not ClaimState.TO_DO, timeout=10_000)
    for percent in (100, 150):
        window.theme.set_text_percent(percent)
        qtbot.wait(50)
        shown = list(tabs(window).values())
        assert "Exceptions 2" in [button.accessibleName() for button in shown]
        assert all(button.width() >= button.sizeHint().width() for button in shown)
        assert all(window.claim_list.rect().contains(button.geometry()) for button in shown)
        shortened = [button for button in shown if button.text().isdigit()]
        assert all(not button.icon().isNull() and button.toolTip() == button.accessibleName() for button in shortened)
    assert shortened


def test_the_list_can_be_filtered_by_verdict_and_speaker(window: MainWindow) -> None:
    every = listed(window)
    choose(window, "mistimed")
    assert 0 < len(listed(window)) < len(every)
    choose(window, "Any verdict")
    assert listed(window) == every
    choose(window, "Ines Halloran")
    assert 0 < len(listed(window)) < len(every)
    choose(window, "Any speaker")
    assert listed(window) == every


def test_the_list_can_be_sorted(window: MainWindow) -> None:
    every = listed(window)
    model = window.claim_list.rows.model()
    choose(window, "By verdict")
    words = [str(model.index(row, 0).data(ClaimRole.WORD)) for row in range(len(every))]
    assert words == sorted(words)
    choose(window, "By time")
    moments = [int(model.index(row, 0).data(ClaimRole.MOMENT_MS)) for row in range(len(every))]
    assert moments == sorted(moments)
    choose(window, "In the draft's order")
    assert listed(window) == every


def test_a_click_selects_in_every_view(window: MainWindow) -> None:
    rows = window.claim_list.rows
    place = rows.visualRect(rows.model().index(2, 0)).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    claim = window.session.to_do()[2]
    assert window.selection.claim_id == claim
    assert claim in window.draft.editor.claims_in_view()


def test_keys_walk_what_is_to_do_and_every_claim(window: MainWindow) -> None:
    to_do, rows = window.session.to_do(), window.claim_list.rows
    rows.setFocus()
    QTest.keyClick(rows, Qt.Key.Key_J)
    assert window.selection.claim_id == to_do[1]
    assert rows.currentIndex().data(ClaimRole.CLAIM_ID) == to_do[1]
    QTest.keyClick(rows, Qt.Key.Key_K)
    QTest.keyClick(rows, Qt.Key.Key_K)
    assert window.selection.claim_id == to_do[-1]
    QTest.keyClick(rows, Qt.Key.Key_Home)
    assert window.selection.claim_id == to_do[0]
    QTest.keyClick(rows, Qt.Key.Key_Up)
    assert window.selection.claim_id == to_do[0] - 1
    assert not rows.currentIndex().isValid()


def test_rows_are_announced_in_words(window: MainWindow) -> None:
    words = str(window.claim_list.rows.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole))
    assert words.startswith(f"quotation {window.session.to_do()[0]} of {len(window.session.claims)}, mistimed, claimed 1:36")


def test_an_empty_tab_says_what_that_means(window: MainWindow) -> None:
    window.claim_list.show_tab(ClaimState.EXCEPTION)
    assert not window.claim_list.rows.isVisible()
    words = [label.text() for label in window.claim_list.findChildren(QLabel) if label.isVisible()]
    assert words == ["No quotation here."]
