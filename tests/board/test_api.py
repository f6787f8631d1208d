"""Test the HTTP API of the board: scenes, choices, undo, permissions and errors as JSON."""

from __future__ import annotations

import pytest

from interpreter.api.resume import open_replay
from interpreter.play.ledger import count_choices_since_roll
from interpreter.players.bots.registry import make_bots
from interpreter.queries.resolutions import list_cells_read
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.errors import SetupError
from interpreter.runtime.log_entries import LoggedChoice, LoggedRoll
from interpreter.saves.journal import read_journal
from interpreter.saves.storage import list_notes
from interpreter.ui.web.background_work import build_sent_position
from interpreter.ui.web.bot_runner import BotRunner
from interpreter.ui.web.worker_process import Worker
from tests.docs import blocks

GAMES = ("napoleon", "denain-1712")


@pytest.mark.parametrize("ruleset", GAMES)
def test_options_of_scene_can_be_chosen_and_are_saved(serve, ruleset):
    table = serve(ruleset)
    scene = table.scene()
    for _ in range(12):
        options = scene["decision"]["options"]
        assert scene["may_choose"] and len({o["key"] for o in options}) == len(options) == table.served.game.count()
        answer = table.post("/api/choose", {"key": options[len(options) // 2]["key"]})
        assert answer.status_code == 200
        before, scene = scene, answer.json()
        assert scene["version"] != before["version"]
    replay = open_replay(table.served.autosave.path)
    replay.finish()
    assert replay.divergence is None
    assert replay.game.hash() == table.served.game.hash()


@pytest.mark.parametrize("ruleset", GAMES)
def test_scene_contains_everything_it_names(serve, ruleset):
    table = serve(ruleset)
    still, scene = table.get("/api/still").json(), table.scene()
    places = {place["id"] for place in still["places"]}
    pieces = {piece["id"] for piece in scene["pieces"]}
    assert {p["place"] for p in scene["pieces"]} <= places
    for option in scene["decision"]["options"]:
        assert set(option["pieces"]) <= pieces and set(option["places"]) <= places and option["label"]
        assert 0 <= option["heading"] < len(scene["decision"]["headings"])
    members = [m for piece in scene["pieces"] for m in piece["members"]]
    assert sorted(members) == sorted(table.served.rules.program.ids["piece"])
    assert {p["id"] for p in scene["pieces"] if p["orderable"]} == {
        p for o in scene["decision"]["options"] for p in o["pieces"]
    }


def test_only_seat_that_is_asked_may_choose(serve):
    table = serve("napoleon")
    seat = table.served.game.decision.seat
    other = next(s for s in table.served.people if s != seat)
    key = table.served.game.decision.options[0].key
    for who, code in ((other, "not-your-turn"), ("onlooker", "onlooker")):
        scene = table.scene(who)
        assert not scene["may_choose"] and scene["decision"]["options"] == [] and scene["waiting"]
        answer = table.post("/api/choose", {"key": key}, who)
        assert (answer.status_code, answer.json()["error"]) == (403, code)
    assert table.served.game.keys == []
    assert table.post("/api/choose", {"key": key}, seat).status_code == 200
    assert table.served.game.keys == [key]


def test_choose_with_several_keys_stops_where_another_seat_decides(serve):
    table = serve("napoleon", seed=4)
    game = table.served.game
    answer = table.post("/api/choose", {"keys": ["pass"] * 20}, "allies")
    assert answer.status_code == 200
    replayed = table.served.rules.start(seed=4)
    for key in game.keys:
        assert replayed.decision.seat == "allies"
        replayed.choose(key)
    assert len(game.keys) == 5
    assert game.decision.seat != "allies"


def test_illegal_choice_is_declined_with_reason(serve):
    table = serve("napoleon")
    version = table.scene()["version"]
    for body, status, code in (
        ({"key": "fly"}, 422, "illegal"),
        ({}, 400, "no-key"),
        ({"key": 3}, 400, "no-key"),
        ({"keys": []}, 400, "too-many"),
        ({"key": "pass", "version": "old"}, 409, "changed"),
        ({"key": "pass", "version": 1}, 400, "no-version"),
    ):
        answer = table.post("/api/choose", body)
        assert (answer.status_code, answer.json()["error"]) == (status, code)
        assert answer.json()["message"]
    assert table.scene()["version"] == version
    told = table.post("/api/choose?lang=ja", {"key": "pass", "version": "old"}).json()["message"]
    assert "ゲームが進みました" in told


def test_choice_is_taken_back_and_made_again(serve):
    table = serve("denain-1712")
    first = table.scene()
    assert first["undo"] is None and not first["redo"]
    key = first["decision"]["options"][0]["key"]
    after = table.post("/api/choose", {"key": key}).json()
    assert after["undo"]["text"] and after["undo"]["horizon"] == []
    back = table.post("/api/undo", {}).json()
    assert back["decision"] == first["decision"] and back["pieces"] == first["pieces"] and back["redo"]
    again = table.post("/api/redo", {}).json()
    assert again["pieces"] == after["pieces"]
    assert table.post("/api/redo", {}).json()["error"] == "nothing-to-redo"


def test_news_arrive_after_choice(serve):
    table = serve("napoleon")
    version = table.scene()["version"]
    assert table.get("/api/news?after=elsewhere").json() == {"version": version}
    table.post("/api/choose", {"key": table.served.game.decision.options[0].key})
    assert table.get(f"/api/news?after={version}").json()["version"] != version


def test_scene_that_is_known_is_not_sent_again(serve):
    table = serve("napoleon")
    tag = table.get("/api/scene").headers["etag"]
    assert table.get("/api/scene", "host", **{"If-None-Match": tag}).status_code == 304
    table.post("/api/choose", {"key": table.served.game.decision.options[0].key})
    assert table.get("/api/scene", "host", **{"If-None-Match": tag}).status_code == 200


def test_ground_is_picture_of_map(serve):
    table = serve("denain-1712")
    for layer in ("painting", "marks"):
        answer = table.client.get(f"/ground/{table.scene()[layer]}.svg")
        assert answer.status_code == 200 and answer.headers["content-type"].startswith("image/svg+xml")
        assert "immutable" in answer.headers["cache-control"] and "prefers-color-scheme:dark" in answer.text
    assert table.client.get("/ground/elsewhere.svg").status_code == 404


def test_bots_choose_at_their_seats(serve):
    table = serve("napoleon", {"allies": "random"})
    seat = table.served.people[0]
    for _ in range(12):
        scene = table.scene()
        while not scene["may_choose"]:
            table.get(f"/api/news?after={scene['version']}")
            scene = table.scene()
        assert scene["decision"]["seat"] == seat
        table.post("/api/choose", {"key": scene["decision"]["options"][0]["key"]})
    assert {raw.seat for raw in table.served.game.get_raw_log() if isinstance(raw, LoggedChoice)} == {seat, "allies"}


@pytest.mark.parametrize("end", ["stop", "close"])
def test_choice_of_bot_is_ignored_after_end(serve, end):
    """Check that a bot that was still thinking changes no game that is closed, or whose bots were stopped."""
    served = serve("napoleon", {"france": "random", "allies": "random"}).served
    runner = BotRunner(served)
    assert runner.run_turn()
    turn, before = runner.find_turn(), list(served.game.keys)
    runner.stop() if end == "stop" else served.close()
    assert not runner.make_choice(turn, 0)
    assert list(served.game.keys) == before and turn.seat in served.bots


def test_program_that_thinks_chooses_as_it_does_at_prompt(serve):
    """Check that a bot in another process sees the same position as a bot at the prompt."""
    table = serve("napoleon", {"france": "greedy", "allies": "random"})
    served = table.served
    version = table.scene()["version"]
    while len(served.game.keys) < 12:
        version = table.get(f"/api/news?after={version}").json()["version"]
    made = served.game.keys[:12]
    table.room.bot_runner.stop()
    game = served.rules.start(seed=1)
    bots = make_bots({"france": "greedy", "allies": "random"}, 1)
    for _ in range(12):
        game.pick(bots[game.decision.seat].choose(game))
    assert game.keys == made


@pytest.fixture(params=[*GAMES, "tutorial.md", "hexes.md", "documents.md"])
def ruleset(request, tmp_path):
    """Return a shipped ruleset, or one that a page of the guide builds."""
    if not request.param.endswith(".md"):
        return request.param
    (tmp_path / "guide").mkdir()
    return str(blocks.write_all(request.param, tmp_path / "guide"))


def test_every_query_is_answered_in_every_position(serve, ruleset):
    table = serve(ruleset)
    still, chance = table.get("/api/still").json(), SeededDice(5)
    names = [name for name, _ in table.get("/api/ask/overlays").json()]
    for _ in range(2):
        for _ in range(30):
            if table.served.game.decision is not None:
                table.served.game.pick(chance.roll(table.served.game.count()))
        if table.served.game.decision is None:
            break
        table.served.notify("")
        scene = table.scene()
        piece, place = scene["pieces"][-1]["id"], scene["pieces"][0]["place"]
        key = scene["decision"]["options"][0]["key"]
        asked = [
            *(
                {"what": w}
                for w in ("briefing", "score", "front", "roster", "arrivals", "position", "news", "ledger", "log")
            ),
            {"what": "legend"},
            *({"what": "overlay", "id": name} for name in names),
            *({"what": "chart", "id": chart, "key": k} for chart, _ in still["charts"][:4] for k in ("", key)),
            {"what": "piece", "id": piece},
            {"what": "place", "id": place},
            {"what": "why", "piece": piece, "place": place},
            {"what": "reach", "piece": piece},
            {"what": "plan", "piece": piece, "place": place},
            {"what": "preview", "key": key},
            {"what": "rule", "id": still["rules"][0][0]},
            {"what": "find", "text": "a"},
            {"what": "notes"},
            {"what": "earlier", "choices": 2},
        ]
        for one in asked:
            answer = table.client.get(
                f"/api/ask/{one.pop('what')}", params=one | {"seat": table.secrets["host"], "lang": "ja"}
            )
            assert answer.status_code == 200, (one, answer.text)
            assert answer.json() is not None
    before = table.served.game.hash()
    assert table.get("/api/ask/luck").json()["lines"]
    assert len(table.get("/api/ask/report").json()["lines"]) > 10
    legend = table.get("/api/ask/legend").json()["drawing"]
    assert table.client.get(f"/ground/{legend}.svg").status_code == 200
    assert table.served.game.hash() == before


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("nonsense", 422),
        ("piece?id=nobody", 422),
        ("place?id=nowhere", 422),
        ("why?place=nowhere", 422),
        ("reach?piece=nobody", 422),
        ("plan?piece=nobody&place=x", 422),
        ("chart?id=none", 422),
        ("preview?key=fly", 422),
        ("odds?key=fly", 422),
        ("earlier?choices=9", 422),
        ("earlier?choices=x", 400),
    ],
)
def test_query_about_unknown_subject_returns_error_with_message(serve, path, status):
    answer = serve("napoleon").get(f"/api/ask/{path}")
    assert answer.status_code == status and answer.json()["message"]


def test_chart_highlights_cells_that_were_read(serve):
    table = serve("denain-1712")
    game, chance = table.served.game, SeededDice(2)
    looks: dict[str, set[tuple[int, ...]]] = {}
    while not any(len(game.program.charts[name].axes) == 2 for name in looks):
        game.pick(game.count() - 1 if game.phase is None else chance.roll(game.count()))  # keep the default set-up
        looks = (
            list_cells_read(table.served.rules, game, True) if game.turn and count_choices_since_roll(game) == 0 else {}
        )
    name = next(n for n in looks if len(game.program.charts[n].axes) == 2)
    table.served.notify("")
    grids = table.get(f"/api/ask/chart?id={name}").json()["grids"]
    assert {tuple(at) for grid in grids for at in grid["lit"]} == looks[name]


def test_exact_odds_equal_those_of_tools_in_any_process(serve):
    table = serve("napoleon")
    served, key = table.served, table.served.game.decision.options[0].key
    here = table.client.get("/api/ask/odds", params={"key": key, "seat": table.secrets["host"]}).json()
    apart = Worker(served.rules.target)
    try:
        there = apart.compute_odds(build_sent_position(served.game), key, "", 1_500, 10)
        assert there == here and here["lines"]
        with pytest.raises(SetupError):
            apart.compute_odds(build_sent_position(served.game), "fly", "", 1_500, 10)
    finally:
        apart.end()
    assert served.game.keys == []


def test_notes_are_kept_in_journal(serve):
    table = serve("napoleon")
    assert table.post("/api/note", {"text": "a bold <b>plan</b>"}).status_code == 200
    assert table.post("/api/note", {"text": " "}).json()["error"] == "no-text"
    assert table.post("/api/note", {"text": "x"}, "onlooker").json()["error"] == "onlooker"
    assert "a bold <b>plan</b>" in table.get("/api/ask/notes").json()["lines"][0]["text"]
    assert list_notes(read_journal(table.served.autosave.path))[0].endswith("a bold <b>plan</b>")


def test_dice_that_fell_are_taken_back_only_when_one_says_so(serve):
    table = serve("napoleon")
    game, chance = table.served.game, SeededDice(3)
    while True:
        decision = game.decision
        game.pick(chance.roll(game.count()))
        if any(isinstance(raw, LoggedRoll) for raw in game.get_raw_log()[-3:]) and game.decision.seat == decision.seat:
            break
    declined = table.post("/api/undo", {}, decision.seat)
    assert (declined.status_code, declined.json()["error"]) == (409, "come-out")
    assert [line.split(":")[0] for line in declined.json()["reasons"]][0] == "dice"
    made = len(game.keys)
    assert table.post("/api/undo", {"anyway": True}, decision.seat).status_code == 200
    assert len(game.keys) == made - 1


def test_seat_cannot_undo_choice_that_another_answered(serve):
    table = serve("napoleon")
    game, chance = table.served.game, SeededDice(3)
    first = game.decision.seat
    while game.decision.seat == first:
        game.pick(chance.roll(game.count()))
    second = game.decision.seat
    table.post("/api/choose", {"key": game.decision.options[0].key}, second)
    assert table.post("/api/undo", {"anyway": True}, first).json()["error"] == "others-chose"


def test_careful_choice_that_ends_row_unused_is_declined_until_it_is_confirmed(serve):
    table = serve("napoleon", seed=3)
    assert table.post("/api/choose", {"key": "move_combat", "careful": True}).status_code == 200
    declined = table.post("/api/choose", {"key": "done", "careful": True})
    assert (declined.status_code, declined.json()["error"]) == (409, "confirm")
    assert declined.json()["message"] == "finish anyway?"
    assert declined.json()["reasons"][0] == "nothing has been chosen yet (France: which units move?)"
    assert table.served.game.keys == ["move_combat"]
    assert table.post("/api/choose", {"key": "done"}).status_code == 200, "a program that does not ask is not asked"


def test_careful_end_of_row_names_number_of_idle_pieces_once(serve):
    table = serve("napoleon", seed=3)
    keys = ["move_combat", "march(france.face_up@france, 9)", "go(rhine)"]
    assert table.post("/api/choose", {"keys": keys}).status_code == 200
    made = len(table.served.game.keys)
    declined = table.post("/api/choose", {"key": "done", "careful": True}).json()
    assert declined["error"] == "confirm" and declined["reasons"][0].startswith("1 unit could still act: 1 ")
    assert len(table.served.game.keys) == made
    assert table.post("/api/choose", {"key": "done", "careful": True}).status_code == 200, "asked once in a row"


def test_end_of_row_that_can_be_undone_reports_idle_pieces(serve):
    table = serve("denain-1712", {"allied": "greedy"}, seed=11)
    game = table.served.game
    while (game.decision.side, game.decision.name) != ("french", "formation"):
        game.choose(next((o.key for o in game.decision.options if o.key == "done"), game.decision.options[0].key))
    for key in ("name(centre)", "go(picardie)", "turn(e)"):
        game.choose(key)
    table.served._save()
    assert table.post("/api/choose", {"key": "done", "careful": True}).status_code == 200
    (line,) = table.scene("french")["order_report"]["lines"]
    assert "units could still act: " in line and "Picardie" not in line
    assert table.scene("onlooker")["order_report"] is None


def test_careful_choice_that_keeps_complete_set_up_needs_no_confirmation(serve):
    table = serve("denain-1712", {"allied": "greedy"}, seed=1)
    assert table.served.game.decision.name == "set_up"
    assert table.get("/api/ask/preview?key=done").json() == {"lines": [], "question": []}
    assert table.post("/api/choose", {"key": "done", "careful": True}).status_code == 200


def test_careful_choice_that_settles_more_than_it_names_is_declined_with_dice(serve):
    table = serve("napoleon", seed=3)
    while table.served.game.decision.side != "spain":
        table.post("/api/choose", {"key": "pass"})
    declined = table.post("/api/choose", {"key": "declaration", "careful": True})
    assert declined.json()["error"] == "confirm"
    assert [text.partition(":")[2].strip() for text in declined.json()["reasons"]] == [
        "bring Spain from peace to truce, chance 2 in 6",
        "declaration roll",
    ]
    japanese = table.post("/api/choose?lang=ja", {"key": "declaration", "careful": True}).json()
    assert japanese["message"] == "続けますか。" and "スペイン" in japanese["reasons"][0]
    assert table.post("/api/choose", {"key": "declaration", "careful": False}).status_code == 200


def test_careful_choice_that_is_illegal_is_refused_with_its_reasons(serve):
    table = serve("napoleon", seed=3)
    assert table.post("/api/choose", {"key": "strange", "careful": True}).json()["error"] == "illegal"


def test_plan_offers_every_number_of_stack_and_all_of_it_first(serve):
    table = serve("napoleon", seed=3)
    table.post("/api/choose", {"key": "move_combat"})
    piece = next(p["id"] for p in table.scene()["pieces"] if p["place"] == "france")
    plans = table.get(f"/api/ask/plan?piece={piece}&place=austria").json()
    assert len(plans) == 30, "ten armies by three ways"
    assert plans[0]["label"].startswith("move 10: Austria (by Confederation of the Rhine")
    assert {plan["label"].split(":")[0] for plan in plans} == {f"move {number}" for number in range(1, 11)}
    rest = table.get(f"/api/ask/plan?piece={piece}&place=austria&from=28").json()
    assert rest == plans[28:]
    assert table.get(f"/api/ask/plan?piece={piece}&place=austria&from=30").json() == []


def test_why_at_target_says_that_it_can_be_fired_at(serve):
    table = serve("denain-1712")
    for _ in range(2):
        table.post("/api/choose", {"key": "done"})
    options = table.scene()["decision"]["options"]
    gun, target = options[0]["pieces"]
    place = next(p["place"] for p in table.scene()["pieces"] if p["id"] == target)
    lines = table.get(f"/api/ask/why?piece={gun}&place={place}").json()["lines"]
    assert [line["text"] for line in lines] == [f"{options[0]['label']}: this is legal now"]


@pytest.mark.parametrize("number", ["", "0", "7", "999999999", "x"])
def test_told_query_rejects_number_without_choice(serve, number):
    table = serve("napoleon")
    table.post("/api/choose", {"key": table.scene()["decision"]["options"][0]["key"]})
    answer = table.get(f"/api/ask/told?number={number}")
    assert (answer.status_code, answer.json()["error"]) == (422, "no-answer")
    assert table.get("/api/ask/told?number=1").status_code == 200


def test_names_and_notes_lose_control_and_direction_characters(serve):
    table = serve("napoleon")
    sent = "Bob\u202e\u2066\x1b[2J\x00 \u05d0\U0001f469\u200d\U0001f467\nend"
    shown = "Bob[2J \u05d0\U0001f469\u200d\U0001f467"
    seat = table.served.people[0]
    assert table.post("/api/name", {"name": sent, "seat": seat}).status_code == 200
    assert table.post("/api/note", {"text": sent}).status_code == 200
    assert table.served.participants.names[seat] == f"{shown} end"
    assert table.get("/api/ask/messages").json()[0]["text"] == f"{shown}\nend"
    assert table.post("/api/note", {"text": "\u202e\u200b"}).status_code == 400
