"""Finding words in the cues: in one of them, over their borders, in letters that fold into two."""

from __future__ import annotations

import pytest

from quoteview.app.cue_search import CueSearch, HitPiece
from quoteview.core.captions.reading import read_track
from quoteview.core.captions.track import Cue
from quoteview.core.locking import lock


def cues(*texts: str) -> tuple[Cue, ...]:
    rows = [f"00:{at:02}.000 --> 00:{at:02}.900\n{text}\n" for at, text in enumerate(texts)]
    content = ("WEBVTT\n\n" + "\n".join(rows)).encode()
    return read_track(lock(content, "a")).cues


@pytest.mark.parametrize(
    ("text", "needle", "hits"),
    [
        ("The book, the Book", "book", [(4, 8), (14, 18)]),
        ("aaa", "aa", [(0, 2)]),
        ("Straße und STRASSE", "strasse", [(0, 6), (11, 18)]),
        ("橋は『安全』です", "安全", [(3, 5)]),
        ("two\nlines", "two lines", [(0, 9)]),
        ("none", "", []),
        ("none of it", " ", []),
        ("none", "x", []),
    ],
)
def test_hits_are_told_in_the_text_s_own_code_points(text: str, needle: str, hits: list[tuple[int, int]]) -> None:
    search = CueSearch(cues(text))
    assert search.look_for(needle) == len(hits)
    assert [(piece.start, piece.end) for piece in search.in_row(0)] == hits


def test_a_hit_over_three_cues_begins_in_the_first_and_is_lit_in_each() -> None:
    search = CueSearch(cues("so we", "can", "trust it"))
    assert search.look_for("we can trust") == 1
    assert search.row_of(0) == 0
    assert [search.in_row(row) for row in range(3)] == [[HitPiece(0, 3, 5)], [HitPiece(0, 0, 3)], [HitPiece(0, 0, 5)]]


def test_words_that_only_touch_at_a_border_are_not_one_word() -> None:
    assert CueSearch(cues("we can", "not")).look_for("cannot") == 0


def test_no_space_is_asked_for_at_a_border_of_a_script_without_spaces() -> None:
    search = CueSearch(cues("橋は", "安全です"))
    assert search.look_for("橋は安全") == 1
    assert search.look_for("橋は 安全") == 0


def test_a_space_first_or_last_is_met_by_a_border_and_the_hit_belongs_to_its_words() -> None:
    search = CueSearch(cues("we", "can"))
    assert search.look_for("we ") == 1
    assert search.in_row(0) == [HitPiece(0, 0, 2)]
    assert search.in_row(1) == []
    assert search.look_for(" can") == 1
    assert search.row_of(0) == 1
    assert search.in_row(0) == []


def test_the_walk_begins_at_the_first_hit_from_a_row_on_and_goes_round() -> None:
    search = CueSearch(cues("a mill", "none", "a mill", "none"))
    search.look_for("mill")
    assert [search.first_from(row) for row in range(5)] == [0, 1, 1, 0, 0]


def test_every_hit_is_lit_in_full_however_rows_and_needles_lie() -> None:
    texts = ("ab ab", "ß", "ab", "b a", "ab ab ab")
    search = CueSearch(cues(*texts))
    for needle in ("ab", "b a", "b", "ss", "a", "ab ab", "ss ab b"):
        total = search.look_for(needle)
        assert total == " ".join(texts).casefold().count(needle)
        lit = {piece.number: "" for row in range(len(texts)) for piece in search.in_row(row)}
        for row, text in enumerate(texts):
            for piece in search.in_row(row):
                lit[piece.number] += text[piece.start : piece.end].casefold()
        assert sorted(lit) == list(range(total))
        assert set(lit.values()) <= {needle.replace(" ", ""), needle}
