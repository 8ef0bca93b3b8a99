"""Half-open spans, one type for each space that is counted in, so that bytes and characters never mix.

`ByteSpan` counts bytes of one file, `TextSpan` code points of one string, `TimeSpan` whole
milliseconds of one recording. Qt's UTF-16 positions live in `quoteview.app.text_positions` alone.
"""

from __future__ import annotations

from typing import NamedTuple


class ByteSpan(NamedTuple):
    """Bytes `start` up to, not including, `end` of one file."""

    start: int
    end: int


class TextSpan(NamedTuple):
    """Code points `start` up to, not including, `end` of one string."""

    start: int
    end: int


class TimeSpan(NamedTuple):
    """A closed interval of the recording in whole milliseconds; `start_ms` may be negative in a faulty file."""

    start_ms: int
    end_ms: int

    def distance_ms(self, moment_ms: int) -> int:
        """Return moment minus the interval's nearest end: negative before it, positive after, 0 inside."""
        if moment_ms < self.start_ms:
            return moment_ms - self.start_ms
        if moment_ms > self.end_ms:
            return moment_ms - self.end_ms
        return 0
