"""Statements inside `together` as WebAssembly: effects are recorded as notes, then merged and applied at once.

A note holds: 0 the number of its slot, 4 its owner, 8 its state, 16 the value, 24 the origin of a piece that moved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.backends.wasm.assembly.code_builder import (
    TRAP,
    add32,
    c32,
    c64,
    call,
    const,
    extend,
    get,
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
from interpreter.backends.wasm.value_encoding import NotEncodableError, get_register_type, is_compound
from interpreter.backends.wasm.wasm_expressions import emit_load, emit_store, emit_word
from interpreter.ir import expression_records as e, statement_records as s

if TYPE_CHECKING:
    from interpreter.backends.wasm.wasm_statements import StatementWriter

NOTE_SIZE, MAX_NOTES = 32, 400
_SET, _AMOUNT, _MERGED, _MOVED = 0, 1, 2, 3  # states of a note


def emit_together(writer: StatementWriter, stmt: s.Together) -> Code:
    """Return code for simultaneous assignments: run the body, which only records them, then merge and apply them.

    A record, called note, holds the slot, the owner, whether the value is an amount to add, and the value.
    """
    emitter = writer.emitter
    if any(is_compound(ty) for _, ty in stmt.slots):
        raise NotEncodableError("a set, list or record set together")
    outer = writer.notes, writer.note_at
    writer.notes = list(stmt.slots)
    writer.note_at = emitter.w.create_local("notes", "i32")
    count = writer.note_at + ".n"
    emitter.w.get_local(count, "i32")
    body = writer.emit_body(stmt.body)
    apply = _emit_notes(writer, stmt, writer.note_at, count)
    start = seq(put(writer.note_at, call("alloc", c32(NOTE_SIZE * MAX_NOTES))), put(count, c32(0)))
    writer.notes, writer.note_at = outer
    return seq(start, body, apply)


def emit_note(writer: StatementWriter, stmt: s.Note) -> Code:
    """Return code that appends a note to the notes of the enclosing `together`; it traps if there are too many."""
    emitter = writer.emitter
    number = [slot for slot, _ in writer.notes].index(stmt.slot)
    owner, value = (
        emitter.w.create_local("owner", "i32"),
        emitter.w.create_local("value", get_register_type(stmt.value.type)),
    )
    count = writer.note_at + ".n"
    at = add32(get(writer.note_at), times(get(count), NOTE_SIZE))
    return seq(
        put(owner, c32(0) if stmt.owner is None else emitter.emit_value(stmt.owner)),
        put(value, emitter.emit_value(stmt.value)),
        when(("i32.ge_u", get(count), c32(MAX_NOTES)), TRAP),
        store32(at, c32(number)),
        store32(at, get(owner), 4),
        store64(at, c64(int(stmt.is_amount)), 8),
        store64(at, emit_word(stmt.value.type, get(value)), 16),
        put(count, add32(get(count), c32(1))),
    )


def _emit_notes(writer: StatementWriter, stmt: s.Together, notes: str, count: str) -> Code:
    """Return code that merges and applies notes: equal settings are one, amounts add up, both are a fault.

    `notes`: the local with their address. `count`: the local with their number.
    """
    emitter = writer.emitter
    i, j, value = (
        emitter.w.create_local("i", "i32"),
        emitter.w.create_local("j", "i32"),
        emitter.w.create_local("value", "i64"),
    )

    def row(name: str) -> Code:
        return add32(get(notes), times(get(name), NOTE_SIZE))

    def state(name: str) -> Code:
        return load64(row(name), 8)

    same: Code = ("i64.eq", load64(row(i)), load64(row(j)))
    merged = seq(
        when(("i64.ne", state(i), state(j)), TRAP),
        when(
            ("i64.eq", state(i), c64(_AMOUNT)),
            put(value, ("i64.add", get(value), load64(row(j), 16))),
            when(("i64.ne", load64(row(i), 16), load64(row(j), 16)), TRAP),
        ),
        store64(row(j), c64(_MERGED), 8),
    )
    inner_loop = _emit_counting_loop(emitter, j, count, when(("i64.ne", state(j), c64(_MERGED)), when(same, merged)))
    apply_sets = _emit_counting_loop(
        emitter,
        i,
        count,
        when(
            ("i64.ne", state(i), c64(_MERGED)),
            seq(
                put(value, load64(row(i), 16)),
                put(j, add32(get(i), c32(1))),
                inner_loop,
                store64(row(i), get(value), 16),
            ),
        ),
    )
    out: list[Code] = [put(i, c32(0)), apply_sets]
    for is_amount in (_SET, _AMOUNT):
        out += [
            put(i, c32(0)),
            _emit_counting_loop(
                emitter,
                i,
                count,
                when(("i64.eq", state(i), c64(is_amount)), _emit_note(writer, stmt, row(i), is_amount)),
            ),
        ]
    if any(w.event == "moved" for w in emitter.program.watchers):
        out += [
            put(i, c32(0)),
            _emit_counting_loop(
                emitter, i, count, when(("i64.eq", state(i), c64(_MOVED)), _emit_watchers(writer, row(i)))
            ),
        ]
    return seq(*out)


def _emit_counting_loop(emitter: Emitter, name: str, count: str, body: Code) -> Code:
    """Return a loop that counts the local `name` up to the local `count`."""
    out, loop = emitter.w.create_label("out"), emitter.w.create_label("notes")
    turn = seq(
        ("br_if", out, ("i32.ge_u", get(name), get(count))), body, put(name, add32(get(name), c32(1))), ("br", loop)
    )
    return ("block", out, "", ("loop", loop, "", turn))


def _emit_note(writer: StatementWriter, stmt: s.Together, row: Code, is_amount: int) -> Code:
    """Return code that applies one note.

    `row`: code for its address. `is_amount`: 1 for an amount, 0 for a new value.
    """
    emitter = writer.emitter
    out: list[Code] = []
    for number, (slot, _) in enumerate(stmt.slots):
        column, cell = emitter.program.columns[slot], emitter.layout.columns[slot]
        kind = get_register_type(cell.type)
        owner: Code = ("i32.load", 4, row)
        raw = load64(row, 16)
        value = raw if kind == "i64" else wrap(raw)
        if slot == e.AT:
            origin = emitter.w.create_local("origin", "i32")
            noted = seq(store64(row, c64(_MOVED), 8), store64(row, extend(get(origin)), 24))
            moved = seq(call("move_only", owner, value), noted)
            code = seq(put(origin, emit_load(cell, owner)), when(("i32.ne", get(origin), value), moved))
        else:
            new = emitter.w.create_local("new", kind)
            parts = [put(new, value)]
            if is_amount:
                out_of_range: Code = ("i64.lt_s", ("i64.add", get(new), c64(1 << 62)), c64(0))
                parts = [put(new, ("i64.add", emit_load(cell, owner), value)), when(out_of_range, TRAP)]
                for bound, op in ((column.low, "lt_s"), (column.high, "gt_s")):
                    if bound is not None:
                        limit = const(kind, emitter.layout.encode(bound, cell.type))
                        parts.append(
                            when((f"{kind}.{op}", get(new), limit), put(new, limit) if column.clamps else TRAP)
                        )
            if is_amount and kind == "i32":
                continue
            code = seq(*parts, emit_store(cell, owner, get(new)), emitter.emit_invalidation(slot))
        out.append(when(("i32.eq", ("i32.load", 0, row), c32(number)), code))
    return seq(*out)


def _emit_watchers(writer: StatementWriter, row: Code) -> Code:
    """Return code that runs the watchers of a move made together. `row`: code for the address of its note."""
    watchers = call("watch_moved", ("i32.load", 4, row), wrap(load64(row, 24)), wrap(load64(row, 16)))
    return seq(watchers, writer.emit_after_call("event moved"))
