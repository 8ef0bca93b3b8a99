"""Polished copies: marked, complete, and never the reference."""

from __future__ import annotations

import json

import pysubs2
import pytest

from quoteview.core.captions.reading import read_track
from quoteview.core.captions.track import Track
from quoteview.core.errors import UsageError
from quoteview.core.locking import lock
from quoteview.core.polish import TranscriptFormat, polished_transcript, typographic


def track_of(*rows: tuple[int, int, str]) -> Track:
    events = [{"tStartMs": start, "dDurationMs": end - start, "segs": [{"utf8": text}]} for start, end, text in rows]
    return read_track(lock(json.dumps({"wireMagic": "pb3", "events": events}, ensure_ascii=False).encode(), "talk.json3"))


@pytest.mark.parametrize("format", TranscriptFormat)
def test_every_copy_names_what_it_was_made_from(format: TranscriptFormat) -> None:
    track = track_of((0, 1000, "good morning"), (2000, 3000, "sit down"))
    copy = polished_transcript(track, format, title="Talk")
    assert track.source.lock.sha256 in copy
    assert "not the reference" in copy
    assert "good morning" in copy and "sit down" in copy


@pytest.mark.parametrize("format", [TranscriptFormat.WEBVTT, TranscriptFormat.SUBRIP, TranscriptFormat.SUBSTATION])
def test_times_survive_the_export(format: TranscriptFormat) -> None:
    copy = pysubs2.SSAFile.from_string(polished_transcript(track_of((61_500, 63_250, "so it is")), format), format_=format.value)
    spoken = [event for event in copy if "so it is" in event.text]
    assert [(event.start, event.end) for event in spoken] == [(61_500, 63_250)]


def test_cues_come_in_time_order() -> None:
    copy = polished_transcript(track_of((5000, 6000, "second"), (1000, 2000, "first")), TranscriptFormat.TEXT)
    assert copy.index("first") < copy.index("second")


def test_braces_and_backslashes_of_the_captions_are_kept() -> None:
    for format in (TranscriptFormat.WEBVTT, TranscriptFormat.SUBRIP):
        assert r"set {x} to C:\Names" in polished_transcript(track_of((0, 900, r"set {x} to C:\Names")), format)
    assert r"set \{x\} to C:" in polished_transcript(track_of((0, 900, r"set {x} to C:\Names")), TranscriptFormat.SUBSTATION)


def test_markup_characters_of_the_captions_stay_text() -> None:
    copy = polished_transcript(track_of((0, 900, "Q&A <b> --> end")), TranscriptFormat.WEBVTT)
    assert "Q&amp;A &lt;b&gt; --&gt; end" in copy
    assert read_track_again(copy) == "Q&A <b> --> end"


def read_track_again(copy: str) -> str:
    return read_track(lock(copy.encode(), "copy.vtt")).cues[0].text


def test_unicode_form_is_kept() -> None:
    decomposed = "caf" + "e\u0301" + " \u00c5 \u212b"
    assert decomposed in polished_transcript(track_of((0, 900, decomposed)), TranscriptFormat.TEXT)


def test_the_reference_is_untouched_by_polishing() -> None:
    track = track_of((0, 900, 'it\'s "fine"  here'))
    before = track.source.data, track.cues
    copy = polished_transcript(track, TranscriptFormat.TEXT, language="en")
    assert "it’s “fine” here" in copy
    assert (track.source.data, track.cues) == before
    assert track.cues[0].text == 'it\'s "fine"  here'


def test_quote_marks_of_other_languages_are_left_alone() -> None:
    assert '"fein"' in polished_transcript(track_of((0, 900, 'das ist "fein"')), TranscriptFormat.TEXT, language="de-AT")


@pytest.mark.parametrize(
    ("plain", "polished"),
    [
        ('"yes"', "“yes”"),
        ('he said "yes", then', "he said “yes”, then"),
        ("isn't", "isn’t"),
        ("'so' he said", "‘so’ he said"),
        ("5'10\" tall", "5'10\" tall"),
        ("the '90s", "the ’90s"),
        ('("no")', "(“no”)"),
        ('"in 1990" and a 12" pipe', '“in 1990” and a 12" pipe'),
    ],
)
def test_typographic_marks_in_english(plain: str, polished: str) -> None:
    assert typographic(plain) == polished


def test_a_time_that_the_format_cannot_hold_is_refused() -> None:
    just = track_of((35_000_000, 35_999_990, "late"))
    assert "9:59:59.99" in polished_transcript(just, TranscriptFormat.SUBSTATION)
    with pytest.raises(UsageError, match="vtt instead"):
        polished_transcript(track_of((35_000_000, 35_999_991, "late")), TranscriptFormat.SUBSTATION)


def test_long_captions_are_wrapped_and_lose_no_word() -> None:
    text = " ".join(f"word{n}" for n in range(40))
    copy = polished_transcript(track_of((0, 20_000, text)), TranscriptFormat.WEBVTT)
    assert max(len(line) for line in copy.splitlines() if line.startswith("word")) <= 42
    assert " ".join(copy.split("\n\n")[-1].split()).endswith(text) or text in " ".join(copy.split())
