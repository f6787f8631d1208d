"""Calls of built-in functions -> Python expressions, once their arguments are emitted.

Must not emit arguments itself, nor know what the functions do.
"""

from __future__ import annotations

import ast
from typing import Any

from interpreter.compiler.python_syntax import expression, name

_GRAPH = (
    "linked",
    "edge",
    "edges_of",
    "ends_of",
    "step",
    "ray",
    "turned",
    "spaces_between",
    "turns_between",
    "line_between",
    "column_of",
    "row_of",
)


def builtin_call(called: str, emitted: list[Any]) -> Any:
    """The Python expression of the built-in function `called` with its arguments as expressions."""
    if called == "count":
        return expression("len(_1)", *emitted)
    if called == "sum":
        return expression("sum(_1)", *emitted)
    if called in ("min", "max"):
        return expression(f"{called}(_1, default=None)", *emitted)
    if called in ("min_of", "max_of"):
        return ast.Call(name(called[:3]), emitted, [])
    if called == "abs":
        return expression("abs(_1)", *emitted)
    if called == "remainder":
        return expression("_1 % _2", *emitted)
    if called == "neighbours":
        return expression("NEIGHBOURS[_1]", *emitted)
    if called == "opponent":  # two things: 0 and 1
        return expression("1 - _1", *emitted)
    if called == "alike":
        return expression("_alike(G, _1, _2)", *emitted)
    if called == "linked":
        return expression("(_1, _2) in EDGES", *emitted)
    if called == "edge":
        return expression("EDGES.get((_1, _2))", *emitted)
    if called == "direction_to":
        return expression("DIRECTIONS.get((_1, _2))", *emitted)
    if called in _GRAPH:
        return ast.Call(name("_" + called), [name("LINKS"), *emitted], [])
    return ast.Call(name("_" + called), emitted, [])
