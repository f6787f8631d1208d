"""The modules of the interpreter as syntax trees, each parsed once however many tests look at it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "interpreter"


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the shared tree of a module; callers must not change it."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Everything in it, in the order of `ast.walk`."""
    return tuple(ast.walk(tree_of(path)))
