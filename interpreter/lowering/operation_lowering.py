"""Lower operators and builtin functions to typed expressions, among them the straight line on a grid."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.checker.operations import BUILTINS
from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e, statement_records as s
from interpreter.ir.builder import Builder
from interpreter.lowering.builtin_lowering import BUILTIN_LOWERINGS, BuiltinLowering, count_places
from interpreter.lowering.lowering_context import Context, VariableScope
from interpreter.lowering.value_types import (
    NotLoweredError,
    common_type,
    get_collection_type,
    is_number,
    make_maybe,
    needs_conversion,
)
from interpreter.model import expressions as n, types as t
from interpreter.model.types import strip_maybe
from interpreter.runtime.builtins.graph import cell_centre

_LINE = t.ListType(t.PLACE)
COMPARISONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def _compute_centre(cx: Context, place: int) -> tuple[int, int] | None:
    """Return the centre of a place in units of half a column or row; None off the grid."""
    grid = cx.ruleset.grid
    assert grid is not None
    cell = grid.column_row[place] if place < len(grid.column_row) else None
    if cell is None:
        return None
    return cell_centre(cell, grid.shape, grid.directions, grid.neighbours[place], grid.column_row)


def _lower_line_between(cx: Context, ops: tuple[e.Expr, ...], type_: t.Type, build: Builder) -> e.Expr:
    """Return a call of the function that lists the places on a line, which is lowered at its first use.

    `ops`: the places at both ends. Raises NotLoweredError on a map without a grid.
    """
    if cx.ruleset.grid is None:
        raise NotLoweredError("lines on a map without a grid", build.span)
    params = (("start", t.PLACE), ("end", t.PLACE))
    origin = e.Origin("builtin", "line_between")
    cx.define("line_between", params, _LINE, build.span, lambda names: _build_line_body(cx, names, build), origin)
    return e.Call("line_between", ops, _LINE, build.span)


def _build_line_body(cx: Context, names: VariableScope, build: Builder) -> s.Body:
    """Return the body of the line function: at each step of a shortest path, take the place nearest to the line.

    Of equally near places it takes the first in map order. `names`: holds the parameters `start` and `end`.
    """
    count, span = count_places(cx), build.span

    def new(name: str, type_: t.Type) -> e.Local:
        return cx.names.create_variable(name, type_, span)

    start, end = names["start"], names["end"]
    here, left = new("here", t.PLACE), new("left", t.INT)
    best, best_off, off = new("best", make_maybe(t.PLACE)), new("best_off", t.INT), new("off", t.INT)
    line, near = new("line", _LINE), new("near", t.PLACE)
    xs, ys = new("ax", t.INT), new("ay", t.INT)
    dx, dy = new("dx", t.INT), new("dy", t.INT)

    def part(place: e.Expr, number: int) -> e.Expr:
        def values() -> tuple[int | None, ...]:
            return tuple(None if c is None else c[number] for c in (_compute_centre(cx, p) for p in range(count)))

        return build.build_static_item(cx.get_static_table(f"centre_{number}", values, t.INT), place)

    grid = cx.get_static_table(
        "on_grid", lambda: tuple(_compute_centre(cx, p) is not None for p in range(count)), t.FLAG
    )
    spaces = BUILTIN_LOWERINGS["spaces_between"]
    nearer = build.build_flag("eq", spaces(cx, (near, end), t.INT, build), build.build_whole("sub", left, 1))
    across = build.build_whole("mul", dx, build.build_whole("sub", ys, part(near, 1)))
    along = build.build_whole("mul", build.build_whole("sub", xs, part(near, 0)), dy)
    is_best = build.build_disjunction(build.build_flag("is_missing", best), build.build_flag("lt", off, best_off))
    look = (
        build.assign(off, build.build_whole("abs", build.build_whole("sub", across, along))),
        build.build_if(is_best, build.assign(best, near), build.assign(best_off, off)),
    )
    candidate = build.build_if(build.build_conjunction(build.build_static_item(grid, near), nearer), *look)
    around = BUILTIN_LOWERINGS["neighbours"](cx, (here,), t.SetType(t.PLACE), build)
    best_place = e.Local(best.name, t.PLACE, span)
    turn: s.Body = (
        build.assign(best, build.build_const(None, make_maybe(t.PLACE))),
        s.ForEach(near.name, t.PLACE, around, (candidate,), span),
        build.build_if(build.build_flag("is_missing", best), build.fail("no line")),
        build.assign(here, best_place),
        build.assign(line, build.apply("union", _LINE, line, build.apply("list", _LINE, best_place))),
        build.assign(left, build.build_whole("sub", left, 1)),
    )
    return (
        build.assign(xs, part(start, 0)),
        build.assign(ys, part(start, 1)),
        build.assign(dx, build.build_whole("sub", part(end, 0), xs)),
        build.assign(dy, build.build_whole("sub", part(end, 1), ys)),
        build.assign(here, start),
        build.assign(line, build.build_const((), _LINE)),
        build.assign(left, spaces(cx, (start, end), t.INT, build)),
        s.While(build.build_flag("gt", left, 1), turn, span),
        build.build_return(line),
    )


def lower_operation(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    """Lower an operator or builtin function."""
    name, span = core.name, core.span
    if name in ("and", "or"):
        return e.Logic(name, cx.lower_all(core.operands, names), t.FLAG, span)
    if name in COMPARISONS:
        return _lower_comparison(cx, core, names)
    if name in _OPERATIONS:
        return _OPERATIONS[name](cx, core, names)
    return _lower_builtin(cx, core, names)


def _lower_builtin(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    """Lower a builtin function.

    One that has no lowering for this map becomes a call that only Python can make; raises NotLoweredError without
    Python.
    """
    operands, span = cx.lower_all(core.operands, names), core.span
    try:
        if core.name not in LOWERINGS:
            raise NotLoweredError(f"the operation `{core.name}`", span)
        lowered = LOWERINGS[core.name](cx, operands, core.type, Builder(span))
    except NotLoweredError:
        if cx.cost_model is None or core.name not in BUILTINS:
            raise
        return _build_runtime_call(cx, core.name, operands, core.type, span)
    return cx.convert(lowered, core.type)


def _build_runtime_call(cx: Context, name: str, operands: tuple[e.Expr, ...], type_: t.Type, span: Span) -> e.Expr:
    """Return a call of a builtin that only the Python runtime computes; in other back ends the function fails."""
    function = "runtime_" + name
    params = tuple((f"operand{number}", make_maybe(strip_maybe(x.type))) for number, x in enumerate(operands))
    failing: s.Body = (s.Fail("python only", span),)
    cx.define(function, params, type_, span, lambda names: failing, e.Origin("builtin", name))
    return e.Call(function, operands, type_, span)


def _lower_comparison(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    op, build = COMPARISONS[core.name], Builder(core.span)
    part = cx.lower_lenient if op in ("eq", "ne") else cx.lower
    left, right = cx.unify_types(*(part(x, names) for x in core.operands))
    for operand, constant in ((left, right), (right, left)):
        if op in ("eq", "ne") and isinstance(constant, e.Const) and constant.value is None:
            missing = build.build_flag("is_missing", operand)
            return missing if op == "eq" else build.negate(missing)
    return build.build_flag(op, left, right)


def _lower_not(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    return e.Apply("not", cx.lower_all(core.operands, names), t.FLAG, core.span)


def _lower_member(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    item, domain = core.operands
    build = Builder(core.span)
    match domain:
        case n.Operation("range", (low, high)):
            test = _build_range_test(cx, cx.lower(item, names), low, high, names, build)
        case _:
            test = _build_membership_test(cx, cx.lower_lenient(item, names), cx.lower(domain, names), build)
    return test if core.name == "in" else build.negate(test)


def _build_range_test(
    cx: Context, value: e.Expr, low: n.Core, high: n.Core, names: VariableScope, build: Builder
) -> e.Expr:
    """Return an expression that tests whether a number is a whole number within bounds.

    `value`: the number. `low`, `high`: the bounds, not lowered yet.
    """
    number = e.Local(cx.names.create_name("number"), value.type, build.span)
    least, most = (cx.unify_types(number, cx.lower(bound, names)) for bound in (low, high))
    tests = [build.build_flag("ge", *least), build.build_flag("le", *most)]
    if is_number(value.type):
        tests.append(build.build_flag("eq", build.apply("widen", t.NUMBER, build.build_whole("floor", number)), number))
    return e.Let(number.name, value, build.build_conjunction(*tests), t.FLAG, build.span)


def _build_membership_test(cx: Context, value: e.Expr, many: e.Expr, build: Builder) -> e.Expr:
    """Return an expression that tests whether `value` is a member of the set or list `many`."""
    collection = get_collection_type(many.type)
    if collection.item is None:
        return build.build_const(False, t.FLAG)
    member_type = common_type(value.type, collection.item)
    if member_type is not None and needs_conversion(collection.item, member_type):
        many = cx.convert(many, type(collection)(strip_maybe(member_type)))
        collection = get_collection_type(many.type)
    return build.build_flag("in", cx.convert(value, collection.item or t.NEVER), many)


def _lower_arithmetic(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    operands = cx.lower_all(core.operands, names)
    result: t.Type = t.NUMBER if any(is_number(x.type) for x in operands) else t.INT
    if core.name == "div":
        left, right = (cx.convert(x, t.NUMBER) for x in operands)
        return e.Apply("div", (left, right), t.NUMBER, core.span)
    lowered = e.Apply(core.name, tuple(cx.convert(x, result) for x in operands), result, core.span)
    return cx.convert(lowered, core.type)


def _lower_conditional(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    test, yes, no = cx.lower_all(core.operands, names)
    yes, no = cx.unify_types(yes, no)
    type_ = common_type(yes.type, core.type) or yes.type
    return e.Conditional(test, cx.convert(yes, type_), cx.convert(no, type_), type_, core.span)


def _lower_or_else(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    value, fallback = cx.lower_all(core.operands, names)
    if not isinstance(value.type, t.MaybeType):
        return cx.convert(value, core.type)
    if isinstance(value, e.Const) and value.value is None:
        return cx.convert(fallback, core.type)
    type_ = common_type(strip_maybe(value.type), fallback.type) or core.type
    return e.OrElse(cx.convert(value, make_maybe(type_)), cx.convert(fallback, type_), type_, core.span)


def _lower_extreme(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    operands = cx.lower_all(core.operands, names)
    result: t.Type = t.NUMBER if any(is_number(x.type) for x in operands) else operands[0].type
    converted = tuple(cx.convert(x, result) for x in operands)
    return cx.convert(e.Apply(core.name, converted, result, core.span), core.type)


def _lower_collection(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    items = cx.lower_all(core.operands, names)
    type_ = core.type
    assert isinstance(type_, t.SetType | t.ListType)
    if not items or type_.item is None:
        return e.Const((), type_, core.span)
    item = type_.item
    for x in items:
        item = common_type(item, x.type) or item
    members = tuple(cx.convert(x, item) for x in items)
    return e.Apply(core.name, members, type(type_)(item), core.span)


def _lower_joined(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    left, right = cx.unify_types(*cx.lower_all(core.operands, names))
    return e.Apply(core.name, (left, right), left.type, core.span)


def _lower_plainly(op: str) -> Callable[[Context, n.Operation, VariableScope], e.Expr]:
    return lambda cx, core, names: e.Apply(op, cx.lower_all(core.operands, names), core.type, core.span)


def _lower_member_of(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    """Lower an operation that takes one member of a collection; its result is missing for an empty collection."""
    operands = cx.lower_all(core.operands, names)
    type_ = make_maybe(get_collection_type(operands[0].type).item or t.NEVER)
    return e.Apply(core.name, operands, type_, core.span)


def _lower_at_place(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    """Lower a filter that keeps the pieces of a collection that are at a place."""
    pieces, place = cx.lower_all(core.operands, names)
    build, name, there = Builder(core.span), cx.names.create_name("piece"), cx.names.create_name("there")
    collection = get_collection_type(pieces.type)
    if collection.item is None:
        return pieces
    here = e.Read(e.AT, e.Local(name, collection.item, build.span), t.PLACE, build.span)
    test = build.build_flag("eq", here, e.Local(there, place.type, build.span))
    sort = "set" if isinstance(collection, t.SetType) else "list"
    fold = e.Fold(sort, name, pieces, test, None, None, None, pieces.type, build.span)
    return e.Let(there, place, fold, pieces.type, build.span)


def _lower_on_map(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    (piece,) = cx.lower_all(core.operands, names)
    places = cx.ruleset.kinds["place"].things
    table = cx.get_static_table("on_map", lambda: tuple(x.holding is None for x in places), t.FLAG)
    return Builder(core.span).build_static_item(table, e.Read(e.AT, piece, t.PLACE, core.span))


def _lower_turn(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    return e.Read(e.TURN, None, t.INT, core.span)


def _lower_last_turn(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    return e.Read(e.LAST_TURN, None, make_maybe(t.INT), core.span)


def _lower_highest_level(cx: Context, core: n.Operation, names: VariableScope) -> e.Expr:
    (seat,) = cx.lower_all(core.operands, names)
    build, result = Builder(core.span), make_maybe(core.type)

    def body(inside: VariableScope) -> s.Body:
        best = cx.names.create_variable("best", result, build.span)
        out: list[s.Stmt] = [build.assign(best, build.build_const(None, result))]
        for number, (level, test) in enumerate(zip(cx.ruleset.victory.levels, cx.model.levels, strict=True)):
            if test is None or level.seat is None:
                continue
            is_own = build.build_flag("eq", inside["seat"], build.build_const(level.seat, t.SEAT))
            reached = build.build_conjunction(is_own, cx.lower(test, {}))
            out.append(build.build_if(reached, build.assign(best, build.build_const(number, result))))
        return (*out, build.build_return(best))

    cx.define("highest_level", (("seat", t.SEAT),), result, core.span, body, e.Origin("builtin", "highest_level"))
    return e.Call("highest_level", (seat,), result, core.span)


LOWERINGS: dict[str, BuiltinLowering] = {**BUILTIN_LOWERINGS, "line_between": _lower_line_between}
_OPERATIONS: dict[str, Callable[[Context, n.Operation, VariableScope], e.Expr]] = {
    "not": _lower_not,
    "in": _lower_member,
    "not in": _lower_member,
    **dict.fromkeys(("add", "sub", "mul", "neg", "div"), _lower_arithmetic),
    "cond": _lower_conditional,
    "orelse": _lower_or_else,
    "min_of": _lower_extreme,
    "max_of": _lower_extreme,
    "union": _lower_joined,
    "minus": _lower_joined,
    "set": _lower_collection,
    "list": _lower_collection,
    "range": _lower_plainly("range"),
    **dict.fromkeys(("item", "first", "last"), _lower_member_of),
    "filter_at": _lower_at_place,
    "on_map": _lower_on_map,
    "turn": _lower_turn,
    "last_turn": _lower_last_turn,
    "highest_level": _lower_highest_level,
}
