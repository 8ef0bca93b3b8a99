"""yt-dlp as a library: one client that asks a source and fetches files, and says in a sentence what went wrong.

Cookies, proxy, impersonation, retries of server errors and progress are yt-dlp's. What it leaves out is added
here: 429 is waited for as the server says, a few times; a transfer that never ends is ended; the facts of each answer are
kept. Nothing of its command line is parsed, and its messages are collected instead of printed.
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from quoteview.core.errors import Cancelled, FetchError, StoreError
from quoteview.fetching.library import use_newest

if TYPE_CHECKING:
    from typing import Any

    from yt_dlp import YoutubeDL
    from yt_dlp.networking.common import Response

LARGEST_BODY = 64 * 1024 * 1024
LONGEST_TRANSFER_S = 180.0
MOST_WAITS = 3
LONGEST_WAIT_S = 120
BROWSERS = ("brave", "chrome", "chromium", "edge", "firefox", "opera", "safari", "vivaldi", "whale")
"""The browsers whose cookies yt-dlp can read; a test holds this against yt-dlp, whose import a dialog cannot wait for."""

_WAIT_UNTOLD_S = (5, 15, 45)
"""How long to wait after a 429 that says nothing: longer each time."""

Report = Callable[[int, int], None]
"""Takes bytes done and in all (0 where unknown); raises `Cancelled` to stop."""


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """How to fetch; never written into a job. `rate` is in bytes a second, 0 without a limit."""

    cookies_from_browser: str = ""
    cookie_file: str = ""
    proxy: str = ""
    rate: int = 0
    timeout_s: float = 20.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered to the last request of a transfer. `length` None where none was announced."""

    status: int
    address: str
    length: int | None
    is_compressed: bool
    kind: str


@dataclass(slots=True)
class _Said:
    """Collects what yt-dlp says instead of letting it print."""

    lines: list[str] = field(default_factory=list)

    def debug(self, message: str) -> None:
        """Leave out what is only for its developers."""

    def info(self, message: str) -> None:
        """Leave out progress in words."""

    def warning(self, message: str) -> None:
        """Keep a warning."""
        self.lines.append(plain(message))

    def error(self, message: str) -> None:
        """Keep an error."""
        self.lines.append(plain(message))


class Client:
    """Asks and fetches with one set of settings. `wait` takes seconds; it and `check`, called before each request, may raise
    `Cancelled`; tests give their own."""

    def __init__(
        self,
        settings: FetchSettings | None = None,
        *,
        wait: Callable[[float], None] = time.sleep,
        say: Callable[[str], None] = lambda _sentence: None,
        check: Callable[[], None] = lambda: None,
        largest_body: int = LARGEST_BODY,
        longest_transfer_s: float = LONGEST_TRANSFER_S,
        setup: Callable[[YoutubeDL], None] | None = None,
    ) -> None:
        self._settings = settings or FetchSettings()
        self._wait = wait
        self._say = say
        self._check = check
        self._largest = largest_body
        self._longest_s = longest_transfer_s
        self._setup = setup
        self._answers: list[Answer] = []

    def ask(self, address: str) -> Mapping[str, object]:
        """Return what yt-dlp's extractor knows of an address; raises `FetchError`."""
        said = _Said()
        with self._library(said, {"extract_flat": "in_playlist"}) as library, errors_in_words(address, said.lines):
            facts = library.extract_info(address, download=False)
            return cast("Mapping[str, object]", library.sanitize_info(facts))

    def fetch(self, values: Mapping[str, object], folder: Path, report: Report) -> tuple[bytes, Answer | None]:
        """Return the bytes of one of yt-dlp's entries, fetched into a folder of this call's own, and the answer's facts.

        Raises `FetchError`; `Cancelled` when `report` does. At most three waits for a 429.
        """
        address = str(values.get("url", ""))
        for number in range(MOST_WAITS + 1):
            try:
                return self._once(values, folder / f"{number}", report)
            except _Throttled as throttled:
                seconds = throttled.seconds if throttled.seconds is not None else _WAIT_UNTOLD_S[min(number, 2)]
                if number == MOST_WAITS or seconds > LONGEST_WAIT_S:
                    raise FetchError(
                        address,
                        "the server asks to wait (429)",
                        remedy=f"Try again in {_span(seconds)}.",
                        detail=throttled.detail,
                        is_passing=True,
                    ) from throttled
                self._say(f"The server asks to wait: trying again in {_span(seconds)}.")
                self._wait(seconds)
        raise AssertionError("the loop returns or raises")

    def _once(self, values: Mapping[str, object], folder: Path, report: Report) -> tuple[bytes, Answer | None]:
        folder.mkdir(parents=True)
        target = folder / "body"
        said = _Said()
        began = time.monotonic()
        address = str(values.get("url", ""))

        def on_progress(progress: Mapping[str, object]) -> None:
            done, total = _whole(progress.get("downloaded_bytes")), _whole(progress.get("total_bytes"))
            report(done, total)
            if max(done, total) > self._largest:
                raise FetchError(
                    address, f"the answer is larger than any caption track ({self._largest:,} bytes)", remedy="It was not kept."
                )
            if time.monotonic() - began > self._longest_s:
                raise FetchError(address, "the transfer does not end", remedy="Try again later.", is_passing=True)

        self._answers.clear()
        with self._library(said, {"progress_hooks": [on_progress]}, asks=False) as library, errors_in_words(address, said.lines):
            library.dl(str(target), cast("Any", dict(values)), subtitle=True)
        if not target.is_file():
            raise FetchError(address, "the server sent nothing", remedy="Try again later.", is_passing=True)
        last = self._answers[-1] if self._answers else None
        if last is not None and _is_in_pieces(values):
            last = replace(last, length=None)  # that of the last piece says nothing of the whole
        return target.read_bytes(), last

    @contextmanager
    def _library(self, said: _Said, more: Mapping[str, object], *, asks: bool = True) -> Iterator[YoutubeDL]:
        """Open the library; its 1,800 extractors, a tenth of a second, only where a source is asked."""
        use_newest()
        from yt_dlp import YoutubeDL
        from yt_dlp.networking.exceptions import HTTPError

        client = self
        opened: list[Response] = []

        class Library(YoutubeDL):
            """yt-dlp, noting what each answer was."""

            def urlopen(self, req: Any) -> Response:
                client._check()
                try:
                    response = super().urlopen(req)
                except HTTPError as error:
                    opened.append(error.response)
                    raise
                opened.append(response)
                client._note(response)
                return response

        library = Library(cast("Any", {**self._parameters(), "logger": said, **more}), auto_init=asks)
        try:
            if self._setup is not None:
                self._setup(library)
            yield library
        finally:
            for response in opened:
                response.close()  # the library leaves that of an error open
            library.close()

    def _note(self, response: object) -> None:
        headers = getattr(response, "headers", {})
        length = headers.get("Content-Length")
        self._answers.append(
            Answer(
                _whole(getattr(response, "status", 0)),
                str(getattr(response, "url", "")),
                int(length) if length is not None and str(length).isdigit() else None,
                bool(headers.get("Content-Encoding")),
                str(headers.get("Content-Type", "")),
            )
        )

    def _parameters(self) -> dict[str, object]:
        settings = self._settings
        parameters: dict[str, object] = {
            "quiet": True,
            "noprogress": True,
            "color": "never",
            "cachedir": False,
            "retries": 2,
            "fragment_retries": 2,
            "skip_unavailable_fragments": False,  # its default leaves out a missing piece and calls the rest the track
            "extractor_retries": 1,
            "retry_sleep_functions": {"http": lambda n: min(0.2 * 2**n, 2.0), "fragment": lambda n: 0.2},
            "socket_timeout": settings.timeout_s,
            "nopart": True,
            "continuedl": False,
            "updatetime": False,
            "ignore_no_formats_error": True,
        }
        if settings.proxy:
            parameters["proxy"] = settings.proxy
        if settings.cookie_file:
            parameters["cookiefile"] = _cookies(settings.cookie_file)
        if settings.cookies_from_browser:
            parameters["cookiesfrombrowser"] = (settings.cookies_from_browser, None, None, None)
        if settings.rate:
            parameters["ratelimit"] = settings.rate
        return parameters


def _cookies(file: str) -> io.StringIO:
    """Return a cookies file's text: given the file itself, the library would write to it when it closes."""
    try:
        return io.StringIO(Path(file).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(file, "the cookies file cannot be read", remedy="Choose it again in the settings.") from error


def _is_in_pieces(values: Mapping[str, object]) -> bool:
    """Whether an entry is a list of pieces (HLS, DASH) that the library puts together."""
    from yt_dlp.utils import determine_protocol

    return str(determine_protocol(cast("Any", dict(values)))) not in ("http", "https")


class _Throttled(Exception):
    """A 429; `seconds` is what `Retry-After` says, None where it says nothing."""

    def __init__(self, seconds: float | None, detail: str) -> None:
        super().__init__(detail)
        self.seconds = seconds
        self.detail = detail


@contextmanager
def errors_in_words(address: str, said: list[str]) -> Iterator[None]:
    """Turn what yt-dlp raises into `FetchError` with a sentence of ours and its own words below."""
    from yt_dlp.networking.exceptions import HTTPError, RequestError
    from yt_dlp.utils import DownloadCancelled, YoutubeDLError

    try:
        yield
    except (FetchError, Cancelled):
        raise
    except DownloadCancelled as error:
        raise Cancelled from error
    except (YoutubeDLError, RequestError, OSError) as error:
        cause = _http_error(error, HTTPError)
        detail = plain(str(error)) or (said[-1] if said else "")
        if cause is not None and getattr(cause, "status", 0) == 429:
            raise _Throttled(_retry_after(cause), detail) from error
        reason, remedy, is_passing = _in_words(detail, getattr(cause, "status", 0))
        raise FetchError(address, reason, remedy=remedy, detail=detail, is_passing=is_passing) from error


class _Sentence(NamedTuple):
    """What yt-dlp's words are known by, and what they mean for an editor."""

    pattern: str
    reason: str
    remedy: str
    is_passing: bool = False


_LATER = "Try again later."
_SENTENCES = (
    _Sentence(r"did not get any data", "the server sent an empty body", _LATER, True),
    _Sentence(
        r"cookies? database|load cookies|decrypt|keyring|cookies? file",
        "the cookies cannot be read",
        "Choose another browser or file in the settings.",
    ),
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
    _Sentence(r"timed? ?out", "the server did not answer in time", _LATER, True),
    _Sentence(
        r"name resolution|getaddrinfo|name or service|network is unreachable|nodename",
        "there is no network, or no such server",
        "Everything but fetching works without a network.",
        True,
    ),
    _Sentence(r"redirect", "the server sends in circles, or to a place that is not allowed", "Check the link."),
    _Sentence(r"too short|incomplete|bytes read|more expected", "the answer was cut short", "Try again.", True),
    _Sentence(r"certificate", "the server's certificate does not hold", "Check the clock and the proxy."),
    _Sentence(r"refused|reset|closed|remote end|connection", "the connection failed", _LATER, True),
    _Sentence(
        r"unable to extract|unable to download json|nsig|player",
        "yt-dlp does not understand the site any more",
        "Install a newer yt-dlp.",
    ),
)


def _in_words(detail: str, status: int) -> tuple[str, str, bool]:
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


def _span(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes} minutes" if seconds >= 120 else f"{round(seconds)} seconds"


def _whole(value: object) -> int:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0
