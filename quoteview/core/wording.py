"""What is said of a claim: one plain sentence, the fact first; the words and characters that differ by name.

Never a score, a count of words, or “probably”. The same sentences stand in the window and on the command line; the
command line leaves out what a key would do.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from typing import NamedTuple, assert_never

from quoteview.core.drafts.draft import Claim
from quoteview.core.folding import INVISIBLE, lower
from quoteview.core.resolving import OPEN, ClaimStanding, Resolution, ResolutionKind, Resolved
from quoteview.core.verdicts import LONG_CUE_MS, DifferenceClass, DifferenceStep, Match, Nearest, Verdict, VerdictKind
from quoteview.core.words import Token, TokenKind, filler_tokens, negation_count, tokens

HARMLESS = frozenset(
    (
        DifferenceClass.CASE,
        DifferenceClass.TERMINAL_PUNCTUATION,
        DifferenceClass.TYPOGRAPHY,
        DifferenceClass.UNICODE_FORM,
        DifferenceClass.INVISIBLE,
        DifferenceClass.WHITESPACE,
        DifferenceClass.PUNCTUATION,
    )
)
"""Classes under which the words are the same."""

_NAMES = {
    "'": "straight apostrophe", "’": "curly apostrophe", "‘": "opening single quote mark", '"': "straight quote mark",
    "“": "opening curly quote mark", "”": "closing curly quote mark", "„": "low quote mark", "‚": "low single quote mark",
    "«": "opening guillemet", "»": "closing guillemet", "-": "hyphen", "‐": "Unicode hyphen", "‑": "no-break hyphen",
    "–": "en dash", "—": "em dash", "−": "minus sign", "…": "ellipsis sign", " ": "space", "\xa0": "no-break space",
    "\u202f": "narrow no-break space", "\u2009": "thin space", "\u3000": "ideographic space", "\xad": "soft hyphen",
    "\u200b": "zero-width space", "\u200c": "zero-width non-joiner", "\u200d": "zero-width joiner", "\u2060": "word joiner",
    "\ufeff": "zero-width no-break space", ".": "full stop", ",": "comma", ";": "semicolon", ":": "colon",
    "!": "exclamation mark", "?": "question mark", "\t": "tab", "\n": "line end", "。": "full stop", "、": "comma",
}  # fmt: skip
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_CLASS_WORDS = {
    DifferenceClass.TERMINAL_PUNCTUATION: "final mark",
    DifferenceClass.TYPOGRAPHY: "signs",
    DifferenceClass.UNICODE_FORM: "Unicode form",
    DifferenceClass.INVISIBLE: "invisible character",
    DifferenceClass.WHITESPACE: "white space",
    DifferenceClass.ELISION: "cut",
    DifferenceClass.FILLER: "filler left out",
    DifferenceClass.NUMBER_FORM: "number written otherwise",
}
_SHOWN = 60
_BRACKET = re.compile(r"\[[^\[\]]*\]")


class Change(NamedTuple):
    """Words of the claim and the captions' words in their place; one of them may be empty."""

    draft: str
    source: str


def sentence(claim: Claim, verdict: Verdict, standing: ClaimStanding = OPEN, *, origin: str = "", has_keys: bool = True) -> str:
    """Return how a claim stands, as one or two short sentences.

    `origin` is the reference track's, "" to leave it out. `has_keys` adds what the window's keys would do.
    """
    if isinstance(standing, Resolved):
        return resolution_sentence(standing.resolution)
    elsewhere = _elsewhere(verdict) if not verdict.is_green else ""
    return " ".join(part for part in (_verdict_sentence(claim, verdict, origin, has_keys), *verdict.notes, elsewhere) if part)


def resolution_sentence(resolution: Resolution) -> str:
    """Return what a person decided of a claim, with who and when."""
    when = f"by {resolution.by} on {day(resolution.at)}"
    if resolution.kind is ResolutionKind.ACCEPT:
        kind = resolution.exception_class.value.replace("_", " ") if resolution.exception_class else "other"
        passage = f" of “{_short(resolution.passage)}”" if resolution.passage else ""
        return f"Exception {when}, {kind}{passage}: “{resolution.reason}”."
    why = resolution.reason or resolution.note
    return f"Set aside {when}: {why.rstrip('.') + ', ' if why else ''}not from this recording."


def class_word(difference: DifferenceClass) -> str:
    """Return the class as a small tag says it."""
    return _CLASS_WORDS.get(difference, difference.value.replace("_", " "))


def character_name(character: str) -> str:
    """Return a character by name and number, as `a curly apostrophe (U+2019)` without the article."""
    name = _NAMES.get(character) or unicodedata.name(character, "character").lower()
    return f"{name} (U+{ord(character):04X})"


def clock(moment_ms: int) -> str:
    """Return a moment as `12:47`, `14:02.3` or `1:02:03`; tenths only where it is not a whole second."""
    sign, moment_ms = ("−", -moment_ms) if moment_ms < 0 else ("", moment_ms)
    seconds, rest = divmod(moment_ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    head = f"{hours}:{minutes:02}" if hours else str(minutes)
    return f"{sign}{head}:{seconds:02}" + (f".{rest // 100}" if rest >= 100 else "")


def day(at: str) -> str:
    """Return the day of an ISO 8601 time as `3 March`; the text itself where it is none."""
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return at
    return f"{moment.day} {_MONTHS[moment.month - 1]}"


def changes(steps: tuple[DifferenceStep, ...]) -> list[Change]:
    """Return what differs, in order, each widened to whole words where it begins or ends inside one."""
    found: list[Change] = []
    draft = source = ""
    is_open = False
    for number, step in enumerate(steps):
        if step.kind != "equal":
            if not is_open and number and _is_inner(step.draft[:1] + step.source[:1]):
                before = steps[number - 1].draft
                draft = source = before[len(before) - _run(before[::-1]) :]
            draft, source, is_open = draft + step.draft, source + step.source, True
        elif is_open:
            # An equal stretch without white space is the inside of a word.
            length = _run(step.draft) if _is_inner(draft[-1:] + source[-1:]) else 0
            draft, source = draft + step.draft[:length], source + step.draft[:length]
            if length < len(step.draft) or not length:
                found.append(Change(draft.strip(), source.strip()))
                draft = source = ""
                is_open = False
    if is_open:
        found.append(Change(draft.strip(), source.strip()))
    return found


def _verdict_sentence(claim: Claim, verdict: Verdict, origin: str, has_keys: bool) -> str:
    match verdict.kind:
        case VerdictKind.EXACT:
            return _exact(verdict, origin)
        case VerdictKind.MISTIMED:
            return _mistimed(claim, verdict, has_keys)
        case VerdictKind.UNTIMED:
            return _untimed(claim, verdict)
        case VerdictKind.ALTERED:
            return _altered(verdict, has_keys)
        case VerdictKind.NOT_FOUND:
            return "" if verdict.notes else "Nothing close in these captions. Listen, or ask the writer."
        case VerdictKind.UNCLOSED:
            return "This quotation opens here and never closes. Place the closing mark."
        case _ as never:
            assert_never(never)


def _exact(verdict: Verdict, origin: str) -> str:
    captions = f"the captions ({origin})" if origin else "the captions"
    match = verdict.match
    if match is None:
        return f"Matches {captions}, character for character."
    at = clock(match.evidence.first_cue.start_ms)
    cue_ms = match.evidence.first_cue.end_ms - match.evidence.first_cue.start_ms
    known = f"the cue lasts {cue_ms / 1000:.0f} s, so its time is known only to that"
    if verdict.occurrences > 1:
        rest = f"; {known}" if cue_ms > LONG_CUE_MS else ""
        return f"Matches {captions}; said {verdict.occurrences} times, nearest at {at}{rest}."
    if cue_ms > LONG_CUE_MS:
        return f"Matches {captions}; {known}."
    return f"Matches {captions}, character for character, at {at}."


def _mistimed(claim: Claim, verdict: Verdict, has_keys: bool) -> str:
    match = verdict.match
    claimed = claim.claimed.start_ms if claim.claimed else None
    if match is None or claimed is None:
        return "The words match, but not at this time."
    if verdict.notes:
        return f"The words match at {clock(match.evidence.first_cue.start_ms)}, but not in the range of times given."
    at = clock(match.evidence.first_cue.start_ms)
    if verdict.occurrences > 1:
        return f"The words match {verdict.occurrences} times, nearest at {at}, not {clock(claimed)}."
    return f"The words match at {at}, not {clock(claimed)}." + (" Enter corrects the time." if has_keys else "")


def _untimed(claim: Claim, verdict: Verdict) -> str:
    reason = "The time given is impossible. " if claim.claimed is not None else ""
    moments = [clock(moment) for moment in verdict.moments]
    if not moments:
        return f"{reason}The words match; no time is given."
    if verdict.occurrences == 1:
        return f"{reason}The words match at {moments[0]}; {'that time stands in no draft' if reason else 'no time is given'}."
    shown = moments[:4]
    more = verdict.occurrences - len(shown)
    places = ", ".join(shown) + f" and {more} more" if more > 0 else ", ".join(shown[:-1]) + f" and {shown[-1]}"
    return f"{reason}The words match at {places}. Choose which you mean."


def _altered(verdict: Verdict, has_keys: bool) -> str:
    nearest = verdict.nearest
    if nearest is None or not verdict.classes:
        return "The captions have other words here. Listen."
    if any("locked bytes" in note for note in verdict.notes):
        return ""
    classes = set(verdict.classes)
    found = changes(nearest.difference)
    if classes <= HARMLESS:
        return _same_words(verdict.classes, found, nearest, has_keys)
    if DifferenceClass.ELISION in classes:
        return _elision(nearest, classes)
    return _other_words(verdict.classes, found, nearest)


def _same_words(classes: tuple[DifferenceClass, ...], found: list[Change], nearest: Nearest, has_keys: bool) -> str:
    facts = [fact for one in classes if (fact := _harmless_fact(one, found, nearest.difference))]
    if classes == (DifferenceClass.UNICODE_FORM,):
        return f"Looks the same, but {facts[0]}." if facts else "Looks the same, but is written with other characters."
    key = " Enter moves it outside." if has_keys and classes == (DifferenceClass.TERMINAL_PUNCTUATION,) else ""
    told = ". ".join(fact[:1].upper() + fact[1:] for fact in facts) if facts else "Only signs differ"
    return f"{told}.{key}" if classes == (DifferenceClass.INVISIBLE,) else f"Same words. {told}.{key}"


def _harmless_fact(one: DifferenceClass, found: list[Change], steps: tuple[DifferenceStep, ...]) -> str:
    """Return what one harmless class is about, naming the first place."""
    match one:
        case DifferenceClass.TERMINAL_PUNCTUATION:
            mark = next((step.draft.strip()[:1] for step in reversed(steps) if step.kind != "equal" and step.draft.strip()), "")
            return f"the {_NAMES.get(mark, 'mark')} before your closing mark is not in the captions"
        case DifferenceClass.CASE:
            change = next((c for c in found if c.draft != c.source and _alike(c.draft, c.source)), None)
            return (
                f"you write ‘{_short(change.draft)}’, the captions ‘{_short(change.source)}’"
                if change
                else "only capitals differ"
            )
        case DifferenceClass.INVISIBLE:
            return _invisible_fact(found)
        case DifferenceClass.UNICODE_FORM:
            return _form_fact(found)
        case DifferenceClass.TYPOGRAPHY:
            return _sign_fact(steps)
        case DifferenceClass.WHITESPACE:
            return _pair_fact(found, "white space differs")
        case DifferenceClass.PUNCTUATION:
            return _pair_fact([c for c in found if _marks(c.draft) != _marks(c.source)], "punctuation differs")
        case _:
            return ""


def _invisible_fact(found: list[Change]) -> str:
    for change in found:
        for side, owner in ((change.source, "the captions have"), (change.draft, "you have")):
            hidden = [character for character in side if character in INVISIBLE]
            if hidden and hidden != [
                character for character in (change.draft if side is change.source else change.source) if character in INVISIBLE
            ]:
                word = "".join(character for character in side if character not in INVISIBLE)
                where = f" inside “{_short(word)}”" if word else ""
                return f"{owner} a {character_name(hidden[0])}{where}"
    return "an invisible character differs"


def _form_fact(found: list[Change]) -> str:
    for change in found:
        if change.draft != change.source and unicodedata.normalize("NFC", change.draft) == unicodedata.normalize(
            "NFC", change.source
        ):
            own, others = len(change.draft), len(change.source)
            shown = _first_difference(change.draft, change.source)
            if own != others:
                few, many = ("your draft", "the captions") if own < others else ("the captions", "your draft")
                return f"{shown} is one character in {few} and {'two' if abs(own - others) == 1 else 'more'} in {many}"
    return "some characters are composed otherwise"


def _first_difference(draft: str, source: str) -> str:
    own, others = unicodedata.normalize("NFC", draft), [unicodedata.normalize("NFC", draft), draft, source]
    for character in own:
        if unicodedata.normalize("NFD", character) != character and any(character not in text for text in others):
            return character
    return own[:1]


def _sign_fact(steps: tuple[DifferenceStep, ...]) -> str:
    for step in steps:
        if step.kind == "equal" or not step.draft or not step.source:
            continue
        pairs = [(a, b) for a, b in zip(step.draft, step.source, strict=False) if a != b and not a.isalnum() and not b.isalnum()]
        if "..." in step.draft + step.source and "…" in step.draft + step.source:
            dots, sign = "three full stops", _article(character_name("…"))
            return f"yours has {dots}, the captions {sign}" if "..." in step.draft else f"yours has {sign}, the captions {dots}"
        if pairs:
            own, other = pairs[0]
            return f"yours has {_article(character_name(own))}, the captions {_article(character_name(other))}"
    return "the signs are set otherwise"


def _pair_fact(found: list[Change], otherwise: str) -> str:
    if not found:
        return otherwise
    change = found[0]
    if not change.draft or not change.source:
        return f"{'the captions have' if change.source else 'you have'} ‘{_short(change.source or change.draft)}’ there"
    return f"you write ‘{_short(change.draft)}’, the captions ‘{_short(change.source)}’"


def _elision(nearest: Nearest, classes: set[DifferenceClass]) -> str:
    harm = [
        word for one, word in ((DifferenceClass.NEGATION, "a negation"), (DifferenceClass.NUMBER, "a number")) if one in classes
    ]
    warning = f" It holds {' and '.join(harm)}." if harm else ""
    if not nearest.parts:
        gap = f" ‘{_short(nearest.gap)}’ is left out." if nearest.gap else ""
        return f"Words are left out, in order, and the parts are not all exact.{gap}{warning} Read the gap."
    first, last = nearest.parts[0].match, nearest.parts[-1].match
    seconds = max(0, round((last.evidence.first_cue.start_ms - first.evidence.last_cue.end_ms) / 1000))
    parts = "Both parts match" if len(nearest.parts) == 2 else f"All {len(nearest.parts)} parts match"
    span = f"{seconds} seconds lie" if seconds != 1 else "one second lies"
    between = f"{span} between them, including" if seconds else "left out between them is"
    speakers = " Two speakers say them." if DifferenceClass.TWO_SPEAKERS in classes else ""
    return f"{parts}, in order; {between} ‘{_short(nearest.gap)}’.{warning}{speakers} Read the gap."


def _other_words(classes: tuple[DifferenceClass, ...], found: list[Change], nearest: Nearest) -> str:
    match classes[0]:
        case DifferenceClass.NUMBER:
            change = _first(found, _numbers_differ)
            told = "The captions leave it out." if not change.source else f"the captions say {_bare_number(change.source)}."
            return (
                f"You write {_bare_number(change.draft)}; {told} Listen."
                if change.draft
                else f"You leave out {_bare_number(change.source)}. Listen."
            )
        case DifferenceClass.NEGATION:
            change = _first(found, lambda one: negation_count(tokens(one.draft)) != negation_count(tokens(one.source)))
            if not change.source:
                return f"You write ‘{_short(change.draft)}’; the captions do not. The meaning may be reversed. Listen."
            own = f"you write ‘{_short(change.draft)}’" if change.draft else "you leave it out"
            return f"The captions say ‘{_short(change.source)}’; {own}. The meaning may be reversed. Listen."
        case DifferenceClass.WORDS:
            return _words(
                _with_neighbour(_first(found, lambda one: _letters(one.draft) != _letters(one.source)), nearest), nearest
            )
        case DifferenceClass.NUMBER_FORM:
            change = _first(found, lambda one: _has_number(one.draft) or _has_number(one.source))
            return f"You write {_bare_number(change.draft)}; the captions say ‘{_short(change.source)}’."
        case DifferenceClass.FILLER:
            left_out = next(
                (step.source for step in nearest.difference if not step.draft.strip(" ,.") and _is_filler(step.source)), ""
            )
            shown = _short(left_out.strip(" ,.…-–—") or "um")
            return f"You left out ‘{shown}’. Your style may allow it; the quotation is not exact."
        case DifferenceClass.TWO_SPEAKERS:
            voices = nearest.match.evidence.speakers
            named = f": {' and '.join(voices[:3])}" if len(voices) > 1 else ""
            return f"Two speakers say these words{named}. Make two quotations of it."
        case DifferenceClass.PARTIAL_WORD:
            change = _first(found, lambda one: one.draft != one.source)
            return f"Your quotation cuts a word or number in two: the captions have ‘{_short(change.source)}’."
        case DifferenceClass.ANNOTATION:
            return f"The captions have ‘{_short(_annotation(nearest))}’ there, which no one says; without it the words match."
        case DifferenceClass.INSERTION:
            change = _first(found, lambda one: "[" in one.draft)
            bracket = _BRACKET.search(change.draft)
            return f"‘{_short(bracket[0] if bracket else change.draft)}’ is yours; without it the words match."
        case _:
            return "The captions have other words here. Listen."


def _with_neighbour(change: Change, nearest: Nearest) -> Change:
    """Return a change of one short word with the word after it, for “the” alone says little."""
    if not change.draft or not change.source or max(len(change.draft), len(change.source)) > 5:
        return change
    at = nearest.text.find(change.source)
    after = nearest.text[at + len(change.source) :].split()
    return (
        Change(f"{change.draft} {after[0].strip('.,;:!?')}", f"{change.source} {after[0].strip('.,;:!?')}")
        if at >= 0 and after
        else change
    )


def _words(change: Change, nearest: Nearest) -> str:
    if not change.draft and not change.source:
        return f"The captions have ‘{_short(nearest.text)}’."
    if not change.source:
        return f"‘{_short(change.draft)}’ is not in the captions here."
    if not change.draft:
        return f"You left out ‘{_short(change.source)}’."
    return f"You write ‘{_short(change.draft)}’; the captions say ‘{_short(change.source)}’."


def _annotation(nearest: Nearest) -> str:
    """Return the first mark that only the captions have and no one said."""
    own = {token.key for step in nearest.difference for token in tokens(step.draft)}
    for token in tokens(nearest.text):
        if token.kind in (TokenKind.BRACKET, TokenKind.NOTE) and token.key not in own:
            return nearest.text[token.start : token.end]
    return nearest.text


def _elsewhere(verdict: Verdict) -> str:
    if not verdict.also_in:
        return ""
    tracks = " and ".join(verdict.also_in)
    return (
        f"The track {tracks} has it exactly, and in time."
        if len(verdict.also_in) == 1
        else f"The tracks {tracks} have it exactly, and in time."
    )


def _first(found: list[Change], wanted: object) -> Change:
    assert callable(wanted)
    return next((change for change in found if wanted(change)), found[0] if found else Change("", ""))


def _numbers_differ(change: Change) -> bool:
    return sorted(_number_keys(change.draft)) != sorted(_number_keys(change.source))


def _number_keys(text: str) -> list[str]:
    return [token.key for token in tokens(text) if token.kind is TokenKind.NUMBER]


def _has_number(text: str) -> bool:
    return bool(_number_keys(text))


def _bare_number(text: str) -> str:
    """Return digits as they are, words in quote marks."""
    return text if text[:1].isdigit() and " " not in text else f"‘{_short(text)}’"


def _is_filler(text: str) -> bool:
    found: list[Token] = tokens(text)
    return bool(found) and len(filler_tokens(text, found, 0, len(found))) == len(found)


def _alike(draft: str, source: str) -> bool:
    return lower(_letters(draft)) == lower(_letters(source))


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


def _marks(text: str) -> str:
    return "".join(character for character in text if unicodedata.category(character)[0] in "PS")


def _is_inner(characters: str) -> bool:
    """Whether a change at these characters may be inside a word: none of them is white space or a mark that ends one."""
    return not any(character.isspace() or character in ",.;:!?…()[]" for character in characters)


def _run(text: str) -> int:
    """Return how many characters come before the first white space."""
    for place, character in enumerate(text):
        if character.isspace():
            return place
    return len(text)


def _article(name: str) -> str:
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def _short(text: str) -> str:
    text = " ".join(text.split(" "))
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 20].rstrip()} … {text[-18:].lstrip()}"


def moment(match: Match) -> str:
    """Return the time of a match as the sentences give it."""
    return clock(match.evidence.first_cue.start_ms)
