"""Where somebody can go, and the ways there with their cost and their dice: tried out on copies of the game.

Must not judge what is legal, nor see what dice will fall.
"""

from __future__ import annotations

from interpreter.play.session import Game
from interpreter.players.orders.lexicon import Lexicon
from interpreter.players.orders.menus import option_words
from interpreter.players.orders.ways import Way, dice_on, number_in, plainest, reach, ways_from
from interpreter.players.telling.comers import comers
from interpreter.players.telling.piece import orders_of
from interpreter.runtime.faults import SetupError
from interpreter.scene.records import Plan
from interpreter.scene.shown_options import path_of
from interpreter.scene.stage import Stage
from interpreter.words.numbers import number_text

MOST = 60  # ways told at once; the rest is asked for by the number of the first one


def places_in_reach(game: Game, piece: str) -> tuple[tuple[str, str], ...]:
    """Every place that a piece can be ordered to at once, with what it costs ('' for nothing counted)."""
    _expect_piece(game, piece)
    found = reach(game, orders_of(piece, game))
    return tuple((place, "" if cost is None else number_text(cost)) for place, cost in found.items())


def who_can_come(game: Game, place: str) -> tuple[tuple[str, str], ...]:
    """Every piece that can be ordered to a place at once, with what it costs ('' for nothing counted)."""
    if place not in game.program.handles["place"]:
        raise SetupError("there is no place `{text}`", text=place[:40])
    return tuple((piece, "" if cost is None else number_text(cost)) for piece, cost in comers(game, place))


def plans_to(stage: Stage, game: Game, piece: str, place: str, start: int = 0) -> tuple[Plan, ...]:
    """Return the ways on which a piece can be ordered to a place, at most `MOST` from number `start` on.

    The first one is the default: of a stack that is sent by number the whole, by the plainest way. Fewer than `MOST`
    are the last ones.
    """
    _expect_piece(game, piece)
    lexicon = Lexicon(game, stage.words)
    found = sorted(ways_from(game, orders_of(piece, game), place), key=number_in, reverse=True)
    plain = plainest(game, [way for way in found if number_in(way) == number_in(found[0])])
    if len(plain) == 1:  # what is taken for granted stands first
        found = [plain[0], *(way for way in found if way is not plain[0])]
    return tuple(_plan(stage, game, way, lexicon) for way in found[start : start + MOST])


def _plan(stage: Stage, game: Game, way: Way, lexicon: Lexicon) -> Plan:
    words = stage.words
    dice = tuple(words.name(roll, "roll") for roll in dice_on(game, way))
    cost = "" if way.cost is None else number_text(way.cost)
    path = tuple(place for leg in way.legs for place in path_of(leg, lexicon))
    return Plan(way.keys, option_words(way, lexicon), path, cost, dice, way.cite)


def _expect_piece(game: Game, piece: str) -> None:
    if piece not in game.program.handles["piece"]:
        raise SetupError("there is no piece `{text}`", text=piece[:40])
