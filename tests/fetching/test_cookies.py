"""Cookies from a file are sent, the file stays as it is, and cookies that cannot be read are said."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from quoteview.core.errors import FetchError, StoreError
from quoteview.core.job import Standing
from quoteview.fetching.client import Client, FetchSettings
from quoteview.fetching.inventory import take_inventory
from quoteview.fetching.tracks import fetch_tracks
from tests.fetching.serving import HUMAN, answer, serving
from tests.fetching.site import facts_of, know_only, pages

COOKIES = "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tabc123\n"


def client_with(settings: FetchSettings) -> Client:
    return Client(settings, setup=lambda library: know_only(library, dict))


def test_cookies_of_a_file_are_sent_and_the_file_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text(COOKIES)
    sent: list[str] = []

    def page(handler: BaseHTTPRequestHandler, number: int) -> None:
        sent.append(handler.headers.get("Cookie", ""))
        answer(200, HUMAN, Set_Cookie="other=1")(handler, number)

    with serving(pages(human=page)) as served:
        inventory = take_inventory(facts_of(served, automatic_captions={}))
        (one,) = fetch_tracks(inventory, client_with(FetchSettings(cookie_file=str(file))))
    assert one.record.standing is Standing.LOCKED, one.record.reason
    assert sent == ["session=abc123"]
    assert file.read_text() == COOKIES


def test_a_cookies_file_that_is_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cookies file cannot be read"):
        client_with(FetchSettings(cookie_file=str(tmp_path / "gone.txt"))).ask("http://127.0.0.1:9/watch")


def test_a_browser_without_cookies_is_not_called_a_sign_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    with serving(pages()) as served, pytest.raises(FetchError, match="the cookies cannot be read"):
        Client(FetchSettings(cookies_from_browser="firefox", timeout_s=3)).ask(f"{served.address}/page")
