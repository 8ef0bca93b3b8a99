"""SubRip: what real files do to a format without a specification, and the near misses of each."""

from __future__ import annotations

import pytest

from quoteview.core.captions.reading import read_track
from quoteview.core.captions.track import CaptionFormat, OrderFault, Track
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind, How
from quoteview.core.locking import lock
from tests.builders import track
from tests.readings import bytes_of, proven

TIMING = b"00:00:01,000 --> 00:00:03,000\n"
LATER = b"00:00:04,000 --> 00:00:05,000\n"


def read(data: bytes) -> Track:
    found = proven(track(data, file="human.en.srt"))
    assert found.format is CaptionFormat.SUBRIP
    return found


def shown(data: bytes) -> list[tuple[str, str]]:
    return [(cue.identifier, cue.text) for cue in read(data).cues]


@pytest.mark.parametrize(
    ("times", "start_ms", "end_ms"),
    [
        (b"00:00:01,350 --> 00:00:02,000", 1350, 2000),
        (b"00:00:01.350 --> 00:00:02.000", 1350, 2000),
        (b"0:0:14,5 --> 0:0:16", 14_500, 16_000),
        (b"00:02:04,08 --> 00:02:07,12", 124_080, 127_120),
        (b"01:02 --> 01:03,5", 62_000, 63_500),
        (b"100:00:01,000-->100:00:02,0009", 360_001_000, 360_002_000),
        (b"-00:00:05,000 --> 00:00:02,000", -5000, 2000),
        (b"-0:01,5 --> -0:00,5", -1500, -500),
        (b"  00:00:01,000\t-->\t00:00:02,000  ", 1000, 2000),
    ],
)
def test_times_as_real_files_write_them(times: bytes, start_ms: int, end_ms: int) -> None:
    found = read(b"1\n" + times + b"\nhello\n")
    assert found.cues[0].time == (start_ms, end_ms)
    assert bytes_of(found, EntryKind.TIMING) == [times.strip()]
    assert [defect.fault for defect in found.order] == ([OrderFault.NEGATIVE] if start_ms < 0 else [])


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_all_three_line_ends_end_lines(line_end: bytes) -> None:
    data = b"1\n" + TIMING + b"one\ntwo\n\n2\n" + LATER + b"three\n\n"
    assert shown(data.replace(b"\n", line_end)) == [("1", "one two"), ("2", "three")]


def test_a_line_of_digits_is_text_unless_it_stands_before_a_timing_line() -> None:
    assert shown(b"1\n" + TIMING + b"I raise you\n200\n\n2\n" + LATER + b"1984\n\n") == [("1", "I raise you 200"), ("2", "1984")]


def test_a_number_without_an_empty_line_before_it_is_the_cues_where_it_counts_on() -> None:
    tail = LATER + b"world\n\n"
    assert shown(b"1\n" + TIMING + b"hello\n2\n" + tail) == [("1", "hello"), ("2", "world")]
    assert shown(b"1\n" + TIMING + b"200\n2\n" + tail) == [("1", "200"), ("2", "world")]
    assert shown(b"7\n" + TIMING + b"in\n1984\n" + tail + b"9\n" + LATER + b"x\n") == [
        ("7", "in 1984"),
        ("", "world"),
        ("9", "x"),
    ]
    assert shown(TIMING + b"in\n1984\n" + tail) == [("", "in 1984"), ("", "world")]


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_no_line_end_is_ever_taken_for_two(line_end: bytes) -> None:
    tight = b"1\n" + TIMING + b"<i>hello</i>\n2\n" + LATER + b"a --> b\n\n" + LATER + b"x < y\n\n" + LATER + b"end\n"
    assert shown(tight.replace(b"\n", line_end)) == [("1", "hello"), ("2", "a --> b"), ("", "x < y"), ("", "end")]


def test_a_file_without_empty_lines_may_skip_numbers() -> None:
    data = b"1\n" + TIMING + b"hello\n3\n" + LATER + b"world\n4\n00:00:06,000 --> 00:00:07,000\nend\n"
    assert shown(data) == [("1", "hello"), ("3", "world"), ("4", "end")]


def test_a_line_of_spaces_ends_no_cue_but_sets_a_number_apart() -> None:
    assert shown(b"1\n" + TIMING + b"one\n \ntwo\n \n9\n" + LATER + b"three\n\n") == [("1", "one two"), ("9", "three")]


def test_numbers_may_be_missing_or_begin_anywhere() -> None:
    assert shown(TIMING + b"one\n\n" + LATER + b"two\n") == [("", "one"), ("", "two")]
    assert shown(b"0\n" + TIMING + b"one\n\n2 \n" + LATER + b"two\n") == [("0", "one"), ("2", "two")]


def test_an_arrow_in_the_text_is_text() -> None:
    assert shown(b"1\n" + TIMING + b"press A --> B\n--> and C\nthen\n\n2\n" + LATER + b"x\n") == [
        ("1", "press A --> B --> and C then"),
        ("2", "x"),
    ]


def test_a_broken_timing_line_is_unread_and_never_text() -> None:
    found = read(b"1\n" + TIMING + b"one\n00:00:99,000 --> 00:01:00,000\ntwo\n\n2\n00:00:0x --> 1\nlost\n\n3\n" + LATER + b"x\n")
    assert [cue.text for cue in found.cues] == ["one two", "x"]
    assert bytes_of(found, EntryKind.UNREAD) == [b"00:00:99,000 --> 00:01:00,000", b"2\n00:00:0x --> 1\nlost"]


def test_a_block_without_times_is_unread() -> None:
    found = read(b"Title\n\n1\n" + TIMING + b"one\n\nnobody's words\nhere\n\n2\n" + LATER + b"two\n\nend\n")
    assert [cue.text for cue in found.cues] == ["one", "two"]
    assert bytes_of(found, EntryKind.UNREAD) == [b"Title", b"nobody's words\nhere", b"end"]


def test_only_real_tags_are_markup() -> None:
    found = read(
        b"1\n"
        + TIMING
        + b'I <3 this {sic}, 5 < 6, <em>and</em> <c>\n{\\an8}<I>That</I> <font color="#fff">is</font>{\\i1} <b >all\n'
    )
    assert found.cues[0].text == "I <3 this {sic}, 5 < 6, <em>and</em> <c> That is all"
    tags = [b"{\\an8}", b"<I>", b"</I>", b'<font color="#fff">', b"</font>", b"{\\i1}", b"<b >"]
    assert bytes_of(found, EntryKind.MARKUP) == tags


def test_references_need_their_semicolon_and_are_decoded_once() -> None:
    found = read(b"1\n" + TIMING + b"&quot;R&amp;D&quot; isn&#39;t &amp;lt; AT&T &copy &lt;i&gt;x\nplain & simple\n")
    assert found.cues[0].text == '"R&D" isn\'t &lt; AT&T &copy <i>x plain & simple'
    assert [run.how for run in found.cues[0].runs] == [How.ENTITY, How.LITERAL]


def test_coordinates_behind_the_times_are_markup() -> None:
    found = read(b"1\n00:00:01,000 --> 00:00:02,000 X1:40 X2:600 Y1:20 Y2:50\nMAN:\n")
    assert bytes_of(found, EntryKind.MARKUP) == [b"X1:40 X2:600 Y1:20 Y2:50"]
    assert bytes_of(read(b"1\n00:00:01,000 --> 00:00:02,000 hello\nMAN:\n"), EntryKind.UNREAD) == [b"hello"]


def test_empty_cues_are_kept() -> None:
    assert shown(b"1\n" + TIMING + b"\n\n2\n" + LATER + b"two\n\n3\n" + LATER + b"\n") == [("1", ""), ("2", "two"), ("3", "")]


@pytest.mark.parametrize(
    "cut",
    [
        b"2",
        b"2\n",
        b"2\n00:00:0",
        b"2\n00:00:04,000 --",
        b"2\n00:00:04,000 --> 00:0",
        b"2\n00:00:04,000 --> 00:00:05,000",
        b"2\n00:00:04,000 --> 00:00:05,000\n",
        b"00:00:04,000 -->",
    ],
)
def test_a_file_that_stops_in_a_cue_is_refused(cut: bytes) -> None:
    with pytest.raises(CaptionError, match="middle of a cue") as refused:
        read(b"1\n" + TIMING + b"one\n\n" + cut)
    assert refused.value.line >= 5
    if b":" in cut and cut.startswith(b"2"):
        with pytest.raises(CaptionError, match="middle of a cue"):
            read(b"1\n" + TIMING + b"one\n" + cut)


@pytest.mark.parametrize("tail", [b"7", b"Fin", b"2:1 for us\n", b"2\n\n"])
def test_a_stray_last_block_is_unread(tail: bytes) -> None:
    found = read(b"1\n" + TIMING + b"one\n\n" + tail)
    assert bytes_of(found, EntryKind.UNREAD) == [tail.strip()]


def test_cues_before_zero_and_back_in_time_are_reported() -> None:
    found = read(b"1\n-00:00:05,000 --> 00:00:01,000\na\n\n2\n" + LATER + b"b\n\n3\n00:00:03,000 --> 00:00:02,000\nc\n")
    assert [tuple(defect) for defect in found.order] == [
        (0, OrderFault.NEGATIVE),
        (2, OrderFault.ENDS_EARLY),
        (2, OrderFault.GOES_BACK),
    ]


@pytest.mark.parametrize(
    "body",
    [
        b"<" * 300_000,
        b"<i " * 100_000,
        b"{\\" * 150_000,
        b"&#1" * 100_000,
        b"-->" * 100_000,
        b"00:-->" * 50_000,
        b"1 --> 2\n" * 30_000,
        b"00:00:01,000 -> 2\n" * 15_000,
        b"7\n" * 100_000,
        b"\n" * 300_000,
        b"\n \n" * 70_000,
        b"x\n\n" * 70_000,
        b"00:00:01,000 --> 00:00:02,000\n7\n" * 9_000,
        b"7\n00:00:01,000 --> 00:00:02,000\n<i>a</i>\n" * 6_000,
        b"9" * 300_000,
        b" " * 300_000,
    ],
    ids=lambda body: repr(body[:12]),
)
def test_enormous_and_hostile_input_is_read_in_one_pass(body: bytes) -> None:
    read(b"1\n" + TIMING + b"one\n" + body + b"\n\n2\n" + LATER + b"x\n")
    read(b"1\n" + TIMING + b"one\n\n" + body + b"\n\n2\n" + LATER + b"x\n")


def test_the_last_cue_of_a_file_with_crlf_and_no_empty_line_behind_it_keeps_its_text() -> None:
    raw = b"1\r\n00:00:01,000 --> 00:00:02,000\r\none\r\n\r\n2\r\n00:00:02,000 --> 00:00:03,000\r\nfor two\r\n"
    track = read_track(lock(raw, "a"))
    assert [cue.text for cue in track.cues] == ["one", "for two"]
    assert track.ledger.totals()["unread"] == 0
