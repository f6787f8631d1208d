"""Searches over the map as functions of their own, with their tests written out inside: no test is a call.

Each finds the same places at the same cost as `runtime.language.graph`; only searches that cannot fault are made so,
since they look at places in another order. Must not choose which searches are shared.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from interpreter.compiler.expression_code import Emitter
from interpreter.compiler.python_syntax import constant, expression, function, name, statements, stored
from interpreter.model import nodes as n
from interpreter.model.nodes import free

_BY_RINGS = "_found = {_p: 0 for _p in sorted({*_start})}\n_next = [*_found]\n_tried = {*_found}\n_spent = 0"
_BY_COST = "_found = {}\n_next = [(0, _p) for _p in sorted({*_start})]\n_tried = {}\n_spent = 0"


@dataclass(frozen=True, slots=True)
class Spread:
    """The function of a search: its name, and the names of the rules that it is given."""

    name: str
    given: tuple[str, ...]


def spread_of(x: Emitter, core: n.Search, is_shared: bool) -> Spread:
    """The function of a search, which is made when it is first asked for."""
    parts = [part for part in (core.where, core.cost) if part is not None]
    given = tuple(sorted(frozenset[str]().union(*map(free, parts)) - {core.var, core.previous}))
    made = Spread(x.temporary().replace("x", "spread_"), given)
    with x.elsewhere():
        going = _by_rings(x, core) if core.cost is None else _by_cost(x, core)
    begun = statements(_BY_RINGS if core.cost is None else _BY_COST)
    names = ["v_" + g for g in given]
    if is_shared:
        body = statements("if _kept: _found, _next, _tried, _spent = _kept\nelse:\n    _1", begun)
        body += [going, *statements("_kept[:] = _found, _next, _tried, _spent")]
        node = function(made.name, ["G", "_kept", "_start", "_goal", *names], body, core.span)
    else:
        steps = constant(x.efforts.search_charge(core.where, core.cost))
        told = "tuple(sorted(_found))" if core.goal is None else "_normal(_spent) if _has(_found, _goal) else None"
        body = [*begun, going, *statements(f"_looked_at(G, _found, _1)\nreturn {told}", steps)]
        node = function(made.name, ["G", "_start", "_goal", "_limit", *names], body, core.span)
    x.made.append((node, core.span))
    return made


def _by_rings(x: Emitter, core: n.Search) -> ast.stmt:
    """Ring after ring, until a goal is found; a test that does not read where it comes from is made once a place."""
    tests = [] if core.where is None else [core.where]
    here, there = "v_" + core.previous, "v_" + core.var
    found = x.tested(tests, statements("_found[_1] = _spent\n_next.append(_1)", name(there)))
    tried = "_found"
    if core.previous not in frozenset[str]().union(*map(free, tests)):
        tried, found = "_tried", [*statements("_tried.add(_1)", name(there)), *found]
    inner = statements(f"if _1 not in {tried}:\n    _2", name(there), found)
    loop = ast.For(stored(there), expression("NEIGHBOURS[_1]", name(here)), inner, [])
    text = "while _1:\n    _ring, _next = _next, []\n    _spent += 1\n    _2"
    return statements(text, _condition(core), [ast.For(stored(here), name("_ring"), [loop], [])])[0]


def _by_cost(x: Emitter, core: n.Search) -> ast.stmt:
    """The cheapest place first, until a goal is."""
    assert core.cost is not None
    tests = [] if core.where is None else [core.where]
    here, there = "v_" + core.previous, "v_" + core.var
    before, cost = x.lifted(core.cost)
    within = "" if core.within is None else " and _price <= _limit"
    pushed = statements(
        "_price = _spent + _1\n_before = _tried.get(_2)\n"
        f"if (_before is None or _price < _before){within}:\n"
        "    _tried[_2] = _price\n    _heappush(_next, (_price, _2))",
        cost,
        name(there),
    )
    inner = statements("if _1 not in _found:\n    _2", name(there), x.tested(tests, [*before, *pushed]))
    loop = ast.For(stored(there), expression("NEIGHBOURS[_1]", name(here)), inner, [])
    text = (
        "while _1:\n    _spent, _p = _heappop(_next)\n"
        "    if _p not in _found:\n        _found[_p] = _spent\n        _2 = _p\n        _3"
    )
    return statements(text, _condition(core), stored(here), [loop])[0]


def _condition(core: n.Search) -> Any:
    """Whether the search goes on."""
    text = "_next"
    if core.goal is not None:
        text += " and not _has(_found, _goal)"
    if core.within is not None and core.cost is None:
        text += " and _spent + 1 <= _limit"
    return expression(text)
