"""Constants of the ruleset as Python: attributes, charts, builtins, tables of the module, bounds, known sets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from interpreter.backends.python.python_names import format_key, format_tuple
from interpreter.ir import expression_records as e
from interpreter.model.expressions import Value
from interpreter.model.ruleset import Ruleset
from interpreter.runtime.builtins.registry import BUILTINS

if TYPE_CHECKING:
    from interpreter.backends.python.expression_printer import ExpressionPrinter

_HOLE = re.compile(r"\b_(\d)\b")


def print_static_item(printer: ExpressionPrinter, expr: e.StaticItem) -> str:
    """Return the code of an element of a static table: a constant attribute, a chart, the map, or another table."""
    table, origin = expr.table, expr.table.origin
    if origin is not None:
        if origin.sort == "attribute":
            return f"{printer.layout.constants[origin.kind, origin.name]}[{printer.print_expr(expr.indices[0])}]"
        if origin.sort == "builtin":
            indices = [part.value if isinstance(part, e.IndexOf) else part for part in expr.indices]
            return print_builtin(printer, origin.name, printer.print_list(indices))
        return print_chart_lookup(printer, expr, origin)
    index = ""
    for part, size in zip(expr.indices, expr.sizes, strict=True):
        index = printer.print_expr(part) if not index else f"({index}) * {size} + {printer.print_expr(part)}"
    text = format_tuple(printer.print_constant(value) for value in table.values)
    return f"{printer.module.add_table(text, re.sub(r'[^a-z0-9_]', '_', table.name))}[{index}]"


def print_builtin(printer: ExpressionPrinter, name: str, args: list[str]) -> str:
    """Return the code of a builtin of the runtime: the code that its declaration gives, or a call.

    `args`: the code of the arguments.
    """
    declared = BUILTINS[name]
    if declared.code:
        return "(" + _HOLE.sub(lambda hole: args[int(hole.group(1)) - 1], declared.code) + ")"
    before = {"": [], "links": ["LINKS"], "state": [printer.state]}[declared.needs]
    return f"_{name}({', '.join([*before, *args])})"


def print_chart_lookup(printer: ExpressionPrinter, look: e.StaticItem | e.Call, origin: e.Origin) -> str:
    """Return the code of a chart look-up, or the code that tests whether the chart has a cell.

    `origin`: names the chart.
    """
    table = printer.ruleset.tables[origin.name]
    keys, is_shifted = print_chart_keys(printer, look, origin)
    is_exact = not is_shifted and all(
        a.sort == "keys" or (a.sort == "range" and a.below == "refuse" and a.above == "refuse") for a in table.axes
    )
    if origin.sort == "chart question":
        if is_exact and all(a.sort == "keys" for a in table.axes):
            return f"(CELLS_{table.id}.get({format_key(keys)}) is not None)"
        return f"T_{table.id}.has({', '.join(keys)})"
    return f"CELLS_{table.id}[{format_key(keys)}]" if is_exact else f"T_{table.id}.look({', '.join(keys)})"


def print_chart_keys(
    printer: ExpressionPrinter, look: e.StaticItem | e.Call, origin: e.Origin
) -> tuple[list[str], bool]:
    """Return the code of the key on each axis of a chart, and whether any row is shifted.

    `look`: the look-up. `origin`: names the chart.
    """
    if isinstance(look, e.StaticItem):
        return [printer.print_expr(part.value if isinstance(part, e.IndexOf) else part) for part in look.indices], False
    keys: list[str] = []
    is_shifted = False
    waiting = list(zip(printer.program.functions[look.function].params, look.args, strict=True))
    for number, axis in enumerate(printer.ruleset.tables[origin.name].axes):
        count = 2 if axis.sort == "ratio" else 1
        values = printer.print_list(arg for _, arg in waiting[:count])
        del waiting[:count]
        key = values[0] if count == 1 else format_tuple(values)
        if waiting and waiting[0][0][0] == f"shift{number}":
            is_shifted, key = True, f"_Shifted({key}, {printer.print_expr(waiting.pop(0)[1])})"
        keys.append(key)
    return keys, is_shifted


def print_bounded(printer: ExpressionPrinter, expr: e.Bounded) -> str:
    """Return the code of a value that is checked against its bounds, or limited to them."""
    low, high = ("None" if part is None else printer.print_expr(part) for part in (expr.low, expr.high))
    value = printer.print_expr(expr.value)
    if expr.is_holding and isinstance(expr.value, e.Local):
        return f"({value} if 1 <= {value} <= {high} else _holding_place(1, {high}, {value}, {expr.name!r}))"
    if expr.is_holding:
        return f"_holding_place(1, {high}, {value}, {expr.name!r})"
    return f"{'_clamp' if expr.clamps else '_require_bounds'}({value}, {low}, {high}, {expr.name!r})"


def list_known_sets(ruleset: Ruleset) -> dict[Value, str]:
    """Return the name that `Program` defines for each set of all things of a kind or class, by its members."""
    names_by_set: dict[Value, str] = {}
    for kind in ruleset.kinds.values():
        numbers = tuple(i for i, thing in enumerate(kind.things) if thing.holding is None)
        if len(numbers) > 2:
            names_by_set.setdefault(numbers, f"ALL_{kind.id}")
    pieces = ruleset.kinds["piece"].things
    for cls in ruleset.classes:
        members = tuple(i for i, thing in enumerate(pieces) if thing.cls == cls and thing.holding is None)
        if len(members) > 2 and all(thing.holding is None for thing in pieces if thing.cls == cls):
            names_by_set.setdefault(members, f"CLASS_{cls}")
    return names_by_set
