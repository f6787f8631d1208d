"""Rank untried options by their similarity to tried ones: an option is as promising as its components.

A component is the name of an option, one of its arguments, or one field of the offer of a draft, at its position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any


def find_similar_options(keys: Sequence[Any], means: Mapping[int, float], most: int) -> list[int]:
    """Return the numbers of at most `most` untried options that resemble the best tried ones, best first.

    `keys`: the key of each option by number; `means`: the value of each tried option by number.
    """
    untried = [number for number in range(len(keys)) if number not in means]
    mean = sum_in_order(means.values()) / len(means)
    if all(value == mean for value in means.values()):
        return untried[:most]  # nothing tells them apart
    sums: dict[Any, tuple[float, int]] = {}
    for number, value in means.items():
        for part in _flatten_key(keys[number]):
            total, count = sums.get(part, (0.0, 1))
            sums[part] = (total + value - mean, count + 1)
    effects = {part: total / count for part, (total, count) in sums.items()}
    promise = {
        number: sum_in_order(effects[part] for part in _flatten_key(keys[number]) if part in effects)
        for number in untried
    }
    return sorted(untried, key=lambda number: -promise[number])[:most]


def sum_in_order(numbers: Iterable[float]) -> float:
    """Return the sum of numbers added from first to last, rounded after each addition.

    `sum` of Python 3.12 and later compensates for rounding; this gives the same result in every version of Python and
    in the WebAssembly module.
    """
    total = 0.0
    for number in numbers:
        total += number
    return total


@lru_cache(maxsize=4096)  # the same options come again from decision to decision
def _flatten_key(key: Iterable[Any]) -> tuple[tuple[int, Any], ...]:
    """Return the components of an option's key as pairs (position, component); nested tuples are flattened."""
    flat: list[Any] = []
    for part in key:
        flat.extend(part) if isinstance(part, tuple) else flat.append(part)
    return tuple(enumerate(flat))
