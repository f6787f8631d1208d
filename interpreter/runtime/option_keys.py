"""Keys of options, arguments and groups of interchangeable pieces, and following draft steps by their keys.

Answers by key, scripted tests and explanations share these functions, so they agree with what play offers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from interpreter.i18n.number_format import format_number
from interpreter.runtime import drafts
from interpreter.runtime.limits import reset_budget
from interpreter.runtime.program_info import DraftInfo, OptionInfo, ParamInfo
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import DisplayType, PlainOption, Step, Value, Values, handle_of
from interpreter.runtime.value_ids import to_value_id

if TYPE_CHECKING:
    from interpreter.runtime.program import Program


def format_piece_group(state: State, piece: int) -> str:
    """Return the text that identifies the interchangeable pieces like `piece`, such as "red.4@hill".

    It holds the counter values, the other attributes that are not at their initial value, and the place.
    """
    program = state.program
    counters, marks = _get_group_marks(program, piece)
    words = [str(to_value_id(program, show, get_piece_value(state, piece, name))) for name, show in counters]
    for slot, name, show, start in marks:
        value = getattr(state, slot)[piece]
        if value != start[piece]:
            words.append(name if value is True else f"{name}={to_value_id(program, show, value)}")
    place: str = program.ids["place"][state.at[piece]]
    return ".".join(words) + "@" + place


def list_piece_traits(state: State, piece: int) -> tuple[tuple[str, Any], ...]:
    """Return (name, value) of the lasting attributes, shown to players, that distinguish an interchangeable piece."""
    program = state.program
    counters, marks = _get_group_marks(program, piece)
    names = [*(name for name, _ in counters), *(name for _, name, _, _ in marks)]
    attributes = program.kinds["piece"]["attributes"]
    seen = [name for name in names if attributes[name]["told"] and not attributes[name]["lasts"]]
    return tuple((name, get_piece_value(state, piece, name)) for name in seen)


def _get_group_marks(program: Program, piece: int) -> tuple[list[Any], list[Any]]:
    """Return the distinguishing attributes of the class of a piece, memoized by class."""
    cls = program.kinds["piece"]["things"][piece]["cls"]
    if cls not in program.group_marks:
        program.group_marks[cls] = _list_distinguishing_attributes(program, cls)
    return program.group_marks[cls]


def _list_distinguishing_attributes(program: Program, cls: str) -> tuple[list[Any], list[Any]]:
    """Return the attributes that distinguish pieces of a class: its counter values, and the others that change in play.

    Counter values are given as (name, type), the others as (slot, name, type, initial values).
    """
    attributes, class_data = program.kinds["piece"]["attributes"], program.classes[cls]
    counters = [(name, attributes[name]["show"]) for name in class_data["counters"]]
    marks = [
        (slot, name, attributes[name]["show"], start)
        for slot, kind, name, start in program.columns
        if kind == "piece" and name not in class_data["counters"] and name in class_data["attributes"]
    ]
    return counters, marks


def get_piece_value(state: State, piece: int, name: str) -> object:
    """Return the value of an attribute of a piece, whether it is constant or changes in play."""
    slot = state.program.slot_of.get(("piece", name))
    return getattr(state, slot)[piece] if slot is not None else state.program.get_constant(piece, name)


def to_argument_id(state: State, param: ParamInfo, value: Value) -> object:
    """Return an argument as it is saved (ids, names, numbers); an interchangeable piece is given by its group."""
    program = state.program
    show = param.show
    return (
        format_piece_group(state, handle_of(value))
        if is_group(program, show, value)
        else to_value_id(program, show, value)
    )


def is_group(program: Program, show: DisplayType, value: Value) -> bool:
    """Return whether an argument is an interchangeable piece, which is saved as its group. `show`: its display type."""
    return bool(show[0] == "thing" and show[1] == "piece" and program.is_alike[handle_of(value)])


def _format_argument(argument: object) -> str:
    if argument.__class__ is str:
        return argument
    if argument is True:
        return "true"
    if argument is False:
        return "false"
    if isinstance(argument, tuple | list):
        return "{" + "; ".join(_format_argument(a) for a in argument) + "}"
    return format_number(argument)


def format_option_key(state: State, described: Sequence[OptionInfo], option: PlainOption) -> str:
    """Return the stable key of an option: its name and arguments, or "done". `described`: the decision's options."""
    index, args = option
    if index < 0:
        return "done"
    choice = described[index]
    if not args:
        return choice.name
    ids = [_format_argument(to_argument_id(state, p, a)) for p, a in zip(choice.params, args, strict=True)]
    return f"{choice.name}({', '.join(ids)})"


# --- draft steps by key: the only code that decides which step sequences are legal ---------------


@dataclass(frozen=True, slots=True)
class StepTrace:
    """Result of following named steps of a draft: the steps taken, the fields after them, whether it has stopped.

    `failed`: the first name that is not a legal step; None if all were taken. `gave_up`: another order of the steps may
    be legal, but finding it would take too long.
    """

    steps: tuple[Step, ...]
    fields: Values
    stopped: bool
    failed: str | None = None
    gave_up: bool = False


def follow(
    state: State, draft: DraftInfo, args: Values, names: Sequence[str], steps_taken: tuple[Step, ...] = ()
) -> StepTrace | None:
    """Take further steps of a draft, given by name; return None if those in `steps_taken` are no longer legal.

    An unordered draft accepts the steps in any order in which each is legal. No step is legal after one that stops the
    draft.
    """
    here = drafts.walk(state, draft, args, steps_taken)
    if here is None:
        return None
    start = StepTrace(steps_taken, here[0], here[1])
    trace = _sort_steps(state, draft, args, start, names)
    if not draft.is_unordered:
        return trace
    try:
        steps = drafts.arrange_steps(
            state, draft, args, names, lambda step: format_option_key(state, draft.steps, step), steps_taken
        )
    except drafts.TooManyOrdersError:
        return replace(trace, gave_up=True)
    there = None if steps is None else drafts.walk(state, draft, args, steps)
    return trace if steps is None or there is None else StepTrace(steps, there[0], there[1])


def _sort_steps(state: State, draft: DraftInfo, args: Values, here: StepTrace, names: Sequence[str]) -> StepTrace:
    for name in names:
        after = _take_step(state, draft, args, here, name)
        if after is None:
            return StepTrace(here.steps, here.fields, here.stopped, name)
        here = after
    return here


def _take_step(state: State, draft: DraftInfo, args: Values, here: StepTrace, name: str) -> StepTrace | None:
    if here.stopped:
        return None
    reset_budget(state)  # each step has its own budget, as if taken one at a time
    for step, fields, stops in drafts.list_next_steps(state, draft, args, here.fields):
        if format_option_key(state, draft.steps, step) == name:
            return StepTrace((*here.steps, step), fields, bool(stops))
    return None


def is_offered(state: State, draft: DraftInfo, args: Values, fields: Values) -> bool:
    """Return whether a finished draft with these fields is offered; a preference of the rules may have excluded it.

    `args`: the arguments of the draft.
    """
    if not draft.prefers:
        return True
    offer = state.program.functions.get_offer(draft.name)(state, *args, *fields)
    drafted = drafts.enumerate_finished(state, draft, args)
    return not drafted.complete or any(offer == offered for offered, _ in drafted.ends)
