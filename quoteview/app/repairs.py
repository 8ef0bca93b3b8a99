"""The repairs offered for a claim, in order: what Enter does comes first.

Captions err exactly in words, numbers and negations, so for those, for what is not found and for two
speakers the first offer is to listen, never to rewrite; accepting is always last. Where the words occur
more than once and the draft names no time, a person has to choose the moment, and listening comes first
too. A repair is safe when it may be applied together with others after a look at the list: a mark moved
out, signs, Unicode form or white space, and a time where the words occur once.

What an edit would change is worked out only when it is asked for, and on the claim's paragraph where that
is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from quoteview.app.excerpts import Excerpt, excerpt_of
from quoteview.app.states import Edited, Repair, RepairKind
from quoteview.app.times import clock
from quoteview.core.drafts import edits
from quoteview.core.drafts.draft import Claim, ClaimKind, Draft, Patch, patched
from quoteview.core.errors import DraftError
from quoteview.core.reference import Reference
from quoteview.core.spans import TextSpan
from quoteview.core.verdicts import DifferenceClass as Class
from quoteview.core.verdicts import Match, Nearest, Verdict, VerdictKind

LISTEN_FIRST = frozenset({Class.NUMBER, Class.NEGATION, Class.WORDS, Class.TWO_SPEAKERS})
SAFE = frozenset({Class.TERMINAL_PUNCTUATION, Class.TYPOGRAPHY, Class.UNICODE_FORM, Class.WHITESPACE, Class.INVISIBLE})
_SIGNS = frozenset({Class.TYPOGRAPHY, Class.UNICODE_FORM, Class.WHITESPACE, Class.INVISIBLE})
_NARROWED = frozenset({Class.INSERTION, Class.PARTIAL_WORD, Class.ANNOTATION})

EditOf = Callable[[Draft, Claim], tuple[Patch, ...]]


def offered(draft: Draft, claim: Claim, verdict: Verdict, reference: Reference) -> tuple[Repair, ...]:
    """Return the repairs of one red claim, none for an exact one."""
    match verdict.kind:
        case VerdictKind.EXACT:
            return ()
        case VerdictKind.MISTIMED | VerdictKind.UNTIMED:
            first = _times(draft, claim, verdict)
        case VerdictKind.ALTERED:
            first = _rewordings(draft, claim, verdict, reference)
        case VerdictKind.NOT_FOUND:
            first = [_listen(claim, verdict)]
        case VerdictKind.UNCLOSED:
            first = [_close(draft, claim, verdict, reference)]
    listens = any(repair.kind is RepairKind.LISTEN for repair in first)
    return (*first, *common(draft, claim), *(() if listens else (_listen(claim, verdict),)))


def common(draft: Draft, claim: Claim) -> tuple[Repair, ...]:
    """Return what is offered for every claim to do, whatever its verdict; accepting comes last."""
    return (
        Repair(RepairKind.EDIT, _tr("Edit…")),
        Repair(RepairKind.SET_ASIDE, _tr("Set aside")),
        Repair(RepairKind.RETRACT, _tr("Retract"), _edit(draft, claim, lambda d, c: edits.retract(d, c, True))),
        Repair(RepairKind.ACCEPT, _tr("Accept…")),
    )


def is_safe(verdict: Verdict) -> bool:
    """Return whether the first repair of a verdict is a safe one; cheap, so that a whole draft can be asked."""
    match verdict.kind:
        case VerdictKind.MISTIMED | VerdictKind.UNTIMED:
            return verdict.occurrences == 1
        case VerdictKind.ALTERED:
            return verdict.nearest is not None and bool(verdict.classes) and frozenset(verdict.classes) <= SAFE
        case _:
            return False


def _times(draft: Draft, claim: Claim, verdict: Verdict) -> list[Repair]:
    nearest = verdict.match
    others = [ms for ms in verdict.moments if nearest is None or ms != nearest.evidence.time.start_ms]
    moments = [_spoken_ms(nearest), *others] if nearest is not None else others
    if verdict.kind is VerdictKind.UNTIMED:
        moments.sort()
    repairs = [_time(draft, claim, moment_ms, is_safe=verdict.occurrences == 1) for moment_ms in moments]
    needs_choice = verdict.kind is VerdictKind.UNTIMED and verdict.occurrences > 1
    return [_listen(claim, verdict), *repairs] if needs_choice else repairs


def _spoken_ms(found: Match) -> int:
    """Return when the words begin: the word's own time where it is known and lies in the cue, else the cue's start."""
    word_ms, cue = found.evidence.word_start_ms, found.evidence.first_cue
    is_usable = word_ms is not None and found.evidence.is_word_time_known and cue.distance_ms(word_ms) == 0
    return word_ms if word_ms is not None and is_usable else cue.start_ms


def _time(draft: Draft, claim: Claim, moment_ms: int, *, is_safe: bool) -> Repair:
    label = _tr("Use {time}") if claim.claimed is not None else _tr("Insert {time}")

    def edit() -> Edited:
        # The notation of the other times of the draft decides how a new one is written, so the whole draft is needed.
        if claim.claimed is None:
            return _edited(Excerpt(draft, claim, 0), lambda d, c: edits.set_time(d, c, moment_ms))
        return _edited(excerpt_of(draft, claim), lambda d, c: edits.set_time(d, c, moment_ms))

    return Repair(RepairKind.TIME, label.format(time=clock(moment_ms)), edit, moment_ms=moment_ms, is_safe=is_safe)


def _rewordings(draft: Draft, claim: Claim, verdict: Verdict, reference: Reference) -> list[Repair]:
    nearest = verdict.nearest
    if nearest is None:
        return [_listen(claim, verdict)]
    classes = frozenset(verdict.classes)
    run = longest_run(claim, nearest, reference) if claim.kind is ClaimKind.MARKS else None
    narrow = Repair(RepairKind.NARROW, _tr("Narrow"), _edit(draft, claim, lambda d, c: edits.narrow(d, c, run))) if run else None
    found: list[Repair | None] = [_listen(claim, verdict) if LISTEN_FIRST & classes else None]
    if Class.TERMINAL_PUNCTUATION in classes and claim.close_mark is not None:
        found.append(_mark_out(draft, claim, is_safe=classes <= SAFE))
    if len(nearest.parts) > 1:
        found.append(_split(draft, claim, nearest))
    if _NARROWED & classes:
        found.append(narrow)
        narrow = None
    found.append(_source_words(draft, claim, nearest, classes))
    if not classes <= SAFE | _NARROWED:
        found.append(narrow)
    return [repair for repair in found if repair is not None]


def _listen(claim: Claim, verdict: Verdict) -> Repair:
    found = verdict.match or (verdict.nearest.match if verdict.nearest is not None else None)
    claimed_ms = claim.claimed_ms
    return Repair(RepairKind.LISTEN, _tr("Play"), moment_ms=found.evidence.time.start_ms if found else claimed_ms)


def _mark_out(draft: Draft, claim: Claim, *, is_safe: bool) -> Repair:
    names = {
        ",": _tr("Move the comma outside"),
        ".": _tr("Move the full stop outside"),
        "?": _tr("Move the question mark outside"),
        "!": _tr("Move the exclamation mark outside"),
    }
    label = names.get(claim.text[-1:], _tr("Move the mark outside"))
    return Repair(RepairKind.MARK_OUT, label, _edit(draft, claim, lambda d, c: edits.move_mark_out(d, c, 1)), is_safe=is_safe)


def _source_words(draft: Draft, claim: Claim, nearest: Nearest, classes: frozenset[Class]) -> Repair:
    if classes == {Class.TYPOGRAPHY}:
        label = _tr("Use the captions’ sign")
    elif classes <= _SIGNS:
        label = _tr("Use the captions’ form")
    elif Class.ELISION in classes:
        label = _tr("Put the words back")
    else:
        label = _tr("Use the captions’ words")
    edit = _edit(draft, claim, lambda d, c: edits.replace_text(d, c, nearest.text))
    return Repair(RepairKind.SOURCE_WORDS, label, edit, is_safe=classes <= _SIGNS)


def _split(draft: Draft, claim: Claim, nearest: Nearest) -> Repair:
    first, second, last = nearest.parts[0], nearest.parts[1], nearest.parts[-1]
    rest = TextSpan(second.claim_span.start, last.claim_span.end)
    second_ms = _spoken_ms(second.match)

    def edit() -> Edited:
        return _edited(Excerpt(draft, claim, 0), lambda d, c: edits.split(d, c, first.claim_span, rest, second_ms))

    return Repair(RepairKind.SPLIT, _tr("Split at the cut"), edit, moment_ms=second_ms)


def _close(draft: Draft, claim: Claim, verdict: Verdict, reference: Reference) -> Repair:
    """Close an unclosed quotation where its longest exact beginning ends, else at its last word."""
    position = len(claim.text.rstrip())
    words = [at for at in range(len(claim.text), 0, -1) if at == len(claim.text) or claim.text[at].isspace()]
    for at in words:
        if any(found.is_whole for found in reference.find(claim.text[:at].rstrip())):
            position = len(claim.text[:at].rstrip())
            break
    return Repair(
        RepairKind.CLOSE, _tr("Place the closing mark"), _edit(draft, claim, lambda d, c: edits.close_at(d, c, position))
    )


def longest_run(claim: Claim, nearest: Nearest, reference: Reference) -> TextSpan | None:
    """Return the longest run of the claim's words that stands whole in the reference text, None where none of two words does."""
    best: TextSpan | None = None
    at = 0
    for step in nearest.difference:
        words = step.draft.strip()
        start = claim.text.find(words, at) if words else -1
        if start < 0:
            continue
        at = start + len(words)
        is_longer = best is None or len(words) > best.end - best.start
        if step.kind == "equal" and is_longer and " " in words and any(one.is_whole for one in reference.find(words)):
            best = TextSpan(start, at)
    return None if best == TextSpan(0, len(claim.text)) else best


def _edit(draft: Draft, claim: Claim, make: EditOf) -> Callable[[], Edited]:
    return lambda: _edited(excerpt_of(draft, claim), make)


_NO_EDIT = Edited()


def _edited(excerpt: Excerpt, make: EditOf) -> Edited:
    """Return what an edit changes, in bytes of the whole draft; nothing where the draft does not allow it."""
    draft, claim, offset = excerpt
    try:
        changed = tuple(sorted(make(draft, claim)))
    except DraftError:
        return _NO_EDIT
    if not changed:
        return _NO_EDIT
    start = min(claim.outer.start, changed[0].start)
    end = max(claim.outer.end, changed[-1].end)
    inner = [Patch(patch.start - start, patch.end - start, patch.replacement) for patch in changed]
    before = draft.data[start:end]
    moved = tuple(Patch(patch.start + offset, patch.end + offset, patch.replacement) for patch in changed)
    return Edited(moved, _shown(before, draft.encoding), _shown(patched(before, inner), draft.encoding))


def _shown(part: bytes, encoding: str) -> str:
    """Return a part of the draft as text. A codec that wants a mark at the start becomes the one without."""
    codec = "utf-8" if encoding.startswith("utf-8") else encoding
    return part.decode(codec, "backslashreplace")


def apart(edits_made: Sequence[tuple[Patch, ...]]) -> tuple[Patch, ...]:
    """Return the patches of the edits that can be made together; one that overlaps an earlier one is left out whole."""
    kept: list[Patch] = []
    for made in edits_made:
        if all(new.end <= old.start or new.start >= old.end for new in made for old in kept):
            kept += made
    return tuple(sorted(kept))


def _tr(text: str) -> str:
    return QCoreApplication.translate("Repairs", text)
