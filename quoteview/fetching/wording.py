"""What went wrong at a source, in a sentence of ours with yt-dlp's own words below; secrets of the settings are struck out.

yt-dlp tells most of it in English prose alone, so its words are known by patterns; HTTP's own status comes first.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from quoteview.core.errors import Cancelled, FetchError, QuoteviewError


class Throttled(Exception):
    """A 429; `seconds` is what `Retry-After` says, None where it says nothing."""

    def __init__(self, seconds: float | None, detail: str) -> None:
        super().__init__(detail)
        self.seconds = seconds
        self.detail = detail


@contextmanager
def errors_in_words(address: str, said: Sequence[str], secrets: Sequence[str] = ()) -> Iterator[None]:
    """Turn what yt-dlp raises into `FetchError` with a sentence of ours and its own words below, and a 429 into `Throttled`.

    `secrets` are texts of the settings that stand in no message, since messages are shown and recorded.
    """
    from yt_dlp.networking.exceptions import HTTPError, RequestError
    from yt_dlp.utils import DownloadCancelled, YoutubeDLError

    try:
        yield
    except QuoteviewError:
        raise
    except DownloadCancelled as error:
        raise Cancelled from error
    except (YoutubeDLError, RequestError, OSError) as error:
        cause = _http_error(error, HTTPError)
        detail = without(plain(str(error)) or (said[-1] if said else ""), secrets)
        if cause is not None and getattr(cause, "status", 0) == 429:
            raise Throttled(_retry_after(cause), detail) from error
        reason, remedy, is_passing = _in_words(detail, getattr(cause, "status", 0))
        raise FetchError(address, reason, remedy=remedy, detail=detail, is_passing=is_passing) from error


class _Sentence(NamedTuple):
    """What yt-dlp's words are known by, and what they mean for an editor."""

    pattern: str
    reason: str
    remedy: str
    is_passing: bool = False


_LATER = "Try again later."
THROTTLED = "the server asks to wait (429)"
_TOO_LATE = "the server did not answer in time"
_NO_NETWORK = "there is no network, or no such server"
_NO_CONNECTION = "the connection failed"
OF_THE_SERVER = frozenset({THROTTLED, _TOO_LATE, _NO_NETWORK, _NO_CONNECTION})
"""Reasons that hold for everything that the server has: it is of no use, and not decent, to ask for another file then."""

_SENTENCES = (
    _Sentence(r"did not get any data", "the server sent an empty body", _LATER, True),
    _Sentence(
        r"cookies? database|load cookies|decrypt|keyring|cookies? file",
        "the cookies cannot be read",
        "Choose another browser or file in the settings.",
    ),
    _Sentence(r"drm", "it is protected (DRM)", "Bring a caption file of it."),
    _Sentence(r"ffmpeg", "it would need ffmpeg, which is not there", "Install ffmpeg, or bring a file of it."),
    _Sentence(
        r"sign in|log ?in|cookies|registered users|account", "it wants a sign-in", "Give cookies of your browser in the settings."
    ),
    _Sentence(
        r"not available (?:in|from) your (?:country|location)|geo.?restrict",
        "it is not shown in this region",
        "Use a proxy elsewhere.",
    ),
    _Sentence(r"private", "it is private", "Ask its owner, or give cookies of an account that may see it."),
    _Sentence(
        r"removed|terminated|no longer available|does not exist|unavailable", "it is not there any more", "Check the link."
    ),
    _Sentence(
        r"unsupported url|no suitable|is not a valid url", "this link is of no site that is known", "Give the video's own link."
    ),
    _Sentence(r"live event will begin|premieres|upcoming", "it has not been shown yet", "Try again after it was shown.", True),
    _Sentence(r"timed? ?out", _TOO_LATE, _LATER, True),
    _Sentence(
        r"name resolution|getaddrinfo|name or service|network is unreachable|nodename",
        _NO_NETWORK,
        "Everything but fetching works without a network.",
        True,
    ),
    _Sentence(r"redirect", "the server sends in circles, or to a place that is not allowed", "Check the link."),
    _Sentence(
        r"too short|incomplete|bytes read|more expected|expected \d+ bytes", "the answer was cut short", "Try again.", True
    ),
    _Sentence(r"decompress|gzip|deflate", "the answer cannot be unpacked", "Try again.", True),
    _Sentence(r"certificate", "the server's certificate does not hold", "Check the clock and the proxy."),
    _Sentence(r"refused|reset|closed|remote end|connection", _NO_CONNECTION, _LATER, True),
    _Sentence(
        r"unable to extract|unable to download json|nsig|player",
        "yt-dlp does not understand the site any more",
        "Install a newer yt-dlp.",
    ),
)


def _in_words(detail: str, status: int) -> tuple[str, str, bool]:
    if not status and (told := re.search(r"HTTP Error (\d{3})", detail)):
        status = int(told[1])  # after its last try the library keeps the words alone
    if 300 <= status < 400:
        return "the server sends in circles, or to a place that is not allowed", "Check the link.", False
    if status == 403:
        return "the server refuses to give it (403)", "Give cookies of your browser in the settings, or try again later.", False
    if status in (404, 410):
        return f"it is not there any more ({status})", "Look for changes at the source.", False
    if status >= 500:
        return f"the server failed ({status})", "Try again later.", True
    if status >= 400:
        return f"the server refused ({status})", "Check the link.", False
    for sentence in _SENTENCES:
        if re.search(sentence.pattern, detail, re.IGNORECASE):
            return sentence.reason, sentence.remedy, sentence.is_passing
    return "it could not be fetched", "See what yt-dlp says below.", False


def _http_error(error: BaseException, kind: type[BaseException]) -> BaseException | None:
    """Return the HTTP error at the bottom of an exception, None without one."""
    seen: set[int] = set()
    found: BaseException | None = error
    while found is not None and id(found) not in seen:
        if isinstance(found, kind):
            return found
        seen.add(id(found))
        wrapped = getattr(found, "exc_info", None)
        inner = wrapped[1] if isinstance(wrapped, tuple) and len(wrapped) > 1 else None
        found = getattr(found, "cause", None) or found.__cause__ or found.__context__ or inner
    return None


def _retry_after(error: BaseException) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", {})
    told = str(headers.get("Retry-After", "")).strip()
    if told.isdigit():
        return float(told)
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(told).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def plain(message: str) -> str:
    """Return yt-dlp's words without colours, prefixes and its invitation to report."""
    words = re.sub(r"\x1b\[[0-9;]*m", "", message)
    words = re.sub(r"^(?:ERROR|WARNING):\s*", "", words.strip())
    return re.split(r";?\s*please report this issue|\s*\(caused by", words, maxsplit=1)[0].strip()


def without(words: str, secrets: Sequence[str]) -> str:
    """Return words with every secret struck out, the longest first."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        words = words.replace(secret, "…")
    return words


def span(seconds: float) -> str:
    """Return a time in words."""
    if seconds >= 7200:
        return f"{round(seconds / 3600)} hours"
    minutes = round(seconds / 60)
    return f"{minutes} minutes" if seconds >= 120 else f"{round(seconds)} seconds"
