"""Incremental compilation of a changed rule: recompile the item and the items that inline it.

The new functions are executed after those of the original rules and replace them by name; their decisions,
requirements and texts get new numbers after the old ones, which are no longer used. If a change could affect anything
else there is no patch, and everything has to be compiled. Neither checks nor runs rules.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import Any

from interpreter.backends.python.compiled_program import CompiledProgram
from interpreter.backends.python.layout import Layout, lay_out
from interpreter.checker.suspension import Suspension, find_suspension
from interpreter.compiler.assembling import (
    codes_of,
    counted_memories,
    define_functions,
    expression_functions,
    note_places,
    phases_of,
    procedures_described,
    tally_functions,
)
from interpreter.compiler.decisions import Decisions
from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.expressions.handlers import HANDLERS
from interpreter.compiler.optimising.drafting.stepping import search_function
from interpreter.compiler.optimising.flattening import Flattener, heavy
from interpreter.compiler.optimising.spreading.place_spots import spotting
from interpreter.compiler.procedures.effects import Workshop
from interpreter.compiler.procedures.procedure_functions import emit_procedure, emit_watcher
from interpreter.diagnostics.record_walk import reachable, records_within
from interpreter.diagnostics.source_text import Span
from interpreter.language import syntax as s
from interpreter.model import statements as c
from interpreter.model.expressions import CheckedCall

Item = tuple[str, str]  # sort and name
Made = list[tuple[ast.stmt, Span]]
_WRITTEN_OUT = ("define", "rule", "tally")
_DOCUMENTS = ("document", "")  # expressions in documents
_TOLD = ("told", "")  # texts that are only displayed, such as those of events


@dataclass(frozen=True, slots=True)
class Whole:
    """The original rules, compiled, with the results of the analyses. `users`: what mentions a define, rule ..."""

    model: c.CheckedModel
    compiled: CompiledProgram
    emitter: Emitter
    layout: Layout
    suspension: Suspension
    decisions: Decisions
    data: dict[str, Any]
    users: dict[Item, set[Item]]


def collect_analyses(model: c.CheckedModel, compiled: CompiledProgram, decisions: Decisions) -> Whole:
    """Collect what patching needs from compiled rules; `decisions` are those collected by that compilation."""
    users: dict[Item, set[Item]] = {}
    for user, node in _parts(model):
        for used in _iter_mentions(node):
            users.setdefault(used, set()).add(user)
    return Whole(
        model,
        compiled,
        decisions.x,
        lay_out(model),
        find_suspension(model),
        decisions,
        json.loads(json.dumps(compiled.data)),
        users,
    )


def item_of(node: s.Item) -> Item | None:
    """Return the key of an item, or None if a change of it requires a full compilation."""
    match node:
        case s.DefineDecl():
            return "define", node.name
        case s.RuleDecl():
            return "rule", node.name
        case s.TallyDecl():
            return "tally", node.name
        case s.DraftDecl():
            return "draft", node.name
        case s.ProcedureDecl() | s.SequenceDecl():
            return "procedure", node.name
        case s.WatcherDecl():
            return "watcher", node.event
    return None


def compile_patch(plain: Whole, model: c.CheckedModel, item: Item) -> CompiledProgram | None:
    """Return the compiled rules with one item changed, or None if patching is impossible."""
    touched = _find_inlining_items(plain, item)
    emitter = Emitter(model, plain.layout, HANDLERS)
    note_places(emitter)
    suspension = find_suspension(model)
    if _TOLD in touched or suspension != plain.suspension or not _is_rest_unchanged(plain, emitter):
        return None
    emitter.tables = dict(plain.emitter.tables)
    emitter.parts, emitter.fresh = dict(plain.emitter.parts), plain.emitter.fresh
    decisions = _continue_decisions(plain.decisions, emitter)
    shop = Workshop(emitter, suspension, decisions)
    emitted = _emit_functions(shop, model, touched)
    if emitted is None:
        return None
    made = [*emitted, *decisions.functions, *emitter.made]
    codes = (*plain.compiled.codes, *codes_of(made))
    news = {
        "decisions": decisions.described,
        "requirements": decisions.requirements,
        "drafts": decisions.drafts,
        "rules": decisions.rules,
        "texts": decisions.texts.described(),
        "written": decisions.texts.written(),
        "named": emitter.fresh,
        "free": decisions.free,
        "static": sorted(emitter.static),
        "tabled": list(emitter.tables),
        "phases": phases_of(model, decisions),
        "procedures": procedures_described(model),
        "resumes": {**plain.data["resumes"], **shop.resumes},
        "around": {**plain.data["around"], **shop.around},
        "within": [
            *plain.data["within"],
            *(shop.within.get(n, []) for n in range(len(plain.data["within"]), len(decisions.described))),
        ],
        "counted": counted_memories(emitter, codes),
        "parts": [[name, kind, cls, slot] for (kind, cls, slot), name in emitter.parts.items()],
    }
    return CompiledProgram(codes, {**plain.data, **json.loads(json.dumps(news))})


def _find_inlining_items(plain: Whole, item: Item) -> set[Item]:
    """Return an item and all items that may inline it, directly or transitively."""
    return set(reachable([item], lambda one: plain.users.get(one, ())))


def _is_rest_unchanged(plain: Whole, emitter: Emitter) -> bool:
    """Return True if the rest of the rules compiles as before: equal memo tables with equal lifetimes."""
    old, model, new = plain.emitter, plain.model, emitter.model
    return (
        emitter.remembered == old.remembered
        and emitter.read_by == old.read_by
        and emitter.whose == old.whose
        and emitter.markers.keys() == old.markers.keys()
        and emitter.spotters.keys() == old.spotters.keys()
        and len(emitter.searches) == len(old.searches)
        and new.records == model.records
        and new.phases == model.phases
        and {d.name: d.staged for d in new.drafts.values()} == {d.name: d.staged for d in model.drafts.values()}
    )


def _continue_decisions(old: Decisions, emitter: Emitter) -> Decisions:
    """Return a collection of decisions that continues the numbers of an earlier one."""
    decisions = Decisions(emitter)
    decisions.texts = old.texts.copy()
    decisions.described, decisions.free = list(old.described), list(old.free)
    decisions.requirements = list(old.requirements)
    decisions.drafts, decisions.rules = copy(old.drafts), copy(old.rules)
    return decisions


def _emit_functions(shop: Workshop, model: c.CheckedModel, touched: set[Item]) -> Made | None:
    """Emit the functions of the touched items, or return None if a draft would use another search."""
    emitter, decisions = shop.x, shop.decisions
    made: Made = []
    names = {
        sort: {name for kind, name in touched if kind == sort}
        for sort in (*_WRITTEN_OUT, "draft", "procedure", "watcher")
    }
    for define in model.defines.values():
        if define.name in names["define"]:
            made += define_functions(emitter, define)
    made += [spotting(emitter, spotter) for name, spotter in emitter.spotters.items() if name in names["define"]]
    for rule in model.rules.values():
        if rule.name in names["rule"]:
            decisions.rule(rule)
    for tally in model.tallies.values():
        if tally.name in names["tally"]:
            made += tally_functions(emitter, decisions, tally)
    drafts = [draft for draft in model.drafts.values() if draft.name in names["draft"]]
    for draft in drafts:
        decisions.draft(draft)
    markers = frozenset(emitter.markers)
    for draft in drafts:
        flattener = Flattener(model, heavy(model, emitter.remembered, emitter.static | markers), markers)
        search = search_function(emitter, flattener, draft)
        if not search:
            return None
        made += search
    for procedure in model.procedures.values():
        if procedure.name in names["procedure"]:
            made.append((emit_procedure(shop, procedure), procedure.span))
    for event in sorted(names["watcher"]):
        made.append((emit_watcher(shop, event), next(w.span for w in model.watchers if w.event == event)))
    return made + (expression_functions(emitter, model) if _DOCUMENTS in touched else [])


# --- mentions between items ----------------------------------------------------------------------


def _parts(model: c.CheckedModel) -> Iterator[tuple[Item, Any]]:
    """Yield every item with its checked nodes."""
    yield from (((sort, name), node) for sort, name, node in c.items_of(model) if sort != "event")
    for watcher in model.watchers:
        yield ("watcher", watcher.event), watcher
    yield _DOCUMENTS, (model.conditions, model.levels, model.score, model.evaluation, model.views, model.setup_checks)
    yield _TOLD, (model.events, model.worded)


def _iter_mentions(node: object) -> Iterator[Item]:
    """Yield the defines, rules, tallies and drafts mentioned anywhere in a node."""
    for part in records_within(node, but_for=("type",)):
        match part:
            case CheckedCall():
                yield part.sort, part.name
            case c.DecideDraft():
                yield "draft", part.draft
