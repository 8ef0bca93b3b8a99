"""Verdicts, each with its near miss, and an oracle that is written by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoteview.core.checking import Checker, check, check_one
from quoteview.core.cutting import Cut, cut_again
from quoteview.core.errors import Cancelled
from quoteview.core.reference import Reference
from quoteview.core.spans import ByteSpan, TextSpan
from quoteview.core.verdicts import DifferenceClass, Verdict, VerdictKind
from tests.builders import claim, cues, reference, track, vtt


def verdict(data: bytes, text: str, start_ms: int | None = 1_000, *, end_ms: int | None = None) -> Verdict:
    return check_one(reference(data), claim(text, start_ms, end_ms=end_ms))


def kind(data: bytes, text: str, start_ms: int | None = 1_000, *, end_ms: int | None = None) -> str:
    return verdict(data, text, start_ms, end_ms=end_ms).kind.value


# -- the text --------------------------------------------------------------------------------------


def test_the_same_characters_are_exact() -> None:
    found = verdict(cues("we can trust a map"), "can trust")
    assert found.is_green
    assert found.occurrences == 1
    assert found.match is not None
    assert found.match.evidence.bytes == (ByteSpan(41, 50),)


@pytest.mark.parametrize(
    "text", ["we can trust a mop", "we can\xa0trust a map", "we can  trust a map", "We can trust a map", "we can trust a map,"]
)
def test_one_other_character_is_not_exact(text: str) -> None:
    assert kind(cues("we can trust a map"), text) == "altered"


def test_a_quotation_across_cues_and_lines_is_exact() -> None:
    assert kind(cues("we vote\nthen we", "count"), "vote then we count") == "exact"


def test_words_that_are_skipped_between_cues_are_not_proven() -> None:
    assert kind(cues("we vote", "then we", "count"), "we vote count") == "altered"


def test_a_quotation_across_cues_without_spaces_is_exact() -> None:
    assert kind(cues("橋は", "安全です"), "橋は安全です") == "exact"
    assert kind(cues("橋は", "安全です"), "橋は 安全です") == "altered"


def test_an_emoji_before_the_quotation_moves_nothing() -> None:
    found = verdict(cues("🎉🎉 the lift is broken"), "the lift")
    assert found.is_green
    assert found.match is not None
    assert found.match.span == TextSpan(3, 11)


def test_a_reference_cut_by_the_quotation_is_exact() -> None:
    assert kind(cues("Q&amp;A starts &lt;now&gt;"), "A starts <now") == "exact"
    assert kind(cues("Q&amp;A starts &lt;now&gt;"), "A starts &lt;now") == "altered"


def test_markup_adds_nothing() -> None:
    assert kind(cues("we <b>ne</b>ver <i>sold</i> it"), "we never sold it") == "exact"


def test_a_line_that_rolls_up_is_read_once() -> None:
    rolled = (
        b"00:00.000 --> 00:02.000\nthe harbor was\n\n"
        b"00:02.000 --> 00:02.010\nthe harbor was\n\n"
        b"00:02.010 --> 00:04.000\nthe harbor was\nfrozen <00:03.000><c>solid</c>\n\n"
        b"00:04.000 --> 00:04.010\nfrozen solid\n\n"
        b"00:04.010 --> 00:06.000\nfrozen solid\nby <00:05.000><c>march</c>\n\n"
    )
    assert kind(rolled, "the harbor was frozen solid by march") == "exact"
    assert kind(rolled, "the harbor was the harbor was") != "exact"


def test_a_speaker_who_says_it_twice_is_quoted_twice() -> None:
    found = verdict(cues("no no", "no no"), "no no", 4_000)
    assert (found.kind, found.occurrences) == (VerdictKind.EXACT, 3)


def test_two_speakers_make_no_quotation() -> None:
    data = cues("<v Ada>we vote", "<v Ben>then we count")
    assert verdict(data, "we vote then").classes == (DifferenceClass.TWO_SPEAKERS,)
    assert kind(data, "then we count") == "exact"


@pytest.mark.parametrize(
    ("text", "quote"),
    [("starting now", "art"), ("we can't go", "we can"), ("1.2 million", "2 million"), ("10 000 people", "000 people"),
     ("at -5 degrees", "5 degrees"), ("about 50 %", "about 50")],
)  # fmt: skip
def test_a_piece_of_a_word_or_number_is_altered(text: str, quote: str) -> None:
    found = verdict(cues(text), quote)
    assert found.kind is VerdictKind.ALTERED
    assert DifferenceClass.PARTIAL_WORD in found.classes
    assert found.nearest is not None
    assert quote in found.nearest.text


def test_a_piece_that_loses_its_negation_says_so_first() -> None:
    assert verdict(cues("we can't go"), "we can").classes == (DifferenceClass.NEGATION, DifferenceClass.PARTIAL_WORD)


def test_a_part_of_a_hyphened_word_is_exact() -> None:
    assert kind(cues("a well-known fact"), "known fact") == "exact"


def test_a_whole_occurrence_counts_though_another_is_none() -> None:
    found = verdict(cues("starting", "art"), "art", 4_000)
    assert (found.kind, found.occurrences) == (VerdictKind.EXACT, 1)


@pytest.mark.parametrize("text", ["…", "—", "!?", "", "🎉"])
def test_nothing_is_proven_without_a_letter_or_digit(text: str) -> None:
    assert kind(cues("so … — !? 🎉"), text) == "not_found"


def test_a_quotation_that_never_ends_is_unclosed_whatever_it_says() -> None:
    assert check_one(reference(cues("we vote")), claim("we vote", is_closed=False)).kind is VerdictKind.UNCLOSED


def test_an_invented_sentence_is_not_found() -> None:
    data = cues("we can trust a map", "that harbour was frozen by early march")
    assert kind(data, "my grandmother baked the finest bread in town") == "not_found"


def test_nothing_is_exact_across_a_malformed_block() -> None:
    data = cues("we vote") + b"no time here\nbut words\n\n" + cues("then count", start_ms=4_000)
    assert kind(data, "we vote then count") == "altered"
    assert kind(data, "we vote") == "exact"


# -- the time --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claimed", "expected"),
    [(3_000, "exact"), (2_999, "mistimed"), (5_000, "exact"), (6_300, "exact"), (8_300, "exact"), (8_301, "mistimed")],
)
def test_the_tolerance_is_inclusive_to_the_millisecond_on_both_sides(claimed: int, expected: str) -> None:
    assert kind(b"00:05.000 --> 00:06.300\nwe vote\n\n", "we vote", claimed) == expected


def test_a_smaller_tolerance_can_be_set_and_no_larger_one() -> None:
    found = reference(b"00:05.000 --> 00:06.000\nwe vote\n\n")
    assert check_one(found, claim("we vote", 4_500), tolerance_ms=500).is_green
    assert not check_one(found, claim("we vote", 4_499), tolerance_ms=500).is_green
    assert check_one(found, claim("we vote", 5_000), tolerance_ms=0).is_green
    with pytest.raises(ValueError, match="at most"):
        check(found, [], tolerance_ms=2_001)


def test_the_cue_in_which_the_words_begin_decides_not_the_last() -> None:
    data = cues("we vote", "then", "we count")  # 1 to 3, 3 to 5, 5 to 7 s
    assert kind(data, "vote then we count", 5_000) == "exact"
    assert kind(data, "vote then we count", 5_001) == "mistimed"


def test_a_word_after_the_seam_begins_in_the_later_cue() -> None:
    data = cues("we vote", "then")
    assert kind(data, "then", 1_000) == "exact"
    assert kind(data, "then", 999) == "mistimed"


def test_the_nearest_of_several_occurrences_decides() -> None:
    data = cues("we vote", "filler", "filler two", "filler three", "we vote")
    found = verdict(data, "we vote", 8_500)
    assert (found.kind, found.occurrences) == (VerdictKind.EXACT, 2)
    assert found.match is not None
    assert found.match.evidence.cues == (4, 4)
    assert found.moments == (1_000, 9_000)
    assert verdict(data, "we vote", 6_500).kind is VerdictKind.MISTIMED


def test_without_a_time_the_words_are_untimed() -> None:
    found = reference(cues("we vote", "we vote"))
    assert check_one(found, claim("we vote", has_time=False)).kind is VerdictKind.UNTIMED
    assert check_one(found, claim("we vote", None)).moments == (1_000, 3_000)


def test_an_untimed_claim_with_other_words_is_altered() -> None:
    assert check_one(reference(cues("we vote here")), claim("We vote here", has_time=False)).kind is VerdictKind.ALTERED


@pytest.mark.parametrize(("end", "expected"), [(3_000, "exact"), (2_999, "mistimed"), (9_000, "exact")])
def test_a_range_must_not_end_before_the_words_do(end: int, expected: str) -> None:
    data = cues("we vote", "then", "count")  # the last cue begins at 5 s
    assert kind(data, "we vote then count", 1_000, end_ms=end) == expected


def test_a_mistimed_claim_says_where_the_words_are() -> None:
    found = verdict(cues("we vote"), "we vote", 60_000)
    assert found.match is not None
    assert (found.kind, found.match.offset_ms) == (VerdictKind.MISTIMED, 57_000)


# -- other tracks ----------------------------------------------------------------------------------


def test_another_track_that_has_it_in_time_is_named_and_it_stays_red() -> None:
    human = reference(cues("Dr. Okafor wrote the memo."))
    automatic = reference(cues("dr oakafor wrote the memo"), track_id="en.auto")
    text = "dr oakafor wrote the memo"
    found = check_one(human, claim(text, 1_000), others=(automatic,))
    assert (found.is_green, found.also_in) == (False, ("en.auto",))
    assert check_one(human, claim(text, 60_000), others=(automatic,)).also_in == ()
    assert check_one(human, claim("dr oakafor wrote", 1_000), others=(human,)).also_in == ()


# -- the bytes decide ------------------------------------------------------------------------------


def test_the_bytes_contradict_a_reference_that_says_more_than_they_do() -> None:
    honest = vtt(cues("we do not vote"))
    forged = Checker(read=lambda track, run: run.text.replace("do not", "do now"))
    found = forged.check_one(forged.reference(honest, "en"), claim("we do now vote"))
    assert found.kind is VerdictKind.ALTERED
    assert "locked bytes" in found.notes[0]
    assert DifferenceClass.NEGATION in found.classes


def test_a_check_without_the_second_cut_would_believe_it() -> None:
    honest = vtt(cues("we do not vote"))

    def circular(found: Reference, span: TextSpan, ranges: Sequence[ByteSpan]) -> Cut:
        return Cut(found.text[span.start : span.end], "")

    forged = Checker(read=lambda track, run: run.text.replace("do not", "do now"), second_cut=circular)
    assert forged.check_one(forged.reference(honest, "en"), claim("we do now vote")).is_green


def test_a_check_without_the_word_rule_takes_a_piece_of_a_word() -> None:
    careless = Checker(border_rule=lambda text, position: None)
    assert careless.check_one(careless.reference(vtt(cues("starting")), "en"), claim("art")).is_green


def cut(found: Reference, *quotes: str) -> Cut:
    """Cut the ranges of several quotes as if they were one occurrence."""
    spans = [found.find(quote)[0].span for quote in quotes]
    ranges = [piece for span in spans for piece in found.evidence(span).bytes]
    return cut_again(found, TextSpan(0, 0), ranges)


def test_ranges_that_skip_nothing_give_their_text() -> None:
    found = reference(cues("we vote\nthen <i>we</i>", "count"))
    assert cut(found, "we vote then we count") == Cut("we vote then we count", "")
    assert cut(found, "we vote then", " we count").defect == ""


@pytest.mark.parametrize(
    "quotes",
    [("we vote", "we count"), ("we", "then"), ("we count", "we vote"), ("we vote then we", "count home"), ("then", "vote")],
)
def test_ranges_that_skip_words_are_refused(quotes: tuple[str, ...]) -> None:
    found = reference(cues("we vote\nthen <i>we</i> count", "and go", "count home"))
    assert cut(found, *quotes).defect != ""


def test_a_range_that_is_no_caption_text_is_refused() -> None:
    found = reference(cues("we vote"))
    assert cut_again(found, TextSpan(0, 1), (ByteSpan(0, 6),)).defect != ""
    assert cut_again(found, TextSpan(0, 1), (ByteSpan(8, 10_000),)).defect != ""
    assert cut_again(found, TextSpan(0, 1), ()).defect != ""


def test_cues_out_of_order_are_contiguous_in_time() -> None:
    data = b"00:05.000 --> 00:06.000\nand go\n\n00:01.000 --> 00:02.000\nwe vote\n\n00:03.000 --> 00:04.000\nthen\n\n"
    assert kind(data, "we vote then and go") == "exact"
    assert kind(data, "and go we vote", 5_000) == "altered"


def test_an_unread_block_beside_a_cue_out_of_order_is_not_crossed() -> None:
    data = b"00:05.000 --> 00:06.000\nand go\n\nno time\nat all\n\n00:01.000 --> 00:02.000\nwe vote\n\n"
    found = reference(data + b"00:07.000 --> 00:08.000\nhome\n\n")
    assert found.text == "we vote and go home"
    assert check_one(found, claim("we vote and go")).kind is VerdictKind.EXACT
    assert check_one(found, claim("and go home", 5_000)).kind is VerdictKind.ALTERED


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "cp1252"])
def test_every_encoding_is_cut_again(encoding: str) -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\nZoë ordered crème &amp; brûlée\n\n"
    mark = "\ufeff" if encoding.startswith("utf-16") else ""
    found = Reference(track((mark + text).encode(encoding), encoding=None if mark else encoding), "en")
    assert check_one(found, claim("ordered crème & brûlée")).is_green
    assert not check_one(found, claim("ordered creme & brûlée")).is_green


# -- the check as a whole --------------------------------------------------------------------------


def test_check_agrees_with_check_one_and_reports() -> None:
    found = reference(cues("we can trust a map", "that harbour was frozen"))
    claims = [
        claim(text, 1_000) for text in ("trust a map", "Trust", "that harbour", "nothing of it", "…", "map that", "trust a map")
    ]
    seen: list[tuple[int, int]] = []
    verdicts = check(found, claims, report=lambda done, total: seen.append((done, total)))
    assert verdicts == tuple(check_one(found, each) for each in claims)
    assert seen[-1] == (7, 7)


def test_a_check_can_be_stopped() -> None:
    def stop(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        check(reference(cues("we vote")), [claim("we")], report=stop)


def test_nothing_to_check_gives_nothing() -> None:
    assert check(reference(cues("we vote")), []) == ()


WORDS = st.lists(
    st.sampled_from(["we", "can", "can't", "art", "start", "10", "000", "5", "-5", "50", "%", "é", "e\u0301", "no", "🎉"]),
    min_size=1,
    max_size=8,
)


@settings(max_examples=300, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=5), st.data())
def test_the_verdict_on_the_text_is_that_of_a_naive_oracle(lines: list[list[str]], data: st.DataObject) -> None:
    found = reference(cues(*(" ".join(line) for line in lines)))
    text = " ".join(" ".join(line) for line in lines)
    start = data.draw(st.integers(0, len(text) - 1))
    quote = text[start : data.draw(st.integers(start + 1, len(text)))].strip()
    if data.draw(st.booleans()) and quote:
        at = data.draw(st.integers(0, len(quote) - 1))
        quote = quote[:at] + data.draw(st.sampled_from("aé '5.")) + quote[at + 1 :]
    moments = [
        at
        for at in range(len(text))
        if quote and text.startswith(quote, at) and is_free(text, at) and is_free(text, at + len(quote))
    ]
    expected = bool(moments) and any(character.isalnum() for character in quote)
    verdict = check_one(found, claim(quote, has_time=False))
    assert (verdict.kind is VerdictKind.UNTIMED) == expected
    assert not expected or verdict.occurrences == len(moments)


def is_free(text: str, at: int) -> bool:
    """Whether a quotation may begin or end there: by patterns for exactly the words that the property uses."""
    for found in re.finditer(r"can't|-5(?: %)?|\d+(?: \d{3}(?!\d))*(?: %)?|[a-z\u0301é]+|🎉", text):
        if found.start() < at < found.end():
            return False
    return True
