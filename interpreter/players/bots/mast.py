"""Move-average sampling technique (MAST): the average result of each answer, whatever the position.

Rollouts prefer answers with good results. A table is kept for one game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from interpreter.players.bots.bot_game import BotDecision
from interpreter.runtime.dice import SeededDice

_MAX_COUNTED = 40  # results of an answer that count, roughly the latest ones
_UNTRIED_VALUE = 0.8  # value of an answer that was never given, from 0 to 1
_NEW_ANSWER_BONUS = 0.3  # bonus for an answer given once; it falls with the number of times


class AnswerId(NamedTuple):
    """The identity of an answer: the seat, address and side of its decision, and the identity of the option."""

    seat: str
    address: str
    side: str
    option: object


@dataclass(slots=True)
class MovingAverage:
    """The average reward (0 to 1) of an answer over `count` results, which is limited so that old ones fade."""

    mean: float
    count: float = 1.0

    def add(self, reward: float) -> None:
        """Add one result."""
        self.count = min(self.count + 1.0, _MAX_COUNTED)
        self.mean += (reward - self.mean) / self.count


@dataclass(slots=True)
class MastTable:
    """The average reward of each answer."""

    averages: dict[AnswerId, MovingAverage] = field(default_factory=dict)

    def pick(self, decision: BotDecision, count: int, tries: int, chance: SeededDice) -> tuple[int, AnswerId]:
        """Draw `tries` of `count` options at random; return number and identity of the one with the best average."""
        offers = decision.list_offers()
        best_value, best_number = -1.0, 0
        best_answer = AnswerId(decision.seat, decision.address, decision.side, offers[0])
        for _ in range(tries):
            number = chance.roll(count)
            answer = best_answer._replace(option=offers[number])
            average = self.averages.get(answer)
            value = _UNTRIED_VALUE if average is None else average.mean + _NEW_ANSWER_BONUS / (1 + average.count)
            if value > best_value:
                best_value, best_number, best_answer = value, number, answer
        return best_number, best_answer

    def learn(self, answers: Iterable[AnswerId], rewards: Mapping[str, float]) -> None:
        """Update the averages of the answers given in one playout; `rewards`: the result of each seat, from 0 to 1."""
        for answer in answers:
            reward = rewards[answer.seat]
            average = self.averages.get(answer)
            if average is None:
                self.averages[answer] = MovingAverage(reward)
            else:
                average.add(reward)


def identify_answer(decision: BotDecision, option: object) -> AnswerId:
    """Return the identity of the answer `option` to a decision."""
    return AnswerId(decision.seat, decision.address, decision.side, identify_option(option))


def identify_option(option: object) -> object:
    """Return the identity of an option: for a finished draft its offer, otherwise the option itself."""
    return getattr(option, "offer", option)
