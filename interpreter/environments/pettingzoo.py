"""Public entry points for PettingZoo; the library is imported on first use."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from interpreter.environments.action_codec import check_word
from interpreter.environments.env_config import SETTINGS, check_seed, check_setting_names, load_config
from interpreter.environments.extras import require_modules

if TYPE_CHECKING:
    from pettingzoo import AECEnv, ParallelEnv

    from interpreter.environments.aec_env import RulesetEnv

_OWN = ("seed", "render_mode", "masks")
_REFUSE, _LOSE = "refuse", "lose"
_MASKS = _OBSERVATION, _INFO = "observation", "info"
_RENDER_MODES = ("ansi", "human")


def raw_env(ruleset: str | PathLike[str], **options: object) -> AECEnv:
    """Return the bare `AECEnv`: agents act in the order in which the rules ask their seats.

    Options: `scenario`, `options`, `actions`, `prizes`, `max_cycles`, `seed`, `render_mode`, `masks`; see
    docs/environments.md. Raises `RulesetError` if the ruleset is invalid, `SetupError` for other invalid settings.
    """
    return _build_env(ruleset, options, is_parallel=False)


def _build_env(ruleset: str | PathLike[str], options: dict[str, Any], is_parallel: bool) -> RulesetEnv:
    """Build the environment. A cycle is one action of each agent, or one step if `is_parallel`.

    `options`: settings of the ruleset and of the environment, by name.
    """
    check_setting_names(options, (*SETTINGS, *_OWN))
    env_options = {name: options.pop(name) for name in _OWN if name in options}
    seed = check_seed(env_options.get("seed", 0))
    mode = env_options.get("render_mode")
    if mode is not None:
        check_word("render_mode", mode, _RENDER_MODES)
    masks = env_options.get("masks", _OBSERVATION)
    check_word("masks", masks, _MASKS)
    require_modules("pettingzoo", "numpy", "gymnasium")
    setting = load_config(ruleset, **options)
    from interpreter.environments.aec_env import RulesetEnv

    if not is_parallel:
        setting = replace(setting, max_actions=setting.max_actions * len(setting.players))
    return RulesetEnv(setting, seed, mode, masks == _INFO)


def env(ruleset: str | PathLike[str], **options: object) -> AECEnv:
    """Return the environment of `raw_env` inside PettingZoo's usual wrappers, which report calls out of order.

    `options`: the settings of `raw_env`, with the same errors, and `illegal`: what an illegal action does. "refuse"
    raises `IllegalAction` and changes nothing; "lose" ends the game and loses it, as in PettingZoo's board games.
    """
    return _wrap_env(ruleset, options, is_parallel=False)


def _wrap_env(ruleset: str | PathLike[str], options: dict[str, Any], is_parallel: bool) -> AECEnv:
    """Build the environment inside PettingZoo's wrappers; see `env`."""
    illegal = options.pop("illegal", _REFUSE)
    check_word("illegal", illegal, (_REFUSE, _LOSE))
    env: AECEnv = _build_env(ruleset, options, is_parallel)
    from pettingzoo.utils import wrappers

    if illegal == _LOSE:
        env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(env)


def parallel_env(ruleset: str | PathLike[str], **options: object) -> ParallelEnv:
    """Return a `ParallelEnv`: all agents submit an action at each step, but only the acting agent's is carried out.

    The rules ask one seat at a time, so this works for every ruleset; the masks of the other agents are empty.
    `options`: the settings of `env`, with the same errors.
    """
    env = _wrap_env(ruleset, options, is_parallel=True)
    from interpreter.environments.aec_env import ParallelRulesetEnv

    return ParallelRulesetEnv(env)
