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
from interpreter.experiments.sweep.game_traces import CELL, CHOICE, TracedEvent

_ERROR_PROBABILITY = 0.05
_RARE = 0.05  # least share of games in which a count must occur
_MIN_GAMES = 30


@dataclass(frozen=True, slots=True)
class OutcomeAssociation:
    """Association of how often a cell, requirement or choice occurred with the result of many games.

    `kind`, `name`, `seat`: what occurred, as in `TracedEvent`. `games`: the number of games in which it occurred.
    `share`: its mean share, 0 to 1, of all occurrences of its group (see `_convert_to_shares`) in a game. `effect`: the
    change of the result (1 for a win, 0.5 for a draw, 0 for a loss) per standard deviation of that share. `interval`:
    the 95 % confidence interval of `effect`, Bonferroni-corrected for the number of associations.
    """

    kind: str
    name: str
    seat: str
    games: int
    share: float
    effect: float
    interval: Interval


def find_associations(
    observed: Iterable[tuple[int, Mapping[TracedEvent, int], float]],
) -> tuple[OutcomeAssociation, ...]:
    """Return the associations with winning, largest absolute effect first; () for fewer than 30 games.

    `observed`: (point of the design, counts, result of the seat examined) of each game. Events that occur in fewer than
    5 % of the games are left out.
    """
    games = list(observed)
    if len(games) < _MIN_GAMES:
        return ()
    shares = [_convert_to_shares(counts) for _point, counts, _won in games]
    game_counts = Counter(key for values in shares for key in values)
    keys = sorted(key for key, count in game_counts.items() if _RARE * len(games) <= count)
    won = _center_by_point([(point, result) for point, _counts, result in games])
    spread = sum(w * w for w in won)
    if not keys or not spread:
        return ()
    z = NormalDist().inv_cdf(1 - _ERROR_PROBABILITY / len(keys) / 2)
    associations = []
    for key in keys:
        values = [s.get(key, 0.0) for s in shares]
        centred = _center_by_point([(point, x) for (point, _c, _w), x in zip(games, values, strict=True)])
        variance = sum(x * x for x in centred) / len(games)
        if variance < 1e-12:
            continue
        effect = sum(x * w for x, w in zip(centred, won, strict=True)) / len(games) / sqrt(variance)
        rest = max(0.0, spread / len(games) - effect * effect)
        half_width = z * sqrt(rest / max(1, len(games) - 2))
        associations.append(
            OutcomeAssociation(
                *key,
                game_counts[key],
                sum(values) / len(games),
                effect,
                Interval(effect - half_width, effect + half_width),
            )
        )
    return tuple(sorted(associations, key=lambda d: (-abs(d.effect), d.kind, d.name, d.seat)))


def _convert_to_shares(counts: Mapping[TracedEvent, int]) -> dict[TracedEvent, float]:
    """Convert counts to shares of their group: cells of a chart, options of a decision, or all refusals."""
    totals: dict[TracedEvent, int] = defaultdict(int)
    for key, count in counts.items():
        totals[_get_group(key)] += count
    return {key: count / totals[_get_group(key)] for key, count in counts.items()}


def _get_group(key: TracedEvent) -> TracedEvent:
    kind, name, seat = key
    group = name.partition("[")[0] if kind == CELL else name.partition(":")[0] if kind == CHOICE else ""
    return TracedEvent(kind, group, seat)


def _center_by_point(values: Iterable[tuple[int, float]]) -> list[float]:
    """Subtract from each value the mean of the values at its point of the design; `values`: (point, value)."""
    listed = list(values)
    sums: dict[int, tuple[float, int]] = {}
    for point, value in listed:
        total, count = sums.get(point, (0.0, 0))
        sums[point] = total + value, count + 1
    return [value - sums[point][0] / sums[point][1] for point, value in listed]
