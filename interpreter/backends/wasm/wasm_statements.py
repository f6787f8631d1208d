"""Statements as WebAssembly, in plain functions and inside the blocks of procedures with a frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from interpreter.backends.wasm.assembly.code_builder import (
    TRAP,
    add32,
    c32,
    c64,
    call,
    const,
    extend,
    get,
    load32,
    load64,
    put,
    seq,
    store32,
    store64,
    times,
    when,
    wrap,
)
from interpreter.backends.wasm.assembly.encoding import Code
from interpreter.backends.wasm.emitter import Emitter
from interpreter.backends.wasm.memory_layout import QUEUE_ARGS, QUEUE_LENGTH
from interpreter.backends.wasm.value_encoding import NotEncodableError, get_register_type, is_compound
from interpreter.backends.wasm.wasm_expressions import emit_load, emit_store, emit_word
from interpreter.backends.wasm.wasm_iteration import count_words, emit_each, emit_each_of_value, get_item_type
from interpreter.backends.wasm.wasm_sets import emit_collection
from interpreter.backends.wasm.wasm_together import emit_note, emit_together
from interpreter.ir import expression_records as e, statement_records as s
from interpreter.model import types as t
from interpreter.model.expressions import Value
from interpreter.model.types import strip_maybe
from interpreter.runtime.limits import LIMITS

COST_OF_PHASE = 10


class FrameResult(IntEnum):
    """The result of a function with a frame: the way in which its procedure ended or was suspended."""

    RETURNED = 0
    ASKED = 1
    CALLED = 2
    OVER = 3
    SKIPPING = 4


@dataclass(slots=True)
class Sites:
    """Data of the program that the host reads back by number.

    `ends`: the statements that end the game. `procedures`: the number of each procedure. `leaving`: the procedures,
    and events as "event NAME", after which the game may be over or a skip be pending.
    """

    ends: list[s.EndGame]
    procedures: dict[str, int]
    leaving: frozenset[str]


class StatementWriter:
    """Writer of the statements of one procedure, watcher or pure function.

    `emit_leave` returns the code that leaves the function with a result; `emit_interrupt` returns the code that leaves
    it because the game is over or a phase is skipped to.
    """

    def __init__(
        self,
        emitter: Emitter,
        sites: Sites,
        locals_: dict[str, t.Type],
        emit_leave: Callable[[e.Expr | None], Code],
        emit_interrupt: Callable[[], Code] | None,
    ) -> None:
        self.emitter = emitter
        self.sites = sites
        self.locals = locals_
        self.emit_leave = emit_leave
        self.emit_interrupt = emit_interrupt
        self.notes: list[tuple[e.Slot, t.Type]] = []
        self.note_at = ""

    def emit_body(self, body: s.Body) -> Code:
        """Return the code of statements in order."""
        return seq(*(self.emit_statement(stmt) for stmt in body))

    def emit_statement(self, stmt: s.Stmt) -> Code:
        """Return the code of one statement."""
        return _HANDLERS[type(stmt)](self, stmt)

    def emit_machine_address(self, name: str) -> Code:
        """Return code for the address of a value of the machine, such as "pending"."""
        return c32(self.emitter.layout.machine[name])

    def emit_after_call(self, name: str) -> Code:
        """Return the code after a call of `name`: it leaves if the game is over or a phase is skipped to."""
        if name not in self.sites.leaving:
            return seq()
        assert self.emit_interrupt is not None
        return when(("global.get", "signal"), self.emit_interrupt())

    # --- variables, writes ----------------------------------------------------------------------

    def emit_assign(self, stmt: s.Assign) -> Code:
        type_ = self.locals.get(stmt.name, stmt.value.type)
        return self.emitter.emit_assignment(stmt.name, type_, self.emitter.emit_owned(stmt.value))

    def emit_store(self, stmt: s.Store) -> Code:
        emitter, cell = self.emitter, self.emitter.layout.columns[stmt.slot]
        if is_compound(cell.type):
            owner = emitter.w.create_local("owner", "i32")
            value = emitter.w.create_local("value", "i32")
            parts = [
                put(owner, c32(0) if stmt.owner is None else emitter.emit_value(stmt.owner)),
                put(value, emitter.emit_value(stmt.value)),
            ]
            return seq(*parts, emit_store(cell, get(owner), get(value)), self.emitter.emit_invalidation(stmt.slot))
        kind = get_register_type(cell.type)
        new, owner = emitter.w.create_local("new", kind), emitter.w.create_local("owner", "i32")
        index = c32(0) if stmt.owner is None else get(owner)
        begun = seq() if stmt.owner is None else put(owner, emitter.emit_value(stmt.owner))
        changed: Code = (f"{kind}.ne", emit_load(cell, index), get(new))
        write = seq(emit_store(cell, index, get(new)), self.emitter.emit_invalidation(stmt.slot))
        return seq(begun, put(new, emitter.emit_value(stmt.value)), when(changed, write))

    def emit_reset(self, stmt: s.Reset) -> Code:
        return seq(emit_fill(self.emitter, stmt.slot, stmt.value, stmt.type), self.emitter.emit_invalidation(stmt.slot))

    def emit_move(self, stmt: s.Move) -> Code:
        moved = call("move_piece", self.emitter.emit_value(stmt.piece), self.emitter.emit_value(stmt.place))
        return seq(moved, self.emit_after_call("event moved"))

    # --- control --------------------------------------------------------------------------------

    def emit_branch(self, stmt: s.If) -> Code:
        test = self.emitter.emit_scalar(stmt.test)
        if not stmt.yes:
            return when(("i32.eqz", test), self.emit_body(stmt.no))
        return when(test, self.emit_body(stmt.yes), self.emit_body(stmt.no) if stmt.no else None)

    def emit_loop(self, stmt: s.While) -> Code:
        out, loop = self.emitter.w.create_label("done"), self.emitter.w.create_label("while")
        test: Code = ("i32.eqz", self.emitter.emit_scalar(stmt.test))
        turn = seq(
            ("br_if", out, test),
            self.emitter.emit_iteration_charge(),
            self.emitter.emit_budget_check(),
            self.emit_body(stmt.body),
            ("br", loop),
        )
        return ("block", out, "", ("loop", loop, "", turn))

    def emit_for_each(self, stmt: s.ForEach) -> Code:
        """Return code of a loop over members; they are collected first because the body may change them."""
        emitter = self.emitter

        def turn(member: Code) -> Code:
            return seq(
                emitter.emit_assignment(stmt.var, self.locals.get(stmt.var, stmt.item), member),
                self.emit_body(stmt.body),
            )

        if isinstance(stmt.domain, e.Const):
            return seq(emitter.emit_budget_check(), emit_each(emitter, stmt.domain, turn))
        domain = stmt.domain if count_words(emitter, stmt.domain.type) == 1 else None
        value = emitter.emit_value(stmt.domain) if domain is not None else emitter.emit_owned(stmt.domain)
        return seq(emitter.emit_budget_check(), emit_each_of_value(emitter, stmt.domain.type, value, turn))

    def emit_repeat(self, stmt: s.Repeat) -> Code:
        emitter = self.emitter
        left = emitter.w.create_local("left", "i64")
        turns = emitter.w.emit_loop_until(
            ("i64.le_s", get(left), c64(0)),
            put(left, ("i64.sub", get(left), c64(1))),
            emitter.emit_iteration_charge(),
            emitter.emit_budget_check(),
            self.emit_body(stmt.body),
        )
        return seq(put(left, emitter.emit_value(stmt.count)), turns)

    # --- chance ---------------------------------------------------------------------------------

    def emit_roll(self, stmt: s.Roll) -> Code:
        emitter = self.emitter
        faces = emitter.layout.put_words(list(stmt.faces))
        roll: Code = (
            "i64.load",
            faces,
            times(call("die", c32(emitter.layout.roll_names.index(stmt.name)), c32(len(stmt.faces))), 8),
        )
        cost = call("spend", c64(10))
        if stmt.count is None:
            return seq(cost, emitter.emit_assignment(stmt.var, t.INT, roll))
        n, k, p = (
            emitter.w.create_local("dice", "i64"),
            emitter.w.create_local("k", "i32"),
            emitter.w.create_local("rolled", "i32"),
        )
        turns = emitter.w.emit_loop_until(
            ("i32.ge_u", get(k), wrap(get(n))),
            put(k, add32(get(k), c32(1))),
            store64(add32(get(p), times(get(k), 8)), roll),
        )
        return seq(
            put(n, emitter.emit_value(stmt.count)),
            when(("i64.gt_u", get(n), c64(LIMITS.dice)), TRAP),
            cost,
            call("spend", get(n)),
            put(p, call("alloc", add32(times(wrap(get(n)), 8), c32(8)))),
            store64(get(p), get(n)),
            put(k, c32(0)),
            turns,
            emitter.emit_assignment(stmt.var, t.ListType(t.INT), get(p)),
        )

    def emit_draw(self, stmt: s.Draw) -> Code:
        """Return the code of a draw: remove members from a copied list, each by one die over the remaining ones."""
        emitter, item = self.emitter, get_item_type(stmt.source.type)
        p, left, at, k, drawn = (emitter.w.create_local(n, "i32") for n in ("pool", "left", "at", "k", "drawn"))
        word, count = emitter.w.create_local("word", "i64"), emitter.w.create_local("wanted", "i64")
        value = get(word) if get_register_type(item) == "i64" else wrap(get(word))
        die = call("die", c32(emitter.layout.roll_names.index(stmt.name)), get(left))
        after = add32(get(at), c32(8))
        rest: Code = ("i32.sub", add32(add32(get(p), times(get(left), 8)), c32(8)), after)
        draw = seq(
            call("spend", c64(12)),
            put(at, add32(add32(get(p), times(die, 8)), c32(8))),
            put(word, load64(get(at))),
            ("memory.copy", get(at), after, rest),
            put(left, ("i32.sub", get(left), c32(1))),
        )
        source = emit_fresh_list(emitter, stmt.source)
        begun = [] if stmt.count is None else [put(count, emitter.emit_value(stmt.count))]
        begun += [put(p, source), put(left, wrap(load64(get(p))))]
        if stmt.count is None:
            return seq(*begun, when(("i32.eqz", get(left)), TRAP), draw, emitter.emit_assignment(stmt.var, item, value))
        out, loop = emitter.w.create_label("out"), emitter.w.create_label("draw")
        turn = seq(
            ("br_if", out, ("i64.le_s", get(count), c64(0))),
            ("br_if", out, ("i32.eqz", get(left))),
            put(count, ("i64.sub", get(count), c64(1))),
            draw,
            put(k, add32(get(k), c32(1))),
            store64(add32(get(drawn), times(get(k), 8)), get(word)),
            ("br", loop),
        )
        return seq(
            *begun,
            put(drawn, call("alloc", add32(times(get(left), 8), c32(8)))),
            put(k, c32(0)),
            ("block", out, "", ("loop", loop, "", turn)),
            store64(get(drawn), extend(get(k))),
            emitter.emit_assignment(stmt.var, t.ListType(item), get(drawn)),
        )

    # --- calls ------------------------------------------------------------------------------------

    def emit_run(self, stmt: s.Run) -> Code:
        emitter, called = self.emitter, self.emitter.program.procedures[stmt.procedure]
        if called.suspends:
            raise NotEncodableError("a call of a procedure with a frame from one without")
        call_code = call("proc_" + stmt.procedure, *(emitter.emit_owned(arg) for arg in stmt.args))
        after = self.emit_after_call(stmt.procedure)
        if called.result is None:
            return seq(call_code, after)
        if stmt.var is None:
            return seq(("drop", call_code), after)
        result = emitter.w.create_local("result", get_register_type(called.result))
        return seq(put(result, call_code), after, emitter.emit_assignment(stmt.var, called.result, get(result)))

    def emit_watch(self, stmt: s.Watch) -> Code:
        return seq(
            call("watch_" + stmt.event, *(self.emitter.emit_owned(a) for a in stmt.args)),
            self.emit_after_call("event " + stmt.event),
        )

    def emit_later(self, stmt: s.Later) -> Code:
        emitter, layout = self.emitter, self.emitter.layout
        if len(stmt.args) > QUEUE_ARGS:
            raise NotEncodableError("`later` with many arguments")
        at = emitter.w.create_local("entry", "i32")
        values = [(emitter.w.create_local("arg", get_register_type(a.type)), a) for a in stmt.args]
        count = layout.machine["queued"]
        stores = [store64(get(at), emit_word(a.type, get(name)), 8 + 8 * k) for k, (name, a) in enumerate(values)]
        entry = add32(times(wrap(load64(c32(count))), 8 * (1 + QUEUE_ARGS)), c32(layout.queue))
        return seq(
            *(put(name, emitter.emit_value(a)) for name, a in values),
            self.emit_into_queue([(name, a.type) for name, a in values if is_compound(a.type)]),
            when(("i64.ge_s", load64(c32(count)), c64(QUEUE_LENGTH)), TRAP),
            put(at, entry),
            store64(get(at), c64(self.sites.procedures[stmt.procedure])),
            *stores,
            store64(c32(count), ("i64.add", load64(c32(count)), c64(1))),
        )

    def emit_into_queue(self, arg_locals: list[tuple[str, t.Type]]) -> Code:
        """Return code that copies compound arguments into the queue's memory, kept until the queue is empty.

        `arg_locals`: the local and the type of each argument.
        """
        if not arg_locals:
            return seq()
        emitter, layout = self.emitter, self.emitter.layout
        top, heap_top = c32(layout.machine["queue_top"]), c32(layout.machine["heap_top"])
        old_top = emitter.w.create_local("heap", "i32")
        is_empty: Code = ("i64.eqz", load64(c32(layout.machine["queued"])))
        start = put(old_top, load32(heap_top))
        return seq(
            when(is_empty, store32(top, c32(layout.queue_heap))),
            start,
            store32(heap_top, load32(top)),
            *(put(name, emitter.emit_heap_copy(get(name), type_)) for name, type_ in arg_locals),
            store32(top, load32(heap_top)),
            store32(heap_top, get(old_top)),
            when(("i32.gt_u", load32(top), c32(layout.queue_heap_end)), TRAP),
        )

    def emit_take_argument(self, stmt: s.TakeArgument) -> Code:
        type_ = self.locals.get(stmt.name, t.INT)
        at = c32(self.emitter.layout.answer + 8 + 8 * stmt.index)
        value = load64(at)
        return self.emitter.emit_assignment(
            stmt.name, type_, value if get_register_type(type_) == "i64" else wrap(value)
        )

    def emit_perform(self, stmt: s.Perform) -> Code:
        if not self.emitter.effects.get_effects(stmt.value).may_fault:
            return seq()
        return ("drop", self.emitter.emit_value(stmt.value))

    def emit_return(self, stmt: s.Return) -> Code:
        return self.emit_leave(stmt.value)

    def emit_end_game(self, stmt: s.EndGame) -> Code:
        """Return code that writes the outcome: winners as bits of seats (-1 for a draw), level, source position."""
        emitter = self.emitter
        if stmt.winner is None:
            winner: Code = c64(-1)
        elif isinstance(stmt.winner.type, t.SetType):
            winner = load64(emitter.emit_value(stmt.winner))
            if emitter.layout.values.count_set_words(stmt.winner.type) != 1:
                raise NotEncodableError("winners that are not a set of seats")
        else:
            winner = ("i64.shl", c64(1), extend(emitter.emit_value(stmt.winner)))
        level = c64(-1) if stmt.level is None else emit_word(stmt.level.type, emitter.emit_value(stmt.level))
        self.sites.ends.append(stmt)
        assert self.emit_interrupt is not None
        return seq(
            store64(self.emit_machine_address("winner"), winner),
            store64(self.emit_machine_address("level"), level),
            store64(self.emit_machine_address("site"), c64(len(self.sites.ends) - 1)),
            store64(self.emit_machine_address("over"), c64(1)),
            ("global.set", "signal", c32(-1)),
            self.emit_interrupt(),
        )

    def emit_skip(self, stmt: s.SkipTo) -> Code:
        number = self.emitter.program.phases.index(stmt.phase) + 1
        assert self.emit_interrupt is not None
        return seq(("global.set", "signal", c32(number)), self.emit_interrupt())

    def emit_fail(self, stmt: s.Fail) -> Code:
        return TRAP

    def emit_set_phase(self, stmt: s.SetPhase) -> Code:
        at = self.emit_machine_address("phase")
        if stmt.variable is not None:
            return store64(at, load64(get("@fp"), self.emitter.frame[stmt.variable]))
        number = 0 if stmt.phase is None else self.emitter.program.phases.index(stmt.phase) + 1
        return seq(call("spend", c64(COST_OF_PHASE)), store64(at, c64(number)))

    def emit_keep_phase(self, stmt: s.KeepPhase) -> Code:
        return store64(get("@fp"), load64(self.emit_machine_address("phase")), self.emitter.frame[stmt.name])

    def emit_enter_recursion(self, stmt: s.EnterRecursion) -> Code:
        """Return code that counts a nested call; a stored -1 marks a procedure that was never called."""
        emitter, at = self.emitter, c32(self.emitter.layout.depths[stmt.procedure])
        depth = emitter.w.create_local("depth", "i64")
        raised: Code = ("i64.add", get(depth), c64(1))
        return seq(
            put(depth, load64(at)),
            when(("i64.lt_s", get(depth), c64(0)), put(depth, c64(0))),
            store64(at, raised),
            when(("i64.gt_s", load64(at), emitter.emit_value(stmt.most)), TRAP),
            when(("i64.gt_s", load64(at), c64(LIMITS.deep)), TRAP),
        )

    def emit_leave_recursion(self, stmt: s.LeaveRecursion) -> Code:
        at = c32(self.emitter.layout.depths[stmt.procedure])
        return store64(at, ("i64.sub", load64(at), c64(1)))


def emit_fresh_list(emitter: Emitter, source: e.Expr) -> Code:
    """Return code for a new list of the members of a set or list."""
    if count_words(emitter, source.type):
        return emit_collection(
            emitter, e.Apply("as_list", (source,), t.ListType(get_item_type(source.type)), source.span)
        )
    p = emitter.w.create_local("source", "i32")
    emitter.w.allocates = True
    size = add32(times(wrap(load64(get(p))), 8), c32(8))
    return seq(put(p, emitter.emit_value(source)), call("copied", get(p), size))


def emit_fill(emitter: Emitter, slot: e.Slot, value: Value, type_: t.Type) -> Code:
    """Return code that gives every owner of a slot the constant `value`."""
    column, cell = emitter.program.columns[slot], emitter.layout.columns[slot]
    size = cell.width * column.count
    if value == () and not isinstance(strip_maybe(type_), t.RecordType):
        return ("memory.fill", c32(cell.base), c32(0), c32(size))
    encoded = emitter.layout.encode(value, type_)
    if encoded == -1 or encoded == 0 and not is_compound(type_):
        return ("memory.fill", c32(cell.base), c32(encoded & 0xFF), c32(size))
    if column.count == 1:
        return emit_store(cell, c32(0), const(get_register_type(type_), encoded))
    kind = get_register_type(type_)
    k, loop = emitter.w.create_local("k", "i32"), emitter.w.create_label("fill")
    turn = seq(
        emit_store(cell, get(k), const(kind, encoded)),
        put(k, add32(get(k), c32(1))),
        ("br_if", loop, ("i32.lt_u", get(k), c32(column.count))),
    )
    return seq(put(k, c32(0)), ("loop", loop, "", turn))


_HANDLERS: dict[type, Callable[[StatementWriter, Any], Code]] = {
    s.Assign: StatementWriter.emit_assign,
    s.Store: StatementWriter.emit_store,
    s.Reset: StatementWriter.emit_reset,
    s.Move: StatementWriter.emit_move,
    s.If: StatementWriter.emit_branch,
    s.While: StatementWriter.emit_loop,
    s.ForEach: StatementWriter.emit_for_each,
    s.Repeat: StatementWriter.emit_repeat,
    s.Roll: StatementWriter.emit_roll,
    s.Draw: StatementWriter.emit_draw,
    s.Run: StatementWriter.emit_run,
    s.Watch: StatementWriter.emit_watch,
    s.Later: StatementWriter.emit_later,
    s.TakeArgument: StatementWriter.emit_take_argument,
    s.Perform: StatementWriter.emit_perform,
    s.Return: StatementWriter.emit_return,
    s.EndGame: StatementWriter.emit_end_game,
    s.SkipTo: StatementWriter.emit_skip,
    s.Fail: StatementWriter.emit_fail,
    s.SetPhase: StatementWriter.emit_set_phase,
    s.KeepPhase: StatementWriter.emit_keep_phase,
    s.EnterRecursion: StatementWriter.emit_enter_recursion,
    s.LeaveRecursion: StatementWriter.emit_leave_recursion,
    s.Together: emit_together,
    s.Note: emit_note,
}
