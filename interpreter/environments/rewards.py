"""Rewards at the end of a game, derived from the ruleset's winner and level of victory.

A winner gets 1 or the value of the level, a loser the negative of it; all get 0 if no seat wins, or if all do.
"""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.diagnostics.suggestions import suggest_words
from interpreter.i18n.translator import mark as _
from interpreter.runtime.errors import SetupError
from interpreter.runtime.program import Program
from interpreter.runtime.state import State


def check_prizes(program: Program, prizes: object) -> dict[str, float]:
    """Validate the setting `prizes`; return the reward of each victory level by id, {} for None.

    Raises `SetupError` for an unknown level or a number outside 0..1.
    """
    if prizes is None:
        return {}
    if not isinstance(prizes, Mapping):
        raise SetupError("expected `prizes` as level: number, found {found}", found=repr(prizes)[:60])
    level_ids = [level["id"] for level in program.level_data]
    for level, prize in prizes.items():
        if level not in level_ids:
            hint = suggest_words(str(level), level_ids, all_of_them=True) if level_ids else _("; it has none")
            raise SetupError(
                "{ruleset} has no level of victory `{name}`{hint}", ruleset=program.id, name=level, hint=hint
            )
        if isinstance(prize, bool) or not isinstance(prize, int | float) or not 0 <= prize <= 1:
            raise SetupError(
                "the prize for `{name}` must be a number from 0 to 1, found {found}", name=level, found=prize
            )
    return {str(level): float(prize) for level, prize in prizes.items()}


def compute_returns(state: State, players: tuple[int, ...], prizes: Mapping[str, float]) -> list[float]:
    """Return the reward of each player in the position; 0 while the game is undecided and for a draw.

    `players`: the handles of their seats. `prizes`: the reward of a level by id, 1 for levels that are not named.
    """
    if state.outcome is None or not state.outcome.winners:
        return [0.0] * len(players)
    winners, level = state.outcome.winners, state.outcome.level
    won = [seat in winners for seat in players]
    if all(won) and len(won) > 1 or not any(won):
        return [0.0] * len(players)
    prize = 1.0 if level is None else prizes.get(state.program.level_data[level]["id"], 1.0)
    return [prize if has_won else -prize for has_won in won]
