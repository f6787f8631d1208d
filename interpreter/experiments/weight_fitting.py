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
from interpreter.experiments.evaluation_override import AT, EvaluationNotes, EvaluationOverrides, WeightStep
from interpreter.experiments.regression import Example, FitResult, fit_evaluation
from interpreter.experiments.weights import Weights, write_variant
from interpreter.runtime.errors import SetupError
from interpreter.simulation.executors import Executor
from interpreter.simulation.games import BatchSpec, GameResult
from interpreter.simulation.scheduler import iter_blocks, play_blocks
from interpreter.simulation.seeds import derive_seed

_BLOCK = 10  # games of a spec before the next spec has its turn
_ERROR_PROBABILITY = 0.05
_MAX_FACTOR = 2  # a weight is at most doubled or halved in a round
_DENOMINATOR = 8  # fractional weights are given in eighths
GamesProgress = Callable[[int, int], None]  # games played, and how many there will be


@dataclass(frozen=True, slots=True)
class FitRound:
    """One round of playing and fitting: number of finished games, wins by seat, the fit, and the weights after it."""

    games: int
    won: dict[str, int]
    fit: FitResult
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
        return compute_interval(differences, _ERROR_PROBABILITY, share=True)

    @property
    def verdict(self) -> str:
        """Return "better", "worse" or "unknown" for all seats together."""
        interval = self.compute_interval(self.overall)
        return "better" if interval.low > 0 else "worse" if interval.high < 0 else "unknown"


@dataclass(frozen=True, slots=True)
class WeightStudy:
    """Parameters of a fit of weights.

    `spec`: the batch of games; `weights`: the current weights, of which `integers` must stay integers; `folder`: the
    folder for temporary variants; `games`: the number of games in each of the `rounds`.
    """

    spec: BatchSpec
    weights: Weights
    integers: frozenset[str]
    folder: Path
    games: int
    rounds: int

    @property
    def seats(self) -> tuple[str, ...]:
        """Return the seats that play."""
        return tuple(self.spec.seats)

    @property
    def total(self) -> int:
        """Return the number of games that will be played in all rounds and the trial."""
        return self.games * (self.rounds + 1 + len(self.spec.seats))

    def iter_rounds(self, executor: Executor, report_progress: GamesProgress) -> Iterator[FitRound]:
        """Alternate playing and fitting, and yield each round. Raise SetupError if the games carry no information.

        `report_progress` is called with the number of games played and the number to play.
        """
        weights = self.weights
        for number in range(self.rounds):
            spec = self._build_spec(weights, f"round_{number}", derive_seed(self.spec.seed, f"round {number}"))
            steps = tuple(self._write_step(weights, name) for name in weights)
            observed = replace(spec, make_observer=EvaluationNotes(steps))
            played = list(self._play_batch([observed], executor, report_progress, number * self.games))
            fit_round = self._fit_weights([p for _, p in played], weights)
            weights = fit_round.weights
            yield fit_round

    def test_weights(self, weights: Weights, executor: Executor, report_progress: GamesProgress) -> FitTrial:
        """Play fresh games with the old weights, then the same seeds with the new weights in one seat at a time.

        `report_progress` is called with the number of games played and the number to play.
        """
        path = self.folder / "tried.yaml"
        write_variant(path, self.spec.target, "tried", weights)
        base = replace(self.spec, seed=derive_seed(self.spec.seed, "trial"))
        overrides = EvaluationOverrides(((str(path), _read_content(path)),))
        seats = self.spec.seats
        seatings = [{**seats, seat: f"{seats[seat]}{AT}{path}"} for seat in self.seats]
        specs = [base, *(replace(base, seats=seated, make_bots=overrides) for seated in seatings)]
        results: list[dict[int, GameResult]] = [{} for _ in specs]
        done = self.games * self.rounds
        for spec, played in self._play_batch(specs, executor, report_progress, done):
            results[spec][played.number] = played
        trial = FitTrial()
        for place, seat in enumerate(self.seats, 1):
            for number in sorted(results[0].keys() & results[place].keys()):
                old, new = results[0][number], results[place][number]
                if old.outcome and new.outcome:
                    trial.add(seat, _compute_result(new, seat) - _compute_result(old, seat))
        return trial

    def _play_batch(
        self, specs: list[BatchSpec], executor: Executor, report_progress: GamesProgress, reported: int
    ) -> Iterator[tuple[int, GameResult]]:
        """Play the games of some specs; yield each with the index of its spec.

        `report_progress`: called with the numbers of games played and of all games; `reported`: the number played
        before.
        """
        for spec, played in play_blocks(specs, iter_blocks(self.games, len(specs), _BLOCK), executor):
            reported += len(played)
            report_progress(reported, self.total)
            yield from ((spec, p) for p in played)

    def _fit_weights(self, played: Iterable[GameResult], weights: Weights) -> FitRound:
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
        fit = fit_evaluation(examples, len(self.seats))
        if fit.scale <= 0:
            raise SetupError(
                "in these games the evaluation does not predict the winner, so its weights cannot be learned"
            )
        changed = {
            name: _clamp_weight(value, float(value) + change, name in self.integers)
            for (name, value), change in zip(weights.items(), fit.changes, strict=True)
        }
        return FitRound(len(finished), won, fit, changed)

    def _build_spec(self, weights: Weights, name: str, seed: int) -> BatchSpec:
        path = self.folder / f"{name}.yaml"
        write_variant(path, self.spec.target, name, weights)
        return replace(self.spec, target=str(path), seed=seed, content=_read_content(path))

    def _write_step(self, weights: Weights, name: str) -> WeightStep:
        """Write a variant in which the weight `name` is larger by 1, and return it."""
        path = self.folder / f"more_{name}.yaml"
        write_variant(path, self.spec.target, f"more_{name}", {**weights, name: weights[name] + 1})
        return WeightStep(str(path), _read_content(path), 1.0)


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
    low, high = (-1.0, 1.0) if not old else (size / _MAX_FACTOR, size * _MAX_FACTOR)
    sign = -1 if old < 0 else 1
    new = max(low, min(high, sign * new)) * sign
    return Fraction(round(new)) if is_whole else Fraction(round(new * _DENOMINATOR), _DENOMINATOR)
