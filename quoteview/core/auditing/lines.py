"""The audit's grammars for formats of lines: WebVTT, SubRip, SBV, and text with times at the heads of lines.

Each check walks the ledger once. A timing opens the next cue, and every cue has exactly one; text lies
on the lines below it, before the next empty line; markup is a tag or a setting of the format; metadata is
what the format declares as such: a header, a block of a known kind, an identifier or number directly
above a timing line, a title above the first.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from quoteview.core.auditing.sheet import MARKUP, METADATA, REPEAT, TEXT, TIMING, Sheet, rejoined
from quoteview.core.auditing.voices import VTT_STAMP, VTT_TAG, Told, follow, hold, told_by_tags
from quoteview.core.captions.track import Cue

_BOM = b"\xef\xbb\xbf"
_EMPTY_LINE = re.compile(rb"(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)")
_SETTINGS = re.compile(rb"[^\s:]+:\S*(?:[ \t\f]+[^\s:]+:\S*)*")
_SBV_HEADER = re.compile(rb"(?:\s*\[[^\]\r\n]*\][^\r\n]*(?:\r\n|\n|\r|\Z))+")
_NUMBER = re.compile(rb"[0-9]{1,9}")

_VTT_TIME = rb"(?:([0-9]+):)?([0-9]{2}):([0-9]{2})\.([0-9]{3})"
_VTT_TIMING = re.compile(_VTT_TIME + rb"[ \t\f]*-->[ \t\f]*" + _VTT_TIME)
_VTT_BLOCK = re.compile(rb"NOTE(?:[ \t\r\n]|\Z)|(?:STYLE|REGION)[ \t\f]*(?:[\r\n]|\Z)")
_VTT_ABOVE_TIMING = re.compile(rb"(?:\r\n|\n|\r)[ \t\f]*" + _VTT_TIMING.pattern)

_SRT_TIME = rb"(-?)(?:([0-9]+):)?([0-9]{1,2}):([0-9]{1,2})(?:[.,]([0-9]+))?"
_SRT_TIMING = re.compile(_SRT_TIME + rb"[ \t]*-->[ \t]*" + _SRT_TIME)
_SRT_ABOVE_TIMING = re.compile(rb"[ \t]*(?:\r\n|\n|\r)[ \t]*" + _SRT_TIMING.pattern)
_SRT_TAG = re.compile(rb"</?(?:i|b|u|s|font)(?:[ \t][^<>\r\n]*)?>|\{\\[^{}\r\n]*\}", re.IGNORECASE)

_SBV_TIME = rb"([0-9]+):([0-9]{1,2}):([0-9]{1,2})\.([0-9]{1,3})"
_SBV_TIMING = re.compile(_SBV_TIME + rb"[ \t]*,[ \t]*" + _SBV_TIME)

_HEAD_CLOCK = rb"(?:(?:([0-9]+):)?([0-9]+):([0-9]{2})(?:[.,]([0-9]+))?)"
_HEAD_TIMING = re.compile(
    _HEAD_CLOCK + rb"(?:\s*(?:-->|-|\xe2\x80\x93|\xe2\x80\x94|to)\s*" + _HEAD_CLOCK + rb")?"
    rb"|([0-9]+(?:\.[0-9]+)?)s?\s*(?:-->|-|\xe2\x80\x93|\xe2\x80\x94|to)\s*([0-9]+(?:\.[0-9]+)?)s?"
)
_HEAD_SIGNS = re.compile(rb"(?:[\s#*+>_`:|()\[\]\\-]|\]?\([^()\s]{1,400}\))*")
_HEADING = re.compile(rb"[ \t]{0,3}(?:#{1,6}(?:[ \t]|\Z)|(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*\Z)")
_NAME_AFTER = re.compile(rb"[*_`]{0,3}[ \t]?:")
_NAME_BEFORE = re.compile(rb"[*_`:\\\[( \t]*[0-9]+[:.0-9]")
_TITLE_LENGTH = 120
_NAME_LENGTH = 60


def milliseconds(hours: bytes | None, minutes: bytes, seconds: bytes, fraction: bytes | None) -> int:
    """Return clock fields as whole milliseconds; a fraction is decimal, and its digits after the third are cut off."""
    ms = int((fraction or b"0")[:3].ljust(3, b"0"))
    return (int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)) * 1000 + ms


def check_times(sheet: Sheet, index: int, cue: Cue, start_ms: int, end_ms: int | None) -> None:
    """Hold a cue's times to be those of its timing; an end that is absent or before the start counts as the start."""
    expected = (start_ms, start_ms if end_ms is None else max(start_ms, end_ms))
    if cue.time != expected:
        sheet.defect(
            index, f"it says {expected[0]} to {expected[1]} ms, cue {cue.index} has {cue.time.start_ms} to {cue.time.end_ms}"
        )


class _Walk:
    """What the three line formats with timing lines have in common."""

    def __init__(self, sheet: Sheet, cues: tuple[Cue, ...], timing: Callable[[bytes], tuple[int, int] | None]) -> None:
        self.sheet = sheet
        self.cues = cues
        self._timing = timing
        self.opened = 0

    def check(self, markup: Callable[[int, bytes, bool], None], metadata: Callable[[int, int, int, bytes], None]) -> None:
        """Walk once. `markup` gets index, bytes, and whether it is on a timing line; `metadata` index, place, count and bytes."""
        sheet, data, cues = self.sheet, self.sheet.data, self.cues
        opened = start = before = 0
        on_timing_line, is_over = False, True
        for index, (end, kind, cue) in enumerate(zip(sheet.ends, sheet.kinds, sheet.cues, strict=True)):
            if kind in (TEXT, REPEAT):
                if start - before > 1:
                    is_over = is_over or _EMPTY_LINE.search(data, before, start) is not None
                if cue != opened - 1:
                    sheet.defect(index, f"it is given to cue {cue}, but stands below the timing of cue {opened - 1}")
                elif is_over:
                    sheet.defect(index, "it stands behind the empty line that ends its cue")
                if on_timing_line and not _has_line_end(data, before, start):
                    sheet.defect(index, "it stands on the timing line")
                on_timing_line = False
            elif kind == TIMING:
                raw = data[start:end]
                times = self._timing(raw)
                if times is None:
                    sheet.defect(index, "it is no timing line of the format")
                elif cue != opened or cue >= len(cues):
                    sheet.defect(index, f"it is given to cue {cue}, but opens cue {opened}")
                elif cues[cue].time != times:
                    check_times(sheet, index, cues[cue], *times)
                if not _begins_line(data, start):
                    sheet.defect(index, "it does not begin a line")
                opened += 1
                on_timing_line, is_over = True, False
            elif kind == MARKUP:
                on_timing_line = on_timing_line and not _has_line_end(data, before, start)
                markup(index, data[start:end], on_timing_line)
            elif kind == METADATA:
                metadata(index, start, opened, data[start:end])
                is_over = True
            else:
                start = end
                continue
            before = start = end
        if opened != len(cues):
            sheet.defects.add(f"The track has {len(cues)} cues, but {opened} of them have a timing.")


def check_webvtt(sheet: Sheet, cues: tuple[Cue, ...]) -> None:
    """Hold the ledger of a WebVTT file to the format's grammar."""
    sheet = rejoined(sheet)
    open_tags: list[bytes] = []
    owner = -1
    harmless: set[bytes] = set()
    has_readings = b"<rt" in sheet.data

    def timing(raw: bytes) -> tuple[int, int] | None:
        match = _VTT_TIMING.fullmatch(raw)
        if match is None:
            return None
        fields = match.groups()
        first, last = milliseconds(*fields[:4]), milliseconds(*fields[4:])
        return first, last if last > first else first

    def markup(index: int, raw: bytes, on_timing_line: bool) -> None:
        nonlocal owner
        if raw in harmless and not on_timing_line:
            return
        if sheet.cues[index] != owner:
            open_tags.clear()
            owner = sheet.cues[index]
        if on_timing_line:
            if not _SETTINGS.fullmatch(raw):
                sheet.defect(index, "it stands on a timing line, but is no setting")
            return
        tag = VTT_TAG.fullmatch(raw)
        if tag is not None:
            if has_readings:
                follow(open_tags, tag)
            else:
                harmless.add(raw)
        elif not VTT_STAMP.fullmatch(raw) and b"rt" not in open_tags:
            sheet.defect(index, "it is no tag of WebVTT and no reading")

    def metadata(index: int, start: int, opened: int, raw: bytes) -> None:
        if _VTT_ABOVE_TIMING.match(sheet.data, sheet.ends[index]) and b"\n" not in raw and b"\r" not in raw and b"-->" not in raw:
            if not _follows_empty_line(sheet.data, start):
                sheet.defect(index, "an identifier is the first line of its block")
        elif not (raw == _BOM and start == 0) and not _is_vtt_block(sheet.data, start, opened, raw):
            sheet.defect(index, "WebVTT declares nothing of that kind")

    walk = _Walk(sheet, cues, timing)
    walk.check(markup, metadata)
    _check_readings(sheet)
    hold(sheet, cues, told_by_tags(sheet))


def _check_readings(sheet: Sheet) -> None:
    """Hold text to lie outside readings; only files that have any need this second look."""
    data = sheet.data
    if b"<rt" not in data:
        return
    open_tags: list[bytes] = []
    owner, start = -1, 0
    for index, (end, kind, cue) in enumerate(zip(sheet.ends, sheet.kinds, sheet.cues, strict=True)):
        if kind == MARKUP and (tag := VTT_TAG.fullmatch(data, start, end)):
            open_tags = open_tags if cue == owner else []
            owner = cue
            follow(open_tags, tag)
        elif kind == TEXT and cue == owner and b"rt" in open_tags:
            sheet.defect(index, "it is a reading, entered as text")
        start = end


def _is_vtt_block(data: bytes, start: int, opened: int, raw: bytes) -> bool:
    """Return whether metadata is the header, or a NOTE, STYLE or REGION block between empty lines."""
    if b"-->" in raw:
        return False
    body = raw.rstrip(b"\r\n")
    if data[start:].startswith(b"WEBVTT") and not opened and data[:start] in (b"", _BOM):
        old_style = re.search(rb"(?:^|[\r\n])Style:[ \t]*[\r\n]", raw) is not None and body.rstrip(b" \t").endswith(b"##")
        return old_style or not _EMPTY_LINE.search(body)
    return _VTT_BLOCK.match(raw) is not None and not _EMPTY_LINE.search(body) and _follows_empty_line(data, start)


def check_subrip(sheet: Sheet, cues: tuple[Cue, ...]) -> None:
    """Hold the ledger of a SubRip file to what players know of the format."""
    sheet = rejoined(sheet)
    harmless: set[bytes] = set()

    def timing(raw: bytes) -> tuple[int, int] | None:
        match = _SRT_TIMING.fullmatch(raw)
        if match is None:
            return None
        fields = match.groups()
        first, last = milliseconds(*fields[1:5]), milliseconds(*fields[6:])
        first, last = -first if fields[0] else first, -last if fields[5] else last
        return first, last if last > first else first

    def markup(index: int, raw: bytes, on_timing_line: bool) -> None:
        if raw in harmless:
            return
        if on_timing_line:
            if not _SETTINGS.fullmatch(raw):
                sheet.defect(index, "it stands on a timing line, but is no coordinate or setting")
        elif _SRT_TAG.fullmatch(raw):
            harmless.add(raw)
        else:
            sheet.defect(index, "it is no tag that players take for one")

    def metadata(index: int, start: int, opened: int, raw: bytes) -> None:
        if raw == _BOM and start == 0:
            return
        if (
            not _NUMBER.fullmatch(raw)
            or not _SRT_ABOVE_TIMING.match(sheet.data, sheet.ends[index])
            or not _begins_line(sheet.data, start)
        ):
            sheet.defect(index, "it is not the number directly above a timing line")

    _Walk(sheet, cues, timing).check(markup, metadata)
    hold(sheet, cues, Told())


def check_sbv(sheet: Sheet, cues: tuple[Cue, ...]) -> None:
    """Hold the ledger of an SBV file to the format's grammar."""
    sheet = rejoined(sheet)

    def timing(raw: bytes) -> tuple[int, int] | None:
        match = _SBV_TIMING.fullmatch(raw)
        if match is None:
            return None
        fields = match.groups()
        first, last = milliseconds(*fields[:4]), milliseconds(*fields[4:])
        return first, last if last > first else first

    def markup(index: int, raw: bytes, on_timing_line: bool) -> None:
        if raw.lower() != b"[br]" or on_timing_line:
            sheet.defect(index, "the only markup of SBV is [br]")

    def metadata(index: int, start: int, opened: int, raw: bytes) -> None:
        if not (raw == _BOM and start == 0) and (opened or not _SBV_HEADER.fullmatch(raw)):
            sheet.defect(index, "the only metadata of SBV are bracketed lines above the first cue")

    _Walk(sheet, cues, timing).check(markup, metadata)
    hold(sheet, cues, Told())


def check_plain(sheet: Sheet, cues: tuple[Cue, ...]) -> None:
    """Hold the ledger of a transcript with times to be heads, names, headings and text; a cue ends where the next head stands."""
    sheet = rejoined(sheet)
    data = sheet.data
    opened = start = line_of_timing = 0
    times: list[tuple[int, int, int | None]] = []
    names: dict[int, str] = {}
    told = Told()
    for index, (end, kind, cue) in enumerate(zip(sheet.ends, sheet.kinds, sheet.cues, strict=True)):
        raw = data[start:end]
        if kind == TIMING:
            found = _head_times(raw)
            if found is None or cue != opened:
                sheet.defect(index, f"it is not the time at the head of cue {opened}")
            times.append((index, *(found or (0, None))))
            opened += 1
            line_of_timing = _line_start(data, start)
        elif kind in (TEXT, REPEAT) and cue != opened - 1:
            sheet.defect(index, f"it is given to cue {cue}, but stands below the head of cue {opened - 1}")
        elif kind == MARKUP and not _HEAD_SIGNS.fullmatch(raw):
            sheet.defect(index, "it is no sign around a head")
        elif kind == METADATA and not (raw == _BOM and start == 0):
            pattern = _NAME_AFTER if opened and line_of_timing == _line_start(data, start) else _NAME_BEFORE
            is_name = len(raw) <= 2 * _NAME_LENGTH and b":" not in raw and pattern.match(data, end) is not None
            if is_name:
                names[cue] = raw.decode("utf-8", "replace").strip()
            elif not _is_title(data, raw, is_first=not opened):
                sheet.defect(index, "it is no title, heading or name")
        if kind == TEXT and names.get(cue):
            told.voices[sheet.file_start(index)] = names[cue]
        start = end
    if opened != len(cues):
        sheet.defects.add(f"The track has {len(cues)} cues, but {opened} of them have a time at their head.")
        return
    for number, (index, start_ms, end_ms) in enumerate(times):
        after = times[number + 1][1] if number + 1 < len(times) else None
        check_times(sheet, index, cues[number], start_ms, after if end_ms is None else end_ms)
    hold(sheet, cues, told)


def _head_times(raw: bytes) -> tuple[int, int | None] | None:
    match = _HEAD_TIMING.fullmatch(raw)
    if match is None:
        return None
    if match[9] is not None:
        return _seconds(match[9]), _seconds(match[10])
    return milliseconds(*match.groups()[:4]), None if match[6] is None else milliseconds(*match.groups()[4:8])


def _seconds(raw: bytes) -> int:
    """Decimal seconds as milliseconds, halves up."""
    whole, _, fraction = raw.partition(b".")
    return int(whole) * 1000 + (int(fraction[:4].ljust(4, b"0")) + 5) // 10


def _is_title(data: bytes, raw: bytes, *, is_first: bool) -> bool:
    if _HEADING.match(raw):
        return True
    text = raw.decode("utf-8", "ignore").strip()
    in_front_matter = data.lstrip(_BOM).startswith((b"---", b"+++"))
    return is_first and (in_front_matter or (len(text) <= _TITLE_LENGTH and not text.endswith((".", "?", "!", "…", ",", ";"))))


def _has_line_end(data: bytes, start: int, end: int) -> bool:
    return data.find(b"\n", start, end) >= 0 or data.find(b"\r", start, end) >= 0


def _line_start(data: bytes, position: int) -> int:
    return max(data.rfind(b"\n", 0, position), data.rfind(b"\r", max(0, position - 10_000), position)) + 1


def _begins_line(data: bytes, position: int) -> bool:
    """Return whether nothing but blanks stands before a place in its line."""
    while position and data[position - 1] in b" \t\f":
        position -= 1
    return position == 0 or data[position - 1] in b"\r\n" or data[:position] == _BOM


def _follows_empty_line(data: bytes, position: int) -> bool:
    tail = data[max(0, position - 4) : position].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return tail.endswith(b"\n\n")
