"""Whether a transcript looks cut off: the transcript's half of the `complete` gate, and what an acknowledgement is bound to.

A transcript is whole when its last cue ends within a minute or 2 % of the recording's end (where its length is
known), without a hole longer than ten minutes. The time before the first cue counts as a hole like any other.
An acknowledgement of a draft is bound to its last 200 characters and to the kinds of defects that were seen.
"""

from __future__ import annotations

import hashlib

from quoteview.core.acts import canonical
from quoteview.core.captions.track import Track
from quoteview.core.drafts.draft import Draft

LONGEST_HOLE_MS = 600_000
END_MS = 60_000
END_SHARE = 50
"""One part in this many (2 %) of the recording's length may lie between the last cue and the end."""

TAIL = 200
"""How many of a draft's last characters an acknowledgement is bound to."""


def transcript_defects(track: Track, duration_ms: int | None) -> tuple[str, ...]:
    """Return the ways in which a transcript looks cut off; `duration_ms` is the recording's length, None where unknown."""
    spoken = sorted((cue.time.start_ms, max(cue.time.start_ms, cue.time.end_ms)) for cue in track.cues if cue.runs)
    if not spoken:
        return ("The transcript holds no words.",)
    defects: list[str] = []
    reached = 0
    for start_ms, end_ms in spoken:
        if start_ms - reached > LONGEST_HOLE_MS:
            defects.append(f"Nothing stands between {clock(reached)} and {clock(start_ms)}.")
        reached = max(reached, end_ms)
    if duration_ms is not None:
        allowed = max(END_MS, duration_ms // END_SHARE)
        if duration_ms - reached > allowed:
            defects.append(f"The transcript ends at {clock(reached)}, the recording at {clock(duration_ms)}.")
        elif reached - duration_ms > allowed:
            defects.append(f"The transcript runs to {clock(reached)}, beyond the recording's end at {clock(duration_ms)}.")
    return tuple(defects)


def draft_seen(draft: Draft, path: str) -> str:
    """Return the digest that an acknowledgement of a draft's defects is bound to."""
    tail = draft.data.decode(draft.encoding)[-TAIL:]
    return _digest(["draft", path, tail, sorted({defect.reason for defect in draft.defects})])


def transcript_seen(track: Track, defects: tuple[str, ...]) -> str:
    """Return the digest that an acknowledgement of a transcript's defects is bound to."""
    return _digest(["transcript", track.source.lock.sha256, list(defects)])


def clock(ms: int) -> str:
    """Return a moment as `1:02:03`."""
    return f"{ms // 3_600_000}:{ms // 60_000 % 60:02}:{ms // 1_000 % 60:02}"


def _digest(value: list[object]) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()
