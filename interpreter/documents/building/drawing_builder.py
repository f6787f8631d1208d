"""Builder of the map's `drawing`: checks that every attribute, value and place it names exists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from interpreter.diagnostics.message_nouns import noun, report_none
from interpreter.diagnostics.suggestions import close_words
from interpreter.documents.building.area_map_builder import build_area_map
from interpreter.documents.building.template_builder import drawn_key, has_holes, is_look, written_number
from interpreter.documents.reading.tree import (
    MappingEntry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    fields,
    integer_of,
    pair_of,
    point_of,
    scalar_text,
)
from interpreter.documents.values.context import BuildContext, read_label, read_optional_label
from interpreter.documents.values.typed_values import FAULT, read_value
from interpreter.files.picture_files import PictureError, read_picture
from interpreter.i18n.number_format import plain_text
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.drawing import (
    Background,
    CalibrationPoint,
    CounterPictures,
    CounterStyle,
    FillStyle,
    LineStyle,
    LinkStyle,
    MapDrawing,
    MapScale,
    Mark,
    MarkerGroup,
    MarkerStyle,
    PictureFile,
)
from interpreter.model.ruleset import Attribute, Kind, PieceClass

_CODE = "bad-picture"
_NEEDED = 2  # calibration points that differ
_T = TypeVar("_T")


def picture_of(node: Node | None, ctx: BuildContext) -> PictureFile | None:
    """Return the picture that a text names, or None if it is missing or unusable (reported)."""
    if not isinstance(node, ScalarNode) or node.value is None or ctx.folder is None:
        return None
    try:
        path, header, _data = read_picture(ctx.folder, node.text)
    except PictureError as fault:
        ctx.sink.error(_CODE, fault.problem, node.span, help=fault.cure)
        return None
    return PictureFile(node.text, str(path.absolute()), header.kind, header.size)


def read_background(tree: MappingNode, ctx: BuildContext) -> Background | None:
    """Return the scanned map of a drawing, or None without a usable one."""
    stated = tree.branch("background")
    picture = picture_of(stated.get("image"), ctx)
    points = tuple(
        point
        for node in stated.items("points")
        if isinstance(node, MappingNode) and (point := _read_point(node, ctx)) is not None
    )
    if "points" in stated and len({point.at for point in points}) < _NEEDED:
        cure = _("state two or three points far apart; `grognard align` finds them by clicks")
        problem = _("the points do not determine where the scan lies")
        ctx.sink.error(_CODE, problem, stated.entries["points"].key.span, help=cure)
        return None
    return None if picture is None else Background(picture, points, stated.flag("grid"))


def _read_point(tree: MappingNode, ctx: BuildContext) -> CalibrationPoint | None:
    at, on, place = point_of(tree.get("at")), point_of(tree.get("on")), tree.get("place")
    if (on is None) == (place is None):
        problem = _("this point needs either `place` or `on`")
        cure = _("write `place` with the number or id of a place, or `on` with a point of the map")
        ctx.sink.error(_CODE, problem, tree.span, help=cure)
        return None
    handle = None if place is None else read_value(place, t.PLACE, ctx)
    if at is None or handle is FAULT:
        return None
    return CalibrationPoint(at, handle, on)


def build_drawing(kinds: Mapping[str, Kind], classes: Mapping[str, PieceClass], ctx: BuildContext) -> MapDrawing:
    """Return the `drawing` of the map, empty if none is given."""
    tree = ctx.kinds["map"].branch("drawing")
    places = tree.branch("places")
    attributes = kinds["place"].attributes
    fill = _look_source("drawn.place.fill", places.get("fill"), attributes)
    return MapDrawing(
        fill=fill,
        fill_name=read_optional_label(places.get("name"), ctx),
        looks=_by_value(places.branch("values"), fill, attributes, lambda node: _look(node, ctx), ctx),
        numbers=_numbers(places, "place", attributes, ctx),
        marks=tuple(
            _mark(node, n, attributes, ctx)
            for n, node in enumerate(places.items("marks"))
            if isinstance(node, MappingNode)
        ),
        links=_links(tree.branch("links"), kinds["edge"].attributes, ctx),
        sides=_by_thing(tree.branch("sides"), t.SIDE, scalar_text, ctx),
        counters=_counters(tree.branch("pieces"), kinds["piece"].attributes, classes, ctx),
        positions=_by_thing(tree.branch("positions"), t.PLACE, _pair, ctx),
        area_map=build_area_map(tree, ctx),
        background=read_background(tree, ctx),
        holder=_holder(places.get("holder"), attributes, ctx),
        scale=_scale(tree.get("scale"), ctx),
        north=integer_of(tree.get("north")) or 0,
    )


def _holder(node: Node | None, attributes: Mapping[str, Attribute], ctx: BuildContext) -> str:
    """Return the attribute of places, named by `node`, that says which side holds a place; '' if none is named.

    An attribute that cannot hold a side is reported.
    """
    name = _attribute(node, attributes, ctx)
    if name:
        _check_side(attributes[name], node, ctx)
    return name


def _check_side(attribute: Attribute, node: Node | None, ctx: BuildContext) -> None:
    """Report an attribute that cannot hold a side; `node` is where the attribute is named."""
    if node is not None and not t.fits(attribute.type, t.MaybeType(t.SIDE)):
        found_type, words = t.type_words(attribute.type), _("a {word}", word=noun("side"))
        ctx.sink.error("wrong-type", _("found {found}, expected {words}", found=found_type, words=words), node.span)


def _scale(node: Node | None, ctx: BuildContext) -> MapScale | None:
    if not isinstance(node, MappingNode):
        return None
    return MapScale(integer_of(node.get("space")) or 1, read_optional_label(node.get("unit"), ctx))


def _links(tree: MappingNode, attributes: Mapping[str, Attribute], ctx: BuildContext) -> dict[str, LinkStyle]:
    styles = {}
    for entry in tree:
        line = fields(entry)
        when, line_name = line.get("when"), line.get("name")
        name = f"drawn.link.{entry.key.text}" if when is not None else _attribute(entry.key, attributes, ctx)
        if name:
            values = _by_value(line.branch("values"), name, attributes, _line, ctx)
            label = read_label(line_name, ctx, entry.key.text) if line_name is not None or when is not None else {}
            inscription = read_optional_label(line.get("inscription"), ctx)
            styles[name] = LinkStyle(_line(entry.value), values, label, inscription)
    return styles


def _counters(
    tree: MappingNode, attributes: Mapping[str, Attribute], classes: Mapping[str, PieceClass], ctx: BuildContext
) -> dict[str, CounterStyle]:
    styles = {}
    for name in ctx.filter_known("class", (entry.key for entry in tree), classes):
        own = {a: attributes[a] for a in classes[name].attributes if a in attributes}
        styles[name] = _counter(tree.branch(name), f"class.{name}", own, ctx)
    return styles


def _counter(tree: MappingNode, key: str, attributes: Mapping[str, Attribute], ctx: BuildContext) -> CounterStyle:
    """Return the look of a class's counters; `key`: its key in the drawing, such as "class.CLASS"."""
    arrow = _look_source(f"drawn.{key}.arrow", tree.get("arrow"), attributes)
    sign, band = tree.branch("sign"), tree.branch("band")
    sign_by = _look_source(f"drawn.{key}.sign", sign.get("by"), attributes)
    band_by = _look_source(f"drawn.{key}.band", band.get("by"), attributes)
    owner = _look_source(f"drawn.{key}.owner", tree.get("owner"), attributes)
    if owner in attributes:
        _check_side(attributes[owner], tree.get("owner"), ctx)
    steps = tree.branch("steps")
    return CounterStyle(
        owner=owner,
        arrow=arrow,
        angles=_by_value(tree.branch("angles"), arrow, attributes, lambda node: integer_of(node) or 0, ctx),
        numbers=_numbers(tree, key, attributes, ctx),
        sign=tree.text("sign"),
        sign_by=sign_by,
        signs=_by_value(sign.branch("values"), sign_by, attributes, scalar_text, ctx),
        band_by=band_by,
        bands=_by_value(band.branch("values"), band_by, attributes, scalar_text, ctx),
        pictures=_pictures(tree, key, attributes, ctx),
        names={
            by: name
            for by, tree in ((sign_by, sign), (band_by, band), *_framed_numbers(tree, key, attributes))
            if (name := read_optional_label(tree.get("name"), ctx))
        },
        frames={by: node.text("frame") for by, node in _framed_numbers(tree, key, attributes) if node.text("frame")},
        form=tree.text("form") if tree.text("form") != "square" else "",
        steps=_attribute(steps.get("left"), attributes, ctx),
        full_steps=_attribute(steps.get("full"), attributes, ctx),
        markers=_markers(tree, key, attributes, ctx),
    )


def _pictures(
    tree: MappingNode, key: str, attributes: Mapping[str, Attribute], ctx: BuildContext
) -> CounterPictures | None:
    """Return the scans of a class's counters, or None if it has none.

    `tree`: the look of the class; `key`: its key in the drawing, such as "class.CLASS".
    """
    node = tree.get("image")
    if node is None:
        return None
    if not isinstance(node, MappingNode):
        return CounterPictures(picture_of(node, ctx))
    by = _look_source(f"drawn.{key}.image", node.get("by"), attributes)
    values = _by_value(node.branch("values"), by, attributes, lambda one: picture_of(one, ctx), ctx)
    pieces = _by_thing(node.branch("pieces"), t.PIECE, lambda one: picture_of(one, ctx), ctx)
    return CounterPictures(
        None,
        by,
        {value: picture for value, picture in values.items() if picture is not None},
        {piece: picture for piece, picture in pieces.items() if picture is not None},
    )


def _framed_numbers(tree: MappingNode, key: str, attributes: Mapping[str, Attribute]) -> list[tuple[str, MappingNode]]:
    """Return the entries of a look's `numbers` that show an attribute or a text with holes, each as (name, entry).

    `tree`: the look; `key`: its key in the drawing, such as "place". The name is the name of the attribute, or the key
    of the text template (`drawn_key`).
    """
    framed = []
    for n, node in enumerate(tree.items("numbers")):
        value = node.get("value") if isinstance(node, MappingNode) else None
        if isinstance(node, MappingNode) and value is not None:
            framed.append((drawn_key(key, n) if has_holes(value) else scalar_text(value), node))
    return [(name, node) for name, node in framed if "." in name or name in attributes]


def _markers(
    tree: MappingNode, key: str, attributes: Mapping[str, Attribute], ctx: BuildContext
) -> tuple[MarkerGroup, ...] | None:
    """Return the markers of a class, or None if the drawing leaves the choice to the renderer.

    `tree`: the look of the class; `key`: its key in the drawing, such as "class.CLASS".
    """
    if tree.get("markers") is None:
        return None
    groups = []
    for n, node in enumerate(tree.items("markers")):
        if isinstance(node, MappingNode) and node.get("by") is not None:
            by = _look_source(f"drawn.{key}.marker.{n}", node.get("by"), attributes)
            looks = _by_value(node.branch("values"), by, attributes, lambda value: _marker(value, ctx), ctx)
            groups.append(MarkerGroup(by, looks, read_optional_label(node.get("name"), ctx)))
    return tuple(groups)


def _marker(node: Node, ctx: BuildContext) -> MarkerStyle:
    if isinstance(node, MappingNode):
        name = read_optional_label(node.get("name"), ctx)
        return MarkerStyle(node.text("sign"), node.text("letter"), node.text("colour"), name)
    return MarkerStyle(scalar_text(node))


def _attribute(node: Node | None, attributes: Iterable[str], ctx: BuildContext) -> str:
    """Return the name of the attribute that `node` states, '' if it states none or an unknown one (reported).

    `attributes`: the known names.
    """
    if not isinstance(node, ScalarNode) or node.value is None:
        return ""
    if node.text in attributes:
        return node.text
    ctx.unknown("attribute", node.text, node.span, attributes)
    return ""


def _drawn_attribute(node: Node, attributes: Iterable[str], ctx: BuildContext) -> str:
    """Return the name of an attribute whose value is drawn as text; '' after an error.

    `attributes`: the known names. A text with holes is reported.
    """
    if not isinstance(node, ScalarNode) or node.text in attributes:
        return _attribute(node, attributes, ctx)
    cure = _('check the spelling; a define is written in braces: "{hole}"', hole="{" + node.text + "}")
    report_none(ctx.sink, "attribute", "attribute", node.text, node.span, close_words(node.text, [*attributes]), cure)
    return ""


def _look_source(key: str, node: Node | None, attributes: Iterable[str]) -> str:
    """Return what a look depends on: the name of an attribute, `key` for an expression, '' for nothing.

    `node`: the attribute or expression as written; `key`: the key under which the built expression is found;
    `attributes`: the names of the attributes.
    """
    if not isinstance(node, ScalarNode) or node.value is None:
        return ""
    return key if is_look(node, attributes) else node.text


def _numbers(tree: MappingNode, key: str, attributes: Iterable[str], ctx: BuildContext) -> tuple[str, ...]:
    """Return the values to print, from the `numbers` of a look: attribute names, or the keys of texts with holes.

    `tree`: the look; `key`: its key in the drawing, such as "place".
    """
    stated = [written_number(node) for node in tree.items("numbers")]
    names = (
        drawn_key(key, n) if has_holes(node) else _drawn_attribute(node, attributes, ctx)
        for n, node in enumerate(stated)
        if node is not None
    )
    return tuple(name for name in names if name)


def _mark(tree: MappingNode, number: int, attributes: Iterable[str], ctx: BuildContext) -> Mark:
    when = tree.text("when")
    return Mark(
        when=drawn_key("mark", number),
        attribute=when if when in attributes else "",
        sign=tree.text("sign"),
        text=drawn_key("text", number) if tree.get("text") is not None else "",
        colour=tree.text("colour"),
        mark=tree.text("mark"),
        name=read_optional_label(tree.get("name"), ctx),
    )


def _by_value(
    tree: MappingNode, name: str, attributes: Mapping[str, Attribute], read: Callable[[Node], _T], ctx: BuildContext
) -> dict[str, _T]:
    """Return the looks given for single values, keyed as written; {} if the look has no source.

    `tree`: the entries, one for each value; `name`: the attribute or the key of the expression that the look depends
    on; `read`: builds one look. Keys of an attribute's looks must be values of its type; the type of an expression is
    not known here.
    """
    if name not in attributes:
        return {entry.key.text: read(entry.value) for entry in tree} if name else {}
    attribute = attributes[name]
    type = attribute.type.item if isinstance(attribute.type, t.MaybeType) else attribute.type
    values = ((entry, _value(entry, type, ctx)) for entry in tree)
    return {_format_value(entry, value, type): read(entry.value) for entry, value in values if value is not FAULT}


def _format_value(entry: MappingEntry, value: object, type: t.Type) -> str:
    return plain_text(value) if isinstance(type, t.IntType | t.NumberType) else entry.key.text


def _value(entry: MappingEntry, type: t.Type, ctx: BuildContext) -> object:
    # keys are text; for numbers and flags they are parsed like values
    text = entry.key.text
    value: None | bool | int | str = {"true": True, "false": False}.get(text, text)
    if isinstance(value, str) and value.removeprefix("-").isdecimal() and len(value) < 12:
        value = int(value)
    return read_value(ScalarNode(value, text, entry.key.span, entry.key.style), type, ctx)


def _by_thing(tree: MappingNode, type: t.Type, read: Callable[[Node], _T], ctx: BuildContext) -> dict[int, _T]:
    values = {}
    for entry in tree:
        handle = read_value(entry.key, type, ctx)
        if handle is not FAULT:
            values[handle] = read(entry.value)
    return values


def _look(node: Node, ctx: BuildContext) -> FillStyle:
    if isinstance(node, MappingNode):
        colour, pattern, mark = node.text("colour"), node.text("pattern"), node.text("mark")
        name = read_optional_label(node.get("name"), ctx)
        return FillStyle(colour, pattern, mark, name, node.text("style"), node.text("dark"))
    return FillStyle(scalar_text(node))


def _line(node: Node) -> LineStyle:
    if isinstance(node, MappingNode):
        source, width = _widths(node.get("width"))
        return LineStyle(
            node.text("course"),
            node.text("colour"),
            width,
            node.text("stroke"),
            node.text("style"),
            node.text("dark"),
            source,
            node.text("flows"),
        )
    return LineStyle(colour=scalar_text(node))


def _widths(node: Node | None) -> tuple[int, int]:
    """Return (width of a line at its source, 0 if it is not stated; width at its mouth) in pixels."""
    return _pair(node) if isinstance(node, SequenceNode) else (0, integer_of(node) or 0)


def _pair(node: Node) -> tuple[int, int]:
    return pair_of(node) or (0, 0)
