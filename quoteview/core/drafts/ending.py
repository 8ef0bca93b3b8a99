"""Whether a draft looks cut off: the draft's half of the `complete` gate.

The rules. A draft is whole when its last line (closing marks, brackets, links and times set aside) ends in
sentence-ending punctuation or is a list item, table row, code block, image, link or metadata line; fences, brackets,
quotations, links and front matter are closed; no heading stands with nothing under it; and an end mark, where
one is asked for, is there. Where it is, the last line is what stands before it. It is looked for in the file's own
text too, for in Markdown `###` by itself is a heading without words.
"""

from __future__ import annotations

import re

from quoteview.core.drafts.draft import Claim, Completeness, DraftFormat
from quoteview.core.drafts.mark_shapes import QUOTE_MARKS
from quoteview.core.drafts.rendering import Leaf, LeafKind, Rendering
from quoteview.core.drafts.timestamps import find_timestamps
from quoteview.core.spans import TextSpan

_SENTENCE_ENDS = frozenset(".!?…‽。！？｡؟۔।॥։።")
_LONGEST_TRAILER = 1000
"""Characters at the end of a line among which times and links are set aside."""
_CLOSERS = {")": "(", "]": "[", "}": "{", "）": "（", "］": "［", "】": "【"}
_OPENERS = frozenset(_CLOSERS.values())
_BRACKET = re.compile("[" + "".join(re.escape(each) for each in (*_CLOSERS, *_OPENERS)) + "]")
_ADDRESS = re.compile(r"https?://\S+|www\.\S+")
_SMILEY = re.compile(r"[:;=xX8]['-]?\Z")
_SET_ASIDE = "".join(QUOTE_MARKS) + "".join(_CLOSERS) + " \t\u00a0\u202f*_"
_LIST_LINE = re.compile(r"\s*(?:[-*+•‣–]|\d{1,3}[.)])\s+\S")
_ROW_LINE = re.compile(r"\s*\|.*\|\s*\Z")
_METADATA = re.compile(
    r"\s*(?:©|copyright\b|(?:sources?|authors?|by|written by|published|updated|last updated|date|tags?|keywords|topics|"
    r"categor(?:y|ies)|editors?|edited by|transcripts?|contact|e-?mail|licen[sc]e|photos?|images?|credits?|recorded|"
    r"recording|interviews?|video|audio|links?|url|website|via|quellen?|autor(?:in)?|foto|stand|fuente|fecha|auteur)\s*:)",
    re.IGNORECASE,
)


def defects(
    rendering: Rendering, claims: tuple[Claim, ...], end_mark: str = "", format: DraftFormat = DraftFormat.PLAIN
) -> tuple[Completeness, ...]:
    """Return every way in which the draft looks cut off, in the order of the draft. An empty draft is cut off."""
    found = list(rendering.defects)
    found += [Completeness("A quotation never closes.", claim.line) for claim in claims if not claim.is_closed]
    found += _open_brackets(rendering)
    found += _bare_headings(rendering)
    mark = end_mark.strip()
    found += _last_line(rendering, format, mark)
    if mark and not any(text.rstrip().endswith(mark) for text in (rendering.visible, rendering.source.text)):
        found.append(Completeness(f"The end mark “{mark}” is missing.", _last_line_number(rendering)))
    return tuple(sorted(found, key=lambda defect: defect.line))


def _open_brackets(rendering: Rendering) -> list[Completeness]:
    """Brackets that a paragraph leaves open; those in code, addresses and smileys are none."""
    found: list[Completeness] = []
    visible = rendering.visible
    unread = [*rendering.code, *(TextSpan(*match.span()) for match in _ADDRESS.finditer(visible))]
    unread.sort()
    at = 0
    for leaf in rendering.leaves:
        opened: dict[str, list[int]] = {}
        for match in _BRACKET.finditer(visible, leaf.start, leaf.end):
            place, character = match.start(), match[0]
            while at < len(unread) and unread[at].end <= place:
                at += 1
            is_unread = at < len(unread) and unread[at].start <= place
            if character in _CLOSERS:
                if opened.get(_CLOSERS[character]):
                    opened[_CLOSERS[character]].pop()
            elif not is_unread and not _SMILEY.search(visible, max(leaf.start, place - 2), place):
                opened.setdefault(character, []).append(place)
        places = [each[0] for each in opened.values() if each]
        if places:
            place = min(places)
            line = rendering.source.line_of(rendering.source_span(place, place + 1).start)
            found.append(Completeness(f"A bracket “{visible[place]}” never closes.", line))
    return found


def _bare_headings(rendering: Rendering) -> list[Completeness]:
    found: list[Completeness] = []
    leaves = rendering.leaves
    for index, leaf in enumerate(leaves):
        if leaf.kind is not LeafKind.HEADING or leaf.end == leaf.start:
            continue
        following = leaves[index + 1] if index + 1 < len(leaves) else None
        if following is None or (following.kind is LeafKind.HEADING and following.level <= leaf.level):
            heading = rendering.visible[leaf.start : leaf.end]
            found.append(
                Completeness(f"Nothing stands under the heading “{heading}”.", rendering.source.line_of(leaf.source_start))
            )
    return found


def _last_line(rendering: Rendering, format: DraftFormat, mark: str) -> list[Completeness]:
    leaf = _last_leaf(rendering, mark)
    if leaf is None:
        return [Completeness("The draft holds no text.", 1)]
    is_whole_by_kind = leaf.kind not in (LeafKind.PARAGRAPH,) or bool(leaf.items) or leaf.row >= 0
    if is_whole_by_kind or leaf.end == leaf.start:
        return []
    start = rendering.line_start(leaf.end - 1, leaf)
    line = rendering.visible[start : leaf.end]
    if format is DraftFormat.PLAIN and (_LIST_LINE.match(line) or _ROW_LINE.match(line)):
        return []
    if _METADATA.match(line) or _is_link(rendering, start, leaf.end) or leaf.end in rendering.embeds:
        return []
    shown = _without_trailers(rendering, leaf, start)
    if shown and shown[-1] in _SENTENCE_ENDS:
        return []
    return [Completeness(f"The last line ends in “{line[-24:]}”, not at a sentence's end.", _last_line_number(rendering))]


def _last_leaf(rendering: Rendering, mark: str) -> Leaf | None:
    """Return the last leaf that holds text, without the end mark that it ends in; None where there is none."""
    for leaf in reversed(rendering.leaves):
        text = rendering.visible[leaf.start : leaf.end].rstrip()
        if not mark or (text and not text.endswith(mark)):
            return leaf
        if left := text.removesuffix(mark).rstrip():
            return leaf._replace(end=leaf.start + len(left))
    return None


def _without_trailers(rendering: Rendering, leaf: Leaf, start: int) -> str:
    """Return the last line without the closing marks, brackets, links and times that it ends with."""
    start = max(start, leaf.end - _LONGEST_TRAILER)
    trailers = [(stamp.start, stamp.end) for stamp in find_timestamps(rendering, start=start)]
    trailers += [(link.start, link.end) for link in rendering.links if link.start >= start]
    trailers += [match.span() for match in _ADDRESS.finditer(rendering.visible, start, leaf.end)]
    end = leaf.end
    while end > start:
        if rendering.visible[end - 1] in _SENTENCE_ENDS:
            break
        if rendering.visible[end - 1] in _SET_ASIDE:
            end -= 1
            continue
        behind = [low for low, high in trailers if low < end <= high]
        if not behind:
            break
        end = min(behind)
        while end > start and rendering.visible[end - 1] in "([（ ":
            end -= 1
    return rendering.visible[start:end]


def _is_link(rendering: Rendering, start: int, end: int) -> bool:
    """Whether the line is a link and nothing else."""
    line = rendering.visible[start:end]
    links = [(link.start, link.end) for link in rendering.links if start <= link.start and link.end <= end]
    links += [match.span() for match in _ADDRESS.finditer(rendering.visible, start, end)]
    if not links:
        return False
    low, high = min(links)[0] - start, max(high for _, high in links) - start
    return not any(map(str.isalnum, line[:low] + line[high:]))


def _last_line_number(rendering: Rendering) -> int:
    text = rendering.source.text
    return rendering.source.line_of(max(0, len(text.rstrip()) - 1))
