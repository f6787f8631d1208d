"""Expressions as WebAssembly: variables, reads, static tables, arithmetic, comparisons, records, calls."""

from __future__ import annotations

from array import array
from collections.abc import Callable

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
    select_value,
    seq,
    store64,
    times,
    when,
    wrap,
)
from interpreter.backends.wasm.assembly.encoding import Code
from interpreter.backends.wasm.emitter import Emitter, format_type_name
from interpreter.backends.wasm.memory_layout import MemoryColumn
from interpreter.backends.wasm.value_encoding import (
    MAX_NUMBER,
    NONE_64,
    PART_SHIFT,
    NotEncodableError,
    get_missing_value,
    get_register_type,
    is_compound,
    is_wide,
)
from interpreter.ir import expression_records as e
from interpreter.model import types as t
from interpreter.model.expressions import Value
from interpreter.model.types import strip_maybe


def emit_const(emitter: Emitter, expr: e.Const) -> Code:
    """Return code for a literal."""
    return const(get_register_type(expr.type), emitter.layout.encode(expr.value, expr.type))


def emit_local(emitter: Emitter, expr: e.Local) -> Code:
    """Return code for the value of a variable."""
    return emitter.emit_variable(expr.name, expr.type)


# --- reads -------------------------------------------------------------------------------------------


def emit_load(cell: MemoryColumn, index: Code) -> Code:
    """Return code that loads element `index` of a column; for a set, list or record, its address."""
    if is_compound(cell.type):
        at = add32(times(index, cell.width), c32(cell.base))
        return call("list_at", at) if isinstance(cell.type, t.MaybeType) else at
    kind = get_register_type(cell.type)
    whole = 8 if kind == "i64" else 4
    op = f"{kind}.load" if cell.width == whole else f"{kind}.load{8 * cell.width}_s"
    if index[0] == "i32.const":
        assert isinstance(index[1], int)
        return (op, 0, c32(cell.base + index[1] * cell.width))
    return (op, cell.base, times(index, cell.width))


def emit_store(cell: MemoryColumn, index: Code, value: Code) -> Code:
    """Return code that writes a value to element `index` of a column."""
    if is_compound(cell.type):
        at = add32(times(index, cell.width), c32(cell.base))
        return call("store_list", at, value) if cell.is_list else ("memory.copy", at, value, c32(cell.width))
    kind = get_register_type(cell.type)
    whole = 8 if kind == "i64" else 4
    op = f"{kind}.store" if cell.width == whole else f"{kind}.store{8 * cell.width}"
    return (op, cell.base, times(index, cell.width), value)


def emit_read(emitter: Emitter, expr: e.Read) -> Code:
    """Return code that reads a slot of the position."""
    cell = emitter.layout.columns[expr.slot]
    if expr.slot.kind == "option":
        code = load64(c32(cell.base))
        return wrap(code) if get_register_type(expr.type) == "i32" else code
    index = c32(0) if expr.owner is None else emitter.emit_value(expr.owner)
    code = emit_load(cell, index)
    if emitter.copies and is_compound(cell.type):
        emitter.w.allocates = True
        return call(emitter.get_copier(cell.type), code) if cell.is_list else call("copied", code, c32(cell.width))
    return code


def emit_linear_index(emitter: Emitter, indices: tuple[e.Expr, ...], sizes: tuple[int, ...]) -> Code:
    """Return code for the index of an element in a table with several indices, the last one fastest.

    `sizes`: the number of values of each index.
    """
    linear: Code | None = None
    for index, size in zip(indices, sizes, strict=True):
        part = emit_index(emitter, index)
        linear = part if linear is None else add32(times(linear, size), part)
    return linear or c32(0)


def emit_index(emitter: Emitter, expr: e.Expr) -> Code:
    """Return code for an index as a 32-bit number."""
    return wrap(emitter.emit_value(expr)) if is_wide(expr.type) else emitter.emit_value(expr)


def emit_static_item(emitter: Emitter, expr: e.StaticItem) -> Code:
    """Return the code that reads an element of a static table, in the narrowest type that holds all values."""
    index = emit_linear_index(emitter, expr.indices, expr.sizes)
    table, type_ = expr.table, expr.type
    has_gaps = table.has_gaps
    if is_compound(type_):
        at = emitter.layout.place_table(
            table.name, "addresses", lambda: _place_addresses(emitter, table, strip_maybe(type_))
        )
        code: Code = ("i32.load", at, times(index, 4))
        if not has_gaps or isinstance(type_, t.MaybeType):
            return code
        v = emitter.w.create_local("cell", "i32")
        return seq(put(v, code), when(("i32.lt_s", get(v), c32(0)), TRAP), get(v))
    cell, gap = emitter.layout.place_cells(table.name, type_, lambda: place_static_cell(emitter, table.values, type_))
    code = emit_load(cell, index)
    if not has_gaps or (isinstance(type_, t.MaybeType) and gap == get_missing_value(type_)):
        return code
    kind = get_register_type(type_)
    v = emitter.w.create_local("cell", kind)
    is_gap: Code = (f"{kind}.eq", get(v), const(kind, gap))
    if isinstance(type_, t.MaybeType):
        return seq(put(v, code), select_value(kind, is_gap, const(kind, get_missing_value(type_)), get(v)))
    return seq(put(v, code), when(is_gap, TRAP), get(v))


def _place_addresses(emitter: Emitter, table: e.StaticTable, type_: t.Type) -> int:
    """Return the address of a table of the addresses of a static table's compound values, -1 for a missing one."""
    numbers = [-1 if v is None else emitter.layout.encode(v, type_) for v in table.values]
    return emitter.layout.put(array("i", numbers).tobytes(), 4)


def place_static_cell(emitter: Emitter, values: tuple[Value, ...], type_: t.Type) -> tuple[MemoryColumn, int]:
    """Return the cell that holds a table's values and the number that marks an empty element."""
    kind = get_register_type(type_)
    encoded: dict[Value, int] = {v: emitter.layout.encode(v, type_) for v in set(values) if v is not None}
    there = list(encoded.values()) or [0]
    for width in (1, 2, 4, 8):
        least = -(1 << (8 * width - 1))
        gap = -1 if kind == "i32" else least
        if min(there) > least and max(there) < -least and (width <= 4 or kind == "i64"):
            break
    numbers = encoded | {None: gap}
    raw = array({1: "b", 2: "h", 4: "i", 8: "q"}[width], [numbers[v] for v in values]).tobytes()
    return MemoryColumn(emitter.layout.put(raw), width, type_), gap


def emit_index_of(emitter: Emitter, expr: e.IndexOf) -> Code:
    """Return code that finds the index of a value among constants, or -1."""
    type_ = strip_maybe(expr.value.type)
    layout = emitter.layout
    if isinstance(type_, t.TextType | t.OneOfType | t.DirectionType):
        size = len(layout.values.words)
    else:
        size = layout.values.get_domain_size(type_)
    keys = [layout.encode(v, type_) for v in expr.among]
    if is_wide(type_) or not size:
        raise NotEncodableError(f"an index among values of {type_}")
    if keys == list(range(size)):
        return extend(emitter.emit_value(expr.value))
    raw = bytes((keys.index(number) if number in keys else -1) & 0xFF for number in range(-1, size))
    if len(keys) > 127:
        raise NotEncodableError("an index among very many values")
    return extend(("i32.load8_s", layout.put(raw, 1), add32(emitter.emit_value(expr.value), c32(1))))


# --- logic -------------------------------------------------------------------------------------------


def emit_conditional(emitter: Emitter, expr: e.Conditional) -> Code:
    """Return code for a conditional value."""
    return select_value(
        get_register_type(expr.type),
        emitter.emit_value(expr.test),
        emitter.emit_value(expr.yes),
        emitter.emit_value(expr.no),
    )


def emit_or_else(emitter: Emitter, expr: e.OrElse) -> Code:
    """Return code for a value, or the fallback if it is missing."""
    kind = get_register_type(expr.value.type)
    v = emitter.w.create_local("or", kind)
    is_there: Code = (f"{kind}.ne", get(v), const(kind, get_missing_value(expr.value.type)))
    return seq(
        put(v, emitter.emit_value(expr.value)), select_value(kind, is_there, get(v), emitter.emit_value(expr.fallback))
    )


def emit_if_present(emitter: Emitter, expr: e.IfPresent) -> Code:
    """Return code that binds a value and evaluates the body, or gives a missing value if the value is missing."""
    kind, inner = get_register_type(expr.value.type), get_register_type(expr.type)
    emitter.w.get_local(expr.name, kind)
    is_there: Code = (f"{kind}.ne", get(expr.name), const(kind, get_missing_value(expr.value.type)))
    return seq(
        put(expr.name, emitter.emit_value(expr.value)),
        select_value(inner, is_there, emitter.emit_value(expr.body), const(inner, get_missing_value(expr.type))),
    )


def emit_let(emitter: Emitter, expr: e.Let) -> Code:
    """Return code that binds a variable, then evaluates the body to its value."""
    emitter.w.get_local(expr.name, get_register_type(expr.value.type))
    return seq(put(expr.name, emitter.emit_value(expr.value)), emitter.emit_value(expr.body))


def emit_bounded(emitter: Emitter, expr: e.Bounded) -> Code:
    """Return code for a value within its bounds; outside them it traps or gives the nearest bound."""
    kind = get_register_type(expr.type)
    v = emitter.w.create_local("bounded", kind)
    parts = [put(v, emitter.emit_value(expr.value))]
    for bound, op in ((expr.low, "lt_s"), (expr.high, "gt_s")):
        if bound is not None:
            limit = emitter.emit_value(bound)
            parts.append(when((f"{kind}.{op}", get(v), limit), put(v, limit) if expr.clamps else TRAP))
    return seq(*parts, get(v))


# --- arithmetic --------------------------------------------------------------------------------------


def emit_range_check(emitter: Emitter, value: Code) -> Code:
    """Return code that traps if the sum `value` of two numbers is out of range, and otherwise returns it."""
    v = emitter.w.create_local("sum", "i64")
    out: Code = ("i64.lt_s", ("i64.add", get(v), c64(MAX_NUMBER)), c64(0))
    return seq(put(v, value), when(out, TRAP), get(v))


def find_whole_part(expr: e.Expr) -> e.Expr | int | None:
    """Return the whole number that a fraction was widened from (an expression or a literal's value), or None."""
    match expr:
        case e.Apply("widen", (number,)) if not isinstance(number.type, t.MaybeType):
            return number
        case e.Const(int() as value, t.NumberType()):
            return value
    return None


SMALL_FACTOR = 1 << 40


def emit_scaling(emitter: Emitter, value: Code, factor: int) -> Code:
    """Return code for a product with the constant `factor`; it traps if the product is out of range."""
    if not 0 < factor < SMALL_FACTOR:
        return call("mul", value, c64(factor))
    v, limit = emitter.w.create_local("factor", "i64"), (MAX_NUMBER - 1) // factor
    out: Code = ("i64.gt_u", ("i64.add", get(v), c64(limit)), c64(2 * limit))
    return seq(put(v, value), when(out, TRAP), ("i64.mul", get(v), c64(factor)))


def emit_product(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code for a product."""
    left, right = expr.operands
    for factor_operand, operand in ((left, right), (right, left)):
        if (
            isinstance(factor_operand, e.Const)
            and isinstance(factor_operand.value, int)
            and isinstance(factor_operand.type, t.IntType | t.NumberType)
        ):
            return emit_scaling(emitter, emitter.emit_value(operand), factor_operand.value)
    if not isinstance(strip_maybe(expr.type), t.NumberType):
        return call("mul", emitter.emit_value(left), emitter.emit_value(right))
    for factor_operand, operand in ((left, right), (right, left)):
        whole = find_whole_part(factor_operand)
        if whole is not None:
            factor = c64(whole) if isinstance(whole, int) else emitter.emit_value(whole)
            return (
                call("mul", emitter.emit_value(operand), factor)
                if factor_operand is right
                else call("mul", factor, emitter.emit_value(operand))
            )
    return call("mul_scaled", emitter.emit_value(left), emitter.emit_value(right))


def emit_widening(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code that converts a whole number to the units that represent a fraction."""
    (number,) = expr.operands
    scale = c64(emitter.layout.values.scale)
    if not isinstance(number.type, t.MaybeType):
        return emit_scaling(emitter, emitter.emit_value(number), emitter.layout.values.scale)
    v = emitter.w.create_local("number", "i64")
    is_there: Code = ("i64.ne", get(v), c64(NONE_64))
    return seq(
        put(v, emitter.emit_value(number)), select_value("i64", is_there, call("mul", get(v), scale), c64(NONE_64))
    )


def emit_negative(value: Code) -> Code:
    """Return code for the negative of a number."""
    return ("i64.sub", c64(0), value)


def emit_arithmetic(emitter: Emitter, expr: e.Apply) -> Code:
    """Return the code of a sum, difference, quotient or rounding."""
    ops = expr.operands
    scale = emitter.layout.values.scale
    match expr.op:
        case "add" | "sub":
            return emit_range_check(emitter, (f"i64.{expr.op}", emitter.emit_value(ops[0]), emitter.emit_value(ops[1])))
        case "mul":
            return emit_product(emitter, expr)
        case "neg":
            return emit_negative(emitter.emit_value(ops[0]))
        case "div":
            return call("div_scaled", emitter.emit_value(ops[0]), emitter.emit_value(ops[1]))
        case "widen":
            return emit_widening(emitter, expr)
        case "remainder":
            return call("remainder", emitter.emit_value(ops[0]), emitter.emit_value(ops[1]))
        case "floor":  # `floor_div` traps by itself for a divisor of 0
            return call("floor_div", emitter.emit_value(ops[0]), c64(scale))
        case "ceil":
            return emit_negative(call("floor_div", emit_negative(emitter.emit_value(ops[0])), c64(scale)))
        case "near":
            return call("floor_div", ("i64.add", emitter.emit_value(ops[0]), c64(scale // 2)), c64(scale))
        case "floor_div":
            return call("floor_div", emitter.emit_value(ops[0]), emitter.emit_value(ops[1]))
        case "ceil_div":
            return emit_negative(
                call("floor_div", emit_negative(emitter.emit_value(ops[0])), emitter.emit_value(ops[1]))
            )
    assert expr.op == "near_div"
    a, b = emitter.w.create_local("a", "i64"), emitter.w.create_local("b", "i64")
    small: Code = ("i64.gt_u", ("i64.add", get(a), c64(MAX_NUMBER // 4)), c64(MAX_NUMBER // 2))
    twice: Code = ("i64.add", ("i64.shl", get(a), c64(1)), get(b))
    return seq(
        put(a, emitter.emit_value(ops[0])),
        put(b, emitter.emit_value(ops[1])),
        when(("i32.or", small, ("i64.gt_u", ("i64.add", get(b), c64(MAX_NUMBER // 4)), c64(MAX_NUMBER // 2))), TRAP),
        call("floor_div", twice, ("i64.shl", get(b), c64(1))),
    )


def emit_absolute(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code for a number without its sign."""
    v = emitter.w.create_local("number", "i64")
    value = emitter.emit_value(expr.operands[0])
    return seq(put(v, value), select_value("i64", ("i64.lt_s", get(v), c64(0)), emit_negative(get(v)), get(v)))


def emit_extreme(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code for the least or greatest operand."""
    kind = get_register_type(expr.type)
    best, v = emitter.w.create_local("best", kind), emitter.w.create_local("value", kind)
    op = "lt_s" if expr.op == "min_of" else "gt_s"
    parts = [put(best, emitter.emit_value(expr.operands[0]))]
    for operand in expr.operands[1:]:
        parts += [put(v, emitter.emit_value(operand)), when((f"{kind}.{op}", get(v), get(best)), put(best, get(v)))]
    return seq(*parts, get(best))


def emit_offset(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code for a rung moved by a number of rungs."""
    return add32(emitter.emit_value(expr.operands[0]), wrap(emitter.emit_value(expr.operands[1])))


# --- comparisons -----------------------------------------------------------------------------------------


def emit_comparison(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code for a comparison of two values."""
    left, right = expr.operands
    if expr.op in ("eq", "ne"):
        code = emit_equality(emitter, left.type, emitter.emit_value(left), emitter.emit_value(right))
        if expr.op == "eq":
            return code
        if code[0] in ("i32.eq", "i64.eq"):
            return (str(code[0]).replace("eq", "ne"), *code[1:])
        return ("i32.eqz", code)
    if is_compound(left.type):
        raise NotEncodableError(f"an order of {left.type}")
    return (f"{get_register_type(left.type)}.{expr.op}_s", emitter.emit_value(left), emitter.emit_value(right))


def emit_equality(emitter: Emitter, type_: t.Type, left: Code, right: Code) -> Code:
    """Return code that tests whether two values of a type are equal."""
    bare_type = strip_maybe(type_)
    if not is_compound(bare_type):
        return (f"{get_register_type(bare_type)}.eq", left, right)
    words = emitter.layout.values.count_set_words(bare_type)
    if words and not isinstance(type_, t.MaybeType):
        return call("set_eq", left, right, c32(words))
    return call(get_equality_function(emitter, type_), left, right)


def get_equality_function(emitter: Emitter, type_: t.Type) -> str:
    """Return the name of the function that compares two values of a compound type, written at its first use."""
    name = "equal_" + format_type_name(type_)
    if name in emitter.functions:
        return name
    bare_type = strip_maybe(type_)
    with emitter.begin_function(name, [("a", "i32"), ("b", "i32")], "i32") as w:
        a, b = get("a"), get("b")
        w.append(when(("i32.eq", a, b), ("return", c32(1))))
        if isinstance(type_, t.MaybeType):
            either_missing: Code = ("i32.or", ("i32.lt_s", a, c32(0)), ("i32.lt_s", b, c32(0)))
            w.append(when(either_missing, ("return", c32(0))))
            w.append(emit_equality(emitter, bare_type, a, b))
            return name
        if isinstance(bare_type, t.RecordType):
            for k, (_, ft) in enumerate(emitter.layout.list_fields(bare_type.id)):
                fields = [emit_load_field(ft, p, k) for p in (a, b)]
                w.append(when(("i32.eqz", emit_equality(emitter, ft, fields[0], fields[1])), ("return", c32(0))))
            w.append(c32(1))
            return name
        assert isinstance(bare_type, t.SetType | t.ListType)
        n, loop = w.create_local("n", "i64"), w.create_label("members")
        w.append(put(n, load64(a)), when(("i64.ne", get(n), load64(b)), ("return", c32(0))))
        members = [emit_load_item(bare_type.item or t.INT, p) for p in (a, b)]
        turn = seq(
            when(("i64.eqz", get(n)), ("return", c32(1))),
            when(
                ("i32.eqz", emit_equality(emitter, bare_type.item or t.INT, members[0], members[1])), ("return", c32(0))
            ),
            put("a", add32(a, c32(8))),
            put("b", add32(b, c32(8))),
            put(n, ("i64.sub", get(n), c64(1))),
            ("br", loop),
        )
        w.append(("loop", loop, "", turn), TRAP)
    return name


def emit_load_item(type_: t.Type, before: Code) -> Code:
    """Return code for the member of a list in the word after the address `before`."""
    return load64(before, 8) if is_wide(type_) else load32(before, 8)


def emit_load_field(type_: t.Type, record: Code, index: int) -> Code:
    """Return code for field `index` of a record. `record`: code for its address."""
    return load64(record, 8 * index) if is_wide(type_) else load32(record, 8 * index)


def emit_word(type_: t.Type, value: Code) -> Code:
    """Return code that converts a value to a 64-bit word, as lists and records hold it."""
    return value if is_wide(type_) else extend(value)


def emit_is_missing(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code that tests whether a value is missing."""
    (value,) = expr.operands
    kind = get_register_type(value.type)
    if kind == "i32":
        return ("i32.lt_s", emitter.emit_value(value), c32(0))
    return ("i64.eq", emitter.emit_value(value), c64(NONE_64))


def emit_is_arm(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code that tests whether a result part has an arm (one of its forms, such as "all lost").

    The operands of `expr` are the part and the constant name of the arm.
    """
    subject, arm = expr.operands
    assert isinstance(arm, e.Const)
    assert isinstance(arm.value, str)
    number = emitter.layout.values.number_word(arm.value)
    return ("i64.eq", ("i64.shr_s", emitter.emit_value(subject), c64(32)), c64(number))


def emit_arm_number(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code for the number in a part of a chart's result, such as 2 in "lose 2"."""
    low: Code = ("i64.and", emitter.emit_value(expr.operands[0]), c64(0xFFFFFFFF))
    return ("i64.sub", low, c64(PART_SHIFT))


# --- records, calls ------------------------------------------------------------------------------------------


def emit_make_record(emitter: Emitter, expr: e.MakeRecord) -> Code:
    """Return code for a new record."""
    assert isinstance(expr.type, t.RecordType)
    fields = emitter.layout.list_fields(expr.type.id)
    p = emitter.w.create_local("record", "i32")
    emitter.w.allocates = True
    values: list[Code] = []
    field_locals: list[tuple[str, t.Type]] = []
    for item, (_, ft) in zip(expr.items, fields, strict=False):
        name = emitter.w.create_local("field", get_register_type(ft))
        values.append(put(name, emitter.emit_value(item)))
        field_locals.append((name, ft))
    stores = [store64(get(p), emit_word(ft, get(name)), 8 * k) for k, (name, ft) in enumerate(field_locals)]
    return seq(*values, put(p, call("alloc", c32(8 * max(1, len(fields))))), *stores, get(p))


def emit_get_field(emitter: Emitter, expr: e.GetField) -> Code:
    """Return code for a field of a record."""
    return emit_load_field(expr.type, emitter.emit_value(expr.record), expr.index)


def emit_with_fields(emitter: Emitter, expr: e.WithFields) -> Code:
    """Return code for a copy of a record with some fields changed."""
    assert isinstance(expr.type, t.RecordType)
    fields = emitter.layout.list_fields(expr.type.id)
    p = emitter.w.create_local("record", "i32")
    emitter.w.allocates = True
    source = emitter.w.create_local("from", "i32")
    parts = [put(source, emitter.emit_value(expr.record))]
    changed = []
    for index, value in zip(expr.indices, expr.values, strict=True):
        name = emitter.w.create_local("field", get_register_type(fields[index][1]))
        parts.append(put(name, emitter.emit_value(value)))
        changed.append((index, name))
    parts.append(put(p, call("copied", get(source), c32(8 * len(fields)))))
    parts += [store64(get(p), emit_word(fields[k][1], get(name)), 8 * k) for k, name in changed]
    return seq(*parts, get(p))


def emit_call(emitter: Emitter, expr: e.Call) -> Code:
    """Return code that calls a pure function."""
    code = call(expr.function, *(emitter.emit_value(arg) for arg in expr.args))
    if is_compound(expr.type):
        emitter.w.allocates = True
        called = emitter.program.functions[expr.function]
        if emitter.copies and called.is_memoized:
            words = emitter.layout.values.count_set_words(strip_maybe(expr.type))
            return call("copied", code, c32(8 * words))
    return code


def emit_first_alike(emitter: Emitter, expr: e.Apply) -> Code:
    """Return the code that finds the first piece equal to a given one in constants, attributes and place."""
    if "first_alike" not in emitter.functions:
        _write_first_alike(emitter)
    return call("first_alike", emitter.emit_value(expr.operands[0]))


def _write_first_alike(emitter: Emitter) -> None:
    pieces = emitter.layout.ruleset.kinds["piece"]
    classes = emitter.layout.ruleset.classes
    constants = [n for n in pieces.attributes if e.Slot("piece", n) not in emitter.layout.columns]
    marks: dict[object, int] = {}
    numbers: list[int] = []
    for number, piece in enumerate(pieces.things):
        is_alike = piece.cls is not None and classes[piece.cls].alike
        key: object = (piece.cls, *(piece.values.get(n) for n in constants)) if is_alike else number
        numbers.append(marks.setdefault(key, len(marks)))
    cell, _ = place_static_cell(emitter, tuple(numbers), t.INT)
    with emitter.begin_function("first_alike", [("p", "i32")], "i32"):
        test: Code = ("i64.eq", emit_load(cell, get("q")), emit_load(cell, get("p")))
        for slot, column in emitter.layout.columns.items():
            if slot.kind == "piece":
                same = emit_equality(emitter, column.type, emit_load(column, get("q")), emit_load(column, get("p")))
                test = select_value("i32", test, same, c32(0))
        emitter.write_statements("q = 0\nwhile lt_s(q, p) and not IS_ALIKE: q += 1\nreturn q", IS_ALIKE=test)


def emit_not(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code for the negation of a flag."""
    return ("i32.eqz", emitter.emit_value(expr.operands[0]))


APPLY: dict[str, Callable[[Emitter, e.Apply], Code]] = {
    "not": emit_not,
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), emit_comparison),
    **dict.fromkeys(("add", "sub", "mul", "neg", "div", "widen", "remainder"), emit_arithmetic),
    **dict.fromkeys(("floor", "ceil", "near", "floor_div", "ceil_div", "near_div"), emit_arithmetic),
    "abs": emit_absolute,
    "min_of": emit_extreme,
    "max_of": emit_extreme,
    "offset": emit_offset,
    "is_missing": emit_is_missing,
    "is_arm": emit_is_arm,
    "arm_number": emit_arm_number,
    "first_alike": emit_first_alike,
}
