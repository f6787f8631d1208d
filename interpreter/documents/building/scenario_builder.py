"""Builder of the scenarios: options, length and starting position.

A position only lists what differs from the pieces' and things' own starting values. A key that can change a game is
also part of the identity of the rules in saved games: see `model/meaning.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from interpreter.diagnostics.diagnostic import Related
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.documents.building.piece_builder import Stock
from interpreter.documents.building.piece_groups import SetupGroup, check_stock, read_groups
from interpreter.documents.building.rulebook_builder import build_player_texts, find_option_conflicts
from interpreter.documents.building.thing_builder import report_unknown
from interpreter.documents.reading.tree import (
    MappingEntry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    describe,
    get_entry_mapping,
    get_key_span,
    read_integer,
)
from interpreter.documents.values.context import BuildContext, read_label, read_origin
from interpreter.documents.values.typed_values import FAULT, read_attribute_value, read_value
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import Attribute, Kind, OptionalRule, Scenario, SetupPosition, StartingGroup, Value

_PART_KEYS = ("pieces", "each", "game")
_MAX_LISTED_NAMES = 5  # names in one message


@dataclass(frozen=True, slots=True)
class RulesetParts:
    """The parts of a ruleset that a position refers to: kinds, pieces, attributes of the game, options."""

    kinds: Mapping[str, Kind]
    stock: Stock
    game: Mapping[str, Attribute]
    options: dict[str, OptionalRule]


@dataclass(slots=True)
class _Placement:
    """The groups, pieces, things and game values of one position, collected while it is read.

    `placed_at`: for each piece the source position that gives it a place.
    """

    groups: list[SetupGroup] = field(default_factory=list)
    pieces: dict[int, dict[str, Value]] = field(default_factory=dict)
    things: dict[tuple[str, int], dict[str, Value]] = field(default_factory=dict)
    game: dict[str, Value] = field(default_factory=dict)
    placed_at: dict[int, Span] = field(default_factory=dict)


def build_scenarios(parts: RulesetParts, ctx: BuildContext) -> dict[str, Scenario]:
    """Return all scenarios; exactly one is the default."""
    tree = ctx.kinds["scenarios"]
    unplaced: dict[tuple[int, ...], list[MappingEntry]] = {}
    scenarios = {e.key.text: _build_scenario(e, parts, unplaced, ctx) for e in tree}
    for pieces, lacking in unplaced.items():
        _report_unplaced(pieces, lacking, [*scenarios], parts, ctx)
    return _mark_default(scenarios, ctx)


def _mark_default(scenarios: dict[str, Scenario], ctx: BuildContext) -> dict[str, Scenario]:
    """Return the scenarios; a single one becomes the default, of several exactly one must be marked (else reported)."""
    marked = [s for s in scenarios.values() if s.default]
    ruleset = ctx.kinds["ruleset"]
    if not scenarios:
        ctx.sink.add_error(
            "no-scenario",
            _("the ruleset has no scenario, so no game can start"),
            ruleset.entries["id"].key.span if "id" in ruleset else ruleset.span,
            help=_("add a file with `kind: scenario`"),
        )
    elif len(scenarios) == 1:
        name, only = next(iter(scenarios.items()))
        return {name: replace(only, default=True)}
    elif not marked:
        first = next(iter(scenarios.values()))
        cure = _("write `default: true` in one of them")
        ctx.sink.add_error(
            "no-default-scenario", _("no scenario is marked as the default"), first.origin.span, help=cure
        )
    spans = [get_key_span(get_entry_mapping(ctx.kinds["scenarios"].entries[m.id]), "default") for m in marked]
    for span in spans[1:]:
        message = _("two scenarios are marked as the default")
        cure = _("keep `default: true` in only one of them")
        ctx.sink.add_error(
            "two-default-scenarios", message, span, help=cure, related=(Related(_("the first one"), spans[0]),)
        )
    return scenarios


def _build_scenario(
    entry: MappingEntry, parts: RulesetParts, unplaced: dict[tuple[int, ...], list[MappingEntry]], ctx: BuildContext
) -> Scenario:
    """Return one scenario, and note in `unplaced` the pieces that it does not place.

    `unplaced`: by the handles of pieces, the entries of the scenarios that do not place them; extended here.
    """
    tree, name = get_entry_mapping(entry), entry.key.text
    first, last = _read_turns(tree, ctx)
    return Scenario(
        name,
        read_label(tree.get("title"), ctx, name),
        read_label(tree.get("about"), ctx, ""),
        tree.is_true("default"),
        _read_position(entry, parts, unplaced, ctx),
        _read_options(tree, parts.options, ctx),
        last,
        read_origin(entry, ctx),
        first,
        build_player_texts(tree, ctx),
    )


def _read_turns(tree: MappingNode, ctx: BuildContext) -> tuple[int, int | None]:
    """Return the numbers of the first and the last turn; the last is None if the scenario has none."""
    first, last = tree.get("turn"), tree.get("turns")
    stated, ends = read_integer(first), read_integer(last)
    begins = 1 if stated is None else stated
    if last is not None and ends is not None and 1 <= ends < begins:  # the schema reports numbers below 1
        ctx.sink.add_error(
            "out-of-range",
            _("the last turn {ends} is before the first turn {begins}", ends=ends, begins=begins),
            last.span,
            help=_("`turns` is the number of the last turn, not the number of turns"),
            related=(Related(_("the first turn"), first.span),) if first is not None else (),
        )
    return begins, ends


def _read_options(tree: MappingNode, options: dict[str, OptionalRule], ctx: BuildContext) -> dict[str, object]:
    values: dict[str, object] = {}
    for entry in tree.get_mapping("options"):
        option = options.get(entry.key.text)
        if option is None:
            ctx.report_unknown("option", entry.key.text, entry.key.span, options)
            continue
        value = read_value(entry.value, t.OneOfType(option.values) if option.type == "choice" else t.FLAG, ctx)
        if value is not FAULT:
            values[option.id] = value
    for name, problem in find_option_conflicts(options, values):
        if name in values:
            cure = _("choose the other option too, or leave out this one")
            ctx.sink.add_error(
                "option-conflict", problem, tree.get_mapping("options").entries[name].key.span, help=cure
            )
    return values


def _read_position(
    entry: MappingEntry, parts: RulesetParts, unplaced: dict[tuple[int, ...], list[MappingEntry]], ctx: BuildContext
) -> SetupPosition:
    """Return the starting position of a scenario, and note in `unplaced` the pieces that it does not place."""
    setup, placement = get_entry_mapping(entry).get_mapping("setup"), _Placement()
    many = {k.many: k for k in parts.kinds.values() if k.id != "piece"} | {
        k: parts.kinds[k[:-1]] for k in ("sides", "seats", "places", "edges")
    }
    for section in setup:
        name = section.key.text
        if name == "pieces":
            _read_pieces(section, parts, placement, ctx)
        elif name == "each":
            _read_each(section, parts, placement, ctx)
        elif name == "game":
            placement.game |= _read_state_values(section, parts.game, (), ctx)
        elif name in many:
            _read_things(section, many[name], placement, ctx)
        else:
            ctx.sink.add_error(
                "unknown-key",
                _("`{name}` is not part of a set-up", name=name),
                section.key.span,
                help=_("pieces belong under `each:`, indented more than it")
                if name in ctx.names.handles.get("piece", {})
                else did_you_mean(name, [*_PART_KEYS, *many]),
            )
    used = check_stock(placement.groups, placement.placed_at, parts.stock, entry.key.text, ctx)
    nowhere = tuple(n for n, piece in enumerate(parts.kinds["piece"].things) if piece.at is None and n not in used)
    if nowhere:
        unplaced.setdefault(nowhere, []).append(entry)
    return SetupPosition(
        tuple(StartingGroup(g.place, g.values, g.count, g.cls) for g in placement.groups),
        placement.pieces,
        placement.things,
        placement.game,
    )


def _read_pieces(section: MappingEntry, parts: RulesetParts, placement: _Placement, ctx: BuildContext) -> None:
    """Read the section of a setup that lists the pieces at each place."""
    for entry in get_entry_mapping(section):
        place = read_value(entry.key, t.PLACE, ctx)
        if place is FAULT:
            continue
        if isinstance(entry.value, MappingNode):
            placement.groups += read_groups(place, entry.value, parts.stock, ctx)
        elif isinstance(entry.value, SequenceNode):
            for node in entry.value.items:
                if isinstance(node, MappingNode):  # alike pieces beside named ones
                    placement.groups += read_groups(place, node, parts.stock, ctx)
                else:
                    _place_piece(node, place, placement, ctx)
        else:
            message = _("found {found}, expected pieces", found=describe(entry.value))
            cure = _("write a list of piece ids, or the number of identical pieces in each group")
            ctx.sink.add_error("wrong-type", message, entry.key.span, help=cure)


def _place_piece(node: Node, place: int, placement: _Placement, ctx: BuildContext) -> None:
    """Put the piece that a node names at a place; report a piece that is placed twice."""
    handle = read_value(node, t.PIECE, ctx)
    if handle is FAULT:
        return
    if handle in placement.placed_at:
        ctx.sink.add_error(
            "placed-twice",
            _("`{piece}` is placed twice", piece=node.text if isinstance(node, ScalarNode) else ""),
            node.span,
            help=_("keep one of the two"),
            related=(Related(_("first placed here"), placement.placed_at[handle]),),
        )
        return
    placement.placed_at[handle] = node.span
    placement.pieces.setdefault(handle, {})["at"] = place


def _read_each(section: MappingEntry, parts: RulesetParts, placement: _Placement, ctx: BuildContext) -> None:
    """Read the section `each:` of a setup: values and places of single pieces."""
    things = parts.kinds["piece"].things
    for entry in get_entry_mapping(section):
        handle = read_value(entry.key, t.PIECE, ctx)
        if handle is FAULT:
            continue
        cls = things[handle].cls if handle < len(things) else None
        attributes = parts.stock.attributes.get(cls or "", {})
        placement.pieces.setdefault(handle, {}).update(_read_state_values(entry, attributes, ("at",), ctx))
        node = get_entry_mapping(entry).get("at")
        if node is not None and (place := read_value(node, t.PLACE, ctx)) is not FAULT:
            _place_piece(entry.key, place, placement, ctx)


def _read_things(section: MappingEntry, kind: Kind, placement: _Placement, ctx: BuildContext) -> None:
    for entry in get_entry_mapping(section):
        handle = read_value(entry.key, t.ThingType(kind.id), ctx)
        if handle is not FAULT:
            placement.things.setdefault((kind.id, handle), {}).update(
                _read_state_values(entry, kind.attributes, (), ctx)
            )


def _read_state_values(
    entry: MappingEntry, attributes: Mapping[str, Attribute], other_keys: tuple[str, ...], ctx: BuildContext
) -> dict[str, Value]:
    """Return the starting values of an entry by attribute name; only attributes that change in play are allowed.

    `other_keys`: the keys of the entry that are not attributes.
    """
    tree = get_entry_mapping(entry)
    report_unknown(tree, attributes, other_keys, ctx)
    values = {}
    for item in tree:
        attribute = attributes.get(item.key.text)
        if attribute is None:
            continue
        if not attribute.changes:
            ctx.sink.add_error(
                "constant-attribute",
                _("`{name}` is a constant, so a scenario cannot set it", name=attribute.name),
                item.key.span,
                help=_("give the attribute `changes: true`, or change the thing itself"),
                related=(Related(_("declared here"), attribute.origin.span),),
            )
            continue
        value = read_attribute_value(item.value, attribute, ctx)
        if value is not FAULT:
            values[attribute.name] = value
    return values


def _report_unplaced(
    pieces: tuple[int, ...], lacking: list[MappingEntry], scenarios: list[str], parts: RulesetParts, ctx: BuildContext
) -> None:
    """Report the pieces that the scenarios `lacking` do not place: at the piece if there are several scenarios."""
    things = [parts.kinds["piece"].things[n] for n in pieces]
    first, ids = things[0].id, [entry.key.text for entry in lacking]
    listed: str = ", ".join(f"`{thing.id}`" for thing in things[:_MAX_LISTED_NAMES])
    if things[_MAX_LISTED_NAMES:]:
        listed = _("{listed} and {number} more", listed=listed, number=len(things) - _MAX_LISTED_NAMES)
    cure = _(
        "place them in `setup`, or give the pieces a place with `at:`; list unused pieces under "
        "`pieces: off_map: [{first}, ...]`",
        first=first,
    )
    if lacking[1:]:
        message = (
            _("no scenario places {listed}", listed=listed)
            if len(ids) == len(scenarios)
            else _(
                "the scenarios {scenarios} do not place {listed}",
                scenarios=", ".join(f"`{scenario}`" for scenario in ids[:_MAX_LISTED_NAMES]),
                listed=listed,
            )
        )
        ctx.sink.add_error("piece-without-place", message, things[0].origin.span, help=cure)
        return
    (name,), complete_scenarios = ids, [scenario for scenario in scenarios if scenario not in ids]
    message = _("the scenario `{key}` does not place {listed}", key=name, listed=listed)
    if things[_MAX_LISTED_NAMES:] and complete_scenarios:
        cure = _(
            "write `extends: {other}` to begin with the position of that scenario, or place the pieces in `setup`",
            other=complete_scenarios[0],
        )
    ctx.sink.add_error("piece-without-place", message, lacking[0].key.span, help=cure)
