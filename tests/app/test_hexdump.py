"""The dump of locked bytes: rows of sixteen, with the ranges lit in hex and in text."""

from __future__ import annotations

from quoteview.app.hexdump import hex_dump
from quoteview.core.spans import ByteSpan


def test_a_range_is_lit_in_hex_and_in_text() -> None:
    dump = hex_dump(b"WEBVTT\n\nabc", [ByteSpan(8, 11)])
    assert dump.text.startswith("00000000  57 45 42 56 54 54 0a 0a 61 62 63")
    assert dump.text.endswith("WEBVTT..abc")
    shown = [dump.text[start:end] for start, end in dump.lit]
    assert shown == ["61", "a", "62", "b", "63", "c"]


def test_two_ranges_far_apart_leave_rows_out() -> None:
    dump = hex_dump(bytes(1000), [ByteSpan(0, 2), ByteSpan(900, 902)])
    assert "…" in dump.text.splitlines()
    assert [dump.text[start:end] for start, end in dump.lit] == ["00", "."] * 4
    near = hex_dump(bytes(100), [ByteSpan(0, 2), ByteSpan(60, 62)])
    assert "…" not in near.text


def test_a_range_over_a_row_s_end_goes_on_in_the_next() -> None:
    dump = hex_dump(bytes(range(65, 65 + 26)), [ByteSpan(15, 17)])
    assert [dump.text[start:end] for start, end in dump.lit] == ["50", "P", "51", "Q"]


def test_bytes_that_are_no_ascii_show_as_dots() -> None:
    assert hex_dump("é".encode(), [ByteSpan(0, 2)]).text.endswith("..")


def test_a_very_long_range_shows_its_beginning() -> None:
    assert len(hex_dump(bytes(1_000_000), [ByteSpan(0, 1_000_000)]).text.splitlines()) == 400


def test_no_range_shows_nothing() -> None:
    assert hex_dump(b"abc", []).text == ""
