"""The sides of a resolved order: its partners, its opponents, and the counters of each that took part."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from interpreter.play.ledger import LedgerEntry
from interpreter.players.ownership import find_side_of_thing
from interpreter.runtime.log_entries import LoggedRoll
from interpreter.runtime.state import State
from interpreter.view_model.records import ShownPiece


@dataclass(slots=True)
class Opposition:
    """Sides of an order: those that acted in it, those on the side of `lead`, which gave it, and their opponents.

    Sides are opponents if a roll of one was about the other (`rolled` has these pairs), and are otherwise partners if
    one seat plays both or if they have a common opponent in these rolls. Without `is_opposed` all are partners.
    """

    lead: str
    acting: list[str]
    seats: Mapping[str, str]
    rolled: frozenset[frozenset[str]]
    is_opposed: bool = True

    def is_partner(self, side: str) -> bool:
        """Return whether a side is on the side of `lead`."""
        if side == self.lead or not self.is_opposed:
            return True
        if frozenset((side, self.lead)) in self.rolled:
            return False
        has_seats = len(set(self.seats.values())) > 1
        if has_seats and self.seats.get(side) == self.seats.get(self.lead):
            return True
        opponents = [self._list_opponents(each_side) for each_side in (side, self.lead)]
        return bool(opponents[0] & opponents[1])

    def _list_opponents(self, side: str) -> set[str]:
        return {opponent for pair in self.rolled if side in pair for opponent in pair if opponent != side}


def find_opposition(state: State, lead: str, entries: Iterable[LedgerEntry], other_sides: Iterable[str]) -> Opposition:
    """Return the sides of an order.

    `state`: the state before it; `lead`: the side that gave it, or ''; `entries`: the entries of its ledgers;
    `other_sides`: the sides that chose something in it or lost something. If no side gave the order or threw the dice,
    rolls about pieces make no opponents.
    """
    ids, is_opposed = state.program.ids, bool(lead)
    acting: dict[str, None] = {}
    owners: dict[str, None] = {}
    pairs = set[frozenset[str]]()
    for entry in entries:
        if isinstance(entry.raw, LoggedRoll):
            by, subject = str(entry.args.get("by") or ""), str(entry.args["subject"])
            acting[by] = None
            is_opposed = is_opposed or bool(by) or entry.raw.kind != "piece"
            if entry.raw.kind == "side":
                acting[subject] = None
                pairs |= {frozenset((by, subject))} if by and by != subject else set()
            elif entry.raw.kind == "piece" and isinstance(entry.raw.subject, int):
                owners[find_side_of_thing(state, "piece", entry.raw.subject)] = None
    rolling = [side for side in acting if side]
    lead = lead or next(filter(None, (*rolling, *owners)), "")
    acting.update(dict.fromkeys(other_sides))
    seats = {ids["side"][side]: ids["seat"][seat] for side, seat in enumerate(state.seat_of)}
    return Opposition(lead, [side for side in acting if side], seats, frozenset(pairs), is_opposed)


def has_preliminary_rolls(entries: Iterable[LedgerEntry], state: State, opposition: Opposition) -> bool:
    """Return whether every roll was about a piece of the side that gave the order, as at a check before a move."""
    rolls = [entry.raw for entry in entries if isinstance(entry.raw, LoggedRoll)]
    return bool(rolls) and all(
        raw.kind == "piece"
        and isinstance(raw.subject, int)
        and opposition.is_partner(find_side_of_thing(state, "piece", raw.subject))
        for raw in rolls
    )


def find_participants(
    counters: Iterable[ShownPiece],
    mentioned: Collection[str],
    places: Sequence[Collection[str]],
    opposition: Opposition,
    has_preliminary_rolls: bool,
) -> dict[str, list[ShownPiece]]:
    """Return the counters of each side that took part: partners of the side that gave the order, then opponents.

    They are the counters with an id in `mentioned`. `places`: groups of place ids, the most relevant group first: the
    places that the order aims at. If opponents are named, the other counters of their sides there are added, and if
    none is named, all opponents at the first group with any; neither if `has_preliminary_rolls`. A side that acted
    and has no counter yet gets its counters at the first group with any.
    """
    participants = dict[str, list[ShownPiece]]({opposition.lead: []})
    by_place = [dict[str, list[ShownPiece]]() for _ in places]
    for counter in counters:
        if counter.id in mentioned:
            participants.setdefault(counter.side, []).append(counter)
        elif counter.side:
            for by_side, group in zip(by_place, places, strict=True):
                if counter.place in group:
                    by_side.setdefault(counter.side, []).append(counter)

    def is_opponent(side: str) -> bool:
        return not opposition.is_partner(side)

    named_opponents = [side for side, own in participants.items() if own and is_opponent(side)]
    if not has_preliminary_rolls and named_opponents:
        for side in named_opponents:
            participants[side] += by_place[0].get(side, [])
    elif not has_preliminary_rolls:
        participants.update(
            next((new for pieces in by_place if (new := {s: p for s, p in pieces.items() if is_opponent(s)})), {})
        )
    for side in (opposition.lead, *opposition.acting):
        if not participants.get(side):
            participants[side] = next((pieces[side] for pieces in by_place if side in pieces), [])
    shown = [side for side, pieces in participants.items() if pieces and side]
    return {side: participants[side] for side in sorted(shown, key=is_opponent)}
