"""Who speaks and when each word is spoken, told once more from the bytes, and held against the track.

No occurrence runs from one named speaker to another, so a voice that the bytes do not name could hide a border, or make
one. Each grammar tells the voice of every text entry (WebVTT's `v`, TTML's agents, SubStation's Name column, the name at
a head of text with times, a recogniser's nearest `speaker`) and the words' times (WebVTT's stamps, SubStation's `\\k`, spans
and `s` with times, `tOffsetMs`). A format that has neither allows neither. Of recognisers' words only the voices are told:
the times of their copies are for listening, and no verdict rests on them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field

from quoteview.core.auditing.decoders import decode_raw
from quoteview.core.auditing.sheet import MARKUP, TEXT, Sheet, shown
from quoteview.core.captions.track import CaptionFormat, Cue, WordTime
from quoteview.core.ledger import How

VTT_TAG = re.compile(
    rb"<(?:/(?P<end>c|i|b|u|v|lang|ruby|rt)"
    rb"|(?P<start>c|i|b|u|v|lang|ruby|rt)(?:\.[^ \t\n\r\f>]*)?(?:[ \t\n\r\f](?P<name>[^>]*))?)>"
)
VTT_STAMP = re.compile(rb"<(?:([0-9]+):)?([0-9]{2}):([0-9]{2})\.([0-9]{3})>")
_SPACES = re.compile(r"[ \t\n\f\r]+")
_UNREADABLE = re.compile("[\ufffd_?]+")

TimeAt = Callable[[int], int | None]
"""Takes a place in the sheet; returns when the word that begins there is spoken, None where no time stands."""


@dataclass(slots=True)
class Told:
    """What the bytes tell. `voices` by the place in the file where an entry of text begins; entries without a name are left out.

    `times` are all word times of a cue, in order; where `time_at` is given, it answers for each that the track has instead.
    """

    voices: dict[int, str] = field(default_factory=dict)
    times: dict[int, list[WordTime]] = field(default_factory=dict)
    time_at: TimeAt | None = None


def hold(sheet: Sheet, cues: tuple[Cue, ...], told: Told) -> None:
    """Hold every run's voice and every word's time to what the bytes tell."""
    voices, times = told.voices, told.times
    for cue in cues:
        for run in cue.runs:
            if (run.speaker is not None or voices) and run.how is not How.UNREAD:
                _hold_voice(sheet, cue, run.start, run.speaker, voices.get(run.start))
        if cue.word_times or times:
            if told.time_at is None:
                _hold_times(sheet, cue, list(cue.word_times), times.get(cue.index, []))
            else:
                _ask_times(sheet, cue, told.time_at)


def _hold_voice(sheet: Sheet, cue: Cue, place: int, used: str | None, told: str | None) -> None:
    if used == told:
        return
    if used and told and _UNREADABLE.sub("?", used) == _UNREADABLE.sub("?", told):
        return  # bytes of the name that nobody can read, shown in two ways
    by_bytes, by_track = (f"“{shown(name)}”" if name else "no one by name" for name in (told, used))
    sheet.defects.add(f"At byte {place}, cue {cue.index}: by the bytes {by_bytes} speaks, the track says {by_track}.")


def _hold_times(sheet: Sheet, cue: Cue, used: list[WordTime], told: list[WordTime]) -> None:
    if used == told:
        return
    at = next((n for n, (a, b) in enumerate(zip(used, told, strict=False)) if a != b), min(len(used), len(told)))
    by_track, by_bytes = (_time_in_words(times[at] if at < len(times) else None) for times in (used, told))
    sheet.defects.add(f"Cue {cue.index}, word time {at}: the bytes have {by_bytes}, the track has {by_track}.")


def _ask_times(sheet: Sheet, cue: Cue, time_at: TimeAt) -> None:
    for word in cue.word_times:
        told = time_at(sheet_place(sheet, word.start))
        if told != word.start_ms:
            by_bytes = "none there" if told is None else f"{told} ms"
            sheet.defects.add(f"Cue {cue.index}: the track has {_time_in_words(word)} for a word, the bytes have {by_bytes}.")


def _time_in_words(word: WordTime | None) -> str:
    return "none" if word is None else f"{word.start_ms} ms at byte {word.start}"


def file_place(sheet: Sheet, position: int) -> int:
    """Return the place in the file of a place in the sheet."""
    if sheet.file_ends is sheet.ends:
        return position
    index = sheet.at(position)
    if index == len(sheet.ends):
        return sheet.file_ends[-1]
    before = sheet.data[sheet.start(index) : position].decode("utf-8", "ignore")
    return sheet.file_start(index) + len(before.encode(sheet.encoding))


def sheet_place(sheet: Sheet, position: int) -> int:
    """Return the place in the sheet of a place in the file."""
    if sheet.file_ends is sheet.ends:
        return position
    index = bisect_right(sheet.file_ends, position)
    before = sheet.file[sheet.file_start(index) : position].decode(sheet.encoding, "ignore")
    return sheet.start(index) + len(before.encode("utf-8"))


def told_by_tags(sheet: Sheet) -> Told:
    """Return the voices and times of a WebVTT file, by its open tags and stamps."""
    told, data = Told(), sheet.data
    if b"<" not in data:
        return told
    open_tags: list[bytes] = []
    names: list[str] = []
    owner, start = -1, 0
    for index, (end, kind, cue) in enumerate(zip(sheet.ends, sheet.kinds, sheet.cues, strict=True)):
        if kind == MARKUP and data[start] == 0x3C:
            if cue != owner:
                open_tags, names, owner = [], [], cue
            if tag := VTT_TAG.fullmatch(data, start, end):
                follow(open_tags, tag)
                if tag["start"] == b"v":
                    text = decode_raw((tag["name"] or b"").decode("utf-8", "replace"), How.ENTITY, CaptionFormat.WEBVTT)
                    names.append(_SPACES.sub(" ", text).strip(" "))
                del names[open_tags.count(b"v") :]
            elif stamp := VTT_STAMP.fullmatch(data, start, end):
                hours, minutes, seconds, thousandths = (int(part or 0) for part in stamp.groups())
                moment = ((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths
                told.times.setdefault(cue, []).append(WordTime(sheet.file_ends[index], moment))
        elif kind == TEXT and names and cue == owner and names[-1]:
            told.voices[sheet.file_start(index)] = names[-1]
        start = end
    return told


def follow(open_tags: list[bytes], tag: re.Match[bytes]) -> None:
    """Open and close tags as WebVTT's tree does: what stands in an open `rt` is a reading, in an open `v` a voice's."""
    name, ends = tag["start"], tag["end"]
    if name is not None:
        if name != b"rt" or open_tags[-1:] == [b"ruby"]:
            open_tags.append(name)
    elif open_tags[-1:] == [ends]:
        open_tags.pop()
    elif ends == b"ruby" and open_tags[-1:] == [b"rt"]:
        del open_tags[-2:]
