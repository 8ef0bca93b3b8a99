"""YouTube's XML: srv1 decoded twice, srv2's milliseconds, srv3's words, breaks and ruby."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from quoteview.core.audit import audit
from quoteview.core.captions import timedtext
from quoteview.core.captions.scan import view_of
from quoteview.core.captions.track import CaptionFormat, OrderFault, Track
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind
from quoteview.core.locking import lock
from tests.readings import bytes_of, parametrised, proven

XML = b'<?xml version="1.0" encoding="utf-8" ?>'


def read(data: bytes) -> Track:
    view = view_of(lock(data, "auto.en.srv3"))
    assert timedtext.recognises(view)
    return proven(timedtext.read(view))


def srv1(body: bytes) -> Track:
    return read(XML + b"<transcript>" + body + b"</transcript>")


def srv2(body: bytes) -> Track:
    return read(XML + b"<timedtext>" + body + b"</timedtext>")


def srv3(body: bytes, head: bytes = b"") -> Track:
    return read(XML + b'<timedtext format="3"><head>' + head + b"</head><body>" + body + b"</body></timedtext>")


def test_srv1_is_decoded_twice_as_it_is_escaped_twice() -> None:
    track = srv1(b'<text start="1.54" dur="4.16">don&amp;#39;t &amp;amp; &amp;quot;x&amp;quot; &gt;&gt; 5 &amp;lt; 6</text>')
    assert track.format is CaptionFormat.SRV1
    assert (track.cues[0].text, track.cues[0].time) == ('don\'t & "x" >> 5 < 6', (1540, 5700))
    assert bytes_of(track, EntryKind.TIMING) == [b"1.54", b"4.16"]


def test_srv1_leaves_out_a_tag_that_is_escaped_once_and_keeps_one_escaped_twice() -> None:
    track = srv1(b'<text start="1" dur="1">&lt;font color="#fff"&gt;a&lt;/font&gt; &lt;i>b&lt;/i> &amp;lt;i&amp;gt; &lt;3</text>')
    assert track.cues[0].text == "a b <i> <3"


def test_srv1_with_a_hundred_thousand_open_tags_is_read_in_linear_time() -> None:
    began = time.monotonic()
    assert srv1(b'<text start="1" dur="1">' + b"&lt;i " * 100_000 + b"</text>").cues[0].text.startswith("<i <i")
    assert time.monotonic() - began < 20


def test_srv2_counts_milliseconds() -> None:
    track = srv2(b'<text t="1540" d="4160">a &amp;amp; b</text><text t="6000">c</text>')
    assert track.format is CaptionFormat.SRV2
    assert [(cue.text, cue.time) for cue in track.cues] == [("a &amp; b", (1540, 5700)), ("c", (6000, 6000))]
    assert [defect.fault for defect in track.order] == [OrderFault.NO_END]


def test_srv2_and_srv3_appended_line_ends_are_breaks() -> None:
    assert [c.text for c in srv2(b'<text t="1" d="2" w="1">a</text><text t="2" d="1" w="1" append="1">\n</text>').cues] == ["a"]
    track = srv3(b'<p t="1" d="9" w="1">a</p><p t="5" d="9" w="1" a="1">\n</p><p t="6" d="9" w="1" a="1">b</p>')
    assert [cue.text for cue in track.cues] == ["a", "b"]


def test_a_blank_paragraph_that_is_not_appended_is_an_empty_cue() -> None:
    assert [cue.text for cue in srv3(b'<p t="1" d="9">a</p><p t="5" d="9">\n</p><p t="6" d="1"/>').cues] == ["a", "", ""]


def test_srv3_words_are_joined_as_they_are_and_have_times() -> None:
    track = srv3(
        b'<w t="0" id="1"/><p t="2000" d="3000" w="1"><s ac="0">rain</s><s t="400" ac="0"> fell</s><s t="800">ing</s></p>'
    )
    cue = track.cues[0]
    assert (cue.text, cue.time) == ("rain felling", (2000, 5000))
    assert [(track.source.data[word.start : word.start + 3], word.start_ms) for word in cue.word_times] == [
        (b"rai", 2000),
        (b"fel", 2400),
        (b"ing", 2800),
    ]
    assert bytes_of(track, EntryKind.TIMING) == [b"2000", b"3000"]


def test_srv3_line_ends_end_lines_and_references_are_decoded_once() -> None:
    track = srv3(b'<p t="1" d="2">Box\r\n at <s>start</s>&#10;of &amp;lt; <![CDATA[<i> &amp;]]></p>')
    assert track.cues[0].text == "Box at start of &lt; <i> &amp;"
    assert [run.line for run in track.cues[0].runs][:1] == [0]
    assert {run.line for run in track.cues[0].runs} == {0, 1, 2}


def test_ruby_readings_and_their_parentheses_are_left_out_by_their_pens() -> None:
    pens = b'<pen id="1" rb="1"/><pen id="2" rb="2"/><pen id="3" rb="4"/>'
    track = srv3(
        '<p t="1" d="2"><s p="1">漢</s><s p="2">(</s><s p="3">かん</s><s p="2">)</s>&#8203;<s p="1">字</s></p>'.encode(), pens
    )
    assert track.cues[0].text == "漢\u200b字"
    assert srv3(b'<p t="1" d="2"><s p="3">kept</s></p>').cues[0].text == "kept"


def test_a_paragraph_without_a_time_is_unread_and_so_is_text_outside() -> None:
    track = srv3(b'<p d="2">lost</p><p t="x">gone</p><p t="1" d="1">a</p>stray')
    assert [cue.text for cue in track.cues] == ["a"]
    assert bytes_of(track, EntryKind.UNREAD) == [b"lost", b"gone", b"stray"]


def test_zero_width_spaces_by_the_thousand_are_text() -> None:
    track = srv3(b'<p t="1" d="2">' + "\u200b".encode() * 4170 + b"a</p>")
    assert track.cues[0].text == "\u200b" * 4170 + "a"


def test_head_and_comments_are_metadata_and_white_space_between_cues_is_layout() -> None:
    track = srv3(b'\n <!-- <p t="1">no</p> -->\n<p t="1" d="2">a<!-- b -->c</p>\n', b'<pen id="1"/>')
    assert track.cues[0].text == "ac"
    assert bytes_of(track, EntryKind.METADATA)[1:] == [
        b'<head><pen id="1"/></head>',
        b'<!-- <p t="1">no</p> -->',
        b"<!-- b -->",
    ]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "holds no cues"),
        (b'<p t="1" d="2"> </p>', "all its cues are empty"),
        (b'<p t="1" d="2">a', "mismatched tag"),
        (b'<p t="1">' + b"<s>" * 300 + b"</s>" * 300 + b"</p>", "nests too deeply"),
    ],
)
def test_what_is_no_track_is_refused_with_its_reason(body: bytes, reason: str) -> None:
    with pytest.raises(CaptionError, match=reason):
        srv3(body)


def test_other_xml_is_not_timed_text() -> None:
    assert not timedtext.recognises(view_of(lock(b"<tt/>", "a")))


@pytest.mark.parametrize("path", parametrised("03-youtube-srv-xml/*.ytt", "03-youtube-srv-xml/*.static"))
def test_real_files_are_read_whole(path: Path) -> None:
    track = read(path.read_bytes())
    assert track.ledger.totals()["unread"] == 0
    assert audit(track).defects == ()
