"""Verdicts: what is proven of each claim, decided in numbered steps.

A claim is `exact` only where its text is an exact, whole substring of the reference text, its claimed time lies
within the tolerance of the cue in which the nearest occurrence begins, and the locked bytes, cut again at the
evidence's ranges and decoded again, give the same characters with nothing skipped. What fails any of these is
another verdict, never an exception; what is unsure is not exact.

- The distance of a claimed time is measured to the closed interval of the cue, in whole milliseconds; the tolerance
  is inclusive. A range is judged by its start; its end must not lie more than the tolerance before the cue in which
  the occurrence ends.
- Of several occurrences the nearest in time decides.
- A claim without a letter or digit is never exact: it is `not_found`, with a note.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from quoteview.core.boundaries import Flaw, border_flaw
from quoteview.core.captions.track import Track
from quoteview.core.cutting import SecondCut, cut_again
from quoteview.core.drafts.draft import Claim, ClaimedTime
from quoteview.core.reference import BorderRule, Reference, RunReader, text_from_bytes
from quoteview.core.spans import TextSpan
from quoteview.core.verdicts import (
    LARGEST_TOLERANCE_MS,
    MOST_MOMENTS,
    DifferenceClass,
    Match,
    Nearest,
    Occurrence,
    Verdict,
    VerdictKind,
)

Report = Callable[[int, int], None]
"""Takes how many claims are judged and how many there are; may raise `Cancelled`."""

_NOTHING_TO_PROVE = "Without a letter or digit there is nothing to prove."
_CROSSES_UNREAD = "Something that could not be read stands inside these words."
_LONGEST_TOKEN = 256


@dataclass(frozen=True, slots=True)
class Checker:
    """The check with its collaborators; the defaults are the real ones, others are for proving that the self-test can fail.

    `read` and `border_rule` make the references (see `reference`); `second_cut` takes the text out of the bytes again.
    `explains` False leaves out where the nearest passage is and what differs: text without an occurrence is `not_found`.
    Nothing becomes green or red by it; it spares the self-test the better part of its time.
    """

    read: RunReader = text_from_bytes
    border_rule: BorderRule = border_flaw
    second_cut: SecondCut = cut_again
    explains: bool = True

    def reference(self, track: Track, track_id: str) -> Reference:
        """Return the reference text of a track as this checker reads it."""
        return Reference(track, track_id, read=self.read, border_rule=self.border_rule)

    def check(
        self,
        reference: Reference,
        claims: Sequence[Claim],
        *,
        tolerance_ms: int = LARGEST_TOLERANCE_MS,
        others: Sequence[Reference] = (),
        report: Report | None = None,
    ) -> tuple[Verdict, ...]:
        """Return the verdict of each claim, in order. `others` are the other locked tracks, for `also_in`.

        A tolerance that is negative or above the largest allowed is a programming error and raises ValueError.
        """
        if not 0 <= tolerance_ms <= LARGEST_TOLERANCE_MS:
            raise ValueError(f"the tolerance is at most {LARGEST_TOLERANCE_MS} ms")
        quotes = [claim.text if claim.is_closed and has_word(claim.text) else "" for claim in claims]
        found = reference.find_all(quotes)
        elsewhere = [(other, other.find_all(quotes)) for other in others if other is not reference]
        verdicts: list[Verdict] = []
        for number, claim in enumerate(claims):
            verdict = self._verdict(reference, claim, found[number], tolerance_ms)
            also_in = tuple(
                other.track_id for other, places in elsewhere if self._is_exact(other, claim, places[number], tolerance_ms)
            )
            verdicts.append(replace(verdict, also_in=also_in) if also_in else verdict)
            if report is not None:
                report(number + 1, len(claims))
        return tuple(verdicts)

    def check_one(
        self,
        reference: Reference,
        claim: Claim,
        *,
        tolerance_ms: int = LARGEST_TOLERANCE_MS,
        others: Sequence[Reference] = (),
    ) -> Verdict:
        """Return the verdict of one claim, as `check` would."""
        return self.check(reference, (claim,), tolerance_ms=tolerance_ms, others=others)[0]

    def _verdict(self, reference: Reference, claim: Claim, occurrences: tuple[Occurrence, ...], tolerance_ms: int) -> Verdict:
        # (1) A quotation that never ends proves nothing, whatever its words are.
        if not claim.is_closed:
            return Verdict(VerdictKind.UNCLOSED)

        # (2) Neither does one without a letter or digit.
        if not has_word(claim.text):
            return Verdict(VerdictKind.NOT_FOUND, notes=(_NOTHING_TO_PROVE,))

        # (3) Only places that divide no word, number or cluster, cross nothing unread and no change of speaker count.
        whole = tuple(occurrence for occurrence in occurrences if occurrence.is_whole)
        if not whole:
            if occurrences:
                return _flawed(reference, claim, occurrences)
            return altered(reference, claim) if self.explains else Verdict(VerdictKind.NOT_FOUND)

        # (4) Of several the nearest in time decides.
        claimed = claim.claimed
        match = _nearest_in_time(reference, whole, claimed, tolerance_ms)
        facts = Verdict(
            VerdictKind.UNTIMED,
            occurrences=len(whole),
            match=match,
            moments=tuple(reference.time_at(occurrence.span.start).start_ms for occurrence in whole[:MOST_MOMENTS]),
        )

        # (5) The bytes decide: cut and decoded again, with nothing skipped, they must give the claim.
        cut = self.second_cut(reference, match.span, match.evidence.bytes)
        if cut.defect or cut.text != claim.text:
            return _contradicted(facts, match, claim, cut.text, cut.defect)

        # (6) The time.
        if claimed is None or claimed.start_ms is None:
            return facts
        defects = _time_defects(match, claimed, tolerance_ms)
        if defects is not None:
            return replace(facts, kind=VerdictKind.MISTIMED, notes=defects)
        return replace(facts, kind=VerdictKind.EXACT)

    def _is_exact(self, reference: Reference, claim: Claim, occurrences: tuple[Occurrence, ...], tolerance_ms: int) -> bool:
        """Whether a claim would be exact against another track."""
        if not any(occurrence.is_whole for occurrence in occurrences):
            return False
        return self._verdict(reference, claim, occurrences, tolerance_ms).is_green


def check(
    reference: Reference,
    claims: Sequence[Claim],
    *,
    tolerance_ms: int = LARGEST_TOLERANCE_MS,
    others: Sequence[Reference] = (),
    report: Report | None = None,
) -> tuple[Verdict, ...]:
    """Return the verdict of each claim, in order, by the real checker; see `Checker.check`."""
    return Checker().check(reference, claims, tolerance_ms=tolerance_ms, others=others, report=report)


def check_one(
    reference: Reference, claim: Claim, *, tolerance_ms: int = LARGEST_TOLERANCE_MS, others: Sequence[Reference] = ()
) -> Verdict:
    """Return the verdict of one changed claim, as `check` would."""
    return Checker().check_one(reference, claim, tolerance_ms=tolerance_ms, others=others)


def has_word(text: str) -> bool:
    """Return whether a text has a letter or a digit."""
    return any(character.isalnum() for character in text)


def altered(reference: Reference, claim: Claim) -> Verdict:
    """Return `altered` with its classes and the nearest passage, or `not_found` where nothing close exists."""
    from quoteview.core.difference import compare
    from quoteview.core.elision import elided

    claimed_ms = claim.claimed.start_ms if claim.claimed else None
    cut = elided(reference, claim.text, claimed_ms)
    if cut is not None:
        return Verdict(VerdictKind.ALTERED, classes=cut.classes, nearest=cut.nearest)
    span = reference.passages.nearest(claim.text, claimed_ms)
    if span is None:
        return Verdict(VerdictKind.NOT_FOUND)
    text = reference.text[span.start : span.end]
    difference = compare(claim.text, text)
    classes = set(difference.classes)
    notes: tuple[str, ...] = ()
    flaw = reference.flaw(span)
    if flaw is Flaw.SPEAKERS:
        classes.add(DifferenceClass.TWO_SPEAKERS)
    elif flaw is Flaw.UNREAD:
        notes = (_CROSSES_UNREAD,)
    nearest = Nearest(reference.match(span, claimed_ms), text, difference.steps)
    return Verdict(VerdictKind.ALTERED, classes=ordered(classes), nearest=nearest, notes=notes)


def ordered(classes: set[DifferenceClass]) -> tuple[DifferenceClass, ...]:
    """Return classes most harmful first; `words` where none is named, for an unnamed difference is not harmless."""
    return tuple(member for member in DifferenceClass if member in classes) or (DifferenceClass.WORDS,)


def _nearest_in_time(reference: Reference, whole: Sequence[Occurrence], claimed: ClaimedTime | None, tolerance_ms: int) -> Match:
    """Return the occurrence nearest to the claimed time, the first one where none is claimed.

    Among several equally near the first counts whose end the claimed range allows.
    """
    if claimed is None or claimed.start_ms is None:
        return reference.match(whole[0].span, None)
    start_ms = claimed.start_ms
    distances = [abs(reference.time_at(occurrence.span.start).distance_ms(start_ms)) for occurrence in whole]
    nearest = min(distances)
    equals = [occurrence.span for occurrence, distance in zip(whole, distances, strict=True) if distance == nearest]
    if claimed.end_ms is not None:
        for span in equals[:MOST_MOMENTS]:
            match = reference.match(span, start_ms)
            if _time_defects(match, claimed, tolerance_ms) is None:
                return match
    return reference.match(equals[0], start_ms)


def _time_defects(match: Match, claimed: ClaimedTime, tolerance_ms: int) -> tuple[str, ...] | None:
    """Return None where the claimed time is within the tolerance, else notes on what the distance does not say."""
    if match.offset_ms is None or abs(match.offset_ms) > tolerance_ms:
        return ()
    last = match.evidence.last_cue
    if claimed.end_ms is not None and last.start_ms - claimed.end_ms > tolerance_ms:
        return (f"The range ends {(last.start_ms - claimed.end_ms) / 1000:.3f} s before the words do.",)
    return None


def _contradicted(facts: Verdict, match: Match, claim: Claim, text: str, defect: str) -> Verdict:
    """Return `altered` for a claim that the text seemed to hold and the bytes do not."""
    from quoteview.core.difference import compare

    difference = compare(claim.text, text)
    reason = defect or "they give other characters"
    return replace(
        facts,
        kind=VerdictKind.ALTERED,
        classes=ordered(set(difference.classes)),
        match=None,
        nearest=Nearest(match, text, difference.steps),
        notes=(f"The locked bytes do not prove these words: {reason}.",),
    )


def _flawed(reference: Reference, claim: Claim, occurrences: Sequence[Occurrence]) -> Verdict:
    """Return `altered` for characters that stand in the text, but nowhere as a whole."""
    from quoteview.core.difference import compare

    claimed_ms = claim.claimed.start_ms if claim.claimed else None
    chosen = occurrences[0]
    if claimed_ms is not None:
        moment = claimed_ms
        chosen = min(occurrences, key=lambda one: abs(reference.time_at(one.span.start).distance_ms(moment)))
    span = _widened(reference.text, chosen.span)
    text = reference.text[span.start : span.end]
    difference = compare(claim.text, text)
    nearest = Nearest(reference.match(span, claimed_ms), text, difference.steps)
    if chosen.flaw is Flaw.SPEAKERS:
        return Verdict(VerdictKind.ALTERED, classes=(DifferenceClass.TWO_SPEAKERS,), nearest=nearest)
    if chosen.flaw is Flaw.UNREAD:
        return Verdict(VerdictKind.ALTERED, classes=(DifferenceClass.WORDS,), nearest=nearest, notes=(_CROSSES_UNREAD,))
    harmful = {DifferenceClass.NUMBER, DifferenceClass.NEGATION} & set(difference.classes)
    return Verdict(VerdictKind.ALTERED, classes=ordered(harmful | {DifferenceClass.PARTIAL_WORD}), nearest=nearest)


def _widened(text: str, span: TextSpan) -> TextSpan:
    """Return the span with both ends moved outward to the borders of words, numbers and clusters."""
    start, end = span
    while start > 0 and span.start - start < _LONGEST_TOKEN and border_flaw(text, start) is not None:
        start -= 1
    while end < len(text) and end - span.end < _LONGEST_TOKEN and border_flaw(text, end) is not None:
        end += 1
    return TextSpan(start, end)
