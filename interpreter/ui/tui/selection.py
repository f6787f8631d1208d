"""Selection on the map and the options that match it: a filter over a position's options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, dist
from typing import NamedTuple

from interpreter.ui.tui.map.rendering import Highlights
from interpreter.view_model.records import DynamicView, ShownOption


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected piece and place, which narrow the options, and the row of the option pointed at in the list.

    `row` is -1 while the arrow keys move over the map. `others`: counters that an option takes together with `piece`.
    """

    piece: str = ""
    place: str = ""
    row: int = -1
    others: tuple[str, ...] = ()

    @property
    def pieces(self) -> tuple[str, ...]:
        """Return the ids of all selected counters."""
        return (self.piece, *self.others) if self.piece else ()


NOTHING = Selection()
_MAX_SHORT_LIST = 3  # longest list of options that gets the focus first
_PAIR = 2  # counters of an option that names an actor and a target
_MAX_COMBINATIONS = 60
_TOLERANCE = 4.0  # tolerance in drawing units for matching a grid place


def filter_options(view: DynamicView | None, selection: Selection) -> tuple[ShownOption, ...]:
    """Return the options that match the selection, in the order of the view."""
    decision = view.decision if view is not None and view.may_choose else None
    if decision is None:
        return ()
    return tuple(
        o
        for o in decision.options
        if all(piece in o.pieces for piece in selection.pieces)
        and (not selection.place or get_destination(o) == selection.place)
    )


def count_listed(view: DynamicView | None, options: Sequence[ShownOption]) -> int:
    """Return how many of the options to list: all, or only the first ones if an option can take many counters."""
    decision = view.decision if view is not None else None
    takes_several = decision is not None and decision.is_draft and any(len(o.pieces) > _PAIR for o in options)
    return min(len(options), _MAX_COMBINATIONS) if takes_several else len(options)


def get_destination(option: ShownOption) -> str:
    """Return the destination of an option, or '' if it has none."""
    return option.path[-1] if option.path else option.places[-1] if option.places else ""


class EnterResult(NamedTuple):
    """The effect of Enter: the new selection, and the key of an option to choose or a `go` command, '' for none."""

    selection: Selection
    command: str = ""


def apply_enter(view: DynamicView, place: str, selection: Selection, reach: Mapping[str, str]) -> EnterResult:
    """Return the effect of Enter on a place.

    `reach`: the cost, as text, of each place that the picked piece reaches only by several choices.
    """
    if selection.piece or selection.place:
        options = [o for o in filter_options(view, replace(selection, place="")) if get_destination(o) == place]
        if selection.piece and len(options) == 1:
            return EnterResult(NOTHING, options[0].key)
        if options:
            return EnterResult(Selection(selection.piece, place, 0))
        if place in reach:
            return EnterResult(NOTHING, format_go_command(selection.piece, place))
    able = [p.id for p in view.pieces if p.place == place and p.orderable] if view.may_choose else []
    if joining := [option for option in able if selection.piece and _is_joining(view, selection, option)]:
        return EnterResult(replace(selection, others=(*selection.others, joining[0]), place="", row=-1))
    if able:
        following = able[(able.index(selection.piece) + 1) % len(able)] if selection.piece in able else able[0]
        return EnterResult(Selection(following))
    there = [o for o in filter_options(view, NOTHING) if get_destination(o) == place]
    if len(there) == 1 and is_asking_place(view):
        return EnterResult(NOTHING, there[0].key)
    return EnterResult(Selection("", place, 0) if there else NOTHING)


def _is_joining(view: DynamicView, selection: Selection, piece: str) -> bool:
    """Return True if an option takes the counter `piece` together with all that are picked."""
    if piece in selection.pieces:
        return False
    return bool(filter_options(view, replace(selection, place="", others=(*selection.others, piece))))


def format_go_command(piece: str, place: str) -> str:
    """Return the command that orders a piece to a place."""
    return f"go {piece} {place}"


def is_asking_place(view: DynamicView) -> bool:
    """Return True if the decision asks for a place or a path rather than a piece."""
    options = filter_options(view, NOTHING)
    return any(get_destination(o) for o in options) and not any(o.pieces for o in options)


def find_place_asked_about(view: DynamicView) -> str:
    """Return the place of the piece whose destination or path is asked for, or '' if none is asked for."""
    about = view.decision.about if view.decision is not None and is_asking_place(view) else ()
    return next((p.place for p in view.pieces if p.id in about), "")


def find_done_key(view: DynamicView | None) -> str:
    """Return the key of the single option without pieces and places, such as `done`, or ''."""
    options = filter_options(view, NOTHING)
    bare_options = [o for o in options if not o.pieces and not o.places]
    return bare_options[0].key if len(bare_options) == 1 and len(options) > 1 else ""


def should_focus_list(view: DynamicView | None) -> bool:
    """Return True if the list has the focus first: the map offers no choice, or the list is short."""
    options = filter_options(view, NOTHING)
    choices = {piece for o in options for piece in o.pieces} | {get_destination(o) for o in options} - {""}
    is_short = len(options) <= _MAX_SHORT_LIST and any(not o.pieces and not get_destination(o) for o in options)
    return bool(options) and (len(choices) <= 1 or is_short)


def has_no_destination(view: DynamicView | None, piece: str) -> bool:
    """Return True if none of a piece's options has a destination."""
    return bool(piece) and not any(get_destination(o) for o in filter_options(view, Selection(piece)))


@dataclass(frozen=True, slots=True)
class LastOrder:
    """The last order given to a piece: start, goal, and the option's name ('' if it took several choices)."""

    start: str
    goal: str
    name: str


def build_last_order(view: DynamicView, selection: Selection, place: str, name: str) -> LastOrder | None:
    """Return the order to repeat after the picked piece was ordered to `place`; None if its start is unknown.

    `name`: the name of the option that was chosen, '' if it took several choices.
    """
    start = next((p.place for p in view.pieces if p.id == selection.piece), "")
    return LastOrder(start, place, name) if start and place else None


def repeat_order(
    view: DynamicView,
    last_order: LastOrder,
    piece: str,
    middles: Mapping[str, tuple[float, float]],
    reach: Mapping[str, str],
) -> str:
    """Return the last order applied to another piece, or '' if it is impossible.

    Tries the same displacement first, then the same goal. The result is an option's key if exactly one matches, or a
    `go` command if the last order took several choices. `middles`: the centre of each place; `reach`: the cost, as
    text, of each place that the piece reaches only by several choices ('' if not counted).
    """
    start = next((p.place for p in view.pieces if p.id == piece), "")
    shifted = _find_displaced_place(last_order, start, middles)
    for place in filter(None, (shifted, last_order.goal)):
        candidates = [
            o
            for o in filter_options(view, Selection(piece))
            if get_destination(o) == place and o.name == last_order.name
        ]
        if len(candidates) == 1:
            return candidates[0].key
        if not last_order.name and place in reach:
            return format_go_command(piece, place)
    return ""


def _find_displaced_place(last_order: LastOrder, start: str, middles: Mapping[str, tuple[float, float]]) -> str:
    """Return the place displaced from `start` as the last order's goal is from its start, or '' if no place lies there.

    `middles`: the centre of each place.
    """
    if not all(place in middles for place in (last_order.start, last_order.goal, start)):
        return ""
    (ax, ay), (bx, by), (x, y) = middles[last_order.start], middles[last_order.goal], middles[start]
    target = (x + bx - ax, y + by - ay)
    near = min(middles, key=lambda p: abs(middles[p][0] - target[0]) + abs(middles[p][1] - target[1]))
    is_there = abs(middles[near][0] - target[0]) + abs(middles[near][1] - target[1]) < _TOLERANCE
    return near if is_there else ""


def find_next_orderable_place(view: DynamicView, current: str, order: Mapping[str, int], step: int) -> str:
    """Return the next place in reading order that has an orderable piece or, if none has, is an option's destination.

    `current`: the present place, returned if none qualifies; `order`: each place's rank in reading order; `step`: 1
    for the next, -1 for the previous one.
    """
    able = {p.place for p in view.pieces if p.orderable} if view.may_choose else set()
    able = able or {get_destination(o) for o in filter_options(view, NOTHING)} - {""}
    if not able:
        return current
    ordered = sorted(able, key=lambda place: (order.get(place, 0), place))
    current_rank = (order.get(current, 0), current)
    if step > 0:
        return next((p for p in ordered if (order.get(p, 0), p) > current_rank), ordered[0])
    return next((p for p in reversed(ordered) if (order.get(p, 0), p) < current_rank), ordered[-1])


def build_highlights(
    view: DynamicView | None, selection: Selection, reach: Mapping[str, str], overlay: Mapping[str, str]
) -> Highlights:
    """Return what the map highlights: destinations with costs, the selected option's path, and the overlay.

    `reach`: the cost, as text, of each place that the picked piece reaches only by several choices; `overlay`: the
    overlay's text by place.
    """
    is_begun = view is not None and any(line.kind == "choice" for line in view.log)
    went = frozenset(view.last_places) if view is not None and is_begun else frozenset()
    wider = filter_options(view, replace(selection, place=""))
    is_wide = not selection.piece and any(option.pieces for option in wider)  # then the map highlights pieces
    reach_by_place = dict(reach)
    for option in () if is_wide else wider:
        place = get_destination(option)
        if place:
            cost = option.cost if option.path or option.cost else ""
            reach_by_place[place] = min(reach_by_place.get(place, cost), cost, key=_parse_cost)
    options = filter_options(view, selection)
    path: dict[str, str] = {}
    if 0 <= selection.row < len(options):
        option = options[selection.row]
        path = dict.fromkeys(option.path, "o") | ({get_destination(option): "O"} if get_destination(option) else {})
    return Highlights(
        {place: format_cost(cost) for place, cost in reach_by_place.items()}, path, selection.piece, went, overlay
    )


def _parse_cost(cost: str) -> Fraction:
    """Parse a cost into a number: "2 1/2" is five halves, '' is zero."""
    return sum((Fraction(part) for part in cost.split()), Fraction(0))


def format_cost(cost: str) -> str:
    """Format a cost in few cells, such as +2 and +2.5; other fractions are rounded up to the next tenth.

    >>> format_cost("2"), format_cost("2 1/2"), format_cost("1/2"), format_cost("1/3"), format_cost("")
    ('+2', '+2.5', '+.5', '+.4', '+')
    """
    tenths = ceil(_parse_cost(cost) * 10)
    return f"+{cost}" if "/" not in cost else f"+{tenths // 10 or ''}.{tenths % 10}"


def find_front(view: DynamicView, order: Mapping[str, int], middles: Mapping[str, tuple[float, float]]) -> str:
    """Return the place of the orderable piece nearest to a piece of another side, or '' without such a pair.

    If no piece can be ordered, the pieces of the deciding side count. Of equally near ones, the one in the middle of
    all is taken. `order`: the places on the map; `middles`: the centre of each place.
    """
    pieces = [piece for piece in view.pieces if piece.side and piece.place in order and piece.at is not None]
    side = view.decision.side if view.decision is not None else ""
    able = [piece for piece in pieces if piece.orderable] or [piece for piece in pieces if piece.side == side]
    if not able:
        return ""
    middle = tuple(sum(middles[one.place][axis] for one in able) / len(able) for axis in (0, 1))
    far = [
        (round(dist(middles[a.place], middles[b.place])), dist(middles[a.place], middle), a.place)
        for a in able
        for b in pieces
        if a.side != b.side
    ]
    return min(far)[2] if far else ""
