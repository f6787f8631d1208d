"""Evaluation of a position for each seat.

Uses the ruleset's `evaluation`, else the lead in `score`, else the number of pieces on the map.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.play.game import Game

if TYPE_CHECKING:
    from interpreter.players.bots.bot_game import BotGame
    from interpreter.runtime.program import Program


def worths(game: BotGame, seats: Sequence[str]) -> tuple[float, ...]:
    """Return the value of the position for each seat, in the unit of the ruleset's evaluation; more is better."""
    if not isinstance(game, Game) and game.tries_options:
        return tuple(game.worth(seat) for seat in seats)
    if len(seats) == 1 and (own := game.evaluation(seats[0])) is not None:
        return (own,)  # what is asked of every position that is looked at
    evaluations = [game.evaluation(seat) for seat in seats]
    if None not in evaluations:
        return tuple(w for w in evaluations if w is not None)
    points = {seat: float(p) for seat, p in game.scores().items()} or material(game)
    return tuple(_lead(points, seat) for seat in seats)


def material(game: BotGame) -> dict[str, float]:
    """Return how many pieces each seat has on the map. A piece belongs to the first side among its attributes."""
    program, state = game.program, game.state
    owners = _owner_attributes(program)
    out = {program.ids["seat"][seat]: 0.0 for seat in dict.fromkeys(state.seat_of)}
    for piece, place in enumerate(state.at):
        if program.on_map[place]:
            side = next((s for s in (_value(program, state, piece, n) for n in owners) if s is not None), None)
            if side is not None:
                out[program.ids["seat"][state.seat_of[side]]] += 1.0
    return out


def _owner_attributes(program: Program) -> list[str]:
    described = program.kinds["piece"]["attributes"]
    return [name for name, data in described.items() if list(data["show"]) == ["thing", "side"]]


def _value(program: Program, state: object, piece: int, name: str) -> int | None:
    slot = program.slot_of.get(("piece", name))
    value: int | None = program.constant_of(piece, name) if slot is None else getattr(state, slot)[piece]
    return value


def _lead(points: dict[str, float], seat: str) -> float:
    """Return a seat's points minus the maximum of the other seats' points."""
    others = [p for s, p in points.items() if s != seat]
    return points.get(seat, 0.0) - max(others, default=0.0)
