"""Ownership queries for any ruleset: sides of pieces, seats of sides, and the groups that pieces belong to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.backends.wasm.host.native_game import NativeGame
    from interpreter.play.game import Game
    from interpreter.runtime.program import Program
    from interpreter.runtime.state import State
    from interpreter.runtime.type_aliases import DisplayType

BUILTIN_KINDS = ("side", "seat", "place", "piece", "edge")  # of every ruleset; all others are a ruleset's own


def list_seat_sides(game: Game, seat: str) -> tuple[str, ...]:
    """Return the ids of the sides that a seat plays, in the ruleset's order."""
    ids, seat_number = game.program.ids, game.program.handles["seat"][seat]
    return tuple(ids["side"][side] for side, owner in enumerate(game.state.seat_of) if owner == seat_number)


def find_only_side(game: Game, seat: str) -> str:
    """Return the id of the side that a seat plays, or '' if it plays several."""
    sides = list_seat_sides(game, seat)
    return sides[0] if len(sides) == 1 else ""


def find_side_of_thing(state: State, kind: str, thing: int) -> str:
    """Return the id of a thing's side, from its first attribute with one, or ''; the side of a side is itself."""
    side = thing if kind == "side" else _find_thing_value(state, kind, thing, "side")
    return "" if side is None else state.program.ids["side"][side]


def find_seat_of_piece(game: Game, piece: int) -> str | None:
    """Return the id of the seat that plays a piece's side, or None if it has no side."""
    side = _find_thing_value(game.state, "piece", piece, "side")
    return None if side is None else game.program.ids["seat"][game.state.seat_of[side]]


def find_group_kind(program: Program) -> str:
    """Return the kind to group pieces by: the first of the ruleset's own kinds in piece attributes that has a side.

    Armies and groups are such kinds, terrain is not. Returns '' if no kind qualifies.
    """
    for attribute in program.kinds["piece"]["attributes"].values():
        kind = get_thing_kind(attribute["show"])
        if kind and kind not in BUILTIN_KINDS:
            if any(get_thing_kind(own["show"]) == "side" for own in program.kinds[kind]["attributes"].values()):
                return kind
    return ""


def find_group(game: Game, piece: int, kind: str) -> str | None:
    """Return the id of the thing of kind `kind` (see `find_group_kind`) that a piece belongs to, or None.

    If several attributes of the piece refer to that kind, the first one with a value decides.
    """
    value = _find_thing_value(game.state, "piece", piece, kind)
    return None if value is None else game.program.ids[kind][value]


def list_members(game: Game, kind: str, thing: str) -> tuple[str, ...]:
    """Return the ids of the pieces that belong to a seat, a side, or a thing of one of the ruleset's own kinds."""
    ids = game.program.ids["piece"]
    if kind == "seat":
        return tuple(name for piece, name in enumerate(ids) if find_seat_of_piece(game, piece) == thing)
    return tuple(
        ids[piece]
        for piece in range(len(ids))
        if game.program.handles[kind][thing] in _iter_thing_values(game.state, "piece", piece, kind)
    )


def is_on_map(game: Game, piece: int) -> bool:
    """Return whether a piece is on the map."""
    return bool(game.program.on_map[game.state.at[piece]])


def _find_thing_value(state: State, kind: str, thing: int, thing_kind: str) -> int | None:
    return next((value for value in _iter_thing_values(state, kind, thing, thing_kind) if value is not None), None)


def _iter_thing_values(state: State, kind: str, thing: int, thing_kind: str) -> Iterator[int | None]:
    """Yield the values of a thing's attributes that hold things of the kind `thing_kind`, as handles or None.

    `kind` and `thing`: the kind and handle of the thing.
    """
    program = state.program
    cls = program.classes.get(program.kinds["piece"]["things"][thing]["cls"]) if kind == "piece" else None
    for name, attribute in program.kinds.get(kind, {"attributes": {}})["attributes"].items():
        if get_thing_kind(attribute["show"]) == thing_kind and (cls is None or name in cls["attributes"]):
            slot = program.slot_of.get((kind, name))
            yield program.constants[(kind, name)][thing] if slot is None else getattr(state, slot)[thing]


def get_thing_kind(show: DisplayType) -> str:
    """Return the kind of a thing-valued type, or '' for other types and for lists."""
    while show and show[0] == "maybe":
        show = show[1]
    return str(show[1]) if show and show[0] == "thing" else ""


def map_sides_to_seats(game: Game | NativeGame) -> dict[str, str]:
    """Return the id of the seat that plays each side, by side id, in the ruleset's order."""
    ids = game.program.ids
    return {ids["side"][side]: ids["seat"][seat] for side, seat in enumerate(game.state.seat_of)}


def list_seats(game: Game | NativeGame) -> list[str]:
    """Return the seats that play at least one side, in the order of their sides."""
    return list(dict.fromkeys(map_sides_to_seats(game).values()))
