"""Decoding in steps: the whole equals the standard library's, and a cut in the text has its cut in the bytes."""

from __future__ import annotations

import html
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoteview.core.captions.decoding import cut, decode, pieces, reference_how
from quoteview.core.captions.track import CaptionFormat, Run
from quoteview.core.ledger import How

SNIPPETS = st.sampled_from(
    [
        "&",
        "amp",
        ";",
        "#",
        "x",
        "38",
        "1F600",
        "lt",
        "not",
        "notin",
        "it",
        "nbsp",
        "Aacute",
        "copy",
        " ",
        "é",
        "😀",
        "0",
        "D800",
        "<",
        "&amp;",
        "&#65;",
    ]
)
TEXTS = st.lists(SNIPPETS, max_size=20).map("".join)


@given(TEXTS)
def test_html_references_decode_as_the_standard_library_has_them(raw: str) -> None:
    assert decode(CaptionFormat.WEBVTT, How.ENTITY, raw) == html.unescape(raw)


@given(TEXTS)
def test_pieces_cover_the_raw_text(raw: str) -> None:
    for format in (CaptionFormat.WEBVTT, CaptionFormat.SUBRIP, CaptionFormat.SRV1, CaptionFormat.TTML):
        assert sum(length for _, length in pieces(format, How.ENTITY, raw)) == len(raw)


@given(TEXTS)
def test_a_stretch_is_called_entity_exactly_where_decoding_may_change_it(raw: str) -> None:
    for format in (CaptionFormat.WEBVTT, CaptionFormat.SUBRIP):
        how = reference_how(format, raw.encode())
        assert (how is How.ENTITY) or decode(format, How.ENTITY, raw) == raw


@pytest.mark.parametrize(
    ("raw", "closed", "open"),
    [
        ("&amp;", "&", "&"),
        ("&amp", "&amp", "&"),
        ("&ampx;", "&ampx;", "&x;"),
        ("&notit;", "&notit;", "\xacit;"),
        ("&amp;lt;", "&lt;", "&lt;"),
        ("&#38", "&#38", "&"),
        ("&#x80;", "\u20ac", "\u20ac"),
        ("&#0;", "\ufffd", "\ufffd"),
        ("&#xD800;", "\ufffd", "\ufffd"),
        ("&#" + "0" * 9000 + "65;", "A", "A"),
        ("&#" + "9" * 9000 + ";", "\ufffd", "\ufffd"),
        ("&#x" + "F" * 9000 + ";", "\ufffd", "\ufffd"),
        ("&;&#;&#x;& a", "&;&#;&#x;& a", "&;&#;&#x;& a"),
    ],
)
def test_subrip_wants_the_semicolon_and_webvtt_does_not(raw: str, closed: str, open: str) -> None:
    assert decode(CaptionFormat.SUBRIP, How.ENTITY, raw) == closed
    assert decode(CaptionFormat.WEBVTT, How.ENTITY, raw) == open


def test_srv1_is_decoded_twice_and_xml_once() -> None:
    assert decode(CaptionFormat.SRV1, How.ENTITY, "it&amp;#39;s &amp;amp;lt;") == "it's &lt;"
    assert decode(CaptionFormat.SRV3, How.ENTITY, "it&amp;#39;s &nbsp;") == "it&#39;s &nbsp;"
    assert decode(CaptionFormat.TTML, How.ENTITY, "&#" + "9" * 9000 + ";") == "\ufffd"


@given(st.text(max_size=30))
def test_json_escapes_decode_as_the_standard_library_has_them(text: str) -> None:
    for raw in (json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]):
        assert decode(CaptionFormat.JSON3, How.ESCAPE, raw) == text


@given(TEXTS, st.data())
def test_a_cut_in_the_text_is_the_cut_in_the_bytes(raw: str, draw: st.DataObject) -> None:
    text = decode(CaptionFormat.WEBVTT, How.ENTITY, raw)
    data = b"\xc3\xa9" + raw.encode()
    run = Run(text, How.ENTITY, 2, len(data), 0, None)
    at = draw.draw(st.integers(0, len(text)))
    byte = cut(run, at, data, "utf-8", CaptionFormat.WEBVTT)
    if byte is not None:
        both = (decode(CaptionFormat.WEBVTT, How.ENTITY, half.decode()) for half in (data[2:byte], data[byte:]))
        assert "".join(both) == text or html.unescape(data[2:byte].decode()) == text[:at]


def test_no_cut_lies_inside_a_reference() -> None:
    run = Run("\u2ac5\u0338", How.ENTITY, 0, 7, 0, None)
    assert [cut(run, at, b"&nsubE;", "utf-8", CaptionFormat.WEBVTT) for at in range(3)] == [0, None, 7]


@pytest.mark.parametrize(
    ("reference", "character"),
    [
        ("&#3;", "\x03"), ("&#x7f;", "\x7f"), ("&#11;", "\x0b"), ("&#xFFFE;", "\ufffe"), ("&#x1FFFF;", "\U0001ffff"),
        ("&#x80;", "€"), ("&#x81;", "\x81"), ("&#0;", "\ufffd"), ("&#xD800;", "\ufffd"), ("&#x110000;", "\ufffd"),
        ("&#0000000000000000065;", "A"), ("&#99999999999999999999;", "\ufffd"),
    ],
)  # fmt: skip
def test_a_reference_by_number_is_never_dropped(reference: str, character: str) -> None:
    assert decode(CaptionFormat.WEBVTT, How.ENTITY, f"a{reference}b") == f"a{character}b"
    assert decode(CaptionFormat.SUBRIP, How.ENTITY, f"a{reference}b") == f"a{character}b"
