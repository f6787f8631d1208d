"""A checked model -> code objects (one for each rules file) and plain data for the linker.

The data is JSON-like throughout, so that a compiled ruleset can be kept on disk.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType
from typing import Any, TypeGuard

from interpreter.backends.python.compiled_program import CompiledProgram
from interpreter.backends.python.counted_memos import counting
from interpreter.backends.python.layout import Layout, lay_out
from interpreter.backends.python.ruleset_description import describe_data
from interpreter.backends.python.source_module import NestingTooDeepError as NestingTooDeepError
from interpreter.checker.suspension import find_suspension, walk
from interpreter.compiler.decisions import Decisions
from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.expressions.handlers import HANDLERS
from interpreter.compiler.optimising.drafting.stepping import search_function
from interpreter.compiler.optimising.flattening import Flattener, heavy, is_finite
from interpreter.compiler.optimising.marking import marks_key
from interpreter.compiler.optimising.passes import (
    ALL,
    ASKING,
    BEGINNINGS,
    COLUMNS,
    NOTING,
    ROWS,
    SHARING,
    SPREADS,
    TIDYING,
    WAYS,
)
from interpreter.compiler.optimising.place_marks import marking
from interpreter.compiler.optimising.spreading.edge_ways import places_read
from interpreter.compiler.optimising.spreading.place_spots import spotting
from interpreter.compiler.optimising.spreading.spotting import spots_key
from interpreter.compiler.procedures.effects import Workshop
from interpreter.compiler.procedures.procedure_functions import emit_procedure, emit_watcher
from interpreter.compiler.python_syntax import constant, function, located, name, row, spending, statements
from interpreter.compiler.shortcuts.columns_at_hand import at_hand
from interpreter.compiler.shortcuts.counted_once import counted_once
from interpreter.compiler.shortcuts.loop_rows import in_rows
from interpreter.compiler.shortcuts.shared_loops import shared
from interpreter.compiler.shortcuts.tidied_loops import settled, tidied
from interpreter.diagnostics.source_text import NOWHERE, Span
from interpreter.model import expressions as n, statements as c
from interpreter.model.display_types import display_type
from interpreter.model.types import FlagType, NumberType
from interpreter.runtime.state import LENT, NOT_KEPT, SHARED

Made = list[tuple[ast.stmt, Span]]
PLAY, ODDS, LEDGER, COVERED, ASKED = "play", "odds", "ledger", "covered", "asked"
_PASSES = {PLAY: ALL, COVERED: NOTING, ASKED: ASKING}  # of the forms that are made whole


def compile_model(
    model: c.CheckedModel, form: str = PLAY, without: frozenset[str] = frozenset(), described: bool = True
) -> CompiledProgram:
    """Compile a model without errors.

    `form`: PLAY; COVERED, which records coverage and reports lookups; ASKED, which only counts the results of
    requirements; for ODDS and LEDGER see `beside_play`. All forms have the same columns and decisions, so each can
    take over a state of another. `without`: names of `optimising.passes` to leave out. `described`: include the data
    of the documents, which are the same in every form.
    """
    return assemble(model, form, without, described)[0]


def note_places(emitter: Emitter) -> None:
    """Register the attributes that places reached by searches depend on, so that a change invalidates them."""
    model = emitter.model
    if {SPREADS, WAYS} <= emitter.passes:
        emitter.read_by |= places_read(emitter, c.expressions_in(c.parts_of(model)))


def assemble(
    model: c.CheckedModel, form: str = PLAY, without: frozenset[str] = frozenset(), described: bool = True
) -> tuple[CompiledProgram, Decisions]:
    """Compile a model as `compile_model` does, and return the collected decisions too."""
    layout = lay_out(model)
    passes = _PASSES[form] - without
    emitter = Emitter(model, layout, HANDLERS, form == COVERED, form in (COVERED, ASKED), passes=passes)
    note_places(emitter)
    decisions = Decisions(emitter)
    suspension = find_suspension(model)
    shop = Workshop(emitter, suspension, decisions)
    made: Made = []
    for define in model.defines.values():
        made.extend(define_functions(emitter, define))
    made.extend(spotting(emitter, spotter) for spotter in emitter.spotters.values())
    for rule in model.rules.values():
        decisions.rule(rule)
    for tally in model.tallies.values():
        made.extend(tally_functions(emitter, decisions, tally))
    for draft in model.drafts.values():
        decisions.draft(draft)
    markers = frozenset(emitter.markers)
    flattener = Flattener(model, heavy(model, emitter.remembered, emitter.static | markers), markers)
    for draft in model.drafts.values():
        made.extend(search_function(emitter, flattener, draft))
    emitter.efforts.short.clear()
    made.extend(procedure_functions(shop))
    if expiring := shop.scopes("turn"):
        made.append((function("expire_turn", ["G"], expiring, NOWHERE), NOWHERE))
    made.append((function("forget_places", ["G"], shop.changed("at") or [ast.Pass()], NOWHERE), NOWHERE))
    events = {}
    for e in model.events.values():
        params = ["v_" + n for n, _ in e.params]
        parts = decisions.words_function("say_" + e.name, ["G", *params], e.words, e.span)
        events[e.name] = {"params": [[n, display_type(ty)] for n, ty in e.params], "words": parts, "cites": e.cites}
    made.extend((f, NOWHERE) for f in _state_functions(layout))
    made.extend(expression_functions(emitter, model))
    worded = _worded(decisions, model)
    made.extend(decisions.functions)
    made.extend(emitter.made)
    tidy(made, emitter)
    data = describe_data(model, layout) if described else {}
    data["tabled"] = list(emitter.tables)
    data["named"] = emitter.fresh
    data["parts"] = [[made, kind, cls, slot] for (kind, cls, slot), made in emitter.parts.items()]
    data.update(
        decisions=decisions.described,
        requirements=decisions.requirements,
        drafts=decisions.drafts,
        rules=decisions.rules,
        events=events,
        remembers={name: sorted(read) for name, read in sorted(emitter.read_by.items())},
        whose=dict(sorted(emitter.whose.items())),
        static=sorted(emitter.static),
        begins=BEGINNINGS in passes,
        procedures=procedures_described(model),
        free=[list(f) for f in decisions.free],
        phases=phases_of(model, decisions),
        form=form,
        **resuming(shop, len(decisions.described)),
    )
    texts = decisions.texts
    data.update(texts=texts.described(), written=texts.written(), locales=texts.translated(), worded=worded)
    codes = codes_of(made)
    data["counted"] = counted_memories(emitter, codes)
    return CompiledProgram(codes, data), decisions


def procedure_functions(shop: Workshop) -> Made:
    """Compile the procedures and the watchers of events."""
    made: Made = [(emit_procedure(shop, procedure), procedure.span) for procedure in shop.model.procedures.values()]
    for event in dict.fromkeys(w.event for w in shop.model.watchers):
        made.append((emit_watcher(shop, event), next(w.span for w in shop.model.watchers if w.event == event)))
    return made


def resuming(shop: Workshop, decisions: int) -> dict[str, Any]:
    """Describe the suspending procedures: names, blocks to resume at, options that contain them."""
    return {
        "suspending": sorted(shop.suspension.procedures),
        "uses_later": shop.suspension.uses_later,
        "resumes": shop.resumes,
        "around": shop.around,
        "within": [shop.within.get(n, []) for n in range(decisions)],
    }


def tidy(made: Made, emitter: Emitter) -> None:
    """Run the passes that need whole functions."""
    passes = emitter.passes
    if SHARING in passes:
        for node, span in made:
            if isinstance(node, ast.FunctionDef) and node.name.startswith(("list_", "some_")):
                node.body = shared(node.body, span)
    if TIDYING in passes:
        tidy_loops(made)
    if ROWS in passes:
        in_rows(made, emitter.tables, emitter.efforts.things)
    if COLUMNS in passes:
        for node, _ in made:
            if _writes_nothing(node):
                node.body = at_hand(node.body)


def counted_memories(emitter: Emitter, codes: tuple[CodeType, ...]) -> list[str]:
    """Return the names of caches whose computation is charged to the budget, including all searches."""
    counts = counting(codes)
    made = {marks_key(d): "marks_" + d for d in emitter.markers} | {
        spots_key(d): "spots_" + d for d in emitter.spotters
    }
    made |= {d: "d_" + d for d in emitter.remembered}
    return sorted(memory for memory in emitter.read_by if memory not in made or made[memory] in counts)


def tidy_loops(made: Made) -> None:
    """Tidy the loops of all functions, more so of those that write nothing."""
    for node, _ in made:
        if _writes_nothing(node):
            node.body = counted_once(node.body)
            tidied(node)
        elif isinstance(node, ast.FunctionDef):
            settled(node)


def _writes_nothing(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    return isinstance(node, ast.FunctionDef) and node.name.split("_")[0] in _PURE


_PURE = (
    "d",
    "r",
    "t",
    "list",
    "some",
    "done",
    "steps",
    "search",
    "spread",
    "spots",
    "stands",
    "marks",
    "finish",
    "offer",
    "cond",
    "level",
    "score",
    "evaluation",
    "view",
    "worded",
)


def codes_of(made: Made) -> tuple[CodeType, ...]:
    """Return one code object for each rules file that compiled functions refer to."""
    by_file: dict[str, list[ast.stmt]] = {}
    for node, span in made:
        by_file.setdefault(span.file, []).append(node)
    codes = []
    for file, nodes in by_file.items():
        codes.append(_code(nodes, file))
    return tuple(codes)


def _code(nodes: list[ast.stmt], file: str) -> CodeType:
    module = ast.Module(nodes, [])
    try:
        return compile(located(module, NOWHERE), file, "exec", dont_inherit=True)
    except SyntaxError as fault:  # Python's own limit of loops inside one another
        raise NestingTooDeepError(file, fault.lineno or 0) from None
    except RecursionError:
        raise NestingTooDeepError(file, min((getattr(node, "lineno", 0) for node in nodes), default=0)) from None


FOR_AN_ANSWER = 8  # steps, for each answer that is kept for all positions
_MOST_ANSWERS = 4000  # that a define remembers whose arguments have no end, such as sets


def define_functions(x: Emitter, d: c.CheckedDefine) -> Made:
    """`d_name`, or the functions of a define that marks places."""
    return marking(x, x.markers[d.name]) if d.name in x.markers else [(_define(x, d), d.span)]


def _define(x: Emitter, d: c.CheckedDefine) -> ast.stmt:
    params = ["v_" + n for n, _ in d.params]
    body: list[ast.stmt] = []
    if x.instrument and d.cites:
        body += statements("COVERAGE.cite(_1)", constant(d.cites))
    before, value = x.lifted(d.value)
    steps = x.efforts.call_charge("define", d.name)
    if d.name in x.static:
        steps = steps or FOR_AN_ANSWER
    counted = spending(constant(steps)) if steps else []
    joined = isinstance(d.value, n.Operation) and d.value.name in ("and", "or")
    if d.name in x.remembered and isinstance(d.type, FlagType) and joined:
        before, found = x.decided(d.value)
        value = name(found)
    if d.name in x.remembered and not params:
        body += statements(
            "_r = G.memo.get(_1)\nif _r is not None: return _r\n_2\n_r = G.memo[_1] = _3\nreturn _r",
            constant(d.name),
            [*counted, *before] or [ast.Pass()],
            value,
        )
    elif d.name in x.remembered:
        key = row([name(p) for p in params])
        full = statements(f"if len(_m) >= {_MOST_ANSWERS}: _m.clear()")
        body += statements(
            "_m = G.memo.get(_4)\nif _m is None: _m = G.memo[_4] = {}\n"
            "_k = _1\n_r = _m.get(_k)\nif _r is not None: return _r\n_2\n_r = _m[_k] = _3\nreturn _r",
            key,
            [*counted, *before, *([] if all(is_finite(ty) for _, ty in d.params) else full)] or [ast.Pass()],
            value,
            constant(d.name),
        )
    else:
        body += [*counted, *before, ast.Return(value)]
    return function("d_" + d.name, params if d.name in x.static else ["G", *params], body, d.span)


def tally_functions(x: Emitter, decisions: Decisions, t: c.CheckedTally) -> Made:
    """`t_name` gives the sum; `lines_name` the lines that apply, for ledgers."""
    params = ["v_" + n for n, _ in t.params]
    steps = x.efforts.call_charge("tally", t.name)
    total: list[ast.stmt] = [*(spending(constant(steps)) if steps else []), *statements("_n = 0")]
    lines: list[ast.stmt] = statements("_l = []")
    for line in t.lines:
        (before, quick), amount = x.lifted(line.amount), x.emit(line.amount)
        cover = statements("COVERAGE.cite(_1)", constant(line.cites)) if x.instrument and line.cites else []
        add = [*cover, *before, *statements("_n += _1" if line.sign > 0 else "_n -= _1", quick)]
        parts, values = decisions.words_values(line.words)
        told = statements(
            "_l.append((_1, _2, _3, _4))" if line.sign > 0 else "_l.append((-_1, _2, _3, _4))",
            amount,
            constant(parts),
            values,
            constant(line.cites),
        )
        if line.condition is not None:
            tried, told = x.lifted(line.condition), [ast.If(x.emit(line.condition), told, [])]
            add = [*tried[0], ast.If(tried[1], add, [])]
        total += located(add, line.span)
        lines += located(told, line.span)
    for sort, value, _ in t.bounds:
        total += statements("_n = max(_n, _1)" if sort == "least" else "_n = min(_n, _1)", x.emit(value))
    given = statements("return _normal(_n)" if isinstance(t.type, NumberType) else "return _n")
    return [
        (
            function(
                "t_" + t.name,
                ["G", *params],
                [*total, *given],
                t.span,
            ),
            t.span,
        ),
        (function("lines_" + t.name, ["G", *params], [*lines, *statements("return _l")], t.span), t.span),
    ]


def procedures_described(model: c.CheckedModel) -> dict[str, Any]:
    """Parameters and results of the procedures."""
    return {
        p.name: {
            "params": [[n, display_type(ty)] for n, ty in p.params],
            "result": None if p.result is None else display_type(p.result),
            "cites": p.cites,
        }
        for p in model.procedures.values()
    }


def expression_functions(x: Emitter, model: c.CheckedModel) -> Made:
    """Functions of the expressions written in documents."""
    out: list[tuple[ast.stmt, Span]] = []
    for key, core in model.conditions.items():
        out.append((function("cond_" + key, ["G"], [ast.Return(x.emit(core))], core.span), core.span))
    for index, level in enumerate(model.levels):
        if level is not None:
            out.append((function(f"level_{index}", ["G"], [ast.Return(x.emit(level))], level.span), level.span))
    word = "v_" + (model.ruleset.victory.score_word or "s")
    for identifier, found in (("score_of", model.score), ("evaluation_of", model.evaluation)):
        if found is not None:
            out.append((function(identifier, ["G", word], [ast.Return(x.emit(found))], found.span), found.span))
    for check, core in model.setup_checks.items():
        asked = model.ruleset.setup_checks[check]
        params = ["G", "v_" + asked.word] if asked.of else ["G"]
        out.append((function("setup_check_" + check, params, [ast.Return(x.emit(core))], core.span), core.span))
    for view, core in model.views.items():
        told = model.ruleset.views[view]
        params = ["G", "v_" + told.word] if told.of else ["G"]
        out.append((function("view_" + view, params, [ast.Return(x.emit(core))], core.span), core.span))
    return out


def _attributes_told(core: c.Core) -> Iterator[str]:
    """Yield the attributes that an expression may evaluate to."""
    match core:
        case n.AttributeOf(_, name):
            yield name
        case n.Operation("cond", (_, yes, no)):
            yield from _attributes_told(yes)
            yield from _attributes_told(no)


def _worded(decisions: Decisions, model: c.CheckedModel) -> dict[str, dict[str, list[Any]]]:
    """Return, by text of the documents and language: number, function that fills its placeholders, attributes used."""
    out: dict[str, dict[str, list[Any]]] = {}
    words_of = {w.key: ["v_" + w.word] if w.of else [] for w in model.ruleset.worded}
    for key, by_language in model.worded.items():
        for language, words in by_language.items():
            identifier = f"worded_{sum(map(len, out.values()))}"
            number = decisions.words_function(identifier, ["G", *words_of[key]], words, words.span)
            told = sorted({name for p in words.parts if not isinstance(p, str) for name in _attributes_told(p)})
            out.setdefault(key, {})[language] = [number, identifier, told]
    return out


def _state_functions(layout: Layout) -> list[ast.stmt]:
    """Write the state functions.

    `copy_state` copies a state by straight assignments; `kept_values` returns the values of a suspended state, and
    `put_back` restores them into a new one; `alike_key` identifies groups of equal pieces, and `alike_to` selects the
    pieces of one's group. Original and copy share caches until either changes their inputs, and columns until either
    writes to them.
    """
    slots = [*LENT, *layout.columns.values(), *SHARED, *layout.game.values()]
    copying = ["new = cls()", "self.own = new.own = 0"]
    copying += [f"new.{x} = self.{x}" for x in slots]
    copying += [
        "new.dice = self.dice.clone() if dice is None else dice",
        "new.log = None",
        "new.memo = self.memo.copy()",
        "return new",
    ]
    kept = [x for x in slots if x not in NOT_KEPT]
    values = ", ".join(f"self.{x}" for x in kept)
    filled = ", ".join(f"new.{x}" for x in kept)
    read = ["MARK", "G.at", *(f"G.{slot}" for (kind, _), slot in layout.columns.items() if kind == "piece")]
    key = ", ".join(f"{column}[u]" for column in read)
    lists = [f"k{number}" for number in range(len(read))]
    begun = [f"{made} = {column}\nw{made} = {made}[one]" for made, column in zip(lists, read, strict=True)]
    alike = " and ".join(f"{made}[u] == w{made}" for made in lists)
    same = [*begun, f"out = []\nfor u in pieces:\n    if {alike}: out.append(u)\nreturn tuple(out)"]
    return [
        function("copy_state", ["self", "cls", "dice"], statements("\n".join(copying)), NOWHERE),
        function("kept_values", ["self", "dice"], statements(f"self.own = 0\nreturn ({values}, dice)"), NOWHERE),
        function("put_back", ["new", "kept"], statements(f"{filled}, new.dice = kept"), NOWHERE),
        function("alike_key", ["G", "u"], statements(f"return ({key})"), NOWHERE),
        function("alike_to", ["G", "one", "pieces"], statements("\n".join(same)), NOWHERE),
    ]


def phases_of(model: c.CheckedModel, decisions: Decisions) -> dict[str, Any]:
    """Describe the phases, in order."""
    out: dict[str, Any] = {}
    for p in model.procedures.values():
        for stmt in walk(p.body):
            if isinstance(stmt, c.PhaseBlock):
                parts = stmt.title.parts if stmt.title else (stmt.name,)
                holes = sum(not isinstance(x, str) for x in parts)
                title = stmt.name.replace("_", " ") if holes else "".join(str(x) for x in parts)
                out[stmt.name] = {
                    "title": title,
                    "holes": holes,
                    "cites": stmt.cites,
                    "procedure": p.name,
                    "words": decisions.words_values(stmt.title)[0],
                }
    return {n: out[n] for n in model.phases if n in out}


def compile_expression(model: c.CheckedModel, core: c.Core, instrument: bool = False) -> CodeType:
    """Compile an expression to a function `answer(G)`.

    `instrument`: for use with an instrumented program, which has no precomputed tables.
    """
    emitter = Emitter(model, lay_out(model), HANDLERS, instrument, instrument, core, NOTING if instrument else ALL)
    node = function("answer", ["G"], [ast.Return(emitter.emit(core))], core.span)
    module = located(ast.Module([node], []), NOWHERE)
    return compile(module, core.span.file, "exec", dont_inherit=True)
