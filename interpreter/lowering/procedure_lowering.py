"""Lower procedures and watchers: a procedure that can suspend is cut into blocks and keeps its variables in a frame."""

from __future__ import annotations

from dataclasses import dataclass, replace

from interpreter.checker.suspension import SuspensionAnalysis, find_suspension, list_bodies, walk
from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.traversal import map_labels
from interpreter.lowering.decision_lowering import DecisionLowering
from interpreter.lowering.dice_pools import Reading, classify_pool_use
from interpreter.lowering.expression_lowering import lower, lower_as
from interpreter.lowering.lowering_context import Context, FunctionNames, VariableScope
from interpreter.lowering.statement_lowering import StatementLowering, build_arm_number, build_arm_test
from interpreter.lowering.value_types import NotLoweredError, get_collection_type
from interpreter.lowering.variables import Variables, iter_assignments
from interpreter.model import statements as c, types as t
from interpreter.model.checked_model import CheckedModel, CheckedProcedure, CheckedWatcher
from interpreter.model.types import DRAFT, strip_maybe

CLOSED = -2  # a frame suspended after an option of decision n resumes after "statement" CLOSED - n


def analyze_suspension(model: CheckedModel, at_chance: bool = False) -> SuspensionAnalysis:
    """Return which procedures have a frame: those that can suspend, and those with phases, which a skip can enter.

    `at_chance`: rolls and draws suspend too.
    """
    suspension = find_suspension(model, at_chance)
    framed = set(suspension.procedures)
    framed |= {p.name for p in model.procedures.values() if any(isinstance(x, c.PhaseBlock) for x in walk(p.body))}
    again = True
    while again:
        again = False
        for procedure in model.procedures.values():
            calls = (x for x in walk(procedure.body) if isinstance(x, c.CallProcedure) and not x.later)
            if procedure.name not in framed and any(x.procedure in framed for x in calls):
                framed.add(procedure.name)
                again = True
    return replace(suspension, procedures=frozenset(framed))


def build_resets(cx: Context, scope: str, span: Span) -> s.Body:
    """Return the statements that reset the attributes that last as long as a phase, a procedure or a turn.

    `scope`: how long they last, such as "turn".
    """
    rs = cx.ruleset
    columns = [(e.Slot(k.id, n), a) for k in rs.kinds.values() for n, a in k.attributes.items() if a.lasts == scope]
    columns += [(e.Slot("game", n), a) for n, a in rs.game.items() if a.lasts == scope]
    return tuple(s.Reset(slot, a.default, a.type, span) for slot, a in columns)


def lower_procedure(
    cx: Context, procedure: CheckedProcedure, suspension: SuspensionAnalysis, decisions: DecisionLowering
) -> ir.Procedure:
    """Lower one procedure; repeat with wider variable types until every value fits its variable.

    `suspension`: which procedures can suspend. `decisions`: collects the lowered decisions.
    """
    widened: dict[str, t.Type] = {}
    while True:  # each round widens a variable, and a type has few wider ones
        cx.names = FunctionNames()
        mark = decisions.get_mark()
        variables = Variables(cx.names, widened)
        for name, type_ in procedure.params:
            variables.declare(name, type_, procedure.span)
        for name, type_, span in iter_assignments(cx.model, procedure.body):
            variables.declare(name, type_, span)
        names: VariableScope = {
            name: variables.get_variable(name, type_, procedure.span) for name, type_ in procedure.params
        }
        cx.dice_variables = frozenset(x.var for x in walk(procedure.body) if isinstance(x, c.RollDice))
        with cx.set_tracing(True):
            lowered = _lower_once(cx, procedure, suspension, decisions, variables, names)
        if not variables.too_narrow:
            return lowered
        decisions.discard_since(mark)


def _lower_once(
    cx: Context,
    procedure: CheckedProcedure,
    suspension: SuspensionAnalysis,
    decisions: DecisionLowering,
    variables: Variables,
    names: VariableScope,
) -> ir.Procedure:
    span = procedure.span
    statements = StatementLowering(cx, variables, names, procedure.result)
    ending = build_resets(cx, procedure.name, span)
    begun: s.Body = ()
    if procedure.deep is not None:
        ending = (*ending, s.LeaveRecursion(procedure.name, span))
        begun = (s.EnterRecursion(procedure.name, lower(cx, procedure.deep, names), span),)
    begun = (*begun, *cx.build_citation(procedure.cites, span))
    statements.ending = ending
    charge = 0 if cx.cost_model is None else cx.cost_model.get_procedure_charge(procedure)
    params = tuple((names[name].name, names[name].type) for name, _ in procedure.params)
    if procedure.name not in suspension.procedures:
        body = (*begun, *statements.lower_body(procedure.body), *ending, s.Return(None, span))
        return ir.Procedure(
            procedure.name, params, procedure.result, body, (), cx.names.locals, (), (), ending, span, charge=charge
        )
    cut = ProcedureLowering(cx, procedure, suspension, decisions, statements)
    blocks = cut.build_blocks(begun)
    frame = (*variables.list_variables(), *cut.hidden)
    return ir.Procedure(
        procedure.name,
        params,
        procedure.result,
        (),
        blocks,
        cx.names.locals,
        frame,
        tuple(cut.phases),
        ending,
        span,
        cut.roles,
        {number: decided for number, decided in enumerate(cut.within) if decided},
        charge,
    )


def lower_watcher(cx: Context, watcher: CheckedWatcher, number: int) -> ir.Watcher:
    """Lower the watcher of an event. `number`: its number among all watchers."""
    widened: dict[str, t.Type] = {}
    while True:
        cx.names = FunctionNames()
        variables = Variables(cx.names, widened)
        for name, type_ in watcher.params:
            variables.declare(name, type_, watcher.span)
        for name, type_, span in iter_assignments(cx.model, watcher.body):
            variables.declare(name, type_, span)
        names: VariableScope = {
            name: variables.get_variable(name, type_, watcher.span) for name, type_ in watcher.params
        }
        params = tuple((names[name].name, names[name].type) for name, _ in watcher.params)
        cx.dice_variables = frozenset()
        with cx.set_tracing(True):
            where = None if watcher.where is None else lower(cx, watcher.where, names)
            lowered = StatementLowering(cx, variables, names, None).lower_body(watcher.body)
        body = (*cx.build_citation(watcher.cites, watcher.span), *lowered)
        if not variables.too_narrow:
            return ir.Watcher(watcher.event, number, params, where, body, cx.names.locals, watcher.span)


@dataclass(slots=True)
class OpenBlock:
    """A block being written: its statements, and its terminator once it has ended."""

    label: int
    body: list[s.Stmt]
    end: s.Terminator | None = None
    statement: int | None = None
    span: Span | None = None


class ProcedureLowering:
    """Lowering of one procedure to blocks. Terminators name labels, which become numbers of blocks at the end."""

    def __init__(
        self,
        cx: Context,
        procedure: CheckedProcedure,
        suspension: SuspensionAnalysis,
        decisions: DecisionLowering,
        statements: StatementLowering,
    ) -> None:
        self.cx = cx
        self.procedure = procedure
        self.suspension = suspension
        self.decisions = decisions
        self.plain = statements
        self.blocks: list[OpenBlock] = []
        self.labels = 0
        self.hidden: list[str] = []
        self.roles: dict[str, tuple[str, int]] = {}
        self.within: list[tuple[int, ...]] = []  # of each block, the decisions in whose options it lies
        self._deciding: tuple[int, ...] = ()
        self._span = procedure.span
        self.phases: list[ir.PhaseEntry] = []
        self._inside: list[str] = []
        self._before: str | None = None
        self._following: c.Stmt | None = None  # the statement after the one being lowered
        self._numbers = {id(stmt): number for number, stmt in enumerate(walk(procedure.body))}

    def build_blocks(self, begun: s.Body) -> tuple[s.Block, ...]:
        """Return the blocks of the procedure, numbered from 0. `begun`: statements to put at its start."""
        span = self.procedure.span
        self.place_label(self.create_label())
        self.append(*begun)
        if any(isinstance(x, c.PhaseBlock) for x in walk(self.procedure.body)) and self.procedure.name not in (
            "turn",
            "setup",
        ):
            self._before = self.create_hidden_variable("before", t.TEXT, None)
            self.append(s.KeepPhase(self._before, span))
        self.lower_body(self.procedure.body)
        if self.suspension.uses_later and self.procedure.name in ("turn", "setup"):
            self.lower_settle(None)
        self.append(*self.plain.ending, s.Return(None, span))
        self.end_block(s.Leave())
        place = {block.label: number for number, block in enumerate(self.blocks)}
        self.phases = [replace(p, first=place[p.first]) for p in self.phases]
        ends = [map_labels(block.end or s.Leave(), place.__getitem__) for block in self.blocks]
        return tuple(
            s.Block(tuple(block.body), end, block.statement, block.span)
            for block, end in zip(self.blocks, ends, strict=True)
        )

    # --- blocks -------------------------------------------------------------------------------

    def create_label(self) -> int:
        """Return a new label, for a block that `place_label` begins."""
        self.labels += 1
        return self.labels

    def place_label(self, label: int, statement: int | None = None) -> None:
        """Begin the block of a label; the block before, if still open, continues with it.

        `statement`: the number of the statement that the block completes when the procedure is resumed there, or None.
        """
        if self.blocks and self.blocks[-1].end is None:
            self.blocks[-1].end = s.Goto(label)
        self.blocks.append(OpenBlock(label, [], None, statement))
        self.within.append(self._deciding)

    def append(self, *stmts: s.Stmt) -> None:
        """Add statements to the open block."""
        self.blocks[-1].body.extend(stmts)

    def end_block(self, terminator: s.Terminator) -> None:
        """End the open block."""
        self.blocks[-1].end = terminator
        self.blocks[-1].span = self._span

    def create_hidden_variable(self, name: str, type_: t.Type, stmt: c.Stmt | None) -> str:
        """Return the name of a new frame variable that the lowering needs and no author declared.

        `stmt`: the statement that needs it, or None for the whole procedure.
        """
        variable = self.cx.names.create_variable(name, type_, self.procedure.span).name
        self.hidden.append(variable)
        self.roles[variable] = name, -1 if stmt is None else self.number_statement(stmt)
        return variable

    def add_charge(self, times: e.Expr | None, stmt: c.Loop) -> None:
        """Add a statement that charges the budget steps of a loop.

        `times`: the list it iterates over, or its number of iterations; None to charge one iteration.
        """
        steps = self.plain.get_loop_charge(stmt)
        if steps:
            self.append(s.Charge(times, steps, stmt.span))

    def number_statement(self, stmt: c.Stmt) -> int:
        """Return the number of a statement in its procedure."""
        return self._numbers[id(stmt)]

    # --- statements ---------------------------------------------------------------------------

    def is_cut(self, stmt: c.Stmt) -> bool:
        """Return whether a statement can suspend or holds a phase."""
        if self.suspension.can_suspend(stmt) or isinstance(stmt, c.PhaseBlock):
            return True
        return any(self.is_cut(inner) for body in list_bodies(stmt) for inner in body)

    def lower_body(self, body: c.Body) -> None:
        """Lower statements in order."""
        for number, stmt in enumerate(body):
            self._following = body[number + 1] if number + 1 < len(body) else None
            if self.is_cut(stmt):
                self.lower_statement(stmt)
            else:
                self.append(*self.plain.lower_statement(stmt))

    def lower_scoped(self, body: c.Body, before: VariableScope) -> None:
        """Lower a body in a new scope. `before`: the names in scope around it, restored afterwards."""
        self.lower_body(body)
        self.plain.names.clear()
        self.plain.names.update(before)

    def lower_statement(self, stmt: c.Stmt) -> None:
        """Lower a statement that can suspend or holds a phase to blocks."""
        self._span = stmt.span
        self.append(*self.plain.build_citation(stmt))
        match stmt:
            case c.CallProcedure():
                self.lower_call(stmt)
            case c.SettleNow():
                self.lower_settle(stmt)
            case c.CheckedIf():
                self.lower_branch(stmt)
            case c.Loop():
                self.lower_loop(stmt)
            case c.MatchPart():
                self.lower_match(stmt)
            case c.PhaseBlock():
                self.lower_phase(stmt)
            case c.Decide():
                self.lower_decide(stmt)
            case c.DecideDraft():
                self.lower_decide_draft(stmt)
            case c.RollDice() | c.DrawMembers():
                self.lower_chance(stmt)
            case _:
                raise NotLoweredError(f"{type(stmt).__name__} that suspends", stmt.span)

    def lower_call(self, stmt: c.CallProcedure) -> None:
        called = self.cx.model.procedures[stmt.procedure]
        args = tuple(
            lower_as(self.cx, core, self.plain.names, type_)
            for core, (_, type_) in zip(stmt.args, called.params, strict=True)
        )
        resume = self.create_label()
        if stmt.var is None:
            self.end_block(s.CallThen(stmt.procedure, args, None, resume))
            self.place_label(resume, self.number_statement(stmt))
            return
        type_ = called.result or t.NEVER
        var = self.plain.bind_name(stmt.var, type_, stmt.span)
        own = e.Local(var.name, type_, stmt.span)
        if self.cx.convert(own, var.type) is own:
            self.end_block(s.CallThen(stmt.procedure, args, var.name, resume))
            self.place_label(resume, self.number_statement(stmt))
            return
        result = e.Local(self.create_hidden_variable(var.name, type_, stmt), type_, stmt.span)
        self.end_block(s.CallThen(stmt.procedure, args, result.name, resume))
        self.place_label(resume, self.number_statement(stmt))
        self.append(s.Assign(var.name, self.cx.convert(result, var.type), stmt.span))

    def lower_settle(self, stmt: c.Stmt | None) -> None:
        here, done = self.create_label(), self.create_label()
        self.place_label(here, None if stmt is None else self.number_statement(stmt))
        self.end_block(s.Settle(done))
        self.place_label(done)

    def lower_branch(self, stmt: c.CheckedIf) -> None:
        before, out = dict(self.plain.names), self.create_label()
        for test, body in stmt.branches:
            yes, no = self.create_label(), self.create_label()
            self.end_block(s.Test(self.plain.lower_expr(test), yes, no))
            self.place_label(yes)
            self.lower_scoped(body, before)
            self.end_block(s.Goto(out))
            self.place_label(no)
        self.lower_scoped(stmt.otherwise or (), before)
        self.place_label(out)

    def lower_loop(self, stmt: c.Loop) -> None:
        before = dict(self.plain.names)
        head, inside, out = self.create_label(), self.create_label(), self.create_label()
        if stmt.sort == "while":
            self.place_label(head)
            self.end_block(s.Test(self.plain.lower_expr(stmt.head), inside, out))
            self.place_label(inside)
            self.add_charge(None, stmt)
        elif stmt.sort == "times":
            left = self.create_hidden_variable("left", t.INT, stmt)
            self.append(s.Assign(left, self.plain.lower_expr(stmt.head), stmt.span))
            self.add_charge(e.Local(left, t.INT, stmt.span), stmt)
            self.place_label(head)
            self.end_block(s.Countdown(left, inside, out))
            self.place_label(inside)
        else:
            self.begin_member_loop(stmt, head, inside, out)
        self.lower_scoped(stmt.body, before)
        self.end_block(s.Goto(head))
        self.place_label(out)

    def begin_member_loop(self, stmt: c.Loop, head: int, inside: int, out: int) -> None:
        """Begin a loop over members, which a frame variable holds as a list.

        `head`: the label of the next iteration. `inside`: the label of the body. `out`: the label after the loop.
        """
        members = self.plain.lower_expr(stmt.head)
        collection = get_collection_type(members.type)
        item = collection.item or t.NEVER
        items, index = (
            self.create_hidden_variable("items", t.ListType(item), stmt),
            self.create_hidden_variable("index", t.INT, stmt),
        )
        as_list = (
            members
            if isinstance(collection, t.ListType)
            else e.Apply("as_list", (members,), t.ListType(item), stmt.span)
        )
        self.append(s.Assign(items, as_list, stmt.span), s.Assign(index, e.Const(0, t.INT, stmt.span), stmt.span))
        self.add_charge(e.Local(items, t.ListType(item), stmt.span), stmt)
        var: str | None = None
        begun: tuple[s.Stmt, ...] = ()
        if stmt.var is not None:
            bound = self.plain.bind_name(stmt.var, item, stmt.span)
            own = e.Local(bound.name, item, stmt.span)
            if self.cx.convert(own, bound.type) is not own:
                own = e.Local(self.create_hidden_variable("member", item, stmt), item, stmt.span)
                begun = (s.Assign(bound.name, self.cx.convert(own, bound.type), stmt.span),)
            var = own.name
        self.place_label(head)
        self.end_block(s.Next(items, index, var, inside, out))
        self.place_label(inside)
        self.append(*begun)
        if stmt.still is not None:
            holds = self.create_label()
            self.end_block(s.Test(self.plain.lower_expr(stmt.still), holds, head))
            self.place_label(holds)

    def lower_match(self, stmt: c.MatchPart) -> None:
        lowered = self.plain.lower_expr(stmt.subject)
        subject = e.Local(self.create_hidden_variable("subject", lowered.type, stmt), lowered.type, stmt.span)
        self.append(s.Assign(subject.name, lowered, stmt.span))
        before, out = dict(self.plain.names), self.create_label()
        for arm, var, body in stmt.arms:
            yes, no = self.create_label(), self.create_label()
            self.end_block(s.Test(build_arm_test(self.cx, subject, arm), yes, no))
            self.place_label(yes)
            if var is not None:
                self.append(self.plain.build_assignment(var, build_arm_number(subject), stmt.span))
            self.lower_scoped(body, before)
            self.end_block(s.Goto(out))
            self.place_label(no)
        self.lower_scoped(stmt.otherwise or (), before)
        self.place_label(out)

    def lower_phase(self, stmt: c.PhaseBlock) -> None:
        """Lower a phase: run its statements, then the queued calls, then reset the attributes that last for a phase."""
        span = stmt.span
        outer = self._inside[-1] if self._inside else None
        number = self.number_statement(stmt)
        left = s.PhaseChange(stmt.name, number, outer, False)
        restore = s.SetPhase(outer, None if outer else self._before, span, left)
        lasting = build_resets(self.cx, stmt.name, span)
        entry = self.create_label()
        self.place_label(entry)
        self.plain.phases.append((lasting, restore))
        self._inside.append(stmt.name)
        titles = [p for p in (stmt.title.parts if stmt.title else ()) if not isinstance(p, str)]
        with self.cx.set_tracing(False):
            title = self.cx.lower_text(stmt.title, self.plain.names)
            evaluated = self.plain.evaluate_for_faults(titles, title is not None)
        entered = s.PhaseChange(stmt.name, number, outer, True, title, stmt.cites)
        self.append(*evaluated, s.SetPhase(stmt.name, None, span, entered))
        before = dict(self.plain.names)
        self.lower_scoped(stmt.body, before)
        if self.suspension.uses_later:
            self.lower_settle(stmt)
        self._inside.pop()
        self.plain.phases.pop()
        self.append(*lasting, restore)
        self.phases.append(ir.PhaseEntry(stmt.name, entry, len(self.blocks) - 1, tuple(self._inside), lasting))
        self.place_label(self.create_label())

    # --- decisions ------------------------------------------------------------------------------

    def lower_decide(self, stmt: c.Decide) -> None:
        here, resume, nobody, out = self.create_label(), self.create_label(), self.create_label(), self.create_label()
        self.place_label(here)
        decision = self.decisions.add(stmt, self.procedure.name, self.plain.names)
        self.end_block(s.Ask(decision, stmt.alone, resume, nobody, out))
        self.place_label(resume, self.number_statement(stmt))
        labels = tuple(self.create_label() for _ in stmt.choices)
        self.end_block(s.Answer(decision, labels, out))
        before = dict(self.plain.names)
        outer, self._deciding = self._deciding, (*self._deciding, decision)
        for label, choice in zip(labels, stmt.choices, strict=True):
            self.place_label(label)
            for index, param in enumerate(choice.params):
                self.assign_argument(param, index, choice.span)
            self.append(*self.cx.build_citation(choice.cites, choice.span))
            self.lower_scoped(choice.body, before)
            if stmt.until_done and self.suspension.at_rolls:
                resume = self.create_label()
                self.end_block(s.Close(decision, resume))
                self.place_label(resume, CLOSED - decision)
            self.end_block(s.Goto(here if stmt.until_done else out))
        self._deciding = outer
        self.place_label(nobody)
        if stmt.otherwise is None:
            self.append(s.Fail("nothing legal", stmt.span, None, stmt.address))
        else:
            self.lower_scoped(stmt.otherwise, before)
        self.place_label(out)

    def lower_chance(self, stmt: c.RollDice | c.DrawMembers) -> None:
        """End the block to suspend before dice or a draw."""
        use = classify_pool_use(self.procedure, stmt, self._following, self.cx.model)
        is_draw = isinstance(stmt, c.DrawMembers)
        count = None if stmt.count is None else self.plain.lower_expr(stmt.count)
        source = self.plain.lower_expr(stmt.source) if isinstance(stmt, c.DrawMembers) else None
        chance = self.plain.build_chance(stmt, None if isinstance(stmt, c.DrawMembers) else stmt.die, None)
        assert chance is not None
        readings: tuple[s.DieReading, ...] | None = None
        if use.readings is not None and count is not None and not is_draw:
            readings = tuple(self.lower_reading(x, stmt.span) for x in use.readings)
        is_summed = all(x.adds_up for x in use.readings or ())
        resume = self.create_label()
        self.end_block(s.AskChance(chance, source, count, readings, use.ordered, is_summed, resume))
        self.place_label(resume, self.number_statement(stmt))
        source_type = t.INT if source is None else strip_maybe(source.type)
        item = (source_type.item if isinstance(source_type, t.SetType | t.ListType) else source_type) or t.NEVER
        type_ = item if count is None else t.ListType(item)
        var = self.plain.bind_name(stmt.var, type_, stmt.span)
        single, span = count is None, stmt.span
        self.append(
            *self.plain.build_value_assignment(
                var, type_, lambda name: s.TakeChance(name, stmt.name, single, is_draw, span)
            )
        )

    def lower_reading(self, reading: Reading, span: Span) -> s.DieReading:
        """Lower the test and values of one reading of a die."""
        var = self.cx.names.create_name(reading.var)
        inner = {**self.plain.names, reading.var: e.Local(var, t.INT, span)}
        where = None if reading.where is None else lower(self.cx, reading.where, inner)
        return s.DieReading(var, where, tuple(lower(self.cx, part, inner) for part in reading.parts))

    def assign_argument(self, param: c.Param, index: int, span: Span) -> None:
        """Add statements that assign argument number `index` of the chosen option to a parameter."""
        var = self.plain.bind_name(param.name, param.type, span)
        self.append(*self.plain.build_value_assignment(var, param.type, lambda name: s.TakeArgument(name, index, span)))

    def lower_decide_draft(self, stmt: c.DecideDraft) -> None:
        draft = self.cx.model.drafts[stmt.draft]
        args = tuple(
            lower_as(self.cx, core, self.plain.names, type_)
            for core, (_, type_) in zip(stmt.args, draft.params, strict=True)
        )
        resume, following = self.create_label(), self.create_label()
        decision = self.decisions.add_draft(stmt, self.procedure.name, self.plain.names)
        self.end_block(s.AskDraft(decision, args, stmt.alone, resume))
        self.place_label(resume, self.number_statement(stmt))
        var = None
        if stmt.var is not None:
            var = self.plain.bind_name(stmt.var, t.RecordType(DRAFT + stmt.draft), stmt.span).name
        self.end_block(s.TakeDraft(decision, var, following))
        self.place_label(following)
