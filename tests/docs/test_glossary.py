"""Every dotted name in the glossary is a module, a class or a function of the package."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split(" | ")]
    for line in (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ")
]
PACKAGES = sorted(path.parent.name for path in (ROOT / "interpreter").glob("*/__init__.py"))
NAMES = sorted(set(re.findall(rf"`((?:{'|'.join(PACKAGES)})(?:\.\w+)+)`", "\n".join(row[-1] for row in ROWS))))


def resolves(name: str) -> bool:
    """Return whether a dotted name below the package is a module, or is defined in one (not only imported there)."""
    try:
        if find_spec(f"interpreter.{name}") is not None:
            return True
    except ModuleNotFoundError:
        pass
    module, _, attribute = name.rpartition(".")
    try:
        found: object = import_module(f"interpreter.{module}")
    except ModuleNotFoundError:  # a class and its method
        module, _, owner = module.rpartition(".")
        found, attribute = import_module(f"interpreter.{module}"), f"{owner}.{attribute}"
    for part in attribute.split("."):
        found = getattr(found, part, None)
    return found is not None and getattr(found, "__module__", f"interpreter.{module}") == f"interpreter.{module}"


@pytest.mark.parametrize("name", NAMES)
def test_dotted_name_of_glossary_resolves(name: str) -> None:
    assert resolves(name)


def test_every_row_has_all_columns_and_terms_are_unique() -> None:
    assert len(NAMES) > 40
    assert {len(row) for row in ROWS} == {3}
    terms = [row[0] for row in ROWS if row[0] != "term"]
    assert len(terms) == len(set(terms))


def test_name_that_is_missing_does_not_resolve() -> None:
    assert resolves("runtime.state") and not resolves("runtime.state.Nothing")
    assert resolves("saves.journal_lines.Journal") and not resolves("saves.journal.Journal"), "imported there only"
