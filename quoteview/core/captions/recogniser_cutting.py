"""Cutting a stream of words into cues, for recognisers that give words and nothing larger.

A cue ends where another speaker begins, after the end of a sentence, at a silence of a second or more,
and before it would last more than 15 seconds. A mark that is glued to the word before stays with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from quoteview.core.captions.recogniser_parts import Passage, Word, seconds_of

SILENCE_MS = 1000
LONGEST_MS = 15_000
"""A green claim in a cue longer than 15 s says little about its time, so no cue is made longer."""

MOST_WORDS = 80
"""More words than anybody speaks in 15 s; it cuts where words have no times."""

_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*\s*\Z")


def cut(words: Iterable[Word], text_of: Callable[[Word], str]) -> list[Passage]:
    """Return passages that hold all words in order; `text_of` gives a word's characters."""
    passages: list[Passage] = []
    held: list[Word] = []
    first_ms = last_ms = None
    for word in words:
        if held and not word.is_glued:
            ends = word.speaker != held[-1].speaker or len(held) >= MOST_WORDS or _SENTENCE_END.search(text_of(held[-1]))
            if ends or _is_far(word, first_ms, last_ms):
                passages.append(Passage(None, *seconds_of(tuple(held)), None, tuple(held)))
                held, first_ms, last_ms = [], None, None
        held.append(word)
        if word.start is not None and first_ms is None:
            first_ms = word.start.ms
        if word.end is not None:
            last_ms = word.end.ms
    if held:
        passages.append(Passage(None, *seconds_of(tuple(held)), None, tuple(held)))
    return passages


def _is_far(word: Word, first_ms: int | None, last_ms: int | None) -> bool:
    if word.start is None:
        return False
    until_ms = word.end.ms if word.end is not None else word.start.ms
    is_silent = last_ms is not None and word.start.ms - last_ms >= SILENCE_MS
    return is_silent or (first_ms is not None and until_ms - first_ms > LONGEST_MS)
