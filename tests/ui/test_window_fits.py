"""The window at the sizes people have: its parts beside each other, nothing cut that the usual job says."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from quoteview.app.states import Phase
from quoteview.core.sample import create_sample_job
from quoteview.ui.elided import ElidedLabel
from quoteview.ui.key_button import KeyButton
from quoteview.ui.main_window import MainWindow
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
    assert whole.transcript._head._track.property("role") == "chip"
    whole.close()
    whole.session.shut_down()
    track = next((folder / "tracks").glob("*.human.vtt"))
    track.chmod(0o644)
    track.write_bytes(track.read_bytes() + b"\n")
    broken = open_window(folder)
    assert broken.session.phase is Phase.LOCK_BROKEN
    assert broken.transcript._head._track.property("role") == "chip_unknown"
