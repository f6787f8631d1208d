"""Builder of the map's `drawing`: checks that every attribute, value and place it names exists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from interpreter.diagnostics.message_nouns import get_noun, report_unknown_name
from interpreter.diagnostics.suggestions import find_close_words
from interpreter.documents.building.area_map_builder import build_area_map
from interpreter.documents.building.template_builder import build_item_key, find_number_node, has_holes, is_look
from interpreter.documents.reading.tree import (
    MappingEntry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    get_entry_mapping,
    get_scalar_text,
    read_integer,
    read_integer_pair,
    read_point,
)
from interpreter.documents.values.context import BuildContext, read_label, read_optional_label
from interpreter.documents.values.typed_values import FAULT, read_value
from interpreter.files.picture_files import PictureError, read_picture
from interpreter.i18n.number_format import format_plain_value
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
_MIN_CALIBRATION_POINTS = 2  # calibration points that differ
_T = TypeVar("_T")


def find_picture(node: Node | None, ctx: BuildContext) -> PictureFile | None:
    """Return the picture that a text names, or None if it is missing or unusable (reported)."""
    if not isinstance(node, ScalarNode) or node.value is None or ctx.folder is None:
        return None
    try:
        picture = read_picture(ctx.folder, node.text)
    except PictureError as fault:
        ctx.sink.add_error(_CODE, fault.problem, node.span, help=fault.cure)
        return None
    return PictureFile(node.text, str(picture.path.absolute()), picture.header.kind, picture.header.size)


def read_background(tree: MappingNode, ctx: BuildContext) -> Background | None:
    """Return the scanned map of a drawing, or None without a usable one."""
    stated = tree.get_mapping("background")
    picture = find_picture(stated.get("image"), ctx)
    points = tuple(
        point
        for node in stated.list_nodes("points")
        if isinstance(node, MappingNode) and (point := _read_point(node, ctx)) is not None
    )
    if "points" in stated and len({point.at for point in points}) < _MIN_CALIBRATION_POINTS:
        cure = _("state two or three points far apart; `grognard align` finds them by clicks")
        problem = _("the points do not determine where the scan lies")
        ctx.sink.add_error(_CODE, problem, stated.entries["points"].key.span, help=cure)
        return None
    return None if picture is None else Background(picture, points, stated.is_true("grid"))


def _read_point(tree: MappingNode, ctx: BuildContext) -> CalibrationPoint | None:
    at, on, place = read_point(tree.get("at")), read_point(tree.get("on")), tree.get("place")
    if (on is None) == (place is None):
        problem = _("this point needs either `place` or `on`")
        cure = _("write `place` with the number or id of a place, or `on` with a point of the map")
        ctx.sink.add_error(_CODE, problem, tree.span, help=cure)
        return None
    handle = None if place is None else read_value(place, t.PLACE, ctx)
    if at is None or handle is FAULT:
        return None
    return CalibrationPoint(at, handle, on)


def build_drawing(kinds: Mapping[str, Kind], classes: Mapping[str, PieceClass], ctx: BuildContext) -> MapDrawing:
    """Return the `drawing` of the map, empty if none is given."""
    tree = ctx.kinds["map"].get_mapping("drawing")
    places = tree.get_mapping("places")
    attributes = kinds["place"].attributes
    fill = _read_look_source("drawn.place.fill", places.get("fill"), attributes)
    return MapDrawing(
        fill=fill,
        fill_name=read_optional_label(places.get("name"), ctx),
        looks=_build_looks_by_value(
            places.get_mapping("values"), fill, attributes, lambda node: _build_look(node, ctx), ctx
        ),
        numbers=_read_numbers(places, "place", attributes, ctx),
        marks=tuple(
            _build_mark(node, n, attributes, ctx)
            for n, node in enumerate(places.list_nodes("marks"))
            if isinstance(node, MappingNode)
        ),
        links=_build_links(tree.get_mapping("links"), kinds["edge"].attributes, ctx),
        sides=_read_by_thing(tree.get_mapping("sides"), t.SIDE, get_scalar_text, ctx),
        counters=_build_counters(tree.get_mapping("pieces"), kinds["piece"].attributes, classes, ctx),
        positions=_read_by_thing(tree.get_mapping("positions"), t.PLACE, _read_pair, ctx),
        area_map=build_area_map(tree, ctx),
        background=read_background(tree, ctx),
        holder=_read_holder(places.get("holder"), attributes, ctx),
        scale=_build_scale(tree.get("scale"), ctx),
        north=read_integer(tree.get("north")) or 0,
    )


def _read_holder(node: Node | None, attributes: Mapping[str, Attribute], ctx: BuildContext) -> str:
    """Return the attribute of places, named by `node`, that says which side holds a place; '' if none is named.

    An attribute that cannot hold a side is reported.
    """
    name = _read_attribute(node, attributes, ctx)
    if name:
        _check_side(attributes[name], node, ctx)
    return name


def _check_side(attribute: Attribute, node: Node | None, ctx: BuildContext) -> None:
    """Report an attribute that cannot hold a side; `node` is where the attribute is named."""
    if node is not None and not t.is_assignable(attribute.type, t.MaybeType(t.SIDE)):
        found_type, words = t.describe_type(attribute.type), _("a {word}", word=get_noun("side"))
        ctx.sink.add_error("wrong-type", _("found {found}, expected {words}", found=found_type, words=words), node.span)


def _build_scale(node: Node | None, ctx: BuildContext) -> MapScale | None:
    if not isinstance(node, MappingNode):
        return None
    return MapScale(read_integer(node.get("space")) or 1, read_optional_label(node.get("unit"), ctx))


def _build_links(tree: MappingNode, attributes: Mapping[str, Attribute], ctx: BuildContext) -> dict[str, LinkStyle]:
    styles = {}
    for entry in tree:
        line = get_entry_mapping(entry)
        when, line_name = line.get("when"), line.get("name")
        name = f"drawn.link.{entry.key.text}" if when is not None else _read_attribute(entry.key, attributes, ctx)
        if name:
            values = _build_looks_by_value(line.get_mapping("values"), name, attributes, _build_line, ctx)
            label = read_label(line_name, ctx, entry.key.text) if line_name is not None or when is not None else {}
            inscription = read_optional_label(line.get("inscription"), ctx)
            styles[name] = LinkStyle(_build_line(entry.value), values, label, inscription)
    return styles


def _build_counters(
    tree: MappingNode, attributes: Mapping[str, Attribute], classes: Mapping[str, PieceClass], ctx: BuildContext
) -> dict[str, CounterStyle]:
    styles = {}
    for name in ctx.filter_known("class", (entry.key for entry in tree), classes):
        own = {a: attributes[a] for a in classes[name].attributes if a in attributes}
        styles[name] = _build_counter(tree.get_mapping(name), f"class.{name}", own, ctx)
    return styles


def _build_counter(tree: MappingNode, key: str, attributes: Mapping[str, Attribute], ctx: BuildContext) -> CounterStyle:
    """Return the look of a class's counters; `key`: its key in the drawing, such as "class.CLASS"."""
    arrow = _read_look_source(f"drawn.{key}.arrow", tree.get("arrow"), attributes)
    sign, band = tree.get_mapping("sign"), tree.get_mapping("band")
    sign_by = _read_look_source(f"drawn.{key}.sign", sign.get("by"), attributes)
    band_by = _read_look_source(f"drawn.{key}.band", band.get("by"), attributes)
    owner = _read_look_source(f"drawn.{key}.owner", tree.get("owner"), attributes)
    if owner in attributes:
        _check_side(attributes[owner], tree.get("owner"), ctx)
    steps = tree.get_mapping("steps")
    return CounterStyle(
        owner=owner,
        arrow=arrow,
        angles=_build_looks_by_value(
            tree.get_mapping("angles"), arrow, attributes, lambda node: read_integer(node) or 0, ctx
        ),
        numbers=_read_numbers(tree, key, attributes, ctx),
        sign=tree.get_text("sign"),
        sign_by=sign_by,
        signs=_build_looks_by_value(sign.get_mapping("values"), sign_by, attributes, get_scalar_text, ctx),
        band_by=band_by,
        bands=_build_looks_by_value(band.get_mapping("values"), band_by, attributes, get_scalar_text, ctx),
        pictures=_build_pictures(tree, key, attributes, ctx),
        names={
            by: name
            for by, tree in ((sign_by, sign), (band_by, band), *_list_framed_numbers(tree, key, attributes))
            if (name := read_optional_label(tree.get("name"), ctx))
        },
        frames={
            by: node.get_text("frame")
            for by, node in _list_framed_numbers(tree, key, attributes)
            if node.get_text("frame")
        },
        form=tree.get_text("form") if tree.get_text("form") != "square" else "",
        steps=_read_attribute(steps.get("left"), attributes, ctx),
        full_steps=_read_attribute(steps.get("full"), attributes, ctx),
        markers=_build_markers(tree, key, attributes, ctx),
    )


def _build_pictures(
    tree: MappingNode, key: str, attributes: Mapping[str, Attribute], ctx: BuildContext
) -> CounterPictures | None:
    """Return the scans of a class's counters, or None if it has none.

    `tree`: the look of the class; `key`: its key in the drawing, such as "class.CLASS".
    """
    node = tree.get("image")
    if node is None:
        return None
    if not isinstance(node, MappingNode):
        return CounterPictures(find_picture(node, ctx))
    by = _read_look_source(f"drawn.{key}.image", node.get("by"), attributes)
    values = _build_looks_by_value(node.get_mapping("values"), by, attributes, lambda one: find_picture(one, ctx), ctx)
    pieces = _read_by_thing(node.get_mapping("pieces"), t.PIECE, lambda one: find_picture(one, ctx), ctx)
    return CounterPictures(
        None,
        by,
        {value: picture for value, picture in values.items() if picture is not None},
        {piece: picture for piece, picture in pieces.items() if picture is not None},
    )


def _list_framed_numbers(
    tree: MappingNode, key: str, attributes: Mapping[str, Attribute]
) -> list[tuple[str, MappingNode]]:
    """Return the entries of a look's `numbers` that show an attribute or a text with holes, each as (name, entry).

    `tree`: the look; `key`: its key in the drawing, such as "place". The name is the name of the attribute, or the key
    of the text template (`build_item_key`).
    """
    framed = []
    for n, node in enumerate(tree.list_nodes("numbers")):
        value = node.get("value") if isinstance(node, MappingNode) else None
        if isinstance(node, MappingNode) and value is not None:
            framed.append((build_item_key(key, n) if has_holes(value) else get_scalar_text(value), node))
    return [(name, node) for name, node in framed if "." in name or name in attributes]


def _build_markers(
    tree: MappingNode, key: str, attributes: Mapping[str, Attribute], ctx: BuildContext
) -> tuple[MarkerGroup, ...] | None:
    """Return the markers of a class, or None if the drawing leaves the choice to the renderer.

    `tree`: the look of the class; `key`: its key in the drawing, such as "class.CLASS".
    """
    if tree.get("markers") is None:
        return None
    groups = []
    for n, node in enumerate(tree.list_nodes("markers")):
        if isinstance(node, MappingNode) and node.get("by") is not None:
            by = _read_look_source(f"drawn.{key}.marker.{n}", node.get("by"), attributes)
            looks = _build_looks_by_value(
                node.get_mapping("values"), by, attributes, lambda value: _build_marker(value, ctx), ctx
            )
            groups.append(MarkerGroup(by, looks, read_optional_label(node.get("name"), ctx)))
    return tuple(groups)


def _build_marker(node: Node, ctx: BuildContext) -> MarkerStyle:
    if isinstance(node, MappingNode):
        name = read_optional_label(node.get("name"), ctx)
        return MarkerStyle(node.get_text("sign"), node.get_text("letter"), node.get_text("colour"), name)
    return MarkerStyle(get_scalar_text(node))


def _read_attribute(node: Node | None, attributes: Iterable[str], ctx: BuildContext) -> str:
    """Return the name of the attribute that `node` states, '' if it states none or an unknown one (reported).

    `attributes`: the known names.
    """
    if not isinstance(node, ScalarNode) or node.value is None:
        return ""
    if node.text in attributes:
        return node.text
    ctx.report_unknown("attribute", node.text, node.span, attributes)
    return ""


def _read_drawn_attribute(node: Node, attributes: Iterable[str], ctx: BuildContext) -> str:
    """Return the name of an attribute whose value is drawn as text; '' after an error.

    `attributes`: the known names. A text with holes is reported.
    """
    if not isinstance(node, ScalarNode) or node.text in attributes:
        return _read_attribute(node, attributes, ctx)
    cure = _('check the spelling; a define is written in braces: "{hole}"', hole="{" + node.text + "}")
    report_unknown_name(
        ctx.sink, "attribute", "attribute", node.text, node.span, find_close_words(node.text, [*attributes]), cure
    )
    return ""


def _read_look_source(key: str, node: Node | None, attributes: Iterable[str]) -> str:
    """Return what a look depends on: the name of an attribute, `key` for an expression, '' for nothing.

    `node`: the attribute or expression as written; `key`: the key under which the built expression is found;
    `attributes`: the names of the attributes.
    """
    if not isinstance(node, ScalarNode) or node.value is None:
        return ""
    return key if is_look(node, attributes) else node.text


def _read_numbers(tree: MappingNode, key: str, attributes: Iterable[str], ctx: BuildContext) -> tuple[str, ...]:
    """Return the values to print, from the `numbers` of a look: attribute names, or the keys of texts with holes.

    `tree`: the look; `key`: its key in the drawing, such as "place".
    """
    stated = [find_number_node(node) for node in tree.list_nodes("numbers")]
    names = (
        build_item_key(key, n) if has_holes(node) else _read_drawn_attribute(node, attributes, ctx)
        for n, node in enumerate(stated)
        if node is not None
    )
    return tuple(name for name in names if name)


def _build_mark(tree: MappingNode, number: int, attributes: Iterable[str], ctx: BuildContext) -> Mark:
    when = tree.get_text("when")
    return Mark(
        when=build_item_key("mark", number),
        attribute=when if when in attributes else "",
        sign=tree.get_text("sign"),
        text=build_item_key("text", number) if tree.get("text") is not None else "",
        colour=tree.get_text("colour"),
        mark=tree.get_text("mark"),
        name=read_optional_label(tree.get("name"), ctx),
    )


def _build_looks_by_value(
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
    type_ = attribute.type.item if isinstance(attribute.type, t.MaybeType) else attribute.type
    values = ((entry, _read_value(entry, type_, ctx)) for entry in tree)
    return {_format_value(entry, value, type_): read(entry.value) for entry, value in values if value is not FAULT}


def _format_value(entry: MappingEntry, value: object, type_: t.Type) -> str:
    """Return the key under which the look of a value is stored: numbers in one canonical form."""
    return format_plain_value(value) if isinstance(type_, t.IntType | t.NumberType) else entry.key.text


def _read_value(entry: MappingEntry, type_: t.Type, ctx: BuildContext) -> object:
    """Return the value of an attribute that a key states, or FAULT (reported)."""
    # keys are text; for numbers and flags they are parsed like values
    text = entry.key.text
    value: None | bool | int | str = {"true": True, "false": False}.get(text, text)
    if isinstance(value, str) and value.removeprefix("-").isdecimal() and len(value) < 12:
        value = int(value)
    return read_value(ScalarNode(value, text, entry.key.span, entry.key.style), type_, ctx)


def _read_by_thing(tree: MappingNode, type_: t.Type, read: Callable[[Node], _T], ctx: BuildContext) -> dict[int, _T]:
    """Return what `read` makes of each entry, by the handle of the thing that its key names."""
    values = {}
    for entry in tree:
        handle = read_value(entry.key, type_, ctx)
        if handle is not FAULT:
            values[handle] = read(entry.value)
    return values


def _build_look(node: Node, ctx: BuildContext) -> FillStyle:
    if isinstance(node, MappingNode):
        colour, pattern, mark = node.get_text("colour"), node.get_text("pattern"), node.get_text("mark")
        name = read_optional_label(node.get("name"), ctx)
        return FillStyle(colour, pattern, mark, name, node.get_text("style"), node.get_text("dark"))
    return FillStyle(get_scalar_text(node))


def _build_line(node: Node) -> LineStyle:
    if isinstance(node, MappingNode):
        source, width = _read_widths(node.get("width"))
        return LineStyle(
            node.get_text("course"),
            node.get_text("colour"),
            width,
            node.get_text("stroke"),
            node.get_text("style"),
            node.get_text("dark"),
            source,
            node.get_text("flows"),
        )
    return LineStyle(colour=get_scalar_text(node))


def _read_widths(node: Node | None) -> tuple[int, int]:
    """Return (width of a line at its source, 0 if it is not stated; width at its mouth) in pixels."""
    return _read_pair(node) if isinstance(node, SequenceNode) else (0, read_integer(node) or 0)


def _read_pair(node: Node) -> tuple[int, int]:
    return read_integer_pair(node) or (0, 0)
