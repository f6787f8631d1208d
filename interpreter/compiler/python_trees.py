"""Finished Python syntax trees: looked through, and changed where a part differs.

Functions share parts. Must not change a part in place, but for the places and marks of those made anew.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from interpreter.compiler.python_syntax import MADE, WITHOUT_PARTS

SCOPES = frozenset((ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp, ast.Lambda))  # functions of their own
CLOSED = SCOPES | WITHOUT_PARTS


def parts_of(node: Any, closed: frozenset[type] = WITHOUT_PARTS) -> list[Any]:
    """A node, or the nodes of a list, with all that stands inside, in no order; contexts and operators are left out.

    Into those of a `closed` sort nobody looks.
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
    """The nodes that stand right inside one, in no order, but for contexts and operators."""
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
    """A copy of a part with other fields, its place and its marks kept."""
    made = ast.copy_location(type(part)(**{**dict(ast.iter_fields(part)), **news}), part)
    for mark in ("of_things", "fixed", "counts"):
        if getattr(part, mark, False):
            setattr(made, mark, True)
    return made


def inside(part: Any, change: Callable[[list[ast.stmt]], list[ast.stmt]]) -> Any:
    """A statement with the bodies in it changed."""
    news = {}
    for field in ("body", "orelse"):
        inner = getattr(part, field, None)
        if isinstance(inner, list) and inner and (made := change(inner)) != inner:
            news[field] = made
    return changed(part, **news) if news else part


def rewritten(part: Any, change: Callable[[Any], Any]) -> Any:
    """A node, or list of nodes, in which stand those that `change` gives; None is its answer where to look inside."""
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
    """The names that are given a value among these parts: by a statement, by a loop, as arguments of a function."""
    return {
        part.arg if isinstance(part, ast.arg) else part.id
        for part in parts
        if isinstance(part, ast.arg) or isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)
    }


def read_of(part: Any) -> tuple[str, str]:
    """The column of the state that is read, and the name of the thing that it is read for; two empty words else."""
    match part:
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id="G"), attr=slot), slice=ast.Name(id=thing)):
            return (slot, thing) if isinstance(part.ctx, ast.Load) else ("", "")
    return "", ""
