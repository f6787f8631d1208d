"""Short forms of things, in options and positions."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game import check
from interpreter.players.orders.lexicon import Lexicon
from interpreter.players.orders.menus import Menu, entries
from interpreter.players.plain.position import company
from interpreter.players.words import Words
from interpreter.runtime.wordings import short_form
from tests.tiny import build, write

RULES = """
define force(s: single) -> int = s.strength * 2
procedure pick():
    choose who by reds:
        option take(s in singles):
            nothing
        option none_of_them
"""
PIECES = """
kind: pieces
format: 1
classes:
  single:
    many: singles
    short: SHORT
    attributes: {army: army, strength: {type: int, changes: true}, pace: {type: int, default: 4}}
pieces:
  guard: {name: Guard, class: single, army: reds, strength: 3, at: a}
  line: {name: Line, class: single, army: reds, strength: 2, at: b, short: "only {it.at}"}
"""


def documents(short: str = '"{strength}-{pace}"') -> dict[str, str]:
    return {"singles.yaml": PIECES.replace("SHORT", short)}


@pytest.mark.parametrize(("short", "told"), [
    ('"{strength}-{pace}"', "3-4"), ('"{force} in {at}"', "6 in a"), ('"{it.strength + it.pace}"', "7"),
    ('"{it.army}"', "reds"), ("plain", "plain"),
])
def test_holes(tmp_path: Path, short: str, told: str) -> None:
    game = build(tmp_path, RULES, documents(short)).start(empty=True)
    handles = game.program.handles["piece"]
    assert short_form(game.state, "piece", handles["guard"]) == told
    assert short_form(game.state, "piece", handles["line"]) == "only b"
    assert short_form(game.state, "piece", handles["red-1"]) == ""


def test_options_and_positions(tmp_path: Path) -> None:
    game = build(tmp_path, RULES, documents()).start(empty=True)
    game.call("pick")
    words = Words(game.program)
    lexicon = Lexicon(game, words)
    shown = [e.words for e in entries(Menu(game.decision.options), lexicon)]
    assert shown == ["take Guard (3-4)", "take Line (only b; b)", "none of them"]
    game.edit(pieces={"guard": {"strength": 1}})
    assert company([(p, game.view()["pieces"][p]) for p in ("guard", "line")], words) == [
        "Guard 1-4", "Line only b (strength 2)"]
    assert "short" not in game.view()["pieces"]["red-1"]


@pytest.mark.parametrize(("short", "code"), [('"{strenght}"', "unknown-name"), ('"{strength"', "unclosed-bracket"),
                                             ('{fr: "x"}', "unknown-language")])
def test_faults(tmp_path: Path, short: str, code: str) -> None:
    found = [d for d in check(write(tmp_path, RULES, documents(short))) if d.severity == "error"]
    assert [(d.code, d.line) for d in found] == [(code, 7)]


def test_places_and_sides(tmp_path: Path) -> None:
    text = (write(tmp_path, RULES, documents()) / "map.yaml").read_text()
    spoken = {**documents(), "map.yaml": text.replace("places:\n", 'places:\n  short: "h{height}"\n').replace(
        "b: {}", "b: {short: ford}").replace("pile: {}", "pile: {short: gone}")}
    state = build(tmp_path, RULES, spoken).start(empty=True).state
    handles = state.program.handles["place"]
    assert [short_form(state, "place", handles[p]) for p in ("a", "b", "c", "pile")] == ["h1", "ford", "h2", "gone"]
