"""Dependency analysis by piece: for its arguments a define reads the values of some pieces and of no others.

`count(u in units where u.side == s and u on map)` reads the places of one side's units. Constant attributes and the
arguments determine which these are; a memoized value for one side thus stays valid when a piece of the other moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

from interpreter.checker.operations import (
    ANYTHING,
    FaultMemo,
    Known,
    facts_of,
    is_changing,
    may_fault,
    parts_of,
    slots_read,
)
from interpreter.compiler.optimising.flattening import conjuncts
from interpreter.compiler.optimising.marking import Marker
from interpreter.model import expressions as n, types as t
from interpreter.model.statements import CheckedModel, Core

Values = frozenset[Any] | None  # what an expression may be; None where nothing is known of it
Names = Mapping[str, Values]
Keys = list[list[Any]]  # for each piece the arguments whose answers hang on it
_MOST_ARGUMENTS = 400
_TRUTHS = frozenset(("==", "!=", "in", "not in", "and", "or", "not"))
_TRUE, _FALSE, _EITHER = frozenset([True]), frozenset([False]), frozenset([True, False])
_FEW = 4  # answers, which are soon gone through; of more than these half must hang on no piece that is written


class UnboundedReadError(Exception):
    """Raised for an expression that reads the occupants of a place: any piece may change its value."""


def keys_of_defines(reader: Reader, names: Iterable[str]) -> dict[str, Keys]:
    """Return, for defines that read only some pieces per arguments, the entries that depend on each piece."""
    found = {name: _keys_of(reader, name) for name in sorted(names)}
    return {name: keys for name, keys in found.items() if keys is not None}


def keys_of_drafts(reader: Reader, names: Iterable[str]) -> dict[str, Keys]:
    """Return, for drafts, the ends that depend on each piece, by the arguments of the draft."""
    found = {name: _keys_of(reader, name, "draft") for name in sorted(names)}
    return {name: keys for name, keys in found.items() if keys is not None}


def keys_of_marks(reader: Reader, marker: Marker) -> Keys | None:
    """For each piece the values of the other parameter for which it may mark at all."""
    if marker.other is None or marker.kind is None:
        return None
    keys: Keys = []
    try:
        for piece in range(len(reader.things("piece"))):
            names = {marker.piece: frozenset([piece])}
            own = [*marker.own_now, *marker.sided_now, *(core for _, core in marker.atoms)]
            if any(reader.read(core, names) - {piece} for core in own):
                return None
            tests = [*marker.own, *marker.sided]
            others = range(len(reader.things(marker.kind)))
            keys.append([o for o in others if _passes(reader, tests, {**names, marker.other: frozenset([o])})])
    except UnboundedReadError:
        return None
    return keys


def _passes(reader: Reader, tests: Iterable[Core], names: Names) -> bool:
    return all(_may_hold(reader.values(test, names)) for test in tests)


def _may_hold(found: Values) -> bool:
    return found is None or True in found


def _keys_of(reader: Reader, name: str, sort: str = "define") -> Keys | None:
    params = reader.params_of(sort, name)
    domains = [reader.all_of(type_) for _, type_ in params]
    if any(d is None for d in domains):
        return None
    sizes = [sorted(d, key=lambda handle: -1 if handle is None else handle) for d in domains if d is not None]
    if prod(map(len, sizes)) > _MOST_ARGUMENTS:
        return None
    keys: Keys = [[] for _ in reader.things("piece")]
    hanging = 0
    for count, given in enumerate(product(*sizes), 1):
        try:
            read = reader.called(sort, name, tuple(frozenset([value]) for value in given))
        except UnboundedReadError:
            return None
        hanging += len(read)
        if count > _FEW and sort == "define" and hanging * 2 > count * len(keys):
            return None
        for piece in read:
            keys[piece].append(given[0] if len(given) == 1 else given)
    many = prod(map(len, sizes))
    return keys if hanging < many * len(keys) else None


@dataclass(slots=True)
class Reader:
    """Goes through the expressions of a ruleset with the values that their names may have; keeps what it finds."""

    model: CheckedModel
    answers: dict[Any, frozenset[int] | None] = field(default_factory=dict)
    everything: dict[t.Type | None, Values] = field(default_factory=dict)
    passing: dict[Any, Values] = field(default_factory=dict)
    fitting: dict[Any, dict[Any, bool]] = field(default_factory=dict)
    short: dict[tuple[str, int], bool] = field(default_factory=dict)
    judged: FaultMemo = field(default_factory=FaultMemo)
    slots: Known = field(default_factory=dict)
    hanging: dict[int, bool] = field(default_factory=dict)  # by expression, all of which the model keeps
    settled: dict[int, Values] = field(default_factory=dict)
    names_in: dict[int, list[str]] = field(default_factory=dict)

    def params_of(self, sort: str, name: str) -> tuple[tuple[str, t.Type], ...]:
        """Return the parameters of a define, tally or draft, with their types."""
        match sort:
            case "define":
                return self.model.defines[name].params
            case "tally":
                return self.model.tallies[name].params
        return self.model.drafts[name].params

    def things(self, kind: str) -> tuple[Any, ...]:
        """All things of a kind."""
        return self.model.ruleset.kinds[kind].things

    def all_of(self, type_: t.Type | None) -> Values:
        """Every value of a type of things."""
        if type_ not in self.everything:
            self.everything[type_] = self._all_of(type_)
        return self.everything[type_]

    def _all_of(self, type_: t.Type | None) -> Values:
        match type_:
            case t.ThingType(kind, None) if kind in self.model.ruleset.kinds:
                return frozenset(range(len(self.things(kind))))
            case t.ThingType("piece", cls):
                return frozenset(h for h, thing in enumerate(self.things("piece")) if thing.cls == cls)
            case t.MaybeType(item):
                found = self.all_of(item)
                return None if found is None else found | {None}
        return None

    # --- what an expression may be ----------------------------------------------------------------

    def values(self, core: Core, names: Names) -> Values:
        """Return the possible values of an expression, as far as constants determine them."""
        if self._hangs(core):
            return self._may_be(core, names)
        if id(core) not in self.settled:
            self.settled[id(core)] = self._may_be(core, names)
        return self.settled[id(core)]

    def _hangs(self, core: Core) -> bool:
        """Return whether the possible values of an expression depend on the values of names."""
        if id(core) not in self.hanging:
            match core:
                case n.CheckedLocal() | n.Comprehension():
                    hangs = True
                case n.AttributeOf(kind, name):
                    hangs = self._is_fixed(kind, name) and self._hangs(core.owner)
                case n.Operation(name, operands):
                    hangs = (name in _TRUTHS or name == "cond") and any(self._hangs(x) for x in operands)
                case n.CheckedCall("define", called, args):
                    hangs = self._is_short(called) and any(self._hangs(x) for x in args)
                case _:
                    hangs = False
            self.hanging[id(core)] = hangs
        return self.hanging[id(core)]

    def _free(self, core: Core) -> list[str]:
        """Return the free names of an expression, sorted."""
        if id(core) not in self.names_in:
            self.names_in[id(core)] = sorted(n.free_names(core))
        return self.names_in[id(core)]

    def _may_be(self, core: Core, names: Names) -> Values:
        match core:
            case n.CheckedLocal(name) if name in names and not isinstance(core.type, t.SetType | t.ListType):
                return names[name]
            case n.Literal(value) if not isinstance(value, tuple):
                return frozenset([value])
            case n.AttributeOf(kind, name, owner) if self._is_fixed(kind, name):
                owners = self.values(owner, names)
                if owners is not None:
                    things = self.things(kind)
                    return frozenset(None if o is None else things[o].values.get(name) for o in owners)
            case n.Operation(name, operands) if name in _TRUTHS:
                return self._truth(name, operands, names)
            case n.Operation("cond", (_, yes, no)):
                one, other = self.values(yes, names), self.values(no, names)
                return None if one is None or other is None else one | other
            case n.CheckedCall("define", called, args) if self._is_short(called):
                return self.values(self.model.defines[called].value, self._given(called, args, names))
        return self.all_of(core.type)

    def _is_fixed(self, kind: str, name: str) -> bool:
        attribute = self.model.ruleset.kinds[kind].attributes.get(name) if kind in self.model.ruleset.kinds else None
        return attribute is not None and not is_changing(self.model, kind, name)

    def _truth(self, name: str, operands: tuple[Core, ...], names: Names) -> Values:
        if name in ("and", "or"):
            settles, leaves = (_TRUE, _FALSE) if name == "or" else (_FALSE, _TRUE)
            is_sure = True
            for part in operands:
                found = self.values(part, names)
                if found == settles:
                    return settles
                is_sure = is_sure and found == leaves
            return leaves if is_sure else _EITHER
        if name == "not":
            found = self.values(operands[0], names)
            return _EITHER if found is None else frozenset([not value for value in found])
        one = self.values(operands[0], names)
        other = self.values(operands[1], names) if name in ("==", "!=") else self.members(operands[1], names)
        if one is None or other is None:
            return _EITHER
        holds, fails = (_TRUE, _FALSE) if name in ("==", "in") else (_FALSE, _TRUE)
        if one.isdisjoint(other):
            return fails
        sure = name in ("==", "!=") and one == other and len(one) == 1
        return holds if sure else _EITHER

    def members(self, core: Core, names: Names) -> Values:
        """Return the possible members of a set."""
        match core:
            case n.CheckedLocal(name) if name in names:
                return names[name]
            case n.Things(kind, cls):
                return self.all_of(t.ThingType(kind, cls))
            case n.Literal(tuple() as found):
                return frozenset(found)
            case n.AttributeOf(kind, name, owner) if self._is_fixed(kind, name):
                owners = self.values(owner, names)
                if owners is not None and None not in owners:
                    held = [self.things(kind)[o].values.get(name) for o in owners]
                    return frozenset(member for one in held for member in one or ())
            case n.Comprehension("set", var, domain, where, None, None):
                return self._left(var, domain, where, names)
            case n.CheckedCall("define", called, args) if self._is_short(called):
                return self.members(self.model.defines[called].value, self._given(called, args, names))
        return self.all_of(core.type.item) if isinstance(core.type, t.SetType | t.ListType) else None

    def _is_short(self, called: str, deep: int = 2) -> bool:
        """Return whether a define calls at most defines that call nothing."""
        key = called, deep
        if key not in self.short:
            calls = (x for x in n.descendants(self.model.defines[called].value) if isinstance(x, n.CheckedCall))
            self.short[key] = all(x.sort == "define" and deep > 0 and self._is_short(x.name, deep - 1) for x in calls)
        return self.short[key]

    def _given(self, called: str, args: tuple[Core, ...], names: Names) -> Names:
        params = self.model.defines[called].params
        return {p: self._meant(arg, names) for (p, _), arg in zip(params, args, strict=True)}

    def _meant(self, core: Core, names: Names) -> Values:
        """Return the possible values of an argument, or its possible members."""
        return self.members(core, names) if isinstance(core.type, t.SetType | t.ListType) else self.values(core, names)

    def _left(self, var: str, domain: Core, where: Core | None, names: Names) -> Values:
        """Return the members of a set that may pass a test; all of them if it may fault."""
        inside = [] if where is None else [name for name in self._free(where) if name != var]
        key = (id(domain), id(where), *[names.get(name) for name in (*self._free(domain), *inside)])
        if key not in self.passing:
            found = self.members(domain, names)
            if found is not None and where is not None and not may_fault(self.model, where, self.judged):
                for test in conjuncts(where):
                    found = self._fitting(test, var, found, names)
            self.passing[key] = found
        return self.passing[key]

    def _fitting(self, test: Core, var: str, members: frozenset[Any], names: Names) -> frozenset[Any]:
        """Return those that may pass a test; each is tested once per values of the other names it reads."""
        if not self._hangs(test):
            return members if _may_hold(self.values(test, names)) else frozenset()
        key = (id(test), var, *[names.get(name) for name in self._free(test) if name != var])
        known = self.fitting.setdefault(key, {})
        for m in members - known.keys():
            known[m] = _may_hold(self.values(test, {**names, var: frozenset([m])}))
        return frozenset(m for m in members if known[m])

    # --- whose values it reads ----------------------------------------------------------------------

    def read(self, core: Core, names: Names) -> frozenset[int]:
        """Return the pieces whose changing values an expression may read."""
        found: set[int] = set()
        match core:
            case n.AttributeOf("piece", name, owner) if is_changing(self.model, "piece", name):
                found |= self._pieces(owner, names)
            case n.Operation("on_map", (piece,)):
                found |= self._pieces(piece, names)
            case n.Comprehension(_, var, domain, where):
                left = self._left(var, domain, where, names)
                inner = {**names, var: left}
                parts = [part for part in (where, core.result, core.measure) if part is not None]
                if (
                    isinstance(domain, n.CheckedPiecesAt) and left is not None
                ):  # of those who stand there only these count
                    found |= left | self.read(domain.place, names)
                else:
                    found |= self.read(domain, names)
                return frozenset(found).union(*(self.read(part, inner) for part in parts))
            case n.CheckedCall("define" | "tally" as sort, called, args):
                found |= self.called(sort, called, tuple(self._meant(arg, names) for arg in args))
            case n.CheckedCall() | n.CanAdvance("piece"):
                self._refuse(core)
            case _ if facts_of(core).reads:
                self._refuse(core, own=True)
        for child, bound in n.scoped_children(core):
            found |= self.read(child, {k: v for k, v in names.items() if k not in bound} if bound else names)
        return frozenset(found)

    def _pieces(self, owner: Core, names: Names) -> frozenset[int]:
        found = self.values(owner, names)
        if found is None:
            raise UnboundedReadError
        return found - {None}

    def _refuse(self, core: Core, own: bool = False) -> None:
        """Raise unless what is not analysed reads nothing of pieces."""
        read = {("piece", x) if x == "at" else ("", x) for x in facts_of(core).reads} if own else None
        for kind, name in slots_read(self.model, core, self.slots) if read is None else read:
            if kind == "piece" or (kind, name) == ANYTHING:
                raise UnboundedReadError

    def called(self, sort: str, name: str, given: tuple[Values, ...]) -> frozenset[int]:
        """Return the pieces that a define or tally reads for some arguments; a recursive one may read any."""
        key = (sort, name, given)
        if key in self.answers:
            found = self.answers[key]
            if found is None:
                raise UnboundedReadError
            return found
        self.answers[key] = None
        names = dict(zip((p for p, _ in self.params_of(sort, name)), given, strict=True))
        made = frozenset[int]().union(*(self.read(part, names) for part in parts_of(self.model, sort, name)))
        self.answers[key] = made
        return made
