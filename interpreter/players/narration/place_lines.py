"""Place lines: describe one place without a map: values, neighbours, pieces, and pieces that can be ordered there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from interpreter.i18n.number_format import format_number
from interpreter.play.game import Game
from interpreter.players.narration.position_lines import group_pieces_by_place, render_stack
from interpreter.players.orders.route_planning import find_reachable_places, list_piece_orders
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.option_keys import format_piece_group
from interpreter.runtime.program import value_of

_NOTHING: tuple[Any, ...] = (None, False, "", [], (), 0)
_MAX_NAMED = 24  # named in one line


def render_place(place: str, view: Mapping[str, Any], localizer: Localizer) -> list[str]:
    """Render a place and its pieces, then each neighbour: direction, terrain, edge, and the pieces there.

    `view`: a view of the position, as JSON data.
    """
    pieces_at = group_pieces_by_place(view)
    lines = [localizer.get_thing_name("place", place)]
    lines += [
        "  " + localizer.prefix_topic(label, text)
        for label, text in _list_values("place", place, view["places"].get(place, {}), localizer)
    ]
    stack = render_stack(pieces_at.get(place, ()), localizer)
    lines += [f"  {line}" for line in stack] or ["  " + localizer.say("no pieces here")]
    around = _list_neighbours(place, localizer)
    if not around:
        return [*lines, "  " + localizer.say("no adjacent places")]
    lines.append("  " + localizer.say("touches:"))
    for direction, neighbour, edge in around:
        stack_text = localizer.join_texts(render_stack(pieces_at.get(neighbour, ()), localizer))
        parts = filter(
            None, (_format_terrain(neighbour, view, localizer), _format_edge(edge, view, localizer), stack_text)
        )
        name = localizer.get_thing_name("place", neighbour)
        head = f"{localizer.format_value(['direction'], direction)} {name}" if direction else name
        lines.append("    " + localizer.prefix_topic(head, localizer.join_texts(parts)))
    return lines


def render_thing(kind: str, thing: str, changing: Mapping[str, Any], localizer: Localizer) -> list[str]:
    """Render a thing without a place, such as a side or a seat: its name and its values.

    `changing`: the variable attributes of the thing, by name.
    """
    values = _list_values(kind, thing, changing, localizer)
    lines = ("  " + (label if label == text else localizer.prefix_topic(label, text)) for label, text in values)
    return [localizer.get_thing_name(kind, thing), *lines]


def render_area_map(view: Mapping[str, Any], localizer: Localizer, around: str = "") -> list[str]:
    """Render a map without a grid as a list: each place, the pieces there, and its neighbours.

    `view`: a view of the position, as JSON data; `around`: show only the place with this id and its neighbours.
    """
    places_shown = (
        {around, *(neighbour for _, neighbour, _ in _list_neighbours(around, localizer))} if around else set()
    )
    pieces_at = group_pieces_by_place(view)
    lines: list[str] = []
    for thing in localizer.get_kind("place")["things"]:
        place = thing["id"]
        if thing["holding"] or places_shown and place not in places_shown:
            continue
        listed = localizer.join_list(
            text if label == text else f"{label} {text}"
            for label, text in _list_values("place", place, view["places"].get(place, {}), localizer)
        )
        lines.append(localizer.prefix_topic(localizer.get_thing_name("place", place), listed))
        lines += [f"  {line}" for line in render_stack(pieces_at.get(place, ()), localizer)]
        touched = [
            localizer.with_detail(localizer.get_thing_name("place", neighbour), _format_edge(edge, view, localizer))
            for _direction, neighbour, edge in _list_neighbours(place, localizer)
        ]
        none = localizer.say("no adjacent places")
        lines.append(
            "  " + (localizer.say("touches: {places}", places=localizer.join_list(touched)) if touched else none)
        )
    return lines


def _list_neighbours(place: str, localizer: Localizer) -> list[tuple[str, str, str]]:
    """Return (direction, place id, edge id) of each neighbour, clockwise on a grid; the direction is '' off a grid."""
    links, ids = localizer.program.links, localizer.program.ids
    handle = localizer.program.handles["place"][place]
    row = links.by_direction[handle] if handle < len(links.by_direction) else ()
    neighbours = sorted((row.index(n) if n in row else len(row), n) for n in links.neighbours[handle])
    directions = dict(enumerate(links.directions))
    return [(directions.get(d, ""), ids["place"][n], ids["edge"][links.edges[handle, n]]) for d, n in neighbours]


def _list_values(kind: str, thing: str, changing: Mapping[str, Any], localizer: Localizer) -> list[tuple[str, str]]:
    """Return (label, text) of each attribute of a thing that players are shown.

    Empty values, and words equal to the attribute's default, are left out. `kind`, `thing`: its kind and id;
    `changing`: the variable attributes of the thing, by name.
    """
    pairs = []
    for name, attribute in localizer.get_kind(kind)["attributes"].items():
        if not attribute["told"]:
            continue
        value, text = localizer.format_attribute(kind, thing, name, changing)
        if attribute["show"][0] == "word" and value == value_of(attribute["default"]):
            continue
        is_thing = attribute["show"][0] in ("thing", "rung")
        if value not in _NOTHING or is_thing and value is not None:
            pairs.append((localizer.translate_attribute(attribute), text))
    return pairs


def _format_terrain(place: str, view: Mapping[str, Any], localizer: Localizer) -> str:
    """Render the terrain of a place from its attributes that are things of the ruleset's own kinds.

    `view`: a view of the position, as JSON data.
    """
    shows = {name: attribute["show"] for name, attribute in localizer.get_kind("place")["attributes"].items()}
    sorts = [n for n, s in shows.items() if s[0] == "thing" and s[1] not in ("side", "seat", "place", "piece", "edge")]
    return localizer.join_list(
        localizer.format_attribute("place", place, name, view["places"].get(place, {}))[1] for name in sorts
    )


def _format_edge(edge: str, view: Mapping[str, Any], localizer: Localizer) -> str:
    """Render the values of the edge between two places.

    A value that is a word, such as the sort of an edge, has no label. `view`: a view of the position, as JSON data.
    """
    flags, plain = localizer.format_value(["flag"], True), set[str]()
    for attribute in localizer.get_kind("edge")["attributes"].values():
        if attribute["show"][0] in ("word", "rung"):
            plain.add(localizer.translate_attribute(attribute))
    return localizer.join_list(
        label if text == flags else text if label in plain else f"{label} {text}"
        for label, text in _list_values("edge", edge, view.get("edges", {}).get(edge, {}), localizer)
    )


def find_orderable_pieces(game: Game, place: str) -> tuple[tuple[str, Any], ...]:
    """Return the pieces that one order can bring to a place, each with its least cost (None if costs are not counted).

    They are sorted by cost; of interchangeable pieces in one place only one is returned.
    """
    program, pieces, groups = game.program, [], set()
    for handle, piece in enumerate(program.ids["piece"]):
        group = format_piece_group(game.state, handle) if program.is_alike[handle] else piece
        if group in groups or program.ids["place"][game.state.at[handle]] == place:
            continue
        groups.add(group)
        orders = list_piece_orders(piece, game)
        leads = find_reachable_places(game, orders) if orders else {}
        if place in leads:
            pieces.append((piece, leads[place]))
    return tuple(sorted(pieces, key=lambda one: (one[1] is not None, one[1] or 0)))


def render_reachability(game: Game, place: str, localizer: Localizer) -> list[str]:
    """Return a line naming every piece that one order can bring to a place; [] if no piece can go there.

    Equal pieces in one place are named together, with their number.
    """
    pieces = find_orderable_pieces(game, place)
    if not pieces:
        return []
    program = game.program
    groups = Counter(format_piece_group(game.state, n) for n, is_alike in enumerate(program.is_alike) if is_alike)

    def format_named(piece: str) -> str:
        handle = program.handles["piece"][piece]
        return localizer.format_piece_count(
            piece, groups[format_piece_group(game.state, handle)] if program.is_alike[handle] else 1
        )

    names = [localizer.with_detail(format_named(p), "" if cost is None else format_number(cost)) for p, cost in pieces]
    return [
        "  "
        + localizer.say(
            "can reach this place now: {pieces}", pieces=localizer.join_list(localizer.limit_texts(names, _MAX_NAMED))
        )
    ]
