"""Expressions asked from outside: parse, check, compile and evaluate one in a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.runtime.faults import SetupError
from interpreter.runtime.limits import begin_anew
from interpreter.runtime.machine import RULES_FAULTS, rule_fault
from interpreter.runtime.naming import value_id
from interpreter.source.diagnostic import Sink
from interpreter.source.text import Source
from interpreter.words.speech import mark as _

if TYPE_CHECKING:
    from interpreter.model.core import CheckedModel
    from interpreter.play.session import Game


def ask(model: CheckedModel | None, game: Game, text: str) -> Any:
    """The value of an expression as ids, numbers and words.

    SetupError when it makes no sense, RuleFault when it cannot be worked out in this position.
    """
    from interpreter.checker.asked_expressions import check_expression
    from interpreter.compiler.assembling import compile_expression
    from interpreter.compiler.decisions import showing

    if model is None:
        raise SetupError(_("expressions can be asked only of a ruleset loaded with its checked rules"))
    sink = Sink()
    source = Source("expression", text)
    core = check_expression(model, source, sink)
    if core is None or sink.has_errors:
        first = sink.sorted()[0]
        raise SetupError(f"`{text}`: {first.message}" + (f"; {first.help}" if first.help else ""))
    space = dict(game.program.functions)
    # checked and compiled by the same passes as the rules
    exec(compile_expression(model, core, game.program.data["form"] == "covered"), space)
    begin_anew(game.state)
    try:
        value = space["answer"](game.state)
    except RULES_FAULTS as fault:
        raise rule_fault(game.state, fault) from fault
    return value_id(game.program, showing(core.type), value)
