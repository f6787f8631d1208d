"""Builder of the piece classes and the pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interpreter.diagnostics.diagnostic import Related
from interpreter.documents.building.thing_builder import build_own_kind, read_values
from interpreter.documents.reading.tree import MappingEntry, Node, ScalarNode, get_entry_mapping
from interpreter.documents.values.attributes import read_attributes
from interpreter.documents.values.context import BuildContext, read_label, read_origin
from interpreter.documents.values.names import MAX_THINGS, list_piece_ids
from interpreter.documents.values.typed_values import FAULT, read_value
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import Attribute, Kind, Label, PieceClass, Thing

PIECE_KEYS = ("class", "at", "count", "names")
ByClass = Mapping[str, Mapping[str, Attribute]]


@dataclass(frozen=True, slots=True)
class Stock:
    """All pieces, their classes, and the attributes by class, as the class declares them."""

    pieces: Kind
    classes: Mapping[str, PieceClass]
    attributes: ByClass


def build_pieces(ctx: BuildContext) -> Stock:
    """Return the pieces that the documents declare."""
    tree = ctx.kinds["pieces"]
    classes: dict[str, PieceClass] = {}
    by_class: dict[str, dict[str, Attribute]] = {}
    for entry in tree.get_mapping("classes"):
        attributes = read_attributes(get_entry_mapping(entry).get_mapping("attributes"), ctx, reserved=PIECE_KEYS)
        by_class[entry.key.text] = attributes
        classes[entry.key.text] = _build_class(entry, attributes, ctx)
    together = _merge_attributes(by_class, ctx)
    pieces: dict[str, Thing] = {}
    for entry in tree.get_mapping("pieces"):
        if len(pieces) + len(list_piece_ids(entry)) > MAX_THINGS:
            message = _("this entry exceeds the limit of {most} pieces", most=MAX_THINGS)
            ctx.sink.add_error("out-of-range", message, entry.key.span, help=_("write a smaller number"))
            break
        for thing in _build_pieces(entry, by_class, together, ctx):
            _add_piece(thing, pieces, entry, ctx)
    return Stock(build_own_kind("piece", together, pieces.values(), tree, ctx), classes, by_class)


def _build_class(entry: MappingEntry, attributes: Mapping[str, Attribute], ctx: BuildContext) -> PieceClass:
    """Return the class that an entry declares; report counters of a class that has no groups."""
    tree, name = get_entry_mapping(entry), entry.key.text
    counters = tuple(ctx.filter_known("attribute", tree.list_scalars("counters"), attributes))
    if counters and not tree.is_true("alike"):
        message = _("only classes of identical pieces can be counted in groups")
        cure = _("add `alike: true`, or remove `counters`")
        ctx.sink.add_error("counters-without-alike", message, tree.entries["counters"].key.span, help=cure)
    return PieceClass(
        name,
        tree.get_text("one", name),
        tree.get_text("many", name),
        tuple(attributes),
        tree.is_true("alike"),
        counters,
        read_label(tree.get("name"), ctx, name),
        read_origin(entry, ctx),
    )


def _merge_attributes(by_class: ByClass, ctx: BuildContext) -> dict[str, Attribute]:
    """Return the attributes of all classes by name; report a name that two classes declare differently.

    `by_class`: the attributes of each class.
    """
    together: dict[str, Attribute] = {}
    for attributes in by_class.values():
        for name, attribute in attributes.items():
            first = together.setdefault(name, attribute)
            if first is not attribute and not _is_equal(first, attribute):
                ctx.sink.add_error(
                    "attribute-clash",
                    _("another class declares `{name}` differently", name=name),
                    attribute.origin.span,
                    help=_(
                        "use the same type, lifetime and bounds (and the same default, if it changes), or "
                        "choose another name"
                    ),
                    related=(Related(_("first declared here"), first.origin.span),),
                )
    return together


def _is_equal(a: Attribute, b: Attribute) -> bool:
    """Return whether two declarations agree; labels do not count, and defaults only of an attribute that changes."""

    def get_compared_fields(x: Attribute) -> tuple[object, ...]:
        default = (x.default, x.has_default) if x.changes else None
        return x.type, x.changes, x.lasts, x.low, x.high, x.clamp, x.top, default

    return get_compared_fields(a) == get_compared_fields(b)


def _build_pieces(
    entry: MappingEntry, by_class: ByClass, together: Mapping[str, Attribute], ctx: BuildContext
) -> list[Thing]:
    """Build the pieces of one entry; attributes that only other classes declare have their defaults."""
    tree = get_entry_mapping(entry)
    node = tree.get("class")
    if not isinstance(node, ScalarNode):
        return []
    if node.text not in by_class:
        ctx.report_unknown("class", node.text, node.span, by_class)
        attributes: Mapping[str, Attribute] = {}
    else:
        attributes = by_class[node.text]
    stated = read_values(entry, attributes, ctx, own_keys=PIECE_KEYS) if node.text in by_class else {}
    values = {name: stated.get(name, attribute.default) for name, attribute in together.items()}
    place = tree.get("at")
    at = read_value(place, t.PLACE, ctx) if place is not None else None
    origin = read_origin(entry, ctx)
    ids = list_piece_ids(entry)
    labels = _build_labels(entry, len(ids), ctx)
    family = read_label(tree.get("name"), ctx, "") if "count" in tree and "name" in tree else {}
    return [
        Thing(name, label, values, origin, cls=node.text, at=None if at is FAULT else at, family=family)
        for name, label in zip(ids, labels, strict=True)
    ]


def _build_labels(entry: MappingEntry, count: int, ctx: BuildContext) -> list[Label]:
    """Return the names of the `count` pieces of an entry: from `names`, else numbered."""
    tree = get_entry_mapping(entry)
    own = read_label(tree.get("name"), ctx, entry.key.text)
    if "count" not in tree:
        return [own]
    names: tuple[Node, ...] = tree.list_nodes("names")
    if names and len(names) != count:
        message = _("there are {number} names for {count} pieces", number=len(names), count=count)
        cure = _("write one name for each piece, or change `count`")
        ctx.sink.add_error("wrong-length", message, tree.entries["names"].key.span, help=cure)
    numbered = [{language: f"{words} {n}" for language, words in own.items()} for n in range(1, count + 1)]
    return [read_label(names[n], ctx, "") if n < len(names) else label for n, label in enumerate(numbered)]


def _add_piece(thing: Thing, pieces: dict[str, Thing], entry: MappingEntry, ctx: BuildContext) -> None:
    """Add a piece to those of earlier entries; report an id that one of them has."""
    if thing.id in pieces:
        message = _("the piece `{thing}` is defined twice", thing=thing.id)
        ctx.sink.report_duplicate(
            message, entry.key.span, pieces[thing.id].origin.span, _("give one of the entries another id")
        )
    else:
        pieces[thing.id] = thing
