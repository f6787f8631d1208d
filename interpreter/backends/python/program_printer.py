"""A whole program of the intermediate representation as Python: code objects and data for the linker, or text.

Memoized values whose computation charges the budget (see `_find_charging_functions`) are discarded at the start of each
choice. So a choice exceeds its budget at the same point, whatever was memoized before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import CodeType
from typing import Any

from interpreter.backends.python.compiled_program import CompiledProgram
from interpreter.backends.python.decision_description import (
    Data,
    describe_decision,
    describe_draft,
    describe_events,
    describe_phases,
    describe_procedures,
    describe_worded,
)
from interpreter.backends.python.decision_printer import DecisionPrinter
from interpreter.backends.python.expression_printer import METER, STATE, ExpressionPrinter
from interpreter.backends.python.loop_printer import LoopPrinter
from interpreter.backends.python.procedure_printer import ProcedurePrinter
from interpreter.backends.python.python_names import (
    Layout,
    assign_layout,
    format_function_name,
    format_key,
    format_memo_key,
    format_variable,
)
from interpreter.backends.python.ruleset_description import describe_data
from interpreter.backends.python.source_module import NO_TEXTS, ModuleTexts, SourceBlock, SourceModule
from interpreter.backends.python.statement_printer import (
    Memos,
    PlayMemos,
    StatementPrinter,
    format_column_name,
    print_budget_charge,
)
from interpreter.backends.python.texts import Texts
from interpreter.checker.suspension import find_suspension
from interpreter.diagnostics.source_text import NOWHERE, Span
from interpreter.i18n.translator import mark as _
from interpreter.ir import (
    explanation_records as x,
    expression_records as e,
    program_records as ir,
    statement_records as s,
)
from interpreter.ir.program_records import ProgramForm
from interpreter.lowering.step_charges import CostModel, find_static_defines
from interpreter.model.checked_model import CheckedModel
from interpreter.passes.pipeline import BESIDE_PASSES, COUNTED_PASSES, PASSES, PYTHON_PASSES, run_passes
from interpreter.runtime.intrinsics import NAMESPACE
from interpreter.runtime.state import LENT, NOT_KEPT, SHARED
from interpreter.runtime.trace import NOTES

STATIC_STEPS = 8  # steps for each value that is kept for all positions
_QUIET = {"_is_first", "_alike"}  # what the runtime does with a state without counting
_AT_LEAST, _AT_MOST = _("at least"), _("at most")


def compile_program(
    lowered: ir.LoweredProgram, model: CheckedModel, without: Iterable[str] = (), described: bool = True
) -> CompiledProgram:
    """Compile a complete lowered program with its explanations. Raise NestingTooDeepError.

    `model`: the rules it was lowered from, without errors; `without`: the compiler passes to leave out. `described`:
    include the data of the documents, which are the same in every form.
    """
    return ProgramPrinter(lowered, model, without).compile(described)


@dataclass(frozen=True, slots=True)
class PrintedBase:
    """A program for play and its text, from which programs of slightly different rules are compiled."""

    program: CompiledProgram
    texts: ModuleTexts


def compile_base(lowered: ir.LoweredProgram, model: CheckedModel) -> PrintedBase:
    """Compile a program for play, lowered from `model`, and keep its text. Raise NestingTooDeepError."""
    printer = ProgramPrinter(lowered, model)
    program = printer.compile()
    return PrintedBase(program, printer.module.to_texts())


def compile_change(lowered: ir.LoweredProgram, model: CheckedModel, base: PrintedBase) -> CompiledProgram:
    """Compile a slightly different program, lowered from `model`: only the functions whose text differs from the base.

    Returns the code of the base itself if no text differs. Raises NestingTooDeepError.
    """
    return ProgramPrinter(lowered, model, base=base.texts).compile_after(base.program) or compile_program(
        lowered, model
    )


@dataclass(frozen=True, slots=True)
class SharedWithPlay:
    """Data of the form for play that other forms reuse.

    `memo_inputs`: the names of the columns that the values of each memo depend on, by memo key. `written`: the
    ruleset's texts as written in the rules; `texts`: the parts of each text.
    """

    memo_inputs: Mapping[str, Sequence[str]]
    written: Sequence[str]
    texts: Sequence[list[Any]]


def compile_beside(lowered: ir.LoweredProgram, model: CheckedModel, play: Mapping[str, Any]) -> CompiledProgram:
    """Compile the functions in which a form differs from the form for play: procedures, watchers, trace notes.

    `model`: the rules it was lowered from; `play`: the data of the form for play. Raise NestingTooDeepError.
    """
    assert lowered.form.is_beside_play
    shared = SharedWithPlay(play["memo_inputs"], play["written"], play["texts"])
    return ProgramPrinter(lowered, model, play=shared).compile_beside()


def print_program(
    lowered: ir.LoweredProgram, model: CheckedModel, name: str = "", stop_after: str | None = None
) -> str:
    """Return the Python code of a program as text, with the file and line of the rules that each part comes from.

    `model`: the rules it was lowered from; `name`: the name of the items to return, or '' for all; `stop_after`: the
    last compiler pass to run, or None for all.
    """
    printer = ProgramPrinter(lowered, model, stop_after=stop_after)
    printer.add_all()
    return printer.module.to_text(name)


def _memoize_only(program: ir.LoweredProgram, names: frozenset[str]) -> ir.LoweredProgram:
    """Return the program with exactly the functions in `names` memoized; functions of a literal stay unchanged."""
    functions: dict[str, ir.Function] = {}
    for name, function in program.functions.items():
        match function.body:
            case (s.Return(e.Const()),):
                functions[name] = function
            case _:
                functions[name] = replace(function, is_memoized=name in names)
    return replace(program, functions=functions)


class ProgramPrinter:
    """Printer of one program as Python code and data."""

    def __init__(
        self,
        lowered: ir.LoweredProgram,
        model: CheckedModel,
        without: Iterable[str] = (),
        stop_after: str | None = None,
        play: SharedWithPlay | None = None,
        base: ModuleTexts = NO_TEXTS,
    ) -> None:
        self.model = model
        form, names = lowered.form, find_static_defines(model)
        self.static = frozenset(
            f.name
            for f in lowered.functions.values()
            if f.origin is not None and f.origin.sort == "define" and f.origin.name in names
        )
        every_pass = (PASSES | PYTHON_PASSES).keys()
        left_out = set(without)
        if form.counts_requirements:
            left_out |= every_pass - COUNTED_PASSES
        if form.notes_coverage:
            left_out.add("inlining")  # lines are noted in the file that they are in
        memoized = self.static
        if play is not None:
            left_out |= every_pass - BESIDE_PASSES
            memoized |= {f.name for f in lowered.functions.values() if format_memo_key(f) in play.memo_inputs}
        self.program = run_passes(_memoize_only(lowered, memoized), stop_after, left_out, for_python=True)
        self.static |= {f.name for f in self.program.functions.values() if f.origin and f.origin.sort == "static"}
        self.layout = assign_layout(model)
        self.module = SourceModule("S" if play is None else "B", base)
        self.texts = Texts(model.ruleset.locales, *(() if play is None else (play.written, play.texts)))
        self.expressions = ExpressionPrinter(self.program, model.ruleset, self.layout, self.module, self.static)
        self.expressions.shares_values = play is None and not form.counts_requirements
        self.memos = Memos(self.expressions) if play is None else PlayMemos(self.expressions, play.memo_inputs)
        self.procedures = ProcedurePrinter(self.expressions, self.module, self.texts, self.memos)
        self.decisions = DecisionPrinter(self.expressions, self.module, self.texts, CostModel(model, names))

    def compile(self, described: bool = True) -> CompiledProgram:
        """Return the code objects and the data of the program.

        `described`: include the data that describes the ruleset.
        """
        own = self.add_all()
        return self._build_program(self.module.compile_code(), own, described)

    def compile_after(self, base: CompiledProgram) -> CompiledProgram | None:
        """Return the program as the code of a base, then the functions that differ from it.

        Returns None if the program lacks a function of the base.
        """
        own, changed = self.add_all(), self.module.compile_changes()
        return None if changed is None else self._build_program((*base.codes, *changed), own)

    def _build_program(self, codes: tuple[CodeType, ...], own: Data, described: bool = True) -> CompiledProgram:
        counts = _find_charging_functions(codes)
        functions = {format_memo_key(f): format_function_name(f) for f in self.program.functions.values()}
        data = {**(describe_data(self.model, self.layout) if described else {}), **own}
        searches = set(self.expressions.shared.values())
        data["counted"] = sorted(key for key in self.memos.reads if key in searches or functions[key] in counts)
        return CompiledProgram(codes, data)

    def compile_beside(self) -> CompiledProgram:
        """Return only what an instrumented form adds to the form for play: procedures, watchers and trace notes."""
        for function in self.program.functions.values():
            if function.origin is not None and function.origin.sort == "noted define":
                self._add_function(function)
        for procedure in self.program.procedures.values():
            self.procedures.add_procedure(procedure)
        self.procedures.add_watchers()
        _add_notes(self.decisions)
        data = {"form": self.program.form.value, "begins": False, **self._describe_frames()}
        return CompiledProgram(self.module.compile_code(), data)

    def add_all(self) -> Data:
        """Print every function; return the data that describes them."""
        model, program, explanations = self.model, self.program, self.program.explanations
        for function in program.functions.values():
            if function.origin is not None and function.origin.sort in (
                "define",
                "rule",
                "tally",
                "condition",
                "static",
            ):
                self._add_function(function)
        rules = {rule.source.name: self.decisions.add_rule(rule) for rule in explanations.rules}
        for tally in explanations.tallies:
            self.decisions.add_tally_lines(tally)
        drafts: Data = {}
        for explained in explanations.drafts:
            draft = program.drafts[explained.source.name]
            numbers = self.decisions.add_draft(draft, explained)
            drafts[draft.name] = describe_draft(self.decisions, draft, explained, numbers)
        described: list[Data] = []
        for decision, explained_decision in zip(program.decisions, explanations.decisions, strict=True):
            numbers = self.decisions.add_decision(decision, explained_decision)
            described.append(describe_decision(self.decisions, decision, explained_decision, numbers))
        for procedure in program.procedures.values():
            self.procedures.add_procedure(procedure)
        self.procedures.add_watchers()
        texts = {question.name: self.decisions.add_question(question) for question in explanations.questions}
        self._add_state_functions()
        phases = describe_phases(self.decisions, model)
        return {
            "decisions": described,
            "requirements": [
                {
                    "address": r.source.address,
                    "cites": r.source.cites,
                    "file": r.source.span.file,
                    "line": r.source.span.line,
                    "words": text,
                }
                for r, text in self.decisions.requirements
            ],
            "drafts": drafts,
            "rules": rules,
            "events": describe_events(model, texts),
            "memo_inputs": {
                key: sorted(format_column_name(self.expressions, slot) for slot in read)
                for key, read in sorted(self.memos.reads.items())
            },
            "static": sorted(self._list_static_names()),
            "begins": program.form is ProgramForm.PLAY,
            "procedures": describe_procedures(model),
            "free": [[name for name, _ in explained_decision.given] for explained_decision in explanations.decisions],
            "phases": phases,
            "form": program.form.value,
            **self._describe_frames(),
            "texts": self.texts.list_described(),
            "written": self.texts.list_written(),
            "locales": self.texts.list_translated(),
            "worded": describe_worded(model, texts),
        }

    def _list_static_names(self) -> list[str]:
        """Return the names of the defines that read no position."""
        return [f.origin.name for f in self.program.functions.values() if f.name in self.static and f.origin]

    def _describe_frames(self) -> Data:
        """Describe the procedures with frames: their names, the blocks to resume at, the decisions inside each."""
        printer, suspension = self.procedures, find_suspension(self.model)
        return {
            "suspending": sorted(p.name for p in self.program.procedures.values() if p.suspends),
            "uses_later": suspension.uses_later,
            "resumes": {
                name: [[p.block, p.statement, list(p.names), [True] * len(p.names)] for p in points]
                for name, points in printer.resumes.items()
            },
            "around": {
                name: [[block, list(decisions)] for block, decisions in inside]
                for name, inside in printer.around.items()
            },
            "within": [list(printer.within.get(number, ())) for number in range(len(self.program.decisions))],
        }

    # --- functions --------------------------------------------------------------------------------

    def _add_function(self, function: ir.Function) -> None:
        """Add a define, rule, tally or condition; a memoized one looks into the position's memo first."""
        self.expressions.begin_function()
        out, span, name = SourceBlock(), function.span, format_function_name(function)
        is_static = function.name in self.static
        self.expressions.state = METER if is_static else STATE
        params = [format_variable(param) for param, _ in function.params]
        is_define = function.origin is not None and function.origin.sort == "define"
        charge = function.charge or (STATIC_STEPS if is_static and is_define else 0)
        if charge:
            print_budget_charge(out, str(charge), span, self.expressions.state)
        if is_static:
            StatementPrinter(self.expressions, self.texts, self.memos, out).print_body(function.body)
        elif function.is_memoized:
            self._print_memoized(function, params, out)
        else:
            self._print_pure(
                out,
                lambda inner: StatementPrinter(self.expressions, self.texts, self.memos, inner).print_body(
                    function.body
                ),
                span,
            )
        whole = SourceBlock()
        if function.cites:
            whole.add(f"COVERAGE.cite({function.cites!r})", span)
        whole.extend(out)
        self.module.add_function(name, params if is_static else ["G", *params], whole, span)
        self.expressions.state = STATE

    def _print_pure(self, out: SourceBlock, write: Callable[[SourceBlock], None], span: Span) -> None:
        """Write statements without side effects, after the lines that fetch the memo tables they read.

        `write`: writes the statements into a block.
        """
        inner = SourceBlock()
        self.expressions.memo_tables = {}
        write(inner)
        self.expressions.print_memo_tables(out, span)
        out.extend(inner)

    def _print_memoized(self, function: ir.Function, params: list[str], out: SourceBlock) -> None:
        """Write the body of a memoized function: it looks into the memo first.

        `params`: its Python parameters. `out`: holds the charge of a call, and receives the body.
        """
        span, name = function.span, format_function_name(function)
        charged, out.lines = out.lines, []
        key = format_memo_key(function)
        known = format_key(params) if params else "()"
        out.add(f"_m = G.memo.get({key!r})", span)
        out.add(f"if _m is None: _m = G.memo[{key!r}] = {{}}", span)
        out.add(f"_k = {known}", span)
        out.add("if _k in _m: return _m[_k]", span)
        if isinstance(function.body[0], s.Return) and function.body[0].value is not None:
            out.lines += charged
            value = function.body[0].value
            self._print_pure(
                out, lambda inner: LoopPrinter(self.expressions).print_assignment(inner, value, "_r", span), span
            )
            out.add("_m[_k] = _r", span)
        else:
            inner = SourceBlock(charged)
            self._print_pure(
                inner,
                lambda block: StatementPrinter(self.expressions, self.texts, self.memos, block).print_body(
                    function.body
                ),
                span,
            )
            self.module.add_function(name + "_afresh", ["G", *params], inner, span)
            out.add(f"_r = _m[_k] = {name}_afresh({', '.join(['G', *params])})", span)
        out.add("return _r", span)

    # --- states -----------------------------------------------------------------------------------

    def _add_state_functions(self) -> None:
        """Add the functions of the state: copies, snapshots, comparison of interchangeable pieces, ends of turns."""
        layout: Layout = self.layout
        slots = [*LENT, *layout.columns.values(), *SHARED, *layout.game.values()]
        snapshot_slots = [slot for slot in slots if slot not in NOT_KEPT]
        read = ["MARK", "G.at", *(f"G.{slot}" for (kind, _), slot in layout.columns.items() if kind == "piece")]
        lists = [f"k{number}" for number in range(len(read))]
        alike = " and ".join(f"{name}[u] == w{name}" for name in lists)
        self._add_plain_function(
            "copy_state",
            ["self", "cls", "dice"],
            [
                "new = cls()",
                "self.own = new.own = 0",
                *(f"new.{slot} = self.{slot}" for slot in slots),
                "new.dice = self.dice.clone() if dice is None else dice",
                "new.log = None",
                "new.memo = self.memo.copy()",
                "return new",
            ],
        )
        values = ", ".join(f"self.{slot}" for slot in snapshot_slots)
        self._add_plain_function("snapshot_values", ["self", "dice"], ["self.own = 0", f"return ({values}, dice)"])
        filled = ", ".join(f"new.{slot}" for slot in snapshot_slots)
        self._add_plain_function("restore_values", ["new", "kept"], [f"{filled}, new.dice = kept"])
        self._add_plain_function(
            "alike_key", ["G", "u"], ["return (" + ", ".join(f"{column}[u]" for column in read) + ",)"]
        )
        begun = [f"{name} = {column}; w{name} = {name}[one]" for name, column in zip(lists, read, strict=True)]
        self._add_plain_function(
            "alike_to", ["G", "one", "pieces"], [*begun, f"return tuple([u for u in pieces if {alike}])"]
        )
        out = SourceBlock()
        StatementPrinter(self.expressions, self.texts, self.memos, out).print_invalidation(NOWHERE, e.AT)
        self.module.add_function("forget_places", ["G"], out, NOWHERE)
        if self.program.turn_ends:
            out = SourceBlock()
            StatementPrinter(self.expressions, self.texts, self.memos, out).print_body(self.program.turn_ends)
            self.module.add_function("expire_turn", ["G"], out, NOWHERE)

    def _add_plain_function(self, name: str, params: list[str], lines: list[str]) -> None:
        out = SourceBlock()
        for line in lines:
            out.add(line, NOWHERE)
        self.module.add_function(name, params, out, NOWHERE)


def _find_charging_functions(codes: Iterable[CodeType]) -> frozenset[str]:
    """Return the functions that may charge budget steps to a choice, directly or through functions that they name.

    Functions without a state argument charge the program's meter instead.
    """
    nested_codes = [
        part for code in codes for part in _iter_nested_codes(code) if "G" in part.co_varnames[: part.co_argcount]
    ]
    names_by_code = {part.co_name: frozenset(_iter_names(part)) for part in nested_codes}
    own = {name for name, functions in {**NAMESPACE, **NOTES}.items() if _is_state_function(functions)} - _QUIET | {
        "spent"
    }
    functions: set[str] = set()
    further = {name for name, used in names_by_code.items() if not own.isdisjoint(used)}
    while further:
        functions |= further
        further = {
            name for name, used in names_by_code.items() if name not in functions and not functions.isdisjoint(used)
        }
    return frozenset(functions)


def _is_state_function(value: object) -> bool:
    """Return whether an object is a function of the runtime with a state parameter."""
    code = getattr(value, "__code__", None)
    return code is not None and "state" in code.co_varnames[: code.co_argcount]


def _iter_names(code: CodeType) -> Iterable[str]:
    """Yield the names of the functions and attributes that a code object uses, nested code included."""
    yield from code.co_names
    for inner in _iter_nested_codes(code):
        yield from _iter_names(inner)


def _iter_nested_codes(code: CodeType) -> Iterable[CodeType]:
    return (part for part in code.co_consts if isinstance(part, CodeType))


def _add_notes(printer: DecisionPrinter) -> None:
    """Add `nt_name` of each tally, and `tallied_name` of each value that depends on tallies."""
    explanations = printer.expressions.program.explanations
    for notes in explanations.tally_notes:
        _add_tally_note(printer, notes)
    for question in explanations.tallied:
        printer.add_question(question)


def _add_tally_note(printer: DecisionPrinter, notes: x.TallyNotes) -> None:
    """Add the function that sums a tally and records a trace note for every line that applies."""
    printer.expressions.begin_function()
    out, tally = SourceBlock(), notes.source
    for text in ("_m = _mark(G)", "_n = 0", "_l = []"):
        out.add(text, tally.span)
    for line in notes.lines:
        span, expr = line.source.span, printer.expressions.print_expr
        if line.condition is not None:
            out.add(f"if {expr(line.condition)}:", span)
            out.depth += 1
        number, values = printer.texts.number_text(line.words.template), printer.expressions.print_words(line.words)
        sign = "" if line.source.sign > 0 else "-"
        always = isinstance(line.amount, e.Local)  # a value with a name in the rules is noted even if it is 0
        out.add("_k = _mark(G)", span)
        out.add(f"_v = {sign}{expr(line.amount)}", span)
        out.add("_n += _v", span)
        out.add("_i = _take_notes(G, _k)", span)
        line_source = f"_l.append(_TallyLine({number}, {values}, _v, {line.source.cites!r}, _i))"
        out.add(line_source if always else f"if _v: {line_source}", span)
        out.depth = 0
    for bound in notes.bounds:
        span = tally.span
        out.add(f"_v = {'max' if bound.is_least else 'min'}(_n, {printer.expressions.print_expr(bound.value)})", span)
        words = (str(_AT_LEAST if bound.is_least else _AT_MOST), " ", ("number",))
        out.add(f"if _v != _n: _l.append(_TallyLine({words!r}, (_v,), _v - _n, {bound.cites!r}, ()))", span)
        out.add("_n = _v", span)
    out.add(f"return _note_tally(G, _m, {tally.name!r}, {tally.cites!r}, _normalize_number(_n), _l)", tally.span)
    printer.module.add_function(
        "nt_" + tally.name, ["G", *(format_variable(name) for name, _ in notes.params)], out, tally.span
    )
