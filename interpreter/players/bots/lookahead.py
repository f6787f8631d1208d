"""Lookahead on trial games: the position after an option once its consequences are resolved (quiescence).

Trials have dice of their own, so a bot never sees the dice of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from interpreter.play.game import Game
from interpreter.runtime.decisions import Decision
from interpreter.runtime.dice import SeededDice

_FEW = 3  # answers that are given at once behind an option that is looked at


class DecisionId(NamedTuple):
    """The decision a look ahead begins from."""

    depth: int
    address: str
    side: str


def start_of(game: Game) -> DecisionId:
    """Return the identity of the pending decision."""
    decision = game.decision
    assert decision is not None
    return DecisionId(game.depth, decision.address, decision.side)


def end_of_row(game: Game) -> int | None:
    """Return the number of the option that ends the pending repeated decision, or None if it is not repeated."""
    decision = game.decision
    return game.count() - 1 if decision is not None and decision.may_end else None


def at_rest(game: Game, start: DecisionId) -> bool:
    """Return True if the procedure of `start` has ended or asks another side."""
    decision = game.decision
    return decision is None or game.over or rests(decision, game.depth, start)


def rests(decision: Decision, depth: int, start: DecisionId) -> bool:
    """Return True if the pending decision at `depth` is quiescent with respect to `start`."""
    return depth < start.depth or (
        depth == start.depth
        and decision.address == start.address
        and (decision.side != start.side or not decision.may_end)
    )


def is_again(decision: Decision, depth: int, start: DecisionId) -> bool:
    """Return True if the decision `start` is asked again at `depth`, or its procedure has ended."""
    return depth < start.depth or (depth == start.depth and decision.address == start.address)


def look_on(trial: Game, start: DecisionId, outer: DecisionId, answer: Callable[[Game], None]) -> None:
    """Give a few answers, until what was asked at `start` is at rest or what was asked at `outer` is asked again."""
    for _ in range(_FEW):
        decision = trial.decision
        if decision is None or trial.over:
            return
        depth = trial.depth
        if rests(decision, depth, start) or is_again(decision, depth, outer):
            return
        answer(trial)


def answer_quickly(game: Game, stream: SeededDice) -> None:
    """Take the end of a row of choices where it is offered, else any option."""
    decision = game.decision
    assert decision is not None
    if decision.may_end:
        game.end_row()
        return
    count = game.count()
    game.pick(0 if count == 1 else stream.roll(count))


def drawn_seed(stream: SeededDice) -> int:
    """Return a seed drawn from the bot's own stream."""
    return sum(stream.roll(256) << 8 * place for place in range(7))


def sample(count: int, most: int, stream: SeededDice) -> list[int]:
    """Sample at most `most` numbers below `count`, in ascending order, always including the last."""
    if count <= most:
        return list(range(count))
    left = list(range(count - 1))
    for place in range(most - 1):
        other = place + stream.roll(len(left) - place)
        left[place], left[other] = left[other], left[place]
    return [*sorted(left[: most - 1]), count - 1]
