"""The builder: trimming to the byte, order, unread bytes, and a ledger without holes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoteview.core.captions.building import TrackBuilder
from quoteview.core.captions.scan import view_of
from quoteview.core.captions.track import CaptionFormat, OrderFault, Track
from quoteview.core.errors import CaptionError
from quoteview.core.joins import LAYOUT_CHARACTERS
from quoteview.core.ledger import EntryKind, How, build_ledger
from quoteview.core.locking import lock
from tests.builders import track
from tests.readings import bytes_of, proven

LINES = st.lists(st.text(alphabet=" \t\u00a0\u200f\x1cab&<{;é東\v\f\u3000", max_size=8), max_size=5)


def read(lines: list[str], line_end: str, encoding: str, *, is_careful: bool) -> Track:
    """Read one cue with these lines before a last one; `is_careful` puts a tag into it that keeps it from being called plain."""
    words = line_end.join(
        ["WEBVTT", "", "00:00.000 --> 00:01.000", "x" + ("<c></c>" if is_careful else ""), *filter(None, lines)]
    )
    return proven(track((words + line_end * 2 + f"00:02.000 --> 00:03.000{line_end}end{line_end}").encode(encoding)))


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_the_quick_way_and_the_careful_way_make_the_same_cues(lines: list[str], line_end: str, encoding: str) -> None:
    quick, careful = (read(lines, line_end, encoding, is_careful=is_careful) for is_careful in (False, True))
    assert [[run.text for run in cue.runs] for cue in quick.cues] == [[run.text for run in cue.runs] for cue in careful.cues]
    assert [[run.line for run in cue.runs] for cue in quick.cues] == [[run.line for run in cue.runs] for cue in careful.cues]
    assert [cue.time for cue in quick.cues] == [cue.time for cue in careful.cues]


@given(LINES)
def test_lines_are_trimmed_of_layout_and_of_nothing_else(lines: list[str]) -> None:
    clean = [line.replace("&", "+").replace("<", "+") for line in lines]
    kept = [line.strip(LAYOUT_CHARACTERS) for line in ["x", *clean]]
    assert [run.text for run in read(clean, "\n", "utf-8", is_careful=False).cues[0].runs] == [line for line in kept if line]


def test_times_that_break_the_order_are_listed() -> None:
    view = view_of(lock(b"abcdef", "a"))
    builder = TrackBuilder(view, CaptionFormat.SUBRIP)
    for number, (start, end) in enumerate([(-1, 5), (10, 20), (5, 9), (9, 20), (10, 9), (11, None)]):
        builder.begin_cue(start, end)
        builder.text(number, number + 1)
        builder.end_cue()
    found = builder.finish(gap=EntryKind.LAYOUT)
    assert [tuple(defect) for defect in found.order] == [
        (0, OrderFault.NEGATIVE),
        (2, OrderFault.GOES_BACK),
        (3, OrderFault.GOES_BACK),
        (4, OrderFault.ENDS_EARLY),
        (5, OrderFault.NO_END),
    ]
    assert [cue.time.end_ms for cue in found.cues] == [5, 20, 9, 20, 10, 11]


def test_a_first_cue_is_never_called_back_in_time() -> None:
    found = track(
        b"1\n-00:00:05,000 --> -00:00:01,000\na\n\n2\n-00:00:04,000 --> 00:00:01,000\nb\n\n3\n00:00:00,000 --> 00:00:01,000\nc\n"
    )
    assert [tuple(defect) for defect in found.order] == [(0, OrderFault.NEGATIVE), (1, OrderFault.NEGATIVE)]


def test_a_reference_is_trimmed_as_a_whole() -> None:
    found = proven(track(b"WEBVTT\n\n00:00.000 --> 00:01.000\n&nbsp; a&amp;b &#32;\n"))
    assert found.cues[0].text == "a&b"
    assert bytes_of(found, EntryKind.TEXT) == [b"a&amp;b"]


def test_invalid_bytes_are_unread_in_text_gaps_and_metadata() -> None:
    data = "éüöñß".encode() + b"a\xffb\xfec\xfdd"
    view = view_of(lock(data, "a"))
    builder = TrackBuilder(view, CaptionFormat.WEBVTT)
    builder.begin_cue(0, 1)
    builder.text(0, 13)
    builder.end_cue()
    builder.entry(EntryKind.METADATA, 14, 16)
    found = builder.finish(gap=EntryKind.METADATA)
    assert found.cues[0].text == "éüöñßa\ufffdb"
    assert bytes_of(found, EntryKind.UNREAD) == [b"\xff", b"\xfe", b"\xfd"]
    assert found.ledger.size == len(data)


def test_no_cues_and_empty_cues_are_refused() -> None:
    view = view_of(lock(b"ab", "a"))
    with pytest.raises(CaptionError, match="no cues"):
        TrackBuilder(view, CaptionFormat.SBV).finish(gap=EntryKind.LAYOUT)
    builder = TrackBuilder(view, CaptionFormat.SBV)
    builder.begin_cue(0, 1)
    builder.unread(0, 2, "\ufffd\ufffd")
    builder.end_cue()
    with pytest.raises(CaptionError, match="empty"):
        builder.finish(gap=EntryKind.LAYOUT)


SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=12)


@given(SPANS)
def test_a_ledger_covers_the_file_or_says_what_overlaps(spans: list[tuple[int, int]]) -> None:
    entries = [(start, end, EntryKind.TEXT, How.ENTITY, number) for number, (start, end) in enumerate(spans)]
    taken = [byte for start, end in spans for byte in range(start, end)]
    if len(taken) != len(set(taken)) or any(end < start for start, end in spans):
        with pytest.raises(ValueError, match="overlaps"):
            build_ledger(entries, 30, gap=EntryKind.LAYOUT, repeats={})
        return
    try:
        ledger = build_ledger(entries, 30, gap=EntryKind.LAYOUT, repeats={})
    except ValueError:
        # An empty entry inside another one is no entry of a reader's, and may be called a fault.
        assert any(start == end for start, end in spans)
        return
    assert ledger.size == 30
    assert [byte for entry in ledger if entry.kind is EntryKind.TEXT for byte in range(entry.start, entry.end)] == sorted(taken)
    assert all((entry.how is How.ENTITY) == (entry.kind is EntryKind.TEXT) for entry in ledger)


def test_a_ledger_refuses_an_entry_outside_the_file() -> None:
    with pytest.raises(ValueError, match="leaves the file"):
        build_ledger([(0, 4, EntryKind.TEXT, How.LITERAL, 0)], 3, gap=EntryKind.LAYOUT, repeats={})
