"""Losses of each side between two positions, in any game: pieces that left the map and values that fell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from interpreter.players.ownership import BUILTIN_KINDS, find_side_of_thing, get_thing_kind
from interpreter.runtime.log_entries import LogEntry, LoggedMove
from interpreter.runtime.program import Program
from interpreter.runtime.state import State

_NUMBERS = (["int"], ["number"])


@dataclass(slots=True)
class Strength:
    """The strength of a side: its pieces on the map, and the sums of their numeric attributes."""

    pieces: int = 0
    sums: dict[str, Fraction] = field(default_factory=dict)


def list_lasting_numbers(program: Program) -> list[tuple[str, str]]:
    """Return (name, column of the state) for each numeric attribute of pieces that changes in play permanently.

    These are strengths and steps, for example.
    """
    return [
        (name, program.slot_of["piece", name])
        for name, a in program.kinds["piece"]["attributes"].items()
        if a["changes"] and not a["lasts"] and list(a["show"]) in _NUMBERS
    ]


def compute_strengths(state: State) -> dict[str, Strength]:
    """Return the strength of each side, by side id in the ruleset's order."""
    program = state.program
    numbers = list_lasting_numbers(program)
    classes = [x["cls"] for x in program.kinds["piece"]["things"]]
    by_side = {side: Strength() for side in program.ids["side"]}
    for piece, place in enumerate(state.at):
        if not program.on_map[place]:
            continue
        side = find_side_of_thing(state, "piece", piece)
        if side not in by_side:
            continue
        side_pieces = by_side[side]
        side_pieces.pieces += 1
        carried = program.classes.get(classes[piece], {}).get("attributes", dict(numbers))
        for name, slot in numbers:
            value = getattr(state, slot)[piece]
            if name in carried and isinstance(value, int | Fraction):
                side_pieces.sums[name] = side_pieces.sums.get(name, Fraction()) + value
    return by_side


def list_lost_pieces(raws: Iterable[LogEntry], program: Program) -> list[tuple[int, int]]:
    """Return (piece, place) for each piece that left the map in these log entries and stayed off it, as handles.

    The place is the last one of the piece on the map.
    """
    losses: dict[int, int] = {}
    for raw in raws:
        if not isinstance(raw, LoggedMove):
            continue
        for piece in raw.pieces:
            if program.on_map[raw.origin] and not program.on_map[raw.destination]:
                losses[piece] = raw.origin
            elif program.on_map[raw.destination]:
                losses.pop(piece, None)
    return list(losses.items())


def compute_total_loss(before: Mapping[str, Strength], now: Mapping[str, Strength]) -> Fraction:
    """Return the total loss of all sides between two moments: pieces lost plus decreases of the sums.

    `before` and `now`: the strength of each side by id.
    """
    total = Fraction()
    for side, had in before.items():
        has = now[side]
        total += max(0, had.pieces - has.pieces)
        total += sum((max(Fraction(), v - has.sums.get(n, Fraction())) for n, v in had.sums.items()), Fraction())
    return total


def list_permanent_groups(program: Program) -> dict[tuple[str, str], dict[str, list[int]]]:
    """Return the piece handles of each permanent group, by (attribute, kind) and then by the id of the group.

    Groups are things of the ruleset's own kinds that a constant attribute of pieces names; of two attributes with one
    kind the first counts.
    """
    groups: dict[tuple[str, str], dict[str, list[int]]] = {}
    for name, attribute in program.kinds["piece"]["attributes"].items():
        kind, members = get_thing_kind(attribute["show"]), dict[str, list[int]]()
        if attribute["changes"] or kind in ("", *BUILTIN_KINDS) or any(kind == group_kind for _, group_kind in groups):
            continue
        for piece, value in enumerate(program.constants["piece", name]):
            if value is not None:
                members.setdefault(program.ids[kind][value], []).append(piece)
        if len(members) > 1:
            groups[name, kind] = {thing: members[thing] for thing in program.ids[kind] if thing in members}
    return groups
