"""Bulk orders: move all pieces, a group or the pieces of one place toward the enemy or toward a place.

For each piece, find the route that brings it nearest without rolling dice. Carries out nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from interpreter.play.game import Game
from interpreter.players.orders.matching import get_kind, list_things
from interpreter.players.orders.repeated_decisions import find_series_start
from interpreter.players.orders.route_planning import Route, iter_route_ends, list_route_rolls
from interpreter.players.ownership import find_seat_of_piece, is_on_map
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.option_keys import format_piece_group
from interpreter.runtime.state import clone_state

Distances = Mapping[int, int]


def compute_distances(game: Game, goals: Iterable[int]) -> dict[int, int]:
    """Return the distance in links of each place connected with the places `goals` (breadth-first search)."""
    links, distances = game.program.links, dict.fromkeys(goals, 0)
    waiting = deque(distances)
    while waiting:
        place = waiting.popleft()
        for neighbour in links.neighbours[place]:
            if neighbour not in distances:
                distances[neighbour] = distances[place] + 1
                waiting.append(neighbour)
    return distances


def list_orderable_pieces(game: Game) -> tuple[str, ...]:
    """Return the ids of the pieces that an option of the current decision names as its only piece, in option order."""
    return _list_ordered_pieces(game.decision, game)


@dataclass(frozen=True, slots=True)
class IdlePieces:
    """A piece that can still be ordered, or the interchangeable pieces of one group of which `number` can.

    `piece`: the id of the piece, or of one of the group; `place`: the handle of its place.
    """

    piece: str
    place: int
    number: int = 1


def list_idle_pieces(game: Game) -> tuple[IdlePieces, ...]:
    """Return the deciding seat's pieces that can still be ordered alone, in option order.

    Unlike `list_orderable_pieces`, it counts options that also name pieces of other seats, such as a target, if the
    decision offers nothing else (where orders of several sorts remain, pieces are often left without one on purpose).
    """
    decision, handles = game.decision, game.program.handles["piece"]
    if decision is None or decision.is_draft or len({o.name for o in decision.options if o.key != "done"}) != 1:
        return (*_locate(list_orderable_pieces(game), game), *_list_idle_groups(game))
    found: list[str] = []
    for option in decision.options:
        named = [piece for piece in list_things(option, "piece") if piece in handles]
        own = named if len(named) == 1 else [p for p in named if find_seat_of_piece(game, handles[p]) == decision.seat]
        found += own if len(own) == 1 else []
    return (*_locate(dict.fromkeys(found), game), *_list_idle_groups(game))


def _locate(pieces: Iterable[str], game: Game) -> list[IdlePieces]:
    """Return pieces given by id with their places."""
    return [IdlePieces(piece, game.state.at[game.program.handles["piece"][piece]]) for piece in pieces]


def _list_idle_groups(game: Game) -> list[IdlePieces]:
    """Return the groups of interchangeable pieces that an option names alone, with the number that it can order.

    That is the largest number that an option with a single number offers, or else the whole group.
    """
    decision, program = game.decision, game.program
    if decision is None or decision.is_draft:
        return []
    numbers: dict[str, set[int]] = {}
    for option in decision.options:
        named = list_things(option, "piece")
        if len(named) == 1 and named[0] not in program.handles["piece"]:
            given = [value for value in option.args.values() if type(value) is int]
            numbers.setdefault(named[0], set()).update(given if len(given) == 1 else ())
    if not numbers:
        return []
    members: dict[str, list[int]] = {group: [] for group in numbers}
    for piece, is_alike in enumerate(program.is_alike):
        group = format_piece_group(game.state, piece) if is_alike else ""
        if group in members and find_seat_of_piece(game, piece) == decision.seat:
            members[group].append(piece)
    return [
        IdlePieces(
            program.ids["piece"][own[0]], game.state.at[own[0]], min(len(own), max(numbers[group], default=len(own)))
        )
        for group, own in members.items()
        if own
    ]


def count_progress(game: Game) -> tuple[int, ...]:
    """Return (how many pieces can no longer be ordered, how many could be at first) in a repeated decision.

    Return () outside of a repeated decision, and if there is only one piece.
    """
    start = find_series_start(game)
    if start is None:
        return ()
    able = set(list_orderable_pieces(game))
    total = able
    if start is not game.state:
        total = able.union(_list_ordered_pieces(Decision(clone_state(start)), game))
    return (len(total - able), len(total)) if len(total) > 1 else ()


def _list_ordered_pieces(decision: Decision | None, game: Game) -> tuple[str, ...]:
    """Return the ids of the pieces that an option of a decision names as its only piece, in option order."""
    options = () if decision is None or decision.is_draft else decision.options
    pieces = (piece for option in options for piece in _find_single_piece(option))
    return tuple(dict.fromkeys(piece for piece in pieces if piece in game.program.handles["piece"]))


def find_nearer_routes(game: Game, piece: str, distances: Distances, spreads: bool = False) -> list[Route]:
    """Return the routes that bring a piece nearer to a goal, the nearest end first; of equal ones the cheaper first.

    `distances`: the distance of each place from the goal. With `spreads`, a piece on a grid prefers to stop one space
    short over joining a stack, unless it is in a stack now.
    """
    decision, places = game.decision, game.program.handles["place"]
    if decision is None:
        return []
    options = [o for o in decision.options if piece in _find_single_piece(o)]
    start = game.state.at[game.program.handles["piece"][piece]]
    current_values = {str(v) for v in game.view()["pieces"][piece].values() if isinstance(v, str)}
    crowded = _find_stacked_spaces(game, piece) if spreads else frozenset()
    ranked: list[tuple[tuple[int, int, float, int], int, Route]] = []

    def collect_route(route: Route) -> None:
        last = route.legs[-1]
        goals = [places[v] for v in list_things(last, "place")]
        if len(goals) != 1 or goals[0] not in distances or distances[goals[0]] >= distances.get(start, len(places)):
            return
        flags = sum(v is True for v in route.args.values())
        changed = sum(
            1
            for v in route.legs[-1].args.values()
            if isinstance(v, str) and v not in places and v not in current_values
        )
        distance = distances[goals[0]] + (goals[0] in crowded)
        if distance < distances.get(start, len(places)):
            ranked.append(((distance, flags, float(route.cost or 0), changed), len(ranked), route))

    def has_place(option: Option) -> bool:
        return any(get_kind(show) == "place" for show in option.shows.values())

    for option in filter(has_place, options):
        collect_route(Route((option,)))
    for first in iter_route_ends(game, [o for o in options if not has_place(o)]):
        for last in first.decision.options if first.decision.address != decision.address else ():
            collect_route(Route((first.option, last)))
    return [route for _, _, route in sorted(ranked, key=lambda pair: pair[:2])]


def find_route_without_dice(game: Game, routes: Sequence[Route]) -> Route | None:
    """Return the first of these routes on which no dice are rolled, or None."""
    return next((route for route in routes if not list_route_rolls(game, route)), None)


def _find_stacked_spaces(game: Game, piece: str) -> frozenset[int]:
    """Return the grid spaces that hold other pieces of the same side and class as the piece.

    Empty off a grid, or if the piece is in a stack already. Pieces of other classes, such as commanders, do not count.
    """
    program, state, grid = game.program, game.state, game.program.data["grid"]
    handle, things = program.handles["piece"][piece], program.kinds["piece"]["things"]
    seat, cls = find_seat_of_piece(game, handle), things[handle]["cls"]
    alike = [p for p in range(len(things)) if p != handle and things[p]["cls"] == cls and is_on_map(game, p)]
    other_pieces = [p for p in alike if find_seat_of_piece(game, p) == seat]
    if grid is None or any(state.at[p] == state.at[handle] for p in other_pieces):
        return frozenset()
    return frozenset(state.at[p] for p in other_pieces if grid["cells"][state.at[p]] is not None)


def _find_single_piece(option: Option) -> Sequence[str]:
    """Return the piece that an option names, if it names exactly one."""
    pieces = list_things(option, "piece")
    return pieces if len(pieces) == 1 else ()
