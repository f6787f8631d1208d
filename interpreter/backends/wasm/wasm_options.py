"""Options of decisions and steps of drafts: loops over parameters, requirements, preferences, interchangeable pieces.

A listed option is a row: its number, its arguments, one word for a measure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.backends.wasm.assembly.code_builder import (
    TRAP,
    add32,
    c32,
    c64,
    call,
    const,
    copy_words,
    get,
    load64,
    put,
    seq,
    store64,
    when,
    wrap,
)
from interpreter.backends.wasm.assembly.encoding import Code
from interpreter.backends.wasm.emitter import Emitter
from interpreter.backends.wasm.frame_layout import compute_frame_layout
from interpreter.backends.wasm.value_encoding import NotEncodableError, get_register_type, is_compound, is_wide
from interpreter.backends.wasm.wasm_collections import emit_is_member
from interpreter.backends.wasm.wasm_expressions import emit_first_alike, emit_word
from interpreter.backends.wasm.wasm_iteration import emit_each, emit_guard
from interpreter.ir import expression_records as e, program_records as ir
from interpreter.model import types as t


def emit_option_loops(emitter: Emitter, option: ir.LoweredOption, inside: Callable[[], Code]) -> Code:
    """Return loops over the parameters of an option, with each test where predicate pushdown has placed it.

    `inside`: returns the code of the innermost loop.
    """
    count = len(option.params)
    levels = option.pushed or tuple(count for _ in option.tests)
    for param in option.params:
        if is_compound(param.type):
            raise NotEncodableError(f"a parameter of {param.type}")

    def level(number: int) -> Code:
        code = inside() if number == count else loop(number)
        for test, at in reversed(list(zip(option.tests, levels, strict=True))):
            if at == number:
                code = emit_guard(emitter, test, code)
        return code

    def loop(number: int) -> Code:
        param = option.params[number]
        emitter.w.get_local(param.name, get_register_type(param.type))
        narrowed = option.narrowed.get(number)

        def member(value: Code) -> Code:
            inner = level(number + 1)
            if narrowed is not None and not is_whole_kind(emitter, param):
                inner = when(emit_is_member(emitter, get(param.name), param.domain), inner)
            return seq(put(param.name, value), inner)

        return emit_each(emitter, param.domain if narrowed is None else narrowed, member)

    return level(0)


def is_whole_kind(emitter: Emitter, param: ir.Parameter) -> bool:
    """Return whether the domain of a parameter holds every thing of its kind."""
    members = param.domain.value if isinstance(param.domain, e.Const) else None
    return isinstance(members, tuple) and len(members) == emitter.layout.values.get_domain_size(param.type)


def write_listing(emitter: Emitter, decision: ir.LoweredDecision) -> None:
    """Write `list_N(frame)`: list the legal options in the buffer and return their number."""
    procedure = emitter.program.procedures[decision.procedure]
    with emitter.begin_function(f"list_{decision.number}", [("@fp", "i32")], "i32") as w:
        emitter.frame, _ = compute_frame_layout(emitter, procedure)
        n, at, mark = w.create_local("n", "i32"), w.create_local("at", "i32"), w.create_local("mark", "i32")
        w.append(emitter.emit_budget_check(), put(mark, ("global.get", "arena")), put(at, ("global.get", "listing")))
        for number, option in enumerate(decision.options):
            rows = Rows(emitter, option, number, n, at, ("global.get", "listing_end"))
            rows.blank = max(len(o.params) for o in decision.options) - len(option.params)
            is_plain = not option.prefers and not any(p.alike for p in option.params)
            enough = when(("global.get", "lazy"), seq(("global.set", "arena", get(mark)), ("return", c32(1))))
            if is_plain:
                rows.enough = enough
                w.append(rows.emit_listing())
            else:
                w.append(rows.emit_listing(), when(get(n), enough))
        w.append(("global.set", "arena", get(mark)), get(n))


@dataclass(frozen=True, slots=True)
class RowRange:
    """Rows of `size` bytes in memory: locals that hold the first address, the end address and the row count."""

    emitter: Emitter
    first: str
    end: str
    number: str
    size: int

    def emit_walk(self, row: str, body: Code) -> Code:
        """Return code that runs `body` for each row. `row`: the local that receives the row's address."""
        step = put(row, add32(get(row), c32(self.size)))
        return seq(
            put(row, get(self.first)), self.emitter.w.emit_loop_until(("i32.ge_u", get(row), get(self.end)), body, step)
        )

    def emit_preference(self, preference: ir.Preference, measure_at: int, bind: Callable[[str], Code]) -> Code:
        """Return code that drops the rows that a preference excludes.

        For a test it keeps the rows that pass, or all if none does; else the rows with the least or greatest measure.
        `measure_at`: the offset in each row of the word for its measure. `bind`: returns code that loads a row into
        variables.
        """
        emitter, kind = self.emitter, get_register_type(preference.value.type)
        if is_compound(preference.value.type):
            raise NotEncodableError("a preference that is not a number")
        row, to = emitter.w.create_local("row", "i32"), emitter.w.create_local("to", "i32")
        best, v, some = (
            emitter.w.create_local("best", kind),
            emitter.w.create_local("measure", kind),
            emitter.w.create_local("some", "i32"),
        )
        saved = store64(get(row), emit_word(preference.value.type, get(v)), measure_at)
        if preference.sort == "test":
            better: Code = get(v)
        else:
            op = "lt_s" if preference.sort == "least" else "gt_s"
            better = ("i32.or", ("i32.eqz", get(some)), (f"{kind}.{op}", get(v), get(best)))
        note = when(better, seq(put(best, get(v)), put(some, c32(1))))
        keep = when(
            (f"{kind}.eq", (f"{kind}.load", measure_at, get(row)), get(best)),
            seq(copy_words(get(to), get(row), self.size // 8), put(to, add32(get(to), c32(self.size)))),
            put(self.number, ("i32.sub", get(self.number), c32(1))),
        )
        return seq(
            put(some, c32(0)),
            put(best, const(kind, 0)),
            self.emit_walk(row, seq(bind(row), put(v, emitter.emit_scalar(preference.value)), saved, note)),
            put(to, get(self.first)),
            self.emit_walk(row, keep),
            put(self.end, get(to)),
        )


class Rows:
    """The legal uses of one option as rows; `at` is the address of the next row, `n` the number of rows."""

    def __init__(self, emitter: Emitter, option: ir.LoweredOption, number: int, n: str, at: str, end: Code) -> None:
        self.emitter = emitter
        self.option = option
        self.number = number
        self.n = n
        self.at = at
        self.end = end
        self.size = emitter.layout.option_size
        self.blank = 0  # words behind the arguments that other options of the decision use
        self.enough: Code = seq()  # leaves the listing where one option is enough

    def emit_listing(self) -> Code:
        """Return code that adds the option's legal uses: the preferred ones, one for each group of equal pieces."""
        emitter = self.emitter
        first = emitter.w.create_local("first", "i32")
        parts: list[Code] = [put(first, get(self.at)), emit_option_loops(self.emitter, self.option, self.emit_row)]
        rows = RowRange(emitter, first, self.at, self.n, self.size)
        parts += [rows.emit_preference(p, self.size - 8, self.emit_bind) for p in self.option.prefers]
        if any(p.alike for p in self.option.params):
            parts.append(self.emit_one_of_alike(rows))
        return seq(*parts)

    def emit_row(self) -> Code:
        """Return code that adds the values of the parameters' variables as a row."""
        params = self.option.params
        stores = [store64(get(self.at), emit_word(p.type, get(p.name)), 8 + 8 * k) for k, p in enumerate(params)]
        return seq(
            store64(get(self.at), c64(self.number)),
            *stores,
            *(store64(get(self.at), c64(0), 8 * (1 + len(params) + k)) for k in range(self.blank)),
            put(self.at, add32(get(self.at), c32(self.size))),
            put(self.n, add32(get(self.n), c32(1))),
            self.enough,
            when(("i32.gt_u", add32(get(self.at), c32(2 * self.size)), self.end), TRAP),
        )

    def emit_bind(self, row: str) -> Code:
        """Return code that loads the arguments of a row into their variables. `row`: the local with its address."""
        parts: list[Code] = []
        for k, p in enumerate(self.option.params):
            value = load64(get(row), 8 + 8 * k)
            parts.append(put(p.name, value if is_wide(p.type) else wrap(value)))
        return seq(*parts)

    def emit_one_of_alike(self, rows: RowRange) -> Code:
        """Return code that keeps the first of the rows that differ only in interchangeable pieces."""
        emitter = self.emitter
        row, to, earlier = (
            emitter.w.create_local("row", "i32"),
            emitter.w.create_local("to", "i32"),
            emitter.w.create_local("other", "i32"),
        )
        same: Code = c32(1)
        for k, p in enumerate(self.option.params):
            pair = [load64(get(r), 8 + 8 * k) for r in (row, earlier)]
            if p.alike:
                emit_first_alike(
                    emitter, e.Apply("first_alike", (e.Const(0, t.PIECE, self.option.span),), t.PIECE, self.option.span)
                )
                test: Code = ("i32.eq", *(call("first_alike", wrap(value)) for value in pair))
            else:
                test = ("i64.eq", *pair)
            same = ("if", "i32", test, same, c32(0))
        is_known = emitter.w.create_label("known")
        turns = emitter.w.emit_loop_until(
            ("i32.ge_u", get(earlier), get(to)),
            ("br_if", is_known, same),
            put(earlier, add32(get(earlier), c32(self.size))),
        )
        is_new = seq(
            put(earlier, get(rows.first)),
            turns,
            copy_words(get(to), get(row), self.size // 8),
            put(to, add32(get(to), c32(self.size))),
            put(self.n, add32(get(self.n), c32(1))),
        )
        body = seq(put(self.n, ("i32.sub", get(self.n), c32(1))), ("block", is_known, "", is_new))
        return seq(put(to, get(rows.first)), rows.emit_walk(row, body), put(self.at, get(to)))
