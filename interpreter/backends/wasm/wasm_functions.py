"""Pure functions in WebAssembly, with memo tables."""

from __future__ import annotations

from interpreter.backends.wasm.assembly.code_builder import (
    TRAP,
    add32,
    c32,
    call,
    get,
    load32,
    load64,
    put,
    seq,
    store32,
    store64,
    times,
    when,
)
from interpreter.backends.wasm.assembly.encoding import Code
from interpreter.backends.wasm.emitter import Emitter
from interpreter.backends.wasm.value_encoding import get_register_type, is_compound
from interpreter.backends.wasm.wasm_statements import Sites, StatementWriter
from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.effect_analysis import EVERYTHING
from interpreter.model import types as t
from interpreter.model.types import strip_maybe

MEMO_TABLE_BYTES = 1 << 22  # most of one table
ALWAYS = -1  # the version of what no change of the position affects
ENTRY_SIZE = 16  # of a memoized value: 0 version, 4 the choice that last paid for it, 8 what it cost


def write_function(emitter: Emitter, function: ir.Function, sites: Sites) -> None:
    """Write a pure function; memory it allocates is released when it returns, unless its value is an address."""
    params = [(name, get_register_type(type_)) for name, type_ in function.params]
    result = get_register_type(function.result)
    if function.is_memoized and emitter.switches.memoize and _write_memoized(emitter, function, sites):
        return
    with emitter.begin_function(function.name, params, result) as w:
        _write_body(emitter, function, sites)
        if w.allocates and not is_compound(function.result):
            _wrap_with_arena_reset(emitter, result)


def _write_body(emitter: Emitter, function: ir.Function, sites: Sites) -> None:
    def leave(value: e.Expr | None) -> Code:
        assert value is not None
        return ("return", emitter.emit_owned(value))

    writer = StatementWriter(emitter, sites, function.locals, leave, None)
    for name, type_ in function.locals.items():
        emitter.w.get_local(name, get_register_type(type_))
    match function.body:
        case (s.Return(e_value),) if e_value is not None:
            emitter.w.append(emitter.emit_owned(e_value))
        case _:
            emitter.w.append(writer.emit_body(function.body), TRAP)


def _wrap_with_arena_reset(emitter: Emitter, result: str) -> None:
    """Wrap the current function, which allocates, in one that restores the arena when it returns.

    `result`: its register type.
    """
    inner = emitter.w.function
    name = inner.name
    inner.name = name + ".inner"
    emitter.functions[inner.name] = inner
    computed = call(inner.name, *(get(n) for n, _ in inner.params))
    with emitter.begin_function(name, list(inner.params), result) as w:
        mark, value = w.create_local("mark", "i32"), w.create_local("value", result)
        w.append(
            put(mark, ("global.get", "arena")), put(value, computed), ("global.set", "arena", get(mark)), get(value)
        )


def _write_memoized(emitter: Emitter, function: ir.Function, sites: Sites) -> bool:
    """Write a function whose values are kept in a table, with an entry for each combination of arguments.

    An entry is valid as long as no column that the function reads has changed, which a version number in it shows. The
    first use of an entry in a choice costs the budget steps of its computation, as in Python, which clears memos at the
    start of a choice. Return False, and write nothing, if the arguments or the value cannot be kept.
    """
    total = 1
    for _, type_ in function.params:
        total *= emitter.layout.values.get_domain_size(strip_maybe(type_)) + isinstance(type_, t.MaybeType)
    result_type = function.result
    words = emitter.layout.values.count_set_words(result_type)
    if not total or (is_compound(result_type) and not words):
        return False
    width = 8 * words if words else 8 if get_register_type(result_type) == "i64" else 4
    if total * (width + ENTRY_SIZE) > MEMO_TABLE_BYTES or not emitter.layout.has_memo(
        total * (width + ENTRY_SIZE) + 16
    ):
        return False
    reads = emitter.effects.get_function_effects(function.name).reads
    if EVERYTHING in reads:
        return False
    current: Code = c32(ALWAYS)
    if reads:
        version = emitter.layout.take_version()
        current = load32(c32(version))
        for slot in reads:
            emitter.readers.setdefault(slot, []).append(version)
    entries, values = emitter.layout.take_memo(ENTRY_SIZE * total), emitter.layout.take_memo(width * total)
    result = get_register_type(result_type)
    params = [(name, get_register_type(type_)) for name, type_ in function.params]
    inner = function.name + ".compute"
    with emitter.begin_function(inner, params, result):
        _write_body(emitter, function, sites)
    with emitter.begin_function(function.name, params, result) as w:
        index, mark, value = (
            w.create_local("index", "i32"),
            w.create_local("mark", "i32"),
            w.create_local("value", result),
        )
        entry, before = w.create_local("entry", "i32"), w.create_local("before", "i64")
        row: Code = c32(0)
        for name, type_ in function.params:
            size = emitter.layout.values.get_domain_size(strip_maybe(type_)) + isinstance(type_, t.MaybeType)
            part = add32(get(name), c32(1)) if isinstance(type_, t.MaybeType) else get(name)
            row = part if row == c32(0) else add32(times(row, size), part)
        epoch: Code = ("global.get", "epoch")
        place = add32(times(get(index), width), c32(values))
        memoized: Code = place if words else (f"{result}.load", values, times(get(index), width))
        computed = call(inner, *(get(n) for n, _ in params))
        if words:
            save: Code = seq(("memory.copy", place, computed, c32(width)), put(value, place))
        else:
            save = seq(put(value, computed), (f"{result}.store", values, times(get(index), width), get(value)))
        cost: Code = ("i64.sub", ("global.get", "spent"), get(before))
        charge = seq(emitter.emit_loop_charge(load64(get(entry), 8)), store32(get(entry), epoch, 4))
        is_known = seq(when(("i32.ne", load32(get(entry), 4), epoch), charge), ("return", memoized))
        w.append(
            put(index, row),
            put(entry, add32(times(get(index), ENTRY_SIZE), c32(entries))),
            when(("i32.eq", load32(get(entry)), current), is_known),
            put(mark, ("global.get", "arena")),
            put(before, ("global.get", "spent")),
            save,
            ("global.set", "arena", get(mark)),
            store32(get(entry), current),
            store32(get(entry), epoch, 4),
            store64(get(entry), cost, 8),
            get(value),
        )
    return True


# --- procedures without a frame, watchers ------------------------------------------------------------
