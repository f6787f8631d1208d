"""Results of a resolution compared with the position before it: changes, losses, events, values.

Pieces that are equal in every value are interchangeable. Attributes that expire by themselves (`lasts`) do not count
as results. Runs nothing but the evaluation.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.play.snapshot import to_plain_data
from interpreter.runtime.machine import RULES_FAULTS, locate_fault
from interpreter.runtime.option_keys import format_piece_group, list_piece_traits
from interpreter.runtime.state import State
from interpreter.runtime.value_ids import to_value_id

if TYPE_CHECKING:
    from interpreter.runtime.program import Program

# kind ("game" for the game's own), handle, attribute, before, after, number of pieces
Raw = tuple[str, int, str, Any, Any, int]
Seen = tuple[str, Any]  # an event and its first argument (None without one)
LADDER = "rung"  # the type of an attribute whose values are the rungs of a ladder
_LOWERED = ("int", "number", LADDER)  # types whose lower values are losses
LOST = ""  # placeholder for an attribute name among losses: pieces removed from the map


@dataclass(frozen=True, slots=True)
class ResolutionOutcome:
    """One result in the program's own values; equal results compare equal.

    `losses`: ((side or -1, attribute or LOST, amount), ...), a loss being positive. `values`: the evaluation of each
    seat. `ended`: how the game ended, or None.
    """

    changes: tuple[Raw, ...]
    events: tuple[Seen, ...]
    losses: tuple[tuple[int, str, Any], ...]
    values: tuple[Any, ...]
    ended: Any
    returned: Any


@dataclass(frozen=True, slots=True)
class NetChange:
    """One net change as ids and words of the ruleset: `count` interchangeable pieces, or one thing.

    `id` is a group's name for interchangeable pieces and "" for values of the game; `name` is "at" for a move; `lost`:
    the piece has left the map. `place` is the piece's place before the change (a handle; -1 for things other than
    pieces). `traits`: (attribute, value) before the change of what distinguishes interchangeable pieces; () for others.
    """

    kind: str
    id: str
    name: str
    before: Any
    after: Any
    count: int
    lost: bool
    place: int
    traits: tuple[tuple[str, Any], ...]
    raw: Raw


class Comparison:
    """Comparison of states with one base position, also by the evaluation of each seat if `valued`."""

    def __init__(self, program: Program, start: State, valued: bool = True) -> None:
        self.program = program
        self.start = start
        kinds = program.kinds
        lasting = [(s, k, n) for s, k, n, _ in program.columns if not kinds[k]["attributes"][n]["lasts"]]
        self.columns = [(s, k, n) for s, k, n in lasting if k != "piece"]
        self.piece_columns = [(s, n) for s, k, n in lasting if k == "piece"]
        sorts = {n: a["show"][0] for n, a in kinds["piece"]["attributes"].items()}
        self._numeric = [(s, n, sorts[n] == LADDER) for s, n in self.piece_columns if sorts[n] in _LOWERED]
        self._marks = program.alike_groups
        # the first of each group of alike pieces represents the group
        self._first: dict[tuple[int, tuple[Any, ...]], int] = {}
        self._rows_before = self._list_rows(start, list(range(len(start.at))))
        for p, row in enumerate(self._rows_before):
            if program.is_alike[p]:
                self._first.setdefault((self._marks[p], row), p)
        self.owners = [_find_owner(program, start, p) for p in range(len(start.at))]
        self.seats = sorted(set(start.seat_of))
        tells = program.functions.find_evaluation() or program.functions.find_score()
        self._evaluate = tells if valued else None

    @property
    def has_values(self) -> bool:
        """Return True if seats are evaluated: requested by the caller and defined by the ruleset."""
        return self._evaluate is not None

    def prepare(self, state: State) -> None:
        """Evaluate a position once, so that its copies reuse the memoized values."""
        if self._evaluate is not None:
            for seat in self.seats:
                self._evaluate_seat(state, seat)

    def build_outcome(self, state: State, seen: frozenset[Seen], returned: object = None) -> ResolutionOutcome:
        """Return the outcome of a state: its differences from the base position.

        `seen`: the events that have happened; `returned`: the result of the called procedure.
        """
        values = tuple(self._evaluate_seat(state, s) for s in self.seats) if self._evaluate is not None else ()
        touched = self._find_touched(state)
        return ResolutionOutcome(
            (*self._compare_pieces(state, touched), *self._compare_things(state), *self._compare_game_values(state)),
            tuple(sorted(seen, key=repr)),
            self._compute_losses(state, touched),
            values,
            state.outcome,
            returned,
        )

    def _evaluate_seat(self, state: State, seat: int) -> object:
        """Return the evaluation of a seat in a state. Raises RuleFault if the rules fail."""
        assert self._evaluate is not None
        try:
            return self._evaluate(state, seat)
        except RULES_FAULTS as fault:
            raise locate_fault(state, fault) from fault

    def _list_rows(self, state: State, pieces: list[int]) -> list[tuple[Any, ...]]:
        columns = [getattr(state, s) for s, _ in self.piece_columns]
        return [(state.at[p], *(c[p] for c in columns)) for p in pieces]

    def _find_touched(self, state: State) -> list[int]:
        touched: dict[int, None] = {}
        for slot in ("at", *(s for s, _ in self.piece_columns)):
            before, after = getattr(self.start, slot), getattr(state, slot)
            if before != after:
                touched.update((p, None) for p in range(len(before)) if before[p] != after[p])
        return sorted(touched)

    def _compare_pieces(self, state: State, touched: list[int]) -> list[Raw]:
        names = ["at", *(n for _, n in self.piece_columns)]
        counted: Counter[Raw] = Counter()
        alike: dict[int, tuple[Counter[Any], Counter[Any]]] = {}
        for p, new in zip(touched, self._list_rows(state, touched), strict=True):
            old = self._rows_before[p]
            if self.program.is_alike[p]:
                rows = alike.setdefault(self._marks[p], (Counter(), Counter()))
                rows[0][old] += 1
                rows[1][new] += 1
            else:
                counted.update(self._compare_rows(p, names, old, new))
        for mark, (before, after) in alike.items():
            if before == after:
                continue
            removed = sorted((before - after).elements(), key=repr)
            added = sorted((after - before).elements(), key=repr)
            for old, new in _pair_values(removed, added):
                counted.update(self._compare_rows(self._first[mark, old], names, old, new))
        return sorted(((*c[:5], n) for c, n in counted.items()), key=lambda c: (c[1], c[2], repr(c[3]), repr(c[4])))

    def _compare_rows(self, piece: int, names: list[str], old: tuple[Any, ...], new: tuple[Any, ...]) -> list[Raw]:
        on_map = self.program.on_map
        if on_map[old[0]] and not on_map[new[0]]:
            return [("piece", piece, "at", old[0], new[0], 1)]  # the attributes of a lost piece are irrelevant
        return [("piece", piece, n, a, b, 1) for n, a, b in zip(names, old, new, strict=True) if a != b]

    def _compare_things(self, state: State) -> list[Raw]:
        changes: list[Raw] = []
        for slot, kind, name in [("seat_of", "side", "seat"), *self.columns]:
            before, after = getattr(self.start, slot), getattr(state, slot)
            if before != after:
                changes += [
                    (kind, i, name, a, b, 1) for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b
                ]
        return changes

    def _compare_game_values(self, state: State) -> list[Raw]:
        return [
            ("game", 0, n, getattr(self.start, s), getattr(state, s), 1)
            for s, n, a in self.program.game
            if not a["lasts"] and getattr(self.start, s) != getattr(state, s)
        ]

    def _compute_losses(self, state: State, touched: list[int]) -> tuple[tuple[int, str, Any], ...]:
        on_map = self.program.on_map
        losses: dict[tuple[int, str], Any] = {}
        for p in touched:
            was_on_map, is_on_map = on_map[self.start.at[p]], on_map[state.at[p]]
            if was_on_map != is_on_map:
                key = (self.owners[p], LOST)
                losses[key] = losses.get(key, 0) + was_on_map - is_on_map
            for slot, name, is_rung in self._numeric:
                old, new = getattr(self.start, slot)[p] or 0, getattr(state, slot)[p] or 0
                if is_rung:
                    amount = old - new if was_on_map and is_on_map else 0
                else:
                    amount = (old if was_on_map else 0) - (new if is_on_map else 0)
                if amount:
                    losses[(self.owners[p], name)] = losses.get((self.owners[p], name), 0) + amount
        return tuple(sorted(((*k, v) for k, v in losses.items() if v), key=repr))

    def convert_change(self, raw: Raw) -> NetChange:
        """Convert a raw change to ids and words of the ruleset."""
        kind, handle, name, before, after, count = raw
        program = self.program
        word, lost, place = "" if kind == "game" else program.ids[kind][handle], False, -1
        traits: tuple[tuple[str, Any], ...] = ()
        if kind == "piece":
            place = self.start.at[handle]
            lost = name == "at" and program.on_map[before] and not program.on_map[after]
            if program.is_alike[handle]:
                word, traits = format_piece_group(self.start, handle), list_piece_traits(self.start, handle)
        if kind == "game":
            show: Any = next(a["show"] for _, n, a in program.game if n == name)
        elif name in ("at", "seat"):
            show = ("thing", "place" if name == "at" else "seat")
        else:
            show = program.kinds[kind]["attributes"][name]["show"]
        was, now = (to_plain_data(to_value_id(program, show, value)) for value in (before, after))
        return NetChange(kind, word, name, was, now, count, lost, place, traits, raw)


def _pair_values(
    removed: list[tuple[Any, ...]], added: list[tuple[Any, ...]]
) -> list[tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """Return (old, new) pairs of values of interchangeable pieces; values with the same place are paired first.

    `removed`: the values that were removed; `added`: as many new values. The first value of each is the place.
    """
    unmatched = list(added)
    pairs = []
    unpaired = []
    for old in removed:
        partner = next((new for new in unmatched if new[0] == old[0]), None)
        if partner is None:
            unpaired.append(old)
        else:
            unmatched.remove(partner)
            pairs.append((old, partner))
    return [*pairs, *zip(unpaired, unmatched, strict=True)]


def _find_owner(program: Program, state: State, piece: int) -> int:
    """Return the side that a piece's attributes name as its owner, or -1."""
    cls = program.classes.get(program.kinds["piece"]["things"][piece]["cls"])
    for name in cls["attributes"] if cls is not None else ():
        show = program.kinds["piece"]["attributes"][name]["show"]
        if show[0] == "thing" and show[1] == "side":
            slot = program.slot_of.get(("piece", name))
            value = program.get_constant(piece, name) if slot is None else getattr(state, slot)[piece]
            return -1 if value is None else int(value)
    return -1


def is_loss(program: Program, name: str, was: Any, now: Any) -> bool:  # noqa: ANN401 - of the attribute's type
    """Return whether a change of a piece is a loss: it left the map, or a number or condition of it is lower."""
    if name == "at":
        return bool(program.on_map[was] and not program.on_map[now])
    return program.kinds["piece"]["attributes"][name]["show"][0] in _LOWERED and (now or 0) < (was or 0)


def find_lowered_attributes(program: Program) -> list[str]:
    """Return the names of the attributes of pieces, among those shown to players, whose fall is a loss."""
    attributes = program.kinds["piece"]["attributes"]
    return [n for n, a in attributes.items() if a["changes"] and a["told"] and a["show"][0] in _LOWERED]
