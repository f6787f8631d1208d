"""Facts about an expression that decide how it is printed: bounds of numbers and collections, order, cost."""

from __future__ import annotations

from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.lowering.step_charges import LITTLE
from interpreter.model import types as t
from interpreter.model.types import strip_maybe

_FINITE = t.ThingType | t.OneOfType | t.DirectionType | t.RungType | t.FlagType


def is_short(expr: e.Expr, program: ir.LoweredProgram, static: frozenset[str]) -> bool:
    """Return whether a number cannot grow (a count, a chart's cell, a bounded column), so it needs no size check.

    `static`: the names of the functions whose values are computed once.
    """
    match expr:
        case e.Const() | e.StaticItem() | e.Fold(sort="count"):
            return True
        case e.Read(slot):
            column = program.columns.get(slot)
            return column is not None and column.low is not None and column.high is not None
        case e.Apply("widen" | "neg", (part,)):
            return is_short(part, program, static)
        case e.Apply("add" | "sub", operands):
            return all(is_short(part, program, static) for part in operands)
        case e.Call(function):
            called = program.functions[function]
            match called.body:
                case (s.Return(e.Call() | e.Read() | e.StaticItem() | e.Apply() as value),) if function in static:
                    return is_short(value, program, static)
            return called.origin is not None and called.origin.sort in ("chart", "builtin")
    return False


def may_be_long(expr: e.Expr, program: ir.LoweredProgram) -> bool:
    """Return whether a set or list has no known bound on its size; copying it is then charged to the budget."""
    match expr:
        case e.Const() | e.StaticItem() | e.Apply("set" | "list"):
            return False
        case e.Apply("range", (e.Const(int() as low), e.Const(int() as high))):
            return high - low >= LITTLE
        case e.Apply("take", (e.Const(int() as number), _)) if number <= LITTLE:
            return False
        case e.Apply("minus" | "unique" | "as_list", (many, *_)) | e.Fold(sort="set" | "list", domain=many):
            return is_endless(expr.type) and may_be_long(many, program)
        case e.Apply("union", operands):
            return is_endless(expr.type) and any(may_be_long(part, program) for part in operands)
        case e.Call(function):
            origin = program.functions[function].origin
            return is_endless(expr.type) and (origin is None or origin.sort != "chart")
    return is_endless(expr.type)


def is_filtered(domain: e.Expr) -> bool:
    """Return whether a domain filters another one; such a domain need not be built as a collection."""
    match domain:
        case e.Let(body=body):
            return is_filtered(body)
        case e.Apply("as_list", (many,)):
            return is_filtered(many)
    return isinstance(domain, e.Fold) and is_ordered(domain)


def is_simple(expr: e.Expr) -> bool:
    """Return whether an expression is as cheap as a name: a variable, a literal, or an attribute of either."""
    match expr:
        case e.StaticItem(table, (owner,)):
            return table.origin is not None and table.origin.sort == "attribute" and is_simple(owner)
    return isinstance(expr, e.Local | e.Const)


def is_endless(type_: t.Type) -> bool:
    """Return whether a set or list has no bound on its size."""
    collection = strip_maybe(type_)
    if isinstance(collection, t.SetType):
        return collection.item is not None and not isinstance(strip_maybe(collection.item), _FINITE)
    return isinstance(collection, t.ListType)


def is_ordered(fold: e.Fold) -> bool:
    """Return whether the members of a fold come in the order of its result, without duplicates."""
    is_list = isinstance(strip_maybe(fold.type), t.ListType) and fold.extreme is None
    return is_list or (fold.result is None and isinstance(strip_maybe(fold.domain.type), t.SetType))
