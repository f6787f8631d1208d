"""Setting up a position by hand: data in, state changed, every name and value checked first.

Used by scenarios, tests and `Game.edit`. A wrong name or value changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from interpreter.diagnostics.suggestions import suggest_words
from interpreter.i18n.translator import mark as _
from interpreter.runtime.draft_completion import can_finish
from interpreter.runtime.errors import SetupError
from interpreter.runtime.intrinsics import move
from interpreter.runtime.machine import as_query
from interpreter.runtime.option_keys import format_piece_group
from interpreter.runtime.pending import PendingDraft, get_pending_decision
from interpreter.runtime.program import Program, value_of
from interpreter.runtime.state import State, copy_shared_lists
from interpreter.runtime.type_aliases import DisplayType, Value, handle_of
from interpreter.runtime.value_ids import UnknownValueError, build_collection, from_value_id


@dataclass(frozen=True, slots=True)
class PieceGroup:
    """A number of pieces of a class to put on a place (a handle), with values of attributes by name."""

    place: int
    values: dict[str, Any]
    count: int
    class_id: str


class _AttributeChange(NamedTuple):
    """The new value of an attribute of the thing with this kind and handle."""

    kind: str
    name: str
    handle: int
    value: Any


def to_argument(state: State, show: DisplayType, value: object) -> object:
    """Convert an id to a parameter's value; an interchangeable piece is given by its group.

    `show`: the type description of the parameter. Raises SetupError if the id names none.
    """
    program = state.program
    if show[0] == "thing" and show[1] == "piece" and value not in program.handles["piece"]:
        for piece in range(len(state.at)):
            if program.is_alike[piece] and format_piece_group(state, piece) == value:
                return piece
    if show[0] == "many" and isinstance(value, list | tuple):
        return build_collection(show, (to_argument(state, show[1], item) for item in value))
    return _convert_value(program, show, value)


def apply_position(state: State, position: dict[str, Any]) -> None:
    """Apply a scenario's position (its data in the program); pieces not named there form its groups."""
    program = state.program
    copy_shared_lists(state)
    for kind, index, values in position["things"]:
        for name, value in values.items():
            getattr(state, program.slot_of[(kind, name)])[index] = value_of(value)
    for name, value in position["game"].items():
        setattr(state, program.game_slot[name], value_of(value))
    for piece, values in position["pieces"]:
        for name, value in values.items():
            if name == "at":
                move(state, piece, value)
            else:
                getattr(state, program.slot_of[("piece", name)])[piece] = value_of(value)
    used: set[int] = {piece for piece, _values in position["pieces"]}
    state.memo.clear()
    for place, pairs, count, cls in position["groups"]:
        place_group(state, PieceGroup(place, {n: value_of(v) for n, v in pairs}, count, cls), used)


def place_group(state: State, group: PieceGroup, used: set[int]) -> None:
    """Put a group of pieces on its place; skip the pieces in `used`, and add those that are placed.

    Only pieces with the group's constant values are placed; its values that change in play are set. Raises SetupError
    if there are too few pieces.
    """
    program = state.program
    slots = {n: program.slot_of[("piece", n)] for n in group.values if ("piece", n) in program.slot_of}
    placed = 0
    copy_shared_lists(state)
    for piece, data in enumerate(program.kinds["piece"]["things"]):
        if placed == group.count:
            break
        if piece in used or data["cls"] != group.class_id:
            continue
        if all(program.get_constant(piece, n) == v for n, v in group.values.items() if n not in slots):
            used.add(piece)
            placed += 1
            move(state, piece, group.place)
            for n, slot in slots.items():
                getattr(state, slot)[piece] = group.values[n]
    state.memo.clear()
    if placed < group.count:
        localizer = program.get_localizer()
        attributes = program.kinds["piece"]["attributes"]
        kind = ", ".join(str(localizer.format_value(attributes[n]["show"], v)) for n, v in group.values.items())
        raise SetupError(
            "{place} needs {count} pieces of {kind}, but only {found} are left",
            count=group.count,
            kind=kind,
            place=program.ids["place"][group.place],
            found=placed,
        )


def return_to_start(state: State) -> None:
    """Return every piece of a class with counters to its starting place and starting values."""
    program = state.program
    copy_shared_lists(state)
    for piece, data in enumerate(program.kinds["piece"]["things"]):
        if data["cls"] and program.classes[data["cls"]]["counters"]:
            move(state, piece, program.start_of(piece))
            for slot, kind, _name, start in program.columns:
                if kind == "piece":
                    getattr(state, slot)[piece] = value_of(start[piece])


def read_groups(program: Program, groups: Mapping[str, Any]) -> list[PieceGroup]:
    """Parse groups of pieces written as nested counts by place: `{hill: {reds: {ready: 3}, blues: 1}}`.

    Raises SetupError for an unknown place or value, or if no class of pieces has such counts.
    """
    piece_groups: list[PieceGroup] = []
    for place, counts in groups.items():
        handle = _find_thing(program, "place", place)
        if counts not in ({}, None):
            piece_groups += _read_groups_of_place(program, handle, counts)
    return piece_groups


def _read_groups_of_place(program: Program, place: int, counts: object) -> list[PieceGroup]:
    """Parse the counts of one place for the first class of pieces that they fit; raise SetupError if they fit none."""
    problem: SetupError | None = None
    for name, cls in program.classes.items():
        if not cls["counters"]:
            continue
        try:
            parsed = _parse_counts(program, cls["counters"], counts)
            return [PieceGroup(place, values, count, name) for values, count in parsed]
        except SetupError as fault:
            problem = problem or fault
    raise problem or SetupError("the pieces of this ruleset cannot be set up by number; list them one by one")


def _parse_counts(program: Program, counters: list[str], counts: object) -> list[tuple[dict[str, Any], int]]:
    """Return (values by attribute, number of pieces) for each number in nested counts; one level for each counter."""
    if isinstance(counts, int) and not isinstance(counts, bool):
        if counts < 0:
            raise SetupError("expected a number of pieces, found {inside}", inside=counts)
        return [({}, counts)]
    if not counters or not isinstance(counts, Mapping):
        raise SetupError("expected a number of pieces, found `{inside}`", inside=counts)
    show = program.kinds["piece"]["attributes"][counters[0]]["show"]
    parsed = []
    for word, inner in counts.items():
        value = _convert_value(program, show, word)
        parsed += [({counters[0]: value, **rest}, n) for rest, n in _parse_counts(program, counters[1:], inner)]
    return parsed


def _find_thing(program: Program, kind: str, word: object) -> int:
    return handle_of(_convert_value(program, ("thing", kind), word))


def _convert_value(program: Program, show: DisplayType, word: object) -> Value:
    try:
        return from_value_id(program, show, word)
    except UnknownValueError as fault:
        raise SetupError(fault.args[0]) from None


def edit_position(
    state: State,
    pieces: Mapping[str, Any],
    game: Mapping[str, Any],
    groups: Mapping[str, Any] | None,
    things: Mapping[str, Mapping[str, Any]],
) -> None:
    """Change the position; everything is checked before anything changes.

    `pieces`, and for each kind `things`: id -> attribute -> value; `game`: value by name. `groups`: nested counts by
    place; unless it is None, the pieces of all classes with counters first return to their starting places. Raises
    SetupError for an unknown name or value.
    """
    program = state.program
    changes: list[_AttributeChange] = []
    for word, values in pieces.items():
        handle = _find_thing(program, "piece", word)
        for name, value in dict(values).items():
            show = ("thing", "place") if name == "at" else _find_attribute(program, "piece", name)
            changes.append(_AttributeChange("piece", name, handle, _convert_value(program, show, value)))
    for kind, members in things.items():
        for word, values in members.items():
            handle = _find_thing(program, kind, word)
            for name, value in dict(values).items():
                changes.append(_AttributeChange(kind, name, handle, _parse_attribute(program, kind, name, value)))
    game_values = [(n, _convert_game_value(program, n, v)) for n, v in game.items()]
    piece_groups = read_groups(program, groups) if groups is not None else []
    copy_shared_lists(state)
    if groups is not None:
        return_to_start(state)
        used: set[int] = {handle for kind, name, handle, _new in changes if kind == "piece" and name == "at"}
        for group in piece_groups:
            place_group(state, group, used)
    for kind, name, handle, value in changes:
        if name == "at" and kind == "piece":
            move(state, handle, value)
        elif name == "seat" and kind == "side":
            state.seat_of = (*state.seat_of[:handle], value, *state.seat_of[handle + 1 :])
        else:
            getattr(state, program.slot_of[(kind, name)])[handle] = value
    for name, value in game_values:
        if name == "turn":
            state.turn = handle_of(value)
        else:
            setattr(state, program.game_slot[name], value)
    state.memo.clear()


def _find_attribute(program: Program, kind: str, name: str) -> DisplayType:
    """Return the declaration of an attribute of a kind; raises SetupError if it has no such attribute."""
    attributes = program.kinds[kind]["attributes"]
    if name not in attributes:
        raise SetupError(
            "a {kind} has no attribute `{name}`{hint}",
            kind=program.kinds[kind]["one"],
            name=name,
            hint=suggest_words(name, attributes),
        )
    if not attributes[name]["changes"]:
        raise SetupError("`{name}` is a constant of the ruleset and cannot be set", name=name)
    show: DisplayType = attributes[name]["show"]
    return show


def _parse_attribute(program: Program, kind: str, name: str, value: object) -> object:
    if kind == "side" and name == "seat":
        return _convert_value(program, ("thing", "seat"), value)
    show = _find_attribute(program, kind, name)
    return _check_bounds(program.kinds[kind]["attributes"][name], name, _convert_value(program, show, value))


def _convert_game_value(program: Program, name: str, value: object) -> object:
    if name == "turn":
        if not isinstance(value, int) or value < 1:
            raise SetupError("the turn must be a number of 1 or more, found `{value}`", value=value)
        return value
    for _slot, attribute_name, attribute in program.game:
        if attribute_name == name:
            return _check_bounds(attribute, name, _convert_value(program, attribute["show"], value))
    raise SetupError(
        "the game has no value `{name}`{hint}",
        name=name,
        hint=suggest_words(name, [attribute_name for _slot, attribute_name, _data in program.game]),
    )


def _check_bounds(attribute: dict[str, Any], name: str, value: object) -> object:
    if attribute["int"] and (not isinstance(value, int) or isinstance(value, bool)):
        raise SetupError("`{name}` must be a whole number, found `{value}`", name=name, value=value)
    low, high = attribute["low"], attribute["high"]
    if (low is not None and value < low) or (high is not None and value > high):
        raise SetupError(
            "`{name}` must be between {low} and {high}, found {value}", name=name, low=low, high=high, value=value
        )
    if attribute["values"] is not None and value not in attribute["values"]:
        raise SetupError(
            "`{name}` must be one of {values}, found `{value}`",
            name=name,
            values=tuple(attribute["values"]),
            value=value,
        )
    return value


def group_changes_by_kind(
    program: Program, sides: Mapping[str, Any] | None, changes: Mapping[str, Mapping[str, Any]]
) -> dict[str, Mapping[str, Any]]:
    """Return the changes of things by the id of their kind.

    `sides`: the changes of sides; `changes`: the changes of other kinds, by plural or id of the kind. Raises
    SetupError if the ruleset has no such kind.
    """
    things: dict[str, Mapping[str, Any]] = {"side": sides} if sides else {}
    for many, members in changes.items():
        kind = next((k for k, d in program.kinds.items() if many in (d["many"], k)), None)
        if kind is None or kind == "piece":
            available = tuple(d["many"] for k, d in program.kinds.items() if k != "piece")
            raise SetupError("this ruleset has no `{many}`; available: {known}", many=many, known=available)
        things[kind] = {**things.get(kind, {}), **members}
    return things


@as_query
def ask_pending_again(state: State) -> None:
    """List the options of the pending decision again after a change; raise SetupError if none is legal."""
    if state.pending is None:
        return
    state.draft = ()
    pending = get_pending_decision(state)
    if isinstance(pending, PendingDraft):
        is_open = can_finish(state, state.program.get_draft(pending.number), pending.args)
    else:
        options = state.program.list_options(state, pending.number, pending.values)
        state.pending = pending._replace(options=options)
        is_open = bool(options)
    if not is_open:
        raise SetupError(
            "the game is at the decision `{name}`, but no option is legal in this position; to set up a "
            "position freely, start with an empty one: start(empty=True), or `position: empty` in a case",
            name=state.program.decisions[pending.number].name,
        )


def convert_procedure_arguments(state: State, procedure: str, args: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the values of a procedure's arguments in the order of its parameters; `args`: ids and numbers by name.

    Raises SetupError if the procedure or an argument is unknown.
    """
    procedures = state.program.data["procedures"]
    if procedure not in procedures:
        raise SetupError(
            "unknown procedure `{procedure}`{hint}", procedure=procedure, hint=suggest_words(procedure, procedures)
        )
    params = procedures[procedure]["params"]
    extra = [name for name in args if name not in [n for n, _show in params]]
    missing = [n for n, _show in params if n not in args]
    if extra or missing:
        names = tuple(name for name, _show in params) or _("nothing")
        raise SetupError(
            "`{procedure}` takes {wanted}, found {found}",
            procedure=procedure,
            wanted=names,
            found=tuple(args) or _("nothing"),
        )
    return tuple(to_argument(state, show, args[n]) for n, show in params)
