"""Formats told by content, refusals in words, and what must hold of any bytes whatever."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoteview.core.audit import audit
from quoteview.core.captions.reading import LARGEST_FILE, read_track
from quoteview.core.captions.track import CaptionFormat, Track
from quoteview.core.errors import CaptionError, EncodingUnclear
from quoteview.core.joins import LAYOUT
from quoteview.core.ledger import EntryKind, How
from quoteview.core.locking import lock
from tests.readings import parametrised, proven

VTT = b"WEBVTT\n\n00:01.000 --> 00:02.000\nhello\n"
SRT = b"1\n00:00:01,000 --> 00:00:02,000\nhello\n"


def read(data: bytes, file: str = "captions", encoding: str | None = None) -> Track:
    return read_track(lock(data, file), encoding=encoding)


def refusal(data: bytes) -> CaptionError:
    with pytest.raises(CaptionError) as refused:
        read(data)
    assert refused.value.reason and refused.value.remedy and str(refused.value).startswith("captions")
    assert "\n" not in str(refused.value)
    return refused.value


@pytest.mark.parametrize(
    ("data", "format"),
    [
        (VTT, CaptionFormat.WEBVTT),
        (b"\xef\xbb\xbf" + VTT, CaptionFormat.WEBVTT),
        (SRT, CaptionFormat.SUBRIP),
        (b"\n\n" + SRT, CaptionFormat.SUBRIP),
        (SRT.decode().encode("utf-16"), CaptionFormat.SUBRIP),
        (b"0:00:01.000,0:00:02.000\nhello\n", CaptionFormat.SBV),
        (b"[00:01] hello\n[00:02] bye\n", CaptionFormat.PLAIN_TIMED),
        (b'{"events": [{"tStartMs": 0, "dDurationMs": 9, "segs": [{"utf8": "hello"}]}]}', CaptionFormat.JSON3),
        (b'{"segments": [{"start": 0.0, "end": 1.0, "text": " hello"}]}', CaptionFormat.WHISPER),
        (b'<?xml version="1.0"?><transcript><text start="0" dur="1">hello</text></transcript>', CaptionFormat.SRV1),
        (b'<timedtext format="3"><body><p t="0" d="9">hello</p></body></timedtext>', CaptionFormat.SRV3),
        (
            b'<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="0s" end="1s">hello</p></div></body></tt>',
            CaptionFormat.TTML,
        ),
        (b"<SAMI><BODY><SYNC Start=0><P>hello<SYNC Start=900><P>&nbsp;</BODY></SAMI>", CaptionFormat.SAMI),
        (
            b"[Script Info]\n\n[Events]\nFormat: Layer, Start, End, Text\nDialogue: 0,0:00:01.00,0:00:02.00,hello\n",
            CaptionFormat.SUBSTATION,
        ),
    ],
    ids=lambda value: value.name if isinstance(value, CaptionFormat) else "",
)
def test_the_format_is_told_by_the_content_whatever_the_name(data: bytes, format: CaptionFormat) -> None:
    for name in ("a.vtt", "a.srt", "a.json", "a"):
        track = read(data, name)
        assert track.format is format
        assert "hello" in track.cues[0].text


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf", "nothing but white space"),
        (b" \r\n\t\n", "nothing but white space"),
        (b"<!DOCTYPE html>\n<html><body><p>Sign in</p></body></html>", "web page"),
        (b"  <HTML><head></head></HTML>", "web page"),
        (b"<!-- saved --><html><body></body></html>", "web page"),
        (b"<cite>Travis:</cite>\n<time>0:00</time>\n<p>When you start</p>", "web page"),
        (b"<rss><item/></rss>", "XML"),
        (b'{"error": {"code": 429}}', "JSON"),
        (b"\x89PNG\r\n\x1a\n\0\0", "picture"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "picture"),
        (b"GIF89a...", "picture"),
        (b"%PDF-1.7\n", "PDF"),
        (b"PK\x03\x04\x14\0", "ZIP"),
        (b"\x1f\x8b\x08\0", "compressed"),
        (b"\0\0\0\x20ftypisom", "recording"),
        (b"\x1aE\xdf\xa3\x01", "recording"),
        (b"ID3\x04\0", "recording"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "recording"),
        (b"850STL25.01" + b" " * 100, "EBU STL"),
        (bytes(range(256)) * 4, "binary"),
        (b"\x01\x02\x03\x04" * 50, "binary"),
        (b"Scenarist_SCC V1.0\n\n00:00:00:00\t9420 94d0\n", "SCC"),
        (b"{230}{307}( clock ticking )\n{371}{433}MAN:|When\n", "MicroDVD"),
        (b"[10][20]one\n[21][30]two\n", "MPL2"),
        (b"$FontName = Arial\n\n00:00:01:00 , 00:00:03:00 , hello\n", "Spruce"),
        (b"[ar:Somebody]\n[00:12.00]Line one\n[00:17.20]Line two\n", "LRC"),
        (b"start\tend\ttext\n0\t1200\thello\n", "TSV"),
        (b"0\tAll right\n1\tWe will\n", "TSV"),
        (b"Dear reader,\n\nthis is a letter.\n", "not known"),
        (b"WEBVTTX\n\n00:01.000 --> 00:02.000\nhello\n", "signature"),
        (b"\n" + VTT, "signature"),
        (b" " + VTT, "signature"),
        (VTT.lower(), "signature"),
        (b"garbage " + VTT, "signature"),
    ],
)
def test_what_is_no_track_is_refused_in_words(data: bytes, words: str) -> None:
    assert words in refusal(data).reason


@pytest.mark.parametrize(
    "line", [b"[Events]", b"Dialogue: 0,0:00:01.00,0:00:02.00,x", b"[Script Info]", b"<sami>", b"{1}{2}x", b"[ar:x]"]
)
def test_a_word_of_another_format_inside_a_caption_changes_nothing(line: bytes) -> None:
    assert read(SRT + line + b"\n\n2\n00:00:03,000 --> 00:00:04,000\nbye\n").format is CaptionFormat.SUBRIP
    assert read(b"0:00:01.000,0:00:02.000\nhello\n" + line + b"\n").format is CaptionFormat.SBV


def test_the_first_timing_line_tells_subrip_from_sbv() -> None:
    sbv = b"0:00:01.000,0:00:02.000\nhello\n\n"
    assert read(sbv + SRT).format is CaptionFormat.SBV
    assert read(SRT + b"\n" + sbv).format is CaptionFormat.SUBRIP


def test_formats_that_are_not_read_come_with_a_way_to_convert_them() -> None:
    assert "Convert it" in refusal(b"{1}{2}hello\n{3}{4}bye\n").remedy


def test_a_file_larger_than_any_track_is_refused() -> None:
    assert "more than any caption track" in refusal(VTT + bytes(LARGEST_FILE)).reason


def test_another_encoding_is_refused_until_a_person_names_it() -> None:
    data = b"1\n00:00:01,000 --> 00:00:02,000\nP\xf8lser og r\xf8dgr\xf8d, \xe6bler\n"
    with pytest.raises(EncodingUnclear) as refused:
        read(data)
    assert refused.value.likely and refused.value.line == 3
    assert read(data, encoding="cp1252").cues[0].text == "Pølser og rødgrød, æbler"
    with pytest.raises(CaptionError, match="not known"):
        read(data, encoding="klingon")


def test_utf_16_without_a_mark_is_named() -> None:
    for text in (SRT.decode(), SRT.decode().replace("hello", "Привет, как дела сегодня вечером? " * 3)):
        for name in ("utf-16-le", "utf-16-be"):
            with pytest.raises(EncodingUnclear) as refused:
                read(text.encode(name))
            assert refused.value.likely[0] == name
            assert read(text.encode(name), encoding=name).cues[0].text.strip() == text.splitlines()[2].strip()


def test_a_reader_is_imported_only_for_its_format() -> None:
    code = (
        "import sys; from quoteview.core.captions.reading import read_track; from quoteview.core.locking import lock;"
        f"read_track(lock({VTT!r}, 'a')); print(*[name for name in sys.modules if name.startswith('quoteview.core.captions.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.rpartition(".")[2] for name in done.stdout.split()}
    assert "webvtt" in loaded
    assert not loaded & {"subrip", "sbv", "plaintimed", "json3", "recogniser", "timedtext", "ttml", "sami", "substation"}


# What lines of caption files are made of, good and bad, for mixtures that no person would think of.
PIECES = st.sampled_from(
    [
        *("WEBVTT\n", "\n", "\n\n", "\r\n", "\r", " \n", "\n\n\n", "\t"),
        *(
            "00:01.000 --> 00:02.000\n",
            "00:00:03,500 --> 00:00:04,000\n",
            "0:00:05.000,0:00:06.000\n",
            "00:07.000 --> 00:0",
            " --> ",
            "-->",
        ),
        *("1\n", "2\n", "1984\n", "[00:01] ", "[0:02] Ann: ", "Bob (0:03):\n", "0:04 ", "[1.5 - 2.5] "),
        *(
            "<i>",
            "</i>",
            "<v Ann>",
            "</v>",
            "<c.x>",
            "</c>",
            "<00:00:01.500>",
            "<ruby>",
            "<rt>",
            "</rt>",
            "</ruby>",
            "<x>",
            "<",
            ">",
            "{\\an8}",
        ),
        *("&amp;", "&lt;", "&", "&#65;", "&#x1F600;", "&notit;", "&nbsp;", "&#0;", "&bogus;", "[br]"),
        *("hello", " ", "Ω", "é", "\u00a0", "\u200f", "\u2028", "\ufeff", "\0", "東京", "😀", "\ufffd", "\x85"),
        *("NOTE x\n", "STYLE\n", "REGION\n", "Language: en\n", "Style:\n", "##\n", "# Title\n", "---\n"),
        *(
            "[Script Info]\n",
            "[Events]\n",
            "Format: Start, End, Text\n",
            "Dialogue: 0:00:01.00,0:00:02.00,",
            "{\\i1}",
            "\\N",
            "\\h",
        ),
        *(
            "<SAMI>",
            "<SYNC Start=1>",
            "<P>",
            "<tt>",
            "<body>",
            '<p begin="1s" end="2s">',
            "</p>",
            "</tt>",
            '<text start="1">',
            "</text>",
        ),
        *(
            '{"segments": [',
            '{"start": 1, "end": 2, "text": "a"}',
            "]}",
            ",",
            '{"events": [',
            '{"tStartMs": 1, "segs": [{"utf8": "',
            '"}]}',
            "\\u00e9",
        ),
    ]
)
BYTES = st.one_of(
    st.binary(max_size=200),
    st.builds(
        lambda head, pieces, bad: (head + "".join(pieces)).encode() + bad,
        st.sampled_from(["", "WEBVTT\n\n", "\ufeff"]),
        st.lists(PIECES, max_size=40),
        st.sampled_from([b"", b"\xff", b"\xc3", b"\xe2\x82 x\xf0\x9f"]),
    ),
    st.builds(lambda pieces: "".join(pieces).encode("utf-16"), st.lists(PIECES, max_size=25)),
    st.builds(
        lambda pieces, bad: bad.join(piece.encode() for piece in pieces),
        st.lists(PIECES, max_size=40),
        st.sampled_from([b"\xe9", b"\x80", b" \xff "]),
    ),
)


@settings(max_examples=600, deadline=None)
@given(BYTES)
def test_any_bytes_are_refused_in_words_or_covered_to_the_byte(data: bytes) -> None:
    try:
        track = read(data)
    except CaptionError as error:
        assert error.reason and error.remedy
        return
    assert_proven(track)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, min_size=5, max_size=60))
def test_mixtures_behind_good_cues_are_covered_to_the_byte(pieces: list[str]) -> None:
    timed = b"[0:01] hello\n[0:02] there\n[0:03] you\n"
    for head in (VTT + b"\n", SRT + b"\n", b"0:00:01.000,0:00:02.000\nhello\n\n", timed):
        try:
            track = read(head + "".join(pieces).encode())
        except CaptionError as error:
            assert "middle of a cue" in error.reason or (head is timed and error.remedy)  # so much else is no transcript
            continue
        assert_proven(track)
        assert audit(track).defects == ()
        assert "hello" in track.cues[0].text or head is timed


REAL = ("0*/*.*", "1[02]*/*.*", "11*/*/*.*")


@pytest.mark.parametrize("path", parametrised(*REAL))
def test_real_files_are_refused_in_words_or_covered_to_the_byte(path: Path) -> None:
    data = path.read_bytes()
    try:
        track = read(data)
    except CaptionError as error:
        assert error.reason and error.remedy
        return
    assert_proven(track)


def assert_proven(track: Track) -> None:
    """Hold a track against its bytes with a decoding of the test's own."""
    proven(track)
    data = track.source.data
    for cue in track.cues:
        ranges = [(run.start, run.end) for run in cue.runs if run.how is not How.UNREAD]
        assert ranges == sorted(ranges)
        for run in cue.runs:
            if run.how is not How.UNREAD:
                assert own_reading(track.format, run.how, data[run.start : run.end].decode(track.encoding)) == run.text
                assert run.text
        for number in {run.line for run in cue.runs}:
            line = [run for run in cue.runs if run.line == number]
            assert line[0].how is How.UNREAD or line[0].text[0] not in LAYOUT
            assert line[-1].how is How.UNREAD or line[-1].text[-1] not in LAYOUT
    assert any(run.text for cue in track.cues for run in cue.runs if run.how is not How.UNREAD)
    assert [cue.index for cue in track.cues] == list(range(len(track.cues)))
    for entry in track.ledger:
        if entry.kind is not EntryKind.UNREAD:
            data[entry.start : entry.end].decode(track.encoding)


def own_reading(format: CaptionFormat, how: How, raw: str) -> str:
    """Decode by the standard library alone."""
    if how is How.LITERAL:
        return raw
    if how is How.ESCAPE:
        return raw.replace("\\h", "\u00a0") if format is CaptionFormat.SUBSTATION else str(json.loads(f'"{raw}"', strict=False))
    if format is CaptionFormat.SRV1:
        return html.unescape(html.unescape(raw))
    if format in (CaptionFormat.SUBRIP, CaptionFormat.SBV):
        return re.sub(r"&#?[0-9A-Za-z]+;", lambda match: raw_or_reference(match[0]), raw)
    return html.unescape(raw)


def raw_or_reference(reference: str) -> str:
    """A name that HTML knows only the beginning of is no closed reference."""
    decoded = html.unescape(reference)
    return reference if decoded.endswith(";") and reference != "&semi;" else decoded
