"""The tests of rules that are called, made where they are called: first those that cannot fault, then the rule itself
unless they are all there is to it.

So a loop tests early what hangs on fewer of its names. Must not change the order of what may fault.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

from interpreter.compiler.optimising.analysis import weight
from interpreter.compiler.optimising.flattening import Flattener, TooLong, conjuncts
from interpreter.model import expressions as n
from interpreter.model.statements import CheckedModel, Core

MOST_WEIGHT = 120  # nodes of a rule that is written out


def opened(model: CheckedModel, test: Core, is_safe: Callable[[Core], bool]) -> list[Core]:
    """The tests that come to the same as one test."""
    if not isinstance(test, n.Call) or test.sort != "rule" or not all(isinstance(a, n.Local) for a in test.args):
        return [test]
    try:
        parts = conjuncts(Flattener(model, frozenset(model.defines), frozenset()).flat(test))
    except TooLong:
        return [test]
    safe = list(takewhile(is_safe, parts))
    if sum(weight(part) for part in safe) > MOST_WEIGHT:
        return [test]
    return safe if len(safe) == len(parts) else [*safe, test]
