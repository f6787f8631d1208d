"""Reachable places and routes with their cost and dice, tried on copies of the game with other dice."""

from __future__ import annotations

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.i18n.number_format import format_number
from interpreter.play.game import Game
from interpreter.players.narration.place_lines import find_orderable_pieces
from interpreter.players.orders.group_orders import OrderedGroup, iter_orderable_groups
from interpreter.players.orders.menu import describe_option
from interpreter.players.orders.name_index import NameIndex
from interpreter.players.orders.route_planning import (
    Route,
    count_pieces,
    find_reachable_places,
    find_routes_from_options,
    iter_route_ends,
    list_piece_orders,
    list_route_rolls,
    prefer_plain_routes,
)
from interpreter.runtime.errors import RuleFault, SetupError
from interpreter.view_model.answer_records import GroupOrder, OptionAhead, PlannedRoute
from interpreter.view_model.option_view import FacingAngles, build_option, list_path_places
from interpreter.view_model.view_context import ViewContext

MAX_OPTIONS_AHEAD = 400  # options of next decisions; the map shows them all
MAX_ROUTES = 60  # routes sent at once; a client requests the rest by the number of the first one


def list_places_in_reach(game: Game, piece: str) -> tuple[tuple[str, str], ...]:
    """Return (place, cost) for every place to which one order can bring a piece; the cost is '' if not counted."""
    _expect_piece(game, piece)
    costs = find_reachable_places(game, list_piece_orders(piece, game))
    return tuple((place, "" if cost is None else format_number(cost)) for place, cost in costs.items())


def list_pieces_in_reach(game: Game, place: str) -> tuple[tuple[str, str], ...]:
    """Return (piece, cost) for every piece that one order can bring to a place; the cost is '' if not counted."""
    if place not in game.program.handles["place"]:
        raise SetupError("unknown place `{text}`", text=quote_typed(place))
    return tuple(
        (piece, "" if cost is None else format_number(cost)) for piece, cost in find_orderable_pieces(game, place)
    )


def list_plans(context: ViewContext, game: Game, piece: str, place: str, start: int = 0) -> tuple[PlannedRoute, ...]:
    """Return the routes on which a piece can be ordered to a place, at most `MAX_ROUTES` from number `start` on.

    The first one is the default: the whole stack, by the simplest route. Fewer than `MAX_ROUTES` routes mean that there
    are no more.
    """
    _expect_piece(game, piece)
    name_index = NameIndex(game, context.localizer)
    routes = sorted(
        find_routes_from_options(game, list_piece_orders(piece, game), place), key=count_pieces, reverse=True
    )
    plain_routes = prefer_plain_routes(game, [way for way in routes if count_pieces(way) == count_pieces(routes[0])])
    if len(plain_routes) == 1:  # the route without optional choices comes first
        routes = [plain_routes[0], *(way for way in routes if way is not plain_routes[0])]
    facing = FacingAngles(context)
    return tuple(_build_plan(context, game, way, name_index, facing) for way in routes[start : start + MAX_ROUTES])


def list_options_ahead(context: ViewContext, game: Game) -> tuple[OptionAhead, ...]:
    """Return the draft options that directly follow an option without arguments, such as the targets of an attack.

    Only options that name a piece and a place are included. Empty if there are more than `MAX_OPTIONS_AHEAD`. The ids
    of pieces are those of the ruleset.
    """
    decision = game.decision
    if decision is None or decision.is_draft:
        return ()
    gates = [o for o in decision.options if o.key != "done" and not o.args]
    name_index, counters = NameIndex(game, context.localizer), {piece: piece for piece in game.program.ids["piece"]}
    options = []
    for end in iter_route_ends(game, gates):
        after = end.game.decision
        if after is None or not after.is_draft or after.address == decision.address:
            continue
        for option in after.options:
            way = Route((end.option, option))
            option_view = build_option(option, name_index, counters)
            if option_view.pieces and option_view.places:
                options.append(OptionAhead(way.keys, option_view))
    return tuple(options) if len(options) <= MAX_OPTIONS_AHEAD else ()


def list_group_orders(context: ViewContext, game: Game) -> tuple[GroupOrder, ...]:
    """Return the groups whose pieces can be ordered together now, by name, each with the number that can go.

    A group of the same pieces as an earlier one is left out, such as all pieces if they all belong to one side. None
    are listed if it takes too much work to try what the orders do.
    """
    localizer, orders, seen = context.localizer, [], set[tuple[bool, frozenset[str]]]()
    for group in _list_affordable_groups(game):
        identity = (group.is_stack, frozenset(group.pieces))
        if identity in seen:
            continue
        seen.add(identity)
        name = localizer.get_thing_name(group.kind, group.thing) if group.kind else localizer.say("all")
        if group.is_stack:
            name = localizer.say("all in {place}", place=name)
        orders.append(GroupOrder(f"{group.kind}/{group.thing}", name, group.number, not group.is_stack))
    return tuple(orders)


def _list_affordable_groups(game: Game) -> list[OrderedGroup]:
    try:
        return list(iter_orderable_groups(game))
    except RuleFault as fault:
        if not fault.is_exhausted:
            raise
        return []


def _build_plan(
    context: ViewContext, game: Game, route: Route, name_index: NameIndex, facing: FacingAngles
) -> PlannedRoute:
    """Return the record of a route."""
    localizer = context.localizer
    dice = tuple(localizer.translate_name(roll, "roll") for roll in list_route_rolls(game, route))
    cost = "" if route.cost is None else format_number(route.cost)
    path = tuple(place for leg in route.legs for place in list_path_places(leg, name_index))
    description = describe_option(route, name_index)
    return PlannedRoute(
        route.keys,
        description.line,
        description.title,
        localizer.join_texts(description.details),
        path,
        cost,
        dice,
        route.cite,
        count_pieces(route),
        facing.find_angle(route),
    )


def _expect_piece(game: Game, piece: str) -> None:
    if piece not in game.program.handles["piece"]:
        raise SetupError("unknown piece `{text}`", text=quote_typed(piece))
