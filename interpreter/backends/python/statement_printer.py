"""Statements of the intermediate representation as Python statements; the same in functions and in blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext

from interpreter.backends.python.expression_printer import ExpressionPrinter
from interpreter.backends.python.loop_printer import LoopPrinter
from interpreter.backends.python.python_names import memo_key, tuple_text
from interpreter.backends.python.source_module import SourceBlock
from interpreter.backends.python.texts import Texts
from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.effect_analysis import EVERYTHING
from interpreter.ir.traversal import iter_expressions
from interpreter.model import types as t
from interpreter.model.types import display_type, strip_maybe
from interpreter.runtime.builtins.registry import EVERYTHING as ALL_SLOTS
from interpreter.runtime.limits import LIMITS
from interpreter.runtime.state import own_bits_of

PHASE_STEPS = 100  # budget steps for the beginning of a phase
MOVED = "moved"  # the event of every move


class Memos:
    """The memoized functions of a program: the memo key of each, and the slots that it reads."""

    def __init__(self, x: ExpressionPrinter) -> None:
        self.reads: dict[str, frozenset[e.Slot]] = {}
        for function in x.program.functions.values():
            if function.remembered and function.name not in x.static:
                self.reads[memo_key(function)] = x.effects.of_function(function.name).reads
            self._share_searches(x, function)

    def _share_searches(self, x: ExpressionPrinter, function: ir.Function) -> None:
        """Register a function's distance searches, whose result serves every goal until a slot it reads is written."""
        for outer in iter_expressions(function.body):
            for expr in e.descendants(outer):
                if isinstance(expr, e.Search) and expr.sort == "distance" and expr.goal and expr.within is None:
                    key = f"search {len(x.shared)}"
                    x.shared[id(expr)] = key
                    tests = (part for part in (expr.where, expr.cost) if part is not None)
                    self.reads[key] = x.effects.all(tests).reads

    def of(self, *slots: e.Slot) -> list[str]:
        """Return the memo keys to invalidate after these slots are written."""
        wanted = {*slots, EVERYTHING}
        return [key for key, read in self.reads.items() if not read.isdisjoint(wanted)]


class PlayMemos(Memos):
    """The memoized functions of the form for play, with the columns that each reads; other forms share the memos."""

    def __init__(self, x: ExpressionPrinter, columns: Mapping[str, Iterable[str]]) -> None:
        self.x = x
        self.reads = {}
        self.columns = {key: frozenset(read) for key, read in columns.items()}

    def of(self, *slots: e.Slot) -> list[str]:
        """Return the memo keys to invalidate after these slots are written."""
        wanted = {*(column_name(self.x, slot) for slot in slots), ALL_SLOTS}
        return [key for key, read in self.columns.items() if not read.isdisjoint(wanted)]


def column_name(x: ExpressionPrinter, slot: e.Slot) -> str:
    """Return the name that the invalidation code of the runtime uses for a slot."""
    if slot == EVERYTHING:
        return ALL_SLOTS
    return "options" if slot.kind == "option" else x.slot(slot)


def spend(out: SourceBlock, steps: str, span: Span, state: str = "G") -> None:
    """Write a charge to the budget of a choice. `steps`: the code of the number. `state`: the name of the state."""
    out.add(f"{state}.spent += {steps}", span)
    out.add(f"if {state}.spent > {LIMITS.steps}: _out_of_steps()", span)


class StatementPrinter:
    """Printer of the statements of one procedure, watcher or function, into a block."""

    def __init__(
        self,
        x: ExpressionPrinter,
        texts: Texts,
        memos: Memos,
        out: SourceBlock,
        is_framed: bool = False,
    ) -> None:
        self.x = x
        self.texts = texts
        self.memos = memos
        self.out = out
        self.is_framed = is_framed
        self.loops = LoopPrinter(x)
        self.countdowns: dict[str, tuple[str, str]] = {}  # number of turns left -> list of turns, number of the next
        self.outer_phases: dict[int, str] = {}  # phase statement -> variable of the phase around it
        self.before = ""  # variable of the phase in which the procedure was called
        self.marks = own_bits_of(x.layout.columns.values())
        self.watched = frozenset(w.event for w in x.program.watchers)

    def line(self, text: str, span: Span) -> None:
        """Write one line."""
        self.out.add(text, span)

    def body(self, body: s.Body) -> None:
        """Write statements in order."""
        for stmt in body:
            _HANDLERS[type(stmt)](self, stmt)

    def inside(self, head: str, body: s.Body, span: Span, first: Callable[[], None] | None = None) -> None:
        """Write a statement `head` with a body. `first`: writes lines before the body, or None."""
        with self.out.block(head, span):
            count = len(self.out.lines)
            if first is not None:
                first()
            self.body(body)
            if len(self.out.lines) == count:
                self.line("pass", span)

    def forget(self, span: Span, *slots: e.Slot) -> None:
        """Write the invalidation of the memoized values that depend on these slots."""
        for key in self.memos.of(*slots):
            self.line(f"G.memo.pop({key!r}, None)", span)

    # --- values ---------------------------------------------------------------------------------

    def kept(self, value: str, keeps: str) -> str:
        """Return the code of a stored value, wrapped in the check of its size.

        `keeps`: which size is limited: "number" (digits), "members" or "" for no check.
        """
        return {"": value, "number": f"_sized({value})", "members": f"_held(G, {value})"}[keeps]

    def assign(self, stmt: s.Assign) -> None:
        if stmt.name in self.countdowns:
            turns, following = self.countdowns[stmt.name]
            self.line(f"{turns} = tuple(range({self.x.expr(stmt.value)}))", stmt.span)
            self.line(f"{following} = 0", stmt.span)
            return
        self.line(f"{self.x.name(stmt.name)} = {self.kept(self.x.expr(stmt.value), stmt.keeps)}", stmt.span)

    def store(self, stmt: s.Store) -> None:
        slot, span = stmt.slot, stmt.span
        column = self.x.slot(slot)
        value = self.kept(self.x.expr(stmt.value), stmt.keeps)
        forgotten = self.memos.of(slot)
        if stmt.owner is None:
            if stmt.cites:
                self.line(f"_v = {value}", span)
                logged = f"_LoggedChange('game', {slot.name!r}, 0, _v, {stmt.cites!r})"
                self.line(f"if G.log is not None and G.{column} != _v: G.log.append({logged})", span)
                value = "_v"
            self.line(f"G.{column} = {value}", span)
            self.forget(span, slot)
            return
        owner, mark = self.x.expr(stmt.owner), self.marks[column]
        is_compared = bool(stmt.cites or forgotten)  # an unchanged value keeps its memos
        if is_compared or self.x.may_fault([stmt.owner, stmt.value]):
            self.line(f"_o = {owner}", span)
            self.line(f"_v = {value}", span)
            owner, value = "_o", "_v"
        with self.out.block(f"if G.{column}[_o] != _v:", span) if is_compared else nullcontext():
            if stmt.cites:
                logged = f"_LoggedChange({slot.kind!r}, {slot.name!r}, _o, _v, {stmt.cites!r})"
                self.line(f"if G.log is not None: G.log.append({logged})", span)
            self.line(f"if not G.own & {mark}: _own_list(G, {column!r}, {mark})", span)
            self.line(f"G.{column}[{owner}] = {value}", span)
            self.forget(span, slot)

    def reset(self, stmt: s.Reset) -> None:
        column, value = self.x.slot(stmt.slot), self.x.constant(stmt.value)
        count = self.x.program.columns[stmt.slot].count
        made = value if stmt.slot.kind == "game" else f"[{value}] * {count}"
        self.line(f"G.{column} = {made}", stmt.span)
        self.forget(stmt.span, stmt.slot)

    def move(self, stmt: s.Move) -> None:
        piece, place = self.x.expr(stmt.piece), self.x.expr(stmt.place)
        if MOVED not in self.watched:
            self.line(f"_move(G, {piece}, {place}, {stmt.cites!r})", stmt.span)
            return
        self.line(f"_u, _t = {piece}, {place}", stmt.span)
        self.line("_f = G.at[_u]", stmt.span)
        self.line(f"_move(G, _u, _t, {stmt.cites!r})", stmt.span)
        self.line("if _f != _t: watch_moved(G, _u, _f, _t)", stmt.span)

    # --- branches and loops ----------------------------------------------------------------------

    def branch(self, stmt: s.If) -> None:
        test = self.loops.value(self.out, stmt.test, stmt.span)
        if not stmt.yes:
            self.inside(f"if not {test}:", stmt.no, stmt.span)
            return
        self.inside(f"if {test}:", stmt.yes, stmt.span)
        if stmt.no:
            self.inside("else:", stmt.no, stmt.span)

    def loop(self, stmt: s.While) -> None:
        self.inside(
            f"while {self.x.expr(stmt.test)}:",
            stmt.body,
            stmt.span,
            lambda: spend(self.out, str(stmt.charge), stmt.span),
        )

    def for_each(self, stmt: s.ForEach) -> None:
        match stmt:
            case s.ForEach(domain=domain, body=(s.Move(place=place, cites=cites),), moves_all=True):
                if MOVED not in self.watched:
                    pieces = self.x.expr(domain)
                    self.line(f"_move_all(G, {pieces}, {self.x.expr(place)}, {cites!r})", stmt.span)
                    return
        head = f"for {self.x.name(stmt.var)} in {self.x.domain(stmt.domain, stmt.charge)}:"
        self.inside(head, stmt.body, stmt.span)

    def repeat(self, stmt: s.Repeat) -> None:
        self.inside(f"for _ in _turns(G, {self.x.expr(stmt.count)}, {stmt.charge}):", stmt.body, stmt.span)

    def charge(self, stmt: s.Charge) -> None:
        match stmt.times:
            case None:
                spend(self.out, str(stmt.steps), stmt.span)
            case e.Local(name) if name in self.countdowns:
                self.line(f"_turns(G, len({self.countdowns[name][0]}), {stmt.steps})", stmt.span)
            case times:
                self.line(f"_through(G, {self.x.expr(times)}, {stmt.steps})", stmt.span)

    # --- chance ----------------------------------------------------------------------------------

    def whom(self, chance: s.Chance) -> str:
        """Return the code of two arguments, the kind and the value of what a roll or draw is made for.

        The kind is "" for a value that is not a thing; both are None for nothing.
        """
        if chance.subject is None:
            return "None, None"
        type_ = chance.subject.type
        kind = type_.kind if isinstance(type_, t.ThingType) else ""
        return f"{kind!r}, {self.x.expr(chance.subject)}"

    def roll(self, stmt: s.Roll) -> None:
        chance = stmt.chance
        assert chance is not None
        count = "1" if stmt.count is None else self.x.expr(stmt.count)
        given = f"{chance.name!r}, {self.whom(chance)}, DIE_{chance.die}, {count}, {chance.cites!r}"
        if chance.thrower is not None:
            given += f", {self.x.expr(chance.thrower)}"
        made = f"_roll(G, {given})"
        made = f"{made}[0]" if stmt.count is None else f"tuple({made})"
        self.line(f"{self.x.name(stmt.var)} = {made}", stmt.span)

    def draw(self, stmt: s.Draw) -> None:
        chance = stmt.chance
        assert chance is not None
        count = "1" if stmt.count is None else self.x.expr(stmt.count)
        held = strip_maybe(stmt.source.type)
        item = (held.item if isinstance(held, t.SetType | t.ListType) else None) or t.NEVER
        given = f"{chance.name!r}, {self.whom(chance)}, {self.x.expr(stmt.source)}, {count}, {chance.cites!r}"
        made = f"_draw(G, {given}, {display_type(item)!r})"
        if stmt.count is None:
            made = f"_only({made}, {chance.name!r})"
        self.line(f"{self.x.name(stmt.var)} = {made}", stmt.span)

    # --- calls and events --------------------------------------------------------------------------

    def run(self, stmt: s.Run) -> None:
        if self.x.program.procedures[stmt.procedure].suspends:  # it holds phases: there it can only end the game
            self.line(f"_r = p_{stmt.procedure}(G, 0, {tuple_text(self.x.many(stmt.args))})", stmt.span)
            self.line("if _r is _ASKED: raise _Ended", stmt.span)
            if stmt.var is not None:
                self.line(f"{self.x.name(stmt.var)} = _r", stmt.span)
            return
        made = f"p_{stmt.procedure}({', '.join(['G', *self.x.many(stmt.args)])})"
        self.line(made if stmt.var is None else f"{self.x.name(stmt.var)} = {made}", stmt.span)

    def watch(self, stmt: s.Watch) -> None:
        self.line(f"watch_{stmt.event}({', '.join(['G', *self.x.many(stmt.args)])})", stmt.span)

    def later(self, stmt: s.Later) -> None:
        self.line(f"_put_off(G, {stmt.procedure!r}, {tuple_text(self.x.many(stmt.args))})", stmt.span)

    def report(self, stmt: s.Report) -> None:
        """Write the logging of an event; a text that may fault is evaluated whether or not there is a log."""
        args, span = tuple_text(self.x.many(stmt.args)), stmt.span
        values = () if stmt.words is None else stmt.words.values
        told = self.x.words(stmt.words)
        logged = f"_LoggedReport({stmt.event!r}, {args}, {stmt.cites!r}, "
        if self.x.may_fault(values):
            self.line(f"_w = {told}", span)
            self.line(f"if G.log is not None: G.log.append({logged}_w))", span)
            return
        is_long = any(isinstance(strip_maybe(arg.type), t.SetType | t.ListType) for arg in stmt.args)
        is_counted = is_long or any(isinstance(x, _COUNTED) for value in values for x in e.descendants(value))
        with self.out.block("if G.log is not None:", span):
            if is_counted:
                self.line("_n = _aside(G)", span)
            self.line(f"G.log.append({logged}{told}))", span)
            if is_counted:
                self.line("_resumed(G, _n)", span)

    def take_argument(self, stmt: s.TakeArgument) -> None:
        self.line(f"{self.x.name(stmt.name)} = _args[{stmt.index}]", stmt.span)

    def perform(self, stmt: s.Perform) -> None:
        if not stmt.is_repeated:
            self.line(self.x.expr(stmt.value), stmt.span)

    # --- ends --------------------------------------------------------------------------------------

    def leave(self, stmt: s.Return) -> None:
        value = "None" if stmt.value is None else self.loops.value(self.out, stmt.value, stmt.span)
        self.line(f"return {value}", stmt.span)

    def end_game(self, stmt: s.EndGame) -> None:
        winner = "None"
        if stmt.winner is not None:
            made = self.x.expr(stmt.winner)
            winner = f"({made},)" if isinstance(stmt.winner.type, t.ThingType) else made
        level = "None" if stmt.level is None else self.x.expr(stmt.level)
        self.line(f"_end_game(G, {winner}, {level}, {stmt.cites!r})", stmt.span)
        self.line("return _ASKED" if self.is_framed else "raise _Ended", stmt.span)

    def skip(self, stmt: s.SkipTo) -> None:
        self.line(f"raise _Skip({stmt.phase!r})", stmt.span)

    def fail(self, stmt: s.Fail) -> None:
        match stmt.sort:
            case "assert":
                number = "None" if stmt.words is None else str(self.texts.number(stmt.words.template))
                self.line(f"_assert_failed(G, {number}, {self.x.words(stmt.words)})", stmt.span)
            case "nothing legal":
                self.line(f"_no_option(G, {stmt.name!r})", stmt.span)
            case "ladder":
                self.line("_no_further_rung()", stmt.span)
            case _:
                raise AssertionError(stmt.sort)

    # --- phases and depth -----------------------------------------------------------------------------

    def set_phase(self, stmt: s.SetPhase) -> None:
        change, span = stmt.change, stmt.span
        assert change is not None
        phase = repr(stmt.phase) if stmt.variable is None else self.x.name(stmt.variable)
        if not change.is_beginning:
            self.line(f"if G.log is not None: G.log.append(_LoggedPhaseEnd({change.phase!r}))", span)
            self.line(f"G.phase = {phase}", span)
            return
        values = self.x.words(change.title)
        if values != "()":
            self.line(f"_w = {values}", span)
            values = "_w"
        if change.statement in self.outer_phases:
            outer = self.before if change.outer is None and self.before else repr(change.outer)
            self.line(f"{self.outer_phases[change.statement]} = {outer}", span)
        self.line(f"G.phase = {phase}", span)
        spend(self.out, str(PHASE_STEPS), span)
        given = f"{change.phase!r}, {change.cites!r}, {values}"
        self.line(f"if G.log is not None: _note_phase(G, {given})", span)

    def keep_phase(self, stmt: s.KeepPhase) -> None:
        self.line(f"{self.x.name(stmt.name)} = G.phase", stmt.span)

    def deepen(self, stmt: s.Deepen) -> None:
        self.line(f"_go_deeper(G, {stmt.procedure!r}, {self.x.expr(stmt.most)})", stmt.span)

    def shallow(self, stmt: s.Shallow) -> None:
        self.line(f"_go_back(G, {stmt.procedure!r})", stmt.span)

    def take_chance(self, stmt: s.TakeChance) -> None:
        fell = "G.answer"
        if stmt.is_single:
            fell = f"_only(G.answer, {stmt.name!r})" if stmt.is_draw else "G.answer[0]"
        self.line(f"{self.x.name(stmt.var)} = {fell}", stmt.span)

    def cite(self, stmt: s.NoteParagraphs) -> None:
        self.line(f"COVERAGE.cite({stmt.cites!r})", stmt.span)

    # --- together -----------------------------------------------------------------------------------------

    def together(self, stmt: s.Together) -> None:
        self.line("_E = []", stmt.span)
        self.body(stmt.body)
        if MOVED in self.watched:
            self.line("for _u, _f, _t in _apply_together(G, _E): watch_moved(G, _u, _f, _t)", stmt.span)
        else:
            self.line("_apply_together(G, _E)", stmt.span)

    def note(self, stmt: s.Note) -> None:
        owner = "None" if stmt.owner is None else self.x.expr(stmt.owner)
        effect = f"{self.x.slot(stmt.slot)!r}, {owner}, {self.x.expr(stmt.value)}"
        if stmt.is_amount:
            column = self.x.program.columns[stmt.slot]
            effect += f", {(column.low, column.high, column.clamps, stmt.slot.name)!r}"
        self.line(f"_E.append(({effect}))", stmt.span)


_COUNTED = (e.Call, e.Fold, e.Search, e.Closure, e.Possible)
_HANDLERS: dict[type, Callable[..., None]] = {
    s.Assign: StatementPrinter.assign,
    s.Store: StatementPrinter.store,
    s.Reset: StatementPrinter.reset,
    s.Move: StatementPrinter.move,
    s.If: StatementPrinter.branch,
    s.While: StatementPrinter.loop,
    s.ForEach: StatementPrinter.for_each,
    s.Repeat: StatementPrinter.repeat,
    s.Charge: StatementPrinter.charge,
    s.Roll: StatementPrinter.roll,
    s.Draw: StatementPrinter.draw,
    s.Run: StatementPrinter.run,
    s.Watch: StatementPrinter.watch,
    s.Later: StatementPrinter.later,
    s.Report: StatementPrinter.report,
    s.TakeArgument: StatementPrinter.take_argument,
    s.Perform: StatementPrinter.perform,
    s.Return: StatementPrinter.leave,
    s.EndGame: StatementPrinter.end_game,
    s.SkipTo: StatementPrinter.skip,
    s.Fail: StatementPrinter.fail,
    s.SetPhase: StatementPrinter.set_phase,
    s.KeepPhase: StatementPrinter.keep_phase,
    s.Deepen: StatementPrinter.deepen,
    s.Shallow: StatementPrinter.shallow,
    s.Together: StatementPrinter.together,
    s.Note: StatementPrinter.note,
    s.NoteParagraphs: StatementPrinter.cite,
    s.TakeChance: StatementPrinter.take_chance,
}
