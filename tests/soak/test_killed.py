"""Test that a program that is killed while it plays loses at most the line it was writing."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interpreter.api.loading import load
from interpreter.api.resume import build_replay
from interpreter.saves.entries import DecisionEntry, list_effective_entries
from interpreter.saves.journal import read_journal
from tests.soak.killed_game import RULESET, play

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def quietly(capfd: pytest.CaptureFixture[str]) -> None:
    """Swallow the output of the games, which no test reads."""


def test_game_killed_four_times_loses_nothing(tmp_path: Path) -> None:
    kill_often(tmp_path, times=4, seed=1)


@pytest.mark.soak
def test_game_killed_fifty_times_loses_nothing(tmp_path: Path) -> None:
    assert kill_often(tmp_path, times=50, seed=2) >= 1


def kill_often(folder: Path, times: int, seed: int) -> int:
    """Kill a game `times` times, resuming its file each time; return how often a choice was not completely written."""
    folder.mkdir(exist_ok=True)
    play(folder / "whole.journal")
    whole = (folder / "whole.journal").read_bytes()
    chance = random.Random(seed)
    path = folder / "killed.journal"
    inside = killed = 0
    while killed < times:
        known, done = killed_after(path, chance.choice([1, 2, 5, 20, 60]), chance.random() * 0.01)
        killed += not done
        content = path.read_bytes()
        assert whole.startswith(content), "a line that was written is not as it was"
        assert content.count(b"\n") >= 1
        journal = read_journal(path)
        held = sum(isinstance(x, DecisionEntry) for x in list_effective_entries(journal.entries))
        assert held >= known, "a choice that was kept is lost"
        assert len(content) - journal.length < 4096
        replay = build_replay(journal, load(RULESET), path)
        replay.finish()
        assert replay.divergence is None
        inside += journal.is_torn or not replay.is_whole
        if done:
            assert content == whole
            path.unlink()
    if path.exists():
        play(path)
        assert path.read_bytes() == whole
    return inside


def killed_after(path: Path, choices: int, wait: float) -> tuple[int, bool]:
    """Run the game, kill it after so many choices and a pause; return the last known choice and whether it ended."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.soak.killed_game", str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    known = 0
    for line in process.stdout:
        known = int(line)
        choices -= 1
        if choices == 0:
            time.sleep(wait)
            process.kill()  # SIGKILL or its equivalent: the process cannot clean up
            break
    rest = process.stdout.read().split()
    known = int(rest[-1]) if rest else known
    process.stdout.close()
    return known, process.wait() == 0
