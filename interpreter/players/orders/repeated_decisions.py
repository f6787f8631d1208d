"""Decisions that repeat until the player ends them: which one is pending, and whether it has begun."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.play.game import Game
from interpreter.runtime.decisions import Decision
from interpreter.runtime.lazy_options import list_pending_options
from interpreter.runtime.pending import PendingDecision, PendingDraft
from interpreter.runtime.state import State


@dataclass(frozen=True, slots=True, eq=False)
class DecisionSeries:
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
        series = find_series_in_state(state)
        if series is None or series.number != self.number or series.moment != self.moment:
            return False
        return series.waiting is self.waiting

    def is_running_in(self, state: State) -> bool:
        """Return whether the procedures that asked this decision are still suspended in a state."""
        return self.waiting == () or any(rest is self.waiting for rest in _iter_stacks(state))

    def is_interrupted_in(self, state: State) -> bool:
        """Return whether a state asks a follow-up question of an order given in this decision.

        A decision of another phase is not a follow-up, even if the same procedure asks it. Neither is a decision that
        comes earlier in the rules of that procedure.
        """
        if self.waiting == () or self.moment != _build_moment_key(state) or self.is_asked_in(state):
            return False
        pending_series = find_series_in_state(state)
        if (
            pending_series is not None
            and pending_series.waiting is self.waiting
            and pending_series.number < self.number
        ):
            return False
        return any(rest is self.waiting for rest in _iter_stacks(state))


def find_series(game: Game) -> DecisionSeries | None:
    """Return the series of choices that a game is in, or None if no decision is pending."""
    return find_series_in_state(game.state)


def is_series_unused(game: Game) -> bool:
    """Return whether a repeated decision is pending that has options and in which nothing has been chosen.

    The same decision asked for another side, or asked again after `done`, is another series.
    """
    decision, series = game.decision, find_series(game)
    if decision is None or series is None or not decision.info.is_repeated:
        return False
    if not any(raw[0] >= 0 for raw in list_pending_options(game.state)):
        return False
    for before, _length, key in reversed(game.get_history()):
        if series.is_asked_in(before):
            return key == "done" or Decision(before).side != decision.side
        is_inside = (
            series.is_interrupted_in(before) if series.waiting != () else _build_moment_key(before) == series.moment
        )
        if before.pending is None or not is_inside:
            break
    return True


def find_series_start(game: Game) -> State | None:
    """Return the state before the first choice of the current repeated decision, or None outside of one."""
    decision, series = game.decision, find_series(game)
    if decision is None or series is None or not decision.info.is_repeated:
        return None
    first = game.state
    for before, _length, key in reversed(game.get_history()):
        if series.is_asked_in(before):
            if key == "done" or Decision(before).side != decision.side:
                break
            first = before
        elif before.pending is None or not series.is_interrupted_in(before):
            break
    return first


def find_series_in_state(state: State) -> DecisionSeries | None:
    """Return the series of choices that a state is in, or None if no decision is pending."""
    pending = state.pending
    if not isinstance(pending, PendingDecision | PendingDraft):
        return None
    return DecisionSeries(pending.number, state.stack[2] if state.stack else (), _build_moment_key(state))


def _build_moment_key(state: State) -> tuple[Any, ...]:
    return state.turn, state.phase


def _iter_stacks(state: State) -> Iterator[Any]:
    """Yield the stack of suspended procedures of a state, then that stack without its top frame, and so on."""
    rest = state.stack
    while rest:
        yield rest
        rest = rest[2]
