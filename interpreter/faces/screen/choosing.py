"""What is picked on the map and what may be chosen with it: a filter over the options of a scene.

Must not judge what is legal: every option comes from the scene.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from interpreter.faces.screen.cells.map_drawing import Pointed
from interpreter.scene.records import Moment, ShownOption


@dataclass(frozen=True, slots=True)
class Picked:
    """`piece` (a counter's id) and `place` narrow the options, '' for neither; `row`: which of them is pointed at.

    `row` is -1 while the arrow keys move over the map. `others`: counters that an option takes together with `piece`.
    """

    piece: str = ""
    place: str = ""
    row: int = -1
    others: tuple[str, ...] = ()

    @property
    def pieces(self) -> tuple[str, ...]:
        """All counters that are picked."""
        return (self.piece, *self.others) if self.piece else ()


NOTHING = Picked()
_SHORT = 3  # options of a list that is pointed at from the beginning
_PAIR = 2  # counters of an option that names who acts and upon whom
_MOST_COMBINATIONS = 60
_NEAR = 4.0  # lengths of the drawing by which two places in a grid may be shifted


def options_for(moment: Moment | None, picked: Picked) -> tuple[ShownOption, ...]:
    """The options that what is picked leaves, in the order of the scene."""
    decision = moment.decision if moment is not None and moment.may_choose else None
    if decision is None:
        return ()
    return tuple(
        o
        for o in decision.options
        if all(piece in o.pieces for piece in picked.pieces) and (not picked.place or goal(o) == picked.place)
    )


def listed_number(moment: Moment | None, options: Sequence[ShownOption]) -> int:
    """Return how many of some options are listed: of combinations of many counters only the first."""
    decision = moment.decision if moment is not None else None
    takes_several = decision is not None and decision.is_draft and any(len(o.pieces) > _PAIR for o in options)
    return min(len(options), _MOST_COMBINATIONS) if takes_several else len(options)


def goal(option: ShownOption) -> str:
    """The place where an option leads, '' for none."""
    return option.path[-1] if option.path else option.places[-1] if option.places else ""


def pick_at(moment: Moment, place: str, picked: Picked, reach: Mapping[str, str]) -> tuple[Picked, str]:
    """What Enter on a place does: what is picked then, or what chooses: an option's key, or words that lead there.

    `reach`: the places that whoever is picked reaches by several choices.
    """
    if picked.piece or picked.place:
        found = [o for o in options_for(moment, replace(picked, place="")) if goal(o) == place]
        if picked.piece and len(found) == 1:
            return NOTHING, found[0].key
        if found:
            return Picked(picked.piece, place, 0), ""
        if place in reach:
            return NOTHING, order_to(picked.piece, place)
    able = [p.id for p in moment.pieces if p.place == place and p.orderable] if moment.may_choose else []
    if joining := [one for one in able if picked.piece and _joins(moment, picked, one)]:
        return replace(picked, others=(*picked.others, joining[0]), place="", row=-1), ""
    if able:
        following = able[(able.index(picked.piece) + 1) % len(able)] if picked.piece in able else able[0]
        return Picked(following), ""
    there = [o for o in options_for(moment, NOTHING) if goal(o) == place]
    if len(there) == 1 and asks_place(moment):
        return NOTHING, there[0].key
    return (Picked("", place, 0), "") if there else (NOTHING, "")


def _joins(moment: Moment, picked: Picked, piece: str) -> bool:
    """Return True if an option takes a counter together with all that are picked."""
    if piece in picked.pieces:
        return False
    return bool(options_for(moment, replace(picked, place="", others=(*picked.others, piece))))


def order_to(piece: str, place: str) -> str:
    """The words that order a piece to a place."""
    return f"go {piece} {place}"


def asks_place(moment: Moment) -> bool:
    """True where a place or a path is asked for, and not somebody who goes there."""
    options = options_for(moment, NOTHING)
    return any(goal(o) for o in options) and not any(o.pieces for o in options)


def asked_about(moment: Moment) -> str:
    """The place of whom a place or a path is asked for; '' where nobody is named."""
    about = moment.decision.about if moment.decision is not None and asks_place(moment) else ()
    return next((p.place for p in moment.pieces if p.id in about), "")


def end_of_row(moment: Moment | None) -> str:
    """The key of the one option that names nothing where others do, such as `done`; '' where there is none."""
    options = options_for(moment, NOTHING)
    found = [o for o in options if not o.pieces and not o.places]
    return found[0].key if len(found) == 1 and len(options) > 1 else ""


def begins_in_list(moment: Moment | None) -> bool:
    """True where the list is pointed at first: the map has nothing to choose from, or all is seen at once."""
    options = options_for(moment, NOTHING)
    named = {piece for o in options for piece in o.pieces} | {goal(o) for o in options} - {""}
    is_short = len(options) <= _SHORT and any(not o.pieces and not goal(o) for o in options)
    return bool(options) and (len(named) <= 1 or is_short)


def leads_nowhere(moment: Moment | None, piece: str) -> bool:
    """True where no order of a counter names a place where it leads."""
    return bool(piece) and not any(goal(o) for o in options_for(moment, Picked(piece)))


@dataclass(frozen=True, slots=True)
class Habit:
    """The last order that was given to a counter: from where to where, and the option's name, '' for several."""

    start: str
    goal: str
    name: str


def habit_of(moment: Moment, picked: Picked, place: str, name: str) -> Habit | None:
    """What can be done again with another: what is picked has been ordered to a place."""
    start = next((p.place for p in moment.pieces if p.id == picked.piece), "")
    return Habit(start, place, name) if start and place else None


def again(
    moment: Moment, habit: Habit, piece: str, middles: Mapping[str, tuple[float, float]], reach: Mapping[str, str]
) -> str:
    """The same order for another counter: as far in the same direction, else to the same place; '' where there is none.

    The option's key where one alone does it, else words that lead there.
    """
    start = next((p.place for p in moment.pieces if p.id == piece), "")
    shifted = _shifted(habit, start, middles)
    for place in filter(None, (shifted, habit.goal)):
        found = [o for o in options_for(moment, Picked(piece)) if goal(o) == place and o.name == habit.name]
        if len(found) == 1:
            return found[0].key
        if not habit.name and place in reach:
            return order_to(piece, place)
    return ""


def _shifted(habit: Habit, start: str, middles: Mapping[str, tuple[float, float]]) -> str:
    """The place that lies from a start as the goal lay from its own."""
    if not all(place in middles for place in (habit.start, habit.goal, start)):
        return ""
    (ax, ay), (bx, by), (x, y) = middles[habit.start], middles[habit.goal], middles[start]
    wanted = (x + bx - ax, y + by - ay)
    near = min(middles, key=lambda p: abs(middles[p][0] - wanted[0]) + abs(middles[p][1] - wanted[1]))
    is_there = abs(middles[near][0] - wanted[0]) + abs(middles[near][1] - wanted[1]) < _NEAR
    return near if is_there else ""


def next_able(moment: Moment, here: str, order: Mapping[str, int], step: int) -> str:
    """The next place, in reading order, where somebody can be given an order or something can be chosen."""
    able = {p.place for p in moment.pieces if p.orderable} if moment.may_choose else set()
    able = able or {goal(o) for o in options_for(moment, NOTHING)} - {""}
    if not able:
        return here
    ordered = sorted(able, key=lambda place: (order.get(place, 0), place))
    mine = (order.get(here, 0), here)
    if step > 0:
        return next((p for p in ordered if (order.get(p, 0), p) > mine), ordered[0])
    return next((p for p in reversed(ordered) if (order.get(p, 0), p) < mine), ordered[-1])


def pointed_out(moment: Moment | None, picked: Picked, reach: Mapping[str, str], laid: Mapping[str, str]) -> Pointed:
    """What the map points out of what is picked: where one can go at what cost, the way of the option pointed at.

    `reach`: where whoever is picked can go by several choices; `laid`: what an overlay writes, by place.
    """
    is_begun = moment is not None and any(line.kind == "choice" for line in moment.log)
    went = frozenset(moment.last_places) if moment is not None and is_begun else frozenset()
    wider = options_for(moment, replace(picked, place=""))
    is_wide = not picked.piece and any(option.pieces for option in wider)  # who can act is pointed out then
    found = dict(reach)
    for option in () if is_wide else wider:
        place = goal(option)
        if place:
            cost = option.cost if option.path or option.cost else ""
            found[place] = min(found.get(place, cost), cost, key=_worth)
    options = options_for(moment, picked)
    path: dict[str, str] = {}
    if 0 <= picked.row < len(options):
        option = options[picked.row]
        path = dict.fromkeys(option.path, "o") | ({goal(option): "O"} if goal(option) else {})
    return Pointed({place: cost_sign(cost) for place, cost in found.items()}, path, picked.piece, went, laid)


def _worth(cost: str) -> Fraction:
    """A cost as a number: "2 1/2" is five halves, and none is nothing."""
    return sum((Fraction(part) for part in cost.split()), Fraction(0))


def cost_sign(cost: str) -> str:
    """A cost in as few cells as a space has: +2 and +2.5; of other parts than whole tenths the next tenth above.

    >>> cost_sign("2"), cost_sign("2 1/2"), cost_sign("1/2"), cost_sign("1/3"), cost_sign("")
    ('+2', '+2.5', '+.5', '+.4', '+')
    """
    tenths = ceil(_worth(cost) * 10)
    return f"+{cost}" if "/" not in cost else f"+{tenths // 10 or ''}.{tenths % 10}"
