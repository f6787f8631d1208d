"""Builder of the kinds with their things, and of attribute values shared by all builders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interpreter.diagnostics.diagnostic import Related
from interpreter.diagnostics.message_nouns import report_unknown_name
from interpreter.documents.reading.tree import EMPTY, MappingEntry, MappingNode, ScalarNode, get_entry_mapping
from interpreter.documents.reading.typo_heuristics import report_decimal_comma
from interpreter.documents.values.attributes import read_attributes
from interpreter.documents.values.context import COMMON_KEYS, BuildContext, read_label, read_origin
from interpreter.documents.values.names import BUILT_IN_KINDS
from interpreter.documents.values.typed_values import FAULT, read_attribute_value, read_value
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import Attribute, Kind, Provenance, Thing, Value

SEAT_KEYS = ("sides",)
LINK_KEYS = ("between",)
HOLDING_KEYS = ("one_per", "count")
_NONE_GIVEN: Mapping[str, Value] = {}


def build_simple_kinds(ctx: BuildContext) -> dict[str, Kind]:
    """Return the kinds of sides and seats, and the kinds that the ruleset declares."""
    tree = ctx.kinds["ruleset"]
    kinds = {
        "side": _build_kind(
            "side",
            tree.get_mapping("sides"),
            tree.get_mapping("sides").get_mapping("word").get_text("one", "side"),
            ctx,
        ),
        "seat": _build_seats(ctx),
    }
    for entry in tree.get_mapping("kinds"):
        name = entry.key.text
        if name in BUILT_IN_KINDS:
            message = _("`{name}` is a kind that every ruleset has", name=name)
            ctx.sink.add_error("word-taken", message, entry.key.span, help=_("choose another word"))
            continue
        kinds[name] = _build_kind(name, get_entry_mapping(entry), name, ctx, entry)
    return kinds


def _build_kind(
    kind: str, tree: MappingNode, singular: str, ctx: BuildContext, entry: MappingEntry | None = None
) -> Kind:
    attributes = read_attributes(tree.get_mapping("attributes"), ctx)
    things = tuple(build_thing(e, attributes, ctx) for e in tree.get_mapping("members"))
    return Kind(
        kind,
        singular,
        ctx.names.many.get(kind, kind),
        attributes,
        things,
        read_label(tree.get("name"), ctx, singular),
        read_origin(entry, ctx) if entry else Provenance(tree.span),
    )


def build_own_kind(
    kind: str, attributes: Mapping[str, Attribute], things: Iterable[Thing], tree: MappingNode, ctx: BuildContext
) -> Kind:
    """Return a kind that every ruleset has, such as "place"; `tree`: the document that declares its things."""
    label, origin = read_label(None, ctx, kind), Provenance(tree.span)
    return Kind(kind, kind, BUILT_IN_KINDS[kind], attributes, tuple(things), label, origin)


def build_thing(
    entry: MappingEntry,
    attributes: Mapping[str, Attribute],
    ctx: BuildContext,
    *,
    own_keys: tuple[str, ...] = (),
    preset: Mapping[str, Value] = _NONE_GIVEN,
) -> Thing:
    """Build a thing with a value for each attribute.

    `own_keys`: the keys of the entry that are not attributes; `preset`: values for attributes that the entry omits.
    """
    return Thing(
        entry.key.text,
        read_label(get_entry_mapping(entry).get("name"), ctx, entry.key.text),
        read_values(entry, attributes, ctx, own_keys=own_keys, preset=preset),
        read_origin(entry, ctx),
    )


def read_values(
    entry: MappingEntry,
    attributes: Mapping[str, Attribute],
    ctx: BuildContext,
    *,
    own_keys: tuple[str, ...] = (),
    fallback: MappingNode = EMPTY,
    needed: bool = True,
    preset: Mapping[str, Value] = _NONE_GIVEN,
) -> dict[str, Value]:
    """Return the value of every attribute: stated in `entry`, else in `preset`, else in `fallback`, else the default.

    A missing or faulty value is None; missing values are reported if `needed`. `own_keys`: the keys of `entry` that
    are not attributes.
    """
    tree = get_entry_mapping(entry)
    report_unknown(tree, attributes, (*COMMON_KEYS, *own_keys), ctx)
    values: dict[str, Value] = {}
    missing = []
    for name, attribute in attributes.items():
        node = tree.get(name)
        if node is None and name in preset:
            values[name] = preset[name]
            continue
        node = node if node is not None else fallback.get(name)
        if node is not None:
            value = read_attribute_value(node, attribute, ctx)
            values[name] = None if value is FAULT else value
        else:
            values[name] = attribute.default
            if not attribute.has_default and not isinstance(attribute.type, t.NeverType):
                missing.append(name)
    if missing and needed:
        listed = ", ".join(f"`{m}`" for m in missing)
        message = _("`{key}` has no value for {listed}", key=entry.key.text, listed=listed)
        cure = _("add the value, or give the attribute a `default`")
        ctx.sink.add_error("missing-attribute", message, entry.key.span, help=cure)
    return values


def report_unknown(tree: MappingNode, attributes: Iterable[str], other_names: Iterable[str], ctx: BuildContext) -> None:
    """Report the keys of an entry that are neither in `attributes` nor in `other_names`.

    `other_names`: the keys that every entry of this kind may have.
    """
    names = {*attributes, *other_names}
    for entry in tree:
        if entry.key.text not in names and not report_decimal_comma(entry, ctx.sink):
            cure = _("declare it under `attributes:`")
            report_unknown_name(ctx.sink, "attribute", "attribute", entry.key.text, entry.key.span, names, cure)


def _build_seats(ctx: BuildContext) -> Kind:
    tree = ctx.kinds["ruleset"]
    attributes = read_attributes(tree.get_mapping("seat_attributes"), ctx, reserved=SEAT_KEYS)
    members_by_side: dict[int, ScalarNode] = {}
    seats = []
    for entry in tree.get_mapping("seats"):
        members = _read_seat_members(entry, members_by_side, ctx)
        thing = build_thing(entry, attributes, ctx, own_keys=SEAT_KEYS)
        seats.append(Thing(thing.id, thing.label, thing.values, thing.origin, members=members))
    for side in tree.get_mapping("sides").get_mapping("members"):
        if ctx.names.handles["side"].get(side.key.text) not in members_by_side:
            cure = _("add it to the `sides` of one seat")
            ctx.sink.add_error(
                "side-without-seat", _("no seat plays `{key}`", key=side.key.text), side.key.span, help=cure
            )
    return build_own_kind("seat", attributes, seats, tree, ctx)


def _read_seat_members(entry: MappingEntry, nodes_by_side: dict[int, ScalarNode], ctx: BuildContext) -> tuple[int, ...]:
    """Return the handles of the sides of a seat; report a side that belongs to another seat.

    `nodes_by_side`: the sides of all seats so far; those of this seat are added.
    """
    members = []
    for node in get_entry_mapping(entry).list_nodes("sides"):
        handle = read_value(node, t.SIDE, ctx)
        if handle is FAULT or not isinstance(node, ScalarNode):
            continue
        if handle in nodes_by_side:
            ctx.sink.add_error(
                "side-in-two-seats",
                _("`{node}` already belongs to another seat", node=node.text),
                node.span,
                help=_("at the start, exactly one seat plays each side"),
                related=(Related(_("first listed here"), nodes_by_side[handle].span),),
            )
            continue
        nodes_by_side[handle] = node
        members.append(handle)
    return tuple(members)
