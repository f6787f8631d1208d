"""Test that the modules, layers and tests named on the architecture page exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PACKAGES = sorted(p.name for p in (ROOT / "interpreter").iterdir() if (p / "__init__.py").is_file())


def test_modules_that_page_names_exist() -> None:
    named = re.findall(rf"\b({'|'.join(PACKAGES)})/([a-z_]+)", PAGE)
    missing = [
        f"{package}/{module}"
        for package, module in named
        if not any((ROOT / "interpreter" / package).glob(module + "*"))
    ]
    assert named and not missing, missing


def test_tests_that_page_names_exist() -> None:
    for path in re.findall(r"`(tests/[\w/]+(?:\.py)?)/?`", PAGE):
        assert (ROOT / path).exists(), path


def test_layers_are_those_that_are_enforced() -> None:
    told = PAGE.split("## Layers")[1].split("```text\n")[1].split("```")[0].splitlines()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    enforced = project["tool"]["importlinter"]["contracts"][0]["layers"]
    assert told == [layer.replace(" | ", ", ") for layer in enforced]
