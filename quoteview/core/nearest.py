"""Where the passage closest to an altered claim is, or that nothing close exists.

The reference text is indexed once, word by word. A claim whose letters stand in it as they are, only cut, cased or
pointed otherwise, is found at once; so is one with the same words and the same numbers, written otherwise. For others
the rarest words that claim and text share vote for places; the best few are aligned word by word, and of equally
close ones the nearest to the claimed time is taken.

Close means what an editor would call so, judged by words in common: at least half of the claim's words, where words
that every sentence has count little, and two that mean something (or nearly all of a short one). A single word must be
nearly the same. The measure decides only whether a passage is shown; it is never shown itself, and decides no class.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol

import regex

from quoteview.core.boundaries import border_flaw
from quoteview.core.folding import FOLDS, INVISIBLE, key, undo
from quoteview.core.numerals import value_of
from quoteview.core.spans import TextSpan, TimeSpan
from quoteview.core.words import UNSPACED_CLASS, TokenKind, listed, tokens

_LETTER = rf"[[\p{{L}}\p{{M}}\p{{N}}_{INVISIBLE}]--{UNSPACED_CLASS}]"
_PLAIN = regex.compile(rf"[A-Za-z]+(?=\s|$)|{_LETTER}+(?:['’ʼ＇.,]{_LETTER}+)*|{UNSPACED_CLASS}[\p{{M}}]*", regex.V1)
_BRACKET = regex.compile(r"\[[^\[\]]{0,80}\]")
_EDITED = regex.compile(r"\[(\p{L}{1,2})\](?=\p{L})")
_NO_LETTER = regex.compile(r"[^\p{L}\p{M}\p{N}_]+")
_UNIT = regex.compile(r"(?<=#[-+]?[\d.]+)[^\d.].*")
_TERMINAL = regex.compile(r"[,.;:!?،。，．；：！？]")
_HIRAGANA = regex.compile(r"[\p{Hiragana}ー]")
_EDGE_FOLDS = frozenset(FOLDS[1:])

COMMON_WORDS = listed(
    """a about all also am an and any are as at be been being but by can could did do does for from get go got had has have
    he her here him his how i i'm i've if in into is it it's its just know like me more my no not now of on one or our out
    over said say see she so some than that that's the their them then there these they they're thing things think this
    those to too up us very was we we're well were what when where which who why will with would yeah yes you you're your
    der die das und ist nicht ein eine zu in den mit von auf es ich wir sie er auch so wie dass aber
    le la les de des du et est un une que qui dans pour pas ce il elle je nous vous on en au
    el los las y es en que de un una por con no se lo su para como"""
)
"""Words that say little about where a sentence is from."""

_COMMON_WEIGHT = 0.3
_MOST_POSTINGS = 3_000
_MOST_PLACES = 4
_MOST_EQUALS = 256
_NEAR_WORD = 0.72
_MOST_VOTES = 600
_LEAST_VOTERS = 3
_LEAST_VOTE = 0.6
_MOST_SPOTS = 3
_MOST_SKIPPED = 4
_LONG = 20
_MOST_SIGN = 4  # characters of a sign, a currency or a per cent beside a word
_SYMBOLS = 250  # edlib takes at most 256 distinct characters


class _Candidate(NamedTuple):
    """Tokens `first` to `last` (inclusive) of the text, so many edits from the claim's words, so far from its time."""

    edits: int
    distance_ms: int
    first: int
    last: int


class SearchedText(Protocol):
    """The reference text, and the time of the cue that a code point of it stands in."""

    text: str

    def time_at(self, position: int) -> TimeSpan:
        """Return the times of the cue that holds a code point."""


class Passages:
    """The index of one reference text."""

    def __init__(self, reference: SearchedText) -> None:
        self._reference = reference
        self._starts, self._ends, self._ids = array("q"), array("q"), array("l")
        self._words: list[str] = []
        self._numbers: dict[str, int] = {}
        self._postings: list[array[int]] = []
        squeezed: list[str] = []
        self._squeezed_starts = array("q")
        self._values: dict[str, tuple[int, ...]] | None = None
        at = 0
        by_raw: dict[str, tuple[int, str]] = {}
        for match in _PLAIN.finditer(reference.text):
            raw = match[0]
            known = by_raw.get(raw)
            if known is None:
                known = by_raw[raw] = self._word(raw)
            number, bare = known
            self._postings[number].append(len(self._ids))
            self._ids.append(number)
            self._starts.append(match.start())
            self._ends.append(match.end())
            self._squeezed_starts.append(at)
            squeezed.append(bare)
            at += len(bare)
        self._squeezed = "".join(squeezed)
        self._squeezed_starts.append(at)

    def nearest(self, text: str, claimed_ms: int | None) -> TextSpan | None:
        """Return the closest passage to a text, None where nothing is close."""
        # “[W]e” is searched as “We”, other brackets not at all; every character keeps its place.
        claim = _BRACKET.sub(lambda match: " " * len(match[0]), _EDITED.sub("\u2060\\1\u2060", text))
        found = list(_PLAIN.finditer(claim))
        words = [key(match[0]) for match in found]
        if not words or not self._ids:
            return None
        head, tail = text[: found[0].start()], text[found[-1].end() :]
        valued = self._valued(claim, words, claimed_ms)
        if valued is not None:
            return self._widened(valued, head, tail)
        place = self._folded("".join(words), claimed_ms, len(words)) or self._voted(words, claimed_ms)
        return self._span(*place, head, tail) if place is not None else None

    def folded_spans(self, text: str) -> list[TextSpan]:
        """Return the spans whose letters are those of a text, whatever stands between them, in order."""
        words = [key(match[0]) for match in _PLAIN.finditer(text)]
        squeezed = _NO_LETTER.sub("", "".join(words))
        return [self._span(first, last, "", "") for first, last in self._folded_places(squeezed)]

    def _word(self, raw: str) -> tuple[int, str]:
        """Return a word's number and its bare letters."""
        word = key(raw)
        number = self._numbers.setdefault(word, len(self._words))
        if number == len(self._words):
            self._words.append(word)
            self._postings.append(array("l"))
        return number, _NO_LETTER.sub("", word)

    def _folded(self, joined: str, claimed_ms: int | None, length: int) -> tuple[int, int] | None:
        """Return the nearest place in time with the same letters; one that goes on in its last word if there is no other."""
        squeezed = _NO_LETTER.sub("", joined)
        if not squeezed:
            return None
        places = self._folded_places(squeezed) or (self._folded_places(squeezed, whole=False) if length > 1 else [])
        return min(places, key=lambda place: self._distance(place[0], claimed_ms), default=None)

    def _folded_places(self, squeezed: str, *, whole: bool = True) -> list[tuple[int, int]]:
        places: list[tuple[int, int]] = []
        starts, text = self._squeezed_starts, self._squeezed
        at = text.find(squeezed) if squeezed else -1
        while at >= 0 and len(places) < _MOST_POSTINGS:
            first = bisect_right(starts, at) - 1
            end = at + len(squeezed)
            last = bisect_left(starts, end) - 1
            # Words without letters of their own share their start with the next one.
            if starts[first] == at and (starts[last + 1] == end or not whole):
                places.append((first, last))
            at = text.find(squeezed, at + 1)
        return places

    def _voted(self, words: Sequence[str], claimed_ms: int | None) -> tuple[int, int] | None:
        """Return the closest place by words in common, words that the text lacks replaced by the one most like them."""
        known = [self._known(word, len(words)) for word in words]
        likely = [self._words[numbers[0]] if numbers else word for word, numbers in zip(words, known, strict=True)]
        candidates: set[_Candidate] = set()
        for start, end in self._windows(known, claimed_ms):
            candidates.update(sorted(self._aligned(likely, start, end, claimed_ms))[:_MOST_SPOTS])
        weights = [self._weight(word) for word in words]
        # One edit more may still have more words in common; in a long claim the fewest edits decide.
        most = min((candidate.edits for candidate in candidates), default=0) + (1 if len(words) < _LONG else 0)
        best: tuple[float, int, int, int] | None = None
        for candidate in sorted(candidates):
            if candidate.edits > most:
                break
            first, last = self._fitted(likely, candidate.first, candidate.last)
            share = self._closeness(words, weights, first, last)
            if share and (best is None or (-share, candidate.distance_ms) < best[:2]):
                best = (-share, candidate.distance_ms, first, last)
        return best[2:] if best is not None else None

    def _valued(self, claim: str, words: Sequence[str], claimed_ms: int | None) -> TextSpan | None:
        """Return the nearest place in time with the same words and the same numbers, however these are written."""
        own = tokens(claim)
        numbers = [token.key for token in own if token.kind is TokenKind.NUMBER]
        if not numbers:
            return None
        known = [self._known(word, len(words)) for word in words]
        known += [self._by_value().get(_bare_value(number), ()) for number in numbers]
        keys = [token.key for token in own]
        best: tuple[int, TextSpan] | None = None
        for first, last in self._windows(known, claimed_ms):
            start, end = max(0, self._starts[first] - _MOST_SIGN), self._ends[last - 1] + _MOST_SIGN
            theirs = tokens(self._reference.text[start:end])
            for at in range(len(theirs) - len(keys) + 1):
                if [token.key for token in theirs[at : at + len(keys)]] == keys:
                    span = TextSpan(start + theirs[at].start, start + theirs[at + len(keys) - 1].end)
                    distance = 0 if claimed_ms is None else abs(self._reference.time_at(span.start).distance_ms(claimed_ms))
                    best = min(best, (distance, span)) if best is not None else (distance, span)
        return best[1] if best is not None else None

    def _by_value(self) -> dict[str, tuple[int, ...]]:
        """Return the words of the text that are numbers by themselves, by their value without a unit."""
        if self._values is None:
            self._values = {}
            for number, word in enumerate(self._words):
                value = value_of(word)
                if value is not None:
                    bare = _bare_value(value)
                    self._values[bare] = (*self._values.get(bare, ()), number)
        return self._values

    def _windows(self, known: Sequence[Sequence[int]], claimed_ms: int | None) -> list[tuple[int, int]]:
        """Return the stretches of tokens that the rarest common words point to, the likeliest first."""
        shared = [(len(self._postings[number]), at, number) for at, numbers in enumerate(known) for number in numbers]
        width = max(8, len(known) // 4)
        votes: defaultdict[int, float] = defaultdict(float)
        spent = voters = 0
        for count, at, number in sorted(shared):
            if voters >= _LEAST_VOTERS and spent + count > _MOST_VOTES:
                break
            spent, voters = spent + count, voters + 1
            weight = 1.0 / (1 + count.bit_length())
            for position in self._postings[number]:
                bucket = (position - at) // width
                votes[bucket] += weight
                votes[bucket - 1] += weight
        if not votes:
            return []
        least = max(votes.values()) * _LEAST_VOTE
        ranked = sorted((vote for vote in votes.items() if vote[1] >= least), key=lambda vote: -vote[1])
        if len(ranked) > _MOST_PLACES and ranked[_MOST_PLACES][1] == ranked[0][1]:
            equals = [vote for vote in ranked if vote[1] == ranked[0][1]]
            ranked = sorted(equals, key=lambda vote: self._distance(max(vote[0], 0) * width, claimed_ms))
        windows: list[tuple[int, int]] = []
        for bucket, _ in ranked[: _MOST_PLACES * 2]:
            start = max(0, bucket * width - width)
            end = min(len(self._ids), (bucket + 3) * width + len(known))
            if start < end and not any(a <= start + width and end - width <= b for a, b in windows):
                windows.append((start, end))
        return windows[:_MOST_PLACES]

    def _known(self, word: str, length: int) -> tuple[int, ...]:
        """Return the numbers of a word, or in a short claim of the words most like it."""
        number = self._numbers.get(word)
        if number is not None:
            return (number,)
        if length > 8 or len(word) < 5:
            return ()
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import extract

        similar = extract(word, self._words, scorer=Levenshtein.normalized_similarity, score_cutoff=_NEAR_WORD, limit=2)
        return tuple(place for _, _, place in similar)

    def _aligned(self, words: Sequence[str], start: int, end: int, claimed_ms: int | None) -> list[_Candidate]:
        """Return the stretches of a window that are the fewest edits away."""
        import edlib  # type: ignore[import-not-found]

        symbols: dict[int, str] = {}
        query = ""
        for word in words:
            number = self._numbers.get(word, -1)
            # Words that the text lacks match nothing; beyond edlib's limit words share symbols, which only blurs the place.
            query += symbols.setdefault(number, chr(2 + len(symbols) % _SYMBOLS)) if number >= 0 else "\x01"
        target = "".join([symbols.get(number, "\x00") for number in self._ids[start:end]])
        result = edlib.align(query, target, mode="HW", task="locations")
        spots = [(start + int(a or 0), start + int(b)) for a, b in result["locations"][:_MOST_EQUALS] if b is not None and b >= 0]
        edits = int(result["editDistance"])
        return [_Candidate(edits, self._distance(first, claimed_ms), first, last) for first, last in spots]

    def _fitted(self, words: Sequence[str], first: int, last: int) -> tuple[int, int]:
        """Move both ends so that words before the first common one, and after the last, stand for each other one to one.

        Where such a word itself stands a few words further out, the stretch reaches to it.
        """
        pairs = self._common(words, first, last)
        if not pairs:
            return first, last
        own, theirs = pairs[0]
        begin = first + theirs - self._reach(words[:own][::-1], first + theirs - 1, -1)
        own, theirs = pairs[-1]
        finish = first + theirs + self._reach(words[own + 1 :], first + theirs + 1, 1)
        return max(0, begin), min(len(self._ids) - 1, finish)

    def _reach(self, rest: Sequence[str], at: int, step: int) -> int:
        """Return how many tokens, from `at` on, stand for the words that no common one was found for."""
        if not rest:
            return 0
        number = self._numbers.get(rest[0], -1)
        if len(rest) > 1 and 0 <= at < len(self._ids) and self._words[self._ids[at]].partition("'")[0] in rest:
            return 1  # “it's” stands for “it is”
        for distance in range(_MOST_SKIPPED):
            place = at + step * distance
            if 0 <= place < len(self._ids) and self._ids[place] == number:
                return distance + 1
        return min(len(rest), 2)

    def _common(self, words: Sequence[str], first: int, last: int) -> list[tuple[int, int]]:
        """Return (word of the claim, word of the stretch) for the words that a best alignment has in common."""
        from rapidfuzz.distance import Indel

        stretch = [self._words[number] for number in self._ids[first : last + 1]]
        pairs: list[tuple[int, int]] = []
        for step in Indel.opcodes(list(words), stretch):
            if step.tag == "equal":
                pairs.extend(zip(range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True))
        return pairs

    def _closeness(self, words: Sequence[str], weights: Sequence[float], first: int, last: int) -> float:
        """Return the share of the claim's words that a stretch has in common, 0 where it is not close."""
        pairs = self._common(words, first, last)
        common = sum(weights[own] for own, _ in pairs)
        meaning = sum(1 for own, _ in pairs if weights[own] == 1.0)
        for own, theirs in self._substituted(len(words), last - first + 1, pairs):
            like = _likeness(words[own], self._words[self._ids[first + theirs]])
            common += weights[own] * like
            meaning += 1 if like >= _NEAR_WORD and weights[own] == 1.0 else 0
        share = common / sum(weights)
        if len(words) == 1:
            return share if share >= _NEAR_WORD else 0.0
        is_unspaced = sum(1 for word in words if len(word) == 1 and word >= "\u0e01") * 2 > len(words)
        if is_unspaced:
            return share if share >= 0.6 and len(words) > 2 else 0.0
        least = (0.75, 0.6, 0.5)[min(meaning, 2)]
        return share if share >= least else 0.0

    def _substituted(self, length: int, stretch: int, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return (word of the claim, word of the stretch) that stand for each other between common words."""
        substituted: list[tuple[int, int]] = []
        edges = [(-1, -1), *pairs, (length, stretch)]
        for (own, theirs), (own_next, theirs_next) in pairwise(edges):
            substituted.extend(zip(range(own + 1, own_next), range(theirs + 1, theirs_next), strict=False))
        return substituted

    def _weight(self, word: str) -> float:
        if word in COMMON_WORDS or (len(word) == 1 and _HIRAGANA.match(word)):
            return _COMMON_WEIGHT
        number = self._numbers.get(word)
        total = len(self._ids)
        if number is not None and total > 3_000 and len(self._postings[number]) * 150 > total and word.isalpha():
            return _COMMON_WEIGHT
        return 1.0

    def _distance(self, token: int, claimed_ms: int | None) -> int:
        if claimed_ms is None:
            return 0
        return abs(self._reference.time_at(self._starts[min(token, len(self._starts) - 1)]).distance_ms(claimed_ms))

    def _span(self, first: int, last: int, head: str, tail: str) -> TextSpan:
        """Return the text of tokens, with the marks around them that the claim has too, from border to border."""
        return self._widened(TextSpan(self._starts[first], self._ends[last]), head, tail)

    def _widened(self, span: TextSpan, head: str, tail: str) -> TextSpan:
        text = self._reference.text
        start, end = span
        before, after = text[max(0, start - len(head) - 8) : start], text[end : end + len(tail) + 8]
        start -= _shared_edge(head[::-1], before[::-1])
        end += _shared_edge(tail, after)
        while start > 0 and border_flaw(text, start) is not None:
            start -= 1
        while end < len(text) and border_flaw(text, end) is not None:
            end += 1
        return TextSpan(start, end)


def _shared_edge(own: str, theirs: str) -> int:
    """Return how many characters of what stands in the text beside the words the claim has too, a terminal mark left aside."""
    if not own or not theirs:
        return 0
    wanted = {undo(own, _EDGE_FOLDS)}
    mark = _TERMINAL.search(own)
    if mark is not None:
        wanted.add(undo(own[: mark.start()] + own[mark.end() :], _EDGE_FOLDS))
    wanted.discard("")
    for length in range(1, len(theirs.rstrip()) + 1):
        if undo(theirs[:length], _EDGE_FOLDS) in wanted:
            return length
    return 0


def _bare_value(key: str) -> str:
    """Return a number's key without its unit: `#50` of `#50%`."""
    return _UNIT.sub("", key)


def _likeness(word: str, other: str) -> float:
    """Return how far one word may pass for another, 0 to 1: two numbers, one with a letter more, a slip."""
    value, other_value = value_of(word), value_of(other)
    if value is not None and other_value is not None:
        return 1.0 if value == other_value else 0.5
    if min(len(word), len(other)) * 5 < max(len(word), len(other)) * 3:
        return 0.0
    from rapidfuzz.distance import Levenshtein

    similarity = Levenshtein.normalized_similarity(word, other)
    return similarity if similarity >= 0.6 else 0.0
