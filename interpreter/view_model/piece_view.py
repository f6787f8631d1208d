"""Counters of a position: place, appearance, and spoken description."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from interpreter.play.game import Game
from interpreter.players.narration.position_lines import render_stack
from interpreter.runtime.option_keys import format_piece_group
from interpreter.tools.maps.counters import (
    CounterBox,
    compute_arrow_angle,
    compute_place_boxes,
    draw_counter,
    get_sign,
    list_conditions,
    list_shown_figures,
)
from interpreter.tools.maps.drawing_context import DrawingContext
from interpreter.tools.maps.piece_groups import PlacedGroup
from interpreter.tools.maps.svg import compute_boxes
from interpreter.view_model.records import ShownPiece
from interpreter.view_model.view_context import ViewContext

SIDE = 44.0  # side length of a counter's picture


class CounterImages:
    """A cache of counter pictures; a counter is drawn again only when its appearance changes."""

    def __init__(self) -> None:
        self._drawn: dict[tuple[int, int, str, int, bool], tuple[str, str]] = {}

    def get_picture(self, group: PlacedGroup, context: DrawingContext, spot: CounterBox | None) -> str:
        """Return the SVG picture of a counter around (0, 0), whole even where other counters cover it.

        `spot`: its box on the map, which determines the pile drawn below it; None off the map.
        """
        stack, is_rider = (spot.stack, spot.is_rider) if spot is not None else (0, False)
        key, look = (group.handle, group.count, group.short, stack, is_rider), repr(sorted(group.values.items()))
        cached = self._drawn.get(key)
        if cached is None or cached[0] != look:
            lies = CounterBox((0.0, 0.0), SIDE, 0, stack, is_rider)
            cached = self._drawn[key] = look, draw_counter(group, (0.0, 0.0), SIDE, context, lies)
        return cached[1]


def build_pieces(
    context: ViewContext, view: Mapping[str, Any], drawing: DrawingContext, pictures: CounterImages
) -> tuple[ShownPiece, ...]:
    """Return every counter, those on the map first; `orderable` is set later, by `mark_orderable`.

    `view`: the position as `Game.view` returns it; `drawing`: what the map shows, with its groups of pieces;
    `pictures`: the cache of counter pictures.
    """
    boxes, counters = compute_boxes(drawing), []
    for place, groups in drawing.position.groups.items():
        middle, scale = drawing.geometry.middles[place], drawing.geometry.get_counter_scale(place)
        spots = compute_place_boxes(groups, middle, boxes[place], drawing.style, scale)
        for group, spot in zip(groups, spots, strict=True):
            counters.append(_build_piece(context, view, group, place, drawing, pictures, spot))
    for place, groups in drawing.position.off_map_groups.items():
        counters += [_build_piece(context, view, group, place, drawing, pictures, None) for group in groups]
    return tuple(counters)


def mark_orderable(pieces: Iterable[ShownPiece], orderable: Collection[str]) -> tuple[ShownPiece, ...]:
    """Return the counters, with `orderable` set for those whose ids are in `orderable`."""
    return tuple(replace(piece, orderable=True) if piece.id in orderable else piece for piece in pieces)


def map_names_to_counters(game: Game, pieces: Iterable[ShownPiece]) -> dict[str, str]:
    """Map every name by which options refer to a piece (its id or its group) to the id of its counter."""
    handles, alike = game.program.handles["piece"], game.program.is_alike
    counter_of: dict[str, str] = {}
    for piece in pieces:
        for member in piece.members:
            counter_of[member] = piece.id
            if alike[handles[member]]:
                counter_of.setdefault(format_piece_group(game.state, handles[member]), piece.id)
    return counter_of


def _build_piece(
    context: ViewContext,
    view: Mapping[str, Any],
    group: PlacedGroup,
    place: int,
    drawing: DrawingContext,
    pictures: CounterImages,
    spot: CounterBox | None,
) -> ShownPiece:
    """Return one counter at a place; `spot`: its box on the map, or None off the map."""
    localizer, program = context.localizer, context.rules.program
    ids = program.ids["piece"]
    side = drawing.style.find_side(group.piece.cls, group.values)
    side_id = "" if side is None else program.ids["side"][side]
    members = tuple(ids[handle] for handle in group.members)
    descriptions = render_stack([(member, view["pieces"][member]) for member in members], localizer)
    place_name = localizer.get_thing_name("place", program.ids["place"][place])
    side_names = [localizer.get_thing_name("side", side_id)] if side_id else []
    label = localizer.format_piece_count(members[0], group.count)
    figures = tuple((figure.name, figure.text) for figure in list_shown_figures(group, drawing))
    conditions = tuple((condition.letter, condition.words) for condition in list_conditions(group, drawing))
    texts = [*(f"{name} {text}".lstrip() for name, text in figures), *(text for _letter, text in conditions)]
    return ShownPiece(
        members[0],
        program.ids["place"][place],
        side_id,
        localizer.get_piece_name(members[0]),
        group.short,
        group.count,
        members,
        localizer.join_list([*descriptions, *(w for w in side_names if not descriptions[0].startswith(w)), place_name]),
        spot.middle if spot else None,
        spot.size if spot else 0.0,
        compute_arrow_angle(group, drawing),
        get_sign(group, drawing),
        pictures.get_picture(group, drawing, spot),
        False,
        figures,
        conditions,
        spot.depth if spot else 0,
        spot.is_rider if spot else False,
        label,
        localizer.prefix_topic(label, localizer.join_list(texts)) if figures else "",
    )
