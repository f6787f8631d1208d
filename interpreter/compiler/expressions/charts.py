"""Charts, options, searches, records and shorter ways for builtins: checked expressions -> Python expressions.

The rarer half of the emitter's operations, as functions that take the emitter.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from interpreter.backends.python.layout import top_rung
from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.expressions.loops import once, part
from interpreter.compiler.optimising.flattening import Flattener, conjuncts
from interpreter.compiler.optimising.passes import CELLS, NARROWING, PARTITIONS, SPREADS
from interpreter.compiler.optimising.spreading.map_searches import spread_of
from interpreter.compiler.python_syntax import call_of, constant, expression, lambda_of, name, row, tuple_of
from interpreter.model import expressions as n, types as t
from interpreter.model.expressions import Core, free_names


def table(x: Emitter, core: n.LookUp) -> Any:
    """Compile a table lookup."""
    model = x.model.ruleset.tables[core.table]
    keys = x.many(core.axes)
    if x.instrument:
        return expression(
            "_look_covered(COVERAGE, _1, _2, _3)", constant(core.table), name("T_" + core.table), tuple_of(keys)
        )
    exact = all(
        a.sort == "keys" or (a.sort == "range" and a.below == "refuse" and a.above == "refuse") for a in model.axes
    ) and not any(isinstance(a, n.Operation) and a.name == "shifted" for a in core.axes)
    if exact and CELLS in x.passes:
        return expression("_1[_2]", name("CELLS_" + core.table), row(keys))
    return ast.Call(expression("_1.look", name("T_" + core.table)), keys, [])


def has_cell(x: Emitter, core: n.HasCell) -> Any:
    """Compile the test whether a chart has a cell."""
    keys = x.many(core.axes)
    if CELLS in x.passes and all(a.sort == "keys" for a in x.model.ruleset.tables[core.table].axes):
        return expression("_1.get(_2) is not None", name("CELLS_" + core.table), row(keys))
    return ast.Call(expression("_1.has", name("T_" + core.table)), keys, [])


def playing(x: Emitter, core: n.Playing) -> Any:
    """Compile the test whether an option is used, or its value."""
    index = list(x.model.ruleset.options).index(core.option)
    option = x.model.ruleset.options[core.option]
    if option.type == "split":
        return expression("G.options[_1] != ''", constant(index))
    return expression("G.options[_1]", constant(index))


def can_advance(x: Emitter, core: n.CanAdvance) -> Any:
    """Compile the test whether a higher rung may be reached."""
    if core.owner is None:
        current = expression(f"G.{x.layout.game[core.name]}")
    else:
        current = x.emit(n.AttributeOf(core.kind, core.name, core.owner, False, core.type, core.span))
    return expression("_1 < _2", current, top(x, core.kind, core.name, core.owner))


def top(x: Emitter, kind: str, attribute: str, owner: Core | None) -> Any:
    """Compile the highest rung that the owner of a ladder attribute may reach."""
    rs = x.model.ruleset
    declared = rs.game[attribute] if kind == "game" else rs.kinds[kind].attributes[attribute]
    top, index = top_rung(x.model, kind, declared)
    if index >= 0:
        return constant(index)
    if owner is None:
        return expression(f"G.{x.layout.game[top]}")
    column = x.layout.column_of(kind, top)
    if column is None:
        return expression("_1[_2]", name(x.layout.constants[(kind, top)]), x.emit(owner))
    return expression(f"G.{column}[_1]", x.emit(owner))


# --- searches --------------------------------------------------------------------------------


def search(x: Emitter, core: n.CheckedSearch) -> Any:
    """Compile a distance, a path, or a set of reachable places."""
    nothing = constant(None)

    def over(body: Core | None) -> Any:
        return nothing if body is None else function_of(x, [core.var, core.previous], body)

    is_shared = core.goal is not None and core in x.searches
    if SPREADS in x.passes and not x.alone and core.sort != "path" and x.is_safe(core):
        return _spread(x, core, is_shared)
    if core.goal is not None and is_shared:
        return _shared(x, core, core.goal, over(core.where), over(core.cost))
    return expression(
        f"_{core.sort}(LINKS, _1, _2, _3, _4, _5, G, _6)",
        x.emit(core.start),
        nothing if core.goal is None else x.emit(core.goal),
        nothing if core.within is None else x.emit(core.within),
        over(core.where),
        over(core.cost),
        constant(x.efforts.search_charge(core.where, core.cost)),
    )


def _spread(x: Emitter, core: n.CheckedSearch, is_shared: bool) -> Any:
    """Compile the call of a search function; a shared one continues from its previous state."""
    made = spread_of(x, core, is_shared)
    start, goal, within = (
        constant(None) if part is None else x.emit(part) for part in (core.start, core.goal, core.within)
    )
    given = [x.emit(n.CheckedLocal(used, t.INT, core.span)) for used in made.given]
    steps = constant(x.efforts.search_charge(core.where, core.cost))
    if made.is_flood and not is_shared:
        begun = call_of(made.name, name("G"), start, *given)
        return expression("_flooded(G, _1, _2, _3, _4)", begun, goal, within, steps)
    if not is_shared:
        return call_of(made.name, name("G"), start, goal, within, *given)
    key = tuple_of([start, *given])
    called = "_flooded_to" if made.is_flood else "_spread_to"
    return expression(f"{called}(G, _1, _2, _3, _4, _5)", constant(x.searches[core]), key, name(made.name), goal, steps)


def _shared(x: Emitter, core: n.CheckedSearch, goal: Core, where: Any, cost: Any) -> Any:
    """Compile a distance whose search is shared between goals while its inputs are unchanged."""
    names = frozenset[str]().union(*(free_names(part) for part in (core.where, core.cost) if part is not None))
    names -= {core.var, core.previous}
    key = tuple_of([x.emit(core.start), *(x.emit(n.CheckedLocal(used, t.INT, core.span)) for used in sorted(names))])
    return expression(
        "_shared_distance(G, _1, _2, _3, _4, _5, _6)",
        constant(x.searches[core]),
        key,
        where,
        cost,
        x.emit(goal),
        constant(x.efforts.search_charge(core.where, core.cost)),
    )


def closure(x: Emitter, core: n.CheckedClosure) -> Any:
    """Everything linked to a set."""
    related = function_of(x, [core.first, core.second], core.where)
    steps = constant(x.efforts.search_charge(core.where))
    everything = core.everything
    if isinstance(everything, n.Things) and everything.kind == "piece" and NARROWING in x.passes:
        tests = _tests(x, core.where) if x.is_safe(core.where) else []
        if any(_is_beside(test, core.first, core.second) for test in tests):
            of_class = f" if _u in IS_{everything.cls}" if everything.cls else ""
            beside = f"lambda _a: [_u for _p in NEIGHBOURS[G.at[_a]] for _u in G.occ[_p]{of_class}]"
            return expression(f"_closure_among(_1, {beside}, _2, G, _3)", x.emit(core.start), related, steps)
    if isinstance(everything, n.Things) and not x.alone and PARTITIONS in x.passes:
        for test in _tests(x, core.where):
            like = _same(x, test, core.first, core.second)
            if like is not None:
                around = expression("lambda _a: _1.get(_2[_a], ())", name(part(x, everything, like)), name(like))
                return expression("_closure_among(_1, _2, _3, G, _4)", x.emit(core.start), around, related, steps)
    return expression("_closure(_1, _2, _3, G, _4)", x.emit(core.start), x.emit(everything), related, steps)


def _tests(x: Emitter, where: Core) -> list[Core]:
    """Return the conditions for two things to be linked: those of a relation, or of the define that it is."""
    if (
        isinstance(where, n.CheckedCall)
        and where.sort == "define"
        and all(isinstance(a, n.CheckedLocal) for a in where.args)
    ):
        define = x.model.defines[where.name]
        given = {param: a for (param, _), a in zip(define.params, where.args, strict=True)}
        others = frozenset(x.model.defines) - {where.name}
        return conjuncts(Flattener(x.model, others, frozenset()).flat(where, given))
    return conjuncts(where)


def _is_beside(test: Core, first: str, second: str) -> bool:
    """Return whether a condition tests that two pieces are in adjacent places."""
    match test:
        case n.Operation(
            "linked",
            (
                n.AttributeOf("piece", "at", n.CheckedLocal(a), False),
                n.AttributeOf("piece", "at", n.CheckedLocal(b), False),
            ),
        ):
            return {a, b} == {first, second}
    return False


def _same(x: Emitter, test: Core, first: str, second: str) -> str | None:
    """Return the constant attribute that a condition requires to be equal for two things."""
    match test:
        case n.Operation(
            "==",
            (
                n.AttributeOf(kind, name, n.CheckedLocal(a), False),
                n.AttributeOf(other_kind, other_name, n.CheckedLocal(b), False),
            ),
        ):
            if (kind, name) == (other_kind, other_name) and {a, b} == {first, second}:
                return x.layout.constants.get((kind, name))
    return None


def function_of(x: Emitter, names: list[str], body: Core) -> Any:
    """Compile a function of some names that are bound in it alone."""
    outer = x.bound
    made = lambda_of([x.bind(word) for word in names], x.plainly(body))
    x.bound = outer
    return made


# --- records and the rest -----------------------------------------------------------------------


def record(x: Emitter, core: n.CheckedMakeRecord) -> Any:
    """Compile a record."""
    return tuple_of(x.many(core.items))


def field(x: Emitter, core: n.FieldAccess) -> Any:
    """Compile the access to a field of a record."""
    made = "_field(_1, _2)" if isinstance(core.record.type, t.MaybeType) else "_1[_2]"
    return expression(made, x.emit(core.record), constant(core.index))


def with_fields(x: Emitter, core: n.RecordUpdate) -> Any:
    """Compile a record with some fields changed."""
    pairs = tuple_of([tuple_of([constant(i), x.emit(v)]) for i, v in zip(core.indices, core.values, strict=True)])
    return expression("_with(_1, _2)", x.emit(core.record), pairs)


def end_of_all(x: Emitter, core: n.Things, last: bool) -> int | None:
    """Return the first or last thing of a kind, which is constant."""
    things = x.model.ruleset.kinds[core.kind].things
    handles = [i for i, thing in enumerate(things) if thing.holding is None and core.cls in (None, thing.cls)]
    if not handles:
        return None
    return handles[-1] if last else handles[0]


def of_several(x: Emitter, core: n.Operation) -> Any:
    """Compile the minimum or maximum of several numbers."""
    return call_of(core.name.removesuffix("_of"), *x.many(core.operands))


def holding(x: Emitter, core: n.HoldingPlace) -> Any:
    """Compile a place off the map, by its owner or number."""
    match core.owner:
        case n.Literal(int() as number) if 1 <= number <= core.count:
            return constant(core.first + number - 1)
    owner = x.emit(core.owner)
    if core.count == 0:
        return expression("_1 + _2", constant(core.first), owner)
    called = expression(
        "_holding_place(_1, _2, _3, _4)", constant(core.first), constant(core.count), owner, constant(core.word)
    )
    if not isinstance(core.owner, n.CheckedLocal):
        return called
    return expression("_1 + _2 if 1 <= _2 <= _3 else _4", constant(core.first - 1), owner, constant(core.count), called)


def exists(x: Emitter, core: n.Exists) -> Any:
    """Compile the test whether an optional value is present (and of a class)."""
    if core.cls is None:
        return expression("_1 is not None", x.emit(core.item))
    return expression(f"_1 in IS_{core.cls}", x.emit(core.item))


def marked(x: Emitter, called: str, args: Sequence[Core]) -> Any:
    """Compile the set of places selected by a define, by its arguments other than the place."""
    found = expression(f"marks_{called}(G)")
    found.args += x.many(args)
    return once(x, found)
