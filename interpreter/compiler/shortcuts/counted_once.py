"""Reuse of counts: members known to pass or fail a test are not counted again.

Works on finished Python statements annotated by `enough.countable`, in functions that write no column.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import partial

from interpreter.compiler.python_syntax import name, placed, statements, stored
from interpreter.compiler.python_trees import bound_in, inside, parts_of

Known = Mapping[str, tuple[str, bool, frozenset[str]]]  # a count: its name, whether of equals, the names it hangs on


def counted_once(body: list[ast.stmt], known: Known | None = None) -> list[ast.stmt]:
    """Rewrite the statements of a function, or of a part before which some counts are known."""
    out: list[ast.stmt] = []
    here = dict(known or {})
    for part in body:
        count = _count(out[-1], part) if out and isinstance(part, ast.For) else None
        if count is not None:
            told, total, equal, hangs_on = count
            before = here.get(told)
            if before is not None:
                text = "_1 = _2" if before[1] is equal else "_1 = len(_3) - _2"
                made = statements(text, stored(total), name(before[0]), part.iter)  # type: ignore[attr-defined]
                out[-1:] = placed(made, part)
                continue
            here[told] = total, equal, hangs_on
            out.append(part)
            continue
        if here:
            lost = bound_in(parts_of(part))
            here = {told: found for told, found in here.items() if not lost & {found[0], *found[2]}}
        out.append(inside(part, partial(counted_once, known=here)))
    return out


def _count(begun: ast.stmt, loop: ast.For) -> tuple[str, str, bool, frozenset[str]] | None:
    """Match a loop that counts members by one comparison.

    Returns its key, the name of the count, whether it counts equal members, and the names it depends on.
    """
    match begun, loop:
        case (
            ast.Assign(targets=[ast.Name(id=total)], value=ast.Constant(value=0)),
            ast.For(
                target=ast.Name(id=member),
                body=[
                    ast.If(
                        test=ast.Compare(left, [ast.Eq() | ast.NotEq() | ast.Is() | ast.IsNot() as how], [right]),
                        orelse=[],
                    ) as asked
                ],
                orelse=[],
            ),
        ) if getattr(loop, "counts", False) and isinstance(asked.body[0], ast.AugAssign):
            sides = sorted(ast.dump(side).replace(f"id='{member}'", "id=''") for side in (left, right))
            names = {x.id for x in parts_of([loop.iter, left, right]) if isinstance(x, ast.Name)} - {member}
            return f"{ast.dump(loop.iter)} {sides}", total, isinstance(how, ast.Eq | ast.Is), frozenset(names)
    return None
