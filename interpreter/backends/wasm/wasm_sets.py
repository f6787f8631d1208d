"""Sets and lists as WebAssembly: iteration without making them where that is safe, folds, and collections."""

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
    seq,
    store64,
    times,
    when,
    wrap,
)
from interpreter.backends.wasm.assembly.encoding import Code
from interpreter.backends.wasm.emitter import Emitter
from interpreter.backends.wasm.memory_layout import (
    Cell,
    NotEncodableError,
    is_compound,
    is_wide,
    missing,
    present,
    register,
)
from interpreter.backends.wasm.wasm_expressions import as_word, item_value, linear_index, load
from interpreter.backends.wasm.wasm_sorting import sorter
from interpreter.ir import expression_records as e
from interpreter.model import types as t
from interpreter.model.expressions import Value
from interpreter.runtime.limits import LIMITS

Body = Callable[[Code], Code]  # of a member's value: the code that runs for it


def item_type(type_: t.Type) -> t.Type:
    """Return the type of the members of a collection."""
    held = present(type_)
    assert isinstance(held, t.SetType | t.ListType)
    return held.item or t.INT


def words_of(x: Emitter, type_: t.Type) -> int:
    """Return the words of a bit set; 0 for a list and for a set that is kept as one."""
    held = present(type_)
    return x.layout.set_words(held) if isinstance(held, t.SetType) else 0


def is_unordered(fold_: e.Fold) -> bool:
    """Tell whether the members of a set do not come in its order, or more than once."""
    return fold_.result is not None or not isinstance(present(fold_.domain.type), t.SetType)


# --- iteration ---------------------------------------------------------------------------------------


def each(x: Emitter, domain: e.Expr, body: Body, leaves: bool = False) -> Code:
    """Return code that runs `body` for each member, in order.

    Inner filters are evaluated on the way unless the body may leave early (`leaves`) and they may fault: then
    the faults of later members must be met first, so the collection is made beforehand.
    """
    if leaves and x.effects.of(domain).may_fault:
        return each_value(x, domain.type, x.val(domain), body)
    match domain:
        case e.Const(tuple() as members):
            return _each_constant(x, members, item_type(domain.type), body)
        case e.PiecesAt():
            return _each_piece_at(x, domain, body)
        case e.StaticItem(type=t.SetType() | t.ListType()) if is_row(domain):
            return _each_of_rows(x, (domain,), body)
        case e.Fold(sort="set" | "list", extreme=None) if domain.sort == "list" or not is_unordered(domain):
            return _each_of_fold(x, domain, body, leaves)
        case e.Apply("range", (low, high)):
            return _each_number(x, low, high, body)
        case e.Apply("list", items) | e.Apply("set", items) if domain.op == "list" or len(items) == 1:
            return _each_item(x, items, body)
        case e.Apply("as_list", (inner,)):
            return each(x, inner, body, leaves)
        case e.Apply("take", (number, inner)) if not x.effects.of(inner).may_fault:
            return _each_of_first(x, number, inner, body)
        case e.Apply("union", (e.StaticItem() as one, e.StaticItem() as other), t.ListType()) if is_row(one) and is_row(
            other
        ):
            return _each_of_rows(x, (one, other), body)
        case e.Let(name, value, inner):
            x.w.named(name, register(value.type))
            return seq(put(name, x.val(value)), each(x, inner, body, leaves))
    return each_value(x, domain.type, x.val(domain), body)


def each_value(x: Emitter, type_: t.Type, value: Code, body: Body) -> Code:
    """Return code that runs `body` for each member of a collection that is made."""
    words = words_of(x, type_)
    if words:
        return _each_bit(x, value, words, body)
    item = item_type(type_)
    p, left, v = x.w.local("at", "i32"), x.w.local("left", "i64"), x.w.local("member", register(item))
    out, loop = x.w.label("out"), x.w.label("members")
    turn = seq(
        ("br_if", out, ("i64.eqz", get(left))),
        put(v, item_value(item, get(p))),
        put(p, add32(get(p), c32(8))),
        put(left, ("i64.sub", get(left), c64(1))),
        body(get(v)),
        ("br", loop),
    )
    begun = seq(put(p, value), put(left, load64(get(p))), x.charged(get(left)))
    return seq(begun, ("block", out, "", ("loop", loop, "", turn)))


def _each_bit(x: Emitter, value: Code, words: int, body: Body) -> Code:
    bits, v = x.w.local("bits", "i64"), x.w.local("member", "i32")
    out, loop = x.w.label("out"), x.w.label("bits")
    rest: Code = ("i64.and", get(bits), ("i64.sub", get(bits), c64(1)))
    if words == 1:
        turn = seq(
            ("br_if", out, ("i64.eqz", get(bits))),
            put(v, ("i32.wrap_i64", ("i64.ctz", get(bits)))),
            put(bits, rest),
            body(get(v)),
            ("br", loop),
        )
        begun = seq(put(bits, load64(value)), x.charged(("i64.popcnt", get(bits))))
        return seq(begun, ("block", out, "", ("loop", loop, "", turn)))
    p, base = x.w.local("at", "i32"), x.w.local("base", "i32")
    outer, next_word = x.w.label("outer"), x.w.label("words")
    turn = seq(
        ("br_if", out, ("i64.eqz", get(bits))),
        put(v, add32(get(base), ("i32.wrap_i64", ("i64.ctz", get(bits))))),
        put(bits, rest),
        body(get(v)),
        ("br", loop),
    )
    word = seq(
        ("br_if", outer, ("i32.ge_u", get(base), c32(64 * words))),
        put(bits, load64(get(p))),
        x.charged(("i64.popcnt", get(bits))),
        ("block", out, "", ("loop", loop, "", turn)),
        put(p, add32(get(p), c32(8))),
        put(base, add32(get(base), c32(64))),
        ("br", next_word),
    )
    return seq(put(p, value), put(base, c32(0)), ("block", outer, "", ("loop", next_word, "", word)))


def _each_constant(x: Emitter, members: tuple[Value, ...], item: t.Type, body: Body) -> Code:
    if not members:
        return seq()
    encoded = [x.layout.encode(m, item) for m in members]
    kind = register(item)
    v, loop = x.w.local("member", kind), x.w.label("members")
    if encoded == list(range(encoded[0], encoded[-1] + 1)):
        turn = seq(
            body(get(v)),
            put(v, (f"{kind}.add", get(v), const(kind, 1))),
            ("br_if", loop, (f"{kind}.le_s", get(v), const(kind, encoded[-1]))),
        )
        return seq(x.charged(c64(len(members))), put(v, const(kind, encoded[0])), ("loop", loop, "", turn))
    width = 8 if kind == "i64" else 4
    at = x.layout.put(b"".join(m.to_bytes(width, "little", signed=True) for m in encoded))
    p = x.w.local("at", "i32")
    turn = seq(
        put(v, (f"{kind}.load", 0, get(p))),
        put(p, add32(get(p), c32(width))),
        body(get(v)),
        ("br_if", loop, ("i32.lt_u", get(p), c32(at + width * len(encoded)))),
    )
    return seq(x.charged(c64(len(members))), put(p, c32(at)), ("loop", loop, "", turn))


def _each_piece_at(x: Emitter, domain: e.PiecesAt, body: Body) -> Code:
    v, following = x.w.local("piece", "i32"), x.w.local("next", "i32")
    out, loop = x.w.label("out"), x.w.label("pieces")
    first, after = Cell(x.layout.first_at, 2, t.PIECE), Cell(x.layout.next_at, 2, t.PIECE)
    inner = body(get(v))
    if domain.cls is not None:
        inner = when(is_of_class(x, domain.cls, get(v)), inner)
    turn = seq(
        ("br_if", out, ("i32.lt_s", get(v), c32(0))),
        x.counted(),
        put(following, load(after, get(v))),
        inner,
        put(v, get(following)),
        ("br", loop),
    )
    return seq(put(v, load(first, x.val(domain.place))), ("block", out, "", ("loop", loop, "", turn)))


def is_of_class(x: Emitter, cls: str, piece: Code) -> Code:
    """Return whether a piece is of a class."""
    things = x.layout.ruleset.kinds["piece"].things
    return load(Cell(x.layout.put(bytes(thing.cls == cls for thing in things), 1), 1, t.FLAG), piece)


def is_row(domain: e.StaticItem) -> bool:
    """Tell whether the members of an element of a static table can lie one after the other."""
    held = present(domain.type)
    if not isinstance(held, t.SetType | t.ListType) or held.item is None or is_compound(held.item):
        return False
    return None not in domain.table.values


def _each_of_rows(x: Emitter, domains: tuple[e.StaticItem, ...], body: Body) -> Code:
    """Members of one element of a static table, or of two lists one after the other."""
    item = item_type(domains[0].type)
    width = 8 if is_wide(item) else 4
    kind = register(item)
    p, end, v = x.w.local("at", "i32"), x.w.local("end", "i32"), x.w.local("member", kind)
    out, loop = x.w.label("out"), x.w.label("row")

    def address(domain: e.StaticItem) -> Code:
        at = x.layout.placed(domain.table.name, "rows", lambda: _rows(x, domain.table, item, width))
        return ("i32.load", at, times(linear_index(x, domain.indices, domain.sizes), 4))

    turn = seq(
        ("br_if", out, ("i32.ge_u", get(p), get(end))),
        put(v, (f"{kind}.load", 8, get(p))),
        put(p, add32(get(p), c32(width))),
        body(get(v)),
        ("br", loop),
    )
    row = seq(
        put(end, load32(get(p))),
        x.charged(("i64.extend_i32_u", ("i32.shr_u", get(end), c32(3 if width == 8 else 2)))),
        put(end, add32(get(p), get(end))),
        ("block", out, "", ("loop", loop, "", turn)),
    )
    if len(domains) == 1:
        return seq(put(p, address(domains[0])), row)
    following, rows = x.w.local("next", "i32"), x.w.label("rows")
    again = when(get(following), seq(put(p, get(following)), put(following, c32(0)), ("br", rows)))
    first = [put(p, address(domains[0])), put(following, address(domains[1]))]
    return seq(*first, ("loop", rows, "", row, again))


def _each_of_first(x: Emitter, number: e.Expr, many: e.Expr, body: Body) -> Code:
    """Return the code that runs a body for the first N members of a collection."""
    left, enough = x.w.local("left", "i64"), x.w.label("enough")

    def inside(member: Code) -> Code:
        less = put(left, ("i64.sub", get(left), c64(1)))
        return seq(("br_if", enough, ("i64.le_s", get(left), c64(0))), less, body(member))

    return seq(put(left, x.val(number)), ("block", enough, "", each(x, many, inside, leaves=True)))


def _rows(x: Emitter, table: e.StaticTable, item: t.Type, width: int) -> int:
    """Return where the addresses of rows lie: the bytes of each row's members, then the members."""
    addresses = []
    for value in table.values:
        assert isinstance(value, tuple)
        members = [x.layout.encode(m, item) for m in value]
        raw = array("q" if width == 8 else "i", members).tobytes()
        addresses.append(x.layout.put(len(raw).to_bytes(8, "little") + raw))
    return x.layout.put(array("i", addresses).tobytes(), 4)


def _each_of_fold(x: Emitter, domain: e.Fold, body: Body, leaves: bool) -> Code:
    kind = register(item_type(domain.domain.type))
    x.w.named(domain.var, kind)

    def inside(member: Code) -> Code:
        if domain.result is None:
            inner = body(get(domain.var))
        else:
            made = x.w.local("made", register(domain.result.type))
            inner = seq(put(made, x.val(domain.result)), body(get(made)))
        if domain.where is not None:
            inner = when(x.val(domain.where), inner)
        return seq(put(domain.var, member), inner)

    return each(x, domain.domain, inside, leaves)


def _each_number(x: Emitter, low: e.Expr, high: e.Expr, body: Body) -> Code:
    v, last = x.w.local("number", "i64"), x.w.local("last", "i64")
    out, loop = x.w.label("out"), x.w.label("numbers")
    turn = seq(
        ("br_if", out, ("i64.gt_s", get(v), get(last))),
        body(get(v)),
        put(v, ("i64.add", get(v), c64(1))),
        ("br", loop),
    )
    too_long: Code = ("i64.ge_s", ("i64.sub", get(last), get(v)), c64(LIMITS.range))
    return seq(
        put(v, x.val(low)),
        put(last, x.val(high)),
        when(too_long, TRAP),
        when(("i64.ge_s", get(last), get(v)), x.charged(("i64.sub", get(last), get(v)))),
        ("block", out, "", ("loop", loop, "", turn)),
    )


def _each_item(x: Emitter, items: tuple[e.Expr, ...], body: Body) -> Code:
    """Members that are written one by one; all are evaluated first."""
    parts: list[Code] = []
    names = []
    for item in items:
        names.append(x.w.local("item", register(item.type)))
        parts.append(put(names[-1], x.val(item)))
    return seq(*parts, *(body(get(name)) for name in names))


# --- folds ---------------------------------------------------------------------------------------------


def fold(x: Emitter, expr: e.Fold) -> Code:
    """Return the value of a fold."""
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


def _over(x: Emitter, expr: e.Fold, inside: Callable[[], Code], leaves: bool = False) -> Code:
    """Return the loop of a fold: the member in its variable, `inside` where it is selected."""
    x.w.named(expr.var, register(item_type(expr.domain.type)))

    def turn(member: Code) -> Code:
        inner = inside()
        if expr.where is not None:
            inner = when(x.scalar(expr.where), inner)
        return seq(put(expr.var, member), inner)

    return each(x, expr.domain, turn, leaves)


def _quantifier(x: Emitter, expr: e.Fold) -> Code:
    out = x.w.label(expr.sort)
    found, otherwise = (1, 0) if expr.sort == "any" else (0, 1)

    def inside() -> Code:
        leave = seq(c32(found), ("br", out))
        if expr.sort != "every":
            return leave
        assert expr.result is not None
        return when(("i32.eqz", x.val(expr.result)), leave)

    loop = _over(x, expr, inside, leaves=True)
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
    loop = _over(x, expr, lambda: put(n, ("i64.add", get(n), c64(1))))
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
    return seq(put(total, start), _over(x, expr, inside), get(total))


def capacity(x: Emitter, domain: e.Expr) -> int | None:
    """Return the most members that a domain has, or None if that is not known."""
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
    """Return a set or list made by iterating over it."""
    words = words_of(x, expr.type)
    x.w.allocates = True
    if words:
        made = x.w.local("set", "i32")
        if isinstance(expr, e.Fold) and expr.result is not None:
            result = expr.result
            loop = _over(x, expr, lambda: call("put", get(made), x.val(result)))
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
        loop = _over(x, fold_, lambda: add(get(fold_.var) if fold_.result is None else x.val(fold_.result)))
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

    measured = _over(x, both, inside)
    k, loop, out = x.w.local("k", "i32"), x.w.label("kept"), x.w.label("out")
    at = add32(get(rows), times(get(k), 16))
    is_best: Code = (f"{measure}.eq", (f"{measure}.load", 0, at), get(best))
    body, start, end = _gathering(x, expr, result, (f"{value}.load", 8, at))
    turn = seq(
        ("br_if", out, ("i32.ge_u", get(k), get(n))),
        when(is_best, body),
        put(k, add32(get(k), c32(1))),
        ("br", loop),
    )
    kept = ("block", out, "", ("loop", loop, "", turn))
    return seq(*begun, put(rows, call("alloc", size)), put(n, c32(0)), measured, start, put(k, c32(0)), kept, end)


def _gathering(x: Emitter, expr: e.Fold, result: e.Expr, value: Code) -> tuple[Code, Code, Code]:
    """Return what is done with each value that is kept, what comes before, and the value of the whole."""
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
