"""Memo insertion: a function of few possible arguments is memoized until something that it reads is written.

before: define zone(p) = any u in units where linked(u.at, p)        # evaluated at every call
after:  the same, memoized by p; a write of `piece.at` invalidates it

Only functions that loop inside a loop are worth a table, or, of sets, those that loop three deep; and only those that
are called from a loop, an option, a draft or another function: what a statement asks once is asked once after a change.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.effect_analysis import EffectAnalysis, list_called_functions
from interpreter.ir.traversal import iter_expressions, iter_own_expressions, list_bodies
from interpreter.model import types as t
from interpreter.model.types import strip_maybe

SEARCH_DEPTH = 3  # loops that a search counts for


def insert_memos(program: ir.LoweredProgram) -> ir.LoweredProgram:
    """Return the program with the functions marked that are to be memoized."""
    insertion = MemoInsertion(program)
    functions = {
        name: replace(f, is_memoized=True) if f.is_memoized or insertion.is_memoized(name) else f
        for name, f in program.functions.items()
    }
    return replace(program, functions=functions)


class MemoInsertion:
    """Selector of the functions to memoize, by the depth of the nested loops that a call saves.

    A function qualifies if it is called often, its parameters have few values (things, rungs, flags), and its loops
    are at least two deep (for a set: three, or one if it reads no state). Loops inside a memoized callee do not count.
    """

    def __init__(self, program: ir.LoweredProgram) -> None:
        self.program = program
        self.effects = EffectAnalysis(program)
        self._known: dict[str, bool] = {}
        self._depths: dict[str, int] = {}
        self._often = find_hot_functions(program)

    def is_memoized(self, name: str) -> bool:
        """Return whether to memoize a function; see the class for the criterion."""
        if name not in self._known:
            self._known[name] = False  # ends the recursion of a function that calls itself
            self._known[name] = self._is_worth_a_table(self.program.functions[name])
        return self._known[name]

    def _is_worth_a_table(self, function: ir.Function) -> bool:
        finite = all(isinstance(strip_maybe(ty), t.ThingType | t.RungType | t.FlagType) for _, ty in function.params)
        result = function.result
        if function.name not in self._often or not finite or isinstance(strip_maybe(result), t.ListType | t.RecordType):
            return False
        inside = (x for expr in iter_expressions(function.body) for x in e.list_descendants(expr))
        if any(isinstance(x, e.CountedTest) for x in inside):
            return False  # its own requirements are counted at every call
        depth = self.measure_body_depth(function.body)
        if isinstance(strip_maybe(result), t.SetType):
            is_static = not self.effects.get_function_effects(function.name).reads
            return depth >= (1 if is_static else 3)
        return depth >= 2

    def measure_function_depth(self, name: str) -> int:
        """Return the depth of nested loops in a function; memoized, because callees are shared."""
        if name not in self._depths:
            self._depths[name] = 0  # for one that calls itself
            self._depths[name] = self.measure_body_depth(self.program.functions[name].body)
        return self._depths[name]

    def measure_body_depth(self, body: s.Body) -> int:
        """Return the depth of nested loops in statements; 0 for no loop, `SEARCH_DEPTH` for a search over the map."""
        depths = [0]
        for stmt in body:
            depths += [self.measure_depth(x) for x in iter_own_expressions(stmt)]
            is_loop = isinstance(stmt, s.While | s.ForEach | s.Repeat)
            depths += [self.measure_body_depth(x) + is_loop for x in list_bodies(stmt)]
        return max(depths)

    def measure_depth(self, expr: e.Expr) -> int:
        """Return the depth of nested loops in an expression.

        A loop-free expression has depth 0, a search over the map `SEARCH_DEPTH`.
        """
        match expr:
            case e.Search() | e.Closure() | e.Possible():
                return SEARCH_DEPTH
            case e.Fold(domain=domain, where=where, result=result, measure=measure):
                inner = [self.measure_depth(x) for x in (where, result, measure) if x is not None]
                return max([self.measure_depth(domain), 1 + max(inner, default=0)])
            case e.Call(function, args):
                inside = 0 if self.is_memoized(function) else self.measure_function_depth(function)
                return max([inside, *(self.measure_depth(x) for x in args)])
        return max((self.measure_depth(x) for x in e.list_children(expr)), default=0)


def find_hot_functions(program: ir.LoweredProgram) -> frozenset[str]:
    """Return the names of the functions called from a loop, an option, a draft, a watcher or another function."""
    options = tuple(d.options for d in program.decisions)
    watchers = tuple(w.body for w in program.watchers)
    often = [*iter_expressions((options, program.drafts, program.functions, watchers))]
    once: list[e.Expr] = []
    for procedure in program.procedures.values():
        for body in (procedure.body, *(block.body for block in procedure.blocks)):
            _split(body, once, often)
        once += iter_expressions(tuple(block.end for block in procedure.blocks))
    often += [part for x in once for part in list_repeated_expressions(x)]
    return frozenset(list_called_functions(tuple(often)))


def _split(body: s.Body, once: list[e.Expr], often: list[e.Expr]) -> None:
    """Sort the expressions of statements: append those in a loop to `often`, all other ones to `once`."""
    for stmt in body:
        if isinstance(stmt, s.While | s.ForEach | s.Repeat):
            often += iter_expressions(stmt)
            continue
        once += iter_own_expressions(stmt)
        for inner in list_bodies(stmt):
            _split(inner, once, often)


def list_repeated_expressions(expr: e.Expr) -> list[e.Expr]:
    """Return the subexpressions that are evaluated repeatedly: per member of a fold or per place of a search."""
    expressions: list[e.Expr] = []
    for node in e.list_descendants(expr):
        match node:
            case e.Fold(where=where, result=result, measure=measure):
                expressions += [x for x in (where, result, measure) if x is not None]
            case e.Search(where=where, cost=cost):
                expressions += [x for x in (where, cost) if x is not None]
            case e.Closure(where=where):
                expressions.append(where)
    return expressions
