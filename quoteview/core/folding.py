"""The harmless undoings, one for each class of difference that leaves the words alone, and which of them were needed.

To see how two texts differ, everything is undone first; where that makes them equal, each undoing that was not
needed is left out again, the most harmful ones first. What remains is the answer.

- `case`: upper and lower case, letter by letter; `ß` and `SS` are one letter in two cases.
- `typography`: quote marks and apostrophes of every shape, dashes and hyphens (two hyphens are a dash), ellipsis
  signs, special spaces (no-break, thin, ideographic …), ligatures.
- `unicode_form`: canonically equivalent sequences (é as one character or two).
- `invisible`: soft hyphens, zero-width characters, direction marks, variation selectors.
- `whitespace`: how much white space there is, and whether there is any.
- `punctuation`: marks and signs. Between two words a mark counts as a space.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence

import regex

from quoteview.core.joins import WHITE_SPACE
from quoteview.core.verdicts import DifferenceClass

FOLDS = (
    DifferenceClass.PUNCTUATION,
    DifferenceClass.WHITESPACE,
    DifferenceClass.INVISIBLE,
    DifferenceClass.UNICODE_FORM,
    DifferenceClass.TYPOGRAPHY,
    DifferenceClass.CASE,
)
"""The undoings, most harmful first."""

INVISIBLE = (
    "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufe0e\ufe0f\ufeff"
)
"""Characters that show nothing."""

SINGLE_MARKS = "'‘’‚‛ʼʻ＇`´‹›"
DOUBLE_MARKS = '"“”„‟«»＂「」『』'
DASHES = "-‐‑‒–—―−﹘﹣－⸺⸻"

_NO_INVISIBLE = dict.fromkeys(map(ord, INVISIBLE))
_SIGNS: dict[int, str] = {
    **{ord(mark): "'" for mark in SINGLE_MARKS + DOUBLE_MARKS},
    **{ord(dash): "-" for dash in DASHES},
    **{ord(space): " " for space in WHITE_SPACE if space not in "\n\r\t\v\f"},
    ord("…"): "...",
    ord("⋯"): "...",
    **{ord(sign): letters for sign, letters in zip("ﬀﬁﬂﬃﬄﬅﬆ", ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True)},
}
# After a digit a straight double mark may be inches; it must not pass for feet.
_INCHES = regex.compile(r'(?<=\p{Nd})["″”](?!\p{L})')
_SPACED_DOTS = regex.compile(r"\.\s\.\s\.")
_DASH_RUN = regex.compile(r"-{2,}")
_MARKS = regex.compile(r"[\p{P}\p{S}]+")
_GAP = regex.compile(r"[\p{P}\p{S}\s]+")


def undo(text: str, folds: Collection[DifferenceClass], *, is_gap: bool = False) -> str:
    """Return the text with some differences undone. `is_gap` says that it stands between two words."""
    if DifferenceClass.UNICODE_FORM in folds and not text.isascii():
        text = unicodedata.normalize("NFC", text)
    if DifferenceClass.INVISIBLE in folds and not text.isascii():
        text = text.translate(_NO_INVISIBLE)
    if DifferenceClass.TYPOGRAPHY in folds:
        text = _plain_signs(text)
    if DifferenceClass.CASE in folds:
        text = lower(text)
    if DifferenceClass.PUNCTUATION in folds:
        text = _GAP.sub(" ", text) if is_gap else _MARKS.sub("", text)
    if DifferenceClass.WHITESPACE in folds:
        text = "".join(text.split())
    return text


def needed(
    draft: str, source: str, *, is_gap: bool = False, folds: Sequence[DifferenceClass] = FOLDS
) -> set[DifferenceClass] | None:
    """Return the undoings without which the two differ, None where they differ with all of them undone."""
    if draft == source:
        return set()
    is_gap = is_gap and draft != "" and source != ""
    draft, source = _sharp_s(draft, source)
    kept = set(folds)
    if undo(draft, kept, is_gap=is_gap) != undo(source, kept, is_gap=is_gap):
        return None
    for fold in folds:
        if undo(draft, kept - {fold}, is_gap=is_gap) == undo(source, kept - {fold}, is_gap=is_gap):
            kept.discard(fold)
    return kept


def lower(text: str) -> str:
    """Return the text in lower case, letter by letter: no letter becomes two, and both small sigmas are one."""
    if text.isascii():
        return text.lower()
    return "".join(small if len(small := character.lower()) == 1 else character for character in text).replace("ς", "σ")


def key(text: str) -> str:
    """Return a word as it is compared and searched: composed, without invisible characters, plain signs, lower case."""
    if text.isascii():
        return text.lower()
    return lower(_plain_signs(unicodedata.normalize("NFC", text).translate(_NO_INVISIBLE)))


def _plain_signs(text: str) -> str:
    if not text.isascii() or '"' in text or "`" in text:
        text = _INCHES.sub("\x00", text).translate(_SIGNS).replace("\x00", '"')
    return _DASH_RUN.sub("-", _SPACED_DOTS.sub("...", text))


def _sharp_s(draft: str, source: str) -> tuple[str, str]:
    """Where only one side has ß, the other's SS is the same letter in capitals."""
    draft, source = draft.replace("ẞ", "ß") if "ß" in source else draft, source.replace("ẞ", "ß") if "ß" in draft else source
    if "ß" in draft and "SS" in source:
        return draft, source.replace("SS", "ß")
    if "ß" in source and "SS" in draft:
        return draft.replace("SS", "ß"), source
    return draft, source
