"""Associations between winning and the cells, requirements and choices of observed games.

An association is not a cause: a sweep that changes the value shows causes. Counts are taken as shares of the
alternatives, so that a long game weighs no more than a short one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from interpreter.experiments.confidence_intervals import Interval

_DOUBT = 0.05
_RARE = 0.05  # least share of games in which a count must occur
_FEWEST_GAMES = 30

Key = tuple[str, str, str]  # kind, name, seat


@dataclass(frozen=True, slots=True)
class OutcomeAssociation:
    """Association of a count (of a cell, requirement or choice) with winning, over many games.

    `effect`: the change of the result per standard deviation of the count; `where`: its interval. `share`: the mean
    share of the count among those of its kind in a game.
    """

    kind: str
    name: str
    seat: str
    games: int
    share: float
    effect: float
    where: Interval


def find_associations(observed: Iterable[tuple[int, Mapping[Key, int], float]]) -> tuple[OutcomeAssociation, ...]:
    """Return the associations with winning, most certain first, from (point, counts, result) of each game."""
    games = list(observed)
    if len(games) < _FEWEST_GAMES:
        return ()
    shares = [_convert_to_shares(counts) for _point, counts, _won in games]
    met = Counter(key for own in shares for key in own)
    keys = sorted(key for key, count in met.items() if _RARE * len(games) <= count)
    won = _center_by_point([(point, result) for point, _counts, result in games])
    spread = sum(w * w for w in won)
    if not keys or not spread:
        return ()
    z = NormalDist().inv_cdf(1 - _DOUBT / len(keys) / 2)
    associations = []
    for key in keys:
        own = [s.get(key, 0.0) for s in shares]
        centred = _center_by_point([(point, x) for (point, _c, _w), x in zip(games, own, strict=True)])
        variance = sum(x * x for x in centred) / len(games)
        if variance < 1e-12:
            continue
        pull = sum(x * w for x, w in zip(centred, won, strict=True)) / len(games) / sqrt(variance)
        rest = max(0.0, spread / len(games) - pull * pull)
        reach = z * sqrt(rest / max(1, len(games) - 2))
        associations.append(
            OutcomeAssociation(*key, met[key], sum(own) / len(games), pull, Interval(pull - reach, pull + reach))
        )
    return tuple(sorted(associations, key=lambda d: (-abs(d.effect), d.kind, d.name, d.seat)))


def _convert_to_shares(counts: Mapping[Key, int]) -> dict[Key, float]:
    """Convert counts to shares of their group: cells of a chart, options of a decision, or all refusals."""
    totals: dict[Key, int] = defaultdict(int)
    for key, count in counts.items():
        totals[_get_group(key)] += count
    return {key: count / totals[_get_group(key)] for key, count in counts.items()}


def _get_group(key: Key) -> Key:
    kind, name, seat = key
    return kind, name.partition("[")[0] if kind == "cell" else name.partition(":")[0] if kind == "choice" else "", seat


def _center_by_point(values: Iterable[tuple[int, float]]) -> list[float]:
    """Subtract from each value the mean of the values at its point of the design; `values`: (point, value)."""
    listed = list(values)
    sums: dict[int, tuple[float, int]] = {}
    for point, value in listed:
        total, count = sums.get(point, (0.0, 0))
        sums[point] = total + value, count + 1
    return [value - sums[point][0] / sums[point][1] for point, value in listed]
