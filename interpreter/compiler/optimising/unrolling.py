"""Unrolling of quantifiers over a few numbers, with the numbers substituted; order and short circuit stay the same."""

from __future__ import annotations

from interpreter.compiler.optimising.analysis import weight
from interpreter.model import expressions as n, types as t
from interpreter.model.expressions import substitute, unrollable_range
from interpreter.model.statements import Core

MOST_WEIGHT = 60  # nodes of all the tests together


def unrolled(core: n.Comprehension) -> Core | None:
    """Return the unrolled operation, or None if the expression is not such a quantifier or is long."""
    numbers, test = unrollable_range(core), _test(core)
    if not numbers or test is None or weight(test) * len(numbers) > MOST_WEIGHT:
        return None
    if any(isinstance(x, n.Comprehension | n.CheckedSearch | n.CheckedClosure) for x in n.descendants(test)):
        return None  # a loop is better off as a statement
    parts = tuple([substitute(test, core.var, number) for number in numbers])
    joined: Core = parts[0]
    if len(parts) > 1:
        joined = n.Operation("and" if core.sort == "every" else "or", parts, t.FLAG, core.span)
    return n.Operation("not", (joined,), t.FLAG, core.span) if core.sort == "no" else joined


def _test(core: n.Comprehension) -> Core | None:
    """Return the test of each number."""
    match core:
        case n.Comprehension("any" | "no", where=test, result=None):
            return test
        case n.Comprehension("every", where=None, result=test):
            return test
    return None
