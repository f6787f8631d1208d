"""Builder of the rulebook, the texts players read first, the optional rules and the victory conditions.

A scenario or an optional rule may override the game's texts (aims, scoring, end of the game); all versions are kept.
"""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.diagnostics.diagnostic import Related
from interpreter.diagnostics.source_text import Span
from interpreter.documents.reading.tree import MappingEntry, MappingNode, ScalarNode, SequenceNode, get_entry_mapping
from interpreter.documents.values.context import BuildContext, read_label, read_origin
from interpreter.documents.values.embedded_rules import read_expression
from interpreter.documents.values.typed_values import FAULT, read_value
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import (
    Embedded,
    Exchange,
    Level,
    OptionalRule,
    Paragraph,
    PlayerText,
    PlayerTexts,
    Provenance,
    Victory,
)


def _read_expression(tree: MappingNode, key: str, ctx: BuildContext) -> Embedded | None:
    node = tree.get(key)
    return read_expression(node, ctx.sink) if node is not None else None


def build_rulebook(ctx: BuildContext) -> dict[str, Paragraph]:
    """Return the paragraphs by number, in order."""
    rulebook = {}
    for entry in ctx.kinds["rulebook"].get_mapping("paragraphs"):
        tree = get_entry_mapping(entry)
        rulebook[entry.key.text] = Paragraph(
            entry.key.text,
            read_label(tree.get("title"), ctx, entry.key.text),
            read_label(tree.get("text"), ctx, ""),
            tree.is_true("definition"),
            tree.is_true("ruling"),
            _read_expression(tree, "replaced_when", ctx),
            read_origin(entry, ctx),
        )
    return rulebook


def build_options(ctx: BuildContext) -> dict[str, OptionalRule]:
    """Return the optional rules: flags, choices of words, and splits of a seat."""
    tree = ctx.kinds["ruleset"].get_mapping("options")
    options = {}
    for entry in tree:
        form, name = get_entry_mapping(entry), entry.key.text
        words = tuple(i.text for i in form.list_scalars("values"))
        sort = "split" if "splits" in form else "choice" if words else "flag"
        seats = [read_value(i, t.SEAT, ctx) for i in form.list_nodes("into")]
        options[name] = OptionalRule(
            name,
            sort,
            words,
            _read_default(form, sort, words, ctx),
            _read_seat(form, "splits", ctx),
            tuple(s for s in seats if s is not FAULT),
            _read_other_options(form, "needs", name, tree, ctx),
            _read_other_options(form, "excludes", name, tree, ctx),
            read_label(form.get("name"), ctx, name),
            read_origin(entry, ctx),
            _read_shares(form, len(seats), ctx),
            build_player_texts(form, ctx),
            _read_exchanges(form, ctx),
        )
    _check_defaults(options, ctx)
    return options


_NAMELESS = ("edge", "seat")  # kinds whose things are named after other things or after the player


def _read_exchanges(form: MappingNode, ctx: BuildContext) -> tuple[Exchange, ...]:
    """Return the pairs of things that exchange names and looks while an optional rule is in use.

    `form`: the entry of the optional rule, whose `exchanges` lists pairs by the plural of their kind.
    """
    kinds = {many: kind for kind, many in ctx.names.many.items() if kind not in _NAMELESS} | {"sides": "side"}
    exchanges: list[Exchange] = []
    for entry in form.get_mapping("exchanges"):
        kind = kinds.get(entry.key.text)
        if kind is None:
            ctx.report_unknown("kind", entry.key.text, entry.key.span, kinds)
            continue
        spans_by_handle: dict[int, Span] = {}
        for pair in entry.value.items if isinstance(entry.value, SequenceNode) else ():
            nodes = pair.items if isinstance(pair, SequenceNode) else ()
            handles = [read_value(node, t.ThingType(kind), ctx) for node in nodes]
            if len(handles) != 2 or FAULT in handles:
                continue
            for handle, node in zip(handles, nodes, strict=True):
                if handle in spans_by_handle:
                    ctx.sink.add_error(
                        "repeated-value",
                        _("each thing can be exchanged with only one other"),
                        node.span,
                        help=_("keep one of the pairs"),
                        related=(Related(_("the first one"), spans_by_handle[handle]),),
                    )
                spans_by_handle.setdefault(handle, node.span)
            exchanges.append(Exchange(kind, *handles))
    return tuple(exchanges)


def _read_shares(form: MappingNode, most: int, ctx: BuildContext) -> dict[int, tuple[int, ...]]:
    """Return, by number of players, the number of the share (from 0) of each side of the split seat.

    `form`: the entry of the option; `most`: the number of seats. A side in two shares, a missing side, and a wrong
    number of shares are reported.
    """
    sides = [
        n.text
        for n in ctx.kinds["ruleset"].get_mapping("seats").get_mapping(form.get_text("splits")).list_scalars("sides")
    ]
    shares: dict[int, tuple[int, ...]] = {}
    for entry in form.get_mapping("shares"):
        number, taken_by_seat = int(entry.key.text), dict[str, int]()
        groups = entry.value.items if isinstance(entry.value, SequenceNode) else ()
        for share, group in enumerate(groups):
            for node in group.items if isinstance(group, SequenceNode) else ():
                if not isinstance(node, ScalarNode):
                    continue
                if node.text not in sides:
                    ctx.report_unknown("side", node.text, node.span, sides)
                elif node.text in taken_by_seat:
                    message = _("`{node}` is already in another share", node=node.text)
                    ctx.sink.add_error(
                        "side-in-two-seats", message, node.span, help=_("assign every side to one player")
                    )
                taken_by_seat.setdefault(node.text, share)
        missing = [side for side in sides if side not in taken_by_seat]
        if len(groups) != number or number > most:
            message = _(
                "{number} shares for {players} players; there are seats for {most}",
                number=len(groups),
                players=number,
                most=most,
            )
            ctx.sink.add_error(
                "wrong-length", message, entry.key.span, help=_("write one list of sides for each player")
            )
        elif missing:
            message = _("no player gets {sides}", sides=", ".join(missing))
            ctx.sink.add_error("side-without-seat", message, entry.key.span, help=_("assign every side to one player"))
        else:
            shares[number] = tuple(taken_by_seat[side] for side in sides)
    return shares


def _read_seat(form: MappingNode, key: str, ctx: BuildContext) -> int | None:
    node = form.get(key)
    value = read_value(node, t.SEAT, ctx) if node is not None else None
    return None if value is FAULT or value is None else int(value)


def _read_default(form: MappingNode, sort: str, words: tuple[str, ...], ctx: BuildContext) -> bool | str:
    """Return the default of an optional rule: of a choice its first word, else off, unless `default` is stated."""
    node = form.get("default")
    if node is None:
        return words[0] if sort == "choice" else False
    value = read_value(node, t.OneOfType(words) if sort == "choice" else t.FLAG, ctx)
    return False if value is FAULT else value


def _read_other_options(
    form: MappingNode, key: str, name: str, options: MappingNode, ctx: BuildContext
) -> tuple[str, ...]:
    return tuple(ctx.filter_known("option", form.list_scalars(key), [o for o in options.entries if o != name]))


def find_option_conflicts(options: Mapping[str, OptionalRule], chosen: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return pairs (option, message that says why it cannot be used) for the options in use.

    `chosen`: the values of options; others have their default. A flag or split is used if it is true, a choice if it
    is not at its default.
    """
    used = {name for name, option in options.items() if _is_used(option, chosen.get(name, option.default))}
    conflicts: list[tuple[str, str]] = []
    for name in (n for n in options if n in used):
        option = options[name]
        conflicts += [
            (name, _("`{name}` needs `{other}`, which is not in use", name=name, other=o))
            for o in option.needs
            if o not in used
        ]
        conflicts += [
            (name, _("`{name}` cannot be used together with `{other}`", name=name, other=o))
            for o in option.excludes
            if o in used
        ]
    return conflicts


def _is_used(option: OptionalRule, value: object) -> bool:
    """Return whether an option with this value changes the game."""
    return value != option.default if option.type == "choice" else bool(value)


def _check_defaults(options: dict[str, OptionalRule], ctx: BuildContext) -> None:
    """Report options whose defaults exclude one another."""
    for name, problem in find_option_conflicts(options, {}):
        message = _("{problem}, with the defaults", problem=problem)
        ctx.sink.add_error("option-conflict", message, options[name].origin.span, help=_("change the defaults"))


def build_victory(ctx: BuildContext) -> Victory:
    """Return conditions and levels; empty without a document."""
    tree = ctx.kinds["victory"]
    conditions: dict[str, Embedded] = {}
    origins: dict[str, Provenance] = {}
    for entry in tree.get_mapping("conditions"):
        embedded = _read_expression(get_entry_mapping(entry), "when", ctx)
        origins[entry.key.text] = read_origin(entry, ctx)
        if embedded is not None:
            conditions[entry.key.text] = embedded
    levels = tuple(
        Level(
            e.key.text,
            _read_seat(get_entry_mapping(e), "for", ctx),
            read_label(get_entry_mapping(e).get("title"), ctx, e.key.text),
            _read_expression(get_entry_mapping(e), "when", ctx),
            read_origin(e, ctx),
        )
        for e in tree.get_mapping("levels")
    )
    score = tree.get_mapping("score")
    return Victory(
        conditions,
        levels,
        _read_expression(score, "value", ctx),
        score.get_text("of", "s"),
        _read_expression(tree, "evaluation", ctx),
        origins,
        build_player_texts(tree, ctx),
    )


def build_player_texts(tree: MappingNode, ctx: BuildContext) -> PlayerTexts:
    """Return the texts under `aims`, `counting` and `ending` of a document or entry."""
    return PlayerTexts(_read_aims(tree, ctx), _read_text(tree, "counting", ctx), _read_text(tree, "ending", ctx))


def _read_aims(tree: MappingNode, ctx: BuildContext) -> dict[int, PlayerText]:
    """Return the aim of each seat by its handle."""
    seats, aims = ctx.names.handles["seat"], tree.get_mapping("aims")
    seat_names = ctx.filter_known("seat", (entry.key for entry in aims), seats)
    return {seats[seat]: _build_text(aims.entries[seat], ctx) for seat in seat_names}


def _read_text(tree: MappingNode, key: str, ctx: BuildContext) -> PlayerText | None:
    """Return the text for players under one key, or None."""
    return _build_text(tree.entries[key], ctx) if key in tree else None


def _build_text(entry: MappingEntry, ctx: BuildContext) -> PlayerText:
    return PlayerText(read_label(get_entry_mapping(entry).get("text"), ctx, ""), read_origin(entry, ctx))
