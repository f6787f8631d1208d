"""A ruleset as a game of OpenSpiel: every die a chance node, every word of an option an action.

Must not judge what is legal. A state holds one value that never changes, so that copies cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import numpy as np
import pyspiel

from interpreter.environments.env_config import EnvConfig, checked_number
from interpreter.environments.env_state import CHANCE, EnvState, actions_of, first_standing
from interpreter.environments.observation_encoder import ObservationEncoder
from interpreter.environments.observation_layout import ObservationLayout
from interpreter.environments.position_text import position_text
from interpreter.runtime.dice import ScriptedDice
from interpreter.runtime.errors import SetupError
from interpreter.runtime.program import Program

_DRAWS = "draw"  # stands in the code of whatever draws from a set
_MOST_DRAWN = 64  # members of a set of numbers that is drawn from

_GAMES: dict[str, RulesetGame] = {}


def registered(setting: EnvConfig) -> RulesetGame:
    """The game of a setting; equal settings make it once, under one name."""
    name = _name(setting)
    game = _GAMES.get(name)
    if game is None:
        game = _GAMES[name] = RulesetGame(setting, name)
        pyspiel.register_game(game.get_type(), _again(game))
    return game


def _again(game: RulesetGame) -> Callable[[Any], RulesetGame]:
    """Makes the game when OpenSpiel asks for it by its name."""

    def make(params: Any = None) -> RulesetGame:
        return RulesetGame(game.setting, game.name, game.painter)

    # OpenSpiel lets go of it when Python has ended already: it must hold itself, or the process would be aborted
    make.itself = make  # type: ignore[attr-defined]
    return make


def _name(setting: EnvConfig) -> str:
    told = [
        setting.program.content_hash,
        setting.scenario,
        sorted(setting.options.items()),
        setting.coder.sort,
        sorted(setting.prizes.items()),
        setting.max_actions,
    ]
    digest = blake2b(repr(told).encode(), digest_size=4).hexdigest()
    return f"grognard_{setting.program.id.replace('-', '_')}_{digest}"


def _most_outcomes(program: Program) -> int:
    """A bound for what one die or one draw can show; 0 where chance has no part."""
    faces = max((len(set(die)) for die in program.dice.values()), default=0)
    codes = [f.__code__ for f in program.functions.values() if hasattr(f, "__code__")]
    if any(_DRAWS in code.co_consts for code in codes):
        return max(faces, _MOST_DRAWN, *(len(ids) for ids in program.ids.values()))
    return faces


def _type_and_info(setting: EnvConfig, name: str) -> tuple[Any, Any]:
    """What OpenSpiel wants to know of a game beforehand; every number is a bound that holds for all of its games."""
    players, outcomes = len(setting.players), _most_outcomes(setting.program)
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
        num_distinct_actions=setting.coder.size,
        max_chance_outcomes=outcomes,
        num_players=players,
        min_utility=-1.0,
        max_utility=1.0,
        max_game_length=setting.max_actions,
        **info,
    )


class RulesetGame(pyspiel.Game):
    """All games of one ruleset. `layout` says what stands where in a tensor, `meaning` what an action says."""

    def __init__(self, setting: EnvConfig, name: str, painter: ObservationEncoder | None = None) -> None:
        self.setting = setting
        self.painter = painter or ObservationEncoder(setting)
        self.layout: ObservationLayout = self.painter.layout
        self.name = name
        self._first: EnvState | None = None
        super().__init__(*_type_and_info(setting, name), {})

    def meaning(self, action: int) -> str:
        """What an action of a player says; SetupError for a number that is none."""
        return self.setting.coder.meaning(checked_number("action", action, 0, self.setting.coder.size - 1))

    def first(self) -> EnvState:
        """Where every game begins."""
        if self._first is None:
            self._first = first_standing(self.setting, ScriptedDice())
        return self._first

    def new_initial_state(self) -> RulesetState:
        """A game that begins."""
        return RulesetState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RulesetObserver:
        """Sees everything: nothing is hidden in these games."""
        if params:
            raise SetupError("observers of a ruleset take no parameters")
        return RulesetObserver(self, bool(iig_obs_type is not None and iig_obs_type.perfect_recall))


class StateHolder:
    """Holds a standing for a state: copies share it, and it is pickled as the actions that led to it."""

    def __init__(self, game: str, standing: EnvState) -> None:
        self.game = game
        self.standing = standing

    def __deepcopy__(self, memo: Any) -> StateHolder:
        return self

    def __reduce__(self) -> Any:
        return replayed, (self.game, tuple(actions_of(self.standing)))


def replayed(name: str, actions: tuple[int, ...]) -> StateHolder:
    """Where the game of this name stands after some actions; SetupError where no such game has been loaded."""
    game = _GAMES.get(name)
    if game is None:
        raise SetupError("no game `{name}` has been loaded here: call load_game with its ruleset first", name=name)
    standing = game.first()
    for action in actions:
        standing = standing.after(action)
    return StateHolder(name, standing)


class RulesetState(pyspiel.State):
    """A game in progress."""

    def __init__(self, game: RulesetGame) -> None:
        super().__init__(game)
        self.at = StateHolder(game.name, game.first())

    @property
    def standing(self) -> EnvState:
        """Where the game stands."""
        return self.at.standing

    def current_player(self) -> int:
        """The number of the player who acts, or OpenSpiel's own for chance and for the end."""
        return self.at.standing.player

    def _legal_actions(self, player: int) -> list[int]:
        standing = self.at.standing
        return standing.actions() if player == standing.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Faces of the die by number, low to high, with how likely each is."""
        return self.at.standing.outcomes()

    def _apply_action(self, action: int) -> None:
        self.at = StateHolder(self.at.game, self.at.standing.after(action))

    def _action_to_string(self, player: int, action: int) -> str:
        standing = self.at.standing
        if player == CHANCE:
            return (
                f"{standing.state.pending[1]}: {standing.shown(action)}" if standing.player == CHANCE else str(action)
            )
        return standing.setting.coder.meaning(action)

    def is_terminal(self) -> bool:
        """True at the end, and where the game was cut short."""
        return self.at.standing.is_over

    def returns(self) -> list[float]:
        """What each player has got."""
        return self.at.standing.returns()

    def __str__(self) -> str:
        return position_text(self.at.standing)


class RulesetObserver:
    """What can be seen of a game: the position; with perfect recall, in its text, all that was done."""

    def __init__(self, game: RulesetGame, recalls: bool) -> None:
        self._painter = game.painter
        self._recalls = recalls
        self.tensor = np.zeros(game.layout.size, np.float32)
        self.dict = game.layout.parts(self.tensor)

    def set_from(self, state: RulesetState, player: int) -> None:
        """The position as the player sees it, into `tensor` and, as the same numbers, `dict`."""
        self.tensor[:] = self._painter.observation(state.standing, player)

    def string_from(self, state: RulesetState, player: int) -> str:
        """The position in words, or with perfect recall the actions that led to it."""
        if self._recalls:
            return " ".join(map(str, actions_of(state.standing)))
        return position_text(state.standing)
