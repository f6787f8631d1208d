"""Lower statements that cannot suspend."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.lowering.expression_lowering import lower, lower_as, lower_rung, lower_top_rung
from interpreter.lowering.ledger_lowering import lower_value
from interpreter.lowering.lowering_context import Context, VariableScope
from interpreter.lowering.value_types import NotLoweredError, get_collection_type
from interpreter.lowering.variables import Variables
from interpreter.model import statements as c, types as t


class StatementLowering:
    """Lowering of the statements of one procedure or watcher; `names` maps the names of the rules to variables."""

    def __init__(self, cx: Context, variables: Variables, names: VariableScope, result: t.Type | None) -> None:
        self.cx = cx
        self.variables = variables
        self.names = names
        self.result = result
        self.ending: s.Body = ()
        self.phases: list[
            tuple[s.Body, s.Stmt]
        ] = []  # open phases: what ends with each, and what restores the one before
        self._together = False
        self._noted: dict[e.Slot, t.Type] = {}

    def lower_body(self, body: c.Body) -> s.Body:
        """Lower statements in order."""
        out: list[s.Stmt] = []
        for stmt in body:
            out += self.lower_statement(stmt)
        return tuple(out)

    def lower_statement(self, stmt: c.Stmt) -> list[s.Stmt]:
        """Lower one statement."""
        return [*self.build_citation(stmt), *_HANDLERS[type(stmt)](self, stmt)]

    def build_citation(self, stmt: c.Stmt) -> s.Body:
        """Return the statement that records the paragraphs a statement cites as covered, or nothing."""
        return self.cx.build_citation(getattr(stmt, "cites", ()), stmt.span)

    def bind_name(self, name: str, type_: t.Type, span: Span) -> e.Local:
        """Return the variable for a value of a type and bind the name of the rules to it."""
        variable = self.variables.get_variable(name, type_, span)
        self.names[name] = variable
        return variable

    def build_assignment(self, name: str, value: e.Expr, span: Span, keeps: str = "") -> s.Stmt:
        """Return an assignment of a value to a name of the rules, converted to the type of its variable.

        `keeps`: the limit on its size: "number" (its digits), "members" (also those of nested lists) or "" for none.
        """
        variable = self.bind_name(name, value.type, span)
        return s.Assign(variable.name, self.cx.convert(value, variable.type), span, keeps)

    def choose_size_limit(self, core: c.Core) -> str:
        """Return how the size of a stored value is limited: "number" or "members" (see `store`), or "" for no limit."""
        cost_model = self.cx.cost_model
        if cost_model is None:
            return ""
        if cost_model.is_nested(core.type):
            return "members"
        return "number" if cost_model.can_grow(core) else ""

    def get_loop_charge(self, stmt: c.Loop) -> int:
        """Return the budget steps to charge for each iteration of a loop."""
        return 0 if self.cx.cost_model is None else self.cx.cost_model.get_loop_charge(stmt)

    def create_temporary(self, name: str, value: e.Expr, out: list[s.Stmt]) -> e.Expr:
        """Return a variable that holds a value, so that it is evaluated once; a variable or literal is returned itself.

        `out`: the statements to which the assignment is added.
        """
        if isinstance(value, e.Const | e.Local):
            return value
        variable = self.cx.names.create_variable(name, value.type, value.span)
        out.append(s.Assign(variable.name, value, value.span))
        return variable

    def lower_expr(self, core: c.Core) -> e.Expr:
        """Lower an expression."""
        return lower(self.cx, core, self.names)

    def lower_set_local(self, stmt: c.SetLocal) -> list[s.Stmt]:
        value = lower_value(self.cx, stmt.value, self.names, stmt.name)
        return [self.build_assignment(stmt.name, value, stmt.span, self.choose_size_limit(stmt.value))]

    def get_column(self, kind: str, name: str) -> ir.LoweredColumn:
        """Return the column of an attribute that changes."""
        return self.cx.columns[e.Slot(kind, name)]

    def build_store(
        self,
        column: ir.LoweredColumn,
        owner: e.Expr | None,
        value: e.Expr,
        span: Span,
        cites: tuple[str, ...] = (),
        keeps: str = "",
    ) -> s.Stmt:
        """Return a statement that writes a value to a column; inside a `together` block, one that records the write.

        `owner`: the thing whose value it is, None for the game. `cites`: the paragraphs of the statement. `keeps`: the
        limit on the value's size: "number" (its digits), "members" (also those of nested lists) or "" for none.
        """
        if self._together:
            self._noted[column.slot] = column.type
            return s.Note(column.slot, owner, value, False, span)
        return s.Store(column.slot, owner, value, span, keeps, cites)

    def lower_set_attribute(self, stmt: c.SetAttribute) -> list[s.Stmt]:
        column = self.get_column(stmt.kind, stmt.name)
        owner = None if stmt.owner is None else self.lower_expr(stmt.owner)
        if self._together and stmt.amount is not None:
            self._noted[column.slot] = column.type
            amount = lower_as(self.cx, stmt.amount, self.names, column.type)
            return [s.Note(column.slot, owner, amount, True, stmt.span)]
        lowered = lower_value(self.cx, stmt.value, self.names, stmt.name, stmt.kind, stmt.owner)
        value = self.cx.convert(lowered, column.type)
        limited = limit_to_bounds(column, value, stmt.span)
        keeps = self.choose_size_limit(stmt.value) if limited is value else ""
        return [self.build_store(column, owner, limited, stmt.span, stmt.cites, keeps)]

    def lower_step_rung(self, stmt: c.StepRung) -> list[s.Stmt]:
        out: list[s.Stmt] = []
        cx, kind, name, span = self.cx, stmt.kind, stmt.name, stmt.span
        owner = None if stmt.owner is None else self.create_temporary("owner", self.lower_expr(stmt.owner), out)
        here = lower_rung(cx, kind, name, owner, span)
        if stmt.by > 0:
            possible = e.Apply("lt", (here, lower_top_rung(cx, kind, name, owner, span)), t.FLAG, span)
        else:
            possible = e.Apply("gt", (here, e.Const(0, here.type, span)), t.FLAG, span)
        moved = e.Apply("offset", (here, e.Const(stmt.by, t.INT, span)), here.type, span)
        column = self.get_column(kind, name)
        if not stmt.if_possible:
            out.append(s.If(possible, (), (s.Fail("ladder", span),), span))
            return [*out, self.build_store(column, owner, moved, span, stmt.cites)]
        value = e.Conditional(possible, moved, here, here.type, span)
        return [*out, self.build_store(column, owner, value, span, stmt.cites)]

    def lower_move(self, stmt: c.MovePieces) -> list[s.Stmt]:
        out: list[s.Stmt] = []
        pieces = self.lower_expr(stmt.what)
        if not stmt.many:
            piece = self.create_temporary("piece", pieces, out)
            place = self.lower_expr(stmt.to)
            return [*out, self.build_move(piece, place, stmt)]
        collection = get_collection_type(pieces.type)
        if collection.item is None:
            return [s.Perform(self.lower_expr(stmt.to), stmt.span)]
        place = self.create_temporary("place", self.lower_expr(stmt.to), out)
        piece = self.cx.names.create_variable("piece", collection.item, stmt.span)
        moves = (self.build_move(piece, place, stmt),)
        return [*out, s.ForEach(piece.name, collection.item, pieces, moves, stmt.span, moves_all=True)]

    def build_move(self, piece: e.Expr, place: e.Expr, stmt: c.MovePieces) -> s.Stmt:
        """Return a statement that moves a piece; inside a `together` block, one that records the move."""
        if self._together:
            self._noted[e.AT] = t.PLACE
            return s.Note(e.AT, piece, place, False, stmt.span)
        return s.Move(piece, place, stmt.span, stmt.cites)

    def lower_branch(self, stmt: c.CheckedIf) -> list[s.Stmt]:
        """Lower a branch; each body starts with the names in scope before the branch."""
        tests: list[tuple[e.Expr, s.Body]] = []
        before = dict(self.names)
        for test, body in stmt.branches:
            condition = self.lower_expr(test)
            tests.append((condition, self.lower_scoped(body, before)))
        otherwise = self.lower_scoped(stmt.otherwise or (), before)
        for condition, lowered in reversed(tests):
            otherwise = (s.If(condition, lowered, otherwise, stmt.span),)
        return list(otherwise)

    def lower_scoped(self, body: c.Body, before: VariableScope) -> s.Body:
        """Lower a body in a new scope. `before`: the names in scope around it, restored afterwards."""
        lowered = self.lower_body(body)
        self.names.clear()
        self.names.update(before)
        return lowered

    def lower_loop(self, stmt: c.Loop) -> list[s.Stmt]:
        before = dict(self.names)
        if stmt.sort == "while":
            test = self.lower_expr(stmt.head)
            return [s.While(test, self.lower_scoped(stmt.body, before), stmt.span, self.get_loop_charge(stmt))]
        head = self.lower_expr(stmt.head)
        if stmt.sort == "times":
            return [s.Repeat(head, self.lower_scoped(stmt.body, before), stmt.span, self.get_loop_charge(stmt))]
        collection = get_collection_type(head.type)
        if collection.item is None:
            return []
        return [self.lower_for_each(stmt, head, collection.item)]

    def lower_for_each(self, stmt: c.Loop, head: e.Expr, item: t.Type) -> s.Stmt:
        """Lower a loop over members. `head`: the collection. `item`: the type of a member."""
        before = dict(self.names)
        begun: s.Body = ()
        if stmt.var is None:
            var = self.cx.names.create_variable("member", item, stmt.span)
        else:
            var = self.bind_name(stmt.var, item, stmt.span)
            if var.type != item and self.cx.convert(e.Local("x", item, stmt.span), var.type).type != item:
                own = self.cx.names.create_variable("member", item, stmt.span)
                begun = (s.Assign(var.name, self.cx.convert(own, var.type), stmt.span),)
                var = own
        still = None if stmt.still is None else self.lower_expr(stmt.still)
        body = self.lower_scoped(stmt.body, before)
        inner: s.Body = body if still is None else (s.If(still, body, (), stmt.span),)
        return s.ForEach(var.name, item, head, (*begun, *inner), stmt.span, self.get_loop_charge(stmt))

    def lower_roll(self, stmt: c.RollDice) -> list[s.Stmt]:
        chance = self.build_chance(stmt, stmt.die, stmt.thrower)
        out = self.evaluate_for_faults((x for x in (stmt.thrower, stmt.subject) if x is not None), chance is not None)
        count = None if stmt.count is None else self.lower_expr(stmt.count)
        var = self.bind_name(stmt.var, t.INT if count is None else t.ListType(t.INT), stmt.span)
        faces = self.cx.ruleset.dice[stmt.die].faces
        return [
            *out,
            *self.build_value_assignment(
                var,
                t.INT if count is None else t.ListType(t.INT),
                lambda n: s.Roll(n, faces, count, stmt.span, chance, stmt.name),
            ),
        ]

    def build_chance(
        self, stmt: c.RollDice | c.DrawMembers, die: str | None, thrower: c.Core | None
    ) -> s.Chance | None:
        """Return the description of a roll or draw for its record, or None in programs that explain nothing.

        `die`: the name of the die, None for a draw. `thrower`: the side that rolls, or None.
        """
        if self.cx.cost_model is None:
            return None
        subject, side = (None if x is None else self.lower_expr(x) for x in (stmt.subject, thrower))
        return s.Chance(stmt.name, die, subject, side, stmt.cites)

    def build_value_assignment(self, var: e.Local, type_: t.Type, make: Callable[[str], s.Stmt]) -> list[s.Stmt]:
        """Return the statements that assign a value to a variable, with a conversion if the variable's type is wider.

        `type_`: the type of the value. `make`: returns the statement that assigns the value to a named variable.
        """
        own = e.Local(var.name, type_, var.span)
        if self.cx.convert(own, var.type) is own:
            return [make(var.name)]
        temporary = self.cx.names.create_variable(var.name, type_, var.span)
        return [make(temporary.name), s.Assign(var.name, self.cx.convert(temporary, var.type), var.span)]

    def evaluate_for_faults(self, cores: Iterable[c.Core], is_repeated: bool = False) -> list[s.Stmt]:
        """Return statements that evaluate expressions only for their faults.

        `is_repeated`: a later statement evaluates them too.
        """
        return [s.Perform(self.lower_expr(core), core.span, is_repeated) for core in cores]

    def lower_draw(self, stmt: c.DrawMembers) -> list[s.Stmt]:
        chance = self.build_chance(stmt, None, None)
        out = self.evaluate_for_faults((x for x in (stmt.subject,) if x is not None), chance is not None)
        count = None if stmt.count is None else self.lower_expr(stmt.count)
        source = self.lower_expr(stmt.source)
        collection = get_collection_type(source.type)
        item = collection.item or t.NEVER
        type_ = item if count is None else t.ListType(item)
        var = self.bind_name(stmt.var, type_, stmt.span)
        return [
            *out,
            *self.build_value_assignment(var, type_, lambda n: s.Draw(n, source, count, stmt.span, chance, stmt.name)),
        ]

    def lower_report(self, stmt: c.ReportEvent) -> list[s.Stmt]:
        event = self.cx.model.events[stmt.event]
        out: list[s.Stmt] = []
        args: list[e.Expr] = []
        inner: VariableScope = {}
        for core, (name, type_) in zip(stmt.args, event.params, strict=True):
            variable = self.cx.names.create_variable(name, type_, core.span)
            out.append(s.Assign(variable.name, lower_as(self.cx, core, self.names, type_), core.span))
            args.append(variable)
            inner[name] = variable
        with self.cx.set_tracing(False):
            for part in event.words.parts if event.words else ():
                if not isinstance(part, str):
                    out.append(s.Perform(lower(self.cx, part, inner), part.span, self.cx.cost_model is not None))
            if self.cx.cost_model is not None:
                out.append(
                    s.Report(stmt.event, tuple(args), self.cx.lower_text(event.words, inner), stmt.cites, stmt.span)
                )
        if stmt.event in self.cx.watched:
            out.append(s.Watch(stmt.event, tuple(args), stmt.span))
        return out

    def lower_end(self, stmt: c.CheckedEndGame) -> list[s.Stmt]:
        winner = None if stmt.winner is None else self.lower_expr(stmt.winner)
        level = None if stmt.level is None else self.lower_expr(stmt.level)
        return [s.EndGame(winner, level, stmt.cites, stmt.span)]

    def lower_skip(self, stmt: c.CheckedSkipTo) -> list[s.Stmt]:
        return [s.SkipTo(stmt.phase, stmt.span)]

    def lower_call(self, stmt: c.CallProcedure) -> list[s.Stmt]:
        called = self.cx.model.procedures[stmt.procedure]
        args = tuple(
            lower_as(self.cx, core, self.names, type_)
            for core, (_, type_) in zip(stmt.args, called.params, strict=True)
        )
        if stmt.later:
            return [s.Later(stmt.procedure, args, stmt.span)]
        if stmt.var is None:
            return [s.Run(stmt.procedure, args, None, stmt.span)]
        type_ = called.result or t.NEVER
        var = self.bind_name(stmt.var, type_, stmt.span)
        return self.build_value_assignment(var, type_, lambda n: s.Run(stmt.procedure, args, n, stmt.span))

    def lower_return(self, stmt: c.ReturnValue) -> list[s.Stmt]:
        """Return from the procedure, after resetting the attributes of open phases and of the procedure."""
        out: list[s.Stmt] = []
        value: e.Expr | None = None
        if stmt.value is not None:
            value = lower_as(self.cx, stmt.value, self.names, self.result or stmt.value.type)
            if self.ending or self.phases:
                value = self.create_temporary("result", value, out)
        for lasting, restore in reversed(self.phases):
            out += [*lasting, restore]
        return [*out, *self.ending, s.Return(value, stmt.span)]

    def lower_assertion(self, stmt: c.AssertThat) -> list[s.Stmt]:
        with self.cx.set_tracing(False):
            failed = s.Fail("assert", stmt.span, self.cx.lower_text(stmt.words, self.names))
        return [s.If(self.lower_expr(stmt.test), (), (failed,), stmt.span)]

    def lower_together(self, stmt: c.DoTogether) -> list[s.Stmt]:
        outer, self._noted = self._noted, {}
        self._together = True
        body = self.lower_body(stmt.body)
        self._together = False
        slots, self._noted = tuple(self._noted.items()), outer
        return [s.Together(body, slots, stmt.span)]

    def lower_cite(self, stmt: c.CiteOnly) -> list[s.Stmt]:
        return []

    def lower_match(self, stmt: c.MatchPart) -> list[s.Stmt]:
        out: list[s.Stmt] = []
        subject = self.create_temporary("subject", self.lower_expr(stmt.subject), out)
        before = dict(self.names)
        arms: list[tuple[e.Expr, s.Body]] = []
        for arm, var, body in stmt.arms:
            begun: tuple[s.Stmt, ...] = ()
            if var is not None:
                begun = (self.build_assignment(var, build_arm_number(subject), stmt.span),)
            arms.append((build_arm_test(self.cx, subject, arm), (*begun, *self.lower_scoped(body, before))))
        otherwise = self.lower_scoped(stmt.otherwise or (), before)
        for test, arm_body in reversed(arms):
            otherwise = (s.If(test, arm_body, otherwise, stmt.span),)
        return [*out, *otherwise]

    def reject_suspending(self, stmt: c.Stmt) -> list[s.Stmt]:
        raise NotLoweredError(f"{type(stmt).__name__} in a procedure without a frame", stmt.span)


def limit_to_bounds(column: ir.LoweredColumn, value: e.Expr, span: Span) -> e.Expr:
    """Return an expression that limits a value to the bounds of its attribute, or the value if it has none."""
    if column.low is None and column.high is None:
        return value
    low, high = (None if x is None else e.Const(x, value.type, span) for x in (column.low, column.high))
    return e.Bounded(value, low, high, column.clamps, value.type, span, column.slot.name)


def build_arm_test(cx: Context, subject: e.Expr, arm: str) -> e.Expr:
    """Return an expression that tests whether the subject of a `match` is the arm `arm`."""
    type_, span = subject.type, subject.span
    if isinstance(type_, t.PartType):
        return e.Apply("is_arm", (subject, e.Const(arm, t.TEXT, span)), t.FLAG, span)
    value: int | str = cx.ruleset.ladders[type_.ladder].rungs.index(arm) if isinstance(type_, t.RungType) else arm
    return e.Apply("eq", (subject, e.Const(value, type_, span)), t.FLAG, span)


def build_arm_number(subject: e.Expr) -> e.Expr:
    """Return an expression for the number that the arm of a subject carries."""
    return e.Apply("arm_number", (subject,), t.INT, subject.span)


_HANDLERS: dict[type, Callable[[StatementLowering, Any], list[s.Stmt]]] = {
    c.SetLocal: StatementLowering.lower_set_local,
    c.SetAttribute: StatementLowering.lower_set_attribute,
    c.StepRung: StatementLowering.lower_step_rung,
    c.MovePieces: StatementLowering.lower_move,
    c.CheckedIf: StatementLowering.lower_branch,
    c.Loop: StatementLowering.lower_loop,
    c.RollDice: StatementLowering.lower_roll,
    c.DrawMembers: StatementLowering.lower_draw,
    c.ReportEvent: StatementLowering.lower_report,
    c.CheckedEndGame: StatementLowering.lower_end,
    c.CheckedSkipTo: StatementLowering.lower_skip,
    c.CallProcedure: StatementLowering.lower_call,
    c.ReturnValue: StatementLowering.lower_return,
    c.AssertThat: StatementLowering.lower_assertion,
    c.DoTogether: StatementLowering.lower_together,
    c.CiteOnly: StatementLowering.lower_cite,
    c.MatchPart: StatementLowering.lower_match,
    c.PhaseBlock: StatementLowering.reject_suspending,
    c.Decide: StatementLowering.reject_suspending,
    c.DecideDraft: StatementLowering.reject_suspending,
    c.SettleNow: StatementLowering.reject_suspending,
}
