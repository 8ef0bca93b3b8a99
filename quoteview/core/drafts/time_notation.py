"""Writes a time as another one in the draft is written: clock, units or a link's value, with the same padding."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from quoteview.core.drafts.draft import ClaimedTime, Draft, TimeForm
from quoteview.core.drafts.timestamps import address_time

_CLOCK = re.compile(r"(\d+):(\d\d)(:\d\d)?(?:([.,])(\d{1,3}))?\Z", re.ASCII)
_UNITS = re.compile(r"(\d+h)?(\d+m)?(\d+(?:\.\d+)?(s?))?\Z", re.ASCII)
_BRACKETS = {"(": ")", "[": "]", "（": "）", "［": "］", "【": "】"}


class Notation(NamedTuple):
    """How a draft sets its times off: the brackets around them, and one of them as a pattern."""

    opening: str
    closing: str
    sample: str
    address: str


def written_like(sample: str, moment_ms: int) -> str:
    """Return a moment in the notation of `sample` (a clock time, units, or a plain number of seconds).

    Whole seconds are the second the moment lies in; a fraction is kept to as many digits as the sample has. A
    two-part clock time grows an hour where it must, unless the sample counts minutes beyond 59. Like a sample that is no
    time (`0:00:`, a fourth part) it is written as a plain clock time.
    """
    clock = _CLOCK.match(sample)
    if clock:
        return _clock(clock, moment_ms)
    units = _UNITS.match(sample)
    if units is None:
        return written_like("0:00", moment_ms)
    return _units(units, moment_ms)


def usual_notation(draft: Draft) -> Notation:
    """Return the notation that most of the draft's times have; `(12:34)` where it has none."""
    counted: Counter[Notation] = Counter()
    for claim in draft.claims:
        if claim.claimed is not None:
            notation = _notation(draft, claim.claimed)
            counted[notation._replace(sample=_shape(notation.sample), address="")] += 1
    if not counted:
        return Notation("(", ")", "0:00", "")
    best = counted.most_common(1)[0][0]
    for claim in draft.claims:
        if claim.claimed is not None:
            notation = _notation(draft, claim.claimed)
            if notation._replace(sample=_shape(notation.sample), address="") == best:
                return notation
    return best


def written_as(notation: Notation, moment_ms: int) -> str:
    """Return a moment with its brackets, as `notation` has it."""
    if not notation.address:
        return f"{notation.opening}{written_like(notation.sample, moment_ms)}{notation.closing}"
    timed = address_time(notation.address)
    if timed is None:
        raise ValueError(f"no time in {notation.address!r}")
    value = written_like(notation.address[timed[0] : timed[1]], moment_ms)
    return f"{notation.opening}{notation.address[: timed[0]]}{value}{notation.address[timed[1] :]}{notation.closing}"


def _notation(draft: Draft, claimed: ClaimedTime) -> Notation:
    codec = "utf-8" if draft.encoding.startswith("utf-8") else draft.encoding
    before = draft.data[max(0, claimed.bytes.start - 8) : claimed.bytes.start].decode(codec, "ignore")
    after = draft.data[claimed.bytes.end : claimed.bytes.end + 4].decode(codec, "ignore")
    before = before[:-1] if after.startswith("](") else before
    opening = before[-1:] if before[-1:] in _BRACKETS else "("
    if claimed.form is TimeForm.LINK:
        stands_in_text = before.endswith(("(", "[", " ")) and not before.endswith("](")
        if stands_in_text and address_time(claimed.source):
            return Notation(opening, _BRACKETS[opening], "754", claimed.source)
        return Notation("(", ")", "0:00", "")
    return Notation(opening, _BRACKETS[opening], draft.data[slice(*claimed.start_bytes)].decode(codec), "")


def _shape(sample: str) -> str:
    """Return what is alike in times that are written alike: the digits' places, not how many lead."""
    return re.sub(r"^\d+", "0", re.sub(r"(?<=\D)\d", "0", sample))


def _clock(sample: re.Match[str], moment_ms: int) -> str:
    first, _, third, sign, fraction = sample.groups()
    seconds, rest = divmod(moment_ms, 1000)
    end = f"{sign}{rest:03d}"[: len(fraction) + 1] if fraction else ""
    counts_minutes = third is None and int(first) > 59
    if third is not None or (seconds >= 3600 and not counts_minutes):
        width = len(first) if third is not None else 1
        return f"{seconds // 3600:0{width}d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{end}"
    width = len(first) if first.startswith("0") else 1
    return f"{seconds // 60:0{width}d}:{seconds % 60:02d}{end}"


def _units(sample: re.Match[str], moment_ms: int) -> str:
    hours, minutes, last, letter = sample.groups()
    seconds = moment_ms // 1000
    if hours is None and minutes is None:
        return f"{seconds}{letter}"
    width = len(last) - len(letter) if last is not None and last.startswith("0") else 1
    if hours is None and (int(minutes[:-1]) > 59 or seconds < 3600):
        whole = f"{seconds // 60}m"
    else:
        whole = f"{seconds // 3600}h{seconds // 60 % 60}m" if seconds >= 3600 or hours is not None else f"{seconds // 60}m"
    is_bare = last is None and seconds % 60 == 0
    return whole if is_bare else f"{whole}{seconds % 60:0{width}d}{letter if last is not None else 's'}"
