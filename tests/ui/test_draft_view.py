"""The draft pane as an editor: what is typed reaches the file's bytes exactly, and what the core changes shows in place."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QInputMethodEvent, QTextCursor, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from quoteview.app.states import ClaimState
from quoteview.core.captions.track import Origin
from quoteview.core.importing import CaptionFile
from quoteview.core.new_job import new_job
from quoteview.core.store import create_job
from quoteview.ui.draft_editor import DraftEditor
from quoteview.ui.main_window import MainWindow
from tests.ui.conftest import OpenWindow

CAPTIONS = b"WEBVTT\n\n00:05.000 --> 00:08.000\nthe mill is shut\n\n00:10.000 --> 00:13.000\nit didn't open\n"
FRENCH_CAPTIONS = (
    "WEBVTT\n\n00:05.000 --> 00:08.000\nQui garde la clé\u00a0?\n\n00:10.000 --> 00:13.000\n15\u00a0000 litres d’eau\n\n"
    "00:20.000 --> 00:23.000\nle moulin est fermé depuis midi\n"
).encode()
FRENCH_DRAFT = (
    "«\u00a0Qui garde la clé\u00a0?\u00a0» (0:05) puis “15\u00a0000 litres d’eau” (0:10)\n"
    "fine\u202f: “le moulin est fermé\ndepuis midi” (0:20)\n"
).encode()
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier

OpenDraft = Callable[..., MainWindow]


@pytest.fixture
def open_draft(open_window: OpenWindow, tmp_path: Path) -> OpenDraft:
    """A window on a job with this draft, with the focus in the draft."""

    def opened(draft: bytes, *, name: str = "draft.md", captions: bytes = CAPTIONS) -> MainWindow:
        made = new_job([CaptionFile("talk.vtt", captions, Origin.HUMAN, "en")], [(name, draft)], title="The mill")
        create_job(tmp_path / "job", made.job, made.tracks, drafts=made.drafts)
        window = open_window(tmp_path / "job")
        window.activateWindow()
        window.draft.editor.setFocus()
        return window

    return opened


def draft_bytes(window: MainWindow) -> bytes:
    text = window.session.text
    assert text is not None
    return text.draft_bytes


def put_caret(window: MainWindow, byte: int, end: int | None = None) -> DraftEditor:
    editor, text = window.draft.editor, window.session.text
    assert text is not None
    cursor = editor.textCursor()
    cursor.setPosition(text.position_of_byte(byte))
    if end is not None:
        cursor.setPosition(text.position_of_byte(end), QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    return editor


def shows_what_the_session_holds(window: MainWindow) -> bool:
    document: QTextDocument = window.draft.editor.document()
    lines, block = [], document.begin()
    while block.isValid():
        lines.append(block.text())
        block = block.next()
    text = window.session.text
    return text is not None and "\n".join(lines) == text.document_text.replace("\u2029", "\n")


def commit(editor: DraftEditor, words: str) -> None:
    event = QInputMethodEvent()
    event.setCommitString(words)
    QApplication.sendEvent(editor, event)


def test_typed_letters_are_patches_of_the_bytes(open_draft: OpenDraft) -> None:
    window = open_draft(b"one two\n")
    QTest.keyClicks(put_caret(window, 4), "and ")
    assert draft_bytes(window) == b"one and two\n"
    QTest.keyClick(window.draft.editor, Qt.Key.Key_Backspace)
    QTest.keyClick(window.draft.editor, Qt.Key.Key_Delete)
    assert draft_bytes(window) == b"one andwo\n"
    assert shows_what_the_session_holds(window)


def test_enter_types_the_draft_s_own_line_end(open_draft: OpenDraft) -> None:
    window = open_draft(b"one\r\ntwo\r\n")
    QTest.keyClick(put_caret(window, 5), Qt.Key.Key_Return)
    assert draft_bytes(window) == b"one\r\n\r\ntwo\r\n"
    QTest.keyClick(window.draft.editor, Qt.Key.Key_Backspace)
    assert draft_bytes(window) == b"one\r\ntwo\r\n"


def test_shift_enter_types_a_line_end_and_not_a_line_separator(open_draft: OpenDraft) -> None:
    window = open_draft(b"onetwo\n")
    QTest.keyClick(put_caret(window, 3), Qt.Key.Key_Return, SHIFT)
    assert draft_bytes(window) == b"one\ntwo\n"


def test_after_an_emoji_the_right_letter_is_replaced(open_draft: OpenDraft) -> None:
    draft = "🎉🎉 abc\n".encode()
    window = open_draft(draft)
    at = draft.index(b"b")
    QTest.keyClicks(put_caret(window, at, at + 1), "x")
    assert draft_bytes(window) == "🎉🎉 axc\n".encode()
    commit(put_caret(window, 0), "é")
    assert draft_bytes(window) == "é🎉🎉 axc\n".encode()


def test_an_input_method_commits_at_once_and_its_preedit_is_no_text(open_draft: OpenDraft) -> None:
    window = open_draft(b"ab\n")
    editor = put_caret(window, 1)
    QApplication.sendEvent(editor, QInputMethodEvent("にほ", []))
    assert draft_bytes(window) == b"ab\n"
    commit(editor, "日本𠮷")
    assert draft_bytes(window) == "a日本𠮷b\n".encode()
    assert shows_what_the_session_holds(window)


@pytest.mark.parametrize(
    ("pasted", "expected"),
    [
        ("x\r\ny", b"ax\r\nyb\r\n"),
        ("x\ny", b"ax\r\nyb\r\n"),
        ("x\u2029y", b"ax\r\nyb\r\n"),
        ("x\u2028y", "ax\u2028yb\r\n".encode()),
        ("x\u00a0y", "ax\u00a0yb\r\n".encode()),
        ("👩‍🚀", "a👩‍🚀b\r\n".encode()),
    ],
)
def test_what_is_pasted_keeps_its_characters_and_takes_the_draft_s_line_ends(
    open_draft: OpenDraft, pasted: str, expected: bytes
) -> None:
    window = open_draft(b"ab\r\n")
    QApplication.clipboard().setText(pasted)
    QTest.keyClick(put_caret(window, 1), Qt.Key.Key_V, CONTROL)
    assert draft_bytes(window) == expected
    assert shows_what_the_session_holds(window)


def test_a_character_that_no_file_can_hold_shows_as_it_is_kept(open_draft: OpenDraft) -> None:
    window = open_draft(b"aab\n")
    commit(put_caret(window, 1), "\ud83c")
    assert draft_bytes(window) == "a\ufffdab\n".encode()
    assert shows_what_the_session_holds(window)


def test_unusual_characters_of_the_draft_survive_typing_beside_them(open_draft: OpenDraft) -> None:
    draft = "\ufeffa\u00a0b\u2028c\u2029d\u202fe\r\n\tf\rg\n".encode()
    window = open_draft(draft, name="draft.txt")
    assert shows_what_the_session_holds(window)
    at = draft.index(b"f")
    QTest.keyClicks(put_caret(window, at), "x")
    assert draft_bytes(window) == draft[:at] + b"x" + draft[at:]
    QTest.keyClick(window.draft.editor, Qt.Key.Key_Backspace)
    assert draft_bytes(window) == draft


def test_copying_gives_lf_and_keeps_no_break_spaces(open_draft: OpenDraft) -> None:
    draft = "“a\u00a0b\r\nc”\r\nd\n".encode()
    window = open_draft(draft)
    QTest.keyClick(put_caret(window, 0, draft.index(b"d")), Qt.Key.Key_C, CONTROL)
    assert QApplication.clipboard().text() == "“a\u00a0b\nc”\n"
    assert draft_bytes(window) == draft


def test_files_dropped_on_the_text_are_left_to_the_window(open_draft: OpenDraft) -> None:
    window = open_draft(b"ab\n")
    files, words = QMimeData(), QMimeData()
    files.setUrls([QUrl.fromLocalFile("/tmp/some.vtt")])
    files.setText("/tmp/some.vtt")
    words.setText("words")
    assert not window.draft.editor.canInsertFromMimeData(files)
    assert window.draft.editor.canInsertFromMimeData(words)


def test_undo_and_redo_are_the_session_s(open_draft: OpenDraft) -> None:
    window = open_draft(b"ab\n")
    editor = put_caret(window, 1)
    QTest.keyClicks(editor, "xyz")
    assert window.session.undo_name
    QTest.keyClick(editor, Qt.Key.Key_Z, CONTROL)
    assert draft_bytes(window) == b"ab\n"
    assert shows_what_the_session_holds(window)
    QTest.keyClick(editor, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert draft_bytes(window) == b"axyzb\n"
    assert shows_what_the_session_holds(window)


def test_a_claim_is_judged_as_one_types(open_draft: OpenDraft) -> None:
    draft = "He said “the mill is shu” [0:05].\n".encode()
    window = open_draft(draft)
    assert window.session.state(1) is ClaimState.TO_DO
    QTest.keyClicks(put_caret(window, draft.index("”".encode())), "t")
    assert window.session.state(1) is ClaimState.EXACT
    QTest.keyClicks(window.draft.editor, "s")
    assert window.session.state(1) is ClaimState.TO_DO


def test_caret_and_scroll_stay_when_the_session_changes_the_text(open_draft: OpenDraft) -> None:
    lines = "".join(f"line {number}\n" for number in range(200))
    draft = f"“the mill is shut,” [0:05]\n{lines}".encode()
    window = open_draft(draft)
    editor = put_caret(window, draft.index(b"line 100"))
    editor.centerCursor()
    before = editor.verticalScrollBar().value(), editor.cursorRect().top()
    window.session.edit(0, 0, "more ")
    assert editor.textCursor().block().text() == "line 100"
    assert editor.textCursor().positionInBlock() == 0
    assert (editor.verticalScrollBar().value(), editor.cursorRect().top()) == before
    assert shows_what_the_session_holds(window)


def test_only_visible_claims_are_marked(open_draft: OpenDraft, qtbot: QtBot) -> None:
    draft = "".join(f"{number} “the mill is shut” [0:05]\n\n" for number in range(150)).encode()
    window = open_draft(draft)
    editor = window.draft.editor
    shown = editor.claims_in_view()
    assert shown[0] == 1
    assert 3 < len(shown) < 40
    assert len(editor.extraSelections()) == len(shown)
    window.selection.select_claim(140)
    assert 140 in editor.claims_in_view()
    assert len(editor.extraSelections()) == len(editor.claims_in_view())
    rect = window.draft.claim_rect(140)
    assert rect is not None
    top, bottom = window.draft.visible_span()
    assert top <= rect.top()
    assert rect.bottom() <= bottom
    first = window.draft.claim_rect(1)
    assert first is not None
    assert first.bottom() < top


def test_a_claim_deep_in_one_long_paragraph_is_brought_into_view(open_draft: OpenDraft) -> None:
    window = open_draft(("so it went on " * 700 + "“the mill is shut” [0:05]\n").encode())
    window.selection.select_claim(None)
    window.draft.editor.verticalScrollBar().setValue(0)
    window.selection.select_claim(1)
    assert window.draft.editor.claims_in_view() == [1]
    rect = window.draft.claim_rect(1)
    assert rect is not None
    assert rect.top() >= window.draft.visible_span()[0]
    assert rect.bottom() <= window.draft.visible_span()[1]


def test_marks_cover_the_claim_after_an_emoji(open_draft: OpenDraft) -> None:
    window = open_draft("🎉 says “the mill is shut” [0:05]\n".encode())
    marks = window.draft.editor.extraSelections()
    assert [mark.cursor.selectedText() for mark in marks] == ["“the mill is shut”"]


def test_a_click_on_a_sign_selects_its_claim(open_draft: OpenDraft) -> None:
    window = open_draft("“the mill is shut” [0:05]\n\n“it didn't open” [0:10]\n".encode())
    window.selection.select_claim(1)
    box, claim_id = window.draft.editor.signs()[1]
    assert claim_id == 2
    QTest.mouseClick(
        window.draft.editor.gutter, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, box.center().toPoint()
    )
    assert window.selection.claim_id == 2


def test_the_caret_in_a_claim_selects_it_and_the_pointer_lights_it(open_draft: OpenDraft) -> None:
    draft = "“the mill is shut” [0:05]\n\n“it didn't open” [0:10]\n".encode()
    window = open_draft(draft)
    put_caret(window, draft.index(b"didn"))
    assert window.selection.claim_id == 2
    editor = window.draft.editor
    put_caret(window, draft.index(b"mill"))
    QTest.mouseMove(editor.viewport(), editor.cursorRect().center() + QPoint(1, 0))
    assert window.selection.claim_id == 1


def test_two_claims_on_one_line_have_their_signs_side_by_side(open_draft: OpenDraft) -> None:
    window = open_draft("“the mill” and “is shut” [0:05]\n".encode())
    boxes = [box for box, _ in window.draft.editor.signs()]
    assert len(boxes) == 2
    assert not boxes[0].intersects(boxes[1])
    assert window.draft.editor.sign_at(QPointF(boxes[1].center())) == 2


def test_structure_is_shown_and_the_text_stays_the_file_s_own(open_draft: OpenDraft) -> None:
    draft = "# A title\n\n> “the mill is shut” [0:05]\n\n```\n# code\n```\n".encode()
    window = open_draft(draft)
    assert draft_bytes(window) == draft
    document = window.draft.editor.document()
    sizes = [
        [piece.format.font().pixelSize() for piece in document.findBlockByNumber(number).layout().formats()] for number in (0, 2)
    ]
    assert max(sizes[0]) > window.draft.editor.font().pixelSize()
    assert shows_what_the_session_holds(window)


def test_a_broken_lock_makes_the_text_read_only(open_draft: OpenDraft, tmp_path: Path, qtbot: QtBot) -> None:
    window = open_draft(b"ab\n")
    track = next((tmp_path / "job" / "tracks").iterdir())
    track.chmod(0o644)
    track.write_bytes(track.read_bytes() + b"\n")
    window.session.recheck()
    qtbot.waitUntil(lambda: window.draft.editor.isReadOnly(), timeout=10_000)
    QTest.keyClicks(window.draft.editor, "zz")
    commit(window.draft.editor, "é")
    assert draft_bytes(window) == b"ab\n"
    assert shows_what_the_session_holds(window)


def test_nothing_can_be_typed_into_the_page_of_a_draft_that_cannot_be_read(
    open_draft: OpenDraft, open_window: OpenWindow, tmp_path: Path
) -> None:
    first = open_draft(b"ab\n")
    first.session.shut_down()
    first.close()
    next((tmp_path / "job" / "drafts").iterdir()).unlink()
    window = open_window(tmp_path / "job")
    assert window.session.text is None
    QTest.keyClicks(window.draft.editor, "zz")
    commit(window.draft.editor, "é")
    assert window.draft.editor.document().characterCount() == 1
    assert window.draft.editor.isReadOnly()


def test_what_replaces_many_lines_at_once_is_taken_after_they_are_laid_out(open_draft: OpenDraft) -> None:
    window = open_draft(b"first\n" + "“the mill is shut” (0:05)\n".encode() * 40)
    seen: list[int] = []
    editor = put_caret(window, 6, len(draft_bytes(window)))
    window.session.changed.connect(lambda _changes: seen.append(editor.cursorForPosition(QPoint(4, 4)).position()))
    commit(editor, "é")
    assert draft_bytes(window) == "first\né".encode()
    assert shows_what_the_session_holds(window)
    assert max(seen) <= len("first\né")


def test_the_head_names_the_draft_and_says_whether_it_is_saved(open_draft: OpenDraft, qtbot: QtBot) -> None:
    window = open_draft(b"ab\n")
    assert window.draft.head_words() == ("draft.md", "saved")
    QTest.keyClicks(put_caret(window, 1), "x")
    assert window.draft.head_words() == ("draft.md", "not saved")
    QTest.keyClick(window.draft.editor, Qt.Key.Key_S, CONTROL)
    qtbot.waitUntil(lambda: window.draft.head_words() == ("draft.md", "saved"))


def test_no_break_spaces_survive_and_no_paragraph_separator_is_gained(open_draft: OpenDraft, qtbot: QtBot) -> None:
    original = FRENCH_DRAFT
    window = open_draft(original, name="draft.txt", captions=FRENCH_CAPTIONS)
    session, folder = window.session, window.session.folder
    assert folder is not None
    file = folder / session.drafts[0].path

    def saved() -> str:
        QTest.keyClick(window.draft.editor, Qt.Key.Key_S, CONTROL)
        qtbot.waitUntil(lambda: session.is_settled, timeout=10_000)
        return hashlib.sha256(file.read_bytes()).hexdigest()

    assert [session.state(claim.id) for claim in session.claims] == [ClaimState.EXACT] * 3
    editor = put_caret(window, original.index(b"Qui"))
    QTest.keyClick(editor, Qt.Key.Key_X)
    QTest.keyClick(editor, Qt.Key.Key_Backspace)
    assert saved() == hashlib.sha256(original).hexdigest()
    session.use_source_words(3)
    if session.undo_name:
        QTest.keyClick(editor, Qt.Key.Key_Z, CONTROL)
    assert saved() == hashlib.sha256(original).hexdigest()
    claim = session.claims[2]
    QTest.keyClick(put_caret(window, claim.outer.start, claim.outer.end), Qt.Key.Key_C, CONTROL)
    copied = QApplication.clipboard().text()
    assert copied.encode() == original[claim.outer.start : claim.outer.end].replace(b"\r\n", b"\n")
    assert not set(copied) & {"\u2028", "\u2029"}
