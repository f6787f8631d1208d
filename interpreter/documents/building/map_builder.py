"""Builder of places, links and the grid."""

from __future__ import annotations

from dataclasses import replace

from interpreter.diagnostics.diagnostic import Related
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import did_you_mean, is_number_like
from interpreter.documents.building.bulk_values import Spread, collect_area_values, collect_chain_values, suggest_space
from interpreter.documents.building.thing_builder import (
    HOLDING_KEYS,
    LINK_KEYS,
    build_own_kind,
    build_thing,
    read_values,
    report_unknown,
)
from interpreter.documents.geography.grid import GridPlan, format_adjacent_spaces
from interpreter.documents.geography.link_chains import list_chained_pairs, list_new_links
from interpreter.documents.reading.tree import (
    MappingEntry,
    MappingNode,
    ScalarNode,
    create_empty_entry,
    get_entry_mapping,
    get_key_span,
)
from interpreter.documents.values.attributes import read_attributes
from interpreter.documents.values.context import BuildContext, read_label, read_origin
from interpreter.documents.values.names import OFF_MAP, HoldingPlaceEntry, list_holding_places, needs_off_map
from interpreter.documents.values.typed_values import FAULT, read_value
from interpreter.i18n.translator import Message, get_translator, mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import Attribute, Grid, Kind, Label, Provenance, Thing, Value


def build_places(ctx: BuildContext) -> Kind:
    """Return all places: map places in written order, then grid spaces, then places off the map."""
    tree = ctx.kinds["map"]
    attributes = read_attributes(tree.get_mapping("places").get_mapping("attributes"), ctx, reserved=HOLDING_KEYS)
    plan = ctx.names.grid
    on_grid = {s.id for s in plan.spaces} if plan else set()
    things = []
    areas = collect_area_values(attributes, ctx)
    for entry in tree.get_mapping("places").get_mapping("members"):
        if entry.key.text in on_grid:
            continue
        if plan and is_number_like(entry.key.text):
            _report_outside(entry.key, on_grid, ctx)
        else:
            things.append(build_thing(entry, attributes, ctx, preset=areas.get(entry.key.text, {})))
    if plan:
        things += _build_spaces(plan, attributes, areas, ctx)
    things += [
        _build_holding_place(place, attributes, areas.get(place.id, {}), ctx)
        for place in list_holding_places(tree, ctx.names.handles, ctx.names.types)
    ]
    if needs_off_map(ctx.kinds["pieces"]):
        things += _add_off_map(things, attributes, ctx)
    _check_holdings(tree.get_mapping("holding"), ctx)
    return build_own_kind("place", attributes, _drop_duplicates(things, ctx), tree, ctx)


def _report_outside(key: ScalarNode, on_grid: set[str], ctx: BuildContext) -> None:
    """Report a name that looks like a space number outside the grid; it cannot name a place beside the grid.

    `on_grid`: the numbers of all spaces.
    """
    cure = _("check the `columns` and `rows` of the grid; the name of a place outside the grid begins with a letter")
    cure = did_you_mean(key.text, on_grid) or cure
    ctx.sink.add_error("outside-grid", _("the grid has no space `{name}`", name=key.text), key.span, help=cure)


def _build_spaces(plan: GridPlan, attributes: dict[str, Attribute], areas: Spread, ctx: BuildContext) -> list[Thing]:
    """Return the spaces of the grid with their values: their own, those of areas, then the defaults."""
    grid = ctx.kinds["map"].get_mapping("grid")
    members = ctx.kinds["map"].get_mapping("places").get_mapping("members")
    default = grid.get_mapping("default")
    report_unknown(default, attributes, (), ctx)
    things: list[Thing] = []
    plain_one = next((s.id for s in plan.spaces if s.id not in areas), None)
    for space in plan.spaces:
        entry = members.entries.get(space.id) or create_empty_entry(space.id, get_key_span(grid, "shape"))
        is_first = space.id == (plain_one or plan.spaces[0].id)  # report a missing value only once
        values = read_values(entry, attributes, ctx, fallback=default, needed=is_first, preset=areas.get(space.id, {}))
        label = read_label(get_entry_mapping(entry).get("name"), ctx, space.id)
        things.append(Thing(space.id, label, values, read_origin(entry, ctx)))
    return things


def _build_holding_place(
    place: HoldingPlaceEntry, attributes: dict[str, Attribute], preset: dict[str, Value], ctx: BuildContext
) -> Thing:
    """Build a place off the map; a missing value is not an error there, because such a place needs no terrain.

    `preset`: values for attributes that the entry of the place omits.
    """
    values = read_values(place.entry, attributes, ctx, own_keys=HOLDING_KEYS, needed=False, preset=preset)
    label = read_label(get_entry_mapping(place.entry).get("name"), ctx, place.holding)
    if place.owner is not None:
        label = _join_labels(label, _read_label_of_thing(*place.owner, ctx), ctx)
    elif place.number is not None:
        label = {language: f"{words} {place.number}" for language, words in label.items()}
    return Thing(place.id, label, values, read_origin(place.entry, ctx), holding=place.holding)


def _add_off_map(things: list[Thing], attributes: dict[str, Attribute], ctx: BuildContext) -> list[Thing]:
    """Return a list of the place for pieces that are off the map; [] if the map has a holding place of that name.

    `things`: the places of the map; any other place of that name among them is reported.
    """
    existing = next((x for x in things if x.id == OFF_MAP), None)
    if existing is None:
        values = {name: attribute.default for name, attribute in attributes.items()}
        label = {language: get_translator(language)(_("off the map")) for language in ctx.languages}
        return [Thing(OFF_MAP, label, values, Provenance(ctx.kinds["map"].span), holding=OFF_MAP)]
    if existing.holding is None:
        message = _(
            "`{off_map}` is the place of pieces without a place, so no place of the map can have this name",
            off_map=OFF_MAP,
        )
        cure = _("choose another name, give each piece a place with `at:`, or make it a `holding` place")
        ctx.sink.add_error("reserved-name", message, existing.origin.span, help=cure)
    return []


def _read_label_of_thing(kind: str, name: str, ctx: BuildContext) -> Label:
    """Return the name of a thing whose kind is built before the map."""
    tree = ctx.kinds["ruleset"]
    if kind == "side":
        members = tree.get_mapping("sides").get_mapping("members")
    elif kind == "seat":
        members = tree.get_mapping("seats")
    else:
        members = tree.get_mapping("kinds").get_mapping(kind).get_mapping("members")
    entry = members.entries.get(name)
    return read_label(get_entry_mapping(entry).get("name") if entry else None, ctx, name)


def _join_labels(box: Label, owner: Label, ctx: BuildContext) -> Label:
    """Return the name of a holding place that belongs to a thing, in every language of one of their names."""
    first = ctx.languages[0]
    return {
        language: get_translator(language)(
            _("{what} ({more})"),
            what=box.get(language, box.get(first, "")),
            more=owner.get(language, owner.get(first, "")),
        )
        for language in dict.fromkeys((*box, *owner))
    }


def _check_holdings(tree: MappingNode, ctx: BuildContext) -> None:
    on_map = ("place", "edge", "piece")
    words = [w for w, k in ctx.names.types.items() if isinstance(k, t.ThingType) and k.kind not in on_map]
    for entry in tree:
        node = get_entry_mapping(entry).get("one_per")
        if isinstance(node, ScalarNode) and node.text not in (*words, "turn"):
            ctx.report_unknown("kind", node.text, node.span, [*words, "turn"])


def _drop_duplicates(things: list[Thing], ctx: BuildContext) -> tuple[Thing, ...]:
    """Return the places without those whose id an earlier one has (reported)."""
    things_by_id: dict[str, Thing] = {}
    for thing in things:
        if thing.id in things_by_id:
            message = _("the place `{thing}` is defined twice", thing=thing.id)
            ctx.sink.report_duplicate(
                message, thing.origin.span, things_by_id[thing.id].origin.span, _("give it another id")
            )
        else:
            things_by_id[thing.id] = thing
    return tuple(things_by_id.values())


def build_edges(ctx: BuildContext) -> Kind:
    """Return all links: first the ones that documents list, then the links between adjacent spaces of the grid."""
    tree = ctx.kinds["map"]
    attributes = read_attributes(tree.get_mapping("links").get_mapping("attributes"), ctx, reserved=LINK_KEYS)
    things = []
    spans_by_pair: dict[tuple[int, int], Span] = {}
    own = (*tree.get_mapping("links").get_mapping("members"), *tree.get_mapping("grid").get_mapping("edges"))
    chains = collect_chain_values(attributes, own, ctx)
    for entry in tree.get_mapping("links").get_mapping("members"):
        thing = build_thing(entry, attributes, ctx, own_keys=LINK_KEYS, preset=chains.get(entry.key.text, {}))
        things.append(replace(thing, ends=_read_ends(entry, spans_by_pair, ctx)))
    things += _build_chain_links(attributes, chains, ctx)
    if ctx.names.grid:
        things += _build_grid_edges(ctx.names.grid, attributes, chains, ctx)
    return build_own_kind("edge", attributes, things, tree, ctx)


def _read_ends(
    entry: MappingEntry, spans_by_pair: dict[tuple[int, int], Span], ctx: BuildContext
) -> tuple[int, int] | None:
    """Return the handles of the two places of a link, or None (reported).

    `spans_by_pair`: the pairs of places of earlier links, to report one that is linked twice.
    """
    nodes = get_entry_mapping(entry).list_nodes("between")
    handles = [read_value(node, t.PLACE, ctx) for node in nodes]
    if len(handles) != 2 or any(h is FAULT for h in handles):
        return None
    a, b = handles
    if a == b:
        ctx.sink.add_error(
            "link-to-itself", _("the link connects a place to itself"), nodes[1].span, help=_("name two places")
        )
        return None
    pair = (min(a, b), max(a, b))
    if pair in spans_by_pair:
        message = _("these two places are already linked; a link goes both ways")
        cure = _("keep one of the two links")
        ctx.sink.add_error(
            "linked-twice",
            message,
            entry.key.span,
            help=cure,
            related=(Related(_("first linked here"), spans_by_pair[pair]),),
        )
    spans_by_pair.setdefault(pair, entry.key.span)
    return a, b


def _build_chain_links(attributes: dict[str, Attribute], chains: Spread, ctx: BuildContext) -> list[Thing]:
    """Build the links that chains add between places that are not linked otherwise.

    `chains`: the values that chains give, by link id.
    """
    places = ctx.names.handles["place"]
    first: dict[str, MappingEntry] = {}
    for pair in list_chained_pairs(ctx.kinds["map"], ctx.names.grid):
        first.setdefault(pair.name, create_empty_entry(pair.name, pair.span))
    links = []
    for name in list_new_links(ctx.kinds["map"], ctx.names.grid, places):
        a, _sign, b = name.partition("/")
        thing = build_thing(first[name], attributes, ctx, preset=chains.get(name, {}))
        links.append(replace(thing, ends=(places[a], places[b])))
    return links


def _build_grid_edges(
    plan: GridPlan, attributes: dict[str, Attribute], chains: Spread, ctx: BuildContext
) -> list[Thing]:
    """Return the links between adjacent spaces of the grid, with the values that entries and chains give them."""
    grid = ctx.kinds["map"].get_mapping("grid")
    stated, edge_ids = {}, set(plan.list_edge_ids())
    for entry in grid.get_mapping("edges"):
        a, _sign, b = entry.key.text.partition("/")
        stated[f"{a}/{b}"] = stated[f"{b}/{a}"] = entry
        if not {f"{a}/{b}", f"{b}/{a}"} & edge_ids:
            message = _("`{a}` and `{b}` are not adjacent spaces of the grid", a=a, b=b)
            ctx.sink.add_error("unknown-edge", message, entry.key.span, help=_suggest_adjacent(plan, a, b, ctx))
    places = ctx.names.handles["place"]
    things: list[Thing] = []
    for a, b, direction in plan.links:
        name = f"{a}/{b}"
        entry = stated.get(name) or create_empty_entry(name, get_key_span(grid, "shape"))
        values = read_values(entry, attributes, ctx, needed=not things, preset=chains.get(name, {}))
        things.append(
            Thing(
                name,
                read_label(get_entry_mapping(entry).get("name"), ctx, name),
                values,
                read_origin(entry, ctx),
                ends=(places[a], places[b]),
                direction=direction,
            )
        )
    return things


def _suggest_adjacent(plan: GridPlan, a: str, b: str, ctx: BuildContext) -> Message:
    """Suggest a fix for two spaces, `a` and `b`, that are not adjacent.

    The fix names the number that was probably meant for an unknown space, or else the neighbours of `a`.
    """
    if suggestion := suggest_space((a, b), ctx):
        return suggestion
    if near := format_adjacent_spaces(plan, a):
        return _("write the numbers of two adjacent spaces; `{space}` is adjacent to {spaces}", space=a, spaces=near)
    return _("write the numbers of two adjacent spaces")


def build_grid(ctx: BuildContext) -> Grid | None:
    """Build the grid with handles; places off the grid have no neighbours by direction."""
    plan = ctx.names.grid
    if plan is None:
        return None
    places = ctx.names.handles["place"]
    near: list[tuple[int | None, ...]] = [tuple(None for _ in plan.directions)] * len(places)
    where: list[tuple[int, int] | None] = [None] * len(places)
    for space, neighbours in zip(plan.spaces, plan.neighbours, strict=True):
        handle = places[space.id]
        near[handle] = tuple(places[o] if o is not None else None for o in neighbours)
        where[handle] = (space.column, space.row)
    return Grid(plan.shape, plan.directions, tuple(near), tuple(where))
