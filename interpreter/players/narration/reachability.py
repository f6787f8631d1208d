"""Reachability lines: the pieces that can be ordered to a place now, and the cost of each."""

from __future__ import annotations

from collections import Counter
from typing import Any

from interpreter.i18n.number_format import number_text
from interpreter.play.game import Game
from interpreter.players.orders.route_planning import find_reachable_places, list_piece_orders
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.option_keys import piece_group

_MOST = 24  # named in one line


def find_orderable_pieces(game: Game, place: str) -> tuple[tuple[str, Any], ...]:
    """Return the pieces that can be ordered to a place directly, each with its least cost (None if none is counted).

    Sorted by cost; of interchangeable pieces in one place only one is returned.
    """
    program, pieces, groups = game.program, [], set()
    for handle, piece in enumerate(program.ids["piece"]):
        group = piece_group(game.state, handle) if program.is_alike[handle] else piece
        if group in groups or program.ids["place"][game.state.at[handle]] == place:
            continue
        groups.add(group)
        orders = list_piece_orders(piece, game)
        leads = find_reachable_places(game, orders) if orders else {}
        if place in leads:
            pieces.append((piece, leads[place]))
    return tuple(sorted(pieces, key=lambda one: (one[1] is not None, one[1] or 0)))


def reachability_lines(game: Game, place: str, words: Localizer) -> list[str]:
    """Return a line naming every piece that can be ordered to a place; or [] if no piece can.

    Equal pieces in one place are named together, with their number.
    """
    pieces = find_orderable_pieces(game, place)
    if not pieces:
        return []
    program = game.program
    groups = Counter(piece_group(game.state, n) for n, is_alike in enumerate(program.is_alike) if is_alike)

    def named(piece: str) -> str:
        handle = program.handles["piece"][piece]
        return words.pieces(piece, groups[piece_group(game.state, handle)] if program.is_alike[handle] else 1)

    names = [words.with_detail(named(p), "" if cost is None else number_text(cost)) for p, cost in pieces]
    return [
        "  " + words.say("can reach this place now: {pieces}", pieces=words.join_list(words.counted_off(names, _MOST)))
    ]
