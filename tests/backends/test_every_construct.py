"""Rules that WebAssembly has no form for, or that no shipped ruleset uses, are printed as Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.lowering import builtin_lowering
from interpreter.lowering.model_lowering import lower_model
from interpreter.lowering.value_types import NotLoweredError
from interpreter.runtime.errors import RuleFault
from tests.tiny import build, called, notes, started
from tests.witness.budgets import budget


def notes_of(folder: Path, rules: str, documents: dict[str, str] | None = None) -> list[int]:
    """Return the numbers that a procedure `run` reports."""
    return notes(called(build(folder, rules, documents), "run", a="reds"))


def test_chart_with_numbers_as_keys_is_printed_as_look_up(tmp_path: Path) -> None:
    charts = """
        kind: tables
        format: 1
        tables:
          toll:
            axes: {die: {of: die, only: [1, 3, 6]}}
            gives: int
            cells: {1: 10, 3: 20, 6: 30}
    """
    rules = """
        procedure run(a: army):
            for n in [1, 3, 6]: report note(toll[n])
            report note(if toll has [2] then 1 else 0)
    """
    assert notes_of(tmp_path, rules, {"tables.yaml": charts}) == [10, 20, 30, 0]


def test_directions_are_missing_on_map_without_grid(tmp_path: Path) -> None:
    rules = """
        define beside(p: place) = count({q in places where direction_to(p, q) == none})
        procedure run(a: army):
            report note(beside(a.home))
    """
    assert notes_of(tmp_path, rules) == [4]


def test_line_on_map_without_grid_is_fault_of_rules(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        procedure run(a: army):
            report note(count(line_between(a.home, c)))
        """,
    )
    with pytest.raises(RuleFault, match="grid"):
        called(rules, "run", a="reds")


def test_function_of_two_places_on_large_map_is_called_at_run_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builtin_lowering, "MAX_PAIRS", 4)
    rules = """
        procedure run(a: army):
            report note(spaces_between(a.home, d))
            report note(count({p in places where linked(p, b)}))
            if some way = edge(b, c): report note(if way.river then 1 else 0)
    """
    assert notes_of(tmp_path, rules) == [3, 2, 1]


def test_watcher_may_call_procedure_with_phases(tmp_path: Path) -> None:
    rules = """
        event alarm(n: int) "{n}"
        procedure answer(n: int) -> int:
            phase first_part:
                report note(n)
                if n > 2: end game drawn
                phase second_part:
                    report note(n * 10)
            return n * 100
        whenever alarm(n):
            answer(n) -> found
            report note(found)
        procedure run(a: army):
            report alarm(1)
            report alarm(2)
            report alarm(3)
            report note(7)
    """
    game = called(build(tmp_path, rules), "run", a="reds")
    assert notes(game) == [1, 10, 100, 2, 20, 200, 3] and game.over


def test_name_of_values_without_common_type_is_several_variables(tmp_path: Path) -> None:
    rules = """
        define halved(s: maybe set of number) -> int = if s == none then 0 else 2
        procedure run(a: army):
            if game.total == 0:
                let x = {n + 1 for n in 1..3}
                report note(count(x))
            else:
                let x = a.home
                report note(x.height)
            let l = [{1, 2}, {3}]
            report note(halved(l[2]) + halved(l[9]))
            let x = "text"
            report note(if x == "text" then 5 else 6)
    """
    assert notes_of(tmp_path, rules) == [3, 2, 5]


def test_construct_of_python_alone_is_refused_for_webassembly(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        procedure run(a: army):
            report note(count(line_between(a.home, c)))
        """,
    )
    assert rules.model is not None
    with pytest.raises(NotLoweredError, match="grid"):
        lower_model(rules.model)
    assert lower_model(rules.model, explained=True).functions["runtime_line_between"]


def test_removal_from_long_list_spends_steps(tmp_path: Path) -> None:
    rules = """
        procedure run(a: army):
            let left = [n for n in 1..9000]
            repeat 9000 times: let rest = left - [n for n in 1..9]
    """
    game = started(build(tmp_path, rules))
    with budget(30_000), pytest.raises(RuleFault, match="without end"):
        game.call("run", a="reds")
