"""Public entry point for OpenSpiel; the library is imported on first use."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

from interpreter.environments.env_config import SETTINGS, check_setting_names, load_config
from interpreter.environments.extras import require_modules

if TYPE_CHECKING:
    import pyspiel

_SUSPENDING_FORM = "odds"  # the form of the rules that suspends before dice, so that dice are chance nodes


def load_game(ruleset: str | PathLike[str], **options: object) -> pyspiel.Game:
    """Return the ruleset as a registered `pyspiel.Game`.

    `pyspiel.load_game(game.get_type().short_name)` finds it again. Options: `scenario`, `options`, `actions`, `prizes`,
    `max_cycles`; see docs/environments.md. Raises `RulesetError` if the ruleset is invalid, `SetupError` for other
    invalid settings.
    """
    checked: dict[str, Any] = dict(options)  # `load_config` checks the values
    check_setting_names(options, SETTINGS)
    require_modules("pyspiel", "numpy")
    setting = load_config(ruleset, _SUSPENDING_FORM, **checked)
    from interpreter.environments.openspiel_game import get_registered_game

    return get_registered_game(setting)
