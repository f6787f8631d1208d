"""The straight line between two places of a grid, as a function of the intermediate representation."""

from __future__ import annotations

from interpreter.ir import expression_records as e, statement_records as s
from interpreter.ir.builder import Builder
from interpreter.lowering.lowering_context import Context, Names
from interpreter.lowering.map_builtins import BUILTIN_MEANINGS, places
from interpreter.lowering.value_types import NotLoweredError, maybe
from interpreter.model import types as t

LINE = t.ListType(t.PLACE)


def centre(cx: Context, place: int) -> tuple[int, int] | None:
    """Return the centre of a place in units of half a column or row; None off the grid.

    Half a hex is one unit: a neighbour across a slanting side shows which way this place is shifted.
    """
    grid = cx.ruleset.grid
    assert grid is not None
    cell = grid.column_row[place] if place < len(grid.column_row) else None
    if cell is None:
        return None
    column, row = cell
    if grid.shape == "hex":
        is_pointed = "e" in grid.directions
        for direction, other in zip(grid.directions, grid.neighbours[place], strict=True):
            there = grid.column_row[other] if other is not None and other < len(grid.column_row) else None
            if there is None or len(direction) == 1:
                continue
            if is_pointed:
                eastward = "e" in direction
                return column * 2 + int(there[0] > column if eastward else there[0] == column), row * 2
            southward = "s" in direction
            return column * 2, row * 2 + int(there[1] > row if southward else there[1] == row)
    return column * 2, row * 2


def line_between(cx: Context, ops: tuple[e.Expr, ...], type_: t.Type, build: Builder) -> e.Expr:
    """Return a call of the function that lists the places on a line, which is lowered at its first use.

    `ops`: the places at both ends. Raises NotLoweredError on a map without a grid.
    """
    if cx.ruleset.grid is None:
        raise NotLoweredError("lines on a map without a grid", build.span)
    params = (("start", t.PLACE), ("end", t.PLACE))
    origin = e.Origin("builtin", "line_between")
    cx.define("line_between", params, LINE, build.span, lambda names: _body(cx, names, build), origin)
    return e.Call("line_between", ops, LINE, build.span)


def _body(cx: Context, names: Names, build: Builder) -> s.Body:
    """Return the body of the line function: at each step of a shortest path, take the place nearest to the line.

    Of equally near places it takes the first in map order. `names`: holds the parameters `start` and `end`.
    """
    count, span = places(cx), build.span

    def new(name: str, type_: t.Type) -> e.Local:
        return cx.names.variable(name, type_, span)

    start, end = names["start"], names["end"]
    here, left = new("here", t.PLACE), new("left", t.INT)
    best, best_off, off = new("best", maybe(t.PLACE)), new("best_off", t.INT), new("off", t.INT)
    line, near = new("line", LINE), new("near", t.PLACE)
    xs, ys = new("ax", t.INT), new("ay", t.INT)
    dx, dy = new("dx", t.INT), new("dy", t.INT)

    def part(place: e.Expr, number: int) -> e.Expr:
        def values() -> tuple[int | None, ...]:
            return tuple(None if c is None else c[number] for c in (centre(cx, p) for p in range(count)))

        return build.item(cx.static(f"centre_{number}", values, t.INT), place)

    grid = cx.static("on_grid", lambda: tuple(centre(cx, p) is not None for p in range(count)), t.FLAG)
    spaces = BUILTIN_MEANINGS["spaces_between"]
    nearer = build.flag("eq", spaces(cx, (near, end), t.INT, build), build.whole("sub", left, 1))
    across = build.whole("mul", dx, build.whole("sub", ys, part(near, 1)))
    along = build.whole("mul", build.whole("sub", xs, part(near, 0)), dy)
    is_best = build.any_of(build.flag("is_missing", best), build.flag("lt", off, best_off))
    look = (
        build.assign(off, build.whole("abs", build.whole("sub", across, along))),
        build.when(is_best, build.assign(best, near), build.assign(best_off, off)),
    )
    candidate = build.when(build.all_of(build.item(grid, near), nearer), *look)
    around = BUILTIN_MEANINGS["neighbours"](cx, (here,), t.SetType(t.PLACE), build)
    found = e.Local(best.name, t.PLACE, span)
    turn: s.Body = (
        build.assign(best, build.const(None, maybe(t.PLACE))),
        s.ForEach(near.name, t.PLACE, around, (candidate,), span),
        build.when(build.flag("is_missing", best), build.fail("no line")),
        build.assign(here, found),
        build.assign(line, build.apply("union", LINE, line, build.apply("list", LINE, found))),
        build.assign(left, build.whole("sub", left, 1)),
    )
    return (
        build.assign(xs, part(start, 0)),
        build.assign(ys, part(start, 1)),
        build.assign(dx, build.whole("sub", part(end, 0), xs)),
        build.assign(dy, build.whole("sub", part(end, 1), ys)),
        build.assign(here, start),
        build.assign(line, build.const((), LINE)),
        build.assign(left, spaces(cx, (start, end), t.INT, build)),
        s.While(build.flag("gt", left, 1), turn, span),
        build.give(line),
    )
