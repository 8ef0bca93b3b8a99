"""Times the readers beside other parsers on the same files: run it with `python tests/benchmarks/bench_reading.py [CUES …]`.

The input is synthetic, made with a fixed seed: cues of two lines. Ours gives byte ranges and the ledger of every byte, which
the others do not. Each is the best of several runs, taken in turn; process time, so that a busy machine disturbs less. Nothing
is asserted.
"""

from __future__ import annotations

import json
import os
import platform
import random
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pysubs2
import webvtt

from quoteview.core.captions.reading import read_track
from quoteview.core.locking import lock

SEED = 20270303
RUNS = 5


def main() -> None:
    counts = [int(word) for word in sys.argv[1:]] or [1_000, 10_000, 100_000]
    versions = f"pysubs2 {version('pysubs2')}, webvtt-py {version('webvtt-py')}"
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {versions}; best of {RUNS} runs\n")
    print("| file | cues | quoteview | per cue | pysubs2.load | webvtt-py | json.loads alone |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            for name, text in (("vtt", vtt(count)), ("srt", srt(count)), ("json3", json3(count))):
                path = Path(folder) / f"{count}.{name}"
                path.write_text(text, encoding="utf-8")
                row(path, name, count)


def row(path: Path, name: str, count: int) -> None:
    """Print one row: ours, and what else reads the format."""
    data = path.read_bytes()
    source = lock(data, path.name)
    ours, subs, other, alone = best(
        lambda: read_track(source),
        (lambda: pysubs2.load(str(path))) if name != "json3" else None,
        (lambda: webvtt.read(str(path)) if name == "vtt" else webvtt.from_srt(str(path))) if name != "json3" else None,
        (lambda: json.loads(data)) if name == "json3" else None,
    )
    assert ours is not None
    beside = " | ".join("–" if s is None else f"{s:.3f} s ({s / ours:.1f}×)" for s in (subs, other, alone))
    print(f"| {name} | {count:,} | {ours:.3f} s | {ours / count * 1e6:.1f} µs | {beside} |")


def best(*tasks: Callable[[], object] | None) -> list[float | None]:
    """Return the shortest process time of each task, run in turn."""
    times: list[list[float]] = [[] for _ in tasks]
    for _ in range(RUNS):
        for task, taken in zip(tasks, times, strict=True):
            if task is not None:
                start = time.process_time()
                result = task()
                taken.append(time.process_time() - start)
                del result  # letting go of it is not part of reading
    return [min(taken, default=None) for taken in times]


def lines(count: int) -> list[tuple[str, str]]:
    """Return two lines of made-up words for each cue."""
    draw = random.Random(SEED)
    words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(2, 9))) for _ in range(3000)]
    return [
        (" ".join(draw.choices(words, k=6)).capitalize() + ",", " ".join(draw.choices(words, k=5)) + ".") for _ in range(count)
    ]


def clock(ms: int, mark: str) -> str:
    """Return a moment as captions write it."""
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02}{mark}{ms % 1000:03}"


def vtt(count: int) -> str:
    """Return a WebVTT file."""
    cues = (
        f"{clock(2600 * n, '.')} --> {clock(2600 * n + 2500, '.')}\n{one}\n{two}\n\n" for n, (one, two) in enumerate(lines(count))
    )
    return "WEBVTT\n\n" + "".join(cues)


def srt(count: int) -> str:
    """Return a SubRip file."""
    cues = (
        f"{n + 1}\n{clock(2600 * n, ',')} --> {clock(2600 * n + 2500, ',')}\n{one}\n{two}\n\n"
        for n, (one, two) in enumerate(lines(count))
    )
    return "".join(cues)


def json3(count: int) -> str:
    """Return a json3 file with a time for each word."""
    events = []
    for n, pair in enumerate(lines(count)):
        segments = [{"utf8": f" {word}" if i else word, "tOffsetMs": 200 * i} for i, word in enumerate(" ".join(pair).split())]
        events.append({"tStartMs": 2600 * n, "dDurationMs": 2500, "segs": segments})
    return json.dumps({"wireMagic": "pb3", "events": events})


if __name__ == "__main__":
    main()
