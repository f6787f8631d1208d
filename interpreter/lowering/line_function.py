"""The straight line between two places of a grid, as a function of the intermediate representation."""

from __future__ import annotations

from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e, statement_records as s
from interpreter.lowering.lowering_context import Context, Names
from interpreter.lowering.map_builtins import BUILTIN_MEANINGS, integer, places
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


def line_between(cx: Context, one: e.Expr, other: e.Expr, span: Span) -> e.Expr:
    """Return a call of the line's function, which is lowered at its first use."""
    if cx.ruleset.grid is None:
        raise NotLoweredError("lines on a map without a grid", span)
    cx.define(
        "line_between",
        (("start", t.PLACE), ("end", t.PLACE)),
        LINE,
        span,
        lambda names: _body(cx, names, span),
        e.Origin("builtin", "line_between"),
    )
    return e.Call("line_between", (one, other), LINE, span)


def _body(cx: Context, names: Names, span: Span) -> s.Body:
    """Build the body: at each step of a shortest path, choose the place nearest to the line; ties in map order."""
    count = places(cx)
    new = cx.names.variable
    start, end = names["start"], names["end"]
    here, left = new("here", t.PLACE, span), new("left", t.INT, span)
    best, best_off, off = new("best", maybe(t.PLACE), span), new("best_off", t.INT, span), new("off", t.INT, span)
    line, near = new("line", LINE, span), new("near", t.PLACE, span)
    xs, ys = new("ax", t.INT, span), new("ay", t.INT, span)
    dx, dy = new("dx", t.INT, span), new("dy", t.INT, span)

    def part(place: e.Expr, number: int) -> e.Expr:
        def values() -> tuple[int | None, ...]:
            return tuple(None if c is None else c[number] for c in (centre(cx, p) for p in range(count)))

        return e.StaticItem(cx.static(f"centre_{number}", values, t.INT), (place,), (count,), t.INT, span)

    def op(name: str, *operands: e.Expr) -> e.Expr:
        return e.Apply(name, operands, t.INT, span)

    def test(name: str, *operands: e.Expr) -> e.Expr:
        return e.Apply(name, operands, t.FLAG, span)

    grid = cx.static("on_grid", lambda: tuple(centre(cx, p) is not None for p in range(count)), t.FLAG)
    on_grid = e.StaticItem(grid, (near,), (count,), t.FLAG, span)
    spaces = BUILTIN_MEANINGS["spaces_between"]
    nearer = test("eq", spaces(cx, (near, end), t.INT, span), op("sub", left, integer(1, span)))
    deviation = op(
        "abs",
        op("sub", op("mul", dx, op("sub", ys, part(near, 1))), op("mul", op("sub", xs, part(near, 0)), dy)),
    )
    is_best = e.Logic("or", (test("is_missing", best), test("lt", off, best_off)), t.FLAG, span)
    take: s.Body = (s.Assign(best.name, near, span), s.Assign(best_off.name, off, span))
    look: s.Body = (s.Assign(off.name, deviation, span), s.If(is_best, take, (), span))
    candidate = s.If(e.Logic("and", (on_grid, nearer), t.FLAG, span), look, (), span)
    around = BUILTIN_MEANINGS["neighbours"](cx, (here,), t.SetType(t.PLACE), span)
    found = e.Local(best.name, t.PLACE, span)
    appended = e.Apply("union", (line, e.Apply("list", (found,), LINE, span)), LINE, span)
    turn: s.Body = (
        s.Assign(best.name, e.Const(None, maybe(t.PLACE), span), span),
        s.ForEach(near.name, t.PLACE, around, (candidate,), span),
        s.If(test("is_missing", best), (s.Fail("no line", span),), (), span),
        s.Assign(here.name, found, span),
        s.Assign(line.name, appended, span),
        s.Assign(left.name, op("sub", left, integer(1, span)), span),
    )
    return (
        s.Assign(xs.name, part(start, 0), span),
        s.Assign(ys.name, part(start, 1), span),
        s.Assign(dx.name, op("sub", part(end, 0), xs), span),
        s.Assign(dy.name, op("sub", part(end, 1), ys), span),
        s.Assign(here.name, start, span),
        s.Assign(line.name, e.Const((), LINE, span), span),
        s.Assign(left.name, spaces(cx, (start, end), t.INT, span), span),
        s.While(test("gt", left, integer(1, span)), turn, span),
        s.Return(line, span),
    )
