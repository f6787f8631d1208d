"""Memoization by identity: a result for a thing stays valid while its inputs are the same objects.

Stored are the inputs (the occupants of a place, or the thing's value) with which a test last held and last failed.
Values of a state never change in place, so the same object is the same value in every position of every game. Tests
that may fault, charge steps, or read anything else are left alone.
"""

from __future__ import annotations

import ast

from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.optimising.flattening import all_of, is_finite
from interpreter.compiler.optimising.passes import LASTING
from interpreter.compiler.python_syntax import (
    call_of,
    constant,
    expression,
    function,
    located,
    name,
    row,
    statements,
    stored,
    table_name,
)
from interpreter.compiler.python_trees import bound_in, parts_of, read_of
from interpreter.compiler.shortcuts.tidied_loops import named
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.runtime.program import AT_ONCE


def standing(x: Emitter, tests: list[c.Core], key: str, things: int) -> ast.expr | None:
    """Return the memoized conjunction of tests for one of `things` things named `key`.

    Returns None if it depends on more than one value of the state.
    """
    if LASTING not in x.passes or not all(map(x.is_safe, tests)):
        return None
    span = tests[0].span
    before = x.tested([all_of(tests, span)], statements("holds[_1] = here\nreturn True", name(key)))
    parts = parts_of(before)
    own = [part for part in parts if read_of(part)[1] == key]
    reads = {ast.dump(part): part for part in own}
    if len(reads) != 1 or sum(isinstance(part, ast.Name) and part.id == "G" for part in parts) > len(own):
        return None
    free = {
        "v_" + part.name: part for test in tests for part in n.descendants(test) if isinstance(part, n.CheckedLocal)
    }
    bound = bound_in(parts)
    given = sorted(
        {part.id for part in parts if isinstance(part, ast.Name) and part.id[:1].islower()} - bound - _PLAIN - {key}
    )
    if any(local not in free or not is_finite(free[local].type) for local in given):
        return None
    (read,) = reads.values()
    keys = [name(local) for local in given]
    nothing = expression("[...] * _1", constant(things))  # no value is an ellipsis
    wanted, few = row(keys), _few(x, [free[local].type for local in given])
    if few:
        nothing = expression("[_1 for _ in range(_2)]", nothing, constant(few))
    kept = list[str]()
    for answer in ("holds", "fails"):
        made, held = table_name((answer, given, key, things, *map(ast.dump, before))), x.temporary()
        made = AT_ONCE + made if few else made
        if is_new := made not in x.tables:
            x.tables[made] = None
            x.made.append((function(made.lower(), [] if few else given, [ast.Return(nothing)], span), span))
        x.memories[held] = expression("_1[_2]", name(made), wanted)
        kept.append(held)
    asked = "stands_" + made.lower()
    if is_new:
        asking = named(before, read.value.attr, key, "here")
        told = statements("_1\nfails[_2] = here\nreturn False", asking, name(key))
        x.made.append((function(asked, [*given, key, "here", "holds", "fails"], told, span), span))
    here = x.temporary()
    call = call_of(asked, *keys, name(key), name(here), *map(name, kept))
    stands = ast.NamedExpr(stored(here), read)
    test = expression("_1 is _2[_4] or _5 is not _3[_4] and _6", stands, *map(name, kept), name(key), name(here), call)
    return located(test, span)  # type: ignore[no-any-return]


def _few(x: Emitter, given: list[t.Type]) -> int:
    """Return how many things the one name that tests depend on can stand for, if they are few; else 0."""
    match given:
        case [t.ThingType(kind=kind)]:
            things = x.efforts.things(kind, None)
            return things if things <= MOST_AT_ONCE else 0
    return 0


MOST_AT_ONCE = 8  # lists of answers
_PLAIN = frozenset(
    {"holds", "here", "len", "any", "all", "sum", "min", "max", "int", "tuple", "range", "abs", "sorted"}
)
