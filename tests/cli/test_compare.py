"""`compare` as a command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.cli.participants import load_batch
from interpreter.experiments.comparison_report import format_progress
from interpreter.experiments.paired_comparison import ComparisonPlan, PairedComparison, run_comparison
from interpreter.runtime.localizer import Localizer
from interpreter.simulation import executors
from interpreter.simulation.executors import SerialExecutor
from tests.recordings import assert_recorded

from .conftest import Run

PARTS = {"a", "b", "difference", "low", "high"}


def strong_reds(tiny: Path) -> Path:
    """Return a variant in which the Blues surrender at once."""
    path = tiny.parent / "strong.yaml"
    path.write_text(
        f"kind: variant\nformat: 1\nid: strong\ntitle: Strong\nextends: {tiny.name}\n"
        "ruleset: {sides: {members: {blues: {spirit: 1}}}}\n",
        encoding="utf-8",
    )
    return path


def test_compare_shows_difference_and_interval_of_each_measure(run: Run, tiny: Path) -> None:
    done = run("compare", tiny, tiny, "-n", "40", "--apart", "--format", "json")
    assert (done.code, done.err) == (0, "")
    data = done.json()
    assert data["pairs"] == 40
    assert {"wins.red_seat", "wins.blue_seat", "draws", "turns", "decisions", "losses.reds"} <= set(data["measures"])
    for name, measured in data["measures"].items():
        assert PARTS <= set(measured), name
        assert measured["low"] <= measured["difference"] <= measured["high"], name
        assert abs(measured["b"] - measured["a"] - measured["difference"]) < 1e-5, name


def test_ruleset_and_itself_play_same_games(run: Run, tiny: Path) -> None:
    data = run("compare", tiny, tiny, "-n", "12", "--format", "json").json()
    assert (data["verdict"], data["alike"]) == ("same", 12)
    assert not any(m["differs"] for m in data["measures"].values())
    assert "identical in every roll" in run("compare", tiny, tiny, "-n", "12").out


def test_different_seeds_show_no_difference(run: Run, tiny: Path) -> None:
    found = [
        run("compare", tiny, tiny, "-n", "40", "--apart", "--seed", seed, "--format", "json").json()
        for seed in range(6)
    ]
    assert sum(any(m["differs"] for m in data["measures"].values()) for data in found) <= 1
    assert all(data["alike"] < 40 for data in found)


def test_compare_shows_no_difference_before_ten_pairs(tiny: Path) -> None:
    (rules, a), (_rules, b) = (load_batch(str(tiny), "random", None, (), seed, 1000) for seed in (1, 2))
    localizer, told = Localizer(rules.program, "en"), []

    def heard(bout: PairedComparison, _played: int) -> None:
        told.append(format_progress(bout, localizer))

    run_comparison(
        (a, b), (rules.program, rules.program), ComparisonPlan(12, 0.95, False, 0.05, True), SerialExecutor(), heard
    )
    assert told[0] == "no results yet" and "difference" in told[-1]
    assert not any("100.0% to" in line for line in told)


def test_compare_reports_difference_of_strengthened_side(run: Run, tiny: Path) -> None:
    data = run("compare", tiny, strong_reds(tiny), "-n", "80", "--format", "json").json()
    assert data["verdict"] == "differs"
    assert data["measures"]["wins.red_seat"]["low"] > 0 > data["measures"]["wins.blue_seat"]["high"]


def test_compare_names_shipped_rulesets(run: Run) -> None:
    more = ("-n", "1", "--max-decisions", "1", "--format", "json")
    data = run("compare", "napoleon", "napoleon/balanced", *more).json()
    assert (data["a"]["ruleset"], data["b"]["ruleset"]) == ("napoleon", "napoleon/balanced")


def test_compare_accepts_bots_of_one_side(run: Run, tiny: Path) -> None:
    data = run("compare", tiny, tiny, "-n", "10", "--bots-b", "reds=greedy", "--format", "json").json()
    assert data["b"]["bots"] == {"red_seat": "greedy", "blue_seat": "random"}
    assert data["a"]["bots"] == {"red_seat": "random", "blue_seat": "random"}


def test_compare_stops_when_difference_is_certain(run: Run, tiny: Path) -> None:
    command = ("compare", tiny, strong_reds(tiny), "--until", "95%", "--format", "json")
    data = run(*command).json()
    assert data["verdict"] == "differs" and data["pairs"] < data["asked"] == 5000
    assert data == run(*command).json()


def test_compare_states_inconclusive_result(run: Run, tiny: Path) -> None:
    done = run("compare", tiny, tiny, "-n", "20", "--apart", "--until", "99%")
    assert re.search(r"; about \d{4} would", done.out) and "no difference is certain\n" in done.out
    assert_recorded([line for line in done.out.splitlines() if "1%" in line])


def test_processes_make_no_difference(run: Run, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "find_spec", lambda name: None)  # processes of the standard library, sooner begun
    command = ("compare", tiny, tiny, "-n", "60", "--apart", "--until", "95%", "--format", "json")
    assert run(*command, "--jobs", "2").json() == run(*command).json()


@pytest.mark.parametrize(
    "more",
    [
        ("--until", "95 of 100"),
        ("--until", "120%"),
        ("--bots", "gredy"),
        ("--bots", "reds=gredy"),
        ("--bots-b", "greens=random"),
        ("--bots", "search:1s"),
        ("--scenario-b", "x"),
        ("--option", "x"),
    ],
)
def test_compare_reports_missing_target_before_playing(run: Run, tiny: Path, more: tuple[str, str]) -> None:
    done = run("compare", tiny, tiny, *more)
    assert (done.code, done.out) == (2, "")


def test_compare_of_unknown_ruleset_fails(run: Run, tiny: Path) -> None:
    assert run("compare", tiny, "napolon").code == 2


def test_compare_page_is_self_contained(run: Run, tiny: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    page, again = tmp_path / "page.html", tmp_path / "again.html"
    for path in (page, again):
        assert run("compare", tiny, tiny, "-n", "20", "--bots-b", "greedy", "--html", path, "--lang", "ja").code == 0
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg ") == 2 and "Red player" in text
    assert "<script" not in text and "src=" not in text and 'href="http' not in text
    assert page.read_bytes() == again.read_bytes()
