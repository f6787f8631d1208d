"""A bot that tries each option on a copy of the game and takes the one with the best result.

It sees the position, never the dice to come, and does not plan beyond the turn. In a repeated decision it reuses
earlier results and evaluates only the most promising options again.

The bot stores the gains of options and its planned replies while a decision repeats, at most for a turn. It identifies
a decision by its address, its side and its depth.

Where only the score counts, moving next to an enemy gains nothing until the fight that follows. So, where no option
makes a difference at once, the bot plays a few random sequences of answers to the end of the turn, which costs many
times as much.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from interpreter.players.bots.bot_game import BotGame, get_decision, run_with_fallback
from interpreter.players.bots.evaluation import EvaluationCache, evaluate_seats
from interpreter.players.bots.lookahead import DecisionId, draw_seed, find_end_option, identify_pending, sample_options
from interpreter.players.bots.mast import identify_option
from interpreter.players.bots.option_evaluation import (
    LOST,
    LookaheadConfig,
    OptionEvaluator,
    OptionStats,
    ReplyPolicy,
    classify_ending,
    compute_spread,
    find_best_reply,
    rank_options,
)
from interpreter.players.bots.option_similarity import find_similar_options
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.errors import RuleFault

DEFAULT_LOOKAHEAD = LookaheadConfig()
_FREE_PROBES = 1  # probes that may find no delayed payoff, and as many more for each one that found one
_SEQUENCES = 6  # sequences of answers that a probe tries
_PROBE_TRIALS = 5  # trials of the best sequence, including the first
_PROBE_DECISIONS = 40  # decisions that a trial goes on for
_CAREFUL_DECISIONS = 12  # of these, the first ones, in which the seat looks ahead
_CAREFUL_REPLIES = 4  # options examined at each of them
_SEQUENCE_LENGTH = 4  # answers in a sequence


class GreedyPlayer:
    """Bot that plays one seat; equal seeds choose alike."""

    plays_native = True

    def __init__(self, seat: str, seed: int, config: LookaheadConfig = DEFAULT_LOOKAHEAD) -> None:
        self.seat = seat
        self.config = config
        self._stream = SeededDice(seed)
        self._series = SeriesStack()
        self._evaluations = EvaluationCache()

    def choose(self, game: BotGame) -> int:
        """Return the number of the best option.

        Of equal ones, the one that ends a repeated decision is chosen, otherwise a random one.
        """
        if game.count() == 1:
            return 0
        game = self._evaluations.copy_for_lookahead(game)
        end = find_end_option(game)
        if end is not None:
            return self._choose_in_series(game, end)
        planned = self._series.pop_planned_reply(game)
        if planned is not None and self._series.is_committed:
            return planned
        tried, win_bonus = self.evaluate_options(game, self._series.find_enclosing_decision(game), planned)
        best = rank_options(tried, win_bonus)[0].compute_mean(win_bonus)
        equals = [t.number for t in tried if t.compute_mean(win_bonus) == best]
        return planned if planned in equals else equals[self._stream.roll(len(equals))]

    def evaluate_options(
        self, game: BotGame, enclosing: DecisionId | None = None, planned: int | None = None
    ) -> tuple[list[OptionStats], float]:
        """Try options; return the statistics of each one tried, and the value of a won game on the same scale.

        `enclosing`: the repeated decision that encloses the pending one, or None; `planned`: the number of an option to
        try in any case, or None.
        """
        trials = self._create_evaluator(game, enclosing)
        trials.try_options([] if planned is None else [planned])
        count, most = game.count(), self.config.max_options
        trials.try_options(sample_options(count, most if count <= most else most // 2, self._stream))
        if count > most:
            win_bonus = trials.compute_win_bonus()
            means = {number: stats.compute_mean(win_bonus) for number, stats in trials.tried.items()}
            trials.try_options(find_similar_options(get_decision(game).list_offers(), means, most - most // 2))
        trials.confirm_best()
        return trials.list_tried_options(), trials.compute_win_bonus()

    def _create_evaluator(self, game: BotGame, enclosing: DecisionId | None) -> OptionEvaluator:
        run_with_fallback(game, lambda game: evaluate_seats(game, (self.seat,)))
        return OptionEvaluator(game, self.seat, self.config, draw_seed(self._stream), enclosing)

    def _choose_in_series(self, game: BotGame, end: int) -> int:
        """Return the number of the option of a repeated decision that gains most over ending the decision, or `end`.

        `end`: the number of the option that ends it. Gains measured when the decision was asked before are reused; an
        option is evaluated again only if it looks best. Before the bot ends the decision, it evaluates the options with
        the best gains once more; if no option makes a difference at once, it searches for a delayed payoff.
        """
        decision = get_decision(game)
        keys = decision.list_offers()
        memory = self._series.get_memory(game)
        trials = self._create_evaluator(game, None)
        trials.planned = {n: memory.replies[key] for n, key in enumerate(keys) if key in memory.replies}
        trials.try_options([end])
        trials.try_options(self._sample_untried([n for n, key in enumerate(keys) if key not in memory.gains]))
        _evaluate_most_promising(trials, memory, keys, end)
        trials.confirm_best()
        first = rank_options(trials.list_tried_options(), trials.compute_win_bonus(), end)[0]
        if first.number == end:
            trials.try_options(
                memory.list_best(keys, (n for n in range(end) if n not in trials.tried), self.config.reevaluated)
            )
            trials.confirm_best()
            first = rank_options(trials.list_tried_options(), trials.compute_win_bonus(), end)[0]
        _record_gains(trials, memory, keys, end)
        if first.number != end:
            self._series.plan_replies([] if first.reply_key is None else [first.reply_key], is_committed=False)
            return first.number
        delayed = None
        if compute_spread(trials.list_tried_options()) == 0.0 and self._series.may_pay_off(decision.address):
            delayed = DelayedPayoffProbe(game, self.seat, self._stream).find_sequence(end)
        self._series.record_end(decision.address, delayed is not None)
        if delayed is not None:
            self._series.plan_replies(delayed[1:], is_committed=True)
            return keys.index(delayed[0])
        self._series.close_innermost()
        return end

    def _sample_untried(self, numbers: list[int]) -> list[int]:
        """Return a random sample of these option numbers, at most as many as the bot may try in one decision."""
        return (
            [numbers[place] for place in sample_options(len(numbers), self.config.max_options, self._stream)]
            if numbers
            else []
        )


def _evaluate_most_promising(trials: OptionEvaluator, memory: SeriesMemory, keys: Sequence[object], end: int) -> None:
    """Evaluate the option with the best remembered gain; repeat that until the best one was evaluated in this decision.

    `trials`: the trials of the options; `memory`: the memory of the repeated decision; `keys`: the key of each option
    by number; `end`: the number of the option that ends the decision.
    """
    _record_gains(trials, memory, keys, end)
    while True:
        evaluated = [n for n in range(end) if keys[n] in memory.gains]
        best = max(evaluated, key=lambda n: (memory.gains[keys[n]], -n), default=end)
        if best == end or best in trials.tried or memory.gains[keys[best]] <= 0:
            return
        trials.try_options([best])
        _record_gains(trials, memory, keys, end)


def _record_gains(trials: OptionEvaluator, memory: SeriesMemory, keys: Sequence[object], end: int) -> None:
    """Store in `memory` how much each tried option gains over ending the repeated decision, and its reply.

    `trials`: the trials of the options; `keys`: the key of each option by number; `end`: the number of the option that
    ends the decision.
    """
    win_bonus = trials.compute_win_bonus()
    base = trials.tried[end].compute_mean(win_bonus)
    for number, stats in trials.tried.items():
        if number != end:
            memory.gains[keys[number]] = stats.compute_mean(win_bonus) - base
            if stats.reply_key is not None:
                memory.replies[keys[number]] = stats.reply_key


@dataclass(slots=True)
class SeriesMemory:
    """Memory of a bot about one repeated decision, from its first answer to its end.

    `start`: its identity; `gains`: by option key, the gain over ending the decision measured last; `replies`: by option
    key, the reply planned after it.
    """

    start: DecisionId
    gains: dict[Any, float] = field(default_factory=dict)
    replies: dict[Any, Any] = field(default_factory=dict)

    def list_best(self, keys: Sequence[Any], numbers: Iterable[int], most: int) -> list[int]:
        """Return at most `most` of the option numbers, those with the greatest remembered gains first.

        `keys`: the key of each option by number.
        """
        return sorted(numbers, key=lambda n: -self.gains.get(keys[n], float("-inf")))[:most]


@dataclass(slots=True)
class SeriesStack:
    """The nested repeated decisions that a seat is in, outermost first, and the replies it plans to give next.

    `plan`: the keys of the planned replies. `is_committed`: they are given without another lookahead, which would see
    no difference in each of them alone. `payoffs` counts, by address of the decision, how often it ended and how often
    it had a delayed payoff.
    """

    turn: int = -1
    open: list[SeriesMemory] = field(default_factory=list)
    plan: list[Any] = field(default_factory=list)
    is_committed: bool = False
    payoffs: dict[str, tuple[int, int]] = field(default_factory=dict)

    def plan_replies(self, replies: list[Any], is_committed: bool) -> None:
        """Set the planned replies, given as option keys; `is_committed`: they are given without another lookahead."""
        self.plan, self.is_committed = replies, is_committed

    def get_memory(self, game: BotGame) -> SeriesMemory:
        """Return the memory of the pending repeated decision, a new one when it is asked for the first time.

        The planned replies are dropped.
        """
        self._drop_finished(game)
        self.plan = []
        start = identify_pending(game)
        if not self.open or self.open[-1].start != start:
            self.open.append(SeriesMemory(start))
        return self.open[-1]

    def find_enclosing_decision(self, game: BotGame) -> DecisionId | None:
        """Return the identity of the repeated decision that encloses the pending one, or None."""
        self._drop_finished(game)
        return self.open[-1].start if self.open else None

    def pop_planned_reply(self, game: BotGame) -> int | None:
        """Remove the next planned reply; return its number if it is legal, else None."""
        if not self.plan:
            return None
        offers, choice = get_decision(game).list_offers(), self.plan.pop(0)
        if choice in offers:
            return offers.index(choice)
        self.plan = []
        return None

    def may_pay_off(self, address: str) -> bool:
        """Return whether to search for a delayed payoff in the decision at this address.

        False if it has ended often enough without one.
        """
        ended, successes = self.payoffs.get(address, (0, 0))
        return ended < _FREE_PROBES * (1 + successes)

    def record_end(self, address: str, is_success: bool) -> None:
        """Count that the repeated decision at this address has ended; `is_success`: it had a delayed payoff."""
        ended, before = self.payoffs.get(address, (0, 0))
        self.payoffs[address] = (ended + 1, before + is_success)

    def close_innermost(self) -> None:
        """Close the innermost repeated decision."""
        self.open.pop()

    def _drop_finished(self, game: BotGame) -> None:
        """Drop the repeated decisions of earlier turns, and those in which the pending decision is not nested."""
        start = identify_pending(game)
        if game.turn != self.turn:
            self.turn, self.open, self.plan = game.turn, [], []
        while self.open and not _is_within(start, self.open[-1].start):
            self.open.pop()


def _is_within(start: DecisionId, outer: DecisionId) -> bool:
    """Return whether `start` is the repeated decision `outer` or may be nested in it.

    It may be if its depth is greater, or if it is another decision at the same depth.
    """
    return start == outer or start.depth > outer.depth or start.depth == outer.depth and start.address != outer.address


@dataclass(slots=True)
class DelayedPayoffProbe:
    """Search for answers to a seat's repeated decision that pay off later; `stream` is the bot's random source."""

    game: BotGame
    seat: str
    stream: SeededDice

    def find_sequence(self, end: int) -> list[Any] | None:
        """Return the keys of a sequence of answers that is better than ending the repeated decision, or None.

        `end`: the number of the option that ends the decision. Several sequences are tried with the same dice. The best
        one is tried again with other dice: it must never do worse than ending the decision, and must do better in more
        than half of the trials.
        """
        seed = self.stream.roll(1 << 16)
        sequences = [self._draw_sequence(number) for number in sample_options(end, _SEQUENCES, self.stream)]
        idle, payoffs = self._play([], seed), [self._play(sequence, seed) for sequence in sequences]
        sequence, leads = sequences[payoffs.index(max(payoffs))], [(max(payoffs), idle)]
        while len(leads) < _PROBE_TRIALS and leads[-1][0] >= leads[-1][1] and leads[0][0] > idle:
            seed += 1
            leads.append((self._play(sequence, seed), self._play([], seed)))
        return sequence if leads[-1][0] >= leads[-1][1] and sum(a > b for a, b in leads) > _PROBE_TRIALS // 2 else None

    def _draw_sequence(self, number: int) -> list[Any]:
        """Return the keys of a sequence of answers: option `number`, then random replies.

        The sequence ends where the decision repeats or another seat decides.
        """
        return run_with_fallback(self.game, lambda game: self._draw_sequence_in(game, number), self.stream)

    def _draw_sequence_in(self, game: BotGame, number: int) -> list[Any]:
        """Draw a sequence of answers, which begins with option `number`, on a copy of `game`."""
        trial = game.trial(SeededDice(self.stream.roll(256)))
        start = identify_pending(trial)
        keys: list[Any] = []
        with suppress(RuleFault):
            for _ in range(_SEQUENCE_LENGTH):
                keys.append(identify_option(get_decision(trial).list_raw_options()[number]))
                trial.pick(number)
                decision = trial.decision
                if (
                    decision is None
                    or decision.seat != self.seat
                    or trial.depth < start.depth
                    or identify_pending(trial) == start
                ):
                    break
                number = self.stream.roll(trial.count())
        return keys

    def _play(self, sequence: list[Any], seed: int) -> tuple[int, float]:
        """Play a sequence of answers on a copy of the game, with dice from `seed`, to the end of the turn.

        `sequence`: the keys of the answers. Return WON, LOST or OPEN and the value of the position for the seat; LOST
        and -infinity if the rules fault.
        """
        return run_with_fallback(self.game, lambda game: self._play_in(game, sequence, seed))

    def _play_in(self, game: BotGame, sequence: list[Any], seed: int) -> tuple[int, float]:
        """Play a sequence of answers on a copy of `game`; see `_play`."""
        trial, chance = game.trial(SeededDice(seed)), SeededDice(-1 - seed)
        start, turn = identify_pending(trial), trial.turn
        remaining = list(sequence)
        with suppress(RuleFault):
            for place in range(_PROBE_DECISIONS):
                if trial.over or trial.turn != turn or trial.decision is None:
                    break
                trial.pick(
                    self._choose_answer(
                        trial, remaining, identify_pending(trial) == start, chance, place < _CAREFUL_DECISIONS
                    )
                )
            return classify_ending(trial, self.seat), evaluate_seats(trial, (self.seat,))[0]
        return LOST, float("-inf")

    def _choose_answer(
        self, trial: BotGame, remaining: list[Any], is_repeat: bool, chance: SeededDice, looks_ahead: bool
    ) -> int:
        """Return the number of the next answer: the first of the keys `remaining`, or else a reply.

        `is_repeat`: the decision that was to be ended is pending; `chance`: the random source; `looks_ahead`: choose
        the seat's own replies by lookahead.
        """
        decision = get_decision(trial)
        if remaining:
            choice = remaining.pop(0)
            for number, raw in enumerate(decision.list_raw_options()):
                if identify_option(raw) == choice:
                    return number
            remaining.clear()
        count = trial.count()
        if count == 1 or is_repeat:
            return count - 1
        if looks_ahead and decision.seat == self.seat:
            policy = ReplyPolicy(_CAREFUL_REPLIES)
            return find_best_reply(trial, identify_pending(trial), self.seat, chance.roll(256), policy).number
        return count - 1 if decision.may_end else chance.roll(count)
