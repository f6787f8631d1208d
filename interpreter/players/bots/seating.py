"""Who sits where in a game: seats with the sides they play.

Must not know who plays a seat.
"""

from __future__ import annotations

from interpreter.play.session import Game


def side_seats(game: Game) -> dict[str, str]:
    """For each side the seat that plays it, by ids, in the ruleset's order."""
    ids = game.program.ids
    return {ids["side"][side]: ids["seat"][seat] for side, seat in enumerate(game.state.seat_of)}


def seats_of(game: Game) -> list[str]:
    """The seats that play at least one side, in the order of their sides."""
    return list(dict.fromkeys(side_seats(game).values()))
