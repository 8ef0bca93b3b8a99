"""The repairs offered for a claim, in order: what Enter does comes first.

Captions err exactly in words, numbers and negations, so for those, for what is not found and for two
speakers the first offer is to listen, never to rewrite; accepting is always last. Where the words occur
more than once and the draft names no time, a person has to choose the moment, and listening comes first
too. A repair is safe when it may be applied together with others after a look at the list: a mark moved
out, signs, Unicode form or white space, and a time where the words occur once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from quoteview.app.states import Repair, RepairKind
from quoteview.app.times import clock
from quoteview.core.drafts import edits
from quoteview.core.drafts.draft import Claim, Draft, Patch, patched
from quoteview.core.errors import DraftError
from quoteview.core.verdicts import DifferenceClass as Class
from quoteview.core.verdicts import Match, Nearest, Verdict, VerdictKind

LISTEN_FIRST = frozenset({Class.NUMBER, Class.NEGATION, Class.WORDS, Class.TWO_SPEAKERS, Class.PARTIAL_WORD})
SAFE = frozenset({Class.TERMINAL_PUNCTUATION, Class.TYPOGRAPHY, Class.UNICODE_FORM, Class.WHITESPACE, Class.INVISIBLE})
_SIGNS = frozenset({Class.TYPOGRAPHY, Class.UNICODE_FORM, Class.WHITESPACE, Class.INVISIBLE})


def offered(draft: Draft, claim: Claim, verdict: Verdict) -> tuple[Repair, ...]:
    """Return the repairs of one red claim, none for an exact one. An edit that the draft does not allow is left out."""
    match verdict.kind:
        case VerdictKind.EXACT:
            return ()
        case VerdictKind.MISTIMED | VerdictKind.UNTIMED:
            first = _times(draft, claim, verdict)
        case VerdictKind.ALTERED:
            first = _rewordings(draft, claim, verdict)
        case VerdictKind.NOT_FOUND:
            first = [_listen(verdict)]
        case VerdictKind.UNCLOSED:
            first = _closings(draft, claim)
    rest = [
        Repair(RepairKind.EDIT, _tr("Edit…")),
        Repair(RepairKind.SET_ASIDE, _tr("Set aside")),
        Repair(RepairKind.RETRACT, _tr("Retract"), *_words(draft, claim, edits.retract(draft, claim, keep_words=True))),
        Repair(RepairKind.CUT_OUT, _tr("Cut out"), *_words(draft, claim, edits.retract(draft, claim, keep_words=False))),
        Repair(RepairKind.ACCEPT, _tr("Accept…")),
    ]
    listens = any(repair.kind is RepairKind.LISTEN for repair in first)
    return (*first, *rest, *(() if listens else (_listen(verdict),)))


def passage(verdict: Verdict) -> Match | None:
    """Return where a claim stands or comes closest to standing, None where nothing is close."""
    if verdict.match is not None:
        return verdict.match
    return verdict.nearest.match if verdict.nearest is not None else None


def _times(draft: Draft, claim: Claim, verdict: Verdict) -> list[Repair]:
    nearest_ms = _spoken_ms(verdict.match) if verdict.match is not None else None
    cue_ms = verdict.match.evidence.time.start_ms if verdict.match is not None else None
    others = [moment_ms for moment_ms in verdict.moments if moment_ms != cue_ms]
    moments = [nearest_ms, *others] if nearest_ms is not None else others
    if verdict.kind is VerdictKind.UNTIMED:
        moments.sort()
    is_once = verdict.occurrences == 1
    kept = [repair for moment_ms in moments if (repair := _time(draft, claim, moment_ms, is_safe=is_once)) is not None]
    needs_choice = verdict.kind is VerdictKind.UNTIMED and not is_once
    return [_listen(verdict), *kept] if needs_choice or not kept else kept


def _spoken_ms(found: Match) -> int:
    """Return when the words begin: the word's own time where it is known and lies in the cue, else the cue's start."""
    word_ms, cue = found.evidence.word_start_ms, found.evidence.first_cue
    is_usable = word_ms is not None and found.evidence.is_word_time_known and cue.distance_ms(word_ms) == 0
    return word_ms if word_ms is not None and is_usable else cue.start_ms


def _time(draft: Draft, claim: Claim, moment_ms: int, *, is_safe: bool) -> Repair | None:
    patches = _tried(lambda: edits.set_time(draft, claim, moment_ms))
    if not patches:
        return None
    label = _tr("Use {time}") if claim.claimed is not None else _tr("Insert {time}")
    return Repair(
        RepairKind.TIME,
        label.format(time=clock(moment_ms)),
        *_words(draft, claim, patches),
        moment_ms=moment_ms,
        is_safe=is_safe,
    )


def _rewordings(draft: Draft, claim: Claim, verdict: Verdict) -> list[Repair]:
    nearest = verdict.nearest
    if nearest is None:
        return [_listen(verdict)]
    classes = frozenset(verdict.classes)
    found: list[Repair | None] = []
    if LISTEN_FIRST & classes:
        found.append(_listen(verdict))
    if Class.TERMINAL_PUNCTUATION in classes:
        found.append(_mark_out(draft, claim, is_safe=classes <= SAFE))
    if Class.ELISION in classes:
        found.append(_split(draft, claim, nearest))
    if Class.INSERTION in classes or Class.PARTIAL_WORD in classes:
        found.append(_narrow(draft, claim, nearest))
    found.append(_source_words(draft, claim, nearest, classes))
    if not ({Class.INSERTION, Class.PARTIAL_WORD, Class.ELISION} & classes):
        found.append(_narrow(draft, claim, nearest))
    return [repair for repair in found if repair is not None]


def _listen(verdict: Verdict) -> Repair:
    found = passage(verdict)
    return Repair(RepairKind.LISTEN, _tr("Play"), moment_ms=found.evidence.time.start_ms if found else None)


def _mark_out(draft: Draft, claim: Claim, *, is_safe: bool) -> Repair | None:
    patches = _tried(lambda: edits.move_mark_out(draft, claim))
    if not patches:
        return None
    names = {",": _tr("Move the comma outside"), ".": _tr("Move the full stop outside")}
    label = names.get(claim.text[-1:], _tr("Move the mark outside"))
    return Repair(RepairKind.MARK_OUT, label, *_words(draft, claim, patches), is_safe=is_safe)


def _source_words(draft: Draft, claim: Claim, nearest: Nearest, classes: frozenset[Class]) -> Repair | None:
    patches = _tried(lambda: edits.replace_text(draft, claim, nearest.text))
    if not patches:
        return None
    if classes <= _SIGNS:
        label = _tr("Use the captions’ sign") if classes == {Class.TYPOGRAPHY} else _tr("Use the captions’ form")
    elif Class.ELISION in classes:
        label = _tr("Put the words back")
    else:
        label = _tr("Use the captions’ words")
    return Repair(RepairKind.SOURCE_WORDS, label, *_words(draft, claim, patches), is_safe=classes <= SAFE)


def _split(draft: Draft, claim: Claim, nearest: Nearest) -> Repair | None:
    patches = _tried(lambda: edits.split(draft, claim, nearest.parts))
    return Repair(RepairKind.SPLIT, _tr("Split at the cut"), *_words(draft, claim, patches)) if patches else None


def _narrow(draft: Draft, claim: Claim, nearest: Nearest) -> Repair | None:
    patches = _tried(lambda: edits.narrow(draft, claim, nearest))
    return Repair(RepairKind.NARROW, _tr("Narrow"), *_words(draft, claim, patches)) if patches else None


def _closings(draft: Draft, claim: Claim) -> list[Repair]:
    patches = _tried(lambda: edits.close_at(draft, claim, len(claim.text)))
    return [Repair(RepairKind.CLOSE, _tr("Place the closing mark"), *_words(draft, claim, patches))] if patches else []


def _tried(edit: Callable[[], Sequence[Patch]]) -> tuple[Patch, ...]:
    """Return an edit's patches, or none where the draft does not allow it here: then it is not offered."""
    try:
        return tuple(edit())
    except DraftError:
        return ()


_AROUND = 24
"""Bytes of the draft shown each side of what an edit changes."""


def _words(draft: Draft, claim: Claim, patches: Sequence[Patch]) -> tuple[tuple[Patch, ...], str, str]:
    """Return the patches with the draft's words before and after them, from the claim's opening mark to what changes last."""
    changed = tuple(sorted(patches))
    if not changed:
        return (), "", ""
    start = min(claim.outer.start, changed[0].start)
    end = max(claim.outer.end, changed[-1].end)
    inner = [Patch(patch.start - start, patch.end - start, patch.replacement) for patch in changed]
    before = draft.data[start:end]
    return changed, _shown(before, draft.encoding), _shown(patched(before, inner), draft.encoding)


def _shown(part: bytes, encoding: str) -> str:
    """Return a part of the draft as text. A codec that wants a mark at the start becomes the one without."""
    codec = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le"}.get(encoding, encoding)
    return part.decode(codec, "backslashreplace")


def _tr(text: str) -> str:
    return QCoreApplication.translate("Repairs", text)
