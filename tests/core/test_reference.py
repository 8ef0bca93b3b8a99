"""The reference text, what may count as an occurrence in it, and the way back to bytes."""

from __future__ import annotations

import dataclasses

from hypothesis import given, settings
from hypothesis import strategies as st

from quoteview.core.boundaries import Flaw
from quoteview.core.captions.decoding import decode
from quoteview.core.captions.track import text_of
from quoteview.core.ledger import How
from quoteview.core.reference import Reference
from quoteview.core.spans import ByteSpan, TextSpan
from tests.builders import cues, reference, track, vtt


def spans(found: Reference, quote: str) -> list[tuple[int, int]]:
    return [occurrence.span for occurrence in found.find(quote)]


def flaws(found: Reference, quote: str) -> list[Flaw | None]:
    return [occurrence.flaw for occurrence in found.find(quote)]


def test_cues_and_lines_are_joined_by_one_space() -> None:
    assert reference(cues("we vote\nthen we", "count")).text == "we vote then we count"


def test_scripts_without_spaces_are_joined_by_nothing() -> None:
    assert reference(cues("橋は", "安全です。\n本当", "ok 橋")).text == "橋は安全です。本当 ok 橋"


def test_cues_are_read_in_time_order_and_ties_in_file_order() -> None:
    found = reference(
        b"00:05.000 --> 00:06.000\nlast\n\n00:01.000 --> 00:02.000\nfirst\n\n"
        b"00:03.000 --> 00:04.000\nb\n\n00:03.000 --> 00:09.000\na\n\n"
    )
    assert found.text == "first b a last"
    assert found.time_order == (1, 2, 3, 0)
    assert found.cue_at(0) == 1
    assert found.cue_span(0) == TextSpan(10, 14)


def test_find_gives_overlapping_occurrences() -> None:
    assert spans(reference(cues("no no no no")), "no no") == [(0, 5), (3, 8), (6, 11)]


def test_find_all_agrees_with_find() -> None:
    found = reference(cues("the tide and the tide 🎉 and", "the tide again"))
    quotes = ["the tide", "tide and", "", "and the", "absent", "e", "the tide", "🎉 and the"]
    assert found.find_all(quotes) == tuple(found.find(quote) for quote in quotes)


def test_nothing_has_no_occurrence() -> None:
    assert reference(cues("a")).find("") == ()


def test_an_occurrence_inside_a_word_is_not_whole() -> None:
    assert flaws(reference(cues("starting art")), "art") == [Flaw.WORD, None]


def test_evidence_gives_bytes_of_each_run() -> None:
    data = b"WEBVTT\n\n00:01.000 --> 00:02.000\nQ&amp;A <i>starts</i> now\n\n00:02.000 --> 00:04.000\nthank you\n\n"
    found = Reference(vtt(data), "en")
    evidence = found.match(TextSpan(1, 22), 5_000).evidence
    assert [decoded(found, span) for span in evidence.bytes] == ["&A ", "starts", " now", "thank y"]
    assert (evidence.cues, evidence.time) == ((0, 1), (1_000, 4_000))


def test_a_span_after_an_emoji_counts_code_points() -> None:
    found = reference(cues("🎉 the lift is broken"))
    (occurrence,) = found.find("the lift")
    assert occurrence.span == TextSpan(2, 10)
    assert [decoded(found, span) for span in found.evidence(occurrence.span).bytes] == ["the lift"]


def test_a_match_has_sixty_characters_each_side_and_the_distance() -> None:
    found = reference(cues("a " * 60 + "middle" + " b" * 60))
    (occurrence,) = found.find("middle")
    match = found.match(occurrence.span, 3_500)
    assert (len(match.before), len(match.after), match.offset_ms) == (60, 60, 500)
    assert found.match(occurrence.span, 3_000).offset_ms == 0
    assert found.match(occurrence.span, 999).offset_ms == -1
    assert found.match(occurrence.span, None).offset_ms is None


def test_nothing_crosses_a_malformed_block() -> None:
    found = reference(cues("we vote") + b"no time here\nbut words\n\n" + cues("then count", start_ms=4_000))
    assert flaws(found, "vote then") == [Flaw.UNREAD]
    assert flaws(found, "we vote") == [None]
    assert flaws(found, "then count") == [None]


def test_nothing_contains_a_byte_that_cannot_be_read() -> None:
    found = reference("00:01.000 --> 00:02.000\nœuvre née été over \udcff there\n\n".encode(errors="surrogateescape"))
    assert flaws(found, "over") == [None]
    assert flaws(found, "over \ufffd there") == [Flaw.UNREAD]


def test_nothing_runs_from_one_named_speaker_to_another() -> None:
    found = reference(cues("<v Ada>we vote", "and we", "<v Ben>then count", "<v Ben>and go"))
    assert flaws(found, "vote and we") == [None]
    assert flaws(found, "we then count") == [Flaw.SPEAKERS] or flaws(found, "we then count") == [None]
    assert flaws(found, "vote and we then") == [Flaw.SPEAKERS]
    assert flaws(found, "count and go") == [None]
    assert found.evidence(TextSpan(0, 14)).speakers == ("Ada",)


def test_display_spans_lie_in_the_cues_own_text() -> None:
    found = reference(cues("we <b>vote</b> then", "", "we count"))
    (occurrence,) = found.find("then we count")
    shown = found.display_spans(occurrence.span)
    assert [found.track.cues[index].text[span.start : span.end] for index, span in shown] == ["then", "we count"]


def test_text_is_decoded_from_the_bytes_not_from_the_tracks_copy() -> None:
    honest = vtt(cues("we vote &amp; count"))
    cue = honest.cues[0]
    forged = dataclasses.replace(cue, runs=tuple(run._replace(text=run.text.replace("vote", "veto")) for run in cue.runs))
    assert "veto" in forged.text
    assert Reference(dataclasses.replace(honest, cues=(forged,)), "en").text == "we vote & count"


def test_utf16_evidence_counts_bytes_of_the_file() -> None:
    data = "\ufeff1\r\n00:00:01,000 --> 00:00:02,000\r\nZoë 🎉 ordered\r\n\r\n".encode("utf-16-le")
    found = Reference(track(data), "en")
    (occurrence,) = found.find("ordered")
    ((start, end),) = found.evidence(occurrence.span).bytes
    assert data[start:end].decode("utf-16-le") == "ordered"


def test_a_word_without_a_time_of_its_own_takes_its_neighbours() -> None:
    found = reference(b"00:01.000 --> 00:05.000\nso <00:02.000>we <00:03.000>paid 13 dollars\n\n")
    times = {word: found.evidence(found.find(word)[0].span) for word in ("so", "we", "paid", "13", "dollars")}
    assert [times[word].word_start_ms for word in times] == [1_000, 2_000, 3_000, 3_000, 3_000]
    assert [times[word].is_word_time_known for word in times] == [True, True, True, False, False]


def decoded(found: Reference, span: ByteSpan) -> str:
    raw = found.track.source.data[span.start : span.end].decode(found.track.encoding)
    how = How.ENTITY if raw.startswith("&") else How.LITERAL
    return decode(found.track.format, how, raw)


PIECES = st.sampled_from(["a", "b", " ", "é", "東", "🎉", "<i>c</i>", "&amp;", "'", "5", "."])
LINES = st.lists(st.lists(PIECES, max_size=12).map(lambda pieces: "x" + "".join(pieces) + "日"), min_size=1, max_size=6)


@settings(max_examples=150, deadline=None)
@given(LINES, st.data())
def test_every_span_leads_back_to_bytes_of_the_same_text(lines: list[str], data: st.DataObject) -> None:
    found = reference(cues(*lines))
    assert found.text == text_of([found.track.cues[index] for index in found.time_order])
    start = data.draw(st.integers(0, len(found.text)))
    end = data.draw(st.integers(start, len(found.text)))
    runs = {run.start: run for cue in found.track.cues for run in cue.runs}
    shown = ""
    for span in found.evidence(TextSpan(start, end)).bytes:
        run = max((run for run in runs.values() if run.start <= span.start), key=lambda run: run.start)
        assert run.start <= span.start < span.end <= run.end
        raw = found.track.source.data[span.start : span.end].decode()
        shown += decode(found.track.format, run.how, raw)
    assert shown.replace(" ", "") == found.text[start:end].replace(" ", "")
