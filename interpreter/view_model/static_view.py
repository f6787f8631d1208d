"""The part of a view that never changes: the map's places with shapes and names, charts, paragraphs, sides."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.tools.maps.geometry import AREA
from interpreter.tools.maps.style import looks_of
from interpreter.view_model.records import ShownPlace, ShownSide, StaticView
from interpreter.view_model.view_context import ViewContext

_ROW = 40.0  # places with centres at most this far apart vertically form one row


def still_of(stage: ViewContext) -> StaticView:
    """Build the static view of a ruleset in one language."""
    words, data, layout = stage.words, stage.words.data, stage.layout
    looks = looks_of(stage.ruleset, stage.lang)
    sides = [
        ShownSide(thing["id"], words.thing("side", thing["id"]), *looks.sides[n])
        for n, thing in enumerate(words.kind("side")["things"])
    ]
    return StaticView(
        stage.rules.id,
        words.label(data["title"], stage.rules.id),
        words.label(data["about"]),
        stage.lang,
        tuple(stage.rules.program.languages),
        layout.size,
        _places(stage),
        tuple(sides),
        tuple((name, words.label(table["label"], name).replace("_", " ")) for name, table in data["tables"].items()),
        tuple((number, words.label(paragraph["title"])) for number, paragraph in data["rulebook"].items()),
        tuple(_reconstructed(stage)),
    )


def _places(stage: ViewContext) -> tuple[ShownPlace, ...]:
    layout, words = stage.layout, stage.words
    order = _reading_order(layout.middles)
    wide, high = AREA[0] / 2, AREA[1] / 2
    box = ((-wide, -high), (wide, -high), (wide, high), (-wide, high))
    found = []
    for handle, thing in enumerate(words.kind("place")["things"]):
        is_drawn = handle in layout.middles
        kind = "box" if not is_drawn else "space" if handle in layout.on_grid else "area"
        shape = () if not is_drawn else layout.corners if kind == "space" else box
        found.append(
            ShownPlace(
                thing["id"],
                words.thing("place", thing["id"]),
                kind,
                layout.middles.get(handle, (0.0, 0.0)),
                tuple(shape),
                _neighbours(handle, stage),
                order.get(handle, len(order) + handle),
            )
        )
    return tuple(found)


def _neighbours(handle: int, stage: ViewContext) -> dict[str, str]:
    """Return the neighbours of a place by direction on a grid, else by their ids."""
    links, ids = stage.rules.program.links, stage.rules.program.ids["place"]
    row = links.by_direction[handle] if handle < len(links.by_direction) else ()
    by_direction = {links.directions[d]: ids[n] for d, n in enumerate(row) if n is not None and n >= 0}
    others = {ids[n]: ids[n] for n in links.neighbours[handle] if n not in row}
    return {**by_direction, **others}


def _reading_order(middles: Mapping[int, tuple[float, float]]) -> dict[int, int]:
    """Return the number of each place in reading order: row by row, each from left to right."""
    read = sorted(middles, key=lambda n: (round(middles[n][1] / _ROW), middles[n][0]))
    return {handle: number for number, handle in enumerate(read)}


def _reconstructed(stage: ViewContext) -> list[str]:
    """Return the texts that say which of the game's data is reconstructed."""
    words = stage.words
    return [words.say("parts of this game's data are reconstructed")] if words.data.get("reconstructed") else []
