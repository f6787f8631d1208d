"""Sorting as WebAssembly: a list in canonical order, each member once."""

from __future__ import annotations

from interpreter.backends.wasm.assembly.code_builder import c32, call, get, load32, load64, when
from interpreter.backends.wasm.assembly.encoding import Code
from interpreter.backends.wasm.emitter import Emitter, type_name
from interpreter.backends.wasm.memory_layout import NotEncodableError, is_compound, is_wide, register
from interpreter.backends.wasm.wasm_expressions import emit_equality
from interpreter.model import types as t
from interpreter.model.types import present

_SORT = """
n = i32(i64[p])
spend((i64[p] * i64[p]) >> 6)
k = 0
i = 1
while le_s(i, n):
    COUNTED
    word = i64[p + (i << 3)]
    value = i32(word)
    j = k
    at = p + (j << 3)
    while j and not IS_ORDERED:
        j -= 1
        at -= 8
    if (not j) | (not IS_EQUAL):
        memory_copy(at + 16, at + 8, (k - j) << 3)
        i64[at, 8] = word
        k += 1
    i += 1
i64[p] = i64(k)
"""


def sort_function(x: Emitter, item: t.Type) -> str:
    """Return the name of the function that sorts a list in place and keeps each member once (insertion sort)."""
    name = "sort_unique_" + type_name(item)
    if name not in x.functions:
        with x.writing(name, [("p", "i32")], ""):
            if is_wide(item):
                member, held = load64(get("at")), get("word")
            else:
                member, held = load32(get("at")), get("value")
            is_ordered, is_equal = emit_is_ordered(x, item, member, held), emit_equality(x, item, member, held)
            x.write_statements(_SORT, COUNTED=x.counted(), IS_ORDERED=is_ordered, IS_EQUAL=is_equal)
    return name


def emit_is_ordered(x: Emitter, item: t.Type, one: Code, other: Code) -> Code:
    """Return code that tests whether the member `one` comes before `other` or equals it."""
    if not is_compound(item):
        return (f"{register(item)}.le_s", one, other)
    return call(order_function(x, item), one, other)


def order_function(x: Emitter, type_: t.Type) -> str:
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
            differs: Code = ("i32.eqz", emit_equality(x, ft, one, other))
            w.emit(when(differs, ("return", emit_is_ordered(x, ft, one, other))))
        w.emit(c32(1))
    return name
