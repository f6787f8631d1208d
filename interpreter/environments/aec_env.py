"""A ruleset as a PettingZoo `AECEnv`: one agent per seat, one action per word; also as a parallel environment.

The rules refuse actions that are not legal.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper

from interpreter.diagnostics.suggestions import suggest_words
from interpreter.environments.env_config import EnvConfig, check_number, check_seed
from interpreter.environments.env_state import EnvState, build_initial_state, list_past_actions
from interpreter.environments.observation_encoder import ObservationEncoder
from interpreter.environments.observation_layout import ObservationLayout
from interpreter.environments.position_text import format_position
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.errors import IllegalAction, SetupError

if TYPE_CHECKING:
    from interpreter.environments.observation_encoder import Numbers
    from interpreter.play.bot import Bot

_SHARED = ("setting", "layout", "_encoder", "_advised")
_WRAPPED = (  # attributes that PettingZoo and its wrappers change
    "agents",
    "agent_selection",
    "rewards",
    "terminations",
    "truncations",
    "infos",
    "_cumulative_rewards",
    "_skip_agent_selection",
)


class RulesetEnv(AECEnv):
    """PettingZoo environment that plays games of one ruleset, one after another.

    `layout` describes the observation, `meaning` an action. Without a seed, `reset` uses the previous seed plus one, so
    the same sequence of calls always gives the same games.
    """

    def __init__(self, setting: EnvConfig, seed: int, render_mode: str | None, is_plain: bool = False) -> None:
        super().__init__()
        self.setting = setting
        self.render_mode = render_mode
        self.metadata = {
            "name": f"grognard_{setting.program.id}",
            "render_modes": ["human", "ansi"],
            "is_parallelizable": True,
        }
        self._encoder = ObservationEncoder(setting)
        self.layout: ObservationLayout = self._encoder.layout
        self.possible_agents = [f"{seat}_{number}" for number, seat in enumerate(setting.seats)]
        self._players = {agent: number for number, agent in enumerate(self.possible_agents)}
        size = setting.codec.size
        self.action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self._is_plain = is_plain
        self.observation_spaces = {agent: self._build_space(size) for agent in self.possible_agents}
        self.state_space = self._build_box()
        self.agents: list[str] = []
        self._seed = seed - 1
        self._current: EnvState | None = None
        self._advised: tuple[Any, Any, int] = (None, None, 0)

    def _build_box(self) -> spaces.Space[Any]:
        return spaces.Box(-np.inf, np.inf, (self.layout.size,), np.float32)

    def _build_space(self, size: int) -> spaces.Space[Any]:
        if self._is_plain:
            return self._build_box()
        return spaces.Dict({"observation": self._build_box(), "action_mask": spaces.Box(0, 1, (size,), np.int8)})

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an observation: with the mask of legal actions, or without if masks are switched off."""
        return self.observation_spaces[self.possible_agents[self._get_player(agent)]]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of action numbers, which is equal for all agents."""
        return self.action_spaces[self.possible_agents[self._get_player(agent)]]

    def meaning(self, action: int) -> str:
        """Return the meaning of an action, which is an option with its arguments or one word.

        Raises `SetupError` for an unknown number.
        """
        return self.setting.codec.meaning(check_number("action", action, 0, self.setting.codec.size - 1))

    def advice(self, bot: Bot) -> int:
        """Return the action that a bot, such as one of `make_bots`, chooses for the selected agent.

        The bot is asked once per decision; if its option takes several actions, the later ones follow that choice.
        """
        current = self.current_state
        if current.is_over:
            raise IllegalAction("the game is over")
        last_bot, state, option = self._advised
        if last_bot is not bot or state is not current.state:
            option = bot.choose(current.copy_game())
            self._advised = bot, current.state, option
        return current.find_next_action(option)

    @property
    def current_state(self) -> EnvState:
        """Return the current state. Raises `SetupError` before the first `reset`."""
        if self._current is None:
            raise SetupError("call reset first: no game has started")
        return self._current

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; `options` are ignored."""
        self._seed = self._seed + 1 if seed is None else check_seed(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._set_current(build_initial_state(self.setting, SeededDice(self._seed)))
        self._accumulate_rewards()  # the rules may end a game before they ask anybody

    def step(self, action: int | None) -> None:
        """Apply the selected agent's action; raise IllegalAction, changing nothing, if it is not legal."""
        state = self.current_state
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalAction("`{agent}` must act, but no action was given", agent=agent)
        after = state.apply(check_number("action", action, -(2**63), 2**63 - 1))
        self._cumulative_rewards[agent] = 0.0
        self._set_current(after)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _set_current(self, env_state: EnvState) -> None:
        """Make a state the current one and update the attributes that PettingZoo reads."""
        self._current = env_state
        if env_state.is_over:
            returns = env_state.returns()
            ended = self.truncations if env_state.is_cut else self.terminations
            for agent, player in self._players.items():
                ended[agent] = True
                self.rewards[agent] = returns[player]
            self.agent_selection = self.agents[0]
        else:
            self._clear_rewards()
            self.agent_selection = self.possible_agents[env_state.player]
        self.infos = {
            agent: {"action_mask": self._compute_mask(agent), "seat": self._get_seat(agent)} for agent in self.agents
        }

    def _get_player(self, agent: str) -> int:
        """Return the number of an agent. Raise SetupError for an unknown name."""
        player = self._players.get(agent)
        if player is None:
            raise SetupError(
                "unknown agent `{name}`{hint}", name=agent, hint=suggest_words(str(agent), self.possible_agents)
            )
        return player

    def _get_seat(self, agent: str) -> str:
        return self.setting.seats[self._players[agent]]

    def _compute_mask(self, agent: str) -> NDArray[np.int8]:
        mask = np.zeros(self.setting.codec.size, np.int8)
        state = self.current_state
        if state.player == self._players[agent]:
            mask[list(state.trie.ways)] = 1
        return mask

    def observe(self, agent: str) -> Numbers | dict[str, Numbers | NDArray[np.int8]]:
        """Return the position as the agent sees it and its legal actions, as new arrays."""
        observation = self._encoder.observation(self.current_state, self._get_player(agent))
        return observation if self._is_plain else {"observation": observation, "action_mask": self._compute_mask(agent)}

    def state(self) -> Numbers:
        """Return the position without a viewpoint: an observation in which no agent is `you`."""
        return self._encoder.observation(self.current_state, None)

    def render(self) -> str | None:
        """Render the position as text: returned in mode `ansi`, printed in mode `human`; without a mode, do nothing."""
        if self.render_mode is None:
            return None
        text = format_position(self.current_state)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def __deepcopy__(self, memo: dict[int, Any]) -> RulesetEnv:
        """Copy the environment; data that never changes are shared."""
        new = object.__new__(type(self))
        memo[id(self)] = new
        for name, value in self.__dict__.items():
            new.__dict__[name] = value if name in _SHARED else deepcopy(value, memo)
        new._advised = (None, None, 0)
        return new

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the settings and the actions of the current game; unpickling replays them."""
        done = None if self._current is None else list_past_actions(self._current)
        extra = {} if done is None else {name: self.__dict__.get(name) for name in _WRAPPED}
        return _rebuild_env, (type(self), self.setting, self.render_mode, self._is_plain, self._seed, done, extra)

    def close(self) -> None:
        """Do nothing: the environment holds no open resources."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


class ParallelRulesetEnv(turn_based_aec_to_parallel_wrapper):
    """A ruleset as PettingZoo's parallel environment.

    A step before the first `reset` raises an error; a step after the end of the game does nothing.
    """

    def step(self, actions: Mapping[str, int | None]) -> tuple[dict[str, Any], ...]:
        """Apply the action of the agent who is to act and ignore all others; this counts as one cycle."""
        if not hasattr(self, "agents"):
            raise SetupError("call reset first: no game has started")
        if not self.agents:
            return {}, {}, {}, {}, {}
        agent = self.aec_env.agent_selection
        if agent not in actions:
            raise IllegalAction("`{agent}` must act, but no action was given", agent=agent)
        transition: tuple[dict[str, Any], ...] = super().step(actions)
        return transition


def _rebuild_env(
    kind: type[RulesetEnv],
    setting: EnvConfig,
    mode: str | None,
    is_plain: bool,
    seed: int,
    done: list[int] | None,
    extra: dict[str, Any],
) -> RulesetEnv:
    """Rebuild an environment that was pickled.

    `mode`: the render mode. `is_plain`: whether observations come without the action mask.
    `done`: the actions of the current game, None before the first one. `extra`: other attributes of the environment.
    """
    env = kind(setting, seed, mode, is_plain)
    env._seed = seed
    if done is not None:
        state = build_initial_state(setting, SeededDice(seed))
        for action in done:
            state = state.apply(action)
        env._current = state
        env.__dict__.update(extra)
    return env
