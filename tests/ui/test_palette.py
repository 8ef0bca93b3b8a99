from __future__ import annotations

from quoteview.ui.palette import match_rank


def test_words_are_found_by_their_beginnings_in_any_order() -> None:
    assert match_rank("dr sw", "Switch to draft 1") == 0
    assert match_rank("", "Undo") == 0


def test_the_middle_of_a_word_fits_less_well() -> None:
    assert match_rank("raft", "Switch to draft 1") == 1


def test_what_stands_nowhere_is_not_found() -> None:
    assert match_rank("dr xyz", "Switch to draft 1") is None


def test_case_and_ellipsis_do_not_matter() -> None:
    assert match_rank("ACCEPT REAS", "Accept with a reason…") == 0
