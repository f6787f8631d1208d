"""The façade: load a ruleset, start a game, take one up again. Holds no logic of its own."""

from __future__ import annotations

from os import PathLike

from interpreter.api.rules import Rules, load
from interpreter.diagnostics.diagnostic import Diagnostic
from interpreter.files.assets import named_target
from interpreter.play.game import Game


def check(target: str | PathLike[str], variants: bool = False, odd: bool = False) -> tuple[Diagnostic, ...]:
    """Every finding about a ruleset, sorted; never raises for what stands in its files.

    `variants`: those in the folder `variants` of a ruleset folder too, where that has no errors itself.
    `odd`: also what is right and yet odd for a wargame.
    """
    from interpreter.api.loading import check_target

    return check_target(named_target(str(target)), variants, odd)


def resume(path: str | PathLike[str], ruleset: str | PathLike[str] | None = None) -> Game:
    """Take up a saved game; raises JournalError or SetupError when the file does not fit.

    `ruleset`: what to load for it where that neither ships nor has been used on this machine.
    """
    from interpreter.api.resume import resume_game

    return resume_game(path, None if ruleset is None else str(ruleset))


__all__ = ["Game", "Rules", "check", "load", "resume"]
