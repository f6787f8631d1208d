"""Test map overlays computed from the rules of any game: views, rules about two things, and reach."""

from __future__ import annotations

import pytest


def ask(table, what: str, **given):
    answer = table.client.get(f"/api/ask/{what}", params=given | {"seat": table.secrets["host"]})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_tracks_tell_values_with_their_place_on_ladder_or_between_bounds(serve):
    game, sides = serve("napoleon", seed=3).scene()["tracks"]
    assert (game["kind"], game["title"], game["folds"]) == ("", "", False)
    assert dict(zip(game["columns"], game["rows"][0][2], strict=True))["morale"] == {
        "text": "20",
        "steps": 21,
        "at": 20,
    }
    assert sides["columns"] == ["war status", "footing"]
    assert sides["rows"][0] == [
        "france",
        "France",
        [{"text": "war", "steps": 3, "at": 2}, {"text": "first column", "steps": 3, "at": 0}],
    ]


def test_tracks_show_values_of_sides_and_things(serve):
    sheets = {sheet["kind"]: sheet for sheet in serve("denain-1712", seed=3).scene()["tracks"]}
    assert sheets["side"]["columns"] == ["points if it ended now"]
    assert [row[2][0]["text"] for row in sheets["side"]["rows"]] == ["0", "50"]
    assert sheets["formation"]["folds"] and not sheets["side"]["folds"]
    assert sheets["formation"]["rows"][0][1:] == ["Maison du Roi", [{"text": "Villars", "steps": 0, "at": 0}]]


def test_rules_about_two_things_are_overlays_with_reasons(serve):
    table = serve("denain-1712", seed=3)
    game = table.served.game
    names = dict(map(tuple, ask(table, "overlays")))
    program = game.program
    assert set(program.data["between"]) <= set(names) and program.data["between"]
    assert ask(table, "overlay", id="sees")["asks_piece"], "all that everybody sees is too much"
    seen = ask(table, "overlay", id="sees", piece="navarre")
    assert seen["explains"] and not seen["asks_piece"] and seen["marks"]
    marked = {place for place, _words, _sides in seen["marks"]}
    own = program.namespace["r_sees"]
    for handle, place in enumerate(program.ids["place"]):
        if program.on_map[handle]:
            assert (place in marked) == own(game.state, program.handles["piece"]["navarre"], handle)
    barred = next(place for place in ("2212", "2012", "1913") if place not in marked)
    told = ask(table, "sight", id="sees", piece="navarre", place=barred)
    assert not told["holds"] and told["lines"][0]["cite"] and set(told["through"]) - {barred}
    free = ask(table, "sight", id="sees", piece="navarre", place=sorted(marked)[0])
    assert free == {"holds": True, "lines": [], "through": []}
    assert table.served.game.keys == []


@pytest.mark.parametrize(
    "given", [{"id": "nothing", "piece": "navarre", "place": "1312"}, {"id": "sees", "piece": "x", "place": "1312"}]
)
def test_sight_query_of_unknown_subject_returns_error_with_message(serve, given):
    table = serve("denain-1712", seed=3)
    answer = table.client.get("/api/ask/sight", params=given | {"seat": table.secrets["host"]})
    assert answer.status_code == 422 and answer.json()["message"]


def test_overlay_of_counter_is_its_part_of_whole(serve):
    table = serve("denain-1712", seed=3)
    whole = ask(table, "overlay", id="faces")
    part = ask(table, "overlay", id="faces", piece="navarre")
    at = next(p["place"] for p in table.scene()["pieces"] if p["id"] == "navarre")
    assert [place for place, _words, _sides in part["marks"]] == [at]
    assert part["lines"] and all(line in whole["lines"] and line[0] == at for line in part["lines"])


@pytest.mark.parametrize("ruleset", ["denain-1712", "napoleon"])
def test_reachable_by_lists_pieces_with_place_in_reach(serve, ruleset):
    table = serve(ruleset, seed=3)
    if ruleset == "napoleon":
        table.post("/api/choose", {"key": "move_combat"})
    scene = table.scene()
    able = {p["id"]: dict(map(tuple, ask(table, "reach", piece=p["id"]))) for p in scene["pieces"] if p["orderable"]}
    place = next(place for reach in able.values() for place in reach)
    expected = {
        piece: reach[place]
        for piece, reach in able.items()
        if place in reach and next(p["place"] for p in scene["pieces"] if p["id"] == piece) != place
    }
    found = ask(table, "comers", place=place)
    assert dict(map(tuple, found)) == expected and found
    told = ask(table, "place", id=place)["lines"]
    assert any("can reach this place now" in line["text"] for line in told)


def test_decision_names_its_pieces(serve):
    """Check the counter named in a question, and the counter whose path is asked for."""
    table = serve("denain-1712", seed=3)
    asked, scene = {}, table.scene()
    for _ in range(31):  # those who ride come when all have acted
        decision = scene["decision"]
        if decision["about"]:
            names = {p["id"]: p["name"] for p in scene["pieces"]}
            asked[decision["prompt"]] = [names[piece] for piece in decision["about"]]
        scene = table.post("/api/choose", {"key": decision["options"][-1]["key"]}).json()
    assert len(asked) > 1 and all(any(name in prompt for name in names) for prompt, names in asked.items())
