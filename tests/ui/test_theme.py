from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from quoteview.app.states import ClaimState
from quoteview.ui.theme import DARK, HIGH_CONTRAST, LIGHT, FontRole, Palette, Theme, ThemeKind, contrast


@pytest.mark.parametrize("palette", [LIGHT, DARK, HIGH_CONTRAST], ids=["light", "dark", "high contrast"])
def test_text_meets_every_background_with_enough_contrast(palette: Palette) -> None:
    for text, ground in palette.text_pairs():
        ratio = contrast(getattr(palette, text), getattr(palette, ground))
        assert ratio >= 4.5, f"{text} on {ground}: {ratio:.2f}"


def test_contrast_is_computed_as_wcag_does() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_no_two_states_share_word_line_or_background(qtbot: QtBot) -> None:
    theme = Theme(ThemeKind.LIGHT)
    looks = [theme.look(state) for state in ClaimState]
    for part in ("word", "underline", "pen"):
        assert len({str(getattr(look, part)) for look in looks}) == len(looks)
    assert len({look.soft.name() for look in looks}) == len(looks)


def test_choosing_a_theme_restyles_the_application(qtbot: QtBot, qapp: QApplication) -> None:
    theme = Theme(ThemeKind.LIGHT)
    theme.apply()
    light = qapp.styleSheet()
    with qtbot.waitSignal(theme.changed):
        theme.choose(ThemeKind.DARK)
    assert theme.is_dark
    assert qapp.styleSheet() != light
    assert "@" not in qapp.styleSheet()


def test_text_grows_and_stays_in_bounds(qtbot: QtBot) -> None:
    theme = Theme(ThemeKind.LIGHT)
    usual = theme.font(FontRole.DRAFT).pixelSize()
    theme.set_text_percent(200)
    assert theme.font(FontRole.DRAFT).pixelSize() == usual * 2
    theme.set_text_percent(9000)
    assert theme.text_percent == 250


def test_the_system_theme_is_one_of_ours(qtbot: QtBot) -> None:
    assert Theme(ThemeKind.SYSTEM).palette in (LIGHT, DARK, HIGH_CONTRAST)


def test_void_calls_drop_no_reference_to_none(qtbot: QtBot) -> None:
    thing = QObject()
    before = sys.getrefcount(None)
    for number in range(1000):
        thing.setObjectName(str(number))
    assert abs(sys.getrefcount(None) - before) < 100
