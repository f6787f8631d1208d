"""Static tables: functions of a place, a direction or a number alone are computed once and then looked up.

The tables are filled on demand, so a fault occurs where the expression is evaluated.
"""

from __future__ import annotations

import ast
from typing import Any

from interpreter.checker.operations import BUILTINS, slots_read
from interpreter.compiler.expressions.expression_code import SMALL, Emitter
from interpreter.compiler.optimising.passes import TABLES
from interpreter.compiler.python_syntax import expression, function, name, row, table_name
from interpreter.model import expressions as n, types as t
from interpreter.model.expressions import Core, canonical_form, local_names

_JOINED = ("union", "minus")
_PARTS = n.Operation | n.CheckedLocal | n.Literal | n.AttributeOf | n.Things


def tabled(x: Emitter, core: n.Operation) -> Any:
    """Return a lookup in a table made for the expression, or None if it is not worthwhile."""
    if TABLES not in x.passes or x.alone or x.noting or x.in_table or not _is_worth_it(core) or not _is_static(x, core):
        return None
    names = sorted(local_names(core))
    if not names:
        return None
    made = table_name((canonical_form(core), [(v, _type_of(core, v)) for v in names]))
    if made not in x.tables:
        x.tables[made] = None
        with x.elsewhere():
            x.in_table = True
            body: list[ast.stmt] = [ast.Return(x.emit(core))]
            x.in_table = False
        x.made.append((function(made.lower(), ["v_" + v for v in names], body, core.span), core.span))
    given = [x.emit(n.CheckedLocal(v, _type_of(core, v), core.span)) for v in names]
    return expression("_1[_2]", name(made), row(given))


def _is_worth_it(core: n.Operation) -> bool:
    """Return whether an expression builds a set or list each time; what the map stores is a table already."""
    if not isinstance(core.type, t.SetType | t.ListType):
        return False
    builtin = BUILTINS.get(core.name)
    return core.name in _JOINED or builtin is not None and not builtin.code and builtin.needs != "state"


def _is_static(x: Emitter, core: n.Operation) -> bool:
    """Return whether an expression reads only the map and names of single things."""
    inside = n.descendants(core)
    if not all(isinstance(part, _PARTS) for part in inside):
        return False
    if any(isinstance(part, n.CheckedLocal) and not isinstance(part.type, SMALL) for part in inside):
        return False
    return not slots_read(x.model, core, {}) and all(_needs_no_state(part) for part in inside)


def _needs_no_state(core: Core) -> bool:
    builtin = BUILTINS.get(core.name) if isinstance(core, n.Operation) else None
    return builtin is None or builtin.needs != "state"


def _type_of(core: Core, var: str) -> t.Type:
    return next(x.type for x in n.descendants(core) if isinstance(x, n.CheckedLocal) and x.name == var)
