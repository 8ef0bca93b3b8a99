"""Claims that are alike: what one act can resolve together, after a person has seen the list.

Words, numbers, negations, fillers and cuts are never in one: each of those is read by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from quoteview.app.states import Alike, AlikeKind, Repair, RepairKind
from quoteview.core.drafts.draft import Claim
from quoteview.core.verdicts import DifferenceClass as Class
from quoteview.core.verdicts import Verdict, VerdictKind

MOST_TERM_WORDS = 2
"""A term or scare quote has one word or two; of three words on, a person looks at each."""

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


def groups_of(chosen: int, to_do: Sequence[ToDo], repairs: Callable[[int], tuple[Repair, ...]]) -> tuple[Alike, ...]:
    """Return the groups that a claim to do belongs to, the largest first; groups of one are left out.

    `repairs` gives what is offered for a claim; it is asked only for claims of a group.
    """
    found = []
    for kind in AlikeKind:
        members = [one for one in to_do if _belongs(kind, one)]
        if len(members) > 1 and any(one.claim.id == chosen for one in members):
            found.append(_group(kind, members, repairs))
    found.sort(key=lambda group: (-len(group.claims), group.kind is not AlikeKind.REOPENED_BY_SURROUNDINGS))
    distinct: dict[tuple[int, ...], Alike] = {}
    for group in found:
        distinct.setdefault(group.claims, group)
    return tuple(distinct.values())


def words_in(text: str) -> int:
    """Return how many words a text has, divided by white space."""
    return len(text.split())


def _belongs(kind: AlikeKind, one: ToDo) -> bool:
    verdict = one.verdict
    match kind:
        case AlikeKind.SHORT_TERMS:
            has_own_time = one.claim.claimed is not None and one.claim.claimed.is_own
            return words_in(one.claim.text) <= MOST_TERM_WORDS and not has_own_time and one.claim.is_closed
        case AlikeKind.REOPENED_BY_SURROUNDINGS:
            return one.is_reopened_by_surroundings
        case AlikeKind.UNTIMED:
            return verdict.kind is VerdictKind.UNTIMED and verdict.occurrences == 1
        case AlikeKind.TERMINAL_PUNCTUATION | AlikeKind.TYPOGRAPHY | AlikeKind.CASE | AlikeKind.OTHER_HARMLESS:
            return bool(verdict.classes) and frozenset(verdict.classes) <= _HARMLESS[kind]


def _group(kind: AlikeKind, members: Sequence[ToDo], repairs: Callable[[int], tuple[Repair, ...]]) -> Alike:
    edits: list[Repair | None]
    match kind:
        case AlikeKind.SHORT_TERMS | AlikeKind.REOPENED_BY_SURROUNDINGS:
            edits = [None] * len(members)
        case AlikeKind.UNTIMED:
            edits = [_first_of(RepairKind.TIME, repairs(one.claim.id)) for one in members]
        case _:
            edits = [_first_edit(repairs(one.claim.id)) for one in members]
            kept = [at for at, edit in enumerate(edits) if edit is not None]
            members, edits = [members[at] for at in kept], [edits[at] for at in kept]
    return Alike(kind, _sentence(kind).format(count=len(members)), tuple(one.claim.id for one in members), tuple(edits))


def _first_of(kind: RepairKind, offered: Sequence[Repair]) -> Repair | None:
    return next((repair for repair in offered if repair.kind is kind), None)


def _first_edit(offered: Sequence[Repair]) -> Repair | None:
    return next((one for one in offered if one.kind in (RepairKind.MARK_OUT, RepairKind.SOURCE_WORDS) and one.patches), None)


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
