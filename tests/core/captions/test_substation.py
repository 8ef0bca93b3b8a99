"""SubStation: columns, times, overrides, drawings, karaoke, and the near misses of each."""

from __future__ import annotations

import pytest

from quoteview.core.captions import substation
from quoteview.core.captions.reading import read_track
from quoteview.core.captions.scan import view_of
from quoteview.core.captions.track import OrderFault, Track
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind, How
from quoteview.core.locking import lock

HEAD = (
    b"[Script Info]\nScriptType: v4.00+\n\n[Events]\n"
    b"Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
)
EVENT = b"Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,"


def read(data: bytes) -> Track:
    view = view_of(lock(data, "a.ass"))
    assert substation.recognises(view)
    track = substation.read(view)
    assert sum(track.ledger.totals().values()) == len(data)
    return track


def read_text(text: bytes) -> Track:
    return read(HEAD + EVENT + text + b"\n")


def test_a_line_is_a_cue_with_its_times_and_its_bytes() -> None:
    data = HEAD + EVENT + b"Hello, world\n"
    cue = read(data).cues[0]
    assert (cue.text, cue.time) == ("Hello, world", (1000, 2500))
    ((start, end),) = cue.text_bytes
    assert data[start:end] == b"Hello, world"


def test_columns_stand_where_the_format_line_says() -> None:
    data = b"[Events]\nFormat: End, Start, Name, Text\nDialogue: 0:00:02.00,0:00:01.00,Ann,One, two\n"
    cue = read(data).cues[0]
    assert (cue.text, cue.time, cue.speakers) == ("One, two", (1000, 2000), ("Ann",))


def test_without_a_format_line_the_columns_are_the_usual_ones() -> None:
    assert read(b"[Events]\n" + EVENT + b"One\n").cues[0].text == "One"


@pytest.mark.parametrize(
    ("time", "ms"),
    [
        (b"0:00:01.05", 1050),
        (b"0:00:01.5", 1500),
        (b"0:00:01.050", 1050),
        (b"12:00:00.00", 43_200_000),
        (b"100:00:01.00", 360_001_000),
        (b"-0:00:05.00", -5000),
        (b" 0:00:01.00 ", 1000),
    ],
)
def test_times_are_whole_milliseconds(time: bytes, ms: int) -> None:
    track = read(HEAD + b"Dialogue: 0," + time + b",200:00:00.00,,,0,0,0,,One\n")
    assert track.cues[0].time.start_ms == ms
    assert (OrderFault.NEGATIVE in [defect.fault for defect in track.order]) is (ms < 0)


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_every_kind_of_line_end_ends_a_line(line_end: bytes) -> None:
    track = read((HEAD + EVENT + b"One\n" + EVENT + b"Two\n").replace(b"\n", line_end))
    assert [cue.text for cue in track.cues] == ["One", "Two"]


def test_overrides_are_markup_and_escapes_are_decoded() -> None:
    track = read_text(rb"{\an8\fs20}He{\i1}llo{\i0}\Nthere\nyou\hand {a remark}me")
    assert track.cues[0].text == "Hello there you\xa0and me"
    assert [run.how for run in track.cues[0].runs].count(How.ESCAPE) == 1


def test_a_brace_that_is_never_closed_is_text() -> None:
    assert read_text(b"a { b").cues[0].text == "a { b"
    assert read_text(b"a } b").cues[0].text == "a } b"


def test_a_drawing_is_not_text() -> None:
    assert read_text(rb"{\p1}m 0 0 l 100 0{\p0}Words").cues[0].text == "Words"
    assert read_text(rb"{\pos(1,2)}Words").cues[0].text == "Words"
    assert read_text(rb"{\pbo10}Words").cues[0].text == "Words"
    assert read_text(rb"{\p0}Words").cues[0].text == "Words"
    assert read_text(rb"Words{\p2\an7}m 0 0 l 1 1").cues[0].text == "Words"


def test_karaoke_gives_the_times_of_syllables() -> None:
    data = HEAD + EVENT + rb"{\k50}Ka{\kf25}ra{\K10\k20}oke" + b"\n"
    cue = read(data).cues[0]
    assert cue.text == "Karaoke"
    assert [(data[word.start : word.start + 2], word.start_ms) for word in cue.word_times] == [
        (b"Ka", 1000),
        (b"ra", 1500),
        (b"ok", 1850),
    ]


def test_comments_and_styles_are_metadata_and_no_cues() -> None:
    track = read(
        b"[V4+ Styles]\nStyle: Default,Arial\n"
        + HEAD
        + EVENT.replace(b"Dialogue", b"Comment")
        + b"Not shown\n"
        + EVENT
        + b"One\n"
    )
    assert [cue.text for cue in track.cues] == ["One"]
    assert track.ledger.totals()["unread"] == 0


def test_what_has_no_times_or_too_few_columns_is_unread_and_the_rest_is_read() -> None:
    broken = b"Dialogue: 0,0:00:xx.00,0:00:02.00,,,0,0,0,,Lost\nDialogue: 0,0:00:01.00\njust words\n"
    track = read(HEAD + broken + EVENT + b"One\n")
    assert [cue.text for cue in track.cues] == ["One"]
    assert len(track.ledger.spans(EntryKind.UNREAD)) == 3


@pytest.mark.parametrize("cut", [b"Dial", b"Dialogue: 0,0:00:01.", EVENT[:-3], EVENT + rb"One {\i"])
def test_a_file_that_ends_in_the_middle_of_a_cue_is_refused(cut: bytes) -> None:
    with pytest.raises(CaptionError, match="middle of a cue"):
        read(HEAD + EVENT + b"One\n" + cut)


def test_a_last_line_without_a_line_end_is_read() -> None:
    assert [cue.text for cue in read(HEAD + EVENT + b"One\n" + EVENT + b"Two").cues] == ["One", "Two"]


def test_only_comments_are_no_cues() -> None:
    with pytest.raises(CaptionError, match="no cues"):
        read(HEAD + EVENT.replace(b"Dialogue", b"Comment") + b"Not shown\n")


@pytest.mark.parametrize(
    "data",
    [
        b"1\n00:00:01,000 --> 00:00:02,000\n[Events]\n",
        b"WEBVTT\n\n00:01.000 --> 00:02.000\n[Script Info]\n",
        b"[Laughter]\n\nDialogue: that is what we need.\n",
    ],
)
def test_other_formats_that_mention_its_words_are_not_recognised(data: bytes) -> None:
    assert not substation.recognises(view_of(lock(data, "a.srt")))


def test_comment_lines_may_come_before_the_first_section() -> None:
    assert read(b"; made by hand\n\n" + HEAD + EVENT + b"One\n").cues[0].text == "One"


def test_a_hundred_thousand_open_braces_are_read_in_no_time_and_line_ends_behind_them_still_count() -> None:
    line = b"Dialogue: 0:00:01.00,0:00:02.00," + b"{" * 100_000 + b"x\\Nnext"
    track = read_track(lock(b"[Events]\nFormat: Start, End, Text\n" + line + b"\n", "a.ass"))
    assert track.cues[0].text.endswith("x next")
