"""Descriptions of a decision and its options, as data that `ValueFormatter` renders in any language.

Descriptions do not affect the rules: if an expression in one faults, the option's name is shown with the fault, so the
player can still choose. The decision records the fault in `faults`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.runtime import drafts
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.limits import LIMITS, TELLING
from interpreter.runtime.machine import as_query
from interpreter.runtime.program_info import OptionInfo
from interpreter.runtime.type_aliases import PlainOption, Step, Telling, Values

if TYPE_CHECKING:
    from interpreter.runtime.decisions import Decision

_DEAR = 10_000  # steps of work from which words are kept


def describe_prompt(decision: Decision) -> Telling:
    """Return the question as data."""
    number, name = decision.described.prompt, ("called", decision.name, "draft" if decision.is_draft else "decision")
    if number is None:
        return name
    return _with_words(decision, name, number, f"prompt_{decision.number}", decision.values)


def describe_option(decision: Decision, raw: drafts.RawOption) -> Telling:
    """Return an option as data: a draft end, a draft step, a plain option, or the end of a row."""
    if isinstance(raw, drafts.DraftEnd):
        return _describe_end(decision, raw)
    if isinstance(raw, drafts.DraftStep):
        return describe_step(decision, raw.step, _fields_now(decision))
    if raw[0] < 0:
        return ("done",)
    choice = decision.described.options[raw[0]]
    return _describe_choice(decision, decision.name, choice, raw, f"label_{decision.number}_", decision.values)


def describe_step(decision: Decision, step: Step, fields: Values) -> Telling:
    """Return a draft step taken from these fields as data."""
    draft = decision.draft
    choice, given = draft.steps[step[0]], (*decision.draft_args, *fields)
    return _describe_choice(decision, draft.name, choice, step, f"label_{draft.name}_", given)


@as_query
def _fields_now(decision: Decision) -> Values:
    here = decision.here()
    return here[0] if here is not None else ()


def _describe_choice(
    decision: Decision, owner: str, choice: OptionInfo, raw: PlainOption, function: str, given: Values
) -> Telling:
    arguments = [(p.name, p.show, a) for p, a in zip(choice.params, raw[1], strict=True)]
    name = ("name", owner, choice.name, arguments)
    if choice.label is None:
        return name
    return _with_words(decision, name, choice.label, f"{function}{raw[0]}", (*given, *raw[1]))


def _describe_end(decision: Decision, raw: drafts.DraftEnd) -> Telling:
    draft = decision.draft
    way = [(p.name, p.show, a) for s in raw.steps for p, a in zip(draft.steps[s[0]].params, s[1], strict=True)]
    offer = list(zip(draft.offer, draft.offer_shows, raw.offer, strict=True))
    name = ("offer", draft.name, offer, () if draft.is_unordered else way)
    if draft.ending is None:
        return name
    given = (*decision.draft_args, *raw.fields, *(raw.offer[i] for i in draft.told))
    return _with_words(decision, name, draft.ending, "ending_" + draft.name, given)


def _with_words(decision: Decision, name: Telling, number: int, function: str, given: Values) -> Telling:
    """Return the description with this number, or the option's name with the fault if evaluating it fails.

    All descriptions of one decision share a budget; once it is used up, only names are shown.
    """
    known = decision.dear_words.get((function, given))
    if known is not None:
        return known
    fault = next((found for found in decision.faults.values() if found.is_exhausted), None)
    if fault is not None:
        return ("faulty", name, fault)
    told, work = _evaluated(decision, name, number, function, given)
    decision.word_steps += work
    if work > _DEAR:
        decision.dear_words[function, given] = told
    if decision.word_steps > TELLING * LIMITS.steps:
        _note(decision, _too_much(decision))
    return told


def _evaluated(decision: Decision, name: Telling, number: int, function: str, given: Values) -> tuple[Telling, int]:
    """Return the words or the fault, and the steps of work they took."""
    tell: Callable[..., Values] = decision.program.functions[function]
    try:
        told: Telling = ("words", number, _fill_words(decision, tell, given))
    except RuleFault as fault:
        _note(decision, fault)
        told = ("faulty", name, fault)
    return told, decision.state.spent - decision.state.program.unspent


def _note(decision: Decision, fault: RuleFault) -> None:
    decision.faults.setdefault(str(fault), fault)


def _too_much(decision: Decision) -> RuleFault:
    described = decision.draft if decision.is_draft else decision.described
    return RuleFault(
        f"the words of `{decision.name}` and its options take more than {TELLING * LIMITS.steps:,} steps of work in "
        "all; let the expressions in them look at less",
        described.file,
        described.line,
        is_exhausted=True,
    )


@as_query
def _fill_words(decision: Decision, tell: Callable[..., Values], given: Values) -> Values:
    return tell(decision.state, *given)
