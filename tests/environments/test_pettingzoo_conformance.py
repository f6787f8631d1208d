"""Test environments with PettingZoo's own tests, and properties that those do not cover."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from interpreter.api.game import load
from interpreter.environments.pettingzoo import env, parallel_env, raw_env
from interpreter.players.bots.registry import make_bots
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.errors import IllegalAction, SetupError
from tests.environments.rulesets import ALL, BORDER, CLASSICS, SHIPPED, WITHOUT
from tests.recordings import assert_recorded

np = pytest.importorskip("numpy", reason=WITHOUT)
judges = pytest.importorskip("pettingzoo.test", reason=WITHOUT)

# PettingZoo's warning for every environment whose observation holds a mask, except its own board games by name
USUAL = ("Observation space for each agent probably should be", "Observation is not a NumPy array")


@pytest.fixture(autouse=True)
def other_warnings_are_faults() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        for usual in USUAL:
            warnings.filterwarnings("ignore", message=usual)
        yield


@pytest.mark.parametrize("name", ALL)
def test_conformance_tests_pass(name: str) -> None:
    judges.api_test(env(ALL[name]), num_cycles=150)
    judges.seed_test(lambda: env(ALL[name]), num_cycles=60)
    judges.parallel_api_test(parallel_env(ALL[name]), num_cycles=60)
    # it samples without looking at masks, so its games are lost soon
    judges.parallel_seed_test(lambda: parallel_env(ALL[name], illegal="lose"), num_cycles=20)


@pytest.mark.parametrize("name", ["tic_tac_toe", "border", "napoleon"])
def test_conformance_tests_pass_with_masks_in_infos(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for infinite in ("minimum", "maximum"):
            warnings.filterwarnings("ignore", message=f"Agent's {infinite} observation space value is")
        judges.api_test(env(ALL[name], masks="info"), num_cycles=150)
    # these sample without looking at the masks in the observation
    judges.seed_test(lambda: env(ALL[name], masks="info", illegal="lose"), num_cycles=60)
    judges.parallel_api_test(parallel_env(ALL[name], masks="info", illegal="lose"), num_cycles=60)
    judges.parallel_seed_test(lambda: parallel_env(ALL[name], masks="info", illegal="lose"), num_cycles=20)


def sampling_alike(made: Any) -> Any:
    """Seed the action spaces, so that a PettingZoo test samples the same actions each time."""
    for number, agent in enumerate(made.possible_agents):
        made.action_space(agent).seed(number)
    return made


def test_max_cycles_passes_pettingzoo_test() -> None:
    """Check the cycles in a game in which every action stays legal for some time: the PettingZoo test ignores masks."""
    columns = CLASSICS["connect_four"]
    judges.max_cycles_test(
        SimpleNamespace(
            env=lambda **asked: sampling_alike(env(columns, **asked)),
            parallel_env=lambda **asked: sampling_alike(parallel_env(columns, **asked)),
        )
    )


def test_cycle_is_action_of_each_and_in_parallel_step() -> None:
    for most in (1, 7, 40):
        made = env("napoleon", max_cycles=most)
        made.reset(seed=1)
        assert len(played(made, SeededDice(7))) == 2 * most + 2
        together = parallel_env("napoleon", max_cycles=most)
        together.reset(seed=1)
        steps = 0
        while together.agents:
            masks = {agent: together.unwrapped.infos[agent]["action_mask"] for agent in together.agents}
            _seen, rewards, ended, cut, _infos = together.step({a: int(mask.argmax()) for a, mask in masks.items()})
            steps += 1
        assert steps == most
        assert all(cut.values())
        assert not any(ended.values())
        assert not any(rewards.values())
        assert together.step({}) == ({}, {}, {}, {}, {})


@pytest.mark.soak
@pytest.mark.parametrize("name", ALL)
def test_conformance_tests_pass_for_many_games(name: str) -> None:
    for seed in range(20):
        judges.api_test(env(ALL[name], seed=seed), num_cycles=3000)
        judges.seed_test(lambda: env(ALL[name]), num_cycles=1000)
        judges.parallel_api_test(parallel_env(ALL[name], seed=seed), num_cycles=1000)


def played(made: Any, choices: SeededDice) -> list[tuple[str, float]]:
    """Play a random game; return each actor with its rewards on acting, followed by the final rewards."""
    out = []
    for agent in made.agent_iter():
        observation, reward, ended, cut, info = made.last()
        out.append((agent, reward))
        legal = np.flatnonzero(observation["action_mask"])
        assert list(legal) == list(np.flatnonzero(info["action_mask"]))
        made.step(None if ended or cut else int(legal[choices.roll(len(legal))]))
    return out


@pytest.mark.parametrize("name", ["tic_tac_toe", "border"])
def test_winner_gets_as_much_as_loser_gives(name: str) -> None:
    made = env(ALL[name])
    seen = set()
    for seed in range(30):
        made.reset(seed=seed)
        rewards = played(made, SeededDice(seed))[-2:]
        assert {agent for agent, _ in rewards} == set(made.possible_agents)
        seen.add(tuple(sorted(reward for _, reward in rewards)))
        assert sum(reward for _, reward in rewards) == 0
        told = made.unwrapped.current_state.state.outcome[0]
        if told is not None:
            winner = made.unwrapped.setting.seats[told[0]]
            assert [reward for agent, reward in rewards if agent.startswith(f"{winner}_")] == [1]
    assert (-1, 1) in seen
    assert name == "border" or (0, 0) in seen


def test_long_game_is_truncated_for_all_agents_without_winner() -> None:
    made = env(CLASSICS["breakthrough"], max_cycles=5)
    made.reset(seed=1)
    acted = played(made, SeededDice(1))
    assert len(acted) == 10 + 2
    assert all(made.unwrapped.truncations.values()) or not made.agents
    assert [reward for _, reward in acted] == [0] * 12
    assert made.unwrapped.current_state.is_cut


def test_truncation_can_interrupt_word_actions() -> None:
    for most in range(1, 20):
        made = raw_env("napoleon", max_cycles=most)
        made.reset(seed=1)
        assert len(played(made, SeededDice(7))) == 2 * most + 2


def test_illegal_action_is_rejected_and_changes_nothing() -> None:
    made = env(CLASSICS["tic_tac_toe"])
    made.reset()
    made.step(4)
    before = made.observe("second_1")
    with pytest.raises(IllegalAction, match=r"`put\(22\)` is not legal"):
        made.step(4)
    after = made.observe("second_1")
    assert made.agent_selection == "second_1"
    assert all(np.array_equal(before[key], after[key]) for key in before)
    made.step(0)
    assert made.agent_selection == "first_0"


def test_without_seed_next_game_is_another_and_row_of_games_is_same() -> None:
    def row(made: Any) -> list[int]:
        lengths = []
        for _ in range(6):
            made.reset()
            lengths.append(len(played(made, SeededDice(3))))
        return lengths

    first, second = row(env(BORDER)), row(env(BORDER))
    assert first == second
    assert len(set(first)) > 1
    assert row(env(BORDER, seed=1))[:5] == first[1:]


def test_position_is_shown_in_words() -> None:
    made = env(CLASSICS["tic_tac_toe"], render_mode="ansi")
    made.reset()
    made.step(4)
    assert made.render().splitlines() == ["turn 1, move", "second decides turn.put (s noughts)", "22: mark=crosses"]
    assert env(CLASSICS["tic_tac_toe"]).unwrapped.render() is None


def test_copy_of_environment_is_independent() -> None:
    made = env(BORDER)
    made.reset(seed=2)
    twin = copy.deepcopy(made)
    before = twin.observe("red_0")
    made.step(int(np.flatnonzero(made.last()[0]["action_mask"])[0]))
    after = twin.observe("red_0")
    assert all(np.array_equal(before[key], after[key]) for key in before)
    twin.step(int(np.flatnonzero(twin.last()[0]["action_mask"])[0]))
    assert all(np.array_equal(made.observe("red_0")[key], twin.observe("red_0")[key]) for key in before)


@pytest.mark.parametrize("name", ["border", "napoleon/general_winter", "denain-1712"])
def test_environment_is_pickled_in_middle_of_game(name: str) -> None:
    made, choices = env(ALL.get(name, name), seed=5, masks="info"), SeededDice(4)
    made.reset()
    for _ in range(40):
        legal = np.flatnonzero(made.infos[made.agent_selection]["action_mask"])
        made.step(int(legal[choices.roll(len(legal))]))
    twin = pickle.loads(pickle.dumps(made))
    for one in (made, twin):
        rest = SeededDice(6)
        for _agent in one.agent_iter(200):
            _seen, _reward, ended, cut, info = one.last()
            legal = np.flatnonzero(info["action_mask"])
            one.step(None if ended or cut else int(legal[rest.roll(len(legal))]))
    assert twin.unwrapped.current_state.copy_game().hash() == made.unwrapped.current_state.copy_game().hash()
    assert (twin.rewards, twin.agents) == (made.rewards, made.agents)
    made.reset()
    twin.reset()
    assert all(np.array_equal(made.observe(agent), twin.observe(agent)) for agent in made.possible_agents)
    assert np.array_equal(made.state(), twin.state())


def test_state_has_no_observer() -> None:
    made = env(BORDER)
    made.reset(seed=1)
    seen = made.unwrapped.layout.parts(made.state())
    looks = made.unwrapped.layout.parts(made.observe("red_0")["observation"])
    assert made.state_space.contains(made.state())
    assert list(seen["players"][0] - looks["players"][0]) == [-1, 0, 0, 0]
    assert all(np.array_equal(seen[name], looks[name]) for name in seen if name != "players")


@pytest.mark.parametrize("name", ["border", *SHIPPED])
def test_bots_play_same_game_in_environment(name: str) -> None:
    rules = load(ALL[name])
    made = raw_env(ALL[name])
    seats = dict.fromkeys(made.setting.seats, "random") | {made.setting.seats[0]: "greedy"}
    most = 30 if name in SHIPPED else 10_000
    game, bots = rules.start(seed=3, record=False), make_bots(seats, 3)
    asked = 0
    while not game.over and asked < most:
        assert game.decision is not None
        game.pick(bots[game.decision.seat].choose(game))
        asked += 1
    made.reset(seed=3)
    bots = make_bots(seats, 3)
    for _ in range(asked):
        words = made.current_state
        while made.current_state.state is words.state and not made.current_state.is_over:
            made.step(made.advice(bots[made.setting.seats[made.current_state.player]]))
    assert made.current_state.copy_game().hash() == game.hash()


def test_advice_outside_running_game_is_refused() -> None:
    made = raw_env(CLASSICS["tic_tac_toe"])
    bot = make_bots({"first": "random"}, 1)["first"]
    with pytest.raises(SetupError, match="call reset first"):
        made.advice(bot)
    made.reset()
    for action in (0, 3, 1, 4, 2):
        made.step(action)
    with pytest.raises(IllegalAction) as over:
        made.advice(bot)
    assert_recorded(over.value)


def test_parallel_step_without_actor_is_rejected() -> None:
    made = parallel_env(CLASSICS["tic_tac_toe"])
    with pytest.raises(SetupError, match="call reset first"):
        made.step({})
    made.reset()
    with pytest.raises(IllegalAction) as missing:
        made.step({"second_1": 0})
    assert_recorded(missing.value)
    made.step({"first_0": 0})
    assert made.unwrapped.agent_selection == "second_1"
