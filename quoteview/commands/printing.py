"""Text output for people: times, verdicts and gates, one finding a line with its place in the draft."""

from __future__ import annotations


def clock(ms: int) -> str:
    """Return milliseconds as `0:12:34.500`, negative ones with a sign."""
    sign, ms = ("-", -ms) if ms < 0 else ("", ms)
    seconds, rest = divmod(ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours}:{minutes:02}:{seconds:02}.{rest:03}"
