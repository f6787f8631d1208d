"""Compare A with B over the same seeds (common random numbers), pair by pair.

The result does not depend on the order in which games arrive: pairs are evaluated by number, and the points where a
run may stop are fixed beforehand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from interpreter.diagnostics.record_walk import select_fields
from interpreter.experiments.confidence_intervals import (
    MIN_PAIRS_TO_STOP,
    DifferenceSum,
    Interval,
    compute_interval,
    estimate_pairs_needed,
    pad_with_pseudo_pairs,
    round_figure,
)
from interpreter.experiments.measures import WINS, Measurer, Row, build_row, get_measure_order, is_share, list_levels
from interpreter.runtime.program import Program
from interpreter.simulation.executors import Executor
from interpreter.simulation.games import BatchSpec, GameResult
from interpreter.simulation.scheduler import iter_blocks, play_blocks

BLOCK = 25  # pairs between two looks


@dataclass(frozen=True, slots=True)
class ComparisonPlan:
    """Parameters of a comparison of A and B.

    `pairs` is the maximum number of pairs of games, `certainty` the joint confidence of all intervals. If `is_open`,
    the run stops as soon as the main question is answered. `relevant_difference` is the smallest difference in win rate
    that matters. If `apart`, B has seeds of its own.
    """

    pairs: int
    certainty: float = 0.95
    is_open: bool = False
    relevant_difference: float = 0.05
    apart: bool = False

    @property
    def error_probability(self) -> float:
        """Return the probability that at least one statement of the report is wrong."""
        return 1 - self.certainty


@dataclass(slots=True)
class MeasuredPairs:
    """The values of one measure in A and in B, and the difference (B minus A) in pairs in which both have a value."""

    a: DifferenceSum = field(default_factory=DifferenceSum)
    b: DifferenceSum = field(default_factory=DifferenceSum)
    difference: DifferenceSum = field(default_factory=DifferenceSum)

    def add(self, a: float | None, b: float | None) -> None:
        """Add the values of one pair; None means that a game has no value."""
        if a is not None:
            self.a.add(a)
        if b is not None:
            self.b.add(b)
        if a is not None and b is not None:
            self.difference.add(b - a)


@dataclass(frozen=True, slots=True)
class MeasureSummary:
    """The result for one measure, rounded; None for what is unknown.

    `a`, `b`: the means. `difference`: the mean of B minus A; `low` and `high`: its confidence interval; `error`: its
    standard error. `pairs`: the number of pairs with a value in both; `differs`: the interval excludes 0.
    """

    a: float | None
    b: float | None
    difference: float | None
    low: float | None
    high: float | None
    error: float | None
    pairs: int
    differs: bool


@dataclass(slots=True)
class PairedComparison:
    """The pairs of games played so far, summed by measure.

    `identical`: the number of pairs in which both games were identical. `is_stopped`: the run was interrupted.
    `faults`: the games that ended by a fault.
    """

    plan: ComparisonPlan
    seats: tuple[str, ...]
    measures: dict[str, MeasuredPairs] = field(default_factory=dict)
    pairs: int = 0
    identical: int = 0
    faults: list[Any] = field(default_factory=list)
    is_stopped: bool = False

    def add(self, a: Row, b: Row, same: bool) -> None:
        """Add one pair of games by their measures; `same`: the games were identical."""
        self.pairs += 1
        self.identical += same
        for name in dict.fromkeys((*a, *b)):
            self.measures.setdefault(name, MeasuredPairs())
        for name, measured in self.measures.items():
            measured.add(a.get(name), b.get(name))

    @property
    def main_measure(self) -> str:
        """Return the main measure: the wins of the first seat that both sides share, or '' if they share none."""
        return f"{WINS}.{self.seats[0]}" if self.seats else ""

    @property
    def is_same(self) -> bool:
        """Return whether the games of every pair are identical."""
        return self.pairs > 0 and self.identical == self.pairs

    def compute_interval(self, name: str) -> Interval:
        """Return the confidence interval of the difference in the measure `name`.

        The intervals of all measures hold jointly with the requested confidence.
        """
        if self.is_same:
            return Interval(0.0, 0.0)
        return compute_interval(
            self.measures[name].difference,
            self.get_error_probability(name),
            share=is_share(name),
            is_anytime_valid=self.plan.is_open,
        )

    def get_error_probability(self, name: str) -> float:
        """Return the error probability allotted to a measure: half of the total for wins, half for all other measures.

        With two seats the wins of one determine those of the other, so they count as one measure.
        """
        wins = [f"{WINS}.{seat}" for seat in self.seats]
        if name in wins:
            return self.plan.error_probability / 2 / max(1, len(wins) - 1)
        other_measures = [n for n in self.measures if n not in wins]
        return self.plan.error_probability / 2 / max(1, len(other_measures))

    @property
    def verdict(self) -> str:
        """Return "same" (identical games), "differs", "alike" (no difference that matters) or "unknown".

        The verdict is about the main measure.
        """
        if self.is_same:
            return "same"
        if not self.main_measure or self.main_measure not in self.measures:
            return "unknown"
        interval = self.compute_interval(self.main_measure)
        if interval.excludes_zero:
            return "differs"
        most = self.plan.relevant_difference
        return "alike" if -most <= interval.low and interval.high <= most else "unknown"

    def summarize_measures(self) -> dict[str, MeasureSummary]:
        """Return the result for each measure, in the order of reports."""
        return {name: self._summarize_measure(name) for name in sorted(self.measures, key=get_measure_order)}

    def _summarize_measure(self, name: str) -> MeasureSummary:
        measured, interval = self.measures[name], self.compute_interval(name)
        difference = measured.difference
        is_known = bool(measured.a.count and measured.b.count) and abs(interval.low) != float("inf")
        return MeasureSummary(
            a=round_figure(measured.a.mean) if measured.a.count else None,
            b=round_figure(measured.b.mean) if measured.b.count else None,
            difference=round_figure(difference.mean) if difference.count else None,
            low=round_figure(interval.low) if is_known else None,
            high=round_figure(interval.high) if is_known else None,
            error=round_figure(difference.deviation / difference.count**0.5) if difference.count else None,
            pairs=difference.count,
            differs=is_known and interval.excludes_zero,
        )

    @property
    def is_known(self) -> bool:
        """Return whether the main question is answered."""
        return self.pairs >= MIN_PAIRS_TO_STOP and self.verdict != "unknown"

    @property
    def needed(self) -> int:
        """Estimate how many pairs of games are needed to answer the main question."""
        main = self.measures[self.main_measure].difference
        return estimate_pairs_needed(
            pad_with_pseudo_pairs(main),
            max(abs(main.mean), self.plan.relevant_difference),
            self.get_error_probability(self.main_measure),
        )


ComparisonProgress = Callable[[PairedComparison, int], None]


def run_comparison(
    specs: tuple[BatchSpec, BatchSpec],
    programs: tuple[Program, Program],
    plan: ComparisonPlan,
    executor: Executor,
    report_progress: ComparisonProgress,
) -> PairedComparison:
    """Play pairs until the question is answered or `plan.pairs` is reached; return the comparison.

    `specs` and `programs`: those of A and of B. An interrupt keeps the finished games. `report_progress` is called with
    the comparison so far and the number of games.
    """
    two = tuple(replace(spec, make_observer=Measurer) for spec in specs)
    seats = tuple(seat for seat in specs[0].seats if seat in specs[1].seats)
    comparison = PairedComparison(plan, seats)
    waiting: tuple[dict[int, GameResult], dict[int, GameResult]] = ({}, {})
    reported = 0
    try:
        for spec, played in play_blocks(two, iter_blocks(plan.pairs, 2, BLOCK), executor):
            reported += len(played)
            waiting[spec].update({p.number: p for p in played})
            while comparison.pairs in waiting[0] and comparison.pairs in waiting[1]:
                number = comparison.pairs
                _add(comparison, programs, specs, waiting[0].pop(number), waiting[1].pop(number))
                if plan.is_open and comparison.pairs % BLOCK == 0 and comparison.is_known:
                    return comparison
            report_progress(comparison, reported)
    except KeyboardInterrupt:
        comparison.is_stopped = True
    return comparison


def _add(
    comparison: PairedComparison,
    programs: tuple[Program, Program],
    specs: tuple[BatchSpec, BatchSpec],
    a: GameResult,
    b: GameResult,
) -> None:
    """Add the pair of games `a` and `b` to a comparison."""
    comparison.faults += [p.fault for p in (a, b) if p.fault is not None]
    rows = [
        build_row(played, tuple(spec.seats), list_levels(program))
        for played, spec, program in zip((a, b), specs, programs, strict=True)
    ]
    same = programs[0].content_hash == programs[1].content_hash and a.hash == b.hash and a.outcome == b.outcome
    comparison.add(rows[0], rows[1], same)


def serialize_comparison(comparison: PairedComparison) -> dict[str, Any]:
    """Return the comparison as JSON data; None for a measure that one side lacks."""
    faults = [select_fields(fault, "seed", "message", "file", "line") for fault in comparison.faults]
    return {
        "pairs": comparison.pairs,
        "asked": comparison.plan.pairs,
        "alike": comparison.identical,
        "certainty": comparison.plan.certainty,
        "until": comparison.plan.is_open,
        "worth": comparison.plan.relevant_difference,
        "main": comparison.main_measure,
        "verdict": comparison.verdict,
        "measures": {name: asdict(summary) for name, summary in comparison.summarize_measures().items()},
        **({"faults": faults} if faults else {}),
    }
