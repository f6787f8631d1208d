"""`rank` as a command."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run


def test_bots_are_rated_with_intervals(run: Run, tiny: Path) -> None:
    data = run("rank", tiny, "--bots", "random,greedy", "-n", "4", "--format", "json").json()
    assert set(data["bots"]) == {"random", "greedy"}
    assert all(bot["low"] < bot["rating"] < bot["high"] for bot in data["bots"].values())
    assert (data["games"], data["first"]["seat"]) == (16, "red_seat")
    assert "Elo" in run("rank", tiny, "-n", "2").out


@pytest.mark.parametrize("bots", ["random", "random,gredy", "search:1s,random"])
def test_bots_that_cannot_be_rated(run: Run, tiny: Path, bots: str) -> None:
    done = run("rank", tiny, "--bots", bots)
    assert (done.code, done.out) == (2, "")


def test_rank_needs_two_seats_and_suggests_usage(run: Run, tiny: Path) -> None:
    document = tiny / "ruleset.yaml"
    text = document.read_text(encoding="utf-8")
    seats = text[text.index("  red_seat:") : text.index("game:")]
    document.write_text(text.replace(seats, "  table: {name: Table, sides: [reds, blues]}\n"), encoding="utf-8")
    done = run("rank", tiny)
    assert (done.code, done.out) == (2, "")
    command = done.err[done.err.index("grognard compare ") :].split("\n")[0].split()[1:]
    assert command == "compare tiny tiny --bots-a table=greedy --bots-b table=random".split()
    assert run(*command, "-n", "1").code == 0
