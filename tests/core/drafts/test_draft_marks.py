"""Which spans are claims, what their text is, and what every quote mark is doing."""

from __future__ import annotations

import pytest

from quoteview.core.drafts.draft import ClaimKind, Draft, MarkRole
from quoteview.core.drafts.reading import read_draft


def _read(text: str, file: str = "draft.txt") -> Draft:
    return read_draft(text.encode(), file)


def _texts(text: str, file: str = "draft.txt") -> list[str]:
    return [claim.text for claim in _read(text, file).claims]


def _roles(text: str, file: str = "draft.txt") -> list[tuple[str, MarkRole | None]]:
    draft = _read(text, file)
    return [(draft.data[slice(*mark.bytes)].decode(), mark.role) for mark in draft.marks]


@pytest.mark.parametrize(
    "pair", ["“”", '""', "””", "‘’", "''", "’’", "«»", "»«", "‹›", "›‹", "„“", "„”", "‚‘", "‚’", "「」", "『』", "＂＂"]
)
def test_every_pair_of_marks_makes_a_claim(pair: str) -> None:
    draft = _read(f"She said {pair[0]}we never sold{pair[1]} (0:22).")
    assert [claim.text for claim in draft.claims] == ["we never sold"]
    assert [mark.role for mark in draft.marks] == [MarkRole.OPENS, MarkRole.CLOSES]
    assert all(mark.claim == 1 for mark in draft.marks)
    assert draft.claims[0].is_closed and draft.claims[0].kind is ClaimKind.MARKS


def test_white_space_just_inside_marks_is_not_text_but_a_no_break_space_before_a_sign_is() -> None:
    assert _texts("«\u00a0Combien\u00a0?\u202f» (0:10)") == ["Combien\u00a0?"]
    assert _texts('" padded " here') == ["padded"]


def test_two_german_quotations_leave_what_is_between_alone() -> None:
    assert _texts("„Wir bleiben“ (0:13) und »Das reicht« (0:16)") == ["Wir bleiben", "Das reicht"]


def test_swedish_marks_open_and_close_alike() -> None:
    assert _texts("Hon sa ”vi går nu” och han sa ”nej” igen.") == ["vi går nu", "nej"]


def test_the_outermost_marks_make_the_claim() -> None:
    assert _texts("He said “She told me ‘go home’ and left.” (0:05)") == ["She told me ‘go home’ and left."]
    assert _texts("「橋は『安全』です」") == ["橋は『安全』です"]
    assert _texts("‘He said “go” and left’ (0:05)") == ["He said “go” and left"]
    assert _texts("„Er sagte ‚geh‘ zu mir“ (1:00)") == ["Er sagte ‚geh‘ zu mir"]
    assert _roles("“a ‘b’ c”") == [
        ("“", MarkRole.OPENS),
        ("‘", MarkRole.INSIDE),
        ("’", MarkRole.INSIDE),
        ("”", MarkRole.CLOSES),
    ]


def test_a_third_level_of_the_same_kind_is_nested() -> None:
    assert _texts("“He said ‘she wrote “no” to me’ and left” then “next”") == ["He said ‘she wrote “no” to me’ and left", "next"]


@pytest.mark.parametrize(
    "text",
    [
        "It isn't the dogs' fault.",
        "In the ’90s the rock ’n’ roll crowd met at the Smiths’ place.",
        "Give 'em hell, 'tis nothing.",
        "That's what the boys' coach said, and James' car.",
        "l’été et l'hiver, aujourd’hui",
        "In the '90s rock 'n' roll was ours.",
    ],
)
def test_apostrophes_are_no_claims(text: str) -> None:
    assert _texts(text) == []
    assert {role for _, role in _roles(text)} == {MarkRole.APOSTROPHE}


def test_single_quotes_hold_apostrophes() -> None:
    assert _texts("A sign read 'don't touch the dogs' bowls' (0:08).") == ["don't touch the dogs' bowls"]
    assert _texts("‘don’t touch the dogs’ bowls’ (0:08).") == ["don’t touch the dogs’ bowls"]
    assert _texts("“it wasn’t ours” (0:11), that's what the boys' coach said.") == ["it wasn’t ours"]


def test_a_quotation_may_begin_with_an_elision() -> None:
    assert _texts("She sang ''Tis the season' (0:05).") or _texts("She sang ‘’Tis the season’ (0:05).")
    assert _texts("She sang ‘’Tis the season’ (0:05).") == ["’Tis the season"]
    assert _texts("She sang 'Tis the season' (0:05).") == ["Tis the season"]


def test_two_quotations_in_single_marks_are_two() -> None:
    assert _texts("He said ‘the dogs’ and ‘the cats’ (0:05).") == ["the dogs", "the cats"]
    assert _texts("'the dogs' and 'the cats'") == ["the dogs", "the cats"]


def test_feet_and_inches_are_primes() -> None:
    text = 'He is 5\'10" tall and the board is 6" wide.'
    assert _texts(text) == []
    assert [role for _, role in _roles(text)] == [MarkRole.PRIME] * 3
    assert _texts('She said "the door is 6\'6" high" (0:40) and "cut it at 7 feet" (0:44).') == [
        "the door is 6'6\" high",
        "cut it at 7 feet",
    ]
    assert _texts('The 12" disc is "not for sale" today.') == ["not for sale"]
    assert _texts("A 6’ fence.") == []


def test_a_quotation_may_end_in_a_number() -> None:
    assert _texts("“we are under 30” (0:47)") == ["we are under 30"]
    assert _texts('"we are under 30" (0:47), and "we are 12" too') == ["we are under 30", "we are 12"]


def test_several_paragraphs_with_an_opening_mark_each_are_one_claim() -> None:
    draft = _read("She began: “We opened at dawn.\n\n“By noon it was full.” (1:00)\n")
    assert [claim.text for claim in draft.claims] == ["We opened at dawn. By noon it was full."]
    assert [mark.role for mark in draft.marks] == [MarkRole.OPENS, MarkRole.OPENS, MarkRole.CLOSES]
    assert draft.claims[0].is_closed
    assert draft.claims[0].claimed is not None and draft.claims[0].claimed.start_ms == 60_000
    assert [draft.data[start:end] for start, end in draft.claims[0].bytes] == [
        b"We opened at dawn.\n\n",
        b"By noon it was full.",
    ]


def test_a_quotation_that_is_not_reopened_ends_with_its_paragraph() -> None:
    draft = _read("He said “the water was rising (1:10).\n\nThen came “it fell” (1:20).\n")
    assert [(claim.text, claim.is_closed) for claim in draft.claims] == [
        ("the water was rising (1:10).", False),
        ("it fell", True),
    ]


def test_an_opening_mark_that_meets_its_like_is_unclosed() -> None:
    draft = _read("He said “the water was and “it fell” (1:20).")
    assert [(claim.text, claim.is_closed) for claim in draft.claims] == [("the water was and", False), ("it fell", True)]
    draft = _read('He said "the water was and "it fell" (1:20).')
    assert [(claim.text, claim.is_closed) for claim in draft.claims] == [("the water was and", False), ("it fell", True)]


def test_a_stray_closing_mark_has_no_role() -> None:
    draft = _read("It fell” (1:20).")
    assert draft.claims == ()
    assert [mark.role for mark in draft.marks] == [None]


def test_a_soft_line_end_is_one_space_and_nothing_between_unspaced_scripts() -> None:
    assert _texts("“première ligne\r\ndeuxième ligne” (0:16)") == ["première ligne deuxième ligne"]
    assert _texts("「橋は\n安全です」") == ["橋は安全です"]


def test_plain_text_has_no_markup() -> None:
    assert _texts("> “quoted *so*” in mail & more") == ["quoted *so*"]
    assert _texts("> quoted in mail") == []


def test_a_line_too_long_to_be_wrapped_is_a_paragraph_of_its_own() -> None:
    long = "word " * 60
    draft = _read(f"He said “{long}\n{long} and “fine” (0:10).\n")
    assert [(claim.is_closed, claim.text[-4:]) for claim in draft.claims] == [(False, "word"), (True, "fine")]


def test_claims_are_numbered_and_placed_in_characters() -> None:
    draft = _read("🙂🙂 Day.\nThe chief said “the lift” and “thanks 🎉” (0:14).\n")
    assert [(claim.id, claim.line, claim.column) for claim in draft.claims] == [(1, 2, 17), (2, 2, 32)]
    first = draft.claims[0]
    assert draft.data[slice(*first.outer)].decode() == "“the lift”"
    assert first.open_mark is not None and draft.data[slice(*first.open_mark)].decode() == "“"
    assert [draft.data[start:end].decode() for start, end in draft.claims[1].bytes] == ["thanks 🎉"]


def test_contexts_leave_other_claims_out() -> None:
    draft = _read("One “alpha” two “beta” three.")
    first, second = draft.claims
    assert (first.before, first.after) == ("One ", " two  three.")
    assert (second.before, second.after) == ("One  two ", " three.")


def test_a_claim_without_a_word_says_so() -> None:
    assert [claim.has_word for claim in _read("“…” and “a”").claims] == [False, True]


def test_a_closing_shape_opens_nothing() -> None:
    draft = _read("„Er sagte „geh“ zu mir“ (0:05)")
    assert [(claim.text, claim.is_closed) for claim in draft.claims] == [("Er sagte", False), ("geh", True)]
    assert draft.marks[-1].role is None


def test_a_nested_q_that_ends_where_the_outer_one_does_stands_inside() -> None:
    roles = [role for _, role in _roles("<p><q>a <q>b</q></q> (0:05)</p>", "draft.html")]
    assert roles == [MarkRole.OPENS, MarkRole.INSIDE, MarkRole.INSIDE, MarkRole.CLOSES]
    roles = [role for _, role in _roles("<p><q>a</q> <q>b</q> (0:05)</p>", "draft.html")]
    assert roles == [MarkRole.OPENS, MarkRole.CLOSES, MarkRole.OPENS, MarkRole.CLOSES]
