"""Who can be ordered to a place now, and at what cost. Makes lines; must not print them, nor judge who may."""

from __future__ import annotations

from collections import Counter
from typing import Any

from interpreter.play.session import Game
from interpreter.players.orders.ways import reach
from interpreter.players.telling.piece import orders_of
from interpreter.players.telling.vocabulary import Words
from interpreter.runtime.keys import piece_group
from interpreter.words.numbers import number_text

_MOST = 24  # told in one line


def comers(game: Game, place: str) -> tuple[tuple[str, Any], ...]:
    """The pieces that can be ordered to a place at once, each with its least cost (None where nothing counts it).

    The cheapest first; of alike pieces that stand together one.
    """
    program, found, groups = game.program, [], set()
    for handle, piece in enumerate(program.ids["piece"]):
        group = piece_group(game.state, handle) if program.is_alike[handle] else piece
        if group in groups or program.ids["place"][game.state.at[handle]] == place:
            continue
        groups.add(group)
        orders = orders_of(piece, game)
        leads = reach(game, orders) if orders else {}
        if place in leads:
            found.append((piece, leads[place]))
    return tuple(sorted(found, key=lambda one: (one[1] is not None, one[1] or 0)))


def comer_lines(game: Game, place: str, words: Words) -> list[str]:
    """Return a line that names everybody who can be ordered to a place; [] where nobody can.

    Alike pieces that stand together are named together, with their number.
    """
    found = comers(game, place)
    if not found:
        return []
    program = game.program
    groups = Counter(piece_group(game.state, n) for n, is_alike in enumerate(program.is_alike) if is_alike)

    def named(piece: str) -> str:
        handle = program.handles["piece"][piece]
        return words.pieces(piece, groups[piece_group(game.state, handle)] if program.is_alike[handle] else 1)

    told = [words.aside(named(p), "" if cost is None else number_text(cost)) for p, cost in found]
    return ["  " + words.say("can come here now: {pieces}", pieces=words.listed(words.counted_off(told, _MOST)))]
