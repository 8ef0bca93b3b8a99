"""Where the nearest passage is, and what is not close enough to be one."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoteview.core.reference import Reference
from tests.builders import cues, reference

TALK = reference(
    cues(
        "so the council met on a Tuesday in the old town hall",
        "and we talked about the harbour for three hours",
        "nobody wanted to rebuild the lighthouse, it's too expensive",
        "but the fishermen said that they can't see the rocks",
        "then Mrs. Okafor wrote a memo about 15 broken lamps",
        "and we talked about the bridge for three hours",
    )
)


def nearest(text: str, claimed_ms: int | None = None, found: Reference = TALK) -> str | None:
    span = found.passages.nearest(text, claimed_ms)
    return None if span is None else found.text[span.start : span.end]


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The council met on a tuesday", "the council met on a Tuesday"),
        ("the council met on a Tuesday,", "the council met on a Tuesday"),
        ("rebuild the lighthouse; it’s too expensive", "rebuild the lighthouse, it's too expensive"),
        ("the fishermen said they can't see the rocks", "the fishermen said that they can't see the rocks"),
        ("the fishermen said that they can see the rocks", "the fishermen said that they can't see the rocks"),
        ("everybody wanted to rebuild the lighthouse", "nobody wanted to rebuild the lighthouse"),
        ("a memo about 50 broken lamps", "a memo about 15 broken lamps"),
        ("50 broken lamps", "15 broken lamps"),
        ("the old townhall", "the old town hall"),
        ("[they] wanted to rebuild the lighthouse", "wanted to rebuild the lighthouse"),
        ("Mrs. Oakafor wrote a memo", "Mrs. Okafor wrote a memo"),
        ("Okaffor", "Okafor"),
        ("lighthouses", "lighthouse"),
        ("it is too expensive", "it's too expensive"),
        ("Lamps and we talked", "lamps and we talked"),
    ],
)
def test_a_changed_quotation_is_near_its_passage(claim: str, expected: str) -> None:
    assert nearest(claim) == expected


@pytest.mark.parametrize(
    "claim",
    [
        "my grandmother baked the finest bread in the whole of the valley",
        "and that is what I always said about it",
        "we should have listened to the engineers before the storm",
        "scare quotes",
        "smart town",
        "disruption",
        "lamp post office",
        "",
        "…",
        "[the company]",
    ],
)
def test_what_nobody_said_is_not_close(claim: str) -> None:
    assert nearest(claim) is None


def test_of_equally_close_places_the_nearest_in_time_is_taken() -> None:
    found = reference(cues("we rowed to the red island", *["la la la la"] * 20, "we rowed to the green island"))
    assert nearest("we rowed to the blue island", 0, found) == "we rowed to the red island"
    assert nearest("we rowed to the blue island", 40_000, found) == "we rowed to the green island"


def test_the_same_letters_nearest_in_time_are_taken() -> None:
    first, second = TALK.passages.nearest("And we talked about", 3_000), TALK.passages.nearest("And we talked about", 11_000)
    assert first is not None
    assert second is not None
    assert first.start < second.start


def test_the_passage_takes_the_marks_that_the_claim_has_too() -> None:
    found = reference(cues("“Look out!” she cried, and jumped."))
    assert nearest("“look out!” she cried", None, found) == "“Look out!” she cried"
    assert nearest("Look Out", None, found) == "Look out"
    assert nearest("And jumped.", None, found) == "and jumped."


def test_scripts_without_spaces_are_searched_too() -> None:
    found = reference(cues("昨日の会議で橋の安全について話しました", "灯台は高すぎると言いました"))
    assert nearest("会議で橋の危険について話しました", None, found) == "会議で橋の安全について話しました"
    assert nearest("祖母は村で一番のパンを焼いた", None, found) is None


def test_more_distinct_characters_than_edlib_takes_are_no_obstacle() -> None:
    text = "".join(chr(0x4E00 + place) for place in range(600))
    found = reference(cues(text[:300], text[300:]))
    changed = text[10:290] + "山" + text[291:560]
    close = nearest(changed, None, found)
    assert close is not None
    assert close[:5] == text[10:15]


@pytest.mark.parametrize(
    "claim",
    [
        "a " * 25_000,
        "x" * 50_000,
        "5" * 50_000,
        "[" * 50_000 + "a",
        "…" * 25_000 + "a",
        "e" + "\u0301" * 50_000,
        "the council " * 4_000,
    ],
)
def test_a_claim_of_fifty_thousand_characters_does_not_hang(claim: str) -> None:
    begun = time.process_time()
    nearest(claim)
    assert time.process_time() - begun < 5


def test_a_reference_without_words_has_nothing_near() -> None:
    assert nearest("a word", None, reference(cues("… — !"))) is None


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="abt'é 15.,[]…橋\xad\u0301“-", max_size=30), st.sampled_from([None, 0, 9_000]))
def test_a_passage_is_never_empty_and_never_outside(claim: str, claimed_ms: int | None) -> None:
    found = reference(cues("bat at a tab, 15 't", "橋 bé at“ ta-ab"))
    span = found.passages.nearest(claim, claimed_ms)
    assert span is None or 0 <= span.start < span.end <= len(found.text)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("50 percent of", "50% of"),
        ("fifty per cent", "50%"),
        ("one thousand people", "1,000 people"),
        ("1000", "1,000"),
        ("$5 million", "5 million dollars"),
        ("−\u00a05 degrees", "-5 degrees"),
        ("21 cats", "twenty-one cats"),
    ],
)
def test_a_short_quotation_with_a_number_is_near_the_same_number_written_otherwise(claim: str, expected: str) -> None:
    talk = reference(
        cues("50% of the boats", "and 1,000 people went", "for 5 million dollars", "it was -5 degrees", "with twenty-one cats")
    )
    assert nearest(claim, found=talk) == expected


@pytest.mark.parametrize("claim", ["fifty-one per cent", "nine hundred fish", "a third of it"])
def test_another_number_alone_is_not_near(claim: str) -> None:
    talk = reference(cues("50% of the boats", "and 1,000 people went", "for 5 million dollars"))
    assert nearest(claim, found=talk) is None


def test_of_equal_numbers_the_nearest_in_time_is_taken() -> None:
    talk = reference(cues("three boats", "of wood", "no words", "here", "3 boats"))
    assert nearest("Three boats!", 9_000, talk) == "3 boats"
    assert nearest("3 boats.", 1_000, talk) == "three boats"
