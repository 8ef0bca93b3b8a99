"""Times the check itself, in one process: 1,000 claims in one pass beside `rg -F`, one changed claim, and the nearest passages.

Run it with `python tests/benchmarks/bench_checking.py [HOURS …]`. The input is synthetic, made with a fixed seed: about 1,000
cues and 10,000 words an hour, common words common as in speech (Zipf's law), quotations of 8 to 60 words. The
altered ones have a word replaced, left out, or case and punctuation changed. Nothing is asserted about time.
"""

from __future__ import annotations

import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from quoteview.core.checking import check, check_one
from quoteview.core.reference import Reference
from quoteview.core.verdicts import VerdictKind
from tests.builders import claim, vtt

SEED = 20270303
CUES_AN_HOUR = 1000
CLAIMS = 1000
RUNS = 3
T = TypeVar("T")


def main() -> None:
    """Print one row for each number of hours."""
    hours = [int(word) for word in sys.argv[1:]] or [1, 10, 100]
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{CLAIMS:,} claims; best of {RUNS} runs, the last four columns of one\n")
    print("| captions | words | reference text | find all | check, exact | rg -F -o -b | one changed | ", end="")
    print("index | nearest | check, altered | found |")
    print("|" + "---:|" * 11)
    for count in hours:
        print(row(count), flush=True)


def row(hours: int) -> str:
    """Return the row of one length."""
    track = vtt(captions(hours))
    build_s, reference = timed(lambda: Reference(track, "en"))
    draw = random.Random(SEED)
    exact = [quotation(reference.text, draw) for _ in range(CLAIMS)]
    altered = [changed(text, draw) for text in exact]
    times = [reference.time_at(reference.text.find(text)).start_ms for text in exact]
    exact_claims = [claim(text, moment) for text, moment in zip(exact, times, strict=True)]
    altered_claims = [claim(text, moment) for text, moment in zip(altered, times, strict=True)]
    find_s, _ = timed(lambda: reference.find_all(exact))
    check_s, verdicts = timed(lambda: check(reference, exact_claims))
    assert all(verdict.is_green for verdict in verdicts)
    one_s, _ = timed(lambda: [check_one(reference, each) for each in exact_claims[:50]])
    index_s, _ = timed(lambda: reference.passages, runs=1)
    nearest_s, _ = timed(lambda: [reference.passages.nearest(*each) for each in zip(altered, times, strict=True)], runs=1)
    altered_s, verdicts = timed(lambda: check(reference, altered_claims), runs=1)
    found = sum(1 for verdict in verdicts if verdict.kind is VerdictKind.ALTERED)
    return (
        f"| {hours} h | {reference.text.count(' '):,} | {build_s:.3f} s | {find_s * 1000:.0f} ms | {check_s * 1000:.0f} ms "
        f"| {ripgrep(reference.text, exact)} | {one_s / 50 * 1000:.2f} ms "
        f"| {index_s:.2f} s | {nearest_s:.2f} s | {altered_s:.2f} s | {found} |"
    )


def captions(hours: int) -> bytes:
    """Return WebVTT of that many hours."""
    draw = random.Random(SEED)
    vocabulary = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(2, 9))) for _ in range(8000)]
    weights = [1 / (rank + 2) for rank in range(len(vocabulary))]
    cues = []
    for number in range(hours * CUES_AN_HOUR):
        words = draw.choices(vocabulary, weights, k=10)
        words[draw.randrange(10)] += draw.choice(",.?")
        cues.append(f"{stamp(number * 3600)} --> {stamp(number * 3600 + 3400)}\n{' '.join(words)}\n")
    return ("WEBVTT\n\n" + "\n".join(cues)).encode()


def quotation(text: str, draw: random.Random) -> str:
    """Return 8 to 60 whole words of the text."""
    at = text.index(" ", draw.randrange(len(text) - 1000)) + 1
    return " ".join(text[at : at + 800].split(" ")[: draw.randint(8, 60)])


def changed(text: str, draw: random.Random) -> str:
    """Return the quotation with one change."""
    words = text.split(" ")
    at = draw.randrange(1, len(words) - 1)
    match draw.randrange(3):
        case 0:
            words[at] = "altogether"
        case 1:
            del words[at]
        case _:
            return text.capitalize().replace(words[at], words[at] + ";", 1)
    return " ".join(words)


def ripgrep(text: str, quotations: Sequence[str]) -> str:
    """Return how long ripgrep takes for the same strings, from its start to its end."""
    program = shutil.which("rg")
    if program is None:
        return "absent"
    with tempfile.TemporaryDirectory() as folder:
        strings, haystack = Path(folder) / "strings", Path(folder) / "text"
        strings.write_text("\n".join(quotations), "utf-8")
        haystack.write_text(text, "utf-8")
        command = [program, "-F", "-o", "-b", "-f", str(strings), str(haystack)]
        seconds, _ = timed(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True))
    return f"{seconds * 1000:.0f} ms"


def timed(work: Callable[[], T], *, runs: int = RUNS) -> tuple[float, T]:
    """Return the least time of some runs, in seconds, and the last result."""
    best = float("inf")
    for _ in range(runs):
        begun = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - begun)
    return best, result


def stamp(ms: int) -> str:
    """Return milliseconds as `01:02:03.500`."""
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02}.{ms % 1000:03}"


if __name__ == "__main__":
    main()
