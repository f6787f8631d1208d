"""Files stay small enough to be read, and say what they are for."""

from __future__ import annotations

import ast
import builtins
from pathlib import Path

import pytest

from tests.architecture.trees import PACKAGE, ROOT, nodes_of, tree_of

MOST_LINES = 600
VAGUE = {"utils", "util", "helpers", "helper", "manager", "misc", "common"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_is_short_and_says_what_it_is_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    assert ast.get_docstring(tree_of(path)), "a module begins with its one responsibility"
    assert path.stem not in VAGUE, "a module is named after what it does"


def test_the_grammar_is_short() -> None:
    for path in sorted(PACKAGE.rglob("*.lark")):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_tests_are_short() -> None:
    long = [
        name(path)
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if len(path.read_text(encoding="utf-8").splitlines()) > MOST_LINES
    ]
    assert not long


def test_no_class_of_ours_inherits_from_another_of_ours() -> None:
    """But exceptions, which must be caught by kind."""
    classes: dict[str, list[tuple[Path, ast.ClassDef]]] = {}
    for path in MODULES:
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append((path, node))
    found = [
        f"{name(path)}: {own}({base.id})"
        for own, declared in classes.items()
        for path, node in declared
        for base in node.bases
        if isinstance(base, ast.Name) and base.id in classes and not _is_exception(base.id, path, classes)
    ]
    assert not found


def _is_exception(own: str, where: Path, classes: dict[str, list[tuple[Path, ast.ClassDef]]]) -> bool:
    """True for built-in exceptions and for classes of ours that come from one.

    Two modules may have classes of one name: that of the module itself counts before all others.
    """
    if own not in classes:
        known = getattr(builtins, own, None)
        return isinstance(known, type) and issubclass(known, BaseException)
    declared = [(path, node) for path, node in classes[own] if path == where] or classes[own]
    return all(
        any(isinstance(b, ast.Name) and _is_exception(b.id, path, classes) for b in node.bases)
        for path, node in declared
    )
