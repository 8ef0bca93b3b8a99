"""What every recogniser's JSON comes down to: passages of text with times, words, and further copies of the text.

`Transcript` is the common form that the shapes of `recogniser_shapes` are brought into. All places are
view offsets of values in the file; nothing here holds a character that the file does not.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from quoteview.core.captions.jsontext import Array, Document, Object, Scalar, Text, Value, milliseconds
from quoteview.core.captions.track import CaptionFormat
from quoteview.core.spans import ByteSpan


class Moment(NamedTuple):
    """A time in milliseconds and the bytes that it was read from."""

    ms: int
    spans: tuple[ByteSpan, ...]


class Word(NamedTuple):
    """One word, or a mark of punctuation that continues the word before (`is_glued`).

    `forms` are other writings of the same word beside it, such as the one without punctuation.
    """

    text: Text
    start: Moment | None = None
    end: Moment | None = None
    speaker: str | None = None
    is_glued: bool = False
    forms: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """What becomes one cue: a string with its words beside it, or, with `text` None, the words themselves."""

    text: Text | None
    start: Moment | None
    end: Moment | None
    speaker: str | None = None
    words: tuple[Word, ...] = ()


@dataclass(slots=True)
class Transcript:
    """One file: its passages in the order of the file, and where it holds their text again.

    `copies` are sequences of words or strings that follow the text from its beginning to its end.
    `unchecked` is true where copies cannot be held against the text (two channels side by side).
    """

    format: CaptionFormat
    language: str = ""
    passages: list[Passage] = field(default_factory=list)
    copies: list[list[Word]] = field(default_factory=list)
    unchecked: bool = False


def moment(document: Document, value: Value | None, *, per_unit: int = 1000) -> Moment | None:
    """Return a time: a number, a string with one (`"13.03"`, `"13.03s"`), a clock time, or seconds and nanos."""
    if isinstance(value, (Text, Scalar)):
        ms = document.milliseconds(value, per_unit=per_unit)
        if ms is None and isinstance(value, Text):
            ms = clock_ms(document.data[value.start : value.end])
        return None if ms is None else Moment(ms, (ByteSpan(value.start, value.end),))
    seconds = document.get(value, "seconds")
    nanos = document.get(value, "nanos")
    parts = [part for part in (seconds, nanos) if isinstance(part, (Text, Scalar))]
    if not parts:
        return None
    whole = document.milliseconds(seconds) if seconds is not None else 0
    rest = document.milliseconds(nanos, per_unit=1) if nanos is not None else 0
    if whole is None or rest is None:
        return None
    return Moment(whole + (rest + 500_000) // 1_000_000, tuple(ByteSpan(part.start, part.end) for part in parts))


def later(start: Moment | None, duration: Moment | None) -> Moment | None:
    """Return start plus duration."""
    return None if start is None or duration is None else Moment(start.ms + duration.ms, start.spans + duration.spans)


def clock_ms(raw: bytes) -> int | None:
    """Return `1:02`, `62:03`, `1:02:03` or `00:00:12.340` (or with a comma) in milliseconds, None for anything else."""
    if len(raw) > 20:
        return None
    parts = raw.replace(b",", b".").split(b":")
    if not 2 <= len(parts) <= 3 or not all(part.isdigit() for part in parts[:-1]):
        return None
    rest = milliseconds(parts[-1], 1000)
    if rest is None or rest < 0 or rest >= 60_000 or (len(parts) == 3 and int(parts[1]) > 59):
        return None
    minutes = int(parts[0]) if len(parts) == 2 else int(parts[0]) * 60 + int(parts[1])
    return minutes * 60_000 + rest


def seconds_of(words: tuple[Word, ...]) -> tuple[Moment | None, Moment | None]:
    """Return when the first timed word starts and the last timed one ends."""
    start = next((word.start for word in words if word.start is not None), None)
    end = next((word.end for word in reversed(words) if word.end is not None), None)
    return start, end


def words_of(
    document: Document,
    listed: Iterable[Value],
    *keys: str,
    per_unit: int = 1000,
    spoken: Callable[[Moment | None], str | None] | None = None,
) -> tuple[Word, ...]:
    """Return the words of a list of objects; the first key that a word has is its text, the others its other forms."""
    found = []
    for entry in listed:
        writings = [value for key in keys if isinstance(value := document.get(entry, key), Text)]
        if writings:
            start, end = _word_bounds(document, entry, per_unit)
            speaker = name_of(
                document, document.get(entry, "speaker", "speakerLabel", "speaker_label", "speakerTag", "speaker_tag")
            )
            if spoken is not None:
                speaker = spoken(start)
            found.append(Word(writings[0], start, end, speaker, False, tuple(writings[1:])))
    return tuple(found)


def _word_bounds(document: Document, entry: Value, per_unit: int) -> tuple[Moment | None, Moment | None]:
    offsets, stamp = document.get(entry, "offsets"), document.get(entry, "timestamp")
    if isinstance(offsets, Object):
        return moment(document, document.get(offsets, "from"), per_unit=1), moment(
            document, document.get(offsets, "to"), per_unit=1
        )
    if isinstance(stamp, Array):
        first, last = [*stamp.values, None, None][:2]
        return moment(document, first), moment(document, last)
    start = document.get(entry, "start", "startTime", "start_time", "startOffset", "start_offset")
    end = document.get(entry, "end", "endTime", "end_time", "endOffset", "end_offset")
    return moment(document, start, per_unit=per_unit), moment(document, end, per_unit=per_unit)


def turns_of(document: Document, listed: Iterable[Value], start_key: str, name_key: str) -> Callable[[Moment | None], str | None]:
    """Return a function from a time to who speaks then, by a list of turns with start, duration and name."""
    turns = []
    for turn in listed:
        start = moment(document, document.get(turn, start_key))
        end = later(start, moment(document, document.get(turn, "duration")))
        name = document.get(turn, name_key)
        if start is not None and end is not None:
            turns.append((start.ms, end.ms, name_of(document, document.get(name, "@id") if isinstance(name, Object) else name)))
    turns.sort(key=lambda turn: turn[:2])
    starts = [turn[0] for turn in turns]

    def speaker_at(time: Moment | None) -> str | None:
        at = bisect_right(starts, time.ms) - 1 if time is not None else -1
        return turns[at][2] if at >= 0 and time is not None and time.ms < turns[at][1] else None

    return speaker_at


def first_of(values: list[Value]) -> Value | None:
    """Return the first value of a list, None of an empty one."""
    return values[0] if values else None


def name_of(document: Document, value: Value | None) -> str | None:
    """Return a speaker as the file names it, None where it does not."""
    return document.word(value) or None
