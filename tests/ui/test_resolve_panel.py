"""The resolve panel: each verdict said and shown, and every way to resolve driven by keyboard alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from quoteview.app.states import ClaimState
from quoteview.core.acts import ExceptionClass
from quoteview.core.verdicts import DifferenceClass, VerdictKind
from quoteview.ui.difference_lines import DifferenceLines, Stretch, Style, name_of, shortened, source_line
from quoteview.ui.key_button import KeyButton
from quoteview.ui.main_window import MainWindow
from quoteview.ui.panel_forms import AcceptForm, EditForm, RetractForm
from quoteview.ui.panel_gates import GateLines
from quoteview.ui.panel_lists import AlikeForm, SafeRepairsForm

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def press(key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, key, modifier)


def type_words(words: str) -> None:
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClicks(focus, words)


def buttons(window: MainWindow) -> list[KeyButton]:
    return [button for button in window.resolve_panel.findChildren(KeyButton) if button.isVisible()]


def said(window: MainWindow) -> str:
    return " ".join(label.text() for label in window.resolve_panel.findChildren(QLabel) if label.isVisible())


def with_class(window: MainWindow, wanted: DifferenceClass) -> int:
    for claim_id in window.session.to_do():
        verdict = window.session.verdict(claim_id)
        if verdict is not None and wanted in verdict.classes:
            return claim_id
    pytest.skip(f"the sample has no {wanted}")


def with_kind(window: MainWindow, wanted: VerdictKind) -> int:
    for claim in window.session.claims:
        verdict = window.session.verdict(claim.id)
        if verdict is not None and verdict.kind is wanted:
            return claim.id
    pytest.skip(f"the sample has no {wanted}")


def settled(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.session.is_settled, timeout=20_000)


def test_every_verdict_of_the_sample_is_said_and_shown_with_its_repairs_and_keys(window: MainWindow) -> None:
    for claim in window.session.claims:
        window.selection.select_claim(claim.id)
        sentence = window.session.sentence(claim.id)
        assert sentence
        assert sentence in said(window)
        assert f"quote {claim.id} of {len(window.session.claims)}" in said(window)
        lines = window.resolve_panel.findChildren(DifferenceLines)[0]
        assert lines.accessibleName().startswith("Draft:")
        repairs = window.session.repairs(claim.id)
        assert [button.text() for button in buttons(window)][: len(repairs)] == [repair.label for repair in repairs]
        if repairs:
            assert buttons(window)[0].key == "Enter"
            assert buttons(window)[0].property("role") == "primary"
            assert all(button.key for button in buttons(window)[: len(repairs)] if "time" not in button.text())


def test_what_differs_is_framed_in_both_lines(window: MainWindow) -> None:
    claim = with_class(window, DifferenceClass.TYPOGRAPHY)
    window.selection.select_claim(claim)
    lines = window.resolve_panel.findChildren(DifferenceLines)[0]
    assert "removed" in lines.accessibleName()
    assert "added" in lines.accessibleName()
    colors = window.theme.palette
    image = lines.grab().toImage()
    found = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert colors.to_do_soft in found
    assert colors.exact_soft in found


def test_invisible_characters_are_named() -> None:
    assert name_of("\u00a0") == "⟨U+00A0 no-break space⟩"
    assert name_of("\u00ad") == "⟨U+00AD soft hyphen⟩"
    assert name_of("\u200b") == "⟨U+200B zero-width space⟩"
    assert "U+0007" in name_of("\u0007")


def test_a_long_quotation_is_shown_around_its_first_difference() -> None:
    long = (Stretch("a" * 2000, Style.PLAIN), Stretch("b", Style.REMOVED), Stretch("c" * 2000, Style.PLAIN))
    shown = shortened(long)
    assert sum(len(stretch.text) for stretch in shown) < 1000
    assert Stretch("b", Style.REMOVED) in shown
    short = (Stretch("a", Style.PLAIN),)
    assert shortened(short) == short


def test_the_captions_line_is_the_captions_own_characters(window: MainWindow) -> None:
    claim = with_class(window, DifferenceClass.WORDS)
    verdict = window.session.verdict(claim)
    assert verdict is not None
    assert verdict.nearest is not None
    line = "".join(stretch.text for stretch in source_line(verdict)).strip("… ")
    reference = window.session.review.reference if window.session.review else None
    assert reference is not None
    assert line in reference.text


def test_enter_does_the_first_repair_and_selects_the_next_to_do(window: MainWindow, qtbot: QtBot) -> None:
    claim = with_kind(window, VerdictKind.MISTIMED)
    window.selection.select_claim(claim)
    before = window.session.counts.to_do
    press(Qt.Key.Key_Return)
    settled(window, qtbot)
    assert window.session.counts.to_do == before - 1
    assert window.session.state(claim) is ClaimState.EXACT
    assert window.selection.claim_id in window.session.to_do()
    press(Qt.Key.Key_Z, CONTROL)
    settled(window, qtbot)
    assert window.session.counts.to_do == before


def test_for_words_enter_plays_and_rewriting_takes_its_own_key(window: MainWindow, qtbot: QtBot) -> None:
    claim = with_class(window, DifferenceClass.WORDS)
    window.selection.select_claim(claim)
    assert buttons(window)[0].text() == "Play"
    before = window.session.draft.data if window.session.draft else b""
    press(Qt.Key.Key_Return)
    assert window.session.draft is not None
    assert window.session.draft.data == before
    press(Qt.Key.Key_W)
    settled(window, qtbot)
    assert window.session.draft.data != before


def test_the_edit_form_judges_as_one_types_and_enter_writes(window: MainWindow, qtbot: QtBot) -> None:
    claim_id = with_class(window, DifferenceClass.TYPOGRAPHY)
    window.selection.select_claim(claim_id)
    claim, verdict = window.session.claim(claim_id), window.session.verdict(claim_id)
    assert claim is not None
    assert verdict is not None
    assert verdict.nearest is not None
    press(Qt.Key.Key_E)
    form = window.resolve_panel.findChildren(EditForm)[0]
    assert QApplication.focusWidget() is form.words
    assert "typography" in form.verdict.text()
    form.words.selectAll()
    type_words(verdict.nearest.text)
    assert form.verdict.text().startswith("Exact")
    press(Qt.Key.Key_Return)
    settled(window, qtbot)
    assert window.session.state(claim_id) is ClaimState.EXACT
    assert QApplication.focusWidget() is window.resolve_panel
    press(Qt.Key.Key_J)
    assert window.selection.claim_id in window.session.to_do()


def test_escape_leaves_a_form_and_plain_keys_act_again(window: MainWindow) -> None:
    before = window.session.draft.data if window.session.draft else b""
    press(Qt.Key.Key_E)
    type_words("jnr")
    press(Qt.Key.Key_Escape)
    assert not window.resolve_panel.findChildren(EditForm) or not window.resolve_panel.findChildren(EditForm)[0].isVisible()
    assert window.session.draft is not None
    assert window.session.draft.data == before
    here = window.selection.claim_id
    press(Qt.Key.Key_J)
    assert window.selection.claim_id != here


def test_accepting_needs_a_class_and_a_reason(window: MainWindow, qtbot: QtBot) -> None:
    claim = with_class(window, DifferenceClass.WORDS)
    window.selection.select_claim(claim)
    press(Qt.Key.Key_A)
    form = window.resolve_panel.findChildren(AcceptForm)[0]
    assert form.kind.currentData() == ExceptionClass.WORDING
    press(Qt.Key.Key_Return)
    assert window.session.state(claim) is ClaimState.TO_DO
    press(Qt.Key.Key_Up)
    assert form.kind.currentData() == ExceptionClass.HOUSE_STYLE
    press(Qt.Key.Key_Down)
    type_words("heard on the tape")
    press(Qt.Key.Key_Return)
    settled(window, qtbot)
    assert window.session.state(claim) is ClaimState.EXCEPTION
    resolution = window.session.resolution(claim)
    assert resolution is not None
    assert (resolution.exception_class, resolution.reason) == (ExceptionClass.WORDING, "heard on the tape")
    assert window.selection.claim_id in window.session.to_do()


def test_a_short_term_is_set_aside_by_one_key_and_a_timed_one_needs_a_reason(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    short = next(claim for claim in session.to_do() if not session.needs_reason(claim))
    window.selection.select_claim(short)
    press(Qt.Key.Key_N)
    settled(window, qtbot)
    assert session.state(short) is ClaimState.SET_ASIDE
    timed = next(claim for claim in session.to_do() if session.needs_reason(claim))
    window.selection.select_claim(timed)
    press(Qt.Key.Key_N)
    assert session.state(timed) is ClaimState.TO_DO
    type_words("from the book")
    press(Qt.Key.Key_Return)
    settled(window, qtbot)
    assert session.state(timed) is ClaimState.EXCEPTION
    assert session.undo_name == "set aside"  # the Enter of the form did nothing else


def test_retracting_asks_and_enter_keeps_the_words(window: MainWindow, qtbot: QtBot) -> None:
    claim = window.session.claim(with_class(window, DifferenceClass.WORDS))
    assert claim is not None
    window.selection.select_claim(claim.id)
    count = len(window.session.claims)
    press(Qt.Key.Key_R)
    assert window.resolve_panel.findChildren(RetractForm)[0].keep.hasFocus()
    assert len(window.session.claims) == count
    press(Qt.Key.Key_Return)
    settled(window, qtbot)
    assert len(window.session.claims) == count - 1
    text = window.session.text
    assert text is not None
    assert claim.text in text.text
    assert f"“{claim.text}" not in text.text


def test_all_safe_repairs_are_listed_and_space_unticks(window: MainWindow, qtbot: QtBot) -> None:
    listed = window.session.safe_repairs()
    assert len(listed) > 1
    before = window.session.counts.to_do
    press(Qt.Key.Key_Return, SHIFT)
    form = window.resolve_panel.findChildren(SafeRepairsForm)[0]
    assert form.rows.ticked() == [one.claim for one in listed]
    press(Qt.Key.Key_Space)
    assert form.rows.ticked() == [one.claim for one in listed[1:]]
    press(Qt.Key.Key_Return)
    settled(window, qtbot)
    assert window.session.counts.to_do == before - len(listed) + 1
    press(Qt.Key.Key_Z, CONTROL)
    settled(window, qtbot)
    assert window.session.counts.to_do == before


def test_alike_ones_are_seen_before_one_act_resolves_them(window: MainWindow, qtbot: QtBot) -> None:
    chosen = next((claim for claim in window.session.to_do() if window.session.alike(claim)), None)
    if chosen is None:
        pytest.skip("the sample has no claims that are alike")
    window.selection.select_claim(chosen)
    alike = window.session.alike(chosen)[0]
    before = window.session.counts.to_do
    press(Qt.Key.Key_G)
    form = window.resolve_panel.findChildren(AlikeForm)[0]
    assert form.rows.ticked() == list(alike.claims)
    assert window.session.counts.to_do == before
    press(Qt.Key.Key_Return)
    settled(window, qtbot)
    assert window.session.counts.to_do == before - len(alike.claims)


def test_a_click_on_a_button_does_what_its_key_does_and_focus_stays_in_the_panel(window: MainWindow, qtbot: QtBot) -> None:
    window.selection.select_claim(with_kind(window, VerdictKind.MISTIMED))
    before = window.session.counts.to_do
    button = buttons(window)[0]
    button.setFocus()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settled(window, qtbot)
    assert window.session.counts.to_do == before - 1
    focus = QApplication.focusWidget()
    assert focus is window.resolve_panel or window.resolve_panel.isAncestorOf(focus or window)
    retract = next(button for button in buttons(window) if button.key == "R")
    QTest.mouseClick(retract, Qt.MouseButton.LeftButton)
    assert window.resolve_panel.findChildren(RetractForm)[0].isVisible()


def test_where_nothing_is_selected_the_gates_stand_with_their_evidence(window: MainWindow, qtbot: QtBot) -> None:
    settled(window, qtbot)
    window.selection.select_claim(None)
    lines = window.resolve_panel.findChildren(GateLines)[0]
    assert lines.isVisible()
    for gate in window.session.gates:
        assert gate.name in lines.accessibleDescription()
    label = buttons(window)[0]
    assert (label.text(), label.key, label.isEnabled()) == ("Label verified…", "L", False)
    assert window.session.label_refusal in said(window)
    window.selection.select_claim(1)
    assert not lines.isVisible()


def test_buttons_wrap_and_never_overflow(window: MainWindow) -> None:
    window.selection.select_claim(with_class(window, DifferenceClass.WORDS))
    for size in ((1280, 720), (1000, 700), (900, 700)):
        window.resize(*size)
        QApplication.processEvents()
        panel = window.resolve_panel
        for button in buttons(window):
            place = button.mapTo(panel, button.rect().topLeft())
            assert place.x() >= 0
            assert place.x() + button.width() <= panel.width()
            assert place.y() + button.height() <= panel.height()
