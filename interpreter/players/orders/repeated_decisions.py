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
    """A series of choices in one repeated decision.

    `number`: the number of the decision. `waiting`: the stack of suspended procedures, one object from the first choice
    of the series to its last. An empty stack () is shared by all series, so `moment`, the phase and the turn, is
    compared too.
    """

    number: int
    waiting: Any
    moment: tuple[Any, ...]

    def is_asked_in(self, state: State) -> bool:
        """Return whether the pending decision continues this series of choices."""
        row = row_in(state)
        if row is None or row.number != self.number or row.moment != self.moment:
            return False
        return row.waiting is self.waiting

    def is_running_in(self, state: State) -> bool:
        """Return whether the procedures that asked this decision are still suspended in a state."""
        return self.waiting == () or any(rest is self.waiting for rest in _stacks(state))

    def is_interrupted_in(self, state: State) -> bool:
        """Return whether a state asks a follow-up question of an order given in this decision.

        A decision of the next phase is not a follow-up, though the same sequence of play waits for it. Of two decisions
        in one procedure, the one that comes first in the rules is not a follow-up of the other.
        """
        if self.waiting == () or self.moment != _moment(state) or self.is_asked_in(state):
            return False
        asked = row_in(state)
        if asked is not None and asked.waiting is self.waiting and asked.number < self.number:
            return False
        return any(rest is self.waiting for rest in _stacks(state))


def row_of(game: Game) -> Row | None:
    """Return the series of choices that a game is in, or None if no decision is pending."""
    return row_in(game.state)


def row_is_unused(game: Game) -> bool:
    """Return whether a repeated decision is pending that has options and in which nothing has been chosen.

    The same decision asked for another side, or asked again after `done`, is another series.
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
    """Return the state before the first choice of the current repeated decision, or None outside of one."""
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
    """Return the series of choices that a state is in, or None if no decision is pending."""
    pending = state.pending
    if not isinstance(pending, PendingDecision | PendingDraft):
        return None
    return Row(pending.number, state.stack[2] if state.stack else (), _moment(state))


def _moment(state: State) -> tuple[Any, ...]:
    return state.turn, state.phase


def _stacks(state: State) -> Iterator[Any]:
    """Yield the stack of suspended procedures of a state, then that stack without its top frame, and so on."""
    rest = state.stack
    while rest:
        yield rest
        rest = rest[2]
