"""TTML: times of every notation, nesting, white space, spans, ruby and what is not text."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from quoteview.core.audit import audit
from quoteview.core.captions import ttml
from quoteview.core.captions.scan import view_of
from quoteview.core.captions.track import OrderFault, Track
from quoteview.core.captions.ttml_times import milliseconds, rates_of
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind
from quoteview.core.locking import lock
from tests.readings import bytes_of, parametrised, proven

NAMES = (
    b' xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" '
    b'xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xmlns:ttp="http://www.w3.org/ns/ttml#parameter"'
)


def read(data: bytes) -> Track:
    view = view_of(lock(data, "human.en.ttml"))
    assert ttml.recognises(view)
    return proven(ttml.read(view))


def document(body: bytes, *, root: bytes = b"", head: bytes = b"") -> Track:
    return read(b"<tt" + NAMES + root + b"><head>" + head + b"</head>" + body + b"</tt>")


def paragraphs(inner: bytes, *, root: bytes = b"", head: bytes = b"") -> Track:
    return document(b"<body><div>" + inner + b"</div></body>", root=root, head=head)


def text_of(inner: bytes, *, root: bytes = b"") -> str:
    return paragraphs(b'<p begin="1s" end="2s">' + inner + b"</p>", root=root).cues[0].text


@pytest.mark.parametrize(
    ("expression", "parameters", "ms"),
    [
        ("00:00:50.000", {}, 50_000),
        ("100:00:03", {}, 360_003_000),
        ("00:00:01.0005", {}, 1_001),
        ("53s", {}, 53_000),
        ("1.5h", {}, 5_400_000),
        ("2m", {}, 120_000),
        ("250ms", {}, 250),
        ("75f", {}, 2_500),
        ("75f", {"frameRate": "25"}, 3_000),
        ("00:00:01:15", {}, 1_500),
        ("00:00:01:15", {"frameRate": "25"}, 1_600),
        ("00:00:01:10.1", {"frameRate": "25", "subFrameRate": "2"}, 1_420),
        ("30f", {"frameRate": "30", "frameRateMultiplier": "1000 1001"}, 1_001),
        ("30f", {"frameRateMultiplier": "1000:1001"}, 1_001),
        ("10000000t", {"tickRate": "10000000"}, 1_000),
        ("3t", {}, 3_000),
        ("50t", {"frameRate": "25", "subFrameRate": "2"}, 1_000),
        (
            "01:00:00:00",
            {"frameRate": "30", "frameRateMultiplier": "1000 1001", "timeBase": "smpte", "dropMode": "dropNTSC"},
            3_599_996,
        ),
        ("01:00:00:00", {"frameRate": "30", "frameRateMultiplier": "1000 1001", "timeBase": "smpte"}, 3_603_600),
        ("01:00:00:00", {"frameRate": "30", "frameRateMultiplier": "1000 1001"}, 3_600_000),
        ("1:75", {}, None),
        ("00:61:00", {}, None),
        ("12.5", {}, None),
        ("-1s", {}, None),
        ("1e3s", {}, None),
        ("", {}, None),
        ("9" * 40 + "s", {}, None),
        ("٣s", {}, None),
    ],
)
def test_time_expressions(expression: str, parameters: dict[str, str], ms: int | None) -> None:
    seconds = rates_of(parameters).seconds(expression)
    assert (None if seconds is None else milliseconds(seconds)) == ms


def test_halves_of_a_millisecond_round_up() -> None:
    assert [milliseconds(Fraction(n, 10_000)) for n in (4, 5, 15, 14)] == [0, 1, 2, 1]


@pytest.mark.parametrize("root", [b' ttp:frameRate="0"', b' ttp:frameRateMultiplier="0 0"', b' ttp:tickRate="x"'])
def test_senseless_rates_count_as_absent(root: bytes) -> None:
    assert paragraphs(b'<p begin="30f" end="60f">a</p>', root=root).cues[0].time == (1_000, 2_000)


def test_times_are_marked_and_dur_gives_the_end() -> None:
    track = paragraphs(b'<p begin="56.0s" dur="2s"><span>pre</span><span>fix</span></p>')
    assert (track.cues[0].text, track.cues[0].time) == ("prefix", (56_000, 58_000))
    assert bytes_of(track, EntryKind.TIMING) == [b"56.0s", b"2s"]


@pytest.mark.parametrize(
    ("times", "time", "faults"),
    [
        (b'begin="1s" end="9s" dur="2s"', (11_000, 13_000), []),
        (b'begin="1s" end="2s" dur="9s"', (11_000, 12_000), []),
        (b'begin="1s" end="900s"', (11_000, 20_000), []),
        (b'begin="1s"', (11_000, 20_000), []),
        (b'dur="1s"', (10_000, 11_000), []),
        (b'begin="3s" end="2s"', (13_000, 13_000), [OrderFault.ENDS_EARLY]),
        (b'begin="3s" end="soon"', (13_000, 20_000), []),
    ],
)
def test_a_childs_times_count_from_its_parents_and_end_with_it(
    times: bytes, time: tuple[int, int], faults: list[OrderFault]
) -> None:
    track = document(b'<body begin="6s"><div begin="4s" end="14s"><p ' + times + b">a</p></div></body>")
    assert track.cues[0].time == time
    assert [defect.fault for defect in track.order] == faults


def test_without_any_end_the_end_is_reported() -> None:
    track = paragraphs(b'<p begin="3s">a</p>')
    assert (track.cues[0].time, track.order[0].fault) == ((3_000, 3_000), OrderFault.NO_END)


def test_in_a_sequence_each_begins_where_the_one_before_ended() -> None:
    track = document(
        b'<body timeContainer="seq"><div timeContainer="seq" begin="1s"><p dur="2s">a</p><p begin="1s" dur="2s">b</p></div>'
        b'<div><p begin="0s" dur="1s">c</p></div></body>'
    )
    assert [cue.time for cue in track.cues] == [(1_000, 3_000), (4_000, 6_000), (6_000, 7_000)]


def test_a_paragraph_without_times_takes_those_of_what_it_stands_in() -> None:
    track = document(b'<body><div begin="5s" end="7s"><p>a</p><p> </p></div></body>')
    assert [(cue.text, cue.time) for cue in track.cues] == [("a", (5_000, 7_000))]


def test_timed_spans_are_cues_of_their_own_in_a_paragraph_without_times() -> None:
    track = paragraphs(b'<p>\n<span begin="1s" end="2s">a</span>\n<span begin="3s" dur="1s">b <span>c</span></span> <br/>\n</p>')
    assert [(cue.text, cue.time) for cue in track.cues] == [("a", (1_000, 2_000)), ("b c", (3_000, 4_000))]


def test_timed_spans_are_word_times_in_a_paragraph_with_times() -> None:
    track = paragraphs(b'<p begin="10s" end="20s"><span begin="0s">one</span> <span begin="1.5s"><span>two</span></span></p>')
    assert track.cues[0].text == "one two"
    assert [(track.source.data[word.start : word.start + 3], word.start_ms) for word in track.cues[0].word_times] == [
        (b"one", 10_000),
        (b"two", 11_500),
    ]
    assert bytes_of(track, EntryKind.TIMING) == [b"10s", b"20s"]


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        (b'Did... <span tts:fontStyle="italic">she</span> ask?<br/>She did.', "Did... she ask? She did."),
        (b"\n  Twice,\n  in writing.\n", "Twice, in writing."),
        (b"a  b\t\tc \t d", "a b c d"),
        (b"a <span> b</span> <span>c </span> d", "a b c d"),
        (b"a<span> </span>b", "a b"),
        (b"a\n<span>\n</span>\nb", "a b"),
        (b" a <br/> b ", "a b"),
        (b"a<br></br>b<br/><br/>c", "a b c"),
        (b"a&#32;&#9;b&#xa;c", "a b c"),
        (b"a\xc2\xa0\xc2\xa0b&#160; c", "a\xa0\xa0b\xa0 c"),
        ("漢\n字 か".encode(), "漢字 か"),
        (b"a<![CDATA[ <b>  &amp; ]]> c", "a <b> &amp; c"),
        (b"Tom &amp;amp; &lt;Jerry&gt; &#x1F600;", "Tom &amp; <Jerry> 😀"),
        (b"a<set begin='1s'/><!-- no -->b", "ab"),
    ],
)
def test_white_space_collapses_as_the_format_says(inner: bytes, text: str) -> None:
    assert text_of(inner) == text


def test_preserved_white_space_is_text_and_its_line_ends_end_lines() -> None:
    assert text_of(b"a  b\n  c\td", root=b' xml:space="preserve"') == "a  b c\td"
    assert text_of(b'<span xml:space="default">a  b</span>  c', root=b' xml:space="preserve"') == "a b  c"
    assert text_of(b'a  b<span xml:space="preserve">  c</span>') == "a b  c"


def test_ruby_readings_and_delimiters_are_left_out() -> None:
    inner = (
        '<span tts:ruby="container"><span tts:ruby="base">漢</span><span tts:ruby="delimiter">(</span>'
        '<span tts:ruby="textContainer"><span tts:ruby="text">かん</span></span></span>字'
    )
    assert text_of(inner.encode()) == "漢字"
    styled = '<p begin="1s" end="2s">漢<span style="x rt">かん</span></p>'.encode()
    assert paragraphs(styled, head=b'<styling><style xml:id="rt" tts:ruby="text"/></styling>').cues[0].text == "漢"
    assert paragraphs(styled).cues[0].text == "漢かん"


def test_metadata_and_foreign_elements_are_not_text() -> None:
    track = paragraphs(
        b'<ttm:title>T</ttm:title><metadata><p begin="9s">no</p></metadata>'
        b'<p begin="1s" end="2s"><ttm:desc>d</ttm:desc>a<x:y xmlns:x="u">z<x:y/></x:y>b</p>'
    )
    assert [cue.text for cue in track.cues] == ["ab"]


def test_agents_name_the_speakers() -> None:
    head = b'<metadata><ttm:agent type="person" xml:id="ann"><ttm:name type="full">Ann Lee</ttm:name></ttm:agent></metadata>'
    track = paragraphs(
        b'<p begin="1s" end="2s" ttm:agent="ann">a <span ttm:agent="bob">b</span></p><p begin="2s" end="3s">c</p>', head=head
    )
    assert [cue.speakers for cue in track.cues] == [("Ann Lee", "bob"), ()]


def test_a_begin_that_is_no_time_leaves_the_paragraph_unread() -> None:
    track = paragraphs(b'<p begin="1:75" end="9s">lost <span>words</span></p><p begin="1s" end="2s">a</p>stray')
    assert [cue.text for cue in track.cues] == ["a"]
    assert bytes_of(track, EntryKind.UNREAD) == [b"lost ", b"words", b"stray"]


def test_an_empty_timed_paragraph_is_an_empty_cue() -> None:
    assert [cue.text for cue in paragraphs(b'<p begin="1s" end="2s"/><p begin="2s" end="3s">a</p>').cues] == ["", "a"]


def test_a_file_in_utf_16_keeps_its_own_offsets() -> None:
    body = '<?xml version="1.0" encoding="UTF-16"?><tt><body><div><p begin="1s" end="2s">hé😀</p></div></body></tt>'
    data = b"\xff\xfe" + body.encode("utf-16-le")
    run = read(data).cues[0].runs[0]
    assert data[run.start : run.end].decode("utf-16-le") == "hé😀"


def test_bytes_that_do_not_decode_are_unread() -> None:
    track = paragraphs('<p begin="1s" end="2s">éé '.encode() + b"\xff!</p>")
    assert track.cues[0].text == "éé \ufffd!"
    assert bytes_of(track, EntryKind.UNREAD) == [b"\xff"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<tt/>", "holds no cues"),
        (b'<tt><body><p begin="1s"> </p></body></tt>', "all its cues are empty"),
        (b'<tt><body><p begin="1s">a', "ends in the middle"),
        (b'<!DOCTYPE tt [<!ENTITY a "b">]><tt/>', "declares a document type"),
        (b"<tt><body>" + b"<div>" * 100_000 + b"</div>" * 100_000 + b"</body></tt>", "nests too deeply"),
    ],
)
def test_what_is_no_track_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    with pytest.raises(CaptionError, match=reason):
        read(data)


def test_the_language_is_the_roots() -> None:
    assert paragraphs(b'<p begin="1s" end="2s">a</p>', root=b' xml:lang="fr-FR"').language == "fr-FR"


@pytest.mark.parametrize("path", parametrised("07-ttml-sbv-sami-ass/*.xml", "11-conformance/go-astisub/*.ttml"))
def test_real_files_are_read_whole(path: Path) -> None:
    track = read(path.read_bytes())
    assert track.ledger.totals()["unread"] == 0
    assert audit(track).defects == ()
