"""A saved game on other rules: where it parts, and which change did it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from interpreter.api.game import load
from interpreter.api.resume import resume_game
from interpreter.cli.main import main
from interpreter.players.bots.registry import make_bots

VARIANT = "kind: variant\nformat: 1\nid: mine\ntitle: Mine\nextends: napoleon\n"
STOP = """\
rules: |
  replace require journey.go.stop: steps == 0 or foes(u.nation, here) > 90  "too many enemies" [10.11-b]
"""
HITS = "tables: {tables: {combat_table: {cells: {3: 1, 4: 1, 5: 1, 6: 1}}, morale_table: {cells: {0..10: 4}}}}\n"
ELSEWHERE = "tables: {tables: {morale_table: {cells: {0..10: 4}}}}\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    rules = load("napoleon")
    game, bots = rules.start(seed=2), make_bots({"france": "random", "allies": "random"}, 2)
    while len(game.keys) < 120:
        game.pick(bots[game.decision.seat].choose(game))
    game.save("played.game")
    return tmp_path


def variant(folder: Path, text: str) -> str:
    (folder / "mine.yaml").write_text(VARIANT + text, encoding="utf-8")
    return "mine.yaml"


def told(capsys, *words: str) -> tuple[int, dict]:
    code = main(["replay", "played.game", *words, "--format", "json"])
    return code, json.loads(capsys.readouterr().out)


def test_with_its_own_rules_all_of_it_comes_out(folder, capsys):
    code, data = told(capsys, "--rules", "napoleon")
    assert (code, data["parting"], data["choices"]) == (0, None, 120)


def test_changed_chart_is_named_as_cause_if_its_cell_was_read(folder, capsys):
    code, data = told(capsys, "--rules", variant(folder, HITS))
    parting = data["parting"]
    assert code == 1 and parting["decision"] == data["choices"] + 1
    assert {cause["path"].split(".")[0] for cause in parting["causes"]} == {"combat_table"}


def test_unmet_rule_change_is_not_blamed(folder, capsys):
    assert told(capsys, "--rules", variant(folder, ELSEWHERE))[1]["parting"] is None


def test_refusing_requirement_is_named_and_game_resumes_before_it(folder, capsys):
    variant(folder, STOP)
    code, data = told(capsys, "--rules", "mine.yaml", "--save", "on.game")
    assert code == 1
    assert "too many enemies" in data["parting"]["words"] and data["parting"]["cite"] == ["10.11-b"]
    assert data["parting"]["causes"] and all("`stop`" in cause["words"] for cause in data["parting"]["causes"])
    resumed = resume_game("on.game", "mine.yaml")
    assert resumed.keys == resume_game("played.game").keys[: data["choices"]] and resumed.program.id == "mine"


def test_without_old_rules_only_choices_and_dice_are_compared(folder, capsys):
    copy = folder / "napoleon"
    shutil.copytree(Path(__file__).parents[2] / "rulesets" / "napoleon", copy)
    game = load(copy).start(seed=1)
    for _n in range(20):
        game.pick(0)
    game.save("copy.game")
    rules = copy / "sequence.rules"
    rules.write_text(
        rules.read_text().replace("set game.order_die = place_of_france", "set game.order_die = 7 - place_of_france")
    )
    assert main(["replay", "copy.game", "--rules", str(copy), "--ruleset", str(copy)]) == 1
    printed = capsys.readouterr()
    assert "are no longer available" in printed.err
    assert "changes there:" not in printed.out


@pytest.mark.parametrize(
    "words",
    [
        ["--rules", "nothing"],
        ["--rules", "napoleon", "--step"],
        ["--save", "x.game"],
        ["--rules", "napoleon", "--save", "played.game"],
    ],
)
def test_invalid_replay_arguments_write_nothing(folder, words, capsys):
    before = (folder / "played.game").read_bytes()
    assert main(["replay", "played.game", *words]) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert (folder / "played.game").read_bytes() == before and not (folder / "x.game").exists()
