"""A list of options turned into the question whether there is any: it is left at the first option that is found.

Bots ask so on trial, since they look into few of the decisions that they come to. Must not decide what is legal: the
tests are those of the list, in the same order.
"""

from __future__ import annotations

import ast

from interpreter.compiler.python_syntax import placed, statements
from interpreter.compiler.python_trees import inside

_OUT = "_out"


def found_first(body: list[ast.stmt]) -> list[ast.stmt]:
    """The body of a function that lists options, made to give a list with a stand-in for them, or an empty one."""
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
