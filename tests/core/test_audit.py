"""The audit agrees with what is right in every format, and finds each single thing that is not."""

from __future__ import annotations

import unicodedata
from array import array
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from quoteview.core.audit import audit, audited_text, decode_range
from quoteview.core.captions.reading import read_track
from quoteview.core.captions.track import CaptionFormat, Cue, Track
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind, How, Ledger
from quoteview.core.locking import lock
from quoteview.core.spans import ByteSpan, TimeSpan
from tests.readings import REAL_FILES

VTT = (
    b"WEBVTT - a talk\nKind: captions\n\nNOTE not said\nnor this\n\nSTYLE\n::cue { color: red }\n\n"
    b"intro\n00:01.000 --> 00:02.000 align:start position:0%\n<v Ann>It\xe2\x80\x99s <i>so</i> cold,\nshe &amp; he said.</v>\n\n"
    b"00:02.000 --> 00:04.500\n<ruby>\xe6\xbc\xa2<rt>kan</rt></ruby> is <00:03.000><c>caf\xc3\xa9</c> \n\n"
)
ROLLING = (
    b"WEBVTT\n\n00:00.000 --> 00:02.000\n \nthe<00:00.500><c> harbor</c>\n\n00:02.000 --> 00:02.010\nthe harbor\n \n\n"
    b"00:02.010 --> 00:04.000\nthe harbor\nwas<00:02.500><c> frozen</c>\n\n00:04.000 --> 00:04.010\nwas frozen\n \n\n"
)
SRT = (
    b"1\n00:00:01,000 --> 00:00:02,000\nIt&#39;s <i>so</i> cold\nout there\n\n2\n00:00:02,500 --> 00:00:03,000 X1:0 X2:9\n"
    b"{\\an8}42\n\n3\n01:00:00,5 --> 01:00:01\nThe end, caf\xc3\xa9\n"
)
SBV = b"0:00:01.000,0:00:02.000\nIt is so cold\nout there[br]today\n\n0:00:02.000,0:00:03.000\nThe end, caf\xc3\xa9\n"
ASS = (
    b"[Script Info]\n; made by hand\nTitle: x\n\n[Events]\n"
    b"Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
    b"Comment: 0,0:00:00.00,0:00:01.00,,,0,0,0,,not said\n"
    b"Dialogue: 0,0:00:01.00,0:00:02.50,Default,Ann,0,0,0,,{\\i1}It's{\\i0} so\\hcold\\Nout there, caf\xc3\xa9\n"
    b"Dialogue: 0,-0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\p1}m 0 0 l 1 1{\\p0}The end\n"
)
SAMI = (
    b"<SAMI><HEAD><STYLE><!--\n.ENCC {lang: en-US;}\n.FRCC {lang: fr-FR;}\n--></STYLE></HEAD><BODY>\n"
    b"<SYNC Start=1000><P Class=ENCC>It's <i>so</i> cold &amp; wet<br>out there\n"
    b"<SYNC Start=2000><P Class=ENCC>&nbsp;\n<SYNC Start=3000><P Class=FRCC>Fin<P Class=ENCC>The end, caf\xc3\xa9\n"
    b"<SYNC Start=4000><P Class=ENCC>&nbsp;\n</BODY></SAMI>\n"
)
TTML = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<tt xmlns="http://www.w3.org/ns/ttml" '
    b'xmlns:ttp="http://www.w3.org/ns/ttml#parameter" '
    b'xmlns:tts="http://www.w3.org/ns/ttml#styling" ttp:frameRate="25" xml:lang="en"><head><metadata>not said</metadata></head>\n'
    b'<body begin="10s"><div><p begin="00:00:01:05" end="00:00:02.000">It\'s  <span>so cold</span>,<br/>R&amp;D\n  there</p>\n'
    b'<p begin="2s" dur="1.5s">'
    b'<span tts:ruby="base">\xe6\xbc\xa2</span><span tts:ruby="text">kan</span> caf\xc3\xa9</p></div></body></tt>\n'
)
SRV1 = (
    b'<?xml version="1.0" encoding="utf-8" ?><transcript>'
    b'<text start="1.2" dur="2.5">It&amp;#39;s &lt;i&gt;so&lt;/i&gt; cold\nthere'
    b'</text><text start="4" dur="1">The end, caf\xc3\xa9</text></transcript>'
)
SRV3 = (
    b'<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><head><pen id="1" b="1"/></head><body>\n'
    b'<p t="1000" d="2000" w="1"><s>it&#39;s</s><s t="500"> cold</s></p>\n<p t="3000" d="1000" w="1" a="1">\n</p>\n'
    b'<p t="3000" d="1500">the end, caf\xc3\xa9</p>\n</body></timedtext>\n'
)
JSON3 = (
    b'{"wireMagic": "pb3", "events": [ {"tStartMs": 0, "dDurationMs": 9000, "id": 1},\n'
    b'{"tStartMs": 1000, "dDurationMs": 2000, '
    b'"segs": [{"utf8": "it\\u2019s"}, {"utf8": " so", "tOffsetMs": 300}, {"utf8": "\\ncold"}]},\n'
    b'{"tStartMs": 2000, "aAppend": 1, "segs": [{"utf8": "\\n"}]},\n'
    b'{"tStartMs": 3000, "dDurationMs": 1500, "segs": [{"utf8": "the \\"end\\", caf\xc3\xa9"}]}]}'
)
WHISPER = (
    b'{"text": " It is so cold. The end, caf\\u00e9.", "language": "en", "segments": [{"id": 0, "start": 0.0, "end": 1.5, '
    b'"text": " It is so cold.", '
    b'"words": [{"word": " It", "start": 0.1, "end": 0.2}, {"word": " is", "start": 0.2, "end": 0.3}]}, '
    b'{"id": 1, "start": 1.5, "end": 14.400000000000002, "text": " The end, caf\\u00e9."}]}'
)
AWS = (
    b'{"results": {"transcripts": [{"transcript": "It is cold."}], "items": [{"start_time": "0.1", "end_time": "0.3", '
    b'"alternatives": [{"content": "It"}, {"content": "At"}], "type": "pronunciation"}, {"start_time": "0.3", "end_time": "0.5", '
    b'"alternatives": [{"content": "is"}], "type": "pronunciation"}, {"start_time": "0.5", "end_time": "0.9", "alternatives": '
    b'[{"content": "cold"}], "type": "pronunciation"}, {"alternatives": [{"content": "."}], "type": "punctuation"}]}}'
)
PLAIN = b"An Interview\n\n[00:00:01] Ann: It's so cold\nout there.\n\n[00:00:05] Ben: The end, caf\xc3\xa9.\n"

SAMPLES = {
    "webvtt": VTT, "rolling": ROLLING, "srt": SRT, "sbv": SBV, "ass": ASS, "sami": SAMI, "ttml": TTML, "srv1": SRV1,
    "srv3": SRV3, "json3": JSON3, "whisper": WHISPER, "aws": AWS, "plain": PLAIN,
    "crlf": VTT.replace(b"\n", b"\r\n"), "cr": SRT.replace(b"\n", b"\r"), "bom": b"\xef\xbb\xbf" + SRT,
    "utf-16": SRT.decode().encode("utf-16"), "utf-16 xml": TTML.decode().replace("UTF-8", "UTF-16").encode("utf-16"),
}  # fmt: skip
EACH = pytest.mark.parametrize("data", SAMPLES.values(), ids=SAMPLES)


def track_of(data: bytes) -> Track:
    return read_track(lock(data, "a"))


def texts(track: Track) -> list[str]:
    return [cue.text for cue in track.cues]


def with_entry(track: Track, index: int, kind: EntryKind) -> Track:
    kinds = bytearray(track.ledger.kinds)
    kinds[index] = kind
    ledger = track.ledger
    return replace(track, ledger=Ledger(ledger.ends, bytes(kinds), ledger.hows, ledger.cues, ledger.repeats))


def entries(track: Track, kind: EntryKind) -> Iterator[int]:
    return (index for index, entry in enumerate(track.ledger) if entry.kind is kind)


@EACH
def test_it_agrees_with_what_is_right(data: bytes) -> None:
    track = track_of(data)
    assert audit(track).defects == ()
    assert list(audited_text(track)) == texts(track)


@EACH
@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:-1] + ("x" if text[-1] != "x" else "y"),
        lambda text: text + " ",
        lambda text: text[1:],
        lambda text: text.replace(" ", "\xa0", 1),
        lambda text: text.replace("\u2019", "'").replace("'", "\u2019") if "\u2019" not in text else text.replace("\u2019", "'"),
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: " ".join(text.split(" ")[:-1]),
    ],
    ids=["letter", "space", "first letter", "no-break space", "quote mark", "NFD", "dropped word"],
)
def test_a_changed_working_copy_is_found(data: bytes, change: object) -> None:
    assert callable(change)
    track = track_of(data)
    working = texts(track)
    changed = [str(change(text)) if text else text for text in working]
    found = len(audit(track, working=changed).defects)
    assert found == sum(1 for one, other in zip(working, changed, strict=True) if one != other)


def test_the_first_difference_is_told_with_its_place_and_its_context() -> None:
    track = track_of(SRT)
    working = texts(track)
    working[2] = working[2].replace("é", "e\u0301")
    (defect,) = audit(track, working=working).defects
    assert f"byte {SRT.index(bytes((0xC3, 0xA9)))}" in defect
    assert "Cue 2" in defect and "U+00E9" in defect and "U+0065" in defect and "The end" in defect


@EACH
def test_a_working_copy_with_a_cue_too_few_is_found(data: bytes) -> None:
    track = track_of(data)
    assert not audit(track, working=texts(track)[:-1]).agrees


@EACH
@pytest.mark.parametrize("kind", [EntryKind.MARKUP, EntryKind.METADATA, EntryKind.LAYOUT, EntryKind.TIMING, EntryKind.REPEAT])
def test_text_hidden_as_something_else_is_found(data: bytes, kind: EntryKind) -> None:
    track = track_of(data)
    for index in entries(track, EntryKind.TEXT):
        assert not audit(with_entry(track, index, kind)).agrees
        # The same by a reader that is wrong about its own runs as well, and so is of one mind with its ledger.
        start = track.ledger.ends[index - 1]
        cues = tuple(replace(cue, runs=tuple(run for run in cue.runs if run.start != start)) for cue in track.cues)
        assert not audit(replace(with_entry(track, index, kind), cues=cues)).agrees


@EACH
def test_markup_or_metadata_entered_as_text_is_found(data: bytes) -> None:
    track = track_of(data)
    for kind in (EntryKind.MARKUP, EntryKind.METADATA, EntryKind.TIMING):
        for index in entries(track, kind):
            assert not audit(with_entry(track, index, EntryKind.TEXT)).agrees


@EACH
def test_a_time_that_is_a_millisecond_off_is_found(data: bytes) -> None:
    track = track_of(data)
    for number, cue in enumerate(track.cues):
        for time in (TimeSpan(cue.time.start_ms + 1, cue.time.end_ms), TimeSpan(cue.time.start_ms, cue.time.end_ms + 1)):
            changed = tuple(replace(one, time=time) if one is cue else one for one in track.cues)
            assert not audit(replace(track, cues=changed)).agrees, number


@EACH
def test_a_run_that_says_something_else_is_found(data: bytes) -> None:
    track = track_of(data)
    for cue in track.cues:
        for number, run in enumerate(cue.runs):
            if run.how is not How.UNREAD:
                runs = (*cue.runs[:number], run._replace(text=run.text.swapcase() + "!"), *cue.runs[number + 1 :])
                assert not audit(replace(track, cues=_with(track.cues, replace(cue, runs=runs)))).agrees


@EACH
def test_a_border_that_the_bytes_do_not_show_is_found(data: bytes) -> None:
    track = track_of(data)
    tried = 0
    for cue in track.cues:
        for number in range(1, len(cue.runs)):
            moved = cue.runs[number - 1].line + (cue.runs[number].line == cue.runs[number - 1].line)
            runs = [*cue.runs[:number], *(run._replace(line=moved) for run in cue.runs[number:])]
            wrong = replace(cue, runs=tuple(runs))
            if wrong.text != cue.text:
                tried += 1
                assert not audit(replace(track, cues=_with(track.cues, wrong))).agrees
    assert tried or all(len({run.line for run in cue.runs}) < 2 for cue in track.cues)


def _with(cues: tuple[Cue, ...], changed: Cue) -> tuple[Cue, ...]:
    return tuple(changed if cue.index == changed.index else cue for cue in cues)


@EACH
def test_a_letter_changed_in_the_bytes_of_a_text_is_found(data: bytes) -> None:
    track = track_of(data)
    for span in track.ledger.spans(EntryKind.TEXT):
        for place in range(span.start, span.end):
            if chr(data[place]).isalpha() and chr(data[place]).isascii():
                changed = data[:place] + bytes((data[place] ^ 1,)) + data[place + 1 :]
                assert not audit(track, data=changed).agrees
                break


@EACH
def test_bytes_of_another_length_and_torn_ledgers_are_found(data: bytes) -> None:
    track = track_of(data)
    assert not audit(track, data=data + b" ").agrees
    assert not audit(track, data=data[:-1]).agrees
    ends = array("q", track.ledger.ends)
    ends[3], ends[4] = ends[4], ends[3]
    ledger = track.ledger
    assert not audit(replace(track, ledger=Ledger(ends, ledger.kinds, ledger.hows, ledger.cues, ledger.repeats))).agrees
    assert not audit(replace(track, ledger=Ledger(ends[:-1], ledger.kinds, ledger.hows, ledger.cues, ledger.repeats))).agrees


@EACH
def test_a_dropped_cue_is_found(data: bytes) -> None:
    track = track_of(data)
    if len(track.cues) > 1:
        assert not audit(replace(track, cues=track.cues[:-1])).agrees
        moved = tuple(replace(cue, index=index) for index, cue in enumerate(track.cues[1:]))
        assert not audit(replace(track, cues=moved)).agrees


def test_a_repeat_that_says_something_else_is_found() -> None:
    track = track_of(ROLLING)
    repeats = list(entries(track, EntryKind.REPEAT))
    assert len(repeats) == 3
    place = ROLLING.rindex(b"was frozen")
    assert not audit(track, data=ROLLING[:place] + b"was frosen" + ROLLING[place + 10 :]).agrees
    ledger = track.ledger
    assert not audit(replace(track, ledger=Ledger(ledger.ends, ledger.kinds, ledger.hows, ledger.cues, {}))).agrees


def test_a_reference_left_undecoded_is_found() -> None:
    data = b"WEBVTT\n\n00:01.000 --> 00:02.000\nR&amp;D\n"
    track = track_of(data)
    index = next(entries(track, EntryKind.TEXT))
    hows = bytearray(track.ledger.hows)
    hows[index] = How.LITERAL
    ledger = replace(track.ledger, hows=bytes(hows))
    cue = replace(track.cues[0], runs=(track.cues[0].runs[0]._replace(text="R&amp;D", how=How.LITERAL),))
    assert any("reference" in defect for defect in audit(replace(track, ledger=ledger, cues=(cue,))).defects)


def test_what_stands_on_a_timing_line_must_be_settings() -> None:
    data = b"WEBVTT\n\n00:01.000 --> 00:02.000 line:0 and more\nOne\n"
    track = track_of(data)
    assert audit(track).agrees
    for index in entries(track, EntryKind.UNREAD):
        assert not audit(with_entry(track, index, EntryKind.MARKUP)).agrees
        assert not audit(with_entry(track, index, EntryKind.METADATA)).agrees


def test_a_sync_of_another_class_alone_does_not_end_a_cue() -> None:
    data = SAMI.replace(b"<SYNC Start=2000><P Class=ENCC>&nbsp;", b"<SYNC Start=2000><P Class=FRCC>Encore")
    track = track_of(data)
    assert track.cues[0].time == (1000, 3000)
    assert audit(track).defects == ()


def test_a_note_block_is_metadata_and_its_twin_is_not() -> None:
    data = b"WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n\nNOTED by all\n\n00:02.000 --> 00:03.000\nTwo\n"
    track = track_of(data)
    (unread,) = entries(track, EntryKind.UNREAD)
    assert audit(track).agrees
    assert not audit(with_entry(track, unread, EntryKind.METADATA)).agrees


@pytest.mark.parametrize(
    "data",
    [
        VTT.replace(b"not said\n", b"not \xff said \xe9\n"),
        VTT.replace(b"intro", b"\xffintro\xff"),
        VTT.replace(b"<v Ann>", b"<v An\xffn>"),
        VTT.replace(b"<i>so</i>", b"<i>\xff</i>\xff<i>so</i>"),
        SRT.replace(b"{\\an8}42", b"{\\an8\xff}\xff42"),
        PLAIN.replace(b"Ann:", b"A\xffn:").replace(b"An Interview", b"\xffn Interview\xff"),
        ASS.replace(b"made by", b"m\xff\xe9de by").replace(b"{\\i1}", b"{\\i1\xff}"),
        SAMI.replace(b"<i>", b"<i \xff>").replace(b"lang: en", b"lang\xff: en"),
        SRV3.replace(b'b="1"', b'b="1\xff"').replace(b'w="1"', b'w="\xff1"', 1),
    ],
)
def test_bytes_that_are_not_utf_8_tear_nothing_that_is_whole_otherwise(data: bytes) -> None:
    track = track_of(data.replace(b"caf\xc3\xa9", b"caf\xc3\xa9" * 5))
    assert track.ledger.totals()["unread"] > 0
    assert audit(track).defects == ()


def test_an_xml_bomb_is_not_read() -> None:
    bomb = b'<!DOCTYPE tt [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    data = SRV3.replace(b"<timedtext", b" " * len(bomb) + b"<timedtext", 1)
    track = track_of(data)
    assert audit(track).agrees
    changed = data.replace(b" " * len(bomb), bomb, 1)
    assert any("document type" in defect for defect in audit(track, data=changed).defects)


@pytest.mark.parametrize(
    ("raw", "how", "format", "text"),
    [
        (b"caf\xc3\xa9", How.LITERAL, CaptionFormat.WEBVTT, "café"),
        (b"a &amp; b &lt", How.ENTITY, CaptionFormat.WEBVTT, "a & b <"),
        (b"a &amp; b &lt", How.ENTITY, CaptionFormat.SUBRIP, "a & b &lt"),
        (b"&notit; &notin; &#x80; &#0;", How.ENTITY, CaptionFormat.SAMI, "¬it; ∉ € \ufffd"),
        (b"&amp;#39;s &amp;amp;lt;", How.ENTITY, CaptionFormat.SRV1, "'s &lt;"),
        (b"&amp;#39; &nbsp; &#65;", How.ENTITY, CaptionFormat.TTML, "&#39; &nbsp; A"),
        (b'\\u00e9 \\ud83d\\ude00 \\"', How.ESCAPE, CaptionFormat.JSON3, 'é 😀 "'),
        (b"a\\hb\\q", How.ESCAPE, CaptionFormat.SUBSTATION, "a\xa0b\\q"),
    ],
)
def test_ranges_are_decoded_as_the_format_has_it(raw: bytes, how: How, format: CaptionFormat, text: str) -> None:
    assert decode_range(b"xx" + raw + b"yy", ByteSpan(2, 2 + len(raw)), how, "utf-8", format) == text


@pytest.mark.parametrize(
    ("raw", "how", "encoding", "format"),
    [
        (b"\xc3", How.LITERAL, "utf-8", CaptionFormat.WEBVTT),
        (b"\\ud83d", How.ESCAPE, "utf-8", CaptionFormat.JSON3),
        (b"\\x", How.ESCAPE, "utf-8", CaptionFormat.JSON3),
        (b"&#xD800;", How.ENTITY, "utf-8", CaptionFormat.TTML),
        (b"a", How.LITERAL, "utf-16-le", CaptionFormat.SUBRIP),
        (b"a", How.UNREAD, "utf-8", CaptionFormat.SUBRIP),
    ],
)
def test_bytes_that_do_not_decode_raise(raw: bytes, how: How, encoding: str, format: CaptionFormat) -> None:
    with pytest.raises(ValueError):
        decode_range(raw, ByteSpan(0, len(raw)), how, encoding, format)


def test_a_range_outside_the_file_raises() -> None:
    with pytest.raises(ValueError, match="not in a file"):
        decode_range(b"abc", ByteSpan(2, 4), How.LITERAL, "utf-8", CaptionFormat.WEBVTT)


def test_it_imports_no_reader() -> None:
    import quoteview.core.auditing as package

    folder = Path(package.__path__[0])
    for source in [*folder.glob("*.py"), folder.parent / "audit.py"]:
        for line in source.read_text("utf-8").splitlines():
            if "captions" in line.partition("#")[0] and "import" in line:
                assert line.startswith("from quoteview.core.captions.track import"), line


@pytest.mark.skipif(not REAL_FILES.is_dir(), reason="QUOTEVIEW_CAPTION_FILES names no folder of real caption files")
def test_it_agrees_with_every_real_file_that_holds_what_its_format_allows() -> None:
    for path in sorted(REAL_FILES.rglob("*")):
        if path.is_file() and path.suffix not in (".md", ".py", ".tsv"):
            try:
                track = read_track(lock(path.read_bytes(), path.name))
            except CaptionError:
                continue
            assert audit(track).defects == (), path.name


@pytest.mark.parametrize("junk", [b"\xff", b"\xe2\x80", b"\xff\xfe\xfd"])
@pytest.mark.parametrize("name", ["webvtt", "srt", "sbv", "ass", "sami", "srv1", "json3", "plain", "bom"])
def test_bytes_that_no_one_can_read_are_no_fault_of_the_ledger_wherever_they_stand(name: str, junk: bytes) -> None:
    data = SAMPLES[name]
    for place in range(0, len(data), 3):
        try:
            # Enough that is UTF-8, so that the file is not taken for one in another encoding.
            track = track_of((data[:place] + junk + data[place:]).replace("café".encode(), "café né à là é é é".encode()))
        except CaptionError:
            continue
        assert audit(track).defects == (), place


def test_a_line_break_that_is_torn_is_no_line_break() -> None:
    sami = (
        b"<SAMI><BODY><SYNC Start=1000><P Class=EN>a caf\xc3\xa9 \xc3\xa9<br%b>b<SYNC Start=2000><P Class=EN>&nbsp;</BODY></SAMI>"
    )
    assert texts(track_of(sami % b"")) == ["a café é b"]
    assert audit(track_of(sami % b"\xff")).agrees and audit(track_of(sami % b"")).agrees
