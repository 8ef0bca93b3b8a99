"""TTML, DFXP and IMSC: paragraphs of `tt` with nested times, white space as XML has it.

A `p` with times is a cue. In a `p` without any, each `span` with times is a cue of its own, and text
outside them is one with the times of what the `p` stands in. A timed `span` in a timed `p` gives word times.
`br` ends a line. With `xml:space="default"` (inherited) a run of white space is one space: a run that
begins with a space and holds no line end is that space, any other run is a border between two lines; next
to a line end it is layout. With `preserve` it is text, and line ends end lines. Ruby readings and their
delimiters, `metadata` and elements that are not TTML's content are left out. A paragraph whose begin
cannot be read is unread. `ttm:agent` names the speaker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from quoteview.core.captions.building import TrackBuilder
from quoteview.core.captions.scan import View
from quoteview.core.captions.track import CaptionFormat, Track
from quoteview.core.captions.ttml_times import Interval, Rates, interval, milliseconds, rates_of
from quoteview.core.captions.xmltext import DEEPEST, Kind, Token, Xml, add_aside, add_lines, how_of, root_name
from quoteview.core.ledger import EntryKind, How
from quoteview.core.spans import ByteSpan

_CONTENT = frozenset(("tt", "body", "div", "p", "span"))
_EMPTY_CONTENT = frozenset(("br", "set", "animate"))
_READINGS = frozenset(("text", "textContainer", "delimiter"))
_TIMES = ("begin", "end", "dur")
_WHITE = re.compile(rb"(?:[ \t\r\n]|&#(?:0*(?:9|10|13|32)|x0*(?:9|[aAdD]|20));)+")
_LITERAL_WHITE = re.compile(rb"[ \t\r\n]+")
_HOLDS_LINE_END = re.compile(rb"[\r\n]|&#(?:0*1[03]|x0*[aAdD]);")


@dataclass(slots=True)
class _Element:
    """An open element: its own times and what its children inherit."""

    name: str
    active: Interval
    is_timed: bool = False
    in_sequence: bool = False  # its children follow one another
    cursor: Fraction = Fraction(0)  # where the next child of a sequence begins
    latest: Fraction | None = None  # the latest end of a child
    keeps_space: bool = False
    is_reading: bool = False
    is_unread: bool = False
    speaker: str | None = None
    word_ms: int | None = None  # a word time that the next text takes
    owns_cue: bool = False


def recognises(view: View) -> bool:
    """Return whether the root element is `tt`."""
    return root_name(view) == "tt"


def read(view: View) -> Track:
    """Return the track. Raises `CaptionError` for broken XML, no cues, and only empty ones."""
    return _Reader(view, Xml(view)).track()


class _Reader:
    """Walks the tokens once with a stack of open elements."""

    def __init__(self, view: View, xml: Xml) -> None:
        self._view = view
        self._xml = xml
        self._builder = TrackBuilder(view, CaptionFormat.TTML)
        self._builder.entry(EntryKind.LAYOUT, view.start, xml.start)
        self._rates = Rates()
        self._language = ""
        self._agents: dict[str, str] = {}
        self._ruby_styles: dict[str, str] = {}
        self._open: list[_Element] = []
        self._has_cue = False
        self._after_space = True  # white space that comes next adds nothing

    def track(self) -> Track:
        """Read the whole file."""
        tokens = self._xml.tokens()
        for token in tokens:
            match token.kind:
                case Kind.START if token.local in _CONTENT:
                    self._start(token)
                    if token.is_empty:
                        self._end()
                case Kind.START if token.local == "br":
                    if self._has_cue:
                        self._builder.end_line()
                        self._after_space = True
                case Kind.START if token.local not in _EMPTY_CONTENT and not token.is_empty:
                    self._aside(token, tokens)
                case Kind.END if token.local in _CONTENT:
                    self._end()
                case Kind.TEXT | Kind.CDATA:
                    self._text(token)
                case Kind.ASIDE:
                    add_aside(self._builder, self._xml, token)
        return self._builder.finish(gap=EntryKind.MARKUP, language=self._language)

    def _aside(self, tag: Token, tokens: Iterator[Token]) -> None:
        """Head, metadata and foreign elements are metadata as a whole; agents and ruby styles in them are noted."""
        depth, end, agent, named_from = 1, tag.end, "", -1
        for token in tokens:
            end = token.end
            if token.kind is Kind.START:
                depth += not token.is_empty
                found = self._xml.attributes(token) if token.local in ("agent", "style") else {}
                if token.local == "agent":
                    agent = self._xml.value(found.get("xml:id"))
                elif token.local == "style":
                    self._style(found)
                named_from = token.end if token.local == "name" and not token.is_empty else named_from
            elif token.kind is Kind.END:
                if token.local == "name" and agent and named_from >= 0:
                    name = self._xml.value(ByteSpan(named_from, token.start)).strip()
                    self._agents.setdefault(agent, name)
                depth -= 1
                if not depth:
                    break
        self._builder.entry(EntryKind.METADATA, tag.start, end)

    def _style(self, found: dict[str, ByteSpan]) -> None:
        ruby = next((span for name, span in found.items() if name.rpartition(":")[2] == "ruby"), None)
        if ruby is not None:
            self._ruby_styles[self._xml.value(found.get("xml:id", found.get("id")))] = self._xml.value(ruby)

    def _start(self, tag: Token) -> None:
        found = self._xml.attributes(tag)
        local = {name.rpartition(":")[2]: self._xml.value(span) for name, span in found.items()}
        if tag.local == "tt":
            self._rates = rates_of(local)
            self._language = self._xml.value(found.get("xml:lang"))
        times = {name: seconds for name in _TIMES if (seconds := self._rates.seconds(local.get(name, ""))) is not None}
        element = self._element(tag, local, times)
        if "begin" in found and "begin" not in times:
            element.is_unread = True
        space = self._xml.value(found.get("xml:space"))
        if space:
            element.keeps_space = space == "preserve"
        self._open.append(element)
        if len(self._open) > DEEPEST:
            raise self._view.refuse("it nests too deeply", tag.start, remedy="Fetch or export the captions again.")
        if times and not element.is_unread:
            self._timed(element, [found[name] for name in _TIMES if name in times])

    def _element(self, tag: Token, local: dict[str, str], times: dict[str, Fraction]) -> _Element:
        parent = self._open[-1] if self._open else _Element("", Interval(Fraction(0), None))
        reference = parent.cursor if parent.in_sequence else parent.active.begin
        active = interval(parent.active, reference, times, in_sequence=parent.in_sequence)
        agent = next((name for name in local.get("agent", "").split()), None)
        ruby = local.get("ruby") or next(
            (self._ruby_styles[style] for style in local.get("style", "").split() if style in self._ruby_styles), ""
        )
        return _Element(
            tag.local,
            active,
            is_timed=bool(times),
            in_sequence=local.get("timeContainer") == "seq",
            cursor=active.begin,
            keeps_space=parent.keeps_space,
            is_reading=parent.is_reading or ruby in _READINGS,
            is_unread=parent.is_unread,
            speaker=parent.speaker if agent is None else self._agents.get(agent, agent),
        )

    def _timed(self, element: _Element, spans: list[ByteSpan]) -> None:
        """Open a cue for an element with times, or note them: of a block for its cues, of a span as a word's."""
        if element.name == "p" or (element.name == "span" and self._paragraph_is_untimed()):
            if self._has_cue:
                self._close()
            self._begin(element)
        elif element.name == "span":
            element.word_ms = milliseconds(element.active.begin)
            return
        for start, end in spans:
            self._builder.entry(EntryKind.TIMING, start, end)

    def _paragraph_is_untimed(self) -> bool:
        """Return whether the last element stands in a paragraph, and neither that nor a span round it has times."""
        for element in reversed(self._open[:-1]):
            if element.is_timed or element.name not in ("p", "span"):
                return False
            if element.name == "p":
                return True
        return False

    def _begin(self, element: _Element) -> None:
        begin, end = element.active
        self._builder.begin_cue(milliseconds(begin), None if end is None else milliseconds(end))
        self._has_cue = self._after_space = True
        element.owns_cue = True

    def _close(self) -> None:
        self._builder.end_cue()
        self._has_cue = False
        for element in self._open:
            element.owns_cue = False

    def _end(self) -> None:
        if not self._open:
            return
        element = self._open[-1]
        if element.owns_cue:
            self._close()
        self._open.pop()
        if self._open:
            parent = self._open[-1]
            end = element.active.end or element.latest or element.active.begin
            parent.cursor = end
            parent.latest = end if parent.latest is None else max(parent.latest, end)

    def _text(self, token: Token) -> None:
        element = self._open[-1] if self._open else None
        paragraph = next((e for e in reversed(self._open) if e.name not in ("span",)), None)
        is_blank = self._xml.is_blank(token)
        if element is None or paragraph is None or paragraph.name != "p" or element.is_unread:
            add_aside(self._builder, self._xml, token)
            return
        if element.is_reading:
            return  # a reading is markup, as its tags are
        if not self._has_cue:
            if is_blank:
                add_aside(self._builder, self._xml, token)
                return
            self._begin(paragraph)
        self._builder.speak(element.speaker)
        if not is_blank:
            self._word_time(token.start)
        if element.keeps_space:
            add_lines(self._builder, self._xml.data, token.start, token.end, is_literal=token.kind is Kind.CDATA)
            self._after_space = False
        else:
            self._collapsing(token)

    def _word_time(self, start: int) -> None:
        """Give the innermost time that still waits for a word to the text that begins here."""
        waiting = [element for element in self._open if element.word_ms is not None]
        if waiting and waiting[-1].word_ms is not None:
            self._builder.word_time(start, waiting[-1].word_ms)
        for element in waiting:
            element.word_ms = None

    def _collapsing(self, token: Token) -> None:
        """Add text whose white space collapses; a single space between two words is left in its run."""
        data, at = self._xml.data, token.start
        is_literal = token.kind is Kind.CDATA
        for match in (_LITERAL_WHITE if is_literal else _WHITE).finditer(data, token.start, token.end):
            start, end = match.span()
            if end - start == 1 and data[start] == 0x20 and at < start and end < token.end:
                continue
            self._words(at, start, is_literal)
            self._white(start, end)
            at = end
        self._words(at, token.end, is_literal)

    def _words(self, start: int, end: int, is_literal: bool) -> None:
        if start < end:
            self._builder.text(start, end, How.LITERAL if is_literal else how_of(self._xml.data, start, end))
            self._after_space = False

    def _white(self, start: int, end: int) -> None:
        data = self._xml.data
        if not self._after_space:
            self._after_space = True
            if data[start] == 0x20 and not _HOLDS_LINE_END.search(data, start, end):
                self._builder.text(start, start + 1)
                start += 1
            else:
                self._builder.end_line()
        self._builder.entry(EntryKind.LAYOUT, start, end, how_of(data, start, end))
