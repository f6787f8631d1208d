"""Evaluate options: play each on a copy of the game until it is quiescent, and evaluate the position.

All options of a decision get the same dice from the bot's own stream (common random numbers), so that luck does not
favor one. The same algorithm exists in WebAssembly, in `backends/wasm/assembly/trial_text.py`: change both;
`tests/simulation/test_native_bots.py` compares their choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from interpreter.play.game import Game
from interpreter.players.bots.bot_game import BotGame, get_decision, run_with_fallback
from interpreter.players.bots.evaluation import evaluate_seats
from interpreter.players.bots.lookahead import (
    MAX_DEFAULT_REPLIES,
    DecisionId,
    TrialBounds,
    evaluate_quickly,
    find_end_option,
    identify_pending,
    play_default_replies,
    sample_options,
)
from interpreter.players.bots.option_similarity import find_similar_options
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.errors import RuleFault

if TYPE_CHECKING:
    from interpreter.backends.wasm.host.native_game import NativeGame

WON, LOST, OPEN = 1, -1, 0
_REPLY_SEED_OFFSET = 1 << 60  # offset of the seeds of lookaheads inside a trial


@dataclass(frozen=True, slots=True)
class LookaheadConfig:
    """Limits of a bot's lookahead.

    `max_options`: options of a decision that are tried; if there are more, half are drawn at random and half by
    similarity to the best. `max_replies`: replies tried after an option; `max_replies_to_best`: after the option that
    looks best. `repeats`: how often the best option is tried again if chance has a part in it; `max_repeats`: the
    maximum of such trials in one decision. `max_decisions`: the length of a trial. `reevaluated`: options evaluated
    once more before a repeated decision is ended.
    """

    max_options: int = 24
    max_replies: int = 3
    max_replies_to_best: int = 6
    repeats: int = 2
    max_repeats: int = 16
    max_decisions: int = 12
    reevaluated: int = 4


@dataclass(slots=True)
class OptionStats:
    """Results of the trials of one option.

    `total`: the sum of the values. `ended`: games won minus games lost. `low` and `high`: the least and the greatest
    value. `reply_key`: the key of the seat's reply in the first trial, None without a reply. `reply_values`: the values
    of the replies tried there, by number. `is_certain`: chance had no part in the last trial. `is_exhaustive`: all
    replies were tried.
    """

    number: int
    total: float = 0.0
    trials: int = 0
    ended: int = 0
    low: float = float("inf")
    high: float = float("-inf")
    reply_key: Any = None
    is_certain: bool = False
    is_exhaustive: bool = True
    reply_values: dict[int, float] = field(default_factory=dict)

    def compute_mean(self, win_bonus: float) -> float:
        """Return the average value of the trials; a won game adds `win_bonus`, a lost one subtracts it."""
        return (self.total + self.ended * win_bonus) / self.trials if self.trials else float("-inf")

    def find_certain_result(self) -> int:
        """Return WON or LOST if every trial ended that way; otherwise, and without a trial, OPEN."""
        return (WON if self.ended > 0 else LOST) if self.trials and abs(self.ended) == self.trials else OPEN

    def record_trial(self, value: float, ended: int) -> None:
        """Record the result of one trial: the value `value` and the end of the game, WON, LOST or OPEN."""
        self.total += value
        self.trials += 1
        self.ended += ended
        self.low, self.high = min(self.low, value), max(self.high, value)


@dataclass(slots=True)
class OptionEvaluator:
    """Evaluator of the options of one decision by trials: the game is played on for a few decisions after each.

    `seed`: seed of the dice, the same for every option in a round; `enclosing`: the repeated decision that encloses the
    decision, or None; `planned`: best reply found earlier, by option number; `tried`: the statistics by option number.
    `observer` is called with the game at the end of each trial.
    """

    game: BotGame
    seat: str
    config: LookaheadConfig
    seed: int
    enclosing: DecisionId | None = None
    planned: Mapping[int, Any] = field(default_factory=dict)
    tried: dict[int, OptionStats] = field(default_factory=dict)
    observer: Callable[[BotGame], None] | None = None
    start: DecisionId = field(init=False)
    end: int | None = field(init=False)

    def __post_init__(self) -> None:
        self.start, self.end = identify_pending(self.game), find_end_option(self.game)

    def try_options(self, numbers: Iterable[int]) -> None:
        """Try each of the options with these numbers once, unless it was tried before."""
        new = [self.tried.setdefault(n, OptionStats(n)) for n in numbers if n not in self.tried]
        if not isinstance(self.game, Game) and self.game.tries_options:
            self._try_inside(self.game, new, None)
            return
        for stats in new:
            self.run_trial(stats)

    def run_trial(self, stats: OptionStats, inner: ReplyPolicy | None = None) -> None:
        """Run one more trial of the option `stats` with the next dice; a trial that faults is not recorded.

        `inner`: how the seat's reply is chosen; by default, all trials of an option give the reply that was best in
        its first.
        """
        if isinstance(self.game, Game):
            self._try_stepwise(self.game, stats, inner)
        elif self.game.tries_options:
            self._try_inside(self.game, [stats], inner)
        else:
            run_with_fallback(self.game, lambda game: self._try_stepwise(game, stats, inner))

    def _get_reply_policy(self, stats: OptionStats) -> ReplyPolicy:
        """Return how the seat's reply to an option is chosen in the next trial of that option."""
        planned_key = self.planned.get(stats.number) if stats.reply_key is None else stats.reply_key
        values = {} if stats.trials else stats.reply_values
        return ReplyPolicy(self.config.max_replies, planned_key, stats.reply_key is not None, values)

    def _try_inside(self, game: NativeGame, options: Sequence[OptionStats], inner: ReplyPolicy | None) -> None:
        """Run a trial of each option in one call of the WebAssembly module; those that it cannot run, Python runs.

        `inner`: how the seat's replies are chosen; None for the default of each option.
        """
        from interpreter.backends.wasm.host.trials import Trial

        policies = [self._get_reply_policy(stats) if inner is None else inner for stats in options]
        results = game.try_options(
            [
                Trial(
                    stats.number,
                    self.seed + stats.trials,
                    policy.max_replies,
                    policy.planned,
                    is_own=stats.number != self.end,
                    is_sole=policy.is_sole,
                    is_closer=policy.is_closer,
                )
                for stats, policy in zip(options, policies, strict=True)
            ],
            self.config.max_decisions,
            self.start,
            self.enclosing,
            self.seat,
            MAX_DEFAULT_REPLIES,
        )
        for stats, policy, result in zip(options, policies, results, strict=True):
            if result is None:
                self._try_stepwise(game.in_python(), stats, inner)
                continue
            if stats.trials == 0:
                stats.reply_key = policy.planned if result.is_same else result.reply
                stats.is_exhaustive = result.is_exhaustive
            if not result.is_same:
                stats.is_certain = result.is_certain
                stats.record_trial(result.worth, result.ended)

    def _try_stepwise(self, game: BotGame, stats: OptionStats, inner: ReplyPolicy | None) -> None:
        """Run one trial of the option `stats`, decision by decision; `inner`: how the seat replies, or None."""
        seed = self.seed + stats.trials
        dice, chance = SeededDice(seed), SeededDice(-1 - seed)
        policy = self._get_reply_policy(stats) if inner is None else inner
        with suppress(RuleFault):
            bounds, replies = TrialBounds(self.start, self.enclosing, self.seat), stats.number != self.end
            trial = game.trial(dice)
            trial.pick(stats.number)
            remaining = play_default_replies(trial, chance, self.config.max_decisions, bounds, replies)
            reply_key, is_exhaustive = (
                choose_reply(trial, chance, remaining, bounds, policy) if remaining else (None, True)
            )
            if stats.trials == 0:
                stats.reply_key, stats.is_exhaustive = reply_key, is_exhaustive
                if policy.is_closer and reply_key == policy.planned:
                    return
            stats.is_certain = dice.counter == chance.counter == 0
            stats.record_trial(evaluate_seats(trial, (self.seat,))[0], classify_ending(trial, self.seat))
            if self.observer is not None:
                self.observer(trial)

    def confirm_best(self) -> None:
        """Repeat trials of the best option until it stays best, since a single trial may be lucky.

        Stops early if its worst trial is at least as good as the mean of the second best option.
        """
        for _ in range(self.config.max_repeats):
            options = self.list_tried_options()
            win_bonus = compute_win_bonus_of(options)
            first, *others = rank_options(options, win_bonus)
            if not first.is_exhaustive:
                self._repeat_deeper(first)
                continue
            if first.trials > self.config.repeats or first.is_certain or not others:
                return
            if first.trials > 2 and first.low >= others[0].compute_mean(win_bonus):
                return
            self.run_trial(first)

    def _repeat_deeper(self, stats: OptionStats) -> None:
        """Repeat the first trial of an option with more replies tried after it.

        The dice are unchanged, so equal replies give equal results.
        """
        closer = OptionStats(stats.number)
        self.run_trial(
            closer,
            ReplyPolicy(
                self.config.max_replies_to_best, stats.reply_key, value_cache=stats.reply_values, is_closer=True
            ),
        )
        if closer.reply_key != stats.reply_key:
            self.tried[stats.number] = stats = closer
        stats.is_exhaustive = True

    def list_tried_options(self) -> list[OptionStats]:
        """Return the statistics of the tried options by ascending number, without those whose trials all faulted.

        If every trial of every option faulted, return equal statistics for all of them.
        """
        options = [self.tried[number] for number in sorted(self.tried)]
        recorded = [stats for stats in options if stats.trials]
        return recorded or [OptionStats(stats.number, trials=1, low=0.0, high=0.0) for stats in options]

    def compute_win_bonus(self) -> float:
        """Return the value that a won game adds, on the scale of the trials run so far."""
        return compute_win_bonus_of(self.list_tried_options())


@dataclass(slots=True)
class ReplyPolicy:
    """Policy by which a trial chooses the seat's reply after an option: the best of at most `max_replies` replies.

    `planned`: the key of a reply found earlier, or None; half as many others are tried beside it. `is_sole`: try only
    the planned one, if it is legal. `value_cache`: the values of replies tried before in this position with these dice,
    by the number of the reply. `is_closer`: stop before giving the reply if the planned one is best again.
    """

    max_replies: int
    planned: Any = None
    is_sole: bool = False
    value_cache: dict[int, float] = field(default_factory=dict)
    is_closer: bool = False


@dataclass(slots=True)
class BestReply:
    """The best reply to an option, by number; `is_exhaustive`: all replies were tried."""

    number: int
    is_exhaustive: bool = True


def choose_reply(
    trial: BotGame, chance: SeededDice, remaining: int, bounds: TrialBounds, inner: ReplyPolicy
) -> tuple[Any, bool]:
    """Choose the seat's own first reply by lookahead and play on until the trial reaches one of its bounds.

    `chance`: the random source; `remaining`: the maximum number of replies, including this one; `inner`: how the reply
    is chosen. Return the key of the reply and whether all replies were tried.
    """
    decision = get_decision(trial)
    best = find_best_reply(trial, bounds.start, bounds.seat, chance.seed, inner)
    offer = decision.list_offers()[best.number]
    if not inner.is_closer or offer != inner.planned:
        trial.pick(best.number)
        play_default_replies(trial, chance, remaining - 1, bounds, False)
    return offer, best.is_exhaustive


def find_best_reply(game: BotGame, outer: DecisionId, seat: str, seed: int, inner: ReplyPolicy) -> BestReply:
    """Return the best reply of `seat` by a one-ply lookahead. Equal seeds give equal replies.

    `outer`: the decision at which the lookahead ends if it is asked again; `seed`: seed of the dice; `inner`: the
    limits.
    """
    decision, count, most = get_decision(game), game.count(), inner.max_replies
    planned_numbers = (
        [] if inner.planned is None else [n for n, key in enumerate(decision.list_offers()) if key == inner.planned]
    )
    if planned_numbers and inner.is_sole:
        return BestReply(planned_numbers[0])
    chance = SeededDice(seed + _REPLY_SEED_OFFSET)
    start, seed = identify_pending(game), chance.roll(256)
    evaluate_seats(game, (seat,))
    values: dict[int, float] = {}

    def evaluate_reply(number: int) -> None:
        if number not in inner.value_cache:
            inner.value_cache[number] = evaluate_quickly(game, number, seed, start, outer, seat)
        values[number] = inner.value_cache[number]

    if planned_numbers and count > most:
        most //= 2
    for number in [*planned_numbers, *sample_options(count, most if count <= most else most // 2, chance)]:
        if number not in values:
            evaluate_reply(number)
    if count > most:
        for number in find_similar_options(decision.list_offers(), values, most - most // 2):
            evaluate_reply(number)
    return BestReply(max(values, key=values.__getitem__), count <= inner.max_replies)


def classify_ending(game: BotGame, seat: str) -> int:
    """Return WON, LOST or OPEN for a seat; a draw is OPEN."""
    outcome = game.outcome
    if outcome is None or outcome.winner in (None, "draw"):
        return OPEN
    winners = (outcome.winner,) if isinstance(outcome.winner, str) else outcome.winner or ()
    return WON if seat in winners else LOST


def rank_options(stats: Sequence[OptionStats], win_bonus: float, end: int | None = None) -> list[OptionStats]:
    """Return the statistics sorted best first; of equals the option number `end` comes first.

    `win_bonus`: the value of a won game.
    """
    return sorted(stats, key=lambda t: (-t.compute_mean(win_bonus), t.number != end))


def compute_spread(stats: Sequence[OptionStats]) -> float:
    """Return the difference between the highest and the lowest trial value of all options."""
    return max([t.high for t in stats], default=0.0) - min([t.low for t in stats], default=0.0)


def compute_win_bonus_of(stats: Sequence[OptionStats]) -> float:
    """Return the value that a won game adds: more than the spread of all trial values."""
    return 3.0 * compute_spread(stats) + 1.0
