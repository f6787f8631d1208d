"""Test that a ruleset that was found good is not checked again until it changes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from interpreter.diagnostics.diagnostic import Diagnostic
from interpreter.files import disk_cache
from interpreter.tools.autofix import check_cache
from interpreter.tools.cases.case_checks import check_with_cases
from tests.bench.classics import FOLDER

CASE = "kind: cases\nformat: 1\ncases:\n  A1:\n    title: begun\n    when: [{{ask: {}}}]\n    then: {{value: 2}}\n"


class Checks:
    """A counter of full checks."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self, target: str, odd: bool = False) -> tuple[Diagnostic, ...]:
        self.made += 1
        return check_with_cases(target, odd)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path / "kept"))
    monkeypatch.delenv(disk_cache.OFF, raising=False)
    folder = shutil.copytree(FOLDER / "breakthrough", tmp_path / "breakthrough")
    (folder / "tests").mkdir()
    (folder / "tests" / "all.yaml").write_text(CASE.format("count(sides)"), encoding="utf-8")
    return folder


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> Checks:
    made = Checks()
    monkeypatch.setattr("interpreter.tools.cases.case_checks.check_with_cases", made)
    return made


def test_clean_ruleset_is_checked_once(game: Path, checks: Checks) -> None:
    assert check_cache.find_diagnostics(str(game)) == () == check_cache.find_diagnostics(str(game))
    assert checks.made == 1
    assert check_cache.find_diagnostics(str(game), odd=True) is not None
    assert checks.made == 2, "oddities were not looked for before"


@pytest.mark.parametrize("name", ["play.rules", "map.yaml", "tests/all.yaml"])
def test_changed_file_is_checked_again(game: Path, checks: Checks, name: str) -> None:
    check_cache.find_diagnostics(str(game))
    file = game / name
    file.write_text(file.read_text(encoding="utf-8") + "# a note\n", encoding="utf-8")
    assert check_cache.find_diagnostics(str(game)) == ()
    assert checks.made == 2


@pytest.mark.parametrize("rests_on", ["breakthrough", "../../elsewhere"])
def test_check_cache_covers_base_of_variant(game: Path, checks: Checks, rests_on: str) -> None:
    elsewhere = shutil.copytree(FOLDER / "connect_four", game.parent / "elsewhere")
    (game / "variants").mkdir()
    head = f"kind: variant\nformat: 1\nid: other\nextends: {rests_on}\ntitle: Other\n"
    (game / "variants" / "other.yaml").write_text(head, encoding="utf-8")
    check_cache.find_diagnostics(str(game))
    check_cache.find_diagnostics(str(game))
    assert checks.made == 1
    for number, file in enumerate((game / "map.yaml", elsewhere / "map.yaml")):
        file.write_text(file.read_text(encoding="utf-8") + "# a note\n", encoding="utf-8")
        check_cache.find_diagnostics(str(game))
        assert checks.made == (2 if number == 0 or rests_on == "breakthrough" else 3)


def test_findings_are_reported_each_time(game: Path, checks: Checks) -> None:
    good = CASE.format("count(sides)")
    (game / "tests" / "all.yaml").write_text(CASE.format("count(sidse)"), encoding="utf-8")
    for _ in range(2):
        (found,) = check_cache.find_diagnostics(str(game))
        assert found.code == "unknown-name"
    assert checks.made == 2
    (game / "tests" / "all.yaml").write_text(good, encoding="utf-8")
    assert check_cache.find_diagnostics(str(game)) == ()


def test_disabled_cache_stores_nothing(game: Path, checks: Checks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(disk_cache.OFF, "1")
    check_cache.find_diagnostics(str(game))
    check_cache.find_diagnostics(str(game))
    assert checks.made == 2
