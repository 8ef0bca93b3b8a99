"""YouTube's json3: events with segments, words held once, with the time of each.

An event with `segs` is a cue: it starts at `tStartMs` and lasts `dDurationMs`; a segment's `tOffsetMs`
is a word's time. An event without `segs` opens a window and says nothing. An appended event (`aAppend`)
that holds only a line end is a break between two cues. `\\n` inside a segment ends a line.

The file is parsed by the standard library, and the places of the four keys that matter are found by
one pattern; the two must tell the same story, value for value. Where they do not (escaped or repeated
keys, other strings in an event), the slower parser that keeps every place reads the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from quoteview.core.captions.building import TrackBuilder
from quoteview.core.captions.jsontext import Array, Document, Object, Scalar, Text, Value, add_text, how_of, looks_like_json
from quoteview.core.captions.scan import View
from quoteview.core.captions.track import CaptionFormat, Track
from quoteview.core.joins import LAYOUT_CHARACTERS
from quoteview.core.ledger import EntryKind
from quoteview.core.spans import ByteSpan

_PAIR = re.compile(
    rb'(?<!\\)"(tStartMs|dDurationMs|utf8|tOffsetMs)"[ \t\r\n]*+:[ \t\r\n]*+'
    rb'(?:"([^"\\]*+(?:\\.[^"\\]*+)*+)"|(-?[0-9]{1,15}+)(?![0-9.eE]))',
    re.DOTALL,
)
_EVENTS = re.compile(rb'(?<!\\)"events"[ \t\r\n]*+:[ \t\r\n]*+\[')
_NUMBERS = frozenset(("tStartMs", "dDurationMs", "tOffsetMs"))


class _Segment(NamedTuple):
    """One seg: its text's bytes, whether it shows anything, and its `tOffsetMs`."""

    start: int
    end: int
    is_blank: bool
    offset_ms: int | None


class _Event(NamedTuple):
    """One event with segs; `timing` are the bytes of the two times."""

    start_ms: int
    duration_ms: int | None
    timing: list[ByteSpan]
    segments: list[_Segment]
    is_append: bool


class _Differs(Exception):
    """The pattern and the parser do not tell the same story."""


def recognises(view: View) -> bool:
    """Return whether the view is YouTube's json3."""
    data = view.data
    return looks_like_json(view) and (b'"wireMagic"' in data or (b'"events"' in data and b'"tStartMs"' in data))


def read(view: View) -> Track:
    """Return the track. Raises `CaptionError` for broken JSON, no events, and only empty ones."""
    builder = TrackBuilder(view, CaptionFormat.JSON3)
    data = view.readable()
    try:
        head, events = _quickly(view, data)
        builder.entry(EntryKind.METADATA, view.start, head)
    except _Differs:
        events = _slowly(view, builder)
    for event in events:
        _add(builder, data, event)
    return builder.finish(gap=EntryKind.MARKUP)


def _add(builder: TrackBuilder, data: bytes, event: _Event) -> None:
    if event.is_append and all(segment.is_blank for segment in event.segments):
        for segment in event.segments:
            builder.entry(EntryKind.LAYOUT, segment.start, segment.end, how_of(data, segment.start, segment.end))
        return
    start_ms = event.start_ms
    builder.begin_cue(start_ms, None if event.duration_ms is None else start_ms + event.duration_ms)
    for start, end in event.timing:
        builder.entry(EntryKind.TIMING, start, end)
    has_words = any(segment.offset_ms is not None for segment in event.segments)
    for index, (start, end, _, offset_ms) in enumerate(event.segments):
        if has_words and (offset_ms is not None or index == 0):
            leading = 1 if data[start : start + 1] == b" " else 0
            builder.word_time(start + leading, start_ms + (offset_ms or 0))
        add_text(builder, data, start, end)
    builder.end_cue()


def _quickly(view: View, data: bytes) -> tuple[int, list[_Event]]:
    """Return where the events begin and the events, from parser and pattern together; raises `_Differs`."""
    try:
        document = json.loads(data[view.start :].decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise _Differs from error  # the slower parser names the place
    first = _EVENTS.search(data, view.start)
    if first is None or not isinstance(document, dict) or next(reversed(document), "") != "events":
        raise _Differs
    pairs = _PAIR.finditer(data, view.start)
    events = [event for entry in document["events"] if (event := _event(entry, pairs)) is not None]
    if next(pairs, None) is not None:
        raise _Differs
    return first.end(), events


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _event(entry: object, pairs: Iterator[re.Match[bytes]]) -> _Event | None:
    if not isinstance(entry, dict):
        raise _Differs
    start_ms, duration_ms, segments, timing = 0, None, None, []
    for key, value in entry.items():
        if key == "segs":
            if not isinstance(value, list):
                raise _Differs
            segments = [_segment(seg, pairs) for seg in value]
        elif key in _NUMBERS:
            pair = next(pairs, None)
            if pair is None or pair[3] is None or pair[1].decode() != key or type(value) is not int or int(pair[3]) != value:
                raise _Differs
            if key == "tStartMs":
                start_ms = value
            else:
                duration_ms = value
            timing.append(ByteSpan(*pair.span(3)))
        elif type(value) is not int:
            raise _Differs
    if segments is None:
        return None
    return _Event(start_ms, duration_ms, timing, segments, bool(entry.get("aAppend")))


def _segment(seg: object, pairs: Iterator[re.Match[bytes]]) -> _Segment:
    if not isinstance(seg, dict) or "utf8" not in seg:
        raise _Differs
    start = end = 0
    offset_ms = None
    for key, value in seg.items():
        if key == "utf8":
            pair = next(pairs, None)
            if pair is None or pair[1] != b"utf8" or pair[2] is None or type(value) is not str:
                raise _Differs
            start, end = pair.span(2)
            if b"\\" not in pair[2] and pair[2].decode() != value:
                raise _Differs
        elif key == "tOffsetMs":
            pair = next(pairs, None)
            if pair is None or pair[1] != b"tOffsetMs" or pair[3] is None or type(value) is not int or int(pair[3]) != value:
                raise _Differs
            offset_ms = value
        elif type(value) is not int:
            raise _Differs
    return _Segment(start, end, not seg["utf8"].strip(LAYOUT_CHARACTERS), offset_ms)


def _slowly(view: View, builder: TrackBuilder) -> list[_Event]:
    """Return the events with the parser that keeps every place; what they do not use is metadata."""
    document = Document(view)
    listed = document.get(document.root, "events")
    if not isinstance(listed, Array):
        raise view.refuse("it has no list of events", view.start, remedy="Fetch the track again.", format=CaptionFormat.JSON3)
    events: list[_Event] = []
    used: set[int] = set()
    for entry in listed.values:
        segs = document.get(entry, "segs")
        if isinstance(segs, Array):
            events.append(_slow_event(document, entry, segs))
            used.update(start for start, _ in events[-1].timing)
            used.update(segment.start for segment in events[-1].segments)
    for scalar in document.scalars():
        if scalar.start not in used:
            builder.entry(EntryKind.METADATA, scalar.start, scalar.end)
    return events


def _slow_event(document: Document, entry: Value, segs: Array) -> _Event:
    times = [document.get(entry, "tStartMs"), document.get(entry, "dDurationMs")]
    start_ms, duration_ms = (document.milliseconds(value, per_unit=1) for value in times)
    timing = [
        ByteSpan(value.start, value.end)
        for value, ms in zip(times, (start_ms, duration_ms), strict=True)
        if ms is not None and isinstance(value, (Scalar, Text))
    ]
    segments = []
    for seg in segs.values:
        text = document.get(seg, "utf8")
        if isinstance(seg, Object) and isinstance(text, Text):
            is_blank = not (document.string(text) or "").strip(LAYOUT_CHARACTERS)
            offset_ms = document.milliseconds(document.get(seg, "tOffsetMs"), per_unit=1)
            segments.append(_Segment(text.start, text.end, is_blank, offset_ms))
    return _Event(start_ms or 0, duration_ms, timing, segments, document.word(document.get(entry, "aAppend")) not in ("", "0"))
