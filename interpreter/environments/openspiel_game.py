"""A ruleset as an OpenSpiel game: every die is a chance node, every word of an option an action.

A state holds one immutable value, so copies are cheap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
import pyspiel

from interpreter.environments.env_config import EnvConfig, check_number
from interpreter.environments.env_state import CHANCE, EnvState, build_initial_state, list_past_actions
from interpreter.environments.observation_encoder import ObservationEncoder
from interpreter.environments.observation_layout import ObservationLayout
from interpreter.environments.position_text import format_position
from interpreter.runtime.dice import ScriptedDice
from interpreter.runtime.errors import SetupError
from interpreter.runtime.pending import PendingChance
from interpreter.runtime.program import Program

_DRAWS = "draw"  # constant in the code of every function that draws from a set
_MAX_DRAWN = 64  # assumed maximum of members of a set of numbers that is drawn from

_GAMES: dict[str, RulesetGame] = {}


def get_registered_game(setting: EnvConfig) -> RulesetGame:
    """Return the OpenSpiel game of a configuration; equal configurations share one game and name."""
    name = _format_name(setting)
    game = _GAMES.get(name)
    if game is None:
        game = _GAMES[name] = RulesetGame(setting, name)
        pyspiel.register_game(game.get_type(), _build_game_factory(game))
    return game


def _build_game_factory(game: RulesetGame) -> Callable[[Any], RulesetGame]:
    """Return the factory that OpenSpiel calls to create the game by its name."""

    def make(params: object = None) -> RulesetGame:
        return RulesetGame(game.setting, game.name, game.encoder)

    # OpenSpiel releases the factory after Python has ended: without a reference to itself, the process would abort
    make.itself = make  # type: ignore[attr-defined]
    return make


def _format_name(setting: EnvConfig) -> str:
    """Return a name that identifies a configuration."""
    parts = [
        setting.program.content_hash,
        setting.scenario,
        sorted(setting.options.items()),
        setting.codec.sort,
        sorted(setting.prizes.items()),
        setting.max_actions,
    ]
    digest = blake2b(repr(parts).encode(), digest_size=4).hexdigest()
    return f"grognard_{setting.program.id.replace('-', '_')}_{digest}"


def _count_most_outcomes(program: Program) -> int:
    """Return the greatest possible number of outcomes of one die or draw; 0 if the ruleset has no dice."""
    faces = max((len(set(die)) for die in program.dice.values()), default=0)
    codes = [f.__code__ for f in program.namespace.values() if hasattr(f, "__code__")]
    if any(_DRAWS in code.co_consts for code in codes):
        return max(faces, _MAX_DRAWN, *(len(ids) for ids in program.ids.values()))
    return faces


def _build_type_and_info(setting: EnvConfig, name: str) -> tuple[Any, Any]:
    """Return the type and the info that OpenSpiel requires of a game; the numbers in them are upper bounds."""
    players, outcomes = len(setting.players), _count_most_outcomes(setting.program)
    modes, utilities = pyspiel.GameType.ChanceMode, pyspiel.GameType.Utility
    is_duel = players == 2
    game_type = pyspiel.GameType(
        short_name=name,
        long_name=setting.rules.title(),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if outcomes else modes.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utilities.ZERO_SUM if is_duel else utilities.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    info = {"utility_sum": 0.0} if is_duel else {}
    return game_type, pyspiel.GameInfo(
        num_distinct_actions=setting.codec.size,
        max_chance_outcomes=outcomes,
        num_players=players,
        min_utility=-1.0,
        max_utility=1.0,
        max_game_length=setting.max_actions,
        **info,
    )


class RulesetGame(pyspiel.Game):
    """A ruleset as an OpenSpiel game. `layout` describes the observation tensor, `meaning` an action."""

    def __init__(self, setting: EnvConfig, name: str, encoder: ObservationEncoder | None = None) -> None:
        self.setting = setting
        self.encoder = encoder or ObservationEncoder(setting)
        self.layout: ObservationLayout = self.encoder.layout
        self.name = name
        self._first: EnvState | None = None
        super().__init__(*_build_type_and_info(setting, name), {})

    def meaning(self, action: int) -> str:
        """Return the meaning of a player's action, as text. Raises `SetupError` for an unknown number."""
        return self.setting.codec.meaning(check_number("action", action, 0, self.setting.codec.size - 1))

    def first(self) -> EnvState:
        """Return the initial state, which every play of the game shares."""
        if self._first is None:
            self._first = build_initial_state(self.setting, ScriptedDice())
        return self._first

    def new_initial_state(self) -> RulesetState:
        """Return a new game."""
        return RulesetState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> RulesetObserver:
        """Return an observer that sees the whole position, since these games have no hidden information.

        Raises `SetupError` if `params` are given.
        """
        if params:
            raise SetupError("the observers of a ruleset have no parameters")
        return RulesetObserver(self, bool(iig_obs_type is not None and iig_obs_type.perfect_recall))


class StateHolder:
    """Holder of an immutable state: copies share the state, and pickling stores the actions that led to it."""

    def __init__(self, game: str, env_state: EnvState) -> None:
        self.game = game
        self.env_state = env_state

    def __deepcopy__(self, memo: object) -> StateHolder:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return replay_actions, (self.game, tuple(list_past_actions(self.env_state)))


def replay_actions(name: str, actions: tuple[int, ...]) -> StateHolder:
    """Replay actions in the game with this name. Raises `SetupError` if no such game is loaded."""
    game = _GAMES.get(name)
    if game is None:
        raise SetupError("the game `{name}` is not loaded: call load_game with its ruleset first", name=name)
    holder = game.first()
    for action in actions:
        holder = holder.apply(action)
    return StateHolder(name, holder)


class RulesetState(pyspiel.State):
    """A game in progress."""

    def __init__(self, game: RulesetGame) -> None:
        super().__init__(game)
        self.holder = StateHolder(game.name, game.first())

    @property
    def current_state(self) -> EnvState:
        """Return the current immutable state."""
        return self.holder.env_state

    def current_player(self) -> int:
        """Return the number of the acting player, or OpenSpiel's constants for chance and for a terminal state."""
        return self.current_state.player

    def _legal_actions(self, player: int) -> list[int]:
        state = self.current_state
        return state.list_legal_actions() if player == state.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the number and the probability of each face of the die, in ascending order."""
        return self.current_state.list_outcomes()

    def _apply_action(self, action: int) -> None:
        self.holder = StateHolder(self.holder.game, self.current_state.apply(action))

    def _action_to_string(self, player: int, action: int) -> str:
        state = self.current_state
        if player == CHANCE:
            pending = state.state.pending
            return (
                f"{pending.name}: {state.get_outcome_label(action)}"
                if isinstance(pending, PendingChance)
                else str(action)
            )
        return state.setting.codec.meaning(action)

    def is_terminal(self) -> bool:
        """Return True if the game has ended or was cut off."""
        return self.current_state.is_over

    def returns(self) -> list[float]:
        """Return the reward of each player: 0 for all until the game is over."""
        return self.current_state.returns()

    def __str__(self) -> str:
        return format_position(self.current_state)


class RulesetObserver:
    """Observer of a game: the position; with perfect recall, also the text of all actions."""

    def __init__(self, game: RulesetGame, recalls: bool) -> None:
        self._encoder = game.encoder
        self._recalls = recalls
        self.tensor = np.zeros(game.layout.size, np.float32)
        self.dict = game.layout.parts(self.tensor)

    def set_from(self, state: RulesetState, player: int) -> None:
        """Write the position, as the player sees it, into `tensor` and the views in `dict`."""
        self.tensor[:] = self._encoder.observation(state.current_state, player)

    def string_from(self, state: RulesetState, player: int) -> str:
        """Return the position as text, or with perfect recall the actions that led to it."""
        if self._recalls:
            return " ".join(map(str, list_past_actions(state.current_state)))
        return format_position(state.current_state)
