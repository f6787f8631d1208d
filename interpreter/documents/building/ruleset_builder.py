"""Builder of the typed ruleset from merged trees: every name resolved, every value checked.

Everything keeps the order in which it is written. `read_documents` is the entry point of document reading: faults in
files never raise, they are reported to the sink.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Span
from interpreter.documents.building.bulk_values import build_regions
from interpreter.documents.building.drawing_builder import build_drawing
from interpreter.documents.building.map_builder import build_edges, build_grid, build_places
from interpreter.documents.building.piece_builder import build_pieces
from interpreter.documents.building.rulebook_builder import build_options, build_rulebook, build_victory
from interpreter.documents.building.scenario_builder import RulesetParts, build_scenarios
from interpreter.documents.building.table_builder import build_constants, build_dice, build_ladders, build_tables
from interpreter.documents.building.template_builder import build_wordings, read_wording
from interpreter.documents.building.thing_builder import build_simple_kinds
from interpreter.documents.cascading_errors import filter_root_causes
from interpreter.documents.pipeline import SECTIONS, MergedDocuments, read_trees
from interpreter.documents.reading.tree import (
    MappingNode,
    Node,
    SequenceNode,
    describe,
    get_entry_mapping,
    read_label_texts,
)
from interpreter.documents.translations import build_locales
from interpreter.documents.values.attributes import read_attributes, read_type
from interpreter.documents.values.context import BuildContext, read_label, read_optional_label, read_origin
from interpreter.documents.values.embedded_rules import read_expression
from interpreter.documents.values.names import collect_names
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import Attribute, Embedded, Provenance, Ruleset, SetupCheck, VariantSummary, View, Worded


def read_documents(target: str, sink: Sink) -> Ruleset | None:
    """Load the ruleset of a shipped id, a folder or a variant file.

    Returns None if a document cannot be read or has the wrong form. With other faults (all in `sink`) the ruleset is
    returned for further checks; play requires that `sink.has_errors` is false.
    """
    trees = read_trees(target, sink)
    if trees is None:
        return None
    later = Sink()
    ruleset = build_ruleset(trees, later)
    root_causes = filter_root_causes(later.items, trees.broken)
    places = {(finding.file, finding.span.start) for finding in root_causes}
    sink.items[:] = [x for x in sink.items if x.code != "bad-text" or (x.file, x.span.start) not in places]
    for finding in root_causes:  # the reader of a text describes its fault better than the schema does
        sink.add(finding)
    return None if trees.broken else ruleset


def build_views(ctx: BuildContext) -> dict[str, View]:
    """Return the views by id, in order; a faulty one is reported and left out."""
    views = {}
    for entry in ctx.kinds["ruleset"].get_mapping("views"):
        form, name = get_entry_mapping(entry), entry.key.text
        entry_read = _read_entry(form, name, "value", ctx)
        if entry_read is not None:
            label, origin = read_label(form.get("name"), ctx, name), read_origin(entry, ctx)
            views[name] = View(name, entry_read[0], form.get_text("as", "it"), entry_read[1], label, origin)
    return views


def build_setup_checks(ctx: BuildContext) -> tuple[dict[str, SetupCheck], tuple[Worded, ...]]:
    """Return (the set-up checks by id, the text of each with its lookup key); a faulty one is reported and left out."""
    checks, words = {}, []
    for entry in ctx.kinds["ruleset"].get_mapping("setup_check"):
        form, name = get_entry_mapping(entry), entry.key.text
        entry_read = _read_entry(form, name, "holds", ctx)
        if entry_read is not None:
            checks[name] = SetupCheck(
                name, entry_read[0], form.get_text("as", "it"), entry_read[1], read_origin(entry, ctx)
            )
            wording = read_wording(form.get("words"), ctx)
            words.append(Worded(f"check.{name}", wording, entry_read[0], form.get_text("as", "it")))
    return checks, tuple(words)


def _read_entry(
    form: MappingNode, name: str, key: str, ctx: BuildContext
) -> tuple[t.ThingType | None, Embedded] | None:
    """Return (subject type, expression) of an entry, or None if either is faulty; the type is None for the game.

    `name`: the name of the entry, for messages; `key`: the key of its expression.
    """
    type_node, value = form.get("of"), form.get(key)
    if value is None:  # the schema has reported it
        return None
    subject, embedded = None if type_node is None else read_type(type_node, ctx), read_expression(value, ctx.sink)
    if isinstance(subject, t.NeverType) or embedded is None:
        return None
    if type_node is not None and not isinstance(subject, t.ThingType):
        message = _(
            "found {found}, expected the kind of things to which `{name}` applies", found=describe(type_node), name=name
        )
        cure = _("write a class of pieces, `place`, `side`, `seat` or a kind of your own")
        ctx.sink.add_error("wrong-type", message, type_node.span, help=cure)
        return None
    return subject if isinstance(subject, t.ThingType) else None, embedded


def build_ruleset(trees: MergedDocuments, sink: Sink) -> Ruleset:
    """Build the ruleset; it is complete even after reported faults.

    Faulty values are None, faulty types `Never`.
    """
    ctx = _create_context(trees, sink)
    tree = ctx.kinds["ruleset"]
    head = trees.heads[-1] if trees.heads else tree
    stock = build_pieces(ctx)
    kinds = build_simple_kinds(ctx) | {"place": build_places(ctx), "edge": build_edges(ctx), "piece": stock.pieces}
    tables, records = build_tables(ctx)
    options = build_options(ctx)
    game = _build_game_values(ctx)
    parts = RulesetParts(kinds, stock, game, options)
    rulebook = build_rulebook(ctx)
    checks, words_of_checks = build_setup_checks(ctx)
    return Ruleset(
        id=head.get_text("id"),
        title=read_label(head.get("title"), ctx, head.get_text("id")),
        version=head.get_text("version") or tree.get_text("version"),
        languages=ctx.languages,
        about=read_label(head.get("about") or tree.get("about"), ctx, ""),
        kinds=kinds,
        classes=stock.classes,
        game=game,
        ladders=build_ladders(ctx),
        dice=build_dice(ctx),
        tables=tables,
        constants=build_constants(ctx),
        records=records,
        regions=build_regions(ctx),
        grid=build_grid(ctx),
        rulebook=rulebook,
        options=options,
        scenarios=build_scenarios(parts, ctx),
        victory=build_victory(ctx),
        rules=trees.rules,
        changes=trees.changes,
        seats=tuple(range(len(kinds["seat"].things))),
        content_hash=trees.content_hash,
        reconstructed=_collect_reconstruction_notes(ctx),
        extends=tree.get_text("id") if trees.heads else None,
        variants=tuple(
            VariantSummary(
                read_label_texts(one.get("title"), ctx.languages), read_label_texts(one.get("about"), ctx.languages)
            )
            for one in trees.heads
        ),
        root=Provenance(head.entries["id"].key.span if "id" in head else head.span),
        drawing=build_drawing(kinds, stock.classes, ctx),
        locales=ctx.locales,
        views=build_views(ctx),
        worded=(*build_wordings(kinds, stock.classes, ctx), *words_of_checks),
        setup_checks=checks,
    )


def rebuild_tables(ruleset: Ruleset, trees: MergedDocuments, sink: Sink) -> Ruleset:
    """Rebuild only the charts of a ruleset from trees that differ from its own in chart cells alone."""
    tables, records = build_tables(_create_context(trees, sink))
    return replace(ruleset, tables=tables, records=records)


def _create_context(trees: MergedDocuments, sink: Sink) -> BuildContext:
    languages = tuple(dict.fromkeys(i.text for i in trees.kinds["ruleset"].list_scalars("languages"))) or ("en",)
    locales = build_locales(trees.locales, languages, sink)
    return BuildContext(trees.kinds, collect_names(trees.kinds, sink), languages, sink, locales, trees.folder)


def _build_game_values(ctx: BuildContext) -> dict[str, Attribute]:
    tree = ctx.kinds["ruleset"].get_mapping("game")
    game = read_attributes(tree, ctx, all_change=True)
    for name, attribute in game.items():
        if not attribute.has_default and attribute.lasts is None:
            message = _("`{name}` has no initial value", name=name)
            ctx.sink.add_error("missing-default", message, attribute.origin.span, help=_("add `default:`"))
    return game


def _collect_reconstruction_notes(ctx: BuildContext) -> tuple[tuple[str, Provenance], ...]:
    """Return the ruleset's own note on reconstruction, then every entry marked as reconstructed, by path."""
    notes: list[tuple[str, Provenance]] = []
    node = ctx.kinds["ruleset"].get("reconstructed")
    if node is not None:
        notes.append(("ruleset", Provenance(node.span, source="reconstructed", note=read_label(node, ctx, ""))))
    for section in SECTIONS:
        _collect_reconstructed(section, ctx.kinds[section], ctx.kinds[section].span, ctx, notes)
    return tuple(notes)


def _collect_reconstructed(
    path: str, node: Node, span: Span, ctx: BuildContext, notes: list[tuple[str, Provenance]]
) -> None:
    """Append (path, origin) to `notes` for each reconstructed mapping in a node.

    `path`, `span`: of the node itself.
    """
    if isinstance(node, SequenceNode):
        return
    if isinstance(node, MappingNode):
        if node.get_text("source") == "reconstructed":
            note = read_optional_label(node.get("note"), ctx)
            cites = tuple(i.text for i in node.list_scalars("cite"))
            notes.append((path, Provenance(span, cites, "reconstructed", note)))
        for entry in node:
            _collect_reconstructed(f"{path}.{entry.key.text}", entry.value, entry.key.span, ctx, notes)
