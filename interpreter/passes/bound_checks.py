"""Bound checks: a number that a loop takes from a range within its bounds is not checked.

before: any(n in 1..3 where at[u] == places[bounded n 1 3])
after:  any(n in 1..3 where at[u] == places[n])

A test that can no longer fault may be evaluated before other parameters are bound; see `predicate_pushdown`.
"""

from __future__ import annotations

from interpreter.ir import expression_records as e, program_records as ir
from interpreter.ir.traversal import map_expressions, map_options, rebuild

Ranges = dict[str, tuple[int, int]]  # least and greatest value of variables


def remove_bound_checks(program: ir.LoweredProgram) -> ir.LoweredProgram:
    """Return the program without checks of numbers that are always within their bounds."""
    without_checks = map_expressions(program, lambda expr: remove_checks(expr, {}))
    return map_options(without_checks, _drop_in_option)


def _drop_in_option(option: ir.LoweredOption) -> ir.LoweredOption:
    ranges = {p.name: member_range for p in option.params if (member_range := find_member_range(p.domain)) is not None}
    return map_expressions(option, lambda expr: remove_checks(expr, ranges)) if ranges else option


def remove_checks(expr: e.Expr, ranges: Ranges) -> e.Expr:
    """Return an expression without redundant bound checks. `ranges`: least and greatest value of variables, by name."""
    if isinstance(expr, e.Fold):
        member_range = find_member_range(expr.domain)
        if member_range is not None:
            ranges = {**ranges, expr.var: member_range}
    rebuilt = rebuild(expr, lambda part: remove_checks(part, ranges))
    match rebuilt:
        case e.Bounded(value, low, high) if (value_range := find_value_range(value, ranges)) is not None:
            if _is_within(value_range, low, high):
                return value
    return rebuilt


def _is_within(value_range: tuple[int, int], low: e.Expr | None, high: e.Expr | None) -> bool:
    """Return whether every value of a range is within constant bounds.

    `value_range`: least and greatest value of the range. `low`, `high`: the bounds, None for an absent bound; False if
    a bound is not an integer literal.
    """
    least, most = (part.value if isinstance(part, e.Const) else part for part in (low, high))
    is_above = least is None or isinstance(least, int) and least <= value_range[0]
    return is_above and (most is None or isinstance(most, int) and value_range[1] <= most)


def find_value_range(expr: e.Expr, ranges: Ranges) -> tuple[int, int] | None:
    """Return the least and greatest value of a variable or literal, or None if unknown."""
    match expr:
        case e.Local(name):
            return ranges.get(name)
        case e.Const(int() as value):
            return value, value
    return None


def find_member_range(domain: e.Expr) -> tuple[int, int] | None:
    """Return the least and greatest member of a range of literals, or None for any other domain."""
    match domain:
        case e.Apply("range", (e.Const(int() as low), e.Const(int() as high))) if low <= high:
            return low, high
        case e.Apply("unique" | "as_list", (many,)):
            return find_member_range(many)
    return None
