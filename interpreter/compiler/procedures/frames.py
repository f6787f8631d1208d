"""The locals of a suspended procedure: which there are, how a frame keeps them, how they are taken out again.

Must not know where a procedure is cut.
"""

from __future__ import annotations

import ast

from interpreter.checker.suspension import walk
from interpreter.compiler.python_syntax import constant, expression, name, stored
from interpreter.model import core as c


def all_locals() -> ast.Tuple:
    """The tuple of locals of a frame, empty until all of them are known."""
    return ast.Tuple([], ast.Load())


def unpacked(everything: list[str], kept: dict[int, list[str]] | None) -> list[ast.stmt]:
    """Takes the locals out of a frame again; with `kept` each block has its own, and the others hold nothing."""

    def taken(names: list[str]) -> list[ast.stmt]:
        if not names:
            return [ast.Pass()]
        return [ast.Assign([ast.Tuple([stored(n) for n in names], ast.Store())], name("L"))]

    if kept is None:
        return taken(everything)
    out: list[ast.stmt] = [ast.Assign([stored(n)], constant(None)) for n in everything]
    for block, names in kept.items():
        out.append(ast.If(expression("pc == _1", constant(block)), taken(names), []))
    return out or [ast.Pass()]


def fill_locals(held: ast.Tuple, names: list[str]) -> None:
    """Puts the locals that a block needs where a frame is left for it."""
    held.elts = [ast.copy_location(name(n), held) for n in names]


def locals_declared(p: c.CheckedProcedure) -> list[str]:
    """Python names of every local a procedure declares, parameters first."""
    found: dict[str, None] = {"v_" + n: None for n, _ in p.params}
    for stmt in walk(p.body):
        match stmt:
            case c.SetLocal(name=n):
                found["v_" + n] = None
            case c.Loop(var=str() as n):
                found["v_" + n] = None
            case c.RollDice(var=n) | c.DrawMembers(var=n):
                found["v_" + n] = None
            case c.CallProcedure(var=str() as n) | c.DecideDraft(var=str() as n):
                found["v_" + n] = None
            case c.MatchPart():
                for _, var, _ in stmt.arms:
                    if var is not None:
                        found["v_" + var] = None
            case c.Decide():
                for choice in stmt.choices:
                    for param in choice.params:
                        found["v_" + param.name] = None
    return list(found)
