"""Descriptions of a decision and its options, as data that `Localizer` renders in any language.

Descriptions do not affect the rules: if an expression in one faults, the option's name is shown with the fault, so the
player can still choose. The decision records the fault in `faults`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.runtime import drafts
from interpreter.runtime.compiled_functions import Function, Owner
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.limits import SharedBudget, one_budget, shared_budget
from interpreter.runtime.machine import as_query, evaluate
from interpreter.runtime.program_info import OptionInfo
from interpreter.runtime.type_aliases import PlainOption, Step, Telling, Values

if TYPE_CHECKING:
    from interpreter.runtime.decisions import Decision


class OptionWords:
    """The texts of one decision evaluated so far, the step budget they share, and the faults met.

    `tellings`: the texts, as data. `faults`: the faults by message.
    """

    __slots__ = ("tellings", "faults", "budget", "is_exhausted")

    def __init__(self) -> None:
        self.tellings: dict[
            tuple[Function, Values], Telling
        ] = {}  # by the function that fills the text, and its arguments
        self.faults: dict[str, RuleFault] = {}
        self.budget = SharedBudget()
        self.is_exhausted = False

    def record_fault(self, fault: RuleFault) -> None:
        """Record a fault; after an exhausted budget no more words are evaluated."""
        self.faults.setdefault(str(fault), fault)
        self.is_exhausted = self.is_exhausted or fault.is_exhausted


def describe_prompt(decision: Decision, words: OptionWords) -> Telling:
    """Return the decision's question to the player as data. `words`: the texts evaluated so far."""
    number, name = decision.info.prompt, ("called", decision.name, "draft" if decision.is_draft else "decision")
    if number is None:
        return name
    return _with_words(
        decision, words, name, number, decision.program.functions.get_prompt(decision.number), decision.values
    )


def describe_option(decision: Decision, raw: drafts.RawOption, words: OptionWords) -> Telling:
    """Return the words of an option as data for `Localizer.format_telling`. `words`: the texts evaluated so far.

    `raw`: a finished draft, a step of a draft, a plain option, or the end of a repeated decision.
    """
    if isinstance(raw, drafts.DraftEnd):
        return _describe_end(decision, raw, words)
    if isinstance(raw, drafts.DraftStep):
        return describe_step(decision, raw.step, _get_fields(decision), words)
    if raw[0] < 0:
        return ("done",)
    choice = decision.info.options[raw[0]]
    return _describe_choice(decision, words, decision.number, choice, raw, decision.values)


def describe_step(decision: Decision, step: Step, fields: Values, words: OptionWords) -> Telling:
    """Return the words of a draft step as data for `Localizer.format_telling`.

    `fields`: the fields before the step. `words`: the texts evaluated so far.
    """
    draft = decision.draft
    choice, values = draft.steps[step[0]], (*decision.draft_args, *fields)
    return _describe_choice(decision, words, draft.name, choice, step, values)


@as_query
def _get_fields(decision: Decision) -> Values:
    here = decision.get_draft_state()
    return here[0] if here is not None else ()


def _describe_choice(
    decision: Decision,
    words: OptionWords,
    owner: Owner,
    choice: OptionInfo,
    raw: PlainOption,
    values: Values,
) -> Telling:
    arguments = [(p.name, p.show, a) for p, a in zip(choice.params, raw[1], strict=True)]
    name = ("name", owner if isinstance(owner, str) else decision.name, choice.name, arguments)
    if choice.label is None:
        return name
    label = decision.program.functions.get_label(owner, raw[0])
    return _with_words(decision, words, name, choice.label, label, (*values, *raw[1]))


def _describe_end(decision: Decision, raw: drafts.DraftEnd, words: OptionWords) -> Telling:
    draft = decision.draft
    way = [(p.name, p.show, a) for s in raw.steps for p, a in zip(draft.steps[s[0]].params, s[1], strict=True)]
    offer = list(zip(draft.offer, draft.offer_shows, raw.offer, strict=True))
    name = ("offer", draft.name, offer, () if draft.is_unordered else way)
    if draft.ending is None:
        return name
    values = (*decision.draft_args, *raw.fields, *(raw.offer[i] for i in draft.told))
    return _with_words(decision, words, name, draft.ending, decision.program.functions.get_ending(draft.name), values)


def _with_words(
    decision: Decision, words: OptionWords, name: Telling, number: int, function: Function, values: Values
) -> Telling:
    """Return a text of the rules as data, or `name` instead if evaluating the text faults.

    `number`: the number of the text. `function`: the compiled function that returns the values in it. `values`: its
    arguments. All texts of one decision share a budget; once it is used up, only names are shown.
    """
    telling_memo = words.tellings.get((function, values))
    if telling_memo is not None:
        return telling_memo
    page = shared_budget()
    if words.is_exhausted or page is not None and page.fault is not None:  # the fault is reported where it happened
        return name
    try:
        with one_budget(words.budget):
            telling: Telling = ("words", number, evaluate(decision.state, function, *values, text=number))
    except RuleFault as fault:
        words.record_fault(fault)
        if fault.is_exhausted and page is not None and page.is_tolerant:
            page.leave_out_texts(fault)
        telling = ("faulty", name, fault)
    words.tellings[function, values] = telling
    return telling
