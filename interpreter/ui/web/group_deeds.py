"""Orders to a group of pieces that the page sends, carried out on a served game."""

from __future__ import annotations

from interpreter.i18n.translator import mark as _
from interpreter.play.game import Game
from interpreter.players.orders.bulk_orders import compute_distances
from interpreter.players.orders.group_orders import (
    GroupResult,
    distances_forward,
    iter_orderable_groups,
    send_each,
    send_stack,
)
from interpreter.players.orders.route_planning import Route
from interpreter.runtime.decisions import Option
from interpreter.ui.web.api_errors import ApiError


def order_group(game: Game, group: str, place: str) -> GroupResult:
    """Order a group by its id to a place, or with "" forward. Raises ApiError for an unknown group or place."""
    program = game.program
    wanted = next((g for g in iter_orderable_groups(game) if f"{g.kind}/{g.thing}" == group), None)
    if place and place not in program.handles["place"]:
        raise ApiError(422, "illegal", _("unknown place `{text}`", text=place[:40]))
    if wanted is None:
        raise ApiError(422, "illegal", _("none of this group can be ordered now"))
    if wanted.is_stack and not place:
        raise ApiError(422, "illegal", _("identical pieces are sent to a place: select one on the map first"))

    def order(way: Route | Option) -> bool:
        """Carry out an order, or the choices of a route while they can be made."""
        for key in way.keys if isinstance(way, Route) else (way.key,):
            decision = game.decision
            if decision is None or decision.find(key) is None:
                return False
            game.choose(key)
        return True

    if wanted.is_stack:
        return send_stack(game, wanted.thing, place, order)
    goal = compute_distances(game, [program.handles["place"][place]]) if place else distances_forward(game)
    return send_each(game, wanted.pieces, goal, not place, order)
