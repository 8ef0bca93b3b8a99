"""The label's words: the fact first, no more than was checked, and the two labels never alike."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quoteview.core.label_words import by_class, captions_words, day, label_sentence, published_line
from quoteview.core.statement import StatedCounts, StatedFile, StatedTrack, label_words

TRACK = StatedTrack(
    "en.human", StatedFile("data/tracks/en.human.vtt", "0" * 64, 10), "human", "en", "webvtt", "utf-8", True, True
)
CLEAN = StatedCounts(claims=24, exact=22, resolved=2, set_aside=2, exceptions=0, by_class=(), marks=48, long_cues=0)
MIXED = replace(CLEAN, exact=21, set_aside=0, exceptions=2, by_class=(("cut", 1), ("wording", 1)))
AT = "2027-03-03T10:00:00Z"


def words(counts: StatedCounts, **more: object) -> str:
    values = {"tolerance_ms": 2000, "by": "Ada", "at": AT, "is_signed": False, **more}
    return label_sentence(counts, TRACK, **values)  # type: ignore[arg-type]


def test_a_label_without_exceptions_says_what_matches_and_what_was_not_checked() -> None:
    said = words(CLEAN)
    assert said.startswith(
        "Quotations match the captions. 22 of 22 quotations match the locked English captions (human, as stated) word for word, "
        "within 2 seconds of the stated times. 2 other marked phrases were set aside as not from this recording."
    )
    assert "Not checked: whether the captions are right, who spoke, the context, other facts." in said
    assert said.endswith("By Ada, 3 March 2027, unsigned.")


def test_a_label_with_exceptions_counts_them_by_class_in_its_first_line() -> None:
    said = words(MIXED)
    assert said.startswith("Quotations compared with the captions: 21 of 23 match, 2 exceptions (1 cut, 1 wording).")
    assert not said.startswith("Quotations match")
    assert (label_words(0), label_words(1), label_words(2)) == (
        "verified",
        "verified with 1 exception",
        "verified with 2 exceptions",
    )


@pytest.mark.parametrize("word", ["fact-checked", "authentic", "accurate", "was said"])
def test_no_label_says_more_than_was_checked(word: str) -> None:
    for counts in (CLEAN, MIXED):
        assert word not in words(counts)
        assert word not in published_line(counts, "the briefing", "9b42" + "0" * 60, by="Ada", at=AT)


def test_what_narrows_the_proof_is_said_with_it() -> None:
    said = words(replace(CLEAN, long_cues=3), unread_bytes=12, reference_choice="Ada: the other one is cut", is_signed=True)
    assert "3 of them lie in cues longer than 15 s" in said
    assert "12 bytes of the captions were not read." in said
    assert "chosen by a person: Ada: the other one is cut" in said
    assert "what else the source offers is unknown" in said
    assert said.endswith("signed.")
    assert not said.endswith("unsigned.")


def test_the_line_to_publish_covers_these_bytes_alone() -> None:
    line = published_line(CLEAN, "the briefing", "9b42" + "0" * 60, by="Ada", at=AT)
    assert line.startswith("All 22 quotations from the briefing in the checked draft of this article match its captions")
    assert line.endswith("Covers draft 9b420000…, not later changes.")


def test_one_is_said_in_the_singular() -> None:
    one = replace(CLEAN, exact=1, set_aside=1)
    assert "1 of 1 quotation matches" in words(one)
    assert "1 other marked phrase was set aside" in words(one)


def test_classes_origins_and_days_have_words() -> None:
    assert by_class(["wording", "cut", "", "cut"]) == (("cut", 2), ("wording", 1), ("other", 1))
    assert (
        captions_words(replace(TRACK, origin="automatic", is_imported=False, language="xx")) == "locked xx captions (automatic)"
    )
    assert (day(AT), day("no date")) == ("3 March 2027", "no date")
