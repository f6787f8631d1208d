"""Setup checks: set up every scenario and test the demands that the ruleset makes on a setup.

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
from interpreter.runtime.limits import one_budget
from interpreter.runtime.machine import evaluate
from interpreter.runtime.state import State

if TYPE_CHECKING:
    from interpreter.runtime.program import Program


@one_budget()
def find_broken_setups(program: Program) -> list[tuple[str, str, str]]:
    """Return (scenario, demand, message) for each setup demand that a scenario does not meet."""
    found: list[tuple[str, str, str]] = []
    for scenario in program.data["scenarios"] if program.data["setup_checks"] else ():
        state = _set_up(program, scenario)
        for name, check in program.data["setup_checks"].items():
            for values in _subjects(program, check):
                try:
                    told = _broken(state, name, values)
                except RuleFault as fault:
                    return [*found, (scenario["id"], name, f"({fault.message})")]
                if told is not None:
                    found.append((scenario["id"], name, told))
    return found


def _broken(state: State, name: str, values: tuple[int, ...]) -> str | None:
    """Return the message of the setup check `name` if it does not hold, or None if it holds.

    `values`: the handle of the thing that is checked, () for the game. Raises RuleFault if a budget is exceeded.
    """
    try:
        if evaluate(state, "setup_check_" + name, *values):
            return None
    except RuleFault as fault:
        if fault.is_exhausted:
            raise
        return f"{format_template(state, 'check.' + name, values)} ({fault.message})"
    return format_template(state, "check." + name, values)


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
