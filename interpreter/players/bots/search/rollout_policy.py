"""Rollout policy of the searching seat: the average gain of each option, measured by one-ply lookahead.

A decision is identified by its address, its side and its options; each option stores how much better the position
after it was. Results are kept, so that playouts become better and cheaper the longer a search runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from interpreter.play.game import Game
from interpreter.players.bots.bot_game import BotDecision, BotGame
from interpreter.players.bots.evaluation import worths
from interpreter.players.bots.lookahead import FEW, DecisionId, answer_quickly, look_ahead, sample, start_of
from interpreter.runtime.dice import SeededDice

if TYPE_CHECKING:
    from interpreter.backends.wasm.host.native_game import NativeGame

_PROOF = 3  # looks after which an option that seems best is believed: the first may have been lucky
_SELDOM = 3  # one time in so many a decision of which that is so is thought over again
_FRESH = 0.2  # how much of what is thought of an option its last look decides at least


@dataclass(slots=True)
class ActionStats:
    """Statistics of an option: the number of lookaheads and the mean gain."""

    looks: int = 0
    gain: float = 0.0

    def note(self, gain: float) -> None:
        """Record one observed gain; older observations lose weight exponentially."""
        self.looks += 1
        self.gain += max(_FRESH, 1 / self.looks) * (gain - self.gain)


@dataclass(slots=True)
class RolloutPolicy:
    """The gains of a seat's options, by decision and number."""

    seat: str
    gains: dict[Any, dict[int, ActionStats]] = field(default_factory=dict)
    met: set[tuple[str, str]] = field(default_factory=set)  # addresses and sides of the decisions known

    def _has_met(self, decision: BotDecision) -> bool:
        """Return whether statistics exist for a decision with this address and side, whatever its options."""
        return decision.seat == self.seat and (decision.address, decision.side) in self.met

    def pick(self, game: BotGame, keys: Sequence[Any], looks: int, chance: SeededDice) -> int:
        """Return the number of the option that looks best.

        In a new decision `looks` sampled options are tried; later the best so far and one more. `keys` identify the
        options.
        """
        decision = game.decision
        assert decision is not None
        name = _name(decision, keys)
        stats = self.gains.get(name)
        if stats is None:
            stats, numbers = {}, sample(len(keys), looks, chance)
        else:
            first = _best(stats)
            if stats[first].looks >= _PROOF and chance.roll(_SELDOM):
                return first
            numbers = sorted({first, chance.roll(len(keys))})
        self._think(game, stats, numbers, chance.roll(256))
        self.gains[name] = stats
        self.met.add((decision.address, decision.side))
        return _best(stats)

    def _think(self, game: BotGame, stats: dict[int, ActionStats], numbers: Sequence[int], seed: int) -> None:
        """Try each option with the same dice, then the best one again."""
        before = worths(game, (self.seat,))[0]
        start = start_of(game)
        sure: dict[int, float] = {}  # what is worth the same whatever dice fall
        for number in numbers:
            stats.setdefault(number, ActionStats()).note(self._look(game, number, start, seed, sure) - before)
        for more in range(1, _PROOF):
            best = _best(stats)
            first = stats[best]
            if first.looks > more or len(stats) == 1:
                return
            worth = sure[best] if best in sure else self._look(game, best, start, seed + 256 * more, sure)
            first.note(worth - before)

    def _look(self, game: BotGame, number: int, start: DecisionId, seed: int, sure: dict[int, float]) -> float:
        """Return the value of the position once an option is quiescent; the seat's own replies follow this policy.

        Values that involved no chance are stored in `sure`.
        """
        dice, chance = SeededDice(seed), SeededDice(-1 - seed)
        if not isinstance(game, Game):
            trial: BotGame = self._look_inside(game, number, start, dice, chance)
        else:
            trial = game.trial(dice)
            trial.pick(number)
            look_ahead(trial, start, start, partial(self._answer, chance=chance))
        worth = worths(trial, (self.seat,))[0]
        if dice.counter == chance.counter == 0:
            sure[number] = worth
        return worth

    def _look_inside(
        self, game: NativeGame, number: int, start: DecisionId, dice: SeededDice, chance: SeededDice
    ) -> NativeGame:
        """Return the trial of an option inside WebAssembly; it stops at decisions that this policy may answer."""
        game.mark_known(self.met)
        trial, left = game.attempt(number, dice, chance, FEW, start, start, self.seat, game.KNOWN_CHOICE)
        while left:
            self._answer(trial, chance)
            left = trial.advance(chance, left - 1, start, start, self.seat, game.KNOWN_CHOICE)
        return trial

    def _answer(self, trial: BotGame, chance: SeededDice) -> None:
        """Answer one of the seat's decisions by its recorded gains; otherwise play a default reply."""
        decision = trial.decision
        gains = None
        if decision is not None and self._has_met(decision):
            gains = self.gains.get(_name(decision, decision.offers()))
        if gains is None:
            answer_quickly(trial, chance)
        else:
            trial.pick(_best(gains))


def _name(decision: BotDecision, keys: Sequence[Any]) -> object:
    return decision.address, decision.side, tuple(keys)


def _best(stats: dict[int, ActionStats]) -> int:
    """Return the option with the largest gain; of equals the last, which often ends a repeated decision."""
    best, most = -1, float("-inf")
    for number, notion in stats.items():
        if notion.gain > most or notion.gain == most and number > best:
            best, most = number, notion.gain
    return best
