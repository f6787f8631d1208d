"""Restriction of a parameter over all things of a kind to those that its constant tests can ever allow.

Tests that may fault or that depend on the position are left alone.
"""

from __future__ import annotations

from typing import Any

from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.expressions.loops import found_once
from interpreter.compiler.optimising.flattening import Flattener, InliningTooLongError
from interpreter.compiler.optimising.relaxing import parted, weaker
from interpreter.compiler.optimising.spreading.spotting import judge_of
from interpreter.model import expressions as n
from interpreter.model.expressions import free_names
from interpreter.model.statements import Core, Param

MANY = 6  # things that are not gone through for nothing


def candidates(x: Emitter, param: Param, tests: list[Core]) -> Any:
    """Return the restricted domain for a parameter's loop, given its tests in order, or None."""
    domain = param.domain
    if not isinstance(domain, n.Things) or x.alone or x.efforts.members(domain) < MANY:
        return None
    judge, names = judge_of(x.model, x.static), frozenset((param.name,))
    flattener = Flattener(x.model, frozenset(), frozenset(x.markers))
    must: list[Core] = []
    for test in tests:
        try:
            parts = parted(flattener.flat(test))
        except InliningTooLongError:
            parts = []
        for part in parts:
            found = weaker(part, judge, names)
            must += [] if found is None or param.name not in free_names(found) else [found]
            if not judge.is_safe(part):
                break
        if not judge.is_safe(test):
            break
    return found_once(x, "CAN_", param.name, domain, must, "tuple") if must else None
