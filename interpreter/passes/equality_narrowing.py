"""Equality narrowing: a question about the members equal to a value asks about that value alone.

before: any(l in leaders where l == commander[f] and chief[l])
after:  let l = commander[f]: l in leaders and chief[l]

Only if neither the value nor a test before the comparison may fault; a missing value is no member.
"""

from __future__ import annotations

from interpreter.ir import expression_records as e, program_records as ir
from interpreter.ir.effect_analysis import Effects
from interpreter.ir.rewriting import map_expressions
from interpreter.ir.traversal import rebuilt
from interpreter.model import types as t
from interpreter.passes.predicate_pushdown import conjuncts


def narrow_equalities(program: ir.Program) -> ir.Program:
    """Return the program with loops over the members equal to a value as tests of that value."""
    effects = Effects(program)
    return map_expressions(program, lambda expr: narrowed(effects, expr))


def narrowed(effects: Effects, expr: e.Expr) -> e.Expr:
    """Return an expression with the loops in it narrowed, innermost first."""
    made = rebuilt(expr, lambda x: narrowed(effects, x))
    match made:
        case e.Fold(sort="any" | "no" | "every" | "count", extreme=None) if isinstance(made.domain.type, t.SetType):
            if made.where is not None and (made.sort != "count" or made.result is None):
                return _of_one(effects, made, conjuncts(made.where)) or made
    return made


def _of_one(effects: Effects, fold: e.Fold, tests: list[e.Expr]) -> e.Expr | None:
    """Return a fold as a test of the value that its members must equal, or None if there is none."""
    for number, test in enumerate(tests):
        value = equal_to(test, fold.var)
        if value is not None and not effects.of(value).may_fault:
            return _asked(fold, value, [*tests[:number], *tests[number + 1 :]])
        if effects.of(test).may_fault:
            break
    return None


def equal_to(test: e.Expr, name: str) -> e.Expr | None:
    """Return the value that a variable must have for a test to hold, or None."""
    match test:
        case e.Apply("eq", (e.Local(held), other)) | e.Apply("eq", (other, e.Local(held))) if held == name:
            is_whole = not isinstance(other.type, t.NumberType | t.NeverType)
            return other if is_whole and name not in e.free_names(other) else None
    return None


def _asked(fold: e.Fold, value: e.Expr, tests: list[e.Expr]) -> e.Expr:
    """Return whether one value is a member that passes the tests, as the fold asks it."""
    span = fold.span
    is_maybe = isinstance(value.type, t.MaybeType)
    type_ = value.type.item if isinstance(value.type, t.MaybeType) else value.type
    member = e.Apply("in", (e.Local(fold.var, type_, span), fold.domain), t.FLAG, span)
    parts: list[e.Expr] = [member, *tests]
    if fold.result is not None:  # of "every"
        parts.append(e.Apply("not", (fold.result,), t.FLAG, span))
    test = e.Logic("and", tuple(parts), t.FLAG, span)
    made: e.Expr
    if is_maybe:
        bound = e.IfPresent(fold.var, value, test, t.MaybeType(t.FLAG), span)
        made = e.OrElse(bound, e.Const(False, t.FLAG, span), t.FLAG, span)
    else:
        made = e.Let(fold.var, value, test, t.FLAG, span)
    if fold.sort == "count":
        return e.Choose(made, e.Const(1, fold.type, span), e.Const(0, fold.type, span), fold.type, span)
    return made if fold.sort == "any" else e.Apply("not", (made,), t.FLAG, span)
