"""Traversal and functional update of finished Python syntax trees.

Functions share parts, so parts are never changed in place, except for positions and annotations of new ones.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from interpreter.compiler.python_syntax import MADE, WITHOUT_PARTS

SCOPES = frozenset((ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp, ast.Lambda))  # functions of their own
CLOSED = SCOPES | WITHOUT_PARTS


def parts_of(node: Any, closed: frozenset[type] = WITHOUT_PARTS) -> list[Any]:
    """Return a node, or a list's nodes, with all descendants, unordered; contexts and operators are left out.

    Nodes of a `closed` class are not entered.
    """
    found: list[Any] = []
    waiting = [x for x in node if type(x) in MADE] if type(node) is list else [node]
    while waiting:
        part = waiting.pop()
        found.append(part)
        if type(part) not in closed:
            for held in part.__dict__.values():
                sort = type(held)
                if sort is list:
                    waiting += [x for x in held if type(x) in MADE]
                elif sort in MADE:
                    waiting.append(held)
    return found


def parts_right_in(part: Any) -> list[Any]:
    """Return the children of a node, unordered, without contexts and operators."""
    if type(part) in WITHOUT_PARTS:
        return []
    found = []
    for held in part.__dict__.values():
        if type(held) is list:
            found += [x for x in held if type(x) in MADE]
        elif type(held) in MADE:
            found.append(held)
    return found


def changed(part: Any, **news: Any) -> Any:
    """Return a copy of a node with other fields, keeping its position and annotations."""
    made = ast.copy_location(type(part)(**{**dict(ast.iter_fields(part)), **news}), part)
    for mark in ("of_things", "fixed", "counts"):
        if getattr(part, mark, False):
            setattr(made, mark, True)
    return made


def inside(part: Any, change: Callable[[list[ast.stmt]], list[ast.stmt]]) -> Any:
    """Return a statement with the bodies in it changed."""
    news = {}
    for field in ("body", "orelse"):
        inner = getattr(part, field, None)
        if isinstance(inner, list) and inner and (made := change(inner)) != inner:
            news[field] = made
    return changed(part, **news) if news else part


def rewritten(part: Any, change: Callable[[Any], Any]) -> Any:
    """Replace nodes by what `change` returns for them; where it returns None, look inside."""
    if type(part) not in MADE:
        return part
    new = change(part)
    if new is not None:
        return new
    if type(part) is list:
        news = [rewritten(x, change) for x in part]
        return part if news == part else news
    differs = {}
    for field in part._fields:
        value = part.__dict__.get(field)
        if (new := rewritten(value, change)) is not value:
            differs[field] = new
    return changed(part, **differs) if differs else part


def bound_in(parts: list[Any]) -> set[str]:
    """Return the names bound in some nodes: by statements, by loops, or as function arguments."""
    return {
        part.arg if isinstance(part, ast.arg) else part.id
        for part in parts
        if isinstance(part, ast.arg) or isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)
    }


def read_of(part: Any) -> tuple[str, str]:
    """Return the column of the state that a node reads and the name of its owner, or two empty strings."""
    match part:
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id="G"), attr=slot), slice=ast.Name(id=thing)):
            return (slot, thing) if isinstance(part.ctx, ast.Load) else ("", "")
    return "", ""
