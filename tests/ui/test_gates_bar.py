"""The gates bar: each gate open or closed, its evidence one click away, and the act that a person is allowed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from quoteview.core.gates import Gate
from quoteview.ui.gates_bar import GATES, GatePopup
from quoteview.ui.main_window import MainWindow

popups = pytest.mark.qt_log_ignore("This plugin does not support")
"""The offscreen platform says of each popup that it can neither be raised nor grab the keyboard."""


def entries(window: MainWindow) -> list[QToolButton]:
    return [button for button in window.gates_bar.findChildren(QToolButton) if button.isVisible()]


def settled(window: MainWindow, qtbot: QtBot) -> dict[str, Gate]:
    qtbot.waitUntil(lambda: window.session.is_settled and len(window.session.gates) == len(GATES), timeout=20_000)
    return {gate.name: gate for gate in window.session.gates}


def popup(window: MainWindow) -> GatePopup:
    return next(found for found in window.gates_bar.findChildren(GatePopup) if found.isVisible())


def test_each_gate_says_whether_it_is_open(window: MainWindow, qtbot: QtBot) -> None:
    gates = settled(window, qtbot)
    names = [button.accessibleName() for button in entries(window)]
    assert names == [f"gate {name}, {'open' if gates[name].is_open else 'closed'}" for name in GATES]
    counts = window.session.counts
    assert f"quotes {counts.total - counts.to_do}/{counts.total}" in [button.text().strip() for button in entries(window)]


@popups
def test_a_click_shows_the_evidence(window: MainWindow, qtbot: QtBot) -> None:
    gates = settled(window, qtbot)
    QTest.mouseClick(entries(window)[0], Qt.MouseButton.LeftButton)
    shown = popup(window)
    words = [label.text() for label in shown.findChildren(QLabel)]
    assert "lock · open" in words
    assert gates["lock"].evidence in words
    assert not shown.findChildren(QLineEdit)
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert not shown.isVisible()


@popups
def test_what_may_be_acknowledged_is_acknowledged_with_a_reason(window: MainWindow, qtbot: QtBot) -> None:
    gates = settled(window, qtbot)
    assert not gates["complete"].is_open
    window.gates_bar.open_gate("complete")
    shown = popup(window)
    reason, button = shown.findChildren(QLineEdit)[0], shown.findChildren(QPushButton)[0]
    assert not button.isEnabled()
    QTest.keyClicks(reason, "titles of books")
    QTest.keyClick(reason, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: settled(window, qtbot)["complete"].is_open, timeout=20_000)
    known = settled(window, qtbot)["complete"].acknowledged
    assert known is not None
    assert (known.by, known.reason) == ("Ada", "titles of books")


@popups
def test_the_gate_of_the_quotes_offers_no_act(window: MainWindow, qtbot: QtBot) -> None:
    assert not settled(window, qtbot)["quotes"].is_open
    window.gates_bar.open_gate("quotes")
    assert not popup(window).findChildren(QLineEdit)


@popups
def test_in_a_narrow_window_the_gates_are_one_chip(window: MainWindow, qtbot: QtBot) -> None:
    gates = settled(window, qtbot)
    window.resize(560, 600)
    qtbot.waitUntil(lambda: len(entries(window)) == 1)
    closed = sum(not gate.is_open for gate in gates.values())
    assert entries(window)[0].text().strip() == f"{closed} closed"
    QTest.mouseClick(entries(window)[0], Qt.MouseButton.LeftButton)
    assert popup(window).isVisible()
