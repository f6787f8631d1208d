"""Early exit: a test on the number of members stops at the first member that decides it.

before: count(u in units where u.fresh) > 0
after:  any(u in units where u.fresh)

Only if no later member may fault. Consecutive numbers are not searched for duplicates.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.ir import expression_records as e, program_records as ir
from interpreter.ir.effect_analysis import EffectAnalysis
from interpreter.ir.traversal import map_expressions, rebuild
from interpreter.model import types as t

_MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
# comparison of a count with a number -> the question that it asks
_ANY = {("gt", 0), ("ge", 1), ("ne", 0)}
_NO = {("eq", 0), ("lt", 1), ("le", 0)}


def exit_early(program: ir.LoweredProgram) -> ir.LoweredProgram:
    """Return the program with `any` and `no` in place of counts and sets that are only tested for members."""
    effects = EffectAnalysis(program)
    return map_expressions(program, lambda expr: shorten_folds(effects, expr))


def shorten_folds(effects: EffectAnalysis, expr: e.Expr) -> e.Expr:
    """Return an expression in which counts and sets that are only tested for members become `any` or `no`."""
    rebuilt = rebuild(expr, lambda x: shorten_folds(effects, x))
    match rebuilt:
        case e.Apply("unique", (e.Apply("range") as numbers,)):
            return numbers
        case e.Apply("eq" | "ne" as op, (many, e.Const(()))) if isinstance(many.type, t.SetType | t.ListType):
            return build_quantifier(effects, many, "no" if op == "eq" else "any") or rebuilt
        case e.Apply(op, (e.Fold(sort="count") as fold, e.Const(int() as number))) if op in _MIRRORED:
            return _shorten_count(effects, fold, op, number) or rebuilt
        case e.Apply(op, (e.Const(int() as number), e.Fold(sort="count") as fold)) if op in _MIRRORED:
            return _shorten_count(effects, fold, _MIRRORED[op], number) or rebuilt
    return rebuilt


def _shorten_count(effects: EffectAnalysis, fold: e.Fold, op: str, number: int) -> e.Expr | None:
    sort = "any" if (op, number) in _ANY else "no" if (op, number) in _NO else None
    if sort is None or fold.extreme is not None:
        return None
    if fold.where is None and fold.result is None:
        return build_quantifier(effects, fold.domain, sort)
    return _asks_count(effects, fold, sort)


def _asks_count(effects: EffectAnalysis, fold: e.Fold, sort: str) -> e.Expr | None:
    """Return a fold of sort "any" or "no" over the members of `fold`, or None if a later member may fault."""
    if any(x is not None and effects.get_effects(x).may_fault for x in (fold.where, fold.result)):
        return None
    return replace(fold, sort=sort, result=None, type=t.FLAG)


def build_quantifier(effects: EffectAnalysis, many: e.Expr, sort: str) -> e.Expr | None:
    """Return an expression that tests whether a collection has any member (`sort` "any") or none ("no").

    Returns None if the collection must be built for the test.
    """
    match many:
        case e.Fold(sort="set" | "list", extreme=None):
            return _asks_count(effects, many, sort)
        case e.PiecesAt() | e.StaticItem():
            unread = f"any@{many.span.file}:{many.span.start}"  # no test reads the member
            return e.Fold(sort, unread, many, None, None, None, None, t.FLAG, many.span)
    return None
