"""Searches over the map and closures of relations: each is a function of the variables that its tests read."""

from __future__ import annotations

from interpreter.backends.wasm.assembly.code_builder import (
    TRAP,
    Writer,
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
    store32,
    store64,
    times,
    when,
)
from interpreter.backends.wasm.assembly.encoding import Code
from interpreter.backends.wasm.emitter import Emitter
from interpreter.backends.wasm.value_encoding import NotEncodableError, get_missing_value, get_register_type, is_wide
from interpreter.backends.wasm.wasm_collections import emit_has_bit
from interpreter.backends.wasm.wasm_iteration import count_words, emit_each, emit_each_of_value, get_item_type
from interpreter.ir import expression_records as e
from interpreter.model import types as t
from interpreter.model.types import strip_maybe

FreeVariables = list[tuple[str, t.Type]]
_PLACES = t.SetType(t.PLACE)


def list_free_variables(emitter: Emitter, *exprs: e.Expr | None) -> FreeVariables:
    """Return (name, type) of each free variable of some expressions."""
    variables: dict[str, t.Type] = {}
    for expr in exprs:
        if expr is not None:
            names = e.find_free_names(expr)
            variables.update(
                {n.name: n.type for n in e.list_descendants(expr) if isinstance(n, e.Local) and n.name in names}
            )
    return list(variables.items())


def emit_bits(emitter: Emitter, places: e.Expr) -> Code:
    """Return code for the address of a bit set of the places in a set or list."""
    words = count_words(emitter, places.type)
    if words:
        return emitter.emit_value(places)
    s = emitter.w.create_local("places", "i32")
    emitter.w.allocates = True
    size = (emitter.layout.places + 63) // 64
    loop = emit_each(emitter, places, lambda v: call("put", get(s), v))
    return seq(put(s, call("new_set", c32(max(1, size)))), loop, get(s))


def emit_search(emitter: Emitter, expr: e.Search) -> Code:
    """Return the code that calls the function of a search."""
    captured = [g for g in list_free_variables(emitter, expr.where, expr.cost) if g[0] not in (expr.var, expr.previous)]
    name = f"search_{len(emitter.functions)}"
    spent: t.Type = t.INT if expr.cost is None else expr.cost.type
    params = [("@start", "i32"), ("@goal", "i32"), ("@within", get_register_type(spent))]
    params += [(n, get_register_type(ty)) for n, ty in captured]
    result = get_register_type(expr.type)
    with emitter.begin_function(name, params, result):
        if expr.cost is None:
            _write_rings(emitter, expr)
        else:
            _write_dijkstra(emitter, expr, spent)
    emitter.w.allocates = emitter.w.allocates or expr.sort != "distance"
    goal = c32(0) if expr.goal is None else emit_bits(emitter, expr.goal)
    within = const(get_register_type(spent), 0) if expr.within is None else emitter.emit_value(expr.within)
    return call(
        name, emit_bits(emitter, expr.start), goal, within, *(emitter.emit_variable(n, ty) for n, ty in captured)
    )


def place_neighbour_table(emitter: Emitter) -> int:
    """Return the address of a table that holds, for each place, the address of its list of neighbours.

    A list holds the number of neighbours, then their handles; every entry is a 32-bit word.
    """
    kinds = emitter.layout.ruleset.kinds
    around: list[set[int]] = [set() for _ in kinds["place"].things]
    for edge in kinds["edge"].things:
        start, end = edge.ends or (0, 0)
        around[start].add(end)
        around[end].add(start)
    rows = [sorted(near) for near in around]
    addresses = [emitter.layout.put(b"".join(v.to_bytes(4, "little") for v in (len(row), *row)), 4) for row in rows]
    return emitter.layout.put(b"".join(a.to_bytes(4, "little") for a in addresses), 4)


def _emit_each_neighbour(emitter: Emitter, w: Writer, place: Code, body: Code, neighbour: str) -> Code:
    """Return a loop that runs `body` for the neighbours of a place. `neighbour`: the local that receives each."""
    p, left = w.create_local("at", "i32"), w.create_local("left", "i32")
    out, loop = w.create_label("around"), w.create_label("near")
    turn = seq(
        ("br_if", out, ("i32.eqz", get(left))),
        put(p, add32(get(p), c32(4))),
        put(left, ("i32.sub", get(left), c32(1))),
        put(neighbour, load32(get(p))),
        emitter.emit_iteration_charge(),
        body,
        ("br", loop),
    )
    return seq(
        put(p, ("i32.load", place_neighbour_table(emitter), times(place, 4))),
        put(left, load32(get(p))),
        ("block", out, "", ("loop", loop, "", turn)),
    )


def _write_begin(emitter: Emitter, w: Writer) -> tuple[str, int]:
    """Emit code that saves the arena position; return its local, and the size in bytes of a set of places."""
    mark = w.create_local("mark", "i32")
    w.append(put(mark, ("global.get", "arena")), emitter.emit_budget_check())
    return mark, 8 * max(1, (emitter.layout.places + 63) // 64)


def _write_rings(emitter: Emitter, expr: e.Search) -> None:
    """Emit a breadth-first search ring by ring that checks each ring for goals before expanding it."""
    w = emitter.w
    mark, size = _write_begin(emitter, w)
    seen, queue, tail, ring, end, k, spent = (
        w.create_local(n, "i32") for n in ("seen", "queue", "tail", "ring", "end", "k", "spent")
    )
    here, other = w.get_local(expr.previous, "i32"), w.get_local(expr.var, "i32")
    keeps_way = expr.sort == "path"
    before = w.create_local("before", "i32")
    w.append(put(seen, call("new_set", c32(size // 8))), put(queue, call("alloc", c32(4 * emitter.layout.places + 8))))
    if keeps_way:
        w.append(put(before, call("alloc", c32(4 * emitter.layout.places))))

    def push(place: Code, came: Code) -> Code:
        stores = [call("put", get(seen), place), store32(add32(get(queue), times(get(tail), 4)), place)]
        if keeps_way:
            stores.append(store32(add32(get(before), times(place, 4)), came))
        return seq(*stores, put(tail, add32(get(tail), c32(1))))

    w.append(put(tail, c32(0)), emit_each_of_value(emitter, _PLACES, get("@start"), lambda v: push(v, c32(-1))))
    at_k = load32(add32(get(queue), times(get(k), 4)))
    done, rings = w.create_label("done"), w.create_label("rings")
    parts: list[Code] = [put(end, get(tail))]
    if expr.goal is not None:
        found_label = w.create_label("found")
        look, out = w.create_label("look"), w.create_label("looked")
        turn = seq(
            ("br_if", out, ("i32.ge_u", get(k), get(end))),
            put(here, at_k),
            ("br_if", found_label, emit_has_bit(emitter, get("@goal"), get(here), True)),
            put(k, add32(get(k), c32(1))),
            ("br", look),
        )
        not_found: Code = ("br", f"{found_label}.not")
        inner = ("block", found_label, "", put(k, get(ring)), ("block", out, "", ("loop", look, "", turn)), not_found)
        parts.append(
            ("block", f"{found_label}.not", "", inner, _emit_answer(emitter, w, expr, mark, spent, here, before))
        )
    parts.append(put(spent, add32(get(spent), c32(1))))
    if expr.within is not None:
        parts.append(("br_if", done, ("i64.gt_s", extend(get(spent)), get("@within"))))
    test: Code = ("i32.eqz", emit_has_bit(emitter, get(seen), get(other), True))
    enter = push(get(other), get(here))
    if expr.where is not None:
        enter = when(emitter.emit_value(expr.where), enter)
    expand, expanded = w.create_label("expand"), w.create_label("expanded")
    turn = seq(
        ("br_if", expanded, ("i32.ge_u", get(k), get(end))),
        put(here, at_k),
        _emit_each_neighbour(emitter, w, get(here), when(test, enter), other),
        put(k, add32(get(k), c32(1))),
        ("br", expand),
    )
    parts += [
        put(k, get(ring)),
        ("block", expanded, "", ("loop", expand, "", turn)),
        put(ring, get(end)),
        ("br_if", rings, ("i32.lt_u", get(ring), get(tail))),
    ]
    w.append(put(ring, c32(0)), put(spent, c32(0)))
    nothing: Code = ("br_if", done, ("i32.eqz", get(tail)))
    w.append(("block", done, "", nothing, ("loop", rings, "", *parts)))
    _write_end(emitter, w, expr, mark, seen)


def _emit_answer(emitter: Emitter, w: Writer, expr: e.Search, mark: str, spent: str, here: str, before: str) -> Code:
    """Return code that returns the result of a search that has found its goal.

    `mark`: the local with the saved arena position. `spent`: the local with the cost. `here`: the local with the goal.
    `before`: the local with the address of the table that holds the previous place of each place on the path.
    """
    if expr.sort == "distance":
        cost = extend(get(spent)) if expr.cost is None else get(spent)
        return seq(("global.set", "arena", get(mark)), ("return", cost))
    n, p, k = w.create_local("length", "i32"), w.create_local("path", "i32"), w.create_local("step", "i32")
    count, counted, fill, filled = (w.create_label(hint) for hint in ("count", "counted", "fill", "filled"))
    back = put(k, load32(add32(get(before), times(get(k), 4))))
    counting = seq(("br_if", counted, ("i32.lt_s", get(k), c32(0))), put(n, add32(get(n), c32(1))), back, ("br", count))
    at = add32(get(p), times(get(n), 8))
    filling = seq(
        ("br_if", filled, ("i32.lt_s", get(k), c32(0))),
        store64(at, extend(get(k))),
        put(n, ("i32.sub", get(n), c32(1))),
        back,
        ("br", fill),
    )
    return seq(
        put(k, get(here)),
        put(n, c32(0)),
        ("block", counted, "", ("loop", count, "", counting)),
        put(p, call("alloc", add32(times(get(n), 8), c32(8)))),
        store64(get(p), extend(get(n))),
        put(k, get(here)),
        ("block", filled, "", ("loop", fill, "", filling)),
        ("return", get(p)),
    )


def _write_end(emitter: Emitter, w: Writer, expr: e.Search, mark: str, visited: str) -> None:
    """Emit the result of a search that has found no goal, or has none.

    `mark`: the local with the saved arena position. `visited`: the local with the set of places reached.
    """
    if expr.sort == "reach":
        w.append(get(visited))
        return
    kind = get_register_type(expr.type)
    w.append(("global.set", "arena", get(mark)), const(kind, get_missing_value(expr.type)))


def _write_dijkstra(emitter: Emitter, expr: e.Search, cost_type: t.Type) -> None:
    """Emit a Dijkstra search with a heap of (cost, place, previous place).

    A path that costs more than a known one to the same place is dropped.
    """
    w = emitter.w
    if not is_wide(cost_type) or isinstance(cost_type, t.MaybeType):
        raise NotEncodableError("a cost that is not a number")
    mark, size = _write_begin(emitter, w)
    done, heap, n = (w.create_local(hint, "i32") for hint in ("done", "heap", "n"))
    spent, key, new = w.create_local("spent", "i64"), w.create_local("key", "i64"), w.create_local("new", "i64")
    here, neighbour = w.get_local(expr.previous, "i32"), w.get_local(expr.var, "i32")
    before = w.create_local("before", "i32")
    keeps_way = expr.sort == "path"
    links = 2 * len(emitter.layout.ruleset.kinds["edge"].things)
    w.append(
        put(done, call("new_set", c32(size // 8))),
        put(heap, call("alloc", c32(16 * (links + emitter.layout.places + 1)))),
    )
    if keeps_way:
        w.append(put(before, call("alloc", c32(4 * emitter.layout.places))))
    best = w.create_local("best", "i32")
    w.append(put(best, call("alloc", c32(8 * emitter.layout.places))))
    w.append(("memory.fill", get(best), c32(0x7F), c32(8 * emitter.layout.places)))  # more than any cost

    def push(cost: Code, place: Code, came: Code) -> Code:
        packed: Code = ("i64.or", ("i64.shl", extend(place), c64(32)), ("i64.extend_i32_u", add32(came, c32(1))))
        return seq(call("heap_push", get(heap), get(n), cost, packed), put(n, add32(get(n), c32(1))))

    w.append(put(n, c32(0)), emit_each_of_value(emitter, _PLACES, get("@start"), lambda v: push(c64(0), v, c32(-1))))
    out, again = w.create_label("out"), w.create_label("again")
    assert expr.cost is not None
    enter = seq(
        put(new, emitter.emit_value(expr.cost)),
        when(("i64.lt_s", get(new), c64(0)), TRAP),
        put(new, ("i64.add", get(new), get(spent))),
        when(("i64.ge_s", get(new), c64(1 << 62)), TRAP),
    )
    best_cost = add32(get(best), times(get(neighbour), 8))
    is_better: Code = ("i64.le_s" if keeps_way else "i64.lt_s", get(new), load64(best_cost))
    pushed = when(is_better, seq(store64(best_cost, get(new)), push(get(new), get(neighbour), get(here))))
    if expr.within is not None:
        pushed = when(("i64.le_s", get(new), get("@within")), pushed)
    enter = seq(enter, pushed)
    if expr.where is not None:
        enter = when(emitter.emit_value(expr.where), enter)
    test: Code = ("i32.eqz", emit_has_bit(emitter, get(done), get(neighbour), True))
    parts: list[Code] = [
        ("br_if", out, ("i32.eqz", get(n))),
        put(spent, load64(get(heap))),
        put(key, load64(get(heap), 8)),
        call("heap_pop", get(heap), get(n)),
        put(n, ("i32.sub", get(n), c32(1))),
        put(here, ("i32.wrap_i64", ("i64.shr_s", get(key), c64(32)))),
        ("br_if", again, emit_has_bit(emitter, get(done), get(here), True)),
        call("put", get(done), get(here)),
    ]
    if keeps_way:
        came: Code = ("i32.sub", ("i32.wrap_i64", get(key)), c32(1))
        parts.append(store32(add32(get(before), times(get(here), 4)), came))
    if expr.goal is not None:
        answer = _emit_answer(emitter, w, expr, mark, spent, here, before)
        parts.append(when(emit_has_bit(emitter, get("@goal"), get(here), True), answer))
    parts += [_emit_each_neighbour(emitter, w, get(here), when(test, enter), neighbour), ("br", again)]
    w.append(("block", out, "", ("loop", again, "", *parts)))
    _write_end(emitter, w, expr, mark, done)


def emit_closure(emitter: Emitter, expr: e.Closure) -> Code:
    """Return code that calls the function of a closure, which finds the members connected directly or indirectly."""
    words = count_words(emitter, expr.type)
    if not words:
        raise NotEncodableError(f"a closure of {expr.type}")
    captured = [g for g in list_free_variables(emitter, expr.where) if g[0] not in (expr.first, expr.second)]
    item = get_item_type(expr.type)
    name = f"closure_{len(emitter.functions)}"
    around = strip_maybe(expr.everything.type)
    params = [("@start", "i32"), ("@around", "i32"), *((n, get_register_type(ty)) for n, ty in captured)]
    with emitter.begin_function(name, params, "i32") as w:
        members, stack, n = (w.create_local(hint, "i32") for hint in ("found", "stack", "n"))
        member, candidate = w.create_local("one", "i32"), w.create_local("other", "i32")
        first, second = w.get_local(expr.first, "i32"), w.get_local(expr.second, "i32")
        size = emitter.layout.values.get_domain_size(item)

        def add(value: Code) -> Code:
            return seq(
                call("put", get(members), value),
                store32(add32(get(stack), times(get(n), 4)), value),
                put(n, add32(get(n), c32(1))),
            )

        def joined(a: str, b: str) -> Code:
            return seq(put(first, get(a)), put(second, get(b)), emitter.emit_value(expr.where))

        def look(value: Code) -> Code:
            linked = select_value("i32", joined(member, candidate), c32(1), joined(candidate, member))
            test: Code = ("i32.eqz", emit_has_bit(emitter, get(members), get(candidate), True))
            return seq(put(candidate, value), when(test, when(linked, add(get(candidate)))))

        turns = w.emit_loop_until(
            ("i32.eqz", get(n)),
            put(n, ("i32.sub", get(n), c32(1))),
            put(member, load32(add32(get(stack), times(get(n), 4)))),
            emit_each_of_value(emitter, around, get("@around"), look),
        )
        w.append(
            put(members, call("new_set", c32(words))),
            put(stack, call("alloc", c32(4 * size + 4))),
            put(n, c32(0)),
            emit_each_of_value(
                emitter,
                strip_maybe(expr.start.type),
                get("@start"),
                lambda v: when(("i32.eqz", call("has", get(members), v)), add(v)),
            ),
            emitter.emit_budget_check(),
            turns,
            get(members),
        )
    emitter.w.allocates = True
    start = emitter.emit_value(expr.start)
    return call(name, start, emitter.emit_value(expr.everything), *(emitter.emit_variable(n, ty) for n, ty in captured))
