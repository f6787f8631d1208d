"""Draft memos: a function of a few things that tests the steps of a draft is remembered.

before: rule is_open(u, a, h) = ...       # tested from one place with every facing, and again for every unit
after:  the same, remembered by u, a and h; a write of what it reads invalidates it

A search of a draft meets the same places again and again, and the search for the options follows the one that asks
whether there are any. For back ends whose tables have a size that does not depend on the number of possible arguments.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.ir import expression_records as e, program_records as ir
from interpreter.ir.effect_analysis import EVERYTHING, Effects
from interpreter.ir.expression_facts import own_cost
from interpreter.ir.traversal import statement_expressions
from interpreter.model import types as t
from interpreter.passes.static_tables import is_finite

MOST_PARAMETERS = 3
LEAST_COST = 30  # of a function that is worth a table, as `own_cost` counts it


def remember_steps(program: ir.Program) -> ir.Program:
    """Return the program with functions marked as remembered that test the steps of drafts."""
    called = {
        node.function
        for draft in program.drafts.values()
        for step in draft.steps
        for test in step.option.tests
        for node in e.descendants(test)
        if isinstance(node, e.Call)
    }
    effects, costs = Effects(program), dict[str, int]()
    functions = {
        name: replace(f, remembered=True) if name in called and is_worth_a_table(program, effects, costs, f) else f
        for name, f in program.functions.items()
    }
    return replace(program, functions=functions)


def is_worth_a_table(program: ir.Program, effects: Effects, costs: dict[str, int], function: ir.Function) -> bool:
    """Return whether a function is a boolean of few things that costs much more than a lookup."""
    if not 0 < len(function.params) <= MOST_PARAMETERS or not isinstance(function.result, t.FlagType):
        return False
    if not all(is_finite(type_) for _, type_ in function.params):
        return False
    reads = effects.of_function(function.name).reads
    return bool(reads) and EVERYTHING not in reads and cost_of(program, costs, function.name) >= LEAST_COST


def cost_of(program: ir.Program, costs: dict[str, int], name: str) -> int:
    """Return the approximate cost of a call; a memoized function costs one lookup."""
    function = program.functions[name]
    if function.remembered or name in costs:
        return costs.get(name, 0)
    costs[name] = 0  # for one that calls itself
    inside = [node for expr in statement_expressions(function.body) for node in e.descendants(expr)]
    costs[name] = sum(map(own_cost, inside)) + sum(
        cost_of(program, costs, x.function) for x in inside if isinstance(x, e.Call)
    )
    return costs[name]
