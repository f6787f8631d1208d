"""The scheduler of all batches: split games into work units for an executor and yield the results.

The games do not depend on the executor; only the order in which they arrive does. Prints nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from interpreter.simulation.executors import Executor
from interpreter.simulation.games import BatchSpec, GameResult
from interpreter.simulation.work_units import WorkUnit, compute_code_digest

_UNIT_SECONDS = 0.5  # of a work unit: long compared with its overhead, short enough to lose
_MOST_GAMES = 200
Block = tuple[int, Sequence[int]]  # the number of a plan, and numbers of its games


@dataclass(slots=True)
class _Pace:
    """Running estimate of how long a game of each plan takes: games and seconds by plan number.

    `longest`: the most games in one work unit.
    """

    longest: int
    games: dict[int, int] = field(default_factory=dict)
    seconds: dict[int, float] = field(default_factory=dict)

    def record_pace(self, plan: int, games: int, seconds: float) -> None:
        self.games[plan] = self.games.get(plan, 0) + games
        self.seconds[plan] = self.seconds.get(plan, 0.0) + seconds

    def choose_block_size(self, plan: int) -> int:
        """Return how many games of a plan to put into one work unit."""
        reference_plan = plan if plan in self.games else next(reversed(self.games), None)
        if reference_plan is None or not self.seconds[reference_plan]:
            return 1
        return max(1, min(self.longest, int(_UNIT_SECONDS * self.games[reference_plan] / self.seconds[reference_plan])))


def iter_blocks(games: int, plans: int, size: int) -> Iterator[Block]:
    """Yield (plan number, game numbers) for blocks of up to `size` games, alternating between the plans.

    `games`: how many of each plan. `plans`: how many plans there are.
    """
    for first in range(0, games, size):
        for plan in range(plans):
            yield plan, range(first, min(first + size, games))


def play_blocks(
    plans: Sequence[BatchSpec], blocks: Iterable[Block], executor: Executor
) -> Iterator[tuple[int, tuple[GameResult, ...]]]:
    """Play blocks of games, roughly in order. Yield (plan number, results) for each work unit when it is done.

    `blocks`: pairs of plan number and game numbers.
    """
    pace = _Pace(1 if executor.is_alone else _MOST_GAMES)
    units = _iter_units(plans, blocks, pace, "" if executor.is_alone else compute_code_digest())
    under_way = 0
    while True:
        while under_way < executor.room and (unit := next(units, None)) is not None:
            executor.submit(unit)
            under_way += 1
        if not under_way:
            return
        done = executor.wait_result()
        under_way -= 1
        pace.record_pace(done.plan_number, len(done.played), done.seconds)
        yield done.plan_number, done.played


def _iter_units(plans: Sequence[BatchSpec], blocks: Iterable[Block], pace: _Pace, code: str) -> Iterator[WorkUnit]:
    """Yield work units for blocks of games, sized by the measured pace; `code`: the expected code digest."""
    for plan, numbers in blocks:
        begun = 0
        while begun < len(numbers):
            size = pace.choose_block_size(plan)
            yield WorkUnit(plan, plans[plan], tuple(numbers[begun : begun + size]), code)
            begun += size
