"""SubStation Alpha, SSA and ASS: one line a cue, its columns in the order that a `Format:` line gives.

`Dialogue:` lines are cues wherever they stand; `Comment:` lines, styles, fonts and all other sections are
metadata. The text is the rest of the line from its column on. In it `{…}` is markup, `\\N` and `\\n` end a
line, `\\h` is a no-break space, and what stands in drawing mode (`{\\p1}` up to `{\\p0}`) are coordinates,
not text. `\\k` in an override gives the time of the syllable after it. The Name column is the speaker.

Times are h:mm:ss.cc; hours have any number of digits, and a minus sign makes the whole time negative. A
`Dialogue:` line without times or without all its columns, and a line among the events that begins with
no known word, is unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from quoteview.core.captions.building import TrackBuilder
from quoteview.core.captions.scan import View
from quoteview.core.captions.track import CaptionFormat, Track
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind, How

_LINE = re.compile(rb"([^\r\n]*+)(\r\n|\n|\r|\Z)")
_SECTION = re.compile(rb"[ \t]*+\[([^\]\r\n]*+)\][ \t]*+\Z")
_KNOWN_SECTIONS = frozenset((b"script info", b"v4 styles", b"v4+ styles", b"v4++ styles", b"events"))
_WORD = re.compile(rb"[ \t]*+(dialogue|comment|format|picture|sound|movie|command|style)[ \t]*+:[ \t]*+", re.IGNORECASE)
_COLUMNS = (b"layer", b"start", b"end", b"style", b"name", b"marginl", b"marginr", b"marginv", b"effect", b"text")
"""The columns where no `Format:` line gives others; SSA has `Marked` for `Layer`, at the same place."""
_TIME = re.compile(rb"[ \t]*+((-?)([0-9]{1,9}):([0-9]{1,2}):([0-9]{1,2})(?:[.,:]([0-9]{1,3}))?)[ \t]*+\Z")
_TOKEN = re.compile(rb"\{([^}\r\n]*+)\}|\\[Nn]")
_LINE_BREAK = re.compile(rb"((?!))?\\[Nn]")  # its group never matches, as that of a line end in _TOKEN
_DRAWING = re.compile(rb"\\p([0-9]*+)(?![A-Za-z0-9(])")
_KARAOKE = re.compile(rb"\\(?:k[fo]?|K)([0-9]{1,9})")
_PLAIN_DIALOGUE = re.compile(rb"(?:^|[\r\n])[ \t]*+dialogue[ \t]*+:[^,\r\n]*+,[ \t]*+-?[0-9]+:[0-9]+:[0-9]+", re.IGNORECASE)
_FIRST_LINE = re.compile(rb"(?:[ \t]*+(?:[;!][^\r\n]*+)?[\r\n]++)*+([^\r\n]*+)")


class _Field(NamedTuple):
    """One column of a line, white space included."""

    start: int
    end: int


def recognises(view: View) -> bool:
    """Return whether the first line that is no comment opens a section of SubStation or is one of its events."""
    match = _FIRST_LINE.match(view.data, view.start)
    first = match[1] if match else b""
    section = _SECTION.match(first)
    if section and section[1].strip().lower() in _KNOWN_SECTIONS:
        return True
    return b"-->" not in first and _PLAIN_DIALOGUE.search(view.data, view.start) is not None


def read(view: View) -> Track:
    """Return the track. Raises `CaptionError` where there are no cues, only empty ones, or the last one is cut off."""
    return _Reader(view).track()


class _Reader:
    """Walks the lines once; keeps the section and the columns that the last `Format:` line among the events gave."""

    __slots__ = ("_among_events", "_builder", "_columns", "_data", "_view")

    def __init__(self, view: View) -> None:
        self._view = view
        self._data = view.data
        self._builder = TrackBuilder(view, CaptionFormat.SUBSTATION)
        self._columns: tuple[bytes, ...] = _COLUMNS
        self._among_events = False

    def track(self) -> Track:
        """Read the whole file."""
        data, builder = self._data, self._builder
        position, size = self._view.start, len(data)
        while position < size:
            line = _LINE.match(data, position)
            assert line
            start, end = line.span(1)
            if not line[1].strip(b" \t"):
                builder.entry(EntryKind.LAYOUT, start, end)
            elif not self._line(start, end, line[1]):
                if not line[2] and self._among_events:
                    self._refuse_cut(start, line[1])
                builder.entry(EntryKind.UNREAD, start, end, How.UNREAD)
            elif not line[2] and line[1].rfind(b"{") > line[1].rfind(b"}") and b"," in line[1]:
                raise self._cut_off(start)
            builder.entry(EntryKind.LAYOUT, *line.span(2))
            position = line.end()
        return builder.finish(gap=EntryKind.LAYOUT)

    def _line(self, start: int, end: int, line: bytes) -> bool:
        """Record one line that is not blank; return False where it is none that the format has."""
        word = _WORD.match(line)
        if word and word[1].lower() == b"dialogue":
            return self._dialogue(start, end, start + word.end())
        section = _SECTION.match(line)
        if section:
            self._among_events = section[1].strip().lower() == b"events"
        elif self._among_events:
            if word is None and not line.lstrip(b" \t").startswith((b";", b"!")):
                return False
            if word and word[1].lower() == b"format":
                self._format(line[word.end() :])
        self._builder.entry(EntryKind.METADATA, start, end)
        return True

    def _format(self, columns: bytes) -> None:
        names = tuple(name.strip().lower() for name in columns.split(b","))
        if {b"start", b"end", b"text"} <= set(names):
            self._columns = names[: names.index(b"text") + 1]
        else:
            self._columns = _COLUMNS

    def _dialogue(self, line_start: int, end: int, at: int) -> bool:
        data, builder = self._data, self._builder
        fields: dict[bytes, _Field] = {}
        for name in self._columns[:-1]:
            comma = data.find(b",", at, end)
            if comma < 0:
                return False
            fields[name] = _Field(at, comma)
            at = comma + 1
        start, stop = (_TIME.match(data[slice(*fields[name])]) for name in (b"start", b"end"))
        if start is None or stop is None:
            return False
        builder.begin_cue(_milliseconds(start), _milliseconds(stop))
        done = line_start
        for field, time in sorted(((fields[b"start"], start), (fields[b"end"], stop)), key=lambda pair: pair[0]):
            first, last = (field.start + offset for offset in time.span(1))
            builder.entry(EntryKind.MARKUP, done, first)
            builder.entry(EntryKind.TIMING, first, last)
            done = last
        builder.entry(EntryKind.MARKUP, done, at)
        speaker = fields.get(b"name", fields.get(b"actor"))
        builder.speak(self._view.shown(*speaker).strip() if speaker else None)
        self._text(at, end, _milliseconds(start))
        builder.end_cue()
        return True

    def _text(self, start: int, end: int, spoken_ms: int) -> None:
        data, builder = self._data, self._builder
        is_drawing = False
        at, held_ms = start, 0
        for token in _tokens(data, start, end):
            self._words(at, token.start(), is_drawing)
            at = token.end()
            builder.entry(EntryKind.MARKUP, *token.span())
            if token[1] is None:
                if not is_drawing:
                    builder.end_line()
                continue
            for scale in _DRAWING.findall(token[1]):
                is_drawing = scale.strip(b"0") != b""
            durations = _KARAOKE.findall(token[1])
            if durations:
                spoken_ms += held_ms + 10 * sum(map(int, durations[:-1]))
                held_ms = 10 * int(durations[-1])
                builder.word_time(at, spoken_ms)
        self._words(at, end, is_drawing)

    def _words(self, start: int, end: int, is_drawing: bool) -> None:
        if start >= end:
            return
        if is_drawing:
            self._builder.entry(EntryKind.MARKUP, start, end)
        else:
            self._builder.text(start, end, How.ESCAPE if self._data.find(b"\\h", start, end) >= 0 else How.LITERAL)

    def _refuse_cut(self, start: int, line: bytes) -> None:
        """A last line without a line end that is the beginning of an event was cut off."""
        word = _WORD.match(line)
        if (word and word[1].lower() == b"dialogue") or b"dialogue:".startswith(line.strip().lower()):
            raise self._cut_off(start)

    def _cut_off(self, start: int) -> CaptionError:
        return self._view.refuse(
            "it ends in the middle of a cue, the last line is cut off",
            start,
            remedy="Fetch or export the track again.",
            format=CaptionFormat.SUBSTATION,
        )


def _milliseconds(time: re.Match[bytes]) -> int:
    _, sign, hours, minutes, seconds, fraction = time.groups()
    ms = ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int((fraction or b"0").ljust(3, b"0"))
    return -ms if sign else ms


def _tokens(data: bytes, start: int, end: int) -> Iterator[re.Match[bytes]]:
    """Yield override blocks and line ends; behind the last `}` no end of a `{` is looked for, again and again for each."""
    last = max(start, data.rfind(b"}", start, end) + 1)
    yield from _TOKEN.finditer(data, start, last)
    yield from _LINE_BREAK.finditer(data, last, end)
