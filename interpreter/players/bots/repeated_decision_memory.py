"""What a bot remembers while it goes through a row of choices: what each option gained when it was last looked at, and
what it meant to answer behind the one it took.

A row is known by its decision, its side and how deep it is asked; nothing is kept longer than a turn. Must not look
ahead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter.play.game import Game
from interpreter.players.bots.lookahead import DecisionId, start_of

_PATIENCE = 1  # rows to be ended for nothing, and as many for each in which something was found in what comes after it


@dataclass(slots=True)
class RepeatMemory:
    """One row: the decision it began with; what each option gained over ending the row, and the best answer behind it,
    by key."""

    start: DecisionId
    gains: dict[Any, float] = field(default_factory=dict)
    answers: dict[Any, Any] = field(default_factory=dict)

    def best(self, keys: Sequence[Any], numbers: Iterable[int], most: int) -> list[int]:
        """At most `most` of the numbers: those whose options gained most."""
        return sorted(numbers, key=lambda n: -self.gains.get(keys[n], float("-inf")))[:most]


@dataclass(slots=True)
class RepeatStack:
    """The rows that a seat is in, the outermost first, and the answers it means to give next, by key.

    `sure`: they are to be given as they stand, since a look at each of them alone would see no difference. `fruit` has
    for the addresses of rows how many were ended, and in how many of them a look at what comes after found something.
    """

    turn: int = -1
    open: list[RepeatMemory] = field(default_factory=list)
    plan: list[Any] = field(default_factory=list)
    sure: bool = False
    fruit: dict[str, tuple[int, int]] = field(default_factory=dict)

    def mean(self, answers: list[Any], sure: bool) -> None:
        """What is to be answered next, by key."""
        self.plan, self.sure = answers, sure

    def asked(self, game: Game) -> RepeatMemory:
        """The row that the game asks now: one that is open, or a new one."""
        self._close(game)
        self.plan = []
        start = start_of(game)
        if not self.open or self.open[-1].start != start:
            self.open.append(RepeatMemory(start))
        return self.open[-1]

    def around(self, game: Game) -> DecisionId | None:
        """The row behind which the present decision is asked; None where there is none."""
        self._close(game)
        return self.open[-1].start if self.open else None

    def planned(self, game: Game) -> int | None:
        """The answer that was meant when the row's option was taken, where it can still be given."""
        if not self.plan:
            return None
        meant = self.plan.pop(0)
        decision = game.decision
        assert decision is not None
        for number, offer in enumerate(decision.offers()):
            if offer == meant:
                return number
        self.plan = []
        return None

    def is_fruitful(self, address: str) -> bool:
        """False where such rows were ended often enough without anything found in what comes after them."""
        ended, found = self.fruit.get(address, (0, 0))
        return ended < _PATIENCE * (1 + found)

    def note(self, address: str, found: bool) -> None:
        """A row was ended, or something found in what comes after it."""
        ended, before = self.fruit.get(address, (0, 0))
        self.fruit[address] = (ended + 1, before + found)

    def ended(self) -> None:
        """The row asked last is over."""
        self.open.pop()

    def _close(self, game: Game) -> None:
        """Rows of another turn are over, and those that the present decision does not lie within."""
        start = start_of(game)
        if game.turn != self.turn:
            self.turn, self.open, self.plan = game.turn, [], []
        while self.open and not _within(start, self.open[-1].start):
            self.open.pop()


def _within(start: DecisionId, row: DecisionId) -> bool:
    """True when a decision may belong to a row: it is the row's own, or asked as deep or deeper."""
    return start == row or start.depth > row.depth or start.depth == row.depth and start.address != row.address
