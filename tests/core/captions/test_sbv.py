"""SBV: YouTube's own export, and the near misses of its blocks."""

from __future__ import annotations

import pytest

from quoteview.core.captions.track import CaptionFormat, OrderFault, Track
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind
from tests.builders import track
from tests.readings import bytes_of, proven

TIMING = b"0:00:18.579,0:00:21.429\n"
LATER = b"0:00:21.429,0:00:23.000\n"


def read(data: bytes) -> Track:
    found = proven(track(data, file="captions.sbv"))
    assert found.format is CaptionFormat.SBV
    return found


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_cues_are_a_line_of_times_and_the_lines_up_to_an_empty_one(line_end: bytes) -> None:
    found = read((TIMING + "one\u00a0 \ntwo\n\n".encode() + LATER + b"three").replace(b"\n", line_end))
    assert [(*cue.time, cue.text) for cue in found.cues] == [(18_579, 21_429, "one two"), (21_429, 23_000, "three")]


def test_an_empty_cue_is_three_line_ends_in_a_row() -> None:
    assert [cue.text for cue in read(TIMING + b"\n\n" + LATER + b"two\n").cues] == ["", "two"]
    assert [cue.text for cue in read(TIMING + b"\n" + LATER + b"two\n\n" + LATER + b"\n\n").cues] == ["", "two", ""]


def test_times_of_subviewer_and_its_breaks_are_understood() -> None:
    found = read(b"[INFORMATION]\n[TITLE]x\n[END INFORMATION]\n\n00:00:01.5,00:00:02.03\none[br]two[BR] three [brr]\n")
    assert [(*cue.time, cue.text) for cue in found.cues] == [(1500, 2030, "one two three [brr]")]
    assert bytes_of(found, EntryKind.MARKUP) == [b"[br]", b"[BR]"]
    assert bytes_of(found, EntryKind.METADATA) == [b"[INFORMATION]\n[TITLE]x\n[END INFORMATION]\n"]


def test_a_block_without_times_is_unread() -> None:
    found = read(b"Title\n\n" + TIMING + b"one\n\n0:00:21.4x9,0:00:23.000\nlost\n\n" + LATER + b"two\n\nend")
    assert [cue.text for cue in found.cues] == ["one", "two"]
    assert bytes_of(found, EntryKind.UNREAD) == [b"Title", b"0:00:21.4x9,0:00:23.000\nlost", b"end"]


def test_a_timing_line_needs_no_empty_line_before_it_and_must_be_the_whole_line() -> None:
    found = read(TIMING + b"one\n" + LATER + b"at 0:00:21.429,0:00:23.000\n")
    assert [cue.text for cue in found.cues] == ["one", "at 0:00:21.429,0:00:23.000"]


def test_references_need_their_semicolon() -> None:
    assert read(TIMING + b"Q&amp;A &amp B[br]&lt;3 <3\n").cues[0].text == "Q&A &amp B <3 <3"


@pytest.mark.parametrize("cut", [b"0:00:2", b"0:00:21.429,", b"0:00:21.429,0:00:2", LATER, LATER.strip()])
def test_a_file_that_stops_in_a_cue_is_refused(cut: bytes) -> None:
    with pytest.raises(CaptionError, match="middle of a cue"):
        read(TIMING + b"one\n\n" + cut)


def test_an_end_before_the_start_counts_as_the_start_and_is_reported() -> None:
    found = read(b"0:00:17.484,0:00:16.543\none\n")
    assert found.cues[0].time == (17_484, 17_484)
    assert found.order[0].fault is OrderFault.ENDS_EARLY


@pytest.mark.parametrize(
    "body", [b"[br]" * 70_000, b"[" * 300_000, b"1:" * 150_000, b"\n" * 300_000, b"x\n\n" * 60_000, TIMING * 9_000]
)
def test_enormous_and_hostile_input_is_read_in_one_pass(body: bytes) -> None:
    read(TIMING + b"one\n" + body + b"\n\n" + LATER + b"x\n")
    read(TIMING + b"one\n\n" + body + b"\n\n" + LATER + b"x\n")
