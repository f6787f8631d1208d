"""Procedures that can reach a decision -> functions cut into blocks.

`p_name(G, pc, L)` takes the block to start at and its locals. When a decision is reached it
gives back `ASKED` after putting (name, block) and its locals on `G.stack`, and its callers theirs into
`G.above`; the machine calls it again with them when the answer is known.

A program for exact odds is cut at rolls too, and where an option of a row of choices has done all
it does; its frames keep only what is still needed, so that histories which no longer matter become
one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from interpreter.compiler.procedures import cut_decisions, cut_statements
from interpreter.compiler.procedures.blocks import Cut
from interpreter.compiler.procedures.effects import Workshop
from interpreter.model import core as c

_CUTS: dict[type, Callable[[Cut, Any], None]] = {
    c.CallProcedure: cut_statements.call,
    c.SettleNow: cut_statements.settle,
    c.Branch: cut_statements.branch,
    c.Loop: cut_statements.loop,
    c.MatchPart: cut_statements.match_part,
    c.PhaseBlock: cut_statements.phase,
    c.Decide: cut_decisions.decide,
    c.DecideDraft: cut_decisions.draft,
    c.RollDice: cut_decisions.roll,
    c.DrawMembers: cut_decisions.roll,
}


def suspended_function(shop: Workshop, p: c.CheckedProcedure) -> ast.stmt:
    """The function of a procedure that can suspend."""
    return Cut(shop, p, _CUTS).function()
