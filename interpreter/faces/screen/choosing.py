"""What is picked on the map and what may be chosen with it: a filter over the options of a scene.

Must not judge what is legal: every option comes from the scene.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from interpreter.faces.screen.map_drawing import Pointed
from interpreter.scene.records import Moment, ShownOption


@dataclass(frozen=True, slots=True)
class Picked:
    """`piece` (a counter's id) and `place` narrow the options, '' for neither; `row`: which of them is pointed at.

    `row` is -1 while the arrow keys move over the map.
    """

    piece: str = ""
    place: str = ""
    row: int = -1


NOTHING = Picked()


def options_for(moment: Moment | None, picked: Picked) -> tuple[ShownOption, ...]:
    """The options that what is picked leaves, in the order of the scene."""
    decision = moment.decision if moment is not None and moment.may_choose else None
    if decision is None:
        return ()
    return tuple(
        o
        for o in decision.options
        if (not picked.piece or picked.piece in o.pieces) and (not picked.place or goal(o) == picked.place)
    )


def goal(option: ShownOption) -> str:
    """The place where an option leads, '' for none."""
    return option.path[-1] if option.path else option.places[-1] if option.places else ""


def pick_at(moment: Moment, place: str, picked: Picked) -> tuple[Picked, str]:
    """What Enter on a place does: what is picked then, or the key of the option that is chosen by it."""
    if picked.piece or picked.place:
        found = [o for o in options_for(moment, replace(picked, place="")) if goal(o) == place]
        if picked.piece and len(found) == 1:
            return NOTHING, found[0].key
        if found:
            return Picked(picked.piece, place, 0), ""
    able = [p.id for p in moment.pieces if p.place == place and p.orderable] if moment.may_choose else []
    if able:
        following = able[(able.index(picked.piece) + 1) % len(able)] if picked.piece in able else able[0]
        return _with_piece(moment, following), ""
    if any(goal(o) == place for o in options_for(moment, NOTHING)):
        return Picked("", place, 0), ""
    return NOTHING, ""


def _with_piece(moment: Moment, piece: str) -> Picked:
    """A counter picked; where none of its orders leads anywhere, the list is pointed at."""
    picked = Picked(piece)
    return picked if any(goal(o) for o in options_for(moment, picked)) else replace(picked, row=0)


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


def pointed_out(moment: Moment | None, picked: Picked) -> Pointed:
    """What the map points out of what is picked: where one can go at what cost, the way of the option pointed at."""
    is_begun = moment is not None and any(line.kind == "choice" for line in moment.log)
    went = frozenset(moment.last_places) if moment is not None and is_begun else frozenset()
    wider = options_for(moment, replace(picked, place=""))
    is_wide = not picked.piece and any(option.pieces for option in wider)  # who can act is pointed out then
    reach: dict[str, str] = {}
    for option in () if is_wide else wider:
        place = goal(option)
        if place:
            cost = option.cost if option.path or option.cost else ""
            reach[place] = min(filter(None, (reach.get(place), f"+{cost}")), key=lambda text: (len(text), text))
    options = options_for(moment, picked)
    path: dict[str, str] = {}
    if 0 <= picked.row < len(options):
        option = options[picked.row]
        path = dict.fromkeys(option.path, "o") | ({goal(option): "O"} if goal(option) else {})
    return Pointed(reach, path, picked.piece, went)
