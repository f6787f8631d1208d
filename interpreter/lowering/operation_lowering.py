"""Lower operators and builtin functions to typed expressions."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.checker.operations import BUILTINS
from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e, statement_records as s
from interpreter.lowering.line_function import line_between
from interpreter.lowering.lowering_context import Context, Names, all_of
from interpreter.lowering.map_builtins import BUILTIN_MEANINGS, Meaning
from interpreter.lowering.value_types import NotLoweredError, common, is_number, maybe, needs_conversion, present
from interpreter.model import expressions as n, types as t

COMPARISONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def lower_operation(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    """Lower an operator or builtin function."""
    name, span = core.name, core.span
    if name in ("and", "or"):
        return e.Logic(name, cx.lower_all(core.operands, names), t.FLAG, span)
    if name in COMPARISONS:
        return _comparison(cx, core, names)
    if name in _OPERATIONS:
        return _OPERATIONS[name](cx, core, names)
    return _builtin(cx, core, names)


def _builtin(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    """Lower a builtin by its entry; one without an entry for this map becomes a call that only Python can make."""
    operands, span = cx.lower_all(core.operands, names), core.span
    try:
        if core.name not in MEANINGS:
            raise NotLoweredError(f"the operation `{core.name}`", span)
        made = MEANINGS[core.name](cx, operands, core.type, span)
    except NotLoweredError:
        if cx.efforts is None or core.name not in BUILTINS:
            raise
        return _runtime_call(cx, core.name, operands, core.type, span)
    return cx.convert(made, core.type)


def _runtime_call(cx: Context, name: str, operands: tuple[e.Expr, ...], type_: t.Type, span: Span) -> e.Expr:
    """Return a call of a builtin of the runtime, as a function without a meaning in the intermediate representation."""
    function = "runtime_" + name
    params = tuple((f"operand{number}", maybe(present(x.type))) for number, x in enumerate(operands))
    failing: s.Body = (s.Fail("python only", span),)
    cx.define(function, params, type_, span, lambda names: failing, e.Origin("builtin", name))
    return e.Call(function, operands, type_, span)


def _comparison(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    op = COMPARISONS[core.name]
    part = cx.lenient if op in ("eq", "ne") else cx.lower
    left, right = cx.alike(*(part(x, names) for x in core.operands))
    for one, other in ((left, right), (right, left)):
        if op in ("eq", "ne") and isinstance(other, e.Const) and other.value is None:
            missing: e.Expr = e.Apply("is_missing", (one,), t.FLAG, core.span)
            return missing if op == "eq" else e.Apply("not", (missing,), t.FLAG, core.span)
    return e.Apply(op, (left, right), t.FLAG, core.span)


def _not(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    return e.Apply("not", cx.lower_all(core.operands, names), t.FLAG, core.span)


def _member(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    item, domain = core.operands
    span = core.span
    made: e.Expr
    match domain:
        case n.Operation("range", (low, high)):
            given = cx.lower(item, names)
            name = cx.names.fresh("number")
            it = e.Local(name, given.type, span)
            bounds = [cx.alike(it, cx.lower(bound, names)) for bound in (low, high)]
            tests: list[e.Expr] = [
                e.Apply("ge", bounds[0], t.FLAG, span),
                e.Apply("le", bounds[1], t.FLAG, span),
            ]
            if is_number(given.type):
                whole = e.Apply("widen", (e.Apply("floor", (it,), t.INT, span),), t.NUMBER, span)
                tests.append(e.Apply("eq", (whole, it), t.FLAG, span))
            made = e.Let(name, given, all_of(tuple(tests), span), t.FLAG, span)
        case _:
            given, many = cx.lenient(item, names), cx.lower(domain, names)
            held = present(many.type)
            assert isinstance(held, t.SetType | t.ListType)
            if held.item is None:
                made = e.Const(False, t.FLAG, span)
            else:
                wanted = common(given.type, held.item)
                if wanted is not None and needs_conversion(held.item, wanted):
                    many = cx.convert(many, type(held)(present(wanted)))
                    held = present(many.type)
                    assert isinstance(held, t.SetType | t.ListType)
                made = e.Apply("in", (cx.convert(given, held.item or t.NEVER), many), t.FLAG, span)
    return made if core.name == "in" else e.Apply("not", (made,), t.FLAG, span)


def _arithmetic(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    operands = cx.lower_all(core.operands, names)
    result: t.Type = t.NUMBER if any(is_number(x.type) for x in operands) else t.INT
    if core.name == "div":
        left, right = (cx.convert(x, t.NUMBER) for x in operands)
        return e.Apply("div", (left, right), t.NUMBER, core.span)
    made = e.Apply(core.name, tuple(cx.convert(x, result) for x in operands), result, core.span)
    return cx.convert(made, core.type)


def _conditional(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    test, yes, no = cx.lower_all(core.operands, names)
    yes, no = cx.alike(yes, no)
    type_ = common(yes.type, core.type) or yes.type
    return e.Choose(test, cx.convert(yes, type_), cx.convert(no, type_), type_, core.span)


def _or_else(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    value, fallback = cx.lower_all(core.operands, names)
    if not isinstance(value.type, t.MaybeType):
        return cx.convert(value, core.type)
    if isinstance(value, e.Const) and value.value is None:
        return cx.convert(fallback, core.type)
    type_ = common(present(value.type), fallback.type) or core.type
    return e.OrElse(cx.convert(value, maybe(type_)), cx.convert(fallback, type_), type_, core.span)


def _extreme_of(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    operands = cx.lower_all(core.operands, names)
    result: t.Type = t.NUMBER if any(is_number(x.type) for x in operands) else operands[0].type
    made = tuple(cx.convert(x, result) for x in operands)
    return cx.convert(e.Apply(core.name, made, result, core.span), core.type)


def _collection(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    items = cx.lower_all(core.operands, names)
    type_ = core.type
    assert isinstance(type_, t.SetType | t.ListType)
    if not items or type_.item is None:
        return e.Const((), type_, core.span)
    item = type_.item
    for x in items:
        item = common(item, x.type) or item
    made = tuple(cx.convert(x, item) for x in items)
    return e.Apply(core.name, made, type(type_)(item), core.span)


def _joined(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    left, right = cx.alike(*cx.lower_all(core.operands, names))
    return e.Apply(core.name, (left, right), left.type, core.span)


def _plain(op: str) -> Callable[[Context, n.Operation, Names], e.Expr]:
    return lambda cx, core, names: e.Apply(op, cx.lower_all(core.operands, names), core.type, core.span)


def _item(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    many, number = cx.lower_all(core.operands, names)
    held = present(many.type)
    assert isinstance(held, t.SetType | t.ListType)
    return e.Apply("item", (many, number), maybe(held.item or t.NEVER), core.span)


def _end(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    (many,) = cx.lower_all(core.operands, names)
    held = present(many.type)
    assert isinstance(held, t.SetType | t.ListType)
    return e.Apply(core.name, (many,), maybe(held.item or t.NEVER), core.span)


def _at_place(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    """Return the pieces of a set that are at a place."""
    pieces, place = cx.lower_all(core.operands, names)
    span, name, there = core.span, cx.names.fresh("piece"), cx.names.fresh("there")
    held = present(pieces.type)
    assert isinstance(held, t.SetType | t.ListType)
    if held.item is None:
        return pieces
    here = e.Read(e.AT, e.Local(name, held.item, span), t.PLACE, span)
    test = e.Apply("eq", (here, e.Local(there, place.type, span)), t.FLAG, span)
    sort = "set" if isinstance(held, t.SetType) else "list"
    made = e.Fold(sort, name, pieces, test, None, None, None, pieces.type, span)
    return e.Let(there, place, made, pieces.type, span)


def _on_map(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    (piece,) = cx.lower_all(core.operands, names)
    places = cx.ruleset.kinds["place"].things
    table = cx.static("on_map", lambda: tuple(x.holding is None for x in places), t.FLAG)
    place = e.Read(e.AT, piece, t.PLACE, core.span)
    return e.StaticItem(table, (place,), (len(places),), t.FLAG, core.span)


def _turn(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    return e.Read(e.TURN, None, t.INT, core.span)


def _last_turn(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    return e.Read(e.LAST_TURN, None, maybe(t.INT), core.span)


def _highest_level(cx: Context, core: n.Operation, names: Names) -> e.Expr:
    (seat,) = cx.lower_all(core.operands, names)
    levels = tuple(zip(cx.ruleset.victory.levels, cx.model.levels, strict=True))
    result = maybe(core.type)

    def body(inside: Names) -> s.Body:
        best = cx.names.variable("best", result, core.span)
        out: list[s.Stmt] = [s.Assign(best.name, e.Const(None, result, core.span), core.span)]
        for number, (level, test) in enumerate(levels):
            if test is None or level.seat is None:
                continue
            own = e.Apply("eq", (inside["seat"], e.Const(level.seat, t.SEAT, core.span)), t.FLAG, core.span)
            reached = e.Logic("and", (own, cx.lower(test, {})), t.FLAG, core.span)
            out.append(
                s.If(reached, (s.Assign(best.name, e.Const(number, result, core.span), core.span),), (), core.span)
            )
        return (*out, s.Return(best, core.span))

    cx.define("highest_level", (("seat", t.SEAT),), result, core.span, body, e.Origin("builtin", "highest_level"))
    return e.Call("highest_level", (seat,), result, core.span)


MEANINGS: dict[str, Meaning] = {
    **BUILTIN_MEANINGS,
    "line_between": lambda cx, ops, type_, span: line_between(cx, ops[0], ops[1], span),
}
_OPERATIONS: dict[str, Callable[[Context, n.Operation, Names], e.Expr]] = {
    "not": _not,
    "in": _member,
    "not in": _member,
    "add": _arithmetic,
    "sub": _arithmetic,
    "mul": _arithmetic,
    "neg": _arithmetic,
    "div": _arithmetic,
    "cond": _conditional,
    "orelse": _or_else,
    "min_of": _extreme_of,
    "max_of": _extreme_of,
    "union": _joined,
    "minus": _joined,
    "set": _collection,
    "list": _collection,
    "range": _plain("range"),
    "item": _item,
    "first": _end,
    "last": _end,
    "filter_at": _at_place,
    "on_map": _on_map,
    "turn": _turn,
    "last_turn": _last_turn,
    "highest_level": _highest_level,
}
