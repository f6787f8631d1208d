"""Whose pieces are, and to which groups they belong, read from the attributes of any ruleset. Must not make words."""

from __future__ import annotations

from typing import Any

from interpreter.play.session import Game
from interpreter.runtime.keys import piece_value
from interpreter.runtime.program import Program

_NOT_GROUPS = ("side", "seat", "place", "piece", "edge")


def seat_sides(game: Game, seat: str) -> tuple[str, ...]:
    """The ids of the sides that a seat plays, in the ruleset's order."""
    ids, wanted = game.program.ids, game.program.handles["seat"][seat]
    return tuple(ids["side"][side] for side, held in enumerate(game.state.seat_of) if held == wanted)


def side_of(game: Game, piece: int) -> str | None:
    """The id of a piece's side, by the first of its attributes that is one; None for nobody's."""
    side = _thing_value(game, piece, "side")
    return None if side is None else game.program.ids["side"][side]


def seat_of(game: Game, piece: int) -> str | None:
    """The id of the seat that plays a piece's side; None for nobody's."""
    side = _thing_value(game, piece, "side")
    return None if side is None else game.program.ids["seat"][game.state.seat_of[side]]


def group_kind(program: Program) -> str:
    """The kind by which pieces are best grouped: the ruleset's first own kind that belongs to a side itself.

    Such are armies and their parts, and not sorts of ground; '' where there is none.
    """
    for kind in piece_kinds(program):
        if any(_is_thing(a["show"], "side") for a in program.kinds[kind]["attributes"].values()):
            return kind
    return ""


def piece_kinds(program: Program) -> tuple[str, ...]:
    """The ruleset's own kinds that some attribute of pieces names, in the order of these attributes."""
    found = []
    for attribute in program.kinds["piece"]["attributes"].values():
        kind = _kind_of(attribute["show"])
        if kind and kind not in _NOT_GROUPS:
            found.append(kind)
    return tuple(dict.fromkeys(found))


def group_of(game: Game, piece: int, kind: str) -> str | None:
    """The id of the thing of a kind that a piece belongs to, by the first attribute of that kind it has a value of."""
    value = _thing_value(game, piece, kind)
    return None if value is None else game.program.ids[kind][value]


def members(game: Game, kind: str, thing: str) -> tuple[str, ...]:
    """The ids of the pieces that belong to a thing: of a side, or of a kind of the ruleset's own."""
    ids = game.program.ids["piece"]
    return tuple(
        ids[piece] for piece in range(len(ids)) if _names(game, piece, kind, game.program.handles[kind][thing])
    )


def on_map(game: Game, piece: int) -> bool:
    """True for a piece in a place of the map."""
    return bool(game.program.on_map[game.state.at[piece]])


def _names(game: Game, piece: int, kind: str, thing: int) -> bool:
    return any(
        piece_value(game.state, piece, name) == thing
        for name in _attributes(game.program, piece)
        if _kind_of(game.program.kinds["piece"]["attributes"][name]["show"]) == kind
    )


def _thing_value(game: Game, piece: int, kind: str) -> int | None:
    attributes = game.program.kinds["piece"]["attributes"]
    for name in _attributes(game.program, piece):
        if _kind_of(attributes[name]["show"]) == kind:
            value: int | None = piece_value(game.state, piece, name)
            if value is not None:
                return value
    return None


def _attributes(program: Program, piece: int) -> list[str]:
    """The names of the attributes that a piece has."""
    cls = program.classes.get(program.kinds["piece"]["things"][piece]["cls"])
    return [n for n in program.kinds["piece"]["attributes"] if cls is None or n in cls["attributes"]]


def _kind_of(show: Any) -> str:
    """The kind of things that a value is; '' for anything else, and for several."""
    while show and show[0] == "maybe":
        show = show[1]
    return str(show[1]) if show and show[0] == "thing" else ""


def _is_thing(show: Any, kind: str) -> bool:
    return _kind_of(show) == kind
