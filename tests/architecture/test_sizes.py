"""Files stay small enough to be read, and say what they are for."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.architecture.trees import PACKAGE, ROOT, tree_of

MOST_LINES = 700  # a bound for accidents: a file is split where it has two subjects
VAGUE = {"utils", "util", "helpers", "helper", "manager", "misc", "common"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_module_is_short_and_has_docstring(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    assert ast.get_docstring(tree_of(path)), "a module begins with its one responsibility"
    assert path.stem not in VAGUE, "a module is named after what it does"


def test_grammar_is_short() -> None:
    for path in sorted(PACKAGE.rglob("*.lark")):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_modules_have_limited_length() -> None:
    long = [
        name(path)
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if len(path.read_text(encoding="utf-8").splitlines()) > MOST_LINES
    ]
    assert not long
