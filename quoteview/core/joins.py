"""Layout and joins: which characters are layout at the end of a line, and what a border adds to the text.

White space is the Unicode property White_Space. White space and direction marks at the ends of a
line are layout; inside a line they are text. A border (a line end inside a cue, or the seam between
two cues) is one space, and nothing where both neighbours belong to a script written without spaces
(by Script_Extensions: Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar), to CJK punctuation, are
the prolonged sound mark, or a full-width form.
"""

from __future__ import annotations

from functools import lru_cache

WHITE_SPACE = frozenset(
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""The 25 characters with the Unicode property White_Space (PropList.txt)."""

DIRECTION_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that steer bidirectional layout and show nothing themselves."""

LAYOUT = WHITE_SPACE | DIRECTION_MARKS
LAYOUT_CHARACTERS = "".join(sorted(LAYOUT))
"""What may be trimmed from both ends of a line, in a form that `str.strip` takes."""


@lru_cache(maxsize=4096)
def is_unspaced(character: str) -> bool:
    """Return whether a character is of a script written without spaces, CJK punctuation, or a full-width form."""
    if character < "\u0e01":
        return False
    import regex  # imported here: most captions never reach this line, and the import costs start-up time

    return bool(
        regex.match(
            r"[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\u3000-\u303f\u30fc\uff01-\uff60\uffe0-\uffe6]",
            character,
        )
    )


def join(before: str, after: str) -> str:
    """Return what a border adds between two texts: "" or one space. Only the characters at the border are looked at."""
    if not before or not after:
        return ""
    return "" if is_unspaced(before[-1]) and is_unspaced(after[0]) else " "
