"""Places that a quotation may not begin or end at, each with its near miss."""

from __future__ import annotations

import pytest

from quoteview.core.boundaries import Flaw, border_flaw


def flaw_at(marked: str) -> Flaw | None:
    """Return the flaw at the bar in a text."""
    before, after = marked.split("|", 1)
    return border_flaw(before + after, len(before))


@pytest.mark.parametrize(
    "marked",
    [
        "st|arting",
        "we can|'t",
        "we can’|t",
        "co\xad|operate",
        "na|ïve",
        "Wor|d",
        "a|_b",
        "co|\u2060op",
        "стар|т",
        "한|국어",
        "mid|2",
    ],
)
def test_a_word_is_not_divided(marked: str) -> None:
    assert flaw_at(marked) is Flaw.WORD or flaw_at(marked) is Flaw.CLUSTER


@pytest.mark.parametrize(
    "marked",
    [
        "well-|known",
        "well|-known",
        "so |we",
        "so| we",
        "dogs|' bowls",
        "|go",
        "go|",
        "東|京",
        "ภาษา|ไทย",
        "カタ|カナ",
        "a\u200b|b",
        "Yes|.",
        "a |  b",
        "(|x)",
    ],
)
def test_places_that_divide_no_word_are_free(marked: str) -> None:
    assert flaw_at(marked) is None


@pytest.mark.parametrize(
    "marked",
    [
        "1.|2 million", "10 |000 people", "10\u202f|000 people", "10\xa0|000", "-|5 degrees", "−|5", "+|5",
        "50|%", "50| %", "50\xa0|%",
        "3:|15", "3/|4",
        "1'|000", "1’|000", "1,|000", "1|,000", "x 1|5", "10|²", "1|½", "a .|5 b", "-$|5", "-|$5",
        "٣|٤", "１|２", "for –|5 degrees", "(-|5)",
    ],
)  # fmt: skip
def test_a_number_is_not_divided(marked: str) -> None:
    assert flaw_at(marked) is not None


@pytest.mark.parametrize(
    "marked", ["− |5 degrees", "−|\xa05", "-\xa0|5", "-|\u202f5", "+\xa0|5", "± |5", "it is − |5", "( − |.5"]
)
def test_a_sign_is_held_with_its_number_over_a_space(marked: str) -> None:
    assert flaw_at(marked) is Flaw.NUMBER


@pytest.mark.parametrize(
    "marked", ["- |5 of them", "– |5", "–\xa0|5", "10 − |5", "10 % −\xa0|5", "−  |5", "-\xa0|five", "no− |5"]
)
def test_a_dash_or_what_counts_off_another_number_is_no_sign(marked: str) -> None:
    assert flaw_at(marked) is None


@pytest.mark.parametrize(
    "marked",
    [
        "covid-|19", "1990-|1995", "in 1990|, and", "5| degrees", "10| 0000 people", "10 |00 people", "about |-5",
        "$|5", "we had—|5 of them", "was 5|.", "3|: and",
        "50|, 60 %", "a 50 %| rise", "5| or 6", "--|5 people",
    ],
)  # fmt: skip
def test_places_beside_a_number_are_free(marked: str) -> None:
    assert flaw_at(marked) is None


@pytest.mark.parametrize(
    "marked", ["e|\u0301", "👨\u200d|👩", "👨|\u200d👩", "🇩|🇪", "👍|🏽", "\r|\n", "1️|⃣", "は|\u3099", "👨\u200d👩\u200d|👧"]
)
def test_a_grapheme_cluster_is_not_divided(marked: str) -> None:
    assert flaw_at(marked) is not None


@pytest.mark.parametrize("marked", ["🇩🇪|🇫🇷", "🎉| x", "x |🎉", "🎉|🎉", "e\u0301| x", "日|本"])
def test_places_between_clusters_are_free(marked: str) -> None:
    assert flaw_at(marked) is None


def test_a_million_digits_take_no_time() -> None:
    digits = "1" * 1_000_000
    assert all(border_flaw(digits, place) is Flaw.NUMBER for place in range(1, 1_000_000, 10_000))


@pytest.mark.parametrize(
    ("marked", "flaw"),
    [
        ("you map|\u200f, steer", None),
        ("you map\u200f|, steer", None),
        ("you |\u200fmap", None),
        ("you \u200f|map", None),
        ("go \u2067|map\u2069 x", None),
        ("go \u2067map|\u2069 x", None),
        ("map|\u200fs", Flaw.WORD),
        ("map\u200f|s", Flaw.WORD),
        ("12|\u200f% x", Flaw.NUMBER),
        ("12\u200f|% x", Flaw.NUMBER),
        ("שלום|\u200f.", None),
        ("|\u200fשלום", None),
        ("\u200f" * 300 + "|שלום", None),
    ],
)
def test_direction_marks_beside_a_place_are_not_there(marked: str, flaw: Flaw | None) -> None:
    assert flaw_at(marked) is flaw
