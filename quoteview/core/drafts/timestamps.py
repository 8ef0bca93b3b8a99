"""Finds the times of a draft: clock notations, units, links that carry a time, and ranges of these.

The rules. Understood are `12:34`, `1:02:03`, `62:03`, `100:00:03`, `00:12:34.500`, `12:34,5`, `1h2m3s`, `62m03s`, `754s`, in
brackets or as a link's text; a link with `t=754`, `t=12m34s`, `t=3m`, `start=754` or `#t=754`; and ranges with `-`,
`–`, `—` or `to`. Without brackets a time counts where it heads a line, list item or cell, or has three parts or a
fraction; a shorter one only where it adjoins a claim. A clock time, a score, a ratio or a verse is none. An impossible
time (`1:75`) is kept, without a moment; so is one with an empty or a fourth part or too many digits (`(0:00:)`, 00:00:01:12,
`(12345:00)`), and a link to another recording than the source. All times are whole
milliseconds, counted in integers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from quoteview.core.drafts.draft import TimeForm
from quoteview.core.drafts.mark_shapes import QUOTE_MARKS, SINGLES
from quoteview.core.drafts.rendering import Leaf, Link, Rendering
from quoteview.core.spans import TextSpan


class Timestamp(NamedTuple):
    """A time of the draft. Spans count shown characters, `address` source characters of a link's address (empty without).

    `start` to `end` covers the brackets or the link's text around it, as far as nothing else stands in them; `notation` is
    the time itself (with its range), `first` the part that gives the start. `counts_alone` says that it is a time
    wherever it stands; one that does not is a time only beside a claim. `note` is a sentence for a person. `is_around` says that
    a link's address gives the time and words are the link's text: such a link can stand around a quotation.
    """

    start: int
    end: int
    start_ms: int | None
    end_ms: int | None
    notation: TextSpan
    first: TextSpan
    form: TimeForm
    source: str
    address: TextSpan
    leaf: int
    counts_alone: bool
    heads_line: bool
    note: str
    is_around: bool = False


class Value(NamedTuple):
    """A moment as written: milliseconds, or None where it is impossible."""

    moment_ms: int | None
    form: TimeForm
    is_long: bool


_CLOCK = r"(?:\d{1,4}:\d{2}(?::\d{2})?(?:[.,]\d{1,3}(?![\d:]))?)"
_UNITS = r"(?:\d{1,4}h(?:\d{1,4}m)?(?:\d{1,4}(?:\.\d{1,3})?s)?|\d{1,5}m\d{1,4}(?:\.\d{1,3})?s|\d{1,7}(?:\.\d{1,3})?s)"
_ONE = f"(?:{_CLOCK}|{_UNITS})"
_URL = r"https?://[^\s<>\"“”«»（）［］【】「」『』。、，]+"
_FOUND = re.compile(
    rf"(?P<url>{_URL})|(?<![\w:/$€£#@%+\-])(?<!\d[.,])(?:(?P<first>{_ONE})(?![\w%°/])(?!:\S|\.\d)"
    rf"(?:(?P<between>\s?[-–—]\s?|\s+to\s+)(?P<last>{_ONE})(?![\w%°])(?!:\S))?|(?P<broken>:?[0-9][0-9:.,hms]*))",
    re.ASCII,
)
_BROKEN_CLOCK = re.compile(r"(?![0-9]{1,4}:[0-9]+\Z)(?=.*:)[0-9:]+(?:[.,][0-9]+)?")
_BROKEN_UNITS = re.compile(r"(?=.)(?:[0-9]+h)?(?:[0-9]+m)?(?:[0-9]+(?:\.[0-9]+)?s)?")
_FOUR_PARTS = re.compile(r"[0-9]{1,2}(?::[0-9]{2}){3}(?:[.,][0-9]+)?")
_UNIT_SIGNS = frozenset(":.hms")
_DIGITS = re.compile(r"[0-9]+")
_CLOCK_PARTS = re.compile(r"(\d+):(\d\d)(?::(\d\d))?(?:[.,](\d{1,3}))?", re.ASCII)
_UNIT_PARTS = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)(?:\.(\d+))?s?)?", re.ASCII)
_MOST_DIGITS = 9
"""Hours, minutes or seconds of more digits are no moment of any recording (and no number that every program can read)."""
_ADDRESS_TIME = re.compile(
    r"(?:[?&#]|&amp;)(?:t|start)=(?P<value>\d+h(?:\d+m)?(?:\d+s?)?|\d+m(?:\d+s?)?|\d+(?:\.\d+)?s?)(?=$|[&#,)])", re.ASCII
)
_LONGEST_BRACKETS = 60
_BRACKETS = {"(": ")", "[": "]", "{": "}", "（": "）", "［": "］", "【": "】", "〔": "〕", "<": ">", "⟨": "⟩"}
_DAY_AFTER = re.compile(r"\s?(?:[ap]\.?\s?m\b|o['’]clock|uhr\b|h\b|hrs?\b|hours?\b|GMT|UTC|[ECMPB]S?T\b|CES?T\b)", re.IGNORECASE)
_SCORE_BEFORE = re.compile(
    r"(?:\b(?:won|wins?|lost|loses?|beat|beats|score[sd]?|led|leads?|tied|drew|draw|odds|ratio|aspect|scale|mix(?:ed)?|verses?|"
    r"chapter|psalms?|sura[h]?|quran)\b[^.,!?()\[\]“”\"«»]{0,12}?)\Z",
    re.IGNORECASE,
)
_SCORE_AFTER = re.compile(r"\s?(?:-\s?)?(?:win|victory|lead|defeat|loss|ratio|aspect|odds)\b", re.IGNORECASE)
_BOOK = re.compile(
    r"\b(?:Gen(?:esis)?|Ex(?:odus|od)?|Lev(?:iticus)?|Num(?:bers)?|Deut(?:eronomy)?|Josh(?:ua)?|Judges|Judg|Ruth|Sam(?:uel)?|"
    r"Kings|Kgs|Chr(?:onicles|on)?|Ezra|Neh(?:emiah)?|Esth(?:er)?|Job|Ps(?:alms?)?|Prov(?:erbs)?|Eccl(?:esiastes|es)?|"
    r"Song(?: of Songs| of Solomon)?|Isa(?:iah)?|Jer(?:emiah)?|Lam(?:entations)?|Ezek(?:iel)?|Dan(?:iel)?|Hos(?:ea)?|"
    r"Joel|Amos|Obad(?:iah)?|Jonah|Mic(?:ah)?|"
    r"Nah(?:um)?|"
    r"Hab(?:akkuk)?|Zeph(?:aniah)?|Hag(?:gai)?|Zech(?:ariah)?|Mal(?:achi)?|Matt(?:hew)?|Mt|Mark|Mk|Luke|Lk|John|Jn|Acts|Rom(?:ans)?|"
    r"Cor(?:inthians)?|Gal(?:atians)?|Eph(?:esians)?|Phil(?:ippians|emon)?|Col(?:ossians)?|Thess(?:alonians)?|Tim(?:othy)?|Titus|"
    r"Heb(?:rews)?|James|Jas|Pet(?:er)?|Jude|Rev(?:elation)?|Qur['’]?an|Koran|Surah?)\.? \Z"
)
_DATE_BEFORE = re.compile(r"\d{4}-\d\d-\d\d[ ,]*\Z")
_DECADE = re.compile(r"(?:1\d|20)?\d0s")
_LINE_HEAD = re.compile(r"[\s([{（［【*•·–—‣-]*\Z")
_PADDING = " \t\u00a0\u202f"
_VIDEO_PATH = re.compile(r"/(?:embed|shorts|live|v)/([\w-]{6,})")
_YOUTUBE = frozenset({"youtube.com", "m.youtube.com", "music.youtube.com", "youtube-nocookie.com"})


def find_timestamps(rendering: Rendering, source_address: str = "", *, start: int = 0) -> list[Timestamp]:
    """Return all times from `start` on, in the order of the shown text; links are held against `source_address`, if known."""
    visible = rendering.visible
    found: list[Timestamp] = []
    covered = start
    links = [link for link in rendering.links if link.end > max(start, link.start)]
    at = 0
    for match in _matches(visible, start):
        while at < len(links) and links[at].end <= match.start():
            _add_address(found, rendering, links[at], source_address, covered)
            covered = max(covered, links[at].end)
            at += 1
        link = links[at] if at < len(links) and links[at].start <= match.start() and match.end() <= links[at].end else None
        if match.start() < covered:
            continue
        if match["url"]:
            stamp = _written_address(rendering, match, source_address)
        elif match["broken"]:
            stamp = _broken(rendering, match)
        else:
            stamp = _written(rendering, match, link, source_address)
        if stamp is not None:
            found.append(stamp)
            covered = stamp.end
            if link is not None:
                covered = max(covered, link.end if stamp.end >= link.end else stamp.end)
    for link in links[at:]:
        _add_address(found, rendering, link, source_address, covered)
        covered = max(covered, link.end)
    return found


def _matches(visible: str, start: int) -> Iterator[re.Match[str]]:
    """Yield what may be a time or an address, in order. The places are found first: that is ten times faster."""
    places = [
        match.start() for match in _DIGITS.finditer(visible, start) if visible[match.end() : match.end() + 1] in _UNIT_SIGNS
    ]
    place = visible.find(":", start)
    while place >= 0:
        if visible[place + 1 : place + 2].isdigit() and not visible[place - 1 : place].isalnum():
            places.append(place)
        place = visible.find(":", place + 1)
    place = visible.find("http", start)
    while place >= 0:
        places.append(place)
        place = visible.find("http", place + 4)
    places.sort()
    end = start
    for place in places:
        match = _FOUND.match(visible, place) if place >= end else None
        if match and (not match["broken"] or _is_broken(visible, match)):
            end = match.end()
            yield match


def _is_broken(visible: str, match: re.Match[str]) -> bool:
    """Whether digits stand like a time and are none: an empty or a fourth part, too many digits. A ratio is not (3:2, 1:1000)."""
    written = match["broken"].rstrip(".,")
    if _FOUR_PARTS.fullmatch(written):
        return True
    if not _BROKEN_CLOCK.fullmatch(written) and not _BROKEN_UNITS.fullmatch(written):
        return False
    start, end = match.start(), match.start() + len(written)
    before, after = visible[max(0, start - 8) : start].rstrip(_PADDING), visible[end : end + 8].lstrip(_PADDING)
    return before[-1:] in _BRACKETS and after[:1] == _BRACKETS[before[-1]]


def value_of(written: str) -> Value:
    """Return the moment that a clock notation or units give; None where it is impossible (`1:75`)."""
    clock = _CLOCK_PARTS.fullmatch(written)
    is_beyond = any(len(digits) > _MOST_DIGITS for digits in re.findall(r"(?<!\.)[0-9]+", written))
    if is_beyond:
        return Value(None, TimeForm.CLOCK if clock else TimeForm.UNITS, False)
    if clock:
        first, second, third, fraction = clock.groups()
        if third is None:
            hours, minutes, seconds = 0, int(first), int(second)
        else:
            hours, minutes, seconds = int(first), int(second), int(third)
        is_possible = seconds < 60 and (third is None or minutes < 60)
        moment = _milliseconds(hours, minutes, seconds, fraction) if is_possible else None
        return Value(moment, TimeForm.CLOCK, third is not None or fraction is not None)
    units = _UNIT_PARTS.fullmatch(written)
    if units is None:
        raise ValueError(f"not a time: {written!r}")
    hours_text, minutes_text, seconds_text, fraction = units.groups()
    hours, minutes, seconds = int(hours_text or 0), int(minutes_text or 0), int(seconds_text or 0)
    is_possible = (hours_text is None or minutes < 60) and ((minutes_text is None and hours_text is None) or seconds < 60)
    moment = _milliseconds(hours, minutes, seconds, fraction) if is_possible else None
    return Value(moment, TimeForm.UNITS, None not in (hours_text, minutes_text, seconds_text))


def address_time(address: str) -> tuple[int, int, int | None] | None:
    """Return where in an address its time stands and the moment; None where it carries none."""
    match = _ADDRESS_TIME.search(address)
    if match is None:
        return None
    return match.start("value"), match.end("value"), value_of(match["value"]).moment_ms


def same_recording(address: str, source: str) -> bool:
    """Return whether two addresses lead to one recording: the same YouTube video, else the same host and path."""
    return _recording(address) == _recording(source)


def _milliseconds(hours: int, minutes: int, seconds: int, fraction: str | None) -> int:
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + int((fraction or "0")[:3].ljust(3, "0"))


def _recording(address: str) -> tuple[str, str]:
    try:
        parts = urlsplit(address.replace("&amp;", "&"))
    except ValueError:
        return "", address
    host = parts.netloc.rpartition("@")[2].lower().removeprefix("www.")
    if host == "youtu.be":
        return "youtube", parts.path.strip("/").partition("/")[0]
    if host in _YOUTUBE:
        identifiers = parse_qs(parts.query).get("v")
        path = _VIDEO_PATH.match(parts.path)
        if identifiers or path:
            return "youtube", identifiers[0] if identifiers else path[1] if path else ""
    return host, parts.path.rstrip("/")


def _written(rendering: Rendering, match: re.Match[str], link: Link | None, source_address: str) -> Timestamp | None:
    """A time in clock notation or units, in the text or as a link's text."""
    visible, leaf_index = rendering.visible, rendering.leaf_at(match.start())
    leaf = rendering.leaves[leaf_index]
    first = value_of(match["first"])
    end, last = match.end(), value_of(match["last"]) if match["last"] else None
    if last is not None and "\n" in match["between"]:
        end, last = match.end("first"), None
    before, after = visible[max(leaf.start, match.start() - 60) : match.start()], visible[end : min(leaf.end, end + 12)]
    if _is_other(first, before, after):
        return None
    start, stop, is_bracketed = _widened(rendering, match.start(), end, leaf)
    around = None if is_bracketed else _brackets_around(visible, match.start(), end, leaf)
    if around is not None:
        is_bracketed = True
        start, stop = around if _holds_one_time(visible[around.start : around.end]) else (start, stop)
    is_link_text = link is not None and not any(map(str.isalnum, visible[link.start : match.start()] + visible[end : link.end]))
    is_code = any(code.start <= match.start() and end <= code.end for code in rendering.code)
    line_start = rendering.line_start(match.start(), leaf)
    heads = bool(_LINE_HEAD.fullmatch(visible, line_start, match.start()))
    is_short_unit = first.form is TimeForm.UNITS and not first.is_long and "m" not in match["first"]
    counts = is_bracketed or link is not None or is_code or ((first.is_long or heads) and not is_short_unit)
    if is_short_unit and not counts and _DECADE.fullmatch(match["first"]):
        return None
    moments = (first.moment_ms, last.moment_ms if last else None)
    note = ""
    if first.moment_ms is None or (last is not None and last.moment_ms is None):
        moments, note = (None, None), f"“{visible[match.start() : end]}” is not a possible time."
    address = link.address if link is not None else ""
    if address and source_address and address_time(address) and not same_recording(address, source_address):
        moments, note = (None, None), _elsewhere(address)
    elif address and moments[0] is not None:
        linked = address_time(address)
        if linked and linked[2] is not None and linked[2] // 1000 != moments[0] // 1000:
            note = f"The time “{visible[match.start() : end]}” and its link's address ({address}) do not agree."
    return Timestamp(
        min(start, link.start) if link and is_link_text else start,
        max(stop, link.end) if link and is_link_text else stop,
        moments[0],
        moments[1],
        TextSpan(match.start(), end),
        TextSpan(match.start("first"), match.end("first")),
        first.form,
        address,
        TextSpan(link.address_start, link.address_end) if link and address else TextSpan(0, 0),
        leaf_index,
        counts,
        heads,
        note,
    )


def _broken(rendering: Rendering, match: re.Match[str]) -> Timestamp:
    """What is written like a time and is none keeps its place, so that no other time is taken for it."""
    leaf_index = rendering.leaf_at(match.start())
    leaf = rendering.leaves[leaf_index]
    written = match["broken"].rstrip(".,")
    span = TextSpan(match.start(), match.start() + len(written))
    start, end, _ = _widened(rendering, span.start, span.end, leaf)
    heads = bool(_LINE_HEAD.fullmatch(rendering.visible, rendering.line_start(span.start, leaf), span.start))
    shown = written if len(written) <= _LONGEST_BRACKETS else f"{written[:_LONGEST_BRACKETS]}…"
    note = f"“{shown}” is not a possible time."
    return Timestamp(start, end, None, None, span, span, TimeForm.CLOCK, "", TextSpan(0, 0), leaf_index, True, heads, note)


def _is_other(first: Value, before: str, after: str) -> bool:
    """Whether it is a clock time, a date's time, a score, a ratio or a verse."""
    if first.form is not TimeForm.CLOCK:
        return False
    if _DAY_AFTER.match(after) or _DATE_BEFORE.search(before):
        return True
    if first.is_long:
        return False
    return bool(_SCORE_AFTER.match(after) or _BOOK.search(before) or _SCORE_BEFORE.search(before))


def _written_address(rendering: Rendering, match: re.Match[str], source_address: str) -> Timestamp | None:
    """An address that stands in the text and carries a time."""
    written = match["url"].rstrip(".,;:!?*_'’”")
    while written.endswith((")", "]")) and written.count(written[-1]) > written.count({")": "(", "]": "["}[written[-1]]):
        written = written[:-1]
    timed = address_time(written)
    if timed is None:
        return None
    start, end = match.start(), match.start() + len(written)
    leaf_index = rendering.leaf_at(start)
    wide_start, wide_end, _ = _widened(rendering, start, end, rendering.leaves[leaf_index])
    source = rendering.source_span(start, end)
    return _linked(rendering, TextSpan(wide_start, wide_end), TextSpan(start, end), written, source, timed[:2], source_address)


def _add_address(found: list[Timestamp], rendering: Rendering, link: Link, source_address: str, covered: int) -> None:
    """A link whose text is no time, but whose address carries one."""
    timed = address_time(link.address)
    if timed is None or link.start < covered:
        return
    span = TextSpan(link.start, link.end)
    source = TextSpan(link.address_start, link.address_end)
    start, end, _ = _widened(rendering, link.start, link.end, rendering.leaves[rendering.leaf_at(link.start)])
    stamp = _linked(rendering, TextSpan(start, end), span, link.address, source, timed[:2], source_address)
    found.append(stamp._replace(is_around=any(map(str.isalnum, rendering.visible[link.start : link.end]))))


def _linked(
    rendering: Rendering,
    wide: TextSpan,
    span: TextSpan,
    address: str,
    source: TextSpan,
    value: tuple[int, int],
    source_address: str,
) -> Timestamp:
    moment = value_of(address[value[0] : value[1]]).moment_ms
    note = f"“{address}” carries no possible time." if moment is None else ""
    if source_address and not same_recording(address, source_address):
        moment, note = None, _elsewhere(address)
    leaf_index = rendering.leaf_at(span.start)
    leaf = rendering.leaves[leaf_index]
    heads = bool(_LINE_HEAD.fullmatch(rendering.visible, rendering.line_start(span.start, leaf), span.start))
    return Timestamp(
        wide.start, wide.end, moment, None, span, span, TimeForm.LINK, address, source, leaf_index, True, heads, note
    )


def _elsewhere(address: str) -> str:
    return f"The link {address} leads to another recording than the source."


def _widened(rendering: Rendering, start: int, end: int, leaf: Leaf) -> tuple[int, int, bool]:
    """Return a span with the brackets that hold nothing else, and whether there are any."""
    visible, is_bracketed = rendering.visible, False
    while True:
        low, high = start, end
        while low > leaf.start and visible[low - 1] in _PADDING:
            low -= 1
        while high < leaf.end and visible[high] in _PADDING:
            high += 1
        if low == leaf.start or high == leaf.end or _BRACKETS.get(visible[low - 1]) != visible[high]:
            return start, end, is_bracketed
        start, end, is_bracketed = low - 1, high + 1, True


def _brackets_around(visible: str, start: int, end: int, leaf: Leaf) -> TextSpan | None:
    """Return the span of the brackets that a time stands in beside other words, if the nearest ones on both sides match."""
    low, high = max(leaf.start, start - _LONGEST_BRACKETS), min(leaf.end, end + _LONGEST_BRACKETS)
    opening = max((visible.rfind(each, low, start), each) for each in _BRACKETS)
    closing = max(visible.rfind(each, low, start) for each in _BRACKETS.values())
    if opening[0] < 0 or closing > opening[0]:
        return None
    close = visible.find(_BRACKETS[opening[1]], end, high)
    again = visible.find(opening[1], end, high)
    if close < 0 or 0 <= again < close:
        return None
    return TextSpan(opening[0], close + 1)


def _holds_one_time(words: str) -> bool:
    """Whether brackets hold one time and no quotation, so that they go with the time as a whole."""
    return not any(each in QUOTE_MARKS and each not in SINGLES for each in words) and len(_FOUND.findall(words)) == 1
