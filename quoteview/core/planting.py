"""The self-test: changes planted on copies in memory, through the functions of the real check, and what caught each.

A check that cannot fail proves nothing. At places of this very job, drawn with a recorded seed, one thing is changed:

(a) a raw byte, with the old lock;
(b) the raw bytes inside an exact claim's ranges, with the lock made anew: the claim must be exact no longer;
(c) the same in the working copy alone: the audit must see it, and no verdict may change;
(d) an exact claim's text in the draft;
(e) a claimed time, one millisecond beyond the tolerance of every occurrence;
(f) the journal: a line changed, dropped, swapped, the end cut off;
(g) draft and transcript, cut short;
(h) a claim's closing mark.

A plant that changes nothing, or leaves a true quotation by plain search, is drawn again and counted. Kinds for
which the job has no place are reported as not tried. One that passes unseen is named, and closes the gate.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from quoteview.core.plant_bench import Bench, Instruments, NoPlace, Plant, Planter, Subject, Useless
from quoteview.core.plants import PLANTERS

__all__ = ["JOURNAL_KINDS", "KINDS", "Instruments", "Plant", "PlantingReport", "Subject", "joined", "run"]

KINDS = "abcdefgh"
JOURNAL_KINDS = "f"
"""Kinds that bear on the journal, and on nothing else that is checked; all others do not look at it."""
_MOST_DRAWS = 12
_COUNTS = {"a": 10, "b": 18, "c": 14, "d": 14, "e": 8, "f": 8, "g": 6, "h": 6}
"""Plants of each kind in a job of ordinary size: over 60 without a journal, over 70 with one."""


@dataclass(frozen=True, slots=True)
class PlantingReport:
    """What came of it. `not_tried` are kinds without a place in this job, with the reason; `redrawn` counts useless draws."""

    seed: int
    plants: tuple[Plant, ...]
    not_tried: tuple[str, ...]
    redrawn: int

    @property
    def planted(self) -> int:
        """How many changes were planted."""
        return len(self.plants)

    @property
    def caught(self) -> int:
        """How many of them were caught."""
        return sum(1 for plant in self.plants if plant.caught_by)

    @property
    def missed(self) -> tuple[str, ...]:
        """Those that passed unseen, each as kind and sentence."""
        return tuple(f"({plant.kind}) {plant.what}" for plant in self.plants if not plant.caught_by)

    @property
    def all_caught(self) -> bool:
        """Whether something was planted and nothing passed unseen."""
        return bool(self.plants) and not self.missed


def run(
    subject: Subject,
    *,
    seed: int | None = None,
    instruments: Instruments | None = None,
    report: Callable[[int, int], None] | None = None,
    kinds: str = KINDS,
) -> PlantingReport:
    """Plant every kind and return what caught each. Without a seed one is taken from the digests, so that it can be repeated.

    Each kind draws by itself, so that some `kinds` alone give the plants that they have among all (see `joined`).
    `report` is asked before each draw, for it may raise `Cancelled`.
    """
    tools = instruments if instruments is not None else Instruments()
    bench = Bench(subject, tools)
    number = seed if seed is not None else int(subject.source.lock.sha256[:8], 16) ^ int(subject.draft.sha256[:8], 16)
    plants: list[Plant] = []
    not_tried: list[str] = []
    redrawn = 0
    total = sum(_COUNTS[kind] for kind in kinds)

    def step() -> None:
        if report is not None:
            report(min(len(plants), total), total)

    for kind in kinds:
        draw = random.Random(f"{number}:{kind}")
        try:
            for plant, useless in _planted(PLANTERS[kind], bench, draw, _COUNTS[kind], step):
                redrawn += useless
                if plant is not None:
                    plants.append(plant)
        except NoPlace as reason:
            not_tried.append(f"({kind}) {reason}")
    step()
    return PlantingReport(number, tuple(plants), tuple(not_tried), redrawn)


def joined(one: PlantingReport, other: PlantingReport) -> PlantingReport:
    """Return the report on two sets of kinds that were planted apart, with the same seed, as it would be of both at once."""
    plants = sorted((*one.plants, *other.plants), key=lambda plant: plant.kind)  # stable: each kind keeps its order
    not_tried = sorted((*one.not_tried, *other.not_tried))
    return PlantingReport(one.seed, tuple(plants), tuple(not_tried), one.redrawn + other.redrawn)


def _planted(
    plant: Planter, bench: Bench, draw: random.Random, count: int, step: Callable[[], None]
) -> Iterator[tuple[Plant | None, int]]:
    """Yield (plant, useless draws before it); None for a plant that no draw could make. `step` is called before each draw."""
    for number in range(count):
        useless = 0
        while useless < _MOST_DRAWS:
            step()
            try:
                yield plant(bench, draw, number + useless), useless
                break
            except Useless:
                useless += 1
        else:
            yield None, useless
