"""Loops over the members of sets and lists as WebAssembly, without making the collection where that is safe."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from interpreter.backends.wasm.assembly.code_builder import (
    TRAP,
    add32,
    c32,
    c64,
    const,
    get,
    load32,
    load64,
    put,
    seq,
    times,
    when,
)
from interpreter.backends.wasm.assembly.encoding import Code
from interpreter.backends.wasm.emitter import Emitter
from interpreter.backends.wasm.memory_layout import MemoryColumn
from interpreter.backends.wasm.value_encoding import get_register_type, is_compound, is_wide
from interpreter.backends.wasm.wasm_expressions import emit_linear_index, emit_load, emit_load_item
from interpreter.backends.wasm.wasm_logic import is_cheap
from interpreter.ir import expression_records as e
from interpreter.model import types as t
from interpreter.model.expressions import Value
from interpreter.model.types import strip_maybe
from interpreter.runtime.limits import LIMITS

MemberCode = Callable[[Code], Code]  # of a member's value: the code that runs for it


def get_item_type(type_: t.Type) -> t.Type:
    """Return the type of the members of a collection type."""
    bare_type = strip_maybe(type_)
    assert isinstance(bare_type, t.SetType | t.ListType)
    return bare_type.item or t.INT


def count_words(emitter: Emitter, type_: t.Type) -> int:
    """Return the number of 64-bit words of a bit set; 0 for a list, and for a set stored as a list."""
    return emitter.layout.values.count_set_words(strip_maybe(type_))


def is_unordered(fold_: e.Fold) -> bool:
    """Return whether the members that a fold yields as a set may come out of order or more than once."""
    return fold_.result is not None or not isinstance(strip_maybe(fold_.domain.type), t.SetType)


# --- iteration ---------------------------------------------------------------------------------------


def emit_each(emitter: Emitter, domain: e.Expr, body: MemberCode, leaves: bool = False) -> Code:
    """Return code that runs `body` for each member, in order.

    Inner filters are evaluated inline. If the body may leave early (`leaves`) and the filters may fault, the
    collection is built first, so that the faults of later members occur.
    """
    if leaves and emitter.effects.get_effects(domain).may_fault:
        return emit_each_of_value(emitter, domain.type, emitter.emit_value(domain), body)
    match domain:
        case e.Const(tuple() as members):
            return _emit_each_constant(emitter, members, get_item_type(domain.type), body)
        case e.PiecesAt():
            return _emit_each_piece_at(emitter, domain, body)
        case e.StaticItem(type=t.SetType() | t.ListType()) if is_row(domain):
            return _emit_each_of_rows(emitter, (domain,), body)
        case e.Fold(sort="set" | "list", extreme=None) if domain.sort == "list" or not is_unordered(domain):
            return _emit_each_of_fold(emitter, domain, body, leaves)
        case e.Apply("range", (low, high)):
            return _emit_each_number(emitter, low, high, body)
        case e.Apply("list", items) | e.Apply("set", items) if domain.op == "list" or len(items) == 1:
            return _emit_each_item(emitter, items, body)
        case e.Apply("as_list", (inner,)):
            return emit_each(emitter, inner, body, leaves)
        case e.Apply("take", (number, inner)) if not emitter.effects.get_effects(inner).may_fault:
            return _emit_each_of_first(emitter, number, inner, body)
        case e.Apply("union", (e.StaticItem() as one, e.StaticItem() as other), t.ListType()) if is_row(one) and is_row(
            other
        ):
            return _emit_each_of_rows(emitter, (one, other), body)
        case e.Let(name, value, inner):
            emitter.w.get_local(name, get_register_type(value.type))
            return seq(put(name, emitter.emit_value(value)), emit_each(emitter, inner, body, leaves))
    return emit_each_of_value(emitter, domain.type, emitter.emit_value(domain), body)


def emit_each_of_value(emitter: Emitter, type_: t.Type, value: Code, body: MemberCode) -> Code:
    """Return code that runs `body` for each member of a collection. `value`: code for the collection's address."""
    words = count_words(emitter, type_)
    if words:
        return _emit_each_bit(emitter, value, words, body)
    item = get_item_type(type_)
    p, left, v = (
        emitter.w.create_local("at", "i32"),
        emitter.w.create_local("left", "i64"),
        emitter.w.create_local("member", get_register_type(item)),
    )
    turns = emitter.w.emit_loop_until(
        ("i64.eqz", get(left)),
        put(v, emit_load_item(item, get(p))),
        put(p, add32(get(p), c32(8))),
        put(left, ("i64.sub", get(left), c64(1))),
        body(get(v)),
    )
    begun = seq(put(p, value), put(left, load64(get(p))), emitter.emit_loop_charge(get(left)))
    return seq(begun, turns)


def _emit_each_bit(emitter: Emitter, value: Code, words: int, body: MemberCode) -> Code:
    bits, v = emitter.w.create_local("bits", "i64"), emitter.w.create_local("member", "i32")
    out, loop = emitter.w.create_label("out"), emitter.w.create_label("bits")
    rest: Code = ("i64.and", get(bits), ("i64.sub", get(bits), c64(1)))
    if words == 1:
        turn = seq(
            ("br_if", out, ("i64.eqz", get(bits))),
            put(v, ("i32.wrap_i64", ("i64.ctz", get(bits)))),
            put(bits, rest),
            body(get(v)),
            ("br", loop),
        )
        begun = seq(put(bits, load64(value)), emitter.emit_loop_charge(("i64.popcnt", get(bits))))
        return seq(begun, ("block", out, "", ("loop", loop, "", turn)))
    if words == 2:
        return _emit_each_bit_of_two(emitter, value, body)
    p, base = emitter.w.create_local("at", "i32"), emitter.w.create_local("base", "i32")
    turn = seq(
        ("br_if", out, ("i64.eqz", get(bits))),
        put(v, add32(get(base), ("i32.wrap_i64", ("i64.ctz", get(bits))))),
        put(bits, rest),
        body(get(v)),
        ("br", loop),
    )
    word = emitter.w.emit_loop_until(
        ("i32.ge_u", get(base), c32(64 * words)),
        put(bits, load64(get(p))),
        emitter.emit_loop_charge(("i64.popcnt", get(bits))),
        ("block", out, "", ("loop", loop, "", turn)),
        put(p, add32(get(p), c32(8))),
        put(base, add32(get(base), c32(64))),
    )
    return seq(put(p, value), put(base, c32(0)), word)


def _emit_each_bit_of_two(emitter: Emitter, value: Code, body: MemberCode) -> Code:
    """Return code that runs `body` for each member of a bit set of two words.

    It is a single loop, whose end is easier to predict. `value`: code for the set's address.
    """
    w = emitter.w
    p, low, high = w.create_local("at", "i32"), w.create_local("low", "i64"), w.create_local("high", "i64")
    bits, v, is_low = w.create_local("bits", "i64"), w.create_local("member", "i32"), w.create_local("is_low", "i32")
    out, loop = w.create_label("out"), w.create_label("bits")

    def pick(first: Code, second: Code) -> Code:
        return ("select", first, second, get(is_low))

    turn = seq(
        ("br_if", out, ("i64.eqz", ("i64.or", get(low), get(high)))),
        put(is_low, ("i64.ne", get(low), c64(0))),
        put(bits, pick(get(low), get(high))),
        put(v, add32(("i32.wrap_i64", ("i64.ctz", get(bits))), pick(c32(0), c32(64)))),
        put(bits, ("i64.and", get(bits), ("i64.sub", get(bits), c64(1)))),
        put(low, pick(get(bits), c64(0))),
        put(high, pick(get(high), get(bits))),
        body(get(v)),
        ("br", loop),
    )
    begun = seq(
        put(p, value),
        put(low, load64(get(p))),
        put(high, load64(get(p), 8)),
        emitter.emit_loop_charge(("i64.add", ("i64.popcnt", get(low)), ("i64.popcnt", get(high)))),
    )
    return seq(begun, ("block", out, "", ("loop", loop, "", turn)))


def _emit_each_constant(emitter: Emitter, members: tuple[Value, ...], item: t.Type, body: MemberCode) -> Code:
    if not members:
        return seq()
    encoded = [emitter.layout.encode(m, item) for m in members]
    kind = get_register_type(item)
    v, loop = emitter.w.create_local("member", kind), emitter.w.create_label("members")
    if encoded == list(range(encoded[0], encoded[-1] + 1)):
        turn = seq(
            body(get(v)),
            put(v, (f"{kind}.add", get(v), const(kind, 1))),
            ("br_if", loop, (f"{kind}.le_s", get(v), const(kind, encoded[-1]))),
        )
        return seq(
            emitter.emit_loop_charge(c64(len(members))), put(v, const(kind, encoded[0])), ("loop", loop, "", turn)
        )
    width = 8 if kind == "i64" else 4
    at = emitter.layout.put(b"".join(m.to_bytes(width, "little", signed=True) for m in encoded))
    p = emitter.w.create_local("at", "i32")
    turn = seq(
        put(v, (f"{kind}.load", 0, get(p))),
        put(p, add32(get(p), c32(width))),
        body(get(v)),
        ("br_if", loop, ("i32.lt_u", get(p), c32(at + width * len(encoded)))),
    )
    return seq(emitter.emit_loop_charge(c64(len(members))), put(p, c32(at)), ("loop", loop, "", turn))


def _emit_each_piece_at(emitter: Emitter, domain: e.PiecesAt, body: MemberCode) -> Code:
    v, following = emitter.w.create_local("piece", "i32"), emitter.w.create_local("next", "i32")
    first, after = MemoryColumn(emitter.layout.first_at, 2, t.PIECE), MemoryColumn(emitter.layout.next_at, 2, t.PIECE)
    inner = body(get(v))
    if domain.cls is not None:
        inner = when(emit_is_of_class(emitter, domain.cls, get(v)), inner)
    turns = emitter.w.emit_loop_until(
        ("i32.lt_s", get(v), c32(0)),
        emitter.emit_iteration_charge(),
        put(following, emit_load(after, get(v))),
        inner,
        put(v, get(following)),
    )
    return seq(put(v, emit_load(first, emitter.emit_value(domain.place))), turns)


def emit_is_of_class(emitter: Emitter, cls: str, piece: Code) -> Code:
    """Return code that tests whether a piece is of class `cls`."""
    things = emitter.layout.ruleset.kinds["piece"].things
    return emit_load(MemoryColumn(emitter.layout.put(bytes(thing.cls == cls for thing in things), 1), 1, t.FLAG), piece)


def is_row(domain: e.StaticItem) -> bool:
    """Return whether every element of a static table is a collection of single words, stored contiguously."""
    bare_type = strip_maybe(domain.type)
    if not isinstance(bare_type, t.SetType | t.ListType) or bare_type.item is None or is_compound(bare_type.item):
        return False
    return None not in domain.table.values


def _emit_each_of_rows(emitter: Emitter, domains: tuple[e.StaticItem, ...], body: MemberCode) -> Code:
    """Return code that runs `body` for each member of one element of a static table, or of two, one after the other."""
    item = get_item_type(domains[0].type)
    width = 8 if is_wide(item) else 4
    kind = get_register_type(item)
    p, end, v = (
        emitter.w.create_local("at", "i32"),
        emitter.w.create_local("end", "i32"),
        emitter.w.create_local("member", kind),
    )

    def address(domain: e.StaticItem) -> Code:
        at = emitter.layout.place_table(
            domain.table.name, "rows", lambda: _place_rows(emitter, domain.table, item, width)
        )
        return ("i32.load", at, times(emit_linear_index(emitter, domain.indices, domain.sizes), 4))

    turns = emitter.w.emit_loop_until(
        ("i32.ge_u", get(p), get(end)),
        put(v, (f"{kind}.load", 8, get(p))),
        put(p, add32(get(p), c32(width))),
        body(get(v)),
    )
    row = seq(
        put(end, load32(get(p))),
        emitter.emit_loop_charge(("i64.extend_i32_u", ("i32.shr_u", get(end), c32(3 if width == 8 else 2)))),
        put(end, add32(get(p), get(end))),
        turns,
    )
    if len(domains) == 1:
        return seq(put(p, address(domains[0])), row)
    following, rows = emitter.w.create_local("next", "i32"), emitter.w.create_label("rows")
    again = when(get(following), seq(put(p, get(following)), put(following, c32(0)), ("br", rows)))
    first = [put(p, address(domains[0])), put(following, address(domains[1]))]
    return seq(*first, ("loop", rows, "", row, again))


def _emit_each_of_first(emitter: Emitter, number: e.Expr, many: e.Expr, body: MemberCode) -> Code:
    """Return code that runs a body for the first members of a collection. `number`: how many."""
    left, enough = emitter.w.create_local("left", "i64"), emitter.w.create_label("enough")

    def inside(member: Code) -> Code:
        less = put(left, ("i64.sub", get(left), c64(1)))
        return seq(("br_if", enough, ("i64.le_s", get(left), c64(0))), less, body(member))

    return seq(
        put(left, emitter.emit_value(number)), ("block", enough, "", emit_each(emitter, many, inside, leaves=True))
    )


def _place_rows(emitter: Emitter, table: e.StaticTable, item: t.Type, width: int) -> int:
    """Return the address of a table of the addresses of rows: the byte length of each row, then its members.

    `item`: the type of a member. `width`: its bytes.
    """
    addresses = []
    for value in table.values:
        assert isinstance(value, tuple)
        members = [emitter.layout.encode(m, item) for m in value]
        raw = array("q" if width == 8 else "i", members).tobytes()
        addresses.append(emitter.layout.put(len(raw).to_bytes(8, "little") + raw))
    return emitter.layout.put(array("i", addresses).tobytes(), 4)


def _emit_each_of_fold(emitter: Emitter, domain: e.Fold, body: MemberCode, leaves: bool) -> Code:
    kind = get_register_type(get_item_type(domain.domain.type))
    emitter.w.get_local(domain.var, kind)

    def inside(member: Code) -> Code:
        if domain.result is None:
            inner = body(get(domain.var))
        else:
            result = emitter.w.create_local("made", get_register_type(domain.result.type))
            inner = seq(put(result, emitter.emit_value(domain.result)), body(get(result)))
        if domain.where is not None:
            inner = emit_guard(emitter, domain.where, inner)
        return seq(put(domain.var, member), inner)

    return emit_each(emitter, domain.domain, inside, leaves)


def _emit_each_number(emitter: Emitter, low: e.Expr, high: e.Expr, body: MemberCode) -> Code:
    v, last = emitter.w.create_local("number", "i64"), emitter.w.create_local("last", "i64")
    turns = emitter.w.emit_loop_until(
        ("i64.gt_s", get(v), get(last)), body(get(v)), put(v, ("i64.add", get(v), c64(1)))
    )
    too_long: Code = ("i64.ge_s", ("i64.sub", get(last), get(v)), c64(LIMITS.range))
    return seq(
        put(v, emitter.emit_value(low)),
        put(last, emitter.emit_value(high)),
        when(too_long, TRAP),
        when(("i64.ge_s", get(last), get(v)), emitter.emit_loop_charge(("i64.sub", get(last), get(v)))),
        turns,
    )


def _emit_each_item(emitter: Emitter, items: tuple[e.Expr, ...], body: MemberCode) -> Code:
    """Return code that runs a body for each of some members; all are evaluated first."""
    parts: list[Code] = []
    names = []
    for item in items:
        names.append(emitter.w.create_local("item", get_register_type(item.type)))
        parts.append(put(names[-1], emitter.emit_value(item)))
    return seq(*parts, *(body(get(name)) for name in names))


# --- loops with a test ---------------------------------------------------------------------------------


def emit_guard(emitter: Emitter, test: e.Expr, body: Code) -> Code:
    """Return code that runs a body if a test holds; a test that is a loop jumps past the body from inside.

    no(x in pieces at h where owner[x] == s)     block skip
        body                                         loop: br skip where owner[x] == s
                                                     body
    """
    skip = emitter.w.create_label("skip")
    return ("block", skip, "", _emit_leave_unless(emitter, test, skip), body)


def _emit_leave_unless(emitter: Emitter, test: e.Expr, skip: str) -> Code:
    """Return code that jumps to the label `skip` unless a test holds."""
    match test:
        case e.Logic("and", operands) if not any(
            is_cheap(emitter, operand, operands[:number]) for number, operand in enumerate(operands) if number
        ):
            return seq(*(_emit_leave_unless(emitter, operand, skip) for operand in operands))
        case e.Fold(sort="any" | "no", extreme=None) if not is_occupation(test):
            before, emitter.w.allocates = emitter.w.allocates, False
            if test.sort == "no":
                code = emit_fold_loop(emitter, test, lambda: ("br", skip), leaves=True)
            else:
                found_label = emitter.w.create_label("found")
                code = (
                    "block",
                    found_label,
                    "",
                    emit_fold_loop(emitter, test, lambda: ("br", found_label), leaves=True),
                    ("br", skip),
                )
            allocated, emitter.w.allocates = emitter.w.allocates, before
            if not allocated:
                return code
    return ("br_if", skip, ("i32.eqz", emitter.emit_scalar(test)))


def is_occupation(expr: e.Fold) -> bool:
    """Return whether a quantifier only tests that a place contains a piece."""
    return expr.where is None and isinstance(expr.domain, e.PiecesAt) and expr.domain.cls is None


def emit_fold_loop(emitter: Emitter, expr: e.Fold, inside: Callable[[], Code], leaves: bool = False) -> Code:
    """Return the loop of a fold, which runs `inside` for each selected member, with the member in its variable.

    `leaves`: the code of `inside` may leave the loop.
    """
    emitter.w.get_local(expr.var, get_register_type(get_item_type(expr.domain.type)))

    def turn(member: Code) -> Code:
        inner = inside()
        if expr.where is not None:
            inner = emit_guard(emitter, expr.where, inner)
        return seq(put(expr.var, member), inner)

    return emit_each(emitter, expr.domain, turn, leaves)
