"""Static tables: an expression of constants and at most two things becomes a function that is computed once for all.

before: edge(a, b).river else false        # looked up and tested at every step
after:  static.4(a, b)                     # an element of a table that fills while it is read

Applies to expressions that read no position, cannot fault and cost more than the look-up. A whole expression is one
table, not its parts; equal expressions share one. For back ends in which a look-up is cheap.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.effect_analysis import EffectAnalysis
from interpreter.ir.expression_facts import ExpressionFacts, build_structural_key
from interpreter.ir.traversal import map_expressions, rebuild
from interpreter.model import types as t
from interpreter.model.types import strip_maybe

MAX_VARIABLES = 2
WORTH = {1: 9, 2: 17}  # least estimated cost of an expression worth a table, by its number of variables


def tabulate_static(program: ir.LoweredProgram) -> ir.LoweredProgram:
    """Return the program with static expressions replaced by calls of new memoized functions.

    Static functions are not changed.
    """
    tables = StaticTables(program)
    functions = {
        name: f if tables.is_static(f) else map_expressions(f, tables.rewrite_expression)
        for name, f in program.functions.items()
    }
    decisions = tuple(
        replace(
            d,
            options=map_expressions(d.options, tables.rewrite_expression),
            finish=map_expressions(d.finish, tables.rewrite_expression),
        )
        for d in program.decisions
    )
    drafts = map_expressions(program.drafts, tables.rewrite_expression)
    return replace(program, functions={**functions, **tables.made}, decisions=decisions, drafts=drafts)


class StaticTables:
    """Finder of the static expressions of one program; equal ones become calls of one function."""

    def __init__(self, program: ir.LoweredProgram) -> None:
        self.program = program
        self.effects = EffectAnalysis(program)
        self.facts = ExpressionFacts()
        self.made: dict[str, ir.Function] = {}
        self._known: dict[Hashable, str] = {}

    def is_static(self, function: ir.Function) -> bool:
        """Return whether a function reads no position; the values of such a function are cached permanently anyway."""
        return not self.effects.get_function_effects(function.name).reads

    def rewrite_expression(self, expr: e.Expr) -> e.Expr:
        """Return an expression with its largest static parts replaced by calls."""
        if isinstance(expr, e.Const | e.Local) or is_element(expr):
            return expr
        if self.is_tabulated(expr):
            return self.build_call(expr)
        if isinstance(expr, e.Logic):
            return self.join_static_operands(expr)
        return rebuild(expr, self.rewrite_expression)

    def join_static_operands(self, expr: e.Logic) -> e.Expr:
        """Return a conjunction or disjunction in which adjacent static operands share one table."""
        joined: list[e.Expr] = []
        waiting = list(expr.operands)
        while waiting:
            for count in range(len(waiting), 1, -1):
                several = replace(expr, operands=tuple(waiting[:count]))
                if self.is_tabulated(several):
                    joined.append(self.build_call(several))
                    break
            else:
                count = 1
                joined.append(self.rewrite_expression(waiting[0]))
            del waiting[:count]
        return joined[0] if len(joined) == 1 else replace(expr, operands=tuple(joined))

    def is_tabulated(self, expr: e.Expr) -> bool:
        """Return whether an expression is static and worth computing once in a memoized function."""
        effect = self.effects.get_effects(expr)
        if effect.reads or effect.may_fault or isinstance(expr.type, t.RecordType | t.ListType | t.NeverType):
            return False
        names = self.facts.get_free_names(expr)
        if not 0 < len(names) <= MAX_VARIABLES:
            return False
        if self.facts.estimate_cost(expr) < WORTH[len(names)]:
            return False
        inside = e.list_descendants(expr)
        if any(is_charged(x) for x in inside):
            return False
        return all(is_finite(x.type) for x in inside if isinstance(x, e.Local) and x.name in names)

    def build_call(self, expr: e.Expr) -> e.Expr:
        """Return a call of the memoized function that computes a static expression, created at its first use."""
        key, free = build_structural_key(expr)
        name = self._known.get(key)
        if name is None:
            name = self._known[key] = f"static.{len(self.made)}"
            params = tuple((local.name, local.type) for local in free)
            origin = e.Origin("static", f"S{len(self.made)}")
            body: s.Body = (s.Return(expr, expr.span),)
            self.made[name] = ir.Function(name, params, expr.type, body, {}, expr.span, True, origin)
        return e.Call(name, free, expr.type, expr.span)


def is_element(expr: e.Expr) -> bool:
    """Return whether an expression is already an element of a static table."""
    return isinstance(expr, e.StaticItem) and all(isinstance(x, e.Local | e.Const) for x in expr.indices)


def is_charged(expr: e.Expr) -> bool:
    """Return whether an expression may spend budget steps."""
    match expr:
        case e.Search() | e.Closure() | e.Possible():
            return True
        case e.Fold(charge=charge):
            return charge > 0
        case e.Apply("in", (_, many)):
            return not isinstance(many.type, t.SetType)
    return isinstance(expr.type, t.ListType)


def is_finite(type_: t.Type) -> bool:
    """Return whether a type has few possible values."""
    bare_type = strip_maybe(type_)
    return isinstance(bare_type, t.ThingType | t.RungType | t.FlagType | t.OneOfType | t.DirectionType)
