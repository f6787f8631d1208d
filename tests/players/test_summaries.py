"""Test summaries in both interfaces: briefing, scores, front, roster, arrivals and recaps, in games of any kind."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from interpreter.api.game import Rules, load
from interpreter.i18n.number_format import format_number
from interpreter.play.events import format_changes
from interpreter.play.game import Game
from interpreter.play.lines import remove_brackets
from interpreter.players.bots.registry import make_bots
from interpreter.players.ownership import find_group_kind, find_side_of_thing, list_members
from interpreter.players.summaries.briefing import render_briefing_lines
from interpreter.players.summaries.contacts import find_contacts, list_phases_left, list_ready_units, render_front
from interpreter.players.summaries.objectives import build_aim_text, build_ending_text, build_scoring_text
from interpreter.players.summaries.roster import list_groups, list_pieces_off_map, render_roster_lines
from interpreter.players.summaries.scores import compute_scores, render_scores
from interpreter.players.summaries.turn_recap import collect_recap, find_index_after_last_choice, render_recap
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import LoggedChange, LoggedChoice
from tests.recordings import assert_recorded
from tests.tiny import RULESET, build, called

VARIANT = Path(__file__).resolve().parents[2] / "rulesets/napoleon/variants/treaties.yaml"


@pytest.fixture(scope="module")
def denain() -> Rules:
    return load("denain-1712")


@pytest.fixture(scope="module")
def napoleon() -> Rules:
    return load("napoleon")


def played(rules: Rules, turn: int, seed: int = 1) -> Game:
    """Return a game between bots played up to a turn, with its history; each is played once."""
    return _played(rules, turn, seed).copy_with_history()


@cache
def _played(rules: Rules, turn: int, seed: int) -> Game:
    game = rules.start(seed=seed)
    bots = make_bots(dict.fromkeys(rules.program.ids["seat"], "greedy"), seed)
    while game.decision is not None and game.turn < turn:
        game.pick(bots[game.decision.seat].choose(game))
    return game


def test_briefing_is_six_lines_with_words_of_ruleset(denain: Rules) -> None:
    game, localizer = denain.start(seed=1), Localizer(denain.program)
    lines = list(map(str, render_briefing_lines(game, "french", localizer, {"allied": "greedy"}, "type 1")))
    assert len(lines) == 6
    assert "Allied player (Allies; greedy)" in lines[1]
    assert "Breach the camp" in lines[2] and "[V-14]" in lines[2]
    assert "10 turns" in lines[4]
    aim = build_aim_text(game, "french", localizer)
    assert "[" not in aim.text and aim.cite


def test_variant_briefing_begins_with_its_differences(napoleon: Rules) -> None:
    localizer, rules = Localizer(napoleon.program), load(VARIANT)
    lines = list(map(str, render_briefing_lines(rules.start(seed=1), "france", localizer, {}, "type 1")))
    assert len(lines) == 7 and lines[0].startswith("The variant: An Ally that surrenders signs a treaty")
    assert lines[1].startswith("The situation: The Third Coalition")


def test_briefing_has_line_for_each_variant_and_names_one_without_description(tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner.yaml", tmp_path / "outer.yaml"
    inner.write_text(
        "kind: variant\nformat: 2\nid: inner\ntitle: Frost\nabout: Rivers are frozen.\nextends: napoleon\n"
    )
    outer.write_text("kind: variant\nformat: 2\nid: outer\ntitle: Hard Winter\nextends: ./inner.yaml\n")
    rules = load(outer)
    lines = list(map(str, render_briefing_lines(rules.start(seed=1), "france", Localizer(rules.program), {}, "type 1")))
    assert lines[0] == "The variant: Rivers are frozen."
    assert lines[1].startswith("The variant: Hard Winter, ") and "`grognard diff`" in lines[1]
    assert lines[2].startswith("The situation: The Third Coalition")


def test_shipped_aims_and_texts_exist_in_both_languages(denain: Rules, napoleon: Rules) -> None:
    for rules in (denain, napoleon):
        game = rules.start(seed=1)
        for lang, other in (("en", "ja"), ("ja", "en")):
            localizer, foreign = Localizer(rules.program, lang), Localizer(rules.program, other)
            for seat in ("french", "allied") if rules is denain else ("france", "allies"):
                assert build_aim_text(game, seat, localizer).text != build_aim_text(game, seat, foreign).text
            assert build_scoring_text(game, localizer).text != build_scoring_text(game, foreign).text


FORD = """
kind: scenario
format: 1
id: ford
title: Ford
aims:
  red_seat: {text: Hold the ford., cite: "1.1"}
ending: {text: Until the ford is taken.}
"""
OPTIONS = """\
  siege:
    aims: {red_seat: {text: Starve them.}}
    counting: {text: One for each day.}
  storm: {counting: {text: One for each wall.}}
"""


def test_scenario_and_optional_rule_say_aims_of_their_own_and_scenario_is_believed_first(tmp_path) -> None:
    ruleset = RULESET.format(side="", game="") + OPTIONS
    rules = build(tmp_path, "procedure run(a: army): nothing", {"ruleset.yaml": ruleset, "scenarios/ford.yaml": FORD})
    localizer = Localizer(rules.program, "en")

    def told(scenario: str, *options: str) -> list[str]:
        game = rules.start(scenario=scenario, options=options, seed=1, ready=True)
        return [
            build_aim_text(game, "red_seat", localizer).text,
            build_scoring_text(game, localizer).text,
            build_ending_text(game, localizer).text,
        ]

    assert told("ford")[::2] == ["Hold the ford.", "Until the ford is taken."]
    assert told("plain", "siege")[:2] == ["Starve them.", "One for each day."]
    assert told("plain", "siege", "storm")[1] == "One for each day."
    assert told("plain", "storm")[1] == "One for each wall."
    assert told("ford", "siege")[:2] == ["Hold the ford.", "One for each day."]
    assert "Starve" not in told("plain")[0]


@pytest.mark.parametrize("lang", ["en", "ja", "fr"])
def test_scenarios_of_other_aims_and_options_that_change_them_say_so_in_every_language(
    lang: str, denain: Rules
) -> None:
    localizer = Localizer(denain.program, lang)
    briefed = {
        (scenario, option): [build_aim_text(game, seat, localizer).text for seat in ("french", "allied")]
        for scenario in ("standard", "north_wall", "eugene_at_the_river")
        for option in ("", "original_victory", "swap_wings")
        for game in [denain.start(scenario=scenario, options=[option] if option else [], seed=1, ready=True)]
    }
    firsts = [aims[0] for (scenario, option), aims in briefed.items() if scenario == "standard" or not option]
    assert len(set(firsts)) == 5
    for scenario in ("north_wall", "eugene_at_the_river"):
        assert briefed[scenario, "swap_wings"] == briefed[scenario, ""] != briefed["standard", ""]


def test_variant_aim_is_shown(napoleon: Rules) -> None:
    rules = load("napoleon/grande_armee")
    localizer = Localizer(rules.program)
    assert "twelve victory points" in build_aim_text(rules.start(seed=1), "france", localizer).text
    assert "12 make the Hegemon" in build_scoring_text(rules.start(seed=1), localizer).text
    road = napoleon.start(seed=1, options=["road_to_paris"])
    assert "surrender" in build_aim_text(road, "allies", Localizer(napoleon.program)).text


def test_players_of_divided_seat_have_its_aim(napoleon: Rules) -> None:
    game = napoleon.start(seed=1, options=["multiplayer=2"])
    localizer = Localizer(napoleon.program)
    assert build_aim_text(game, "allied_2", localizer) == build_aim_text(game, "allies", localizer)


def test_game_without_words_is_briefed_from_its_data(tmp_path: Path) -> None:
    rules = build(tmp_path, "procedure run(a: army):\n    ask(a) -> n\n    report note(n)\n")
    game, localizer = called(rules, "run", a="reds"), Localizer(rules.program)
    for seat in ("red_seat", "blue_seat"):
        lines = "\n".join(map(str, render_briefing_lines(game, seat, localizer, {}, "type 1")))
        assert localizer.get_thing_name("seat", seat) in lines
        assert build_ending_text(game, localizer).text in lines
        assert "type 1" in lines


def test_scores_include_views_of_sides(denain: Rules) -> None:
    game, localizer = denain.start(seed=1), Localizer(denain.program)
    french, allied = compute_scores(game, localizer)
    assert (french.points, allied.points) == (0, 50)
    assert allied.lines == ("points if it ended now 50",)  # Denain 20, two bridges 20, the train 10
    assert any("[13.3-a]" in str(line) for line in render_scores(game, localizer))


@pytest.mark.parametrize("scenario", ["standard", "north_wall", "eugene_at_the_river"])
def test_score_agrees_with_points_if_it_ended_now(denain: Rules, scenario: str) -> None:
    game, localizer = denain.start(scenario=scenario, seed=4), Localizer(denain.program)
    while len(game.keys) < 60 and not game.over:
        scores = compute_scores(game, localizer)
        assert [f"points if it ended now {format_number(score.points)}" for score in scores] == [
            told for score in scores for told in score.lines if told.startswith("points if it ended now")
        ]
        game.pick(game.count() - 1)


def test_contacts_are_of_places_that_touch(denain: Rules) -> None:
    game, localizer = played(denain, 2), Localizer(denain.program)
    links, ids = denain.program.links, denain.program.handles["place"]
    found = find_contacts(game, "french", localizer)
    assert found
    for contact in found:
        for place, pieces in contact.theirs:
            assert ids[place] in links.neighbours[ids[contact.place]]
            assert pieces and all(
                find_side_of_thing(game.state, "piece", denain.program.handles["piece"][p]) == "allied" for p in pieces
            )
    assert any(text.startswith("in the zone of control of") for contact in found for text in contact.threats)


def test_ready_units_are_those_in_options(denain: Rules) -> None:
    game = denain.start(seed=1)
    assert game.decision is not None
    able = {one.option: set(one.units) for one in list_ready_units(game)}
    assert able["face"] == {str(o.args["u"]) for o in game.decision.options if o.name == "face"}


def test_phases_left_start_after_current_phase(napoleon: Rules) -> None:
    game = napoleon.start(seed=1)
    assert game.phase == "activity_phase"
    assert list_phases_left(game)[0] == "adjustment_phase"
    assert "Adjustment Phase" in "\n".join(render_front(game, "france", Localizer(napoleon.program)))


def test_coming_phase_is_shown_with_holes_in_title(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        procedure day(a: army):
            phase march "March":
                choose go by a:
                    option now_then
                    option then_not
            phase storm "Storm of {a}": nothing
        """,
    )
    told = render_front(called(rules, "day", a="reds"), "red_seat", Localizer(rules.program))
    assert_recorded(told[-1])


def test_scoring_text_does_not_refer_to_itself(tmp_path: Path) -> None:
    rules = build(tmp_path, "", {"victory.yaml": "kind: victory\nformat: 1\nscore: {of: p, value: '1'}\n"})
    assert "`" not in build_scoring_text(rules.start(), Localizer(rules.program)).text


def test_roster_holds_every_piece_on_map_once_by_group(denain: Rules, napoleon: Rules) -> None:
    assert find_group_kind(denain.program) == "formation"
    assert find_group_kind(napoleon.program) == ""
    for rules in (denain, napoleon):
        game = played(rules, 2)
        found = [piece for body in list_groups(game) for _, pieces in body.places for piece in pieces]
        on_map = [
            p for p, at in zip(rules.program.ids["piece"], game.state.at, strict=True) if rules.program.on_map[at]
        ]
        assert sorted(found) == sorted(on_map)


def test_roster_can_be_of_one_group(denain: Rules) -> None:
    game, localizer = denain.start(seed=1), Localizer(denain.program)
    lines = "\n".join(render_roster_lines(game, localizer, ("formation", "centre")))
    assert "Picardie" in lines and "Navarre" not in lines
    assert "picardie" in list_members(game, "formation", "centre")


def test_off_map_pieces_are_grouped_by_place(denain: Rules) -> None:
    game = denain.start(seed=1)
    assert "tingry" in [piece for piece, _ in list_pieces_off_map(game)["arrives.1"]]


def test_recap_shows_every_move_and_loss_once_and_without_brackets(denain: Rules) -> None:
    game, localizer = played(denain, 2), Localizer(denain.program)
    found = collect_recap(game, 0, localizer)
    lines = render_recap(found, localizer)
    assert not any(sign in line for line in lines for sign in "[]")
    assert any("loses a step" in text for item in found for text in item.came)
    assert len(lines) * 3 < len(game.get_raw_log())
    ends = {}
    for item in found:
        for pieces, _origin, goal in item.moves:
            ends.update(dict.fromkeys(pieces, goal))
    at = dict(zip(denain.program.ids["piece"], game.state.at, strict=True))
    places = denain.program.ids["place"]
    assert ends and all(places[at[piece]] == goal for piece, goal in ends.items())


def test_recap_begins_after_own_last_move(napoleon: Rules) -> None:
    game = played(napoleon, 2)
    start = find_index_after_last_choice(game, "france")
    log = game.get_raw_log()
    last = log[start - 1]
    assert isinstance(last, LoggedChoice) and last.seat == "france"
    assert all(raw.seat != "france" for raw in log[start:] if isinstance(raw, LoggedChoice))
    localizer = Localizer(napoleon.program)
    few = render_recap(collect_recap(game, 0, localizer), localizer, most=3)
    assert len(few) == 4 and "earlier lines" in few[0]


def test_brackets_inside_brackets_go_too() -> None:
    assert remove_brackets("move 6 (by Rhine (land))") == "move 6 by Rhine land"
    assert remove_brackets("将軍、連隊（公国、消耗）×3は町へ（二点）") == "将軍、連隊・公国・消耗×3は町へ、二点"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "  a: 3 units (reds) against unit (blues); b: unit (blues)"),
        ("ja", "  a：units（reds）×3 対 unit（blues）／b：unit（blues）"),
    ],
)
def test_enemies_in_same_place_are_listed_separately(tmp_path: Path, language: str, told: str) -> None:
    rules = build(
        tmp_path,
        """
        procedure day(w: army):
            move unit("blue-1") to a
            move unit("blue-2") to b
            choose go by w:
                option now_then
                option then_not
        """,
    )
    assert told in render_front(called(rules, "day", w="reds"), "red_seat", Localizer(rules.program, language))


@pytest.mark.parametrize(
    ("sentence", "clause"),
    [
        ("Battle in Austria", "battle in Austria"),
        ("A unit of Austria is turned", "a unit of Austria is turned"),
        ("Austria routs", "Austria routs"),
        ("Prussian unit is eliminated", "Prussian unit is eliminated"),
        ("DR", "DR"),
        ("D: disorder", "D: disorder"),
        ("", ""),
    ],
)
def test_clause_after_semicolon_begins_small_unless_with_name(napoleon: Rules, sentence: str, clause: str) -> None:
    localizer = Localizer(napoleon.program)
    assert localizer.join_sentences(["Battle here", sentence]) == f"Battle here; {clause}"
    assert localizer.join_sentences([sentence]) == sentence


def test_recap_continues_sentences_after_semicolons(napoleon: Rules) -> None:
    game, localizer = played(napoleon, 3), Localizer(napoleon.program)
    lines = render_recap(collect_recap(game, 0, localizer), localizer)
    assert any("; battle in " in line for line in lines)
    assert not any("; Battle" in line or "; Hits" in line or "; A unit" in line for line in lines)


def test_change_of_rung_of_piece_is_sentence_and_of_side_is_labelled(napoleon) -> None:
    localizer, program = Localizer(napoleon.program), napoleon.program
    handles = {localizer.get_name_by_handle("piece", piece): piece for piece in range(len(program.ids["piece"]))}
    first, second, *_ = handles
    down = [LoggedChange("piece", "condition", handles[name], 0, ()) for name in (first, second)]
    assert format_changes(localizer, down[:1], 4) == f"{first} is now face-down"
    assert format_changes(localizer, down, 4) == f"{first} and {second} are now face-down"
    peace = LoggedChange("side", "war_status", program.handles["side"]["austria"], 0, ())
    assert format_changes(localizer, [peace], 4) == "Austria: war status peace"
