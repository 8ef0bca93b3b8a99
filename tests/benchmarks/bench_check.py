"""Times `quoteview check` as a whole process: from the command's start to its end, for 1, 10 and 100 hours of captions.

Run it with `python tests/benchmarks/bench_check.py [HOURS …]`. The input is synthetic, made with a fixed seed: about
1,000 cues and 10,000 words an hour, and a draft of 30 quotations, every fifth of them altered. Nothing is asserted.
"""

from __future__ import annotations

import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SEED = 20270303
CUES_AN_HOUR = 1000
CLAIMS = 30
RUNS = 5


def main() -> None:
    hours = [int(word) for word in sys.argv[1:]] or [1, 10, 100]
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; best of {RUNS} runs\n")
    print("| captions | cues | Python alone | quoteview check | peak memory |")
    print("|---:|---:|---:|---:|---:|")
    bare_s, _ = best([sys.executable, "-c", "pass"])
    with tempfile.TemporaryDirectory() as folder:
        for count in hours:
            captions, draft = write_input(Path(folder), count)
            command = ["check", "--captions", f"{captions},origin=human,language=en", "--draft", str(draft), "--json"]
            seconds, peak = best([sys.executable, "-m", "quoteview", *command])
            print(f"| {count} h | {count * CUES_AN_HOUR:,} | {bare_s:.3f} s | {seconds:.3f} s | {peak // 1024} MB |")


def write_input(folder: Path, hours: int) -> tuple[Path, Path]:
    """Write captions of that many hours and a draft, and return their paths."""
    draw = random.Random(SEED)
    vocabulary = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(2, 9))) for _ in range(5000)]
    texts = [" ".join(draw.choices(vocabulary, k=10)) for _ in range(hours * CUES_AN_HOUR)]
    cues = [f"{stamp(n * 3600)} --> {stamp(n * 3600 + 3400)}\n{text}\n" for n, text in enumerate(texts)]
    captions = folder / f"talk-{hours}.vtt"
    captions.write_text("WEBVTT\n\n" + "\n".join(cues), "utf-8")
    lines = []
    for number in range(CLAIMS):
        at = draw.randrange(len(texts) - 1)
        quotation = f"{texts[at]} {texts[at + 1]}"
        if number % 5 == 0:
            quotation = quotation.replace(texts[at].split()[4], "changed", 1)
        lines.append(f"It was said that “{quotation}” [{stamp(at * 3600)}] and so on.\n")
    draft = folder / f"draft-{hours}.md"
    draft.write_text("\n".join(lines), "utf-8")
    return captions, draft


def stamp(ms: int) -> str:
    """Return milliseconds as `01:02:03.500`."""
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02}.{ms % 1000:03}"


def best(command: list[str]) -> tuple[float, int]:
    """Return the shortest time in seconds of some runs, and the largest resident size in KB of any."""
    seconds, peak = [], 0
    for _ in range(RUNS):
        begin = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            _, status, usage = os.wait4(running.pid, 0)
            running.returncode = os.waitstatus_to_exitcode(status)
        seconds.append(time.perf_counter() - begin)
        peak = max(peak, usage.ru_maxrss)
        if running.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(command)} ended with {running.returncode}")
    return min(seconds), peak


if __name__ == "__main__":
    main()
