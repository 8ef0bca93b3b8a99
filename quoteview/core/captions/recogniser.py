"""Recognisers' JSON: Whisper and its kin, AWS, Deepgram, AssemblyAI, Google, IBM, Speechmatics, Kaldi, Podcasting 2.0.

Such a file holds its text several times. The text is the finest segment- or utterance-level string;
where there is none, the punctuated words, each a line of its own so that the join rule puts the spaces,
and punctuation entries glued to the word before. The other copies are repeats where their letters agree,
and metadata with a remark where they do not. Words doubled at the edge of a chunk stay doubled: nothing
is removed.

A cue's times are its segment's, else its first and last timed word's. Where a start is missing, the cue
starts as the one before it ended. A missing end, or one before the start, is reported by the builder.
"""

from __future__ import annotations

from collections.abc import Iterable

from quoteview.core.captions.building import TrackBuilder
from quoteview.core.captions.jsontext import Array, Document, Object, Scalar, Text, Value, add_text, how_of, looks_like_json
from quoteview.core.captions.recogniser_copies import Letters, squeezed
from quoteview.core.captions.recogniser_parts import Moment, Passage, Transcript, Word
from quoteview.core.captions.recogniser_shapes import transcript_of
from quoteview.core.captions.scan import View
from quoteview.core.captions.track import Track
from quoteview.core.ledger import EntryKind

SHAPES = (
    "Whisper (segments, chunks, lists; whisperX, faster-whisper, whisper.cpp), AWS Transcribe, Deepgram, AssemblyAI, Google "
    "Speech-to-Text, IBM Watson, Speechmatics, Kaldi and Vosk, Podcasting 2.0, and captions keyed by their times"
)
"""The shapes that are understood, in words."""


def recognises(view: View) -> bool:
    """Return whether the view begins as JSON; which recogniser wrote it, if any, is for `read` to say."""
    return looks_like_json(view)


def read(view: View) -> Track:
    """Return the track. Raises `CaptionError` for broken JSON, an unknown shape, no cues, and only empty ones."""
    if b'"replayChatItemAction"' in view.data[: view.start + 4096]:
        raise view.refuse(
            "it is a live chat replay, which is not a caption track",
            view.start,
            remedy="Choose a caption track of the recording.",
        )
    document = Document(view)
    found = transcript_of(document)
    if found is None:
        raise view.refuse(
            "it is JSON, but no transcript of a shape that is understood", view.start, remedy=f"Understood are {SHAPES}."
        )
    return _Writer(view, document, found).track()


class _Writer:
    """Turns a transcript into a track: the copies first, since they say when each word of the text is spoken."""

    def __init__(self, view: View, document: Document, found: Transcript) -> None:
        self._document = document
        self._found = found
        self._builder = TrackBuilder(view, found.format)
        self._marked: set[int] = set()
        self._spoken: dict[int, list[tuple[int, Word]]] = {}  # by string of the text: from which byte on each word stands
        self._differing: list[tuple[str, str]] = []
        self._untimed = 0

    def track(self) -> Track:
        """Write every cue, then what is left of the file."""
        texts = [text for passage in self._found.passages for text in _texts(passage)]
        self._marked.update(text.start for text in texts)
        self._match(Letters(self._document, texts))
        self._cues()
        self._leftovers()
        if self._differing:
            copy, text = self._differing[0]
            self._builder.remark(
                f"The file holds its text in other copies too; {len(self._differing)} of them differ in letters, "
                f"the first “{copy[:60]}” where the text has “{text[:60]}”."
            )
        if self._untimed:
            self._builder.remark(f"{self._untimed} words have no time of their own and take their neighbours'.")
        return self._builder.finish(gap=EntryKind.MARKUP, language=self._found.language)

    def _match(self, letters: Letters) -> None:
        index = 0
        for passage in self._found.passages:
            if passage.text is not None:
                self._follow(letters, passage.words, *letters.reach(index), is_own=True)
                index += 1
                continue
            for word in passage.words:
                self._forms(letters, word, *letters.reach(index))
                index += 1
        if not self._found.unchecked:
            for words in self._found.copies:
                self._follow(letters, words, 0, len(letters.text))

    def _follow(self, letters: Letters, words: Iterable[Word], at: int, end: int, *, is_own: bool = False) -> None:
        """Walk along letters `at` to `end` with words that should stand there in order."""
        for word in words:
            if word.text.start in self._marked:
                continue
            characters = self._document.string(word.text) or ""
            copy = squeezed(characters)
            if not copy:
                continue
            found = letters.find(copy, at, end)
            if found < 0:
                self._differs(word.text, characters, letters.text[at : at + len(copy)])
                continue
            at = found + len(copy)
            self._repeat(letters, word.text, found, at)
            self._forms(letters, word, found, at)
            if word.start is not None or word.speaker is not None:
                self._spoken.setdefault(letters.string_at(found), []).append((letters.byte(found), word))
            if is_own and word.start is None:
                self._untimed += 1

    def _forms(self, letters: Letters, word: Word, start: int, end: int) -> None:
        for form in word.forms:
            characters = self._document.string(form) or ""
            if squeezed(characters) == letters.text[start:end]:
                self._repeat(letters, form, start, end)
            else:
                self._differs(form, characters, letters.text[start:end])

    def _repeat(self, letters: Letters, copy: Text, start: int, end: int) -> None:
        self._marked.add(copy.start)
        how = how_of(self._document.data, copy.start, copy.end)
        self._builder.repeat(copy.start, copy.end, letters.spans(start, end), how)

    def _differs(self, copy: Text, characters: str, letters: str) -> None:
        self._marked.add(copy.start)
        self._builder.entry(EntryKind.METADATA, copy.start, copy.end)
        self._differing.append((characters, letters))

    def _cues(self) -> None:
        before_ms = index = 0
        for passage in self._found.passages:
            start_ms = before_ms if passage.start is None else passage.start.ms
            end_ms = None if passage.end is None else passage.end.ms
            self._builder.begin_cue(start_ms, end_ms)
            before_ms = max(start_ms, end_ms or start_ms)
            self._timing(passage.start, passage.end)
            if passage.text is not None:
                self._string(passage, passage.text, self._spoken.get(index, []))
                index += 1
            else:
                self._words(passage.words)
                index += len(passage.words)
            self._builder.end_cue()

    def _string(self, passage: Passage, text: Text, spoken: list[tuple[int, Word]]) -> None:
        """A string of its own: words found in it give their times, and speakers where the segment names none."""
        data, builder = self._document.data, self._builder
        voice = passage.speaker or next((word.speaker for _, word in spoken if word.speaker), None)
        at = text.start
        builder.speak(voice)
        for byte, word in sorted(spoken, key=lambda found: found[0]):
            if word.start is not None:
                builder.word_time(byte, word.start.ms)
            if passage.speaker is None and word.speaker not in (None, voice):
                add_text(builder, data, at, byte)
                at, voice = byte, word.speaker
                builder.speak(voice)
        add_text(builder, data, at, text.end)

    def _words(self, words: Iterable[Word]) -> None:
        data, builder = self._document.data, self._builder
        for index, word in enumerate(words):
            if index and not word.is_glued:
                builder.end_line()
            builder.speak(word.speaker)
            if word.start is not None:
                builder.word_time(word.text.start, word.start.ms)
            elif not word.is_glued:
                self._untimed += 1
            add_text(builder, data, word.text.start, word.text.end)

    def _timing(self, start: Moment | None, end: Moment | None) -> None:
        for time in (start, end):
            for span in () if time is None else time.spans:
                if span.start not in self._marked:
                    self._marked.add(span.start)
                    self._builder.entry(EntryKind.TIMING, *span)

    def _leftovers(self) -> None:
        """Whatever is neither text nor time nor repeat is metadata; a list of numbers is one entry."""
        waiting: list[Value] = [self._document.root]
        while waiting:
            match waiting.pop():
                case Array(_, values):
                    plain = [value for value in values if isinstance(value, Scalar) and value.start not in self._marked]
                    if plain and len(plain) == len(values):
                        self._builder.entry(EntryKind.METADATA, plain[0].start, plain[-1].end)
                    else:
                        waiting.extend(values)
                case Object(_, members, _):
                    waiting.extend(value for _, value in members)
                case scalar:
                    if scalar.start not in self._marked:
                        self._builder.entry(EntryKind.METADATA, scalar.start, scalar.end)


def _texts(passage: Passage) -> list[Text]:
    return [word.text for word in passage.words] if passage.text is None else [passage.text]
