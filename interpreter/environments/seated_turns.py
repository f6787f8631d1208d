"""A ruleset as an `AECEnv` of PettingZoo: one agent for each seat, one action for each word that is said.

Must not judge what is legal: what is not among the choices of the rules is refused by them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from interpreter.environments.array_layout import Layout
from interpreter.environments.game_standing import Standing, first_standing
from interpreter.environments.position_text import position_text
from interpreter.environments.setting import Setting, checked_number, checked_seed
from interpreter.environments.tensors import Painter
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.faults import IllegalAction, SetupError
from interpreter.words.speech import mark as _


class RulesetEnv(AECEnv):
    """Games of one ruleset, one after the other.

    `layout` says what stands where in an observation, `meaning` what an action says. Without a seed, `reset` takes the
    one after the last: the same calls always give the same games.
    """

    def __init__(self, setting: Setting, seed: int, render_mode: str | None) -> None:
        super().__init__()
        self.setting = setting
        self.render_mode = render_mode
        self.metadata = {
            "name": f"grognard_{setting.program.id}",
            "render_modes": ["human", "ansi"],
            "is_parallelizable": True,
        }
        self._painter = Painter(setting)
        self.layout: Layout = self._painter.layout
        self.possible_agents = [f"{seat}_{number}" for number, seat in enumerate(setting.seats)]
        self._players = {agent: number for number, agent in enumerate(self.possible_agents)}
        size = setting.coder.size
        self.action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-np.inf, np.inf, (self.layout.size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.agents: list[str] = []
        self._seed = seed - 1
        self._standing: Standing | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """An observation and a mask of legal actions."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Numbers of actions, the same for all agents."""
        return self.action_spaces[agent]

    def meaning(self, action: int) -> str:
        """What an action says: an option with its arguments, or a word of one; SetupError for a number that is none."""
        return self.setting.coder.meaning(checked_number("action", action, 0, self.setting.coder.size - 1))

    @property
    def standing(self) -> Standing:
        """Where the game stands; SetupError before the first `reset`."""
        if self._standing is None:
            raise SetupError(_("call reset first: no game has begun"))
        return self._standing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; `options` are not used."""
        self._seed = self._seed + 1 if seed is None else checked_seed(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._stand(first_standing(self.setting, SeededDice(self._seed)))
        self._accumulate_rewards()  # the rules may end a game before they ask anybody

    def step(self, action: int | None) -> None:
        """Do what the selected agent wants; IllegalAction, changing nothing, where that is not legal."""
        standing = self.standing
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalAction(_("`{agent}` must act, but no action was given", agent=agent))
        after = standing.after(checked_number("action", action, -(2**63), 2**63 - 1))
        self._cumulative_rewards[agent] = 0.0
        self._stand(after)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _stand(self, standing: Standing) -> None:
        """Make what PettingZoo reads agree with where the game stands."""
        self._standing = standing
        if standing.is_over:
            returns = standing.returns()
            ended = self.truncations if standing.is_cut else self.terminations
            for agent, player in self._players.items():
                ended[agent] = True
                self.rewards[agent] = returns[player]
            self.agent_selection = self.agents[0]
        else:
            self._clear_rewards()
            self.agent_selection = self.possible_agents[standing.player]
        self.infos = {agent: {"action_mask": self._mask(agent), "seat": self._seat(agent)} for agent in self.agents}

    def _seat(self, agent: str) -> str:
        return self.setting.seats[self._players[agent]]

    def _mask(self, agent: str) -> Any:
        mask = np.zeros(self.setting.coder.size, np.int8)
        standing = self.standing
        if standing.player == self._players[agent]:
            mask[list(standing.menu.ways)] = 1
        return mask

    def observe(self, agent: str) -> dict[str, Any]:
        """The position as the agent sees it, and what it may do: new arrays each time."""
        return {
            "observation": self._painter.observation(self.standing, self._players[agent]),
            "action_mask": self._mask(agent),
        }

    def render(self) -> str | None:
        """The position as text: returned where the mode is `ansi`, printed where it is `human`."""
        if self.render_mode is None:
            return None
        text = position_text(self.standing)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is open."""

    def __str__(self) -> str:
        return str(self.metadata["name"])
