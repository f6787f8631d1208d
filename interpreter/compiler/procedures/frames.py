"""Locals of a suspended procedure: how a frame stores and restores them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from interpreter.checker.suspension import walk
from interpreter.compiler.python_syntax import all_stored, assigned, constant, expression, name
from interpreter.model import statements as c


def all_locals() -> ast.Tuple:
    """Return the tuple of a frame's locals, empty until all of them are known."""
    return ast.Tuple([], ast.Load())


def unpacked(everything: list[str], kept: dict[int, list[str]] | None) -> list[ast.stmt]:
    """Return statements that restore the locals from a frame; with `kept`, only those that each block needs."""
    if kept is None:
        return taken(everything) or [ast.Pass()]
    out = emptied(everything)
    for block, names in kept.items():
        out.append(ast.If(expression("pc == _1", constant(block)), taken(names) or [ast.Pass()], []))
    return out or [ast.Pass()]


def taken(names: list[str], held: str = "L") -> list[ast.stmt]:
    """Unpack a tuple into names, if there are any."""
    return [ast.Assign([all_stored(names)], name(held))] if names else []


def emptied(names: Iterable[str]) -> list[ast.stmt]:
    """Names that hold nothing."""
    return [assigned(n, constant(None)) for n in names]


def fill_locals(held: ast.Tuple, names: list[str]) -> None:
    """Fill in the locals that a block needs where a frame is suspended for it."""
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
