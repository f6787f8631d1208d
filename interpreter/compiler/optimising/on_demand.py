"""A list of options turned into the question whether there is any: it is left at the first option that is found.

Bots ask so on trial, since they look into few of the decisions that they come to. Must not decide what is legal: the
tests are those of the list, in the same order.
"""

from __future__ import annotations

import ast
from typing import Any

from interpreter.compiler.python_syntax import parts_of, statements
from interpreter.compiler.shortcuts.tidied_loops import changed

_OUT = "_out"


def found_first(body: list[ast.stmt]) -> list[ast.stmt]:
    """The body of a function that lists options, made to give a list with a stand-in for them, or an empty one."""
    return [_changed(part) for part in body]


def _changed(part: Any) -> Any:
    """A statement whose options are not added but answer at once; copied where it differs, as functions share parts."""
    if isinstance(part, ast.Expr) and _adds(part.value):
        made = statements("return _unlisted()")[0]
        for node in parts_of(made):
            ast.copy_location(node, part)
        return made
    inner = [name for name in ("body", "orelse") if getattr(part, name, None)]
    if not isinstance(part, ast.stmt) or not inner:
        return part
    news: dict[str, Any] = {name: [_changed(x) for x in getattr(part, name)] for name in inner}
    return changed(part, **news)


def _adds(call: ast.expr) -> bool:
    """`_out.append(...)`, or the same with a bound."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=held), attr="append")):
            return held == _OUT
        case ast.Call(func=ast.Name(id="_listed"), args=[ast.Name(id=held), *_]):
            return held == _OUT
    return False
