"""Types while lowering: the common type of two values, and the conversion of one type to another."""

from __future__ import annotations

from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e
from interpreter.model import types as t
from interpreter.model.types import strip_maybe


class NotLoweredError(Exception):
    """Raised for rules that the intermediate representation cannot express; the message names the construct."""

    def __init__(self, construct: str, span: Span | None = None) -> None:
        self.construct = construct
        self.span = span
        super().__init__(construct)


def make_maybe(type_: t.Type) -> t.Type:
    """Return the type of values of `type_` that may be missing."""
    return type_ if isinstance(type_, t.MaybeType) else t.MaybeType(type_)


def get_collection_type(type_: t.Type) -> t.SetType | t.ListType:
    """Return a set or list type without `maybe`, for a value known to be present."""
    collection = strip_maybe(type_)
    assert isinstance(collection, t.SetType | t.ListType)
    return collection


def is_number(type_: t.Type) -> bool:
    """Return whether a type is `number` or `maybe number`, whose values may be fractions; `int` is not one."""
    return isinstance(strip_maybe(type_), t.NumberType)


def common_type(left: t.Type, right: t.Type) -> t.Type | None:
    """Return the narrowest type of two values, or None if they have none.

    >>> str(common_type(t.INT, t.MaybeType(t.NUMBER)))
    'number, which may be missing'
    """
    if isinstance(left, t.MaybeType) or isinstance(right, t.MaybeType):
        common = common_type(strip_maybe(left), strip_maybe(right))
        return None if common is None else make_maybe(common)
    if isinstance(left, t.NeverType):
        return right
    if isinstance(right, t.NeverType):
        return left
    match left, right:
        case t.SetType(item=x), t.SetType(item=y) if x and y:
            item = common_type(x, y)
            return None if item is None else t.SetType(item)
        case t.ListType(item=x), t.ListType(item=y) if x and y:
            item = common_type(x, y)
            return None if item is None else t.ListType(item)
        case (t.TextType(), t.OneOfType() | t.DirectionType()) | (t.OneOfType() | t.DirectionType(), t.TextType()):
            return t.TEXT
        case t.ThingType(kind=x_kind), t.ThingType(kind=y_kind) if x_kind == y_kind:
            return left if left == right else t.ThingType(x_kind)
    return t.join_types(left, right)


def needs_conversion(source: t.Type, target: t.Type) -> bool:
    """Return whether a value must be converted: integers and fractions have different representations."""
    match strip_maybe(source), strip_maybe(target):
        case t.IntType(), t.NumberType():
            return True
        case (t.SetType(item=x), t.SetType(item=y)) | (t.ListType(item=x), t.ListType(item=y)) if x and y:
            return needs_conversion(x, y)
    return False


def convert(expr: e.Expr, wanted: t.Type, name: str) -> e.Expr:
    """Convert an expression to another type. `name`: an unused name for the variable of a conversion."""
    if isinstance(expr, e.Const) and (expr.value is None or expr.value == ()):
        return e.Const(expr.value, wanted, expr.span)
    if isinstance(strip_maybe(expr.type), t.NeverType):
        return expr
    if not needs_conversion(expr.type, wanted):
        return expr
    match strip_maybe(expr.type), strip_maybe(wanted):
        case t.IntType(), t.NumberType():
            type_: t.Type = t.MaybeType(t.NUMBER) if isinstance(expr.type, t.MaybeType) else t.NUMBER
            if isinstance(expr, e.Const):
                return e.Const(expr.value, type_, expr.span)
            return e.Apply("widen", (expr,), type_, expr.span)
        case (t.SetType(item=x), t.SetType(item=y)) | (t.ListType(item=x), t.ListType(item=y)) if x and y:
            if isinstance(expr.type, t.MaybeType):
                there = e.Local(name + "_there", strip_maybe(expr.type), expr.span)
                inner = convert(there, strip_maybe(wanted), name)
                return e.IfPresent(there.name, expr, inner, make_maybe(inner.type), expr.span)
            result = convert(e.Local(name, x, expr.span), y, name + "_")
            sort = "set" if isinstance(wanted, t.SetType) else "list"
            return e.Fold(sort, name, expr, None, result, None, None, wanted, expr.span)
    raise NotLoweredError(f"{expr.type} as {wanted}", expr.span)
