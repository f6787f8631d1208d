"""The façade: load a ruleset, start a game, resume one. Contains no other logic."""

from __future__ import annotations

from os import PathLike

from interpreter.api.loading import check_target, load
from interpreter.api.rules import Rules
from interpreter.diagnostics.diagnostic import Diagnostic
from interpreter.files.assets import resolve_target
from interpreter.play.game import Game


def check(target: str | PathLike[str], variants: bool = False, odd: bool = False) -> tuple[Diagnostic, ...]:
    """Return all findings about a ruleset, sorted; the contents of its files never raise an error.

    `variants`: also findings about the variants in a ruleset folder without errors. `odd`: also findings of the wargame
    lints.
    """
    return check_target(resolve_target(str(target)), variants, odd)


def resume(path: str | PathLike[str], ruleset: str | PathLike[str] | None = None) -> Game:
    """Resume a saved game; raises JournalError or SetupError if the file does not fit.

    `ruleset`: the target to load for it if it neither ships nor is known on this machine.
    """
    from interpreter.api.resume import resume_game

    return resume_game(path, None if ruleset is None else str(ruleset))


__all__ = ["Game", "Rules", "check", "load", "resume"]
