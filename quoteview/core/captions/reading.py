"""Reading a track: bytes in, `Track` out; the format is told by the content, never by the name."""

from __future__ import annotations

from quoteview.core.captions.scan import View, view_of
from quoteview.core.captions.track import Track
from quoteview.core.errors import CaptionError
from quoteview.core.locking import LockedSource

LARGEST_FILE = 64 * 1024 * 1024
"""A caption track of 100 hours with word times has about 30 MB; anything above this is something else."""


def read_track(source: LockedSource, *, encoding: str | None = None) -> Track:
    """Return the locked bytes as a track, or raise `CaptionError` with the reason, the place and the way out."""
    if not source.data:
        raise CaptionError(source.lock.file, "the file is empty", remedy="Fetch or export the track again.")
    if source.lock.size > LARGEST_FILE:
        raise CaptionError(
            source.lock.file,
            f"the file has {source.lock.size:,} bytes, more than any caption track ({LARGEST_FILE:,})",
            remedy="Choose the caption file itself; media goes in with --media.",
        )
    view = view_of(source, encoding=encoding)
    return _read(view)


def _read(view: View) -> Track:
    raise NotImplementedError
