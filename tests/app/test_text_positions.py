"""UTF-16 positions, code points and bytes of a draft: each way there and back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument

from quoteview.app.text_positions import DocumentSpan, DraftText, difference, shifted, utf16_length
from quoteview.core.drafts.draft import Patch, patched
from quoteview.core.spans import ByteSpan

TRICKY = "a\u0301é“”😀🏳️\u200d🌈\u2028\u2029\xa0\x00\ufdd0\n\r語العربية\u200f\x85\x0b"


def document_of(text: DraftText) -> QTextDocument:
    document = QTextDocument()
    document.setPlainText(text.document_text)
    return document


def test_an_emoji_is_four_bytes_and_two_positions() -> None:
    text = DraftText("😀 “a”".encode())
    assert text.position_of_byte(5) == 3
    assert text.byte_of_position(3) == 5
    assert text.point_of_byte(5) == 2


def test_a_line_end_of_two_bytes_is_one_position() -> None:
    text = DraftText(b"one\r\ntwo\rthree\nfour")
    assert [text.byte_of_position(position) for position in (3, 4, 7, 8, 13, 14)] == [3, 5, 8, 9, 14, 15]
    assert text.document_text == "one\ntwo\nthree\nfour"


def test_a_position_inside_a_pair_or_a_line_end_is_its_start() -> None:
    text = DraftText("😀\r\nx".encode())
    assert text.byte_of_position(1) == 0
    assert text.position_of_byte(2) == 0
    assert text.position_of_byte(5) == 2


def test_a_line_separator_stays_a_character_of_its_line() -> None:
    text = DraftText("a\u2028b\nc".encode())
    assert text.document_text == "a\u2028b\nc"
    assert text.byte_of_position(2) == 4


def test_a_byte_order_mark_is_shown_nowhere_and_kept() -> None:
    text = DraftText(b"\xef\xbb\xbfab")
    assert text.document_text == "ab"
    assert text.byte_of_position(0) == 3
    assert text.draft_bytes == b"\xef\xbb\xbfab"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_a_utf16_draft_is_addressed_in_its_own_bytes(codec: str) -> None:
    mark = "\ufeff".encode(codec)
    text = DraftText(mark + "é😀\r\nz".encode(codec))
    assert text.byte_of_position(1) == 4
    assert text.byte_of_position(3) == 8
    assert text.byte_of_position(4) == 12
    assert text.position_of_byte(6) == 1
    assert text.patch(4, 1, "ü") == Patch(12, 14, "ü".encode(codec))


def test_typed_paragraphs_become_the_drafts_own_line_ends() -> None:
    assert DraftText(b"a\r\nb").encode("x\u2029y") == b"x\r\ny"
    assert DraftText(b"a\nb").encode("x\u2029y\r\nz") == b"x\ny\nz"
    assert DraftText(b"ab").encode("x\u2029y") == b"x\ny"


def test_a_no_break_space_in_front_of_the_change_survives_it() -> None:
    draft = DraftText("« Combien\xa0? » [0:10]\r\nfin".encode())
    patch = draft.patch(draft.document_length, 0, "!")
    assert patched(draft.draft_bytes, [patch]) == "« Combien\xa0? » [0:10]\r\nfin!".encode()


def test_what_is_copied_is_the_drafts_own_text() -> None:
    draft = DraftText("a\xa0b\nc\u2028d".encode())
    assert draft.slice(DocumentSpan(0, 7)) == "a\xa0b\nc\u2028d"


def test_a_byte_after_a_patch_moves_and_one_before_stays() -> None:
    patches = [Patch(4, 6, b"xyz")]
    assert [shifted(byte, patches) for byte in (3, 4, 5, 6, 9)] == [3, 4, 4, 7, 10]


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from(TRICKY) | st.characters(exclude_categories=["Cs"]), max_size=40))
def test_every_character_comes_back_from_its_position(content: str) -> None:
    draft = DraftText(content.encode())
    for point in range(len(draft.text)):
        byte = draft.byte_of_point(point)
        assert draft.point_of_byte(byte) == point
        position = draft.position_of_byte(byte)
        if content[point - 1 : point + 1] != "\r\n":
            assert draft.byte_of_position(position) == byte


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from(TRICKY), max_size=30))
def test_the_document_counts_as_the_converter_does(content: str) -> None:
    draft = DraftText(content.encode())
    document = document_of(draft)
    assert document.characterCount() - 1 == draft.document_length
    assert utf16_length(draft.document_text) == draft.document_length


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from("ab\n😀“"), max_size=12), st.text(alphabet=st.sampled_from("ab\n😀“"), max_size=12))
def test_the_difference_turns_the_old_text_into_the_new(old: str, new: str) -> None:
    span, inserted = difference(old, new)
    units = old.encode("utf-16-le")
    result = units[: span.start * 2] + inserted.encode("utf-16-le") + units[span.end * 2 :]
    assert result.decode("utf-16-le") == new


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from(TRICKY), max_size=20), st.data())
def test_an_edit_changes_no_byte_outside_itself(content: str, data: st.DataObject) -> None:
    draft = DraftText(content.encode())
    start = data.draw(st.integers(0, draft.document_length))
    removed = data.draw(st.integers(0, draft.document_length - start))
    patch = draft.patch(start, removed, "x")
    after = patched(draft.draft_bytes, [patch])
    assert after.startswith(draft.draft_bytes[: patch.start])
    assert after.endswith(draft.draft_bytes[patch.end :])
    after.decode()


def test_a_span_of_bytes_is_a_span_of_the_document() -> None:
    draft = DraftText("😀 “we can’t” x".encode())
    span = ByteSpan(8, 8 + len("we can’t".encode()))
    assert draft.document_span(span) == DocumentSpan(4, 12)
    assert draft.byte_span(DocumentSpan(4, 12)) == span
