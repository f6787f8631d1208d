"""Forms of a program that differ from the form for play in their procedures alone.

The new functions are executed after play's code and replace it by name. Numbering of decisions, texts and tables
continues where the data of play's form end.
"""

from __future__ import annotations

import json
from typing import Any

from interpreter.backends.python.compiled_program import CompiledProgram
from interpreter.backends.python.layout import lay_out
from interpreter.checker.suspension import find_suspension
from interpreter.compiler import noting
from interpreter.compiler.assembling import LEDGER, ODDS, Made, codes_of, procedure_functions, resuming
from interpreter.compiler.decisions import Decisions
from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.expressions.handlers import HANDLERS
from interpreter.compiler.optimising import passes
from interpreter.compiler.procedures.effects import Workshop
from interpreter.model.statements import CheckedModel

BESIDE = (ODDS, LEDGER)


def procedures_beside(model: CheckedModel, form: str, play: dict[str, Any]) -> CompiledProgram:
    """Compile what ODDS (suspends at every roll) or LEDGER (records computations) do not share with play.

    `play` holds the cached data of the form for play. Code that records nothing calls play's functions.
    """
    handlers = noting.handlers(HANDLERS) if form == LEDGER else HANDLERS
    emitter = Emitter(model, lay_out(model), handlers, passes=passes.BESIDE)
    emitter.read_by = {name: frozenset(read) for name, read in play["remembers"].items()}
    emitter.whose = play["whose"]
    emitter.tables = dict.fromkeys(play["tabled"])
    emitter.parts = {(kind, cls, slot): made for made, kind, cls, slot in play["parts"]}
    emitter.fresh = play["named"]
    suspension = find_suspension(model, form == ODDS)
    decisions = Decisions(emitter, play)
    shop = Workshop(emitter, suspension, decisions)
    emitter.noting = form == LEDGER
    made: Made = procedure_functions(shop)
    emitter.noting = False
    if form == LEDGER:
        made += noting.functions(emitter, decisions)
    made += emitter.made
    data = {"form": form, "begins": False, **resuming(shop, len(play["decisions"])), "tabled": list(emitter.tables)}
    data["parts"] = [[made, kind, cls, slot] for (kind, cls, slot), made in emitter.parts.items()]
    return CompiledProgram(codes_of(made), json.loads(json.dumps(data)))
