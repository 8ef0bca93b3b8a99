"""Which times are read, and which claim each belongs to."""

from __future__ import annotations

import pytest

from quoteview.core.drafts.draft import ClaimedTime, Draft, TimeForm
from quoteview.core.drafts.reading import read_draft
from quoteview.core.drafts.timestamps import same_recording


def _read(text: str, file: str = "draft.txt", source: str = "") -> Draft:
    return read_draft(text.encode(), file, source_address=source)


def _times(text: str, file: str = "draft.txt") -> list[int | None]:
    return [None if claim.claimed is None else claim.claimed.start_ms for claim in _read(text, file).claims]


def _claimed(text: str, file: str = "draft.txt", source: str = "") -> ClaimedTime:
    (claim,) = _read(text, file, source).claims
    assert claim.claimed is not None
    return claim.claimed


@pytest.mark.parametrize(
    ("written", "moment_ms", "form"),
    [
        ("12:34", 754_000, TimeForm.CLOCK),
        ("1:02:03", 3_723_000, TimeForm.CLOCK),
        ("62:03", 3_723_000, TimeForm.CLOCK),
        ("100:00:03", 360_003_000, TimeForm.CLOCK),
        ("00:12:34.500", 754_500, TimeForm.CLOCK),
        ("12:34,5", 754_500, TimeForm.CLOCK),
        ("12:34.05", 754_050, TimeForm.CLOCK),
        ("1h2m3s", 3_723_000, TimeForm.UNITS),
        ("62m03s", 3_723_000, TimeForm.UNITS),
        ("754s", 754_000, TimeForm.UNITS),
        ("https://youtu.be/abcdefghijk?t=754", 754_000, TimeForm.LINK),
        ("https://youtu.be/abcdefghijk?t=12m34s", 754_000, TimeForm.LINK),
        ("https://youtu.be/abcdefghijk?t=3m", 180_000, TimeForm.LINK),
        ("https://youtu.be/abcdefghijk?t=2571", 2_571_000, TimeForm.LINK),
        ("https://www.youtube.com/embed/abcdefghijk?start=754&end=800", 754_000, TimeForm.LINK),
        ("https://example.org/talk.mp3#t=754", 754_000, TimeForm.LINK),
    ],
)
def test_every_notation_is_read(written: str, moment_ms: int, form: TimeForm) -> None:
    for text in (f"“a b” ({written})", f"“a b” [{written}].", f"({written}) “a b”", f"“a b” （{written}）"):
        claimed = _claimed(text)
        assert (claimed.start_ms, claimed.form, claimed.is_own) == (moment_ms, form, True), text
        assert text.encode()[slice(*claimed.bytes)].decode() == written


@pytest.mark.parametrize("dash", ["-", "–", "—", " - ", " – ", " to "])
def test_a_range_is_judged_by_its_start(dash: str) -> None:
    claimed = _claimed(f"“a b” (12:34{dash}12:50)")
    assert (claimed.start_ms, claimed.end_ms) == (754_000, 770_000)
    assert _claimed("“a b” (1h2m3s–1h2m9s)").end_ms == 3_729_000


@pytest.mark.parametrize(
    "text",
    [
        "“a b” at 9:30 am he left",
        "He left at 9:30 a.m. “a b”",
        "They won 13:12 and said “a b” there",
        "“a b” is John 3:16 to many",
        "“a b” (John 3:16)",
        "(at 9:30 pm) “a b”",
        "The ratio is 16:10, “a b” he said",
        "“a b” and later the clock showed 12:34 there",
        "On 2024-05-01 12:34:56 he said “a b”",
        "“a b” costs £12:34:56",
        "the 1990s “a b”",
        "the 90s “a b”",
        "“a b” 1:2",
    ],
)
def test_what_is_no_time(text: str) -> None:
    assert _times(text) == [None]


def test_without_brackets_a_time_counts_at_a_head_or_with_three_parts_or_beside_the_claim() -> None:
    assert _times("12:34 – he said that “a b” is so") == [754_000]
    assert _times("He was at 0:12:34 when “a b” came") == [754_000]
    assert _times("Somewhere at 12:34 he said “a b” to us") == [None]
    assert _times("Somewhere “a b” 12:34 it was") == [754_000]
    assert _times("He left at 9:30. “A b”, she said.") == [None]
    assert _times("- 12:34 he said “a b”\n- “c d” he said\n", "draft.md") == [754_000, None]


def test_of_two_that_adjoin_the_one_after_counts() -> None:
    assert _times("(0:05) “a b” (0:09)") == [9_000]
    assert _times("“a” (1:10) “b” (1:11) “c” (1:12)") == [70_000, 71_000, 72_000]


def test_where_times_head_the_lines_each_line_keeps_its_own() -> None:
    assert _times("0:05 “a b”\n0:09 “c d”\n0:12 “e f”\n") == [5_000, 9_000, 12_000]
    assert _times("She said “a b”\n(0:05) and “c d”\n(0:09).\n") == [5_000, 9_000]


def test_the_next_in_the_sentence_comes_before_one_in_the_paragraph() -> None:
    assert _times("“a b,” she said (0:05).") == [5_000]
    assert _times("At [0:05] she said “a b” to me. Then (0:09) he left.") == [5_000]
    assert _times("At [0:05] she said “a b” to me (0:09).") == [9_000]


def test_one_that_adjoins_another_claim_is_not_borrowed() -> None:
    assert _times("He said “a b” to me. Then “c d” (0:09).") == [None, 9_000]
    assert _times("“c d” (0:09) was all. He said “a b” to me.") == [9_000, None]


def test_a_list_shares_the_time_of_its_last() -> None:
    draft = _read("“a” and “b” (0:05)")
    assert [claim.claimed and claim.claimed.start_ms for claim in draft.claims] == [5_000, 5_000]
    assert [claim.claimed and claim.claimed.is_own for claim in draft.claims] == [False, False]
    assert _times("“a”, “b”, and “c” (0:05)") == [5_000] * 3
    assert _times("“a” and later, at home, “b” (0:05)") == [None, 5_000]


def test_the_time_at_the_head_counts_for_its_paragraph_item_and_block() -> None:
    assert _times("[12:34] Jane said “a” and Joe, much later, “b”.") == [754_000, 754_000]
    assert _times("- [12:34] Jane talks.\n\n  Then she said “a b” to us.\n", "draft.md") == [754_000]
    assert _times("- [12:34] Jane talks.\n- Then she said “a b” to us.\n", "draft.md") == [None]
    assert _times("## [12:34] Topic\n\nShe said “a b” to us.\n", "draft.md") == [None]


def test_the_next_in_the_paragraph_comes_last() -> None:
    assert _times("She said “a b” to us. Much later (0:09) he left.") == [9_000]
    assert _times("She said “a b” to us.\n\nMuch later (0:09) he left.") == [None]


def test_the_neighbouring_cell_counts() -> None:
    table = "| Time | Who | Said |\n|---|---|---|\n| 0:05 | “a b” | Jane |\n| Joe | “c d” | 0:09 |\n| 0:11 | “e f” | 0:13 |\n"
    assert _times(table, "draft.md") == [5_000, 9_000, 13_000]
    assert _times("<table><tr><td>“a b”</td><td>0:05</td></tr></table>", "draft.html") == [5_000]
    assert _times("| “a b” (0:02) | 0:05 |\n|---|---|\n| “c” | 0:09 |\n", "draft.md") == [2_000, 9_000]


def test_an_impossible_time_keeps_its_place_and_is_pointed_out() -> None:
    (claim,) = _read("At (0:05) she said “a b” (1:75).").claims
    assert claim.claimed is not None and claim.claimed.start_ms is None
    assert "1:75" in claim.notes[0]
    for impossible in ("1:60:00", "0:10–0:75", "1h75m3s", "https://youtu.be/abcdefghijk?t=1h75m"):
        assert _times(f"“a b” ({impossible})") == [None]
    assert _times("“a b” (75:59)") == [4_559_000]


def test_a_link_to_another_recording_is_pointed_out() -> None:
    source = "https://www.youtube.com/watch?v=abcdefghijk"
    other = "“a b” ([12:34](https://youtu.be/ABCDEFGHIJK?t=754))"
    (claim,) = _read(other, "draft.md", source).claims
    assert claim.claimed is not None and claim.claimed.start_ms is None and "another recording" in claim.notes[0]
    same = "“a b” ([12:34](https://youtu.be/abcdefghijk?t=754))"
    (claim,) = _read(same, "draft.md", source).claims
    assert claim.claimed is not None and claim.claimed.start_ms == 754_000 and claim.notes == ()
    (claim,) = _read(other, "draft.md").claims
    assert claim.claimed is not None and claim.claimed.start_ms == 754_000


def test_a_links_text_is_a_time() -> None:
    text = "“a b” [12:34](https://youtu.be/abcdefghijk?t=754)"
    claimed = _claimed(text, "draft.md")
    assert (claimed.start_ms, claimed.form, claimed.source) == (754_000, TimeForm.CLOCK, "https://youtu.be/abcdefghijk?t=754")
    assert _claimed("“a b” ([listen](https://youtu.be/abcdefghijk?t=754))", "draft.md").form is TimeForm.LINK
    assert _claimed('<p>“a b” <a href="https://x.org/?v=1&amp;t=754">here</a></p>', "draft.html").start_ms == 754_000


def test_a_links_text_and_address_that_disagree_are_pointed_out() -> None:
    (claim,) = _read("“a b” [12:34](https://youtu.be/abcdefghijk?t=99)", "draft.md").claims
    assert claim.claimed is not None and claim.claimed.start_ms == 754_000
    assert "do not agree" in claim.notes[0]


def test_times_inside_a_claim_are_its_words() -> None:
    assert _times("“we met at (0:05) sharp” she said") == [None]
    assert _times("“we met (0:05), he said.\n") == [5_000]


def test_recordings_are_told_apart() -> None:
    video = "https://www.youtube.com/watch?v=abcdefghijk&list=x"
    for address in (
        "https://youtu.be/abcdefghijk?t=5",
        "http://m.youtube.com/watch?t=5&v=abcdefghijk",
        "https://www.youtube-nocookie.com/embed/abcdefghijk?start=5",
        "https://youtube.com/live/abcdefghijk",
    ):
        assert same_recording(address, video), address
    assert not same_recording("https://youtu.be/abcdefghijK", video)
    assert same_recording("https://www.example.org/talk/#t=5", "http://example.org/talk")
    assert not same_recording("https://example.org/talk2#t=5", "https://example.org/talk")


def test_words_in_the_brackets_go_with_the_time() -> None:
    assert _times("“a” (Jane Doe, 0:05) “b” (ibid., 0:09)") == [5_000, 9_000]
    assert _times("> we left (Jane Doe, 0:05)\n", "draft.md") == [5_000]
    assert _read("> we left (Jane Doe, 0:05)\n", "draft.md").claims[0].text == "we left"


def test_a_paragraph_that_is_a_time_adjoins() -> None:
    assert _times("> a b\n\n(0:05)\n\n> c d\n\n(0:09)\n", "draft.md") == [5_000, 9_000]
    assert _times("0:05\n\n“a b”\n\n0:09\n\n“c d”\n") == [5_000, 9_000]
    assert _times("“a b”, she said\n\n(0:05)\n") == [None]


def test_an_attribution_line_holds_the_time() -> None:
    assert _times("“a b”\n— Jane Doe, 0:05\n") == [5_000]
    assert _times("“a b”\n Jane Doe, 0:05\n") == [None]


def test_the_head_of_a_row_counts_for_its_cells() -> None:
    assert _times("| 0:05 | Jane | she said “a b” |\n|---|---|---|\n| 0:09 | “c” and then “d” | Joe |\n", "draft.md") == [
        5_000,
        9_000,
        9_000,
    ]


def test_a_time_of_thousands_of_digits_is_impossible_and_keeps_its_place() -> None:
    draft = read_draft(f"“hello world” (http://example.org/?t={'9' * 4400}) and more.".encode(), "d.txt")
    assert draft.claims[0].claimed is not None
    assert draft.claims[0].claimed.start_ms is None


def test_a_link_may_state_more_digits_of_a_second_than_milliseconds() -> None:
    draft = read_draft("“hello world” (http://example.org/?t=3.12345) and more.".encode(), "d.txt")
    assert draft.claims[0].claimed is not None
    assert draft.claims[0].claimed.start_ms == 3123


@pytest.mark.parametrize(
    "written",
    ["0:00:", "0:01:", "0::01", ":30", "00:00:01:12", "1:2:3", "12345:00", "0:00:01:", f"{'1' * 5_000}:00", f"{'1' * 5_000}s"],
)
def test_what_is_written_like_a_time_and_is_none_keeps_an_earlier_time_away(written: str) -> None:
    (claim,) = _read(f"At (0:05) she said “a b” ({written}).").claims
    assert claim.claimed is not None
    assert (claim.claimed.start_ms, claim.claimed.is_own) == (None, True)
    assert "is not a possible time" in claim.notes[0]


@pytest.mark.parametrize("written", ["3:2", "16:9", "1:1000", "1.5", "5", "see 0::01", "U.S."])
def test_a_ratio_or_a_number_in_brackets_keeps_no_time_away(written: str) -> None:
    assert _times(f"At (0:05) she said “a b” ({written}).") == [5_000]


def test_a_timecode_with_frames_is_no_time_even_without_brackets() -> None:
    assert _times("At (0:05) she said “a b” 00:00:01:12") == [None]
    assert _times("At (0:05) she said “a b” 00:00:01.12") == [1_120]


def test_a_colon_may_follow_a_time_at_the_head_of_a_line() -> None:
    assert _times("0:05: “a b”\n\n12:34: “c d”") == [5_000, 754_000]
    assert _times("0:05:x “a b”") == [None]


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("[“a b”](https://e.org/w?t=5) x", "draft.md"),
        ("(0:01) [“a b”](https://e.org/w?t=5) x", "draft.md"),
        ("Say “[a b](https://e.org/w?t=5)” x", "draft.md"),
        ("[Ann: “a b”](https://e.org/w?t=5) x", "draft.md"),
        ("[**“a b”**](https://e.org/w?t=5), she said", "draft.md"),
        ("> [a b](https://e.org/w?t=5)\n> — Ann", "draft.md"),
        ("> “[a b](https://e.org/w?t=5)”", "draft.md"),
        ('<p><a href="https://e.org/w?v=x&amp;t=5">“a b”</a> x</p>', "draft.html"),
        ('<p><a href="https://e.org/w?t=5"><q>a b</q></a> x</p>', "draft.html"),
        ('<blockquote><a href="https://e.org/w?t=5">a b</a></blockquote>', "draft.html"),
    ],
)
def test_a_link_around_a_quotation_is_its_time(text: str, file: str) -> None:
    (claim,) = _read(text, file).claims
    assert claim.text == "a b"
    assert claim.claimed is not None
    assert (claim.claimed.start_ms, claim.claimed.is_own) == (5_000, True)


def test_a_link_around_a_part_of_a_quotation_is_markup_without_a_time() -> None:
    assert _times("“a [b](https://e.org/w?t=5)” x", "draft.md") == [None]
    assert _times("(0:01) “a [b](https://e.org/w?t=5)” x", "draft.md") == [1_000]


def test_of_a_link_around_a_quotation_and_a_time_behind_it_the_time_behind_counts() -> None:
    assert _times("[“a b”](https://e.org/w?t=5) (0:07)", "draft.md") == [7_000]
    assert _times("[“a b”](https://e.org/w?t=5) and so on (0:07)", "draft.md") == [5_000]


def test_each_of_several_links_around_quotations_times_its_own() -> None:
    text = "[“a b”](https://e.org/w?t=5), [“c d”](https://e.org/w?t=7) and [“e f”](https://e.org/w?t=9)"
    assert _times(text, "draft.md") == [5_000, 7_000, 9_000]
    assert _times("[“a b” and “c d”](https://e.org/w?t=5)", "draft.md") == [5_000, 5_000]
    assert _times("[“a b”, she said](https://e.org/w?t=5)", "draft.md") == [5_000]


def test_in_a_block_quotation_a_link_beside_its_words_is_a_time_and_no_text() -> None:
    (claim,) = _read("> a b [watch](https://e.org/w?t=5)", "draft.md").claims
    assert claim.text == "a b"
    assert claim.claimed is not None and claim.claimed.start_ms == 5_000
