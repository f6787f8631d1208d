"""Static analysis of expressions: size, loops, where they may be evaluated, what they read."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeGuard

from interpreter.backends.python.layout import Layout
from interpreter.checker.operations import (
    ANYTHING,
    TURN,
    Known,
    Slot,
    called_expressions,
    facts_of,
    may_look_up,
    slots_read,
)
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.expressions import local_names
from interpreter.model.statements import CheckedModel, Core, children
from interpreter.runtime.builtins.registry import EVERYTHING

INLINE_WEIGHT = 24  # nodes of a define that is written out where it is called
INLINE_DEPTH = 3  # defines written out inside one another


def weight(core: Core) -> int:
    """Return the number of nodes of an expression; a large number where inlining could be wrong or slow."""
    if facts_of(core).is_large:
        return INLINE_WEIGHT + 1
    return 1 + sum(weight(child) for child in children(core))


def loops_inside(model: CheckedModel, core: Core, wanted: int) -> bool:
    """Return whether evaluating an expression runs at least `wanted` loops or searches."""
    return _loops(model, core, wanted, 0) >= wanted


@lru_cache(maxsize=2_000)
def goes_through(model: CheckedModel, define: str) -> bool:
    """Return whether a define runs at least two loops or searches."""
    return loops_inside(model, model.defines[define].value, 2)


@lru_cache(maxsize=1)
def small_defines(model: CheckedModel) -> frozenset[str]:
    """Return the defines that are small enough to inline."""
    return frozenset(d.name for d in model.defines.values() if weight(d.value) <= INLINE_WEIGHT)


def _loops(model: CheckedModel, core: Core, wanted: int, depth: int) -> int:
    found = facts_of(core).loops if not isinstance(core, n.Operation) else 0
    if depth > 8:
        return found
    for child in (*children(core), *called_expressions(model, core)):
        if found >= wanted:
            break
        found += _loops(model, child, wanted - found, depth + 1)
    return found


def narrowed(param: c.Param, tests: list[Core], later: set[str]) -> Core | None:
    """Return a test that restricts a parameter over all things to a set known before its loop."""
    if not isinstance(param.domain, n.Things) or param.alike:
        return None
    for test in tests:
        around = members_of(param, test)
        if around is not None and not local_names(around) & later:
            return test
    return None


def members_of(param: c.Param, test: Core) -> Core | None:
    """Return the set that a test requires the parameter to be in, if any; sets have an order of their own."""
    match test:
        case n.Operation("in", (n.CheckedLocal(name), domain)) if name == param.name and isinstance(
            domain.type, t.SetType
        ):
            return domain
        case n.Operation("linked", (one, other)) if n.is_local(one, param.name) or n.is_local(other, param.name):
            around = other if n.is_local(one, param.name) else one
            return n.Operation("neighbours", (around,), t.SetType(t.PLACE), test.span)
    return pieces_at(param.name, test)


def pieces_at(var: str, test: Core) -> Core | None:
    """Return the pieces at the place that a test requires a piece to be at, if any."""
    type_ = t.SetType(t.ThingType("piece"))
    match test:
        case n.Operation("in", (n.AttributeOf("piece", "at", n.CheckedLocal(name), False), places)) if name == var:
            if isinstance(places.type, t.SetType) and var not in local_names(places):
                return n.Operation("standing", (places,), type_, test.span)
        case n.Operation("==", (n.AttributeOf("piece", "at", n.CheckedLocal(name), False), place)) if name == var:
            if not isinstance(place.type, t.MaybeType) and var not in local_names(place):
                return n.CheckedPiecesAt(None, place, type_, test.span)
    return None


def conjoined(test: Core) -> tuple[Core, ...]:
    """Split a conjunction into its operands."""
    return test.operands if isinstance(test, n.Operation) and test.name == "and" else (test,)


def is_range(core: Core) -> TypeGuard[n.Operation]:
    """Return whether an expression is `a..b`."""
    return isinstance(core, n.Operation) and core.name == "range"


def is_filter(core: Core) -> TypeGuard[n.Comprehension]:
    """Return whether an expression is `{x in s where c}`, which can be iterated without building the set."""
    return (
        isinstance(core, n.Comprehension)
        and core.sort == "set"
        and core.result is None
        and core.extreme is None
        and isinstance(core.domain.type, t.SetType)
    )


def defines_called(model: CheckedModel, core: Core) -> list[c.CheckedDefine]:
    """Return the defines that an expression calls, directly or indirectly."""
    found: dict[str, c.CheckedDefine] = {}
    waiting = [core]
    for node in waiting:
        if isinstance(node, n.CheckedCall) and node.sort == "define" and node.name not in found:
            found[node.name] = model.defines[node.name]
            waiting.append(found[node.name].value)
        waiting.extend(children(node))
    return list(found.values())


def searches_in(core: Core) -> list[n.CheckedSearch]:
    """Return the distances in an expression whose search does not depend on its limit."""
    return [x for x in n.descendants(core) if isinstance(x, n.CheckedSearch) and is_shared(x)]


def is_shared(search: n.CheckedSearch) -> bool:
    """Return whether a search is a distance that can be shared between goals."""
    return search.sort == "distance" and search.within is None and search.goal is not None


def columns_read(layout: Layout, slots: Iterable[Slot]) -> frozenset[str]:
    """Return the slots that are written in play, among those that are read."""
    found: set[str] = set()
    for kind, name in slots:
        if (kind, name) == ANYTHING:
            found.add(EVERYTHING)
        elif kind == "game":
            found.add(layout.game[name])
        elif (kind, name) == TURN:
            found.add(name)
        elif kind and (column := layout.column_of(kind, name)) is not None:
            found.add(column)
    return frozenset(found)


def quiet(model: CheckedModel, defines: list[c.CheckedDefine]) -> list[c.CheckedDefine]:
    """Return the defines that involve no table, requirement or citation, directly or indirectly."""
    known: dict[tuple[str, str], bool] = {}
    found = []
    for define in defines:
        inside = [define, *defines_called(model, define.value)]
        calls = [x for d in inside for x in n.descendants(d.value) if isinstance(x, n.CheckedCall)]
        if not may_look_up(model, define.value, known) and not any(d.cites for d in inside):
            found += [define] if all(x.sort == "define" for x in calls) else []
    return found


def needs_state(model: CheckedModel, core: Core, static: frozenset[str], known: Known) -> bool:
    """Return whether an expression depends on the position, directly or through a call."""
    return bool(slots_read(model, core, known)) or any(
        isinstance(x, n.CheckedCall) and not (x.sort == "define" and x.name in static) for x in n.descendants(core)
    )
