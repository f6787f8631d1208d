"""Statements of the intermediate representation as Python statements; the same in functions and in blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext

from interpreter.backends.python.expression_printer import ExpressionPrinter
from interpreter.backends.python.loop_printer import LoopPrinter
from interpreter.backends.python.python_names import format_memo_key, format_tuple
from interpreter.backends.python.source_module import SourceBlock
from interpreter.backends.python.texts import Texts
from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.effect_analysis import EVERYTHING
from interpreter.ir.traversal import iter_expressions
from interpreter.model import types as t
from interpreter.model.types import strip_maybe, to_display_type
from interpreter.runtime.builtins.registry import EVERYTHING as ALL_SLOTS
from interpreter.runtime.limits import LIMITS
from interpreter.runtime.state import assign_ownership_bits

PHASE_STEPS = 100  # budget steps for the beginning of a phase
MOVED = "moved"  # the event of every move


class Memos:
    """The memoized functions of a program: the memo key of each, and the slots that it reads."""

    def __init__(self, printer: ExpressionPrinter) -> None:
        self.reads: dict[str, frozenset[e.Slot]] = {}
        for function in printer.program.functions.values():
            if function.is_memoized and function.name not in printer.static:
                self.reads[format_memo_key(function)] = printer.effects.get_function_effects(function.name).reads
            self._share_searches(printer, function)

    def _share_searches(self, printer: ExpressionPrinter, function: ir.Function) -> None:
        """Register a function's distance searches, whose result serves every goal until a slot it reads is written."""
        for outer in iter_expressions(function.body):
            for expr in e.list_descendants(outer):
                if isinstance(expr, e.Search) and expr.sort == "distance" and expr.goal and expr.within is None:
                    key = f"search {len(printer.shared)}"
                    printer.shared[id(expr)] = key
                    tests = (part for part in (expr.where, expr.cost) if part is not None)
                    self.reads[key] = printer.effects.combine_effects(tests).reads

    def list_keys(self, *slots: e.Slot) -> list[str]:
        """Return the memo keys to invalidate after these slots are written."""
        reads = {*slots, EVERYTHING}
        return [key for key, read in self.reads.items() if not read.isdisjoint(reads)]


class PlayMemos(Memos):
    """The memoized functions of the form for play, with the columns that each reads; other forms share the memos."""

    def __init__(self, printer: ExpressionPrinter, columns: Mapping[str, Iterable[str]]) -> None:
        self.expressions = printer
        self.reads = {}
        self.columns = {key: frozenset(read) for key, read in columns.items()}

    def list_keys(self, *slots: e.Slot) -> list[str]:
        """Return the memo keys to invalidate after these slots are written."""
        columns = {*(format_column_name(self.expressions, slot) for slot in slots), ALL_SLOTS}
        return [key for key, read in self.columns.items() if not read.isdisjoint(columns)]


def format_column_name(printer: ExpressionPrinter, slot: e.Slot) -> str:
    """Return the name that the invalidation code of the runtime uses for a slot."""
    if slot == EVERYTHING:
        return ALL_SLOTS
    return "options" if slot.kind == "option" else printer.get_slot_attribute(slot)


def print_budget_charge(out: SourceBlock, steps: str, span: Span, state: str = "G") -> None:
    """Write a charge to the budget of a choice. `steps`: the code of the number. `state`: the name of the state."""
    out.add(f"{state}.spent += {steps}", span)
    out.add(f"if {state}.spent > {LIMITS.steps}: _out_of_steps()", span)


class StatementPrinter:
    """Printer of the statements of one procedure, watcher or function, into a block."""

    def __init__(
        self,
        printer: ExpressionPrinter,
        texts: Texts,
        memos: Memos,
        out: SourceBlock,
        is_framed: bool = False,
    ) -> None:
        self.expressions = printer
        self.texts = texts
        self.memos = memos
        self.out = out
        self.is_framed = is_framed
        self.loops = LoopPrinter(printer)
        self.countdowns: dict[str, tuple[str, str]] = {}  # number of turns left -> list of turns, number of the next
        self.outer_phases: dict[int, str] = {}  # phase statement -> variable of the phase around it
        self.before = ""  # variable of the phase in which the procedure was called
        self.marks = assign_ownership_bits(printer.layout.columns.values())
        self.watched = frozenset(w.event for w in printer.program.watchers)

    def print_body(self, body: s.Body) -> None:
        """Write statements in order."""
        for stmt in body:
            _HANDLERS[type(stmt)](self, stmt)

    def print_nested(self, head: str, body: s.Body, span: Span, first: Callable[[], None] | None = None) -> None:
        """Write a statement `head` with a body. `first`: writes lines before the body, or None."""
        with self.out.open_block(head, span):
            count = len(self.out.lines)
            if first is not None:
                first()
            self.print_body(body)
            if len(self.out.lines) == count:
                self.out.add("pass", span)

    def print_invalidation(self, span: Span, *slots: e.Slot) -> None:
        """Write the invalidation of the memoized values that depend on these slots."""
        for key in self.memos.list_keys(*slots):
            self.out.add(f"G.memo.pop({key!r}, None)", span)

    # --- values ---------------------------------------------------------------------------------

    def print_size_check(self, value: str, keeps: str) -> str:
        """Return the code of a stored value, wrapped in the check of its size.

        `keeps`: which size is limited: "number" (digits), "members" or "" for no check.
        """
        return {"": value, "number": f"_require_digits({value})", "members": f"_require_nested_members(G, {value})"}[
            keeps
        ]

    def print_assign(self, stmt: s.Assign) -> None:
        if stmt.name in self.countdowns:
            turns, following = self.countdowns[stmt.name]
            self.out.add(f"{turns} = tuple(range({self.expressions.print_expr(stmt.value)}))", stmt.span)
            self.out.add(f"{following} = 0", stmt.span)
            return
        value = self.print_size_check(self.expressions.print_expr(stmt.value), stmt.keeps)
        self.out.add(f"{self.expressions.get_name(stmt.name)} = {value}", stmt.span)

    def print_store(self, stmt: s.Store) -> None:
        slot, span = stmt.slot, stmt.span
        column = self.expressions.get_slot_attribute(slot)
        value = self.print_size_check(self.expressions.print_expr(stmt.value), stmt.keeps)
        forgotten = self.memos.list_keys(slot)
        if stmt.owner is None:
            if stmt.cites:
                self.out.add(f"_v = {value}", span)
                logged = f"_LoggedChange('game', {slot.name!r}, 0, _v, {stmt.cites!r})"
                self.out.add(f"if G.log is not None and G.{column} != _v: G.log.append({logged})", span)
                value = "_v"
            self.out.add(f"G.{column} = {value}", span)
            self.print_invalidation(span, slot)
            return
        owner, mark = self.expressions.print_expr(stmt.owner), self.marks[column]
        is_compared = bool(stmt.cites or forgotten)  # an unchanged value keeps its memos
        if is_compared or self.expressions.may_fault([stmt.owner, stmt.value]):
            self.out.add(f"_o = {owner}", span)
            self.out.add(f"_v = {value}", span)
            owner, value = "_o", "_v"
        with self.out.open_block(f"if G.{column}[_o] != _v:", span) if is_compared else nullcontext():
            if stmt.cites:
                logged = f"_LoggedChange({slot.kind!r}, {slot.name!r}, _o, _v, {stmt.cites!r})"
                self.out.add(f"if G.log is not None: G.log.append({logged})", span)
            self.out.add(f"if not G.own & {mark}: _own_list(G, {column!r}, {mark})", span)
            self.out.add(f"G.{column}[{owner}] = {value}", span)
            self.print_invalidation(span, slot)

    def print_reset(self, stmt: s.Reset) -> None:
        column, value = self.expressions.get_slot_attribute(stmt.slot), self.expressions.print_constant(stmt.value)
        count = self.expressions.program.columns[stmt.slot].count
        text = value if stmt.slot.kind == "game" else f"[{value}] * {count}"
        self.out.add(f"G.{column} = {text}", stmt.span)
        self.print_invalidation(stmt.span, stmt.slot)

    def print_move(self, stmt: s.Move) -> None:
        piece, place = self.expressions.print_expr(stmt.piece), self.expressions.print_expr(stmt.place)
        if MOVED not in self.watched:
            self.out.add(f"_move(G, {piece}, {place}, {stmt.cites!r})", stmt.span)
            return
        self.out.add(f"_u, _t = {piece}, {place}", stmt.span)
        self.out.add("_f = G.at[_u]", stmt.span)
        self.out.add(f"_move(G, _u, _t, {stmt.cites!r})", stmt.span)
        self.out.add("if _f != _t: watch_moved(G, _u, _f, _t)", stmt.span)

    # --- branches and loops ----------------------------------------------------------------------

    def print_branch(self, stmt: s.If) -> None:
        test = self.loops.print_value(self.out, stmt.test, stmt.span)
        if not stmt.yes:
            self.print_nested(f"if not {test}:", stmt.no, stmt.span)
            return
        self.print_nested(f"if {test}:", stmt.yes, stmt.span)
        if stmt.no:
            self.print_nested("else:", stmt.no, stmt.span)

    def print_loop(self, stmt: s.While) -> None:
        self.print_nested(
            f"while {self.expressions.print_expr(stmt.test)}:",
            stmt.body,
            stmt.span,
            lambda: print_budget_charge(self.out, str(stmt.charge), stmt.span),
        )

    def print_for_each(self, stmt: s.ForEach) -> None:
        match stmt:
            case s.ForEach(domain=domain, body=(s.Move(place=place, cites=cites),), moves_all=True):
                if MOVED not in self.watched:
                    pieces = self.expressions.print_expr(domain)
                    self.out.add(f"_move_all(G, {pieces}, {self.expressions.print_expr(place)}, {cites!r})", stmt.span)
                    return
        head = (
            f"for {self.expressions.get_name(stmt.var)} in {self.expressions.print_domain(stmt.domain, stmt.charge)}:"
        )
        self.print_nested(head, stmt.body, stmt.span)

    def print_repeat(self, stmt: s.Repeat) -> None:
        self.print_nested(
            f"for _ in _charge_repeats(G, {self.expressions.print_expr(stmt.count)}, {stmt.charge}):",
            stmt.body,
            stmt.span,
        )

    def print_charge(self, stmt: s.Charge) -> None:
        match stmt.times:
            case None:
                print_budget_charge(self.out, str(stmt.steps), stmt.span)
            case e.Local(name) if name in self.countdowns:
                self.out.add(f"_charge_repeats(G, len({self.countdowns[name][0]}), {stmt.steps})", stmt.span)
            case times:
                self.out.add(f"_charge_items(G, {self.expressions.print_expr(times)}, {stmt.steps})", stmt.span)

    # --- chance ----------------------------------------------------------------------------------

    def print_roll_owner(self, chance: s.Chance) -> str:
        """Return the code of two arguments, the kind and the value of what a roll or draw is made for.

        The kind is "" for a value that is not a thing; both are None for nothing.
        """
        if chance.subject is None:
            return "None, None"
        type_ = chance.subject.type
        kind = type_.kind if isinstance(type_, t.ThingType) else ""
        return f"{kind!r}, {self.expressions.print_expr(chance.subject)}"

    def print_roll(self, stmt: s.Roll) -> None:
        chance = stmt.chance
        assert chance is not None
        count = "1" if stmt.count is None else self.expressions.print_expr(stmt.count)
        args = f"{chance.name!r}, {self.print_roll_owner(chance)}, DIE_{chance.die}, {count}, {chance.cites!r}"
        if chance.thrower is not None:
            args += f", {self.expressions.print_expr(chance.thrower)}"
        call = f"_roll(G, {args})"
        call = f"{call}[0]" if stmt.count is None else f"tuple({call})"
        self.out.add(f"{self.expressions.get_name(stmt.var)} = {call}", stmt.span)

    def print_draw(self, stmt: s.Draw) -> None:
        chance = stmt.chance
        assert chance is not None
        count = "1" if stmt.count is None else self.expressions.print_expr(stmt.count)
        collection = strip_maybe(stmt.source.type)
        item = (collection.item if isinstance(collection, t.SetType | t.ListType) else None) or t.NEVER
        source = self.expressions.print_expr(stmt.source)
        args = f"{chance.name!r}, {self.print_roll_owner(chance)}, {source}, {count}, {chance.cites!r}"
        call = f"_draw(G, {args}, {to_display_type(item)!r})"
        if stmt.count is None:
            call = f"_single_member({call}, {chance.name!r})"
        self.out.add(f"{self.expressions.get_name(stmt.var)} = {call}", stmt.span)

    # --- calls and events --------------------------------------------------------------------------

    def print_run(self, stmt: s.Run) -> None:
        if self.expressions.program.procedures[
            stmt.procedure
        ].suspends:  # it holds phases: there it can only end the game
            self.out.add(
                f"_r = p_{stmt.procedure}(G, 0, {format_tuple(self.expressions.print_list(stmt.args))})", stmt.span
            )
            self.out.add("if _r is _ASKED: raise _Ended", stmt.span)
            if stmt.var is not None:
                self.out.add(f"{self.expressions.get_name(stmt.var)} = _r", stmt.span)
            return
        call = f"p_{stmt.procedure}({', '.join(['G', *self.expressions.print_list(stmt.args)])})"
        self.out.add(call if stmt.var is None else f"{self.expressions.get_name(stmt.var)} = {call}", stmt.span)

    def print_watch(self, stmt: s.Watch) -> None:
        self.out.add(f"watch_{stmt.event}({', '.join(['G', *self.expressions.print_list(stmt.args)])})", stmt.span)

    def print_later(self, stmt: s.Later) -> None:
        self.out.add(
            f"_queue_call(G, {stmt.procedure!r}, {format_tuple(self.expressions.print_list(stmt.args))})", stmt.span
        )

    def print_report(self, stmt: s.Report) -> None:
        """Write the logging of an event; a text that may fault is evaluated whether or not there is a log."""
        args, span = format_tuple(self.expressions.print_list(stmt.args)), stmt.span
        values = () if stmt.words is None else stmt.words.values
        text = self.expressions.print_words(stmt.words)
        logged = f"_LoggedReport({stmt.event!r}, {args}, {stmt.cites!r}, "
        if self.expressions.may_fault(values):
            self.out.add(f"_w = {text}", span)
            self.out.add(f"if G.log is not None: G.log.append({logged}_w))", span)
            return
        is_long = any(isinstance(strip_maybe(arg.type), t.SetType | t.ListType) for arg in stmt.args)
        is_counted = is_long or any(isinstance(x, _COUNTED) for value in values for x in e.list_descendants(value))
        with self.out.open_block("if G.log is not None:", span):
            if is_counted:
                self.out.add("_n = _suspend_budget(G)", span)
            self.out.add(f"G.log.append({logged}{text}))", span)
            if is_counted:
                self.out.add("_restore_budget(G, _n)", span)

    def print_take_argument(self, stmt: s.TakeArgument) -> None:
        self.out.add(f"{self.expressions.get_name(stmt.name)} = _args[{stmt.index}]", stmt.span)

    def print_perform(self, stmt: s.Perform) -> None:
        if not stmt.is_repeated:
            self.out.add(self.expressions.print_expr(stmt.value), stmt.span)

    # --- ends --------------------------------------------------------------------------------------

    def print_return(self, stmt: s.Return) -> None:
        value = "None" if stmt.value is None else self.loops.print_value(self.out, stmt.value, stmt.span)
        self.out.add(f"return {value}", stmt.span)

    def print_end_game(self, stmt: s.EndGame) -> None:
        winner = "None"
        if stmt.winner is not None:
            text = self.expressions.print_expr(stmt.winner)
            winner = f"({text},)" if isinstance(stmt.winner.type, t.ThingType) else text
        level = "None" if stmt.level is None else self.expressions.print_expr(stmt.level)
        self.out.add(f"_end_game(G, {winner}, {level}, {stmt.cites!r})", stmt.span)
        self.out.add("return _ASKED" if self.is_framed else "raise _Ended", stmt.span)

    def print_skip(self, stmt: s.SkipTo) -> None:
        self.out.add(f"raise _Skip({stmt.phase!r})", stmt.span)

    def print_fail(self, stmt: s.Fail) -> None:
        match stmt.sort:
            case "assert":
                number = "None" if stmt.words is None else str(self.texts.number_text(stmt.words.template))
                self.out.add(f"_assert_failed(G, {number}, {self.expressions.print_words(stmt.words)})", stmt.span)
            case "nothing legal":
                self.out.add(f"_no_option(G, {stmt.name!r})", stmt.span)
            case "ladder":
                self.out.add("_no_further_rung()", stmt.span)
            case _:
                raise AssertionError(stmt.sort)

    # --- phases and depth -----------------------------------------------------------------------------

    def print_set_phase(self, stmt: s.SetPhase) -> None:
        change, span = stmt.change, stmt.span
        assert change is not None
        phase = repr(stmt.phase) if stmt.variable is None else self.expressions.get_name(stmt.variable)
        if not change.is_beginning:
            self.out.add(f"if G.log is not None: G.log.append(_LoggedPhaseEnd({change.phase!r}))", span)
            self.out.add(f"G.phase = {phase}", span)
            return
        values = self.expressions.print_words(change.title)
        if values != "()":
            self.out.add(f"_w = {values}", span)
            values = "_w"
        if change.statement in self.outer_phases:
            outer = self.before if change.outer is None and self.before else repr(change.outer)
            self.out.add(f"{self.outer_phases[change.statement]} = {outer}", span)
        self.out.add(f"G.phase = {phase}", span)
        print_budget_charge(self.out, str(PHASE_STEPS), span)
        args = f"{change.phase!r}, {change.cites!r}, {values}"
        self.out.add(f"if G.log is not None: _note_phase(G, {args})", span)

    def print_keep_phase(self, stmt: s.KeepPhase) -> None:
        self.out.add(f"{self.expressions.get_name(stmt.name)} = G.phase", stmt.span)

    def print_enter_recursion(self, stmt: s.EnterRecursion) -> None:
        self.out.add(f"_enter_call(G, {stmt.procedure!r}, {self.expressions.print_expr(stmt.most)})", stmt.span)

    def print_leave_recursion(self, stmt: s.LeaveRecursion) -> None:
        self.out.add(f"_leave_call(G, {stmt.procedure!r})", stmt.span)

    def print_take_chance(self, stmt: s.TakeChance) -> None:
        fell = "G.answer"
        if stmt.is_single:
            fell = f"_single_member(G.answer, {stmt.name!r})" if stmt.is_draw else "G.answer[0]"
        self.out.add(f"{self.expressions.get_name(stmt.var)} = {fell}", stmt.span)

    def print_citation(self, stmt: s.NoteParagraphs) -> None:
        self.out.add(f"COVERAGE.cite({stmt.cites!r})", stmt.span)

    # --- together -----------------------------------------------------------------------------------------

    def print_together(self, stmt: s.Together) -> None:
        self.out.add("_E = []", stmt.span)
        self.print_body(stmt.body)
        if MOVED in self.watched:
            self.out.add("for _u, _f, _t in _apply_together(G, _E): watch_moved(G, _u, _f, _t)", stmt.span)
        else:
            self.out.add("_apply_together(G, _E)", stmt.span)

    def print_note(self, stmt: s.Note) -> None:
        owner = "None" if stmt.owner is None else self.expressions.print_expr(stmt.owner)
        effect = (
            f"{self.expressions.get_slot_attribute(stmt.slot)!r}, {owner}, {self.expressions.print_expr(stmt.value)}"
        )
        if stmt.is_amount:
            column = self.expressions.program.columns[stmt.slot]
            effect += f", {(column.low, column.high, column.clamps, stmt.slot.name)!r}"
        self.out.add(f"_E.append(({effect}))", stmt.span)


_COUNTED = (e.Call, e.Fold, e.Search, e.Closure, e.Possible)
_HANDLERS: dict[type, Callable[..., None]] = {
    s.Assign: StatementPrinter.print_assign,
    s.Store: StatementPrinter.print_store,
    s.Reset: StatementPrinter.print_reset,
    s.Move: StatementPrinter.print_move,
    s.If: StatementPrinter.print_branch,
    s.While: StatementPrinter.print_loop,
    s.ForEach: StatementPrinter.print_for_each,
    s.Repeat: StatementPrinter.print_repeat,
    s.Charge: StatementPrinter.print_charge,
    s.Roll: StatementPrinter.print_roll,
    s.Draw: StatementPrinter.print_draw,
    s.Run: StatementPrinter.print_run,
    s.Watch: StatementPrinter.print_watch,
    s.Later: StatementPrinter.print_later,
    s.Report: StatementPrinter.print_report,
    s.TakeArgument: StatementPrinter.print_take_argument,
    s.Perform: StatementPrinter.print_perform,
    s.Return: StatementPrinter.print_return,
    s.EndGame: StatementPrinter.print_end_game,
    s.SkipTo: StatementPrinter.print_skip,
    s.Fail: StatementPrinter.print_fail,
    s.SetPhase: StatementPrinter.print_set_phase,
    s.KeepPhase: StatementPrinter.print_keep_phase,
    s.EnterRecursion: StatementPrinter.print_enter_recursion,
    s.LeaveRecursion: StatementPrinter.print_leave_recursion,
    s.Together: StatementPrinter.print_together,
    s.Note: StatementPrinter.print_note,
    s.NoteParagraphs: StatementPrinter.print_citation,
    s.TakeChance: StatementPrinter.print_take_chance,
}
