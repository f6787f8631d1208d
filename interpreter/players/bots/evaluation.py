"""Evaluation of a position for each seat, and reuse of its memoized values in the next position.

Uses the ruleset's `evaluation`, else the lead in `score`, else the number of pieces on the map. The game itself drops
its memo tables with each choice, so that a choice uses its budget the same way every time. A bot keeps the tables whose
inputs have not changed, and continues from the position that it predicted.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.play.game import Game
from interpreter.players.bots.bot_game import BotGame
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.intrinsics import invalidate
from interpreter.runtime.option_keys import get_piece_value
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import handle_of


def evaluate_seats(game: BotGame, seats: Sequence[str]) -> tuple[float, ...]:
    """Return the value of the position for each seat, in the unit of the ruleset's evaluation; higher is better."""
    if not isinstance(game, Game) and game.tries_options:
        return tuple(game.evaluate(seat) for seat in seats)
    if len(seats) == 1 and (value := game.evaluation(seats[0])) is not None:
        return (value,)  # the usual case in a lookahead
    evaluations = [game.evaluation(seat) for seat in seats]
    if None not in evaluations:
        return tuple(value for value in evaluations if value is not None)
    points = {seat: float(p) for seat, p in game.scores().items()} or count_material(game)
    best_others = {seat: max((p for s, p in points.items() if s != seat), default=0.0) for seat in seats}
    return tuple(points.get(seat, 0.0) - best_others[seat] for seat in seats)


def count_material(game: BotGame) -> dict[str, float]:
    """Return how many pieces each seat has on the map. A piece belongs to the first side that its attributes name."""
    program, state = game.program, game.state
    attributes = program.kinds["piece"]["attributes"]
    owners = [name for name, data in attributes.items() if list(data["show"]) == ["thing", "side"]]
    counts = {program.ids["seat"][seat]: 0.0 for seat in dict.fromkeys(state.seat_of)}
    for piece, place in enumerate(state.at):
        if program.on_map[place]:
            sides = (get_piece_value(state, piece, name) for name in owners)
            side = next((side for side in sides if side is not None), None)
            if side is not None:
                counts[program.ids["seat"][state.seat_of[handle_of(side)]]] += 1.0
    return counts


class EvaluationCache:
    """Cache of the position evaluated last with its memo tables, which the next evaluation reuses."""

    def __init__(self) -> None:
        self._last: Game | None = None

    def copy_for_lookahead(self, game: BotGame) -> BotGame:
        """Return a copy of the game for lookahead only, with the memoized values that are still valid.

        A game inside WebAssembly manages its own memo tables.
        """
        if not isinstance(game, Game):
            return game.trial(SeededDice(0))
        last = self._last
        copy = None if last is None else last.find_successor(game.state)
        if copy is None:
            copy = game.trial(SeededDice(0))
            state = copy.state
            if last is not None and last.program is game.program:
                memo = dict(state.memo)
                state.memo = last.state.memo.copy()
                _forget_changed(last.state, state)
                state.memo.update(memo)
        self._last = copy
        return copy


def _forget_changed(before: State, after: State) -> None:
    """Drop the values memoized in `after` that depend on a column in which the two states differ."""
    slots = (*type(after).columns, *type(after).game, "turn", "last_turn", "phase", "options", "scenario", "seat_of")
    values_by_slot = ((slot, getattr(before, slot), getattr(after, slot)) for slot in slots)
    changed_slots = {
        slot
        for slot, before_values, after_values in values_by_slot
        if before_values is not after_values and before_values != after_values
    }
    if before.at != after.at or before.occ != after.occ:
        changed_slots.add("at")
    invalidate(after, changed_slots)
