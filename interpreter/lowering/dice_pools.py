"""Analysis of dice pools: whether the order of dice matters, and what the rules read of each die.

Exact odds enumerate the outcomes of a pool. Where every die is only read individually, as in `sum(table[d] for d in
thrown)`, faces that give equal readings need not be distinguished.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interpreter.checker.operations import get_facts
from interpreter.checker.suspension import iter_child_statements, list_bodies, walk
from interpreter.model import expressions as n, statements as c
from interpreter.model.checked_model import CheckedModel, CheckedProcedure, iter_expressions_of
from interpreter.model.statements import Core


@dataclass(frozen=True, slots=True)
class Reading:
    """One expression that reads each die of a pool.

    `var`: the variable that holds the die. `where`: the test the die must pass, or None. `parts`: the values read of
    it. `adds_up`: only sums over the dice matter.
    """

    var: str
    where: Core | None
    parts: tuple[Core, ...]
    adds_up: bool


@dataclass(frozen=True, slots=True)
class PoolUse:
    """Use of a pool.

    `ordered`: it may matter which die shows what. `readings`: everything that is read, or None if unknown.
    """

    ordered: bool
    readings: tuple[Reading, ...] | None


_ADDING_UP = ("sum", "count", "any", "no", "every")  # comprehensions whose value follows from sums over the dice
_FACE = "0_face"  # a name that no ruleset has


class _AmbiguousUseError(Exception):
    """Raised if a pool is used in a way that the analysis cannot follow."""


def classify_pool_use(
    procedure: CheckedProcedure, stmt: c.RollDice | c.DrawMembers, following: c.Stmt | None, model: CheckedModel
) -> PoolUse:
    """Return how the pool that `stmt` binds is used. `following`: the statement after it, or None."""
    everywhere = [(s, core) for s in walk(procedure.body) for core in iter_expressions_of(s)]
    readings: list[tuple[c.Stmt, Reading | None]] = []
    try:
        for at, core in everywhere:
            readings += [(at, r) for r in _find_readings(core, stmt.var, model)]
    except _AmbiguousUseError:
        return PoolUse(True, None)
    simple = isinstance(following, c.SetLocal | c.SetAttribute | c.ReportEvent)
    after = {id(s) for s in _iter_followers(procedure.body, stmt.var)}
    if not simple or any(r is None or id(at) not in after for at, r in readings):
        return PoolUse(False, None)
    own = tuple(r for at, r in readings if at is following and r is not None)
    return PoolUse(False, own)


def _iter_followers(body: c.Body, var: str) -> Iterator[c.Stmt]:
    """Yield the statements that directly follow a roll into `var`."""
    for statements in (body, *(inner for stmt in walk(body) for inner in list_bodies(stmt))):
        for stmt, following in zip(statements, statements[1:], strict=False):
            if (
                isinstance(stmt, c.RollDice | c.DrawMembers)
                and stmt.var == var
                and not tuple(iter_child_statements(following))
            ):
                yield following


def _find_readings(core: Core, pool: str, model: CheckedModel) -> Iterator[Reading | None]:
    """Yield the readings of a pool's dice in an expression; None for a use of the whole pool without regard to order.

    `pool`: the variable that holds the pool. Raises _AmbiguousUseError for a use that the analysis cannot follow.
    """
    if n.is_local(core, pool):
        raise _AmbiguousUseError
    match core:
        case n.Comprehension(sort, var, domain, where, result, extreme, measure) if n.is_local(domain, pool):
            if sort == "list":
                raise _AmbiguousUseError
            if sort == "sum" and result is None:
                result = n.CheckedLocal(var, core.type, core.span)
            parts = tuple(x for x in (result, measure) if x is not None)
            for part in (*parts, *(() if where is None else (where,))):
                if var != pool and any(True for _ in _find_readings(part, pool, model)):
                    raise _AmbiguousUseError
            whole = result is None and sort in ("set", "sum", "min", "max") or extreme is not None
            yield None if whole else Reading(var, where, parts, sort in _ADDING_UP and measure is None)
            return
        case n.Operation("in" | "not in", (item, domain)) if n.is_local(domain, pool):
            yield from _find_readings(item, pool, model)
            yield None
            return
        case n.Operation(called, (only,)) if get_facts(core).any_order and n.is_local(only, pool):
            if called == "sum":
                yield Reading(_FACE, None, (n.CheckedLocal(_FACE, core.type, core.span),), True)
            elif called != "count":
                yield None
            return
        case n.CheckedCall("define", _, args) if any(n.is_local(a, pool) for a in args):
            yield from _define_readings(core, pool, model)
            return
    for child, names in n.list_scoped_children(core):
        if pool not in names:
            yield from _find_readings(child, pool, model)


def _define_readings(core: n.CheckedCall, pool: str, model: CheckedModel) -> Iterator[Reading | None]:
    define = model.defines[core.name]
    args_by_param = dict(zip((p for p, _ in define.params), core.args, strict=True))
    for name, arg in args_by_param.items():
        if n.is_local(arg, pool):
            for reading in _find_readings(define.value, name, model):
                if reading is None:
                    yield None
                    continue
                other_args = {p: a for p, a in args_by_param.items() if not n.is_local(a, pool) and p != reading.var}
                yield Reading(
                    reading.var,
                    None if reading.where is None else _substitute(reading.where, other_args, reading.var),
                    tuple(_substitute(p, other_args, reading.var) for p in reading.parts),
                    reading.adds_up,
                )
        else:
            yield from _find_readings(arg, pool, model)


def _substitute(core: Core, replacements: Mapping[str, Core], bound: str) -> Core:
    """Replace variables in an expression by arguments; raise _AmbiguousUseError if a name would be captured.

    `replacements`: the argument for each variable. `bound`: the variable of the die, which an argument must not read.
    """
    if isinstance(core, n.CheckedLocal):
        replacement = replacements.get(core.name)
        if replacement is None:
            return core
        if bound in n.find_local_names(replacement):
            raise _AmbiguousUseError
        return replacement
    inside = set(n.list_bound_names(core))
    if inside & {name for x in replacements.values() for name in n.find_local_names(x)} or inside & set(replacements):
        raise _AmbiguousUseError
    return n.rebuild(core, lambda child: _substitute(child, replacements, bound))
