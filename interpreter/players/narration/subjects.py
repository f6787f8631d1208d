"""The side that an event is about, in any ruleset."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.play.events import format_event
from interpreter.players.orders.matching import kind_of
from interpreter.players.ownership import side_of_thing
from interpreter.runtime.log_entries import LoggedChange, LoggedReport
from interpreter.runtime.program import Program
from interpreter.runtime.state import State


def subject_side(state: State, raw: LoggedChange | LoggedReport) -> str:
    """Return the id of the side whose event it is, or '' if it names nothing that belongs to a side.

    A change belongs to the side of what changed, a report to the side of the thing that its text names first.
    """
    if isinstance(raw, LoggedChange):
        return "" if raw.kind == "game" else _side_of(state, raw.kind, raw.owner)
    program = state.program
    text, localizer = format_event(program, raw, ""), program.localizer("")
    named = list[tuple[int, int, str]]()
    for number, (kind, thing) in enumerate(_things_in(program, raw)):
        side, at = _side_of(state, kind, thing), text.find(localizer.handle_name(kind, thing))
        if side and at >= 0:
            named.append((at, number, side))
    return min(named)[2] if named else ""


def _things_in(program: Program, raw: LoggedReport) -> Iterator[tuple[str, int]]:
    """Yield kind and handle of each thing among the arguments of a report."""
    for (_name, show), value in zip(program.events[raw.event].params, raw.args, strict=True):
        kind = kind_of(show)
        for one in value if isinstance(value, list | tuple) else (value,):
            if kind and isinstance(one, int):
                yield kind, one


def _side_of(state: State, kind: str, thing: int) -> str:
    return state.program.ids["side"][thing] if kind == "side" else side_of_thing(state, kind, thing)
