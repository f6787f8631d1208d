"""Test that modules and names of Python that the pages mention exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = {page: page.read_text(encoding="utf-8") for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))}
IMPORT = re.compile(r"\bfrom ((?:interpreter|tests)[\w.]*) import (\w+(?:, \w+)*)")
MODULE = re.compile(r"\bpython -m ((?:interpreter|tests)[\w.]*\w)")
IMPORTED = sorted(
    {(module, name) for text in TEXT.values() for module, names in IMPORT.findall(text) for name in names.split(", ")}
)
RUN = sorted({module for text in TEXT.values() for module in MODULE.findall(text)})


def _iter_top_level_names(module: str) -> Iterator[str]:
    """Yield the names that a module defines or imports, by its source."""
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    for node in ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=targets):
                yield from (target.id for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                yield from (alias.asname or alias.name for alias in aliases)


@pytest.mark.parametrize("module", sorted({module for module, _name in IMPORTED}))
def test_names_of_source_are_names_of_imported_module(module: str) -> None:
    """Check the fallback for modules that cannot be imported against those that can."""
    imported = pytest.importorskip(module, exc_type=ModuleNotFoundError)
    assert set(_iter_top_level_names(module)) <= set(dir(imported))


@pytest.mark.parametrize(("module", "name"), IMPORTED)
def test_name_that_a_page_imports_exists(module: str, name: str) -> None:
    try:
        names = set(dir(import_module(module)))
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.split(".")[0] in ("interpreter", "tests"):
            raise
        names = set(_iter_top_level_names(module))  # the module needs a package that is not installed here
    assert name in names


@pytest.mark.parametrize("module", RUN)
def test_module_that_a_page_runs_exists(module: str) -> None:
    assert find_spec(module) is not None
