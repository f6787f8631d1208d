"""The reference evaluator beside the run inside WebAssembly: random rulesets, the guide's games, budgets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from interpreter.api.loading import read_model
from interpreter.api.native_rules import load_native
from interpreter.backends.wasm.host.native_game import NativeGame
from interpreter.backends.wasm.host.wasm_host import TrapError
from interpreter.diagnostics.diagnostic import Sink
from interpreter.runtime.dice import SeededDice
from tests.properties.games import GUIDE, RULESETS
from tests.witness.budgets import budget
from tests.witness.counting import GAMES, LONGEST, POSITIONS, QUICK as FEW, kept
from tests.witness.field import write
from tests.witness.native import PASSES, REFUSALS, NativeMatch, NotCovered
from tests.witness.small import model_of
from tests.witness.writer import Writer

pytest.importorskip("wasmtime")

QUICK = (1, 4, 8, 21, 32, 45, 5583)  # the last one: two combinations of steps whose hashes were once equal
FIRST, COUNT = 1_000, int(os.environ.get("GROGNARD_SOAK", "10000"))  # rulesets of the long run


def compare(seed: int, folder: Path, games: int, without: tuple[str, ...] = ()) -> NativeMatch | None:
    """Play a random ruleset; None where it is not valid, or has no form inside WebAssembly."""
    sink = Sink()
    model = read_model(str(write(folder, Writer(seed).ruleset())), sink)
    if model is None or sink.has_errors:
        return None
    try:
        match = NativeMatch(model, without=without)
    except (*REFUSALS, RecursionError):
        return None
    for number in range(games):
        try:
            match.play(number, most=12, looks=2)
        except NotCovered:
            continue
    return match


@pytest.mark.parametrize("seed", QUICK)
def test_native_plays_random_ruleset(seed: int, tmp_path: Path) -> None:
    assert compare(seed, tmp_path, 2) is not None


@pytest.mark.parametrize("name", sorted(PASSES))
def test_native_plays_same_without_one_pass(name: str, tmp_path: Path) -> None:
    assert compare(8, tmp_path, 2, without=(name,)) is not None


def test_native_plays_same_without_any_pass(tmp_path: Path) -> None:
    assert compare(21, tmp_path, 2, without=tuple(PASSES)) is not None


@pytest.mark.parametrize("name", ["skirmish", *GUIDE])
def test_native_plays_games_of_guide(name: str) -> None:
    rules = {**RULESETS, **GUIDE}[name]()
    model = rules.model or read_model(rules.target, Sink())
    assert model is not None
    match = NativeMatch(model, rules.program)
    for seed in range(2):
        match.play(seed, most=40, looks=1)
    assert not match.said["trapped alone"]


def started(name: str, scenario: str | None = None, options: tuple[str, ...] = (), seed: int = 1) -> NativeGame:
    loaded = load_native(GAMES[name]())
    assert loaded is not None and loaded.session is not None, loaded
    return NativeGame.start(loaded.session, scenario, options, seed)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_native_ends_whole_game_with_hash_that_is_kept(name: str) -> None:
    """Check the games of `counts.json`, which Python plays with a record."""
    game, golden = started(name), kept()[name]["game"]
    game.session.set_chooser((1, 0))
    assert (game.play(LONGEST), game.as_python().hash()) == (golden["choices"], golden["hash"])


@pytest.mark.parametrize("name", sorted(GAMES))
def test_native_played_step_by_step_ends_as_recorded_game(name: str) -> None:
    """Check that positions are swapped between choices while another game is played."""
    game, other, golden = started(name), started(name, seed=2), kept()[name]["game"]
    chooser, made = SeededDice(1), 0
    while not game.over and made < golden["choices"]:
        game.pick(chooser.roll(game.count()))
        made += 1
        if made % 7 == 0 and not other.over:
            other.pick(made % other.count())
    assert (made, game.over, game.as_python().hash()) == (golden["choices"], True, golden["hash"])


PLACES = [(name, number) for name, places in POSITIONS.items() for number in range(len(places))]


@pytest.mark.parametrize(("name", "number"), PLACES)
def test_native_counts_sequences_that_are_kept(name: str, number: int) -> None:
    scenario, options, choices = POSITIONS[name][number]
    game = started(name, scenario, options, choices)
    game.session.set_chooser((choices, 0))
    game.play(choices)
    wanted = [count for count in kept()[name]["sequences"][number] if count <= FEW]
    for depth, count in enumerate(wanted, 1):
        position = game.save_position()
        assert game.session.count_sequences(depth) == count
        game.session.load_position(position)


def test_native_offers_union_of_sets_in_order_and_once(tmp_path: Path) -> None:
    model = model_of(
        tmp_path,
        """
        turn:
            phase first:
                choose go by reds:
                    option one(p in neighbours(place("0202")) + neighbours(place("0101"))): nothing
                    option other(p in ray(place("0101"), s) + ray(place("0103"), n)): nothing
        """,
    )
    match = NativeMatch(model)
    match.play(1)
    assert match.said["decisions"] == 1 and match.said["finished"] == 1


def test_native_gathers_members_of_extreme_measure(tmp_path: Path) -> None:
    model = model_of(
        tmp_path,
        """
        turn:
            phase first:
                choose go by reds:
                    option count_of(n in 1..count({u in units having most u.strength})): nothing
                    option things(u in {u in units having least u.strength}): nothing
                    option numbers(n in {u.strength for u in units where u.army == reds having most u.pace}): nothing
                    option words(n in {x in [3, 1, 3] having most x}): nothing
        """,
    )
    match = NativeMatch(model)
    match.play(1)
    assert match.said["decisions"] == 1 and match.said["finished"] == 1 and not match.said["trapped alone"]


def test_native_keeps_sets_and_lists_of_queued_calls(tmp_path: Path) -> None:
    model = model_of(
        tmp_path,
        """
        procedure gather(some: set of unit, numbers: list of int):
            for u in some: move u to pile
            set game.total = sum(numbers)
        turn:
            phase first:
                later gather({u in units where u.army == reds}, [1, 2, 3])
                later gather({}, 1..4)
                choose go by reds:
                    option go(n in 1..2): nothing
        """,
    )
    match = NativeMatch(model)
    for seed in range(3):
        match.play(seed)
    assert match.said["decisions"] and not match.said["trapped alone"]


LISTS = """
marks: {type: {set_of: int}, default: []}
path: {type: {list_of: int}, default: []}
route: {type: {list_of: place}, default: []}
skies: {type: {set_of: {one_of: [dry, wet]}}, default: []}
last_bid: {type: {maybe: {list_of: int}}, default: null}
tried: {type: {set_of: int}, default: [], lasts: turn}
"""


def test_native_keeps_sets_and_lists_in_attributes(tmp_path: Path) -> None:
    model = model_of(
        tmp_path,
        """
        turn:
            phase first:
                repeat 8 times:
                    choose go by reds:
                        option mark(n in 1..4):
                            let before = game.marks
                            set game.marks = game.marks + {n * n}
                            set game.tried = before + {7}
                            set game.total = game.total + count(before) + sum(m for m in game.marks)
                        option walk(p in {q in places where count(game.route) < 3}):
                            set game.route = game.route + [p]
                            set game.path = [count(game.route)] + game.path
                        option bid(n in 1..3):
                            set game.last_bid = [n, sum(game.path)]
                        option forget:
                            require game.last_bid != none "nothing was bid"
                            set game.last_bid = none
                            set game.skies = {dry}
                        option unmark(n in game.marks): set game.marks = game.marks - {n}
        """,
        LISTS,
    )
    match = NativeMatch(model)
    for seed in range(12):
        match.play(seed)
    assert match.said["decisions"] > 60 and not match.said["trapped alone"]


def test_list_longer_than_attribute_holds_is_trap(tmp_path: Path) -> None:
    model = model_of(
        tmp_path,
        """
        turn:
            phase first:
                repeat 2 times:
                    choose go by reds:
                        option go(n in 1..2): set game.path = 1..(29 + n)
                        option on(n in 1..2): nothing
        """,
        LISTS,
    )
    match = NativeMatch(model)
    for seed in range(8):
        match.play(seed)
    assert match.said["trapped alone"] and match.said["finished"]


def test_native_traps_before_budget_of_steps_ends(tmp_path: Path) -> None:
    """Check that an endless loop is a trap, reported by the fault of the Python program."""
    with budget(4_000):
        model = model_of(
            tmp_path,
            """
            turn:
                phase first:
                    choose go by reds:
                        option go(n in 1..2):
                            while game.total >= 0:
                                set game.total = (game.total + 1) * 0
            """,
        )
        match = NativeMatch(model)
        with pytest.raises(TrapError):
            block = match.transfer.serialize_state(match_state(match))
            match.instance.memory[4096 : 4096 + len(block)] = block
            match.start()
            match.pick(0)


def match_state(match: NativeMatch) -> object:
    from tests.witness.forms import laid_out

    return laid_out(match.program, seed=1).state


@pytest.mark.soak
def test_native_plays_many_random_rulesets(tmp_path: Path) -> None:
    """`GROGNARD_SOAK` is the number of rulesets."""
    played = sum(compare(seed, tmp_path / str(seed), 3) is not None for seed in range(FIRST, FIRST + COUNT))
    assert played > 0.9 * COUNT
