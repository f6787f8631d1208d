"""Compiled syntax nodes are made with all their fields: newer Pythons refuse a node whose fields come later."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from interpreter.compiler.assembling import compile_model
from interpreter.compiler.beside_play import BESIDE, procedures_beside
from tests.tiny import build

RULES = """
    draft pair(a: army) unordered starting picked = {}:
        option add(n in 1..4) now picked = picked + {n} "and {n}":
            require fresh: n not in picked  "{n} is picked already"
        finish require due: count(picked) == 2  "two are due"
    define near(p: place) = count(q in neighbours(p) where any u in units at q)
    tally worth(a: army):
        + 1 if any u in units where u.army == a "there"
    procedure run(a: army):
        choose who by a "who":
            option go(u in units, p in places):
                require own: u.army == a "not yours"
                roll x: 2 of die -> thrown
                set a.score = near(p) + count(thrown) + worth(a)
                move u to p
        pair(a) by a -> result
        ask(a) -> n
        report note(n)
"""


def required(cls: type) -> frozenset[str]:
    """Return the fields that a node of a class must be made with, by the grammar in its docstring."""
    told = re.search(r"\((.*)\)", cls.__doc__ or "")
    parts = [part.split() for part in told.group(1).split(",")] if told else []
    return frozenset(
        name for kind, name in parts if kind[-1] not in "?*" and kind != "expr_context" and name in cls._fields
    )


@pytest.fixture
def incomplete(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The nodes that are made without a field meanwhile."""
    found: list[str] = []

    def checked(cls: Any, needed: frozenset[str]) -> Any:
        made = cls.__init__

        def init(self: Any, *args: Any, **named: Any) -> None:
            given = {*cls._fields[: len(args)], *named}
            unknown = named.keys() - {*cls._fields, *cls._attributes}
            if needed - given or unknown:
                found.append(f"{cls.__name__} without {sorted(needed - given)}, with {sorted(unknown)}")
            made(self, *args, **named)

        return init

    for cls in [x for x in vars(ast).values() if isinstance(x, type) and issubclass(x, ast.AST) and x._fields]:
        if "__init__" not in vars(cls) or cls.__module__ == "ast":
            monkeypatch.setattr(cls, "__init__", checked(cls, required(cls)), raising=False)
    yield found


def test_grammar_shows_required_fields() -> None:
    assert required(ast.Subscript) == {"value", "slice"} and required(ast.Call) == {"func"}


def test_compiler_makes_no_incomplete_node(tmp_path: Path, incomplete: list[str]) -> None:
    model = build(tmp_path, RULES).model
    assert model is not None
    play = compile_model(model).data
    for form in ("covered", "asked"):
        compile_model(model, form)
    for form in BESIDE:
        procedures_beside(model, form, play)
    assert not incomplete, incomplete[:5]
    with warnings.catch_warnings(), suppress(TypeError):  # newer Pythons warn or refuse
        warnings.simplefilter("ignore")
        ast.Subscript(value=ast.Name("a"))
    assert incomplete == ["Subscript without ['slice'], with []"], "the fixture notices incomplete nodes"


def test_compiler_raises_no_warning(tmp_path: Path) -> None:
    code = "import interpreter; interpreter.load('napoleon').form('odds')"
    root = Path(__file__).resolve().parents[2]
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=root,
        env={"GROGNARD_NO_CACHE": "1", "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
