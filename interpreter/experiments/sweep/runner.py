"""Run a sweep: find the missing games, play them, and summarize the results.

The summary depends on the games alone, not on when or by which process they were played. Prints nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from interpreter.diagnostics.record_walk import select_fields
from interpreter.experiments.confidence_intervals import Interval, compute_interval, round_figure, sum_differences
from interpreter.experiments.measures import WINS, Measurer, build_row, get_measure_order, is_share, list_levels
from interpreter.experiments.sweep.designs import Design, Point
from interpreter.experiments.sweep.effects import EffectTable, FactorEffect, compute_effects, list_shared_games
from interpreter.experiments.sweep.game_traces import TracedEvent, TraceObserver
from interpreter.experiments.sweep.outcome_associations import OutcomeAssociation, find_associations
from interpreter.experiments.sweep.store import StoredGame, SweepStore
from interpreter.runtime.program import Program
from interpreter.simulation.executors import Executor
from interpreter.simulation.games import BatchSpec, GameResult
from interpreter.simulation.scheduler import play_blocks
from interpreter.simulation.work_units import WorkUnit, play_work_unit

_BLOCK = 20  # games of a point before the next point has its turn
OBSERVED_POINTS = 16
_MAX_SERIALIZED = 40  # associations with winning in the JSON data
_TIMED_GAMES = 3  # games timed for each assignment of bots to seats
_LONG_GAME = 3.0  # seconds; of such games one is enough

SweepProgress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class SweepSpec:
    """Specification of a sweep: one batch specification for each point (`specs`), and the games to play at each.

    `numbers`: the number of each point in the store; `games`: the number of games at each point; `observed`: how many
    of these are traced.
    """

    design: Design
    specs: tuple[BatchSpec, ...]
    numbers: tuple[int, ...]
    games: int
    observed: int


def count_missing_games(sweep: SweepSpec, store: SweepStore) -> int:
    """Return how many games of the sweep are missing in `store`."""
    return _count_missing(sweep.numbers, sweep.games, store)


def estimate_seconds(sweep: SweepSpec, store: SweepStore, program: Program) -> float:
    """Estimate the seconds that one process needs for the games that are missing in `store`.

    For this purpose, a few games of each assignment of bots to seats are played and stored.
    """
    levels, needed = list_levels(program), 0.0
    seatings: dict[tuple[tuple[str, str], ...], list[int]] = {}
    for n, spec in enumerate(sweep.specs):
        seatings.setdefault(tuple(sorted(spec.seats.items())), []).append(n)
    for points in seatings.values():
        missing = ((n, g) for n in points for g in range(sweep.games) if (sweep.numbers[n], g) not in store.records)
        seconds: list[float] = []
        for n, game in islice(missing, _TIMED_GAMES):
            spec = _build_point_spec(sweep, n, game)
            result = play_work_unit(WorkUnit(n, spec, (game,)))
            store.add(_build_stored_game(sweep.numbers[n], spec, levels, played) for played in result.played)
            seconds.append(result.seconds)
            if result.seconds > _LONG_GAME:
                break
        remaining = _count_missing([sweep.numbers[n] for n in points], sweep.games, store)
        needed += remaining * sum(seconds) / max(1, len(seconds))
    return needed


def _count_missing(numbers: Sequence[int], games: int, store: SweepStore) -> int:
    points = set(numbers)
    return len(points) * games - sum(1 for point, game in store.records if point in points and game < games)


def _build_point_spec(sweep: SweepSpec, n: int, game: int) -> BatchSpec:
    """Return the batch specification of point `n`, with a tracing observer if the game number `game` is traced."""
    is_observed = n < OBSERVED_POINTS and game < sweep.observed
    return replace(sweep.specs[n], make_observer=TraceObserver if is_observed else Measurer)


def play_missing_games(
    sweep: SweepSpec, store: SweepStore, program: Program, executor: Executor, report_progress: SweepProgress
) -> None:
    """Play the games that are missing in `store`, and store each as soon as it is finished.

    `report_progress` is called with the number of games played so far.
    """
    specs = list[BatchSpec]()
    for n, spec in enumerate(sweep.specs):
        observer = TraceObserver if n < OBSERVED_POINTS else Measurer
        specs += [replace(spec, make_observer=observer), replace(spec, make_observer=Measurer)]
    levels, played_games = list_levels(program), 0
    try:
        for n, played in play_blocks(specs, _iter_blocks(sweep, store), executor):
            store.add(_build_stored_game(sweep.numbers[_get_point(n)], specs[n], levels, p) for p in played)
            played_games += len(played)
            report_progress(played_games)
    except KeyboardInterrupt:
        for result in executor.collect_finished():
            store.add(
                _build_stored_game(sweep.numbers[_get_point(result.spec_number)], specs[result.spec_number], levels, p)
                for p in result.played
            )
        raise


def _iter_blocks(sweep: SweepSpec, store: SweepStore) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield blocks of missing games, round-robin over the points, as (number of the spec, numbers of the games)."""
    for first in range(0, sweep.games, _BLOCK):
        for n, number in enumerate(sweep.numbers):
            missing = [
                game for game in range(first, min(first + _BLOCK, sweep.games)) if (number, game) not in store.records
            ]
            for is_traced in (True, False):
                if games := [game for game in missing if (game < sweep.observed) == is_traced]:
                    yield _get_spec_number(n, is_traced), games


def _get_spec_number(point: int, is_traced: bool) -> int:
    """Return the number of the spec for some games of a point: each point has one for traced games, then another."""
    return 2 * point + (not is_traced)


def _get_point(spec_number: int) -> int:
    """Return the index of the point to which a spec belongs."""
    return spec_number // 2


def _build_stored_game(point: int, spec: BatchSpec, levels: tuple[str, ...], played: GameResult) -> StoredGame:
    looks = tuple((str(k), str(n), str(s), int(c)) for k, n, s, c in played.observations.get("looks", ()))
    fault = "" if played.fault is None else f"{played.fault.file}:{played.fault.line}: {played.fault.message}"
    row = build_row(played, tuple(spec.seats), levels)
    return StoredGame(point, played.number, played.seed, played.outcome, played.hash, row, fault, looks)


@dataclass(frozen=True, slots=True)
class SweepSummary:
    """Results of a sweep.

    `main`: the measure of balance. `unfinished`: the number of games that were cut off. `seeds`: the number of games at
    every point. `effects`: the effects by measure. `deciders`: what is associated with winning. `points`: for each
    point of the design its number, changes, games and share with bounds.
    """

    design: Design
    main: str
    seeds: int
    games: int
    unfinished: int
    faults: tuple[str, ...]
    effects: Mapping[str, EffectTable]
    deciders: tuple[OutcomeAssociation, ...]
    points: tuple[dict[str, Any], ...]


def summarize_sweep(sweep: SweepSpec, store: SweepStore, seats: Sequence[str]) -> SweepSummary:
    """Summarize all games of the design, including games of earlier runs.

    `seats`: the seats of the game; the wins of the first one are the measure of balance.
    """
    design, main = sweep.design, f"{WINS}.{seats[0]}"
    point_of: dict[int, Point] = dict(zip(sweep.numbers, design.points, strict=True))
    records = [store.records[key] for key in sorted(store.records) if key[0] in point_of]
    by_measure: dict[str, dict[Point, dict[int, float]]] = {}
    for record in records:
        for name, value in record.row.items():
            by_measure.setdefault(name, {}).setdefault(point_of[record.point], {})[record.game] = value
    effects = {
        name: table
        for name in sorted(sorted(by_measure), key=get_measure_order)
        if (table := compute_effects(design, by_measure[name], is_share(name))) is not None
    }
    observed = [
        (r.point, {TracedEvent(kind, name, seat): count for kind, name, seat, count in r.looks}, r.row[main])
        for r in records
        if r.looks and main in r.row
    ]
    points = tuple(
        _serialize_point(number, design.list_changes(point), by_measure.get(main, {}).get(point, {}))
        for number, point in point_of.items()
    )
    return SweepSummary(
        design,
        main,
        len(list_shared_games(design, by_measure.get(main, {}))),
        len(records),
        sum(1 for r in records if not r.outcome and not r.fault),
        tuple(dict.fromkeys(r.fault for r in records if r.fault)),
        effects,
        find_associations(observed),
        points,
    )


def _serialize_point(number: int, changes: dict[str, str], played: Mapping[int, float]) -> dict[str, Any]:
    """Return a point with its share of wins as JSON data; `played`: the result by number of the game."""
    total = sum_differences(played[n] for n in sorted(played))
    interval = compute_interval(total, 0.05, share=True)
    return {
        "point": number,
        "changes": changes,
        "games": total.count,
        "share": round_figure(total.mean) if total.count else None,
        "low": round_figure(max(0.0, interval.low)) if total.count else None,
        "high": round_figure(min(1.0, interval.high)) if total.count else None,
    }


def serialize_summary(summary: SweepSummary) -> dict[str, Any]:
    """Return the summary as JSON data."""
    design = summary.design
    return {
        "design": design.sort,
        "possible": design.possible,
        "factors": {f.path: {"values": list(f.values), "base": f.base} for f in design.factors},
        "main": summary.main,
        "games": summary.games,
        "unfinished": summary.unfinished,
        "faults": list(summary.faults),
        "points": list(summary.points),
        "effects": {name: _serialize_effects(effects) for name, effects in summary.effects.items()},
        "deciders": [
            {
                **select_fields(d, "kind", "name", "seat", "games"),
                "share": round_figure(d.share),
                "effect": round_figure(d.effect),
                **_serialize_interval(d.interval),
            }
            for d in summary.deciders[:_MAX_SERIALIZED]
        ],
    }


def _serialize_effects(effects: EffectTable) -> dict[str, Any]:
    return {
        "seeds": effects.seeds,
        "pairs_known": effects.pairs_known,
        **{sort: [_serialize_effect(e) for e in getattr(effects, sort)] for sort in ("single", "levels", "pairs")},
    }


def _serialize_effect(effect: FactorEffect) -> dict[str, Any]:
    return {
        "changes": dict(zip(effect.paths, effect.values, strict=True)),
        "mean": round_figure(effect.mean),
        **_serialize_interval(effect.interval),
    }


def _serialize_interval(interval: Interval) -> dict[str, Any]:
    return {"low": round_figure(interval.low), "high": round_figure(interval.high), "sure": interval.excludes_zero}
