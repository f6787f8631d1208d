"""Predicate pushdown: test a requirement of an option as soon as the parameters that it reads are bound.

before: for a in A, for b in B: if p(a) and q(a, b): offer
after:  for a in A: if p(a): for b in B: if q(a, b): offer

A test moves out of a loop only if nothing that it leaves behind may fault, and a test that may fault itself never
moves before one that could have refused first, nor out of a loop that may be empty.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.ir import expression_records as e, program_records as ir
from interpreter.ir.effect_analysis import EffectAnalysis
from interpreter.ir.traversal import map_options


def push_predicates(program: ir.LoweredProgram) -> ir.LoweredProgram:
    """Return the program with each test of an option or step evaluated as early as is safe."""
    effects = EffectAnalysis(program)
    return map_options(program, lambda option: _push_tests(effects, option))


def _split_conjunction(test: e.Expr) -> list[e.Expr]:
    """Return the operands of a conjunction, nested ones included, in order; any other test alone."""
    if isinstance(test, e.Logic) and test.op == "and":
        return [part for operand in test.operands for part in _split_conjunction(operand)]
    return [test]


def _has_members(domain: e.Expr) -> bool:
    """Return whether a set is known to be non-empty."""
    match domain:
        case e.Const(tuple() as members):
            return bool(members)
        case e.Apply("set" | "list", operands):
            return bool(operands)
        case e.Apply("range", (e.Const(int() as low), e.Const(int() as high))):
            return low <= high
        case e.Apply("unique", (many,)):
            return _has_members(many)
    return False


def _push_tests(effects: EffectAnalysis, option: ir.LoweredOption) -> ir.LoweredOption:
    """Return an option whose tests are split into conjuncts, each to be tested as early as is safe.

    `pushed` of the option gives the number of parameters bound before each test: at least those that it reads, and
    more where testing earlier could change which fault occurs.
    """
    tests = tuple(part for test in option.tests for part in _split_conjunction(test))
    place = {param.name: number + 1 for number, param in enumerate(option.params)}
    domains = [effects.get_effects(param.domain).may_fault for param in option.params]
    levels: list[int] = []
    for number, test in enumerate(tests):
        level = max([place[name] for name in e.find_free_names(test) if name in place], default=0)
        faults = effects.get_effects(test).may_fault
        for earlier, at in zip(tests[:number], levels, strict=True):
            if at > level and (faults or effects.get_effects(earlier).may_fault):
                level = at
        while level < len(domains) and any(domains[level:]):
            level += 1
        if faults:  # a loop over nothing would have kept the test from its fault
            level = max([level, *(n + 1 for n, param in enumerate(option.params) if not _has_members(param.domain))])
        levels.append(level)
    return replace(option, tests=tests, pushed=tuple(levels))
