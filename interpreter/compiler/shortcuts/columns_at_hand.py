"""Columns of the state that loops read turn by turn stand in names before them.

Works on finished Python statements. Must not give a name to a column that is written while the name is read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.compiler.python_syntax import name, placed, stored
from interpreter.compiler.python_trees import SCOPES, changed, inside, rewritten

_COLUMN = re.compile(r"at|occ|c\d+")


def at_hand(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a function that writes nothing, with what their loops read before the first of these."""
    having = [place for place, part in enumerate(body) if _loops_in(part)]
    if not having:
        return body
    first, only = body[having[0]], body[having[0]]
    if len(having) == 1 and isinstance(only, ast.If):
        news: dict[str, Any] = {"body": at_hand(only.body), "orelse": at_hand(only.orelse)}
        return [*body[: having[0]], changed(only, **news), *body[having[0] + 1 :]]
    columns = frozenset(column for part in body[having[0] :] for loop in _loops_in(part) for column in _read_in(loop))
    return [*body[: having[0]], *_begun(columns, first), *(_named(part, columns) for part in body[having[0] :])]


def between_writes(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a function that writes, with what each loop that writes nothing reads before that loop."""
    out: list[ast.stmt] = []
    for part in body:
        if isinstance(part, ast.For) and (columns := frozenset(_read_in(part))) and not _may_write(part.body):
            turns = _named(part.body, columns, but_leaving=True)
            out += [*_begun(columns, part), changed(part, body=turns, orelse=between_writes(part.orelse))]
        else:
            out.append(inside(part, between_writes))
    return out


def _may_write(turns: list[ast.stmt]) -> bool:
    """True for what stores anything in the state but steps, or hands it on to what may: rules that answer do not.

    Whoever leaves the function reads nothing by name any more, and may write.
    """
    for part in _staying(turns):
        match part:
            case ast.Attribute(value=ast.Name(id="G"), attr=slot, ctx=ast.Store()) if slot != "spent":
                return True
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id="G")), ctx=ast.Store()):
                return True
            case ast.Call(func=called, args=[ast.Name(id="G"), *_]):
                if not (isinstance(called, ast.Name) and called.id.startswith(_ANSWERING)):
                    return True
    return False


def _staying(bodies: Sequence[Any]) -> Iterator[ast.AST]:
    """All parts of some bodies but of those that leave the function."""
    for part in bodies:
        if isinstance(part, ast.AST):
            yield part
            yield from _staying([value for _, value in ast.iter_fields(part)])
        elif isinstance(part, list) and not _leaves(part):
            yield from _staying(part)


def _leaves(body: Any) -> bool:
    return type(body) is list and bool(body) and isinstance(body[-1], ast.Return)


_ANSWERING = "d_", "r_", "t_"


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


def _named(part: Any, columns: frozenset[str], but_leaving: bool = False) -> Any:
    """A part that reads the names, wherever it stays."""

    def change(x: Any) -> Any:
        if isinstance(x, SCOPES) or but_leaving and _leaves(x):
            return x
        match x:
            case ast.Attribute(value=ast.Name(id="G"), attr=column, ctx=ast.Load()) if column in columns:
                return ast.copy_location(name("g_" + column), x)
        return None

    return rewritten(part, change)
