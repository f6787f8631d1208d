"""What single options were worth when a search looked at them: how whoever searches plays on in playouts.

A decision is known by its address, its side and what it offers; each option by how much better the position was that
it led to. Looks are kept, so that the longer a search goes on the better its playouts are played, and the less they
cost. Must not look deeper than one option and what follows at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from interpreter.play.game import Game
from interpreter.players.bots.evaluation import worths
from interpreter.players.bots.lookahead import DecisionId, answer_quickly, look_on, sample, start_of
from interpreter.runtime.decisions import Decision
from interpreter.runtime.dice import SeededDice

_PROOF = 3  # looks after which an option that seems best is believed: the first may have been lucky
_SELDOM = 3  # one time in so many a decision of which that is so is thought over again
_FRESH = 0.2  # how much of what is thought of an option its last look decides at least


@dataclass(slots=True)
class ActionStats:
    """What is thought of an option: how often it was looked at, and the mean gain."""

    looks: int = 0
    gain: float = 0.0

    def note(self, gain: float) -> None:
        """One more look; what was seen long ago fades."""
        self.looks += 1
        self.gain += max(_FRESH, 1 / self.looks) * (gain - self.gain)


@dataclass(slots=True)
class RolloutPolicy:
    """What a seat thinks of its options, by decision and number."""

    seat: str
    known: dict[Any, dict[int, ActionStats]] = field(default_factory=dict)
    met: set[tuple[str, str]] = field(default_factory=set)  # addresses and sides of the decisions known

    def _has_met(self, decision: Decision) -> bool:
        """True where something may be known of an own decision, whatever it offers."""
        return decision.seat == self.seat and (decision.address, decision.side) in self.met

    def pick(self, game: Game, keys: Sequence[Any], looks: int, chance: SeededDice) -> int:
        """The number of what seems best: of `looks` options drawn when a decision is new, later of what seemed best and
        another one. `keys` are what its options are known by."""
        decision = game.decision
        assert decision is not None
        name = _name(decision, keys)
        found = self.known.get(name)
        if found is None:
            found, numbers = {}, sample(len(keys), looks, chance)
        else:
            first = _best(found)
            if found[first].looks >= _PROOF and chance.roll(_SELDOM):
                return first
            numbers = sorted({first, chance.roll(len(keys))})
        self._think(game, found, numbers, chance.roll(256))
        self.known[name] = found
        self.met.add((decision.address, decision.side))
        return _best(found)

    def _think(self, game: Game, found: dict[int, ActionStats], numbers: Sequence[int], seed: int) -> None:
        """A look at each of the options with the same dice, then further looks at what seems best."""
        before = worths(game, (self.seat,))[0]
        start = start_of(game)
        sure: dict[int, float] = {}  # what is worth the same whatever dice fall
        for number in numbers:
            found.setdefault(number, ActionStats()).note(self._look(game, number, start, seed, sure) - before)
        for more in range(1, _PROOF):
            best = _best(found)
            first = found[best]
            if first.looks > more or len(found) == 1:
                return
            worth = sure[best] if best in sure else self._look(game, best, start, seed + 256 * more, sure)
            first.note(worth - before)

    def _look(self, game: Game, number: int, start: DecisionId, seed: int, sure: dict[int, float]) -> float:
        """What the position is worth when an option has come to rest; the own part in that by what is known. It is
        noted as `sure` where chance had no part in it."""
        dice, chance = SeededDice(seed), SeededDice(-1 - seed)
        trial = game.trial(dice)
        trial.pick(number)
        look_on(trial, start, start, partial(self._answer, chance=chance))
        worth = worths(trial, (self.seat,))[0]
        if dice.counter == chance.counter == 0:
            sure[number] = worth
        return worth

    def _answer(self, trial: Game, chance: SeededDice) -> None:
        """By what is known of an own decision, else quickly."""
        decision = trial.decision
        known = None
        if decision is not None and self._has_met(decision):
            known = self.known.get(_name(decision, decision.offers()))
        if known is None:
            answer_quickly(trial, chance)
        else:
            trial.pick(_best(known))


def _name(decision: Decision, keys: Sequence[Any]) -> Any:
    return decision.address, decision.side, tuple(keys)


def _best(found: dict[int, ActionStats]) -> int:
    """What gains most; of equals the last, which often ends a row of choices."""
    best, most = -1, float("-inf")
    for number, notion in found.items():
        if notion.gain > most or notion.gain == most and number > best:
            best, most = number, notion.gain
    return best
