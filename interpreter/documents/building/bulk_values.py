"""Values that a map states for many places or links at once (areas, chains), and regions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from interpreter.diagnostics.edge_names import normalize_edge_name
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import find_close_words
from interpreter.documents.building.thing_builder import report_unknown
from interpreter.documents.geography.grid import format_adjacent_spaces
from interpreter.documents.geography.link_chains import list_chained_pairs, list_places
from interpreter.documents.reading.tree import (
    MappingEntry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    describe,
    get_entry_mapping,
)
from interpreter.documents.values.context import COMMON_KEYS, BuildContext, read_cite
from interpreter.documents.values.typed_values import FAULT, read_attribute_value, read_value
from interpreter.i18n.translator import Message, mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import Attribute, Value

_RANGE = re.compile(r"\s*[0-9oOlI]+\s*\.\.\s*[0-9oOlI]+\s*", re.ASCII)  # digits, and letters that look like some
_OF_AREAS, _OF_CHAINS = ("places",), ("places", "from", "to")
Spread = dict[str, dict[str, Value]]  # place or link id -> attribute -> value


def resolve_places(nodes: Sequence[Node], ctx: BuildContext, in_line: bool = False) -> list[tuple[int, Span]]:
    """Return the listed places as handles with spans; report unknown places and bad ranges.

    `in_line`: a range must lie in one row or column.
    """
    resolved = []
    for node in nodes:
        listed = list_places([node], ctx.names.grid, in_line)
        if isinstance(node, ScalarNode) and _RANGE.fullmatch(node.text) and listed[:1] == [(node.text, node.span)]:
            description = describe(node)
            message = (
                _("{found} is not a range of spaces in one row or column", found=description)
                if in_line
                else _("{found} is not a range of spaces", found=description)
            )
            corners = [corner.strip() for corner in node.text.split("..")]
            cure = suggest_space(corners, ctx) or _("name two spaces of the grid: `0203..0207`")
            ctx.sink.add_error("bad-range", message, node.span, help=cure)
            continue
        if not isinstance(node, ScalarNode):
            read_value(node, t.PLACE, ctx)  # reports it
        handles = [(read_value(ScalarNode(name, name, span), t.PLACE, ctx), span) for name, span in listed]
        resolved += [(handle, span) for handle, span in handles if handle is not FAULT]
    return resolved


def suggest_space(names: Iterable[str], ctx: BuildContext) -> Message | None:
    """Suggest a space for the first of `names` that is not a place but similar to one; return None if none is."""
    places = ctx.names.handles["place"]
    for name in names:
        if name not in places and (suggestion := find_close_words(name, places)):
            return _("the grid has no space `{name}`; did you mean `{word}`?", name=name, word=suggestion[0])
    return None


def collect_area_values(attributes: Mapping[str, Attribute], ctx: BuildContext) -> Spread:
    """Return the values that areas of the map give each place: place id -> attribute name -> value.

    Areas that give a place different values are reported.
    """
    spread: Spread = {}
    stated: dict[tuple[str, str], Span] = {}
    ids = list(ctx.names.handles["place"])
    for area in ctx.kinds["map"].get_mapping("places").get_mapping("areas"):
        values = _read_values(area, attributes, _OF_AREAS, ctx)
        for handle, span in resolve_places(get_entry_mapping(area).list_nodes("places"), ctx):
            for name, value in values.items():
                first = stated.setdefault((ids[handle], name), span)
                if first is not span:
                    _report_twice(name, ids[handle], span, first, ctx)
                spread.setdefault(ids[handle], {})[name] = value
    return spread


def collect_chain_values(attributes: Mapping[str, Attribute], own: Iterable[MappingEntry], ctx: BuildContext) -> Spread:
    """Return the values that chains give each link (link id -> attribute name -> value); report contradictions.

    A chain contradicts another chain or the link itself. `own` are the entries of links that state values themselves;
    entries of `links.members` are matched by their ends.
    """
    spread: Spread = {}
    by_name = {entry.key.text: get_entry_mapping(entry) for entry in own}
    links_by_ends = _map_links_by_ends(ctx)
    stated: dict[tuple[str, str], Span] = {}
    values: dict[str, dict[str, Value]] = {}
    for chain in ctx.kinds["map"].get_mapping("links").get_mapping("chains"):
        values[chain.key.text] = _read_values(chain, attributes, _OF_CHAINS, ctx)
        resolve_places(get_entry_mapping(chain).list_nodes("places"), ctx, in_line=True)
        resolve_places((*get_entry_mapping(chain).list_nodes("from"), *get_entry_mapping(chain).list_nodes("to")), ctx)
    for pair in list_chained_pairs(ctx.kinds["map"], ctx.names.grid):
        link = links_by_ends.get(normalize_edge_name(pair.name, links_by_ends))
        if link is None:
            _report_not_adjacent(pair.first, pair.second, pair.span, ctx)
            continue
        for name, value in values[pair.chain.key.text].items():
            first = stated.setdefault((link, name), pair.span)
            if spread.setdefault(link, {}).setdefault(name, value) != value:
                _report_twice(name, link, pair.span, first, ctx)
            tree = by_name.get(link)
            if (
                tree is not None
                and name in tree
                and read_attribute_value(tree.entries[name].value, attributes[name], ctx) not in (value, FAULT)
            ):
                _report_twice(name, link, pair.span, tree.entries[name].key.span, ctx)
    return spread


def _read_values(
    entry: MappingEntry, attributes: Mapping[str, Attribute], own: tuple[str, ...], ctx: BuildContext
) -> dict[str, Value]:
    """Return the values (by attribute name) that an area or chain gives to every place or link that it lists.

    `own`: the keys of the entry that are not attributes. Faulty values are None.
    """
    tree: MappingNode = get_entry_mapping(entry)
    report_unknown(tree, attributes, (*COMMON_KEYS, *own), ctx)
    read_cite(tree, ctx)
    read = {
        e.key.text: read_attribute_value(e.value, attributes[e.key.text], ctx) for e in tree if e.key.text in attributes
    }
    return {name: None if value is FAULT else value for name, value in read.items()}


def _map_links_by_ends(ctx: BuildContext) -> dict[str, str]:
    """Return the ids of all links by their two places, written as "A/B" in the order of the document."""
    ids_by_name = {name: name for name in ctx.names.handles["edge"] if "/" in name}
    for member in ctx.kinds["map"].get_mapping("links").get_mapping("members"):
        ends = [n.text for n in get_entry_mapping(member).list_scalars("between")]
        if len(ends) == 2:
            ids_by_name["/".join(ends)] = member.key.text
    return ids_by_name


def _report_not_adjacent(first: str, second: str, span: Span, ctx: BuildContext) -> None:
    """Report a link of a chain between two places that the grid does not link; unknown places are reported already."""
    places = ctx.names.handles["place"]
    if first == second:
        ctx.sink.add_error("link-to-itself", _("the link connects a place to itself"), span, help=_("name two places"))
    elif first in places and second in places:
        message = _("`{a}` and `{b}` are not adjacent spaces of the grid", a=first, b=second)
        near = format_adjacent_spaces(ctx.names.grid, first)
        cure = (
            _(
                "each space of a chain must be adjacent to the one before; `{space}` is adjacent to {spaces}",
                space=first,
                spaces=near,
            )
            if near
            else _("each space of a chain must be adjacent to the one before")
        )
        ctx.sink.add_error("unknown-edge", message, span, help=cure)


def _report_twice(name: str, owner: str, span: Span, first: Span, ctx: BuildContext) -> None:
    message = _("`{name}` of `{whose}` is defined twice", name=name, whose=owner)
    ctx.sink.report_duplicate(message, span, first, _("keep one of the two"))


def build_regions(ctx: BuildContext) -> dict[str, tuple[int, ...]]:
    """Return the named lists of places: name -> handles in order. The document may list ranges."""
    regions: dict[str, tuple[int, ...]] = {}
    entries: dict[str, MappingEntry] = {}
    for tree in (ctx.kinds["map"].get_mapping("regions"), ctx.kinds["ruleset"].get_mapping("regions")):
        for entry in tree:
            name = entry.key.text
            if name in regions:
                message = _("`{name}` is defined twice", name=name)
                ctx.sink.report_duplicate(message, entry.key.span, entries[name].key.span, _("keep one of the two"))
                continue
            entries[name] = entry
            members = resolve_places(entry.value.items, ctx) if isinstance(entry.value, SequenceNode) else []
            regions[name] = tuple(sorted({handle for handle, _ in members}))
    return regions
