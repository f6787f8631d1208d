"""OpenSpiel's own tests of games, and what they do not look at."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import pytest

from interpreter.api.game import load
from interpreter.environments.openspiel import load_game
from interpreter.runtime.dice import SeededDice
from tests.environments.rulesets import ALL, BORDER, CLASSICS, WITHOUT

np = pytest.importorskip("numpy", reason=WITHOUT)
pyspiel = pytest.importorskip("pyspiel", reason=WITHOUT)
QUICK = {"napoleon": 120, "denain-1712": 60}  # actions of a game that is looked at from all sides


def random_game(state: Any, seed: int) -> Any:
    """Play a game out, dice by their chances, all from one seed."""
    choices = SeededDice(seed)
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[choices.roll(len(actions))])
    return state


@pytest.mark.parametrize("name", ALL)
def test_random_games_pass_conformance_check(name: str) -> None:
    game = load_game(ALL[name], max_cycles=QUICK.get(name, 10_000))
    pyspiel.random_sim_test(game, num_sims=1 if name in QUICK else 3, serialize=True, verbose=False)


@pytest.mark.soak
@pytest.mark.parametrize("name", ALL)
def test_many_whole_games_pass_conformance_check(name: str) -> None:
    pyspiel.random_sim_test(load_game(ALL[name]), num_sims=5, serialize=True, verbose=False)


@pytest.mark.parametrize("name", ALL)
def test_playthrough_can_be_written_and_is_same_again(name: str) -> None:
    playthrough = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough").playthrough
    short = load_game(ALL[name], max_cycles=5).get_type().short_name
    first, again = (playthrough(short, action_sequence=[], seed=3) for _ in range(2))
    assert first == again
    assert first.count("# State ") >= 5
    assert '# Apply action "' in first


def test_game_is_found_again_by_its_name() -> None:
    game = load_game(CLASSICS["tic_tac_toe"])
    again = pyspiel.load_game(game.get_type().short_name)
    assert again.get_type().short_name == game.get_type().short_name
    assert str(again.new_initial_state()) == str(game.new_initial_state())
    assert load_game(CLASSICS["tic_tac_toe"]) is game
    other = load_game(CLASSICS["tic_tac_toe"], max_cycles=9)
    assert other.max_game_length() == 9
    assert other.get_type().short_name != game.get_type().short_name


def test_game_info_matches_play() -> None:
    classic, border = load_game(CLASSICS["connect_four"]), load_game(BORDER)
    assert (classic.num_distinct_actions(), classic.max_chance_outcomes(), classic.num_players()) == (7, 0, 2)
    assert classic.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert (border.max_chance_outcomes(), border.get_type().chance_mode.name) == (6, "EXPLICIT_STOCHASTIC")
    several = load_game("napoleon", options=["multiplayer=3"])
    assert several.num_players() == 4
    assert several.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert (several.min_utility(), several.max_utility()) == (-1, 1)


def test_every_die_is_node_with_its_chances() -> None:
    state = load_game(BORDER).new_initial_state()
    choices, nodes = SeededDice(1), 0
    while not state.is_terminal():
        if state.is_chance_node():
            nodes += 1
            assert state.chance_outcomes() == [(face, pytest.approx(1 / 6)) for face in range(6)]
            assert state.action_to_string(0).endswith(": 1")
        actions = state.legal_actions()
        state.apply_action(actions[choices.roll(len(actions))])
    assert nodes > 10


@pytest.mark.parametrize("name", ["border", "napoleon"])
def test_same_choices_and_dice_give_game_that_rules_play(name: str) -> None:
    """Check that a game of OpenSpiel, replayed by the rules with scripted dice, has the same end."""
    game = load_game(ALL[name], max_cycles=400)
    state = game.new_initial_state()
    choices, faces, picked = SeededDice(5), [], []
    while not state.is_terminal():
        actions = state.legal_actions()
        action = actions[choices.roll(len(actions))]
        if state.is_chance_node():
            faces.append(state.current_state.get_outcome_label(action))
        elif len(state.current_state.trie.ways[action]) == 1:
            picked.append(state.current_state.trie.ways[action][0])
        state.apply_action(action)
    played = load(ALL[name]).start(dice=faces, record=False)
    for number in picked:
        played.pick(number)
    mine, theirs = played.state, state.current_state.state
    assert mine.at == theirs.at
    assert mine.outcome == theirs.outcome
    assert all(getattr(mine, slot) == getattr(theirs, slot) for slot in type(mine).columns)


def test_copy_goes_its_own_way_and_pickled_state_comes_back_by_its_actions() -> None:
    state = load_game(BORDER).new_initial_state()
    choices = SeededDice(2)
    for _ in range(40):
        actions = state.legal_actions()
        state.apply_action(actions[choices.roll(len(actions))])
    before = str(state)
    twin = state.clone()
    twin.apply_action(twin.legal_actions()[0])
    assert (str(state), str(twin) == before) == (before, False)
    assert str(copy.deepcopy(state)) == before
    back = pickle.loads(pickle.dumps(state.holder))
    assert back.env_state is not state.holder.env_state
    assert back.env_state.state.at == state.current_state.state.at
    assert back.env_state.list_legal_actions() == state.legal_actions()


def test_information_state_is_history_and_observation_is_position() -> None:
    game = load_game(CLASSICS["tic_tac_toe"])
    states = []
    for actions in ([0, 4, 1], [1, 4, 0]):
        state = game.new_initial_state()
        for action in actions:
            state.apply_action(action)
        states.append(state)
    one, other = states
    assert one.information_state_string(0) == "0 4 1"
    assert one.information_state_string(0) != other.information_state_string(0)
    assert one.observation_string(0) == other.observation_string(0)
    assert one.observation_tensor(0) == other.observation_tensor(0)
    assert one.observation_tensor(0) != one.observation_tensor(1)


def test_returns_follow_prizes_of_victory_levels() -> None:
    game = load_game("napoleon", prizes={"frenchman": 0.25, "emperor": 0.5})
    ended = {tuple(random_game(game.new_initial_state(), seed).returns()) for seed in range(4)}
    assert ended <= {(-0.25, 0.25), (0.5, -0.5), (1.0, -1.0)}
    assert (-0.25, 0.25) in ended


def test_process_that_has_loaded_game_ends_in_peace() -> None:
    program = (
        "from interpreter.environments.openspiel import load_game\n"
        f"game = load_game({str(CLASSICS['tic_tac_toe'])!r})\n"
        "print(game.new_initial_state().legal_actions())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[0, 1, 2, 3, 4, 5, 6, 7, 8]\n", "")


def test_algorithms_of_openspiel_search_game() -> None:
    minimax = pytest.importorskip("open_spiel.python.algorithms.minimax")
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    game = load_game(CLASSICS["tic_tac_toe"])
    state = game.new_initial_state()
    for action in (0, 3, 1, 4):  # two in a row for both, crosses to move
        state.apply_action(action)
    assert minimax.alpha_beta_search(game, state)[0] == 1
    dice = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 200, mcts.RandomRolloutEvaluator(1, dice), random_state=dice)
    assert game.meaning(bot.step(state)) == "put(13)"


def test_game_and_state_can_be_written_and_read() -> None:
    game = load_game(BORDER)
    state = game.new_initial_state()
    for _ in range(12):
        state.apply_action(state.legal_actions()[-1])
    again, there = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(again) == str(game)
    assert str(there) == str(state)
    assert there.legal_actions() == state.legal_actions()
