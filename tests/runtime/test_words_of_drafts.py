"""Test words for the ends of drafts and for stops of drafts, and titles of phases with values in them."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from interpreter import load, resume
from interpreter.api.game import Rules
from interpreter.cli.main import main
from interpreter.players.narration.position_lines import render_heading
from interpreter.runtime.localizer import Localizer
from tests.tiny import build, called, write

RULES = """
    draft walk(a: army) starting here = a.home, spent = 0 [1.1]:
        option go(p in neighbours(here)) now here = p,
                spent = spent + 1 then stop if p.height > 1 because "{p} is steep, {spent} before it" [1.2] "on to {p}":
            require back: p != a.home  "nobody goes home"
        option rest now spent = spent + 5 then stop because "{a} rests" [1.2]
        finish require spent > 0  "stand still and you get nowhere"
        offer distinct by here
        offer "to {here} for {spent}"

    procedure run(a: army):
        walk(a) by a "where to?" -> way
        move units at a.home to way.here
"""
TURN = (
    RULES
    + """
    turn:
        for a in armies:
            phase march "March of {a}, total {game.total}" [1.1]:
                set game.total = 7
                phase quiet "Rest":
                    nothing
                ask(a) -> n
"""
)


def test_ends_have_words_of_their_own(rules: Rules) -> None:
    game = called(rules, "run", a="reds")
    assert game.decision is not None
    assert [(o.key, o.label) for o in game.decision.options] == [
        ("go(b)", "to b for 1"),
        ("rest", "to a for 5"),
        ("go(b) > go(c)", "to c for 2"),
    ]
    assert [o.label for o in game.draft_steps()] == ["on to b", "rest"]


def test_words_of_ends_may_use_names_that_show_ends_apart(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        RULES.replace("offer distinct by here\n", "offer distinct by here, far = spent > 1\n").replace(
            "to {here} for {spent}", "to {here}, far {far}"
        ),
    )
    game = called(rules, "run", a="reds")
    assert game.decision is not None
    assert {o.label for o in game.decision.options} == {
        "to b, far no",
        "to a, far yes",
        "to c, far yes",
        "to b, far yes",
    }
    assert game.decision.options[0].args == {"here": "b", "far": False}


def test_why_draft_ends_there(rules: Rules) -> None:
    game = called(rules, "run", a="reds")
    found = game.why_not("walk", here="d")
    assert [(r.text, r.cite) for r in found] == [("c is steep, 1 before it", ("1.2",))]
    assert game.why_not("walk", here="c") == ()


def test_phase_title_keeps_values_from_its_start(tmp_path: Path) -> None:
    folder = write(tmp_path, TURN)
    game = load(folder).start(seed=1)
    titles = [e.text() for e in game.log if e.sort == "phase"]
    assert titles == ["March of reds, total 0", "Rest"]
    assert render_heading(game.view(), Localizer(game.program, "")) == "Turn 1, March of reds, total 0"
    game.choose("say(1)")
    assert render_heading(game.view(), Localizer(game.program, "")) == "Turn 1, March of blues, total 7"
    game.save(tmp_path / "game.journal")
    again = resume(tmp_path / "game.journal", folder)
    assert again.view() == game.view() and again.hash() == game.hash()


def test_log_shows_titles_with_their_values(tmp_path: Path, capsys, monkeypatch) -> None:
    folder = write(tmp_path, TURN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", StringIO("log\nquit\n"))
    assert main(["play", str(folder), "--seed", "1", "--side", "reds=random"]) == 0
    told = capsys.readouterr().out
    assert "== March of reds, total 0" in told and "== march" not in told
    assert told.count("Turn 1, March of blues, total ") == 1  # the heading above the question has the same form


def test_heading_shows_title_of_turn(tmp_path: Path) -> None:
    folder = write(tmp_path, TURN)
    ruleset = folder / "ruleset.yaml"
    ruleset.write_text(ruleset.read_text(encoding="utf-8") + 'turn: {title: "day {turn + 4}"}\n', encoding="utf-8")
    game = load(folder).start(seed=1)
    assert render_heading(game.view(), Localizer(game.program, "")) == "Turn 1 (day 5), March of reds, total 0"


def test_game_without_record_names_phase_by_its_name(tmp_path: Path) -> None:
    game = load(write(tmp_path, TURN)).start(seed=1, record=False)
    assert render_heading(game.view(), Localizer(game.program, "")) == "Turn 1, march"
