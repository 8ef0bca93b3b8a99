"""Markdown's inline text: emphasis, code spans, links, HTML, escapes and references, by CommonMark.

What is markup is left out of the shown text; every other character is shown from its own place. All searches
are bounded or remembered, so that the time is linear in the text.
"""

from __future__ import annotations

import html
import html.entities
import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from quoteview.core.drafts.draft import MarkRole
from quoteview.core.drafts.html import HtmlElements
from quoteview.core.drafts.rendering import RenderingBuilder
from quoteview.core.joins import LAYOUT_CHARACTERS

_SPECIAL = re.compile(r"[\\`*_~<&\[\]]")
_TOKEN = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])|(?P<line>\\?\n)|(?P<ticks>`+)|(?P<run>\*+|_+|~+)|(?P<entity>&(?:\#\d{1,7}|\#[xX][\da-fA-F]{1,6}|\w{2,31});)"
    r"|(?P<open>!?\[)|(?P<close>\])|(?P<angle><)|(?P<text>[^\\\n`*_~&!\[\]<]+|.)",
    re.DOTALL,
)
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>")
_TAG = re.compile(
    r"</[A-Za-z][A-Za-z0-9-]*\s*>|<[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*+\s*/?>"
)
_TARGET = re.compile(
    r"\(\s*+(?:<(?P<angled>[^<>\n]*)>|(?P<bare>(?:[^\s()<\\]|\\.|\((?:[^\s()\\]|\\.)*+\))*+))"
    r"(?:\s++(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\)))?\s*+\)",
    re.DOTALL,
)
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){0,999})\]", re.DOTALL)
_FOOTNOTE = re.compile(r"\[\^([^\]\s]{1,99})\]")
_LONGEST_LABEL = 999


class InlineLine(NamedTuple):
    """One line of a leaf: its content in the source, and where its line end ends."""

    start: int
    end: int
    after: int


class Definitions(NamedTuple):
    """Link definitions (label to the address's source place) and the footnotes' labels."""

    links: dict[str, tuple[int, int]]
    footnotes: set[str]


def normal_label(label: str) -> str:
    """Return a label as labels are matched: case and white space do not matter."""
    return " ".join(label.split()).casefold()


def show_inline(
    builder: RenderingBuilder, elements: HtmlElements, lines: tuple[InlineLine, ...], definitions: Definitions
) -> None:
    """Show the inline text of a leaf that has begun."""
    characters = builder.source.text
    trimmed: list[InlineLine] = []
    for line in lines:
        written = characters[line.start : line.end]
        shown = written.strip(LAYOUT_CHARACTERS)
        start = line.start + len(written) - len(written.lstrip(LAYOUT_CHARACTERS))
        trimmed.append(InlineLine(start, start + len(shown), line.after))
    text = "\n".join(characters[line.start : line.end] for line in trimmed)
    if _SPECIAL.search(text):
        _Inline(builder, elements, trimmed, text, definitions).show()
        return
    for line in trimmed:
        builder.text(line.start, line.end)
        builder.line_end(line.end, line.after)


class _Shown(NamedTuple):
    """Characters shown as they are, or as `decoded`."""

    start: int
    end: int
    decoded: str | None = None


class _LineEnd(NamedTuple):
    start: int
    end: int


class _Code(NamedTuple):
    start: int
    end: int


class _Tag(NamedTuple):
    start: int
    end: int


class _Unshown(NamedTuple):
    start: int
    end: int
    is_image: bool


class _LinkStart(NamedTuple):
    start: int


class _LinkEnd(NamedTuple):
    """The end of a link: the markup from `start` to `end`, and the address's source place."""

    start: int
    end: int
    address_start: int
    address_end: int


@dataclass(slots=True)
class _Run:
    """A run of `*`, `_` or `~`: what is left of it is shown; `before` and `after` chain the runs that may still match."""

    character: str
    start: int
    end: int
    length: int
    can_open: bool
    can_close: bool
    before: _Run | None = None
    after: _Run | None = None


class _Bracket(NamedTuple):
    event: int
    start: int
    is_image: bool
    run: _Run | None
    serial: int


_Event = _Shown | _LineEnd | _Code | _Tag | _Unshown | _LinkStart | _LinkEnd | _Run


class _Inline:
    """Reads one leaf's text. Offsets count characters of `text`, where lines are joined by line feeds."""

    def __init__(
        self, builder: RenderingBuilder, elements: HtmlElements, lines: list[InlineLine], text: str, definitions: Definitions
    ) -> None:
        self._builder, self._elements, self._lines = builder, elements, lines
        self._text, self._definitions = text, definitions
        self._offsets = [0]
        for line in lines:
            self._offsets.append(self._offsets[-1] + line.end - line.start + 1)
        self._events: list[_Event] = []
        self._brackets: list[_Bracket] = []
        self._last_run: _Run | None = None
        self._no_link_before = -1
        self._ticks: dict[int, list[int]] | None = None
        self._no_comment = False

    def show(self) -> None:
        at, length = 0, len(self._text)
        while at < length:
            match = _TOKEN.match(self._text, at)
            if match is None:
                break
            at = self._take(match)
        self._match_runs(None)
        self._emit()

    def _take(self, match: re.Match[str]) -> int:
        start, end = match.span()
        match match.lastgroup:
            case "escape":
                self._events.append(_Shown(start, end, match[0][1]))
            case "line":
                self._events.append(_LineEnd(start, end))
            case "ticks":
                return self._code(start, end)
            case "run":
                self._run(start, end)
            case "entity":
                is_known = match[0][1] == "#" or match[0][1:] in html.entities.html5
                self._events.append(_Shown(start, end, html.unescape(match[0]) if is_known else None))
            case "open":
                return self._open(start, end)
            case "close":
                return self._close(start)
            case "angle":
                return self._angle(start)
            case _:
                self._events.append(_Shown(start, end))
        return end

    def _code(self, start: int, end: int) -> int:
        if self._ticks is None:
            self._ticks = {}
            for match in re.finditer("`+", self._text):
                self._ticks.setdefault(len(match[0]), []).append(match.start())
        places = self._ticks.get(end - start, [])
        following = bisect_right(places, start)
        if following == len(places):
            self._events.append(_Shown(start, end))
            return end
        close = places[following]
        self._events.append(_Code(end, close))
        return close + end - start

    def _run(self, start: int, end: int) -> None:
        text = self._text
        character = text[start]
        before = text[start - 1] if start else "\n"
        after = text[end] if end < len(text) else "\n"
        left = not after.isspace() and (not _is_punctuation(after) or before.isspace() or _is_punctuation(before))
        right = not before.isspace() and (not _is_punctuation(before) or after.isspace() or _is_punctuation(after))
        can_open, can_close = left, right
        if character == "_":
            can_open = left and (not right or _is_punctuation(before))
            can_close = right and (not left or _is_punctuation(after))
        if character == "~" and end - start > 2:
            can_open = can_close = False
        run = _Run(character, start, end, end - start, can_open, can_close)
        self._events.append(run)
        if can_open or can_close:
            run.before = self._last_run
            if self._last_run is not None:
                self._last_run.after = run
            self._last_run = run

    def _open(self, start: int, end: int) -> int:
        footnote = _FOOTNOTE.match(self._text, start) if end - start == 1 else None
        if footnote and normal_label(footnote[1]) in self._definitions.footnotes:
            self._events.append(_Unshown(start, footnote.end(), False))
            return footnote.end()
        self._brackets.append(_Bracket(len(self._events), start, end - start == 2, self._last_run, len(self._brackets)))
        self._events.append(_Shown(start, end))
        return end

    def _close(self, start: int) -> int:
        """Take a closing bracket: the end of a link or an image, or text."""
        if not self._brackets:
            self._events.append(_Shown(start, start + 1))
            return start + 1
        bracket = self._brackets.pop()
        is_dead = not bracket.is_image and bracket.event < self._no_link_before
        target = None if is_dead else self._target(bracket, start)
        if target is None:
            self._events.append(_Shown(start, start + 1))
            return start + 1
        end, low, high = target
        if bracket.is_image:
            del self._events[bracket.event :]
            self._drop_runs(bracket.run)
            self._events.append(_Unshown(bracket.start, end, True))
            return end
        self._match_runs(bracket.run)
        self._events[bracket.event] = _LinkStart(bracket.start)
        self._events.append(_LinkEnd(start, end, low, high))
        self._no_link_before = len(self._events)
        return end

    def _target(self, bracket: _Bracket, close: int) -> tuple[int, int, int] | None:
        """Return where a link's markup ends and its address's source place."""
        text = self._text
        if text.startswith("(", close + 1):
            match = _TARGET.match(text, close + 1)
            if match:
                low, high = match.span("angled" if match["angled"] is not None else "bare")
                return match.end(), self._source(low), self._source(high)
        if not self._definitions.links:
            return None
        end, label = close + 1, ""
        explicit = _LABEL.match(text, close + 1)
        if explicit:
            end, label = explicit.end(), explicit[1]
        opened = bracket.start + (2 if bracket.is_image else 1)
        if not label.strip() and close - opened <= _LONGEST_LABEL:
            label = text[opened:close]
        place = self._definitions.links.get(normal_label(label)) if label else None
        return None if place is None else (end, *place)

    def _angle(self, start: int) -> int:
        text = self._text
        autolink = _AUTOLINK.match(text, start)
        if autolink:
            low, high = autolink.span(1)
            self._events += [
                _LinkStart(start),
                _Shown(low, high),
                _LinkEnd(high, high + 1, self._source(low), self._source(high)),
            ]
            return autolink.end()
        if text.startswith("<!--", start) and not self._no_comment:
            close = text.find("-->", start + 4)
            if close >= 0:
                self._events.append(_Tag(start, close + 3))
                return close + 3
            self._no_comment = True
        tag = _TAG.match(text, start)
        if tag:
            self._events.append(_Tag(start, tag.end()))
            return tag.end()
        self._events.append(_Shown(start, start + 1))
        return start + 1

    # Emphasis.

    def _match_runs(self, bottom: _Run | None) -> None:
        """Match the runs after `bottom`, as CommonMark's procedure has it, and forget them."""
        bottoms: dict[tuple[str, bool, int], _Run | None] = {}
        closer = self._first_after(bottom)
        while closer is not None:
            if not closer.can_close:
                closer = closer.after
                continue
            key = (closer.character, closer.can_open, closer.length % 3)
            opener = self._opener(closer, bottom, bottoms.get(key, bottom))
            if opener is None:
                bottoms[key] = closer.before
                following = closer.after
                if not closer.can_open:
                    self._unlink(closer)
                closer = following
                continue
            closer = self._pair(opener, closer)
        self._drop_runs(bottom)

    def _first_after(self, bottom: _Run | None) -> _Run | None:
        if bottom is not None:
            return bottom.after
        run = self._last_run
        while run is not None and run.before is not None:
            run = run.before
        return run

    def _opener(self, closer: _Run, bottom: _Run | None, known: _Run | None) -> _Run | None:
        opener = closer.before
        while opener is not None and opener is not bottom and opener is not known:
            if opener.character == closer.character and opener.can_open and _may_pair(opener, closer):
                return opener
            opener = opener.before
        return None

    def _pair(self, opener: _Run, closer: _Run) -> _Run | None:
        """Take the markup of a matched pair out; return the run to go on with."""
        size = 2 if opener.end - opener.start >= 2 and closer.end - closer.start >= 2 else 1
        opener.end -= size
        closer.start += size
        opener.after, closer.before = closer, opener
        if opener.start == opener.end:
            self._unlink(opener)
        if closer.start < closer.end:
            return closer
        following = closer.after
        self._unlink(closer)
        return following

    def _unlink(self, run: _Run) -> None:
        if run.before is not None:
            run.before.after = run.after
        if run.after is not None:
            run.after.before = run.before
        elif self._last_run is run:
            self._last_run = run.before

    def _drop_runs(self, bottom: _Run | None) -> None:
        if bottom is not None:
            bottom.after = None
        self._last_run = bottom

    # Showing.

    def _source(self, offset: int) -> int:
        at = bisect_right(self._offsets, offset) - 1
        if at >= len(self._lines):
            return self._lines[-1].end
        line = self._lines[at]
        return min(line.start + offset - self._offsets[at], line.end)

    def _emit(self) -> None:
        builder, links = self._builder, [0]
        for event in self._events:
            role = self._elements.hidden_role
            match event:
                case _Tag(start, end):
                    self._elements.markup(self._source(start), self._source(end - 1) + 1)
                case _LinkStart():
                    links.append(builder.length)
                case _LinkEnd(start, end, low, high):
                    builder.zone(self._source(start), self._source(end - 1) + 1, MarkRole.MARKUP)
                    address = html.unescape(builder.source.text[low:high])
                    builder.link(links.pop(), builder.length, address, low, high)
                case _Unshown(start, end, is_image):
                    builder.zone(self._source(start), self._source(end - 1) + 1, MarkRole.MARKUP)
                    if is_image:
                        builder.embed()
                case _ if role is not None:
                    builder.zone(self._source(event.start), self._source(event.end - 1) + 1, role)
                case _Shown(start, end, decoded):
                    low, high = self._source(start), self._source(end - 1) + 1
                    if decoded is None:
                        builder.text(low, high)
                    else:
                        builder.decoded(decoded, low, high)
                case _LineEnd(start):
                    self._emit_line_end(start)
                case _Code(start, end):
                    self._emit_code(start, end)
                case _Run():
                    if event.start < event.end:
                        builder.text(self._source(event.start), self._source(event.end - 1) + 1)
        self._builder.end_leaf()

    def _emit_line_end(self, start: int) -> None:
        line = self._lines[bisect_right(self._offsets, start) - 1]
        self._builder.line_end(line.end, line.after)

    def _emit_code(self, start: int, end: int) -> None:
        """Show a code span, without the space that sets backticks off at both ends."""
        text, begin = self._text[start:end], self._builder.length
        if len(text) > 2 and text[0] in " \n" and text[-1] in " \n" and text.strip(" \n"):
            start, end = start + 1, end - 1
        while start < end:
            stop = self._text.find("\n", start, end)
            stop = end if stop < 0 else stop
            if start < stop:
                self._builder.text(self._source(start), self._source(stop - 1) + 1)
            if stop < end:
                self._emit_line_end(stop)
            start = stop + 1
        self._builder.inline_code(begin, self._builder.length)


def _may_pair(opener: _Run, closer: _Run) -> bool:
    if opener.character == "~":
        return opener.length == closer.length
    if opener.can_close or closer.can_open:
        return (opener.length + closer.length) % 3 != 0 or (opener.length % 3 == 0 and closer.length % 3 == 0)
    return True


@lru_cache(maxsize=1024)
def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"
