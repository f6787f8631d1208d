"""Compilation of drafts to a single search function, where possible.

Values that depend on the draft's parameters alone are hoisted; what depends on the map, the charts and a few fields is
memoized for good; dominated states are pruned. Ends, their order and their paths are those of a plain breadth-first
search.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import prod
from typing import Any, Protocol

from interpreter.checker.operations import FaultMemo, Known, may_fault
from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.optimising.analysis import needs_state
from interpreter.compiler.optimising.drafting.dominance import Parts, compared
from interpreter.compiler.optimising.flattening import Flattener, conjuncts, is_at_hand, is_finite
from interpreter.compiler.optimising.passes import DOMINANCE
from interpreter.compiler.python_syntax import (
    all_stored,
    call_of,
    constant,
    empty_table,
    expression,
    function,
    located,
    looked_up,
    name,
    row,
    statements,
    stored,
    tuple_of,
)
from interpreter.diagnostics.source_text import Span
from interpreter.lowering.step_charges import WRITTEN
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.expressions import canonical_form, free_names, rebuild
from interpreter.model.statements import Core
from interpreter.runtime.drafts import MOST_STEPS

FEW_WAYS = 200  # of a step from one state
WAYS_AT_ONCE = 4  # that are looked at in the time of one step of the budget
FIRST_STATES = 1_000  # of a search, before memory is looked to
FEW_MEMBERS = 400  # of a set: so many for every state of a search are not much
SMALL = 1_000  # whole numbers that may be added to a binary fraction without loss
Made = list[tuple[ast.stmt, Span]]


class Stepped(Protocol):
    """The part of the function that takes one step."""

    step: c.CheckedStep

    def parts(self) -> Parts:
        """Return the step's effects on the fields."""

    def body(self) -> list[ast.stmt]:
        """Its statements."""


class Search:
    """Makes the function of one draft."""

    def __init__(self, x: Emitter, flattener: Flattener, d: c.CheckedDraft) -> None:
        self.x = x
        self.d = d
        self.flattener = flattener
        self.known: Known = {}
        self.judged = FaultMemo()
        self.params = frozenset(n for n, _ in d.params)
        self.fields = [n for n, _, _ in d.fields]
        self.types = {n: ty for n, ty, _ in d.fields}
        self.sized = [f for f, ty in self.types.items() if self._may_be_large(ty)]
        self.counts = any(map(self.is_wide, d.steps))
        self.finite = frozenset(n for n, ty in d.params if is_finite(ty))
        self.constants: list[tuple[str, Core]] = []  # the same in every position, by the parameters in `finite`
        self.hoisted: list[tuple[str, Core]] = []
        self.hoisted_keys: dict[Any, str] = {}
        self.dynamic_names: set[str] = set()
        self.tables: Made = []
        self.opening: list[ast.stmt] = []
        self.ways: list[str] = []  # names of tables of ways that are found with the constants, by `finding`
        self.finding: list[ast.stmt] = []
        self.needed: frozenset[str] = frozenset()  # parameters that those tables are found by
        self.fresh = 0
        x.efforts.short.clear()

    def _may_be_large(self, type_: t.Type) -> bool:
        """Return whether values of a type, one per state, may need too much memory."""
        if isinstance(type_, t.SetType):
            return self.x.efforts.of_type(type_) > FEW_MEMBERS
        return not is_finite(type_) and not isinstance(type_, t.IntType | t.NumberType)

    def is_wide(self, step: c.CheckedStep) -> bool:
        """Return whether a step has so many variants in a state that they are charged individually."""
        return self._ways(step) > FEW_WAYS

    def _ways(self, step: c.CheckedStep) -> int:
        """Return the most ways in which a step can be taken from a state."""
        grid = self.x.model.ruleset.grid
        directions = WRITTEN if grid is None else len(grid.directions)
        return prod(
            directions if isinstance(p.type, t.DirectionType) else self.x.efforts.members(p.domain) for p in step.params
        )

    def made(self, stepped: Callable[[Search, int, c.CheckedStep], Stepped]) -> Made:
        """Return the function and its tables; `stepped` compiles each step."""
        d = self.d
        self.finish = [p for r in d.finish for p in self.prepared(r.test)]
        offers = d.offer or tuple((field, n.CheckedLocal(field, ty, d.span)) for field, ty, _ in d.fields)
        self.offer = [self.hoist(self.flattener.flat(v)) for _, v in offers]
        price = None if d.cheapest is None else self.hoist(self.flattener.flat(d.cheapest))
        self.steps = [stepped(self, i, s) for i, s in enumerate(d.steps)]
        found = compared(self.fields, self.types, [s.parts() for s in self.steps], self.finish, self.offer, price)
        if found is None:
            return []
        self.compared = found if DOMINANCE in self.x.passes else replace(found, live=frozenset(self.fields), caps={})
        bodies = [located(s.body(), s.step.span) for s in self.steps]
        given = ["v_" + n for n, _ in d.params]
        body = [*self._start(), *self._loop([b for body in bodies for b in body])]
        node = function(
            "search_" + d.name, ["G", "_any_end", "_limit", *given, *("v_" + f for f in self.fields)], body, d.span
        )
        if found.price is not None:
            at = statements("_1 = _2", stored("PRICE_" + d.name), constant(self.fields.index(found.price)))[0]
            self.tables.append((located(at, d.span), d.span))
        return [*self.tables, (node, d.span)]

    # --- parts that do not change while the search goes on --------------------------------------

    def prepared(self, core: Core) -> list[Core]:
        """Return the inlined tests of an expression, with constants of the search bound to names."""
        return [self._test(p) for p in conjuncts(self.flattener.flat(core))]

    def _test(self, core: Core) -> Core:
        match core:
            case n.Operation("<" | "<=" | ">" | ">="):
                return rebuild(core, lambda side: self._limit(side) if self._is_limit(side) else self.hoist(side))
        return self.hoist(core)

    def _is_limit(self, core: Core) -> bool:
        """Return whether one side of a comparison is a number known before the search plus small integers."""
        match core:
            case n.Operation("add" | "sub", (a, b)):
                return self._is_limit(a) and _is_small(b) or _is_small(a) and self._is_limit(b) or self._is_known(core)
            case n.Operation("cond", (_, yes, no)):
                return self._is_limit(yes) and self._is_limit(no)
        return _is_small(core) or self._is_known(core)

    def _limit(self, core: Core) -> Core:
        """Return the side with its fractions in a form that compares fast; only small integers are added to it."""
        if isinstance(core.type, t.IntType):
            return self.hoist(core)
        parts: tuple[Core, ...] = ()
        match core:
            case n.Operation("cond", operands):
                parts = operands
            case n.Operation("add" | "sub", operands) if any(_is_small(x) for x in operands):
                parts = operands
        if self._is_known(core) and (not parts or self._is_constant(core)):
            return self.hoist(n.Operation("comparable", (core,), core.type, core.span))
        test = parts[0] if len(parts) == 3 else None
        return rebuild(core, lambda part: self.hoist(part) if part is test else self._limit(part))

    def _is_known(self, core: Core) -> bool:
        return free_names(core) <= self.params and self.is_safe(core)

    def hoist(self, core: Core) -> Core:
        """Replace what depends only on the draft's parameters (and the state) by names."""
        if is_at_hand(core):
            return core
        if not self._is_known(core):
            return rebuild(core, self.hoist)
        if self._is_constant(core):
            return self._named(core, self.constants)
        made = self._named(rebuild(core, self._constant_parts), self.hoisted)
        if self.is_dynamic(core):
            self.dynamic_names.add(made.name)
        return made

    def _constant_parts(self, core: Core) -> Core:
        """Replace constant parts by names."""
        if is_at_hand(core):
            return core
        if self._is_known(core) and self._is_constant(core):
            return self._named(core, self.constants)
        return rebuild(core, self._constant_parts)

    def _is_constant(self, core: Core) -> bool:
        return not self.is_dynamic(core) and free_names(core) <= self.finite

    def _named(self, core: Core, among: list[tuple[str, Core]]) -> n.CheckedLocal:
        key = canonical_form(core)
        if key not in self.hoisted_keys:
            self.hoisted_keys[key] = self.temporary()
            self.x.efforts.named(self.hoisted_keys[key], core)
            among.append((self.hoisted_keys[key], core))
        return n.CheckedLocal(self.hoisted_keys[key], core.type, core.span)

    def known_names(self) -> frozenset[str]:
        """Return the names of everything computed before the search."""
        return frozenset(n for n, _ in [*self.constants, *self.hoisted]) | self.params

    def is_dynamic(self, core: Core) -> bool:
        """Return whether an expression reads the state."""
        reads = needs_state(self.x.model, core, self.x.static, self.known)
        return reads or not self.dynamic_names.isdisjoint(free_names(core))

    def is_safe(self, core: Core) -> bool:
        """Return whether evaluating an expression cannot fault, so that it may be moved."""
        return not may_fault(self.x.model, core, self.judged)

    def temporary(self) -> str:
        """Return a name that no ruleset can contain."""
        self.fresh += 1
        return f"0_{self.fresh}"

    # --- the frame of the function -----------------------------------------------------------------

    def _start(self) -> list[ast.stmt]:
        known = {f: n.CheckedLocal(f, self.types[f], self.d.span) for f in self.fields}
        state = tuple_of([*(name("v_" + f) for f in self.fields), constant(None)])
        return [
            *self._given(),
            *self.assigned(self.hoisted),
            *self.opening,
            *statements("_n = 0" if self.counts else ""),
            *statements(f"_room = _limit if _limit < {FIRST_STATES} else {FIRST_STATES}" if self.sized else ""),
            *statements(
                "_seen = {_1: _2}\n_s = _3\n_queue = [_s]\n_best = {}\n_4",
                self.key(known, constant(False)),
                self.price(known),
                state,
                self.ended(known),
            ),
        ]

    def assigned(self, values: list[tuple[str, Core]]) -> list[ast.stmt]:
        """Return statements that compute named values; mostly integers, which need no normalization."""
        out: list[ast.stmt] = []
        for word, core in values:
            *before, last = self.x.worked_out("v_" + word, core)
            match last:
                case ast.Assign(targets=[made], value=ast.Call(func=ast.Name(id="_normal"), args=[number])):
                    text = "_1 = _2\nif _3.__class__ is not int: _1 = _normal(_3)"
                    out += [*before, *statements(text, made, number, name("v_" + word))]
                case _:
                    out += [*before, last]
        return out

    def _given(self) -> list[ast.stmt]:
        """Return statements that memoize what no position changes, by the parameters; `given_name` computes it."""
        names: list[str] = [*("v_" + n for n, _ in self.constants), *self.ways]
        if not names:
            return []
        used = frozenset[str]().union(*(free_names(v) for _, v in self.constants), self.needed)
        params = ["v_" + n for n, _ in self.d.params if n in used & self.finite]
        body = [*self.assigned(self.constants), *self.finding, ast.Return(tuple_of(map(name, names)))]
        table, made = "GIVEN_" + self.d.name, "given_" + self.d.name
        self.tables += [empty_table(table, self.d.span), (function(made, params, body, self.d.span), self.d.span)]
        given = [name(p) for p in params]
        found = looked_up("_g", table, row(given), call_of(made, *given))
        return [*found, ast.Assign([all_stored(names)], name("_g"))]

    def _loop(self, body: list[ast.stmt]) -> list[ast.stmt]:
        states = all_stored([*("v_" + f for f in self.fields), "_w"])
        leaves = "if len(_seen) > _limit:\n    _1\n    return _best, False"
        if self.sized:  # memory is looked to at every thousandth state
            leaves = (
                "if len(_seen) > _room:\n    if len(_seen) > _limit:\n        _1\n        return _best, False\n"
                f"    _room = _more_states(G, _limit, _room + {FIRST_STATES}, _2)"
            )
        if self.counts:
            leaves += f"\nif _n > {MOST_STEPS}:\n    _1\n    return _best, False"
        each = 1 + sum(self._ways(step) for step in self.d.steps if not self.is_wide(step)) // WAYS_AT_ONCE
        spent = f"_spend(G, len(_seen) * {each}{f' + _n // {WAYS_AT_ONCE}' if self.counts else ''})"
        ends = statements(leaves, statements(spent), tuple_of([name("v_" + f) for f in self.sized]))
        return [ast.For(states, name("_queue"), [*ends, *body], []), *statements(spent + "\nreturn _best, True")]

    def key(self, env: Mapping[str, Core], stops: Any) -> Any:
        """Return the key that distinguishes states."""
        parts = [self._key_part(n, env[n]) for n in self.fields if n in self.compared.live]
        return tuple_of([*parts, stops])

    def _key_part(self, field: str, value: Core) -> Any:
        cap = self.compared.caps.get(field)
        made = self.x.emit(value)
        if cap is None or isinstance(value, n.Literal):
            return made
        part = expression("_1 if _2 < _3 else _3", made, self.x.emit(value), constant(cap))
        return part

    def price(self, env: Mapping[str, Core]) -> Any:
        """Return the cost of a state, 0 without one."""
        return constant(0) if self.compared.price is None else self.x.emit(env[self.compared.price])

    def ended(self, env: Mapping[str, Core]) -> list[ast.stmt]:
        """Return statements that record the state `_s` as an end if it is one, and the best of its offer."""
        flat = self.flattener
        offer = tuple_of([self.x.emit(flat.flat(v, env)) for v in self.offer])
        better: list[ast.stmt] = []
        if self.compared.price is not None:
            better = statements(
                "if _1 < _2: _best[_3] = _s",
                self.price(env),
                expression(f"_b[{self.fields.index(self.compared.price)}]"),
                name("_o"),
            )
        counted = f"G.spent += _n // {WAYS_AT_ONCE}" if self.counts else "pass"
        found = statements(
            "_o = _1\n_b = _best.get(_o)\nif _b is None:\n    _best[_o] = _s\n    if _any_end:\n"
            f"        {counted}\n        return _best, False\nelse:\n    _2",
            offer,
            better or [ast.Pass()],
        )
        return self.x.tested([flat.flat(t, env) for t in self.finish], found)


def _is_small(core: Core) -> bool:
    """Return whether an expression is always a small integer."""
    match core:
        case n.Operation("cond", (_, yes, no)):
            return _is_small(yes) and _is_small(no)
        case n.Literal(int() as value):
            return abs(value) < SMALL
    return False
