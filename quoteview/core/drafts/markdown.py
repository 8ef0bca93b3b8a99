"""Markdown drafts: blocks by CommonMark with tables, footnotes and front matter, shown in the order of the draft.

The first pass finds the blocks and all link definitions, since a link may come before its definition; the second
one, here, shows them. HTML in the draft goes to the reader of HTML, whose elements may stay open over several blocks.
"""

from __future__ import annotations

from itertools import pairwise

from quoteview.core.drafts.draft import MarkRole
from quoteview.core.drafts.html import HtmlElements
from quoteview.core.drafts.markdown_blocks import Blocks, Break, Code, Enter, Html, Leave, Row, TextBlock
from quoteview.core.drafts.markdown_inline import show_inline
from quoteview.core.drafts.rendering import LeafKind, Rendering, RenderingBuilder
from quoteview.core.drafts.source import SourceText


def render_markdown(source: SourceText) -> Rendering:
    """Return what a reader of the rendered Markdown sees."""
    builder = RenderingBuilder(source)
    blocks = Blocks(source.text, builder)
    blocks.read()
    _SecondPass(builder, blocks).show()
    return builder.finished()


class _SecondPass:
    """The second pass: shows the blocks in order."""

    def __init__(self, builder: RenderingBuilder, blocks: Blocks) -> None:
        self._builder = builder
        self._blocks = blocks
        self._elements = HtmlElements(builder)
        self._items: list[int] = []

    def show(self) -> None:
        builder = self._builder
        for event in self._blocks.events:
            builder.items = tuple(self._items)
            match event:
                case TextBlock():
                    self._show_text(event)
                case Code(start, end):
                    builder.block(start, end, LeafKind.CODE, MarkRole.CODE)
                case Html():
                    self._show_html(event)
                case Row(cells):
                    builder.row = builder.new_row()
                    for cell in cells:
                        self._show_text(cell)
                    builder.end_leaf()
                    builder.row = -1
                case Enter(start):
                    self._enter(start)
                case Leave(is_quotation):
                    if is_quotation:
                        builder.close_quotation()
                    else:
                        builder.end_leaf()
                        self._items.pop()
                case Break():
                    builder.end_leaf()
        builder.end_leaf()
        self._elements.close_all()

    def _enter(self, start: int) -> None:
        if start >= 0:
            self._builder.open_quotation(start, start + 1)
        else:
            self._builder.end_leaf()
            self._items.append(self._builder.new_item())

    def _show_text(self, text: TextBlock) -> None:
        role = self._elements.hidden_role
        if role is not None:
            for line in text.lines:
                self._builder.zone(line.start, line.end, role)
            return
        self._builder.begin_leaf(text.lines[0].start, text.kind, text.level)
        show_inline(self._builder, self._elements, text.lines, self._blocks.definitions)
        self._builder.end_leaf()

    def _show_html(self, block: Html) -> None:
        self._builder.end_leaf()
        pieces = block.pieces
        if block.role is not None:
            for piece in pieces:
                self._builder.zone(piece.start, piece.end, block.role)
        elif all(left.after == right.start for left, right in pairwise(pieces)):
            self._elements.feed(pieces[0].start, pieces[-1].end)
        else:
            for piece in pieces:
                self._elements.feed(piece.start, piece.end)
                self._builder.white_space(piece.end, piece.after)
        self._builder.end_leaf()
