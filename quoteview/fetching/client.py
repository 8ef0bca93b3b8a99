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
from typing import TYPE_CHECKING, TypeVar, cast
from urllib.parse import unquote, urlsplit

from quoteview.core.errors import FetchError, StoreError
from quoteview.fetching.inventory import public_address
from quoteview.fetching.library import use_newest
from quoteview.fetching.wording import THROTTLED, Throttled, errors_in_words, plain, span

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

_PIECE = 64 * 1024
_WAIT_UNTOLD_S = (5, 15, 45)
"""How long to wait after a 429 that says nothing: longer each time."""

Result = TypeVar("Result")
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
    """What a server answered to the last request of a transfer. `length` None where none was announced.

    `whole` is the length of the whole file, where this answer is a part of it; `version` what tells one version of the
    file from another (its ETag, else when it was last modified), "" where the server says neither.
    """

    status: int
    address: str
    length: int | None
    is_compressed: bool
    kind: str
    whole: int | None = None
    version: str = ""


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
        self._responses: list[Response] = []
        self._heard: Callable[[Answer], None] | None = None
        self._kept: YoutubeDL | None = None

    def ask(self, address: str) -> Mapping[str, object]:
        """Return what yt-dlp's extractor knows of an address; raises `FetchError`. At most three waits for a 429."""
        return self._patiently(address, lambda _number: self._extract(address))

    def _extract(self, address: str) -> Mapping[str, object]:
        said = _Said()
        with self._library(said, {"extract_flat": "in_playlist"}) as library, self._in_words(address, said):
            facts = library.extract_info(address, download=False)
            return cast("Mapping[str, object]", library.sanitize_info(facts))

    @contextmanager
    def kept_open(self) -> Iterator[None]:
        """Fetch everything within by one library: opening one for each file would load the system's certificates each time."""
        self._kept = self._opened(asks=False)
        try:
            yield
        finally:
            kept, self._kept = self._kept, None
            kept.close()

    def fetch(self, values: Mapping[str, object], folder: Path, report: Report) -> tuple[bytes, Answer | None]:
        """Return the bytes of one of yt-dlp's entries, fetched into a folder of this call's own, and the answer's facts.

        Raises `FetchError`; `Cancelled` when `report` does. At most three waits for a 429.
        """
        return self._patiently(_text(values, "url"), lambda number: self._once(values, folder / f"{number}", report))

    def fetch_file(
        self, values: Mapping[str, object], target: Path, report: Report, *, largest: int, heard: Callable[[Answer], None]
    ) -> None:
        """Fetch one of yt-dlp's entries into a file, going on where an earlier try left `target` with `.part` behind it.

        `heard` gets every answer that is no error, before its body is read, and may raise to refuse it. What arrived before
        an error or `Cancelled` stays in the part. The size is the caller's to compare.
        """
        self._patiently(_text(values, "url"), lambda _number: self._into(values, target, report, largest, heard))

    def tell(self, sentence: str) -> None:
        """Pass on a sentence about what is being done."""
        self._say(sentence)

    def _patiently(self, address: str, once: Callable[[int], Result]) -> Result:
        for number in range(MOST_WAITS + 1):
            try:
                return once(number)
            except Throttled as throttled:
                seconds = throttled.seconds if throttled.seconds is not None else _WAIT_UNTOLD_S[min(number, 2)]
                if number == MOST_WAITS or seconds > LONGEST_WAIT_S:
                    raise FetchError(
                        public_address(address),
                        THROTTLED,
                        remedy=f"Try again in {span(seconds)}.",
                        detail=throttled.detail,
                        is_passing=True,
                    ) from throttled
                self._say(f"The server asks to wait: trying again in {span(seconds)}.")
                self._wait(seconds)
        raise AssertionError("the loop returns or raises")

    def _once(self, values: Mapping[str, object], folder: Path, report: Report) -> tuple[bytes, Answer | None]:
        folder.mkdir(parents=True)
        target = folder / "body"
        began = time.monotonic()
        address = public_address(_text(values, "url"))

        def on_progress(done: int, total: int) -> None:
            report(done, total)
            if max(done, total) > self._largest:
                raise FetchError(
                    address, f"the answer is larger than any caption track ({self._largest:,} bytes)", remedy="It was not kept."
                )
            if time.monotonic() - began > self._longest_s:
                raise FetchError(address, "the transfer does not end", remedy="Try again later.", is_passing=True)

        self._transfer(values, target, on_progress, {"nopart": True, "continuedl": False})
        last = self._answers[-1] if self._answers else None
        if last is not None and _is_in_pieces(values):
            last = replace(last, length=None)  # that of the last piece says nothing of the whole
        return target.read_bytes(), last

    def _into(
        self, values: Mapping[str, object], target: Path, report: Report, largest: int, heard: Callable[[Answer], None]
    ) -> None:
        address = public_address(_text(values, "url"))

        def on_progress(done: int, total: int) -> None:
            report(done, total)
            if max(done, total) > largest:
                raise FetchError(
                    address,
                    f"the recording is larger than {largest // 1_000_000:,} MB",
                    remedy="Allow more, or bring a smaller file of it.",
                )

        self._transfer(values, target, on_progress, {"nopart": False, "continuedl": True}, heard)

    def _transfer(
        self,
        values: Mapping[str, object],
        target: Path,
        report: Report,
        more: Mapping[str, object],
        heard: Callable[[Answer], None] | None = None,
    ) -> None:
        said = _Said()
        address = _text(values, "url")

        def on_progress(progress: Mapping[str, object]) -> None:
            report(_whole(progress.get("downloaded_bytes")), _whole(progress.get("total_bytes")))

        self._answers.clear()
        with (
            self._library(said, {"progress_hooks": [on_progress], **more}, asks=False, heard=heard) as library,
            self._in_words(address, said),
        ):
            _download(library, target, values)
        if not target.is_file():
            raise FetchError(public_address(address), "the server sent nothing", remedy="Try again later.", is_passing=True)

    @contextmanager
    def _in_words(self, address: str, said: _Said) -> Iterator[None]:
        with errors_in_words(public_address(address), said.lines, _secrets(self._settings, address)):
            yield

    @contextmanager
    def _library(
        self, said: _Said, more: Mapping[str, object], *, asks: bool = True, heard: Callable[[Answer], None] | None = None
    ) -> Iterator[YoutubeDL]:
        kept = None if asks else self._kept
        library = kept if kept is not None else self._opened(asks=asks)
        cast("Any", library.params).update({"logger": said, **more})
        self._heard = heard
        try:
            yield library
        finally:
            self._heard = None
            for response in self._responses:
                response.close()  # the library leaves that of an error open
            self._responses.clear()
            if kept is None:
                library.close()

    def _opened(self, *, asks: bool) -> YoutubeDL:
        """Open the library; its 1,800 extractors, a tenth of a second, only where a source is asked."""
        use_newest()
        from yt_dlp import YoutubeDL
        from yt_dlp.networking.exceptions import HTTPError

        client = self

        class Library(YoutubeDL):
            """yt-dlp, noting what each answer was."""

            def urlopen(self, req: Any) -> Response:
                client._check()
                try:
                    response = super().urlopen(req)
                except HTTPError as error:
                    client._responses.append(error.response)
                    raise
                client._responses.append(response)
                client._note(response)
                if client._heard is not None:
                    client._heard(client._answers[-1])
                if asks and getattr(req, "method", "GET") != "HEAD":
                    client._bound(response)
                return response

        library = Library(cast("Any", {**self._parameters(), "logger": _Said()}), auto_init=asks)
        if self._setup is not None:
            self._setup(library)
        return library

    def _bound(self, response: Response) -> None:
        """Let a page that is read whole be given up where it does not end, and stopped between its pieces."""
        from yt_dlp.networking.exceptions import IncompleteRead

        read, began, told = response.read, time.monotonic(), self._answers[-1]
        done = 0

        def bounded(amount: int | None = None) -> bytes:
            nonlocal done
            body = bytearray()
            while piece := read(_PIECE if amount is None else amount):
                self._check()
                body += piece
                done += len(piece)
                if done > self._largest or time.monotonic() - began > self._longest_s:
                    raise FetchError(public_address(told.address), "the page does not end", remedy="Check the link.")
                if amount is not None:
                    break
            if amount is None and told.length is not None and not told.is_compressed and done < told.length:
                raise IncompleteRead(done, expected=told.length - done)
            return bytes(body)

        cast("Any", response).read = bounded

    def _note(self, response: Response) -> None:
        headers = response.headers
        length = _number(headers.get("Content-Length"))
        part = re.fullmatch(r"bytes \d+-\d+/(\d+)", headers.get("Content-Range") or "")
        self._answers.append(
            Answer(
                response.status,
                response.url,
                length,
                bool(headers.get("Content-Encoding")),
                headers.get("Content-Type") or "",
                whole=int(part[1]) if part else (length if response.status == 200 else None),
                version=headers.get("ETag") or headers.get("Last-Modified") or "",
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


def _download(library: YoutubeDL, target: Path, values: Mapping[str, object]) -> None:
    """Do what `YoutubeDL.dl` does, and close every file that it opened.

    Where a piece of a stream is refused, yt-dlp 2026.10.26 leaves the file of the whole open; on Windows its folder could
    then not be removed.
    """
    from yt_dlp.downloader import get_suitable_downloader

    parameters = library.params
    entry = cast("Any", dict(values))
    downloader = cast("Any", get_suitable_downloader(entry, parameters))(library, parameters)
    for hook in cast("Any", parameters)["progress_hooks"]:
        downloader.add_progress_hook(hook)
    if entry.get("http_headers") is None:
        entry["http_headers"] = cast("Any", library)._calc_headers(entry)
    opened: list[Any] = []
    open_file = downloader.sanitize_open

    def noted(*arguments: str) -> tuple[Any, str]:
        stream, name = open_file(*arguments)
        opened.append(stream)
        return stream, name

    downloader.sanitize_open = noted
    try:
        downloader.download(str(target), entry, True)
    finally:
        for stream in opened:
            stream.close()


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


def _secrets(settings: FetchSettings, address: str) -> tuple[str, ...]:
    """Return what of the settings and of an address may stand in no message."""
    found = [settings.proxy, settings.cookie_file]
    for url in (settings.proxy, address):
        parts = urlsplit(url)
        for secret in (parts.username or "", parts.password or ""):
            if len(secret) > 3:  # a shorter one stands in ordinary words too; beside its other half it is struck out below
                found += [secret, unquote(secret)]
        found.append(parts.netloc.rpartition("@")[0])
    return tuple(filter(None, found))


def _text(values: Mapping[str, object], key: str) -> str:
    return str(values.get(key, ""))


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdigit() else None


def _whole(value: object) -> int:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0
