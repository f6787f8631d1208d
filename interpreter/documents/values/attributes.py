"""Reading of types and attribute declarations, including each attribute's default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from interpreter.documents.reading.tree import (
    MappingEntry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    describe,
    get_entry_mapping,
    read_integer,
)
from interpreter.documents.values.context import COMMON_KEYS, BuildContext, read_label, read_origin
from interpreter.documents.values.typed_values import FAULT, read_value
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import Attribute

COMPOUND = ("one_of", "set_of", "list_of", "maybe")


def read_type(node: Node, ctx: BuildContext) -> t.Type:
    """Return the type a node states, or `NEVER` if it is faulty (reported)."""
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        types = ctx.names.types
        if node.text in types:
            return types[node.text]
        if suggestion := t.FOREIGN_TYPE_NAMES.get(node.text.lower()):
            message = _("unknown type `{word}`", word=node.text)
            ctx.sink.add_error("unknown-type", message, node.span, help=_("did you mean `{word}`?", word=suggestion))
        else:
            ctx.report_unknown("type", node.text, node.span, types)
        return t.NEVER
    if isinstance(node, MappingNode):
        for key in COMPOUND:
            inner = node.get(key)
            if inner is not None:
                return _read_compound_type(key, inner, ctx)
    cure = _("write something like `int`, `place` or `{one_of: [a, b]}`")
    ctx.sink.add_error("wrong-type", _("found {found}, expected a type", found=describe(node)), node.span, help=cure)
    return t.NEVER


def _read_compound_type(key: str, inner: Node, ctx: BuildContext) -> t.Type:
    """Return the type that a key such as `set_of` forms from the types or words in `inner`."""
    if key == "one_of":
        items = inner.items if isinstance(inner, SequenceNode) else (inner,)
        words = tuple(i.text for i in items if isinstance(i, ScalarNode))
        return t.OneOfType(tuple(dict.fromkeys(words))) if words else t.NEVER
    part = read_type(inner, ctx)
    if isinstance(part, t.NeverType):
        return part
    if key == "maybe":
        return part if isinstance(part, t.MaybeType) else t.MaybeType(part)
    return t.SetType(part) if key == "set_of" else t.ListType(part)


def read_attributes(
    tree: MappingNode, ctx: BuildContext, *, reserved: tuple[str, ...] = (), all_change: bool = False
) -> dict[str, Attribute]:
    """Return the attributes declared in a mapping, in order.

    `reserved`: names that an attribute cannot have; `all_change`: every attribute changes in play, as the attributes of
    the game do.
    """
    attributes = {}
    for entry in tree:
        if entry.key.text in (*COMMON_KEYS, *reserved):
            message = _(
                "`{key}` has another meaning in these entries, so it cannot be the name of an attribute",
                key=entry.key.text,
            )
            ctx.sink.add_error("reserved-name", message, entry.key.span, help=_("choose another name"))
            continue
        attributes[entry.key.text] = _read_attribute(entry, ctx, all_change)
    _check_tops(attributes, tree, ctx)
    return attributes


def _read_attribute(entry: MappingEntry, ctx: BuildContext, all_change: bool) -> Attribute:
    """Build an attribute from its declaration: a type alone, or a mapping that has a `type_`.

    `all_change`: it changes in play whether or not the declaration says so.
    """
    name, form = entry.key.text, entry.value
    is_short = not isinstance(form, MappingNode) or "type" not in form
    type_ = read_type(form if is_short or not isinstance(form, MappingNode) else form.entries["type"].value, ctx)
    tree = get_entry_mapping(entry) if not is_short else MappingNode({}, entry.key.span)
    lasts = tree.get_text("lasts") or None
    attribute = Attribute(
        name,
        type_,
        changes=all_change or lasts is not None or tree.is_true("changes"),
        lasts=lasts,
        low=read_integer(tree.get("low")),
        high=read_integer(tree.get("high")),
        clamp=tree.is_true("clamp"),
        is_shown="told" not in tree or tree.is_true("told"),
        top=tree.get_text("top") or None,
        label=read_label(tree.get("name"), ctx, name),
        origin=read_origin(entry if not is_short else MappingEntry(entry.key, entry.key), ctx),
    )
    _check_bounds(attribute, tree, ctx)
    return _set_default(attribute, tree, entry, ctx)


def _set_default(attribute: Attribute, tree: MappingNode, entry: MappingEntry, ctx: BuildContext) -> Attribute:
    """Return an attribute with the default that its declaration states or implies; report a missing one."""
    node = tree.get("default")
    if node is not None:
        value = read_value(node, attribute.type, ctx)
        if value is FAULT:
            return replace(attribute, default=None, has_default=True)
        low, high = attribute.low, attribute.high
        is_out = isinstance(value, int) and ((low is not None and value < low) or (high is not None and value > high))
        if is_out and (low is None or high is None or low <= high):
            message = _("the default {value} is not between `low` and `high`", value=value)
            ctx.sink.add_error("out-of-range", message, node.span, help=_("change the default or the bounds"))
        return replace(attribute, default=value, has_default=True)
    if isinstance(attribute.type, t.FlagType):
        return replace(attribute, default=False, has_default=True)
    if attribute.lasts is not None and not isinstance(attribute.type, t.NeverType):
        message = _(
            "`{name}` returns to its default after {lasts}, but has no default",
            name=attribute.name,
            lasts=attribute.lasts,
        )
        ctx.sink.add_error("missing-default", message, entry.key.span, help=_("add `default:`"))
        return replace(attribute, has_default=True)
    return attribute


def _check_bounds(attribute: Attribute, tree: MappingNode, ctx: BuildContext) -> None:
    """Report bounds of an attribute that contradict its type or each other."""
    low, high, sink = attribute.low, attribute.high, ctx.sink
    bounds = [k for k in ("low", "high", "clamp") if k in tree]
    if bounds and not isinstance(attribute.type, t.IntType | t.NumberType | t.NeverType):
        message = _("`{more}` has no effect on {type}", more=bounds[0], type=attribute.type)
        sink.add_error("misplaced-key", message, tree.entries[bounds[0]].key.span, help=_("only numbers have bounds"))
    elif low is not None and high is not None and low > high:
        message = _("`low` {low} is greater than `high` {high}", low=low, high=high)
        sink.add_error("out-of-range", message, tree.entries["low"].value.span, help=_("exchange them"))
    elif attribute.clamp and low is None and high is None:
        cure = _("add the bound that limits the value")
        sink.add_error(
            "misplaced-key", _("`clamp` needs a `low` or a `high`"), tree.entries["clamp"].key.span, help=cure
        )


def _check_tops(attributes: Mapping[str, Attribute], tree: MappingNode, ctx: BuildContext) -> None:
    """Report a `top` that does not name an attribute with rungs of the same ladder."""
    for name, attribute in attributes.items():
        if attribute.top is None:
            continue
        span = get_entry_mapping(tree.entries[name]).entries["top"].value.span
        top_attribute = attributes.get(attribute.top)
        if top_attribute is None:
            ctx.report_unknown("attribute", attribute.top, span, attributes)
        elif isinstance(attribute.type, t.NeverType) or isinstance(top_attribute.type, t.NeverType):
            continue  # reported already
        elif not isinstance(attribute.type, t.RungType) or not t.is_assignable(top_attribute.type, attribute.type):
            message = _(
                "`{top}` cannot be the top of `{name}`: both must belong to the same ladder",
                top=attribute.top,
                name=name,
            )
            cure = _("`top` must name an attribute that holds a rung of the same ladder")
            ctx.sink.add_error("wrong-type", message, span, help=cure)
