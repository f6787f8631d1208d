"""A bot that tries each option on a copy of the game and takes the one with the best result.

It sees the position, never the dice to come, and does not plan beyond the turn. In a repeated decision it reuses
earlier results and evaluates only the most promising options again.

Gains of options and planned replies are kept while a decision repeats, never longer than a turn. The decision is
identified by its address, its side and its depth.

Where only the score counts, moving next to an enemy gains nothing until the fight that follows. So, where no option
makes a difference at once, a few random sequences of answers are played on to the end of the turn: many times as
expensive.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from interpreter.players.bots.bot_game import BotGame, decision_of, with_fallback
from interpreter.players.bots.evaluation import EvaluationCache, worths
from interpreter.players.bots.lookahead import DecisionId, drawn_seed, end_of_row, sample, start_of
from interpreter.players.bots.mast import key_of
from interpreter.players.bots.option_evaluation import (
    LOST,
    LookaheadConfig,
    OptionEvaluator,
    OptionStats,
    ReplyPolicy,
    best_inner,
    ending,
    rank_options,
    spread_of,
)
from interpreter.players.bots.option_similarity import promising
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.errors import RuleFault

CARE = LookaheadConfig()
_PATIENCE = 1  # rows to be ended for nothing, and as many for each in which something was found in what comes after it
_WAYS = 6  # ways through the row that are looked at
_PROOF = 5  # trials of the best option, including the first
_FAR = 40  # decisions that a trial goes on for
_NEAR = 12  # of them those that are taken with care
_INNER = 4  # options examined at each careful decision of the seat
_DEEP = 4  # answers of one way through the row


class GreedyPlayer:
    """Bot that plays one seat; equal seeds choose alike."""

    plays_native = True

    def __init__(self, seat: str, seed: int, config: LookaheadConfig = CARE) -> None:
        self.seat = seat
        self.config = config
        self._stream = SeededDice(seed)
        self._rows = RepeatStack()
        self._known = EvaluationCache()

    def choose(self, game: BotGame) -> int:
        """Return the number of the best option.

        Of equal ones, the one that ends a repeated decision is chosen, otherwise a random one.
        """
        if game.count() == 1:
            return 0
        game = self._known.trial_of(game)
        end = end_of_row(game)
        if end is not None:
            return self._in_row(game, end)
        planned = self._rows.planned(game)
        if planned is not None and self._rows.is_certain:
            return planned
        tried, prize = self.look(game, self._rows.around(game), planned)
        best = rank_options(tried, prize)[0].mean(prize)
        equals = [t.number for t in tried if t.mean(prize) == best]
        return planned if planned in equals else equals[self._stream.roll(len(equals))]

    def look(
        self, game: BotGame, around: DecisionId | None = None, planned: int | None = None
    ) -> tuple[list[OptionStats], float]:
        """Try options; return the statistics of each one tried, and the value of a won game on the same scale.

        `around`: the repeated decision that encloses the pending one, or None; `planned`: the number of an option to
        try in any case, or None.
        """
        trials = self._trials(game, around)
        trials.at([] if planned is None else [planned])
        count, most = game.count(), self.config.options
        trials.at(sample(count, most if count <= most else most // 2, self._stream))
        if count > most:
            prize = trials.prize()
            seen = {number: one.mean(prize) for number, one in trials.tried.items()}
            trials.at(promising(decision_of(game).offers(), seen, most - most // 2))
        trials.prove()
        return trials.tried_options(), trials.prize()

    def _trials(self, game: BotGame, around: DecisionId | None) -> OptionEvaluator:
        with_fallback(game, lambda game: worths(game, (self.seat,)))  # fills the cache that all trials share
        return OptionEvaluator(game, self.seat, self.config, drawn_seed(self._stream), around)

    def _in_row(self, game: BotGame, end: int) -> int:
        """Return the number of the option of a repeated decision that gains most over ending the decision, or `end`.

        `end`: the number of the option that ends it. Gains measured when the decision was asked before are reused; an
        option is evaluated again only if it looks best. Before the bot ends the decision, it evaluates the options with
        the best gains once more; if no option makes a difference at once, it searches for a delayed payoff.
        """
        decision = decision_of(game)
        keys = decision.offers()
        row = self._rows.memory_for(game)
        trials = self._trials(game, None)
        trials.planned = {n: row.answers[key] for n, key in enumerate(keys) if key in row.answers}
        trials.at([end])
        trials.at(self._some([n for n, key in enumerate(keys) if key not in row.gains]))
        _look_at_the_best(trials, row, keys, end)
        trials.prove()
        first = rank_options(trials.tried_options(), trials.prize(), end)[0]
        if first.number == end:
            trials.at(row.best(keys, (n for n in range(end) if n not in trials.tried), self.config.reevaluated))
            trials.prove()
            first = rank_options(trials.tried_options(), trials.prize(), end)[0]
        _remember(trials, row, keys, end)
        if first.number != end:
            self._rows.mean([] if first.reply_key is None else [first.reply_key], sure=False)
            return first.number
        later = None
        if spread_of(trials.tried_options()) == 0.0 and self._rows.is_fruitful(decision.address):
            later = DelayedPayoffProbe(game, self.seat, self._stream).best(end)
        self._rows.note(decision.address, later is not None)
        if later is not None:
            self._rows.mean(later[1:], sure=True)
            return keys.index(later[0])
        self._rows.ended()
        return end

    def _some(self, numbers: list[int]) -> list[int]:
        """Return a random sample of these option numbers, at most as many as the bot may try in one decision."""
        return [numbers[place] for place in sample(len(numbers), self.config.options, self._stream)] if numbers else []


def _look_at_the_best(trials: OptionEvaluator, row: RepeatMemory, keys: Sequence[object], end: int) -> None:
    """Evaluate the option with the best remembered gain; repeat that until the best one was evaluated in this decision.

    `trials`: the trials of the options; `row`: the memory of the repeated decision; `keys`: the key of each option by
    number; `end`: the number of the option that ends the decision.
    """
    _remember(trials, row, keys, end)
    while True:
        evaluated = [n for n in range(end) if keys[n] in row.gains]
        best = max(evaluated, key=lambda n: (row.gains[keys[n]], -n), default=end)
        if best == end or best in trials.tried or row.gains[keys[best]] <= 0:
            return
        trials.at([best])
        _remember(trials, row, keys, end)


def _remember(trials: OptionEvaluator, row: RepeatMemory, keys: Sequence[object], end: int) -> None:
    """Store in `row` how much each tried option gains over ending the repeated decision, and the reply that followed.

    `trials`: the trials of the options; `keys`: the key of each option by number; `end`: the number of the option that
    ends the decision.
    """
    prize = trials.prize()
    base = trials.tried[end].mean(prize)
    for number, one in trials.tried.items():
        if number != end:
            row.gains[keys[number]] = one.mean(prize) - base
            if one.reply_key is not None:
                row.answers[keys[number]] = one.reply_key


@dataclass(slots=True)
class RepeatMemory:
    """Memory of a bot about one repeated decision, from its first answer to its end.

    `start`: its identity; `gains`: by option key, the gain over ending the decision measured last; `answers`: by option
    key, the reply planned after it.
    """

    start: DecisionId
    gains: dict[Any, float] = field(default_factory=dict)
    answers: dict[Any, Any] = field(default_factory=dict)

    def best(self, keys: Sequence[Any], numbers: Iterable[int], most: int) -> list[int]:
        """Return at most `most` of the option numbers, those with the greatest remembered gains first.

        `keys`: the key of each option by number.
        """
        return sorted(numbers, key=lambda n: -self.gains.get(keys[n], float("-inf")))[:most]


@dataclass(slots=True)
class RepeatStack:
    """The nested repeated decisions that a seat is in, outermost first, and the replies it plans to give next.

    `plan`: the keys of the planned replies. `is_certain`: they are given without another lookahead, which would see no
    difference in each of them alone. `fruit` counts, by address of the decision, how often it ended and how often it
    had a delayed payoff.
    """

    turn: int = -1
    open: list[RepeatMemory] = field(default_factory=list)
    plan: list[Any] = field(default_factory=list)
    is_certain: bool = False
    fruit: dict[str, tuple[int, int]] = field(default_factory=dict)

    def mean(self, answers: list[Any], sure: bool) -> None:
        """Set the planned replies, given as option keys; `sure`: they are given without another lookahead."""
        self.plan, self.is_certain = answers, sure

    def memory_for(self, game: BotGame) -> RepeatMemory:
        """Return the memory of the pending repeated decision, a new one when it is asked for the first time.

        The planned replies are dropped.
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
        """Remove the next planned reply; return its number if it is legal, else None."""
        if not self.plan:
            return None
        offers, choice = decision_of(game).offers(), self.plan.pop(0)
        if choice in offers:
            return offers.index(choice)
        self.plan = []
        return None

    def is_fruitful(self, address: str) -> bool:
        """Return whether to search for a delayed payoff in the decision at this address.

        False if it has ended often enough without one.
        """
        ended, successes = self.fruit.get(address, (0, 0))
        return ended < _PATIENCE * (1 + successes)

    def note(self, address: str, is_success: bool) -> None:
        """Count that the repeated decision at this address has ended; `is_success`: it had a delayed payoff."""
        ended, before = self.fruit.get(address, (0, 0))
        self.fruit[address] = (ended + 1, before + is_success)

    def ended(self) -> None:
        """Close the innermost repeated decision."""
        self.open.pop()

    def _close(self, game: BotGame) -> None:
        """Drop the repeated decisions of earlier turns, and those in which the pending decision is not nested."""
        start = start_of(game)
        if game.turn != self.turn:
            self.turn, self.open, self.plan = game.turn, [], []
        while self.open and not _within(start, self.open[-1].start):
            self.open.pop()


def _within(start: DecisionId, row: DecisionId) -> bool:
    """Return whether `start` is the repeated decision `row` or may be nested in it.

    It may be if its depth is greater, or if it is another decision at the same depth.
    """
    return start == row or start.depth > row.depth or start.depth == row.depth and start.address != row.address


@dataclass(slots=True)
class DelayedPayoffProbe:
    """Search for answers to a seat's repeated decision that pay off later; `stream` is the bot's random source."""

    game: BotGame
    seat: str
    stream: SeededDice

    def best(self, end: int) -> list[Any] | None:
        """Return the keys of a sequence of answers that is better than ending the repeated decision, or None.

        `end`: the number of the option that ends the decision. Several sequences are tried with the same dice. The best
        one is tried again with other dice: it must never do worse than ending the decision, and must do better in more
        than half of the trials.
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
                keys.append(key_of(decision_of(trial).raw_options()[number]))
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
        """Return the number of the next answer: the first of the keys `left`, or else a reply.

        `is_row`: the decision that was to be ended is pending; `chance`: the random source; `careful`: choose the
        seat's own replies by lookahead.
        """
        decision = decision_of(trial)
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
