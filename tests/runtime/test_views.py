"""Test `views`, the values of a thing that a ruleset shows players beside its attributes."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import Game, check, load
from interpreter.play.views import build_views
from interpreter.players.narration.position_lines import position_lines
from interpreter.runtime.localizer import Localizer
from interpreter.ui.repl.query_commands import QueryCommands
from interpreter.view_model.dynamic_view import build_tracks
from interpreter.view_model.records import Track
from tests import tiny
from tests.players.typist import Dictated, sit_down

RULES = """
procedure run(s: army):
    choose wait by s:
        option go_on: nothing
"""


def folder_with(folder: Path, views: str) -> Path:
    folder = tiny.write(folder, RULES)
    path = folder / "ruleset.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "views:\n" + views, encoding="utf-8")
    return folder


def told(game: Game, kind: str, thing: str) -> list[tuple[str, str]]:
    return [(label, words) for label, words, _ in build_views(game.state, kind, game.program.handles[kind][thing])]


def test_view_shows_of_its_own_kind_of_things(tmp_path: Path) -> None:
    game = load(
        folder_with(
            tmp_path,
            """\
  near: {of: place, as: h, name: places next to it, value: "neighbours(h)"}
  high: {of: place, value: "it.height > 1"}
  steps: {of: place, as: h, value: "h.height"}
  friends: {of: unit, as: u, value: "count(x in units where x.army == u.army and x != u)"}
""",
        )
    ).start()
    assert told(game, "place", "a") == [("places next to it", "b"), ("steps", "1")]
    assert told(game, "place", "c") == [("places next to it", "b and d"), ("high", ""), ("steps", "2")]
    assert told(game, "side", "reds") == []
    unit = game.program.ids["piece"][0]
    assert told(game, "piece", unit) == [("friends", "2")]


def test_empty_missing_and_faulty_views_are_omitted(tmp_path: Path) -> None:
    game = load(
        folder_with(
            tmp_path,
            """\
  nobody: {of: place, value: "{u in units at it where false}"}
  none_there: {of: place, value: "first(u in units at it where false)"}
  share: {of: place, value: "1 / (it.height - 1)"}
""",
        )
    ).start()
    assert told(game, "place", "a") == []
    assert told(game, "place", "c") == [("share", "1")]


def test_view_follows_position(tmp_path: Path) -> None:
    game = load(folder_with(tmp_path, '  here: {of: place, value: "count(units at it)"}\n')).start()
    before = dict(told(game, "place", "a"))["here"]
    piece = next(p for p, values in game.view()["pieces"].items() if values["at"] == "a")
    game.edit(pieces={piece: {"at": "b"}})
    assert int(dict(told(game, "place", "a"))["here"]) == int(before) - 1


def test_views_of_game_sides_and_seats_are_in_position(tmp_path: Path) -> None:
    rules = load(
        folder_with(
            tmp_path,
            """\
  hurry: {value: "3 > 2"}
  left: {name: units left, value: "count(units)"}
  own: {of: army, as: s, name: units of its own, value: "count(u in units where u.army == s)"}
  home: {of: army, as: s, name: where it lives, value: "s.home"}
  sides_of: {of: seat, as: s, name: plays, value: "{x in armies where x.seat == s}"}
""",
        )
    )
    game = rules.start()
    assert build_views(game.state, None) == [("hurry", "", ()), ("units left", "6", ())]
    localizer = Localizer(game.program)
    lines = position_lines(game, localizer)
    assert lines[1:3] == ["total 0", "hurry, units left 6"]
    assert "  reds: spirit steady; units of its own 3, where it lives a" in lines
    assert "  blue seat: plays blues" in lines
    assert [line for line in lines if "its own" in line] == lines[3:5]
    asked = QueryCommands(sit_down(rules, game, Dictated()).context)
    told = ["reds", "  home: a", "  spirit: steady", "  units of its own: 3", "  where it lives: a"]
    group = ["reds", "  a: reds 3 fresh"]  # a group of counters has the side's id here: both are shown
    for command in ("look", "what"):
        assert [str(line) for line in asked.answer(command, "reds")] == told + group
    assert [str(line) for line in asked.answer("look", "red_seat")] == ["red seat", "  plays: reds"]


@pytest.mark.parametrize(
    ("view", "code"),
    [
        ('  x: {of: int, value: "1"}\n', "wrong-type"),
        ('  x: {of: nonsense, value: "1"}\n', "unknown-type"),
        ('  x: {of: place, value: "it.hight"}\n', "unknown-attribute"),
        ('  x: {of: place, as: h, value: "it.height"}\n', "unknown-name"),
        ("  x: {of: place}\n", "missing-key"),
        ('  x: {of: place, value: "it.height", colour: red}\n', "unknown-key"),
    ],
)
def test_fault_in_view_is_reported_in_its_line(tmp_path: Path, view: str, code: str) -> None:
    folder = folder_with(tmp_path, view)
    found = [d for d in check(folder) if d.severity == "error"]
    assert [d.code for d in found] == [code]
    assert found[0].line == (folder / "ruleset.yaml").read_text(encoding="utf-8").count("\n")
    assert found[0].file.endswith("ruleset.yaml")


def test_tracks_include_ladders_bounds_and_changes(tmp_path: Path) -> None:
    rules = tiny.build(
        tmp_path,
        "procedure run(a: army):\n    nothing\n",
        side={
            "wish": "{type: {maybe: spirit}, default: proud, changes: true}",
            "bag": "{type: {set_of: place}, default: [a, b], changes: true}",
            "stores": "{type: int, default: 2, low: -3, high: 9, changes: true}",
            "bold": "{type: flag, default: true, changes: true}",
        },
    )
    game = tiny.started(rules)
    general, sides = build_tracks(game, game.view(), Localizer(rules.program))
    assert (general.columns, general.rows) == (("total",), (("", "", (Track("0", 0, 0),)),))
    assert (sides.kind, sides.title, sides.columns) == ("side", "army", ("spirit", "wish", "bag", "stores", "bold"))
    own = (Track("steady", 3, 1), Track("proud", 3, 2), Track("a and b", 0, 0), Track("2", 13, 5), Track("yes", 0, 0))
    assert sides.rows == (("reds", "reds", own), ("blues", "blues", own))
