"""Static approximation of a test: a weaker one that is necessary, and a stronger one that is sufficient.

Both use only its constant parts; calls are inlined first to expose them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.compiler.optimising.flattening import all_of
from interpreter.model import expressions as n, types as t
from interpreter.model.expressions import free_names
from interpreter.model.statements import Core


@dataclass(frozen=True, slots=True)
class Judge:
    """`is_fixed`: cannot fault, reads no more than these names and says the same in every position."""

    is_fixed: Callable[[Core, frozenset[str]], bool]
    is_safe: Callable[[Core], bool]


def parted(core: Core) -> list[Core]:
    """Split a test into equivalent conjuncts, pushing `not` inside `or` and `any`."""
    match core:
        case n.Operation("and", operands):
            return [part for x in operands for part in parted(x)]
        case n.Operation("not", (n.Operation("or", operands),)):
            return [part for x in operands for part in parted(_denied(x))]
        case n.Operation("not", (n.Operation("not", (inner,)),)):
            return parted(inner)
        case n.Operation("not", (n.Comprehension("no") as former,)):
            return [_of_sort(former, "any")]
        case n.Operation("not", (n.Comprehension("any") as former,)):
            return [_of_sort(former, "no")]
        case n.Literal(value) if value is True:
            return []
    return [core]


def weaker(core: Core, judge: Judge, names: frozenset[str]) -> Core | None:
    """Return a necessary condition of a test, or None.

    Where it does not hold, evaluating the test reaches nothing that may fault.
    """
    if judge.is_fixed(core, names):
        return core
    match core:
        case n.Operation("and", operands):
            reached = next((i + 1 for i, part in enumerate(operands) if not judge.is_safe(part)), len(operands))
            parts = [x for x in (weaker(part, judge, names) for part in operands[:reached]) if x is not None]
            return all_of(parts, core.span) if parts else None
        case n.Operation("or", operands):
            return _either([weaker(part, judge, names) for part in operands], core)
        case n.Operation("not", (inner,)) if judge.is_safe(inner):
            enough = stronger(inner, judge, names)
            return None if enough is None else _denied(enough)
        case n.Comprehension("any", var, domain, where, None) if where is not None and judge.is_fixed(domain, names):
            must = weaker(where, judge, names | {var})
            return None if must is None or var not in free_names(must) else _with_test(core, must)
        case n.Comprehension("no") if judge.is_safe(core):
            enough = stronger(_of_sort(core, "any"), judge, names)
            return None if enough is None else _denied(enough)
    return None


def stronger(core: Core, judge: Judge, names: frozenset[str]) -> Core | None:
    """Return a sufficient condition of a test, or None."""
    if judge.is_fixed(core, names):
        return core
    match core:
        case n.Operation("and", operands):
            found = [stronger(part, judge, names) for part in operands]
            parts = [x for x in found if x is not None]
            return all_of(parts, core.span) if len(parts) == len(found) else None
        case n.Operation("or", operands):
            return _either([x for x in (stronger(part, judge, names) for part in operands) if x is not None], core)
        case n.Operation("not", (inner,)):
            must = weaker(inner, judge, names)
            return None if must is None else _denied(must)
        case n.Comprehension("any", var, domain, where, None) if where is not None and judge.is_fixed(domain, names):
            enough = stronger(where, judge, names | {var})
            return None if enough is None else _with_test(core, enough)
        case n.Comprehension("no"):
            must = weaker(_of_sort(core, "any"), judge, names)
            return None if must is None else _denied(must)
    return None


def _either(parts: list[Core | None] | list[Core], core: Core) -> Core | None:
    """Join the parts by `or`; return None if there are none or one of them is unknown."""
    known = [x for x in parts if x is not None]
    if not known or len(known) < len(parts):
        return None
    return known[0] if len(known) == 1 else n.Operation("or", tuple(known), t.FLAG, core.span)


def _denied(core: Core) -> Core:
    return n.Operation("not", (core,), t.FLAG, core.span)


def _of_sort(core: n.Comprehension, sort: str) -> n.Comprehension:
    return n.Comprehension(sort, core.var, core.domain, core.where, None, None, None, t.FLAG, core.span)


def _with_test(core: n.Comprehension, test: Core) -> n.Comprehension:
    return n.Comprehension(core.sort, core.var, core.domain, test, None, None, None, t.FLAG, core.span)
