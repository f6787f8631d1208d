"""Oddities are found where a slip makes them, in copies of the shipped games and in a new one."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree

import pytest

from interpreter.api.game import check
from tests.first_game import write_first_game

ROOT = Path(__file__).resolve().parents[2]
MAP = "denain-1712/map.yaml"
CHARTS = "denain-1712/tables.yaml"
SLIPS = [
    (CHARTS, r"-1  \|  E      2DR2\*", "-1  |  E      D", "cell-out-of-order", "along `column`"),
    (CHARTS, r"3   \|  1DR    DR     D ", "3   |  1DR    DR     3D ", "cell-out-of-order", "along `die`"),
    (
        CHARTS,
        r"6   \|  D      -      -     -",
        "6   |  DE     -      -     -",
        "cell-out-of-order",
        "combines `destroyed`",
    ),
    (
        MAP,
        r'    "2113/2114": \{river: true\}\n',
        "",
        "line-with-gap",
        "`2113/2114`",
    ),
    (MAP, r'    "1308/1409": \{road: true\}\n', "", "line-with-gap", "`1308/1409`"),
    ("denain-1712/scenarios/standard.yaml", r"# allow closed-ground: .*\n", "", "closed-ground", "`allied_train`"),
    (
        "denain-1712/scenarios/standard.yaml",
        r"(# allow closed-ground): .*\n",
        r"\1\n",
        "closed-ground",
        "`allied_train`",
    ),
    ("napoleon/tables.yaml", r"\[success, failure\]\}", "[success, failure, fame]}", "unused-result", "`fame`"),
]


ROUNDS = [(0, 3, 5), (1, 4, 6), (2,), (7,)]  # slips of several sorts, which a game can have side by side


@pytest.mark.parametrize("numbers", ROUNDS)
def test_oddities_in_shipped_game_are_reported(tmp_path: Path, numbers: tuple[int, ...]) -> None:
    slips = [SLIPS[number] for number in numbers]
    (game,) = {name.split("/")[0] for name, *_ in slips}
    copytree(ROOT / "rulesets" / game, tmp_path / game)
    for name, old, new, _, _ in slips:
        path = tmp_path / name
        text, number = re.subn(old, new, path.read_text(encoding="utf-8"), count=1)
        assert number == 1
        path.write_text(text, encoding="utf-8")
    found = [d for d in check(tmp_path / game, odd=True) if not d.file.startswith("variants")]
    for *_, code, told in slips:
        (of_this_sort,) = [d for d in found if d.code == code]
        assert told in of_this_sort.message


def test_every_slip_belongs_to_one_round() -> None:
    assert sorted(number for numbers in ROUNDS for number in numbers) == list(range(len(SLIPS)))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return a new game of areas, in which nothing is odd."""
    folder = write_first_game(tmp_path, "game", "areas")
    assert check(folder, odd=True) == ()
    return folder


LADDER = "kind: ladders\nformat: 1\nladders: {supply: [none_left, low, full]}\n"
CHART = "kind: tables\nformat: 1\ntables:\n  t: {axes: {n: {range: 1..LAST}}, gives: int, cells: CELLS}\n"


def chart(last: int) -> str:
    return CHART.replace("LAST", str(last)).replace("CELLS", str(list(range(last))))


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("x.yaml", LADDER, "unreachable-rung"),
        ("x.yaml", chart(9), "unreached-row"),
        ("x.yaml", chart(5), "runs-off-chart"),
    ],
)
def test_oddity_in_new_game_is_reported_with_its_code(game: Path, name: str, text: str, code: str) -> None:
    (game / name).write_text(text, encoding="utf-8")
    if code == "unreachable-rung":
        ruleset = game / "ruleset.yaml"
        old = ruleset.read_text(encoding="utf-8")
        new = old.replace(
            "sides:\n", "sides:\n  attributes:\n    supply: {type: supply, default: low, changes: true}\n", 1
        )
        ruleset.write_text(new, encoding="utf-8")
        extra = "    for s in sides:\n        advance s.supply if possible\n"
    else:
        extra = "    roll weather: die -> sky\n    if t[sky] == 9: end game drawn\n"
    rules = (game / "turn.rules").read_text(encoding="utf-8")
    (game / "turn.rules").write_text(rules.replace("turn [1.1]:\n", "turn [1.1]:\n" + extra), encoding="utf-8")
    found = check(game, odd=True)
    assert {d.code for d in found} == {code}, [f"{d.file}:{d.line} {d.code} {d.message}" for d in found]


def test_option_that_no_rule_reads_is_reported(game: Path) -> None:
    with (game / "ruleset.yaml").open("a", encoding="utf-8") as file:
        file.write("options:\n  rain: {name: Rain, default: false}\n")
    assert [d.code for d in check(game, odd=True)] == ["unread-option"]


def test_negative_cell_of_shipped_chart_is_reported_without_odd(tmp_path: Path) -> None:
    copytree(ROOT / "rulesets" / "napoleon", tmp_path / "napoleon")
    path = tmp_path / "napoleon" / "tables.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("3: 0, 4: 0,", "3: -1, 4: 0,", 1), encoding="utf-8")
    (finding,) = check(tmp_path / "napoleon")
    assert (finding.code, finding.severity) == ("cell-beyond-bounds", "warning")
    assert finding.span.source.text[finding.span.start : finding.span.end] == "-1"
    (applied,) = finding.related
    assert applied.span.file.endswith("battle.rules")
