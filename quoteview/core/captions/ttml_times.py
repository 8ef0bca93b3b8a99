"""TTML's time expressions and how nested times add up, in exact fractions of a second.

Clock times are `hh:mm:ss`, with a fraction or with frames and sub-frames; offsets are a number with
`h`, `m`, `s`, `ms`, `f` or `t` (TTML 2, section 12.3). Frames count at `frameRate` times
`frameRateMultiplier`; ticks at `tickRate`, or where none is given at frames times sub-frames where a frame
rate is given, else one a second. On the SMPTE time base whole clock times count frames too, without
those that `dropMode` leaves out.

A child's times count from its parent's begin (`par`), or from the end of the sibling before it (`seq`).
With both `dur` and `end` the earlier one ends it, and nothing outlasts its parent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

_CLOCK = re.compile(r"(\d+):(\d\d):(\d\d)(?:\.(\d+)|[:;](\d+)(?:\.(\d+))?)?", re.ASCII)
_OFFSET = re.compile(r"(\d+(?:\.\d+)?)(h|ms|m|s|f|t)", re.ASCII)
_RATIO = re.compile(r"(\d{1,9})(?:\s+|:)(\d{1,9})", re.ASCII)
_LONGEST = 30


@dataclass(frozen=True, slots=True)
class Rates:
    """What a document says of frames and ticks."""

    frames: int = 30
    multiplier: Fraction = Fraction(1)
    sub_frames: int = 1
    ticks: Fraction = Fraction(1)
    is_smpte: bool = False
    drop: str = "nonDrop"

    def seconds(self, expression: str) -> Fraction | None:
        """Return a time expression in seconds, None where it is none."""
        if len(expression) > _LONGEST:
            return None
        clock = _CLOCK.fullmatch(expression.strip())
        if clock is not None:
            return self._clock(clock)
        offset = _OFFSET.fullmatch(expression.strip())
        if offset is None:
            return None
        count = Fraction(offset[1])
        units = {"h": Fraction(3600), "m": Fraction(60), "s": Fraction(1), "ms": Fraction(1, 1000)}
        if offset[2] in units:
            return count * units[offset[2]]
        return count / (self.frames * self.multiplier if offset[2] == "f" else self.ticks)

    def _clock(self, clock: re.Match[str]) -> Fraction | None:
        hours, minutes, seconds = int(clock[1]), int(clock[2]), int(clock[3])
        if minutes > 59 or seconds > 60:
            return None
        whole = hours * 3600 + minutes * 60 + seconds
        if clock[4] is not None:
            return whole + Fraction(int(clock[4]), 10 ** len(clock[4]))
        frames = Fraction(int(clock[5] or 0)) + Fraction(int(clock[6] or 0), self.sub_frames)
        if not self.is_smpte:
            return whole + frames / (self.frames * self.multiplier)
        counted = whole * self.frames + frames - self._dropped(hours, minutes)
        return counted / (self.frames * self.multiplier)

    def _dropped(self, hours: int, minutes: int) -> int:
        """Frame numbers left out up to a minute: two in most minutes (NTSC), four in most even ones (PAL)."""
        if self.drop == "dropNTSC":
            return (hours * 54 + minutes - minutes // 10) * 2
        if self.drop == "dropPAL":
            return (hours * 27 + minutes // 2 - minutes // 20) * 4
        return 0


def rates_of(parameters: Mapping[str, str]) -> Rates:
    """Return the rates from the root's attributes, by local name; what is not a sensible number counts as absent."""
    given = _count(parameters.get("frameRate", ""))
    frames = given or 30
    ratio = _RATIO.fullmatch(parameters.get("frameRateMultiplier", "").strip())
    multiplier = Fraction(int(ratio[1]), int(ratio[2])) if ratio and int(ratio[1]) and int(ratio[2]) else Fraction(1)
    sub_frames = _count(parameters.get("subFrameRate", "")) or 1
    ticks = Fraction(_count(parameters.get("tickRate", "")) or (frames * sub_frames if given else 1))
    is_smpte = parameters.get("timeBase", "") == "smpte"
    return Rates(frames, multiplier, sub_frames, ticks, is_smpte, parameters.get("dropMode", "nonDrop"))


def milliseconds(seconds: Fraction) -> int:
    """Return seconds as whole milliseconds, halves up."""
    return (seconds * 2000 + 1).__floor__() // 2


class Interval(NamedTuple):
    """When an element is active, in seconds from the beginning; `end` is None where nothing ends it."""

    begin: Fraction
    end: Fraction | None


def interval(parent: Interval, reference: Fraction, times: Mapping[str, Fraction], *, in_sequence: bool) -> Interval:
    """Return an element's interval from its parsed `begin`, `end` and `dur`; `reference` is where its times count from."""
    begin = reference + times.get("begin", Fraction(0))
    ends = [reference + times["end"]] if "end" in times else []
    if "dur" in times:
        ends.append(begin + times["dur"])
    if parent.end is not None and (ends or not in_sequence):
        ends.append(parent.end)
    return Interval(begin, min(ends, default=None))


def _count(raw: str) -> int:
    return int(raw) if re.fullmatch(r"\s*\d{1,12}\s*", raw, re.ASCII) else 0
