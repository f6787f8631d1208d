"""Procedures as Python functions.

One that can reach no decision becomes an ordinary function `p_name(G, ...)`. One that can has blocks:

    procedure ask(a):             def p_ask(G, pc, L):        # resumed at block `pc` with its variables `L`
      block 0: ask decision 0         if pc == 0:
                                          G.pending = _PendingDecision(0, (v_a,), _o)
                                          G.stack = (('ask', 1), (v_a,), G.stack)
      block 1: answer it                  return _ASKED

The procedure that asks puts its resume point and variables on `G.stack`, its callers theirs into `G.above`.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial

from interpreter.backends.python.expression_printer import ExpressionPrinter
from interpreter.backends.python.python_names import format_tuple, format_variable
from interpreter.backends.python.source_module import SourceBlock, SourceModule
from interpreter.backends.python.statement_printer import Memos, StatementPrinter, print_budget_charge
from interpreter.backends.python.texts import Texts
from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.liveness import compute_live_variables

MAX_UNROLLED_BLOCKS = 3  # blocks that are tried one after the other
ROLES = {"items": "s_{}", "index": "i_{}", "subject": "m_{}", "before": "b_before"}
_SUSPENDING = (s.Ask, s.AskDraft, s.CallThen, s.AskChance, s.Close)
WATCHER_STEPS = 20  # budget steps for each reaction to an event


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """A block where a procedure is resumed: the statement that it completes, and the variables of its frame."""

    block: int
    statement: int
    names: tuple[str, ...]


class ProcedurePrinter:
    """Printer of the procedures and watchers of one program; it records where each procedure is resumed."""

    def __init__(self, printer: ExpressionPrinter, module: SourceModule, texts: Texts, memos: Memos) -> None:
        self.expressions = printer
        self.module = module
        self.texts = texts
        self.memos = memos
        self.resumes: dict[str, list[ResumePoint]] = {}
        self.around: dict[str, list[tuple[int, tuple[int, ...]]]] = {}
        self.within: dict[int, tuple[int, ...]] = {}

    def add_procedure(self, procedure: ir.Procedure) -> None:
        """Add the function of a procedure."""
        if procedure.suspends:
            FramedPrinter(self, procedure).add()
            return
        self.expressions.begin_function()
        out = SourceBlock()
        stmts = StatementPrinter(self.expressions, self.texts, self.memos, out)
        span = procedure.span
        if procedure.charge:
            print_budget_charge(out, str(procedure.charge), span)
        if procedure.ending:
            stmts.print_nested("try:", procedure.body, span)
            stmts.print_nested("except _Skip:", procedure.ending, span)
            out.add("    raise", span)
        else:
            stmts.print_body(procedure.body)
        self.module.add_function(
            "p_" + procedure.name, ["G", *(format_variable(n) for n, _ in procedure.params)], out, span
        )

    def add_watchers(self) -> None:
        """Add, for each event, a function that runs its watchers in the order of the rules."""
        for event in dict.fromkeys(w.event for w in self.expressions.program.watchers):
            self.expressions.begin_function()
            watchers = [w for w in self.expressions.program.watchers if w.event == event]
            out = SourceBlock()
            stmts = StatementPrinter(self.expressions, self.texts, self.memos, out)
            params = [f"a{number}" for number in range(len(watchers[0].params))]
            for watcher in watchers:
                for (name, _), arg in zip(watcher.params, params, strict=True):
                    out.add(f"{format_variable(name)} = {arg}", watcher.span)
                test = "True" if watcher.where is None else self.expressions.print_expr(watcher.where)
                stmts.print_nested(
                    f"if {test}:", watcher.body, watcher.span, partial(_print_watcher_charge, out, watcher.span)
                )
            self.module.add_function("watch_" + event, ["G", *params], out, watchers[0].span)


def _print_targets(names: Iterable[str]) -> str:
    """Return the code of variables as the targets of a tuple assignment."""
    return format_tuple(names)[1:-1]


def _print_watcher_charge(out: SourceBlock, span: Span) -> None:
    out.add(f"_spend(G, {WATCHER_STEPS})", span)


class FramedPrinter:
    """Printer of one procedure that can suspend and therefore has a frame."""

    def __init__(self, owner: ProcedurePrinter, procedure: ir.Procedure) -> None:
        self.owner = owner
        self.expressions = owner.expressions
        self.procedure = procedure
        self.out = SourceBlock()
        # a program for odds keeps in a frame what is still read, so that histories that no longer matter become one
        self.is_lean = owner.expressions.program.form.suspends_at_chance
        self.stmts = StatementPrinter(owner.expressions, owner.texts, owner.memos, self.out, is_framed=True)
        self.points: list[ResumePoint] = []
        self.frame = self._list_frame_names()
        self.kept = self._list_live_names() if self.is_lean else {}
        self.results = {
            block.end.resume: block.end.var
            for block in procedure.blocks
            if isinstance(block.end, s.CallThen) and block.end.var is not None
        }

    def _list_frame_names(self) -> list[str]:
        """Return the Python names of the frame's variables; a variable that no author wrote is named by its statement.

        The intermediate representation counts the iterations left of a `repeat`; the Python frame holds a list with an
        item for each iteration and, unless the frame is lean, the index of the next one.
        """
        names: list[str] = []
        self.expressions.begin_function()
        for name in self.procedure.frame:
            role, number = self.procedure.hidden.get(name, ("", 0))
            if role == "left":
                self.stmts.countdowns[name] = (f"s_{number}", f"i_{number}")
                names += self.stmts.countdowns[name][: 1 if self.is_lean else 2]
                continue
            if role == "index" and self.is_lean:
                self.expressions.renamed[name] = ROLES[role].format(number)
                continue
            if role in ROLES:
                self.expressions.renamed[name] = ROLES[role].format(number)
                if role == "before":
                    self.stmts.before = self.expressions.renamed[name]
            names.append(self.expressions.get_name(name))
        for block in self.procedure.blocks:
            for stmt in block.body:
                if isinstance(stmt, s.SetPhase) and stmt.change is not None and stmt.change.is_beginning:
                    self.stmts.outer_phases[stmt.change.statement] = f"b_{stmt.change.statement}"
                    names.append(f"b_{stmt.change.statement}")
        return list(dict.fromkeys(names))

    def _list_live_names(self) -> dict[int, tuple[str, ...]]:
        """Return, by block number, the Python names of the variables that are still read from that block on."""
        if self.procedure.phases:  # a skip can enter them with any of the variables
            return dict.fromkeys(range(len(self.procedure.blocks)), tuple(self.frame))
        names_by_block: dict[int, tuple[str, ...]] = {}
        turns = self.stmts.countdowns
        for number, live in enumerate(compute_live_variables(self.expressions.program, self.procedure)):
            names = {turns[name][0] if name in turns else self.expressions.get_name(name) for name in live}
            names_by_block[number] = tuple(name for name in self.frame if name in names)
        return names_by_block

    def _print_restore(self) -> None:
        """Write the code that restores the variables from a frame."""
        out, span = self.out, self.procedure.span
        resumed = sorted({block.end.resume for block in self.procedure.blocks if isinstance(block.end, _SUSPENDING)})
        resumed = sorted({*resumed, *(n for n, b in enumerate(self.procedure.blocks) if isinstance(b.end, s.Settle))})
        with out.open_block("else:", span):
            if not self.is_lean or self.procedure.phases:
                out.add(f"{_print_targets(self.frame)} = L", span)
                return
            out.add(" = ".join(self.frame) + " = None", span)
            for block in resumed:
                if names := self.kept[block]:
                    out.add(f"if pc == {block}: {_print_targets(names)} = L", span)

    def add(self) -> None:
        """Print the function and add it to the module."""
        procedure, out, span = self.procedure, self.out, self.procedure.span
        name = procedure.name
        params = [format_variable(param) for param, _ in procedure.params]
        with out.open_block("if pc == 0:", span):
            self._print_prologue(params)
        if self.frame:
            self._print_restore()
        with out.open_block("while True:", span):
            handles = bool(procedure.ending or procedure.phases)
            with out.open_block("try:", span) if handles else nullcontext():
                self._print_dispatch(list(enumerate(procedure.blocks)))
                out.add("raise _Skip(G.signal)", span)  # a frame that a skip leaves is resumed at no block
            if handles:
                with out.open_block("except _Skip as _e:", span):
                    self._print_skip_handler()
        self.expressions.renamed = {}
        self.owner.resumes[name] = self.points
        inside = [(p.block, procedure.within[p.block]) for p in self.points if p.block in procedure.within]
        self.owner.around[name] = inside
        self.owner.module.add_function("p_" + name, ["G", "pc", "L"], out, span)

    def _print_prologue(self, params: list[str]) -> None:
        """Write the start of a call: bind the parameters, set the other variables to None, charge the call."""
        out, span = self.out, self.procedure.span
        if params:
            out.add(f"{_print_targets(params)} = L", span)
        locals_ = [name for name in self.frame if name not in params]
        if locals_:
            out.add(" = ".join(locals_) + " = None", span)
        if self.procedure.charge:
            print_budget_charge(out, str(self.procedure.charge), span)
        if not params and not locals_ and not self.procedure.charge:
            out.add("pass", span)

    def _print_skip_handler(self) -> None:
        """Write the code that handles a skip: end the phases it leaves; continue at its phase or return."""
        procedure, out, span = self.procedure, self.out, self.procedure.span
        if any(phase.lasting for phase in procedure.phases):
            out.add("_here = pc if pc >= 0 else -1 - pc", span)  # a frame that is left names its block as -1 - block
        for phase in procedure.phases:
            if not phase.lasting:
                continue
            stays = tuple(outer.name for outer in procedure.phases if phase.name in outer.inside)
            stay = f" and _e.phase not in {stays!r}" if stays else ""
            self.stmts.print_nested(f"if {phase.first} <= _here <= {phase.last}{stay}:", phase.lasting, span)
        for phase in procedure.phases:
            out.add(f"if _e.phase == {phase.name!r}:", span)
            out.add("    G.queue = ()", span)
            out.add(f"    pc = {phase.first}", span)
            out.add("    continue", span)
        self.stmts.print_body(procedure.ending)
        out.add("raise", span)

    # --- blocks -----------------------------------------------------------------------------------

    def _print_dispatch(self, blocks: list[tuple[int, s.Block]]) -> None:
        """Write `if pc == n:` for each block in order: a forward jump falls through to its block in one pass."""
        if len(blocks) > MAX_UNROLLED_BLOCKS:
            middle = len(blocks) // 2
            with self.out.open_block(f"if pc < {blocks[middle][0]}:", self.procedure.span):
                self._print_dispatch(blocks[:middle])
            self._print_dispatch(blocks[middle:])
            return
        for number, block in blocks:
            with self.out.open_block(f"if pc == {number}:", self.procedure.span):
                if number in self.results:
                    self.out.add(f"{self.expressions.get_name(self.results[number])} = G.ret", self.procedure.span)
                self.stmts.print_body(block.body)
                self._print_terminator(number, block)

    def _print_jump(self, target: int, here: int) -> None:
        """Write a jump to block `target`; only a jump backward from block `here` needs another pass of the loop."""
        self.out.add(f"pc = {target}", self.procedure.span)
        if target <= here:
            self.out.add("continue", self.procedure.span)

    def _print_suspension(self, resume: int, called: bool = False) -> None:
        """Write the suspension of the frame.

        `resume`: the block to resume at. `called`: a callee has reached the decision.
        """
        number = self.procedure.blocks[resume].statement
        names = self.kept[resume] if self.is_lean else tuple(self.frame)
        if all(point.block != resume for point in self.points):
            self.points.append(ResumePoint(resume, -1 if number is None else number, names))
        where, values = (self.procedure.name, resume), format_tuple(names)
        stack = "above" if called else "stack"
        self.out.add(f"G.{stack} = ({where!r}, {values}, G.{stack})", self.procedure.span)
        self.out.add("return _ASKED", self.procedure.span)

    def _print_when(self, test: str, target: int, here: int) -> None:
        with self.out.open_block(f"if {test}:", self.procedure.span):
            self._print_jump(target, here)

    def _print_either(self, test: str, yes: int, no: int, here: int) -> None:
        self._print_when(test, yes, here)
        with self.out.open_block("else:", self.procedure.span):
            self._print_jump(no, here)

    def _print_terminator(self, here: int, block: s.Block) -> None:
        """Write the terminator of a block. `here`: the number of the block."""
        out, span, printer = self.out, block.span or self.procedure.span, self.expressions
        match block.end:
            case s.Goto(target):
                self._print_jump(target, here)
            case s.Test(test, yes, no):
                with out.open_block(f"if {printer.print_expr(test)}:", test.span):
                    self._print_jump(yes, here)
                with out.open_block("else:", span):
                    self._print_jump(no, here)
            case s.Next(items, index, var, target, done):
                following, members = printer.get_name(index), printer.get_name(items)
                bind = (
                    None
                    if var is None
                    else f"{printer.get_name(var)} = {members}[{'0' if self.is_lean else following}]"
                )
                self._print_iteration(following, members, bind, target, done, here)
            case s.Countdown(left, target, done):
                turns, following = self.stmts.countdowns[left]
                self._print_iteration(following, turns, None, target, done, here)
            case s.Ask():
                self._print_ask(block.end, here)
            case s.Answer(_, targets, leave):
                out.add("_i, _args = G.answer", span)
                self._print_when("_i < 0", leave, here)
                for number, target in enumerate(targets):
                    self._print_when(f"_i == {number}", target, here)
            case s.AskDraft():
                self._print_ask_draft(block.end, here)
            case s.TakeDraft(_, var, target):
                if var is not None:
                    out.add(f"{printer.get_name(var)} = G.answer", span)
                self._print_jump(target, here)
            case s.AskChance():
                self._print_ask_chance(block.end, here, span)
            case s.Close(decision, resume):
                out.add(f"G.pending = _PendingClose('close', {decision})", span)
                self._print_suspension(resume)
            case s.CallThen(called, args, _, resume):
                out.add(f"_r = p_{called}(G, 0, {format_tuple(printer.print_list(args))})", span)
                with out.open_block("if _r is _ASKED:", span):
                    self._print_suspension(resume, called=True)
                out.add("G.ret = _r", span)
                self._print_jump(resume, here)
            case s.Settle(done):
                with out.open_block("if G.queue:", span):
                    out.add("_r = _run_queued(G)", span)
                    with out.open_block("if _r is _ASKED:", span):
                        self._print_suspension(here, called=True)
                    out.add("continue", span)
                self._print_jump(done, here)
            case s.Leave():
                pass

    def _print_iteration(
        self, following: str, members: str, bind: str | None, target: int, done: int, here: int
    ) -> None:
        """Write the next iteration of a loop; a lean frame stores only the members not yet visited.

        `following`: the Python name of the index of the next member. `members`: the Python name of the tuple of
        members. `bind`: the line that assigns the loop variable, or None. `target`, `done`: the blocks of the body and
        after the loop. `here`: this block.
        """
        out, span = self.out, self.procedure.span
        self._print_when(f"not {members}" if self.is_lean else f"{following} >= len({members})", done, here)
        with out.open_block("else:", span):
            if bind is not None:
                out.add(bind, span)
            out.add(f"{members} = {members}[1:]" if self.is_lean else f"{following} += 1", span)
            self._print_jump(target, here)

    def _print_ask_chance(self, ask: s.AskChance, here: int, span: Span) -> None:
        """Write the suspension before dice or a draw; without dice to roll or members to draw it does not suspend.

        `here`: the number of this block.
        """
        out, printer, chance = self.out, self.expressions, ask.chance
        out.add(f"_n = {'1' if ask.count is None else printer.print_expr(ask.count)}", span)
        if ask.source is None:
            sort, source, least = "roll", f"DIE_{chance.die}", "_n < 1"
            nothing = f"tuple(_roll(G, {chance.name!r}, None, None, {source}, _n, ()))"
            counted = f"_count_dice(G, {chance.name!r}, _n)"
        else:
            sort, source, least = "draw", printer.print_expr(ask.source), "_n < 1 or not _m"
            nothing, counted = "()", "_count_draw(G, _m, _n)"
        out.add(f"_m = {source}", span)
        out.add(f"if {least}:", span)
        out.add(f"    G.answer = {nothing}", span)
        with out.open_block("else:", span):
            out.add(counted, span)
            signs = "None"
            if ask.readings is not None:
                signs = (
                    f"lambda: {format_tuple(self._print_reading(printer, reading, source) for reading in ask.readings)}"
                )
            args = f"{sort!r}, {chance.name!r}, {self.stmts.print_roll_owner(chance)}, _m, _n, {signs}"
            out.add(f"G.pending = _PendingChance({args}, {ask.is_ordered}, {ask.is_summed})", span)
            self._print_suspension(ask.resume)
        self._print_jump(ask.resume, here)

    def _print_reading(self, printer: ExpressionPrinter, reading: s.DieReading, die: str) -> str:
        """Return code for a tuple of what a reading gives for each face; None for a face that fails its test.

        `die`: the code of the faces.
        """
        parts = format_tuple(printer.print_list(reading.parts))
        if reading.where is not None:
            parts = f"({parts} if {printer.print_expr(reading.where)} else None)"
        return f"tuple([{parts} for {printer.get_name(reading.var)} in {die}])"

    def _print_ask(self, ask: s.Ask, here: int) -> None:
        """Write the listing of a decision's options and the suspension, with the jump taken when no option is legal.

        If `ask.alone` is set, also write the automatic choice of a single option. `here`: the number of this block.
        """
        printer, out = self.expressions, self.out
        decision = printer.program.decisions[ask.decision]
        explained = printer.program.explanations.decisions[ask.decision]
        number, span = decision.number, decision.span
        self.owner.within[number] = self.procedure.within.get(here, ())
        variables = [printer.get_name(local.name) for _, local in explained.given]
        args, values = ", ".join(["G", *variables]), format_tuple(variables)
        listed = f"list_{number}({args})"
        out.add(f"_o = {listed}" if ask.alone else f"_o = some_{number}({args}) if G.on_trial else {listed}", span)
        has_end = decision.until_done and bool(decision.finish)
        if has_end:
            out.add(f"_d = done_{number}({args})", span)
        takes_one = ask.alone and (has_end or not decision.until_done)
        if takes_one:
            with out.open_block("if len(_o) == 1 and not _d:" if has_end else "if len(_o) == 1:", span):
                if has_end:
                    out.add("_spend(G)", span)
                out.add("G.answer = _o[0]", span)
                out.add(f"_log_forced_choice(G, {number}, {values}, _o[0])", span)
                self._print_jump(ask.resume, here)
        with out.open_block("elif _o:" if takes_one else "if _o:", span):
            if decision.until_done:
                out.add("if _d: _o.append((-1, ()))" if has_end else "_o.append((-1, ()))", span)
            self._print_decider_check(number, decision.decider, args, span)
            out.add(f"G.pending = _PendingDecision({number}, {values}, _o)", span)
            self._print_suspension(ask.resume)
        with out.open_block("else:", span):
            if has_end:
                self._print_either("_d", ask.out, ask.nobody, here)
            else:
                self._print_jump(ask.out if decision.until_done else ask.nobody, here)

    def _print_decider_check(self, number: int, decider: e.Expr, args: str, span: Span) -> None:
        """Write an early evaluation of the deciding side, if that may fault.

        `number`: the number of the decision. `args`: the code of the arguments of its function `by_N`.
        """
        if self.expressions.may_fault([decider]):
            self.out.add(f"by_{number}({args})", span)

    def _print_ask_draft(self, ask: s.AskDraft, here: int) -> None:
        """Write the suspension for the end of a draft; a mandatory draft without an end is a fault.

        `here`: the number of this block.
        """
        printer, out = self.expressions, self.out
        decision = printer.program.decisions[ask.decision]
        explained = printer.program.explanations.decisions[ask.decision]
        assert decision.draft is not None
        number, span, draft = decision.number, decision.span, repr(decision.draft)
        self.owner.within[number] = self.procedure.within.get(here, ())
        variables = [printer.get_name(local.name) for _, local in explained.given]
        values = format_tuple(variables)
        out.add(f"_args = {format_tuple(printer.print_list(ask.args))}", span)
        if printer.program.drafts[decision.draft].finish:
            out.add(f"if not _possible(G, {draft}, _args): _no_end({draft})", span)
        if ask.alone:
            out.add(f"_f = _sole_end(G, {number}, {values}, {draft}, _args)", span)
        with out.open_block("if _f is None:", span) if ask.alone else nullcontext():
            self._print_decider_check(number, decision.decider, ", ".join(["G", *variables]), span)
            out.add(f"G.pending = _PendingDraft({number}, {values}, _args)", span)
            self._print_suspension(ask.resume)
        if ask.alone:
            out.add("G.answer = _f", span)
            self._print_jump(ask.resume, here)
