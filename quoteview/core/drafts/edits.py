"""Edits of a draft as patches: pure functions that change what they name and no other byte.

Every edit is tried before it is returned: the patched draft is read again, and where the claims are not as intended
(a mark in the new words would end the quotation, a cut runs over a paragraph's border) a `DraftError` says so and
nothing is changed. Positions count code points of the claim's text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher

from quoteview.core.drafts.draft import Claim, ClaimKind, Draft, DraftFormat, MarkRole, Patch, TimeForm, patched
from quoteview.core.drafts.enclosing import emptied
from quoteview.core.drafts.mark_shapes import CLOSERS
from quoteview.core.drafts.reading import read_draft
from quoteview.core.drafts.source import SourceText, decode_draft
from quoteview.core.drafts.time_notation import usual_notation, written_as, written_like
from quoteview.core.drafts.timestamps import address_time, value_of
from quoteview.core.errors import DraftError
from quoteview.core.spans import ByteSpan, TextSpan

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_LONGEST_DIFFERENCE = 4000
"""Words; a longer changed stretch is replaced as a whole, since finding the smallest difference takes quadratic time."""
_ENTITY_PAIRS = {
    "&ldquo;": "&rdquo;",
    "&bdquo;": "&ldquo;",
    "&lsquo;": "&rsquo;",
    "&sbquo;": "&lsquo;",
    "&laquo;": "&raquo;",
    "&raquo;": "&laquo;",
    "&lsaquo;": "&rsaquo;",
    "&quot;": "&quot;",
    "&#34;": "&#34;",
    "&#39;": "&#39;",
    "&apos;": "&apos;",
    "&#8220;": "&#8221;",
    "&#8216;": "&#8217;",
    "&#x201c;": "&#x201d;",
    "&#x2018;": "&#x2019;",
}
_REFERENCE = re.compile(r"&(?=#?\w+;)")
_BY_HAND = "Edit the draft by hand."


def replace_text(draft: Draft, claim: Claim, new_text: str) -> tuple[Patch, ...]:
    """Return patches that make the claim's text `new_text`; only what differs changes, markup inside is kept."""
    editor = _Editor(draft, claim)
    for start, end, words in _differences(claim.text, new_text):
        editor.replace(start, end, words)
    return editor.checked(lambda after: _has_text(after, draft, claim, new_text), "the words cannot be written there")


def replace_part(draft: Draft, claim: Claim, span: TextSpan, new: str) -> tuple[Patch, ...]:
    """Return patches that put `new` for this part of the claim's text."""
    return replace_text(draft, claim, claim.text[: span.start] + new + claim.text[span.end :])


def set_time(draft: Draft, claim: Claim, start_ms: int) -> tuple[Patch, ...]:
    """Return patches that give the claim this time, in the draft's own notation.

    A time that serves this claim alone is rewritten (a range keeps its end if that still lies after the start, a link's address
    follows its text); where there is none, or others share it, ` (12:47)` is put after the closing mark.
    """
    editor = _Editor(draft, claim)
    if editor.has_time_of_its_own():
        editor.rewrite_time(start_ms)
    else:
        editor.insert(editor.end_of_claim(), " " + written_as(usual_notation(draft), start_ms))
    return editor.checked(lambda after: _has_time(after, claim, start_ms), "the time cannot be written there")


def retract(draft: Draft, claim: Claim, keep_words: bool) -> tuple[Patch, ...]:
    """Return patches that take the quote marks away (the words stay as paraphrase), or the whole span with its own time."""
    editor = _Editor(draft, claim)
    if not keep_words:
        editor.delete_claim()
    elif claim.kind is ClaimKind.BLOCK:
        editor.delete_block_notation()
    else:
        for mark in draft.marks:
            if mark.claim == claim.id and mark.role in (MarkRole.OPENS, MarkRole.CLOSES):
                editor.delete(mark.bytes.start, mark.bytes.end)
    return editor.checked(lambda after: not any(_is_same(each, claim) for each in after.claims), "the quotation stays one")


def move_mark_out(draft: Draft, claim: Claim, count: int) -> tuple[Patch, ...]:
    """Return patches that move the closing mark before the last `count` characters of the claim's text."""
    editor = _Editor(draft, claim)
    at = len(claim.text) - count
    editor.move_marks(TextSpan(0, at))
    return editor.checked(
        lambda after: _has_text(after, draft, claim, claim.text[:at].rstrip()), "the mark cannot be moved there"
    )


def narrow(draft: Draft, claim: Claim, span: TextSpan) -> tuple[Patch, ...]:
    """Return patches that move the marks inward to this run of the text; the words outside stay as the draft's own."""

    def made(with_time: bool) -> tuple[Patch, ...]:
        editor = _Editor(draft, claim)
        editor.move_marks(span)
        if with_time and claim.claimed is not None and claim.claimed.start_ms is not None:
            time = " " + written_as(usual_notation(draft), claim.claimed.start_ms)
            editor.insert_behind(span.end, time)
        wanted = claim.text[span.start : span.end]
        start_ms = None if claim.claimed is None else claim.claimed.start_ms
        return editor.checked(
            lambda after: _has_text(after, draft, claim, wanted) and (start_ms is None or _has_time(after, claim, start_ms)),
            "the marks cannot be moved there",
        )

    try:
        return made(False)
    except DraftError:
        return made(True)


def split(draft: Draft, claim: Claim, first: TextSpan, second: TextSpan, second_ms: int) -> tuple[Patch, ...]:
    """Return patches that make two quotations of one, `“a” (0:05) … “b” (1:20)`: what lies between is the cut.

    The marks are those of the claim. The first keeps the claim's time, the second gets `second_ms`; each stands beside its own.
    """
    editor = _Editor(draft, claim)
    editor.move_marks(TextSpan(first.start, second.end))
    opening, closing = editor.written_marks()
    notation = usual_notation(draft)
    claimed = claim.claimed
    first_ms = None if claimed is None else claimed.start_ms
    time = ""
    if first_ms is not None and not (claimed is not None and claimed.is_own and claimed.bytes.start < claim.outer.start):
        time = " " + written_as(notation, first_ms)
    editor.insert(editor.after_markup(first.end), closing + editor.source.encoded(time))
    editor.insert(editor.before_markup(second.start), opening)
    if claimed is not None and editor.is_right_behind(claimed.bytes):
        editor.rewrite_time(second_ms)
    else:
        editor.insert_behind(second.end, " " + written_as(notation, second_ms))
    texts = (claim.text[first.start : first.end], claim.text[second.start : second.end])
    return editor.checked(lambda after: _is_split(after, draft, claim, texts, first_ms, second_ms), "it cannot be split there")


def close_at(draft: Draft, claim: Claim, position: int) -> tuple[Patch, ...]:
    """Return patches that close an unclosed quotation after the first `position` characters of its text, at least one."""
    editor = _Editor(draft, claim)
    if not claim.pieces or position < 1:
        raise editor.impossible("nothing stands behind its opening mark", _BY_HAND)
    editor.insert(editor.after_markup(position), editor.closing_mark())
    wanted = claim.text[:position].strip()
    return editor.checked(
        lambda after: any(
            each.is_closed and each.text == wanted and each.outer.start == claim.outer.start for each in after.claims
        ),
        "the mark cannot be put there",
    )


class _Editor:
    """Collects changes of one claim, in bytes; insertions at one place keep the order they were made in."""

    def __init__(self, draft: Draft, claim: Claim) -> None:
        self.source: SourceText = decode_draft(draft.data, draft.file)
        self._draft = draft
        self._claim = claim
        self._inserted: dict[int, bytes] = {}
        self._deleted: list[ByteSpan] = []
        self._replaced: list[Patch] = []

    # Places.

    def start_of(self, position: int) -> int:
        """Return the byte where the character at a position of the claim's text begins."""
        at = 0
        for piece in self._claim.pieces:
            if position < at + len(piece.text):
                return piece.start + (self._size(piece.text[: position - at]) if piece.is_literal else 0)
            at += len(piece.text)
        return self._claim.pieces[-1].end

    def end_of(self, position: int) -> int:
        """Return the byte where the character before a position ends."""
        if position == 0:
            return self._claim.pieces[0].start
        at = 0
        for piece in self._claim.pieces:
            if position <= at + len(piece.text):
                return piece.start + self._size(piece.text[: position - at]) if piece.is_literal else piece.end
            at += len(piece.text)
        return self._claim.pieces[-1].end

    def after_markup(self, position: int) -> int:
        """Return where a closing mark goes behind the character before a position: past markup that ends there."""
        end, start = self.end_of(position), self.start_of(position)
        return start if start > end and position and self._ends_markup(position, end, start) else end

    def before_markup(self, position: int) -> int:
        """Return where an opening mark goes before the character at a position: ahead of markup that begins there."""
        end, start = self.end_of(position), self.start_of(position)
        return end if start > end and position and not self._ends_markup(position, end, start) else start

    def _ends_markup(self, position: int, start: int, end: int) -> bool:
        written = self._decoded(ByteSpan(start, end))
        if written.startswith("<"):
            return written.startswith("</")
        return not self._claim.text[position - 1].isspace() and not written.isspace()

    def end_of_claim(self) -> int:
        """Return the byte after the closing mark, or after a block's last word."""
        if self._claim.close_mark is not None:
            return self._claim.close_mark.end
        if self._claim.kind is ClaimKind.BLOCK and self._claim.pieces:
            return self._claim.pieces[-1].end
        raise self.impossible("the quotation never ends", "Close it first.")

    def close_mark(self) -> ByteSpan:
        """Return the closing mark. Raises `DraftError` for a block quotation or an unclosed one."""
        if self._claim.close_mark is None or not self._claim.pieces:
            raise self.impossible("it has no closing mark", _BY_HAND)
        return self._claim.close_mark

    def is_right_behind(self, time: ByteSpan) -> bool:
        """Whether a time stands behind the claim with nothing but spaces and brackets between."""
        if time.start < self._claim.outer.end:
            return False
        return not self._decoded(ByteSpan(self._claim.outer.end, time.start)).strip(" \u00a0([（,;:–—-")

    def has_time_of_its_own(self) -> bool:
        """Whether a time can be rewritten for this claim without touching another; a link elsewhere cannot be mended."""
        claimed = self._claim.claimed
        if claimed is None or (claimed.start_ms is None and claimed.source and not self._is_impossible(claimed.start_bytes)):
            return False
        return not any(
            other.id != self._claim.id and other.claimed is not None and other.claimed.bytes == claimed.bytes
            for other in self._draft.claims
        )

    # Changes.

    def insert(self, at: int, written: bytes | str) -> None:
        """Put text, or bytes as they are, at a place."""
        added = written if isinstance(written, bytes) else self.source.encoded(written)
        self._inserted[at] = self._inserted.get(at, b"") + added

    def insert_behind(self, position: int, written: str) -> None:
        """Put text behind the closing mark, which may just have been moved to a position."""
        is_moved = position < len(self._claim.text)
        self.insert(self.after_markup(position) if is_moved else self.end_of_claim(), written)

    def delete(self, start: int, end: int) -> None:
        """Take bytes out."""
        if end > start:
            self._deleted.append(ByteSpan(start, end))

    def replace(self, start: int, end: int, words: str) -> None:
        """Put words for characters `start` to `end` of the claim's text."""
        at, is_first = 0, True
        written = self._written(words)
        if start == end:
            self.insert(self.end_of(start) if start else self.start_of(0), written)
            return
        for index, piece in enumerate(self._claim.pieces):
            low, high = max(start, at), min(end, at + len(piece.text))
            if low < high:
                if piece.is_literal:
                    first = piece.start + self._size(piece.text[: low - at])
                    last = first + self._size(piece.text[low - at : high - at])
                    kept = ("", "")
                else:
                    first, last = piece.start, piece.end
                    kept = piece.text[: low - at], piece.text[high - at :]
                    last = self._past_line_prefix(index, last)
                text = self._written(kept[0]) + (written if is_first else "") + self._written(kept[1])
                self._replaced.append(Patch(first, last, self.source.encoded(text)))
                is_first = False
            at += len(piece.text)

    def move_marks(self, span: TextSpan) -> None:
        """Move the claim's marks inward, so that they enclose this part of its text."""
        claim, close = self._claim, self.close_mark()
        opening, closing = self.written_marks()
        if span.start > 0 and claim.open_mark is not None:
            self.delete(claim.open_mark.start, claim.open_mark.start + len(opening))
            self.insert(self.before_markup(span.start), opening)
        if span.end < len(claim.text):
            self.delete(close.end - len(closing), close.end)
            self.insert(self.after_markup(span.end), closing)

    def written_marks(self) -> tuple[bytes, bytes]:
        """Return the opening and closing mark as written, each with the white space inside it."""
        claim, data = self._claim, self._draft.data
        close = self.close_mark()
        if claim.open_mark is None:
            raise self.impossible("it has no marks", _BY_HAND)
        before = data[claim.open_mark.end : claim.pieces[0].start]
        after = data[claim.pieces[-1].end : close.start]
        opening = data[slice(*claim.open_mark)] + (before if self._is_white(before) else b"")
        closing = (after if self._is_white(after) else b"") + data[slice(*close)]
        return opening, closing

    def closing_mark(self) -> bytes:
        """Return what closes the claim's opening mark, written alike."""
        mark = self._claim.open_mark
        if mark is None or self._claim.close_mark is not None:
            raise self.impossible("it is closed already", _BY_HAND)
        written = self._decoded(mark)
        padding = self._draft.data[mark.end : self._claim.pieces[0].start] if self._claim.pieces else b""
        padding = padding if self._is_white(padding) and written in "«»‹›" else b""
        if written.startswith("<"):
            return self.source.encoded("</q>")
        if written.startswith("&"):
            return self.source.encoded(_ENTITY_PAIRS.get(written.lower(), written))
        written = written.removeprefix("\\")
        used = [
            self._decoded(other.close_mark)
            for other in self._draft.claims
            if other.open_mark is not None and other.close_mark is not None and self._decoded(other.open_mark) == written
        ]
        closing = max(CLOSERS[written], key=lambda each: (used.count(each), -CLOSERS[written].index(each)))
        return padding + self.source.encoded(closing)

    def rewrite_time(self, moment_ms: int) -> None:
        """Write another moment where the claim's time stands, in its own notation."""
        claimed = self._claim.claimed
        if claimed is None:
            raise self.impossible("it has no time", _BY_HAND)
        if claimed.form is TimeForm.LINK:
            self._rewrite_address(claimed.bytes, moment_ms)
            return
        written = written_like(self._decoded(claimed.start_bytes), moment_ms)
        keeps_end = claimed.end_ms is not None and claimed.end_ms >= moment_ms
        place = claimed.start_bytes if keeps_end else claimed.bytes
        self._replaced.append(Patch(place.start, place.end, self.source.encoded(written)))
        if claimed.address_bytes is not None and address_time(self._decoded(claimed.address_bytes)):
            self._rewrite_address(claimed.address_bytes, moment_ms)

    def _rewrite_address(self, place: ByteSpan, moment_ms: int) -> None:
        address = self._decoded(place)
        timed = address_time(address)
        if timed is None:
            raise self.impossible("its link carries no time", _BY_HAND)
        start, end, _ = timed
        low = place.start + self._size(address[:start])
        high = low + self._size(address[start:end])
        self._replaced.append(Patch(low, high, self.source.encoded(written_like(address[start:end], moment_ms))))

    def delete_claim(self) -> None:
        """Take the whole span out, with the time behind it that is its own, and one space beside it."""
        claim, text = self._claim, self.source.text
        low, high = (self.source.position_of(place) for place in claim.outer)
        time = claim.claimed
        if time is not None and time.is_own and time.form is not TimeForm.LINK and self.is_right_behind(time.bytes):
            high = self.source.position_of(time.bytes.end)
            high += text[high : high + 1] in (")", "]", "）")
        low, high = emptied(text, low, high, self._draft.format)
        if text[low - 1 : low] in ("", " ", "\n") and text[high : high + 1] == " ":
            high += 1
        self.delete(self.source.byte_of(low), self.source.byte_of(high))

    def delete_block_notation(self) -> None:
        """Make a block quotation ordinary paragraphs: its `>` or its tags go."""
        claim = self._claim
        if self._draft.format is DraftFormat.HTML or self._draft.data[claim.outer.start : claim.outer.start + 1] == b"<":
            for mark in self._draft.marks:
                if mark.claim == claim.id and mark.role in (MarkRole.OPENS, MarkRole.CLOSES):
                    self.delete(mark.bytes.start, mark.bytes.end)
            return
        start, end = self.source.position_of(claim.outer.start), self.source.position_of(claim.outer.end)
        begin = max(self.source.text.rfind("\n", 0, start), self.source.text.rfind("\r", 0, start)) + 1
        for match in re.compile(r"^(?:[ \t]|[-*+](?= )|\d+[.)])*?(>[ \t]?)", re.MULTILINE).finditer(self.source.text, begin, end):
            self.delete(self.source.byte_of(match.start(1)), self.source.byte_of(match.end(1)))

    def checked(self, holds: Callable[[Draft], bool], reason: str) -> tuple[Patch, ...]:
        """Return the patches, after the patched draft was read and found as intended."""
        patches = self._patches()
        data = patched(self._draft.data, patches, file=self._draft.file)
        if not holds(read_draft(data, self._draft.file)):
            raise self.impossible(reason, _BY_HAND)
        return patches

    def _patches(self) -> tuple[Patch, ...]:
        patches = [Patch(start, end, b"") for start, end in self._deleted] + self._replaced
        for at, written in self._inserted.items():
            patches.append(Patch(at, at, written))
        return tuple(sorted(patches))

    def impossible(self, reason: str, remedy: str) -> DraftError:
        claim = self._claim
        return DraftError(self._draft.file, f"line {claim.line}: {reason}", remedy=remedy, offset=claim.outer.start)

    def _size(self, text: str) -> int:
        return len(self.source.encoded(text))

    def _decoded(self, span: ByteSpan) -> str:
        return self.source.text[self.source.position_of(span.start) : self.source.position_of(span.end)]

    def _is_white(self, written: bytes) -> bool:
        codec = "utf-8" if self._draft.encoding.startswith("utf-8") else self._draft.encoding
        return not written.decode(codec).strip()

    def _is_impossible(self, place: ByteSpan) -> bool:
        written = self._decoded(place)
        timed = address_time(written)
        if timed is not None:
            return timed[2] is None
        try:
            return value_of(written).moment_ms is None
        except ValueError:
            return False

    def _past_line_prefix(self, index: int, end: int) -> int:
        """Return where the next line's words begin, past its `> `, where a line end is replaced in Markdown."""
        pieces = self._claim.pieces
        if self._draft.format is not DraftFormat.MARKDOWN or index + 1 >= len(pieces):
            return end
        between = self._draft.data[end : pieces[index + 1].start]
        return end + len(between) if not between.strip(b"> \t\x00") else end

    def _written(self, words: str) -> str:
        """Return words as the draft's format writes them."""
        match self._draft.format:
            case DraftFormat.HTML:
                return words.replace("&", "&amp;").replace("<", "&lt;")
            case DraftFormat.MARKDOWN:
                escaped = re.sub(r"[\\*`\[\]<]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|(?<=~)~", r"\\\g<0>", words)
                return _REFERENCE.sub("&amp;", escaped)
            case DraftFormat.PLAIN:
                return words


def _differences(old: str, new: str) -> Iterable[tuple[int, int, str]]:
    """Yield what to put for which characters of `old`, smallest changes first found by words."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    stop = 0
    while stop < min(len(before), len(after)) - start and before[-1 - stop] == after[-1 - stop]:
        stop += 1
    left, right = before[start : len(before) - stop], after[start : len(after) - stop]
    offset = sum(map(len, before[:start]))
    if len(left) > _LONGEST_DIFFERENCE or len(right) > _LONGEST_DIFFERENCE:
        yield offset, offset + sum(map(len, left)), "".join(right)
        return
    places = [offset]
    for word in left:
        places.append(places[-1] + len(word))
    for kind, low, high, new_low, new_high in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if kind != "equal":
            yield _trimmed(old, places[low], places[high], "".join(right[new_low:new_high]))


def _trimmed(old: str, start: int, end: int, words: str) -> tuple[int, int, str]:
    """Return a replacement without the characters that are the same at both ends."""
    low = 0
    while low < min(end - start, len(words)) and old[start + low] == words[low]:
        low += 1
    start, words = start + low, words[low:]
    high = 0
    while high < min(end - start, len(words)) and old[end - 1 - high] == words[-1 - high]:
        high += 1
    return start, end - high, words[: len(words) - high]


def _is_same(each: Claim, claim: Claim) -> bool:
    return each.id == claim.id and each.text == claim.text and each.kind is claim.kind and each.outer == claim.outer


def _has_text(after: Draft, before: Draft, claim: Claim, text: str) -> bool:
    """Whether the claim has this text now, and every other claim the one it had."""
    if len(after.claims) != len(before.claims):
        return False
    return all(
        new.text == (text if old.id == claim.id else old.text) for new, old in zip(after.claims, before.claims, strict=True)
    )


def _has_time(after: Draft, claim: Claim, moment_ms: int) -> bool:
    """Whether the claim's time is this one now, as exactly as its notation can say it."""
    if claim.id > len(after.claims):
        return False
    claimed = after.claims[claim.id - 1].claimed
    return claimed is not None and claimed.start_ms is not None and 0 <= moment_ms - claimed.start_ms < 1000


def _is_split(after: Draft, before: Draft, claim: Claim, texts: tuple[str, str], first_ms: int | None, second_ms: int) -> bool:
    if len(after.claims) != len(before.claims) + 1:
        return False
    first, second = after.claims[claim.id - 1], after.claims[claim.id]
    is_timed = first_ms is None or _has_time(after, first, first_ms)
    return (first.text, second.text) == texts and is_timed and _has_time(after, second, second_ms)
