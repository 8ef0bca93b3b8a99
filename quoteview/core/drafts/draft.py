"""A draft, its claims and its quote marks, each mapped to the draft's own bytes; and edits as patches.

All byte offsets count bytes of the draft's file (for a packed format such as docx: bytes of the named
part). The claim's text is what a reader of the draft sees; every one of its characters maps back to
bytes. An edit is a pure function from a draft's bytes and a patch to new bytes in which no other byte
differs; the new bytes are read again from the start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from quoteview.core.errors import DraftError
from quoteview.core.spans import ByteSpan


class DraftFormat(StrEnum):
    """The formats of drafts; by content and the name's ending."""

    PLAIN = "text"
    MARKDOWN = "markdown"
    HTML = "html"


class MarkRole(StrEnum):
    """What a quote mark, block quotation or `q` of a draft is doing."""

    OPENS = "opens"
    CLOSES = "closes"
    INSIDE = "inside"
    APOSTROPHE = "apostrophe"
    PRIME = "prime"
    CODE = "code"
    COMMENT = "comment"
    METADATA = "metadata"
    MARKUP = "markup"


class Mark(NamedTuple):
    """One quote mark, block quotation or `q` tag. `role` None closes the `quotes` gate. `claim` is the claim's id."""

    bytes: ByteSpan
    role: MarkRole | None
    claim: int | None
    part: str = ""


class ClaimPiece(NamedTuple):
    """Code points of a claim's text and the draft bytes they come from; `is_literal` says they are UTF-8 of them.

    A piece that is not literal (an entity, an escape, a soft line end that reads as one space) maps as a whole.
    """

    text: str
    start: int
    end: int
    is_literal: bool
    part: str = ""


class TimeForm(StrEnum):
    """How a timestamp is written, so that a corrected one is written alike."""

    CLOCK = "clock"
    UNITS = "units"
    LINK = "link"


class ClaimedTime(NamedTuple):
    """A timestamp of the draft. `start_ms` None says it is impossible (`1:75`); the claim is then untimed.

    `bytes` is the whole notation, `start_bytes` the part that gives the start. `source` is the link's
    address where it is a link, else "". `is_own` says that it adjoins this claim, so that correcting it
    touches no other. `address_bytes` is where the link's address stands, if the time is a link or in one's text.
    """

    start_ms: int | None
    end_ms: int | None
    bytes: ByteSpan
    start_bytes: ByteSpan
    form: TimeForm
    source: str
    is_own: bool
    part: str = ""
    address_bytes: ByteSpan | None = None


class ClaimKind(StrEnum):
    """Whether quote marks (or a `q`) or a block quotation make the claim."""

    MARKS = "marks"
    BLOCK = "block"


class _Moved:
    """What a claim was read as and how many bytes further on it stands: its places are worked out when they are asked for.

    A key typed at the head of a long draft moves a thousand claims, and a view looks at a dozen of them.
    """

    __slots__ = ("_by", "_read")
    _read: Claim | None
    _by: int

    if not TYPE_CHECKING:  # a slot that is not filled yet; of any other name there is nothing

        def __getattr__(self, name: str) -> Any:
            if name not in _MOVING or self._read is None:
                raise AttributeError(f"{type(self).__name__} has no {name}")
            value = getattr(self._read, name)
            if value is not None and (move := _MOVING[name]) is not None:
                value = move(value, self._by)
            object.__setattr__(self, name, value)
            return value


@dataclass(frozen=True, slots=True)
class Claim(_Moved):
    """A quoted span of the draft.

    `id` counts claims from 1 in the draft's order. `bytes` are the draft's ranges without the marks and
    without markup inside. `outer` runs from the opening mark's first byte to the closing mark's last.
    `line` and `column` are 1-based; the column counts characters. `before` and `after` are up to 32
    characters of the draft's visible text each side, other claims' text left out. `notes` are sentences
    for a person (an impossible time, a link to another recording).
    """

    id: int
    kind: ClaimKind
    text: str
    pieces: tuple[ClaimPiece, ...]
    outer: ByteSpan
    open_mark: ByteSpan | None
    close_mark: ByteSpan | None
    is_closed: bool
    line: int
    column: int
    claimed: ClaimedTime | None
    before: str
    after: str
    notes: tuple[str, ...] = ()
    part: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_read", None)

    @property
    def claimed_ms(self) -> int | None:
        """When the claimed time starts, None without a time or with an impossible one."""
        claimed = (self._read or self).claimed
        return claimed.start_ms if claimed is not None else None

    @property
    def has_own_time(self) -> bool:
        """Whether a time adjoins this claim."""
        claimed = (self._read or self).claimed
        return claimed is not None and claimed.is_own

    @property
    def bytes(self) -> tuple[ByteSpan, ...]:
        """The draft's byte ranges of the text, neighbours merged, in order."""
        merged: list[ByteSpan] = []
        for piece in self.pieces:
            if merged and merged[-1].end == piece.start:
                merged[-1] = ByteSpan(merged[-1].start, piece.end)
            elif piece.end > piece.start:
                merged.append(ByteSpan(piece.start, piece.end))
        return tuple(merged)

    @property
    def has_word(self) -> bool:
        """Whether the text has a letter or digit; without one a claim is never exact."""
        return any(character.isalnum() for character in self.text)


def moved_claim(claim: Claim, by: int, id: int, line: int) -> Claim:
    """Return a claim that stands `by` bytes further on, with another id and line; nothing else of it differs."""
    moved: Claim = object.__new__(Claim)
    read = claim._read
    fill = object.__setattr__
    fill(moved, "_read", read or claim)
    fill(moved, "_by", by + claim._by if read is not None else by)
    fill(moved, "id", id)
    fill(moved, "line", line)
    fill(moved, "text", claim.text)
    return moved


def moved_span(span: ByteSpan, by: int) -> ByteSpan:
    """Return a span that stands `by` bytes further on."""
    return ByteSpan(span.start + by, span.end + by)


def _moved_pieces(pieces: tuple[ClaimPiece, ...], by: int) -> tuple[ClaimPiece, ...]:
    return tuple(piece._replace(start=piece.start + by, end=piece.end + by) for piece in pieces)


def _moved_time(claimed: ClaimedTime, by: int) -> ClaimedTime:
    return claimed._replace(
        bytes=moved_span(claimed.bytes, by),
        start_bytes=moved_span(claimed.start_bytes, by),
        address_bytes=moved_span(claimed.address_bytes, by) if claimed.address_bytes is not None else None,
    )


_MOVING: dict[str, Callable[[Any, int], object] | None] = {
    **dict.fromkeys(("kind", "is_closed", "column", "before", "after", "notes", "part")),
    **dict.fromkeys(("outer", "open_mark", "close_mark"), moved_span),
    "pieces": _moved_pieces,
    "claimed": _moved_time,
}
"""What is worked out of a moved claim when it is asked for, and how; None is as it was read."""


class Completeness(NamedTuple):
    """One way in which a draft looks cut off: what, and the 1-based line."""

    reason: str
    line: int


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft as read: its bytes, claims and marks in the order of the file.

    `file` is the name for messages and JSON. `sha256` is of `data`. `encoding` is a Python codec name
    (drafts are UTF-8, with or without a mark, or carry a UTF-16 mark). `visible` is the text a reader sees, for the
    `complete` gate and for search; `defects` are the ways in which the draft looks cut off.
    """

    file: str
    format: DraftFormat
    data: bytes
    sha256: str
    encoding: str
    claims: tuple[Claim, ...]
    marks: tuple[Mark, ...]
    defects: tuple[Completeness, ...]


class Patch(NamedTuple):
    """Replace bytes `start` to `end` of the draft by `replacement`."""

    start: int
    end: int
    replacement: bytes


def patched(data: bytes, patches: Sequence[Patch], *, file: str = "") -> bytes:
    """Return data with the patches applied; every byte outside them is unchanged. Raises `DraftError` where two overlap."""
    parts: list[bytes] = []
    at = 0
    for patch in sorted(patches):
        if patch.start < at or patch.end < patch.start or patch.end > len(data):
            raise DraftError(
                file, "two changes of the draft overlap", remedy="Make them one after the other.", offset=patch.start
            )
        parts += [data[at : patch.start], patch.replacement]
        at = patch.end
    parts.append(data[at:])
    return b"".join(parts)
