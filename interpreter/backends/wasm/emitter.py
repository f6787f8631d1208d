"""The state of emitting one module: its functions, the function being written, and the access to variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from interpreter.backends.wasm.assembly.code_builder import (
    Writer,
    add32,
    c32,
    call,
    copy_words,
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
from interpreter.backends.wasm.assembly.encoding import Code, WasmFunction
from interpreter.backends.wasm.assembly.function_compiler import compile_functions, compile_statements
from interpreter.backends.wasm.assembly.runtime_text import GLOBALS
from interpreter.backends.wasm.memory_layout import MemoryLayout
from interpreter.backends.wasm.value_encoding import get_register_type, is_compound
from interpreter.ir import expression_records as e, program_records as ir
from interpreter.ir.effect_analysis import EffectAnalysis
from interpreter.model import types as t
from interpreter.model.types import strip_maybe

Handler = Callable[["Emitter", Any], Code]


@dataclass(frozen=True, slots=True)
class EmitterOptions:
    """Optional parts of the back end, which measurements switch off to find the benefit of each.

    `memoize`: tables of the values of functions. `count`: charging loop iterations to the budget.
    """

    memoize: bool = True
    count: bool = True


class Emitter:
    """Emitter of the functions of one module.

    `handlers`: one for each shape of expression. `library`: the functions of the runtime library.
    """

    def __init__(
        self,
        program: ir.LoweredProgram,
        layout: MemoryLayout,
        handlers: dict[type, Handler],
        library: list[WasmFunction],
        switches: EmitterOptions | None = None,
    ) -> None:
        self.program = program
        self.layout = layout
        self.handlers = handlers
        self.switches = switches or EmitterOptions()
        self.effects = EffectAnalysis(program)
        self.library = {function.name: function for function in library}
        self.functions: dict[str, WasmFunction] = {}
        self.w = Writer("", [], "")
        self.frame: dict[str, int] = {}  # variables of the procedure being written -> offset in its frame
        self.bound: set[str] = set()  # the bound variables that are locals here
        self.copies = False  # sets read from the position are copied, as the value outlives a write
        self.readers: dict[e.Slot, list[int]] = {}  # slot -> version cells of what is memoized from it

    def emit_value(self, expr: e.Expr) -> Code:
        """Return the code of an expression's value."""
        return self.handlers[type(expr)](self, expr)

    def emit_scalar(self, expr: e.Expr) -> Code:
        """Return the code of a value that is not an address; memory it allocates in the arena is released."""
        before, self.w.allocates = self.w.allocates, False
        code = self.emit_value(expr)
        allocated, self.w.allocates = self.w.allocates, before
        if not allocated:
            return code
        kind = get_register_type(expr.type)
        mark, value = self.w.create_local("mark", "i32"), self.w.create_local("value", kind)
        return seq(put(mark, ("global.get", "arena")), put(value, code), ("global.set", "arena", get(mark)), get(value))

    def emit_owned(self, expr: e.Expr) -> Code:
        """Return the code of a value that remains valid when the position changes."""
        if not is_compound(expr.type):
            return self.emit_value(expr)
        before, self.copies = self.copies, True
        code = self.emit_value(expr)
        self.copies = before
        return code

    @contextmanager
    def begin_function(self, name: str, params: list[tuple[str, str]], result: str) -> Iterator[Writer]:
        """Begin another function in a `with` block; it is added to the module. `params`: names and register types."""
        outer = self.w, self.frame, self.bound, self.copies
        self.w, self.frame, self.bound, self.copies = Writer(name, params, result), {}, set(), False
        self.functions[name] = self.w.function  # its place in the order
        try:
            yield self.w
        finally:
            self.w, self.frame, self.bound, self.copies = outer

    def list_known_functions(self) -> dict[str, WasmFunction]:
        """Return the functions of the library and those written so far, by name."""
        return self.library | self.functions

    def write_functions(self, text: str, **constants: int | Code) -> None:
        """Add functions from a text in the language of `function_compiler`. `constants`: numbers and code by name."""
        for function in compile_functions(
            text, self.layout.constants() | constants, GLOBALS, self.list_known_functions()
        ):
            self.functions[function.name] = function

    def write_statements(self, text: str, **constants: int | Code) -> None:
        """Add statements from a text in the language of `function_compiler` to the function being written.

        `constants`: numbers and code by name.
        """
        compile_statements(text, self.w, self.layout.constants() | constants, GLOBALS, self.list_known_functions())

    def emit_variable(self, name: str, type_: t.Type) -> Code:
        """Return code for the value of a variable."""
        if name in self.frame and name not in self.bound:
            at = self.frame[name]
            if self.count_inline_words(type_):
                return ("i32.add", get("@fp"), ("i32.const", at))
            return load64(get("@fp"), at) if get_register_type(type_) == "i64" else load32(get("@fp"), at)
        return get(name)

    def emit_assignment(self, name: str, type_: t.Type, value: Code) -> Code:
        """Return code that assigns a variable; in a frame, a compound value is copied into the heap of the state."""
        if name not in self.frame or name in self.bound:
            self.w.get_local(name, get_register_type(type_))
            return put(name, value)
        at = self.frame[name]
        words = self.count_inline_words(type_)
        if words:
            source, target = self.w.create_local("source", "i32"), self.w.create_local("target", "i32")
            copied = copy_words(get(target), get(source), words)
            return seq(put(source, value), put(target, ("i32.add", get("@fp"), ("i32.const", at))), copied)
        if is_compound(type_):
            value = self.emit_heap_copy(value, type_)
        return (f"{get_register_type(type_)}.store", at, get("@fp"), value)

    def count_inline_words(self, type_: t.Type) -> int:
        """Return the number of words of a set that is stored in the frame itself; 0 for other values."""
        return self.layout.values.count_set_words(type_)

    def emit_heap_copy(self, value: Code, type_: t.Type) -> Code:
        """Return code that copies a compound value, with everything nested in it, into the heap of the state."""
        if value[0] == "i32.const" and isinstance(value[1], int) and value[1] >= self.layout.static_base:
            return value
        return call(self.get_copier(type_, "heap_copied"), value)

    def get_copier(self, type_: t.Type, copied: str = "copied") -> str:
        """Return the function that copies a compound value with all that it holds; constants stay where they are.

        `copied`: the function that copies bytes, "copied" into the arena, "heap_copied" into the heap of the state.
        """
        name = f"deep_{copied}_{format_type_name(type_)}"
        if name in self.functions:
            return name
        bare_type, p = strip_maybe(type_), get("p")
        with self.begin_function(name, [("p", "i32")], "i32") as w:
            is_constant: Code = ("i32.ge_u", p, c32(self.layout.static_base))
            w.append(when(("i32.or", is_constant, ("i32.lt_s", p, c32(0))), ("return", p)))

            def emit_copy_inside(part: t.Type, at: Code) -> Code:
                return store64(at, extend(call(self.get_copier(part, copied), load32(at))))

            match bare_type:
                case t.SetType() if words := self.layout.values.count_set_words(bare_type):
                    w.append(call(copied, p, c32(8 * words)))
                    return name
                case t.RecordType(id=record):
                    fields = self.layout.list_fields(record)
                    w.append(put("p", call(copied, p, c32(8 * max(1, len(fields))))))
                    inside = [(k, part) for k, (_, part) in enumerate(fields) if is_compound(part)]
                    w.append(*(emit_copy_inside(part, add32(p, c32(8 * k))) for k, part in inside))
                case t.SetType(item=item) | t.ListType(item=item):
                    count = wrap(load64(p))
                    w.append(put("p", call(copied, p, add32(times(count, 8), c32(8)))))
                    if item is not None and is_compound(item):
                        k = w.create_local("k", "i32")
                        copy_member = emit_copy_inside(item, add32(p, times(get(k), 8)))
                        w.append(
                            w.emit_loop_until(("i32.ge_u", get(k), count), put(k, add32(get(k), c32(1))), copy_member)
                        )
            w.append(p)
        return name

    def emit_invalidation(self, slot: e.Slot) -> Code:
        """Return a call of the function that gives new versions to values memoized from a slot; no code if none is."""
        cells = self.readers.get(slot)
        if not cells:
            return seq()
        name = "touch_" + "_".join(part for part in slot if part)
        if name not in self.functions:
            with self.begin_function(name, [], "") as w:
                for cell in cells:
                    w.append(
                        ("global.set", "stamp", ("i32.add", ("global.get", "stamp"), c32(1))),
                        store32(c32(cell), ("global.get", "stamp")),
                    )
        return call(name)

    def emit_iteration_charge(self) -> Code:
        """Return the code that charges one iteration of a loop to the budget."""
        if not self.switches.count:
            return seq()
        return ("global.set", "spent", ("i64.add", ("global.get", "spent"), ("i64.const", 1)))

    def emit_loop_charge(self, turns: Code) -> Code:
        """Return code that charges the iterations of a loop before it begins. `turns`: code for their 64-bit number."""
        if not self.switches.count:
            return seq()
        return ("global.set", "spent", ("i64.add", ("global.get", "spent"), turns))

    def emit_budget_check(self) -> Code:
        """Return the code that traps if too many iterations were charged."""
        return ("if", "", ("i64.gt_s", ("global.get", "spent"), ("global.get", "budget")), ("unreachable",))


def format_type_name(type_: t.Type) -> str:
    """Return a name for a type that can be part of a function's name."""
    return "".join(ch if ch.isalnum() else "_" for ch in str(type_))
