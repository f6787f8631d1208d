"""Sets and lists as values in WebAssembly: membership, unions, members by number, collections written out."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.backends.wasm.assembly.code_builder import (
    add32,
    c32,
    c64,
    call,
    const,
    get,
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
from interpreter.backends.wasm.value_encoding import (
    NotEncodableError,
    get_missing_value,
    get_register_type,
    is_compound,
)
from interpreter.backends.wasm.wasm_expressions import emit_equality, emit_load, emit_word
from interpreter.backends.wasm.wasm_iteration import (
    count_words,
    emit_each,
    emit_each_of_value,
    emit_is_of_class,
    get_item_type,
)
from interpreter.backends.wasm.wasm_sets import emit_collection, get_sort_function
from interpreter.ir import expression_records as e
from interpreter.model import types as t
from interpreter.model.types import strip_maybe


def emit_pieces_at(emitter: Emitter, expr: e.PiecesAt) -> Code:
    """Return code for the pieces at a place as a set."""
    return emit_collection(emitter, expr)


def emit_membership(emitter: Emitter, expr: e.Apply) -> Code:
    """Return the code of a membership test."""
    item, many = expr.operands
    type_ = get_item_type(many.type)
    words = count_words(emitter, many.type)
    kind = get_register_type(item.type)
    v = emitter.w.create_local("item", kind)
    first = put(v, emitter.emit_value(item))
    if words:
        return seq(first, emit_is_member(emitter, get(v), many))
    if is_compound(type_):
        out = emitter.w.create_label("found")
        loop = emit_each(
            emitter,
            many,
            lambda m: when(emit_equality(emitter, type_, m, get(v)), seq(c32(1), ("br", out))),
            leaves=True,
        )
        return ("block", out, "i32", first, loop, c32(0))
    return seq(first, call("list_has", emitter.emit_value(many), emit_word(item.type, get(v))))


def emit_is_member(emitter: Emitter, member: Code, many: e.Expr) -> Code:
    """Return code that tests whether a thing is in a set, without building the set if that is safe.

    `member`: the local that holds the thing. `many`: the set.
    """
    match many:
        case e.Fold(sort="set", extreme=None, result=None, where=where) if not emitter.effects.get_effects(
            many
        ).may_fault:
            inner = emit_is_member(emitter, member, many.domain)
            if where is None:
                return inner
            emitter.w.get_local(many.var, "i32")
            return ("if", "i32", inner, seq(put(many.var, member), emitter.emit_scalar(where)), c32(0))
        case e.Let(name, value, body):
            emitter.w.get_local(name, get_register_type(value.type))
            return seq(put(name, emitter.emit_value(value)), emit_is_member(emitter, member, body))
        case e.Apply("union" | "minus", (one, other)):
            inside = [emit_is_member(emitter, member, part) for part in (one, other)]
            if many.op == "union":
                return ("i32.or", inside[0], inside[1])
            return ("i32.and", inside[0], ("i32.eqz", inside[1]))
        case e.Const(tuple() as members) if len(members) == emitter.layout.values.get_domain_size(
            get_item_type(many.type)
        ):
            return ("i32.ge_s", member, c32(0))
        case e.PiecesAt(cls, place):
            here: Code = ("i32.eq", emit_load(emitter.layout.columns[e.AT], member), emitter.emit_value(place))
            there: Code = ("i32.and", ("i32.ge_s", member, c32(0)), here)
            return there if cls is None else ("if", "i32", there, emit_is_of_class(emitter, cls, member), c32(0))
        case e.Apply("set", items) if len(items) <= 4:
            code: Code = c32(0)
            for item in items:
                same: Code = ("i32.eq", member, emitter.emit_value(item))
                code = same if code == c32(0) else ("i32.or", code, same)
            return code
    return emit_has_bit(
        emitter,
        emitter.emit_value(many),
        member,
        is_there=not isinstance(get_item_type(many.type), t.MaybeType) and is_local(member),
    )


def is_local(member: Code) -> bool:
    """Return whether code is just the value of a local."""
    return member[0] == "local.get"


def emit_has_bit(emitter: Emitter, bits: Code, member: Code, is_there: bool) -> Code:
    """Return code that tests whether a bit of a set is set; a missing member is in no set.

    `bits`: code for the set's address. `is_there`: the set has a bit for every member and the member's code is
    cheap to repeat, so the test is inline; else a function is called.
    """
    if not is_there:
        return call("has", bits, member)
    word = add32(times(("i32.shr_u", member, c32(6)), 8), bits)
    shifted: Code = ("i64.shr_u", load64(word), ("i64.extend_i32_u", member))
    inside: Code = ("i32.and", ("i32.wrap_i64", shifted), c32(1))
    return ("if", "i32", ("i32.ge_s", member, c32(0)), inside, c32(0))


def emit_union(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code for the union of two sets or the concatenation of two lists."""
    left, right = expr.operands
    words = count_words(emitter, expr.type)
    emitter.w.allocates = True
    if not words:
        if isinstance(strip_maybe(expr.type), t.ListType):
            return call("list_join", emitter.emit_value(left), emitter.emit_value(right))
        p = emitter.w.create_local("union", "i32")
        sort = call(get_sort_function(emitter, get_item_type(expr.type)), get(p))
        return seq(put(p, call("list_join", emitter.emit_value(left), emitter.emit_value(right))), sort, get(p))
    for single, rest in ((right, left), (left, right)):
        match single:
            case e.Apply("set", (item,)):
                s = emitter.w.create_local("set", "i32")
                copied = call("copied", emitter.emit_value(rest), c32(8 * words))
                return seq(put(s, copied), call("put", get(s), emitter.emit_value(item)), get(s))
    return call("set_or", emitter.emit_value(left), emitter.emit_value(right), c32(words))


def emit_difference(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code for the members of one collection that are not in the other."""
    left, right = expr.operands
    words = count_words(emitter, expr.type)
    emitter.w.allocates = True
    if words:
        return call("set_minus", emitter.emit_value(left), emitter.emit_value(right), c32(words))
    removed_local = emitter.w.create_local("gone", "i32")
    item = get_item_type(left.type)
    var = emitter.w.create_local("member", get_register_type(item))
    removed = e.Local(removed_local, right.type, expr.span)
    inside = e.Apply("in", (e.Local(var, item, expr.span), removed), t.FLAG, expr.span)
    fold = e.Fold(
        "list", var, left, e.Apply("not", (inside,), t.FLAG, expr.span), None, None, None, t.ListType(item), expr.span
    )
    return seq(put(removed_local, emitter.emit_value(right)), emit_collection(emitter, fold))


def emit_set(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code for a set whose members are given one by one."""
    words = count_words(emitter, expr.type)
    emitter.w.allocates = True
    if not words:
        set_local = emitter.w.create_local("set", "i32")
        listed = e.Apply("list", expr.operands, t.ListType(get_item_type(expr.type)), expr.span)
        return seq(
            put(set_local, emit_collection(emitter, listed)),
            call(get_sort_function(emitter, get_item_type(expr.type)), get(set_local)),
            get(set_local),
        )
    s = emitter.w.create_local("set", "i32")
    parts: list[Code] = []
    names = []
    for item in expr.operands:
        names.append(emitter.w.create_local("item", "i32"))
        parts.append(put(names[-1], emitter.emit_value(item)))
    puts = [call("put", get(s), get(name)) for name in names]
    return seq(*parts, put(s, call("new_set", c32(words))), *puts, get(s))


def emit_as_list(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code for the operand of `expr`, a set, as a list; a set already held as a list is used unchanged."""
    return (
        emit_collection(emitter, e.Apply("as_list", expr.operands, expr.type, expr.span))
        if count_words(emitter, expr.operands[0].type)
        else emitter.emit_value(expr.operands[0])
    )


def emit_first(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code for the first member of the operand of `expr`, or a missing value if the collection is empty."""
    (many,) = expr.operands
    kind = get_register_type(expr.type)
    out = emitter.w.create_label("first")
    loop = emit_each(emitter, many, lambda v: seq(v, ("br", out)), leaves=True)
    return ("block", out, kind, loop, const(kind, get_missing_value(expr.type)))


def emit_last(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code for the last member of the operand of `expr`, or a missing value if the collection is empty."""
    (many,) = expr.operands
    kind = get_register_type(expr.type)
    v = emitter.w.create_local("last", kind)
    return seq(put(v, const(kind, get_missing_value(expr.type))), emit_each(emitter, many, lambda m: put(v, m)), get(v))


def emit_item(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code for a member by its number, or a missing value if the number is out of range.

    The operands of `expr` are the collection and the number, which counts from 1.
    """
    many, number = expr.operands
    kind = get_register_type(expr.type)
    n, out = emitter.w.create_local("number", "i64"), emitter.w.create_label("item")
    left = put(n, ("i64.sub", get(n), c64(1)))
    loop = emit_each(emitter, many, lambda m: seq(left, when(("i64.eqz", get(n)), seq(m, ("br", out)))), leaves=True)
    return ("block", out, kind, put(n, emitter.emit_value(number)), loop, const(kind, get_missing_value(expr.type)))


def emit_take(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code for the first members of a collection; the operands are their number and the collection."""
    number, many = expr.operands
    words = count_words(emitter, expr.type)
    emitter.w.allocates = True
    if not words:
        n = emitter.w.create_local("number", "i64")
        return seq(put(n, emitter.emit_value(number)), call("list_take", emitter.emit_value(many), get(n)))
    s, left, out = (
        emitter.w.create_local("set", "i32"),
        emitter.w.create_local("left", "i64"),
        emitter.w.create_label("enough"),
    )

    def take(member: Code) -> Code:
        return seq(
            ("br_if", out, ("i64.le_s", get(left), c64(0))),
            call("put", get(s), member),
            put(left, ("i64.sub", get(left), c64(1))),
        )

    return seq(
        put(left, emitter.emit_value(number)),
        put(s, call("new_set", c32(words))),
        ("block", out, "", emit_each(emitter, many, take, leaves=True)),
        get(s),
    )


def emit_unique(emitter: Emitter, expr: e.Apply) -> Code:
    """Return code for the members of a list without duplicates, in order of first occurrence."""
    (many,) = expr.operands
    item = get_item_type(expr.type)
    if is_compound(item):
        raise NotEncodableError(f"a parameter of {item}")
    source, result, n = (
        emitter.w.create_local("many", "i32"),
        emitter.w.create_local("once", "i32"),
        emitter.w.create_local("n", "i64"),
    )
    emitter.w.allocates = True

    def keep(member: Code) -> Code:
        grown = seq(
            put(n, ("i64.add", get(n), c64(1))),
            store64(get(result), get(n)),
            store64(add32(get(result), times(wrap(get(n)), 8)), emit_word(item, member)),
        )
        return when(("i32.eqz", call("list_has", get(result), emit_word(item, member))), grown)

    size = add32(times(wrap(load64(get(source))), 8), c32(8))
    return seq(
        put(source, emitter.emit_value(many)),
        put(result, call("alloc", size)),
        store64(get(result), c64(0)),
        put(n, c64(0)),
        emit_each_of_value(emitter, many.type, get(source), keep),
        get(result),
    )


COLLECTION_OPERATIONS: dict[str, Callable[[Emitter, e.Apply], Code]] = {
    "in": emit_membership,
    "union": emit_union,
    "minus": emit_difference,
    "set": emit_set,
    "list": emit_collection,
    "range": emit_collection,
    "as_list": emit_as_list,
    "first": emit_first,
    "last": emit_last,
    "item": emit_item,
    "take": emit_take,
    "unique": emit_unique,
}
