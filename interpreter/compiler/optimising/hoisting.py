"""What need not be worked out anew in every turn of a loop: sets, counts and quantifiers that do not hang on it, and
which members of an inner loop pass those tests that do not.

It is done when it is first come to, so nothing faults that plain evaluation would not come to; and only tests that
cannot fault are made ahead of others. Must not decide what a loop runs over.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from interpreter.compiler.python_syntax import assigned, constant, expression, name
from interpreter.compiler.python_trees import bound_in, parts_of


@dataclass(frozen=True, slots=True)
class Around:
    """A loop that code is being made inside of: its variable, what stands before it, how many names were in use.

    `ahead` are later names for what is worked out once for all its turns.
    """

    variable: str
    opening: list[ast.stmt]
    names: int
    ahead: set[str] = field(default_factory=set)


def hangs_on(nodes: list[Any], loop: Around) -> bool:
    """True when expressions read what differs from one turn of a loop to the next."""
    found = parts_of(list(nodes))
    read = {x.id for x in found if isinstance(x, ast.Name)} - bound_in(found) - loop.ahead
    return any(x == loop.variable or _number(x) > loop.names for x in read)


def _number(identifier: str) -> int:
    """The number of a name made in passing; 0 of every other."""
    digits = identifier[1:].partition("_")[0]
    return int(digits) if identifier[:1] in ("x", "w") and digits.isdigit() else 0


def steady(nodes: list[Any], loops: list[Around]) -> list[Around]:
    """The innermost loops that some expressions do not hang on, the outermost of them first."""
    hanging = next((i for i in reversed(range(len(loops))) if hangs_on(nodes, loops[i])), -1)
    return loops[hanging + 1 :]


def kept(made: str, found: list[ast.stmt], loops: list[Around]) -> ast.stmt:
    """A statement that works a value out when first come to, for all turns of some loops: `found` puts it in `made`."""
    for loop in loops:
        loop.ahead.add(made)
    loops[0].opening.append(assigned(made, constant(None)))
    return ast.If(expression("_1 is None", name(made)), found, [])
