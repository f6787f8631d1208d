"""Sharing of loops between options: later ones iterate the members that passed the same tests in the first.

Works on finished Python statements of functions that write no column; tests with effects stay.
"""

from __future__ import annotations

import ast
from typing import Any

from interpreter.compiler.python_syntax import located, name, statements, stored
from interpreter.compiler.python_trees import changed, parts_of, read_of
from interpreter.diagnostics.source_text import Span


def shared(body: list[ast.stmt], span: Span) -> list[ast.stmt]:
    """Rewrite the statements of a function that lists options."""
    out, first, kept = list(body), list[int](), list[str]()
    for here, loop in enumerate(body):
        if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name) or loop.orelse:
            continue
        tests = _tests(loop)
        found = [(n, _alike(body, n, here, tests)) for n in first]
        before, depth = max(found, key=lambda x: x[1], default=(0, 0))
        if depth == 0:
            first.append(here)
            continue
        again = f"again_{len(kept)}"
        kept.append(again)
        noted, own = statements("_1.append(_2)", name(again), name(loop.target.id)), _own(tests[depth:], loop.target.id)
        for test in reversed(own):
            noted = [ast.If(test, noted, [])]
        out[before] = _noting(out[before], depth, located(noted, span))
        out[here] = changed(loop, iter=located(name(again), span), body=_behind(loop, depth + len(own)))
    begun = [x for again in kept for x in statements("_1 = []", stored(again))]
    return [*located(begun, span), *out]


def _tests(loop: Any) -> list[ast.expr]:
    """Return the consecutive tests at the start of a loop, as far as they have no effects."""
    match loop.body:
        case [ast.If(test=test, orelse=[]) as asked] if not any(isinstance(x, ast.Call) for x in parts_of(test)):
            return [test, *_tests(asked)]
    return []


def _own(tests: list[ast.expr], thing: str) -> list[ast.expr]:
    """Return the leading tests that read only the loop variable; members that fail them are not recorded."""
    own = []
    for test in tests:
        asked = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test
        if read_of(asked)[1] != thing:
            break
        own.append(test)
    return own


def _alike(body: list[ast.stmt], one: int, other: int, tests: list[ast.expr]) -> int:
    """Return with how many equal tests two loops begin; 0 if they iterate different things."""
    first, second = body[one], body[other]
    assert isinstance(first, ast.For) and isinstance(second, ast.For)
    if ast.dump(first.target) != ast.dump(second.target) or _members(body, one) != _members(body, other):
        return 0
    count = 0
    for mine, others in zip(_tests(first), tests, strict=False):
        if ast.dump(mine) != ast.dump(others):
            break
        count += 1
    return count


def _members(body: list[ast.stmt], place: int) -> str:
    """Return the text of what a loop iterates; unique text if evaluating it may have effects."""
    loop = body[place]
    assert isinstance(loop, ast.For)
    members: Any = loop.iter
    if isinstance(members, ast.Name):
        for part in body[:place]:
            match part:
                case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == members.id:
                    members = value
    if any(isinstance(x, ast.Name) and x.id == "G" for x in parts_of(members)):
        return f"{place}"
    return ast.dump(members)


def _noting(part: Any, depth: int, noted: list[ast.stmt]) -> Any:
    """Insert the recording of a member behind a number of a loop's tests."""
    if depth == 0:
        return changed(part, body=[*noted, *part.body])
    return changed(part, body=[*part.body[:-1], _noting(part.body[-1], depth - 1, noted)])


def _behind(loop: ast.For, depth: int) -> list[ast.stmt]:
    """Return the statements behind a number of tests."""
    body: list[Any] = loop.body
    for _ in range(depth):
        body = body[0].body
    return body
