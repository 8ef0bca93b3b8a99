"""The audit's grammar of SAMI: tags, the SYNC that each text stands under, and the class that is read.

Markup must lie in tags, and text outside them, under a SYNC whose time is the cue's start; the next SYNC
that has a paragraph of the same class gives the cue's end. Metadata is a comment, what stands in the head,
or a paragraph of another class than the one that is read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from quoteview.core.auditing.lines import check_times
from quoteview.core.auditing.sheet import MARKUP, METADATA, REPEAT, TEXT, TIMING, UNREAD, Sheet, rejoined
from quoteview.core.auditing.voices import Told, hold
from quoteview.core.captions.track import Cue

_TAGS = re.compile(rb"(<!--.*?-->)|<(?:[A-Za-z/!?](?:\"[^\"<\r\n]*\"|'[^'<\r\n]*'|[^<>\"'])*|[A-Za-z/!?][^<>]*)>", re.DOTALL)
_NUMBER = re.compile(rb"-?[0-9]{1,12}")
_NAME = re.compile(rb"</?([A-Za-z][A-Za-z0-9:_-]*)")
_START = re.compile(rb"""\bstart\s*=\s*["']?\s*(-?[0-9]+)\s*(?:ms)?\s*["']?(?=[\s>/])""", re.IGNORECASE)
_CLASS = re.compile(rb"""\bclass\s*=\s*["']?\s*([^\s"'>]*)""", re.IGNORECASE)
_BLANK = re.compile(rb"(?:\s|&nbsp;?|&#160;?|&#x[aA]0;?|\xc2\xa0)*")


class _Place(NamedTuple):
    """From byte `start` on, text stands under this SYNC and in this class; `start_ms` is None in the head and behind the body."""

    start: int
    start_ms: int | None
    name: bytes
    in_head: bool = False
    sync: int = -1


def check_sami(sheet: Sheet, cues: tuple[Cue, ...]) -> None:
    """Hold the ledger of a SAMI file to the format's grammar."""
    sheet = rejoined(sheet)
    tags = [(match.start(), match.end(), match[1] is not None) for match in _TAGS.finditer(sheet.data)]
    starts = [start for start, _, _ in tags]
    places = _places(sheet.data, tags)
    at = [place.start for place in places]
    read: dict[int, _Place] = {}
    for index, (end, kind, cue) in enumerate(zip(sheet.ends, sheet.kinds, sheet.cues, strict=True)):
        start = sheet.start(index)
        place = places[bisect_right(at, start) - 1]
        tag = tags[bisect_right(starts, start) - 1] if starts and starts[0] <= start else (0, 0, False)
        if kind in (TEXT, REPEAT):
            following = bisect_right(starts, start)
            if start < tag[1] or (following < len(starts) and starts[following] < end):
                sheet.defect(index, "a tag is entered as text")
            if place.start_ms is None:
                sheet.defect(index, "it stands under no SYNC with a time")
            elif read.setdefault(cue, place).start_ms != place.start_ms:
                sheet.defect(index, f"it is given to cue {cue}, but stands under another SYNC")
        elif kind == UNREAD and cue >= 0 and place.start_ms is not None:
            read.setdefault(cue, place)
        elif kind == TIMING and (not _NUMBER.fullmatch(sheet.data, start, end) or start >= tag[1]):
            sheet.defect(index, "it is no number in a tag")
        elif kind == TIMING and 0 <= cue < len(cues) and int(sheet.data[start:end]) != cues[cue].time.start_ms:
            sheet.defect(index, f"cue {cue} starts at {cues[cue].time.start_ms} ms")
        elif kind == MARKUP and not _within_tags(tags, starts, start, end):
            sheet.defect(index, "it is no tag")
    names = {place.name.lower() for place in read.values()}
    if len(names) > 1:
        sheet.defects.add(f"Text of {len(names)} classes is read as one language.")
    _check_times(sheet, cues, places, read)
    _check_metadata(sheet, tags, starts, places, names)
    hold(sheet, cues, Told())


def _places(data: bytes, tags: list[tuple[int, int, bool]]) -> list[_Place]:
    places = [_Place(0, None, b"", True)]
    for start, end, is_comment in tags:
        raw = data[start:end]
        match = None if is_comment else _NAME.match(raw)
        name = match[1].lower() if match else b""
        is_end = raw.startswith(b"</")
        before = places[-1]
        if name == b"sync" and not is_end:
            number = _START.search(raw)
            places.append(_Place(end, int(number[1]) if number else None, b"", sync=len(places)))
        elif name == b"p" and not is_end:
            found = _CLASS.search(raw)
            places.append(before._replace(start=end, name=found[1] if found else b""))
        elif name in (b"sync", b"body", b"sami") and is_end:
            places.append(_Place(end, None, b""))
        elif name in (b"head", b"style", b"title", b"samiparam", b"script"):
            places.append(before._replace(start=end, in_head=before.in_head if is_end and name != b"head" else not is_end))
        elif name == b"body" and before.start_ms is None:
            places.append(_Place(end, None, b""))
    return places


def _within_tags(tags: list[tuple[int, int, bool]], starts: list[int], start: int, end: int) -> bool:
    while start < end:
        at = bisect_right(starts, start) - 1
        if at < 0 or tags[at][1] <= start or tags[at][2]:
            return False
        start = tags[at][1]
    return True


def _check_times(sheet: Sheet, cues: tuple[Cue, ...], places: list[_Place], read: dict[int, _Place]) -> None:
    """A cue starts with its SYNC and ends with the next one that has a paragraph of its class, or a blank one of none."""
    chosen = next(iter(read.values())).name if read else b""
    afters = [*places[1:], _Place(len(sheet.data), None, b"")]
    ends: dict[int, int | None] = {}  # by SYNC: when the next one that counts begins
    end_ms: int | None = None
    following_ms: int | None = None
    sync = -1
    for place, after in zip(reversed(places), reversed(afters), strict=True):
        is_empty = not place.name and _is_blank(sheet.data[place.start : after.start])
        is_bare = is_empty and after.sync != place.sync
        if place.start_ms is None or not (is_bare or (place.name == chosen and not is_empty)):
            continue
        if place.sync != sync:
            end_ms, sync = following_ms, place.sync
        ends[place.sync] = end_ms
        following_ms = place.start_ms
    for cue in cues:
        under = read.get(cue.index)
        if under is None or under.start_ms is None:
            sheet.defects.add(f"Cue {cue.index} has no text under a SYNC.")
        else:
            check_times(sheet, sheet.at(under.start), cue, under.start_ms, ends.get(under.sync))


def _is_blank(raw: bytes) -> bool:
    return _BLANK.fullmatch(_TAGS.sub(b"", raw)) is not None


def _check_metadata(
    sheet: Sheet, tags: list[tuple[int, int, bool]], starts: list[int], places: list[_Place], names: set[bytes]
) -> None:
    at = [place.start for place in places]
    for index, kind in enumerate(sheet.kinds):
        start = sheet.start(index)
        if kind != METADATA or (start == 0 and sheet.data.startswith(b"\xef\xbb\xbf")):
            continue
        tag = tags[bisect_right(starts, start) - 1] if starts and starts[0] <= start else (0, 0, False)
        place = places[bisect_right(at, start) - 1]
        if start < tag[1] or place.in_head or (place.start_ms is not None and place.name.lower() not in names):
            continue
        sheet.defect(index, "it is no comment, stands in no head, and is of the class that is read")
