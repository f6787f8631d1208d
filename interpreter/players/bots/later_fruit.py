"""What a row of choices leads to after it has ended: for measures that no option of it changes at once.

Where only the score counts, moving up to an enemy is worth nothing until the fight that follows. So a few ways through
the row, drawn by chance, are played on to the end of the turn, the seat's own decisions with care. Must not be asked
where options differ at once: it takes many times as long.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from interpreter.play.session import Game
from interpreter.players.bots.habits import key_of
from interpreter.players.bots.looking import offers_done, sample, start_of
from interpreter.players.bots.trials import Tried, best_inner, ending, ranked, spread_of
from interpreter.players.bots.worth import worths
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.faults import RuleFault

_WAYS = 12  # ways through the row that are looked at
_PROOF = 5  # trials that the best of them must stand
_FAR = 40  # decisions that a trial goes on for
_INNER = 4  # options of the seat's own later decisions that are looked at
_DEEP = 4  # answers of one way through the row


@dataclass(slots=True)
class Later:
    """Looks on from one row of choices, for one seat; `stream` is the bot's own."""

    game: Game
    seat: str
    stream: SeededDice

    def best(self, end: int) -> list[Any] | None:
        """The keys of the answers that come to more than ending the row, in order; None where none does."""
        seeds = [self.stream.roll(1 << 16) for _ in range(_PROOF)]
        ways: list[list[Any]] = [[]]
        for number in sample(end, _WAYS, self.stream):
            ways.append(self._way(number))
        tried = [Tried(number) for number in range(len(ways))]
        for one in tried:
            self._try(one, ways[one.number], seeds)
        idle = tried[0]
        for _ in range(3 * _PROOF):
            prize = 3.0 * spread_of(tried) + 1.0
            first = ranked([t for t in tried if t.trials], prize, 0)[0]
            if first is idle:
                return None
            if first.trials >= _PROOF:
                return ways[first.number] if first.mean(prize) > idle.mean(prize) else None
            self._try(first, ways[first.number], seeds)
            if idle.trials < first.trials:
                self._try(idle, [], seeds)
        return None

    def _way(self, number: int) -> list[Any]:
        """An option, and answers by chance until the row is asked again."""
        trial = self.game.trial(SeededDice(self.stream.roll(256)))
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

    def _try(self, one: Tried, way: list[Any], seeds: list[int]) -> None:
        """Play a way through the row on to the end of the turn."""
        seed = seeds[one.trials]
        trial, chance = self.game.trial(SeededDice(seed)), SeededDice(-1 - seed)
        start, turn = start_of(trial), trial.turn
        left = list(way)
        with suppress(RuleFault):
            for _ in range(_FAR):
                if trial.over or trial.turn != turn or trial.decision is None:
                    break
                trial.pick(self._answer(trial, left, start_of(trial) == start, chance))
            one.note(worths(trial, (self.seat,))[0], ending(trial, self.seat))

    def _answer(self, trial: Game, left: list[Any], is_row: bool, chance: SeededDice) -> int:
        decision = trial.decision
        assert decision is not None
        if left:
            meant = left.pop(0)
            for number, raw in enumerate(decision.raw_options()):
                if key_of(raw) == meant:
                    return number
            left.clear()
        count = trial.count()
        if count == 1 or is_row or decision.seat != self.seat and offers_done(decision):
            return count - 1
        if decision.seat == self.seat:
            return best_inner(trial, start_of(trial), self.seat, chance, _INNER)
        return chance.roll(count)
