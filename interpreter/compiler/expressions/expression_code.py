"""Checked expressions -> Python expressions.

In the code made here `G` is the state; locals of rules are `v_name`; functions of the
ruleset are `d_`, `r_`, `t_` (define, rule, tally); `_words` are functions of the runtime.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeGuard

from interpreter.backends.python.layout import Layout
from interpreter.checker.operations import BUILTINS, FaultMemo, facts_of, may_fault
from interpreter.compiler.optimising.analysis import INLINE_DEPTH, defines_called, loops_inside, quiet, small_defines
from interpreter.compiler.optimising.hoisting import Around
from interpreter.compiler.optimising.passes import ALL, FORGETTING, LOOPS, REMEMBERING, ROWS, STATIC, WRITING_OUT
from interpreter.compiler.optimising.remembering import find_remembered, forgetting
from interpreter.compiler.python_syntax import (
    assigned,
    constant,
    expression,
    located,
    name,
    row,
    spending,
    statements,
    stored,
)
from interpreter.diagnostics.source_text import Span
from interpreter.lowering.step_charges import Efforts, static_defines
from interpreter.model import expressions as n, types as t
from interpreter.model.expressions import local_names
from interpreter.model.statements import CheckedModel, Core, children

Handlers = dict[str | type, Callable[["Emitter", Any], Any]]
CHEAP = n.Literal | n.CheckedLocal | n.GameValue
_LOOK_UPS = (n.AttributeOf, n.Operation, n.CheckedCall, n.LookUp)
SMALL = t.ThingType | t.OneOfType | t.DirectionType | t.RungType | t.FlagType | t.IntType


class Emitter:
    """Emits expressions of one model."""

    def __init__(
        self,
        model: CheckedModel,
        layout: Layout,
        handlers: Handlers,
        instrument: bool = False,
        asking: bool = False,
        alone: Core | None = None,
        passes: frozenset[str] = ALL,
    ) -> None:
        self.model = model
        self.layout = layout
        self.instrument = instrument  # paragraphs and look-ups are noted
        self.asking = asking  # what requirements answer is counted
        self.passes = passes
        self.static = static_defines(model) if STATIC in passes else frozenset()
        self.efforts = Efforts(model, self.static)
        self.bound: dict[str, Callable[[], Any]] = {}  # names inside a define that is written out at its call
        self.pin: Span | None = None  # what such code points at: the call, since a function has one file only
        self.fresh = 0
        self.pre: list[ast.stmt] | None = None  # where loops go that need not be expressions
        self.forced = ""
        self.loops: tuple[str, ...] = ()  # names of the loops around a test, when values may be remembered
        self.around: list[Around] = []  # the loops, made as statements, that code is being made inside of
        self.apart = False  # what is bound inside an expression must not be seen outside it
        self.memories: dict[str, ast.expr] = {}  # tables of one list of options, and what each begins as
        self.alone = alone is not None  # code for one expression: no tables of its own can be prepared
        self.parts: dict[tuple[str, str | None, str], str] = {}
        self.depth = 0
        self.noting = False  # in a program for ledgers: what is emitted now notes its look-ups
        self.thrown: frozenset[str] = frozenset()  # names of dice in the procedure being emitted
        self.noted: dict[str, bool] = {}  # defines of which it is known whether they have something to note
        self.handlers = handlers
        self.judged = FaultMemo()
        self.made: list[tuple[ast.stmt, Span]] = []  # functions that expressions call
        self.tables: dict[str, None] = {}  # names of tables that fill as they are read
        self.in_table = False  # what is emitted now fills one
        defines = list(model.defines.values()) if alone is None else defines_called(model, alone)
        shared = quiet(model, defines) if instrument else defines  # nothing remembered may hide what is to be noted
        kept = find_remembered(model, layout, self.static, shared, self.alone, passes)
        self.remembered, self.markers = kept.names, kept.markers
        self.read_by, self.searches, self.spotters = kept.read_by, kept.searches, kept.spotters
        self.whose = kept.whose
        self.small = small_defines(model)

    def forgetting(self, slots: list[str]) -> list[ast.stmt]:
        """Return statements that invalidate every cache that depends on these slots of the state."""
        return forgetting(self.read_by, slots, FORGETTING in self.passes)

    def forgetting_of(self, column: str, owner: Any) -> list[ast.stmt]:
        """Return the invalidation after one thing's value was written, except entries of other pieces."""
        if not any(column in self.read_by[memory] for memory in self.whose):
            return self.forgetting([column])
        return statements("if G.memo: _forget_piece(G, _1, _2)", constant(column), owner)

    def within(self, var: str, domain: n.Things) -> Any:
        """Return a test that the value of a loop variable is in the domain, or None if every value is."""
        if domain.cls is not None:
            return expression(f"_1 in IS_{domain.cls}", name("v_" + var))
        if all(x.holding is None for x in self.model.ruleset.kinds[domain.kind].things):
            return None
        return expression("ON_MAP[_1]", name("v_" + var))

    def emit(self, core: Core) -> Any:
        """Return the Python expression of `core`, with its source position."""
        shares = self.loops and self.pre is not None and self.pin is None and REMEMBERING in self.passes
        if shares and facts_of(core).is_kept:
            remembered = self._remembered(core)
            if remembered is not None:
                return remembered
        handler = self.handlers[core.name if isinstance(core, n.Operation) else type(core)]
        made = located(handler(self, core), self.pin or core.span)
        if isinstance(core, _LOOK_UPS):
            self.mark(made, core)
        return made

    def mark(self, made: Any, core: Core) -> None:
        """Mark code that cannot fault and is the same whenever the names in it are, if it reads no state besides."""
        if ROWS in self.passes and not self.noting and not self.alone:
            made.fixed = all(map(self._is_at_rest, n.descendants(core))) and self.is_safe(core)

    def _is_at_rest(self, core: Core) -> bool:
        match core:
            case n.AttributeOf(kind, attribute):
                return self.layout.column_of(kind, attribute) is None or isinstance(core.type, SMALL)
            case n.CheckedLocal() | n.GameValue():
                return isinstance(core.type, SMALL)
        return isinstance(core, (*_LOOK_UPS, n.Literal, n.Things))

    def _remembered(self, core: Core) -> Any:
        """Memoize an expensive loop-invariant value by the loop variables it depends on."""
        used = [x for x in self.loops if x in local_names(core)]
        if len(used) == len(self.loops) or isinstance(core.type, t.MaybeType) or not loops_inside(self.model, core, 2):
            return None
        assert self.pre is not None
        outer, self.pre, loops, self.loops = self.pre, [], self.loops, ()
        value = self.emit(core)
        inner, self.pre, self.loops = self.pre, outer, loops
        found, table = self.temporary(), self.temporary()
        self.memories[table] = expression("{}")
        names = [name("v_" + x) for x in used]
        key = row(names) if names else constant(0)
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

    def worked_out(self, identifier: str, core: Core) -> list[ast.stmt]:
        """Statements that give a name the value of an expression."""
        before, value = self.lifted(core)
        return [*before, assigned(identifier, value)]

    def plainly(self, core: Core) -> Any:
        """Compile an expression that may be evaluated elsewhere or not at all: no loop may be hoisted from it."""
        kept, self.pre = self.pre, None
        value = self.emit(core)
        self.pre = kept
        return value

    def tested(self, tests: Sequence[Core], body: list[ast.stmt]) -> list[ast.stmt]:
        """`body` behind tests, each evaluated only when those before it hold."""
        for core in reversed(tests):
            joined = core.name if isinstance(core, n.Operation) and LOOPS in self.passes else ""
            if isinstance(core, n.Operation) and joined == "and":
                body = self.tested(core.operands, body)
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

    def condition(self, core: Core) -> tuple[list[ast.stmt], Any]:
        """As `lifted`, for a test: where it joins others, their loops are plain loops too."""
        joined = isinstance(core, n.Operation) and core.name in ("and", "or") and LOOPS in self.passes
        if joined and not self.noting and any(loops_inside(self.model, x, 1) for x in children(core)[1:]):
            before, settled = self.decided(core)
            return before, name(settled)
        return self.lifted(core)

    def decided(self, core: Core) -> tuple[list[ast.stmt], str]:
        """Return statements that evaluate a test, and the name of the result; loops remain plain loops."""
        found = self.temporary()
        yes = located(statements("_1 = True", stored(found)), self.pin or core.span)
        made = statements("_1 = False", stored(found))
        parts = core.operands if isinstance(core, n.Operation) and core.name == "or" else (core,)
        for number, part in enumerate(parts):
            tried = self.tested([part], yes)
            made += tried if number == 0 else [ast.If(ast.UnaryOp(ast.Not(), name(found)), tried, [])]
        return located(made, self.pin or core.span), found

    @contextmanager
    def elsewhere(self) -> Iterator[None]:
        """Emit code into a function of its own."""
        around = self.bound, self.pin, self.pre, self.around, self.loops, self.depth
        self.bound, self.pin, self.pre, self.around, self.loops, self.depth = {}, None, [], [], (), 0
        yield
        self.bound, self.pin, self.pre, self.around, self.loops, self.depth = around

    def temporary(self) -> str:
        """Return a fresh Python name for a temporary value."""
        self.fresh += 1
        return f"x{self.fresh}"

    # --- defines written out where they are called -------------------------------------

    def can_inline(self, core: Core) -> TypeGuard[n.CheckedCall]:
        """Return whether a call is of a small define that cannot fault, with arguments as cheap as names."""
        return (
            isinstance(core, n.CheckedCall)
            and core.sort == "define"
            and WRITING_OUT in self.passes
            and core.name in self.small
            and core.name not in self.remembered
            and core.name not in self.static
            and self.depth < INLINE_DEPTH
            and all(self._is_at_hand(a) for a in core.args)
            and self.is_safe(self.model.defines[core.name].value)  # a fault is told where it stands
        )

    def _is_at_hand(self, core: Core) -> bool:
        """Return whether an expression costs no more than a name: names, constants, constant attributes of a name."""
        if isinstance(core, n.Operation):
            known = BUILTINS.get(core.name)
            is_at_rest = known is not None and known.code and known.needs != "state"
            return bool(is_at_rest) and all(isinstance(x, n.Literal | n.CheckedLocal) for x in core.operands)
        if isinstance(core, n.AttributeOf):
            return (
                not core.lenient
                and self.layout.column_of(core.kind, core.name) is None
                and isinstance(core.owner, n.CheckedLocal)
            )
        return isinstance(core, CHEAP) or self.written_value(core) is not None

    def written_value(self, core: Core) -> n.Literal | None:
        """Return the literal that a define without arguments evaluates to: a named constant."""
        if isinstance(core, n.CheckedCall) and core.sort == "define" and not core.args and core.name in self.static:
            value = self.model.defines[core.name].value
            return value if isinstance(value, n.Literal) else None
        return None

    def inlined(self, core: n.CheckedCall, emit_body: Callable[[Core], Any]) -> Any:
        """Apply `emit_body` to the body of a define with the call's arguments substituted for its parameters."""
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

    def counted(self, core: n.CheckedCall, value: Any) -> Any:
        """Return the value of an inlined call, charging the steps that the called function would charge."""
        steps = self.efforts.call_charge("define", core.name)
        if not steps:
            return value
        if self.pre is None:
            return expression("(_spend(G, _1), _2)[1]", constant(steps), value)
        self.pre.extend(located(spending(constant(steps)), self.pin or core.span))
        return value

    def _later(self, arg: Core, bound: dict[str, Callable[[], Any]]) -> Callable[[], Any]:
        def emit_there() -> Any:
            kept, self.bound = self.bound, bound
            try:
                return self.emit(arg)
            finally:
                self.bound = kept

        return emit_there

    def bind(self, var: str) -> str:
        """Return the Python name of a bound name; a fresh one where code is inlined."""
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
        """Return whether another name of the rules is stored in this Python name."""
        return any(isinstance(node := f(), ast.Name) and node.id == made for x, f in self.bound.items() if x != var)

    def many(self, cores: Sequence[Core]) -> list[Any]:
        """Compile several expressions in order; no loop is hoisted over an expression that may fault."""
        made, kept = [], self.pre
        for core in cores:
            made.append(self.emit(core))
            if self.pre is not None and not self.is_safe(core):
                self.pre = None
        self.pre = kept
        return made

    def has_loops(self, core: Core) -> bool:
        """Return whether an expression iterates inline rather than in a function of its own."""
        if (
            isinstance(core, n.Comprehension)
            or self.can_inline(core)
            and self.has_loops(self.model.defines[core.name].value)
        ):
            return True
        return any(self.has_loops(child) for child in children(core))

    def is_safe(self, core: Core) -> bool:
        """Return whether an expression cannot fault, so that it may be evaluated earlier or not at all."""
        return not may_fault(self.model, core, self.judged)


def normal(core: Core, made: Any) -> Any:
    """Normalize the result of an operation: an integral fraction becomes an int."""
    return expression("_normal(_1)", made) if isinstance(core.type, t.NumberType) else made
