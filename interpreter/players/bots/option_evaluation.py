"""Trials of options: each played on a copy of the game until what it set going is at rest, and judged there.

All options of a decision get the same dice, from the bot's own stream, so that what falls does not favour one.
Must not choose for anybody, nor look at the dice to come.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from interpreter.play.game import Game
from interpreter.players.bots.evaluation import worths
from interpreter.players.bots.lookahead import (
    DecisionId,
    answer_quickly,
    end_of_row,
    is_again,
    look_on,
    rests,
    sample,
    start_of,
)
from interpreter.players.bots.option_similarity import promising
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.errors import RuleFault

WON, LOST, OPEN = 1, -1, 0
_INNER = 1 << 60  # sets the dice of a look inside a trial apart from its own


@dataclass(frozen=True, slots=True)
class LookaheadConfig:
    """How closely a bot looks: at `options` of a decision, at `inner` of those that follow, `closer` where an option
    seems best. Of more than that half are drawn by chance, half by what they have in common with the best.

    One trial for each option. What seems best then is tried again, up to `more` times where chance has a part in
    it, until what seems best has been: it may have been lucky. All this takes at most `extra` trials; a trial goes on
    for `follow` decisions at most. Before a row of choices is ended, `again` of its options are looked at once more.
    """

    options: int = 24
    inner: int = 3
    more: int = 2
    extra: int = 16
    follow: int = 12
    again: int = 4
    closer: int = 6


@dataclass(slots=True)
class OptionStats:
    """What the trials of one option came to: worths, and games won less games lost.

    `then` is what the seat answered behind it in the first trial: the key of that answer, None where there was none.
    `behind` has what the answers looked at there came to, by number. `sure`: chance had no part in the last trial;
    `whole`: all that the seat could answer there was looked at.
    """

    number: int
    total: float = 0.0
    trials: int = 0
    ended: int = 0
    low: float = float("inf")
    high: float = float("-inf")
    then: Any = None
    sure: bool = False
    whole: bool = True
    behind: dict[int, float] = field(default_factory=dict)

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
class OptionEvaluator:
    """The trials of one decision: `seed` is that of the dice, which fall in each round alike; `around` is the row that
    it is part of; `meant` has for options looked at before, by number, the answer that was best behind them then."""

    game: Game
    seat: str
    care: LookaheadConfig
    seed: int
    around: DecisionId | None = None
    meant: Mapping[int, Any] = field(default_factory=dict)
    tried: dict[int, OptionStats] = field(default_factory=dict)
    start: DecisionId = field(init=False)
    end: int | None = field(init=False)

    def __post_init__(self) -> None:
        self.start, self.end = start_of(self.game), end_of_row(self.game)

    def at(self, numbers: Iterable[int]) -> None:
        """A trial of each of these options that has had none."""
        for number in numbers:
            if number not in self.tried:
                self.again(self.tried.setdefault(number, OptionStats(number)))

    def again(self, one: OptionStats, inner: ReplyPolicy | None = None) -> None:
        """One more trial, with the next dice; one that faults is not noted: those that can be judged come first.

        What the first found to be the best answer behind the option is answered in all of them.
        """
        seed = self.seed + one.trials
        dice, chance = SeededDice(seed), SeededDice(-1 - seed)
        trial = self.game.trial(dice)
        if inner is None:
            meant = self.meant.get(one.number) if one.then is None else one.then
            inner = ReplyPolicy(self.care.inner, meant, one.then is not None, {} if one.trials else one.behind)
        with suppress(RuleFault):
            trial.pick(one.number)
            ends = one.number == self.end
            then, whole = follow(trial, self.start, self.seat, chance, self.care.follow, inner, ends, self.around)
            if one.trials == 0:
                one.then, one.whole = then, whole
                if inner.is_closer and then == inner.meant:
                    return
            one.sure = dice.counter == chance.counter == 0
            one.note(worths(trial, (self.seat,))[0], ending(trial, self.seat))

    def prove(self) -> None:
        """What seems best is tried again until what seems best has been, or even its worst is best: it may be lucky."""
        for _ in range(self.care.extra):
            found = self.all()
            prize = prize_of(found)
            first, *others = ranked(found, prize)
            if not first.whole:
                self._look_closer(first)
                continue
            if first.trials > self.care.more or first.sure or not others:
                return  # as good as it seems
            if first.trials > 2 and first.low >= others[0].mean(prize):
                return
            self.again(first)

    def _look_closer(self, one: OptionStats) -> None:
        """A first trial once more, with more answers looked at behind it: the dice are those of before. It comes to the
        same where the answer is the same."""
        closer = OptionStats(one.number)
        self.again(closer, ReplyPolicy(self.care.closer, one.then, known=one.behind, is_closer=True))
        if closer.then != one.then:
            self.tried[one.number] = one = closer
        one.whole = True

    def all(self) -> list[OptionStats]:
        """Every option that was tried, in the order of the rules; where every trial met a fault, all are alike."""
        found = [self.tried[number] for number in sorted(self.tried)]
        blank = (0.0, 1, 0, 0.0, 0.0)
        return [one for one in found if one.trials] or [OptionStats(one.number, *blank) for one in found]

    def prize(self) -> float:
        """What a game won counts beside what was tried."""
        return prize_of(self.all())


@dataclass(slots=True)
class ReplyPolicy:
    """How the seat answers behind an option: by the best of at most `most` answers, half as many beside one that is
    `meant` (a key, None where none is); `sole`: by that alone, where it can be given.

    `known`: what answers came to that were looked at before in this position with these dice; others are added.
    `is_closer`: where what was meant is best again, that is all that is to be found out."""

    most: int
    meant: Any = None
    sole: bool = False
    known: dict[int, float] = field(default_factory=dict)
    is_closer: bool = False


@dataclass(slots=True)
class BestReply:
    """The answer that is best behind an option, by number; `whole`: all were looked at."""

    number: int
    whole: bool = True


def follow(
    trial: Game,
    start: DecisionId,
    seat: str,
    chance: SeededDice,
    most: int,
    inner: ReplyPolicy,
    ends: bool,
    around: DecisionId | None = None,
) -> tuple[Any, bool]:
    """Play on until what the option set going is at rest, for `most` decisions; the seat's own first following decision
    with care.

    `ends`: the option ended a row of choices. `around`: a row that the decision is part of; what comes after it is
    asked again is no fruit of the option. Gives the key of what was chosen with care, None where nothing was, and
    whether all that could be chosen was looked at.
    """
    nested, chosen, whole = not ends, None, True
    for _ in range(most):
        decision = trial.decision
        if decision is None or trial.over:
            break
        depth = trial.depth
        if rests(decision, depth, start) or around is not None and is_again(decision, depth, around):
            break
        # what comes after the row of choices is no fruit of this option: all options would have it
        nested = nested and not is_again(decision, depth, start)
        if nested and decision.seat == seat and trial.has_choice():
            nested = False
            best = best_inner(trial, start, seat, chance.seed, inner)
            chosen, whole = decision.offers()[best.number], best.whole
            if inner.is_closer and chosen == inner.meant:
                break
            trial.pick(best.number)
        else:
            answer_quickly(trial, chance)
    return chosen, whole


def best_inner(game: Game, outer: DecisionId, seat: str, seed: int, inner: ReplyPolicy) -> BestReply:
    """The option that is worth most as soon as it has come to rest itself. Equal seeds choose alike."""
    decision, count, most = game.decision, game.count(), inner.most
    assert decision is not None
    meant = [] if inner.meant is None else [n for n, key in enumerate(decision.offers()) if key == inner.meant]
    if meant and inner.sole:
        return BestReply(meant[0])
    chance = SeededDice(seed + _INNER)
    start, seed = start_of(game), chance.roll(256)
    worths(game, (seat,))
    found: dict[int, float] = {}

    def look(number: int) -> None:
        if number not in inner.known:
            trial, stream = game.trial(SeededDice(seed)), SeededDice(-1 - seed)
            trial.pick(number)
            look_on(trial, start, outer, partial(answer_quickly, stream=stream))
            inner.known[number] = worths(trial, (seat,))[0]
        found[number] = inner.known[number]

    if meant and count > most:
        most //= 2
    for number in [*meant, *sample(count, most if count <= most else most // 2, chance)]:
        if number not in found:
            look(number)
    if count > most:
        for number in promising(decision.offers(), found, most - most // 2):
            look(number)
    return BestReply(max(found, key=found.__getitem__), count <= inner.most)


def ending(game: Game, seat: str) -> int:
    """WON, LOST or OPEN for a seat; a draw is open."""
    outcome = game.outcome
    if outcome is None or outcome.winner in (None, "draw"):
        return OPEN
    winners = (outcome.winner,) if isinstance(outcome.winner, str) else outcome.winner or ()
    return WON if seat in winners else LOST


def ranked(tried: Sequence[OptionStats], prize: float, end: int | None = None) -> list[OptionStats]:
    """The best first; of equals first the option that ends a row of choices, for nothing is gained by the others."""
    return sorted(tried, key=lambda t: (-t.mean(prize), t.number != end))


def spread_of(tried: Sequence[OptionStats]) -> float:
    """By how much the trials of all options differ in worth."""
    return max([t.high for t in tried], default=0.0) - min([t.low for t in tried], default=0.0)


def prize_of(tried: Sequence[OptionStats]) -> float:
    """What a game won counts beside what trials came to: more than all they differ by."""
    return 3.0 * spread_of(tried) + 1.0
