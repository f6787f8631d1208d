"""A position as plain data: ids and words only."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.play.template_values import build_short_label
from interpreter.runtime.limits import one_budget
from interpreter.runtime.log_entries import LogEntry, LoggedPhase
from interpreter.runtime.value_ids import to_value_id

if TYPE_CHECKING:
    from interpreter.runtime.decisions import Decision
    from interpreter.runtime.state import State

_AS_THEY_ARE = ("flag", "int", "word")  # types that are plain data already


@one_budget()
def build_view(state: State, decision: Decision | None, log: Sequence[LogEntry]) -> dict[str, Any]:
    """Return turn, phase, the deciding side, and every changing attribute by id.

    `log`: the log of the game, from which the title of the phase is taken.
    """
    program = state.program
    view: dict[str, Any] = {"ruleset": program.id, "turn": state.turn, "phase": state.phase}
    if any(key.startswith("turn.") for key in program.data["worded"]):  # turn titles may depend on the scenario
        view["scenario"] = state.scenario
    if state.phase and program.data["phases"][state.phase]["holes"]:  # the title as evaluated when the phase began
        phase_entry = next((e for e in reversed(log) if isinstance(e, LoggedPhase) and e.phase == state.phase), None)
        view["phase_values"] = () if phase_entry is None else phase_entry.title_values
    view["decision"] = (
        None if decision is None else {"name": decision.name, "side": decision.side, "seat": decision.seat}
    )
    by_kind: dict[str, dict[str, dict[str, Any]]] = {k: {i: {} for i in ids} for k, ids in program.ids.items()}
    for piece, place in enumerate(state.at):
        piece_view = by_kind["piece"][program.ids["piece"][piece]]
        piece_view["at"] = program.ids["place"][place]
        if program.has_shorts and (short := build_short_label(state, "piece", piece)):
            piece_view["short"] = short
    for side, seat in enumerate(state.seat_of):
        by_kind["side"][program.ids["side"][side]]["seat"] = program.ids["seat"][seat]
    for slot, kind, name, _start in program.columns:
        show = program.kinds[kind]["attributes"][name]["show"]
        values = getattr(state, slot)
        things = by_kind[kind]
        is_plain = show[0] in _AS_THEY_ARE
        for identifier, value in zip(program.ids[kind], values, strict=True):
            things[identifier][name] = value if is_plain else to_plain_data(to_value_id(program, show, value))
    view["sides"], view["seats"] = by_kind["side"], by_kind["seat"]
    view["pieces"], view["places"], view["edges"] = by_kind["piece"], by_kind["place"], by_kind["edge"]
    for kind, things in by_kind.items():
        if kind not in ("side", "seat", "piece", "place", "edge"):
            view[program.kinds[kind]["many"]] = things
    view["game"] = collect_game_values(state)
    view["options"] = {o["id"]: v for o, v in zip(program.data["options"], state.options, strict=True)}
    return view


def collect_values(state: State, kind: str, handle: int) -> dict[str, Any]:
    """Return the changing values of one thing by name, as ids, numbers and words; `kind` and `handle` identify it."""
    program = state.program
    values: dict[str, Any] = {}
    if kind == "piece":
        values["at"] = program.ids["place"][state.at[handle]]
    elif kind == "side":
        values["seat"] = program.ids["seat"][state.seat_of[handle]]
    for _slot, owner, name, _start in program.columns:
        if owner == kind:
            values[name] = get_value(state, kind, name, handle)
    return values


def get_value(state: State, kind: str, name: str, handle: int) -> object:
    """Return the value of the changing attribute `name` of one thing, converted to an id, a number or words."""
    program = state.program
    show = program.kinds[kind]["attributes"][name]["show"]
    return to_plain_data(to_value_id(program, show, getattr(state, program.slot_of[kind, name])[handle]))


def collect_game_values(state: State) -> dict[str, Any]:
    """Return the game-wide values as in `build_view`."""
    program = state.program
    return {n: to_plain_data(to_value_id(program, a["show"], getattr(state, slot))) for slot, n, a in program.game}


def to_plain_data(value: object) -> object:
    """Convert a value to plain data: collections to lists, fractions to text."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple | list):
        return [to_plain_data(v) for v in value]
    return value
