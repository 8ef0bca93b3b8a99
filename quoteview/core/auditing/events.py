"""The audit's grammar of SubStation: which columns a `Dialogue:` line has, and what in its text is no text.

Each line is cut into columns once more. Times must stand in their columns and be the cue's, text must lie
behind the last comma that divides columns, and everything else there must be an override in braces, a
line end, or a drawing. Other lines hold no text; among the events only those with a known word are metadata.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from quoteview.core.auditing.lines import check_times, milliseconds
from quoteview.core.auditing.sheet import LAYOUT, MARKUP, METADATA, REPEAT, TEXT, TIMING, UNREAD, Sheet
from quoteview.core.auditing.voices import Told, file_place, hold
from quoteview.core.captions.track import Cue, WordTime

_LINES = re.compile(rb"[^\r\n]+")
_KEYWORD = re.compile(rb"\s*([A-Za-z]+)\s*:\s*")
_SECTION = re.compile(rb"\s*\[([^\]]*)\]\s*")
_CLOCK = re.compile(rb"\s*(-?)([0-9]+):([0-9]{1,2}):([0-9]{1,2})(?:[.,:]([0-9]{1,3}))?\s*")
_USUAL = [b"layer", b"start", b"end", b"style", b"name", b"marginl", b"marginr", b"marginv", b"effect", b"text"]
_OTHER_EVENTS = frozenset((b"comment", b"format", b"picture", b"sound", b"movie", b"command", b"style"))
_MARKS = re.compile(rb"(\{[^}]*\})|\\[Nn]")
_SYLLABLE = re.compile(rb"\\(?:kf|ko|k|K)([0-9]{1,9})")
_SCALE = re.compile(rb"\\p([0-9]*)(?![A-Za-z0-9(])")


def check_substation(sheet: Sheet, cues: tuple[Cue, ...]) -> None:
    """Hold the ledger of an SSA or ASS file to the format's grammar."""
    data = sheet.data
    columns, among_events, opened = _USUAL, False, 0
    told = Told()
    for line in _LINES.finditer(data, 3 if data.startswith(b"\xef\xbb\xbf") else 0):
        raw = line[0]
        keyword = _KEYWORD.match(raw)
        word = keyword[1].lower() if keyword else b""
        section = _SECTION.fullmatch(raw)
        if word == b"dialogue" and keyword:
            opened += _check_event(sheet, cues, line.start(), raw, keyword.end(), columns, opened, told)
            continue
        if section:
            among_events = section[1].strip().lower() == b"events"
        elif among_events and word == b"format" and keyword:
            columns = [name.strip().lower() for name in raw[keyword.end() :].split(b",")]
            columns = columns if {b"start", b"end", b"text"} <= set(columns) else _USUAL
        is_declared = section or not among_events or word in _OTHER_EVENTS or raw.lstrip()[:1] in (b";", b"!")
        for index in _entries(sheet, line.start(), line.end()):
            kind = sheet.kinds[index]
            if kind in (TEXT, REPEAT, TIMING, MARKUP) or (kind == METADATA and not is_declared):
                sheet.defect(index, "it stands on a line that is no event and declares nothing of that kind")
    if opened != len(cues):
        sheet.defects.add(f"The track has {len(cues)} cues, but {opened} events have times and are read.")
    hold(sheet, cues, told)


def _entries(sheet: Sheet, start: int, end: int) -> range:
    return range(sheet.at(start), sheet.at(end - 1) + 1)


def _check_event(
    sheet: Sheet, cues: tuple[Cue, ...], start: int, raw: bytes, at: int, columns: list[bytes], opened: int, told: Told
) -> int:
    """Hold one `Dialogue:` line to its grammar; return 1 where it is read as a cue, 0 where it is unread as a whole."""
    indices = _entries(sheet, start, start + len(raw))
    kinds = [sheet.kinds[index] for index in indices]
    if all(kind in (UNREAD, LAYOUT) for kind in kinds):
        return 0
    count = columns.index(b"text")
    fields = raw[at:].split(b",", count)
    times = [_ms(fields[columns.index(name)]) for name in (b"start", b"end")] if len(fields) > count else [None]
    if METADATA in kinds or None in times or opened >= len(cues):
        sheet.defect(indices[0], f"this event is not cue {opened}")
        return 1
    check_times(sheet, indices[0], cues[opened], *(time for time in times if time is not None))
    text_start = start + len(raw) - len(fields[count])
    places = {}
    for name, field in zip(columns, fields, strict=False):
        places[name] = (start + at, start + at + len(field))
        at += len(field) + 1
    text = raw[text_start - start :]
    _tell_syllables(sheet, told, opened, cues[opened].time.start_ms, text, text_start)
    voice = next((fields[columns.index(name)] for name in (b"name", b"actor") if name in columns[:count]), b"")
    allowed = _not_text(text, text_start)
    for index, kind in zip(indices, kinds, strict=True):
        first, last = sheet.start(index), sheet.ends[index]
        if sheet.cues[index] not in (opened, -1) or (kind in (TEXT, REPEAT) and sheet.cues[index] != opened):
            sheet.defect(index, f"it is given to cue {sheet.cues[index]}, but stands in event {opened}")
        if kind == TEXT and voice.strip():
            told.voices[sheet.file_start(index)] = voice.decode("utf-8", "replace").strip()
        if kind == TIMING:
            if not any(a <= first and last <= b for a, b in (places[b"start"], places[b"end"])):
                sheet.defect(index, "it does not stand in a column of times")
        elif first < text_start:
            if kind in (TEXT, REPEAT) or last > text_start:
                sheet.defect(index, "the columns before the text hold no text")
        elif kind == MARKUP and last > _reach(allowed, first):
            sheet.defect(index, "it is no override, line end or drawing")
        elif kind in (TEXT, REPEAT) and _reach(allowed, last - 1) > first:
            sheet.defect(index, "an override, line end or drawing is entered as text")
    return 1


def _tell_syllables(sheet: Sheet, told: Told, cue: int, start_ms: int, text: bytes, at: int) -> None:
    """Note when the text behind each override with a `\\k` is spoken: as many hundredths later as those before it last."""
    spoken_ms = start_ms
    for override in _MARKS.finditer(text):
        lengths = [10 * int(length) for length in _SYLLABLE.findall(override[1] or b"")]
        if lengths:
            place = file_place(sheet, at + override.end())
            told.times.setdefault(cue, []).append(WordTime(place, spoken_ms + sum(lengths[:-1])))
            spoken_ms += sum(lengths)


def _ms(field: bytes) -> int | None:
    clock = _CLOCK.fullmatch(field)
    if clock is None:
        return None
    sign, *fields = clock.groups()
    return -milliseconds(*fields) if sign else milliseconds(*fields)


def _not_text(text: bytes, at: int) -> list[tuple[int, int]]:
    """Return where overrides, line ends and drawings stand, moved by `at`; those that touch are one."""
    spans: list[tuple[int, int]] = []

    def add(start: int, end: int) -> None:
        if spans and spans[-1][1] == at + start:
            spans[-1] = (spans[-1][0], at + end)
        else:
            spans.append((at + start, at + end))

    drawing_from: int | None = None
    for mark in _MARKS.finditer(text):
        if drawing_from is not None and mark.start() > drawing_from:
            add(drawing_from, mark.start())
        add(mark.start(), mark.end())
        if mark[1] is not None:
            scales = _SCALE.findall(mark[1])
            if scales:
                drawing_from = mark.end() if scales[-1].strip(b"0") else None
        drawing_from = None if drawing_from is None else mark.end()
    if drawing_from is not None and drawing_from < len(text):
        add(drawing_from, len(text))
    return spans


def _reach(spans: list[tuple[int, int]], position: int) -> int:
    """Return where the last span that begins at a place or before it ends, 0 where there is none."""
    at = bisect_right(spans, position, key=lambda span: span[0]) - 1
    return spans[at][1] if at >= 0 else 0
