"""What holds for any draft whatever: every mark has one entry, pieces decode to their text, and nothing stalls the reader."""

from __future__ import annotations

import html
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoteview.core.drafts.draft import Draft, patched
from quoteview.core.drafts.edits import replace_text, set_time
from quoteview.core.drafts.mark_shapes import QUOTE_MARKS
from quoteview.core.drafts.reading import read_draft
from quoteview.core.errors import DraftError

_MARKS = [*"“”„\"'‘’‚«»‹›「」『』＂"]
_WORDS = ["word", "dogs", "5", "10", " ", "  ", "\n", "\n\n", "\r\n", ". ", ", ", "é", "漢", "🎉", "— ", "’90s", "\u00a0"]
_TIMES = ["(0:05)", "[1:02:03]", "1:75", "9:30", "754s"]
_MARKDOWN = ["*", "**", "_", "`", "```\n", "> ", "- ", "# ", "| ", "|---|\n", "\\", '[a](b "c")', "![", "]("]
_HTML = ["&quot;", "&amp;", "<q>", "</q>", "<br>", "<p>", "</p>", "<blockquote>", "</blockquote>", "<!-- ", " -->"]
_TAGS = ['<b title="x">', "<td>", "<li hidden>", "<pre>", "</pre>", "<h1>", "<a href='#t=5'>", "</a>", "<code>", "</code>"]
_PARTS = st.sampled_from([*_MARKS, *_WORDS, *_TIMES, *_MARKDOWN, *_HTML, *_TAGS])
_DRAFTS = st.lists(_PARTS, max_size=40).map("".join)
_FILES = st.sampled_from(["draft.txt", "draft.md", "draft.html"])


@settings(max_examples=400, deadline=None)
@given(_DRAFTS, _FILES)
def test_every_quote_mark_has_exactly_one_entry(text: str, file: str) -> None:
    draft = read_draft(text.encode(), file)
    covered: list[int] = []
    for mark in draft.marks:
        covered.extend(range(*mark.bytes))
    assert len(covered) == len(set(covered))
    offset = 0
    inside = set(covered)
    for character in text:
        if character in QUOTE_MARKS:
            assert offset in inside, (character, offset)
        offset += len(character.encode())
    assert [mark.bytes for mark in draft.marks] == sorted(mark.bytes for mark in draft.marks)


@settings(max_examples=400, deadline=None)
@given(_DRAFTS, _FILES)
def test_pieces_decode_to_the_claims_text(text: str, file: str) -> None:
    draft = read_draft(text.encode(), file)
    assert [claim.id for claim in draft.claims] == list(range(1, len(draft.claims) + 1))
    for claim in draft.claims:
        assert "".join(piece.text for piece in claim.pieces) == claim.text
        at = 0
        for piece in claim.pieces:
            written = draft.data[piece.start : piece.end].decode()
            assert at <= piece.start <= piece.end
            at = piece.end
            if piece.is_literal:
                assert written == piece.text
            elif not piece.text.isspace():
                assert html.unescape(re.sub(r"\\(.)", r"\1", written)) == piece.text
        assert claim.line >= 1 and claim.column >= 1
        if claim.claimed is not None:
            assert draft.data[slice(*claim.claimed.start_bytes)]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), _FILES)
def test_any_text_is_read(text: str, file: str) -> None:
    try:
        draft = read_draft(text.encode("utf-8", "surrogatepass"), file)
    except DraftError:
        return
    assert patched(draft.data, ()) == draft.data


@settings(max_examples=200, deadline=None)
@given(_DRAFTS, _FILES, st.text("abc 漢*&<“'\n", max_size=12), st.integers(0, 400_000))
def test_an_edit_is_as_intended_or_refused(text: str, file: str, new: str, moment_ms: int) -> None:
    draft = read_draft(text.encode(), file)
    for claim in draft.claims[:2]:
        if not claim.pieces:
            continue
        try:
            changed = read_draft(patched(draft.data, replace_text(draft, claim, new)), file)
        except DraftError:
            pass
        else:
            assert changed.claims[claim.id - 1].text == new
        try:
            timed = read_draft(patched(draft.data, set_time(draft, claim, moment_ms)), file)
        except DraftError:
            continue
        claimed = timed.claims[claim.id - 1].claimed
        assert claimed is not None and claimed.start_ms is not None and 0 <= moment_ms - claimed.start_ms < 1000


_HOSTILE: dict[str, str] = {
    "block quotations": ">" * 5_000,
    "spaced block quotations": "> " * 2_500 + "a",
    "lists": "- " * 2_500 + "a",
    "brackets": "[" * 7_500 + "]" * 7_500,
    "images": "![a](" * 3_750,
    "links": "[a](b" * 3_750,
    "stars": "*" * 15_000,
    "spaced stars": "*a **b " * 2_500,
    "underscores": "_a_ " * 3_750,
    "code spans": "".join("`" * length + "a" for length in range(1, 300)),
    "backticks": "a`" * 7_500,
    "tags": "<a " * 5_000,
    "open tags": "<div>" * 5_000 + "</p>" * 5_000,
    "comments": "<!-- " * 5_000,
    "attributes": '<a b="' * 5_000,
    "declarations": "<!" * 7_500,
    "entities": "&amp" * 7_500,
    "rows": "|" * 5_000 + "\n" + "|-" * 5_000 + "\n" + "|a" * 5_000,
    "delimiters": "a\n" + "-:|" * 5_000,
    "blank lines": "\n" * 50_000,
    "nested lists": "".join(" " * (2 * depth) + "- a\n" for depth in range(400)),
    "one letter": "a" * 250_000,
    "opening marks": "“" * 12_500,
    "straight marks": '"' * 12_500,
    "spaced straight marks": '" a ' * 5_000,
    "single marks": "'" * 12_500,
    "elisions": "’90s " * 5_000,
    "inches": '6" a ' * 5_000,
    "mixed marks": "‘a “b „c «d ‹e ’f " * 1_250,
    "possessives": "'a dogs' b " * 2_500,
    "apostrophes": "‘a " + "don’t dogs’ b " * 2_500,
    "paragraphs that reopen": "“a\n\n" * 2_500,
    "times": "(0:05) " * 5_000,
    "times and claims": "“a” b (0:05) c “d” e " * 1_250,
    "claims without times": "“a” b c " * 5_000 + "(0:05)",
    "definitions": "[a]: b 'c\n" * 2_500,
    "titles": '[a](b "c ' * 2_500,
    "addresses": "https://a?t=5 " * 2_500,
    "digits": "1:" * 12_500,
    "number": "1" * 50_000,
    "white space": " \t" * 50_000 + "a",
    "cells": "<table>" + "<tr><td>“a” b" * 2_500,
    "items": "<ul>" + "<li><p>“a” b" * 2_500,
    "quotations in html": "<blockquote>“a” b" * 1_250,
    "quotes in html": "<q>a" * 2_500,
}


@pytest.mark.parametrize("file", ["draft.txt", "draft.md", "draft.html"])
@pytest.mark.parametrize("kind", sorted(_HOSTILE))
def test_hostile_input_is_read_in_linear_time(kind: str, file: str) -> None:
    data = _HOSTILE[kind].encode()
    started = time.process_time()
    draft: Draft = read_draft(data, file)
    assert time.process_time() - started < 2.5
    assert draft.data == data
