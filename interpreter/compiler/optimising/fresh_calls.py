"""Analysis of defines that are never called twice with the same inputs: memoizing them is useless.

Typical for a procedure that changes the position and asks once for the consequences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from interpreter.backends.python.layout import Layout, lay_out
from interpreter.checker.suspension import bodies_of
from interpreter.model import expressions as n, statements as c
from interpreter.model.expressions import local_names
from interpreter.model.statements import CheckedModel, Core, expressions_of, records_inside


@dataclass(frozen=True, slots=True)
class Site:
    """A call of a define.

    `define` encloses it ("" for a procedure); `is_apart`: its arguments differ in every iteration of the enclosing
    loops; `written`: the slots written between two iterations of the enclosing statements.
    """

    define: str
    is_apart: bool
    written: frozenset[str]


Sites = dict[str, list[Site]]


def called_afresh(model: CheckedModel, read_by: dict[str, frozenset[str]]) -> frozenset[str]:
    """Return the defines, among those whose reads are given, that would not profit from memoization."""
    sites, elsewhere = _sites(model) if read_by else ({}, frozenset())
    return frozenset(name for name, read in read_by.items() if _is_fresh(name, read, sites, elsewhere, ()))


@lru_cache(maxsize=1)
def _sites(model: CheckedModel) -> tuple[Sites, frozenset[str]]:
    """Return the calls of each define, and the defines also called elsewhere (memoized per model)."""
    sites: Sites = {}
    layout = lay_out(model)
    for define in model.defines.values():
        given = frozenset(p for p, _ in define.params)
        _in_expression(define.value, given, define.name, frozenset(), sites)
    for procedure in model.procedures.values():
        _in_body(procedure.body, layout, _written(procedure.body, layout), sites)
    return sites, frozenset(x.name for x in _calls_elsewhere(model))


def _is_fresh(
    name: str, read: frozenset[str], sites: Sites, elsewhere: frozenset[str], around: tuple[str, ...]
) -> bool:
    found = sites.get(name, [])
    if name in elsewhere or name in around or not found or not all(site.is_apart for site in found):
        return False
    asked = [site for site in found if not site.define]
    if len(asked) > 1 or not all(site.written & read for site in asked):
        return False
    callers = {site.define for site in found if site.define}
    if asked and callers or len(callers) > 1:
        return False
    return all(_is_fresh(caller, read, sites, elsewhere, (*around, name)) for caller in callers)


def _in_expression(core: Core, loops: frozenset[str], define: str, written: frozenset[str], sites: Sites) -> None:
    """Collect the calls in an expression; `loops` are the names whose values differ between calls."""
    if isinstance(core, n.CheckedCall) and core.sort == "define":
        given = frozenset[str]().union(*(local_names(x) for x in core.args))
        sites.setdefault(core.name, []).append(Site(define, loops <= given, written))
    for child, names in n.scoped_children(core):
        _in_expression(child, loops | frozenset(names), define, written, sites)


def _in_body(body: c.Body, layout: Layout, written: frozenset[str], sites: Sites) -> None:
    for stmt in body:
        if isinstance(stmt, c.Decide | c.DecideDraft):
            _in_decision(stmt, layout, written, sites)
            continue
        inner = _written(stmt.body, layout) if isinstance(stmt, c.Loop) else written
        for core in expressions_of(stmt):
            _in_expression(core, frozenset(), "", inner, sites)
        for held in bodies_of(stmt):
            _in_body(held, layout, inner, sites)


def _in_decision(stmt: c.Decide | c.DecideDraft, layout: Layout, written: frozenset[str], sites: Sites) -> None:
    """Collect the calls in a decision: those made while listing options repeat, those after the answer do not."""
    for core in expressions_of(stmt):
        for call in n.descendants(core):
            if isinstance(call, n.CheckedCall) and call.sort == "define":
                sites.setdefault(call.name, []).append(Site("", False, frozenset()))
    if isinstance(stmt, c.Decide):
        for choice in stmt.choices:
            inner = _written(choice.body, layout) if stmt.until_done else written
            _in_body(choice.body, layout, inner, sites)
        _in_body(stmt.otherwise or (), layout, written, sites)


def _written(body: c.Body, layout: Layout) -> frozenset[str]:
    """Slots of the state that the statements of a body write themselves."""
    found: set[str] = set()
    for stmt in body:
        match stmt:
            case c.SetAttribute(kind, name) | c.StepRung(kind, name):
                slot = layout.game[name] if kind == "game" else layout.column_of(kind, name)
                found |= {slot} if slot is not None else set()
            case c.MovePieces():
                found.add("at")
        for held in bodies_of(stmt):
            found |= _written(held, layout)
    return frozenset(found)


def _calls_elsewhere(model: CheckedModel) -> Iterator[n.CheckedCall]:
    """Yield the calls outside defines and procedures, about whose frequency nothing is known."""
    others = c.parts_of(model, ("ruleset", "defines", "procedures"))
    return (x for x in records_inside(others) if isinstance(x, n.CheckedCall) and x.sort == "define")
