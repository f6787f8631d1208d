"""Public names of Grognard: check, load, start, choose, save and resume board wargames from data.

Each name is imported on first access, so that a command that needs little starts quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.api.game import check, load, resume
    from interpreter.diagnostics.diagnostic import RulesetError
    from interpreter.runtime.errors import IllegalAction, RuleFault, SetupError
    from interpreter.saves.journal import JournalError

__version__ = "0.1.0"

__all__ = [
    "IllegalAction",
    "JournalError",
    "RuleFault",
    "RulesetError",
    "SetupError",
    "__version__",
    "check",
    "load",
    "resume",
]

_HOMES = {
    "check": "interpreter.api.game",
    "load": "interpreter.api.game",
    "resume": "interpreter.api.game",
    "IllegalAction": "interpreter.runtime.errors",
    "RuleFault": "interpreter.runtime.errors",
    "SetupError": "interpreter.runtime.errors",
    "JournalError": "interpreter.saves.journal",
    "RulesetError": "interpreter.diagnostics.diagnostic",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(home), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
