"""Group orders: order many pieces at once, one after another, each as near to a goal as it gets.

Orders that roll dice are left out unless the player agrees to them. Nothing else is decided: the group stops at an
order with additional decisions, at the end of the repeated decision, and where a roll changes the orders of the
remaining pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

from interpreter.i18n.translator import mark as _
from interpreter.play.game import Game
from interpreter.players.orders.bulk_orders import (
    Distances,
    compute_distances,
    find_nearer_routes,
    find_route_without_dice,
    list_orderable_pieces,
)
from interpreter.players.orders.choice_history import ChoiceHistory
from interpreter.players.orders.matching import list_things
from interpreter.players.orders.repeated_decisions import DecisionSeries, find_series, is_series_unused
from interpreter.players.orders.route_planning import (
    MAX_REPEATED_ORDERS,
    Route,
    find_largest_move,
    has_rolled_dice,
    is_final,
    is_irreversible,
    list_route_rolls,
    try_options,
)
from interpreter.players.ownership import find_group_kind, find_seat_of_piece, is_on_map, list_members
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import LoggedMove, LoggedRoll
from interpreter.runtime.machine import is_setting_up

_MIN_PIECES = 2  # pieces that make a group
_MAX_NAMED = 6  # names
_MAX_TRIED = 200  # orders tried to see whether one moves its piece
_PLACE = "place"
KEPT_APART = _("they can only get closer by joining a stack; order them one by one")


class GroupEnd(Enum):
    """Reason why a group order ended: all pieces were considered, or why the rest of them were left."""

    COMPLETE = "complete"
    REFUSED = "refused"  # an order was refused
    ASKED = "asked"  # an order requires a further decision, or another seat decides
    CHANGED = "changed"  # dice changed what the rest can do


@dataclass(frozen=True, slots=True)
class GroupResult:
    """Result of a group order: the number of orders carried out, and the pieces that got none.

    `risky`: pieces whose orders would roll dice, to which the player has not agreed; `left`: pieces not reached, for
    the reason `end`; `stuck`: pieces that no order brings closer; `apart`: pieces that would have to join a stack to
    get closer; `near`: pieces that need no order, because they are at the goal or next to an enemy. `rolls`: the rolls
    that the order of the first risky piece would trigger. `total`: the number of pieces that were ordered, or 0 for
    identical pieces, whose orders each move several.
    """

    sent: int
    risky: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    end: GroupEnd = GroupEnd.COMPLETE
    rolls: tuple[str, ...] = ()
    stuck: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    total: int = 0
    apart: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderedGroup:
    """Pieces that can be ordered together, and what they have in common.

    `kind` and `thing`: the thing to which they belong, '' for all pieces that can be ordered now. `number`: how many
    pieces there are. Identical pieces in one place have the kind "place" and that place as `thing`; they can be sent to
    a place, but not forward.
    """

    kind: str
    thing: str
    pieces: tuple[str, ...]
    number: int

    @property
    def is_stack(self) -> bool:
        """Return whether these are identical pieces of one place."""
        return self.kind == _PLACE


def iter_orderable_groups(game: Game) -> Iterator[OrderedGroup]:
    """Yield the groups of several pieces that can be moved now: stacks, armies, then all single pieces.

    Yields none if the decision asks for one piece only, if its orders move no piece, or during setup, where a piece may
    displace another one.
    """
    if is_setting_up(game.state) or not _is_moving_decision(game):
        return
    yield from _iter_stacks(game)
    able = list_orderable_pieces(game)
    if len(able) < _MIN_PIECES:
        return
    kind = find_group_kind(game.program)
    for thing in game.program.ids[kind] if kind else ():
        members = set(list_members(game, kind, thing))
        pieces = tuple(piece for piece in able if piece in members)
        if len(pieces) >= _MIN_PIECES:
            yield OrderedGroup(kind, thing, pieces, len(pieces))
    yield OrderedGroup("", "", able, len(able))


def _is_moving_decision(game: Game) -> bool:
    """Return whether the pending decision is a repeated one in which an order to a piece moves that piece.

    Tries the orders on copies, and the choices that follow them. A move after a roll counts as a result of the order.
    """
    decision = game.decision
    if decision is None or decision.is_draft or not decision.info.is_repeated:
        return False
    tried = 0
    for option in decision.options:
        pieces = list_things(option, "piece")
        if len(pieces) != 1:
            continue
        trial = try_options(game, (option.key,))
        if _has_moved(trial, pieces[0]):
            return True
        after = trial.decision
        inner = () if after is None or is_final(game, trial) or after.address == decision.address else after.options
        for following in inner:
            if _has_moved(try_options(game, (option.key, following.key)), pieces[0]):
                return True
            tried += 1
            if tried == _MAX_TRIED:
                return True  # too many to be certain
    return False


def _has_moved(trial: Game, piece: str) -> bool:
    """Return whether the piece, or a piece identical to it, has moved on the map in `trial` before any roll."""
    handles, place = trial.program.handles, piece.rpartition("@")[2]
    for raw in takewhile(lambda raw: not isinstance(raw, LoggedRoll), trial.get_raw_log()):
        if isinstance(raw, LoggedMove) and trial.program.on_map[raw.destination]:
            if handles["piece"].get(piece) in raw.pieces or raw.origin == handles["place"].get(place):
                return True
    return False


def _iter_stacks(game: Game) -> Iterator[OrderedGroup]:
    """Yield the identical pieces that can be ordered now, by place."""
    stacks: dict[str, dict[str, int]] = {}
    for option in game.decision.options if game.decision is not None else ():
        pieces = list_things(option, "piece")
        if len(pieces) == 1 and "@" in pieces[0]:
            number = sum(v for v in option.args.values() if isinstance(v, int) and not isinstance(v, bool)) or 1
            groups_at_place = stacks.setdefault(pieces[0].rpartition("@")[2], {})
            groups_at_place[pieces[0]] = max(number, groups_at_place.get(pieces[0], 0))
    for place, groups in stacks.items():
        if sum(groups.values()) >= _MIN_PIECES:
            yield OrderedGroup(_PLACE, place, tuple(groups), sum(groups.values()))


def send_stack(
    game: Game, origin: str, goal: str, carry_out: Callable[[Route | Option], bool], with_dice: bool = False
) -> GroupResult:
    """Send all identical pieces that can go from the place `origin` to `goal`, the largest number first.

    `carry_out` carries out a choice and returns False if it is refused. Without `with_dice` no route that rolls dice is
    taken.
    """
    series, sent = find_series(game), 0
    while sent < MAX_REPEATED_ORDERS:
        route = find_largest_move(game, origin, goal)
        if route is None:
            break
        pieces = list_things(route, "piece")
        if not with_dice and (rolls := list_route_rolls(game, route)):
            return GroupResult(sent, risky=tuple(pieces), rolls=rolls)
        if not carry_out(route):
            return GroupResult(sent, left=tuple(pieces), end=GroupEnd.REFUSED)
        sent += 1
        if series is None or not series.is_asked_in(game.state):
            break
    return GroupResult(sent, end=GroupEnd.ASKED if _is_interrupted(series, game) else GroupEnd.COMPLETE)


def compute_forward_distances(game: Game) -> Distances:
    """Return the distance of each place to the nearest enemy of the deciding seat, or {} without an enemy."""
    seat = game.decision.seat if game.decision else ""
    state = game.state
    enemies = {
        state.at[p]
        for p in range(len(game.program.ids["piece"]))
        if is_on_map(game, p) and find_seat_of_piece(game, p) not in (None, seat)
    }
    return compute_distances(game, sorted(enemies)) if enemies else {}


def send_each(
    game: Game,
    pieces: Sequence[str],
    distances: Distances,
    spreads: bool,
    carry_out: Callable[[Route | Option], bool],
    report_end: Callable[[Decision], None] = lambda asked: None,
    with_dice: bool = False,
) -> GroupResult:
    """Order each piece to move as close to the goal as it can, starting with the closest piece.

    `distances`: the distance of each place from the goal; `spreads`: avoid stacks, see `find_nearer_routes`.
    `carry_out` carries out a choice and returns False if it is refused; `report_end` receives each follow-up decision
    of an order that was ended without a choice. Without `with_dice` a piece goes as close as it can without rolling
    dice.
    """
    series, handles = find_series(game), game.program.handles["piece"]
    sent, rolls, has_rolled = 0, tuple[str, ...](), False
    risky, stuck, near, apart = list[str](), list[str](), list[str](), list[str]()

    def build_result(end: GroupEnd = GroupEnd.COMPLETE, left: tuple[str, ...] = ()) -> GroupResult:
        return GroupResult(sent, tuple(risky), left, end, rolls, tuple(stuck), tuple(near), len(pieces), tuple(apart))

    def measure_distance(piece: str) -> int:
        return distances.get(game.state.at[handles[piece]], len(distances))

    nearest = sorted(pieces, key=lambda piece: (measure_distance(piece), pieces.index(piece)))
    for number, piece in enumerate(nearest):
        rest = tuple(nearest[number:])
        routes = find_nearer_routes(game, piece, distances, spreads)
        route = find_route_without_dice(game, routes)
        if route is None and routes and with_dice:
            route = routes[0]
        if route is None:
            if has_rolled and not routes:
                return build_result(GroupEnd.CHANGED, rest)
            if routes:
                risky.append(piece)
            elif measure_distance(piece) <= (1 if spreads else 0):
                near.append(piece)
            else:
                (apart if spreads and find_nearer_routes(game, piece, distances) else stuck).append(piece)
            rolls = rolls or (list_route_rolls(game, routes[0]) if routes else ())
            continue
        if not carry_out(route):
            return build_result(GroupEnd.REFUSED, rest)
        sent += 1
        has_rolled = has_rolled or has_rolled_dice(game)
        _end_follow_ups(game, series, carry_out, report_end)
        if series is None or not series.is_asked_in(game.state):
            is_asked = rest[1:] or _is_interrupted(series, game)
            return build_result(GroupEnd.ASKED if is_asked else GroupEnd.COMPLETE, rest[1:])
    return build_result()


def _is_interrupted(series: DecisionSeries | None, game: Game) -> bool:
    return series is not None and series.is_interrupted_in(game.state)


def format_result(result: GroupResult, localizer: Localizer, place: str = "") -> tuple[str, ...]:
    """Return lines that say what a group order did, then what it left undone and why; () if it left nothing undone.

    `place`: the id of the place that the group was sent to, or '' if it went forward, to the nearest enemies.
    """
    say, lines = localizer.say, []
    names = _format_names(result.left, localizer)
    match result.end:
        case GroupEnd.ASKED if names:
            lines.append(say("a decision comes first; still without orders: {names}", names=names))
        case GroupEnd.ASKED:
            lines.append(say("the last order needs a decision"))
        case GroupEnd.CHANGED:
            lines.append(say("after the roll some can no longer do this; still without orders: {names}", names=names))
        case GroupEnd.REFUSED:
            lines.append(say("an order was refused; still without orders: {names}", names=names))
    if result.risky:
        rolls = localizer.join_list(localizer.translate_name(roll, "roll") for roll in result.rolls)
        names = _format_names(result.risky, localizer)
        lines.append(
            say("dice would be rolled ({rolls}), so these have no orders yet: {names}", rolls=rolls, names=names)
        )
    if result.stuck:
        lines.append(_describe_stuck(_format_names(result.stuck, localizer), localizer, place))
    if result.apart:
        names = _format_names(result.apart, localizer)
        lines.append(say("not moved, because they would join a stack: {names}", names=names))
    if result.near:
        names = _format_names(result.near, localizer)
        there, near = say("already there: {names}", names=names), say("already next to an enemy: {names}", names=names)
        lines.append(there if place else near)
    return (_describe_sent(result, localizer), *lines) if lines and result.sent else tuple(lines)


def _describe_sent(result: GroupResult, localizer: Localizer) -> str:
    if result.total:
        return localizer.say("{number} of {total} (unit|units) moved", number=result.sent, total=result.total)
    return localizer.say("{number} (order|orders) carried out", number=result.sent)


def _describe_stuck(names: str, localizer: Localizer, place: str) -> str:
    """Say which pieces cannot get closer to `place`, '' for the enemy."""
    if place:
        return localizer.say(
            "{names} cannot get closer to {place}", names=names, place=localizer.get_thing_name("place", place)
        )
    return localizer.say("{names} cannot get closer to the enemy", names=names)


def _format_names(pieces: Sequence[str], localizer: Localizer) -> str:
    return localizer.join_some((localizer.find_name("piece", piece) for piece in pieces), _MAX_NAMED)


def find_undo_point(game: Game, first: int) -> int:
    """Return how many choices of a game one `undo` leaves, if a group order began after choice number `first`.

    One undo takes back the choices of the group order that follow its last roll of dice.
    """
    return max((first, *ChoiceHistory(game).list_with_dice(first)))


def _end_follow_ups(
    game: Game,
    series: DecisionSeries | None,
    carry_out: Callable[[Route | Option], bool],
    report_end: Callable[[Decision], None],
) -> None:
    """End the follow-up decisions of an order, such as which pieces go along, without choosing anything in them.

    `series`: the repeated decision in which the order was given. Neither it nor any decision after it is ended: those
    are phases of the game. `carry_out` and `report_end`: as for `send_each`.
    """
    seat = game.decision.seat if game.decision else ""
    while series is not None and series.is_interrupted_in(game.state):
        decision = game.decision
        done = None if decision is None else next((o for o in decision.options if o.key == "done"), None)
        if decision is None or done is None or decision.seat != seat or not is_series_unused(game):
            return
        if is_irreversible(game, (done.key,)) or not carry_out(done):
            return
        report_end(decision)
