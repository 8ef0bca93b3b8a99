"""SBV, YouTube's own export: a line with both times, the text, an empty line.

`0:00:18.579,0:00:21.429` is the timing line. An empty cue is three line ends in a row. `[br]` ends a
line, as in SubViewer, whose bracketed header lines are metadata. References with a semicolon are decoded
once. A block without times is unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quoteview.core.captions.building import TrackBuilder
from quoteview.core.captions.decoding import reference_how
from quoteview.core.captions.scan import View
from quoteview.core.captions.track import CaptionFormat, Track
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind

_END = rb"(?>\r\n|\n|\r|\Z)"
_TIME = rb"([0-9]{1,9}):([0-5]?[0-9]):([0-5]?[0-9])\.([0-9]{1,3})"
_TIMING = re.compile(
    rb"(?:(?<=[\r\n])|(?<=\A\xef\xbb\xbf)|\A)[ \t]*+(" + _TIME + rb"[ \t]*+,[ \t]*+" + _TIME + rb")[ \t]*+" + _END
)
_FIRST = re.compile(rb"(?:[^\r\n]*+(?>\r\n|\n|\r)){0,40}?" + _TIMING.pattern)
_PAYLOAD = re.compile(rb"(?:[^\r\n]++" + _END + rb")*+")
_HEADER = re.compile(rb"(?:\s*+\[[^\]\r\n]*+\][^\r\n]*+" + _END + rb")++")
_BREAK = re.compile(rb"\[br\]", re.IGNORECASE)
_CUT_TAIL = re.compile(rb"[0-9]++:[0-9:.]*+(?:,[0-9:.]*+)?\Z")


def recognises(view: View) -> bool:
    """Return whether one of the first lines is a timing line of SBV."""
    return first_timing(view) is not None


def first_timing(view: View) -> int | None:
    """Return where the first timing line begins, None where none stands among the first lines."""
    first = _FIRST.match(view.data, view.start)
    return first.start(1) if first else None


def read(view: View) -> Track:
    """Return the track; raises `CaptionError` where there are no cues, or the last one is cut off."""
    builder = TrackBuilder(view, CaptionFormat.SBV)
    data = view.data
    position = view.start
    for timing, end in _stretches(view):
        if timing.start() > position:
            _before_first(view, builder, position, timing.start())
        fields = timing.groups()
        builder.begin_cue(_ms(*fields[1:5]), _ms(*fields[5:9]))
        builder.entry(EntryKind.TIMING, *timing.span(1))
        payload = _PAYLOAD.match(data, timing.end(), end)
        assert payload
        _payload(builder, payload.start(), payload[0])
        builder.end_cue()
        if end == len(data):
            _refuse_cut_tail(view, timing.end(), payload.end())
        builder.unread_blocks(payload.end(), end)
        position = end
    return builder.finish(gap=EntryKind.LAYOUT)


def _stretches(view: View) -> Iterator[tuple[re.Match[bytes], int]]:
    """Yield each timing line with the offset at which its stretch ends: the next timing line, or the file's end."""
    before: re.Match[bytes] | None = None
    for timing in _TIMING.finditer(view.data, view.start):
        if before is not None:
            yield before, timing.start()
        before = timing
    if before is not None:
        yield before, len(view.data)


def _ms(hours: bytes, minutes: bytes, seconds: bytes, fraction: bytes) -> int:
    return ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(fraction.ljust(3, b"0"))


def _before_first(view: View, builder: TrackBuilder, start: int, end: int) -> None:
    header = _HEADER.match(view.data, start, end)
    if header:
        builder.entry(EntryKind.METADATA, start, header.end())
        start = header.end()
    builder.unread_blocks(start, end)


def _payload(builder: TrackBuilder, start: int, raw: bytes) -> None:
    if not _BREAK.search(raw):
        builder.lines(start, raw)
        return
    for line in raw.splitlines(True):
        body = line.rstrip(b"\r\n")
        at = 0
        for mark in _BREAK.finditer(body):
            builder.text(start + at, start + mark.start(), reference_how(CaptionFormat.SBV, body[at : mark.start()]))
            builder.end_line()
            builder.entry(EntryKind.MARKUP, start + mark.start(), start + mark.end())
            at = mark.end()
        builder.text(start + at, start + len(body), reference_how(CaptionFormat.SBV, body[at:]))
        builder.end_line(start + len(body), start + len(line))
        start += len(line)


def _refuse_cut_tail(view: View, after_timing: int, tail_start: int) -> None:
    tail = view.data[tail_start:].strip(b"\r\n")
    is_cut = tail != b"" and view.data.endswith(tail) and _CUT_TAIL.match(tail) is not None
    if is_cut or after_timing == len(view.data):
        raise _cut_off(view, len(view.data) - len(tail))


def _cut_off(view: View, position: int) -> CaptionError:
    return view.refuse(
        "it ends in the middle of a cue", position, remedy="Fetch or export the track again.", format=CaptionFormat.SBV
    )
