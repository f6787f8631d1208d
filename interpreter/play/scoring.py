"""The scores of a game where a fault in the ruleset's `score` must not stop what else is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from interpreter.runtime.faults import RuleFault

if TYPE_CHECKING:
    from interpreter.play.session import Game


def scores_and_fault(game: Game) -> tuple[Mapping[str, Any], RuleFault | None]:
    """Return the score of every seat by its id, and None; no scores, and the fault, where the rules cannot say."""
    try:
        return game.scores(), None
    except RuleFault as fault:
        return {}, fault
