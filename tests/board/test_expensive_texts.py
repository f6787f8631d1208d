"""A ruleset whose texts take too much work: the scene leaves them out, says which, and the game is played on."""

from __future__ import annotations

from pathlib import Path

from tests.tiny import MAP, write
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
