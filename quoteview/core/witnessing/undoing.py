"""pysubs2's known simplifications, each as something that can be done to our text or undone in its.

A difference is explained only where doing so makes the two texts equal, and only by those that are
necessary for it: each is left out in turn, and kept only where the texts differ without it. A suspicious
character explains nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import combinations
from typing import NamedTuple

from quoteview.core.auditing.decoders import decode_raw
from quoteview.core.auditing.sheet import LAYOUT_CHARACTERS
from quoteview.core.captions.track import CaptionFormat
from quoteview.core.ledger import How


class Simplification(Enum):
    """What pysubs2 does otherwise; the value is a short name, `words` says it for a person."""

    REFERENCES = "references"
    TIME_TAGS = "time tags"
    REPEATS = "repeats"
    BLOCKS = "blocks"
    UNREAD = "unread"
    READINGS = "readings"
    NUMBER = "number line"
    TAGS = "tags"
    BRACES = "braces"
    HARD_SPACES = "hard spaces"
    WHITE_SPACE = "white space"
    DRAWINGS = "drawings"
    LANGUAGES = "languages"

    @property
    def words(self) -> str:
        """What pysubs2 does, as a sentence without its subject."""
        return _WORDS[self]


_WORDS = {
    Simplification.REFERENCES: "leaves character references as they are",
    Simplification.TIME_TAGS: "takes the times between words for text",
    Simplification.REPEATS: "reads again the lines that a roll-up track repeats",
    Simplification.BLOCKS: "takes identifiers, notes and other blocks for text of the cue before",
    Simplification.UNREAD: "takes for text what is unread here",
    Simplification.READINGS: "takes ruby readings for text",
    Simplification.NUMBER: "takes a last line of digits for the next cue's number",
    Simplification.TAGS: "takes anything in angle brackets for a tag",
    Simplification.BRACES: "takes braces and backslashes for SubStation's overrides",
    Simplification.HARD_SPACES: "makes hard spaces plain ones",
    Simplification.WHITE_SPACE: "makes any run of white space one space",
    Simplification.DRAWINGS: "takes drawings for text",
    Simplification.LANGUAGES: "reads all languages of the file at once",
}

OF_PIECE = {
    "repeat": Simplification.REPEATS,
    "block": Simplification.BLOCKS,
    "unread": Simplification.UNREAD,
    "reading": Simplification.READINGS,
    "drawing": Simplification.DRAWINGS,
    "language": Simplification.LANGUAGES,
}
"""By what pysubs2 reads a piece that is no text here."""

_TIME_TAG = re.compile(r"<[\d:.]+>")
_LAST_NUMBER = re.compile(r"\n+ *\d+ *$")
_ANY_TAG = re.compile(r"< */? *[a-zA-Z][^>]*>")
_STYLE_TAG = re.compile(r"< */? *[ibus] *>")
_HELD = "\ufdd0"
"""An ampersand of bytes that are no text here: their references are decoded last, as those of pysubs2's text are."""
_HELD_REFERENCE = re.compile(_HELD + r"([#\w]*;?)")
_OVERRIDE = re.compile(r"\{[^}]*\}")


class Piece(NamedTuple):
    """Characters on line `line` of what pysubs2 takes for one cue; `kind` is `text` or a key of `OF_PIECE`."""

    kind: str
    text: str
    line: int
    is_escape: bool = False


class Comparison:
    """Compares our pieces with pysubs2's text of a cue; remembers what explained the last one, since neighbours are alike."""

    def __init__(self, format: CaptionFormat, *, by_lines: bool) -> None:
        """Lines are compared one by one, or, where line ends are white space of the format, joined by spaces."""
        self._format = format
        self._by_lines = by_lines
        self._joint = "\n" if by_lines else " "
        self._latest: frozenset[Simplification] = frozenset()

    def explain(self, pieces: Sequence[Piece], theirs: str, *, begins_blank: bool = False) -> frozenset[Simplification] | None:
        """Return the simplifications that are necessary to make the two equal, none where they are; None where nothing does."""
        for chosen in self._candidates(pieces, theirs):
            if self._equal(pieces, theirs, chosen, begins_blank):
                self._latest = self._necessary(pieces, theirs, chosen, begins_blank)
                return self._latest
        return None

    def ours(self, pieces: Sequence[Piece]) -> str:
        """Return our text as it is compared when nothing is simplified."""
        return self._plain(_lines(pieces, frozenset(), self._format))

    def theirs(self, text: str) -> str:
        """Return pysubs2's text as it is compared when nothing is undone."""
        return self._plain(text.split("\n"))

    def _candidates(self, pieces: Sequence[Piece], theirs: str) -> Iterable[frozenset[Simplification]]:
        yield frozenset()
        usable = self._usable(pieces, theirs)
        if self._latest and self._latest <= usable:
            yield self._latest
        for count in (1, 2, len(usable), 3):
            if count <= len(usable):
                yield from map(frozenset, combinations(sorted(usable, key=lambda one: one.value), count))

    def _usable(self, pieces: Sequence[Piece], theirs: str) -> frozenset[Simplification]:
        found = {OF_PIECE[piece.kind] for piece in pieces if piece.kind != "text"}
        if "&" in theirs:
            found.add(Simplification.REFERENCES)
        if _TIME_TAG.search(theirs):
            found.add(Simplification.TIME_TAGS)
        whole = "".join(piece.text for piece in pieces)
        if any(character.isdigit() for character in whole) and self._format in (CaptionFormat.WEBVTT, CaptionFormat.SUBRIP):
            found.add(Simplification.NUMBER)
        if "<" in whole:
            found.add(Simplification.TAGS)
        if "{" in whole or "\\" in whole:
            found.add(Simplification.BRACES)
        if any(piece.is_escape for piece in pieces):
            found.add(Simplification.HARD_SPACES)
        if self._format is CaptionFormat.TTML:
            found.add(Simplification.WHITE_SPACE)
        return frozenset(found)

    def _necessary(
        self, pieces: Sequence[Piece], theirs: str, chosen: frozenset[Simplification], begins_blank: bool
    ) -> frozenset[Simplification]:
        for one in sorted(chosen, key=lambda simplification: simplification.value):
            if self._equal(pieces, theirs, chosen - {one}, begins_blank):
                chosen -= {one}
        return chosen

    def _equal(self, pieces: Sequence[Piece], theirs: str, chosen: frozenset[Simplification], begins_blank: bool) -> bool:
        text = "\n".join(line.strip(LAYOUT_CHARACTERS) for line in _lines(pieces, chosen, self._format)).strip("\n")
        if Simplification.NUMBER in chosen:
            text = "" if begins_blank and text.strip(" ").isdigit() else _LAST_NUMBER.sub("", text)
        if Simplification.TAGS in chosen:
            # It makes overrides of these four, which matters to a brace that stands open before one.
            text = _STYLE_TAG.sub("{}", text) if Simplification.BRACES in chosen else text
            text = _ANY_TAG.sub("", text)
        if Simplification.BRACES in chosen:
            text = _OVERRIDE.sub("", text).replace("\\h", " ").replace("\\n", "\n").replace("\\N", "\n")
        if Simplification.TIME_TAGS in chosen:
            theirs = _TIME_TAG.sub("", theirs)
        if Simplification.REFERENCES in chosen:
            theirs = decode_raw(theirs, How.ENTITY, self._format)
            text = _HELD_REFERENCE.sub(lambda held: decode_raw("&" + held[1], How.ENTITY, self._format), text)
        ours, theirs = self._plain(text.split("\n")), self._plain(theirs.split("\n"))
        if not self._by_lines and chosen & {Simplification.READINGS, Simplification.LANGUAGES}:
            # Between a base and its reading, or two languages, white space of the file is layout here and text there.
            return "".join(ours.split()) == "".join(theirs.split())
        if Simplification.WHITE_SPACE in chosen:
            ours, theirs = " ".join(ours.split()), " ".join(theirs.split())
        return ours == theirs

    def _plain(self, lines: Iterable[str]) -> str:
        return self._joint.join(stripped for line in lines if (stripped := line.strip(LAYOUT_CHARACTERS)))


def _lines(pieces: Sequence[Piece], chosen: frozenset[Simplification], format: CaptionFormat) -> list[str]:
    """Return our lines with the pieces that the chosen simplifications would read as text."""
    lines: list[str] = []
    last = None
    for piece in pieces:
        text = piece.text
        if piece.kind != "text":
            if OF_PIECE[piece.kind] not in chosen:
                continue
            if format is CaptionFormat.TTML:  # an XML parser decodes them there
                text = decode_raw(text, How.ENTITY, format)
            elif Simplification.REFERENCES in chosen:
                text = text.replace("&", _HELD)
        elif piece.is_escape and Simplification.HARD_SPACES in chosen:
            text = text.replace("\xa0", " ")
        if piece.line != last:
            lines.append("")
            last = piece.line
        lines[-1] += text
    return lines
