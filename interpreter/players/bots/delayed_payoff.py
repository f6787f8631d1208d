"""Probe whether a repeated decision pays off only after it has ended.

Where only the score counts, moving next to an enemy gains nothing until the fight that follows. So a few random
sequences of answers are played on to the end of the turn, with lookahead in the seat's own decisions. Used only where
no option makes a difference at once: it is many times as expensive.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from interpreter.players.bots.bot_game import BotGame, with_fallback
from interpreter.players.bots.evaluation import worths
from interpreter.players.bots.lookahead import sample, start_of
from interpreter.players.bots.mast import key_of
from interpreter.players.bots.option_evaluation import LOST, ReplyPolicy, best_inner, ending
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.errors import RuleFault

_WAYS = 6  # ways through the row that are looked at
_PROOF = 5  # trials of the best option, including the first
_FAR = 40  # decisions that a trial goes on for
_NEAR = 12  # of them those that are taken with care
_INNER = 4  # options examined at each careful decision of the seat
_DEEP = 4  # answers of one way through the row


@dataclass(slots=True)
class DelayedPayoffProbe:
    """Search for answers to a seat's repeated decision that pay off later; `stream` is the bot's random source."""

    game: BotGame
    seat: str
    stream: SeededDice

    def best(self, end: int) -> list[Any] | None:
        """Return the keys of a sequence of answers that is better than ending the repeated decision, or None.

        `end`: the number of the option that ends the decision. Several sequences are tried with the same
        dice. The best one is tried again with other dice: it must never do worse than ending the decision, and must do
        better in more than half of the trials.
        """
        seed = self.stream.roll(1 << 16)
        ways = [self._way(number) for number in sample(end, _WAYS, self.stream)]
        idle, payoffs = self._try([], seed), [self._try(way, seed) for way in ways]
        way, leads = ways[payoffs.index(max(payoffs))], [(max(payoffs), idle)]
        while len(leads) < _PROOF and leads[-1][0] >= leads[-1][1] and leads[0][0] > idle:
            seed += 1
            leads.append((self._try(way, seed), self._try([], seed)))
        return way if leads[-1][0] >= leads[-1][1] and sum(a > b for a, b in leads) > _PROOF // 2 else None

    def _way(self, number: int) -> list[Any]:
        """Return the keys of a sequence of answers: option `number`, then random replies.

        The sequence ends where the decision repeats or another seat decides.
        """
        return with_fallback(self.game, lambda game: self._way_of(game, number), self.stream)

    def _way_of(self, game: BotGame, number: int) -> list[Any]:
        trial = game.trial(SeededDice(self.stream.roll(256)))
        start = start_of(trial)
        keys: list[Any] = []
        with suppress(RuleFault):
            for _ in range(_DEEP):
                decision = trial.decision
                assert decision is not None
                keys.append(key_of(decision.raw_options()[number]))
                trial.pick(number)
                asked = trial.decision
                if asked is None or asked.seat != self.seat or trial.depth < start.depth or start_of(trial) == start:
                    break
                number = self.stream.roll(trial.count())
        return keys

    def _try(self, way: list[Any], seed: int) -> tuple[int, float]:
        """Play a sequence of answers on a copy of the game, with dice from `seed`, to the end of the turn.

        `way`: the keys of the answers. Return WON, LOST or OPEN and the value of the position for the seat; LOST and
        -infinity if the rules fault.
        """
        return with_fallback(self.game, lambda game: self._try_on(game, way, seed))

    def _try_on(self, game: BotGame, way: list[Any], seed: int) -> tuple[int, float]:
        trial, chance = game.trial(SeededDice(seed)), SeededDice(-1 - seed)
        start, turn = start_of(trial), trial.turn
        left = list(way)
        with suppress(RuleFault):
            for place in range(_FAR):
                if trial.over or trial.turn != turn or trial.decision is None:
                    break
                trial.pick(self._answer(trial, left, start_of(trial) == start, chance, place < _NEAR))
            return ending(trial, self.seat), worths(trial, (self.seat,))[0]
        return LOST, float("-inf")

    def _answer(self, trial: BotGame, left: list[Any], is_row: bool, chance: SeededDice, careful: bool) -> int:
        decision = trial.decision
        assert decision is not None
        if left:
            choice = left.pop(0)
            for number, raw in enumerate(decision.raw_options()):
                if key_of(raw) == choice:
                    return number
            left.clear()
        count = trial.count()
        if count == 1 or is_row:
            return count - 1
        if careful and decision.seat == self.seat:
            return best_inner(trial, start_of(trial), self.seat, chance.roll(256), ReplyPolicy(_INNER)).number
        return count - 1 if decision.may_end else chance.roll(count)
