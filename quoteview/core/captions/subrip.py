"""SubRip, which has no specification: read as players read it, and forgiving where files differ.

A cue is a timing line and the lines that follow up to an empty one or the next timing line. Times have
`.` or `,` before their fraction (a decimal fraction, so `,5` is 500 ms) or none, fields of one digit,
hours of any length or none, and a sign. Coordinates may stand behind them.

A line that is only a number, directly before a timing line, is the cue's number where an empty line (or
the file's beginning, or a line of spaces) stands before it. Without one it is the number where it counts
on from the number before, or where the whole file sets no empty lines; otherwise it is text.

Markup is `<i> <b> <u> <s> <font …>`, their ends, and `{\\…}`; any other `<` is text. References with a
semicolon are decoded once, as players show them. A block without times, and a line that looks like a
timing line and is none, are unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from quoteview.core.captions.building import PLAIN_LINES, TrackBuilder, setting_marks
from quoteview.core.captions.decoding import reference_how
from quoteview.core.captions.scan import View
from quoteview.core.captions.track import CaptionFormat, Track
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind

_END = rb"(?>\r\n|\n|\r|\Z)"  # atomic: half of CRLF is no line end
_TIME = rb"(-?)(?:([0-9]{1,9}):)?([0-5]?[0-9]):([0-5]?[0-9])(?:[.,]([0-9]{1,9}))?"
_TIMES = rb"(" + _TIME + rb"[ \t]*+-->[ \t]*+" + _TIME + rb")(?![0-9:.,])([^\r\n]*+)" + _END
_TIMING = re.compile(rb"[ \t]*+" + _TIMES)
# A line without an arrow; the quantifiers are possessive so that a line is never walked twice.
_FREE_LINE = rb"(?:[^\r\n-]++|-(?!->))++"
# What nearly every block is: a number, a timing line, lines without an arrow, and then an empty line or the file's end.
_CUE = re.compile(
    rb"(?:[ \t]*+([0-9]{1,9})[ \t]*+(?>\r\n|\n|\r))?+[ \t]*+"
    + _TIMES
    + rb"((?:"
    + _FREE_LINE
    + rb"(?>\r\n|\n|\r|\Z))*+)(?:[\r\n]++|\Z)"
)
_PLAIN_TIME = rb"([0-9]{2}):([0-5][0-9]):([0-5][0-9])[.,]([0-9]{3})"
_PLAIN_CUE = re.compile(
    rb"(?:([0-9]{1,9})(?>\r\n|\n|\r))?+("
    + _PLAIN_TIME
    + rb" --> "
    + _PLAIN_TIME
    + rb")(?![0-9:.,])([^\r\n]*+)(?>\r\n|\n|\r)"
    + PLAIN_LINES
)
_BLANK = re.compile(rb"[\r\n]++")
_LINE_END = re.compile(rb"\r\n|\n|\r|\Z")
_BLOCK = re.compile(rb"(?:[^\r\n]++" + _END + rb")++")
_NUMBER_LINE = re.compile(rb"[ \t]*+([0-9]{1,9})[ \t]*+(?>\r\n|\n|\r)")
_TAG = re.compile(rb"</?(?:i|b|u|s|font)(?:[ \t][^<>\r\n]*+)?>|\{\\[^{}\r\n]*+\}", re.IGNORECASE)
_LIKE_TIMING = re.compile(rb"[ \t]*+-?[0-9]++[:;.,][0-9:;., \t]*+-{1,3}+>")
# The end of a file that stops in a cue: its number, its timing line or a part of that.
_CUT = re.compile(
    rb"(?:[ \t]*+([0-9]{1,9})[ \t]*+" + _END + rb")?+(-?[0-9]++:[0-9:.,]*+[ \t]*+(?:-->[ \t]*+[0-9:.,]*+|-{0,2}))?+\Z"
)


_NO_NUMBER = -1


def recognises(view: View) -> bool:
    """Return whether a timing line of SubRip stands in the file."""
    return first_timing(view) is not None


def first_timing(view: View) -> int | None:
    """Return where the first timing line begins, None where there is none."""
    first = next(_timings(view.data, view.start, len(view.data)), None)
    return first.start(1) if first else None


def read(view: View) -> Track:
    """Return the track; raises `CaptionError` where there are no cues, or the last one is cut off."""
    return _Reading(view).track()


def _timings(data: bytes, start: int, end: int) -> Iterator[re.Match[bytes]]:
    """Yield the timing lines between two line starts, in order; each byte is looked at a fixed number of times."""
    while (arrow := data.find(b"-->", start, end)) >= 0:
        timing = _TIMING.match(data, _line_start(data, start, arrow), end)
        if timing:
            yield timing
            start = timing.end()
        else:
            line_end = _LINE_END.search(data, arrow, end)
            start = line_end.end() if line_end else end


def _line_start(data: bytes, start: int, position: int) -> int:
    return max(data.rfind(b"\n", start, position), data.rfind(b"\r", start, position), start - 1) + 1


def _last_number(data: bytes, start: int, end: int) -> re.Match[bytes] | None:
    """Return the last line of a stretch of whole lines if it is only a number."""
    if start == end:
        return None
    inside = end - (2 if data.endswith(b"\r\n", start, end) else 1)
    return _NUMBER_LINE.fullmatch(data, _line_start(data, start, inside), end)


def _ms(sign: bytes, hours: bytes | None, minutes: bytes, seconds: bytes, fraction: bytes | None) -> int:
    whole = ((int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)) * 1000
    moment = whole + int((fraction or b"0")[:3].ljust(3, b"0"))
    return -moment if sign else moment


class _Reading:
    """One pass over a file, block by block. `_number` is the number of the last cue, `_cue_blocks` counts blocks with a cue."""

    __slots__ = ("_builder", "_cue_blocks", "_number", "_view")

    def __init__(self, view: View) -> None:
        self._view = view
        self._builder = TrackBuilder(view, CaptionFormat.SUBRIP)
        self._number = _NO_NUMBER
        self._cue_blocks = 0

    def track(self) -> Track:
        """Read the whole file."""
        builder, data, size = self._builder, self._view.data, len(self._view.data)
        position = self._view.start
        while (after := builder.plain_cues(_PLAIN_CUE, position)) < size:
            if after > position:
                self._cue_blocks += 2  # at least one, and more will not be asked
                self._number = int(builder.last_identifier or _NO_NUMBER)
            if cue := _CUE.match(data, after):
                self._cue_blocks += 1
                self._cue(cue.span(1) if cue[1] else None, cue.span(2), cue.groups()[2:13], cue.start(14), cue[14])
                position = cue.end()
            elif blank := _BLANK.match(data, after):
                position = blank.end()
            else:
                block = _BLOCK.match(data, after)
                assert block
                position = block.end()
                self._block(block.start(), position)
        return builder.finish(gap=EntryKind.LAYOUT)

    def _cue(
        self, number: tuple[int, int] | None, timing: tuple[int, int], fields: Sequence[bytes], start: int, payload: bytes
    ) -> None:
        """Add a cue: `fields` are the five parts of each time and what follows them, `payload` are the lines from `start` on."""
        builder = self._builder
        identifier = self._view.data[number[0] : number[1]].decode("ascii") if number else ""
        self._number = int(identifier or _NO_NUMBER)
        if start + len(payload) == len(self._view.data):
            self._refuse_cut_payload(start, payload)
        builder.begin_cue(_ms(*fields[0:5]), _ms(*fields[5:10]), identifier)
        if number:
            builder.entry(EntryKind.METADATA, *number)
        builder.entry(EntryKind.TIMING, *timing)
        for mark_start, mark_end, kind in setting_marks(fields[10], timing[1]):
            builder.entry(kind, mark_start, mark_end)
        self._payload(start, payload)
        builder.end_cue()

    def _block(self, start: int, end: int) -> None:
        """Read lines without an empty one between them that are not one plain cue."""
        data, builder = self._view.data, self._builder
        timings = list(_timings(data, start, end))
        if not timings:
            self._refuse_cut_block(start, end)
            builder.unread_blocks(start, end)
            return
        self._cue_blocks += 1
        is_whole_file = self._cue_blocks == 1 and not data[end:].strip(b"\r\n")
        number = _last_number(data, start, timings[0].start())
        builder.unread_blocks(start, number.start() if number else timings[0].start())
        for timing, following in zip_longest(timings, timings[1:]):
            payload_start, payload_end, next_number = timing.end(), end, None
            if following:
                payload_end = following.start()
                next_number = _last_number(data, payload_start, payload_end)
                if next_number and _counts(next_number, number, data[payload_start : next_number.start()], is_whole_file):
                    payload_end = next_number.start()
                else:
                    next_number = None
            span = number.span(1) if number else None
            self._cue(span, timing.span(1), timing.groups()[1:], payload_start, data[payload_start:payload_end])
            number = next_number

    def _payload(self, start: int, raw: bytes) -> None:
        """Add a payload's lines, tags cut out."""
        builder = self._builder
        for line in raw.splitlines(True):
            end = start + len(line.rstrip(b"\r\n"))
            if _LIKE_TIMING.match(line):
                builder.unread(start, end)
            else:
                self._line(start, end)
            builder.end_line(end, start + len(line))
            start += len(line)

    def _line(self, start: int, end: int) -> None:
        builder, data = self._builder, self._view.data
        for tag in _TAG.finditer(data, start, end):
            builder.text(start, tag.start(), reference_how(CaptionFormat.SUBRIP, data[start : tag.start()]))
            builder.entry(EntryKind.MARKUP, *tag.span())
            start = tag.end()
        builder.text(start, end, reference_how(CaptionFormat.SUBRIP, data[start:end]))

    def _refuse_cut_payload(self, start: int, payload: bytes) -> None:
        """Refuse a file that ends with a timing line, or in the middle of one after a number that counts on."""
        if not payload:
            raise self._cut_off(start)
        cut = _CUT.match(b"\n".join(payload[-200:].splitlines()[-2:]))
        if cut and cut[1] and cut[2] and int(cut[1]) == self._number + 1 and not payload.endswith((b"\r", b"\n")):
            raise self._cut_off(start + len(payload))

    def _refuse_cut_block(self, start: int, end: int) -> None:
        """Refuse a file whose last block is the beginning of a cue."""
        if end < len(self._view.data) or end - start > 200:
            return
        block = self._view.data[start:end]
        cut = _CUT.match(block)
        if cut is None:
            return
        is_cut_line = cut[2] is not None and not block.endswith((b"\r", b"\n"))
        if is_cut_line or (cut[1] and self._number != _NO_NUMBER and int(cut[1]) == self._number + 1):
            raise self._cut_off(start)

    def _cut_off(self, position: int) -> CaptionError:
        return self._view.refuse(
            "it ends in the middle of a cue",
            position,
            remedy="Fetch or export the track again.",
            format=CaptionFormat.SUBRIP,
        )


def _counts(number: re.Match[bytes], own: re.Match[bytes] | None, before: bytes, is_whole_file: bool) -> bool:
    """Return whether a number without an empty line before it is the next cue's, and not the last line of what is said."""
    if own is not None and int(number[1]) == int(own[1]) + 1:
        return True
    lines = before.splitlines()
    if lines and not lines[-1].strip(b" \t"):
        return True
    return own is not None and is_whole_file and bool(lines)
