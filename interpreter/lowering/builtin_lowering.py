"""Builtin functions, one entry each, defined in the intermediate representation.

An entry takes the context, the operands, the type of the call and a builder, and returns an expression. Functions of
the map alone become static tables. A builtin without an entry is called in Python, and rules that use it are not played
inside WebAssembly. Declarations: `runtime/builtins/registry.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from struct import unpack

from interpreter.ir import expression_records as e
from interpreter.ir.builder import Builder
from interpreter.lowering.lowering_context import Context, RulesetMap
from interpreter.lowering.value_types import NotLoweredError, is_number, make_maybe
from interpreter.model import types as t
from interpreter.model.expressions import Value
from interpreter.model.types import strip_maybe

Operands = tuple[e.Expr, ...]
BuiltinLowering = Callable[[Context, Operands, t.Type, Builder], e.Expr]
MAX_PAIRS = 1 << 20  # entries of a table by two places


def lower_as_operation(op: str) -> BuiltinLowering:
    """Return a lowering that applies the primitive operation `op` to the operands of a builtin."""
    return lambda cx, ops, type_, build: build.apply(op, type_, *ops)


def lower_as_fold(sort: str) -> BuiltinLowering:
    """Return a lowering of a builtin that folds its argument. `sort`: the sort of the fold, such as "count"."""

    def build_fold(cx: Context, ops: Operands, type_: t.Type, build: Builder) -> e.Expr:
        bare_type = strip_maybe(ops[0].type)
        item = bare_type.item if isinstance(bare_type, t.SetType | t.ListType) and bare_type.item is not None else t.INT
        result: t.Type = t.INT if sort == "count" else item if sort == "sum" else make_maybe(item)
        return e.Fold(sort, cx.names.create_name("member"), ops[0], None, None, None, None, result, build.span)

    return build_fold


def lower_rounding(op: str, quotient: str) -> BuiltinLowering:
    """Return a lowering of a rounding builtin.

    `op`: rounds a number. `quotient`: divides two integers and rounds, used for a quotient without making a fraction.
    """

    def build_rounding(cx: Context, ops: Operands, type_: t.Type, build: Builder) -> e.Expr:
        (number,) = ops
        if not is_number(number.type):
            return number
        match number:
            case e.Apply("div", (a, b)):
                return build.build_whole(quotient, a, b)
        return build.build_whole(op, number)

    return build_rounding


def count_places(cx: Context) -> int:
    """Return the number of places."""
    return len(cx.ruleset.kinds["place"].things)


def lower_by_place(name: str, item: t.Type, value: Callable[[Context, int], Value]) -> BuiltinLowering:
    """Return a lowering of a function of one place that reads a precomputed table.

    `item`: the type of an element. `value`: computes the element of a place.
    """

    def build_lookup(cx: Context, ops: Operands, type_: t.Type, build: Builder) -> e.Expr:
        origin = e.Origin("builtin", name)
        table = cx.get_static_table(name, lambda: tuple(value(cx, p) for p in range(count_places(cx))), item, origin)
        return build.build_static_item(table, *ops)

    return build_lookup


def lower_by_pair(name: str, item: t.Type, values: Callable[[Context], tuple[Value, ...]]) -> BuiltinLowering:
    """Return a lowering of a function of two places that reads a table of all pairs.

    `item`: the type of an element. `values`: computes the table, row by row.
    """
    cached: list[tuple[RulesetMap, tuple[Value, ...]]] = []

    def build_lookup(cx: Context, ops: Operands, type_: t.Type, build: Builder) -> e.Expr:
        count = count_places(cx)
        if count * count > MAX_PAIRS:
            raise NotLoweredError("a function of two places on a very large map", build.span)

        def get_values() -> tuple[Value, ...]:
            if not cached or cached[0][0] is not cx.map:
                cached[:] = [(cx.map, values(cx))]
            return cached[0][1]

        table = cx.get_static_table(name, get_values, item, e.Origin("builtin", name))
        return build.build_static_item(table, *ops, sizes=(count, count))

    return build_lookup


def tabulate_pairs(
    value: Callable[[Context, int], dict[int, Value]], missing: Value
) -> Callable[[Context], tuple[Value, ...]]:
    """Return a function that computes the table of all pairs of places.

    `value`: returns the elements for a first place by second place. `missing`: the element of the other pairs.
    """

    def values(cx: Context) -> tuple[Value, ...]:
        count = count_places(cx)
        out: list[Value] = [missing] * (count * count)
        for first in range(count):
            for second, element in value(cx, first).items():
                out[first * count + second] = element
        return tuple(out)

    return values


def _collect_neighbours(cx: Context, place: int) -> dict[int, Value]:
    return dict.fromkeys(cx.map.neighbours[place], True)


def _collect_edges(cx: Context, place: int) -> dict[int, Value]:
    return {neighbour: cx.map.edges[place, neighbour] for neighbour in cx.map.neighbours[place]}


def _collect_directions(cx: Context, place: int) -> dict[int, Value]:
    grid = cx.ruleset.grid
    directions: dict[int, Value] = {}
    if grid is not None and place < len(grid.neighbours):
        for direction, neighbour in zip(grid.directions, grid.neighbours[place], strict=True):
            if neighbour is not None:
                directions.setdefault(neighbour, direction)
    return directions


def _compute_distances(cx: Context) -> tuple[Value, ...]:
    """Return the steps between all pairs of places: breadth-first search from every place at once.

    A set of places is an integer with 16 bits for each place, so that a sum of sets counts how often each is a member:
    the distance to a place is the number of rounds in which it is not reached yet.
    """
    neighbours = cx.map.neighbours
    count = len(neighbours)
    everywhere = int.from_bytes(b"\1\0" * count, "little")
    reached = [1 << 16 * place for place in range(count)]
    rounds = [0] * count
    while True:
        rounds = [before + everywhere - now for before, now in zip(rounds, reached, strict=True)]
        wider = [reduce(or_, [reached[n] for n in neighbours[p]], reached[p]) for p in range(count)]
        if wider == reached:
            break
        reached = wider
    out: list[Value] = []
    for row in zip(rounds, reached, strict=True):
        steps, known = (unpack(f"<{count}H", counts.to_bytes(2 * count, "little")) for counts in row)
        out += [distance if is_reached else None for distance, is_reached in zip(steps, known, strict=True)]
    return tuple(out)


def _get_cell(cx: Context, place: int, part: int) -> Value:
    grid = cx.ruleset.grid
    cell = grid.column_row[place] if grid is not None and place < len(grid.column_row) else None
    return None if cell is None else cell[part]


def list_directions(cx: Context, build: Builder) -> tuple[str, ...]:
    """Return the directions of the grid, clockwise."""
    if cx.ruleset.grid is None:
        raise NotLoweredError("directions on a map without a grid", build.span)
    return cx.ruleset.grid.directions


def _find_step(cx: Context, place: int, number: int) -> int | None:
    grid = cx.ruleset.grid
    assert grid is not None
    return grid.neighbours[place][number] if place < len(grid.neighbours) else None


def _build_direction_lookup(
    cx: Context, table: e.StaticTable, place: e.Expr, direction: e.Expr, build: Builder
) -> e.Expr:
    """Return an expression for the element of a table at a place and direction."""
    directions = list_directions(cx, build)
    number = e.IndexOf(direction, directions, t.INT, build.span)
    return build.build_static_item(table, place, number, sizes=(count_places(cx), len(directions)))


def lower_step(cx: Context, ops: Operands, type_: t.Type, build: Builder) -> e.Expr:
    """Return an expression for the place one step away from a place in a direction.

    It is missing for a missing place or direction, and at the edge of the map.
    """
    directions, item = list_directions(cx, build), make_maybe(t.PLACE)
    table = cx.get_static_table(
        "step",
        lambda: tuple(_find_step(cx, p, d) for p in range(count_places(cx)) for d in range(len(directions))),
        item,
        e.Origin("builtin", "step"),
    )
    place, direction = ops
    names = cx.names.create_name("from"), cx.names.create_name("towards")
    inner = [
        e.Local(name, strip_maybe(x.type), build.span) if isinstance(x.type, t.MaybeType) else x
        for name, x in zip(names, ops, strict=True)
    ]
    lowered: e.Expr = _build_direction_lookup(cx, table, inner[0], inner[1], build)
    if isinstance(direction.type, t.MaybeType):
        lowered = e.IfPresent(names[1], direction, lowered, item, build.span)
    return e.IfPresent(names[0], place, lowered, item, build.span) if isinstance(place.type, t.MaybeType) else lowered


def lower_ray(cx: Context, ops: Operands, type_: t.Type, build: Builder) -> e.Expr:
    """Return an expression for the places in one direction up to the edge of the map."""
    directions = list_directions(cx, build)

    def values() -> tuple[Value, ...]:
        out: list[Value] = []
        for place in range(count_places(cx)):
            for number in range(len(directions)):
                way: list[Value] = []
                here = _find_step(cx, place, number)
                while here is not None:
                    way.append(here)
                    here = _find_step(cx, here, number)
                out.append(tuple(way))
        return tuple(out)

    item = t.ListType(t.PLACE)
    table = cx.get_static_table("ray", values, item, e.Origin("builtin", "ray"))
    return _build_direction_lookup(cx, table, ops[0], ops[1], build)


def lower_turned(cx: Context, ops: Operands, type_: t.Type, build: Builder) -> e.Expr:
    """Return an expression for a direction turned clockwise by a number of directions."""
    directions = list_directions(cx, build)
    table = cx.get_static_table("directions", lambda: directions, t.DIRECTION)
    turned_to = build.build_whole("add", e.IndexOf(ops[0], directions, t.INT, build.span), ops[1])
    return build.build_static_item(table, build.build_whole("remainder", turned_to, len(directions)))


def lower_turns_between(cx: Context, ops: Operands, type_: t.Type, build: Builder) -> e.Expr:
    """Return an expression for the number of clockwise turns from one direction to another."""
    directions = list_directions(cx, build)
    start, goal = (e.IndexOf(x, directions, t.INT, build.span) for x in ops)
    return build.build_whole("remainder", build.build_whole("sub", goal, start), len(directions))


def lower_opponent(cx: Context, ops: Operands, type_: t.Type, build: Builder) -> e.Expr:
    """Return an expression for the other one of two sides or seats."""
    assert isinstance(type_, t.ThingType)
    table = cx.get_static_table("opponent_" + type_.kind, lambda: (1, 0), type_)
    return build.build_static_item(table, *ops)


def lower_alike(cx: Context, ops: Operands, type_: t.Type, build: Builder) -> e.Expr:
    """Return an expression for the pieces of the set `ops[1]` that are interchangeable with the piece `ops[0]`."""
    wanted, name, item = cx.names.create_name("wanted"), cx.names.create_name("other"), t.PIECE
    first = build.apply("first_alike", item, e.Local(name, item, build.span))
    same = build.build_flag("eq", first, e.Local(wanted, item, build.span))
    sort = "set" if isinstance(type_, t.SetType) else "list"
    fold = e.Fold(sort, name, ops[1], same, None, None, None, type_, build.span)
    return e.Let(wanted, build.apply("first_alike", item, ops[0]), fold, type_, build.span)


def lower_intersection(cx: Context, ops: Operands, type_: t.Type, build: Builder) -> e.Expr:
    """Return an expression for the intersection of two collections, in the order of the first."""
    name, second_name = cx.names.create_name("member"), cx.names.create_name("there")
    item = strip_maybe(ops[0].type)
    assert isinstance(item, t.SetType | t.ListType)
    member = e.Local(name, item.item or t.NEVER, build.span)
    inside = build.build_flag("in", member, e.Local(second_name, ops[1].type, build.span))
    sort = "set" if isinstance(type_, t.SetType) else "list"
    fold = e.Fold(sort, name, ops[0], inside, None, None, None, type_, build.span)
    return e.Let(second_name, ops[1], fold, type_, build.span)


def lower_ends(cx: Context, ops: Operands, type_: t.Type, build: Builder) -> e.Expr:
    """Return an expression for the places at the ends of an edge."""
    origin, item = e.Origin("builtin", "ends_of"), t.SetType(t.PLACE)
    table = cx.get_static_table("ends_of", lambda: tuple(tuple(sorted(x)) for x in cx.map.ends), item, origin)
    return build.build_static_item(table, *ops)


BUILTIN_LOWERINGS: dict[str, BuiltinLowering] = {
    "count": lower_as_fold("count"),
    "sum": lower_as_fold("sum"),
    "min": lower_as_fold("min"),
    "max": lower_as_fold("max"),
    "first": lower_as_operation("first"),
    "last": lower_as_operation("last"),
    "take": lower_as_operation("take"),
    "both": lower_intersection,
    "abs": lower_as_operation("abs"),
    "remainder": lambda cx, ops, type_, build: build.build_whole("remainder", *ops),
    "round_down": lower_rounding("floor", "floor_div"),
    "round_up": lower_rounding("ceil", "ceil_div"),
    "round_near": lower_rounding("near", "near_div"),
    "opponent": lower_opponent,
    "alike": lower_alike,
    "neighbours": lower_by_place("neighbours", t.SetType(t.PLACE), lambda cx, p: cx.map.neighbours[p]),
    "linked": lower_by_pair("linked", t.FLAG, tabulate_pairs(_collect_neighbours, False)),
    "edge": lower_by_pair("edge", make_maybe(t.EDGE), tabulate_pairs(_collect_edges, None)),
    "edges_of": lower_by_place(
        "edges_of",
        t.SetType(t.EDGE),
        lambda cx, p: tuple(sorted(cx.map.edges[p, other] for other in cx.map.neighbours[p])),
    ),
    "ends_of": lower_ends,
    "step": lower_step,
    "ray": lower_ray,
    "direction_to": lower_by_pair("direction_to", make_maybe(t.DIRECTION), tabulate_pairs(_collect_directions, None)),
    "turned": lower_turned,
    "turns_between": lower_turns_between,
    "spaces_between": lower_by_pair("spaces_between", t.INT, _compute_distances),
    "column_of": lower_by_place("column_of", t.INT, lambda cx, p: _get_cell(cx, p, 0)),
    "row_of": lower_by_place("row_of", t.INT, lambda cx, p: _get_cell(cx, p, 1)),
}
