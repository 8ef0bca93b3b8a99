"""Transcripts in plain text or Markdown whose paragraphs or lines begin with a time.

A head is a time at the beginning of a line, in brackets or bare, with an end or without, after a list or
heading sign and inside emphasis; a name may stand before it (`Name (00:01:02):`) or after it with a colon
(`[00:01:02] Name:`). The file's commonest way of writing heads is the one that counts; a time written in
another way is text. A cue lasts from its head to the next one and ends where the next begins, unless the
head says when. A name is a speaker where at least half of the heads have one in that place.

A file is such a transcript where at least two heads stand in it, at least half of its paragraphs or lines
have one, and the times do not run backwards as often as forwards. What stands before the first head is
metadata where it reads like a title (front matter, headings, short lines that end no sentence), else
unread; Markdown's headings and rules between cues are metadata too. References and emphasis stay as they
are: plain text has no markup.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

from quoteview.core.captions.building import TrackBuilder
from quoteview.core.captions.scan import View
from quoteview.core.captions.track import CaptionFormat, Track
from quoteview.core.ledger import EntryKind

_CLOCK = r"(?:[0-9]{1,4}:[0-5]?[0-9]|[0-9]{1,3}):[0-5][0-9](?:[.,][0-9]{1,9})?(?![0-9:]|[.,][0-9])"
_SECONDS = r"[0-9]{1,7}(?:\.[0-9]{1,20})?s?(?![0-9:.])"
_TO = r"[ \t]{0,4}(?:-->|-|\xe2\x80\x93|\xe2\x80\x94|\bto\b)[ \t]{0,4}"  # also the en and em dash in UTF-8
_BARE = rf"(?P<start>{_CLOCK})(?:{_TO}(?P<end>{_CLOCK}))?"
_TIME = rf"(?:{_BARE}|(?P<seconds>{_SECONDS}){_TO}(?P<seconds_end>{_SECONDS}))"
_LEAD = r"[ \t]{0,12}(?:(?:#{1,6}|[-*+])[ \t]{1,4}|>[ \t]{0,4}){0,2}"
_MARK = r"[*_`]{0,3}"
_OPEN = r"\\?(?P<bracket>[\[(])[*_`]{0,3}[ \t]{0,2}"
_CLOSE = r"[ \t]{0,2}[*_`]{0,3}\\?[\])](?:\([^()\s]{1,400}\))?[*_`]{0,3}"  # with a link's address
_OTHER = r"\x00-\x1f:;!?()\[\]{}<>*\"`|#\\/"
_NAME = rf"(?P<name>[A-Za-z\x80-\xff](?:[^{_OTHER}]{{0,58}}[^ ,_{_OTHER}])?)"

_FIRST = (
    re.compile(rf"{_LEAD}{_MARK}{_OPEN}{_TIME}{_CLOSE}[ \t]{{0,4}}(?:[:-](?=[ \t]))?{_MARK}".encode("ascii")),
    re.compile(rf"{_LEAD}{_MARK}{_BARE}{_MARK}(?:[ \t]{{0,4}}[:|-](?=[ \t]))?(?=[ \t]|\Z)".encode("ascii")),
)
"""Heads that begin with their time: in brackets, or bare."""
_NAMED = (
    re.compile(
        rf"{_LEAD}{_MARK}{_NAME}:?{_MARK}:?[ \t]{{0,4}}{_MARK}{_OPEN}{_TIME}{_CLOSE}[ \t]?:?{_MARK}(?=[ \t]|\Z)".encode("ascii")
    ),
    re.compile(rf"{_LEAD}{_MARK}{_NAME}:?{_MARK}[ \t]{{1,40}}{_MARK}{_BARE}{_MARK}[ \t]*+\Z".encode("ascii")),
)
"""Heads that begin with a name: the time in brackets, or bare at the end of the line."""
_COLON_NAME = re.compile(rf"[ \t]{{0,4}}{_MARK}{_NAME}{_MARK}[ \t]?:{_MARK}(?=[ \t]|\Z)".encode("ascii"))
_LINE = re.compile(rb"([^\r\n]*+)(\r\n|\n|\r|\Z)")
_HEADING = re.compile(rb"[ \t]{0,3}(?:#{1,6}(?:[ \t]|\Z)|(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*+\Z)")
_ENDS_SENTENCE = (".", "?", "!", "…", ",", ";")
_TITLE_LENGTH = 120
_MOST_WORDS = 6


class _Head(NamedTuple):
    """A head of a line, in view offsets. Text begins at `after_name`, or at `after_time` where names are no speakers."""

    style: str
    start_ms: int
    end_ms: int | None
    time: tuple[int, int]
    name: tuple[int, int] | None
    after_time: int
    after_name: int


class _Lines(NamedTuple):
    """All lines as (start, end, end with line end), and the heads of the commonest style by line number."""

    lines: list[tuple[int, int, int]]
    heads: dict[int, _Head]
    named: bool


def recognises(view: View) -> bool:
    """Return whether at least two and most paragraphs or lines begin with a time."""
    found = _found(view)
    heads = list(found.heads.values())
    if len(heads) < 2:
        return False
    forwards = sum(1 for before, after in pairwise(heads) if after.start_ms >= before.start_ms)
    if forwards * 2 < len(heads) - 1:
        return False
    data = view.data
    first = min(found.heads)
    is_blank = [not data[start:end].strip() for start, end, _ in found.lines[first:]]
    lines = is_blank.count(False)
    paragraphs = sum(1 for before, blank in zip([True, *is_blank], is_blank, strict=False) if before and not blank)
    return len(heads) * 2 >= (paragraphs if paragraphs >= len(heads) else lines)


def read(view: View) -> Track:
    """Return the track; raises `CaptionError` where no cue has text."""
    found = _found(view)
    builder = TrackBuilder(view, CaptionFormat.PLAIN_TIMED)
    order = sorted(found.heads)
    _title(view, builder, found.lines[: order[0]] if order else found.lines)
    for position, number in enumerate(order):
        head = found.heads[number]
        after = order[position + 1] if position + 1 < len(order) else len(found.lines)
        end_ms = head.end_ms
        if end_ms is None and after < len(found.lines):
            end_ms = max(head.start_ms, found.heads[after].start_ms)
        builder.begin_cue(head.start_ms, end_ms)
        _head(view, builder, head, found.lines[number], is_named=found.named)
        for start, end, whole in found.lines[number + 1 : after]:
            if start == end:
                continue
            if _HEADING.match(view.data, start, end):
                builder.entry(EntryKind.METADATA, start, end)
            else:
                builder.text(start, end)
            builder.end_line(end, whole)
        builder.end_cue()
    return builder.finish(gap=EntryKind.LAYOUT)


def _found(view: View) -> _Lines:
    lines = [
        (line.start(), line.end(1), line.end()) for line in _LINE.finditer(view.data, view.start) if line.end() > line.start()
    ]
    heads: dict[int, _Head] = {}
    for number, (start, end, _) in enumerate(lines):
        head = _head_of(view.data, start, end)
        if head is not None:
            heads[number] = head
    styles = Counter(head.style for head in heads.values())
    if not styles:
        return _Lines(lines, {}, False)
    style = styles.most_common(1)[0][0]
    heads = {number: head for number, head in heads.items() if head.style == style}
    named = sum(1 for head in heads.values() if head.name is not None)
    return _Lines(lines, heads, named * 2 >= len(heads))


def _head_of(data: bytes, start: int, end: int) -> _Head | None:
    """Return the head that a line begins with. No head is longer than 1,000 bytes."""
    line = data[start : min(end, start + 1000)]
    if b":" not in line and b" - " not in line:
        return None
    for pattern in _FIRST:
        if match := pattern.match(line):
            name = _COLON_NAME.match(line, match.end())
            if name and _is_name(name["name"]):
                return _made(start, match, "time first", name.span("name"), name.end())
            return _made(start, match, "time first", None, match.end())
    for pattern in _NAMED:
        if (match := pattern.match(line)) and _is_name(match["name"]):
            return _made(start, match, "name first", match.span("name"), match.end())
    return None


def _made(start: int, match: re.Match[bytes], style: str, name: tuple[int, int] | None, text: int) -> _Head:
    fields = match.groupdict()
    if fields["start"] is not None:
        first, last = "start", "end" if fields["end"] is not None else "start"
        start_ms, end_ms = _clock_ms(fields[first]), _clock_ms(fields[last]) if last == "end" else None
    else:
        first, last = "seconds", "seconds_end"
        start_ms, end_ms = _seconds_ms(fields[first]), _seconds_ms(fields[last])
    bracket = fields.get("bracket") or b""
    return _Head(
        f"{style} {bracket.decode('ascii')}",
        start_ms,
        end_ms,
        (start + match.start(first), start + match.end(last)),
        (start + name[0], start + name[1]) if name else None,
        start + match.end(),
        start + text,
    )


def _clock_ms(clock: bytes) -> int:
    whole, _, fraction = clock.replace(b",", b".").partition(b".")
    total = 0
    for field in whole.split(b":"):
        total = total * 60 + int(field)
    return total * 1000 + int(fraction[:3].ljust(3, b"0"))


def _seconds_ms(seconds: bytes) -> int:
    """Return decimal seconds as milliseconds, rounded to the nearest."""
    whole, _, fraction = seconds.rstrip(b"s").partition(b".")
    digits = fraction[:4].ljust(4, b"0")
    return int(whole) * 1000 + int(digits[:3]) + (digits[3:] >= b"5")


def _is_name(name: bytes) -> bool:
    return len(name.split()) <= _MOST_WORDS and b". " not in name.replace(b"r. ", b"").replace(b"s. ", b"")


def _title(view: View, builder: TrackBuilder, lines: list[tuple[int, int, int]]) -> None:
    """What stands before the first head: titles are metadata, sentences are unread."""
    in_front_matter = False
    for number, (start, end, _) in enumerate(lines):
        line = view.shown(start, end).strip()
        is_fence = line in ("---", "+++")
        if is_fence:
            in_front_matter = number == 0
        is_title = line != "" and len(line) <= _TITLE_LENGTH and not line.endswith(_ENDS_SENTENCE)
        if is_fence or in_front_matter or is_title or _HEADING.match(view.data, start, end):
            builder.entry(EntryKind.METADATA, start, end)
        else:
            builder.unread_blocks(start, end)


def _head(view: View, builder: TrackBuilder, head: _Head, line: tuple[int, int, int], *, is_named: bool) -> None:
    """Record a head: time, the name where names are speakers, and the signs around them as markup; then the line's text."""
    start, end, whole = line
    builder.entry(EntryKind.TIMING, *head.time)
    marks = [head.time]
    text = head.after_time
    if head.name is not None and is_named:
        builder.speak(view.shown(*head.name).strip())
        builder.entry(EntryKind.METADATA, *head.name)
        marks.append(head.name)
        text = head.after_name
    at = start
    for mark_start, mark_end in sorted(marks):
        builder.entry(EntryKind.MARKUP, at, mark_start)
        at = mark_end
    builder.entry(EntryKind.MARKUP, at, text)
    builder.text(text, end)
    builder.end_line(end, whole)
