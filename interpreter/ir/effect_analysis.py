"""Effects of expressions and statements: slots read and written, faults, and cost; a fold over the records.

A fault is one of the rules: a gap of a table, a bound, a division by zero. A number too large for a back end is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.model import types as t

EVERYTHING = e.Slot("", "*")
FAULTING = frozenset({"div", "remainder", "floor_div", "ceil_div", "near_div", "range", "union", "list"})
SEARCH_COST = 50


@dataclass(frozen=True, slots=True)
class Effect:
    """Effects of an evaluation: attributes read, whether it may fault, depth of nested loops."""

    reads: frozenset[e.Slot] = frozenset()
    may_fault: bool = False
    loops: int = 0


NOTHING = Effect()


@dataclass(slots=True)
class Effects:
    """Effects within one program; those of functions are computed once."""

    program: ir.LoweredProgram
    _functions: dict[str, Effect] = field(default_factory=dict)
    _known: dict[int, tuple[e.Expr, Effect]] = field(default_factory=dict)
    _drafts: dict[str, Effect] = field(default_factory=dict)

    def of(self, expr: e.Expr) -> Effect:
        """Return the effects of an expression."""
        known = self._known.get(id(expr))
        if known is None:
            known = self._known[id(expr)] = expr, self._compute(expr)
        return known[1]

    def of_function(self, name: str) -> Effect:
        """Return the effects of a call of a function; one that calls itself may fault and reads everything."""
        if name not in self._functions:
            for called in self._callees_first(name):
                self._functions[called] = Effect(frozenset((EVERYTHING,)), True, 3)
                self._functions[called] = self.of_body(self.program.functions[called].body)
        return self._functions[name]

    def _callees_first(self, name: str) -> list[str]:
        """Return a function and those that it calls and whose effects are unknown, the innermost first.

        A chain of calls may be longer than Python's own stack.
        """
        found: list[str] = []
        seen: set[str] = set()
        waiting: list[tuple[str, bool]] = [(name, False)]
        while waiting:
            function, is_done = waiting.pop()
            if is_done:
                found.append(function)
            elif function not in seen and function not in self._functions:
                seen.add(function)
                waiting.append((function, True))
                waiting += [(called, False) for called in functions_called(self.program.functions[function].body)]
        return found

    def of_draft(self, name: str) -> Effect:
        """Return the effects of enumerating a draft's ends."""
        if name not in self._drafts:
            self._drafts[name] = Effect(frozenset((EVERYTHING,)), True, 4)
            found = self.all(draft_expressions(self.program.drafts[name]))
            self._drafts[name] = Effect(found.reads | self._alike(), True, found.loops + 2)
        return self._drafts[name]

    def all(self, exprs: Iterable[e.Expr], more_loops: int = 0) -> Effect:
        """Return the effects of several expressions together."""
        reads: set[e.Slot] = set()
        may_fault, loops = False, 0
        for expr in exprs:
            found = self.of(expr)
            reads |= found.reads
            may_fault = may_fault or found.may_fault
            loops = max(loops, found.loops)
        return Effect(frozenset(reads), may_fault, loops + more_loops)

    def of_body(self, body: s.Body) -> Effect:
        """Return the effects of the statements of a pure function."""
        reads: set[e.Slot] = set()
        may_fault, loops = False, 0
        for stmt in body:
            found = self.all(expressions_of(stmt))
            inner = [self.of_body(x) for x in bodies_of(stmt)]
            is_loop = isinstance(stmt, s.While | s.ForEach | s.Repeat)
            reads |= found.reads.union(*(x.reads for x in inner))
            may_fault = (
                may_fault or found.may_fault or isinstance(stmt, s.Fail | s.While) or any(x.may_fault for x in inner)
            )
            loops = max(loops, found.loops, *(x.loops + is_loop for x in inner), 0)
        return Effect(frozenset(reads), may_fault, loops)

    def _alike(self) -> frozenset[e.Slot]:
        return frozenset(slot for slot in self.program.columns if slot.kind == "piece")

    def _compute(self, expr: e.Expr) -> Effect:
        inside = self.all(e.children(expr))
        reads, faults, loops = inside.reads, inside.may_fault, inside.loops
        match expr:
            case e.Const() | e.Local():
                return NOTHING
            case e.Read(slot):
                reads |= {slot}
            case e.PiecesAt():
                reads |= {e.AT}
            case e.StaticItem(table, _, _, type_):
                faults = faults or not isinstance(type_, t.MaybeType) and table.has_gaps
            case e.Bounded(clamps=False):
                faults = True
            case e.Apply("first_alike"):
                reads |= self._alike()
            case e.Apply(op):
                faults = faults or op in FAULTING and not _is_safe(expr)
            case e.Call(function):
                called = self.of_function(function)
                return Effect(reads | called.reads, faults or called.may_fault, max(loops, called.loops))
            case e.NotedTally():
                return Effect(frozenset((EVERYTHING,)), True, loops + 2)
            case e.Possible(draft):
                called = self.of_draft(draft)
                return Effect(reads | called.reads, True, max(loops, called.loops))
            case e.Fold(domain=domain, where=where, result=result, measure=measure):
                body = self.all(x for x in (where, result, measure) if x is not None)
                loops = max(self.of(domain).loops, body.loops + 1)
            case e.Search() | e.Closure():
                loops += 2
                faults = faults or isinstance(expr, e.Search) and expr.cost is not None
        return Effect(reads, faults, loops)


def _is_safe(expr: e.Apply) -> bool:
    """Return whether an operation that may fault cannot fault with these operands."""
    if expr.op == "list" or expr.op == "union" and not isinstance(expr.type, t.ListType):
        return True
    if expr.op == "range":
        low, high = expr.operands
        return isinstance(low, e.Const) and (isinstance(high, e.Const) or counts_things(high))
    if expr.op == "union":
        return False
    divisor = expr.operands[1]
    return isinstance(divisor, e.Const) and bool(divisor.value)


def counts_things(expr: e.Expr) -> bool:
    """Return whether a number counts the members of a set, so that it is always small enough for a range."""
    if isinstance(expr, e.Let):
        return counts_things(expr.body)
    held = expr.domain.type if isinstance(expr, e.Fold) and expr.sort == "count" else None
    return isinstance(held, t.SetType) and isinstance(held.item, t.ThingType)


def expressions_of(stmt: s.Stmt) -> tuple[e.Expr, ...]:
    """Return the expressions of a statement itself, in order of evaluation."""
    match stmt:
        case s.Assign(value=value) | s.Perform(value=value):
            return (value,)
        case s.Store(owner=owner, value=value) | s.Note(owner=owner, value=value):
            return (value,) if owner is None else (owner, value)
        case s.Move(piece, place):
            return (piece, place)
        case s.If(test=test) | s.While(test=test):
            return (test,)
        case s.ForEach(domain=domain):
            return (domain,)
        case s.Repeat(count=count):
            return (count,)
        case s.Roll(count=count):
            return () if count is None else (count,)
        case s.Draw(source=source, count=count):
            return (source,) if count is None else (count, source)
        case s.Run(args=args) | s.Watch(args=args) | s.Later(args=args) | s.Report(args=args):
            return args
        case s.Return(value=value):
            return () if value is None else (value,)
        case s.EndGame(winner=winner, level=level):
            return tuple(x for x in (winner, level) if x is not None)
        case s.Charge(times=times):
            return () if times is None else (times,)
        case s.Deepen(most=most):
            return (most,)
    return ()


def functions_called(body: s.Body) -> list[str]:
    """Return the functions that statements call, at any depth."""
    found: list[str] = []
    bodies = [body]
    for inside in bodies:
        for stmt in inside:
            bodies += bodies_of(stmt)
            for expr in expressions_of(stmt):
                found += [part.function for part in e.descendants(expr) if isinstance(part, e.Call)]
    return found


def bodies_of(stmt: s.Stmt) -> tuple[s.Body, ...]:
    """Return the bodies directly inside a statement."""
    match stmt:
        case s.If(yes=yes, no=no):
            return (yes, no)
        case s.While(body=body) | s.ForEach(body=body) | s.Repeat(body=body) | s.Together(body=body):
            return (body,)
    return ()


def option_expressions(option: ir.LoweredOption) -> list[e.Expr]:
    """Return every expression of an option."""
    return [
        *(p.domain for p in option.params),
        *option.tests,
        *(p.value for p in option.prefers),
        *option.narrowed.values(),
    ]


def draft_expressions(draft: ir.Draft) -> list[e.Expr]:
    """Return every expression of a draft."""
    found = [*draft.start, *draft.finish, *draft.offer, *(p.value for p in draft.prefers)]
    for step in draft.steps:
        found += [*option_expressions(step.option), *(value for _, value in step.now), step.stops]
    return found if draft.price is None else [*found, draft.price]
