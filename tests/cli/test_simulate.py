"""`simulate` and `test` as commands."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.api.game import Rules
from interpreter.cli.commands import simulate
from interpreter.simulation import executors, work_units
from interpreter.simulation.games import BatchSpec, GameResult, play_game
from tests.patience import PATIENCE
from tests.processes import wait_for_cpu_time
from tests.recordings import assert_recorded, lines_with

from .conftest import ROOT, Run

KEYS = {"games", "finished", "outcomes", "turns", "decisions", "seconds", "state_hash"}


def test_simulate_as_json(run: Run, tiny: Path) -> None:
    done = run("simulate", tiny, "-n", "12", "--seed", "4", "--format", "json")
    data = done.json()
    assert (done.code, done.err) == (0, "")
    assert set(data) == KEYS
    assert (data["games"], data["finished"]) == (12, 12)
    assert sum(data["outcomes"].values()) == sum(data["turns"].values()) == 12
    assert set(data["outcomes"]) <= {"red_seat", "blue_seat"}


def test_simulate_as_text(run: Run, tiny: Path) -> None:
    out = run("simulate", tiny, "-n", "5").out
    assert out.startswith("5 games, 5 finished")
    assert "State hash: " in out
    assert "Red player (random): won " in out and "  won by " in out


def test_simulate_names_titles_of_endings(run: Run) -> None:
    out = run("simulate", "napoleon", "-n", "2").out
    assert "Allied player (random): won 2, drawn 0, lost 0\n" in out
    assert "  won by Allied player: Napoleon the Frenchman       2  100.0%\n" in out


def test_simulate_stops_games_at_decision_limit(run: Run, tiny: Path) -> None:
    data = run("simulate", tiny, "-n", "3", "--max-decisions", "2", "--format", "json").json()
    assert (data["finished"], data["decisions"], data["outcomes"]) == (0, 6, {})


def test_real_ruleset_in_two_processes(run: Run) -> None:
    one, two = (
        run("simulate", "napoleon", "-n", "6", "--seed", "2", "--jobs", jobs, "--format", "json") for jobs in "12"
    )
    assert (one.code, two.code, two.err) == (0, 0, "")
    assert {**one.json(), "seconds": 0} == {**two.json(), "seconds": 0}


def test_thinking_bots_play_alike_in_any_number_of_processes(
    run: Run, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "find_spec", lambda name: None)  # processes of the standard library, sooner begun
    other = str(1 + (os.environ.get("PYTHONHASHSEED") == "1"))
    monkeypatch.setenv("PYTHONHASHSEED", other)  # heard by those alone that are begun from here on
    told = []
    for jobs in ("1", "2"):
        done = run(
            "simulate",
            tiny,
            "-n",
            "4",
            "--jobs",
            jobs,
            "--side",
            "reds=greedy",
            "--side",
            "blues=search:4",
            "--format",
            "json",
        )
        assert (done.code, done.err) == (0, "")
        told.append({**done.json(), "seconds": 0})
    assert told[0] == told[1]
    seats = told[0]["seats"]
    assert (seats["red_seat"]["player"], seats["blue_seat"]["player"]) == ("greedy", "search:4")
    assert seats["red_seat"]["won"] == seats["blue_seat"]["lost"]
    assert "Red player (greedy): won " in run("simulate", tiny, "-n", "1", "--side", "reds=greedy").out


def test_thinking_bots_play_at_terminal(run: Run, tiny: Path) -> None:
    sides = ("--side", "reds=greedy", "--side", "blues=search:2")
    first, again = (run("play", tiny, *sides, "--seed", "3") for _ in range(2))
    assert (first.code, first.out) == (0, again.out)


def test_simulate_warns_about_time_limited_bots(run: Run, tiny: Path) -> None:
    done = run("simulate", tiny, "-n", "1", "--side", "reds=search:0.001s")
    assert done.code == 0
    assert_recorded(lines_with(done.err, "search:50"))
    assert "fixed time" not in run("simulate", tiny, "-n", "1", "--side", "reds=search:2").err


def test_options_and_scenarios_are_used(run: Run) -> None:
    plain, other = (
        run("simulate", "napoleon", "-n", "2", *more, "--format", "json").json()["state_hash"]
        for more in ((), ("--scenario", "jena", "--option", "nelson"))
    )
    assert plain != other


def test_game_fault_is_reported_with_seed(run: Run, tiny: Path) -> None:
    rules = tiny / "play.rules"
    rules.write_text(
        rules.read_text(encoding="utf-8").replace(
            "option rest\n", ('option rest:\n            assert 1 == 2 "rest is broken"\n')
        ),
        encoding="utf-8",
    )
    done = run("simulate", tiny, "-n", "3", "--format", "json")
    assert done.code == 1
    data = done.json()
    assert data["finished"] + len(data["faults"]) == 3
    fault = data["faults"][0]
    assert fault["message"].endswith("rest is broken")
    assert (fault["file"], fault["line"]) == ("tiny/play.rules", 26)
    assert f"seed {fault['seed']}" in done.err
    again = run("play", tiny, "--side", "reds=random", "--side", "blues=random", "--seed", str(fault["seed"]))
    assert again.code == 1, "the seed plays the same game again"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--side", "greens=random"),
        ("--side", "reds=human"),
        ("--side", "reds=serch"),
        ("--side", "reds=search:0"),
        ("--side", "reds=search:-3s"),
        ("--scenario", "x"),
        ("--option", "x"),
        ("--jobs", "0"),
    ],
)
def test_missing_target_is_reported(run: Run, tiny: Path, arguments: tuple[str, ...]) -> None:
    done = run("simulate", tiny, *arguments)
    assert (done.code, done.out) == (2, "")


def test_test_command_reports_passing_case(run: Run, tiny: Path) -> None:
    done = run("test", tiny, "--format", "json")
    data = done.json()
    assert (done.code, data["passed"], data["failed"]) == (0, 1, 0)
    assert data["cases"][0]["id"] == "T1"
    assert data["cases"][0]["rules"] == ["3.0"]


def test_test_command_without_matching_case_fails(run: Run, tiny: Path) -> None:
    assert run("test", tiny, "-k", "T1").code == 0
    assert run("test", tiny, "-k", "X9").code == 2


def test_test_command_reports_failing_case(run: Run, tiny: Path) -> None:
    cases = tiny / "tests/storming.yaml"
    cases.write_text(cases.read_text(encoding="utf-8").replace("spirit: 2", "spirit: 1"), encoding="utf-8")
    done = run("test", tiny)
    assert done.code == 1
    assert "T1" in done.out


def test_interrupt_ends_all_processes_politely() -> None:
    command = [sys.executable, "-m", "interpreter", "simulate", "napoleon", "-n", "1000000", "--jobs", "2"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a suite in the background ignores interrupts
    try:
        started = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    wait_for_cpu_time(started, 1.0)
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=PATIENCE)  # the pipes close only after the workers have ended too
    assert started.returncode == 130
    assert "Traceback" not in err
    if out:  # it was stopped after its first games: what it has is told
        assert "of 1000000 games played" in err and out.partition(" ")[0].isdigit()
    else:
        assert err.rstrip().endswith("grognard: stopped")


def test_interrupted_batch_prints_partial_results(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(rules: Rules, plan: BatchSpec, number: int, seed: int) -> GameResult:
        if number == 3:
            raise KeyboardInterrupt
        return play_game(rules, plan, number, seed)

    whole = run("simulate", "napoleon", "-n", "3", "--seed", "4", "--format", "json").json()
    monkeypatch.setattr(work_units, "play_game", interrupted)
    done = run("simulate", "napoleon", "-n", "9", "--seed", "4", "--format", "json")
    assert done.code == 130
    assert "stopped: 3 of 9 games played" in done.err
    told = done.json()
    assert (told["games"], told["asked"], told["outcomes"]) == (3, 9, whole["outcomes"])


def test_batch_stops_after_time_it_is_given(run: Run, monkeypatch) -> None:
    """The alarm rings when three games are over, however long they take here."""

    class Alarm:
        rings: list[Callable[[], None]] = []

        def __init__(self, seconds: float, ring: Callable[[], None]) -> None:
            assert seconds == 1
            self.ring = ring

        def start(self) -> None:
            self.rings.append(self.ring)

        def cancel(self) -> None:
            pass

    def look_at_the_clock(patience: simulate.TimeLimitedProgress, done: int, total: int) -> None:
        assert patience.seconds == 1
        if done >= 3:
            Alarm.rings[0]()

    monkeypatch.setattr(simulate, "Timer", Alarm)
    monkeypatch.setattr(simulate.TimeLimitedProgress, "__call__", look_at_the_clock)
    done = run("simulate", "napoleon", "-n", "1000000", "--timeout", "1")
    assert done.code == 0
    assert re.search(r"stopped: \d+ of 1000000 games played", done.err) and "State hash" in done.out
