"""Test the board's texts beside the choices: tables, rules, places, notes and games, in the reader's language."""

from __future__ import annotations

import re

import pytest

from interpreter.ui.web.access_tokens import Keyring
from interpreter.ui.web.lobby import Lobby

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def test_report_sends_rows_of_its_tables_as_cells(serve):
    table = serve("napoleon")
    for _ in range(4):
        table.post("/api/choose", {"key": table.served.game.decision.options[0].key})
    lines = table.get("/api/ask/report").json()["lines"]
    rows = [line["cells"] for line in lines if line["cells"]]
    assert len(rows) > 2 and all(len(row) > 1 for row in rows)
    assert all(line["text"] for line in lines), "whoever reads lines alone misses nothing"
    assert any(not line["cells"] for line in lines)


@pytest.mark.parametrize("ruleset", ["napoleon", "denain-1712"])
def test_briefing_cites_every_paragraph_as_link(serve, ruleset):
    lines = serve(ruleset).get("/api/ask/briefing").json()["lines"]
    cited = [line for line in lines if line["cite"]]
    assert cited
    assert not [line["text"] for line in lines if re.search(r"\[[^\]]*\d[^\]]*\]|\[\.\.\.\]", line["text"])]


def test_place_describes_ground_and_sides(serve):
    places = {place["id"]: place for place in serve("denain-1712").get("/api/still").json()["places"]}
    told = {place["ground"] for place in places.values()}
    assert any("north-east" in ground for ground in told)
    assert len({ground.partition(";")[0] for ground in told}) > 2
    japanese = serve("denain-1712").get("/api/still?lang=ja").json()["places"]
    assert all(JAPANESE.search(place["ground"]) for place in japanese if place["ground"])


def test_language_is_that_of_page_then_that_of_browser(serve):
    table = serve("napoleon")
    asked = {"Accept-Language": "fr-FR, ja;q=0.8, en;q=0.3"}
    assert table.get("/api/words", **asked).json()["lang"] == "ja"
    assert table.get("/api/words?lang=en", **asked).json()["lang"] == "en"
    assert table.get("/api/words", **{"Accept-Language": "fr"}).json()["lang"] == "en"


def test_note_has_position_author_and_time(serve):
    table = serve("napoleon")
    before = table.scene()
    seat = next(name for name in table.secrets if name not in ("host", "onlooker"))
    table.post("/api/note", {"text": "bonjour"}, seat)
    after = table.scene()
    assert (before["notes"], after["notes"]) == (0, 1)
    assert re.search(r"turn 1.*, .+ player, \d{4}-\d\d-\d\d \d\d:\d\d UTC: bonjour$", after["last_note"])


def test_lobby_row_names_titles_and_side_to_move(serve):
    table = serve("denain-1712")
    lobby = Lobby(table.registry, Keyring(b"k" * 32))
    (row,) = lobby.list_games("en")["games"]
    assert row["told"].endswith("nothing has been chosen yet")
    table.post("/api/choose", {"key": table.served.game.decision.options[0].key})
    (row,) = lobby.list_games("en")["games"]
    assert "Denain" in row["told"] and "denain-1712" not in row["told"]
    assert "French to move (French player)" in row["told"]
    assert row["moved"] > 0
    (row,) = lobby.list_games("ja")["games"]
    assert not re.search(r"[a-z]{3}", row["told"])
