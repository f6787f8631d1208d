"""Which options are worth a look when some like them have been looked at: an option is as good as its parts promise.

A part is the sort of an option, one of its arguments, or one field of what a draft offers, at its place. Must not look
ahead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any


def promising(keys: Sequence[Any], seen: Mapping[int, float], most: int) -> list[int]:
    """At most `most` numbers of options that were not seen: those whose parts went with the best of what was seen."""
    left = [number for number in range(len(keys)) if number not in seen]
    mean = sum(seen.values()) / len(seen)
    if all(worth == mean for worth in seen.values()):
        return left[:most]  # nothing tells them apart
    sums: dict[Any, tuple[float, int]] = {}
    for number, worth in seen.items():
        for part in _parts(keys[number]):
            total, count = sums.get(part, (0.0, 1))
            sums[part] = (total + worth - mean, count + 1)
    effects = {part: total / count for part, (total, count) in sums.items()}
    promise = {number: sum([effects[part] for part in _parts(keys[number]) if part in effects]) for number in left}
    return sorted(left, key=lambda number: -promise[number])[:most]


@lru_cache(maxsize=4096)  # the same options come again from decision to decision
def _parts(key: Any) -> tuple[tuple[int, Any], ...]:
    """The parts of an option with their places."""
    flat: list[Any] = []
    for part in key:
        flat.extend(part) if isinstance(part, tuple) else flat.append(part)
    return tuple(enumerate(flat))
