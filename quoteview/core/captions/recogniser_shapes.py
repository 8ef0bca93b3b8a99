"""The shapes of recognisers' JSON, each told by its keys and brought into one common form.

Which string is the text: the finest segment- or utterance-level one that the shape has; where there is
none, the punctuated words. Alternatives after the first are other guesses, not text. A speaker is named
as the file names it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from quoteview.core.captions.jsontext import Array, Document, Object, Scalar, Text, Value
from quoteview.core.captions.recogniser_parts import (
    Moment,
    Passage,
    Transcript,
    Word,
    clock_ms,
    first_of,
    later,
    moment,
    name_of,
    seconds_of,
    turns_of,
    words_of,
)
from quoteview.core.captions.track import CaptionFormat
from quoteview.core.spans import ByteSpan

_WRAPPERS = ("response", "retval", "result", "results", "output", "data", "transcription", "transcript")
_PUNCTUATION = re.compile(r"[.,;:!?…。、！？，；：]+")
_SERVICE_TOKEN = re.compile(r"\[_.*\]|<\|.*\|>", re.DOTALL)


def transcript_of(document: Document) -> Transcript | None:
    """Return the file's transcript, None where it has none of the shapes that are read."""
    roots = [document.root]
    roots += [value for name in _WRAPPERS if isinstance(value := document.get(document.root, name), Object)]
    shapes: tuple[Callable[[Document, Value], Transcript | None], ...] = (
        _second_keyed, _podcast, _aws, _deepgram, _ibm, _speechmatics, _google, _assembly, _kaldi, _whisper,
    )  # fmt: skip
    for root in roots:
        for shape in shapes:
            found = shape(document, root)
            if found is not None and found.passages:
                if not found.language:
                    found.language = document.word(document.get(document.root, "language", "language_code", "languageCode"))
                return found
    return None


def _second_keyed(document: Document, root: Value) -> Transcript | None:
    """`{"00:07": "for coders", …}`; a key that stands twice is two cues."""
    if not isinstance(root, Object) or not all(isinstance(value, Text) for _, value in root.members):
        return None
    found = Transcript(CaptionFormat.SECOND_KEYED)
    for key, value in root.members:
        ms = clock_ms(document.data[key.start : key.end])
        if ms is None:
            ms = document.milliseconds(key)
        if ms is None or not isinstance(value, Text):
            return None
        found.passages.append(Passage(value, Moment(ms, (ByteSpan(key.start, key.end),)), None))
    return found


def _podcast(document: Document, root: Value) -> Transcript | None:
    """Podcasting 2.0: `{"segments": [{"speaker", "startTime", "endTime", "body"}]}`."""
    found = Transcript(CaptionFormat.PODCAST)
    for segment in document.values(root, "segments"):
        body = document.get(segment, "body")
        if isinstance(body, Text):
            found.passages.append(
                Passage(
                    body,
                    moment(document, document.get(segment, "startTime")),
                    moment(document, document.get(segment, "endTime")),
                    name_of(document, document.get(segment, "speaker")),
                )
            )
    return found


def _aws(document: Document, root: Value) -> Transcript | None:
    """AWS Transcribe: `results.items`, and `results.audio_segments` in newer files."""
    results = document.get(root, "results") or root
    items = document.values(results, "items")
    if not items or document.get(items[0], "alternatives") is None or document.get(items[0], "type") is None:
        return None
    found = Transcript(CaptionFormat.AWS, document.word(document.get(results, "language_code")))
    labels = {
        document.word(document.get(labelled, "start_time")): name_of(document, document.get(labelled, "speaker_label"))
        for segment in document.values(document.get(results, "speaker_labels"), "segments")
        for labelled in document.values(segment, "items")
    }
    words: list[Word] = []
    by_id: dict[str, Word] = {}
    for index, entry in enumerate(items):
        text = document.get(first_of(document.values(entry, "alternatives")), "content")
        if not isinstance(text, Text):
            continue
        is_glued = document.word(document.get(entry, "type")) == "punctuation"
        start = document.get(entry, "start_time")
        speaker = name_of(document, document.get(entry, "speaker_label")) or labels.get(document.word(start))
        if is_glued and words and speaker is None:
            speaker = words[-1].speaker
        word = Word(text, moment(document, start), moment(document, document.get(entry, "end_time")), speaker, is_glued)
        words.append(word)
        by_id[document.word(document.get(entry, "id")) or str(index)] = word
    for segment in document.values(results, "audio_segments"):
        text = document.get(segment, "transcript")
        if isinstance(text, Text):
            named = [by_id.get(document.word(key)) for key in document.values(segment, "items")]
            own = tuple(word for word in named if word is not None)
            found.passages.append(
                _passage(document, segment, text, "start_time", "end_time", own, speaker=document.get(segment, "speaker_label"))
            )
    if not found.passages:
        found.passages = _split(document, words)
    _add_wholes(document, found, (document.get(entry, "transcript") for entry in document.values(results, "transcripts")))
    return found


def _deepgram(document: Document, root: Value) -> Transcript | None:
    """Deepgram: `results.utterances`, else the sentences of the paragraphs, else the words, channel by channel."""
    results = document.get(root, "results") or root
    channels = document.values(results, "channels")
    utterances = document.values(results, "utterances")
    if not channels and not (utterances and document.get(utterances[0], "transcript") is not None):
        return None
    found = Transcript(CaptionFormat.DEEPGRAM, unchecked=len(channels) > 1)
    for utterance in utterances:
        text = document.get(utterance, "transcript")
        if isinstance(text, Text):
            words = words_of(document, document.values(utterance, "words"), "punctuated_word", "word")
            found.passages.append(
                _passage(document, utterance, text, "start", "end", words, speaker=document.get(utterance, "speaker"))
            )
    had_utterances = bool(found.passages)
    for channel in channels:
        best = first_of(document.values(channel, "alternatives"))
        words = words_of(document, document.values(best, "words"), "punctuated_word", "word")
        sentences = _sentences(document, document.get(best, "paragraphs"))
        if not had_utterances:
            found.passages.extend(sentences or _split(document, words))
        if had_utterances and sentences:
            found.copies.append([Word(sentence.text) for sentence in sentences if sentence.text is not None])
        if had_utterances or sentences:
            found.copies.append(list(words))
        _add_wholes(document, found, [document.get(best, "transcript")])
    return found


def _sentences(document: Document, paragraphs: Value | None) -> list[Passage]:
    found = []
    for paragraph in document.values(paragraphs, "paragraphs"):
        for sentence in document.values(paragraph, "sentences"):
            text = document.get(sentence, "text")
            if isinstance(text, Text):
                speaker = document.get(paragraph, "speaker")
                found.append(_passage(document, sentence, text, "start", "end", (), speaker=speaker))
    return found


def _google(document: Document, root: Value) -> Transcript | None:
    """Google Speech-to-Text: `results[].alternatives[0]` with a transcript and words, in either spelling of keys.

    With diarisation the last result holds all words again, with speakers and without a transcript.
    """
    found = Transcript(CaptionFormat.GOOGLE)
    for result in document.values(root, "results"):
        best = first_of(document.values(result, "alternatives"))
        text = document.get(best, "transcript")
        words = words_of(document, document.values(best, "words"), "word")
        found.language = found.language or document.word(document.get(result, "languageCode", "language_code"))
        if isinstance(text, Text) and text.end > text.start:
            start, end = seconds_of(words)
            if end is None:
                end = moment(document, document.get(result, "resultEndTime", "resultEndOffset", "result_end_time"))
            found.passages.append(Passage(text, start, end, None, words))
        elif words and found.passages:
            found.copies.append(list(words))
        else:
            found.passages.extend(_split(document, words))
    return found


def _ibm(document: Document, root: Value) -> Transcript | None:
    """IBM Watson: `results[].alternatives[0]` with `timestamps`, the results nested once more in stored jobs."""
    found = Transcript(CaptionFormat.IBM)
    results = document.values(root, "results")
    nested = [part for part in results if isinstance(document.get(part, "results"), Array)]
    for part in nested or [root]:
        labels = {
            found_at.ms: name_of(document, document.get(label, "speaker"))
            for label in document.values(part, "speaker_labels")
            if (found_at := moment(document, document.get(label, "from"))) is not None
        }
        for result in document.values(part, "results"):
            best = first_of(document.values(result, "alternatives"))
            text, stamps = document.get(best, "transcript"), document.get(best, "timestamps")
            final = document.get(result, "final")
            is_interim = isinstance(final, Scalar) and document.data[final.start : final.end] == b"false"
            if not isinstance(text, Text) or not isinstance(stamps, Array) or is_interim:
                continue
            words = []
            for stamp in stamps.values:
                match document.values(stamp):
                    case [Text() as word, first, last, *_]:
                        start = moment(document, first)
                        words.append(Word(word, start, moment(document, last), labels.get(start.ms) if start else None))
            found.passages.append(Passage(text, *seconds_of(tuple(words)), None, tuple(words)))
    return found


def _speechmatics(document: Document, root: Value) -> Transcript | None:
    """Speechmatics, both generations: `words` with `name` and `time`, or `results` with `type` and `alternatives`."""
    found = Transcript(CaptionFormat.SPEECHMATICS, document.word(document.get(document.get(root, "job"), "lang")))
    listed = document.values(root, "words")
    if listed and document.get(listed[0], "name") is not None and document.get(listed[0], "time") is not None:
        spoken = turns_of(document, document.values(root, "speakers"), "time", "name")
        words: list[Word] = []
        for entry in listed:
            text = document.get(entry, "name")
            if isinstance(text, Text):
                start = moment(document, document.get(entry, "time"))
                end = later(start, moment(document, document.get(entry, "duration")))
                is_glued = bool(_PUNCTUATION.fullmatch(document.string(text) or "")) and bool(words)
                speaker = words[-1].speaker if is_glued else spoken(start)
                words.append(Word(text, start, end, speaker, is_glued))
        found.passages = _split(document, words)
        return found
    results = document.values(root, "results")
    if not results or document.get(results[0], "type") is None or document.get(results[0], "start_time") is None:
        return None
    words, glue_next = [], False
    for entry in results:
        best = first_of(document.values(entry, "alternatives"))
        text = document.get(best, "content")
        if isinstance(text, Text):
            attaches = document.word(document.get(entry, "attaches_to"))
            kind = document.word(document.get(entry, "type"))
            is_glued = glue_next or attaches in ("previous", "both") or (kind == "punctuation" and not attaches)
            glue_next = attaches in ("next", "both")
            start, end = (moment(document, document.get(entry, key)) for key in ("start_time", "end_time"))
            words.append(Word(text, start, end, name_of(document, document.get(best, "speaker")), is_glued and bool(words)))
    found.passages = _split(document, words)
    return found


def _assembly(document: Document, root: Value) -> Transcript | None:
    """AssemblyAI: `utterances`, else `sentences`, else `words`, all in milliseconds."""
    words = document.values(root, "words")
    passages = document.values(root, "utterances") or document.values(root, "sentences")
    listed = passages or words
    if not listed or not isinstance(document.get(listed[0], "text"), Text) or document.get(listed[0], "start") is None:
        return None
    if any(b"." in document.data[value.start : value.end] for value in _times(document, listed)):
        return None  # fractions: seconds, and another recogniser
    found = Transcript(CaptionFormat.ASSEMBLYAI, document.word(document.get(root, "language_code")))
    own = words_of(document, words, "text", per_unit=1)
    for passage in passages:
        text = document.get(passage, "text")
        if isinstance(text, Text):
            spoken = words_of(document, document.values(passage, "words"), "text", per_unit=1)
            speaker = document.get(passage, "speaker")
            found.passages.append(_passage(document, passage, text, "start", "end", spoken, speaker=speaker, per_unit=1))
    if found.passages:
        found.copies.append(list(own))
    else:
        found.passages = _split(document, own)
    _add_wholes(document, found, [document.get(root, "text")])
    return found


def _kaldi(document: Document, root: Value) -> Transcript | None:
    """Kaldi: the BBC's `words` with `punct`; Vosk's `result` with `text`, one or a list of them."""
    found = Transcript(CaptionFormat.KALDI)
    listed = document.values(root, "words")
    if listed and document.get(listed[0], "punct") is not None:
        segments = document.values(document.get(root, "segmentation"), "segments")
        words = words_of(document, listed, "punct", "word", spoken=turns_of(document, segments, "start", "speaker"))
        found.passages = _split(document, words)
        _add_wholes(document, found, [document.get(root, "punct")])
        return found
    for part in document.values(root) or [root]:
        text = document.get(part, "text")
        words = words_of(document, document.values(part, "result"), "word")
        if isinstance(text, Text) and words:
            found.passages.append(Passage(text, *seconds_of(words), None, words))
    return found


def _whisper(document: Document, root: Value) -> Transcript | None:
    """Whisper and its kin: `segments`, `chunks`, whisper.cpp's `transcription`, a bare list, or `words` alone."""
    found = Transcript(CaptionFormat.WHISPER)
    listed = document.values(root, "segments", "chunks", "transcription") or document.values(root)
    for segment in listed:
        passage = _tuple_segment(document, segment) if isinstance(segment, Array) else _segment(document, segment)
        if passage is not None:
            found.passages.append(passage)
        else:
            found.passages.extend(_split(document, words_of(document, document.values(segment, "words"), "word", "text")))
    words = words_of(document, document.values(root, "words"), "word", "text")
    if found.passages:
        found.copies.extend([list(words), list(words_of(document, document.values(root, "word_segments"), "word", "text"))])
    else:
        found.passages = _split(document, words)
    _add_wholes(document, found, [document.get(root, "text")])
    return found


def _segment(document: Document, segment: Value) -> Passage | None:
    text = document.get(segment, "text")
    if not isinstance(text, Text):
        return None
    per_unit, bounds = 1000, [document.get(segment, "start"), document.get(segment, "end")]
    stamp, offsets = document.get(segment, "timestamp", "timestamps"), document.get(segment, "offsets")
    if isinstance(offsets, Object):
        per_unit, bounds = 1, [document.get(offsets, "from"), document.get(offsets, "to")]
    elif isinstance(stamp, Array):
        bounds = [*stamp.values, None, None][:2]
    start, end = (moment(document, bound, per_unit=per_unit) for bound in bounds)
    if bounds == [None, None]:
        return None
    if end is None and bounds[1] is None:
        end = later(start, moment(document, document.get(segment, "duration", "dur")))
    words = words_of(document, document.values(segment, "words"), "word", "text")
    if per_unit == 1:
        tokens = words_of(document, document.values(segment, "tokens"), "text")
        words = tuple(word for word in tokens if not _SERVICE_TOKEN.fullmatch(document.string(word.text) or ""))
    return Passage(text, start, end, name_of(document, document.get(segment, "speaker")), words)


def _tuple_segment(document: Document, segment: Array) -> Passage | None:
    """faster-whisper's named tuple, written as a list: …, start, end, text, …"""
    values = segment.values
    at = next((index for index, value in enumerate(values) if isinstance(value, Text)), 0)
    text = values[at] if values else None
    if at < 2 or not isinstance(text, Text):
        return None
    start, end = moment(document, values[at - 2]), moment(document, values[at - 1])
    listed = next((value.values for value in values[at + 1 :] if isinstance(value, Array) and _holds_words(value)), [])
    words = []
    for entry in listed:
        match document.values(entry):
            case [first, last, Text() as word, *_]:
                words.append(Word(word, moment(document, first), moment(document, last)))
    return Passage(text, start, end, None, tuple(words))


def _holds_words(value: Array) -> bool:
    return bool(value.values) and isinstance(value.values[0], Array)


def _passage(
    document: Document,
    entry: Value,
    text: Text,
    start: str,
    end: str,
    words: tuple[Word, ...],
    *,
    speaker: Value | None,
    per_unit: int = 1000,
) -> Passage:
    first, last = (moment(document, document.get(entry, key), per_unit=per_unit) for key in (start, end))
    return Passage(text, first, last, name_of(document, speaker), words)


def _split(document: Document, words: Iterable[Word]) -> list[Passage]:
    """Cut words into cues: at another speaker, after the end of a sentence, at a second's silence, after about 15 s."""
    from quoteview.core.captions.recogniser_cutting import cut

    return cut(words, lambda word: document.string(word.text) or "")


def _add_wholes(document: Document, found: Transcript, values: Iterable[Value | None]) -> None:
    """Note strings that hold the whole text again."""
    found.copies.extend([Word(value)] for value in values if isinstance(value, Text) and value.end > value.start)


def _times(document: Document, listed: Iterable[Value]) -> list[Scalar]:
    values = (document.get(entry, key) for entry in listed for key in ("start", "end"))
    return [value for value in values if isinstance(value, Scalar)]
