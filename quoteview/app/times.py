"""Times as the window writes them."""

from __future__ import annotations


def clock(moment_ms: int, *, thousandths: bool = False, tenths: bool = False) -> str:
    """Return a moment as `6:32`, `12:34` or `1:02:03`; with a fraction on request. A negative one has a minus sign."""
    sign, moment_ms = ("−", -moment_ms) if moment_ms < 0 else ("", moment_ms)
    seconds, rest = divmod(moment_ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{rest:03}" if thousandths else (f".{rest // 100}" if tenths else "")
    head = f"{hours}:{minutes:02}" if hours else f"{minutes}"
    return f"{sign}{head}:{seconds:02}{fraction}"


def duration(length_ms: int) -> str:
    """Return a length as `0.3 s`, `48 s` or `12 min 5 s`."""
    if length_ms < 10_000:
        return f"{length_ms / 1000:.1f} s"
    minutes, seconds = divmod(round(length_ms / 1000), 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
