"""Loops over the parameters of an option: predicate pushdown and parameter narrowing.

Whatever may fault keeps its position.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import groupby, takewhile
from typing import Any

from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.expressions.loops import goes_through_filter, is_unlike, loop, sorted_by, through
from interpreter.compiler.optimising.analysis import conjoined, is_range, loops_inside, members_of, narrowed
from interpreter.compiler.optimising.called_rules import opened
from interpreter.compiler.optimising.candidates import candidates
from interpreter.compiler.optimising.flattening import all_of
from interpreter.compiler.optimising.passes import (
    CANDIDATES,
    EARLY,
    HOISTING,
    NARROWING,
    OPENING,
    PARTITIONS,
    REMEMBERING,
)
from interpreter.compiler.python_syntax import constant, expression, located, name, row, statements, stored
from interpreter.compiler.shortcuts.standing_answers import standing
from interpreter.compiler.shortcuts.tidied_loops import noted
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.expressions import local_names

MOST_THINGS = 64  # for which a list is as good as a table
TestOf = Callable[[c.CheckedRequirement, int], Any]  # the quick form of a requirement by its number


def nest(
    x: Emitter,
    test_of: TestOf,
    params: tuple[c.Param, ...],
    requires: tuple[c.CheckedRequirement, ...],
    numbers: list[int],
    innermost: list[ast.stmt],
    apart: frozenset[str] = frozenset(),
) -> list[ast.stmt]:
    """Loops over parameters with requirements as early as they can be tested; `test_of` gives their own tests.

    Of alike pieces one is tried, but for those parameters that `apart` names.
    """
    tests = [r.test for r in requires] if x.asking else _tests(x, requires)
    levels = levels_of(x, params, tests)
    body, each, opening = innermost, 4, list[ast.stmt]()
    for depth in range(len(params), -1, -1):
        here = [tests[i] for i in levels[depth]]
        behind = params[:depth]
        each += sum(x.efforts.of(test) for test in here)
        if x.asking:
            for i in reversed(levels[depth]):
                body = located([ast.If(test_of(requires[i], numbers[i]), body, [])], requires[i].span)
        if depth == 0:
            return [*opening, *(body if x.asking else _behind(x, here, body, ()))]
        param = params[depth - 1]
        chosen = _chosen(x, param, here, {p.name for p in params[depth - 1 :]})
        members = x.efforts.members(param.domain)
        steps = x.efforts.charge_of(members, each)
        left = [test for test in here if test is not chosen]
        ahead = _ahead(x, behind, chosen, left)
        few = None
        if chosen is None and CANDIDATES in x.passes and not param.alike:
            few = candidates(x, param, left)
        if ahead:
            kept = x.temporary()
            opening += statements("_1 = None", stored(kept))
            found = _behind(x, ahead, statements("_1.append(_2)", name(kept), name("v_" + param.name)), (param,))
            gathered = _looped(x, param, chosen, few, [], found, apart, steps)
            turns = _behind(x, [test for test in left if test not in ahead], body, behind)
            again = through(name(kept), steps) if steps else name(kept)
            body = statements("if _1 is None:\n    _2 = []\n    _3", name(kept), stored(kept), gathered)
            body.append(located(ast.For(stored("v_" + param.name), again, turns, []), param.domain.span))
        else:
            first = list[c.Core]()
            in_turn = EARLY in x.passes and not x.noting and _is_set_gone_through(x, param.domain)
            if not x.asking and (param.alike or in_turn):
                first = list(takewhile(lambda test: _is_quick(x, test), left))
            inside = body if x.asking else _behind(x, left[len(first) :], body, behind)
            body = _looped(x, param, chosen, few, first, inside, apart, steps)
        each = x.efforts.of(param.domain) + (0 if steps else members * each)
    raise AssertionError("no depth is left")


def levels_of(x: Emitter, params: tuple[c.Param, ...], tests: list[c.Core]) -> list[list[int]]:
    """Return, for each depth of the parameter loops, the tests evaluated there, in textual order.

    A test moves outwards as far as its inputs allow. One that may fault is not moved before another, nor out of a loop
    that may be empty; and none is moved before anything that may fault above it, or in the domain of an inner loop.
    """
    if EARLY not in x.passes:
        return [*([] for _ in params), [*range(len(tests))]]
    names = [p.name for p in params]
    faulty = [not x.is_safe(p.domain) for p in params]
    empty = [not _has_members(x, p.domain) for p in params]
    out: list[list[int]] = [[] for _ in range(len(params) + 1)]
    deepest = deepest_unsafe = 0
    for index, test in enumerate(tests):
        safe = x.is_safe(test)
        used = local_names(test)
        level = max((names.index(n) + 1 for n in used if n in names), default=0)
        level = max(level, deepest_unsafe if safe else deepest)
        for depth in range(level + 1, len(params) + 1):
            if faulty[depth - 1] or not safe and empty[depth - 1]:
                level = depth
        deepest = max(deepest, level)
        deepest_unsafe = deepest_unsafe if safe else level
        out[level].append(index)
    return out


def _has_members(x: Emitter, domain: c.Core) -> bool:
    """Return whether a set is never empty."""
    match domain:
        case n.Things(kind, cls):
            things = x.model.ruleset.kinds[kind].things
            return any(thing.holding is None and cls in (None, thing.cls) for thing in things)
        case n.Operation("range", (n.Literal(int() as low), n.Literal(int() as high))):
            return low <= high
        case n.Literal(tuple() as members):
            return bool(members)
        case n.Operation("set" | "list", members):
            return bool(members)
    return False


def _chosen(x: Emitter, param: c.Param, tests: list[c.Core], later: set[str]) -> c.Core | None:
    """Return the test that a narrower loop replaces."""
    found = _narrowing(x, param, tests, later) if NARROWING in x.passes else None
    sorts = PARTITIONS in x.passes and not x.asking and not param.alike
    if found is None and sorts and isinstance(param.domain, n.Things):
        for test in sorted(takewhile(x.is_safe, tests), key=is_unlike):
            if not later & local_names(test) - {param.name} and sorted_by(x, param.name, param.domain, test):
                return test
    return found


def _narrowing(x: Emitter, param: c.Param, tests: list[c.Core], later: set[str]) -> c.Core | None:
    """Return the test that narrows a loop, provided that it comes first or that nothing up to it may fault."""
    chosen = narrowed(param, tests, later)
    if chosen is None:
        return None
    members = members_of(param, chosen)
    assert members is not None
    before = tests[: next(i for i, test in enumerate(tests) if test is chosen)]
    if not before and _has_members(x, param.domain) or all(x.is_safe(test) for test in (*before, members)):
        return chosen
    return None


def _behind(x: Emitter, tests: list[c.Core], body: list[ast.stmt], params: tuple[c.Param, ...]) -> list[ast.stmt]:
    """`body` behind tests, inside the loops of some parameters."""
    names = tuple(p.name for p in params)
    for used, some in reversed([(used, list(some)) for used, some in groupby(tests, lambda test: _used(test, names))]):
        if len(used) < len(names) and REMEMBERING in x.passes and _are_costly(x, some):
            body = _remembered(x, some, used, body)
            continue
        for test in reversed(some):
            x.loops = names
            body = x.tested([test], body)
            x.loops = ()
    return body


def _used(test: c.Core, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the loop variables that a test depends on."""
    read = local_names(test)
    return tuple(name for name in names if name in read)


def _are_costly(x: Emitter, tests: list[c.Core]) -> bool:
    """Return whether several consecutive tests iterate something."""
    return len(tests) > 1 and sum(loops_inside(x.model, test, 1) for test in tests) > 1


def _remembered(x: Emitter, tests: list[c.Core], used: tuple[str, ...], body: list[ast.stmt]) -> list[ast.stmt]:
    """Guard `body` by tests evaluated once per value of the loop variables they depend on."""
    things = _few_things(x, tests, used)
    if things and (lasting := standing(x, tests, "v_" + used[0], things)) is not None:
        return located([ast.If(lasting, body, [])], tests[0].span)  # type: ignore[no-any-return]
    table = x.temporary()
    x.memories[table] = expression("{}") if things is None else expression("[None] * _1", constant(things))
    before, found = x.decided(all_of(tests, tests[0].span))
    keys = [name("v_" + loop_name) for loop_name in used]
    key = row(keys) if keys else constant(0)
    known = "_1 = _3[_4]" if things is not None else "_1 = _3.get(_4)"
    settled = statements(
        known + "\nif _2 is None:\n    _5\n    _3[_4] = _2", stored(found), name(found), name(table), key, before
    )
    return located([*settled, ast.If(name(found), body, [])], tests[0].span)  # type: ignore[no-any-return]


def _few_things(x: Emitter, tests: list[c.Core], used: tuple[str, ...]) -> int | None:
    """Return the size of the kind that the one variable of some tests ranges over, if it is small."""
    if len(used) != 1:
        return None
    types = [part.type for test in tests for part in n.descendants(test) if n.is_local(part, used[0])]
    kinds = {ty.kind if isinstance(ty, t.ThingType) else None for ty in types}
    kind = kinds.pop()
    things = 0 if kinds or kind is None else x.efforts.things(kind, None)
    return things if 0 < things <= MOST_THINGS else None


def _ahead(x: Emitter, params: tuple[c.Param, ...], chosen: c.Core | None, tests: list[c.Core]) -> list[c.Core]:
    """Return the tests of the last parameter that do not depend on the others; its candidates are computed once."""
    if HOISTING not in x.passes or len(params) < 2 or x.asking:
        return []
    outer = {p.name for p in params[:-1]}
    if not outer.isdisjoint(local_names(params[-1].domain) | (local_names(chosen) if chosen is not None else set())):
        return []
    return [test for test in takewhile(x.is_safe, tests) if outer.isdisjoint(local_names(test))]


def _tests(x: Emitter, requires: tuple[c.CheckedRequirement, ...]) -> list[c.Core]:
    """Return the tests of some requirements, split into conjuncts."""
    parts = [part for r in requires for part in conjoined(r.test)]
    if OPENING not in x.passes:
        return parts
    return [test for part in parts for test in opened(x.model, part, x.is_safe)]


def _looped(
    x: Emitter,
    param: c.Param,
    chosen: c.Core | None,
    few: Any,
    first: list[c.Core],
    body: list[ast.stmt],
    apart: frozenset[str],
    steps: int,
) -> list[ast.stmt]:
    """Compile a loop over a parameter's values, narrowed by tests if possible. The cheap tests come `first`.

    Of equal pieces, which pass the same tests, one is tried; equality is only determined for pieces that pass.
    """
    is_told = param.alike and param.name not in apart and few is None and chosen is None
    if is_told:
        seen = "a_" + param.name
        body = statements("if _is_first(G, _1, _2):\n    _3", name("v_" + param.name), name(seen), body)
    along = few is None and chosen is None and _is_set_gone_through(x, param.domain)
    if not along:
        body = x.tested(first, body)
    if few is not None:
        looped: list[ast.stmt] = [ast.For(stored("v_" + param.name), through(few, steps), body, [])]
    elif chosen is not None:
        looped = _narrowed_loop(x, param, chosen, body, steps)
    elif isinstance(param.domain.type, t.ListType) and not is_range(param.domain):
        once = expression("_once(_1)", x.emit(param.domain))
        looped = [ast.For(stored("v_" + param.name), through(once, steps), body, [])]
    else:
        looped = loop(x, param.name, param.domain, body, steps, first if along else ())
    if is_told:
        looped = [*statements("_1 = {}", stored(seen)), *looped]
    located(looped, param.domain.span)
    return noted(looped, param.domain)


def _is_set_gone_through(x: Emitter, domain: c.Core) -> bool:
    """Return whether a domain is a filtered set that is evaluated lazily."""
    return isinstance(domain.type, t.SetType) and goes_through_filter(x, domain)


def _is_quick(x: Emitter, test: c.Core) -> bool:
    """Return whether a test is cheaper than finding equal pieces, and cannot fault."""
    calls = any(isinstance(part, n.CheckedCall | n.Comprehension | n.Exists) for part in n.descendants(test))
    return not calls and x.is_safe(test)


def _narrowed_loop(x: Emitter, param: c.Param, chosen: c.Core, body: list[ast.stmt], steps: int) -> list[ast.stmt]:
    """Compile the loop over those for which the narrowing test holds."""
    members = members_of(param, chosen)
    assert isinstance(param.domain, n.Things)
    if members is None:
        sorted_out = sorted_by(x, param.name, param.domain, chosen)
        return [ast.For(stored("v_" + param.name), through(sorted_out, steps), body, [])]
    within, (before, around) = x.within(param.name, param.domain), x.lifted(members)
    inside: list[ast.stmt] = [ast.If(within, body, [])] if within is not None else body
    return [*before, ast.For(stored("v_" + param.name), through(around, steps), inside, [])]
