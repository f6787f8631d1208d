"""Fit the weights of an evaluation to games of bots, and test them in fresh games against the old weights.

Each round plays with the current weights, fits those that would have predicted the results best, and moves toward
them within bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from interpreter.api.loading import load
from interpreter.experiments.confidence_intervals import DifferenceSum, Interval, compute_interval
from interpreter.experiments.evaluation_override import AT, EvaluationNotes, EvaluationOverrides
from interpreter.experiments.regression import Example, FitResult, learn
from interpreter.experiments.weights import Weights, write_variant
from interpreter.runtime.errors import SetupError
from interpreter.simulation.executors import Executor
from interpreter.simulation.games import BatchSpec, GameResult
from interpreter.simulation.scheduler import iter_blocks, play_blocks
from interpreter.simulation.seeds import derive_seed

_BLOCK = 10  # games of a plan before the next plan has its turn
_DOUBT = 0.05
_FARTHEST = 2  # a weight is at most doubled or halved in a round
_FINENESS = 8  # fractional weights are given in eighths
GamesProgress = Callable[[int, int], None]  # games played, and how many there will be


@dataclass(frozen=True, slots=True)
class FitRound:
    """One round of playing and fitting: number of finished games, wins by seat, the fit, and the weights after it."""

    games: int
    won: dict[str, int]
    learnt: FitResult
    weights: Weights


@dataclass(slots=True)
class FitTrial:
    """Results of fresh games in which one seat uses the new weights, paired with games in which all use the old ones.

    A gain is the number of wins that the seat with the new weights has more, from -1 to 1 for each pair of games.
    """

    gains: dict[str, DifferenceSum] = field(default_factory=dict)

    def add(self, seat: str, gain: float) -> None:
        """Add one pair of games; `gain` is the result of `seat` with the new weights minus that with the old ones."""
        self.gains.setdefault(seat, DifferenceSum()).add(gain)

    @property
    def overall(self) -> DifferenceSum:
        """Return the results of all seats added up."""
        total = DifferenceSum()
        for gain in self.gains.values():
            total = DifferenceSum(total.count + gain.count, total.total + gain.total, total.squares + gain.squares)
        return total

    def compute_interval(self, differences: DifferenceSum) -> Interval:
        """Return the confidence interval of a gain with an error probability of 5 %."""
        return compute_interval(differences, _DOUBT, share=True)

    @property
    def verdict(self) -> str:
        """Return "better", "worse" or "unknown" for all seats together."""
        where = self.compute_interval(self.overall)
        return "better" if where.low > 0 else "worse" if where.high < 0 else "unknown"


@dataclass(frozen=True, slots=True)
class WeightStudy:
    """Parameters of a fit of weights.

    `plan`: the batch of games; `weights`: the current weights, of which `integers` must stay integers; `folder`: the
    folder for temporary variants; `games`: the number of games in each of the `rounds`.
    """

    plan: BatchSpec
    weights: Weights
    integers: frozenset[str]
    folder: Path
    games: int
    rounds: int

    @property
    def seats(self) -> tuple[str, ...]:
        """Return the seats that play."""
        return tuple(self.plan.seats)

    @property
    def total(self) -> int:
        """Return the number of games that will be played in all rounds and the trial."""
        return self.games * (self.rounds + 1 + len(self.plan.seats))

    def fit(self, executor: Executor, report_progress: GamesProgress) -> Iterator[FitRound]:
        """Alternate playing and fitting, and yield each round. Raise SetupError if the games carry no information.

        `report_progress` is called with the number of games played and the number to play.
        """
        weights = self.weights
        for number in range(self.rounds):
            plan = self._plan(weights, f"round_{number}", derive_seed(self.plan.seed, f"round {number}"))
            steps = tuple((*self._write_step(weights, name), 1.0) for name in weights)
            watched = replace(plan, watching=EvaluationNotes(steps))
            played = list(self._play_batch([watched], executor, report_progress, number * self.games))
            round = self._learn_weights([p for _, p in played], weights)
            weights = round.weights
            yield round

    def try_out(self, weights: Weights, executor: Executor, report_progress: GamesProgress) -> FitTrial:
        """Play the old weights for all seats, and the new ones for each seat alone, over the same fresh seeds.

        `report_progress` is called with the number of games played and the number to play.
        """
        path = self.folder / "tried.yaml"
        write_variant(path, self.plan.target, "tried", weights)
        base = replace(self.plan, seed=derive_seed(self.plan.seed, "trial"))
        overrides = EvaluationOverrides(((str(path), _read_content(path)),))
        seats = self.plan.seats
        tried = [{**seats, seat: f"{seats[seat]}{AT}{path}"} for seat in self.seats]
        plans = [base, *(replace(base, seats=seated, make_bots=overrides) for seated in tried)]
        results: list[dict[int, GameResult]] = [{} for _ in plans]
        done = self.games * self.rounds
        for plan, played in self._play_batch(plans, executor, report_progress, done):
            results[plan][played.number] = played
        trial = FitTrial()
        for place, seat in enumerate(self.seats, 1):
            for number in sorted(results[0].keys() & results[place].keys()):
                old, new = results[0][number], results[place][number]
                if old.outcome and new.outcome:
                    trial.add(seat, _compute_result(new, seat) - _compute_result(old, seat))
        return trial

    def _play_batch(
        self, plans: list[BatchSpec], executor: Executor, report_progress: GamesProgress, reported: int
    ) -> Iterator[tuple[int, GameResult]]:
        """Play the games of some plans; yield each with the index of its plan.

        `report_progress`: called with the numbers of games played and of all games; `reported`: the number played
        before.
        """
        for plan, played in play_blocks(plans, iter_blocks(self.games, len(plans), _BLOCK), executor):
            reported += len(played)
            report_progress(reported, self.total)
            yield from ((plan, p) for p in played)

    def _learn_weights(self, played: Iterable[GameResult], weights: Weights) -> FitRound:
        """Fit the weights to the games of a round. Raise SetupError if the games carry no information."""
        finished = sorted((p for p in played if p.outcome), key=lambda p: p.number)
        won = {seat: sum(seat in p.winners for p in finished) for seat in self.seats}
        if not finished or len({_compute_result(p, self.seats[0]) for p in finished}) < 2:
            raise SetupError(
                "all games ended the same way, so the weights cannot be compared: play more games, or use "
                "other bots (--bots)"
            )
        examples = list(_iter_examples(finished, self.seats))
        if not examples:
            raise SetupError("the games are too short to analyze")
        learnt = learn(examples, len(self.seats))
        if learnt.scale <= 0:
            raise SetupError(
                "in these games the evaluation does not predict the winner, so its weights cannot be learned"
            )
        changed = {
            name: _clamp_weight(value, float(value) + change, name in self.integers)
            for (name, value), change in zip(weights.items(), learnt.changes, strict=True)
        }
        return FitRound(len(finished), won, learnt, changed)

    def _plan(self, weights: Weights, name: str, seed: int) -> BatchSpec:
        path = self.folder / f"{name}.yaml"
        write_variant(path, self.plan.target, name, weights)
        return replace(self.plan, target=str(path), seed=seed, content=_read_content(path))

    def _write_step(self, weights: Weights, name: str) -> tuple[str, str]:
        """Write a variant in which the weight `name` is larger by 1. Return its path and content hash."""
        path = self.folder / f"more_{name}.yaml"
        write_variant(path, self.plan.target, f"more_{name}", {**weights, name: weights[name] + 1})
        return str(path), _read_content(path)


def _read_content(path: Path) -> str:
    return load(str(path)).program.content_hash


def _compute_result(played: GameResult, seat: str) -> float:
    return 1.0 if seat in played.winners else 0.0 if played.winners else 0.5


def _iter_examples(played: Iterable[GameResult], seats: tuple[str, ...]) -> Iterator[Example]:
    """Yield the recorded positions of all games as examples; those of one game have weights that sum to 1."""
    for game in played:
        rows = game.observations["rows"]
        for seat, worth, *gains in rows:
            yield Example(seats.index(seat), worth, tuple(gains), _compute_result(game, seat), 1 / len(rows))


def _clamp_weight(old: Fraction, new: float, is_whole: bool) -> Fraction:
    """Return the fitted weight `new`, kept within a factor of the weight `old`, with the same sign, and rounded.

    `is_whole`: the weight must be an integer.
    """
    size = abs(float(old))
    low, high = (-1.0, 1.0) if not old else (size / _FARTHEST, size * _FARTHEST)
    sign = -1 if old < 0 else 1
    new = max(low, min(high, sign * new)) * sign
    return Fraction(round(new)) if is_whole else Fraction(round(new * _FINENESS), _FINENESS)
