"""Test that modules and names of Python that the pages mention exist."""

from __future__ import annotations

import re
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


@pytest.mark.parametrize(("module", "name"), IMPORTED)
def test_name_that_a_page_imports_exists(module: str, name: str) -> None:
    try:
        found = import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.split(".")[0] in ("interpreter", "tests"):
            raise
        pytest.skip(f"needs {missing.name}")
    assert hasattr(found, name)


@pytest.mark.parametrize("module", RUN)
def test_module_that_a_page_runs_exists(module: str) -> None:
    assert find_spec(module) is not None
