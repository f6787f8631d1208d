"""Checked expressions -> Python expressions.

In the code made here `G` is the state; locals of rules are `v_name`; functions of the
ruleset are `d_`, `r_`, `t_` (define, rule, tally); `_words` are functions of the runtime.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from interpreter.compiler.building import constant, expression, located, name, stored, tuple_of
from interpreter.compiler.layout import Layout, top_rung
from interpreter.model import types as t
from interpreter.model.core import CheckedModel, Core, children

_COMPARE = {"==": ast.Eq, "!=": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE}
_CHEAP = ("const", "local", "game", "attr")


class Emitter:
    """Emits expressions of one model."""

    __slots__ = ("model", "layout", "instrument", "static")

    def __init__(self, model: CheckedModel, layout: Layout, instrument: bool = False) -> None:
        self.model = model
        self.layout = layout
        self.instrument = instrument
        self.static = static_defines(model)

    def emit(self, core: Core) -> Any:
        """The Python expression of `core`, pointing at its place in the rules."""
        return located(_HANDLERS[core.op](self, core), core.span)

    def many(self, cores: Any) -> list[Any]:
        """Several expressions."""
        return [self.emit(x) for x in cores]

    # --- simple values ---------------------------------------------------------------

    def _const(self, core: Core) -> Any:
        return constant(core.args[0])

    def _local(self, core: Core) -> Any:
        return name("v_" + core.args[0])

    def _all(self, core: Core) -> Any:
        kind, cls = core.args
        return name(f"ALL_{kind}_{cls}" if cls else f"ALL_{kind}")

    def _attr(self, core: Core) -> Any:
        kind, attribute, owner = core.args
        column = self.layout.column_of(kind, attribute)
        if column is None:
            return expression("_1[_2]", name(self.layout.constants[(kind, attribute)]), self.emit(owner))
        return expression(f"G.{column}[_1]", self.emit(owner))

    def _game(self, core: Core) -> Any:
        return expression(f"G.{self.layout.game[core.args[0]]}")

    def _turn(self, core: Core) -> Any:
        return expression("G.turn")

    # --- logic and numbers -----------------------------------------------------------------

    def _and_or(self, core: Core) -> Any:
        return ast.BoolOp(ast.And() if core.op == "and" else ast.Or(), self.many(core.args))

    def _not(self, core: Core) -> Any:
        return expression("not _1", self.emit(core.args[0]))

    def _cmp(self, core: Core) -> Any:
        symbol, left, right = core.args
        return ast.Compare(self.emit(left), [_COMPARE[symbol]()], [self.emit(right)])

    def _in(self, core: Core) -> Any:
        item, domain = core.args
        if domain.op == "range":
            test = expression("_1 <= _2 <= _3", self.emit(domain.args[0]), self.emit(item), self.emit(domain.args[1]))
            return test if core.op == "in" else expression("not _1", test)
        return ast.Compare(self.emit(item), [ast.In() if core.op == "in" else ast.NotIn()], [self.emit(domain)])

    def _arithmetic(self, core: Core) -> Any:
        left, right = self.emit(core.args[0]), self.emit(core.args[1])
        if core.op == "div":
            return expression("_quotient(_1, _2)", left, right)
        op = {"add": ast.Add, "sub": ast.Sub, "mul": ast.Mult}[core.op]()
        return ast.BinOp(left, op, right)

    def _neg(self, core: Core) -> Any:
        return expression("-_1", self.emit(core.args[0]))

    def _cond(self, core: Core) -> Any:
        return ast.IfExp(*self.many(core.args))

    def _orelse(self, core: Core) -> Any:
        value, fallback = core.args
        if fallback.op in _CHEAP:
            return expression("_or(_1, _2)", self.emit(value), self.emit(fallback))
        return expression("_or_call(_1, lambda: _2)", self.emit(value), self.emit(fallback))

    # --- sets ------------------------------------------------------------------------------

    def _union(self, core: Core) -> Any:
        if isinstance(core.type, t.ListOf):
            return expression("_1 + _2", *self.many(core.args))
        return expression("_union(_1, _2)" if core.op == "union" else "_minus(_1, _2)", *self.many(core.args))

    def _minus(self, core: Core) -> Any:
        return expression("_minus(_1, _2)", *self.many(core.args))

    def _range(self, core: Core) -> Any:
        return expression("tuple(range(_1, _2 + 1))", *self.many(core.args))

    def iterable(self, domain: Core) -> tuple[Any, Core | None]:
        """Something to loop over, cheaper than the set itself."""
        if domain.op == "range":
            return expression("range(_1, _2 + 1)", *self.many(domain.args)), None
        return self.emit(domain), None

    def _generator(self, element: Any, var: str, domain: Core, where: Core | None, listed: bool) -> Any:
        iterator, _ = self.iterable(domain)
        clause = ast.comprehension(stored("v_" + var), iterator, [self.emit(where)] if where is not None else [], 0)
        return (ast.ListComp if listed else ast.GeneratorExp)(element, [clause])

    def _former(self, core: Core) -> Any:
        sort, var, domain, where, result, extreme, measure = core.args
        if sort in ("any", "no", "every"):
            return self._quantified(sort, var, domain, where, result)
        element = name("v_" + var) if result is None else self.emit(result)
        if extreme is not None:
            pair = tuple_of([self.emit(measure), element])
            listed = self._generator(pair, var, domain, where, True)
            chosen = expression(f"_{extreme}(_1)", listed)
            return expression("_as_set(_1)", chosen) if result is not None else chosen
        if sort == "count":
            if where is None and result is None:
                return expression("len(_1)", self.emit(domain))
            return expression("len(_1)", self._generator(element, var, domain, where, True))
        listed = self._generator(element, var, domain, where, True)
        if sort == "sum":
            return expression("sum(_1)", listed)
        if sort in ("min", "max"):
            return expression(f"{sort}(_1, default=None)", listed)
        if sort == "set" and result is not None:
            return expression("_as_set(_1)", listed)
        if sort == "set" and isinstance(domain.type, t.ListOf):
            return expression("_as_set(_1)", listed)
        return expression("tuple(_1)", listed)

    def _quantified(self, sort: str, var: str, domain: Core, where: Core | None, then: Core | None) -> Any:
        if sort == "every":
            failing = self._generator(expression("not _1", self.emit(then)), var, domain, where, False)
            return expression("not any(_1)", failing)
        if where is None:
            found: Any = expression("len(_1) > 0", self.emit(domain))
        else:
            found = expression("any(_1)", self._generator(self.emit(where), var, domain, None, False))
        return expression("not _1", found) if sort == "no" else found

    def _set(self, core: Core) -> Any:
        if len(core.args) <= 1:
            return tuple_of(self.many(core.args))
        return expression("_as_set(_1)", tuple_of(self.many(core.args)))

    def _list(self, core: Core) -> Any:
        return tuple_of(self.many(core.args))

    def _pieces_at(self, core: Core) -> Any:
        cls, place = core.args
        here = expression("G.occ[_1]", self.emit(place))
        if cls is None or len(self.model.ruleset.classes) == 1:
            return here
        return expression(f"_of_class(_1, IS_{cls})", here)

    def _filter_at(self, core: Core) -> Any:
        return expression("_at(G, _1, _2)", *self.many(core.args))

    def _on_map(self, core: Core) -> Any:
        return expression("ON_MAP[G.at[_1]]", self.emit(core.args[0]))

    # --- things declared by the ruleset --------------------------------------------------------

    def _define(self, core: Core) -> Any:
        called, *args = core.args
        if called in self.static:
            return ast.Call(name("d_" + called), self.many(args), [])
        return ast.Call(name("d_" + called), [name("G"), *self.many(args)], [])

    def _rule_tally(self, core: Core) -> Any:
        called, *args = core.args
        return ast.Call(name(("r_" if core.op == "rule" else "t_") + called), [name("G"), *self.many(args)], [])

    def _table(self, core: Core) -> Any:
        table, *args = core.args
        model = self.model.ruleset.tables[table]
        keys = self.many(args)
        if self.instrument:
            return expression("_look_covered(COVERAGE, _1, _2, _3)", ast.Constant(table), name("T_" + table),
                              tuple_of(keys))
        exact = all(a.sort == "keys" or (a.sort == "range" and a.below == "refuse" and a.above == "refuse")
                    for a in model.axes)
        if exact and not model.blanks:
            key = keys[0] if len(keys) == 1 else tuple_of(keys)
            return expression("_1[_2]", name("T_" + table + "_cells"), key)
        if exact:
            key = keys[0] if len(keys) == 1 else tuple_of(keys)
            return expression("_1.get(_2)", name("T_" + table + "_cells"), key)
        return ast.Call(expression("_1.look", name("T_" + table)), keys, [])

    def _has_cell(self, core: Core) -> Any:
        table, *args = core.args
        return ast.Call(expression("_1.has", name("T_" + table)), self.many(args), [])

    def _playing(self, core: Core) -> Any:
        index = list(self.model.ruleset.options).index(core.args[0])
        option = self.model.ruleset.options[core.args[0]]
        if option.type == "split":
            return expression("G.options[_1] != ''", ast.Constant(index))
        return expression("G.options[_1]", ast.Constant(index))

    def _can_advance(self, core: Core) -> Any:
        kind, attribute, owner = core.args
        current = self._attr(core) if owner is not None else expression(f"G.{self.layout.game[attribute]}")
        return expression("_1 < _2", current, self.top(kind, attribute, owner))

    def top(self, kind: str, attribute: str, owner: Core | None) -> Any:
        """The highest rung the owner of a ladder attribute may reach."""
        rs = self.model.ruleset
        declared = rs.game[attribute] if kind == "game" else rs.kinds[kind].attributes[attribute]
        top, index = top_rung(self.model, kind, declared)
        if index >= 0:
            return ast.Constant(index)
        if owner is None:
            return expression(f"G.{self.layout.game[top]}")
        column = self.layout.column_of(kind, top)
        if column is None:
            return expression("_1[_2]", name(self.layout.constants[(kind, top)]), self.emit(owner))
        return expression(f"G.{column}[_1]", self.emit(owner))

    def _possible(self, core: Core) -> Any:
        draft, *args = core.args
        return expression("_possible(G, _1, _2)", ast.Constant(draft), tuple_of(self.many(args)))

    # --- searches --------------------------------------------------------------------------------

    def _search(self, core: Core) -> Any:
        sort, start, goal, within, var, previous, where, cost = core.args
        nothing = ast.Constant(None)

        def over(body: Core | None) -> Any:
            if body is None:
                return nothing
            here = "v_" + (var or "_")
            before = "v_" + (previous or "_before")
            arguments = ast.arguments(posonlyargs=[], args=[ast.arg(here), ast.arg(before)], kwonlyargs=[],
                                      kw_defaults=[], defaults=[])
            return ast.Lambda(arguments, self.emit(body))

        return expression(f"_{sort}(LINKS, _1, _2, _3, _4, _5)", self.emit(start),
                          nothing if goal is None else self.emit(goal),
                          nothing if within is None else self.emit(within), over(where), over(cost))

    def _closure(self, core: Core) -> Any:
        start, everything, first, second, where = core.args
        arguments = ast.arguments(posonlyargs=[], args=[ast.arg("v_" + first), ast.arg("v_" + second)], kwonlyargs=[],
                                  kw_defaults=[], defaults=[])
        return expression("_closure(_1, _2, _3)", self.emit(start), self.emit(everything),
                          ast.Lambda(arguments, self.emit(where)))

    # --- records and the rest -----------------------------------------------------------------------

    def _record(self, core: Core) -> Any:
        return tuple_of(self.many(core.args[1:]))

    def _field(self, core: Core) -> Any:
        record, index = core.args
        if isinstance(record.type, t.Maybe):
            return expression("_field(_1, _2)", self.emit(record), ast.Constant(index))
        return expression("_1[_2]", self.emit(record), ast.Constant(index))

    def _item(self, core: Core) -> Any:
        return expression("_item(_1, _2)", *self.many(core.args))

    def _with(self, core: Core) -> Any:
        record, changes = core.args
        pairs = tuple_of([tuple_of([ast.Constant(i), self.emit(v)]) for i, v in changes])
        return expression("_with(_1, _2)", self.emit(record), pairs)

    def _builtin(self, core: Core) -> Any:
        called, *args = core.args
        emitted = self.many(args)
        if called == "count":
            return expression("len(_1)", *emitted)
        if called == "sum":
            return expression("sum(_1)", *emitted)
        if called in ("min", "max"):
            return expression(f"{called}(_1, default=None)", *emitted)
        if called in ("min_of", "max_of"):
            return ast.Call(name(called[:3]), emitted, [])
        if called == "abs":
            return expression("abs(_1)", *emitted)
        if called == "remainder":
            return expression("_1 % _2", *emitted)
        if called == "neighbours":
            return expression("NEIGHBOURS[_1]", *emitted)
        if called == "alike":
            return expression("_alike(G, _1, _2)", *emitted)
        if called in _GRAPH:
            return ast.Call(name("_" + called), [name("LINKS"), *emitted], [])
        return ast.Call(name("_" + called), emitted, [])

    def _holding(self, core: Core) -> Any:
        first, base, arg = core.args
        offset = first - base
        return expression("_1 + _2", ast.Constant(offset), self.emit(arg))

    def _condition(self, core: Core) -> Any:
        return expression(f"cond_{core.args[0]}(G)")

    def _highest_level(self, core: Core) -> Any:
        return expression("_highest_level(G, _1)", self.emit(core.args[0]))


_GRAPH = ("linked", "edge", "edges_of", "ends_of", "step", "direction_to", "turned", "spaces_between",
          "line_between", "column_of", "row_of")

_HANDLERS: dict[str, Callable[[Emitter, Core], Any]] = {
    "const": Emitter._const, "local": Emitter._local, "all": Emitter._all, "attr": Emitter._attr,
    "game": Emitter._game, "turn": Emitter._turn, "and": Emitter._and_or, "or": Emitter._and_or,
    "not": Emitter._not, "cmp": Emitter._cmp, "in": Emitter._in, "notin": Emitter._in,
    "add": Emitter._arithmetic, "sub": Emitter._arithmetic, "mul": Emitter._arithmetic, "div": Emitter._arithmetic,
    "neg": Emitter._neg, "union": Emitter._union, "minus": Emitter._minus, "range": Emitter._range,
    "cond": Emitter._cond, "orelse": Emitter._orelse, "define": Emitter._define, "rule": Emitter._rule_tally,
    "tally": Emitter._rule_tally, "table": Emitter._table, "hascell": Emitter._has_cell,
    "former": Emitter._former, "set": Emitter._set, "list": Emitter._list, "pieces_at": Emitter._pieces_at,
    "filter_at": Emitter._filter_at, "onmap": Emitter._on_map, "playing": Emitter._playing,
    "option_value": Emitter._playing, "canadvance": Emitter._can_advance, "possible": Emitter._possible,
    "search": Emitter._search, "closure": Emitter._closure, "record": Emitter._record, "field": Emitter._field,
    "item": Emitter._item, "with": Emitter._with, "builtin": Emitter._builtin, "holding": Emitter._holding,
    "condition": Emitter._condition, "highest_level": Emitter._highest_level,
}


def locals_of(core: Core) -> set[str]:
    """Names of rules' locals that an expression reads (its own bound names included)."""
    found: set[str] = set()
    stack = [core]
    while stack:
        node = stack.pop()
        if node.op == "local":
            found.add(node.args[0])
        stack.extend(children(node))
    return found


_READS_STATE = ("game", "turn", "rule", "tally", "pieces_at", "filter_at", "onmap", "playing", "option_value",
                "canadvance", "possible", "condition", "highest_level")


def static_defines(model: CheckedModel) -> frozenset[str]:
    """Defines that read no state: their results are remembered for good."""
    changing = {(k.id, a.name) for k in model.ruleset.kinds.values() for a in k.attributes.values() if a.changes}
    changing |= {("piece", "at"), ("side", "seat")}
    dynamic: set[str] = set()
    again = True
    while again:
        again = False
        for define in model.defines.values():
            if define.name not in dynamic and _reads_state(define.value, changing, dynamic):
                dynamic.add(define.name)
                again = True
    return frozenset(n for n in model.defines if n not in dynamic)


def _reads_state(core: Core, changing: set[tuple[str, str]], dynamic: set[str]) -> bool:
    if core.op in _READS_STATE or core.op == "builtin" and core.args[0] == "alike":
        return True
    if core.op == "attr" and (core.args[0], core.args[1]) in changing:
        return True
    if core.op == "define" and core.args[0] in dynamic:
        return True
    return any(_reads_state(child, changing, dynamic) for child in children(core))
