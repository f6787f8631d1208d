"""A ruleset whose texts take too much work: the scene leaves them out, says which, and the game is played on."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.players.orders.route_planning import limit_trials, try_options
from interpreter.runtime.errors import RuleFault
from tests.tiny import DISTINCT_UNITS, MAP, build, write
from tests.witness.budgets import budget

TURN = "turn:\n    phase only_phase:\n        ask(reds) -> n\n"
COST = "count(x in 1..9 where any y in 1..999 where x * y == it.height + 99999)"
GRID = "grid:\n  shape: square\n  columns: [1, 6]\n  rows: [1, 6]\n  numbering: CCRR\n"


def test_scene_leaves_out_texts_that_take_too_much(tmp_path: Path, serve) -> None:
    drawing = f"drawing:\n  places:\n    numbers: ['{{{COST}}}']\n"
    folder = write(tmp_path, TURN, {"map.yaml": MAP.format(place="") + GRID + drawing})
    table = serve(str(folder))
    assert table.scene()["notices"] == []
    with budget(20_000):
        table.post("/api/choose", {"key": "say(1)"})
        scene = table.scene()
    assert len(scene["notices"]) == 1 and "tiny/map.yaml:" in scene["notices"][0]
    assert [option["key"] for option in scene["decision"]["options"]] == [f"say({n})" for n in range(4)]
    assert table.post("/api/choose", {"key": "say(2)"}).status_code == 200


def test_trials_of_one_request_share_a_limit(tmp_path: Path, serve) -> None:
    """Else one question, or one order to several pieces, would try hundreds of expensive options."""
    order = (
        "turn:\n"
        "    phase only_phase:\n"
        '        choose act by reds "?" repeat until done:\n'
        '            option go(u in units at a, p in {x in places where x.height < 1 or x == a}) "go":\n'
        "                set game.total = count(x in 1..62 where any y in 1..62 where x * y == game.total + 9999)\n"
        "                roll luck: die -> r\n"
        "                move u to p\n"
    )
    units = "".join(f"  red_{n}: {{class: unit, army: reds, at: a}}\n" for n in range(40))
    pieces = DISTINCT_UNITS + units + "  blue: {class: unit, army: blues, at: d}\n"
    table = serve(str(write(tmp_path, order, {"pieces.yaml": pieces})))
    group = {"pieces": [f"red_{n}" for n in range(40)], "place": "b", "careful": True}
    with budget(8_000):
        assert table.get("/api/ask/groups").json() == []
        stopped = table.post("/api/group", group)
        assert stopped.status_code == 500 and "80,000 steps" in stopped.json()["message"]
        assert table.scene()["decision"]["options"]
    assert table.post("/api/choose", {"key": "go(red_11, b)"}).status_code == 200


def test_trials_are_unlimited_outside_a_request(tmp_path: Path) -> None:
    game = build(tmp_path, TURN).start()
    key = game.decision.options[0].key
    with budget(100):
        for _trial in range(40):
            try_options(game, [key])
        with pytest.raises(RuleFault) as caught, limit_trials(), limit_trials():
            for _trial in range(40):
                try_options(game, [key])
    assert caught.value.is_exhausted
    assert game.decision.options[0].key == key
