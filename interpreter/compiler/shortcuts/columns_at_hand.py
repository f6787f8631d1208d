"""Columns of the state that loops read turn by turn stand in names before them.

Works on finished Python statements. Must not be used where a column is written while the function runs.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from interpreter.compiler.python_syntax import name, placed, stored
from interpreter.compiler.python_trees import SCOPES, inside, rewritten

_COLUMN = re.compile(r"at|occ|c\d+")


def at_hand(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a function that writes nothing, with what their loops read before the first of these."""
    having = [place for place, part in enumerate(body) if _loops_in(part)]
    if not having:
        return body
    first, only = body[having[0]], body[having[0]]
    if len(having) == 1 and isinstance(only, ast.If):
        return [*body[: having[0]], inside(only, at_hand), *body[having[0] + 1 :]]
    columns = frozenset(column for part in body[having[0] :] for loop in _loops_in(part) for column in _read_in(loop))
    return [*body[: having[0]], *_begun(columns, first), *(_named(part, columns) for part in body[having[0] :])]


def _begun(columns: frozenset[str], before: ast.stmt) -> list[ast.stmt]:
    """The names of some columns, ahead of a statement."""
    begun = [ast.Assign([stored("g_" + slot)], ast.Attribute(name("G"), slot, ast.Load())) for slot in sorted(columns)]
    return list(placed(begun, before))


def _loops_in(part: Any) -> list[ast.For]:
    """The outermost loops of a statement that read columns in their turns."""
    if isinstance(part, ast.For):
        return [part] if _read_in(part) else []
    inner = [x for field in ("body", "orelse") for x in getattr(part, field, ())] if isinstance(part, ast.If) else []
    return [loop for x in inner for loop in _loops_in(x)]


def _read_in(loop: ast.For) -> set[str]:
    """The columns that are read in the turns of a loop, but in no function inside it."""
    found, waiting = set[str](), list[Any](loop.body)
    while waiting:
        part = waiting.pop()
        match part:
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id="G"), attr=column), ctx=ast.Load()):
                if _COLUMN.fullmatch(column):
                    found.add(column)
        if not isinstance(part, SCOPES):
            waiting += ast.iter_child_nodes(part)
    return found


def _named(part: Any, columns: frozenset[str]) -> Any:
    """A part that reads the names."""

    def change(x: Any) -> Any:
        if isinstance(x, SCOPES):
            return x
        match x:
            case ast.Attribute(value=ast.Name(id="G"), attr=column, ctx=ast.Load()) if column in columns:
                return ast.copy_location(name("g_" + column), x)
        return None

    return rewritten(part, change)
