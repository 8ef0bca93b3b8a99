"""What is said of a claim: one plain sentence, the fact first, the words that differ by name.

- Never a score, never “probably”; a number, a negation or other words ask to listen, since captions err exactly there.
- A character that shows nothing, or looks like another, is named by number and name.
- What a person recorded is said with who, when and why; what no longer holds with why not.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from datetime import datetime

from quoteview.core.captions.track import Origin
from quoteview.core.drafts.draft import Claim
from quoteview.core.resolving import ClaimStanding, Reopened, Resolution, ResolutionKind, Resolved
from quoteview.core.verdicts import LONG_CUE_MS, DifferenceClass, DifferenceStep, Nearest, Verdict, VerdictKind

_LONGEST = 48
"""Words of a difference longer than this are cut in a sentence; the panel shows them whole."""

_NAMES = {
    "'": "straight apostrophe",
    '"': "straight quote mark",
    "\u2018": "opening single quote mark",
    "\u2019": "curly apostrophe",
    "\u201c": "opening quote mark",
    "\u201d": "closing quote mark",
    "-": "hyphen",
    "\u2010": "hyphen sign",
    "\u2011": "no-break hyphen",
    "\u2013": "en dash",
    "\u2014": "em dash",
    "\u2212": "minus sign",
    "\u2026": "ellipsis sign",
    " ": "space",
    "\u00a0": "no-break space",
    "\u202f": "narrow no-break space",
    "\u2009": "thin space",
    "\u3000": "ideographic space",
    "\u00ad": "soft hyphen",
    "\u200b": "zero-width space",
    "\u200c": "zero-width non-joiner",
    "\u200d": "zero-width joiner",
    "\u2060": "word joiner",
    "\ufeff": "byte-order mark",
}
_MARK_NAMES = {",": "comma", ".": "full stop", ";": "semicolon", ":": "colon", "!": "exclamation mark", "?": "question mark"}
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def sentence(claim: Claim, verdict: Verdict, standing: ClaimStanding | None = None, *, origin: Origin | None = None) -> str:
    """Return the sentence for a claim: what a person recorded where that holds, else what is proven or why it is not."""
    match standing:
        case Resolved(resolution):
            return _resolved(resolution)
        case Reopened():
            return f"{standing.why} {_judged(claim, verdict, origin)}"
        case _:
            return _judged(claim, verdict, origin)


def class_word(kind: DifferenceClass) -> str:
    """Return a class of differences as a word for people."""
    return kind.value.replace("_", " ")


def verdict_word(verdict: Verdict) -> str:
    """Return a verdict as words for people: `not found`, `altered (number)`."""
    word = verdict.kind.value.replace("_", " ")
    return f"{word} ({class_word(verdict.classes[0])})" if verdict.classes else word


def character_name(character: str) -> str:
    """Return a character's number and name: `U+2019 curly apostrophe`."""
    name = _NAMES.get(character) or unicodedata.name(character, "").lower() or "control character"
    return f"U+{ord(character):04X} {name}"


def clock(moment_ms: int) -> str:
    """Return a moment as `12:47`, `1:02:03`, with tenths where it is no whole second."""
    sign, moment_ms = ("−", -moment_ms) if moment_ms < 0 else ("", moment_ms)
    seconds, rest = divmod(moment_ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    head = f"{hours}:{minutes:02}" if hours else f"{minutes}"
    return f"{sign}{head}:{seconds:02}" + (f".{rest // 100}" if rest else "")


def _judged(claim: Claim, verdict: Verdict, origin: Origin | None) -> str:
    match verdict.kind:
        case VerdictKind.EXACT:
            return _exact(verdict, origin)
        case VerdictKind.MISTIMED:
            return _mistimed(claim, verdict)
        case VerdictKind.UNTIMED:
            return _untimed(claim, verdict)
        case VerdictKind.UNCLOSED:
            return "This quotation opens here and never closes. Place the closing mark."
        case VerdictKind.NOT_FOUND:
            if verdict.notes:
                return verdict.notes[0]
            return "Nothing close in these captions. Listen, or ask the writer."
        case VerdictKind.ALTERED:
            return _altered(claim, verdict)


def _exact(verdict: Verdict, origin: Origin | None) -> str:
    found = verdict.match
    if found is None:
        return "Matches the captions, character for character."
    cue = found.evidence.first_cue
    where = f" ({origin.value})" if origin is not None else ""
    if cue.end_ms - cue.start_ms > LONG_CUE_MS:
        length = round((cue.end_ms - cue.start_ms) / 1000)
        return f"Matches the captions{where}; the cue lasts {length} s, so its time is known only to that."
    if verdict.occurrences > 1:
        return f"Matches the captions{where}; said {verdict.occurrences} times, nearest at {clock(cue.start_ms)}."
    return f"Matches the captions{where}, character for character, at {clock(cue.start_ms)}."


def _mistimed(claim: Claim, verdict: Verdict) -> str:
    found = verdict.match
    stated = claim.claimed.start_ms if claim.claimed is not None else None
    if found is None or stated is None:
        return "The words match, but not at the stated time."
    if verdict.notes:
        return f"The words match at {clock(found.evidence.time.start_ms)}. {verdict.notes[0]}"
    return f"The words match at {clock(found.evidence.time.start_ms)}, not {clock(stated)}. Enter corrects the time."


def _untimed(claim: Claim, verdict: Verdict) -> str:
    if claim.claimed is not None and claim.claimed.start_ms is None and claim.notes:
        return f"The words match, but {claim.notes[0][0].lower()}{claim.notes[0][1:]}"
    moments = [clock(moment) for moment in verdict.moments]
    if len(moments) > 1:
        shown = ", ".join(moments[:-1][:4]) + f" and {moments[-1]}"
        return f"The words match at {shown}. Choose which you mean."
    where = moments[0] if moments else clock(verdict.match.evidence.time.start_ms) if verdict.match else "one place"
    return f"The words match at {where}; no time is stated. Enter writes it."


def _altered(claim: Claim, verdict: Verdict) -> str:
    if not verdict.classes:
        return "The captions have other words."
    first = verdict.classes[0]
    changes = list(_changes(verdict.nearest))
    draft, source = changes[0] if changes else ("", "")
    match first:
        case DifferenceClass.NUMBER:
            return _pair(changes, "You write {draft}; the captions say {source}. Listen.", _number_change(changes))
        case DifferenceClass.NEGATION:
            return _pair(
                changes, "The captions say ‘{source}’; you write ‘{draft}’. The meaning may be reversed. Listen.", (draft, source)
            )
        case DifferenceClass.WORDS:
            return _pair(changes, "You write ‘{draft}’; the captions say ‘{source}’.", (draft, source))
        case DifferenceClass.NUMBER_FORM:
            return _pair(changes, "You write {draft}; the captions say ‘{source}’.", (draft, source))
        case DifferenceClass.FILLER:
            return f"You left out ‘{_short(source)}’. Your style may allow it; the quotation is not exact."
        case DifferenceClass.ELISION:
            return _elision(verdict.nearest)
        case _:
            return _same_words(first, claim, draft, source)


def _same_words(kind: DifferenceClass, claim: Claim, draft: str, source: str) -> str:
    match kind:
        case DifferenceClass.TERMINAL_PUNCTUATION:
            mark = _MARK_NAMES.get(claim.text[-1:], "mark")
            return f"Same words. The {mark} before your closing mark is not in the captions. Enter moves it outside."
        case DifferenceClass.TYPOGRAPHY:
            return f"Same words. Yours has {_named(draft)}, the captions {_named(source)}."
        case DifferenceClass.UNICODE_FORM:
            letter = unicodedata.normalize("NFC", draft or source)[:1]
            yours, theirs = _characters(len(draft)), _characters(len(source))
            return f"Looks the same, but {letter} is {yours} in your draft and {theirs} in the captions."
        case DifferenceClass.INVISIBLE:
            if source and _hidden(source):
                return f"The captions have {_named(_hidden(source))} here that shows nothing."
            return f"Your draft has {_named(_hidden(draft) or draft)} here that shows nothing."
        case DifferenceClass.CASE:
            return f"Same words. You write ‘{_short(draft)}’, the captions ‘{_short(source)}’."
        case DifferenceClass.INSERTION:
            return f"‘{_short(draft)}’ is yours; without it the words match."
        case DifferenceClass.ANNOTATION:
            return f"The captions have ‘{_short(source)}’ there, which nobody said."
        case DifferenceClass.PARTIAL_WORD:
            return "The quotation begins or ends inside a word or number of the captions."
        case DifferenceClass.TWO_SPEAKERS:
            return "The words run from one speaker to another."
        case DifferenceClass.WHITESPACE:
            return f"Same words. Yours has {_named(draft) or 'no space'}, the captions {_named(source) or 'no space'}."
        case _:
            return f"Same words. You write {_named(draft) or 'nothing'} where the captions have {_named(source) or 'nothing'}."


def _pair(changes: list[tuple[str, str]], both: str, change: tuple[str, str]) -> str:
    """Return the sentence for one change: both sides, or what one side has and the other lacks."""
    draft, source = change
    if draft and source:
        return both.format(draft=_short(draft), source=_short(source))
    if source:
        end = " Listen." if "Listen" in both else ""
        return f"The captions have ‘{_short(source)}’, which you left out.{end}"
    if draft:
        end = " Listen." if "Listen" in both else ""
        return f"‘{_short(draft)}’ is not in the captions.{end}"
    return "The captions have other words here." if not changes else "The captions differ here."


def _number_change(changes: list[tuple[str, str]]) -> tuple[str, str]:
    """Return the change that holds a digit, the first one where none does."""
    held = [change for change in changes if any(c.isdigit() for c in change[0] + change[1])]
    return (held or changes or [("", "")])[0]


def _elision(nearest: Nearest | None) -> str:
    if nearest is None or len(nearest.parts) < 2:
        return "Words were left out between the parts. Read the gap."
    first, last = nearest.parts[0].match.evidence.time, nearest.parts[-1].match.evidence.time
    seconds = max(0, round((last.start_ms - first.end_ms) / 1000))
    gap = f", including ‘{_short(nearest.gap.strip())}’" if nearest.gap.strip() else ""
    word = "Both parts match" if len(nearest.parts) == 2 else "All parts match"
    apart = {0: "less than a second lies", 1: "1 second lies"}.get(seconds, f"{seconds} seconds lie")
    return f"{word}, in order; {apart} between them{gap}. Read the gap."


def _changes(nearest: Nearest | None) -> Iterator[tuple[str, str]]:
    """Yield (draft, source) of every step that is not equal, neighbours together."""
    draft = source = ""
    steps: tuple[DifferenceStep, ...] = nearest.difference if nearest is not None else ()
    for step in steps:
        if step.kind != "equal":
            draft, source = draft + step.draft, source + step.source
        elif draft or source:
            yield draft.strip() or draft, source.strip() or source
            draft = source = ""
    if draft or source:
        yield draft.strip() or draft, source.strip() or source


def _resolved(resolution: Resolution) -> str:
    who = f"by {resolution.by} on {_day(resolution.at)}"
    words = f": {resolution.reason}" if resolution.reason else "."
    if resolution.kind is ResolutionKind.NOT_A_QUOTATION and not resolution.is_exception:
        return f"Set aside {who}{words}"
    if resolution.kind is ResolutionKind.NOT_A_QUOTATION:
        return f"Exception {who}, set aside{words}"
    kind = resolution.exception_class.value.replace("_", " ") if resolution.exception_class else "accepted"
    return f"Exception {who}, {kind}: “{resolution.reason}”"


def _day(at: str) -> str:
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return at
    return f"{moment.day} {_MONTHS[moment.month - 1]}"


def _named(text: str) -> str:
    """Return the characters of a short difference by name, longer ones as they are."""
    if not text:
        return ""
    if len(text) > 2:
        special = [character for character in text if not character.isalnum() and character != " "]
        return f"‘{_short(text)}’" if not special or len(set(special)) > 2 else _named("".join(dict.fromkeys(special)))
    return " and ".join(f"{_article(_NAMES.get(c) or unicodedata.name(c, 'character').lower())} (U+{ord(c):04X})" for c in text)


def _article(name: str) -> str:
    return f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"


def _hidden(text: str) -> str:
    return "".join(c for c in text if unicodedata.category(c) == "Cf")


def _characters(count: int) -> str:
    return "one character" if count == 1 else f"{('two', 'three', 'four')[count - 2] if 2 <= count <= 4 else count} characters"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1].rstrip() + "…"
