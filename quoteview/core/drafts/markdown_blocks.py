"""Markdown's blocks: the first pass over a draft, line by line, and the definitions of links and footnotes.

Block quotations, list items and code nest as CommonMark has it, a paragraph's lazy continuation included; tables,
footnotes and front matter are read too. Nesting is bounded, and every line is looked at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from quoteview.core.drafts.draft import MarkRole
from quoteview.core.drafts.markdown_inline import Definitions, InlineLine, normal_label
from quoteview.core.drafts.rendering import LeafKind, RenderingBuilder

_DEEPEST = 48
"""Containers inside one another; what is deeper is text. CommonMark sets no limit, no draft comes near."""

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")
_PLAIN = re.compile(r"[^\s>#+*=_`~<|\-\d\[]")
_ATX = re.compile(r"(#{1,6})(?:[ \t]+|$)")
_ATX_END = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,}).*$")
_FENCE_END = re.compile(r"(`{3,}|~{3,})[ \t]*$")
_SETEXT = re.compile(r"(=+|-+)[ \t]*$")
_THEMATIC = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_MARKER = re.compile(r"([-+*]|(\d{1,9})[.)])(?=[ \t]|$)")
_DELIMITER_ROW = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*+\|?[ \t]*$")
_CELL = re.compile(r"(?:[^|\\]|\\.|\\$)*+")
_DEFINITION = re.compile(
    r"\[((?:[^\[\]\\]|\\.){1,999})\]:[ \t]*(<[^<>]*>|[^\s<]\S*)(?:[ \t]+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?[ \t]*$"
)
_FOOTNOTE = re.compile(r"\[\^([^\]\s]{1,99})\]:[ \t]*")
_FRONT_MATTER = re.compile(r"(---|\+\+\+)[ \t]*(?:\r\n|\r|\n)")
_FRONT_KEY = re.compile(r"[\w\"'-]+[ \t]*[:=]")
_RAW_START = re.compile(r"<(script|pre|style|textarea)(?=[\s>]|$)", re.IGNORECASE)
_HTML_BLOCK = re.compile(
    r"</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    r"fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|"
    r"menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)"
    r"(?=[\s/>]|$)",
    re.IGNORECASE,
)
_LONE_TAG = re.compile(
    r"<(?:/[A-Za-z][\w-]*[ \t]*|"
    r"[A-Za-z][\w-]*(?:[ \t]+[\w:.-]+(?:[ \t]*=[ \t]*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*+[ \t]*/?)>[ \t]*$"
)


class TextBlock(NamedTuple):
    """Lines to be shown: a paragraph, heading or cell."""

    kind: LeafKind
    level: int
    lines: tuple[InlineLine, ...]


class Code(NamedTuple):
    """A code block, fenced or indented: its place in the source."""

    start: int
    end: int


class Html(NamedTuple):
    """Lines of an HTML block; `role` where all of them are unseen and stand in a container."""

    pieces: tuple[InlineLine, ...]
    role: MarkRole | None


class Row(NamedTuple):
    """A table row."""

    cells: tuple[TextBlock, ...]


class Enter(NamedTuple):
    """A block quotation (at the source of its `>`) or, with -1, a list item begins."""

    start: int


class Leave(NamedTuple):
    """The innermost block quotation or list item ends."""

    is_quotation: bool


class Break(NamedTuple):
    """A thematic break."""

    start: int
    end: int


Event = TextBlock | Code | Html | Row | Enter | Leave | Break


class _Container(NamedTuple):
    """An open block quotation (`width` 0) or list item, whose text begins `width` columns further in."""

    width: int


@dataclass(slots=True)
class _Fence:
    character: str
    length: int
    start: int
    end: int


@dataclass(slots=True)
class _HtmlBlock:
    """An HTML block; `ending` is what ends it, None a blank line."""

    ending: re.Pattern[str] | None
    role: MarkRole | None
    pieces: list[InlineLine] = field(default_factory=list)


@dataclass(slots=True)
class _Table:
    columns: int


class Blocks:
    """The first pass: events in the order of the draft, and the definitions of links and footnotes."""

    def __init__(self, text: str, builder: RenderingBuilder) -> None:
        self.events: list[Event] = []
        self.definitions = Definitions({}, set())
        self._text = text
        self._builder = builder
        self._containers: list[_Container] = []
        self._paragraph: list[InlineLine] = []
        self._leaf: _Fence | _HtmlBlock | _Table | Code | None = None
        self._start = 0

    def read(self) -> None:
        """Find every block of the draft."""
        start = self._front_matter()
        for match in _LINE.finditer(self._text, start):
            self._line(match.start(), match.end(1), match.end())
        self._close_leaf(len(self._text))
        self._close_containers(0)

    def _front_matter(self) -> int:
        opened = _FRONT_MATTER.match(self._text)
        if opened is None:
            return 0
        fence = re.escape(opened[1]) if opened[1] == "+++" else r"(?:---|\.\.\.)"
        closed = re.compile(rf"^{fence}[ \t]*(?:\r\n|\r|\n|\Z)", re.MULTILINE).search(self._text, opened.end())
        looks_like_it = bool(_FRONT_KEY.match(self._text, opened.end()))
        if closed and (looks_like_it or closed.start() == opened.end() or opened[1] == "+++"):
            self._builder.block(0, closed.end(), LeafKind.METADATA, MarkRole.METADATA)
            return closed.end()
        if looks_like_it:
            self._builder.defect("The front matter never closes.", 0)
        return 0

    # One line.

    def _line(self, start: int, end: int, after: int) -> None:
        text, at, column, matched = self._text, start, 0, 0
        if not self._containers and self._leaf is None and start < end and _PLAIN.match(text, start):
            self._add_to_paragraph(start, end, after)
            return
        for container in self._containers:
            place, place_column = self._indent(at, end, column)
            if container.width:
                if place < end and place_column - column < container.width:
                    break
                at, column = self._advance(at, end, column, container.width)
            elif place < end and text[place] == ">" and place_column - column < 4:
                at, column = place + 1, place_column + 1
                if at < end and text[at] in " \t":
                    at, column = at + 1, column + 1
            else:
                break
            matched += 1
        is_matched = matched == len(self._containers)
        if is_matched and self._continue_leaf(at, end, after, column):
            return
        if not is_matched and self._leaf is not None:
            self._close_leaf(start)
        self._block(matched, at, end, after, column)

    def _continue_leaf(self, at: int, end: int, after: int, column: int) -> bool:
        """Go on with a fence or HTML block; return whether the line belonged to it."""
        match self._leaf:
            case _Fence() as fence:
                place, place_column = self._indent(at, end, column)
                closing = _FENCE_END.match(self._text, place, end) if place_column - column < 4 else None
                fence.end = end
                if closing and closing[1][0] == fence.character and len(closing[1]) >= fence.length:
                    self.events.append(Code(fence.start, end))
                    self._leaf = None
                return True
            case _HtmlBlock() as block:
                if block.ending is None and not self._text[at:end].strip():
                    self._close_leaf(at)
                    return False
                block.pieces.append(InlineLine(at, end, after))
                if block.ending is not None and block.ending.search(self._text, at, end):
                    self._close_leaf(end)
                return True
            case _:
                return False

    def _block(self, matched: int, at: int, end: int, after: int, column: int) -> None:
        text, may_be_lazy = self._text, bool(self._paragraph)
        while True:
            place, place_column = self._indent(at, end, column)
            if place == end:
                self._blank(matched, at)
                return
            indent = place_column - column
            if indent >= 4 and not may_be_lazy:
                self._close_containers(matched)
                self._indented_code(at, end)
                return
            if indent >= 4:
                break
            character = text[place]
            is_here = matched == len(self._containers)
            if character == ">" and len(self._containers) < _DEEPEST:
                self._close_leaf(place)
                self._close_containers(matched)
                self._containers.append(_Container(0))
                self.events.append(Enter(place))
                at, column = place + 1, place_column + 1
                if at < end and text[at] in " \t":
                    at, column = at + 1, column + 1
                matched, may_be_lazy = matched + 1, False
                continue
            if self._leaf_block(character, matched, is_here, place, end, after):
                return
            marker = self._marker(place, end, is_here) if character in "-+*0123456789" else None
            if marker is None or len(self._containers) >= _DEEPEST:
                break
            self._close_leaf(place)
            self._close_containers(matched)
            width = self._item_width(marker, place, end, column, place_column)
            self._containers.append(_Container(width))
            self.events.append(Enter(-1))
            at, column = self._advance(at, end, column, width)
            at = max(at, marker.end())
            matched, may_be_lazy = matched + 1, False
        self._text_line(matched, may_be_lazy, place, end, after)

    def _leaf_block(self, character: str, matched: int, is_here: bool, place: int, end: int, after: int) -> bool:
        """Take a heading, fence, HTML block, thematic break or table's delimiter row; return whether the line was one."""
        text = self._text
        if character == "#":
            heading = _ATX.match(text, place, end)
            if heading:
                self._begin(matched, place)
                closing = _ATX_END.search(text, heading.end(), end)
                self._heading(len(heading[1]), heading.end(), closing.start() if closing else end, after)
                return True
        elif character in "`~":
            fence = _FENCE.match(text, place, end)
            if fence:
                self._begin(matched, place)
                run = fence[1] or fence[2]
                self._leaf = _Fence(run[0], len(run), place, end)
                return True
        elif character == "<":
            return self._html_block(matched, is_here, place, end, after)
        if character in "=-" and is_here and self._paragraph:
            underline = _SETEXT.match(text, place, end)
            if underline:
                self._setext(1 if character == "=" else 2)
                return True
        if character in "-:|" and is_here and self._paragraph and self._table(place, end, after):
            return True
        if character in "*-_" and _THEMATIC.match(text, place, end):
            self._begin(matched, place)
            self.events.append(Break(place, end))
            return True
        return False

    def _text_line(self, matched: int, may_be_lazy: bool, place: int, end: int, after: int) -> None:
        if isinstance(self._leaf, _Table):
            if matched == len(self._containers):
                self._row(InlineLine(place, end, after), self._leaf.columns)
                return
            self._close_leaf(place)
        if not may_be_lazy:
            self._close_containers(matched)
        self._add_to_paragraph(place, end, after)

    def _blank(self, matched: int, at: int) -> None:
        """A blank line ends a paragraph or table, and every block quotation that it is not inside of."""
        self._close_leaf(at)
        keep = matched
        while keep < len(self._containers) and self._containers[keep].width:
            keep += 1
        self._close_containers(keep)

    def _begin(self, matched: int, place: int) -> None:
        self._close_leaf(place)
        self._close_containers(matched)

    def _add_to_paragraph(self, start: int, end: int, after: int) -> None:
        self._paragraph.append(InlineLine(start, end, after))

    def _marker(self, place: int, end: int, is_here: bool) -> re.Match[str] | None:
        marker = _MARKER.match(self._text, place, end)
        if marker is None:
            return None
        interrupts = bool(self._paragraph) and is_here
        if interrupts and (not self._text[marker.end() : end].strip() or (marker[2] is not None and int(marker[2]) != 1)):
            return None
        return marker

    def _item_width(self, marker: re.Match[str], place: int, end: int, column: int, place_column: int) -> int:
        inner_column = place_column + marker.end() - place
        inner, content_column = self._indent(marker.end(), end, inner_column)
        gap = content_column - inner_column
        return (inner_column if inner == end or gap > 4 else content_column - 1) + 1 - column

    def _indent(self, at: int, end: int, column: int) -> tuple[int, int]:
        text = self._text
        while at < end and text[at] in " \t":
            column += 1 if text[at] == " " else 4 - column % 4
            at += 1
        return at, column

    def _advance(self, at: int, end: int, column: int, width: int) -> tuple[int, int]:
        target = column + width
        while at < end and column < target:
            column += 4 - column % 4 if self._text[at] == "\t" else 1
            at += 1
        return at, column

    # Leaves.

    def _heading(self, level: int, start: int, end: int, after: int) -> None:
        self.events.append(TextBlock(LeafKind.HEADING, level, (InlineLine(start, end, after),)))

    def _setext(self, level: int) -> None:
        lines = self._without_definitions()
        self._paragraph = []
        if lines:
            self.events.append(TextBlock(LeafKind.HEADING, level, tuple(lines)))

    def _indented_code(self, start: int, end: int) -> None:
        self._close_leaf(start)
        last = self.events[-1] if self.events else None
        if isinstance(last, Code) and not self._text[last.end : start].strip():
            self.events[-1] = Code(last.start, end)
        else:
            self.events.append(Code(start, end))

    def _html_block(self, matched: int, is_here: bool, place: int, end: int, after: int) -> bool:
        text = self._text
        ending: re.Pattern[str] | None = None
        role: MarkRole | None = None
        raw = _RAW_START.match(text, place, end)
        if raw:
            ending, role = re.compile(rf"</{raw[1]}>", re.IGNORECASE), MarkRole.CODE
        elif text.startswith("<!--", place):
            ending, role = re.compile("-->"), MarkRole.COMMENT
        elif text.startswith(("<?", "<!"), place):
            ending, role = re.compile(">"), MarkRole.MARKUP
        elif not _HTML_BLOCK.match(text, place, end) and ((self._paragraph and is_here) or not _LONE_TAG.match(text, place, end)):
            return False
        self._begin(matched, place)
        self._leaf = _HtmlBlock(ending, role, [InlineLine(place, end, after)])
        if ending is not None and ending.search(text, place + 2, end):
            self._close_leaf(end)
        return True

    def _table(self, place: int, end: int, after: int) -> bool:
        """Begin a table where this line is the delimiter row under the paragraph's last line."""
        if not _DELIMITER_ROW.match(self._text, place, end):
            return False
        header = self._paragraph[-1]
        columns = len(self._cells(InlineLine(place, end, after)))
        if "|" not in self._text[header.start : header.end] or len(self._cells(header)) != columns:
            return False
        self._paragraph.pop()
        self._close_leaf(header.start)
        self._leaf = _Table(columns)
        self._row(header, columns)
        return True

    def _cells(self, line: InlineLine) -> list[InlineLine]:
        text, start, end = self._text, line.start, line.end
        while end > start and text[end - 1] in " \t":
            end -= 1
        while start < end and text[start] in " \t":
            start += 1
        if start < end and text[start] == "|":
            start += 1
        cells: list[InlineLine] = []
        while start < end:
            match = _CELL.match(text, start, end)
            stop = match.end() if match else end
            cells.append(InlineLine(start, stop, stop))
            start = stop + 1
        return cells

    def _row(self, line: InlineLine, columns: int) -> None:
        cells = self._cells(line)[: max(columns, 1)]
        self.events.append(Row(tuple(TextBlock(LeafKind.CELL, 0, (cell,)) for cell in cells)))

    def _without_definitions(self) -> list[InlineLine]:
        lines = self._paragraph
        while lines:
            line = lines[0]
            start, end = line.start, line.end
            place, _ = self._indent(start, end, 0)
            if not self._text.startswith("[", place):
                break
            footnote = _FOOTNOTE.match(self._text, place, end)
            if footnote:
                self.definitions.footnotes.add(normal_label(footnote[1]))
                return [InlineLine(footnote.end(), end, line.after), *lines[1:]]
            definition = _DEFINITION.match(self._text, place, end)
            if definition is None:
                break
            address = definition[2]
            low, high = definition.span(2)
            if address.startswith("<"):
                low, high = low + 1, high - 1
            self.definitions.links.setdefault(normal_label(definition[1]), (low, high))
            self._builder.zone(place, end, MarkRole.MARKUP)
            lines = lines[1:]
        return lines

    def _close_leaf(self, place: int) -> None:
        """End the paragraph, fence, HTML block or table at hand."""
        if self._paragraph:
            lines = self._without_definitions()
            self._paragraph = []
            if lines:
                self.events.append(TextBlock(LeafKind.PARAGRAPH, 0, tuple(lines)))
        leaf, self._leaf = self._leaf, None
        match leaf:
            case _Fence():
                self._builder.defect("A code fence never closes.", leaf.start)
                self.events.append(Code(leaf.start, leaf.end))
            case _HtmlBlock():
                self.events.append(Html(tuple(leaf.pieces), leaf.role if self._containers else None))
            case _:
                pass

    def _close_containers(self, keep: int) -> None:
        if len(self._containers) > keep:
            self._close_leaf(0)
        while len(self._containers) > keep:
            self.events.append(Leave(not self._containers.pop().width))
