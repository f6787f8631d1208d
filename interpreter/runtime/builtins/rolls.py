"""Dice rolls and draws of compiled rules: rolled, charged to the budget, logged."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from interpreter.runtime.dice import LabelledDie
from interpreter.runtime.errors import RuntimeFault
from interpreter.runtime.limits import LIMITS, out_of_steps, spend
from interpreter.runtime.log_entries import LoggedRoll
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import Value

T = TypeVar("T")


def roll(
    state: State,
    name: str,
    kind: str | None,
    subject: Value,
    faces: tuple[int, ...],
    count: int,
    cites: tuple[str, ...],
    thrower: int | None = None,
) -> list[int]:
    """Roll `count` dice with these faces and log the roll under `name`; return the faces thrown.

    `kind`, `subject`: kind and handle of what the roll is made for, or None. `cites`: the paragraphs that it cites.
    `thrower`: handle of the side that rolls. The subject is converted to text only if the log or the dice source needs
    it.
    """
    state.spent = spent = state.spent + 10 + count
    if not 0 <= count <= LIMITS.dice or spent > LIMITS.steps:
        _refuse(name, count)
    log = state.log
    if log is None and state.program.quick_dice:
        return state.dice.roll_faces(name, "", faces, count)
    whom = "" if subject is None else state.program.format_subject(kind, subject)
    thrown: list[int] = state.dice.roll_faces(name, whom, faces, count)
    if log is not None:
        drawn = (faces.shown, faces.members[thrown[0] - 1]) if isinstance(faces, LabelledDie) else None
        log.append(LoggedRoll(name, whom, tuple(thrown), cites, kind, subject, thrower, drawn))
    return thrown


def count_dice(state: State, name: str, count: int) -> None:
    """Charge a roll of `count` dice to the budget."""
    state.spent = spent = state.spent + 10 + count
    if not 0 <= count <= LIMITS.dice or spent > LIMITS.steps:
        _refuse(name, count)


def _refuse(name: str, count: int) -> NoReturn:
    """Raise the fault for the roll `name`: `count` dice are not allowed, or the budget is exhausted."""
    if count < 0:
        raise RuntimeFault(f"the roll `{name}` asks for {count} dice")
    if count > LIMITS.dice:
        raise RuntimeFault(f"the roll `{name}` asks for {count:,} dice; at most {LIMITS.dice:,} are thrown at once")
    out_of_steps()


def count_draw(state: State, members: tuple[Any, ...], count: int) -> None:
    """Charge a draw of `count` members to the budget: for each, one pass over the members left and one die."""
    for left in range(len(members), max(0, len(members) - count), -1):
        _count_look(state, left)
        count_dice(state, "", 1)


def _count_look(state: State, left: int) -> None:
    spend(state, 1 + left // 16)


def draw(
    state: State,
    name: str,
    kind: str | None,
    subject: Value,
    members: tuple[Any, ...],
    count: int,
    cites: tuple[str, ...],
    shown: tuple[Any, ...],
) -> tuple[Any, ...]:
    """Draw up to `count` members at random without replacement; each draw is a roll `name` among those left.

    `kind`, `subject`: kind and handle of what the draw is made for, or None. `cites`: the paragraphs that it cites.
    `shown`: the type of a member, by which it is formatted.
    """
    left = list(members)
    is_told = state.log is not None or not state.program.quick_dice
    out = []
    for _ in range(min(count, len(left))):
        _count_look(state, len(left))
        faces = LabelledDie.from_members(left, shown) if is_told else tuple(range(1, len(left) + 1))
        at_place = roll(state, name, kind, subject, faces, 1, cites)[0]
        out.append(left.pop(at_place - 1))
    return tuple(out)


def single_member(drawn: tuple[T, ...], name: str) -> T:
    """Return the single drawn member; raise RuntimeFault if there was nothing to draw from.

    `name`: the name of the draw.
    """
    if not drawn:
        raise RuntimeFault(f"the draw `{name}` has nothing to draw from")
    return drawn[0]
