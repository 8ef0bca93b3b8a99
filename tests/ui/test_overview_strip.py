"""The strip over the recording: a mark for each claim, merged where they meet, walked by key and click."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from quoteview.app.states import ClaimState
from quoteview.core.captions.track import Origin
from quoteview.core.importing import CaptionFile
from quoteview.core.new_job import new_job
from quoteview.core.store import create_job
from quoteview.ui.main_window import MainWindow
from tests.ui.conftest import OpenWindow


def test_every_claim_has_its_mark_and_red_is_drawn_last(window: MainWindow) -> None:
    marks = window.strip.marks
    assert sorted(claim for mark in marks for claim in mark.claims) == [claim.id for claim in window.session.claims]
    states = [mark.state for mark in marks]
    assert states == sorted(states, key=lambda state: state is ClaimState.TO_DO)
    for mark in marks:
        assert (mark.state is ClaimState.TO_DO) == any(window.session.state(c) is ClaimState.TO_DO for c in mark.claims)


def test_marks_merge_in_a_narrow_window_and_the_worst_shows(window: MainWindow) -> None:
    wide = len(window.strip.marks)
    window.resize(420, 600)
    assert len(window.strip.marks) < wide
    assert any(len(mark.claims) > 1 and mark.state is ClaimState.TO_DO for mark in window.strip.marks)


def test_a_click_on_a_mark_selects_and_a_second_one_goes_on_within_it(window: MainWindow) -> None:
    mark = next(mark for mark in window.strip.marks if len(mark.claims) == 1)
    place = QPoint(round(mark.x), window.strip.height() // 2)
    QTest.mouseClick(window.strip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert window.selection.claim_id == mark.claims[0]
    window.resize(420, 600)
    merged = next(mark for mark in window.strip.marks if len(mark.claims) > 1)
    window.selection.select_claim(merged.claims[0])
    place = QPoint(round(merged.x), window.strip.height() // 2)
    QTest.mouseClick(window.strip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert window.selection.claim_id == merged.claims[1]


def test_a_click_between_marks_goes_to_the_moment(window: MainWindow) -> None:
    places = sorted(mark.x for mark in window.strip.marks)
    gap, left = max((right - left, left) for left, right in pairwise(places))
    place = QPoint(round(left + gap / 2), window.strip.height() // 2)
    QTest.mouseClick(window.strip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    row = window.selection.cue_index
    assert row is not None
    share = (place.x() - 14) / (window.strip.width() - 72)
    assert abs(window.session.cues[row].time.start_ms - share * window.session.duration_ms) < 10_000


def test_arrows_home_and_end_walk_the_marks(window: MainWindow) -> None:
    window.strip.setFocus()
    ordered = sorted(window.strip.marks)
    QTest.keyClick(window.strip, Qt.Key.Key_Home)
    assert window.selection.claim_id == ordered[0].claims[0]
    QTest.keyClick(window.strip, Qt.Key.Key_Right)
    assert window.selection.claim_id == ordered[1].claims[0]
    QTest.keyClick(window.strip, Qt.Key.Key_Left)
    QTest.keyClick(window.strip, Qt.Key.Key_Left)
    assert window.selection.claim_id == ordered[0].claims[0]
    QTest.keyClick(window.strip, Qt.Key.Key_End)
    assert window.selection.claim_id == ordered[-1].claims[0]


def test_the_selected_mark_is_told_in_words(window: MainWindow) -> None:
    window.selection.select_claim(1)
    assert window.strip.accessibleDescription().startswith("quotation 1, exact, at 0:13")
    window.selection.select_claim(None)
    assert window.strip.accessibleDescription() == f"{len(window.strip.marks)} marks"


def test_a_crowd_of_claims_is_drawn_as_bars_with_the_red_ones_on_top(open_window: OpenWindow, tmp_path: Path) -> None:
    cues = [
        f"00:{at // 60:02}:{at % 60:02}.000 --> 00:{at // 60:02}:{at % 60:02}.900\nword{at} follows word{at}b\n"
        for at in range(900)
    ]
    draft = "\n\n".join(
        f"“word{at} {'followed' if at % 4 == 0 else 'follows'} word{at}b” [{at // 60}:{at % 60:02}]" for at in range(900)
    )
    files = [CaptionFile("talk.vtt", ("WEBVTT\n\n" + "\n".join(cues)).encode(), Origin.HUMAN, "en")]
    made = new_job(files, [("draft.md", draft.encode())], title="A crowd")
    create_job(tmp_path / "job", made.job, made.tracks, drafts=made.drafts)
    window = open_window(tmp_path / "job")
    window.resize(1440, 900)
    window.selection.select_claim(1)
    strip, theme = window.strip, window.theme
    mark = next(mark for mark in strip.marks if len(mark.claims) > 4 and 1 not in mark.claims and len(set(mark.states)) == 2)
    assert mark.states == tuple(sorted(mark.states, key=lambda state: state is ClaimState.TO_DO))
    picture = strip.grab().toImage()
    ratio = picture.devicePixelRatio()
    column = [picture.pixelColor(round(mark.x * ratio), y) for y in range(picture.height())]
    green, red = theme.look(ClaimState.EXACT).color, theme.look(ClaimState.TO_DO).color
    assert max(y for y, color in enumerate(column) if color == red) < min(y for y, color in enumerate(column) if color == green)


def test_a_strip_with_room_has_signs_and_no_bars(window: MainWindow) -> None:
    window.resize(1440, 900)
    mark = next(mark for mark in window.strip.marks if len(mark.claims) == 1 and mark.claims[0] != window.selection.claim_id)
    picture = window.strip.grab().toImage()
    ratio = picture.devicePixelRatio()
    beside = picture.pixelColor(round((mark.x + 3) * ratio), round((window.strip.height() - 12) * ratio))
    assert beside != window.theme.look(mark.state).color
