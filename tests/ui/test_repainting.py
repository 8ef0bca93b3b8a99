"""What is drawn again, and what is not: the rows and buttons that look other than before, and no others."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from quoteview.app.states import Changes, ClaimState
from quoteview.ui.difference_lines import DifferenceLines
from quoteview.ui.key_button import KeyButton
from quoteview.ui.main_window import MainWindow


class Painted(QObject):
    """Keeps what is painted of a widget from now on."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        QApplication.processEvents()
        self.rects: list[QRect] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note a paint event's rectangles."""
        if isinstance(event, QPaintEvent):
            self.rects += list(event.region())  # type: ignore[call-overload]  # a QRegion is iterated by its rectangles
        return False


def test_pointing_at_a_claim_draws_its_row_and_the_one_pointed_at_before(window: MainWindow) -> None:
    window.claim_list.show_tab(None)
    window.selection.select_claim(1)
    window.selection.hover(2)
    rows = window.claim_list.rows
    painted = Painted(rows.viewport())
    window.selection.hover(3)
    QApplication.processEvents()
    model = rows.model()
    lit = rows.visualRect(model.index(0, 0)).united(rows.visualRect(model.index(2, 0)))  # the selected one is among them
    assert painted.rects
    assert all(lit.contains(rect) for rect in painted.rects)
    assert any(rect.intersects(rows.visualRect(model.index(2, 0))) for rect in painted.rects)


def test_a_claim_left_by_the_pointer_is_drawn_as_before(window: MainWindow) -> None:
    window.claim_list.show_tab(None)
    window.selection.select_claim(1)
    before = window.claim_list.rows.grab().toImage()
    window.selection.hover(3)
    assert window.claim_list.rows.grab().toImage() != before
    painted = Painted(window.claim_list.rows.viewport())
    window.selection.hover(None)
    QApplication.processEvents()
    row = window.claim_list.rows.visualRect(window.claim_list.rows.model().index(2, 0))
    assert any(rect.intersects(row) for rect in painted.rects)
    assert window.claim_list.rows.grab().toImage() == before


def test_no_cue_is_drawn_again_for_what_is_saved_or_judged_of_gates(window: MainWindow) -> None:
    painted = Painted(window.transcript.cues.viewport())
    window.session.changed.emit(Changes.SAVING | Changes.PROGRESS | Changes.GATES | Changes.HISTORY)
    QApplication.processEvents()
    assert painted.rects == []


def test_cues_are_drawn_again_for_a_verdict_and_not_for_a_key_that_changes_none(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    first = session.claims[0]
    assert session.text is not None
    end = session.text.document_length
    session.edit(end, 0, " ")  # from here on the draft is known as typed in
    painted = Painted(window.transcript.cues.viewport())
    session.edit(end + 1, 0, "x")
    QApplication.processEvents()
    assert painted.rects == []
    session.edit(session.text.position_of_byte(first.outer.start) + 2, 0, "x")
    QApplication.processEvents()
    assert session.state(1) is not ClaimState.EXACT or first.text == session.claims[0].text
    assert painted.rects


def test_a_button_with_the_same_key_is_kept_and_says_its_new_words(window: MainWindow) -> None:
    panel, seen = window.resolve_panel, {}
    for claim in window.session.to_do():
        window.selection.select_claim(claim)
        QApplication.processEvents()
        found = [button for button in panel.findChildren(KeyButton) if button.isVisible()]
        assert [button.text() for button in found][: len(window.session.repairs(claim))] == [
            repair.label for repair in window.session.repairs(claim)
        ]
        seen[claim] = found
    first, second = list(seen.values())[:2]
    assert first[0] is second[0]  # Enter is always the first


def test_a_focused_button_that_says_something_else_gives_the_focus_to_the_panel(window: MainWindow) -> None:
    panel = window.resolve_panel
    labels = {claim: window.session.repairs(claim)[0].label for claim in window.session.to_do()}
    one = window.session.to_do()[0]
    other = next(claim for claim in labels if labels[claim] != labels[one])
    window.selection.select_claim(one)
    button = next(found for found in panel.findChildren(KeyButton) if found.isVisible())
    button.setFocus()
    window.selection.select_claim(other)
    assert panel.hasFocus()


def test_the_same_lines_are_laid_out_once(window: MainWindow) -> None:
    lines = window.resolve_panel.findChild(DifferenceLines)
    assert isinstance(lines, DifferenceLines)
    window.selection.select_claim(window.session.to_do()[0])
    QApplication.processEvents()
    painted = Painted(lines)
    window.selection.select_claim(window.session.to_do()[0])
    QApplication.processEvents()
    assert painted.rects == []
    assert lines.heightForWidth(200) > lines.heightForWidth(900)


def test_a_mark_that_changed_is_drawn_into_the_picture_as_if_all_were_drawn(window: MainWindow, qtbot: QtBot) -> None:
    strip, session = window.strip, window.session
    window.selection.select_claim(None)
    strip.grab()
    picture = strip._picture
    assert picture is not None
    session.set_aside(next(claim.id for claim in session.claims if not session.needs_reason(claim.id)))
    qtbot.waitUntil(lambda: session.is_settled, timeout=20_000)
    window.selection.select_claim(None)
    after = strip.grab().toImage()
    assert strip._picture is picture  # the same one, drawn into
    strip._rebuild()
    assert strip.grab().toImage() == after
