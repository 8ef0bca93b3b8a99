"""The audit's grammar of JSON captions: which strings of a file are its text, told by their path.

The file is cut into tokens once more, and each string gets its path (`.events[].segs[].utf8`). For every
format the paths that hold text are known, the finest first: every string at the first of them that a file
has must be text, repeat, layout or unread, byte for byte, and text must lie in strings at known paths. No
string may be entered as markup. Times are computed from the numbers that the ledger names; json3's word times from the
offsets of its segments. A voice must be the one that the nearest container of its text names, or, where none does,
be a string or number of the file.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import NamedTuple

from quoteview.core.auditing.decoders import decode_raw
from quoteview.core.auditing.lines import check_times, milliseconds
from quoteview.core.auditing.sheet import LAYOUT, MARKUP, REPEAT, TEXT, TIMING, UNREAD, Sheet
from quoteview.core.auditing.voices import Told, hold, sheet_place
from quoteview.core.captions.track import CaptionFormat, Cue
from quoteview.core.ledger import How

_STRING = rb'"((?:[^"\\]|\\.)*+)"'
_TOKEN = re.compile(
    rb"(?:" + _STRING + rb"[ \t\r\n]*+:[ \t\r\n]*+)?+(?:" + _STRING + rb"|(-?[0-9][0-9.eE+-]*+|true|false|null)|([\[{])|([\]}]))",
    re.DOTALL,
)
_STRING_VALUE, _OPENING, _CLOSING = 2, 4, 5  # groups of a token; 1 is its key, 3 a number or a word
_BEST = r"\.alternatives\[0\]"
_PATHS: dict[CaptionFormat, tuple[str, ...]] = {
    CaptionFormat.JSON3: (r"\.events\[\]\.segs\[\]\.utf8",),
    CaptionFormat.PODCAST: (r".*\.segments\[\]\.body",),
    CaptionFormat.SECOND_KEYED: (r"\..*",),
    CaptionFormat.AWS: (r".*\.audio_segments\[\]\.transcript", rf".*\.items\[\]{_BEST}\.content"),
    CaptionFormat.DEEPGRAM: (
        r".*\.utterances\[\]\.transcript",
        rf".*{_BEST}\.paragraphs\.paragraphs\[\]\.sentences\[\]\.text",
        rf".*{_BEST}\.words\[\]\.punctuated_word",
        rf".*{_BEST}\.words\[\]\.word",
    ),
    CaptionFormat.GOOGLE: (rf".*results\[\]{_BEST}\.transcript", rf".*results\[\]{_BEST}\.words\[\]\.word"),
    CaptionFormat.IBM: (rf".*results\[\]{_BEST}\.transcript",),
    CaptionFormat.SPEECHMATICS: (r"(?:\.\w+)?\.words\[\]\.name", rf".*results\[\]{_BEST}\.content"),
    CaptionFormat.ASSEMBLYAI: (
        r"(?:\.\w+)?\.utterances\[\]\.text",
        r"(?:\.\w+)?\.sentences\[\]\.text",
        r"(?:\.\w+)?\.words\[\]\.text",
    ),
    CaptionFormat.KALDI: (r"(?:\.\w+)?\.words\[\]\.punct", r"(?:\.\w+)?\.words\[\]\.word", r"(?:\.\w+)?(?:\[\])?\.text"),
    CaptionFormat.WHISPER: (
        r"(?:.*\.(?:segments|chunks|transcription)|(?:\.\w+)?)\[\](?:\.text|\[\])",
        r".*\.?words\[\]\.(?:word|text)",
    ),
}
_SPEAKERS = frozenset((b"speaker", b"speaker_label", b"speakerLabel", b"speakerTag", b"speaker_tag", b"speaker_id", b"speakerId"))
_FLAGS = frozenset((b"type", b"attaches_to", b"final")) | _SPEAKERS
_MOMENTS = frozenset((b"tStartMs", b"tOffsetMs"))
_STARTS = frozenset(("tStartMs", "start", "startTime", "start_time", "startOffset", "start_offset", "from", "time"))
_LENGTHS = frozenset(("dDurationMs", "duration", "dur"))
_MARK = re.compile(r"[.,;:!?…。、！？，；：]+")
_NUMBER = re.compile(rb"(-?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?)s?")
_CLOCK = re.compile(rb"(?:([0-9]+):)?([0-9]+):([0-9]{1,2})(?:[.,]([0-9]+))?")
_EXACT = Context(prec=80)
_LONGEST = 40


class _Leaf(NamedTuple):
    """A string, or a number that the ledger calls a timing; `owner` is its container."""

    start: int
    end: int
    path: _Path
    owner: int


class _Path:
    """A place in the structure, one for all elements of a list; `rank` is where it stands among the format's texts, else None.

    Only among alternatives does it matter which one of a list it is.
    """

    __slots__ = ("_patterns", "rank", "steps", "words")

    def __init__(self, words: str, patterns: list[re.Pattern[str]]) -> None:
        self.words = words
        self._patterns = patterns
        self.steps: dict[bytes, _Path] = {}
        self.rank = next((rank for rank, pattern in enumerate(patterns) if pattern.fullmatch(words)), None)

    def step(self, key: bytes) -> _Path:
        """Return the path of a member, or of a list's element for `[`, and `[0` for the first alternative."""
        found = self.steps.get(key)
        if found is None:
            if key.startswith(b"["):
                label = ("[0]" if key == b"[0" else "[n]") if self.words.endswith(".alternatives") else "[]"
            else:
                label = "." + key.decode("utf-8", "replace")
            found = self.steps[key] = _Path(self.words + label, self._patterns)
        return found


class Notation:
    """A JSON file cut into tokens, and the questions that the audit asks of it."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._data = sheet.readable()
        self._parents: list[int] = []
        self._flags: dict[tuple[int, bytes], bytes] = {}
        self._times: dict[int, _Leaf] = {}
        self._kept = _FLAGS | _MOMENTS if sheet.format is CaptionFormat.JSON3 else _FLAGS
        timings = {sheet.start(index) for index, kind in enumerate(sheet.kinds) if kind == TIMING}
        root = _Path("", [re.compile(pattern) for pattern in _PATHS.get(sheet.format, ())])
        self._leaves = list(self._cut(timings, root))
        self._starts = [leaf.start for leaf in self._leaves]

    def is_glued(self, position: int) -> bool:
        """Return whether the string at a place continues the word before: punctuation, or what follows an opening mark."""
        at = bisect_right(self._starts, position) - 1
        if at < 0:
            return False
        leaf = self._leaves[at]
        if self._sheet.format is CaptionFormat.SPEECHMATICS and leaf.path.words.endswith(".name"):
            return _MARK.fullmatch(self._data[leaf.start : leaf.end].decode("utf-8", "ignore")) is not None
        if self._sheet.format not in (CaptionFormat.AWS, CaptionFormat.SPEECHMATICS):
            return False
        entry = self._ancestor(leaf.owner, 2)
        attaches = self._flags.get((entry, b"attaches_to"), b"")
        before = next((other for other in reversed(self._leaves[max(0, at - 60) : at]) if other.path is leaf.path), None)
        if before is not None and self._flags.get((self._ancestor(before.owner, 2), b"attaches_to")) in (b"next", b"both"):
            return True
        return attaches in (b"previous", b"both") or (
            self._flags.get((entry, b"type")) == b"punctuation" and attaches in (b"", b"null")
        )

    def check(self, sheet: Sheet, cues: tuple[Cue, ...]) -> None:
        """Hold the ledger of the file to where its text stands, and the cues' times to the numbers named."""
        ends, kinds, count = sheet.ends, sheet.kinds, len(sheet.kinds)
        finest = min((rank for leaf in self._leaves if (rank := leaf.path.rank) is not None), default=None)
        has_paths = sheet.format in _PATHS
        first = seen = 0
        for leaf in self._leaves:
            start, end, path, _ = leaf
            is_text = path.rank is not None and path.rank == finest and not self._is_interim(leaf)
            while ends[first] <= start:
                first += 1
            index, entry_start = first, sheet.start(first)
            while entry_start < end:
                kind = kinds[index]
                if kind in (TEXT, REPEAT):
                    seen += entry_start >= start and ends[index] <= end
                    if kind == TEXT and path.rank is None and has_paths:
                        sheet.defect(index, f"the format has no text at {path.words}")
                elif kind == MARKUP:
                    sheet.defect(index, "a string of the file is entered as markup")
                elif is_text and kind not in (LAYOUT, UNREAD):
                    sheet.defect(index, f"the string at {path.words} is text of this format")
                entry_start = ends[index]
                index += 1
                if index == count:
                    break
        if seen != kinds.count(TEXT) + kinds.count(REPEAT):
            self._name_strays()
        self._check_times(cues)
        self._check_voices(cues)

    def _name_strays(self) -> None:
        """Say which text does not lie within a string."""
        sheet = self._sheet
        for index, kind in enumerate(sheet.kinds):
            if kind in (TEXT, REPEAT):
                at = bisect_right(self._starts, sheet.start(index)) - 1
                if at < 0 or sheet.ends[index] > self._leaves[at].end:
                    sheet.defect(index, "it is not the inside of a string")

    def _cut(self, timings: set[int], root: _Path) -> Iterator[_Leaf]:
        """Yield every string that holds something and is no key, in order; keep timings, flags and the parents of containers."""
        parents, flags, times, kept = self._parents, self._flags, self._times, self._kept
        stack: list[tuple[int, _Path, bool]] = []  # containers around: number, path, is it a list
        owner, path, in_list, is_first = -1, root, False, False
        for token in _TOKEN.finditer(self._data, 3 if self._data.startswith(b"\xef\xbb\xbf") else 0):
            group = token.lastindex or 0
            if group == _CLOSING:
                if stack:
                    owner, path, in_list = stack.pop()
                is_first = False
                continue
            key = token[1]
            if key is not None and token.start(1) in timings:
                times[token.start(1)] = _Leaf(*token.span(1), root.step(b"start"), owner)
            if owner < 0:
                here = path
            else:
                name = (b"[0" if is_first else b"[") if in_list else key or b""
                here = path.steps.get(name) or path.step(name)
            is_first = False
            if group == _OPENING:
                stack.append((owner, path, in_list))
                parents.append(owner)
                owner, path, in_list = len(parents) - 1, here, token[_OPENING] == b"["
                is_first = in_list
                continue
            start, end = token.span(group)
            if start in timings:
                times[start] = _Leaf(start, end, here, owner)
            if key in kept:
                flags[owner, key or b""] = token[group]
            if group == _STRING_VALUE and start < end:
                yield _Leaf(start, end, here, owner)

    def _ancestor(self, container: int, steps: int) -> int:
        for _ in range(steps):
            container = self._parents[container] if container >= 0 else -1
        return container

    def _is_interim(self, leaf: _Leaf) -> bool:
        return self._sheet.format is CaptionFormat.IBM and self._flags.get((self._ancestor(leaf.owner, 2), b"final")) == b"false"

    def _check_voices(self, cues: tuple[Cue, ...]) -> None:
        sheet = self._sheet
        told = Told(time_at=self._word_ms if sheet.format is CaptionFormat.JSON3 else None)
        if sheet.format is not CaptionFormat.JSON3:
            told.times = {cue.index: list(cue.word_times) for cue in cues if cue.word_times}
        runs = [run for cue in cues for run in cue.runs]
        named = {name: self._is_named(name) for name in {run.speaker for run in runs} if name is not None}
        for run in runs if named or any(key in _SPEAKERS for _, key in self._flags) else ():
            nearest = self._nearest_voice(sheet_place(sheet, run.start))
            if nearest:
                told.voices[run.start] = nearest
            elif run.speaker is not None and named[run.speaker]:
                told.voices[run.start] = run.speaker
        hold(sheet, cues, told)

    def _nearest_voice(self, position: int) -> str:
        """Return who speaks by the nearest container around a place that names someone, "" where none does."""
        container = self._leaves[bisect_right(self._starts, position) - 1].owner if self._leaves else -1
        while container >= 0:
            for key in _SPEAKERS:
                raw = self._flags.get((container, key))
                if raw is not None and (name := _name(raw)):
                    return name
            container = self._parents[container]
        return ""

    def _is_named(self, name: str) -> bool:
        """Return whether a string or number of the file is this name: lists of speakers stand apart from what they say."""
        strings = (f'"{name}"'.encode("utf-8", "replace"), json.dumps(name).encode("ascii"))
        number = re.compile(rb"[:,\[\s]" + re.escape(name.encode("utf-8", "replace")) + rb"[,\]}\s]")
        return any(string in self._data for string in strings) or number.search(self._data) is not None

    def _word_ms(self, position: int) -> int | None:
        """Return when the segment is spoken whose text begins at a place, behind one space at most."""
        at = bisect_right(self._starts, position) - 1
        if at < 0 or self._data[self._leaves[at].start : position] not in (b"", b" "):
            return None
        segment = self._leaves[at].owner
        event = self._ancestor(segment, 2)
        moments = (self._flags.get((event, b"tStartMs"), b"0"), self._flags.get((segment, b"tOffsetMs"), b"0"))
        numbers = [_NUMBER.fullmatch(moment) for moment in moments]
        return sum(int(_EXACT.to_integral_value(Decimal(number[1].decode()))) if number else 0 for number in numbers)

    def _check_times(self, cues: tuple[Cue, ...]) -> None:
        sheet = self._sheet
        named: list[list[int]] = [[] for _ in cues]
        for index, (kind, cue) in enumerate(zip(sheet.kinds, sheet.cues, strict=True)):
            if kind == TIMING:
                if not 0 <= cue < len(cues) or sheet.start(index) not in self._times:
                    sheet.defect(index, "it is no number or string of a cue")
                else:
                    named[cue].append(index)
        before_ms = 0
        for cue_at, indices in zip(cues, named, strict=True):
            start_ms, end_ms = self._moments(indices)
            if start_ms is None:
                start_ms = 0 if sheet.format is CaptionFormat.JSON3 else before_ms
            index = indices[0] if indices else self._first_entry(cue_at)
            check_times(sheet, index, cue_at, start_ms, end_ms)
            before_ms = max(cue_at.time)

    def _first_entry(self, cue: Cue) -> int:
        return bisect_right(self._sheet.file_ends, cue.runs[0].start) if cue.runs else 0

    def _moments(self, indices: list[int]) -> tuple[int | None, int | None]:
        """Return the start and end that some timings name: by key where they have one, else in their order."""
        starts: list[int] = []
        ends: list[int] = []
        lengths: list[int] = []
        unnamed: list[int] = []
        last: tuple[int, list[int]] | None = None
        for index in indices:
            leaf = self._times[self._sheet.start(index)]
            words = leaf.path.words
            name = words.rpartition(".")[2]
            ms = self._ms(leaf, name)
            if ms is None:
                self._sheet.defect(index, "it is no time")
                continue
            if name in ("seconds", "nanos"):
                name = words.split(".")[-2]
                if last is not None and last[0] == leaf.owner:
                    last[1][-1] += ms
                    continue
            target = starts if name in _STARTS else lengths if name in _LENGTHS else unnamed if name.endswith("]") else ends
            target.append(ms)
            last = (leaf.owner, target)
        if len(unnamed) == 2:
            starts, ends = unnamed[:1], unnamed[1:]
        if not starts and self._sheet.format is CaptionFormat.JSON3:
            starts = [0]  # YouTube leaves a start of zero out
        if not ends and lengths and starts:
            ends = [starts[-1] + lengths[-1]]
        return starts[0] if starts else None, ends[-1] if ends else None

    def _ms(self, leaf: _Leaf, name: str) -> int | None:
        raw = self._data[leaf.start : leaf.end]
        if len(raw) > _LONGEST:
            return None
        number = _NUMBER.fullmatch(raw)
        if number is None:
            clock = _CLOCK.fullmatch(raw)
            return milliseconds(*clock.groups()) if clock else None
        is_thousandths = self._sheet.format in (CaptionFormat.JSON3, CaptionFormat.ASSEMBLYAI) or ".offsets." in leaf.path.words
        unit = Decimal("0.000001") if name == "nanos" else Decimal(1 if is_thousandths else 1000)
        value = Decimal(number[1].decode("ascii"))
        return None if value.adjusted() > 15 else int(_EXACT.multiply(value, unit).to_integral_value(ROUND_HALF_UP))


def _name(raw: bytes) -> str:
    """Return a speaker's name as a string or number of the file gives it, "" for null and for nothing but white space."""
    return (
        ""
        if raw in (b"null", b"true", b"false")
        else decode_raw(raw.decode("utf-8", "replace"), How.ESCAPE, CaptionFormat.JSON3).strip()
    )
