"""Structural keys: two expressions share a key if they compute the same up to renaming of variables."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields
from functools import cache
from typing import cast

from interpreter.ir import expression_records as e
from interpreter.ir.record_fields import fields_holding

_SHAPES = frozenset(e.SHAPES)


@cache
def _described(shape: type) -> tuple[str, ...]:
    """Return the names of a record's fields that determine what the expression computes: no bound names, no span."""
    left_out = {*fields_holding(shape, "bound"), "span"}
    return tuple(f.name for f in fields(shape) if f.name not in left_out)


def structural_key(expr: e.Expr) -> tuple[Hashable, tuple[e.Local, ...]]:
    """Return a key and the free variables of an expression, in the order in which they are first read.

    Expressions with one key compute equal values from equal values of their free variables.
    """
    free: dict[str, e.Local] = {}
    numbers: dict[str, int] = {}

    def key(expr: e.Expr) -> Hashable:
        if isinstance(expr, e.Local):
            if expr.name not in numbers:
                numbers[expr.name] = len(numbers)
                free[expr.name] = expr
            return (numbers[expr.name], str(expr.type))
        for name in e.bound_names(expr):
            numbers[name] = len(numbers)
        shape: type = type(expr)
        return (shape.__name__, *[part(getattr(expr, name)) for name in _described(shape)])

    def part(held: object) -> Hashable:
        shape: type = type(held)
        if shape in _SHAPES:
            return key(cast(e.Expr, held))
        if isinstance(held, tuple):
            return tuple([part(x) for x in held])
        if isinstance(held, e.StaticTable):
            return (held.name, id(held))
        return (shape.__name__, str(held))

    return key(expr), tuple(free.values())


def exact_key(expr: e.Expr) -> Hashable:
    """Return a key shared by the expressions that compute one function of variables with the same names."""
    key, free = structural_key(expr)
    return (key, tuple(local.name for local in free))
