"""Early exit for the length of a run at the start of a list.

A run is written `max(n in 0..5 where count(x in take(n, list) where such) == n)`: what holds for a number holds for
every smaller one. Not applied where a test may fault.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.expressions.loops import loop_before
from interpreter.compiler.optimising.passes import RUNS
from interpreter.compiler.python_syntax import name, statements, stored
from interpreter.compiler.shortcuts.enough import countable
from interpreter.model import expressions as n
from interpreter.model.expressions import Core, local_names


@dataclass(frozen=True, slots=True)
class Run:
    """The name and the test of a member, and the list of which at most so many are looked at."""

    var: str
    test: Core
    members: Core


def run_length(x: Emitter, core: Core) -> Any:
    """Return the length of a run, or None for any other expression, or where no loop can be emitted."""
    run = run_of(x, core) if x.pre is not None and not x.noting and RUNS in x.passes else None
    if run is None:
        return None
    assert x.pre is not None
    length = x.temporary()
    x.pre.extend(statements("_1 = 0", stored(length)))
    steps = x.efforts.charge(run.members, run.test)

    def each() -> list[ast.stmt]:
        before, value = x.lifted(run.test)
        return [*before, ast.If(value, statements("_1 += 1", stored(length)), [ast.Break()])]

    loop_before(x, run.var, run.members, None, each, steps)
    countable(x.pre, True)
    return name(length)


def run_of(x: Emitter, core: Core) -> Run | None:
    """Return the run whose length an expression computes, or None."""
    match core:
        case n.Comprehension("max", number, domain, n.Operation("==", (one, other)), result, None, None):
            if result is not None and not n.is_local(result, number):
                return None
            return _run(x, number, domain, one, other) or _run(x, number, domain, other, one)
    return None


def _run(x: Emitter, number: str, domain: Core, counted: Core, wanted: Core) -> Run | None:
    if not n.is_local(wanted, number):
        return None
    match domain, counted:
        case (
            n.Operation("range", (n.Literal(0), n.Literal(int() as most_of) as most)),
            n.Comprehension("count", var, n.Operation("take", (taken, items)) as part, test, None, None, None),
        ) if test is not None and n.is_local(taken, number) and most_of >= 0:
            if number in local_names(test) | local_names(items) or not x.is_safe(test) or not x.is_safe(items):
                return None
            return Run(var, test, n.Operation("take", (most, items), part.type, part.span))
    return None
