"""Lookahead on trial games: the position after an option once its consequences are resolved (quiescence).

Trials have dice of their own, so a bot never sees the dice of the game. Games inside WebAssembly look ahead in
`backends/wasm/assembly/trial_text.py`: change both.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from interpreter.play.game import Game
from interpreter.players.bots.bot_game import BotDecision, BotGame, get_decision
from interpreter.players.bots.evaluation import evaluate_seats
from interpreter.runtime.dice import SeededDice

MAX_DEFAULT_REPLIES = 3  # default replies after an option in a lookahead


class DecisionId(NamedTuple):
    """The identity of a decision: its depth (number of nested procedures), its address in the rules, and its side."""

    depth: int
    address: str
    side: str


def identify_pending(game: BotGame) -> DecisionId:
    """Return the identity of the pending decision."""
    decision = get_decision(game)
    return DecisionId(game.depth, decision.address, decision.side)


def find_end_option(game: BotGame) -> int | None:
    """Return the number of the option that ends the pending decision, or None if it is not a repeated one."""
    decision = game.decision
    return game.count() - 1 if decision is not None and decision.may_end else None


def is_at_rest(game: BotGame, start: DecisionId) -> bool:
    """Return True if a lookahead from the decision `start` may stop here, or the game is over; see `is_quiescent`."""
    decision = game.decision
    return decision is None or game.over or is_quiescent(decision, game.depth, start)


def is_quiescent(decision: BotDecision, depth: int, start: DecisionId) -> bool:
    """Return True if a lookahead from the decision `start` may stop at this one, `depth` procedures deep.

    That holds if the procedure of `start` has ended, or if `start` is asked of another side or can no longer be ended.
    """
    return depth < start.depth or (
        depth == start.depth
        and decision.address == start.address
        and (decision.side != start.side or not decision.may_end)
    )


def has_recurred(decision: BotDecision, depth: int, start: DecisionId) -> bool:
    """Return True if `decision` is `start` asked again, or the procedure of `start` has ended.

    `depth`: the number of nested procedures at `decision`.
    """
    return depth < start.depth or (depth == start.depth and decision.address == start.address)


def look_ahead(trial: BotGame, start: DecisionId, outer: DecisionId, answer: Callable[[BotGame], None]) -> None:
    """Let `answer` answer up to MAX_DEFAULT_REPLIES decisions of `trial`, until `start` or `outer` is asked again.

    Also stops when the procedure of `start` has ended. `outer`: the repeated decision that leads to `start`.
    """
    for _ in range(MAX_DEFAULT_REPLIES):
        decision = trial.decision
        if decision is None or trial.over:
            return
        depth = trial.depth
        if is_quiescent(decision, depth, start) or has_recurred(decision, depth, outer):
            return
        answer(trial)


def evaluate_quickly(game: BotGame, number: int, seed: int, start: DecisionId, outer: DecisionId, seat: str) -> float:
    """Return the value for `seat` of option `number` after a few default replies, with dice from `seed`.

    `start` and `outer`: the decisions at which the replies end, as in `look_ahead`.
    """
    if not isinstance(game, Game) and game.tries_options:
        return game.evaluate_option(number, seed, start, outer, seat, MAX_DEFAULT_REPLIES)
    trial, stream = game.trial(SeededDice(seed)), SeededDice(-1 - seed)
    trial.pick(number)
    look_ahead(trial, start, outer, partial(choose_default_reply, stream=stream))
    return evaluate_seats(trial, (seat,))[0]


class TrialBounds(NamedTuple):
    """The decisions at which a trial for `seat` stops: `start` once `is_quiescent`, or `enclosing` once asked again.

    `enclosing`: the repeated decision that encloses `start`, or None.
    """

    start: DecisionId
    enclosing: DecisionId | None
    seat: str


def play_default_replies(trial: BotGame, chance: SeededDice, most: int, bounds: TrialBounds, is_own: bool) -> int:
    """Give at most `most` default replies, until the trial reaches one of its bounds.

    `chance`: the random source of the replies. With `is_own`, stop at the first choice of the seat of `bounds` and
    return the number of replies left, including that choice; otherwise return 0.
    """
    start, enclosing, seat = bounds
    for remaining in range(most, 0, -1):
        decision = trial.decision
        if decision is None or trial.over:
            break
        depth = trial.depth
        if is_quiescent(decision, depth, start) or enclosing is not None and has_recurred(decision, depth, enclosing):
            break
        # replies after the repeated decision follow every option alike, so they do not distinguish this one
        is_own = is_own and not has_recurred(decision, depth, start)
        if is_own and decision.seat == seat and trial.has_choice():
            return remaining
        choose_default_reply(trial, chance)
    return 0


def choose_default_reply(game: BotGame, stream: SeededDice) -> None:
    """End the pending decision if it is a repeated one; otherwise choose a random option.

    `stream`: the random source.
    """
    decision = get_decision(game)
    if decision.may_end:
        game.end_series()
        return
    count = game.count()
    game.pick(0 if count == 1 else stream.roll(count))


def draw_seed(stream: SeededDice) -> int:
    """Return a seed drawn from `stream`, a bot's own random source."""
    return sum(stream.roll(256) << 8 * place for place in range(7))


def sample_options(count: int, most: int, stream: SeededDice) -> list[int]:
    """Sample at most `most` numbers below `count`, in ascending order, always including the last.

    `stream`: the random source.
    """
    if count <= most:
        return list(range(count))
    numbers = list(range(count - 1))
    for place in range(most - 1):
        other = place + stream.roll(len(numbers) - place)
        numbers[place], numbers[other] = numbers[other], numbers[place]
    return [*sorted(numbers[: most - 1]), count - 1]
