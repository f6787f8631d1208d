"""Test short forms of things, in options and positions."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import check
from interpreter.play.template_values import format_short_form
from interpreter.players.narration.position_lines import render_stack
from interpreter.players.orders.menu import Menu, list_entries
from interpreter.players.orders.name_index import NameIndex
from interpreter.runtime.localizer import Localizer
from interpreter.tools.maps.piece_groups import build_current_position
from interpreter.tools.maps.svg import render_map
from interpreter.tools.maps.text.characters import render_text_map
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


@pytest.mark.parametrize(
    ("short", "told"),
    [
        ('"{strength}-{pace}"', "3-4"),
        ('"{force} in {at}"', "6 in a"),
        ('"{it.strength + it.pace}"', "7"),
        ('"{it.army}"', "reds"),
        ("plain", "plain"),
    ],
)
def test_short_form_fills_holes(tmp_path: Path, short: str, told: str) -> None:
    game = build(tmp_path, RULES, documents(short)).start(empty=True)
    handles = game.program.handles["piece"]
    assert format_short_form(game.state, "piece", handles["guard"]) == told
    assert format_short_form(game.state, "piece", handles["line"]) == "only b"
    assert format_short_form(game.state, "piece", handles["red-1"]) == ""


def test_options_and_positions_show_short_forms(tmp_path: Path) -> None:
    game = build(tmp_path, RULES, documents()).start(empty=True)
    game.call("pick")
    localizer = Localizer(game.program)
    lexicon = NameIndex(game, localizer)
    shown = [e.text for e in list_entries(Menu(game.decision.options), lexicon)]
    assert shown == ["take Guard (3-4)", "take Line (only b, b)", "none of them"]
    game.edit(pieces={"guard": {"strength": 1}})
    assert render_stack([(p, game.view()["pieces"][p]) for p in ("guard", "line")], localizer) == [
        "Guard 1-4",
        "Line only b (strength 2)",
    ]
    assert "short" not in game.view()["pieces"]["red-1"]


@pytest.mark.parametrize(
    ("short", "code"),
    [('"{strenght}"', "unknown-name"), ('"{strength"', "unclosed-bracket"), ('{fr: "x"}', "unknown-language")],
)
def test_faulty_short_form_is_diagnosed(tmp_path: Path, short: str, code: str) -> None:
    found = [d for d in check(write(tmp_path, RULES, documents(short))) if d.severity == "error"]
    assert [(d.code, d.line) for d in found] == [(code, 7)]


def test_places_and_sides_have_short_forms(tmp_path: Path) -> None:
    text = (write(tmp_path, RULES, documents()) / "map.yaml").read_text()
    spoken = {
        **documents(),
        "map.yaml": text.replace("places:\n", 'places:\n  short: "h{height}"\n')
        .replace("b: {}", "b: {short: ford}")
        .replace("pile: {}", "pile: {short: gone}"),
    }
    state = build(tmp_path, RULES, spoken).start(empty=True).state
    handles = state.program.handles["place"]
    assert [format_short_form(state, "place", handles[p]) for p in ("a", "b", "c", "pile")] == [
        "h1",
        "ford",
        "h2",
        "gone",
    ]


def test_words_of_option_survive_grouping(tmp_path: Path) -> None:
    """Check that each entry shows words that say more than its argument, and omits words that do not."""
    rules = """
    procedure pick():
        choose who by reds:
            option pay(n in 0..20) "pay {n} to lose {20 - n}":
                nothing
            option plain(n in 0..20) "just {n}":
                nothing
    """
    game = build(tmp_path, rules).start(empty=True)
    game.call("pick")
    lexicon = NameIndex(game, Localizer(game.program))
    first, second = (e.target for e in list_entries(Menu(game.decision.options), lexicon))
    assert [e.text for e in list_entries(first, lexicon)][:2] == ["pay 0 to lose 20", "pay 1 to lose 19"]
    assert [e.text for e in list_entries(second, lexicon)][:2] == ["0", "1"]
    assert "1" in list_entries(first, lexicon)[1].typed


def test_short_form_groups_pieces_and_fills_plain_counter(tmp_path: Path) -> None:
    """Check that pieces of one short form are counted together, and that a counter without figures shows it."""
    text = (write(tmp_path, "") / "pieces.yaml").read_text()
    spoken = text.replace("alike: true", 'alike: true\n    short: "{condition}!"')
    rules = build(tmp_path, "", {"pieces.yaml": spoken})
    game = rules.start(empty=True)
    game.edit(pieces={"red-1": {"condition": "worn"}})
    view, localizer = game.view(), Localizer(game.program)
    assert render_stack([(p, view["pieces"][p]) for p in ("red-1", "red-2", "red-3")], localizer) == [
        "reds 1 worn!, 2 fresh!"
    ]
    ruleset = rules.model.ruleset
    shown = build_current_position(ruleset, None, game, "")
    place = game.program.handles["place"]["a"]
    assert [(one.count, one.short) for one in shown.groups[place]] == [(1, "worn!"), (2, "fresh!")]
    assert "  here: 1 unit worn! (reds), 2 units fresh! (reds)" in render_text_map(ruleset, position=shown)
    assert "fresh!" in render_map(ruleset, position=shown)
