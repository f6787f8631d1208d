"""A bot that tries each option, looks where it leads, and takes what is worth most.

It sees the position, never the dice to come: every trial is played with dice from the bot's own stream, the
same for each option, so that what falls does not favour one. Must not plan beyond the procedure that asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from interpreter.players.looking import (
    Start,
    answer_quickly,
    at_rest,
    end_of_row,
    is_again,
    look_on,
    offers_done,
    sample,
    start_of,
)
from interpreter.players.worth import worths
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.faults import RuleFault
from interpreter.runtime.session import Game

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
    """What the trials of one option came to: worths, and games won less games lost."""

    number: int
    total: float = 0.0
    trials: int = 0
    ended: int = 0
    low: float = float("inf")
    high: float = float("-inf")

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


class GreedyPlayer:
    """Plays one seat; equal seeds choose alike. Choosing leaves the game as it is."""

    __slots__ = ("seat", "care", "_stream")

    def __init__(self, seat: str, seed: int, care: Care = Care()) -> None:
        self.seat = seat
        self.care = care
        self._stream = SeededDice(seed)

    def choose(self, game: Game) -> int:
        """The number of the option worth most; between equals a row of choices is ended, else chance decides."""
        count = game.count()
        if count == 1:
            return 0
        tried, prize = self.look(game)
        end = end_of_row(game)
        first = ranked(tried, prize, end)[0]
        if first.number == end:
            return end
        equals = [t.number for t in tried if t.mean(prize) == first.mean(prize)]
        return equals[self._stream.roll(len(equals))]

    def look(self, game: Game) -> tuple[list[Tried], float]:
        """Every option that was tried, and what winning is worth beside them."""
        care = self.care
        start = start_of(game)
        worths(game, (self.seat,))  # what is worked out for this need not be worked out again in each trial
        seeds = [self._draw() for _ in range(1 + care.more)]
        tried = [Tried(n) for n in sample(game.count(), care.options, self._stream)]
        for one in tried:
            self._try(game, start, one, seeds[0])
        for _ in range(care.extra if len(tried) > 1 else 0):
            first = ranked(tried, _prize(tried))[0]
            if first.trials > care.more or first.trials != 1 and first.low == first.high:
                break  # as good as it seems
            self._try(game, start, first, seeds[first.trials])
        blank = (0.0, 1, 0, 0.0, 0.0)  # where every trial met a fault, all options are alike
        known = [one for one in tried if one.trials] or [Tried(one.number, *blank) for one in tried]
        return known, _prize(known)

    def _draw(self) -> int:
        """A seed from the bot's own stream."""
        return sum(self._stream.roll(256) << 8 * place for place in range(7))

    def _try(self, game: Game, start: Start, one: Tried, seed: int) -> None:
        trial = game.trial(SeededDice(seed))
        decision = trial.decision
        assert decision is not None
        with suppress(RuleFault):  # an option whose trial faults is not noted: those that can be judged come first
            ends = offers_done(decision) and one.number == trial.count() - 1
            trial.pick(one.number)
            follow(trial, start, self.seat, SeededDice(-1 - seed), self.care, ends)
            one.note(worths(trial, (self.seat,))[0], ending(trial, self.seat))


def follow(trial: Game, start: Start, seat: str, chance: SeededDice, care: Care, ends: bool) -> None:
    """Play on until what the option set going is at rest; the seat's own first following decision with care.

    `ends`: the option ended a row of choices.
    """
    nested = not ends
    for _ in range(care.follow):
        if at_rest(trial, start):
            return
        decision = trial.decision
        # what comes after the row of choices is no fruit of this option: all options would have it
        nested = nested and not is_again(trial, start)
        if nested and decision is not None and decision.seat == seat:
            if trial.count() > 1:
                nested = False
                trial.pick(best_inner(trial, start, seat, chance, care.inner))
                continue
        answer_quickly(trial, chance)


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


def _prize(tried: Sequence[Tried]) -> float:
    """What a game won counts beside what the trials came to: more than all they differ by."""
    return 3.0 * spread_of(tried) + 1.0
