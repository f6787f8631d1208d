"""Imports go down only, as pyproject.toml says; and the modules of play import no source of chance."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.trees import PACKAGE, ROOT, nodes_of

# What decides a game, or reads a stranger's file on the way to one.
PLAY = ("diagnostics", "runtime", "model", "documents", "language", "checker", "lowering", "passes", "ir", "programs")
CHANCE_AND_DANGER = {
    "random": "dice are part of the state",
    "secrets": "dice are part of the state",
    "uuid": "ids are the author's",
    "time": "play must not depend on the clock",
    "datetime": "play must not depend on the clock",
    "pickle": "a stranger's file must not run code",
    "marshal": "a stranger's file must not run code",
    "shelve": "a stranger's file must not run code",
    "subprocess": "a ruleset reaches nothing outside",
    "socket": "a ruleset reaches nothing outside",
    "urllib": "a ruleset reaches nothing outside",
    "http": "a ruleset reaches nothing outside",
}
CALLS = {"eval", "exec", "__import__", "breakpoint"}
# Linking runs the code objects that the compiler built out of checked rules, and never text.
MAY_CALL = {"interpreter/runtime/program.py": {"exec"}}
# Only files that this program itself wrote into the user's own cache folder, behind a digest.
MAY_IMPORT = {
    "interpreter/programs/program_cache.py": {"marshal"},
    "interpreter/language/parser_tables.py": {"marshal"},
}


def modules(*layers: str) -> Iterator[Path]:
    """Return the Python files of some layers."""
    for layer in layers:
        yield from sorted((PACKAGE / layer).rglob("*.py"))


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Line and top-level name of everything a module imports, wherever in it."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.lineno, node.module.split(".")[0]


def test_imports_obey_layers() -> None:
    """Check the contracts of pyproject.toml with import-linter itself."""
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", command, "--no-cache"], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("layer", PLAY)
def test_play_imports_no_chance_and_no_danger(layer: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name} ({CHANCE_AND_DANGER[name]})"
        for path in modules(layer)
        for line, name in imported(path)
        if name in CHANCE_AND_DANGER.keys() - MAY_IMPORT.get(path.relative_to(ROOT).as_posix(), set())
    ]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("layer", PLAY)
def test_play_evaluates_no_text(layer: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.func.id}"
        for path in modules(layer)
        for node in nodes_of(path)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in CALLS - MAY_CALL.get(path.relative_to(ROOT).as_posix(), set())
    ]
    assert not found, "\n" + "\n".join(found)


def test_every_layer_of_play_contains_modules() -> None:
    assert all(any(modules(layer)) for layer in PLAY)
