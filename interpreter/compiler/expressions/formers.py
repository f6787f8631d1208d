"""Comprehensions: sets, lists, sums, counts, extremes and quantifiers as Python expressions or loops."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from interpreter.compiler.expressions.charts import end_of_all, marked
from interpreter.compiler.expressions.expression_code import Emitter, normal
from interpreter.compiler.expressions.loops import (
    gathered,
    goes_through_filter,
    gone_through,
    loop_before,
    once,
    sorted_source,
    through,
)
from interpreter.compiler.optimising.passes import SHORTER, UNROLLING
from interpreter.compiler.optimising.unrolling import unrolled
from interpreter.compiler.python_syntax import constant, expression, name, statements, stored, tuple_of
from interpreter.compiler.shortcuts.enough import countable
from interpreter.compiler.shortcuts.runs import run_length
from interpreter.model import expressions as n, types as t
from interpreter.model.expressions import local_names
from interpreter.model.statements import Core


def comprehension(
    x: Emitter, element: Callable[[], Any], var: str, domain: Core, where: Core | None, listed: bool, steps: int
) -> Any:
    """Compile a list (or generator) over a domain."""
    kept, outer = x.bound, x.pre
    made, iterator, tests, where = sorted_source(x, var, domain, where)
    iterator = through(iterator, steps)
    x.pre = None
    if where is not None:
        tests.append(x.emit(where))
    body = element()
    x.bound, x.pre = kept, outer
    clause = ast.comprehension(stored(made), iterator, tests, 0)
    return (ast.ListComp if listed else ast.GeneratorExp)(body, [clause])


def former(x: Emitter, core: n.Comprehension) -> Any:
    """Compile a comprehension."""
    sort, var, domain, where, result = core.sort, core.var, core.domain, core.where, core.result
    steps = x.efforts.charge(domain, where, result, core.measure)

    def element() -> Any:
        return x.emit(n.CheckedLocal(var, core.type, core.span)) if result is None else x.emit(result)

    short = _marks(x, core) or run_length(x, core)
    if short is not None:
        return short
    if sort in ("any", "no", "every"):
        each = unrolled(core) if UNROLLING in x.passes and not x.noting else None
        if each is not None:
            return x.emit(each)
        return quantified(x, sort, var, domain, where, result, steps)
    if core.measure is not None:
        measure, extreme = core.measure, core.extreme
        listed = comprehension(x, lambda: tuple_of([x.emit(measure), element()]), var, domain, where, True, steps)
        chosen = expression(f"_{extreme}(_1)", listed)
        made_once = result is None and isinstance(domain.type, t.SetType)
        return chosen if made_once else expression("_as_set(_1)", chosen)
    if sort == "count":
        return counted(x, var, domain, where, element, steps)
    if sort == "sum" and x.pre is not None:

        def summed(total: str) -> None:
            loop_before(x, var, domain, where, lambda: statements("_1 += _2", stored(total), element()), steps)

        return normal(core, name(gone_through(x, constant(0), (domain, where, result), var, summed)))
    listed = comprehension(x, element, var, domain, where, True, steps)
    if sort in ("set", "list", "min", "max"):
        kept = once(x, listed)
        as_loop = kept is listed and x.pre is not None
        listed = gathered(x, var, domain, where, element, steps) if as_loop else kept
    if sort == "sum":
        return normal(core, expression("sum(_1)", listed))
    if sort in ("min", "max"):
        return expression(f"{sort}(_1, default=None)", listed)
    if sort == "set" and (result is not None or isinstance(domain.type, t.ListType)):
        return expression("_as_set(_1)", listed)
    return expression("tuple(_1)", listed)


def _marks(x: Emitter, core: n.Comprehension) -> Any:
    """`{h in places where d(s, h)}` is what a define marks; None for any other set."""
    match core:
        case n.Comprehension(
            "set",
            var,
            n.Things("place", None),
            n.CheckedCall("define", called, (*args, n.CheckedLocal(last))),
            None,
            None,
        ) if called in x.markers and last == var:
            if not any(var in local_names(a) for a in args):
                return expression("_on_map(_1, ON_MAP)", marked(x, called, args))
    return None


def counted(x: Emitter, var: str, domain: Core, where: Core | None, element: Callable[[], Any], steps: int) -> Any:
    """Compile a count, without building the set."""
    if x.pre is not None:

        def turns(total: str) -> None:
            assert x.pre is not None
            loop_before(x, var, domain, where, lambda: statements("_1 += 1", stored(total)), steps)
            countable(x.pre, where is None or x.is_safe(where))

        return name(gone_through(x, constant(0), (domain, where), var, turns))
    return expression("len(_1)", comprehension(x, element, var, domain, where, True, steps))


def _any_of(found: Any) -> Any:
    """Compile `any` over a generator; occupants of a place are iterated only if there are some."""
    made = expression("any(_1)", found)
    match found.generators[0].iter:
        case ast.Subscript(value=ast.Attribute(attr="occ")) as standing:
            return expression("_1 if _2 else False", made, standing)
    return made


def quantified(x: Emitter, sort: str, var: str, domain: Core, where: Core | None, then: Core | None, steps: int) -> Any:
    """Compile a quantifier: any, no or every member."""
    if sort != "every" and then is None and where is None:
        at_once = _stands(x, sort, domain)
        if at_once is not None:
            return at_once
    if x.pre is not None and (where is not None or then is not None or goes_through_filter(x, domain)):
        return _quantified_loop(x, sort, var, domain, where, then, steps)
    if sort == "every":
        assert then is not None
        failing = comprehension(x, lambda: expression("not _1", x.emit(then)), var, domain, where, False, steps)
        return expression("not _1", _any_of(failing))
    if where is None and not goes_through_filter(x, domain) and (not isinstance(domain, n.CheckedPiecesAt)):
        found: Any = expression("len(_1) > 0", x.emit(domain))
    else:
        found = _any_of(comprehension(x, lambda: constant(True), var, domain, where, False, steps))
    return expression("not _1", found) if sort == "no" else found


def _stands(x: Emitter, sort: str, domain: Core) -> Any:
    """Compile the test whether any or no piece is at a place; return None for other sets."""
    if (
        SHORTER in x.passes
        and isinstance(domain, n.CheckedPiecesAt)
        and (domain.cls is None or len(x.model.ruleset.classes) == 1)
    ):
        return expression("_1 != ()" if sort == "any" else "not _1", x.emit(domain))
    return None


def _quantified_loop(
    x: Emitter, sort: str, var: str, domain: Core, where: Core | None, then: Core | None, steps: int
) -> Any:
    """Compile a quantifier as a loop that stops at the first member that decides it."""
    stops = sort == "any"

    def found(result: str) -> list[ast.stmt]:
        stop = statements("_1 = _2\nbreak", stored(result), constant(stops))
        if then is None:
            return stop
        before, value = x.lifted(then)
        return [*before, ast.If(ast.UnaryOp(ast.Not(), value), stop, [])]

    def turns(result: str) -> None:
        loop_before(x, var, domain, where, lambda: found(result), steps)

    return name(gone_through(x, constant(not stops), (domain, where, then), var, turns))


def _end_of(x: Emitter, many: Core, is_last: bool) -> Any:
    """Compile the first or last member of a filter: the loop stops there."""
    assert x.pre is not None
    found = x.temporary()
    x.pre.extend(statements("_1 = None", stored(found)))

    def stop() -> list[ast.stmt]:
        element = x.emit(n.CheckedLocal("_", t.INT, many.span))
        return statements("_1 = _2\nbreak", stored(found), element)

    loop_before(x, "_", many, None, stop, x.efforts.charge(many), backwards=is_last)
    return name(found)


def shortened(x: Emitter, core: n.Operation) -> Any:
    """Return a specialized form of a builtin for its arguments, or None."""
    if SHORTER not in x.passes:
        return None
    match core:
        case n.Operation("count", (many,)) if goes_through_filter(x, many):
            charge = x.efforts.charge(many)
            return counted(x, "_", many, None, lambda: x.emit(n.CheckedLocal("_", t.INT, core.span)), charge)
        case n.Operation("first" | "last" as which, (many,)) if x.pre is not None and goes_through_filter(x, many):
            return _end_of(x, many, which == "last")
        case n.Operation("first" | "last", (n.Things() as things,)):
            return constant(end_of_all(x, things, core.name == "last"))
        case n.Operation("round_down", (n.Operation("div", (left, right)),)):  # no fraction is made
            parts = _without_fraction(left)
            if parts is not None:
                whole, by = parts
                return expression("_1 // (_2 * _3 or _no_divisor())", x.emit(whole), x.emit(right), constant(by))
            return expression("_1 // (_2 or _no_divisor())", x.emit(left), x.emit(right))
    return None


def _without_fraction(core: Core) -> tuple[Core, int] | None:
    """Split a product that contains a division by a literal: the product without it, and the divisor."""
    match core:
        case n.Operation("div", (whole, n.Literal(int() as by))) if by > 0:
            return whole, by
        case n.Operation("mul", (left, right)):
            found = _without_fraction(left)
            if found is not None:
                return n.Operation("mul", (found[0], right), core.type, core.span), found[1]
    return None
