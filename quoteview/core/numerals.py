"""The value of a number, however it is written: “3”, “three”, “1,000”, “one thousand”, “50 percent”, “$5”, “2nd”.

English number words are understood in phrases (“two hundred and five”, “nineteen ninety-nine”, “three point five”),
the commonest words of German, French and Spanish one by one. Words that are as often something else (“once”, “elf”,
“un”) are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation

import regex

_UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "millionen": 10**6, "millions": 10**6}
_SMALL = {word: value for value, word in enumerate(_UNITS + _TEENS)} | {word: 20 + 10 * at for at, word in enumerate(_TENS)}
_IRREGULAR = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12, "hundredth": 100}
_ORDINALS = {
    **{f"{word}th": value for word, value in _SMALL.items() if 3 < value < 20 and value not in (5, 8, 9, 12)},
    **{f"{word[:-1]}ieth": 20 + 10 * at for at, word in enumerate(_TENS)},
    **_IRREGULAR,
}
_FOREIGN = {
    "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "zwölf": 12,
    "dreizehn": 13, "vierzehn": 14, "fünfzehn": 15, "sechzehn": 16, "siebzehn": 17, "achtzehn": 18, "neunzehn": 19,
    "zwanzig": 20, "dreißig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60, "siebzig": 70, "achtzig": 80,
    "neunzig": 90, "hundert": 100, "tausend": 1000,
    "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8, "dix": 10, "onze": 11, "douze": 12, "treize": 13,
    "quatorze": 14, "quinze": 15, "seize": 16, "vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50,
    "soixante": 60, "mille": 1000,
    "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10, "doce": 12,
    "trece": 13, "catorce": 14, "veinte": 20, "treinta": 30, "cuarenta": 40, "cincuenta": 50, "sesenta": 60,
    "cien": 100, "mil": 1000,
}  # fmt: skip
_BEGIN = frozenset(("a", "an", *_SMALL, *_ORDINALS, *_FOREIGN))
_PERCENT = frozenset(("percent", "prozent", "procent", "%"))
_CURRENCIES = {
    "dollar": "$", "dollars": "$", "bucks": "$", "euro": "€", "euros": "€", "pound": "£", "pounds": "£", "yen": "¥",
    "rupees": "₹",
}  # fmt: skip
_SUFFIXES = {"k": 10**3, "bn": 10**9, "m": 10**6, "mn": 10**6}
_HYPHENS = frozenset(" -\xa0‐‑\u202f\u2009")
_DIGITS = regex.compile(
    r"(?P<before>\p{Sc})?(?:(?P<sign>[+\-−±﹣－＋–])\s?)?(?P<inner>\p{Sc})?(?P<digits>\.?[\p{Nd}\p{No}].*?)(?P<percent>\s?[%٪％])?(?P<letters>\p{L}*)\s?(?P<after>\p{Sc})?",
)
_THOUSANDS = regex.compile(r"\d{1,3}(?:[,\s'’٬](?=\d{3}(?!\d))\d{3})+(?:\.\d+)?")

WEAK = frozenset(("#1", "#1th", "#2th"))
"""Values whose words (“one”, “first”, “second”) often count nothing."""


def number_phrases(words: Sequence[str], gaps: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield (first word, last word + 1, key) of each number, in order. `gaps` are what stands between the words."""
    at = 0
    while at < len(words):
        phrase = None if words[at].isalpha() and words[at] not in _BEGIN else _phrase(words, gaps, at)
        if phrase is None:
            at += 1
        else:
            yield at, *phrase
            at = phrase[0]


def value_of(word: str) -> str | None:
    """Return the key of a single word that is a number by itself, None for any other word."""
    if word.isalpha() and word not in _BEGIN:
        return None
    phrase = _phrase((word,), (), 0)
    return phrase[1] if phrase is not None else None


def _phrase(words: Sequence[str], gaps: Sequence[str], at: int) -> tuple[int, str] | None:
    word = words[at]
    if not word:
        return None
    figures = _figures(word) if not word.isalpha() else None
    if figures is not None:
        value, unit, is_open = figures
        end = at + 1
        if is_open and end < len(words) and _is_close(gaps, end) and words[end] in _SCALES and isinstance(value, Decimal):
            value *= _SCALES[words[end]]
            end += 1
    else:
        spoken = _spoken(words, gaps, at)
        if spoken is None:
            return None
        end, value, unit = spoken
    if not unit and end < len(words) and _is_close(gaps, end):
        if words[end] in _PERCENT:
            end, unit = end + 1, "%"
        elif words[end] == "per" and words[end + 1 : end + 2] == ["cent"] and _is_close(gaps, end + 1):
            end, unit = end + 2, "%"
        elif words[end] in _CURRENCIES:
            end, unit = end + 1, _CURRENCIES[words[end]]
    return end, f"#{_plain(value)}{unit}"


def _figures(word: str) -> tuple[Decimal | str, str, bool] | None:
    """Return (value, unit, whether “million” may follow) of a number in digits, None where it is none."""
    match = _DIGITS.fullmatch(word)
    if match is None:
        return None
    digits, letters = match["digits"], match["letters"]
    currency = match["before"] or match["inner"] or match["after"] or ""
    unit = "%" if match["percent"] else currency
    sign = "-" if match["sign"] in ("-", "−", "﹣", "－", "–") else ""
    if _THOUSANDS.fullmatch(digits):
        digits = "".join(character for character in digits if character.isdigit() or character == ".")
    try:
        value: Decimal | str = Decimal(sign + digits)
    except InvalidOperation:
        value = sign + digits
    if letters in ("st", "nd", "rd", "th"):
        return value, "th", False
    if letters in _SUFFIXES and isinstance(value, Decimal):
        return value * _SUFFIXES[letters], unit, False
    return value, letters + unit, not letters


def _spoken(words: Sequence[str], gaps: Sequence[str], at: int) -> tuple[int, Decimal, str] | None:
    """Return (end, value, unit) of a number in words, None where none begins."""
    if words[at] in _FOREIGN:
        return at + 1, Decimal(_FOREIGN[words[at]]), ""
    first = _cardinal(words, gaps, at)
    if first is None:
        return (at + 1, Decimal(_ORDINALS[words[at]]), "th") if words[at] in _ORDINALS else None
    end, value, is_ordinal = first
    if is_ordinal:
        return end, Decimal(value), "th"
    if 17 <= value <= 20 and end < len(words) and _is_close(gaps, end):
        # A year, as it is said: “nineteen ninety-nine”, “twenty twelve”.
        second = _cardinal(words, gaps, end)
        if second is not None and 10 <= second[1] <= 99 and not second[2]:
            return second[0], Decimal(value * 100 + second[1]), ""
    if words[end : end + 1] == ["point"] and _is_close(gaps, end):
        places = ""
        after = end + 1
        while after < len(words) and _is_close(gaps, after) and _SMALL.get(words[after], 10) < 10:
            places += str(_SMALL[words[after]])
            after += 1
        if places:
            exact = Decimal(f"{value}.{places}")
            if after < len(words) and _is_close(gaps, after) and words[after] in _SCALES:
                return after + 1, exact * _SCALES[words[after]], ""
            return after, exact, ""
    return end, Decimal(value), ""


def _cardinal(words: Sequence[str], gaps: Sequence[str], at: int) -> tuple[int, int, bool] | None:
    """Return (end, value, whether it ended as an ordinal) of a number in English words."""
    total, current, end, limit = 0, -1, at, 10**18
    if words[at] in ("a", "an"):
        if words[at + 1 : at + 2] and words[at + 1] in ("hundred", *_SCALES) and _is_close(gaps, at + 1):
            current, end = 1, at + 1
        else:
            return None
    elif words[at] not in _SMALL:
        return None
    while end < len(words) and (end == at or _is_close(gaps, end)):
        word = words[end]
        if (
            word == "and"
            and end > at
            and words[end - 1] in ("hundred", *_SCALES)
            and end + 1 < len(words)
            and _is_close(gaps, end + 1)
        ):
            if words[end + 1] not in _SMALL:
                break
            end += 1
            word = words[end]
        small = _SMALL.get(word, _ORDINALS.get(word) if end > at else None)
        if small is not None and small < 100 and _fits(current, small):
            current = small if current < 0 else current + small
            end += 1
            if word not in _SMALL:
                return end, total + current, True
        elif word == "hundred" and 1 <= current <= 99:
            current, end = current * 100, end + 1
        elif word in _SCALES and current > 0 and _SCALES[word] < limit:
            limit = _SCALES[word]
            total, current, end = total + current * limit, -1, end + 1
        else:
            break
    if end == at or (end == at + 1 and words[at] in ("a", "an")):
        return None
    return end, total + max(current, 0), False


def _fits(current: int, small: int) -> bool:
    if current < 0:
        return True
    if current >= 100 and current % 100 == 0:
        return True
    return current % 10 == 0 and current % 100 >= 20 and 0 < small < 10


def _is_close(gaps: Sequence[str], word: int) -> bool:
    """Whether only one space or hyphen stands before a word."""
    return gaps[word - 1] in _HYPHENS


def _plain(value: Decimal | str) -> str:
    if isinstance(value, str):
        return value
    if not value.is_finite() or value.adjusted() > 60:
        return str(value)
    return format(value.normalize(), "f")
