"""Two ways to do the same, timed in turn in CPU time.

Who comes first after the garbage collector has run finds every cache cold: both are done once before the clock runs,
and they take turns in being first.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from time import process_time
from typing import Any

Way = Callable[[int], Any]  # a game by its seed; what it gives is dropped


def ratio(one: Way, other: Way, seeds: Iterable[int], number: int) -> tuple[float, float]:
    """How much longer the first way takes than the second, and its seconds; `number` is that of the round."""
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
