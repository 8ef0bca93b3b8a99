"""The planters: how each kind of change is made on a copy, and by which function of the check it must be seen."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import SequenceMatcher

from quoteview.core.captions.track import CaptionFormat, Cue, Run, Track, text_of
from quoteview.core.drafts.draft import Claim, ClaimKind, Draft, Patch, patched
from quoteview.core.errors import CaptionError, DraftError, LockBroken
from quoteview.core.joins import is_unspaced
from quoteview.core.journal import Journal
from quoteview.core.ledger import EntryKind, How
from quoteview.core.locking import LockedSource, lock
from quoteview.core.plant_bench import Bench, Instruments, NoPlace, Plant, Planter, Subject, Useless
from quoteview.core.spans import ByteSpan
from quoteview.core.verdicts import Match, Verdict, VerdictKind

_EXCERPT_ABOVE = 20_000
"""A track larger than this is planted in on an excerpt, where its format can be cut at blank lines."""
_EXCERPT_MS = 60_000
_DRAFT_EXCERPT_ABOVE = 30_000
"""A draft larger than this is planted in on the paragraphs around the claim, for reading it all each time takes long."""
_DRAFT_EXCERPT_BYTES = 2_000
_CUTTABLE = frozenset((CaptionFormat.WEBVTT, CaptionFormat.SUBRIP, CaptionFormat.SBV))
_EXACT_TEXT = frozenset((VerdictKind.EXACT, VerdictKind.MISTIMED, VerdictKind.UNTIMED))
_QUOTES = {"'": "’", "’": "'", '"': "”", "“": '"', "”": '"'}


def plant_byte(bench: Bench, draw: random.Random, number: int) -> Plant:
    """(a) Flip bits of one raw byte and open the bytes with the old lock."""
    subject, tools = bench.subject, bench.tools
    raw = bytearray(subject.source.data)
    at = draw.randrange(len(raw))
    raw[at] ^= draw.randrange(1, 256)
    what = f"byte {at} of {subject.source.lock.file} changed under the old lock"
    try:
        tools.reopen(subject.source.lock, bytes(raw))
    except LockBroken:
        return Plant("a", what, "lock")
    return Plant("a", what, "")


def plant_in_source(bench: Bench, draw: random.Random, number: int) -> Plant:
    """(b) Change the raw bytes inside an exact claim's ranges, make the lock anew, and check the claim again."""
    subject, tools = bench.subject, bench.tools
    claim, verdict = _some_exact(subject, draw)
    source, ranges = _excerpt(subject, verdict)
    spans = list(ranges)
    way, changed = _source_change(subject, source.data, spans, draw, number)
    if changed == source.data:
        raise Useless
    what = f"{way} in the captions' bytes of quotation {claim.id}, with a new lock"
    try:
        track = tools.read_track(lock(changed, source.lock.file), encoding=subject.encoding)
    except CaptionError:
        return Plant("b", what, "reader")
    _refuse_true(claim, track)
    found = tools.checker.check_one(tools.checker.reference(track, subject.track_id), claim, tolerance_ms=subject.tolerance_ms)
    return Plant("b", what, _caught(found))


def plant_in_working_copy(bench: Bench, draw: random.Random, number: int) -> Plant:
    """(c) Change the characters of a run and not the bytes: the audit must see it and the verdict must stay."""
    if number % 3 == 2:
        return _skip_word(bench, draw)
    subject, tools = bench.subject, bench.tools
    claim, verdict = _some_exact(subject, draw)
    part, match = _part(bench, claim, verdict)
    cue_index = match.evidence.cues[0]
    cue = part.cues[cue_index]
    places = [at for at, run in enumerate(cue.runs) if run.how is not How.UNREAD and _touches(run, match.evidence.bytes)]
    if not places:
        raise Useless
    at = draw.choice(places)
    way, text = _text_change(cue.runs[at].text, draw, number)
    if text == cue.runs[at].text:
        raise Useless
    track = _with_runs(part, cue_index, (*cue.runs[:at], cue.runs[at]._replace(text=text), *cue.runs[at + 1 :]))
    what = f"{way} in the working copy of quotation {claim.id} alone"
    sees = not tools.audit(track).agrees
    reference = tools.checker.reference(track, subject.track_id)
    stays = tools.checker.check_one(reference, claim, tolerance_ms=subject.tolerance_ms).kind is VerdictKind.EXACT
    return Plant("c", what, "audit" if sees and stays else "")


def plant_in_draft(bench: Bench, draw: random.Random, number: int) -> Plant:
    """(d) Change an exact claim's text in the draft's bytes and read the draft again."""
    subject = bench.subject
    claim, _ = _some_exact(subject, draw)
    pieces = [piece for piece in claim.pieces if piece.is_literal and piece.text]
    if not pieces:
        raise Useless
    piece = draw.choice(pieces)
    if number % 4 == 3:
        piece = pieces[0] if number % 8 == 3 else pieces[-1]
        way, text = "part of a word cut off", _cut_word(piece.text, at_start=number % 8 == 3)
    else:
        way, text = _text_change(piece.text, draw, number)
    if text == piece.text:
        raise Useless
    what = f"{way} in the draft's quotation {claim.id}"
    found = _rejudged(bench, claim, Patch(piece.start, piece.end, text.encode(subject.draft.encoding)))
    return Plant("d", what, found)


def plant_time(bench: Bench, draw: random.Random, number: int) -> Plant:
    """(e) Put a claimed time one millisecond beyond the tolerance of every occurrence."""
    subject, tools = bench.subject, bench.tools
    claim, _ = _some_exact(subject, draw)
    assert claim.claimed is not None
    reference = bench.reference
    times = [reference.time_at(place.span.start) for place in reference.find(claim.text) if place.is_whole]
    beyond = subject.tolerance_ms + 1
    moments = [time.end_ms + beyond for time in times] + [time.start_ms - beyond for time in times]
    free = [moment for moment in moments if all(abs(time.distance_ms(moment)) > subject.tolerance_ms for time in times)]
    if not free:
        raise Useless
    moment = draw.choice(free)
    changed = replace(claim, claimed=claim.claimed._replace(start_ms=moment, end_ms=None))
    found = tools.checker.check_one(reference, changed, tolerance_ms=subject.tolerance_ms)
    what = f"the time of quotation {claim.id} put to {moment} ms, 1 ms beyond the tolerance"
    return Plant("e", what, "mistimed" if found.kind is VerdictKind.MISTIMED else "")


def plant_in_journal(bench: Bench, draw: random.Random, number: int) -> Plant:
    """(f) Change, drop or swap lines of the journal, or cut its end off."""
    subject, tools = bench.subject, bench.tools
    lines = list(subject.journal.lines)
    if not lines:
        raise NoPlace("the journal has no entry yet")
    at = draw.randrange(len(lines))
    match number % 4:
        case 0:
            way = f"line {at + 1} changed"
            lines[at] = lines[at].replace(b'"by":"', b'"by":"x', 1)
        case 1:
            way = f"line {at + 1} dropped"
            del lines[at]
        case 2:
            if len(lines) < 2:
                raise Useless
            other = (at + 1) % len(lines)
            way = f"lines {at + 1} and {other + 1} swapped"
            lines[at], lines[other] = lines[other], lines[at]
        case _:
            way = f"cut off after line {at}"
            lines = lines[:at]
    if tuple(lines) == subject.journal.lines:
        raise Useless
    defects = tools.verify_journal(Journal(tuple(lines)), subject.record)
    return Plant("f", f"journal: {way}", "lock" if defects else "")


def plant_cut(bench: Bench, draw: random.Random, number: int) -> Plant:
    """(g) Cut the draft short in the middle of a quotation, or the transcript in the middle of a time or before its end."""
    return _cut_draft(bench, draw) if number % 2 == 0 else _cut_transcript(bench, draw)


def plant_open_mark(bench: Bench, draw: random.Random, number: int) -> Plant:
    """(h) Take a claim's closing mark away: it must be exact no longer, and still be seen."""
    subject, tools = bench.subject, bench.tools
    marked = [claim for claim, _ in subject.exact if claim.kind is ClaimKind.MARKS and _has_closing_mark(claim, subject.draft)]
    if not marked:
        raise NoPlace("no exact quotation stands between marks")
    claim = draw.choice(marked)
    assert claim.close_mark is not None
    what = f"the closing mark of quotation {claim.id} removed"
    data, shift = _draft_excerpt(subject, tools, claim)
    changed = patched(data, (Patch(claim.close_mark.start - shift, claim.close_mark.end - shift, b""),))
    draft = _read_again(subject, tools, changed)
    again = _claim_at(draft, claim.outer.start - shift)
    if again is None:
        return Plant("h", what, "")
    found = tools.checker.check_one(bench.reference, again, tolerance_ms=subject.tolerance_ms)
    return Plant("h", what, "" if found.kind in _EXACT_TEXT else str(found.kind))


PLANTERS: Mapping[str, Planter] = {
    "a": plant_byte,
    "b": plant_in_source,
    "c": plant_in_working_copy,
    "d": plant_in_draft,
    "e": plant_time,
    "f": plant_in_journal,
    "g": plant_cut,
    "h": plant_open_mark,
}


def _skip_word(bench: Bench, draw: random.Random) -> Plant:
    """Leave a word out of the working copy and quote the passage without it: skipped words are skipped proof."""
    subject, tools = bench.subject, bench.tools
    claim, verdict = _some_exact(subject, draw)
    part, match = _part(bench, claim, verdict)
    cue = part.cues[match.evidence.cues[0]]
    ranges = match.evidence.bytes
    run = next((run for run in cue.runs if run.how is How.LITERAL and run.text.isascii() and _touches(run, ranges)), None)
    shared = _shared(run, claim) if run is not None and subject.track.encoding == "utf-8" else None
    if run is None or shared is None:
        raise Useless
    words = [word for word in re.finditer(r" \w+(?= \w)", run.text[: shared[1]]) if word.start() > shared[0]]
    if not words:
        raise Useless
    word = draw.choice(words)
    halves = (
        run._replace(text=run.text[: word.start()], end=run.start + word.start()),
        run._replace(text=run.text[word.end() :], start=run.start + word.end()),
    )
    at = cue.runs.index(run)
    track = _with_runs(part, cue.index, (*cue.runs[:at], *halves, *cue.runs[at + 1 :]))
    stretch, kept = run.text[slice(*shared)], run.text[shared[0] : word.start()] + run.text[word.end() : shared[1]]
    quoted = replace(claim, text=claim.text.replace(stretch, kept, 1))
    if quoted.text == claim.text or _is_true(quoted.text, bench.reference.text):
        raise Useless
    sees = not tools.audit(track).agrees
    found = tools.checker.check_one(tools.checker.reference(track, subject.track_id), quoted, tolerance_ms=subject.tolerance_ms)
    what = f"the word “{word[0].strip()}” skipped in the working copy of quotation {claim.id}, and quoted so"
    return Plant("c", what, "audit" if sees and found.kind not in _EXACT_TEXT else "")


# What the planters share: places, changes of text and of bytes, and checking again.


def _some_exact(subject: Subject, draw: random.Random) -> tuple[Claim, Verdict]:
    if not subject.exact:
        raise NoPlace("no quotation is exact")
    return draw.choice(subject.exact)


def _caught(found: Verdict) -> str:
    if found.kind is VerdictKind.EXACT:
        return ""
    return str(found.kind) if not found.classes else f"{found.kind}: {found.classes[0]}"


def _refuse_true(claim: Claim, track: Track) -> None:
    """Raise Useless where the claim still is a quotation by plain search, as in a chorus that is sung twice."""
    if claim.text in text_of(sorted(track.cues, key=lambda cue: cue.time.start_ms)):
        raise Useless


def _letter(text: str, draw: random.Random) -> str:
    places = [at for at, character in enumerate(text) if character.isalpha()]
    if not places:
        raise Useless
    at = draw.choice(places)
    other = draw.choice([c for c in "aeioutns" if c != text[at].lower()])
    return text[:at] + other + text[at + 1 :]


def _quote_mark(text: str, draw: random.Random) -> str:
    places = [at for at, character in enumerate(text) if character in _QUOTES]
    if not places:
        raise Useless
    at = draw.choice(places)
    return text[:at] + _QUOTES[text[at]] + text[at + 1 :]


def _unicode_form(text: str, draw: random.Random) -> str:
    flipped = [form for form in (unicodedata.normalize("NFD", text), unicodedata.normalize("NFC", text)) if form != text]
    if not flipped:
        raise Useless
    return draw.choice(flipped)


def _space(text: str, draw: random.Random) -> str:
    places = [match.start() for match in re.finditer(r"(?<=\S) (?=\S)", text)]
    if not places:
        raise Useless
    at = draw.choice(places)
    return text[:at] + "\xa0" + text[at + 1 :]


def _dropped_word(text: str, draw: random.Random) -> str:
    words = list(re.finditer(r"\w+ ", text))
    if not words:
        raise Useless
    word = draw.choice(words)
    return text[: word.start()] + text[word.end() :]


def _cut_word(text: str, *, at_start: bool) -> str:
    """Return the text without its first or last letter, where the letter beside it keeps the word from being whole."""
    edge = re.match(r"[^\W\d_]{2}", text) if at_start else re.search(r"[^\W\d_]{2}\Z", text)
    if edge is None or any(is_unspaced(letter) for letter in edge[0]):
        raise Useless  # where words have no spaces between them, the word rule does not apply
    return text[1:] if at_start else text[:-1]


_TEXT_CHANGES: tuple[tuple[str, Callable[[str, random.Random], str]], ...] = (
    ("a letter", _letter),
    ("a space", _space),
    ("a dropped word", _dropped_word),
    ("a quote mark", _quote_mark),
    ("the Unicode form", _unicode_form),
)


def _text_change(text: str, draw: random.Random, number: int) -> tuple[str, str]:
    """Return what was changed and the changed text; the kinds of change are taken in turn."""
    way, change = _TEXT_CHANGES[number % len(_TEXT_CHANGES)]
    return way, change(text, draw)


def _source_change(subject: Subject, raw: bytes, spans: list[ByteSpan], draw: random.Random, number: int) -> tuple[str, bytes]:
    """Return what was changed inside the spans and the changed bytes."""
    if number % 7 in (5, 6):
        first, last = spans[0], spans[-1]
        dropped = draw.choice(spans) if number % 7 == 5 else ByteSpan(first.start, last.end)
        return ("a dropped line" if number % 7 == 5 else "a dropped passage"), raw[: dropped.start] + raw[dropped.end :]
    span = draw.choice(spans)
    encoding = subject.track.encoding
    try:
        text = raw[span.start : span.end].decode(encoding)
    except UnicodeDecodeError as error:
        raise Useless from error
    if "\\" in text or "&" in text:
        raise Useless  # a change inside an escape is another kind of change than the one that is named
    way, changed = _text_change(text, draw, number)
    try:
        return way, raw[: span.start] + changed.encode(encoding) + raw[span.end :]
    except UnicodeEncodeError as error:
        raise Useless from error


def _part(bench: Bench, claim: Claim, verdict: Verdict) -> tuple[Track, Match]:
    """Return the track to change a working copy of, and where the claim stands in it: of a long one a minute each side."""
    subject, tools = bench.subject, bench.tools
    assert verdict.match is not None
    source, _ = _excerpt(subject, verdict)
    if source is subject.source:
        return subject.track, verdict.match
    track = tools.read_track(source, encoding=subject.encoding)
    found = tools.checker.check_one(tools.checker.reference(track, subject.track_id), claim, tolerance_ms=subject.tolerance_ms)
    if found.kind is not VerdictKind.EXACT or found.match is None:
        raise Useless
    return track, found.match


def _with_runs(track: Track, cue_index: int, runs: tuple[Run, ...]) -> Track:
    """Return the track with other runs in one cue; bytes and ledger stay."""
    cue = track.cues[cue_index]
    changed = Cue(cue.index, cue.identifier, cue.time, runs, cue.word_times)
    return replace(track, cues=(*track.cues[:cue_index], changed, *track.cues[cue_index + 1 :]))


def _shared(run: Run, claim: Claim) -> tuple[int, int] | None:
    """Return where in a run's text the longest stretch stands that the claim has too, None without one of three words."""
    match = SequenceMatcher(None, run.text, claim.text, autojunk=False).find_longest_match()
    stretch = run.text[match.a : match.a + match.size]
    return (match.a, match.a + match.size) if len(stretch.split()) >= 3 else None


def _is_true(text: str, whole: str) -> bool:
    """Return whether plain search finds the text with no letter or digit right before or after it."""
    for found in re.finditer(re.escape(text), whole):
        edges = ((whole[found.start() - 1 : found.start()], text[0]), (text[-1], whole[found.end() : found.end() + 1]))
        if not any(one.isalnum() and other.isalnum() and not (is_unspaced(one) or is_unspaced(other)) for one, other in edges):
            return True
    return False


def _touches(run: Run, spans: tuple[ByteSpan, ...]) -> bool:
    return any(run.start < span.end and span.start < run.end for span in spans)


def _excerpt(subject: Subject, verdict: Verdict) -> tuple[LockedSource, tuple[ByteSpan, ...]]:
    """Return locked bytes to plant in, and the claim's ranges in them: the file, or a minute each side of the claim."""
    assert verdict.match is not None
    evidence = verdict.match.evidence
    source = subject.source
    if source.lock.size <= _EXCERPT_ABOVE or subject.track.format not in _CUTTABLE or subject.track.encoding != "utf-8":
        return source, evidence.bytes
    begin_ms, end_ms = evidence.time.start_ms - _EXCERPT_MS, evidence.time.end_ms + _EXCERPT_MS
    near = [cue for cue in subject.track.cues if begin_ms <= cue.time.start_ms <= end_ms and cue.text_bytes]
    low = _block_start(source.data, min(min(cue.text_bytes[0].start for cue in near), evidence.bytes[0].start))
    high = _block_end(source.data, max(max(cue.text_bytes[-1].end for cue in near), evidence.bytes[-1].end))
    head = b"WEBVTT\n\n" if subject.track.format is CaptionFormat.WEBVTT else b""
    shift = len(head) - low
    moved = tuple(ByteSpan(span.start + shift, span.end + shift) for span in evidence.bytes)
    return lock(head + source.data[low:high], source.lock.file), moved


_BLANK = re.compile(rb"(?:\r\n|\n|\r){2,}")


def _block_start(raw: bytes, at: int) -> int:
    """Return where the block of lines begins that a byte stands in."""
    before = raw[max(0, at - 20_000) : at]
    ends = [blank.end() for blank in _BLANK.finditer(before)]
    return at - len(before) + (ends[-1] if ends else 0)


def _block_end(raw: bytes, at: int) -> int:
    """Return where the block of lines ends that a byte stands in."""
    blank = _BLANK.search(raw, at)
    return blank.end() if blank is not None else len(raw)


def _has_closing_mark(claim: Claim, draft: Draft) -> bool:
    """Whether a claim is closed by a mark that is a character, not by a tag."""
    mark = claim.close_mark
    return mark is not None and mark.end > mark.start and not draft.data.startswith(b"<", mark.start)


def _read_again(subject: Subject, tools: Instruments, data: bytes) -> Draft:
    return tools.read_draft(data, subject.draft.file, source_address=subject.source_address, end_mark=subject.end_mark)


def _draft_excerpt(subject: Subject, tools: Instruments, claim: Claim) -> tuple[bytes, int]:
    """Return bytes of the draft to plant in, and how many come before them: all, or the paragraphs around a claim.

    The excerpt is taken only where the claim, unchanged, is read in it as in the whole draft.
    """
    data = subject.draft.data
    if len(data) <= _DRAFT_EXCERPT_ABOVE or subject.draft.encoding != "utf-8":
        return data, 0
    before = data.rfind(b"\n\n", 0, max(0, claim.outer.start - _DRAFT_EXCERPT_BYTES))
    low = before + 2 if before >= 0 else 0
    stop = data.find(b"\n\n", claim.outer.end + _DRAFT_EXCERPT_BYTES)
    part = data[low : stop + 1 if stop >= 0 else len(data)]
    again = _claim_at(_read_again(subject, tools, part), claim.outer.start - low)
    if again is None or (again.text, again.outer.end + low) != (claim.text, claim.outer.end):
        return data, 0
    return part, low


def _claim_at(draft: Draft, start: int) -> Claim | None:
    """Return the claim that begins at a byte, or the one that contains it."""
    return next((claim for claim in draft.claims if claim.outer.start <= start < claim.outer.end), None)


def _rejudged(bench: Bench, claim: Claim, patch: Patch) -> str:
    """Return what caught a change of a claim's bytes in the draft, "" where nothing did; raise Useless where it is still true."""
    subject, tools = bench.subject, bench.tools
    data, shift = _draft_excerpt(subject, tools, claim)
    moved = Patch(patch.start - shift, patch.end - shift, patch.replacement)
    draft = _read_again(subject, tools, patched(data, (moved,)))
    again = _claim_at(draft, claim.outer.start - shift)
    if again is None:
        return ""
    reference = bench.reference
    if again.text == claim.text:
        raise Useless
    if _is_true(again.text, reference.text):
        raise Useless
    found = tools.checker.check_one(reference, again, tolerance_ms=subject.tolerance_ms)
    return "" if found.kind in _EXACT_TEXT else _caught(found)


def _cut_draft(bench: Bench, draw: random.Random) -> Plant:
    subject, tools = bench.subject, bench.tools
    marked = [claim for claim, _ in subject.exact if claim.kind is ClaimKind.MARKS and len(claim.text) > 3]
    if not marked:
        raise NoPlace("no exact quotation stands between marks")
    claim = draw.choice(marked)
    piece = next(piece for piece in claim.pieces if piece.text)
    middle = piece.start + len(piece.text[: max(1, len(piece.text) // 2)].encode(subject.draft.encoding))
    what = f"the draft cut short inside quotation {claim.id}"
    data, shift = _draft_excerpt(subject, tools, claim)
    try:
        draft = _read_again(subject, tools, data[: middle - shift])
    except DraftError:
        return Plant("g", what, "reader")
    return Plant("g", what, "complete" if draft.defects else "")


def _cut_transcript(bench: Bench, draw: random.Random) -> Plant:
    subject, tools = bench.subject, bench.tools
    timings = [span for span in subject.track.ledger.spans(EntryKind.TIMING) if span.end - span.start > 2]
    if len(timings) < 2:
        raise NoPlace("the transcript has a single time")
    span = draw.choice(timings[1:])
    middle = (span.start + span.end) // 2
    what = f"the transcript cut short inside the time at byte {span.start}"
    try:
        track = tools.read_track(lock(subject.source.data[:middle], subject.source.lock.file), encoding=subject.encoding)
    except CaptionError:
        return Plant("g", what, "reader")
    if tools.transcript_defects is not None and tools.transcript_defects(track, subject.duration_ms):
        return Plant("g", what, "complete")
    return Plant("g", what, "lossless" if track.ledger.spans(EntryKind.UNREAD) else "")
