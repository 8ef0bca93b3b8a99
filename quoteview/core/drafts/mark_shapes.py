"""What a quote mark can be, from the characters beside it: the pairs of marks, and the shapes of opening and closing.

White space or an opening sign before and a word after look like opening; a word or stop before and white space or
a stop after look like closing. A single mark can also be an apostrophe: inside a word, in an elision (’90s, ’n’, 'em),
after a plural or a dropped letter (dogs', goin').
"""

from __future__ import annotations

import re
from typing import NamedTuple

CLOSERS: dict[str, str] = {
    "“": "”",
    "‟": "”",
    "”": "”",
    "„": "“”",
    '"': '"',
    "＂": "＂",
    "‘": "’",
    "‛": "’",
    "’": "’",
    "‚": "‘’",
    "'": "'",
    "«": "»",
    "»": "«",
    "‹": "›",
    "›": "‹",
    "「": "」",
    "『": "』",
    "｢": "｣",
    "﹁": "﹂",
    "﹃": "﹄",
    "〝": "〞〟",
}
"""Which marks close a quotation that a mark opens: the pairs of English, German, French, Swedish, Japanese …"""

QUOTE_MARKS = frozenset(CLOSERS) | frozenset("".join(CLOSERS.values()))
"""Every character that is a quote mark."""

SINGLES = frozenset("‘‛’‚'")
MARK = re.compile("[" + "".join(sorted(QUOTE_MARKS)) + "]")
OPENING_SIGNS = frozenset("([{（［【〔<—–-/‐‒―…¿¡:=|") | frozenset("“‟„\"«‹‘‛‚'「『")
CLOSING_SIGNS = frozenset(".,;:!?)]}…）］】〕。、，．！？")
_ELISION = re.compile(
    r"(?:\d\ds?|tis|twas|twere|twill|twould|twixt|tisn|twasn|em|n|til|till|cause|cuz|cos|coz|bout|neath|nuff|nother|cept|"
    r"fraid|scuse|ello|appen|round|gainst|kay|sup|un|im|er)(?![^\W\d_])",
    re.IGNORECASE,
)
_ELIDED_N = re.compile(r"['’‘]n['’]", re.IGNORECASE)
_DROPPED = re.compile(r"(?:[^\W\d_]in|(?<![^\W\d_])(?:an|o|th|ol|lil|mo|wi|t))\Z", re.IGNORECASE)
_INCHES = re.compile(r"\d{1,2}[\"”″]")
_SENTENCE_END = re.compile(r"[.!?…]\W*\s")


class Token(NamedTuple):
    """A quote mark in the shown text (`q` and `/q` for the tags of an HTML `q`, which show nothing), and its source."""

    start: int
    end: int
    character: str
    source_start: int
    source_end: int


class MarkShapes:
    """The shapes of the marks of one leaf at a time: `enter` says which."""

    def __init__(self, visible: str, tokens: list[Token]) -> None:
        self._visible = visible
        self._tokens = tokens
        self._low = self._high = 0

    def enter(self, low: int, high: int) -> None:
        """Look at the leaf that shows characters `low` to `high`: what is outside of it is no neighbour."""
        self._low, self._high = low, high

    def is_sentence_over(self, first: int, last: int) -> bool:
        """Whether a sentence ends between two marks."""
        return bool(_SENTENCE_END.search(self._visible, self._tokens[first].end, self._tokens[last].start))

    def before(self, at: int) -> str:
        """The character before a mark in its leaf, "" at the start."""
        start = self._tokens[at].start
        return self._visible[start - 1] if start > self._low else ""

    def after(self, at: int) -> str:
        """The character after a mark in its leaf, "" at the end."""
        end = self._tokens[at].end
        return self._visible[end] if end < self._high else ""

    def is_apostrophe_inside(self, at: int) -> bool:
        """Whether letters or digits stand on both sides."""
        return self.before(at).isalnum() and self.after(at).isalnum()

    def looks_opening(self, at: int) -> bool:
        """Whether only opening fits: space or an opening sign before, a word after."""
        before, after = self.before(at), self.after(at)
        has_edge = not before or before.isspace() or (before in OPENING_SIGNS and before not in "-‐:…")
        return has_edge and bool(after) and not after.isspace() and after not in CLOSING_SIGNS

    def looks_closing(self, at: int) -> bool:
        """Whether only closing fits: a word or stop before, space or a stop after."""
        before, after = self.before(at), self.after(at)
        has_word = bool(before) and not before.isspace() and (before not in OPENING_SIGNS or before in "…-–—\"'’”»›")
        return has_word and (not after or after.isspace() or not after.isalnum())

    def is_elision(self, at: int) -> bool:
        """Whether a mark begins a word with letters left out (’90s, ’n’, 'em)."""
        start, end = self._tokens[at].start, self._tokens[at].end
        if _ELIDED_N.match(self._visible, start) or _ELIDED_N.match(self._visible, max(0, start - 2)):
            return True
        return bool(_ELISION.match(self._visible, end)) and not self.before(at).isalnum()

    def is_possessive_like(self, at: int) -> bool:
        """Whether a mark after a word may be a plural's or a dropped letter's: the next word follows at once."""
        token = self._tokens[at]
        before, after = self.before(at), self._visible[token.end : min(token.end + 2, self._high)]
        if len(after) < 2 or not after[0].isspace() or not after[1].isalpha():
            return False
        return before in "sS" or bool(_DROPPED.search(self._visible[max(self._low, token.start - 4) : token.start]))

    def is_n(self, at: int) -> bool:
        """Whether it is one of the two marks of ’n’."""
        start = self._tokens[at].start
        return bool(_ELIDED_N.match(self._visible, start) or _ELIDED_N.match(self._visible, max(0, start - 2)))

    def is_feet(self, at: int) -> bool:
        """Whether inches follow (5'10")."""
        end = self._tokens[at].end
        return bool(_INCHES.match(self._visible, end, self._high))
