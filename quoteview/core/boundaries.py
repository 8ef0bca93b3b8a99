"""Whether a place in a text divides a word, a number or a grapheme cluster; no quotation begins or ends there.

- Words are those of UAX #29, as the `regex` library has them: “art” is not a quotation of “starting”, nor “we can”
  of “we can't”. Hyphens divide words. In scripts written without spaces the word rule does not apply.
- A number includes its sign, its `%` (one space may stand before it), and digits joined by `. , : / ' ’` or by
  one space-like character before three digits: “2 million” is not a quotation of “1.2 million”, “000 people” not of
  “10 000 people”, “5 degrees” not of “-5 degrees”. Superscripts, fractions and the digits of every script are
  digits. A hyphen after a letter or digit is no sign, so “19” may be quoted of “covid-19”. One space may stand between
  a minus sign (−, ±) and the number; behind a hyphen or `+` only one that does not break, since a hyphen and a space
  also begin what someone else says (`- 5 of them`). Between two numbers such a sign counts one off the other.
- Grapheme clusters are those of UAX #29: an accent, a flag and a family of emoji are not cut in two.
- Direction marks, which right-to-left captions set around words and UAX #29 counts to the word before them, show nothing: a
  place beside some is judged as if they were not there.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

import regex

from quoteview.core.joins import DIRECTION_MARKS

_DIGIT = r"[\p{Nd}\p{No}]"
_JOINER = r"[.,:/'’⁄·٫٬．，：／]"
_CURRENCY = r"[\p{Sc}]"
_SPACED_SIGN = r"(?<!\p{N}(?:\s?[%٪％‰])?\s)(?:[−±]\s|[+\-﹣－＋][\u00a0\u202f\u2007])(?=\.?[\p{Nd}\p{No}])"
NUMBER_PATTERN = (
    rf"(?<![\p{{L}}\p{{N}}\p{{M}}\p{{Pd}}%)\]+−])(?:[+\-−±﹣－＋–]|{_SPACED_SIGN}){_CURRENCY}?\.?{_DIGIT}(?:{_DIGIT}|{_JOINER}{_DIGIT}|\s\p{{Nd}}{{3}}(?!{_DIGIT}))*(?:\s?[%٪％‰])?"
    rf"|(?<![\p{{L}}\p{{N}}.])\.{_DIGIT}(?:{_DIGIT}|{_JOINER}{_DIGIT})*(?:\s?[%٪％‰])?"
    rf"|{_DIGIT}(?:{_DIGIT}|{_JOINER}{_DIGIT}|\s\p{{Nd}}{{3}}(?!{_DIGIT}))*(?:\s?[%٪％‰])?"
)
"""A number as the rules have it, from its sign to its `%`, for `regex`."""

_NUMBER = regex.compile(NUMBER_PATTERN)
_NUMBER_PART = regex.compile(r"[\p{Nd}\p{No}\p{Sc}.,:/'’⁄·٫٬．，：／+\-−±﹣－＋–%٪％‰\s]")
_WORD_BREAK = regex.compile(r"\b", regex.WORD | regex.V1)
_CLUSTER = regex.compile(r"\X")
_STICKY = regex.compile(
    r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}\p{GCB=V}\p{GCB=T}\p{GCB=LV}\p{GCB=LVT}\p{GCB=RI}\p{ExtPict}\p{InCB=Consonant}]"
)
_UNSPACED = regex.compile(r"[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]")

# No number that a person writes is longer; the bound keeps a line of a million digits linear.
_LONGEST_NUMBER = 128
_LONGEST_CLUSTER = 128
_AROUND = 2 * max(_LONGEST_NUMBER, _LONGEST_CLUSTER)


class Flaw(StrEnum):
    """Why a place where the same characters stand is no occurrence of a quotation."""

    WORD = "word"
    NUMBER = "number"
    CLUSTER = "grapheme cluster"
    SPEAKERS = "speakers"
    UNREAD = "unread"


def border_flaw(text: str, position: int) -> Flaw | None:
    """Return what the place before code point `position` divides, None where a quotation may begin or end there."""
    if position <= 0 or position >= len(text):
        return None
    before, after = text[position - 1], text[position]
    if before.isascii() and after.isascii():
        if before.isalpha():
            if after == " ":
                return None
            if after.isalpha():
                return Flaw.WORD
        elif before == " " and after.isalpha():
            return None
    if before in DIRECTION_MARKS or after in DIRECTION_MARKS:
        return border_flaw(*_without_marks(text, position))
    if divides_number(text, position):
        return Flaw.NUMBER
    if divides_cluster(text, position):
        return Flaw.CLUSTER
    return Flaw.WORD if divides_word(text, position) else None


def _without_marks(text: str, position: int) -> tuple[str, int]:
    """Return what stands around a place without the direction marks right beside it, and where the place is in that."""
    start = end = position
    while start > 0 and text[start - 1] in DIRECTION_MARKS:
        start -= 1
    while end < len(text) and text[end] in DIRECTION_MARKS:
        end += 1
    before = text[max(0, start - _AROUND) : start]
    return before + text[end : end + _AROUND], len(before)


def divides_word(text: str, position: int) -> bool:
    """Return whether UAX #29 has no word boundary there, scripts written without spaces and white space apart."""
    if _WORD_BREAK.match(text, position):
        return False
    before, after = text[position - 1], text[position]
    if before.isspace() and after.isspace():
        return False
    return not (_is_unspaced_script(before) and _is_unspaced_script(after))


def divides_number(text: str, position: int) -> bool:
    """Return whether a number begins before the place and ends after it."""
    before, after = text[position - 1], text[position]
    if not (_NUMBER_PART.match(before) and _NUMBER_PART.match(after)):
        return False
    start, end = position, position
    while start > 0 and position - start < _LONGEST_NUMBER and _NUMBER_PART.match(text[start - 1]):
        start -= 1
    while end < len(text) and end - position < _LONGEST_NUMBER and _NUMBER_PART.match(text[end]):
        end += 1
    # One character more on the right lets the pattern see what follows.
    return any(found.start() < position < found.end() for found in _NUMBER.finditer(text, start, min(end + 1, len(text))))


def divides_cluster(text: str, position: int) -> bool:
    """Return whether a grapheme cluster begins before the place and ends after it."""
    after = text[position]
    if after < "\u0300":
        return after == "\n" and text[position - 1] == "\r"
    start = position - 1
    while start > 0 and position - start < _LONGEST_CLUSTER and _STICKY.match(text[start]):
        start -= 1
    # A character that prepends itself to the next one (UAX #29, GB9b) may stand before the safe place.
    start = max(0, start - 1)
    for cluster in _CLUSTER.finditer(text, start):
        if cluster.end() >= position:
            return cluster.end() > position
    return False


@lru_cache(maxsize=4096)
def _is_unspaced_script(character: str) -> bool:
    return character >= "\u0e01" and _UNSPACED.match(character) is not None
