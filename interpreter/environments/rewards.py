"""What the players of a game get at its end: numbers from the ruleset's own winner and level. Must not decide who wins.

A winner gets 1 or what his level is worth, a loser as much less than nothing; all get nothing where nobody wins, or
everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.diagnostics.suggestions import guess
from interpreter.i18n.translator import mark as _
from interpreter.runtime.errors import SetupError
from interpreter.runtime.program import Program


def checked_prizes(program: Program, prizes: object) -> dict[str, float]:
    """What a winner gets at each level, by the level's id; SetupError for an unknown level or no number from 0 to 1."""
    if prizes is None:
        return {}
    if not isinstance(prizes, Mapping):
        raise SetupError("`prizes` are given as level: number; found {found}", found=repr(prizes)[:60])
    known = [level["id"] for level in program.level_data]
    for level, prize in prizes.items():
        if level not in known:
            hint = guess(str(level), known, all_of_them=True) if known else _("; it has none")
            raise SetupError(
                "{ruleset} has no level of victory `{name}`{hint}", ruleset=program.id, name=level, hint=hint
            )
        if isinstance(prize, bool) or not isinstance(prize, int | float) or not 0 <= prize <= 1:
            raise SetupError(
                "the prize for `{name}` must be a number from 0 to 1, found {found}", name=level, found=prize
            )
    return {str(level): float(prize) for level, prize in prizes.items()}


def returns_of(state: Any, players: tuple[int, ...], prizes: Mapping[str, float]) -> list[float]:
    """What each player gets in the position: nothing while nothing is decided."""
    if state.outcome is None or not state.outcome[0]:
        return [0.0] * len(players)
    winners, level = state.outcome[0], state.outcome[1]
    won = [seat in winners for seat in players]
    if all(won) and len(won) > 1 or not any(won):
        return [0.0] * len(players)
    prize = 1.0 if level is None else prizes.get(state.program.level_data[level]["id"], 1.0)
    return [prize if has_won else -prize for has_won in won]
