"""A server of our own on the loopback address, and a test extractor, so that the real yt-dlp is driven without a network."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HUMAN = b"WEBVTT\n\n00:00:05.000 --> 00:00:08.000\nDr. Okafor wrote the memo.\n"
AUTOMATIC = (
    b'{"events": [{"tStartMs": 5000, "dDurationMs": 3000, "segs": [{"utf8": "dr"}, {"utf8": " oakafor", "tOffsetMs": 300}]}]}'
)
AUTOMATIC_VTT = b"WEBVTT\n\n00:00:05.000 --> 00:00:08.000\ndr oakafor wrote the memo\n"

Page = Callable[[BaseHTTPRequestHandler, int], None]
"""Answers one request; the number counts the requests for its path from 1."""


class Served:
    """The running server: its address, how often each path was asked for, and the parts asked for, "" for a whole file."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.asked: dict[str, int] = {}
        self.ranges: list[str] = []

    def count(self, path: str) -> int:
        """Return how often a path was asked for."""
        return self.asked.get(path, 0)


@contextmanager
def serving(pages: dict[str, Page]) -> Iterator[Served]:
    """Serve pages by path until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            served.asked[path] = served.asked.get(path, 0) + 1
            served.ranges.append(self.headers.get("Range") or "")
            page = pages.get(path)
            if page is None:
                answer(404, b"")(self, 1)
            else:
                page(self, served.asked[path])

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    served = Served(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def answer(status: int, body: bytes, *, length: int | None = None, **headers: str) -> Page:
    """Return a page that answers this; `length` is announced instead of the true one."""

    def page(handler: BaseHTTPRequestHandler, number: int) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body) if length is None else length))
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(body)
        handler.close_connection = True

    return page


def in_turn(*pages: Page) -> Page:
    """Return a page that answers with one after the other, then always with the last."""

    def page(handler: BaseHTTPRequestHandler, number: int) -> None:
        pages[min(number, len(pages)) - 1](handler, number)

    return page


def endless(chunk: bytes = b"x" * 4096) -> Page:
    """Return a page that sends until the other side hangs up, a few seconds at most."""

    def page(handler: BaseHTTPRequestHandler, number: int) -> None:
        handler.send_response(200)
        handler.send_header("Connection", "close")
        handler.end_headers()
        stop = threading.Event()
        for _ in range(4000):
            try:
                handler.wfile.write(chunk)
            except OSError:
                break
            stop.wait(0.001)
        handler.close_connection = True

    return page


def file(
    body: bytes, *, breaks_after: int | None = None, has_parts: bool = True, headers: Mapping[str, str] | None = None
) -> Page:
    """Return a page that gives a file, or the part of it that was asked for where it `has_parts`; the connection breaks after
    so many bytes of an answer."""

    def page(handler: BaseHTTPRequestHandler, number: int) -> None:
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", handler.headers.get("Range") or "") if has_parts else None
        start = int(asked[1]) if asked else 0
        if start >= len(body):
            answer(416, b"", Content_Range=f"bytes */{len(body)}")(handler, number)
            return
        sent = body[start:]
        handler.send_response(206 if asked else 200)
        if asked:
            handler.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(sent)))
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(sent[:breaks_after])
        handler.close_connection = True

    return page
