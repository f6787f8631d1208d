"""Procedures -> Python functions.

A procedure that can reach no decision becomes an ordinary function `p_name(G, ...)`; one that can is cut into blocks:
`p_name(G, pc, L)` takes the block to start at and its locals. When a decision is reached it gives back `ASKED` after
putting (name, block) and its locals on `G.stack`, and its callers theirs into `G.above`; the machine calls it again
with them when the answer is known.

A program for exact odds is cut at rolls too, and where an option of a row of choices has done all it does; its frames
keep only what is still needed, so that histories which no longer matter become one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from interpreter.checker.suspension import walk
from interpreter.compiler.procedures import cut_decisions, cut_statements
from interpreter.compiler.procedures.blocks import Cut
from interpreter.compiler.procedures.effects import Effects, Workshop
from interpreter.compiler.python_syntax import function, located, name, statements, stored
from interpreter.model import statements as c


def emit_procedure(shop: Workshop, p: c.CheckedProcedure) -> ast.stmt:
    """Return the function of a procedure."""
    shop.x.thrown = frozenset(s.var for s in walk(p.body) if isinstance(s, c.RollDice))
    if p.name in shop.suspension.procedures:
        return suspended_function(shop, p)
    plain = Effects(shop, p.name)
    body = [*plain.cover(p.cites), *plain.body(p.body)] or [ast.Pass()]
    end = plain.ending()
    if end and not isinstance(body[-1], ast.Return):
        body.extend(end)
    if end:
        body = statements("try:\n    _1\nexcept _Skip:\n    _2\n    raise", body, end)
    return function("p_" + p.name, ["G", *("v_" + n for n, _ in p.params)], [*plain.deepening(), *body], p.span)


def emit_watcher(shop: Workshop, event: str) -> ast.stmt:
    """One function that runs every watcher of an event, in the order of the rules."""
    shop.x.thrown = frozenset()
    watchers = [w for w in shop.model.watchers if w.event == event]
    params = [f"a{i}" for i in range(len(watchers[0].params))]
    body: list[ast.stmt] = []
    for w in watchers:
        inner = [
            located(statements("_1 = _2", stored("v_" + n), name(a))[0], w.span)
            for (n, _), a in zip(w.params, params, strict=True)
        ]
        plain = Effects(shop, f"whenever {event}")
        effects = [*statements("_spend(G, 20)"), *plain.cover(w.cites), *plain.body(w.body)]
        test = None if w.where is None else shop.x.emit(w.where)
        inner.extend(effects if test is None else [ast.If(test, effects or [ast.Pass()], [])])
        body.extend(inner)
    return function("watch_" + event, ["G", *params], body, watchers[0].span)


_CUTS: dict[type, Callable[[Cut, Any], None]] = {
    c.CallProcedure: cut_statements.call,
    c.SettleNow: cut_statements.settle,
    c.CheckedIf: cut_statements.branch,
    c.Loop: cut_statements.loop,
    c.MatchPart: cut_statements.match_part,
    c.PhaseBlock: cut_statements.phase,
    c.Decide: cut_decisions.decide,
    c.DecideDraft: cut_decisions.draft,
    c.RollDice: cut_decisions.roll,
    c.DrawMembers: cut_decisions.roll,
}


def suspended_function(shop: Workshop, p: c.CheckedProcedure) -> ast.stmt:
    """Return the function of a procedure that can suspend."""
    return Cut(shop, p, _CUTS).function()
