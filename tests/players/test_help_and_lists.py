"""Test lists, questions and help for typed input: ends in their words, sides by name, `done`, groups."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import load
from interpreter.cli.main import main
from interpreter.players.narration.lookup import render_look
from interpreter.players.narration.why_lines import render_why_not
from interpreter.players.orders.matching import match_full_names
from interpreter.players.orders.menu import Menu, list_entries
from interpreter.players.orders.name_index import NameIndex
from interpreter.runtime.localizer import Localizer
from tests.recordings import assert_recorded
from tests.tiny import build, called, started, write

# More ends than are listed in full, each selected by its place.
DRIVE = """
    draft drive(u: unit) starting here = a, by_night = false:
        option on(p in places, night in {true, false}) now here = p, by_night = night then stop
        finish require moved: count(places) > 0 "nowhere"
        offer distinct by here, by_night
        offer "{u.army} creep up to {here}"

    procedure run(a: army):
        choose who by a:
            option order(u in {x in units where x.army == a}):
                drive(u) by a -> way
"""
ROWS = """
    turn:
        phase first:
            choose early by reds "who looks?" repeat until done:
                option look_at(u in {x in units where x.army == reds and not x.moved}):
                    set u.moved = true
            choose late by reds "who waits?" repeat until done:
                option wait_for(u in {x in units where x.army == reds and not x.waited}):
                    set u.waited = true
        phase second:
            choose rest by blues:
                option sleep "lie down for the night":
                    end game drawn
                option watch "keep watch till morning":
                    end game drawn
"""
FLAGS = {"moved": "{type: flag, lasts: turn}", "waited": "{type: flag, lasts: turn}"}


def typed_at(folder: Path, lines: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    from io import StringIO

    monkeypatch.setattr("sys.stdin", StringIO(lines))
    main(["play", str(folder), "--seed", "1", "--save", str(folder.parent / "game.jsonl")])
    return capsys.readouterr().out


def test_done_asks_only_where_undo_would_not_bring_it_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path, ROWS, unit=FLAGS)
    out = typed_at(folder, "done\ndone\nno\nquit\n", capsys, monkeypatch)
    assert_recorded(out, FOLDER=tmp_path)  # `done` confirms only the question after which another player continues


def test_help_gives_examples_from_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path, ROWS, unit=FLAGS)
    out = typed_at(folder, "done anyway\ndone anyway\nhelp\nquit\n", capsys, monkeypatch)
    assert "for example: lie down for the night, watch" in out


def test_side_is_found_by_its_name_before_its_holding_place(tmp_path: Path) -> None:
    documents = {"map.yaml": (write(tmp_path, ROWS, unit=FLAGS) / "map.yaml").read_text(encoding="utf-8")}
    documents["map.yaml"] = documents["map.yaml"].replace(
        "box: {one_per: army}", "box: {one_per: army, name: the box of}"
    )
    game = started(build(tmp_path, ROWS, documents, unit=FLAGS))
    lexicon = NameIndex(game, Localizer(game.program))
    assert match_full_names("side", "the Reds", lexicon) == ["reds"]
    for typed in ("reds", "the reds", "red"):
        told = render_look(typed, game, lexicon)
        assert "  home: a" in told, typed
        assert not any("box" in str(line) for line in told), typed
    assert any("box" in str(line) for line in render_look("the box of reds", game, lexicon))


def test_group_that_is_not_there_is_reported_in_words() -> None:
    game = load("napoleon").start(seed=1812)
    while game.decision is not None and game.decision.options[0].name != "march":
        game.choose(next(o for o in game.decision.options if o.name == "move_combat"))
    [reason] = game.why_not("march", u="france.face_down@france", number=3)
    assert "France, face-down (France)" in reason.text and "@" not in reason.text
    [reason] = game.why_not("march", u="france.face_up@rhine", number=3)
    assert "France, face-up (Confederation of the Rhine)" in reason.text


def test_ends_of_drafts_are_listed_in_their_own_words(tmp_path: Path) -> None:
    place = "    members:\n" + "".join(f"    p{n}: {{}}\n" for n in range(20))
    text = (write(tmp_path, DRIVE) / "map.yaml").read_text(encoding="utf-8")
    game = called(
        build(tmp_path, DRIVE, {"map.yaml": text.replace("  members:\n    a:", place[2:] + "    a:", 1)}),
        "run",
        a="reds",
    )
    game.choose(game.decision.options[0]) if game.decision else None
    assert game.decision is not None and game.decision.is_draft
    lexicon = NameIndex(game, Localizer(game.program))
    options = [o for o in game.decision.options if o.args.get("by_night") is not True]
    found = list_entries(Menu(options), lexicon)
    assert len(found) > 15
    assert all("creep up to" in e.text for e in found)


STREET = """
    draft walk(a: army) starting here = a.home, spent = 0:
        option go(p in neighbours(here)) now here = p, spent = spent + 1 then stop:
            require near: spent < 1  "{p} is too far"
        finish require moved: spent > 0  "nobody stays"
        offer distinct by here
        offer cheapest spent
        offer "to {here} for {spent}"

    turn:
        phase first:
            choose talk by reds "what do the envoys do?" repeat until done:
                option declare(b in {x in armies where x != reds}) "declare war on the {b}":
                    set game.total = 1
                option wait "wait and see": nothing
            draw token: units -> u
            choose orders by reds "who goes?" repeat until done:
                option march(b in armies) "march with {b}":
                    walk(b) by reds "where to?" -> way
                    end game drawn
"""


def answered(
    folder: Path, *lines: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Return the answer to each line."""
    out = typed_at(folder, "\n".join([*lines, "quit", ""]), capsys, monkeypatch)
    return [part.strip() for part in out.split("red seat> ")][1:]


def test_unmatched_line_gets_suggestions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path, STREET)
    said = answered(folder, "march", "c", "red-1", "odds march", "why wai", capsys=capsys, monkeypatch=monkeypatch)
    assert_recorded("\n\n".join(said[:5]))


def test_small_words_may_be_typed_or_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path, STREET.replace("declare war on the {b}", "declare war: {b}"))
    said = answered(folder, "declare war on the blues", "ask game.total", capsys=capsys, monkeypatch=monkeypatch)
    assert said[1] == "1"


def test_custom_end_label_shows_cost_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = answered(write(tmp_path, STREET), "done anyway", "march with reds", capsys=capsys, monkeypatch=monkeypatch)
    assert "  1  to b for 1\n" in said[1] + "\n" or "to b for 1" in said[1]
    assert "walk:" not in said[1] and "cost 1" not in said[1]


def test_luck_with_draws_alone_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = answered(write(tmp_path, STREET), "done anyway", "luck", capsys=capsys, monkeypatch=monkeypatch)
    assert_recorded(said[1])


def test_look_shows_values_or_suggests_another_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path, STREET)
    asked = ["look total", "look score", "look spirit", "look red-1", "look 1.1", "look nowhere"]
    said = answered(folder, *asked, capsys=capsys, monkeypatch=monkeypatch)
    assert_recorded("\n\n".join(said[:6]))


def test_marker_is_named_by_starting_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path, STREET)
    rulebook = folder / "ruleset.yaml"
    kind = "kinds:\n  pact:\n    many: pacts\n    attributes: {mood: {type: spirit, default: steady, changes: true}}\n"
    rulebook.write_text(rulebook.read_text(encoding="utf-8") + kind + "    members: {peace: {}}\n", encoding="utf-8")
    out = typed_at(folder, "quit\n", capsys, monkeypatch)
    assert "  peace: mood steady\n" in out


def test_why_reports_argument_without_decision() -> None:
    """Check that an argument of a question that is not asked is not taken for a route to a place of that name."""
    game = load("napoleon").start(seed=1)
    while game.decision.side != "france":
        game.choose(game.decision.options[0])
    lexicon = NameIndex(game, Localizer(game.program, "en"))
    assert list(map(str, render_why_not("declaration austria", game, lexicon))) == [
        "  Austria is already at war [7.0-d] [A10]"
    ]
    game.edit(sides={"prussia": {"war_status": "war"}})
    assert_recorded(render_why_not("declaration austria", game, lexicon))
    game.edit(sides={"spain": {"war_status": "war"}})
    assert list(map(str, render_why_not("declaration austria", game, lexicon)))[0] == "declaration: not legal"


@pytest.mark.parametrize(
    ("language", "order", "fitting"),
    [
        ("en", "move and fight", ["austria", "march austria", "march france", "france", "10 austria"]),
        ("ja", "移動/戦闘", ["オーストリア", "動かす フランス", "フランス"]),
    ],
)
def test_argument_matching_follow_up_is_legal(language: str, order: str, fitting: list[str]) -> None:
    """Check that an argument of the order's next question is legal, as `go austria` finds it there."""
    game = load("napoleon").start(seed=1)
    while game.decision.side != "france":
        game.choose(game.decision.options[0])
    lexicon = NameIndex(game, Localizer(game.program, language))
    legal = lexicon.localizer.say("{order}: this is legal now", order="X")
    for typed in fitting:
        assert list(map(str, render_why_not(f"{order} {typed}", game, lexicon))) == [
            legal.replace("X", f"{order} {typed}")
        ]
    [told] = list(map(str, render_why_not(f"{order} qxqx", game, lexicon)))
    assert "qxqx" in told and told != legal.replace("X", f"{order} qxqx")
