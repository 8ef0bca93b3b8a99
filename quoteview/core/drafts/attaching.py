"""Attaches times to quotations.

The rules, in their order. (1) A time that adjoins a quotation is its own: only white space, punctuation, brackets or
a dash between them, or the border of neighbouring table cells; where two adjoin, the one after. (2) The next one
in its sentence after it, (3) one before it in its paragraph; neither may adjoin another quotation, unless that
is the last of a list which this one belongs to (“a” and “b” (0:05)). (4) The one at the head of its paragraph, list
item or block, or in the attribution line (there without brackets too). (5) The next one in its paragraph. The cells of
a table row are one paragraph.

Three refinements. A paragraph that is nothing but a time adjoins: in brackets the claim above it, without them the one
below. Where each line of a paragraph is headed by a time, the time that heads the next line belongs to the next
line. A time between two quotations is that of the one before it; the one after it takes it only where its
sentence has no other.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

from quoteview.core.drafts.mark_shapes import QUOTE_MARKS
from quoteview.core.drafts.rendering import Rendering
from quoteview.core.drafts.timestamps import Timestamp

_SENTENCE_END = re.compile(r"[.!?…]+[\"”’»›)\]]*\s+(?=[^\W\d_a-zß-öø-ÿа-я]|[“„\"«‘¿¡])|[。！？](?![」』）])")
_STOP = re.compile(r"[.!?]\s")
_ENDS_SENTENCE = re.compile(r"[.!?…。！？][\"”’»›]*\Z")
_STARTS_SENTENCE = re.compile(r"\s+[^\W\d_a-zß-öø-ÿа-я]")
_LIST_JOINT = re.compile(r"[\s,;/&+]*(?:(?:and|or|und|oder|et|ou|y|e|o|och|en|и|і|та|dann|then)\b[\s,]*)?", re.IGNORECASE)

_DASH = re.compile(r"\s*(?:[—–―]|--)")
_LOOKED_AT = 100
"""How many times a search looks at, so that a paragraph of ten thousand stays linear."""
_LONGEST_SENTENCE = 1000


class Quoted(NamedTuple):
    """A quotation for attaching: its shown span with its marks, and the leaves where it begins and ends."""

    start: int
    end: int
    first_leaf: int
    last_leaf: int


class Attached(NamedTuple):
    """The time of a quotation, by its index, and whether it adjoins this quotation and serves no other."""

    stamp: int
    is_own: bool


def attach(
    rendering: Rendering, quoted: list[Quoted], stamps: list[Timestamp], attributions: dict[int, int]
) -> list[Attached | None]:
    """Return for each quotation its time or None. Both lists are in order; `attributions` gives, for a block
    quotation, the shown position where its attribution line begins."""
    if not stamps:
        return [None] * len(quoted)
    return _Attaching(rendering, quoted, stamps, attributions).run()


class _Attaching:
    def __init__(self, rendering: Rendering, quoted: list[Quoted], stamps: list[Timestamp], attributions: dict[int, int]) -> None:
        self._rendering, self._visible, self._leaves = rendering, rendering.visible, rendering.leaves
        self._quoted, self._stamps, self._attributions = quoted, stamps, attributions
        self._starts = [stamp.start for stamp in stamps]
        self._after: list[int] = []
        self._before: list[int] = []
        self._adjoined: dict[int, list[int]] = {}
        self._heads = self._head_times()
        self._item_starts: dict[int, int] = {}
        for index, leaf in enumerate(rendering.leaves):
            for item in leaf.items:
                self._item_starts.setdefault(item, index)

    def run(self) -> list[Attached | None]:
        for index, each in enumerate(self._quoted):
            self._after.append(self._adjoining_after(each))
            self._before.append(self._adjoining_before(each))
            for stamp in {self._after[-1], self._before[-1]} - {-1}:
                self._adjoined.setdefault(stamp, []).append(index)
        chosen = [self._choose(index) for index in range(len(self._quoted))]
        uses: dict[int, int] = {}
        for stamp in chosen:
            uses[stamp] = uses.get(stamp, 0) + 1
        return [
            None if stamp < 0 else Attached(stamp, uses[stamp] == 1 and index in self._adjoined.get(stamp, ()))
            for index, stamp in enumerate(chosen)
        ]

    def _choose(self, index: int) -> int:
        each = self._quoted[index]
        after, before = self._after[index], self._before[index]
        # (1) adjoining
        if after >= 0 and not (before >= 0 and self._belongs_to_next_line(each, before, after)):
            return after
        is_between = before >= 0 and any(self._after[other] == before for other in self._adjoined[before] if other != index)
        if before >= 0 and not is_between:
            return before
        low, high = self._paragraph(each)
        # (2) next in its sentence
        sentence_end = self._sentence_end(each, high)
        following = self._following(index, each, high)
        if following >= 0 and self._is_before(following, sentence_end):
            return following
        if before >= 0:
            return before
        # (3) before it in its paragraph
        preceding = self._preceding(index, each, low)
        if preceding >= 0:
            return preceding
        # (4) at the head, or in the attribution
        head = self._head(each)
        if head >= 0:
            return head
        attribution = self._attribution(each)
        if attribution >= 0:
            return attribution
        # (5) the next one in its paragraph; a block quotation may hold one in the middle
        return following if following >= 0 else self._within(each)

    def _adjoining_after(self, each: Quoted) -> int:
        at = bisect_left(self._starts, each.end)
        if at == len(self._stamps):
            return -1
        stamp, leaf = self._stamps[at], self._leaves[each.last_leaf]
        if stamp.leaf != each.last_leaf and self._is_lone_paragraph(stamp, each.last_leaf, 1):
            return at if self._is_gap(each.end, leaf.end) and not self._visible[stamp.start].isdigit() else -1
        if stamp.leaf != each.last_leaf:
            is_neighbour = leaf.row >= 0 and stamp.leaf == each.last_leaf + 1 and self._leaves[stamp.leaf].row == leaf.row
            if not is_neighbour or not stamp.counts_alone:
                return -1
            is_alone = self._is_alone(stamp)
            is_near = self._is_gap(each.end, leaf.end) and self._is_gap(self._leaves[stamp.leaf].start, stamp.start)
            return at if is_alone or is_near else -1
        if not self._is_gap(each.end, stamp.start):
            return -1
        if not stamp.counts_alone and _STOP.search(self._visible, each.end, stamp.start):
            return at if stamp.end >= self._rendering.line_end(stamp.start, leaf) - 1 else -1
        return at

    def _adjoining_before(self, each: Quoted) -> int:
        at = bisect_left(self._starts, each.start) - 1
        if at < 0:
            return -1
        stamp, leaf = self._stamps[at], self._leaves[each.first_leaf]
        if stamp.leaf != each.first_leaf and self._is_lone_paragraph(stamp, each.first_leaf, -1):
            return at if self._is_gap(leaf.start, each.start) and self._visible[stamp.start].isdigit() else -1
        if stamp.leaf != each.first_leaf:
            neighbour = self._leaves[stamp.leaf]
            is_neighbour = leaf.row >= 0 and stamp.leaf == each.first_leaf - 1 and neighbour.row == leaf.row
            if not is_neighbour or not stamp.counts_alone:
                return -1
            is_near = self._is_gap(stamp.end, neighbour.end) and self._is_gap(leaf.start, each.start)
            return at if self._is_alone(stamp) or is_near else -1
        if stamp.end > each.start or not self._is_gap(stamp.end, each.start):
            return -1
        if not stamp.counts_alone and _STOP.search(self._visible, stamp.end, each.start):
            return -1
        return at

    def _is_gap(self, start: int, end: int) -> bool:
        """Whether nothing but white space, punctuation, brackets and dashes stands there."""
        if end - start > 40:
            return False
        return not any(character.isalnum() or character in QUOTE_MARKS for character in self._visible[start:end])

    def _is_alone(self, stamp: Timestamp) -> bool:
        """Whether a cell holds nothing but this time."""
        leaf = self._leaves[stamp.leaf]
        return self._is_gap(leaf.start, stamp.start) and self._is_gap(stamp.end, leaf.end)

    def _is_lone_paragraph(self, stamp: Timestamp, leaf: int, step: int) -> bool:
        """Whether the paragraph next to a leaf holds nothing but this time."""
        return stamp.leaf == leaf + step and self._leaves[stamp.leaf].row < 0 and self._is_alone(stamp)

    def _belongs_to_next_line(self, each: Quoted, before: int, after: int) -> bool:
        ahead, behind = self._stamps[after], self._stamps[before]
        leaf = self._leaves[each.last_leaf]
        if ahead.leaf != each.last_leaf or behind.leaf != ahead.leaf or not (ahead.heads_line and behind.heads_line):
            return False
        is_headed = self._heads.get(each.last_leaf, -1) >= 0
        return is_headed and self._rendering.line_start(ahead.start, leaf) >= each.end

    def _paragraph(self, each: Quoted) -> tuple[int, int]:
        """Return the shown span of the quotation's paragraph: its leaves, or the whole row of its cell."""
        low, high = each.first_leaf, each.last_leaf
        row = self._leaves[low].row
        while row >= 0 and low > 0 and self._leaves[low - 1].row == row:
            low -= 1
        while row >= 0 and high + 1 < len(self._leaves) and self._leaves[high + 1].row == row:
            high += 1
        return self._leaves[low].start, self._leaves[high].end

    def _sentence_end(self, each: Quoted, high: int) -> int:
        end, visible = each.end, self._visible
        high = min(high, end + _LONGEST_SENTENCE)
        inner_end = end - 1 if end > each.start and visible[end - 1] in QUOTE_MARKS else end
        if _ENDS_SENTENCE.search(visible, max(each.start, inner_end - 3), inner_end) and _STARTS_SENTENCE.match(
            visible, end, high
        ):
            return end
        at = end
        following = bisect_left(self._quoted, (each.end,))
        while True:
            found = _SENTENCE_END.search(visible, at, high)
            if found is None:
                return high
            while following < len(self._quoted) and self._quoted[following].end <= found.start():
                following += 1
            if following < len(self._quoted) and self._quoted[following].start < found.start():
                at = max(found.end(), self._quoted[following].end)
                continue
            return found.end()

    def _following(self, index: int, each: Quoted, high: int) -> int:
        nearest = bisect_left(self._starts, each.end)
        for at in range(nearest, min(len(self._stamps), nearest + _LOOKED_AT)):
            stamp = self._stamps[at]
            if not self._is_before(at, high):
                return -1
            adjoined = [other for other in self._adjoined.get(at, ()) if other != index]
            if not adjoined and stamp.counts_alone:
                return at
            if adjoined:
                is_list = adjoined == [adjoined[0]] and adjoined[0] > index and self._is_list(index, adjoined[0])
                return at if is_list else -1
        return -1

    def _is_before(self, stamp: int, end: int) -> bool:
        """Whether a time begins before a place; a link's around a quotation has no width, and may stand right at it."""
        return self._stamps[stamp].start < end or self._stamps[stamp].end == end

    def _is_list(self, first: int, last: int) -> bool:
        """Whether only commas and an “and” stand between these quotations."""
        if last - first > 12:
            return False
        return all(
            _LIST_JOINT.fullmatch(self._visible, self._quoted[at].end, self._quoted[at + 1].start) for at in range(first, last)
        )

    def _preceding(self, index: int, each: Quoted, low: int) -> int:
        nearest = bisect_left(self._starts, each.start) - 1
        for at in range(nearest, max(-1, nearest - _LOOKED_AT), -1):
            stamp = self._stamps[at]
            if stamp.start < low:
                return -1
            if stamp.counts_alone and not [other for other in self._adjoined.get(at, ()) if other != index]:
                return at
        return -1

    def _head_times(self) -> dict[int, int]:
        heads: dict[int, int] = {}
        for index, stamp in enumerate(self._stamps):
            leaf = self._leaves[stamp.leaf]
            is_first = stamp.heads_line and self._rendering.line_start(stamp.start, leaf) == leaf.start
            if is_first and stamp.counts_alone and stamp.leaf not in heads:
                heads[stamp.leaf] = index
        return heads

    def _head(self, each: Quoted) -> int:
        leaf = self._leaves[each.first_leaf]
        if each.first_leaf in self._heads:
            return self._heads[each.first_leaf]
        for item in reversed(leaf.items):
            head = self._heads.get(self._item_starts[item], -1)
            if head >= 0:
                return head
        first = -1
        if leaf.row >= 0:
            first = self._rendering.leaf_at(self._paragraph(each)[0])
        elif leaf.quotation >= 0:
            first = self._rendering.quotations[leaf.quotation].first_leaf
        return self._heads.get(first, -1)

    def _within(self, each: Quoted) -> int:
        at = bisect_left(self._starts, each.start)
        return at if at < len(self._stamps) and self._stamps[at].start < each.end else -1

    def _attribution(self, each: Quoted) -> int:
        leaf = self._leaves[each.last_leaf]
        if leaf.quotation < 0:
            begins = self._rendering.line_start(leaf.end - 1, leaf)
            high = leaf.end if begins >= each.end and _DASH.match(self._visible, begins) else -1
        else:
            begins = self._attributions.get(leaf.quotation, -1)
            high = self._leaves[self._rendering.quotations[leaf.quotation].end_leaf - 1].end if begins >= 0 else -1
        at = bisect_left(self._starts, begins)
        return at if at < len(self._stamps) and self._stamps[at].start < high else -1
