"""Early exit of a listing when only its emptiness matters: it stops at the first option.

Bots ask this in trials, since they look into few of the decisions they reach. The tests and their order stay the same.
"""

from __future__ import annotations

import ast

from interpreter.compiler.python_syntax import placed, statements
from interpreter.compiler.python_trees import inside

_OUT = "_out"


def found_first(body: list[ast.stmt]) -> list[ast.stmt]:
    """Rewrite the body of a listing function to return a list with a placeholder, or an empty one."""
    return [
        placed(statements("return _unlisted()")[0], part)
        if isinstance(part, ast.Expr) and _adds(part.value)
        else inside(part, found_first)
        for part in body
    ]


def _adds(call: ast.expr) -> bool:
    """`_out.append(...)`, or the same with a bound."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=held), attr="append")):
            return held == _OUT
        case ast.Call(func=ast.Name(id="_listed"), args=[ast.Name(id=held), *_]):
            return held == _OUT
    return False
