"""Two ways to do the same, timed in turn in CPU time.

The first to run after a garbage collection finds every cache cold: both run once before the clock starts, and they
take turns in being first.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from time import process_time
from typing import Any

Way = Callable[[int], Any]  # a game by its seed; its result is dropped


def ratio(one: Way, other: Way, seeds: Iterable[int], number: int) -> tuple[float, float]:
    """Return the time ratio of the first way to the second, and the seconds of the first, in round `number`."""
    games = list(seeds)
    gc.collect()
    for seed in games:
        one(seed), other(seed)
    taken = {}
    for way in (one, other) if number % 2 else (other, one):
        start = process_time()
        for seed in games:
            way(seed)
        taken[way] = process_time() - start
    return taken[one] / taken[other], taken[one]
