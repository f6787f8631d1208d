"""Partial evaluation of a search's test for every step on the map.

Steps that are never possible are dropped; steps that are always possible are not tested; what depends on one of the
two places alone is computed for all places at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

from interpreter.checker.operations import Known, slots_read
from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.optimising.analysis import columns_read, weight
from interpreter.compiler.optimising.flattening import Flattener, InliningTooLongError, heavy, is_finite
from interpreter.compiler.optimising.relaxing import Judge, parted, stronger, weaker
from interpreter.compiler.optimising.spreading.spotting import Spots, judge_of, spots_of
from interpreter.model import expressions as n
from interpreter.model.expressions import canonical_form, free_names, rebuild
from interpreter.model.statements import Core

MOST_WEIGHT = 60  # nodes of a test that is asked of a step


@dataclass(frozen=True, slots=True)
class Told:
    """Places computed all at once: how, the cache key in a position, and further inputs."""

    spots: tuple[Spots, ...] = ()
    key: str = ""
    given: tuple[str, ...] = ()
    tests: tuple[Core, ...] = ()


@dataclass(frozen=True, slots=True)
class Ways:
    """Static knowledge about the steps of a search.

    `atoms`: values of its inputs that index the tables. `open`: tests that a step must pass, `sure`: a condition
    sufficient for all `doubts`, the tests left to run in a position (None: there are none). `entered` and `left`: sets
    of places. `cost` is known where `known_cost` holds, if that is not None.
    """

    atoms: tuple[tuple[str, Core], ...]
    open: tuple[Core, ...]
    sure: Core | None
    doubts: tuple[Core, ...]
    entered: Told
    left: Told
    cost: Core | None
    known_cost: Core | None


class _Splitter:
    """Sorts the parts of one test."""

    def __init__(self, x: Emitter, core: n.CheckedSearch, keep: frozenset[str]) -> None:
        self.judge: Judge = judge_of(x.model, x.static)
        self.core = core
        self.places = frozenset((core.var, core.previous))
        parts = [part for part in (core.where, core.cost) if part is not None]
        types = {y.name: y.type for part in parts for y in n.descendants(part) if isinstance(y, n.CheckedLocal)}
        around = frozenset[str]().union(*map(free_names, parts)) - self.places
        self.given = frozenset(name for name in around if is_finite(types[name]))
        self.spotters = frozenset(x.spotters)
        self.flattener = Flattener(x.model, keep | self.spotters, frozenset(x.markers))
        self.atoms: dict[object, tuple[str, Core]] = {}

    def is_fixed(self, core: Core) -> bool:
        return self.judge.is_fixed(core, self.places | self.given)

    def named(self, core: Core) -> Core:
        """Replace the values of the inputs in an expression by names."""
        used = free_names(core)
        if used and used <= self.given and self.judge.is_fixed(core, self.given):
            key = canonical_form(core)
            if key not in self.atoms:
                self.atoms[key] = (f"0_{len(self.atoms)}", core)
            return n.CheckedLocal(self.atoms[key][0], core.type, core.span)
        return core if isinstance(core, n.CheckedLocal) else rebuild(core, self.named)

    def spots(self, core: Core, place: str) -> Spots | None:
        """Return how to compute the places of a test that reads only one of the two."""
        other = self.places - {place}
        return None if other & free_names(core) else spots_of(core, place, self.judge, self.spotters)

    def told(self, place: str, found: list[tuple[Spots, Core]]) -> Told:
        """Return the places that pass all of some tests."""
        tests = tuple([test for _, test in found])
        used = frozenset[str]().union(*map(free_names, tests)) - {place}
        if not used <= self.given:
            return Told(tuple([spots for spots, _ in found]), "", (), tests)
        given = tuple(sorted(used))
        names = {place: 0, **{name: 1 + i for i, name in enumerate(given)}}
        text = repr([canonical_form(test, names) for test in tests])
        key = "places " + blake2b(text.encode(), digest_size=8).hexdigest()
        return Told(tuple([spots for spots, _ in found]), key, given, tests)


def places_read(x: Emitter, expressions: Iterable[Core]) -> dict[str, frozenset[str]]:
    """Return the slots that the precomputed sets of places of some expressions' searches depend on, by key."""
    known: Known = {}
    out: dict[str, frozenset[str]] = {}
    for core in expressions:
        for search in n.descendants(core):
            if not isinstance(search, n.CheckedSearch) or search.sort == "path" or not x.is_safe(search):
                continue
            ways = ways_of(x, search)
            for told in (ways.entered, ways.left) if ways is not None else ():
                if told.key and told.spots:
                    reads = [columns_read(x.layout, slots_read(x.model, test, known)) for test in told.tests]
                    out[told.key] = frozenset[str]().union(*reads)
    return out


def ways_of(x: Emitter, core: n.CheckedSearch) -> Ways | None:
    """Return static knowledge about the steps of a search that cannot fault, or None.

    All callees are inlined, unless that would repeat much work that is memoized otherwise.
    """
    found = _ways(x, core, frozenset())
    if found is not None and any(weight(x) > MOST_WEIGHT for x in found.doubts):
        return _ways(x, core, heavy(x.model, x.remembered, x.static | frozenset(x.markers)))
    return found


def _ways(x: Emitter, core: n.CheckedSearch, keep: frozenset[str]) -> Ways | None:
    s = _Splitter(x, core, keep)
    opened: list[Core] = []
    sure: list[Core | None] = []
    doubts: list[Core] = []
    entered: list[tuple[Spots, Core]] = []
    left: list[tuple[Spots, Core]] = []
    try:
        parts = [] if core.where is None else parted(s.flattener.flat(core.where))
        cost = None if core.cost is None else s.flattener.flat(core.cost)
    except InliningTooLongError:
        return None
    for part in parts:
        names = s.places | s.given
        if s.is_fixed(part):
            opened.append(part)
            continue
        for place, found in ((core.var, entered), (core.previous, left)):
            spots = s.spots(part, place)
            if spots is not None:
                found.append((spots, part))
                break
        else:
            must = weaker(part, s.judge, names)
            opened += [] if must is None else [must]
            sure.append(stronger(part, s.judge, names))
            doubts.append(part)
    if not opened and not entered and not left and not any(sure):
        return None
    known, told = _known_cost(s, cost)
    enough = None
    if sure and all(x is not None for x in sure):
        enough = _all([x for x in sure if x is not None])
    named = [s.named(x) for x in opened]
    certain = None if enough is None else s.named(enough)
    known, told = (None if y is None else s.named(y) for y in (known, told))
    places = s.told(core.var, entered), s.told(core.previous, left)
    return Ways(tuple(s.atoms.values()), tuple(named), certain, tuple(doubts), *places, known, told)


def _known_cost(s: _Splitter, cost: Core | None) -> tuple[Core | None, Core | None]:
    """Return the cost of a step as far as it is known, and a test of whether it is (None: always)."""
    if cost is None or s.is_fixed(cost):
        return cost, None
    match cost:
        case n.Operation("cond", (test, yes, no)) if s.is_fixed(yes) and s.is_fixed(no):
            names = s.places | s.given
            enough, denied = stronger(test, s.judge, names), weaker(test, s.judge, names)
            if denied is None:
                return None, None
            never = n.Operation("not", (denied,), test.type, test.span)
            if enough is None:
                return no, never
            known = n.Operation("cond", (enough, yes, no), cost.type, cost.span)
            return known, n.Operation("or", (enough, never), test.type, test.span)
    return None, None


def _all(parts: list[Core]) -> Core:
    return parts[0] if len(parts) == 1 else n.Operation("and", tuple(parts), parts[0].type, parts[0].span)
