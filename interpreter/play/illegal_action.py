"""Errors for rejected answers: the key as far as it can be parsed, and the reasons."""

from __future__ import annotations

from typing import Any

from interpreter.i18n.translator import mark as _
from interpreter.play import why_not
from interpreter.play.failing_reasons import build_reason
from interpreter.runtime.decisions import Decision
from interpreter.runtime.errors import IllegalAction, Reason, RuleFault
from interpreter.runtime.limits import LIMITS
from interpreter.runtime.machine import as_query
from interpreter.runtime.pending import get_pending_decision
from interpreter.runtime.state import State


def explain_refusal(state: State, decision: Decision, key: str) -> IllegalAction:
    """Return the error that says why a key does not answer the decision."""
    try:
        reasons = _find_reasons(state, decision, key)
    except RuleFault as fault:
        if not fault.is_exhausted:
            raise
        telling = (
            _("the reason cannot be shown: too many possibilities would have to be examined"),
        )  # it is the key that is wrong
        reasons = (build_reason(state.program, telling),)
    return IllegalAction(_("`{key}` is not legal: {reasons}", key=key, reasons=reasons), reasons)


@as_query
def _find_reasons(state: State, decision: Decision, key: str) -> tuple[Reason, ...]:
    """Return why a key names no option of a decision."""
    name, args = read_key(decision, key)
    reasons: tuple[Reason, ...] = ()
    step_keys = why_not.split_steps(key) if decision.is_draft else []
    step_keys = step_keys[:-1] if step_keys[-1:] == ["finish"] else step_keys
    if decision.is_draft and (len(step_keys) != 1 or decision.can_begin_with(step_keys)):
        draft_args, steps_taken = decision.draft_args, state.draft
        reasons = why_not.check_draft_steps(state, decision.draft, draft_args, step_keys, steps_taken).reasons
        reasons = reasons or why_not.explain_option_refusal(decision, step_keys)
    if not reasons:
        reasons = why_not.why_not(state, name, args)
    if reasons:
        return reasons
    telling: tuple[Any, ...] = (_("the decision has no options"),)
    if decision.options:
        telling = (
            "say",
            "`{key}` is not an option of this decision; an option looks like `{example}`",
            {"key": key, "example": decision.options[0].key},
        )
    return (build_reason(state.program, telling),)


def read_key(decision: Decision, key: str) -> tuple[str, dict[str, str]]:
    """Return (name, text of each argument by parameter) of a key, as far as it can be parsed."""
    name, bracket, inside = key.partition("(")
    name = name.strip()
    if not bracket:
        return name, {}
    words = [w.strip() for w in inside.rstrip().removesuffix(")").split(",")]
    choices = decision.draft.steps if decision.is_draft else decision.info.options
    for choice in choices:
        if choice.name == name:
            names = [p.name for p in choice.params]
            return name, dict(zip(names, words, strict=False))
    return name, {}


def build_no_decision_error(stopped: Exception | None, over: bool) -> IllegalAction:
    """Return the error of a choice in a game without a pending decision.

    `stopped`: the fault that has stopped the game, or None; `over`: the game has ended.
    """
    if stopped is not None:
        return IllegalAction(
            _("{fault}; this game has no record to go back to and cannot continue", fault=str(stopped))
        )
    return IllegalAction(_("the game is over") if over else _("nothing needs to be decided now"))


def build_no_choice_fault(state: State) -> RuleFault:
    """Return the fault of a game that makes many decisions in a row without a choice for any player."""
    decision = state.program.decisions[get_pending_decision(state).number]
    return RuleFault(
        f"nobody has had a choice in the last {LIMITS.forced:,} decisions; `{decision.address}` is the last; "
        "let the rules end it: a decision that is repeated until done needs a `finish` that holds some time",
        decision.file,
        decision.line,
        is_exhausted=True,
    )


def build_unknown_number_error(number: int, count: int) -> IllegalAction:
    """Build the error for a number that no option has."""
    return IllegalAction(
        "option number {number} does not exist; the decision has {options}", number=number, options=count
    )
