"""Test the board's account of a game: cards of resolutions, recaps, group orders, progress and the ending."""

from __future__ import annotations

import re

import pytest

from interpreter.api.game import load
from interpreter.documents.learning import read_lesson
from interpreter.play.ledger import build_last_ledger
from interpreter.players.bots.registry import make_bots
from interpreter.players.orders.bulk_orders import list_orderable_pieces
from interpreter.players.orders.choice_history import ChoiceHistory
from interpreter.players.orders.group_orders import iter_orderable_groups
from interpreter.players.summaries.turning_points import find_turning_points_since
from interpreter.queries.expected_changes import format_expected_changes
from interpreter.queries.resolutions import preview_option
from interpreter.runtime.decisions import Decision
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import LoggedChoice, LoggedMove, LoggedRoll
from interpreter.tools.lessons.course import start_lesson
from interpreter.tools.odds.results import Comparison
from interpreter.view_model.dynamic_view import Viewer
from interpreter.view_model.queries.card_queries import build_card
from interpreter.view_model.queries.recap_queries import build_recap
from interpreter.view_model.view_context import build_view_context


def play(table, choices: int, stop=lambda game: False, bot: str = "greedy") -> None:
    """Let bots make choices of all seats in a served game."""
    game = table.served.game
    bots = make_bots(dict.fromkeys(table.served.seats, bot), 1)
    for _ in range(choices):
        if game.decision is None or stop(game):
            break
        game.pick(bots[game.decision.seat].choose(game))
    table.served._save()


def cards_of_game(table, choices: int):
    """Let bots make choices of all seats; return the card of every choice with dice, in order."""
    play(table, choices)
    game, context = table.served.game, table.served.views.get_context("")
    return [build_card(context, game, number) for number in ChoiceHistory(game).list_with_dice()]


def card(table, number: int = 0):
    answer = table.get(f"/api/ask/card?number={number}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_card_of_every_choice_with_dice_shows_its_dice(serve):
    table = serve("napoleon", seed=3)
    play(table, 60)
    rolls = {}
    for line in table.scene()["log"]:
        if line["kind"] == "roll" and line["choice"]:
            rolls[line["choice"]] = rolls.get(line["choice"], 0) + 1
    last = card(table)
    assert set(rolls) <= set(last["others"]) and last["two_sided"], "a fight of an own order"
    for number in last["others"]:
        found = card(table, number)
        dice = [part for part in found["parts"] if part["kind"] == "dice"]
        assert dice and all(part["faces"] for part in dice)


def test_card_of_attack_names_sides_strengths_shifts_and_chart_cell(serve):
    """Check that one card covers an attack from its order and the other side's answer to its resolution."""
    table = serve("denain-1712", seed=3)
    play(
        table, 400, lambda game: any(isinstance(raw, LoggedRoll) and raw.name == "melee" for raw in game.get_raw_log())
    )
    found = next(one for number in reversed(card(table)["others"]) if (one := card(table, number))["ratio"])
    attackers, defenders = found["sides"]
    assert attackers["side"] == found["side"] != defenders["side"]
    both, column = found["ratio"]
    assert both == f"{attackers['strength']} : {defenders['strength']}" and "-" in column
    assert all(piece["drawn"].startswith("<") for side in found["sides"] for piece in side["pieces"])
    sums = [line for part in found["parts"] if part["kind"] == "sums" for line in part["lines"]]
    assert any(line["amount"] == column for line in sums)
    assert any(line["amount"].startswith(("+", "−")) and line["cite"] for line in sums), "every shift cites its rule"
    chart = next(part for part in found["parts"] if part["kind"] == "chart")
    assert all(len(grid["lit"]) == 1 for grid in chart["grids"])
    results = [line.rpartition(": ")[2] for line in chart["results"]]
    cells = [grid["cells"][row][column] for grid in chart["grids"] for row, column in grid["lit"]]
    assert len(results) == len(cells) == 2
    assert found["two_sided"] and found["places"]


def test_card_counts_losses_of_both_sides(serve):
    table = serve("napoleon", seed=3)
    table.post("/api/choose", {"keys": ["move_and_fight"]})
    game = table.served.game
    play(table, 200, lambda game: sum(isinstance(raw, LoggedMove) for raw in game.get_raw_log()) > 30)
    lost = [one for number in card(table)["others"] if (one := card(table, number))["losses"]]
    assert lost, "in so many battles units were lost"
    names = {side for one in lost for side, _name, _text in one["losses"]}
    assert names <= set(game.program.ids["side"])


def test_card_lists_every_loss_that_odds_count_and_headline_counts_reports(serve):
    """A lowered condition counts as a loss on the card, as in the odds of the order."""
    table = serve("denain-1712", {}, seed=1)
    play(table, 160)
    game, texts, headlines = table.served.game, [], []
    record = ChoiceHistory(game)
    for number in record.list_with_dice():
        told = build_card(table.served.views.get_builder("").context, game, number)
        if len(told.own) > 1 or told.later:
            continue
        comparison = Comparison(game.program, record.get_choice(number).before, valued=False)
        losses = comparison.build_outcome(record.get_state_after(number), frozenset()).losses
        counted = {game.program.ids["side"][side] for side, _name, amount in losses if amount > 0}
        assert {side for side, _name, _text in told.losses} == counted
        texts += [text for _side, _name, text in told.losses]
        headlines += [line.text for line in told.result]
    assert any(": disordered (before: " in text for text in texts), texts
    assert any(text.endswith("loses a step (2 times)") for text in headlines), headlines
    assert not any(" to " in text for text in headlines), "a retreat is not the headline where something is lost"


def test_hint_argues_in_words_and_is_computed_once(serve, monkeypatch):
    from interpreter.view_model.queries import analysis_queries

    calls, compute = [], analysis_queries.compute_hint
    monkeypatch.setattr(analysis_queries, "compute_hint", lambda game: calls.append(game) or compute(game))
    table = serve("napoleon", seed=3)
    hint = table.get("/api/ask/hint").json()
    told = [line["text"] for line in hint["lines"]]
    assert len(calls) == 1
    assert any("position" in text for text in told) and sum("orse: " in text or "good: " in text for text in told) == 2
    assert not any("measure of the game" in text for text in told)


def test_card_marks_dice_that_hit(serve):
    table = serve("napoleon", seed=3)
    play(table, 200, lambda game: sum(isinstance(raw, LoggedMove) for raw in game.get_raw_log()) > 30)
    parts = [part for number in card(table)["others"] for part in card(table, number)["parts"]]
    dice = [part for part in parts if part["kind"] == "dice" and part["yields"]]
    assert len(dice) > 5
    for part in dice:
        assert [is_hit for _text, is_hit in part["yields"]] == [int(face) <= 2 for face in part["faces"]]


def test_card_of_order_holds_rolls_of_both_sides(serve):
    """An attack and its answer are one order: the card of either roll shows both, or only the first until then."""
    table = serve("napoleon", seed=3)
    table.post("/api/choose", {"keys": ["move_and_fight"]})
    play(table, 200, lambda game: sum(isinstance(raw, LoggedMove) for raw in game.get_raw_log()) > 30)
    several = next(one for number in card(table)["others"] if len((one := card(table, number))["own"]) > 1)
    first, *_, last = several["own"]
    orders = [part for part in several["parts"] if part["kind"] == "order"]
    assert len(orders) == len(several["own"]) and len({part["side"] for part in orders}) == 2
    assert card(table, first)["parts"] == card(table, last)["parts"] == several["parts"]
    until = table.get(f"/api/ask/card?number={first}&until={first}").json()
    assert until["own"] == [first] and not any(part["kind"] == "order" for part in until["parts"])


def test_expected_changes_count_losses_of_attack(serve):
    table = serve("napoleon", seed=3)
    game, words = table.served.game, table.served.views.get_localizer("")
    game.choose("move_combat")
    game.choose(next(option.key for option in game.decision.options if option.key.endswith(", 10)")))
    attack = next(n for n, option in enumerate(game.decision.options) if option.key.endswith("go(austria)"))
    before = list(game.keys)
    (line,) = format_expected_changes(game, attack, words)
    assert "Austria: units lost: " in line and "8 trials" in line
    assert (line,) == tuple(format_expected_changes(game, attack, words)), "equal positions, equal numbers"
    assert game.keys == before


@pytest.mark.parametrize("number", ["1", "99999"])
def test_card_of_choice_without_dice_is_refused(serve, number):
    table = serve("napoleon", seed=3)
    play(table, 1)
    answer = table.get(f"/api/ask/card?number={number}")
    assert answer.status_code == 422 and "no dice" in answer.json()["message"]


def test_ledger_marks_cells_of_charts_whose_cells_have_fields():
    """Regression: a chart with named fields was read by the name of its field."""
    from interpreter.play.ledger import collect_read_cells

    rules = load("napoleon")
    game = rules.start(seed=3)
    bots = make_bots(dict.fromkeys(("france", "allies"), "random"), 1)
    read = {}
    while game.decision is not None and len(game.keys) < 400:
        game.pick(bots[game.decision.seat].choose(game))
        read |= collect_read_cells(rules.program, build_last_ledger(game, rules.form("ledger")))
    assert read and all(cells for cells in read.values())


def test_recap_lists_actions_of_other_seats_through_own_turn(serve):
    table = serve("napoleon", {"allies": "random"}, seed=3)
    seat = next(seat for seat in table.served.people)
    for _ in range(12):
        while table.served.is_bots_turn():
            table.room.bot_runner.run_turn()
        scene = table.scene(seat)
        table.post("/api/choose", {"key": scene["decision"]["options"][-1]["key"]}, seat)
    while table.served.is_bots_turn():
        table.room.bot_runner.run_turn()
    items = table.get("/api/ask/recap", seat).json()
    assert items and {item["weight"] for item in items} <= {"small", "normal", "big", "loud"}
    chosen = [raw.seat for raw in table.served.game.get_raw_log() if isinstance(raw, LoggedChoice)]
    assert all(item["is_own"] == (chosen[item["number"] - 1] == seat) for item in items)
    assert all(item["has_dice"] for item in items if item["is_own"]) and not all(item["is_own"] for item in items)
    made = len(table.served.game.keys)
    table.post("/api/choose", {"key": table.scene(seat)["decision"]["options"][0]["key"]}, seat)
    if not table.served.is_bots_turn() and len(table.served.game.keys) == made + 1:  # the bots have not moved since
        assert table.get("/api/ask/recap", seat).json() == items


def test_recap_marks_losses_of_player_and_names_side_of_result(serve):
    """Losses that the other side inflicts are shown in the viewer's colour; the viewer's own hits are not."""
    table = serve("denain-1712", {"allied": "greedy"}, seed=1)
    game, hurting, subjects = table.served.game, [], set()
    bots = make_bots(dict.fromkeys(table.served.seats, "greedy"), 1)
    previous, told = "", {}
    while not hurting and game.decision is not None:
        seat = game.decision.seat
        if (seat, previous) == ("french", "allied"):
            items = build_recap(table.served.views.get_builder("").context, game, Viewer(("french",), {"allied"}))
            hurting = [item for item in items if item.hurts]
            subjects |= {(item.is_own, item.subject) for item in items}
            told |= {item.text: item.subject for item in items}
            assert not any(item.hurts for item in items if item.is_own)
        previous = seat
        game.pick(bots[seat].choose(game))
    assert {(item.side, item.subject, item.weight) for item in hurting} == {("allied", "french", "big")}
    assert (True, "") in subjects, "a breach in a place belongs to no side"
    assert (False, "allied") in subjects
    assert told["Kettler 1 is not affected"] == "allied", "the unit that the text names, not the other one"


def test_recap_keeps_brackets_of_names(serve):
    table = serve("denain-1712", {"allied": "greedy"}, seed=1)
    game, context, texts = table.served.game, table.served.views.get_context(""), set()
    bots = make_bots(dict.fromkeys(table.served.seats, "greedy"), 1)
    while len(game.keys) < 200:
        game.pick(bots[game.decision.seat].choose(game))
        if game.decision.seat == "french":
            texts |= {item.text for item in build_recap(context, game, Viewer(("french",), {"allied"}))}
    named = [text for text in texts if "Brendle" in text]
    assert named and all("Brendle (Swiss)" in text for text in named), named


def test_recap_is_never_empty_again_and_keeps_losses_apart_from_next_phase(serve):
    table = serve("denain-1712", {"allied": "greedy"}, seed=5)
    game, seen = table.served.game, []
    bots = make_bots(dict.fromkeys(table.served.seats, "greedy"), 1)
    for _ in range(150):
        if game.decision is not None and game.decision.seat == "french":
            items = build_recap(table.served.views.get_builder("").context, game, Viewer(("french",), {"allied"}))
            assert items or not seen, "something has happened before"
            seen += items
        game.pick(bots[game.decision.seat].choose(game))
    assert {item.weight for item in seen if "initiative" in item.text} == {"normal"}, "no loss of the choice before"
    assert any(item.weight == "big" for item in seen)


def march(table):
    """Play until several pieces on the map can march."""

    def can_march(game):
        return game.decision.name == "movement" and game.decision.side == "french" and game.count() > 4

    play(table, 400, can_march)


def test_group_order_sends_every_piece_of_formation_and_is_undone_as_one(serve):
    table = serve("denain-1712", seed=3)
    march(table)
    before = table.scene()
    groups = table.get("/api/ask/groups").json()
    assert [group["id"] for group in groups] == ["formation/centre"], "all units are the same ones"
    assert groups[-1]["number"] == before["decision"]["progress"][1]
    made = len(table.served.game.keys)
    answer = table.post("/api/group", {"group": groups[0]["id"], "version": before["version"]})
    assert answer.status_code == 200, answer.text
    after = answer.json()
    moved = {p["id"]: p["place"] for p in after["pieces"]}.items() - {
        p["id"]: p["place"] for p in before["pieces"]
    }.items()
    assert len(moved) > 1, "one request, many marches"
    assert not after["decision"]["progress"] or after["decision"]["progress"][0] >= len(moved) - 1
    table.post("/api/undo", {"anyway": True})
    assert len(table.served.game.keys) == made
    assert table.scene()["pieces"] == before["pieces"]


def test_group_orders_are_offered_only_where_orders_move_pieces(serve):
    """A breach moves no unit and a refuge only one, so neither decision offers group orders."""
    table = serve("denain-1712", {}, seed=2)
    game, offered = table.served.game, {}
    bots = make_bots(dict.fromkeys(table.served.seats, "greedy"), 1)
    wanted = {"movement", "breach", "refuge"}
    while wanted - offered.keys() and game.decision is not None:
        if game.decision.name in wanted and len(list_orderable_pieces(game)) > 1:
            offered.setdefault(game.decision.name, list(iter_orderable_groups(game)))
        game.pick(bots[game.decision.seat].choose(game))
    assert offered["movement"] and not offered["breach"] and not offered["refuge"]


def test_group_order_sends_stack_of_identical_pieces_to_place(serve):
    table = serve("napoleon", {"allies": "greedy"}, seed=3)
    table.post("/api/choose", {"key": "move_combat"})
    before = table.scene()
    stack = next(one for one in table.get("/api/ask/groups").json() if one["id"] == "place/france")
    assert stack["number"] == 10 and not stack["goes_forward"]
    body = {"group": stack["id"], "version": before["version"]}
    assert table.post("/api/group", body).status_code == 422, "it needs a place"
    after = table.post("/api/group", {**body, "place": "south_france"}).json()
    assert [(p["place"], p["count"]) for p in after["pieces"] if p["side"] == "france" and p["at"]] == [
        ("south_france", 10)
    ]
    assert table.post("/api/undo", {"anyway": True}).json()["pieces"] == before["pieces"]


def test_options_of_attack_are_offered_before_attack_is_begun(serve):
    table = serve("denain-1712", seed=3)
    play(table, 400, lambda game: game.decision.name == "combat" and game.decision.find("attack") is not None)
    ahead = table.get("/api/ask/ahead").json()
    assert ahead and all(
        one["keys"][0] == "attack" and one["option"]["pieces"] and one["option"]["places"] for one in ahead
    )
    first, second = ahead[0]["keys"]
    assert table.get(f"/api/ask/preview?key={second}&after={first}").json()["lines"]
    version = table.scene()["version"]
    table.post("/api/choose", {"keys": ahead[0]["keys"], "version": version})
    assert table.served.game.keys[-2:] == ahead[0]["keys"] or ahead[0]["keys"][1] in table.served.game.keys


def test_group_order_with_dice_is_asked_about_and_then_carried_out(serve):
    table = serve("napoleon", {"allies": "greedy"}, seed=3)
    body = {"group": "place/france", "place": "austria", "version": ""}
    table.post("/api/choose", {"key": "move_combat"})
    asked = table.post("/api/group", body)
    assert asked.status_code == 409 and asked.json()["error"] == "confirm" and asked.json()["reasons"]
    made = len(table.served.game.keys)
    after = table.post("/api/group", {**body, "careful": False})
    assert after.status_code == 200 and len(table.served.game.keys) > made
    assert any(line["kind"] == "roll" for line in after.json()["log"])


def test_selected_pieces_are_ordered_and_rest_is_listed(serve):
    table = serve("denain-1712", seed=3)
    march(table)
    able = list(dict.fromkeys(p for o in table.scene()["decision"]["options"] for p in o["pieces"]))[:2]
    before = {p["id"]: p["place"] for p in table.scene()["pieces"]}
    after = table.post("/api/group", {"pieces": able}).json()
    moved = {p["id"] for p in after["pieces"] if before.get(p["id"], p["place"]) != p["place"]}
    assert moved and moved <= set(able)
    assert after["order_report"] is None or after["order_report"]["lines"]
    stopped = table.post("/api/choose", {"keys": [after["decision"]["options"][0]["key"], "no_such_order"]}).json()
    assert (
        stopped["order_report"]["lines"][0] == "1 of 2 orders carried out" and stopped["order_report"]["more"] is None
    )


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"pieces": "all"}, 400),
        ({"group": "nobody/here"}, 422),
        ({"group": "/", "place": "nowhere"}, 422),
        ({"group": 3}, 400),
        ({"group": "/", "version": "old"}, 409),
    ],
)
def test_malformed_group_order_is_refused_and_changes_nothing(serve, body, status):
    table = serve("denain-1712", seed=3)
    march(table)
    made = len(table.served.game.keys)
    assert table.post("/api/group", body).status_code == status
    assert len(table.served.game.keys) == made


def test_group_order_is_refused_during_setup(serve):
    """Regression: selected counters could be sent together in a set-up, in which one may displace another."""
    table = serve("denain-1712", {}, seed=3)
    pieces = list(list_orderable_pieces(table.served.game))
    answer = table.post("/api/group", {"group": "", "pieces": pieces, "place": "1314"})
    assert answer.status_code == 422 and "first turn" in answer.text
    assert not table.served.game.keys


def test_ending_has_winner_reason_and_course_of_points(serve):
    table = serve("napoleon", seed=3)
    assert table.get("/api/ask/ending").status_code == 422, "the game is not over"
    play(table, 5_000, bot="random")
    end = table.get("/api/ask/ending").json()
    assert end["winners"] and end["title"] and end["reasons"][0]["cite"]
    turns = [turn for turn, _points in end["course"]]
    assert turns == sorted(set(turns)) and all(len(points) == len(end["points"]) for _turn, points in end["course"])


def test_name_of_player_is_shown_to_others_and_belongs_to_seat(serve):
    table = serve("napoleon")
    assert table.post("/api/name", {"name": "  Anna \n B "}, "france").status_code == 200
    people = {one["seat"]: one for one in table.scene("allies")["people"]}
    assert people["france"]["player"] == "Anna B" and not people["france"]["own"]
    assert table.post("/api/name", {"name": "x"}, "onlooker").status_code in (400, 403)
    assert table.post("/api/name", {"name": 7}, "france").status_code == 400


def test_plan_has_number_and_facing(serve):
    table = serve("denain-1712", seed=3)
    march(table)
    option = next(one for one in table.scene()["decision"]["options"] if one["pieces"])
    piece = option["pieces"][0]
    places = [place for place, _cost in table.get(f"/api/ask/reach?piece={piece}").json()]
    plans = [plan for place in places for plan in table.get(f"/api/ask/plan?piece={piece}&place={place}").json()]
    assert plans and all(plan["angle"] is not None for plan in plans), "a march ends with a facing"
    assert all(plan["number"] == 0 for plan in plans)


def test_rulebook_is_sent_whole(serve):
    table = serve("napoleon")
    rules = table.get("/api/ask/rulebook").json()
    assert [one["number"] for one in rules] == [number for number, _title in table.get("/api/still").json()["rules"]]
    assert any(one["lines"] for one in rules)


def test_card_of_battle_that_began_by_itself_is_apart_from_one_before(serve):
    table = serve("napoleon")
    lesson = read_lesson("napoleon", table.served.rules.program.languages)
    assert lesson is not None
    course = start_lesson(lesson, table.served.rules)
    while course.is_on:
        step, accepted = course.step, course.list_accepted_options()
        if accepted:
            course.choose(accepted[0].key)
        elif not course.read():
            course.finish_look_step(step.look.kind, [step.look.id])
    losses = next(n for n, key in enumerate(course.game.keys, 1) if key == "lose(0)")
    context = table.served.views.get_context("en")
    first, second = (build_card(context, course.game, number) for number in (losses - 1, losses))
    assert [side.name for side in first.sides] == ["France", "Spain", "England"]
    assert [side.is_opponent for side in first.sides] == [False, True, True], "allies are in one column"
    assert all(part.faces for part in first.parts if part.kind == "dice")
    assert all(part.yields for one in (first, second) for part in one.parts if part.kind == "dice"), "hits are marked"
    assert [side.name for side in second.sides] == ["France", "Austria"]
    assert "Spain" in first.title
    assert "Rhine" not in first.title
    assert second.title == "fight: Confederation of the Rhine"
    assert [loss[0] for loss in first.losses] == ["france", "spain"], "one loses a unit, one has a unit face-down"
    assert [loss[0] for loss in second.losses] == ["austria"]
    assert (first.following, second.previous) == ((losses, 1), (losses - 1, 0))
    dice = [len(part.faces) for part in second.parts if part.kind == "dice"]
    assert dice == [20]


def test_card_says_that_losses_are_open_until_they_are_chosen(serve):
    table = serve("napoleon", seed=3)
    play(table, 200, lambda game: game.decision.name == "losses")
    asked = table.scene()["choices"]
    assert table.served.game.decision.name == "losses" and card(table)["is_open"]
    play(table, 1)
    latest = table.get(f"/api/ask/card?number={asked}").json()
    cut = table.get(f"/api/ask/card?number={asked}&until={asked}").json()
    assert cut["is_open"] and not cut["losses"]
    assert latest["losses"] and not (latest["is_open"] and table.served.game.decision.name != "losses")


def test_card_holds_one_order_and_no_roll_of_next_segment(serve):
    """Regression: a card also showed the next order of the row, and rolls that no order caused."""
    table = serve("denain-1712", {}, seed=4)
    play(table, 200)
    game, context = table.served.game, table.served.views.get_context("")
    record, kinds = ChoiceHistory(game), set()
    for number in record.list_with_dice():
        told = build_card(context, game, number)
        names = {part.title.partition(" (")[0] for part in told.parts if part.kind == "dice"}
        assert names in ({"initiative roll"}, names - {"initiative roll"}), told.title
        decided = [Decision(record.get_choice(n).before).name for n in told.own]
        assert decided.count("combat") < 2, told.title
        assert told.title == "Operations" or "initiative roll" not in names
        kinds |= names
    assert {"initiative roll", "melee roll"} <= kinds


def test_card_of_losses_shows_battle_that_ended_moves_led_to(serve):
    """Regression: the recap showed the answer to an attack as a card of its own, titled by the phase."""
    table = serve("napoleon", {}, seed=3)
    play(table, 60)
    record, context = ChoiceHistory(table.served.game), table.served.views.get_context("")
    losses = [n for n in record.list_with_dice() if Decision(record.get_choice(n).before).name == "losses"]
    battles = [build_card(context, table.served.game, n, until=n) for n in losses]
    assert any(told.title.startswith("fight: ") for told in battles) and all(len(told.own) > 1 for told in battles)


def test_card_says_how_roll_compares_with_number_needed(serve):
    parts = [part for told in cards_of_game(serve("denain-1712", {}, seed=4), 60) for part in told.parts]
    told = {part.compared for part in parts if part.title.startswith("breach roll")}
    assert told and all(text.startswith("that is ") and "(strength)" in text for text in told)


def test_card_title_names_target_and_no_place_of_retreat(serve):
    cards = cards_of_game(serve("denain-1712", {}, seed=4), 200)
    assaults = [told for told in cards if told.title.startswith("assault")]
    assert any("retreat" in line.text or " to " in line.text for told in assaults for line in told.later)
    for told in assaults:
        target = {piece.place for piece in told.sides[1].pieces}
        assert {told.places[0]} == target and "," not in told.title


def test_card_cuts_chart_down_to_neighbours_of_marked_cell(serve):
    parts = [part for told in cards_of_game(serve("denain-1712", {}, seed=4), 200) for part in told.parts]
    charts = [part for part in parts if part.kind == "chart"]
    assert charts
    for part in charts:
        for whole, cut in zip(part.grids, part.cuts, strict=True):
            marked = [[grid.cells[row][column] for row, column in grid.lit] for grid in (whole, cut)]
            heads = [[grid.heads[column] for _row, column in grid.lit] for grid in (whole, cut)]
            assert marked[0] == marked[1] and heads[0] == heads[1] and len(cut.cells) <= 3 * len(cut.lit)
            if len(whole.cells) == 1:
                near = {c for _row, column in whole.lit for c in range(max(0, column - 1), column + 2)}
                assert {whole.heads[c] for c in near if c < len(whole.heads)} <= set(cut.heads), "no row lies around it"
        has_all = {set(cut.heads) == {cut.heads[c] for _row, c in cut.lit} for cut in part.cuts if len(cut.cells) > 1}
        assert len(has_all) <= 1, "sheets side by side are cut alike"


def test_card_is_counted_among_rolls_since_last_turn(serve):
    """Each card says which one it is since the viewer's last turn; the last one has no next."""
    table = serve("denain-1712", {"allied": "greedy"}, seed=4)
    play(table, 65)
    game, context = table.served.game, table.served.views.get_context("")
    record, shown = ChoiceHistory(game), []
    address = (record.list_with_dice(record.find_turn_before_answer(["french"]))[0], 0)
    while address:
        shown.append(build_card(context, game, address[0], seats=["french"], part=address[1]))
        address = shown[-1].following
    total = len(shown)
    told = [one.counted for one in shown]
    assert told == [f"{n} of {total} since your last turn" for n in range(1, total + 1)] and total > 2
    assert [one.has_next for one in shown] == [True] * (total - 1) + [False]
    assert not build_card(context, game, shown[-1].number, seats=["french", "allied"]).counted, "a player of every seat"
    assert not build_card(context, game, record.list_with_dice()[0], seats=["french"]).counted, "an earlier turn"


@pytest.mark.parametrize(("seed", "most"), [(1, 83), (3, 62), (4, 90)])
def test_card_without_number_is_last_fight_that_seat_began(seed, most):
    """The dice of an own assault may be rolled after an answer of the enemy; own breaches between are no fights."""
    rules = load("denain-1712")
    game, context = rules.start(scenario="north_wall", seed=seed), build_view_context(rules)
    bots = make_bots(dict.fromkeys(("french", "allied"), "greedy"), 1)
    while len(game.keys) < most or game.decision.seat != "french":
        game.pick(bots[game.decision.seat].choose(game))
    fights, address = [], (ChoiceHistory(game).list_with_dice()[0], 0)
    while address:
        told = build_card(context, game, address[0], part=address[1])
        fights += [told.address] if told.two_sided and told.side == "french" else []
        address = told.following
    assert build_card(context, game, 0, seats=["french"]).address == fights[-1]


def test_card_counts_steps_of_pieces_that_took_part(serve):
    cards = cards_of_game(serve("denain-1712", {}, seed=1), 160)
    lost = [told for told in cards if any(side.steps for side in told.sides)]
    assert lost
    for told in lost:
        losing = {side for side, _name, _text in told.losses}
        assert {side.side for side in told.sides if side.steps[1] < side.steps[0]} <= losing


def test_ending_lists_sources_that_add_up_to_points(serve):
    table = serve("denain-1712", {}, seed=3)
    play(table, 5_000, bot="random")
    end = table.get("/api/ask/ending").json()
    assert end["sources"] and not end["counted"]
    for number, (_seat, _name, _side, points) in enumerate(end["points"]):
        assert sum(int(source["amounts"][number]) for source in end["sources"]) == int(points)
    assert max(share for source in end["sources"] for share in source["shares"]) == 1
    assert "ahead" in end["lead"] and "victory" in end["title"]


def test_card_groups_allies_and_names_enemy_of_every_fight(serve):
    """Regression: two allies were "against" each other, and the enemy was in neither column."""
    cards = cards_of_game(serve("napoleon", {}, seed=3), 120)
    fights = [told for told in cards if told.title.startswith("fight")]
    assert len(fights) > 3
    for told in fights:
        opposed = [
            {side.side == "france" for side in told.sides if side.is_opponent is which} for which in (False, True)
        ]
        assert sorted(map(sorted, opposed)) == [[False], [True]], told.title


def test_card_of_battle_between_allies_and_enemy_names_all_and_their_losses():
    rules = load("napoleon")
    game, context = rules.start(scenario="niemen", seed=548772), build_view_context(rules)
    for key in SURRENDER.replace("\n", "; ").split("; "):
        game.choose(key)
    told = build_card(context, game, game.keys.index("aim(0, 0)") + 1)
    assert told.title == "fight: Warsaw"
    assert [(side.side, side.is_opponent) for side in told.sides] == [
        ("austria", False),
        ("russia", False),
        ("france", True),
    ]
    assert {side: "restored since" in text for side, _name, text in told.losses} == {"france": False, "russia": True}


def test_march_that_ends_in_battle_has_card_apart_from_it(serve):
    """Regression: forced-march rolls came before the battle that the march led to, on one card."""
    cards = cards_of_game(serve("napoleon", {}, seed=3), 200)
    rolls = [({part.title.partition(" (")[0] for part in one.parts if part.kind == "dice"}, one) for one in cards]
    marches = [(names, card) for names, card in rolls if "forced-march roll" in names]
    assert marches
    for names, card in marches:
        assert names <= {"forced-march roll", "sea-attrition roll"} and not card.two_sided, card.title


def test_attrition_of_two_enemies_in_one_area_opposes_nobody():
    """Regression: two sides whose units rolled for attrition in one area were "against" each other."""
    rules = load("napoleon")
    game, context = rules.start(scenario="niemen", seed=3), build_view_context(rules)
    bots = make_bots(dict.fromkeys(rules.program.ids["seat"], "greedy"), 3)
    while len(game.keys) < 40:
        game.pick(bots[game.decision.seat].choose(game))
    cards = [build_card(context, game, number) for number in ChoiceHistory(game).list_with_dice()]
    shared = [told for told in cards if told.title == "Spanish attrition" and len(told.sides) > 1]
    assert {side.side for told in shared for side in told.sides} == {"france", "england"}
    assert not any(told.two_sided for told in shared)


def test_headline_of_losses_is_one_sentence(serve):
    cards = cards_of_game(serve("napoleon", {}, seed=3), 120)
    told = {line.text for one in cards for line in one.result}
    assert any(": 1 unit lost" in text for text in told)
    assert all(len(one.result) <= 1 and "times" not in text for one in cards for text in told)
    lost = [text for one in cards for _side, _name, text in one.losses if "units lost" in text]
    assert all(re.match(r"units lost: \d+(; |, restored|$)", text) for text in lost), lost
    both = [
        (name, one.result[0].text)
        for one in cards
        for _side, name, text in one.losses
        if "units lost" in text and "before: " in text and "restored" not in text
    ]
    assert both, "a side that lost units and has others in a lower condition"
    for name, text in both:
        (own,) = (part for part in text.split("; ") if part.startswith(f"{name}: "))
        assert " × " in own, text


def test_chances_of_losses_name_places_where_another_battle_follows(serve):
    """Regression: under the order for one battle were the chances of the next one, without its place."""
    table = serve("napoleon")
    lesson = read_lesson("napoleon", table.served.rules.program.languages)
    assert lesson is not None
    course, words = start_lesson(lesson, table.served.rules), table.served.views.get_localizer("en")
    while not (accepted := course.list_accepted_options()) or accepted[0].key != "fight(spain)":
        if accepted:
            course.choose(accepted[0].key)
        elif not course.read():
            course.finish_look_step(course.step.look.kind, [course.step.look.id])
    lines = preview_option(table.served.rules, course.game, "fight(spain)", words)
    told = [line for line in lines if line.startswith("chance of losses")]
    assert any("Spain in Spain: " in line for line in told)
    assert any("Austria in Confederation of the Rhine: " in line for line in told)
    assert all(" in " in line for line in told)


SURRENDER = """declaration; declaration; reinforcement; place(2); turn_up(france.face_down@spain, 1); move_combat
march(russia.face_up@west_russia, 4); go(warsaw); march(russia.face_up@russia, 6); go(west_russia) > go(warsaw)
lose(4); lose(6); move_combat; aim(3, 0); reinforcement; done; reinforcement; done; reinforcement
turn_up(france.face_down@warsaw, 6); turn_up(france.face_down@spain, 1); move_combat
march(austria.face_up@austria, 6); go(warsaw); aim(0, 0); lose(4); lose(7); send(0, 3); move_combat; done"""


def test_recap_tells_loudly_that_ally_surrenders_after_own_done_without_dice():
    """Regression: an own choice without dice was left out of the recap, and with it all that it led to."""
    rules = load("napoleon")
    game, context = rules.start(scenario="niemen", seed=548772), build_view_context(rules)
    for key in SURRENDER.replace("\n", "; ").split("; "):
        game.choose(key)
    last = build_recap(context, game, Viewer(("allies",), {"france"}))[-1]
    assert (last.text, last.subject, last.weight) == ("Austria surrenders", "austria", "loud")
    assert last.is_own and last.hurts and not last.has_dice
    other = build_recap(context, game, Viewer(("france",), {"allies"}))[-1]
    assert (other.text, other.hurts) == ("Austria surrenders", False), "an enemy's surrender costs nothing"
    assert other.weight == "big"


def test_turning_points_since_last_choice_name_side_that_fell():
    rules = load("napoleon")
    game = rules.start(scenario="niemen", seed=548772)
    keys = SURRENDER.replace("\n", "; ").split("; ")
    for key in keys:
        game.choose(key)
    points = find_turning_points_since(game, ChoiceHistory(game).find_log_start(len(keys)), Localizer(game.program))
    assert [(point.side, point.text, point.has_fallen) for point in points] == [("austria", "Austria surrenders", True)]
