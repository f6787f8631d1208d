"""An option by which things go by each other's names and looks: in words, log, scenes, drawings and saved games."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from interpreter.api.game import Game, Rules, load, resume
from interpreter.cli.main import main
from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building.ruleset_builder import read_documents
from interpreter.play.views import build_views
from interpreter.players.orders.menu import Menu
from interpreter.players.orders.menu_answers import parse_menu_answer
from interpreter.players.orders.name_index import NameIndex
from interpreter.runtime.localizer import Localizer
from interpreter.tools.odds.odds_lines import format_odds
from interpreter.tools.odds.resolution import compute_option_odds
from interpreter.view_model.dynamic_view import ViewBuilder, build_viewer
from interpreter.view_model.view_context import build_view_context

GREEN, YELLOW = "#7cc46c", "#f4d648"
WINGS = {"right_wing": "Left wing", "left_wing": "Right wing"}
SAYS = ["swap_wings"]


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load("denain-1712")


def to_the_formations(game: Game) -> Game:
    """Up to the question which formation acts."""
    for key in ("done", "done", "done", "done", "act_first"):
        game.choose(key)
    assert game.decision.name == "formation"
    return game


def names(game: Game, lang: str = "") -> dict[str, str]:
    localizer = game.program.get_localizer(lang)
    return {id: localizer.get_name_by_handle("formation", game.program.handles["formation"][id]) for id in WINGS}


def test_names_of_game_are_those_its_options_say(rules: Rules) -> None:
    plain, swapped = rules.start(seed=3), rules.start(options=SAYS, seed=3)
    assert names(swapped) == WINGS
    assert names(plain) == {"right_wing": "Right wing", "left_wing": "Left wing"}, "one program serves both"
    assert names(swapped, "ja") == {"right_wing": "左翼", "left_wing": "右翼"}
    assert names(rules.start(options=SAYS, seed=3)) == WINGS, "also a game that begins like another"
    assert [x["id"] for x in swapped.program.kinds["formation"]["things"]] == rules.program.ids["formation"]


def test_words_options_and_log_use_exchanged_names(rules: Rules) -> None:
    game = to_the_formations(rules.start(options=SAYS, seed=1712))
    labels = {option.key: option.text() for option in game.decision.options}
    assert labels["name(right_wing)"] == "activate Left wing"
    game.choose("name(right_wing)")
    game.choose("no_other")
    assert "Left wing: now active" in [event.text() for event in game.log if event.name == "activated"]
    localizer = Localizer(game.program)
    assert localizer.get_thing_name("formation", "left_wing") == "Right wing"
    assert localizer.get_thing_name("piece", "aide_right_wing") == "Aide-de-camp of the left wing"


def test_typed_name_means_shown_name(rules: Rules) -> None:
    game = to_the_formations(rules.start(options=SAYS, seed=1712))
    lexicon = NameIndex(game, Localizer(game.program))
    for typed, key in (("left wing", "name(right_wing)"), ("right", "name(left_wing)")):
        found = parse_menu_answer(Menu(game.decision.options), typed, lexicon)
        assert found is not None and found.target.key == key


def test_scene_shows_exchanged_names_and_colours(rules: Rules) -> None:
    def shown(options: list[str]) -> tuple[dict[str, str], dict[str, str], str]:
        game = rules.start(options=options, seed=1)
        scenery = ViewBuilder(build_view_context(rules.as_played(game)))
        moment = scenery.build_view(game, build_viewer(game, ()), "")
        sheet = next(sheet for sheet in moment.tracks if sheet.kind == "formation")
        found = scenery.find_drawing(scenery.get_legend_name(game))
        assert found is not None
        legend = found.plain.decode()
        return {piece.id: piece.drawn for piece in moment.pieces}, {id: name for id, name, _ in sheet.rows}, legend

    (counters, _rows, legend), (swapped, rows, other) = shown([]), shown(SAYS)
    assert GREEN in counters["navarre"] and YELLOW in counters["brendle"]
    assert YELLOW in swapped["navarre"] and GREEN in swapped["brendle"]
    assert counters["picardie"] == swapped["picardie"]
    assert {id: rows[id] for id in WINGS} == WINGS

    def colour_of(name: str, drawn: str) -> str:
        return max((GREEN, YELLOW), key=lambda colour: drawn.rfind(colour, 0, drawn.index(f"{name}<")))

    for drawn in (legend, other):
        assert [colour_of(name, drawn) for name in ("Left wing", "Right wing")] == [YELLOW, GREEN]


def test_formation_colour_is_exchanged(rules: Rules) -> None:
    told = {}
    for options in ([], SAYS):
        game = rules.start(options=options)
        handle = game.program.handles["formation"]["right_wing"]
        found = build_views(game.state, "formation", handle, "en")
        told[tuple(options)] = [text for label, text, _ in found if label == "colour"]
    assert told == {(): ["green"], tuple(SAYS): ["yellow"]}


def test_resumed_game_keeps_exchanged_names(rules: Rules, tmp_path: Path) -> None:
    game = to_the_formations(rules.start(options=SAYS, seed=1712))
    game.choose("name(right_wing)")
    path = tmp_path / "wings.journal"
    game.save(path)
    again = resume(path)
    assert names(again) == WINGS
    assert again.hash() == game.hash()
    again.undo()
    assert "activate Left wing" in [option.text() for option in again.decision.options]
    out = io.StringIO()
    with redirect_stdout(out):
        assert main(["report", str(path), "--no-luck"]) == 0
    assert "activate Left wing" in out.getvalue()


def test_odds_use_exchanged_names(rules: Rules) -> None:
    game = to_the_formations(rules.start(options=SAYS, seed=1712))
    odds = compute_option_odds(rules.as_played(game), game, "name(left_wing)", throws=1)
    assert (
        odds.program.get_localizer().get_name_by_handle("formation", game.program.handles["formation"]["left_wing"])
        == "Right wing"
    )
    assert format_odds(odds)


def test_clone_and_trial_keep_exchanged_names(rules: Rules) -> None:
    game = to_the_formations(rules.start(options=SAYS, seed=1712))
    assert names(game.clone()) == names(game.copy_with_history()) == WINGS


@pytest.mark.parametrize(
    ("exchanges", "code", "told"),
    [
        ("{wing: [[a, b]]}", "unknown-kind", "`wing`"),
        ("{formations: [[right_wing, lft_wing]]}", "unknown-thing", "lft_wing"),
        (
            "{formations: [[right_wing, left_wing], [left_wing, centre]]}",
            "repeated-value",
            "exchanged with only one",
        ),
    ],
)
def test_exchanges_that_cannot_be_are_reported(tmp_path: Path, exchanges: str, code: str, told: str) -> None:
    variant = tmp_path / "other.yaml"
    head = "kind: variant\nformat: 1\nid: other\ntitle: Other\nextends: denain-1712\nruleset:\n  options:\n"
    variant.write_text(f"{head}    swap_wings: {{exchanges: {exchanges}}}\n", encoding="utf-8")
    sink = Sink()
    read_documents(str(variant), sink)
    found = [d for d in sink.items if d.severity == "error"]
    assert [d.code for d in found] == [code], found
    assert told in str(found[0].message)
