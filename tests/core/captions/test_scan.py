"""Views: encodings, marks, invalid bytes, and the way back to the file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoteview.core.captions.scan import View, view_of
from quoteview.core.errors import CaptionError, EncodingUnclear
from quoteview.core.locking import lock

GOOD = "é ü ö ñ — ".encode()


def view(data: bytes, encoding: str | None = None) -> View:
    return view_of(lock(data, "a"), encoding=encoding)


@pytest.mark.parametrize(
    "name",
    ["utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-be", "cp1251", "gb18030", "shift_jis", "iso2022_jp"],
)
@given(text=st.text(alphabet="aZ \n\u0416\u4e00\u30a2\u3042\U0001f600", min_size=1, max_size=20))
def test_every_offset_leads_back_to_the_byte_it_came_from(name: str, text: str) -> None:
    try:
        data = text.encode(name)
    except UnicodeEncodeError:
        return
    made = view(data, None if name in ("utf-8-sig", "utf-16", "utf-32") else name)
    assert made.data[made.start :].decode("utf-8") == text
    assert made.offset(len(made.data)) == len(data)
    if name.startswith("iso2022"):
        return  # its shifts belong to no character
    at = made.start
    for character in text:
        end = at + len(character.encode())
        start, stop = made.span(at, end)
        codec = {"utf-16": "utf-16-le", "utf-32": "utf-32-le", "utf-8-sig": "utf-8"}.get(name, name)
        assert data[start:stop].decode(codec) == character
        at = end


def test_bytes_that_do_not_decode_are_listed_one_sequence_each() -> None:
    data = GOOD + b"a\xffb\xe2\x82c\xf0\x9f\x98"
    made = view(data)
    assert [data[start:end] for start, end in made.invalid] == [b"\xff", b"\xe2\x82", b"\xf0\x9f\x98"]
    assert made.shown(0, len(data)) == GOOD.decode() + "a\ufffdb\ufffd\ufffdc\ufffd\ufffd\ufffd"
    assert len(made.readable()) == len(data)


def test_in_another_encoding_the_same_holds_for_its_bytes() -> None:
    made = view(b"a\x81b", "cp1252")
    assert [made.span(*bad) for bad in made.invalid] == [(1, 2)]
    assert made.shown(0, len(made.data)) == "a\ufffdb"


def test_as_many_invalid_sequences_as_valid_ones_are_another_encoding() -> None:
    assert len(view(b"\xc3\xa9 \xc3\xa9 \xe9").invalid) == 1
    with pytest.raises(EncodingUnclear):
        view(b"\xc3\xa9 \xe9")


def test_the_declared_encoding_of_xml_is_taken_and_one_that_cannot_be_true_is_not() -> None:
    assert view(b'<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>').data.decode().endswith("<a>é</a>")
    assert view(b'<?xml version="1.0" encoding="utf-16"?><a>b</a>').data.endswith(b"<a>b</a>")
    with pytest.raises(CaptionError, match="not known"):
        view(b'<?xml version="1.0" encoding="klingon"?><a/>')


def test_lines_are_counted_by_all_three_line_ends() -> None:
    made = view(b"a\r\nb\rc\nd")
    assert [made.line(at) for at in (0, 1, 3, 5, 7)] == [1, 1, 2, 3, 4]


def test_pieces_split_a_span_at_invalid_bytes() -> None:
    made = view(GOOD + b"ab\xffcd")
    at = len(GOOD)
    assert list(made.pieces(at, at + 5)) == [(True, at, at + 2), (False, at + 2, at + 3), (True, at + 3, at + 5)]
    assert list(made.pieces(at + 3, at + 5)) == [(True, at + 3, at + 5)]
    assert list(made.pieces(at, at + 2)) == [(True, at, at + 2)]
