"""Checked expressions -> Python expressions.

In the code made here `G` is the state; locals of rules are `v_name`; functions of the
ruleset are `d_`, `r_`, `t_` (define, rule, tally); `_words` are functions of the runtime.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from typing import Any, TypeGuard

from interpreter.checker.operations import Judged, facts_of, may_fault
from interpreter.compiler.efforts import Efforts
from interpreter.compiler.layout import Layout
from interpreter.compiler.optimising.analysis import (
    INLINE_DEPTH,
    INLINE_WEIGHT,
    cost,
    defines_called,
    is_filter,
    is_range,
    loops_inside,
    pieces_at,
    quiet,
    static_defines,
    weight,
)
from interpreter.compiler.optimising.flattening import all_of, conjuncts
from interpreter.compiler.optimising.hoisting import Around, hangs_on, kept, steady
from interpreter.compiler.optimising.passes import (
    ALL,
    CHEAP_FIRST,
    HOISTING,
    LOOPS,
    NARROWING,
    PARTITIONS,
    REMEMBERING,
    WRITING_OUT,
)
from interpreter.compiler.optimising.remembering import find_remembered, forgetting
from interpreter.compiler.python_syntax import (
    constant,
    expression,
    located,
    name,
    spending,
    statements,
    stored,
    tuple_of,
)
from interpreter.model import nodes as n
from interpreter.model import types as t
from interpreter.model.core import CheckedModel, Core, children
from interpreter.model.nodes import locals_of
from interpreter.source.text import Span

Handlers = dict[str | type, Callable[["Emitter", Any], Any]]
MOST_NUMBERS = 1_000  # numbers of a range that is no matter of the budget
_CHEAP = n.Literal | n.Local | n.GameValue


class Emitter:
    """Emits expressions of one model."""

    __slots__ = (
        "model",
        "layout",
        "instrument",
        "static",
        "bound",
        "pin",
        "fresh",
        "small",
        "depth",
        "pre",
        "parts",
        "forced",
        "alone",
        "loops",
        "around",
        "apart",
        "memories",
        "remembered",
        "noting",
        "handlers",
        "thrown",
        "noted",
        "markers",
        "read_by",
        "searches",
        "passes",
        "judged",
        "efforts",
        "made",
        "tables",
        "in_table",
    )

    def __init__(
        self,
        model: CheckedModel,
        layout: Layout,
        handlers: Handlers,
        instrument: bool = False,
        alone: Core | None = None,
        passes: frozenset[str] = ALL,
    ) -> None:
        self.model = model
        self.layout = layout
        self.instrument = instrument
        self.passes = passes
        self.static = static_defines(model)
        self.efforts = Efforts(model, self.static)
        self.bound: dict[str, Callable[[], Any]] = {}  # names inside a define that is written out at its call
        self.pin: Span | None = None  # what such code points at: the call, since a function has one file only
        self.fresh = 0
        self.pre: list[ast.stmt] | None = None  # where loops go that need not be expressions
        self.forced = ""
        self.loops: tuple[str, ...] = ()  # names of the loops around a test, when values may be remembered
        self.around: list[Around] = []  # the loops, made as statements, that code is being made inside of
        self.apart = False  # what is bound inside an expression must not be seen outside it
        self.memories: list[str] = []
        self.alone = alone is not None  # code for one expression: no tables of its own can be prepared
        self.parts: dict[tuple[str, str | None, str], str] = {}
        self.depth = 0
        self.noting = False  # in a program for ledgers: what is emitted now notes its look-ups
        self.thrown: frozenset[str] = frozenset()  # names of dice in the procedure being emitted
        self.noted: dict[str, bool] = {}  # defines of which it is known whether they have something to note
        self.handlers = handlers
        self.judged: Judged = {}
        self.made: list[tuple[ast.stmt, Span]] = []  # functions that expressions call
        self.tables: dict[str, str] = {}  # names of tables that fill as they are read, by what is read from them
        self.in_table = False  # what is emitted now fills one
        defines = list(model.defines.values()) if alone is None else defines_called(model, alone)
        shared = quiet(model, defines) if instrument else defines  # nothing remembered may hide what is to be noted
        kept = find_remembered(model, layout, self.static, shared, self.alone, passes)
        self.remembered, self.markers = kept.names, kept.markers
        self.read_by, self.searches = kept.read_by, kept.searches
        self.small = frozenset(d.name for d in defines if weight(d.value) <= INLINE_WEIGHT)

    def forgetting(self, slots: list[str]) -> list[ast.stmt]:
        """Statements after which nothing is remembered that was worked out from these slots of the state."""
        return forgetting(self.read_by, slots)

    def within(self, var: str, domain: n.Things) -> Any:
        """A test that a value of a loop's name is among all things of the domain; None when every value is."""
        if domain.cls is not None:
            return expression(f"_1 in IS_{domain.cls}", name("v_" + var))
        if all(x.holding is None for x in self.model.ruleset.kinds[domain.kind].things):
            return None
        return expression("ON_MAP[_1]", name("v_" + var))

    def emit(self, core: Core) -> Any:
        """The Python expression of `core`, pointing at its place in the rules."""
        shares = self.loops and self.pre is not None and self.pin is None and REMEMBERING in self.passes
        if shares and facts_of(core).is_kept:
            remembered = self._remembered(core)
            if remembered is not None:
                return remembered
        handler = self.handlers[core.name if isinstance(core, n.Operation) else type(core)]
        return located(handler(self, core), self.pin or core.span)

    def _remembered(self, core: Core) -> Any:
        """A costly value that some loop around does not change is worked out once for each value it depends on."""
        used = [x for x in self.loops if x in locals_of(core)]
        if len(used) == len(self.loops) or isinstance(core.type, t.Maybe) or not loops_inside(self.model, core, 2):
            return None
        assert self.pre is not None
        outer, self.pre, loops, self.loops = self.pre, [], self.loops, ()
        value = self.emit(core)
        inner, self.pre, self.loops = self.pre, outer, loops
        found, table = self.temporary(), self.temporary()
        self.memories.append(table)
        names = [name("v_" + x) for x in used]
        key = names[0] if len(names) == 1 else tuple_of(names) if names else constant(0)
        outer.extend(
            located(
                statements(
                    "_1 = _3.get(_4)\nif _2 is None:\n    _5\n    _1 = _3[_4] = _6",
                    stored(found),
                    name(found),
                    name(table),
                    key,
                    inner or [ast.Pass()],
                    value,
                ),
                core.span,
            )
        )
        return name(found)

    # --- loops as statements ----------------------------------------------------------------

    def lifted(self, core: Core) -> tuple[list[ast.stmt], Any]:
        """Statements to run first, and the expression: a count or a quantifier becomes a plain loop."""
        if self.noting or LOOPS not in self.passes:
            return [], self.plainly(core)  # what is noted keeps its order
        kept, self.pre = self.pre, []
        value = self.emit(core)
        before, self.pre = self.pre, kept
        return before, value

    def plainly(self, core: Core) -> Any:
        """An expression that may not be evaluated at all, or not here: no loop may leave it."""
        kept, self.pre = self.pre, None
        value = self.emit(core)
        self.pre = kept
        return value

    def tested(self, tests: list[Core], body: list[ast.stmt]) -> list[ast.stmt]:
        """`body` behind tests, each evaluated only when those before it hold."""
        for core in reversed(tests):
            joined = core.name if isinstance(core, n.Operation) and LOOPS in self.passes else ""
            if isinstance(core, n.Operation) and joined == "and":
                body = self.tested(self.in_order(core.operands), body)
                continue
            if (
                isinstance(core, n.Operation)
                and joined == "or"
                and not self.noting
                and any(loops_inside(self.model, x, 1) for x in core.operands[1:])
            ):
                before, settled = self.decided(core)
                body = [*before, located(ast.If(name(settled), body, []), self.pin or core.span)]
                continue
            before, value = self.lifted(core)
            body = [*before, located(ast.If(value, body, []), self.pin or core.span)]
        return body

    def in_order(self, tests: Sequence[Core]) -> list[Core]:
        """Tests beside each other in the order to make them: the cheap ones first, where none may fault."""
        if self.noting or CHEAP_FIRST not in self.passes or not all(self.is_safe(test) for test in tests):
            return list(tests)
        return sorted(tests, key=cost)

    def condition(self, core: Core) -> tuple[list[ast.stmt], Any]:
        """As `lifted`, for a test: where it joins others, their loops are plain loops too."""
        joined = isinstance(core, n.Operation) and core.name in ("and", "or") and LOOPS in self.passes
        if joined and not self.noting and any(loops_inside(self.model, x, 1) for x in children(core)[1:]):
            before, settled = self.decided(core)
            return before, name(settled)
        return self.lifted(core)

    def decided(self, core: Core) -> tuple[list[ast.stmt], str]:
        """Statements that work out whether a test holds, and the name of the answer: loops stay plain loops."""
        found = self.temporary()
        yes = located(statements("_1 = True", stored(found)), self.pin or core.span)
        made = statements("_1 = False", stored(found))
        parts = self.in_order(core.operands) if isinstance(core, n.Operation) and core.name == "or" else [core]
        for number, part in enumerate(parts):
            tried = self.tested([part], yes)
            made += tried if number == 0 else [ast.If(ast.UnaryOp(ast.Not(), name(found)), tried, [])]
        return located(made, self.pin or core.span), found

    @contextmanager
    def elsewhere(self) -> Iterator[None]:
        """What is emitted meanwhile stands in a function of its own."""
        around = self.bound, self.pin, self.pre, self.around, self.loops, self.depth
        self.bound, self.pin, self.pre, self.around, self.loops, self.depth = {}, None, [], [], (), 0
        yield
        self.bound, self.pin, self.pre, self.around, self.loops, self.depth = around

    def temporary(self) -> str:
        """A Python name for a value in passing."""
        self.fresh += 1
        return f"x{self.fresh}"

    @staticmethod
    def through(iterator: Any, steps: int) -> Any:
        """What a loop goes through, so many steps for each member counted before it begins."""
        return expression("_through(G, _1, _2)", iterator, constant(steps)) if steps else iterator

    def looped(self, var: str, iterator: Any, body: list[ast.stmt], steps: int) -> list[ast.stmt]:
        """A loop as statements; so many steps for each member are counted before it begins."""
        if not steps:
            return [ast.For(stored(var), iterator, body, [])]
        gone = self.temporary()
        times = expression("len(_1)", name(gone))
        spent = times if steps == 1 else expression("_1 * _2", times, constant(steps))
        return [
            ast.Assign([stored(gone)], iterator),
            *spending(spent),
            ast.For(stored(var), name(gone), body, []),
        ]

    def loop_before(
        self,
        var: str,
        domain: Core,
        where: Core | None,
        found: Callable[[], list[ast.stmt]],
        steps: int,
        backwards: bool = False,
    ) -> None:
        """A loop statement put before the expression that is being emitted."""
        assert self.pre is not None
        kept, outer = self.bound, self.pre
        made, iterator, tests, where = self.sorted_source(var, domain, where)
        iterator, tests, where = self._once_for_all(made, iterator, tests, where, steps)
        self.pre = []
        self.around.append(Around(made, outer, self.fresh))
        body = found()
        inner, self.pre = [*self.pre, *body], outer
        if where is not None:
            inner = self.tested([where], inner)
        self.around.pop()
        for test in reversed(tests):
            inner = [ast.If(test, inner, [])]
        self.bound = kept
        looped = self.looped(made, iterator, inner, steps)
        if backwards and isinstance(loop := looped[-1], ast.For):
            loop.iter = expression("_reversed(_1)", loop.iter)
        outer.extend(located(looped, self.pin or domain.span))

    def _once_for_all(
        self, made: str, iterator: Any, tests: list[Any], where: Core | None, steps: int
    ) -> tuple[Any, list[Any], Core | None]:
        """What a loop runs over, sorted out once by those tests that do not hang on loops around; the other tests."""
        if not self.around or HOISTING not in self.passes or hangs_on([iterator, *tests], self.around[-1]):
            return iterator, tests, where
        ready, rest, parts = list(tests), list[Core](), conjuncts(where) if where is not None else []
        safe = list(takewhile(self.is_safe, parts))
        for part in safe:
            test = self.plainly(part)
            if hangs_on([test], self.around[-1]):
                rest.append(part)
            else:
                ready.append(test)
        if not ready:
            return (self.once(iterator) if isinstance(iterator, ast.Call) else iterator), [], where
        iterator = self.through(iterator, steps)
        found = self.once(ast.ListComp(name(made), [ast.comprehension(stored(made), iterator, ready, 0)]))
        left = [*rest, *parts[len(safe) :]]
        return found, [], all_of(left, where.span) if left and where is not None else None

    def once(self, value: Any) -> Any:
        """A value that is worked out once for all turns of the loops around that it does not hang on."""
        loops = steady([value], self.around) if HOISTING in self.passes else []
        if self.pre is None or not loops:
            return value
        made = self.temporary()
        self.pre.append(kept(made, value, loops))
        return name(made)

    # --- defines written out where they are called -------------------------------------

    def can_inline(self, core: Core) -> TypeGuard[n.Call]:
        """True for a call of a small define whose arguments are as cheap as names."""
        return (
            isinstance(core, n.Call)
            and core.sort == "define"
            and WRITING_OUT in self.passes
            and core.name in self.small
            and core.name not in self.remembered
            and core.name not in self.static
            and self.depth < INLINE_DEPTH
            and all(self._is_at_hand(a) for a in core.args)
        )

    def _is_at_hand(self, core: Core) -> bool:
        """True for what costs no more than a name: names, constants, and attributes of a name that never change."""
        if isinstance(core, n.AttributeOf):
            return (
                not core.lenient
                and self.layout.column_of(core.kind, core.name) is None
                and isinstance(core.owner, n.Local)
            )
        return isinstance(core, _CHEAP)

    def inlined(self, core: n.Call, emit_body: Callable[[Core], Any]) -> Any:
        """What `emit_body` makes of a define's value with the call's arguments in place of its parameters."""
        define = self.model.defines[core.name]
        outer, pin = self.bound, self.pin
        arguments: dict[str, Callable[[], Any]] = {}
        for (param, _), arg in zip(define.params, core.args, strict=True):
            arguments[param] = self._later(arg, outer)
        self.bound, self.pin = arguments, pin or core.span
        self.depth += 1
        try:
            return emit_body(define.value)
        finally:
            self.bound, self.pin = outer, pin
            self.depth -= 1

    def _later(self, arg: Core, bound: dict[str, Callable[[], Any]]) -> Callable[[], Any]:
        def emit_there() -> Any:
            kept, self.bound = self.bound, bound
            try:
                return self.emit(arg)
            finally:
                self.bound = kept

        return emit_there

    def bind(self, var: str) -> str:
        """The Python name of a name bound inside an expression; fresh where code is written out."""
        if self.forced:
            made, self.forced = self.forced, ""
            self.bound = {**self.bound, var: lambda: name(made)}
            return made
        if self.pin is None and not self.apart and not self._in_use("v_" + var, var):
            self.bound = {x: f for x, f in self.bound.items() if x != var}
            return "v_" + var
        self.fresh += 1
        made = f"w{self.fresh}_{var}"
        self.bound = {**self.bound, var: lambda: name(made)}
        return made

    def _in_use(self, made: str, var: str) -> bool:
        """True when another name of the rules is read through this Python name."""
        return any(isinstance(node := f(), ast.Name) and node.id == made for x, f in self.bound.items() if x != var)

    def many(self, cores: Sequence[Core]) -> list[Any]:
        """Several expressions, one after the other: behind one that may fault no loop leaves its place."""
        made, kept = [], self.pre
        for core in cores:
            made.append(self.emit(core))
            if self.pre is not None and not self.is_safe(core):
                self.pre = None
        self.pre = kept
        return made

    def has_loops(self, core: Core) -> bool:
        """True for what goes through something where it stands, and not in a function of its own."""
        if isinstance(core, n.Former) or self.can_inline(core) and self.has_loops(self.model.defines[core.name].value):
            return True
        return any(self.has_loops(child) for child in children(core))

    def is_safe(self, core: Core) -> bool:
        """True for what cannot fault: it may be worked out sooner, or not at all."""
        return not may_fault(self.model, core, self.judged)

    # --- sets ------------------------------------------------------------------------------

    def numbers(self, core: n.Operation) -> Any:
        """The whole numbers of a range, to go through."""
        match core.operands:
            case (n.Literal(int() as low), n.Literal(int() as high)) if high - low < MOST_NUMBERS:
                return expression("range(_1, _2)", constant(low), constant(high + 1))
        return expression("_range(_1, _2)", *self.many(core.operands))

    def iterable(self, domain: Core) -> tuple[Any, Core | None]:
        """Something to loop over, cheaper than the set itself."""
        if is_range(domain):
            return self.numbers(domain), None
        if self.goes_through_filter(domain):
            kept = self.bound
            element, iterator, tests = self.source("_", domain)
            self.bound = kept
            iterator = self.through(iterator, self.efforts.charge(domain))
            return ast.ListComp(name(element), [ast.comprehension(stored(element), iterator, tests, 0)]), None
        return self.emit(domain), None

    def loop(self, var: str, domain: Core, body: list[ast.stmt], steps: int = 0) -> list[ast.stmt]:
        """A loop over a domain that nothing in `body` changes: a filter is tested as it goes."""
        if not self.goes_through_filter(domain):
            outer, self.pre = self.pre, []
            iterator, _ = self.iterable(domain)
            before, self.pre = self.pre, outer
            return [*before, *self.looped("v_" + var, iterator, body, steps)]
        outer, kept, self.pre = self.pre, self.bound, []
        self.forced = "v_" + var
        _, iterator, tests = self.source(var, domain)
        self.forced = ""
        before, self.pre, self.bound = self.pre, outer, kept
        for test in reversed(tests):
            body = [ast.If(test, body, [])]
        return [*before, *self.looped("v_" + var, iterator, body, steps)]

    def source(self, var: str, domain: Core) -> tuple[str, Any, list[Any]]:
        """The Python name of a loop's variable (bound from now on), what it runs over, and tests to pass.

        A domain that is itself a filter is not built: its test joins the loop's.
        """
        if is_range(domain):
            iterator = self._unforced(lambda: self.numbers(domain))
            return self.bind(var), iterator, []
        if self.can_inline(domain):
            value = self.model.defines[domain.name].value
            if self._goes_along(value):
                filtered: n.Former = value
                outer = self.bound
                made, iterator, tests = self.inlined(domain, lambda _: self._filter_source(filtered, var))
                self.bound = {**outer, var: lambda: name(made)}
                return made, iterator, tests
        if self._goes_along(domain):
            outer = self.bound
            made, iterator, tests = self._filter_source(domain, var)
            self.bound = {**outer, var: lambda: name(made)}
            return made, iterator, tests
        if isinstance(domain, n.PiecesAt) and domain.cls is not None and len(self.model.ruleset.classes) > 1:
            place = domain.place
            here = self._unforced(lambda: expression("G.occ[_1]", self.emit(place)))
            made = self.bind(var)
            return made, here, [expression(f"_1 in IS_{domain.cls}", name(made))]
        iterator = self._unforced(lambda: self.emit(domain))
        return self.bind(var), iterator, []

    def _unforced(self, emit: Callable[[], Any]) -> Any:
        """What is emitted before the loop's own name is bound does not take that name."""
        forced, self.forced = self.forced, ""
        made = emit()
        self.forced = forced
        return made

    def _filter_source(self, body: n.Former, outer_var: str) -> tuple[str, Any, list[Any]]:
        made, iterator, tests, where = self.sorted_source(body.var, body.domain, body.where)
        if where is not None:
            tests.append(self.plainly(where))
        return made, iterator, tests

    def sorted_source(self, var: str, domain: Core, where: Core | None) -> tuple[str, Any, list[Any], Core | None]:
        """The same of a loop with a test, and what is left of the test: things may be sorted out by it already."""
        part = self._unforced(lambda: self._partition(var, domain, where))
        if part is None:
            return *self.source(var, domain), where
        return self.bind(var), part[0], [], part[1]

    def _partition(self, var: str, domain: Core, where: Core | None) -> tuple[Any, Core | None] | None:
        """All things of a kind whose constant attribute has a value: they are sorted out once for all.

        Gives the iterator and what remains of the condition.
        """
        if where is None or not isinstance(domain, n.Things) or self.alone or PARTITIONS not in self.passes:
            return None
        tests = list(where.operands) if isinstance(where, n.Operation) and where.name == "and" else [where]
        for number, test in enumerate(tests):
            iterator, own = self._sorted_by(var, domain, test), list[Core]()
            if iterator is None and domain.kind == "piece" and NARROWING in self.passes:
                here = pieces_at(var, test)
                iterator = None if here is None or not self.is_safe(here) else self.emit(here)
                if domain.cls is not None:
                    own = [n.Exists(n.Local(var, t.PIECE, where.span), domain.cls, t.FLAG, where.span)]
            if iterator is not None:
                rest = [*own, *tests[:number], *tests[number + 1 :]]
                return iterator, all_of(rest, where.span) if rest else None
            if not self.is_safe(test):
                break
        return None

    def _sorted_by(self, var: str, domain: n.Things, test: Core) -> Any:
        """The things of which a value that never changes is what a test wants; None where it wants nothing such."""
        if not isinstance(test, n.Operation) or test.name != "==":
            return None
        for mine, other in (test.operands, test.operands[::-1]):
            column = self._column(mine, var)
            if column is not None and var not in locals_of(other) and self.is_safe(other):
                return expression("_1.get(_2, ())", name(self.part(domain, column)), self.emit(other))
        return None

    def _column(self, core: Core, var: str) -> str | None:
        """The table of a value of a thing that never changes, where an expression is one."""
        match core:
            case n.AttributeOf(kind, attribute, n.Local(owner), False) if owner == var:
                told = isinstance(core.type, t.ThingOf | t.OneOf | t.Rung | t.Flag)
                return self.layout.constants.get((kind, attribute)) if told else None
            case n.Operation("column_of" | "row_of" as called, (n.Local(owner),)) if owner == var and self._is_grid():
                return {"column_of": "COLUMNS", "row_of": "ROWS"}[called]
        return None

    def _is_grid(self) -> bool:
        """True where every place on the map has its column and row."""
        rs = self.model.ruleset
        places = enumerate(rs.kinds["place"].things)
        cells = () if rs.grid is None else rs.grid.column_row
        return all(x.holding is not None or i < len(cells) and cells[i] is not None for i, x in places)

    def part(self, domain: n.Things, column: str) -> str:
        """The name of a table: all things of a kind by the value of a constant attribute."""
        return self.parts.setdefault((domain.kind, domain.cls, column), f"PART{len(self.parts)}")

    def goes_through_filter(self, core: Core) -> bool:
        """True for a filter, or a call of a define that is one."""
        return self._goes_along(core) or self._inlines_to_filter(core)

    def _goes_along(self, core: Core) -> TypeGuard[n.Former]:
        """True for a filter whose test may be made member by member, between whatever else is done with them."""
        return is_filter(core) and (core.where is None or self.is_safe(core.where))

    def _inlines_to_filter(self, core: Core) -> bool:
        return self.can_inline(core) and self._goes_along(self.model.defines[core.name].value)


def normal(core: Core, made: Any) -> Any:
    """The number that an operation makes; of fractions that come out even a whole one."""
    return expression("_normal(_1)", made) if isinstance(core.type, t.Number) else made
