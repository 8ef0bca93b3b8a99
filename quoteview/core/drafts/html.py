"""HTML drafts, and the HTML that Markdown may hold: lenient, and linear whatever the input.

White space collapses, `<br>` ends a line, block elements end a paragraph. Not shown are comments, `script`, `style`,
`template`, the head, attributes, elements with `hidden` or `display: none`; `pre` and `code` are code. Tags that never
close end with the element around them, as browsers do it.
"""

from __future__ import annotations

import html
import re
from typing import NamedTuple

from quoteview.core.drafts.draft import MarkRole
from quoteview.core.drafts.rendering import LeafKind, Rendering, RenderingBuilder
from quoteview.core.drafts.source import SourceText

_TOKEN = re.compile(r"<!--|</?[A-Za-z]|<[!?]|&#?\w+;?|[ \t\r\n\f]+|[^<& \t\r\n\f]+(?: [^<& \t\r\n\f]+)*+|[<&]")
_NAME = re.compile(r"</?([A-Za-z][^\s/>]*)")
_ATTRIBUTE = re.compile(r"[\s/]*([^\s\"'<>/=][^\s\"'<>/=]*)(?:\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'=<>`]+))?|[\s/]*[\"'=]")
_TAG_END = re.compile(r"[\s/]*>")
_NOT_DISPLAYED = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"])
_RAW = frozenset(("script", "style"))
_UNSHOWN: dict[str, MarkRole] = {
    "head": MarkRole.METADATA,
    "title": MarkRole.METADATA,
    "template": MarkRole.MARKUP,
    "noscript": MarkRole.MARKUP,
    "iframe": MarkRole.MARKUP,
    "audio": MarkRole.MARKUP,
    "video": MarkRole.MARKUP,
    "object": MarkRole.MARKUP,
    "rp": MarkRole.MARKUP,
    "rt": MarkRole.MARKUP,
    "pre": MarkRole.CODE,
    "listing": MarkRole.CODE,
}
_BLOCK_NAMES = """
    address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form
    h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody td tfoot th thead
    tr ul
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_INLINE_CODE = frozenset(("code", "kbd", "samp", "tt"))
_CELLS = frozenset(("td", "th"))
_SIBLINGS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset(("li",)), frozenset(("ul", "ol", "menu"))),
    "dt": (frozenset(("dt", "dd")), frozenset(("dl",))),
    "dd": (frozenset(("dt", "dd")), frozenset(("dl",))),
    "td": (_CELLS, frozenset(("tr", "table"))),
    "th": (_CELLS, frozenset(("tr", "table"))),
    "tr": (frozenset(("tr",)), frozenset(("table", "tbody", "thead", "tfoot"))),
    "option": (frozenset(("option",)), frozenset(("select",))),
}
_HEADINGS: dict[str, int] = {f"h{level}": level for level in range(1, 7)}
_MUST_CLOSE_NAMES = "blockquote q a table ul ol div section article em strong b i code pre span figure h1 h2 h3 h4 h5 h6"
_MUST_CLOSE = frozenset(_MUST_CLOSE_NAMES.split())


class _Element(NamedTuple):
    """An open element: its tag's place, what it hides, where its shown text begins, its link, the items outside it."""

    name: str
    start: int
    role: MarkRole | None
    shown_start: int
    address: str
    address_start: int
    address_end: int
    items: tuple[int, ...]


def render_html(source: SourceText) -> Rendering:
    """Return what a reader of an HTML page sees."""
    builder = RenderingBuilder(source)
    elements = HtmlElements(builder)
    elements.feed(0, len(source.text))
    elements.close_all()
    return builder.finished()


class HtmlElements:
    """The open elements of a page. Markdown keeps one over all its HTML, since a block there may stay open."""

    def __init__(self, builder: RenderingBuilder) -> None:
        self._builder = builder
        self._text = builder.source.text
        self._open: list[_Element] = []
        self._counts: dict[str, int] = {}
        self._roles: list[MarkRole] = []
        self._heading = 0

    @property
    def hidden_role(self) -> MarkRole | None:
        """The role of quote marks here, where an open element keeps text from being shown as words."""
        return self._roles[-1] if self._roles else None

    def feed(self, start: int, end: int) -> None:
        """Read source characters `start` to `end` as HTML."""
        text, at = self._text, start
        while at < end:
            match = _TOKEN.match(text, at, end)
            if match is None:
                return
            token = match[0]
            first = token[0]
            if first == "<" and len(token) > 1:
                at = self.markup(at, end)
            else:
                at = match.end()
                self._show(token, match.start(), at)

    def markup(self, start: int, end: int) -> int:
        """Read a tag, comment or declaration at `start`; return where it ends (`end` where it never does)."""
        text = self._text
        if text.startswith("<!--", start):
            close = text.find("-->", start + 4, end)
            stop = close + 3 if close >= 0 else end
            if close < 0:
                self._builder.defect("A comment never closes.", start)
            self._builder.zone(start, stop, MarkRole.COMMENT)
            return stop
        if text[start + 1] in "!?":
            close = text.find(">", start, end)
            stop = close + 1 if close >= 0 else end
            self._builder.zone(start, stop, MarkRole.MARKUP)
            return stop
        return self._tag(start, end)

    def close_all(self) -> None:
        """Close every element at the end of the draft; those that had to be closed are defects."""
        for element in self._open:
            if element.name in _MUST_CLOSE:
                self._builder.defect(f"A <{element.name}> never closes.", element.start)
        while self._open:
            self._pop(-1, -1)

    def _show(self, token: str, start: int, end: int) -> None:
        role = self.hidden_role
        if role is not None:
            self._builder.zone(start, end, role)
        elif token[0] in " \t\r\n\f":
            self._builder.white_space(start, end)
        else:
            self._ensure_leaf(start)
            if token[0] == "&" and len(token) > 1:
                self._builder.decoded(html.unescape(token), start, end)
            else:
                self._builder.text(start, end)

    def _ensure_leaf(self, start: int) -> None:
        if self._builder.is_in_leaf:
            return
        in_cell = self._builder.row >= 0 and (self._counts.get("td", 0) or self._counts.get("th", 0))
        kind = LeafKind.HEADING if self._heading else LeafKind.CELL if in_cell else LeafKind.PARAGRAPH
        self._builder.begin_leaf(start, kind, self._heading)

    def _tag(self, start: int, end: int) -> int:
        named = _NAME.match(self._text, start, end)
        if named is None:
            self._show("<", start, start + 1)
            return start + 1
        name, is_end = named[1].lower(), self._text[start + 1] == "/"
        attributes, at = self._attributes(named.end(), end)
        self._builder.zone(start, at, MarkRole.MARKUP)
        if is_end:
            self._end(name, start, at)
            return at
        self._start(name, attributes, start, at)
        return self._raw(name, at, end) if name in _RAW else at

    def _attributes(self, at: int, end: int) -> tuple[dict[str, tuple[str, int, int]], int]:
        """Return a tag's attributes, each with its value and the value's place, and where the tag ends."""
        attributes: dict[str, tuple[str, int, int]] = {}
        while True:
            close = _TAG_END.match(self._text, at, end)
            if close:
                return attributes, close.end()
            match = _ATTRIBUTE.match(self._text, at, end)
            if match is None:
                if at < end and self._text[at] != "<":
                    at = end
                if at >= end:
                    self._builder.defect("A tag never closes.", end - 1)
                return attributes, at
            at = match.end()
            if match[1] is not None:
                low, high = match.span(2)
                if match[2] is not None and match[2][0] in "\"'":
                    low, high = low + 1, high - 1
                value = html.unescape(self._text[low:high]) if match[2] is not None else ""
                attributes.setdefault(match[1].lower(), (value, low, high))

    def _raw(self, name: str, at: int, end: int) -> int:
        """Read the inside of `script` or `style`."""
        close = re.compile(rf"</{name}", re.IGNORECASE).search(self._text, at, end)
        stop = close.start() if close else end
        if close is None:
            self._builder.defect(f"A <{name}> never closes.", at - 1)
        self._builder.zone(at, stop, MarkRole.CODE)
        return stop

    def _start(self, name: str, attributes: dict[str, tuple[str, int, int]], start: int, end: int) -> None:
        builder = self._builder
        self._close_implied(name)
        if name == "br":
            if self.hidden_role is None:
                builder.line_end(start, end)
            return
        if name == "img" and self.hidden_role is None:
            self._ensure_leaf(start)
            builder.embed()
        if name in _BLOCKS:
            self._boundary(name)
        if name in _VOID:
            return
        role = _UNSHOWN.get(name)
        if role is None and ("hidden" in attributes or _NOT_DISPLAYED.search(attributes.get("style", ("", 0, 0))[0])):
            role = MarkRole.MARKUP
        if role is None and name == "dialog" and "open" not in attributes:
            role = MarkRole.MARKUP
        role = self.hidden_role or role
        items = builder.items
        if role is None:
            self._open_shown(name, start, end)
        elif name == "pre" and not self._roles:
            builder.block(start, start, LeafKind.CODE, None)
        address, low, high = attributes.get("href", ("", 0, 0)) if name == "a" else ("", 0, 0)
        self._open.append(_Element(name, start, role, builder.length, address, low, high, items))
        self._counts[name] = self._counts.get(name, 0) + 1
        if role is not None:
            self._roles.append(role)

    def _open_shown(self, name: str, start: int, end: int) -> None:
        builder = self._builder
        if name == "blockquote":
            builder.open_quotation(start, end)
        elif name == "q":
            self._ensure_leaf(start)
            builder.open_quotes(start, end)
        elif name == "li":
            builder.items = (*builder.items, builder.new_item())
        elif name == "tr":
            builder.row = builder.new_row()
        elif name in _CELLS and builder.row >= 0:
            builder.begin_leaf(end, LeafKind.CELL)
        elif name in _HEADINGS:
            self._heading = _HEADINGS[name]

    def _end(self, name: str, start: int, end: int) -> None:
        if not self._counts.get(name):
            if name in _BLOCKS:
                self._boundary(name)
            return
        while self._open[-1].name != name:
            self._pop(-1, -1)
        self._pop(start, end)

    def _pop(self, start: int, end: int) -> None:
        """Close the innermost element, whose end tag is at `start` to `end` (-1 where there is none)."""
        builder, element = self._builder, self._open.pop()
        self._counts[element.name] -= 1
        if element.role is not None:
            self._roles.pop()
            if element.name in _BLOCKS:
                self._boundary(element.name)
            return
        name = element.name
        if name in _INLINE_CODE:
            builder.inline_code(element.shown_start, builder.length)
        elif name == "a" and element.address:
            builder.link(element.shown_start, builder.length, element.address, element.address_start, element.address_end)
        elif name == "q" and start >= 0:
            builder.close_quotes(start, end)
        elif name == "q":
            builder.abandon_quotes()
        if name in _BLOCKS:
            self._boundary(name)
        if name == "blockquote":
            builder.close_quotation(start, end)
        elif name == "li":
            builder.items = element.items
        elif name == "tr":
            builder.row = -1
        elif name in _HEADINGS:
            self._heading = 0

    def _boundary(self, name: str) -> None:
        """End the paragraph; one that a cell has just begun goes on."""
        if name in _CELLS or name in ("tr", "table") or not self._builder.is_leaf_empty:
            self._builder.end_leaf()

    def _close_implied(self, name: str) -> None:
        """Close a paragraph, list item or cell whose end tag is left out before this start tag."""
        if name in _BLOCKS and self._counts.get("p"):
            at = len(self._open) - 1
            while at >= 0 and self._open[at].name not in _BLOCKS:
                at -= 1
            if at >= 0 and self._open[at].name == "p":
                while len(self._open) > at:
                    self._pop(-1, -1)
        siblings = _SIBLINGS.get(name)
        if siblings is None or not any(self._counts.get(sibling) for sibling in siblings[0]):
            return
        at = len(self._open) - 1
        while at >= 0 and self._open[at].name not in siblings[0]:
            if self._open[at].name in siblings[1]:
                return
            at -= 1
        while at >= 0 and len(self._open) > at:
            self._pop(-1, -1)
