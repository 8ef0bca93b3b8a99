"""The window at the sizes people have: its parts beside each other, nothing cut that the usual job says."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from quoteview.app.states import Phase
from quoteview.core.sample import create_sample_job
from quoteview.ui.elided import ElidedLabel
from quoteview.ui.folding_buttons import FoldingButtons
from quoteview.ui.key_button import KeyButton
from quoteview.ui.main_window import MainWindow
from quoteview.ui.panel_forms import AcceptForm
from tests.ui.conftest import OpenWindow

SIZES = [(1440, 900), (1280, 720)]


def place(widget: QWidget, window: MainWindow) -> QRect:
    return QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size())


@pytest.mark.parametrize("size", SIZES)
def test_the_parts_stand_beside_each_other_inside_the_window(window: MainWindow, size: tuple[int, int]) -> None:
    window.resize(*size)
    parts = [
        window.header,
        window.strip,
        window.transcript,
        window.ribbons,
        window.draft,
        window.claim_list,
        window.resolve_panel,
        window.gates_bar,
    ]
    places = [place(part, window) for part in parts if part.isVisible()]
    assert len(places) == len(parts)
    for one, other in combinations(places, 2):
        assert not one.intersects(other)
    assert all(window.rect().contains(found) for found in places)


@pytest.mark.parametrize("size", SIZES)
def test_no_name_is_cut_and_no_button_leaves_the_panel(window: MainWindow, size: tuple[int, int]) -> None:
    window.resize(*size)
    labels = [label for label in window.findChildren(ElidedLabel) if label.isVisible() and label.text()]
    assert labels
    for label in labels:
        assert label.fontMetrics().horizontalAdvance(label.text()) <= label.contentsRect().width()
    panel = place(window.resolve_panel, window)
    buttons = [button for button in window.resolve_panel.findChildren(KeyButton) if button.isVisible()]
    assert len(buttons) > 3
    assert all(panel.contains(place(button, window)) for button in buttons)


def test_a_small_screen_at_200_percent_keeps_every_button_whole_and_folds_the_rest_into_a_menu(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(640, 360)
    window.selection.select_claim(4)
    qtbot.wait(50)
    panel = place(window.resolve_panel, window)
    shown = [button for button in window.resolve_panel.findChildren(KeyButton) if button.isVisible()]
    assert "More…" in [button.text() for button in shown]
    for button in shown:
        assert panel.contains(place(button, window))
        assert button.height() >= button.sizeHint().height()
        assert not button.visibleRegion().isEmpty()
        assert button.visibleRegion().boundingRect() == button.rect()
    assert window.transcript.cues.viewport().height() >= 2 * window.theme.pixels(24)


def test_a_folded_way_to_resolve_is_in_the_menu_with_its_key(window: MainWindow, qtbot: QtBot) -> None:
    window.selection.select_claim(4)
    window.resize(640, 360)
    qtbot.wait(50)
    buttons = window.resolve_panel.findChild(FoldingButtons)
    assert isinstance(buttons, FoldingButtons)
    folded = [f"{button.text()}\t{button.key}" for button in buttons.folded]
    assert "Accept…\tA" in folded
    QTest.mouseClick(buttons.more, Qt.MouseButton.LeftButton)
    menu = buttons.findChild(QMenu)
    assert isinstance(menu, QMenu)
    assert [action.text() for action in menu.actions()] == folded
    menu.actions()[folded.index("Accept…\tA")].trigger()
    menu.close()
    assert window.resolve_panel.findChild(AcceptForm) is not None


def test_all_buttons_are_shown_again_where_there_is_room(window: MainWindow, qtbot: QtBot) -> None:
    window.selection.select_claim(4)
    window.resize(640, 360)
    qtbot.wait(50)
    window.resize(1440, 900)
    qtbot.wait(50)
    shown = [button.text() for button in window.resolve_panel.findChildren(KeyButton) if button.isVisible()]
    assert "Accept…" in shown
    assert "More…" not in shown


def test_a_title_longer_than_the_window_is_cut_and_leaves_the_label_s_button_in_view(window: MainWindow) -> None:
    window.resize(1280, 720)
    window.header.title.setText("a title as long as nobody would write it " * 12)
    layout = window.header.layout()
    assert layout is not None
    layout.activate()
    title = window.header.title
    assert title.fontMetrics().horizontalAdvance(title.text()) > title.contentsRect().width()
    assert window.rect().contains(place(window.header.label, window))
    assert not place(title, window).intersects(place(window.header.switcher, window))


def test_a_track_whose_lock_is_broken_is_not_shown_in_the_colour_of_an_exact_one(open_window: OpenWindow, tmp_path: Path) -> None:
    folder = create_sample_job(tmp_path / "sample.quoteview").folder
    whole = open_window(folder)
    assert whole.transcript.head._track.property("role") == "chip"
    whole.close()
    whole.session.shut_down()
    track = next((folder / "tracks").glob("*.human.vtt"))
    track.chmod(0o644)
    track.write_bytes(track.read_bytes() + b"\n")
    broken = open_window(folder)
    assert broken.session.phase is Phase.LOCK_BROKEN
    assert broken.transcript.head._track.property("role") == "chip_unknown"
