"""Upper bound of nesting after inlining: rules within it always compile, so `check` need not compile them.

The limits are far below Python's. Compiling itself finds the place that is nested too deeply.
"""

from __future__ import annotations

from typing import Any

from interpreter.checker.operations import list_called_expressions
from interpreter.diagnostics.source_text import Span
from interpreter.model import expressions as n, statements as c
from interpreter.model.checked_model import CheckedModel, CheckedStep, list_child_parts, list_fields
from interpreter.model.expressions import list_children
from interpreter.model.statements import Core, is_core

_MAX_LOOPS = 12  # Python takes 20 blocks inside one another
_MAX_NODES = 60  # it takes some hundreds of expressions
_LOOPING = (n.Comprehension, n.CheckedSearch, n.CheckedClosure)
_AROUND = (c.Loop, c.CheckedIf, c.MatchPart, c.PhaseBlock)
_BARE = frozenset((str, int, bool, type(None), Span))  # what holds nothing

Depth = tuple[int, int]  # loops inside one another, and nodes
DepthMemo = dict[tuple[str, str], Depth]
_ENDLESS: Depth = (_MAX_LOOPS + 1, _MAX_NODES + 1)


def is_surely_shallow(model: CheckedModel) -> bool:
    """Return True if the rules are certainly not nested too deeply to be compiled; False if they may be."""
    memo: DepthMemo = {}
    loops, nodes = _measure_nesting(model, list_fields(model), memo)
    return loops <= _MAX_LOOPS and nodes <= _MAX_NODES


def _measure_nesting(model: CheckedModel, part: Any, memo: DepthMemo) -> Depth:
    """Return (depth of loops, depth of nodes) of a part of the rules.

    Loops of statements and parameters of options count as loops. `memo`: depths computed before.
    """
    if is_core(part):
        return _measure_core(model, part, memo)
    loops, nodes = _find_deepest(
        [_measure_nesting(model, x, memo) for x in list_child_parts(part) if type(x) not in _BARE]
    )
    around = (
        1 if isinstance(part, _AROUND) else len(part.params) if isinstance(part, c.CheckedOption | CheckedStep) else 0
    )
    return loops + around, nodes + around


def _measure_core(model: CheckedModel, core: Core, memo: DepthMemo) -> Depth:
    parts = list_children(core)
    if not parts and not isinstance(core, n.CheckedCall):
        return 0, 1
    inside = [_measure_core(model, child, memo) for child in parts]
    if isinstance(core, n.CheckedCall):
        key = (core.sort, core.name)
        if key not in memo:
            memo[key] = _ENDLESS  # for what calls itself
            memo[key] = _find_deepest([_measure_core(model, x, memo) for x in list_called_expressions(model, core)])
        inside.append(memo[key])
    loops, nodes = _find_deepest(inside)
    return loops + isinstance(core, _LOOPING), nodes + 1


def _find_deepest(depths: list[Depth]) -> Depth:
    """Return the maximum of each component; (0, 0) for an empty list."""
    if len(depths) < 2:
        return depths[0] if depths else (0, 0)
    loops, nodes = zip(*depths, strict=True)
    return max(loops), max(nodes)
