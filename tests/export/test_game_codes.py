"""Codes hold whole games: short, exact, and refused where they are damaged or belong to other rules."""

from __future__ import annotations

import base64
import zlib

import pytest

from interpreter.api.game import Game, Rules, load
from interpreter.api.game_code import GameCode, decode_code, encode_code, encode_game, replay_game_code
from interpreter.players.bots.registry import make_bots
from interpreter.players.ownership import list_seats
from interpreter.runtime.errors import SetupError

# Letters of a whole game, with room for games that last longer.
LIMITS = {"napoleon": 450, "denain-1712": 900}


def greedy_game(rules: Rules, seed: int, most: int = 2_000) -> Game:
    game = rules.start(seed=seed)
    bots = make_bots(dict.fromkeys(list_seats(game), "greedy"), seed)
    while game.decision is not None and len(game.keys) < most:
        game.pick(bots[game.decision.seat].choose(game))
    return game


@pytest.mark.parametrize("ruleset", LIMITS)
def test_code_of_whole_game_replays_to_same_hash_and_is_short(ruleset):
    rules = load(ruleset)
    game = greedy_game(rules, 5)
    players = dict.fromkeys(list_seats(game), "greedy")
    text = encode_code(encode_game(game, rules, players))
    again = replay_game_code(decode_code(text), rules, 0)
    assert (again.hash(), again.keys, again.seed) == (game.hash(), game.keys, 5)
    assert len(text) < LIMITS[ruleset]
    assert text.replace("-", "").replace("_", "").isalnum(), "a link may contain it as it is"


def test_code_up_to_choice_restores_position_at_that_choice():
    rules = load("napoleon")
    game = greedy_game(rules, 5, 30)
    then = replay_game_code(encode_game(game, rules, {}, 12), rules, 0)
    while len(game.keys) > 12:
        game.undo()
    assert then.hash() == game.hash()


def test_code_with_option_and_scenario_starts_same():
    rules = load("napoleon")
    game = rules.start("boulogne", ["road_to_paris", "multiplayer=3"], 7)
    code = decode_code(encode_code(encode_game(game, rules, {"french": "greedy"})))
    assert replay_game_code(code, rules, 0).hash() == game.hash()
    assert (code.scenario, code.players) == ("boulogne", {"french": "greedy"})


@pytest.mark.parametrize("text", ["", "x", "AAAA", "!!!!", "A" * 500, "é"])
def test_decode_code_refuses_damaged_text(text):
    with pytest.raises(SetupError, match="damaged"):
        decode_code(text)


def test_decode_code_refuses_cut_code_and_bomb():
    rules = load("napoleon")
    text = encode_code(encode_game(greedy_game(rules, 5, 30), rules, {}))
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    bomb = base64.urlsafe_b64encode(packer.compress(bytes(50_000_000)) + packer.flush()).decode()
    for bad in (text[:-8], bomb):
        with pytest.raises(SetupError, match="damaged"):
            decode_code(bad)


def pack(head: str, choices: bytes = b"") -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = bytes([len(head) & 127 | 128, len(head) >> 7]) + head.encode() + choices
    return base64.urlsafe_b64encode(packer.compress(body) + packer.flush()).decode()


@pytest.mark.parametrize(
    "head",
    [
        '[1,"denain-1712","","",[],1,[]]',
        '[1,"denain-1712","","",[],1,"ab"]',
        '[1,"denain-1712","","",{"a":1},1,{}]',
        '[1,"denain-1712","","\\ud800",[],1,{}]',
        '[1,"\\u202egame\\u001b[2J","","",[],1,{}]',
        f'[1,"{"x" * 300}","","",[],1,{{}}]',
    ],
)
def test_decode_code_refuses_wrong_types_and_names_that_cannot_be_shown(head):
    with pytest.raises(SetupError, match="damaged"):
        decode_code(pack(head))


def test_decode_code_refuses_number_without_end_of_a_choice_or_of_its_head():
    endless = b"\xff" * 3_000_000 + b"\x01"  # 4 kB as a link; the work of shifting it would take hours
    assert decode_code(pack('[1,"denain-1712","","",[],1,{}]', b"\x05\x81\x01")).choices == (4, 128)
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    head = base64.urlsafe_b64encode(packer.compress(endless) + packer.flush()).decode()
    for bad in (pack('[1,"denain-1712","","",[],1,{}]', endless), head):
        with pytest.raises(SetupError, match="damaged"):
            decode_code(bad)


def test_play_code_refuses_other_rules_and_options_out_of_range():
    rules = load("napoleon")
    code = encode_game(greedy_game(rules, 5, 30), rules, {})
    with pytest.raises(SetupError, match="other rules"):
        replay_game_code(GameCode(code.ruleset, "0" * 12, choices=code.choices), rules, 0)
    with pytest.raises(SetupError, match="but this page plays"):
        replay_game_code(code, load("denain-1712"), 0)
    with pytest.raises(SetupError, match="damaged"):
        replay_game_code(GameCode("napoleon", choices=(99_999,), seed=1), rules, 0)
