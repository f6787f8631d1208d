"""Decisions that repeat until the player ends them: which one is pending, and whether it has begun."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.play.game import Game
from interpreter.runtime.decisions import Decision
from interpreter.runtime.lazy_options import options_of
from interpreter.runtime.pending import PendingDecision, PendingDraft
from interpreter.runtime.state import State


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A row of choices: the decision that is asked again and again, what waits for it, and when.

    `waiting` is one object from the first choice of the row to its last, as a stack never changes in place; () is no
    object of its own, so the phase and the turn count too.
    """

    number: int
    waiting: Any
    moment: tuple[Any, ...]

    def is_asked_in(self, state: State) -> bool:
        """Return True if the open decision continues this row."""
        row = row_in(state)
        if row is None or row.number != self.number or row.moment != self.moment:
            return False
        return row.waiting is self.waiting

    def is_interrupted_in(self, state: State) -> bool:
        """Return whether an order of this decision asks a follow-up question before the decision repeats.

        A decision of the next phase is no follow-up, though the same sequence of play waits for it.
        """
        if self.waiting == () or self.moment != _moment(state) or self.is_asked_in(state):
            return False
        return any(rest is self.waiting for rest in _stacks(state))


def row_of(game: Game) -> Row | None:
    """Return the row of choices in which a game is, or None if nothing is asked."""
    return row_in(game.state)


def row_is_unused(game: Game) -> bool:
    """Return True if a row of choices is asked, something could be chosen in it, and nothing has been chosen so far.

    An equal row of another side, or after `done`, is another row.
    """
    decision, row = game.decision, row_of(game)
    if decision is None or row is None or not decision.described.is_repeated:
        return False
    if not any(raw[0] >= 0 for raw in options_of(game.state)):
        return False
    for before, _length, key in reversed(game.past()):
        if row.is_asked_in(before):
            return key == "done" or Decision(before).side != decision.side
        is_inside = row.is_interrupted_in(before) if row.waiting != () else _moment(before) == row.moment
        if before.pending is None or not is_inside:
            break
    return True


def row_start(game: Game) -> State | None:
    """Return the state at the first choice of the current repeated decision, or None outside of one."""
    decision, row = game.decision, row_of(game)
    if decision is None or row is None or not decision.described.is_repeated:
        return None
    first = game.state
    for before, _length, key in reversed(game.past()):
        if row.is_asked_in(before):
            if key == "done" or Decision(before).side != decision.side:
                break
            first = before
        elif before.pending is None or not row.is_interrupted_in(before):
            break
    return first


def row_in(state: State) -> Row | None:
    """Return the row of choices in which a state is, or None if nothing is asked."""
    pending = state.pending
    if not isinstance(pending, PendingDecision | PendingDraft):
        return None
    return Row(pending.number, state.stack[2] if state.stack else (), _moment(state))


def _moment(state: State) -> tuple[Any, ...]:
    return state.turn, state.phase


def _stacks(state: State) -> Iterator[Any]:
    """Iterate over the stack of a state and what remains of it frame by frame."""
    rest = state.stack
    while rest:
        yield rest
        rest = rest[2]
