"""One budget for all that is asked at once: a picture, a list, a page, the demands on set-ups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from interpreter import check
from interpreter.api.game import Rules
from interpreter.cli.main import main
from interpreter.play.template_values import format_template
from interpreter.play.views import build_all_views, build_views
from interpreter.players.orders.name_index import NameIndex
from interpreter.players.summaries.scores import find_current_levels
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.limits import LIMITS, one_budget, tolerate_exhaustion
from interpreter.runtime.localizer import Localizer
from interpreter.tools.maps.piece_groups import add_turn_titles, build_current_position
from interpreter.tools.maps.text.live_maps import build_page, render_live_map
from interpreter.view_model.dynamic_view import ViewBuilder, Viewer
from interpreter.view_model.queries.overlay_queries import build_overlay
from interpreter.view_model.view_context import ViewContext, build_view_context
from tests.recordings import assert_recorded, lines_with
from tests.tiny import MAP, PIECES, called, option_keys, write
from tests.witness.budgets import budget

STEPS = 20_000  # of a choice; four times as many for what is shown at once
COST = "count(x in 1..9 where any y in 1..999 where x * y == {} + 99999)"  # nearly half of them
PLACE = COST.format("it.height")
PLAIN = "kind: scenario\nformat: 1\nid: plain\ntitle: P\ndefault: true\nturns: 9\n"
TURN = "turn:\n    phase only_phase:\n        ask(reds) -> n\n"
GRID = "grid:\n  shape: square\n  columns: [1, 6]\n  rows: [1, 6]\n  numbering: CCRR\n"
AREAS = MAP.format(place="")
UNITS = PIECES.format(unit="").replace("count: 3", "count: 30").replace("counters:", "short: '{SHORT}'\n    counters:")


def ruleset(folder: Path, rules: str = TURN, files: Mapping[str, str] | None = None, more: str = "") -> Path:
    """Return a ruleset with other files, and lines added to its main document."""
    target = write(folder, rules, files)
    main = target / "ruleset.yaml"
    main.write_text(main.read_text(encoding="utf-8") + more, encoding="utf-8")
    return target


def loaded(*given: Any, **more: Any) -> Rules:
    from interpreter import load

    return load(ruleset(*given, **more))


def drawn(keys: str) -> dict[str, str]:
    """Return the map with a grid and a drawing."""
    return {"map.yaml": AREAS + GRID + "drawing:\n  places:\n" + keys}


def stage(rules: Rules) -> ViewContext:
    return build_view_context(rules)


def picture(rules: Rules) -> Any:
    documents, game = rules.documents(), rules.start(seed=1)
    return add_turn_titles(build_current_position(documents, documents.scenarios["plain"], game, ""), game)


def plain_map(rules: Rules) -> Any:
    return render_live_map(build_page(rules), rules.start(seed=1))


def views(rules: Rules) -> Any:
    return build_all_views(rules.start(seed=1).state)


def of_place(rules: Rules) -> Any:
    return build_views(rules.start(seed=1).state, "place", 0)


def overlay(rules: Rules) -> Any:
    return build_overlay(stage(rules), rules.start(seed=1), "v0")


def view(rules: Rules) -> Any:
    return rules.start(seed=1).view()


def lexicon(rules: Rules) -> Any:
    game = rules.start(seed=1)
    words = NameIndex(game, Localizer(rules.program, ""))
    return [words.find_short_form(piece, "piece") for piece in rules.program.ids["piece"]]


def levels(rules: Rules) -> Any:
    return find_current_levels(rules.start(seed=1))


FILL = f"    fill: '{PLACE} > 0'\n    values:\n      true: {{colour: '#e6dfb8', mark: '.'}}\n"
SHORTS = {"pieces.yaml": UNITS.replace("{SHORT}", "{" + COST.format("it.at.height") + "}")}
MANY = {
    "fill, as a picture": (picture, {"files": drawn(FILL)}, "map.yaml"),
    "fill, in characters": (plain_map, {"files": drawn(FILL)}, "map.yaml"),
    "numbers": (picture, {"files": drawn(f"    numbers: ['{{{PLACE}}}']\n")}, "map.yaml"),
    "marks": (picture, {"files": drawn(f"    marks:\n      - {{when: '{PLACE} > 0', sign: star}}\n")}, "map.yaml"),
    "short forms, as a picture": (picture, {"files": SHORTS}, "pieces.yaml"),
    "short forms, as data": (view, {"files": SHORTS}, "pieces.yaml"),
    "short forms, typed": (lexicon, {"files": SHORTS}, "pieces.yaml"),
    "titles of turns": (
        picture,
        {
            "files": {
                "scenarios/plain.yaml": "kind: scenario\nformat: 1\nid: plain\ntitle: P\ndefault: true\nturns: 9\n"
            },
            "more": "turn: {title: '{" + COST.format("turn") + "}'}\n",
        },
        "ruleset.yaml",
    ),
    "views of the game": (
        views,
        {"more": "views:\n" + "".join(f"  v{k}: {{value: '{COST.format(k)} + 1'}}\n" for k in range(12))},
        "ruleset.yaml",
    ),
    "views of a place": (
        of_place,
        {"more": "views:\n" + "".join(f"  v{k}: {{of: place, value: '{PLACE} + 1'}}\n" for k in range(12))},
        "ruleset.yaml",
    ),
    "a view of all places": (
        overlay,
        {"files": drawn("    fill: height\n"), "more": f"views:\n  v0: {{of: place, value: '{PLACE} + 1'}}\n"},
        "ruleset.yaml",
    ),
    "levels of victory": (
        levels,
        {
            "files": {
                "victory.yaml": "kind: victory\nformat: 1\nlevels:\n"
                + "".join(f"  l{k}: {{for: red_seat, when: '{COST.format(k)} > 0'}}\n" for k in range(12))
            }
        },
        "victory.yaml",
    ),
}


@pytest.mark.parametrize(("show", "given", "file"), MANY.values(), ids=MANY)
def test_texts_shown_together_share_budget(
    tmp_path: Path, show: Callable[[Rules], Any], given: Mapping[str, Any], file: str
) -> None:
    with budget(STEPS), pytest.raises(RuleFault) as caught:
        show(loaded(tmp_path, **given))
    fault = caught.value
    assert fault.is_exhausted and fault.file == f"tiny/{file}" and fault.line
    assert f"more than {4 * STEPS:,} steps" in fault.message and "evaluations: " in fault.message


TEXTS = {name: case for name, case in MANY.items() if name != "levels of victory"}  # an answer, not a text


@pytest.mark.parametrize(("show", "given", "file"), TEXTS.values(), ids=TEXTS)
def test_tolerated_exhaustion_is_reported_once(
    tmp_path: Path, show: Callable[[Rules], Any], given: Mapping[str, Any], file: str
) -> None:
    rules, faults = loaded(tmp_path, **given), list[RuleFault]()
    with budget(STEPS), tolerate_exhaustion(faults.append):
        show(rules)
        show(rules)
    assert [(fault.file, fault.is_exhausted) for fault in faults] == [(f"tiny/{file}", True)]


@pytest.mark.parametrize("words", [["show", "TARGET", "map"], ["play", "TARGET", "--plain", "--seed", "1"]])
def test_command_leaves_out_texts_of_map_over_its_budget(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    """The map is shown without them, the command says so, and a game continues."""
    target = ruleset(tmp_path, files={**drawn(FILL), **SHORTS})
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("sys.stdin", StringIO("map\n1\nquit\n"))
    with budget(STEPS):
        assert main([str(target) if word == "TARGET" else word for word in words]) == 0
    shown = "".join(capsys.readouterr())
    assert_recorded(lines_with(shown, "80,000 steps"), FOLDER=tmp_path)
    assert words[0] == "show" or "Turn 2" in shown


@pytest.mark.parametrize(("show", "given"), [(show, given) for show, given, _ in MANY.values()], ids=MANY)
def test_texts_within_budget_are_shown(tmp_path: Path, show: Callable[[Rules], Any], given: Mapping[str, Any]) -> None:
    assert bool(show(loaded(tmp_path, **given))) == (show is not levels)  # no level is reached yet


def test_fault_names_most_expensive_text(tmp_path: Path) -> None:
    dear, cheap = COST.format("it.height"), "it.height"
    keys = f"    numbers: ['{{{cheap}}}', '{{{dear}}}', '{{{cheap} + 1}}']\n"
    with budget(STEPS), pytest.raises(RuleFault) as caught:
        picture(loaded(tmp_path, files=drawn(keys)))
    lines = (tmp_path / "tiny" / "map.yaml").read_text(encoding="utf-8").splitlines()
    assert "99999" in lines[caught.value.line - 1]


def test_very_many_cheap_texts_share_budget(tmp_path: Path) -> None:
    rules = loaded(tmp_path, files=drawn("    numbers: ['{it.height}']\n"))
    with budget(100):
        state = rules.start(empty=True).state
        key = next(iter(rules.program.data["worded"]))
        with pytest.raises(RuleFault, match="more than 400 steps"), one_budget():
            for _ in range(100):
                format_template(state, key, (0,))


LABELS = """
turn:
    phase only_phase:
        choose which by reds "which":
            option go(n in 1..40) "go {%s}": report note(n)
"""


def test_words_of_all_options_share_budget(tmp_path: Path) -> None:
    with budget(STEPS):
        game = loaded(tmp_path, LABELS % COST.format("n")).start(seed=1)
        assert game.count() == 40  # who chooses by number asks for no words
        assert game.decision is not None
        told = [option.label for option in game.decision.options]
        (fault,) = game.decision.faults.values()
        assert (fault.file, fault.line, fault.is_exhausted) == ("tiny/own.rules", 5, True)
        assert [text for text in told if str(fault) in text] == [f"go 9 [error in the rules: {fault}]"], "told once"
        assert (told[0], told[-1]) == ("go 0", "go 40"), "an option without words keeps its name"
        game.pick(3)
        assert str(fault) not in "".join(event.text() for event in game.log), "the log has its own words"


def test_option_texts_get_new_budget_each_time(tmp_path: Path) -> None:
    with budget(STEPS):
        game = loaded(tmp_path, (LABELS % COST.format("n")).replace("1..40", "1..6")).start(seed=1)
        assert game.decision is not None
        for _ in range(20):
            [option.label for option in game.decision.options]


def test_choice_keeps_its_own_budget_where_one_is_shared(tmp_path: Path) -> None:
    rules = f"turn:\n    phase only_phase:\n        ask(reds) -> n\n        set game.total = {COST.format('n')}\n"
    with budget(STEPS):
        game = loaded(tmp_path, rules).start(seed=1, record=False)
        with one_budget() as shared:
            shared.left = 10
            for _ in range(8):
                game.pick(0)
    assert game.turn == 9


def test_draft_is_listed_with_its_own_budget_where_one_is_shared(tmp_path: Path) -> None:
    rules = """
        draft d(a: army) starting n = 0:
            option go(x in 1..60) now n = n + x:
                require few: n < 60 "?"
            finish require some: n > 0 "?"
        turn:
            phase only_phase:
                d(reds) by reds -> r
    """
    game = loaded(tmp_path, rules).start(seed=1)
    expected = option_keys(called(loaded(tmp_path / "again", rules), "turn"))
    with one_budget() as shared:
        shared.left = 100
        assert game.decision is not None and list(game.decision.list_offers())
        before = shared.left
    assert option_keys(game) == expected and shared.left < before


def test_tolerant_budget_leaves_out_texts_and_answers_rest(tmp_path: Path) -> None:
    rules = loaded(tmp_path, files=drawn(FILL))
    with budget(STEPS):
        game = rules.start(seed=1)
        with one_budget(is_tolerant=True) as shared:
            moment = ViewBuilder(stage(rules)).build_view(game, Viewer(("red_seat",)), "v")
        assert shared.fault is not None and shared.fault.file == "tiny/map.yaml"
    assert moment.decision is not None and len(moment.decision.options) == 4


def test_budget_that_is_not_shared_is_whole_for_each_question(tmp_path: Path) -> None:
    rules = loaded(tmp_path, files=drawn(f"    numbers: ['{{{PLACE}}}']\n"))
    with budget(STEPS):
        state = rules.start(empty=True).state
        key = next(iter(rules.program.data["worded"]))
        for _ in range(30):
            assert format_template(state, key, (0,)) == "0"
    assert LIMITS.steps > STEPS


def test_demands_on_set_ups_share_budget(tmp_path: Path) -> None:
    more = f"setup_check:\n  low: {{of: place, holds: '{PLACE} == 0', words: '{{it}} is high'}}\n"
    target = ruleset(tmp_path, files=drawn("    fill: height\n"), more=more)
    assert [d for d in check(target) if d.code == "setup-check"] == []
    with budget(STEPS):
        found = [d for d in check(target) if d.code == "setup-check"]
    assert len(found) == 1 and f"more than {4 * STEPS:,} steps" in str(found[0].message)
