"""Which file of a source is its recording: one small file with sound, as the source offers it, never joined or re-encoded.

It is a pure function of the information that yt-dlp's extractor returns.

- Only whole files count (http, https): what comes in pieces (HLS, DASH) would have to be joined, which needs ffmpeg.
- The language that was recorded comes first, where the source tells it from dubbed ones.
- Audio: the smallest that carries speech well (64 kbit/s), else the best below; where sound is not offered alone,
  the smallest video with sound.
- Video: the smallest with sound that is at least 240 lines high, else the highest below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

_SPEECH_KBIT = 64.0
_LINES = 240
_AUDIO_ENDINGS = frozenset({"m4a", "mp3", "aac", "ogg", "oga", "opus", "flac", "wav", "weba", "mka"})
_IN_PIECES = "the recording is offered in pieces only (HLS or DASH), which would have to be joined with ffmpeg"
_APART = "picture and sound are offered apart only, which would have to be joined with ffmpeg"


class MediaKind(StrEnum):
    """What is asked for of a recording."""

    AUDIO = "audio"
    VIDEO = "video"


@dataclass(frozen=True, slots=True)
class Recording:
    """One file of the recording. `kind` is what it really is; `size` in bytes, None where the source does not say, and only
    about where `is_size_about`. `name` is the source's word for this format."""

    kind: MediaKind
    ext: str
    name: str
    size: int | None
    is_size_about: bool
    address: str
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Recordings:
    """What a source offers of its recording: for each kind that can be asked for, the file to fetch, or why there is none."""

    audio: Recording | None = None
    video: Recording | None = None
    no_audio: str = "the source offers no recording"
    no_video: str = "the source offers no recording"

    def of(self, kind: MediaKind) -> Recording | None:
        """Return the file for a kind, None where there is none."""
        return self.audio if kind is MediaKind.AUDIO else self.video

    def absence(self, kind: MediaKind) -> str:
        """Return why there is no file for a kind."""
        return self.no_audio if kind is MediaKind.AUDIO else self.no_video


NO_RECORDINGS = Recordings()
"""Those of a source that offers none."""


@dataclass(frozen=True, slots=True)
class _Format:
    values: Mapping[str, object]
    has_sound: bool
    has_picture: bool
    ext: str


def recordings_of(facts: Mapping[str, object]) -> Recordings:
    """Return which files of a source are its recording."""
    if facts.get("is_live") is True:
        live = "it is being sent just now; its recording can be fetched when it is over"
        return Recordings(no_audio=live, no_video=live)
    listed = list(_listed(facts))
    whole = [one for one in map(_format, listed) if one is not None]
    if not whole:
        absence = _absence(listed)
        return Recordings(no_audio=absence, no_video=absence)
    spoken = (
        max(_amount(one.values, "language_preference") or 0.0 for one in whole if one.has_sound) if _any_sound(whole) else 0.0
    )
    heard = [one for one in whole if one.has_sound and (_amount(one.values, "language_preference") or 0.0) == spoken]
    both = [one for one in heard if one.has_picture]
    alone = [one for one in heard if not one.has_picture]
    audio = _quiet_enough(alone) or _small_enough(both)
    video = _small_enough(both)
    return Recordings(
        _recording(audio, MediaKind.AUDIO if audio in alone else MediaKind.VIDEO) if audio is not None else None,
        _recording(video, MediaKind.VIDEO) if video is not None else None,
        "the source offers no sound",
        _APART if any(one.has_picture for one in whole) else "the source offers sound only; ask for the audio",
    )


def _listed(facts: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Yield the formats, the worst first, as the library orders them; a source of one file is its own format."""
    formats = facts.get("formats")
    if isinstance(formats, Sequence) and formats:
        yield from (one for one in formats if isinstance(one, Mapping))
    elif isinstance(facts.get("url"), str) and facts.get("_type", "video") == "video":
        yield facts


def _format(values: Mapping[str, object]) -> _Format | None:
    address, ext = _word(values, "url"), _ending(values)
    protocol = _word(values, "protocol") or address.partition(":")[0]
    has_sound, has_picture = values.get("acodec") != "none", values.get("vcodec") != "none" and ext not in _AUDIO_ENDINGS
    if protocol not in ("http", "https") or values.get("has_drm") or ext == "mhtml" or not (has_sound or has_picture):
        return None
    if re.search(r"\.(?:m3u8|mpd)(?:[?#]|$)", address):
        return None
    return _Format(values, has_sound, has_picture, ext)


def _absence(listed: Sequence[Mapping[str, object]]) -> str:
    files = [one for one in listed if _word(one, "ext") != "mhtml"]
    if files and all(one.get("has_drm") for one in files):
        return "the recording is protected (DRM)"
    return _IN_PIECES if files else "the source offers no recording"


def _any_sound(formats: Sequence[_Format]) -> bool:
    return any(one.has_sound for one in formats)


def _quiet_enough(formats: Sequence[_Format]) -> _Format | None:
    """Return the smallest sound that carries speech, else the best; formats of no known rate count as the library orders them."""
    known = [(rate, one) for one in formats if (rate := _amount(one.values, "abr") or _amount(one.values, "tbr"))]
    enough = [pair for pair in known if pair[0] >= _SPEECH_KBIT]
    if enough:
        return min(enough, key=lambda pair: pair[0])[1]
    return max(known, key=lambda pair: pair[0])[1] if known else (formats[-1] if formats else None)


def _small_enough(formats: Sequence[_Format]) -> _Format | None:
    known = [(height, one) for one in formats if (height := _amount(one.values, "height"))]
    enough = [pair for pair in known if pair[0] >= _LINES]
    if enough:
        return min(enough, key=lambda pair: (pair[0], _amount(pair[1].values, "tbr") or 0.0))[1]
    return max(known, key=lambda pair: pair[0])[1] if known else (formats[0] if formats else None)


def _recording(one: _Format, kind: MediaKind) -> Recording:
    exact, about = _amount(one.values, "filesize"), _amount(one.values, "filesize_approx")
    size = exact or about
    return Recording(
        kind,
        one.ext,
        _word(one.values, "format_id") or one.ext,
        round(size) if size else None,
        is_size_about=not exact,
        address=_word(one.values, "url"),
        values=one.values,
    )


def _ending(values: Mapping[str, object]) -> str:
    """Return a file's ending in letters and digits: it becomes part of a name in the job."""
    ending = re.sub(r"[^a-z0-9]+", "", _word(values, "ext").lower())[:8]
    return "bin" if ending in ("", "unknownvideo"[:8]) else ending


def _amount(values: Mapping[str, object], key: str) -> float | None:
    value = values.get(key)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _word(values: Mapping[str, object], key: str) -> str:
    value = values.get(key)
    return value if isinstance(value, str) else ""
