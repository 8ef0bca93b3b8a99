"""Pairs quote marks over a rendering, for all formats alike, and gives every one of them a role.

The rules. The outermost marks make a quotation. A single mark between letters or digits is an apostrophe; so is one
that begins an elision (’90s, ’n’, 'em) or follows a word without closing anything (dogs'). A mark after digits
that opens or closes nothing better is a prime (5'10", 12"). An opening mark that is never closed, or meets another
opening mark of its kind first, is unclosed and ends at its paragraph's end or at that mark. A quotation over
several paragraphs has an opening mark at each and a closing one at the last; the reopening marks are no text.
Where the pairing stays unclear, it is a quotation, and the longer one: words that nobody proved are shown red.

A mark that neither opens, closes, nor is any of these gets no role: a person has to look at it.
Every search ahead is bounded by the next mark of its kind or by `_AHEAD`, so that hostile text cannot stall it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from quoteview.core.drafts.draft import MarkRole
from quoteview.core.drafts.mark_shapes import CLOSERS, CLOSING_SIGNS, MARK, OPENING_SIGNS, SINGLES, MarkShapes, Token
from quoteview.core.drafts.rendering import LeafKind, Rendering
from quoteview.core.spans import TextSpan

_AHEAD = 64
"""How many marks a search for a better closing mark looks at."""


class Quotation(NamedTuple):
    """Marks that enclose words. `closes` is -1 where it never closes; `parts` are its shown words, one a paragraph."""

    opens: int
    closes: int
    reopens: tuple[int, ...]
    parts: tuple[TextSpan, ...]
    end_token: int


@dataclass(slots=True)
class Pairing:
    """All tokens, the role of each where it is not part of a quotation's text, and the quotations, in order."""

    tokens: list[Token]
    roles: list[MarkRole | None]
    quotations: list[Quotation] = field(default_factory=list)


class _End(Enum):
    CLOSED = 1
    MEETS = 2
    OPEN = 3


def pair_marks(rendering: Rendering) -> Pairing:
    """Return the quotations that marks make, and the role of every mark outside of them."""
    tokens, code = _tokens(rendering)
    pairing = Pairing(tokens, [MarkRole.CODE if is_code else None for is_code in code])
    _Pairer(rendering, pairing).run()
    return pairing


def _tokens(rendering: Rendering) -> tuple[list[Token], list[bool]]:
    tokens: list[Token] = []
    segments, at = rendering.segments, 0
    for match in MARK.finditer(rendering.visible):
        place = match.start()
        while at < len(segments) and segments[at].end <= place:
            at += 1
        if at == len(segments) or segments[at].start > place:
            continue
        segment = segments[at]
        if segment.is_literal:
            source = segment.source_start + place - segment.start
            tokens.append(Token(place, place + 1, match[0], source, source + 1))
        else:
            tokens.append(Token(place, place + 1, match[0], segment.source_start, segment.source_end))
    for quotes in rendering.quotes:
        tokens.append(Token(quotes.start, quotes.start, "q", quotes.open_start, quotes.open_end))
        if quotes.end >= 0:
            tokens.append(Token(quotes.end, quotes.end, "/q", quotes.close_start, quotes.close_end))
    if rendering.quotes:
        tokens.sort(key=lambda token: token.source_start)
    is_code, at = [], 0
    for token in tokens:
        while at < len(rendering.code) and rendering.code[at].end <= token.start:
            at += 1
        is_code.append(at < len(rendering.code) and rendering.code[at].start <= token.start and token.end > token.start)
    return tokens, is_code


class _Pairer:
    """Walks the leaves in order; `_low`, `_high` bound the tokens of the leaf at hand."""

    def __init__(self, rendering: Rendering, pairing: Pairing) -> None:
        self._rendering = rendering
        self._visible = rendering.visible
        self._pairing = pairing
        self._tokens = pairing.tokens
        self._roles = pairing.roles
        self._leaf = 0
        self._bounds: list[tuple[int, int]] = []
        self._text_start = self._text_end = self._low = self._high = 0
        self._shapes = MarkShapes(rendering.visible, pairing.tokens)
        self._memo: dict[int, tuple[_End, int]] = {}
        self._far: dict[str, tuple[int, _End, int]] = {}  # the last long search of each kind: what it found holds on the way
        self._never_closing: set[int] = set()

    def run(self) -> None:
        """Pair every leaf; a quotation over several paragraphs takes their leaves with it."""
        self._bounds = self._token_bounds()
        resume = 0
        for leaf in range(len(self._bounds)):
            self._enter(leaf)
            at = max(self._low, resume)
            while at < self._high:
                at = self._next_outside(at)
            resume = max(resume, at)

    def _token_bounds(self) -> list[tuple[int, int]]:
        bounds, at = [], 0
        leaves = self._rendering.leaves
        for index, leaf in enumerate(leaves):
            low = at
            is_last = index + 1 == len(leaves)
            while at < len(self._tokens) and (is_last or self._tokens[at].start < leaves[index + 1].start):
                if leaf.end < self._tokens[at].start:
                    break
                at += 1
            bounds.append((low, at))
        return bounds

    def _enter(self, leaf: int) -> None:
        self._leaf = leaf
        self._low, self._high = self._bounds[leaf]
        self._text_start, self._text_end = self._rendering.leaves[leaf].start, self._rendering.leaves[leaf].end
        self._shapes.enter(self._text_start, self._text_end)

    def _next_outside(self, at: int) -> int:
        """Decide on a token that stands in no quotation; return the token to go on with."""
        token = self._tokens[at]
        if self._roles[at] is not None or token.character == "/q":
            return at + 1
        if token.character == "q":
            return self._take_q(at)
        if not self._opens(at):
            return at + 1
        end, place = self._find_end(at)
        if end is _End.OPEN:
            chain = self._continued(at)
            if chain:
                return self._take_chain(at, chain)
        return self._take(at, end, place)

    def _take(self, at: int, end: _End, place: int) -> int:
        token = self._tokens[at]
        if end is _End.CLOSED:
            self._add(at, place, (), (TextSpan(token.end, self._tokens[place].start),), place + 1)
            return place + 1
        text_end = self._tokens[place].start if end is _End.MEETS else self._text_end
        self._add(at, -1, (), (TextSpan(token.end, text_end),), place)
        return place

    def _take_q(self, at: int) -> int:
        depth, token = 0, self._tokens[at]
        for close in range(at, len(self._tokens)):
            depth += {"q": 1, "/q": -1}.get(self._tokens[close].character, 0)
            if depth == 0:
                parts = self._parts_between(token.end, self._tokens[close].start)
                self._add(at, close, (), parts, close + 1)
                return close + 1
        self._add(at, -1, (), (TextSpan(token.end, self._text_end),), self._high)
        return self._high

    def _parts_between(self, start: int, end: int) -> tuple[TextSpan, ...]:
        leaves, at, parts = self._rendering.leaves, self._leaf, []
        while at < len(leaves) and leaves[at].start <= end:
            low, high = max(start, leaves[at].start), min(end, leaves[at].end)
            if low < high:
                parts.append(TextSpan(low, high))
            at += 1
        return tuple(parts) or (TextSpan(start, start),)

    def _take_chain(self, at: int, chain: list[tuple[int, int]]) -> int:
        """Add a quotation over several paragraphs: `chain` holds leaf and closing token (or -1) of those that follow."""
        first = TextSpan(self._tokens[at].end, self._text_end)
        reopens, parts = [], [first]
        for leaf, close in chain:
            reopened = self._bounds[leaf][0]
            reopens.append(reopened)
            end = self._tokens[close].start if close >= 0 else self._rendering.leaves[leaf].end
            parts.append(TextSpan(self._tokens[reopened].end, end))
        close = chain[-1][1]
        self._add(at, close, tuple(reopens), tuple(parts), close + 1)
        return close + 1

    def _continued(self, at: int) -> list[tuple[int, int]]:
        """Return the following paragraphs that reopen this quotation, up to the one that closes it; none if none does."""
        home, kind = self._leaf, self._tokens[at].character
        found: list[tuple[int, int]] = []
        is_closed = False
        leaf = home
        while not is_closed and leaf not in self._never_closing and self._reopens(leaf, leaf + 1, kind):
            leaf += 1
            self._enter(leaf)
            end, place = self._find_end(self._low)
            if end is _End.MEETS:
                break
            is_closed = end is _End.CLOSED
            found.append((leaf, place if is_closed else -1))
        if not is_closed:
            self._never_closing.update(range(home, leaf + 1))
        self._enter(home)
        return found if is_closed else []

    def _reopens(self, leaf: int, following: int, kind: str) -> bool:
        leaves = self._rendering.leaves
        if following >= len(leaves):
            return False
        here, there = leaves[leaf], leaves[following]
        low, high = self._bounds[following]
        return (
            here.kind is there.kind is LeafKind.PARAGRAPH
            and (here.quotation, here.items) == (there.quotation, there.items)
            and low < high
            and self._tokens[low].start == there.start
            and self._tokens[low].character == kind
            and self._roles[low] is None
        )

    def _add(self, opens: int, closes: int, reopens: tuple[int, ...], parts: tuple[TextSpan, ...], end: int) -> None:
        self._pairing.quotations.append(Quotation(opens, closes, reopens, parts, end))

    # Whether a mark opens a quotation.

    def _opens(self, at: int) -> bool:
        """Whether a mark outside of any quotation opens one; its role is set where it does not."""
        character = self._tokens[at].character
        if character in SINGLES:
            return self._single_opens(at)
        before, after = self._shapes.before(at), self._shapes.after(at)
        if character == '"':
            return self._straight_opens(at)
        if character == "”":
            if before.isdigit():
                self._roles[at] = MarkRole.PRIME
                return False
            return self._shapes.looks_opening(at)
        if character in "»›":
            return self._shapes.looks_opening(at)
        if character in "«‹“":
            return not (
                (before.isalnum() or before in ".!?") and before and (not after or after.isspace() or after in CLOSING_SIGNS)
            )
        return character in CLOSERS

    def _straight_opens(self, at: int) -> bool:
        before, after = self._shapes.before(at), self._shapes.after(at)
        can_open = bool(after) and not after.isspace() and after not in ".,;:!?)]}"
        if before.isdigit():
            if can_open and after.isalpha() and self._find_end(at)[0] is _End.CLOSED:
                return True
            self._roles[at] = MarkRole.PRIME
            return False
        if can_open:
            return not before or before.isspace() or not self._shapes.looks_closing(at)
        is_loose = (not before or before.isspace()) and (not after or after.isspace())
        return is_loose and self._find_end(at)[0] is _End.CLOSED

    def _single_opens(self, at: int) -> bool:
        character, before, after = self._tokens[at].character, self._shapes.before(at), self._shapes.after(at)
        if before.isalnum():
            is_prime = before.isdigit() and (not after.isalnum() or self._shapes.is_feet(at)) and character in "'’"
            if character != "‚" or after.isalnum():
                self._roles[at] = MarkRole.PRIME if is_prime else MarkRole.APOSTROPHE
            return False
        if not after or after.isspace():
            return character in "‘‚‛'" and bool(after) and self._find_end(at)[0] is _End.CLOSED
        if character == "‚":
            return True
        if self._shapes.is_elision(at):
            end, place = self._find_end(at)
            is_clear = end is _End.CLOSED and not self._shapes.is_possessive_like(place) and not self._shapes.is_n(at)
            if is_clear and not self._shapes.is_sentence_over(at, place):
                return True
            self._roles[at] = MarkRole.APOSTROPHE
            return False
        if character == "’":
            if after.isalnum() or after in OPENING_SIGNS:
                end, place = self._find_end(at)
                if end is _End.CLOSED and not self._shapes.is_possessive_like(place):
                    return True
                if after.isalnum():
                    self._roles[at] = MarkRole.APOSTROPHE
            return False
        return character != "'" or after not in CLOSING_SIGNS or after == "…" or not before or before.isspace()

    # Where a quotation ends.

    def _find_end(self, at: int) -> tuple[_End, int]:
        """Return how the quotation opened at a token ends, and at which token of the leaf (past the last where it is open)."""
        known = self._memo.get(at)
        if known is not None:
            return known
        kind = self._tokens[at].character
        start, end, place = self._far.get(kind, (0, _End.OPEN, 0))
        if start < at < place <= self._high and self._low <= start:
            return end, place
        end, place = self._find_single_end(at) if kind in SINGLES else self._find_double_end(at)
        self._memo[at] = end, place
        if place - at > 4 * _AHEAD:
            self._far[kind] = (at, end, place)
        return end, place

    def _find_double_end(self, opens: int) -> tuple[_End, int]:
        kind = self._tokens[opens].character
        closers = CLOSERS[kind]
        at = opens + 1
        while at < self._high:
            character = self._tokens[at].character
            if self._roles[at] is MarkRole.CODE or (character not in closers and character != kind):
                at += 1
            elif self._meets(kind, at):
                skipped = self._skip_nested(opens, at)
                if skipped < 0:
                    return _End.MEETS, at
                at = skipped
            elif self._is_prime_inside(at, closers):
                at += 1
            else:
                return _End.CLOSED, at
        return _End.OPEN, self._high

    def _meets(self, kind: str, at: int) -> bool:
        """Whether a mark opens anew where one of its kind is open."""
        character = self._tokens[at].character
        if character not in CLOSERS[kind]:
            return True
        if kind == '"':
            return self._shapes.looks_opening(at) and not (
                self._shapes.before(at) in OPENING_SIGNS and self._shapes.before(at) in "\"'—–/"
            )
        if kind in "„”" and character in "“”":
            return self._shapes.looks_opening(at) and (not self._shapes.before(at) or self._shapes.before(at).isspace())
        return False

    def _skip_nested(self, opens: int, at: int) -> int:
        """Return the token after a quotation of the same kind nested in single marks (“a ‘b “c” d’ e”); -1 where it is not."""
        kind, high = self._tokens[opens].character, min(self._high, at + _AHEAD)
        if kind == "„" and self._tokens[at].character == "“":
            inner = next((k for k in range(at + 1, high) if self._tokens[k].character in "“”„"), -1)
            outer = next((k for k in range(inner + 1, high) if self._tokens[k].character in "“”„"), -1) if inner > 0 else -1
            is_nested = outer > 0 and self._tokens[inner].character != "„" != self._tokens[outer].character
            return inner + 1 if is_nested else -1
        low = max(opens + 1, at - _AHEAD)
        if not any(self._tokens[k].character in "‘‚'‹›" and self._shapes.looks_opening(k) for k in range(low, at)):
            return -1
        closers = CLOSERS[kind]
        inner = next((k for k in range(at + 1, high) if self._tokens[k].character in closers), -1)
        if inner < 0 or (kind == '"' and self._shapes.looks_opening(inner)):
            return -1
        for k in range(inner + 1, high):
            character = self._tokens[k].character
            if character in "’'›‹‘" and self._shapes.looks_closing(k):
                return inner + 1
            if character in closers or character == kind:
                return -1
        return -1

    def _is_prime_inside(self, at: int, closers: str) -> bool:
        """Whether a mark after a digit is an inch mark, because a closing mark that fits better follows."""
        if self._tokens[at].character not in '"”' or not self._shapes.before(at).isdigit():
            return False
        for later in range(at + 1, min(self._high, at + _AHEAD)):
            character = self._tokens[later].character
            if character in "“„" and '"' not in closers:
                return False
            if character not in closers or self._shapes.before(later).isdigit():
                continue
            if self._shapes.looks_opening(later) and not self._shapes.looks_closing(later):
                return False
            return self._shapes.looks_closing(later)
        return False

    def _find_single_end(self, opens: int) -> tuple[_End, int]:
        kind = self._tokens[opens].character
        closers = CLOSERS[kind]
        at = opens + 1
        while at < self._high:
            character = self._tokens[at].character
            if self._roles[at] is MarkRole.CODE or character in ("q", "/q"):
                at += 1
            elif character not in SINGLES:
                at = self._after_nested(at)
            elif character in closers and self._closes_single(kind, at):
                return _End.CLOSED, at
            elif self._reopens_single(kind, at):
                return _End.MEETS, at
            else:
                at += 1
        return _End.OPEN, self._high

    def _after_nested(self, at: int) -> int:
        character = self._tokens[at].character
        is_opening = character in "“„‟「『｢«‹" or (character in '"»›”' and self._shapes.looks_opening(at))
        if is_opening:
            end, place = self._find_end(at)
            if end is _End.CLOSED:
                return place + 1
        return at + 1

    def _closes_single(self, kind: str, at: int) -> bool:
        before, after = self._shapes.before(at), self._shapes.after(at)
        if self._shapes.is_apostrophe_inside(at) or self._shapes.is_n(at):
            return False
        if not before or before.isspace():
            return not after or after.isspace() or after in CLOSING_SIGNS
        if after.isalnum():
            return False
        is_doubtful = self._shapes.is_possessive_like(at) or (before.isdigit() and self._tokens[at].character in "'’")
        return not (is_doubtful and self._has_better_single(kind, at))

    def _has_better_single(self, kind: str, at: int) -> bool:
        """Whether a later mark closes better than one that may be a plural's, a dropped letter's or a prime."""
        closers, later, looked = CLOSERS[kind], at + 1, 0
        while later < self._high and looked < _AHEAD:
            looked += 1
            character = self._tokens[later].character
            if character not in SINGLES:
                later = self._after_nested(later) if character not in ("q", "/q") else later + 1
                continue
            if self._reopens_single(kind, later) or (character in "‘‚" and character not in closers):
                return False
            is_candidate = (
                character in closers
                and not self._shapes.is_apostrophe_inside(later)
                and not self._shapes.is_n(later)
                and not self._shapes.after(later).isalnum()
            )
            if is_candidate and not self._shapes.before(later).isspace():
                if not self._shapes.is_possessive_like(later):
                    return True
                return not self._shapes.is_sentence_over(at, later)
            later += 1
        return False

    def _reopens_single(self, kind: str, at: int) -> bool:
        character = self._tokens[at].character
        if character != kind and not (kind in "‘‚" and character in "‘‚" and character not in CLOSERS[kind]):
            return False
        before, after = self._shapes.before(at), self._shapes.after(at)
        if before.isalnum() or not after or after.isspace():
            return False
        return self._shapes.looks_opening(at) and not self._shapes.is_elision(at)
