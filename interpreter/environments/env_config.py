"""Configuration of an environment: ruleset, scenario, players, action codec, limits.

All settings are validated here, before a game starts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from operator import index
from os import PathLike
from pathlib import Path
from typing import Any

from interpreter.api.loading import load
from interpreter.api.rules import Rules
from interpreter.diagnostics.suggestions import suggest_words
from interpreter.environments.action_codec import ActionCodec, create_codec
from interpreter.environments.rewards import check_prizes
from interpreter.files.assets import list_shipped_rulesets
from interpreter.play import setup
from interpreter.runtime.errors import SetupError
from interpreter.runtime.program import Program

MAX_CYCLES = 10_000  # default maximum number of actions of a game
_MAX_CYCLES = 10_000_000
_MAX_SEED = 2**511


@dataclass(frozen=True, slots=True)
class EnvConfig:
    """A ruleset prepared for use as an environment.

    `scenario`, `options`: how each game starts. `codec`: the codec between options and action numbers. `players`: the
    handles of the seats that have a side, in order. `prizes`: the reward of a winner by level of victory, 1 for levels
    not named. `max_actions`: the number of actions after which a game is cut off. `arguments`: the arguments of
    `load_config` with which another process can build it.
    """

    rules: Rules
    program: Program
    scenario: str | None
    options: Mapping[str, Any]
    codec: ActionCodec
    players: tuple[int, ...]
    prizes: Mapping[str, float]
    max_actions: int
    arguments: Mapping[str, Any]

    def __deepcopy__(self, memo: object) -> EnvConfig:
        """Return the object itself, since it is immutable."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the settings, so that another process loads the same ruleset."""
        return _rebuild_config, (self.arguments, self.max_actions, self.program.content_hash)

    @property
    def seats(self) -> tuple[str, ...]:
        """Return the ids of the seats that have a side, in the order of `players`."""
        return tuple(self.program.ids["seat"][seat] for seat in self.players)


def load_config(
    ruleset: str | PathLike[str],
    form: str = "",
    *,
    scenario: str | None = None,
    options: Iterable[str] | Mapping[str, Any] = (),
    actions: str = "auto",
    prizes: Mapping[str, float] | None = None,
    max_cycles: int = MAX_CYCLES,
) -> EnvConfig:
    """Load a ruleset (id, folder, variant or scenario file) and validate all settings.

    `form`: the compiled form of the rules in which games are played, '' for the usual one. `actions`: how options
    become actions, see `create_codec`; `prizes`: the reward by victory level, see `check_prizes`; `max_cycles`: the
    number of actions after which a game is cut off. Raises `RulesetError` or `SetupError`.
    """
    if not isinstance(ruleset, str | PathLike):
        raise SetupError("expected the id, folder or file of a ruleset, found {found}", found=repr(ruleset)[:60])
    check_number("max_cycles", max_cycles, 1, _MAX_CYCLES)
    if scenario is not None and not isinstance(scenario, str):
        raise SetupError("expected the id of a scenario, found {found}", found=repr(scenario)[:60])
    if not isinstance(options, str | Mapping | list | tuple):
        raise SetupError(
            "expected options as a mapping or a list, as in {example}, found {found}",
            example='["name", "other=value"]',
            found=repr(options)[:60],
        )
    rules = load(ruleset)
    program = rules.form(form) if form else rules.program
    options_read = setup.read_options(program, options)
    first = setup.build_first_state(program, scenario, options_read, empty=False)
    players = tuple(sorted(set(first.seat_of)))
    if not players or not program.decisions:
        raise SetupError("{ruleset} has no decisions, so it cannot be used as an environment", ruleset=program.id)
    return EnvConfig(
        rules,
        program.apply_options(first.options),
        first.scenario,
        options_read,
        create_codec(program, actions),
        players,
        check_prizes(program, prizes),
        max_cycles,
        {
            "ruleset": _resolve_name(ruleset),
            "form": form,
            "scenario": first.scenario,
            "options": dict(options_read),
            "actions": actions,
            "prizes": dict(prizes or {}),
        },
    )


def _resolve_name(ruleset: str | PathLike[str]) -> str:
    """Return a path or id of the ruleset that is valid from any working directory."""
    name = str(ruleset)
    return str(Path(name).resolve()) if name not in list_shipped_rulesets() and Path(name).exists() else name


def _rebuild_config(arguments: Mapping[str, Any], max_actions: int, content: str) -> EnvConfig:
    """Rebuild a configuration that was pickled. Raises `SetupError` if the ruleset has changed.

    `arguments`: the arguments of `load_config`. `content`: the content hash of the ruleset when it was pickled.
    """
    setting = load_config(**arguments)
    if setting.program.content_hash != content:
        raise SetupError("{target} has changed since it was loaded; load it again", target=arguments["ruleset"])
    return replace(setting, max_actions=max_actions)


def check_number(name: str, value: object, low: int, high: int) -> int:
    """Return `value` as an integer between `low` and `high`. Raises `SetupError` for anything else."""
    try:
        number = None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:  # an array of one number has `__index__`, but it raises
        number = None
    if number is None:
        raise SetupError("`{name}` must be a whole number, found {found}", name=name, found=repr(value)[:60])
    if not low <= number <= high:
        raise SetupError(
            "`{name}` must be from {low} to {high}, found {found}", name=name, low=low, high=high, found=number
        )
    return number


def check_setting_names(parameters: Mapping[str, Any], names: tuple[str, ...]) -> None:
    """Raise `SetupError` for settings with an unknown name."""
    for name in parameters:
        if name not in names:
            raise SetupError(
                "an environment has no setting `{name}`{hint}",
                name=name,
                hint=suggest_words(name, names, all_of_them=True),
            )


SETTINGS = ("scenario", "options", "actions", "prizes", "max_cycles")  # of every environment


def check_seed(seed: object) -> int:
    """Return a valid seed for dice. Raises `SetupError` for anything else."""
    return check_number("seed", seed, -_MAX_SEED, _MAX_SEED - 1)
