"""Loop cleanup: code after a loop moves behind its `break` or its end; attributes are read once per iteration.

In functions without writes, loops over the occupants of an empty place are skipped. Works on finished Python
statements; columns written while the function runs are not cached.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from interpreter.compiler.python_syntax import name, placed, stored
from interpreter.compiler.python_trees import (
    SCOPES,
    bound_in,
    changed,
    inside,
    parts_of,
    parts_right_in,
    read_of,
    rewritten,
)
from interpreter.model import types as t
from interpreter.model.expressions import Core

MOST_TWICE = 40  # parts of what a loop does at its end, to be written beside it too


def noted(loop: list[ast.stmt], domain: Core) -> list[ast.stmt]:
    """Return statements that end with a loop, annotated if it iterates things, none of which is missing."""
    if isinstance(domain.type, t.SetType) and isinstance(domain.type.item, t.ThingType):
        loop[-1].of_things = True  # type: ignore[attr-defined]
    return loop


def tidied(node: ast.FunctionDef) -> None:
    """Tidy the loops of a function that writes nothing."""
    settled(node)
    node.body = _things_once(_begun(node.body))


def settled(node: ast.FunctionDef) -> None:
    """Move the code that depends on whether a loop was stopped to where that is decided."""

    @cache
    def uses() -> Counter[str]:
        return Counter(part.id for part in parts_of(node) if isinstance(part, ast.Name))

    node.body = _settled(node.body, uses)


# --- what stopped, or did not ---------------------------------------------------------------------


def _settled(body: list[ast.stmt], uses: Callable[[], Counter[str]]) -> list[ast.stmt]:
    """`x = True`, a loop that breaks with `x = False`, `if x: ...`: the last becomes what the loop does at its end.

    Where `x` begins as False, and who finds it True returns, that is done instead of the break.
    """
    out: list[ast.stmt] = []
    for part in [inside(part, lambda inner: _settled(inner, uses)) for part in body]:
        match part, out[-1] if out else None:
            case ast.If(test=ast.Name(id=found), orelse=[]), ast.For(orelse=[]) as loop if uses()[found] == 3:
                begun = next((x for x in out if _sets(x, found, True) or _sets(x, found, False)), None)
                is_end = begun is not None and _sets(begun, found, True)
                if begun is not None and (is_end or isinstance(part.body[-1], ast.Return)):
                    stopped = _instead(loop.body, found, not is_end, [] if is_end else part.body)
                    if stopped is not None:
                        out = [x for x in out[:-1] if x is not begun]
                        part = changed(loop, body=stopped, orelse=part.body if is_end else [])
        out.append(part)
    return out


def _sets(part: ast.stmt, found: str, value: bool) -> bool:
    match part:
        case ast.Assign(targets=[ast.Name(id=target)], value=ast.Constant(value=given)):
            return target == found and given is value
    return False


def _instead(body: list[ast.stmt], found: str, value: bool, then: list[ast.stmt]) -> list[ast.stmt] | None:
    """Remove the statement that sets `found` before a break, and replace the break by `then` if that has effects.

    Returns None if there is no such statement.
    """
    for place, part in enumerate(body):
        if _sets(part, found, value):
            is_last = place == len(body) - 2 and isinstance(body[-1], ast.Break)
            return [*body[:place], *(then or body[-1:])] if is_last else None
        if isinstance(part, ast.If | ast.For):  # in the body of a loop inside a break is that loop's
            for field in ("body", "orelse") if isinstance(part, ast.If) else ("orelse",):
                inner = _instead(getattr(part, field), found, value, then)
                if inner is not None:
                    return [*body[:place], changed(part, **{field: inner}), *body[place + 1 :]]
    return None


# --- where no piece stands ------------------------------------------------------------------------


def _begun(body: list[ast.stmt]) -> list[ast.stmt]:
    """Skip loops over the pieces at a place if there are none."""
    out: list[ast.stmt] = []
    for part in body:
        made = inside(part, _begun)
        match made:
            case ast.For(iter=ast.Subscript(value=ast.Attribute(attr="occ")) as pieces, orelse=otherwise):
                if len(parts_of(otherwise)) <= MOST_TWICE:
                    made = ast.copy_location(ast.If(pieces, [made], _where_none(otherwise, ast.dump(pieces))), made)
        out.append(made)
    return out


def _where_none(body: list[ast.stmt], pieces: str) -> list[ast.stmt]:
    """Return statements that assume that there is no piece at the place."""
    match body:
        case [ast.If(test=test, body=then, orelse=[])] if _holds_where_none(test, pieces):
            return then
    return body


def _holds_where_none(test: ast.expr, pieces: str) -> bool:
    """Return whether a test is true if there is no piece, given that other operands cannot fault."""
    match test:
        case ast.BoolOp(op=ast.Or(), values=values):
            found = next((n for n, x in enumerate(values) if _holds_where_none(x, pieces)), None)
            return found is not None and all(getattr(x, "fixed", False) for x in values[:found])
        case ast.UnaryOp(op=ast.Not(), operand=asked):
            return ast.dump(asked) == pieces
    return False


# --- values read once -------------------------------------------------------------------------------


def _things_once(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return statements in which each loop over things reads their values once."""
    out = []
    for part in body:
        made = inside(part, _things_once)
        if isinstance(made, ast.For) and getattr(made, "of_things", False) and isinstance(made.target, ast.Name):
            made = changed(made, body=_read_once(made.body, made.target.id))
        out.append(made)
    return out


def _read_once(body: list[ast.stmt], thing: str) -> list[ast.stmt]:
    """Assign columns that are read several times for a thing to names."""
    found: dict[str, int] = {}
    for column, is_inside in _reads(body, thing):
        found[column] = found.get(column, 0) + (2 if is_inside else 1)
    often = sorted(x for x, times in found.items() if times > 1)
    if not often or thing in bound_in(parts_of(body)):
        return body
    for column in often:
        body = _held(body, column, thing)
    return body


def _reads(body: list[ast.stmt], thing: str) -> Iterator[tuple[str, bool]]:
    """Yield the columns read for a thing, and whether in a loop."""
    waiting: list[tuple[Any, bool]] = [(stmt, False) for stmt in body]
    while waiting:
        part, is_inside = waiting.pop()
        column, of = read_of(part)
        if of == thing:
            yield column, is_inside
            continue
        is_inside = is_inside or isinstance(part, ast.For) or type(part) in SCOPES
        waiting += [(x, is_inside) for x in parts_right_in(part)]


def _held(body: list[ast.stmt], column: str, thing: str) -> list[ast.stmt]:
    """Assign one column to a name where it is first needed, and use the name from there on."""
    having = [place for place, stmt in enumerate(body) if any(c == column for c, _ in _reads([stmt], thing))]
    first = body[having[0]]
    if len(having) == 1 and isinstance(first, ast.If) and not first.orelse:
        if not any(c == column for c, _ in _reads([ast.Expr(first.test)], thing)):
            made_inner = changed(first, body=_held(first.body, column, thing))
            return [*body[: having[0]], made_inner, *body[having[0] + 1 :]]
    made = f"h_{column}_{thing}"
    read = ast.Subscript(ast.Attribute(name("G"), column, ast.Load()), name(thing), ast.Load())
    held = placed(ast.Assign([stored(made)], read), first)
    return [*body[: having[0]], held, *(named(stmt, column, thing, made) for stmt in body[having[0] :])]


def named(part: Any, column: str, thing: str, made: str) -> Any:
    """Replace reads of a thing's column by a name."""
    return rewritten(part, lambda x: ast.copy_location(name(made), x) if read_of(x) == (column, thing) else None)
