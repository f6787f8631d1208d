"""Test bots that evaluate by another ruleset than the one played: named apart, limited to the game's options."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.api.game import load
from interpreter.cli.main import main
from interpreter.experiments.evaluation_override import EvaluationOverride
from interpreter.players.bots.registry import make_bots
from interpreter.players.ownership import list_seats
from interpreter.simulation import executors
from tests.experiments.test_weight_fitting import DOCUMENTS, RULES
from tests.tiny import write

WISER = (
    RULES.replace("value.worth_of_score * a.score", "10 * points_of(a)") + "    define points_of(a: army) = a.score\n"
)
POORER = RULES.replace("option cheer:", 'option cheer:\n                require richer: a.score > 9 "too poor"')
LONGER = RULES.replace("option earn:", "option idle: nothing\n            option earn:")


def laid(folder: Path, name: str, rules: str = RULES) -> str:
    return str(write(folder / name, rules, DOCUMENTS))


def told(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(list(arguments))
    written = capsys.readouterr()
    return code, written.out or written.err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_evaluation_is_set_against_another(
    jobs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that an evaluation of points beats one that favours cheers, in this process and in Python's own pool."""
    monkeypatch.setattr(executors, "find_spec", lambda name: None)
    played, wiser = laid(tmp_path, "played"), laid(tmp_path, "wiser", WISER)
    arguments = ("rank", played, "--bots", f"greedy,greedy@{wiser}", "-n", "10", "--jobs", jobs, "--format", "json")
    code, out = told(*arguments, capsys=capsys)
    bots = json.loads(out)["bots"]
    assert code == 0 and bots[f"greedy@{wiser}"]["low"] > 0 > bots["greedy"]["high"]


def test_bot_of_equal_rules_plays_equal_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played, same = laid(tmp_path, "played"), laid(tmp_path, "same")
    arguments = ("compare", played, played, "--bots-a", "greedy", "--bots-b", f"greedy@{same}", "-n", "5")
    assert "identical in every roll" in told(*arguments, capsys=capsys)[1]


@pytest.mark.parametrize(
    ("mind", "said"),
    [
        ("greedy@{longer}", "); give a ruleset"),
        ("greedy@napoleon", "); give a ruleset"),
        ("greedy@nowhere", "`nowhere` is not a built-in"),
        ("greddy@{longer}", "did you mean `greedy`"),
        ("greedy@", "unknown player `greedy@`"),
        (
            "search:2s@{longer}",
            "for a fixed time",
        ),
    ],
)
def test_bot_of_invalid_rules_is_rejected(
    mind: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bots = "greedy," + mind.format(longer=laid(tmp_path, "longer", LONGER))
    arguments = ("rank", laid(tmp_path, "tiny"), "--bots", bots, "-n", "2")
    code, out = told(*arguments, capsys=capsys)
    assert code == 2 and said in out


def test_bot_of_other_rules_plays_options_of_game(tmp_path: Path) -> None:
    """Check that a bot whose rules allow fewer or more options chooses among those of the game."""
    for played, thought in ((RULES, POORER), (POORER, RULES)):
        game = load(laid(tmp_path, "played", played)).start(seed=2, record=False)
        other = load(laid(tmp_path, "thought", thought)).program
        minds = {
            s: EvaluationOverride(bot, other)
            for s, bot in make_bots(dict.fromkeys(list_seats(game), "greedy"), 2).items()
        }
        while not game.over:
            assert game.decision is not None
            game.pick(minds[game.decision.seat].choose(game))


def test_sweep_names_rules_of_its_bots(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (
        "sweep",
        "napoleon",
        "--bots",
        "greedy@napoleon",
        "--vary",
        "bots=random",
        "--out",
        str(tmp_path / "out"),
    )
    code, out = told(*arguments, capsys=capsys)
    assert code == 2 and "`compare` and `rank`" in out
