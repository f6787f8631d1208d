"""Builder of texts with holes in documents, and of the expressions that determine the drawing's looks.

The expressions inside the holes are parsed later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from interpreter.documents.reading.tree import (
    EMPTY,
    MappingEntry,
    MappingNode,
    Node,
    ScalarNode,
    get_entry_mapping,
    is_null,
)
from interpreter.documents.values.context import BuildContext
from interpreter.documents.values.embedded_rules import read_expression
from interpreter.documents.values.names import list_piece_ids
from interpreter.model import types as t
from interpreter.model.ruleset import Embedded, Kind, PieceClass, Worded


def build_wordings(
    kinds: Mapping[str, Kind], classes: Mapping[str, PieceClass], ctx: BuildContext
) -> tuple[Worded, ...]:
    """Return all texts with holes, each with its lookup key."""
    wordings = [
        *_iter_turn_templates(ctx),
        *_iter_thing_short_forms(kinds, ctx),
        *_iter_piece_short_forms(classes, ctx),
        *_iter_drawn_texts(classes, ctx),
        *_iter_looks(kinds, classes, ctx),
    ]
    return tuple(w for w in wordings if w.words)


def _iter_turn_templates(ctx: BuildContext) -> Iterator[Worded]:
    yield Worded("turn", read_wording(ctx.kinds["ruleset"].get_mapping("turn").get("title"), ctx))
    for scenario in ctx.kinds["scenarios"]:
        for entry in get_entry_mapping(scenario).get_mapping("turn_titles"):
            yield Worded(f"turn.{scenario.key.text}.{entry.key.text}", read_wording(entry.value, ctx))


def _iter_thing_short_forms(kinds: Mapping[str, Kind], ctx: BuildContext) -> Iterator[Worded]:
    ruleset, map_ = ctx.kinds["ruleset"], ctx.kinds["map"]
    heads = {"side": ruleset.get_mapping("sides"), "place": map_.get_mapping("places")}
    heads |= {e.key.text: get_entry_mapping(e) for e in ruleset.get_mapping("kinds") if e.key.text in kinds}
    for kind, head in heads.items():
        yield from _iter_short_forms(kind, head, head.get_mapping("members"), ctx)
    yield from _iter_short_forms("seat", EMPTY, ruleset.get_mapping("seats"), ctx)
    yield from _iter_short_forms("place", EMPTY, map_.get_mapping("holding"), ctx)


def _iter_short_forms(kind: str, head: MappingNode, members: MappingNode, ctx: BuildContext) -> Iterator[Worded]:
    type_ = t.ThingType(kind)
    yield Worded(f"short.{kind}", read_wording(head.get("short"), ctx), type_)
    for entry in members:
        yield Worded(f"short.{kind}.{entry.key.text}", _read_short_form(entry, ctx), type_)


def _iter_piece_short_forms(classes: Mapping[str, PieceClass], ctx: BuildContext) -> Iterator[Worded]:
    """Yield the templates of the short forms of pieces, by class and by single piece."""
    tree = ctx.kinds["pieces"]
    for entry in tree.get_mapping("classes"):
        if entry.key.text in classes:
            yield Worded(
                f"short.class.{entry.key.text}", _read_short_form(entry, ctx), t.ThingType("piece", entry.key.text)
            )
    for entry in tree.get_mapping("pieces"):
        words = _read_short_form(entry, ctx)
        for piece in list_piece_ids(entry) if words else ():
            yield Worded(
                f"short.piece.{piece}", words, t.ThingType("piece", get_entry_mapping(entry).get_text("class") or None)
            )


def _iter_drawn_texts(classes: Mapping[str, PieceClass], ctx: BuildContext) -> Iterator[Worded]:
    """Yield the texts that the drawing writes on spaces and counters, other than attributes."""
    drawing = ctx.kinds["map"].get_mapping("drawing")
    sections = [("place", t.ThingType("place"), drawing.get_mapping("places"))]
    sections += [
        (f"class.{e.key.text}", t.ThingType("piece", e.key.text), get_entry_mapping(e))
        for e in drawing.get_mapping("pieces")
        if e.key.text in classes
    ]
    for key, type_, look in sections:
        for n, node in enumerate(map(find_number_node, look.list_nodes("numbers"))):
            if node is not None and has_holes(node):
                yield Worded(build_item_key(key, n), read_wording(node, ctx), type_)
    for n, node in enumerate(drawing.get_mapping("places").list_nodes("marks")):
        if isinstance(node, MappingNode):
            place = t.ThingType("place")
            yield Worded(build_item_key("mark", n), read_wording(node.get("when"), ctx), place, is_asked=True)
            yield Worded(build_item_key("text", n), read_wording(node.get("text"), ctx), place)


def _iter_looks(kinds: Mapping[str, Kind], classes: Mapping[str, PieceClass], ctx: BuildContext) -> Iterator[Worded]:
    """Yield the expressions that determine looks of the drawing."""
    drawing = ctx.kinds["map"].get_mapping("drawing")
    places, place, edge = drawing.get_mapping("places"), t.ThingType("place"), t.ThingType("edge")
    yield from _read_look("drawn.place.fill", places.get("fill"), place, kinds["place"].attributes, places, ctx)
    for entry in drawing.get_mapping("links"):
        line = get_entry_mapping(entry)
        yield from _read_look(f"drawn.link.{entry.key.text}", line.get("when"), edge, (), line, ctx)
    for entry in drawing.get_mapping("pieces"):
        cls, look = classes.get(entry.key.text), get_entry_mapping(entry)
        if cls is None:
            continue
        key, piece = f"drawn.class.{cls.id}", t.ThingType("piece", cls.id)
        owner, arrow = look.get("owner"), look.get("arrow")
        yield from _read_look(f"{key}.owner", owner, piece, cls.attributes, EMPTY, ctx, t.MaybeType(t.SIDE))
        yield from _read_look(f"{key}.arrow", arrow, piece, cls.attributes, look, ctx, values="angles")
        for name in ("sign", "band", "image"):
            tree = look.get_mapping(name)
            yield from _read_look(f"{key}.{name}", tree.get("by"), piece, cls.attributes, tree, ctx)
        for n, node in enumerate(look.list_nodes("markers")):
            if isinstance(node, MappingNode):
                yield from _read_look(f"{key}.marker.{n}", node.get("by"), piece, cls.attributes, node, ctx)


def _read_look(
    key: str,
    node: Node | None,
    thing_type: t.ThingType,
    attributes: Iterable[str],
    tree: MappingNode,
    ctx: BuildContext,
    expected_type: t.Type | None = None,
    values: str = "values",
) -> Iterator[Worded]:
    """Yield the expression that selects a look, if `node` is one rather than the name of an attribute.

    `key`: of the template; `thing_type`: the thing it is about; `values`: the key of `tree` under which the looks are.
    """
    if is_look(node, attributes):
        looks = tuple((entry.key.text, entry.key.span) for entry in tree.get_mapping(values))
        yield Worded(key, read_wording(node, ctx), thing_type, is_valued=True, looks=looks, wanted=expected_type)


def is_look(node: Node | None, attributes: Iterable[str]) -> bool:
    """Return whether a node is an expression instead of one of the attribute names `attributes`."""
    return isinstance(node, ScalarNode) and isinstance(node.value, str) and node.text not in attributes


def find_number_node(node: Node) -> Node | None:
    """Return the node that names the value shown by an item of `numbers`: the item itself, or its `value`."""
    return node.get("value") if isinstance(node, MappingNode) else node


def has_holes(node: Node) -> bool:
    """Return whether a node is a text with holes instead of the name of an attribute."""
    return isinstance(node, ScalarNode) and isinstance(node.value, str) and "{" in node.value


def build_item_key(of: str, number: int) -> str:
    """Return the key of item `number` of a list in the drawing; `of` names the list: `drawn.place.0` for "place"."""
    return f"drawn.{of}.{number}"


def _read_short_form(entry: MappingEntry, ctx: BuildContext) -> Mapping[str, Embedded]:
    return read_wording(get_entry_mapping(entry).get("short"), ctx)


def read_wording(node: Node | None, ctx: BuildContext) -> Mapping[str, Embedded]:
    """Return a text with holes by language; plain text is in the first language. Unknown languages are reported."""
    if is_null(node) or node is None:
        return {}
    if not isinstance(node, MappingNode):
        words = read_expression(node, ctx.sink)
        return {ctx.languages[0]: words} if words else {}
    templates = {}
    for entry in node:
        words = read_expression(entry.value, ctx.sink)
        if entry.key.text not in ctx.languages:
            ctx.report_unknown("language", entry.key.text, entry.key.span, ctx.languages)
        elif words is not None:
            templates[entry.key.text] = words
    return templates
