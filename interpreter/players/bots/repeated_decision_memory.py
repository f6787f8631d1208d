"""Memory of a bot while a decision repeats: the gains of options and the planned replies.

A repeated decision is identified by its address, its side and its depth. Nothing is kept longer than a turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter.players.bots.bot_game import BotGame
from interpreter.players.bots.lookahead import DecisionId, start_of

_PATIENCE = 1  # rows to be ended for nothing, and as many for each in which something was found in what comes after it


@dataclass(slots=True)
class RepeatMemory:
    """One repeated decision of a bot.

    `start`: its identity; `gains`: the latest gain of each option, and `answers`: the reply planned after it, by option
    key.
    """

    start: DecisionId
    gains: dict[Any, float] = field(default_factory=dict)
    answers: dict[Any, Any] = field(default_factory=dict)

    def best(self, keys: Sequence[Any], numbers: Iterable[int], most: int) -> list[int]:
        """Return at most `most` of the option numbers, the greatest gains first; `keys`: option keys by number."""
        return sorted(numbers, key=lambda n: -self.gains.get(keys[n], float("-inf")))[:most]


@dataclass(slots=True)
class RepeatStack:
    """The repeated decisions that a seat is in, outermost first, and the replies it plans to give, by key.

    `is_certain`: the replies are given without another lookahead, which would see no difference in each of them alone.
    `fruit` counts, by address, how often a repeated decision ended and how often it had a delayed payoff.
    """

    turn: int = -1
    open: list[RepeatMemory] = field(default_factory=list)
    plan: list[Any] = field(default_factory=list)
    is_certain: bool = False
    fruit: dict[str, tuple[int, int]] = field(default_factory=dict)

    def mean(self, answers: list[Any], sure: bool) -> None:
        """Set the planned replies, by key; `sure`: they are given without another lookahead."""
        self.plan, self.is_certain = answers, sure

    def memory_for(self, game: BotGame) -> RepeatMemory:
        """Return the memory of the pending repeated decision, a new one if it is first asked.

        The planned replies are forgotten.
        """
        self._close(game)
        self.plan = []
        start = start_of(game)
        if not self.open or self.open[-1].start != start:
            self.open.append(RepeatMemory(start))
        return self.open[-1]

    def around(self, game: BotGame) -> DecisionId | None:
        """Return the identity of the repeated decision that encloses the pending one, or None."""
        self._close(game)
        return self.open[-1].start if self.open else None

    def planned(self, game: BotGame) -> int | None:
        """Return the number of the planned reply if it is still legal, otherwise None."""
        if not self.plan:
            return None
        choice = self.plan.pop(0)
        decision = game.decision
        assert decision is not None
        for number, offer in enumerate(decision.offers()):
            if offer == choice:
                return number
        self.plan = []
        return None

    def is_fruitful(self, address: str) -> bool:
        """Return False if such decisions have ended often enough without a delayed payoff."""
        ended, successes = self.fruit.get(address, (0, 0))
        return ended < _PATIENCE * (1 + successes)

    def note(self, address: str, is_success: bool) -> None:
        """Count the end of a repeated decision, and with `is_success` that it had a delayed payoff."""
        ended, before = self.fruit.get(address, (0, 0))
        self.fruit[address] = (ended + 1, before + is_success)

    def ended(self) -> None:
        """Close the innermost repeated decision."""
        self.open.pop()

    def _close(self, game: BotGame) -> None:
        """Drop the repeated decisions of earlier turns, and those that do not enclose the pending decision."""
        start = start_of(game)
        if game.turn != self.turn:
            self.turn, self.open, self.plan = game.turn, [], []
        while self.open and not _within(start, self.open[-1].start):
            self.open.pop()


def _within(start: DecisionId, row: DecisionId) -> bool:
    """Return whether the decision `start` is the repeated decision `row` or may be nested in it.

    It may if it is at a greater depth, or another decision at an equal depth.
    """
    return start == row or start.depth > row.depth or start.depth == row.depth and start.address != row.address
