"""How long a job of many claims takes to be labelled and checked again: `python tests/benchmarks/bench_label.py [CLAIMS]`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from quoteview.core.labelling import issue, keep
from quoteview.core.rechecking import recheck
from tests.bundles import AT, make_job
from tests.corpus import webvtt


def main(claims: int) -> None:
    """Print the seconds of each step."""
    lines = tuple(f"This is sentence number {n} of the long talk about tides, and {n * 7} boats." for n in range(claims))
    words = [
        f"She said “sentence number {n} of the long talk about tides” ({n * 4 // 60 + 0}:{n * 4 % 60 + 1:02}).\n\n"
        for n in range(claims)
    ]
    with tempfile.TemporaryDirectory() as folder:
        job = make_job(Path(folder) / "job", {"human.en.vtt": webvtt(lines)}, {"draft.md": "".join(words).encode()})
        start = time.perf_counter()
        label = issue(job, 0, "Ada", at=AT)
        print(f"issue    {time.perf_counter() - start:6.2f} s  ({label.statement.counts.exact} of {claims} exact)")
        start = time.perf_counter()
        place = keep(job, label)
        print(f"keep     {time.perf_counter() - start:6.2f} s")
        start = time.perf_counter()
        done = subprocess.run([sys.executable, "-I", str(place / "data" / "recheck.py")], capture_output=True, check=False)
        print(f"program  {time.perf_counter() - start:6.2f} s  (exit {done.returncode})")
        start = time.perf_counter()
        print(f"core     {recheck(place).holds} {time.perf_counter() - start:6.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
