"""What is answered of a thing lasts as long as what it was told from: beside the answer stand the pieces at the place,
or the thing's own values, that were read for it, and it is asked anew where others stand there.

Values of a state never change in place, so that what is the same object is the same value, in every position of every
game. Must not keep what may fault, counts steps, or reads anything of the state besides.
"""

from __future__ import annotations

import ast
from typing import Any

from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.optimising.flattening import is_finite
from interpreter.compiler.optimising.passes import LASTING
from interpreter.compiler.python_syntax import (
    constant,
    expression,
    function,
    name,
    parts_of,
    statements,
    stored,
    table_name,
    tuple_of,
)
from interpreter.model import core as c, nodes as n

MOST_READ = 2  # values that are looked at to see whether an answer still stands


def standing(
    x: Emitter, tests: list[c.Core], key: str, table: str, found: str, before: list[ast.stmt], things: int
) -> tuple[ast.expr, list[ast.stmt]] | None:
    """What the name `table` begins as, and the statements that leave in `found` what `before` works out of one of the
    things, of which there are so many and whose name is `key`; None where it hangs on more."""
    if LASTING not in x.passes or not all(map(x.is_safe, tests)):
        return None
    parts = parts_of(before)
    reads = {ast.dump(part): part for part in parts if _is_own(part, key)}
    if not 0 < len(reads) <= MOST_READ or _count(parts, "G") != sum(_is_own(part, key) for part in parts):
        return None
    free = {"v_" + part.name: part for test in tests for part in n.descendants(test) if isinstance(part, n.Local)}
    bound = {part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
    bound |= {part.arg for part in parts if isinstance(part, ast.arg)}
    given = sorted(
        {part.id for part in parts if isinstance(part, ast.Name) and part.id[:1].islower()} - bound - _PLAIN - {key}
    )
    if any(local not in free or not is_finite(free[local].type) for local in given):
        return None
    span, fresh = tests[0].span, x.temporary()
    made = table_name((span.file, "lasting", given, key, things, *map(ast.dump, before)))
    x.tables[made] = None
    nothing = tuple_of([constant(None), *(ast.Constant(...) for _ in reads)])  # no value is an ellipsis
    rows = expression("[_1] * _2", nothing, constant(things))
    x.made.append((function(made.lower(), given, [ast.Return(rows)], span), span))
    keys = [name(local) for local in given]
    begun = ast.Subscript(name(made), keys[0] if len(keys) == 1 else tuple_of(keys), ast.Load())
    known = [f"{fresh}_{number}" for number in range(len(reads))]
    others = [expression("_1 is not _2", name(old), read) for old, read in zip(known, reads.values(), strict=True)]
    return begun, statements(
        "_1 = _2[_3]\nif _4:\n    _5\n    _2[_3] = _6",
        ast.Tuple([stored(found), *map(stored, known)], ast.Store()),
        name(table),
        name(key),
        others[0] if len(others) == 1 else ast.BoolOp(ast.Or(), others),
        before,
        tuple_of([name(found), *reads.values()]),
    )


_PLAIN = frozenset({"len", "any", "all", "sum", "min", "max", "int", "tuple", "range", "abs", "sorted"})


def _is_own(part: Any, key: str) -> bool:
    """True for a value of the thing, or the pieces at it, in the state."""
    match part:
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id="G")), slice=ast.Name(id=thing), ctx=ast.Load()):
            return bool(thing == key)
    return False


def _count(parts: list[Any], identifier: str) -> int:
    return sum(isinstance(part, ast.Name) and part.id == identifier for part in parts)
