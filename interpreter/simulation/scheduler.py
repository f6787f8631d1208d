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
_MAX_GAMES = 200
Block = tuple[int, Sequence[int]]  # the number of a spec, and numbers of its games


@dataclass(slots=True)
class _Pace:
    """Running estimate of how long a game of each spec takes: games and seconds by spec number.

    `max_games`: the most games in one work unit.
    """

    max_games: int
    games: dict[int, int] = field(default_factory=dict)
    seconds: dict[int, float] = field(default_factory=dict)

    def record_pace(self, spec: int, games: int, seconds: float) -> None:
        self.games[spec] = self.games.get(spec, 0) + games
        self.seconds[spec] = self.seconds.get(spec, 0.0) + seconds

    def choose_block_size(self, spec: int) -> int:
        """Return how many games of a spec to put into one work unit."""
        reference_spec = spec if spec in self.games else next(reversed(self.games), None)
        if reference_spec is None or not self.seconds[reference_spec]:
            return 1
        return max(
            1, min(self.max_games, int(_UNIT_SECONDS * self.games[reference_spec] / self.seconds[reference_spec]))
        )


def iter_blocks(games: int, specs: int, size: int) -> Iterator[Block]:
    """Yield (spec number, game numbers) for blocks of up to `size` games, alternating between the specs.

    `games`: how many of each spec. `specs`: how many specs there are.
    """
    for first in range(0, games, size):
        for spec in range(specs):
            yield spec, range(first, min(first + size, games))


def play_blocks(
    specs: Sequence[BatchSpec], blocks: Iterable[Block], executor: Executor
) -> Iterator[tuple[int, tuple[GameResult, ...]]]:
    """Play blocks of games, roughly in order. Yield (spec number, results) for each work unit when it is done.

    `blocks`: pairs of spec number and game numbers.
    """
    pace = _Pace(1 if executor.is_alone else _MAX_GAMES)
    units = _iter_units(specs, blocks, pace, "" if executor.is_alone else compute_code_digest())
    submitted = 0
    while True:
        while submitted < executor.room and (unit := next(units, None)) is not None:
            executor.submit(unit)
            submitted += 1
        if not submitted:
            return
        result = executor.wait_result()
        submitted -= 1
        pace.record_pace(result.spec_number, len(result.played), result.seconds)
        yield result.spec_number, result.played


def _iter_units(specs: Sequence[BatchSpec], blocks: Iterable[Block], pace: _Pace, code: str) -> Iterator[WorkUnit]:
    """Yield work units for blocks of games, sized by the measured pace; `code`: the expected code digest."""
    for spec, numbers in blocks:
        first = 0
        while first < len(numbers):
            size = pace.choose_block_size(spec)
            yield WorkUnit(spec, specs[spec], tuple(numbers[first : first + size]), code)
            first += size
