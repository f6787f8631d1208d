"""Inlining of the tests of called rules: those that cannot fault come first, then the rule itself if anything is left.

A loop can thus run early the tests that depend on few of its variables; the order of faults does not change.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

from interpreter.compiler.optimising.analysis import weight
from interpreter.compiler.optimising.flattening import Flattener, InliningTooLongError, conjuncts
from interpreter.model import expressions as n
from interpreter.model.statements import CheckedModel, Core

MOST_WEIGHT = 120  # nodes of a rule that is written out


def opened(model: CheckedModel, test: Core, is_safe: Callable[[Core], bool]) -> list[Core]:
    """Return tests equivalent to one test."""
    if (
        not isinstance(test, n.CheckedCall)
        or test.sort != "rule"
        or not all(isinstance(a, n.CheckedLocal) for a in test.args)
    ):
        return [test]
    try:
        parts = conjuncts(Flattener(model, frozenset(model.defines), frozenset()).flat(test))
    except InliningTooLongError:
        return [test]
    safe = list(takewhile(is_safe, parts))
    if sum(weight(part) for part in safe) > MOST_WEIGHT:
        return [test]
    return safe if len(safe) == len(parts) else [*safe, test]
