"""XML tokens: they cover the file, and bombs, broken and cut files are refused."""

from __future__ import annotations

import pytest

from quoteview.core.captions.scan import view_of
from quoteview.core.captions.xmltext import Kind, Token, Xml, root_name
from quoteview.core.errors import CaptionError
from quoteview.core.locking import lock

WHOLE = b'<?xml version="1.0"?>\n<tt a=\'1 > 0\' b="x"><!-- <p> --><p>a &amp; b<![CDATA[<i> &amp;]]><br /></p></tt>\n'


def xml(data: bytes) -> Xml:
    return Xml(view_of(lock(data, "a.xml")))


def test_tokens_cover_the_file_but_for_the_marks_of_cdata() -> None:
    tokens = list(xml(WHOLE).tokens())
    pieces = [WHOLE[token.start : token.end] for token in tokens]
    assert b"".join(pieces) == WHOLE.replace(b"<![CDATA[", b"").replace(b"]]>", b"")
    assert [(token.kind, token.name) for token in tokens if token.kind in (Kind.START, Kind.END)] == [
        (Kind.START, "tt"),
        (Kind.START, "p"),
        (Kind.START, "br"),
        (Kind.END, "p"),
        (Kind.END, "tt"),
    ]
    assert next(piece for token, piece in zip(tokens, pieces, strict=True) if token.kind is Kind.CDATA) == b"<i> &amp;"


def test_attributes_know_the_bytes_of_their_values() -> None:
    parsed = xml(WHOLE)
    tag = next(token for token in parsed.tokens() if token.name == "tt")
    assert {name: parsed.value(span) for name, span in parsed.attributes(tag).items()} == {"a": "1 > 0", "b": "x"}
    assert Token(Kind.START, 0, 0, "tts:span").local == "span"


def test_a_document_type_is_refused_before_its_entities_can_grow() -> None:
    bomb = b'<!DOCTYPE tt [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><tt>&b;</tt>'
    assert root_name(view_of(lock(bomb, "a"))) == "tt"
    with pytest.raises(CaptionError, match="declares a document type"):
        xml(bomb)
    with pytest.raises(CaptionError, match="declares a document type"):
        xml(b'<!DOCTYPE tt SYSTEM "http://example.org/a.dtd"><tt/>')


@pytest.mark.parametrize("end", range(25, len(WHOLE) - 1))
def test_a_file_that_stops_is_said_to_end_in_the_middle(end: int) -> None:
    with pytest.raises(CaptionError, match="ends in the middle"):
        xml(WHOLE[:end])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<tt><p>a</tt>", "mismatched tag"),
        (b"<tt>a&nbsp;b</tt>", "undefined entity"),
        (b"<tt>a & b</tt>", "not well-formed"),
        (b"<tt a='1' a='2'/>", "duplicate attribute"),
        (b"<tt/><tt/>", "junk after document element"),
        (b"<tt>\x01</tt>", "invalid token"),
    ],
)
def test_what_is_not_well_formed_is_refused_with_its_line(data: bytes, reason: str) -> None:
    with pytest.raises(CaptionError, match=f"line 2: .*{reason}"):
        xml(b"\n" + data)


def test_a_declared_encoding_does_not_fool_the_parser() -> None:
    data = '<?xml version="1.0" encoding="iso-8859-1"?><tt>é</tt>'.encode("iso-8859-1")
    view = view_of(lock(data, "a"))
    assert view.encoding == "iso8859-1"
    text = next(token for token in Xml(view).tokens() if token.kind is Kind.TEXT)
    assert view.data[text.start : text.end].decode() == "é"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"\xef\xbb\xbf<?xml version='1.0'?><!-- <x> --> <ttml:tt xmlns:ttml='u'/>", "tt"),
        (b"<timedtext>", "timedtext"),
        (b"WEBVTT", ""),
        (b"<3 hearts", "3"),
        (b"", ""),
    ],
)
def test_the_root_is_found_behind_what_stands_before_it(data: bytes, name: str) -> None:
    assert root_name(view_of(lock(data, "a"))) == name
