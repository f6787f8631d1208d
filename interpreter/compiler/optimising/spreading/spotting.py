"""Analysis of tests of a place that can be computed for all places at once, as a bit set.

Occupation is derived from the pieces, constants are computed once. Defines that searches call for the places they
reach are found here and computed for the whole map.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.checker.operations import FaultMemo, Known, may_fault
from interpreter.compiler.optimising.analysis import needs_state
from interpreter.compiler.optimising.flattening import Flattener, InliningTooLongError, conjuncts, is_finite
from interpreter.compiler.optimising.relaxing import Judge
from interpreter.model import expressions as n, types as t
from interpreter.model.expressions import free_names, substitute
from interpreter.model.statements import CheckedDefine, CheckedModel, Core


@dataclass(frozen=True, slots=True)
class Fixed:
    """Places `place` that pass a test that no position changes."""

    place: str
    test: Core


@dataclass(frozen=True, slots=True)
class Anywhere:
    """Every place or none: a test that does not look at the place."""

    test: Core


@dataclass(frozen=True, slots=True)
class Among:
    """The members of a set of places."""

    places: Core


@dataclass(frozen=True, slots=True)
class Occupied:
    """Places of the pieces (of class `cls`) that pass the tests."""

    cls: str | None
    piece: str
    tests: tuple[Core, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """The places that a define holds for, by its arguments but the place."""

    define: str
    args: tuple[Core, ...]


@dataclass(frozen=True, slots=True)
class Joined:
    """Intersection ("and") or union ("or") of parts."""

    sort: str
    parts: tuple[Spots, ...]


@dataclass(frozen=True, slots=True)
class Other:
    """All other places of the map."""

    part: Spots


Spots = Fixed | Anywhere | Among | Occupied | Asked | Joined | Other


@dataclass(frozen=True, slots=True)
class Spotter:
    """Define computed for all places at once: its set of places and its other parameters."""

    define: CheckedDefine
    spots: Spots


def judge_of(model: CheckedModel, static: frozenset[str]) -> Judge:
    """Return the static judge of a model's expressions."""
    known: Known = {}
    judged = FaultMemo()

    def is_safe(core: Core) -> bool:
        return not may_fault(model, core, judged)

    def is_fixed(core: Core, names: frozenset[str]) -> bool:
        return free_names(core) <= names and is_safe(core) and not needs_state(model, core, static, known)

    return Judge(is_fixed, is_safe)


def spots_of(core: Core, place: str, judge: Judge, spotters: frozenset[str]) -> Spots | None:
    """Return how to compute the places for which a test holds, or None if it may fault or must be run for each."""
    if place not in free_names(core):
        return Anywhere(core)
    if judge.is_fixed(core, frozenset((place,))):
        return Fixed(place, core)
    match core:
        case n.Operation("and" | "or" as sort, operands):
            parts = [spots_of(x, place, judge, spotters) for x in operands]
            known = tuple([x for x in parts if x is not None])
            return Joined(sort, known) if len(known) == len(parts) else None
        case n.Operation("not", (inner,)):
            return _other(spots_of(inner, place, judge, spotters))
        case n.Operation("in" | "not in" as sort, (n.CheckedLocal(name), places)) if name == place:
            if place in free_names(places) or not isinstance(places.type, t.SetType):
                return None
            return Among(places) if sort == "in" else Other(Among(places))
        case n.Operation("==" | "!=" as sort, (pieces, n.Operation("set", ()))):
            found = _occupied(pieces, None, place)
            return _other(found) if sort == "==" else found
        case n.Comprehension("any" | "no" as sort, domain=domain, where=where, result=None):
            found = _occupied(domain, where, place, core.var)
            return _other(found) if sort == "no" else found
        case n.CheckedCall("define", name, (*args, n.CheckedLocal(last))) if name in spotters and last == place:
            return None if any(place in free_names(x) for x in args) else Asked(name, tuple(args))
    return None


def _other(found: Spots | None) -> Spots | None:
    return None if found is None else Other(found)


def _occupied(domain: Core, where: Core | None, place: str, var: str = "") -> Occupied | None:
    """Match the places of pieces that pass a test and the filters they come from."""
    tests = [] if where is None else conjuncts(where)
    while isinstance(domain, n.Comprehension) and domain.sort == "set" and not domain.result and not domain.extreme:
        own = [] if domain.where is None else conjuncts(domain.where)
        var = var or domain.var
        tests = [*(substitute(x, domain.var, n.CheckedLocal(var, _member(domain.type), x.span)) for x in own), *tests]
        domain = domain.domain
    if not isinstance(domain, n.CheckedPiecesAt) or not n.is_local(domain.place, place):
        return None
    return None if any(place in free_names(x) for x in tests) else Occupied(domain.cls, var or "0_piece", tuple(tests))


def _member(type_: t.Type) -> t.Type:
    return type_.item if isinstance(type_, t.SetType) and type_.item is not None else t.ThingType("piece")


def find_spotters(
    model: CheckedModel, names: frozenset[str], static: frozenset[str], marks: frozenset[str]
) -> dict[str, Spotter]:
    """Return the defines that searches call for places and that can be computed for all places at once."""
    out: dict[str, Spotter] = {}
    judge, flattener = judge_of(model, static), Flattener(model, frozenset(), marks)
    for name in sorted(names & _asked_by_searches(model)):
        define = model.defines[name]
        *others, (place, type_) = define.params
        if type_ != t.PLACE or not isinstance(define.type, t.FlagType) or not all(is_finite(ty) for _, ty in others):
            continue
        try:
            flat = flattener.flat(define.value)
        except InliningTooLongError:
            continue
        spots = spots_of(flat, place, judge, frozenset()) if judge.is_safe(flat) else None
        if spots is not None and not isinstance(spots, Anywhere | Fixed):
            out[name] = Spotter(define, spots)
    return out


def _asked_by_searches(model: CheckedModel) -> frozenset[str]:
    """Return the defines that tests of searches call, directly or indirectly."""
    waiting: list[Core] = []
    for define in model.defines.values():
        for core in n.descendants(define.value):
            if isinstance(core, n.CheckedSearch):
                waiting += [x for x in (core.where, core.cost) if x is not None]
    found: set[str] = set()
    for core in waiting:
        for x in n.descendants(core):
            if isinstance(x, n.CheckedCall) and x.sort == "define" and x.name not in found:
                found.add(x.name)
                waiting.append(model.defines[x.name].value)
    return frozenset(found)


def spots_key(define: str) -> str:
    """Return the cache key of a define's set of places; no define has this name."""
    return f"spots {define}"
