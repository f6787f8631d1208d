"""Reinforcements: pieces off the map, still to arrive, waiting or lost, by holding place. Read-only."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.play.game import Game
from interpreter.players.narration.position_lines import pieces_by_place, render_stack
from interpreter.players.orders.route_planning import find_reachable_places, list_piece_orders
from interpreter.runtime.localizer import Localizer

_MOST = 12  # places named in a line


@dataclass(frozen=True, slots=True)
class OffMapGroup:
    """A place off the map and the ids of the pieces in it."""

    place: str
    pieces: tuple[str, ...]


def list_off_map_groups(game: Game) -> tuple[OffMapGroup, ...]:
    """Return each occupied place off the map, in the order of the ruleset."""
    pieces_at = pieces_by_place(game.view())
    return tuple(
        OffMapGroup(thing["id"], tuple(piece for piece, _ in pieces_at[thing["id"]]))
        for thing in game.program.kinds["place"]["things"]
        if thing["holding"] and thing["id"] in pieces_at
    )


def arrival_lines(game: Game, words: Localizer) -> list[str]:
    """Render a line for each place off the map with its pieces, and below it the places they can be ordered to now."""
    pieces_at = pieces_by_place(game.view())
    lines: list[str] = []
    for waiting in list_off_map_groups(game):
        lines.append(
            words.about(
                words.thing("place", waiting.place), words.parted(render_stack(pieces_at[waiting.place], words))
            )
        )
        entries = {
            place for piece in waiting.pieces for place in find_reachable_places(game, list_piece_orders(piece, game))
        }
        shown = [place for place in game.program.ids["place"] if place in entries]
        if shown:
            listed = words.counted_off([words.thing("place", place) for place in shown], _MOST)
            lines.append("  " + words.say("can enter at {places} now", places=words.join_list(listed)))
    return lines or [words.say("no pieces are off the map")]
