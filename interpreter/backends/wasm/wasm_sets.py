"""Sets and lists as WebAssembly: folds, and the building of collections."""

from __future__ import annotations

from interpreter.backends.wasm.assembly.code_builder import (
    TRAP,
    add32,
    c32,
    c64,
    call,
    const,
    extend,
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
from interpreter.backends.wasm.memory_layout import Cell, NotEncodableError, is_compound, missing, register
from interpreter.backends.wasm.wasm_expressions import as_word, load
from interpreter.backends.wasm.wasm_iteration import each, is_occupation, is_unordered, item_type, over, words_of
from interpreter.backends.wasm.wasm_sorting import sorter
from interpreter.ir import expression_records as e
from interpreter.model import types as t
from interpreter.runtime.limits import LIMITS

# --- folds ---------------------------------------------------------------------------------------------


def fold(x: Emitter, expr: e.Fold) -> Code:
    """Return code for the value of a fold."""
    if expr.extreme is not None:
        return _fold_of_extremes(x, expr)
    match expr.sort:
        case "any" | "no" | "every":
            return _quantifier(x, expr)
        case "count":
            return _count(x, expr)
        case "sum" | "min" | "max":
            return _reduction(x, expr)
    return collected(x, expr)


def _quantifier(x: Emitter, expr: e.Fold) -> Code:
    if expr.sort != "every" and is_occupation(expr):
        assert isinstance(expr.domain, e.PiecesAt)
        first = load(Cell(x.layout.first_at, 2, t.PIECE), x.val(expr.domain.place))
        return ("i32.ge_s" if expr.sort == "any" else "i32.lt_s", first, c32(0))
    out = x.w.label(expr.sort)
    found, otherwise = (1, 0) if expr.sort == "any" else (0, 1)

    def inside() -> Code:
        leave = seq(c32(found), ("br", out))
        if expr.sort != "every":
            return leave
        assert expr.result is not None
        return when(("i32.eqz", x.val(expr.result)), leave)

    loop = over(x, expr, inside, leaves=True)
    return ("block", out, "i32", loop, c32(otherwise))


def _count(x: Emitter, expr: e.Fold) -> Code:
    words = words_of(x, expr.domain.type)
    if expr.where is None:
        match expr.domain:
            case e.Const(tuple() as members):
                return c64(len(members))
            case e.Local() | e.Read() | e.Call() | e.GetField() | e.StaticItem():
                value = x.val(expr.domain)
                return call("set_count", value, c32(words)) if words else load64(value)
    n = x.w.local("count", "i64")
    loop = over(x, expr, lambda: put(n, ("i64.add", get(n), c64(1))))
    return seq(put(n, c64(0)), loop, get(n))


def _reduction(x: Emitter, expr: e.Fold) -> Code:
    """Return the code of a sum, minimum or maximum (missing for an empty collection)."""
    item = expr.result.type if expr.result is not None else item_type(expr.domain.type)
    kind = register(item)
    total, v = x.w.local(expr.sort, kind), x.w.local("value", kind)

    def inside() -> Code:
        value = get(expr.var) if expr.result is None else x.val(expr.result)
        if expr.sort == "sum":
            made: Code = ("i64.add", get(total), value)
            out: Code = ("i64.lt_s", ("i64.add", get(total), c64(1 << 62)), c64(0))
            return seq(put(total, made), when(out, TRAP))
        op = "lt_s" if expr.sort == "min" else "gt_s"
        is_first: Code = (f"{kind}.eq", get(total), const(kind, missing(item)))
        better: Code = ("i32.or", is_first, (f"{kind}.{op}", get(v), get(total)))
        return seq(put(v, value), when(better, put(total, get(v))))

    start = const(kind, 0 if expr.sort == "sum" else missing(item))
    return seq(put(total, start), over(x, expr, inside), get(total))


def capacity(x: Emitter, domain: e.Expr) -> int | None:
    """Return the maximum number of members of a domain, or None if unknown."""
    if words := words_of(x, domain.type):
        return 64 * words
    match domain:
        case e.Const(tuple() as members):
            return len(members)
        case e.Fold(domain=inner):
            return capacity(x, inner)
        case e.Apply("range", (e.Const(int() as low), e.Const(int() as high))):
            return max(0, high - low + 1)
        case e.Apply("range"):
            return LIMITS.range
        case e.Apply("set" | "list", items):
            return len(items)
        case e.Let(body=inner) | e.Apply("as_list", (inner,)):
            return capacity(x, inner)
        case e.StaticItem(table=table):
            return max([len(v) for v in table.values if isinstance(v, tuple)], default=0)
    return None


def collected(x: Emitter, expr: e.Expr) -> Code:
    """Return code for a set or list made by iterating over it."""
    words = words_of(x, expr.type)
    x.w.allocates = True
    if words:
        made = x.w.local("set", "i32")
        if isinstance(expr, e.Fold) and expr.result is not None:
            result = expr.result
            loop = over(x, expr, lambda: call("put", get(made), x.val(result)))
        else:
            loop = each(x, expr, lambda v: call("put", get(made), v))
        return seq(put(made, call("new_set", c32(words))), loop, get(made))
    item = item_type(expr.type)
    made, n = x.w.local("list", "i32"), x.w.local("length", "i64")

    def add(value: Code) -> Code:
        at = add32(get(made), times(wrap(get(n)), 8))
        return seq(put(n, ("i64.add", get(n), c64(1))), store64(at, as_word(item, value)))

    begun: list[Code] = []
    source = expr.domain if isinstance(expr, e.Fold) else expr
    most = capacity(x, source)
    if most is None:
        held = x.w.local("domain", "i32")
        begun.append(put(held, x.val(source)))
        size = add32(times(wrap(load64(get(held))), 8), c32(8))
        given = e.Local(held, source.type, source.span)
        if isinstance(expr, e.Fold):
            expr = e.Fold(expr.sort, expr.var, given, expr.where, expr.result, None, None, expr.type, expr.span)
        else:
            expr = given
    else:
        size = c32(8 * most + 8)
    if isinstance(expr, e.Fold):
        fold_ = expr
        loop = over(x, fold_, lambda: add(get(fold_.var) if fold_.result is None else x.val(fold_.result)))
    else:
        loop = each(x, expr, add)
    limit = when(("i64.gt_s", get(n), c64(LIMITS.members)), TRAP)
    parts = [*begun, put(made, call("alloc", size)), put(n, c64(0)), loop, limit, store64(get(made), get(n))]
    if isinstance(expr, e.Fold) and expr.sort == "set" and is_unordered(expr):
        parts.append(call(sorter(x, item), get(made)))
    return seq(*parts, get(made))


def _fold_of_extremes(x: Emitter, expr: e.Fold) -> Code:
    """Return the code of a fold over the members with the least or greatest measure; all are measured first."""
    assert expr.measure is not None
    result = expr.result or e.Local(expr.var, item_type(expr.domain.type), expr.span)
    both = e.Fold("list", expr.var, expr.domain, expr.where, None, None, None, t.ListType(t.INT), expr.span)
    measure, value = register(expr.measure.type), register(result.type)
    best, rows, n = x.w.local("best", measure), x.w.local("rows", "i32"), x.w.local("n", "i32")
    x.w.allocates = True
    begun: list[Code] = []
    most = capacity(x, expr.domain)
    if most is None:
        held = x.w.local("domain", "i32")
        begun.append(put(held, x.val(expr.domain)))
        size = times(wrap(load64(get(held))), 16)
        given = e.Local(held, expr.domain.type, expr.span)
        both = e.Fold("list", expr.var, given, expr.where, None, None, None, t.ListType(t.INT), expr.span)
    else:
        size = c32(16 * most)
    op = "lt_s" if expr.extreme == "least" else "gt_s"
    m = x.w.local("measure", measure)
    if is_compound(expr.measure.type):
        raise NotEncodableError("a measure that is no number")

    def inside() -> Code:
        row = add32(get(rows), times(get(n), 16))
        assert expr.measure is not None
        better: Code = ("i32.or", ("i32.eqz", get(n)), (f"{measure}.{op}", get(m), get(best)))
        return seq(
            put(m, x.val(expr.measure)),
            when(better, put(best, get(m))),
            store64(row, as_word(expr.measure.type, get(m))),
            store64(row, as_word(result.type, x.val(result)), 8),
            put(n, add32(get(n), c32(1))),
        )

    measured = over(x, both, inside)
    k = x.w.local("k", "i32")
    at = add32(get(rows), times(get(k), 16))
    is_best: Code = (f"{measure}.eq", (f"{measure}.load", 0, at), get(best))
    body, start, end = _gathering(x, expr, result, (f"{value}.load", 8, at))
    turns = x.w.loop_until(("i32.ge_u", get(k), get(n)), when(is_best, body), put(k, add32(get(k), c32(1))))
    kept = turns
    return seq(*begun, put(rows, call("alloc", size)), put(n, c32(0)), measured, start, put(k, c32(0)), kept, end)


def _gathering(x: Emitter, expr: e.Fold, result: e.Expr, value: Code) -> tuple[Code, Code, Code]:
    """Return the code that handles each selected value, the code before the loop, and the value of the whole."""
    kind = register(result.type)
    words = words_of(x, expr.type) if expr.sort in ("set", "list") else 0
    if words:
        made = x.w.local("set", "i32")
        return call("put", get(made), value), put(made, call("new_set", c32(words))), get(made)
    if expr.sort in ("set", "list"):
        made, n = x.w.local("list", "i32"), x.w.local("length", "i32")
        at = add32(get(made), times(get(n), 8))
        add = seq(put(n, add32(get(n), c32(1))), store64(at, as_word(result.type, value)))
        # as many words as there are rows were taken before it
        start = seq(put(made, call("alloc", c32(8))), put(n, c32(0)))
        grow = seq(("drop", call("alloc", c32(8))), add)
        finish = seq(store64(get(made), extend(get(n))))
        ordered = call(sorter(x, result.type), get(made)) if expr.sort == "set" and is_unordered(expr) else seq()
        return grow, start, seq(finish, ordered, get(made))
    total = x.w.local(expr.sort, "i64" if expr.sort == "count" else kind)
    if expr.sort == "count":
        return put(total, ("i64.add", get(total), c64(1))), put(total, c64(0)), get(total)
    if expr.sort == "sum":
        made64: Code = ("i64.add", get(total), value)
        out: Code = ("i64.lt_s", ("i64.add", get(total), c64(1 << 62)), c64(0))
        return seq(put(total, made64), when(out, TRAP)), put(total, c64(0)), get(total)
    if expr.sort in ("min", "max"):
        v = x.w.local("value", kind)
        op = "lt_s" if expr.sort == "min" else "gt_s"
        is_first: Code = (f"{kind}.eq", get(total), const(kind, missing(result.type)))
        better: Code = ("i32.or", is_first, (f"{kind}.{op}", get(v), get(total)))
        step = seq(put(v, value), when(better, put(total, get(v))))
        return step, put(total, const(kind, missing(result.type))), get(total)
    raise NotEncodableError(f"`{expr.sort}` over extremes")
