"""Caching of columns in local names before the loops that read them.

Works on finished Python statements of functions that write no column.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from interpreter.compiler.python_syntax import name, placed, stored
from interpreter.compiler.python_trees import CLOSED, SCOPES, inside, parts_of, rewritten

_COLUMN = re.compile(r"at|occ|c\d+")


def at_hand(body: list[ast.stmt]) -> list[ast.stmt]:
    """Cache the columns that loops read, before the first of these."""
    read = [_read_in(part) for part in body]
    having = [place for place, found in enumerate(read) if found]
    if not having:
        return body
    first, only = body[having[0]], body[having[0]]
    if len(having) == 1 and isinstance(only, ast.If):
        return [*body[: having[0]], inside(only, at_hand), *body[having[0] + 1 :]]
    columns = frozenset[str]().union(*read)
    return [*body[: having[0]], *_begun(columns, first), *(_named(part, columns) for part in body[having[0] :])]


def _begun(columns: frozenset[str], before: ast.stmt) -> list[ast.stmt]:
    """Return statements that cache some columns, before a statement."""
    begun = [ast.Assign([stored("g_" + slot)], ast.Attribute(name("G"), slot, ast.Load())) for slot in sorted(columns)]
    return list(placed(begun, before))


def _read_in(part: ast.stmt) -> set[str]:
    """Return the columns read in the loops of a statement, outside nested functions."""
    if isinstance(part, ast.If):
        return set[str]().union(*map(_read_in, (*part.body, *part.orelse)))
    found = set[str]()
    for inner in parts_of(part.body, CLOSED) if isinstance(part, ast.For) else ():
        match inner:
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id="G"), attr=column), ctx=ast.Load()):
                if _COLUMN.fullmatch(column):
                    found.add(column)
    return found


def _named(part: Any, columns: frozenset[str]) -> Any:
    """Replace reads of the columns by their names."""

    def change(x: Any) -> Any:
        if type(x) in SCOPES:
            return x
        match x:
            case ast.Attribute(value=ast.Name(id="G"), attr=column, ctx=ast.Load()) if column in columns:
                return ast.copy_location(name("g_" + column), x)
        return None

    return rewritten(part, change)
