"""Trace nodes as Python expressions: calls that record what a form of a program is made to observe.

counted 3(test)       COVERAGE.require(3, test)
noted(attack >= 4)    _noted_test(G, _mark(G), '>=', v_attack, 4, ('attack', ''), ((), ()), (True, False))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.backends.python.python_names import tuple_text
from interpreter.backends.python.table_printer import chart_keys
from interpreter.ir import expression_records as e
from interpreter.model.display_types import display_type

if TYPE_CHECKING:
    from interpreter.backends.python.expression_printer import ExpressionPrinter


def trace_text(x: ExpressionPrinter, expr: e.Expr) -> str:
    """Return the code of an expression that records a trace node or coverage."""
    match expr:
        case e.CountedTest(requirement, test):
            return f"COVERAGE.require({requirement}, {x.expr(test)})"
        case e.CitedTest(test, cites):
            return f"({x.expr(test)} and (COVERAGE.cite({cites!r}) or True))"
        case e.CoveredLookUp(look):
            table, keys = _look(x, look)
            return x.module.mark(f"_look_covered(COVERAGE, {table!r}, T_{table}, {keys})", expr.span)
        case e.Terms(signs, names, values):
            parts = zip(signs, names, values, strict=True)
            return tuple_text(f"({sign}, {name!r}, {x.expr(value)})" for sign, name, value in parts)
        case e.NotedLookUp(look, terms, column):
            table, keys = _look(x, look)
            shown = "None"
            if column is not None:
                shown = f"({column[0]}, {column[1]!r}, {display_type(column[2])!r})"
            made = f"_noted_look(G, _mark(G), {table!r}, T_{table}, {keys}, {tuple_text(x.many(terms))}, {shown})"
            return x.module.mark(made, expr.span)
        case e.NotedTest(symbol, left, right, names, terms, rolled):
            given = f"{symbol!r}, {x.expr(left)}, {x.expr(right)}, {names!r}, {tuple_text(x.many(terms))}, {rolled!r}"
            return x.module.mark(f"_noted_test(G, _mark(G), {given})", expr.span)
        case e.NotedEach(value):
            return f"_noted_each(G, _mark(G), {x.expr(value)})"
        case e.NotedValue(value, name, define, cites, shown_type, kind, owner):
            of = "None" if owner is None else x.expr(owner)
            given = f"{x.expr(value)}, {name!r}, {define!r}, {cites!r}, {display_type(shown_type)!r}, {kind!r}, {of}"
            return f"_noted_value(G, _mark(G), {given})"
        case e.NotedTally(tally, args):
            return x.module.mark(f"nt_{tally}({', '.join(['G', *x.many(args)])})", expr.span)
    raise AssertionError(type(expr).__name__)


def _look(x: ExpressionPrinter, look: e.Expr) -> tuple[str, str]:
    """Return the name of the chart that a look-up reads, and the code of its keys."""
    match look:
        case e.StaticItem(table) if table.origin is not None:
            origin = table.origin
        case e.Call(function) if (found := x.program.functions[function].origin) is not None:
            origin = found
        case _:
            raise AssertionError(type(look).__name__)
    keys, _ = chart_keys(x, look, origin)
    return origin.name, tuple_text(keys)
