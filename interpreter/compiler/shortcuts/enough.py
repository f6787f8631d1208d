"""Early exit for counts in row loops that are compared with a number.

Rows that are too short are left out, and a count stops once the rest cannot reach the number. Works on finished Python
statements annotated by `countable`; counts whose tests may fault are left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, NamedTuple

from interpreter.compiler.python_syntax import constant, expression, name, statements, stored
from interpreter.compiler.python_trees import parts_of


class Enough(NamedTuple):
    """A loop's body, and what a row must hold to matter: so many members, of lists, more than are asked for."""

    body: list[ast.stmt]
    room: ast.expr


def countable(made: list[ast.stmt], is_safe: bool) -> None:
    """Mark a loop that counts, the last of some statements: nothing is lost where it stops early, or never begins."""
    loop = made[-1]
    if isinstance(loop, ast.For) and is_safe and not any(_may_matter(part) for part in parts_of(loop.body)):
        loop.counts = True  # type: ignore[attr-defined]


def _may_matter(part: Any) -> bool:
    """Return whether a node may have effects: a call, or charged steps."""
    return isinstance(part, ast.Call) or isinstance(part, ast.Attribute) and part.attr == "spent"


def enough(body: list[ast.stmt], loads: Mapping[str, int]) -> Enough | None:
    """Match a body that only counts members of lists and compares the sum; `loads`: how often names are read."""
    *counting, asked = body
    match asked:
        case ast.If(
            test=ast.Compare(left=sums, ops=[ast.Eq() | ast.GtE()], comparators=[ast.Constant(int() as wanted)]),
            orelse=[],
        ) if wanted > 0:
            pass
        case _:
            return None
    counts = dict(zip(map(_begun, counting[::2]), counting[1::2], strict=False))
    names = [x.id for x in parts_of(sums) if isinstance(x, ast.Name)]
    if sorted(names) != sorted(map(str, counts)) or len(counting) != 2 * len(counts) or not _are_added(sums):
        return None
    if not all(getattr(loop, "counts", False) and loads[made] == 1 for made, loop in counts.items() if made):
        return None
    lists = [loop.iter for loop in counts.values()]  # type: ignore[attr-defined]
    if not all(getattr(x, "fixed", False) for x in lists):
        return None
    room: Any = expression("len(_1)", lists[0])
    for other in lists[1:]:
        room = expression("_1 + len(_2)", room, other)
    room = expression("_1 - _2", room, constant(wanted))
    room.fixed = True
    return Enough(_counted_down(body, room) or body, room)


def _begun(part: ast.stmt) -> str | None:
    """Return the name that is initialized to 0."""
    match part:
        case ast.Assign(targets=[ast.Name(id=made)], value=ast.Constant(value=0)):
            return made
    return None


def _are_added(part: ast.expr) -> bool:
    match part:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _are_added(left) and _are_added(right)
    return isinstance(part, ast.Name)


def _counted_down(body: list[ast.stmt], room: ast.expr) -> list[ast.stmt] | None:
    """Rewrite a single count to count down the allowed failures and stop below zero; None for other bodies."""
    match body:
        case [ast.Assign(targets=[ast.Name(id=left)]), ast.For() as loop, ast.If(test=ast.Compare(ops=[op])) as asked]:
            pass
        case _:
            return None
    match loop.body:
        case [ast.If(test=test, body=[ast.AugAssign()], orelse=[])]:
            fails = statements("if not _1:\n    if not _2: break\n    _3 -= 1", test, name(left), stored(left))
            then = asked.body if isinstance(op, ast.GtE) else statements("if not _1: _2", name(left), asked.body)
            return [*statements("_1 = _2", stored(left), room), ast.For(loop.target, loop.iter, fails, then)]
    return None
