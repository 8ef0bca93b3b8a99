"""Where a transcript holds its text again, and whether letter by letter.

Copies differ from the text in white space by nature (a recogniser's word has its space before it, or
none), so letters are compared without white space. A copy that follows the text is a repeat of the bytes
it stands for; one that differs is counted, and the first is named.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator

from quoteview.core.captions.decoding import pieces
from quoteview.core.captions.jsontext import Document, Text, how_of
from quoteview.core.captions.track import CaptionFormat
from quoteview.core.spans import ByteSpan

_VISIBLE = re.compile(rb"[^ \t\n\v\f\r]+")
_REACH = 200  # how many letters may be skipped to find a word again after one that differs


class Letters:
    """The text without white space, and where each of its characters stands."""

    def __init__(self, document: Document, texts: list[Text]) -> None:
        """Take the strings that are the text, in order."""
        letters: list[str] = []
        self._starts, self._ends = array("q"), array("q")
        self._first: list[int] = []  # for each string, where its letters begin
        heads = set[int]()
        for text in texts:
            self._first.append(len(self._starts))
            heads.add(len(self._starts))
            raw = document.data[text.start : text.end]
            if raw.isascii() and b"\\" not in raw:
                for word in _VISIBLE.finditer(raw):
                    heads.add(len(self._starts))
                    letters.append(word[0].decode("ascii"))
                    self._starts.extend(range(text.start + word.start(), text.start + word.end()))
                    self._ends.extend(range(text.start + word.start() + 1, text.start + word.end() + 1))
                continue
            for character, start, end in _characters(document, text):
                if character.isspace():
                    heads.add(len(self._starts))
                    continue
                letters.append(character)
                self._starts.extend([start] * len(character))
                self._ends.extend([end] * len(character))
        self.text = "".join(letters)
        self._heads = heads

    def reach(self, index: int) -> tuple[int, int]:
        """Return the letters that string `index` holds, as a half-open range."""
        end = self._first[index + 1] if index + 1 < len(self._first) else len(self.text)
        return self._first[index], end

    def find(self, copy: str, at: int, end: int) -> int:
        """Return where copy stands at `at`, or as whole words a little later, before `end`; -1 where it does not."""
        if self.text.startswith(copy, at, end):
            return at
        found = self.text.find(copy, at, min(end, at + _REACH + len(copy)))
        while found >= 0:
            after = found + len(copy)
            if found in self._heads and (after in self._heads or after == len(self.text)):
                return found
            found = self.text.find(copy, found + 1, min(end, at + _REACH + len(copy)))
        return -1

    def spans(self, start: int, end: int) -> tuple[ByteSpan, ...]:
        """Return the bytes of letters start to end, one span for each string that they lie in."""
        spans = []
        index = bisect_right(self._first, start) - 1
        while start < end:
            _, stop = self.reach(index)
            stop = min(stop, end)
            if stop > start:
                spans.append(ByteSpan(self._starts[start], self._ends[stop - 1]))
                start = stop
            index += 1
        return tuple(spans)

    def byte(self, at: int) -> int:
        """Return the byte that letter `at` begins at."""
        return self._starts[at]

    def string_at(self, at: int) -> int:
        """Return the index of the string that letter `at` lies in; strings without letters are passed over."""
        return bisect_right(self._first, at) - 1


def squeezed(characters: str) -> str:
    """Return a text without its white space."""
    return "".join(characters.split())


def _characters(document: Document, text: Text) -> Iterator[tuple[str, int, int]]:
    """Yield (character, start, end) of a string's content; what one escape gives stays together."""
    raw = document.data[text.start : text.end].decode("utf-8")
    at = text.start
    raw_at = 0
    for decoded, length in pieces(CaptionFormat.WHISPER, how_of(document.data, text.start, text.end), raw):
        if raw[raw_at] == "\\":
            yield decoded, at, at + length  # an escape is ASCII
            at += length
        else:
            for character in decoded:
                size = len(character.encode("utf-8"))
                yield character, at, at + size
                at += size
        raw_at += length
