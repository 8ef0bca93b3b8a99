"""The JSON parser: places, what it refuses, and what it survives."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoteview.core.captions.jsontext import Array, Document, Object, Scalar, Text, Value, looks_like_json, milliseconds
from quoteview.core.captions.scan import view_of
from quoteview.core.errors import CaptionError
from quoteview.core.locking import lock


def parse(data: bytes) -> Document:
    return Document(view_of(lock(data, "a.json")))


def plain(document: Document, value: Value) -> object:
    match value:
        case Text():
            return document.string(value)
        case Scalar():
            return json.loads(document.data[value.start : value.end])
        case Array(_, values):
            return [plain(document, member) for member in values]
        case Object(_, members, _):
            return {document.string(key): plain(document, member) for key, member in members}


def test_every_value_knows_its_bytes() -> None:
    document = parse(b'\xef\xbb\xbf {"a" : [1, "x\\u00e9"], "b": null}')
    text = document.values(document.root, "a")[1]
    assert isinstance(text, Text)
    assert document.data[text.start : text.end] == b"x\\u00e9"
    assert document.string(text) == "xé"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
        max_leaves=12,
    ),
    st.sampled_from([None, 2]),
    st.booleans(),
)
def test_it_agrees_with_the_standard_library(value: object, indent: int | None, is_ascii: bool) -> None:
    text = json.dumps([value], indent=indent, ensure_ascii=is_ascii)
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        data = json.dumps([value], indent=indent).encode("ascii")
    document = parse(data)
    assert plain(document, document.root) == json.loads(data)


@pytest.mark.parametrize(
    "data",
    [
        b"[1,]", b"[,1]", b"[1 2]", b'{"a"}', b'{"a":1,}', b'{1:2}', b'["a":1]', b'{"a" "b"}', b"[1}", b'{"a":1]', b"[01]",
        b"[+1]", b"[.5]", b"[1.]", b"[NaN]", b"[Infinity]", b"[tru]", b'["\\x"]', b'["\n"]', b"['a']", b"[1]]", b"[1],",
        b"[1][2]", b'["a"x]',
    ],
)  # fmt: skip
def test_what_is_not_json_is_refused_with_its_place(data: bytes) -> None:
    with pytest.raises(CaptionError) as refused:
        parse(data)
    assert refused.value.line == 1
    with pytest.raises(ValueError):
        json.loads(data.decode(), parse_constant=int)


def test_a_file_that_stops_is_said_to_end_in_the_middle() -> None:
    whole = b'{"segments": [{"start": 1.5, "text": "a \\u00e9 b", "ok": true}, {}]}'
    for end in range(1, len(whole)):
        with pytest.raises(CaptionError, match="ends in the middle"):
            parse(whole[:end])
    assert isinstance(parse(whole).root, Object)


def test_a_second_document_is_refused_on_its_own_line() -> None:
    with pytest.raises(CaptionError, match="line 2: something follows"):
        parse(b'{"a":1}\n{"a":2}')


@pytest.mark.parametrize("data", [b"[" * 100_000, b'{"a":' * 100_000, b"[" * 101 + b"]" * 101])
def test_deep_nesting_is_refused_and_no_crash(data: bytes) -> None:
    with pytest.raises(CaptionError, match="nests too deeply"):
        parse(data)


def test_a_hundred_levels_are_read() -> None:
    assert isinstance(parse(b"[" * 100 + b"]" * 100).root, Array)


def test_a_number_of_millions_of_digits_costs_nothing_and_is_no_time() -> None:
    began = time.monotonic()
    document = parse(b"[" + b"9" * 8_000_000 + b"]")
    assert document.milliseconds(document.values(document.root)[0]) is None
    assert time.monotonic() - began < 5


def test_of_a_repeated_key_the_last_counts_and_all_are_kept() -> None:
    document = parse(b'{"a":1,"\\u0061":2}')
    assert isinstance(document.root, Object)
    assert len(document.root.members) == 2
    assert document.word(document.get(document.root, "a")) == "2"
    assert document.get(document.root, "b", "a") == document.get(document.root, "a")


@pytest.mark.parametrize(
    ("raw", "ms"),
    [
        (b"14.400000000000002", 14_400), (b"0.0005", 1), (b"0.00049", 0), (b"8.3", 8_300), (b"-1.5", -1_500), (b"7", 7_000),
        (b"1.0005", 1_001), (b"1e2", 100_000), (b"1E-3", 1), (b"1e999", None), (b"1e999999999", None), (b"", None), (b"x", None),
        (b"1.2.3", None), (b"0.0", 0), (b"0e999999", 0),
    ],
)  # fmt: skip
def test_decimals_become_milliseconds_exactly_with_halves_away_from_zero(raw: bytes, ms: int | None) -> None:
    assert milliseconds(raw, 1000) == ms


@pytest.mark.parametrize(
    ("head", "is_json"),
    [
        (b'{"a":1}', True), (b" [\n{", True), (b"[]", True), (b"[[1]]", True), (b"\xef\xbb\xbf{}", True),
        (b"[00:01:02] Ann: hi", False), (b"{1}{25}hi", False), (b"[Music]", False), (b"{\\an8}hi", False), (b"", False),
    ],
)  # fmt: skip
def test_json_is_told_from_text_in_brackets(head: bytes, is_json: bool) -> None:
    assert looks_like_json(view_of(lock(head, "a"))) is is_json
