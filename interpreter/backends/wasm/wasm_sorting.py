"""Sorting as WebAssembly: a list in canonical order, each member once."""

from __future__ import annotations

from interpreter.backends.wasm.assembly.code_builder import (
    add32,
    c32,
    c64,
    call,
    extend,
    get,
    load32,
    load64,
    put,
    seq,
    store64,
    times,
    when,
    wrap,
)
from interpreter.backends.wasm.assembly.encoding import Code
from interpreter.backends.wasm.emitter import Emitter, type_name
from interpreter.backends.wasm.memory_layout import NotEncodableError, is_compound, is_wide, present, register
from interpreter.backends.wasm.wasm_expressions import equal
from interpreter.model import types as t


def sorter(x: Emitter, item: t.Type) -> str:
    """Return the name of the function that sorts a list in place and keeps each member once."""
    name = "sort_unique_" + type_name(item)
    if name in x.functions:
        return name
    with x.writing(name, [("p", "i32")], "") as w:
        n, i, j, k, v = (w.local(hint, "i32") for hint in ("n", "i", "j", "k", "v"))
        word = w.local("word", "i64")
        placed, up = w.label("placed"), w.label("up")

        def at(index: str) -> Code:
            return add32(get("p"), times(get(index), 8))

        def value(address: Code) -> Code:
            return load64(address) if is_wide(item) else load32(address)

        held = get(word) if is_wide(item) else get(v)
        seek = seq(
            ("br_if", placed, ("i32.eqz", get(j))),
            ("br_if", placed, ordered(x, item, value(at(j)), held)),
            put(j, ("i32.sub", get(j), c32(1))),
            ("br", up),
        )
        is_new: Code = (
            "i32.or",
            ("i32.eqz", get(j)),
            ("i32.eqz", equal(x, item, value(at(j)), held)),
        )
        size = times(("i32.sub", get(k), get(j)), 8)
        insert = seq(
            ("memory.copy", add32(at(j), c32(16)), add32(at(j), c32(8)), size),
            store64(add32(at(j), c32(8)), get(word)),
            put(k, add32(get(k), c32(1))),
        )
        turns = w.loop_until(
            ("i32.gt_s", get(i), get(n)),
            x.counted(),
            put(word, load64(at(i))),
            put(v, wrap(get(word))),
            put(j, get(k)),
            ("block", placed, "", ("loop", up, "", seek)),
            when(is_new, insert),
            put(i, add32(get(i), c32(1))),
        )
        w.emit(
            put(n, wrap(load64(get("p")))),
            call("spend", ("i64.shr_u", ("i64.mul", load64(get("p")), load64(get("p"))), c64(6))),
            put(i, c32(1)),
            turns,
            store64(get("p"), extend(get(k))),
        )
    return name


def ordered(x: Emitter, item: t.Type, one: Code, other: Code) -> Code:
    """Return code that tests whether the member `one` comes before `other` or equals it."""
    if not is_compound(item):
        return (f"{register(item)}.le_s", one, other)
    return call(order_of(x, item), one, other)


def order_of(x: Emitter, type_: t.Type) -> str:
    """Return the name of the function that tests whether a record comes before another or equals it."""
    name = "ordered_" + type_name(type_)
    if name in x.functions:
        return name
    held = present(type_)
    if not isinstance(held, t.RecordType) or isinstance(type_, t.MaybeType):
        raise NotEncodableError(f"an order of {type_}")
    with x.writing(name, [("a", "i32"), ("b", "i32")], "i32") as w:
        for k, (_, ft) in enumerate(x.layout.fields(held.id)):
            one, other = (load64(get(p), 8 * k) if is_wide(ft) else load32(get(p), 8 * k) for p in ("a", "b"))
            differs: Code = ("i32.eqz", equal(x, ft, one, other))
            w.emit(when(differs, ("return", ordered(x, ft, one, other))))
        w.emit(c32(1))
    return name
