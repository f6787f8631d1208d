"""Rows of choices that go on until somebody says that he is done: whether one has been begun. Changes nothing."""

from __future__ import annotations

from interpreter.play.game import Game
from interpreter.runtime.decisions import Decision


def row_is_unused(game: Game) -> bool:
    """True where a row of choices is asked, something could be chosen, and nothing has been chosen in it so far.

    The row began when the procedures that wait for it were fewer than now, or with an equal row that was ended.
    """
    decision = game.decision
    if decision is None or not decision.described["until_done"]:
        return False
    if not any(raw[0] >= 0 for raw in decision.raw_options()):
        return False
    depth = len(game.state.frames)
    for before, _length, key in reversed(game.past()):
        if before.pending is None or len(before.frames) < depth:
            break
        if before.pending[0] == decision.number and len(before.frames) == depth:
            return key == "done" or Decision(before).side != decision.side
    return True
