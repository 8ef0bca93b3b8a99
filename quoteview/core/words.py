"""Words of a text, as needed to say how two texts differ: what is a number, a negation, a filler, an editor's bracket.

A token is a word, a number (a phrase such as “twenty-five thousand dollars” is one), a bracket with what is in it, a
mark of the captions that no one said (`>>`, `♪`, a name in capitals with a colon), a pictograph, or one character of a script
written without spaces. Its key is what it is compared by. White space and other marks stand between tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from itertools import pairwise
from typing import NamedTuple

import regex

from quoteview.core.boundaries import NUMBER_PATTERN
from quoteview.core.folding import INVISIBLE, key
from quoteview.core.numerals import number_phrases


class TokenKind(Enum):
    """What a token is."""

    WORD = auto()
    NUMBER = auto()
    BRACKET = auto()
    NOTE = auto()


class Token(NamedTuple):
    """Code points `start` to `end` of a text. A number's `key` begins with `#`; `is_edited` says a bracket is inside a word."""

    kind: TokenKind
    key: str
    start: int
    end: int
    is_edited: bool = False


def listed(words: str) -> frozenset[str]:
    """Return the words of a list that is written as text."""
    return frozenset(words.split())


ELLIPSIS = r"(?:\[\s*(?:…|\.\s?\.\s?\.)\s*\]|\(\s*(?:…|\.\s?\.\s?\.)\s*\)|…|⋯|\.\s?\.\s?\.\.?)"
"""A mark that may say that words were left out."""

UNSPACED_CLASS = r"[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]"
_LETTER = rf"[[\p{{L}}\p{{M}}\p{{N}}_{INVISIBLE}]--{UNSPACED_CLASS}]"
_WORD = rf"{_LETTER}+(?:['’ʼ＇.·]{_LETTER}+)*"
_TOKEN = regex.compile(
    r"(?P<plain>[a-z]+(?:'[a-z]+)?(?=\s|$))"
    rf"|(?P<gap>{ELLIPSIS})"
    rf"|(?P<edited>\[\p{{L}}{{1,2}}\]\p{{L}}{_LETTER}*(?:['’]{_LETTER}+)*)"
    r"|(?P<bracket>\[[^\[\]]{0,80}\]|\([^()]{1,60}\))"
    r"|(?P<note>>{2,}|[♩♪♫♬]+|(?<![\p{L}\p{N}])\p{Lu}[\p{Lu}.'’]+(?: \p{Lu}[\p{Lu}.'’]+){0,3}:(?=\s))"
    rf"|(?P<number>\p{{Sc}}?(?:{NUMBER_PATTERN})\p{{L}}*(?:\s?\p{{Sc}})?)"
    rf"|(?P<single>(?:(?=[\p{{L}}\p{{N}}]){UNSPACED_CLASS}|\p{{ExtPict}}(?<![\p{{P}}©®™]))[\p{{M}}\u200d\ufe0f\p{{Emoji_Modifier}}]*)"
    rf"|(?P<word>{_WORD})",
    regex.V1,
)

NEGATIONS = listed(
    """not no never none nobody nothing nowhere neither nor without cannot hardly scarcely barely ain't aint
    dont doesnt didnt isnt wasnt arent werent couldnt wouldnt shouldnt havent hasnt hadnt mustnt neednt
    nicht kein keine keinen keinem keiner keines nie niemals nichts niemand nirgends nirgendwo ohne weder
    ne pas jamais rien aucun aucune sans nunca nadie ningún ninguno ninguna jamás tampoco ni
    non niente nessuno nessuna senza não nem ninguém nenhum nenhuma sem niet geen nooit niemand niets zonder
    inte aldrig ingen inget inga ikke ikkje aldri nie nigdy nikt bez не нет никогда никто ничего без ни
    """
)
"""Words that turn a sentence round, in the languages that most recordings are in."""

_UNSPACED_NEGATION = regex.compile(r"[不没沒無无未非別别勿]|ない|なく|なかっ|ません|ไม่|មិន|ບໍ່")
_CONTRACTED = {"won't": "will", "can't": "can", "cannot": "can", "shan't": "shall", "ain't": "is", "cant": "can", "wont": "will"}
_NEGATIVE_PREFIX = regex.compile(
    r"(?:un|non-?|dis)(?=\p{L}{3})|(?:in|im|ir|il)(?=\p{L}{2,}(?:ble|al|ent|ant|ate|ect|ive|ure|lar|ous)$)"
)

FILLERS = listed(
    """um umm uh uhh uhm er erm err ah eh hm hmm hmmm mm mmm mhm huh äh ähm öh öhm hm euh heu ben bah hein em ehm
    えー ええと あの"""
)
_FILLER_PHRASES = (
    ("you", "know"),
    ("i", "mean"),
    ("sort", "of"),
    ("kind", "of"),
    ("uh", "huh"),
    ("tu", "sais"),
    ("o", "sea"),
    ("weißt", "du"),
)
_SET_OFF_FILLERS = frozenset(("like", "well", "so", "right", "okay", "ok", "actually", "basically", "oh", "yeah", "see", "now"))
_STUTTERS = listed(
    """a an and as at but by for from he her his i i'm if in is it it's its my of on or our she so that that's the their
    they this to was we we're with you your"""
)


def tokens(text: str) -> list[Token]:
    """Return the tokens of a text, in order, number phrases as one."""
    return number_tokens(text, plain_tokens(text))


def plain_tokens(text: str) -> list[Token]:
    """Return the tokens of a text, each word by itself."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        start, end = match.span()
        if kind == "plain":
            found.append(Token(TokenKind.WORD, match[0], start, end))
        elif kind == "word" or kind == "single":
            found.append(Token(TokenKind.WORD, key(match[0]), start, end))
        elif kind == "number":
            found.append(Token(TokenKind.NUMBER, key(match[0]), start, end))
        elif kind == "edited":
            found.append(Token(TokenKind.WORD, key(match[0].replace("[", "").replace("]", "")), start, end, True))
        elif kind == "bracket":
            found.append(Token(TokenKind.BRACKET, "".join(key(match[0]).split()), start, end))
        elif kind == "note":
            found.append(Token(TokenKind.NOTE, "".join(key(match[0]).split()), start, end))
    return found


def number_tokens(text: str, plain: Sequence[Token]) -> list[Token]:
    """Return the tokens with each number phrase as one token whose key is `#` and its value."""
    merged: list[Token] = []
    at = 0
    words = [token.key if token.kind in (TokenKind.WORD, TokenKind.NUMBER) else "" for token in plain]
    gaps = [text[a.end : b.start] for a, b in pairwise(plain)]
    for start, end, value in number_phrases(words, gaps):
        merged.extend(plain[at:start])
        merged.append(Token(TokenKind.NUMBER, value, plain[start].start, plain[end - 1].end))
        at = end
    merged.extend(plain[at:])
    return merged


def negation_count(found: Sequence[Token]) -> int:
    """Return how many negations there are; a bracket's inside counts."""
    count = 0
    for token in found:
        if token.kind is TokenKind.BRACKET:
            count += negation_count(plain_tokens(token.key[1:-1]))
        elif is_negation(token.key):
            count += 1
    return count + len(_UNSPACED_NEGATION.findall("".join(token.key for token in found if not token.key.isascii())))


def is_negation(word: str) -> bool:
    """Return whether a word, given as a key, negates."""
    return word in NEGATIONS or word in _CONTRACTED or word.endswith("n't") or (word.startswith("n'") and len(word) > 2)


def without_negation(word: str) -> str:
    """Return a contracted word without its negation: “can” of “can't”; "" for a word that only negates."""
    if word in _CONTRACTED:
        return _CONTRACTED[word]
    if word.endswith("n't"):
        return word[:-3]
    return "" if is_negation(word) else word


def is_opposite(word: str, other: str) -> bool:
    """Return whether one of two words is the other with a prefix that negates (“unlikely”, “impossible”)."""
    longer, shorter = (word, other) if len(word) > len(other) else (other, word)
    prefix = _NEGATIVE_PREFIX.match(longer)
    return prefix is not None and longer[prefix.end() :] == shorter


def filler_tokens(text: str, found: Sequence[Token], start: int, end: int) -> set[int]:
    """Return which of the tokens numbered `start` to `end` are fillers, a word said twice in a row included.

    Words such as “like” and “well” are fillers only where commas set them off.
    """
    fillers: set[int] = set()
    keys = [token.key for token in found]
    for at in range(start, end):
        if found[at].kind is not TokenKind.WORD:
            continue
        if keys[at] in FILLERS:
            fillers.add(at)
        for phrase in _FILLER_PHRASES:
            if tuple(keys[at : at + len(phrase)]) == phrase and at + len(phrase) <= end:
                fillers.update(range(at, at + len(phrase)))
        if keys[at] in _SET_OFF_FILLERS and _is_set_off(text, found, at):
            fillers.add(at)
        if keys[at] in _STUTTERS and (keys[at - 1 : at] == [keys[at]] or keys[at + 1 : at + 2] == [keys[at]]):
            fillers.add(at)
    return fillers


def _is_set_off(text: str, found: Sequence[Token], at: int) -> bool:
    before = text[found[at - 1].end : found[at].start] if at else ","
    after = text[found[at].end : found[at + 1].start] if at + 1 < len(found) else ","
    return any(mark in after for mark in ",.…?!-–—") and (at == 0 or any(mark in before for mark in ",.…?!-–—"))
