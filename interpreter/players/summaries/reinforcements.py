"""Who stands off the map: what is still to arrive, in waiting or lost, place by place. Changes nothing."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.play.game import Game
from interpreter.players.narration.localizer import Localizer
from interpreter.players.narration.piece_lines import orders_of
from interpreter.players.narration.position_lines import company, pieces_by_place
from interpreter.players.orders.route_planning import reach

_MOST = 12  # places told in a line


@dataclass(frozen=True, slots=True)
class OffMapGroup:
    """A place beside the map and the ids of the pieces in it."""

    place: str
    pieces: tuple[str, ...]


def off_map(game: Game) -> tuple[OffMapGroup, ...]:
    """Each place beside the map in which something stands, in the order of the ruleset."""
    here = pieces_by_place(game.view())
    return tuple(
        OffMapGroup(thing["id"], tuple(piece for piece, _ in here[thing["id"]]))
        for thing in game.program.kinds["place"]["things"]
        if thing["holding"] and thing["id"] in here
    )


def arrival_lines(game: Game, words: Localizer) -> list[str]:
    """A line for each of these places, with who stands there; below it where somebody of them can be ordered to now."""
    here = pieces_by_place(game.view())
    lines: list[str] = []
    for waiting in off_map(game):
        lines.append(
            words.about(words.thing("place", waiting.place), words.parted(company(here[waiting.place], words)))
        )
        entries = {place for piece in waiting.pieces for place in reach(game, orders_of(piece, game))}
        shown = [place for place in game.program.ids["place"] if place in entries]
        if shown:
            told = words.counted_off([words.thing("place", place) for place in shown], _MOST)
            lines.append("  " + words.say("can come now to {places}", places=words.listed(told)))
    return lines or [words.say("nobody is off the map")]
