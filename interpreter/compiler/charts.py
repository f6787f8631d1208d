"""Charts, options, searches, records and built-ins: checked expressions -> Python expressions.

The rarer half of the emitter's operations, as functions that take the emitter.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from interpreter.compiler.calling import builtin_call
from interpreter.compiler.layout import top_rung
from interpreter.compiler.optimising.flattening import Flattener, conjuncts, free
from interpreter.compiler.python_syntax import constant, expression, name, tuple_of
from interpreter.model import types as t
from interpreter.model.core import Core

if TYPE_CHECKING:
    from interpreter.compiler.expression_code import Emitter


def table(x: Emitter, core: Core) -> Any:
    """A look-up in a chart."""
    table, *args = core.args
    model = x.model.ruleset.tables[table]
    keys = x.many(args)
    if x.instrument or x.hearing:
        return expression("_look_covered(COVERAGE, _1, _2, _3)", constant(table), name("T_" + table), tuple_of(keys))
    exact = all(
        a.sort == "keys" or (a.sort == "range" and a.below == "refuse" and a.above == "refuse") for a in model.axes
    ) and not any(a.op == "shifted" for a in args)
    if exact and not model.blanks:
        key = keys[0] if len(keys) == 1 else tuple_of(keys)
        return expression("_1[_2]", name("T_" + table + "_cells"), key)
    if exact:
        key = keys[0] if len(keys) == 1 else tuple_of(keys)
        return expression("_1.get(_2)", name("T_" + table + "_cells"), key)
    return ast.Call(expression("_1.look", name("T_" + table)), keys, [])


def has_cell(x: Emitter, core: Core) -> Any:
    """Whether a chart answers."""
    table, *args = core.args
    if all(a.sort == "keys" for a in x.model.ruleset.tables[table].axes):
        keys = x.many(args)
        return expression("_1 in _2", keys[0] if len(keys) == 1 else tuple_of(keys), name("T_" + table + "_cells"))
    return ast.Call(expression("_1.has", name("T_" + table)), x.many(args), [])


def shifted(x: Emitter, core: Core) -> Any:
    """A value of an axis and how many columns it is shifted."""
    return expression("_Shifted(_1, _2)", *x.many(core.args))


def playing(x: Emitter, core: Core) -> Any:
    """Whether an option is played, or its value."""
    index = list(x.model.ruleset.options).index(core.args[0])
    option = x.model.ruleset.options[core.args[0]]
    if option.type == "split":
        return expression("G.options[_1] != ''", constant(index))
    return expression("G.options[_1]", constant(index))


def can_advance(x: Emitter, core: Core) -> Any:
    """Whether a rung above may be reached."""
    kind, attribute, owner = core.args
    current = x._attr(core) if owner is not None else expression(f"G.{x.layout.game[attribute]}")
    return expression("_1 < _2", current, top(x, kind, attribute, owner))


def top(x: Emitter, kind: str, attribute: str, owner: Core | None) -> Any:
    """The highest rung the owner of a ladder attribute may reach."""
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


def possible(x: Emitter, core: Core) -> Any:
    """Whether a draft can be finished."""
    draft, *args = core.args
    return expression("_possible(G, _1, _2)", constant(draft), tuple_of(x.many(args)))


# --- searches --------------------------------------------------------------------------------


def search(x: Emitter, core: Core) -> Any:
    """A distance, a path or all that can be reached."""
    sort, start, goal, within, var, previous, where, cost = core.args
    nothing = constant(None)

    def over(body: Core | None) -> Any:
        if body is None:
            return nothing
        return function_of(x, [var or "_", previous or "_before"], body)

    if sort == "distance" and within is None and goal is not None and core in x.searches:
        return _shared(x, core, over(where), over(cost))
    return expression(
        f"_{sort}(LINKS, _1, _2, _3, _4, _5, G, _6)",
        x.emit(start),
        nothing if goal is None else x.emit(goal),
        nothing if within is None else x.emit(within),
        over(where),
        over(cost),
        constant(x.efforts.search_charge(where, cost)),
    )


def _shared(x: Emitter, core: Core, where: Any, cost: Any) -> Any:
    """A distance whose search serves other goals too, while nothing changes that its tests read."""
    _, start, goal, _, var, previous, test, price = core.args
    names = frozenset[str]().union(*(free(part) for part in (test, price) if part is not None)) - {var, previous}
    key = tuple_of([x.emit(start), *(x._local(Core("local", (n,), t.INT, core.span)) for n in sorted(names))])
    return expression(
        "_shared_distance(G, _1, _2, _3, _4, _5, _6)",
        constant(x.searches[core]),
        key,
        where,
        cost,
        x.emit(goal),
        constant(x.efforts.search_charge(test, price)),
    )


def closure(x: Emitter, core: Core) -> Any:
    """Everything linked to a set."""
    start, everything, first, second, where = core.args
    related = function_of(x, [first, second], where)
    steps = constant(x.efforts.search_charge(where))
    like = (
        None
        if everything.op != "all"
        else next((found for test in _tests(x, where) if (found := _same(x, test, first, second)) is not None), None)
    )
    if like is None or x.alone:
        return expression("_closure(_1, _2, _3, G, _4)", x.emit(start), x.emit(everything), related, steps)
    around = expression("lambda _a: _1.get(_2[_a], ())", name(x.part(everything, like)), name(like))
    return expression("_closure_among(_1, _2, _3, G, _4)", x.emit(start), around, related, steps)


def _tests(x: Emitter, where: Core) -> list[Core]:
    """What must hold for two things to be linked: the tests of a relation, or of the define it is."""
    if where.op == "define" and all(a.op == "local" for a in where.args[1:]):
        define = x.model.defines[where.args[0]]
        given = {n: a for (n, _), a in zip(define.params, where.args[1:], strict=True)}
        others = frozenset(x.model.defines) - {where.args[0]}
        return conjuncts(Flattener(x.model, others, frozenset()).flat(where, given))
    return conjuncts(where)


def _same(x: Emitter, test: Core, first: str, second: str) -> str | None:
    """The constant attribute of which a test says that two things have the same value."""
    if test.op != "cmp" or test.args[0] != "==":
        return None
    a, b = test.args[1:]
    if (
        a.op != "attr"
        or b.op != "attr"
        or a.args[:2] != b.args[:2]
        or a.args[2].op != "local"
        or (b.args[2].op != "local")
        or {a.args[2].args[0], b.args[2].args[0]} != {first, second}
    ):
        return None
    return x.layout.constants.get((a.args[0], a.args[1]))


def function_of(x: Emitter, names: list[str], body: Core) -> Any:
    """A function of some names that are bound in it alone."""
    outer = x.bound
    made = [ast.arg(x.bind(n)) for n in names]
    arguments = ast.arguments(posonlyargs=[], args=made, kwonlyargs=[], kw_defaults=[], defaults=[])
    lambda_body = x.plainly(body)
    x.bound = outer
    return ast.Lambda(arguments, lambda_body)


# --- records and the rest -----------------------------------------------------------------------


def record(x: Emitter, core: Core) -> Any:
    """A record."""
    return tuple_of(x.many(core.args[1:]))


def field(x: Emitter, core: Core) -> Any:
    """A field of a record."""
    record, index = core.args
    if isinstance(record.type, t.Maybe):
        return expression("_field(_1, _2)", x.emit(record), constant(index))
    return expression("_1[_2]", x.emit(record), constant(index))


def item(x: Emitter, core: Core) -> Any:
    """A member of a list."""
    return expression("_item(_1, _2)", *x.many(core.args))


def with_fields(x: Emitter, core: Core) -> Any:
    """A record with some fields changed."""
    record, changes = core.args
    pairs = tuple_of([tuple_of([constant(i), x.emit(v)]) for i, v in changes])
    return expression("_with(_1, _2)", x.emit(record), pairs)


def is_between(x: Emitter, core: Core) -> bool:
    """True for an attribute of what lies between two places, if it never changes: it is looked up by both."""
    if core.op != "maybe_attr":
        return False
    kind, attribute, owner = core.args
    return x.layout.column_of(kind, attribute) is None and owner.op == "builtin" and owner.args[0] == "edge"


def between(x: Emitter, core: Core, *fallback: Any) -> Any:
    """Such an attribute, or what stands for it where it has no value."""
    kind, attribute, owner = core.args
    values = name("B" + x.layout.constants[(kind, attribute)])
    return ast.Call(expression("_1.get", values), [tuple_of(x.many(owner.args[1:])), *fallback], [])


def builtin(x: Emitter, core: Core) -> Any:
    """A call of a built-in function."""
    called, *args = core.args
    if called == "count" and (x._is_filter(args[0]) or x._inlines_to_filter(args[0])):
        everything: Core = args[0]
        return x.counted(
            "_",
            everything,
            None,
            lambda: x._local(Core("local", ("_",), t.INT, core.span)),
            x.efforts.charge(everything),
        )
    if called in ("first", "last") and args[0].op == "all":
        return constant(end_of_all(x, args[0], called == "last"))
    if called == "round_down" and args[0].op == "div":  # no fraction is made
        return expression("_1 // (_2 or _no_divisor())", *x.many(args[0].args))
    made = builtin_call(called, x.many(args))
    return expression("_looked(G, _1)", made) if x.efforts.is_endless(core.type) else made


def end_of_all(x: Emitter, core: Core, last: bool) -> int | None:
    """The first or last thing of a kind, which never changes."""
    kind, cls = core.args
    things = x.model.ruleset.kinds[kind].things
    handles = [i for i, x in enumerate(things) if x.holding is None and cls in (None, x.cls)]
    if not handles:
        return None
    return handles[-1] if last else handles[0]


def holding(x: Emitter, core: Core) -> Any:
    """A place off the map, by its owner or number."""
    first, count, arg, word = core.args
    if count == 0:
        return expression("_1 + _2", constant(first), x.emit(arg))
    called = expression("_holding_place(_1, _2, _3, _4)", constant(first), constant(count), x.emit(arg), constant(word))
    if arg.op != "local":
        return called
    return expression("_1 + _2 if 1 <= _2 <= _3 else _4", constant(first - 1), x.emit(arg), constant(count), called)


def condition(x: Emitter, core: Core) -> Any:
    """A condition of victory."""
    return expression(f"cond_{core.args[0]}(G)")


def exists(x: Emitter, core: Core) -> Any:
    """Whether a value that may be missing is there (and of a class)."""
    item, cls = core.args
    if cls is None:
        return expression("_1 is not None", x.emit(item))
    return expression(f"_1 in IS_{cls}", x.emit(item))


def comparable(x: Emitter, core: Core) -> Any:
    """A number that is only compared."""
    return expression("_comparable(_1)", x.emit(core.args[0]))


def marks(x: Emitter, core: Core) -> Any:
    """The places that a define marks for its other arguments."""
    return marked(x, core.args[0], core.args[1:])


def marked(x: Emitter, called: str, args: tuple[Core, ...] | list[Core]) -> Any:
    """The set of places that a define marks, by its arguments but the place."""
    found = expression(f"marks_{called}(G)")
    return expression("_1[_2]", found, x.emit(args[0])) if args else found


def highest_level(x: Emitter, core: Core) -> Any:
    """The highest level a seat has reached."""
    return expression("_highest_level(G, _1)", x.emit(core.args[0]))
