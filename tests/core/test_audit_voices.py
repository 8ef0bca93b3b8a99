"""The audit tells voices and word times from the bytes, and finds each one that the track has otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quoteview.core.audit import audit
from quoteview.core.captions.reading import read_track
from quoteview.core.captions.track import Track, WordTime
from quoteview.core.locking import lock

VTT = (
    b"WEBVTT\n\n00:01.000 --> 00:02.000\n<v.loud Ann &amp; Bo>It is <v Cy>so <b>cold</v> out</b></v> there\n<v>no one\n\n"
    b"00:02.000 --> 00:04.000\nthe <00:02.500><c>harbor</c> <00:03.000>froze\n\n"
)
ASS = (
    b"[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
    b"Dialogue: 0,0:00:01.00,0:00:02.50,Default, Ann ,0,0,0,,{\\k20}the {\\i1}{\\kf30}har{\\k40}bor\n"
    b"Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,froze\n"
)
TTML = (
    b'<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata"><head><metadata>'
    b'<ttm:agent xml:id="a1"><ttm:name> Ann &amp; Bo </ttm:name></ttm:agent></metadata></head><body><div>'
    b'<p begin="1s" end="4s" ttm:agent="a1">the <span begin="1s" end="2s">harbor</span> '
    b'<span ttm:agent="Cy">froze</span></p><p begin="5s" end="6s">solid</p></div></body></tt>'
)
SRV3 = (
    b'<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><body>\n'
    b'<p t="1000" d="2000"><s>the</s><s t="500"> harbor</s><s t="900"> froze</s></p>\n'
    b'<p t="4000" d="10">solid</p></body></timedtext>'
)
JSON3 = (
    b'{"wireMagic": "pb3", "events": [{"tStartMs": 1000, "dDurationMs": 2000, "segs": [{"utf8": "the"}, '
    b'{"utf8": " harbor", "tOffsetMs": 500}, {"tOffsetMs": 900, "utf8": " froze"}]}, '
    b'{"tStartMs": 4000, "segs": [{"utf8": "solid"}]}]}'
)
PLAIN = b"[00:00:01] Ann: It is so cold.\nout there\n\n[00:00:05] Ben: The end.\n\n[00:00:07] Ann: No.\n"
DEEPGRAM = (
    b'{"results": {"utterances": [{"start": 1.0, "end": 2.0, "transcript": "It is so cold.", "speaker": 0, "words": []}, '
    b'{"start": 2.0, "end": 3.0, "transcript": "The end.", "speaker": 1, "words": []}]}}'
)
SRT = b"1\n00:00:01,000 --> 00:00:02,000\nIt is so cold\n"

VOICED = {"webvtt": VTT, "ass": ASS, "ttml": TTML, "plain": PLAIN, "deepgram": DEEPGRAM, "utf-16": VTT.decode().encode("utf-16")}
TIMED = {"webvtt": VTT, "ass": ASS, "ttml": TTML, "srv3": SRV3, "json3": JSON3, "utf-16": VTT.decode().encode("utf-16")}


def track_of(data: bytes) -> Track:
    return read_track(lock(data, "a"))


def with_speaker(track: Track, cue: int, run: int, speaker: str | None) -> Track:
    runs = list(track.cues[cue].runs)
    runs[run] = runs[run]._replace(speaker=speaker)
    changed = replace(track.cues[cue], runs=tuple(runs))
    return replace(track, cues=(*track.cues[:cue], changed, *track.cues[cue + 1 :]))


def with_times(track: Track, cue: int, times: tuple[WordTime, ...]) -> Track:
    changed = replace(track.cues[cue], word_times=times)
    return replace(track, cues=(*track.cues[:cue], changed, *track.cues[cue + 1 :]))


@pytest.mark.parametrize("data", [*VOICED.values(), SRV3, JSON3, SRT], ids=[*VOICED, "srv3", "json3", "srt"])
def test_it_agrees_with_the_voices_and_times_of_every_format(data: bytes) -> None:
    assert audit(track_of(data)).defects == ()


def test_the_samples_have_voices_and_times() -> None:
    assert [run.speaker for run in track_of(VTT).cues[0].runs] == ["Ann & Bo", "Cy", "Cy", "Cy", "Ann & Bo", None]
    assert all(any(run.speaker for cue in track_of(data).cues for run in cue.runs) for data in VOICED.values())
    assert all(any(cue.word_times for cue in track_of(data).cues) for data in TIMED.values())


@pytest.mark.parametrize("data", VOICED.values(), ids=VOICED)
def test_every_voice_that_is_changed_lost_or_invented_is_found(data: bytes) -> None:
    track = track_of(data)
    for cue in track.cues:
        for number, run in enumerate(cue.runs):
            for other in {"Dan", None, "Ann", "0"} - {run.speaker}:
                defects = audit(with_speaker(track, cue.index, number, other)).defects
                assert len(defects) == 1 and "speaks" in defects[0], (cue.index, number, other, defects)


@pytest.mark.parametrize("data", TIMED.values(), ids=TIMED)
def test_every_word_time_that_is_changed_or_moved_is_found(data: bytes) -> None:
    track = track_of(data)
    for cue in track.cues:
        for number, word in enumerate(cue.word_times):
            for other in (word._replace(start_ms=word.start_ms + 1), word._replace(start=word.start + 2)):
                changed = (*cue.word_times[:number], other, *cue.word_times[number + 1 :])
                assert len(audit(with_times(track, cue.index, changed)).defects) == 1


@pytest.mark.parametrize("data", [VTT, ASS], ids=["webvtt", "ass"])
def test_a_word_time_that_is_left_out_is_found_where_every_one_is_told(data: bytes) -> None:
    track = track_of(data)
    cue = next(cue for cue in track.cues if cue.word_times)
    assert len(audit(with_times(track, cue.index, cue.word_times[:-1])).defects) == 1


def test_a_format_without_voices_and_times_allows_none() -> None:
    track = track_of(SRT)
    assert len(audit(with_speaker(track, 0, 0, "Ann")).defects) == 1
    assert len(audit(with_times(track, 0, (WordTime(33, 1_000),))).defects) == 1


def test_a_name_with_bytes_that_nobody_can_read_is_no_other_name() -> None:
    data = (
        b"WEBVTT\n\n00:01.000 --> 00:02.000\n<v J\xff\xfen>caf\xc3\xa9\n\n"
        b"00:02.000 --> 00:03.000\ncaf\xc3\xa9 n\xc3\xa9e \xc3\xa0 la\n\n"
    )
    assert audit(track_of(data)).defects == ()


def test_a_voice_that_only_a_list_of_speakers_names_must_be_in_the_file() -> None:
    data = (
        b'{"results": {"speakers": [{"name": "S1"}], "utterances": '
        b'[{"start": 1.0, "end": 2.0, "transcript": "It is so cold.", "words": []}]}}'
    )
    track = track_of(data)
    assert audit(with_speaker(track, 0, 0, "S1")).agrees
    assert not audit(with_speaker(track, 0, 0, "S2")).agrees
