"""Facts of expressions, each computed once: free variables, estimated cost of an evaluation in Python, structural keys.

Two expressions share a structural key if they compute the same up to renaming of variables.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, fields
from functools import cache
from typing import cast

from interpreter.ir import expression_records as e
from interpreter.ir.primitives import PRIMITIVES
from interpreter.ir.record_fields import list_fields_holding
from interpreter.model import types as t

Fact = tuple[frozenset[str], int]
NOTHING: frozenset[str] = frozenset()

LOOP = 60
_COSTS: dict[type, int] = {
    e.StaticItem: 2,
    e.IndexOf: 6,
    e.Conditional: 1,
    e.OrElse: 2,
    e.IfPresent: 2,
    e.Let: 2,
    e.Bounded: 12,
    e.Call: 9,
    e.Fold: LOOP,
    e.Search: 300,
    e.Closure: 300,
    e.Possible: 1000,
    e.MakeRecord: 4,
    e.WithFields: 12,
}
_LOOKED_UP = 10  # an element of a chart or of the map
_ARITHMETIC = frozenset({"add", "sub", "mul", "div", "neg"})
_EXACT = 30  # an operation on fractions
_COPIED = 15  # an operation that makes a new number, set or list
_SHAPES = frozenset(e.SHAPES)


@dataclass(slots=True)
class ExpressionFacts:
    """Free variables and costs of the expressions of a program; costs are units of ten nanoseconds, roughly."""

    _known: dict[int, tuple[e.Expr, Fact]] = field(default_factory=dict)

    def get_free_names(self, expr: e.Expr) -> frozenset[str]:
        """Return the variables that an expression reads and does not bind."""
        return self._compute_fact(expr)[0]

    def estimate_cost(self, expr: e.Expr) -> int:
        """Return the estimated cost of one evaluation, in units of ten nanoseconds; a call counts without its body."""
        return self._compute_fact(expr)[1]

    def _compute_fact(self, expr: e.Expr) -> Fact:
        memoized = self._known.get(id(expr))
        if memoized is None:
            memoized = self._known[id(expr)] = expr, self._compute(expr)
        return memoized[1]

    def _compute(self, expr: e.Expr) -> Fact:
        if isinstance(expr, e.Local):
            return frozenset((expr.name,)), 0
        inside = [self._compute_fact(part) for part in e.list_children(expr)]
        if not inside:
            return NOTHING, estimate_own_cost(expr)
        names = inside[0][0] if len(inside) == 1 else NOTHING.union(*(free for free, _ in inside))
        bound = e.list_bound_names(expr)
        return (names.difference(bound) if bound else names), estimate_own_cost(expr) + sum(cost for _, cost in inside)


def estimate_own_cost(expr: e.Expr) -> int:
    """Return the estimated cost of an expression without its operands."""
    match expr:
        case e.Apply(op):
            if op in _ARITHMETIC and isinstance(expr.type, t.NumberType):
                return _EXACT
            return _COPIED if PRIMITIVES[op].copies else 1
        case e.StaticItem(table) if table.origin is None or table.origin.sort != "attribute":
            return _LOOKED_UP
    return _COSTS.get(type(expr), 0)


@cache
def _list_described_fields(shape: type) -> tuple[str, ...]:
    """Return the names of a record's fields that determine what the expression computes: no bound names, no span."""
    left_out = {*list_fields_holding(shape, "bound"), "span"}
    return tuple(f.name for f in fields(shape) if f.name not in left_out)


def build_structural_key(expr: e.Expr) -> tuple[Hashable, tuple[e.Local, ...]]:
    """Return a key and the free variables of an expression, in the order in which they are first read.

    Expressions with equal keys compute equal values from equal values of their free variables.
    """
    free: dict[str, e.Local] = {}
    numbers: dict[str, int] = {}

    def key(expr: e.Expr) -> Hashable:
        if isinstance(expr, e.Local):
            if expr.name not in numbers:
                numbers[expr.name] = len(numbers)
                free[expr.name] = expr
            return (numbers[expr.name], str(expr.type))
        for name in e.list_bound_names(expr):
            numbers[name] = len(numbers)
        shape: type = type(expr)
        return (shape.__name__, *[build_part(getattr(expr, name)) for name in _list_described_fields(shape)])

    def build_part(value: object) -> Hashable:
        shape: type = type(value)
        if shape in _SHAPES:
            return key(cast(e.Expr, value))
        if isinstance(value, tuple):
            return tuple([build_part(x) for x in value])
        if isinstance(value, e.StaticTable):
            return (value.name, id(value))
        return (shape.__name__, str(value))

    return key(expr), tuple(free.values())


def build_exact_key(expr: e.Expr) -> Hashable:
    """Return a key that is equal for expressions that compute equal values from variables of the same names."""
    key, free = build_structural_key(expr)
    return (key, tuple(local.name for local in free))
