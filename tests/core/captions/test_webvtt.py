"""WebVTT: blocks, identifiers, headers, tags, references and roll-up, and the near misses of each."""

from __future__ import annotations

import pytest

from quoteview.core.captions.reading import read_track
from quoteview.core.captions.track import CaptionFormat, OrderFault, Track
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind, How
from quoteview.core.locking import lock
from tests.builders import track
from tests.readings import bytes_of, proven

HEAD = b"WEBVTT\n\n"
TIMING = b"00:01.000 --> 00:03.000\n"


def read(data: bytes) -> Track:
    found = proven(track(data, file="human.en.vtt"))
    assert found.format is CaptionFormat.WEBVTT
    return found


def payload(data: bytes) -> Track:
    return read(HEAD + TIMING + data + b"\n")


def text(data: bytes) -> str:
    return payload(data).cues[0].text


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_all_three_line_ends_end_lines(line_end: bytes) -> None:
    data = b"WEBVTT\n\nintro\n00:59.000 --> 1:00:02.500 align:start\nWe are\nabout to land.\n\n01:04.000 --> 01:05.000\nHold on"
    found = read(data.replace(b"\n", line_end))
    assert [(cue.identifier, *cue.time, cue.text) for cue in found.cues] == [
        ("intro", 59_000, 3_602_500, "We are about to land."),
        ("", 64_000, 65_000, "Hold on"),
    ]
    assert bytes_of(found, EntryKind.MARKUP) == [b"align:start"]
    assert bytes_of(found, EntryKind.METADATA) == [b"WEBVTT" + line_end, b"intro"]


@pytest.mark.parametrize("other", ["\x85", "\u2028", "\v"])
def test_other_characters_end_no_line(other: str) -> None:
    assert text(f"one{other}two".encode()) == f"one{other}two"


def test_a_line_of_spaces_does_not_end_a_cue_and_an_empty_one_does() -> None:
    found = read(HEAD + TIMING + b" \nthe bridge\n\t \nwill close\n\nand this has no time\n")
    assert [cue.text for cue in found.cues] == ["the bridge will close"]
    assert bytes_of(found, EntryKind.UNREAD) == [b"and this has no time"]


def test_blank_blocks_are_layout() -> None:
    found = read(HEAD + TIMING + "one\n\n \t\n\u00a0\n\n".encode() + TIMING + b"two\n")
    assert found.ledger.totals()["unread"] == 0


def test_an_arrow_ends_a_cue_whether_or_not_its_times_are_good() -> None:
    found = read(HEAD + TIMING + b"one\n00:04.000 --> 00:05.000\ntwo\nsee a --> b\nthree\n")
    assert [cue.text for cue in found.cues] == ["one", "two"]
    assert bytes_of(found, EntryKind.UNREAD) == [b"see a --> b\nthree"]


def test_declared_blocks_are_metadata_and_others_are_unread() -> None:
    found = read(
        HEAD
        + b"STYLE\n::cue { color: red }\n\nREGION\nid:a\n\nNOTE check the word\nsaid here\n\n"
        + TIMING
        + b"We did\n\nNOTES are no note\n"
    )
    assert [cue.text for cue in found.cues] == ["We did"]
    assert bytes_of(found, EntryKind.METADATA) == [
        b"WEBVTT\n",
        b"STYLE\n::cue { color: red }",
        b"REGION\nid:a",
        b"NOTE check the word\nsaid here",
    ]
    assert bytes_of(found, EntryKind.UNREAD) == [b"NOTES are no note"]


def test_words_on_a_timing_line_are_unread_and_settings_are_markup() -> None:
    found = read(HEAD + b"00:01.000 --> 00:03.000 align:start hello there size:50%\nWe did\n")
    assert found.cues[0].text == "We did"
    assert bytes_of(found, EntryKind.UNREAD) == [b"hello", b"there"]
    assert bytes_of(found, EntryKind.MARKUP) == [b"align:start", b"size:50%"]


def test_a_note_directly_before_a_timing_line_is_an_identifier() -> None:
    assert read(HEAD + b"NOTE this\n" + TIMING + b"We did\n").cues[0].identifier == "NOTE this"


def test_the_language_of_youtubes_header_is_taken() -> None:
    found = read(b"WEBVTT\nKind: captions\nLanguage: pt-BR\n\n" + TIMING + b"sim\n")
    assert found.language == "pt-BR"
    assert read(b"WEBVTT\nLanguages: en\n\n" + TIMING + b"yes\n").language == ""


def test_the_old_style_block_is_metadata_up_to_its_end() -> None:
    head = b"WEBVTT\nKind: captions\nLanguage: en\nStyle:\n::cue(c.colorE5E5E5) { color: rgb(229,229,229);\n }\n##\n"
    found = read(head + b"\n" + TIMING + b"<c.colorE5E5E5>hello</c>\n")
    assert found.cues[0].text == "hello"
    assert bytes_of(found, EntryKind.METADATA) == [head]
    gap = head.replace(b" }\n##", b" }\n\n##")
    assert read(gap + b"\n" + TIMING + b"hello\n").ledger.totals()["unread"] == 0


def test_tags_are_markup_and_add_nothing() -> None:
    found = payload(b"<v.loud Dana Reyes>We did <i>not</i> lose <b.x>the</b> <lang en>ledger</lang><u>.</u></v> Yes")
    assert found.cues[0].text == "We did not lose the ledger. Yes"
    assert [(run.text, run.speaker) for run in found.cues[0].runs][-1] == (" Yes", None)
    assert found.cues[0].speakers == ("Dana Reyes",)
    assert found.ledger.totals()["unread"] == 0


def test_a_voice_lasts_to_its_end_and_two_share_a_cue() -> None:
    found = payload(b"<v Ann  Lee>Yes.</v>\n<v R&amp;D>No.")
    assert [(run.text, run.speaker) for run in found.cues[0].runs] == [("Yes.", "Ann Lee"), ("No.", "R&D")]


def test_ruby_readings_are_left_out() -> None:
    assert text("<ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby> kept a copy.".encode()) == "東京 kept a copy."
    assert text(b"<rt>no ruby around</rt>") == "no ruby around"


@pytest.mark.parametrize("tag", [b"<x>", b"<I>", b"</x>", b"<>", b"</>", b"<font color=red>", b"<1>", b"<00:01.00>", b"<cc>"])
def test_an_unknown_tag_is_unread_and_shows_nothing(tag: bytes) -> None:
    found = payload(b"one " + tag + b"two")
    assert found.cues[0].text == "one two"
    assert bytes_of(found, EntryKind.UNREAD) == [tag]


def test_an_angle_bracket_that_nothing_closes_is_unread_to_the_end_of_the_cue() -> None:
    found = payload(b"I <3 this town\nand more")
    assert found.cues[0].text == "I "
    assert bytes_of(found, EntryKind.UNREAD) == [b"<3 this town\nand more\n"]
    assert text(b"I &lt;3 this town, a > b") == "I <3 this town, a > b"


def test_references_are_decoded_once() -> None:
    assert text(b"type &amp;lt;b&amp;gt; for bold") == "type &lt;b&gt; for bold"
    assert text(b"or &lt;i> for slanted") == "or <i> for slanted"
    assert text(b"Q&A &ampx &notit; &bogus; &#39;&#x1F600;&") == "Q&A &x \xacit; &bogus; '\U0001f600&"


def test_only_a_stretch_with_references_is_decoded_as_one() -> None:
    runs = payload(b"Q&A <i>R&amp;D</i> yes").cues[0].runs
    assert [(run.text, run.how) for run in runs] == [("Q&A ", How.LITERAL), ("R&D", How.ENTITY), (" yes", How.LITERAL)]


def test_layout_at_the_ends_of_a_line_is_trimmed_to_the_byte() -> None:
    found = payload("  \u200fone\u00a0two\u00a0\n&nbsp;three &#32;\n".encode())
    assert found.cues[0].text == "one\u00a0two three"
    assert found.cues[0].runs[1].how is How.ENTITY


def test_word_times_stand_where_their_words_begin() -> None:
    found = payload(b"the<00:00:01.500><c> harbor</c><00:00:02.000><c> was</c>")
    assert found.cues[0].text == "the harbor was"
    data = found.source.data
    assert [(word.start_ms, data[word.start : word.start + 3]) for word in found.cues[0].word_times] == [
        (1500, b"<c>"),
        (2000, b"<c>"),
    ]


def test_rolled_lines_are_read_once_and_name_what_they_repeat() -> None:
    found = read(
        HEAD
        + b"00:00.000 --> 00:02.000\n \nthe<00:00.500><c> harbor</c>\n\n"
        + b"00:02.000 --> 00:02.010\nthe harbor\n \n\n"
        + b"00:02.010 --> 00:04.000\nthe harbor\nwas<00:03.000><c> frozen</c>\n\n"
        + b"00:04.000 --> 00:04.010\nwas frozen\n\n"
    )
    assert [cue.text for cue in found.cues] == ["the harbor", "", "was frozen", ""]
    assert found.is_roll_up
    assert bytes_of(found, EntryKind.REPEAT) == [b"the harbor", b"the harbor", b"was frozen"]


def test_words_said_twice_without_rolling_are_read_twice() -> None:
    found = read(
        HEAD + b"00:00.000 --> 00:02.000\nAgain!\n\n00:02.000 --> 00:04.000\nAgain!\n\n00:04.000 --> 00:06.000\nAgain!\n\n"
    )
    assert [cue.text for cue in found.cues] == ["Again!"] * 3
    assert not found.is_roll_up


def test_cues_out_of_order_are_reported_and_read() -> None:
    found = read(HEAD + b"00:05.000 --> 00:06.000\nlater\n\n00:01.000 --> 00:00.500\nsooner\n\n00:05.000 --> 00:06.000\nlast\n")
    assert [tuple(defect) for defect in found.order] == [(1, OrderFault.ENDS_EARLY), (1, OrderFault.GOES_BACK)]
    assert found.cues[1].time == (1000, 1000)


def test_bytes_that_are_no_utf_8_are_unread_wherever_they_stand() -> None:
    good = "é — ü ß ñ".encode()
    found = read(HEAD + b"NOTE a\xffb\n\nid\xfe\n" + TIMING[:-1] + b" align:l\xffx\n" + good + b" caf\xe9 au lait\n")
    assert found.cues[0].text == good.decode() + " caf\ufffd au lait"
    assert found.cues[0].identifier == "id\ufffd"
    assert bytes_of(found, EntryKind.UNREAD) == [b"\xff", b"\xfe", b"\xff", b"\xe9"]


def test_a_null_and_a_replacement_character_are_text() -> None:
    assert text("foo\0bar \ufffd".encode()) == "foo\0bar \ufffd"


def test_a_byte_order_mark_and_utf_16_give_the_same_cues() -> None:
    words = "WEBVTT\r\n\r\n00:07.000 --> 00:10.000\r\nZoë ordered <i>crème</i> 😀\r\n"
    plain, marked, wide = (read(raw) for raw in (words.encode(), b"\xef\xbb\xbf" + words.encode(), words.encode("utf-16")))
    assert [cue.text for cue in plain.cues] == [cue.text for cue in marked.cues] == [cue.text for cue in wide.cues]
    assert wide.encoding == "utf-16-le"


def test_a_timing_line_that_is_cut_off_refuses_the_file_and_a_complete_one_is_an_empty_cue() -> None:
    whole = HEAD + TIMING + b"one\n\n"
    for cut in (b"00:04.000 -->", b"00:04.000 --> 00:05.0", b"00:04", b"00:04.000 -", b"7\n00:00:04.000 --> 00:0"):
        with pytest.raises(CaptionError, match="middle of a cue") as refused:
            read(whole + cut)
        assert refused.value.line == 6 + cut.count(b"\n")
    assert [cue.text for cue in read(whole + b"00:04.000 --> 00:05.000").cues] == ["one", ""]
    assert read(whole + b"00:04.000 -->\n").ledger.totals()["unread"] == len(b"00:04.000 -->")
    assert read(whole + b"Chapter 00:04").ledger.totals()["unread"] == len(b"Chapter 00:04")


@pytest.mark.parametrize(
    ("data", "reason", "line"),
    [
        (b"WEBVTT\n\nno times here\n", "no cues", 3),
        (b"WEBVTT", "no cues", 1),
        (HEAD + TIMING + b"\n" + TIMING + b" \n", "empty", 3),
        (HEAD + TIMING + b"<c>\n", "empty", 3),
    ],
)
def test_a_file_without_words_is_refused_with_its_first_bad_line(data: bytes, reason: str, line: int) -> None:
    with pytest.raises(CaptionError, match=reason) as refused:
        read(data)
    assert refused.value.line == line


@pytest.mark.parametrize(
    "body",
    [
        b"<" * 300_000,
        b"<c>" * 100_000,
        b"</c>" * 100_000,
        b"<ruby><rt>" * 30_000,
        b"&" * 300_000,
        b"&#" + b"1" * 300_000 + b";",
        b"-" * 300_000,
        b"-->" * 100_000,
        b"-- >\n" * 60_000,
        b"x -->\n" * 50_000,
        b"a\n" * 150_000,
        b"\n" * 300_000,
        b"\n \n" * 100_000,
        b"00:" * 100_000,
        b"00:01.000 --> 00:02.000\n" * 12_000,
        b"<v " + b"a " * 150_000 + b">",
        b" " * 300_000,
    ],
    ids=lambda body: repr(body[:12]),
)
def test_enormous_and_hostile_input_is_read_in_one_pass(body: bytes) -> None:
    read(HEAD + TIMING + b"one\n" + body + b"\n")
    read(HEAD + TIMING + b"one\n\n" + body + b"\n")


def test_the_last_cue_of_a_file_with_crlf_and_no_empty_line_behind_it_keeps_its_text() -> None:
    raw = b"WEBVTT\r\n\r\n1\r\n00:00:01.000 --> 00:00:02.000\r\none\r\n\r\n2\r\n00:00:02.000 --> 00:00:03.000\r\nfor two\r\n"
    track = read_track(lock(raw, "a"))
    assert [cue.text for cue in track.cues] == ["one", "for two"]
    assert track.ledger.totals()["unread"] == 0
