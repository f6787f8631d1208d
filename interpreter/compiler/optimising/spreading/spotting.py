"""Tests of a place -> how all the places that pass can be told at once, as bits.

Who stands somewhere is told from the pieces, what never changes once for all. Defines that searches ask of the places
they come to are found here, and are worked out so for the whole map. Must not emit code.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.checker.operations import FaultMemo, Known, may_fault
from interpreter.compiler.optimising.analysis import needs_state
from interpreter.compiler.optimising.flattening import Flattener, TooLong, conjuncts, is_finite
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
    """Where a piece stands (of class `cls`) that passes the tests."""

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
    """What is in all parts ("and") or in one of them ("or")."""

    sort: str
    parts: tuple[Spots, ...]


@dataclass(frozen=True, slots=True)
class Other:
    """All other places of the map."""

    part: Spots


Spots = Fixed | Anywhere | Among | Occupied | Asked | Joined | Other


@dataclass(frozen=True, slots=True)
class Spotter:
    """A define that is worked out for all places at once: what of, and its other parameters."""

    define: CheckedDefine
    spots: Spots


def judge_of(model: CheckedModel, static: frozenset[str]) -> Judge:
    """What can be told of expressions before a game."""
    known: Known = {}
    judged = FaultMemo()

    def is_safe(core: Core) -> bool:
        return not may_fault(model, core, judged)

    def is_fixed(core: Core, names: frozenset[str]) -> bool:
        return free_names(core) <= names and is_safe(core) and not needs_state(model, core, static, known)

    return Judge(is_fixed, is_safe)


def spots_of(core: Core, place: str, judge: Judge, spotters: frozenset[str]) -> Spots | None:
    """How the places are told for which a test holds that cannot fault; None where it must be asked of each."""
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
        case n.Operation("in" | "not in" as sort, (n.Local(name), places)) if name == place:
            if place in free_names(places) or not isinstance(places.type, t.SetType):
                return None
            return Among(places) if sort == "in" else Other(Among(places))
        case n.Operation("==" | "!=" as sort, (pieces, n.Operation("set", ()))):
            found = _occupied(pieces, None, place)
            return _other(found) if sort == "==" else found
        case n.Comprehension("any" | "no" as sort, domain=domain, where=where, result=None):
            found = _occupied(domain, where, place, core.var)
            return _other(found) if sort == "no" else found
        case n.Call("define", name, (*args, n.Local(last))) if name in spotters and last == place:
            return None if any(place in free_names(x) for x in args) else Asked(name, tuple(args))
    return None


def _other(found: Spots | None) -> Spots | None:
    return None if found is None else Other(found)


def _occupied(domain: Core, where: Core | None, place: str, var: str = "") -> Occupied | None:
    """Where pieces stand that pass a test and those of the filters they come through."""
    tests = [] if where is None else conjuncts(where)
    while isinstance(domain, n.Comprehension) and domain.sort == "set" and not domain.result and not domain.extreme:
        own = [] if domain.where is None else conjuncts(domain.where)
        var = var or domain.var
        tests = [*(substitute(x, domain.var, n.Local(var, _member(domain.type), x.span)) for x in own), *tests]
        domain = domain.domain
    if not isinstance(domain, n.PiecesAt) or not n.is_local(domain.place, place):
        return None
    return None if any(place in free_names(x) for x in tests) else Occupied(domain.cls, var or "0_piece", tuple(tests))


def _member(type_: t.Type) -> t.Type:
    return type_.item if isinstance(type_, t.SetType) and type_.item is not None else t.ThingType("piece")


def find_spotters(
    model: CheckedModel, names: frozenset[str], static: frozenset[str], marks: frozenset[str]
) -> dict[str, Spotter]:
    """Those of some defines that searches ask of places, and that can be told for all places at once."""
    out: dict[str, Spotter] = {}
    judge, flattener = judge_of(model, static), Flattener(model, frozenset(), marks)
    for name in sorted(names & _asked_by_searches(model)):
        define = model.defines[name]
        *others, (place, type_) = define.params
        if type_ != t.PLACE or not isinstance(define.type, t.FlagType) or not all(is_finite(ty) for _, ty in others):
            continue
        try:
            flat = flattener.flat(define.value)
        except TooLong:
            continue
        spots = spots_of(flat, place, judge, frozenset()) if judge.is_safe(flat) else None
        if spots is not None and not isinstance(spots, Anywhere | Fixed):
            out[name] = Spotter(define, spots)
    return out


def _asked_by_searches(model: CheckedModel) -> frozenset[str]:
    """The defines that tests of searches call, themselves or by others."""
    waiting: list[Core] = []
    for define in model.defines.values():
        for core in n.descendants(define.value):
            if isinstance(core, n.Search):
                waiting += [x for x in (core.where, core.cost) if x is not None]
    found: set[str] = set()
    for core in waiting:
        for x in n.descendants(core):
            if isinstance(x, n.Call) and x.sort == "define" and x.name not in found:
                found.add(x.name)
                waiting.append(model.defines[x.name].value)
    return frozenset(found)


def spots_key(define: str) -> str:
    """The name by which a position remembers the places that a define holds for; no define has it."""
    return f"spots {define}"
