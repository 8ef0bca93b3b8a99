"""What tests are built from: tracks, references and claims from visible bytes and a few words."""

from __future__ import annotations

from quoteview.core.captions.reading import read_track
from quoteview.core.captions.track import Track
from quoteview.core.drafts.draft import Claim, ClaimedTime, ClaimKind, ClaimPiece, TimeForm
from quoteview.core.locking import lock
from quoteview.core.reference import Reference
from quoteview.core.spans import ByteSpan


def vtt(data: bytes, *, file: str = "human.en.vtt") -> Track:
    """Return a track read from bytes; those that lack the header of WebVTT are given it."""
    return read_track(lock(data if data.startswith(b"WEBVTT") else b"WEBVTT\n\n" + data, file))


def track(data: bytes, *, file: str = "human.en.srt", encoding: str | None = None) -> Track:
    """Return a track read from bytes as they are, in whatever format they are."""
    return read_track(lock(data, file), encoding=encoding)


def reference(data: bytes, *, track_id: str = "en.human") -> Reference:
    """Return the reference text of WebVTT cues."""
    return Reference(vtt(data), track_id)


def cues(*texts: str, start_ms: int = 1_000, length_ms: int = 2_000) -> bytes:
    """Return WebVTT cues that follow each other without a pause, the first at `start_ms`."""
    blocks = []
    for number, text in enumerate(texts):
        start = start_ms + number * length_ms
        blocks.append(f"{_clock(start)} --> {_clock(start + length_ms)}\n{text}\n\n")
    return "".join(blocks).encode()


def claim(
    text: str,
    start_ms: int | None = 1_000,
    *,
    end_ms: int | None = None,
    id: int = 1,
    is_closed: bool = True,
    has_time: bool = True,
) -> Claim:
    """Return a claim between marks at byte 1 of a draft. `start_ms` None is an impossible time; `has_time` False is none."""
    size = len(text.encode())
    outer = ByteSpan(0, size + 2)
    after = ByteSpan(outer.end + 1, outer.end + 7)
    return Claim(
        id=id,
        kind=ClaimKind.MARKS,
        text=text,
        pieces=(ClaimPiece(text, 1, size + 1, True),),
        outer=outer,
        open_mark=ByteSpan(0, 1),
        close_mark=ByteSpan(size + 1, size + 2) if is_closed else None,
        is_closed=is_closed,
        line=1,
        column=1,
        claimed=ClaimedTime(start_ms, end_ms, after, after, TimeForm.CLOCK, "", True) if has_time else None,
        before="",
        after="",
    )


def _clock(ms: int) -> str:
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1_000 % 60:02}.{ms % 1_000:03}"
