"""The second witness explains what pysubs2 simplifies, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quoteview.core.captions.reading import read_track
from quoteview.core.captions.track import Cue, Track
from quoteview.core.errors import CaptionError
from quoteview.core.locking import lock
from quoteview.core.spans import TimeSpan
from quoteview.core.witness import second_reading
from tests.readings import REAL_FILES

VTT = b"WEBVTT\n\n00:01.000 --> 00:02.000\nIt is cold\nout there\n\n00:02.000 --> 00:03.000\nThe end\n"
SRT = b"1\n00:00:01,000 --> 00:00:02,000\nIt is cold\nout there\n\n2\n00:00:02,000 --> 00:00:03,000\nThe end\n"
ASS = (
    b"[Script Info]\n\n[V4+ Styles]\n\n[Events]\n"
    b"Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
    b"Comment: 0,0:00:00.00,0:00:01.00,,,0,0,0,,not said\n"
    b"Dialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,It is {\\i1}cold{\\i0}\\Nout there\n"
    b"Dialogue: 0,0:00:02.00,0:00:03.00,,,0,0,0,,The end\n"
)
TTML = (
    b'<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="2s">It is <span>cold</span><br/>out there</p>\n'
    b'<p begin="2s" end="3s">The end</p></div></body></tt>'
)
SAMI = (
    b"<SAMI><BODY><SYNC Start=1000><P Class=EN>It is <i>cold</i><br>out there<SYNC Start=1200><P Class=EN>The end"
    b"<SYNC Start=1400><P Class=EN>&nbsp;</BODY></SAMI>"
)
SAMPLES = {"webvtt": VTT, "srt": SRT, "ass": ASS, "ttml": TTML, "sami": SAMI, "utf-16": SRT.decode().encode("utf-16")}
EACH = pytest.mark.parametrize("data", SAMPLES.values(), ids=SAMPLES)


def track_of(data: bytes) -> Track:
    return read_track(lock(data, "a"))


def kinds(data: bytes) -> list[tuple[int, str, bool]]:
    return [(one.cue, one.kind, one.is_explained) for one in second_reading(track_of(data)).differences]


def with_cue(track: Track, cue: Cue) -> Track:
    return replace(track, cues=tuple(cue if one.index == cue.index else one for one in track.cues))


@EACH
def test_a_well_formed_file_is_read_alike(data: bytes) -> None:
    report = second_reading(track_of(data))
    assert (report.differences, report.note) == ((), "")


@EACH
def test_a_dropped_word_and_a_changed_letter_are_unexplained(data: bytes) -> None:
    track = track_of(data)
    for cue in track.cues:
        for text in (cue.runs[-1].text.rpartition(" ")[0], cue.runs[-1].text.replace("e", "E"), cue.runs[-1].text + "."):
            changed = replace(cue, runs=(*cue.runs[:-1], cue.runs[-1]._replace(text=text)))
            assert [one.kind for one in second_reading(with_cue(track, changed)).unexplained] == ["text"]
    dropped = replace(track.cues[0], runs=track.cues[0].runs[:-1])
    assert second_reading(with_cue(track, dropped)).unexplained


@EACH
def test_a_millisecond_more_is_unexplained(data: bytes) -> None:
    track = track_of(data)
    for cue in track.cues:
        start_ms, end_ms = cue.time
        for time in (TimeSpan(start_ms + 1, end_ms), TimeSpan(start_ms, end_ms + 1)):
            assert second_reading(with_cue(track, replace(cue, time=time))).unexplained


@EACH
def test_a_dropped_cue_is_unexplained(data: bytes) -> None:
    track = track_of(data)
    assert second_reading(replace(track, cues=track.cues[:-1])).unexplained
    moved = tuple(replace(cue, index=index) for index, cue in enumerate(track.cues[1:]))
    assert second_reading(replace(track, cues=moved)).unexplained


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (VTT.replace(b"It is cold", b"42"), []),
        (VTT.replace(b"out there", b"42"), [(0, "number line", True)]),
        (VTT.replace(b"The end", b"The end\n42"), [(1, "number line", True)]),
        (VTT.replace(b"The end", b"R&amp;D &lt;i&gt;"), [(1, "references", True)]),
        (VTT.replace(b"It is cold", b"It<00:01.200><c> is</c><00:01.500><c> cold</c>"), [(0, "inline times", True)]),
        (VTT.replace(b"It is cold", b"It is<00:01.500><c> cold</c>"), [(0, "time tags", True)]),
        (VTT.replace(b"00:02.000 -->", b"NOTE not said\n\n00:02.000 -->"), [(0, "blocks", True)]),
        (VTT.replace(b"00:02.000 -->", b"chapter\n00:02.000 -->"), [(0, "blocks", True)]),
        (VTT.replace(b"00:02.000 -->", b"2\n00:02.000 -->"), []),
        (VTT.replace(b"The end", b"<ruby>The<rt>der</rt></ruby> end"), [(1, "readings", True)]),
        (VTT.replace(b"The end", b"The {big} end"), [(1, "braces", True)]),
        (VTT.replace(b"02.000 --> 00:03.000", b"02.000 --> 00:01.000"), [(1, "end before start", True)]),
        (SRT.replace(b"The end", b"The <laughs> end"), [(1, "tags", True)]),
        (SRT.replace(b"00:00:02,000 --> 00:00:03,000", b"100:00:02,000 --> 100:00:03,000"), [(1, "hours", True)]),
        (SRT.replace(b"00:00:01,000 -->", b"-00:00:01,000 -->"), [(0, "sign", True)]),
        (
            SRT.replace(b"00:00:02,000 --> 00:00:03,000", b"00:02,000 --> 00:03,000"),
            [(0, "blocks", True), (1, "timing line", True)],
        ),
        (ASS.replace(b"The end", b"The\\hend"), [(1, "hard spaces", True)]),
        (ASS.replace(b"The end", b"{\\p1}m 0 0{\\p0}The end"), [(1, "drawings", True)]),
        (TTML.replace(b"The end", b"The\xc2\xa0end"), [(1, "white space", True)]),
    ],
)
def test_what_it_is_known_to_simplify_is_explained_by_that_alone(data: bytes, found: list[tuple[int, str, bool]]) -> None:
    assert kinds(data) == found


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (VTT.replace(b"The end", b"R&amp;D, the end"), "R&D, the"),
        (VTT.replace(b"The end", b"The end\n42"), "The 42"),
        (VTT.replace(b"The end", b"The<00:02.500> end"), "The end."),
        (SRT.replace(b"The end", b"The <laughs> end"), "The <laughs>"),
    ],
)
def test_a_suspicious_character_explains_no_other_difference(data: bytes, text: str) -> None:
    track = track_of(data)
    cue = track.cues[1]
    changed = replace(cue, runs=(cue.runs[0]._replace(text=text),))
    assert [one.kind for one in second_reading(with_cue(track, changed)).unexplained] == ["text"]


def test_lines_that_a_roll_up_track_repeats_are_explained() -> None:
    data = (
        b"WEBVTT\n\n00:00.000 --> 00:02.000\nthe harbor\n\n00:02.000 --> 00:04.000\nthe harbor\nwas frozen\n\n"
        b"00:04.000 --> 00:06.000\nwas frozen\nsolid\n"
    )
    assert kinds(data) == [(1, "repeats", True), (2, "repeats", True)]


def test_a_second_language_of_sami_is_explained() -> None:
    data = SAMI.replace(b"The end<", b"The end<P Class=FR>Fin<")
    assert kinds(data) == [(1, "languages", True)]


def test_a_last_sync_that_nothing_closes_is_explained() -> None:
    assert kinds(SAMI.replace(b"<SYNC Start=1400><P Class=EN>&nbsp;</BODY></SAMI>", b"")) == [
        (0, "guessed end", True),
        (1, "open SYNC", True),
    ]
    assert kinds(SAMI.replace(b"</BODY></SAMI>", b"")) == [(1, "guessed end", True)]


def test_a_guessed_end_of_sami_is_explained() -> None:
    data = SAMI.replace(b"1200", b"9000").replace(b"1400", b"9400")
    assert kinds(data) == [(0, "guessed end", True)]


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (b"0:00:01.000,0:00:02.000\nOne\n", "does not read sbv"),
        (TTML.replace(b'end="2s"', b'dur="1s"'), "fails on this file"),
        (TTML.replace(b"/ns/ttml", b"/2006/10/ttaf1"), "finds no cues"),
        (SRT.replace(b"The end", b"<a" * 100_000), "would take too long"),
        (SRT.replace(b"The end", b"The end" + b"\n" * 100_000 + b"12 more"), "would take too long"),
    ],
)
def test_what_it_does_not_read_is_said_and_closes_nothing(data: bytes, note: str) -> None:
    report = second_reading(track_of(data))
    assert note in report.note
    assert report.unexplained == ()


@pytest.mark.skipif(not REAL_FILES.is_dir(), reason="QUOTEVIEW_CAPTION_FILES names no folder of real caption files")
def test_no_difference_in_a_real_file_is_unexplained() -> None:
    for path in sorted(REAL_FILES.rglob("*")):
        if path.is_file() and path.suffix not in (".md", ".py", ".tsv", ".json"):
            try:
                track = read_track(lock(path.read_bytes(), path.name))
            except CaptionError:
                continue
            assert second_reading(track).unexplained == (), path.name
