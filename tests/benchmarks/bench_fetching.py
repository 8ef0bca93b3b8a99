"""How long three tracks take from a server that delays each answer by 200 ms, one at a time. Prints; asserts nothing about time.

Run: python tests/benchmarks/bench_fetching.py
"""

from __future__ import annotations

import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from quoteview.fetching.jobs import fetch_job
from tests.fetching.serving import AUTOMATIC, AUTOMATIC_VTT, HUMAN, Page, answer, serving
from tests.fetching.site import client_of, facts_of, pages

DELAY_S = 0.2


def late(page: Page) -> Page:
    """Return a page that answers after a delay."""

    def delayed(handler: BaseHTTPRequestHandler, number: int) -> None:
        threading.Event().wait(DELAY_S)
        page(handler, number)

    return delayed


def main() -> None:
    """Print the time from link to locked job, the median of 5, and the sum of the delays in it."""
    served_pages = pages(
        human=late(answer(200, HUMAN)), automatic=late(answer(200, AUTOMATIC)), automatic_vtt=late(answer(200, AUTOMATIC_VTT))
    )
    times = []
    with serving(served_pages) as served, tempfile.TemporaryDirectory() as folder:
        client = client_of(lambda: facts_of(served))
        client.ask(f"{served.address}/watch")  # imports the library
        for number in range(5):
            began = time.perf_counter()
            opened = fetch_job(f"{served.address}/watch", Path(folder) / f"{number}", client)
            times.append(time.perf_counter() - began)
            assert len(opened.job.locked) == 3
    print(
        f"3 tracks, {DELAY_S * 1000:.0f} ms each: {sorted(times)[2] * 1000:.0f} ms; the delays alone: {3 * DELAY_S * 1000:.0f} ms"
    )


if __name__ == "__main__":
    main()
