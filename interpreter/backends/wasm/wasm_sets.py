"""Sets and lists as WebAssembly: folds, the building of collections, and sorting in canonical order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from interpreter.backends.wasm.assembly.code_builder import (
    TRAP,
    add32,
    c32,
    c64,
    call,
    const,
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
from interpreter.backends.wasm.emitter import Emitter, format_type_name
from interpreter.backends.wasm.memory_layout import MemoryColumn
from interpreter.backends.wasm.value_encoding import (
    NotEncodableError,
    get_missing_value,
    get_register_type,
    is_compound,
    is_wide,
)
from interpreter.backends.wasm.wasm_expressions import emit_equality, emit_load, emit_word
from interpreter.backends.wasm.wasm_iteration import (
    count_words,
    emit_each,
    emit_fold_loop,
    get_item_type,
    is_occupation,
    is_unordered,
)
from interpreter.ir import expression_records as e
from interpreter.model import types as t
from interpreter.model.types import strip_maybe
from interpreter.runtime.limits import LIMITS

# --- folds ---------------------------------------------------------------------------------------------


def emit_fold(emitter: Emitter, expr: e.Fold) -> Code:
    """Return code for the value of a fold."""
    if expr.extreme is not None:
        return _emit_extremes(emitter, expr)
    match expr.sort:
        case "any" | "no" | "every":
            return _emit_quantifier(emitter, expr)
        case "count":
            return _emit_count(emitter, expr)
        case "sum" | "min" | "max":
            return _emit_reduction(emitter, expr)
    return emit_collection(emitter, expr)


def _emit_quantifier(emitter: Emitter, expr: e.Fold) -> Code:
    if expr.sort != "every" and is_occupation(expr):
        assert isinstance(expr.domain, e.PiecesAt)
        first = emit_load(MemoryColumn(emitter.layout.first_at, 2, t.PIECE), emitter.emit_value(expr.domain.place))
        return ("i32.ge_s" if expr.sort == "any" else "i32.lt_s", first, c32(0))
    out = emitter.w.create_label(expr.sort)
    result, otherwise = (1, 0) if expr.sort == "any" else (0, 1)

    def inside() -> Code:
        leave = seq(c32(result), ("br", out))
        if expr.sort != "every":
            return leave
        assert expr.result is not None
        return when(("i32.eqz", emitter.emit_value(expr.result)), leave)

    loop = emit_fold_loop(emitter, expr, inside, leaves=True)
    return ("block", out, "i32", loop, c32(otherwise))


@dataclass(frozen=True, slots=True)
class Gathering:
    """Code that builds a value: before the first member, for each member, and for the result."""

    start: Code
    add: Callable[[Code], Code]
    whole: Code


def _gather(emitter: Emitter, expr: e.Expr, sort: str, item: t.Type, room: Code) -> Gathering:
    """Return how the members of a fold or collection are gathered.

    `sort`: the sort of the fold. `item`: the type of a member. `room`: code for the bytes that a list of them needs.
    """
    kind = get_register_type(item)
    if words := count_words(emitter, expr.type) if sort in ("set", "list") else 0:
        set_local = emitter.w.create_local("set", "i32")
        return Gathering(
            put(set_local, call("new_set", c32(words))), lambda v: call("put", get(set_local), v), get(set_local)
        )
    if sort in ("set", "list"):
        return _gather_list(emitter, item, room, isinstance(expr, e.Fold) and sort == "set" and is_unordered(expr))
    total = emitter.w.create_local(sort, "i64" if sort == "count" else kind)
    nothing = const(kind, get_missing_value(item)) if sort in ("min", "max") else c64(0)
    if sort == "count":
        return Gathering(put(total, nothing), lambda v: put(total, ("i64.add", get(total), c64(1))), get(total))
    v = emitter.w.create_local("value", kind)
    if sort == "sum":
        out: Code = ("i64.lt_s", ("i64.add", get(total), c64(1 << 62)), c64(0))
        return Gathering(
            put(total, nothing), lambda m: seq(put(total, ("i64.add", get(total), m)), when(out, TRAP)), get(total)
        )
    op = "lt_s" if sort == "min" else "gt_s"
    better: Code = ("i32.or", (f"{kind}.eq", get(total), nothing), (f"{kind}.{op}", get(v), get(total)))
    return Gathering(put(total, nothing), lambda m: seq(put(v, m), when(better, put(total, get(v)))), get(total))


def _gather_list(emitter: Emitter, item: t.Type, room: Code, is_sorted: bool) -> Gathering:
    """Return how members are gathered in a list.

    `item`: the type of a member. `room`: code for the bytes that the list needs. `is_sorted`: the members form a set
    and may come in any order, so the list is sorted at the end.
    """
    list_local, n = emitter.w.create_local("list", "i32"), emitter.w.create_local("length", "i64")

    def add(value: Code) -> Code:
        at = add32(get(list_local), times(wrap(get(n)), 8))
        return seq(put(n, ("i64.add", get(n), c64(1))), store64(at, emit_word(item, value)))

    limit = when(("i64.gt_s", get(n), c64(LIMITS.members)), TRAP)
    ordered = call(get_sort_function(emitter, item), get(list_local)) if is_sorted else seq()
    whole = seq(limit, store64(get(list_local), get(n)), ordered, get(list_local))
    return Gathering(seq(put(list_local, call("alloc", room)), put(n, c64(0))), add, whole)


def _emit_count(emitter: Emitter, expr: e.Fold) -> Code:
    words = count_words(emitter, expr.domain.type)
    if expr.where is None:
        match expr.domain:
            case e.Const(tuple() as members):
                return c64(len(members))
            case e.Local() | e.Read() | e.Call() | e.GetField() | e.StaticItem():
                value = emitter.emit_value(expr.domain)
                return call("set_count", value, c32(words)) if words else load64(value)
    return _emit_reduction(emitter, expr)


def _emit_reduction(emitter: Emitter, expr: e.Fold) -> Code:
    """Return the code of a count, sum, minimum or maximum (missing for an empty collection)."""
    item = expr.result.type if expr.result is not None else get_item_type(expr.domain.type)
    gathering = _gather(emitter, expr, expr.sort, item, c32(0))
    loop = emit_fold_loop(emitter, expr, lambda: gathering.add(_emit_member(emitter, expr)))
    return seq(gathering.start, loop, gathering.whole)


def _emit_member(emitter: Emitter, expr: e.Fold) -> Code:
    """Return code for the value that a fold uses for a member; no code for a count."""
    if expr.sort == "count":
        return seq()
    return get(expr.var) if expr.result is None else emitter.emit_value(expr.result)


def compute_max_members(emitter: Emitter, domain: e.Expr) -> int | None:
    """Return the maximum number of members of a domain, or None if unknown."""
    if words := count_words(emitter, domain.type):
        return 64 * words
    match domain:
        case e.Const(tuple() as members):
            return len(members)
        case e.Fold(domain=inner):
            return compute_max_members(emitter, inner)
        case e.Apply("range", (e.Const(int() as low), e.Const(int() as high))):
            return max(0, high - low + 1)
        case e.Apply("range"):
            return LIMITS.range
        case e.Apply("set" | "list", items):
            return len(items)
        case e.Let(body=inner) | e.Apply("as_list", (inner,)):
            return compute_max_members(emitter, inner)
        case e.StaticItem(table=table):
            return max([len(v) for v in table.values if isinstance(v, tuple)], default=0)
    return None


def _allocate_room(emitter: Emitter, domain: e.Expr, width: int, head: int) -> tuple[Code, e.Expr, Code]:
    """Return (code to run before an iteration, the domain to iterate over, code for the bytes of all its members).

    `width`: the bytes of a member. `head`: the bytes before the members.
    """
    most = compute_max_members(emitter, domain)
    if most is not None:
        return seq(), domain, c32(width * most + head)
    domain_local = emitter.w.create_local("domain", "i32")
    size = add32(times(wrap(load64(get(domain_local))), width), c32(head))
    return put(domain_local, emitter.emit_value(domain)), e.Local(domain_local, domain.type, domain.span), size


def emit_collection(emitter: Emitter, expr: e.Expr) -> Code:
    """Return code that builds the set or list of an expression member by member."""
    emitter.w.allocates = True
    sort = expr.sort if isinstance(expr, e.Fold) else "list"
    begun, room = seq(), c32(0)
    if not count_words(emitter, expr.type):
        if isinstance(expr, e.Fold):
            begun, domain, room = _allocate_room(emitter, expr.domain, 8, 8)
            expr = replace(expr, domain=domain)
        else:
            begun, expr, room = _allocate_room(emitter, expr, 8, 8)
    gathering = _gather(emitter, expr, sort, get_item_type(expr.type), room)
    if isinstance(expr, e.Fold):
        fold_ = expr
        loop = emit_fold_loop(emitter, fold_, lambda: gathering.add(_emit_member(emitter, fold_)))
    else:
        loop = emit_each(emitter, expr, gathering.add)
    return seq(begun, gathering.start, loop, gathering.whole)


def _emit_extremes(emitter: Emitter, expr: e.Fold) -> Code:
    """Return the code of a fold over the members with the least or greatest measure; all are measured first."""
    assert expr.measure is not None
    if is_compound(expr.measure.type):
        raise NotEncodableError("a measure that is not a number")
    result = expr.result or e.Local(expr.var, get_item_type(expr.domain.type), expr.span)
    type_, measured_expr = expr.measure.type, expr.measure
    measure, value = get_register_type(type_), get_register_type(result.type)
    best, m = emitter.w.create_local("best", measure), emitter.w.create_local("measure", measure)
    rows, n = emitter.w.create_local("rows", "i32"), emitter.w.create_local("n", "i32")
    emitter.w.allocates = True
    begun, domain, size = _allocate_room(emitter, expr.domain, 16, 0)
    op = "lt_s" if expr.extreme == "least" else "gt_s"

    def inside() -> Code:
        row = add32(get(rows), times(get(n), 16))
        better: Code = ("i32.or", ("i32.eqz", get(n)), (f"{measure}.{op}", get(m), get(best)))
        return seq(
            put(m, emitter.emit_value(measured_expr)),
            when(better, put(best, get(m))),
            store64(row, emit_word(type_, get(m))),
            store64(row, emit_word(result.type, emitter.emit_value(result)), 8),
            put(n, add32(get(n), c32(1))),
        )

    measured = emit_fold_loop(emitter, replace(expr, domain=domain), inside)
    gathering = _gather(emitter, expr, expr.sort, result.type, add32(times(get(n), 8), c32(8)))
    k = emitter.w.create_local("k", "i32")
    at = add32(get(rows), times(get(k), 16))
    is_best: Code = (f"{measure}.eq", (f"{measure}.load", 0, at), get(best))
    turns = emitter.w.emit_loop_until(
        ("i32.ge_u", get(k), get(n)),
        when(is_best, gathering.add((f"{value}.load", 8, at))),
        put(k, add32(get(k), c32(1))),
    )
    start = seq(begun, put(rows, call("alloc", size)), put(n, c32(0)), measured)
    return seq(start, gathering.start, put(k, c32(0)), turns, gathering.whole)


# --- canonical order ----------------------------------------------------------------------------------

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


def get_sort_function(emitter: Emitter, item: t.Type) -> str:
    """Return the name of the function that sorts a list in place and keeps each member once (insertion sort)."""
    name = "sort_unique_" + format_type_name(item)
    if name not in emitter.functions:
        with emitter.begin_function(name, [("p", "i32")], ""):
            if is_wide(item):
                member, word = load64(get("at")), get("word")
            else:
                member, word = load32(get("at")), get("value")
            is_ordered, is_equal = (
                emit_is_ordered(emitter, item, member, word),
                emit_equality(emitter, item, member, word),
            )
            emitter.write_statements(
                _SORT, COUNTED=emitter.emit_iteration_charge(), IS_ORDERED=is_ordered, IS_EQUAL=is_equal
            )
    return name


def emit_is_ordered(emitter: Emitter, item: t.Type, left: Code, right: Code) -> Code:
    """Return code that tests whether the member `left` comes before `right` or equals it."""
    if not is_compound(item):
        return (f"{get_register_type(item)}.le_s", left, right)
    return call(get_order_function(emitter, item), left, right)


def get_order_function(emitter: Emitter, type_: t.Type) -> str:
    """Return the name of the function that tests whether a record comes before another or equals it."""
    name = "ordered_" + format_type_name(type_)
    if name in emitter.functions:
        return name
    bare_type = strip_maybe(type_)
    if not isinstance(bare_type, t.RecordType) or isinstance(type_, t.MaybeType):
        raise NotEncodableError(f"an order of {type_}")
    with emitter.begin_function(name, [("a", "i32"), ("b", "i32")], "i32") as w:
        for k, (_, ft) in enumerate(emitter.layout.list_fields(bare_type.id)):
            left, right = (load64(get(p), 8 * k) if is_wide(ft) else load32(get(p), 8 * k) for p in ("a", "b"))
            differs: Code = ("i32.eqz", emit_equality(emitter, ft, left, right))
            w.append(when(differs, ("return", emit_is_ordered(emitter, ft, left, right))))
        w.append(c32(1))
    return name
