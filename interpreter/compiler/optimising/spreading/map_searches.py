"""Map searches compiled to functions with their tests inlined.

Each finds the same places at the same cost as `runtime.builtins.graph`; only searches that cannot fault are compiled,
because the places are visited in another order. With uniform costs a whole frontier is expanded at once
(`runtime.builtins.bitset_bfs`).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.optimising.passes import WAYS
from interpreter.compiler.optimising.spreading.edge_ways import ways_of
from interpreter.compiler.optimising.spreading.way_tables import Steps, flooding, known_steps
from interpreter.compiler.python_syntax import constant, expression, function, name, statements, stored
from interpreter.model import expressions as n
from interpreter.model.expressions import free_names

_BY_RINGS = "_found = {_p: 0 for _p in sorted({*_start})}\n_next = [*_found]\n_tried = {*_found}\n_spent = 0"
_BY_COST = "_found = {}\n_next = [(0, _p) for _p in sorted({*_start})]\n_tried = {}\n_spent = 0"


@dataclass(frozen=True, slots=True)
class Spread:
    """The function of a search: its name, the names of the rules that it is given, whether it only begins a flood."""

    name: str
    given: tuple[str, ...]
    is_flood: bool


def spread_of(x: Emitter, core: n.CheckedSearch, is_shared: bool) -> Spread:
    """Return the function of a search, compiled on first use."""
    parts = [part for part in (core.where, core.cost) if part is not None]
    given = tuple(sorted(frozenset[str]().union(*map(free_names, parts)) - {core.var, core.previous}))
    made = x.temporary().replace("x", "spread_")
    ways = ways_of(x, core) if WAYS in x.passes else None
    names = ["v_" + g for g in given]
    if ways is not None and core.cost is None and (ways.sure is not None or not ways.doubts):
        x.made += flooding(x, made, core, ways, names)
        return Spread(made, given, True)
    opening: list[ast.stmt] = []
    with x.elsewhere():
        steps = _plainly(x, core)
        if ways is not None:
            opening, steps, tables = known_steps(x, made, core, ways)
            x.made += tables
        going = _by_rings(core, steps) if core.cost is None else _by_cost(core, steps)
    begun = statements(_BY_RINGS if core.cost is None else _BY_COST)
    if is_shared:
        body = [*opening, *statements("if _kept: _found, _next, _tried, _spent = _kept\nelse:\n    _1", begun)]
        body += [going, *statements("_kept[:] = _found, _next, _tried, _spent")]
        node = function(made, ["G", "_kept", "_start", "_goal", *names], body, core.span)
    else:
        charge = constant(x.efforts.search_charge(core.where, core.cost))
        told = "tuple(sorted(_found))" if core.goal is None else "_normal(_spent) if _has(_found, _goal) else None"
        body = [*opening, *begun, going, *statements(f"_looked_at(G, _found, _1)\nreturn {told}", charge)]
        node = function(made, ["G", "_start", "_goal", "_limit", *names], body, core.span)
    x.made.append((node, core.span))
    return Spread(made, given, False)


def _plainly(x: Emitter, core: n.CheckedSearch) -> Steps:
    """Compile the steps from a place, each with the whole test."""
    tests = [] if core.where is None else [core.where]
    before, cost = (list[ast.stmt](), None) if core.cost is None else x.lifted(core.cost)
    return Steps(
        lambda body: [
            ast.For(stored("v_" + core.var), expression("NEIGHBOURS[_1]", name("v_" + core.previous)), body, [])
        ],
        lambda body: x.tested(tests, body),
        before,
        cost,
        core.previous in frozenset[str]().union(*map(free_names, tests)),
    )


def _by_rings(core: n.CheckedSearch, steps: Steps) -> ast.stmt:
    """Ring after ring, until a goal is found; a test that does not read where it comes from is made once a place."""
    here, there = "v_" + core.previous, "v_" + core.var
    found = steps.tested(statements("_found[_1] = _spent\n_next.append(_1)", name(there)))
    tried = "_found"
    if not steps.looks_back:
        tried, found = "_tried", [*statements("_tried.add(_1)", name(there)), *found]
    loop = steps.looped(statements(f"if _1 not in {tried}:\n    _2", name(there), found))
    text = "while _1:\n    _ring, _next = _next, []\n    _spent += 1\n    _2"
    return statements(text, _condition(core), [ast.For(stored(here), name("_ring"), loop, [])])[0]


def _by_cost(core: n.CheckedSearch, steps: Steps) -> ast.stmt:
    """Compile a search in order of cost (Dijkstra) until a goal is reached."""
    here, there = "v_" + core.previous, "v_" + core.var
    within = "" if core.within is None else " and _price <= _limit"
    pushed = statements(
        "_price = _spent + _1\n_before = _tried.get(_2)\n"
        f"if (_before is None or _price < _before){within}:\n"
        "    _tried[_2] = _price\n    _heappush(_next, (_price, _2))",
        steps.cost,
        name(there),
    )
    loop = steps.looped(statements("if _1 not in _found:\n    _2", name(there), steps.tested([*steps.before, *pushed])))
    text = (
        "while _1:\n    _spent, _p = _heappop(_next)\n"
        "    if _p not in _found:\n        _found[_p] = _spent\n        _2 = _p\n        _3"
    )
    return statements(text, _condition(core), stored(here), loop)[0]


def _condition(core: n.CheckedSearch) -> Any:
    """Return the loop condition of the search."""
    text = "_next"
    if core.goal is not None:
        text += " and not _has(_found, _goal)"
    if core.within is not None and core.cost is None:
        text += " and _spent + 1 <= _limit"
    return expression(text)
