"""Checked expressions -> Python expressions.

In the code made here `G` is the state; locals of rules are `v_name`; functions of the
ruleset are `d_`, `r_`, `t_` (define, rule, tally); `_words` are functions of the runtime.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from interpreter.compiler import charts
from interpreter.compiler.efforts import Efforts
from interpreter.compiler.layout import Layout
from interpreter.compiler.optimising.analysis import (
    INLINE_DEPTH,
    INLINE_WEIGHT,
    defines_called,
    locals_of,
    loops_inside,
    silent,
    static_defines,
    weight,
)
from interpreter.compiler.optimising.remembering import find_remembered, forgetting
from interpreter.compiler.python_syntax import constant, expression, located, name, statements, stored, tuple_of
from interpreter.model import types as t
from interpreter.model.core import CheckedModel, Core
from interpreter.source.text import Span

_COMPARE = {"==": ast.Eq, "!=": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE}
MOST_NUMBERS = 1_000  # numbers of a range that is no matter of the budget
_COSTLY = ("former", "define", "rule", "tally", "builtin", "possible", "search")
_CHEAP = ("const", "local", "game", "attr")


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
        "memories",
        "remembered",
        "noting",
        "handlers",
        "thrown",
        "noted",
        "markers",
        "read_by",
        "searches",
        "hearing",
        "efforts",
    )

    def __init__(
        self,
        model: CheckedModel,
        layout: Layout,
        instrument: bool = False,
        alone: Core | None = None,
        hearing: bool = False,
    ) -> None:
        self.model = model
        self.layout = layout
        self.instrument = instrument
        self.hearing = hearing  # look-ups are heard: none may be hidden by a value that is remembered
        self.static = static_defines(model)
        self.efforts = Efforts(model, self.static)
        self.bound: dict[str, Callable[[], Any]] = {}  # names inside a define that is written out at its call
        self.pin: Span | None = None  # what such code points at: the call, since a function has one file only
        self.fresh = 0
        self.pre: list[ast.stmt] | None = None  # where loops go that need not be expressions
        self.forced = ""
        self.loops: tuple[str, ...] = ()  # names of the loops around a test, when values may be remembered
        self.memories: list[str] = []
        self.alone = alone is not None  # code for one expression: no tables of its own can be prepared
        self.parts: dict[tuple[str, str | None, str], str] = {}
        self.depth = 0
        self.noting = False  # in a program for ledgers: what is emitted now notes its look-ups
        self.thrown: frozenset[str] = frozenset()  # names of dice in the procedure being emitted
        self.noted: dict[str, bool] = {}  # defines of which it is known whether they have something to note
        self.handlers = _HANDLERS
        defines = list(model.defines.values()) if alone is None else defines_called(model, alone)
        kept = find_remembered(
            model, layout, self.static, [] if instrument else silent(model, defines) if hearing else defines, self.alone
        )
        self.remembered, self.markers = kept.names, kept.markers
        self.read_by, self.searches = kept.read_by, kept.searches
        self.small = frozenset(d.name for d in defines if weight(d.value) <= INLINE_WEIGHT)

    def forgetting(self, slots: list[str]) -> list[ast.stmt]:
        """Statements after which nothing is remembered that was worked out from these slots of the state."""
        return forgetting(self.read_by, slots)

    def within(self, var: str, domain: Core) -> Any:
        """A test that a value of a loop's name is among all things of the domain; None when every value is."""
        kind, cls = domain.args
        if cls is not None:
            return expression(f"_1 in IS_{cls}", name("v_" + var))
        if all(x.holding is None for x in self.model.ruleset.kinds[kind].things):
            return None
        return expression("ON_MAP[_1]", name("v_" + var))

    def emit(self, core: Core) -> Any:
        """The Python expression of `core`, pointing at its place in the rules."""
        if self.loops and self.pre is not None and self.pin is None and core.op in _COSTLY:
            remembered = self._remembered(core)
            if remembered is not None:
                return remembered
        return located(self.handlers[core.op](self, core), self.pin or core.span)

    def _remembered(self, core: Core) -> Any:
        """A costly value that some loop around does not change is worked out once for each value it depends on."""
        used = [n for n in self.loops if n in locals_of(core)]
        if len(used) == len(self.loops) or isinstance(core.type, t.Maybe) or not loops_inside(self.model, core, 2):
            return None
        assert self.pre is not None
        outer, self.pre, loops, self.loops = self.pre, [], self.loops, ()
        value = self.emit(core)
        inner, self.pre, self.loops = self.pre, outer, loops
        found, table = self.temporary(), self.temporary()
        self.memories.append(table)
        names = [name("v_" + n) for n in used]
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
        if self.noting:
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
            if core.op == "and" and not self.instrument:
                body = self.tested(list(core.args), body)
                continue
            if (
                core.op == "or"
                and not self.instrument
                and not self.noting
                and any(loops_inside(self.model, x, 1) for x in core.args[1:])
            ):
                before, settled = self.decided(core)
                body = [*before, located(ast.If(name(settled), body, []), self.pin or core.span)]
                continue
            before, value = self.lifted(core)
            body = [*before, located(ast.If(value, body, []), self.pin or core.span)]
        return body

    def decided(self, core: Core) -> tuple[list[ast.stmt], str]:
        """Statements that work out whether a test holds, and the name of the answer: loops stay plain loops."""
        found = self.temporary()
        yes = located(statements("_1 = True", stored(found)), self.pin or core.span)
        made = statements("_1 = False", stored(found))
        for n, part in enumerate(core.args if core.op == "or" else (core,)):
            tried = self.tested([part], yes)
            made += tried if n == 0 else [ast.If(ast.UnaryOp(ast.Not(), name(found)), tried, [])]
        return located(made, self.pin or core.span), found

    def temporary(self) -> str:
        """A Python name for a value in passing."""
        self.fresh += 1
        return f"x{self.fresh}"

    @staticmethod
    def through(iterator: Any, steps: int) -> Any:
        """What a loop goes through, so many steps for each member counted before it begins."""
        return expression("_through(G, _1, _2)", iterator, constant(steps)) if steps else iterator

    def _loop(
        self, var: str, domain: Core, where: Core | None, found: Callable[[], list[ast.stmt]], steps: int
    ) -> None:
        """A loop statement put before the expression that is being emitted."""
        assert self.pre is not None
        kept, outer = self.bound, self.pre
        made, iterator, tests = self.source(var, domain)
        iterator = self.through(iterator, steps)
        self.pre = []
        body = found()
        inner, self.pre = [*self.pre, *body], outer
        if where is not None:
            inner = self.tested([where], inner)
        for test in reversed(tests):
            inner = [ast.If(test, inner, [])]
        self.bound = kept
        outer.append(located(ast.For(stored(made), iterator, inner, []), self.pin or domain.span))

    # --- defines written out where they are called -------------------------------------

    def can_inline(self, core: Core) -> bool:
        """True for a call of a small define whose arguments are as cheap as names."""
        return (
            core.op == "define"
            and not self.instrument
            and core.args[0] in self.small
            and core.args[0] not in self.remembered
            and core.args[0] not in self.static
            and self.depth < INLINE_DEPTH
            and all(self._is_at_hand(a) for a in core.args[1:])
        )

    def _is_at_hand(self, core: Core) -> bool:
        """True for what costs no more than a name: names, constants, and attributes of a name that never change."""
        if core.op == "attr":
            kind, attribute, owner = core.args
            return self.layout.column_of(kind, attribute) is None and owner.op == "local"
        return core.op in ("local", "const", "game")

    def inlined(self, core: Core, emit_body: Callable[[Core], Any]) -> Any:
        """What `emit_body` makes of a define's value with the call's arguments in place of its parameters."""
        define = self.model.defines[core.args[0]]
        outer, pin = self.bound, self.pin
        arguments: dict[str, Callable[[], Any]] = {}
        for (param, _), arg in zip(define.params, core.args[1:], strict=True):
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
        if self.pin is None and not self._in_use("v_" + var, var):
            self.bound = {n: f for n, f in self.bound.items() if n != var}
            return "v_" + var
        self.fresh += 1
        made = f"w{self.fresh}_{var}"
        self.bound = {**self.bound, var: lambda: name(made)}
        return made

    def _in_use(self, made: str, var: str) -> bool:
        """True when another name of the rules is read through this Python name."""
        return any(isinstance(node := f(), ast.Name) and node.id == made for n, f in self.bound.items() if n != var)

    def many(self, cores: Any) -> list[Any]:
        """Several expressions."""
        return [self.emit(x) for x in cores]

    # --- simple values ---------------------------------------------------------------

    def _const(self, core: Core) -> Any:
        return constant(core.args[0])

    def _local(self, core: Core) -> Any:
        if core.args[0] in self.bound:
            return self.bound[core.args[0]]()
        return name("v_" + core.args[0])

    def _all(self, core: Core) -> Any:
        kind, cls = core.args
        return name(f"ALL_{kind}_{cls}" if cls else f"ALL_{kind}")

    def _attr(self, core: Core) -> Any:
        kind, attribute, owner = core.args
        column = self.layout.column_of(kind, attribute)
        if column is None:
            return expression("_1[_2]", name(self.layout.constants[(kind, attribute)]), self.emit(owner))
        return expression(f"G.{column}[_1]", self.emit(owner))

    def _maybe_attr(self, core: Core) -> Any:
        kind, attribute, owner = core.args
        column = self.layout.column_of(kind, attribute)
        if charts.is_between(self, core):
            return charts.between(self, core)
        values = name(self.layout.constants[(kind, attribute)]) if column is None else expression(f"G.{column}")
        return expression("_attribute_or_none(_1, _2)", values, self.emit(owner))

    def _game(self, core: Core) -> Any:
        return expression(f"G.{self.layout.game[core.args[0]]}")

    def _turn(self, core: Core) -> Any:
        return expression("G.turn")

    def _last_turn(self, core: Core) -> Any:
        return expression("G.last_turn")

    # --- logic and numbers -----------------------------------------------------------------

    def _and_or(self, core: Core) -> Any:
        first, *rest = core.args
        items = [self.emit(first), *(self.plainly(x) for x in rest)]
        return ast.BoolOp(ast.And() if core.op == "and" else ast.Or(), items)

    def _not(self, core: Core) -> Any:
        return expression("not _1", self.emit(core.args[0]))

    def _cmp(self, core: Core) -> Any:
        symbol, left, right = core.args
        if (
            symbol in ("==", "!=")
            and right.op == "set"
            and not right.args
            and not self.noting
            and (left.op == "pieces_at" or self._is_filter(left) or self._inlines_to_filter(left))
        ):
            steps = self.efforts.charge(left)
            return self._quantified("no" if symbol == "==" else "any", "_", left, None, None, steps)  # no set is made
        return ast.Compare(self.emit(left), [_COMPARE[symbol]()], [self.emit(right)])

    def _in(self, core: Core) -> Any:
        item, domain = core.args
        if domain.op == "range":
            text = "_1 <= _2 <= _3" if isinstance(item.type, t.Int) else "_is_among(_2, _1, _3)"
            test = expression(text, self.emit(domain.args[0]), self.emit(item), self.emit(domain.args[1]))
            return test if core.op == "in" else expression("not _1", test)
        among = self.emit(domain)
        if self.efforts.is_endless(domain.type):
            among = expression("_looked(G, _1)", among)
        return ast.Compare(self.emit(item), [ast.In() if core.op == "in" else ast.NotIn()], [among])

    def _arithmetic(self, core: Core) -> Any:
        left, right = self.emit(core.args[0]), self.emit(core.args[1])
        if core.op == "div":
            return expression("_quotient(_1, _2)", left, right)
        op = {"add": ast.Add, "sub": ast.Sub, "mul": ast.Mult}[core.op]()
        made = ast.BinOp(left, op, right)
        return expression("_sized(_1)", made) if core.op == "mul" and self.efforts.multiplies(core) else made

    def _neg(self, core: Core) -> Any:
        return expression("-_1", self.emit(core.args[0]))

    def _cond(self, core: Core) -> Any:
        test, yes, no = core.args
        return ast.IfExp(self.emit(test), self.plainly(yes), self.plainly(no))

    def _orelse(self, core: Core) -> Any:
        value, fallback = core.args
        if fallback.op in _CHEAP:
            if charts.is_between(self, value):
                return charts.between(self, value, self.emit(fallback))
            return expression("_or(_1, _2)", self.emit(value), self.emit(fallback))
        return expression("_or_call(_1, lambda: _2)", self.emit(value), self.plainly(fallback))

    # --- sets ------------------------------------------------------------------------------

    def _union(self, core: Core) -> Any:
        if isinstance(core.type, t.ListOf):
            return expression("_joined(G, _1, _2)", *self.many(core.args))
        united = expression("_union(_1, _2)", *self.many(core.args))
        return expression("_gathered(G, _1)", united) if self.efforts.is_endless(core.type) else united

    def _minus(self, core: Core) -> Any:
        made = expression("_minus(_1, _2)", *self.many(core.args))
        return expression("_looked(G, _1)", made) if self.efforts.is_endless(core.type) else made

    def _range(self, core: Core) -> Any:
        return expression("tuple(_1)", self.numbers(core))

    def numbers(self, core: Core) -> Any:
        """The whole numbers of a range, to go through."""
        low, high = core.args
        if low.op == high.op == "const" and high.args[0] - low.args[0] < MOST_NUMBERS:
            return expression("range(_1, _2)", constant(low.args[0]), constant(high.args[0] + 1))
        return expression("_range(_1, _2)", *self.many(core.args))

    def iterable(self, domain: Core) -> tuple[Any, Core | None]:
        """Something to loop over, cheaper than the set itself."""
        if domain.op == "range":
            return self.numbers(domain), None
        if self._is_filter(domain) or self._inlines_to_filter(domain):
            kept = self.bound
            element, iterator, tests = self.source("_", domain)
            self.bound = kept
            iterator = self.through(iterator, self.efforts.charge(domain))
            return ast.ListComp(name(element), [ast.comprehension(stored(element), iterator, tests, 0)]), None
        return self.emit(domain), None

    def loop(self, var: str, domain: Core, body: list[ast.stmt], steps: int = 0) -> list[ast.stmt]:
        """A loop over a domain that nothing in `body` changes: a filter is tested as it goes."""
        if not (self._is_filter(domain) or self._inlines_to_filter(domain)):
            outer, self.pre = self.pre, []
            iterator, _ = self.iterable(domain)
            before, self.pre = self.pre, outer
            return [*before, ast.For(stored("v_" + var), self.through(iterator, steps), body, [])]
        outer, kept, self.pre = self.pre, self.bound, []
        self.forced = "v_" + var
        _, iterator, tests = self.source(var, domain)
        self.forced = ""
        before, self.pre, self.bound = self.pre, outer, kept
        for test in reversed(tests):
            body = [ast.If(test, body, [])]
        return [*before, ast.For(stored("v_" + var), self.through(iterator, steps), body, [])]

    @staticmethod
    def _is_filter(core: Core) -> bool:
        """`{x in s where c}`: a set that need not be built to be gone through."""
        return (
            core.op == "former"
            and core.args[0] == "set"
            and core.args[4] is None
            and core.args[5] is None
            and isinstance(core.args[2].type, t.SetOf)
        )

    def source(self, var: str, domain: Core) -> tuple[str, Any, list[Any]]:
        """The Python name of a loop's variable (bound from now on), what it runs over, and tests to pass.

        A domain that is itself a filter is not built: its test joins the loop's.
        """
        if domain.op == "range":
            iterator = self._unforced(lambda: self.numbers(domain))
            return self.bind(var), iterator, []
        if self.can_inline(domain):
            value = self.model.defines[domain.args[0]].value
            if self._is_filter(value):
                outer = self.bound
                made, iterator, tests = self.inlined(domain, lambda body: self._filter_source(body, var))
                self.bound = {**outer, var: lambda: name(made)}
                return made, iterator, tests
        if self._is_filter(domain):
            outer = self.bound
            made, iterator, tests = self._filter_source(domain, var)
            self.bound = {**outer, var: lambda: name(made)}
            return made, iterator, tests
        if domain.op == "pieces_at" and domain.args[0] is not None and len(self.model.ruleset.classes) > 1:
            here = self._unforced(lambda: expression("G.occ[_1]", self.emit(domain.args[1])))
            made = self.bind(var)
            return made, here, [expression(f"_1 in IS_{domain.args[0]}", name(made))]
        iterator = self._unforced(lambda: self.emit(domain))
        return self.bind(var), iterator, []

    def _unforced(self, emit: Callable[[], Any]) -> Any:
        """What is emitted before the loop's own name is bound does not take that name."""
        forced, self.forced = self.forced, ""
        made = emit()
        self.forced = forced
        return made

    def _filter_source(self, body: Core, outer_var: str) -> tuple[str, Any, list[Any]]:
        _, var, domain, where, _, _, _ = body.args
        part = self._unforced(lambda: self._partition(var, domain, where))
        if part is not None:
            iterator, where = part
            made = self.bind(var)
            tests: list[Any] = []
        else:
            made, iterator, tests = self.source(var, domain)
        if where is not None:
            tests.append(self.plainly(where))
        return made, iterator, tests

    def _partition(self, var: str, domain: Core, where: Core | None) -> tuple[Any, Core | None] | None:
        """All things of a kind whose constant attribute has a value: they are sorted out once for all.

        Gives the iterator and what remains of the condition.
        """
        if where is None or domain.op != "all" or self.alone:
            return None
        tests = list(where.args) if where.op == "and" else [where]
        for n, test in enumerate(tests):
            if test.op != "cmp" or test.args[0] != "==":
                continue
            for mine, other in ((test.args[1], test.args[2]), (test.args[2], test.args[1])):
                if (
                    mine.op == "attr"
                    and mine.args[2].op == "local"
                    and mine.args[2].args[0] == var
                    and (mine.args[0], mine.args[1]) in self.layout.constants
                    and var not in locals_of(other)
                    and isinstance(mine.type, t.ThingOf | t.OneOf | t.Rung | t.Flag)
                ):
                    rest = tests[:n] + tests[n + 1 :]
                    left = (
                        None
                        if not rest
                        else rest[0]
                        if len(rest) == 1
                        else Core("and", tuple(rest), t.FLAG, where.span)
                    )
                    made = self.part(domain, self.layout.constants[(mine.args[0], mine.args[1])])
                    return expression("_1.get(_2, ())", name(made), self.emit(other)), left
        return None

    def part(self, domain: Core, column: str) -> str:
        """The name of a table: all things of a kind by the value of a constant attribute."""
        return self.parts.setdefault((domain.args[0], domain.args[1], column), f"PART{len(self.parts)}")

    def comprehension(
        self, element: Callable[[], Any], var: str, domain: Core, where: Core | None, listed: bool, steps: int
    ) -> Any:
        """A list (or generator) over a domain."""
        kept, outer = self.bound, self.pre
        made, iterator, tests = self.source(var, domain)
        iterator = self.through(iterator, steps)
        self.pre = None
        if where is not None:
            tests.append(self.emit(where))
        body = element()
        self.bound, self.pre = kept, outer
        clause = ast.comprehension(stored(made), iterator, tests, 0)
        return (ast.ListComp if listed else ast.GeneratorExp)(body, [clause])

    def _former(self, core: Core) -> Any:
        sort, var, domain, where, result, extreme, measure = core.args
        steps = self.efforts.charge(domain, where, result, measure)

        def element() -> Any:
            return self._local(Core("local", (var,), core.type, core.span)) if result is None else self.emit(result)

        if sort == "set" and result is None and extreme is None and self._marks(var, domain, where):
            return expression("_on_map(_1, ON_MAP)", charts.marked(self, where.args[0], where.args[1:-1]))
        if sort in ("any", "no", "every"):
            return self._quantified(sort, var, domain, where, result, steps)
        if extreme is not None:
            listed = self.comprehension(
                lambda: tuple_of([self.emit(measure), element()]), var, domain, where, True, steps
            )
            chosen = expression(f"_{extreme}(_1)", listed)
            return expression("_as_set(_1)", chosen) if result is not None else chosen
        if sort == "count":
            return self.counted(var, domain, where, element, steps)
        if sort == "sum" and self.pre is not None:
            total = self.temporary()
            self.pre.extend(statements("_1 = 0", stored(total)))
            self._loop(var, domain, where, lambda: statements("_1 += _2", stored(total), element()), steps)
            return name(total)
        listed = self.comprehension(element, var, domain, where, True, steps)
        if sort == "sum":
            return expression("sum(_1)", listed)
        if sort in ("min", "max"):
            return expression(f"{sort}(_1, default=None)", listed)
        if sort == "set" and (result is not None or isinstance(domain.type, t.ListOf)):
            return expression("_as_set(_1)", listed)
        return expression("tuple(_1)", listed)

    def _marks(self, var: str, domain: Core, where: Core | None) -> bool:
        """`{h in places where d(s, h)}` is what a define marks."""
        return (
            where is not None
            and domain.op == "all"
            and domain.args == ("place", None)
            and where.op == "define"
            and where.args[0] in self.markers
            and where.args[-1].op == "local"
            and where.args[-1].args[0] == var
            and not any(var in locals_of(a) for a in where.args[1:-1])
        )

    def counted(self, var: str, domain: Core, where: Core | None, element: Callable[[], Any], steps: int) -> Any:
        """How many: no set is built for it."""
        if self.pre is not None:
            total = self.temporary()
            self.pre.extend(statements("_1 = 0", stored(total)))
            self._loop(var, domain, where, lambda: statements("_1 += 1", stored(total)), steps)
            return name(total)
        return expression("len(_1)", self.comprehension(element, var, domain, where, True, steps))

    def _quantified(self, sort: str, var: str, domain: Core, where: Core | None, then: Core | None, steps: int) -> Any:
        if self.pre is not None and (
            where is not None or then is not None or self._is_filter(domain) or self._inlines_to_filter(domain)
        ):
            return self._quantified_loop(sort, var, domain, where, then, steps)
        if sort == "every":
            assert then is not None
            failing = self.comprehension(
                lambda: expression("not _1", self.emit(then)), var, domain, where, False, steps
            )
            return expression("not any(_1)", failing)
        if (
            where is None
            and not self._is_filter(domain)
            and not self._inlines_to_filter(domain)
            and (domain.op != "pieces_at")
        ):
            found: Any = expression("len(_1) > 0", self.emit(domain))
        else:
            found = expression(
                "any(_1)",
                self.comprehension(
                    lambda: constant(True) if where is None else self.emit(where), var, domain, None, False, steps
                ),
            )
        return expression("not _1", found) if sort == "no" else found

    def _quantified_loop(
        self, sort: str, var: str, domain: Core, where: Core | None, then: Core | None, steps: int
    ) -> Any:
        """A quantifier as a loop that stops at the first member that settles it."""
        assert self.pre is not None
        result = self.temporary()
        settled = sort == "any"
        self.pre.extend(statements("_1 = _2", stored(result), constant(not settled)))

        def found() -> list[ast.stmt]:
            stop = statements("_1 = _2\nbreak", stored(result), constant(settled))
            if then is None:
                return stop
            before, value = self.lifted(then)
            return [*before, ast.If(ast.UnaryOp(ast.Not(), value), stop, [])]

        self._loop(var, domain, where, found, steps)
        return name(result)

    def _inlines_to_filter(self, core: Core) -> bool:
        return self.can_inline(core) and self._is_filter(self.model.defines[core.args[0]].value)

    def _set(self, core: Core) -> Any:
        if len(core.args) <= 1:
            return tuple_of(self.many(core.args))
        return expression("_as_set(_1)", tuple_of(self.many(core.args)))

    def _list(self, core: Core) -> Any:
        return tuple_of(self.many(core.args))

    def _pieces_at(self, core: Core) -> Any:
        cls, place = core.args
        here = expression("G.occ[_1]", self.emit(place))
        if cls is None or len(self.model.ruleset.classes) == 1:
            return here
        return expression(f"_of_class(_1, IS_{cls})", here)

    def _filter_at(self, core: Core) -> Any:
        return expression("_at(G, _1, _2)", *self.many(core.args))

    def _on_map(self, core: Core) -> Any:
        return expression("ON_MAP[G.at[_1]]", self.emit(core.args[0]))

    # --- things declared by the ruleset --------------------------------------------------------

    def _define(self, core: Core) -> Any:
        called, *args = core.args
        if called in self.markers:
            return expression("_1 in _2", self.emit(args[-1]), charts.marked(self, called, args[:-1]))
        if self.can_inline(core):
            return self.inlined(core, self.emit)
        if called in self.static:
            return ast.Call(name("d_" + called), self.many(args), [])
        return ast.Call(name("d_" + called), [name("G"), *self.many(args)], [])

    def _rule_tally(self, core: Core) -> Any:
        called, *args = core.args
        return ast.Call(name(("r_" if core.op == "rule" else "t_") + called), [name("G"), *self.many(args)], [])


_HANDLERS: dict[str, Callable[[Emitter, Core], Any]] = {
    "const": Emitter._const,
    "local": Emitter._local,
    "all": Emitter._all,
    "attr": Emitter._attr,
    "maybe_attr": Emitter._maybe_attr,
    "game": Emitter._game,
    "turn": Emitter._turn,
    "last_turn": Emitter._last_turn,
    "and": Emitter._and_or,
    "or": Emitter._and_or,
    "not": Emitter._not,
    "cmp": Emitter._cmp,
    "in": Emitter._in,
    "notin": Emitter._in,
    "add": Emitter._arithmetic,
    "sub": Emitter._arithmetic,
    "mul": Emitter._arithmetic,
    "div": Emitter._arithmetic,
    "neg": Emitter._neg,
    "union": Emitter._union,
    "minus": Emitter._minus,
    "range": Emitter._range,
    "cond": Emitter._cond,
    "orelse": Emitter._orelse,
    "define": Emitter._define,
    "rule": Emitter._rule_tally,
    "tally": Emitter._rule_tally,
    "table": charts.table,
    "hascell": charts.has_cell,
    "former": Emitter._former,
    "set": Emitter._set,
    "list": Emitter._list,
    "pieces_at": Emitter._pieces_at,
    "filter_at": Emitter._filter_at,
    "onmap": Emitter._on_map,
    "playing": charts.playing,
    "option_value": charts.playing,
    "canadvance": charts.can_advance,
    "possible": charts.possible,
    "search": charts.search,
    "closure": charts.closure,
    "record": charts.record,
    "field": charts.field,
    "item": charts.item,
    "with": charts.with_fields,
    "builtin": charts.builtin,
    "holding": charts.holding,
    "condition": charts.condition,
    "highest_level": charts.highest_level,
    "shifted": charts.shifted,
    "exists": charts.exists,
    "marks": charts.marks,
    "comparable": charts.comparable,
}
