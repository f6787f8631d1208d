"""Effects of expressions and statements: slots read and written, faults, and cost; a fold over the records.

A fault is one of the rules: a gap of a table, a bound, a division by zero. A number too large for a back end is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.primitives import PRIMITIVES
from interpreter.ir.traversal import iter_expressions, iter_own_expressions, list_bodies
from interpreter.model import types as t

EVERYTHING = e.Slot("", "*")


@dataclass(frozen=True, slots=True)
class Effect:
    """Effects of an evaluation: the slots it reads, whether it may fault, and how deep its loops are nested."""

    reads: frozenset[e.Slot] = frozenset()
    may_fault: bool = False
    loops: int = 0


NOTHING = Effect()


@dataclass(slots=True)
class EffectAnalysis:
    """Effects within one program; the effects of each function are computed once."""

    program: ir.LoweredProgram
    _functions: dict[str, Effect] = field(default_factory=dict)
    _known: dict[int, tuple[e.Expr, Effect]] = field(default_factory=dict)
    _drafts: dict[str, Effect] = field(default_factory=dict)

    def get_effects(self, expr: e.Expr) -> Effect:
        """Return the effects of an expression."""
        memoized = self._known.get(id(expr))
        if memoized is None:
            memoized = self._known[id(expr)] = expr, self._compute(expr)
        return memoized[1]

    def get_function_effects(self, name: str) -> Effect:
        """Return the effects of a call of a function; one that calls itself may fault and reads everything."""
        if name not in self._functions:
            for called in self._list_callees_first(name):
                self._functions[called] = Effect(frozenset((EVERYTHING,)), True, 3)
                self._functions[called] = self.get_body_effects(self.program.functions[called].body)
        return self._functions[name]

    def _list_callees_first(self, name: str) -> list[str]:
        """Return a function and the functions that it calls whose effects are unknown, callees before callers.

        It is iterative, because a chain of calls may be longer than Python's own stack.
        """
        ordered: list[str] = []
        seen: set[str] = set()
        waiting: list[tuple[str, bool]] = [(name, False)]
        while waiting:
            function, is_done = waiting.pop()
            if is_done:
                ordered.append(function)
            elif function not in seen and function not in self._functions:
                seen.add(function)
                waiting.append((function, True))
                waiting += [(called, False) for called in list_called_functions(self.program.functions[function].body)]
        return ordered

    def get_draft_effects(self, name: str) -> Effect:
        """Return the effects of enumerating the finished drafts of the draft `name`."""
        if name not in self._drafts:
            self._drafts[name] = Effect(frozenset((EVERYTHING,)), True, 4)
            effects = self.combine_effects(iter_expressions(self.program.drafts[name]))
            self._drafts[name] = Effect(effects.reads | self._find_interchange_slots(), True, effects.loops + 2)
        return self._drafts[name]

    def combine_effects(self, exprs: Iterable[e.Expr]) -> Effect:
        """Return the combined effects of several expressions."""
        reads: set[e.Slot] = set()
        may_fault, loops = False, 0
        for expr in exprs:
            effects = self.get_effects(expr)
            reads |= effects.reads
            may_fault = may_fault or effects.may_fault
            loops = max(loops, effects.loops)
        return Effect(frozenset(reads), may_fault, loops)

    def get_body_effects(self, body: s.Body) -> Effect:
        """Return the effects of the statements of a pure function."""
        reads: set[e.Slot] = set()
        may_fault, loops = False, 0
        for stmt in body:
            effects = self.combine_effects(iter_own_expressions(stmt))
            inner = [self.get_body_effects(x) for x in list_bodies(stmt)]
            is_loop = isinstance(stmt, s.While | s.ForEach | s.Repeat)
            reads |= effects.reads.union(*(x.reads for x in inner))
            may_fault = (
                may_fault or effects.may_fault or isinstance(stmt, s.Fail | s.While) or any(x.may_fault for x in inner)
            )
            loops = max(loops, effects.loops, *(x.loops + is_loop for x in inner), 0)
        return Effect(frozenset(reads), may_fault, loops)

    def _find_interchange_slots(self) -> frozenset[e.Slot]:
        return frozenset(slot for slot in self.program.columns if slot.kind == "piece")

    def _compute(self, expr: e.Expr) -> Effect:
        inside = self.combine_effects(e.list_children(expr))
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
                reads |= self._find_interchange_slots()
            case e.Apply(op):
                faults = faults or PRIMITIVES[op].may_fault and not _is_safe(expr)
            case e.Call(function):
                called = self.get_function_effects(function)
                return Effect(reads | called.reads, faults or called.may_fault, max(loops, called.loops))
            case e.NotedTally():
                return Effect(frozenset((EVERYTHING,)), True, loops + 2)
            case e.Possible(draft):
                called = self.get_draft_effects(draft)
                return Effect(reads | called.reads, True, max(loops, called.loops))
            case e.Fold(domain=domain, where=where, result=result, measure=measure):
                body = self.combine_effects(x for x in (where, result, measure) if x is not None)
                loops = max(self.get_effects(domain).loops, body.loops + 1)
            case e.Search() | e.Closure():
                loops += 2
                faults = faults or isinstance(expr, e.Search) and expr.cost is not None
        return Effect(reads, faults, loops)


def _is_safe(expr: e.Apply) -> bool:
    """Return whether an operation that may fault cannot fault with these operands."""
    if expr.op == "union":
        return not isinstance(expr.type, t.ListType)
    if expr.op == "range":
        low, high = expr.operands
        return isinstance(low, e.Const) and (isinstance(high, e.Const) or is_small_count(high))
    divisor = expr.operands[1]
    return isinstance(divisor, e.Const) and bool(divisor.value)


def is_small_count(expr: e.Expr) -> bool:
    """Return whether a number counts a set of things, perhaps in a `let`; no such count is too large for a range."""
    if isinstance(expr, e.Let):
        return is_small_count(expr.body)
    domain_type = expr.domain.type if isinstance(expr, e.Fold) and expr.sort == "count" else None
    return isinstance(domain_type, t.SetType) and isinstance(domain_type.item, t.ThingType)


def list_called_functions(node: object) -> list[str]:
    """Return the functions that the expressions in some records call, at any depth."""
    return [
        part.function
        for expr in iter_expressions(node)
        for part in e.list_descendants(expr)
        if isinstance(part, e.Call)
    ]
