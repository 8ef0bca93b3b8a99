"""How long the inventory of a source with 157 automatic entries takes. Prints; asserts nothing about time.

Run: python tests/benchmarks/bench_inventory.py
"""

from __future__ import annotations

import time

from quoteview.fetching.inventory import take_inventory
from tests.fetching.test_inventory import youtube


def main() -> None:
    """Print the time of one inventory, the median of 21."""
    facts = youtube(155)
    times = []
    for _ in range(21):
        began = time.perf_counter()
        take_inventory(facts)
        times.append(time.perf_counter() - began)
    print(f"inventory of 157 automatic entries: {sorted(times)[10] * 1000:.1f} ms")


if __name__ == "__main__":
    main()
