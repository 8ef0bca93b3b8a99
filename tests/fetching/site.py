"""A site of our own for the real yt-dlp: a test extractor whose video has human and automatic tracks of one language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

from yt_dlp import YoutubeDL
from yt_dlp.extractor.common import InfoExtractor

from quoteview.fetching.client import Client, FetchSettings
from tests.fetching.serving import AUTOMATIC, AUTOMATIC_VTT, HUMAN, Page, Served, answer


def facts_of(served: Served, **more: object) -> dict[str, object]:
    """Return what an extractor builds for a video with a human and an automatic track of one language."""
    return {
        "id": "vid00000001",
        "title": "A briefing",
        "webpage_url": f"{served.address}/watch",
        "duration": 9,
        "language": "en",
        "subtitles": {
            "en": [{"ext": "vtt", "url": f"{served.address}/human.vtt"}],
            "live_chat": [{"ext": "json", "url": f"{served.address}/chat", "protocol": "youtube_live_chat_replay"}],
        },
        "automatic_captions": {
            "en": [
                {"ext": "json3", "url": f"{served.address}/api/timedtext?lang=en&kind=asr&fmt=json3"},
                {"ext": "vtt", "url": f"{served.address}/api/timedtext.vtt?lang=en&kind=asr&fmt=vtt"},
            ],
            **{
                f"x{n}": [{"ext": "json3", "url": f"{served.address}/api/timedtext?lang=en&kind=asr&tlang=x{n}&fmt=json3"}]
                for n in range(40)
            },
        },
        **more,
    }


def pages(**changed: Page) -> dict[str, Page]:
    """Return a server's pages, some of them changed (`human`, `automatic`, `automatic_vtt`)."""
    return {
        "/human.vtt": changed.get("human", answer(200, HUMAN)),
        "/api/timedtext": changed.get("automatic", answer(200, AUTOMATIC)),
        "/api/timedtext.vtt": changed.get("automatic_vtt", answer(200, AUTOMATIC_VTT)),
    }


class _Site(InfoExtractor):
    """An extractor of a site of our own."""

    _VALID_URL = r"http://127\.0\.0\.1:\d+/watch"

    def __init__(self, make: Callable[[], Mapping[str, object]], library: YoutubeDL) -> None:
        super().__init__(library)
        self._make = make

    def _real_extract(self, url: str) -> Any:
        return {"formats": [], **self._make(), "extractor": "site"}


def know_only(library: YoutubeDL, make: Callable[[], Mapping[str, object]]) -> None:
    """Let a library know our site and no other, so that it asks nobody else."""
    cast("Any", library)._ies.clear()
    library.add_info_extractor(_Site(make, library))


def client_of(make: Callable[[], Mapping[str, object]], **more: object) -> Client:
    """Return a client whose yt-dlp knows our site, and which waits for nothing."""

    def setup(library: YoutubeDL) -> None:
        know_only(library, make)

    waits: list[float] = more.pop("waits", [])  # type: ignore[assignment]
    return Client(FetchSettings(timeout_s=3), wait=waits.append, setup=setup, **more)  # type: ignore[arg-type]


def maker_of(make: Callable[[], Mapping[str, object]]) -> Callable[..., Client]:
    """Return what makes the window's clients, of our site alone."""
    return partial(Client, setup=lambda library: know_only(library, make))
