"""Run all lints over a valid ruleset, such as uncited paragraphs and unused rules.

Findings are warnings: the ruleset stays playable. Errors of a whole ruleset: `checker.whole_ruleset`.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.checker.lints.ambiguous_names import check_meanings, check_names_of_pieces, check_names_of_rules
from interpreter.checker.lints.long_lines import check_lines
from interpreter.checker.lints.possible_dead_ends import check_dead_ends
from interpreter.checker.lints.unused_pieces import check_pieces
from interpreter.checker.lints.vacuous_requirements import check_requirements, iter_requirements
from interpreter.checker.suspension import walk
from interpreter.checker.whole_ruleset import list_immediate_calls
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.message_nouns import get_noun
from interpreter.diagnostics.record_walk import find_reachable
from interpreter.diagnostics.source_text import Span
from interpreter.i18n.translator import mark as _
from interpreter.model import expressions as n, statements as c
from interpreter.model.checked_model import CheckedModel, iter_items, iter_model_records, iter_nested_records
from interpreter.model.ruleset import Provenance


def run_lints(model: CheckedModel, sink: Sink) -> None:
    """Report the findings of all lints, such as unused declarations and paragraphs that no rule implements."""
    _report_uncited(model, sink)
    _report_unused(model, sink)
    _report_watcher_cycles(model, sink)
    _report_literal_numbers(model, sink)
    check_lines(model, sink)
    check_names_of_pieces(model, sink)
    check_meanings(model, sink)
    check_names_of_rules(model, sink)
    check_pieces(model, sink)
    check_dead_ends(model, sink)
    check_requirements(model, sink)


def collect_document_citations(model: CheckedModel) -> dict[str, list[tuple[str, Span]]]:
    """Return the paragraphs that the documents cite: id -> (citing item, span)."""
    out: dict[str, list[tuple[str, Span]]] = {}
    for description, origin in _iter_origins(model):
        for cite in origin.cite:
            out.setdefault(cite, []).append((description, origin.span))
    return out


def _iter_origins(model: CheckedModel) -> Iterator[tuple[str, Provenance]]:
    rs = model.ruleset
    for kind in rs.kinds.values():
        yield kind.id, kind.origin
        for a in kind.attributes.values():
            yield f"{kind.id}.{a.name}", a.origin
        for thing in kind.things:
            yield thing.id, thing.origin
    for group in (rs.classes, rs.game, rs.ladders, rs.dice, rs.tables, rs.constants, rs.options, rs.scenarios):
        yield from ((name, entry.origin) for name, entry in group.items())
    yield from ((level.id, level.origin) for level in rs.victory.levels)
    yield from rs.victory.condition_origins.items()
    told_apart = (*(x.texts for x in rs.scenarios.values()), *(x.texts for x in rs.options.values()))
    for wording in (rs.victory.texts, *told_apart):
        for seat, aim in wording.aims.items():
            yield rs.kinds["seat"].things[seat].id, aim.origin
        yield from ((name, text.origin) for name in ("counting", "ending") if (text := getattr(wording, name)))
    yield rs.id, rs.root


def _report_uncited(model: CheckedModel, sink: Sink) -> None:
    """Report the paragraphs of the rulebook that neither the rules nor the documents cite."""
    cited = set(model.cited) | set(collect_document_citations(model))
    own = {source.name for source in model.ruleset.changes}
    of_variant = model.ruleset.extends is not None
    for p in model.ruleset.rulebook.values():
        if p.id not in cited and not p.definition and (not of_variant or p.origin.span.file in own):
            sink.add_warning(
                "uncited-paragraph",
                _("nothing implements or cites paragraph `{p}`", p=p.id),
                p.origin.span,
                help=_("cite it where it is implemented, or mark it `definition: true` if it needs no rule"),
            )


def _list_used_names(model: CheckedModel) -> set[str]:
    """Return the names used anywhere in rules and documents."""
    used = {"setup", "turn"}
    for node in iter_model_records(model):
        match node:
            case (
                n.CheckedCall(name=name)
                | c.CallProcedure(procedure=name)
                | c.DecideDraft(draft=name)
                | c.ReportEvent(event=name)
            ):
                used.add(name)
    return used


def _report_unused(model: CheckedModel, sink: Sink) -> None:
    """Report the procedures, defines, rules, tallies, drafts and events that nothing uses."""
    used = _list_used_names(model)
    for word, name, item in iter_items(model):
        if name not in used:
            sink.add_warning(
                f"unused-{word}",
                _("{word} `{name}` is never used", word=get_noun(word), name=name),
                item.span,
                help=_("use it, or remove it"),
            )


def _report_watcher_cycles(model: CheckedModel, sink: Sink) -> None:
    """Report watchers whose reports or moves trigger them again, directly or through other watchers."""
    reports: dict[str, set[str]] = {}
    for watcher in model.watchers:
        events = reports.setdefault(watcher.event, set())
        called = find_reachable(
            list_immediate_calls(watcher.body), lambda name: list_immediate_calls(model.procedures[name].body)
        )
        for body in (watcher.body, *(model.procedures[name].body for name in called)):
            events |= {x.event for x in walk(body) if isinstance(x, c.ReportEvent)}
            events |= {"moved" for x in walk(body) if isinstance(x, c.MovePieces)}
    for watcher in model.watchers:
        if watcher.event in find_reachable(reports[watcher.event], lambda event: reports.get(event, ())):
            sink.add_warning(
                "circling-watchers",
                _("the reaction to `{event}` can report `{event}` again", event=watcher.event),
                watcher.span,
                help=_("add a condition that ends it, or delay it with `later`"),
            )


def _report_literal_numbers(model: CheckedModel, sink: Sink) -> None:
    """Report literal numbers in requirements, because variants cannot change them."""
    for requirement in (r for requires, _params in iter_requirements(model) for r in requires):
        for node in iter_nested_records(requirement.test):
            if (
                isinstance(node, n.Literal)
                and type(node.value) is int
                and node.value not in (0, 1, 2)
                and str(node.type) == "int"
                and node.span.source.text[node.span.start : node.span.end].isdigit()
            ):
                sink.add_note(
                    "literal-number",
                    _("the number {more} is written in a requirement, where no variant can change it", more=node.value),
                    node.span,
                    help=_("give it a name under `values:` in a tables document"),
                )
