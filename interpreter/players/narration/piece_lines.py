"""Piece lines: render one piece: counter values, state, orders, places in reach and pieces nearby."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter.i18n.number_format import format_number
from interpreter.play.game import Game
from interpreter.play.lines import Line, TextLine
from interpreter.play.views import build_views
from interpreter.players.narration.position_lines import format_labelled_value, group_pieces_by_place
from interpreter.players.orders.menu import format_option
from interpreter.players.orders.name_index import NameIndex
from interpreter.players.orders.route_planning import find_reachable_places, list_piece_orders
from interpreter.players.ownership import find_side_of_thing
from interpreter.runtime.decisions import Option
from interpreter.runtime.localizer import Localizer

_MAX_ORDERS = 6  # rendered in full; more are counted by name
_MAX_NEIGHBOURS = 12


def render_piece(piece: str, game: Game, name_index: NameIndex) -> list[TextLine]:
    """Render a piece by its id: values, current orders, places in reach, adjacent pieces."""
    localizer = name_index.localizer
    view = game.view()
    at = str(view["pieces"][piece]["at"])
    title = localizer.prefix_topic(localizer.get_piece_name(piece), localizer.get_thing_name("place", at))
    lines: list[TextLine] = [title, *_format_values(piece, view, localizer)]
    lines += render_views("piece", piece, game, localizer)
    orders = list_piece_orders(piece, game)
    lines += _render_orders(orders, name_index)
    reachable = find_reachable_places(game, orders)
    reachable.pop(at, None)
    if reachable:
        lines.append(f"  {format_reach(reachable, localizer)}")
    return [*lines, *_render_adjacent_pieces(piece, at, game, localizer)]


def format_reach(costs_by_place: Mapping[str, Any], localizer: Localizer) -> str:
    """Render the places in reach, given with the cost of each (None if the rules count none), in one line."""
    places = [
        localizer.with_detail(localizer.get_thing_name("place", p), "" if c is None else format_number(c))
        for p, c in costs_by_place.items()
    ]
    costs = any(c is not None for c in costs_by_place.values())
    head = localizer.say("reachable (with the cost):") if costs else localizer.say("in reach:")
    return localizer.say("{head} {values}", head=head, values=localizer.join_list(places))


def render_views(kind: str, thing: str, game: Game, localizer: Localizer) -> list[TextLine]:
    """Render the values that the ruleset's views show for the thing of a kind, one per line."""
    views = build_views(game.state, kind, game.program.handles[kind][thing], localizer.lang)
    return [Line(localizer.prefix_topic(label, text), tuple(cites), level=1) for label, text, cites in views]


def _format_values(piece: str, view: Mapping[str, Any], localizer: Localizer) -> list[str]:
    """Render the attributes of a piece, without empty ones."""
    kind = localizer.get_kind("piece")
    handle = localizer.program.handles["piece"][piece]
    cls = localizer.data["classes"].get(kind["things"][handle]["cls"], {})
    texts = [localizer.translate_label(cls["label"], cls["one"])] if cls else []
    for name, attribute in kind["attributes"].items():
        if cls and name not in cls["attributes"] or not attribute["told"]:
            continue
        value, text = localizer.format_attribute("piece", piece, name, view["pieces"][piece])
        if (
            value is None
            or value is False
            or value in ("", (), [])
            or (value == 0 and attribute["show"][0] in ("int", "number") and not attribute["changes"])
        ):
            continue
        label = localizer.translate_attribute(attribute)
        texts.append(format_labelled_value(label, value, text))
    return [f"  {localizer.join_list(texts)}"] if texts else []


def _render_orders(orders: Sequence[Option], name_index: NameIndex) -> list[TextLine]:
    """Render the orders that a piece can be given now; many of one name are only counted."""
    localizer = name_index.localizer
    if not orders:
        return ["  " + localizer.say("no orders for it now (to see why: why ORDER)")]
    by_name: dict[str, list[Option]] = {}
    for order in orders:
        by_name.setdefault(order.name, []).append(order)
    lines: list[TextLine] = ["  " + localizer.say("possible now:")]
    for name, own in by_name.items():
        if len(own) <= _MAX_ORDERS:
            lines += [Line(format_option(o, name_index), o.cite, level=2) for o in own]
        else:
            many = localizer.say(
                "{what} ({number} (way|ways))", what=name_index.find_option_name(name), number=len(own)
            )
            lines.append(Line(many, own[0].cite, level=2))
    return lines


def _render_adjacent_pieces(piece: str, at: str, game: Game, localizer: Localizer) -> list[str]:
    """Render, in one line, the pieces of other sides in the place `at` of the piece and in adjacent places.

    Return [] for a piece off the map: it is next to nothing.
    """
    handles = localizer.program.handles
    if not localizer.program.on_map[handles["place"][at]]:
        return []
    side = find_side_of_thing(game.state, "piece", handles["piece"][piece])
    touching = [localizer.program.ids["place"][n] for n in localizer.program.links.neighbours[handles["place"][at]]]
    pieces_at = group_pieces_by_place(game.view())
    names = []
    for place in [at, *touching]:
        other_pieces = [
            adjacent
            for adjacent, _ in pieces_at.get(place, ())
            if find_side_of_thing(game.state, "piece", handles["piece"][adjacent]) not in ("", side)
        ]
        names += [
            localizer.with_detail(count_text, localizer.get_thing_name("place", place))
            for count_text in localizer.list_piece_counts(other_pieces)
        ]
    if not names:
        return ["  " + localizer.say("no adjacent pieces of other sides")]
    listed = localizer.join_list(localizer.limit_texts(names, _MAX_NEIGHBOURS))
    return ["  " + localizer.say("adjacent pieces of other sides: {pieces}", pieces=listed)]
