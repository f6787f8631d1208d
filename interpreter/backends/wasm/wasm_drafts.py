"""Drafts in WebAssembly: a breadth-first search over tuples of fields, with one node per state.

A node holds fields, a stop flag, its predecessor, the step, the hash of the steps taken, and arguments. An end holds
its identifying values, its cost and its node. Sets in fields are interned, so equal states are equal words.
"""

from __future__ import annotations

from interpreter.backends.wasm.assembly.code_builder import (
    TRAP,
    add32,
    c32,
    c64,
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
from interpreter.backends.wasm.emitter import Emitter
from interpreter.backends.wasm.memory_layout import (
    DRAFT_DEPTH,
    DRAFT_STATES,
    ENDS_SIZE,
    INTERN_TABLE,
    KEPT_SIZE,
    NODES_SIZE,
    ROW_TABLE,
    ROWS_SIZE,
)
from interpreter.backends.wasm.value_encoding import NotEncodableError, get_register_type, is_compound, is_wide
from interpreter.backends.wasm.wasm_expressions import emit_word
from interpreter.backends.wasm.wasm_options import RowRange, Rows, emit_option_loops
from interpreter.ir import expression_records as e, program_records as ir
from interpreter.model import types as t
from interpreter.model.types import DRAFT, strip_maybe

_RECORD = """
node = i32[number * END_SIZE + ENDS, NODE]
record = alloc(RECORD_SIZE)
memory_copy(record, node, STAGES)
"""
_WITHOUT_STAGES = "i64[record, STAGES] = NO_STAGES"
_STAGES = """
count = 0
last = node
while i64[node, PREVIOUS] >= 0:
    count += 1
    node = i32[node, PREVIOUS]
stages = alloc((count << 3) + 8)
i64[stages] = i64(count)
node = last
while i64[node, PREVIOUS] >= 0:
    stage = alloc(RECORD_SIZE)
    memory_copy(stage, node, STAGES)
    i64[stage, STAGES] = NO_STAGES
    i64[stages + (count << 3)] = i64(stage)
    count -= 1
    node = i32[node, PREVIOUS]
i64[record, STAGES] = i64(stages)
"""


def compute_end_size(draft: ir.Draft) -> int:
    """Return the size in bytes of an end: its offer, its cost, its node and one word for a measure."""
    return 8 * (len(draft.offer) + 3)


class DraftWriter:
    """Writer of the functions of one draft."""

    def __init__(self, emitter: Emitter, draft: ir.Draft) -> None:
        self.emitter = emitter
        self.draft = draft
        self.fields = len(draft.fields)
        self.key = 8 * (self.fields + 1)
        params = max([len(step.option.params) for step in draft.steps], default=0)
        self.node = self.key + 8 * (3 + params)
        self.offers = len(draft.offer)
        self.end = compute_end_size(draft)
        if NODES_SIZE // self.node < DRAFT_STATES + 5_000:
            raise NotEncodableError("a draft with very many fields")

    def write(self) -> None:
        """Write `ends_NAME(only, arguments)`, which returns the number of ends, or with `only` whether there is one."""
        emitter, draft = self.emitter, self.draft
        params = [("@only", "i32"), *((name, get_register_type(type_)) for name, type_ in draft.params)]
        for _, type_ in draft.fields:
            require_internable(emitter, type_)
        with emitter.begin_function("ends_" + draft.name, params, "i32") as w:
            for hint in (
                "@nodes",
                "@ends_at",
                "@table",
                "@offers_table",
                "@marks",
                "@interns",
                "@gen",
                "@mark",
                "@row",
                "@new",
            ):
                w.get_local(hint, "i32")
            for hint in ("@count", "@here", "@found", "@place", "@kept_before", "@kept_count_before", "@rows_before"):
                w.get_local(hint, "i32")
            for name, type_ in draft.fields:
                w.get_local(name, get_register_type(type_))
            w.append(*self.emit_begin())
            w.append(put("@new", get("@nodes")))
            for k, value in enumerate(draft.start):
                w.append(self.emit_store_field(k, self.emit_field(value, draft.fields[k][1])))
            w.append(
                store64(get("@new"), c64(0), 8 * self.fields),
                store64(get("@new"), c64(-1), self.key),
                store64(get("@new"), c64(0), self.key + 16),
                ("drop", self.emit_find_row("@new", self.key, c32(0), "@table", "@nodes", self.node)),
                put("@count", c32(1)),
            )
            if draft.unordered:
                w.append(("drop", call("new_mark", c64(0), get("@marks"), get("@gen"))))
            out, loop = w.create_label("all"), w.create_label("states")
            w.append(("block", out, "", ("loop", loop, "", *self.emit_visit(out, loop))))
            if draft.price is not None:
                spare = c32(emitter.layout.spare)
                w.append(call("sort_rows", get("@ends_at"), get("@found"), c32(self.end), c32(8 * self.offers), spare))
            for preference in draft.prefers:
                w.append(self.emit_end_preference(preference))
            w.append(*self.emit_finish(), get("@found"))
        self.write_answer()

    def emit_begin(self) -> list[Code]:
        """Return the code that begins a search for the ends of the draft: it reserves memory and sets the locals to it.

        A search inside another one gets the memory of its nesting depth; beyond `DRAFT_DEPTH` it traps. The search for
        a pending decision (`@only` is 0) has separate memory, so that its ends survive later searches.
        """
        layout = self.emitter.layout
        depth, only, place = ("global.get", "depth"), get("@only"), get("@place")
        return [
            when(("i32.ge_u", depth, c32(DRAFT_DEPTH)), TRAP),
            when(
                ("i32.eqz", depth),
                seq(
                    ("global.set", "kept", ("select", c32(layout.kept), c32(layout.kept_asked), only)),
                    ("global.set", "kept_end", add32(("global.get", "kept"), c32(KEPT_SIZE))),
                    ("global.set", "rows", c32(layout.rows)),
                ),
            ),
            when(("i32.eqz", only), ("global.set", "ends_now", c64(0))),
            put("@place", ("select", depth, c32(DRAFT_DEPTH), only)),
            put("@kept_before", ("global.get", "kept")),
            put("@rows_before", ("global.get", "rows")),
            put("@kept_count_before", ("global.get", "kept_count")),
            ("global.set", "kept_count", c32(0)),
            put("@nodes", add32(times(place, NODES_SIZE), c32(layout.nodes))),
            put("@ends_at", add32(times(place, ENDS_SIZE), c32(layout.ends))),
            put("@table", add32(times(place, 4 * ROW_TABLE), c32(layout.row_tables))),
            put("@offers_table", add32(get("@table"), c32(ROW_TABLE))),
            put("@marks", add32(get("@table"), c32(2 * ROW_TABLE))),
            put("@interns", add32(times(place, INTERN_TABLE), c32(layout.intern_tables))),
            ("global.set", "depth", add32(depth, c32(1))),
            ("global.set", "gen", add32(("global.get", "gen"), c32(1))),
            put("@gen", ("global.get", "gen")),
            put("@mark", ("global.get", "arena")),
        ]

    def emit_finish(self) -> list[Code]:
        """Return the code that ends a search and restores the globals; the data of the ends found remains."""
        depth: Code = ("i32.sub", ("global.get", "depth"), c32(1))
        restore = seq(
            ("global.set", "kept", get("@kept_before")), ("global.set", "kept_count", get("@kept_count_before"))
        )
        return [
            ("global.set", "depth", depth),
            ("global.set", "arena", get("@mark")),
            ("global.set", "rows", get("@rows_before")),
            when(("global.get", "depth"), restore),
        ]

    # --- rows and fields ----------------------------------------------------------------------------

    def emit_find_row(self, row: str, size: int, number: Code, table: str, base: str, stride: int) -> Code:
        """Return code for the number of an equal row in a table, or -1 after adding the row to it as `number`.

        `row`: the local with the row's address. `size`: the bytes to compare. `table`, `base`: the locals with the
        addresses of the hash table and of the first row. `stride`: the bytes from row to row.
        """
        return call("find_row", get(row), c32(size), number, get(table), get(base), c32(stride), get("@gen"))

    def emit_field(self, value: e.Expr, type_: t.Type) -> Code:
        """Return code for a value as a field holds it: a set, list or record as the address of its interned copy."""
        code = self.emitter.emit_value(value)
        if not is_compound(type_) or isinstance(value, e.Local) and value.name in dict(self.draft.fields):
            return code
        return self.emit_interned(code, type_)

    def emit_interned(self, value: Code, type_: t.Type) -> Code:
        """Return code for the address of the interned copy of a set, list or record; `value`: code for its address."""
        bare_type = strip_maybe(type_)
        if words := self.emitter.layout.values.count_set_words(bare_type):
            return call("interned", value, c32(8 * words), get("@interns"), get("@gen"))
        p = self.emitter.w.create_local("value", "i32")
        if isinstance(bare_type, t.RecordType):
            size: Code = c32(8 * len(self.emitter.layout.list_fields(bare_type.id)))
        else:
            size = add32(times(wrap(load64(get(p))), 8), c32(8))
        code = call("interned", get(p), size, get("@interns"), get("@gen"))
        if isinstance(type_, t.MaybeType):
            code = ("if", "i32", ("i32.lt_s", get(p), c32(0)), c32(-1), code)
        return seq(put(p, value), code)

    def emit_store_field(self, index: int, value: Code) -> Code:
        """Return code that writes field `index` of the new node."""
        return store64(get("@new"), emit_word(self.draft.fields[index][1], value), 8 * index)

    def emit_load_fields(self) -> list[Code]:
        """Return code that loads the fields of the node at `@row` into their variables."""
        out: list[Code] = []
        for k, (name, type_) in enumerate(self.draft.fields):
            value = load64(get("@row"), 8 * k) if is_wide(type_) else load32(get("@row"), 8 * k)
            out.append(put(name, value))
        return out

    # --- one state --------------------------------------------------------------------------------------

    def emit_visit(self, out: str, loop: str) -> list[Code]:
        """Return code that visits the next state of the search: it tests for an end and follows the steps.

        `out`: the label after the search. `loop`: the label of the loop over states.
        """
        emitter, draft = self.emitter, self.draft
        parts: list[Code] = [
            ("br_if", out, ("i32.ge_u", get("@here"), get("@count"))),
            put("@row", add32(times(get("@here"), self.node), get("@nodes"))),
            put("@here", add32(get("@here"), c32(1))),
            call("spend", c64(1)),
            *self.emit_load_fields(),
        ]
        finish: Code = c32(1)
        for test in reversed(draft.finish):
            finish = ("if", "i32", emitter.emit_scalar(test), finish, c32(0))
        leave = seq(*self.emit_finish(), ("return", c32(1)))
        parts.append(when(finish, seq(when(get("@only"), leave), *self.emit_end_of_state())))
        parts.append(("br_if", loop, ("i32.wrap_i64", load64(get("@row"), 8 * self.fields))))
        parts.append(when(("i32.gt_u", get("@count"), c32(DRAFT_STATES)), TRAP))
        for number, step in enumerate(draft.steps):
            parts.append(self.emit_step(step, number))
        parts.append(("br", loop))
        return parts

    def emit_end_of_state(self) -> list[Code]:
        """Return code that records the state as an end; of ends with equal offers the first of the cheapest stays."""
        emitter, draft, w = self.emitter, self.draft, self.emitter.w
        at, old, price = w.create_local("end", "i32"), w.create_local("old", "i32"), w.create_local("price", "i64")
        parts: list[Code] = []
        parts.append(put(at, add32(times(get("@found"), self.end), get("@ends_at"))))
        parts.append(when(("i32.gt_u", get(at), add32(get("@ends_at"), c32(ENDS_SIZE - 2 * self.end))), TRAP))
        for k, value in enumerate(draft.offer):
            require_internable(emitter, value.type)
            parts.append(store64(get(at), emit_word(value.type, self.emit_field(value, value.type)), 8 * k))
        price_code = c64(0) if draft.price is None else emitter.emit_value(draft.price)
        if draft.price is not None and not is_wide(draft.price.type):
            raise NotEncodableError("a price that is not a number")
        parts += [put(price, price_code), store64(get(at), get(price), 8 * self.offers)]
        parts.append(store64(get(at), ("i64.extend_i32_u", get("@row")), 8 * self.offers + 8))
        parts.append(
            put(old, self.emit_find_row(at, 8 * self.offers, get("@found"), "@offers_table", "@ends_at", self.end))
        )
        if not self.offers:
            raise NotEncodableError("a draft without offers")
        known_end = add32(times(get(old), self.end), get("@ends_at"))
        cheaper: Code = ("i64.lt_s", get(price), load64(known_end, 8 * self.offers))
        better = when(cheaper, ("memory.copy", known_end, get(at), c32(self.end)))
        new = put("@found", add32(get("@found"), c32(1)))
        parts.append(when(("i32.lt_s", get(old), c32(0)), new, better))
        return parts

    def emit_step(self, step: ir.Step, number: int) -> Code:
        """Return code that follows the legal uses of a step. `number`: the number of the step in the draft."""
        option = step.option
        if not option.prefers and not any(p.alike for p in option.params):
            return emit_option_loops(self.emitter, option, lambda: self.emit_follow(step, number))
        emitter, w = self.emitter, self.emitter.w
        n, at, row, first = (w.create_local(hint, "i32") for hint in ("n", "at", "use", "first_use"))
        rows = Rows(emitter, option, number, n, at, c32(emitter.layout.rows + ROWS_SIZE))
        turns = w.emit_loop_until(
            ("i32.ge_u", get(row), get(at)),
            rows.emit_bind(row),
            self.emit_follow(step, number),
            put(row, add32(get(row), c32(rows.size))),
        )
        # searches inside the tests put their rows behind a stretch that is large enough for these
        stretch = add32(get(at), c32(ROWS_SIZE // 4))
        return seq(
            put(n, c32(0)),
            put(at, ("global.get", "rows")),
            put(first, get(at)),
            ("global.set", "rows", stretch),
            rows.emit_listing(),
            when(("i32.gt_u", get(at), add32(get(first), c32(ROWS_SIZE // 4))), TRAP),
            put(row, get(first)),
            turns,
            ("global.set", "rows", get(first)),
        )

    def emit_follow(self, step: ir.Step, number: int) -> Code:
        """Return code that creates the state after a step, unless it is known. `number`: the number of the step."""
        emitter, draft = self.emitter, self.draft
        changed = dict(step.now)
        values: list[tuple[int, str]] = []
        parts: list[Code] = []
        for k, value in changed.items():
            field_local = emitter.w.create_local("field", get_register_type(draft.fields[k][1]))
            parts.append(put(field_local, self.emit_field(value, draft.fields[k][1])))
            values.append((k, field_local))
        stops = emitter.w.create_local("stops", "i32")
        parts += [
            put(stops, emitter.emit_value(step.stops)),
            put("@new", add32(times(get("@count"), self.node), get("@nodes"))),
        ]
        held_by = dict(values)
        for k, (name, _) in enumerate(draft.fields):
            parts.append(self.emit_store_field(k, get(held_by.get(k, name))))
        parts += [
            store64(get("@new"), ("i64.extend_i32_u", get(stops)), 8 * self.fields),
            store64(get("@new"), ("i64.extend_i32_u", get("@row")), self.key),
            store64(get("@new"), c64(number), self.key + 8),
        ]
        mark: Code = c64(number + 1)
        for k, param in enumerate(step.option.params):
            word = emit_word(param.type, get(param.name))
            parts.append(store64(get("@new"), word, self.key + 24 + 8 * k))
            mark = ("i64.add", ("i64.mul", mark, c64(0x100000001B3)), word)
        enter = put("@count", add32(get("@count"), c32(1)))
        if not draft.unordered:
            node_index = self.emit_find_row("@new", self.key, get("@count"), "@table", "@nodes", self.node)
            parts.append(when(("i32.lt_s", node_index, c32(0)), enter))
            return seq(*parts)
        mixed = emitter.w.create_local("@mark", "i64")
        parts += [
            put(mixed, ("i64.add", call("mixed", mark), load64(get("@row"), self.key + 16))),
            store64(get("@new"), get(mixed), self.key + 16),
        ]
        unknown: Code = (
            "i32.lt_s",
            self.emit_find_row("@new", self.key, c32(-1), "@table", "@nodes", self.node),
            c32(0),
        )
        note = seq(("drop", self.emit_find_row("@new", self.key, get("@count"), "@table", "@nodes", self.node)), enter)
        is_new = call("new_mark", get(mixed), get("@marks"), get("@gen"))
        parts.append(when(unknown, when(is_new, note)))
        return seq(*parts)

    # --- ends -----------------------------------------------------------------------------------------

    def emit_end_preference(self, preference: ir.Preference) -> Code:
        """Return code that drops the ends that a preference excludes.

        For a test it keeps the ends that pass, or all if none does; else the ends with the least or greatest measure.
        """
        end = self.emitter.w.create_local("end", "i32")
        rows = RowRange(self.emitter, "@ends_at", end, "@found", self.end)
        code = rows.emit_preference(preference, 8 * self.offers + 16, self.emit_bind_end)
        return seq(put(end, add32(times(get("@found"), self.end), get("@ends_at"))), code)

    def emit_bind_end(self, end: str) -> Code:
        """Return code that loads the fields of a finished draft into their variables.

        `end`: the local that holds the address of the finished draft.
        """
        return seq(put("@row", ("i32.load", 8 * self.offers + 8, get(end))), *self.emit_load_fields())

    def write_answer(self) -> None:
        """Write `answer_NAME(number)`, which returns the record of an end, with its stages if they are read."""
        emitter, draft, layout = self.emitter, self.draft, self.emitter.layout
        has_stages = len(layout.list_fields(DRAFT + draft.name)) > self.fields
        text = _RECORD + (_WITHOUT_STAGES if has_stages else "") + (_STAGES if has_stages and draft.staged else "")
        with emitter.begin_function("answer_" + draft.name, [("number", "i32")], "i32") as w:
            emitter.write_statements(
                text,
                END_SIZE=self.end,
                ENDS=layout.asked_ends,
                NODE=8 * self.offers + 8,
                PREVIOUS=self.key,
                RECORD_SIZE=8 * (self.fields + has_stages),
                STAGES=8 * self.fields,
                NO_STAGES=layout.put_words([0]),
            )
            w.append(get("record"))


def require_internable(emitter: Emitter, type_: t.Type) -> None:
    """Raise NotEncodableError for a field type with nested collections, which cannot be interned."""
    bare_type = strip_maybe(type_)
    match bare_type:
        case t.SetType(item=item) | t.ListType(item=item) if item is not None and is_compound(item):
            raise NotEncodableError(f"a draft that tells {type_} apart")
        case t.RecordType(id=record) if any(is_compound(ft) for _, ft in emitter.layout.list_fields(record)):
            raise NotEncodableError(f"a draft that tells {type_} apart")


def emit_possible(emitter: Emitter, expr: e.Possible) -> Code:
    """Return the code that tests whether a draft can be completed."""
    return call("ends_" + expr.draft, c32(1), *(emitter.emit_value(arg) for arg in expr.args))
