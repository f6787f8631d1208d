"""Values that the tests of a step compute and its fields need again (common subexpression elimination).

before: if v_spent + cost(v_h) <= limit: _out.append((v_h, v_spent + cost(v_h)))
after:  if (x1 := v_spent + cost(v_h)) <= limit: _out.append((v_h, x1))

Only values that a test always evaluates are shared, so that they exist wherever the test has passed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from interpreter.ir import expression_records as e, program_records as ir
from interpreter.ir.expression_facts import Facts
from interpreter.ir.expression_keys import exact_key

LEAST_COST = 10  # of a value that is worth a variable, as `Facts.cost` counts it


def common_values(facts: Facts, step: ir.Step, fixed: frozenset[str]) -> list[tuple[e.Expr, list[e.Expr]]]:
    """Return the expressions in the tests of a step whose values are used again, each with its later uses.

    `fixed`: variables; expressions of these alone are left out, because they are hoisted out of the listing anyway.
    """

    def is_worth_a_variable(expr: e.Expr) -> bool:
        is_cheap = isinstance(expr, e.Const | e.Local | e.Read) or facts.cost(expr) < LEAST_COST
        return not is_cheap and not facts.free_names(expr) <= fixed

    later: dict[Hashable, list[e.Expr]] = {}
    for result in (*(value for _, value in step.now), step.stops):
        for node in e.descendants(result):
            if is_worth_a_variable(node):
                later.setdefault(exact_key(node), []).append(node)
    found: list[tuple[e.Expr, list[e.Expr]]] = []
    covered: set[int] = set()  # inside a value that a variable holds
    for test in step.option.tests:
        for node in always_evaluated(test):
            if not is_worth_a_variable(node):
                continue
            uses = [use for use in later.pop(exact_key(node), []) if id(use) not in covered]
            if uses:
                found.append((node, uses))
                covered |= {id(inner) for use in uses for inner in e.descendants(use)}
    return found


def always_evaluated(test: e.Expr) -> Iterable[e.Expr]:
    """Yield the subexpressions that evaluating a test always evaluates, each before its own subexpressions."""
    yield test
    match test:
        case e.Apply(operands=operands):
            for operand in operands:
                yield from always_evaluated(operand)
        case e.Logic(operands=operands):
            yield from always_evaluated(operands[0])
        case e.Choose(test=first) | e.OrElse(value=first) | e.IfPresent(value=first) | e.Let(value=first):
            yield from always_evaluated(first)
