"""Recorded texts: what the program prints, kept in one file for each test module and renewed by one command.

`assert_recorded(text)` compares a text with the recording of the running test in `tests/recorded/FOLDER/MODULE.yaml`.
After a sentence has changed on purpose, `pytest --renew tests/FOLDER/test_MODULE.py` writes the file again; the diff
shows what changed. A text that differs from run to run is cut to its lines of interest first (`lines_with`), and
values of the run are named: `assert_recorded(text, FOLDER=tmp_path)`.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "tests" / "recorded"

is_renewing = False  # set by the option `--renew`
_counts: Counter[str] = Counter()
_renewed: dict[Path, dict[str, str]] = {}


def assert_recorded(text: object, **values: object) -> None:
    """Assert that a text, or a series of lines, is the one recorded at this point of the running test."""
    path, key = _entry()
    series = [text] if isinstance(text, str) or not isinstance(text, Iterable) else text
    shown = "\n".join(line.rstrip() for part in series for line in str(part).split("\n"))
    assert shown.strip(), "nothing is printed here"
    for name, value in values.items():
        shown = shown.replace(str(value), f"<{name}>")
    if is_renewing:
        if path not in _renewed:
            _renewed[path] = {key: text for key, text in recordings(path).items() if function_of(key) in _module(path)}
        _renewed[path][key] = shown
        _write(path, _renewed[path])
    else:
        assert shown == recordings(path).get(key), f"see {path.relative_to(ROOT)}; renew it with pytest --renew"


def lines_with(text: str, *words: str) -> str:
    """Return the lines of a text that hold one of the words."""
    return "\n".join(line for line in text.splitlines() if any(word in line for word in words))


@cache
def recordings(path: Path) -> dict[str, str]:
    return yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else {}


def function_of(key: str) -> str:
    """Return the definition of the test that a recording belongs to, as its module contains it."""
    name = re.split(r"[\[ ]", key)[0].rpartition("::")[2]
    return f"def {name}("


def _module(path: Path) -> str:
    module = ROOT / "tests" / path.relative_to(FOLDER).with_suffix(".py")
    return module.read_text(encoding="utf-8") if module.exists() else ""


def _entry() -> tuple[Path, str]:
    """Return the file and the key of the next recording of the running test."""
    running = os.environ["PYTEST_CURRENT_TEST"].rpartition(" (")[0]
    module, _, name = running.partition("::")
    _counts[running] += 1
    number = f" {_counts[running]}" if _counts[running] > 1 else ""
    path = FOLDER / Path(module).relative_to("tests").with_suffix(".yaml")
    return path, name.encode("ascii", "backslashreplace").decode("ascii") + number


class _Dumper(yaml.SafeDumper):
    """A writer of YAML that shows texts of several lines as blocks."""


def _show(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _show)


def _write(path: Path, texts: dict[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    shown = yaml.dump(texts, Dumper=_Dumper, allow_unicode=True, sort_keys=True, width=1000)
    path.write_text(shown, encoding="utf-8")
