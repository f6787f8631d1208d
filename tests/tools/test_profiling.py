"""Test the profile of play: samples and calls by the author's own lines, and suggested cures that are certain."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from interpreter.api.game import Rules, load
from interpreter.cli.main import main
from interpreter.i18n.translator import ENGLISH
from interpreter.runtime.errors import RuleFault
from interpreter.tools.profiling.cost_advice import find_suggestions
from interpreter.tools.profiling.costs import attribute_samples
from interpreter.tools.profiling.never_refused import count_refusals, format_refusals
from interpreter.tools.profiling.rule_lines import find_item_at, list_items
from interpreter.tools.profiling.sampling import Samples, count_calls, sample_play
from tests.tiny import write

SKIRMISH = Path(__file__).parent / "games" / "skirmish"
BORDER = Path(__file__).parents[1] / "bench" / "border"


def line_of(folder: Path, file: str, text: str) -> int:
    lines = (folder / file).read_text(encoding="utf-8").split("\n")
    return next(n for n, line in enumerate(lines, 1) if text in line)


def test_innermost_item_of_line_is_reported():
    items = list_items(load("napoleon", checked=True).model)
    rules = Path(__file__).parents[2] / "rulesets" / "napoleon"
    line = line_of(rules, "movement.rules", "require open: possible journey")
    found = find_item_at(items, "napoleon/movement.rules", line)
    assert (found.sort, found.name) == ("requirement", "movement.marching.march.open")
    assert find_item_at(items, "napoleon/movement.rules", 100_000) is None


BUILT_ON = """
kind: variant
format: 1
id: built_on
title: Built on
extends: .
rules: |
  replace define near(p: place) -> int = base(p) - p.height
  replace define reach(p: place) -> number = base(p) + 1
"""


def test_profile_names_base_code_by_its_author_name(tmp_path):
    """Check the author's names in the profile, in the names of a game, and in the trace of a fault."""
    rules = "define near(p: place) -> int = p.height\ndefine reach(p: place) -> number = 1 / near(p)\n"
    rules += (
        'procedure run(a: army):\n    let far = reach(place("b")) + reach(place("a"))\n    if far > 1: report note(1)\n'
    )
    folder = write(tmp_path, rules, {"built.yaml": BUILT_ON})
    variant = load(folder / "built.yaml", checked=True)
    near = [item for item in list_items(variant.model) if item.title == "near"]
    assert [(item.name, item.file) for item in near] == [("near", "tiny/built.yaml"), ("near_base1", "tiny/own.rules")]
    assert variant.program.get_localizer("").translate_name("near_base1") == "near"
    with pytest.raises(RuleFault) as fault:
        variant.start(empty=True).call("run", a="reds")
    assert any(line.endswith(" in reach") for line in fault.value.stack), fault.value.stack
    assert not any("base" in line for line in fault.value.stack)


def test_samples_count_for_line_and_all_active_items():
    model = load("napoleon", checked=True).model
    items = {(i.sort, i.name): i for i in list_items(model)}
    near, weight = items["define", "nearness"], items["define", "worth_in_the_field"]
    below = ((near.file, near.last), (near.file, near.first, "d_nearness"))
    above = ((weight.file, weight.last), (weight.file, weight.first, "d_worth_in_the_field"))
    samples = Samples(1.0, 10, 4)
    samples.own[below] = 6
    samples.within[frozenset([below, above])] = 6
    costs = attribute_samples(model, samples, Counter({below[1]: 1000, above[1]: 10}))
    told = {cost.item.name: (cost.own, cost.whole, cost.calls) for cost in costs.items}
    assert told["nearness"] == (6, 6, 1000)
    assert told["worth_in_the_field"] == (0, 6, 10)
    assert costs.lines[0][0] == (near.file, near.last)


def test_calls_are_counted_exactly_and_looks_see_only_rules():
    rules = load(SKIRMISH, checked=True)
    files = {source.name for source in rules.model.ruleset.rules}

    def play() -> None:
        rules.program.clear_static_memos()  # clears tables that fill as they are read
        game = rules.start(seed=3)
        while not game.over and game.turn < 3:
            game.pick(0)

    once, again = (count_calls(play, files.__contains__) for _ in range(2))
    assert once == again
    assert {file for file, _line, _name in once} == files
    assert sum(number for (_f, _l, name), number in once.items() if name.startswith("list_")) > 3
    samples = sample_play(play, files.__contains__)
    assert samples.taken == samples.program + sum(samples.own.values())


PATIENCE = """
procedure patience(p: side):
    choose rest by p "rest?":
        option pause(n in 1..3) "rest {n} hours":
            require idle: n < 9  "too long"
            require strict: n < 3  "too long for a soldier"
            require unheard: n > 0  "that is no rest"
"""
PAIRS = """
define crowd(p: side) = count(u in units where (any v in units where v.at == u.at and v.side != p))
define near(p: side) = count(u in units where (any v in units at u.at where v.side != p))
"""


def test_walk_over_all_pairs_is_named_with_its_line_and_walk_to_neighbours_is_not(tmp_path):
    game = tmp_path / "game"
    shutil.copytree(SKIRMISH, game)
    (game / "more.rules").write_text(PAIRS, encoding="utf-8")
    model = load(game, checked=True).model
    items = list_items(model)
    shares = {id(item.node): 0.5 for item in items if item.node is not None}
    cures = [cure for cure in find_suggestions(model, shares, items) if cure.file == "game/more.rules"]
    assert [cure.line for cure in cures] == [2]
    assert "all pairs of units and units" in cures[0].text
    assert not find_suggestions(model, {}, items)


def test_plain_test_behind_dear_one_is_named(tmp_path):
    model = load("napoleon", checked=True).model
    items = list_items(model)
    shares = {id(i.node): 0.3 for i in items if i.name in ("journey.go.stop", "journey.go")}
    cures = [c for c in find_suggestions(model, shares, items) if "journey" not in c.text]
    assert [("`simple`" in c.text, "`stop`" in c.text) for c in cures] == [(True, True)]


def test_profile_shows_lines_items_and_calls(capsys):
    assert main(["profile", str(BORDER), "-n", "2", "--bots", "random", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["games"] == 2 and data["decisions"] > 10
    assert {"items", "lines", "cures", "program", "seconds", "bots"} <= set(data)
    assert main(["profile", str(BORDER), "-n", "1", "--bots", "random"]) == 0
    told = capsys.readouterr().out
    assert re.search(r"1 games of random, \d+ decisions", told)
    assert re.search(r"the program itself, .*: \d", told)


def answers_of(target: Path | str, form: str, decisions: int) -> dict[str, list[int]]:
    """Return the requirements' answers in a game of a form in which the middle option is always chosen."""
    plain = load(target, checked=True)
    rules = Rules(plain.form(form), plain.model, plain.target, plain.source)
    game = rules.start(seed=3, record=False)
    while not game.over and decisions:
        decisions -= 1
        game.pick(game.count() // 2)
    return rules.program.coverage.requirements


@pytest.mark.parametrize(
    ("target", "decisions"),
    [(BORDER, 200), ("napoleon", 200), pytest.param("denain-1712", 25, marks=pytest.mark.soak)],
)
def test_quick_count_of_refusals_comes_out_as_plain_one(target, decisions):
    quick, plain = answers_of(target, "asked", decisions), answers_of(target, "covered", decisions)
    told = [{name: [bool(x) for x in times] for name, times in found.items()} for found in (quick, plain)]
    assert told[0] == told[1] and sum(map(sum, quick.values())) > 100


def test_idle_requirements_are_counted_with_lines(tmp_path):
    shutil.copytree(SKIRMISH, tmp_path / "game")
    file = next((tmp_path / "game").glob("*.rules"))
    file.write_text(file.read_text(encoding="utf-8") + PATIENCE, encoding="utf-8")
    model = load(tmp_path / "game", checked=True).model
    found = count_refusals(model, {"patience.rest.pause.idle": [0, 40], "patience.rest.pause.strict": [7, 33]})
    told = {
        x.item.name.rpartition(".")[2]: (x.evaluated, x.refused) for x in found if x.item.name.startswith("patience")
    }
    assert told == {"idle": (40, 0), "strict": (40, 7), "unheard": (0, 0)}
    lines = format_refusals(found, ENGLISH)
    place = f"game/{file.name}:{line_of(file.parent, file.name, 'require idle')}"
    assert f"            40  patience.rest.pause.idle  {place}" in lines
    assert lines.index("requirements that were never tested in these games:") < next(
        n for n, line in enumerate(lines) if "unheard" in line
    )
    assert not any("strict" in line for line in lines)


def test_no_requirement_is_listed_if_each_refused():
    model = load(SKIRMISH, checked=True).model
    names = [x.item.name for x in count_refusals(model, {})]
    (line,) = format_refusals(count_refusals(model, dict.fromkeys(names, [1, 1])), ENGLISH)
    assert f" {len(names)} requirements failed" in line


def test_profile_shows_refusals_instead_of_costs(capsys):
    asked = ["profile", str(BORDER), "-n", "2", "--bots", "random", "--refusals"]
    assert main([*asked, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["games"] == 2 and "items" not in data
    assert all(x["asked"] >= x["refused"] and x["line"] for x in data["requirements"])
    assert any(x["refused"] for x in data["requirements"])
    assert main(asked) == 0
    assert f"2 games of random, {data['decisions']} decisions" in capsys.readouterr().out


@pytest.mark.parametrize(
    "given",
    [
        ["--bots", "nobody"],
        ["--bots", "red=nobody"],
        ["--refusals", "--bots", "search:2s"],
        ["-n", "0"],
        ["--scenario", "none"],
    ],
)
def test_invalid_profile_arguments_are_rejected(given, capsys):
    assert main(["profile", str(SKIRMISH), *given]) == 2
    assert "Traceback" not in capsys.readouterr().err
