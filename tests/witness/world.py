"""Position of the reference evaluator: plain lists and dictionaries by the names of the documents.

It is taken from a game that has been set up and not begun, and can be compared with the state of a compiled program.
Knows no expressions or statements.
"""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from typing import Any

from interpreter.model.ruleset import Ruleset
from interpreter.runtime.state import to_json
from tests.witness.ways import Links


def normal(value: Any) -> Any:
    """Return a value in its normal form: a fraction that comes out even is a whole number."""
    if type(value) is tuple:
        return tuple([v if type(v) is int else normal(v) for v in value])
    if type(value) is Fraction and value.denominator == 1:
        return value.numerator
    return value


class World:
    """One position. `values` holds the changing values, by kind and attribute; `game` those of the game."""

    def __init__(self, ruleset: Ruleset, state: Any) -> None:
        self.ruleset = ruleset
        self.map = Links(ruleset)
        self.links = state.program.links  # only for lines over the grid
        self.at: list[int] = list(state.at)
        self.seat_of: list[int] = list(state.seat_of)
        self.values: dict[tuple[str, str], list[Any]] = {
            (kind, name): [normal(v) for v in getattr(state, slot)] for slot, kind, name, _ in state.program.columns
        }
        self.game: dict[str, Any] = {name: normal(getattr(state, slot)) for slot, name, _ in state.program.game}
        self.options = dict(zip(ruleset.options, state.options, strict=True))
        self.turn: int = state.turn
        self.last_turn: int | None = state.last_turn
        self.phase: str | None = None
        self.queue: list[tuple[str, tuple[Any, ...]]] = []
        self.depth: dict[str, int] = {}
        self.outcome: tuple[Any, Any] | None = None
        self.dice = state.dice.clone()
        self.story: list[tuple[Any, ...]] = []

    def attribute(self, kind: str, name: str, owner: int) -> Any:
        """Return an attribute of a thing, wherever it is kept."""
        if (kind, name) == ("piece", "at"):
            return self.at[owner]
        if (kind, name) == ("side", "seat"):
            return self.seat_of[owner]
        if (kind, name) in self.values:
            return self.values[kind, name][owner]
        return normal(self.ruleset.kinds[kind].things[owner].values.get(name))

    def on_map(self, place: int) -> bool:
        """Return True if a place belongs to the map."""
        return self.ruleset.kinds["place"].things[place].holding is None

    def standing(self, place: int) -> tuple[int, ...]:
        """Return the pieces at a place, in the order of the documents."""
        return tuple(piece for piece, where in enumerate(self.at) if where == place)

    def kind_of_piece(self, piece: int) -> Any:
        """Return a key that alike pieces share: class, place and attributes; other pieces are their own keys."""
        pieces = self.ruleset.kinds["piece"]
        cls = pieces.things[piece].cls
        if cls is None or not self.ruleset.classes[cls].alike:
            return piece
        return cls, self.at[piece], tuple(self.attribute("piece", name, piece) for name in pieces.attributes)

    def clone(self) -> World:
        """Return an independent copy of the position."""
        twin = World.__new__(World)
        twin.__dict__.update(
            {
                name: value if name in ("ruleset", "map", "links", "dice") else deepcopy(value)
                for name, value in self.__dict__.items()
            }
        )
        twin.dice = self.dice.clone()
        return twin

    def data(self) -> dict[str, Any]:
        """Return all that is compared, as JSON data."""
        return {
            "at": self.at,
            "seats": self.seat_of,
            "turn": self.turn,
            "phase": self.phase,
            "queue": to_json(self.queue),
            "dice": getattr(self.dice, "counter", None),
            "outcome": to_json(self.outcome),
            **{f"{kind}.{name}": to_json(values) for (kind, name), values in self.values.items()},
            **{f"game.{name}": to_json(value) for name, value in self.game.items()},
        }


def data_of(state: Any) -> dict[str, Any]:
    """Return all that is compared of a compiled program's state, as `World.data` does."""
    return {
        "at": state.at,
        "seats": list(state.seat_of),
        "turn": state.turn,
        "phase": state.phase,
        "queue": to_json(state.queue),
        "dice": getattr(state.dice, "counter", None),
        "outcome": None if state.outcome is None else to_json(state.outcome[:2]),
        **{f"{kind}.{name}": to_json(getattr(state, slot)) for slot, kind, name, _ in state.program.columns},
        **{f"game.{name}": to_json(getattr(state, slot)) for slot, name, _ in state.program.game},
    }
