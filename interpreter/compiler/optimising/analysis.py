"""Static analysis of expressions: size, loops, where they may be evaluated, what they read."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeGuard

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
from interpreter.compiler.efforts import uncountable
from interpreter.compiler.layout import Layout
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


def held_apart(model: CheckedModel, choice: c.CheckedOption | c.CheckedStep, given: list[str]) -> frozenset[str]:
    """Parameters whose alike pieces something may hold apart: a set they are in, another piece chosen, one picked out.

    `given` are the locals around the option, with their prefix.
    """
    if not any(p.alike for p in choice.params):
        return frozenset()
    tests = [*(r.test for r in choice.requires), *(p.value for p in choice.prefers)]
    around = {*given, *("v_" + p.name for p in choice.params)}
    known: dict[tuple[str, str], bool] = {}
    if any(_picks_pieces(model, core, known) for core in [*tests, *(p.domain for p in choice.params[1:])]):
        return frozenset(p.name for p in choice.params if p.alike)
    found = set()
    for number, param in enumerate(choice.params):
        cores = [*tests, *(p.domain for p in choice.params[number + 1 :])]
        pieces = {name for core in cores for name in _piece_locals(core) if "v_" + name in around}
        if param.alike and pieces - {param.name}:
            found.add(param.name)
    return frozenset(found)


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
        case n.Operation("in", (n.Local(name), domain)) if name == param.name and isinstance(domain.type, t.SetType):
            return domain
        case n.Operation("linked", (one, other)) if n.is_local(one, param.name) or n.is_local(other, param.name):
            around = other if n.is_local(one, param.name) else one
            return n.Operation("neighbours", (around,), t.SetType(t.PLACE), test.span)
    return pieces_at(param.name, test)


def pieces_at(var: str, test: Core) -> Core | None:
    """Return the pieces at the place that a test requires a piece to be at, if any."""
    type_ = t.SetType(t.ThingType("piece"))
    match test:
        case n.Operation("in", (n.AttributeOf("piece", "at", n.Local(name), False), places)) if name == var:
            if isinstance(places.type, t.SetType) and var not in local_names(places):
                return n.Operation("standing", (places,), type_, test.span)
        case n.Operation("==", (n.AttributeOf("piece", "at", n.Local(name), False), place)) if name == var:
            if not isinstance(place.type, t.MaybeType) and var not in local_names(place):
                return n.PiecesAt(None, place, type_, test.span)
    return None


def _picks_pieces(model: CheckedModel, core: Core, known: dict[tuple[str, str], bool]) -> bool:
    """Return whether an expression, or a callee, refers to pieces other than by filtering all of them."""
    picks = n.Literal | n.GameValue | n.AttributeOf | n.LookUp
    if isinstance(core, n.Operation):
        if core.name in ("item", "first", "last", "take") and _holds_pieces(core.type):
            return True
    elif isinstance(core, picks) and _holds_pieces(core.type):
        return True
    if isinstance(core, n.Call):
        key = (core.sort, core.name)
        if key not in known:
            known[key] = False  # while it is looked at
            known[key] = any(_picks_pieces(model, x, known) for x in called_expressions(model, core))
        if known[key]:
            return True
    return any(_picks_pieces(model, child, known) for child in children(core))


def _piece_locals(core: Core) -> set[str]:
    """Locals in an expression that hold pieces, alone or among other things."""
    return {x.name for x in n.descendants(core) if isinstance(x, n.Local) and _holds_pieces(x.type)}


def _holds_pieces(type_: t.Type | None) -> bool:
    match type_:
        case t.SetType(item=None) | t.ListType(item=None):
            return True  # began empty: nothing is known of its members here
        case t.SetType(item=item) | t.ListType(item=item) | t.MaybeType(item=item):
            return _holds_pieces(item)
        case t.ThingType(kind=kind):
            return kind == "piece"
    return isinstance(type_, t.RecordType)


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
        if isinstance(node, n.Call) and node.sort == "define" and node.name not in found:
            found[node.name] = model.defines[node.name]
            waiting.append(found[node.name].value)
        waiting.extend(children(node))
    return list(found.values())


def searches_in(core: Core) -> list[n.Search]:
    """Distances in an expression whose search does not depend on how far it may go."""
    return [x for x in n.descendants(core) if isinstance(x, n.Search) and is_shared(x)]


def is_shared(search: n.Search) -> bool:
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
        calls = [x for d in inside for x in n.descendants(d.value) if isinstance(x, n.Call)]
        if not may_look_up(model, define.value, known) and not any(d.cites for d in inside):
            found += [define] if all(x.sort == "define" for x in calls) else []
    return found


@lru_cache(maxsize=1)
def static_defines(model: CheckedModel) -> frozenset[str]:
    """Return the defines that read no state; their results are cached for good, and expensive ones are charged."""
    known: Known = {}
    dynamic = {d.name for d in model.defines.values() if slots_read(model, d.value, known)}
    found = _static(model, dynamic)
    dynamic |= uncountable(model, found)
    return _static(model, dynamic) if dynamic & found else found


def _static(model: CheckedModel, dynamic: set[str]) -> frozenset[str]:
    """Return the defines that call only one another, and none of `dynamic`."""
    found = frozenset(model.defines) - dynamic
    while True:
        left = frozenset(
            name
            for name in found
            if all(
                x.sort == "define" and x.name in found
                for x in n.descendants(model.defines[name].value)
                if isinstance(x, n.Call)
            )
        )
        if left == found:
            return found
        found = left


def needs_state(model: CheckedModel, core: Core, static: frozenset[str], known: Known) -> bool:
    """Return whether an expression depends on the position, directly or through a call."""
    return bool(slots_read(model, core, known)) or any(
        isinstance(x, n.Call) and not (x.sort == "define" and x.name in static) for x in n.descendants(core)
    )
