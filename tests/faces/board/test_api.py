"""What programs may ask of the board, and who may: scenes, choices, taking back, errors as JSON."""

from __future__ import annotations

import pytest

from interpreter.facade.resuming import open_replay

GAMES = ("napoleon", "denain-1712")


@pytest.mark.parametrize("ruleset", GAMES)
def test_what_a_scene_offers_can_be_chosen_and_is_kept(serve, ruleset):
    table = serve(ruleset)
    scene = table.scene()
    for _ in range(30):
        options = scene["decision"]["options"]
        assert scene["may_choose"] and len({o["key"] for o in options}) == len(options) == table.served.game.count()
        answer = table.post("/api/choose", {"key": options[len(options) // 2]["key"]})
        assert answer.status_code == 200
        before, scene = scene, answer.json()
        assert scene["version"] != before["version"]
    replay = open_replay(table.served.keeper.path)
    replay.finish()
    assert replay.divergence is None
    assert replay.game.hash() == table.served.game.hash()


@pytest.mark.parametrize("ruleset", GAMES)
def test_all_that_a_scene_names_is_in_it(serve, ruleset):
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


def test_only_the_seat_that_is_asked_may_choose(serve):
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


def test_what_cannot_be_done_is_declined_in_words(serve):
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
    assert "ゲームが進んだ" in told


def test_a_choice_is_taken_back_and_made_again(serve):
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


def test_news_come_when_the_game_goes_on(serve):
    table = serve("napoleon")
    version = table.scene()["version"]
    assert table.get("/api/news?after=elsewhere").json() == {"version": version}
    table.post("/api/choose", {"key": table.served.game.decision.options[0].key})
    assert table.get(f"/api/news?after={version}").json()["version"] != version


def test_a_scene_that_is_known_is_not_sent_again(serve):
    table = serve("napoleon")
    tag = table.get("/api/scene").headers["etag"]
    assert table.get("/api/scene", "host", **{"If-None-Match": tag}).status_code == 304
    table.post("/api/choose", {"key": table.served.game.decision.options[0].key})
    assert table.get("/api/scene", "host", **{"If-None-Match": tag}).status_code == 200


def test_the_ground_is_a_picture_of_the_map(serve):
    table = serve("denain-1712")
    name = table.scene()["ground"]
    answer = table.client.get(f"/ground/{name}.svg")
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("image/svg+xml")
    assert "immutable" in answer.headers["cache-control"]
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
    assert {raw[2] for raw in table.served.game.raw_log() if raw[0] == "decision"} == {seat, "allies"}
