"""Group orders: order many pieces at once, one after another, each as near to a goal as it gets without dice.

Nothing else is decided: an order that asks something of its own, or the end of the row, stops the group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from interpreter.play.game import Game
from interpreter.players.orders.bulk_orders import (
    Distances,
    compute_distances,
    find_nearer_routes,
    find_route_without_dice,
    list_orderable_pieces,
)
from interpreter.players.orders.matching import list_things
from interpreter.players.orders.repeated_decisions import Row, row_is_unused, row_of
from interpreter.players.orders.route_planning import (
    MOST_REPEATED,
    Route,
    find_largest_move,
    has_rolled_dice,
    is_irreversible,
    list_route_rolls,
)
from interpreter.players.ownership import group_kind, is_on_map, list_members, seat_of
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.localizer import Localizer

_LEAST = 2  # pieces that make a group
_PLACE = "place"


@dataclass(frozen=True, slots=True)
class GroupResult:
    """Result of a group order: pieces ordered, pieces skipped because of dice, and why it stopped early.

    `is_refused`: an order was refused; `is_interrupted`: an order requires a decision of its own.
    """

    sent: int
    risky: tuple[str, ...]
    is_refused: bool
    is_interrupted: bool


@dataclass(frozen=True, slots=True)
class OrderedGroup:
    """Pieces that can be ordered together: `kind` and `thing` are '' for all that can be ordered now.

    `number`: how many they are. Identical pieces are named by their group at a place, whose kind is "place"; they can
    be sent to a place, but not forward.
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
    """Yield the groups with several pieces that can be ordered now: stacks, armies, then all single pieces."""
    yield from _stacks_now(game)
    able = list_orderable_pieces(game)
    if len(able) < _LEAST:
        return
    kind = group_kind(game.program)
    for thing in game.program.ids[kind] if kind else ():
        own = set(list_members(game, kind, thing))
        pieces = tuple(piece for piece in able if piece in own)
        if len(pieces) >= _LEAST:
            yield OrderedGroup(kind, thing, pieces, len(pieces))
    yield OrderedGroup("", "", able, len(able))


def _stacks_now(game: Game) -> Iterator[OrderedGroup]:
    """Yield the identical pieces that can be ordered now, by place."""
    stacks: dict[str, dict[str, int]] = {}
    for option in game.decision.options if game.decision is not None else ():
        named = list_things(option, "piece")
        if len(named) == 1 and "@" in named[0]:
            number = sum(v for v in option.args.values() if isinstance(v, int) and not isinstance(v, bool)) or 1
            groups_at_place = stacks.setdefault(named[0].rpartition("@")[2], {})
            groups_at_place[named[0]] = max(number, groups_at_place.get(named[0], 0))
    for place, groups in stacks.items():
        if sum(groups.values()) >= _LEAST:
            yield OrderedGroup(_PLACE, place, tuple(groups), sum(groups.values()))


def send_stack(game: Game, origin: str, goal: str, order: Callable[[Route | Option], bool]) -> GroupResult:
    """Send all identical pieces that can go from one place to another without dice, the largest number first."""
    row, sent = row_of(game), 0
    while sent < MOST_REPEATED:
        way = find_largest_move(game, origin, goal)
        if way is None:
            break
        if list_route_rolls(game, way):
            return GroupResult(sent, (way.key,), False, False)
        if not order(way):
            return GroupResult(sent, (), True, False)
        sent += 1
        if row is None or not row.is_asked_in(game.state) or has_rolled_dice(game):
            break
    return GroupResult(sent, (), False, row is not None and row.is_interrupted_in(game.state))


def distances_forward(game: Game) -> Distances:
    """Return the distance of each place to the nearest enemy of the deciding seat, or {} without an enemy."""
    seat = game.decision.seat if game.decision else ""
    state = game.state
    enemies = {
        state.at[p]
        for p in range(len(game.program.ids["piece"]))
        if is_on_map(game, p) and seat_of(game, p) not in (None, seat)
    }
    return compute_distances(game, sorted(enemies)) if enemies else {}


def send_each(
    game: Game,
    pieces: Sequence[str],
    steps: Distances,
    spreads: bool,
    order: Callable[[Route | Option], bool],
    ended: Callable[[Decision], None] = lambda asked: None,
) -> GroupResult:
    """Order each piece to move as close to the goal as it can, starting with the closest piece.

    `order` carries out a choice and returns False if it is refused; `ended` receives each decision that an order
    asked of its own and in which nothing was chosen.
    """
    row, handles = row_of(game), game.program.handles["piece"]
    sent, risky = 0, list[str]()
    for piece in sorted(pieces, key=lambda p: (steps.get(game.state.at[handles[p]], len(steps)), pieces.index(p))):
        routes = find_nearer_routes(game, piece, steps, spreads)
        way = find_route_without_dice(game, routes)
        if way is None:
            risky += [piece] if routes else []
            continue
        if not order(way):
            return GroupResult(sent, tuple(risky), True, False)
        sent += 1
        _end_inner_rows(game, row, order, ended)
        if row is None or not row.is_asked_in(game.state) or has_rolled_dice(game):
            break
    return GroupResult(sent, tuple(risky), False, row is not None and row.is_interrupted_in(game.state))


def risky_names(result: GroupResult, words: Localizer, most: int) -> str:
    """Return the names of the pieces that were skipped because their order would roll dice, or ''."""
    return words.some(map(words.piece, result.risky), most)


def _end_inner_rows(
    game: Game, row: Row | None, order: Callable[[Route | Option], bool], ended: Callable[[Decision], None]
) -> None:
    """End the follow-up decisions of an order, such as who goes along, without choosing anything.

    Never ends the row in which the order was given, nor any after it: those are phases of the game.
    """
    seat = game.decision.seat if game.decision else ""
    while row is not None and row.is_interrupted_in(game.state):
        decision = game.decision
        done = None if decision is None else next((o for o in decision.options if o.key == "done"), None)
        if decision is None or done is None or decision.seat != seat or not row_is_unused(game):
            return
        if is_irreversible(game, (done.key,)) or not order(done):
            return
        ended(decision)
