"""Scores of a game, isolated so that a fault in the ruleset's `score` does not stop a view or a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interpreter.runtime.errors import RuleFault


def scores_or_fault(scores: Callable[[], Mapping[str, Any]]) -> tuple[Mapping[str, Any], RuleFault | None]:
    """Return (scores by seat id, None), or (no scores, the fault of the rules)."""
    try:
        return scores(), None
    except RuleFault as fault:
        return {}, fault
