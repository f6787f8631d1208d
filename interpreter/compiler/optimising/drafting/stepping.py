"""Compilation of a draft's step to the part of the search that takes it in every legal way.

What the map and the charts allow is in a table memoized by the few values it depends on; loop-invariant values are
computed before the loop.
"""

from __future__ import annotations

import ast
from collections import Counter
from itertools import takewhile
from typing import Any

from interpreter.checker.operations import COMPARISONS
from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.expressions.loops import loop
from interpreter.compiler.optimising.analysis import weight
from interpreter.compiler.optimising.drafting.dominance import Parts
from interpreter.compiler.optimising.drafting.searching import Made, Search
from interpreter.compiler.optimising.flattening import Flattener, InliningTooLongError, is_at_hand, is_finite
from interpreter.compiler.optimising.passes import DRAFTS
from interpreter.compiler.python_syntax import (
    METER,
    call_of,
    constant,
    empty_table,
    expression,
    function,
    looked_up,
    name,
    row,
    statements,
    target,
    tuple_of,
)
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.expressions import canonical_form, free_names, rebuild
from interpreter.model.statements import Core, children

LEVEL_WEIGHT = 5  # nodes of an expression that is worked out before a loop


def _is_presence(core: Core) -> bool:
    """`x` is there: as quick to ask as to keep, once `x` is kept."""
    match core:
        case n.Exists(_, None):
            return True
        case n.Operation("not", (inner,)):
            return _is_presence(inner)
    return False


class Step:
    """Makes the part of the function that takes one step of the draft."""

    def __init__(self, search: Search, index: int, step: c.CheckedStep) -> None:
        self.s = search
        self.x = search.x
        self.index = index
        self.step = step
        self.names = [p.name for p in step.params]
        flat = search.flattener.flat
        self.domains = [search.hoist(flat(p.domain)) for p in step.params]
        self.now = {search.fields[i]: search.hoist(flat(v)) for i, v in step.now}
        self.stops: Core = n.Literal(step.stops, t.FLAG, step.span)
        if step.stops_if is not None:
            self.stops = search.hoist(flat(step.stops_if))
        self.values: list[tuple[str, Core]] = []
        self.value_keys: dict[Any, str] = {}
        self.ahead: list[tuple[str, Core]] = []
        self.ahead_keys: dict[Any, str] = {}
        self.often: Counter[Any] = Counter()
        self._sort_tests([p for r in step.requires for p in search.prepared(r.test)])

    def _sort_tests(self, tests: list[Core]) -> None:
        """Split the tests into those before the loops, those in the loops' table, and the rest, in order.

        A test that may fault keeps its position, and no test that follows or includes it is moved before it.
        """
        own = frozenset(self.names)
        self.before: list[Core] = []
        self.kept: list[Core] = []
        self.tests: list[Core] = []
        moves = all(self.s.is_safe(domain) for domain in self.domains)
        for test in tests:
            moves = moves and self.s.is_safe(test)
            if not moves:
                self.tests.append(test)
            elif not free_names(test) & own:
                self.before.append(test)
            elif self._can_keep(test):
                self.kept.append(test)
            else:
                self.tests.append(test)
        self.before.sort(key=lambda t: (bool(free_names(t) & frozenset(self.s.fields)), weight(t)))

    def parts(self) -> Parts:
        """Return the step's tests, its other inputs, and the new values of fields."""
        return [*self.before, *self.kept, *self.tests], [*self.domains, self.stops], self.now

    def _can_keep(self, core: Core) -> bool:
        """Return whether an expression is constant for all positions and depends on few values."""
        s = self.s
        return (
            not s.is_dynamic(core)
            and self.s.is_safe(core)
            and all(is_finite(s.types[f]) for f in free_names(core) if f in s.types)
        )

    # --- tables -------------------------------------------------------------------------------------

    def _keep(self, core: Core, inside: frozenset[str]) -> Core:
        """Replace the parts that the loops' table holds by names."""
        if is_at_hand(core):
            return core
        used = free_names(core)
        if not _is_presence(core) and used & inside and used <= inside | self._outside() and self._can_keep(core):
            return self._noted(core, self.values, self.value_keys)
        return rebuild(core, lambda child: self._keep(child, inside))

    def _level(self, core: Core) -> Core:
        """Replace larger loop-invariant parts by names."""
        if is_at_hand(core):
            return core
        if self._is_level(core) and (weight(core) >= LEVEL_WEIGHT or self.often[canonical_form(core)] > 1):
            return self._noted(core, self.ahead, self.ahead_keys)
        if isinstance(core, n.Operation) and core.name in ("and", "or"):
            first = tuple(takewhile(self._is_level, core.operands))  # together: the last is asked where it matters
            if 1 < len(first) < len(core.operands):
                joined = n.Operation(core.name, first, core.type, core.span)
                core = n.Operation(core.name, (joined, *core.operands[len(first) :]), core.type, core.span)
        return rebuild(core, self._level)

    def _is_level(self, core: Core) -> bool:
        return free_names(core) <= self._outside() and self.s.is_safe(core)

    def _count(self, core: Core) -> None:
        if not is_at_hand(core):
            self.often[canonical_form(core)] += 1
            for child in children(core):
                self._count(child)

    def _noted(self, core: Core, values: list[tuple[str, Core]], keys: dict[Any, str]) -> Core:
        key = canonical_form(core)
        if key not in keys:
            keys[key] = self.s.temporary()
            self.x.efforts.named(keys[key], core)
            values.append((keys[key], core))
        return n.CheckedLocal(keys[key], core.type, core.span)

    def _outside(self) -> frozenset[str]:
        return frozenset(self.s.fields) | self.s.known_names()

    def _table(self) -> tuple[Any, list[ast.stmt]]:
        """Return the loops' table: its rows, and the statements that find them."""
        s = self.s
        cores = [*self.domains, *self.kept, *(v for _, v in self.values)]
        used = frozenset().union(*(free_names(v) for v in cores))
        before = [n for n, _ in s.constants if n in used] + [n for n, _ in s.d.params if n in used & s.finite]
        outer = [*before, *(n for n in sorted(s.known_names()) if n in used and n not in before)]
        inner = [f for f in s.fields if f in used]
        made = f"{s.d.name}_{self.index}"
        self._builder(made, [*outer, *inner])
        find = looked_up(f"t_{self.index}", "WAYS_" + made, tuple_of([name("v_" + n) for n in outer]), expression("{}"))
        if outer == before:
            s.ways.append(f"t_{self.index}")
            s.needed |= used & s.finite
            s.finding += find
        else:
            s.opening += find
        key = row([name("v_" + n) for n in inner])
        found = call_of("ways_" + made, *(name("v_" + n) for n in [*outer, *inner]))
        return name("_t"), statements(
            f"_t = t_{self.index}.get(_1)\nif _t is None:\n    _t = t_{self.index}[_1] = _2\n    _hold(_3, _t)",
            key,
            found,
            name(METER),
        )

    def _builder(self, made: str, given: list[str]) -> None:
        """`ways_..`: the steps that the map and the charts allow, and the values that go with them."""
        names = [*self.names, *(n for n, _ in self.values)]
        noted = statements("_out.append(_1)", row([name("v_" + n) for n in names]))
        body = self._loops([*self.s.assigned(self.values), *noted], self.kept)
        node = function(
            "ways_" + made,
            ["v_" + n for n in given],
            [*statements("_out = []"), *body, *statements("return tuple(_out)")],
            self.step.span,
        )
        self.s.tables += [empty_table("WAYS_" + made, self.step.span), (node, self.step.span)]

    def _loops(self, body: list[ast.stmt], tests: list[Core]) -> list[ast.stmt]:
        """Loops over the parameters, each test as early as what it reads is known."""
        left, charges = list(tests), self._charges([*tests, *(v for _, v in self.values)])
        for depth in range(len(self.names), 0, -1):
            here = [t for t in left if self.names[depth - 1] in free_names(t)]
            left = [t for t in left if t not in here]
            body = self.x.tested(here, body)
            body = loop(self.x, self.names[depth - 1], self.domains[depth - 1], body, charges[depth - 1])
        return body

    def _charges(self, inside: list[Core]) -> list[int]:
        """Return the steps to count for each turn of the loop over each parameter; `inside` is evaluated innermost."""
        efforts, out = self.x.efforts, list[int]()
        each = 4 + sum(efforts.of(core) for core in inside)
        for param in reversed(self.step.params):
            members = efforts.members(param.domain)
            out.insert(0, efforts.charge_of(members, each))
            each = efforts.of(param.domain) + (0 if out[0] else members * each)
        return out

    # --- the step -------------------------------------------------------------------------------------

    def body(self) -> list[ast.stmt]:
        """Return statements that take the step from the current state in every legal way."""
        is_wide = self.s.is_wide(self.step)
        keeps = bool(self.names) and all(self._can_keep(x) for x in self.domains)
        inside = frozenset(self.names)
        if keeps:
            self.tests = [self._keep(t, inside) for t in self.tests]
            self.now = {f: self._keep(v, inside) for f, v in self.now.items()}
            self.stops = self._keep(self.stops, inside)
        if self.names:
            for core in [*self.tests, *self.now.values(), self.stops]:
                self._count(core)
            self.tests = [self._level(t) for t in self.tests]
            self.now = {f: self._level(v) for f, v in self.now.items()}
            self.stops = self._level(self.stops)
        innermost = self._guarded(self.tests if keeps else [*self.kept, *self.tests])
        if keeps:
            around, found = self._table()
            names = ["v_" + n for n in [*self.names, *(n for n, _ in self.values)]]
            looped = [
                *found,
                *statements("_n += len(_t)" if is_wide else ""),
                ast.For(target(names), around, innermost, []),
            ]
        else:
            looped = [*statements("_n += 1" if is_wide else ""), *innermost]
            charges = self._charges([*self.kept, *self.tests, *self.now.values(), self.stops])
            for number in reversed(range(len(self.names))):
                looped = loop(self.x, self.names[number], self.domains[number], looped, charges[number])
        return self.x.tested(self.before, [*self.s.assigned(self.ahead), *looped])

    def _guarded(self, tests: list[Core]) -> list[ast.stmt]:
        """Return statements for the new state after the tests; a value that a test compares precedes it."""
        known: dict[str, Core] = {f: n.CheckedLocal(f, ty, self.step.span) for f, ty in self.s.types.items()}
        bound: dict[Any, Core] = {}
        parts: list[tuple[list[ast.stmt], Core]] = []
        wanted = {canonical_form(v) for v in self.now.values() if weight(v) > 1}
        for test in tests:
            before: list[ast.stmt] = []
            if isinstance(test, n.Operation) and test.name in COMPARISONS:
                for side in test.operands:
                    key = canonical_form(side)
                    if key in wanted and key not in bound:
                        bound[key], made = self._named(side)
                        before += made
                test = rebuild(test, lambda side: bound.get(canonical_form(side), side))
            parts.append((before, test))
        opening: list[ast.stmt] = []
        for field, value in self.now.items():
            known[field] = bound.get(canonical_form(value), value)
            new = known[field]
            if not isinstance(new, n.Literal) and not (isinstance(new, n.CheckedLocal) and new.name not in self.now):
                known[field], made = self._named(new)
                opening += made
        body = [*opening, *self._arrival(known)]
        for before, test in reversed(parts):
            body = [*before, *self.x.tested([test], body)]
        return body

    def _named(self, core: Core) -> tuple[Core, list[ast.stmt]]:
        made = self.s.temporary()
        return n.CheckedLocal(made, core.type, core.span), self.s.assigned([(made, core)])

    def _arrival(self, known: dict[str, Core]) -> list[ast.stmt]:
        """Return statements that record the new state unless it is dominated."""
        s = self.s
        stops, before, value = self.stops, list[ast.stmt](), constant(False)
        if not isinstance(stops, n.Literal) or stops.value:
            before, found = self.x.lifted(stops)
            before = [*before, *statements("_e = _1", found)]
            value = name("_e")
        way = tuple_of([name("_w"), constant(self.index), *(name("v_" + n) for n in self.names)])
        state = tuple_of([*(self.x.emit(known[f]) for f in s.fields), name("_x")])
        further = statements("_queue.append(_s)")
        if isinstance(stops, n.Literal) and stops.value:
            further = []
        elif not isinstance(stops, n.Literal):
            further = statements("if not _e: _queue.append(_s)")
        test = "_k not in _seen" if s.compared.price is None else "_p is None or _1 < _p"
        seen = "" if s.compared.price is None else "_p = _seen.get(_k)\n"
        return [
            *before,
            *statements(
                f"_k = _2\n{seen}if {test}:\n    _seen[_k] = _1\n    _x = _3\n    _s = _4\n    _5\n    _6",
                s.price(known),
                s.key(known, value),
                way,
                state,
                s.ended(known),
                further,
            ),
        ]


def search_function(x: Emitter, flattener: Flattener, d: c.CheckedDraft) -> Made:
    """`search_name(G, one, limit, given..., fields...)` and what it uses; [] where it cannot be made.

    The function gives (ends, whether all states were looked at): ends by their offer, each a state's fields and
    its way, `(way before, index of the step, arguments...)`. With `one` the search stops at the first end.
    """
    if (
        DRAFTS not in x.passes
        or d.unordered
        or d.prefers
        or any(s.prefers or any(p.alike for p in s.params) for s in d.steps)
    ):
        return []
    try:
        return Search(x, flattener, d).made(Step)
    except InliningTooLongError:
        return []
