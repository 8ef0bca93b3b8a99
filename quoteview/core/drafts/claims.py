"""Makes claims of a rendering: quotations by marks, block quotations, their text, their times, and every mark's role.

The rules. In a block quotation, timestamps and a last line that begins with a dash (the attribution) are not its
text. Where marks enclose all the rest, they make the claim; otherwise the whole block does, and marks in it stand
inside. White space just inside marks is not text. Paragraphs of one claim join by the rule for borders.
Claims are numbered in the order of the draft, from 1.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from quoteview.core.drafts.attaching import Attached, Quoted, attach
from quoteview.core.drafts.draft import Claim, ClaimedTime, ClaimKind, ClaimPiece, Mark, MarkRole, TimeForm
from quoteview.core.drafts.mark_shapes import MARK, QUOTE_MARKS
from quoteview.core.drafts.marks import Pairing, Quotation, pair_marks
from quoteview.core.drafts.rendering import LeafKind, Rendering
from quoteview.core.drafts.timestamps import Timestamp, find_timestamps
from quoteview.core.joins import WHITE_SPACE, join
from quoteview.core.spans import ByteSpan, TextSpan

CONTEXT = 32
"""So many shown characters of the words before and after a claim are kept, where there are as many."""

_WHITE = "".join(sorted(WHITE_SPACE))
_DASH = re.compile(r"[\s]*(?:[—–―‒]|--?(?=[\s\w]))")
_BESIDE_TIME = " \t\u00a0\u202f—–-:.,;|•·"


@dataclass(slots=True)
class _Found:
    """A claim in the making: shown spans of its text, and of the whole with its marks."""

    kind: ClaimKind
    parts: list[TextSpan]
    start: int
    end: int
    marks: Quotation | None
    quotation: int
    is_closed: bool
    tokens: list[int] = field(default_factory=list)


def make_claims(rendering: Rendering, source_address: str = "") -> tuple[tuple[Claim, ...], tuple[Mark, ...]]:
    """Return the claims of a rendering and the role of every mark, both in the order of the draft."""
    pairing = pair_marks(rendering)
    stamps = find_timestamps(rendering, source_address)
    attributions: dict[int, int] = {}
    found = _found_claims(rendering, pairing, stamps, attributions)
    stamps = _outside(_around(rendering, stamps, found), found)
    attached = attach(rendering, [_quoted(rendering, each) for each in found], stamps, attributions)
    contexts = _contexts(rendering, found)
    claims = tuple(
        _claim(rendering, pairing, each, number, None if time is None else (stamps[time.stamp], time), context)
        for number, (each, time, context) in enumerate(zip(found, attached, contexts, strict=True), start=1)
    )
    return claims, _marks(rendering, pairing, found)


def _found_claims(rendering: Rendering, pairing: Pairing, stamps: list[Timestamp], attributions: dict[int, int]) -> list[_Found]:
    found = [_marked(pairing, quotation) for quotation in pairing.quotations]
    for index, quotation in enumerate(rendering.quotations):
        if quotation.parent < 0:
            found = _with_block(rendering, pairing, stamps, attributions, found, index)
    return found


def _marked(pairing: Pairing, quotation: Quotation) -> _Found:
    start = pairing.tokens[quotation.opens].start
    end = pairing.tokens[quotation.closes].end if quotation.closes >= 0 else quotation.parts[-1].end
    return _Found(ClaimKind.MARKS, list(quotation.parts), start, end, quotation, -1, quotation.closes >= 0)


# Block quotations.


def _with_block(
    rendering: Rendering,
    pairing: Pairing,
    stamps: list[Timestamp],
    attributions: dict[int, int],
    found: list[_Found],
    index: int,
) -> list[_Found]:
    """Return the claims with a block quotation judged: its marks make the claim, or it does itself."""
    quotation = rendering.quotations[index]
    leaves = [leaf for leaf in rendering.leaves[quotation.first_leaf : quotation.end_leaf] if leaf.end > leaf.start]
    if not leaves:
        return found
    low, high = leaves[0].start, leaves[-1].end
    attribution = _attribution_start(rendering, quotation.first_leaf, quotation.end_leaf)
    text_end = high if attribution < 0 else attribution
    if attribution >= 0:
        attributions[index] = attribution
    first = bisect_left(found, low, key=lambda each: each.start)
    last = bisect_left(found, text_end, key=lambda each: each.start)
    inside = found[first:last]
    times = _block_times(stamps, low, text_end, inside)
    spans = [TextSpan(leaf.start, min(leaf.end, text_end)) for leaf in leaves if leaf.start < text_end]
    rest = _rest(spans, times, rendering.visible)
    if not rest:
        # Nothing but a link that carries a time: its words are the quotation, and it stands around them.
        around = [stamp for stamp in stamps if stamp.is_around and low <= stamp.start < text_end]
        times = [time for time in times if not any(time.start == stamp.start for stamp in around)]
        rest = _rest(spans, times, rendering.visible) if around else []
    if not rest:
        return found
    if inside and _encloses(rendering.visible, inside[0], rest):
        inside[0].quotation = index
        if not inside[0].is_closed:
            inside[0].parts = [
                TextSpan(max(part.start, inside[0].parts[0].start), part.end)
                for part in rest
                if part.end > inside[0].parts[0].start
            ]
        return found
    block = _Found(ClaimKind.BLOCK, rest, rest[0].start, rest[-1].end, None, index, True)
    return [*found[:first], block, *found[last:]]


def _attribution_start(rendering: Rendering, first_leaf: int, end_leaf: int) -> int:
    """Return where the last line of a block begins if it begins with a dash and is not the only one; -1 else."""
    leaves = [leaf for leaf in rendering.leaves[first_leaf:end_leaf] if leaf.end > leaf.start]
    last = leaves[-1]
    start = rendering.line_start(last.end - 1, last)
    if start == leaves[0].start:
        return -1
    if _DASH.match(rendering.visible, start, last.end):
        return start
    written = rendering.source.text[max(0, last.source_start - 3) : last.source_start].strip()
    is_lone_item = bool(last.items) and start == last.start and not any(leaf.items for leaf in leaves[:-1])
    return start if is_lone_item and written.endswith("-") else -1


def _block_times(stamps: list[Timestamp], low: int, high: int, inside: list[_Found]) -> list[TextSpan]:
    """Return the shown spans of the times that stand in a block outside of closed marks."""
    first = bisect_left(stamps, low, key=lambda stamp: stamp.start)
    times: list[TextSpan] = []
    for stamp in stamps[first:]:
        if stamp.start >= high:
            break
        at = bisect_right(inside, stamp.start, key=lambda each: each.start) - 1
        is_quoted = at >= 0 and inside[at].is_closed and inside[at].end >= stamp.end
        if stamp.counts_alone and not is_quoted:
            times.append(TextSpan(stamp.start, stamp.end))
    return times


def _rest(spans: list[TextSpan], times: list[TextSpan], visible: str) -> list[TextSpan]:
    """Return the shown spans without the times; what only set a time off (`12:34 – `, `(0:05).`) goes with it."""
    rest: list[TextSpan] = []
    for span in spans:
        start = span.start
        for time in times:
            if not span.start <= time.start < span.end:
                continue
            _append(rest, visible, start, time.start)
            is_head = not visible[span.start : time.start].strip(_BESIDE_TIME)
            start = time.end
            if is_head or not visible[time.end : span.end].strip(_BESIDE_TIME):
                while start < span.end and visible[start] in _BESIDE_TIME:
                    start += 1
        _append(rest, visible, start, span.end)
    return rest


def _append(rest: list[TextSpan], visible: str, start: int, end: int) -> None:
    while start < end and visible[start] in WHITE_SPACE:
        start += 1
    while end > start and visible[end - 1] in WHITE_SPACE:
        end -= 1
    if start < end:
        rest.append(TextSpan(start, end))


def _encloses(visible: str, marked: _Found, rest: list[TextSpan]) -> bool:
    """Whether nothing but punctuation stands in the rest outside of these marks."""
    is_end = marked.is_closed or marked.end >= rest[-1].end
    before = [visible[part.start : min(part.end, marked.start)] for part in rest if part.start < marked.start]
    after = [visible[max(part.start, marked.end) : part.end] for part in rest if part.end > marked.end]
    return is_end and not any(each.isalnum() or each in QUOTE_MARKS for text in before + after for each in text)


# Text, times, contexts.


def _around(rendering: Rendering, stamps: list[Timestamp], found: list[_Found]) -> list[Timestamp]:
    """Return the times with each link that stands around quotations put at its end, where it adjoins the last of them.

    A link inside the marks stands around the quotation if no other words are in it; one around a part of its words is
    markup. A time in the text right behind the link comes after it, and counts instead.
    """
    visible = rendering.visible
    placed: list[Timestamp] = []
    for number, stamp in enumerate(stamps):
        at = bisect_right(found, stamp.end, key=lambda each: each.start) - 1 if stamp.is_around else -1
        each = found[at] if at >= 0 and found[at].is_closed and found[at].end > stamp.start else None
        if each is not None:
            outside = visible[each.start : max(each.start, stamp.start)] + visible[stamp.end : max(stamp.end, each.end)]
            end = max(stamp.end, each.end)
            following = stamps[number + 1] if number + 1 < len(stamps) else None
            is_last = following is None or following.is_around or visible[end : following.start].strip()
            if any(map(str.isalnum, outside)) or not is_last:
                placed.append(stamp)
                continue
            leaf = rendering.leaf_at(max(each.start, end - 1))
            stamp = stamp._replace(start=end, end=end, leaf=leaf, heads_line=False)
        placed.append(stamp)
    return sorted(placed, key=lambda stamp: stamp.start)


def _outside(stamps: list[Timestamp], found: list[_Found]) -> list[Timestamp]:
    """Return the times that stand in no claim's text; an unclosed claim and a block keep what is cut out of them."""
    kept: list[Timestamp] = []
    for stamp in stamps:
        at = bisect_right(found, stamp.start, key=lambda each: each.start) - 1
        if at < 0 or stamp.start >= found[at].end or _is_cut_out(found[at], stamp):
            kept.append(stamp)
    return kept


def _is_cut_out(found: _Found, stamp: Timestamp) -> bool:
    is_in_text = any(part.start <= stamp.start < part.end for part in found.parts)
    if found.kind is ClaimKind.BLOCK:
        return not is_in_text
    return not found.is_closed and stamp.counts_alone


def _quoted(rendering: Rendering, found: _Found) -> Quoted:
    end = found.end
    if not found.is_closed:
        end = found.start
    return Quoted(found.start, end, rendering.leaf_at(found.start), rendering.leaf_at(max(found.start, found.end - 1)))


def _contexts(rendering: Rendering, found: list[_Found]) -> list[tuple[str, str]]:
    """Return up to 32 shown characters before and after each claim, other claims' text left out."""
    visible = rendering.visible
    gaps: list[str] = []
    at = 0
    for each in found:
        gaps.append(visible[at : each.start])
        at = max(at, each.end)
    gaps.append(visible[at:])
    contexts: list[tuple[str, str]] = []
    for index in range(len(found)):
        before, low = gaps[index][-CONTEXT:], index
        while len(before) < CONTEXT and low > max(0, index - CONTEXT):
            low -= 1
            before = gaps[low][-CONTEXT:] + before
        after, high = gaps[index + 1][:CONTEXT], index + 1
        while len(after) < CONTEXT and high < min(len(gaps) - 1, index + CONTEXT):
            high += 1
            after += gaps[high][:CONTEXT]
        contexts.append((before[-CONTEXT:], after[:CONTEXT]))
    return contexts


def _claim(
    rendering: Rendering,
    pairing: Pairing,
    found: _Found,
    number: int,
    time: tuple[Timestamp, Attached] | None,
    context: tuple[str, str],
) -> Claim:
    source = rendering.source
    pieces = _pieces(rendering, found.parts)
    open_mark = close_mark = None
    outer = _outer_of_block(rendering, found)
    if found.marks is not None:
        opens = pairing.tokens[found.marks.opens]
        open_mark = ByteSpan(source.byte_of(opens.source_start), source.byte_of(opens.source_end))
        end = pieces[-1].end if pieces else open_mark.end
        if found.marks.closes >= 0:
            closes = pairing.tokens[found.marks.closes]
            close_mark = ByteSpan(source.byte_of(closes.source_start), source.byte_of(closes.source_end))
            end = close_mark.end
        outer = ByteSpan(open_mark.start, end)
    place = source.position_of(pieces[0].start if pieces else outer.start)
    claimed, notes = _claimed(rendering, time)
    return Claim(
        id=number,
        kind=found.kind,
        text="".join(piece.text for piece in pieces),
        pieces=pieces,
        outer=outer,
        open_mark=open_mark,
        close_mark=close_mark,
        is_closed=found.is_closed,
        line=source.line_of(place),
        column=source.column_of(place),
        claimed=claimed,
        before=context[0],
        after=context[1],
        notes=notes,
    )


def _outer_of_block(rendering: Rendering, found: _Found) -> ByteSpan:
    source = rendering.source
    if found.quotation < 0:
        return ByteSpan(0, 0)
    quotation = rendering.quotations[found.quotation]
    leaves = rendering.leaves[quotation.first_leaf : quotation.end_leaf]
    end = max(rendering.source_span(leaf.start, leaf.end).end for leaf in leaves)
    return ByteSpan(source.byte_of(quotation.open_start), source.byte_of(max(end, quotation.close_end)))


def _pieces(rendering: Rendering, parts: Iterable[TextSpan]) -> tuple[ClaimPiece, ...]:
    source, visible = rendering.source, rendering.visible
    pieces: list[ClaimPiece] = []
    for part in parts:
        start, end = part
        while start < end and visible[start] in WHITE_SPACE:
            start += 1
        while end > start and visible[end - 1] in WHITE_SPACE:
            end -= 1
        if start == end:
            continue
        if pieces:
            border = "" if visible[start] in ".,;:!?)…" and visible[start - 1] != "\n" else join(pieces[-1].text, visible[start])
            if border:
                begin = source.position_of(pieces[-1].end)
                gap = len(source.text[begin : begin + 8]) - len(source.text[begin : begin + 8].lstrip(_WHITE))
                pieces.append(
                    ClaimPiece(border, pieces[-1].end, source.byte_of(begin + gap), source.text[begin : begin + gap] == border)
                )
        for segment in rendering.segments_of(start, end):
            text = visible[segment.start : segment.end]
            low, high = source.byte_of(segment.source_start), source.byte_of(segment.source_end)
            pieces.append(ClaimPiece(text, low, high, segment.is_literal))
    return tuple(pieces)


def _claimed(rendering: Rendering, time: tuple[Timestamp, Attached] | None) -> tuple[ClaimedTime | None, tuple[str, ...]]:
    if time is None:
        return None, ()
    stamp, attached = time
    source = rendering.source
    whole, first = rendering.source_span(*stamp.notation), rendering.source_span(*stamp.first)
    if stamp.form is TimeForm.LINK:
        whole = first = stamp.address
    claimed = ClaimedTime(
        start_ms=stamp.start_ms,
        end_ms=stamp.end_ms,
        bytes=ByteSpan(source.byte_of(whole.start), source.byte_of(whole.end)),
        start_bytes=ByteSpan(source.byte_of(first.start), source.byte_of(first.end)),
        form=stamp.form,
        source=stamp.source,
        is_own=attached.is_own,
        address_bytes=ByteSpan(source.byte_of(stamp.address.start), source.byte_of(stamp.address.end)) if stamp.source else None,
    )
    return claimed, (stamp.note,) if stamp.note else ()


# The role of every mark.


def _marks(rendering: Rendering, pairing: Pairing, found: list[_Found]) -> tuple[Mark, ...]:
    source = rendering.source
    roles = _token_roles(pairing, found)
    placed: list[tuple[int, int, MarkRole | None, int | None]] = [
        (token.source_start, token.source_end, role, claim) for token, (role, claim) in zip(pairing.tokens, roles, strict=True)
    ]
    placed += _hidden_marks(rendering, placed)
    placed += _block_marks(rendering, found)
    placed.sort(key=lambda each: (each[0], each[1]))
    return tuple(Mark(ByteSpan(source.byte_of(start), source.byte_of(end)), role, claim) for start, end, role, claim in placed)


def _token_roles(pairing: Pairing, found: list[_Found]) -> list[tuple[MarkRole | None, int | None]]:
    roles: list[tuple[MarkRole | None, int | None]] = [(role, None) for role in pairing.roles]
    at = 0
    for number, each in enumerate(found, start=1):
        while at < len(pairing.tokens) and pairing.tokens[at].start < each.start:
            at += 1
        marks_end = each.marks.end_token if each.marks is not None else 0
        while at < len(pairing.tokens) and (
            at < marks_end or (pairing.tokens[at].end <= each.end and pairing.tokens[at].start < max(each.end, each.start + 1))
        ):
            if each.marks is None or at < marks_end:
                roles[at] = _inside(pairing, at, number)
            elif pairing.tokens[at].character not in ("q", "/q"):
                break
            at += 1
        if each.marks is not None:
            roles[each.marks.opens] = (MarkRole.OPENS, number)
            for reopened in each.marks.reopens:
                roles[reopened] = (MarkRole.OPENS, number)
            if each.marks.closes >= 0:
                roles[each.marks.closes] = (MarkRole.CLOSES, number)
                at = max(at, each.marks.closes + 1)
    return roles


def _inside(pairing: Pairing, at: int, number: int) -> tuple[MarkRole | None, int | None]:
    role = pairing.roles[at]
    if role is MarkRole.CODE or role is MarkRole.APOSTROPHE or role is MarkRole.PRIME:
        return role, None
    return MarkRole.INSIDE, number


def _hidden_marks(
    rendering: Rendering, placed: list[tuple[int, int, MarkRole | None, int | None]]
) -> list[tuple[int, int, MarkRole | None, int | None]]:
    """Return the quote marks of the source that are not shown: their role is that of their zone, None where there is none."""
    shown, zones = sorted((start, end) for start, end, _, _ in placed), rendering.zones
    found: list[tuple[int, int, MarkRole | None, int | None]] = []
    for match in MARK.finditer(rendering.source.text):
        at = bisect_right(shown, (match.start(), len(rendering.source.text) + 1)) - 1
        if at >= 0 and shown[at][0] <= match.start() < shown[at][1]:
            continue
        zone = bisect_right(zones, match.start(), key=lambda each: each.start) - 1
        while zone > 0 and zones[zone].end <= match.start() and zones[zone - 1].end > match.start():
            zone -= 1
        is_known = zone >= 0 and zones[zone].start <= match.start() < zones[zone].end
        found.append((match.start(), match.end(), zones[zone].role if is_known else None, None))
    return found


def _block_marks(rendering: Rendering, found: list[_Found]) -> list[tuple[int, int, MarkRole | None, int | None]]:
    """Return the marks of block quotations: the opening notation, and the closing tag where there is one."""
    claims = {each.quotation: (number, each) for number, each in enumerate(found, start=1) if each.quotation >= 0}
    marks: list[tuple[int, int, MarkRole | None, int | None]] = []
    for index, quotation in enumerate(rendering.quotations):
        top = index
        while rendering.quotations[top].parent >= 0:
            top = rendering.quotations[top].parent
        number, each = claims.get(top, (None, None))
        leaves = rendering.leaves[quotation.first_leaf : quotation.end_leaf]
        is_code = bool(leaves) and all(leaf.kind is LeafKind.CODE for leaf in leaves)
        opening = closing = MarkRole.CODE if is_code else MarkRole.MARKUP
        if each is not None and each.kind is ClaimKind.BLOCK:
            opening, closing = (MarkRole.OPENS, MarkRole.CLOSES) if top == index else (MarkRole.INSIDE, MarkRole.INSIDE)
        marks.append((quotation.open_start, quotation.open_end, opening, number))
        if quotation.close_end > quotation.close_start:
            marks.append((quotation.close_start, quotation.close_end, closing, number))
    return marks
