"""Built-in functions of the language, one for each line of the guide.

Each takes the evaluator, the place of the call and the values of its arguments, and evaluates no arguments itself.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.source_text import Span
from interpreter.runtime.builtins import graph
from interpreter.runtime.errors import RuntimeFault
from tests.witness import ways
from tests.witness.faults import Faulted, NotCovered, sort_of

if TYPE_CHECKING:
    from interpreter.model.ruleset import Grid
    from tests.witness.values import Evaluator


def end(items: tuple[Any, ...], number: int) -> Any:
    """Return the first or the last of all, or None if there is none."""
    return items[number] if items else None


def alike(x: Evaluator, span: Span, piece: int, pieces: tuple[int, ...]) -> Any:
    wanted = x.world.kind_of_piece(piece)
    return tuple(other for other in pieces if x.world.kind_of_piece(other) == wanted)


def edges_of(x: Evaluator, span: Span, place: int) -> Any:
    return tuple(sorted(x.world.map.edges[place, other] for other in x.world.map.neighbours[place]))


def ends_of(x: Evaluator, span: Span, edge: int) -> Any:
    found = x.ruleset.kinds["edge"].things[edge].ends
    assert found is not None
    return tuple(sorted(found))


def grid_of(x: Evaluator) -> Grid:
    """Return the grid of the map, for rulesets that have one."""
    if x.ruleset.grid is None:
        raise NotCovered("a map without a grid")
    return x.ruleset.grid


def step(x: Evaluator, span: Span, place: int | None, direction: str | None) -> Any:
    if place is None or direction is None:
        return None
    grid = grid_of(x)
    return grid.neighbours[place][grid.directions.index(direction)] if place < len(grid.neighbours) else None


def ray(x: Evaluator, span: Span, place: int, direction: str) -> Any:
    made = []
    while (place := step(x, span, place, direction)) is not None:
        made.append(place)
    return tuple(made)


def direction_to(x: Evaluator, span: Span, one: int, other: int) -> Any:
    if x.ruleset.grid is None:
        return None
    return next((d for d in x.ruleset.grid.directions if step(x, span, one, d) == other), None)


def turned(x: Evaluator, span: Span, direction: str, steps: int) -> Any:
    directions = grid_of(x).directions
    return directions[(directions.index(direction) + steps) % len(directions)]


def turns_between(x: Evaluator, span: Span, one: str, other: str) -> Any:
    directions = grid_of(x).directions
    return (directions.index(other) - directions.index(one)) % len(directions)


def spaces_between(x: Evaluator, span: Span, one: int, other: int) -> Any:
    found, first = ways.by_rings(x.world.map, (one,), (other,), None, None)
    if first is None:
        raise Faulted("no way", span)
    return found[first][0]


def cell(x: Evaluator, span: Span, place: int) -> tuple[int, int]:
    cells = grid_of(x).column_row
    found = cells[place] if place < len(cells) else None
    if found is None:
        raise Faulted("no grid", span)
    return found


def line_between(x: Evaluator, span: Span, one: int, other: int) -> Any:
    """Call the one function that is not defined by the guide: the geometry of lines has tests of its own."""
    try:
        return graph.line_between(x.world.links, one, other)
    except RuntimeFault as fault:
        raise Faulted(sort_of(str(fault)), span) from None


def linked(x: Evaluator, span: Span, one: int, other: int) -> Any:
    return (one, other) in x.world.map.edges


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "count": lambda x, span, items: len(items),
    "sum": lambda x, span, items: sum(items),
    "min": lambda x, span, items: min(items, default=None),
    "max": lambda x, span, items: max(items, default=None),
    "min_of": lambda x, span, *items: min(items),
    "max_of": lambda x, span, *items: max(items),
    "first": lambda x, span, items: end(items, 0),
    "last": lambda x, span, items: end(items, -1),
    "take": lambda x, span, number, items: items[: max(number, 0)],
    "both": lambda x, span, one, other: tuple(item for item in one if item in other),
    "abs": lambda x, span, number: abs(number),
    "remainder": lambda x, span, number, by: number % by,
    "round_down": lambda x, span, number: floor(number),
    "round_up": lambda x, span, number: ceil(number),
    "round_near": lambda x, span, number: floor(number + Fraction(1, 2)),
    "opponent": lambda x, span, one: 1 - one,
    "alike": alike,
    "neighbours": lambda x, span, place: x.world.map.neighbours[place],
    "linked": linked,
    "edge": lambda x, span, one, other: x.world.map.edges.get((one, other)),
    "edges_of": edges_of,
    "ends_of": ends_of,
    "step": step,
    "ray": ray,
    "direction_to": direction_to,
    "turned": turned,
    "turns_between": turns_between,
    "spaces_between": spaces_between,
    "line_between": line_between,
    "column_of": lambda x, span, place: cell(x, span, place)[0],
    "row_of": lambda x, span, place: cell(x, span, place)[1],
}
