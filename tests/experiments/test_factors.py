"""Test which values of a ruleset `sweep --vary` selects."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.experiments.sweep.factors import Factor, read_factors
from interpreter.runtime.errors import SetupError
from tests.tiny import write

TABLES = """\
kind: tables
format: 1
values:
  plain: 4
  limit: {value: 3, note: as printed}
  least: {value: 1, type: int}
"""


def factors(folder: Path, *given: str) -> tuple[Factor, ...]:
    target = write(folder, "define x = value.plain + value.limit + value.least\n", {"more.yaml": TABLES})
    return read_factors(given, str(target), {}, ("plain",), ())


@pytest.mark.parametrize("path", ["tables.values.limit", "tables.values.limit.value"])
def test_value_with_note_is_named_with_or_without_its_last_key(tmp_path: Path, path: str) -> None:
    (found,) = factors(tmp_path, f"{path}=2,3")
    assert (found.path, found.base, found.list_changes("2")) == ("tables.values.limit.value", "3", {found.path: "2"})


def test_star_finds_values_with_and_without_notes_apart(tmp_path: Path) -> None:
    (found,) = factors(tmp_path, "tables.values.l*=1,2")
    assert found.paths == ("tables.values.limit.value", "tables.values.least.value")
    (found,) = factors(tmp_path, "tables.values.pl*=1,2")
    assert (found.path, found.paths) == ("tables.values.plain", ())


def test_invalid_factor_value_is_rejected_with_suggestion(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="limits"):
        factors(tmp_path, "tables.values.limits=2,3")
