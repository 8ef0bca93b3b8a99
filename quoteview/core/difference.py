"""How a claim differs from a passage: the classes, and the difference as steps an editor can read.

Words are aligned by keys in which everything harmless is undone. Where two words are the same, the undoings that
were needed name the class; where they are not, the classes are named by what is there on either side:

- `annotation`: only the captions have it, and no one said it (`[Laughter]`, `(music)`, `>>`, `♪`, `DANA:`).
- `insertion`: an editor's bracket in the claim; it may replace some words of the captions.
- `filler`: only the captions have it, and it is an “um”, a “you know”, or a word said twice.
- `elision`: the claim has an ellipsis where the captions have words.
- `number_form`: the same number, written otherwise. `number`: another number, or one that the other side lacks.
- `negation`: one side negates more often than the other, also in what was left out, bracketed or put in.
- `partial_word`: the claim begins or ends inside a word of the captions.
- `terminal_punctuation`: one mark at the claim's very end, which the captions lack, as American style puts it.
- `words`: everything else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import regex

from quoteview.core.folding import DOUBLE_MARKS, FOLDS, SINGLE_MARKS, needed, undo
from quoteview.core.numerals import WEAK
from quoteview.core.verdicts import DifferenceClass, DifferenceStep
from quoteview.core.words import (
    ELLIPSIS,
    Token,
    TokenKind,
    filler_tokens,
    is_opposite,
    negation_count,
    tokens,
    without_negation,
)

_ELLIPSIS = regex.compile(ELLIPSIS)
_TERMINAL = regex.compile(rf"[,.;:!?،。，．；：！？](?=[\s{regex.escape(SINGLE_MARKS + DOUBLE_MARKS)}]*$)")
_MARKS = regex.compile(r"[\p{P}\p{S}]")
_MOST_REPLACED = 6
"""An editor's bracket stands for a name or a few words, not for a sentence."""
_OTHER_WORDS = frozenset(("were", "well", "hell", "shell", "shed", "wed", "ill", "id", "its"))
"""Words that an apostrophe makes another word of (“we're”, “she'll”); “it's” and “its” differ in a sign, and in sense."""


class Difference(NamedTuple):
    """`classes` most harmful first, empty for equal texts. The steps' sides joined are the claim and the passage."""

    classes: tuple[DifferenceClass, ...]
    steps: tuple[DifferenceStep, ...]


class Block(NamedTuple):
    """Tokens `draft_start` to `draft_end` of the claim stand where the passage has `source_start` to `source_end`."""

    is_equal: bool
    draft_start: int
    draft_end: int
    source_start: int
    source_end: int


def compare(draft: str, source: str) -> Difference:
    """Return how a claim's text differs from a passage's."""
    if draft == source:
        return Difference((), (DifferenceStep("equal", draft, source),) if draft else ())
    comparison = _Comparison(draft, source)
    comparison.run()
    classes = tuple(member for member in DifferenceClass if member in comparison.classes)
    return Difference(classes or (DifferenceClass.WORDS,), merged_steps(comparison.steps))


def tail_classes(draft: str, source: str) -> set[DifferenceClass]:
    """Return the classes of what stands after the last word on either side."""
    if draft == source:
        return set()
    mark = _TERMINAL.search(draft)
    if mark is not None:
        rest = draft[: mark.start()] + draft[mark.end() :]
        classes = needed(rest, source)
        if classes is not None and DifferenceClass.PUNCTUATION not in classes:
            return classes | {DifferenceClass.TERMINAL_PUNCTUATION}
    return _edge_classes(draft, source)


def harm_in(text: str) -> set[DifferenceClass]:
    """Return `number` and `negation` where a text that was left out has one."""
    found = tokens(text)
    classes = {DifferenceClass.NEGATION} if negation_count(found) else set()
    return classes | ({DifferenceClass.NUMBER} if _strong_numbers(found) else set())


def merged_steps(steps: Sequence[DifferenceStep]) -> tuple[DifferenceStep, ...]:
    """Return steps with neighbours of one kind joined and empty ones left out."""
    kept = (step for step in steps if step.draft or step.source)
    merged: list[DifferenceStep] = []
    for kind, group in groupby(kept, key=itemgetter(0)):
        alike = list(group)
        merged.append(DifferenceStep(kind, "".join(one.draft for one in alike), "".join(one.source for one in alike)))
    return tuple(merged)


def refined(draft: str, source: str) -> list[DifferenceStep]:
    """Return steps for two short texts: what they begin and end with alike, and the replacement between."""
    if draft == source:
        return [DifferenceStep("equal", draft, source)]
    head = 0
    while head < min(len(draft), len(source)) and draft[head] == source[head]:
        head += 1
    tail = 0
    while tail < min(len(draft), len(source)) - head and draft[-1 - tail] == source[-1 - tail]:
        tail += 1
    middle, other = draft[head : len(draft) - tail], source[head : len(source) - tail]
    return [
        DifferenceStep("equal", draft[:head], source[:head]),
        _step(middle, other),
        DifferenceStep("equal", draft[len(draft) - tail :], source[len(source) - tail :]),
    ]


def aligned(draft: Sequence[Token], source: Sequence[Token]) -> list[Block]:
    """Return the blocks, in order, of an alignment with as many equal tokens as possible."""
    from rapidfuzz.distance import Indel

    blocks: list[Block] = []
    for step in Indel.opcodes([token.key for token in draft], [token.key for token in source]):
        block = Block(step.tag == "equal", step.src_start, step.src_end, step.dest_start, step.dest_end)
        if blocks and not block.is_equal and not blocks[-1].is_equal:
            last = blocks.pop()
            block = Block(False, last.draft_start, block.draft_end, last.source_start, block.source_end)
        blocks.append(block)
    return blocks


class _Comparison:
    """Walks the alignment once, collecting classes and steps."""

    def __init__(self, draft: str, source: str) -> None:
        self.draft, self.source = draft, source
        self.draft_tokens, self.source_tokens = tokens(draft), tokens(source)
        self.classes: set[DifferenceClass] = set()
        self.steps: list[DifferenceStep] = []
        self._draft_at = self._source_at = 0

    def run(self) -> None:
        """Compare the whole of both texts."""
        blocks = aligned(self.draft_tokens, self.source_tokens)
        for block in blocks:
            if block.is_equal:
                for offset in range(block.draft_end - block.draft_start):
                    self._equal(self.draft_tokens[block.draft_start + offset], self.source_tokens[block.source_start + offset])
            elif block.draft_start == block.draft_end or block.source_start == block.source_end:
                self._one_sided(block)
            else:
                self._replaced(block)
        rest, other = self.draft[self._draft_at :], self.source[self._source_at :]
        self.classes |= tail_classes(rest, other)
        self.steps += refined(rest, other)

    def _equal(self, token: Token, other: Token) -> None:
        self._gap(token.start, other.start)
        raw, other_raw = self.draft[token.start : token.end], self.source[other.start : other.end]
        self._draft_at, self._source_at = token.end, other.end
        self.steps += refined(raw, other_raw)
        if raw == other_raw:
            return
        if token.is_edited and not other.is_edited:
            self.classes.add(DifferenceClass.INSERTION)
            raw = raw.replace("[", "").replace("]", "")
        # A mark inside a number in digits is part of how it is written.
        folds: Sequence[DifferenceClass] = FOLDS
        is_number = token.kind is TokenKind.NUMBER
        if is_number and (_has_digit(raw) or _has_digit(other_raw)):
            folds = FOLDS[1:]
        classes = needed(raw, other_raw, is_gap=is_number, folds=folds)
        if classes is None:
            classes = {DifferenceClass.NUMBER_FORM if is_number else DifferenceClass.WORDS}
        self.classes |= classes

    def _gap(self, draft_end: int, source_end: int) -> None:
        """Compare what stands between the last words compared and the next ones."""
        gap, other = self.draft[self._draft_at : draft_end], self.source[self._source_at : source_end]
        self.steps += refined(gap, other)
        if gap != other:
            is_head = self._draft_at == 0 and self._source_at == 0
            self.classes |= _edge_classes(gap, other) if is_head else _gap_classes(gap, other)

    def _one_sided(self, block: Block) -> None:
        """Something that only one side has, with what stands around it up to the next words."""
        draft_end = _next_start(self.draft_tokens, block.draft_end, len(self.draft))
        source_end = _next_start(self.source_tokens, block.source_end, len(self.source))
        stretch, other = self.draft[self._draft_at : draft_end], self.source[self._source_at : source_end]
        is_last = draft_end == len(self.draft) and source_end == len(self.source)
        if is_last:
            # What follows the last word is compared as the texts' end.
            draft_end = max([self._draft_at, *(token.end for token in self.draft_tokens[block.draft_start : block.draft_end])])
            source_end = max(
                [self._source_at, *(token.end for token in self.source_tokens[block.source_start : block.source_end])]
            )
            stretch, other = self.draft[self._draft_at : draft_end], self.source[self._source_at : source_end]
        if block.draft_start == block.draft_end:
            self._left_out(block, stretch, other)
        else:
            self._put_in(block)
        if not _MARKS.sub("", stretch).strip() and not set(_plain_marks(stretch)) <= set(_plain_marks(other)):
            self.classes.add(DifferenceClass.PUNCTUATION)
        self.steps += refined(stretch, other)
        self._draft_at, self._source_at = draft_end, source_end

    def _left_out(self, block: Block, gap: str, passage: str) -> None:
        rest = self._said(block)
        found = self.source_tokens
        is_cut = _ELLIPSIS.search(gap) is not None and _ELLIPSIS.search(passage) is None
        if is_cut:
            self.classes |= {DifferenceClass.ELISION} | harm_in(passage)
            return
        fillers = filler_tokens(self.source, found, block.source_start, block.source_end) & set(rest)
        if fillers:
            self.classes.add(DifferenceClass.FILLER)
        self._lacking([found[at] for at in rest if at not in fillers])

    def _put_in(self, block: Block) -> None:
        added = self.draft_tokens[block.draft_start : block.draft_end]
        brackets = [token for token in added if token.kind is TokenKind.BRACKET]
        if brackets:
            self.classes.add(DifferenceClass.INSERTION)
            if negation_count(brackets):
                self.classes.add(DifferenceClass.NEGATION)
        self._lacking([token for token in added if token.kind is not TokenKind.BRACKET])

    def _lacking(self, lacking: Sequence[Token]) -> None:
        """Words that the other side has nothing for."""
        if negation_count(lacking):
            self.classes.add(DifferenceClass.NEGATION)
        strong = _strong_numbers(lacking)
        if strong:
            self.classes.add(DifferenceClass.NUMBER)
        if any(without_negation(token.key) and token.key not in strong for token in lacking):
            self.classes.add(DifferenceClass.WORDS)

    def _replaced(self, block: Block) -> None:
        draft_first, source_first = self.draft_tokens[block.draft_start], self.source_tokens[block.source_start]
        self._gap(draft_first.start, source_first.start)
        self._draft_at = self.draft_tokens[block.draft_end - 1].end
        self._source_at = self.source_tokens[block.source_end - 1].end
        raw, other_raw = self.draft[draft_first.start : self._draft_at], self.source[source_first.start : self._source_at]
        has_number = _has_number(self.draft_tokens[block.draft_start : block.draft_end]) or _has_number(
            self.source_tokens[block.source_start : block.source_end]
        )
        same = None if has_number else needed(raw, other_raw)
        if same is not None and not _is_other_word(raw, other_raw):
            self.classes |= same
            self.steps += refined(raw, other_raw)
            return
        self.steps.append(_step(raw, other_raw))
        said = self._said(block)
        fillers = filler_tokens(self.source, self.source_tokens, block.source_start, block.source_end) & set(said)
        own = self.draft_tokens[block.draft_start : block.draft_end]
        fillers -= {at for at in fillers if self.source_tokens[at].key in {token.key for token in own}}
        if fillers:
            self.classes.add(DifferenceClass.FILLER)
        others = [self.source_tokens[at] for at in said if at not in fillers]
        brackets = [token for token in own if token.kind is TokenKind.BRACKET]
        own = [token for token in own if token.kind is not TokenKind.BRACKET]
        if brackets:
            self.classes.add(DifferenceClass.INSERTION)
        if brackets and not own:
            self._bracketed(brackets, others)
        elif not own or not others:
            self._lacking(own or others)
        else:
            self._other_words(own, others, block)

    def _bracketed(self, brackets: Sequence[Token], others: Sequence[Token]) -> None:
        """An editor's bracket in place of words."""
        inside = [token for bracket in brackets for token in tokens(self.draft[bracket.start + 1 : bracket.end - 1])]
        self.classes |= _harm(inside, others)
        if len(others) > _MOST_REPLACED:
            self.classes.add(DifferenceClass.WORDS)

    def _other_words(self, own: Sequence[Token], others: Sequence[Token], block: Block) -> None:
        """Words on both sides."""
        is_joined = (
            not (_has_number(own) or _has_number(others))
            and needed("".join(token.key for token in own), "".join(token.key for token in others)) is not None
        )
        if is_joined and not _is_other_word("".join(t.key for t in own), "".join(t.key for t in others)):
            raw, other_raw = _span_text(self.draft, own), _span_text(self.source, others)
            self.classes |= needed(raw, other_raw) or {DifferenceClass.PUNCTUATION}
            return
        harm = _harm(own, others)
        if block.draft_end == len(self.draft_tokens) and _is_part([t.key for t in own], [t.key for t in others], at_end=True):
            self.classes |= harm | {DifferenceClass.PARTIAL_WORD}
            return
        if block.draft_start == 0 and _is_part([t.key for t in own], [t.key for t in others], at_end=False):
            self.classes |= harm | {DifferenceClass.PARTIAL_WORD}
            return
        self.classes |= harm
        if len(own) == len(others) == 1 and is_opposite(own[0].key, others[0].key):
            self.classes.add(DifferenceClass.NEGATION)
            return
        if not harm or _bare(own) != _bare(others):
            self.classes.add(DifferenceClass.WORDS)

    def _said(self, block: Block) -> list[int]:
        """Return which source tokens of a block were said; the others are annotations, and named as such."""
        said = [
            at
            for at in range(block.source_start, block.source_end)
            if self.source_tokens[at].kind in (TokenKind.WORD, TokenKind.NUMBER)
        ]
        if len(said) < block.source_end - block.source_start:
            self.classes.add(DifferenceClass.ANNOTATION)
        return said


def _harm(own: Sequence[Token], others: Sequence[Token]) -> set[DifferenceClass]:
    """Return `number` and `negation` where the two sides differ in them."""
    classes: set[DifferenceClass] = set()
    if negation_count(own) != negation_count(others):
        classes.add(DifferenceClass.NEGATION)
    mine = Counter(token.key for token in own if token.kind is TokenKind.NUMBER)
    theirs = Counter(token.key for token in others if token.kind is TokenKind.NUMBER)
    lacking, added = theirs - mine, mine - theirs
    if any(value not in WEAK for value in (lacking | added)) or (lacking and added):
        classes.add(DifferenceClass.NUMBER)
    return classes


def _strong_numbers(found: Sequence[Token]) -> set[str]:
    return {token.key for token in found if token.kind is TokenKind.NUMBER and token.key not in WEAK}


def _bare(found: Sequence[Token]) -> list[str]:
    """Return the keys without numbers and without what negates."""
    words = [without_negation(token.key) for token in found if token.kind is not TokenKind.NUMBER]
    return [word for word in words if word]


def _is_part(own: Sequence[str], others: Sequence[str], *, at_end: bool) -> bool:
    """Whether the claim's outermost word is a piece of the passage's, and the words before it are the same."""
    if len(own) != len(others):
        return False
    if at_end:
        return own[:-1] == others[:-1] and len(own[-1]) < len(others[-1]) and others[-1].startswith(own[-1])
    return own[1:] == others[1:] and len(own[0]) < len(others[0]) and others[0].endswith(own[0])


def _is_other_word(raw: str, other_raw: str) -> bool:
    """Whether only an apostrophe makes one word of the other, and it is another word."""
    bare, other = undo(raw, FOLDS), undo(other_raw, FOLDS)
    has, others_has = "'" in undo(raw, FOLDS[1:]), "'" in undo(other_raw, FOLDS[1:])
    return has != others_has and bare == other and bare in _OTHER_WORDS and bare != "its"


def _gap_classes(gap: str, other: str) -> set[DifferenceClass]:
    """Return the classes of what stands between the same two words on either side."""
    classes = needed(gap, other, is_gap=True)
    return classes if classes is not None else {DifferenceClass.PUNCTUATION}


def _edge_classes(gap: str, other: str) -> set[DifferenceClass]:
    classes = needed(gap, other)
    return classes if classes is not None else {DifferenceClass.PUNCTUATION}


def _plain_marks(text: str) -> str:
    return "".join(_MARKS.findall(_ELLIPSIS.sub("", undo(text, FOLDS[2:]))))


def _next_start(found: Sequence[Token], at: int, length: int) -> int:
    return found[at].start if at < len(found) else length


def _span_text(text: str, found: Sequence[Token]) -> str:
    return text[found[0].start : found[-1].end]


def _has_number(found: Sequence[Token]) -> bool:
    return any(token.kind is TokenKind.NUMBER for token in found)


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


def _step(draft: str, source: str) -> DifferenceStep:
    if draft == source:
        return DifferenceStep("equal", draft, source)
    return DifferenceStep("insert" if not draft else "replace" if source else "delete", draft, source)
