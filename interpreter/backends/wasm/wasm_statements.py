"""Statements as WebAssembly, in plain functions and inside the blocks of procedures with a frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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
from interpreter.ir import expression_records as e, statement_records as s
from interpreter.model import types as t
from interpreter.model.expressions import Value
from interpreter.model.types import strip_maybe
from interpreter.runtime.limits import LIMITS

RETURNED, ASKED, CALLED, OVER, SKIPPING = 0, 1, 2, 3, 4  # what a procedure with a frame says
NOTE_SIZE, MOST_NOTES = 32, 400
COST_OF_PHASE = 10


@dataclass(slots=True)
class Sites:
    """Data of the program that the host reads back by number.

    `ends`: the statements that end the game. `procedures`: the number of each procedure. `leaving`: the procedures,
    and events as "event NAME", after which the game may be over or a skip be pending.
    """

    ends: list[s.EndGame]
    procedures: dict[str, int]
    leaving: frozenset[str]  # procedures and events after which the game may be over or a skip under way


class StatementWriter:
    """Writer of the statements of one procedure, watcher or pure function.

    `leave` returns the code that leaves the function with a result; `interrupted` returns the code that leaves it
    because the game is over or a phase is skipped to.
    """

    def __init__(
        self,
        x: Emitter,
        sites: Sites,
        locals_: dict[str, t.Type],
        leave: Callable[[e.Expr | None], Code],
        interrupted: Callable[[], Code] | None,
    ) -> None:
        self.x = x
        self.sites = sites
        self.locals = locals_
        self.leave = leave
        self.interrupted = interrupted
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
        return c32(self.x.layout.machine[name])

    def emit_after_call(self, name: str) -> Code:
        """Return the code after a call of `name`: it leaves if the game is over or a phase is skipped to."""
        if name not in self.sites.leaving:
            return seq()
        assert self.interrupted is not None
        return when(("global.get", "signal"), self.interrupted())

    # --- variables, writes ----------------------------------------------------------------------

    def emit_assign(self, stmt: s.Assign) -> Code:
        type_ = self.locals.get(stmt.name, stmt.value.type)
        return self.x.emit_assignment(stmt.name, type_, self.x.emit_owned(stmt.value))

    def emit_store(self, stmt: s.Store) -> Code:
        x, cell = self.x, self.x.layout.columns[stmt.slot]
        if is_compound(cell.type):
            owner = x.w.create_local("owner", "i32")
            value = x.w.create_local("value", "i32")
            parts = [
                put(owner, c32(0) if stmt.owner is None else x.emit_value(stmt.owner)),
                put(value, x.emit_value(stmt.value)),
            ]
            return seq(*parts, emit_store(cell, get(owner), get(value)), emit_invalidation(self.x, stmt.slot))
        kind = get_register_type(cell.type)
        new, owner = x.w.create_local("new", kind), x.w.create_local("owner", "i32")
        index = c32(0) if stmt.owner is None else get(owner)
        begun = seq() if stmt.owner is None else put(owner, x.emit_value(stmt.owner))
        changed: Code = (f"{kind}.ne", emit_load(cell, index), get(new))
        write = seq(emit_store(cell, index, get(new)), emit_invalidation(self.x, stmt.slot))
        return seq(begun, put(new, x.emit_value(stmt.value)), when(changed, write))

    def emit_reset(self, stmt: s.Reset) -> Code:
        return seq(emit_fill(self.x, stmt.slot, stmt.value, stmt.type), emit_invalidation(self.x, stmt.slot))

    def emit_move(self, stmt: s.Move) -> Code:
        moved = call("move_piece", self.x.emit_value(stmt.piece), self.x.emit_value(stmt.place))
        return seq(moved, self.emit_after_call("event moved"))

    # --- control --------------------------------------------------------------------------------

    def emit_branch(self, stmt: s.If) -> Code:
        test = self.x.emit_scalar(stmt.test)
        if not stmt.yes:
            return when(("i32.eqz", test), self.emit_body(stmt.no))
        return when(test, self.emit_body(stmt.yes), self.emit_body(stmt.no) if stmt.no else None)

    def emit_loop(self, stmt: s.While) -> Code:
        out, loop = self.x.w.create_label("done"), self.x.w.create_label("while")
        test: Code = ("i32.eqz", self.x.emit_scalar(stmt.test))
        turn = seq(
            ("br_if", out, test),
            self.x.emit_iteration_charge(),
            self.x.emit_budget_check(),
            self.emit_body(stmt.body),
            ("br", loop),
        )
        return ("block", out, "", ("loop", loop, "", turn))

    def emit_for_each(self, stmt: s.ForEach) -> Code:
        """Return code of a loop over members; they are collected first because the body may change them."""
        x = self.x

        def turn(member: Code) -> Code:
            return seq(
                x.emit_assignment(stmt.var, self.locals.get(stmt.var, stmt.item), member), self.emit_body(stmt.body)
            )

        if isinstance(stmt.domain, e.Const):
            return seq(x.emit_budget_check(), emit_each(x, stmt.domain, turn))
        domain = stmt.domain if count_words(x, stmt.domain.type) == 1 else None
        value = x.emit_value(stmt.domain) if domain is not None else x.emit_owned(stmt.domain)
        return seq(x.emit_budget_check(), emit_each_of_value(x, stmt.domain.type, value, turn))

    def emit_repeat(self, stmt: s.Repeat) -> Code:
        x = self.x
        left = x.w.create_local("left", "i64")
        turns = x.w.emit_loop_until(
            ("i64.le_s", get(left), c64(0)),
            put(left, ("i64.sub", get(left), c64(1))),
            x.emit_iteration_charge(),
            x.emit_budget_check(),
            self.emit_body(stmt.body),
        )
        return seq(put(left, x.emit_value(stmt.count)), turns)

    # --- chance ---------------------------------------------------------------------------------

    def emit_roll(self, stmt: s.Roll) -> Code:
        x = self.x
        faces = x.layout.put_words(list(stmt.faces))
        roll: Code = (
            "i64.load",
            faces,
            times(call("die", c32(x.layout.roll_names.index(stmt.name)), c32(len(stmt.faces))), 8),
        )
        cost = call("spend", c64(10))
        if stmt.count is None:
            return seq(cost, x.emit_assignment(stmt.var, t.INT, roll))
        n, k, p = x.w.create_local("dice", "i64"), x.w.create_local("k", "i32"), x.w.create_local("rolled", "i32")
        turns = x.w.emit_loop_until(
            ("i32.ge_u", get(k), wrap(get(n))),
            put(k, add32(get(k), c32(1))),
            store64(add32(get(p), times(get(k), 8)), roll),
        )
        return seq(
            put(n, x.emit_value(stmt.count)),
            when(("i64.gt_u", get(n), c64(LIMITS.dice)), TRAP),
            cost,
            call("spend", get(n)),
            put(p, call("alloc", add32(times(wrap(get(n)), 8), c32(8)))),
            store64(get(p), get(n)),
            put(k, c32(0)),
            turns,
            x.emit_assignment(stmt.var, t.ListType(t.INT), get(p)),
        )

    def emit_draw(self, stmt: s.Draw) -> Code:
        """Return the code of a draw: remove members from a copied list, each by one die over the remaining ones."""
        x, item = self.x, get_item_type(stmt.source.type)
        p, left, at, k, drawn = (x.w.create_local(n, "i32") for n in ("pool", "left", "at", "k", "drawn"))
        word, count = x.w.create_local("word", "i64"), x.w.create_local("wanted", "i64")
        value = get(word) if get_register_type(item) == "i64" else wrap(get(word))
        die = call("die", c32(x.layout.roll_names.index(stmt.name)), get(left))
        after = add32(get(at), c32(8))
        rest: Code = ("i32.sub", add32(add32(get(p), times(get(left), 8)), c32(8)), after)
        draw = seq(
            call("spend", c64(12)),
            put(at, add32(add32(get(p), times(die, 8)), c32(8))),
            put(word, load64(get(at))),
            ("memory.copy", get(at), after, rest),
            put(left, ("i32.sub", get(left), c32(1))),
        )
        source = emit_fresh_list(x, stmt.source)
        begun = [] if stmt.count is None else [put(count, x.emit_value(stmt.count))]
        begun += [put(p, source), put(left, wrap(load64(get(p))))]
        if stmt.count is None:
            return seq(*begun, when(("i32.eqz", get(left)), TRAP), draw, x.emit_assignment(stmt.var, item, value))
        out, loop = x.w.create_label("out"), x.w.create_label("draw")
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
            x.emit_assignment(stmt.var, t.ListType(item), get(drawn)),
        )

    # --- calls ------------------------------------------------------------------------------------

    def emit_run(self, stmt: s.Run) -> Code:
        x, called = self.x, self.x.program.procedures[stmt.procedure]
        if called.suspends:
            raise NotEncodableError("a call of a procedure with a frame from one without")
        call_code = call("proc_" + stmt.procedure, *(x.emit_owned(arg) for arg in stmt.args))
        after = self.emit_after_call(stmt.procedure)
        if called.result is None:
            return seq(call_code, after)
        if stmt.var is None:
            return seq(("drop", call_code), after)
        result = x.w.create_local("result", get_register_type(called.result))
        return seq(put(result, call_code), after, x.emit_assignment(stmt.var, called.result, get(result)))

    def emit_watch(self, stmt: s.Watch) -> Code:
        return seq(
            call("watch_" + stmt.event, *(self.x.emit_owned(a) for a in stmt.args)),
            self.emit_after_call("event " + stmt.event),
        )

    def emit_later(self, stmt: s.Later) -> Code:
        x, layout = self.x, self.x.layout
        if len(stmt.args) > QUEUE_ARGS:
            raise NotEncodableError("`later` with many arguments")
        at = x.w.create_local("entry", "i32")
        values = [(x.w.create_local("arg", get_register_type(a.type)), a) for a in stmt.args]
        count = layout.machine["queued"]
        stores = [store64(get(at), emit_word(a.type, get(name)), 8 + 8 * k) for k, (name, a) in enumerate(values)]
        entry = add32(times(wrap(load64(c32(count))), 8 * (1 + QUEUE_ARGS)), c32(layout.queue))
        return seq(
            *(put(name, x.emit_value(a)) for name, a in values),
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
        x, layout = self.x, self.x.layout
        top, heap_top = c32(layout.machine["queue_top"]), c32(layout.machine["heap_top"])
        old_top = x.w.create_local("heap", "i32")
        is_empty: Code = ("i64.eqz", load64(c32(layout.machine["queued"])))
        start = put(old_top, load32(heap_top))
        return seq(
            when(is_empty, store32(top, c32(layout.queue_heap))),
            start,
            store32(heap_top, load32(top)),
            *(put(name, x.emit_persist(get(name), type_)) for name, type_ in arg_locals),
            store32(top, load32(heap_top)),
            store32(heap_top, get(old_top)),
            when(("i32.gt_u", load32(top), c32(layout.queue_heap_end)), TRAP),
        )

    def emit_take_argument(self, stmt: s.TakeArgument) -> Code:
        type_ = self.locals.get(stmt.name, t.INT)
        at = c32(self.x.layout.answer + 8 + 8 * stmt.index)
        value = load64(at)
        return self.x.emit_assignment(stmt.name, type_, value if get_register_type(type_) == "i64" else wrap(value))

    def emit_perform(self, stmt: s.Perform) -> Code:
        if not self.x.effects.get_effects(stmt.value).may_fault:
            return seq()
        return ("drop", self.x.emit_value(stmt.value))

    def emit_return(self, stmt: s.Return) -> Code:
        return self.leave(stmt.value)

    def emit_end_game(self, stmt: s.EndGame) -> Code:
        """Return code that writes the outcome: winners as bits of seats (-1 for a draw), level, source position."""
        x = self.x
        if stmt.winner is None:
            winner: Code = c64(-1)
        elif isinstance(stmt.winner.type, t.SetType):
            winner = load64(x.emit_value(stmt.winner))
            if x.layout.values.count_set_words(stmt.winner.type) != 1:
                raise NotEncodableError("winners that are not a set of seats")
        else:
            winner = ("i64.shl", c64(1), extend(x.emit_value(stmt.winner)))
        level = c64(-1) if stmt.level is None else emit_word(stmt.level.type, x.emit_value(stmt.level))
        self.sites.ends.append(stmt)
        assert self.interrupted is not None
        return seq(
            store64(self.emit_machine_address("winner"), winner),
            store64(self.emit_machine_address("level"), level),
            store64(self.emit_machine_address("site"), c64(len(self.sites.ends) - 1)),
            store64(self.emit_machine_address("over"), c64(1)),
            ("global.set", "signal", c32(-1)),
            self.interrupted(),
        )

    def emit_skip(self, stmt: s.SkipTo) -> Code:
        number = self.x.program.phases.index(stmt.phase) + 1
        assert self.interrupted is not None
        return seq(("global.set", "signal", c32(number)), self.interrupted())

    def emit_fail(self, stmt: s.Fail) -> Code:
        return TRAP

    def emit_set_phase(self, stmt: s.SetPhase) -> Code:
        at = self.emit_machine_address("phase")
        if stmt.variable is not None:
            return store64(at, load64(get("@fp"), self.x.frame[stmt.variable]))
        number = 0 if stmt.phase is None else self.x.program.phases.index(stmt.phase) + 1
        return seq(call("spend", c64(COST_OF_PHASE)), store64(at, c64(number)))

    def emit_keep_phase(self, stmt: s.KeepPhase) -> Code:
        return store64(get("@fp"), load64(self.emit_machine_address("phase")), self.x.frame[stmt.name])

    def emit_deepen(self, stmt: s.Deepen) -> Code:
        """Return code that counts a nested call; a stored -1 marks a procedure that was never called."""
        x, at = self.x, c32(self.x.layout.depths[stmt.procedure])
        depth = x.w.create_local("depth", "i64")
        raised: Code = ("i64.add", get(depth), c64(1))
        return seq(
            put(depth, load64(at)),
            when(("i64.lt_s", get(depth), c64(0)), put(depth, c64(0))),
            store64(at, raised),
            when(("i64.gt_s", load64(at), x.emit_value(stmt.most)), TRAP),
            when(("i64.gt_s", load64(at), c64(LIMITS.deep)), TRAP),
        )

    def emit_shallow(self, stmt: s.Shallow) -> Code:
        at = c32(self.x.layout.depths[stmt.procedure])
        return store64(at, ("i64.sub", load64(at), c64(1)))

    # --- together -----------------------------------------------------------------------------------

    def emit_together(self, stmt: s.Together) -> Code:
        """Return code for simultaneous assignments: run the body, which only records them, then merge and apply them.

        A record, called note, holds the slot, the owner, whether the value is an amount to add, and the value.
        """
        x = self.x
        if any(is_compound(ty) for _, ty in stmt.slots):
            raise NotEncodableError("a set, list or record set together")
        outer = self.notes, self.note_at
        self.notes = list(stmt.slots)
        self.note_at = x.w.create_local("notes", "i32")
        count = self.note_at + ".n"
        x.w.get_local(count, "i32")
        body = self.emit_body(stmt.body)
        apply = _emit_notes(self, stmt, self.note_at, count)
        start = seq(put(self.note_at, call("alloc", c32(NOTE_SIZE * MOST_NOTES))), put(count, c32(0)))
        self.notes, self.note_at = outer
        return seq(start, body, apply)

    def emit_note(self, stmt: s.Note) -> Code:
        x = self.x
        number = [slot for slot, _ in self.notes].index(stmt.slot)
        owner, value = x.w.create_local("owner", "i32"), x.w.create_local("value", get_register_type(stmt.value.type))
        count = self.note_at + ".n"
        at = add32(get(self.note_at), times(get(count), NOTE_SIZE))
        return seq(
            put(owner, c32(0) if stmt.owner is None else x.emit_value(stmt.owner)),
            put(value, x.emit_value(stmt.value)),
            when(("i32.ge_u", get(count), c32(MOST_NOTES)), TRAP),
            store32(at, c32(number)),
            store32(at, get(owner), 4),
            store64(at, c64(int(stmt.is_amount)), 8),
            store64(at, emit_word(stmt.value.type, get(value)), 16),
            put(count, add32(get(count), c32(1))),
        )


def emit_invalidation(x: Emitter, slot: e.Slot) -> Code:
    """Return a call of the function that gives new versions to values memoized from a slot."""
    cells = x.readers.get(slot)
    if not cells:
        return seq()
    name = "touch_" + format_slot_name(slot)
    if name not in x.functions:
        with x.begin_function(name, [], "") as w:
            for cell in cells:
                w.append(
                    ("global.set", "stamp", ("i32.add", ("global.get", "stamp"), c32(1))),
                    store32(c32(cell), ("global.get", "stamp")),
                )
    return call(name)


def emit_fresh_list(x: Emitter, source: e.Expr) -> Code:
    """Return code for a new list of the members of a set or list."""
    if count_words(x, source.type):
        return emit_collection(x, e.Apply("as_list", (source,), t.ListType(get_item_type(source.type)), source.span))
    p = x.w.create_local("source", "i32")
    x.w.allocates = True
    size = add32(times(wrap(load64(get(p))), 8), c32(8))
    return seq(put(p, x.emit_value(source)), call("copied", get(p), size))


def format_slot_name(slot: e.Slot) -> str:
    """Return a name of a slot that can be part of a function's name."""
    return "_".join(part for part in slot if part)


def emit_fill(x: Emitter, slot: e.Slot, value: Value, type_: t.Type) -> Code:
    """Return code that gives every owner of a slot the constant `value`."""
    column, cell = x.program.columns[slot], x.layout.columns[slot]
    size = cell.width * column.count
    if value == () and not isinstance(strip_maybe(type_), t.RecordType):
        return ("memory.fill", c32(cell.base), c32(0), c32(size))
    encoded = x.layout.encode(value, type_)
    if encoded == -1 or encoded == 0 and not is_compound(type_):
        return ("memory.fill", c32(cell.base), c32(encoded & 0xFF), c32(size))
    if column.count == 1:
        return emit_store(cell, c32(0), const(get_register_type(type_), encoded))
    kind = get_register_type(type_)
    k, loop = x.w.create_local("k", "i32"), x.w.create_label("fill")
    turn = seq(
        emit_store(cell, get(k), const(kind, encoded)),
        put(k, add32(get(k), c32(1))),
        ("br_if", loop, ("i32.lt_u", get(k), c32(column.count))),
    )
    return seq(put(k, c32(0)), ("loop", loop, "", turn))


def _emit_notes(self: StatementWriter, stmt: s.Together, notes: str, count: str) -> Code:
    """Return code that merges and applies notes: equal settings are one, amounts add up, both are a fault.

    `notes`: the local with their address. `count`: the local with their number.
    """
    x = self.x
    i, j, value = x.w.create_local("i", "i32"), x.w.create_local("j", "i32"), x.w.create_local("value", "i64")

    def row(name: str) -> Code:
        return add32(get(notes), times(get(name), NOTE_SIZE))

    def sort(name: str) -> Code:
        return load64(row(name), 8)

    same: Code = ("i64.eq", load64(row(i)), load64(row(j)))
    merged = seq(
        when(("i64.ne", sort(i), sort(j)), TRAP),
        when(
            ("i64.eq", sort(i), c64(1)),
            put(value, ("i64.add", get(value), load64(row(j), 16))),
            when(("i64.ne", load64(row(i), 16), load64(row(j), 16)), TRAP),
        ),
        store64(row(j), c64(2), 8),
    )
    inner_loop = _emit_counting_loop(x, j, count, when(("i64.ne", sort(j), c64(2)), when(same, merged)))
    apply_sets = _emit_counting_loop(
        x,
        i,
        count,
        when(
            ("i64.ne", sort(i), c64(2)),
            seq(
                put(value, load64(row(i), 16)),
                put(j, add32(get(i), c32(1))),
                inner_loop,
                store64(row(i), get(value), 16),
            ),
        ),
    )
    out: list[Code] = [put(i, c32(0)), apply_sets]
    for is_amount in (0, 1):  # first what is set, then what is changed by an amount
        out += [
            put(i, c32(0)),
            _emit_counting_loop(
                x, i, count, when(("i64.eq", sort(i), c64(is_amount)), _emit_note(self, stmt, row(i), is_amount))
            ),
        ]
    if any(w.event == "moved" for w in x.program.watchers):
        out += [
            put(i, c32(0)),
            _emit_counting_loop(x, i, count, when(("i64.eq", sort(i), c64(3)), _emit_watchers(self, row(i)))),
        ]
    return seq(*out)


def _emit_counting_loop(x: Emitter, name: str, count: str, body: Code) -> Code:
    """Return a loop that counts the local `name` up to the local `count`."""
    out, loop = x.w.create_label("out"), x.w.create_label("notes")
    turn = seq(
        ("br_if", out, ("i32.ge_u", get(name), get(count))), body, put(name, add32(get(name), c32(1))), ("br", loop)
    )
    return ("block", out, "", ("loop", loop, "", turn))


def _emit_note(self: StatementWriter, stmt: s.Together, row: Code, is_amount: int) -> Code:
    """Return code that applies one note.

    `row`: code for its address. `is_amount`: 1 for an amount, 0 for a new value.
    """
    x = self.x
    out: list[Code] = []
    for number, (slot, _) in enumerate(stmt.slots):
        column, cell = x.program.columns[slot], x.layout.columns[slot]
        kind = get_register_type(cell.type)
        owner: Code = ("i32.load", 4, row)
        raw = load64(row, 16)
        value = raw if kind == "i64" else wrap(raw)
        if slot == e.AT:
            origin = x.w.create_local("origin", "i32")
            noted = seq(store64(row, c64(3), 8), store64(row, extend(get(origin)), 24))
            moved = seq(call("move_only", owner, value), noted)
            code = seq(put(origin, emit_load(cell, owner)), when(("i32.ne", get(origin), value), moved))
        else:
            new = x.w.create_local("new", kind)
            parts = [put(new, value)]
            if is_amount:
                out_of_range: Code = ("i64.lt_s", ("i64.add", get(new), c64(1 << 62)), c64(0))
                parts = [put(new, ("i64.add", emit_load(cell, owner), value)), when(out_of_range, TRAP)]
                for bound, op in ((column.low, "lt_s"), (column.high, "gt_s")):
                    if bound is not None:
                        limit = const(kind, x.layout.encode(bound, cell.type))
                        parts.append(
                            when((f"{kind}.{op}", get(new), limit), put(new, limit) if column.clamps else TRAP)
                        )
            if is_amount and kind == "i32":
                continue
            code = seq(*parts, emit_store(cell, owner, get(new)), emit_invalidation(x, slot))
        out.append(when(("i32.eq", ("i32.load", 0, row), c32(number)), code))
    return seq(*out)


def _emit_watchers(self: StatementWriter, row: Code) -> Code:
    """Return code that runs the watchers of a move made together. `row`: code for the address of its note."""
    watchers = call("watch_moved", ("i32.load", 4, row), wrap(load64(row, 24)), wrap(load64(row, 16)))
    return seq(watchers, self.emit_after_call("event moved"))


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
    s.Deepen: StatementWriter.emit_deepen,
    s.Shallow: StatementWriter.emit_shallow,
    s.Together: StatementWriter.emit_together,
    s.Note: StatementWriter.emit_note,
}
