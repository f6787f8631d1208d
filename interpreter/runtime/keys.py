"""Keys of options, of arguments and of alike pieces; and steps of a draft that somebody names by their keys, followed.

Answers by key, what is tried in cases and explanations all ask here, so that they agree with what play offers.
Must not change the game, nor say anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from interpreter.runtime import drafts
from interpreter.runtime.drafts import Step
from interpreter.runtime.limits import begin_anew
from interpreter.runtime.naming import value_id
from interpreter.words.numbers import number_text


def piece_group(state: Any, piece: int) -> str:
    """The stable name of a group of alike pieces: its counters' values, other marks, and its place."""
    program = state.program
    cls = program.kinds["piece"]["things"][piece]["cls"]
    if cls not in program.group_marks:
        program.group_marks[cls] = _marks(program, cls)
    counters, others = program.group_marks[cls]
    words = [str(value_id(program, show, piece_value(state, piece, name))) for name, show in counters]
    for slot, name, show, start in others:
        value = getattr(state, slot)[piece]
        if value != start[piece]:
            words.append(name if value is True else f"{name}={value_id(program, show, value)}")
    place: str = program.ids["place"][state.at[piece]]
    return ".".join(words) + "@" + place


def _marks(program: Any, cls: str) -> tuple[list[Any], list[Any]]:
    """The counters of a class of pieces, and what else may differ from the start."""
    attributes, known = program.kinds["piece"]["attributes"], program.classes[cls]
    counters = [(name, attributes[name]["show"]) for name in known["counters"]]
    others = [
        (slot, name, attributes[name]["show"], start)
        for slot, kind, name, start in program.columns
        if kind == "piece" and name not in known["counters"] and name in known["attributes"]
    ]
    return counters, others


def piece_value(state: Any, piece: int, name: str) -> Any:
    """An attribute of a piece, constant or not."""
    slot = state.program.slot_of.get(("piece", name))
    return getattr(state, slot)[piece] if slot is not None else state.program.constant_of(piece, name)


def argument_id(state: Any, param: dict[str, Any], value: Any) -> Any:
    """An argument as stable data; alike pieces by their group."""
    program = state.program
    show = param["show"]
    return piece_group(state, value) if is_group(program, show, value) else value_id(program, show, value)


def is_group(program: Any, show: Any, value: Any) -> bool:
    """True for an argument that goes by a group of alike pieces, which hangs on the position."""
    return bool(show[0] == "thing" and show[1] == "piece" and program.is_alike[value])


def _text(argument: Any) -> str:
    if argument.__class__ is str:
        return argument
    if argument is True:
        return "true"
    if argument is False:
        return "false"
    if isinstance(argument, tuple | list):
        return "{" + "; ".join(_text(a) for a in argument) + "}"
    return number_text(argument)


def key_of(state: Any, described: list[dict[str, Any]], option: tuple[int, tuple[Any, ...]]) -> str:
    """The stable key of an option: its name and arguments."""
    index, args = option
    if index < 0:
        return "done"
    choice = described[index]
    if not args:
        return str(choice["name"])
    ids = [_text(argument_id(state, p, a)) for p, a in zip(choice["params"], args, strict=True)]
    return f"{choice['name']}({', '.join(ids)})"


# --- steps of a draft by their keys: the one judge of which rows of steps a draft allows ---------


@dataclass(frozen=True, slots=True)
class Followed:
    """How far named steps can be taken: the steps, the fields behind them, whether the draft has stopped there.

    `failed`: the first name that is no legal step there; None when all were taken. `gave_up`: another order of the
    steps may be legal, but it would take too long to find.
    """

    steps: tuple[Step, ...]
    fields: tuple[Any, ...]
    stopped: bool
    failed: str | None = None
    gave_up: bool = False


def follow(
    state: Any, draft: dict[str, Any], args: tuple[Any, ...], names: Sequence[str], taken: tuple[Step, ...] = ()
) -> Followed | None:
    """Take named steps after those taken already; None when these no longer fit the game.

    A draft whose steps have no order takes them in any order in which each is legal. After a step that
    stops the draft none is.
    """
    here = drafts.walk(state, draft, args, taken)
    if here is None:
        return None
    start = Followed(taken, here[0], here[1])
    found = _in_order(state, draft, args, start, names)
    if not draft["unordered"]:
        return found
    try:
        steps = drafts.arranged(state, draft, args, names, lambda step: key_of(state, draft["steps"], step), taken)
    except drafts.TooManyOrders:
        return replace(found, gave_up=True)
    there = None if steps is None else drafts.walk(state, draft, args, steps)
    return found if steps is None or there is None else Followed(steps, there[0], there[1])


def _in_order(
    state: Any, draft: dict[str, Any], args: tuple[Any, ...], here: Followed, names: Sequence[str]
) -> Followed:
    for name in names:
        after = _taken(state, draft, args, here, name)
        if after is None:
            return Followed(here.steps, here.fields, here.stopped, name)
        here = after
    return here


def _taken(state: Any, draft: dict[str, Any], args: tuple[Any, ...], here: Followed, name: str) -> Followed | None:
    if here.stopped:
        return None
    begin_anew(state)  # each step has a budget of its own, as where a player takes one after the other
    for step, fields, stops in drafts.next_steps(state, draft, args, here.fields):
        if key_of(state, draft["steps"], step) == name:
            return Followed((*here.steps, step), fields, bool(stops))
    return None


def is_offered(state: Any, draft: dict[str, Any], args: tuple[Any, ...], fields: tuple[Any, ...]) -> bool:
    """Whether what these fields offer is among the ends that play offers: a preference may have ruled it out."""
    if not draft["prefers"]:
        return True
    offer = state.program.functions["offer_" + draft["name"]](state, *args, *fields)
    drafted = drafts.enumerate_finished(state, draft, args)
    return not drafted.complete or any(offer == offered for offered, _ in drafted.ends)
