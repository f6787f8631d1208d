"""Test the weights of an evaluation: found in the rules, learnt from games, and tried in fresh ones.

A bot with other weights plays the same game.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from interpreter.api.game import load
from interpreter.cli.main import main
from interpreter.experiments.evaluation_override import EvaluationOverride
from interpreter.experiments.regression import Example, fit_evaluation
from interpreter.experiments.weights import find_weights, write_variant
from interpreter.players.bots.registry import make_bots
from interpreter.simulation import executors
from tests.tiny import checked_model, write

# Only the score counts at the end; the evaluation believes in spirit.
RULES = """
    turn:
        phase growing:
            for a in armies:
                grow(a)
        phase counting:
            if turn >= 5:
                if reds.score > blues.score: end game won by reds.seat as level("small")
                if blues.score > reds.score: end game won by blues.seat as level("small")
                end game drawn

    procedure grow(a: army):
        choose way by a "{a}: what?":
            option earn:
                raise a.score by value.earned
                set a.spirit = steady
            option cheer:
                set a.spirit = proud
            option both(n in 1..2):
                roll luck: die for a -> found
                if found > n + 2: raise a.score by 1

    define lead(a: army) -> int =
        value.worth_of_score * a.score + (if a.spirit == proud then value.worth_of_spirit else 0)
"""
DOCUMENTS = {
    "victory.yaml": """
    kind: victory
    format: 1
    levels:
      small: {title: Small}
    score: {of: p, value: "sum(a.score for a in armies where a.seat == p)"}
    evaluation: "sum((if a.seat == p then lead(a) else 0 - lead(a)) for a in armies)"
""",
    "tables.yaml": """
    kind: tables
    format: 1
    values:
      earned: {value: 1}
      worth_of_score: {value: 2}
      worth_of_spirit: {value: 6}
""",
}


@pytest.fixture
def growth(tmp_path: Path) -> str:
    return str(write(tmp_path, RULES, DOCUMENTS))


def fitted(growth: str, *more: str, capsys: pytest.CaptureFixture[str]) -> dict:
    assert main(["fit", growth, "--format", "json", "--seed", "4", *more]) in (0, 1)
    return json.loads(capsys.readouterr().out)


def test_weights_are_numbers_that_only_evaluation_reads(growth: str) -> None:
    model = checked_model(growth)
    assert list(find_weights(model)) == ["worth_of_score", "worth_of_spirit"]


@pytest.mark.parametrize(("game", "number"), [("napoleon", 9), ("denain-1712", 16)])
def test_shipped_games_weigh_with_data(game: str, number: int) -> None:
    model = load(game, checked=True).model
    assert model is not None
    assert len(find_weights(model)) == number
    assert all("worth" in name or "steps" in name or "units" in name for name in find_weights(model))


def test_useless_feature_loses_weight(growth: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = fitted(growth, "-n", "60", "--rounds", "2", "--bots", "random", capsys=capsys)
    weights = found["weights"]
    assert weights["worth_of_spirit"]["after"] / weights["worth_of_score"]["after"] < 1.5  # 3 before
    assert all(r["after"] < r["before"] for r in found["rounds"])


def test_equal_seeds_learn_alike_however_many_work(
    growth: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check the processes of the standard library, which run where the extra `lab` is not installed."""
    monkeypatch.setattr(executors, "find_spec", lambda name: None)
    told = [
        fitted(growth, "-n", "60", "--rounds", "1", "--bots", "random", "--jobs", jobs, capsys=capsys)
        for jobs in ("1", "2")
    ]
    assert told[0] == told[1]


def test_better_weights_are_seen_to_win(growth: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Learnt by chance players, tried by those who think: the file is a variant that can be played."""
    out = tmp_path / "better.yaml"
    fitted(growth, "-n", "60", "--rounds", "2", "--bots", "random", "--out", str(out), capsys=capsys)
    main(["check", str(out)])
    assert "error" not in capsys.readouterr().out
    old, new = load(growth), load(str(out))
    gained = 0
    for seed in range(20):
        game = old.start(seed=seed, record=False)
        bots = make_bots({"red_seat": "greedy", "blue_seat": "greedy"}, seed)
        players = {**bots, "red_seat": EvaluationOverride(bots["red_seat"], new.program)}
        while not game.over:
            assert game.decision is not None
            game.pick(players[game.decision.seat].choose(game))
        assert game.outcome is not None
        gained += {"red_seat": 1, "blue_seat": -1}.get(str(game.outcome.winner), 0)
    assert gained > 10


def test_equal_weights_play_equal_games(growth: str, tmp_path: Path) -> None:
    same = tmp_path / "same.yaml"
    model = checked_model(growth)
    write_variant(same, growth, "same", find_weights(model))
    old, other = load(growth), load(str(same))
    hashes = []
    for program in (None, other.program):
        game = old.start(seed=9, record=False)
        bots = make_bots({"red_seat": "greedy", "blue_seat": "search:6"}, 9)
        players = bots if program is None else {seat: EvaluationOverride(bot, program) for seat, bot in bots.items()}
        while not game.over:
            assert game.decision is not None
            game.pick(players[game.decision.seat].choose(game))
        hashes.append(game.hash())
    assert hashes[0] == hashes[1]


def test_bot_of_rules_with_other_ids_is_refused(growth: str) -> None:
    game = load(growth).start(seed=1, record=False)
    assert game.decision is not None
    mind = EvaluationOverride(make_bots({"red_seat": "greedy"}, 1)["red_seat"], load("napoleon").program)
    with pytest.raises(ValueError, match="ids"):
        mind.choose(game)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--out", "weights.txt"], ".yaml"),
        (["--out", f"{__file__}/weights.yaml"], "is not a folder"),
        (["--bots", "greddy"], "greedy"),
        (
            ["-n", "1", "--bots", "random"],
            "(--bots)",
        ),
    ],
)
def test_invalid_input_is_reported_without_result(
    growth: str, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fit", growth, *arguments]) == 2
    assert said in capsys.readouterr().err


def test_ruleset_without_weights_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", str(write(tmp_path, ""))]) == 2
    assert "no weights to learn" in capsys.readouterr().err


def test_planted_weights_are_found_again() -> None:
    """Check that results drawn from weights 1 and 0 lead back to these from the initial weights 1 and 1."""
    chance = Random(3)
    seen = []
    for _ in range(3000):
        gains = chance.gauss(0, 1), chance.gauss(0, 1)
        is_won = gains[0] + chance.gauss(0, 0.6) > 0
        seen.append(Example(0, sum(gains), gains, float(is_won), 1.0))
    found = fit_evaluation(seen, 1)
    assert found.scale > 0 and found.after < found.before and found.seen == (True, True)
    first, second = 1 + found.changes[0], 1 + found.changes[1]
    assert abs(second / first) < 0.1


def test_constant_evaluation_has_no_scale() -> None:
    seen = [Example(0, float(n % 7), (1.0,), float(n % 7 < 3), 1.0) for n in range(70)]
    assert fit_evaluation(seen, 1).scale <= 0
