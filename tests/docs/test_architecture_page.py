"""Test that the modules, layers, tests and names on the architecture page exist where it says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PACKAGES = sorted(p.name for p in (ROOT / "interpreter").iterdir() if (p / "__init__.py").is_file())


def find(path: str) -> Path | None:
    """Return the file or folder that the page names, relative to `interpreter/` or to the project."""
    for base in (ROOT / "interpreter", ROOT):
        for name in (path.rstrip("/"), path.rstrip("/") + ".py"):
            if (base / name).exists():
                return base / name
    return None


def test_modules_that_page_names_exist() -> None:
    named = re.findall(rf"(?<![\w/.])(?:{'|'.join(PACKAGES)}|tests|docs|schemas)/[\w./-]*[\w/]", PAGE)
    globs = re.findall(r"`([\w/]+\*[\w.]+)`", PAGE)
    assert [path for path in named if find(path) is None and not any(glob.startswith(path) for glob in globs)] == []
    assert globs and all(any((ROOT / "interpreter").glob(glob)) for glob in globs)
    assert len(named) > 100


def test_names_that_page_locates_are_in_those_files() -> None:
    located = re.findall(r"`(\w+)` (?:is )?(?:in|of) `([\w./]+\.\w+)`", PAGE)
    for name, path in located:
        file = find(path)
        assert file is not None and re.search(rf"\b{name}\b", file.read_text(encoding="utf-8")), (name, path)
    assert len(located) > 10


def test_rows_of_changes_have_two_columns_and_end_in_a_place() -> None:
    rows = [line for line in PAGE.split("## Where to change what")[1].splitlines() if line.startswith("| ")]
    assert all(row.count(" | ") == 1 and "`" in row for row in rows[1:])
    subjects = [row.split(" | ")[0] for row in rows]
    assert len(set(subjects)) == len(subjects)


def test_layers_are_those_that_are_enforced() -> None:
    told = PAGE.split("## Layers")[1].split("```text\n")[1].split("```")[0].splitlines()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    enforced = project["tool"]["importlinter"]["contracts"][0]["layers"]
    assert told == [layer.replace(" | ", ", ") for layer in enforced]
