"""Each cue's text made again from ledger and bytes, with the borders that the bytes show, and held against what is used.

Between two entries of text in one cue there is a border where a line ends: at CR or LF among the layout
between them, at `\\N` or `\\n` in SubStation, `[br]` in SBV, `<br>` and `<P>` in SAMI, `<br>` in XML, and in a
recogniser's JSON from one string to the next, except before a mark of punctuation that is glued to the
word. In TTML white space that collapses is a border, unless it was kept as a space.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache

from quoteview.core.auditing.decoders import decode_raw
from quoteview.core.auditing.sheet import LAYOUT, LAYOUT_CHARACTERS, MARKUP, REPEAT, TEXT, UNREAD, Sheet, shown
from quoteview.core.captions.track import CaptionFormat, Track
from quoteview.core.ledger import How
from quoteview.core.spans import ByteSpan

XML = frozenset((CaptionFormat.TTML, CaptionFormat.SRV1, CaptionFormat.SRV2, CaptionFormat.SRV3))
LINES = frozenset((CaptionFormat.WEBVTT, CaptionFormat.SUBRIP, CaptionFormat.SBV))
_REFERENCES = frozenset((CaptionFormat.WEBVTT, CaptionFormat.SUBRIP, CaptionFormat.SBV, CaptionFormat.SAMI))
NOT_JSON = XML | LINES | {CaptionFormat.SAMI, CaptionFormat.SUBSTATION, CaptionFormat.PLAIN_TIMED}

_BREAKS = {
    CaptionFormat.SUBSTATION: re.compile(rb"(?:\{[^}]*\}|[^\\{]|\\(?![Nn]))*+\\[Nn]"),
    CaptionFormat.SBV: re.compile(rb"\[br\]", re.IGNORECASE),
    CaptionFormat.SAMI: re.compile(rb"<(?:br|p)(?=[\s/>])", re.IGNORECASE),
    CaptionFormat.SRV1: re.compile(rb"<br(?=[\s/>])|&lt;br(?=[\s/>&])", re.IGNORECASE),
    CaptionFormat.SRV2: re.compile(rb"<br(?=[\s/>])"),
    CaptionFormat.SRV3: re.compile(rb"<br(?=[\s/>])"),
    CaptionFormat.TTML: re.compile(rb"(?s:.*?)<(?:[A-Za-z_][\w.-]*:)?br[\s/>]"),
}
_NEVER = re.compile(rb"(?!)")
_QUOTE_MARK = re.compile(rb'[^"]*+"')
_LITERAL = int(How.LITERAL)
_SHOWS_AROUND = 24
_LAYOUT = frozenset(LAYOUT_CHARACTERS)

Glue = Callable[[int], bool]
"""Whether the string at a place in the sheet continues the word before it."""


def rebuilt(sheet: Sheet, track: Track, *, is_glued: Glue) -> list[str]:
    """Return the text of every cue by ledger and bytes alone, and hold each run against its entry.

    An unread byte has no text of its own: what the run shows for it is taken over where it is nothing
    but U+FFFD, at most one for a byte.
    """
    data, hows, cue_count, defect = sheet.data, sheet.hows, len(track.cues), sheet.defect
    is_recogniser = sheet.format not in NOT_JSON and sheet.format is not CaptionFormat.JSON3
    breaks = _BREAKS.get(sheet.format, _QUOTE_MARK if is_recogniser else _NEVER)
    collapses = sheet.format is CaptionFormat.TTML
    texts: list[list[str]] = [[] for _ in range(cue_count)]
    runs_seen = [0] * cue_count
    is_utf8, file_ends = sheet.file_ends is sheet.ends, sheet.file_ends
    current, border, by_string, is_after_unread, before = -1, False, False, False, ""
    start = 0
    cues, layouts = track.cues, _Layouts(sheet)
    line_ends = layouts.line_ends
    for index, (end, kind, cue) in enumerate(zip(sheet.ends, sheet.kinds, sheet.cues, strict=True)):
        if kind == LAYOUT:
            raw = data[start:end]
            ends_line = line_ends.get(raw) if hows[index] == _LITERAL else None
            if ends_line is None:
                ends_line = layouts.look(index, raw)
            border = border or (before[-1:] not in ("", " ") if collapses else ends_line)
        elif kind == MARKUP:
            if not border and breaks is not _NEVER and breaks.match(data, start, end):
                border, by_string = True, is_recogniser
        elif kind == TEXT or (kind == UNREAD and cue >= 0):
            if not 0 <= cue < cue_count:
                defect(index, "it is text of no cue")
                start = end
                continue
            text = _text(sheet, index, data[start:end], hows[index]) if kind == TEXT else ""
            runs = cues[cue].runs
            number = runs_seen[cue]
            file_start, file_end = (start, end) if is_utf8 else (sheet.file_start(index), file_ends[index])
            run = runs[number] if number < len(runs) else None
            if run is not None and run.start == file_start and run.end == file_end:
                runs_seen[cue] = number + 1
                if kind == UNREAD:
                    text = _shown_unread(sheet, index, run.text)
                elif run.text != text:
                    _differs(sheet, index, text, run.text)
            elif kind == TEXT:
                defect(index, f"no run of cue {cue} stands there")
            if cue != current:
                if texts[cue]:
                    defect(index, f"the text of cue {cue} is torn apart by another cue's")
                border = by_string = False
                current, before, is_after_unread = cue, "", False
            elif by_string:
                border = not is_glued(start)
            if text:
                if border and before:
                    texts[cue].append(_border(before[-1], text[0]))
                    if before[-1] in _LAYOUT and not is_after_unread:
                        defect(index, "the line before it ends in layout that is entered as text")
                if (border or not before) and text[0] in _LAYOUT and not is_after_unread:
                    defect(index, "the line begins with layout that is entered as text")
                texts[cue].append(text)
                before, border, by_string = text, False, False
            is_after_unread = kind == UNREAD
        start = end
    for cue, (parts, seen) in enumerate(zip(texts, runs_seen, strict=True)):
        if seen != len(track.cues[cue].runs):
            run = track.cues[cue].runs[seen]
            sheet.defects.add(
                f"At byte {run.start}: cue {cue} has the text “{shown(run.text)}”, which the ledger does not have there."
            )
        if parts and parts[-1][-1] in _LAYOUT and track.cues[cue].runs and track.cues[cue].runs[-1].how is not How.UNREAD:
            sheet.defects.add(f"Cue {cue} ends in layout that is entered as text: “{shown(parts[-1][-20:])}”.")
    return [parts[0] if len(parts) == 1 else "".join(parts) for parts in texts]


class _Layouts:
    """What layout entries are: each spelling is looked at once, held to be layout, and known to end a line or not."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self.line_ends: dict[bytes, bool] = {}

    def look(self, index: int, raw: bytes) -> bool:
        """Return whether an entry ends a line; record a defect where it holds more than white space and direction marks."""
        how = How(self._sheet.hows[index])
        try:
            text = decode_raw(raw.decode("utf-8"), how, self._sheet.format)
        except ValueError:
            text = "?"
        if text.strip(LAYOUT_CHARACTERS):
            self._sheet.defect(index, "layout is nothing but white space, line ends and direction marks")
            return False
        ends_line = "\n" in text or "\r" in text
        if how is How.LITERAL:
            self.line_ends[raw] = ends_line
        return ends_line


def _text(sheet: Sheet, index: int, raw: bytes, how: int) -> str:
    """Decode an entry as it says, and hold it to say the truth: no reference, escape or line end is left in it."""
    try:
        text = raw.decode("utf-8")
        if how == _LITERAL and not (b"&" in raw or b"\\" in raw or b"\n" in raw or b"\r" in raw):
            return text
        if how != _LITERAL:
            text = decode_raw(text, How(how), sheet.format)
        elif b"&" in raw and sheet.format in _REFERENCES and decode_raw(text, How.ENTITY, sheet.format) != text:
            sheet.defect(index, "it is entered as literal, but holds a reference")
        elif b"\\" in raw and sheet.format not in NOT_JSON:
            sheet.defect(index, "it is entered as literal, but holds an escape")
        elif b"\\h" in raw and sheet.format is CaptionFormat.SUBSTATION:
            sheet.defect(index, "it is entered as literal, but holds a hard space")
    except ValueError as error:
        sheet.defect(index, f"the bytes do not decode ({error})")
        return ""
    if b"\n" in raw or b"\r" in raw:
        sheet.defect(index, "a line ends in the middle of it")
    return text


def _shown_unread(sheet: Sheet, index: int, text: str) -> str:
    if text.strip("\ufffd") or len(text) > sheet.file_ends[index] - sheet.file_start(index):
        sheet.defect(index, f"in its place “{shown(text)}” is shown, which nobody could read there")
    return text


def _border(before: str, after: str) -> str:
    return "" if _is_unspaced(before) and _is_unspaced(after) else " "


@lru_cache(maxsize=4096)
def _is_unspaced(character: str) -> bool:
    """Thai, Lao, Khmer, Myanmar, Han, kana, CJK punctuation, the prolonged sound mark and full-width forms."""
    if character < "\u0e01":
        return False
    import regex  # imported here: most captions never reach this line, and the import costs start-up time

    scripts = "|".join(rf"\p{{scx={name}}}" for name in ("Thai", "Lao", "Khmer", "Myanmar", "Han", "Hiragana", "Katakana"))
    forms = "\u3000" <= character <= "\u303f" or "\uff01" <= character <= "\uff60" or "\uffe0" <= character <= "\uffe6"
    return forms or character == "\u30fc" or regex.fullmatch(scripts, character) is not None


def _differs(sheet: Sheet, index: int, audited: str, working: str) -> None:
    sheet.defect(
        index, f"its bytes say “{shown(audited)}”, the track says “{shown(working)}”; {first_difference(audited, working)}"
    )


def compare(sheet: Sheet, texts: Sequence[str], working: Sequence[str]) -> None:
    """Hold the working text of every cue against the audit's, character by character; the first difference of each is told."""
    if len(working) != len(texts):
        sheet.defects.add(f"The working text has {len(working)} cues, by ledger and bytes there are {len(texts)}.")
    for cue, (audited, used) in enumerate(zip(texts, working, strict=False)):
        if audited != used:
            at = _first(audited, used)
            place = _file_place(sheet, cue, at)
            sheet.defects.add(f"Cue {cue}, character {at}, byte {place}: {first_difference(audited, used)}.")


def first_difference(audited: str, used: str) -> str:
    """Return in words where two texts part, with what stands around it on both sides."""
    at = _first(audited, used)
    start = max(0, at - _SHOWS_AROUND)
    names = [f"U+{ord(text[at]):04X}" if at < len(text) else "the end" for text in (audited, used)]
    around = [shown(text[start : at + _SHOWS_AROUND]) for text in (audited, used)]
    return f"the bytes have {names[0]} in “{around[0]}”, the working text has {names[1]} in “{around[1]}”"


def _first(one: str, other: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _file_place(sheet: Sheet, cue: int, at: int) -> int:
    """Return a byte of the file near character `at` of a cue: exact in literal text, else the beginning of its entry."""
    place = 0
    seen = 0
    for index, (kind, owner) in enumerate(zip(sheet.kinds, sheet.cues, strict=True)):
        if owner != cue or kind != TEXT:
            continue
        place = sheet.file_start(index)
        raw = sheet.data[sheet.start(index) : sheet.ends[index]]
        text = _text(sheet, index, raw, sheet.hows[index])
        if seen + len(text) > at:
            if sheet.hows[index] == How.LITERAL and at >= seen:
                place += len(text[: at - seen].encode(sheet.encoding))
            break
        seen += len(text) + 1
    return place


def check_repeats(sheet: Sheet, track: Track) -> None:
    """Hold every repeat to say again what stands at the ranges that it names; a recogniser's copies but for white space."""
    if REPEAT not in sheet.kinds:
        return
    names = track.ledger.repeats
    groups: dict[tuple[int, tuple[ByteSpan, ...]], list[int]] = {}
    for index, kind in enumerate(sheet.kinds):
        if kind == REPEAT:
            of = names.get(sheet.file_start(index))
            if of is None:
                sheet.defect(index, "it does not say what it repeats")
            else:
                owner = sheet.cues[index] if sheet.cues[index] >= 0 else -2 - index  # copies of words stand alone
                groups.setdefault((owner, of), []).append(index)
    is_loose = sheet.format not in NOT_JSON and sheet.format is not CaptionFormat.JSON3
    for (_, of), indices in groups.items():
        again = "".join(_entry_text(sheet, index) for index in indices)
        first = "".join(_range_text(sheet, span) for span in of)
        if is_loose:
            again, first = "".join(again.split()), "".join(first.split())
        if again != first:
            sheet.defect(indices[0], f"it is said to repeat “{shown(first)}”, but says “{shown(again)}”")


def _entry_text(sheet: Sheet, index: int) -> str:
    return _text(sheet, index, sheet.data[sheet.start(index) : sheet.ends[index]], sheet.hows[index])


def _range_text(sheet: Sheet, span: ByteSpan) -> str:
    """Decode a range of the file by what the ledger says of the entries in it; only text and repeats of text count."""
    parts = []
    index = bisect_right(sheet.file_ends, span.start)
    while index < len(sheet.kinds) and sheet.file_start(index) < span.end:
        if sheet.kinds[index] in (TEXT, REPEAT):
            start, end = max(span.start, sheet.file_start(index)), min(span.end, sheet.file_ends[index])
            try:
                parts.append(decode_raw(sheet.file[start:end].decode(sheet.encoding), How(sheet.hows[index]), sheet.format))
            except ValueError:
                sheet.defect(index, "what a repeat names does not decode")
        index += 1
    return "".join(parts)
