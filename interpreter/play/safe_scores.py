"""The scores of a game, where a fault in the ruleset's `score` must not stop the rest of a view or a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interpreter.runtime.errors import RuleFault


def scores_or_fault(scores: Callable[[], Mapping[str, Any]]) -> tuple[Mapping[str, Any], RuleFault | None]:
    """Return the score of each seat by its id and None, or no scores and the fault of the rules."""
    try:
        return scores(), None
    except RuleFault as fault:
        return {}, fault
