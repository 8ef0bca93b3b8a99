"""The program reads captions by itself, and comes to the same words, bytes, times and voices as the core: on files made by chance."""

# ruff: noqa: E501
from __future__ import annotations

import os
import random
from typing import Any, cast

import pytest

from quoteview.core.captions.reading import read_track
from quoteview.core.errors import CaptionError
from quoteview.core.locking import lock
from quoteview.core.reference import Reference
from quoteview.core.spans import TextSpan
from tests.bundles import program
from tests.soup import Soup

CHECKER = cast(Any, program())
FILES = int(os.environ.get("QUOTEVIEW_SOUPS", "120"))
FORMATS = {
    "webvtt": "vtt",
    "srt": "srt",
    "sbv": "sbv",
    "json3": "json3",
    "srv3": "srv3",
    "whisper-json": "json",
    "podcast-json": "json",
}


def readings(data: bytes, format: str) -> tuple[Reference, Any] | None:
    """Return the core's reading and the program's; None for a file that the core refuses or takes for another format."""
    try:
        track = read_track(lock(data, f"captions.{FORMATS[format]}"))
    except CaptionError:
        return None
    if track.format != format:
        return None
    return Reference(track, "track"), CHECKER.Reading(data, track.encoding, format)


def passages(text: str, chance: random.Random) -> list[TextSpan]:
    """Return stretches of a text, most of them from one word's beginning to another's end."""
    found = []
    for _ in range(25 if text else 0):
        start = chance.randrange(len(text))
        end = min(len(text), start + chance.choice((1, 3, 6, 12, 25, 60)))
        while start and chance.random() < 0.9 and not text[start - 1].isspace():
            start -= 1
        while end < len(text) and chance.random() < 0.9 and not text[end].isspace():
            end += 1
        quote = text[start:end]
        start += len(quote) - len(quote.lstrip())
        span = TextSpan(start, start + len(quote.strip()))
        if any(map(str.isalnum, text[span.start : span.end])):
            found.append(span)
    return found


def by_the_program(reference: Reference, span: TextSpan, reading: Any) -> str:
    """Return why the program refuses a passage for which the core gives this evidence, "" where it passes it."""
    match = reference.match(span, 0)
    evidence = match.evidence
    claim: dict[str, Any] = {
        "claimed_ms": evidence.first_cue.start_ms,
        "claimed_end_ms": None,
        "text": reference.text[span.start : span.end],
        "classes": [],
        "source_words": "",
        "resolution": None,
        "match": {
            "bytes": [list(one) for one in evidence.bytes],
            "speakers": list(evidence.speakers),
            "before": match.before,
            "after": match.after,
            "cue_ms": list(evidence.first_cue),
            "last_cue_ms": list(evidence.last_cue),
            "offset_ms": 0,
        },
    }
    try:
        CHECKER.check_exact(claim, reading, None, 2000)
    except CHECKER.Refused as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_whole_for_the_core_passes_in_the_program_and_what_is_not_does_not(format: str) -> None:
    compared = 0
    for number in range(FILES):
        data = Soup(f"{format} {number}").file(format)
        both = readings(data, format)
        if both is None:
            continue
        reference, reading = both
        for span in passages(reference.text, random.Random(number)):
            why, flaw = by_the_program(reference, span, reading), reference.flaw(span)
            assert (why == "") == (flaw is None), (number, reference.text[span.start : span.end], flaw, why, data)
            compared += 1
    assert compared > FILES


SEEN = {
    "an unknown tag before a quotation": (
        "webvtt",
        "WEBVTT\n\n00:01.000 --> 00:04.000\n<font color=x>Mind</font> the <b>map</b>.\n",
    ),
    "numbered references to control characters": (
        "webvtt",
        "WEBVTT\n\n00:01.000 --> 00:04.000\nMind&#3; the&#xFFFE; map &#128;5.\n",
    ),
    "one reference for two characters": ("webvtt", "WEBVTT\n\n00:01.000 --> 00:04.000\nThe map &NotEqualTilde; the place.\n"),
    "an end tag that closes nothing": ("webvtt", "WEBVTT\n\n00:01.000 --> 00:04.000\n<v Tom><i>Mind</v> the</i> map.\n"),
    "a speaker with an escape": (
        "whisper-json",
        '{"segments":[{"start":1,"end":4,"text":" Mind the map.","speaker":"Jos\\u00e9"}]}',
    ),
    "a speaker by number": ("whisper-json", '{"segments":[{"start":1,"end":4,"text":" Mind the map.","speaker":7}]}'),
    "seconds as text": ("whisper-json", '{"segments":[{"start":"1.5s","end":"00:00:04.000","text":" Mind the map."}]}'),
    "an empty line in a cue": (
        "srt",
        "1\n00:00:01,000 --> 00:00:04,000\nMind\n\nthe map.\n\n2\n00:00:05,000 --> 00:00:06,000\nYes.\n",
    ),
    "a year before a timing line": (
        "srt",
        "1\n00:00:01,000 --> 00:00:04,000\nIt was\n1999\n00:00:05,000 --> 00:00:06,000\nYes.\n\n3\n00:00:07,000 --> 00:00:08,000\nNo.\n",
    ),
    "a line that is nearly a timing line": ("srt", "1\n00:00:01,000 --> 00:00:04,000\nMind\n00:00:01,5 -> 3\nthe map.\n"),
    "direction marks around a word": ("srt", "1\n00:00:01,000 --> 00:00:04,000\nMind \u200fשלום\u200f, the map\u200f.\n"),
    "readings over words": (
        "srv3",
        '<timedtext format="3"><head><pen id="1" rb="4"/></head><body><p t="1000" d="3000">Mind<s p="1">maind</s> the map.</p></body></timedtext>',
    ),
}


@pytest.mark.parametrize("name", SEEN)
def test_every_word_of_what_once_differed_is_read_alike(name: str) -> None:
    format, text = SEEN[name]
    both = readings(text.encode(), format)
    assert both is not None
    reference, reading = both
    words = reference.text.split(" ")
    at = 0
    for word in words:
        span = TextSpan(at, at + len(word))
        at = span.end + 1
        if any(map(str.isalnum, word)):
            assert (by_the_program(reference, span, reading) == "") == (reference.flaw(span) is None), word
