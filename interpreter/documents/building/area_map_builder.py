"""Builder of the parts of a `drawing` that describe a map of areas: outlines, lettering, landscape, sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from interpreter.documents.reading.tree import (
    MappingNode,
    Node,
    SequenceNode,
    integer_of,
    pair_of,
    point_of,
    scalar_text,
)
from interpreter.documents.values.context import BuildContext, read_label, read_optional_label
from interpreter.documents.values.outlines import read_lines, read_rings
from interpreter.documents.values.typed_values import FAULT, read_value
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.area_drawing import (
    USUAL_RADIUS,
    USUAL_SIZE,
    AreaMap,
    AreaStyle,
    Compass,
    Landscape,
    Lettering,
    Line,
    ScaleBar,
    SheetStyle,
    Town,
)

_PERCENT = 100  # the size of a hill or ship without one
_BOX = 4  # numbers of a box


def build_area_map(tree: MappingNode, ctx: BuildContext) -> AreaMap:
    """Return the map of areas that the `drawing` describes; all its parts are empty if it describes none."""
    areas = {}
    for handle, node in _by_place(tree.branch("areas"), ctx):
        areas[handle] = _area(node, ctx)
    straits = {}
    for entry in tree.branch("straits"):
        handle = read_value(entry.key, t.ThingType("edge"), ctx)
        if handle is not FAULT:
            straits[handle] = tuple((float(x), float(y)) for x, y in _pairs(entry.value))
    badges = {entry.key.text: scalar_text(entry.value) for entry in tree.branch("places").branch("badges")}
    _check_badges(tree.branch("places"), ctx)
    return AreaMap(_sheet(tree.branch("sheet"), ctx), areas, _landscape(tree.branch("landscape"), ctx), straits, badges)


def _by_place(tree: MappingNode, ctx: BuildContext) -> Iterator[tuple[int, MappingNode]]:
    on_grid = {space.id for space in ctx.names.grid.spaces} if ctx.names.grid else set()
    for entry in tree:
        handle = read_value(entry.key, t.PLACE, ctx)
        if handle is FAULT or not isinstance(entry.value, MappingNode):
            continue
        if on_grid and "shape" in entry.value:
            problem = _("`{name}` has an outline, but the map has a grid", name=entry.key.text)
            cure = _("take out `shape`: only a map without a grid is drawn by the outlines of its areas")
            ctx.sink.error("bad-shape", problem, entry.value.entries["shape"].key.span, help=cure)
            continue
        yield handle, entry.value


def _check_badges(places: MappingNode, ctx: BuildContext) -> None:
    numbers = [node.text for node in places.words("numbers")]
    for entry in places.branch("badges"):
        if entry.key.text not in numbers:
            ctx.unknown("attribute", entry.key.text, entry.key.span, numbers)


def _area(tree: MappingNode, ctx: BuildContext) -> AreaStyle:
    box = [integer_of(node) or 0 for node in tree.items("counters")]
    return AreaStyle(
        rings=read_rings(tree.get("shape"), ctx.sink),
        colour=tree.text("colour"),
        lettering=_letterings(tree, "lettering", ctx),
        counters=(box[0], box[1], box[2], box[3]) if len(box) == _BOX else None,
        site=point_of(tree.get("site")),
        side=tree.text("side"),
    )


def _letterings(tree: MappingNode, key: str, ctx: BuildContext) -> tuple[Lettering, ...]:
    return tuple(_lettering(node, ctx) for node in tree.items(key) if isinstance(node, MappingNode))


def _lettering(tree: MappingNode, ctx: BuildContext) -> Lettering:
    return Lettering(
        start=point_of(tree.get("from")) or (0.0, 0.0),
        end=point_of(tree.get("to")) or (0.0, 0.0),
        bend=integer_of(tree.get("bend")) or 0,
        size=integer_of(tree.get("size")) or USUAL_SIZE,
        text=read_optional_label(tree.get("text"), ctx),
        is_water=tree.flag("water"),
    )


def _sheet(tree: MappingNode, ctx: BuildContext) -> SheetStyle:
    scale, compass = tree.branch("scale"), tree.branch("compass")
    sheet = SheetStyle(
        size=point_of(tree.get("size")),
        title=read_optional_label(tree.get("title"), ctx),
        subtitle=read_optional_label(tree.get("subtitle"), ctx),
        cartouche=point_of(tree.get("panel")),
        ticks={entry.key.text: tuple(_pairs(entry.value)) for entry in tree.branch("ticks")},
    )
    if scale.entries:
        length, distance = integer_of(scale.get("length")) or 1, integer_of(scale.get("distance")) or 1
        sheet = replace(sheet, scale=ScaleBar(length, distance, read_optional_label(scale.get("unit"), ctx)))
    if compass.entries:
        size, turned = integer_of(compass.get("size")) or USUAL_RADIUS, integer_of(compass.get("turned")) or 0
        sheet = replace(sheet, compass=Compass(point_of(compass.get("at")) or (0.0, 0.0), size, turned))
    return sheet


def _landscape(tree: MappingNode, ctx: BuildContext) -> Landscape:
    def rings(key: str) -> tuple[tuple[Line, ...], ...]:
        return tuple(rings_of_node for node in tree.items(key) if (rings_of_node := read_rings(node, ctx.sink)))

    def triples(key: str) -> tuple[tuple[int, int, int], ...]:
        return tuple((x, y, (more or [_PERCENT])[0]) for x, y, *more in _numbers(tree, key))

    def pairs(key: str) -> tuple[tuple[int, int], ...]:
        return tuple((x, y) for x, y, *_more in _numbers(tree, key))

    return Landscape(
        lands=rings("lands"),
        waters=rings("waters"),
        lakes=rings("lakes"),
        rivers=tuple(line for entry in tree.branch("rivers") for line in read_lines(entry.value, ctx.sink)),
        lines=tuple(line for node in tree.items("lines") for line in read_lines(node, ctx.sink)),
        hills=triples("hills"),
        woods=pairs("woods"),
        marshes=pairs("marshes"),
        ships=triples("ships"),
        towns=tuple(
            Town(
                point_of(entry.value.get("at")) or (0.0, 0.0),
                read_label(entry.value.get("name"), ctx, entry.key.text),
                entry.value.text("side"),
            )
            for entry in tree.branch("towns")
            if isinstance(entry.value, MappingNode)
        ),
        names=_letterings(tree, "names", ctx),
    )


def _numbers(tree: MappingNode, key: str) -> Iterator[list[int]]:
    for node in tree.items(key):
        numbers = [integer_of(part) or 0 for part in node.items] if isinstance(node, SequenceNode) else []
        if len(numbers) > 1:
            yield numbers


def _pairs(node: Node) -> Iterator[tuple[int, int]]:
    for item in node.items if isinstance(node, SequenceNode) else ():
        if (pair := pair_of(item)) is not None:
            yield pair
