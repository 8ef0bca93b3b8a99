"""TTML's time expressions, read once more for the audit: clock times, frames, ticks and offsets, in exact seconds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

_EXPRESSION = re.compile(
    r"\s*(?:(?P<h>\d+):(?P<m>\d\d):(?P<s>\d\d)(?:\.(?P<part>\d+)|[:;](?P<frames>\d+)(?:\.(?P<sub>\d+))?)?"
    r"|(?P<count>\d+(?:\.\d+)?)(?P<unit>ms|[hmsft]))\s*",
    re.ASCII,
)
_SECONDS = {"h": Fraction(3600), "m": Fraction(60), "s": Fraction(1), "ms": Fraction(1, 1000)}
_LONGEST = 30


class Clock:
    """How the root element's parameters make seconds of frames and ticks (TTML 2, sections 7.2 and 12.3)."""

    def __init__(self, parameters: Mapping[str, str]) -> None:
        """Take the root's attributes by local name."""
        declared = _whole(parameters.get("frameRate"))
        multiplier = re.fullmatch(
            r"\s*([1-9]\d{0,8})[\s:]+([1-9]\d{0,8})\s*", parameters.get("frameRateMultiplier", ""), re.ASCII
        )
        self._nominal = declared or 30
        self._rate = self._nominal * (Fraction(int(multiplier[1]), int(multiplier[2])) if multiplier else Fraction(1))
        self._sub = _whole(parameters.get("subFrameRate")) or 1
        self._ticks = _whole(parameters.get("tickRate")) or (self._nominal * self._sub if declared else 1)
        self._counts_frames = parameters.get("timeBase") == "smpte"
        self._drop = parameters.get("dropMode", "")

    def seconds(self, expression: str) -> Fraction | None:
        """Return a time expression in seconds, None where it is none."""
        found = _EXPRESSION.fullmatch(expression) if len(expression) <= _LONGEST else None
        if found is None:
            return None
        unit = found["unit"]
        if unit is not None:
            count = Fraction(found["count"])
            if unit in _SECONDS:
                return count * _SECONDS[unit]
            return count / (self._rate if unit == "f" else Fraction(self._ticks))
        hours, minutes, seconds = int(found["h"]), int(found["m"]), int(found["s"])
        if minutes > 59 or seconds > 60:
            return None
        whole = hours * 3600 + minutes * 60 + seconds
        if found["part"] is not None:
            scale = 10 ** len(found["part"])
            return Fraction(whole * scale + int(found["part"]), scale)
        frames = int(found["frames"] or 0) + Fraction(int(found["sub"] or 0), self._sub)
        if not self._counts_frames:
            return whole + frames / self._rate
        return (whole * self._nominal + frames - self._left_out(hours * 60 + minutes)) / self._rate

    def _left_out(self, minutes: int) -> int:
        """Frame numbers that drop-frame counting leaves out up to a minute."""
        match self._drop:
            case "dropNTSC":
                return 2 * (minutes - minutes // 10)
            case "dropPAL":
                return 4 * (minutes // 2 - minutes // 20)
        return 0


def _whole(raw: str | None) -> int:
    return int(raw) if raw is not None and re.fullmatch(r"\s*\d{1,12}\s*", raw, re.ASCII) else 0
