"""Many games of one ruleset side by side, stepped by one call inside WebAssembly; observations are views of columns.

An action is the number of an option of the pending decision, counted from 0 in the order of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from interpreter.api.loading import load
from interpreter.api.native_rules import load_native
from interpreter.environments.env_config import check_number, check_seed
from interpreter.environments.rewards import check_prizes
from interpreter.play import setup
from interpreter.runtime.errors import SetupError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MAX_COPIES = 4096


class VectorGames:
    """Games that are stepped together, one in each lane.

    A finished game starts again in the next step, whatever its action. `options`: the number of options that each game
    offers. `deciders`: the number of the player who decides. `decisions`: the number of the pending decision among
    `addresses`. `columns`: for each changing attribute, an array with a row for each lane. `turns`: the turn of each
    game. The arrays are views that change with each step; copy what you keep.
    """

    def __init__(
        self,
        ruleset: str | PathLike[str],
        count: int = 128,
        *,
        seed: int = 0,
        scenario: str | None = None,
        options: Iterable[str] | Mapping[str, Any] = (),
        prizes: Mapping[str, float] | None = None,
    ) -> None:
        """Start `count` games (at most 4096), numbered from 0.

        `seed`: game k uses the seeds `seed` + k, `seed` + k + `count`, and so on, one for each restart. `scenario`: its
        id, None for the default. `options`: optional rules, as texts "NAME" or "NAME=VALUE" or as values by name.
        `prizes`: the reward for each level of victory by id, from 0 to 1 (default: 1). Raises `SetupError` if an
        argument is invalid or the ruleset cannot be played inside WebAssembly.
        """
        from interpreter.backends.wasm.host.lanes import Lanes
        from interpreter.backends.wasm.host.session import NotInsideError
        from interpreter.backends.wasm.host.wasm_host import TrapError

        check_number("count", count, 1, _MAX_COPIES)
        check_number("seed", check_seed(seed), -(1 << 62), 1 << 62)
        rules = load(ruleset)
        program = rules.program
        loaded = load_native(rules)
        if loaded is None or loaded.session is None:
            reason = "" if loaded is None else loaded.reason
            raise SetupError(
                "{ruleset} cannot be played inside WebAssembly: {reason}", ruleset=program.id, reason=reason
            )
        options_read = setup.read_options(program, options)
        first = setup.build_first_state(program, scenario, options_read, empty=False)
        self._players = tuple(sorted(set(first.seat_of)))
        self._player_of_side = np.array([self._players.index(seat) for seat in first.seat_of])
        option_words = (
            tuple(options) if not isinstance(options, Mapping) else tuple(f"{k}={v}" for k, v in options.items())
        )
        try:
            self._lanes = Lanes(loaded.session, count, seed, scenario, option_words)
        except (NotInsideError, TrapError) as fault:
            raise SetupError("{ruleset} cannot begin: {reason}", ruleset=program.id, reason=str(fault)) from None
        self.count = count
        self.seats = tuple(program.ids["seat"][seat] for seat in self._players)
        self.addresses = tuple(d.address for d in loaded.session.sheet.rules.decisions)
        won = check_prizes(program, prizes)
        self._prizes = np.array([*(won.get(level["id"], 1.0) for level in program.level_data), 1.0])
        self._rewards = np.zeros((count, len(self._players)), np.float32)

    @property
    def options(self) -> NDArray[np.int64]:
        """Return the number of options of each game, as an array."""
        return self._lanes.options

    @property
    def decisions(self) -> NDArray[np.int64]:
        """Return the number of the pending decision of each game, an index of `addresses`."""
        return self._lanes.decisions

    @property
    def deciders(self) -> NDArray[np.int64]:
        """Return the number of the deciding player of each game, an index of `seats`."""
        decided: NDArray[np.int64] = self._player_of_side[self._lanes.sides]
        return decided

    @property
    def turns(self) -> NDArray[np.int64]:
        """Return the turn of each game."""
        return self._lanes.turns

    @property
    def columns(self) -> Mapping[str, NDArray[Any]]:
        """Return the array of each changing attribute by "KIND.NAME".

        -1 is a missing value; a set is an array of bytes with a bit for each possible member.
        """
        return self._lanes.columns

    def step(self, actions: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """Take an option in every game.

        `actions`: the number of the option in each lane. Return the rewards (a row for each lane, a number for each
        player), whether each game is over after this step, and whether it was cut off because it could not be continued
        inside WebAssembly. Raises `SetupError` for a number that is not one of an option; some games have then been
        stepped.
        """
        from interpreter.backends.wasm.host.session import NotInsideError

        lanes = self._lanes
        lanes.actions[:] = actions
        try:
            lanes.step()
        except NotInsideError as fault:
            raise SetupError("an action is not the number of an option: {reason}", reason=str(fault)) from None
        over = lanes.over != 0
        if over.any():
            return self._compute_rewards(over), over, lanes.broken.copy()
        self._rewards[:] = 0
        return self._rewards, over, lanes.broken.copy()

    def _compute_rewards(self, over: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return the rewards: the prize for winners, its negative for losers, 0 if no player or all players win.

        `over`: whether each game has ended.
        """
        lanes = self._lanes
        bits = np.where(over & (lanes.winners > 0), lanes.winners, 0)[:, None]
        won = (bits >> np.array(self._players)) & 1
        number = won.sum(axis=1, keepdims=True)
        decided = (number > 0) & ((number < len(self._players)) | (len(self._players) == 1))
        prizes = self._prizes[lanes.levels][:, None]
        self._rewards[:] = np.where(decided, np.where(won == 1, prizes, -prizes), 0.0)
        return self._rewards
