"""Descriptions of a decision and its options, as data that `ValueFormatter` renders in any language.

Descriptions do not affect the rules: if an expression in one faults, the option's name is shown with the fault, so the
player can still choose. The decision records the fault in `faults`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from interpreter.runtime import drafts
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.limits import LIMITS, TELLING
from interpreter.runtime.machine import as_query
from interpreter.runtime.value_format import ProgramView

_DEAR = 10_000  # steps of work from which words are kept
Telling = tuple[Any, ...]


class Asked(Protocol):
    """A pending decision, as far as its words need it."""

    @property
    def program(self) -> ProgramView:
        """Return the program that is played."""

    @property
    def state(self) -> Any:
        """Return the state in which the side decides."""

    @property
    def name(self) -> str:
        """Return the name of the decision."""

    @property
    def number(self) -> int:
        """Return the number of the decision in the program."""

    @property
    def values(self) -> tuple[Any, ...]:
        """Return the values that its expressions read."""

    @property
    def draft_args(self) -> tuple[Any, ...]:
        """Return the arguments of the draft."""

    @property
    def faults(self) -> dict[str, RuleFault]:
        """Return the rules faults met while words were evaluated, by their text."""

    @property
    def is_draft(self) -> bool:
        """Return whether the decision builds a draft."""

    @property
    def described(self) -> Mapping[str, Any]:
        """Return the compiled description of the decision."""

    @property
    def draft(self) -> Mapping[str, Any]:
        """Return the compiled description of the draft."""

    @property
    def dear_words(self) -> dict[Any, Telling]:
        """Words that took much work, by the function that fills them and its arguments."""

    word_steps: int

    def here(self) -> tuple[Any, ...] | None:
        """Return the fields of the draft after the steps taken so far."""


def describe_prompt(decision: Asked) -> Telling:
    """Return the question as data."""
    number, name = decision.described["prompt"], ("called", decision.name, "draft" if decision.is_draft else "decision")
    if number is None:
        return name
    return _with_words(decision, name, number, f"prompt_{decision.number}", decision.values)


def describe_option(decision: Asked, raw: Any) -> Telling:
    """Return an option as data: a draft end, a draft step, a plain option, or the end of a row."""
    if isinstance(raw, drafts.DraftEnd):
        return _describe_end(decision, raw)
    if raw[0] == "step":
        return describe_step(decision, raw[1], _fields_now(decision))
    if raw[0] < 0:
        return ("done",)
    return _describe_choice(decision, decision.described, "choices", raw, f"label_{decision.number}_", decision.values)


def describe_step(decision: Asked, step: drafts.Step, fields: tuple[Any, ...]) -> Telling:
    """Return a draft step taken from these fields as data."""
    draft = decision.draft
    return _describe_choice(decision, draft, "steps", step, f"label_{draft['name']}_", (*decision.draft_args, *fields))


@as_query
def _fields_now(decision: Asked) -> tuple[Any, ...]:
    here = decision.here()
    return here[0] if here is not None else ()


def _describe_choice(decision: Asked, owner: Any, key: str, raw: Any, function: str, given: tuple[Any, ...]) -> Telling:
    choice = owner[key][raw[0]]
    arguments = [(p["name"], p["show"], a) for p, a in zip(choice["params"], raw[1], strict=True)]
    name = ("name", owner["name"], choice["name"], arguments)
    if choice["label"] is None:
        return name
    return _with_words(decision, name, choice["label"], f"{function}{raw[0]}", (*given, *raw[1]))


def _describe_end(decision: Asked, raw: drafts.DraftEnd) -> Telling:
    draft = decision.draft
    way = [
        (p["name"], p["show"], a) for s in raw.steps for p, a in zip(draft["steps"][s[0]]["params"], s[1], strict=True)
    ]
    offer = list(zip(draft["offer"], draft["offer_shows"], raw.offer, strict=True))
    name = ("offer", draft["name"], offer, () if draft["unordered"] else way)
    if draft["ending"] is None:
        return name
    given = (*decision.draft_args, *raw.fields, *(raw.offer[i] for i in draft["told"]))
    return _with_words(decision, name, draft["ending"], "ending_" + draft["name"], given)


def _with_words(decision: Asked, name: Telling, number: int, function: str, given: tuple[Any, ...]) -> Telling:
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


def _evaluated(
    decision: Asked, name: Telling, number: int, function: str, given: tuple[Any, ...]
) -> tuple[Telling, int]:
    """Return the words or the fault, and the steps of work they took."""
    tell: Callable[..., tuple[Any, ...]] = decision.program.functions[function]
    try:
        told: Telling = ("words", number, _fill_words(decision, tell, given))
    except RuleFault as fault:
        _note(decision, fault)
        told = ("faulty", name, fault)
    return told, decision.state.spent - decision.state.program.unspent


def _note(decision: Asked, fault: RuleFault) -> None:
    decision.faults.setdefault(str(fault), fault)


def _too_much(decision: Asked) -> RuleFault:
    described = decision.draft if decision.is_draft else decision.described
    return RuleFault(
        f"the words of `{decision.name}` and its options take more than {TELLING * LIMITS.steps:,} steps of work in "
        "all; let the expressions in them look at less",
        described["file"],
        described["line"],
        is_exhausted=True,
    )


@as_query
def _fill_words(decision: Asked, tell: Callable[..., tuple[Any, ...]], given: tuple[Any, ...]) -> tuple[Any, ...]:
    return tell(decision.state, *given)
