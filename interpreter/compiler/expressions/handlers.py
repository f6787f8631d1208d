"""Handlers for values, operators, sets and calls, and the table of all handlers.

Loops are in `formers`, rarer nodes in `charts`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from interpreter.checker.operations import BUILTINS, COMPARISONS, facts_of
from interpreter.compiler.expressions import charts, formers
from interpreter.compiler.expressions.expression_code import CHEAP, Emitter, normal
from interpreter.compiler.expressions.loops import goes_through_filter, numbers
from interpreter.compiler.optimising.analysis import is_range
from interpreter.compiler.optimising.passes import SHORTER, TABLES
from interpreter.compiler.python_syntax import call_of, constant, expression, name, row, tuple_of
from interpreter.compiler.shortcuts.runs import run_length
from interpreter.compiler.shortcuts.static_tables import tabled
from interpreter.model import expressions as n, types as t
from interpreter.model.expressions import Core
from interpreter.runtime.builtins.registry import Builtin

_COMPARE = {"==": ast.Eq, "!=": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE}


def _literal(x: Emitter, core: n.Literal) -> Any:
    return constant(core.value)


def _local(x: Emitter, core: n.CheckedLocal) -> Any:
    if core.name in x.bound:
        return x.bound[core.name]()
    return name("v_" + core.name)


def _things(x: Emitter, core: n.Things) -> Any:
    return name(f"CLASS_{core.cls}" if core.cls else f"ALL_{core.kind}")


def _attribute(x: Emitter, core: n.AttributeOf) -> Any:
    made = "_attribute_or_none(_1, _2)" if core.lenient else "_1[_2]"
    return expression(made, _values(x, core), x.emit(core.owner))


def _values(x: Emitter, core: n.AttributeOf) -> Any:
    """Return the column of an attribute, indexed by handle."""
    column = x.layout.column_of(core.kind, core.name)
    return name(x.layout.constants[(core.kind, core.name)]) if column is None else expression(f"G.{column}")


def _game(x: Emitter, core: n.GameValue) -> Any:
    return expression(f"G.{x.layout.game[core.name]}")


def _turn(x: Emitter, core: n.Operation) -> Any:
    return expression(f"G.{core.name}")


# --- logic and numbers -----------------------------------------------------------------


def _and_or(x: Emitter, core: n.Operation) -> Any:
    first, *rest = core.operands
    items = [x.emit(first), *(x.plainly(part) for part in rest)]
    return ast.BoolOp(ast.And() if core.name == "and" else ast.Or(), items)


def _not(x: Emitter, core: n.Operation) -> Any:
    return expression("not _1", x.emit(core.operands[0]))


def _compare(x: Emitter, core: n.Operation) -> Any:
    left, right = core.operands
    if (
        core.name in ("==", "!=")
        and _is_nothing(right)
        and SHORTER in x.passes
        and not x.noting
        and (isinstance(left, n.CheckedPiecesAt) or goes_through_filter(x, left))
    ):
        steps = x.efforts.charge(left)
        return formers.quantified(
            x, "no" if core.name == "==" else "any", "_", left, None, None, steps
        )  # no set is made
    made = x.many(core.operands)
    is_none = isinstance(right, n.Literal) and right.value is None and isinstance(made[0], ast.Name | ast.Subscript)
    if core.name in ("==", "!=") and (is_none or _are_themselves(x, core.operands, made)):
        return ast.Compare(made[0], [ast.Is() if core.name == "==" else ast.IsNot()], [made[1]])
    return ast.Compare(made[0], [_COMPARE[core.name]()], [made[1]])


_MOST_THEMSELVES = 256  # handles of which Python has each only once


def _are_themselves(x: Emitter, operands: tuple[Core, ...], made: list[Any]) -> bool:
    """Return whether operands can be compared by identity.

    True for things of a small kind of which one may be missing; identity is cheaper than equality there. A placeholder
    for a missing value is identical to nothing else.
    """
    found = [core.type.item for core in operands if isinstance(core.type, t.MaybeType)]
    if not found or not isinstance(found[0], t.ThingType) or any(isinstance(part, ast.Constant) for part in made):
        return False
    kinds, wanted = x.model.ruleset.kinds, found[0].kind
    return (
        SHORTER in x.passes
        and len(kinds[wanted].things) <= _MOST_THEMSELVES
        and not any(
            thing.values[name] is None
            for kind in kinds.values()
            for name, attribute in kind.attributes.items()
            if not attribute.changes and isinstance(attribute.type, t.ThingType) and attribute.type.kind == wanted
            for thing in kind.things
        )
    )


def _in(x: Emitter, core: n.Operation) -> Any:
    item, domain = core.operands
    if is_range(domain):
        low, high = domain.operands
        text = "_1 <= _2 <= _3" if isinstance(item.type, t.IntType) else "_is_among(_2, _1, _3)"
        made = x.many((item, low, high))
        test = expression(text, made[1], made[0], made[2])
        return test if core.name == "in" else expression("not _1", test)
    match domain:
        case n.Operation("union", parts) if (
            SHORTER in x.passes and isinstance(item, n.CheckedLocal) and all(x.is_safe(p) for p in parts)
        ):
            tests = tuple([n.Operation("in", (item, p), core.type, core.span) for p in parts])
            either = x.emit(n.Operation("or", tests, core.type, core.span))
            return either if core.name == "in" else expression("not _1", either)
    found, among = x.many((item, domain))
    if x.efforts.may_be_long(domain):
        among = expression("_looked(G, _1)", among)
    return ast.Compare(found, [ast.In() if core.name == "in" else ast.NotIn()], [among])


def _arithmetic(x: Emitter, core: n.Operation) -> Any:
    match core:
        case n.Operation("div", (n.Literal(int() as part), n.Literal(int() as whole))) if whole:
            return constant(Fraction(part, whole))
    left, right = x.many(core.operands)
    if core.name == "div":
        return expression("_quotient(_1, _2)", left, right)
    op = {"add": ast.Add, "sub": ast.Sub, "mul": ast.Mult}[core.name]()
    if isinstance(core.type, t.NumberType):
        left, right = _as_it_came(left), _as_it_came(right)
    made = ast.BinOp(left, op, right)
    if core.name == "mul" and x.efforts.multiplies(core):
        made = expression("_sized(_1)", made)
    return normal(core, made)


def _as_it_came(made: Any) -> Any:
    """Return a number unnormalized, because the enclosing sum normalizes its result."""
    return made.args[0] if isinstance(made, ast.Call) and getattr(made.func, "id", "") == "_normal" else made


def _neg(x: Emitter, core: n.Operation) -> Any:
    return expression("-_1", x.emit(core.operands[0]))


def _cond(x: Emitter, core: n.Operation) -> Any:
    test, yes, no = core.operands
    return ast.IfExp(x.emit(test), x.plainly(yes), x.plainly(no))


def _orelse(x: Emitter, core: n.Operation) -> Any:
    value, fallback = core.operands
    length = run_length(x, value)
    if length is not None:
        return length
    if (
        isinstance(fallback, CHEAP)
        or isinstance(fallback, n.AttributeOf)
        and not fallback.lenient
        and (isinstance(fallback.owner, n.CheckedLocal))
    ):
        if isinstance(value, n.AttributeOf) and value.lenient and not x.noting:
            given = _values(x, value), x.emit(value.owner), x.emit(fallback)
            return expression("_attribute_or(_1, _2, _3)", *given)
        return expression("_or(_1, _2)", x.emit(value), x.emit(fallback))
    return expression("_or_call(_1, lambda: _2)", x.emit(value), x.plainly(fallback))


def _union(x: Emitter, core: n.Operation) -> Any:
    kept = tabled(x, core)
    if kept is not None:
        return kept
    if isinstance(core.type, t.ListType):
        return expression("_joined(G, _1, _2)", *x.many(core.operands))
    united = expression("_union(_1, _2)", *x.many(core.operands))
    return expression("_gathered(G, _1)", united) if x.efforts.is_endless(core.type) else united


def _minus(x: Emitter, core: n.Operation) -> Any:
    kept = tabled(x, core)
    if kept is not None:
        return kept
    made = expression("_minus(_1, _2)", *x.many(core.operands))
    return expression("_looked(G, _1)", made) if x.efforts.may_be_long(core) else made


def _range(x: Emitter, core: n.Operation) -> Any:
    return expression("tuple(_1)", numbers(x, core))


def _set(x: Emitter, core: n.Operation) -> Any:
    if len(core.operands) <= 1:
        return tuple_of(x.many(core.operands))
    return expression("_as_set(_1)", tuple_of(x.many(core.operands)))


def _list(x: Emitter, core: n.Operation) -> Any:
    return tuple_of(x.many(core.operands))


def _pieces_at(x: Emitter, core: n.CheckedPiecesAt) -> Any:
    here = expression("G.occ[_1]", x.emit(core.place))
    if core.cls is None or len(x.model.ruleset.classes) == 1:
        return here
    return expression(f"_of_class(_1, IS_{core.cls})", here)


# --- things declared by the ruleset --------------------------------------------------------


def _call(x: Emitter, core: n.CheckedCall) -> Any:
    match core.sort:
        case "define":
            return _define(x, core)
        case "marks":
            return charts.marked(x, core.name, core.args)
        case "draft":
            return expression("_possible(G, _1, _2)", constant(core.name), tuple_of(x.many(core.args)))
    prefix = {"rule": "r_", "tally": "t_", "condition": "cond_"}[core.sort]
    return call_of(prefix + core.name, name("G"), *x.many(core.args))


def _define(x: Emitter, core: n.CheckedCall) -> Any:
    if core.name in x.markers:
        return expression("_1 in _2", x.emit(core.args[-1]), charts.marked(x, core.name, core.args[:-1]))
    if x.can_inline(core):
        return x.counted(core, x.inlined(core, x.emit))
    if not x.noting and (written := x.written_value(core)) is not None:
        return x.emit(written)
    given = x.many(core.args)
    if core.name not in x.static:
        return call_of("d_" + core.name, name("G"), *given)
    if x.alone or TABLES not in x.passes:
        return call_of("d_" + core.name, *given)
    return expression("_1[_2]", name("D_" + core.name), row(given))


def _builtin(x: Emitter, core: n.Operation) -> Any:
    """Compile a builtin by its declaration, or by a specialized form."""
    short = tabled(x, core) or formers.shortened(x, core)
    if short is not None:
        return short
    made = _called(BUILTINS[core.name], x.many(core.operands))
    if facts_of(core).grows:
        made = normal(core, made)
    return expression("_looked(G, _1)", made) if x.efforts.may_be_long(core) else made


def _called(builtin: Builtin, args: list[Any]) -> Any:
    if builtin.code:
        return expression(builtin.code, *args)
    before = {"": [], "links": [name("LINKS")], "state": [name("G")]}[builtin.needs]
    return call_of("_" + builtin.name, *before, *args)


def _template(x: Emitter, core: n.Operation) -> Any:
    return expression(_TEMPLATES[core.name], *x.many(core.operands))


def _is_nothing(core: Core) -> bool:
    """Return whether an expression is `{}`."""
    return isinstance(core, n.Operation) and core.name == "set" and not core.operands


_TEMPLATES = {
    "standing": "_standing(G, _1)",
    "filter_at": "_at(G, _1, _2)",
    "on_map": "ON_MAP[G.at[_1]]",
    "item": "_item(_1, _2)",
    "shifted": "_Shifted(_1, _2)",
    "comparable": "_comparable(_1)",
    "opponent": "1 - _1",  # two things: 0 and 1
}
HANDLERS: dict[str | type, Callable[[Emitter, Any], Any]] = {
    **dict.fromkeys(BUILTINS, _builtin),
    **dict.fromkeys(_TEMPLATES, _template),
    **dict.fromkeys(COMPARISONS, _compare),
    "min_of": charts.of_several,
    "max_of": charts.of_several,
    "turn": _turn,
    "last_turn": _turn,
    "and": _and_or,
    "or": _and_or,
    "not": _not,
    "in": _in,
    "not in": _in,
    "add": _arithmetic,
    "sub": _arithmetic,
    "mul": _arithmetic,
    "div": _arithmetic,
    "neg": _neg,
    "union": _union,
    "minus": _minus,
    "range": _range,
    "cond": _cond,
    "orelse": _orelse,
    "set": _set,
    "list": _list,
    n.Literal: _literal,
    n.CheckedLocal: _local,
    n.Things: _things,
    n.AttributeOf: _attribute,
    n.GameValue: _game,
    n.CheckedPiecesAt: _pieces_at,
    n.CheckedCall: _call,
    n.LookUp: charts.table,
    n.HasCell: charts.has_cell,
    n.Comprehension: formers.former,
    n.Playing: charts.playing,
    n.CanAdvance: charts.can_advance,
    n.CheckedSearch: charts.search,
    n.CheckedClosure: charts.closure,
    n.CheckedMakeRecord: charts.record,
    n.FieldAccess: charts.field,
    n.RecordUpdate: charts.with_fields,
    n.HoldingPlace: charts.holding,
    n.Exists: charts.exists,
}
