"""What is said of each verdict: the fact first, by name, and never a score."""

from __future__ import annotations

import re
from typing import cast

import pytest

from quoteview.core.acts import ClaimBasis
from quoteview.core.checking import check_one
from quoteview.core.resolving import ExceptionClass, Resolution, ResolutionKind, Resolved
from quoteview.core.verdicts import DifferenceClass, DifferenceStep
from quoteview.core.wording import Change, changes, character_name, class_word, clock, day, sentence
from tests.builders import claim, cues, reference

TALK = reference(
    cues(
        "We can trust a map, it's simple",
        "that harbour was frozen",
        "so… we waited and we can't go",
        "um, we, um, shall rebuild the school",
        "unless it rains, by June we paid 15 million dollars",
        "we co\u00adoperate with the cafe\u0301 [Laughter] again and again",
        "in three ships",
    )
)


def said(text: str, start_ms: int | None = 1_000, *, origin: str = "", has_keys: bool = True) -> str:
    quoted = claim(text, start_ms, has_time=start_ms is not None)
    return sentence(quoted, check_one(TALK, quoted), origin=origin, has_keys=has_keys)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("trust a map", "Matches the captions, character for character, at 0:01."),
        ("trust a map.", "Same words. The full stop before your closing mark is not in the captions. Enter moves it outside."),
        ("it’s simple", "Same words. Yours has a curly apostrophe (U+2019), the captions a straight apostrophe (U+0027)."),
        ("so... we waited", "Same words. Yours has three full stops, the captions an ellipsis sign (U+2026)."),
        ("the café", "Looks the same, but é is one character in your draft and two in the captions."),
        ("we cooperate", "The captions have a soft hyphen (U+00AD) inside “cooperate”."),
        ("we can trust", "Same words. You write ‘we’, the captions ‘We’."),
        (
            "shall rebuild … by June",
            "Both parts match, in order; left out between them is ‘the school unless it rains,’. Read the gap.",
        ),
        ("[they] shall rebuild", "‘[they]’ is yours; without it the words match."),
        ("we shall rebuild", "You left out ‘um’. Your style may allow it; the quotation is not exact."),
        ("we paid 50 million", "You write ‘50 million’; the captions say ‘15 million’. Listen."),
        ("in 3 ships", "You write 3; the captions say ‘three’."),
        ("and we can go", "The captions say ‘can't’; you write ‘can’. The meaning may be reversed. Listen."),
        ("the harbour was frozen", "You write ‘the harbour’; the captions say ‘that harbour’."),
        ("café again", "The captions have ‘[Laughter]’ there, which no one says; without it the words match."),
        ("a sentence that nobody spoke there", "Nothing close in these captions. Listen, or ask the writer."),
        ("…", "Without a letter or digit there is nothing to prove."),
    ],
)
def test_each_state_has_its_sentence(text: str, expected: str) -> None:
    assert said(text, 1_000 if "map" in text else 9_000) in (expected, expected.replace("é", "é"))


def test_the_origin_and_the_keys_can_be_left_out_or_named() -> None:
    assert said("trust a map", origin="human") == "Matches the captions (human), character for character, at 0:01."
    assert said("trust a map.", has_keys=False).endswith("not in the captions.")


def test_a_wrong_time_is_said_with_the_right_one() -> None:
    assert said("that harbour", 60_000) == "The words match at 0:03, not 1:00. Enter corrects the time."


def test_several_places_are_named_to_choose_from() -> None:
    assert said("again", 11_000) == "Matches the captions; said 2 times, nearest at 0:11."
    assert said("again", None) == "The words match at 0:11 and 0:11. Choose which you mean."


def test_a_long_cue_says_how_little_its_time_is_known() -> None:
    found = reference(b"00:05.000 --> 00:43.000\nwe vote\n\n")
    quoted = claim("we vote", 6_000)
    assert (
        sentence(quoted, check_one(found, quoted))
        == "Matches the captions; the cue lasts 38 s, so its time is known only to that."
    )


def test_an_unclosed_quotation_asks_for_its_mark() -> None:
    quoted = claim("trust a map", is_closed=False)
    assert sentence(quoted, check_one(TALK, quoted)).startswith("This quotation opens here and never closes.")


def test_another_track_that_has_it_is_named() -> None:
    automatic = reference(cues("we can trust a mop"), track_id="en.auto")
    quoted = claim("we can trust a mop")
    assert sentence(quoted, check_one(TALK, quoted, others=(automatic,))).endswith(
        "The track en.auto has it exactly, and in time."
    )


def test_a_resolution_says_who_and_when() -> None:
    def resolved(kind: ResolutionKind, exception: ExceptionClass | None, reason: str) -> Resolved:
        basis = cast(ClaimBasis, None)
        return Resolved(Resolution(kind, exception, reason, "", "Ada", "2027-03-03T10:00:00+00:00", "", "en", basis))

    quoted = claim("trust")
    verdict = check_one(TALK, quoted)
    aside = resolved(ResolutionKind.NOT_A_QUOTATION, None, "a term")
    assert sentence(quoted, verdict, aside) == "Set aside by Ada on 3 March: a term, not from this recording."
    cut = resolved(ResolutionKind.ACCEPT, ExceptionClass.CUT, "both parts exact")
    assert sentence(quoted, verdict, cut) == "Exception by Ada on 3 March, cut: “both parts exact”."


@pytest.mark.parametrize(
    "text",
    ["We can trust maps", "the harbor was freezing", "we paid 15 billion dollars", "in the ships", "café, again, and again"],
)
def test_no_sentence_holds_a_score_or_a_probability(text: str) -> None:
    assert not re.search(r"%|probabl|similar|likely|score", said(text))


def test_every_class_has_a_word() -> None:
    assert all(class_word(one) for one in DifferenceClass)


def test_characters_are_named_with_their_number() -> None:
    assert character_name("’") == "curly apostrophe (U+2019)"
    assert character_name("\u200b") == "zero-width space (U+200B)"
    assert character_name("☂") == "umbrella (U+2602)"


@pytest.mark.parametrize(
    ("ms", "shown"), [(767_000, "12:47"), (842_300, "14:02.3"), (3_723_000, "1:02:03"), (50, "0:00"), (-5_000, "−0:05")]
)
def test_moments_read_as_the_drafts_write_them(ms: int, shown: str) -> None:
    assert clock(ms) == shown


def test_days_read_as_people_say_them() -> None:
    assert day("2027-03-03T10:00:00Z") == "3 March"
    assert day("yesterday") == "yesterday"


def test_changes_are_widened_to_whole_words() -> None:
    steps = (DifferenceStep("equal", "it", "it"), DifferenceStep("replace", "’", "'"), DifferenceStep("equal", "s so", "s so"))
    assert changes(steps) == [Change("it’s", "it's")]
    bracketed = (DifferenceStep("delete", "[they] ", ""), DifferenceStep("equal", "shall", "shall"))
    assert changes(bracketed) == [Change("[they]", "")]
