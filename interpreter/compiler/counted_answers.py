"""Which remembered answers count steps of the budget when they are worked out: a choice does not begin with those.

So the budget ends at the same place whatever was remembered before. Must not choose what is remembered.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

_QUIET = frozenset({"_standing", "_at", "_distinct", "_alike"})  # what the runtime does with a state without counting


def counting(functions: Iterable[ast.stmt]) -> frozenset[str]:
    """The functions that may count steps, themselves or by others that they name."""
    named: dict[str, set[str]] = {}
    found: set[str] = set()
    for node in functions:
        if isinstance(node, ast.FunctionDef):
            inside = list(ast.walk(node))
            named[node.name] = {x.id for x in inside if isinstance(x, ast.Name)}
            if any(_counts(x) for x in inside):
                found.add(node.name)
    further = found
    while further:
        further = {name for name, used in named.items() if name not in found and not found.isdisjoint(used)}
        found |= further
    return frozenset(found)


def _counts(node: ast.AST) -> bool:
    """True for what counts, or hands the state on to something of the runtime that may."""
    match node:
        case ast.Attribute(attr="spent"):
            return True
        case ast.Call(func=ast.Name(called), args=given) if called.startswith("_") and called not in _QUIET:
            return any(isinstance(x, ast.Name) and x.id == "G" for x in given)
    return False
