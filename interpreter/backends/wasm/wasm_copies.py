"""Deep copies of compound values into the arena."""

from __future__ import annotations

from interpreter.backends.wasm.assembly.code_builder import (
    add32,
    c32,
    call,
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
from interpreter.backends.wasm.memory_layout import is_compound, present
from interpreter.model import types as t


def write_copier(x: Emitter, type_: t.Type) -> str:
    """Return the function that copies a compound value into the arena, with all that it holds."""
    name = "copy_" + type_name(type_)
    if name in x.functions:
        return name
    held = present(type_)
    with x.writing(name, [("p", "i32")], "i32") as w:
        p = get("p")
        fixed: Code = ("i32.ge_u", p, c32(x.layout.static_base))
        gone: Code = ("i32.lt_s", p, c32(0))
        w.emit(when(("i32.or", fixed, gone), ("return", p)))
        words = x.layout.set_words(held) if isinstance(held, t.SetType) else 0
        if words:
            w.emit(call("copied", p, c32(8 * words)))
            return name
        if isinstance(held, t.RecordType):
            fields = x.layout.fields(held.id)
            w.emit(put("p", call("copied", p, c32(8 * max(1, len(fields))))))
            for k, (_, ft) in enumerate(fields):
                if is_compound(ft):
                    made = call(write_copier(x, ft), load32(p, 8 * k))
                    w.emit(store64(p, ("i64.extend_i32_s", made), 8 * k))
            w.emit(p)
            return name
        assert isinstance(held, t.SetType | t.ListType)
        size = add32(times(wrap(load64(p)), 8), c32(8))
        w.emit(put("p", call("copied", p, size)))
        if held.item is not None and is_compound(held.item):
            index, loop = w.local("k", "i32"), w.label("members")
            at = add32(p, times(get(index), 8))
            turn = seq(
                put(index, add32(get(index), c32(1))),
                when(
                    ("i32.le_u", get(index), wrap(load64(p))),
                    seq(store64(at, ("i64.extend_i32_s", call(write_copier(x, held.item), load32(at)))), ("br", loop)),
                ),
            )
            w.emit(("loop", loop, "", turn))
        w.emit(p)
    return name
