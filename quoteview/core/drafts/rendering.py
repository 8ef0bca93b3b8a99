"""What a reader of a draft sees, with the way back to the draft's characters: the one form all formats turn into.

A format file (plain, Markdown, HTML) drives a `RenderingBuilder`; marks, timestamps and claims then work on
the finished `Rendering` and know no format. Positions in `visible` and in the source both count code points.

`visible` is the draft's shown text, one stretch for each leaf (paragraph, heading, cell), a line feed
between leaves. A soft line end inside a leaf joins by the rule for borders: one space, or nothing between
scripts written without spaces. What is not shown (code blocks, comments, addresses, hidden elements) is a
`Zone`, so that its quote marks have a role.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from quoteview.core.drafts.draft import Completeness, MarkRole
from quoteview.core.drafts.source import SourceText
from quoteview.core.joins import join
from quoteview.core.spans import TextSpan


class LeafKind(StrEnum):
    """What a stretch of shown text is; `CODE` and `EMBED` show something else than words."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    CELL = "cell"
    CODE = "code"
    EMBED = "embed"
    METADATA = "metadata"


class Segment(NamedTuple):
    """Shown characters `start` to `end` and the source characters they come from; literal ones map one to one."""

    start: int
    end: int
    source_start: int
    source_end: int
    is_literal: bool


class Zone(NamedTuple):
    """Source characters that are not shown as words, and the role of quote marks in them."""

    start: int
    end: int
    role: MarkRole


class Link(NamedTuple):
    """A link: its shown span, and its address with the source characters of it."""

    start: int
    end: int
    address: str
    address_start: int
    address_end: int


class Leaf(NamedTuple):
    """A stretch of shown text that quote marks pair in. `quotation` and `row` are -1 outside; `items` innermost last."""

    kind: LeafKind
    start: int
    end: int
    source_start: int
    quotation: int
    items: tuple[int, ...]
    row: int
    level: int


class BlockQuotation(NamedTuple):
    """A block quotation: the source characters of its opening (and closing) notation, its leaves, its parent or -1."""

    open_start: int
    open_end: int
    close_start: int
    close_end: int
    first_leaf: int
    end_leaf: int
    parent: int


class Quotes(NamedTuple):
    """An HTML `q`: shown positions and source spans of its tags; the closing ones are -1 where it never closes."""

    start: int
    end: int
    open_start: int
    open_end: int
    close_start: int
    close_end: int


class _Border(NamedTuple):
    """White space that waits for more text: its source, whether it joins like a line end, and whether it is one to see."""

    start: int
    end: int
    joins: bool
    is_line: bool


@dataclass(frozen=True, slots=True)
class Rendering:
    """A draft's shown text and structure. `line_ends` are positions in `visible` where a new line of a leaf begins."""

    source: SourceText
    visible: str
    segments: tuple[Segment, ...]
    leaves: tuple[Leaf, ...]
    quotations: tuple[BlockQuotation, ...]
    quotes: tuple[Quotes, ...]
    links: tuple[Link, ...]
    zones: tuple[Zone, ...]
    code: tuple[TextSpan, ...]
    line_ends: tuple[int, ...]
    embeds: tuple[int, ...]
    defects: tuple[Completeness, ...]
    _starts: tuple[int, ...] = field(repr=False)

    def segments_of(self, start: int, end: int) -> list[Segment]:
        """Return the segments of shown characters `start` to `end`, literal ones cut to fit, in order."""
        found: list[Segment] = []
        at = max(0, bisect_right(self._starts, start) - 1)
        while at < len(self.segments) and self.segments[at].start < end:
            segment = self.segments[at]
            at += 1
            if segment.end <= start:
                continue
            if segment.is_literal:
                low, high = max(segment.start, start), min(segment.end, end)
                shift = segment.source_start - segment.start
                segment = Segment(low, high, low + shift, high + shift, True)
            found.append(segment)
        return found

    def source_span(self, start: int, end: int) -> TextSpan:
        """Return the source span from the first to the last of these shown characters (empty where none is mapped)."""
        segments = self.segments_of(start, end)
        if not segments:
            return TextSpan(0, 0)
        return TextSpan(segments[0].source_start, segments[-1].source_end)

    def leaf_at(self, position: int) -> int:
        """Return the index of the leaf that holds a shown position."""
        return max(0, bisect_right(self.leaves, position, key=lambda leaf: leaf.start) - 1)

    def line_start(self, position: int, leaf: Leaf) -> int:
        """Return where the line of a shown position begins, inside its leaf."""
        at = bisect_right(self.line_ends, position) - 1
        return max(leaf.start, self.line_ends[at]) if at >= 0 else leaf.start

    def line_end(self, position: int, leaf: Leaf) -> int:
        """Return where the line of a shown position ends, inside its leaf."""
        at = bisect_left(self.line_ends, position + 1)
        return min(leaf.end, self.line_ends[at]) if at < len(self.line_ends) else leaf.end


class RenderingBuilder:
    """Collects a draft's shown text in the order of the source; `finished()` gives the `Rendering`."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.length = 0
        self.items: tuple[int, ...] = ()
        self.row = -1
        self.is_in_leaf = False
        self._characters = source.text
        self._parts: list[str] = []
        self._segments: list[Segment] = []
        self._leaves: list[Leaf] = []
        self._quotations: list[BlockQuotation] = []
        self._open_quotations: list[int] = []
        self._quotes: list[Quotes] = []
        self._open_quotes: list[int] = []
        self._links: list[Link] = []
        self._zones: list[Zone] = []
        self._code: list[TextSpan] = []
        self._line_ends: list[int] = []
        self._embeds: list[int] = []
        self._defects: list[Completeness] = []
        self._last = ""
        self._pending: _Border | None = None
        self._leaf_kind = LeafKind.PARAGRAPH
        self._leaf_level = 0
        self._leaf_start = 0
        self._leaf_source = 0
        self._item_count = 0
        self._row_count = 0

    def begin_leaf(self, source_start: int, kind: LeafKind = LeafKind.PARAGRAPH, level: int = 0) -> None:
        """Begin a stretch of shown text, ending one that is open."""
        self.end_leaf()
        if self.length:
            self._parts.append("\n")
            self.length += 1
        self.is_in_leaf = True
        self._leaf_kind, self._leaf_level = kind, level
        self._leaf_start, self._leaf_source = self.length, source_start
        self._last = ""
        self._pending = None

    def end_leaf(self) -> None:
        """End the open stretch; one that shows nothing is forgotten, unless it shows an image."""
        if not self.is_in_leaf:
            return
        self.is_in_leaf = False
        self._pending = None
        kind = self._leaf_kind
        if self.length == self._leaf_start and kind in (LeafKind.PARAGRAPH, LeafKind.CELL):
            if not (self._embeds and self._embeds[-1] >= self._leaf_start):
                if self._parts and self._parts[-1] == "\n":
                    self._parts.pop()
                    self.length -= 1
                    self._leaf_start -= 1
                if kind is LeafKind.PARAGRAPH:
                    return
            else:
                kind = LeafKind.EMBED if kind is LeafKind.PARAGRAPH else kind
        self._add_leaf(kind, self._leaf_source, self._leaf_level)

    @property
    def is_leaf_empty(self) -> bool:
        """Whether the open stretch shows nothing yet."""
        return self.length == self._leaf_start

    def block(self, start: int, end: int, kind: LeafKind, role: MarkRole | None) -> None:
        """Add a block that shows no words of its own (a code block, front matter); its source is a zone of `role`."""
        self.end_leaf()
        self._leaf_start = self.length
        self._add_leaf(kind, start, 0)
        if role is not None:
            self._zones.append(Zone(start, end, role))

    def text(self, start: int, end: int) -> None:
        """Show source characters as they are; a paragraph begins where none is open."""
        if end <= start:
            return
        if not self.is_in_leaf:
            self.begin_leaf(start)
        self._join(self._characters[start])
        self._add(self._characters[start:end], start, end, True)

    def decoded(self, text: str, start: int, end: int) -> None:
        """Show the text that a reference or an escape stands for."""
        if not text:
            return
        if not self.is_in_leaf:
            self.begin_leaf(start)
        self._join(text[0])
        is_literal = self._characters[start:end] == text
        self._add(text, start, end, is_literal)

    def line_end(self, start: int, end: int) -> None:
        """Note a line end that a reader may see (source `start` to `end`); it joins when more text of the leaf follows."""
        if self._last and (self._pending is None or not self._pending.is_line):
            self._pending = _Border(start, end, True, True)

    def white_space(self, start: int, end: int) -> None:
        """Note white space that the format collapses: a space between words, a join where it holds a line end."""
        if self._last and self._pending is None:
            written = self._characters[start:end]
            self._pending = _Border(start, end, "\n" in written or "\r" in written, False)

    def zone(self, start: int, end: int, role: MarkRole) -> None:
        """Note source characters that are not shown as words."""
        if end > start:
            self._zones.append(Zone(start, end, role))

    def inline_code(self, start: int, end: int) -> None:
        """Note that shown characters `start` to `end` are code: their quote marks make no claim."""
        if end > start:
            self._code.append(TextSpan(start, end))

    def link(self, start: int, end: int, address: str, address_start: int, address_end: int) -> None:
        """Note a link over shown characters `start` to `end`."""
        self._links.append(Link(start, end, address, address_start, address_end))

    def embed(self) -> None:
        """Note an image at this place."""
        self._embeds.append(self.length)

    def defect(self, reason: str, position: int) -> None:
        """Note something that never closes, at a source position."""
        self._defects.append(Completeness(reason, self.source.line_of(position)))

    def new_item(self) -> int:
        """Return a fresh id for a list item."""
        self._item_count += 1
        return self._item_count

    def new_row(self) -> int:
        """Return a fresh id for a table row."""
        self._row_count += 1
        return self._row_count

    def open_quotation(self, start: int, end: int) -> None:
        """Open a block quotation whose notation is at source `start` to `end`."""
        self.end_leaf()
        parent = self._open_quotations[-1] if self._open_quotations else -1
        self._open_quotations.append(len(self._quotations))
        self._quotations.append(BlockQuotation(start, end, -1, -1, len(self._leaves), len(self._leaves), parent))

    def close_quotation(self, start: int = -1, end: int = -1) -> None:
        """Close the innermost block quotation; -1 where nothing is written there."""
        self.end_leaf()
        if self._open_quotations:
            at = self._open_quotations.pop()
            self._quotations[at] = self._quotations[at]._replace(close_start=start, close_end=end, end_leaf=len(self._leaves))

    def open_quotes(self, start: int, end: int) -> None:
        """Open an HTML `q` whose tag is at source `start` to `end`."""
        self._open_quotes.append(len(self._quotes))
        self._quotes.append(Quotes(self.length, -1, start, end, -1, -1))

    def close_quotes(self, start: int, end: int) -> bool:
        """Close the innermost `q`; False where none is open."""
        if not self._open_quotes:
            return False
        at = self._open_quotes.pop()
        self._quotes[at] = self._quotes[at]._replace(end=self.length, close_start=start, close_end=end)
        return True

    def abandon_quotes(self) -> None:
        """Forget the innermost `q`, which never closes."""
        if self._open_quotes:
            self._open_quotes.pop()

    def finished(self) -> Rendering:
        """Return what was collected."""
        self.end_leaf()
        while self._open_quotations:
            self.close_quotation()
        visible = "".join(self._parts)
        return Rendering(
            source=self.source,
            visible=visible,
            segments=tuple(self._segments),
            leaves=tuple(self._leaves),
            quotations=tuple(self._quotations),
            quotes=tuple(self._quotes),
            links=tuple(sorted(_trimmed(link, visible) for link in self._links)),
            zones=tuple(sorted(self._zones)),
            code=tuple(self._code),
            line_ends=tuple(self._line_ends),
            embeds=tuple(self._embeds),
            defects=tuple(self._defects),
            _starts=tuple(segment.start for segment in self._segments),
        )

    def _join(self, following: str) -> None:
        if self._pending is None:
            return
        start, end, joins, is_line = self._pending
        self._pending = None
        border = join(self._last, following) if joins else " "
        if is_line:
            self._line_ends.append(self.length + len(border))
        if border:
            self._add(border, start, end, self._characters[start:end] == border)

    def _add(self, text: str, start: int, end: int, is_literal: bool) -> None:
        at = self.length
        self.length += len(text)
        self._parts.append(text)
        self._last = text[-1]
        if is_literal and self._segments:
            before = self._segments[-1]
            if before.is_literal and before.end == at and before.source_end == start:
                self._segments[-1] = Segment(before.start, self.length, before.source_start, end, True)
                return
        self._segments.append(Segment(at, self.length, start, end, is_literal))

    def _add_leaf(self, kind: LeafKind, source_start: int, level: int) -> None:
        quotation = self._open_quotations[0] if self._open_quotations else -1
        self._leaves.append(Leaf(kind, self._leaf_start, self.length, source_start, quotation, self.items, self.row, level))


def _trimmed(link: Link, visible: str) -> Link:
    """Return a link without the white space that its element holds at the ends, and inside one leaf."""
    shown = visible[link.start : link.end]
    start = link.start + len(shown) - len(shown.lstrip())
    shown = visible[link.start : start] + visible[start : link.end].partition("\n")[0]
    return link._replace(start=start, end=max(start, link.start + len(shown.rstrip())))
