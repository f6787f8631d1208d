"""Options that go through the same things behind the same first tests: the later ones go through those that the first
has found to pass.

Works on finished Python statements. Must not be used where a column is written while the function runs, nor touch tests
that may do more than tell something.
"""

from __future__ import annotations

import ast
from typing import Any

from interpreter.compiler.python_syntax import located, name, statements, stored
from interpreter.compiler.python_trees import changed, parts_of, read_of
from interpreter.diagnostics.source_text import Span


def shared(body: list[ast.stmt], span: Span) -> list[ast.stmt]:
    """The statements of a function that lists options."""
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
    """What a loop asks of each thing, one test behind the other, as far as each only tells something."""
    match loop.body:
        case [ast.If(test=test, orelse=[]) as asked] if not any(isinstance(x, ast.Call) for x in parts_of(test)):
            return [test, *_tests(asked)]
    return []


def _own(tests: list[ast.expr], thing: str) -> list[ast.expr]:
    """The next of a loop's tests that only ask whether something holds of the thing: who fails them is not noted."""
    own = []
    for test in tests:
        asked = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test
        if read_of(asked)[1] != thing:
            break
        own.append(test)
    return own


def _alike(body: list[ast.stmt], one: int, other: int, tests: list[ast.expr]) -> int:
    """With how many tests two loops begin alike; 0 where they go through different things, or only in other words."""
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
    """What a loop goes through, told in words; another word for each loop where it may do more than be told."""
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
    """A loop, or a test in it, behind so many tests of which stands what notes the thing."""
    if depth == 0:
        return changed(part, body=[*noted, *part.body])
    return changed(part, body=[*part.body[:-1], _noting(part.body[-1], depth - 1, noted)])


def _behind(loop: ast.For, depth: int) -> list[ast.stmt]:
    """What stands behind so many tests."""
    body: list[Any] = loop.body
    for _ in range(depth):
        body = body[0].body
    return body
