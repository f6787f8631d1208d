"""Interval analysis: bounds of a numeric expression over all states.

Bounds are conservative. `is_exact` is set if both ends can occur: true for the ends of rolls, declared attributes and
constants, provided that the terms are independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from interpreter.model import expressions as n, types as t
from interpreter.model.checked_model import CheckedModel
from interpreter.model.ruleset import Attribute

_MAX_DEPTH = 12  # limit on nested defines


@dataclass(frozen=True, slots=True)
class ValueBounds:
    """Inclusive bounds of a number; None marks an unknown bound. `is_exact`: both bounds can occur."""

    low: int | None = None
    high: int | None = None
    is_exact: bool = False


UNKNOWN = ValueBounds()
BoundsByName = Mapping[str, ValueBounds]


def compute_bounds(model: CheckedModel, core: n.Core, bounds: BoundsByName, depth: int = 0) -> ValueBounds:
    """Return the bounds of a numeric expression.

    `bounds`: the bounds of the local names; `depth`: the number of defines entered so far, which is limited.
    """
    match core:
        case n.Literal(value) if isinstance(value, int) and not isinstance(value, bool):
            return ValueBounds(value, value, True)
        case n.CheckedLocal(name):
            return bounds.get(name, UNKNOWN)
        case n.AttributeOf(kind=kind, name=name):
            return _compute_attribute_bounds(model, kind, model.ruleset.kinds[kind].attributes.get(name), name)
        case n.GameValue(name=name):
            attribute = model.ruleset.game.get(name)
            return _read_declared_bounds(attribute) if attribute is not None else UNKNOWN
        case n.LookUp(table=name):
            return _compute_cell_bounds(model.ruleset.tables[name].cells.values())
        case n.Comprehension(sort="count"):
            return ValueBounds(0, None)
        case n.Operation(name, operands):
            return combine(name, [compute_bounds(model, x, bounds, depth) for x in operands])
        case n.CheckedCall(sort="define", name=name, args=args) if depth < _MAX_DEPTH:
            define = model.defines[name]
            inner = {
                p: compute_bounds(model, a, bounds, depth + 1) for (p, _t), a in zip(define.params, args, strict=True)
            }
            return compute_bounds(model, define.value, inner, depth + 1)
    return UNKNOWN


def _compute_attribute_bounds(model: CheckedModel, kind: str, attribute: Attribute | None, name: str) -> ValueBounds:
    """Return the bounds of an attribute: declared if play changes it, else those of the values that things have."""
    if attribute is None or isinstance(attribute.type, t.MaybeType):
        return UNKNOWN
    if attribute.changes:
        return _read_declared_bounds(attribute)
    values = [x.values[name] for x in model.ruleset.kinds[kind].things if name in x.values]
    return _compute_cell_bounds(values)


def _read_declared_bounds(attribute: Attribute) -> ValueBounds:
    """Return an attribute's declared bounds.

    They count as exact even without clamping, because a number beyond them is then an error of the rules.
    """
    return ValueBounds(attribute.low, attribute.high, attribute.low is not None and attribute.high is not None)


def _compute_cell_bounds(values: Iterable[Any]) -> ValueBounds:
    numbers = [v for v in values if isinstance(v, int) and not isinstance(v, bool)]
    if not numbers or len(numbers) != sum(1 for _v in values):
        return UNKNOWN
    return ValueBounds(min(numbers), max(numbers), True)


def combine(name: str, parts: list[ValueBounds]) -> ValueBounds:
    """Return the bounds of the operation `name`; `parts`: the bounds of its operands."""
    lows, highs = [p.low for p in parts], [p.high for p in parts]
    exact = all(p.is_exact for p in parts)
    match name, parts:
        case "add", [_, _]:
            return ValueBounds(_join_ends(lows, sum), _join_ends(highs, sum), exact)
        case "sub", [one, other]:
            return ValueBounds(_subtract(one.low, other.high), _subtract(one.high, other.low), exact)
        case "neg", [one]:
            return ValueBounds(_subtract(0, one.high), _subtract(0, one.low), exact)
        case "mul", [one, other] if None not in (one.low, one.high, other.low, other.high):
            products = [a * b for a in (one.low, one.high) for b in (other.low, other.high)]  # type: ignore[operator]
            return ValueBounds(min(products), max(products), exact)
        case "count", _:
            return ValueBounds(0, None)
        case "min", _:
            return ValueBounds(_join_ends(lows, min), min((h for h in highs if h is not None), default=None))
        case "max", _:
            return ValueBounds(max((low for low in lows if low is not None), default=None), _join_ends(highs, max))
        case "cond", [_, one, other]:
            return ValueBounds(_join_ends([one.low, other.low], min), _join_ends([one.high, other.high], max))
        case "orelse", [one, other]:
            return ValueBounds(_join_ends(lows, min), _join_ends(highs, max))
    return UNKNOWN


def _join_ends(ends: list[int | None], join: Callable[[list[int]], int]) -> int | None:
    """Return the joined ends of intervals, or None if one of them is open."""
    finite = [end for end in ends if end is not None]
    return join(finite) if len(finite) == len(ends) else None


def _subtract(left: int | None, right: int | None) -> int | None:
    """Return the difference of two ends of intervals, or None if one of them is open."""
    return None if left is None or right is None else left - right


def is_always_true(model: CheckedModel, core: n.Core) -> bool:
    """Return whether a test holds for every value within the bounds of the numbers it reads."""
    match core:
        case n.Operation("and", operands):
            return all(is_always_true(model, x) for x in operands)
        case n.Operation("or", operands):
            return any(is_always_true(model, x) for x in operands)
        case n.Operation("<" | "<=" | ">" | ">=" as sign, (left, right)):
            if any(
                isinstance(x.type, t.MaybeType) or isinstance(getattr(x, "value", 0), Fraction) for x in (left, right)
            ):
                return False
            smaller, larger = (
                compute_bounds(model, x, {}) for x in ((left, right) if sign in ("<", "<=") else (right, left))
            )
            if smaller.high is None or larger.low is None:
                return False
            return smaller.high < larger.low or sign in ("<=", ">=") and smaller.high == larger.low
    return False
