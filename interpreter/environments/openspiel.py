"""A ruleset as a game of OpenSpiel: the door. The library is imported when somebody comes in.

Must not hold what a game does.
"""

from __future__ import annotations

from os import PathLike
from typing import Any

from interpreter.environments.env_config import SETTINGS, checked_names, setting_of
from interpreter.environments.extras import required

_STANDS_STILL = "odds"  # the form of the rules that stands still before dice, so that they can be chance nodes


def load_game(ruleset: str | PathLike[str], **options: Any) -> Any:
    """A `pyspiel.Game`, registered under its own name: `pyspiel.load_game(game.get_type().short_name)` gives it again.

    Options: `scenario`, `options`, `actions`, `prizes`, `max_cycles`, as docs/environments.md tells. RulesetError for
    a ruleset that is none, SetupError for anything else that is asked for wrongly.
    """
    checked_names(options, SETTINGS)
    required("pyspiel", "numpy")
    setting = setting_of(ruleset, _STANDS_STILL, **options)
    from interpreter.environments.openspiel_game import registered

    return registered(setting)
