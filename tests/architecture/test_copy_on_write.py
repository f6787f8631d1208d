"""Test that code copies a state's shared columns before it writes to them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from interpreter.runtime.state import LENT
from tests.architecture.trees import PACKAGE, ROOT, tree_of

OWNERS = {"own_list", "copy_shared_lists"}
CHANGING = {"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"}
NAMED = re.compile(rf"\.({'|'.join(LENT)})\b|getattr\(")  # a module without these writes to no column
Function = ast.FunctionDef | ast.AsyncFunctionDef


def columns_in(node: ast.AST, aliases: set[str]) -> bool:
    """Return True if an expression is a list that a state may share: `state.at`, `getattr(state, slot)` or an alias."""
    match node:
        case ast.Attribute(attr=attr):
            return attr in LENT
        case ast.Call(func=ast.Name("getattr"), args=[first, *_]):
            return ast.unparse(first).split(".")[-1] == "state"
        case ast.Name(name):
            return name in aliases
    return False


def aliases_of(function: Function) -> set[str]:
    """Return the names that are aliases of such a list."""
    found: set[str] = set()
    for node in ast.walk(function):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=False))
            found |= {t.id for t, value in pairs if isinstance(t, ast.Name) and columns_in(value, set())}
    return found


def written(function: Function) -> Iterator[int]:
    """Yield the lines that write to such a list."""
    aliases = aliases_of(function)
    for node in ast.walk(function):
        match node:
            case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()) if columns_in(value, aliases):
                yield node.lineno
            case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in CHANGING:
                if columns_in(value, aliases):
                    yield node.lineno


def writers(tree: ast.AST) -> Iterator[tuple[str, int, bool]]:
    """Yield functions that write to such a list: name, line, and whether the function copies the list first."""
    for function in ast.walk(tree):
        if isinstance(function, Function):
            calls = {n.func.id for n in ast.walk(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
            for line in written(function):
                yield function.name, line, bool(calls & OWNERS)


def test_column_write_copies_shared_column() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line} {name}": owns
        for path in sorted(PACKAGE.rglob("*.py"))
        if NAMED.search(path.read_text(encoding="utf-8"))
        for name, line, owns in writers(tree_of(path))
    }
    assert [where for where, owns in found.items() if not owns] == []
    assert len(found) >= 10, "what moves pieces and edits positions is seen"


def test_writer_without_copy_on_write_is_reported() -> None:
    tree = ast.parse(
        "def put(state, slot, piece):\n    at, values = state.at, getattr(state, slot)\n    at[piece] = 1\n"
    )
    assert [(name, owns) for name, _line, owns in writers(tree)] == [("put", False)]
