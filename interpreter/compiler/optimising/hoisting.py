"""Loop-invariant code motion: sets, counts, quantifiers and partial filters of inner loops.

Hoisted values are computed on first use, so no fault appears that plain evaluation would not reach; only tests that
cannot fault move ahead of others.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from interpreter.compiler.python_syntax import assigned, constant, expression, name
from interpreter.compiler.python_trees import bound_in, parts_of


@dataclass(frozen=True, slots=True)
class Around:
    """Enclosing loop of the code being emitted: its variable, the code before it, the number of names in use.

    `ahead` are later names for what is computed once for all its iterations.
    """

    variable: str
    opening: list[ast.stmt]
    names: int
    ahead: set[str] = field(default_factory=set)


def hangs_on(nodes: list[Any], loop: Around) -> bool:
    """Return whether expressions read anything that differs between iterations of a loop."""
    found = parts_of(list(nodes))
    read = {x.id for x in found if isinstance(x, ast.Name)} - bound_in(found) - loop.ahead
    return any(x == loop.variable or _number(x) > loop.names for x in read)


def _number(identifier: str) -> int:
    """Return the number of a temporary name; 0 for any other name."""
    digits = identifier[1:].partition("_")[0]
    return int(digits) if identifier[:1] in ("x", "w") and digits.isdigit() else 0


def steady(nodes: list[Any], loops: list[Around]) -> list[Around]:
    """Return the innermost enclosing loops in which expressions are invariant, outermost first."""
    hanging = next((i for i in reversed(range(len(loops))) if hangs_on(nodes, loops[i])), -1)
    return loops[hanging + 1 :]


def kept(made: str, found: list[ast.stmt], loops: list[Around]) -> ast.stmt:
    """Return a statement that computes a value on first use for all iterations of some loops.

    `found` stores the value in `made`.
    """
    for loop in loops:
        loop.ahead.add(made)
    loops[0].opening.append(assigned(made, constant(None)))
    return ast.If(expression("_1 is None", name(made)), found, [])
