"""Checks of setups: sets up every scenario and tests what the ruleset demands of it.

The `setup` block runs until it rolls a die or asks for a decision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.play import position_editing
from interpreter.play.setup import starting
from interpreter.play.template_values import format_template
from interpreter.runtime.dice import DiceExhaustedError, ScriptedDice
from interpreter.runtime.errors import RuleFault, RuntimeFault
from interpreter.runtime.intrinsics import ASKED
from interpreter.runtime.limits import reset_budget
from interpreter.runtime.state import State

if TYPE_CHECKING:
    from interpreter.runtime.program import Program


def find_broken_setups(program: Program) -> list[tuple[str, str, str]]:
    """Return, for each setup that breaks a demand, the scenario, the demand, and the words for what breaks it."""
    found = []
    for scenario in program.data["scenarios"] if program.data["setup_checks"] else ():
        state = _set_up(program, scenario)
        for name, check in program.data["setup_checks"].items():
            for values in _subjects(program, check):
                reset_budget(state)
                try:
                    holds = program.functions["setup_check_" + name](state, *values)
                except (RuntimeFault, RuleFault, ArithmeticError) as fault:
                    found.append((scenario["id"], name, f"{format_template(state, 'check.' + name, values)} ({fault})"))
                    continue
                if not holds:
                    found.append((scenario["id"], name, format_template(state, "check." + name, values)))
    return found


def _set_up(program: Program, scenario: dict[str, Any]) -> State:
    state = program.fresh_state()
    state.options = starting.settle_options(program, scenario, {})
    state.dice = ScriptedDice([])
    starting.apply_splits(state)
    state.scenario, state.turn, state.last_turn = scenario["id"], scenario["turn"], scenario["turns"]
    position_editing.apply_position(state, scenario["position"])
    setup = program.functions.get("p_setup")
    try:
        if setup is not None and setup(state, 0, ()) is ASKED:
            state.pending, state.frames = None, []
    except (DiceExhaustedError, RuntimeFault, RuleFault, ArithmeticError):
        state.frames = []  # the setup stops here; check the position reached so far
    return state


def _subjects(program: Program, check: dict[str, Any]) -> list[tuple[int, ...]]:
    if check["kind"] is None:
        return [()]
    things = program.kinds[check["kind"]]["things"]
    return [(n,) for n, thing in enumerate(things) if check["cls"] in (None, thing["cls"]) and thing["holding"] is None]
