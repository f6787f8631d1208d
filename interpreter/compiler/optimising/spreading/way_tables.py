"""Code generation for tables of a search's steps, by place.

The table of a place (for a flood fill: of the whole map) is made when a search first reaches it, and memoized for good
by the few values it depends on.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.optimising.spreading.edge_ways import Told, Ways
from interpreter.compiler.optimising.spreading.place_spots import bits
from interpreter.compiler.python_syntax import (
    MOST_KEPT,
    all_stored,
    call_of,
    constant,
    empty_table,
    expression,
    function,
    looked_up,
    name,
    row,
    statements,
    stored,
    target,
    tuple_of,
)
from interpreter.diagnostics.source_text import Span
from interpreter.model import expressions as n

Made = list[tuple[ast.stmt, Span]]
Body = list[ast.stmt]


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps from a place, as code: the loop over them, what must hold of one, and what it costs.

    `looks_back` is whether the test reads the place that a step is made from.
    """

    looped: Callable[[Body], Body]
    tested: Callable[[Body], Body]
    before: Body
    cost: Any
    looks_back: bool


def known_steps(x: Emitter, made: str, core: n.CheckedSearch, ways: Ways) -> tuple[Body, Steps, Made]:
    """Return the code before a search, its steps from tables, and the functions that make the tables."""
    here, there = "v_" + core.previous, "v_" + core.var
    values = [(there, None)] + [("_sure", ways.sure)] * bool(ways.sure) + [("_cost", ways.cost)] * bool(ways.cost)
    opening, table, tables = _kept(x, made, core, ways, "_out = []", _row(x, core, ways, values), [here])
    entered, left = (_places(x, told, core.span, opening) for told in (ways.entered, ways.left))
    made_there = call_of(table.lower(), *(name("v_" + a) for a, _ in ways.atoms), name(here))
    rows = statements("_w = _rows.get(_1)\nif _w is None: _w = _rows[_1] = _2", name(here), made_there)

    def looped(body: Body) -> Body:
        found: Body = [*rows, ast.For(target([v for v, _ in values]), name("_w"), body, [])]
        return found if left is None else [ast.If(expression("_left >> _1 & 1", name(here)), found, [])]

    def tested(body: Body) -> Body:
        if ways.doubts and ways.sure is not None:
            settled = x.tested(list(ways.doubts), statements("_open = True"))
            body = [*statements("_open = _sure\nif not _open:\n    _1", settled), ast.If(name("_open"), body, [])]
        elif ways.doubts:
            body = x.tested(list(ways.doubts), body)
        return body if entered is None else [ast.If(expression("_entered >> _1 & 1", name(there)), body, [])]

    before, cost = ([], None) if core.cost is None else x.lifted(core.cost)
    if core.cost is not None and ways.cost is not None:
        settle = [*before, *statements("_cost = _1", cost)]
        before = [] if ways.known_cost is None else statements("if _cost is None:\n    _1", settle)
        cost = name("_cost")
    if entered is not None:
        opening += statements("_entered = _1", entered)
    if left is not None:
        opening += statements("_left = _1", left)
    return opening, Steps(looped, tested, before, cost, bool(ways.doubts)), tables


def _row(x: Emitter, core: n.CheckedSearch, ways: Ways, values: list[tuple[str, Any]]) -> Body:
    """Statements that note the steps from one place that can ever be open."""
    with x.elsewhere():
        told: list[Any] = []
        before: Body = []
        for what, value in values:
            if value is None:
                told.append(name(what))
                continue
            lifted, made = x.lifted(value)
            if what == "_cost" and ways.known_cost is not None:
                sure, is_known = x.lifted(ways.known_cost)
                before += sure
                made = expression("_1 if _2 else None", made, is_known)
            before += lifted
            told.append(made)
        noted = x.tested(list(ways.open), [*before, *statements("_out.append(_1)", row(told))])
        neighbours = expression("NEIGHBOURS[_1]", name("v_" + core.previous))
        return [ast.For(stored("v_" + core.var), neighbours, noted, []), *statements("return tuple(_out)")]


def flooding(x: Emitter, made: str, core: n.CheckedSearch, ways: Ways, names: list[str]) -> Made:
    """`made(G, start, ...)`: where a flood begins, what it may enter and leave, and by which steps."""
    here, there = "v_" + core.previous, "v_" + core.var
    pair = tuple_of([name(here), name(there)])
    with x.elsewhere():
        sure = statements("_sure.append(_1)", pair)
        if ways.sure is not None:
            before, value = x.lifted(ways.sure)
            sure = [*before, *statements("(_sure if _1 else _doubtful).append(_2)", value, pair)]
        around = ast.For(stored(there), expression("NEIGHBOURS[_1]", name(here)), x.tested(list(ways.open), sure), [])
        every = [ast.For(stored(here), name("ALL_place"), [around], [])]
    told = [*every, *statements("return _moves_of(_sure), tuple(_doubtful)")]
    with x.elsewhere():
        opening, _, tables = _kept(x, made, core, ways, "_sure = []\n_doubtful = []", told, [])
        further: Body = statements("_further = []")
        if ways.doubts:
            steps = statements("_further.append((1 << _1, 1 << _2))", name(here), name(there))
            further.append(
                ast.For(all_stored([here, there]), name("_doubtful"), x.tested(list(ways.doubts), steps), [])
            )
        entered, left = (_places(x, told, core.span, opening) for told in (ways.entered, ways.left))
    end = statements(
        "_moves, _doubtful = _rows\n_1\n_ring = _bits_of(_start)\nreturn [[_ring], _ring, _moves, _further, _2, _3]",
        further,
        entered or name("ALL_BITS"),
        left or name("ALL_BITS"),
    )
    return [*tables, (function(made, ["G", "_start", *names], [*opening, *end], core.span), core.span)]


def _places(x: Emitter, told: Told, span: Span, opening: Body) -> Any:
    """Return the set of places under conditions, if any; loops go to `opening`, and run once per position."""
    if not told.spots:
        return None
    outer, x.pre = x.pre, []
    found = reduce(lambda a, b: ast.BinOp(a, ast.BitAnd(), b), [bits(x, part, span) for part in told.spots])
    before, x.pre = x.pre, outer
    if not before or told.key not in x.read_by:
        opening += before
        return found
    made, keys = x.temporary(), [name("v_" + given) for given in told.given]
    opening += statements(
        "_m = G.memo.get(_1)\nif _m is None: _m = G.memo[_1] = {}\n"
        "_2 = _m.get(_3)\nif _4 is None:\n    _5\n    _2 = _m[_3] = _6",
        constant(told.key),
        stored(made),
        row(keys),
        name(made),
        before,
        found,
    )
    return name(made)


def _kept(
    x: Emitter, made: str, core: n.CheckedSearch, ways: Ways, begun: str, body: Body, given: list[str]
) -> tuple[Body, str, Made]:
    """Statements that find the tables of a search in `_rows`; their name; and what makes them."""
    table = made.replace("spread", "WAYS")
    opening: Body = []
    for atom, value in ways.atoms:
        opening += x.worked_out("v_" + atom, value)
    atoms = ["v_" + atom for atom, _ in ways.atoms]
    whole = expression("{}") if given else call_of(table.lower(), *map(name, atoms))
    hangs_on = _names_in(opening)
    opening += looked_up("_rows", table, tuple_of(map(name, atoms)), whole)
    begins = [table]
    if hangs_on:  # what the atoms come to is found by what they are worked out from
        begins.append(made.replace("spread", "ATOMS"))
        known = [*atoms, "_rows"]
        opening = statements(
            "_a = _1.get(_2)\nif _a is None:\n    _3\n    if len(_1) >= _4: _1.clear()\n    _a = _1[_2] = _5\nelse: _6",
            name(begins[1]),
            row([name(v) for v in hangs_on]),
            opening,
            constant(MOST_KEPT),
            tuple_of(map(name, known)),
            [ast.Assign([all_stored(known)], name("_a"))],
        )
    maker = function(table.lower(), [*atoms, *given], [*statements(begun), *body], core.span)
    starts = [empty_table(one, core.span) for one in begins]
    return opening, table, [*starts, (maker, core.span)]


def _names_in(body: Body) -> list[str]:
    """Return the author's names that statements read; [] if they read the position."""
    names = [node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Name)]
    bound = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    read = dict.fromkeys(node.id for node in names if isinstance(node.ctx, ast.Load))
    return [] if "G" in read else [one for one in read if one.startswith("v_") and one not in bound]
