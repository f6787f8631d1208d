"""States that are kept: what a game can take back, and the first decision that games begin with."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from interpreter.api.game import Rules, load
from interpreter.play.game import Game
from interpreter.play.history import History
from interpreter.runtime.state import clone_state, compute_state_hash, copy_shared_lists, restore_snapshot
from tests.tiny import build

DICE = """
    turn:
        phase only_phase:
            roll one: die -> d
            report note(d)
            ask(reds) -> chosen
            end game drawn
"""


@pytest.fixture(scope="module")
def denain() -> Rules:
    return load("denain-1712")


def advanced(rules: Rules, seed: int, choices: int, record: bool = True) -> Game:
    game = rules.start(seed=seed, record=record)
    for n in range(choices):
        game.pick((seed + n) % game.count())
    return game


def test_restored_state_equals_original_and_is_independent(denain: Rules) -> None:
    state = advanced(denain, 3, 40, record=False).state
    before = compute_state_hash(state)
    one, other = (restore_snapshot(state.program, History(state.program).take_snapshot(state)) for _ in range(2))
    assert compute_state_hash(one) == compute_state_hash(other) == before
    assert one.occ == state.occ and type(one) is type(state) and one.program is state.program
    copy_shared_lists(one)
    one.at[0] = 0 if one.at[0] else 1
    assert compute_state_hash(other) == compute_state_hash(state) == before


def test_copy_and_original_are_independent(denain: Rules) -> None:
    game = advanced(denain, 3, 40, record=False)
    slots = ("at", "occ", *type(game.state).columns)
    kept = [list(getattr(game.state, slot)) for slot in slots]
    one, other = game.clone(), game.clone()
    assert all(getattr(one.state, slot) is getattr(game.state, slot) for slot in slots)
    for n in range(60):
        one.pick(n % one.count())
    assert [getattr(game.state, slot) for slot in slots] == [getattr(other.state, slot) for slot in slots] == kept
    for n in range(60):
        game.pick(n % game.count())
    assert [getattr(other.state, slot) for slot in slots] == kept != [getattr(game.state, slot) for slot in slots]
    assert game.hash() == one.hash()


def test_edit_of_game_leaves_its_clone_unchanged(denain: Rules) -> None:
    game = advanced(denain, 3, 40)
    other = game.clone()
    before = other.hash()
    piece = next(p for p, place in enumerate(game.state.at) if game.program.on_map[place])
    game.edit(pieces={game.program.ids["piece"][piece]: {"at": "off_map"}})
    assert game.state.at != other.state.at and other.hash() == before


def test_undo_restores_previous_state(denain: Rules) -> None:
    game = denain.start(seed=5)
    seen = []
    for n in range(30):
        seen.append((game.hash(), json.dumps(game.data()), len(game.log)))
        game.pick(n % game.count())
    after = game.hash()
    states = [before for before, _length, _key in game.get_history()]
    assert [compute_state_hash(s) for s in states] == [h for h, _, _ in seen]
    assert [b for b, _, _ in game.get_history()] == states and game.get_history()[4:6][0][0] is states[4]
    assert [key for _, key in game.get_history().iter_marks()] == [key for _, _, key in game.get_history()][::-1]
    for expected in reversed(seen):
        game.undo()
        assert (game.hash(), json.dumps(game.data()), len(game.log)) == expected
    for _ in seen:
        game.redo()
    assert game.hash() == after


def test_games_that_begin_alike_are_independent_and_roll_their_own_dice(denain: Rules) -> None:
    fresh = load("denain-1712")
    first = [advanced(fresh, seed, 25).hash() for seed in (1, 2, 1)]
    assert first[0] == first[2] != first[1]
    for record in (True, False):  # now from a kept first decision
        assert [advanced(denain, seed, 25, record).hash() for seed in (1, 2, 1)] == first
    one, other = denain.start(seed=1), denain.start(seed=2)
    assert one.get_raw_log() == other.get_raw_log() and one.get_raw_log() is not other.get_raw_log()
    assert one.state is not other.state and one.state.dice.seed == 1 and other.state.dice.seed == 2


def test_start_that_rolls_is_played_each_time(tmp_path: Path) -> None:
    rules = build(tmp_path, DICE)
    faces = [rules.start(seed=seed).log[-1].args for seed in range(12)]
    assert len({str(f) for f in faces}) > 1
    assert faces == [rules.start(seed=seed).log[-1].args for seed in range(12)]
    assert not rules.program.memoized_starts


def test_scenario_options_and_record_begin_apart(denain: Rules) -> None:
    rules = load("napoleon")
    assert rules.start(record=False).log == [] and rules.start(record=True).log != []
    assert rules.start(empty=True).decision is None and rules.start().decision is not None
    assert rules.start(ready=True).decision is None


def test_hashes_hold_fractions_and_sets_as_before(denain: Rules) -> None:
    state = clone_state(denain.start(record=False).state)
    state.ret = (Fraction(1, 3), (1, "a", None, True))
    again = clone_state(state)
    again.ret = (Fraction(2, 6), (1, "a", None, True))
    assert compute_state_hash(state) == compute_state_hash(again)
    again.ret = (Fraction(1, 4), (1, "a", None, True))
    assert compute_state_hash(state) != compute_state_hash(again)
