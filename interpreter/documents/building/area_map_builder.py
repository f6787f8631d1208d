"""Builder of the parts of a `drawing` that describe a map of areas: outlines, lettering, landscape, sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from interpreter.documents.reading.tree import (
    MappingNode,
    Node,
    SequenceNode,
    get_scalar_text,
    read_integer,
    read_integer_pair,
    read_point,
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
    SizedPoint,
    Town,
)

_PERCENT = 100  # the size of a hill or ship without one
_BOX = 4  # numbers of a box


def build_area_map(tree: MappingNode, ctx: BuildContext) -> AreaMap:
    """Return the map of areas that the `drawing` describes; all its parts are empty if it describes none."""
    areas = {}
    for handle, node in _iter_by_place(tree.get_mapping("areas"), ctx):
        areas[handle] = _build_area(node, ctx)
    straits = {}
    for entry in tree.get_mapping("straits"):
        handle = read_value(entry.key, t.ThingType("edge"), ctx)
        if handle is not FAULT:
            straits[handle] = tuple((float(x), float(y)) for x, y in _iter_pairs(entry.value))
    badges = {
        entry.key.text: get_scalar_text(entry.value) for entry in tree.get_mapping("places").get_mapping("badges")
    }
    _check_badges(tree.get_mapping("places"), ctx)
    return AreaMap(
        _build_sheet(tree.get_mapping("sheet"), ctx),
        areas,
        _build_landscape(tree.get_mapping("landscape"), ctx),
        straits,
        badges,
    )


def _iter_by_place(tree: MappingNode, ctx: BuildContext) -> Iterator[tuple[int, MappingNode]]:
    """Yield (handle, entry) for each known place in `tree`; report outlines on a map with a grid."""
    on_grid = {space.id for space in ctx.names.grid.spaces} if ctx.names.grid else set()
    for entry in tree:
        handle = read_value(entry.key, t.PLACE, ctx)
        if handle is FAULT or not isinstance(entry.value, MappingNode):
            continue
        if on_grid and "shape" in entry.value:
            problem = _("`{name}` has an outline, but the map has a grid", name=entry.key.text)
            cure = _("take out `shape`: only a map without a grid is drawn by the outlines of its areas")
            ctx.sink.add_error("bad-shape", problem, entry.value.entries["shape"].key.span, help=cure)
            continue
        yield handle, entry.value


def _check_badges(places: MappingNode, ctx: BuildContext) -> None:
    """Report badges of attributes whose numbers the map does not show."""
    numbers = [node.text for node in places.list_scalars("numbers")]
    for entry in places.get_mapping("badges"):
        if entry.key.text not in numbers:
            ctx.report_unknown("attribute", entry.key.text, entry.key.span, numbers)


def _build_area(tree: MappingNode, ctx: BuildContext) -> AreaStyle:
    box = [read_integer(node) or 0 for node in tree.list_nodes("counters")]
    return AreaStyle(
        rings=read_rings(tree.get("shape"), ctx.sink),
        colour=tree.get_text("colour"),
        lettering=_build_letterings(tree, "lettering", ctx),
        counters=(box[0], box[1], box[2], box[3]) if len(box) == _BOX else None,
        site=read_point(tree.get("site")),
        side=tree.get_text("side"),
    )


def _build_letterings(tree: MappingNode, key: str, ctx: BuildContext) -> tuple[Lettering, ...]:
    return tuple(_build_lettering(node, ctx) for node in tree.list_nodes(key) if isinstance(node, MappingNode))


def _build_lettering(tree: MappingNode, ctx: BuildContext) -> Lettering:
    return Lettering(
        start=read_point(tree.get("from")) or (0.0, 0.0),
        end=read_point(tree.get("to")) or (0.0, 0.0),
        bend=read_integer(tree.get("bend")) or 0,
        size=read_integer(tree.get("size")) or USUAL_SIZE,
        text=read_optional_label(tree.get("text"), ctx),
        is_water=tree.is_true("water"),
    )


def _build_sheet(tree: MappingNode, ctx: BuildContext) -> SheetStyle:
    scale, compass = tree.get_mapping("scale"), tree.get_mapping("compass")
    sheet = SheetStyle(
        size=read_point(tree.get("size")),
        title=read_optional_label(tree.get("title"), ctx),
        subtitle=read_optional_label(tree.get("subtitle"), ctx),
        cartouche=read_point(tree.get("panel")),
        ticks={entry.key.text: tuple(_iter_pairs(entry.value)) for entry in tree.get_mapping("ticks")},
    )
    if scale.entries:
        length, distance = read_integer(scale.get("length")) or 1, read_integer(scale.get("distance")) or 1
        sheet = replace(sheet, scale=ScaleBar(length, distance, read_optional_label(scale.get("unit"), ctx)))
    if compass.entries:
        size, turned = read_integer(compass.get("size")) or USUAL_RADIUS, read_integer(compass.get("turned")) or 0
        sheet = replace(sheet, compass=Compass(read_point(compass.get("at")) or (0.0, 0.0), size, turned))
    return sheet


def _build_landscape(tree: MappingNode, ctx: BuildContext) -> Landscape:
    def list_rings(key: str) -> tuple[tuple[Line, ...], ...]:
        return tuple(rings_of_node for node in tree.list_nodes(key) if (rings_of_node := read_rings(node, ctx.sink)))

    def read_sized_points(key: str) -> tuple[SizedPoint, ...]:
        return tuple(SizedPoint(x, y, (more or [_PERCENT])[0]) for x, y, *more in _iter_numbers(tree, key))

    def read_pairs(key: str) -> tuple[tuple[int, int], ...]:
        return tuple((x, y) for x, y, *_more in _iter_numbers(tree, key))

    return Landscape(
        lands=list_rings("lands"),
        waters=list_rings("waters"),
        lakes=list_rings("lakes"),
        rivers=tuple(line for entry in tree.get_mapping("rivers") for line in read_lines(entry.value, ctx.sink)),
        lines=tuple(line for node in tree.list_nodes("lines") for line in read_lines(node, ctx.sink)),
        hills=read_sized_points("hills"),
        woods=read_pairs("woods"),
        marshes=read_pairs("marshes"),
        ships=read_sized_points("ships"),
        towns=tuple(
            Town(
                read_point(entry.value.get("at")) or (0.0, 0.0),
                read_label(entry.value.get("name"), ctx, entry.key.text),
                entry.value.get_text("side"),
            )
            for entry in tree.get_mapping("towns")
            if isinstance(entry.value, MappingNode)
        ),
        names=_build_letterings(tree, "names", ctx),
    )


def _iter_numbers(tree: MappingNode, key: str) -> Iterator[list[int]]:
    """Yield the integers of each list under a key, without lists of fewer than two."""
    for node in tree.list_nodes(key):
        numbers = [read_integer(part) or 0 for part in node.items] if isinstance(node, SequenceNode) else []
        if len(numbers) > 1:
            yield numbers


def _iter_pairs(node: Node) -> Iterator[tuple[int, int]]:
    for item in node.items if isinstance(node, SequenceNode) else ():
        if (pair := read_integer_pair(item)) is not None:
            yield pair
