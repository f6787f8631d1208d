"""Loops as statements, and the cheapest way to enumerate the members of a set.

A filter is tested in the loop instead of being built; things are grouped by constant attributes; loop-invariant values
are hoisted.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any, TypeGuard

from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.optimising.analysis import is_filter, is_range, pieces_at
from interpreter.compiler.optimising.flattening import all_of, conjuncts
from interpreter.compiler.optimising.hoisting import Around, hangs_on, kept, steady
from interpreter.compiler.optimising.passes import HOISTING, LOOPS, NARROWING, PARTITIONS
from interpreter.compiler.python_syntax import (
    assigned,
    constant,
    expression,
    function,
    located,
    name,
    spending,
    statements,
    stored,
)
from interpreter.compiler.python_trees import parts_of
from interpreter.compiler.shortcuts.tidied_loops import noted
from interpreter.model import expressions as n, types as t
from interpreter.model.expressions import local_names
from interpreter.model.statements import Core
from interpreter.runtime.program import FEW_VALUES, OTHERS

MOST_NUMBERS = 1_000  # numbers of a range that is no matter of the budget


def through(iterator: Any, steps: int) -> Any:
    """Wrap an iterable so that its members are charged before the loop starts."""
    return expression("_through(G, _1, _2)", iterator, constant(steps)) if steps else iterator


def looped(x: Emitter, var: str, iterator: Any, body: list[ast.stmt], steps: int) -> list[ast.stmt]:
    """Compile a loop statement that charges `steps` per member before it starts."""
    if not steps:
        return [ast.For(stored(var), iterator, body, [])]
    gone = x.temporary()
    times = expression("len(_1)", name(gone))
    spent = times if steps == 1 else expression("_1 * _2", times, constant(steps))
    counted = spending(spent)
    match iterator:
        case ast.Subscript(value=ast.Attribute(attr="occ")):  # where often nobody stands
            counted = [ast.If(name(gone), counted, [])]
    return [assigned(gone, iterator), *counted, ast.For(stored(var), name(gone), body, [])]


def loop_before(
    x: Emitter,
    var: str,
    domain: Core,
    where: Core | None,
    found: Callable[[], list[ast.stmt]],
    steps: int,
    backwards: bool = False,
) -> None:
    """Prepend a loop statement to the expression being emitted."""
    assert x.pre is not None
    kept, outer = x.bound, x.pre
    made, iterator, tests, where = sorted_source(x, var, domain, where)
    iterator, tests, where = _once_for_all(x, made, iterator, tests, where, steps)
    x.pre = []
    x.around.append(Around(made, outer, x.fresh))
    body = found()
    inner, x.pre = [*x.pre, *body], outer
    if where is not None:
        inner = x.tested([where], inner)
    x.around.pop()
    for test in reversed(tests):
        inner = [ast.If(test, inner, [])]
    x.bound = kept
    turned = noted(looped(x, made, iterator, inner, steps), domain)
    if backwards and isinstance(turns := turned[-1], ast.For):
        turns.iter = expression("_reversed(_1)", turns.iter)
    outer.extend(located(turned, x.pin or domain.span))


def _once_for_all(
    x: Emitter, made: str, iterator: Any, tests: list[Any], where: Core | None, steps: int
) -> tuple[Any, list[Any], Core | None]:
    """Filter a loop's domain once by tests invariant in the enclosing loops; return the remaining tests."""
    if not x.around or HOISTING not in x.passes or hangs_on([iterator, *tests], x.around[-1]):
        return iterator, tests, where
    ready, rest, parts = list(tests), list[Core](), conjuncts(where) if where is not None else []
    safe = list(takewhile(x.is_safe, parts))
    for part in safe:
        test = x.plainly(part)
        if hangs_on([test], x.around[-1]):
            rest.append(part)
        else:
            ready.append(test)
    if not ready:
        return (once(x, iterator) if isinstance(iterator, ast.Call) else iterator), [], where
    iterator = through(iterator, steps)
    found = once(x, ast.ListComp(name(made), [ast.comprehension(stored(made), iterator, ready, 0)]))
    left = [*rest, *parts[len(safe) :]]
    return found, [], all_of(left, where.span) if left and where is not None else None


def once(x: Emitter, value: Any) -> Any:
    """Hoist a value out of the enclosing loops in which it is invariant."""
    loops = steady([value], x.around) if HOISTING in x.passes else []
    if x.pre is None or not loops:
        return value
    made = x.temporary()
    x.pre.append(kept(made, [assigned(made, value)], loops))
    return name(made)


def gone_through(x: Emitter, begun: Any, parts: Sequence[Core | None], var: str, turns: Callable[[str], None]) -> str:
    """Return the name of the result that a loop computes from `parts`, with its initial value.

    `var` is the loop variable. The loop is hoisted out of the enclosing loops in which it is invariant, if it cannot
    fault.
    """
    assert x.pre is not None
    made, loops, around, outer = x.temporary(), list[Around](), x.around, x.pre
    given = [part for part in parts if part is not None]
    if HOISTING in x.passes and around and all(map(x.is_safe, given)):
        used = set[str]().union(*map(local_names, given)) - {var}
        x.pre = []
        loops = steady([x.bound[local]() if local in x.bound else name("v_" + local) for local in sorted(used)], around)
        x.pre = [] if loops else outer
        x.around = around[: len(around) - len(loops)]
    x.pre.append(assigned(made, begun))
    turns(made)
    if loops:
        inside, x.pre, x.around = x.pre, outer, around
        x.pre.append(kept(made, inside, loops))
    return made


def gathered(x: Emitter, var: str, domain: Core, where: Core | None, element: Callable[[], Any], steps: int) -> Any:
    """Compile a list built by a loop statement, so that nested loops can be statements too."""
    assert x.pre is not None
    found = x.temporary()
    x.pre.extend(statements("_1 = []", stored(found)))
    apart, x.apart = x.apart, True
    loop_before(x, var, domain, where, lambda: statements("_1.append(_2)", name(found), element()), steps)
    x.apart = apart
    return name(found)


def found_once(x: Emitter, table: str, var: str, domain: n.Things, tests: list[Core], gathered: str) -> Any:
    """Compile the things that pass constant tests, collected on first use into `gathered`."""
    table += x.temporary()[1:]
    with x.elsewhere():
        body = x.tested(tests, statements("_found.append(_1)", name("v_" + var)))
        turns = [ast.For(stored("v_" + var), x.emit(domain), body, [])]
    text = f"_found = []\n_1\n_2.append({gathered}(_found))\nreturn _2[0]"
    made = function(table.lower(), [], statements(text, turns, name(table)), domain.span)
    x.made += [(part, domain.span) for part in (*statements("_1 = []", stored(table)), made)]
    return expression("_1[0] if _1 else _2()", name(table), name(table.lower()))


def numbers(x: Emitter, core: n.Operation) -> Any:
    """Compile the integers of a range as an iterable."""
    match core.operands:
        case (n.Literal(int() as low), n.Literal(int() as high)) if high - low < MOST_NUMBERS:
            return expression("range(_1, _2)", constant(low), constant(high + 1))
    return expression("_range(_1, _2)", *x.many(core.operands))


def iterable(x: Emitter, domain: Core) -> Any:
    """Something to loop over, cheaper than the set itself."""
    if is_range(domain):
        return numbers(x, domain)
    if goes_through_filter(x, domain):
        kept = x.bound
        element, iterator, tests = source(x, "_", domain)
        x.bound = kept
        iterator = through(iterator, x.efforts.charge(domain))
        return ast.ListComp(name(element), [ast.comprehension(stored(element), iterator, tests, 0)])
    return x.emit(domain)


def ready(x: Emitter, domain: Core) -> tuple[list[ast.stmt], Any]:
    """Statements to run first, and something to loop over whatever the loop changes."""
    if x.noting or LOOPS not in x.passes or is_range(domain):
        return [], iterable(x, domain)
    if not goes_through_filter(x, domain):
        return x.lifted(domain)
    kept, x.pre = x.pre, []
    element = n.CheckedLocal("_", t.INT, domain.span)
    made = gathered(x, "_", domain, None, lambda: x.emit(element), x.efforts.charge(domain))
    before, x.pre = x.pre, kept
    return before, made


def loop(
    x: Emitter, var: str, domain: Core, body: list[ast.stmt], steps: int = 0, quick: Sequence[Core] = ()
) -> list[ast.stmt]:
    """Compile a loop over a domain that `body` does not change; filters are tested in the loop.

    Those of the `quick` tests (which cannot fault) that are cheaper than the filter's own run before it.
    """
    if not goes_through_filter(x, domain):
        body = x.tested(quick, body)
        outer, x.pre = x.pre, []
        iterator = iterable(x, domain)
        before, x.pre = x.pre, outer
        return [*before, *noted(looped(x, "v_" + var, iterator, body, steps), domain)]
    outer, kept, x.pre = x.pre, x.bound, []
    x.forced = "v_" + var
    _, iterator, tests = source(x, var, domain)
    x.forced = ""
    before, x.pre, x.bound = x.pre, outer, kept
    asked = [x.plainly(core) for core in quick]
    least = min(map(_look_ups, tests), default=0)
    sooner, later = ([test for test in asked if (_look_ups(test) < least) is first] for first in (True, False))
    for test in reversed([*sooner, *tests, *later]):
        body = [ast.If(test, body, [])]
    return [*before, *noted(looped(x, "v_" + var, iterator, body, steps), domain)]


def _look_ups(test: Any) -> int:
    return sum(isinstance(part, ast.Subscript | ast.Call) for part in parts_of(test))


def source(x: Emitter, var: str, domain: Core) -> tuple[str, Any, list[Any]]:
    """Return the Python name of a loop variable (bound from now on), its iterable, and tests to pass.

    A domain that is itself a filter is not built: its test joins the loop's.
    """
    if is_range(domain):
        iterator = _unforced(x, lambda: numbers(x, domain))
        return x.bind(var), iterator, []
    if x.can_inline(domain):
        value = x.model.defines[domain.name].value
        if _goes_along(value, x):
            filtered: n.Comprehension = value
            outer = x.bound
            made, iterator, tests = x.inlined(domain, lambda _: _filter_source(x, filtered))
            x.bound = {**outer, var: lambda: name(made)}
            return made, iterator, tests
    if _goes_along(domain, x):
        outer = x.bound
        made, iterator, tests = _filter_source(x, domain)
        x.bound = {**outer, var: lambda: name(made)}
        return made, iterator, tests
    if isinstance(domain, n.CheckedPiecesAt) and domain.cls is not None and len(x.model.ruleset.classes) > 1:
        place = domain.place
        here = _unforced(x, lambda: expression("G.occ[_1]", x.emit(place)))
        made = x.bind(var)
        return made, here, [expression(f"_1 in IS_{domain.cls}", name(made))]
    iterator = _unforced(x, lambda: x.emit(domain))
    return x.bind(var), iterator, []


def _unforced(x: Emitter, emit: Callable[[], Any]) -> Any:
    """Emit code before the loop variable is bound, without taking its name."""
    forced, x.forced = x.forced, ""
    made = emit()
    x.forced = forced
    return made


def _filter_source(x: Emitter, body: n.Comprehension) -> tuple[str, Any, list[Any]]:
    made, iterator, tests, where = sorted_source(x, body.var, body.domain, body.where)
    if where is not None:
        tests.append(x.plainly(where))
    return made, iterator, tests


def sorted_source(x: Emitter, var: str, domain: Core, where: Core | None) -> tuple[str, Any, list[Any], Core | None]:
    """Return what `source` returns for a loop with a test, and the test that remains after grouping."""
    part = _unforced(x, lambda: _partition(x, var, domain, where))
    if part is None:
        return *source(x, var, domain), where
    return x.bind(var), part[0], [], part[1]


def _partition(x: Emitter, var: str, domain: Core, where: Core | None) -> tuple[Any, Core | None] | None:
    """All things of a kind whose constant attribute has a value: they are sorted out once for all.

    Gives the iterator and what remains of the condition.
    """
    if where is None or not isinstance(domain, n.Things) or x.alone or PARTITIONS not in x.passes:
        return None
    tests = list(where.operands) if isinstance(where, n.Operation) and where.name == "and" else [where]
    for number, test in _reached(x, tests):
        iterator, own = sorted_by(x, var, domain, test), list[Core]()
        if iterator is None and domain.kind == "piece" and NARROWING in x.passes:
            here = pieces_at(var, test)
            iterator = None if here is None or not x.is_safe(here) else x.emit(here)
            if domain.cls is not None:
                own = [n.Exists(n.CheckedLocal(var, t.PIECE, where.span), domain.cls, t.FLAG, where.span)]
        if iterator is not None:
            rest = [*own, *tests[:number], *tests[number + 1 :]]
            return iterator, all_of(rest, where.span) if rest else None
    return None


def _reached(x: Emitter, tests: list[Core]) -> list[tuple[int, Core]]:
    """Return the tests that precede any that may fault, with their numbers; unselective ones last."""
    reached = next((i + 1 for i, test in enumerate(tests) if not x.is_safe(test)), len(tests))
    return sorted(enumerate(tests[:reached]), key=lambda found: is_unlike(found[1]))


def is_unlike(test: Core) -> bool:
    """Return whether an expression is `a != b`."""
    return isinstance(test, n.Operation) and test.name == "!="


def sorted_by(x: Emitter, var: str, domain: n.Things, test: Core) -> Any:
    """Return the things selected by a constant attribute that a test compares, or None."""
    if not isinstance(test, n.Operation) or test.name not in ("==", "!="):
        return None
    for mine, other in (test.operands, test.operands[::-1]):
        column = _column(x, mine, var)
        if column is None or var in local_names(other) or not x.is_safe(other):
            continue
        if test.name == "==":
            made = expression("_1.get(_2, ())", name(part(x, domain, column)), x.emit(other))
            x.mark(made, other)
            return made
        if isinstance(mine.type, t.ThingType) and x.efforts.things(mine.type.kind, None) < FEW_VALUES:
            others = name(part(x, domain, column) + OTHERS)
            made = expression("_1.get(_2, _3)", others, x.emit(other), x.emit(domain))
            x.mark(made, other)
            return made
    return None


def _column(x: Emitter, core: Core, var: str) -> str | None:
    """Return the table of a thing's constant attribute if an expression reads one."""
    match core:
        case n.AttributeOf(kind, attribute, n.CheckedLocal(owner), False) if owner == var:
            told = isinstance(core.type, t.ThingType | t.OneOfType | t.RungType | t.FlagType)
            return x.layout.constants.get((kind, attribute)) if told else None
        case n.Operation("column_of" | "row_of" as called, (n.CheckedLocal(owner),)) if owner == var and _is_grid(x):
            return {"column_of": "COLUMNS", "row_of": "ROWS"}[called]
    return None


def _is_grid(x: Emitter) -> bool:
    """Return whether every place on the map has a column and a row."""
    rs = x.model.ruleset
    places = enumerate(rs.kinds["place"].things)
    cells = () if rs.grid is None else rs.grid.column_row
    return all(place.holding is not None or i < len(cells) and cells[i] is not None for i, place in places)


def part(x: Emitter, domain: n.Things, column: str) -> str:
    """Return the name of the table of all things of a kind by the value of a constant attribute."""
    return x.parts.setdefault((domain.kind, domain.cls, column), f"PART{len(x.parts)}")


def goes_through_filter(x: Emitter, core: Core) -> bool:
    """Return whether an expression is a filter, or a call of a define that is one."""
    return _goes_along(core, x) or _inlines_to_filter(x, core)


def _goes_along(core: Core, x: Emitter) -> TypeGuard[n.Comprehension]:
    """Return whether an expression is a filter that can be tested lazily, member by member."""
    return is_filter(core) and (core.where is None or x.is_safe(core.where))


def _inlines_to_filter(x: Emitter, core: Core) -> bool:
    return x.can_inline(core) and _goes_along(x.model.defines[core.name].value, x)
