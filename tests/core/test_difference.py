"""How a claim differs from a passage: each class alone, with others, and beside its near miss."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoteview.core.checking import check_one
from quoteview.core.difference import compare
from quoteview.core.folding import needed
from quoteview.core.verdicts import DifferenceClass, DifferenceStep, Verdict
from quoteview.core.words import tokens
from tests.builders import claim, cues, reference


def classes(draft: str, source: str) -> str:
    return " ".join(compare(draft, source).classes)


@pytest.mark.parametrize(
    ("draft", "source", "expected"),
    [
        ("We can trust", "we can trust", "case"),
        ("wie STRASSE", "wie Straße", "case"),
        ("wie Strasse", "wie Straße", "words"),
        ("ΟΔΟΣ", "οδος", "case"),
        ("trust a map,", "trust a map", "terminal_punctuation"),
        ("trust a map.", "trust a map", "terminal_punctuation"),
        ("trust a map…", "trust a map", "punctuation"),
        ("trust, a map", "trust a map", "punctuation"),
        ("go,’", "go’", "terminal_punctuation"),
        ("it’s", "it's", "typography"),
        ("he said ‘go’ now", "he said “go” now", "typography"),
        ("a well-known fact", "a well\u2010known fact", "typography"),
        ("so... we", "so… we", "typography"),
        ("so . . . we", "so … we", "typography"),
        ("we--yes--go", "we—yes—go", "typography"),
        ("42 m high", "42\xa0m high", "typography"),
        ("caf\u00e9", "cafe\u0301", "unicode_form"),
        ("한국어", "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165", "unicode_form"),
        ("cafe", "café", "words"),
        ("we cooperate", "we co\xadoperate", "invisible"),
        ("no comment", "no\u200b comment", "invisible"),
        ("we  go", "we go", "whitespace"),
        ("oldmill", "old mill", "whitespace"),
        ("well known", "well-known", "punctuation"),
        ("cooperate", "co-operate", "punctuation"),
        ("cant go", "can't go", "punctuation"),
        ("were here", "we're here", "words"),
        ("橋は安全", "橋は、安全", "punctuation"),
        ("橋が安全", "橋は安全", "words"),
    ],
)
def test_what_has_to_be_undone_names_the_class(draft: str, source: str, expected: str) -> None:
    assert classes(draft, source) == expected


@pytest.mark.parametrize(
    ("draft", "source", "expected"),
    [
        ("we shall … by June", "we shall rebuild by June", "elision"),
        ("we shall [...] by June", "we shall rebuild by June", "elision"),
        ("we shall … by June", "we shall not rebuild by June", "negation elision"),
        ("we shall … by June", "we shall build 15 by June", "number elision"),
        ("[they] shall", "we shall", "insertion"),
        ("we [the firm] shall", "we shall", "insertion"),
        ("so [sic] be it", "so be it", "insertion"),
        ("[W]e shall", "we shall", "insertion case"),
        ("we [do] go", "we do not go", "negation insertion"),
        ("we go home", "we go [Laughter] home", "annotation"),
        ("we go home", "we >> go home", "annotation"),
        ("we go home", "we go (music) home", "annotation"),
        ("we go home", "we go home home", "words"),
        ("what is [ __ ] on", "what is [\xa0__\xa0] on", "typography"),
        ("we went", "we, um, went", "filler"),
        ("we went", "we, you know, went", "filler"),
        ("the cat", "the the cat", "filler"),
        ("it was nice", "it was, like, nice", "filler"),
        ("it was a storm", "it was like a storm", "words"),
        ("um we went", "we went", "words"),
        ("we went", "we, um, never went", "negation filler"),
    ],
)
def test_what_one_side_has_alone_names_the_class(draft: str, source: str, expected: str) -> None:
    assert classes(draft, source) == expected


@pytest.mark.parametrize(
    ("draft", "source", "expected"),
    [
        ("3 ships", "three ships", "number_form"),
        ("fifteen ships", "15 ships", "number_form"),
        ("1,000 men", "1000 men", "number_form"),
        ("1,000 men", "a thousand men", "number_form"),
        ("50 percent of", "50 % of", "number_form"),
        ("fifty percent of", "50% of", "number_form"),
        ("the 2nd day", "the second day", "number_form"),
        ("in 1999 we", "in nineteen ninety-nine we", "number_form"),
        ("$5 million", "five million dollars", "number_form"),
        ("1.2 million", "one point two million", "number_form"),
        ("twenty-five men", "twenty five men", "punctuation"),
        ("drei Schiffe", "3 Schiffe", "number_form"),
        ("15 ships", "50 ships", "number"),
        ("three ships", "thirteen ships", "number"),
        ("5 degrees", "-5 degrees", "number"),
        ("5 percent", "5 dollars", "number"),
        ("the ships", "the 15 ships", "number"),
        ("one of them", "two of them", "number"),
        ("of them", "one of them", "words"),
    ],
)
def test_numbers_are_compared_by_value(draft: str, source: str, expected: str) -> None:
    assert classes(draft, source) == expected


@pytest.mark.parametrize(
    ("draft", "source", "expected"),
    [
        ("we can go", "we can't go", "negation"),
        ("we can go", "we cannot go", "negation"),
        ("we will go", "we won't go", "negation"),
        ("it is so", "it is not so", "negation"),
        ("it is never so", "it is so", "negation"),
        ("it is likely", "it is unlikely", "negation"),
        ("it is possible", "it is impossible", "negation"),
        ("do not go", "don't go", "words"),
        ("das ist gut", "das ist nicht gut", "negation"),
        ("il va bien", "il ne va pas bien", "negation"),
        ("eso es bueno", "eso no es bueno", "negation"),
        ("橋は安全でない", "橋は安全である", "negation words"),
        ("into town", "to town", "words"),
    ],
)
def test_what_turns_a_sentence_round_is_named(draft: str, source: str, expected: str) -> None:
    assert classes(draft, source) == expected


def test_several_classes_stand_most_harmful_first() -> None:
    assert classes("We can’t wait.", "we can't wait") == "typography terminal_punctuation case"
    assert classes("We saw 15 of the ships,", "we saw 50 of those ships") == "number words terminal_punctuation case"


def test_equal_texts_differ_in_nothing() -> None:
    assert compare("we vote", "we vote") == ((), (DifferenceStep("equal", "we vote", "we vote"),))


def test_the_difference_shows_whole_words() -> None:
    assert compare("the harbour was", "that harbour was").steps == (
        DifferenceStep("replace", "the", "that"),
        DifferenceStep("equal", " harbour was", " harbour was"),
    )


def test_undoing_only_what_is_needed_prefers_the_harmless() -> None:
    assert needed("a\xa0b", "a b") == {DifferenceClass.TYPOGRAPHY}
    assert needed("a b", "a  b") == {DifferenceClass.WHITESPACE}
    assert needed("a", "b") is None


TEXT = st.lists(
    st.sampled_from(["we", "We", "can", "can't", "can’t", "not", "15", "fifteen", "…", "[they]",
     "(music)", ">>", ",", ".", " ", "  ", "\xa0", "\xad", "é", "e\u0301", "橋", "🎉", "um", "“", "-"]),
    max_size=14,
).map("".join)  # fmt: skip


@given(TEXT, TEXT)
def test_the_steps_lead_from_one_text_to_the_other(draft: str, source: str) -> None:
    difference = compare(draft, source)
    assert "".join(step.draft for step in difference.steps) == draft
    assert "".join(step.source for step in difference.steps) == source
    assert bool(difference.classes) == (draft != source)
    assert all((step.kind == "equal") == (step.draft == step.source) for step in difference.steps)
    assert sorted(difference.classes, key=list(DifferenceClass).index) == list(difference.classes)


@given(TEXT)
def test_tokens_stand_in_order_and_apart(text: str) -> None:
    at = 0
    for token in tokens(text):
        assert at <= token.start < token.end <= len(text)
        at = token.end


# -- cuts ------------------------------------------------------------------------------------------

REBUILD = cues("so, we shall rebuild the school", "unless it rains", "and open it by June")


def elided(text: str, data: bytes = REBUILD, moment: int = 1_000) -> Verdict:
    return check_one(reference(data), claim(text, moment))


@pytest.mark.parametrize("mark", ["…", "...", ". . .", "[…]", "[...]", "[ … ]", "(...)"])
def test_a_cut_gives_its_parts_and_the_gap(mark: str) -> None:
    found = elided(f"we shall rebuild {mark} by June")
    assert found.classes == (DifferenceClass.ELISION,)
    assert found.nearest is not None
    assert found.nearest.gap == "the school unless it rains and open it"
    parts = [f"we shall rebuild {mark} by June"[part.claim_span.start : part.claim_span.end] for part in found.nearest.parts]
    assert parts == ["we shall rebuild", "by June"]
    assert found.nearest.parts[1].match.evidence.first_cue.start_ms == 5_000


def test_a_cut_that_leaves_out_a_negation_or_number_says_so_first() -> None:
    data = cues("we shall not rebuild the 15 schools by June")
    assert elided("we shall … by June", data).classes[:2] == (DifferenceClass.NUMBER, DifferenceClass.NEGATION)


def test_parts_in_the_wrong_order_are_no_cut() -> None:
    assert DifferenceClass.ELISION not in elided("by June … we shall rebuild").classes


def test_parts_too_far_apart_are_no_cut() -> None:
    def apart(start_ms: int) -> bytes:
        return cues("we shall rebuild") + cues("the whole of it by June", start_ms=start_ms)

    assert elided("we shall rebuild … by June", apart(61_000)).classes == (DifferenceClass.ELISION,)
    assert DifferenceClass.ELISION not in elided("we shall rebuild … by June", apart(61_001)).classes


def test_parts_by_two_speakers_say_so() -> None:
    found = elided("we shall … by June", cues("<v Ada>we shall rebuild", "<v Ben>not by June"))
    assert {DifferenceClass.TWO_SPEAKERS, DifferenceClass.NEGATION} <= set(found.classes)


def test_a_cut_with_a_mark_at_its_end_keeps_exact_parts() -> None:
    found = elided("We shall rebuild … by June.".replace("We", "we"))
    assert found.classes == (DifferenceClass.ELISION, DifferenceClass.TERMINAL_PUNCTUATION)
    assert found.nearest is not None
    assert len(found.nearest.parts) == 2


def test_a_part_in_other_capitals_gives_no_exact_parts() -> None:
    found = elided("We shall rebuild … by June")
    assert found.classes == (DifferenceClass.ELISION, DifferenceClass.CASE)
    assert found.nearest is not None
    assert found.nearest.parts == ()


def test_an_ellipsis_of_the_captions_is_no_cut() -> None:
    data = cues("so… we waited for the boat")
    assert elided("so… we waited", data).is_green
    assert elided("so... we waited", data).classes == (DifferenceClass.TYPOGRAPHY,)
    assert elided("so… we … the boat", data).classes == (DifferenceClass.ELISION,)


def test_the_parts_nearest_to_the_claimed_time_are_taken() -> None:
    data = cues("we go to town and home", *["la la la"] * 60, "we go to sea and home")
    found = elided("we go … and home", data, 123_000)
    assert found.nearest is not None
    assert found.nearest.gap == "to sea"


def test_one_exact_part_twice_needs_two_places() -> None:
    assert DifferenceClass.ELISION not in elided("we vote … we vote", cues("we vote here and then leave")).classes
