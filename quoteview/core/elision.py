"""A claim with an ellipsis as a cut: its parts, each exact, in order, by one speaker, within 60 seconds.

What was left out between them is shown, and named where it holds a negation or a number. Where the captions have nothing but
marks at an ellipsis, nothing was cut there. Parts that differ from the captions in a harmless way are found too; then
the cut is named with those classes, but the parts are not given as exact ones.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import NamedTuple

import regex

from quoteview.core.boundaries import Flaw
from quoteview.core.difference import Difference, compare, harm_in, merged_steps, tail_classes
from quoteview.core.reference import Reference
from quoteview.core.spans import TextSpan
from quoteview.core.verdicts import DifferenceClass, DifferenceStep, ElisionPart, Nearest
from quoteview.core.words import ELLIPSIS

LONGEST_CUT_MS = 60_000
"""From the start of the first part's cue to the start of the last part's."""

_ELLIPSIS = regex.compile(ELLIPSIS)
_LAST_MARK = regex.compile(r"[,.;:!?،。，．；：！？]$")
_MOST_STARTS = 2_000
_MOST_PARTS = 12


class Elided(NamedTuple):
    """The classes and the passage of a claim that was cut."""

    classes: tuple[DifferenceClass, ...]
    nearest: Nearest


class _Part(NamedTuple):
    """Code points of the claim, and where they stand in the text."""

    span: TextSpan
    is_exact: bool
    places: tuple[TextSpan, ...]


def elided(reference: Reference, text: str, claimed_ms: int | None) -> Elided | None:
    """Return how a claim was cut, None where it was not cut or its parts do not stand near each other in order."""
    spans = _part_spans(text)
    if not 2 <= len(spans) <= _MOST_PARTS:
        return None
    parts: list[_Part] = []
    for number, span in enumerate(spans):
        part = _located(reference, text, span, is_last=number == len(spans) - 1)
        if part is None:
            return None
        parts.append(part)
    chain = _chain(reference, parts, claimed_ms)
    if chain is None:
        return None
    gaps = [reference.text[a.end : b.start] for a, b in pairwise(chain)]
    if not any(any(character.isalnum() for character in gap) for gap in gaps):
        return None
    return _described(reference, text, parts, chain, gaps, claimed_ms)


def _part_spans(text: str) -> list[TextSpan]:
    """Return the spans between ellipses that have a letter or digit, without white space at their ends."""
    edges = [(0, 0), *(match.span() for match in _ELLIPSIS.finditer(text)), (len(text), len(text))]
    spans: list[TextSpan] = []
    for (_, start), (end, _) in pairwise(edges):
        piece = text[start:end]
        if any(character.isalnum() for character in piece):
            start += len(piece) - len(piece.lstrip())
            spans.append(TextSpan(start, start + len(piece.strip())))
    return spans


def _located(reference: Reference, text: str, span: TextSpan, *, is_last: bool) -> _Part | None:
    """Return where a part stands: exactly; or without a mark at its end; or in the same letters."""
    places = _whole(reference, text[span.start : span.end])
    if places:
        return _Part(span, True, places)
    mark = _LAST_MARK.search(text[span.start : span.end])
    if mark is not None:
        shorter = TextSpan(span.start, span.end - 1)
        places = _whole(reference, text[shorter.start : shorter.end])
        if places:
            return _Part(shorter, is_last, places)
    folded = reference.passages.folded_spans(text[span.start : span.end])
    return _Part(span, False, tuple(folded)) if folded else None


def _whole(reference: Reference, quote: str) -> tuple[TextSpan, ...]:
    return tuple(occurrence.span for occurrence in reference.find(quote) if occurrence.is_whole)


def _chain(reference: Reference, parts: list[_Part], claimed_ms: int | None) -> list[TextSpan] | None:
    """Return one place for each part, in order and near each other, the chain closest to the claimed time, then the shortest."""
    best: list[TextSpan] | None = None
    best_key: tuple[bool, int, int] | None = None
    for first in parts[0].places[:_MOST_STARTS]:
        chain = [first]
        for part in parts[1:]:
            at = bisect_left(part.places, chain[-1].end, key=lambda place: place.start)
            if at == len(part.places):
                break
            chain.append(part.places[at])
        if len(chain) < len(parts):
            break
        begins = reference.time_at(first.start)
        if reference.time_at(chain[-1].start).start_ms - begins.start_ms > LONGEST_CUT_MS:
            continue
        flaw = reference.flaw(TextSpan(first.start, chain[-1].end))
        if flaw is Flaw.UNREAD:
            continue
        distance = 0 if claimed_ms is None else abs(begins.distance_ms(claimed_ms))
        chain_key = (flaw is Flaw.SPEAKERS, distance, chain[-1].end - first.start)
        if best_key is None or chain_key < best_key:
            best, best_key = chain, chain_key
    return best


def _described(
    reference: Reference, text: str, parts: list[_Part], chain: list[TextSpan], gaps: list[str], claimed_ms: int | None
) -> Elided:
    """Return the classes, the parts and the difference of a cut whose places are known."""
    classes = {DifferenceClass.ELISION}
    steps: list[DifferenceStep] = [DifferenceStep("delete", text[: parts[0].span.start], "")]
    for number, (part, place) in enumerate(zip(parts, chain, strict=True)):
        if number:
            cut, gap = text[parts[number - 1].span.end : part.span.start], gaps[number - 1]
            classes |= harm_in(gap)
            if any(mark in _ELLIPSIS.sub("", cut) for mark in ",;:!?"):
                classes.add(DifferenceClass.PUNCTUATION)
            steps.append(DifferenceStep("replace", cut, gap))
        difference: Difference = compare(text[part.span.start : part.span.end], reference.text[place.start : place.end])
        classes |= set(difference.classes)
        steps += difference.steps
    head, tail = text[: parts[0].span.start], text[parts[-1].span.end :]
    steps.append(DifferenceStep("delete", tail, ""))
    if head.strip():
        classes.add(DifferenceClass.PUNCTUATION)
    if tail:
        classes |= tail_classes(tail, "")
    whole = TextSpan(chain[0].start, chain[-1].end)
    if reference.flaw(whole) is Flaw.SPEAKERS:
        classes.add(DifferenceClass.TWO_SPEAKERS)
    exact = tuple(
        ElisionPart(part.span, reference.match(place, claimed_ms))
        for part, place in zip(parts, chain, strict=True)
        if part.is_exact
    )
    nearest = Nearest(
        reference.match(whole, claimed_ms),
        reference.text[whole.start : whole.end],
        merged_steps(steps),
        parts=exact if len(exact) == len(parts) else (),
        gap=" … ".join(gap.strip() for gap in gaps if any(character.isalnum() for character in gap)),
    )
    return Elided(tuple(member for member in DifferenceClass if member in classes), nearest)
