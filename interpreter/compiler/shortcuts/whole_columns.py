"""Questions about all things of a kind by one value that changes: the column of the state answers them as a whole.

Must not be asked where the things are so many that a loop which stops early may be quicker.
"""

from __future__ import annotations

from typing import Any

from interpreter.compiler.expressions import charts
from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.optimising.passes import LOOPS
from interpreter.compiler.python_syntax import constant, expression
from interpreter.model import nodes as n
from interpreter.model.nodes import Core, locals_of

_MOST = 200  # things of a kind


def anyone(x: Emitter, sort: str, var: str, domain: Core, where: Core | None) -> Any:
    """Whether a value stands in a column, for `any v in things where v.value == other` and `no v ...`; else None."""
    asked = _column_and_value(x, var, domain, where)
    return None if asked is None else expression("_2 in _1" if sort == "any" else "_2 not in _1", *asked)


def how_many(x: Emitter, var: str, domain: Core, where: Core | None) -> Any:
    """How often it stands there; None for other questions."""
    asked = _column_and_value(x, var, domain, where)
    return None if asked is None else expression("_1.count(_2)", *asked)


def _column_and_value(x: Emitter, var: str, domain: Core, where: Core | None) -> tuple[Any, Any] | None:
    if not isinstance(domain, n.Things) or domain.cls is not None or x.noting or LOOPS not in x.passes:
        return None
    if not isinstance(where, n.Operation) or where.name != "==":
        return None
    for mine, other in (where.operands, where.operands[::-1]):
        column = _column(x, var, domain, mine)
        if column is not None and var not in locals_of(other) and x.is_safe(other):
            return column, x.emit(other)
    return None


def _column(x: Emitter, var: str, domain: n.Things, core: Core) -> Any:
    """The part of a column that holds the things on the map, where an expression is a value of each of them."""
    match core:
        case n.AttributeOf(kind, attribute, n.Local(owner), False) if owner == var and kind == domain.kind:
            slot = x.layout.column_of(kind, attribute)
            things = x.model.ruleset.kinds[kind].things
            shown = [i for i, thing in enumerate(things) if thing.holding is None]
            if slot is None or charts.is_between(x, core) or len(things) > _MOST or shown != list(range(len(shown))):
                return None
            if len(shown) == len(things):
                return expression(f"G.{slot}")
            return expression(f"G.{slot}[:_1]", constant(len(shown)))
    return None
