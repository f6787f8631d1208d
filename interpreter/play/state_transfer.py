"""Transfer of a state from one form of a program to another form of the same ruleset.

All forms have the same columns and decisions; they differ only in the points where procedures suspend, and in the
contents of their frames. The given state does not change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from interpreter.runtime.state import State

if TYPE_CHECKING:
    from interpreter.runtime.program import Program

Frame = tuple[str, int, tuple[Any, ...]]


def transfer_state(program: Program, state: State) -> State:
    """Return a copy of the state for `program`, another form of its ruleset; raise ValueError for another ruleset."""
    if state.program.content_hash != program.content_hash:
        raise ValueError("the state belongs to another ruleset")
    new = program.copy_state(state, program.state_type, None)
    new.program = program
    if state.program is not program:
        new.memo = {name: value for name, value in new.memo.items() if name in program.memo_inputs}
        new.frames = [_convert_frame(program, state.program, *f) for f in state.frames]
    return new


# Parts of a decision's or draft's description that do not affect its options.
_TEXT_KEYS = frozenset(
    {"file", "line", "label", "prompt", "cites", "told", "requires", "prefers", "because", "because_cites", "read"}
)


def check_same_choices(program: Program, other: Program) -> None:
    """Raise ValueError, naming the difference, unless two rulesets have the same things, columns and choices.

    Decisions and procedures are compared as well; what is legal in a position may differ.
    """
    for name in ("ids", "columns"):
        if getattr(program, name) != getattr(other, name):
            raise ValueError(name)
    for name in ("decisions", "drafts"):
        if _strip_texts(program.data[name]) != _strip_texts(other.data[name]):
            raise ValueError(name)
    if program.data["resumes"] != other.data["resumes"]:
        raise ValueError("procedures")


def _strip_texts(data: object) -> object:
    if isinstance(data, Mapping):
        return {name: _strip_texts(value) for name, value in data.items() if name not in _TEXT_KEYS}
    return [_strip_texts(value) for value in data] if isinstance(data, list | tuple) else data


def transfer_to_variant(program: Program, state: State) -> State:
    """Return a copy of the state for a ruleset with the same choices (see `check_same_choices`).

    Memoized values are dropped.
    """
    new = program.copy_state(state, program.state_type, None)
    new.program, new.memo = program, {}
    return new


def select_needed_frames(program: Program, frames: list[Frame]) -> list[Any]:
    """Return the frames (name, block, locals) with only those locals that are still read.

    `program`: the program whose states have these frames.
    """
    needed_frames: list[Any] = []
    for name, block, values in frames:
        points = program.data["resumes"].get(name, ())
        needed = next((n for resume_block, _, _, n in points if resume_block == block), None)
        if needed is not None:
            values = tuple(v for v, is_needed in zip(values, needed, strict=True) if is_needed)
        needed_frames.append((name, block, values))
    return needed_frames


def _convert_frame(program: Program, origin: Program, name: str, block: int, values: tuple[Any, ...]) -> Frame:
    """Return a frame of the program `origin` as a frame of `program`.

    Raises ValueError if `program` cannot suspend the procedure at that point.
    """
    if name not in origin.data["resumes"] or block <= 0:
        return name, block, values
    number, names = next(
        (n, names) for resume_block, n, names, _ in origin.data["resumes"][name] if resume_block == block
    )
    values_by_name = dict(zip(names, values, strict=True))
    for target, resume_number, target_names, _ in program.data["resumes"][name]:
        if resume_number == number:
            return name, target, tuple(_convert_local(n, values_by_name, program.data["form"]) for n in target_names)
    raise ValueError(f"`{name}` is cut at another place")


def _convert_local(name: str, values_by_name: dict[str, Any], form: str) -> object:
    """Return the value of the local `name` of a frame for a program of the form `form`.

    `values_by_name`: the locals of the frame by name. A loop of a program for odds keeps only the members not yet
    visited.
    """
    value = values_by_name.get(name)
    head, _, number = name.partition("_")
    if form == "odds" and head == "s" and f"i_{number}" in values_by_name and value is not None:
        return value[values_by_name[f"i_{number}"] :]
    return value
