"""Claims that are alike: what one act can resolve together, after a person has seen the list.

Words, numbers, negations, fillers and cuts are never in one: each of those is read by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QCoreApplication

from quoteview.app.states import Alike, AlikeKind, Repair, RepairKind
from quoteview.core.drafts.draft import Claim
from quoteview.core.verdicts import DifferenceClass as Class
from quoteview.core.verdicts import Verdict, VerdictKind

MOST_TERM_WORDS = 2
"""A term or scare quote has one word or two; of three words on, a person looks at each."""

_LONGEST_TERM = 80
"""Characters; a longer text is no term, whatever its spaces."""

_HARMLESS = {
    AlikeKind.TERMINAL_PUNCTUATION: frozenset({Class.TERMINAL_PUNCTUATION}),
    AlikeKind.TYPOGRAPHY: frozenset({Class.TYPOGRAPHY, Class.UNICODE_FORM, Class.WHITESPACE, Class.INVISIBLE}),
    AlikeKind.CASE: frozenset({Class.CASE, Class.PUNCTUATION, Class.TERMINAL_PUNCTUATION, Class.TYPOGRAPHY}),
    AlikeKind.OTHER_HARMLESS: frozenset(
        {
            Class.CASE,
            Class.PUNCTUATION,
            Class.TERMINAL_PUNCTUATION,
            Class.TYPOGRAPHY,
            Class.UNICODE_FORM,
            Class.WHITESPACE,
            Class.INVISIBLE,
        }
    ),
}


@dataclass(frozen=True, slots=True)
class ToDo:
    """A claim to do with its verdict, and whether only the words around it reopened it."""

    claim: Claim
    verdict: Verdict
    is_reopened_by_surroundings: bool


Members = dict[AlikeKind, tuple[int, ...]]


def members_of(to_do: Iterable[ToDo]) -> Members:
    """Return the ids of the claims to do that each kind of group has, in order."""
    found: dict[AlikeKind, list[int]] = {kind: [] for kind in AlikeKind}
    for one in to_do:
        for kind in _kinds_of(one):
            found[kind].append(one.claim.id)
    return {kind: tuple(claims) for kind, claims in found.items()}


def groups_of(chosen: int, members: Members, repairs: Callable[[int], tuple[Repair, ...]]) -> tuple[Alike, ...]:
    """Return the groups that a claim to do belongs to, the largest first; groups of one are left out.

    `repairs` gives what is offered for a claim; it is asked only when a group's list is looked at.
    """
    kinds = [kind for kind, claims in members.items() if len(claims) > 1 and chosen in claims]
    kinds.sort(key=lambda kind: (-len(members[kind]), kind is not AlikeKind.REOPENED_BY_SURROUNDINGS))
    distinct: dict[tuple[int, ...], Alike] = {}
    for kind in kinds:
        claims = members[kind]
        sentence = _sentence(kind).format(count=len(claims))
        distinct.setdefault(claims, Alike(kind, sentence, claims, partial(_repair_of, kind, repairs)))
    return tuple(distinct.values())


def words_in(text: str) -> int:
    """Return how many words a text has, divided by white space."""
    return len(text.split())


def _kinds_of(one: ToDo) -> Iterator[AlikeKind]:
    claim, verdict = one.claim, one.verdict
    if one.is_reopened_by_surroundings:
        yield AlikeKind.REOPENED_BY_SURROUNDINGS
    if len(claim.text) <= _LONGEST_TERM and words_in(claim.text) <= MOST_TERM_WORDS:
        has_own_time = claim.has_own_time
        if claim.is_closed and not has_own_time:
            yield AlikeKind.SHORT_TERMS
    if verdict.kind is VerdictKind.UNTIMED and verdict.occurrences == 1:
        yield AlikeKind.UNTIMED
    if verdict.classes:
        classes = frozenset(verdict.classes)
        yield from (kind for kind, harmless in _HARMLESS.items() if classes <= harmless)


def _repair_of(kind: AlikeKind, repairs: Callable[[int], tuple[Repair, ...]], claim_id: int) -> Repair | None:
    match kind:
        case AlikeKind.SHORT_TERMS | AlikeKind.REOPENED_BY_SURROUNDINGS:
            return None
        case AlikeKind.UNTIMED:
            wanted: tuple[RepairKind, ...] = (RepairKind.TIME,)
        case _:
            wanted = (RepairKind.MARK_OUT, RepairKind.SOURCE_WORDS)
    return next((one for one in repairs(claim_id) if one.kind in wanted), None)


def _sentence(kind: AlikeKind) -> str:
    sentences = {
        AlikeKind.SHORT_TERMS: _tr("{count} quotations of one or two words without a time of their own: set them aside"),
        AlikeKind.TERMINAL_PUNCTUATION: _tr(
            "{count} quotations with only a mark too many before the closing one: move it outside"
        ),
        AlikeKind.TYPOGRAPHY: _tr("{count} quotations that differ in signs only: use the captions’ signs"),
        AlikeKind.CASE: _tr("{count} quotations that differ in case and punctuation only: use the captions’ words"),
        AlikeKind.OTHER_HARMLESS: _tr("{count} quotations with the same words: use the captions’ form"),
        AlikeKind.REOPENED_BY_SURROUNDINGS: _tr("{count} were reopened only because words around them changed: reconfirm them"),
        AlikeKind.UNTIMED: _tr("{count} quotations without a time whose words occur once: insert the times"),
    }
    return sentences[kind]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Groups", text)
