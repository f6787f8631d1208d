"""Trials of options: each played on a copy of the game until what it set going is at rest, and judged there.

All options of a decision get the same dice, from the bot's own stream, so that what falls does not favour one.
Must not choose for anybody, nor look at the dice to come.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from interpreter.play.session import Game
from interpreter.players.bots.looking import (
    Start,
    answer_quickly,
    at_rest,
    is_again,
    look_on,
    offers_done,
    sample,
    start_of,
)
from interpreter.players.bots.worth import worths
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.faults import RuleFault

WON, LOST, OPEN = 1, -1, 0


@dataclass(frozen=True, slots=True)
class Care:
    """How closely a bot looks. Options above `options` are left to chance, and `inner` of those that follow.

    One trial for each option. What seems best then is tried again, up to `more` times where chance has a part in
    it, until what seems best has been: it may have been lucky. All this takes at most `extra` trials; a trial goes on
    for `follow` decisions at most.
    """

    options: int = 24
    inner: int = 6
    more: int = 4
    extra: int = 16
    follow: int = 12


@dataclass(slots=True)
class Tried:
    """What the trials of one option came to: worths, and games won less games lost.

    `then` is what the seat answered behind it in the first trial: the key of that answer, None where there was none.
    """

    number: int
    total: float = 0.0
    trials: int = 0
    ended: int = 0
    low: float = float("inf")
    high: float = float("-inf")
    then: Any = None

    def mean(self, prize: float) -> float:
        """Average worth; a game won or lost counts `prize` more or less."""
        return (self.total + self.ended * prize) / self.trials if self.trials else float("-inf")

    def fate(self) -> int:
        """WON or LOST where every trial ended so, else OPEN."""
        return (WON if self.ended > 0 else LOST) if self.trials and abs(self.ended) == self.trials else OPEN

    def note(self, worth: float, ended: int) -> None:
        """One more trial."""
        self.total += worth
        self.trials += 1
        self.ended += ended
        self.low, self.high = min(self.low, worth), max(self.high, worth)


@dataclass(slots=True)
class Trials:
    """The trials of one decision: `seeds` are the dice, one for each round; `around` is the row that it is part of."""

    game: Game
    seat: str
    care: Care
    seeds: Sequence[int]
    around: Start | None = None
    tried: dict[int, Tried] = field(default_factory=dict)

    def at(self, numbers: Iterable[int]) -> None:
        """A trial of each of these options that has had none."""
        for number in numbers:
            if number not in self.tried:
                self.again(self.tried.setdefault(number, Tried(number)))

    def again(self, one: Tried) -> None:
        """One more trial, with the next dice; one that faults is not noted: those that can be judged come first."""
        seed = self.seeds[min(one.trials, len(self.seeds) - 1)]
        trial = self.game.trial(SeededDice(seed))
        decision = trial.decision
        assert decision is not None
        with suppress(RuleFault):
            ends = offers_done(decision) and one.number == trial.count() - 1
            start = start_of(trial)
            trial.pick(one.number)
            then = follow(trial, start, self.seat, SeededDice(-1 - seed), self.care, ends, self.around)
            one.then = then if one.trials == 0 else one.then
            one.note(worths(trial, (self.seat,))[0], ending(trial, self.seat))

    def prove(self) -> None:
        """What seems best is tried again until what seems best has been: it may have been lucky."""
        for _ in range(self.care.extra if len(self.tried) > 1 else 0):
            first = ranked(self.all(), self.prize())[0]
            if first.trials > self.care.more or first.trials != 1 and first.low == first.high:
                return  # as good as it seems
            self.again(first)

    def all(self) -> list[Tried]:
        """Every option that was tried, in the order of the rules; where every trial met a fault, all are alike."""
        found = sorted(self.tried.values(), key=lambda one: one.number)
        blank = (0.0, 1, 0, 0.0, 0.0)
        return [one for one in found if one.trials] or [Tried(one.number, *blank) for one in found]

    def prize(self) -> float:
        """What a game won counts beside what the trials came to: more than all they differ by."""
        return 3.0 * spread_of(self.all()) + 1.0


def follow(
    trial: Game, start: Start, seat: str, chance: SeededDice, care: Care, ends: bool, around: Start | None = None
) -> Any:
    """Play on until what the option set going is at rest; the seat's own first following decision with care.

    `ends`: the option ended a row of choices. `around`: a row that the decision is part of; what comes after it is
    asked again is no fruit of the option. Gives the key of what was chosen with care, None where nothing was.
    """
    nested, chosen = not ends, None
    for _ in range(care.follow):
        if at_rest(trial, start) or around is not None and is_again(trial, around):
            return chosen
        decision = trial.decision
        # what comes after the row of choices is no fruit of this option: all options would have it
        nested = nested and not is_again(trial, start)
        if nested and decision is not None and decision.seat == seat and trial.has_choice():
            nested = False
            number = best_inner(trial, start, seat, chance, care.inner)
            chosen = decision.offers()[number]
            trial.pick(number)
        else:
            answer_quickly(trial, chance)
    return chosen


def best_inner(game: Game, outer: Start, seat: str, chance: SeededDice, most: int) -> int:
    """Of at most `most` options the one that is worth most as soon as it has come to rest itself."""
    start = start_of(game)
    worths(game, (seat,))
    best, chosen = float("-inf"), 0
    seed = chance.roll(256)
    for number in sample(game.count(), most, chance):
        trial = game.trial(SeededDice(seed))
        trial.pick(number)
        quick = SeededDice(-1 - seed)
        look_on(trial, start, outer, partial(answer_quickly, stream=quick))
        worth = worths(trial, (seat,))[0]
        if worth > best:
            best, chosen = worth, number
    return chosen


def ending(game: Game, seat: str) -> int:
    """WON, LOST or OPEN for a seat; a draw is open."""
    outcome = game.outcome
    if outcome is None or outcome.winner in (None, "draw"):
        return OPEN
    winners = (outcome.winner,) if isinstance(outcome.winner, str) else outcome.winner or ()
    return WON if seat in winners else LOST


def ranked(tried: Sequence[Tried], prize: float, end: int | None = None) -> list[Tried]:
    """The best first; of equals first the option that ends a row of choices, for nothing is gained by the others."""
    return sorted(tried, key=lambda t: (-t.mean(prize), t.number != end))


def spread_of(tried: Sequence[Tried]) -> float:
    """By how much the trials of all options differ in worth."""
    return max((t.high for t in tried), default=0.0) - min((t.low for t in tried), default=0.0)
