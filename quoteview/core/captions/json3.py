"""YouTube's json3: events with segments, words held once, with the time of each.

An event with `segs` is a cue: it starts at `tStartMs` and lasts `dDurationMs`; a segment's `tOffsetMs`
is a word's time. An event without `segs` opens a window and says nothing. An appended event (`aAppend`)
that holds only a line end is a break between two cues. `\\n` inside a segment ends a line.

Files as YouTube writes them are read with two anchored patterns, an event and a segment, which between
them match every byte of the list of events and so check its grammar as well. A file with anything else
in its events is read by the parser that keeps the place of every value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from quoteview.core.captions.building import TrackBuilder
from quoteview.core.captions.jsontext import Array, Document, Scalar, Text, Value, add_text, how_of, looks_like_json
from quoteview.core.captions.scan import View
from quoteview.core.captions.track import CaptionFormat, Track
from quoteview.core.joins import LAYOUT_CHARACTERS
from quoteview.core.ledger import EntryKind
from quoteview.core.spans import ByteSpan

_MEMBERS = r'\{ ~ (?: (?: %s | "(?! (?: %s ) " ) \w++" ~ : ~ INT (?: \. [0-9]{1,20}+ )? ) ~ (?: , ~ (?=") | (?=\}) ) )* \} ~'
_TEXT = r'"utf8" ~ : ~ "( [^"\\\x00-\x1f]*+ (?: \\ (?: ["\\/bfnrt] | u[0-9a-fA-F]{4} ) [^"\\\x00-\x1f]*+ )*+ )"'
_NEXT = r"(?: , ~ (?=\{) | (?=\]) )"
_SEG = _MEMBERS % (_TEXT + r' | "tOffsetMs" ~ : ~ ( INT )', "utf8 | tOffsetMs") + _NEXT
_EVENT_TIMES = r'"tStartMs" ~ : ~ ( INT ) | "dDurationMs" ~ : ~ ( INT ) | "aAppend" ~ : ~ ( INT )'
_UNCAPTURED = _SEG.replace('"( [', '"(?: [').replace("( INT", "(?: INT")
_EVENT_SEGS = r'"segs" ~ : ~ \[ ~ ( (?: SEG )* ) \]'.replace("SEG", _UNCAPTURED)
_EVENT = _MEMBERS % (f"{_EVENT_TIMES} | {_EVENT_SEGS}", "tStartMs | dDurationMs | aAppend | segs") + _NEXT


def _pattern(grammar: str) -> re.Pattern[bytes]:
    spelled = grammar.replace("~", r"[\x20\t\r\n]*+").replace("INT", "-? (?: 0 | [1-9][0-9]{0,14}+ )")
    return re.compile(spelled.encode("ascii"), re.VERBOSE)


_ONE_SEGMENT = _pattern(_SEG)
_ONE_EVENT = _pattern(_EVENT)
_EVENTS = _pattern(r'(?<!\\)"events" ~ : ~ \[ ~')


_Segment = tuple[int, int, int | None]
"""One seg: where its text begins and ends, and its `tOffsetMs`. A plain tuple, since a day of speech has a million."""


class _Event(NamedTuple):
    """One event with segs; `timing` are the bytes of its two times."""

    start_ms: int
    duration_ms: int | None
    timing: tuple[ByteSpan, ...]
    segments: list[_Segment]
    is_append: bool


def recognises(view: View) -> bool:
    """Return whether the view is YouTube's json3."""
    data = view.data
    return looks_like_json(view) and (b'"wireMagic"' in data or (b'"events"' in data and b'"tStartMs"' in data))


def read(view: View) -> Track:
    """Return the track. Raises `CaptionError` for broken JSON, no events, and only empty ones."""
    data = view.readable()
    builder = TrackBuilder(view, CaptionFormat.JSON3)
    events: Iterable[_Event] | None = _quickly(view, builder, data)
    for event in _slowly(view, builder) if events is None else events:
        _add(builder, data, event)
    return builder.finish(gap=EntryKind.MARKUP)


def _add(builder: TrackBuilder, data: bytes, event: _Event) -> None:
    start_ms, duration_ms, timing, segments, is_append = event
    if is_append and all(_is_blank(data[start:end]) for start, end, _ in segments):
        for start, end, _ in segments:
            builder.entry(EntryKind.LAYOUT, start, end, how_of(data, start, end))
        return
    has_words = len(segments) > 1 and (segments[1][2] is not None or any(segment[2] is not None for segment in segments))
    is_plain = duration_ms is not None and segments and data.find(b"\\", segments[0][0], segments[-1][1]) < 0
    if is_plain and builder.spoken_cue(start_ms, start_ms + (duration_ms or 0), timing, segments, timed=has_words):
        return
    builder.begin_cue(start_ms, None if duration_ms is None else start_ms + duration_ms)
    for start, end in timing:
        builder.entry(EntryKind.TIMING, start, end)
    text, word_time = builder.text, builder.word_time
    is_first = True
    for start, end, offset_ms in segments:
        if has_words and (offset_ms is not None or is_first):
            word_time(start + (data[start : start + 1] == b" "), start_ms + (offset_ms or 0))
        is_first = False
        if data.find(b"\\", start, end) < 0:
            text(start, end)
        else:
            add_text(builder, data, start, end)
    builder.end_cue()


def _is_blank(raw: bytes) -> bool:
    return not str(json.loads(b'"%b"' % raw)).strip(LAYOUT_CHARACTERS)


def _quickly(view: View, builder: TrackBuilder, data: bytes) -> list[_Event] | None:
    """Return the events of a file as YouTube writes it, None where it holds anything else."""
    first = _EVENTS.search(data, view.start)
    if first is None:
        return None
    events: list[_Event] = []
    at = first.end()
    while (match := _ONE_EVENT.match(data, at)) is not None:
        at = match.end()
        a, b = match.span(4)
        if a >= 0:
            segments: list[_Segment] = [
                (*seg.span(1), None if seg[2] is None else int(seg[2])) for seg in _ONE_SEGMENT.finditer(data, a, b + 1)
            ]
            if any(segment[0] < 0 for segment in segments):
                return None
            timing = tuple(ByteSpan(*match.span(group)) for group in (1, 2) if match[group] is not None)
            duration_ms = None if match[2] is None else int(match[2])
            events.append(_Event(int(match[1] or 0), duration_ms, timing, segments, match[3] not in (None, b"0")))
    if data.count(b'"utf8"', first.end(), at) != sum(len(event.segments) for event in events):
        return None  # a text that is repeated within its segment, and must not go unseen
    try:
        around = json.loads(data[view.start : first.end()].decode("utf-8") + data[at:].decode("utf-8"))
    except (ValueError, RecursionError):
        return None  # the slower parser names the place
    if not isinstance(around, dict) or around.get("events") != []:
        return None
    builder.entry(EntryKind.METADATA, view.start, first.end())
    builder.entry(EntryKind.METADATA, at, len(data))
    return events


def _slowly(view: View, builder: TrackBuilder) -> list[_Event]:
    """Return the events of any json3 file; the values that they do not use are metadata."""
    document = Document(view)
    listed = document.get(document.root, "events")
    if not isinstance(listed, Array):
        raise view.refuse("it has no list of events", view.start, remedy="Fetch the track again.", format=CaptionFormat.JSON3)
    events: list[_Event] = []
    used: set[int] = set()
    for entry in listed.values:
        segs = document.get(entry, "segs")
        if isinstance(segs, Array):
            event = _slow_event(document, entry, segs)
            events.append(event)
            used.update(start for start, _ in event.timing)
            used.update(segment[0] for segment in event.segments)
    for scalar in document.scalars():
        if scalar.start not in used:
            builder.entry(EntryKind.METADATA, scalar.start, scalar.end)
    return events


def _slow_event(document: Document, entry: Value, segs: Array) -> _Event:
    values = (document.get(entry, "tStartMs"), document.get(entry, "dDurationMs"))
    start_ms, duration_ms = (document.milliseconds(value, per_unit=1) for value in values)
    timing = tuple(
        ByteSpan(value.start, value.end)
        for value, ms in zip(values, (start_ms, duration_ms), strict=True)
        if ms is not None and isinstance(value, (Scalar, Text))
    )
    segments: list[_Segment] = [
        (text.start, text.end, document.milliseconds(document.get(seg, "tOffsetMs"), per_unit=1))
        for seg in segs.values
        if isinstance(text := document.get(seg, "utf8"), Text)
    ]
    return _Event(start_ms or 0, duration_ms, timing, segments, document.word(document.get(entry, "aAppend")) not in ("", "0"))
