"""Move-average sampling (MAST): the average result of each answer, whatever the position. Rollouts prefer good answers.

An answer is identified by seat, decision, side and option. The table is kept for one game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from interpreter.players.bots.bot_game import BotDecision
from interpreter.runtime.dice import SeededDice

Answer = tuple[str, str, str, object]  # seat, address of the decision, side, option

_MEMORY = 40  # results of an answer that count, roughly the latest ones
_UNTRIED = 0.8  # value of an answer that was never given, from 0 to 1
_CURIOSITY = 0.3  # bonus for an answer given once; it falls with the number of times


@dataclass(slots=True)
class MastTable:
    """The average reward (0 to 1) of each answer, and how often it was given, counted up to a maximum."""

    averages: dict[Answer, list[float]] = field(default_factory=dict)

    def pick(self, decision: BotDecision, count: int, tries: int, chance: SeededDice) -> tuple[int, Answer]:
        """Draw `tries` of `count` options at random; return number and identity of the one with the best average."""
        offers = decision.list_offers()
        best, number, move = -1.0, 0, (decision.seat, decision.address, decision.side, offers[0])
        seat, address, side, _ = move
        for _ in range(tries):
            first = chance.roll(count)
            answer = (seat, address, side, offers[first])
            before = self.averages.get(answer)
            value = _UNTRIED if before is None else before[1] + _CURIOSITY / (1 + before[0])
            if value > best:
                best, number, move = value, first, answer
        return number, move

    def learn(self, answers: Iterable[Answer], shares: Mapping[str, float]) -> None:
        """Update the averages of the answers given in one playout.

        `shares`: the result of each seat, from 0 to 1.
        """
        for answer in answers:
            share = shares[answer[0]]
            before = self.averages.get(answer)
            if before is None:
                self.averages[answer] = [1.0, share]
            else:
                before[0] = min(before[0] + 1.0, _MEMORY)
                before[1] += (share - before[1]) / before[0]


def identify_answer(decision: BotDecision, option: object) -> Answer:
    """Return the identity of an answer: the seat, address and side of the decision, and the option."""
    return decision.seat, decision.address, decision.side, identify_option(option)


def identify_option(option: object) -> object:
    """Return the identity of an option: for a finished draft its offer, otherwise the option itself."""
    return getattr(option, "offer", option)
